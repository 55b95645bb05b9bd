"""Actions that could bear one name: proved from how names are made, before play.

Two rows with one name must be one action, so a listing has to look for such pairs; but most rules' names tell rows
apart by their form, and then no search is needed. A rule's names tell its rows apart if

1. a name can be split into its pieces in only one way (gdl/analysis/name_forms.py); and
2. the pieces tell every parameter and choice: its value is a piece of the name, or no two combinations of values that
   are possible after the same earlier choices give the same text; and
3. no domain offers a value twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from gdl.analysis.dependence import Dependence, all_inside
from gdl.analysis.kept_values import conditions_of_head
from gdl.analysis.name_forms import (
    END,
    Form,
    NamePiece,
    Perhaps,
    Unproved,
    piece_of,
    readable,
    short_list,
    surely_differ,
    template_of,
)
from gdl.errors import GameError
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.evaluator import NO_WORK, Evaluator
from gdl.model import core
from gdl.model.domains import Type, members, text_of
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside

# Values of expressions that do not read the state, in all cases that the types of names allow.

MOST_CASES = 1 << 15  # the most combinations of values that are gone through for one rule


class Cases:
    """The cases of one game, and what expressions are in them."""

    def __init__(self, players: int, evaluator: Evaluator):
        self.players = players
        self.evaluator = evaluator

    def combinations(self, rule: Rule, slots: Sequence[int], mover: bool) -> Iterator[tuple[list[Any], list[Any]]]:
        """Cells of a state (only the mover is filled in) and frames, one pair for each combination of these names'
        values."""
        types = _types(rule)
        if any(slot not in types for slot in slots):
            raise Unproved
        ranges = [members(types[slot]) for slot in slots]
        if prod(max(1, len(values)) for values in ranges) > MOST_CASES:
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
        for value in self.evaluate(widest_domain(first.domain), cells, frame):
            frame[first.slot] = value
            yield from self._fill_parameters(rest, cells, frame)

    def evaluate(self, e: core.Expression, cells: list[Any], frame: list[Any]) -> Any:
        self.evaluator.work[:] = NO_WORK
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


def widest_domain(domain: core.Expression) -> core.Expression:
    """A domain that holds all values of the given one, whatever the state: without `until`."""
    while isinstance(domain, core.Until):
        domain = domain.domain
    return domain


def repeats(domain: core.Expression) -> bool:
    """True if a domain may offer a value twice."""
    match widest_domain(domain):
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


def note_shared_names(model: RulesModel) -> RulesModel:
    """The model in which each action and each outcome has the numbers of the rules, up to and including its own, with
    whose rows its rows could share a name."""
    known = Distinct(model, Evaluator(model.variables, model.definitions, model.times), Dependence(model))
    pairs = zip(model.actions, known.sharing(model.actions), strict=True)
    chances = []
    for number, rule in enumerate(model.chances, len(model.actions)):
        # Outcomes of one step can share names only with each other.
        chances.append(rule.copy_with(shares=(number,) if known.sharing([rule])[0] else ()))
    actions = tuple(rule.copy_with(shares=shares) for rule, shares in pairs)
    return model.copy_with(actions=actions, chances=tuple(chances))


class Distinct:
    """Proves from the form of names which rules of a game can never share one."""

    def __init__(self, model: RulesModel, evaluator: Evaluator, dependence: Dependence):
        self.model = model
        self.dependence = dependence
        self.cases = Cases(len(model.players), evaluator)

    def sharing(self, rules: Sequence[Rule]) -> list[tuple[int, ...]]:
        """For each rule, in order, the numbers of the rules up to and including itself with whose actions its own could
        share a name."""
        forms = [self._form_or_none(rule) for rule in rules]
        listed = [None if form is None else short_list(form) for form in forms]
        bearers: dict[str, list[int]] = {}  # for each listed text the rules that can have it
        unlisted: list[int] = []
        found = []
        for late, rule in enumerate(rules):
            own, texts = forms[late], listed[late]
            same = {early for text in texts or () for early in bearers.get(text, ())}
            others = range(late) if texts is None else unlisted
            shared = sorted(same.union(early for early in others if not surely_differ(forms[early], own)))
            # A rule with one row alone cannot have two rows of one name.
            several = rule.parameters or self._chooses(rule.body)
            if several and (own is None or not self._tells(rule, own)):
                shared.append(late)
            found.append(tuple(shared))
            if texts is None:
                unlisted.append(late)
            for text in texts or ():
                bearers.setdefault(text, []).append(late)
        return found

    # -- forms ----------------------------------------------------------------------------------------------

    def _form_or_none(self, rule: Rule) -> tuple[Form, ...] | None:
        try:
            return (*self._pieces(rule, template_of(rule)), *self._body(rule, rule.body))
        except (Unproved, GameError, TypeError):
            return None

    def _body(self, rule: Rule, statements: tuple[core.Statement, ...]) -> list[Form]:
        found: list[Form] = []
        for s in statements:
            match s:
                case core.Choose():
                    found += self._pieces(rule, template_of(s))
                case core.Repeat(body=body) | core.For(body=body):
                    inner = self._body(rule, body)
                    # The body of a loop may be gone through any number of times, none included.
                    found += [Perhaps(tuple(inner), True)] if inner else []
                case core.Conditional(then=then, otherwise=otherwise):
                    for side in (then, otherwise):
                        inner = self._body(rule, side)
                        found += [Perhaps(tuple(inner), False)] if inner else []
                case core.Attempt() | core.Try() | core.CallProcedure():
                    if self._chooses((s,)):
                        # A procedure that chooses may be called from several places; what it adds to the name is not
                        # followed.
                        raise Unproved
        return found

    def _chooses(self, body: tuple[core.Statement, ...]) -> bool:
        return any(isinstance(form, core.Choose) for form in all_inside(self.model, body))

    def _pieces(self, rule: Rule, template: core.Template) -> list[Form]:
        return [
            NamePiece(frozenset({part})) if isinstance(part, str) else self._piece(rule, *part)
            for part in template.parts
        ]

    def _piece(self, rule: Rule, e: core.Expression, type: Type) -> NamePiece:
        """The texts that a value in a name may have: those of its type, or where the type says too little those of all
        its values."""
        with suppress(Unproved):
            return piece_of(type)
        facts = self.dependence.facts_of(e)
        # What the state holds is not known before play, so neither are the texts.
        if facts.state:
            raise Unproved
        cases = self.cases.combinations(rule, sorted(facts.slots), facts.mover)
        return NamePiece(frozenset(text_of(type, self.cases.evaluate(e, cells, frame)) for cells, frame in cases))

    # -- what the pieces tell -------------------------------------------------------------------------------

    def _tells(self, rule: Rule, form: tuple[Form, ...]) -> bool:
        """True if no two rows of the rule can have one name."""
        heads = [form for form in (rule, *all_inside(self.model, rule.body)) if isinstance(form, Rule | core.Choose)]
        repeated = any(repeats(p.domain) for head in heads for p in head.parameters)
        if repeated or not readable(form, frozenset({END})):
            return False
        try:
            known = {p.slot for p in rule.parameters}
            head, asked = rule.template.parts if rule.template else (), [*rule.guards, *conditions_of_head(rule)]
            if rule.template and not self._tell(
                rule, rule.parameters, head, [part for one in asked for part in parts_of(one)], set()
            ):
                return False
            return self._choices_tell(rule, rule.body, known)
        except (Unproved, GameError, TypeError):
            return False

    def _choices_tell(self, rule: Rule, statements: tuple[core.Statement, ...], known: set[int]) -> bool:
        for s in statements:
            match s:
                case core.Choose():
                    guards = [guard for p in s.parameters for guard in p.guards]
                    if s.template and not self._tell(rule, s.parameters, s.template.parts, guards, known):
                        return False
                    known |= {p.slot for p in s.parameters}
                case core.Repeat(body=body) | core.For(body=body):
                    if not self._choices_tell(rule, body, known):
                        return False
                case core.Conditional(then=then, otherwise=otherwise):
                    if not self._choices_tell(rule, then, known) or not self._choices_tell(rule, otherwise, known):
                        return False
        return True

    def _tell(
        self, rule: Rule, parameters: tuple[core.Parameter, ...], parts: Sequence[Any],
        conditions: Sequence[core.Expression], known: set[int],
    ) -> bool:  # fmt: skip
        """True if different values of the parameters always give different texts of the parts. `known`: the names
        (slots) that the text before has already told."""
        said = {part[0].slot for part in parts if not isinstance(part, str) and isinstance(part[0], core.Local)}
        # Each parameter stands in the name as it is: different values, different names.
        if said >= {p.slot for p in parameters}:
            return True
        parts = [part for part in parts if not isinstance(part, str)]
        facts = [self.dependence.facts_of(part[0]) for part in parts]
        facts += [self.dependence.facts_of(widest_domain(p.domain)) for p in parameters]
        if any(fact.state for fact in facts) or any(p.count is not None for p in parameters):
            return False
        own = {p.slot for p in parameters}
        outside = frozenset[int]().union(*(fact.slots for fact in facts)) - own
        if not outside <= known:
            return False
        asked = [(c, self.dependence.facts_of(c)) for c in conditions]
        # Conditions known before play exclude values, and with them names that would be the same.
        fixed = [c for c, fact in asked if not fact.state and fact.slots <= outside | own]
        mover = any(fact.mover for fact in facts) or any(self.dependence.facts_of(c).mover for c in fixed)
        cases = self.cases.combinations(rule, sorted(outside), mover)
        return all(self.cases.all_differ(parameters, parts, fixed, cells, frame) for cells, frame in cases)
