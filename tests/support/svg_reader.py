"""Reading a drawn SVG back, for tests: its nodes, edges, texts and boxes."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
Element = ElementTree.Element


def parsed(svg: str) -> Element:
    """The root element of an SVG text; fails if that is not well-formed."""
    return ElementTree.fromstring(svg)


def all_of(root: Element, name: str) -> Iterator[Element]:
    return root.iter(NAMESPACE + name)


def texts(root: Element) -> list[str]:
    """The texts of a picture in drawing order, without titles and descriptions."""
    return [element.text or "" for element in all_of(root, "text")]


def with_class(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name in (element.get("class") or "").split()]


def nodes(root: Element) -> dict[str, Element]:
    """The group of each node, by its path of child positions (`` for the root)."""
    return {group.get("data-path") or "": group for group in with_class(root, "node")}


def shapes(root: Element) -> dict[str, int]:
    """The number of nodes of each kind, such as max, min or chance."""
    counts: dict[str, int] = {}
    for group in nodes(root).values():
        kind = (group.get("class") or "").split()[1]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def struck(root: Element) -> set[str]:
    """The paths of the nodes whose edges are struck through."""
    return {path for element in root.iter() for path in (element.get("data-cut") or "").split()}


def edges(root: Element, kind: str) -> list[Element]:
    """The edges drawn as `kind`: plain, best, principal or skipped."""
    return [line for group in with_class(root, "edges") if kind in (group.get("class") or "") for line in group]


def box(group: Element) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a node's shape."""
    for child in group:
        tag = child.tag.removeprefix(NAMESPACE)
        if tag == "rect":
            x, y = float(child.get("x", 0)), float(child.get("y", 0))
            return x, y, x + float(child.get("width", 0)), y + float(child.get("height", 0))
        if tag == "circle":
            x, y, r = (float(child.get(name, 0)) for name in ("cx", "cy", "r"))
            return x - r, y - r, x + r, y + r
        if tag == "polygon":
            corners = [tuple(map(float, pair.split(","))) for pair in (child.get("points") or "").split()]
            xs, ys = zip(*corners, strict=True)
            return min(xs), min(ys), max(xs), max(ys)
    raise AssertionError("a node has a shape")


def size(root: Element) -> tuple[float, float]:
    return float(root.get("width", 0)), float(root.get("height", 0))
