"""Powers of e."""

from gdl.compiler.kernels.words import *


def power_of_e(x: f64) -> f64:
    """The power of e with the exponent x, which is not above 0."""
    if x < -40.0:
        return 0.0
    k = i32(0.5 - x * 1.4426950408889634)
    r = x + f64(k) * 0.6931471805599453
    series = 1.6059043836821613e-10 * r + 2.08767569878681e-09
    series = series * r + 2.505210838544172e-08
    series = series * r + 2.755731922398589e-07
    series = series * r + 2.7557319223985893e-06
    series = series * r + 2.48015873015873e-05
    series = series * r + 0.0001984126984126984
    series = series * r + 0.001388888888888889
    series = series * r + 0.008333333333333333
    series = series * r + 0.041666666666666664
    series = series * r + 0.16666666666666666
    series = series * r + 0.5
    series = series * r + 1.0
    series = series * r + 1.0
    return series / f64(bit(k))
