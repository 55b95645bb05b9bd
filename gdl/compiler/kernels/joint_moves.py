"""Moves of all players at once, numbered: each number stands for a combination of their choices."""

from gdl.compiler.kernels.game import *

AT_ONCE = const(0)  # set: whether players may move at once
LARGEST_COUNT = const(9223372036854775807)  # the greatest number that fits in 64 bits
joint_plies = array(i32, 1)  # the players whose choices joint_ways() has combined last


def joint_ways(left: i32) -> i64:
    """The number of combinations of the first `left` players' choices in the listed simultaneous move; 0 if it does not
    fit in 64 bits. Sets `joint_plies`."""
    count: i64 = 1
    joint_plies[0] = 0
    if AT_ONCE:
        for p in range(PLAYERS):
            own: i64 = first[p + 1] - first[p]
            if own > 0 and joint_plies[0] < left:
                if count > LARGEST_COUNT // own:
                    return 0
                count = count * own
                joint_plies[0] += 1
    return count


def take_joint(way: i64) -> None:
    """Make the simultaneous move that is the combination of this number."""
    if AT_ONCE:
        for p in range(PLAYERS):
            own = first[p + 1] - first[p]
            joint[p] = -1
            if own > 0:
                joint[p] = first[p] + i32(way % own)
                way = way // own
        apply_joint()
