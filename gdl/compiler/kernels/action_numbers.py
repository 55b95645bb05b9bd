"""The numbers of actions, as `gdl.playing.stepping.numbering` counts them: that of the rule and its values.

Of the rows of a listing it is the sum of their words, each times what it counts; the tables for that are written by the
program.
"""

from gdl.compiler.kernels.game import *

ACTION_CHOOSES = const(0)  # set: whether bodies choose
ACTION_RULES = const(1)  # set: rules of actions
ACTION_LENGTHS = const(1)  # set: so many words, less one, bodies choose at most whose actions are numbered here
ACTION_HEADS = const(1)  # set: words of a head at most
ACTION_WORDS = const(1)  # set: the same, and so many words that bodies choose
ACTION_GAPS = const(1)  # set: whether some actions are not numbered here
ACTION_ONLY = const(0)  # set: whether there is one rule with one word, each of which is numbered here; then also
ACTION_FROM = const(0)  # set: the number where that word is 0
ACTION_EACH = const(0)  # set: what it counts
action_heads = array(i32, ACTION_RULES)  # words of each rule's head
action_paths = array(u8, ACTION_RULES)  # whether its body chooses
action_known = array(u8, ACTION_RULES * ACTION_LENGTHS)  # by rule and words chosen: whether they are numbered here
action_first = array(i64, ACTION_RULES * ACTION_LENGTHS)  # the number where all words are 0
action_stride = array(i64, ACTION_RULES * ACTION_LENGTHS * ACTION_WORDS)  # what each word counts


def action_number(row: i32) -> i64:
    """The number of the action in a row of the listing; -1 if the tables do not give it."""
    at = row * WIDTH
    if ACTION_ONLY:
        return ACTION_FROM + i64(move[at + 1]) * ACTION_EACH
    block = move[at] * ACTION_LENGTHS
    length = 0
    start = 0
    if ACTION_CHOOSES:
        if action_paths[move[at]]:
            start = at + action_heads[move[at]] + 1
            length = move[start + 1]
            start = move[start]
            if length >= ACTION_LENGTHS:
                return -1
            block += length
    if ACTION_GAPS:
        if action_known[block] == 0:
            return -1
    number: i64 = action_first[block]
    k = block * ACTION_WORDS
    if ACTION_HEADS > 0:
        number += move[at + 1] * action_stride[k]
    if ACTION_HEADS > 1:
        number += move[at + 2] * action_stride[k + 1]
    if ACTION_HEADS > 2:
        for j in range(2, ACTION_HEADS):
            number += move[at + 1 + j] * action_stride[k + j]
    if ACTION_CHOOSES:
        for j in range(length):
            number += path[start + j] * action_stride[k + ACTION_HEADS + j]
    return number
