"""Counterfactual regret minimisation over the sequences of a game's players, by definition (see cfr.py).

All sequences are numbered one player after the other, each player's empty one first, and each set stands behind those
that lead to it. An iteration updates one player after the other:

1. The player's plan is added to the average with a weight that grows with the iterations, and each sequence gains what
   its ends pay, weighted by the plans of the others, those before in the round already new.
2. From the last set to the first: an action is worth the gain of its sequence, a set the average of its actions by
   their shares; its worth is added to the gain of the sequence that leads to it.
3. What an action is worth more than its set is added to its regret; the method says how old regrets go on.
4. The next shares are in proportion to the positive regrets, all equal where none is positive.
5. From the first set to the last: the new plan.

Compiled code that does the same in the same order finds the same numbers, to the bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from math import sqrt
from operator import mul
from typing import Any, Literal, NamedTuple

from gdl.errors import EngineFault
from gdl.errors.deadline import CLOCK

Method = Literal["plus", "discounted", "predictive"]
KEPT = ("plan", "share", "regret", "average")  # the numbers of each sequence from which iterations can go on
HALVING = 0.5  # of negative regrets, by `discounted`
_FIRST_SLICE_ITERATIONS = 1  # iterations of the first slice


class CfrSequenceTable(NamedTuple):
    """A game as its sequences, numbered one player after the other, each player's empty one first."""

    sequences: tuple[int, ...]  # how many each player has
    sets: tuple[tuple[tuple[int, int, int], ...], ...]  # of each player: first sequence, actions, sequence before
    led: array[int]  # for each combination of sequences, one of each player, that leads to ends: these sequences,
    paid: array[float]  # and what the ends pay each player, times the probability of chance's part
    amounts: array[int] | None = None  # the same in whole numbers, to judge averages; None: not needed


class AveragePayoffs(NamedTuple):
    """The exact payoffs of strategies whose probabilities are whole numbers of equal parts. `value`: what the
    strategies pay each player, in units of one part of every player multiplied together; `most`: what the best reply to
    the others' strategies pays, in units of one part of every other player multiplied together."""

    weights: tuple[tuple[int, ...], ...]
    value: tuple[int, ...]
    most: tuple[int, ...]


class Minimiser(ABC):
    """The average strategies of all players, which get better with every iteration. `numbers` has by name the array of
    a number for each sequence, for each name in KEPT, and `rounds`, the number of iterations done."""

    numbers: Mapping[str, Any]
    fault: EngineFault | None = None  # the reason why compiled code runs as Python unasked

    def __init__(self, table: CfrSequenceTable):
        self.table = table
        self.torn = False  # True if an iteration was left half done
        self._slice = _FIRST_SLICE_ITERATIONS

    @abstractmethod
    def iterate(self, count: int) -> None:
        """Make `count` more iterations."""

    @abstractmethod
    def judge_average(self, parts: int) -> AveragePayoffs:
        """The average strategies rounded to fractions with `parts` as denominator, and their exact payoffs."""

    @property
    def iterations(self) -> int:
        """The number of iterations done."""
        return int(self.numbers["rounds"][0])

    def run(self, until: int, seconds: float) -> bool:
        """Iterate until `until` iterations are done or about `seconds` seconds have passed. Returns True if they are
        done."""
        begun = CLOCK.now()
        while self.iterations < until:
            now = CLOCK.now()
            if now - begun > seconds:
                return False
            count = min(self._slice, until - self.iterations)
            self.torn = True
            self.iterate(count)
            self.torn = False
            took = CLOCK.now() - now
            if took < seconds / 8 and count == self._slice:
                self._slice *= 2
            elif took > seconds / 2 and self._slice > 1:
                self._slice //= 2
        return True

    def average(self) -> Sequence[float]:
        """The weight of every sequence in the average strategies. The weights of a set's actions sum to that of the
        sequence before it, up to a common factor."""
        return list(self.numbers["average"])

    def restore(self, numbers: Mapping[str, array[float]], iterations: int) -> None:
        """Continue from saved arrays, those named in KEPT, after this number of iterations."""
        for name in KEPT:
            self._put(name, numbers[name])
        self.numbers["rounds"][0] = iterations

    def take(self, average: Sequence[float], iterations: int) -> None:
        """Take over the average strategies that another method found in this number of iterations."""
        self._put("average", array("d", average))
        self.numbers["rounds"][0] = iterations

    def _put(self, name: str, numbers: array[float]) -> None:
        memoryview(self.numbers[name])[: len(numbers)] = memoryview(numbers)


class ReferenceMinimiser(Minimiser):
    """The reference implementation: every step as it is written above."""

    def __init__(self, table: CfrSequenceTable, method: Method):
        """Begin with all actions equally likely."""
        super().__init__(table)
        self._method = method
        self._begin = (*accumulate(table.sequences, initial=0),)  # the empty sequence of each player
        self._players = range(len(table.sequences))
        self.numbers = {name: array("d", bytes(8 * self._begin[-1])) for name in KEPT} | {"rounds": array("q", [0])}
        self._plan, self._share, self._regret, self._average = (self.numbers[name] for name in KEPT)
        self._gain = array("d", bytes(8 * self._begin[-1]))
        for player in self._players:
            self._plan[self._begin[player]] = 1.0
            for first, count, _ in table.sets[player]:
                self._share[first : first + count] = array("d", [1.0 / count] * count)
            self._replan(player)

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self.numbers["rounds"][0] += 1
            number = float(self.iterations)
            grown = (number - 1.0) * sqrt(number - 1.0)
            weight = number if self._method == "plus" else number * number
            for player in self._players:
                self._collect(player, weight)
                self._compare(player, grown / (grown + 1.0))
                self._replan(player)

    def _collect(self, player: int, weight: float) -> None:
        """Step 1: gather what each sequence of the player gains against the present plans of the others."""
        plan, gain, led, paid = self._plan, self._gain, self.table.led, self.table.paid
        for sequence in range(self._begin[player], self._begin[player + 1]):
            self._average[sequence] += weight * plan[sequence]
            gain[sequence] = 0.0
        others = [other for other in self._players if other != player]
        for end in range(0, len(led), len(self._players)):
            likely = paid[end + player]
            for other in others:
                likely = likely * plan[led[end + other]]
            gain[led[end + player]] += likely

    def _compare(self, player: int, fading: float) -> None:
        """Steps 2 to 4: from the last set back, compare the actions of each set, and update regrets and shares."""
        share, gain = self._share, self._gain
        for first, count, before in reversed(self.table.sets[player]):
            own = range(first, first + count)
            worth = 0.0  # added up one by one: `sum` rounds otherwise
            for sequence in own:
                worth += share[sequence] * gain[sequence]
            gain[before] += worth
            total = 0.0
            for sequence in own:
                hope = self._add_regret(sequence, gain[sequence] - worth, fading)
                share[sequence] = hope if hope > 0.0 else 0.0
                total += share[sequence]
            for sequence in own:
                share[sequence] = share[sequence] / total if total > 0.0 else 1.0 / count

    def _add_regret(self, sequence: int, more: float, fading: float) -> float:
        """Step 3: update the regret of a sequence that was worth so much `more` than its set. Returns the number to
        which its next share is in proportion, if that is positive."""
        known = self._regret[sequence]
        if self._method == "discounted":
            self._regret[sequence] = found = known * (fading if known > 0.0 else HALVING) + more
            return found
        found = known + more if known + more > 0.0 else 0.0
        self._regret[sequence] = found
        # `predictive` expects that the last difference comes once more.
        return found + more if self._method == "predictive" else found

    def _replan(self, player: int) -> None:
        """Step 5: make the player's next plan from the shares."""
        for first, count, before in self.table.sets[player]:
            for sequence in range(first, first + count):
                self._plan[sequence] = self._plan[before] * self._share[sequence]

    def judge_average(self, parts: int) -> AveragePayoffs:
        whole = self._round_average(parts)
        value, most = [], []
        for player, (begin, end) in enumerate(pairwise(self._begin)):
            worth = self._gain_of_sequences(player, whole)
            value.append(sum(map(mul, whole[begin:end], worth[begin:end])))
            for first, count, before in reversed(self.table.sets[player]):
                worth[before] += max(worth[first : first + count])
            most.append(worth[begin])
        weights = tuple(tuple(whole[begin:end]) for begin, end in pairwise(self._begin))
        return AveragePayoffs(weights, tuple(value), tuple(most))

    def _round_average(self, parts: int) -> list[int]:
        """The average strategies in whole numbers: the actions of a set have together as many parts as the sequence
        that leads there. What rounding down leaves over goes to the likeliest action."""
        average, whole = self._average, [0] * self._begin[-1]
        for player in self._players:
            whole[self._begin[player]] = parts
            for first, count, before in self.table.sets[player]:
                own = range(first, first + count)
                total = 0.0
                for sequence in own:
                    total += average[sequence]
                for sequence in own:
                    part = average[sequence] / total if total > 0.0 else 1.0 / count
                    whole[sequence] = int(float(whole[before]) * part)
                whole[max(own, key=average.__getitem__)] += whole[before] - sum(whole[first : first + count])
        return whole

    def _gain_of_sequences(self, player: int, whole: Sequence[int]) -> list[int]:
        """The gain of each sequence of a player at its own ends against the rounded plans of the others."""
        assert self.table.amounts is not None
        worth, led = [0] * self._begin[-1], self.table.led
        for end in range(0, len(led), len(self._players)):
            likely = self.table.amounts[end + player]
            for other in self._players:
                if other != player:
                    likely *= whole[led[end + other]]
            worth[led[end + player]] += likely
        return worth
