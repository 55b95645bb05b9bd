"""A case: the game, the claim, and what several checks need to know of the game, found when it is first asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Bounds, Chance, Decision, Game, Number, Terminal, exact, require_number
from gdl.numbers import read_number
from gdl.solution import Profile
from gdl.solvers.verify import endless, numbers
from gdl.solvers.verify.claim import Amounts, AnswerClaim
from gdl.solvers.verify.forgetting import best_reply_value, find_better
from gdl.solvers.verify.position_graph import VerifierGraph, collect, reach
from gdl.solvers.verify.replies import Behaviour, Judgement, expectation, read_profile
from gdl.solvers.verify.verdict import Finding, Unchecked
from gdl.solvers.verify.worth import Interval, intervals, outcomes

Found = TypeVar("Found")

STOPS = (LimitReached, Refusal, GameError, Unchecked)  # what makes a check impossible, and says why


@dataclass
class VerifierCase:
    """The claim to be checked, and the facts known about the game by now. At most `limit` positions are looked at."""

    game: Game[Any]
    claim: AnswerClaim
    limit: int
    _kept: dict[Any, Any] = field(default_factory=dict)

    def once(self, name: Any, work: Callable[[], Found]) -> Found:
        """The result of the work, which is done once; a reason why it cannot be done is raised each time."""
        if name not in self._kept:
            try:
                self._kept[name] = work()
            except STOPS as why:
                self._kept[name] = why
        found: Found = self._kept[name]
        if isinstance(found, STOPS):
            raise found
        return found

    @property
    def stop_reason(self) -> str | None:
        """The limit that stopped the work, in words, if one did."""
        return next((str(found) for found in self._kept.values() if isinstance(found, LimitReached)), None)

    # -- the game -------------------------------------------------------------------------------------------

    @property
    def graph(self) -> VerifierGraph:
        """All positions."""
        return self.once("ground", lambda: collect(self.game, self.limit))

    @property
    def promised_bounds(self) -> Bounds:
        """Between what numbers everyone's value lies by what the file promises and its rules prove of all ends."""
        return self.once("promised", lambda: numbers.promised_bounds(self.game))

    @property
    def total(self) -> Number | None:
        """The sum of all utilities, if it is always the same."""
        return self.graph.total

    @property
    def is_strictly_competitive(self) -> bool:
        """True if one player's gain is the other's loss."""
        return len(self.game.players) == 2 and self.total is not None

    @property
    def prices(self) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
        """The payoffs of endless play to everyone, at the least and at the most. Where the file names no price, it may
        be any between the utilities of ends, and 0."""
        price = self.game.promises.forever
        if price is not None:
            told = tuple(map(require_number, price))
            return told, told
        ends = [node.utilities for node in self.graph.positions.nodes if isinstance(node, Terminal)]
        columns = [[0, *map(require_number, column)] for column in zip(*ends, strict=True)] or [[0]] * len(
            self.game.players
        )
        return tuple(map(min, columns)), tuple(map(max, columns))

    def worth(self, player: int) -> list[Interval]:
        """Between what numbers the player's value of each position lies, all others being against them."""
        return self.once(("worth", player), lambda: self._worth(player))

    def _worth(self, player: int) -> list[Interval]:
        if not self.graph.cyclic:
            return intervals(self.graph.positions, player)
        low, high = [self._endless(player, price[player]) for price in self.prices]
        return list(zip(low, high, strict=True))

    def _endless(self, player: int, price: Number) -> list[Number]:
        """The value of each position to the player where play need not end."""
        positions = self.graph.positions
        if len(self.game.players) == 1:
            found = endless.least(positions, lambda end: -require_number(end.utilities[0]), -price)
            return [-found[position] for position in range(len(positions.nodes))]
        return endless.values(positions, player, price)

    def secured_everywhere(self, player: int) -> list[Interval]:
        """The values that the player secures, also where chance moves and positions of two opponents can come again."""
        if not (self.graph.cyclic and self.graph.chance and self.is_strictly_competitive):
            return self.worth(player)
        return self.once(("secured", player), lambda: self._secured_everywhere(player))

    def _secured_everywhere(self, player: int) -> list[Interval]:
        """Strategies of both sides are improved, each against the best reply, until nothing is better."""
        assert self.total is not None
        low, other = (
            endless.improve_strategies(self.graph.positions, one, self.prices[0][one], self.claim.strategy or {})
            for one in (player, 1 - player)
        )
        return [(least, exact(self.total - rest)) for least, rest in zip(low, other, strict=True)]

    @property
    def outcomes(self) -> list[list[tuple[Number, ...]]]:
        """The vectors that each position can be worth in backward induction, ties broken in every way."""
        return self.once("outcomes", self._outcomes)

    def _outcomes(self) -> list[list[tuple[Number, ...]]]:
        if self.graph.cyclic:
            raise Unchecked("positions can come again, and the players are not opposed")
        return outcomes(self.graph.positions)

    @property
    def first_decisions(self) -> list[int]:
        """The positions at which somebody decides first, after chance alone."""
        positions = self.graph.positions
        first = reach([0], lambda n: positions.successors[n] if isinstance(positions.nodes[n], Chance) else ())
        return [position for position in first if isinstance(positions.nodes[position], Decision)]

    # -- what the answer has its players do --------------------------------------------------------------------

    def behaviour(self, profile: Profile) -> Behaviour:
        """The profile by information sets. DamagedData where it is not one of this game."""
        sets = self.graph.positions.information_sets
        if len({(found.player, found.name) for found in sets}) < len(sets):
            raise Unchecked("two information sets of a player have the same name")
        return self.once(self._key("behaviour", profile), lambda: read_profile(self.graph.positions, profile))

    def _key(self, what: str, profile: Profile, *more: int) -> tuple[Any, ...]:
        """Under which something about a profile is kept; the profile is, too, so that no other is taken for it."""
        self._kept["profile", id(profile)] = profile
        return what, id(profile), *more

    def judge_profile(self, profile: Profile) -> Judgement:
        """Everyone's payoff by the profile, and the gain from leaving it."""
        if self.graph.cyclic:
            raise Unchecked("what could be gained is not worked out where positions can come again")
        return self.once(self._key("judged", profile), lambda: self._judge(profile))

    def _judge(self, profile: Profile) -> Judgement:
        value = expectation(self.graph.positions, self.behaviour(profile))
        return Judgement(value, tuple(exact(self._reply(profile, p) - paid) for p, paid in enumerate(value)))

    def _reply(self, profile: Profile, player: int) -> Number:
        """The payoff of the player's best reply to the others' part of the profile; where a lone player forgets that of
        any plan that is better."""

        def work() -> Number:
            positions, behaviour = self.graph.positions, self.behaviour(profile)
            if len(self.game.players) > 1 or self.game.traits.perfect_recall is not False:
                return best_reply_value(positions, behaviour, player)
            (paid,) = expectation(positions, behaviour)
            better = find_better(positions, paid)
            return paid if better is None else better

        return self.once(self._key("reply", profile, player), work)

    def secured_by(self, profile: Profile, player: int) -> Number:
        """The value that the player's part of the profile secures against the other, in a game of two opposed players;
        against nobody in a game of one; against all others where the answer says the secured value of each."""
        return self.once(self._key("secured", profile, player), lambda: self._secured_by(profile, player))

    def _secured_by(self, profile: Profile, player: int) -> Number:
        positions, behaviour = self.graph.positions, self.behaviour(profile)
        if self.graph.cyclic or self.claim.secured:
            price = self.prices[0][player]
            return endless.least(
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
        """The value that is to be proved; None where there is none or it is an estimate."""
        if self.claim.value is None or not self.claim.exact:
            return None
        return self.in_order(self.claim.value)

    def in_order(self, amounts: Amounts) -> tuple[Number | float, ...]:
        """The numbers in the order of the players. A decimal of an exact answer is that number."""
        numbers = [amounts.get(player, math.nan) for player in self.game.players]
        return tuple(x if x != x or not self.claim.exact else read_number(x) for x in numbers)


class VerifierCheck(NamedTuple):
    """A check, and the fields of which it says that they were not checked where it cannot be made."""

    check: Callable[[VerifierCase], Iterator[Finding]]
    fields: tuple[str, ...]
