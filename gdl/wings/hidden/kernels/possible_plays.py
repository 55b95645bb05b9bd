"""Plays that agree with all that a player knows, found by changes (see gdl/wings/hidden/possible_plays.py), on a game's
module.

What the player knows is a row of entries, the words of the tuples of their memory after each ply in which they learnt
something (gdl/wings/hidden/kernels/memories.py); a play agrees as far as it leads to these entries one by one. It is
made ply by ply, by what is wished for where that agrees, else by an action drawn among all that agree. A change makes a
play anew from one ply on; the rest is wished for, or what the change has freed.

Where a text is met for the first time, or the row of an action of the player's own is not known, the run ends with
ASKS, and the same is done again when it is known.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.hidden.kernels.memories import *
from gdl.wings.hidden.kernels.tuples import *

PLAYS = const(100)  # plays that are kept for each player, and one that is to be changed
PLIES = const(1000)  # of a play, at most
ENTRIES = const(1024)  # entries of a player's knowledge, at most,
ENTRY_WORDS = const(1024)  # set: and their words
ACTION = const(-7)  # the first word of a tuple that stands for an action
HERE = const(1073741824)  # entries of a play that leads to all that is known, at a turn of the mover
FAILS = const(-1)  # the result where a row does not agree,
ASKS = const(-2)  # and where a text or a row is not known yet
UNKNOWN = const(-3)  # in the place of a row that is asked for
# Places in `asked_about`:
PLAYER = const(0)  # whose knowledge it is,
MOVER = const(1)  # who moves,
KNOWN = const(2)  # how many entries there are,
ROW = const(3)  # 1 + the entry whose row is needed, or 0,
LOOKS = const(4)  # how many rows were tried,
LEFT = const(5)  # how many changes are left,
ROWS = const(6)  # and how many rows there are where a row is needed

asked_about = array(i64, 7)
entry_from = array(i32, ENTRIES + 1)  # by entry: where its words begin,
entry_word = array(i32, ENTRY_WORDS)
entry_row = array(i32, ENTRIES)  # and the row of the player's own action
begun = array(i64, 2)  # the state of the generator, and the looks, before what is being done
written = array(i32, 2)  # where in `tuple_word` the entry after the last ply begins, and how long it is
start_words = array(i32, STATE)  # the state where plays begin
spare_state = array(i32, STATE)
# A play, and behind it (from PLIES on) its change. By ply: the state,
way_state = array(i32, 2 * PLIES * STATE)
way_row = array(i32, 2 * PLIES)  # the row that was taken, the number of its action, and its probability,
way_action = array(i32, 2 * PLIES)
way_chance = array(f64, 2 * PLIES)
way_open = array(u8, 2 * PLIES)  # 1 if it was another's choice, or chance's, of several,
way_known = array(i32, 2 * PLIES)  # and the entries before it.
way_length = array(i32, 2)  # The plies,
way_entries = array(i32, 2)  # the entries at the end,
way_weight = array(f64, 2)  # and the product of the probabilities that some action agrees
ply_tried = array(i32, PLIES)  # by ply: changes that began there,
ply_agreed = array(i32, PLIES)  # how many of them agreed there,
ply_share = array(f64, PLIES)  # and how often changes begin there, compared with other plies
wish_action = array(i32, PLIES)  # the actions wished for, by ply,
wish_row = array(i32, PLIES)
wish_length = array(i32, 1)
freed_action = array(i32, 2)  # the action that a change has freed, and the new one; -1: none
ratio = array(f64, 1)  # of the probability of a change to that of what was, in the plies that both share
kept_action = array(i32, PLAYERS * (PLAYS + 1) * PLIES)  # by player and play: its actions,
kept_row = array(i32, PLAYERS * (PLAYS + 1) * PLIES)  # with their rows,
kept_length = array(i32, PLAYERS * (PLAYS + 1))  # and how many these are


def note_beginning() -> None:
    """Note the state of the generator and the looks before what may be done again, so that it is done the same."""
    begun[0] = played[PLAYED_RANDOM]
    begun[1] = asked_about[LOOKS]


def random_share() -> f64:
    """A random number from 0 up to 1."""
    return f64(playout_random()) / 2147483648.0


def action_number(row: i32) -> i32:
    """The number of the action in a row, the same in all states."""
    put(ACTION)
    put_row(row)
    return tuple_number()


def find_action(action: i32, guess: i32, rows: i32) -> i32:
    """The row of an action in the listing, looked for from a guess on; -1 if it is not there."""
    for k in range(rows):
        row = (guess + k) % rows
        if action_number(row) == action:
            return row
    return -1


def row_chance(kind: i32, row: i32, rows: i32) -> f64:
    """The probability of a row."""
    if WEIGHED and kind == CHANCE:
        total: i64 = 0
        for i in range(rows):
            total += weight[i]
        return f64(weight[row]) / f64(total)
    return 1.0 / f64(rows)


def write_entry(player: i32, row: i32, actor: i32, entry: i32) -> i32:
    """Play a row, and write what a player learns from it as the next entry, behind all tuples. Returns 1 if that is
    something, or ASKS."""
    acted[player] = row + 1 if actor == player else 0
    text_count[0] = 0
    if HEARS:
        if tell(row, actor) == 0:
            return ASKS
    apply(row)
    if TELLS:
        if know_events() == 0:
            return ASKS
    observe()
    start = tuple_end[0]
    learnt = put_memory(player, entry, find_changes())
    written[0] = start
    written[1] = tuple_end[0] - start
    tuple_end[0] = start
    return learnt


def compare_row(row: i32, actor: i32, entry: i32) -> i32:
    """Play a row in a state with so many entries. Returns how many there are then, FAILS or ASKS."""
    asked_about[LOOKS] += 1
    learnt = write_entry(i32(asked_about[PLAYER]), row, actor, entry)
    if learnt <= 0:
        return ASKS if learnt < 0 else entry
    if entry >= asked_about[KNOWN] or entry_from[entry + 1] - entry_from[entry] != written[1]:
        return FAILS
    for k in range(written[1]):
        if tuple_word[written[0] + k] != entry_word[entry_from[entry] + k]:
            return FAILS
    return entry + 1


def enter_ply(at: i32) -> i32:
    """Stand at the state of ply `at`, counted with its change, and list its rows. Returns how many these are."""
    copy(s, 0, way_state, at * STATE, STATE)
    rows = moves()
    observe()
    copy(sight_before, 0, sight, 0, SIGHTS)
    return rows


def take_row(at: i32, kind: i32, row: i32, rows: i32, after: i32) -> i32:
    """Note the row that was taken at ply `at` of a change, and the entries after it, which it returns."""
    if after >= 0:
        way_row[PLIES + at] = row
        way_action[PLIES + at] = action_number(row)
        way_chance[PLIES + at] = row_chance(kind, row, rows)
        way_length[1] = at + 1
        way_entries[1] = after
    return after


def draw_agreeing(at: i32, kind: i32, actor: i32, rows: i32) -> i32:
    """Draw a row by its probability among all that agree."""
    entry = way_entries[1]
    total = 0.0
    drawn = -1
    for row in range(rows):
        after = compare_row(row, actor, entry)
        if after == ASKS:
            return ASKS
        copy(s, 0, way_state, (PLIES + at) * STATE, STATE)
        if after >= 0:
            chance = row_chance(kind, row, rows)
            total += chance
            if random_share() * total < chance:
                drawn = row
    if drawn < 0:
        return FAILS
    way_weight[1] *= total
    return take_row(at, kind, drawn, rows, compare_row(drawn, actor, entry))


def returns_by(at: i32, drawn: i32) -> i32:
    """1 if the change back would come at this ply to what was there: if `drawn`, by drawing, else by what it freed."""
    if at >= way_length[0]:
        return 1
    copy(spare_state, 0, s, 0, STATE)
    copy(s, 0, way_state, at * STATE, STATE)
    rows = moves()
    returns = find_action(way_action[PLIES + at], 0, rows) < 0
    if drawn:
        returns = returns and find_action(freed_action[1], 0, rows) < 0
    else:
        returns = returns and way_action[at] == freed_action[1]
    copy(s, 0, spare_state, 0, STATE)
    return returns


def choose_hidden(exact: i32, at: i32, kind: i32, rows: i32) -> i32:
    """Take what is wished for at a ply, or what was freed, or draw; `exact` as in `change_play`. Returns the entries
    then, FAILS or ASKS."""
    actor = s[0] if kind == DECISION else -1
    entry = way_entries[1]
    if at < wish_length[0]:
        for second in range(2):
            wanted = freed_action[0] if second else wish_action[at]
            row = find_action(wanted, wish_row[at], rows) if wanted >= 0 else -1
            if row >= 0:
                after = take_row(at, kind, row, rows, compare_row(row, actor, entry))
                if after != FAILS or exact:
                    if exact and after >= 0:
                        ratio[0] *= way_chance[PLIES + at] / way_chance[at]
                        if second:
                            return after if returns_by(at, 0) else FAILS
                    return after
                copy(s, 0, way_state, (PLIES + at) * STATE, STATE)
    if exact == 0:
        return draw_agreeing(at, kind, actor, rows)
    row = playout_drawn(rows) if kind == CHANCE else playout_pick(rows)
    after = take_row(at, kind, row, rows, compare_row(row, actor, entry))
    return FAILS if after >= 0 and returns_by(at, 1) == 0 else after


def play_on(exact: i32) -> i32:
    """Play a change on, as long as it agrees, from the present state. Returns its entries at the end, or ASKS."""
    for at in range(way_length[1], PLIES - 1):
        entry = way_entries[1]
        kind = status()
        if kind == DECISION and s[0] == asked_about[MOVER] and entry == asked_about[KNOWN]:
            way_entries[1] = HERE
            return HERE
        if kind == TERMINAL or kind == SIMULTANEOUS:
            return entry
        copy(way_state, (PLIES + at) * STATE, s, 0, STATE)
        rows = enter_ply(PLIES + at)
        way_known[PLIES + at] = entry
        way_open[PLIES + at] = 0
        after = FAILS
        if kind == DECISION and s[0] == asked_about[PLAYER]:
            if entry < asked_about[KNOWN]:
                row = entry_row[entry]
                if row == UNKNOWN:
                    asked_about[ROW] = entry + 1
                    asked_about[ROWS] = rows
                    return ASKS
                if row >= 0 and row < rows:
                    after = take_row(at, kind, row, rows, compare_row(row, s[0], entry))
                    way_chance[PLIES + at] = 1.0
        else:
            way_open[PLIES + at] = 1 if rows > 1 else 0
            after = choose_hidden(exact, at, kind, rows)
        if after < 0:
            return ASKS if after == ASKS else entry
    return way_entries[1]


def accept_change(begin: i32) -> None:
    """Make the change, which is new from ply `begin` on, the play."""
    count = way_length[1] - begin
    copy(way_state, begin * STATE, way_state, (PLIES + begin) * STATE, (count + 1) * STATE)
    copy(way_row, begin, way_row, PLIES + begin, count)
    copy(way_action, begin, way_action, PLIES + begin, count)
    copy(way_chance, begin, way_chance, PLIES + begin, count)
    copy(way_open, begin, way_open, PLIES + begin, count)
    copy(way_known, begin, way_known, PLIES + begin, count)
    way_length[0] = way_length[1]
    way_entries[0] = way_entries[1]
    way_weight[0] = way_weight[1]


def follow_kept(player: i32, play: i32) -> i32:
    """Make a play by what is kept as a player's play, and beyond its end by what agrees. Returns its entries, or
    ASKS."""
    note_beginning()
    place = player * (PLAYS + 1) + play
    wish_length[0] = kept_length[place]
    copy(wish_action, 0, kept_action, place * PLIES, wish_length[0])
    copy(wish_row, 0, kept_row, place * PLIES, wish_length[0])
    freed_action[0] = -1
    way_length[1] = 0
    way_entries[1] = 0
    way_weight[1] = 1.0
    copy(s, 0, start_words, 0, STATE)
    found = play_on(0)
    if found != ASKS:
        copy(way_state, (PLIES + way_length[1]) * STATE, s, 0, STATE)
        accept_change(0)
    return found


def keep_play(player: i32, play: i32) -> None:
    """Keep the play as one of a player's."""
    place = player * (PLAYS + 1) + play
    copy(kept_action, place * PLIES, way_action, 0, way_length[0])
    copy(kept_row, place * PLIES, way_row, 0, way_length[0])
    kept_length[place] = way_length[0]


def share_plies() -> None:
    """Let changes begin more often where they have agreed."""
    for at in range(PLIES):
        ply_share[at] = f64(1 + ply_agreed[at]) / f64(1 + ply_tried[at])


def sum_shares(begin: i32, length: i32) -> f64:
    """The sum of the shares of the plies of a play, or of its change, that have something to change."""
    total = 0.0
    for at in range(length):
        if way_open[begin + at]:
            total += ply_share[at]
    return total


def change_play(exact: i32) -> i32:
    """Change one choice of the play. If `exact`, the change is taken with the probability by which plays that agree
    come as often as their probabilities say (Metropolis and Hastings); else if it agrees no less far. Returns ASKS, 0
    if there is nothing to change, or 1."""
    note_beginning()
    shares = sum_shares(0, way_length[0])
    if shares <= 0.0:
        return 0
    left = random_share() * shares
    begin = -1
    for at in range(way_length[0]):
        if way_open[at] and left >= 0.0:
            left -= ply_share[at]
            begin = at
    rows = enter_ply(begin)
    kind = DECISION if s[0] >= 0 else CHANCE
    entry = way_known[begin]
    row = playout_drawn(rows) if kind == CHANCE else playout_pick(rows)
    freed_action[0] = way_action[begin]
    freed_action[1] = action_number(row)
    if freed_action[0] == freed_action[1]:
        return 1
    copy(way_state, (PLIES + begin) * STATE, s, 0, STATE)
    way_known[PLIES + begin] = entry
    copy(way_open, PLIES, way_open, 0, begin + 1)
    after = take_row(begin, kind, row, rows, compare_row(row, s[0] if kind == DECISION else -1, entry))
    if after < 0:
        ply_tried[begin] += 1 if after == FAILS else 0
        return ASKS if after == ASKS else 1
    wish_length[0] = way_length[0]
    copy(wish_action, 0, way_action, 0, way_length[0])
    copy(wish_row, 0, way_row, 0, way_length[0])
    ratio[0] = 1.0
    found = play_on(exact)
    if found == ASKS:
        return ASKS
    ply_tried[begin] += 1
    ply_agreed[begin] += 1
    taken = found >= way_entries[0]
    if exact and taken:
        taken = random_share() * sum_shares(PLIES, way_length[1]) < ratio[0] * shares
    if taken:
        copy(way_state, (PLIES + way_length[1]) * STATE, s, 0, STATE)
        accept_change(begin)
    return 1


def change_plays(exact: i32) -> i32:
    """Change the play as often as LEFT says; if not `exact`, until it agrees in all. Returns ASKS, 0 if there is
    nothing to change, or 1."""
    while asked_about[LEFT] > 0 and (exact or way_entries[0] != HERE):
        done = change_play(exact)
        if done <= 0:
            return done
        asked_about[LEFT] -= 1
    return 1


def know_play(player: i32) -> i32:
    """Ask from now on for plays that agree with what another player knows at the end of the play. Returns ASKS, FAILS
    if that is too much, or 1."""
    note_beginning()
    entry = 0
    for at in range(way_length[0]):
        rows = enter_ply(at)
        actor = s[0] if s[0] >= 0 else -1
        way_known[at] = entry
        way_open[at] = 1 if rows > 1 and actor != player else 0
        way_chance[at] = row_chance(DECISION if s[0] >= 0 else CHANCE, way_row[at], rows) if actor != player else 1.0
        learnt = write_entry(player, way_row[at], actor, entry)
        if learnt < 0 or entry_from[entry] + written[1] > ENTRY_WORDS:
            return ASKS if learnt < 0 else FAILS
        if learnt:
            copy(entry_word, entry_from[entry], tuple_word, written[0], written[1])
            entry_row[entry] = way_row[at] if actor == player else FAILS
            entry_from[entry + 1] = entry_from[entry] + written[1]
            entry += 1
    asked_about[PLAYER] = player
    asked_about[KNOWN] = entry
    return 1
