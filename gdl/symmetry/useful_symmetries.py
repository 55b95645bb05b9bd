"""The symmetries that are of use in play: those that lead from one position that can be reached to another one."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.explore import moves
from gdl.symmetry.group import Symmetry, generate_group

LOOKED_AT = 60  # positions


def find_useful_symmetries(
    rules: RulesGame, start: State, symmetries: Sequence[Symmetry], most: int
) -> tuple[Symmetry, ...]:
    """The symmetries that save work, as a group without the identity: those that map one of the first positions of play
    to another one. At most `most` are generated. (Othello looks the same after a quarter turn of the board, but no play
    from its start reaches both a position and its turned image.)"""
    positions = _first(rules, start)
    known = set(positions)
    group = generate_group(symmetries, most)
    useful = [one for one in group if any((image := one.image(p)) != p and image in known for p in positions)]
    return generate_group(useful, most)


def _first(rules: RulesGame, start: State) -> list[State]:
    """The first positions of play from `start`, breadth first."""
    found, at = [start], 0
    known = {start}
    while at < len(found) < LOOKED_AT:
        here = found[at]
        at += 1
        for move in moves(rules.node(here)):
            after = rules.successor(here, move)
            if after not in known:
                known.add(after)
                found.append(after)
    return found
