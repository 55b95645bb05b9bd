"""A position as text: a matrix as a table, a tree as its file would write it, anything else as the game draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

from gdl.errors import clean, listing
from gdl.game import Chance, Decision, Game, Node, Simultaneous, Terminal, maximiser, zero_sum
from gdl.model.games import MatrixModel
from gdl.numbers import as_stated, costs, to_text, vector_text
from gdl.render.node_names import Nodes
from gdl.render.strategies import align_columns, lines_left_out
from gdl.render.trace import scalar_player
from gdl.solution import Solution
from gdl.states.explore import Walk, choosers, move_text, moves

MAX_TREE_LINES = 120  # lines of a tree
ACTIONS = 40  # actions that are listed


def matrix_text(model: MatrixModel) -> str:
    """Two players' matrix as a table, else a line for each profile."""
    with costs(model.cost):
        cells = {joint: vector_text(as_stated(utilities)) for joint, utilities in model.utilities.items()}
    if len(model.players) != 2:
        profiles = [[", ".join(joint), cell] for joint, cell in cells.items()]
        return _join_clean_lines(align_columns(profiles))
    own, other = model.actions
    table = [["", *other], *([a, *(cells[a, b] for b in other)] for a in own)]
    first, second = model.players
    return _join_clean_lines([f"{first} chooses the row, {second} the column.", "", *align_columns(table)])


def tree_text(game: Game[Any]) -> str:
    """The tree below the initial state, a node a line, in the notation of game files."""
    start = game.initial()
    shared = _shared_sets(game)
    lines: list[str] = []
    stack: list[tuple[Any, int, str]] = [(start, 0, "")]
    while stack:
        state, depth, label = stack.pop()
        if len(lines) == MAX_TREE_LINES:
            return _join_clean_lines([*lines, "…"])
        node = game.node(state)
        lines.append("    " * depth + label + _head(game, state, node, shared))
        labels = [f"{name} {to_text(p)}: " for name, p in node.outcomes] if isinstance(node, Chance) else None
        options = moves(node)
        named = labels or [f"{move_text(move)}: " for move in options]
        children = [(game.successor(state, move), depth + 1, text) for move, text in zip(options, named, strict=True)]
        stack += reversed(children)
    return _join_clean_lines(lines)


def _shared_sets(game: Game[Any]) -> set[tuple[int, Hashable]]:
    """The information sets that hold more than one state."""
    walk, count = Walk(game), Counter[tuple[int, Hashable]]()
    for number, node, _, _ in walk:
        count.update((player, game.information_set(walk.states[number], player)) for player in choosers(node))
    return {known for known, states in count.items() if states > 1}


def _head(game: Game[Any], state: Any, node: Node, shared: set[tuple[int, Hashable]]) -> str:
    """The start of a node's line: `MAX A in forecast`, `chance`, or the utilities of an end."""
    label = game.label(state)
    if isinstance(node, Terminal):
        return f"{f'{label} = ' if label else ''}{_utilities(game, node)}"
    if isinstance(node, Decision):
        known = (node.player, game.information_set(state, node.player))
        within = f"in {game.describe(state, node.player)}" if known in shared else ""
        return " ".join(word for word in (game.players[node.player], label, within) if word)
    return " ".join(word for word in ("chance", label) if word)


def _utilities(game: Game[Any], node: Terminal) -> str:
    """The utilities as a file writes them: one number in a zero-sum game of two, and for a lone player."""
    with costs(game.promises.cost):
        utilities = as_stated(node.utilities)
    if zero_sum(game) and len(game.players) == 2:
        return to_text(utilities[maximiser(game.players)])
    return to_text(utilities[0]) if len(game.players) == 1 else vector_text(utilities)


def turn_text(game: Game[Any], state: Any, most: int = ACTIONS) -> str:
    """Whose turn it is, with `most` of the legal actions at most, or how the game ended."""
    node = game.node(state)
    if isinstance(node, Terminal):
        with costs(game.promises.cost):
            ends = zip(game.players, as_stated(node.utilities), strict=True)
        told = listing(f"{player} {to_text(utility)}" for player, utility in ends)
        return clean(f"The game is over{', at the cost of' if game.promises.cost else ':'} {told}.")
    if isinstance(node, Simultaneous):
        choices = [(game.players[player], node.actions[player]) for player in choosers(node)]
        lines = [f"{player}: {listing(actions, most=most)}" for player, actions in choices]
        return _join_clean_lines(["All choose at once.", *lines])
    if isinstance(node, Chance):
        outcomes = [f"{name} ({to_text(probability)})" for name, probability in node.outcomes]
        return clean(f"Chance moves: {listing(outcomes, most=most)}.")
    return clean(f"{game.players[node.player]} moves: {listing(node.actions, most=most)}.")


def _join_clean_lines(lines: list[str]) -> str:
    return "\n".join(map(clean, lines))


# The values of positions as text, each after the actions that lead to it.

MAX_LINES = 200  # lines


def values_text(solution: Solution, game: Game[Any]) -> str:
    """A line per position, in the order of the solution. For two opponents or a single player only the first player's
    number is shown."""
    alone = scalar_player(solution) is not None
    nodes = Nodes(game, joint=True)
    rows = [[f"value for {solution.players[0]}" if alone else f"value for {', '.join(solution.players)}", "after"]]
    for path, value in list(solution.values.items())[:MAX_LINES]:
        play = " > ".join(nodes.actions_to(path)) or "the start"
        rows.append([to_text(value[0]) if alone else vector_text(value), clean(play)])
    return "\n".join([*align_columns(rows), *lines_left_out(len(solution.values) - MAX_LINES)]) + "\n"
