"""Several searches of one position at the same time, each in a thread, with one transposition table.

Each goes on from where the search stood when the team began, and each by itself would find the answer; the first that
is done ends the others. They share the work by the table, where each finds what others have searched, and by keeping
apart: an action that another thread is searching, some plies above the leaves, is put after all that nobody searches,
for when its turn comes the table will have it. These positions are noted by their hashes in an array in which one note
may overwrite another, and which may be read while it is written: it decides the order, never a value.

Source: Weill, The ABDADA distributed minimax search algorithm, ICCA Journal 19, 1996; simplified as by Tom Kerrigan,
Simplified ABDADA, 2017.
"""

from gdl.compiler.kernels.words import array, const, i32, i64, u8, vast

SHARED = const(0)  # set: whether there may be several threads
TEAM_NOTED = const(4096)  # positions that may be noted, a power of two
TEAM_LEFT = const(3)  # threads keep apart with at least so many plies left,
TEAM_FIRST = const(12)  # or, where nothing is cut off, less than so many plies from the start
TEAM_ENDLESS = const(100)  # more plies left than that: nothing is cut off
team_over = vast(u8, 1) if SHARED else array(u8, 1)  # 1 if one thread is done
team_noted = vast(i64, TEAM_NOTED) if SHARED else array(i64, 1)  # the hashes of positions being searched; 0: free


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
