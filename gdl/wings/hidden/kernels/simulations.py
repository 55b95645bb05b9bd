"""Monte-Carlo tree search over information sets (see gdl/wings/hidden/information_set_mcts.py), on a game's module.

1. A simulation begins at one of the positions that may be the case, drawn by their weights; a player's memory there is
   a tuple that begins a trie of memories (gdl/wings/hidden/kernels/memories.py).
2. Whoever moves looks at their own memory alone, and draws an action in proportion to its positive regret, that is the
   regret that it was not always taken there. Players who learn now and then, and ever more seldom, draw one of all
   actions with the same probability. Chance draws an outcome.
3. At a memory that is new everyone goes on at random to the end.
4. Every memory on the way counts a visit of the action taken there, and its mover's utility. The utility, counted from
   the middle of all that were met and divided by the probability of the action, is an estimate of the action's worth,
   and so of regrets. If the others do not know what the player knows, simulations take turns: in one the player alone
   learns; in the next all learn, and it begins somewhere on the way to a position that may be the case as far as common
   knowledge says.

The memories at a position where simulations begin are found by playing the ply that leads there.

Where a text is met for the first time the run ends, and the simulation is made anew when it has been given a number.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.wings.hidden.kernels.memories import *
from gdl.wings.hidden.kernels.tuples import *

STARTS = const(1)  # set: positions that may be the case
TRIED = const(1024)  # set: memories at which actions were tried, at most
CHOICES = const(1024)  # set: actions of all of them together
SPARE_TUPLES = const(64)  # set: tuples that one simulation can add,
SPARE_TUPLE_WORDS = const(1024)  # set: and their words
PLIES = const(1000)  # of a simulation, at most; a longer one pays the price of endless play
# Places in `simulated`:
SIMULATIONS = const(0)  # simulations done
FULL = const(1)  # 1 if there is no room for more
MEMORIES = const(2)  # memories at which actions were tried
WANTED = const(3)  # simulations wanted

simulated = array(i64, 4)
start_state = array(i32, STARTS * STATE)  # of each position to begin at: the state,
start_memory = array(i32, STARTS * PLAYERS)  # each player's memory there,
start_share = array(f64, 2 * STARTS)  # and the sums of weights up to it: where one learns alone, and where all do
sim_learner = array(i32, 2)  # who learns in every other simulation, and in this one: a player, or
ALL = const(-1)  # all players,
ALWAYS = const(-2)  # all players, in every simulation
tried_from = array(i32, TRIED + 1)  # by memory: where its actions begin
tried_visits = array(i32, CHOICES)  # by action: visits,
tried_total = array(f64, CHOICES)  # the sum of utilities,
tried_regret = array(f64, CHOICES)  # and the regret that it was not always taken
sim_low = array(f64, PLAYERS)  # by player: the least and greatest utilities that were met,
sim_high = array(f64, PLAYERS)
sim_paid = array(f64, PLAYERS)  # the payoff of this simulation,
sim_sum = array(f64, PLAYERS)  # the sum of all payoffs,
sim_squares = array(f64, PLAYERS)  # and of their squares
way_choice = array(i32, PLIES * PLAYERS)  # the decisions on the way: the action, as a place in tried_visits,
way_player = array(i32, PLIES * PLAYERS)  # the player,
way_memory = array(i32, PLIES * PLAYERS)  # the number of the memory,
way_share = array(f64, PLIES * PLAYERS)  # the probability of the action by regrets alone,
way_chance = array(f64, PLIES * PLAYERS)  # and the one with which it was drawn
way_length = array(i32, 1)  # how many these decisions are
sim_new = array(i32, 1)  # 1 if a memory on the way was new: the rest is played at random


def sim_root(player: i32, number: i32) -> i32:
    """The number of a player's memory at a position where the search begins; `number` stands for what the player
    remembers there."""
    put(player)
    put(-2)
    put(number)
    return tuple_number()


def sim_tried(player: i32, actions: i32) -> i32:
    """The number of the memory that a player acts on. A new memory gets the next number, and room for `actions`
    actions."""
    known = remembered[player]
    n = tuple_note[known] - 1
    if n < 0:
        n = i32(simulated[MEMORIES])
        simulated[MEMORIES] = n + 1
        tuple_note[known] = n + 1
        tried_from[n + 1] = tried_from[n] + actions
        sim_new[0] = 1
    return n


def sim_chosen(player: i32, actions: i32) -> i32:
    """Choose one of a player's actions. The choice of a player who learns is noted on the way."""
    learns = sim_learner[1] < 0 or sim_learner[1] == player
    if learns == 0 and tuple_note[remembered[player]] == 0:
        sim_new[0] = 1
        return playout_pick(actions)
    n = sim_tried(player, actions)
    begin = tried_from[n]
    count = tried_from[n + 1] - begin
    pick = sim_choice(n, count if count < actions else actions, learns)
    if learns:
        at = way_length[0]
        way_choice[at] = begin + pick
        way_player[at] = player
        way_memory[at] = n
        way_length[0] = at + 1
    return pick


def sim_choice(n: i32, count: i32, learns: i32) -> i32:
    """Step 2: draw one of `count` actions at memory n. For a player who `learns` its probability is noted."""
    begin = tried_from[n]
    total = 0.0
    visits = 0
    for k in range(begin, begin + count):
        visits += tried_visits[k]
        if tried_regret[k] > 0.0:
            total += tried_regret[k]
    curiosity = sqrt(f64(count) / f64(visits + count))
    curious = learns and f64(playout_random()) < curiosity * 2147483648.0
    pick = 0
    share = 1.0 / f64(count)
    if curious or total <= 0.0:
        pick = playout_pick(count)
    else:
        at = f64(playout_random()) / 2147483648.0 * total
        for k in range(count):
            if tried_regret[begin + k] > 0.0 and at >= 0.0:
                pick = k
                at -= tried_regret[begin + k]
    if total > 0.0:
        share = tried_regret[begin + pick] / total if tried_regret[begin + pick] > 0.0 else 0.0
    if learns:
        way_share[way_length[0]] = share
        way_chance[way_length[0]] = (1.0 - curiosity) * share + curiosity / f64(count)
    return pick


# -- one simulation ---------------------------------------------------------------------------------------------------


def sim_start() -> i32:
    """Draw the position where a simulation begins, and decide who learns from it."""
    first_start = 0
    sim_learner[1] = ALL
    if sim_learner[0] != ALWAYS:
        if simulated[SIMULATIONS] & 1:
            first_start = STARTS
        else:
            sim_learner[1] = sim_learner[0]
    at = f64(playout_random()) / 2147483648.0 * start_share[first_start + STARTS - 1]
    lower = first_start
    upper = first_start + STARTS - 1
    while lower < upper:
        middle = (lower + upper) // 2
        if start_share[middle] > at:
            upper = middle
        else:
            lower = middle + 1
    return lower - first_start


def sim_ply(kind: i32) -> i32:
    """Play a ply at a state of this kind. Returns 0 if it met a text that must be given a number first."""
    rows = moves()
    if AT_ONCE and kind == SIMULTANEOUS:
        for p in range(PLAYERS):
            choice[p] = sim_chosen(p, first[p + 1] - first[p]) if first[p + 1] > first[p] else -1
    elif kind == DECISION:
        choice[s[0]] = sim_chosen(s[0], rows)
    else:
        choice[PLAYERS] = playout_drawn(rows)
    begin_ply()
    return play_choice(kind)


def sim_place(before: i32, after: i32) -> i32:
    """Compute start position `after`, and what players remember there, by playing the actions in `choice` from start
    position `before`. Returns 0 if it met a text that must be given a number first."""
    copy(s, 0, start_state, before * STATE, STATE)
    copy(remembered, 0, start_memory, before * PLAYERS, PLAYERS)
    kind = status()
    moves()
    begin_ply()
    done = play_choice(kind)
    copy(start_state, after * STATE, s, 0, STATE)
    copy(start_memory, after * PLAYERS, remembered, 0, PLAYERS)
    return done


def sim_out(plies: i32) -> None:
    """Play on at random to the end, after `plies` plies, and note what it pays."""
    for ply in range(plies, PLIES):
        kind = status()
        if kind == TERMINAL:
            for p in range(PLAYERS):
                sim_paid[p] = f64(util[p]) / f64(DENOMINATOR)
            return
        playout_step(kind)
    copy(sim_paid, 0, endless_price, 0, PLAYERS)


def simulate() -> i32:
    """Make one simulation. Returns 0 if it met a text that must be given a number first."""
    start = sim_start()
    copy(s, 0, start_state, start * STATE, STATE)
    copy(remembered, 0, start_memory, start * PLAYERS, PLAYERS)
    way_length[0] = 0
    sim_new[0] = 0
    plies = 0
    while plies < PLIES and sim_new[0] == 0:
        kind = status()
        if kind == TERMINAL:
            break
        if sim_ply(kind) == 0:
            return 0
        plies += 1
    sim_out(plies)
    sim_learn()
    return 1


def sim_learn() -> None:
    """Step 4: add the result of the simulation to the memories on its way."""
    for p in range(PLAYERS):
        sim_sum[p] += sim_paid[p]
        sim_squares[p] += sim_paid[p] * sim_paid[p]
        if simulated[SIMULATIONS] == 0 or sim_paid[p] < sim_low[p]:
            sim_low[p] = sim_paid[p]
        if simulated[SIMULATIONS] == 0 or sim_paid[p] > sim_high[p]:
            sim_high[p] = sim_paid[p]
    for at in range(way_length[0]):
        k = way_choice[at]
        tried_visits[k] += 1
        p = way_player[at]
        tried_total[k] += sim_paid[p]
        gain = (sim_paid[p] - (sim_low[p] + sim_high[p]) / 2.0) / way_chance[at]
        for j in range(tried_from[way_memory[at]], tried_from[way_memory[at] + 1]):
            tried_regret[j] -= way_share[at] * gain
        tried_regret[k] += gain
    simulated[SIMULATIONS] += 1


def simulate_run(budget: i32) -> i32:
    """Make `budget` simulations. Returns 1 if more are wanted."""
    while budget > 0 and simulated[SIMULATIONS] != simulated[WANTED]:
        n = i32(simulated[MEMORIES])
        if n + PLAYERS + 1 > TRIED or tried_from[n] + PLAYERS * MOVES > CHOICES:
            simulated[FULL] = 1
            return 0
        if tuple_count[0] + SPARE_TUPLES > TUPLES or tuple_end[0] + SPARE_TUPLE_WORDS > TUPLE_WORDS:
            simulated[FULL] = 1
            return 0
        if simulate() == 0:
            return 0
        budget -= 1
    return 1 if simulated[SIMULATIONS] != simulated[WANTED] else 0


def simulate_start(seed: i64) -> None:
    """Clear all memories, visits and sums, for a new search."""
    for i in range(i32(tuple_size[0])):
        tuple_slot[i] = 0
    for n in range(tuple_count[0]):
        tuple_note[n] = 0
    for k in range(tried_from[i32(simulated[MEMORIES])]):
        tried_visits[k] = 0
        tried_total[k] = 0.0
        tried_regret[k] = 0.0
    for p in range(PLAYERS):
        sim_sum[p] = 0.0
        sim_squares[p] = 0.0
    tuple_size[0] = FIRST_TUPLE_SLOTS
    tuple_count[0] = 0
    tuple_end[0] = 0
    simulated[SIMULATIONS] = 0
    simulated[FULL] = 0
    simulated[MEMORIES] = 0
    playout_seed(seed)
