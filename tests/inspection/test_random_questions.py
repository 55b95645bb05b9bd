"""The probability of an event in play at random on the compiled engine, held against the interpreter's exact one."""

from fractions import Fraction

import pytest

import gdl
from gdl.checker.asked import question_game
from gdl.compiler.compiled_engine import offer
from gdl.errors import GameError
from gdl.inspection import questions
from gdl.inspection.questions import answer_question
from gdl.solvers import solve
from gdl.syntax import parser

pytest.importorskip("wasmtime")

WANDERING = """players Ann, Bob
state
    at: 0..6 = 3
    kept: Boolean
action left
    at := at - 1
action right
    at := at + 1
    next wind
action stay when at = 3
    kept := true
chance wind(n: 0..2) weight n + 1 as "{n}"
    at := if at + n < 7 then at + n else at
    next Bob
terminal
    at = 0 -> win Ann
    at = 6 -> win Bob
    forever -> draw
"""
AT_ONCE = """players Ann, Bob, Cid
state
    sum: 0..12
    round: 0..4
    shown[Player]: 0..2
start everyone
action show(n: 0..2) when mover = Ann or n < 2 and (mover = Bob or round > 0)
    shown[mover] := n
resolve
    let more = sum p in Player: shown[p]
    sum := if sum + more < 12 then sum + more else 0
    round := if round = 3 and sum < 4 then 0 else if round < 4 then round + 1 else round
terminal
    round = 4 -> each p: if p = Ann then sum else 12 - sum
"""
CASES = [
    ("pig", {"goal": 6}, "score[Ann] = 3"),
    ("pig", {"goal": 6}, "win Bob"),
    ("goofspiel", {}, "win Ann"),
    ("rock_paper_scissors", {}, "draw"),
    ("repeated_prisoners", {}, "years[A] = 4"),
    ("colonel_blotto", {}, "win Blotto"),
    ("kuhn", {}, "win P1"),
    ("leduc", {}, "draw"),
    ("liars_dice", {}, "win Ann"),
    ("pong_hau_ki", {}, "win Black"),
    ("tic_tac_toe", {}, "draw within 9"),
    ("monopoly", {}, "the end within 12"),
    ("twenty_one", {}, "win Gambler"),
    (WANDERING, {}, "win Bob"),
    (WANDERING, {}, "at = 5"),
    (WANDERING, {}, "kept and at = 2"),
    (AT_ONCE, {}, "sum = 5"),
    (AT_ONCE, {}, "sum = 4 within 3"),
]


def ask(name, settings, event, engine, most=None, seconds=None):
    described = gdl.described(name, "own.game") if "\n" in name else gdl.described(*gdl.read(name))
    goal, within, plies = event.partition(" within ")
    written = parser.question(f"probability {goal} at random{within}{plies}")
    asked = question_game(described, written, {key: str(value) for key, value in settings.items()}, None)
    return answer_question(
        written, asked, lambda model: offer(gdl.play(model), engine), solve, seconds=seconds, nodes=most
    )


@pytest.mark.thorough_of(
    "twenty_one-settings12-win Gambler",
    "pig-settings0-score[Ann] = 3",
    "pong_hau_ki-settings9-win Black",
    "rock_paper_scissors-settings3-draw",
)
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "settings", "event"), CASES)
def test_the_engine_gives_the_chances_that_the_interpreter_gives(name, settings, event, monkeypatch):
    """As fractions, and as bounds where the positions are said to be many, or where a limit leaves some open."""
    wanted = ask(name, settings, event, "interpreter")
    assert wanted.exact
    assert ask(name, settings, event, "wasm") == wanted
    monkeypatch.setattr(questions, "MANY", 0)
    found = ask(name, settings, event, "wasm")
    low, high = found.interval
    assert not found.exact and found.limit is None and found.solver == questions.BOUNDS
    assert low <= wanted.value <= high and high - low < Fraction(1, 10**9)
    apart = high - low
    for most in (1, 7, 40, 300):
        found = ask(name, settings, event, "wasm", most)
        low, high = found.interval
        assert low <= found.value <= high and low <= wanted.value <= high
        assert (found.limit is None) == (high - low < 1e-6)
        assert high - low >= apart or not found.limit


def test_the_engine_that_runs_as_python_does_the_same():
    for case in (CASES[0], CASES[2], CASES[-5], CASES[-2]):
        assert ask(*case, "python") == ask(*case, "interpreter")


def test_a_limit_tells_what_is_decided_before_it():
    """Of a coin that is thrown again and again the first ten throws decide all but one in 2^10."""
    text = """players Ann
state
    count: 0..1000
    side: 0..2
action throw(d: 1..2)
    side := d
    count := count + 1
terminal
    side = 1 -> 1
    count = 1000 -> 0
"""
    found = ask(text, {}, "side = 1 and count > 1", "wasm", 21)
    low, high = found.interval
    assert abs(low - (Fraction(1, 2) - Fraction(1, 2**10))) < 1e-9 and abs(high - Fraction(1, 2)) < 1e-9 and found.limit


def test_a_position_of_too_many_joint_moves_is_left_open():
    text = """players A, B, C, D
state
    shown[Player]: 0..20
start everyone
action show(n: 1..20)
    shown[mover] := n
resolve
    next everyone
terminal
    shown[A] > 0 -> each p: shown[p]
"""
    found = ask(text, {}, "shown[A] = 1", "wasm")
    assert found.interval == (0, 1) and "joint moves" in found.limit and abs(found.value - 1 / 20) < 0.03


def test_a_fault_of_the_rules_in_a_move_made_at_once_is_told():
    text = AT_ONCE.replace("shown[mover] := n", "sum := n")
    for engine in ("interpreter", "wasm"):
        with pytest.raises(GameError, match="two players write the same variable at once"):
            ask(text, {}, "sum = 5", engine)


@pytest.mark.thorough
def test_a_million_positions_are_walked_in_ten_seconds_of_processor_time():
    from time import process_time

    begun = process_time()
    found = ask("connect_four", {}, "win Yellow", "wasm", 1_000_000)
    assert process_time() - begun < 10
    low, high = found.interval
    assert 0 < low < found.value < high < 1


@pytest.mark.thorough
def test_a_limit_of_time_leaves_bounds_that_are_proved():
    found = ask("connect_four", {}, "win Yellow", "wasm", seconds=8)
    low, high = found.interval
    assert 0 < low < found.value < high < 1 and "the time ended after" in found.limit


def test_no_time_is_left_for_code():
    found = ask("connect_four", {}, "win Yellow", "wasm", seconds=0.01)
    assert found.interval == (0, 1) and found.limit.startswith("the time ended ")
