"""Values that are worked out once while the actions of a rule are listed, not once for each way to fill its head.

What does not depend on the innermost parameter (gdl/analysis/kept_values.py) is worked out where it is first needed,
and again only where a parameter that it depends on has changed its value. So is the set of all values of the innermost
parameter that pass a condition, where that can be asked of all at once. Nothing is asked earlier than the rules ask it:
faults stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gdl.analysis.kept_values import Kept, KeptValues
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import compare
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import Mask, Number, Sequence, Value
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.model import core
from gdl.model.games import Rule


class Memos(Part):
    """The values that are kept while the rows of a rule are listed."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops
        self._kept: dict[int, Kept] = {}  # by the id of the form
        self._start: tuple[ir.Block, int] = [], 0  # the block in which the listing begins, and the index there
        self._turns: list[str] = []  # for each parameter the variable that counts its values
        self.kept_values = KeptValues(self.model, self.dependence)

    @contextmanager
    def listing(self, rule: Rule) -> Iterator[None]:
        """Within the block, the rows of this rule are listed, and values are kept."""
        self._kept = {id(kept.form): kept for kept in self.kept_values.of_rule(rule)}
        if self._kept:
            self._start = self.out.place_here()
            self._turns = [self._counter("turn") for _ in rule.parameters]
        try:
            yield
        finally:
            self._kept, self._turns = {}, []

    def _counter(self, name: str) -> str:
        """A new variable, set to 0 where the listing begins."""
        made = self.out.fresh(name)
        block, at = self._start
        # At the beginning of the listing and not here, where a loop would set it back each time.
        block.insert(at, ir.Set(made, ir.Const(0)))
        return made

    def enter(self, further: int) -> None:
        """Write code that counts one more value of a parameter; `further`: how many parameters follow it in the
        head."""
        if self._turns:
            self.out.update(ir.Local(self._turns[-1 - further]), "+", 1)

    def value(self, e: core.Expression, frame: Frame) -> Value | None:
        """The value of an expression that is kept: computed anew only where a parameter that it depends on has changed.
        None if the expression is not kept."""
        # Taken out while it is worked out, as its own code asks for the same form.
        kept = self._kept.pop(id(e), None)
        if kept is None:
            return None
        # What is learnt inside must not be used outside: this code runs only where the value is worked out.
        with self.out.capture_lines() as lines, self.context.knowing(()):
            made = self._worked_out(kept, frame)
            if not isinstance(made, Number | Mask | Sequence):
                return None  # then it is worked out each time
            target = self.context.variable(made, "kept")
            self.context.store(target, made)
        self._kept[id(e)] = kept
        seen = self._counter("seen")
        # A value of no parameter is worked out once; turns count from 1, and `seen` begins at 0.
        turn = ir.Local(self._turns[kept.level - 1]) if kept.level else ir.Const(1)
        with self.out.when(compare(seen, "!=", turn)):
            self.out.append(lines, inside=True)
            self.out.set(seen, turn)
        if kept.innermost is None:
            return target
        assert isinstance(target, Mask)
        value = frame[kept.innermost.slot]
        assert isinstance(value, Number)
        return sets.contains(target, value)

    def _worked_out(self, kept: Kept, frame: Frame) -> Value | None:
        if kept.innermost is None:
            return self.expressions.value(kept.form, frame)
        if not isinstance(frame[kept.innermost.slot], Number):
            return None
        domain = self.loops.domain(kept.innermost.domain, frame)
        found, others = self.loops.narrow(domain, kept.innermost.slot, [kept.form], frame)
        return found if isinstance(found, Mask) and not others else None
