"""paranoid: what each player secures against all others, held against plain recursion and the verifier."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from small_games import EstimatedCountdown
from trees import chance, node, random_tree, tree, unknown
from verification import verify

from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.game import Chance, Decision, Number, Terminal
from gdl.render.sentence import first_sentence
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax.backward_induction import maxn
from gdl.solvers.minimax.paranoid import paranoid

HALF = Fraction(1, 2)
A, B, C = node("A"), node("B"), node("C")
NAMES = ("A", "B", "C")


def share() -> Any:
    return tree(A((2, 2, 2), B((4, 3, 1), C((3, 2, 3), (0, 2, 0)))), players=NAMES)


def secured(game: Any, state: Any, player: int) -> Number:
    """By the definition, without windows."""
    found = game.node(state)
    if isinstance(found, Terminal):
        utility = found.utilities[player]
        assert isinstance(utility, int | Fraction)
        return utility
    if isinstance(found, Chance):
        return sum(weight * secured(game, game.successor(state, a), player) for a, weight in found.outcomes)
    assert isinstance(found, Decision)
    best = max if found.player == player else min
    return best(secured(game, game.successor(state, action), player) for action in found.actions)


def checked(game: Any, answer: Solution, **changed: Any) -> Any:
    return verify(game, json.loads(json.dumps(to_object(answer) | changed)))


def test_a_guarantee_is_less_than_what_players_who_look_after_themselves_leave() -> None:
    answer = paranoid(share())
    assert answer.value == (2, 2, 1)
    assert answer.best == ("1",)
    assert answer.exact
    assert answer.secured
    assert maxn(share()).value == (4, 3, 1)
    assert (
        first_sentence(answer, "A") == "A secures 2, whatever the others do, by playing 1; B secures 2 and C secures 1."
    )
    assert to_object(answer)["secured"] is True
    assert answer.regret is None  # the strategies are no equilibrium


def test_all_actions_that_secure_as_much_are_best() -> None:
    game = tree(A((2, 0, 0), B((3, 0, 0), (2, 1, 1)), (1, 5, 5)), players=NAMES)
    assert paranoid(game).best == ("1", "2")


def test_replies_are_cut_however_deep() -> None:
    """A is sure of 5. Below, B's 4 is enough for A to look no further, although another of A's own moves lies between:
    max^n could not cut there."""
    deep = B(A(B((4, 0, 0), (9, 0, 0), (9, 0, 0)), (3, 0, 0)), (7, 0, 0))
    answer = paranoid(tree(A((5, 0, 0), deep), players=NAMES))
    assert answer.value is not None
    assert answer.value[0] == 5
    assert answer.leaves == 3


@pytest.mark.parametrize("seed", range(40))
def test_random_trees(seed: int) -> None:
    rng = random.Random(seed)
    leaves = [tuple(vector) for vector in product(range(-2, 3), repeat=3)]
    made = random_tree(rng, 4, players=NAMES, leaves=leaves, chances=0.25 if seed % 2 else 0.0)
    game = tree(made, players=NAMES, utility=(-2, 2) if seed % 4 == 1 else None)
    answer = solve(game, "paranoid")
    start = game.initial()
    assert answer.value == tuple(secured(game, start, player) for player in range(3))
    found = game.node(start)
    if isinstance(found, Decision):
        p = found.player
        best = {a for a in found.actions if secured(game, game.successor(start, a), p) == answer.value[p]}
        assert set(answer.best) == best
    verdict = checked(game, answer)
    assert verdict.ok, verdict.lines
    if not isinstance(found, Terminal):
        assert sum("whatever the others do" in line for line in verdict.lines) == 3
    assert not checked(game, answer, value={"A": 9, "B": 0, "C": 0}).ok


def test_the_verifier_sees_a_strategy_that_secures_less() -> None:
    answer = to_object(paranoid(share()))
    answer["strategy"]["A"] = {name: {"1": 0, "2": 1} for name in answer["strategy"]["A"]}
    lines = verify(share(), json.loads(json.dumps(answer))).lines
    assert "FAILS: the strategy of A secures 0, and the answer says 2" in lines


def test_with_two_opposed_sides_it_is_the_value() -> None:
    game = tree(node("MAX")(node("MIN")(3, 12), chance((HALF, 2), (HALF, 8))))
    answer = solve(game, "paranoid")
    assert (answer.value, answer.secured, answer.regret) == ((5, -5), False, (0, 0))
    assert "secured" not in to_object(answer)


def test_cut_off_it_is_an_estimate() -> None:
    game = EstimatedCountdown(9, prize=5)
    answer = paranoid(game, depth=2)
    assert not answer.exact
    assert answer.limit is not None
    assert answer.limit.startswith("cut off at depth 2")
    assert answer.strategy is None
    assert "is estimated to secure" in first_sentence(answer, "Ann")


def test_positions_that_come_again_need_a_depth() -> None:
    with pytest.raises(Refusal, match=r"paranoid needs a game whose positions never come again; .*; give it a depth"):
        solve(EstimatedCountdown(3, least=0), "paranoid")
    assert solve(EstimatedCountdown(3, least=0), "paranoid", depth=3).value is not None


def test_a_limit_leaves_what_the_first_mover_was_found_to_do() -> None:
    with pytest.raises(LimitReached) as stopped:
        paranoid(share(), SearchLimits(nodes=9))
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert (partial.value, partial.best, partial.nodes, partial.exact) == (None, ("1",), 9, False)
    with pytest.raises(LimitReached) as stopped:
        paranoid(share(), SearchLimits(nodes=3))
    assert isinstance(stopped.value.partial, Solution)
    assert stopped.value.partial.best == ()


def test_an_open_number_is_asked_for() -> None:
    with pytest.raises(GameError, match=r"depends on the unknown utility \?x"):
        paranoid(tree(A(unknown("x"), (1, 1, 1)), players=NAMES))
