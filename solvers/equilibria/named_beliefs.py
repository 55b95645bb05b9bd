"""Beliefs by the names of players, information sets and nodes, as answers tell them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from gdl.errors import DamagedData
from gdl.game import Number
from gdl.solution import Profile
from gdl.solvers.equilibria.position_paths import PositionPaths
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.verdicts import BeliefSystem


def write_beliefs(positions: PositionGraph, beliefs: BeliefSystem) -> Profile:
    """The beliefs by names: player, information set, and for each node the actions that lead there."""
    names = PositionPaths(positions).names
    written: dict[str, dict[str, dict[str, Number]]] = {player: {} for player in positions.players}
    for held, found in zip(beliefs, positions.information_sets, strict=True):
        written[positions.players[found.player]][found.name] = {names[m]: held.get(m, 0) for m in found.members}
    return written


def read_beliefs(positions: PositionGraph, beliefs: Profile) -> list[Mapping[int, Number]]:
    """The beliefs by position, for each information set. Raises DamagedData if they are not of this game."""
    names = PositionPaths(positions).names
    there = {(positions.players[found.player], found.name) for found in positions.information_sets}
    for player, own in beliefs.items():
        for name in own:
            if (player, name) not in there:
                raise DamagedData(f"no information set of {player} is called {name!r}")
    read: list[Mapping[int, Number]] = []
    for found in positions.information_sets:
        told = beliefs.get(positions.players[found.player], {}).get(found.name)
        if told is None:
            raise DamagedData(f"no belief is told of {found.name}")
        nodes = {names[member]: member for member in found.members}
        strange = next((node for node in told if node not in nodes), None)
        if strange is not None:
            raise DamagedData(f"no node at {found.name} is called {strange!r}")
        if any(share < 0 for share in told.values()) or sum(told.values(), Fraction(0)) != 1:
            raise DamagedData(f"the belief at {found.name} does not sum to one")
        read.append({nodes[node]: share for node, share in told.items()})
    return read
