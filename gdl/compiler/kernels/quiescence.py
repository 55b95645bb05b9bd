"""What becomes of positions at the horizon of a search by windows, in kernel Python.

Without a word in the file, EVAL is taken there. Where the file says what quiet play keeps (`quiet:`, a number),
search goes on to quiet positions:

1. The one who moves may be content with EVAL (stand pat): it is the least that the position is worth to them.
2. They may also take an action that changes the number; the others are not looked at.
3. Where the number is none, they can't be content: all actions are followed.
4. A position is not even entered where to be content with EVAL is already too good for the one who moves.
5. FURTHER plies past the horizon EVAL is taken everywhere.

Sources: Shannon, Programming a computer for playing chess, 1950, section 3; Beal, A generalised quiescence search
algorithm, Artificial Intelligence 43, 1990.
"""

from __future__ import annotations

from gdl.compiler.lower.ends import RESTLESS

FURTHER = 16  # plies past the horizon at most; solvers.quiescence has the same

_CUT_OFF = '''
def stand(f: i32) -> None:
    """Nothing is searched past the horizon."""


def is_quiet(f: i32) -> i32:
    """Nothing is searched past the horizon."""
    return 0


def at_horizon(f: i32, at: i32) -> None:
    """A child at the horizon, which is the state, is worth EVAL."""
    child_rank[at] = -FAR
    back_up(f, f_side[f] * estimate(), 1, child_row[at], child_identity[at])
'''

_QUIESCENT = '''
RESTLESS = const({restless})
f_quiet = array(i64, FRAMES)  # what quiet play keeps


def stand(f: i32) -> None:
    """The frame lies at the horizon or past it: its mover may be content with EVAL, if the position is quiet."""
    f_quiet[f] = quiet()
    if f_quiet[f] == RESTLESS:
        return
    value = f_side[f] * estimate()
    f_best[f] = value
    f_open[f] = 1
    if value > f_alpha[f]:
        f_alpha[f] = value
    if value >= f_beta[f]:
        f_rows[f] = 0


def is_quiet(f: i32) -> i32:
    """Whether what has led from the frame, past the horizon, to the state is quiet play."""
    now: i64 = quiet()
    return f_quiet[f] != RESTLESS and (now == f_quiet[f] or now == RESTLESS)


def at_horizon(f: i32, at: i32) -> None:
    """A child at the horizon or past it, which is the state: whether it needs to be searched."""
    own = f_side[f] * estimate()
    content = own >= f_beta[f] if child_same[at] else own <= f_alpha[f]
    if f_left[f] == 1 - FURTHER or (content and quiet() != RESTLESS):
        child_rank[at] = -FAR
        back_up(f, own, 1, child_row[at], child_identity[at])
    else:
        child_rank[at] = own
'''


def kernel(quiescent: bool) -> str:
    """For `principal_variation`. With `quiescent` search goes on to quiet positions: the module has `quiet()`."""
    return _QUIESCENT.format(restless=RESTLESS) if quiescent else _CUT_OFF
