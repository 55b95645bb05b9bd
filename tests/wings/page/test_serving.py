"""gdl site --serve gives its files to who asks this machine by its own name, and to nobody else."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from pathlib import Path
from queue import Queue
from threading import Thread

from gdl.wings.page import site

NUMBERS = ["3", "12", "8", "2", "4", "1/6", "14", "5", "2"]
LESSON = json.dumps({"ask": "lesson", "language": "en", "number": 0, "numbers": NUMBERS}).encode()


def test_a_page_whose_name_was_made_to_lead_here_gets_nothing(tmp_path: Path, capfd):
    (tmp_path / "private.txt").write_text("private")
    said: Queue[str] = Queue()
    Thread(target=site.serve_folder, args=(tmp_path, said.put), daemon=True).start()
    port = int(said.get(timeout=30).split(":")[2].split("/")[0])

    def asked(
        *hosts: str, method: str = "GET", body: bytes = b"", type: str = "application/json", length: str = ""
    ) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        connection.putrequest(method, "/gdl" if body else "/private.txt", skip_host=True)
        for host in hosts:
            connection.putheader("Host", host)
        if body:
            connection.putheader("Content-Type", type)
            connection.putheader("Content-Length", length or str(len(body)))
        connection.endheaders(body or None)
        answer = connection.getresponse()
        return answer.status, answer.read()

    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        assert asked(host) == (200, b"private")
    others = (f"evil.example:{port}", "127.0.0.1", f"localhost:{port + 1}", f"127.0.0.1:{port}.evil.example", "")
    for refused in (*((host,) for host in others), (), (f"localhost:{port}", f"evil.example:{port}")):
        for method in ("GET", "HEAD"):
            status, body = asked(*refused, method=method)
            assert status == 421 and b"private" not in body, refused
        assert asked(*refused, method="POST", body=LESSON)[0] == 421
    own = f"localhost:{port}"
    status, body = asked(own, method="POST", body=LESSON)
    assert status == 200 and json.loads(body)["told"]["numbers"] == NUMBERS
    for old, new in ((b'"12"', b'"1/0"'), (b'"en"', b'"xx"'), (b'"en"', b'"../words/de"')):
        status, body = asked(own, method="POST", body=LESSON.replace(old, new))
        assert status == 200 and "problem" in json.loads(body)
    for wrong in ("text/plain", "application/x-www-form-urlencoded"):  # what a form of another site can send
        assert asked(own, method="POST", body=LESSON, type=wrong)[0] == 400
    for length in ("", "many", "-1", "0", "9" * 5000, "9" * 8):
        assert asked(own, method="POST", body=b"" if not length else LESSON, length=length)[0] == 400
    strange = (
        b"{", b"[]", b"7", b"{}", b'{"ask": []}', b'{"ask": "game", "name": "nim"}', b"\xff", b"[" * 100_000,
        *(LESSON.replace(b'"number": 0', b'"number": ' + other) for other in (b"99", b"-1", b'"0"')),
    )  # fmt: skip
    for question in strange:
        assert asked(own, method="POST", body=question)[0] == 400, question[:60]
    assert "Traceback" not in capfd.readouterr().err
