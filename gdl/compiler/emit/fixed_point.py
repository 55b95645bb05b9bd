"""Whole numbers of 16 bits, eight to an instruction: `add_words`, `dense` and `dot_words` of kernel Python.

Sums of whole numbers are the same in every order, so they are written in the one that is fastest.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.compiler.emit import encoding as wasm
from gdl.compiler.emit.arithmetic import widen_code
from gdl.compiler.emit.body import literal
from gdl.compiler.emit.emit_expressions import ExpressionEmitter
from gdl.compiler.ir import nodes as ir

AT_A_TIME = 4  # rows that `add_words` adds in one pass
AT_ONCE = 4  # sums that grow between two tests which are always true: compilers are to add before they load the next
WIDEST = 64  # numbers of a layer that `dense` makes: their sums are to stay in registers
_NOTHING = literal(0).code

Near = Callable[[ir.Array, ir.Expr], tuple[bytes, int]]


class FixedPoint:
    """Writes the calls of words for whole numbers of 16 bits."""

    def __init__(self, expressions: ExpressionEmitter, near: Near):
        self.expressions, self.fresh, self._near = expressions, expressions.body.fresh, near
        self.words = dict.fromkeys(("add_words", "dense", "dot_words"), self._write_call)

    def _write_call(self, e: ir.Call) -> bytes:
        """The code of a call. Raises ValueError if an array does not have the type that the word needs."""
        for array in e.arrays:
            wanted = "i32" if (e.name, array) == ("add_words", e.arrays[-1]) else "i16"
            if self.expressions.memory.places[array.name].type != wanted:
                raise ValueError(f"{array.name} is to hold {wanted}")
        return {"add_words": self._add_words, "dense": self._dense, "dot_words": self._dot_words}[e.name](e)

    def _add_words(self, e: ir.Call) -> bytes:
        """Code of `add_words(a, i, b, j, rows, k, n)`: to the n numbers from a[i] on, four rows of b are added; row r
        begins at b[j + rows[k + r]], for r = 0 to 3."""
        (target, source, told), (at, first, start, count) = e.arrays, e.arguments
        (a, a_offset), (b, b_offset), (r, r_offset) = (
            self._near(target, at), self._near(source, first), self._near(told, start)
        )  # fmt: skip
        begin, base, t = self._local(), self._local(), self._local()
        code, rows = a + wasm.SET + t + b + wasm.SET + base + r + wasm.SET + begin, []
        for k in range(AT_A_TIME):
            row = self._local()
            code += wasm.GET + begin + wasm.access(wasm.LOAD["i32"], r_offset + 4 * k) + literal(1).code
            code += wasm.OPERATION["i32", "shl"] + wasm.GET + base + wasm.OPERATION["i32", "add"] + wasm.SET + row
            rows.append(wasm.GET + row)
        for byte in range(0, 2 * self._length(count, 8), 16):
            code += wasm.GET + t + wasm.GET + t + wasm.access(wasm.LOAD_16, a_offset + byte)
            for load in rows:
                code += load + wasm.access(wasm.LOAD_16, b_offset + byte) + wasm.ADD_8
            code += wasm.access(wasm.STORE_16, a_offset + byte)
        return code

    def _dense(self, e: ir.Call) -> bytes:
        """Code of `dense(a, i, m, j, v, k, w, n, s)`: the w numbers of the next layer, written to a[i] and on. Each is
        the sum of n products of the numbers from v[k] on with a column of the matrix, shifted right by s, or 0 if that
        is negative. The matrix, from m[j] on, holds two rows side by side: w pairs of numbers for every two rows."""
        (target, matrix, source), (at, first, start, width, count, shift) = e.arrays, e.arguments
        wide, many = self._length(width, 8), self._length(count, 2)
        if wide > WIDEST:
            raise ValueError(f"so many sums do not fit into registers: {wide}")
        (a, a_offset), (m, m_offset), (v, v_offset) = (
            self._near(target, at), self._near(matrix, first), self._near(source, start)
        )  # fmt: skip
        t, u, begin, factor = self._local(), self._local(), self._local(), self._local("v128")
        sums = [self._local("v128") for _ in range(wide // 4)]
        code = a + wasm.SET + t + m + wasm.SET + u + v + wasm.SET + begin
        code += b"".join(_NOTHING + wasm.SPREAD + wasm.SET + held for held in sums)  # a loop may come here again
        by = self._local()
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
        (a, a_offset), (b, b_offset) = self._near(one, at), self._near(other, start)
        t, u, held = self._local(), self._local(), self._local("v128")
        code = a + wasm.SET + t + b + wasm.SET + u
        for byte in range(0, 2 * self._length(count, 8), 16):
            code += wasm.GET + t + wasm.access(wasm.LOAD_16, a_offset + byte)
            code += wasm.GET + u + wasm.access(wasm.LOAD_16, b_offset + byte) + wasm.PAIRS
            code += wasm.ADD_4 if byte else b""
        for lane in (2, 1):  # the sums change places, two at once and then one with its neighbour
            places = bytes((byte + 4 * lane) % 16 for byte in range(16))
            code += wasm.SET + held + 3 * (wasm.GET + held) + wasm.SHUFFLE + places + wasm.ADD_4
        return code + wasm.PART_4 + b"\0"

    def _local(self, type: str = "i32") -> bytes:
        return wasm.leb128_unsigned(self.fresh(type))

    def _length(self, count: ir.Expr, by: int) -> int:
        """The constant length of an operation. Raises ValueError unless it is a multiple of `by`."""
        number = self.expressions.expression(count).known
        if not number or number % by:
            raise ValueError(f"the length of what is reckoned with is a constant, a multiple of {by}")
        return number
