"""A baseline for learners: DQN learns connect four from nothing, by playing against itself, on a processor alone.

    python tests/bench/dqn.py [--updates N] [--seed N]

Many plays are stepped together (`gdl.make_vec`); the net is a perceptron of two layers in numpy. It prints, after so
many updates each, how often the greedy player wins against random play, and against a careful player, who takes a win
and otherwise gives none, but plays at random; 200 games each, half as the second player (a draw counts half). What it found stands
in `results/dqn.md`.

1. A position is seen by its mover: a plane of one's own discs and one of the other's. Q(s, a) is what a is worth to the
   mover; after it the other moves, so its target is the reward, or -max Q'(s', a') over what is legal there.
2. Plays choose at random with a chance that falls from 1 to 0.1, else greedily. Transitions go into a ring, from which
   each update draws 256, each also in the mirror.
3. Targets take the action by the net that learns and its worth from a copy that is made anew every 250 updates
   (double DQN). The error is cut at 1 (Huber), the step is Adam's.

Sources: Mnih and others, Human-level control through deep reinforcement learning, Nature 518, 2015; van Hasselt, Guez,
Silver, Deep reinforcement learning with double Q-learning, AAAI 2016; Kingma, Ba, Adam, ICLR 2015.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy

import gdl

Array = numpy.ndarray[Any, Any]
PLAYS, BATCH, RING, UNITS = 64, 256, 1 << 17, 128
COPIED, TESTED, GAMES = 250, 1000, 200  # updates between two copies, and between two tests; games of a test
RATE, LEAST = 5e-4, 0.1


class Net:
    """A perceptron: what each action is worth to the mover, between -1 and 1."""

    def __init__(self, sizes: list[int], rng: numpy.random.Generator):
        self.layers = [rng.normal(0, (2 / a) ** 0.5, (a, b)).astype("f") for a, b in pairwise(sizes)]
        self.layers[-1] *= 0.1
        self.layers += [numpy.zeros(b, "f") for b in sizes[1:]]
        self._means = [numpy.zeros_like(one) for one in self.layers]
        self._squares = [numpy.zeros_like(one) for one in self.layers]
        self._updates, self._deep = 0, len(sizes) - 1

    def values(self, seen: Array) -> Array:
        return self._forward(seen)[-1]

    def _forward(self, seen: Array) -> list[Array]:
        held = [seen]
        for k in range(self._deep):
            sums = held[-1] @ self.layers[k] + self.layers[self._deep + k]
            held.append(numpy.tanh(sums) if k == self._deep - 1 else numpy.maximum(sums, 0))
        return held

    def learn(self, seen: Array, actions: Array, targets: Array) -> None:
        """One step toward the targets of these actions."""
        held, rows = self._forward(seen), numpy.arange(len(seen))
        error = numpy.zeros_like(held[-1])
        error[rows, actions] = numpy.clip(held[-1][rows, actions] - targets, -1, 1) / len(seen)
        back = error * (1 - held[-1] ** 2)
        slopes: dict[int, Array] = {}
        for k in reversed(range(self._deep)):
            slopes[k], slopes[self._deep + k] = held[k].T @ back, back.sum(axis=0)
            back = (back @ self.layers[k].T) * (held[k] > 0)
        self._updates += 1
        size = RATE * (1 - 0.999**self._updates) ** 0.5 / (1 - 0.9**self._updates)
        for k, slope in slopes.items():
            self._means[k] += 0.1 * (slope - self._means[k])
            self._squares[k] += 0.001 * (slope * slope - self._squares[k])
            self.layers[k] -= size * self._means[k] / (self._squares[k] ** 0.5 + 1e-8)


def of_mover(seen: dict[str, Array], players: Array) -> Array:
    """The discs of the mover and those of the other, as one row."""
    discs = seen["observation"][:, 3:5]  # of Yellow and Red
    discs = numpy.where(players[:, None, None, None] == 0, discs, discs[:, ::-1])
    return discs.reshape(len(players), -1).astype("f")


def greedy(net: Net, rows: Array, mask: Array) -> Array:
    """The best legal actions."""
    return numpy.where(mask > 0, net.values(rows), -9).argmax(axis=1)


def at_random(mask: Array, rng: numpy.random.Generator) -> Array:
    return (rng.random(mask.shape) * (mask > 0)).argmax(axis=1)


class Ring:
    """The last transitions."""

    def __init__(self, inputs: int, actions: int):
        self.before, self.after = (numpy.zeros((RING, inputs), "f") for _ in range(2))
        self.mask = numpy.zeros((RING, actions), numpy.int8)
        self.action, self.reward = numpy.zeros(RING, int), numpy.zeros(RING, "f")
        self.count = 0

    def add(self, before: Array, action: Array, reward: Array, after: Array, mask: Array) -> None:
        at = (self.count + numpy.arange(len(before))) % RING
        self.before[at], self.action[at], self.reward[at], self.after[at], self.mask[at] = (
            before, action, reward, after, mask,
        )  # fmt: skip
        self.count += len(before)

    def teach(self, net: Net, copy: Net, rng: numpy.random.Generator) -> None:
        drawn = rng.integers(min(self.count, RING), size=BATCH)
        after, mask = self.after[drawn], self.mask[drawn]
        best = copy.values(after)[numpy.arange(BATCH), greedy(net, after, mask)]
        targets = self.reward[drawn] - numpy.where(mask.any(axis=1), best, 0)
        seen, actions = self.before[drawn], self.action[drawn]
        columns = mask.shape[1]
        mirrored = seen.reshape(BATCH, -1, columns)[:, :, ::-1].reshape(BATCH, -1)
        net.learn(
            numpy.concatenate([seen, mirrored]), numpy.concatenate([actions, columns - 1 - actions]),
            numpy.concatenate([targets, targets]),
        )  # fmt: skip


def share_won(net: Net, careful: bool, rng: numpy.random.Generator) -> float:
    """How many of the games the greedy player wins; a draw counts half."""
    won = 0.0
    env = gdl.load("connect_four").environment()
    for game in range(GAMES):
        env.reset(game)
        while not env.over:
            if env.player == game % 2:
                seen = {"observation": numpy.array(env.observation(env.player))[None]}
                rows = of_mover(seen, numpy.array([env.player]))
                env.step(int(greedy(net, rows, numpy.frombuffer(bytes(env.mask), numpy.int8)[None])[0]))
            else:
                env.step(careful_action(env, rng) if careful else int(rng.choice(env.legal)))
        won += (float(env.utilities[game % 2]) + 1) / 2
    return won / GAMES


def careful_action(env: Any, rng: numpy.random.Generator) -> int:
    """An action that wins at once, else one after which the other cannot, else any."""
    safe = []
    for action in env.legal:
        env.step(action)
        wins, loses = any(env.utilities), False
        for reply in env.legal:
            env.step(reply)
            loses = loses or any(env.utilities)
            env.undo()
        env.undo()
        if wins:
            return int(action)
        safe += [] if loses else [action]
    return int(rng.choice(safe or env.legal))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = numpy.random.default_rng(asked.seed)
    plays = gdl.make_vec("connect_four", PLAYS, seed=asked.seed)
    seen, infos = plays.reset(seed=asked.seed)
    players, actions = infos["player"], plays.single_action_space.n
    rows, mask = of_mover(seen, players), seen["action_mask"]
    net, copy = (Net([rows.shape[1], UNITS, UNITS, actions], rng) for _ in range(2))
    ring, began = Ring(rows.shape[1], actions), time.process_time()
    print("updates  steps      seconds  random  careful")
    for update in range(asked.updates + 1):
        if update % COPIED == 0:
            copy.layers = [one.copy() for one in net.layers]
        if update % TESTED == 0:
            won = [share_won(net, careful, rng) for careful in (False, True)]
            print(
                f"{update:7,}  {ring.count:9,}  {time.process_time() - began:7.0f}  {won[0]:6.3f}  {won[1]:7.3f}",
                flush=True,
            )
        curious = rng.random(PLAYS) < max(LEAST, 1 - 2 * update / asked.updates)
        chosen = numpy.where(curious, at_random(mask, rng), greedy(net, rows, mask))
        goes_on = mask.any(axis=1)  # the others only begin anew
        seen, rewards, _, _, infos = plays.step(chosen)
        players = infos["player"]
        after, mask = of_mover(seen, players), seen["action_mask"]
        ring.add(rows[goes_on], chosen[goes_on], rewards[goes_on], after[goes_on], mask[goes_on])
        rows = after
        if ring.count >= 4 * BATCH:
            ring.teach(net, copy, rng)


if __name__ == "__main__":
    main()
