"""Terminal clauses that never hold together, so that their order says nothing.

Shown by induction over play: not both at the start, and if neither held before a ply, not both after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.interpreter.closures import NO_ACTIONS
from gdl.interpreter.evaluator import Evaluator
from gdl.interpreter.rulebook import Rulebook
from gdl.interpreter.rules_game import State
from gdl.model.games import Clause, RulesModel
from gdl.symmetry.rule_paths import RulePath, RulePathWalker
from gdl.symmetry.symbolic_values import NotWritten
from gdl.symmetry.terms import TermsTooLarge, Truth

MOST_WORK = 3_000_000  # expressions and terms looked at,
MORE = 3  # and no more than so many times what the rules may still take

Plies = Sequence[tuple[int, RulePath]]  # every way to act, with its mover


def exclusive(paths: RulePathWalker, plies: Plies, start: State) -> set[tuple[int, int]]:
    """The pairs of clauses by which different players win, in their order, that never hold together in play."""
    winners = [clause.winner for clause in paths.model.clauses]
    pairs = [(i, j) for j, b in enumerate(winners) for i, a in enumerate(winners[:j]) if None not in (a, b) and a != b]
    if not pairs:
        return set()
    held = _at_start(paths.model, start)
    values = paths.values
    kept, values.left = values.left, min(MOST_WORK, MORE * values.left)
    try:
        return {(i, j) for i, j in pairs if not (held[i] and held[j]) and _apart(paths, plies, i, j)}
    except (NotWritten, TermsTooLarge):
        return set()
    finally:
        values.left = kept


def _at_start(model: RulesModel, start: State) -> list[bool]:
    """Which clauses hold at the start (those that ask for actions are not tried further)."""
    evaluator = Evaluator(model.variables, model.definitions, model.times)
    Rulebook(model, evaluator)  # which answers what players could do
    cells: list[Any] = list(start.cells)
    cells[NO_ACTIONS] = lambda: True
    return [bool(evaluator.value(clause.condition)(cells, [None] * clause.frame)) for clause in model.clauses]


def _apart(paths: RulePathWalker, plies: Plies, *numbers: int) -> bool:
    """Whether no ply leads from a position where neither clause holds to one where both do."""
    clauses = [paths.model.clauses[number] for number in numbers]
    every, negation = paths.values.every, paths.values.negation
    players = range(len(paths.model.players))
    before = [[_holds(paths, clause, mover) for clause in clauses] for mover in players]
    followers = players if any(held != before[0] for held in before) else players[:1]  # where it matters who moves
    for mover, way in plies:
        neither = [negation(held) for held in before[mover]]
        for following in followers:
            both = [paths.after(way, following, clause.condition, clause.frame) for clause in clauses]
            if every((way.open, *neither, *both)) is not False:
                return False
    return True


def _holds(paths: RulePathWalker, clause: Clause, mover: int) -> Truth:
    paths.position.mover = mover
    paths.expressions.forget(None)
    return paths.expressions.truth(clause.condition, [None] * clause.frame)
