"""The notebook of the site: it is built from what pip and npm have brought, and runs in a browser to its end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browsers import CHROMIUM, chromium, listening
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.errors import Refusal
from gdl.web import notebooks as module
from gdl.web.manual import GUIDE
from gdl.web.notebooks import FOLDER, PAGE, WHEELS, write_notebooks

NPM = shutil.which("npm")


def test_what_is_missing_is_named_with_the_command_that_brings_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    words = ["site", "-o", str(tmp_path / "site"), "--notebooks", str(tmp_path)]
    monkeypatch.setattr(module, "NEEDED", ("no_such_package",))
    done = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert done.exit_code == 5 and f"no-such-package: {sys.executable} -m pip install 'gdl[notebooks]'" in done.output
    monkeypatch.setattr(module, "NEEDED", ())
    with pytest.raises(Refusal, match=r"npm install --prefix .* pyodide"):
        write_notebooks(tmp_path / FOLDER, GUIDE / "notebook.ipynb", tmp_path, gdl.__version__)
    (tmp_path / "node_modules" / "pyodide").mkdir(parents=True)
    (tmp_path / "node_modules" / "pyodide" / "package.json").write_text("{}")
    with pytest.raises(Refusal, match=r"pip download -d .*/wheels .* ipython jedi"):
        write_notebooks(tmp_path / FOLDER, GUIDE / "notebook.ipynb", tmp_path, gdl.__version__)
    assert not (tmp_path / "site").exists() and not (tmp_path / FOLDER).exists()


def brought(folder: Path) -> bool:
    """Bring Pyodide and the wheels, as the page of the manual says."""
    choice = ["--platform", "any", "--only-binary=:all:", "--python-version", "3.14"]
    commands = [
        [str(NPM), "install", "--silent", "--prefix", str(folder), "pyodide"],
        [sys.executable, "-m", "pip", "download", "-q", "-d", str(folder / "wheels"), *choice, *WHEELS],
    ]
    return not any(subprocess.run(words, capture_output=True, cwd=folder).returncode for words in commands)


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or NPM is None, reason="no chromium or no npm is installed")
def test_the_notebook_of_the_manual_runs_to_its_end(tmp_path: Path):
    for name in module.NEEDED:
        pytest.importorskip(name)
    if not brought(tmp_path):
        pytest.skip("npm or pip cannot bring the packages here")
    write_notebooks(tmp_path / FOLDER, GUIDE / "notebook.ipynb", tmp_path, gdl.__version__)
    file = tmp_path / FOLDER / "jupyter-lite.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    told["jupyter-config-data"]["exposeAppInBrowser"] = True
    file.write_text(json.dumps(told), encoding="utf-8")
    page = tmp_path / FOLDER / "notebooks" / "index.html"
    script = """<script type="module">
        const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
        const all = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
        const ran = () => all(".jp-CodeCell .jp-InputPrompt").filter((prompt) => /[0-9]/.test(prompt)).length;
        while (!window.jupyterapp || !document.querySelector(".jp-CodeCell")) await wait(100);
        await wait(2000);
        await jupyterapp.commands.execute("notebook:run-all-cells");
        for (let tenths = 0; tenths < 1000 && ran() < 8; tenths++) await wait(100);
        const result = { ran: ran(), pictures: document.querySelectorAll(".jp-OutputArea svg").length, text: all(".jp-OutputArea-output").join() };
        fetch("/told", { method: "POST", body: JSON.stringify(result) });
    </script>"""
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", script + "</body>"), encoding="utf-8")
    with listening(tmp_path) as listener:
        found = listener.told(chromium, tmp_path, f"{listener.address}{PAGE}", "1200,1000", 150)
    assert found["ran"] == 8 and found["pictures"] >= 4 and "Error" not in found["text"]
    assert "cut when" in found["text"] and "2 . . . R . . ." in found["text"]
