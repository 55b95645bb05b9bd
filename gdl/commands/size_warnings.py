"""Warnings before work that may be too large to be done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.commands import console
from gdl.errors import clean
from gdl.game import Game
from gdl.states import estimate
from gdl.states.explore import move_text
from gdl.states.sequential import Sequential

POSITIONS = 10**10  # with more, a note is printed; mostly a state can hold far more than play can reach
PRUNED = 10**16  # as POSITIONS, for a search that skips most of them
TREE = 10**7  # nodes of a tree with more of which a note is printed before a search that remembers no position
SEQUENCES = 10**9
FEW_SEQUENCES = 10**6  # if one walk estimates fewer, no further walks are made


def positions(game: Game[Any], what: str, many: int = POSITIONS) -> None:
    """Print a note if the game may have more than `many` positions; `what` is the part of the note that says what then
    happens."""
    if game.traits.states is not None:
        return
    held = estimate.state_space_size(game)
    if held is None or held <= many:
        return
    tree = estimate.guess_tree_size(game)
    most = min(held, tree.nodes) if tree.ended else held
    if most > many:
        nodes = f"{'about' if tree.ended else 'more than'} {estimate.magnitude_text(tree.nodes)}"
        has = f"may have up to {estimate.magnitude_text(most)} positions, and its tree {nodes} nodes"
        console.remark(f"note: {clean(game.name)} {has}; {what}")


def endless(game: Game[Any]) -> None:
    """Print a note if the game has infinitely many positions, because players remember ever more."""
    remembers = game.information_set(game.initial(), 0) != game.initial()
    found = game.promises.endless() if remembers and game.traits.cyclic is not False else None
    if found is None:
        return
    before, round = (", ".join(map(move_text, play)) for play in found)
    start = f"after {clean(before)}" if before else "from the start"
    console.remark(
        f"note: {clean(game.name)} has no end of positions, for its players remember ever more: {start} the play "
        f"{clean(round)} comes back to the same position; write 'forget' where what is remembered does not matter any "
        "more, or bound the play with a counter"
    )


def unless_limited(game: Game[Any], options: Mapping[str, Any]) -> None:
    """Print notes before work on a large game, unless the options limit its depth, nodes or time."""
    endless(game)
    if not _is_limited(options):
        positions(game, "it may take long: Ctrl-C stops it")


def _is_limited(options: Mapping[str, Any]) -> bool:
    return any(options.get(limit) for limit in ("depth", "nodes", "time"))


def whole_tree(game: Game[Any], options: Mapping[str, Any]) -> None:
    """Print notes before a search of a large tree that remembers no position, unless the options limit it."""
    endless(game)
    if _is_limited(options):
        return
    tree = estimate.guess_tree_size(game)
    if tree.nodes > TREE:
        nodes = f"{'about' if tree.ended else 'more than'} {estimate.magnitude_text(tree.nodes)} nodes"
        console.remark(
            f"note: the tree of {clean(game.name)} has {nodes}, and this search remembers no position; "
            "it may take long: Ctrl-C stops it, --time or --depth limits it"
        )


def sequences(game: Game[Any], plies: int) -> None:
    """Print a note if there are very many action sequences of that length."""
    # Each player's choice is a ply, as in perft.
    turns = game if game.traits.simultaneous is False else Sequential(game)
    few = 0 < estimate.sequences(turns, plies, walks=1) < FEW_SEQUENCES
    found = 0 if few else estimate.sequences(turns, plies)
    if found > SEQUENCES:
        console.remark(
            f"note: {clean(game.name)} has about {estimate.magnitude_text(found)} sequences of {plies} plies"
        )
