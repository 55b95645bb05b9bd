"""Strategies of a game whose positions are too many: only those are looked at to which the strategies lead.

All but one player follow their strategies, and become chance. What is left is a game of one player, and its best value
is what a best reply to the others pays (Kuhn 1953). At an information set that is not named the first action is taken.
Probabilities are decimals here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.game import Chance, Decision, Game, Node
from gdl.solution import Profile
from gdl.states.game_wrapper import GameWrapper
from gdl.states.sequential import Sequential
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import amounts, same_all
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.replies import best_reply, expectation, read_row
from gdl.wings.verify.value import compare_interval
from gdl.wings.verify.verdict import Finding


class Followed(GameWrapper):
    """The game in which all but one player (None: all) follow their strategies."""

    def __init__(self, game: Game[Any], profile: Profile, free: int | None):
        super().__init__(game)
        self.profile, self.free = profile, free

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if not isinstance(node, Decision) or node.player == self.free:
            return node
        name = self.describe(state, node.player)
        mixture = self.profile.get(self.players[node.player], {}).get(name) or {node.actions[0]: 1}
        row = read_row(node.actions, mixture, name)
        shares = zip(node.actions, map(float, row), strict=True)
        return Chance(tuple((action, share) for action, share in shares if share))  # type: ignore[misc]


def check_followed(case: VerifierCase) -> Iterator[Finding]:
    """Findings on what the strategies pay, on what each player could gain by leaving them, and on the interval."""
    if not case.is_followed or case.claim.strategy is None:
        return
    turns, players = Sequential(case.game), case.game.players
    profile, total = case.claim.strategy, case.game.traits.constant_sum
    free = (*range(len(players)), None)
    followed = [collect(Followed(turns, profile, player), case.limit).positions for player in free]
    paid = expectation(followed[-1], ())
    most = [best_reply(positions, (), player).value for player, positions in enumerate(followed[:-1])]
    yield Finding(True, ("strategy",), f"the strategies pay {amounts(players, paid)}")
    if case.claim.value is not None:
        yield Finding(same_all(case.in_order(case.claim.value), paid), ("value",), "the value is what they pay")
    if case.claim.regret is not None:
        gains = [max(0, best - own) for best, own in zip(most, paid, strict=True)]
        holds = same_all(tuple(map(float, case.in_order(case.claim.regret))), gains)
        yield Finding(holds, ("regret",), f"by deviating could gain {amounts(players, gains)}")
    if case.claim.interval is not None and total is not None and len(players) == 2:
        for name, least, best in zip(players, reversed(most), most, strict=True):
            if name in case.claim.interval:
                yield compare_interval(name, case.claim.interval[name], (total - least, best))
