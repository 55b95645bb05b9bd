"""The paths of bodies that choose: the options of each choice on the way, and the next path. It stands in the module
of every game that has such bodies."""

from gdl.compiler.kernels.game import *

odometer = array(i32, 4)  # words of the path that are fixed; levels; end of the options in use; 1 if the run is a trial
chosen = array(i64, PATH)  # the path: the words chosen so far
option = array(i64, OPTIONS)  # the options of all levels, one level after the other
level_at = array(i32, PATH)  # by level: where its choice stands in the path,
level_next = array(i32, PATH)  # its next option, the end of its options, and the words of an option,
level_end = array(i32, PATH)
level_width = array(i32, PATH)
level_index = array(i32, PATH)  # and the number of the chosen option
path = array(i64, PATHS)  # the paths of the listed rows, one after the other
paths_end = array(i32, 1)  # where the next path begins in that


def begin_path() -> None:
    """Begin with an empty path."""
    odometer[0] = 0
    odometer[1] = 0
    odometer[2] = 0
    odometer[3] = 1


def extend_path(at: i32, first: i32, top: i32, width: i32) -> None:
    """Begin a new level of the path with the options from `first` to `top`, and choose the first of them."""
    level = odometer[1]
    if at + width > PATH:
        trap(1)
    level_at[level] = at
    level_next[level] = first + width
    level_end[level] = top
    level_width[level] = width
    level_index[level] = 0
    odometer[1] = level + 1
    odometer[2] = top
    for k in range(width):
        chosen[at + k] = option[first + k]
    odometer[0] = at + width


def advance_path(levels: i32) -> i32:
    """Move on the last choice that has more options, above the first `levels`. Returns 0 when all paths have been
    tried."""
    while odometer[1] > levels:
        level = odometer[1] - 1
        after = level_next[level]
        if after < level_end[level]:
            at = level_at[level]
            width = level_width[level]
            for k in range(width):
                chosen[at + k] = option[after + k]
            level_next[level] = after + width
            level_index[level] += 1
            odometer[2] = level_end[level]
            odometer[0] = at + width
            return 1
        odometer[1] = level
    return 0


def keep_path() -> i32:
    """Keep the path of the run that has ended, and behind it the number of the option taken at each level. Returns
    where it begins in `path`."""
    start = paths_end[0]
    length = odometer[0]
    if start + length + odometer[1] > PATHS:
        trap(1)
    copy(path, start, chosen, 0, length)
    for level in range(odometer[1]):
        path[start + length + level] = level_index[level]
    paths_end[0] = start + length + odometer[1]
    return start


def follow_path(start: i32, length: i32) -> None:
    """Make the next run follow a kept path, which begins at `start` and has `length` words."""
    copy(chosen, 0, path, start, length)
    odometer[0] = length
    odometer[1] = 0
    odometer[2] = 0
    odometer[3] = 0
