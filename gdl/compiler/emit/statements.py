"""Statements of kernel code -> WebAssembly code."""

from __future__ import annotations

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.arithmetic import widen_both, widen_code
from gdl.compiler.emit.body import Body, Code, EmitScope, literal
from gdl.compiler.emit.expressions import EmitContext, ExpressionEmitter
from gdl.compiler.emit.stretches import Stretches
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.joining import WRONG, locate_error

UNROLLED_TURNS = 8  # turns of a loop that are written out one after the other,
UNROLLED_NODES = 200  # if they have so few nodes together


class FunctionWriter:
    """Writes one function."""

    def __init__(self, module: EmitContext):
        self.module, self.memory, self.body = module, module.memory, Body()
        self.expressions = ExpressionEmitter(module, self.body, lambda call: self.stretches.stretch(call), self.inline)
        self.stretches = Stretches(self.expressions)

    def function(self, function: ir.Function) -> bytes:
        """The function's entry in the code section."""
        self.body.scope = EmitScope(function.result, name=function.name, file=function.file)
        for name, type in function.parameters:
            self.body.scope.names[name] = self.body.fresh(type)
        code = self.block(function.body)
        if function.result is not None:
            code += wasm.UNREACHABLE  # its end is not reached
        return wasm.body(self.body.locals[len(function.parameters) :], code)

    def inline(self, function: ir.Function) -> bytes:
        """The function's body as a block; its arguments are on the stack."""
        outside = self.body.scope
        with self.body.open_block() as label:
            self.body.scope = EmitScope(function.result, label, name=function.name, file=function.file)
            code = b""
            for name, type in function.parameters:
                self.body.scope.names[name] = self.body.fresh(type)
                code = wasm.SET + wasm.leb128_unsigned(self.body.scope.names[name]) + code
            inside = self.block(function.body)
        self.body.scope = outside
        if function.result is not None:
            inside += wasm.UNREACHABLE
        return code + wasm.BLOCK + wasm.VALUE[function.result] + inside + wasm.END

    def block(self, statements: ir.Block) -> bytes:
        code = []
        for statement in statements:
            scope = self.body.scope
            try:
                code.append(self.statement(statement))
            except WRONG as wrong:
                raise locate_error(wrong, scope.file, statement.line, scope.name) from wrong
        return b"".join(code)

    def statement(self, s: ir.Stmt) -> bytes:
        match s:
            case ir.Set():
                return self._set(s.name, self.expressions.expression(s.value), s.type)
            case ir.Store():
                return self._store(s.array, s.index, self.expressions.expression(s.value))
            case ir.Update():
                return self._update(s)
            case ir.If():
                return self._if(s.test, s.body, s.orelse)
            case ir.While():
                return self._while(s.test, s.body)
            case ir.For():
                return self._for(s)
            case ir.Return():
                return self._return(s.value)
            case ir.Break():
                return self.body.jump(self.body.scope.loops[-1][0])
            case ir.Continue():
                return self.body.jump(self.body.scope.loops[-1][1])
            case ir.Trap():
                return self.expressions.trap(s.code)
            case ir.Copy():
                return self.stretches.copy(s) if s.factor is None else self.stretches.add_times(s, s.factor)
            case ir.AddRows():
                return self.stretches.add_rows(s)
            case ir.Do():
                if s.call.arrays:
                    return self.expressions.expression(s.call).code + wasm.DROP
                gives = self.module.read.functions[s.call.name].result is not None
                return self.expressions.call_code(s.call) + (wasm.DROP if gives else b"")
            case ir.Comment():
                return b""
        raise ValueError(f"no statement: {s!r}")

    # -- assignment ------------------------------------------------------------------------------------------

    def _set(self, name: str, value: Code, type: str | None = None) -> bytes:
        if name not in self.body.scope.names:
            self.body.scope.names[name] = self.body.fresh(type or value.type)
        local = self.body.scope.names[name]
        return widen_code(value, self.body.locals[local]).code + wasm.SET + wasm.leb128_unsigned(local)

    def _store(self, array: ir.Array, index: ir.Expr, value: Code) -> bytes:
        place = self.memory.places[array.name]
        address, offset = self.expressions.address(array, index)
        wanted = place.type if place.type in ("i64", "f64") else "i32"
        return address + widen_code(value, wanted).code + wasm.access(wasm.STORE[place.type], offset, place.vast)

    def _update(self, s: ir.Update) -> bytes:
        """`target op= value`; an index is worked out once."""
        target = s.target
        if isinstance(target, ir.Local):
            return self._set(target.name, self.expressions.expression(ir.Binary(s.op, target, s.value)))
        before, index = b"", target.index
        if not isinstance(index, ir.Local | ir.Const):
            name = f"{len(self.body.locals)}"  # no name of the module's
            before, index = (
                self._set(name, self.expressions.expression(index)),
                ir.Local(name, index.type, index.low, index.high),
            )
        value = self.expressions.expression(ir.Binary(s.op, ir.Load(target.array, index), s.value))
        return before + self._store(target.array, index, value)

    # -- control ---------------------------------------------------------------------------------------------

    def _if(self, test: ir.Expr, body: ir.Block, orelse: ir.Block) -> bytes:
        with self.body.open_block() as end:
            if not orelse:
                return wasm.BLOCK + wasm.VALUE[None] + self._unless(test, end) + self.block(body) + wasm.END
            with self.body.open_block() as other:
                inside = self._unless(test, other) + self.block(body) + self.body.jump(end)
            code = wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END + self.block(orelse)
            return wasm.BLOCK + wasm.VALUE[None] + code + wasm.END

    def _unless(self, test: ir.Expr, label: int) -> bytes:
        """Jump where the test is false."""
        match test:
            case ir.Logic(every=True):
                return b"".join([self._unless(part, label) for part in test.parts])
            case ir.Logic():
                with self.body.open_block() as yes:
                    inside = b"".join([self._when(part, yes) for part in test.parts[:-1]])
                    inside += self._unless(test.parts[-1], label)
                return wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
            case ir.Unary(op="not"):
                return self._when(test.a, label)
            case ir.Compare():
                return self._when(ir.Compare(ir.OPPOSITE[test.op], test.a, test.b), label)
        return self.expressions.truth(test) + wasm.OPERATION["i32", "eqz"] + self.body.jump(label, wasm.BRANCH_IF)

    def _when(self, test: ir.Expr, label: int) -> bytes:
        """Jump where the test is true."""
        match test:
            case ir.Logic(every=False):
                return b"".join([self._when(part, label) for part in test.parts])
            case ir.Logic():
                with self.body.open_block() as no:
                    inside = b"".join([self._unless(part, no) for part in test.parts[:-1]])
                    inside += self._when(test.parts[-1], label)
                return wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
            case ir.Unary(op="not"):
                return self._unless(test.a, label)
        return self.expressions.truth(test) + self.body.jump(label, wasm.BRANCH_IF)

    def _while(self, test: ir.Expr, body: ir.Block) -> bytes:
        with self.body.open_block() as end, self.body.open_block() as top:
            self.body.scope.loops.append((end, top))
            inside = self._unless(test, end) + self.block(body) + self.body.jump(top)
            self.body.scope.loops.pop()
        return wasm.BLOCK + wasm.VALUE[None] + wasm.LOOP + wasm.VALUE[None] + inside + wasm.END + wasm.END

    def _for(self, s: ir.For) -> bytes:
        """The bounds are worked out once; a counter of its own lets the body change the name."""
        step = 1 if s.step is None else s.step
        first = literal(0) if s.first is None else self.expressions.expression(s.first)
        first, stop = widen_both(first, self.expressions.expression(s.stop))
        type = first.type
        if first.known is not None and stop.known is not None:
            turns = range(first.known, stop.known, step)
            if self._is_brief(turns, s.body) and not _assigns(s.body, s.name):
                return self._turn_by_turn(s.name, [literal(number, type) for number in turns], s.body)
        counter = wasm.leb128_unsigned(self.body.fresh(type))
        limit = wasm.leb128_unsigned(self.body.fresh(type))
        before = first.code + wasm.SET + counter + stop.code + wasm.SET + limit
        target = self.body.scope.names.setdefault(s.name, self.body.fresh(type))
        done = wasm.GET + counter + wasm.GET + limit + wasm.OPERATION[type, "ge_s" if step > 0 else "le_s"]
        further = literal(step, type).code + wasm.OPERATION[type, "add"] + wasm.SET + counter
        with self.body.open_block() as end, self.body.open_block() as top:
            self.body.scope.loops.append((end, top))
            inside = done + self.body.jump(end, wasm.BRANCH_IF)
            inside += wasm.GET + counter + wasm.TEE + wasm.leb128_unsigned(target) + further
            inside += self.block(s.body) + self.body.jump(top)
            self.body.scope.loops.pop()
        return before + wasm.BLOCK + wasm.VALUE[None] + wasm.LOOP + wasm.VALUE[None] + inside + wasm.END + wasm.END

    def _is_brief(self, turns: range, body: ir.Block) -> bool:
        """Whether a loop may be written out: there is little in it, with no loop or call that could be long."""
        if len(turns) > UNROLLED_TURNS or len(turns) * size(body) > UNROLLED_NODES:
            return False
        loops = any(isinstance(statement, ir.For | ir.While) for statement in walks.statements(body))
        return not loops and not any(name in self.module.read.functions for name in calls(body))

    def _turn_by_turn(self, name: str, turns: list[Code], body: ir.Block) -> bytes:
        """The turns of a loop one after the other, each with the name as a constant."""
        target = wasm.leb128_unsigned(
            self.body.scope.names.setdefault(name, self.body.fresh(turns[0].type if turns else "i32"))
        )
        code = b""
        with self.body.open_block() as end:
            for number in turns:
                self.body.scope.known[name] = number
                with self.body.open_block() as next:
                    self.body.scope.loops.append((end, next))
                    inside = number.code + wasm.SET + target + self.block(body)
                    self.body.scope.loops.pop()
                code += wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
                del self.body.scope.known[name]
        return wasm.BLOCK + wasm.VALUE[None] + code + wasm.END

    def _return(self, value: ir.Expr | None) -> bytes:
        code = b""
        if value is not None and self.body.scope.result is not None:
            code = widen_code(self.expressions.expression(value), self.body.scope.result).code
        return code + (wasm.RETURN if self.body.scope.leave is None else self.body.jump(self.body.scope.leave))


def _assigns(body: ir.Block, name: str) -> bool:
    """Whether a statement gives the name another value."""
    for statement in walks.statements(body):
        match statement:
            case ir.Set() | ir.For() if statement.name == name:
                return True
            case ir.Update(target=ir.Local(name=target)) if target == name:
                return True
    return False


def calls(body: ir.Block) -> list[str]:
    """The functions and words that a block calls, one for each place."""
    return [e.name for e in walks.expressions(body) if isinstance(e, ir.Call)]


def size(body: ir.Block) -> int:
    """How much there is in a block: its statements and expressions."""
    statements = sum(not isinstance(statement, ir.Comment) for statement in walks.statements(body))
    return statements + sum(1 for _ in walks.expressions(body))
