"""Monte-Carlo tree search over information sets (see solvers/mcts/information_set_mcts.py), on a game's module.

1. A simulation begins at one of the positions that may be the case, drawn by their weights; what each player remembers
   there is a tuple that begins a trie of memories (gdl/compiler/kernels/memories.py).
2. Whoever moves looks at their own memory alone, and draws an action in proportion to its regret, that it was not
   always taken there; who learns draws ever more seldom one of all alike. Chance draws an outcome.
3. At a memory that is new everyone goes on at random to the end.
4. Every memory on the way counts a visit of the action taken there, and its mover's utility, counted from the middle
   of what was met; over how likely the action was, this is an estimate of what it is worth, and so of regrets. Where
   others do not know what the player knows, this is done in one simulation for the player alone, and for all in the
   next, which begins somewhere on the way to what may be the case for all that is common knowledge.

What is remembered at a position that simulations begin at is found by playing the ply that leads there.

Where a text is met for the first time the run ends, and the simulation is made anew when it has been given a number.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.memories import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.random_step import *
from gdl.compiler.kernels.tuples import *

STARTS = const(1)  # set: positions that may be the case
TRIED = const(1024)  # set: memories at which something has been tried, at most
CHOICES = const(1024)  # set: of all of them together
SPARE_TUPLES = const(64)  # set: that one simulation can add,
SPARE_TUPLE_WORDS = const(1024)  # set: and their words
PLIES = const(1000)  # of a simulation; one that is longer pays the price of endless play
# What `simulated` holds:
SIMULATIONS = const(0)
FULL = const(1)  # whether there is no room for more
MEMORIES = const(2)  # at which something has been tried
WANTED = const(3)  # simulations

simulated = array(i64, 4)
start_state = array(i32, STARTS * STATE)
start_memory = array(i32, STARTS * PLAYERS)
start_share = array(f64, 2 * STARTS)  # of the positions, added up: for one who learns alone, and for all
sim_learner = array(i32, 2)  # who learns in every other simulation, and in this one:
ALL = const(-1)
ALWAYS = const(-2)  # all, and there are no others
sim_pick = array(i32, PLAYERS + 1)  # what everybody does in a ply that leads to a position, the last is chance
endless_price = array(f64, PLAYERS)
tried_from = array(i32, TRIED + 1)  # of each memory: where its actions begin
tried_visits = array(i32, CHOICES)
tried_total = array(f64, CHOICES)
tried_regret = array(f64, CHOICES)  # that it was not always taken
sim_low = array(f64, PLAYERS)  # the least and greatest utilities that were met
sim_high = array(f64, PLAYERS)
sim_paid = array(f64, PLAYERS)
sim_sum = array(f64, PLAYERS)  # what all simulations paid,
sim_squares = array(f64, PLAYERS)  # and the squares of that
way_choice = array(i32, PLIES * PLAYERS)
way_player = array(i32, PLIES * PLAYERS)
way_memory = array(i32, PLIES * PLAYERS)  # the number of the memory
way_share = array(f64, PLIES * PLAYERS)  # how often the action is taken by regrets alone,
way_chance = array(f64, PLIES * PLAYERS)  # and how likely it was
way_length = array(i32, 1)
sim_new = array(i32, 1)  # whether a memory on the way is


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
    choice = sim_choice(n, count if count < actions else actions, learns)
    if learns:
        at = way_length[0]
        way_choice[at] = begin + choice
        way_player[at] = player
        way_memory[at] = n
        way_length[0] = at + 1
    return choice


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


def sim_alone(kind: i32) -> i32:
    """Play a ply of one player, or of chance. Returns 0 if a text has to be asked for."""
    rows = moves()
    actor = -1
    pick = 0
    if kind == DECISION:
        actor = s[0]
        pick = sim_chosen(actor, rows)
    elif WEIGHED:
        pick = playout_outcome(rows)
    else:
        pick = playout_pick(rows)
    begin_ply()
    return play_row(pick, actor)


def sim_together() -> i32:
    """Play a simultaneous move. Returns 0 if a text has to be asked for."""
    moves()
    for p in range(PLAYERS):
        choose_row(p, sim_chosen(p, first[p + 1] - first[p]) if first[p + 1] > first[p] else -1)
    begin_ply()
    return play_together()


def sim_place(before: i32, after: i32) -> i32:
    """Compute start position `after`, and what players remember there, by playing the actions in `sim_pick` from start
    position `before`. Returns 0 if a text has to be asked for."""
    copy(s, 0, start_state, before * STATE, STATE)
    copy(remembered, 0, start_memory, before * PLAYERS, PLAYERS)
    kind = status()
    done = 1
    moves()
    begin_ply()
    if AT_ONCE and kind == SIMULTANEOUS:
        for p in range(PLAYERS):
            choose_row(p, sim_pick[p] if first[p + 1] > first[p] else -1)
        done = play_together()
    elif kind == DECISION:
        done = play_row(sim_pick[s[0]], s[0])
    else:
        done = play_row(sim_pick[PLAYERS], -1)
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
    for p in range(PLAYERS):
        sim_paid[p] = endless_price[p]


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
        done = 1
        if AT_ONCE and kind == SIMULTANEOUS:
            done = sim_together()
        else:
            done = sim_alone(kind)
        if done == 0:
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
