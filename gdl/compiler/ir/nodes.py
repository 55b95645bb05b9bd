"""The intermediate representation below core: kernel code as typed nodes.

An expression knows its type (i32, i64 or f64; an element of u8 or i16 is read as i32) and, where it is a whole number,
an interval that it surely lies in. Two expressions are equal if they are built alike; the interval is a fact about an
expression, not a part of it. Statements stand in blocks, lists that are filled while a function is written and
left alone afterwards. Kernel Python is the printed form (printer.py); kernel files come in by reader.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gdl.errors import InternalError
from gdl.model.intervals import combine_intervals

I32, I64, F64 = "i32", "i64", "f64"
RANGE = {
    "u8": (0, 255), "i16": (-(1 << 15), (1 << 15) - 1), I32: (-(1 << 31), (1 << 31) - 1),
    I64: (-(1 << 63), (1 << 63) - 1), F64: (0, -1),
}  # fmt: skip
SIZE = {"u8": 1, "i16": 2, I32: 4, I64: 8, F64: 8}  # bytes of an element
STACKED = {"u8": I32, "i16": I32}  # the type that an element of such an array has once it is read


OPPOSITE = {"==": "!=", "!=": "==", "<=": ">", ">=": "<", "<": ">=", ">": "<="}  # comparison -> its negation


class Array:
    """The memory of a module under one name: an array, a table of constants or a view of another array."""

    __slots__ = ("count", "name", "type", "vast")

    def __init__(self, name: str, type: str, count: int | None = None, vast: bool = False):
        """`count` is the number of elements, None where it is not known here; `vast`: with addresses of 64 bits."""
        self.name, self.type, self.count, self.vast = name, type, count, vast

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __getitem__(self, index: Code) -> Load:
        return Load(self, expr(index))


# ---- Expressions ------------------------------------------------------------------------------------------------


def _operator(op: str) -> Callable[[Expr, Code], Expr]:
    """The method of Expr for an operator of Python."""
    return lambda a, b: Binary(op, a, expr(b))


class Expr:
    """An expression. A whole number lies from `low` to `high`; for f64 the two are an empty interval. The operators of
    Python make expressions: `a + 1` is a Binary."""

    __slots__ = ("hash", "high", "low", "type")
    INNER: ClassVar[tuple[str, ...]] = ()  # the names of the fields that are expressions
    atomic: ClassVar[bool] = False  # whether writing it again costs no work
    type: str
    low: int
    high: int
    hash: int

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or self.hash != other.hash:
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return self.hash

    __add__ = _operator("+")
    __sub__ = _operator("-")
    __mul__ = _operator("*")
    __truediv__ = _operator("/")
    __floordiv__ = _operator("//")
    __mod__ = _operator("%")
    __and__ = _operator("&")
    __or__ = _operator("|")
    __xor__ = _operator("^")
    __lshift__ = _operator("<<")
    __rshift__ = _operator(">>")

    def __invert__(self) -> Expr:
        return Unary("~", self)

    @property
    def inner(self) -> tuple[Expr, ...]:
        """The expressions directly inside."""
        return tuple([getattr(self, name) for name in self.INNER])

    @property
    def constant(self) -> int | None:
        """The value, if the expression is written as a whole number; else None."""
        return None

    @property
    def natural(self) -> bool:
        """True if the value is surely a whole number from 0 up."""
        return 0 <= self.low <= self.high

    def _settle(self, type: str, low: int | None = None, high: int | None = None, *made_of: Any) -> None:
        """Set the type, the interval (None: that of the whole type), and the hash, made of all that equal expressions
        share."""
        self.type = type
        least, most = RANGE[type]
        self.low, self.high = least if low is None else low, most if high is None else high
        self.hash = hash(made_of)


class Const(Expr):
    """A number, or with a `name` a constant of the module (`STATE`)."""

    __slots__ = ("name", "value")
    atomic = True

    def __init__(self, value: int | float, type: str | None = None, name: str = ""):
        self.value, self.name = +value, name  # a truth becomes 1 or 0
        if isinstance(value, float):
            self._settle(F64, None, None, F64, value, name)
        else:
            fits = -(1 << 31) <= value < 1 << 31
            self._settle(type or (I32 if fits else I64), value, value, value, name)

    @property
    def constant(self) -> int | None:
        return None if isinstance(self.value, float) else self.value


class Local(Expr):
    """A local variable of a function."""

    __slots__ = ("name",)
    atomic = True

    def __init__(self, name: str, type: str = I32, low: int | None = None, high: int | None = None):
        self.name = name
        self._settle(type, low, high, name)


class Load(Expr):
    """An element of an array."""

    __slots__ = ("array", "index")
    INNER = ("index",)

    def __init__(self, array: Array, index: Expr):
        self.array, self.index = array, index
        self._settle(STACKED.get(array.type, array.type), *RANGE[array.type], array.name, index.hash)


class Unary(Expr):
    """`-a`, `~a` or `not a`."""

    __slots__ = ("a", "op")
    INNER = ("a",)

    def __init__(self, op: str, a: Expr):
        self.op, self.a = op, a
        if op == "not":
            self._settle(I32, 0, 1, op, a.hash)
        else:
            low, high = (-a.high, -a.low) if op == "-" else (~a.high, ~a.low)
            self._settle(a.type, *clip_interval(a.type, low, high), op, a.hash)


class Binary(Expr):
    """The operations `+ - * // % & | ^` of two numbers, converted to the wider type; `<< >>`, in the type of the left
    one; `/`, which gives f64."""

    __slots__ = ("a", "b", "op")
    INNER = ("a", "b")

    def __init__(self, op: str, a: Expr, b: Expr):
        self.op, self.a, self.b = op, a, b
        type = F64 if op == "/" else a.type if op in ("<<", ">>") else wider_type(a.type, b.type)
        self._settle(type, *(RANGE[F64] if type == F64 else _interval(op, a, b, type)), op, a.hash, b.hash)


class Compare(Expr):
    """`== != < <= > >=`: 1 or 0."""

    __slots__ = ("a", "b", "op")
    INNER = ("a", "b")

    def __init__(self, op: str, a: Expr, b: Expr):
        self.op, self.a, self.b = op, a, b
        self._settle(I32, 0, 1, op, a.hash, b.hash)


class Logic(Expr):
    """`and` (`every`) or `or` of truths: a part is evaluated only if the parts before it do not decide."""

    __slots__ = ("every", "parts")

    def __init__(self, every: bool, parts: tuple[Expr, ...]):
        self.every, self.parts = every, parts
        self._settle(I32, 0, 1, every, *[part.hash for part in parts])

    @property
    def inner(self) -> tuple[Expr, ...]:
        return self.parts


class Select(Expr):
    """`a if test else b`."""

    __slots__ = ("a", "b", "test")
    INNER = ("test", "a", "b")

    def __init__(self, test: Expr, a: Expr, b: Expr):
        self.test, self.a, self.b = test, a, b
        bounds = min(a.low, b.low), max(a.high, b.high)
        self._settle(wider_type(a.type, b.type), *bounds, "if", test.hash, a.hash, b.hash)


class Convert(Expr):
    """`i32(a)`, `i64(a)` or `f64(a)`; or `wrap64(a)`, which allows the sum or product inside to wrap around."""

    __slots__ = ("a", "word")
    INNER = ("a",)

    def __init__(self, word: str, a: Expr):
        self.word, self.a = word, a
        type = I64 if word == "wrap64" else word
        bounds = RANGE[type] if word == "wrap64" or a.type == F64 else clip_interval(type, a.low, a.high)
        self._settle(type, *bounds, word, a.hash)


# Words that take elements of arrays side by side. For each: its arguments in order (`a` an array, `i` a number, such as
# the index of an array's first element), the type of its value, and the least and greatest value (None: of the type).
STRETCHES: Mapping[str, tuple[str, str, int | None, int | None]] = {
    "equal": ("aiaii", I32, 0, 1), "above": ("aiii", I64, None, None), "swap": ("aii", I32, 0, 255),
    "dot_words": ("aiaii", I32, None, None), "copy": ("aiaii", I32, 0, 0), "positive": ("aii", I32, 0, 0),
    "add_words": ("aiaiaii", I32, 0, 0), "dense": ("aiaiaiiii", I32, 0, 0),
}  # fmt: skip
ALTERING = ("copy", "positive", "add_words", "dense")  # words of STRETCHES without a value
WORDS = ("popcount", "ctz", "clz", "bit", "sqrt", *STRETCHES)  # the words that calls name, besides functions


class Call(Expr):
    """A call of a function of the module, or of a word of kernel Python such as popcount. `arrays` are the array
    arguments of a word of STRETCHES; `arguments` are the others."""

    __slots__ = ("arguments", "arrays", "name")

    def __init__(
        self, name: str, arguments: tuple[Expr, ...], type: str, low: int | None = None, high: int | None = None,
        arrays: tuple[Array, ...] = (),
    ):  # fmt: skip
        self.name, self.arguments, self.arrays = name, arguments, arrays
        self._settle(type, low, high, name, *[argument.hash for argument in arguments])

    @property
    def inner(self) -> tuple[Expr, ...]:
        return self.arguments


Code = Expr | str | int  # an expression: a node, the name of a variable or of a constant, or a number


def expr(code: Code) -> Expr:
    """The node of a piece of Code."""
    if isinstance(code, Expr):
        return code
    if isinstance(code, str):
        if not code.isidentifier():
            raise InternalError(code)
        return Local(code)
    return Const(code)


def wider_type(a: str, b: str) -> str:
    """The wider of two types, to which both operands are converted."""
    return F64 if F64 in (a, b) else max(a, b)  # "i32" < "i64"


def clip_interval(type: str, low: int, high: int) -> tuple[int, int]:
    """The interval itself if it lies in the type's range, else the whole range."""
    least, most = RANGE[type]
    return (low, high) if least <= low <= high <= most else (least, most)


def _interval(op: str, a: Expr, b: Expr, type: str) -> tuple[int, int]:
    """An interval in which the result of an operation surely lies."""
    low, high = RANGE[type]
    if op in ("+", "-", "*") or (op in ("//", "%") and b.low > 0):
        low, high = combine_intervals(op, (a.low, a.high), (b.low, b.high))
    elif op == "&" and (a.natural or b.natural):
        low, high = 0, min(one.high for one in (a, b) if one.natural)
    elif op in ("|", "^") and a.natural and b.natural:
        low, high = 0, (1 << max(a.high, b.high).bit_length()) - 1
    elif op == ">>" and a.natural and b.natural:
        low, high = a.low >> min(b.high, 64), a.high >> min(b.low, 64)
    return clip_interval(type, low, high)


# ---- Statements -------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Stmt:
    """A statement. `line` is its line in a kernel file; 0 if the compiler has written it."""

    EXPRS: ClassVar[tuple[str, ...]] = ()  # the names of the fields that are expressions, or None
    BLOCKS: ClassVar[tuple[str, ...]] = ()  # the names of the fields that are blocks
    line: int = field(default=0, kw_only=True)


Block = list[Stmt]


@dataclass(slots=True, eq=False)
class Set(Stmt):
    """The statement `name = value`. The first one of a name declares the variable; `name: i64 = value` gives its
    type."""

    EXPRS = ("value",)
    name: str
    value: Expr
    type: str | None = None  # None: the type of the first value


@dataclass(slots=True, eq=False)
class Store(Stmt):
    """The statement `array[index] = value`."""

    EXPRS = ("index", "value")
    array: Array
    index: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Update(Stmt):
    """The statement `target op= value`; the index of an element is evaluated once."""

    EXPRS = ("target", "value")
    target: Local | Load
    op: str
    value: Expr


@dataclass(slots=True, eq=False)
class If(Stmt):
    EXPRS = ("test",)
    BLOCKS = ("body", "orelse")
    test: Expr
    body: Block = field(default_factory=list)
    orelse: Block = field(default_factory=list)


@dataclass(slots=True, eq=False)
class While(Stmt):
    EXPRS = ("test",)
    BLOCKS = ("body",)
    test: Expr
    body: Block = field(default_factory=list)


@dataclass(slots=True, eq=False)
class For(Stmt):
    """The statement `for name in range(first, stop, step)`: the bounds are evaluated once; the step is a constant, 1 if
    None."""

    EXPRS = ("first", "stop")
    BLOCKS = ("body",)
    name: str
    first: Expr | None  # None: from 0, and only `stop` is written
    stop: Expr
    step: int | None = None
    body: Block = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Return(Stmt):
    EXPRS = ("value",)
    value: Expr | None = None


@dataclass(slots=True, eq=False)
class Break(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Continue(Stmt):
    pass


@dataclass(slots=True, eq=False)
class Trap(Stmt):
    """The end of play by a fault, which the code identifies."""

    code: int


@dataclass(slots=True, eq=False)
class Do(Stmt):
    """A call as a statement; a result is dropped."""

    EXPRS = ("call",)
    call: Call


@dataclass(slots=True, eq=False)
class Comment(Stmt):
    """A comment, for people who read the printed module."""

    text: str


@dataclass(slots=True, eq=False)
class Function:
    """A function of a module; `result` is the type of its value, None if it gives none."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # names and types
    result: str | None
    body: Block
    doc: str = ""
    file: str = ""  # the kernel file it comes from; empty: the compiler has written it
    line: int = 0
