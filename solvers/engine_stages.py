"""How a search is made by turns: a few nodes by the reference implementation, then on the compiled engine.

Most searches are short. So the reference implementation begins, which records most: what the answer of a short search
tells comes from it. What turns out to be long goes to the searches of the game's engine, the cheaper first, where the
game has an engine that takes it. Where it has none, the reference implementation goes on to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Asked, Game, Made, SearchKind, Terminal
from gdl.solution import Solution
from gdl.solvers.budget import Budget, answering

Found = TypeVar("Found")
Stage = Callable[[], Found | None]  # None: the next stage is to find it


def run_stages(game: Game[Any], few: Stage[Found], *stages: Stage[Found], whole: Callable[[], Found]) -> Found:
    """The answer of the first stage that has one. First the reference implementation looks at a `few` nodes, unless a
    user chose the engine; then come the stages on the engine; at last the reference implementation makes the `whole`
    search."""
    for stage in stages if game.engine.is_user_choice else (few, *stages):
        found = stage()
        if found is not None:
            return found
    return whole()


def unless_long(work: Callable[[], Found]) -> Found | None:
    """The result of the work; None if it stops at its limit."""
    with suppress(LimitReached):
        return work()
    return None


def compiled_search(
    game: Game[Any], kind: SearchKind[Asked, Made], pays: bool, *more: Asked.args, **arguments: Asked.kwargs
) -> Made | None:
    """A solver's search on the compiled engine, ready to run; None where the reference implementation is to do the
    work.

    That is so where the game has no such search or is over, and, unless a person chose the engine, where it does not
    pay or the engine does not take the game's rules; and where its code is not made in time. Raises Refusal where it
    was chosen and cannot be had.
    """
    engine = game.engine
    if (
        not engine.offers(kind)
        or not (pays or engine.is_user_choice)
        or isinstance(game.node(game.initial()), Terminal)
    ):
        return None
    try:
        return engine.search(kind, *more, **arguments)
    except Refusal:
        if engine.is_user_choice:
            raise
        return None


def run_compiled_search(
    game: Game[Any],
    search: Any,
    slices: Iterable[None],
    budget: Budget,
    found: Callable[[], Found],
    partial: Callable[[], Solution],
) -> Found | None:
    """The result that a search of the compiled engine has `found` when its slices have run; None where it refuses to go
    on.

    Raises LimitReached with the `partial` answer where a limit stops it.
    """
    with giving_up(game), answering(partial):
        run_slices(search, slices, budget)
        if search.is_out_of_nodes:
            raise budget.out_of_nodes()
        return found()
    return None


def run_slices(search: Any, slices: Iterable[None], budget: Budget) -> None:
    """Run a search slice by slice within the time limit. However it ends, no thread of it is left running."""
    try:
        for _ in slices:
            budget.check_time()
            if budget.progress:
                budget.progress(search.nodes)
    finally:
        if isinstance(slices, Generator):
            slices.close()


@contextmanager
def giving_up(game: Game[Any]) -> Iterator[None]:
    """If the compiled search refuses to continue, leave the block, so that the reference implementation does the work.
    A user who chose the engine gets a message."""
    try:
        yield
    except Refusal as why:
        if game.engine.is_user_choice:
            game.engine.tell(f"{why}; the search is made without the compiled engine")


MOST_THREADS = 64


def check_threads(solver: str, threads: int) -> None:
    """Raise Refusal if a search cannot use this number of threads."""
    if not 1 <= threads <= MOST_THREADS:
        raise Refusal(f"{solver} searches with 1 to {MOST_THREADS} threads, not {threads}")


def memory_limit(game: Game[Any]) -> int | None:
    """The most bytes that a table of positions may take: three quarters of what is left; None if memory is not
    limited."""
    left = game.engine.room()
    return None if left is None else left * 3 // 4


def check_offered(game: Game[Any], solver: str) -> None:
    """Raise Refusal if a user chose the compiled engine and the solver has no search on it. (If states include what
    players remember, the reference implementation does the work.)"""
    engine = game.engine
    if engine.is_user_choice and solver not in engine.names:
        has = f"it has {listing(engine.names)}" if engine.names else "it has no solver yet"
        raise Refusal(f"{solver} is not on the compiled engine; {has}. Leave --engine out")
