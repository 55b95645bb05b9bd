"""Where kernel code is written: the statements of a function, and the module with its tables, functions and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeVar

from gdl.compiler.ir import module, walks
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, copy
from gdl.compiler.ir.nodes import Code, expr
from gdl.compiler.ir.reader import Read
from gdl.compiler.ir.settling import settle_names
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import I32, Mask, Number, WordCode, bits_of
from gdl.errors import Span

LINE_WORK = "line_work"
NO_LINE = 0  # the number for statements that belong to no line
MOST_LINES = 1 << 14
COPY_COST = 7  # operations that a `copy` of a stretch of memory costs besides those of its arguments


class Places:
    """The lines of the rules for which statements are written, numbered from 1 in the order in which they are met."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, int], int] = {}  # file and line -> number
        self._spans: dict[int, int] = {}  # by the identity of a place, which the model keeps
        self._number = NO_LINE  # the number of the line that statements are written for
        self._numbers: dict[int, tuple[ir.Stmt, int]] = {}  # by the identity of a statement, which is kept

    def enter(self, span: Span | None) -> None:
        """Set the line for which the next statements are written; without a span the line stays."""
        if span is None:
            return
        if id(span) not in self._spans:
            at = span.source.name, span.line
            if at not in self.lines and len(self.lines) == MOST_LINES - 1:
                return
            self._spans[id(span)] = self.lines.setdefault(at, len(self.lines) + 1)
        self._number = self._spans[id(span)]

    def note(self, statement: ir.Stmt) -> None:
        """Note which line of the rules a statement was written for."""
        self._numbers[id(statement)] = statement, self._number

    def count_work(self, function: ir.Function) -> ir.Function:
        """The function with statements added that count its operations by line."""
        return replace(function, body=self._count_block(function.body, NO_LINE, 0))

    def _count_block(self, block: ir.Block, number: int, more: int) -> ir.Block:
        """The block with counters added. `number` is the line of the statement around it; `more` operations are added
        to each run through the block, as the cost of a loop's turn."""
        made: ir.Block = []
        runs: list[tuple[int, int, int]] = [(0, number, more)]  # for each run: its first index, line, operations
        for statement in block:
            number = self._numbers.get(id(statement), (statement, number))[1]
            work = 1 + sum(map(_operations, (getattr(statement, name) for name in statement.EXPRS)))
            work += COPY_COST * (isinstance(statement, ir.Do) and statement.call.name == "copy")
            at, line, before = runs[-1]
            if line == number and not any(s.BLOCKS for s in made[at:]):
                runs[-1] = at, line, before + work
            else:
                runs.append((len(made), number, work))
            blocks: dict[str, Any] = {}
            for name in statement.BLOCKS:
                inner = getattr(statement, name)
                is_chain = name == "orelse" and len(inner) == 1 and isinstance(inner[0], ir.If)
                turns = work if isinstance(statement, ir.While | ir.For) else 0
                found = self._count_block(inner, number, turns) if inner else inner
                blocks[name] = found[-1:] if is_chain else found  # an `elif` stays one
            made.append(replace(statement, **blocks) if blocks else statement)
        for at, line, work in reversed(runs):
            if line != NO_LINE and work:
                count = ir.Load(ir.Array(LINE_WORK, ir.I64), ir.Const(line))
                made.insert(at, ir.Update(count, "+", ir.Const(work, ir.I64)))
        return made


def _operations(e: ir.Expr | None) -> int:
    return 0 if e is None else sum(not part.atomic for part in walks.parts(e))


Made = TypeVar("Made")

TAKEN = frozenset(  # names that functions of the module use by hand
    """
    at best before bucket changed chosen digest event feature first fresh h held i j joined joint k kept length level
    level_at level_end level_index level_next level_width listed more move mover odometer open option other p path
    result rows rule run_rank s same so start top turn unmade util w weight width word name name_here name_of twin
    """.split()
)


class StatementLines(list[ir.Stmt]):
    """Statements, with facts about them that the code around needs."""

    def __init__(self) -> None:
        super().__init__()
        self.shared: dict[Hashable, Any] = {}  # code -> the variable in these statements that holds its value
        self.tabled_traps = False  # whether they may come to faults of the rules that a table reports,
        self.other_traps = False  # or to other faults, also in functions that they call

    @property
    def may_trap(self) -> bool:
        """True if the statements may come to a fault."""
        return self.tabled_traps or self.other_traps

    @property
    def total(self) -> int:
        """The number of statements, those inside others included; an `else` or `elif` counts as one."""
        return sum(2 if _has_else(s) else 1 for s in walks.statements(self))


class Writer:
    """Writes the body of one function, statement by statement."""

    def __init__(self, places: Places | None = None) -> None:
        """`places` notes the line of each statement; None: lines are not noted."""
        self.places = places
        self.begin()

    def enter(self, span: Span | None) -> None:
        """Set the line for which the next statements are written, if lines are noted."""
        if self.places is not None:
            self.places.enter(span)

    def _put(self, statement: ir.Stmt) -> None:
        """Append a statement to the block."""
        if self.places is not None:
            self.places.note(statement)
        self._block.append(statement)

    def begin(self) -> None:
        """Begin the body of another function."""
        self.lines = StatementLines()
        self._block: ir.Block = self.lines  # the block to which the next statement goes
        self._shared: list[dict[Hashable, Any]] = [{}]  # code -> the name it has, in the blocks that are open
        self._names = dict.fromkeys(TAKEN, 1)

    @contextmanager
    def in_other_function(self) -> Iterator[None]:
        """Within the block, the body of another function is written."""
        kept = self.lines, self._block, self._shared, self._names
        self.begin()
        try:
            yield
        finally:
            self.lines, self._block, self._shared, self._names = kept

    # -- statements -----------------------------------------------------------------------------------------

    def place_here(self) -> tuple[ir.Block, int]:
        """The block that is being written, and how many statements stand there."""
        return self._block, len(self._block)

    def append_statements(self, statements: Iterable[ir.Stmt]) -> None:
        """Append statements that may stand in several places; nobody changes them."""
        self._block += statements

    def comment(self, text: str) -> None:
        self._put(ir.Comment(text))

    def set(self, variable: Code, code: Code, type: str | None = None) -> None:
        """Write `variable = code`; the type is that of the first value if None."""
        target = expr(variable)
        assert isinstance(target, ir.Local)
        self._put(ir.Set(target.name, expr(code), type))

    def store(self, array: str, index: Code, code: Code) -> None:
        """Write `array[index] = code`."""
        self._put(ir.Store(ir.Array(array, ir.I32), expr(index), expr(code)))

    def update(self, target: Code, op: str, code: Code) -> None:
        """Write `target op= code`."""
        place = expr(target)
        assert isinstance(place, ir.Local | ir.Load)
        self._put(ir.Update(place, op, expr(code)))

    def copies(self, target: str, at: Code, source: str, start: Code, count: Code) -> None:
        """Write `copy(target, at, source, start, count)`."""
        self._put(copy(array(target), at, array(source), start, count))

    def calls(self, name: str, *codes: Code) -> None:
        """Write a call of a function of the module as a statement."""
        self._put(ir.Do(ir.Call(name, tuple(map(expr, codes)), ir.I32)))

    def returns(self, code: Code | None = None) -> None:
        self._put(ir.Return(None if code is None else expr(code)))

    def breaks(self) -> None:
        self._put(ir.Break())

    def trap(self, code: int, tabled: bool = False) -> None:
        """Write a fault with this code. `tabled`: a table has reported the fault."""
        self._put(ir.Trap(code))
        self.lines.tabled_traps |= tabled
        self.lines.other_traps |= not tabled

    def note_trap(self) -> None:
        """Note that a function which was called may come to a fault."""
        self.lines.other_traps = True

    def append(self, lines: StatementLines, inside: bool = False) -> None:
        """Append statements that were captured in this block or, with `inside`, in the block around it."""
        self._block += lines
        self.lines.tabled_traps |= lines.tabled_traps
        self.lines.other_traps |= lines.other_traps
        # Code captured under an `if` may not have run: names given to it there mean nothing after the block.
        if not inside:
            self._shared[-1] |= lines.shared

    # -- blocks ---------------------------------------------------------------------------------------------

    @contextmanager
    def _inside_block(self, block: ir.Block) -> Iterator[None]:
        """Within the block, statements go into this block of kernel code."""
        around, self._block = self._block, block
        self._shared.append({})
        try:
            yield
        finally:
            self._block = around
            self._shared.pop()

    def _last_if(self) -> ir.If:
        """The innermost `if` of the statement written last to which an `else` can be added."""
        made = self._block[-1]
        while isinstance(made, ir.If) and made.orelse:
            made = made.orelse[-1]
        assert isinstance(made, ir.If)
        return made

    @contextmanager
    def when(self, test: Code, otherwise: bool = False) -> Iterator[None]:
        """Within the block, code runs where the test holds; with `otherwise`, as an `elif` to the `if` written just
        before."""
        made = ir.If(expr(test))
        with self._inside_block(self._last_if().orelse if otherwise else self._block):
            self._put(made)
        with self._inside_block(made.body):
            yield

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """Within the block, code is the `else` of the `if` written just before."""
        with self._inside_block(self._last_if().orelse):
            yield

    def choose_by_halves(
        self, cases: Sequence[Made], below: Callable[[Made], ir.Expr], write: Callable[[Made], None]
    ) -> None:
        """Write what is done in each of several cases, which are in order: `below(case)` is the test that it is one
        before this case."""
        if len(cases) < 2:
            for case in cases:
                write(case)
            return
        middle = len(cases) // 2
        with self.when(below(cases[middle])):
            self.choose_by_halves(cases[:middle], below, write)
        with self.otherwise():
            self.choose_by_halves(cases[middle:], below, write)

    @contextmanager
    def repeating(self, test: Code) -> Iterator[None]:
        """Within the block, code is the body of `while test`."""
        made = ir.While(expr(test))
        self._put(made)
        with self._inside_block(made.body):
            yield

    @contextmanager
    def counting(self, name: str, first: Code | None, stop: Code, step: int | None = None) -> Iterator[None]:
        """Within the block, code is the body of `for name in range(first, stop, step)`; first None: from 0, step None:
        by 1."""
        made = ir.For(name, None if first is None else expr(first), expr(stop), step)
        self._put(made)
        with self._inside_block(made.body):
            yield

    @contextmanager
    def capture_lines(self) -> Iterator[StatementLines]:
        """Within the block, statements are kept apart, to be appended later or dropped."""
        kept, made = (self.lines, self._block), StatementLines()
        self.lines = self._block = made
        self._shared.append(made.shared)
        try:
            yield made
        finally:
            self.lines, self._block = kept
            self._shared.pop()

    def keep_words(self, places: Iterable[ir.Load]) -> list[ir.Stmt]:
        """Write variables that hold what these places of memory hold; gives the statements that put it back."""
        return [ir.Store(place.array, place.index, ir.Local(self.let("was", place))) for place in places]

    # -- variables ------------------------------------------------------------------------------------------

    def fresh(self, name: str) -> str:
        """A name that this function does not use yet."""
        self._names[name] = count = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}_{count}"

    def let(self, name: str, code: Code, wide: bool = False) -> str:
        """Write a new local variable with this value; gives its name. `wide`: of 64 bits."""
        made = self.fresh(name)
        self.set(made, code, ir.I64 if wide else None)
        return made

    def bound(self, value: Number, name: str = "t") -> Number:
        """The value held in a new variable, unless its code is atomic already."""
        if value.atomic or value.is_none:
            return value
        return value.with_name(self.let(name, value.code, value.wide))

    def bound_mask(self, value: Mask, name: str = "m") -> Mask:
        """The set with each word held in a variable, unless the word's code is atomic already."""
        words = tuple(self._bound_word(word, name) for word in value.words)
        return value if value.bits is not None else replace(value, words=words)

    def _bound_word(self, word: WordCode, name: str) -> WordCode:
        if word.atomic:
            return WordCode(word.code, word.within, word.most)
        return word.with_name(self.let(name, word.code, wide=True))

    def word(self, name: str) -> WordCode:
        """A new variable of 64 bits, set to 0."""
        return WordCode(ir.Local(self.let(name, 0, wide=True), ir.I64))

    def share_mask(self, value: Mask, name: str = "m") -> Mask:
        """The set with each word held in a variable; the same code uses the same variable again until the state
        changes."""
        return replace(
            value, words=tuple(word if word.atomic else self._shared_word(word, name) for word in value.words)
        )

    def _shared_word(self, word: WordCode, name: str) -> WordCode:
        return word.with_name(self.shared_code(word.code, name, wide=True))._replace(inverse=word.inverse)

    def shared_code(self, code: ir.Expr, name: str, wide: bool = False) -> str:
        """The name of a variable that holds the value of the code; the same code uses the same variable again until the
        state changes."""
        return self.share(code, lambda: self.let(name, code, wide))

    def share(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, which consists of variables; made once for each key until the state changes."""
        made: Made | None = next((known[key] for known in reversed(self._shared) if key in known), None)
        if made is None:
            made = self._shared[-1][key] = make()
        return made

    def forget_shared(self) -> None:
        """Forget all shared variables, as the state has changed or may have."""
        for known in self._shared:
            known.clear()


@dataclass(frozen=True, slots=True)
class TrapReason:
    """The meaning of a trap's code: the message of the fault, and its place in the rules (None: no place)."""

    message: str
    span: Span | None


TOO_LARGE, TOO_MANY, NO_ACTION = 0, 1, 2  # traps that are no mistake of one rule


@dataclass
class GameModule:
    """The kernel module of one game while it is written."""

    declared: module.Module = field(default_factory=module.Module)  # memory, besides what every game has
    functions: dict[str, ir.Function] = field(default_factory=dict)  # the names inside have no types yet
    faults: list[TrapReason] = field(default_factory=lambda: [
        TrapReason("a number grows beyond what the compiled engine holds", None),
        TrapReason("a state has more actions than the compiled engine lists", None),
        TrapReason("nobody can act, and the game is not over", None),
    ])  # fmt: skip
    _tables: dict[tuple[str, tuple[int, ...]], str] = field(default_factory=dict)
    _named: Counter[str] = field(default_factory=Counter)  # how many tables were made with a name
    _rows: dict[tuple[int, ...], int] = field(default_factory=dict)
    _row_starts: list[int] = field(default_factory=lambda: [0])
    _codes: dict[TrapReason, int] = field(default_factory=dict)
    _types: dict[str, str] = field(default_factory=dict)  # the types of tables, by name
    _arrays: dict[str, int] = field(default_factory=dict)  # how many arrays were made with a name
    places: Places | None = None  # the lines of statements, if the module is to count the work of each line

    def table(self, values: Sequence[int], name: str = "t") -> str:
        """The name of a table of these constants, in capitals; equal tables are one."""
        type = _narrowest_type(values)
        key = (type, tuple(values))
        if key not in self._tables:
            self._named[name] += 1
            self._tables[key] = f"{name.upper()}_{self._named[name]}"
            self._types[self._tables[key]] = type
        return self._tables[key]

    def entry(self, table: str, index: ir.Expr) -> ir.Expr:
        """The entry of a table at an index."""
        return ir.Load(ir.Array(table, self._types[table]), index)

    def array(self, name: str, type: str, size: int) -> str:
        """The name of a new array, declared with this type and number of elements."""
        self._arrays[name] = count = self._arrays.get(name, 0) + 1
        made = name if count == 1 else f"{name}_{count}"
        self.declared.array(made, type, size)
        return made

    def row(self, values: Sequence[int]) -> int:
        """The number of a row of constants, which is added if it is new."""
        row = tuple(values)
        if row not in self._rows:
            self._rows[row] = len(self._rows)
            self._row_starts.append(self._row_starts[-1] + len(row))
        return self._rows[row]

    @property
    def lists(self) -> tuple[tuple[int, ...], ...]:
        """All rows of constants, in the order of their numbers."""
        return tuple(self._rows)

    def row_start(self, row: int) -> int:
        """The index at which a row begins among the items of all rows."""
        return self._row_starts[row]

    def trap(self, message: str, span: Span | None) -> int:
        """The code of the trap with this message and place; a new one if need be."""
        fault = TrapReason(message, span)
        if fault not in self._codes:
            self._codes[fault] = len(self.faults)
            self.faults.append(fault)
        return self._codes[fault]

    def finish_module(self, head: Read) -> module.Module:
        """The whole module, which begins with the declarations of `head`. Tables that no function reads are left
        out."""
        if self.places is not None:
            self.array(LINE_WORK, ir.I64, MOST_LINES)
        head.add(self.declared)
        made = head.read_all()
        above = list(made.functions.values())
        tables = {name: (type, values) for (type, values), name in self._tables.items()} | self._row_tables()
        for name, table in tables.items():
            made.table(name, *table)
        for function in self.functions.values():
            made.declare(function)
        functions = [settle_names(function, made) for function in self.functions.values()]
        read = {name for function in (*above, *functions) for name in walks.names_read(function.body)}
        for name in tables.keys() - read:
            del made.tables[name], made.arrays[name]
        made.functions = {function.name: function for function in (*above, *functions)}
        return made

    def _row_tables(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The tables for rows: ROW_ITEM, all items one row after the other; ROW_START, where each row begins; ROW_SET
        and ROW_SET_2, each row's items as bits; ROW_UP, 1 if they ascend."""
        tables: dict[str, tuple[int, ...]] = {
            "ROW_ITEM": tuple(item for row in self._rows for item in row),
            "ROW_START": tuple(self._row_starts),
            "ROW_SET": tuple(bits_of(row, 0) for row in self._rows),
            "ROW_SET_2": tuple(bits_of(row, 1) for row in self._rows),
            "ROW_UP": tuple(int(all(a < b for a, b in pairwise(row))) for row in self._rows),
        }
        return {name: (_narrowest_type(values), values) for name, values in tables.items()}

    def free_name(self, word: str) -> str:
        """An unused name for a function, made from the word that the author of the game used."""
        base = f"d_{word}" if word.isascii() and word.isidentifier() else "d"
        name, number = base, 1
        while name in self.functions:
            number += 1
            name = f"{base}_{number}"
        return name

    def function(self, writer: Writer, name: str, doc: str, result: str | None = None, **parameters: str) -> None:
        """Add a function to the module: the writer's statements with this name, doc, type of the result (None: no
        result) and types of the parameters."""
        self.add(ir.Function(name, tuple(parameters.items()), result, writer.lines, doc))

    def add(self, function: ir.Function) -> None:
        """Add a function to the module. If it uses `mover`, the mover is read once, at its beginning: nothing changes
        that while a function asks."""
        if self.places is not None:
            function = self.places.count_work(function)
        if any(isinstance(e, ir.Local) and e.name == "mover" for e in walks.expressions(function.body)):
            function = replace(function, body=[ir.Set("mover", STATE[1]), *function.body])
        self.functions[function.name] = function

    def keep_functions(self, names: Collection[str]) -> None:
        """Drop all functions but those of these names."""
        self.functions = {name: made for name, made in self.functions.items() if name in names}


def _has_else(s: ir.Stmt) -> bool:
    """True if an `if` is printed with an `else`, not with an `elif` or alone."""
    return isinstance(s, ir.If) and bool(s.orelse) and not (len(s.orelse) == 1 and isinstance(s.orelse[0], ir.If))


def _narrowest_type(values: Sequence[int]) -> str:
    low, high = min(values, default=0), max(values, default=0)
    if low >= 0 and high < 1 << 8:
        return "u8"
    if low >= -(1 << 15) and high < 1 << 15:
        return "i16"
    return "i32" if low >= -I32 and high < I32 else "i64"
