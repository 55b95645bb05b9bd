"""Where a game offers a solver's search as a kernel of the compiled engine, and when that takes over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gdl.errors import Refusal, listing
from gdl.game import Game, Terminal


def kernel(game: Game[Any], solver: str, pays: bool, **arguments: Any) -> Any | None:
    """The solver's search on the compiled engine, ready to run; None where its readable twin is to do the work.

    That is so where the game offers none or is over, and, unless a person asked for the engine, where it does not pay
    or the engine does not take the game's rules. Raises Refusal where it was asked for and cannot be had.
    """
    engine = game.engine
    if not engine.offers(solver) or not (pays or engine.asked) or isinstance(game.node(game.initial()), Terminal):
        return None
    try:
        return engine.search(solver, **arguments)
    except Refusal:
        if engine.asked:
            raise
        return None


@contextmanager
def giving_up(game: Game[Any]) -> Iterator[None]:
    """Where the compiled search refuses to go on in the block, the block is left, and its readable twin is to do the
    work. A person who asked for the engine is told so."""
    try:
        yield
    except Refusal as why:
        if game.engine.asked:
            game.engine.tell(f"{why}; the search is made without the compiled engine")


def room(game: Game[Any]) -> int | None:
    """The bytes that a table of positions may take, where there is a limit: most of what is left."""
    left = game.engine.room()
    return None if left is None else left * 3 // 4


def check_offered(game: Game[Any], solver: str) -> None:
    """Raises Refusal where a person asked for the compiled engine, and the solver has no search there. (Where a table
    is probed its twin does it.)"""
    engine = game.engine
    if engine.asked and not engine.probes and not engine.offers(solver):
        has = f"it has {listing(engine.names)}" if engine.names else "it has no solver yet"
        raise Refusal(f"{solver} is not on the compiled engine; {has}. Leave --engine out")
