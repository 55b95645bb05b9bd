"""gdl: write the rules of a game, get the solved game.

    text -parser-> syntax -checker-> model -engine-> game -solver-> solution -render-> text, picture, page

`load` is the first half of this line (gdl/playing/loading.py). To import this package alone costs nothing: what it
offers is imported when it is asked for.
"""

import os
import sys

TYPE_CHECKING = False  # that of `typing`, which is slow to import

if TYPE_CHECKING:
    from typing import Any

    from gdl import errors as errors
    from gdl import game as game
    from gdl import graph as graph
    from gdl import solution as solution
    from gdl import solvers as solvers
    from gdl.adapters.python import Answer, OwnGame, check_game, matrix, solve, tree
    from gdl.playing.loading import (
        Loaded,
        decoded,
        described,
        folder_of,
        games,
        load,
        loads,
        play,
        read,
        shipped,
        title,
    )  # fmt: skip

    __all__ = [
        "Answer", "Loaded", "OwnGame", "check_game", "decoded", "described", "folder_of", "games", "load",
        "loads", "matrix", "play", "read", "shipped", "solve", "title", "tree",
    ]  # fmt: skip

_FROM = {  # the modules that have what is offered
    "gdl.playing.loading": "Loaded decoded described folder_of games load loads play read shipped title",
    "gdl.adapters.python": "Answer OwnGame check_game matrix solve tree",
}
_ELSEWHERE = {  # names of other libraries, and what to write here
    "parse": "gdl.loads(text), or gdl.load(file)",
    **dict.fromkeys(("read_game", "load_game", "open"), "gdl.load(file)"),
    "make": "gdl.environment(game), or gdl.make_vec(game, n)",
    "to_networkx": "gdl.graph.state_graph(game)",
}
_MODULES = ("errors", "game", "solution", "graph", "solvers")
_PLACE = {name: module for module, names in _FROM.items() for name in names.split()}
__version__ = "0.3.0"


def __getattr__(name: str) -> "Any":
    """Import what the package offers: a name of `__all__`, to which wings add theirs, or one of the modules that the
    manual names."""
    from importlib import import_module
    from importlib.util import find_spec

    if name in _PLACE:
        return getattr(import_module(_PLACE[name]), name)
    if name in _MODULES:
        return import_module(f"gdl.{name}")
    if name == "__all__":
        wings = import_module("gdl.wings")
        return sorted([*_PLACE, *(one for wing in wings.wings("names") for one in wing.names)])
    if not name.startswith("_"):
        wings = import_module("gdl.wings")
        home = wings.owner("names", name)
        if home and not wings.wing(home):
            raise AttributeError(wings.missing_text("names", name))
        if home:
            return wings.load(wings.find_row("names", name))
    # Of a module of its own `from gdl import` asks first whether it is there.
    bare = name.startswith("_") or find_spec(f"gdl.{name}")
    inside = [] if bare else [one for one in _MODULES if hasattr(import_module(f"gdl.{one}"), name)]
    instead = _ELSEWHERE.get(name) or (f"gdl.{inside[0]}.{name}" if inside else "")
    raise AttributeError(f"module 'gdl' has no attribute {name!r}{instead and f': write {instead}'}")


if not os.path.isdir(f"{__path__[0]}/solvers"):  # a checkout on a system where git makes no symbolic links
    __path__.append(os.path.dirname(__path__[0]))  # gdl.solvers is the folder beside this one


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})


if "IPython" in sys.modules:  # in a notebook, games draw themselves
    from gdl.render import notebook

    notebook.enable()
