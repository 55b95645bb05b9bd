"""Counterfactual regret minimisation by samples (see gdl/wings/hidden/mccfr.py), on a game's module.

What each player remembers is a tuple of a trie of memories (gdl/wings/hidden/kernels/memories.py), compared in full: an
information set is the tuple of its mover's memory, and has a row of numbers for each action.

1. A traversal belongs to one player, the traverser. Chance and the others draw their actions, by their present
   strategies.
2. At LEVELS own decisions, one after the other, the traverser looks at every action: each is done in turn from the same
   state, which a frame keeps. At a random number of own decisions before these, actions are drawn, all equally likely;
   behind them all play by the strategies. In a small game every own decision belongs to these levels.
3. An action is worth what play after it pays, a decision the average by the strategy. The difference is added to the
   action's regret, and the strategy is in proportion to the positive regrets.
4. The player next to the traverser adds their strategy to the average. Both sums weigh a traversal by its number.
5. At a decision that is new the levels begin at once; behind the levels, play goes on at random from there. Where there
   is no room for more information sets, those that are known are learnt on, and the others are played at random.

With MODE at LOCAL the strategies are the averages, and the differences are added to `gain`; with PLAYS there are no
levels, one player takes the actions with the most gain, the others play their averages, and payoffs are added up.

Where a text is met for the first time the run ends; when it has been given a number, the ply is made again.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.hidden.kernels.memories import *
from gdl.wings.hidden.kernels.tuples import *

SETS = const(1024)  # set: information sets, at most
CHOICES = const(1024)  # set: actions of all of them together
SPARE_TUPLES = const(64)  # set: tuples that one ply can add,
SPARE_TUPLE_WORDS = const(1024)  # set: and their words
LARGE = const(100000)  # set: plies of a traversal that is too long; an eighth of it once there are fewer levels
FRAMES = const(64)  # own decisions of which every action is looked at, at most
FRAME_WORTHS = const(MOVES + 1)  # actions of each of them for which `worth` has room
PLIES = const(1000)  # of a play, at most; a longer one pays the price of endless play
# Places in `mccfr`:
ITERATIONS = const(0)  # iterations done, each one traversal for every player
FULL = const(1)  # 1 if there is no room for more
KNOWN = const(2)  # information sets met
WANTED = const(3)  # iterations, or plays, after which work ends
MODE = const(4)  # one of these:
LEARNING = const(0)
LOCAL = const(1)
PLAYS = const(2)
REPLIES = const(3)  # see kernels/best_replies.py
TRAVERSER = const(5)  # whose traversal it is; in plays who takes the actions with most gain, PLAYERS: nobody
DEPTH = const(6)  # frames in use
PHASE = const(7)  # one of these:
IDLE = const(0)  # between two traversals
BEFORE = const(1)  # before the levels
WITHIN = const(2)
BEHIND = const(3)
RANDOM = const(4)  # behind a new decision: everybody acts at random
SKIPPED = const(8)  # own decisions that are still to be drawn before the levels
PLY = const(9)  # plies since the start
OWN = const(10)  # the traverser's decisions since the start
LONGEST = const(11)  # the most of them in any traversal
LEVELS = const(12)  # the most frames that a traversal may use
SPENT = const(13)  # plies of this traversal, over all branches
DEEPEST = const(14)  # the most frames that it had in use
AGAIN = const(15)  # 1 if the ply is to be made again, as a text had no number
MOST_TUPLES = const(16)  # tuples that may be in use,
MOST_TUPLE_WORDS = const(17)  # and their words
FINISHED = const(18)  # traversals, or plays, finished
TOTAL = const(19)  # plies of all of them, in the present mode
WANTED_PLIES = const(20)  # plies after which no other begins

mccfr = array(i64, 21)
mccfr_start = array(i32, STATE)  # the first state
mccfr_root = array(i32, PLAYERS)  # by player: the memory there
set_from = vast(i32, SETS + 1) if TUPLES_SECOND else array(i32, SETS + 1)  # by set: where its actions begin
regret = vast(f64, CHOICES) if TUPLES_SECOND else array(f64, CHOICES)
average = vast(f64, CHOICES) if TUPLES_SECOND else array(f64, CHOICES)
gain = vast(f64, CHOICES) if TUPLES_SECOND else array(f64, CHOICES)
share = array(f64, MOVES + 1)  # the strategy at a decision, not divided by its sum
ply_kind = array(i32, 1)  # the kind of the state before the ply,
ply_state = array(i32, STATE)  # and that state
frame_state = array(i32, FRAMES * STATE)
frame_memory = array(i32, FRAMES * PLAYERS)
frame_choice = array(i32, FRAMES * PLAYERS)  # in a simultaneous move: the choices of players before the traverser
frame_set = array(i32, FRAMES)  # the information set,
frame_count = array(i32, FRAMES)  # its number of actions,
frame_action = array(i32, FRAMES)  # the action that is looked at,
frame_ply = array(i32, FRAMES)  # and PLY, OWN and `ply_kind` there
frame_own = array(i32, FRAMES)
frame_kind = array(i32, FRAMES)
worth = array(f64, FRAMES * FRAME_WORTHS)  # by frame: the worth of each action
play_sum = array(f64, PLAYERS)  # what plays paid,
play_squares = array(f64, PLAYERS)  # and the squares


# -- strategies -------------------------------------------------------------------------------------------------------


def set_number(player: i32, count: i32) -> i32:
    """The number of the player's information set, with `count` actions; -1 if it is new, and nothing is being learnt or
    there is no room for it."""
    known = remembered[player]
    n = tuple_note[known] - 1
    if n < 0 and mccfr[MODE] == LEARNING:
        made = i32(mccfr[KNOWN])
        if made < SETS and set_from[made] + count <= CHOICES:
            n = made
            mccfr[KNOWN] = n + 1
            tuple_note[known] = n + 1
            set_from[n + 1] = set_from[n] + count
    return n


def fill_share(n: i32, count: i32) -> f64:
    """Fill `share` with the strategy at information set n (-1: an unknown one), not yet divided by its sum. Returns the
    sum: 0 if all `count` actions are equally likely."""
    total = 0.0
    if n < 0:
        return total
    at = set_from[n]
    for k in range(count):
        x = average[at + k] if mccfr[MODE] != LEARNING else regret[at + k]
        share[k] = x if x > 0.0 else 0.0
        total += share[k]
    return total


def draw_by_share(total: f64, count: i32) -> i32:
    """Draw an action by the strategy in `share`, whose sum is `total` (0: all `count` are equally likely)."""
    if total <= 0.0:
        return playout_pick(count)
    at = f64(playout_random()) / 2147483648.0 * total
    last = 0
    for k in range(count):
        if share[k] > 0.0:
            if at < share[k]:
                return k
            at -= share[k]
            last = k
    return last


def greediest_action(n: i32, count: i32) -> i32:
    """The action with the most gain at information set n; -1 if none has a gain above 0, or n is -1."""
    if n < 0:
        return -1
    best = -1
    most = 0.0
    for k in range(set_from[n], set_from[n] + count):
        if gain[k] > most:
            best = k - set_from[n]
            most = gain[k]
    return best


def add_average(n: i32, count: i32, total: f64) -> None:
    """Step 4: add the present strategy at a set to its average."""
    weight = f64(mccfr[ITERATIONS] + 1)
    at = set_from[n]
    for k in range(count):
        average[at + k] += weight * share[k] / total if total > 0.0 else weight / f64(count)


# -- choosing ---------------------------------------------------------------------------------------------------------


def decide(player: i32, count: i32) -> i32:
    """Choose one of `count` actions for a player. The traverser tries all of them within the levels, and begins with
    the first."""
    if count == 1:
        return 0
    new = tuple_note[remembered[player]] == 0
    n = set_number(player, count)
    if mccfr[MODE] == PLAYS:
        if player == mccfr[TRAVERSER]:
            best = greediest_action(n, count)
            if best >= 0:
                return best
        return draw_by_share(fill_share(n, count), count)
    if player == mccfr[TRAVERSER]:
        mccfr[OWN] += 1
        if mccfr[OWN] > mccfr[LONGEST]:
            mccfr[LONGEST] = mccfr[OWN]
        if mccfr[PHASE] == BEFORE:
            if mccfr[SKIPPED] > 0 and new == 0:
                mccfr[SKIPPED] -= 1
                return playout_pick(count)
            mccfr[PHASE] = WITHIN
        if mccfr[PHASE] == WITHIN:
            if mccfr[DEPTH] < mccfr[LEVELS] and n >= 0:
                push_frame(n, count)
                return 0
            mccfr[PHASE] = BEHIND
    elif mccfr[PHASE] != BEHIND and mccfr[MODE] == LEARNING:
        total = fill_share(n, count)
        if player == (mccfr[TRAVERSER] + 1) % PLAYERS and n >= 0:
            add_average(n, count, total)
    if new:
        if mccfr[PHASE] == BEFORE:
            mccfr[SKIPPED] = 0
        elif mccfr[PHASE] == BEHIND:
            mccfr[PHASE] = RANDOM
    return draw_by_share(fill_share(n, count), count)


def push_frame(n: i32, count: i32) -> None:
    """Push a frame at which the traverser looks at all actions of this decision."""
    f = i32(mccfr[DEPTH])
    copy(frame_state, f * STATE, s, 0, STATE)
    copy(frame_memory, f * PLAYERS, remembered, 0, PLAYERS)
    copy(frame_choice, f * PLAYERS, choice, 0, PLAYERS)
    frame_set[f] = n
    frame_count[f] = count
    frame_action[f] = 0
    frame_ply[f] = i32(mccfr[PLY])
    frame_own[f] = i32(mccfr[OWN])
    frame_kind[f] = ply_kind[0]
    mccfr[DEPTH] = f + 1
    if f + 1 > mccfr[DEEPEST]:
        mccfr[DEEPEST] = f + 1


def choose(kind: i32) -> None:
    """Choose the next action of every player who moves, or of chance, into `choice`."""
    rows = moves()
    ply_kind[0] = kind
    for p in range(PLAYERS + 1):
        choice[p] = -1
    if AT_ONCE and kind == SIMULTANEOUS:
        choose_together(0)
    elif kind == DECISION:
        choice[s[0]] = decide(s[0], rows)
    else:
        choice[PLAYERS] = playout_drawn(rows)


def choose_together(begin: i32) -> None:
    """Choose an action for each player from `begin` on, at a simultaneous move."""
    for p in range(begin, PLAYERS):
        if first[p + 1] > first[p]:
            choice[p] = decide(p, first[p + 1] - first[p])


# -- plies ------------------------------------------------------------------------------------------------------------


def do_ply() -> i32:
    """Do the actions in `choice`, whose rows are listed. Returns 0 if a text has no number yet, and the ply made
    again."""
    copy(ply_state, 0, s, 0, STATE)
    begin_ply()
    if play_choice(ply_kind[0]) == 0:
        copy(s, 0, ply_state, 0, STATE)
        copy(remembered, 0, memory_before, 0, PLAYERS)
        mccfr[AGAIN] = 1
        return 0
    mccfr[AGAIN] = 0
    mccfr[PLY] += 1
    return 1


# -- traversals -------------------------------------------------------------------------------------------------------


def begin_traversal() -> None:
    """Begin a traversal, or a play, at the first state."""
    copy(s, 0, mccfr_start, 0, STATE)
    copy(remembered, 0, mccfr_root, 0, PLAYERS)
    mccfr[DEPTH] = 0
    mccfr[PLY] = 0
    mccfr[OWN] = 0
    mccfr[SPENT] = 0
    mccfr[DEEPEST] = 0
    mccfr[SKIPPED] = 0
    mccfr[PHASE] = BEHIND
    if mccfr[MODE] != PLAYS:
        mccfr[PHASE] = BEFORE
        if mccfr[LEVELS] < mccfr[LONGEST]:
            mccfr[SKIPPED] = playout_pick(i32(mccfr[LONGEST]))


def step() -> i32:
    """Play one ply, or carry back what the end of a play pays. Returns 0 if a text must be numbered first."""
    mccfr[SPENT] += 1
    mccfr[TOTAL] += 1
    kind = status()
    if kind == TERMINAL:
        return back_up(f64(util[i32(mccfr[TRAVERSER])]) / f64(DENOMINATOR)) if mccfr[MODE] != PLAYS else end_play(1)
    if mccfr[PLY] >= PLIES:
        return back_up(endless_price[i32(mccfr[TRAVERSER])]) if mccfr[MODE] != PLAYS else end_play(0)
    if mccfr[PHASE] == RANDOM:
        playout_step(kind)
        mccfr[PLY] += 1
        return 1
    choose(kind)
    return do_ply()


def end_play(ended: i32) -> i32:
    """Add up what a play pays: the utilities of its end or, if it has not `ended`, the price of endless play."""
    for p in range(PLAYERS):
        x = f64(util[p]) / f64(DENOMINATOR) if ended else endless_price[p]
        play_sum[p] += x
        play_squares[p] += x * x
    mccfr[PHASE] = IDLE
    mccfr[FINISHED] += 1
    mccfr[ITERATIONS] += 1
    return 1


def back_up(value: f64) -> i32:
    """Take `value` as the worth of the action that the last frame looks at; then go on to its next action, or to the
    frame above with the worth of the decision. Returns 0 if a text has no number yet."""
    while mccfr[DEPTH] > 0:
        f = i32(mccfr[DEPTH] - 1)
        worth[f * FRAME_WORTHS + frame_action[f]] = value
        frame_action[f] += 1
        if frame_action[f] < frame_count[f]:
            return next_action(f)
        value = learn(frame_set[f], frame_count[f], f * FRAME_WORTHS)
        mccfr[DEPTH] = f
    end_traversal()
    return 1


def learn(n: i32, count: i32, base: i32) -> f64:
    """Step 3: update the regrets (or gains) of information set n by the worths of its actions, from `base` on. Returns
    the worth of the decision."""
    total = fill_share(n, count)
    value = 0.0
    for k in range(count):
        value += worth[base + k] * share[k] / total if total > 0.0 else worth[base + k] / f64(count)
    at = set_from[n]
    weight = f64(mccfr[ITERATIONS] + 1)
    for k in range(count):
        if mccfr[MODE] == LOCAL:
            gain[at + k] += worth[base + k] - value
        else:
            regret[at + k] += weight * (worth[base + k] - value)
    return value


def next_action(f: i32) -> i32:
    """Go on with the next action of frame f. Returns 0 if a text has no number yet."""
    copy(s, 0, frame_state, f * STATE, STATE)
    copy(remembered, 0, frame_memory, f * PLAYERS, PLAYERS)
    mccfr[PLY] = frame_ply[f]
    mccfr[OWN] = frame_own[f]
    mccfr[PHASE] = WITHIN
    ply_kind[0] = frame_kind[f]
    moves()
    for p in range(PLAYERS + 1):
        choice[p] = -1
    traverser = i32(mccfr[TRAVERSER])
    for p in range(traverser):
        choice[p] = frame_choice[f * PLAYERS + p]
    choice[traverser] = frame_action[f]
    if AT_ONCE and ply_kind[0] == SIMULTANEOUS:
        choose_together(traverser + 1)
    return do_ply()


def end_traversal() -> None:
    """Finish a traversal; the next one belongs to the next player."""
    mccfr[PHASE] = IDLE
    mccfr[FINISHED] += 1
    mccfr[TRAVERSER] += 1
    if mccfr[TRAVERSER] == PLAYERS:
        mccfr[TRAVERSER] = 0
        mccfr[ITERATIONS] += 1


def shrink() -> None:
    """If this traversal has become too long, or after a sixteenth of that has so many leaves that it must, halve the
    levels, and begin it again."""
    most = LARGE if mccfr[LEVELS] == FRAMES else LARGE // 8
    if mccfr[DEEPEST] > 1 and mccfr[SPENT] > most // 16:
        if mccfr[SPENT] > most or has_more_leaves(most // 2):
            mccfr[LEVELS] = mccfr[DEEPEST] // 2
            mccfr[LONGEST] = 0  # plays of first actions alone may be longer than any others
            mccfr[PHASE] = IDLE


def has_more_leaves(most: i64) -> i32:
    """1 if the frames in use have more than `most` leaves, were those of every action as many as of the present one."""
    leaves = i64(1)
    for f in range(i32(mccfr[DEPTH])):
        leaves *= i64(frame_count[f])
        if leaves > most:
            return 1
    return 0


def has_room() -> i32:
    """1 if there is room for what is remembered of one more ply."""
    if tuple_count[0] + SPARE_TUPLES > mccfr[MOST_TUPLES]:
        return 0
    return tuple_end[0] + SPARE_TUPLE_WORDS <= mccfr[MOST_TUPLE_WORDS]


def mccfr_run(budget: i32) -> i32:
    """Go on for `budget` plies. Returns 1 if more are wanted."""
    while budget > 0:
        if has_room() == 0:
            mccfr[FULL] = 1
            return 0
        if mccfr[AGAIN]:
            moves()
            if do_ply() == 0:
                return 0
        elif mccfr[PHASE] == IDLE:
            if mccfr[ITERATIONS] >= mccfr[WANTED] or mccfr[TOTAL] >= mccfr[WANTED_PLIES]:
                return 0
            begin_traversal()
        else:
            if step() == 0:
                return 0
            shrink()
        budget -= 1
    return 1


def mccfr_begin(seed: i64) -> None:
    """Begin to learn: the present state is the first, and nothing is known."""
    tuple_size[0] = FIRST_TUPLE_SLOTS
    copy(mccfr_start, 0, s, 0, STATE)
    observe()
    for p in range(PLAYERS):
        mccfr_root[p] = begin_memory(p, FORGOTTEN)
    mccfr[LEVELS] = FRAMES
    playout_seed(seed)


def mccfr_mode(mode: i32, traverser: i32) -> None:
    """Set the mode and the traverser, and begin counting anew."""
    mccfr[MODE] = mode
    mccfr[TRAVERSER] = traverser
    mccfr[ITERATIONS] = 0
    mccfr[TOTAL] = 0
    mccfr[FULL] = 0
    mccfr[AGAIN] = 0
    mccfr[PHASE] = IDLE
    for p in range(PLAYERS):
        play_sum[p] = 0.0
        play_squares[p] = 0.0
