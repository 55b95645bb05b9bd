"""Clauses computed on demand: what a relation holds for is found only where somebody asks.

Bottom-up, a relation of six squares has all its rows in every position, though a move asks about those of one piece.

1. The known columns of a relation are those that no use of it leaves open, if the conditions before the use have been
   met. A relation is used in clauses, whose heads are asked themselves.
2. Each use becomes a clause for the demand, which holds for those values of the known columns with which the conditions
   before the use hold; negations are left out. Each clause of the relation begins with its demand.
3. What is asked after the moves is defined twice: a demand that knows the moves must not reach what is legal.
4. What play asks for, what is needed before it, and what holds always and is small enough is computed whole; so is what
   would come to hang on its own negation.

Source: F. Bancilhon, D. Maier, Y. Sagiv, J. Ullman, Magic sets and other strange ways to implement logic programs, PODS
1986.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from gdl.wings.stanford.check_clauses import ASKED, GIVEN, KNOWN_BEFORE, levels_of, strata_of
from gdl.wings.stanford.clauses_model import Atom, Clause, ClausesModel, Condition, Relation, relation_of, variables_in
from gdl.wings.stanford.datalog import DerivedFacts, TooMuchFollows, follow, plan_strata, steps_of

SMALL = 20_000  # rows of a relation that is computed whole

Columns = Mapping[Relation, Set[int]]


def on_demand(model: ClausesModel) -> ClausesModel:
    """The game with its relations computed on demand, where that can be."""
    whole = _computed_whole(model)
    before = [clause for stratum in (*model.always, *model.here) for clause in stratum.clauses]
    after = [clause for stratum in model.then for clause in stratum.clauses]
    copied = [clause for clause in before if relation_of(clause.head) not in whole]
    clauses = before + [_after_moves(clause, whole) for clause in (*copied, *after)]
    while True:
        columns = _known_columns(clauses, whole)
        strata, circles = strata_of(list(_rewrite_clauses(clauses, columns)))
        if not circles:
            always, here, then = levels_of(strata)
            return model.copy_with(always=always, here=here, then=then)
        whole |= {relation_of(clause.head) for stratum, *_ in circles for clause in stratum.clauses}


def _after_moves(clause: Clause, whole: Set[Relation]) -> Clause:
    """The clause with other names for the relations that are not computed whole."""

    def new_name(atom: Atom) -> Atom:
        kept = atom[0] in (*GIVEN, "distinct") or relation_of(atom) in whole
        return atom if kept else (f"then {atom[0]}", *atom[1:])

    body = tuple(c.copy_with(atom=new_name(c.atom)) for c in clause.body)
    return clause.copy_with(head=new_name(clause.head), body=body)


def _computed_whole(model: ClausesModel) -> set[Relation]:
    """The relations that are asked by play or before it, and those that hold always and have few enough rows."""
    clauses = [clause for stratum in (*model.always, *model.here, *model.then) for clause in stratum.clauses]
    whole = {relation_of(clause.head) for clause in clauses if clause.head[0] in (*ASKED, *KNOWN_BEFORE)}
    facts, large = DerivedFacts(), set[Relation]()
    for stratum in model.always:
        heads = {relation_of(clause.head) for clause in stratum.clauses}
        try:
            if any(relation_of(c.atom) in large for clause in stratum.clauses for c in clause.body):
                raise TooMuchFollows(())
            follow(plan_strata([stratum]), facts, facts.count + SMALL)
        except TooMuchFollows:
            large |= heads
            for key in [key for key in facts.tables if (key[0], key[2]) in heads]:
                facts.count -= len(facts.tables.pop(key).rows)
    return whole | {relation_of(clause.head) for stratum in model.always for clause in stratum.clauses} - large


def _asked_relations(clause: Clause, columns: Columns) -> Iterator[tuple[Atom, Set[int], tuple[Condition, ...]]]:
    """The relations that a clause asks, in order, each with the columns known by then and the conditions by which they
    are."""
    known = set[int]()
    before: list[Condition] = []
    guarded = _with_demand(clause, columns)
    for step in steps_of(guarded, None if guarded is clause else 0):
        if step.kind == "distinct":
            continue
        yield step.atom, {n for n, part in enumerate(step.atom[1:]) if known.issuperset(variables_in(part))}, (*before,)
        if step.kind != "not":
            known.update(variables_in(step.atom))
            before.append(Condition("holds", step.atom, clause.span))


def _known_columns(clauses: Sequence[Clause], whole: Set[Relation]) -> Columns:
    """The known columns of each relation that is not computed whole."""
    heads = {relation_of(clause.head) for clause in clauses} - whole
    columns = {(name, count): frozenset(range(count)) for name, count in heads}
    grows = True
    while grows:
        grows = False
        for clause in clauses:
            for atom, known, _ in _asked_relations(clause, columns):
                asked = columns.get(relation_of(atom), frozenset())
                if not asked <= known:
                    columns[relation_of(atom)] = asked & known
                    grows = True
    return columns


def _rewrite_clauses(clauses: Sequence[Clause], columns: Columns) -> Iterator[Clause]:
    for clause in clauses:
        yield _with_demand(clause, columns)
        for atom, _, before in _asked_relations(clause, columns):
            if columns.get(relation_of(atom)):
                yield Clause(_demand(atom, columns), before, clause.variables, clause.span)


def _with_demand(clause: Clause, columns: Columns) -> Clause:
    """The clause with the demand for its head as the first condition, if there is one."""
    if not columns.get(relation_of(clause.head)):
        return clause
    demand = Condition("holds", _demand(clause.head, columns), clause.span)
    return clause.copy_with(body=(demand, *clause.body))


def _demand(atom: Atom, columns: Columns) -> Atom:
    """The atom that holds where somebody asks about this one. Its name has a space, so that no file can have it."""
    relation = relation_of(atom)
    return (f"asked {relation[0]} {relation[1]}", *[atom[1 + column] for column in sorted(columns[relation])])
