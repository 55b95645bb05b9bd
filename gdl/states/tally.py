"""Statistics of random plays beside their value: who wins how often, how long play takes, and how many actions there
are to choose from.

An interval for a share is Wilson's (1927, "Probable inference, the law of succession, and statistical inference"),
which may be trusted for few plays too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

from gdl.game import Decision, Node, Number, Simultaneous

BRIEF = 4096  # plies: shorter plays are told apart by their length
ENDLESS = 1 << 62  # plies: no play is so long
_SURE = 1.96  # standard errors: 95 of 100 cases


@dataclass(frozen=True)
class Statistics:
    """Statistics of random plays: for each player the share of plays with the highest utility, alone (`wins`) or with
    others (`draws`); the plies of the shortest and the longest play; the quartiles of the plies (None: the plays are
    very long); the mean number of actions at a decision (None: nobody chose)."""

    wins: dict[str, float]
    draws: dict[str, float]
    shortest: int
    longest: int
    quartiles: tuple[int, int, int] | None
    branching: float | None


@dataclass
class Tally:
    """Counts of plays. `firsts` has two numbers for each player: plays in which the player alone has the highest
    utility, and plays in which others share it."""

    firsts: list[int]
    lengths: list[int]  # plays of so many plies; the last are those of BRIEF and more
    shortest: int = ENDLESS
    longest: int = 0
    decisions: int = 0
    choices: int = 0  # actions that could be chosen, in all decisions together

    @classmethod
    def empty(cls, players: int) -> Tally:
        return cls([0] * (2 * players), [0] * (BRIEF + 1))

    def decide(self, node: Node) -> None:
        """Count what players choose from at a node."""
        asked = (node.actions,) if isinstance(node, Decision) else ()
        for own in node.actions if isinstance(node, Simultaneous) else asked:
            self.decisions += bool(own)
            self.choices += len(own)

    def end(self, utilities: Sequence[Number], plies: int) -> None:
        """Count a play that is over."""
        highest = max(utilities)
        shared = utilities.count(highest) > 1
        for player, utility in enumerate(utilities):
            self.firsts[2 * player + shared] += utility == highest
        self.lengths[min(plies, BRIEF)] += 1
        self.shortest, self.longest = min(self.shortest, plies), max(self.longest, plies)

    def statistics(self, players: Sequence[str]) -> Statistics | None:
        """The statistics of the counted plays; None before any play is over."""
        plays = sum(self.lengths)
        if not plays:
            return None
        shares = [count / plays for count in self.firsts]
        return Statistics(
            dict(zip(players, shares[::2], strict=True)), dict(zip(players, shares[1::2], strict=True)),
            self.shortest, self.longest, self._quartiles(plays),
            self.choices / self.decisions if self.decisions else None,
        )  # fmt: skip

    def _quartiles(self, plays: int) -> tuple[int, int, int] | None:
        over = list(accumulate(self.lengths))  # how many plays are over after so many plies
        one, two, three = (next(n for n, count in enumerate(over) if 4 * count >= part * plays) for part in (1, 2, 3))
        return (one, two, three) if three < BRIEF else None


def interval(count: float, of: int, sure: float = _SURE) -> tuple[float, float]:
    """The interval that holds the true share, if `count` of `of` cases were counted; `sure` is its width in standard
    errors (by default for 95 of 100 cases)."""
    share, doubt = count / of, sure**2 / of
    middle = (share + doubt / 2) / (1 + doubt)
    reach = sqrt(share * (1 - share) * doubt + doubt**2 / 4) / (1 + doubt)
    return max(0.0, middle - reach), min(1.0, middle + reach)


# Means of the payoffs of many plays, with their standard errors.


class PayoffMeans(NamedTuple):
    """The mean payoff of each player over a number of plays, with its standard error."""

    plays: int
    means: tuple[float, ...]
    errors: tuple[float, ...]


def means_from_sums(plays: int, sums: Sequence[float], squares: Sequence[float]) -> PayoffMeans:
    """The means from the sums of the payoffs of all plays, and the sums of their squares."""
    if not plays:
        return PayoffMeans(0, (), ())
    means = tuple(total / plays for total in sums)
    spread = (max(0.0, square / plays - mean * mean) for square, mean in zip(squares, means, strict=True))
    return PayoffMeans(plays, means, tuple(sqrt(one / plays) for one in spread))
