"""Between which numbers the value of an expression lies, as far as declared ranges say so: interval arithmetic.

Source: Moore, Interval Analysis, 1966.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from gdl.game import Bounds, Number, exact, tightest
from gdl.model import core
from gdl.model.domains import Range, Type
from gdl.model.games import RulesModel

Extent = tuple[Number, Number]  # the least number and the greatest
Pair = tuple[Number | None, Number | None]  # the same, as far as they are known

_MONOTONE: dict[str, Callable[[Number, Number], Number]] = {  # whose extremes lie at those of their operands
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: exact(Fraction(a) / b),
    "min": min,
    "max": max,
}


def utility_bounds(model: RulesModel) -> Bounds:
    """What the rules prove of every player's utilities at the ends, of which those that break a promise of the file are
    faults: the least and the greatest, None where it is not known."""
    extents = _Extents(model)
    return tuple(extents.of_player(player) for player in range(len(model.players)))


def estimate_bounds(model: RulesModel) -> Bounds:
    """The same of ends and evaluations."""
    extents = _Extents(model)
    return tuple(extents.of_player(player, estimated=True) for player in range(len(model.players)))


def unproved(model: RulesModel) -> tuple[Bounds, ...]:
    """For each terminal clause, what remains to be checked in play of the bounds that the file promises: those of each
    player's utility that the rules do not prove."""
    extents = _Extents(model)
    promised = model.bounds or ((None, None),) * len(model.players)
    return tuple(
        tuple(_left(bound, extents.of(utility)) for bound, utility in zip(promised, clause.utilities, strict=True))
        for clause in model.clauses
    )


def _left(bound: Pair, proved: Extent | None) -> Pair:
    low, high = bound
    if proved is None:
        return bound
    return None if low is None or proved[0] >= low else low, None if high is None or proved[1] <= high else high


def extent(model: RulesModel, expression: core.Expression) -> Extent | None:
    """What the rules prove of a number's expression: the least number and the greatest; None where nothing is known."""
    return _Extents(model).of(expression)


class _Extents:
    """Those of a game's expressions."""

    def __init__(self, model: RulesModel):
        self.model = model
        self._defined: dict[int, Extent | None] = {}

    def of_player(self, player: int, estimated: bool = False) -> Pair:
        """Of the player's utility at any end, or also of the evaluation of any state."""
        unknown: Pair = None, None
        promised = self.model.bounds[player] if self.model.bounds else unknown
        ends = [self.of(clause.utilities[player]) or unknown for clause in self.model.clauses]
        found = [pair for end in ends for pair in tightest((promised,), (end,))]
        if estimated:
            found.append(self.of_evaluation(player) or unknown)
        lows, highs = [low for low, _ in found if low is not None], [high for _, high in found if high is not None]
        least, most = min(lows, default=None), max(highs, default=None)
        return least if len(lows) == len(found) else None, most if len(highs) == len(found) else None

    def of_evaluation(self, player: int) -> Extent | None:
        """Of the player's sum of the features by their weights."""
        total: Extent | None = (0, 0)
        for feature in self.model.features:
            weight = feature.weight, feature.weight
            total = _combined("+", total, _combined("*", weight, self.of(feature.values[player])))
        return total

    def of(self, expression: core.Expression) -> Extent | None:
        """The extent of a number's expression; None where nothing is known."""
        match expression:
            case core.Const(value=int() | Fraction() as value) if not isinstance(value, bool):
                return value, value
            case core.Cell(place=place):
                return _declared(next(v.type for v in reversed(self.model.variables) if v.place <= place))
            case core.Element(variable=variable):
                return _declared(self.model.variables[variable].type)
            case core.CallDefinition(definition=definition):
                return self._of_definition(definition)
            case core.Scope(result=result):
                return self.of(result)
            case core.If(then=then, otherwise=otherwise):
                return _hull(self.of(then), self.of(otherwise))
            case core.Arithmetic(operator=operator, left=left, right=right):
                return _combined(operator, self.of(left), self.of(right))
        return None

    def _of_definition(self, number: int) -> Extent | None:
        if number not in self._defined:
            self._defined[number] = None  # for one that calls itself
            result = self.model.definitions[number].result
            self._defined[number] = None if result is None else self.of(result)
        return self._defined[number]


def _declared(type: Type | None) -> Extent | None:
    return (type.low, type.high) if isinstance(type, Range) else None


def _hull(a: Extent | None, b: Extent | None) -> Extent | None:
    return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))


def _combined(operator: str, a: Extent | None, b: Extent | None) -> Extent | None:
    if a is None or b is None or operator not in _MONOTONE or (operator == "/" and b[0] <= 0 <= b[1]):
        return None
    ends = [_MONOTONE[operator](x, y) for x, y in product(a, b)]
    return min(ends), max(ends)
