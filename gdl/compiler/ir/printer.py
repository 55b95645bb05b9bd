"""Kernel code as text: kernel Python, for people, for CPython and for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent, wrap

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.module import BIT_PLACES, Module

INDENT = "    "
LINE = 100  # characters of a line of a table
# How tightly operators bind, loosest first; an operand that binds less tightly stands in parentheses.
CHOICE, OR, AND, NOT, COMPARE, BIT_OR, BIT_XOR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(13)
_LEVEL = {
    "|": BIT_OR, "^": BIT_XOR, "&": BIT_AND, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT,
    "//": PRODUCT, "%": PRODUCT,
}  # fmt: skip


def expression(e: ir.Expr, level: int = CHOICE) -> str:
    """The text of an expression as an operand: in parentheses if its operator binds less tightly than `level`."""
    text, own = _text(e)
    return f"({text})" if own < level else text


def _text(e: ir.Expr) -> tuple[str, int]:
    match e:
        case ir.Local():
            return e.name, ATOM
        case ir.Const():
            text = e.name or repr(e.value)
            return text, UNARY if text.startswith("-") else ATOM
        case ir.Load():
            return f"{e.array.name}[{expression(e.index)}]", ATOM
        case ir.Binary():
            level = _LEVEL[e.op]
            return f"{expression(e.a, level)} {e.op} {expression(e.b, level + 1)}", level
        case ir.Compare():
            return f"{expression(e.a, COMPARE + 1)} {e.op} {expression(e.b, COMPARE + 1)}", COMPARE
        case ir.Logic():
            level, word = (AND, " and ") if e.every else (OR, " or ")
            return word.join(expression(part, level + 1) for part in e.parts), level
        case ir.Unary(op="not"):
            return f"not {expression(e.a, NOT)}", NOT
        case ir.Unary():
            return f"{e.op}{expression(e.a, UNARY)}", UNARY
        case ir.Select():
            test, then = expression(e.test, CHOICE + 1), expression(e.a, CHOICE + 1)
            return f"{then} if {test} else {expression(e.b)}", CHOICE
        case ir.Convert():
            return f"{e.word}({expression(e.a)})", ATOM
        case ir.Call():
            return f"{e.name}({', '.join(_arguments(e))})", ATOM
    raise TypeError(f"no expression: {e!r}")


def _arguments(e: ir.Call) -> Iterator[str]:
    """The texts of a call's arguments, arrays among them, in order."""
    arrays, arguments = iter(e.arrays), iter(e.arguments)
    for kind in ir.STRETCHES[e.name][0] if e.arrays else "i" * len(e.arguments):
        yield next(arrays).name if kind == "a" else expression(next(arguments))


def block(statements: ir.Block, depth: int = 1) -> Iterator[str]:
    """The lines of a block's text, indented `depth` times; for an empty block, `pass`."""
    before = INDENT * depth
    if all(isinstance(statement, ir.Comment) for statement in statements):
        yield from (f"{before}# {comment.text}" for comment in statements if isinstance(comment, ir.Comment))
        yield f"{before}pass"
        return
    for statement in statements:
        yield from _lines(statement, depth)


def _lines(s: ir.Stmt, depth: int, word: str = "if") -> Iterator[str]:
    before = INDENT * depth
    match s:
        case ir.If():
            yield f"{before}{word} {expression(s.test)}:"
            yield from block(s.body, depth + 1)
            if len(s.orelse) == 1 and isinstance(s.orelse[0], ir.If):
                yield from _lines(s.orelse[0], depth, "elif")
            elif s.orelse:
                yield f"{before}else:"
                yield from block(s.orelse, depth + 1)
        case ir.While():
            yield f"{before}while {expression(s.test)}:"
            yield from block(s.body, depth + 1)
        case ir.For():
            bounds = [expression(one) for one in (s.first, s.stop) if one is not None]
            bounds += [] if s.step is None else [str(s.step)]
            yield f"{before}for {s.name} in range({', '.join(bounds)}):"
            yield from block(s.body, depth + 1)
        case _:
            yield before + _line(s)


def _line(s: ir.Stmt) -> str:
    match s:
        case ir.Set():
            type = f": {s.type}" if s.type else ""
            return f"{s.name}{type} = {expression(s.value)}"
        case ir.Store():
            return f"{s.array.name}[{expression(s.index)}] = {expression(s.value)}"
        case ir.Update():
            return f"{expression(s.target)} {s.op}= {expression(s.value)}"
        case ir.Return():
            return "return" if s.value is None else f"return {expression(s.value)}"
        case ir.Break():
            return "break"
        case ir.Continue():
            return "continue"
        case ir.Trap():
            return f"trap({s.code})"
        case ir.Do():
            return expression(s.call)
        case ir.Comment():
            return f"# {s.text}"
    raise TypeError(f"no statement: {s!r}")


def module(m: Module) -> str:
    """The text of a module: its declarations, then its functions."""
    title = f"# {m.title}" if m.title else ""
    constants = "\n".join(f"{name} = const({value!r})" for name, value in m.constants.items())
    memory = "\n".join(_memory(m, array) for array in m.arrays.values())
    head = "\n\n".join(filter(None, (title, constants, memory)))
    return "\n\n\n".join(filter(None, (head, *map(function, m.functions.values())))) + "\n"


def _memory(m: Module, array: ir.Array) -> str:
    name, note = array.name, m.notes.get(array.name)
    if name in m.tables:
        return f"{name} = table({array.type}, {_numbers(m.tables[name])})"
    if name in m.views:
        return f"{name} = view({array.type}, {m.views[name]})"
    text = f"{name} = {'vast' if array.vast else 'array'}({array.type}, {array.count})"
    return f"{text}  # {note}" if note else text


def _numbers(values: Sequence[int]) -> str:
    """The text of a table's numbers, broken into lines of at most LINE characters."""
    if tuple(values) == BIT_PLACES:
        return "BIT_PLACES"
    lines = wrap(", ".join(map(str, values)) + ("," if len(values) == 1 else ""), LINE, break_on_hyphens=False)
    if len(lines) == 1:
        return f"({lines[0]})"
    return "(\n" + indent("\n".join(lines), INDENT) + "\n)"


def function(f: ir.Function) -> str:
    """A function's text."""
    parameters = ", ".join(f"{name}: {type}" for name, type in f.parameters)
    head = [f"def {f.name}({parameters}) -> {f.result}:"]
    head += [f'{INDENT}"""{f.doc}"""'] if f.doc else []
    return "\n".join([*head, *block(f.body)])
