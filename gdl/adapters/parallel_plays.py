"""Many plays of a game as one environment of PettingZoo's parallel form, whose agents have a row for each play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.adapters.fitting import SameByContent, missing
from gdl.adapters.many_plays import Course, Plays, Seen, seen_space
from gdl.errors import GameError, Problem, listing

try:
    import gymnasium
    import numpy
    import pettingzoo
    from gymnasium.vector.utils import batch_space
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
