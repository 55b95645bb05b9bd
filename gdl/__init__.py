"""gdl: write the rules of a game, get the solved game.

    text -parser-> syntax -checker-> model -engine-> game -solver-> solution -render-> text, picture, page

`load` is the first half of this line (gdl/loading.py). To import this package alone costs nothing: what it offers is
imported when it is asked for.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # that of `typing`, which is slow to import

if TYPE_CHECKING:
    from gdl.loading import (
        Loaded,
        decoded,
        described,
        environment,
        folder_of,
        load,
        loads,
        play,
        read,
        shipped,
        title,
    )  # fmt: skip

__all__ = [
    "Loaded", "decoded", "described", "environment", "folder_of", "load", "loads", "play", "read", "shipped", "title",
]  # fmt: skip
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """What the package offers; and its errors, for those who catch them."""
    if name in __all__:
        from gdl import loading

        return getattr(loading, name)
    if name == "errors":
        from importlib import import_module

        return import_module("gdl.errors")
    raise AttributeError(f"module 'gdl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "IPython" in sys.modules:  # in a notebook, games draw themselves
    from gdl.render import notebook

    notebook.enable()
