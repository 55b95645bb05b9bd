"""Convex polygons in fractions, by their corners against the clock: one corner is a point, two are a segment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, gcd, hypot
from typing import Any

Point = tuple[Fraction, Fraction]
Normal = tuple[int, int]  # the direction in which a polygon is bounded

GRAIN = 2**40  # bounds that are rounded are multiples of 1 / GRAIN
SHORT = 10**9  # denominators up to which corners stay as they are
STEEP = 1_000  # the greatest number in the normal of a side that is rounded
NORMALS = tuple((a, b) for a in range(-2, 3) for b in range(-2, 3) if gcd(a, b) == 1)


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """The corners of the smallest polygon that holds the points (Andrew 1979)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    found: list[Point] = []
    for row in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for point in row:
            while len(chain) > 1 and not _turns_left(chain[-2], chain[-1], point):
                chain.pop()
            chain.append(point)
        found += chain[:-1]
    return found


def _turns_left(a: Point, b: Point, c: Point) -> bool:
    """True if the way from a over b to c turns to the left: in floating point where that is sure, else exactly."""
    p, q, r, s, t, u = map(float, (*a, *b, *c))
    about = (r - p) * (u - q) - (s - q) * (t - p)
    sure = 1e-13 * max(abs(p), abs(q), abs(r), abs(s), abs(t), abs(u)) ** 2  # a hundred times the error
    return about > 0 if abs(about) > sure else _turn_at(a, b, c) > 0


def _turn_at(a: Point, b: Point, c: Point) -> Fraction:
    """Above 0 where the way from a over b to c turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def sides_of(polygon: Sequence[Any]) -> Iterable[tuple[Any, Any]]:
    """The pairs of neighbours on a round, such as corners; of one it with itself."""
    return zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)


def dot_product(normal: Sequence[Fraction | int], point: Point) -> Fraction:
    return normal[0] * point[0] + normal[1] * point[1]


def cut_off(polygon: Sequence[Point], normal: Normal, most: Fraction) -> list[Point]:
    """The part of a polygon in which the normal times the point is at most that."""
    above = [dot_product(normal, point) - most for point in polygon]
    if not any(one > 0 for one in above):
        return list(polygon)
    kept = []
    for (a, b), (over, other) in zip(sides_of(polygon), sides_of(above), strict=True):
        if over <= 0:
            kept.append(a)
        if over * other < 0:
            share = over / (over - other)
            kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
    return list(dict.fromkeys(kept))


def holds_point(polygon: Sequence[Point], point: Point) -> bool:
    """True if the point lies in the polygon."""
    if len(polygon) < 3:
        low, high = polygon[0], polygon[-1]
        return _turn_at(low, high, point) == 0 and low <= point <= high
    return all(_turn_at(a, b, point) >= 0 for a, b in sides_of(polygon))


def sum_of(parts: Iterable[tuple[Fraction, Sequence[Point]]]) -> list[Point]:
    """All sums of a point of each polygon times its weight."""
    total: list[Point] = [(Fraction(0), Fraction(0))]
    for weight, polygon in parts:
        total = convex_hull((a[0] + weight * b[0], a[1] + weight * b[1]) for a in total for b in polygon)
    return total


def rounded_out(polygon: Sequence[Point]) -> list[Point]:
    """A polygon of shorter numbers around the polygon; the same if its numbers are short."""
    if all(number.denominator <= SHORT for point in polygon for number in point):
        return list(polygon)
    normals = {*NORMALS, *(_near_normal(a, b) for a, b in sides_of(polygon) if a != b)}
    bounds = {one: Fraction(ceil(GRAIN * _greatest_product(one, polygon)), GRAIN) for one in normals}
    low, high = ((-bounds[-1, 0], -bounds[0, -1]), (bounds[1, 0], bounds[0, 1]))
    found = convex_hull([low, (high[0], low[1]), high, (low[0], high[1])])
    for normal, most in bounds.items():
        found = cut_off(found, normal, most)
    return convex_hull(found)


def _greatest_product(normal: Normal, polygon: Sequence[Point]) -> Fraction:
    """The most that a point of the polygon has in a direction; only what floats leave open is worked out."""
    about = [normal[0] * float(x) + normal[1] * float(y) for x, y in polygon]
    least = max(about) - 1e-9 * max(map(abs, about))
    return max(dot_product(normal, point) for point, near in zip(polygon, about, strict=True) if near >= least)


def _near_normal(a: Point, b: Point) -> Normal:
    """The outward normal of a side, exactly or nearly so."""
    along, up = b[1] - a[1], a[0] - b[0]
    most = max(abs(along), abs(up))
    ratio = (min(abs(along), abs(up)) / most).limit_denominator(STEEP)
    sizes = (ratio.denominator, ratio.numerator) if abs(along) == most else (ratio.numerator, ratio.denominator)
    return (sizes[0] if along > 0 else -sizes[0], sizes[1] if up > 0 else -sizes[1])


def distance_between(inner: Sequence[Point], outer: Sequence[Point]) -> float:
    """How far the farthest corner of a polygon lies from one within it, in floating point; 0 only where they are the
    same."""
    known, within = set(inner), [(float(x), float(y)) for x, y in inner]
    far = [min(_distance_to(a, b, float(x), float(y)) for a, b in sides_of(within)) for x, y in set(outer) - known]
    return max(far, default=0.0) or (1e-15 if far else 0.0)


def _distance_to(a: tuple[float, float], b: tuple[float, float], x: float, y: float) -> float:
    """How far a point lies from a side."""
    along, up = b[0] - a[0], b[1] - a[1]
    by = min(1.0, max(0.0, (along * (x - a[0]) + up * (y - a[1])) / (along**2 + up**2 or 1.0)))
    return hypot(a[0] + by * along - x, a[1] + by * up - y)
