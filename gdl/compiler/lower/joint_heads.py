"""Heads of several parameters, all at once: for each way of filling the later ones, the set of first ones that fit.

So a move of any man in one of three directions is three sets of men, which are counted without a list. Ways keep the
order of the rules: from the least value of the first parameter on, each with all that fits of the others.
"""

from __future__ import annotations

import itertools

from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import LaneVector, Mask, Sequence
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.fitting_sets import FittingSets
from gdl.compiler.lower.loops import Domain, Loops, NumberSpan
from gdl.compiler.lower.lower_expressions import Frame
from gdl.compiler.lower.vectorise import Vectoriser
from gdl.model import core
from gdl.model.games import Rule

MOST_WAYS = 8  # of filling the later parameters
MOST_MOVERS = 2  # that code is written apart for

Way = tuple[Frame, Mask]  # what the later parameters are, and the first ones that fit


class JointHeads:
    """Heads of which all values are found at once."""

    def __init__(self, context: Context, loops: Loops, vectoriser: Vectoriser, fitting_sets: FittingSets):
        self.dependence, self.out = context.dependence, context.out
        self.loops = loops
        self.vectoriser = vectoriser
        self.fitting_sets = fitting_sets

    def fitting(self, rule: Rule, opening: tuple[core.Statement, ...], frame: Frame) -> list[Way] | None:
        """For each way of filling the later parameters the values of the first that fit."""
        later = rule.parameters[1:]
        own = {p.slot for p in rule.parameters}
        if any(self.dependence.of(p.domain).slots & own for p in later):
            return None
        fields = [self.loops.domain(p.domain, frame) for p in rule.parameters]
        items = [self.loops.items(field, 1) for field in fields[1:]]
        if not self._goes_up(fields[0]) or any(values is None for values in items):
            return None
        fills = list(itertools.product(*(values or () for values in items)))
        if not 1 <= len(fills) <= MOST_WAYS:
            return None
        with self.out.capture_lines() as lines:
            found = []
            for fill in fills:
                filled = {**frame, **{p.slot: value for p, value in zip(later, fill, strict=True)}}
                fits = self._fitting_head(rule, opening, fields[0], filled)
                if fits is None:
                    return None
                found.append((filled, self.out.bound_mask(fits, "fits")))
        self.out.append(lines)
        return found

    @staticmethod
    def _goes_up(domain: Domain) -> bool:
        return isinstance(domain, NumberSpan | Mask) or (isinstance(domain, Sequence) and domain.shape.order == 1)

    def _fitting_head(
        self, rule: Rule, opening: tuple[core.Statement, ...], domain: Domain, frame: Frame
    ) -> Mask | None:
        """The values of the first parameter that pass all guards and the opening."""
        field = self.fitting_sets.field(domain, frame)
        if field is None:
            return None
        inner: Frame = {**frame, rule.parameters[0].slot: LaneVector(tuple(range(field.size)))}
        statements = [core.Require(guard) for p in rule.parameters for guard in p.guards]
        for statement in (*statements, *opening):
            if isinstance(statement, core.Let):
                value = self.vectoriser.value_or_vector(statement.value, inner)
                if value is None:
                    return None
                inner[statement.slot] = value
            else:
                assert isinstance(statement, core.Require)
                fits = self.vectoriser.where(statement.condition, inner, field.size)
                if fits is None:
                    return None
                field = sets.intersection(field, fits)
        return field
