"""The statements of a release are true: its version and date, whom to cite, what is run on other people's machines."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

import gdl

GITHUB = ROOT / ".github"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def citation(key: str) -> str:
    """An entry that stands on one line."""
    (line,) = re.findall(rf'^{key}: "?([^"\n]*)"?$', CITATION, re.MULTILINE)
    return line


def test_the_newest_section_of_the_changelog_is_this_release():
    """Later changes, if there are any, stand above it as unreleased; the first release stands at the end."""
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (.*)", log, re.MULTILINE)
    released = [section for section in sections if section != "Unreleased"]
    assert released[0] == f"{gdl.__version__} - {citation('date-released')}" and released[-1] == "0.1.0"
    assert sections in (released, ["Unreleased", *released])


def test_a_release_is_read_in_some_minutes():
    """A line that has no room joins another; smaller changes are told by their commits alone."""
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.split(r"^(?=## )", log, flags=re.MULTILINE)[1:]
    assert {text.split()[1]: n for text in releases if (n := len(text.splitlines())) > 120} == {}
    assert "### What broke, and what to write instead" in releases[0]


def test_the_citation_is_of_this_release():
    assert citation("cff-version") == "1.2.0" and citation("version") == gdl.__version__
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{citation('license')} License")
    (author,) = re.findall(r'^  - name: "(.*)"$', CITATION, re.MULTILINE)
    assert author in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_no_other_file_states_the_version():
    """They have it from gdl/__init__.py. (The changelog and the citation are held to it above.)"""
    stating = re.compile(rf"(?<![\d.]){re.escape(gdl.__version__)}(?![\d.]|\w)")
    files = [ROOT / "pyproject.toml", ROOT / "README.md", *GITHUB.glob("**/*.*"), *ROOT.glob("gdl/docs/*.md"),
             *(file for kind in ("py", "js", "json", "html") for file in ROOT.glob(f"gdl/**/*.{kind}"))]  # fmt: skip
    found = [file for file in files if stating.search(file.read_text(encoding="utf-8"))]
    assert found == [Path(gdl.__file__)]


def test_the_workflow_runs_the_commands_of_the_readme():
    commands = re.findall(r"^python3 -m venv .*", README, re.MULTILINE)
    assert len(commands) == 2
    text = (GITHUB / "workflows" / "tests.yml").read_text(encoding="utf-8")
    on_windows = [c.replace("python3 -m", "python -m").replace(".venv/bin/", ".venv/Scripts/") for c in commands]
    assert re.findall(r"^ +run: (.*)", text, re.MULTILINE) == [*commands, *on_windows]
    project: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = {c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r"Python :: 3\.\d+$", c)}
    assert set(re.findall(r'"(3\.\d+)"', text)) == told
    assert {"ubuntu-latest", "macos-latest", "windows-latest"} <= set(re.findall(r"[\w-]+-latest", text))


def test_the_site_is_published_as_the_manual_writes_it():
    page = ROOT / "gdl/wings/page/docs/in-the-browser.md"
    if not page.exists():
        pytest.skip("the wing of pages is not installed")
    told = re.findall(r"^    ((?:npm|gdl) .*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    text = (GITHUB / "workflows" / "site.yml").read_text(encoding="utf-8").replace("--silent ", "")
    (npm,) = [line for line in told if line.startswith("npm")]
    assert npm in text and "gdl site -o site --playground npm" in text and "path: site\n" in text
