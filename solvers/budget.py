"""The budget of a search: nodes and seconds, with word of its progress, and a partial answer when it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Protocol, runtime_checkable

from gdl.concepts import installed_concept
from gdl.errors import GameError, Interrupted, LimitReached, count_text, listing
from gdl.errors.deadline import CLOCK, Deadline, stopped_after
from gdl.errors.shares import JUDGING_SHARE, READY_SHARE
from gdl.game import Bounds, Game, Number, bounds_at, exact, tightest_bounds
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.look_ahead import look_ahead, outlook_bounds
from gdl.solvers.one_ply import LOOKERS, look_one_ply
from gdl.solvers.secured import bounds_of_ends, bounds_of_shares, security_levels

_EVERY = 25  # nodes between two reports of progress, at which a search can be stopped: one may take a millisecond

Progress = Callable[[int], None]  # called now and then with the number of nodes visited; may raise LimitReached


@runtime_checkable
class DepthProgress(Protocol):
    """Progress that is also told what a search that goes deeper and deeper has found so far."""

    def __call__(self, nodes: int) -> None:
        """Hear the number of nodes visited."""

    def deeper(self, answer: Callable[[], Solution]) -> None:
        """Hear that a further depth is done; `answer` gives what has been found."""


class Budget:
    """The nodes and seconds that a search may spend. `visit` counts a node, and raises LimitReached when they are
    spent. Seconds count from the making of the budget; those of a Deadline are running already."""

    def __init__(self, nodes: int | None = None, time: float | None = None, progress: Progress | None = None):
        self.nodes = nodes
        self.time = time
        self.progress = progress
        self.spent = 0
        self._deadline = time.end if isinstance(time, Deadline) else None if time is None else CLOCK.now() + time

    def visit(self) -> None:
        """Count one more node. Raises LimitReached when a limit is passed."""
        if self.nodes is not None and self.spent >= self.nodes:
            raise self.out_of_nodes()
        self.spent += 1
        if self._deadline is not None:
            self.check_time()
        if self.progress and self.spent % _EVERY == 0:
            self.progress(self.spent)

    @property
    def is_spent(self) -> bool:
        """True if no node is left."""
        return self.nodes is not None and self.spent >= self.nodes

    def out_of_nodes(self) -> LimitReached:
        """The error to raise where no node is left."""
        assert self.nodes is not None
        return LimitReached(f"stopped after {count_text(self.nodes, 'node')}, the limit set for this search")

    def check_time(self) -> None:
        """Raise LimitReached if the time is over."""
        if self._deadline is not None and CLOCK.now() > self._deadline:
            raise self.out_of_time()

    def out_of_time(self) -> LimitReached:
        """The error to raise when the time is over."""
        assert self.time is not None
        return LimitReached(stopped_after(self.time))

    def has(self, time: float) -> bool:
        """True if more than `time` seconds are left, or time is not limited."""
        return self.seconds_left is None or self.seconds_left > time

    @property
    def seconds_left(self) -> float | None:
        """The seconds that are left; None without a limit."""
        return None if self._deadline is None else self._deadline - CLOCK.now()

    def allows_more_than(self, nodes: int) -> bool:
        """True if there is no limit of nodes, or it is larger than this number."""
        return self.nodes is None or self.nodes > nodes

    def part(self, nodes: int | None, share: float) -> Budget:
        """A budget for a part of the work that begins now: `nodes` of its own (None: no limit), and a share of the time
        that is left."""
        other = self.without_node_limit()
        other.nodes = nodes
        if self._deadline is not None:
            now = CLOCK.now()
            other._deadline = now + share * max(0.0, self._deadline - now)
        return other

    def begins_now(self) -> None:
        """Note that the search itself begins now: if preparations took nearly all the time, READY_SHARE of it is
        granted anew."""
        if self.time is not None and self._deadline is not None:
            self._deadline = max(self._deadline, CLOCK.now() + READY_SHARE * self.time)

    def sparing(self, seconds: float) -> Budget:
        """This budget without its last seconds, which are kept for work on the findings of the search."""
        other = Budget(self.nodes, self.time, self.progress)
        other._deadline = None if self._deadline is None else self._deadline - seconds
        return other

    def without_node_limit(self) -> Budget:
        """A budget with the same clock and no limit of nodes, for work that does not count against this one."""
        other = Budget(None, self.time, self.progress)
        other._deadline = self._deadline
        return other


@dataclass(frozen=True)
class SearchLimits:
    """The limits that every solver takes. None: no limit, except that for nodes a solver may have a default. The time
    is in seconds, a Deadline if they are running already."""

    nodes: int | None = None
    time: float | None = None
    progress: Progress | None = None

    def budget(self, usual: int | None = None) -> Budget:
        """The budget of a search within these limits, with `usual` as the limit of nodes if none is set."""
        return Budget(usual if self.nodes is None else self.nodes, self.time, self.progress)

    @property
    def is_set(self) -> bool:
        """True if the nodes or the time are limited."""
        return self.nodes is not None or self.time is not None

    def part(self, share: float) -> SearchLimits:
        """Limits for work that may take this share of the time that is left; a time that is not running stays as it
        is."""
        return replace(self, time=self.time.part(share)) if isinstance(self.time, Deadline) else self

    def leaving(self, share: float) -> SearchLimits:
        """These limits, with the clock put off if less than this share of its seconds is left."""
        return replace(self, time=self.time.leaving(share)) if isinstance(self.time, Deadline) else self


NO_LIMITS = SearchLimits()


class TableTooLarge(LimitReached):
    """The table of all players' plans would be larger than is allowed."""


@contextmanager
def answering(partial: Callable[[], Solution]) -> Iterator[None]:
    """If a limit or Ctrl-C stops the block, attach the `partial` answer to the exception."""
    try:
        yield
    except LimitReached as stop:
        raise LimitReached(str(stop), _add_limit(partial(), str(stop))) from None
    except KeyboardInterrupt:
        raise Interrupted(_add_limit(partial(), "interrupted")) from None


def _add_limit(answer: Solution, limit: str) -> Solution:
    """The answer with one more limit noted that stopped it."""
    return replace(answer, limit=f"{answer.limit}; {limit}" if answer.limit else limit)


# Proven bounds of everyone's value where a limit stops a solver.
#
# 1. Strategies for two players of constant sum, with their regrets, enclose the value from both sides.
# 2. What a search has proved of one of them, and what the file promises or its rules prove of all utilities, hold as
#    well; so does what the ends pay and actions secure, where the file lists them.
#
# So a solver that has found nothing still leaves the bounds that are known without it.


@contextmanager
def proving(game: Game[Any], solver: str, time: float | None = None) -> Iterator[None]:
    """If a limit or Ctrl-C stops the solver in the block, attach to the exception the partial answer with what is
    proven of the value. `time` is the limit of time, if there is one."""
    try:
        yield
    except LimitReached as stop:
        partial = _with_outlook(game, partial_answer(game, solver, stop.partial, str(stop)), time)
        stop.partial = within_bounds(partial if time is None else _with_action(game, partial))
        raise
    except KeyboardInterrupt as stop:
        partial = partial_answer(game, solver, getattr(stop, "partial", None), str(Interrupted()))
        partial = within_bounds(_with_action(game, partial))
        told = partial.nodes is not None or partial.interval or says_something(partial)
        raise Interrupted(partial if told else None) from None


def partial_answer(game: Game[Any], solver: str, partial: object, limit: str) -> Solution:
    """The partial answer of a solver, with proven bounds of the value; `partial` that is no Solution counts as none."""
    found = partial if isinstance(partial, Solution) else None
    answer = found or Solution(game.name, solver, game.players, game.traits, exact=False, limit=limit)
    if not says_something(answer):
        answer = replace(answer, exact=False)
    if answer.exact or answer.secured or answer.unknowns or game.traits.unknowns:
        return answer
    enclosed = _by_regret(answer)
    if enclosed is not None and says_something(answer):  # two opponents' strategies say more than all that follows
        return replace(answer, interval=tightest_bounds(enclosed, answer.interval) if answer.interval else enclosed)
    levels = security_levels(game)
    row = installed_concept(answer.concept or solver)
    opposed = len(game.players) == 2 and game.traits.constant_sum is not None
    proving = tuple((level, None) for level, _ in levels) if opposed and (row is None or row.secures) else ()
    answer = replace(answer, interval=enclosing_bounds(game, answer, proving))
    return _with_note(answer, levels)


def _with_outlook(game: Game[Any], answer: Solution, time: float | None) -> Solution:
    """The answer with bounds by a look ahead, if it has none but those that are known without a search."""
    known = enclosing_bounds(game, Solution(game.name, answer.solver, game.players, concept=answer.concept))
    found = answer.exact or answer.secured or answer.regret is not None or answer.unknowns or game.traits.unknowns
    if found or answer.interval != known:
        return answer
    clock = nullcontext() if time is None else Deadline.starting_now(JUDGING_SHARE * max(1.0, time)).enforce(grace=0.0)
    with clock:
        outlooks = look_ahead(game)
    row = installed_concept(answer.concept or answer.solver)
    secures = game.traits.has_scalar_value and (row is None or row.secures)
    seen = replace(answer, interval=enclosing_bounds(game, answer, outlook_bounds(outlooks) if secures else ()))
    least = [low for low, _ in known or ((None, None),) * len(outlooks)]
    levels = [(one.secured, one.action) for one in outlooks]
    pairs = zip(levels, least, strict=bool(levels))
    news = [one if one[0] not in (low, -inf) and (one[1] or not secures) else None for one, low in pairs]
    return _with_note(seen, news)


def _with_action(game: Game[Any], answer: Solution) -> Solution:
    """The answer of a search that looked for an action, with the best one ply ahead, if it has nothing else."""
    return answer if answer.solver not in LOOKERS or says_something(answer) else look_one_ply(game, answer)


def within_bounds(answer: Solution) -> Solution:
    """The answer whose value, if it is an estimate beside proven bounds, is the nearest number that these allow."""
    if answer.value is None or answer.interval is None:
        return answer
    found = []
    for value, ends in zip(answer.value, answer.interval, strict=True):
        low, high = (value if end is None else float(end) if isinstance(value, float) else end for end in ends)
        found.append(sorted((value, low, high))[1])
    return replace(answer, value=tuple(found))


def _with_note(answer: Solution, levels: Sequence[tuple[Number | float, str] | None]) -> Solution:
    """The answer with a note on the levels that players secure, with the action that does it, or "" for a mixture; None
    for those who are not named."""
    sign, least = (-1, "costs of at most") if answer.cost else (1, "at least")
    words = [
        f"{name} secures {least} {brief(sign * level[0])}" + (f" by {level[1]}" if level[1] else "")
        for name, level in zip(answer.players, levels, strict=bool(levels))
        if level is not None
    ]
    note = f"Whatever the others play, {listing(words)}."
    told = answer.strategy or answer.equilibria or note in answer.notes
    return replace(answer, notes=(*answer.notes, note)) if words and not told else answer


def says_something(answer: Solution) -> bool:
    """True if the answer says what anybody gets, or how to play."""
    told = (answer.best, answer.strategy, answer.equilibria)
    return answer.value is not None or any(map(bool, told)) or answer.part.says_something


def enclosing_bounds(game: Game[Any], answer: Solution, secured: Bounds = ()) -> Bounds | None:
    """Bounds on the values, as far as the answer, the file, its rules and what is `secured` by the players prove them;
    None if nothing is known of any player's."""
    row = installed_concept(answer.concept or answer.solver)
    bounds = bounds_of_shares(game) if row is not None and row.shares else promised_bounds(game)
    for proven in (answer.interval, _by_regret(answer), secured):
        bounds = tightest_bounds(bounds, proven) if proven else bounds
    bounds = _of_both(game, bounds)
    return bounds if any(end is not None for pair in bounds for end in pair) else None


def promised_bounds(game: Game[Any]) -> Bounds:
    """The bounds of every player's value that the file promises, its rules prove or the listed ends show."""
    bounds = bounds_of_ends(game)
    with suppress(GameError):  # a promise that cannot be computed
        bounds = tightest_bounds(bounds, bounds_at(game, game.initial()))
    return _of_both(game, bounds)


def _of_both(game: Game[Any], bounds: Bounds) -> Bounds:
    """The bounds of two opponents of constant sum, each tightened by the other's; other bounds as they are."""
    if len(bounds) == 2 and game.traits.constant_sum is not None:
        rest = [rest_bounds(pair, game.traits.constant_sum) for pair in reversed(bounds)]
        return tightest_bounds(bounds, tuple(rest))
    return bounds


def _by_regret(answer: Solution) -> Bounds | None:
    """The bounds on the values of two opponents by the value of the answer's strategies and their regrets; None if
    these are not known exactly."""
    traits, value, regret = answer.traits, answer.value, answer.regret
    opposed = len(answer.players) == 2 and traits is not None and traits.constant_sum is not None
    if not opposed or value is None or regret is None or any(isinstance(number, float) for number in value):
        return None
    return tuple((exact(value[p] - regret[1 - p]), exact(value[p] + regret[p])) for p in (0, 1))  # type: ignore[arg-type]


def rest_bounds(pair: tuple[Number | None, Number | None], total: Number) -> tuple[Number | None, Number | None]:
    """The bounds of the rest of the total, by the bounds of a part of it (None: no bound)."""
    low, high = pair
    return (None if high is None else exact(total - high), None if low is None else exact(total - low))


def secured_bounds(answer: Solution, mover: int, value: tuple[Number, ...]) -> Bounds:
    """The proven bounds when the first mover has an action that was searched to its end and has this value: the mover
    gets at least that much."""
    return tuple((value[p] if p == mover else None, None) for p in range(len(answer.players)))
