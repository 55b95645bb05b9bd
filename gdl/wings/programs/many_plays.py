"""Many plays of a game, stepped together; also as one environment of Gymnasium or PettingZoo."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from warnings import warn

from gdl.errors import Refusal, clean
from gdl.game import Game
from gdl.playing import loading
from gdl.wings.programs import fitting
from gdl.wings.programs.batch import Environments, PlaysInTurn
from gdl.wings.programs.stepped_batch import SteppedEnvironments


def environments(
    game: Game[Any], count: int, *, seed: int = 0, engine: str = "auto", most: int = 4096, steps: bool = False
) -> Environments | SteppedEnvironments:
    """Begin many plays of a game, to be stepped together; the arguments are those of its method `environments`."""
    plays = Environments(game, count, seed, engine, most)
    return SteppedEnvironments(plays) if steps else plays


def make_vec(
    game: Game[Any] | str | Path,
    n: int,
    *,
    api: str = "gymnasium",
    seed: int | None = None,
    autoreset: str = "next_step",
    copy: bool = True,
) -> Any:
    """Step many plays of a game as one environment, with an array for all of them.

    A game with more actions than a mask has room for asks for them step by step. Plays of trees, matrices and games of
    your own are stepped one after the other, which is slower: a warning says so.

    Args:
        game: a game, or the name of one, or a path.
        n: the number of plays.
        api: `gymnasium` for a `VectorEnv`, in which the player to move acts in each play; `pettingzoo` for a
            `ParallelEnv`, whose agents have arrays with a row for each play.
        seed: the whole number that decides what chance does; None: 0.
        autoreset: a play that ends begins anew in the `next_step` or in the `same_step`.
        copy: False gives observations and masks of `gymnasium` without a copy, as torch and JAX take them; they change
            with the next step.

    Returns:
        The environment. An observation (of `pettingzoo`, that of each agent) has `observation`, 32-bit floats of shape
        (n, planes), with a board (n, planes, rows, columns), and `action_mask`, of shape (n, actions). In `gymnasium`
        the entry `player` of `info` is the index of the player to move in each play.

    Raises:
        Refusal: the game cannot be stepped so, or an argument is none of those above.

    Example:
        >>> import gdl
        >>> plays = gdl.make_vec("kuhn", 4, seed=1)
        >>> observations, info = plays.reset()
        >>> observations["observation"].shape, observations["action_mask"].shape
        ((4, 22), (4, 4))
    """
    if api not in ("gymnasium", "pettingzoo"):
        raise Refusal(f"api is gymnasium or pettingzoo, not {clean(str(api))}")
    if autoreset not in ("next_step", "same_step"):
        raise Refusal(f"autoreset is next_step or same_step, not {clean(str(autoreset))}")
    made = loading.game_of(game)
    try:
        whole: Environments | PlaysInTurn = Environments(made, n, seed or 0)
    except Refusal as why:  # the engine cannot step them together
        try:
            whole = PlaysInTurn(made, n, seed or 0)
        except ModuleNotFoundError as absent:
            raise fitting.missing(str(absent.name), api) from None
        warn(f"plays of {clean(made.name)} are stepped one after the other, which is slower: {why}", stacklevel=2)
    plays = whole if whole.actions <= fitting.MOST_ACTIONS else SteppedEnvironments(whole)
    if api == "gymnasium":
        from gdl.wings.programs.gymnasium import VectorPlays

        return VectorPlays(plays, autoreset, copy)
    from gdl.wings.programs.pettingzoo import ParallelPlays

    return ParallelPlays(plays, autoreset)
