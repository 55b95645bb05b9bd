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

    def asked(*hosts: str, method: str = "GET", body: str = "", type: str = "application/json") -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.putrequest(method, "/private.txt", skip_host=True)
        for host in hosts:
            connection.putheader("Host", host)
        if body:
            connection.putheader("Content-Type", type)
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() or None)
        answer = connection.getresponse()
        return answer.status, answer.read()

    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        assert asked(host) == (200, b"private")
    others = (f"evil.example:{port}", "127.0.0.1", f"localhost:{port + 1}", f"127.0.0.1:{port}.evil.example", "")
    for refused in (*((host,) for host in others), (), (f"localhost:{port}", f"evil.example:{port}")):
        for method in ("GET", "HEAD"):
            status, body = asked(*refused, method=method)
            assert status == 421 and b"private" not in body, refused
        assert asked(*refused, method="POST", body='{"ask": "games"}')[0] == 421
    own = f"localhost:{port}"
    status, body = asked(own, method="POST", body='{"ask": "game", "name": "nim"}')
    assert status == 200 and b"players" in body
    for wrong in ("text/plain", "application/x-www-form-urlencoded"):  # what a form of another site can send
        assert asked(own, method="POST", body='{"ask": "games"}', type=wrong)[0] == 400
    assert asked(own, method="POST")[0] == 400
