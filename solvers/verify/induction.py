"""Backward induction over the unfolded tree, once more, for the verifier: the value of every node, and every step.

A node is worth what its mover likes best of what its children are worth, the first of equals; a chance node the average
of them; an end its utilities. Told as a search: enter a node, look at its children one after the other, leave it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.game import Decision, Number, actions, maximiser
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.plain_induction import Key, Worths
from gdl.solvers.verify.verdict import Unchecked

MOST_NODES = 100_000  # nodes of the unfolded tree that are listed, level by level

Vector = tuple[Number, ...]


def values(case: VerifierCase) -> dict[Path, Vector]:
    """The value of every node to everyone, by its path."""
    worths, keys = case.once("unfolded", lambda: _unfold(case))
    return {path: worths.found[key] for path, key in keys.items()}


def trace(case: VerifierCase) -> list[dict[str, Any]]:
    """The steps, in the form of the JSON of an answer."""
    found = values(case)
    scalar = maximiser(case.game.players) if case.game.traits.has_scalar_value else None  # whose number stands for all
    worths, keys = case.once("unfolded", lambda: _unfold(case))
    nodes = {path: worths.game.node(state) for path, (state, _) in keys.items()}
    players = case.game.players

    def vector_as_json(vector: Vector) -> Any:
        if scalar is not None:
            return to_json(vector[scalar])
        return {player: to_json(number) for player, number in zip(players, vector, strict=True)}

    def step(path: Path, event: str, vector: Vector | None = None, bound: str | None = None) -> dict[str, Any]:
        value = None if vector is None else vector_as_json(vector)
        return {"node": list(path), "event": event, "alpha": None, "beta": None, "value": value, "bound": bound}

    def steps() -> Iterator[dict[str, Any]]:
        stack: list[tuple[Path, int]] = [((), 0)]
        while stack:
            path, looked = stack.pop()
            children = [child for k in range(len(actions(nodes[path]))) if (child := (*path, k)) in found]
            if not children:
                yield step(path, "leaf", found[path], "exact")
                continue
            last = looked == len(children)
            if not looked:
                yield step(path, "enter")
            elif isinstance(node := nodes[path], Decision):
                mover = node.player
                best = max((found[child] for child in children[:looked]), key=lambda vector: vector[mover])
                bound = "exact" if last else "lower" if scalar in (None, mover) else "upper"
                yield step(path, "update", best, bound)
            else:
                yield step(path, "update", found[path], "exact") if last else step(path, "update")
            if last:
                yield step(path, "leave", found[path], "exact")
            else:
                stack += [(path, looked + 1), (children[looked], 0)]

    return list(steps())


def _unfold(case: VerifierCase) -> tuple[Worths, dict[Path, Key]]:
    """The nodes of the unfolded tree, level by level, the first MOST_NODES, and what their states are worth."""
    if case.graph.cyclic or not case.graph.open:
        raise Unchecked("backward induction is for games that end, with perfect information")
    game = case.graph.turns
    worths = Worths(game, case.limit)
    worths.of(game.initial(), None)
    queue: list[tuple[Path, Key]] = [((), (game.initial(), None))]
    for path, key in queue:  # grows while it is walked
        for k, child in enumerate(worths.children(key, game.node(key[0]))):
            if len(queue) >= MOST_NODES:
                return worths, dict(queue)
            queue.append(((*path, k), child))
    return worths, dict(queue)
