"""Completions for a shell: games, variants, positions and parameters of a game, solvers, concepts.

The shell asks by `_GDL_COMPLETE`; whatever cannot be read offers nothing. `scripts` are the texts that tell a shell to
ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

import gdl
from gdl.errors import GameError

Offer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
SCRIPTS = {  # shell -> the path below share/ at which it looks for a program's script
    "bash": "bash-completion/completions/gdl",
    "zsh": "zsh/site-functions/_gdl",
    "fish": "fish/vendor_completions.d/gdl.fish",
}


def scripts(program: click.Group) -> dict[str, str]:
    """The completion scripts for shells, by their paths below share/."""
    found = {}
    for shell, place in SCRIPTS.items():
        asking = get_completion_class(shell)
        assert asking is not None
        found[place] = ShellComplete.source(asking(program, {}, "gdl", "_GDL_COMPLETE"))  # without a look for the shell
    return found


def beginning(words: Iterable[str], typed: str) -> list[CompletionItem]:
    """The words that begin with what is typed."""
    return [CompletionItem(word) for word in words if word.startswith(typed)]


def games(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Names of games that come with gdl, and files."""
    return [CompletionItem(typed, type="file"), *beginning(gdl.shipped(), typed)]


def solvers(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:

    return beginning(["auto", *gdl.solvers.SOLVERS], typed)


def concepts(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:

    return beginning(gdl.solvers.CONCEPTS, typed)


def solvers_and_concepts(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The names that `gdl solvers` explains."""
    return beginning([*gdl.solvers.SOLVERS, *gdl.solvers.CONCEPTS], typed)


def _of_game(words: Callable[[gdl.Loaded], Iterable[str]]) -> Offer:
    """A callback of click that completes the words which a function takes from the game named on the command line."""

    def offer(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
        file = ctx.params.get("file") or next(iter(ctx.args), None)  # unread so far where an option lacks its value
        try:
            loaded = gdl.loads(*gdl.read(file), folder=gdl.folder_of(file)) if file and file != "-" else None
        except (GameError, OSError):
            return []
        return [] if loaded is None else beginning(words(loaded), typed)

    return offer


def _variants(loaded: gdl.Loaded) -> Iterable[str]:
    from gdl import checker

    return checker.variants(loaded.description)


def _positions(loaded: gdl.Loaded) -> Iterable[str]:
    from gdl import checker

    return checker.positions(loaded.description)


def _parameters(loaded: gdl.Loaded) -> Iterable[str]:
    return [f"{name}=" for name in getattr(loaded.model, "parameters", {})]


variants, positions, parameters = _of_game(_variants), _of_game(_positions), _of_game(_parameters)
