"""A lone player's plan over sets of possible worlds is the one over all histories."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl.errors import LimitReached
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.imperfect_information.plan import PLAN
from gdl.states.game_wrapper import innermost_game
from gdl.wings.hidden.overwritten import overwritten_variables
from gdl.wings.hidden.possible_worlds import find_world_plan

HERE = Path(__file__).parent
GAMES: list[tuple[Any, dict[str, Any]]] = [
    ("monty_hall", {}),
    ("bandit", {}),
    (HERE.parents[1] / "model" / "language" / "shuffled_decks.game", {}),
    (HERE / "tiger.game", {}),
    (HERE / "mastermind.game", {"tries": 2, "colours": 3}),
    (HERE / "mastermind.game", {"tries": 3, "colours": 2}),
]

# Two doors are looked at in turn, and what a door hides may stay there unseen: plies of chance that nobody hears of.
SILENT = """
game "Silent" (rounds = 3)
players Ann
type Side = left, right
state
    spot: Side? visible to none
    seen: Boolean
    round: 0..rounds
    guess: Side?
start hide
chance hide(s: Side)
    spot := s
action look(s: Side) when round < rounds
    round := round + 1
    seen := spot = s
    if round > 1
        next move
action say_it(s: Side)
    seen := false
    guess := s
chance move(s: Side) weight if s = spot then 2/3 else 1/3
    spot := s
terminal
    guess != none -> if guess = spot then 5 else -round
"""


def by_worlds(game: Game[Any], nodes: int | None = None) -> Solution:
    search = find_world_plan(game)
    assert search is not None
    found = search(Budget(nodes), PLAN.answer(game))
    assert found is not None
    return found


def assert_the_same(game: Game[Any]) -> None:
    found, whole = by_worlds(game), gdl.solve(game, "plan")
    assert (found.value, found.best, found.exact) == (whole.value, whole.best, True)
    assert found.strategy is not None and whole.strategy is not None
    assert {p: dict(sets) for p, sets in found.strategy.items()} == {p: dict(s) for p, s in whole.strategy.items()}


@pytest.mark.parametrize(("file", "settings"), GAMES, ids=[f"{Path(f).stem}-{n}" for n, (f, _) in enumerate(GAMES)])
def test_the_plan_is_that_over_all_histories(file: Any, settings: dict[str, Any]) -> None:
    assert_the_same(gdl.load(file, settings=settings))


def test_plies_of_chance_that_nobody_hears_of() -> None:
    assert_the_same(gdl.loads(SILENT).game)


def test_what_the_last_guess_hit_does_not_matter_for_the_next() -> None:
    model = innermost_game(game := gdl.load(HERE / "mastermind.game"), game.initial())[0].model
    assert {model.variables[number].name for number in overwritten_variables(model)} == {"hits", "near"}
    read = SILENT.replace("action look(s: Side) when round < rounds", "action look(s: Side) when not seen or round < 1")
    for text, names in ((SILENT, {"seen"}), (read, set())):
        model = innermost_game(game := gdl.loads(text).game, game.initial())[0].model
        assert {model.variables[number].name for number in overwritten_variables(model)} == names


@pytest.mark.slow
def test_three_pegs_are_solved_too() -> None:
    text = (
        (HERE / "mastermind.game")
        .read_text()
        .replace("pegs = 2", "pegs = 3")
        .replace("b: Colour", "b: Colour, c3: Colour")
    )
    text = text.replace("(a, b, p)", "(a, b, c3, p)").replace("then a else b)", "then a else if p = 2 then b else c3)")
    text = text.replace("(if b = c then 1 else 0)", "(if b = c then 1 else 0) + (if c3 = c then 1 else 0)")
    found = gdl.solve(gdl.loads(text.replace("expect value = -45/16", "")).game, "plan")
    assert found.value == (Fraction(-103, 32),)


@pytest.mark.thorough
def test_a_large_game_is_solved_over_worlds() -> None:
    found = gdl.solve(gdl.load(HERE / "mastermind.game"), "plan")
    assert found.value == (Fraction(-45, 16),) and found.nodes is not None and found.nodes < 100_000
    assert len(found.best) == 12 and found.best[0] == "guess(1, 2)"


def test_a_search_that_is_stopped_leaves_bounds() -> None:
    game = gdl.load(HERE / "mastermind.game")
    with pytest.raises(LimitReached) as stop:
        by_worlds(game, 1_100)
    partial = stop.value.partial
    assert isinstance(partial, Solution) and not partial.exact and partial.interval is not None
    ((low, high),) = partial.interval
    assert high is not None and Fraction(-45, 16) <= high <= -1 and (low is None or low <= Fraction(-45, 16))


# Each turn the player sees a number, and all of them stay in the state: no history leads where another does.
KEPT = """
game "Kept" (turns = 6)
players Ann
state
    secret: 0..1 visible to none
    numbers: sequence of 0..5 up to turns
    turn: 0..turns
    guess: 0..1
    done: Boolean
start hide
chance hide(b: 0..1)
    secret := b
action wait when turn < turns
    turn := turn + 1
    next show
action say_it(b: 0..1)
    guess := b
    done := true
chance show(n: 0..5)
    push(numbers, n)
terminal
    done -> (if guess = secret then 1 else 0)
"""


@pytest.mark.slow
def test_histories_are_looked_at_where_few_positions_recur() -> None:
    game = gdl.loads(KEPT).game
    search = find_world_plan(game)
    assert search is not None and search(Budget(), PLAN.answer(game)) is None
    assert gdl.solve(game, "plan").value == (Fraction(1, 2),)
