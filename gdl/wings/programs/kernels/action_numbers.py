"""The numbers of actions, as `gdl.wings.programs.numbering` counts them, computed from the rows of a listing.

The number of a row is that of its rule's first action plus the sum of the row's words, each times its stride. The
search fills the tables.
"""

from gdl.compiler.kernels.game import *

ACTION_CHOOSES = const(0)  # set: whether any body chooses
ACTION_RULES = const(1)  # set: rules of actions
ACTION_LENGTHS = const(1)  # set: 1 + the most words that a body chooses whose actions have numbers here
ACTION_HEADS = const(1)  # set: the most words of a head
ACTION_WORDS = const(1)  # set: ACTION_HEADS and the most words that bodies choose
ACTION_GAPS = const(1)  # set: whether some actions have no numbers here
ACTION_ONLY = const(0)  # set: whether the only rule has one word, and all its actions have numbers; then also
ACTION_FROM = const(0)  # set: the number where that word is 0
ACTION_EACH = const(0)  # set: the stride of that word
action_heads = array(i32, ACTION_RULES)  # by rule: words of its head
action_paths = array(u8, ACTION_RULES)  # by rule: whether its body chooses
action_known = array(u8, ACTION_RULES * ACTION_LENGTHS)  # by rule and words chosen: whether they have numbers
action_first = array(i64, ACTION_RULES * ACTION_LENGTHS)  # by the same: the number of the action whose words are all 0
action_stride = array(i64, ACTION_RULES * ACTION_LENGTHS * ACTION_WORDS)  # by the same and word: its stride


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
