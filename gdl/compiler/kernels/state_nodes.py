"""The node of a state for a program that walks a game: its kind, whose turn it is, and a number for each name.

The number of a row's name is made of its rule, whose turn it is, and the row's words, NODE_BITS bits each: the values
of its head and of its body's choices. It is -1 where the rule's names depend on the state, or the words do not fit. A
table has the place of each number in the program's list of names.

The text of a node is its kind with 4 times the player who decides, the number of its rows, and for each of these the
place of its name in the list, of outcomes also the weights; or, at an end, the utilities. Equal texts are equal nodes.
A name that is not in the table leaves the text undone, which its end tells: that is then where it begins.
"""

from gdl.compiler.kernels.game import *
from gdl.compiler.kernels.nodes import *

NODE_RULES = const(1)  # set: rules of actions and of chance
NODE_CHOOSES = const(0)  # set: whether any body chooses
NODE_BITS = const(12)  # of a word in a number
NODE_LONGEST = const(4)  # set: words that fit into a number beside that of the rule
NODE_WEIGHS = const(0)  # set: whether outcomes have weights
NODE_CHILDREN = const(64)  # children that are made at once
NODE_LINE = const(2 + 2 * PLAYERS + 3 * MOVES)  # words of the longest text
NODE_WORDS = const(NODE_LINE + 4096)  # room for texts
NODE_TURNS = const(PLAYERS + 4)  # values of the word that says whose turn it is
NODE_SLOTS = const(32768)  # of the table of names, half of which stay empty
node_fixed = array(u8, NODE_RULES)  # by rule: 1 if its names follow from the words of a row and from whose turn it is
node_table = array(i64, 2 * NODE_SLOTS)  # by slot the number of a name, and 1 more than its place in the list; 0: none
node_number = array(i64, MOVES)  # by row: the number of its name
node_text = array(i32, NODE_WORDS)  # the text of the node; or those of the children, one after the other
node_parent = array(i32, STATE)
node_child = array(i32, NODE_CHILDREN * STATE)  # the children, and of each:
node_end = array(i32, NODE_CHILDREN)  # where its text ends, in bytes


def node_digit(number: i64, word: i64) -> i64:
    """The number with one more word; -1 if the word does not fit."""
    if word < -1 or word >= (1 << NODE_BITS) - 2:
        return -1
    return (number << NODE_BITS) + word + 2


def number_row(row: i32) -> i64:
    """The number of the name of a row of the listing; -1 if it has none."""
    at = row * WIDTH
    rule = move[at]
    if node_fixed[rule] == 0:
        return -1
    number: i64 = i64(rule) * NODE_TURNS + s[0] + 4
    end = at + ROW_HEAD[rule]
    for k in range(at + 1, end):
        if number >= 0:
            number = node_digit(number, i64(move[k]))
    if NODE_CHOOSES:
        if ROW_CHOOSES[rule]:
            if ROW_HEAD[rule] - 1 + move[end + 1] > NODE_LONGEST:
                return -1
            for k in range(move[end], move[end] + move[end + 1]):
                if number >= 0:
                    number = node_digit(number, path[k])
    return number


def find_slot(number: i64) -> i32:
    """The slot of the name with a number in the table; an empty one if it is not there."""
    slot = i32(wrap64(number * -7046029254386353131) >> 32) & NODE_SLOTS - 1
    while node_table[2 * slot + 1] and node_table[2 * slot] != number:
        slot = slot + 1 & NODE_SLOTS - 1
    return slot


def node_learn(learnt: i64) -> i64:
    """Put the name of a row of the last listing into the table; `learnt` is MOVES times its place in the list, plus the
    row."""
    number = node_number[i32(learnt % MOVES)]
    slot = find_slot(number)
    node_table[2 * slot] = number
    node_table[2 * slot + 1] = learnt // MOVES + 1
    return 0


def node_write(at: i32, number: i64) -> None:
    """Write a number into two words of the text."""
    node_text[at] = i32(number)
    node_text[at + 1] = i32(number >> 32)


def node_listed(kind: i32, at: i32) -> i32:
    """List the rows of the state, which is of this kind, and write its text from a word on. Returns where it ends."""
    end = at + 2
    node_text[at] = kind
    if kind == TERMINAL:
        node_text[at + 1] = 0
        for p in range(PLAYERS):
            node_write(end, util[p])
            end += 2
        return end
    if kind == DECISION:
        node_text[at] = 4 * s[0] + kind
    rows = moves()
    node_text[at + 1] = rows
    known = rows
    for row in range(rows):
        number = number_row(row)
        node_number[row] = number
        name = -1 if number < 0 else i32(node_table[2 * find_slot(number) + 1]) - 1
        node_text[end + row] = name
        if name < 0:
            known = 0
    if known == 0 or kind == SIMULTANEOUS:
        return at
    end += rows
    if NODE_WEIGHS:
        if kind == CHANCE:
            for row in range(rows):
                node_write(end, weight[row])
                end += 2
    return end


def node_here(unused: i64) -> i64:
    """The end, in bytes, of the text of the state, which begins at 0."""
    return 4 * node_listed(status(), 0)


def node_after(row: i64) -> i64:
    """Do the action, or take the outcome, in a row of the last listing. Returns the end of the text of the state after
    it."""
    last = s[1]
    apply(i32(row))
    return 4 * node_listed(status_after(last), 0)


def node_after_in(row: i64) -> i64:
    """List the rows of the state, which was written from outside, and do the one of this number. Returns the end of the
    text of the state after it."""
    moves()
    return node_after(row)


def node_children(first: i64) -> i64:
    """Make children of the state by its rows from `first` on, as many as there is room for. Returns how many these
    are."""
    begin = i32(first)
    last = s[1]
    rows = moves() - begin
    rows = rows if rows < NODE_CHILDREN else NODE_CHILDREN
    copy(node_parent, 0, s, 0, STATE)
    for k in range(rows):
        copy(s, 0, node_parent, 0, STATE)
        apply(begin + k)
        copy(node_child, k * STATE, s, 0, STATE)
    used = 0
    for k in range(rows):
        if used > NODE_WORDS - NODE_LINE:
            return k
        copy(s, 0, node_child, k * STATE, STATE)
        used = node_listed(status_after(last), used)
        node_end[k] = 4 * used
    return rows
