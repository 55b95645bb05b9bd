"""Ends are looked for only where the last action can have made one.

    row(Ann) -> win Ann; row(Bob) -> win Bob  →  after an action of Ann: row(Ann); after one of Bob: row(Bob)

1. A condition that only asks whether squares hold a player's men does not become true by what another player does who
   never puts such men down: a line, a connection or a man on the last row is made by its owner. This is found from the
   values that actions, and chance after them, write.
2. Where it cannot be shown that an action keeps a condition false, the condition is asked.
"""

from __future__ import annotations

from typing import Any

from gdl.analysis.dependence import Dependence
from gdl.errors import GameError
from gdl.interpreter.evaluator import Evaluator, function_before_play
from gdl.model import core
from gdl.model.games import RulesModel
from gdl.model.walk import inside

UNKNOWN = object()
Bound = dict[int, tuple[core.Expression, "Bound"]]  # slot -> the expression it stands for, and that one's own names


def note_possible_ends(model: RulesModel) -> RulesModel:
    """The model in which each clause of `terminal` has, for each player, its condition if that is to be asked after an
    action of that player, else None."""
    known = Dependence(model), Evaluator(model.variables, model.definitions, model.times)
    effects = [ActionEffects(model, *known, player) for player in range(len(model.players))]
    asked = [(c, [own.can_make(c.condition, {}) for own in effects]) for c in model.clauses]
    ends = (c.copy_with(after=tuple(c.condition if can else None for can in found)) for c, found in asked)
    return model.copy_with(clauses=tuple(ends))


class ActionEffects:
    """The changes that the actions of one player, and chance after them, can make to the state."""

    def __init__(self, model: RulesModel, dependence: Dependence, evaluator: Evaluator, player: int):
        self.model, self.dependence, self.evaluator, self.player = model, dependence, evaluator, player
        bodies = [rule.body for rule in (*model.actions, *model.chances, *filter(None, (model.follow_up,)))]
        bodies += [part.body for part in model.procedures]
        self.writes = [form for body in bodies for form in inside(body) if isinstance(form, core.Assign)]

    def can_make(self, e: Any, bound: Bound) -> bool:
        """True if an action of the player may make a condition true, or a set larger."""
        if not self._of_play(e, bound):
            return False
        match e:
            case core.Local() if e.slot in bound:
                return self.can_make(*bound[e.slot])
            case core.All() | core.Some():
                return any(self.can_make(part, bound) for part in e.parts)
            case core.Members():
                return self.can_make(e.set, bound)
            case core.Comparison(relation="=" | "!="):
                return self._changes(e.left, e.right, e.relation, bound) and self._changes(
                    e.right, e.left, e.relation, bound
                )
            case core.Quantifier(kind="exists" | "those"):
                return any(self.can_make(part, bound) for part in (e.domain, e.where, e.body) if part is not None)
            case core.Quantifier(kind="forall", where=None) if not self._of_play(e.domain, bound):
                return self.can_make(e.body, bound)
            case core.Reach():
                return self.can_make(e.start, bound) or (e.where is not None and self.can_make(e.where, bound))
            case core.CallDefinition() if not self.model.definitions[e.definition].recursive:
                inner: Bound = {slot: (argument, bound) for slot, argument in enumerate(e.arguments)}
                return self.can_make(self.model.definitions[e.definition].result, inner)
            case core.Scope():
                inner = dict(bound)
                for slot, value in e.lets:
                    inner = {**inner, slot: (value, inner)}
                return self.can_make(e.result, inner)
        return True

    def _of_play(self, e: Any, bound: Bound) -> bool:
        """True if a value depends on the state or on who moves, also through the names in `bound`."""
        facts = self.dependence.facts_of(e)
        return facts.state or facts.mover or any(self._of_play(*bound[slot]) for slot in facts.slots if slot in bound)

    def _changes(self, one: Any, other: Any, relation: str, bound: Bound) -> bool:
        """True if an action may give an element of an array the value `other` (relation `=`), or take it away (`!=`);
        also if `one` is no such element, or `other` is known only in play."""
        if not isinstance(one, core.Element) or any(self._of_play(part, bound) for part in (other, *one.indices)):
            return True
        value = self._constant(other, bound)
        written = [self._value_in_action(write.value) for write in self.writes if write.variable == one.variable]
        return any(UNKNOWN in (new, value) or (new == value) == (relation == "=") for new in written)

    def _constant(self, e: core.Expression, bound: Bound) -> Any:
        """The value of an expression that does not depend on play; UNKNOWN if a name in it goes through several
        values."""
        slots = sorted(self.dependence.facts_of(e).slots)
        if any(slot not in bound for slot in slots):
            return UNKNOWN
        values = [self._constant(*bound[slot]) for slot in slots]
        return UNKNOWN if UNKNOWN in values else self._value(e, slots, values)

    def _value_in_action(self, e: core.Expression) -> Any:
        """The value of an expression during an action of the player, if it depends on the player alone; else
        UNKNOWN."""
        facts = self.dependence.facts_of(e)
        return UNKNOWN if facts.state or facts.slots else self._value(e, [], [])

    def _value(self, e: core.Expression, slots: list[int], values: list[Any]) -> Any:
        """The value of an expression before play, given the values of these slots; UNKNOWN if that is a fault."""
        try:
            return function_before_play(self.evaluator, e, slots, True)(*values, self.player)
        except (GameError, TypeError):
            return UNKNOWN
