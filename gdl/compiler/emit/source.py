"""Kernel Python read: what a module declares, where its memory lies, and which functions call which."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from struct import pack

from gdl.compiler.joining import WRONG, Code, Part, placed
from gdl.compiler.python import BIT_PLACES

SIZE = {"u8": 1, "i16": 2, "i32": 4, "i64": 8, "f64": 8}
FORMAT = {"u8": "B", "i16": "h", "i32": "i", "i64": "q", "f64": "d"}  # as Python's struct and memoryview call them
ALIGNMENT = 16
TRAP_CODE = 0  # where a trap leaves its code
_FIRST = 16  # where the memory of the module begins
_TABLE = re.compile(r"^(\w+ = table\(\w+, )\(([-\d,\s]+)\)\)", re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """Where an array or a table lies in memory."""

    type: str
    offset: int
    count: int
    vast: bool = False  # in the memory with addresses of 64 bits


@dataclass
class Function:
    """A function's text and signature."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    result: str | None
    body: list[ast.stmt]
    file: str
    size: int  # nodes of its text
    calls: list[str] = field(default_factory=list)  # of functions of the module; one for each place


@dataclass
class Source:
    """A module of kernel Python."""

    constants: dict[str, int | float]
    places: dict[str, Place]
    data: list[tuple[int, bytes]]  # what memory holds at the start: (offset, content)
    functions: dict[str, Function]
    size: int  # bytes of memory
    vast: int = 0  # bytes of the memory with addresses of 64 bits


def read(code: Code) -> Source:
    """Read a module. It is the compiler's own code, so what does not fit is a bug, reported as KernelError."""
    module = Source({}, {}, [], {}, _FIRST)
    for piece in [code] if isinstance(code, str) else code:
        rows: list[str] = []  # the numbers of tables, which are most of the text, are no matter for Python's parser
        file, tree = piece if isinstance(piece, Part) else ("<kernel>", ast.parse(_without_rows(piece, rows)))
        for part in tree.body:
            try:
                _take(module, file, part, rows)
            except WRONG as wrong:
                raise placed(wrong, file, part) from wrong
    for function in module.functions.values():
        function.calls = [name for name in _called(function.body) if name in module.functions]
    return module


def _without_rows(text: str, rows: list[str]) -> str:
    """The text with the place among `rows` for the numbers of each table."""

    def numbered(table: re.Match[str]) -> str:
        rows.append(table[2])
        return f"{table[1]}{len(rows) - 1})"

    return _TABLE.sub(numbered, text)


def _take(module: Source, file: str, part: ast.stmt, rows: list[str]) -> None:
    """Take one declaration or function into the module."""
    _check_new(module, part)
    match part:
        case ast.FunctionDef():
            module.functions[part.name] = _function(part, file)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind), args=arguments)):
            _declare(module, name, kind, arguments, rows)
        case ast.Expr(value=ast.Constant()):
            pass  # a docstring
        case _:
            raise ValueError(f"no kernel Python: {ast.unparse(part)}")


def _check_new(module: Source, part: ast.stmt) -> None:
    """A game and a kernel that it is joined with must not give one name to two things, unless it is a function that
    only traps, for others to replace."""
    name = part.name if isinstance(part, ast.FunctionDef) else ""
    if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
        name = part.targets[0].id
    known = module.functions.get(name)
    if known and "trap" in _called(known.body[-1:]) and len(known.body) <= 2:  # behind its docstring
        return
    if known or name in module.places or name in module.constants:
        raise ValueError(f"kernel Python has two things called {name}")


def _declare(module: Source, name: str, kind: str, arguments: list[ast.expr], rows: list[str]) -> None:
    """One constant, array (perhaps a vast one), table or view."""
    if kind == "const":
        module.constants[name] = _value(module, arguments[0])
        return
    type = _type(arguments[0])
    if kind == "view":
        assert isinstance(arguments[1], ast.Name)
        seen = module.places[arguments[1].id]
        module.places[name] = Place(type, seen.offset, seen.count * SIZE[seen.type] // SIZE[type])
        return
    if kind == "vast":
        count = _number(module, arguments[1])
        module.places[name] = Place(type, module.vast, count, vast=True)
        module.vast += count * SIZE[type]
        return
    values: list[int] = []
    if kind == "table" and isinstance(arguments[1], ast.Name):
        values = list(BIT_PLACES)  # the one table that has a name
    elif kind == "table":
        values = [int(number) for number in rows[_number(module, arguments[1])].split(",") if number.strip()]
    count = len(values) if kind == "table" else _number(module, arguments[1])
    place = module.places[name] = Place(type, module.size, count)
    if any(values):
        module.data.append((place.offset, pack(f"<{count}{FORMAT[type]}", *values)))
    module.size += -(-count * SIZE[type] // ALIGNMENT) * ALIGNMENT


def _number(module: Source, expression: ast.expr) -> int:
    return int(_value(module, expression))


def _value(module: Source, expression: ast.expr) -> int | float:
    """A number made from constants."""
    found: int | float = eval(compile(ast.Expression(expression), "<kernel>", "eval"), {}, module.constants)
    return found


def _type(expression: ast.expr | None) -> str:
    match expression:
        case ast.Name(id=type) | ast.Constant(value=str(type)) if type in SIZE:
            return type
    raise ValueError("a type of kernel Python is u8, i16, i32, i64 or f64")


def _function(part: ast.FunctionDef, file: str) -> Function:
    nothing = isinstance(part.returns, ast.Constant) and part.returns.value is None
    return Function(
        part.name,
        tuple((argument.arg, _type(argument.annotation)) for argument in part.args.args),
        None if nothing else _type(part.returns),
        part.body,
        file,
        sum(1 for _ in ast.walk(part)),
    )


def _called(body: list[ast.stmt]) -> list[str]:
    return [
        node.func.id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def reachable(module: Source, entries: list[str]) -> list[str]:
    """The functions that the entries lead to, themselves included, in the order of the module."""
    found = set(entries)
    work = list(entries)
    while work:
        for name in module.functions[work.pop()].calls:
            if name not in found:
                found.add(name)
                work.append(name)
    return [name for name in module.functions if name in found]
