"""Makes a picture from a state graph: equal positions are drawn once, level by level."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from gdl.errors import clean
from gdl.game import constant_sum, maximiser
from gdl.numbers import to_text, vector_text
from gdl.render.cut_text import SIGNS
from gdl.render.picture.build import title_of
from gdl.render.picture.picture_tree import Picture, PictureNode, Shape
from gdl.render.picture.position_faces import PositionFaces
from gdl.states.graph_game import Graph, name_list, ordered_edges

MAX_DRAWN_STATES = 150  # positions drawn when no depth is asked for
LIMIT = 2_000  # positions drawn when a depth is asked for
MOST_MOVES = 100_000  # of these together: so many that where each has thousands, few are looked at
_NAMED = 3  # actions told at an edge that stands for several


@dataclass(frozen=True, slots=True)
class Link:
    """All moves from one position to another."""

    source: int
    target: int
    label: str
    principal: bool = False
    best: bool = False
    cut: bool = False


@dataclass(frozen=True)
class StatePicture:
    """A state graph to be drawn: `picture` holds the positions (without parents or children), `levels` the level of
    each. A position stands below all that lead to it; if play can return to a position, each stands at the length of
    the shortest way there."""

    picture: Picture
    levels: tuple[int, ...]
    links: tuple[Link, ...]

    @property
    def is_tree(self) -> bool:
        """True if no position is reached in two ways."""
        return len({link.target for link in self.links}) == len(self.links) and all(
            self.levels[link.target] == self.levels[link.source] + 1 for link in self.links
        )


def state_picture(graph: Graph, *, depth: int | None = None, show: bool = True, caption: str = "") -> StatePicture:
    """The positions of a state graph (perhaps annotated) down to `depth`, or to where the levels would be too many;
    `show` says whether positions are drawn as boards or words."""
    numbers, depths = _levels(graph, depth)
    data = [graph.nodes[node] for node in numbers]
    players = name_list(graph.graph.get("players") or ())
    faces = PositionFaces([str(d.get("state") or "") for d in data] if show else [], words=False)
    opposed = _has_max_and_min(data, players)
    folds = [sum(edge.target not in numbers for edge in ordered_edges(graph, node)) for node in numbers]
    nodes = tuple(_draw_state(number, d, players, opposed, faces, folds[number]) for number, d in enumerate(data))
    title = title_of(str(graph.graph.get("name") or "game"))
    picture = Picture(title, tuple(map(clean, players)), nodes, caption=clean(caption))
    links = tuple(_links(graph, numbers))
    return StatePicture(picture, tuple(_longest_ways(links, depths)), links)


def _longest_ways(links: Sequence[Link], depths: list[int]) -> list[int]:
    """The length of the longest way to every position; if play can return to a position, `depths` as they are."""
    sorter = TopologicalSorter({node: set[int]() for node in range(len(depths))})
    for link in links:
        sorter.add(link.target, link.source)
    longest = [0] * len(depths)
    try:
        order = {node: place for place, node in enumerate(sorter.static_order())}
    except CycleError:
        return depths
    for link in sorted(links, key=lambda link: order[link.source]):
        longest[link.target] = max(longest[link.target], longest[link.source] + 1)
    return longest


def _levels(graph: Graph, depth: int | None) -> tuple[dict[Hashable, int], list[int]]:
    """The positions to draw, numbered breadth first, and their depths."""
    root = graph.graph.get("root")
    if root is None:
        root = next(iter(node for node in graph if graph.in_degree(node) == 0), next(iter(graph)))
    numbers: dict[Hashable, int] = {root: 0}
    depths = [0]
    level: list[Hashable] = [root]
    while level and (depth is None or depths[-1] < depth):
        fresh = dict.fromkeys(edge.target for node in level for edge in ordered_edges(graph, node))
        level = [node for node in fresh if node not in numbers]
        if len(numbers) + len(level) > (MAX_DRAWN_STATES if depth is None else LIMIT):
            break
        numbers |= {node: len(numbers) + place for place, node in enumerate(level)}
        depths += [depths[-1] + 1] * len(level)
    return numbers, depths


def _has_max_and_min(data: list[dict[str, Any]], players: tuple[str, ...]) -> bool:
    """True if the players can be drawn as MAX and MIN: one alone, or two whose utilities add up to 0 at every end, with
    nothing hidden."""
    if len(players) != 2:
        return len(players) == 1
    ends = [d["utilities"] for d in data if isinstance(d.get("utilities"), list | tuple)]
    hidden = any(isinstance(d.get("information_set"), dict) for d in data)
    return not hidden and all(len(end) == 2 and constant_sum([tuple(end)]) == 0 for end in ends)


def _draw_state(
    number: int, data: dict[str, Any], players: tuple[str, ...], opposed: bool, faces: PositionFaces, below: int
) -> PictureNode:
    grid, lines = faces[number]
    first = maximiser(players)
    mover = "everyone" if data.get("kind") == "simultaneous" else str(data.get("player") or "")
    value = None if data.get("unvisited") else data.get("returned", data.get("value"))
    return PictureNode(
        path=(number,) if number else (),
        parent=None,
        children=(),
        shape=_shape(data, mover, players, opposed),
        mover="chance" if data.get("kind") == "chance" else clean(mover),
        name=clean(str(data.get("label") or "")),
        grid=grid,
        lines=lines,
        payoff=_payoff(data.get("utilities"), opposed, first),
        value="" if value is None or "utilities" in data else _number(value, opposed, first),
        bound=SIGNS.get(str(data.get("bound")), "="),
        folded=f"{below} move{'s' * (below > 1)}" if below else "",
        principal=bool(data.get("principal")),
    )


def _shape(data: dict[str, Any], mover: str, players: tuple[str, ...], opposed: bool) -> Shape:
    if data.get("kind") == "terminal" or "utilities" in data:
        return "end"
    if data.get("kind") == "chance":
        return "chance"
    if not opposed or mover not in players:
        return "player"
    return "max" if mover == players[maximiser(players)] else "min"


def _payoff(utilities: Any, opposed: bool, first: int) -> tuple[str, ...]:
    if utilities is None:
        return ()
    if not isinstance(utilities, list | tuple):
        return (clean(to_text(utilities)),)
    return (to_text(utilities[first]),) if opposed else tuple(map(to_text, utilities))


def _number(value: Any, opposed: bool, first: int) -> str:
    if isinstance(value, list | tuple):
        return to_text(value[first]) if opposed and len(value) > first else vector_text(value)
    return to_text(value)


def _links(graph: Graph, numbers: dict[Hashable, int]) -> list[Link]:
    """The links between drawn positions; all moves between the same two positions are one link."""
    links = []
    for node, source in numbers.items():
        moves: dict[int, list[Any]] = {}
        for edge in ordered_edges(graph, node):
            if edge.target in numbers:
                moves.setdefault(numbers[edge.target], []).append(edge)
        for target, edges in moves.items():
            odds = [edge.data.get("probability") for edge in edges[:_NAMED]]
            names = [
                clean(e.action) + ("" if p is None else f" {to_text(p)}") for e, p in zip(edges, odds, strict=False)
            ]
            label = ", ".join([*names, *(["…"] if len(edges) > _NAMED else [])])
            principal = any(edge.data.get("principal") for edge in edges)
            best = any(edge.data.get("best") or edge.data.get("played") for edge in edges)
            cut = all(edge.data.get("cut") for edge in edges)
            links.append(Link(source, target, label, principal, best, cut))
    return links
