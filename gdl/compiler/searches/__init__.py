"""Searches on the compiled engine, one file each: they run a kernel and read its results."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the files of the kinds of searches in `gdl.compiler.search_kinds`
    from gdl.compiler.searches import mcts_driver as mcts_driver
    from gdl.compiler.searches import principal_variation as principal_variation
    from gdl.compiler.searches import proof_number_driver as proof_number_driver
    from gdl.compiler.searches import retrograde as retrograde
    from gdl.compiler.searches import star_driver as star_driver
    from gdl.compiler.searches import vectors_driver as vectors_driver


def __getattr__(name: str) -> Any:
    """Import a file of this folder when it is first asked for, as in `searches.star_driver.Star`."""
    file = f"{__name__}.{name}"
    try:
        return import_module(file)
    except ModuleNotFoundError as missing:
        if missing.name != file:
            raise
        raise AttributeError(f"gdl.compiler.searches has no file {name}") from None
