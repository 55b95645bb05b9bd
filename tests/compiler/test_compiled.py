"""The compiled engine claims to be the same games as the interpreter's: held to it by play.

Seeded random walks, and walks through all states of small games, compare what both engines say of every state: its
node (kind, player, actions in order, probabilities, utilities), its evaluation, what each player knows, and the words
that hold it. The first difference tells the play that leads there.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from both_engines import differences, told_alike
from compiled_game import CompiledGame, compile_game
from places import LANGUAGE
from sampling import one_in
from shipped import shipped, texts, written_in

import gdl
from gdl.analysis.dependence import Dependence
from gdl.analysis.traits import accumulates
from gdl.compiler.passes.distinct_names import Distinct
from gdl.errors import GameError, Refusal
from gdl.game import Chance, Decision, Terminal
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.states import count
from gdl.states.explore import moves

PLAYS, PLIES = 4, 60
LARGE = ("chess", "crazyhouse", "atomic", "shogi", "xiangqi", "backgammon", "pentago")  # for the interpreter:
FEWER, SHORTER = 1, 30  # plays and plies of these
SIZES = {"amazons": {"n": "6"}}  # for games that the interpreter needs minutes for
SMALL: tuple[tuple[str, dict[str, str]], ...] = (
    ("tic_tac_toe", {}),
    ("connect_four", {"columns": "3", "rows": "3", "run": "3"}),
    ("nim", {}),
    ("breakthrough", {"rows": "4", "columns": "2"}),
    ("breakthrough", {"rows": "4", "columns": "3"}),
    ("hex", {}),
    ("hex", {"n": "2"}),
    ("pig", {"goal": "5"}),
    ("othello", {"n": "4"}),
    ("chomp", {}),
    ("domineering", {"rows": "3", "columns": "3"}),
    ("dots_and_boxes", {"rows": "1", "columns": "2"}),
    ("go", {"columns": "2", "rows": "2"}),
    ("kalah", {"houses": "2", "seeds": "2"}),
    ("kayles", {}),
    ("kuhn", {}),
    ("leduc", {}),
    ("liars_dice", {"sides": "2"}),
    ("goofspiel", {}),
    ("goofspiel", {"prizes": "ascending", "bids": "hidden"}),
    ("monty_hall", {}),
    ("pong_hau_ki", {}),
    ("repeated_prisoners", {}),
    ("rock_paper_scissors", {}),
    ("subtraction", {}),
    ("blind_tic_tac_toe", {"columns": "2", "rows": "2"}),
    ("dark_hex", {}),
    ("awari", {"houses": "2", "seeds": "1"}),
    ("go", {"columns": "3", "rows": "1", "variant": "superko"}),
)
MOST_STATES, FEW_STATES = 3_000, 1_000  # of a walk through all states, and of one at every run
FIRST_STATES = 250


GAMES = [name for name, text in texts().items() if "\nterminal" in text]  # those given by rules


def rules(name: str, settings: dict[str, str] | None = None) -> RulesGame:
    """A shipped game."""
    values = {**(settings or SIZES.get(name) or {})}
    variant = values.pop("variant", None)
    return shipped(name, values) if variant is None else written_in(gdl.shipped()[name], variant, **values)


def walk(game: RulesGame, other: CompiledGame, chosen: random.Random, plies: int) -> None:
    """One random play on both engines."""
    state, same, play = game.initial(), other.initial(), ()
    for _ in range(plies):
        differences(game, other, state, same, play)
        options = moves(game.node(state))
        if not options:
            return
        move = chosen.choice(options)
        state, same, play = game.successor(state, move), other.successor(same, move), (*play, move)


@pytest.mark.thorough_of("othello")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_random_plays_agree(name: str):
    game, other = rules(name), CompiledGame(rules(name))
    for seed in range(FEWER if name in LARGE else PLAYS):
        walk(game, other, random.Random(seed), SHORTER if name in LARGE else PLIES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PLAYS))
@pytest.mark.parametrize("name", LARGE)
def test_random_plays_of_large_games_agree(name: str, seed: int):
    """At full length, as the other games are played."""
    walk(rules(name), CompiledGame(rules(name)), random.Random(seed), PLIES)


EXAMPLES = sorted(LANGUAGE.glob("*.game"))  # each shows some constructs


CONSTRUCTS = [(file, None) for file in EXAMPLES] + [
    (file, variant)
    for file in EXAMPLES
    for variant in re.findall(r"^variant (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.thorough_of("love_letter")
@pytest.mark.one_in(7)
@pytest.mark.parametrize(("file", "variant"), CONSTRUCTS, ids=[f"{f.stem}-{v}" if v else f.stem for f, v in CONSTRUCTS])
def test_constructs_agree(file: Path, variant: str | None):
    """Faults of the rules are told in the same words."""
    game = written_in(file, variant)
    if not isinstance(game, RulesGame):
        return
    if accumulates(game.model):  # rewards that are discounted, fractions or endless
        with pytest.raises(Refusal, match="does not take rewards on the way"):
            CompiledGame(game)
        return
    told_alike(game, range(PLAYS), PLIES)


def test_play_divides_by_small_numbers_alike():
    """Also what is below zero, and by 0, which is a fault."""
    text = (
        "players Ann, Bob\nstate\n    n: 0..8 = 3\n    over: Boolean\naction go(k: 0..8) when k != n\n    n := k\n"
        "action end\n    require 7 / n > 0\n    over := true\nterminal\n    over -> (3 - 5 * n) / n + 1 / n\n    forever -> 0"
    )
    game = gdl.loads(text).game
    assert isinstance(game, RulesGame)
    told_alike(game, range(PLAYS), PLIES)


REFUSED = {  # no shipped game; state and action -> what the compiled engine does not take, and where
    ("half: 0..9", "half := if 1 / (half + 1) = 1 then 0 else 1"): "'/' by what is only known in play (line 5)",
    ("deep: (-3..3)?", "say deep\n    deep := 1"): "numbers below zero that may be none (line 5)",
    ("much: 0..9999999999", "much := 1"): "much: numbers of more than 32 bits (line 3)",
}


@pytest.mark.parametrize(("state", "action"), REFUSED)
def test_refuses_by_name(state: str, action: str):
    """The construct and its place are told, before anything is played."""
    text = f"players Ann\nstate\n    {state}\naction a\n    {action}\nterminal\n    no actions -> 0"
    model = gdl.loads(text).model
    assert isinstance(model, RulesModel)
    with pytest.raises(Refusal, match=re.escape(f"the compiled engine does not take {REFUSED[state, action]}")) as told:
        compile_game(model)
    assert "below zero" not in str(told.value) or told.value.problem.help.startswith("let them begin at 0")


LOW = """
players Ann
board Cell = grid(3, 1)
state
    depth[Cell]: -1..1 = 0
    n: 0..3
action edge(c: Cell) when depth[step(c, east)] = none
    n := n + 1
action dig(c: Cell) when depth[c] != -1
    depth[c] := -1
    n := n + 1
terminal
    n = 3 -> n
"""


def test_a_number_below_zero_is_not_none():
    told_alike(gdl.loads(LOW).game, range(PLAYS), PLIES)


FAR = """
players Ann

state
    large: Boolean

action go
    let x = 1/3
    for i in 1..31
        x := x * 2
    large := x > 400000000

terminal
    large -> 1
    no actions -> 0
"""


def test_a_fraction_that_grows_beyond_what_the_engine_holds_is_refused():
    """The fraction is held as a number of thirds, which is larger than the fraction."""
    game = compile_game(gdl.loads(FAR).model)
    with pytest.raises(Refusal, match="grows beyond what the compiled engine holds"):
        game.successor(game.initial(), "go")


COLLECTED = """
players Ann

state
    held: 0..9

action go(n: 1..5)
    let x = 1
    for i in 1..n
        x := x * 9
    held := size({set})

terminal
    held = 1 -> 1
    no actions -> 0
"""


@pytest.mark.parametrize("set", ["{x}", "those i in x - 1..x + 1: i mod 9 = 0"])
def test_a_number_too_large_for_a_set_is_a_fault(set: str):
    """A number without bounds makes no set of as many members; one that is too large for any is a fault on both."""
    model = gdl.loads(COLLECTED.replace("{set}", set)).model
    assert isinstance(model, RulesModel)
    for game in (gdl.play(model), compile_game(model)):
        assert isinstance(game.node(game.successor(game.initial(), "go(4)")), Terminal)
        with pytest.raises(GameError, match="a set holds whole numbers from 0 to 9,999, and this is 59049"):
            game.successor(game.initial(), "go(5)")


every_small_game = pytest.mark.parametrize(
    ("name", "settings"), SMALL, ids=[f"{name}-{'-'.join(settings.values())}" for name, settings in SMALL]
)


@pytest.mark.thorough_of("go-3-1-superko")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("small", one_in(2, SMALL), ids=lambda small: f"{small[0]}-{'-'.join(small[1].values())}")
def test_all_states_agree(small: tuple[str, dict[str, str]]):
    """In order of discovery, at most so many."""
    all_states(rules(*small), FEW_STATES)


@pytest.mark.slow
@every_small_game
def test_more_states_agree(name: str, settings: dict[str, str]):
    all_states(rules(name, settings), MOST_STATES)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_first_states_agree(name: str):
    """Of every game, in order of discovery."""
    all_states(rules(name), FIRST_STATES)


def all_states(game: RulesGame, most: int) -> None:
    """Hold the engines against each other in so many states, as they are discovered."""
    other = CompiledGame(game)
    found: dict[Any, tuple[Any, tuple[Any, ...]]] = {game.initial(): (other.initial(), ())}
    work = [game.initial()]
    for state in work:  # grows while it is walked
        same, play = found[state]
        differences(game, other, state, same, play)
        for move in moves(game.node(state)):
            after = game.successor(state, move)
            if after not in found and len(work) < most:
                found[after] = (other.successor(same, move), (*play, move))
                work.append(after)
            elif after in found:
                assert other.successor(same, move) == found[after][0], (*play, move)


def perft(game: CompiledGame, plies: int) -> int:
    """Ways to play so many plies, counted by the kernel functions alone."""
    m = game.module
    m["start"]()

    def below(left: int) -> int:
        if m["status"]() == 3:
            return 0
        ways = m["moves"]()
        if left == 1:
            return ways
        kept, total = bytes(m["s"]), 0
        for i in range(ways):
            m["s"][:] = memoryview(kept).cast("i")
            m["moves"]()
            m["apply"](i)
            total += below(left - 1)
        m["s"][:] = memoryview(kept).cast("i")
        return total

    return below(plies)


@pytest.mark.thorough_of("othello-4")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("tic_tac_toe", 4),
        ("connect_four", 4),
        ("breakthrough", 2),
        ("othello", 4),
        ("go", 2),
        ("checkers", 4),
        ("kalah", 4),
        ("pig", 5),
        ("hex", 3),
    ],
)
def test_kernel_functions_count_the_same_ways(name: str, plies: int):
    assert perft(CompiledGame(rules(name)), plies) == count.perft(rules(name), plies)


SHARED_NAME = """
players Ann, Bob
state
    left: 0..9 = 9
action take(n: 1..3, m: 1..2) as "{n * m}" when n * m <= left
    left := left - RESULT
terminal
    left < 1 -> win mover
"""


def test_rows_with_one_name_and_one_result_are_one_action():
    """2 is one by two or two by one; what only play tells apart, kernel functions look for."""
    model = gdl.loads(SHARED_NAME.replace("RESULT", "n * m")).model
    assert isinstance(model, RulesModel)
    game = compile_game(model)
    assert game.node(game.initial()) == gdl.play(model).node(gdl.play(model).initial())
    assert perft(game, 2) == count.perft(gdl.play(model), 2)


def test_pieces_of_a_name_that_what_is_chosen_decides_are_looked_up_together():
    """In backgammon both points of a step."""
    model = gdl.load("backgammon").model
    assert isinstance(model, RulesModel)
    assert compile_game(model).lowered.source.count("TEXT_POWER[") == 1


def test_outcomes_with_one_name_and_two_results_are_a_fault_where_equal_results_are_merged():
    text = """players Ann
state
    n: 0..3
start roll
action go
chance roll(d: 1..2) merge
    choose c: 1..3 as "-x"
    n := if c < 2 then 1 else 2
terminal
    n > 0 -> draw
"""
    model = gdl.loads(text).model
    assert isinstance(model, RulesModel)
    for game in (gdl.play(model), compile_game(model)):
        with pytest.raises(GameError, match=r"two outcomes with different results are both called 'roll.1.-x'"):
            game.node(game.initial())
    game = gdl.loads(text.replace(' as "-x"', "")).game
    node = game.node(game.initial())
    assert isinstance(node, Chance) and [chance for _, chance in node.outcomes] == [Fraction(1, 3), Fraction(2, 3)]


def test_one_name_with_two_results_is_a_fault():
    model = gdl.loads(SHARED_NAME.replace("RESULT", "n")).model
    assert isinstance(model, RulesModel)
    game = compile_game(model)
    with pytest.raises(GameError, match="two actions with different results are both called '2'"):
        game.node(game.initial())


@pytest.mark.parametrize(
    ("name", "sharing"),
    [
        ("amazons", [()]),  # a queen's way tells its direction
        ("breakthrough", [()]),  # steps off the board would share a name, but are not legal
        ("chess", [(), (0, 1)]),  # where a castling king goes is told by the position
        ("checkers", [(0,), (1,)]),  # numbers are of dark squares only
        ("kayles", [(), ()]),
        ("othello", [(), ()]),
    ],
)
def test_names_that_tell_actions_apart_are_found(name: str, sharing: list[tuple[int, ...]]):
    model = rules(name).model
    evaluator = Evaluator(model.variables, model.definitions, model.times)
    assert Distinct(model, evaluator, Dependence(model)).sharing(model.actions) == sharing


def test_names_without_choices_are_looked_up_not_compared(monkeypatch: pytest.MonkeyPatch):
    """Of a thousand actions all pairs were compared once, which took most of the time until the first play."""
    actions = "".join(f"action a{number}\n    n := 0\n" for number in range(60))
    text = f"players Ann\nstate\n    n: 0..9\n{actions}terminal\n    n = 9 -> 0\n"
    model = gdl.loads(text).model
    assert isinstance(model, RulesModel)
    monkeypatch.setattr("gdl.analysis.name_forms.differ", None)
    evaluator = Evaluator(model.variables, model.definitions, model.times)
    assert Distinct(model, evaluator, Dependence(model)).sharing(model.actions) == [()] * 60


ENDLESS = """
players Ann
state
    n: 0..9
define deep(k: 0..9): 0..9 = if n = 1 then deep(k) else k
action go(k: 1..2)
    n := deep(k)
terminal
    n = 9 -> 0
"""


def test_a_recursion_without_end_is_a_fault():
    """Of the same words; and the engine goes on after it."""
    model = gdl.loads(ENDLESS).model
    assert isinstance(model, RulesModel)
    for game in (gdl.play(model), compile_game(model)):
        deeper = game.successor(game.initial(), "go(1)")
        for _ in range(2):
            with pytest.raises(GameError, match="deep calls itself more than 200 deep"):
                game.successor(deeper, "go(2)")
        assert game.node(game.initial()) == Decision(0, ("go(1)", "go(2)"))


@pytest.mark.thorough
def test_kernel_module_is_the_same_each_time():
    """The text of the module depends on the rules alone, and not on anything that the process has done before."""
    for name in ("tic_tac_toe", "checkers", "kuhn"):
        model = rules(name).model
        assert compile_game(model).lowered.source == compile_game(model).lowered.source


def test_chances_are_exact():
    game = CompiledGame(rules("liars_dice"))
    node = game.node(game.initial())
    assert isinstance(node, Chance)
    assert sum(probability for _, probability in node.outcomes) == 1


BOARDS = {  # of more squares than four words hold
    "domineering": {"columns": "17", "rows": "17"},
    "go": {"columns": "17", "rows": "17"},
    "othello": {"n": "18"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_large_boards_agree(name: str):
    told_alike(shipped(name, BOARDS[name]), [1], SHORTER)
