"""The games that fit into other packages, and the environments in which they do."""

from __future__ import annotations

from typing import Any

from gdl.errors import Refusal, clean, pip_install
from gdl.game import Game
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.programs.environment import Environment
from gdl.wings.programs.making import environment

MOST_ACTIONS = 1 << 16  # numbers of actions for which a mask has room


class SameByContent:
    """An environment of another package: equal to another of its class where the attributes that decide how it goes on
    are equal, and shown by the first of them."""

    decisive: tuple[str, ...]  # the names of these attributes

    def __eq__(self, other: object) -> bool:
        mine, theirs = ([getattr(one, name, None) for name in self.decisive] for one in (self, other))
        return type(self) is type(other) and mine == theirs

    def __repr__(self) -> str:
        return f"{type(self).__name__}({getattr(self, self.decisive[0])!r})"


def fitting(game: Game[Any], engine: str = "auto", steps: bool = False) -> Environment:
    r"""The game's environment, for packages that want a mask of all actions, and utilities.

    Raises Refusal, with the reason, where the game leaves numbers open or has too many actions.
    """
    if not isinstance(game, RulesGame) and game.traits.unknowns:
        raise Refusal(f"{clean(game.name)} leaves numbers open: fill them in by settings, or in the file")
    env = environment(game, engine=engine, steps=steps)
    if env.actions > MOST_ACTIONS:
        much = f"{env.actions:,}" if env.actions < 10**15 else f"10^{len(str(env.actions)) - 1}"
        told = f"{clean(game.name)} has {much} numbers of actions, and a mask has {MOST_ACTIONS:,} at most"
        raise Refusal(told if steps else f"{told}; steps=True asks for actions step by step")
    _ = env.observation_shape
    return env


def missing(package: str, extra: str) -> Refusal:
    """The refusal for a package that is not installed, with the command that installs its extra."""
    return Refusal(f"this needs the package {package}: {pip_install(f'gdl[{extra}]')}")
