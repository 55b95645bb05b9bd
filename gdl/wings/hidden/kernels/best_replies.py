"""Exact best replies to the average strategies that samples have found (see gdl/wings/hidden/best_replies.py).

The replier is the traverser. The others play their averages, and what is hardly ever played there is left out: actions
whose share is below `sharp` times the largest one; where no sample has been they take the first action. So few of their
actions are left that all plays can be walked.

1. From a state, all plays are walked up to their ends and to decisions of the replier; lines keep where chance or the
   others have several ways. The probability of what they have done is `reach`. What an end pays times its probability
   is added to the sum of the replier's action; a decision becomes an entry.
2. Entries with the same memory of the replier are one group: an information set, with everything that can be behind it.
   For each of its actions, one after the other, the plays go on from all its entries (1); the groups that come of this
   are taken in their order, each to its end, and the worth of each is added to the action's sum.
3. A group is worth the largest of the sums of its actions. Then its entries and the memories that were made below it
   are forgotten, so that room is needed for one line of groups only.
4. Actions are cut as in alpha-beta. If what is left of an action, with the most that an end can pay, would not make its
   sum larger than that of another one, or its group worth so much that it matters above, the action is left. The
   replier's own likeliest action is looked at first.

With nobody as the traverser all play their averages, and `play_sum` is what each is paid.

Where NAMING is set, the run stops at each new memory of somebody who does not reply: it is named outside, and may be
given a strategy there.
"""

from gdl.wings.hidden.kernels.sampling import *

NOBODY = const(-1)  # in the place of the traverser
LEAST = const(-1.0e300)  # no worth is so little
LINES = const(1024)  # places where several ways lead on, one below the other, at most
GROUPS = const(1024)  # groups of a line, at most
ENTRIES = const(1024)  # set: entries of all of them, at most
# Places in `reply`:
LINE = const(0)  # lines in use
GROUP = const(1)  # groups in use
ENTRY = const(2)  # entries in use
LOOKING = const(3)  # 1 if the present state is to be looked at
EXPANDING = const(4)  # 1 while plays of the last group's action are walked, 0 while the groups below are
OVER = const(5)  # 1 when all is done
REACH = const(0)  # the place in `reach`
TEXTS = const(6)  # tuples that are kept, as a text, or a memory that has a name, is among them
NAMING = const(7)  # 1 if memories are to be named

reply = array(i64, 8)
reach = array(f64, 1)
utmost = array(f64, 1)  # the most that an end can pay the replier
sharp = array(f64, PLAYERS)  # by player: the share of the largest share below which an action is left out
parts = array(f64, 1)  # shares are whole numbers, of which the largest is this; 0: they are taken as they are
line_state = array(i32, LINES * STATE)
line_memory = array(i32, LINES * PLAYERS)
line_choice = array(i32, LINES * PLAYERS)  # in a simultaneous move: the choices that are made
line_player = array(i32, LINES)  # who has several ways; PLAYERS: chance
line_set = array(i32, LINES)  # the player's information set; -1: none that is known
line_count = array(i32, LINES)  # the number of ways,
line_way = array(i32, LINES)  # and the one that is walked
line_kind = array(i32, LINES)  # the kind of the state, and PLY and `reach` before the way
line_ply = array(i32, LINES)
line_reach = array(f64, LINES)
entry_state = array(i32, ENTRIES * STATE)
entry_memory = array(i32, ENTRIES * PLAYERS)
entry_count = array(i32, ENTRIES)  # the number of the replier's actions
entry_kind = array(i32, ENTRIES)
entry_ply = array(i32, ENTRIES)
entry_reach = array(f64, ENTRIES)
entry_first = array(u8, ENTRIES)  # 1 for the first entry of a group,
entry_next = array(i32, ENTRIES)  # the next entry of the same group; -1: none
entry_last = vast(i32, TUPLES) if TUPLES_SECOND else array(i32, TUPLES)  # by memory: 1 + the last entry yet; 0: none
named = vast(u8, TUPLES) if TUPLES_SECOND else array(u8, TUPLES)  # by memory: 1 if it has been named
group_first = array(i32, GROUPS)  # the first entry,
group_entry = array(i32, GROUPS)  # the next one to go on from; -1: none is left
group_count = array(i32, GROUPS)  # the number of actions,
group_likeliest = array(i32, GROUPS)  # the first to be looked at,
group_looked = array(i32, GROUPS)  # how many have been,
group_action = array(i32, GROUPS)  # and the one that is
group_sum = array(f64, GROUPS)  # its worth as far as it is known,
group_left = array(f64, GROUPS)  # and the probability of what is not known of it
group_reach = array(f64, GROUPS)  # the probability of the group
group_worth = array(f64, GROUPS)  # the most of the actions before; at first, what it must be worth to matter above
group_base = array(i32, GROUPS)  # where the entries below begin,
group_below = array(i32, GROUPS)  # the next one at which a group may begin
group_tuples = array(i32, GROUPS)  # tuples when it began


# -- what the others and chance do ------------------------------------------------------------------------------------


def fill_sharpened(player: i32, n: i32, count: i32) -> f64:
    """Fill `share` with the player's sharpened average at information set n (-1: an unknown one). Returns the sum."""
    most = 0.0
    if fill_share(n, count) > 0.0:
        for k in range(count):
            if share[k] > most:
                most = share[k]
    else:
        for k in range(count):
            share[k] = 0.0
        share[0] = 1.0
        most = 1.0
    total = 0.0
    for k in range(count):
        if share[k] < sharp[player] * most:
            share[k] = 0.0
        elif parts[0] > 0.0:
            share[k] = f64(i64(share[k] / most * parts[0] + 0.5))
        total += share[k]
    return total


def next_share(after: i32, count: i32) -> i32:
    """The number of the next action after this one that has a share; `count` if there is none."""
    k = after + 1
    while k < count and share[k] <= 0.0:
        k += 1
    return k


def take_way(player: i32, count: i32, k: i32, total: f64) -> None:
    """Multiply `reach` by the probability of way k; `total` is the sum of `share`."""
    if player < PLAYERS:
        reach[REACH] *= share[k] / total
    elif WEIGHED:
        sum: i64 = 0
        for i in range(count):
            sum += weight[i]
        reach[REACH] *= f64(weight[k]) / f64(sum)
    else:
        reach[REACH] /= f64(count)


def first_way(player: i32, count: i32) -> i32:
    """The first way of a player, or of chance (PLAYERS); a line keeps the others."""
    n = -1
    k = 0
    another = 1
    total = 1.0
    if count > 1 and player < PLAYERS:
        n = set_number(player, count)
        total = fill_sharpened(player, n, count)
        k = next_share(-1, count)
        another = next_share(k, count)
    f = i32(reply[LINE])
    if f == LINES:
        mccfr[FULL] = 1
    elif another < count:
        copy(line_state, f * STATE, s, 0, STATE)
        copy(line_memory, f * PLAYERS, remembered, 0, PLAYERS)
        copy(line_choice, f * PLAYERS, choice, 0, PLAYERS)
        line_player[f] = player
        line_set[f] = n
        line_count[f] = count
        line_way[f] = k
        line_kind[f] = ply_kind[0]
        line_ply[f] = i32(mccfr[PLY])
        line_reach[f] = reach[REACH]
        reply[LINE] = f + 1
        take_way(player, count, k, total)
    return k


def next_way() -> i32:
    """Take the next way of the last line that has one. Returns 0 if a text has no number yet, -1 if no line has one."""
    while reply[LINE] > 0:
        f = i32(reply[LINE]) - 1
        player = line_player[f]
        count = line_count[f]
        k = line_way[f] + 1
        total = 1.0
        if k < count and player < PLAYERS:
            total = fill_sharpened(player, line_set[f], count)
            k = next_share(line_way[f], count)
        if k < count:
            line_way[f] = k
            copy(s, 0, line_state, f * STATE, STATE)
            copy(remembered, 0, line_memory, f * PLAYERS, PLAYERS)
            mccfr[PLY] = line_ply[f]
            ply_kind[0] = line_kind[f]
            moves()
            reach[REACH] = line_reach[f]
            take_way(player, count, k, total)
            choice[PLAYERS] = -1
            copy(choice, 0, line_choice, f * PLAYERS, PLAYERS)
            choice[player] = k
            if player < PLAYERS:
                choose_for_others(player + 1)
            return do_ply()
        reply[LINE] = f
    return -1


def choose_for_others(begin: i32) -> None:
    """At a simultaneous move, choose for each player from `begin` on but the traverser."""
    if AT_ONCE and ply_kind[0] == SIMULTANEOUS:
        for p in range(begin, PLAYERS):
            if p != mccfr[TRAVERSER] and first[p + 1] > first[p]:
                choice[p] = first_way(p, first[p + 1] - first[p])


# -- plays ------------------------------------------------------------------------------------------------------------


def add_payoffs() -> None:
    """Add what the end of a play pays to the worth of the last group's action."""
    for p in range(PLAYERS):
        x = reach[REACH] * f64(util[p]) / f64(DENOMINATOR)
        play_sum[p] += x
        if p == mccfr[TRAVERSER]:
            group_sum[i32(reply[GROUP]) - 1] += x
            group_left[i32(reply[GROUP]) - 1] -= reach[REACH]


def own_count(kind: i32, rows: i32) -> i32:
    """The number of actions of the traverser at the present state, whose rows are listed."""
    traverser = i32(mccfr[TRAVERSER])
    if traverser < 0 or kind == CHANCE:
        return 0
    if AT_ONCE and kind == SIMULTANEOUS:
        return first[traverser + 1] - first[traverser]
    return rows if s[0] == traverser else 0


def keep_entry(kind: i32, count: i32) -> None:
    """Keep the present state, at which the traverser has `count` actions."""
    e = i32(reply[ENTRY])
    if e == ENTRIES:
        mccfr[FULL] = 1
        return
    copy(entry_state, e * STATE, s, 0, STATE)
    copy(entry_memory, e * PLAYERS, remembered, 0, PLAYERS)
    entry_count[e] = count
    entry_kind[e] = kind
    entry_ply[e] = i32(mccfr[PLY])
    entry_reach[e] = reach[REACH]
    reply[ENTRY] = e + 1


def ask_name() -> i32:
    """Ask for the name of a memory that has none. Returns 0 if all have one but the replier's."""
    for p in range(PLAYERS):
        if p != mccfr[TRAVERSER] and named[remembered[p]] == 0:
            named[remembered[p]] = 1
            text_asked[0] = remembered[p] + 1
            reply[TEXTS] = tuple_count[0]
            return 1
    return 0


def look() -> i32:
    """Look at the present state, and go on with the play. Returns 0 if a text has no number yet, or a memory no
    name."""
    kind = status()
    if reply[NAMING] and kind != TERMINAL:
        if ask_name():
            return 0
    mccfr[TOTAL] += 1
    reply[LOOKING] = 0
    if kind == TERMINAL:
        add_payoffs()
        return 1
    if mccfr[PLY] == PLIES:  # nothing is proved about a play that need not end
        mccfr[FULL] = 1
        return 1
    rows = moves()
    count = own_count(kind, rows)
    if count > 1:
        keep_entry(kind, count)
        return 1
    ply_kind[0] = kind
    reply[LOOKING] = 1
    for p in range(PLAYERS + 1):
        choice[p] = -1
    if count == 1:
        choice[i32(mccfr[TRAVERSER])] = 0
    elif kind == DECISION:
        choice[s[0]] = first_way(s[0], rows)
    elif kind == CHANCE:
        choice[PLAYERS] = first_way(PLAYERS, rows)
    choose_for_others(0)
    return do_ply()


# -- groups -----------------------------------------------------------------------------------------------------------


def go_on_from_entry(f: i32) -> i32:
    """Do the action of group f at its next entry. Returns 0 if a text has no number yet."""
    e = group_entry[f]
    group_entry[f] = entry_next[e]
    copy(s, 0, entry_state, e * STATE, STATE)
    copy(remembered, 0, entry_memory, e * PLAYERS, PLAYERS)
    mccfr[PLY] = entry_ply[e]
    reach[REACH] = entry_reach[e]
    ply_kind[0] = entry_kind[e]
    moves()
    for p in range(PLAYERS + 1):
        choice[p] = -1
    choice[i32(mccfr[TRAVERSER])] = group_action[f]
    reply[LOOKING] = 1
    choose_for_others(0)
    return do_ply()


def form_groups(f: i32) -> None:
    """Make groups of the entries below the action of group f."""
    traverser = i32(mccfr[TRAVERSER])
    end = i32(reply[ENTRY])
    for e in range(group_base[f], end):
        known = entry_memory[e * PLAYERS + traverser]
        entry_first[e] = entry_last[known] == 0
        if entry_last[known] > 0:
            entry_next[entry_last[known] - 1] = e
        entry_last[known] = e + 1
        entry_next[e] = -1
    for e in range(group_base[f], end):
        entry_last[entry_memory[e * PLAYERS + traverser]] = 0


def push_group(e: i32) -> None:
    """Begin with the group whose first entry is e (NOBODY: the plays from the first state)."""
    f = i32(reply[GROUP])
    if f == GROUPS:
        mccfr[FULL] = 1
        return
    reply[GROUP] = f + 1
    group_first[f] = e
    group_count[f] = 1
    group_likeliest[f] = 0
    group_looked[f] = 0
    group_reach[f] = 1.0
    group_worth[f] = LEAST
    if e >= 0:
        group_count[f] = entry_count[e]
        group_likeliest[f] = likeliest_action(e)
        group_reach[f] = 0.0
        while e >= 0:
            group_reach[f] += entry_reach[e]
            e = entry_next[e]
        group_worth[f] = group_worth[f - 1] - group_sum[f - 1] - utmost[0] * (group_left[f - 1] - group_reach[f])
    group_base[f] = i32(reply[ENTRY])
    group_tuples[f] = tuple_count[0]
    begin_action(f)


def likeliest_action(e: i32) -> i32:
    """The action at entry e that the replier's own average plays most, the first of these."""
    count = entry_count[e]
    best = 0
    if fill_share(tuple_note[entry_memory[e * PLAYERS + i32(mccfr[TRAVERSER])]] - 1, count) > 0.0:
        for k in range(1, count):
            if share[k] > share[best]:
                best = k
    return best


def begin_action(f: i32) -> None:
    """Begin with the next action of group f."""
    k = group_looked[f]
    group_looked[f] = k + 1
    group_action[f] = group_likeliest[f] if k == 0 else (k - 1 if k <= group_likeliest[f] else k)
    group_sum[f] = 0.0
    group_left[f] = group_reach[f]
    group_entry[f] = group_first[f]
    reply[EXPANDING] = 1


def end_action(f: i32) -> None:
    """Finish an action of group f, and the group after the last one."""
    if group_sum[f] > group_worth[f]:
        group_worth[f] = group_sum[f]
    reply[ENTRY] = group_base[f]
    if group_looked[f] < group_count[f]:
        begin_action(f)
        return
    forget_tuples(group_tuples[f] if group_tuples[f] > reply[TEXTS] else i32(reply[TEXTS]))
    reply[GROUP] = f
    reply[EXPANDING] = 0
    if f == 0:
        reply[OVER] = 1
    else:
        group_sum[f - 1] += group_worth[f]
        group_left[f - 1] -= group_reach[f]


def go_on() -> i32:
    """Go on where a play has come to its end. Returns 0 if a text has no number yet."""
    f = i32(reply[GROUP]) - 1
    most = group_sum[f] + utmost[0] * group_left[f]
    if most <= group_worth[f]:
        group_sum[f] = most
        reply[LINE] = 0
        end_action(f)
        return 1
    reply[LOOKING] = 1
    went = next_way()
    if went >= 0:
        return went
    reply[LOOKING] = 0
    if reply[EXPANDING]:
        if group_entry[f] >= 0:
            return go_on_from_entry(f)
        form_groups(f)
        group_below[f] = group_base[f]
        reply[EXPANDING] = 0
    e = group_below[f]
    while e < reply[ENTRY] and entry_first[e] == 0:
        e += 1
    group_below[f] = e + 1
    if e < reply[ENTRY]:
        push_group(e)
    else:
        end_action(f)
    return 1


def reply_run(budget: i32) -> i32:
    """Go on for `budget` plies. Returns 1 if more are wanted."""
    while budget > 0:
        if has_room() == 0:
            mccfr[FULL] = 1
        if mccfr[FULL] or reply[OVER] or mccfr[TOTAL] >= mccfr[WANTED_PLIES]:
            return 0
        done = 1
        if mccfr[AGAIN]:
            reply[TEXTS] = tuple_count[0]
            moves()
            done = do_ply()
        else:
            done = look() if reply[LOOKING] else go_on()
        if done == 0:
            return 0
        budget -= 1
    return 1


def reply_begin(replier: i32) -> None:
    """Begin with the best reply of this player (NOBODY: of none)."""
    if mccfr[MODE] == REPLIES and reply[GROUP] > 0:  # the last one was stopped
        forget_tuples(group_tuples[0] if group_tuples[0] > reply[TEXTS] else i32(reply[TEXTS]))
    mccfr_mode(REPLIES, replier)
    begin_traversal()
    reply[TEXTS] = 0
    reply[LINE] = 0
    reply[GROUP] = 0
    reply[ENTRY] = 0
    reply[OVER] = 0
    reach[REACH] = 1.0
    push_group(NOBODY)
    group_entry[0] = -1
    reply[LOOKING] = 1
