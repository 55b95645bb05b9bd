"""The player who gets the single numbers of a file: `-> 5`, a leaf `5`, a cell `5`, a feature of the evaluation."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import syntax
from gdl.checker.ends import is_vector
from gdl.checker.rules import Sections
from gdl.errors import Problem, clean, meaning_changed
from gdl.game import maximiser
from gdl.model.games import Model


def owner_of_numbers(model: Model, sections: Sections) -> int | None:
    """The player who gets a single number; None where the file has no single numbers, or more than two players."""
    single = any(_is_single(written) for section in sections.all for written in _amounts(section))
    return maximiser(model.players) if len(model.players) <= 2 and single else None


def changed_owner(model: Model, owner: int | None, sections: Sections) -> Iterator[Problem]:
    """A warning that single numbers belong to another player than in earlier releases, where only a player named
    exactly MAX, else the first one, got them."""
    before = model.players.index("MAX") if "MAX" in model.players else 0
    written = sections.last(syntax.Players)
    if owner is None or owner == before or written is None:
        return
    was, now = clean(model.players[before]), clean(model.players[owner])
    help = f"name {now} first, or write vectors, to be read alike by all releases"
    told, roles = f"single numbers are what {now} gets", f"{now} maximises, {was} minimises"
    yield meaning_changed(told, written.span, f"they were what {was} got", roles, help)


def _amounts(section: syntax.Syntax) -> Iterator[object]:
    """The utilities and evaluations that a section states."""
    match section:
        case syntax.Tree(root=root):
            yield from _of_tree(root)
        case syntax.Matrix(rows=rows):
            yield from (cell for row in rows for cell in row.cells)
        case syntax.MatrixOfProfiles(profiles=profiles):
            yield from (profile.utilities for profile in profiles)
        case syntax.TerminalTest(clauses=clauses):
            yield from (clause.outcome for clause in clauses)
        case syntax.Evaluation(lines=lines):
            yield from lines


def _of_tree(root: syntax.LeafNode | syntax.InnerNode) -> Iterator[object]:
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, syntax.LeafNode):
            yield node.leaf.utilities
        else:
            yield node.head.evaluation
            stack += node.children


def _is_single(written: object) -> bool:
    """True if a single number is written for two players, the second of whom gets the opposite."""
    if isinstance(written, syntax.Vector):
        return not is_vector(written.value)
    return isinstance(written, syntax.Word | syntax.Feature)
