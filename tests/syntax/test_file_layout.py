"""`gdl format`: one layout, that of itself, with every word and comment in its place and the meaning unchanged."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT

import gdl
from gdl.commands import cli
from gdl.errors import GameError
from gdl.model.fingerprint import fingerprint
from gdl.syntax.layout import laid_out

GAMES = sorted(ROOT.glob("games/**/*.game"))


def one_layout(written: str, wanted: str) -> None:
    assert laid_out(written) == wanted
    assert laid_out(wanted) == wanted


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_the_games_that_come_with_gdl_stand_in_the_layout(file: Path):
    text = file.read_text(encoding="utf-8")
    assert laid_out(text) == text


@pytest.mark.thorough
@pytest.mark.parametrize("each", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_every_file_of_the_tests_keeps_its_meaning_and_is_laid_out_once(each: int):
    looked_at = 0
    for file in sorted(ROOT.glob("tests/**/*.game"))[::each]:
        try:
            found = laid_out(file.read_bytes().decode(errors="replace"), file.name)  # compares what is read itself
        except GameError:
            continue
        looked_at += 1
        assert laid_out(found) == found, file.name
    assert looked_at > 300 // each


def untidy(text: str, random: random.Random) -> str:
    """The text with other blanks: deeper blocks, wide gaps, blanks at the ends of lines, and empty lines."""
    lines = []
    step = random.choice([1, 2, 3, 7])
    picture = 0  # how far the section of a picture is indented, from 1
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        rest = line.strip()
        if rest and indent < picture:
            picture = 0
        drawn = bool(picture)
        if re.match(r"(setup|notation|matrix|tree)\b", rest):
            picture = indent + 1
        if not drawn and not picture and rest and not rest.startswith("#"):
            code, sign, comment = rest.partition("#") if '"' not in rest else (rest, "", "")
            code = re.sub(r" (?! )", lambda _: " " * random.choice([1, 1, 2, 5]), code) if '"' not in code else code
            rest = code + sign + comment
        lines.append(" " * (indent * step) + rest + random.choice(["", "  "]))
        lines += [""] * random.choice([0, 0, 0, 2]) if not rest else []
    return "\n".join(lines)


@pytest.mark.thorough_of("chess-2")
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 12), marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("name", ["chess", "kuhn", "othello", "yahtzee", "hex", "backgammon", "liars_dice"])
def test_an_untidy_file_means_the_same_and_gets_the_same_layout_twice(name: str, seeds: range):
    text = gdl.shipped()[name].read_text(encoding="utf-8")
    meant = fingerprint(gdl.loads(text).model)
    for seed in seeds:
        found = laid_out(untidy(text, random.Random(seed)))
        assert laid_out(found) == found
        assert fingerprint(gdl.loads(found).model) == meant


def test_blanks_inside_lines():
    one_layout(
        'game "G"( n=3 )\nplayers A ,B\nstate\n x:0..9=0\naction go( k :1 .. 3 )as "{k}" when x+ -k>=- 1*2 and(x!=0 or x=0)\n'
        " x:=min( x+k,9 )\nterminal\n x=9->win A\n",
        'game "G" (n = 3)\nplayers A, B\nstate\n    x: 0..9 = 0\n'
        'action go(k: 1..3) as "{k}" when x + -k >= -1 * 2 and (x != 0 or x = 0)\n    x := min(x + k, 9)\n'
        "terminal\n    x = 9 -> win A\n",
    )


def test_comments_keep_their_column_where_it_is_free():
    one_layout(
        "#  about\n\n\n\nplayers A, B # two\ntree # here\n  # inside\n  A(1, 2)          # far\n  #last",
        "#  about\n\nplayers A, B  # two\ntree  # here\n    # inside\n    A(1, 2)        # far\n    #last\n",
    )


def test_a_matrix_stands_in_columns():
    one_layout(
        "players A, B\nmatrix\n  l r\n up (1,-10) (0,2)\n down (-3,0)  (1/2, 1)\n",
        "players A, B\nmatrix\n            l          r\n    up      ( 1, -10)  (  0, 2)\n    down    (-3,   0)  (1/2, 1)\n".replace(
            ")  (", ")   ("
        ).replace("l          r", "l           r"),
    )
    one_layout(
        "players A, B\nmatrix\n  heads tails\n heads 1 -1\n tails -1 1\n",
        "players A, B\nmatrix\n             heads   tails\n    heads        1      -1\n    tails       -1       1\n",
    )


def test_what_goes_on_keeps_its_distance():
    one_layout(
        "players A, B\ntree\n A(1,\n   2,\n   B(3, 4))\n",
        "players A, B\ntree\n    A(1,\n      2,\n      B(3, 4))\n",
    )


def test_line_ends_and_tabs_are_those_of_the_layout():
    one_layout("players A, B\r\ntree\r\n\tA (1, 2)\r\n", "players A, B\ntree\n    A (1, 2)\n")


def test_a_picture_stays_as_it_is_drawn():
    text = "players A, B\nboard S = grid(2, 2)\nstate\n    m[S]: Player?\nsetup m\n  a = A,  b = B\n  a   b\n  .   .\n"
    assert "    a = A,  b = B\n    a   b\n    .   .\n" in laid_out(text)


def run(*words: str, input: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(cli.commands, ["format", *words], input=input, prog_name="gdl")
    return done.exit_code, done.output


def test_the_command_writes_in_place_and_says_what_it_did(tmp_path: Path):
    good, untidy, wrong = tmp_path / "good.game", tmp_path / "untidy.game", tmp_path / "wrong.game"
    good.write_text("players A, B\ntree A(1, 2)\n")
    untidy.write_text("players A,B\ntree A( 1,2 )")
    wrong.write_text("players A, B\ntree A(1, 2\n")
    assert run(str(untidy), "--check") == (1, f"{untidy}\n1 file, 1 of them to be laid out\n")
    status, told = run(str(untidy), "--diff")
    assert status == 0 and "-tree A( 1,2 )\n+players A, B\n+tree A(1, 2)" in told
    assert untidy.read_text() == "players A,B\ntree A( 1,2 )"
    status, told = run(str(tmp_path))
    assert status == 3 and "never closed" in told and "3 files, 1 of them laid out" in told
    assert untidy.read_text() == good.read_text() == "players A, B\ntree A(1, 2)\n"
    assert wrong.read_text() == "players A, B\ntree A(1, 2\n"
    assert run(str(good), "--check")[0] == 0


def test_the_standard_input_is_printed_and_a_shipped_game_is_not_touched():
    assert run("-", input="players A,B\ntree A( 1,2 )") == (0, "players A, B\ntree A(1, 2)\n")
    assert run("-", "--check", input="players A,B\ntree A( 1,2 )")[0] == 1
    status, told = run("kuhn")
    assert status == 2 and "comes with gdl" in told
