"""A sweep: the answer for each value of a parameter, and the thresholds at which it becomes another one.

What counts as the answer is the best actions, the outcome, or which actions each equilibrium uses; numbers that move
with the parameter are no change. Between two neighbouring values with different answers, where the parameter takes
fractions:

1. Halve the stretch a dozen times, keeping the halves at whose ends the answers differ.
2. Try the simplest fraction in what is left (Stern and Brocot). Where the answer is another than on either side, as it
   is where somebody is indifferent, that is the threshold itself.
3. If a change is left at an end of the sweep, try a value much closer to it. Where the answer there is already that of
   the values beyond, the end is the threshold.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from gdl.game import Number, exact
from gdl.record import Record
from gdl.solution import Profile, Solution

HALVINGS = 12
CLOSER = 2**40  # how many times closer to an end a value is tried
REFINING_RUNS = 400  # beside those of the sweep

Answer = tuple[str, Any]  # the kind of the answer ("best", "equilibria", …), and the answer


class SweepRun(NamedTuple):
    """A value of the parameter, and the solution there."""

    value: Number
    solution: Solution

    @property
    def answer(self) -> Answer:
        return answer_of(self.solution)


class Threshold(NamedTuple):
    """A place where the answer changes, between two values of the parameter. `at` is a value between them where it has
    yet another answer, or the one of them that ends the sweep, if it alone has its answer; None if no such value is
    known."""

    low: Number
    high: Number
    at: Number | None
    before: Answer
    after: Answer


class SeveralEquilibria(NamedTuple):
    """A stretch of the parameter, from `low` to `high`, with the same number of `equilibria` throughout, more than
    one."""

    low: Number
    high: Number
    equilibria: int


Strand = list[tuple[Number, tuple[Number | float, ...]]]  # values of the parameter, each with what everybody gets


class Sweep(Record):
    """The runs for the values of a parameter, in order, and the thresholds between them. `asked` are all runs, with
    those made to find the thresholds; `traced` is a curve of profiles over the parameter, where a solver gives one."""

    parameter: str
    runs: tuple[SweepRun, ...]
    thresholds: tuple[Threshold, ...] = ()
    asked: tuple[SweepRun, ...] = ()
    traced: tuple[tuple[float, Profile], ...] = ()

    def strands(self) -> list[Strand]:
        """Curves of payoffs over the parameter: of equilibria that use the same actions, or of the value between two
        thresholds."""
        grid = {run.value for run in self.runs}
        done: list[Strand] = []
        open_: dict[Any, Strand] = {}
        for before, run in zip((None, *self.asked), self.asked, strict=False):
            if before is not None and not {before.value, run.value} <= grid and before.answer != run.answer:
                done += [open_.pop(key) for key in list(open_) if key == ""]
            kept = {key: [*open_.pop(key, []), (run.value, pays)] for key, pays in _payoffs(run.solution)}
            done += open_.values()
            open_ = kept
        return [*done, *open_.values()]

    def several(self) -> list[SeveralEquilibria]:
        """The stretches of the parameter with more than one equilibrium, between values that were asked for or are
        thresholds: those in between are but steps of the search for a threshold."""
        told = {run.value for run in self.runs} | {one.at for one in self.thresholds}
        counted = groupby(
            (run for run in self.asked if run.value in told), key=lambda run: len(run.solution.equilibria)
        )
        stretches = [(count, [run.value for run in same]) for count, same in counted if count > 1]
        return [SeveralEquilibria(values[0], values[-1], count) for count, values in stretches]


def _payoffs(solution: Solution) -> Iterator[tuple[Any, tuple[Number | float, ...]]]:
    """The payoffs of each equilibrium, keyed by the actions that it uses; if there are none, the value, keyed by ""."""
    if not solution.equilibria and solution.value is not None:
        yield "", solution.value
    met: Counter[Any] = Counter()
    for profile, pays in paid_equilibria(solution):
        used = _profile_support(profile)
        met[used] += 1
        yield (used, met[used]), pays


def paid_equilibria(solution: Solution) -> list[tuple[Profile, tuple[Number | float, ...]]]:
    """Each equilibrium of a solution with what everybody gets: the value, where the solution does not list it for
    each."""
    pays = solution.payoffs or [solution.value or ()] * len(solution.equilibria)
    return list(zip(solution.equilibria, pays, strict=True))


def answer_of(solution: Solution) -> Answer:
    """The recommendation of a solution, in a form that can be compared with those of other solutions."""
    if solution.equilibria:
        return "equilibria", tuple(sorted(map(_profile_support, solution.equilibria)))
    if solution.part.summary:
        return "outcome", solution.part.summary
    if solution.best:
        return "best", tuple(sorted(solution.best))
    if solution.strategy is not None:
        return "strategy", _profile_support(solution.strategy)
    return "nothing", ()


def _profile_support(profile: Profile) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """The actions that have a positive probability in a profile, by player and information set."""
    return tuple(
        (player, name, tuple(action for action, chance in mixture.items() if chance))
        for player, sets in profile.items()
        for name, mixture in sets.items()
    )


def thresholds(
    runs: Sequence[SweepRun], solve_at: Callable[[Number], Solution | None]
) -> tuple[tuple[Threshold, ...], tuple[SweepRun, ...]]:
    """The thresholds between neighbouring runs with different answers, each enclosed as closely as the parameter can be
    set, and all runs made by then. `solve_at` gives None for a value at which the game cannot be solved."""
    search = _Search(runs, solve_at)
    for low, high in pairwise(runs):
        search.refine(low.value, high.value)
    return search.changes(), tuple(search.known)


class _Search:
    """A search for thresholds, with the runs so far in the order of their values."""

    def __init__(self, runs: Sequence[SweepRun], solve_at: Callable[[Number], Solution | None]):
        self.known = sorted(runs, key=_value)
        self.grid = frozenset(map(_value, runs))
        self.solve_at = solve_at
        self.runs = REFINING_RUNS

    def refine(self, low: Number, high: Number) -> None:
        """Solve at values between two others, until each change of the answer is enclosed in a short stretch."""
        shortest = Fraction(high - low) / 2**HALVINGS
        work = [(low, high)]
        while work:
            low, high = work.pop()
            if self._answer_at(low) == self._answer_at(high):
                continue
            if high - low <= shortest:
                self._ask(simplest_fraction(low, high))
                for end, other in ((low, high), (high, low)):
                    if end in (self.known[0].value, self.known[-1].value):
                        self._ask(exact(end + Fraction(other - end) / CLOSER))
            elif self._ask(exact(Fraction(low + high) / 2)):
                middle = exact(Fraction(low + high) / 2)
                work += [(low, middle), (middle, high)]

    def _answer_at(self, value: Number) -> Answer:
        return self.known[bisect_left(self.known, value, key=_value)].answer

    def _ask(self, value: Number) -> bool:
        """Solve at a value, if that can be done; True if there is a run for it."""
        self.runs -= 1
        solution = self.solve_at(value) if self.runs >= 0 else None
        if solution is None:
            return False
        insort(self.known, SweepRun(value, solution), key=_value)
        return True

    def changes(self) -> tuple[Threshold, ...]:
        """The thresholds between the runs so far. A single value with an answer of its own between two others makes one
        threshold, not two."""
        found: list[Threshold] = []
        number = 0
        while number + 1 < len(self.known):
            low, high = self.known[number : number + 2]
            if low.answer != high.answer:
                later = self.known[number + 2] if number + 2 < len(self.known) else None
                if later is not None and later.answer != high.answer and self._is_alone(number + 1):
                    found.append(Threshold(low.value, later.value, high.value, low.answer, later.answer))
                    number += 1
                else:
                    closest = (high.value - low.value) * CLOSER <= self.known[-1].value - self.known[0].value
                    ends = {0: low.value, len(self.known) - 2: high.value} if closest else {}
                    found.append(Threshold(low.value, high.value, ends.get(number), low.answer, high.answer))
            number += 1
        return tuple(found)

    def _is_alone(self, number: int) -> bool:
        """True if the run with this number has an answer of its own at a single value, as at a point of indifference:
        one of its neighbours is a value tried close to it, or it was itself tried in the search."""
        low, here, high = map(_value, self.known[number - 1 : number + 2])
        near = {value for value in (low, high) if value not in self.grid}
        return bool(near) or here not in self.grid


def _value(run: SweepRun) -> Number:
    return run.value


def simplest_fraction(low: Number, high: Number) -> Number:
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
    """The answer as data that can be written as JSON."""
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
