"""The lines that join the nodes of an information set. They run in lanes of their own below the level, between runs of
neighbouring nodes, so that sets which cross stay apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gdl.render.picture import Picture

LANE = 8.0  # distance between lanes, and from the lowest node to the first lane


@dataclass(frozen=True, slots=True)
class Strand:
    """How the members of one information set are joined: runs of neighbours from left to right, and the lane in which
    the lines between the runs lie."""

    runs: tuple[tuple[int, ...], ...]
    level: int  # the level below which the lines run
    lane: int


def strands(picture: Picture, levels: Sequence[int], xs: Sequence[float]) -> list[Strand]:
    """A strand for each group of the picture, in the order of the groups."""
    rank = _ranks(levels, xs)
    taken: dict[int, list[float]] = {}  # level -> how far right each of its lanes is in use
    found: dict[int, Strand] = {}
    leftmost = [min(xs[member] for member in group.members) for group in picture.groups]
    for at in sorted(range(len(picture.groups)), key=lambda at: (leftmost[at], at)):
        members = sorted(picture.groups[at].members, key=lambda member: (xs[member], member))
        runs = _runs(members, levels, rank)
        level = max(levels[member] for member in members)
        lane = 0 if len(runs) == 1 else _free(taken.setdefault(level, []), leftmost[at], xs[members[-1]])
        found[at] = Strand(tuple(map(tuple, runs)), level, lane)
    return [found[at] for at in range(len(picture.groups))]


def _ranks(levels: Sequence[int], xs: Sequence[float]) -> list[int]:
    """The position of every node on its level, counted from the left."""
    ranks, used = [0] * len(xs), [0] * (max(levels) + 1)
    for node in sorted(range(len(xs)), key=xs.__getitem__):
        ranks[node] = used[levels[node]]
        used[levels[node]] += 1
    return ranks


def _runs(members: list[int], levels: Sequence[int], rank: list[int]) -> list[list[int]]:
    """The members of an information set, grouped into runs of direct neighbours on a level."""
    runs = [[members[0]]]
    for before, after in pairwise(members):
        if levels[before] == levels[after] and rank[after] == rank[before] + 1:
            runs[-1].append(after)
        else:
            runs.append([after])
    return runs


def _free(lanes: list[float], start: float, end: float) -> int:
    """The first lane that is unused from `start` on; its entry in `lanes`, how far right it is in use, becomes
    `end`."""
    lane = next((lane for lane, used in enumerate(lanes) if used < start), len(lanes))
    lanes[lane : lane + 1] = [end]
    return lane


def lane_room(found: Sequence[Strand], levels: int) -> list[float]:
    """The height that lanes take below each level."""
    room = [0.0] * levels
    for strand in found:
        if len(strand.runs) > 1:
            room[strand.level] = max(room[strand.level], LANE * (strand.lane + 1))
    return room
