"""Counting the work that each line of a game's rules makes: a module that counts while it runs.

For each statement of kernel code, the line of the rules that it was written for is noted. In a module that counts,
every run of statements for one line is preceded by an addition of their number of operations to that line's element of
the array LINE_WORK.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
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
