"""Games as environments of PettingZoo: agents are the players, by name.

An observation is a dictionary: `observation` has the planes that the player sees, `action_mask` is 1 for the numbers of
the actions that are legal. Both are described with `gdl.environment`. A reward is what a step has gained: in most games
the utilities at the end, and 0 before. Chance is drawn inside; moves at once are asked for one by one, unseen.

    from gdl.wings.programs.pettingzoo import env, parallel_env

Many plays of a game are one environment of the parallel form, whose agents have a row for each play.

Source: Terry and others, PettingZoo: Gym for multi-agent reinforcement learning, NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gdl.errors import GameError, Problem, listing
from gdl.game import Game
from gdl.playing.loading import Given, game_of
from gdl.wings.programs.fitting import SameByContent, fitting, missing

if TYPE_CHECKING:
    from gdl.adapters.python import Answer

try:
    import gymnasium
    import numpy
    import pettingzoo
    from gymnasium.vector.utils import batch_space

    from gdl.wings.programs.gymnasium import Course, Plays, Seen, seen_by, seen_space
except ModuleNotFoundError as absent:
    raise missing("pettingzoo", "pettingzoo") from absent


class Spaces(SameByContent):
    """The methods by which all agents have the same spaces."""

    possible_agents: list[str]

    def give_spaces(self, observation: Any, action: Any) -> None:
        """Let every agent have these spaces."""
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = dict.fromkeys(self.possible_agents, action)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]


class Board(Spaces, pettingzoo.AECEnv):  # type: ignore[misc, unused-ignore]  # an extra
    """A game whose players are asked one after the other."""

    decisive = ("_env", "agents", "agent_selection", "_cumulative_rewards", "rewards")

    def __init__(self, game: Game[Any], render_mode: str | None = None, steps: bool = False):
        super().__init__()
        self._env = fitting(game, steps=steps)
        self.render_mode = render_mode
        self.metadata = {"name": f"{game.name} (gdl)", "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.possible_agents = list(self._env.players)
        self.give_spaces(seen_space(self._env), gymnasium.spaces.Discrete(self._env.actions))

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self._env.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> Seen:
        player = self.possible_agents.index(agent)
        return seen_by(self._env, player, self._env.legal if player == self._env.player else ())

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._env.step(action)  # type: ignore[arg-type]  # of the living
        self.rewards = dict(zip(self.possible_agents, map(float, self._env.rewards), strict=True))
        self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode == "human":
            print(self._env.state)
            return None
        return self._env.state

    def close(self) -> None:
        """There is nothing to close. (PettingZoo's own test wants the method.)"""

    def _ask(self) -> None:
        """Select the agent who is to act. At the end all are terminated, and selected one after the other to learn of
        it."""
        player = self._env.player
        self.terminations = dict.fromkeys(self.agents, player is None)
        self.agent_selection = self.possible_agents[player or 0]


class GdlParallelEnv(Spaces, pettingzoo.ParallelEnv):  # type: ignore[misc, unused-ignore]  # an extra
    """A game in which every player is asked at every step. A player without a choice waits, by the greatest number of
    an action."""

    decisive = ("_env", "agents")

    def __init__(self, game: Game[Any], render_mode: str | None = None, steps: bool = False):
        self._env, self.render_mode = fitting(game, steps=steps), render_mode
        self.metadata = {"name": f"{game.name} (gdl)", "render_modes": ["ansi"]}
        self.waits = self._env.actions
        self.possible_agents = list(self._env.players)
        self.give_spaces(seen_space(self._env, waits=1), gymnasium.spaces.Discrete(self.waits + 1))

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Seen], dict[str, Any]]:
        self._env.reset(seed)
        self.agents = list(self.possible_agents)
        self._asked = self._env.choices
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        gained = [0.0] * len(self.possible_agents)
        for player in self._asked:
            self._env.step(actions.get(self.possible_agents[player]))  # type: ignore[arg-type]  # whom it refuses
            gained = [have + float(more) for have, more in zip(gained, self._env.rewards, strict=True)]
        agents, over = self.agents, self._env.over
        self._asked = self._env.choices
        observations = self._observations()
        rewards = dict(zip(self.possible_agents, gained, strict=True))
        self.agents = [] if over else agents
        ends, stops = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return observations, rewards, ends, stops, {agent: {} for agent in agents}

    def render(self) -> str:
        return self._env.state

    def _observations(self) -> dict[str, Seen]:
        asked = [self._asked.get(player, (self.waits,)) for player in range(len(self.possible_agents))]
        return {agent: seen_by(self._env, p, asked[p], waits=1) for p, agent in enumerate(self.possible_agents)}


class ParallelPlays(Spaces, pettingzoo.ParallelEnv):  # type: ignore[misc, unused-ignore]  # an extra
    """Many plays; agents are the players, by name. In each play only the player who is asked acts: the actions of other
    agents there are ignored, and their masks are 0."""

    decisive = ("plays", "_course")

    def __init__(self, plays: Plays, autoreset: str):
        self._course, self.plays, self.num_envs = Course(plays, autoreset), plays, plays.size
        self.metadata = {"name": f"{plays.game.name} (gdl)", "autoreset_mode": autoreset}
        self.possible_agents = list(plays.players)
        self.agents = list(self.possible_agents)
        one, number = seen_space(plays), gymnasium.spaces.Discrete(plays.actions)
        self.give_spaces(batch_space(one, plays.size), batch_space(number, plays.size))

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[dict[str, Seen], dict[str, Any]]:
        self.plays.reset(seed)
        return self._observe(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        rows = [numpy.asarray(actions.get(agent)) for agent in self.agents] if isinstance(actions, Mapping) else []
        if not rows or any(row.shape != (self.num_envs,) for row in rows):
            agents = listing(self.agents)
            wanted = f"give a dictionary with {self.num_envs:,} numbers of actions each for {agents}"
            raise GameError(Problem("these are no actions of all agents", help=wanted))
        given = numpy.stack(rows)
        _, over = self._course.step(given[self.plays.player, self._course.everybody])
        gained, stops = self.plays.rewards.copy(), numpy.zeros(self.num_envs, bool)
        infos: dict[str, Any] = {agent: {} for agent in self.agents}
        seen = self._observe(over if self._course.waits else None)
        if not self._course.waits and over.any():
            infos = {agent: {"final_obs": last} for agent, last in self._observe(over).items()}
        rewards = {agent: gained[:, player] for player, agent in enumerate(self.agents)}
        return seen, rewards, dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, stops), infos

    def render(self) -> tuple[str, ...]:
        return tuple(map(self.plays.state, range(self.num_envs)))

    def _observe(self, final: Any = None) -> dict[str, Seen]:
        everyone = enumerate(self.agents)
        return {agent: self._course.observe(numpy.full(self.num_envs, player), final) for player, agent in everyone}


def env(
    game: Given, *, settings: Mapping[str, str] | None = None, variant: str | None = None,
    position: str | None = None, render_mode: str | None = None, steps: bool = False,
) -> Board:  # fmt: skip
    """Make an environment of PettingZoo whose agents act one after the other.

    Args:
        game: a game, or what `gdl.load` takes as `path`.
        settings: as for `gdl.load`.
        variant: as for `gdl.load`.
        position: as for `gdl.load`.
        render_mode: `ansi`, `human` or None.
        steps: True to ask for an action part by part, so that there are fewer numbers.

    Returns:
        The environment. Observations are dicts: `observation` has the shape of `Environment.observation_shape`,
        `action_mask` one entry per action.

    Raises:
        Refusal: the game does not fit; the message says why.

    Example:
        >>> from gdl.wings.programs.pettingzoo import env
        >>> play = env("tic_tac_toe")
        >>> play.reset(seed=1)
        >>> play.agent_selection, int(play.action_space("X").n)
        ('X', 9)
    """
    return Board(game_of(game, settings=settings, variant=variant, position=position), render_mode, steps)


def policy_of(answer: Answer) -> Callable[[Board], Any]:
    """Turn an answer into a policy.

    Args:
        answer: an answer of `gdl.solve`.

    Returns:
        A function of an environment that `env` has made of the same game, without `steps`. It gives an array with the
        probability of each number of an action for the selected agent, and raises KeyError where the answer does not
        say how to play.

    Example:
        >>> import gdl
        >>> from gdl.wings.programs.pettingzoo import env, policy_of
        >>> play = env("tic_tac_toe")
        >>> play.reset()
        >>> policy_of(gdl.solve("tic_tac_toe"))(play)
        array([1., 0., 0., 0., 0., 0., 0., 0., 0.])
    """

    def policy(board: Board) -> Any:
        play = board.unwrapped._env
        row, played = numpy.zeros(play.actions), answer.policy(play.position, play.player)
        row[list(play.names)] = [played[name] for name in play.names.values()]
        return row

    return policy


def parallel_env(
    game: Given, *, settings: Mapping[str, str] | None = None, variant: str | None = None,
    position: str | None = None, render_mode: str | None = None, steps: bool = False,
) -> GdlParallelEnv:  # fmt: skip
    """Make an environment of PettingZoo whose agents all act at every step. Those who have no choice wait.

    Args:
        game: a game, or what `gdl.load` takes as `path`.
        settings: as for `gdl.load`.
        variant: as for `gdl.load`.
        position: as for `gdl.load`.
        render_mode: `ansi`, or None.
        steps: True to ask for an action part by part, so that there are fewer numbers.

    Returns:
        The environment. The greatest number of an action is that of waiting.

    Raises:
        Refusal: the game does not fit; the message says why.

    Example:
        >>> from gdl.wings.programs.pettingzoo import parallel_env
        >>> play = parallel_env("prisoners")
        >>> observations, infos = play.reset(seed=1)
        >>> sorted(observations)
        ['A', 'B']
    """
    return GdlParallelEnv(game_of(game, settings=settings, variant=variant, position=position), render_mode, steps)
