"""Texts of a picture at a node and at an edge, for the formats that are text themselves."""

from __future__ import annotations

from collections.abc import Mapping

from gdl.render.picture.picture_tree import Bounds, Picture, PictureNode, say

_ROOM = "____"  # room for a student to write on


def payoff(node: PictureNode) -> str:
    """The payoff at an end, `3` or `(1, 2, 6)`; "" at an inner node."""
    return node.payoff[0] if len(node.payoff) == 1 else f"({', '.join(node.payoff)})" if node.payoff else ""


def value(picture: Picture, node: PictureNode) -> str:
    """The value that search found, `<= 2`; in a blank picture, room to write one."""
    if picture.blank:
        return "" if node.shape == "end" else _ROOM
    return f"{node.bound} {node.value}" if node.value else ""


def window(picture: Picture, node: PictureNode, where: Bounds) -> str:
    """The window on entry, `(3, inf)`, at an inner node, if the picture shows windows at `where` ("nodes" or "edges");
    in a blank picture, room to write one; else ""."""
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
    """The lines of the position, as a board or in words."""
    return [" ".join(symbol or " " for symbol in row) for row in node.grid] if node.grid else list(node.lines)


def in_words(node: PictureNode, words: Mapping[str, str]) -> str:
    """All facts about a node in one line, in the language of `words`."""
    found = f"{node.bound} {node.value}" if node.value else ""
    known = say(words, "window ({0})", ", ".join(node.window)) if node.window else ""
    fate = say(words, "cut: {0}", node.cut) if node.cut else say(words, "skipped") if node.skipped else ""
    below = f"{node.folded} below" if node.folded else ""
    said = " ".join(part for part in (node.mover or say(words, "end"), node.name, payoff(node), found) if part)
    return ", ".join(part for part in (said, known, fate, below) if part)
