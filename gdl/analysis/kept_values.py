"""Conditions of a rule that need not be evaluated anew for each way to fill its head.

The head is a nest of loops, and the conditions at the beginning of the body are asked in the innermost one: a condition
that does not depend on the innermost parameter has the same value each time. The body has changed nothing yet when they
are asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gdl.analysis.dependence import Dependence, assigned_anew
from gdl.model import core
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside, parts

DECIDING = (core.Choose, core.Require, core.Rank)  # statements by which a run may fail, or be one of several
MOST_IN_PLACE = 160  # forms of a definition that is written in place for what is worth keeping in it
_LOOPS = core.Quantifier | core.Reach | core.SetOperation


class Kept(NamedTuple):
    """A form whose value is worth keeping, because it changes only with the parameter of number `level`, counted from
    1, or not at all in a position (0). For a condition on the innermost parameter, `innermost` is that parameter: the
    condition may be evaluated for all of its values at once."""

    form: Any
    level: int
    innermost: core.Parameter | None = None


def opening(body: tuple[core.Statement, ...]) -> int:
    """The number of statements at the beginning of a body that only name values or ask conditions, up to the last
    condition."""
    anew = assigned_anew(body)
    last = 0
    for count, statement in enumerate(body, start=1):
        if isinstance(statement, core.Require):
            last = count
        elif not isinstance(statement, core.Let) or statement.slot in anew:
            break
    return last


def conditions_of_head(rule: Rule) -> list[core.Expression]:
    """The conditions on the parameters of a rule: the guards, and the conditions in the opening of the body, in which
    names are replaced by their values."""
    found = [guard for p in rule.parameters for guard in p.guards]
    lets: list[tuple[int, core.Expression]] = []
    for statement in rule.body[: opening(rule.body)]:
        if isinstance(statement, core.Let):
            lets.append((statement.slot, statement.value))
        elif isinstance(statement, core.Require):
            found.append(core.Scope(tuple(lets), statement.condition) if lets else statement.condition)
    return found


class KeptValues:
    """Finds the forms of one game's rules whose values are worth keeping."""

    def __init__(self, model: RulesModel, dependence: Dependence):
        self.model = model
        self.dependence = dependence
        self._looping: dict[int, bool] = {}  # of definitions
        self._named: set[int] = set()  # the slots of names for values, which the state may have given

    def of_rule(self, rule: Rule) -> Iterator[Kept]:
        """The forms of a rule that are worth keeping, each once."""
        levels = {s.slot: 0 for s in rule.before if isinstance(s, core.Let)}
        self._named = set(levels)
        for number, parameter in enumerate(rule.parameters, start=1):
            levels[parameter.slot] = number
            for guard in parameter.guards:
                yield from self._of_form(guard, number, levels)
        last = len(rule.parameters)
        for statement in rule.body[: opening(rule.body)]:
            if isinstance(statement, core.Let):
                yield from self._of_form(statement.value, last, levels)
                slots = self.dependence.facts_of(statement.value).slots
                self._named.add(statement.slot)
                levels[statement.slot] = max((levels.get(slot, last) for slot in slots), default=0)
            elif isinstance(statement, core.Require):
                yield from self._of_condition(statement.condition, rule.parameters, levels)
                yield from self._of_form(statement.condition, last, levels)

    def of_definitions(self, rule: Rule) -> tuple[list[Kept], frozenset[int]]:
        """The forms worth keeping in definitions that the conditions on the parameters of a rule call, which depend on
        the position alone; and the definitions in which they stand, at any depth."""
        found, holders = list[Kept](), dict[int, bool]()

        def holds(form: Any, kept: list[Kept]) -> bool:
            if any(form is one.form for one in kept):
                return False
            inner = [holds(part, kept) for part in parts(form)]
            return any(inner) or (isinstance(form, core.CallDefinition) and is_holder(form.definition))

        def is_holder(index: int) -> bool:
            if index not in holders:
                holders[index] = False
                definition = self.model.definitions[index]
                if not definition.recursive and self.dependence.definition(index).size < MOST_IN_PLACE:
                    own = list(self._of_form(definition.result, 1, {}))
                    holders[index] = holds(definition.result, own) or bool(own)
                    found.extend(own)
            return holders[index]

        kept = list(self.of_rule(rule))
        for condition in conditions_of_head(rule) if rule.parameters else ():
            holds(condition, kept)
        return found, frozenset(index for index, holder in holders.items() if holder)

    def _of_form(self, e: Any, innermost: int, levels: Mapping[int, int]) -> Iterator[Kept]:
        """The largest parts of a form that loop over values and do not depend on the innermost parameter."""
        facts = self.dependence.facts_of(e)
        level = max((levels.get(slot, innermost) for slot in facts.slots), default=0)
        reads_state = facts.state or not self._named.isdisjoint(facts.slots)
        if level < innermost and reads_state and self._loops(e) and not isinstance(e, core.Until | core.Members):
            yield Kept(e, level)
            return
        for part in parts(e):
            yield from self._of_form(part, innermost, levels)

    def _of_condition(
        self, e: core.Expression, parameters: tuple[core.Parameter, ...], levels: Mapping[int, int]
    ) -> Iterator[Kept]:
        """The parts of a condition, joined by `and`, that loop over values and depend on the innermost parameter."""
        if isinstance(e, core.All):
            for part in e.parts:
                yield from self._of_condition(part, parameters, levels)
        elif parameters and parameters[-1].count is None:
            slots = self.dependence.facts_of(e).slots
            level = max((levels.get(slot, len(parameters)) for slot in slots - {parameters[-1].slot}), default=0)
            if parameters[-1].slot in slots and level < len(parameters) and self._loops(e):
                yield Kept(e, level, parameters[-1])

    def _loops(self, e: Any) -> bool:
        """True if evaluating a form loops over values."""
        return any(
            isinstance(form, _LOOPS) or (isinstance(form, core.CallDefinition) and self._definition_loops(form))
            for form in inside(e)
        )

    def _definition_loops(self, e: core.CallDefinition) -> bool:
        if e.definition not in self._looping:
            self._looping[e.definition] = True  # of one that calls itself
            self._looping[e.definition] = self._loops(self.model.definitions[e.definition].result)
        return self._looping[e.definition]
