"""Statements of kernel Python -> WebAssembly code."""

from __future__ import annotations

import ast

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.expressions import Code, Scope, literal
from gdl.compiler.emit.source import Function
from gdl.compiler.emit.stretches import Stretches
from gdl.compiler.joining import WRONG, placed

UNROLLED_TURNS = 8  # turns of a loop that are written out one after the other,
UNROLLED_NODES = 400  # if they have so few nodes together
_OPPOSITE: dict[type[ast.AST], ast.cmpop] = {
    ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(),
    ast.Lt: ast.GtE(), ast.GtE: ast.Lt(), ast.Gt: ast.LtE(), ast.LtE: ast.Gt(),
}  # fmt: skip


class FunctionWriter(Stretches):
    """Writes one function."""

    def function(self, function: Function) -> bytes:
        """The function's entry in the code section."""
        self.scope = Scope(function.result, name=function.name, file=function.file)
        for name, type in function.parameters:
            self.scope.names[name] = self.fresh(type)
        code = self.block(function.body)
        if function.result is not None:
            code += wasm.UNREACHABLE  # its end is not reached
        return wasm.body(self.locals[len(function.parameters) :], code)

    def inline(self, function: Function) -> bytes:
        """The function's body as a block; its arguments are on the stack."""
        outside = self.scope
        with self.opened() as label:
            self.scope = Scope(function.result, label, name=function.name, file=function.file)
            code = b""
            for name, type in function.parameters:
                self.scope.names[name] = self.fresh(type)
                code = wasm.SET + wasm.unsigned(self.scope.names[name]) + code
            inside = self.block(function.body)
        self.scope = outside
        if function.result is not None:
            inside += wasm.UNREACHABLE
        return code + wasm.BLOCK + wasm.VALUE[function.result] + inside + wasm.END

    def block(self, statements: list[ast.stmt]) -> bytes:
        code = []
        for statement in statements:
            scope = self.scope
            try:
                code.append(self.statement(statement))
            except WRONG as wrong:
                raise placed(wrong, scope.file, statement, scope.name) from wrong
        return b"".join(code)

    def statement(self, node: ast.stmt) -> bytes:
        match node:
            case ast.Assign(targets=[target], value=value):
                return self._assign(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value, annotation=ast.Name(id=type)):
                return self._assign(target, value, type)
            case ast.AugAssign(target=target, op=op, value=value):
                return self._augment(target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._if(test, body, orelse)
            case ast.While(test=test, body=body):
                return self._while(test, body)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=bounds), body=body):
                return self._for(name, bounds, body)
            case ast.Return(value=value):
                return self._return(value)
            case ast.Break():
                return self.jump(self.scope.loops[-1][0])
            case ast.Continue():
                return self.jump(self.scope.loops[-1][1])
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments)):
                return self._do(name, arguments)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return b""
        raise ValueError(f"no statement of kernel Python: {ast.unparse(node)}")

    # -- assignment ------------------------------------------------------------------------------------------

    def _assign(self, target: ast.expr, value: ast.expr, type: str | None = None) -> bytes:
        found = self.expression(value)
        match target:
            case ast.Name(id=name):
                if name not in self.scope.names:
                    self.scope.names[name] = self.fresh(type or found.type)
                local = self.scope.names[name]
                return self.widened(found, self.locals[local]).code + wasm.SET + wasm.unsigned(local)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                place = self.module.places[name]
                kind = place.type
                address, offset = self.address(name, index)
                wanted = kind if kind in ("i64", "f64") else "i32"
                return address + self.widened(found, wanted).code + wasm.access(wasm.STORE[kind], offset, place.vast)
        raise ValueError(f"nothing to assign to: {ast.unparse(target)}")

    def _augment(self, target: ast.expr, op: ast.operator, value: ast.expr) -> bytes:
        """`target op= value`; an index is evaluated once."""
        before = b""
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Name | ast.Constant):
            index = ast.Name(f"{len(self.locals)}", ast.Load())  # no name of the module's
            before = self._assign(index, target.slice)
            target = ast.Subscript(target.value, index, ast.Load())
        return before + self._assign(target, ast.BinOp(target, op, value))

    # -- control ---------------------------------------------------------------------------------------------

    def _if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> bytes:
        with self.opened() as end:
            if not orelse:
                return wasm.BLOCK + wasm.VALUE[None] + self._unless(test, end) + self.block(body) + wasm.END
            with self.opened() as other:
                inside = self._unless(test, other) + self.block(body) + self.jump(end)
            code = wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END + self.block(orelse)
            return wasm.BLOCK + wasm.VALUE[None] + code + wasm.END

    def _unless(self, test: ast.expr, label: int) -> bytes:
        """Jump where the test is false."""
        match test:
            case ast.BoolOp(op=ast.And(), values=values):
                return b"".join([self._unless(value, label) for value in values])
            case ast.BoolOp(op=ast.Or(), values=values):
                with self.opened() as yes:
                    inside = b"".join([self._when(value, yes) for value in values[:-1]])
                    inside += self._unless(values[-1], label)
                return wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._when(operand, label)
            case ast.Compare(left=left, ops=[op], comparators=comparators):
                return self._when(ast.Compare(left, [_OPPOSITE[type(op)]], comparators), label)
        return self.truth(test) + wasm.OPERATION["i32", "eqz"] + self.jump(label, wasm.BRANCH_IF)

    def _when(self, test: ast.expr, label: int) -> bytes:
        """Jump where the test is true."""
        match test:
            case ast.BoolOp(op=ast.Or(), values=values):
                return b"".join([self._when(value, label) for value in values])
            case ast.BoolOp(op=ast.And(), values=values):
                with self.opened() as no:
                    inside = b"".join([self._unless(value, no) for value in values[:-1]])
                    inside += self._when(values[-1], label)
                return wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._unless(operand, label)
        return self.truth(test) + self.jump(label, wasm.BRANCH_IF)

    def _while(self, test: ast.expr, body: list[ast.stmt]) -> bytes:
        with self.opened() as end, self.opened() as top:
            self.scope.loops.append((end, top))
            inside = self._unless(test, end) + self.block(body) + self.jump(top)
            self.scope.loops.pop()
        return wasm.BLOCK + wasm.VALUE[None] + wasm.LOOP + wasm.VALUE[None] + inside + wasm.END + wasm.END

    def _for(self, name: str, bounds: list[ast.expr], body: list[ast.stmt]) -> bytes:
        """`for name in range(…)`: the bounds are evaluated once; a counter of its own lets the body change the name."""
        first, last = (literal(0), bounds[0]) if len(bounds) == 1 else (self.expression(bounds[0]), bounds[1])
        step = self.expression(bounds[2]).known if len(bounds) == 3 else 1
        stop = self.expression(last)
        if not step:
            raise ValueError("the step of a range is a constant other than 0")
        first, stop = self.met(first, stop)
        type = first.type
        if first.known is not None and stop.known is not None:
            turns = range(first.known, stop.known, step)
            if self._is_brief(turns, body) and not _assigns(body, name):
                return self._turn_by_turn(name, [literal(number, type) for number in turns], body)
        counter = wasm.unsigned(self.fresh(type))
        limit = wasm.unsigned(self.fresh(type))
        before = first.code + wasm.SET + counter + stop.code + wasm.SET + limit
        target = self.scope.names.setdefault(name, self.fresh(type))
        done = wasm.GET + counter + wasm.GET + limit + wasm.OPERATION[type, "ge_s" if step > 0 else "le_s"]
        further = literal(step, type).code + wasm.OPERATION[type, "add"] + wasm.SET + counter
        natural = first.natural and step > 0 and name not in self.scope.naturals and not _assigns(body, name)
        if natural:
            self.scope.naturals.add(name)
        with self.opened() as end, self.opened() as top:
            self.scope.loops.append((end, top))
            inside = done + self.jump(end, wasm.BRANCH_IF)
            inside += wasm.GET + counter + wasm.TEE + wasm.unsigned(target) + further
            inside += self.block(body) + self.jump(top)
            self.scope.loops.pop()
        if natural:
            self.scope.naturals.remove(name)
        return before + wasm.BLOCK + wasm.VALUE[None] + wasm.LOOP + wasm.VALUE[None] + inside + wasm.END + wasm.END

    def _is_brief(self, turns: range, body: list[ast.stmt]) -> bool:
        """Whether a loop may be written out: there is little in it, with no loop or call that could be long."""
        nodes = [node for statement in body for node in ast.walk(statement)]
        long = any(
            isinstance(node, ast.For | ast.While) or (isinstance(node, ast.Name) and node.id in self.module.functions)
            for node in nodes
        )
        return len(turns) <= UNROLLED_TURNS and len(turns) * len(nodes) <= UNROLLED_NODES and not long

    def _turn_by_turn(self, name: str, turns: list[Code], body: list[ast.stmt]) -> bytes:
        """The turns of a loop one after the other, each with the name as a constant."""
        target = wasm.unsigned(self.scope.names.setdefault(name, self.fresh(turns[0].type if turns else "i32")))
        code = b""
        with self.opened() as end:
            for number in turns:
                self.scope.known[name] = number
                with self.opened() as next:
                    self.scope.loops.append((end, next))
                    inside = number.code + wasm.SET + target + self.block(body)
                    self.scope.loops.pop()
                code += wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
                del self.scope.known[name]
        return wasm.BLOCK + wasm.VALUE[None] + code + wasm.END

    def _return(self, value: ast.expr | None) -> bytes:
        code = b""
        if value is not None and self.scope.result is not None:
            code = self.widened(self.expression(value), self.scope.result).code
        return code + (wasm.RETURN if self.scope.leave is None else self.jump(self.scope.leave))

    # -- calls -----------------------------------------------------------------------------------------------

    def _do(self, name: str, arguments: list[ast.expr]) -> bytes:
        if name == "trap":
            number = self.expression(arguments[0]).known
            if number is None:
                raise ValueError("the code of a trap is a constant")
            return self.trap(number)
        if name == "copy":
            return self.copy(arguments)
        code, result = self.called(name, arguments)
        return code if result is None else code + wasm.DROP


def _assigns(body: list[ast.stmt], name: str) -> bool:
    """Whether a statement gives the name another value."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for statement in body
        for node in ast.walk(statement)
    )
