"""gdl site --serve gives its files to who asks this machine by its own name, and to nobody else."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from queue import Queue
from threading import Thread

from gdl.wings.page import site


def test_a_page_whose_name_was_made_to_lead_here_gets_nothing(tmp_path: Path):
    (tmp_path / "private.txt").write_text("private")
    said: Queue[str] = Queue()
    Thread(target=site.serve_folder, args=(tmp_path, said.put), daemon=True).start()
    port = int(said.get(timeout=30).split(":")[2].split("/")[0])

    def asked(*hosts: str, method: str = "GET") -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.putrequest(method, "/private.txt", skip_host=True)
        for host in hosts:
            connection.putheader("Host", host)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()

    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        assert asked(host) == (200, b"private")
    others = (f"evil.example:{port}", "127.0.0.1", f"localhost:{port + 1}", f"127.0.0.1:{port}.evil.example", "")
    for refused in (*((host,) for host in others), (), (f"localhost:{port}", f"evil.example:{port}")):
        for method in ("GET", "HEAD"):
            status, body = asked(*refused, method=method)
            assert status == 421 and b"private" not in body, refused
