"""A thousand random small trees in which things are hidden, of two and three players, of opposed ones and others: the
answer of every solver that takes the tree is judged by `judge`, by the verifier, and by a brute force that knows
nothing of them: it walks the nested tree and tries every plan."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hidden_trees import Place, Strategy, as_game, pure, random_hidden, sets_of, worth
from verification import verify

from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.solution import Profile, Solution
from gdl.solvers import CONCEPTS, SOLVERS, solve
from gdl.solvers.equilibria import payoffs, sequence_form
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.concept_judges import judge_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import judge

DECISIONS = 6  # of a tree at most, so that there are few plans
NEAR = Fraction(1, 10**9)  # for answers that are close to an equilibrium, or in floating point
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "cfr": {"iterations": 32},
    "mccfr": {"iterations": 64, "seed": 1},
    "information-set-mcts": {"simulations": 50, "seed": 1},
}
EQUILIBRIA = ("nash", "lemke-howson", "dominance", "subgame-perfect", "maxn", "shallow", "perfect-bayesian", "sequential",
              "intuitive", "perfect", "proper", "evolutionary", "sequence-form", "plan")  # fmt: skip
THEORY = {"team", "coalition", "correlated", "commitment", "sequential"}  # of a wing


def some_tree(seed: int) -> tuple[Place, tuple[str, ...]]:
    """The tree of that seed. Of every three of two players the players of one are opposed; in one of six nothing is
    hidden."""
    rng = random.Random(f"hidden {seed}")
    players, hides = ("Ann", "Bob", "Cid")[: rng.choice((2, 2, 3))], rng.random() < 5 / 6
    root = random_hidden(rng, players, depth=3, most=DECISIONS)
    while hides is all(len(places) == 1 for places in sets_of(root).values()):
        root = random_hidden(rng, players, depth=3, most=DECISIONS)
    if len(players) == 2 and rng.random() < 1 / 3:
        for place in root.below():
            place.pays = (place.pays[0], -place.pays[0]) if place.pays else ()
    return root, players


class Tree:
    """A tree with the facts that brute force finds about it."""

    def __init__(self, root: Place, players: tuple[str, ...]):
        self.root = root
        self.players = players
        self.sets = {at: list(places[0].children) for at, places in sets_of(root).items()}
        self.owner = {at: str(places[0].player) for at, places in sets_of(root).items()}

    def own(self, player: str) -> dict[str, list[str]]:
        return {at: actions for at, actions in self.sets.items() if self.owner[at] == player}

    def played(self, profile: Profile) -> Strategy:
        """The profile with a first action where it says nothing."""
        found = {at: {a: Fraction(a == actions[0]) for a in actions} for at, actions in self.sets.items()}
        for player, sets in profile.items():
            for at, mixture in sets.items():
                assert self.owner[at] == player
                found[at] = {action: Fraction(mixture.get(action, 0)) for action in self.sets[at]}
                assert min(found[at].values()) >= 0 and sum(found[at].values()) == 1
        return found

    def value(self, strategy: Strategy) -> tuple[Fraction, ...]:
        return tuple(worth(self.root, strategy, seat) for seat in range(len(self.players)))

    def regret(self, strategy: Strategy) -> tuple[Fraction, ...]:
        """The gain of each player by the best of all their own plans."""
        best = (
            max(worth(self.root, {**strategy, **plan}, seat) for plan in pure(self.own(player)))
            for seat, player in enumerate(self.players)
        )
        return tuple(most - now for most, now in zip(best, self.value(strategy), strict=True))

    def cells(self) -> Iterator[tuple[Fraction, ...]]:
        """The payoffs of each combination of plans."""
        return (self.value(plan) for plan in pure(self.sets))


def answers(game: Any, solvers: Iterable[str]) -> Iterator[tuple[str, Solution]]:
    """The answers of those solvers that take the game."""
    for name in solvers:
        try:
            yield name, solve(game, name, **OPTIONS.get(name, {}))
        except (Refusal, LimitReached):
            continue


def put_to_the_test(seed: int, solvers: Iterable[str] = SOLVERS) -> Counter[str]:
    """Judge every answer; how many each solver gave."""
    root, players = some_tree(seed)
    tree, game = Tree(root, players), as_game(root, players)
    met: Counter[str] = Counter()
    for name, found in answers(game, solvers):
        met[name] += 1
        where = (seed, name)
        verdict = verify(game, {**to_object(found), "options": dict(OPTIONS.get(name, {}))})
        assert verdict.ok, (*where, verdict.lines)
        profiles = [*found.equilibria, *([found.strategy] if found.strategy else [])]
        for profile in profiles:
            check_profile(tree, game, found, profile, where)
        check_numbers(tree, found, where)
    return met


def check_profile(tree: Tree, game: Any, found: Solution, profile: Profile, where: tuple[int, str]) -> None:
    """The judge and brute force agree of it, and on an equilibrium nobody gains."""
    strategy, name = tree.played(profile), where[1]
    regret = tree.regret(strategy)
    positions = explore(game)
    behaviour = read_profile(positions, profile)
    if None not in behaviour:
        judgement = judge(positions, behaviour)
        assert tuple(map(Fraction, judgement.regret)) == regret, where
        assert tuple(map(Fraction, judgement.value)) == tree.value(strategy), where
        concept = found.concept or ("nash" if name in EQUILIBRIA else "")
        if concept in CONCEPTS and CONCEPTS[concept].judge and found.exact:
            held = judge_profile(concept, positions, behaviour).holds
            assert held is not False, where
    if name in EQUILIBRIA and found.exact:
        assert not any(regret), where
    elif name in EQUILIBRIA:
        assert max(regret) <= NEAR, where
    if found.regret is not None and profile is found.strategy and name in ("cfr", "mccfr"):
        assert tuple(map(Fraction, found.regret)) == regret, where


def check_numbers(tree: Tree, found: Solution, where: tuple[int, str]) -> None:
    """The value, held against all combinations of plans."""
    name = where[1]
    if name in ("team", "welfare"):
        assert found.value is not None
        assert sum(map(Fraction, found.value)) == max(map(sum, tree.cells())), where  # type: ignore[type-var,arg-type]
    elif name in ("sequence-form", "cfr") and found.exact and found.strategy and found.value is not None:
        strategy = tree.played(found.strategy)
        opposed = all(sum(pays) == sum(found.value) for pays in tree.cells())
        for seat in (0, 1) if opposed and len(tree.players) == 2 else ():
            other = tree.players[1 - seat]
            least = min(worth(tree.root, {**strategy, **plan}, seat) for plan in pure(tree.own(other)))
            assert least == found.value[seat], where
    elif name == "commitment":
        assert found.value is not None
        assert found.value[0] >= best_plan_to_announce(tree), where
    elif name == "coalition":
        check_coalitions(tree, found, where)
    elif name in ("correlated", "coarse-correlated") and found.exact:
        assert found.value is not None
        assert sum(map(Fraction, found.value)) <= max(map(sum, tree.cells())), where  # type: ignore[type-var,arg-type]
        for one in solve(as_game(tree.root, tree.players), "nash").equilibria:
            assert sum(map(Fraction, found.value)) >= sum(tree.value(tree.played(one))), where


def best_plan_to_announce(tree: Tree) -> Fraction:
    """The first player's payoff by announcing the best pure plan, if the other breaks ties in the first one's
    favour."""
    leader, follower = (list(pure(tree.own(player))) for player in tree.players)
    found = []
    for lead in leader:
        cells = [tree.value({**lead, **reply}) for reply in follower]
        most = max(own for _, own in cells)
        found.append(max(pays for pays, own in cells if own == most))
    return max(found)


def check_coalitions(tree: Tree, found: Solution, where: tuple[int, str]) -> None:
    """Each secures what its best plans that mix nothing do, or more, and no more than those of the others let it have;
    all together have the greatest sum."""
    assert found.coalitions is not None
    for members, amount in found.coalitions.worths:
        seats = [tree.players.index(player) for player in members]
        inside = list(pure({at: a for at, a in tree.sets.items() if tree.owner[at] in members}))
        outside = list(pure({at: a for at, a in tree.sets.items() if tree.owner[at] not in members}))
        table = {(i, j): sum(tree.value({**one, **other})[seat] for seat in seats)
                 for (i, one), (j, other) in product(enumerate(inside), enumerate(outside))}  # fmt: skip
        rows, columns = range(len(inside)), range(len(outside))
        least, most = (
            max(min(table[i, j] for j in columns) for i in rows),
            min(max(table[i, j] for i in rows) for j in columns),
        )
        assert least <= amount <= most, where


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", [0, 5])
def test_a_sample(seed: int) -> None:
    assert len(put_to_the_test(seed)) > 8


@pytest.mark.parametrize(("seed", "solver"), [(42, "belief"), (160, "maxn"), (20, "perfect")])
def test_right_answers_that_were_called_wrong(seed: int, solver: str) -> None:
    """Ties that others decide, or that nothing proves, and a plan that says what its own moves never lead to."""
    if solver not in list(SOLVERS):
        pytest.skip("its wing is not installed")
    assert put_to_the_test(seed, [solver])


@pytest.mark.slow
@pytest.mark.parametrize("block", range(50))
def test_a_thousand_trees(block: int) -> None:
    met = sum((put_to_the_test(seed) for seed in range(20 * block, 20 * block + 20)), Counter[str]())
    assert {"nash", "cfr", *THEORY.intersection(SOLVERS)} <= met.keys()


@pytest.mark.slow
def test_five_hundred_trees_as_large_games_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Actions that are surely best are played unasked, HiGHS finds the basis, and kernel code judges."""
    pytest.importorskip("highspy")
    monkeypatch.setattr(sequence_form, "SIMPLEX_ROWS", 0)
    monkeypatch.setattr(payoffs, "MANY_ENDS", 1)
    met = sum((put_to_the_test(seed, ("sequence-form", "cfr")) for seed in range(500)), Counter[str]())
    assert met["cfr"] == 500 and met["sequence-form"] > 100
