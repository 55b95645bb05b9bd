"""Moves made at once: what each player may do is found once for all combinations."""

from itertools import islice

import gdl
from gdl.states.explore import moves


def test_the_options_of_all_are_found_once_for_all_joint_moves() -> None:
    """In a game of 99 orders each at once, each of a million joint moves took 60 ms."""
    game = gdl.load("tests/bench/games/campaign.game")
    start = game.initial()
    joint, work = list(islice(moves(game.node(start)), 300)), [game.work]
    after = set()
    for move in joint:
        after.add(game.successor(start, move).cells)
        work.append(game.work)
    assert len(joint) == 300 and len(after) < 20
    assert work[-1] - work[1] < 10 * (work[1] - work[0])
