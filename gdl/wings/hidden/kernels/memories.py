"""Memories of players: tuples of words, so that memories make a trie.

A memory holds the player, the memory before it, and what was learnt since: the own action by its number, the texts
heard, and every word of the own view that has changed (gdl/compiler/lower/views.py). Two memories are equal if their
tuples are, compared in full.

Texts are made outside of kernel code: where one is met for the first time, its tuple is noted in `text_asked`, and the
run stops until the text has been given a number.
"""

from gdl.compiler.kernels.random_step import *
from gdl.wings.hidden.kernels.tuples import *

REMEMBERS = const(1)  # set: whether players remember; else all see the state
TELLS = const(0)  # set: whether rules tell players of events
HEARS = const(0)  # set: whether players hear of others' actions
CHOOSES = const(0)  # set: whether rows end with a path
KINDS = const(1)  # set: rules, of actions and of chance
SIGHTS = const(1)  # set: words of `sight`
MOST_TEXTS = const(64)  # texts of actions that are heard in one ply, at most
FIRST_STEP = const(-3)  # the turn of the first chance step; those of the others lie below
FORGOTTEN = const(-1)  # in the place of the memory before: there is none, it is forgotten
# The first word of a tuple that is no memory but a text, and its other words:
TOLD = const(-5)  # somebody has done something: the player (-1: chance) and the words of the row
SAID = const(-6)  # the number of a `say`, and the value said

text_asked = array(i32, 1)  # 1 + the tuple of a text that needs a number; 0: none does
endless_price = array(f64, PLAYERS)  # by player: the price of endless play
row_words = array(i32, KINDS)  # by rule: the words of its rows before those of a path
# By tuple: 1 + the information set of a memory, or 1 + the number of a text; 0: it has none yet.
tuple_note = vast(i32, TUPLES) if TUPLES_SECOND else array(i32, TUPLES)
sight_before = array(i32, SIGHTS)  # `sight` before the ply
changed_at = array(i32, SIGHTS)  # the places of the words that all see and that have changed
acted = array(i32, PLAYERS)  # by player: 1 + the number of the action done in this ply; 0: none
memory_before = array(i32, PLAYERS)  # by player: the tuple remembered before the ply,
remembered = array(i32, PLAYERS)  # and the one remembered now
choice = array(i32, PLAYERS + 1)  # by player, and last for chance: the action in this ply; -1: none
text_told = array(i32, MOST_TEXTS)  # the numbers of the texts of this ply's actions that are heard,
text_actor = array(i32, MOST_TEXTS)  # who has acted, for chance the mover,
text_heard = array(u8, MOST_TEXTS * PLAYERS)  # 1 for each player who hears,
text_count = array(i32, 1)  # and how many these texts are
chooses = array(i32, KINDS)  # by rule: 1 if its rows end with a path
event_text = array(i32, EVENTS // 3 if TELLS else 1)  # by event of this ply: the number of its text


def put_row(i: i32) -> None:
    """Put the words of row `i` of the listing, and of its path, into the tuple that is being written."""
    at = i * WIDTH
    length = row_words[move[at]]
    for k in range(length):
        put(move[at + k])
    if CHOOSES:
        if chooses[move[at]]:
            start = move[at + length] + move[at + length + 1]
            count = move[at + length + 2]
            put(count)
            for j in range(count):
                put(i32(path[start + j]))


def text_of_tuple() -> i32:
    """The number of the text whose tuple has been written; -1 if the text has no number yet, which `text_asked` then
    asks for."""
    number = tuple_number()
    if tuple_note[number] == 0:
        # A text gets its number outside, from its words. The run stops here, and the position is expanded again when it
        # is known.
        text_asked[0] = number + 1
    return tuple_note[number] - 1


def tell(i: i32, actor: i32) -> i32:
    """Note which players hear of row i, done by `actor` (-1: chance). Returns 0 if its text has no number yet."""
    hear(i)
    anybody = 0
    for p in range(PLAYERS):
        anybody = anybody | hears[p]
    # Without hearers the row needs no text, and no run has to stop for one.
    if anybody:
        put(TOLD)
        put(actor)
        put_row(i)
        text = text_of_tuple()
        if text < 0:
            return 0
        n = text_count[0]
        text_told[n] = text
        # Chance acts for the mover, whose attempt it may be that is refused.
        text_actor[n] = actor if actor >= 0 else s[1]
        for p in range(PLAYERS):
            text_heard[n * PLAYERS + p] = hears[p]
        text_count[0] = n + 1
    return 1


def put_heard(player: i32) -> i32:
    """Put the texts that a player hears in this ply into the player's memory, those of others' actions first. Returns
    their number."""
    count = 0
    for n in range(text_count[0]):
        if text_heard[n * PLAYERS + player]:
            if TELLS == 0 or is_refused(text_actor[n]) == 0:
                put(text_told[n])
                count += 1
    if TELLS:
        for k in range(event[0]):
            at = k * 3 + 2
            if event[at] >= 0 and (event[at + 1] < 0 or event[at + 1] == player):
                put(event_text[k])
                count += 1
    return count


def is_refused(actor: i32) -> i32:
    """1 if an attempt of this player was refused in this ply."""
    for k in range(event[0]):
        if event[k * 3 + 2] < 0 and event[k * 3 + 3] == actor:
            return 1
    return 0


def know_events() -> i32:
    """Find the numbers of the texts of all events of this ply. Returns 0 if one has none yet."""
    for k in range(event[0]):
        at = k * 3 + 2
        if event[at] >= 0:
            put(SAID)
            put(event[at])
            put(event[at + 2])
            text = text_of_tuple()
            if text < 0:
                return 0
            event_text[k] = text
    return 1


def begin_memory(player: i32, before: i32) -> i32:
    """Give a number to a memory that begins now: it holds `before`, a number below 0 that says what came before, and
    the player's view of the present state."""
    put(player)
    put(before)
    for k in range(PUBLIC):
        put(sight[k])
    for k in range(PRIVATE):
        put(sight[PUBLIC + player * PRIVATE + k])
    return tuple_number()


def put_memory(player: i32, before: i32, changes: i32) -> i32:
    """Write the tuple of a player's memory after this ply, which was `before` until now; `changes` of the public words
    have changed in the ply. Returns 0 if nothing was learnt, and no chance step comes."""
    start = tuple_end[0]
    # Player and action in one word; the remainder by PLAYERS is the player again.
    put(player + PLAYERS * acted[player])
    put(before)
    # The place of the count, which is known only after the texts.
    put(0)
    count = put_heard(player)
    tuple_word[start + 2] = count
    end = tuple_end[0]
    for j in range(changes):
        put(changed_at[j])
        put(sight[changed_at[j]])
    first = PUBLIC + player * PRIVATE
    for k in range(first, first + PRIVATE):
        if sight[k] != sight_before[k]:
            put(k)
            put(sight[k])
    return 1 if acted[player] or count or tuple_end[0] != end or s[0] <= FIRST_STEP else 0


def remember(player: i32, before: i32, changes: i32) -> i32:
    """The number of a player's memory after this ply, which was `before` until now; where nothing was learnt it stays
    the same one, and so do the information set and its name."""
    start = tuple_end[0]
    if put_memory(player, before, changes) == 0:
        tuple_end[0] = start
        return before
    return tuple_number()


def find_changes() -> i32:
    """Note the places of the words that all see and that have changed in this ply. Returns how many these are."""
    changes = 0
    for k in range(PUBLIC):
        if sight[k] != sight_before[k]:
            changed_at[changes] = k
            changes += 1
    return changes


def begin_ply() -> None:
    """Note the players' views and memories before a ply."""
    if REMEMBERS:
        observe()
        copy(sight_before, 0, sight, 0, SIGHTS)
        copy(memory_before, 0, remembered, 0, PLAYERS)


def remember_all() -> i32:
    """Make every player's memory after a ply that they began with `memory_before`. Returns 0 if a text has to be asked
    for."""
    if REMEMBERS == 0:
        return 1
    if TELLS:
        if know_events() == 0:
            return 0
    observe()
    if TELLS:
        # `forget` was carried out: all memories begin anew, from what is seen now.
        if event[1]:
            for p in range(PLAYERS):
                remembered[p] = begin_memory(p, FORGOTTEN)
            return 1
    changes = find_changes()
    for p in range(PLAYERS):
        remembered[p] = remember(p, memory_before[p], changes)
    return 1


def play_row(i: i32, actor: i32) -> i32:
    """Play row i of the listing, in a ply that has begun; `actor` does it, -1 for chance. Returns 0 if a text has to be
    asked for."""
    if REMEMBERS:
        for p in range(PLAYERS):
            acted[p] = i + 1 if p == actor else 0
        text_count[0] = 0
        if HEARS:
            if tell(i, actor) == 0:
                return 0
    apply(i)
    return remember_all()


def choose_row(player: i32, pick: i32) -> None:
    """Note a player's choice in a simultaneous move: the number among their own rows, or -1 for none."""
    joint[player] = first[player] + pick if pick >= 0 else -1
    acted[player] = pick + 1


def play_choice(kind: i32) -> i32:
    """Play the actions in `choice`, at a state of this kind whose rows are listed, in a ply that has begun. Returns 0
    if a text has no number yet."""
    if AT_ONCE and kind == SIMULTANEOUS:
        for p in range(PLAYERS):
            choose_row(p, choice[p])
        return play_together()
    if kind == DECISION:
        return play_row(choice[s[0]], s[0])
    return play_row(choice[PLAYERS], -1)


def play_together() -> i32:
    """Play the choices of all players, in a ply that has begun. Returns 0 if a text has no number yet."""
    text_count[0] = 0
    if HEARS:
        if tell_all() == 0:
            return 0
    apply_joint()
    return remember_all()


def tell_all() -> i32:
    """Note which players hear of each choice in a simultaneous move. Returns 0 if a text has no number yet."""
    mover = s[1]
    for p in range(PLAYERS):
        if joint[p] >= 0:
            # Templates of names may ask for the mover, and in a move at once that is each player in turn.
            s[1] = p
            if tell(joint[p], p) == 0:
                return 0
    s[1] = mover
    return 1
