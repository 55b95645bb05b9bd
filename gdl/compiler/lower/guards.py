"""The guards of several parameters, each asked as early as it can be: before the loops over the others.

A guard that asks only of one parameter is asked in that parameter's loop, or, where the loop is inside of others, once
before all of them: what fits is a set. So is every condition of a definition that is called as a guard. A condition
that may be a fault of the rules stays where it is, since only play that comes to it must meet the fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Series
from typing import Any

from gdl.analysis.dependence import instantiate_form
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import Mask, Sequence, UnsupportedConstruct, Value
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.fitting_sets import FittingSets
from gdl.compiler.lower.loops import Domain, Loops, NumberSpan, hull_of
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame
from gdl.compiler.lower.vectorise import MOST_LANES
from gdl.model import core
from gdl.model.walk import value_from_guard

Split = list[list[core.Expression]]  # guards, by the parameter at which they are asked


class Guards:
    """The guards of the parameters of a head or a choice."""

    def __init__(self, context: Context, expressions: ExpressionLowering, loops: Loops, fitting_sets: FittingSets):
        self.context = context
        self.model, self.dependence, self.out = context.model, context.dependence, context.out
        self.expressions = expressions
        self.loops = loops
        self.fitting_sets = fitting_sets

    def split(
        self, parameters: tuple[core.Parameter, ...], frame: Frame
    ) -> tuple[tuple[core.Parameter, ...], dict[int, Mask]]:
        """The parameters with their guards moved outwards; for some of them (by slot) a set of all that can fit."""
        if len(parameters) < 2 or any(p.count is not None for p in parameters):
            return parameters, {}
        asked: Split = [[] for _ in parameters]
        before: Split = [[] for _ in parameters]
        slots = [p.slot for p in parameters]
        for k, parameter in enumerate(parameters):
            alone = bool(k) and value_from_guard(parameter) is None and self._stands_alone(parameter, slots, frame)
            for guard in self.expressions.conjuncts(list(self._expand_calls(parameter.guards, slots))):
                own = [slots.index(slot) for slot in self.dependence.of(guard).slots if slot in slots]
                if own and max(own) < k and self._harmless(guard, parameters, frame):
                    asked[max(own)].append(guard)
                elif alone and own == [k] and self._harmless(guard, parameters, frame):
                    before[k].append(guard)
                else:
                    asked[k].append(guard)
        split = tuple(p.copy_with(guards=tuple(guards)) for p, guards in zip(parameters, asked, strict=True))
        fields = {
            p.slot: self._all_that_fit(p, guards, frame) for p, guards in zip(parameters, before, strict=True) if guards
        }
        return split, fields

    def _stands_alone(self, parameter: core.Parameter, slots: list[int], frame: Frame) -> bool:
        """Whether a parameter's values can be held as a set that is the same in the loops around."""
        if self.dependence.of(parameter.domain).slots & set(slots):
            return False
        with self.out.capture_lines():
            domain = self.loops.domain(parameter.domain, frame)
        goes_up = isinstance(domain, NumberSpan) or (isinstance(domain, Sequence) and domain.shape.order == 1)
        return goes_up and hull_of(domain).low >= 0 and hull_of(domain).high < MOST_LANES

    def _expand_calls(self, guards: Series[core.Expression], slots: list[int]) -> Iterator[core.Expression]:
        """The conditions that a definition joins, in place of its call."""
        for guard in guards:
            if isinstance(guard, core.CallDefinition):
                definition = self.model.definitions[guard.definition]
                result: Any = definition.result
                while isinstance(result, core.Scope) and not result.lets:
                    result = result.result
                plain = all(isinstance(a, core.Local | core.Const | core.Mover) for a in guard.arguments)
                if isinstance(result, core.All) and plain and not definition.recursive:
                    beyond = 1 + max([*slots, *self.dependence.of(guard).slots])
                    made = instantiate_form(result, dict(enumerate(guard.arguments)), beyond)
                    yield from self._expand_calls(made.parts, [*slots, beyond + len(guard.arguments)])
                    continue
            yield guard

    def _harmless(self, guard: core.Expression, parameters: tuple[core.Parameter, ...], frame: Frame) -> bool:
        """Whether a guard can be asked of all values without meeting a fault."""
        filled: Frame = dict(frame)
        with self.out.capture_lines() as lines:
            try:
                for parameter in parameters:
                    known = hull_of(self.loops.domain(parameter.domain, filled))
                    filled[parameter.slot] = known.with_name(self.out.fresh("value"))
                self.expressions.truth(guard, filled)
            except UnsupportedConstruct:
                return False
        return not lines.may_trap and not lines.calls

    def _all_that_fit(self, parameter: core.Parameter, guards: list[core.Expression], frame: Frame) -> Mask:
        domain = self.loops.domain(parameter.domain, frame)
        found = self.fitting_sets.values_that_fit(guards, parameter.slot, domain, frame)
        if found is not None:
            return self.out.bound_mask(found, "fitting")
        made = self.context.new_set(hull_of(domain).high + 1, "fitting")

        def put(value: Value) -> None:
            with self.expressions.when(guards, {**frame, parameter.slot: value}) as possible:
                if possible:
                    self.context.put(made, sets.single(on.as_number(value)))

        self.loops.each(domain, frame, put)
        return made

    def apply_guards(
        self, parameter: core.Parameter, domain: Domain, frame: Frame
    ) -> tuple[Domain, tuple[core.Expression, ...]]:
        """A domain less the values that fail a guard which can be asked of all at once; and the other guards."""
        conditions = self.expressions.conjuncts(parameter.guards)
        found, others = self.fitting_sets.narrow_domain(domain, parameter.slot, conditions, frame)
        return found, tuple(others)
