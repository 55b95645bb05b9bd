"""gdl new, and what a shell completes."""

import shlex
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import gdl
from gdl import wings
from gdl.commands import cli
from gdl.commands.command_table import COMMANDS, foreign_commands
from gdl.commands.making import BEGINNING
from gdl.inspection.findings import inspect
from gdl.wings import WORDS


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, arguments, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output


# ---- gdl new ------------------------------------------------------------------------------------------------------


def checked(file: Path) -> None:
    assert inspect(gdl.described(file.read_text(), file.name, file.parent), gdl.play).problems == ()


def test_a_new_game_is_fine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "gdl check my_game.game" in run("new", "my_game")
    checked(tmp_path / "my_game.game")
    assert 'game "My game"' in (tmp_path / "my_game.game").read_text()
    assert "2 expectations, all hold" in run("test", "my_game.game")


def test_a_name_with_a_blank_can_be_copied_into_the_next_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "my game").startswith("'my game.game' is written. Next: gdl check 'my game.game', ")


@pytest.mark.thorough_of("crazyhouse")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("base", ["nim", "prisoners", "figure_5_2", "crazyhouse", "kuhn"])
def test_a_copy_of_a_game_is_that_game(tmp_path, base: str):
    run("new", str(tmp_path / "copy"), "--from", base)
    copy = gdl.load(tmp_path / "copy.game")
    assert copy.name == "Copy"
    assert (copy.players, copy.traits) == (gdl.load(base).players, gdl.load(base).traits)


def test_nothing_is_written_over(tmp_path):
    file = tmp_path / "mine.game"
    file.write_text("mine")
    assert "is there already" in run("new", str(file), status=2)
    assert file.read_text() == "mine"


@pytest.mark.parametrize("name", ["nowhere/mine", "folder/", ".game"])
def test_a_name_that_is_none(tmp_path, monkeypatch, name: str):
    monkeypatch.chdir(tmp_path)
    run("new", name, status=2)
    assert list(tmp_path.iterdir()) == []


def test_titles_cannot_break_the_text(tmp_path):
    run("new", str(tmp_path / 'a"b{c}'))
    checked(tmp_path / 'a"b{c}.game')


def test_a_copy_of_what_is_made_from_files_beside_it_is_refused(tmp_path):
    (tmp_path / "base.game").write_text(BEGINNING.replace("{title}", "Base"))
    (tmp_path / "made.game").write_text('game "Made" from "base.game"\n')
    assert "--source" in run("new", str(tmp_path / "copy"), "--from", str(tmp_path / "made.game"), status=2)


# ---- Completion ---------------------------------------------------------------------------------------------------


def completed(line: str) -> list[str]:
    """The completions of a command line, whose last word is incomplete."""
    *words, last = f"{line}|".split(" ")
    complete = ShellComplete(cli.commands, {}, "gdl", "_GDL_COMPLETE")
    return [item.value for item in complete.get_completions(words[1:], last.removesuffix("|")) if item.type == "plain"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gdl sol", ["solve", "solvers"]),
        ("gdl solve tic", ["tic_tac_toe"]),
        ("gdl check tic", ["tic_tac_toe"]),
        ("gdl solve nim --solver alpha", ["alpha-beta"]),
        ("gdl solve nim --variant ", ["misere"]),
        ("gdl solve nim --set ", ["heaps="]),
        ("gdl show chess --position k", ["kiwipete"]),
        ("gdl solve kuhn --concept sub", ["subgame-perfect"]),
        ("gdl solve nim --simul", ["--simulations"]),
        ("gdl explain nim --simul", []),
        ("gdl solve nim --solver alpha-beta --simul", []),
        ("gdl solve nim --solver mcts --c", ["--concept", "--c"]),
        ("gdl solve nim --c", ["--concept", "--cut", "--c"]),
        ("gdl solvers mc", ["mcts"]),
        ("gdl guide exp", ["expect", "expressions", "expect-equals", "expect-quantity", "expect-answer"]),
        ("gdl guide forall", ["forall"]),
        ("gdl new mine --from tic", ["tic_tac_toe"]),
        ("gdl solve nosuch --variant ", []),
        ("gdl solve - --variant ", []),
    ],
)
def test_a_shell_is_offered(line: str, offered: list[str]):
    assert completed(line)[: len(offered) or 1] == offered


# ---- Help ---------------------------------------------------------------------------------------------------------


def test_every_help_has_an_example():
    for name, row in COMMANDS.items():
        assert f"Example: {row.example.partition(' && ')[0][:40]}" in " ".join(run(name, "--help").split())


ELSEWHERE = ("learn", "step", "play", "format", "engine", "ugi")
QUICK = [
    row.example for name, row in COMMANDS.items() if name not in ELSEWHERE and wings.owner("commands", name) is None
]


@pytest.mark.thorough_of("gdl solve tic_tac_toe --json")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("line", QUICK)
def test_examples_work(tmp_path, monkeypatch, line: str):
    monkeypatch.chdir(tmp_path)
    run(*shlex.split(line)[1:])


@pytest.mark.parametrize("word", foreign_commands())
def test_words_of_other_programs_are_understood(word: str):
    assert word not in COMMANDS
    told = " ".join(run(word, status=2).split())
    of_wings = [command for words in WORDS.values() for command in words.commands]  # also of those that are not here
    for part in foreign_commands()[word].split("gdl ")[1:]:
        assert part.split()[0] in [*COMMANDS, *of_wings, "--help"]
    assert " ".join(foreign_commands()[word].split()) in told
