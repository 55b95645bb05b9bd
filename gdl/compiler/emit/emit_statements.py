"""Statements of kernel code -> WebAssembly code."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.emit_expressions import (
    Body,
    Code,
    EmitContext,
    EmitScope,
    ExpressionEmitter,
    literal,
    widen_both,
    widen_code,
)
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.nodes import SIZE
from gdl.compiler.joining import WRONG, locate_error
from gdl.errors.deadline import check_deadline

# Words of kernel Python for stretches of arrays, which take many elements at a time: `copy`, `equal` and `above`; for
# whole numbers of 16 bits, which fixed-point nets need, `positive`, `add_words`, `dense` and `dot_words`; and `swap`.
#
# The length of a stretch is a constant, so that all is written out, 16 bytes to an instruction; only that of `copy` may
# be unknown or long.

UNROLLED = 1024  # a copy of at most so many bytes is written out
AT_A_TIME = 4  # rows that `add_words` adds in one pass
AT_ONCE = 4  # sums that grow between two tests which are always true: compilers are to add before they load the next
WIDEST = 64  # numbers of a layer that `dense` makes: their sums are to stay in registers
_NOTHING = literal(0).code
_WIDTHS = (
    (16, wasm.LOAD_16, wasm.STORE_16),
    (8, wasm.LOAD["i64"], wasm.STORE["i64"]),
    (4, wasm.LOAD["i32"], wasm.STORE["i32"]),
    (2, wasm.LOAD["i16"], wasm.STORE["i16"]),
    (1, wasm.LOAD["u8"], wasm.STORE["u8"]),
)


class Stretches:
    """Writes the calls of words that deal with stretches of arrays."""

    def __init__(self, expressions: ExpressionEmitter):
        self.expressions, self.memory, self.fresh = expressions, expressions.memory, expressions.body.fresh
        self._words: Mapping[str, Callable[[ir.Call], bytes]] = {
            "equal": self._equal, "above": self._greater_words, "swap": self._swap, "copy": self._copy,
            "positive": self._positive, "add_words": self._add_words, "dense": self._dense,
            "dot_words": self._dot_words,
        }  # fmt: skip

    def _copy(self, e: ir.Call) -> bytes:
        """Code of `copy(a, i, b, j, n)`: n elements from b[j] on go to a[i] and on. A short copy of constant length is
        written out."""
        (target, source), (at, start, count) = e.arrays, e.arguments
        width = SIZE[self.memory.places[target.name].type]
        to, to_offset = self._near_address(target, at)
        begin, begin_offset = self._near_address(source, start)
        number = widen_code(self.expressions.expression(count), "i32")
        if number.known is None or number.known * width > UNROLLED:
            add = wasm.OPERATION["i32", "add"]
            code = to + literal(to_offset, "i32").code + add + begin + literal(begin_offset, "i32").code + add
            return code + number.code + literal(width).code + wasm.OPERATION["i32", "mul"] + wasm.MEMORY_COPY
        t, b = self._locals("i32", "i32")
        code, done = to + wasm.SET + t + begin + wasm.SET + b, 0
        for step, load, store in _WIDTHS:
            while done + step <= number.known * width:
                code += wasm.GET + t + wasm.GET + b + wasm.access(load, begin_offset + done)
                code += wasm.access(store, to_offset + done)
                done += step
        return code

    def _positive(self, e: ir.Call) -> bytes:
        """Code of `positive(a, i, n)`: those of the n elements from a[i] on that are below 0 become 0."""
        (array,), (at, count) = e.arrays, e.arguments
        address, offset = self._near_address(array, at)
        (t,) = self._locals("i32")
        code = address + wasm.SET + t
        for k in range(offset, offset + 2 * self._even_length(count, 8), 16):
            code += wasm.GET + t + literal(0).code + wasm.SPREAD + wasm.GET + t
            code += wasm.access(wasm.LOAD_16, k) + wasm.GREATER_8 + wasm.access(wasm.STORE_16, k)
        return code

    def _even_length(self, count: ir.Expr, by: int) -> int:
        """The constant length of a stretch. Raises ValueError unless it is a multiple of `by`."""
        if (length := self._length(count)) % by or not length:
            raise ValueError(f"the length of what is reckoned with is a constant, a multiple of {by}")
        return length

    def stretch(self, e: ir.Call) -> Code:
        """The code of the call of a word of STRETCHES; a word of ALTERING leaves nothing on the stack."""
        if e.name in ("positive", "add_words", "dense", "dot_words"):
            self._check_types(e)
        return Code(self._words[e.name](e), e.type)

    def _locals(self, *types: str) -> list[bytes]:
        """New local variables."""
        return [wasm.leb128_unsigned(self.fresh(type)) for type in types]

    def _swap(self, e: ir.Call) -> bytes:
        """Code of `swap(a, i, x)`: store x in a[i] and give what was there before, in one step for all threads."""
        (array,), (at, value) = e.arrays, e.arguments
        place = self.memory.places[array.name]
        if place.type != "u8":
            raise ValueError("what is swapped is a byte")
        address, offset = self.expressions.address(array, at)
        code = address + widen_code(self.expressions.expression(value), "i32").code
        return code + wasm.access(wasm.SWAP, offset, place.vast)

    def _near_address(self, array: ir.Array, index: ir.Expr) -> tuple[bytes, int]:
        """The address of a stretch: code and a constant offset. Raises ValueError for a vast array, whose elements are
        only read and written one by one."""
        if self.memory.places[array.name].vast:
            raise ValueError("what lies in a vast array is read and written one by one")
        return self.expressions.address(array, index)

    def _equal(self, e: ir.Call) -> bytes:
        """Code of `equal(a, i, b, j, n)`: 1 if n elements from a[i] and from b[j] on are the same, else 0; all
        differences are joined and tested once."""
        (one, other), (at, start, count) = e.arrays, e.arguments
        (a, first), (b, second) = self._near_address(one, at), self._near_address(other, start)
        s, t = self._locals("i32", "i32")
        length, done = self._length(count) * SIZE[self.memory.places[one.name].type], 0
        wide, rest = b"", literal(0).code
        for width, load in ((16, wasm.LOAD_16), (8, wasm.LOAD["i64"]), (4, wasm.LOAD["i32"]), (1, wasm.LOAD["u8"])):
            while done + width <= length:
                sides = wasm.GET + s + wasm.access(load, first + done) + wasm.GET + t
                sides += wasm.access(load, second + done)
                if width == 16:
                    wide += sides + wasm.VECTOR_XOR + (wasm.VECTOR_OR if wide else b"")
                else:
                    rest += sides + wasm.OPERATION["i64" if width == 8 else "i32", "ne"] + wasm.OPERATION["i32", "or"]
                done += width
        differs = rest + (wide + wasm.VECTOR_ANY + wasm.OPERATION["i32", "or"] if wide else b"")
        return a + wasm.SET + s + b + wasm.SET + t + differs + wasm.OPERATION["i32", "eqz"]

    def _greater_words(self, e: ir.Call) -> bytes:
        """Code of `above(a, i, n, k)`: the n words of 32 bits from a[i] on that are greater than k, as bits of an
        i64."""
        (numbers,), (at, count, limit) = e.arrays, e.arguments
        address, offset = self._near_address(numbers, at)
        (a,), length = self._locals("i32"), self._length(count)
        than, code, done = widen_code(self.expressions.expression(limit), "i32").code, literal(0, "i64").code, 0
        for width in (16, 8, 4, 1):
            while done + width <= length:
                bits = self._signs(wasm.GET + a, offset + done * SIZE["i32"], width, than)
                code += bits + wasm.CONVERSION["u32", "i64"] + literal(done, "i64").code
                code += wasm.OPERATION["i64", "shl"] + wasm.OPERATION["i64", "or"]
                done += width
        return address + wasm.SET + a + code

    def _signs(self, base: bytes, offset: int, count: int, than: bytes) -> bytes:
        """Code of a number with a bit for each of `count` words that is greater than `than`, compared four at a time
        and narrowed."""
        if count == 1:
            return base + wasm.access(wasm.LOAD["i32"], offset) + than + wasm.OPERATION["i32", "gt_s"]
        fours = [
            base + wasm.access(wasm.LOAD_16, offset + k * SIZE["i32"]) + than + wasm.SPREAD + wasm.GREATER
            for k in range(0, count, 4)
        ]
        while len(fours) > 1:
            narrow = wasm.NARROW[count * 2 // len(fours)]
            fours = [a + b + narrow for a, b in zip(fours[::2], fours[1::2], strict=True)]
        return fours[0] + wasm.SIGNS[count]

    def _length(self, count: ir.Expr) -> int:
        number = self.expressions.expression(count).known
        if number is None:
            raise ValueError("the length of what is compared is a constant")
        return number

    # Whole numbers of 16 bits, eight to an instruction. Sums of whole numbers are the same in every order, so they are
    # written in the one that is fastest.

    def _check_types(self, e: ir.Call) -> None:
        """Raise ValueError if an array does not have the type that a word for whole numbers of 16 bits needs."""
        for array in e.arrays:
            wanted = "i32" if (e.name, array) == ("add_words", e.arrays[-1]) else "i16"
            if self.memory.places[array.name].type != wanted:
                raise ValueError(f"{array.name} is to hold {wanted}")

    def _add_words(self, e: ir.Call) -> bytes:
        """Code of `add_words(a, i, b, j, rows, k, n)`: to the n numbers from a[i] on, four rows of b are added; row r
        begins at b[j + rows[k + r]], for r = 0 to 3."""
        (a, a_offset), (b, b_offset), (r, r_offset) = map(self._near_address, e.arrays, e.arguments)
        begin, base, t = self._locals("i32", "i32", "i32")
        code, rows = a + wasm.SET + t + b + wasm.SET + base + r + wasm.SET + begin, []
        for k in range(AT_A_TIME):
            (row,) = self._locals("i32")
            code += wasm.GET + begin + wasm.access(wasm.LOAD["i32"], r_offset + 4 * k) + literal(1).code
            code += wasm.OPERATION["i32", "shl"] + wasm.GET + base + wasm.OPERATION["i32", "add"] + wasm.SET + row
            rows.append(wasm.GET + row)
        for byte in range(0, 2 * self._even_length(e.arguments[-1], 8), 16):
            code += wasm.GET + t + wasm.GET + t + wasm.access(wasm.LOAD_16, a_offset + byte)
            for load in rows:
                code += load + wasm.access(wasm.LOAD_16, b_offset + byte) + wasm.ADD_8
            code += wasm.access(wasm.STORE_16, a_offset + byte)
        return code

    def _dense(self, e: ir.Call) -> bytes:
        """Code of `dense(a, i, m, j, v, k, w, n, s)`: the w numbers of the next layer, written to a[i] and on. Each is
        the sum of n products of the numbers from v[k] on with a column of the matrix, shifted right by s, or 0 if that
        is negative. The matrix, from m[j] on, holds two rows side by side: w pairs of numbers for every two rows."""
        width, count, shift = e.arguments[3:]
        wide, many = self._even_length(width, 8), self._even_length(count, 2)
        if wide > WIDEST:
            raise ValueError(f"so many sums do not fit into registers: {wide}")
        (a, a_offset), (m, m_offset), (v, v_offset) = map(self._near_address, e.arrays, e.arguments)
        t, u, begin, factor = self._locals("i32", "i32", "i32", "v128")
        sums = self._locals(*["v128"] * (wide // 4))
        code = a + wasm.SET + t + m + wasm.SET + u + v + wasm.SET + begin
        code += b"".join(_NOTHING + wasm.SPREAD + wasm.SET + held for held in sums)  # a loop may come here again
        (by,) = self._locals("i32")
        code += widen_code(self.expressions.expression(shift), "i32").code + wasm.SET + by
        goes_on = wasm.GET + by + literal(0).code + wasm.OPERATION["i32", "ge_s"] + wasm.IF + wasm.VALUE[None]
        for pair in range(many // 2):
            code += wasm.GET + begin + wasm.access(wasm.SPREAD_LOAD, v_offset + 4 * pair) + wasm.SET + factor
            for k, held in enumerate(sums):
                place = m_offset + 4 * pair * wide + 16 * k
                product = wasm.GET + factor + wasm.GET + u + wasm.access(wasm.LOAD_16, place) + wasm.PAIRS
                code += b"" if k % AT_ONCE else goes_on
                code += wasm.GET + held + product + wasm.ADD_4 + wasm.SET + held
                code += b"" if (k + 1) % AT_ONCE and k + 1 < len(sums) else wasm.END
        for k in range(0, len(sums), 2):
            code += wasm.GET + t
            for held in sums[k : k + 2]:
                code += wasm.GET + held + wasm.GET + by + wasm.SHIFT_4
            code += wasm.NARROW[8] + _NOTHING + wasm.SPREAD + wasm.GREATER_8
            code += wasm.access(wasm.STORE_16, a_offset + 8 * k)
        return code

    def _dot_words(self, e: ir.Call) -> bytes:
        """Code of `dot_words(a, i, b, j, n)`: the sum of n products of numbers from a[i] and from b[j] on."""
        (one, other), (at, start, count) = e.arrays, e.arguments
        (a, a_offset), (b, b_offset) = self._near_address(one, at), self._near_address(other, start)
        t, u, held = self._locals("i32", "i32", "v128")
        code = a + wasm.SET + t + b + wasm.SET + u
        for byte in range(0, 2 * self._even_length(count, 8), 16):
            code += wasm.GET + t + wasm.access(wasm.LOAD_16, a_offset + byte)
            code += wasm.GET + u + wasm.access(wasm.LOAD_16, b_offset + byte) + wasm.PAIRS
            code += wasm.ADD_4 if byte else b""
        for lane in (2, 1):  # the sums change places, two at once and then one with its neighbour
            places = bytes((byte + 4 * lane) % 16 for byte in range(16))
            code += wasm.SET + held + 3 * (wasm.GET + held) + wasm.SHUFFLE + places + wasm.ADD_4
        return code + wasm.PART_4 + b"\0"


class FunctionWriter:
    """Writes the code of one function."""

    def __init__(self, module: EmitContext):
        self.module, self.memory, self.body = module, module.memory, Body()
        self.expressions = ExpressionEmitter(module, self.body, lambda call: self.stretches.stretch(call), self.inline)
        self.stretches = Stretches(self.expressions)

    def function(self, function: ir.Function) -> bytes:
        """The entry of the function in the code section."""
        self.body.scope = EmitScope(function.result, name=function.name, file=function.file)
        for name, type in function.parameters:
            self.body.scope.names[name] = self.body.fresh(type)
        code = self.block(function.body)
        if function.result is not None:
            code += wasm.UNREACHABLE  # its end is not reached
        return wasm.body(self.body.locals[len(function.parameters) :], code)

    def inline(self, function: ir.Function) -> bytes:
        """The body of a function as a block, in place of a call whose arguments are on the stack."""
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
            check_deadline()
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
            case ir.Do():
                if s.call.arrays:
                    return self.stretches.stretch(s.call).code + (b"" if s.call.name in ir.ALTERING else wasm.DROP)
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
        """The code of `target op= value`; an index is evaluated once."""
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
                return wasm.BLOCK + wasm.VALUE[None] + self._jump_where(test, False, end) + self.block(body) + wasm.END
            with self.body.open_block() as other:
                inside = self._jump_where(test, False, other) + self.block(body) + self.body.jump(end)
            code = wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END + self.block(orelse)
            return wasm.BLOCK + wasm.VALUE[None] + code + wasm.END

    def _jump_where(self, test: ir.Expr, holds: bool, label: int) -> bytes:
        """Code that jumps to the label where the test is true (`holds`) or where it is false."""
        match test:
            case ir.Logic(every=every) if every != holds:
                return b"".join([self._jump_where(part, holds, label) for part in test.parts])
            case ir.Logic():
                with self.body.open_block() as decided:
                    inside = b"".join([self._jump_where(part, not holds, decided) for part in test.parts[:-1]])
                    inside += self._jump_where(test.parts[-1], holds, label)
                return wasm.BLOCK + wasm.VALUE[None] + inside + wasm.END
            case ir.Unary(op="not"):
                return self._jump_where(test.a, not holds, label)
            case ir.Compare() if not holds:
                return self._jump_where(ir.Compare(ir.OPPOSITE[test.op], test.a, test.b), True, label)
        code = self.expressions.truth(test) + (b"" if holds else wasm.OPERATION["i32", "eqz"])
        return code + self.body.jump(label, wasm.BRANCH_IF)

    def _while(self, test: ir.Expr, body: ir.Block) -> bytes:
        with self.body.open_block() as end, self.body.open_block() as top:
            self.body.scope.loops.append((end, top))
            inside = self._jump_where(test, False, end) + self.block(body) + self.body.jump(top)
            self.body.scope.loops.pop()
        return wasm.BLOCK + wasm.VALUE[None] + wasm.LOOP + wasm.VALUE[None] + inside + wasm.END + wasm.END

    def _for(self, s: ir.For) -> bytes:
        """The code of a loop. The bounds are evaluated once; the count is kept in a local of its own, so that the body
        may change the variable."""
        step = 1 if s.step is None else s.step
        first = literal(0) if s.first is None else self.expressions.expression(s.first)
        first, stop = widen_both(first, self.expressions.expression(s.stop))
        type = first.type
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

    def _return(self, value: ir.Expr | None) -> bytes:
        code = b""
        if value is not None and self.body.scope.result is not None:
            code = widen_code(self.expressions.expression(value), self.body.scope.result).code
        return code + (wasm.RETURN if self.body.scope.leave is None else self.body.jump(self.body.scope.leave))
