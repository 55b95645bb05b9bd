"""Play at random that leans toward some actions: by what stands on and around the cells that they name.

1. Of each cell of the board it is kept what stands around it: two bits for each direction, 3 beyond the edge. After a
   move only the cells around those that have changed are looked at.
2. A cell that an action names has a weight, e to a sum of four numbers: of all that stands there, as the mover sees it,
   whichever way the board is turned; of the same without diagonals; of all, for this player and this way alone; and
   where the last action named a cell next to it, another of what stands there without diagonals. It is found when it is
   asked for the first time, and kept.
3. An action's weight is the product of that of its rule and those of its cells; it is drawn in proportion to that.
4. Where bodies must be tried, only what was drawn is tried. If that fails another is drawn.

Source of patterns for play at random: Gelly, Wang, Munos and Teytaud, Modification of UCT with patterns in Monte-Carlo
Go, 2006; of weights in proportion to which actions are drawn: Coulom, Computing Elo ratings of move patterns in the
game of Go, ICGA Journal 30, 2007.
"""

from gdl.compiler.kernels.exponent import *
from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.generator import *

LEAN_CELLS = const(1)  # set: of the board
LEAN_WAYS = const(8)  # set: directions, at most 8
LEAN_TURNS = const(1)  # set: how the board can be turned
LEAN_STRAIGHT = const(65535)  # set: the bits of the directions that are not diagonals
LEAN_CLASSES = const(3)  # set: what can stand on a cell, at most 3
LEAN_FROM = const(0)  # set: where in the state the cells are: the word of the first, or the long word of its plane
LEAN_PLANES = const(0)  # set: whether there are planes, of all classes but the first,
LEAN_WORDS = const(1)  # set: each so many long words
LEAN_LEAST = const(0)  # set: the number that is the first class, where there are none
LEAN_OFFERS = const(0)  # set: whether rows are listed without being tried
LEAN_RULES = const(1)  # set: rules of actions
LEAN_NAMED = const(1)  # set: cells that a head names, at most
LEAN_SLOTS = const(1)  # set: of all rules together
LEAN_CODES = const(1 << 2 * LEAN_WAYS)
LEAN_EACH = const(LEAN_CLASSES * LEAN_CODES)  # what can stand on and around a cell
LEAN_NEAR = const(PLAYERS * LEAN_SLOTS * LEAN_EACH)
LEAN_PART = const(LEAN_SLOTS * LEAN_EACH)  # numbers of each kind: of all, as the mover sees it,
LEAN_PLUS = const(LEAN_PART)  # without diagonals,
LEAN_NEXT = const(2 * LEAN_PART)  # of cells next to the last one,
LEAN_OWN = const(3 * LEAN_PART)  # and for each player alone;
LEAN_BY_RULE = const((3 + PLAYERS) * LEAN_PART)  # then those of rules
LEAN_NUMBERS = const(LEAN_BY_RULE + PLAYERS * LEAN_RULES)
LEAN_MOST = const(8.0)  # of a sum
LEAN_ONE = const(65536)  # e to 0 as a weight
LEAN_UNIT = const(195360062.6)  # and e to LEAN_MOST
lean_on = array(i32, 1)  # whether players lean, or play at random
lean_number = array(f64, LEAN_NUMBERS)  # what was learned
lean_at = array(i32, LEAN_CELLS)  # what stands on and around each, and LEAN_NEAR if the last action named one beside it
lean_was = array(i64, LEAN_CLASSES * LEAN_WORDS)  # the planes of which that is told
lean_from = array(i32, LEAN_CELLS * LEAN_WAYS)  # of each cell and direction: from which cell it leads there, or -1
lean_turn = array(i32, LEAN_TURNS * LEAN_WAYS)  # where each direction goes
lean_seen = array(i32, PLAYERS * 4)  # what each player sees in each class
lean_canon = array(i32, PLAYERS * LEAN_EACH)  # of all that can stand there: 1 and how it is seen; 0: not yet known
lean_word = array(i32, LEAN_RULES * LEAN_NAMED)  # of each rule: which word of its head names a cell, or 0,
lean_slot = array(i32, LEAN_RULES * LEAN_NAMED)  # and whose numbers these have
lean_rule = array(i32, PLAYERS * LEAN_RULES)  # weights, 0 if not yet known
lean_table = array(i32, 2 * PLAYERS * LEAN_PART)
lean_weight = array(i64, MOVES)
lean_last = array(i32, 1)  # 1 and the cell that the last action named; 0: none
lean_drawn = array(i32, 1)  # whether a weight is known


def lean_begin() -> None:
    """Prepare the weights when random play begins."""
    lean_go_to(-1)


def lean_forget() -> None:
    """Mark all weights as unknown."""
    if lean_drawn[0]:
        for k in range(2 * PLAYERS * LEAN_PART):
            lean_table[k] = 0
        for k in range(PLAYERS * LEAN_RULES):
            lean_rule[k] = 0
        lean_drawn[0] = 0


def lean_exp(x: f64) -> i32:
    """The weight that a sum stands for."""
    most = x if x < LEAN_MOST else LEAN_MOST
    return i32(power_of_e(most - LEAN_MOST) * LEAN_UNIT) + 1


def lean_key(player: i32, what: i32) -> i32:
    """The surroundings of a cell and its content, as a player sees them who turns the board as far as can be."""
    known = lean_canon[player * LEAN_EACH + what]
    if known == 0:
        for turn in range(LEAN_TURNS):
            code = lean_seen[player * 4 + what // LEAN_CODES] * LEAN_CODES
            for way in range(LEAN_WAYS):
                code += lean_seen[player * 4 + (what >> 2 * way & 3)] << 2 * lean_turn[turn * LEAN_WAYS + way]
            if turn == 0 or code + 1 < known:
                known = code + 1
        lean_canon[player * LEAN_EACH + what] = known
    return known - 1


def lean_plain(player: i32, what: i32) -> i32:
    """The surroundings of a cell without diagonals."""
    return lean_key(player, what - what % LEAN_CODES + (what % LEAN_CODES & LEAN_STRAIGHT))


def lean_of_cell(player: i32, slot: i32, at: i32) -> i32:
    """The part of an action's weight that comes from the cell `at` of its pattern, for the parameter that names the
    square."""
    what = at % LEAN_NEAR
    base = slot * LEAN_EACH
    total = lean_number[base + lean_key(player, what)]
    total += lean_number[LEAN_OWN + player * LEAN_PART + base + what]
    plain = lean_plain(player, what)
    total += lean_number[LEAN_PLUS + base + plain]
    if at >= LEAN_NEAR:
        total += lean_number[LEAN_NEXT + base + plain]
    lean_drawn[0] = 1
    return lean_exp(total)


def lean_beside(cell: i32, by: i32) -> None:
    """Count the cells next to one as beside it (by 1), or no longer (by -1)."""
    for way in range(LEAN_WAYS):
        if cell >= 0 and lean_from[cell * LEAN_WAYS + way] >= 0:
            lean_at[lean_from[cell * LEAN_WAYS + way]] += by


def lean_go_to(cell: i32) -> None:
    """The last action named this cell; -1: none."""
    lean_beside(lean_last[0] - 1, -LEAN_NEAR)
    lean_beside(cell, LEAN_NEAR)
    lean_last[0] = cell + 1


def lean_of_rule(player: i32, rule: i32) -> i32:
    """The weight of a rule."""
    weight = lean_rule[player * LEAN_RULES + rule]
    if weight == 0:
        weight = lean_exp(lean_number[LEAN_BY_RULE + player * LEAN_RULES + rule])
        lean_rule[player * LEAN_RULES + rule] = weight
        lean_drawn[0] = 1
    return weight


def lean_weigh(rows: i32) -> i64:
    """Weigh the rows; the sum."""
    player = s[0]
    total: i64 = 0
    for row in range(rows):
        rule = move[row * WIDTH]
        weight: i64 = LEAN_ONE
        if LEAN_RULES > 1:
            weight = lean_of_rule(player, rule)
        for k in range(LEAN_NAMED):
            word = lean_word[rule * LEAN_NAMED + k]
            if word > 0:
                slot = lean_slot[rule * LEAN_NAMED + k]
                at = lean_at[move[row * WIDTH + word]]
                own = lean_table[(player * LEAN_SLOTS + slot) * LEAN_EACH + at]
                if own == 0:
                    own = lean_of_cell(player, slot, at)
                    lean_table[(player * LEAN_SLOTS + slot) * LEAN_EACH + at] = own
                weight = (weight * own >> 16) + 1
        lean_weight[row] = weight
        total += weight
    return total


def lean_note(row: i32) -> None:
    """A row is done: which cell it names, the last of its head."""
    at = row * WIDTH
    cell = -1
    for k in range(LEAN_NAMED):
        word = lean_word[move[at] * LEAN_NAMED + k]
        if word > 0:
            cell = move[at + word]
    lean_go_to(cell)


def lean_change(cell: i32, by: i32) -> None:
    """Something else stands on a cell."""
    lean_at[cell] += by * LEAN_CODES
    for way in range(LEAN_WAYS):
        other = lean_from[cell * LEAN_WAYS + way]
        if other >= 0:
            lean_at[other] += by << 2 * way


def lean_class(cell: i32) -> i32:
    """The content of a cell."""
    return lean_at[cell] % LEAN_NEAR // LEAN_CODES


def lean_look() -> None:
    """See what has changed on the board."""
    if LEAN_PLANES:
        for word in range(LEAN_WORDS):
            changed: i64 = 0
            for k in range(LEAN_CLASSES - 1):
                held_there: i64 = w[LEAN_FROM + k * LEAN_WORDS + word]
                changed = changed | (held_there ^ lean_was[k * LEAN_WORDS + word])
                lean_was[k * LEAN_WORDS + word] = held_there
            while changed != 0:
                b = ctz(changed)
                changed = wrap64(changed & changed - 1)
                held = 0
                for k in range(LEAN_CLASSES - 1):
                    held += i32(lean_was[k * LEAN_WORDS + word] >> b & 1) * (k + 1)
                lean_change(word * 64 + b, held - lean_class(word * 64 + b))
    else:
        for cell in range(LEAN_CELLS):
            by = s[LEAN_FROM + cell] - LEAN_LEAST - lean_class(cell)
            if by != 0:
                lean_change(cell, by)


def lean_draw(rows: i32, total: i64) -> i32:
    """A row, by the weights; -1 where none has any."""
    if total > 0:
        ticket = playout_below(total)
        for row in range(rows):
            ticket -= lean_weight[row]
            if ticket < 0:
                return row
    return -1


def lean_step() -> None:
    """Play one decision at random, by the weights of its actions."""
    lean_look()
    rows = 0
    if LEAN_OFFERS:
        rows = offers()
    else:
        rows = moves()
    total = lean_weigh(rows)
    drawn = lean_draw(rows, total)
    if LEAN_OFFERS:
        while drawn >= 0 and attempt(drawn) == 0:
            total -= lean_weight[drawn]
            lean_weight[drawn] = 0
            drawn = lean_draw(rows, total)
        if drawn < 0:
            trap(2)
    else:
        apply(drawn)
    lean_note(drawn)
