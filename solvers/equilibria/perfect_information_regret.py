"""The judge where everyone sees everything, and all positions were met: it looks only where one player deviates.

1. With one player free and the others held to the profile, find the positions that can be reached.
2. From the ends back, a position is worth its best action where the free player moves, else the average by the profile
   or by chance.
3. What the start is worth then, less what the profile pays, is the player's regret.
"""

from __future__ import annotations

from typing import Any

from gdl.errors import DamagedData
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, exact, require_number
from gdl.solution import Profile
from gdl.solvers.equilibria.behaviour import Row
from gdl.states.explore import WalkResult, topological_order


class OpenGameProfile:
    """All positions of a game in which nothing is hidden, and what a profile does there."""

    def __init__(self, game: Game[Any], profile: Profile, walked: WalkResult):
        self.game = game
        self.profile = profile
        self.states = walked.states
        self.expansions = sorted(walked.expansions)
        self.order = topological_order([expansion.children for expansion in self.expansions])
        self._rows: dict[int, Row] = {}

    @property
    def is_by_turns(self) -> bool:
        """Whether nobody is asked together with others, not even to do nothing."""
        return not any(isinstance(expansion.node, Simultaneous) for expansion in self.expansions)

    @property
    def ends(self) -> bool:
        """Whether no position comes again."""
        return len(self.order) == len(self.states)

    def worth(self, player: int, free: bool) -> Number:
        """What the start is worth to a player who is free, or holds to the profile as the others do."""
        met = self._reachable_positions(player if free else None)
        values: dict[int, Number] = {}
        for number in reversed(self.order):
            if number not in met:
                continue
            node, children = self.expansions[number].node, self.expansions[number].children
            if isinstance(node, Terminal):
                values[number] = require_number(node.utilities[player])
            elif free and isinstance(node, Decision) and node.player == player:
                values[number] = max(values[child] for child in children)
            else:
                shares = zip(self._row(number), children, strict=True)
                values[number] = exact(sum(share * values[child] for share, child in shares if share))
        return values[0]

    def _reachable_positions(self, free: int | None) -> set[int]:
        """The positions that can be reached where this player alone is free."""
        met = {0}
        for number in self.order:
            if number in met:
                _, node, _, children = self.expansions[number]
                if isinstance(node, Terminal) or (isinstance(node, Decision) and node.player == free):
                    met.update(children)
                else:
                    met.update(child for share, child in zip(self._row(number), children, strict=True) if share)
        return met

    def _row(self, number: int) -> Row:
        """The probabilities of what can happen at a position."""
        if number not in self._rows:
            self._rows[number] = self._read(number)
        return self._rows[number]

    def _read(self, number: int) -> Row:
        node = self.expansions[number].node
        if isinstance(node, Chance):
            return tuple(probability for _, probability in node.outcomes)
        assert isinstance(node, Decision)
        player = self.game.players[node.player]
        name = self.game.describe(self.states[number], node.player)
        mixture = self.profile.get(player, {}).get(name)
        if mixture is None:
            raise DamagedData(f"the profile does not say what {player} does at {name}, which can be reached")
        return tuple(mixture.get(action, 0) for action in node.actions)
