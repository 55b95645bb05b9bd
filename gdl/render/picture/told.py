"""Texts of a picture at a node and at an edge, for the formats that are text themselves."""

from __future__ import annotations

from collections.abc import Mapping

from gdl.render.picture.picture_tree import Bounds, Picture, PictureNode, say

_ROOM = "____"  # for a student to write on


def payoff(node: PictureNode) -> str:
    """`3`, `(1, 2, 6)`; nothing at an inner node."""
    return node.payoff[0] if len(node.payoff) == 1 else f"({', '.join(node.payoff)})" if node.payoff else ""


def value(picture: Picture, node: PictureNode) -> str:
    """`<= 2`, or room to write it."""
    if picture.blank:
        return "" if node.shape == "end" else _ROOM
    return f"{node.bound} {node.value}" if node.value else ""


def window(picture: Picture, node: PictureNode, where: Bounds) -> str:
    """`(3, inf)` at an inner node, or room to write it, if windows are to stand there."""
    if picture.bounds != where or not node.children:
        return ""
    if picture.blank:
        return f"({_ROOM}, {_ROOM})"
    return "" if node.window is None else f"({', '.join(node.window)})"


def edge(picture: Picture, node: PictureNode) -> list[str]:
    """The lines at the edge above a node: action, probability, how often it is played, window."""
    played = f"p = {node.played}" if node.played else ""
    lines = [node.action, node.probability, played, window(picture, node, "edges")]
    return [] if node.parent is None else [line for line in lines if line]


def board(node: PictureNode) -> list[str]:
    """The position, as a board or in words."""
    return [" ".join(symbol or " " for symbol in row) for row in node.grid] if node.grid else list(node.lines)


def in_words(node: PictureNode, words: Mapping[str, str]) -> str:
    """Everything that is known of a node, in one line of these words."""
    found = f"{node.bound} {node.value}" if node.value else ""
    known = say(words, "window ({0})", ", ".join(node.window)) if node.window else ""
    fate = say(words, "cut: {0}", node.cut) if node.cut else say(words, "skipped") if node.skipped else ""
    below = f"{node.folded} below" if node.folded else ""
    said = " ".join(part for part in (node.mover or say(words, "end"), node.name, payoff(node), found) if part)
    return ", ".join(part for part in (said, known, fate, below) if part)
