"""Many plays of a game as one environment of Gymnasium's or PettingZoo's form, on the engine that steps them together.

Observations, masks and rewards of the whole batch are one array each. A play that ends is reported by `terminations`,
with its last position; then it begins anew: in the next step, which does nothing else in it (`next_step`), or at once
(`same_step`, where the last position is in `final_obs`). The gains of each step stand in `rewards`.

    import gdl
    plays = gdl.make_vec("connect_four", 64)

Sources: Towers and others, Gymnasium: a standard interface for reinforcement learning environments, 2024; Terry and
others, PettingZoo: Gym for multi-agent reinforcement learning, 2021.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gdl.adapters.fitting import SameByContent, missing
from gdl.playing.stepping.batch import Environments, PlaysInTurn
from gdl.playing.stepping.environment import Environment
from gdl.playing.stepping.stepped_batch import SteppedEnvironments

try:
    import gymnasium
    import numpy
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as absent:
    raise missing("gymnasium", "gymnasium") from absent

Plays = Environments | PlaysInTurn | SteppedEnvironments
Seen = dict[str, Any]  # the observation and the mask of every play


class Course:
    """Many plays, and the rule when a play that has ended starts again: `autoreset` is `next_step` or `same_step`."""

    def __init__(self, plays: Plays, autoreset: str):
        self.plays, self.waits = plays, autoreset == "next_step"
        self.everybody = numpy.arange(plays.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Course) and (self.waits, *self.plays.over) == (other.waits, *other.plays.over)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Do an action in every play. Returns for each play the player who acted, and whether it ended. With
        `next_step`, a play that ended in the step before starts again instead."""
        acted = self.plays.player.copy()
        self.plays.step(actions, self.plays.over.tobytes() if self.waits else None)
        return acted, self.plays.over.astype(bool)

    def observe(self, players: Any, final: Any = None) -> Seen:
        """The observation that `players[k]` has of each play k, with a mask of the legal actions; where `final[k]` is
        true, the observation of the last position, at which no action is legal."""
        mask = self.plays.mask.astype(numpy.int8)
        mask[self.plays.player != players] = 0
        if final is not None:
            mask[final] = 0
        return {"observation": self.plays.observations(players, final), "action_mask": mask}


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
    return {"observation": numpy.array(env.observation(player)), "action_mask": mask}


class VectorPlays(SameByContent, gymnasium.vector.VectorEnv):  # type: ignore[misc, unused-ignore]  # an extra
    """Many plays, in each of which the player to move acts. The reward is that player's; `infos` has who moves next
    (`player`) and what everyone gained (`gained`). The last position is seen by the player who moved last."""

    decisive = ("plays", "_course")

    def __init__(self, plays: Plays, autoreset: str):
        self._course, self.num_envs = Course(plays, autoreset), plays.size
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
        if self._course.waits and ends:
            seen = self._course.observe(numpy.where(over, acted, self.plays.player), over)
        else:
            seen = self._course.observe(self.plays.player)
        if ends and not self._course.waits:
            last = self._course.observe(acted, over)
            final = numpy.full(self.num_envs, None, object)
            for play in numpy.flatnonzero(over):  # as Gymnasium has it: an object for each play that ended
                final[play] = {name: rows[play] for name, rows in last.items()}
            infos |= {
                "final_obs": final,
                "_final_obs": over,
                "final_info": {"gained": gained, "_gained": over},
                "_final_info": over,
            }
        rewards = gained[self._course.everybody, acted]
        return seen, rewards, over, numpy.zeros(self.num_envs, bool), infos

    def render(self) -> tuple[str, ...]:
        return tuple(map(self.plays.state, range(self.num_envs)))
