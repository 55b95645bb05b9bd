"""gdl verify of a table of a solved game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gdl.commands.limiting import Limits
from gdl.errors import LimitReached
from gdl.game import Game
from gdl.wings.tables import table_check


def verify_table(game: Game[Any], folder: Path, limits: Limits, tell: Callable[..., None]) -> int:
    """Check the table in a folder; returns the exit status. `tell(ok, verdict, extent)` prints the verdict. Raises
    DamagedData if a file was changed since it was written."""
    check = table_check.TableCheck(game, folder)
    try:
        with limits.enforce("positions", min(table_check.MOST_WALKED, check.table.states)) as progress:
            check.table.read_all()
            wrong = check.first_wrong(progress)
    except LimitReached:
        tell(True, "Nothing in the table is wrong, as far as was looked.", check.extent())
        raise
    if wrong is None:
        tell(True, "The table holds.", check.extent())
        return 0
    where = f"after {' '.join(wrong.play)}" if wrong.play else "at the start"
    tell(False, f"The table is wrong {where}: {wrong.what}.")
    return 1
