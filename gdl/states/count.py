"""Counting a game: action sequences (perft), reachable states, and the histories of the unmerged tree.

Counts of a known game show whether rules are right: chess programmers compare perft numbers, game theorists the
numbers of histories and information sets. All counts are exact, and equal states are counted together with their
multiplicity, so that the tree itself is never built.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from math import prod
from typing import Any

from gdl.errors import LimitReached, Refusal
from gdl.game import Chance, Decision, Game, Simultaneous, State, Terminal
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import (
    Exploration,
    Progress,
    Walk,
    attach_partial,
    choosers,
    explore,
    moves,
    plies,
    topological_order,
)
from gdl.states.sequential import Sequential


def perft(game: Game[Any], depth: int, progress: Progress | None = None) -> int:
    """The number of action sequences of exactly `depth` plies from the start.

    Chance outcomes and every player's choice are one ply each, so a joint move of k players is k plies, and a
    sequence may end within it, after the choices of the first few. A game that is over adds nothing deeper.
    """
    game = ensure_checked(game)
    return _sequences(game, game.initial(), depth, progress)


def divide(game: Game[Any], depth: int, progress: Progress | None = None) -> dict[str, int]:
    """`perft` split by the first action (of a joint move: by the first player's part of it), in file order."""
    if depth < 1:
        return {}
    turns = Sequential(game)
    start = turns.initial()
    counts: dict[str, int] = {}
    before = met = 0

    def report_count(here: int) -> None:
        nonlocal met
        met = before + here
        if progress:
            progress(met)

    for action in moves(turns.node(start)):
        counts[str(action)] = _sequences(turns, turns.successor(start, action), depth - 1, report_count)
        before = met
    return counts


def _sequences(game: Game[State], start: State, depth: int, progress: Progress | None) -> int:
    """The number of sequences of `depth` plies from the start, counted ply by ply with the number of ways to every
    state. The last moves are counted without being made."""
    layers: defaultdict[int, Counter[State]] = defaultdict(Counter)
    layers[0][start] = 1
    total = 1 if depth == 0 else 0
    met = 0
    for ply in range(depth):
        if not layers:  # every game is over
            break
        for state, ways in layers.pop(ply, Counter[State]()).items():
            node = game.node(state)
            met += 1
            if progress:
                progress(met)
            after = ply + plies(node)
            if after >= depth:
                total += ways * _choices(node, depth - ply)
                continue
            for move in moves(node):
                layers[after][game.successor(state, move)] += ways
                if progress and isinstance(node, Simultaneous):  # it may have a million joint moves
                    progress(met)
    return total


def _choices(node: Any, left: int) -> int:
    """The number of ways to choose the next `left` plies at a node; in a simultaneous move each player's choice is one
    ply."""
    if isinstance(node, Simultaneous):
        return prod(len(node.actions[player]) for player in choosers(node)[:left])
    return len(moves(node))


@dataclass(frozen=True)
class StateCount:
    """Reachable states, merged: `terminal` of them are ends of play, `edges` are the pairs of a state and a move
    (a joint move is one), `depth[d]` counts the states whose first appearance is at ply d. Where states that are
    symmetric are one: how many `symmetries` there are, the identity included; else 0."""

    states: int
    terminal: int
    edges: int
    depth: tuple[int, ...]
    symmetries: int = 0


def states(game: Game[State], limit: int | None = None, progress: Progress | None = None) -> StateCount:
    """Counts the reachable states, the initial one included. A joint move of k players is one edge, k plies long.

    More than `limit` states raise LimitReached; its `partial`, as that of Interrupted, counts what was met up to then.
    """
    walk = Walk(game, limit, progress)
    terminal = edges = 0

    def count_so_far() -> StateCount:
        layers = Counter(walk.depth)
        depth = tuple(layers[ply] for ply in range(max(layers, default=-1) + 1))
        return StateCount(len(walk.states), terminal, edges, depth)

    with attach_partial(count_so_far):
        for expansion in walk:
            terminal += isinstance(expansion.node, Terminal)
            edges += len(expansion.moves)
    return count_so_far()


@dataclass(frozen=True)
class HistoryCount:
    """The unmerged tree: its nodes (`histories`, the root included), those that are ends of play, chance nodes, and
    for each player decision nodes and information sets. A simultaneous move is counted as turns taken unseen."""

    histories: int
    terminal: int
    chance: int
    decision: dict[str, int]
    infosets: dict[str, int]


def histories(game: Game[Any], limit: int | None = None, progress: Progress | None = None) -> HistoryCount:
    """Counts the unmerged tree without building it:

    1. Walk the reachable states, equal ones merged (more than `limit` raise LimitReached, with a `partial` count).
    2. Order them so that every move leads forward; if that fails, play can go on for ever: Refusal.
    3. A state has as many histories as all its predecessors together, one for each move that leads to it.
    """
    turns = Sequential(game)
    try:
        return _tally(turns, explore(turns, limit, progress))
    except LimitReached as stop:
        if isinstance(stop.partial, Exploration):
            stop.partial = _tally(turns, stop.partial)
        raise


def _tally(turns: Sequential, found: Exploration[Any]) -> HistoryCount:
    """The counts of the tree from the walk's states, each counted once for every way to it."""
    ways = _ways(turns.name, found.children)
    weighted = list(zip(found.nodes, ways, strict=True))
    decision = dict.fromkeys(turns.players, 0)
    met: dict[str, set[Hashable]] = {player: set() for player in turns.players}
    for state, (node, count) in zip(found.states, weighted, strict=True):
        if isinstance(node, Decision):
            player = turns.players[node.player]
            decision[player] += count
            met[player].add(turns.information_set(state, node.player))
    return HistoryCount(
        histories=sum(ways),
        terminal=sum(count for node, count in weighted if isinstance(node, Terminal)),
        chance=sum(count for node, count in weighted if isinstance(node, Chance)),
        decision=decision,
        infosets={player: len(sets) for player, sets in met.items()},
    )


def _ways(name: str, children: list[tuple[int, ...]]) -> list[int]:
    """The number of histories that lead to each state."""
    order = topological_order(children)
    if len(order) < len(children):
        raise Refusal(f"{name} has infinitely many histories: play can come back to an earlier state")
    ways = [1] + [0] * (len(children) - 1)
    for number in order:
        for child in children[number]:
            ways[child] += ways[number]
    return ways
