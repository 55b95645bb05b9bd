"""The verifier put to the test: answers about games made at random are accepted as they are; with any one field altered
they are refused, or the field is named as not checked, or the answer is still true by programs that know nothing of
the verifier."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest
from answers_at_random import BELIEFS, KINDS, Case, altered, cases

from gdl.errors import DamagedData, Refusal
from gdl.game import Chance, Decision, Simultaneous, Terminal
from gdl.interpreter.position import Continuation
from gdl.solvers import solve
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.regret import regret
from gdl.states.explore import explore
from gdl.states.sequential import Sequential
from gdl.wings.verify.verifier import verify

POSITIONS = 3_000  # that the verifier may look at
EACH = 225  # answers of each kind: more than 2,000 in all
COMBINATIONS = 5_000  # of pure strategies that are tried


@pytest.mark.thorough
@pytest.mark.one_in(7)
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample(kind: str):
    outcomes = sum((put_to_the_test(case) for seed in range(5) for case in cases(seed, kind)), Counter())
    assert outcomes["refused"] > 10


@pytest.mark.parametrize(("kind", "seed"), [("rules", 1034), ("tree of one player", 1067)])
def test_answers_that_failed_once(kind: str, seed: int):
    """An estimate by an evaluation on a scale of its own; equilibria in families."""
    for case in cases(seed, kind):
        put_to_the_test(case)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_two_thousand_answers(kind: str):
    count, seed, outcomes = 0, 1_000, Counter()
    while count < EACH:
        for case in cases(seed, kind):
            outcomes += put_to_the_test(case)
            count += 1
        seed += 1
    assert outcomes["refused"] > outcomes["still true"]


JUNK: list[Any] = [
    None,
    0,
    -1,
    10**30,
    1.5,
    1e300,
    True,
    "",
    "x",
    "1/0",
    "1/3",
    [],
    [[]],
    {},
    {"x": 1},
    {"A": {"B": 1}},
]


@pytest.mark.thorough
@pytest.mark.one_in(5)
@pytest.mark.parametrize("kind", KINDS)
def test_junk_is_refused_or_named_never_a_bug(kind: str):
    rng = random.Random(kind)
    for seed in range(2):
        for case in cases(seed, kind):
            for field in case.answer:
                for _ in range(3):
                    data = {**case.answer, field: with_junk(rng, case.answer[field])}
                    with suppress(DamagedData):
                        verify(case.game, data, limit=POSITIONS, origin=case.origin)


def with_junk(rng: random.Random, value: Any) -> Any:
    """The value with something else in its place, or in the place of a part."""
    if not value or not isinstance(value, dict | list) or rng.random() < 0.3:
        return rng.choice(JUNK)
    key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
    changed = value.copy()
    changed[key] = with_junk(rng, value[key])
    return changed


def put_to_the_test(case: Case) -> Counter[str]:
    """The verdict on the answer with each of its fields altered."""
    verdict = verify(case.game, case.answer, limit=POSITIONS, origin=case.origin)
    assert verdict.ok, (case.name, verdict.lines)
    unnamed = [name for name in case.answer if name != "schema" and not said_of(verdict, name)]
    assert not unnamed, (case.name, unnamed)
    rng = random.Random(case.name)
    found: Counter[str] = Counter()
    for field in case.answer:
        data = altered(rng, case.answer, field)
        if data is not None:
            found[outcome(case, field, data)] += 1
    return found


def said_of(verdict: Any, field: str) -> bool:
    return any(field in finding.fields for finding in verdict.findings) or field == "exact"


def outcome(case: Case, field: str, data: dict[str, Any]) -> str:
    try:
        verdict = verify(case.game, data, limit=POSITIONS, origin=case.origin)
    except DamagedData:
        return "refused"
    if not verdict.ok:
        return "refused"
    if any(finding.ok is None and field in finding.fields for finding in verdict.findings):
        return "named"
    known = STILL_TRUE.get(field, never)
    assert known(case, data), (case.name, field, case.answer[field], data[field], verdict.lines)
    return "still true"


# ---- Programs that know nothing of the verifier --------------------------------------------------------------------


def never(case: Case, data: dict[str, Any]) -> bool:
    """There is but one right value of the field."""
    return False


def same_beliefs(case: Case, data: dict[str, Any]) -> bool:
    """Who has nothing to be asked believes nothing, named or not."""
    told, found = ([{player: sets for player, sets in one.items() if sets} for one in answer["beliefs"]]
                   for answer in (case.answer, data))  # fmt: skip
    return told == found


def value(game: Any, state: Any) -> tuple[Any, ...]:
    """The value of a state to two opposed players, or to one, where everything is seen."""
    try:
        return solve(Continuation(game, state), "retrograde").value or ()
    except Refusal:  # play never ends from there, and that has no price
        return ()


def is_opposed(game: Any) -> bool:
    return len(game.players) == 1 or (len(game.players) == 2 and game.traits.constant_sum is not None)


def is_hidden(game: Any) -> bool:
    return game.traits.perfect_information is False or game.traits.simultaneous


def perfect_vectors(game: Any, state: Any) -> set[tuple[Any, ...]]:
    """All value vectors that backward induction can give a state, with every way of breaking ties."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return {node.utilities}
    if isinstance(node, Chance):
        after = [perfect_vectors(game, game.successor(state, action)) for action, _ in node.outcomes]
        weights = [weight for _, weight in node.outcomes]
        return {
            tuple(sum(w * x for w, x in zip(weights, c, strict=True)) for c in zip(*v, strict=True))
            for v in product(*after)
        }
    after = [perfect_vectors(game, game.successor(state, action)) for action in node.actions]
    return {max(chosen, key=lambda v: v[node.player]) for chosen in product(*after)} | {
        v for chosen in product(*after) for v in chosen if v[node.player] == max(w[node.player] for w in chosen)
    }


def exactly(data: dict[str, Any]) -> list[Fraction]:
    return [Fraction(number) for number in data.values()]


def read_profile(profile: dict[str, Any]) -> Any:
    return {
        player: {name: {action: Fraction(chance) for action, chance in row.items()} for name, row in own.items()}
        for player, own in profile.items()
    }


def is_exact(case: Case, data: dict[str, Any]) -> bool:
    """The value of what called itself an estimate."""
    game = case.game
    if "concept" in data:
        turns = Sequential(game)
        start = {name: turns.describe(turns.initial(), p) for p, name in enumerate(game.players)}
        known = [
            {
                p: own if isinstance(next(iter(own.values()), {}), dict) else {start[p]: own}
                for p, own in profile.items()
            }
            for profile in data.get("equilibria") or ()
        ]  # of tables mixtures alone are told
        return all(not any(regret(game, read_profile(profile)).regret) for profile in known)
    if "value" not in data:
        start = game.initial()
        kept = [value(game, game.successor(start, action)) for action in data.get("best", ())]
        told = bool(data.keys() & {"line", "strategy", "equilibria"}) or bool(kept and is_hidden(game))
        return not told and all(worth == value(game, start) for worth in kept)
    if is_hidden(game):
        return list(solve(game, "sequence-form").value or ()) == exactly(data["value"])
    if is_opposed(game):
        return list(value(game, game.initial())) == exactly(data["value"])
    return tuple(exactly(data["value"])) in {tuple(map(Fraction, v)) for v in perfect_vectors(game, game.initial())}


def keeps_the_value(case: Case, data: dict[str, Any]) -> bool:
    """No step of the line changes what the position is worth."""
    game, state = case.game, case.game.initial()
    for action in data["line"]:
        node = game.node(state)
        after = game.successor(state, action)
        if is_opposed(game):
            if isinstance(node, Decision) and data["exact"] and value(game, state) != value(game, after):
                return False
        elif not set(perfect_vectors(game, state)) & perfect_vectors(game, after) and isinstance(node, Decision):
            return False
        state = after
    return True


def same_actions(case: Case, data: dict[str, Any]) -> bool:
    return set(data["best"]) == set(case.answer["best"]) and data.get("line", data["best"])[0] in data["best"]


def played(profile: Any) -> frozenset[Any]:
    """The profile without the actions that it never plays."""
    return frozenset(
        (player, name, *rest)
        for player, sets in profile.items()
        for name, one in sets.items()
        for rest in ([(a, Fraction(p)) for a, p in one.items() if Fraction(p)] if isinstance(one, dict) else [(one,)])
        if rest != ("0",) and rest != (0,)
    )


class Judge:
    """Expected utilities of a profile by walking every path, and what a player could get instead, by trying all pure
    strategies."""

    def __init__(self, game: Any):
        self.game = Sequential(game)
        self.sets: dict[tuple[int, str], tuple[str, ...]] = {}
        stack = [self.game.initial()]
        met = set(stack)
        while stack:
            state = stack.pop()
            node = self.game.node(state)
            if isinstance(node, Decision):
                self.sets[node.player, self.game.describe(state, node.player)] = node.actions
            for _, after in self.children(state, node):
                if after not in met:
                    met.add(after)
                    stack.append(after)

    def children(self, state: Any, node: Any) -> Iterator[tuple[Any, Any]]:
        if isinstance(node, Chance):
            yield from ((chance, self.game.successor(state, action)) for action, chance in node.outcomes)
        elif isinstance(node, Decision):
            yield from ((None, self.game.successor(state, action)) for action in node.actions)

    def pays(self, profile: Any) -> list[Fraction]:
        total = [Fraction(0)] * len(self.game.players)
        stack = [(self.game.initial(), Fraction(1))]
        while stack:
            state, weight = stack.pop()
            node = self.game.node(state)
            if isinstance(node, Terminal):
                total = [t + weight * u for t, u in zip(total, node.utilities, strict=True)]
                continue
            mixture: Any = {}
            if isinstance(node, Decision):
                own = profile[self.game.players[node.player]]
                name = self.game.describe(state, node.player)
                mixture = own[name] if isinstance(own.get(name), dict) else own
            pairs = dict(node.outcomes) if isinstance(node, Chance) else mixture
            stack += [(self.game.successor(state, a), weight * Fraction(p)) for a, p in pairs.items() if Fraction(p)]
        return total

    def pure(self, player: int) -> Iterator[dict[str, Any]]:
        """All pure strategies of a player."""
        own = {name: actions for (who, name), actions in self.sets.items() if who == player}
        count = 1
        for actions in own.values():
            count *= len(actions)
        if count > COMBINATIONS:
            pytest.skip("too many pure strategies to try them all")
        for choice in product(*own.values()):
            yield {name: {action: 1} for name, action in zip(own, choice, strict=True)}

    def is_equilibrium(self, profile: Any) -> bool:
        pays = self.pays(profile)
        return all(
            self.pays({**profile, name: other})[player] <= pays[player]
            for player, name in enumerate(self.game.players)
            for other in self.pure(player)
        )

    def secures(self, profile: Any, player: int) -> Fraction:
        """The least that a player of two gets by their part of the profile."""
        me, other = self.game.players[player], self.game.players[1 - player]
        return min(self.pays({me: profile[me], other: reply})[player] for reply in self.pure(1 - player))


def same_strategy(case: Case, data: dict[str, Any]) -> bool:
    """True if the altered strategy does the same, or is worth as much."""
    if played(data["strategy"]) == played(case.answer["strategy"]):
        return True
    judge = Judge(case.game)
    if len(case.game.players) == 1:
        return judge.is_equilibrium(data["strategy"])
    return [judge.secures(data["strategy"], player) for player in (0, 1)] == exactly(data["value"])


def same_equilibria(case: Case, data: dict[str, Any]) -> bool:
    """True if the equilibria are the same in another order, or further ones."""
    known = set(map(played, case.answer["equilibria"]))
    if set(map(played, data["equilibria"])) == known:
        return len(data["equilibria"]) == len(known)
    judge = Judge(case.game)
    return all(judge.is_equilibrium(one) for one in data["equilibria"] if played(one) not in known)


def is_complete(case: Case, data: dict[str, Any]) -> bool:
    """By support enumeration; where there are plans for several sets, whatever the verifier says. With beliefs, and of
    proper equilibria and those of all subgames, False claims nothing."""
    concepts = (data.get("concept"), data["solver"])
    if not data["complete"] and any(concept in (*BELIEFS, "proper", "subgame-perfect") for concept in concepts):
        return True
    node = case.game.node(case.game.initial())
    if not isinstance(node, Simultaneous) or len(node.actions) != 2 or not data["complete"]:
        return not isinstance(node, Simultaneous)
    pays = [[case.game.node((row, column)).utilities for column in node.actions[1]] for row in node.actions[0]]
    found = extreme_equilibria(*([[cell[p] for cell in row] for row in pays] for p in (0, 1)))
    sides = [len({equilibrium[side] for equilibrium in found.equilibria}) for side in (0, 1)]
    one_by_one = min(sides) == len(found.equilibria)  # where two share a side, all mixtures of the other are equilibria
    return one_by_one and len(found.equilibria) == len(data["equilibria"])


def same_search(case: Case, data: dict[str, Any]) -> bool:
    """With the other options the search finds and does the same."""
    options = {name: one for name, one in data["options"].items() if name != "nodes"}
    found = solve(case.game, data["solver"], **options)
    same = (found.nodes, found.leaves) == (data.get("nodes"), data.get("leaves"))
    return same or data["solver"] not in ("alpha-beta", "unknowns")


GRID = [Fraction(k, 3) for k in range(-24, 25)]


def held(comparison: str, x: Fraction, name: str) -> bool:
    """A comparison of one unknown with numbers."""
    return bool(
        eval(reckoned(comparison.replace("<=", "≤").replace(">=", "≥").replace("=", "==")), {name: x, "F": Fraction})
    )


def reckoned(text: str) -> str:
    """A form or a comparison as Python, in fractions."""
    import re

    return re.sub(r"(\d+)/(\d+)", r"F(\1, \2)", text.replace("≤", "<=").replace("≥", ">="))


def same_conditions(case: Case, data: dict[str, Any]) -> bool:
    (name,) = case.answer["unknowns"]

    def holding(conditions: Any, x: Fraction) -> set[str]:
        return {
            f"{one['what']} {one['of']}"
            for one in conditions
            if any(all(held(comparison, x, name) for comparison in way) for way in one["when"])
        }

    return all(holding(data["conditions"], x) == holding(case.answer["conditions"], x) for x in GRID)


def same_stretches(case: Case, data: dict[str, Any]) -> bool:
    (name,) = case.answer["unknowns"]

    def told(stretches: Any, x: Fraction) -> Any:
        for one in stretches:
            low, high = (None if one[end] is None else Fraction(one[end]) for end in ("from", "to"))
            above = low is None or x > low or (x == low and one["ends"][0] == "closed")
            below = high is None or x < high or (x == high and one["ends"][1] == "closed")
            if above and below:
                worth = {
                    p: eval(reckoned(str(v)), {name: x, "F": Fraction}) for p, v in (one.get("value") or {}).items()
                }
                return set(one.get("best") or ()), worth, {tuple(path) for path in one.get("pruned") or ()}
        return None

    known = {x: told(case.answer["unknowns"][name], x) for x in GRID}  # None where the file does not let it be x
    return all(told(data["unknowns"][name], x) == so for x, so in known.items() if so is not None)


def same_values(case: Case, data: dict[str, Any]) -> bool:
    """True if the entries are the same in another order."""
    return sorted(map(str, data["values"])) == sorted(map(str, case.answer["values"]))


def counted(case: Case, data: dict[str, Any]) -> bool:
    """As many as the interpreter meets; an engine may take some positions for one."""
    found = explore(Sequential(case.game) if case.game.traits.simultaneous else case.game)
    ends = sum(isinstance(node, Terminal) for node in found.nodes)
    changed = [name for name in ("nodes", "leaves", "states") if data.get(name) != case.answer.get(name)]
    return all(data[name] == (ends if name == "leaves" else len(found.states)) for name in changed)


def says_less(case: Case, data: dict[str, Any]) -> bool:
    """True if some of what may vary in a group of equilibria is left out, and all else is the same."""
    return all(
        one == other | {"free": one.get("free")} and all(part in other.get("free", ()) for part in one["free"])
        if "free" in one
        else one == {key: value for key, value in other.items() if key != "free"}
        for one, other in zip(data["groups"], case.answer["groups"], strict=True)
    )


def encloses(case: Case, data: dict[str, Any]) -> bool:
    """A wider interval is as true as the one that the solver proved, and a narrower one in which the value lies; of a
    player who is not named it says nothing."""

    def reach(end: Any, sign: int) -> Fraction | float:
        return inf if end is None else Fraction(end) * sign

    def ends(answer: dict[str, Any]) -> list[Fraction | float]:
        return [
            reach(end, sign)
            for name in case.answer["interval"]
            for end, sign in zip(answer["interval"].get(name, (None, None)), (-1, 1), strict=True)
        ]

    if all(wide >= narrow for wide, narrow in zip(ends(data), ends(case.answer), strict=True)):
        return True
    try:
        true = dict(zip(case.game.players, solve(case.game, "sequence-form").value or (), strict=True))
    except Refusal:
        return False
    return all(-reach(low, -1) <= true[name] <= reach(high, 1) for name, (low, high) in data["interval"].items())


def rounded_off(case: Case, data: dict[str, Any]) -> bool:
    """True if the alteration is below the precision to which floating point is trusted."""
    return 0 <= data["residual"] <= 1e-9


def same_coalitions(case: Case, data: dict[str, Any]) -> bool:
    """In another order."""
    whole = [sorted(map(str, answer["coalitions"])) for answer in (case.answer, data)]
    return whole[0] == whole[1]


STILL_TRUE = {
    "beliefs": same_beliefs,
    "coalitions": same_coalitions,
    "groups": says_less,
    "residual": rounded_off,
    "interval": encloses,
    "nodes": counted,
    "leaves": counted,
    "states": counted,
    "values": same_values,
    "exact": is_exact,
    "line": keeps_the_value,
    "best": same_actions,
    "strategy": same_strategy,
    "equilibria": same_equilibria,
    "complete": is_complete,
    "options": same_search,
    "conditions": same_conditions,
    "unknowns": same_stretches,
}
