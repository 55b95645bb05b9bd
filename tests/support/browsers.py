"""Browsers without a window, in which a page tells a test what its script has found."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, NamedTuple

import pytest

from gdl.render.page import csp_hash


def _installed(*names: str) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


CHROMIUM = _installed("chromium", "chromium-browser", "google-chrome", "chrome")
FIREFOX = _installed("firefox-esr", "firefox")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed: .ci/run browser installs it")
needs_taskset = pytest.mark.skipif(not CHROMIUM or not _installed("taskset"), reason="no chromium, or no taskset")
needs_firefox = pytest.mark.skipif(FIREFOX is None, reason="no firefox is installed")

Words = Callable[[Path, str], list[str]]  # a folder for the profile and WIDTH,HEIGHT -> the command line


def chromium(folder: Path, size: str) -> list[str]:
    words = [str(CHROMIUM), "--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={size}"]
    nowhere = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"  # reaches this machine alone
    return [*words, nowhere, f"--user-data-dir={folder / 'chromium'}", "--remote-debugging-port=0"]


def throttled(folder: Path, size: str) -> list[str]:
    """The command line of a Chromium that shares one core with three busy loops."""
    busy = 'for k in 1 2 3; do while :; do :; done & done; exec "$@"'
    return ["taskset", "--cpu-list", "0", "sh", "-c", busy, "busy", *chromium(folder, size)]


def firefox(folder: Path, size: str) -> list[str]:
    profile = folder / "firefox"
    profile.mkdir(exist_ok=True)
    quiet = {"browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
             "network.dns.disabled": True, "app.update.enabled": False}  # fmt: skip
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in quiet.items())
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    width, height = size.split(",")
    words = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(profile)]
    return [*words, "--width", width, "--height", height]


WATCH = "window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(`${e.violatedDirective} ${e.blockedURI}`));"
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="[^"]*">')


def with_script(page: str, script: str, type: str = "module") -> str:
    """The page with a test's script added. The script may post results to the Listener, and the list `refused` holds
    what the page's security policy has blocked. Apart from this permission the policy is unchanged."""
    (policy,) = _POLICY.findall(page)
    allowed = " ".join(f"'{csp_hash(each)}'" for each in (WATCH, script))
    other = policy.replace("script-src ", f"script-src {allowed} ").replace("base-uri", "connect-src 'self'; base-uri")
    whole = page.replace(policy, f"{other}<script>{WATCH}</script>")
    return whole.replace("</body>", f'<script type="{type}">{script}</script></body>')


class Listener(NamedTuple):
    """An HTTP server on this machine that serves the files of a folder, and puts what pages post to it into the queue
    `heard`."""

    address: str
    heard: Queue[str]

    def told(self, browser: Words, folder: Path, page: str, size: str = "1200,900", seconds: float = 90) -> Any:
        """Open a page in a browser, and return the JSON value that the page posts within `seconds`. Then end the
        browser."""
        environment = os.environ | {"HOME": str(folder)}
        process = subprocess.Popen(
            [*browser(folder, size), page],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env=environment,
        )
        try:
            result = json.loads(self.heard.get(timeout=seconds))
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        assert "error" not in result, result
        return result


@contextmanager
def listening(folder: Path) -> Iterator[Listener]:
    heard: Queue[str] = Queue()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Served, heard, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Listener(f"http://127.0.0.1:{server.server_port}/", heard)
        server.shutdown()


class _Served(SimpleHTTPRequestHandler):
    def __init__(self, heard: Queue[str], *words: Any, **named: Any):
        self.heard = heard
        super().__init__(*words, **named)

    def do_POST(self) -> None:
        self.heard.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass
