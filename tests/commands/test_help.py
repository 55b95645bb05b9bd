"""Help: a screen for each command, every option with --help-all, the first lines of `gdl` alone."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.commands.command_table import COMMANDS
from gdl.commands.help_pages import GROUPS
from gdl.commands.solver_options import SolverCommand
from gdl.solvers import SOLVERS

LINES = 45  # of the help of a command, in a terminal of 80 columns


def run(*words: str) -> str:
    result = CliRunner().invoke(commands, words, terminal_width=80, prog_name="gdl")
    assert result.exit_code == 0, result.output
    return result.output


def options_told(help: str) -> list[str]:
    rows = re.split(r"^(?:Options|Where).*:\n", help, maxsplit=1, flags=re.MULTILINE)[-1]
    return re.findall(r"^  (?:-\w, )?(--?[\w-]+)", rows, re.MULTILINE)


@pytest.mark.parametrize("name", [*COMMANDS])
def test_help_is_a_screen_and_help_all_has_every_option_once(name: str):
    short, whole = run(name, "--help"), run(name, "--help-all")
    assert len(short.splitlines()) <= LINES
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    if isinstance(command, SolverCommand):
        command.take_all()
    wanted = [{*one.opts} for one in command.params if isinstance(one, click.Option) and not one.hidden]
    told = options_told(whole)
    assert all(len(words & {*told}) == 1 for words in wanted) and len(told) == len({*told}) == len(wanted) + 1
    assert {*options_told(short)} <= {*told, "--help-all"}
    assert ("--help-all" in short) == ({*options_told(short)} - {"--help-all"} != {*told})


def test_options_stand_in_groups_and_those_of_a_named_solver_in_their_own():
    headings = re.findall(r"^(\S.*):$", run("solve", "--help"), re.MULTILINE)
    assert headings == ["Options", *(one for one in GROUPS if one != "Who does the work")]
    named = run("solve", "--solver", "alpha-beta", "--help")
    own = named.partition("Options of alpha-beta:\n")[2].partition("\n\n")[0]
    assert {*options_told(own)} == {f"--{name}" for name in SOLVERS["alpha-beta"].options} - {
        "--depth",
        "--nodes",
        "--time",
    }
    assert "(alpha-beta" not in named and "(alpha-beta" in " ".join(run("solve", "--help-all").split())


def test_gdl_alone_has_a_line_for_each_who_begins():
    lines = run().splitlines()
    rows = [row.first_line for row in COMMANDS.values() if row.first_line]
    assert len(rows) >= 4
    for who, typed in rows:
        assert any(line.split("  ")[1] == who and line.endswith(typed) for line in lines if line.startswith("  "))
        assert typed.split()[1] in COMMANDS
