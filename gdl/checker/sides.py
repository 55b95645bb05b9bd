"""The player who gets the single numbers of a file: `-> 5`, a leaf `5`, a cell `5`, a feature of the evaluation."""

from __future__ import annotations

from gdl import syntax
from gdl.checker.ends import is_vector
from gdl.checker.rules import Sections
from gdl.game import maximiser
from gdl.model.games import Model


def owner_of_numbers(model: Model, sections: Sections) -> int | None:
    """The player who gets a single number; None where the file has no single numbers, or more than two players."""
    stating = syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles | syntax.TerminalTest | syntax.Evaluation
    stated = syntax.descendants(*(section for section in sections.all if isinstance(section, stating)))
    return maximiser(model.players) if len(model.players) <= 2 and any(map(_has_single, stated)) else None


def _has_single(part: syntax.Syntax) -> bool:
    """True if a part of the file states a single number for two players, the second of whom gets the opposite."""
    match part:
        case syntax.Leaf(utilities=stated) | syntax.MatrixProfile(utilities=stated) | syntax.Inner(evaluation=stated):
            return isinstance(stated, syntax.Word)
        case syntax.Row(cells=cells):
            return any(isinstance(cell, syntax.Word) for cell in cells)
        case syntax.Vector(value=value):
            return not is_vector(value)
    return isinstance(part, syntax.Feature)
