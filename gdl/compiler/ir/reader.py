"""Kernel Python read into nodes: what a module declares, and its functions, one by one as they are asked for.

A body is read as it is written, and then its names get their types (settling.py). All declarations are known before,
since a kernel may call what is joined behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial

from gdl.compiler.ir import build
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.module import BIT_PLACES, Module
from gdl.compiler.ir.settling import settle_names
from gdl.compiler.joining import WRONG, Code, KernelPart, locate_error

_BINARY: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_COMPARE: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_UNARY: dict[type[ast.AST], str] = {ast.USub: "-", ast.Invert: "~", ast.Not: "not"}


class Read(Module):
    """A module read from pieces of code; a function's body is read when it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self._bodies: dict[str, list[ast.stmt]] = {}  # bodies not read yet
        self._open: set[str] = set()  # the functions that are nodes whose names have no types yet

    def function(self, name: str) -> ir.Function:
        """The function with its body, which is read now if it has not been."""
        found = self.functions[name]
        if name in self._bodies:
            found.body = _read_body(found, self._bodies.pop(name))
            found.body = settle_names(found, self).body
        elif name in self._open:
            self._open.remove(name)
            found = self.functions[name] = settle_names(found, self)
        return found

    def read_all(self) -> Read:
        """The module with the bodies of all functions read. (Threads may share a module only after that.)"""
        for name in self.functions:
            self.function(name)
        return self

    def take(self, code: Code) -> Read:
        """Take in pieces of a module, and give the module itself. Raises KernelError where a piece is no kernel
        Python."""
        for piece in [code] if isinstance(code, str) else code:
            if isinstance(piece, Module):
                if isinstance(piece, Read):
                    piece.read_all()
                for name in (*piece.constants, *piece.arrays, *piece.functions):
                    self._check_new(name)
                self.add(piece)
                self._open |= set() if piece.settled else piece.functions.keys()
                continue
            file, tree = piece if isinstance(piece, KernelPart) else ("<kernel>", ast.parse(piece))
            for node in tree.body:
                try:
                    self._declare(file, node)
                except WRONG as wrong:
                    raise locate_error(wrong, file, node.lineno) from wrong
        return self

    def declare(self, function: ir.Function) -> None:
        """Add a function that is given as nodes."""
        self._check_new(function.name)
        self.functions[function.name] = function

    def _declare(self, file: str, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef(name=name):
                self._check_new(name)
                self.functions[name] = function_header(node, file)
                self._bodies[name] = node.body
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind), args=arguments)):
                self._check_new(name)
                self._memory(name, kind, arguments)
            case ast.Expr(value=ast.Constant()):
                pass  # a docstring
            case _:
                raise ValueError(f"no kernel Python: {ast.unparse(node)}")

    def _check_new(self, name: str) -> None:
        """Raise ValueError if the name is declared already, unless as a function that only traps, which others
        replace."""
        if self.declares(name) and not self._only_traps(name):
            raise ValueError(f"kernel Python has two things called {name}")
        self._open.discard(name)

    def _only_traps(self, name: str) -> bool:
        """True if a function does nothing but end in a fault."""
        if name in self._bodies:
            body = self._bodies[name]
            return len(body) <= 2 and _is_trap(body[-1])  # behind its docstring
        read = self.functions[name].body if name in self.functions else []
        return len(read) == 1 and isinstance(read[0], ir.Trap)

    def _memory(self, name: str, kind: str, arguments: Sequence[ast.expr]) -> None:
        """Declare one constant, array (perhaps a vast one), table or view."""
        if kind == "const":
            self.constants[name] = self._value(arguments[0])
            return
        type = _type(arguments[0])
        if kind == "view":
            assert isinstance(arguments[1], ast.Name)
            self.view(name, type, arguments[1].id)
        elif kind == "table":
            content = arguments[1]
            self.table(name, type, BIT_PLACES if isinstance(content, ast.Name) else ast.literal_eval(content))
        else:
            self.array(name, type, int(self._value(arguments[1])), vast=kind == "vast")

    def _value(self, expression: ast.expr) -> int | float:
        """The number that an expression over declared constants gives."""
        found: int | float = eval(compile(ast.Expression(expression), "<kernel>", "eval"), {}, self.constants)
        return found


def _type(expression: ast.expr | None) -> str:
    match expression:
        case ast.Name(id=type) | ast.Constant(value=str(type)) if type in ir.RANGE:
            return type
    raise ValueError("a type of kernel Python is u8, i16, i32, i64 or f64")


def function_header(node: ast.FunctionDef, file: str = "") -> ir.Function:
    """A function without its body: name, types, doc and place."""
    nothing = isinstance(node.returns, ast.Constant) and node.returns.value is None
    parameters = tuple((argument.arg, _type(argument.annotation)) for argument in node.args.args)
    doc = ast.get_docstring(node, clean=False) or ""
    return ir.Function(node.name, parameters, None if nothing else _type(node.returns), [], doc, file, node.lineno)


def function(node: ast.FunctionDef) -> ir.Function:
    """A function whose names have no types yet."""
    made = function_header(node)
    made.body = _read_body(made, node.body)
    return made


def _read_body(function: ir.Function, body: Sequence[ast.stmt]) -> ir.Block:
    """The statements of a function's body or of a block inside; names get their types later."""
    made: ir.Block = []
    for node in body:
        try:
            statement = _statement(node, partial(_read_body, function))
        except WRONG as wrong:
            raise locate_error(wrong, function.file, node.lineno, function.name) from wrong
        if statement is not None:
            statement.line = node.lineno
            made.append(statement)
    return made


def _statement(node: ast.stmt, block: Callable[[Sequence[ast.stmt]], ir.Block]) -> ir.Stmt | None:
    """A statement; `block` reads the blocks inside. None for `pass` and for docstrings."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            return ir.If(expression(test), block(body), block(orelse))
        case ast.While(test=test, body=body):
            return ir.While(expression(test), block(body))
        case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
            return _for(name, [expression(bound) for bound in bounds], block(body))
        case ast.Assign(targets=[target], value=value):
            return _assign(target, expression(value), None)
        case ast.AnnAssign(target=target, value=ast.expr() as value, annotation=annotation):
            return _assign(target, expression(value), _type(annotation))
        case ast.AugAssign(target=target, op=op, value=value):
            place = expression(target)
            assert isinstance(place, ir.Local | ir.Load)
            return ir.Update(place, _BINARY[type(op)], expression(value))
        case ast.Return(value=value):
            return ir.Return(None if value is None else expression(value))
        case ast.Break():
            return ir.Break()
        case ast.Continue():
            return ir.Continue()
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments)):
            return _do(name, arguments)
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return None
    raise ValueError(f"no statement of kernel Python: {ast.unparse(node)}")


def _assign(target: ast.expr, value: ir.Expr, type: str | None) -> ir.Stmt:
    match target:
        case ast.Name(id=name):
            return ir.Set(name, value, type)
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            return ir.Store(ir.Array(name, ir.I32), expression(index), value)
    raise ValueError(f"nothing to assign to: {ast.unparse(target)}")


def _for(name: str, bounds: list[ir.Expr], body: ir.Block) -> ir.Stmt:
    first, stop = (None, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    step = bounds[2].constant if len(bounds) == 3 else 1
    if not step:
        raise ValueError("the step of a range is a constant other than 0")
    return ir.For(name, first, stop, step if len(bounds) == 3 else None, body)


def _do(name: str, arguments: Sequence[ast.expr]) -> ir.Stmt:
    if name == "trap":
        code = expression(arguments[0]).constant
        if code is None:
            raise ValueError("the code of a trap is a constant")
        return ir.Trap(code)
    return ir.Do(_stretch(name, arguments) if name in ir.STRETCHES else build.call(name, *map(expression, arguments)))


def expression(node: ast.expr) -> ir.Expr:
    """An expression whose names have no types yet: a name is a local variable of i32, an array one of i32."""
    match node:
        case ast.Constant(value=bool(value)):
            return ir.Const(int(value))
        case ast.Constant(value=int() | float() as value):
            return ir.Const(value)
        case ast.Name(id=name):
            return ir.Local(name)
        case ast.Subscript(value=array, slice=index):
            return ir.Load(_array(array), expression(index))
        case ast.BinOp(left=left, op=op, right=right):
            return ir.Binary(_BINARY[type(op)], expression(left), expression(right))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return ir.Const(-value)
        case ast.UnaryOp(op=op, operand=operand):
            return ir.Unary(_UNARY[type(op)], expression(operand))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return ir.Compare(_COMPARE[type(op)], expression(left), expression(right))
        case ast.BoolOp(op=op, values=values):
            return ir.Logic(isinstance(op, ast.And), tuple(map(expression, values)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ir.Select(expression(test), expression(body), expression(orelse))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments)
    raise ValueError(f"no expression of kernel Python: {ast.unparse(node)}")


def _array(node: ast.expr) -> ir.Array:
    assert isinstance(node, ast.Name)
    return ir.Array(node.id, ir.I32)


def _call(name: str, arguments: Sequence[ast.expr]) -> ir.Expr:
    """A call as a value: a conversion, another word of kernel Python, or a function of the module."""
    if name in ir.STRETCHES:
        return _stretch(name, arguments)
    if name in ("wrap64", "i32", "i64", "f64"):
        return ir.Convert(name, expression(arguments[0]))
    return build.call(name, *map(expression, arguments))


def _stretch(name: str, arguments: Sequence[ast.expr]) -> ir.Call:
    """The call of a word of STRETCHES."""
    kinds, type, low, high = ir.STRETCHES[name]
    given = list(zip(kinds, arguments, strict=True))
    numbers = tuple(expression(argument) for kind, argument in given if kind == "i")
    arrays = tuple(_array(argument) for kind, argument in given if kind == "a")
    return ir.Call(name, numbers, type, low, high, arrays)


def _is_trap(statement: ast.stmt) -> bool:
    """True if a statement is a call of `trap`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="trap"))):
            return True
    return False


def read(code: Code) -> Read:
    """The module made of these pieces of code."""
    return Read().take(code)
