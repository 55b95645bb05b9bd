"""Core expressions -> values in any position, over the cells as they stand there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

from gdl.interpreter.evaluator import OPERATIONS, Evaluator
from gdl.interpreter.lookup import entry_at
from gdl.model import core
from gdl.model.domains import NUMBER, SetType, elements, members, ordinal_base
from gdl.model.games import RulesModel, Variable
from gdl.wings.symmetry import regions
from gdl.wings.symmetry.symbolic_values import FAULT, Bits, Cases, NotWritten, SymbolicValues, are_constant, interval
from gdl.wings.symmetry.terms import Term, TermsTooLarge, Truth

MOST_EDGES = 20_000  # pairs of squares whose conditions are written
DEEPEST = 60  # definitions inside one another
Frame = list[Any]
Items = Iterator[tuple[Any, Truth]]  # values, each with the condition under which it is among them


class SymbolicPosition:
    """A position in the course of an action: the mover, and the cells, which statements change."""

    def __init__(self, start: dict[int, Any]):
        self.mover = 0
        self.no_actions: Truth | None = False  # None where it is not known
        self.start = start
        self.cells = start
        self.version = self.versions = 0  # of the cells; 0 is the start, the same for every action
        self.found: dict[Any, Any] = {}  # values of definitions, worth something in the course of one action alone

    def begin(self) -> None:
        """Put the cells back to their values before an action."""
        self.cells, self.version = dict(self.start), 0
        self.found.clear()

    def end(self) -> None:
        """Put the cells back after an action, and forget its effects."""
        self.cells, self.version = self.start, 0

    def mark_changed(self) -> None:
        """Note that cells have changed, so that values found before no longer count."""
        self.versions += 1
        self.version = self.versions


class SymbolicExpressions:
    """The values of one game's expressions in a position."""

    def __init__(self, model: RulesModel, values: SymbolicValues, constant: Mapping[int, Any]):
        """`constant` are the cells that always hold the same value."""
        self.model, self.values = model, values
        start = {
            variable.place + i: self._atom(variable, variable.place + i)
            for variable in model.variables
            for i in range(len(variable.initial))
        } | dict(constant)
        self.position = SymbolicPosition(start)
        self._results: dict[Any, Any] = {}
        self._depth = 0

    def _atom(self, variable: Variable, place: int) -> Any:
        type = variable.type
        if not isinstance(type, SetType):
            return self.values.cell(place, type)
        base = ordinal_base(type.item)
        count = len(tuple(members(type.item)))
        held = tuple(self.values.member(place, type.item, base + i) for i in range(count))
        return Bits((False,) * base + held)

    def forget(self, no_actions: Truth | None) -> None:
        """Begin another turn, in which `no actions` means the condition given (None: it is not known)."""
        self.position.no_actions = no_actions
        self._results.clear()

    def value(self, e: core.Expression, f: Frame) -> Any:
        """The symbolic value of an expression; `f` holds the local names."""
        self.values.spend(1)
        return self.FORMS[type(e)](self, e, f)

    def truth(self, e: core.Expression, f: Frame) -> Truth:
        found = self.value(e, f)
        if isinstance(found, bool | Term):
            return found
        if isinstance(found, Cases):  # some of them faults
            return self.values.any_of(self.values.all_of((v, c)) for v, c in found.pairs if isinstance(v, bool | Term))
        return False

    def all_of(self, conditions: Sequence[core.Expression], f: Frame) -> Truth:
        """The condition that all of these hold. A condition after one that is false is not looked at."""
        return self.values.all_of(self.truth(condition, f) for condition in conditions)

    # -- atoms ----------------------------------------------------------------------------------------------

    def _const(self, e: core.Const, f: Frame) -> Any:
        return e.value

    def _local(self, e: core.Local, f: Frame) -> Any:
        return f[e.slot]

    def _mover(self, e: core.Mover, f: Frame) -> Any:
        return self.position.mover

    def _cell(self, e: core.Cell, f: Frame) -> Any:
        return self.position.cells[e.place]

    def _element(self, e: core.Element, f: Frame) -> Any:
        ways = self.places(self.model.variables[e.variable], [self.value(i, f) for i in e.indices])
        return self.values.pick((None if place is None else self.position.cells[place], c) for place, c in ways)

    def places(self, variable: Variable, indices: Sequence[Any]) -> Sequence[tuple[int | None, Truth]]:
        """The cells that an element may be, each with the condition under which it is; None for no cell."""
        bases = [ordinal_base(index) for index in variable.indices]

        def find(*found: Any) -> int | None:
            at = 0
            for i, base, extent in zip(found, bases, variable.extents, strict=True):
                if not isinstance(i, int) or not base <= i < base + extent:
                    return None
                at = at * extent + i - base
            return variable.place + at

        found = self.values.apply(find, *indices)
        return found.pairs if isinstance(found, Cases) else [(found, True)]

    # -- numbers, sets, truths ------------------------------------------------------------------------------

    def _arithmetic(self, e: core.Arithmetic, f: Frame) -> Any:
        a, b, values = self.value(e.left, f), self.value(e.right, f), self.values
        if e.operator in "+-":
            return values.add(a, b, 1 if e.operator == "+" else -1)
        if are_constant(a, b):
            return _calculate(e.operator, a, b)
        if e.operator == "*" and (are_constant(a) or are_constant(b)):
            factor, rest = (a, b) if are_constant(a) else (b, a)
            return values.total([(factor, rest)]) if isinstance(factor, int | Fraction) else FAULT
        if e.operator == "/" and are_constant(b) and isinstance(b, int | Fraction) and b:
            return values.total([(1 / Fraction(b), a)])
        if e.operator in ("min", "max"):
            return values.extreme(e.operator, [(a, True), (b, True)])
        try:
            return values.apply(lambda x, y: _calculate(e.operator, x, y), a, b)
        except (NotWritten, TermsTooLarge):
            if e.operator == "*":
                return values.make("*", None, [(0, values.term(x, NUMBER).id) for x in (a, b)], NUMBER)
            return values.make(e.operator, None, [(i, values.term(x, NUMBER).id) for i, x in enumerate((a, b))], NUMBER)

    def _setoperation(self, e: core.SetOperation, f: Frame) -> Any:
        a, b = self.value(e.left, f), self.value(e.right, f)
        both, negation = self.values.all_of, self.values.negation
        if e.operator == "+":
            return self.values.pointwise(lambda x, y: self.values.any_of((x, y)), a, b)
        if e.operator == "*":
            return self.values.pointwise(lambda x, y: both((x, y)), a, b)
        return self.values.pointwise(lambda x, y: both((x, negation(y))), a, b)

    def _comparison(self, e: core.Comparison, f: Frame) -> Truth:
        a, b = self.value(e.left, f), self.value(e.right, f)
        if e.relation in ("=", "!="):
            same = self.values.equal(a, b)
            return same if e.relation == "=" else self.values.negation(same)
        low, high = (a, b) if e.relation in ("<", "<=") else (b, a)
        return self._is_less(low, high) if e.relation in "<>" else self.values.at_most(low, high)

    def _is_less(self, a: Any, b: Any) -> Truth:
        """The condition that one number is less than another; none and faults are not compared."""
        if are_constant(a, b) and (None in (a, b) or FAULT in (a, b)):
            return False
        return self.values.negation(self.values.at_most(b, a))

    def _contains(self, e: core.Contains, f: Frame) -> Truth:
        item, values = self.value(e.item, f), self.values
        if not e.bits:
            return values.any_of(values.all_of((c, values.equal(item, v))) for v, c in self.items(e.container, f))
        container = values.bits(self.value(e.container, f)).parts
        if are_constant(item):
            return isinstance(item, int) and 0 <= item < len(container) and container[item]
        return values.any_of(
            values.all_of((part, values.equal(item, i))) for i, part in enumerate(container) if part is not False
        )

    def _not(self, e: core.Not, f: Frame) -> Truth:
        return self.values.negation(self.truth(e.operand, f))

    def _all(self, e: core.All, f: Frame) -> Truth:
        return self.all_of(e.parts, f)

    def _some(self, e: core.Some, f: Frame) -> Truth:
        return self.values.any_of(self.truth(part, f) for part in e.parts)

    def _if(self, e: core.If, f: Frame) -> Any:
        condition = self.truth(e.condition, f)
        if isinstance(condition, bool):
            return self.value(e.then if condition else e.otherwise, f)
        return self.values.choose(condition, self.value(e.then, f), self.value(e.otherwise, f))

    # -- domains --------------------------------------------------------------------------------------------

    def items(self, e: core.Expression, f: Frame) -> Items:
        """The values that a domain may hold, in order, each with the condition under which it does."""
        values = self.values
        if isinstance(e, core.Until):
            yield from self._until_items(e, f)
        elif isinstance(e, core.Interval):
            low, high = self.value(e.low, f), self.value(e.high, f)
            least, most = interval(low), interval(high)
            if least is None or most is None:
                raise NotWritten("a range without bounds")
            for v in range(least[0], most[1] + 1):
                condition = values.all_of((values.at_most(low, v), values.at_most(v, high)))
                if condition is not False:
                    yield v, condition
        elif isinstance(e, core.Members):
            yield from self._members_of(self.value(e.set, f))
        else:
            yield from self._sequence(self.value(e, f))

    def _members_of(self, set: Any) -> Items:
        return ((i, part) for i, part in enumerate(self.values.bits(set).parts) if part is not False)

    def _sequence(self, found: Any) -> Items:
        if isinstance(found, tuple | range):
            yield from ((v, True) for v in found if found is not FAULT)
        elif isinstance(found, Cases):
            for sequence, condition in found.pairs:
                yield from ((v, self.values.all_of((c, condition))) for v, c in self._sequence(sequence))
        elif found is not None:
            raise NotWritten("a list that depends on the position")

    def _until_items(self, e: core.Until, f: Frame) -> Items:
        going: Truth = True
        for v, c in self.items(e.domain, f):
            here = self.values.all_of((c, going))
            if here is False:
                continue
            f[e.slot] = v
            last = self.values.all_of((c, self.truth(e.condition, f)))  # asked before anything is done with the value
            yield v, here
            going = self.values.all_of((going, self.values.negation(last)))

    def _interval(self, e: core.Interval, f: Frame) -> Any:
        low, high = self.value(e.low, f), self.value(e.high, f)
        return self.values.apply(lambda a, b: range(a, b + 1) if isinstance(a, int) and isinstance(b, int) else (),
                                 low, high)  # fmt: skip

    def _members(self, e: core.Members, f: Frame) -> Any:
        set = self.value(e.set, f)
        if isinstance(set, int):
            return elements(set)
        raise NotWritten("a list of the members of a set")

    def _until(self, e: core.Until, f: Frame) -> Any:
        found = list(self._until_items(e, f))
        if all(c is True for _, c in found):
            return tuple([v for v, _ in found])
        raise NotWritten("a list that depends on the position")

    def _items(self, e: core.Items, f: Frame) -> Any:
        return tuple([self.value(item, f) for item in e.items])

    def _setof(self, e: core.SetOf, f: Frame) -> Any:
        items = [self.value(item, f) for item in e.items]
        if are_constant(*items):
            return sum({1 << i for i in items if isinstance(i, int) and i >= 0})
        return self._collect_bits([(item, True) for item in items])

    def _collect_bits(self, pairs: Sequence[tuple[Any, Truth]]) -> Bits:
        """The set of the values whose conditions hold."""
        members: dict[int, list[Truth]] = {}
        for value, condition in pairs:
            for v, c in self.values.cases(value):
                if isinstance(v, int):
                    members.setdefault(v, []).append(self.values.all_of((c, condition)))
        width = max(members, default=-1) + 1
        return Bits(tuple([self.values.any_of(members.get(i, ())) for i in range(width)]))

    def _size(self, e: core.Size, f: Frame) -> Any:
        found = self.value(e.operand, f)
        if isinstance(found, tuple | range):
            return len(found)
        if not e.bits:
            return self.values.apply(len, found)
        if isinstance(found, int):
            return found.bit_count()
        return self.count_true(self.values.bits(found).parts)

    def count_true(self, truths: Sequence[Truth]) -> Any:
        """The number of truths that hold, as a term."""
        return self.values.total([(1, 1 if truth is True else truth) for truth in truths if truth is not False])

    def _reach(self, e: core.Reach, f: Frame) -> Any:
        values = self.values
        start = values.bits(self.value(e.start, f)).parts
        start += (False,) * (len(e.neighbours) - len(start))
        if e.source is not None:
            return regions.reach_along(values, start, self._edges(e, f), len(e.neighbours))
        may = []
        for square in range(len(e.neighbours)):
            f[e.slot] = square
            may.append(True if e.where is None else self.truth(e.where, f))
        return regions.reach(values, start, may, e.neighbours)

    def _edges(self, e: core.Reach, f: Frame) -> dict[tuple[int, int], Any]:
        """The condition of each edge that is not plainly absent, by source and target."""
        if sum(map(len, e.neighbours)) > MOST_EDGES:
            raise NotWritten("a region along very many edges")
        assert e.source is not None and e.where is not None
        edges = {}
        for square, near in enumerate(e.neighbours):
            for other in near:
                f[e.source], f[e.slot] = square, other
                condition = self.truth(e.where, f) if other != square else False
                if condition is not False:
                    edges[square, other] = condition
        return edges

    # -- quantifiers ----------------------------------------------------------------------------------------

    def _quantifier(self, e: core.Quantifier, f: Frame) -> Any:
        values, every = self.values, self.values.all_of
        found = []
        for v, c in self.items(e.domain, f):
            f[e.slot] = v
            condition = c if e.where is None else every((c, self.truth(e.where, f)))
            if condition is False:
                continue
            if e.kind in ("exists", "forall", "count", "first", "those"):
                body = self.truth(e.body, f)
                found.append((v, condition, body))
                if condition is True and body is (e.kind != "forall") and e.kind in ("exists", "forall", "first"):
                    break
            else:
                found.append((v, condition, self.value(e.body, f)))
        match e.kind:
            case "exists":
                return regions.one_of(values, [every((c, b)) for _, c, b in found])
            case "forall":
                return values.negation(values.any_of(every((c, values.negation(b))) for _, c, b in found))
            case "count":
                return self.count_true([every((c, b)) for _, c, b in found])
            case "first":
                return self._first([(v, every((c, b))) for v, c, b in found])
            case "those":
                if all(c is True and isinstance(b, bool) and isinstance(v, int) for v, c, b in found):
                    return sum({1 << v for v, _, b in found if b})
                return self._collect_bits([(v, every((c, b))) for v, c, b in found])
            case "sum":
                return values.total([(1, values.choose(c, b, 0)) for _, c, b in found])
            case "union":
                joined: Any = 0
                for _, c, b in found:
                    part = values.choose(c, b if isinstance(b, int) else values.bits(b), 0)
                    joined = values.pointwise(lambda x, y: values.any_of((x, y)), joined, part)
                return joined
            case "min" | "max":
                return values.extreme(e.kind, [(b, c) for _, c, b in found])
        raise NotWritten(f"'{e.kind}'")

    def _first(self, pairs: Sequence[tuple[Any, Truth]]) -> Any:
        """The first value whose condition holds; `none` if none does."""
        none_yet: Truth = True
        found = []
        for v, hit in pairs:
            found.append((v, self.values.all_of((none_yet, hit))))
            none_yet = self.values.all_of((none_yet, self.values.negation(hit)))
            if none_yet is False:
                break
        return self.values.pick([*found, (None, none_yet)])

    # -- calls ----------------------------------------------------------------------------------------------

    def _lookup(self, e: core.Lookup, f: Frame) -> Any:
        return self.values.apply(partial(entry_at, e), *[self.value(a, f) for a in e.arguments])

    def _calldefinition(self, e: core.CallDefinition, f: Frame) -> Any:
        definition, arguments = self.model.definitions[e.definition], [self.value(a, f) for a in e.arguments]
        version = 0 if definition.fixed else self.position.version
        kinds = map(type, arguments)  # 1 and true are not the same
        key: Any = (e.definition, self.position.mover, -1 if definition.fixed else version, *kinds, *arguments)
        results = self.position.found if version else self._results
        if key in results:
            return results[key]
        if self._depth > DEEPEST:
            raise NotWritten(f"the recursion of {definition.name}")
        assert definition.result is not None
        self._depth += 1
        found = self.value(definition.result, [*arguments, *[None] * (definition.frame - len(arguments))])
        self._depth -= 1
        results[key] = found
        return found

    def _scope(self, e: core.Scope, f: Frame) -> Any:
        for slot, value in e.lets:
            f[slot] = self.value(value, f)
        return self.value(e.result, f)

    def _noactions(self, e: core.NoActions, f: Frame) -> Truth:
        if self.position.no_actions is None:
            raise NotWritten("'no actions' after an action")
        return self.position.no_actions

    def _able(self, e: core.Able, f: Frame) -> Truth:
        raise NotWritten("'has', which tries actions")

    def _past(self, e: core.Times | core.Since | core.Always, f: Frame) -> Any:
        raise AssertionError("games that ask about the past are not written out")

    def _whole(self, e: core.Whole, f: Frame) -> Any:
        raise AssertionError("only 'times' takes a whole variable")

    # a method for each form, called as that of the evaluator
    FORMS: ClassVar[dict[type, Callable[[Any, Any, Frame], Any]]] = {
        form: methods[read.__name__] for methods in [vars()] for form, read in Evaluator.FORMS.items()
    }


def _calculate(operator: str, a: Any, b: Any) -> Any:
    if not (isinstance(a, int | Fraction) and isinstance(b, int | Fraction)):
        return FAULT
    if operator in ("/", "mod", "div") and not b:
        return FAULT
    return OPERATIONS[operator](a, b)
