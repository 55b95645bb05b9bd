"""Values of expressions that do not read the state, in all cases that the types of names allow: for proofs before
play."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from gdl.analysis.name_forms import Unproved
from gdl.errors import GameError
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import Type, members, text_of
from gdl.model.games import Rule
from gdl.model.walk import inside

MOST_CASES = 1 << 15  # the most combinations of values that are gone through for one rule


class Cases:
    """The cases of one game, and what expressions are in them."""

    def __init__(self, players: int, evaluator: Evaluator):
        self.players = players
        self.evaluator = evaluator

    def of(self, rule: Rule, slots: Sequence[int], mover: bool) -> Iterator[tuple[list[Any], list[Any]]]:
        """Cells of a state (only the mover is filled in) and frames, one pair for each combination of these names'
        values."""
        types = _types(rule)
        if any(slot not in types for slot in slots):
            raise Unproved
        ranges = [members(types[slot]) for slot in slots]
        total = 1
        for values in ranges:
            total *= max(1, len(values))
        if total > MOST_CASES:
            raise Unproved
        for who in range(self.players if mover else 1):
            for values in itertools.product(*ranges):
                frame: list[Any] = [None] * rule.frame
                for slot, value in zip(slots, values, strict=True):
                    frame[slot] = value
                yield [who, *[None] * (FIRST_CELL - 1)], frame

    def _fill_parameters(
        self, parameters: tuple[core.Parameter, ...], cells: list[Any], frame: list[Any]
    ) -> Iterator[None]:
        """Yield once for each combination of the parameters' values, after writing it into `frame`. A domain cut by
        `until` is taken whole."""
        if not parameters:
            yield
            return
        first, rest = parameters[0], parameters[1:]
        for value in self.evaluate(widest(first.domain), cells, frame):
            frame[first.slot] = value
            yield from self._fill_parameters(rest, cells, frame)

    def evaluate(self, e: core.Expression, cells: list[Any], frame: list[Any]) -> Any:
        self.evaluator.work[0] = 0
        return self.evaluator.value(e)(cells, frame)

    def _holds(self, condition: core.Expression, cells: list[Any], frame: list[Any]) -> bool:
        try:
            return bool(self.evaluate(condition, cells, frame))
        except (GameError, TypeError):
            # A fault, which play may meet or not. The row is kept: more rows can only make the proof fail.
            return True

    def all_differ(
        self, parameters: tuple[core.Parameter, ...], parts: Sequence[Any], conditions: Sequence[core.Expression],
        cells: list[Any], frame: list[Any],
    ) -> bool:  # fmt: skip
        seen: set[tuple[str, ...]] = set()
        for _ in self._fill_parameters(parameters, cells, frame):
            # Too many to go through: nothing is proved, which is safe, for names are then compared in play.
            if len(seen) > MOST_CASES:
                return False
            if not all(self._holds(condition, cells, frame) for condition in conditions):
                continue
            text = tuple(text_of(type, self.evaluate(e, cells, frame)) for e, type in parts)
            if text in seen:
                return False
            seen.add(text)
        return True


def widest(domain: core.Expression) -> core.Expression:
    """A domain that holds all values of the given one, whatever the state: without `until`."""
    while isinstance(domain, core.Until):
        domain = domain.domain
    return domain


def repeats(domain: core.Expression) -> bool:
    """True if a domain may offer a value twice."""
    match widest(domain):
        case core.Interval() | core.Members():
            return False
        case core.Const(value=values):
            return len(set(values)) < len(values)
        case core.Lookup(table=table, arguments=arguments):
            rows = [table]
            for _ in arguments:
                rows = [row for level in rows for row in level]
            return any(row is not None and len(set(row)) < len(row) for row in rows)
    return True


def parts_of(condition: core.Expression) -> list[core.Expression]:
    """The parts of a condition joined by `and`; the condition alone if it is none."""
    match condition:
        case core.All(parts=parts):
            return list(parts)
        case core.Scope(lets=lets, result=core.All(parts=parts)):
            return [core.Scope(lets, part) for part in parts]
    return [condition]


def _types(rule: Rule) -> dict[int, Type]:
    heads = [form for form in (rule, *inside(rule.body)) if isinstance(form, Rule | core.Choose)]
    return {p.slot: p.type for head in heads for p in head.parameters}
