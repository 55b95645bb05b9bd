"""Go and hex in Smart Game Format: files of others, ours, and damaged ones."""

import random

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.errors import GameError
from gdl.interpreter.position import text_of
from gdl.wings.arena import play_records, sgf
from gdl.wings.arena.records import PlayRecord

GO = "(;GM[1]FF[4]SZ[5]KM[2.5]PB[Ann \\] x]PW[Bob]C[a ( remark ; \\] ]\n;B[aa]C[x];W[eb](;B[tt];W[])(;B[bb];W[cc]))"
HEX = "(;GM[11]SZ[4];W[a1];B[d4])"


def test_points_are_seen_from_the_top():
    found = play_records.read_stones(GO, "x.sgf")
    assert found.game == "go" and dict(found.settings) == {"columns": "5", "rows": "5", "komi": "5/2"}
    assert found.actions == ("a5", "e4", "pass", "pass")
    assert found.who == {"Black": "Ann ] x", "White": "Bob"}


def test_in_hex_whoever_moves_first_is_the_first():
    found = play_records.read_stones(HEX, "x.sgf")
    assert found.game == "hex" and found.actions == ("a1", "d4")


def board_after(text: str) -> tuple[list[str], str, int]:
    """The rows of the board behind a file's last move, who moves then, and how many moves it has."""
    found = play_records.read_stones(text, "x.sgf")
    game = gdl.load(found.game, settings=found.settings, position=found.position)
    state = game.initial()
    for action in found.actions:
        state = game.successor(state, action)
    rows, mover, *_ = text_of(game.model, state).split()
    return rows.split("/"), mover, len(found.actions)


SET_UP = [  # a file, the board's rows from the top (X is Black), who moves, and how many moves there were
    ("(;SZ[3]AB[aa][cb]AW[bc])", "X.. ..X .O.", "X", 0),
    ("(;SZ[3]HA[2]AB[aa][cc])", "X.. ... ..X", "O", 0),
    ("(;SZ[3]HA[2]AB[aa][cc];W[ba];B[bb])", "XO. .X. ..X", "O", 2),
    ("(;SZ[3]HA[0]AB[aa];B[bb])", "X.. .X. ...", "O", 1),
    ("(;SZ[3]AB[aa]PL[W])", "X.. ... ...", "O", 0),
    ("(;SZ[3]HA[2]AB[aa][bb]PL[B])", "X.. .X. ...", "X", 0),
    ("(;SZ[4:3]AB[aa:dc]AE[bb:cc]AW[cc])", "XXXX X..X X.OX", "X", 0),
    ("(;SZ[3];AB[aa];AW[bb];AE[aa];W[cc])", "... .O. ..O", "X", 1),  # in nodes before the first move
    ("(;SZ[3]AB[ba]AW[aa];B[ab])", ".X. X.. ...", "O", 1),  # a set-up stone is taken
    ("(;SZ[3];W[aa];B[bb])", "O.. .X. ...", "O", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows", "mover", "moves"), SET_UP)
def test_stones_that_are_set_up_stand_there(text, rows, mover, moves):
    assert board_after(text) == (rows.split(), mover, moves)


@pytest.mark.parametrize("stones", range(2, 10))
def test_handicaps_are_read(stones):
    points = ["dp", "pd", "dd", "pp", "jj", "dj", "pj", "jd", "jp"][:stones]
    rows, mover, moves = board_after(f"(;GM[1]HA[{stones}]KM[0.5]AB{''.join(f'[{p}]' for p in points)};W[cc])")
    letters = "abcdefghijklmnopqrs"
    assert {f"{letters[x]}{letters[y]}" for y, row in enumerate(rows) for x in range(19) if row[x] == "X"} == set(
        points
    )
    assert (mover, moves, rows[2][2]) == ("X", 1, "O")


@pytest.mark.parametrize(
    ("record", "parts"),
    [
        (PlayRecord("go", {"columns": "3", "rows": "4"}, actions=("a1", "c4", "pass", "pass")), ("SZ[3:4]", ";B[ad];W[ca];B[];W[]", "RE[0]")),
        (PlayRecord("go", {"columns": "3", "rows": "3", "komi": "1/2"}, actions=("b2", "pass", "pass")), ("KM[0.5]", "RE[B+8.5]")),
        (PlayRecord("hex", {"n": "2"}, who={"Red": "a]b"}, actions=("a1", "b2", "a2")), ("GM[11]", "PB[a\\]b]", "SZ[2]")),
    ],
)  # fmt: skip
def test_what_is_written_is_read(record, parts):
    text = play_records.write_stones(record)
    assert all(part in text for part in parts)
    found = play_records.read_stones(text, "x.sgf")
    assert found.actions == record.actions and found.game == record.game


def test_of_many_games_one_is_read():
    many = f"{GO}\n{HEX} (;SZ[3];B[bb])\n"
    assert [sgf.read(many, "x.sgf", which).more for which in (1, 2, 3)] == [True, True, False]
    assert play_records.read_stones(many, "x.sgf", 2).actions == ("a1", "d4")
    assert play_records.read_stones(many, "x.sgf", 3).actions == ("b2",)
    with pytest.raises(GameError, match=r"x\.sgf has no game 4"):
        sgf.read(many, "x.sgf", 4)


def test_a_game_ends_with_its_last_variation():
    assert sgf.read("(;B[aa](;W[bb])(;W[cc]))", "x.sgf").more is False
    second = sgf.read("(;B[aa](;W[bb]))(;B[cc](;W[dd]))", "x.sgf", 2)
    assert [one.values for one in second.properties] == [("cc",), ("dd",)]


@pytest.mark.parametrize(("text", "place"), [("(;B[bb] ", 6), ("(", 0)])
def test_a_game_that_is_not_closed_is_told_at_its_end(text, place):
    with pytest.raises(GameError) as wrong:
        sgf.read(text, "x.sgf")
    assert wrong.value.problems[0].span.start == place


WRONG = {
    "(;GM[1]SZ[5];B[aa];W[aa])": "1:20: error: 'aa' is not legal here",
    "(;GM[1]SZ[5];B[aa];B[bb])": "1:20: error: it is the turn of W",
    "(;GM[1]SZ[5];B[zz])": "'zz' is not legal here",
    "(;GM[1]SZ[50];B[aa])": "no board has the size '50'",
    "(;GM[1]SZ[x];B[aa])": "no board has the size 'x'",
    "(;GM[2]SZ[5];B[aa])": "1:3: error: this is the game of the number 2",
    "(;GM[11]SZ[5]AB[a1];W[b2])": "1:14: error: stones are set by AB",
    "(;GM[1]SZ[5];B[aa];AW[bb];W[cc])": "1:20: error: a position is set up by AW after a move",
    "(;GM[1]SZ[5];B[aa];PL[W])": "a position is set up by PL after a move",
    "(;GM[1]SZ[5]AB[af])": "1:13: error: 'af' is no point of this board",
    "(;GM[1]SZ[5]AW[fa])": "'fa' is no point of this board",
    "(;GM[1]SZ[5]AE[])": "'' is no point of this board",
    "(;GM[1]SZ[5]AB[aa:tt])": "'aa:tt' is no point of this board",
    "(;GM[1]SZ[5]AB[aa]PL[q])": "'q' is no player",
    "(;GM[1]SZ[5]PL[W];B[bb])": "it is the turn of W",
    "(;GM[1]SZ[5]HA[2];W[aa])": "1:13: error: a handicap of 2 without its stones",
    "(;GM[1]SZ[5]AB[aa];W[aa])": "'aa' is not legal here",
    "(;GM[1]SZ[5]KM[1/0];B[bb])": "'1/0' is no number",
    "(;GM[1]SZ[5];B[bb]": "the game is not closed",
    "(;GM[1]SZ[5];B[bb": "'[' does not belong here",
    "(;GM[11]SZ[3];B[a1];W[swap-pieces])": "'swap-pieces' is not legal here",
    "(;B[aa][bb])": "'aa' is not legal here",
    "(;;[aa])": "a value without its property",
    "(" * 20_000: "more than 10,000 variations",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_place(text):
    with pytest.raises(GameError) as wrong:
        play_records.read_stones(text, "x.sgf")
    assert WRONG[text] in str(wrong.value) and "[sgf-file]" in str(wrong.value) and "^" in str(wrong.value)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_told_and_nothing_else(seed):
    dice = random.Random(seed)
    at = dice.randrange(len(GO))
    text = (
        GO[:at] + dice.choice(["", "(", ")", "[", "]", ";", "\\", "SZ[2]", "B[", "\0"]) + GO[at + dice.randrange(3) :]
    )
    try:
        play_records.read_stones(text, "x.sgf")
    except GameError as wrong:
        assert wrong.problems


def test_which_file_is_meant():
    assert sgf.is_sgf(GO) and sgf.is_sgf("  (; FF[4])")
    assert not any(map(sgf.is_sgf, ("(role x)", "", "players A, B", '[game "go"]', "1. e4")))
    assert play_records.is_other(GO) and play_records.is_other("1. e4 e5")


def test_commands_read_and_write_them(tmp_path):
    file, kept = tmp_path / "a.sgf", tmp_path / "b.sgf"
    file.write_text(GO, encoding="utf-8")
    shown = CliRunner().invoke(cli.commands, ["show", str(file)], prog_name="gdl")
    assert "The game is over" in shown.stdout
    CliRunner().invoke(
        cli.commands, ["play", "hex", "--set", "n=2", "--seed", "1", "--save", str(kept)], input="a1\nquit\n"
    )
    assert ";B[a1]" in kept.read_text()
    refused = CliRunner().invoke(cli.commands, ["play", "nim", "--save", str(kept)], input="quit\n")
    assert refused.exit_code == 2 and "for go and hex" in refused.stderr
