"""The natural logarithm of whole numbers, by the same steps as `ln` of `gdl.solvers.mcts.uct_nodes`."""

from gdl.compiler.kernels.words import *


def natural_log(number: i64) -> f64:
    """The natural logarithm of a whole number above 0."""
    e = 64 - clz(number)
    m = f64(number) / f64(bit(e))
    if m < 0.7071067811865476:
        m = m * 2.0
        e -= 1
    s = (m - 1.0) / (m + 1.0)
    square = s * s
    series = 0.0
    series = series * square + 0.047619047619047616
    series = series * square + 0.05263157894736842
    series = series * square + 0.058823529411764705
    series = series * square + 0.06666666666666667
    series = series * square + 0.07692307692307693
    series = series * square + 0.09090909090909091
    series = series * square + 0.1111111111111111
    series = series * square + 0.14285714285714285
    series = series * square + 0.2
    series = series * square + 0.3333333333333333
    series = series * square + 1.0
    return f64(e) * 0.6931471805599453 + 2.0 * s * series
