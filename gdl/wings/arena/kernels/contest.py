"""Plays in which tree search moves, each time with a new tree, as `move` in `gdl.wings.arena.contest` does.

1. At a decision of a player for whom tree search moves: if positions are to be judged, a tree is grown that says what
   this one is worth. Then a lone action is done at once; among several a tree for the player grows.
2. The action with the most visits is chosen, the first of equals, unless one that is proven is worth as much.
3. Unless all is proven, those that a short exact search shows to lose are passed over, the most visited first.
4. It is done, and what was to choose from is written down. Where somebody else moves, it stops.

A tree can be left after any ply of its random play and gone on with later.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *
from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.refutation import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_descent import *
from gdl.compiler.kernels.tree_values import *
from gdl.wings.arena.kernels.choice import *

CONTEST_PLIES = const(1)  # set: moves that are recorded, at most
CONTEST_RULES = const(1)  # set: rules of the game
CONTEST_OPPOSED = const(0)  # set: whether an action chosen by a proven tree needs no refutation
CONTEST_EVALUATES = const(0)  # set: whether the game's evaluation judges positions
CONTEST_REFUTED = const(500)  # set: positions that refutations of one move may visit, at most
CONTEST_NONE = const(-4)  # a result of contest_run, beside those of uct_run: no move is found
CONTEST_LOOKS = const(0)  # stages: find out what is to be done at the position,
CONTEST_JUDGES = const(1)  # grow the tree that says what the position is worth,
CONTEST_SEARCHES = const(2)  # or the tree that chooses the action
CONTEST_STAGE = const(0)  # places in contest_now: the stage,
CONTEST_MOVED = const(1)  # the moves made in this call,
CONTEST_MOST = const(2)  # and the most that may be made
contest_now = array(i32, 3)
contest_simulations = array(i64, PLAYERS + 1)  # for a move of each player, and for a judgement; 0: none is made
contest_c = array(f64, (PLAYERS + 1) * 2)  # `uct_c` of each of these
contest_seed = array(i64, 2)  # seeds: of every move's tree, and of every judgement's
contest_patience = array(i32, 2)  # plies of a simulation, as a new tree has them: at most, and of this limit at least
contest_least = array(i64, PLAYERS)  # the least utility that each player can get, times DENOMINATOR,
contest_least_is_known = array(u8, PLAYERS)  # and 1 if that is known
contest_state = array(i32, (CONTEST_PLIES + 1) * STATE)  # the positions before each move, and after the last
contest_row = array(i32, CONTEST_PLIES * WIDTH)  # by move: the row that was done,
contest_way = array(i32, CONTEST_PLIES)  # its number in the listing,
contest_rows = array(i32, CONTEST_PLIES)  # and the number of rows
contest_rules = array(u8, CONTEST_PLIES * CONTEST_RULES)  # by move and rule: 1 if a row was by this rule
contest_worth = array(i64, CONTEST_PLIES * RECORD)  # by move: visits and totals of the judging tree at its
# root (or 1 and the evaluation),
contest_proven = array(u8, CONTEST_PLIES)  # and 1 if they are proven


def contest_place() -> None:
    """Make the position after the last recorded move the present state."""
    copy(s, 0, contest_state, contest_now[CONTEST_MOVED] * STATE, STATE)


def contest_grow(whose: i32, seed: i64) -> None:
    """Begin a tree at the last position, with the settings of player `whose` (PLAYERS: those of judgements)."""
    for k in range(NOW_PLAYED + 1):
        uct_now[k] = 0
    tree_count[TREE_WANTED] = contest_simulations[whose]
    tree_count[TREE_MOST] = -1
    uct_now[NOW_PATIENCE] = contest_patience[0]
    uct_now[NOW_LEAST] = contest_patience[1]
    uct_c[0] = contest_c[whose * 2]
    uct_c[1] = contest_c[whose * 2 + 1]
    playout_seed(seed)
    contest_place()
    uct_begin()


def contest_evaluate() -> None:
    """Record the game's evaluation of the last position."""
    evaluate()
    at = contest_now[CONTEST_MOVED] * RECORD
    contest_worth[at] = 1
    for p in range(PLAYERS):
        contest_worth[at + 1 + p] = util[p]


def contest_look() -> i32:
    """Find out the work at the last position, and begin it. Returns 0 if there is none: play is over or long enough, or
    somebody else moves."""
    contest_place()
    if status() != DECISION or contest_now[CONTEST_MOVED] == contest_now[CONTEST_MOST]:
        return 0
    player = s[0]
    if contest_simulations[player] == 0:
        return 0
    if CONTEST_EVALUATES:
        contest_evaluate()
    if contest_simulations[PLAYERS] > 0:
        contest_now[CONTEST_STAGE] = CONTEST_JUDGES
        contest_grow(PLAYERS, contest_seed[1])
    else:
        contest_begin(player)
    return 1


def contest_begin(player: i32) -> None:
    """Begin to look for the player's move: a lone action is done at once, else a tree begins to grow."""
    contest_place()
    if ways() == 1:
        contest_do(0)
        return
    contest_now[CONTEST_STAGE] = CONTEST_SEARCHES
    contest_grow(player, contest_seed[0])


def contest_judge() -> None:
    """Record the tree's totals as the worth of the position."""
    moved = contest_now[CONTEST_MOVED]
    copy(contest_worth, moved * RECORD, uct_sum, 0, RECORD)
    contest_proven[moved] = tree_link[LINK_PROVEN] != 0


def contest_next(first: i32, before: i32) -> i32:
    """The action that comes next after `before` by visits, leaving out the first; -1 if there is none."""
    root = tree_link[LINK_FIRST]
    found = -1
    for way in range(tree_link[LINK_ROWS]):
        child = root + way
        if way == first or way == before or tree_link[child * LINK + LINK_WHOSE] == WHOSE_NOBODY:
            continue
        visits = uct_visits(child)
        if before != first:
            last = uct_visits(root + before)
            if visits > last or (visits == last and way < before):
                continue
        if found < 0 or visits > uct_visits(root + found):
            found = way
    return found


def contest_lost(way: i32) -> i32:
    """Search whether the action `way` loses. Returns REFUTED_YES, REFUTED_NOT or REFUTED_SPENT."""
    refute_begin(way)
    return refute_run(CONTEST_REFUTED + 1)


def contest_kept(first: i32, player: i32) -> i32:
    """The action to play: `first`, unless a refutation shows that it loses; then the next one by visits that is not
    shown to lose, or `first` if all are."""
    if contest_least_is_known[player] == 0:
        return first
    copy(refute_state, 0, contest_state, contest_now[CONTEST_MOVED] * STATE, STATE)
    refute_player[0] = player
    refute_least[0] = contest_least[player]
    refute_left[0] = CONTEST_REFUTED
    way = first
    while way >= 0:
        if contest_lost(way) != REFUTED_YES:
            return way
        way = contest_next(first, way)
    return first


def contest_do(way: i32) -> None:
    """Make the move `way`, and record the alternatives."""
    moved = contest_now[CONTEST_MOVED]
    contest_place()
    rows = moves()
    for rule in range(CONTEST_RULES):
        contest_rules[moved * CONTEST_RULES + rule] = 0
    for row in range(rows):
        contest_rules[moved * CONTEST_RULES + move[row * WIDTH]] = 1
    copy(contest_row, moved * WIDTH, move, way * WIDTH, WIDTH)
    contest_way[moved] = way
    contest_rows[moved] = rows
    apply(way)
    contest_now[CONTEST_MOVED] = moved + 1
    copy(contest_state, (moved + 1) * STATE, s, 0, STATE)
    contest_now[CONTEST_STAGE] = CONTEST_LOOKS


def contest_move() -> i32:
    """Go on after a tree has grown: judge its result, or make its move. Returns 0 if the tree says nothing."""
    player = contest_state[contest_now[CONTEST_MOVED] * STATE]
    if contest_now[CONTEST_STAGE] == CONTEST_JUDGES:
        contest_judge()
        contest_begin(player)
        return 1
    way = uct_choice(0, player)
    if way < 0:
        return 0
    if CONTEST_OPPOSED == 0 or tree_link[LINK_PROVEN] == 0:
        way = contest_kept(way, player)
    contest_do(way)
    return 1


def contest_run(budget: i32) -> i32:
    """Go on for `budget` plies of random play. Returns 1 to be called again, 0 if another agent moves next, below 0 if
    no move is found."""
    while budget > 0:
        if contest_now[CONTEST_STAGE] == CONTEST_LOOKS:
            budget -= 1
            if contest_look() == 0:
                return 0
        else:
            before = i32(tree_count[TREE_NODES])
            said = uct_run(budget)
            if said != RUN_DONE:
                return said
            budget -= i32(tree_count[TREE_NODES]) - before + 1
            if contest_move() == 0:
                return CONTEST_NONE
    return 1
