"""gdl solve --solver mccfr by several workers: each does pieces of rounds of samples, and the same answer comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gdl.commands.workers import Staff, asked_again
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import Refusal, clean
from gdl.game import Game
from gdl.playing.loading import Asking
from gdl.solution import Solution


def solve_with_workers(
    game: Game[Any], by: Asking, staff: Staff, options: Mapping[str, Any],
    found: Callable[[Game[Any]], Solution],
) -> Solution:  # fmt: skip
    """The solution that `found`, a search with these options, makes from samples which the workers draw."""
    from gdl.solvers.cluster.pieces import Job
    from gdl.solvers.engine_stages import memory_limit
    from gdl.wings.hidden.mccfr import SEED
    from gdl.wings.hidden.search_kinds import MCCFR
    from gdl.wings.tables.rounds_driver import sample_in_rounds

    if not game.engine.offers(MCCFR):
        raise Refusal(f"several workers need the compiled engine, which is not to be used for {clean(game.name)}")
    whole, start = by_rules(game)
    back_end, memory = game.engine.engine, memory_limit(game)  # type: ignore[attr-defined]
    job = Job(prepare_sampling, (by, back_end, memory))
    with staff.hire_workers(options.get("checkpoint")) as workers:
        search = sample_in_rounds(
            whole, start, back_end, lambda pieces, known: workers.map(job, pieces, known),
            SEED if (seed := options.get("seed")) is None else seed, memory,
        )  # fmt: skip
        game.engine.keep(MCCFR, search)
        return found(game)


def prepare_sampling(about: tuple[Asking, str, int | None]) -> Callable[[Any, Any], Any]:
    """The function with which a worker's process does the pieces."""
    from gdl.wings.tables.rounds_driver import Piecework

    by, back_end, memory = about
    return Piecework(*by_rules(asked_again(by).game), back_end, memory=memory).do
