"""Who leads, how often that changes, and from how far behind a play is won, by the judgement of every position.

A position's leader is the player whose number is the greatest alone; where several have the greatest, the leader stays
who it was. After Browne, "Automatic generation and evaluation of recombination games" (2008), whose measures of lead
change, drama and uncertainty these follow; the numbers here are utilities, exact or estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from gdl.wings.report.trace import Estimate, Trace


@dataclass(frozen=True)
class Drama:
    """The drama of a number of plays that ended. `changes`: the mean number of changes of the leader in a play, with
    its standard `error`. Among the `decided` plays, those with one winner: `comebacks` counts those in which the winner
    was behind at some time, `deficit` is the mean of the greatest distance by which the winner was behind, as a share
    of the widest difference of utilities. `settled` is the share of a play that is over when the last leader takes the
    lead."""

    plays: int
    changes: float
    error: float
    decided: int
    comebacks: int
    deficit: float
    settled: float


def drama(traces: Sequence[Trace], players: int) -> Drama | None:
    """The drama of the plays, from the judgements of their positions; None where there are none, or there is only one
    player."""
    judged = [trace for trace in traces if not trace.is_endless and len(trace.judged) > 1]
    if not judged or players < 2:
        return None
    changes = [_changes(trace.judged) for trace in judged]
    counts = [len(found) for found in changes]
    decided = [trace for trace in judged if trace.winner is not None]
    widest = max((max(end) - min(end) for trace in judged for end in trace.judged[-1:]), default=0.0)
    deficits = [_deficit(trace) for trace in decided]
    return Drama(
        len(judged),
        fmean(counts),
        stdev(counts) / len(counts) ** 0.5 if len(counts) > 1 else 0.0,
        len(decided),
        sum(deficit > 0 for deficit in deficits),
        fmean(deficits) / widest if deficits and widest else 0.0,
        fmean((found or [0])[-1] / (len(t.judged) - 1) for found, t in zip(changes, judged, strict=True)),
    )


def _changes(judged: Sequence[Estimate]) -> list[int]:
    """The numbers of the positions at which the lead goes from one player to another."""
    found, leader = list[int](), None
    for place, numbers in enumerate(judged):
        greatest = max(numbers)
        if numbers.count(greatest) > 1 or numbers.index(greatest) == leader:
            continue
        if leader is not None:
            found.append(place)
        leader = numbers.index(greatest)
    return found


def _deficit(trace: Trace) -> float:
    """The greatest distance by which the winner was behind the leader."""
    winner = trace.winner
    assert winner is not None
    return max(max(numbers) - numbers[winner] for numbers in trace.judged)
