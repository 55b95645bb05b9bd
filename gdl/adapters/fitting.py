"""Which games fit into the programs of others, and in what form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gdl.errors import Refusal, clean
from gdl.game import Game
from gdl.interpreter.rules_game import RulesGame
from gdl.playing import loading
from gdl.playing.stepping.batch import environments
from gdl.playing.stepping.environment import Environment

MOST_ACTIONS = 1 << 16  # numbers of actions, of each of which a mask says whether it is legal

Given = Game[Any] | str | Path


def game_of(
    game: Given, settings: Mapping[str, str] | None = None, variant: str | None = None, position: str | None = None
) -> Game[Any]:
    """A game; one that is named by its file, or by its name if it comes with gdl, is loaded."""
    if isinstance(game, str | Path):
        return loading.load(game, settings=settings, variant=variant, position=position)
    return game


def fitting(game: Game[Any], engine: str = "auto", steps: bool = False) -> Environment:
    """The game's environment, if programs that want a mask of all actions, and utilities, can be given it.

    Raises Refusal with the reason where they cannot.
    """
    if not isinstance(game, RulesGame) and game.traits.unknowns:
        raise Refusal(f"{clean(game.name)} leaves numbers open: fill them in by settings, or in the file")
    env = loading.environment(game, engine=engine, steps=steps)
    if env.actions > MOST_ACTIONS:
        told = too_many(game, env.actions)
        raise Refusal(told if steps else f"{told}; steps=True asks for actions step by step")
    _ = env.observation_shape
    return env


def make_vec(
    game: Given, n: int, *, api: str = "gymnasium", seed: int | None = None, autoreset: str = "next_step"
) -> Any:
    """So many plays of a game (`n`), or of that of a file or a name, as one environment.

    `api`: `gymnasium` (a `VectorEnv`, in which whoever is asked in a play acts there) or `pettingzoo` (a `ParallelEnv`
    whose agents have arrays, a row for each play). A play that ends begins anew in the `next_step`, or in the
    `same_step`. Raises Refusal where the game does not fit, with the reason.
    """
    if api not in ("gymnasium", "pettingzoo"):
        raise Refusal(f"api is gymnasium or pettingzoo, not {clean(str(api))}")
    if autoreset not in ("next_step", "same_step"):
        raise Refusal(f"autoreset is next_step or same_step, not {clean(str(autoreset))}")
    made = game_of(game)
    plays = environments(made, n, seed=0 if seed is None else seed)
    if plays.actions > MOST_ACTIONS:
        raise Refusal(too_many(made, plays.actions))
    if api == "gymnasium":
        from gdl.adapters.vectors import VectorPlays

        return VectorPlays(plays, autoreset)
    from gdl.adapters.parallel_vectors import ParallelPlays

    return ParallelPlays(plays, autoreset)


def too_many(game: Game[Any], actions: int) -> str:
    """The reason why a game fits no mask."""
    much = f"{actions:,}" if actions < 10**15 else f"10^{len(str(actions)) - 1}"
    return f"{clean(game.name)} has {much} numbers of actions, and a mask has {MOST_ACTIONS:,} at most"


def missing(package: str, extra: str) -> Refusal:
    """The refusal for a package that is not installed, with the command that installs its extra."""
    return Refusal(f"this needs the package {package}: pip install 'gdl[{extra}]'")
