"""Expressions that do not read the state, evaluated before play: constants are folded, the rest is looked up in tables.

The interpreter's own evaluator gives the entries, so a table cannot mean anything else than the rules do.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from collections.abc import Sequence as Series
from dataclasses import replace
from functools import partial, reduce
from math import prod
from operator import or_
from types import NoneType
from typing import Any, NamedTuple

from gdl.analysis.dependence import Dependence
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.ir.build import compare, plus
from gdl.compiler.lower.arithmetic import add, extreme, multiply, subtract
from gdl.compiler.lower.code_values import (
    ALL_BITS,
    FALSE,
    NONE,
    Mask,
    Number,
    Sequence,
    TableRow,
    Value,
    WordCode,
    literal,
    mask_constant,
    number_constant,
    shape_of,
    split,
    truth,
    words_for,
)
from gdl.compiler.lower.writer import GameModule
from gdl.errors import GameError
from gdl.errors.deadline import check_deadline
from gdl.interpreter.evaluator import Evaluator, function_before_play
from gdl.interpreter.lookup import entry_at
from gdl.model import core
from gdl.model.games import RulesModel

MOST_ENTRIES = 1 << 13  # entries of a table worked out from an expression
MOST_WORK = 1_000_000  # values that are run through for all tables of a game
MOST_LOOKED_UP = 1 << 17  # entries of a table that the model holds already
SMALLEST = 3  # forms of the smallest expression that is worth a table
LARGEST_NUMBER = 1 << 31  # constants from here on are sets


class Argument(NamedTuple):
    """A value that a table is indexed by: its code, and the values that it may have."""

    number: Number
    choices: range | tuple[Any, ...]  # from the lowest code on; a gap stands for a code that never comes


HOLE = ir.Local("@")  # stands for the index of a table until that is known
GAP = object()
FAULT = object()  # an entry that play must not meet


class TooMuchWork(Exception):
    """The values known before play would take too long to work out: play is to work out those that it needs."""


class Fixed:
    """Folds expressions of one game that do not read the state, or turns them into look-ups in tables."""

    def __init__(self, model: RulesModel, module: GameModule):
        self.module = module
        self.dependence = Dependence(model)
        self.evaluator = Evaluator(model.variables, model.definitions, model.times)
        self.texts: dict[str, int] | None = None  # the numbers of texts that are values; None: texts are no values
        self.worked = 0  # values run through so far
        self._entries: dict[Any, list[Any]] = {}  # the entries of tables, by key
        self._found: dict[Any, tuple[Any, ...]] = {}
        self._values: dict[Any, tuple[Any, dict[Any, Any]]] = {}  # of functions, by what they were given
        self._made: dict[Any, Value | None] = {}
        self._constants: dict[int, tuple[Any, Value]] = {}

    def once_per_key(self, key: tuple[Any, ...], found: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
        """The result of `found`, which is called once for each key in a game."""
        if key not in self._found:
            self._found[key] = found()
        return self._found[key]

    def constant(self, value: Any) -> Value:
        """A constant of the model as a value: a number, none, a truth, a set or a sequence. Whole numbers from
        LARGEST_NUMBER on are read as sets."""
        if isinstance(value, range | tuple):
            return self._sequence(tuple(value))
        if isinstance(value, int) and value >= LARGEST_NUMBER:
            return mask_constant(value)
        return number_constant(self._number_of_text(value))

    def _number_of_text(self, value: Any) -> Any:
        """The number that stands for a text, where texts are values (`texts` is set); any other value unchanged."""
        is_text = isinstance(value, str) and self.texts is not None
        return self.texts.setdefault(value, len(self.texts)) if is_text and self.texts is not None else value

    def value(self, e: core.Expression, frame: dict[int, Value], mover: Number) -> tuple[Value, Number] | None:
        """The expression folded or looked up in a table, and the truth that it is a fault; None if it reads the state,
        or a table would be too large or no gain."""
        facts = self.dependence.facts_of(e)
        if facts.state:
            return None
        named = sorted(facts.slots)
        known = arguments_of([*(frame[slot] for slot in named), *([mover] if facts.mover else ())])
        if known is None:
            return None
        open = sum(len(argument.choices) > 1 for argument in known)
        # A load from memory is no quicker than an addition or a comparison.
        if open and (facts.size < SMALLEST or _compares_names(e)) and not isinstance(e, core.Lookup):
            return None
        entry = self.function(e, named, facts.mover)
        most = MOST_LOOKED_UP if isinstance(e, core.Lookup) and _is_plain_lookup(e) else MOST_ENTRIES
        value = self.table(entry, known, most, (id(e),), _word(e), faults=True)
        return None if value is None else (value, self._fault_entry(known, (id(e),)))

    def _fault_entry(self, arguments: Series[Argument], key: tuple[Any, ...]) -> Number:
        """The truth that the entry of a table for these arguments is a fault."""
        entries = self._entries[(*key, *(argument.choices for argument in arguments))]
        if FAULT not in entries:
            return FALSE
        table = self.module.table([int(entry is FAULT) for entry in entries], "fault")
        return truth(compare(self.module.entry(table, index_code(arguments).code), "!=", 0))

    def function(self, e: core.Expression, named: Series[int], mover: bool) -> Callable[..., Any]:
        """A function that computes an expression which does not read the state, from the values of the slots in `named`
        and, if `mover` is true, the mover. Of a domain that `until` ends it gives all values. Raises TooMuchWork once
        all such functions have run through more than MOST_WORK values."""
        compute, gives_all = function_before_play(self.evaluator, e, named, mover), isinstance(e, core.Until)
        _, known = self._values.setdefault((id(e), *named, mover), (e, {}))  # to hold `e` keeps its id from others

        def value(*given: Any) -> Any:
            if given in known:
                return known[given]
            check_deadline()
            if self.worked > MOST_WORK:
                raise TooMuchWork
            try:
                found = compute(*given)
            finally:
                self.worked += self.evaluator.work[0]
            return known.setdefault(given, tuple(found) if gives_all else found)

        return value

    def lookup(self, e: core.Lookup, numbers: Series[Number], bound: Callable[[Number], Number]) -> Value | None:
        """The value of a look-up in a table of the model, at numbers known only in play; None if the table would be too
        large. `bound` holds a number in a variable."""
        at, cut = e.table, []
        for number, base in zip(numbers, e.bases, strict=True):
            cut.append(_cut_to_table(number, base - 1, base + len(at), bound))
            at = next((row for row in at if row is not None), ())
        known = arguments_of(cut)
        if known is None:
            return None
        key = id(e.table), e.bases, e.missing
        return self.table(partial(entry_at, e), known, MOST_LOOKED_UP, key, _word(e))

    def table(
        self, entry: Callable[..., Any], arguments: Series[Argument], most: int, key: tuple[Any, ...], name: str,
        faults: bool = False,
    ) -> Value | None:  # fmt: skip
        """The value of `entry` at these arguments, read from a table of at most `most` entries; None if no table can be
        made. `key` identifies the function. With `faults`, entries may be faults, and the caller writes the test for
        them."""
        if prod(len(argument.choices) for argument in arguments) > most:
            return None
        key = (*key, *(argument.choices for argument in arguments))
        if key not in self._made:
            # Set first: a table that cannot be made is not tried again for another place that asks for it.
            self._made[key] = None
            try:
                entries = self._entries[key] = _entries(entry, arguments)
            except TooMuchWork:
                return None
            if faults or FAULT not in entries:
                self._made[key] = self._table_of(
                    [GAP if entry is FAULT else self._number_of_text(entry) for entry in entries], name
                )
        made = self._made[key]
        return None if made is None else _read(made, index_code(arguments))

    def _table_of(self, entries: list[Any], name: str) -> Value | None:
        """A value whose code reads the entries at HOLE, where the index is put later; None if the entries are of no
        common kind."""
        real = [entry for entry in entries if entry is not GAP]
        # One value whatever the index: no table. The types are compared too, since True equals 1.
        if all(entry == real[0] and type(entry) is type(real[0]) for entry in real):
            return self.constant(real[0]) if real else None
        types = set(map(type, real))
        if types & {tuple, range}:
            return self._table_of_rows(entries, name)
        if types - {int, bool, NoneType}:
            return None
        numbers = [int(entry) for entry in real if entry is not None]
        if max(numbers) >= LARGEST_NUMBER:
            return self._table_of_sets(entries, name)
        missing = min(NONE, min(numbers) - 1)
        held = [0 if entry is GAP else missing if entry is None else int(entry) for entry in entries]
        # Entries that go up or down by equal steps are computed, not looked up.
        step = held[-1] - held[-2]
        if step and None not in real and all(b - a == step for a, b in itertools.pairwise(held)):
            return _linear_value(held[0], step, held[-1])
        table = self.module.table(held, name)
        return Number(self.module.entry(table, HOLE), min(numbers), max(numbers), None in real, missing=missing)

    def _table_of_rows(self, entries: list[Any], name: str) -> Value | None:
        if any(entry is None for entry in entries):
            return None
        rows = [() if entry is GAP else tuple(entry) for entry in entries]
        known = {row: self._row(row) for row in dict.fromkeys(rows)}
        numbers = [known[row] for row in rows]
        table = self.module.table(numbers, name)
        shape = shape_of(list(known))
        number = Number(self.module.entry(table, HOLE), min(numbers), max(numbers))
        return Sequence(number, shape, rows=TableRow(tuple(rows), HOLE))

    def _table_of_sets(self, entries: list[Any], name: str) -> Mask | None:
        if None in entries:
            return None
        sets = [0 if entry is GAP else int(entry) for entry in entries]
        size = max(entry.bit_length() for entry in sets)
        words = words_for(size)
        rows = [split(entry, words) for entry in sets]
        table = self.module.table([word for row in rows for word in row], name)
        columns = [[word & ALL_BITS for word in column] for column in zip(*rows, strict=True)]
        within = [reduce(or_, column) for column in columns]
        most = [max(word.bit_count() for word in column) for column in columns]
        places: list[ir.Expr] = [HOLE] if words == 1 else [HOLE * words + k for k in range(words)]
        codes = [self.module.entry(table, place) for place in places]
        return Mask(tuple(map(WordCode, codes, within, most)), size)

    def _sequence(self, values: tuple[Any, ...]) -> Sequence:
        known = self._constants.get(id(values))
        if known is None:
            made = Sequence(literal(0), shape_of([values]), values)
            known = self._constants[id(values)] = (values, made)
        return known[1]  # type: ignore[return-value]

    def _row(self, row: tuple[Any, ...]) -> int:
        """The number of a row in the module; items that are sequences become rows themselves."""
        return self.module.row([
            self._row(tuple(item)) if isinstance(item, tuple | range) else NONE if item is None else int(item)
            for item in row
        ])  # fmt: skip

    def as_row(self, sequence: Sequence) -> Sequence:
        """The sequence with the number of its row in the module; a constant sequence is added to the rows."""
        if sequence.values is None:
            return sequence
        return Sequence(literal(self._row(sequence.values)), sequence.shape, sequence.values)


def argument_of(value: Value) -> Argument | None:
    """The value as an index of a table; None if its kind or its range does not allow that."""
    if isinstance(value, Mask):
        return None if value.bits is None else Argument(literal(0), (value.bits,))
    if isinstance(value, Sequence):
        return None if value.values is None else Argument(literal(0), (value.values,))
    if not isinstance(value, Number) or value.scale != 1:
        return None
    if value.is_none:
        return Argument(literal(0), (None,))
    above_none = value.low - value.missing
    if value.high - value.low >= MOST_LOOKED_UP or (value.none and not 0 < above_none <= MOST_ENTRIES):
        return None
    numbers = range(value.low, value.high + 1)
    if value.none:
        # Codes from that of none on; codes between none and the lowest value never come.
        return Argument(value, (None, *[GAP] * (above_none - 1), *numbers))
    return Argument(value, numbers)


def arguments_of(values: Iterable[Value]) -> list[Argument] | None:
    """The values as indices of a table; None if one of them cannot be."""
    found = [argument_of(value) for value in values]
    known = [argument for argument in found if argument is not None]
    return known if len(known) == len(found) else None


def _cut_to_table(number: Number, low: int, high: int, bound: Callable[[Number], Number]) -> Number:
    """The number, where its range is too wide for an index, cut to that of a table and one more on either side: what
    lies there is missing, as none is."""
    if number.scale != 1 or number.high - number.low < MOST_LOOKED_UP:
        return number
    least = min(number.low, number.missing) if number.none else number.low
    cut = extreme("min", bound(Number(number.code, least, number.high)), literal(high))
    return extreme("max", cut, literal(low)).clip(low, high)


def index_code(arguments: Series[Argument]) -> Number:
    """The place of an entry in a table with these indices; the last one runs fastest."""
    place, stride = literal(0), 1
    for argument in reversed(arguments):
        if len(argument.choices) > 1:
            number = argument.number
            low = number.missing if number.none else number.low
            counted = Number(number.code, low, number.high)
            place = add(multiply(counted, literal(stride)), place)
            place = subtract(place, literal(low * stride))
        stride *= len(argument.choices)
    return place


def _entries(entry: Callable[..., Any], arguments: Series[Argument]) -> list[Any]:
    """The entries for all combinations of the arguments. FAULT stands where the rules are at fault: only play that
    comes there must meet it."""
    found = []
    for values in itertools.product(*(argument.choices for argument in arguments)):
        try:
            found.append(GAP if GAP in values else entry(*values))
        except (GameError, TypeError):
            # Not raised here: the rules may never come to these arguments.
            found.append(FAULT)
    return found


def _linear_value(first: int, step: int, last: int) -> Number:
    """A value that changes by `step` from one place of the table to the next: computed from the place (HOLE), without a
    table."""
    low, high = min(first, last), max(first, last)
    if step == -1:
        return Number(ir.Const(first) - HOLE, low, high)
    place = HOLE if step == 1 else HOLE * step
    return Number(plus(place, first), low, high)


def _read(made: Value, index: Number) -> Value:
    """The value with the index put into its code in place of HOLE."""

    def read_at(code: ir.Expr) -> ir.Expr:
        return walks.put(code, HOLE, index.code)

    match made:
        case Number():
            return replace(made, code=read_at(made.code))
        case Mask():
            return replace(made, words=tuple(word._replace(code=read_at(word.code)) for word in made.words))
        case Sequence():
            rows = None if made.rows is None else TableRow(made.rows.entries, read_at(made.rows.place))
            return replace(made, row=replace(made.row, code=read_at(made.row.code)), rows=rows)
    return made


def _compares_names(e: core.Expression) -> bool:
    """True if the expression only compares names or constants, which is as quick as a table."""
    return isinstance(e, core.Comparison) and all(isinstance(s, core.Local | core.Const) for s in (e.left, e.right))


def _is_plain_lookup(e: core.Lookup) -> bool:
    return all(isinstance(argument, core.Local | core.Const | core.Mover) for argument in e.arguments)


def _word(e: core.Expression) -> str:
    """A name for an expression's table: the word that the rules use for a look-up, else "table"."""
    name = e.word.split()[0].lower() if isinstance(e, core.Lookup) else "table"
    return name if name.isidentifier() else "table"
