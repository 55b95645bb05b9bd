"""Values where later gains count in full: what play gains a move in the long run, and what it gains in all beyond that.

If what is gained a move later counts 1 - s times as much, and play that never ends is paid s times its price before
every move, values are series in s: gain / s + bias + s (…) + … As s falls to 0, the gain is the average of a move in
the long run. Where it is 0, the bias is the total: what is gained on the way, and what the end, or play without end,
pays.

1. Begin with the actions that look best after some rounds of value iteration in floating point.
2. With all actions fixed, work out the first terms of the series, exactly. Positions that play comes back to for ever
   have the same gain, the average of a cycle. A term solves linear equations with the term before; the one number that
   these leave open among such positions follows from the next term, which must not grow from cycle to cycle.
3. Switch to better actions: a greater gain, of the same gain a greater bias, and so on. With two players MIN is done
   with before MAX switches. If actions come again, one more term tells which are better for every small s.
4. Where nobody can switch, three terms prove that gain and bias are best, also among strategies that remember: whoever
   acts otherwise gains nothing in the first two terms.

Sources: Howard, Dynamic Programming and Markov Processes, 1960; Blackwell, Discrete dynamic programming, Annals of
Mathematical Statistics 33, 1962; Miller and Veinott, Discrete dynamic programming with a small interest rate, Annals of
Mathematical Statistics 40, 1969; two players: Liggett and Lippman, SIAM Review 11, 1969.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any, TypeVar

from gdl.game import Number, exact
from gdl.states.components import strong_components
from gdl.states.linear import Equation, solve

Way = tuple[Any, Sequence[tuple[Any, int]]]  # a gain, and the probabilities of the positions that follow
Series = tuple[Number, ...]  # gain, bias, and further terms
Value = TypeVar("Value", bound=Number | Series)
PROVED = 2  # terms that are wanted,
PROVING = 3  # and those that prove them
GUESSING = 30  # rounds of value iteration before the exact work


def improve_choices(
    choices: dict[int, int],
    maximises: Mapping[int, bool],
    evaluate: Callable[[], Mapping[int, Value]],
    worth: Callable[[int, Mapping[int, Value]], list[Value]],
) -> Mapping[int, Value]:
    """Switch choices to better ones until nobody can, and return the values of the states then: `evaluate` gives them
    by the choices as they are, `worth` that of each choice at a state by values. A choice stays unless another is
    strictly better.
    MIN answers fully before MAX moves on: if both switched at once, the values need not rise, and this might go in a
    circle."""
    while True:
        values = evaluate()
        for side in (False, True):
            before = {number: choices[number] for number in choices if maximises[number] is side}
            better = {number: _best_choice(worth(number, values), choice, side) for number, choice in before.items()}
            choices |= better
            if better != before:
                break
        else:
            return values


def _best_choice(worth: list[Value], now: int, maximises: bool) -> int:
    """The choice that is best for the mover, `now` unless another is strictly better."""
    best = max(worth) if maximises else min(worth)
    return now if worth[now] == best else worth.index(best)


class GainAndBias:
    """Best play of both sides; `values` has the first terms of the series of every position, `choices` its action."""

    def __init__(
        self,
        ways: Mapping[int, Sequence[Way]],
        acting: Mapping[int, bool],
        moves: Mapping[int, int],
        price: Number,
        tick: Callable[[], None],
    ):
        """`ways`: of each position the ways on, one for every action of a decision; an end's gain is what it pays, and
        so is that of a way to a position of known value, which the way leaves out.
        `acting`: whether MAX moves at a decision; `moves`: 1 for a position that completes a move, 0 for chance, which
        belongs to the move before; `price`: of play without end. `tick` may raise LimitReached."""
        self.ways, self.acting, self.moves, self.price, self.tick = ways, acting, moves, price, tick
        self.values: Mapping[int, Series] = {}
        self.choices = dict.fromkeys(acting, 0)
        self._guess()
        self._is_endless = True  # whether play by the actions evaluated last can go on for ever
        self._terms = 2
        self._met: set[tuple[int, ...]] = set()

    def _guess(self) -> None:
        """Choose the actions that look best after some rounds of value iteration."""
        rough = in_floats(self.ways)
        values: dict[int, float] = dict.fromkeys(self.ways, float(self.price))
        for _ in range(GUESSING):
            for n in reversed(rough):
                worth = worth_of_ways(rough[n], values)
                values[n] = max(worth) if self.acting.get(n, True) else min(worth)
                if n in self.choices and worth[self.choices[n]] != values[n]:
                    self.choices[n] = worth.index(values[n])

    def improve(self, price: Number, proving: int = PROVING) -> None:
        """Switch to better actions until nobody can, at this price of play without end. Where play must end, PROVED
        terms prove themselves."""
        self.price, self._terms = price, PROVED
        for terms in range(PROVED, proving + 1):
            self._terms = max(self._terms, terms)
            self._met.clear()
            improve_choices(self.choices, self.acting, self._evaluate, self.worth)

    def worth(self, number: int, values: Mapping[int, Series]) -> list[Series]:
        """The terms of each way on from a position, if `values` has those of the positions that follow."""
        terms = range(len(values[number]))
        return [tuple(self._constant(k, way, {m: values[m][k - 1] for _, m in way[1]} if k else {})
                      + sum(w * values[m][k] for w, m in way[1]) for k in terms)
                for way in self.ways[number]]  # fmt: skip

    def _constant(self, k: int, way: Way, before: Mapping[int, Number]) -> Number:
        """The part of a position's term k that does not depend on the same term of the positions that follow; `before`
        has the previous term of those that complete a move."""
        gain, leads = way
        if k == 0:
            return 0
        found: Number = gain if k == 1 else self.price * self._moves_completed(way) if k == 2 else 0
        later: Number = sum(w * self.moves[m] * before[m] for w, m in leads)
        return found - later

    def _moves_completed(self, way: Way) -> Number:
        """The number of moves that a way completes on average: 1, less the probability of further chance."""
        moves: Number = sum(w * self.moves[m] for w, m in way[1])
        return moves

    def ways_taken(self) -> dict[int, Way]:
        """The way on from each position when everyone follows the choices."""
        return {n: own[self.choices.get(n, 0)] for n, own in self.ways.items()}

    def find_totals(self) -> dict[int, Number | float]:
        """The total from each position on; infinite where there is a gain in the long run."""
        return {n: bias if gain == 0 else inf if gain > 0 else -inf for n, (gain, bias, *_) in self.values.items()}

    def secured_total(self) -> Number | None:
        """The total from the first position that one player secures by the actions evaluated last: those chosen since
        are no worse. None if they let play go on for ever."""
        return self.values[0][1] if self.values and not self._is_endless else None

    def _evaluate(self) -> Mapping[int, Series]:
        """The terms of every position when everyone follows the choices."""
        self.tick()
        key = tuple(self.choices.values())
        if key in self._met:
            self._terms += 1
            self._met.clear()
        self._met.add(key)
        taken = self.ways_taken()
        classes = recurrent_classes(taken)
        self._is_endless = bool(classes)
        visits = _visits(taken, classes)
        terms: list[dict[int, Number]] = []
        before: dict[int, Number] = {}
        for k in range(self._terms):
            constants = {n: self._constant(k, way, before) for n, way in taken.items()}
            before = self._term(k, taken, classes, visits, constants)
            terms.append(before)
        self.values = {n: tuple(exact(term[n]) for term in terms) for n in taken}
        return self.values

    def _term(
        self, k: int, taken: Mapping[int, Way], classes: Sequence[Sequence[int]], visits: Mapping[int, Number],
        constants: Mapping[int, Number],
    ) -> dict[int, Number]:  # fmt: skip
        """The term k of every position: in each class up to a number, which makes the next term stay the same from
        cycle to cycle; then of all other positions. Raises ZeroDivisionError where chance alone goes on for ever."""
        inside = [n for members in classes for n in members]
        known: dict[int, Number] = {members[0]: 0 for members in classes}
        known = _expectations([n for n in inside if n not in known], taken, constants, known)
        for members in classes:
            moves = sum(visits[n] * self._moves_completed(taken[n]) for n in members)
            grows = sum(visits[n] * self._constant(k + 1, taken[n], known) for n in members)
            if not moves:
                raise ZeroDivisionError
            known |= {n: known[n] + Fraction(grows) / moves for n in members}
        return _expectations([n for n in taken if n not in known], taken, constants, known)


def in_floats(ways: Mapping[int, Sequence[Way]]) -> dict[int, list[Way]]:
    """The ways in floating point."""
    return {n: [(float(gain), [(float(w), m) for w, m in leads]) for gain, leads in own] for n, own in ways.items()}


def worth_of_ways(ways: Sequence[Way], values: Mapping[int, Any]) -> list[Any]:
    """The value of each way: its gain, and the weighted values of the positions that follow."""
    return [sum((weight * values[after] for weight, after in leads), gain) for gain, leads in ways]


def recurrent_classes(taken: Mapping[int, Way]) -> list[list[int]]:
    """The sets of positions that play by these ways comes back to for ever, once it is there."""
    edges = {n: [m for _, m in leads] for n, (_, leads) in taken.items()}
    parts = strong_components(taken, edges)
    stays = {n: sum(w for w, _ in leads) == 1 for n, (_, leads) in taken.items()}
    return [part for part in parts if all(stays[n] and set(part).issuperset(edges[n]) for n in part)]


def _visits(taken: Mapping[int, Way], classes: Sequence[Sequence[int]]) -> dict[int, Number]:
    """How often play comes to each position of a class, on average, between two visits of its first."""
    found: dict[int, Number] = {}
    for first, *others in classes:
        equations = {n: Equation(0, {}) for n in others}
        for n in (first, *others):
            for w, m in taken[n][1]:
                if m != first and n == first:
                    equations[m].constant += w
                elif m != first:
                    equations[m].weights[n] = equations[m].weights.get(n, 0) + w
        found |= {first: 1, **solve(equations)}
    return found


def _expectations(
    unknown: Sequence[int], taken: Mapping[int, Way], constants: Mapping[int, Number], known: dict[int, Number]
) -> dict[int, Number]:
    """`known`, and for the other positions the sum of the constants that play meets until it comes to a known one, and
    its number."""
    if not any(known.values()) and not any(constants[n] for n in unknown):
        return {**known, **dict.fromkeys(unknown, 0)}
    equations = {}
    for n in unknown:
        constant, weights = constants[n], dict[int, Number]()
        for w, m in taken[n][1]:
            if m in known:
                constant += w * known[m]
            else:
                weights[m] = weights.get(m, 0) + w
        equations[n] = Equation(constant, weights)
    return {**known, **solve(equations)}
