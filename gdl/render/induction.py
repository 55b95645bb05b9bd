"""Backward induction told as a search: the steps of minimax, expectiminimax and max^n, from the values they found.

Every node is looked at, in the order of the file; there are no windows, and nothing is cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gdl.game import Chance, Decision, Game, Number, maximiser
from gdl.render.nodes import Nodes
from gdl.solution import Event, Path, Solution

Value = Number | tuple[Number, ...]


def induction_events(game: Game[Any], solution: Solution) -> tuple[Event, ...]:
    """The events of a solution that lists the values of all nodes: enter, leaf, update after each child, leave.

    A value is MAX's number where one says what everyone gets, else the vector. Nodes whose values are not listed (the
    list of a large game is cut short) are left out.
    """
    return tuple(_events(Nodes(game), solution.values, scalar_player(solution)))


def scalar_player(solution: Solution) -> int | None:
    """Whose number stands for the whole vector: the player called MAX, else the first; None where none does."""
    traits = solution.traits
    players = solution.players
    opposed = len(players) == 2 and traits is not None and traits.constant_sum is not None
    if not opposed and len(players) != 1:
        return None
    return maximiser(players)


def _events(nodes: Nodes, values: Mapping[Path, tuple[Number, ...]], scalar: int | None) -> Iterator[Event]:
    def value(path: Path) -> Value:
        vector = values[path]
        return vector if scalar is None else vector[scalar]

    stack: list[tuple[Path, int]] = [((), 0)]  # a node, and how many of its children were looked at
    while stack:
        path, looked = stack.pop()
        children = [child for child in nodes.children(path) if child in values]
        if not children:
            yield Event(path, "leaf", value=value(path), bound="exact")
            continue
        if looked:
            yield _update(nodes, path, children[:looked], values, scalar, looked == len(children))
        else:
            yield Event(path, "enter")
        if looked < len(children):
            stack += [(path, looked + 1), (children[looked], 0)]
        else:
            yield Event(path, "leave", value=value(path), bound="exact")


def _update(
    nodes: Nodes,
    path: Path,
    seen: list[Path],
    values: Mapping[Path, tuple[Number, ...]],
    scalar: int | None,
    last: bool,
) -> Event:
    """The best for the mover among the children seen; of a chance node nothing until all are seen."""
    node = nodes.at(path).node
    if isinstance(node, Chance):
        vector = values[path] if last else None
        shown = vector if vector is None or scalar is None else vector[scalar]
        return Event(path, "update", value=shown, bound="exact" if last else None)
    assert isinstance(node, Decision)
    best = max((values[child] for child in seen), key=lambda vector: vector[node.player])  # the first of equals
    bound = "lower" if scalar in (None, node.player) else "upper"
    return Event(path, "update", value=best if scalar is None else best[scalar], bound="exact" if last else bound)
