"""One game stepped by a program: do an action by its number, draw chance, and list the actions that are legal then.

Numbers are those of `action_numbers`. In a simultaneous move players are asked one after the other, in one listing.
Before each step a record of where play stands is put on the trail, if there is one, so that the step can be taken back;
the caller empties the trail when it is full.

The answer of a step: 0 at the end, STEP_ILLEGAL (-1) if the number is no legal action's, STEP_ENDLESS (-2) if chance
goes on for ever, else the player who is asked plus `STEP_ROWS` times the number of legal rows. `STEP_UNNUMBERED` is
added if the tables do not give the number of one of these, or there is no room for all, `STEP_FULL` if the trail is
full.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.programs.kernels.action_numbers import *

STEP_TRAIL = const(0)  # set: records of the trail
STEP_PLAYS = const(1)  # set: plays that are stepped together
STEP_MOST = const(MOVES)  # set: the room for legal actions of a play
STEP_PLACE = const(STATE + 2 + PLAYERS)  # words for where play stands: state, generator, choices
STEP_RECORD = const(STEP_PLACE + 2)  # words of a record: these, and the number of the action done there
STEP_ROWS = const(256)  # parts of answers, see above; more than there are players
STEP_UNNUMBERED = const(1099511627776)
STEP_FULL = const(2199023255552)
STEP_ILLEGAL = const(-1)
STEP_ENDLESS = const(-2)
STEP_CHANCES = const(1000000)  # steps of chance without a decision between them that count as endless
step_legal = array(i64, STEP_PLAYS * STEP_MOST)  # of each play: the numbers of its legal actions
step_place = array(i32, 1)  # where those of the present play begin
step_turn = array(i32, 3)  # the player who is asked (-1: nobody), the first of their rows, and how many they are
step_chosen = array(i32, PLAYERS)  # in a simultaneous move, by player: the row chosen; -1: none yet
step_start = array(i32, STATE)  # where plays begin
step_saved = array(i32, STEP_RECORD)  # the record of step_save()
step_trail = array(i32, (STEP_TRAIL + 1) * STEP_RECORD)  # and behind it room for one record on its way to step_saved
step_depth = array(i32, 1)  # records on the trail


def step_ask(player: i32, begin: i32, end: i32) -> i64:
    """Make it the turn of a player, whose rows are `begin` to `end` - 1, and list the numbers of their actions. Returns
    the answer of the step."""
    step_turn[0] = player
    step_turn[1] = begin
    step_turn[2] = end - begin
    flags: i64 = 0
    place = step_place[0] - begin
    if end - begin > STEP_MOST:
        return STEP_UNNUMBERED
    for row in range(begin, end):
        number = action_number(row)
        step_legal[place + row] = number
        if ACTION_GAPS:
            if number < 0:
                flags = STEP_UNNUMBERED
    if STEP_TRAIL:
        if step_depth[0] == STEP_TRAIL:
            flags += STEP_FULL
    return i64(end - begin) * STEP_ROWS + flags + player


def step_ask_next(player: i32) -> i64:
    """Ask the first player from `player` on who has a choice in a simultaneous move. Returns the answer of the step, or
    0 if nobody has one."""
    if AT_ONCE:
        for p in range(player, PLAYERS):
            if first[p + 1] > first[p]:
                return step_ask(p, first[p], first[p + 1])
    return 0


def step_together() -> None:
    """Do the choices of all players in a simultaneous move."""
    if AT_ONCE:
        for p in range(PLAYERS):
            joint[p] = step_chosen[p]
            step_chosen[p] = -1
        apply_joint()


def step_settle(status: i32) -> i64:
    """Play on, from a state with this status, to the next decision, and ask its player. Returns the answer of the step;
    the rows of the state are listed then."""
    kind = status
    for turn in range(STEP_CHANCES):
        last = s[1]
        if kind == DECISION:
            return step_ask(s[0], 0, moves())
        if kind == TERMINAL:
            step_turn[0] = -1
            step_turn[2] = 0
            return 0
        if AT_ONCE and kind == SIMULTANEOUS:
            moves()
            asked = step_ask_next(0)
            if asked > 0:
                return asked
            step_together()
        else:
            playout_step(kind)
        kind = status_after(last)
    return STEP_ENDLESS


def step_reset(unused: i64) -> i64:
    """Begin a play. Returns the answer of the step."""
    copy(s, 0, step_start, 0, STATE)
    step_depth[0] = 0
    for p in range(PLAYERS):
        step_chosen[p] = -1
    return step_settle(status())


def step_do(number: i64) -> i64:
    """Do the action with this number. Returns the answer of the step, or STEP_ILLEGAL."""
    for row in range(step_turn[2]):
        if step_legal[row] == number:
            return step_row(i64(row))
    return STEP_ILLEGAL


def step_row(row: i64) -> i64:
    """Do the action in this row of the player who is asked, counted among the player's own. Returns the answer of the
    step."""
    if STEP_TRAIL:
        at = step_depth[0] * STEP_RECORD
        step_depth[0] += 1
        step_note(at, step_legal[i32(row)])
    chosen = step_turn[1] + i32(row)
    last = s[1]
    if AT_ONCE:
        if s[0] == -1:
            step_chosen[step_turn[0]] = chosen
            asked = step_ask_next(step_turn[0] + 1)
            if asked > 0:
                return asked
            step_together()
            return step_settle(status_after(last))
    apply(chosen)
    return step_settle(status_after(last))


def step_note(at: i32, number: i64) -> None:
    """Write where play stands, and the number of the action to be done, as a record at `at` of the trail."""
    copy(step_trail, at, s, 0, STATE)
    step_trail[at + STATE] = i32(played[PLAYED_RANDOM] & 4294967295)
    step_trail[at + STATE + 1] = i32(played[PLAYED_RANDOM] >> 32)
    copy(step_trail, at + STATE + 2, step_chosen, 0, PLAYERS)
    step_trail[at + STEP_PLACE] = i32(number & 4294967295)
    step_trail[at + STEP_PLACE + 1] = i32(number >> 32)


def step_save(unused: i64) -> i64:
    """Save where play stands, for `step_restore`."""
    at = STEP_TRAIL * STEP_RECORD
    step_note(at, 0)
    copy(step_saved, 0, step_trail, at, STEP_RECORD)
    return 0


def step_restore(unused: i64) -> i64:
    """Go back to where play stood when it was saved. Returns the answer of the step."""
    copy(s, 0, step_saved, 0, STATE)
    playout_seed(i64(step_saved[STATE + 1]) << 32 | i64(step_saved[STATE]) & 4294967295)
    copy(step_chosen, 0, step_saved, STATE + 2, PLAYERS)
    kind = status()
    if AT_ONCE and kind == SIMULTANEOUS:
        moves()
        player = 0
        for p in range(PLAYERS):
            if step_chosen[p] >= 0:
                player = p + 1
        return step_ask_next(player)
    return step_settle(kind)
