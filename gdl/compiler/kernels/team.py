"""Several searches of one position beside one another, each in a thread, over one table of transpositions.

Each goes on from where the search stood when the team began, and each by itself would find the answer; who is done
first, ends the others. What makes them share the work is the table, where each finds what others have searched, and
that they keep apart: an action that another thread is searching, some plies above the leaves, comes after those that
nobody is, for when its turn comes, the table will have it. Which actions these are is noted in a table in which one
overwrites another, and which may be read while it is written: it decides the order, never a value.

Source: Weill, The ABDADA distributed minimax search algorithm, ICCA Journal 19, 1996; simplified as by Tom Kerrigan,
Simplified ABDADA, 2017.
"""

from gdl.compiler.kernels.words import array, const, i32, i64, u8, vast

SHARED = const(0)  # set: whether there may be several
TEAM_NOTED = const(4096)  # positions that may be noted
TEAM_LEFT = const(3)  # plies that are left at the least where they keep apart,
TEAM_FIRST = const(12)  # or plies from the start, where nothing is cut off
TEAM_ENDLESS = const(100)  # more plies than are left where something is cut off
team_over = vast(u8, 1) if SHARED else array(u8, 1)  # whether one is done
team_noted = vast(i64, TEAM_NOTED) if SHARED else array(i64, 1)  # the hashes of positions that are being searched


def team_apart(ply: i32, left: i32) -> i32:
    """1 if threads keep apart among the actions of a position at this ply, with `left` plies left."""
    return ply < TEAM_FIRST if left > TEAM_ENDLESS else left >= TEAM_LEFT


def team_place(h: i64) -> i32:
    """The place where a position with this hash is noted."""
    return i32(h >> 36) & (TEAM_NOTED - 1)


def team_has(h: i64) -> i32:
    """Return 1 if a thread is searching the position with this hash."""
    return team_noted[team_place(h)] == h


def team_note(h: i64) -> None:
    """Note that a thread begins to search the position with this hash."""
    team_noted[team_place(h)] = h


def team_forget(h: i64) -> None:
    """Note that the position with this hash is no longer being searched."""
    if team_noted[team_place(h)] == h:
        team_noted[team_place(h)] = 0


def team_begin() -> None:
    """Begin a search: no thread is done, and no position is being searched."""
    team_over[0] = 0
    if SHARED:
        for k in range(TEAM_NOTED):
            team_noted[k] = 0
