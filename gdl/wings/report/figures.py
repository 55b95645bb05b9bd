"""The numbers of a report, counted from the plays.

A player wins a play whose utility is the highest alone; where several have the highest, the play is a draw among them.
An interval of a share is Wilson's (1927), for 95 of 100 cases. The seats' intervals all hold at once in so many: of
more than two seats each has the error divided by their number (Bonferroni). A seat is better or worse where its
interval excludes an even share, so that of fair games 5 in 100 are called unfair, however many seats they have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, exp, log, sqrt
from statistics import NormalDist, fmean
from typing import Any

from gdl.errors import Span
from gdl.formats.playout_answers import PlayLengths
from gdl.game import Game
from gdl.states.tally import interval
from gdl.wings.report import report_answers as form
from gdl.wings.report.drama import Drama, drama
from gdl.wings.report.trace import RuleNames, Trace

ERROR = 0.05
BALANCED = 0.05  # of an even share, within which a game counts as balanced
NORMAL = NormalDist().inv_cdf(1 - ERROR / 2)


def share_of(part: float, of: int, sure: float = NORMAL) -> form.ShareAnswer | None:
    """A share of a number of cases, with an interval so many standard errors wide, by default for 95 of 100 cases; None
    of no cases."""
    return form.ShareAnswer(part / of, interval(part, of, sure), of) if of else None


@dataclass(frozen=True)
class Report:
    """The figures of a game's plays, all computed from the plays, so that a part of them can be reported as well."""

    name: str
    players: tuple[str, ...]
    agents: tuple[str, ...]
    seed: int
    size: form.GameSizeAnswer | None
    judged_by: str | None  # exact, evaluate or search
    rules: tuple[str, ...]  # names of the actions, in the order of the file
    steps: tuple[tuple[str, ...], ...]  # names of each chance step: of its own, and of what draws it in a body
    lines: tuple[tuple[int, str], ...]  # number and text of each line of `terminal`
    traces: tuple[Trace, ...]
    wanted: int
    forever: tuple[int, str] | None = None  # number and text of the line that prices play without end
    cost: bool = False  # whether the file states costs, which people are told in place of utilities
    search: Report | None = None  # plays by a search, too few of which ended to be reported

    @cached_property
    def ended_plays(self) -> tuple[Trace, ...]:
        """The plays that came to an end."""
        return tuple(trace for trace in self.traces if not trace.is_endless)

    @cached_property
    def counted_plays(self) -> tuple[Trace, ...]:
        """The plays that have utilities: those that ended and, where the file gives play without end a value, also the
        unfinished ones."""
        return tuple(trace for trace in self.traces if trace.utilities is not None)

    @property
    def endless_plays(self) -> int:
        """The number of plays that were broken off as too long."""
        return len(self.traces) - len(self.ended_plays)

    @property
    def endless_choices(self) -> form.ShareAnswer | None:
        """The share of all choices that were made in plays broken off as too long."""
        return share_of(sum(len(trace.choices) for trace in self.traces if trace.is_endless), len(self.ways))

    @cached_property
    def decisive_plays(self) -> tuple[Trace, ...]:
        """The plays with one winner."""
        return tuple(trace for trace in self.counted_plays if trace.winner is not None)

    # -- who wins -------------------------------------------------------------------------------------------

    @cached_property
    def seats(self) -> tuple[form.StandingAnswer, ...]:
        return tuple(
            _standing(name, [(trace, (seat,)) for trace in self.counted_plays], self._interval_width)
            for seat, name in enumerate(self.players)
        )

    @cached_property
    def standings(self) -> tuple[form.StandingAnswer, ...]:
        """The results of each agent, over all the seats that it had."""
        return tuple(
            _standing(name, [(t, seats) for t in self.counted_plays if (seats := _seats_of(t.seats, number))])
            for number, name in enumerate(self.agents)
        )

    @property
    def plays_for_balance(self) -> int:
        """The number of plays with one winner that are needed to show that no seat of a fair game wins a share farther
        than BALANCED from an even one."""
        return ceil((self._interval_width / BALANCED) ** 2 * self.even * (1 - self.even))

    @property
    def _interval_width(self) -> float:
        """The width of the seats' intervals, in standard errors; of two seats one share gives the other."""
        compared = len(self.players) if len(self.players) > 2 else 1
        return NormalDist().inv_cdf(1 - ERROR / (2 * compared))

    @property
    def even(self) -> float:
        """The share of the plays with one winner that each seat would have in a fair game."""
        return 1 / len(self.players)

    @cached_property
    def uneven(self) -> tuple[form.StandingAnswer, ...]:
        """The seats whose share of wins differs from an even share by more than chance explains."""
        if len(self.players) < 2:
            return ()
        shares = [(seat, seat.share.interval) for seat in self.seats if seat.share is not None]
        return tuple(seat for seat, (low, high) in shares if not low <= self.even <= high)

    @cached_property
    def first(self) -> form.StandingAnswer | None:
        """The results of the player who makes the first decision, if it is the same player in every play that ended;
        else None."""
        movers = {trace.first for trace in self.ended_plays}
        (mover,) = movers if len(movers) == 1 else (None,)
        return None if mover is None or len(self.players) < 2 else self.seats[mover]

    # -- how long, and from how much to choose --------------------------------------------------------------

    @cached_property
    def lengths(self) -> list[int]:
        return sorted(trace.plies for trace in self.ended_plays)

    @property
    def plies(self) -> PlayLengths | None:
        """The lengths of the plays that ended; None if there are none."""
        every, last = self.lengths, len(self.lengths) - 1
        if not every:
            return None
        quartiles = [every[min(last, len(every) * part // 4)] for part in (1, 2, 3)]
        return PlayLengths(every[0], quartiles, sum(every) / len(every), every[-1])

    @cached_property
    def ways(self) -> list[int]:
        """The number of actions to choose from, for each decision of each play."""
        return [choice.ways for trace in self.traces for choice in trace.choices]

    @property
    def branching(self) -> float | None:
        return fmean(self.ways) if self.ways else None

    @property
    def geometric(self) -> float | None:
        """The geometric mean of the number of actions at a decision; None without decisions. Plays with this number at
        every decision would form a tree of the same size."""
        return exp(fmean(map(log, self.ways))) if self.ways else None

    @cached_property
    def course(self) -> list[float]:
        """The mean number of actions at the first decision of a play, at the second and so on, up to the last that at
        least half of the plays reach."""
        most = sorted((len(trace.choices) for trace in self.traces), reverse=True)
        last = most[len(most) // 2] if most else 0
        return [fmean(trace.choices[at].ways for trace in self.traces if at < len(trace.choices)) for at in range(last)]

    @property
    def forced_share(self) -> form.ShareAnswer | None:
        """The share of decisions at which there was only one action."""
        return share_of(self.ways.count(1), len(self.ways))

    @cached_property
    def different(self) -> int:
        """The number of plays that differ from all plays before them."""
        return len({trace.played for trace in self.traces})

    # -- what is used ---------------------------------------------------------------------------------------

    @cached_property
    def endings(self) -> tuple[form.Ending, ...]:
        counts = Counter(trace.ending for trace in self.ended_plays)
        found = tuple(form.Ending(line, text, counts[number]) for number, (line, text) in enumerate(self.lines))
        endless = len(self.counted_plays) - len(self.ended_plays)
        return (*found, form.Ending(*self.forever, endless)) if endless and self.forever else found

    @cached_property
    def actions(self) -> tuple[form.RuleUse, ...]:
        """The use of each action's rule. Its shares are those of all choices by winners and of all by losers, in plays
        with one winner."""
        offered, chosen, won, lost = (Counter[str]() for _ in range(4))
        for trace in self.traces:
            winner = trace.winner
            for choice in trace.choices:
                offered.update(choice.offered)
                chosen[choice.rule] += 1
                if winner is not None:
                    (won if choice.player == winner else lost)[choice.rule] += 1
        totals = won.total(), lost.total()
        return tuple(
            form.RuleUse(rule, offered[rule], chosen[rule], *map(share_of, (won[rule], lost[rule]), totals))
            for rule in self.rules or sorted(offered)
        )

    @cached_property
    def dead(self) -> list[form.DeadRule]:
        """The rules that no play used, each with how it went unused ("never legal", "never chosen", …) and its name."""
        if not any(trace.plies for trace in self.traces):
            return []
        met = {step for trace in self.traces for step in trace.steps}
        idle = [end for end in self.endings if not end.count]
        return [
            *(form.DeadRule("never legal", use.rule) for use in self.actions if not use.legal),
            *(form.DeadRule("never chosen", use.rule) for use in self.actions if use.legal and not use.chosen),
            *(form.DeadRule("never drawn", step) for step, *more in self.steps if met.isdisjoint((step, *more))),
            *(form.DeadRule("never ends a play", f"line {end.line}: {end.text}") for end in idle),
        ]

    @cached_property
    def drama(self) -> Drama | None:
        return drama(self.traces, len(self.players)) if self.judged_by else None


def _seats_of(seats: Sequence[int], agent: int) -> tuple[int, ...]:
    return tuple(seat for seat, number in enumerate(seats) if number == agent)


def _standing(name: str, found: Sequence[tuple[Trace, Sequence[int]]], sure: float = NORMAL) -> form.StandingAnswer:
    """The results of a seat or of an agent, from the seats that it had in the plays."""
    places = [(trace, seat) for trace, seats in found for seat in seats]
    won = sum(trace.winner == seat for trace, seat in places)
    drawn = sum(len(trace.best) > 1 and seat in trace.best for trace, seat in places)
    decided = sum(trace.winner is not None for trace, _ in places)
    gains = [float(trace.utilities[seat]) for trace, seat in places if trace.utilities is not None]
    mean = fmean(gains) if gains else 0.0
    spread = sum((gain - mean) ** 2 for gain in gains)
    error = sqrt(spread / (len(gains) - 1) / len(gains)) if len(gains) > 1 else 0.0
    return form.StandingAnswer(
        agent=name, plays=len(places), won=won, drawn=drawn, share=share_of(won, decided, sure), mean=mean, error=error,
        score=share_of(won + drawn / 2, len(places)),
    )  # fmt: skip


def report_of(
    game: Game[Any], agents: Sequence[str], seed: int, traces: Sequence[Trace], size: form.GameSizeAnswer | None,
    judged_by: str | None, wanted: int,
) -> Report:  # fmt: skip
    """The report of the plays of a game."""
    rules = RuleNames(game).rules
    model = None if rules is None else rules.model
    lines = [] if model is None else [_line(clause.span) for clause in model.clauses]
    steps: dict[Any, list[str]] = {}
    for rule in () if model is None else model.chances:
        steps.setdefault(rule.span, []).append(rule.name)
    return Report(
        game.name, game.players, tuple(agents), seed, size, judged_by,
        () if model is None else tuple(dict.fromkeys(rule.name for rule in model.actions)),
        tuple(map(tuple, steps.values())),
        tuple(lines), tuple(traces), wanted,
        None if model is None or model.forever_span is None else _line(model.forever_span), game.promises.cost,
    )  # fmt: skip


def _line(span: Span) -> tuple[int, str]:
    """The number and the text of the line in which a span begins."""
    return span.line, span.source.line_text(span.line).partition("#")[0].strip()
