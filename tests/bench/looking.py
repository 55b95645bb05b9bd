"""A net looks at positions: the kernel that `ours.py looks` times, joined with `network`."""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.words import *
from gdl.wings.learning.kernels.network import *

LOOKING = const(256)  # positions
looking_state = array(i32, LOOKING * STATE)


def looking_run(times: i32) -> i32:
    """Run the net on each position and each action there, so many times."""
    for turn in range(times):
        for k in range(LOOKING):
            copy(s, 0, looking_state, k * STATE, STATE)
            net_look(s[0])
            net_actions(s[0], moves())
    return 1
