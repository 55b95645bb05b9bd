"""gdl --version: what is installed, and what is missing with the command that installs it."""

import json
import platform
import sys
import tomllib
from contextlib import redirect_stdout
from importlib import metadata
from io import StringIO
from typing import Any

import pytest
from click.testing import CliRunner
from installed import without_module
from places import ROOT

import gdl
from gdl.commands import cli, versions
from gdl.compiler import wasm

PROJECT: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def told() -> list[str]:
    result = CliRunner().invoke(cli.commands, ["--version"])
    assert result.exit_code == 0
    return [line for line in result.stdout.splitlines() if not line.startswith("kept ")]  # which a wing tells


def test_python_the_engine_and_the_extras_are_told():
    lines = told()
    assert lines[0] == f"gdl, version {gdl.__version__}"
    assert lines[1].startswith(f"python      {platform.python_version()} (")
    assert [line.split()[0] for line in lines[1:]] == ["python", "engine", *versions.EXTRAS]
    if wasm.available():
        assert lines[2] == f"engine      wasmtime {metadata.version('wasmtime')}"


def test_the_same_as_json():
    result = CliRunner().invoke(cli.commands, ["--version", "--json"])
    found = json.loads(result.stdout)
    told_alike = {"python": found["python"], "engine": found["engine"], **found["extras"]}
    assert found["version"] == gdl.__version__
    assert [line.split(maxsplit=1) for line in told()[1:]] == [list(row) for row in told_alike.items()]


def test_without_a_command_or_version_there_is_nothing_as_json():
    result = CliRunner().invoke(cli.commands, ["--json", "games"])
    assert result.exit_code == 2
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], problem["message"].partition(",")[0]) == (
        "options-clash", "--json comes after the command",
    )  # fmt: skip


def test_the_version_stands_in_one_place():
    """In gdl/__init__.py: what is built from pyproject.toml has it from there."""
    metadata_of = pytest.importorskip("hatchling.metadata.core")
    manager = pytest.importorskip("hatchling.plugin.manager")
    assert "version" not in PROJECT and PROJECT["dynamic"] == ["version"]
    assert metadata_of.ProjectMetadata(str(ROOT), manager.PluginManager()).version == gdl.__version__


def test_the_lines_of_the_changelog_are_short():
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert max(map(len, log.splitlines())) <= 120


def test_what_is_missing_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    way = f"{sys.executable} -m pip install"
    monkeypatch.setattr(sys, "path", [str(ROOT)])  # no packages, and so no metadata of them
    with without_module("wasmtime"):
        engine, *extras = told()[2:]
    said = "the compiled one runs as Python, which is slow; wasmtime is missing"
    assert engine == f"engine      {said}: {way} wasmtime"
    assert extras == [f"{extra:11} missing: {way} 'gdl[{extra}]'" for extra in versions.EXTRAS]


def test_the_extras_are_those_that_can_be_installed():
    extras = PROJECT["optional-dependencies"]
    assert set(extras) - {"test", "all"} == set(versions.EXTRAS)
    for extra, library in versions.EXTRAS.items():
        assert extras[extra][0].partition(">=")[0] == library
    assert extras["all"] == ["gdl[lp,lsp,manual,pictures]"]  # the others are for programs that have their libraries


@pytest.mark.parametrize(
    ("system", "machine", "wanted"),
    [
        ("linux", "x86_64", True), ("linux", "aarch64", True), ("darwin", "arm64", True), ("darwin", "x86_64", True),
        ("win32", "AMD64", True), ("win32", "ARM64", True), ("emscripten", "wasm32", False), ("linux", "riscv64", False),
        ("linux", "armv7l", False), ("win32", "x86", False), ("freebsd14", "amd64", False),
    ],
)  # fmt: skip
def test_wasmtime_is_installed_where_it_has_wheels(system: str, machine: str, wanted: bool):
    packaging = pytest.importorskip("packaging.requirements")
    (line,) = [line for line in PROJECT["dependencies"] if line.startswith("wasmtime")]
    marker = packaging.Requirement(line).marker
    assert marker.evaluate({"sys_platform": system, "platform_machine": machine}) == wanted


def test_the_manual_is_plain_text_without_rich():
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    with without_module("rich"), redirect_stdout(Terminal()) as shown:
        cli.commands(["guide", "how-it-works"], standalone_mode=False)
    assert "# How it works" in shown.getvalue()
