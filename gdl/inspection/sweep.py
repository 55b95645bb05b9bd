"""A sweep: the answer for each value of a parameter, and the thresholds at which it becomes another one.

What counts as the answer is the best actions, the outcome, or which actions each equilibrium uses; numbers that move
with the parameter are no change. Between two neighbouring values with different answers, where the parameter takes
fractions:

1. Halve the stretch a dozen times, keeping the halves at whose ends the answers differ.
2. Try the simplest fraction in what is left (Stern and Brocot). Where the answer is another than on either side, as it
   is where somebody is indifferent, that is the threshold itself.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from gdl.game import Number, exact
from gdl.solution import Profile, Solution

HALVINGS = 12
REFINING_RUNS = 400  # beside those of the sweep

Answer = tuple[str, Any]  # what kind of answer it is, and the answer


class SweepRun(NamedTuple):
    """One value of the parameter, and the solution there."""

    value: Number
    solution: Solution

    @property
    def answer(self) -> Answer:
        return answer_of(self.solution)


class Threshold(NamedTuple):
    """Where the answer changes: between two values of the parameter; `at` one of them, where that is known."""

    low: Number
    high: Number
    at: Number | None
    before: Answer
    after: Answer


@dataclass(frozen=True)
class Sweep:
    """All runs, in the order of the values, and the thresholds between them."""

    parameter: str
    runs: tuple[SweepRun, ...]
    thresholds: tuple[Threshold, ...]
    complete: bool = True


def answer_of(solution: Solution) -> Answer:
    """The recommendation of a solution, in a form that can be compared with others."""
    if solution.equilibria:
        return "equilibria", tuple(sorted(map(_profile_support, solution.equilibria)))
    if solution.combinatorial is not None:
        return "outcome", solution.combinatorial.outcome
    if solution.best:
        return "best", tuple(sorted(solution.best))
    if solution.strategy is not None:
        return "strategy", _profile_support(solution.strategy)
    return "nothing", ()


def _profile_support(profile: Profile) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Which actions are played at all, by player and information set."""
    return tuple(
        (player, name, tuple(action for action, chance in mixture.items() if chance))
        for player, sets in profile.items()
        for name, mixture in sets.items()
    )


def thresholds(runs: Sequence[SweepRun], solve_at: Callable[[Number], Solution | None]) -> tuple[Threshold, ...]:
    """Where the answers of neighbouring runs differ, each enclosed as closely as the parameter can be set. `solve_at`
    gives None where it cannot."""
    found = [(run.value, run.answer) for run in runs]
    search = _Search(found, solve_at)
    for (low, _), (high, _) in pairwise(found):
        search.refine(low, high)
    return search.changes()


class _Search:
    """The answers by the values at which they were asked for, in order."""

    def __init__(self, found: Sequence[tuple[Number, Answer]], solve_at: Callable[[Number], Solution | None]):
        self.known: list[tuple[Number, Answer]] = sorted(found, key=lambda pair: pair[0])
        self.grid = frozenset(value for value, _ in found)
        self.solve_at = solve_at
        self.runs = REFINING_RUNS

    def refine(self, low: Number, high: Number) -> None:
        """Ask between two values until the stretches with different ends are short."""
        shortest = Fraction(high - low) / 2**HALVINGS
        work = [(low, high)]
        while work:
            low, high = work.pop()
            if self._at(low) == self._at(high):
                continue
            if high - low <= shortest:
                self._ask(simplest(low, high))
            elif self._ask(exact(Fraction(low + high) / 2)):
                middle = exact(Fraction(low + high) / 2)
                work += [(low, middle), (middle, high)]

    def _at(self, value: Number) -> Answer:
        return next(answer for known, answer in self.known if known == value)

    def _ask(self, value: Number) -> bool:
        """Ask for the answer at a value; True if there is one."""
        self.runs -= 1
        solution = self.solve_at(value) if self.runs >= 0 else None
        if solution is None:
            return False
        insort(self.known, (value, answer_of(solution)), key=lambda pair: pair[0])
        return True

    def changes(self) -> tuple[Threshold, ...]:
        """One threshold for each change; at one value where the answer there is that of neither side."""
        found: list[Threshold] = []
        number = 0
        while number + 1 < len(self.known):
            (low, before), (high, after) = self.known[number : number + 2]
            if before != after:
                later = self.known[number + 2] if number + 2 < len(self.known) else None
                if later is not None and later[1] != after and self._is_alone(number + 1):
                    found.append(Threshold(low, later[0], high, before, later[1]))
                    number += 1
                else:
                    found.append(Threshold(low, high, None, before, after))
            number += 1
        return tuple(found)

    def _is_alone(self, number: int) -> bool:
        """True if the answers next to this value, and very near, are others."""
        (low, _), (here, _), (high, _) = self.known[number - 1 : number + 2]
        near = {value for value in (low, high) if value not in self.grid}
        return bool(near) or here not in self.grid


def simplest(low: Number, high: Number) -> Number:
    """The fraction of least denominator strictly between two numbers (Stern and Brocot's tree)."""
    low, high = Fraction(low), Fraction(high)
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return 0 if low < 0 < high else whole + 1 if low >= 0 else -(-high.numerator // high.denominator) - 1
    terms: list[int] = []
    while True:  # both lie from one whole number to the next: go on with what is left, turned over
        terms.append(whole)
        low, high = (low - whole, high - whole)
        low, high = 1 / high, (1 / low if low else Fraction(high.denominator * 4 + 4))
        whole = low.numerator // low.denominator
        if whole + 1 < high:
            terms.append(whole + 1)
            break
    value = Fraction(terms.pop())
    for term in reversed(terms):
        value = term + 1 / value
    return exact(value)


def answer_as_json(answer: Answer) -> Mapping[str, Any]:
    """The answer as plain data, for JSON."""
    kind, what = answer
    if kind == "equilibria":
        return {kind: [_profile(used) for used in what]}
    if kind == "strategy":
        return {kind: _profile(what)}
    return {} if kind == "nothing" else {kind: what if isinstance(what, str) else list(what)}


def _profile(used: Sequence[tuple[str, str, tuple[str, ...]]]) -> dict[str, dict[str, list[str]]]:
    profile: dict[str, dict[str, list[str]]] = {}
    for player, name, actions in used:
        profile.setdefault(player, {})[name] = list(actions)
    return profile
