"""The positions of an unfolded game numbered anew, so that each stands before those that follow it (Kahn 1962).

Information sets are numbered by their first positions. A position that was met but not expanded has nothing behind it.
"""

from gdl.compiler.kernels.nodes import *
from gdl.compiler.kernels.words import *
from gdl.wings.hidden.kernels.unfold import *

UNOPENED = const(4)  # the kind of a position that has not been expanded

new_number = array(i32, POSITIONS)  # of each position; before that, how many links to it are left
old_number = array(i32, POSITIONS)  # by new number
new_set = array(i32, POSITIONS)  # by information set: its new number; -1: none yet
old_set = array(i32, POSITIONS)  # by new number
# As `position_kind`, `position_note`, `position_link` and `link` of unfold.py, by the new numbers:
flat_kind = array(u8, POSITIONS)
flat_note = array(i32, POSITIONS)
flat_link = array(i32, POSITIONS + 1)
flat_to = array(i32, LINKS)


def unfold_order() -> None:
    """Renumber all positions so that each comes before those that follow it, and the sets by their first positions."""
    count = i32(unfolded[COUNT])
    for n in range(i32(unfolded[EXPANDED]), count):
        position_kind[n] = UNOPENED
        position_link[n] = i32(unfolded[LINKED])
    position_link[count] = i32(unfolded[LINKED])
    for n in range(count):
        # The array holds the links left first and the new number later, so one array does for both.
        new_number[n] = 0
    for e in range(i32(unfolded[LINKED])):
        new_number[link[e]] += 1
    end = 0
    for n in range(count):
        # The first positions: nothing leads to them.
        if new_number[n] == 0:
            old_number[end] = n
            end += 1
    at = 0
    while at < end:
        n = old_number[at]
        for e in range(position_link[n], position_link[n + 1]):
            new_number[link[e]] -= 1
            if new_number[link[e]] == 0:
                old_number[end] = link[e]
                end += 1
        at += 1
    unfolded[ORDERED] = end
    # Fewer where play can come back to a position: those on a circle, and behind it, always wait for one more link.
    if end == count:
        for i in range(count):
            new_number[old_number[i]] = i
        renumber(count)


def renumber(count: i32) -> None:
    """Write the kinds, notes and links of all positions into the `flat_` arrays, in the order of their new numbers."""
    for h in range(i32(unfolded[SETS])):
        new_set[h] = -1
    sets = 0
    linked = 0
    for i in range(count):
        n = old_number[i]
        flat_kind[i] = position_kind[n]
        flat_link[i] = linked
        for e in range(position_link[n], position_link[n + 1]):
            flat_to[linked] = new_number[link[e]]
            linked += 1
        note = position_note[n]
        if position_kind[n] == DECISION:
            if new_set[note] < 0:
                new_set[note] = sets
                old_set[sets] = note
                sets += 1
            note = new_set[note]
        flat_note[i] = note
    flat_link[count] = linked
