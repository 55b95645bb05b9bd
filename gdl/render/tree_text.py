"""A picture as lines of text, for terminals, files and screen readers."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.render.picture import Picture, PictureNode, labels
from gdl.render.picture.states import StatePicture

_DESCRIBED = 200  # nodes that a description tells one by one


def tree_text(picture: Picture) -> str:
    """The tree with box-drawing characters, one node a line; best actions are marked *, cuts are crossed."""
    head = [line for line in (picture.title, picture.caption) if line]
    return "\n".join([*head, "", *_lines(picture), *_sets(picture)]) + "\n"


def _lines(picture: Picture) -> Iterator[str]:
    stack = [(0, "", "")]  # node, what stands before its line and before those below it
    while stack:
        number, before, further = stack.pop()
        node = picture.nodes[number]
        yield f"{before}{_edge(node)}{node_text(picture, node)}"
        for line in node.lines:
            yield f"{further}{line}"
        for position, child in reversed(list(enumerate(node.children))):
            last = position == len(node.children) - 1
            crossed = picture.nodes[child].cut
            branch = ("└╳ " if last else "├╳ ") if crossed else ("└─ " if last else "├─ ")
            stack.append((child, further + branch, further + ("   " if last else "│  ")))


def _edge(node: PictureNode) -> str:
    """The label before a node, `a1: ` or `sunny 3/4: `; a number if the author gave no label, "" at the root."""
    if node.parent is None:
        return ""
    action = node.action or ("" if node.probability else str(node.path[-1] + 1))
    played = f"[{node.played}]" if node.played else ""
    return " ".join(part for part in (action, node.probability, played) if part) + ": "


def node_text(picture: Picture, node: PictureNode) -> str:
    """The line for a node: who moves, its name, its value, and the facts that search recorded."""
    board = "/".join("".join(row) for row in node.grid) if node.grid else ""
    said = (node.mover, node.name, board, labels.payoff(node), labels.value(picture, node))
    windows = labels.window(picture, node, "nodes") or labels.window(picture, node, "edges")
    folded = f"… {node.folded}" if node.folded else ""
    fate = "*" if node.principal or node.best else ""
    if node.cut or node.skipped:
        fate = picture.say("never looked at: {0}", node.cut) if node.cut else picture.say("skipped")
    parts = (" ".join(part for part in said if part), windows, folded, fate)
    return "  ".join(part for part in parts if part)


def _sets(picture: Picture) -> list[str]:
    """The information sets, each by the actions that lead to its nodes."""
    lines = []
    for group in picture.groups:
        where = " | ".join(_play(picture, member) for member in group.members)
        name = f" ({group.name})" if group.name else ""
        lines.append(picture.say("{0} cannot tell apart{1}: {2}", group.player, name, where))
    return ["", *lines] if lines else []


def _play(picture: Picture, number: int) -> str:
    """The actions from the root to a node."""
    actions: list[str] = []
    node = picture.nodes[number]
    while node.parent is not None:
        actions.append(node.action or str(node.path[-1] + 1))
        node = picture.nodes[node.parent]
    return " > ".join(reversed(actions)) or picture.say("the start")


def describe(picture: Picture) -> str:
    """The picture in words, for a reader who cannot see it."""
    size, ends = len(picture.nodes), sum(node.shape == "end" for node in picture.nodes)
    many, one = "A game tree of {0} nodes, {1} of them ends. Players: {2}.", "One node. Players: {2}."
    count = picture.say(many if size > 1 else one, f"{size:,}", f"{ends:,}", ", ".join(picture.players))
    told = [] if size > _DESCRIBED else [*_lines(picture), *_sets(picture)]
    return "\n".join([line for line in (count, picture.caption) if line] + told)


def states_text(states: StatePicture) -> str:
    """A state graph in words: a line per position, with its moves to others by number."""
    picture = states.picture
    lines = [line for line in (picture.title, picture.caption) if line] + [""]
    moves: dict[int, list[str]] = {}
    for link in states.links:
        mark = "*" if link.principal else "╳" if link.cut else ""
        moves.setdefault(link.source, []).append(f"{link.label} -> {link.target}{mark}")
    for number, node in enumerate(picture.nodes[:_DESCRIBED]):
        lines.append(f"{number:>4}  {node_text(picture, node)}")
        lines += [f"      {line}" for line in node.lines]
        lines += [f"      {'; '.join(moves[number])}"] if number in moves else []
    more = len(picture.nodes) - _DESCRIBED
    return "\n".join([*lines, *([f"… {more:,} more positions"] if more > 0 else [])]) + "\n"
