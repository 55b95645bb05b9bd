"""Findings of a walk through a game, for the checks of `gdl check`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gdl import syntax
from gdl.errors import GameError, LimitReached, Span
from gdl.game import Game, Terminal
from gdl.model.games import Model
from gdl.states.explore import Walk, WalkExpansion


@dataclass(frozen=True)
class WalkFindings:
    """The states that a walk through a game expanded, and the fault that ended it; None if none did."""

    description: syntax.Description
    model: Model
    game: Game[Any]
    states: list[Any]
    expansions: list[WalkExpansion]
    play: Callable[[int], tuple[str, ...]]  # a shortest play to a state, by its number
    complete: bool
    fault: GameError | None

    def ends(self) -> Iterator[tuple[int, Terminal]]:
        """The numbers of the states in which play is over, with their nodes."""
        for expansion in self.expansions:
            if isinstance(expansion.node, Terminal):
                yield expansion.number, expansion.node

    def looked_at(self) -> str:
        """A sentence for messages: how many positions the game has, all of which were looked at."""
        few = {1: "The only position of the game was"}
        return f"{few.get(len(self.states), f'All {len(self.states):,} positions of the game were')} looked at."

    def sections(self, kind: type) -> list[Any]:
        return [section for section in self.description.sections if isinstance(section, kind)]

    def section_span(self, kind: type) -> Span | None:
        """The place of the first section of a kind; None if there is none."""
        return next((section.span for section in self.sections(kind)), None)


def walk(description: syntax.Description, model: Model, walk: Walk[Any], most: int) -> WalkFindings:
    """Walk the game until all of it, or the limit of the walk, or a fault was met, or the rules have run through more
    than `most` values."""
    expansions: list[WalkExpansion] = []
    fault = None
    try:
        for expansion in walk:
            expansions.append(expansion)
            if getattr(walk.game, "work", 0) > most:
                break
    except LimitReached:
        pass
    except GameError as found:
        fault = found
    complete = len(expansions) == len(walk.states)
    return WalkFindings(description, model, walk.game, walk.states, expansions, walk.play, complete, fault)
