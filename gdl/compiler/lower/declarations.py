"""What stands first in a module: constants, memory and kernel files, in the order in which memory is laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gdl.compiler import joining
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import printer
from gdl.compiler.ir.reader import Read
from gdl.compiler.python import BIT_PLACES

LINE = 100  # characters of a line of a table


class Declarations:
    """Declarations as nodes, and what prints them."""

    def __init__(self) -> None:
        self.module = Read()
        self._printed: list[Callable[[], str]] = []

    @property
    def text(self) -> str:
        """All that is declared, in its order."""
        return "\n".join(part() for part in self._printed)

    def comment(self, text: str = "") -> None:
        """A line for people; without a text an empty one."""
        self._printed.append(lambda: f"# {text}" if text else "")

    def constant(self, name: str, value: int) -> None:
        self.module.constants[name] = value
        self._printed.append(lambda: f"{name} = const({value})")

    def array(self, name: str, type: str, size: ir.Code, note: str = "") -> None:
        """Memory; the size is made of numbers and constants."""
        self.module.arrays[name] = ir.Array(name, type, self._number(ir.expr(size)))
        self._printed.append(
            lambda: f"{name} = array({type}, {printer.expression(ir.expr(size))})" + (f"  # {note}" if note else "")
        )

    def _number(self, size: ir.Expr) -> int:
        match size:
            case ir.Const(value=int(number)):
                return number
            case ir.Local(name=name):
                return int(self.module.constants[name])
            case ir.Binary(op="+", a=a, b=b):
                return self._number(a) + self._number(b)
            case ir.Binary(op="*", a=a, b=b):
                return self._number(a) * self._number(b)
        raise ValueError(f"no size of memory: {printer.expression(size)}")

    def long_view(self, name: str, seen: str) -> None:
        """An array of words of 32 bits, seen as words of 64."""
        words = self.module.arrays[seen].count
        assert words is not None
        self.module.views[name], self.module.arrays[name] = seen, ir.Array(name, ir.I64, words // 2)
        self._printed.append(lambda: f"{name} = view({ir.I64}, {seen})")

    def table(self, name: str, type: str, values: Sequence[int]) -> None:
        self.module.table(name, type, values)
        self._printed.append(lambda: table_text(name, type, values))

    def file(self, name: str) -> None:
        """All of a kernel file."""
        self.module.take(joining.kernel(name).parts)
        self._printed.append(lambda: joining.source(name))

    def add(self, other: Declarations) -> None:
        """What others declare behind these."""
        self.module.add(other.module)
        self._printed += other._printed


def table_text(name: str, type: str, values: Sequence[int]) -> str:
    """A table's lines, none of them long."""
    if tuple(values) == BIT_PLACES:
        return f"{name} = table({type}, BIT_PLACES)"
    lines, line = [], ""
    for value in values or (0,):
        if len(line) + len(str(value)) > LINE:
            lines.append(line.rstrip())
            line = ""
        line += f"{value}, "
    lines.append(line.rstrip())
    if len(lines) == 1:
        return f"{name} = table({type}, ({lines[0]}))"
    inside = "\n".join(printer.INDENT + text for text in lines)
    return f"{name} = table({type}, (\n{inside}\n))"
