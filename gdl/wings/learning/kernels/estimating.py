"""The evaluation of a game that was learned: `evaluate()` as every game's module has it."""

from gdl.compiler.kernels.game import PLAYERS, util
from gdl.compiler.kernels.words import *
from gdl.wings.learning.kernels.cells import estimate_cells
from gdl.wings.learning.kernels.estimates import *


def evaluate() -> None:
    """Write the evaluation of the present state for each player into `util`, as numerators over
    EVALUATION_DENOMINATOR."""
    estimate_cells()
    side = estimate_side()
    for output in range(ESTIMATE_OUTPUTS):
        util[output] = i32(estimate_worth(estimate_sum(side, output)) * f64(ESTIMATE_OVER))
    if ESTIMATE_OUTPUTS < PLAYERS:
        util[PLAYERS - 1] = ESTIMATE_WHOLE - util[0]
