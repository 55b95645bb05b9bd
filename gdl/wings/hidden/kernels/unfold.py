"""A game unfolded with its players' memories: every position, its kind, its information set, and its successors.

A position is a state and each player's memory there (gdl/wings/hidden/kernels/memories.py).

1. The first position is that of the first state, where each player remembers their own view of it.
2. The earliest position that has not been expanded is expanded: its moves are done one after the other, each from the
   same state. Whoever acted, heard something or sees something new remembers it.
3. A position with the same state and the same memories is the same position: plays that lead there are alike for
   everybody for ever. A new one gets the next number.
4. A decision belongs to the information set of its mover's memory. An end, a chance move and a list of actions are
   tuples as well, so each is kept once.
5. A simultaneous move becomes turns taken unseen: positions of their own, all with the state and memories before it.

Where a text is met for the first time the run ends; when it has been given a number, the position is expanded again
from the beginning.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *
from gdl.wings.hidden.kernels.memories import *
from gdl.wings.hidden.kernels.tuples import *

POSITIONS = const(1024)  # set: at most
LIMIT = const(1024)  # set: positions after which the run stops
POSITION_SLOTS = const(2048)  # set: of the table that finds them, full grown
LINKS = const(4096)  # set: at most
FIRST_POSITION_SLOTS = const(1024)
STEPS = const(0)  # set: whether chance has steps
MOST_DIFFERENT = const(64)  # positions noted whose actions differ from those of others in their information set
BLOCK = const(1024)  # states that are read together
SPARE_WORDS = const(1024)  # set: words that one expansion can add to the tuples, at most
FIRST = const(-1)  # set: in the place of the memory before: none; -2 if players remember more than the first state
# The first word of a tuple that is no memory, and its other words:
PLACE = const(-1)  # an information set where players see the state: the player and the position
LIST = const(-2)  # their number and the words of their rows
OUTCOMES = const(-3)  # their number and the words of their rows, then their weights, two words each
END = const(-4)  # the players' utilities, two words each
# Places in `unfolded`:
COUNT = const(0)  # positions met,
EXPANDED = const(1)  # and expanded
LINKED = const(2)  # links
SETS = const(3)  # information sets
SLOTS = const(4)  # slots in use
DIFFERENT = const(5)  # positions whose actions differ from those of their information set
MORE = const(6)  # 1 if there are more positions than there is room for
ORDERED = const(7)  # positions that have been numbered anew

unfolded = array(i64, 8)
tuple_position = array(i32, TUPLES)  # by memory: 1 + the first position with it

position_key = array(i64, POSITIONS * KEY)
position_memory = array(i32, POSITIONS * PLAYERS)
position_slot = array(i64, POSITION_SLOTS)  # 1 + a position's number, and half of its hash; 0: free
position_kind = array(u8, POSITIONS)
position_note = array(i32, POSITIONS)  # of a decision the information set, else the tuple of the outcomes or the end
position_link = array(i32, POSITIONS + 1)  # where its links begin,
link = array(i32, LINKS)  # and the positions that they lead to
# In a simultaneous move, of a position at which some have chosen: the position where the move began, the one before,
# and the choice made there.
position_base = array(i32, POSITIONS if AT_ONCE else 1)
position_before = array(i32, POSITIONS if AT_ONCE else 1)
position_choice = array(i32, POSITIONS if AT_ONCE else 1)

set_player = array(i32, POSITIONS)  # by information set: its player,
set_list = array(i32, POSITIONS)  # the tuple of its actions,
set_first = array(i32, POSITIONS)  # and its first position
different = array(i32, MOST_DIFFERENT)  # the first positions that DIFFERENT counts

unfold_parent = array(i32, STATE)  # the state of the position that is being expanded
block = array(i32, BLOCK * STATE)  # the states that fetch() has read


# -- positions --------------------------------------------------------------------------------------------------------


def position_hash() -> i64:
    """The hash of the present key and memories; its high bits are the best mixed."""
    h = key_hash()
    if REMEMBERS:
        for p in range(PLAYERS):
            h = wrap64((h ^ remembered[p]) * -7046029254386353131)
            h = h ^ (h >> 32)
        # Multiplied once more, for only the high bits choose the place, and the last memory has not reached them yet.
        h = wrap64(h * -4658895280553007687)
    return h


def position_place(h: i64) -> i32:
    """The slot where the search for a position with this hash begins."""
    return i32(((h >> 32) & NUMBER_HALF) * unfolded[SLOTS] >> 32)


def take_key(n: i32) -> None:
    """Make the key and the memories of position n the present ones."""
    copy(key, 0, position_key, n * KEY, KEY)
    if REMEMBERS:
        copy(remembered, 0, position_memory, n * PLAYERS, PLAYERS)


def grow_positions(size: i64) -> None:
    """Empty the table, give it `size` slots, and enter all positions."""
    for i in range(i32(unfolded[SLOTS])):
        position_slot[i] = 0
    unfolded[SLOTS] = size
    for n in range(i32(unfolded[COUNT])):
        # Positions inside a move at once have the key of the one where it began, and are never looked up.
        if AT_ONCE == 0 or position_base[n] == n:
            take_key(n)
            h = position_hash()
            at = position_place(h)
            while position_slot[at] != 0:
                at += 1
                if at == size:
                    at = 0
            position_slot[at] = h & HASH_HALF | i64(n + 1)


def is_position(n: i32) -> i32:
    """Return 1 if position n has the present key and memories."""
    same = equal(position_key, n * KEY, key, 0, KEY)
    if REMEMBERS:
        same = same and equal(position_memory, n * PLAYERS, remembered, 0, PLAYERS)
    return same


def position_number() -> i32:
    """The number of the position of the present state and memories; a new one gets the next number."""
    pack()
    h = position_hash()
    at = position_place(h)
    while position_slot[at] != 0:
        if (position_slot[at] ^ h) & HASH_HALF == 0:
            found = i32(position_slot[at] & NUMBER_HALF) - 1
            if is_position(found):
                return found
        at += 1
        if at == unfolded[SLOTS]:
            at = 0
    n = i32(unfolded[COUNT])
    position_slot[at] = h & HASH_HALF | i64(n + 1)
    unfolded[COUNT] = n + 1
    copy(position_key, n * KEY, key, 0, KEY)
    if REMEMBERS:
        copy(position_memory, n * PLAYERS, remembered, 0, PLAYERS)
        for p in range(PLAYERS):
            # The first position with a memory stands for its information set, when it gets a name.
            if tuple_position[remembered[p]] == 0:
                tuple_position[remembered[p]] = n + 1
    if AT_ONCE:
        position_base[n] = n
    return n


def link_to(n: i32) -> None:
    """Add position n to the successors of the one that is being expanded."""
    end = i32(unfolded[LINKED])
    link[end] = n
    unfolded[LINKED] = end + 1


# -- expanding --------------------------------------------------------------------------------------------------------


def put_in_set(n: i32, base: i32, player: i32, first_row: i32, end_row: i32) -> None:
    """Put decision n into its information set, by the player's memory at position `base`; its actions are the rows
    `first_row` to `end_row` - 1."""
    if REMEMBERS:
        known = position_memory[base * PLAYERS + player]
    else:
        put(PLACE)
        put(player)
        put(base)
        # Without memories everybody sees everything, and each position is an information set of its own.
        known = tuple_number()
        tuple_position[known] = base + 1
    put(LIST)
    put(end_row - first_row)
    for i in range(first_row, end_row):
        put_row(i)
    actions = tuple_number()
    h = tuple_note[known] - 1
    if h < 0:
        h = i32(unfolded[SETS])
        unfolded[SETS] = h + 1
        tuple_note[known] = h + 1
        set_player[h] = player
        set_list[h] = actions
        set_first[h] = n
    # A fault of the game: who cannot tell positions apart must have the same actions. It is reported when all is
    # unfolded.
    elif set_list[h] != actions:
        if unfolded[DIFFERENT] < MOST_DIFFERENT:
            different[i32(unfolded[DIFFERENT])] = n
        unfolded[DIFFERENT] += 1
    position_note[n] = h


def expand_end(n: i32) -> None:
    """Write the players' payoffs."""
    put(END)
    for p in range(PLAYERS):
        # Tuples are of words of 32 bits, and a utility has 64.
        paid: i64 = util[p]
        put(i32(paid & 4294967295))
        put(i32(paid >> 32))
    position_note[n] = tuple_number()


def expand_chance(n: i32, rows: i32) -> i32:
    """Write the outcomes of chance position n, and its successors. Returns 0 if a text has no number yet."""
    put(OUTCOMES)
    put(rows)
    for i in range(rows):
        put_row(i)
    for i in range(rows):
        put(i32(weight[i] & 4294967295))
        put(i32(weight[i] >> 32))
    position_note[n] = tuple_number()
    return expand_rows(n, rows, -1)


def expand_rows(n: i32, rows: i32, actor: i32) -> i32:
    """Write the successors of position n, where `actor` moves (-1: chance). Returns 0 if a text has no number yet."""
    for i in range(rows):
        if i > 0:
            copy(s, 0, unfold_parent, 0, STATE)
        if play_row(i, actor) == 0:
            return 0
        link_to(position_number())
    return 1


def next_chooser(player: i32) -> i32:
    """The first player from `player` on with a choice in a simultaneous move; PLAYERS if there is none."""
    found = player
    while found < PLAYERS and first[found + 1] == first[found]:
        found += 1
    return found


def expand_turn(n: i32, base: i32) -> i32:
    """Write one player's turn, position n, in a simultaneous move that begins at position `base`; only the last
    player's choice leads to new states. Returns 0 if a text has no number yet."""
    player = 0
    if n != base:
        player = set_player[position_note[position_before[n]]] + 1
    player = next_chooser(player)
    put_in_set(n, base, player, first[player], first[player + 1])
    if next_chooser(player + 1) < PLAYERS:
        for i in range(first[player], first[player + 1]):
            after = i32(unfolded[COUNT])
            unfolded[COUNT] = after + 1
            position_base[after] = base
            position_before[after] = n
            position_choice[after] = i - first[player]
            link_to(after)
        return 1
    # The choices stand in the chain of positions, the last one first; players without a choice have none.
    for p in range(PLAYERS):
        choose_row(p, -1)
    here = n
    while here != base:
        pick = position_choice[here]
        here = position_before[here]
        choose_row(set_player[position_note[here]], pick)
    for pick in range(first[player + 1] - first[player]):
        choose_row(player, pick)
        if pick > 0:
            copy(s, 0, unfold_parent, 0, STATE)
        if play_together() == 0:
            return 0
        link_to(position_number())
    return 1


def expand(n: i32) -> i32:
    """Write a position's kind, its choices or payoffs, and its successors. Returns 0 if a text has no number yet."""
    base = n
    if AT_ONCE:
        base = position_base[n]
    take_key(base)
    unpack()
    kind = status()
    if kind == TERMINAL:
        position_kind[n] = TERMINAL
        expand_end(n)
        return 1
    copy(unfold_parent, 0, s, 0, STATE)
    begin_ply()
    rows = moves()
    if STEPS:
        if kind == CHANCE:
            position_kind[n] = CHANCE
            return expand_chance(n, rows)
    position_kind[n] = DECISION
    if AT_ONCE:
        if kind == SIMULTANEOUS:
            return expand_turn(n, base)
    put_in_set(n, n, s[0], 0, rows)
    return expand_rows(n, rows, s[0])


def unfold_start() -> None:
    """Begin to unfold: the present state is the first, and memory is new."""
    tuple_size[0] = FIRST_TUPLE_SLOTS
    unfolded[SLOTS] = FIRST_POSITION_SLOTS
    if REMEMBERS:
        observe()
        for p in range(PLAYERS):
            remembered[p] = begin_memory(p, FIRST)
    position_number()


def has_room() -> i32:
    """1 if one more position can be expanded, whatever follows it."""
    if unfolded[COUNT] > LIMIT or unfolded[COUNT] + MOVES > POSITIONS or unfolded[LINKED] + MOVES > LINKS:
        return 0
    if tuple_count[0] + (MOVES + 4) * (PLAYERS + 1) > TUPLES:
        return 0
    return tuple_end[0] + SPARE_WORDS <= TUPLE_WORDS


def unfold_run(budget: i32) -> i32:
    """Expand up to `budget` positions. Returns 1 if more are waiting."""
    while budget > 0:
        n = i32(unfolded[EXPANDED])
        if n == unfolded[COUNT]:
            return 0
        if has_room() == 0:
            unfolded[MORE] = 1
            return 0
        # At most half full, even if every move of the next position leads to a new one.
        if 2 * (unfolded[COUNT] + MOVES) > unfolded[SLOTS] and unfolded[SLOTS] < POSITION_SLOTS:
            size = 2 * unfolded[SLOTS]
            while size < 2 * (unfolded[COUNT] + MOVES):
                size = 2 * size
            grow_positions(size if size < POSITION_SLOTS else POSITION_SLOTS)
        linked = unfolded[LINKED]
        position_link[n] = i32(linked)
        position_link[n + 1] = i32(linked)
        if expand(n) == 0:
            # Expanding broke off for a text. Positions that it made stay, for they are found again; its links are taken
            # back.
            unfolded[LINKED] = linked
            return 0
        unfolded[EXPANDED] = n + 1
        budget -= 1
    return 1


def fetch(n: i32) -> None:
    """Write the states of the positions from n on into `block`, as many as it holds."""
    count = BLOCK
    if n + count > unfolded[COUNT]:
        count = i32(unfolded[COUNT]) - n
    for k in range(count):
        base = n + k
        if AT_ONCE:
            base = position_base[n + k]
        take_key(base)
        unpack()
        copy(block, k * STATE, s, 0, STATE)
