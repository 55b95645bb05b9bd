"""The count of a game's states in which those that are symmetric are one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.commands.engines import Count, count_by_engine
from gdl.compiler.compiled_engine import by_rules, is_by_rules
from gdl.compiler.searches.enumeration import Enumeration
from gdl.errors import Interrupted, LimitReached, Refusal, clean
from gdl.game import Game
from gdl.states import count
from gdl.states.count import StateCount
from gdl.states.explore import Progress
from gdl.wings.symmetry.folded_game import FoldedGame
from gdl.wings.symmetry.group import Symmetries, find_symmetries, generate_group
from gdl.wings.symmetry.group_folding import MOST_IMAGES, GroupFolding
from gdl.wings.symmetry.usable_symmetries import usable_symmetries


def count_symmetric_states(
    game: Game[Any], engine: str, limit: int, progress: Progress | None, memory: int | None
) -> StateCount:
    """Count the states on an engine, as `gdl.commands.engines.states` does, symmetric ones once. Raises Refusal if the
    symmetries of the game cannot be found."""
    found = _symmetries(game)

    def on_engine(name: str) -> Count[StateCount]:
        if found.kept > MOST_IMAGES:
            raise Refusal(f"the compiled engine takes games with at most {MOST_IMAGES} symmetries")
        group = generate_group((*found.keeping, *found.exchanging), found.order)
        return Enumeration(*by_rules(game), name, limit, memory, GroupFolding(group)).result

    return count_by_engine(game, engine, lambda told: _by_interpreter(game, limit, told, found), on_engine, progress)


def _symmetries(game: Game[Any]) -> Symmetries:
    """The symmetries of the game's rules. Raises Refusal if they cannot be found."""
    if not is_by_rules(game):
        raise Refusal(f"symmetries are found in games by rules, not in {clean(game.name)}")
    rules, start = by_rules(game)
    found = find_symmetries(rules.model)
    if found.missing:
        raise Refusal(f"the symmetries of {clean(game.name)} cannot be found: {found.missing}")
    return usable_symmetries(found, rules, start)


def _by_interpreter(game: Game[Any], limit: int, progress: Progress | None, found: Symmetries) -> StateCount:
    """Count the states by the interpreter, symmetric ones once."""
    folded = FoldedGame(*by_rules(game), (*found.keeping, *found.exchanging))

    def with_symmetries(counted: StateCount) -> StateCount:
        return replace(counted, symmetries=found.order if folded.joined else found.kept)

    try:
        return with_symmetries(count.states(folded, limit, progress))
    except (LimitReached, Interrupted) as stop:
        if isinstance(stop.partial, StateCount):
            stop.partial = with_symmetries(stop.partial)
        raise
