"""Trees and tables of other programs' files as the text of a game file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl import syntax
from gdl.formats.game_files import is_gambit

_WIDEST = 100  # blanks before a node; deeper trees stand in brackets, so that their text does not grow by the square


def explicit_text(description: syntax.Description) -> str | None:
    """The text of a game file with the game of one of Gambit's files; None for any other file."""
    if not is_gambit(description.span.source.text):
        return None
    return "".join(f"{line}\n" for section in description.sections for line in _lines(section))


def _lines(section: syntax.Section) -> Iterator[str]:
    match section:
        case syntax.Game():
            yield f"game {_quote_name(section.title)}"
        case syntax.Players():
            yield f"players {_name_list(section.names)}"
        case syntax.Tree():
            yield "tree"
            yield from _tree_lines(section.root)
        case syntax.Matrix():
            yield "matrix"
            yield f"    {' '.join(map(_quote_name, section.header))}"
            yield from (f"    {_quote_name(row.name)} {' '.join(map(_amounts, row.cells))}" for row in section.rows)
        case syntax.MatrixOfProfiles():
            yield "matrix"
            yield from (f"    {_name_list(line.actions)}: {_amounts(line.utilities)}" for line in section.profiles)


def _quote_name(word: syntax.Word) -> str:
    escaped = word.name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _name_list(words: Sequence[syntax.Word]) -> str:
    return ", ".join(map(_quote_name, words))


def _amounts(words: syntax.Word | tuple[syntax.Word, ...]) -> str:
    return words.text if isinstance(words, syntax.Word) else f"({', '.join(word.text for word in words)})"


def _tree_lines(root: syntax.LeafNode | syntax.InnerNode) -> Iterator[str]:
    """The nodes, one a line: indented, or in brackets where they are nested too deep for that."""
    nested = _height(root) > _WIDEST
    stack = [(root, 1, 0, "")]  # a node, its depth, how many brackets close behind it, and the comma behind them
    while stack:
        node, depth, closing, comma = stack.pop()
        label = "" if node.label is None else f"{_label(node.label)}: "
        before, behind = " " * min(depth, _WIDEST) + label, ")" * closing + comma
        if isinstance(node, syntax.LeafNode):
            yield f"{before}{_amounts(node.leaf.utilities)}{behind}"
            continue
        head = node.head
        mover = head.player.text if head.player.kind == "CHANCE" else _quote_name(head.player)
        known = "" if head.information_set is None else f" in {_quote_name(head.information_set)}"
        yield f"{before}{mover}{known}{' (' if nested else ''}"
        *others, last = node.children
        stack.append((last, depth + 1, closing + 1 if nested else 0, comma))
        stack += [(child, depth + 1, 0, "," if nested else "") for child in reversed(others)]


def _label(label: syntax.Label) -> str:
    return " ".join(word.text if word.kind == "NUMBER" else _quote_name(word) for word in label.parts)


def _height(root: syntax.LeafNode | syntax.InnerNode) -> int:
    """The number of nodes from the root to the deepest end, the root left out."""
    height, level = -1, [root]
    while level:
        height += 1
        level = [child for node in level if isinstance(node, syntax.InnerNode) for child in node.children]
    return height
