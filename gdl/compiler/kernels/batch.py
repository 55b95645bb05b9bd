"""Many games of one kind stepped together, each with its own chance; one that ends begins anew.

A step looks first whether all numbers are legal: -1 less the place of the first game whose number is not, and nothing
is done then. A game that cannot be gone on with (its chance never ends, or more is legal than there is room for)
gives `BATCH_STUCK` less its place. Else 0.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.stepping import *
from gdl.compiler.kernels.words import *

BATCH = const(1)  # set: games
BATCH_LEGAL = const(1)  # set: legal actions of a game for which there is room
BATCH_MASKED = const(1)  # set: numbers of actions, of each of which the mask says whether it is legal; 1: no mask
BATCH_STUCK = const(-1073741824)
batch_state = array(i32, BATCH * STATE)
batch_random = array(i64, BATCH)  # the state of each game's generator
batch_chosen = array(i32, BATCH * PLAYERS)
batch_action = array(i64, BATCH)  # what is to be done
batch_player = array(i32, BATCH)  # who is asked
batch_count = array(i32, BATCH)  # how many actions are legal
batch_legal = array(i64, BATCH * BATCH_LEGAL)
batch_mask = array(u8, BATCH * BATCH_MASKED)
batch_reward = array(f64, BATCH * PLAYERS)  # by the last step
batch_over = array(u8, BATCH)  # whether the last step ended a play
batch_row = array(i32, BATCH)


def batch_note(i: i32, answer: i64) -> i32:
    """Keep where the game at a place stands; 0 where it cannot be gone on with."""
    if answer <= 0 or answer >= STEP_UNNUMBERED or step_turn[2] > BATCH_LEGAL:
        return 0
    copy(batch_state, i * STATE, s, 0, STATE)
    batch_random[i] = played[PLAYED_RANDOM]
    copy(batch_chosen, i * PLAYERS, step_chosen, 0, PLAYERS)
    if BATCH_MASKED > 1:
        for k in range(batch_count[i]):
            batch_mask[i * BATCH_MASKED + i32(batch_legal[i * BATCH_LEGAL + k])] = 0
        for k in range(step_turn[2]):
            batch_mask[i * BATCH_MASKED + i32(step_legal[k])] = 1
    copy(batch_legal, i * BATCH_LEGAL, step_legal, 0, step_turn[2])
    batch_count[i] = step_turn[2]
    batch_player[i] = step_turn[0]
    return 1


def batch_begin(unused: i32) -> i32:
    """Begin all games anew."""
    for i in range(BATCH):
        batch_over[i] = 0
        for p in range(PLAYERS):
            batch_reward[i * PLAYERS + p] = 0.0
        playout_seed(batch_random[i])
        if batch_note(i, step_reset(0)) == 0:
            return BATCH_STUCK - i
    return 0


def batch_find(i: i32) -> i32:
    """The row of what is to be done in a game, or -1."""
    for k in range(batch_count[i]):
        if batch_legal[i * BATCH_LEGAL + k] == batch_action[i]:
            return k
    return -1


def batch_enter(i: i32) -> i64:
    """Be where a game stands."""
    copy(s, 0, batch_state, i * STATE, STATE)
    playout_seed(batch_random[i])
    copy(step_chosen, 0, batch_chosen, i * PLAYERS, PLAYERS)
    step_depth[0] = 0
    if AT_ONCE:
        if s[0] == -1:
            moves()
            player = 0
            for p in range(PLAYERS):
                if step_chosen[p] >= 0:
                    player = p + 1
            return step_ask_next(player)
    step_turn[0] = s[0]
    step_turn[1] = 0
    step_turn[2] = moves()
    return 1


def batch_run(unused: i32) -> i32:
    """A step in every game."""
    for i in range(BATCH):
        batch_row[i] = batch_find(i)
        if batch_row[i] < 0:
            return -1 - i
    for i in range(BATCH):
        batch_enter(i)
        answer = step_row(i64(batch_row[i]))
        batch_over[i] = answer == 0
        for p in range(PLAYERS):
            batch_reward[i * PLAYERS + p] = 0.0
        if answer == 0:
            for p in range(PLAYERS):
                batch_reward[i * PLAYERS + p] = f64(util[p]) / f64(DENOMINATOR)
            answer = step_reset(0)
        if batch_note(i, answer) == 0:
            return BATCH_STUCK - i
    return 0
