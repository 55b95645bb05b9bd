"""A layered drawing of a graph: every node on the level of its depth, neighbours near each other.

1. Order: sweeps down and up sort each level by the mean place of a node's neighbours on the level passed before
   (Sugiyama, Tagawa and Toda, Methods for visual understanding of hierarchical system structures, IEEE Transactions on
   Systems, Man and Cybernetics 11, 1981).
2. Places: in further sweeps each node moves as near to the mean of its neighbours as the others of its level allow.
   The least squares solution under given gaps is found by pooling neighbours that would overlap (Ayer, Brunk, Ewing,
   Reid and Silverman, An empirical distribution function for sampling with incomplete information, 1955).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

_SWEEPS = 8


def place_layers(
    levels: Sequence[int], links: Sequence[tuple[int, int]], widths: Sequence[float], gap: float
) -> list[float]:
    """The x of every node's centre; the leftmost edge of a node lies at 0. `levels` gives the level of each node, from
    0 without gaps, `links` are pairs of nodes; links within a level are ignored. `gap` is the least distance between
    neighbours."""
    rows: list[list[int]] = [[] for _ in range(max(levels) + 1)]
    for node, level in enumerate(levels):
        rows[level].append(node)
    up, down = _neighbours(levels, links)
    _sort(rows, up, down)
    xs = [0.0] * len(levels)
    for row in rows:
        _settle(row, xs, [0.0] * len(row), widths, gap)
    for sweep in range(_SWEEPS):
        for row in rows[1:] if sweep % 2 == 0 else rows[-2::-1]:
            near = up if sweep % 2 == 0 else down
            wanted = [_mean([xs[other] for other in near[node]], xs[node]) for node in row]
            _settle(row, xs, wanted, widths, gap)
    reach = min(x - width / 2 for x, width in zip(xs, widths, strict=True))
    return [x - reach for x in xs]


def _neighbours(levels: Sequence[int], links: Sequence[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    """For every node, the list of its neighbours on higher levels; and the same for lower levels."""
    up: list[list[int]] = [[] for _ in levels]
    down: list[list[int]] = [[] for _ in levels]
    for one, other in links:
        upper, lower = (one, other) if levels[one] < levels[other] else (other, one)
        if levels[upper] < levels[lower]:
            down[upper].append(lower)
            up[lower].append(upper)
    return up, down


def _sort(rows: list[list[int]], up: list[list[int]], down: list[list[int]]) -> None:
    """Order the nodes of every level, in place, by the mean rank of their neighbours on the level above or below, in
    turn."""
    rank = {node: float(place) for row in rows for place, node in enumerate(row)}
    for sweep in range(_SWEEPS):
        near = up if sweep % 2 == 0 else down
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = {node: _mean([rank[other] for other in near[node]], rank[node]) for node in row}
            row.sort(key=wanted.__getitem__)
            rank.update((node, float(place)) for place, node in enumerate(row))


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _settle(row: list[int], xs: list[float], wanted: list[float], widths: Sequence[float], gap: float) -> None:
    """Set `xs` for the nodes of a level, keeping their order, as near to the wanted places as widths and gap allow
    (least squares). `offsets[i]` is the least distance of node i from the first node; wanted places less their offsets
    must not decrease, so decreasing neighbours are pooled at their mean."""
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + (widths[left] + widths[right]) / 2 + gap)
    pools: list[tuple[float, int]] = []  # the mean of a pool, and its size
    for want, offset in zip(wanted, offsets, strict=True):
        mean, size = want - offset, 1
        while pools and pools[-1][0] > mean:
            before, count = pools.pop()
            mean, size = (before * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    places = [mean for mean, size in pools for _ in range(size)]
    for node, place, offset in zip(row, places, offsets, strict=True):
        xs[node] = place + offset
