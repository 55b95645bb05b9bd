"""Several players of whom some forget: equilibria in pure plans, and any profile judged."""

from __future__ import annotations

import random
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from trees import Inner, node, tree
from verification import verify

import gdl
from gdl.errors import Refusal
from gdl.formats.answer import to_object
from gdl.formats.gambit_writer import extensive
from gdl.playing import profile_judging
from gdl.solvers import solve
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import uniform_behaviour
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.imperfect_information.pure_plans import judge_forgetful

A, B = node("A"), node("B")
SHARES = [F(k, 8) for k in range(9)]


def _random_tree(seed: int) -> Inner:
    """A tree of two who forget, three moves deep; each has two sets of two actions."""
    rng = random.Random(seed)

    def grown(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.15:
            return (rng.randint(0, 4), rng.randint(0, 4))
        who = rng.choice("AB")
        return Inner(who, ["1", "2"], [grown(depth - 1), grown(depth - 1)], information_set=who + rng.choice("xy"))

    return Inner("A", ["1", "2"], [grown(2), grown(2)], information_set="Ax")


def _pays(place: Any, share: dict[str, F]) -> tuple[F, F]:
    """The payoffs by the definition: each set plays its first action with this probability."""
    if not isinstance(place, Inner):
        return place
    p = share[str(place.information_set)]
    (a, b), (c, d) = (_pays(child, share) for child in place.children)
    return p * a + (1 - p) * c, p * b + (1 - p) * d


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(60))
def test_random_trees_by_the_definition(seed: int) -> None:
    """Nobody gains on an equilibrium that is listed by any behaviour on a grid, somebody does on each other combination
    of pure plans that is met in full; and the verifier agrees."""
    root = _random_tree(seed)
    game = tree(root, ("A", "B"), "forgetting")
    if game.traits.perfect_recall is not False:
        return
    found = solve(game, "pure-plans")
    assert verify(game, to_object(found)).ok
    listed = []
    for profile in found.equilibria:
        said = {h: mix for sets in profile.values() for h, mix in sets.items()}
        listed.append({h: F(said[h].get("1", 0)) if h in said else None for h in ("Ax", "Ay", "Bx", "By")})
    grid = {who: [{who + "x": p, who + "y": q} for p, q in product(SHARES, SHARES)] for who in "AB"}
    pure = {who: [one for one in grid[who] if set(one.values()) <= {0, 1}] for who in "AB"}
    for a, b in product(pure["A"], pure["B"]):
        here = _pays(root, a | b)
        tells = [one for one in listed if all(v is None or v == (a | b)[h] for h, v in one.items())]
        gains = (
            max(_pays(root, one | b)[0] for one in grid["A"]) > here[0]
            or max(_pays(root, a | one)[1] for one in grid["B"]) > here[1]
        )
        if tells:
            assert not gains
        elif not any("not known" in note for note in found.notes):
            assert gains or _gains_between(root, a, b)


@pytest.mark.thorough
def test_profiles_are_judged_as_gambit_judges_them(tmp_path: Path) -> None:
    """By agents, where no play passes a set twice: how often it is reached, and the most that one action gains."""
    gambit, compared = pytest.importorskip("pygambit"), 0
    for seed in range(150):
        game = tree(_random_tree(seed), ("A", "B"), "forgetting")
        (tmp_path / "game.efg").write_text(extensive(game), encoding="utf-8")
        theirs = gambit.read_efg(tmp_path / "game.efg").mixed_behavior_profile(rational=True)
        (held,) = profile_judging.read_profiles(game, None)
        found = profile_judging.judge_profile(game, held, profile_judging.ConceptRequest(None, in_detail=True), 1_000)
        assert found.details is not None
        assert list(found.judgement.value) == [F(str(theirs.payoff(player))) for player in theirs.game.players]
        sets = [one for own in found.details.sets().values() for one in own.values()]
        if sum(one.reached for one in sets) == sum(F(str(theirs.infoset_prob(h))) for h in theirs.game.infosets):
            assert max(one.regret for one in sets) == F(str(theirs.agent_max_regret()))
            compared += game.traits.perfect_recall is False
    assert compared >= 5


def _gains_between(root: Inner, a: dict[str, F], b: dict[str, F]) -> bool:
    """True if somebody gains by a behaviour on a far finer grid: mixing where a set is passed twice."""
    fine = [F(k, 60) for k in range(61)]
    here = _pays(root, a | b)
    return any(
        _pays(root, {"Ax": p, "Ay": q} | b)[0] > here[0] or _pays(root, a | {"Bx": p, "By": q})[1] > here[1]
        for p, q in product(fine, fine)
    )


def test_who_is_absent_minded_is_judged_by_mixtures() -> None:
    """The driver beside a passenger who decides whether the road begins: pure plans gain 1, mixing 4/3."""
    road = A(exit=(0, 0), on=A(exit=(4, 0), on=(1, 0), infoset="road"), infoset="road")
    game = tree(B(drive=road, stay=(0, 0)), ("A", "B"), "passenger")
    positions = explore(game)
    judged = judge_forgetful(positions, uniform_behaviour(positions), Budget())
    assert judged.value == (F(5, 8), 0) and judged.regret == (F(1, 24), 0) and not judged.at_least
    found = solve(game)
    assert found.solver == "pure-plans" and not any(
        one["B"].get("start", next(iter(one["B"].values()))).get("drive") for one in found.equilibria
    )


def test_who_might_gain_by_what_was_not_tried_is_not_told_to_gain_at_least_nothing() -> None:
    """Two sets are passed twice: that 3/2 is the most is found, and not proved."""
    second = A(go=A(go=(1, 0), stop=(4, 1), infoset="t"), stop=(0, 0), infoset="t")
    game = tree(
        A(go=A(go=second, stop=(4, 1), infoset="s"), stop=B(l=(0, 0), r=(0, 1)), infoset="s"), ("A", "B"), "two"
    )
    last = next(one.name for one in explore(game).information_sets if one.player == 1)
    plan = {"A": {"s": {"go": "3/4", "stop": "1/4"}, "t": {"go": "2/3", "stop": "1/3"}}, "B": {last: {"r": 1}}}
    (held,) = profile_judging.read_profiles(game, plan)
    report = profile_judging.judge_profile(game, held, profile_judging.ConceptRequest(None), 1_000)
    said = profile_judging.judgement_text(game, report).splitlines()
    assert said[0] == "A gets 3/2 and could gain nothing, as far as was tried, by deviating."
    assert said[1] == "B gets 9/16 and could gain nothing by deviating."


def test_without_equilibria_it_says_so() -> None:
    second = {"r": B(B=(1, -1), T=(-1, 1), infoset="reply"), "l": B(B=(-5, 5), T=(-5, 5), infoset="reply")}
    other = {"r": B(B=(-5, 5), T=(-5, 5), infoset="reply"), "l": B(B=(-1, 1), T=(1, -1), infoset="reply")}
    game = tree(A(R=A(**second, infoset="again"), L=A(**other, infoset="again")), ("A", "B"), "Wichardt")
    found = solve(game, concept="nash")
    assert found.equilibria == () and not found.exact and found.value is None
    assert any(note.startswith("No combination of pure plans") for note in found.notes)
    with pytest.raises(Refusal, match="pure-plans"):
        solve(game, "nash")


def test_a_game_of_perfect_recall_is_refused() -> None:
    game = gdl.load("kuhn")
    with pytest.raises(Refusal, match="imperfect recall"):
        solve(game, "pure-plans")
