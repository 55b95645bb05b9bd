"""A game in which something else is worth playing for: a condition, or a kind of end, in place of the utilities.

Play is over, and worth 1 to those who want it, where the condition holds, or at an end of that kind; at every other end
it is worth -1 to them, and so is play that never ends. The others get the opposite. All that engines and solvers know
of games then answers what players can force: the value is 1 where they can, and else twice the probability less 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, Literal

from gdl.game import Number, Utility, require_number
from gdl.model import core
from gdl.model.domains import Range
from gdl.model.games import Clause, MatrixModel, Rule, RulesModel, TreeModel, TreeNode
from gdl.model.rewriting import add_variable, change_bodies, replace_forms
from gdl.record import Record

EndKind = Literal["condition", "WIN", "LOSE", "DRAW", "END"]


class Objective(Record):
    """The goal of a question: the first clause of the rules (`condition`), or ends of a kind that `player` wins or
    loses, `within` a number of plies (None: at any time)."""

    kind: EndKind
    player: int | None = None
    within: int | None = None


def is_reached(objective: Objective, utilities: Sequence[Utility]) -> bool:
    """True if an end with these utilities is of the objective's kind. A player wins by getting more than everybody
    else, and loses by getting less than somebody else; a lone player wins above 0 and loses below."""
    paid = [require_number(utility) for utility in utilities] if objective.kind != "END" else []
    compared, together = _comparisons(objective, paid, 0)
    found = (core.COMPARED[relation](one, other) for relation, one, other in compared)
    return all(found) if together else any(found)


def _comparisons(objective: Objective, paid: list[Any], zero: Any) -> tuple[list[tuple[str, Any, Any]], bool]:
    """The comparisons of what is paid that say whether an objective is reached; True if all must hold, False if one is
    enough."""
    if objective.kind == "END":
        return [], True
    player = 0 if objective.kind == "DRAW" else objective.player
    assert player is not None
    others = [*paid[:player], *paid[player + 1 :]] or [zero]
    relation = {"DRAW": "=", "WIN": ">"}.get(objective.kind, "<")
    return [(relation, paid[player], other) for other in others], relation != "<"


def _reached_expression(objective: Objective, clause: Clause) -> core.Expression:
    """The condition, as an expression, that the utilities of a terminal clause reach the objective."""
    if objective.kind == "END":
        return core.Const(True)
    compared, together = _comparisons(objective, list(clause.utilities), core.Const(0))
    parts = tuple(core.Comparison(*one, clause.span) for one in compared)
    return core.All(parts) if together else core.Some(parts)


def with_objective(
    model: RulesModel | TreeModel | MatrixModel, objective: Objective, wanting: frozenset[int]
) -> RulesModel | TreeModel | MatrixModel:
    """The game in which some players win if the objective is reached, and all others win if it is not."""
    won = tuple(1 if player in wanting else -1 for player in range(len(model.players)))
    lost = tuple(-number for number in won)

    def worth(utilities: Sequence[Utility]) -> tuple[Number, ...]:
        return won if is_reached(objective, utilities) else lost

    if isinstance(model, TreeModel):
        return model.copy_with(nodes=tuple(map(_node_with(worth), model.nodes)), bounds=None, numbers_of=None)
    if isinstance(model, MatrixModel):
        return model.copy_with(utilities={j: worth(u) for j, u in model.utilities.items()}, numbers_of=None)
    return _rules_with(model, objective, won, lost)


def _node_with(worth: Callable[[Sequence[Utility]], tuple[Number, ...]]) -> Callable[[TreeNode], TreeNode]:
    def change_node(node: TreeNode) -> TreeNode:
        paid = worth(node.utilities) if node.kind == "terminal" else ()
        return node.copy_with(utilities=paid, evaluation=None, bounds=None)

    return change_node


def _rules_with(
    model: RulesModel, objective: Objective, won: tuple[Number, ...], lost: tuple[Number, ...]
) -> RulesModel:
    total = sum(won) if sum(won) == sum(lost) else None

    def paying(paid: tuple[Number, ...]) -> Any:
        return tuple(map(core.Const, paid))

    def reaching(clause: Clause) -> Clause:
        reached = _reached_expression(objective, clause)
        both = tuple(core.If(reached, core.Const(a), core.Const(b)) for a, b in zip(won, lost, strict=True))
        return clause.copy_with(utilities=both, sum=total, winner=None)

    def ending(clause: Clause, paid: tuple[Number, ...]) -> Clause:
        return clause.copy_with(utilities=paying(paid), sum=total, winner=None)

    if objective.kind == "condition":
        first, *rest = model.clauses
        clauses = [ending(first, won), *(ending(clause, lost) for clause in rest)]
    else:
        clauses = [reaching(clause) for clause in model.clauses]
    model = change_bodies(model, lambda body: replace_forms(body, lambda f: () if isinstance(f, core.Reward) else None))
    if objective.within is not None:
        model, late = _counting_plies(model, objective.within)
        clauses.append(Clause(late, paying(lost), total, None, 0, clauses[0].span))
    return model.copy_with(
        clauses=tuple(clauses), forever=lost, features=(), quiet=None, bounds=None, rewards=False, discount=1,
        unit=None, learned=None, numbers_of=None, average=False,
    )  # fmt: skip


def _counting_plies(model: RulesModel, most: int) -> tuple[RulesModel, core.Expression]:
    """The model with a variable that counts plies up to `most`, and the condition that it has reached `most`."""
    span = model.clauses[0].span
    wider, index = add_variable(model, "plies", (), Range(0, most + 1), (0,), span)  # more in a trial
    count = core.Cell(wider.variables[index].place)
    step = core.Assign(index, (), core.Arithmetic("+", count, core.Const(1), span), span)

    def count_ply(rule: Rule) -> Rule:
        # What is required before all else is asked while actions are listed, and stays at the beginning.
        opening = tuple(takewhile(lambda s: isinstance(s, core.Let | core.Require), rule.body))
        return rule.copy_with(body=(*opening, step, *rule.body[len(opening) :]))

    rules = {kind: tuple(map(count_ply, getattr(wider, kind))) for kind in ("actions", "chances")}
    return wider.copy_with(**rules), core.Comparison("=", count, core.Const(most), span)
