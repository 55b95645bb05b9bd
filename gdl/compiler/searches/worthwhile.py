"""Which symmetries a search that is to be long takes for granted: those that play meets."""

from __future__ import annotations

from contextlib import suppress

from gdl.compiler.folding import exchanges
from gdl.compiler.searches.enumeration import Enumeration
from gdl.errors import LimitReached, Refusal
from gdl.interpreter import RulesGame, State
from gdl.symmetry import Symmetry, find, met, widened

MOST_WORK = 400_000  # to find them: what takes half a second
MOST_IMAGES = 64  # of a position
LOOKED_AT = {"wasm": 200_000, "python": 2_000}  # states among which an exchange of players must have joined some


def worthwhile(game: RulesGame, start: State, engine: str, exchanging: bool) -> tuple[Symmetry, ...]:
    """A group of symmetries that lead from positions that play can reach to others, without the identity. With
    `exchanging`, also of those under which players change parts."""
    found = find(game.model, MOST_WORK)
    group = met(game, start, found.keeping, MOST_IMAGES) if found.keeping else ()
    larger = widened(group, found) if exchanging else group
    return larger if exchanges(larger) and joins(game, start, engine, larger) else group


def joins(game: RulesGame, start: State, engine: str, symmetries: tuple[Symmetry, ...]) -> bool:
    """Whether an exchange makes two states one among the first of play. (Where players strictly take turns, and the
    board shows how many have been taken, it never does.)"""
    with suppress(Refusal):
        search = Enumeration(game, start, engine, LOOKED_AT[engine], symmetries=symmetries)
        with suppress(LimitReached):
            search.result()
        return search.joined
    return False
