"""GTP: what a program for go or hex says, and is answered."""

from types import SimpleNamespace

import gdl
from gdl.interpreter.position import begin_at
from gdl.wings.arena.go_protocol import GtpSession


def talk(game: str, *lines: str, point: str = "") -> list[str]:
    """The answers; whoever finds moves plays `point`, or the last legal action, and the limits asked for are added."""
    said: list[str] = []

    def begin(settings):
        loaded = gdl.loads(*gdl.read(game), settings=settings)

        def move(game, state, wanted, tell):
            said.append(f"{wanted.seconds:g} s" if wanted.seconds else "no limit")
            return point or game.node(state).actions[-1]

        def start(position):
            return gdl.play(loaded.model if position is None else begin_at(loaded.model, position))

        thinker = SimpleNamespace(start=start, move=move)
        return thinker, {name: str(value) for name, value in loaded.model.parameters.items()}

    session = GtpSession(begin, said.append, "x", "1")
    goes_on = [session.hear(line) for line in lines]
    assert all(goes_on[:-1]) and goes_on[-1] == ("quit" not in lines[-1])
    return [answer.rstrip("\n") for answer in said]


def test_numbers_remarks_and_what_is_unknown():
    assert talk("go", "1 protocol_version", "# nothing", "", "\x07name # x", "7 foo", "known_command play", "3 quit") == [
        "=1 2", "= x", "?7 unknown command", "= true", "=3",
    ]  # fmt: skip


def test_a_game_of_go():
    """Points skip the letter I; who moves twice lets the other pass; komi and size are parameters of the game."""
    begin = ("boardsize 5", "komi 2.5", "play b C3", "play b C4", "play w c4", "undo")
    moves = ("genmove w", "play B pass", "showboard", "final_score", "komi 30.5", "final_score", "play w a1")
    board = "\n5 . . . . .\n4 . . . . .\n3 . . B . .\n2 . . . . .\n1 . . . . .\n  a b c d e\nko = none\npasses = 2"
    assert talk("go", *begin, *moves, *["undo"] * 4) == [
        *["="] * 4, "? illegal move", "=", "no limit", "= pass", "=", f"= {board}", "= B+22.5", "=", "= W+5.5",
        *["="] * 5,
    ]  # fmt: skip


def test_play_goes_on_after_passes_where_dead_stones_are_captured():
    lines = ("boardsize 2", "play b a1", "play w pass", "play b pass", "genmove w", "showboard", "final_score")
    said = talk("go", *lines, "undo", "final_score", "final_status_list dead", "final_status_list alive", point="b2")
    board = "\n2 . W\n1 B .\n  a b\nko = none\npasses = 0"
    assert said[4:] == [
        "no limit", "= B2", f"= {board}", "? the game is not over", "=", "= B+4", "=", "? all stones that stand are alive",
    ]  # fmt: skip
    hexagons = ("boardsize 2", "play b a1", "play w b1", "play b a2", "play w b2", "play b b2")
    assert talk("hex", *hexagons)[-1] == "? the game is over"


def test_handicap_stones_and_moves_that_are_only_looked_for():
    lines = ("boardsize 9", "fixed_handicap 5", "fixed_handicap 2", "clear_board", "place_free_handicap 10")
    more = ("set_free_handicap A1 J9", "undo", "undo", "undo", "reg_genmove b", "kgs-genmove_cleanup b")
    assert talk("go", *lines, *more) == [
        "=", "= C3 G7 C7 G3 E5", "? board not empty", "=", "? invalid number of stones", "= A1 J9", "=", "=",
        "? cannot undo", "no limit", "= pass", "no limit", "= pass",
    ]  # fmt: skip
    lines = ("boardsize 9", "set_free_handicap A1 A1", "set_free_handicap A1 J9", "showboard")  # J is the ninth column
    refused, placed, board = talk("go", *lines)[1:]
    assert refused == "? illegal move" and placed == "= A1 J9" and "  a b c d e f g h j\n" in board


def test_what_cannot_be_is_refused_and_changes_nothing():
    refused = "? unacceptable size"
    lines = ("play b a1", "boardsize 1000", "boardsize x", "play w a1", "play green a2", "play w", "komi ten", "undo")
    assert talk("go", *lines) == ["=", refused, "? syntax error", "? illegal move", *["? syntax error"] * 3, "="]
    assert talk("tic_tac_toe", "boardsize 9", "komi 0", "komi 1", "final_score")[1:3] == [
        "=",
        "? this game has no komi",
    ]


def test_hex_writes_the_letter_i_and_takes_turns():
    lines = ("boardsize 11", "play b i9", "play b a1", "genmove w", "time_left w 50 2", "genmove b", "final_score")
    turn, over = "? it is the turn of white", "? the game is not over"
    assert talk("hex", *lines) == ["=", "=", turn, "no limit", "= K11", "=", "no limit", "= J11", over]


def test_time_is_that_of_a_stone_or_a_share_of_what_is_left():
    lines = ("time_settings 0 6 2", "genmove b", "time_left w 50 5", "genmove w", "time_settings 100 0 0", "genmove b")
    assert talk("go", *lines)[1::3][:2] == ["3 s", "10 s"] and talk("go", *lines[4:])[1] == "4 s"
