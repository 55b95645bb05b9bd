"""Consequences of clauses: the least facts of each stratum, found bottom-up.

A body is gone through condition by condition, with all the ways to bind its variables so far side by side, so that
nothing recurses. Positive conditions are joined by an index over the arguments that are known by then; negations and
distinctions are asked as soon as their variables are bound. A recursive stratum is gone through again until nothing new
follows; from the second time on, at least one condition is met by a row that is new since then (semi-naive evaluation).

Fluents, the things that are true of a position, are kept by their function: `true(cell(1, 2, b))` is the row (1, 2, b)
of the relation true/cell. So a condition that names the function finds its rows by an index.

Source: S. Abiteboul, R. Hull, V. Vianu, Foundations of Databases (1995), chapters 12 and 13 (13.1 for the new rows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem, Span
from gdl.wings.stanford.clauses_model import (
    FLUENTS,
    KIF_FILE,
    Atom,
    Clause,
    Condition,
    Pattern,
    Stratum,
    Term,
    variables_in,
)

FACTS = 200_000  # the most that may follow in one position
WAYS = 500_000  # the most ways to bind the variables of one clause
DEEPEST = 50  # functions inside one another

Key = tuple[str, str, int]  # relation, function of its fluent ("" where it has none), length of a row
Row = tuple[Any, ...]
RowOfWay = Callable[[Sequence[Any]], Row]  # from the values of the variables


class TooMuchFollows(GameError):
    """More follows from clauses than can be kept."""


def clause_fault(message: str, span: Span | None, help: str, kind: type[GameError] = GameError) -> GameError:
    """The error for a mistake of the clauses that shows only in play."""
    return kind(Problem(message, span, help=help, code=KIF_FILE))


class RelationTable:
    """The rows of a relation. An index is kept for each set of columns by which rows were looked up."""

    def __init__(self, rows: Iterable[Row] = ()):
        self.rows: dict[Row, None] = dict.fromkeys(rows)
        self._indexes: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    def add(self, row: Row) -> bool:
        """Add a row; True if it is new."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for columns, index in self._indexes.items():
            index.setdefault(tuple([row[c] for c in columns]), []).append(row)
        return True

    def matching(self, columns: tuple[int, ...], values: Row) -> Sequence[Row]:
        """The rows that have these values in these columns (numbers from 0; without columns, all rows)."""
        if not columns:
            return list(self.rows)
        index = self._indexes.get(columns)
        if index is None:
            index = self._indexes[columns] = {}
            for row in self.rows:
                index.setdefault(tuple([row[c] for c in columns]), []).append(row)
        return index.get(values, ())


class DerivedFacts:
    """Facts by relation, on top of the facts `below`, which stay as they are."""

    def __init__(self, below: DerivedFacts | None = None):
        self.below = below
        self.tables: dict[Key, RelationTable] = {}
        self.count = 0
        self.work = 0  # ways gone through to find the facts: a measure of time without a clock
        self.most_work = inf  # beyond which more follows than can be kept

    def table(self, key: Key) -> RelationTable | None:
        facts: DerivedFacts | None = self
        while facts is not None:
            if key in facts.tables:
                return facts.tables[key]
            facts = facts.below
        return None

    def rows(self, key: Key) -> Mapping[Row, None]:
        table = self.table(key)
        return {} if table is None else table.rows

    def add(self, atom: Atom) -> bool:
        return self.add_row(*key_and_row(atom))

    def add_row(self, key: Key, row: Row) -> bool:
        """Add a fact by its table and row; True if it is new."""
        table = self.tables.get(key)
        if table is None:
            table = self.tables[key] = RelationTable()
        new = table.add(row)
        self.count += new
        return new

    def holds(self, atom: Atom) -> bool:
        key, row = key_and_row(atom)
        return row in self.rows(key)

    def family(self, relation: str) -> Iterator[Key]:
        """The keys of all tables of a relation of fluents, one for each function."""
        facts: DerivedFacts | None = self
        while facts is not None:
            yield from [key for key in facts.tables if key[0] == relation and facts.tables[key].rows]
            facts = facts.below

    def atoms(self, relation: str) -> Iterator[Row]:
        """The arguments of all facts of a relation."""
        for key in dict.fromkeys(self.family(relation)):
            for row in self.rows(key):
                yield join_arguments(key, row)


def key_and_row(atom: Any) -> tuple[Key, Row]:
    """The table that an atom belongs to, and its row there; atoms with variables too. For a relation of fluents, the
    arguments of the fluent are columns of the row."""
    name, place = atom[0], FLUENTS.get(atom[0])
    if place is None:
        return (name, "", len(atom) - 1), atom[1:]
    before, fluent = atom[1 : 1 + place], atom[1 + place]
    function, arguments = (fluent[0], fluent[1:]) if isinstance(fluent, tuple) else (fluent, ())
    return (name, function, place + len(arguments)), (*before, *arguments)


def join_arguments(key: Key, row: Row) -> Row:
    """The arguments of a fact, with its fluent put together again from the row: the reverse of `key_and_row`."""
    place = FLUENTS.get(key[0])
    if place is None:
        return row
    rest = row[place:]
    return (*row[:place], (key[1], *rest) if rest else key[1])


class ConditionStep(NamedTuple):
    """A condition of a body, with the columns and variables that are known when its turn comes."""

    kind: str  # join, family, not, distinct
    atom: Atom
    key: Key | None
    known: tuple[int, ...]  # columns whose value is known before
    values: RowOfWay  # those values
    new: tuple[tuple[int, Pattern], ...]  # columns and what they bind
    plain: tuple[tuple[int, int], ...]  # the same, if all are variables, each in one column; else empty

    def keys(self, facts: DerivedFacts) -> tuple[Key, ...]:
        """The keys of the tables in which rows for this condition are looked up."""
        if self.kind == "family":
            return tuple(dict.fromkeys(facts.family(self.atom[0])))
        return () if self.key is None else (self.key,)

    def table(self, facts: DerivedFacts) -> RelationTable | None:
        """The rows that may meet this condition."""
        if self.kind == "family":
            return RelationTable(facts.atoms(self.atom[0]))
        return None if self.key is None else facts.table(self.key)

    def new_rows(self, facts: DerivedFacts, sizes: Mapping[Key, int]) -> RelationTable:
        """The rows that may meet this condition and were not there when the tables had these sizes."""
        found: list[Row] = []
        for key in self.keys(facts):
            rows = islice(facts.rows(key), sizes.get(key, 0), None)
            found += rows if self.kind == "join" else (join_arguments(key, row) for row in rows)
        return RelationTable(found)


class Conclusion(NamedTuple):
    """A clause's head: the table that its facts belong to, and their rows there; without a table (None) each row is the
    whole fact."""

    key: Key | None
    row: RowOfWay

    @staticmethod
    def conclusion_of(clause: Clause) -> Conclusion:
        key, row = _table_and_row(clause.head)
        return Conclusion(key, _reader(row, clause.span))

    def add(self, way: Sequence[Any], facts: DerivedFacts) -> bool:
        """Add the fact for these values of the variables; True if it is new."""
        return facts.add(self.row(way)) if self.key is None else facts.add_row(self.key, self.row(way))


class Plan(NamedTuple):
    """A stratum ready to be computed: its clauses, each with its conditions in the order in which they are asked."""

    clauses: tuple[tuple[Clause, tuple[ConditionStep, ...], Conclusion], ...]
    recursive: bool


def plan_strata(strata: Iterable[Stratum]) -> tuple[Plan, ...]:
    """The strata with the conditions of each clause put in order."""
    return tuple(
        Plan(tuple((c, steps_of(c), Conclusion.conclusion_of(c)) for c in s.clauses), s.recursive) for s in strata
    )


def steps_of(clause: Clause, first: int | None = None, facts: DerivedFacts | None = None) -> tuple[ConditionStep, ...]:
    """The order in which the conditions of a clause are asked: always one that can be asked, first those whose
    arguments are known, then computations, then the one with most known arguments; of ties the one with the fewest rows
    in `facts`, then in the order of the file. The condition with the number `first` comes before all others."""
    left, bound, found = list(clause.body), set[int](), list[ConditionStep]()
    rows = {id(one): len(facts.rows(key_and_row(one.atom)[0])) if facts else 0 for one in left}
    asked = {id(one): _variables_by_column(one) for one in left}
    while left:
        best = max(
            range(len(left)), key=lambda n: (_ranking_key(left[n], asked[id(left[n])], bound), -rows[id(left[n])], -n)
        )
        condition = left.pop(best if first is None or found else first)
        found.append(_step(condition, bound, clause.span))
        if condition.kind == "holds":
            bound.update(variables_in(condition.atom))
    return tuple(found)


def _variables_by_column(condition: Condition) -> list[set[int]]:
    """The variables of each argument of a condition, those of a fluent's arguments each by itself."""
    of_fluent = condition.kind == "holds" and _has_function(condition.atom)
    columns = key_and_row(condition.atom)[1] if of_fluent else condition.atom[1:]
    return [set(variables_in(part)) for part in columns]


def _ranking_key(condition: Condition, asked: list[set[int]], bound: set[int]) -> tuple[int, bool, int, int, int]:
    """A key by which conditions are ranked, greatest first: how much they narrow the search. A negation or distinction
    must wait until all its variables are bound; a join should have many columns known by variables, or else by words,
    then few variables that are free."""
    free = len(set().union(*asked) - bound)
    if condition.kind != "holds":
        return (2 if not free else -1, False, 0, 0, 0)
    joined, words = sum(bool(own) and own <= bound for own in asked), asked.count(set())
    first = (1 if not free else 0, condition.atom[0] == "does", joined)
    return (*first, 0 if joined else words, -free if joined or words else 0)


def _has_function(atom: Any) -> bool:
    """False for an atom of a fluent that is a variable: it may belong to any table of its relation."""
    place = FLUENTS.get(atom[0])
    return place is None or not isinstance(atom[1 + place], int)


def _table_and_row(atom: Any) -> tuple[Key | None, Row]:
    """The table that an atom belongs to, and the patterns of its row; None and the whole atom where the table is not
    known before, or a function inside might be nested too deep."""
    if _has_function(atom):
        key, row = key_and_row(atom)
        if not any(isinstance(part, tuple) for part in row):
            return key, row
    return None, atom


def _step(condition: Condition, bound: set[int], span: Span) -> ConditionStep:
    atom, kind = condition.atom, condition.kind
    if kind != "holds":
        key, row = _table_and_row(atom) if kind == "not" else (None, ())
        return ConditionStep(kind, atom, key, (), _reader(row, span), (), ())
    if not _has_function(atom):
        return ConditionStep("family", atom, None, (), _reader((), span), tuple(enumerate(atom[1:])), ())
    key, row = key_and_row(atom)
    known = tuple(n for n, part in enumerate(row) if not set(variables_in(part)) - bound)
    new = tuple((n, part) for n, part in enumerate(row) if n not in known)
    plain = tuple((n, part) for n, part in new if isinstance(part, int))
    plain = plain if len({part for _, part in plain}) == len(new) else ()
    return ConditionStep("join", atom, key, known, _reader(tuple(row[n] for n in known), span), new, plain)


Ways = list[list[Any]]  # values of the variables, None where one is not bound


def follow(plans: Sequence[Plan], facts: DerivedFacts, most: int = FACTS) -> DerivedFacts:
    """The facts together with all that follows from them. Raises TooMuchFollows if they are more than `most`."""
    for plan in plans:
        asked = [(GrowingClause(clause, steps), conclusion) for clause, steps, conclusion in plan.clauses]
        grows = True
        while grows:
            grows = False
            for each, conclusion in asked:
                clause = each.clause
                for way in each.new_ways(facts) if plan.recursive else ways_of(clause, each.steps, facts):
                    grows = conclusion.add(way, facts) or grows
                    if facts.count > most:
                        message = f"more than {most:,} facts follow here"
                        raise clause_fault(message, clause.span, "let fewer things follow", TooMuchFollows)
            grows = grows and plan.recursive
    return facts


class GrowingClause:
    """A clause that is asked again and again while facts are added, each time for the ways that are new."""

    def __init__(self, clause: Clause, steps: tuple[ConditionStep, ...]):
        self.clause, self.steps = clause, steps
        self._first: list[tuple[ConditionStep, ...]] = []  # the steps with each condition that must hold in front
        self._sizes: dict[Key, int] | None = None  # how many rows the tables had when it was asked last

    def new_ways(self, facts: DerivedFacts) -> Ways:
        """The ways in which the body holds, at least those that did not hold before: in each, a condition is met by a
        new row. Where the new rows of all conditions are more than one of them has, all ways are gone through."""
        keys = chain.from_iterable(step.keys(facts) for step in self.steps)
        before, self._sizes = self._sizes, {key: len(facts.rows(key)) for key in keys}
        if before is None:
            return ways_of(self.clause, self.steps, facts)
        if not self._first:
            body = self.clause.body
            self._first = [steps_of(self.clause, n, facts) for n, one in enumerate(body) if one.kind == "holds"]
        grown = []
        for steps in self._first:
            sizes = [(self._sizes[key], before.get(key, 0)) for key in steps[0].keys(facts)]
            if any(now > then for now, then in sizes):
                grown.append((steps, sum(now for now, _ in sizes), sum(now - then for now, then in sizes)))
        if sum(new for *_, new in grown) > max((rows for _, rows, _ in grown), default=0):
            return ways_of(self.clause, self.steps, facts)
        begun = ((steps, steps[0].new_rows(facts, before)) for steps, *_ in grown)
        return list(chain.from_iterable(ways_of(self.clause, steps, facts, rows) for steps, rows in begun))


def ways_of(
    clause: Clause, steps: tuple[ConditionStep, ...], facts: DerivedFacts, first: RelationTable | None = None
) -> Ways:
    """All bindings of the clause's variables with which the body holds, each as a list of values. Where the rows
    `first` are given, the first step is to be met by one of them."""
    ways: Ways = [[None] * clause.variables]
    for step in steps:
        ways = _apply_step(step, ways, step.table(facts) if first is None else first, facts, clause.span)
        first = None
        facts.work += len(ways) + 1
        if not ways:
            break
    return ways


def built(atom: Sequence[Any], way: Sequence[Any], span: Span) -> Atom:
    """The atom (or the values of columns) with the variables replaced by their values in `way`."""
    return tuple(
        [way[p] if isinstance(p, int) else p if isinstance(p, str) else _build_term(p, way, span) for p in atom]
    )


def _reader(patterns: Sequence[Any], span: Span) -> RowOfWay:
    """A function to the row that `patterns` stand for, from the values of the variables."""
    if len(patterns) > 1 and all(isinstance(pattern, int) for pattern in patterns):
        return itemgetter(*patterns)
    return lambda way: built(patterns, way, span)


def _apply_step(step: ConditionStep, ways: Ways, table: RelationTable | None, facts: DerivedFacts, span: Span) -> Ways:
    """The bindings `ways` with which the condition holds, extended by the variables that it binds. What must hold is a
    row of `table`."""
    if step.kind == "distinct":
        one, other = step.atom[1:]
        return [way for way in ways if _build_term(one, way, span) != _build_term(other, way, span)]
    if step.kind == "not":
        if step.key is None:
            return [way for way in ways if not facts.holds(built(step.atom, way, span))]
        rows = facts.rows(step.key)
        return [way for way in ways if step.values(way) not in rows]
    if table is None:
        return []
    if not step.new:
        return [way for way in ways if step.values(way) in table.rows]
    found, tried = Ways(), 0
    for way in ways:
        matching = table.matching(step.known, step.values(way))
        tried += len(matching)
        for row in matching:
            if step.plain:
                more = way.copy()
                for column, variable in step.plain:
                    more[variable] = row[column]
                found.append(more)
            else:
                found += _bound(step.new, row, way)
        if len(found) > WAYS or facts.work + tried > facts.most_work:
            help = "put what narrows it most first, or write two relations"
            raise clause_fault(f"more than {WAYS:,} ways to hold", span, help, TooMuchFollows)
    facts.work += tried - len(found)
    return found


def _bound(new: tuple[tuple[int, Pattern], ...], row: Row, way: list[Any]) -> Ways:
    """The binding `way` extended by the values of a row, as a list of one; empty where the row does not fit."""
    way = way.copy()
    for column, pattern in new:
        if isinstance(pattern, int) and way[pattern] is None:
            way[pattern] = row[column]
        elif not _fits(pattern, row[column], way):
            return []
    return [way]


def _fits(pattern: Pattern, term: Term, way: list[Any]) -> bool:
    """True if a pattern matches the term. Variables of the pattern that were free are then bound in `way`."""
    stack: list[tuple[Pattern, Any]] = [(pattern, term)]
    while stack:
        pattern, term = stack.pop()
        if isinstance(pattern, int):
            if way[pattern] is None:
                way[pattern] = term
            elif way[pattern] != term:
                return False
        elif isinstance(pattern, str):
            if pattern != term:
                return False
        elif not isinstance(term, tuple) or len(term) != len(pattern) or term[0] != pattern[0]:
            return False
        else:
            stack.extend(zip(pattern[1:], term[1:], strict=True))
    return True


def _build_term(pattern: Pattern, way: Sequence[Any], span: Span, depth: int = 0) -> Any:
    """The term that a pattern stands for. Raises a fault if functions are nested more than DEEPEST deep in it."""
    if isinstance(pattern, str):
        return pattern
    if isinstance(pattern, int):
        return way[pattern]
    made = (pattern[0], *[_build_term(part, way, span, depth + 1) for part in pattern[1:]])
    if depth == 0 and _depth(made) > DEEPEST:
        raise clause_fault(f"functions are nested more than {DEEPEST} deep here", span, "count with names of their own")
    return made


def _depth(term: Term) -> int:
    deepest, stack = 0, [(term, 1)]
    while stack:
        part, depth = stack.pop()
        if isinstance(part, tuple):
            deepest = max(deepest, depth)
            stack.extend((inner, depth + 1) for inner in part[1:])
    return deepest
