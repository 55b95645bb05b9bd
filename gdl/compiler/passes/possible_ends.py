"""Ends are looked for only where the last action can have made one.

    row(Ann) -> win Ann; row(Bob) -> win Bob  →  after an action of Ann: row(Ann); after one of Bob: row(Bob)

1. A condition that only asks whether squares hold a player's men does not become true by what another player does who
   never puts such men down: a line, a connection or a man on the last row is made by its owner. This is found from the
   values that actions, and chance after them, write.
2. Of conditions joined by `or` those remain that an action of the player may have made true.

Where it cannot be shown that an action keeps a condition false, the condition is asked.
"""

from __future__ import annotations

from typing import Any

from gdl.analysis.dependence import Dependence
from gdl.errors import GameError
from gdl.interpreter.evaluator import Evaluator, function_before_play
from gdl.model import core
from gdl.model.games import RulesModel
from gdl.model.rewriting import substitute_form
from gdl.model.walk import inside

UNKNOWN = object()
Bound = dict[int, tuple[core.Expression, "Bound"]]  # slot -> the expression it stands for, and that one's own names


def note_possible_ends(model: RulesModel) -> RulesModel:
    """The model in which each clause of `terminal` has, for each player, the part of its condition that is to be asked
    after an action of that player."""
    known = Dependence(model), Evaluator(model.variables, model.definitions, model.times)
    effects = [ActionEffects(model, *known, player) for player in range(len(model.players))]
    ends = (c.copy_with(after=tuple(own.remaining_condition(c.condition) for own in effects)) for c in model.clauses)
    return model.copy_with(clauses=tuple(ends))


class ActionEffects:
    """The changes that the actions of one player, and chance after them, can make to the state."""

    def __init__(self, model: RulesModel, dependence: Dependence, evaluator: Evaluator, player: int):
        self.model, self.dependence, self.evaluator, self.player = model, dependence, evaluator, player
        bodies = [rule.body for rule in (*model.actions, *model.chances, *filter(None, (model.follow_up,)))]
        bodies += [part.body for part in model.procedures]
        self.writes = [form for body in bodies for form in inside(body) if isinstance(form, core.Assign)]

    def remaining_condition(self, e: core.Expression) -> core.Expression | None:
        """The part of a condition that is to be asked after an action of the player, if it was false before; None if it
        is still false."""
        if not self.can(e, {}, True):
            return None
        parts = self._expand_call(e)
        if not isinstance(parts, core.Some):
            return e
        left = [self.remaining_condition(part) for part in parts.parts]
        if None not in left:
            return e
        return core.Some(tuple(part for part in left if part is not None))

    def _expand_call(self, e: core.Expression) -> core.Expression:
        """The value of a definition in place of its call, if all arguments are constants; any other expression
        unchanged."""
        if isinstance(e, core.Scope) and not e.lets:
            return self._expand_call(e.result)
        if not isinstance(e, core.CallDefinition):
            return e
        definition = self.model.definitions[e.definition]
        if definition.recursive or not all(isinstance(argument, core.Const) for argument in e.arguments):
            return e
        result: Any = definition.result
        for slot, argument in enumerate(e.arguments):
            result = substitute_form(result, core.Local(slot), argument)
        return self._expand_call(result)

    def can(self, e: Any, bound: Bound, up: bool) -> bool:
        """True if an action of the player may make a condition true, or a set or count larger; with `up` false, if it
        may make the condition false, or the set or count smaller."""
        if not self._of_play(e, bound):
            return False
        match e:
            case core.Local() if e.slot in bound:
                return self.can(*bound[e.slot], up)
            case core.All() | core.Some():
                return any(self.can(part, bound, up) for part in e.parts)
            case core.Not():
                return self.can(e.operand, bound, not up)
            case core.Members():
                return self.can(e.set, bound, up)
            case core.Size():
                return self.can(e.operand, bound, up)
            case core.Element():
                return self._element(e, True, bound, up)
            case core.Comparison():
                return self._comparison(e, bound, up)
            case core.Contains() if not self._of_play(e.item, bound):
                return self.can(e.container, bound, up)
            case core.Quantifier() if e.kind in ("exists", "forall", "count", "those"):
                fewer = up if e.kind != "forall" else not up  # a forall becomes true when values leave its domain
                asked = self.can(e.domain, bound, fewer) or (e.where is not None and self.can(e.where, bound, fewer))
                return asked or self.can(e.body, bound, up)
            case core.Reach():
                return self.can(e.start, bound, up) or (e.where is not None and self.can(e.where, bound, up))
            case core.CallDefinition() if not self.model.definitions[e.definition].recursive:
                inner: Bound = {slot: (argument, bound) for slot, argument in enumerate(e.arguments)}
                return self.can(self.model.definitions[e.definition].result, inner, up)
            case core.Scope():
                inner = dict(bound)
                for slot, value in e.lets:
                    inner = {**inner, slot: (value, inner)}
                return self.can(e.result, inner, up)
            case core.If() if not self._of_play(e.condition, bound):
                return self.can(e.then, bound, up) or self.can(e.otherwise, bound, up)
        return True

    def _of_play(self, e: Any, bound: Bound) -> bool:
        """True if a value depends on the state or on who moves, also through the names in `bound`."""
        facts = self.dependence.of(e)
        return facts.state or facts.mover or any(self._of_play(*bound[slot]) for slot in facts.slots if slot in bound)

    def _comparison(self, e: core.Comparison, bound: Bound, up: bool) -> bool:
        """True if an action may make the comparison true (`up`) or false: an element compared with a value, or a count
        compared with a number."""
        for one, other, more in ((e.left, e.right, (">", ">=")), (e.right, e.left, ("<", "<="))):
            if self._of_play(other, bound):
                continue
            if e.relation in ("=", "!=") and isinstance(one, core.Element):
                return self._element(one, self._constant(other, bound), bound, up == (e.relation == "="))
            if e.relation in ("<", "<=", ">", ">=") and isinstance(one, core.Quantifier | core.Size):
                return self.can(one, bound, up == (e.relation in more))
        return True

    def _element(self, e: core.Element, value: Any, bound: Bound, gains: bool) -> bool:
        """True if an action may give the element this value (`gains`), or take it away."""
        if any(self._of_play(index, bound) for index in e.indices):
            return True
        at = [self._constant(index, bound) for index in e.indices]
        for write in self.writes:
            if write.variable != e.variable or self._apart(at, write):
                continue
            written = self._value_in_action(write.value)
            if UNKNOWN in (written, value) or (written == value) == gains:
                return True
        return False

    def _apart(self, at: list[Any], write: core.Assign) -> bool:
        """True if a write surely goes to another element than the one at these indices."""
        places = [self._value_in_action(index) for index in write.indices]
        return any(UNKNOWN not in (a, b) and a != b for a, b in zip(at, places, strict=True))

    def _constant(self, e: core.Expression, bound: Bound) -> Any:
        """The value of an expression that does not depend on play; UNKNOWN if a name in it goes through several
        values."""
        slots = sorted(self.dependence.of(e).slots)
        if any(slot not in bound for slot in slots):
            return UNKNOWN
        values = [self._constant(*bound[slot]) for slot in slots]
        return UNKNOWN if UNKNOWN in values else self._value(e, slots, values)

    def _value_in_action(self, e: core.Expression) -> Any:
        """The value of an expression during an action of the player, if it depends on the player alone; else
        UNKNOWN."""
        facts = self.dependence.of(e)
        return UNKNOWN if facts.state or facts.slots else self._value(e, [], [])

    def _value(self, e: core.Expression, slots: list[int], values: list[Any]) -> Any:
        """The value of an expression before play, given the values of these slots; UNKNOWN if that is a fault."""
        try:
            return function_before_play(self.evaluator, e, slots, True)(*values, self.player)
        except (GameError, TypeError):
            return UNKNOWN
