"""The modules that the commands import before they do anything: nothing heavy, and no more than they use."""

import json
import subprocess
import sys

import pytest
from places import ROOT

from gdl.syntax import tables
from gdl.wings import WORDS

HEAVY = ["networkx", "numpy", "rich", "highspy", "matplotlib", "wasmtime"]

RUN = """
import sys
sys.argv = ["gdl", *{arguments!r}]
from gdl.commands import cli
try:
    cli.commands(prog_name="gdl")
except SystemExit as end:
    assert not end.code, end.code
print("IMPORTED", *sorted(sys.modules))
"""


def imported(*arguments: str) -> set[str]:
    """The modules that are there when the command is done."""
    code = RUN.format(arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    _, imported, modules = done.stdout.rpartition("IMPORTED")
    assert imported
    return set(modules.split())


def stored_tables_are_of_this_grammar() -> bool:
    stored = tables.FOLDER / tables.FILE
    return stored.is_file() and json.loads(stored.read_text(encoding="utf-8"))["grammar"] == (
        tables.FOLDER / "grammar.lark"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments", [("check", "prisoners"), ("check", "kuhn"), ("solve", "prisoners"), ("solve", "nim")], ids=" ".join
)
def test_nothing_heavy(arguments: tuple[str, ...]):
    assert not imported(*arguments) & set(HEAVY)


def test_check_needs_no_solver_and_no_picture():
    modules = imported("check", "kuhn")
    assert not [name for name in modules if name.startswith(("solvers", "gdl.solvers"))]
    assert not [name for name in modules if name.startswith("gdl.render")]


def test_help_needs_no_language():
    modules = imported("--help")
    assert "lark" not in modules
    assert {name for name in modules if name.split(".")[0] == "gdl"} <= {
        "gdl", "gdl.commands.cli", "gdl.errors", "gdl.errors.courtesy", "gdl.errors.screen", "gdl.errors.limits", "gdl.commands", "gdl.commands.ctrl_c",
        "gdl.commands.progress", "gdl.commands.console", "gdl.commands.command_table", "gdl.wings", "gdl.record",
        *(f"gdl.wings.{name}{part}" for name in WORDS for part in ("", ".wing")),
    }  # fmt: skip


def test_a_matrix_needs_no_engine_for_rules():
    assert "gdl.interpreter.rules_game" not in imported("solve", "prisoners")


@pytest.mark.slow
def test_start_up_keeps_its_budget():
    from bench.startup import BUDGETS, measure

    if not stored_tables_are_of_this_grammar():
        pytest.skip("the parser's tables are built anew at every start, until the package is installed again")
    bare, found = measure(9, BUDGETS)
    assert {command: anew for command, (anew, _) in found.items() if anew > BUDGETS[command] * bare} == {}
