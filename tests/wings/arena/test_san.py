"""Chess as people write it: our moves and theirs, held against python-chess, and files that are damaged."""

import io
import json
import random

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli, console
from gdl.errors import GameError
from gdl.game import Terminal
from gdl.interpreter.position import text_of
from gdl.wings.arena import pgn, play_records
from gdl.wings.arena.records import PlayRecord

SHORT = '[White "Ann \\"A\\""]\n\n1. f3 {weak} e5 2 g4?? (2. e4 (2. d4) Nf6) $4 2... Qh4# 0-1\n'
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
POSITIONS = (
    None,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # castling, many captures
    "8/2P1P3/1k6/8/3p4/5K2/2p1p3/1N1R1R2 b - - 0 1",  # promotions
    "8/7k/2Q1Q3/8/8/2Q5/8/7K w - - 0 1",  # three of a kind
)


@pytest.mark.one_in(4, 3)
@pytest.mark.parametrize("start", POSITIONS)
def test_moves_are_written_and_read_as_others_do(start):
    chess = pytest.importorskip("chess")
    game, checks = gdl.load("chess", position=start), play_records.rules_of_check()
    for seed in range(2):
        dice, board, state = random.Random(seed), chess.Board(start or chess.STARTING_FEN), game.initial()
        for _ in range(25):
            node = game.node(state)
            if isinstance(node, Terminal):
                break
            before = text_of(game.model, state)
            action = dice.choice(node.actions)
            move, later = chess.Move.from_uci(action), game.successor(state, action)
            theirs = board.san(move)
            over = game.node(later)
            mates = isinstance(over, Terminal) and any(over.utilities)
            check = checks.ending(later) is not None
            assert play_records.move_to_san(action, before, node.actions, check, mates) == theirs
            assert play_records.matching_moves(theirs, before, node.actions) == [action]
            board.push(move)
            assert check == board.is_check()
            state = later


@pytest.mark.thorough
def test_a_file_is_read_and_written_and_read_by_others():
    found = play_records.read_chess(SHORT, "x.pgn")
    assert found.actions == MATE and found.who == {"White": 'Ann "A"'} and found.result == "0-1"
    text = play_records.write_chess(
        PlayRecord("chess", who={"Black": "Bob"}, actions=MATE, remarks={3: "?? costs 1: d2d4"})
    )
    assert '[Black "Bob"]' in text and '[Result "0-1"]' in text and "{costs 1: d2d4}" in text
    assert play_records.read_chess(text, "x.pgn").actions == MATE
    chess = pytest.importorskip("chess.pgn")
    theirs = chess.read_game(io.StringIO(text))
    assert [move.uci() for move in theirs.mainline_moves()] == list(MATE) and not theirs.errors


@pytest.mark.thorough
def test_a_game_from_a_position_begins_with_its_number():
    record = PlayRecord("chess", position="4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", actions=("e7e5",))
    text = play_records.write_chess(record)
    assert "1... e5 *" in text and '[SetUp "1"]' in text
    assert play_records.read_chess(text, "x.pgn").actions == ("e7e5",)


def test_what_comes_after_the_end_is_left_out(capsys):
    found = play_records.read_chess("1. f3 e5 2. g4 Qh4# 3. a3 a6 *", "x.pgn", remark=console.remark)
    assert found.actions == MATE and "2 moves left out" in capsys.readouterr().err


def test_several_games():
    found = pgn.read('1. e4 *\n\n[Event "x"]\n1. d4 *', "x.pgn")
    assert found.more and [move for move, _ in found.moves] == ["e4"]
    many = '1. e4 (1. c4 *) *\n[White "Ann"]\n1. d4\n\n[White "Bob"]\n1. f4 1-0\n'  # the second has no result
    played = [pgn.read(many, "x.pgn", which) for which in (1, 2, 3)]
    assert [one.moves[0][0] for one in played] == ["e4", "d4", "f4"]
    assert [one.tags.get("White") for one in played] == [None, "Ann", "Bob"]
    assert [(one.result, one.more) for one in played] == [("*", True), ("*", True), ("1-0", False)]
    with pytest.raises(GameError, match=r"x\.pgn has no game 4"):
        pgn.read(many, "x.pgn", 4)


@pytest.mark.parametrize(("text", "place"), [("1. e4 (e5 ", 8), ("(", 0)])
def test_a_variation_that_is_not_closed_is_told_at_its_end(text, place):
    with pytest.raises(GameError) as wrong:
        pgn.read(text, "x.pgn")
    assert wrong.value.problems[0].span.start == place


def test_a_line_of_moves_is_at_most_79_wide():
    assert pgn.write({}, ["x" * 76], "*").splitlines() == ["", f"1. {'x' * 76}", "*"]
    assert pgn.write({}, ["x" * 77], "*").splitlines() == ["", "1.", "x" * 77 + " *"]


@pytest.mark.thorough
def test_one_of_many_games_is_judged_and_keeps_who_played(tmp_path):
    file, kept = tmp_path / "many.pgn", tmp_path / "one.pgn"
    file.write_text('1. e4 *\n\n[White "Ann"]\n[Black "Bob"]\n1. f3 e5 2. g4 Qh4# 0-1\n', encoding="utf-8")

    def run(*words):
        return CliRunner().invoke(cli.commands, [*words], prog_name="gdl")

    assert "--game 2 reads the one that follows" in run("show", str(file)).stderr
    done = run("analyse", str(file), "--game", "2", "--time", "0.05", "-o", str(kept))
    assert done.exit_code == 0 and "4. d8h4" in done.stdout and "follows" not in done.stderr
    assert '[White "Ann"]\n[Black "Bob"]' in kept.read_text() and "Qh4#" in kept.read_text()
    for words in (("show", "nim"), ("show", "nim", "--record", str(tmp_path / "x.play"))):
        (tmp_path / "x.play").write_text('[game "nim"]\n')
        refused = run(*words, "--game", "2")
        assert refused.exit_code == 2 and "--game is for .pgn files" in refused.stderr


def test_smart_game_format_is_refused_before_the_play(tmp_path):
    """A page of go opens such files; nothing else of gdl does."""
    file = tmp_path / "a.sgf"
    file.write_text("(;GM[1]SZ[5];B[aa])")
    for words in (
        ("show", str(file)),
        ("play", "go", "--save", str(file)),
        ("match", "go", "gdl", "gdl", "--save", str(file)),
    ):
        refused = CliRunner().invoke(cli.commands, words, prog_name="gdl")
        assert refused.exit_code == 2 and "gdl reads and writes no Smart Game Format" in refused.stderr, words
    assert file.read_text() == "(;GM[1]SZ[5];B[aa])"


WRONG = {
    "1. e5": "x.pgn:1:4: error: 'e5' is not legal here",
    "1. e4 e5 2. Nf6": "1:13: error: 'Nf6' is not legal here",
    "1. Nf3 d6 2. Nd4 d5 3. Nb5 a6 4. Nc3 a5 5. Nb1 *": "may mean b1c3 or b5c3",
    "1. e4 {and so": "1:7: error: '{' does not belong here",
    "1. e4 (1. d4": "a variation is not closed",
    "1. e4 ) e5": "this ')' closes nothing",
    '[White "x" 1. e4': "1:1: error: '[' does not belong here",
    '[Variant "Horde"]\n1. e4': "this is a game of Horde",
    "1. e4 \x1b[2J": "does not belong here",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_its_place(text):
    with pytest.raises(GameError) as wrong:
        play_records.read_chess(text, "x.pgn")
    assert WRONG[text] in str(wrong.value) and "[pgn-file]" in str(wrong.value)


def test_variations_may_stand_as_deep_as_they_like():
    text = "1. e4 " + "(1. d4 " * 30_000 + ")" * 30_000 + " e5 *"
    assert play_records.read_chess(text, "x.pgn").actions == ("e2e4", "e7e5")


@pytest.mark.one_in(5)
@pytest.mark.parametrize("seed", range(40))
def test_damaged_files_are_told_and_nothing_else(seed):
    dice = random.Random(seed)
    at = dice.randrange(len(SHORT))
    text = SHORT[:at] + dice.choice(["", "(", ")", "{", "}", '"', "[", "\\", "99", "O-O", "\0"]) + SHORT[at + 1 :]
    try:
        play_records.read_chess(text, "x.pgn")
    except GameError as wrong:
        assert wrong.problems


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", ["{a game of mine} 1. e4 *", "% by hand\n{mine}{a}\n1. e4 *", "1.e4 *"])
def test_a_game_without_tags_is_known_by_how_it_begins(tmp_path, text: str):
    (file := tmp_path / "a.pgn").write_text(text)
    shown = CliRunner().invoke(cli.commands, ["show", str(file), "--json"], prog_name="gdl")
    assert json.loads(shown.stdout)["mover"] == "Black"


@pytest.mark.thorough
def test_commands_read_and_write_them(tmp_path):
    file, kept = tmp_path / "a.pgn", tmp_path / "b.pgn"
    file.write_text(SHORT, encoding="utf-8")
    shown = CliRunner().invoke(cli.commands, ["show", str(file)], prog_name="gdl")
    assert "White -1 and Black 1" in shown.stdout
    CliRunner().invoke(cli.commands, ["play", "chess", "--seed", "1", "--save", str(kept)], input="e4\nquit\n")
    assert "1. e4" in kept.read_text() and '[White "a person"]' in kept.read_text()
    refused = CliRunner().invoke(cli.commands, ["play", "nim", "--save", str(kept)], input="quit\n")
    assert refused.exit_code == 2 and "for chess alone" in refused.stderr


SIGNS = ("±", "∓", "∞", "+/-", "-/+", "=", "+-", "+=", "⩲", "□", "!?", "$14", "$6", "∆")
SKIPPED = ("--", "Z0", "1. e4", "Nb8-c6", "zz9", "[x", "½", "e.p.", "@@@@", "*", "0000", '"')
CLASSES = {"Standard": "Board", "Crazyhouse": "CrazyhouseBoard", "Atomic": "AtomicBoard"}


def between_moves(dice: random.Random, depth: int = 0) -> str:
    """A remark, a sign, or a variation of any kind, as they may stand behind a move."""
    deeper = between_moves(dice, depth + 1) if depth < 4 else ""
    inside = " ".join([*(dice.choice(SKIPPED) for _ in range(3)), deeper])
    return dice.choice(["", "{odd ) ( [ 1. e9 }", "; rest ( of line\n", dice.choice(SIGNS), f"({inside})"])


@pytest.mark.thorough_of("1-Crazyhouse", "1-Atomic", "2-Standard", "2-Crazyhouse", "0-Crazyhouse")
@pytest.mark.parametrize("variant", CLASSES)
@pytest.mark.parametrize("seed", range(3))
def test_the_main_line_is_that_of_others_whatever_stands_between(variant: str, seed: int):
    chess = pytest.importorskip("chess.variant")
    dice = random.Random(f"{variant} {seed}")
    board = getattr(chess, CLASSES[variant], chess.chess.Board)()
    words = [f'[Variant "{variant}"]\n\n']
    for _ in range(40):
        if board.is_game_over():
            break
        move = dice.choice(list(board.legal_moves))
        long = dice.random() < 0.3 and not board.is_castling(move) and not move.drop
        words += [board.lan(move) if long else board.san(move), between_moves(dice), between_moves(dice)]
        board.push(move)
    found = play_records.read_chess(" ".join([*words, "*"]), "x.pgn")
    assert [action.lower() for action in found.actions] == [move.uci().lower() for move in board.move_stack]
    assert found.game == {"Standard": "chess"}.get(variant, variant.lower())


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[Event "x"]\n[Variant "Horde"]\n\n1. e4 *', "2:1", "this is a game of Horde"),
        ("1. e4 -- 2. d4 *", "1:7", "'--' is no move: the turn is passed"),
        ("1. e4 e5 2. Nb8-c6 *", "1:13", "'Nb8-c6' is not legal here"),
        ("1. e4 (1. d4 -- ) %e5 *", "1:19", "'%' does not belong here"),
    ],
)
def test_what_is_refused_is_quoted_with_its_place(text: str, place: str, message: str):
    with pytest.raises(GameError) as wrong:
        play_records.read_chess(text, "x.pgn")
    assert str(wrong.value.problems[0]).startswith(f"x.pgn:{place}: error: {message}")
