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
    stating = syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles | syntax.TerminalTest | syntax.Evaluation
    stated = syntax.descendants(*(section for section in sections.all if isinstance(section, stating)))
    return maximiser(model.players) if len(model.players) <= 2 and any(map(_has_single, stated)) else None


def changed_owner(model: Model, owner: int | None, sections: Sections) -> Iterator[Problem]:
    """A warning that single numbers belong to another player than in earlier releases, where only a player named
    exactly MAX, else the first one, got them."""
    before = model.players.index("MAX") if "MAX" in model.players else 0
    written = sections.last_of_kind(syntax.Players)
    if owner is None or owner == before or written is None:
        return
    was, now = clean(model.players[before]), clean(model.players[owner])
    help = f"name {now} first, or write vectors, to be read alike by all releases"
    told, roles = f"single numbers are what {now} gets", f"{now} maximises, {was} minimises"
    yield meaning_changed(told, written.span, f"they were what {was} got", roles, help)


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
