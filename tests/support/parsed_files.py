"""Python files of the project as trees: each is read and parsed once, whoever looks at it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tree_of(file: Path) -> ast.Module:
    """The tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """All statements inside, at any depth; expressions, which are most of a tree, hold none."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(block, part, ()):
            yield node
            yield from statements(node)


def all_nodes(file: Path) -> Iterator[ast.AST]:
    """All nodes of a file's tree, as `ast.walk` has them, in another order."""
    waiting: list[ast.AST] = [tree_of(file)]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            found = getattr(node, name, None)
            if isinstance(found, list):
                waiting += [part for part in found if isinstance(part, ast.AST)]
            elif isinstance(found, ast.AST) and not isinstance(found, ast.expr_context):
                waiting.append(found)
