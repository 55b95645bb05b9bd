"""A case: the game, the claim, and what several checks need to know of the game, found when it is first asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Bounds, Chance, Decision, Game, Number, Terminal, exact, maximiser, require_number
from gdl.numbers import read_number
from gdl.solution import Profile
from gdl.wings.verify.by_counts import judge_by_counts
from gdl.wings.verify.claim import Amounts, AnswerClaim, promised_bounds
from gdl.wings.verify.position_graph import Behaviour, VerifierGraph, collect, reach
from gdl.wings.verify.replies import Judgement, best_reply_value, expectation, find_better, read_profile
from gdl.wings.verify.verdict import Finding, Unchecked
from gdl.wings.verify.worth import Interval, improve_strategies, intervals, least_payoffs, outcomes, values

Found = TypeVar("Found")
Asked = ParamSpec("Asked")

SAMPLING = "mccfr"  # the solver whose strategies take the first action where they name nothing
STOPS = (LimitReached, Refusal, GameError, Unchecked)  # raised where a check cannot be made; the message says why


def found_once(
    work: Callable[Concatenate[VerifierCase, Asked], Found],
) -> Callable[Concatenate[VerifierCase, Asked], Found]:
    """A function of a case that works once for the same arguments: what it found is kept with the case; an exception of
    STOPS is kept too, and raised again each time. Profiles are the same if they are the same object."""

    @wraps(work)
    def find_once(case: VerifierCase, /, *args: Asked.args, **names: Asked.kwargs) -> Found:
        key = (work, *(id(one) if isinstance(one, Mapping) else one for one in args))
        if key not in case.kept:
            try:
                case.kept[key] = work(case, *args, **names), args  # kept too, so that an id stays its own
            except STOPS as why:
                case.kept[key] = why, args
        found: Found = case.kept[key][0]
        if isinstance(found, STOPS):
            raise found
        return found

    return find_once


@dataclass
class VerifierCase:
    """The answer to be checked, and the facts about its game found so far. At most `limit` positions are looked at."""

    game: Game[Any]
    claim: AnswerClaim
    limit: int
    kept: dict[Any, Any] = field(default_factory=dict)

    @property
    def stop_reason(self) -> str | None:
        """The message of the limit that stopped some of the work; None if none did."""
        return next((str(found) for found, _ in self.kept.values() if isinstance(found, LimitReached)), None)

    # -- the game -------------------------------------------------------------------------------------------

    @property
    @found_once
    def graph(self) -> VerifierGraph:
        """All positions of the game. Raises one of STOPS where they cannot be collected."""
        return collect(self.game, self.limit)

    @property
    @found_once
    def promised_bounds(self) -> Bounds:
        """For each player the bounds of the value, by what the file promises and its rules prove of all ends."""
        return promised_bounds(self.game)

    @property
    def total(self) -> Number | None:
        """The sum of the utilities, if all ends have the same; else None."""
        return self.graph.total

    @property
    def is_followed(self) -> bool:
        """True if an estimate has strategies of a game with more positions than the limit: they are followed."""
        if self.claim.strategy is None or self.claim.exact:
            return False
        try:
            return not self.graph  # which is there, if its positions can be listed at all
        except LimitReached:
            return True

    @property
    def is_strictly_competitive(self) -> bool:
        """True if there are two players and the sum of the utilities is the same at all ends."""
        return len(self.game.players) == 2 and self.total is not None

    @property
    def has_one_number(self) -> bool:
        """True if one number for each position says what it is worth: what one player secures, or gets alone."""
        return self.claim.secured or self.is_strictly_competitive or len(self.game.players) == 1

    @property
    def prices(self) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
        """The payoffs of endless play to all players, at the least and at the most. Where the file names no price, that
        is the range of the utilities at ends, widened to include 0."""
        price = self.game.promises.forever
        if price is not None:
            told = tuple(map(require_number, price))
            return told, told
        ends = [node.utilities for node in self.graph.positions.nodes if isinstance(node, Terminal)]
        columns = [[0, *map(require_number, column)] for column in zip(*ends, strict=True)] or [[0]] * len(
            self.game.players
        )
        return tuple(map(min, columns)), tuple(map(max, columns))

    @found_once
    def worth(self, player: int) -> list[Interval]:
        """For each position the bounds of the player's value, if all others play against this player."""
        if not self.graph.cyclic:
            return intervals(self.graph.positions, player)
        if self.graph.chance and self.is_strictly_competitive:
            return self._by_improving(player)
        low, high = [self._endless_values(player, price[player]) for price in self.prices]
        return list(zip(low, high, strict=True))

    def _by_improving(self, player: int) -> list[Interval]:
        """The bounds of the player's values, by improving strategies of both players until nothing is better."""
        assert self.total is not None
        low, other = (
            improve_strategies(self.graph.positions, one, self.prices[0][one], self.claim.strategy or {})
            for one in (player, 1 - player)
        )
        return [(end, exact(self.total - rest)) for end, rest in zip(low, other, strict=True)]

    def _endless_values(self, player: int, price: Number) -> list[Number]:
        """The value of each position to the player, in a game where play need not end and endless play pays the
        price."""
        positions = self.graph.positions
        if len(self.game.players) == 1:
            found = least_payoffs(positions, lambda end: -require_number(end.utilities[0]), -price)
            return [-found[position] for position in range(len(positions.nodes))]
        return values(positions, player, price)

    @property
    @found_once
    def outcomes(self) -> list[list[tuple[Number, ...]]]:
        """For each position all value vectors that backward induction can give, ties broken in every way."""
        if self.graph.cyclic:
            raise Unchecked("positions can come again, and the players are not opposed")
        return outcomes(self.graph.positions)

    @property
    @found_once
    def numbering(self) -> Any:
        """The numbering of the compiled engine, made once more: positions that no rule tells apart are one, and by the
        option `symmetry` also those that a symmetry of the game turns into each other. Raises Refusal if the engine
        does not take the game."""
        most, engine, symmetry = maximiser(self.game.players), self.game.engine, bool(self.claim.option("symmetry"))
        search = engine.search(RETROGRADE, maximiser=most, limit=self.limit, memory=engine.room(), symmetry=symmetry)
        for _ in search.explore():
            pass
        return search

    @property
    def first_decisions(self) -> list[int]:
        """The positions at which a player decides and before which only chance has moved."""
        positions = self.graph.positions
        first = reach([0], lambda n: positions.successors[n] if isinstance(positions.nodes[n], Chance) else ())
        return [position for position in first if isinstance(positions.nodes[position], Decision)]

    # -- what the answer has its players do --------------------------------------------------------------------

    @found_once
    def behaviour(self, profile: Profile) -> Behaviour:
        """The profile as probabilities by number of information set. Raises DamagedData if it is not one of this
        game."""
        sets = self.graph.positions.information_sets
        if len({(found.player, found.name) for found in sets}) < len(sets):
            raise Unchecked("two information sets of a player have the same name")
        rows = read_profile(self.graph.positions, profile)
        if self.claim.solver != SAMPLING:
            return rows
        return tuple(
            (1, *[0] * (len(h.actions) - 1)) if row is None else row for h, row in zip(sets, rows, strict=True)
        )

    @found_once
    def judge_profile(self, profile: Profile) -> Judgement:
        """The payoff of a profile to each player, and the most that each can gain by deviating alone."""
        if (counted := self.judged_by_counts(profile)) is not None:
            return counted
        if self.graph.cyclic:
            raise Unchecked("what could be gained is not worked out where positions can come again")
        value = expectation(self.graph.positions, self.behaviour(profile))
        return Judgement(value, tuple(exact(self._reply(profile, p) - paid) for p, paid in enumerate(value)))

    @found_once
    def judged_by_counts(self, profile: Profile) -> Judgement | None:
        """The judgement of a profile in which players who are alike all do the same; None of others."""
        return judge_by_counts(self.game, profile)

    @found_once
    def _reply(self, profile: Profile, player: int) -> Number:
        """The payoff of the player's best reply to the others' part of the profile. For a lone player who forgets, that
        of a plan that is better than the profile, if there is one."""
        positions, behaviour = self.graph.positions, self.behaviour(profile)
        if len(self.game.players) > 1 or self.game.traits.perfect_recall is not False:
            return best_reply_value(positions, behaviour, player)
        (paid,) = expectation(positions, behaviour)
        better = find_better(positions, paid)
        return paid if better is None else better

    @found_once
    def secured_by(self, profile: Profile, player: int) -> Number:
        """The payoff that the player's part of the profile secures: against the opponent in a game of two, against all
        others if the answer's values are secured ones, and in a game of one the payoff itself."""
        positions, behaviour = self.graph.positions, self.behaviour(profile)
        if self.graph.cyclic or self.claim.secured:
            price = self.prices[0][player]
            return least_payoffs(
                positions, lambda end: require_number(end.utilities[player]), price, player, behaviour
            )[0]
        assert self.total is not None
        return exact(self.total - self._reply(profile, 1 - player))

    def speaks_for(self, profile: Profile, player: int) -> bool:
        """True if the profile has a strategy for the player, or the player has no choice."""
        return bool(profile.get(self.game.players[player])) or not self.graph.positions.sets_of(player)

    # -- what it claims in numbers ------------------------------------------------------------------------------

    @property
    def value(self) -> tuple[Number | float, ...] | None:
        """The value to be proved, in the order of the players; None if the answer states none, or only an estimate."""
        if self.claim.value is None or not self.claim.exact:
            return None
        return self.in_order(self.claim.value)

    def in_order(self, amounts: Amounts) -> tuple[Number | float, ...]:
        """The numbers in the order of the players; NaN for a player who has none. In an exact answer a float is read as
        the exact number that its digits say; beside irrational probabilities, which are rounded, all are rounded."""
        numbers = [amounts.get(player, math.nan) for player in self.game.players]
        read = read_number if self.claim.exact else float if "algebraic" in self.claim.keys else lambda x: x
        return tuple(x if x != x else read(x) for x in numbers)


class VerifierCheck(NamedTuple):
    """A check, and the fields to be reported as not checked if it cannot be made."""

    check: Callable[[VerifierCase], Iterator[Finding]]
    fields: tuple[str, ...]
