"""Clauses of Stanford's Game Description Language, checked: syntax -> model.

A clause must be safe (what its head, its negations and its distinctions speak of is bound by what holds in its body),
no relation may follow from its own negation, and what is known before a move may not ask about the move. Then the
relations come in strata, each of which can be completed before the next is asked.

Sources: as of kif_reader.py; K. Apt, H. Blair, A. Walker, Towards a theory of declarative knowledge (1988);
M. Thielscher, A general game description language for incomplete information games, AAAI 2010.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain, product
from math import prod

from gdl.errors import GameError, Problem, Span, clean, limits, suggestion
from gdl.states.components import strong_components
from gdl.wings.stanford.clauses_model import (
    KIF_FILE,
    RANDOM,
    Atom,
    Clause,
    ClausesModel,
    Condition,
    Pattern,
    Relation,
    Stratum,
    relation_of,
    variables_in,
)
from gdl.wings.stanford.kif_reader import Clauses, Form

ARGUMENTS = {
    "role": 1, "init": 1, "true": 1, "next": 1, "does": 2, "legal": 2, "goal": 2, "sees": 2, "terminal": 0, "base": 1,
    "input": 2, "distinct": 2,
}  # fmt: skip
GIVEN = ("true", "does")  # relations given by the position and by the moves
CONNECTIVES = ("not", "or", "and", "distinct", "<=")
KNOWN_BEFORE = ("init", "role", "base", "input")
ASKED = ("role", "init", "legal", "goal", "terminal", "next", "sees")  # relations that play asks about
WAYS = 256  # the most clauses that one clause with `or` may become
CLAUSES = 50_000
PARTS = 200  # the most conditions of a body


def check_clauses(name: str, section: Clauses) -> tuple[ClausesModel, tuple[Problem, ...]]:
    """The model of a game of clauses, and the warnings about it. Raises GameError with every problem found."""
    checker = _Checker(section)
    clauses = checker.clauses()
    checker.stop()
    strata = checker.strata(clauses)
    roles = [clause.head[1] for clause in clauses if clause.head[0] == "role" and len(clause.head) == 2]
    checker.check_roles(roles, clauses)
    checker.stop()
    always, here, then = levels_of(strata)
    goals = [clause.head[2] for clause in clauses if clause.head[0] == "goal"]
    paid = [int(goal) for goal in goals if isinstance(goal, str) and goal.isdecimal() and len(goal) <= limits.DIGITS]
    model = ClausesModel(
        name=name, players=tuple(dict.fromkeys(role for role in roles if role != RANDOM)),
        has_chance=RANDOM in roles, has_secrets=any(clause.head[0] == "sees" for clause in clauses),
        always=always, here=here, then=then,
        utilities=(min(paid), max(paid)) if paid and len(paid) == len(goals) else None,
    )  # fmt: skip
    return model, tuple(checker.warnings)


def _problem(message: str, span: Span, help: str = "", warning: bool = False) -> Problem:
    return Problem(message, span, help=help, warning=warning, code=KIF_FILE)


class _Checker:
    """Checks the clauses of a file, and collects problems and warnings."""

    def __init__(self, section: Clauses):
        self.section = section
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def stop(self) -> None:
        if self.problems:
            raise GameError(self.problems)

    def wrong(self, message: str, span: Span, help: str = "") -> None:
        self.problems.append(_problem(message, span, help))

    # ---- Clauses ----------------------------------------------------------------------------------------------

    def clauses(self) -> list[Clause]:
        """The clauses of the file. One with `or` becomes several."""
        found: list[Clause] = []
        for form in self.section.forms:
            is_rule = len(form.parts) > 1 and form.parts[0].word == "<="
            head, body = (form.parts[1], form.parts[2:]) if is_rule else (form, ())
            ways = self._ways(body)
            if len(found) + len(ways) > CLAUSES:
                self.wrong(f"more than {CLAUSES:,} clauses", form.span, "gdl reads smaller games of this kind")
                break
            found += (clause for way in ways if (clause := self._clause(head, way, form.span)) is not None)
        return found

    def _ways(self, body: Iterable[Form]) -> list[list[Form]]:
        """A body without `or` and `and`: the alternatives, each a list of conditions all of which must hold."""
        ways: list[list[Form]] = [[]]
        for form in body:
            choices = self._choices(form)
            if len(ways) * len(choices) > WAYS:
                self.wrong(f"this 'or' makes more than {WAYS} clauses of one", form.span, "write it as a relation")
                return []
            ways = [[*way, *choice] for way, choice in product(ways, choices)]
        if any(len(way) > PARTS for way in ways):
            self.wrong(f"a clause has at most {PARTS} conditions", next(iter(body)).span, "write several clauses")
            return []
        return ways

    def _choices(self, form: Form) -> list[list[Form]]:
        """A condition without `or` and `and`, as alternatives: lists of conditions all of which must hold. Brackets are
        at most limits.NESTING deep."""
        word = form.parts[0].word if form.parts else ""
        if word == "or":
            inside = [self._choices(part) for part in form.parts[1:]]
            return [choice for choices in inside for choice in choices]
        if word == "and":
            inside = [self._choices(part) for part in form.parts[1:]]
            if prod(map(len, inside)) > WAYS:
                self.wrong(f"this 'and' makes more than {WAYS} clauses of one", form.span, "write it as a relation")
                return []
            return [[part for choice in choices for part in choice] for choices in product(*inside)]
        return [[form]]

    def _clause(self, head: Form, body: list[Form], span: Span) -> Clause | None:
        known: dict[str, int] = {}
        before = len(self.problems)
        atom = self._atom(head, known)
        if atom is not None and (atom[0] in GIVEN or atom[0] in CONNECTIVES):
            self.wrong(f"'{atom[0]}' is asked, and follows from nothing", head.span, "name a relation of your own")
        conditions = [self._condition(form, known) for form in body]
        if atom is None or None in conditions or len(self.problems) > before:
            return None
        clause = Clause(atom, tuple(c for c in conditions if c is not None), len(known), span)
        self._check_safe(clause, head, {number: name for name, number in known.items()})
        return clause

    def _condition(self, form: Form, known: dict[str, int]) -> Condition | None:
        word = form.parts[0].word if form.parts else ""
        if word == "not":
            if len(form.parts) != 2:
                self.wrong("'not' takes one condition", form.span, "write (not (relation …))")
                return None
            inner = form.parts[1]
            if inner.parts and inner.parts[0].word in ("not", "or", "and"):
                self.wrong("'not' takes a relation", inner.span, "make a relation of it, and negate that")
                return None
            atom = self._atom(inner, known)
            if atom is not None and atom[0] == "distinct":
                self.wrong("'not' takes a relation", inner.span, "write the same term twice")
                return None
            return None if atom is None else Condition("not", atom, form.span)
        atom = self._atom(form, known)
        if atom is None:
            return None
        if atom[0] in ("next", "sees"):
            self.wrong(f"'{atom[0]}' follows from a body, and stands in none", form.span, "ask 'true'")
            return None
        return Condition("distinct" if atom[0] == "distinct" else "holds", atom, form.span)

    def _atom(self, form: Form, known: dict[str, int]) -> Atom | None:
        """A form as a relation with its arguments; None, with a problem, if the form is no relation."""
        name = form.word or (form.parts[0].word if form.parts else "")
        if not name or name.startswith("?") or name == "<=":
            self.wrong("a relation is due here", form.span, "write (name argument …), or a name")
            return None
        terms = [self._term(part, known) for part in form.parts[1:]]
        due = ARGUMENTS.get(name)
        if due is not None and len(terms) != due:
            count = "no argument" if due == 0 else "1 argument" if due == 1 else f"{due} arguments"
            self.wrong(f"'{name}' takes {count}, not {len(terms)}", form.span, f"write {count}")
            return None
        return (name, *terms)

    def _term(self, form: Form, known: dict[str, int]) -> Pattern:
        if form.word.startswith("?"):
            return known.setdefault(form.word, len(known))
        if form.word:
            return form.word
        if not form.parts or not form.parts[0].word or form.parts[0].word.startswith("?"):
            self.wrong("a function's name is due here", form.span, "write (name argument …)")
            return ""
        if len(form.parts) == 1:  # (f) is f
            return form.parts[0].word
        return (form.parts[0].word, *(self._term(part, known) for part in form.parts[1:]))

    def _check_safe(self, clause: Clause, head: Form, names: dict[int, str]) -> None:
        bound = {v for c in clause.body if c.kind == "holds" for v in variables_in(c.atom)}
        parts = [(clause.head, head.span), *((c.atom, c.span) for c in clause.body if c.kind != "holds")]
        for atom, span in parts:
            free = next((v for v in variables_in(atom) if v not in bound), None)
            if free is not None:
                message = f"nothing in this clause says what {clean(names[free])} can be"
                self.wrong(message, span, "add a relation to its body that holds for it")
                return

    # ---- Relations --------------------------------------------------------------------------------------------

    def check_roles(self, roles: list[Pattern], clauses: list[Clause]) -> None:
        place = self.section.span
        here = Span(place.source, place.start, min(place.end, place.start + 1))
        if not any(isinstance(role, str) and role != RANDOM for role in roles):
            self.wrong("no clause says who plays", here, "write a clause such as (role white)")
        if len(set(roles)) > limits.PLAYERS:
            self.wrong(f"a game has at most {limits.PLAYERS} players", here, "name fewer")
        heads = {clause.head[0] for clause in clauses}
        for word, what in (
            ("legal", "what can be done"),
            ("terminal", "where the game ends"),
            ("goal", "what is paid"),
        ):
            if word not in heads:
                self.wrong(f"no clause says {what}", here, f"write clauses for '{word}'")
        if any(not isinstance(role, str) for role in roles) or any(c.body for c in clauses if c.head[0] == "role"):
            self.wrong("roles are words that hold always", here, "write a clause such as (role white) for each")

    def strata(self, clauses: list[Clause]) -> list[tuple[Stratum, set[str]]]:
        """The strata of these clauses, checked."""
        self._check_known(clauses, {relation_of(clause.head) for clause in clauses})
        strata, circles = strata_of(clauses)
        for _, clause, condition in circles:
            name = clean(str(clause.head[0]))
            self.wrong(f"whether '{name}' holds hangs on its own negation", condition.span, "break the circle")
        for stratum, kinds in strata:
            for name in dict.fromkeys(clause.head[0] for clause in stratum.clauses):
                self._check_level(name, kinds, stratum.clauses)
        return strata

    def _check_known(self, clauses: list[Clause], by_relation: set[Relation]) -> None:
        told: set[Relation] = set()
        for clause in clauses:
            for condition in clause.body:
                relation = relation_of(condition.atom)
                if condition.kind == "distinct" or relation[0] in GIVEN or relation in by_relation or relation in told:
                    continue
                told.add(relation)
                others = sorted({name for name, count in by_relation if count == relation[1]})
                help = suggestion(relation[0], others, "write a clause for it")
                message = f"no clause says when '{clean(relation[0])}' holds, so it never does"
                self.warnings.append(_problem(message, condition.span, help, warning=True))

    def _check_level(self, name: str, kinds: set[str], inside: Sequence[Clause]) -> None:
        if name in KNOWN_BEFORE and kinds:
            message = f"'{name}' is known before play, and asks '{min(kinds)}'"
            self.wrong(message, inside[0].span, "ask what holds always")
        elif name in ("legal", "goal", "terminal") and "does" in kinds:
            self.wrong(f"'{name}' is known before the move, and asks 'does'", inside[0].span, "ask 'true'")


def strata_of(clauses: list[Clause]) -> tuple[list[tuple[Stratum, set[str]]], list[tuple[Stratum, Clause, Condition]]]:
    """The relations that play needs, each stratum after those that it asks about, and with it the kinds of facts that
    it depends on: `true` for the position, `does` for the moves. Then each stratum that hangs on its own negation, with
    the first clause in which it does, and the condition."""
    by_relation: dict[Relation, list[Clause]] = {}
    for clause in clauses:
        by_relation.setdefault(relation_of(clause.head), []).append(clause)
    found: list[tuple[Stratum, set[str]]] = []
    circles: list[tuple[Stratum, Clause, Condition]] = []
    given: dict[Relation, set[str]] = {}
    needed = _needed_relations(by_relation)
    for group in strong_components(needed, {relation: _asked_by(relation, by_relation) for relation in needed}):
        inside = [clause for relation in group for clause in by_relation.get(relation, ())]
        asked = {relation_of(c.atom) for clause in inside for c in clause.body if c.kind != "distinct"}
        parts = _goals_apart(inside) if group == [("goal", 2)] else [inside]
        recursive = len(parts) == 1 and bool(asked & set(group))
        kinds = {name for name, _ in asked if name in GIVEN}
        kinds |= {kind for relation in asked for kind in given.get(relation, ())}
        given |= dict.fromkeys(group, kinds)
        found += [(Stratum(tuple(part), recursive), kinds) for part in parts if part]
        negations = ((clause, c) for clause in inside for c in clause.body if c.kind == "not")
        circle = next(((clause, c) for clause, c in negations if relation_of(c.atom) in group), None)
        if circle is not None and recursive:
            circles.append((found[-1][0], *circle))
    return found, circles


def _goals_apart(goals: list[Clause]) -> list[list[Clause]]:
    """The clauses of 'goal' by what is paid, each part after those that it asks about; all in one part where that is
    not known of each or goes round in a circle."""
    asked: dict[Pattern, list[Pattern]] = {}
    for clause in goals:
        asked.setdefault(clause.head[2], []).extend(c.atom[2] for c in clause.body if c.atom[0] == "goal")
    if not all(isinstance(paid, str) for paid in chain(asked, *asked.values())):
        return [goals]
    try:
        order = list(TopologicalSorter(asked).static_order())
    except CycleError:
        return [goals]
    return [[clause for clause in goals if clause.head[2] == paid] for paid in order]


def _needed_relations(by_relation: dict[Relation, list[Clause]]) -> list[Relation]:
    """The relations that play asks about, and those on which they depend."""
    stack = [relation for relation in by_relation if relation[0] in ASKED]
    found = dict.fromkeys(stack)
    while stack:
        more = [relation for relation in _asked_by(stack.pop(), by_relation) if relation not in found]
        found |= dict.fromkeys(more)
        stack += more
    return list(found)


def _asked_by(relation: Relation, by_relation: dict[Relation, list[Clause]]) -> list[Relation]:
    conditions = (c for clause in by_relation.get(relation, ()) for c in clause.body if c.kind != "distinct")
    return list(dict.fromkeys(relation_of(c.atom) for c in conditions))


def levels_of(strata: list[tuple[Stratum, set[str]]]) -> tuple[tuple[Stratum, ...], ...]:
    """The strata by when they can be computed: once for all play, in each position before a move, and after a move."""
    always = tuple(stratum for stratum, kinds in strata if not kinds and not _is_next(stratum))
    here = tuple(stratum for stratum, kinds in strata if kinds == {"true"} and not _is_next(stratum))
    then = tuple(stratum for stratum, kinds in strata if "does" in kinds or _is_next(stratum))
    return always, here, then


def _is_next(stratum: Stratum) -> bool:
    """True if a stratum says what is true (`next`) or seen (`sees`) after the move, even if it depends on no
    position."""
    return any(clause.head[0] in ("next", "sees") for clause in stratum.clauses)
