"""Perfect and proper equilibria: the games of those who proposed them, and trembles tried by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from games_by_hand import bimatrix
from tables import random_table
from verification import verify

from gdl.errors import Refusal
from gdl.formats.answer import to_object
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import NO_LIMITS
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.concept_judges import judge_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.strategic_form import table_of
from gdl.wings.theory.refinements import refinements
from gdl.wings.theory.refinements.properness import properness

MYERSON = [[1, 0, -9], [0, 0, -7], [-9, -7, -7]]


def pure(found: Solution) -> list[tuple[str, ...]]:
    return [
        tuple(next(a for a, p in one[player]["start"].items() if p == 1) for player in found.players)
        for one in found.equilibria
    ]


def test_myersons_game() -> None:
    """Myerson 1978: three equilibria, two of them perfect, one proper."""
    game = bimatrix(MYERSON, MYERSON)
    assert len(solve(game).equilibria) == 3
    assert pure(solve(game, concept="perfect")) == [("r1", "c1"), ("r2", "c2")]
    found = solve(game, concept="proper")
    assert pure(found) == [("r1", "c1")] and found.exact and found.complete
    assert verify(game, to_object(found)).ok


def test_what_is_not_perfect_is_not_ranked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a tree of eleven plans ranks were tried for minutes of what a linear program rules out at once."""
    asked: list[Any] = []

    def counted(of: Any, pair: Any, *rest: Any, **given: Any) -> Any:
        asked.append(pair)
        return properness(of, pair, *rest, **given)

    monkeypatch.setattr(refinements, "properness", counted)
    assert pure(solve(bimatrix(MYERSON, MYERSON), concept="proper")) == [("r1", "c1")]
    assert len(asked) == 2


def test_without_the_worse_mistakes_only_the_good_one_is_perfect() -> None:
    game = bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    assert pure(solve(game, concept="perfect")) == [("r1", "c1")]
    assert pure(solve(game, concept="proper")) == [("r1", "c1")]


def test_the_verifier_finds_a_dominated_one() -> None:
    game = bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    answer = to_object(solve(game, concept="perfect"))
    worse = {"Row": {"r1": 0, "r2": 1}, "Column": {"c1": 0, "c2": 1}}
    wrong = {**answer, "equilibria": [worse], "payoffs": [{"Row": 0, "Column": 0}], "value": {"Row": 0, "Column": 0}}
    assert not verify(game, wrong).ok
    assert verify(game, {**wrong, "concept": "nash", "solver": "lemke-howson", "complete": None}).ok


@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (2, 3)])
def test_what_is_perfect_and_what_is_proper_in_random_tables(sizes: tuple[int, int]) -> None:
    """There is a proper one; proper ones are perfect, and perfect ones equilibria. Ties are common."""
    for seed in range(10):
        game, _ = random_table(seed, *sizes, most=2)
        every, best, last = (solve(game, concept=name) for name in ("nash", "perfect", "proper"))
        assert last.equilibria and best.equilibria
        assert all(one in every.equilibria for one in best.equilibria)
        assert all(one in best.equilibria for one in last.equilibria if one in every.equilibria)
        for found in (best, last):
            verdict = verify(game, to_object(found))
            assert verdict.ok and verdict.status("equilibria") and verdict.status("payoffs") is not False, verdict.lines


def test_pure_proper_ones_are_best_replies_to_rare_mistakes() -> None:
    """With two plans each there is but one mistake: no plan that is kept pays less when the other errs now and then."""
    tremble = Fraction(1, 1000)
    for seed in range(20):
        game, cells = random_table(seed, 2, 2, most=2)
        for one in solve(game, concept="proper").equilibria:
            chosen = [list(one[player]["start"].values()) for player in game.players]
            if any(1 not in own for own in chosen):
                continue
            kept = [own.index(1) for own in chosen]
            mixes = [[1 - tremble if k == kept[p] else tremble for k in range(2)] for p in range(2)]
            for p, (k, other) in product(range(2), [(0, 1), (1, 0)]):
                pays = [pays_of(cells, mixes, p, plan) for plan in (k, other)]
                if pays[0] < pays[1]:
                    assert kept[p] != k, (seed, p)


def pays_of(cells: Any, mixes: list[list[Fraction]], player: int, plan: int) -> Fraction:
    other = mixes[1 - player]
    return sum((x * cells[(plan, j) if player == 0 else (j, plan)][player] for j, x in enumerate(other)), Fraction(0))


def limits_of(game: Any) -> list[Any]:
    """Of what trembles lead to, what the judge says, who looks for ranks of mistakes."""
    found = refinements.limits_of_equilibria(refinements.PROPER.answer(game), *table_of(game, 10_000, NO_LIMITS))
    assert found.equilibria and found.exact
    positions = explore(game)
    return [judge_profile("proper", positions, read_profile(positions, one)).holds for one in found.equilibria]


def actions_of(game: Any) -> Any:
    return game.node(game.initial()).actions


@pytest.mark.thorough
def test_limits_of_trembles_are_proper_by_the_ranks_of_mistakes() -> None:
    """Two ways that know nothing of each other; ties are common."""
    small = [random_table(seed, 3, 3, most=most)[0] for most in (1, 2) for seed in range(4)]
    for game in small:
        assert all(limits_of(game))
    for seed, sizes in ((2, (4, 2)), (3, (5, 5)), (4, (7, 4))):
        game, _ = random_table(seed, *sizes)
        found = solve(game, concept="proper")
        assert found.equilibria and found.exact
        assert all(limits_of(game))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_proper_has_a_mistake_that_no_rank_bears_out(seed: int) -> None:
    """Of two plans each the ranks can be counted by hand: of each player one mistake, as rare as one likes."""
    game, cells = random_table(seed, 2, 2, most=1)
    positions = explore(game)
    tiny = Fraction(1, 10**6)
    for kept in product((0, 1), repeat=2):
        profile = {
            player: {"start": {action: int(k == kept[p]) for k, action in enumerate(own)}}
            for p, (player, own) in enumerate(zip(game.players, actions_of(game), strict=True))
        }
        mixes = [[1 - tiny if k == kept[p] else tiny for k in (0, 1)] for p in (0, 1)]
        good = all(pays_of(cells, mixes, p, kept[p]) >= pays_of(cells, mixes, p, 1 - kept[p]) for p in (0, 1))
        assert judge_profile("proper", positions, read_profile(positions, profile)).holds == good, kept


def test_larger_tables_with_many_ties_are_refused() -> None:
    large, _ = random_table(2, 21, 2)
    with pytest.raises(Refusal, match="proper looks for orders of the plans, of 20 plans at most"):
        solve(large, concept="proper")
