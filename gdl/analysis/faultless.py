"""A proof that an expression can be worked out without a fault, in whatever state play has come to.

So it can be asked where the rules do not ask it: earlier, or of values of which something else is asked first. The
proof goes by declared types: between what numbers a value lies, and whether it may be none.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

from gdl.analysis.dependence import Dependence
from gdl.model import core
from gdl.model.domains import Named, Range, Type, bounds, ordinal_base, without_none
from gdl.model.games import RulesModel
from gdl.model.walk import parts

MOST_FORMS = 160  # of an expression that is looked at, with the definitions that it calls
_HARMLESS = (
    core.Const | core.Local | core.Mover | core.Cell | core.Not | core.All | core.Some | core.If | core.Lookup
    | core.Contains
)  # fmt: skip


class PossibleValues(NamedTuple):
    """The possible values of an expression: bounds of its number, and True if it may be `none`."""

    low: float = -inf
    high: float = inf
    none: bool = True


Known = Mapping[int, PossibleValues]  # of local names, by their slots


def values_of_type(type: Type) -> PossibleValues:
    """The possible values of a type."""
    return PossibleValues(*bounds(type)) if isinstance(without_none(type), Range | Named) else PossibleValues()


class Faultless:
    """Proofs for the expressions of one game."""

    def __init__(self, model: RulesModel, dependence: Dependence):
        self.model = model
        self.dependence = dependence

    def proves(self, e: core.Expression, known: Known) -> bool:
        """True if the expression is proved never to be a fault."""
        return self.dependence.facts_of(e).size <= MOST_FORMS and self._holds(e, known)

    def _holds(self, e: Any, known: Known) -> bool:
        if not all(self._holds(part, known) for part in parts(e)):
            return False
        match e:
            case core.Element(number, indices):
                variable = self.model.variables[number]
                rows = zip(map(ordinal_base, variable.indices), variable.extents, strict=True)
                found = [self._values(index, known) for index in indices]
                return all(low <= v.low and v.high < low + n for v, (low, n) in zip(found, rows, strict=True))
            case core.Comparison(relation, left, right):
                return relation in ("=", "!=") or not self._may_be_none(left, right, known=known)
            case core.Arithmetic("+" | "-" | "min" | "max", left, right):
                return not self._may_be_none(left, right, known=known)
            case core.CallDefinition(number, arguments):
                called = self.model.definitions[number]
                given = {slot: self._values(argument, known) for slot, argument in enumerate(arguments)}
                return not called.recursive and self._holds(called.result, given)
        return isinstance(e, _HARMLESS)

    def _may_be_none(self, *expressions: core.Expression, known: Known) -> bool:
        return any(self._values(e, known).none for e in expressions)

    def _values(self, e: core.Expression, known: Known) -> PossibleValues:
        """The possible values of an expression, as far as they are plain to see; else anything."""
        match e:
            case core.Const(int() as value):
                return PossibleValues(value, value, False)
            case core.Local(slot):
                return known.get(slot, PossibleValues())
            case core.Mover():
                return PossibleValues(0, len(self.model.players) - 1, False)
            case core.Cell(place):
                return values_of_type(next(v.type for v in self.model.variables if v.place == place))
            case core.Element(number, indices):
                held = values_of_type(self.model.variables[number].type)
                return held._replace(none=held.none or self._may_be_none(*indices, known=known))
        return PossibleValues(none=not isinstance(e, core.Arithmetic))
