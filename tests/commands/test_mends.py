"""Mends for words of other programs name commands and options that there are."""

import re
from pathlib import Path

import pytest
from click import Context
from click.testing import CliRunner
from places import missing_wings

from gdl.commands import mends
from gdl.commands.cli import commands
from gdl.concepts import CONCEPTS
from gdl.solvers import SOLVERS
from gdl.wings import WORDS

ROWS = list(mends.mend_rows())
THERE = {"gdl", *commands.list_commands(Context(commands))}
OF_COMMANDS = [(name, mend) for names, _, mend in ROWS for name in names if name in THERE]


def options_of(name: str) -> set[str]:
    """The options of a command, or of gdl itself, as its help lists them; those of solvers are added when it runs."""
    told = CliRunner().invoke(commands, ["--help"] if name == "gdl" else [name, "--help-all"])
    told = told if told.exit_code == 0 else CliRunner().invoke(commands, [name, "--help"])
    assert told.exit_code == 0, name
    return {*re.findall(r"(?<![\w-])--?[a-z]+\b", told.output)}


@pytest.mark.parametrize(("name", "mend"), OF_COMMANDS)
def test_a_mend_names_options_of_its_command(name: str, mend: str) -> None:
    for part in re.split(r"; |, and ", mend):
        if missing_wings() and "gdl" in part:
            continue
        named = re.search(r"\bgdl ([a-z]+)\b", part)
        there = options_of(named[1] if named else name)
        assert set(re.findall(r"(?<![\w-])--?[a-z]+\b", part)) <= there | options_of("gdl"), part


def test_other_names_of_solvers_are_names_of_solvers() -> None:
    others = {word: mend for names, words, mend in ROWS if "--solver" in names for word in words}
    assert others and set(others.values()) <= {*SOLVERS}
    assert not {*others} & {*SOLVERS}, "what is a solver needs no mend"


def test_other_names_of_concepts_are_names_of_concepts() -> None:
    others = {word: mend for names, words, mend in ROWS if "--concept" in names for word in words}
    assert others and set(others.values()) <= {
        *CONCEPTS,
        *(name for words in WORDS.values() for name in words.concepts),
    }
    assert not {*others} & {*CONCEPTS}, "what is a concept needs no mend"
    told = CliRunner().invoke(commands, ["solve", "prisoners", "--concept", "Subgame_Perfection"])
    assert "Did you mean 'subgame-perfect'?" in told.output


def test_a_word_before_a_file_is_no_game_of_a_like_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.game").write_text("players A, B\ntree A(1, 2)")
    assert "gdl solve" not in CliRunner().invoke(commands, ["tabl", "mine.game"]).output
    assert "gdl solve tablut" in CliRunner().invoke(commands, ["tabl"]).output


@pytest.mark.parametrize(
    "file", ["folder", "broken.efg", "bytes.game", "none.game", pytest.param("huge.game", marks=pytest.mark.thorough)]
)
def test_a_file_that_is_no_game_leaves_the_option_told(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.efg").write_text('EFG 2 R "x" { "A" "B" }\nbroken')
    (tmp_path / "bytes.game").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "huge.game").write_text("players A, B\ntree A(" + "A(" * 20_000)
    done = CliRunner().invoke(commands, ["solve", file, "--stones", "3"])
    assert done.exit_code == 2 and "No such option '--stones'" in done.output


def test_what_could_steer_a_terminal_is_not_repeated() -> None:
    done = CliRunner().invoke(commands, ["draw", "nim", "a\x1b[31mb.png"], color=True)
    assert done.exit_code == 2 and "\x1b" not in done.output


def test_a_game_that_is_there_is_no_file_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.game").write_text("players A, B\ntree A(1, 2)")
    assert "write -o" not in CliRunner().invoke(commands, ["draw", "mine.game", "mine.game"]).output
    assert "write -o tree.svg" in CliRunner().invoke(commands, ["draw", "mine.game", "tree.svg"]).output


def test_a_file_is_found_with_a_letter_wrong_in_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.game", "minimax.game"):
        (tmp_path / name).write_text("players A, B\ntree A(1, 2)")
    assert "write 'mine.game'" in CliRunner().invoke(commands, ["solve", "mine.gmae"]).output
    assert "write 'minimax.game'" in CliRunner().invoke(commands, ["solve", "minimax"]).output


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (["solve", "nim", "3,4,5"], "write --set NAME=3,4,5"),
        (["solve", "nim", "--set", "heaps=3", "4", "5"], "write --set heaps=3,4,5"),
        (["solve", "nim", "prisoners"], "one game at a time"),
        (["solve", "nim", "-s", "minimax"], "write --solver NAME"),
        (["solve", "tic_tac_toe", "--players", "3"], "--set NAME=VALUE sets a parameter"),
    ],
)
def test_what_does_not_fit_is_told_with_its_mend(words: list[str], mend: str) -> None:
    assert mend in CliRunner().invoke(commands, words).output
