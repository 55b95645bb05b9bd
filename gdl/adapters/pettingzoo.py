"""Games as environments of PettingZoo: agents are the players, by name.

An observation is a dictionary: `observation` has the planes that the player sees, `action_mask` is 1 for the numbers of
the actions that are legal. Both are described with `gdl.environment`. A reward is what a step has gained: in most games
the utilities at the end, and 0 before. Chance is drawn inside; moves at once are asked for one by one, unseen.

    from gdl.adapters.pettingzoo import env, parallel_env

Source: Terry and others, PettingZoo: Gym for multi-agent reinforcement learning, NeurIPS 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.adapters.fitting import Given, fitting, missing
from gdl.game import Game
from gdl.playing.loading import game_of

try:
    import gymnasium
    import pettingzoo

    from gdl.adapters.many_plays import Seen, seen_by, seen_space
    from gdl.adapters.parallel_plays import Spaces
except ModuleNotFoundError as absent:
    raise missing("pettingzoo", "pettingzoo") from absent


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
        self.terminations = dict.fromkeys(self.agents, False)
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
        self._env.step(int(action))  # type: ignore[arg-type]  # of the living
        self.rewards = {
            agent: float(gained) for agent, gained in zip(self.possible_agents, self._env.rewards, strict=True)
        }
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
        if self._env.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            assert self._env.player is not None
            self.agent_selection = self.possible_agents[self._env.player]


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
            self._env.step(int(actions[self.possible_agents[player]]))
            gained = [have + float(more) for have, more in zip(gained, self._env.rewards, strict=True)]
        agents, over = self.agents, self._env.over
        self._asked = {} if over else self._env.choices
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
        >>> from gdl.adapters.pettingzoo import env
        >>> play = env("tic_tac_toe")
        >>> play.reset(seed=1)
        >>> play.agent_selection, int(play.action_space("X").n)
        ('X', 9)
    """
    return Board(game_of(game, settings=settings, variant=variant, position=position), render_mode, steps)


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
        >>> from gdl.adapters.pettingzoo import parallel_env
        >>> play = parallel_env("prisoners")
        >>> observations, infos = play.reset(seed=1)
        >>> sorted(observations)
        ['A', 'B']
    """
    return GdlParallelEnv(game_of(game, settings=settings, variant=variant, position=position), render_mode, steps)
