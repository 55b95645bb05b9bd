"""Many games of one kind stepped together, each with its own chance; one that ends begins anew.

A step first checks that the chosen action of every game is legal. If one is not, nothing is done, and the answer is -1
less the number of that game. If a game cannot go on (its chance never ends, or more actions are legal than there is
room for), the answer is `BATCH_STUCK` less its number; else 0.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.wings.programs.kernels.stepping import *

BATCH_MASKED = const(1)  # set: entries of each game's mask, one for each number of an action; 1: no mask
BATCH_NARROW = const(128)  # a mask of at most so many entries is cleared whole
BATCH_CHANCE = const(1)  # set: whether there is chance
BATCH_KEPT = const(0)  # set: rows of a listing kept until one of them is done; 0: none
BATCH_SHORT = const(0)  # set: whether these are so few that all are copied, whatever their number
BATCH_PATHS = const(0)  # set: words kept of what their bodies choose; 0: none
BATCH_STUCK = const(-1073741824)  # the answer for game 0 if it cannot go on; see above
batch_state = array(i32, STEP_PLAYS * STATE)
batch_random = array(i64, STEP_PLAYS)  # the state of each game's generator
batch_chosen = array(i32, STEP_PLAYS * PLAYERS)  # of each game: `step_chosen`
batch_action = array(i64, STEP_PLAYS)  # of each game: the number of the action to be done,
batch_row = array(i32, STEP_PLAYS)  # and its row
batch_player = array(i32, STEP_PLAYS)  # the player who is asked,
batch_count = array(i32, STEP_PLAYS)  # and how many actions are legal
batch_kept = array(i32, STEP_PLAYS * BATCH_KEPT * WIDTH)
batch_path = array(i64, STEP_PLAYS * BATCH_PATHS)
batch_listed = array(u8, STEP_PLAYS)  # whether a game's rows are kept
batch_mask = array(u8, STEP_PLAYS * BATCH_MASKED)
batch_unmasked = array(u8, BATCH_MASKED)  # a mask of nothing
batch_masks = array(i32, 1)  # 1 if somebody reads the masks
batch_reward = array(f64, STEP_PLAYS * PLAYERS)  # what the last step paid
batch_over = array(u8, STEP_PLAYS)  # 1 if the last step ended a play
batch_final = array(i32, STEP_PLAYS * STATE)  # and the state in which it ended
batch_idle = array(u8, STEP_PLAYS)  # 1 if the next step leaves the game as it stands
batch_play = array(i32, 1)  # the game that is stepped, whose earlier positions are asked for (own_pasts.py)


def batch_note(i: i32, answer: i64) -> i32:
    """Store where game `i` stands, after its step has given `answer`. Returns 0 if the game cannot go on: chance never
    ends, or more actions are legal than there is room for."""
    if answer <= 0 or answer >= STEP_UNNUMBERED:
        return 0
    copy(batch_state, i * STATE, s, 0, STATE)
    if BATCH_CHANCE:
        batch_random[i] = played[PLAYED_RANDOM]
    if AT_ONCE:
        copy(batch_chosen, i * PLAYERS, step_chosen, 0, PLAYERS)
    batch_count[i] = step_turn[2]
    batch_player[i] = step_turn[0]
    if BATCH_KEPT:
        batch_keep(i)
    if BATCH_MASKED > 1:
        if batch_masks[0]:
            batch_mark(i, 1)
    return 1


def batch_keep(i: i32) -> None:
    """Keep the rows that are listed for game `i`, if there is room for all; `batch_listed` says whether."""
    batch_listed[i] = 0
    if step_turn[2] > BATCH_KEPT:
        return
    if BATCH_PATHS:
        if paths_end[0] > BATCH_PATHS:
            return
        copy(batch_path, i * BATCH_PATHS, path, 0, paths_end[0])
    batch_listed[i] = 1
    if BATCH_SHORT:
        copy(batch_kept, i * BATCH_KEPT * WIDTH, move, 0, BATCH_KEPT * WIDTH)
    else:
        copy(batch_kept, i * BATCH_KEPT * WIDTH, move, 0, step_turn[2] * WIDTH)


def batch_mark(i: i32, legal: i32) -> None:
    """Write `legal` (1 or 0) into the mask of game `i` at all of its present actions."""
    for k in range(batch_count[i]):
        batch_mask[i * BATCH_MASKED + i32(step_legal[i * STEP_MOST + k])] = legal


def batch_look(unused: i64) -> i64:
    """Begin to keep the masks up to date: from now on somebody reads them."""
    if BATCH_MASKED > 1:
        if batch_masks[0] == 0:
            for i in range(STEP_PLAYS):
                batch_mark(i, 1)
    batch_masks[0] = 1
    return 0


def batch_begin(unused: i64) -> i64:
    """Start all games again."""
    for i in range(STEP_PLAYS):
        batch_over[i] = 0
        for p in range(PLAYERS):
            batch_reward[i * PLAYERS + p] = 0.0
        playout_seed(batch_random[i])
        batch_play[0] = i
        batch_leave(i)
        if batch_note(i, batch_reset()) == 0:
            return BATCH_STUCK - i
    return 0


def batch_reset() -> i64:
    """Begin a play that has at least one decision. Returns the answer of its first step, as in `stepping`; STEP_ENDLESS
    if every play ends without a decision."""
    for turn in range(STEP_CHANCES):
        answer = step_reset(0)
        if answer != 0:
            return answer
    return STEP_ENDLESS


def batch_leave(i: i32) -> None:
    """Take the actions of game `i` out of its mask, before another position gives it others."""
    if BATCH_MASKED > 1:
        if batch_masks[0]:
            if BATCH_MASKED > BATCH_NARROW:
                batch_mark(i, 0)
            else:
                copy(batch_mask, i * BATCH_MASKED, batch_unmasked, 0, BATCH_MASKED)
    step_place[0] = i * STEP_MOST


def batch_find(i: i32) -> i32:
    """The row of the action that is to be done in game `i`, or -1 if it is not legal. All rows are compared: to stop at
    the right one would cost a mispredicted branch."""
    number: i64 = batch_action[i]
    at = i * STEP_MOST
    row = -1
    for k in range(batch_count[i]):
        row = k if step_legal[at + k] == number else row
    return row


def batch_enter(i: i32) -> i32:
    """Load the state of game `i`, and list its rows. Returns the row of the action to be done: 0 where that row alone
    was fetched from the kept ones."""
    row = batch_row[i]
    copy(s, 0, batch_state, i * STATE, STATE)
    if BATCH_CHANCE:
        playout_seed(batch_random[i])
    if BATCH_KEPT:
        if batch_listed[i]:
            batch_fetch(i, row)
            return 0
    moves()
    return row


def batch_fetch(i: i32, row: i32) -> None:
    """Make one of the kept rows the only row of the listing."""
    copy(move, 0, batch_kept, (i * BATCH_KEPT + row) * WIDTH, WIDTH)
    if BATCH_PATHS:
        if action_paths[move[0]]:
            at = action_heads[move[0]] + 1
            copy(path, 0, batch_path, i * BATCH_PATHS + move[at], move[at + 1])
            move[at] = 0


def batch_do(i: i32) -> i64:
    """Do the chosen action in game `i`, and play on to the next decision. Returns the answer of the step, as in
    `stepping`."""
    row = batch_enter(i)
    batch_leave(i)
    if AT_ONCE:
        if s[0] == -1:
            copy(step_chosen, 0, batch_chosen, i * PLAYERS, PLAYERS)
            player = batch_player[i]
            step_turn[0] = player
            step_turn[1] = first[player]
            return step_row(row)
    last = s[1]
    apply(row)
    return step_settle(status_after(last))


def batch_run(unused: i64) -> i64:
    """Do one step in every game. Returns 0, -1 less the first game whose action is not legal, or BATCH_STUCK less the
    first game that cannot go on."""
    for i in range(STEP_PLAYS):
        if batch_idle[i] == 0:
            batch_row[i] = batch_find(i)
            if batch_row[i] < 0:
                return -1 - i
    for i in range(STEP_PLAYS):
        if batch_over[i]:
            batch_over[i] = 0
            for p in range(PLAYERS):
                batch_reward[i * PLAYERS + p] = 0.0
        if batch_idle[i]:
            continue
        batch_play[0] = i
        answer = batch_do(i)
        if answer == 0:
            batch_over[i] = 1
            copy(batch_final, i * STATE, s, 0, STATE)
            for p in range(PLAYERS):
                batch_reward[i * PLAYERS + p] = f64(util[p]) / f64(DENOMINATOR)
            answer = batch_reset()
        if batch_note(i, answer) == 0:
            return BATCH_STUCK - i
    return 0
