"""A process that steps plays for long takes no more memory."""

from __future__ import annotations

import random
from collections.abc import Callable

from long_lived import LONG, hold_memory_flat, usual_collection  # noqa: F401

import gdl

pytestmark = LONG


def steps() -> Callable[[int], None]:
    env, generator = gdl.environment("connect_four", seed=1), random.Random(1)

    def work(number: int) -> None:
        for _ in range(1000):
            if env.over:
                env.reset()
            env.step(env.legal[generator.randrange(len(env.legal))])

    return work


def test_memory_stays_flat():
    hold_memory_flat(steps, 10_000)
