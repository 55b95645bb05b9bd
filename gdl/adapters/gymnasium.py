"""Games as environments of Gymnasium: for one player, who may play against others whom the computer plays.

An observation is a dictionary as that of PettingZoo's (`gdl.adapters.pettingzoo`). A reward is what the player has
gained since the action before: in most games the utility at the end. An agent that learns by trial may try an illegal
action: it ends the play with the least that an end pays (-1 where that is not known), unless `illegal="raise"`.

    from gdl.adapters.gymnasium import env

Source: Towers and others, Gymnasium: a standard interface for reinforcement learning environments, 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gdl.adapters.fitting import Given, SameByContent, fitting, missing
from gdl.errors import GameError, Refusal, clean, listing
from gdl.game import Game, surely_at
from gdl.playing.computer import Computer
from gdl.playing.loading import game_of
from gdl.playing.stepping.action_steps import SteppedEnvironment
from gdl.playing.stepping.environment import Environment
from gdl.playing.stepping.reference import ReferenceEnvironment
from gdl.states.random_numbers import Generator

try:
    import gymnasium

    from gdl.adapters.many_plays import seen_by, seen_space
except ModuleNotFoundError as absent:
    raise missing("gymnasium", "gymnasium") from absent

Chooser = Callable[[Environment], int]  # gives the number of an action for the player who is asked


class RandomOpponent(Generator):
    """Chooses among the legal actions, all of them equally likely."""

    def __call__(self, env: Environment) -> int:
        return env.legal[self.below(len(env.legal))]


class ComputerOpponent(Computer):
    """Plays as the computer does."""

    def __call__(self, env: Environment) -> int:
        assert isinstance(env, ReferenceEnvironment) and env.player is not None
        return env.numbers[self.move(env.turn, env.player)]


class Alone(SameByContent, gymnasium.Env[Any, Any]):  # type: ignore[misc, unused-ignore]  # an extra
    """A game for one player; `opponent` chooses for all others."""

    decisive = ("_env", "_player", "_opponent", "_illegal")

    def __init__(
        self, game: Game[Any], player: int, opponent: str | Chooser, illegal: str, render_mode: str | None, steps: bool
    ):
        searches = isinstance(opponent, str) and opponent != "random"
        self._env = fitting(game, "interpreter" if searches else "auto", steps)
        self._game, self._player, self._opponent, self._illegal = game, player, opponent, illegal
        self.metadata, self.render_mode = {"render_modes": ["ansi"]}, render_mode
        self.observation_space = seen_space(self._env)
        self.action_space = gymnasium.spaces.Discrete(self._env.actions)
        low, _ = surely_at(game, game.initial())[player]
        self._least = -1.0 if low is None else float(low)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 62))
        self._env.reset(drawn)
        if isinstance(other := self._opponent, str):
            other = RandomOpponent(drawn) if other == "random" else ComputerOpponent(self._game, other, drawn, None)
        self._other = other
        self._wait()
        return self._observe()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        try:
            self._env.step(int(action))
        except GameError:
            if self._illegal == "raise" or self._env.over or int(action) in self._env.legal:
                raise
            observation, info = self._observe()
            return observation, self._least, True, False, {**info, "illegal": True}
        gained = float(self._env.rewards[self._player]) + self._wait()
        observation, info = self._observe()
        return observation, gained, self._env.over, False, info

    def render(self) -> str:
        return self._env.state

    def _wait(self) -> float:
        """Let the others act until it is the player's turn. Returns the player's gain meanwhile."""
        gained = 0.0
        while not self._env.over and self._env.player != self._player:
            if isinstance(self._env, SteppedEnvironment):
                self._env.step_whole(self._other(self._env.whole))
            else:
                self._env.step(self._other(self._env))
            gained += float(self._env.rewards[self._player])
        return gained

    def _observe(self) -> tuple[dict[str, Any], dict[str, Any]]:
        legal = self._env.legal if self._env.player == self._player else ()
        return seen_by(self._env, self._player, legal), {"utilities": tuple(map(float, self._env.utilities))}


def env(
    game: Given, *, settings: Mapping[str, str] | None = None, variant: str | None = None,
    position: str | None = None, player: str | int = 0, opponent: str | Chooser = "random", illegal: str = "lose",
    render_mode: str | None = None, steps: bool = False,
) -> Alone:  # fmt: skip
    """Make an environment of Gymnasium for one player of a game.

    Args:
        game: a game, or what `gdl.load` takes as `path`.
        settings: as for `gdl.load`.
        variant: as for `gdl.load`.
        position: as for `gdl.load`.
        player: the player, by name or index.
        opponent: who chooses for all others: `random`, `auto` (the computer of `gdl play`), the name of a solver, or a
            function from the environment to the number of an action.
        illegal: `lose`, by which an illegal action ends the play with the least utility, or `raise`.
        render_mode: `ansi`, or None.
        steps: True to ask the player for an action part by part, so that there are fewer numbers.

    Returns:
        The environment. Observations are dicts: `observation` has the shape of `Environment.observation_shape`,
        `action_mask` one entry per action.

    Raises:
        Refusal: the game does not fit; the message says why.

    Example:
        >>> from gdl.adapters.gymnasium import env
        >>> playing = env("tic_tac_toe", opponent="random")
        >>> observation, info = playing.reset(seed=1)
        >>> observation["action_mask"].shape
        (9,)
    """
    made = game_of(game, settings=settings, variant=variant, position=position)
    if isinstance(player, str):
        if player not in made.players:
            raise Refusal(f"{clean(made.name)} has no player {clean(player)}: there are {listing(made.players)}")
        player = made.players.index(player)
    if illegal not in ("lose", "raise"):
        raise Refusal(f"illegal is 'lose' or 'raise', not {illegal!r}")
    return Alone(made, player, opponent, illegal, render_mode, steps)
