"""Which actions could bear one name: proved from how names are made, before play.

Two rows with one name must be one action, so a listing has to look for such pairs; but most rules' names tell rows
apart by their form, and then no search is needed. A rule's names tell its rows apart if

1. a name can be split into its pieces in only one way: where one text of a piece is the beginning of another, the rest
   of the longer one cannot begin like the piece that follows; and
2. the pieces tell every parameter and choice: its value is a piece of the name, or no two combinations of values that
   are possible after the same earlier choices give the same text; and
3. no domain offers a value twice.

Two rules' names differ if, where their forms first differ, they begin differently.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from gdl.analysis.dependence import Dependence, all_inside
from gdl.analysis.kept_values import conditions_of_head
from gdl.errors import GameError
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import TRUTH, Named, Optional, Range, SetType, Type, members, size, text_of
from gdl.model.domains import Sequence as Listing
from gdl.model.games import Rule, RulesModel
from gdl.model.walk import inside

MOST_TEXTS = 1 << 12  # the most texts of a piece
SHORT_LIST = 64  # texts
MOST_CASES = 1 << 15  # the most combinations of values that are gone through for one rule
END = ""  # stands for the end of a name, after the last piece


class _Unproved(Exception):
    """Raised where nothing can be proved from the form of the names."""


@dataclass(frozen=True)
class NamePiece:
    """A part of a name, and the texts that may stand there. A `closed` piece gives only how its texts begin: an opening
    bracket, whose closing bracket ends the piece."""

    texts: frozenset[str]
    closed: bool = False


@dataclass(frozen=True)
class Perhaps:
    """Pieces that a body adds once or not at all; with `again` any number of times."""

    pieces: tuple[Form, ...]
    again: bool


Form = NamePiece | Perhaps


def template_of(head: Rule | core.Choose) -> core.Template:
    """The template of the names of a rule's actions, without what choices in the body add; or the part that a choice
    adds."""
    if head.template is not None:
        return head.template
    if isinstance(head, core.Choose):
        return core.Template(tuple(part for p in head.parameters for part in (" ", (core.Local(p.slot), p.type))))
    parts: list[Any] = [head.name]
    for number, parameter in enumerate(head.parameters):
        parts += [", " if number else "(", (core.Local(parameter.slot), parameter.type)]
    return core.Template((*parts, ")") if head.parameters else tuple(parts))


class Distinct:
    """Proves from the form of names which rules of a game can never share one."""

    def __init__(self, model: RulesModel, evaluator: Evaluator, dependence: Dependence):
        self.model = model
        self.evaluator = evaluator
        self.dependence = dependence

    def sharing(self, rules: Sequence[Rule]) -> list[tuple[int, ...]]:
        """For each rule, in order, the numbers of the rules up to and including itself with whose actions its own could
        share a name."""
        forms = [self._form_or_none(rule) for rule in rules]
        listed = [None if form is None else _short_list(form) for form in forms]
        bearers: dict[str, list[int]] = {}  # for each listed text the rules that can have it
        unlisted: list[int] = []
        found = []
        for late, rule in enumerate(rules):
            own, texts = forms[late], listed[late]
            same = {early for text in texts or () for early in bearers.get(text, ())}
            others = range(late) if texts is None else unlisted
            shared = sorted(same.union(early for early in others if not _surely_differ(forms[early], own)))
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
        except (_Unproved, GameError, TypeError):
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
                        raise _Unproved
        return found

    def _chooses(self, body: tuple[core.Statement, ...]) -> bool:
        return any(isinstance(form, core.Choose) for form in all_inside(self.model, body))

    def _pieces(self, rule: Rule, template: core.Template) -> list[Form]:
        found: list[Form] = []
        for part in template.parts:
            if isinstance(part, str):
                found.append(NamePiece(frozenset({part})))
            else:
                found.append(self._piece(rule, *part))
        return found

    def _piece(self, rule: Rule, e: core.Expression, type: Type) -> NamePiece:
        """The texts that a value in a name may have: those of its type, or where the type says too little those of all
        its values."""
        with suppress(_Unproved):
            return piece_of(type)
        facts = self.dependence.of(e)
        # What the state holds is not known before play, so neither are the texts.
        if facts.state:
            raise _Unproved
        cases = self._cases(rule, sorted(facts.slots), facts.mover)
        return NamePiece(frozenset(text_of(type, self._evaluate(e, cells, frame)) for cells, frame in cases))

    # -- what the pieces tell -------------------------------------------------------------------------------

    def _tells(self, rule: Rule, form: tuple[Form, ...]) -> bool:
        """True if no two rows of the rule can have one name."""
        if not readable(form, frozenset({END})) or any(self._repeats(p.domain) for p in self._chosen_from(rule)):
            return False
        try:
            known = {p.slot for p in rule.parameters}
            head, asked = rule.template.parts if rule.template else (), [*rule.guards, *conditions_of_head(rule)]
            if rule.template and not self._tell(
                rule, rule.parameters, head, [part for one in asked for part in _parts(one)], set()
            ):
                return False
            return self._choices_tell(rule, rule.body, known)
        except (_Unproved, GameError, TypeError):
            return False

    def _chosen_from(self, rule: Rule) -> Iterator[core.Parameter]:
        """The parameters of the rule's head and of its choices."""
        yield from rule.parameters
        for form in all_inside(self.model, rule.body):
            if isinstance(form, core.Choose):
                yield from form.parameters

    def _repeats(self, domain: core.Expression) -> bool:
        """True if a domain may offer a value twice."""
        match domain:
            case core.Interval() | core.Members():
                return False
            case core.Until(domain=inner):
                return self._repeats(inner)
            case core.Const(value=values):
                return len(set(values)) < len(values)
            case core.Lookup(table=table, arguments=arguments):
                rows = [table]
                for _ in arguments:
                    rows = [row for level in rows for row in level]
                return any(row is not None and len(set(row)) < len(row) for row in rows)
        return True

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
        facts = [self.dependence.of(part[0]) for part in parts]
        facts += [self.dependence.of(_widest(p.domain)) for p in parameters]
        if any(fact.state for fact in facts) or any(p.count is not None for p in parameters):
            return False
        own = {p.slot for p in parameters}
        outside = frozenset[int]().union(*(fact.slots for fact in facts)) - own
        if not outside <= known:
            return False
        asked = [(c, self.dependence.of(c)) for c in conditions]
        # Conditions known before play exclude values, and with them names that would be the same.
        fixed = [c for c, fact in asked if not fact.state and fact.slots <= outside | own]
        mover = any(fact.mover for fact in facts) or any(self.dependence.of(c).mover for c in fixed)
        for cells, frame in self._cases(rule, sorted(outside), mover):
            if not self._all_differ(parameters, parts, fixed, cells, frame):
                return False
        return True

    def _all_differ(
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
            text = tuple(text_of(type, self._evaluate(e, cells, frame)) for e, type in parts)
            if text in seen:
                return False
            seen.add(text)
        return True

    # -- cases ----------------------------------------------------------------------------------------------

    def _cases(self, rule: Rule, slots: Sequence[int], mover: bool) -> Iterator[tuple[list[Any], list[Any]]]:
        """Cells of a state (only the mover is filled in) and frames, one pair for each combination of these names'
        values."""
        types = self._types(rule)
        if any(slot not in types for slot in slots):
            raise _Unproved
        ranges = [members(types[slot]) for slot in slots]
        total = 1
        for values in ranges:
            total *= max(1, len(values))
        if total > MOST_CASES:
            raise _Unproved
        for who in range(len(self.model.players) if mover else 1):
            for values in itertools.product(*ranges):
                frame: list[Any] = [None] * rule.frame
                for slot, value in zip(slots, values, strict=True):
                    frame[slot] = value
                yield [who, *[None] * (FIRST_CELL - 1)], frame

    def _types(self, rule: Rule) -> dict[int, Type]:
        found = {p.slot: p.type for p in rule.parameters}
        for form in inside(rule.body):
            if isinstance(form, core.Choose):
                found |= {p.slot: p.type for p in form.parameters}
        return found

    def _fill_parameters(
        self, parameters: tuple[core.Parameter, ...], cells: list[Any], frame: list[Any]
    ) -> Iterator[None]:
        """Yield once for each combination of the parameters' values, after writing it into `frame`. A domain cut by
        `until` is taken whole."""
        if not parameters:
            yield
            return
        first, rest = parameters[0], parameters[1:]
        for value in self._evaluate(_widest(first.domain), cells, frame):
            frame[first.slot] = value
            yield from self._fill_parameters(rest, cells, frame)

    def _evaluate(self, e: core.Expression, cells: list[Any], frame: list[Any]) -> Any:
        self.evaluator.work[0] = 0
        return self.evaluator.value(e)(cells, frame)

    def _holds(self, condition: core.Expression, cells: list[Any], frame: list[Any]) -> bool:
        try:
            return bool(self._evaluate(condition, cells, frame))
        except (GameError, TypeError):
            # A fault, which play may meet or not. The row is kept: more rows can only make the proof fail.
            return True


def _parts(condition: core.Expression) -> list[core.Expression]:
    """The parts of a condition joined by `and`; the condition alone if it is none."""
    match condition:
        case core.All(parts=parts):
            return list(parts)
        case core.Scope(lets=lets, result=core.All(parts=parts)):
            return [core.Scope(lets, part) for part in parts]
    return [condition]


def _widest(domain: core.Expression) -> core.Expression:
    """A domain that holds all values of the given one, whatever the state: without `until`."""
    while isinstance(domain, core.Until):
        domain = domain.domain
    return domain


def piece_of(type: Type) -> NamePiece:
    """The texts of a type's values as a piece; for a set or list only the opening bracket. Raises _Unproved where there
    are too many texts."""
    inner = type.item if isinstance(type, Optional) else type
    if isinstance(inner, SetType | Listing) and not isinstance(type, Optional):
        brackets = "{}" if isinstance(inner, SetType) else "[]"
        if any(set(f",{brackets}") & set(text) for text in piece_of(inner.item).texts):
            raise _Unproved
        return NamePiece(frozenset({brackets[0]}), closed=True)
    if (not isinstance(inner, Named | Range) and inner != TRUTH) or size(type) > MOST_TEXTS:
        raise _Unproved
    return NamePiece(frozenset(text_of(type, value) for value in members(type)))


# ---- Reading names back -----------------------------------------------------------------------------------------


def readable(form: Sequence[Form], follow: frozenset[str]) -> bool:
    """True if a text of this form can be split into its pieces in only one way. `follow`: the characters that may come
    after it."""
    for part in reversed(form):
        if isinstance(part, NamePiece):
            if not _apart(part.texts, follow):
                return False
        else:
            begin = starts(part.pieces, frozenset())
            if begin & follow or not readable(part.pieces, follow | begin if part.again else follow):
                return False
        follow = starts([part], follow)
    return True


def _apart(texts: frozenset[str], follow: frozenset[str]) -> bool:
    """True if no text of a piece is the beginning of a longer one that goes on with a character of `follow`."""
    # If one text begins another, the rest of the longer one could be the beginning of what follows the shorter.
    ordered = sorted(texts)  # right after each text come those that begin with it
    for at, short in enumerate(ordered, start=1):
        while at < len(ordered) and ordered[at].startswith(short):
            if ordered[at][len(short)] in follow:
                return False
            at += 1
    return True


def starts(form: Sequence[Form], follow: frozenset[str]) -> frozenset[str]:
    """The characters with which a text of this form can begin; those of `follow` too if the text can be empty."""
    for part in reversed(form):
        if isinstance(part, NamePiece):
            begin = frozenset(text[0] for text in part.texts if text)
            follow = begin | follow if "" in part.texts else begin
        else:
            follow = starts(part.pieces, follow) | follow
    return follow


def differ(a: Sequence[Form], b: Sequence[Form]) -> bool:
    """True if no text has both forms. False where that is not proved."""
    for at in range(min(len(a), len(b)) + 1):
        end = frozenset({END})
        # After equal pieces the next characters differ, so whole texts do.
        if not starts(a[at:], end) & starts(b[at:], end):
            return True
        # Only an equal piece that is read in one way can be passed over: then the rests alone must differ.
        if at == min(len(a), len(b)) or a[at] != b[at] or not isinstance(a[at], NamePiece):
            break
        if not readable(a[: at + 1], starts(a[at + 1 :], end) | starts(b[at + 1 :], end)):
            return False
    return _few_and_different(a, b)


def _surely_differ(a: Sequence[Form] | None, b: Sequence[Form] | None) -> bool:
    """True if both forms are known, and no text has both."""
    return a is not None and b is not None and differ(a, b)


def _few_and_different(a: Sequence[Form], b: Sequence[Form]) -> bool:
    """True if the texts of both forms can be listed and none is in both lists."""
    lists = [_texts(form) for form in (a, b)]
    return lists[0] is not None and lists[1] is not None and not lists[0] & lists[1]


def _short_list(form: Sequence[Form]) -> set[str] | None:
    """The texts of a form if they are few (SHORT_LIST), so that those of all rules can be compared; else None."""
    texts = _texts(form)
    return texts if texts is not None and len(texts) <= SHORT_LIST else None


def _texts(form: Sequence[Form]) -> set[str] | None:
    found = {""}
    for part in form:
        if not isinstance(part, NamePiece) or part.closed or len(found) * len(part.texts) > MOST_TEXTS:
            return None
        found = {text + more for text in found for more in part.texts}
    return found
