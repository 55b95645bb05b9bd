"""Where gdl can be installed: on a read-only system, in a zip archive; and under which licenses its packages are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from places import ROOT

READ_ONLY = """
import errno, os, sys
FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
def refuse(event, given):
    if event in ("os.mkdir", "os.rename", "os.remove", "os.link") or (event == "open" and (given[2] or 0) & FLAGS):
        raise OSError(errno.EROFS, "read-only")
sys.addaudithook(refuse)
"""
PROGRAM = """
import gdl
print(gdl.solve("nim").best, gdl.solve("connect_four", "mcts", simulations=100).exact, len(gdl.games()) > 70, "Solvers" in __import__("gdl.web.manual", fromlist=["x"]).GUIDE.joinpath("solvers.md").read_text())
"""
SAID = "('take(1, 1)',) False True True\n"


def run(program: str, cwd: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-P", *words, "-c", program], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_written_to_play_and_to_solve(tmp_path: Path):
    with pytest.raises(AssertionError, match="read-only"):
        run(f"{READ_ONLY}\nopen('x', 'w')", tmp_path)
    said = run(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{READ_ONLY}{PROGRAM}", tmp_path)
    assert said.endswith("True True\n")


@pytest.mark.slow
def test_a_zip_archive_is_enough(tmp_path: Path):
    inside = tmp_path / "app" / "gdl"
    without = shutil.ignore_patterns("__pycache__", "solvers")
    shutil.copytree(ROOT / "gdl", inside, ignore=without)
    shutil.copytree(ROOT / "solvers", inside / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "games", inside / "games")
    archive = shutil.make_archive(str(tmp_path / "app"), "zip", tmp_path / "app")
    before = f"import sys; sys.path.insert(0, {archive!r})\nimport gdl; assert gdl.__file__.startswith({archive!r})\n"
    assert run(before + PROGRAM, tmp_path).endswith("True True\n")


def packages() -> set[str]:
    """The packages that gdl is installed with, but those of its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    named = [
        *project["dependencies"],
        *(one for extra, own in extras.items() if extra not in ("all", "test") for one in own),
    ]
    return {re.split(r"[^\w.-]", one)[0] for one in named}


def test_the_manual_names_the_license_of_every_package():
    page = (ROOT / "gdl" / "docs" / "programs.md").read_text()
    rows = re.findall(r"^\| ([\w, -]+) \| ([^|`]+) \|", page.split("## Installed where")[1], re.MULTILINE)
    told = {name: license for names, license in rows for name in names.split(", ")}
    assert packages() == told.keys() - {"package"}
    for name, license in told.items():
        try:
            known = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        said = f"{known.get('License-Expression') or ''} {known.get('License') or ''} {known.get_all('Classifier')}"
        assert license.split("-")[0] in said, (name, said)


def test_no_class_of_click_is_asked_for_more_than_its_oldest_version_has():
    """Types of parameters are generic since 8.4 alone: before, `click.Choice[str]` as a base is a TypeError."""
    bases = re.compile(r"^ *class \w+\(.*click\.\w+\[", re.MULTILINE)
    assert [file for file in ROOT.glob("gdl/**/*.py") if bases.search(file.read_text(encoding="utf-8"))] == []
