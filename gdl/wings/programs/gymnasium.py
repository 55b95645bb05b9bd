"""Games as environments of Gymnasium: for one player, who may play against others whom the computer plays; and many
plays of a game as one environment.

An observation is a dictionary as that of PettingZoo (`gdl.wings.programs.pettingzoo`). A reward is what the player has
gained since the action before: in most games the utility at the end. An agent that learns by trial may try an illegal
action: it ends the play with the least that an end pays (-1 where that is not known), unless `illegal="raise"`.

    from gdl.wings.programs.gymnasium import env

Of many plays, observations, masks and rewards of the whole batch are one array each. A play that ends is reported by
`terminations`, with its last position; then it begins anew: in the next step, which does nothing else in it
(`next_step`), or at once (`same_step`, where the last position is in `final_obs`). The gains of each step stand in
`rewards`.

    import gdl
    plays = gdl.make_vec("connect_four", 64)

Source: Towers and others, Gymnasium: a standard interface for reinforcement learning environments, 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from gdl import wings
from gdl.errors import GameError, Refusal, clean, listing
from gdl.game import Game, surely_at
from gdl.playing.loading import Given, game_of
from gdl.solvers import SOLVERS
from gdl.states.random_numbers import Generator
from gdl.states.sequential import Opponent
from gdl.wings.programs.action_steps import SteppedEnvironment
from gdl.wings.programs.batch import Environments, PlaysInTurn
from gdl.wings.programs.environment import Environment
from gdl.wings.programs.fitting import SameByContent, fitting, missing
from gdl.wings.programs.reference import ReferenceEnvironment
from gdl.wings.programs.stepped_batch import SteppedEnvironments

try:
    import gymnasium
    import numpy
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as absent:
    raise missing("gymnasium", "gymnasium") from absent

Chooser = Callable[[Environment], int]  # gives the number of an action for the player who is asked
Plays = Environments | PlaysInTurn | SteppedEnvironments
Seen = dict[str, Any]  # the observation and the mask of every play


def seen_space(plays: Plays | Environment, waits: int = 0) -> Any:
    """The space of what is seen in one play; the mask has `waits` entries more than there are actions."""
    box = gymnasium.spaces.Box(0.0, 1.0, plays.observation_shape, numpy.float32)
    mask = gymnasium.spaces.Box(0, 1, (plays.actions + waits,), numpy.int8)
    return gymnasium.spaces.Dict({"observation": box, "action_mask": mask})


def seen_by(env: Environment, player: int, legal: Collection[int], waits: int = 0) -> Seen:
    """The planes that a player sees, and the mask of the actions `legal`, with `waits` more entries than there are
    actions."""
    mask = numpy.zeros(env.actions + waits, numpy.int8)
    mask[list(legal)] = 1
    return {"observation": numpy.asarray(env.observation(player)), "action_mask": mask}


class RandomOpponent(Generator):
    """Chooses among the legal actions, all of them equally likely."""

    def __call__(self, env: Environment) -> int:
        return env.legal[self.draw_below(len(env.legal))]


class ComputerOpponent:
    """Plays as the computer does."""

    def __init__(self, game: Game[Any], solver: str, seed: int):
        self._computer: Opponent = wings.hook("the computer player")(game, solver, seed, None)

    def __call__(self, env: Environment) -> int:
        assert isinstance(env, ReferenceEnvironment) and env.player is not None
        return env.numbers[self._computer.move(env.turn, env.player)]


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
            other = RandomOpponent(drawn) if other == "random" else ComputerOpponent(self._game, other, drawn)
        self._other = other
        self._wait_for_turn()
        return self._observe()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        try:
            self._env.step(int(action))
        except GameError:
            if self._illegal == "raise" or self._env.over or int(action) in self._env.legal:
                raise
            observation, info = self._observe()
            return observation, self._least, True, False, {**info, "illegal": True}
        gained = float(self._env.rewards[self._player]) + self._wait_for_turn()
        observation, info = self._observe()
        return observation, gained, self._env.over, False, info

    def render(self) -> str:
        return self._env.state

    def _wait_for_turn(self) -> float:
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


class Course:
    """Many plays, and the rule when a play that has ended starts again: `autoreset` is `next_step` or `same_step`.
    `copies`: what is seen does not change with the next step."""

    def __init__(self, plays: Plays, autoreset: str, copies: bool = True):
        self.plays, self.waits, self._copies = plays, autoreset == "next_step", copies
        self.everybody = numpy.arange(plays.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Course) and (self.waits, *self.plays.over) == (other.waits, *other.plays.over)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Do an action in every play. Returns for each play the player who acted, and whether it ended. With
        `next_step`, a play that ended in the step before starts again instead."""
        acted = self.plays.player.copy()
        self.plays.step(actions, self.plays.over.tobytes() if self.waits else None)
        return acted, self.plays.over.copy()

    def observe(self, players: Any, final: Any = None) -> Seen:
        """The observation that `players[k]` has of each play k, with a mask of the legal actions; where `final[k]` is
        true, the observation of the last position, at which no action is legal."""
        seen, mask = self.plays.observations(players, final), self.plays.mask.view(numpy.int8)
        waiting = self.plays.player != players
        if final is not None:
            waiting |= final
        if self._copies or waiting.any():
            mask = mask.copy()
            mask[waiting] = 0
        return {"observation": seen.copy() if self._copies else seen, "action_mask": mask}


class VectorPlays(SameByContent, gymnasium.vector.VectorEnv):  # type: ignore[misc, unused-ignore]  # an extra
    """Many plays, in each of which the player to move acts. The reward is that player's; `infos` has who moves next
    (`player`) and what everyone gained (`gained`). The last position is seen by the player who moved last."""

    decisive = ("plays", "_course")

    def __init__(self, plays: Plays, autoreset: str, copies: bool):
        self._course, self.num_envs = Course(plays, autoreset, copies), plays.size
        self.metadata = {"autoreset_mode": AutoresetMode[autoreset.upper()], "render_modes": ["ansi"]}
        self.plays, self.render_mode = plays, "ansi"
        self.single_observation_space = seen_space(plays)
        self.single_action_space = gymnasium.spaces.Discrete(plays.actions)
        self.observation_space = batch_space(self.single_observation_space, plays.size)
        self.action_space = batch_space(self.single_action_space, plays.size)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed)
        self.plays.reset(seed)
        return self._course.observe(self.plays.player), {"player": self.plays.player.copy()}

    def step(self, actions: Any) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        acted, over = self._course.step(actions)
        gained = self.plays.rewards.copy()
        infos: dict[str, Any] = {"player": self.plays.player.copy(), "gained": gained}
        ends = over.any()
        if ends and not self._course.waits:
            last = self._course.observe(acted, over)
            final = numpy.full(self.num_envs, None, object)
            for play in numpy.flatnonzero(over):  # as Gymnasium has it: an object for each play that ended
                final[play] = {name: rows[play].copy() for name, rows in last.items()}
            infos |= {
                "final_obs": final,
                "_final_obs": over,
                "final_info": {"gained": gained, "_gained": over},
                "_final_info": over,
            }
        if ends and self._course.waits:
            seen = self._course.observe(numpy.where(over, acted, self.plays.player), over)
        else:
            seen = self._course.observe(self.plays.player)
        rewards = gained[self._course.everybody, acted]
        return seen, rewards, over, numpy.zeros(self.num_envs, bool), infos

    def render(self) -> tuple[str, ...]:
        return tuple(map(self.plays.state, range(self.num_envs)))


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
        >>> from gdl.wings.programs.gymnasium import env
        >>> playing = env("tic_tac_toe", opponent="random")
        >>> observation, info = playing.reset(seed=1)
        >>> observation["action_mask"].shape
        (9,)
    """
    made = game_of(game, settings=settings, variant=variant, position=position)
    seats = {seat: number for number, name in enumerate(made.players) for seat in (name, number)}
    if player not in seats:
        raise Refusal(f"{clean(made.name)} has no player {clean(str(player))}: there are {listing(made.players)}")
    if not callable(opponent) and opponent not in ("random", "auto") and opponent not in SOLVERS:
        raise Refusal(f"the opponent is 'random', 'auto', the name of a solver or a function, not {opponent!r}")
    if illegal not in ("lose", "raise"):
        raise Refusal(f"illegal is 'lose' or 'raise', not {illegal!r}")
    return Alone(made, seats[player], opponent, illegal, render_mode, steps)
