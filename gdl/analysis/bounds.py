"""Bounds of the values of expressions and of utilities, as far as the declared ranges prove them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import inf
from types import MappingProxyType

from gdl.errors.limits import NUMBER
from gdl.game import Bounds, Number
from gdl.model import core
from gdl.model.domains import Optional, Range, Type
from gdl.model.games import RulesModel
from gdl.model.intervals import combine_intervals

Extent = tuple[Number, Number]  # the least number and the greatest
Pair = tuple[Number | None, Number | None]  # the same, as far as they are known
Span = tuple[Number | float, Number | float]  # the same, where an end that is not known lies infinitely far
UNKNOWN: Span = -inf, inf


def utility_bounds(model: RulesModel) -> Bounds:
    """The least and the greatest utility of each player at the ends, as far as the rules prove them; None where one is
    not known. Ends that break a promise of the file are faults, and count for nothing here."""
    extents = _Extents(model)
    return tuple(_finite_ends(extents.of_player(player)) for player in range(len(model.players)))


def estimate_bounds(model: RulesModel) -> Bounds:
    """The least and the greatest number of each player over ends and evaluations; None where one is not known."""
    extents = _Extents(model)
    return tuple(_finite_ends(extents.of_player(player, estimated=True)) for player in range(len(model.players)))


def unproved_bounds(model: RulesModel) -> tuple[Bounds, ...]:
    """For each terminal clause the bounds of each player's utility that the file promises and the rules do not prove;
    they remain to be checked in play."""
    extents = _Extents(model)
    promised = model.bounds or ((None, None),) * len(model.players)
    return tuple(
        tuple(
            _unproved_part(bound, extents.extent_of(utility))
            for bound, utility in zip(promised, clause.utilities, strict=True)
        )
        for clause in model.clauses
    )


def _unproved_part(bound: Pair, proved: Span) -> Pair:
    (low, high), (least, most) = bound, proved
    return None if low is None or low <= least else low, None if high is None or most <= high else high


def extent(model: RulesModel, expression: core.Expression) -> Extent | None:
    """The least and the greatest value of a number's expression, as far as the rules prove them; None where one is not
    known."""
    least, most = _finite_ends(_Extents(model).extent_of(expression))
    return None if least is None or most is None else (least, most)


class _Extents:
    """Finds the intervals in which the values of a game's expressions lie."""

    def __init__(self, model: RulesModel):
        self.model = model
        self._defined: dict[int, Span] = {}

    def of_player(self, player: int, estimated: bool = False) -> Span:
        """The interval of the player's utility at any end; if `estimated`, of the evaluation of any state too."""
        low, high = _span(self.model.bounds[player]) if self.model.bounds else UNKNOWN
        ends = [self.extent_of(clause.utilities[player]) for clause in self.model.clauses]
        found = [(max(low, least), min(high, most)) for least, most in ends]
        if estimated:
            found.append(self.of_evaluation(player))
        return _hull(found)

    def of_evaluation(self, player: int) -> Span:
        """The interval of a player's evaluation: the weighted sum of its features."""
        if self.model.learned is not None:
            return _span(self.model.learned.bounds[player])
        total: Span = 0, 0
        for feature in self.model.features:
            weight = feature.weight, feature.weight
            total = _combine_spans("+", total, _combine_spans("*", weight, self.extent_of(feature.values[player])))
        return total

    def extent_of(self, expression: core.Expression, known: Mapping[int, Span] = MappingProxyType({})) -> Span:
        """The interval of an expression whose value is a number. `known` has the intervals of local names, by their
        slots."""
        match expression:
            case core.Const(value=int() | Fraction() as value) if not isinstance(value, bool):
                return value, value
            case core.Local(slot=slot):
                return known.get(slot, UNKNOWN)
            case core.Cell(place=place):
                return _declared_span(next(v.type for v in reversed(self.model.variables) if v.place <= place))
            case core.Element(variable=variable):
                return _declared_span(self.model.variables[variable].type)
            case core.CallDefinition(definition=definition):
                return self._of_definition(definition)
            case core.Scope(lets=lets, result=result):
                for slot, named in lets:
                    known = {**known, slot: self.extent_of(named, known)}
                return self.extent_of(result, known)
            case core.Lookup(table=table, missing=missing):
                numbers = [entry for entry in (*table, missing) if entry is not None]
                return (min(numbers), max(numbers)) if {*map(type, numbers)} == {int} else UNKNOWN
            case core.If(then=then, otherwise=otherwise):  # to calculate with none is a fault
                return _hull([self.extent_of(part, known) for part in (then, otherwise) if part != core.Const(None)])
            case core.Arithmetic(operator=operator, left=left, right=right):
                return _combine_spans(operator, self.extent_of(left, known), self.extent_of(right, known))
            case core.Size(operand=operand):
                return 0, self._most_in(operand)
            case core.Quantifier():
                return self._of_quantifier(expression, known)
        return UNKNOWN

    def _of_definition(self, number: int) -> Span:
        if number not in self._defined:
            self._defined[number] = UNKNOWN  # for one that calls itself
            result = self.model.definitions[number].result
            self._defined[number] = UNKNOWN if result is None else self.extent_of(result)
        return self._defined[number]

    def _of_quantifier(self, e: core.Quantifier, known: Mapping[int, Span]) -> Span:
        most = self._most_in(e.domain)
        body = self.extent_of(e.body, {**known, e.slot: self._members(e.domain)})
        match e.kind:
            case "count":
                return 0, most
            case "min" | "max":
                return body
            case "sum" if most < inf and body != UNKNOWN:  # (of sets it is no number, and nobody asks)
                least = most if e.where is None and isinstance(e.domain, core.Const) else 0
                return _hull([_combine_spans("*", (times, times), body) for times in (least, most)])
        return UNKNOWN

    def _most_in(self, domain: core.Expression) -> Number | float:
        """The greatest number of values that a domain may have."""
        match domain:
            case core.Const(value=range() | tuple() as values):
                return len(values)
            case core.Items(items=items) | core.SetOf(items=items):
                return len(items)
            case core.Until(domain=inner) | core.Members(set=inner):
                return self._most_in(inner)
            case core.Interval(low=low, high=high):
                (least, _), (_, most) = self.extent_of(low), self.extent_of(high)
                return max(0, most - least + 1)
            case core.Quantifier(kind="those", domain=inner):
                return self._most_in(inner)
            case core.Reach(neighbours=neighbours):
                return len(neighbours)
        return inf

    def _members(self, domain: core.Expression) -> Span:
        """The least and the greatest value of a domain."""
        match domain:
            case core.Const(value=range() | tuple() as values) if values and all(type(one) is int for one in values):
                return min(values), max(values)
            case core.Interval(low=low, high=high):
                return self.extent_of(low)[0], self.extent_of(high)[1]
            case core.Until(domain=inner):
                return self._members(inner)
        return UNKNOWN


def _declared_span(type: Type | None) -> Span:
    """The interval of the numbers that the type allows. Calculating with `none` is a fault, so `none` does not
    count."""
    if isinstance(type, Optional):
        type = type.item
    return (type.low, type.high) if isinstance(type, Range) else UNKNOWN


def _hull(spans: Iterable[Span]) -> Span:
    """The least interval that contains all of these; unbounded on both sides if there are none."""
    lows, highs = zip(*spans, strict=True) if (spans := list(spans)) else ((-inf,), (inf,))
    return min(lows), max(highs)


def _combine_spans(operator: str, a: Span, b: Span) -> Span:
    """The interval of the results of an operation on numbers of two intervals."""
    a, b = _playable(a), _playable(b)
    match operator:
        case "mod":
            return (0, b[1]) if b[0] > 0 and b[1] < inf else UNKNOWN  # which fractions come near
        case "*" | "/" | "div" if inf in [abs(end) for end in (*a, *b)] or (operator != "*" and b[0] <= 0 <= b[1]):
            return UNKNOWN
    return combine_intervals(operator, a, b)


def _playable(span: Span) -> Span:
    """The interval, with an end that lies beyond the numbers that play calculates with made infinite."""
    low, high = span
    return low if -NUMBER <= low <= NUMBER else -inf, high if -NUMBER <= high <= NUMBER else inf


def _span(pair: Pair) -> Span:
    return -inf if pair[0] is None else pair[0], inf if pair[1] is None else pair[1]


def _finite_ends(span: Span) -> Pair:
    low, high = (None if isinstance(end, float) else end for end in span)
    return low, high
