"""Clauses without variables: each clause once for every way in which its body can ever hold.

1. What can ever be true follows from the start and all moves that can ever be legal, if negations that hang on the
   position are taken to hold (the relaxation that planners use).
2. Each clause is written once for every way to bind its variables among that. What holds always is left out of bodies,
   and so are negations of what can never be.
3. At most one fact of a group holds at a time (whose turn it is, what stands on a square) if one does at most at the
   start, and no two bodies of what is true next can hold together. All groups of facts that differ in one argument are
   tried; those that fail are taken out until the rest prove one another.

Sources: M. Helmert, Concise finite-domain representations for PDDL planning tasks, Artificial Intelligence 2009; P.
Kissmann, S. Edelkamp, Instantiating general games, IJCAI GIGA 2009.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

from gdl.errors import Refusal
from gdl.wings.stanford.clauses_model import Atom, Clause, ClausesModel, Relation, Term, relation_of
from gdl.wings.stanford.datalog import DerivedFacts, GrowingClause, Row, built, steps_of, ways_of

MOST_GROUND_CLAUSES = 60_000  # clauses without variables
MOST_ON_DEMAND = 15_000  # without those by which a fact stays true, where relations are computed on demand
MOST_WAYS = 300_000  # in which clauses can hold that are gone through for that: under a second
MOST_LITERALS = 90_000  # of all bodies; of the public rulesheets none with more has rules that are short enough
COMPARED = 20_000  # pairs of bodies of a group
DEEP = 3  # levels of definitions looked into to find that two bodies exclude each other

TOO_LARGE = "it has too many clauses without their variables"

Literal = tuple[Atom, bool]  # an atom, and whether it holds
Body = tuple[Literal, ...]


class GroundClauses(NamedTuple):
    """The bodies of the clauses without variables, by their heads; an empty body always holds. `groups` has for each
    fact the facts that are proved to be false while it is true."""

    bodies: dict[Atom, list[Body]]
    facts: tuple[Term, ...]  # all facts that can ever be true
    start: frozenset[Term]  # the facts that are true at the start
    groups: dict[Atom, tuple[Atom, ...]]


def ground(model: ClausesModel, always: DerivedFacts, most: int = MOST_GROUND_CLAUSES) -> GroundClauses:
    """The clauses of a game without variables. Raises Refusal where there are too many (`most`: without those by
    which a fact only stays true), and GameError for the faults that play could meet too."""
    clauses = [clause for stratum in (*model.here, *model.then) for clause in stratum.clauses]
    moving = {relation_of(clause.head) for clause in clauses} | {("true", 1), ("does", 2)}
    relaxed = [(clause, _without_negations(clause, moving)) for clause in clauses]
    possible, met = _possible_facts(relaxed, always, most)
    bodies: dict[Atom, dict[Body, None]] = {}
    count, literals_left = sum(len(ways) for ways in met if ways is not None), MOST_LITERALS
    for n, (_, free) in enumerate(relaxed):
        if met[n] is None and count <= MOST_GROUND_CLAUSES:
            met[n] = dict.fromkeys(map(tuple, ways_of(free, steps_of(free), possible)))
            count += len(met[n] or ())
    if count > MOST_GROUND_CLAUSES:
        raise Refusal(TOO_LARGE)
    for (clause, _), ways in zip(relaxed, met, strict=True):
        for way in ways or ():
            literals: dict[Literal, None] = {}
            for condition in clause.body:
                if condition.kind == "distinct" or relation_of(condition.atom) not in moving:
                    continue  # it holds always
                atom, holds = built(condition.atom, way, clause.span), condition.kind == "holds"
                if holds or possible.holds(atom):
                    literals[atom, holds] = None
            literals_left -= len(literals)
            if literals_left < 0:
                raise Refusal(TOO_LARGE)
            if not any((atom, not holds) in literals for atom, holds in literals):
                bodies.setdefault(built(clause.head, way, clause.span), {})[tuple(literals)] = None
    for relation in ("legal", "goal", "terminal"):
        for row in always.atoms(relation):
            bodies[(relation, *row)] = {(): None}
    found: dict[Atom, list[Body]] = {atom: [()] if () in ways else list(ways) for atom, ways in bodies.items()}
    start = {row[0]: None for row in always.atoms("init")}
    facts = tuple(dict.fromkeys((*start, *(row[0] for row in possible.atoms("true")))))
    return GroundClauses(found, facts, frozenset(start), _groups(found, facts, set(start)))


def _without_negations(clause: Clause, moving: set[Relation]) -> Clause:
    """The clause without negations of relations that depend on the position or the moves (`moving`)."""
    kept = tuple(c for c in clause.body if c.kind != "not" or relation_of(c.atom) not in moving)
    return Clause(clause.head, kept, clause.variables, clause.span)


def _possible_facts(
    relaxed: list[tuple[Clause, Clause]], always: DerivedFacts, most: int
) -> tuple[DerivedFacts, list[dict[Row, None] | None]]:
    """All facts that can ever hold, and for each clause the bindings with which its body holds then; None for a clause
    that only lets a fact stay true, which adds none."""
    found, written = DerivedFacts(always), 0
    found.most_work = MOST_WAYS
    for row in always.atoms("init"):
        found.add(("true", row[0]))
    for role, move in always.atoms("legal"):
        found.add(("does", role, move))
    met: list[dict[Row, None] | None] = [None if _stays(free) else {} for _, free in relaxed]
    asked = [
        (ways, GrowingClause(free, steps_of(free)))
        for ways, (_, free) in zip(met, relaxed, strict=True)
        if ways is not None
    ]
    grows = True
    while grows:
        grows = False
        for ways, each in asked:
            for way in map(tuple, each.new_ways(found)):
                if way in ways:
                    continue
                ways[way], written = None, written + 1
                atom = built(each.clause.head, way, each.clause.span)
                news = [found.add(one) for one in (atom, *_brings(atom))]
                grows = grows or any(news)
            if max(found.count, written) > most or found.work > MOST_WAYS:
                raise Refusal(TOO_LARGE)
    return found, met


def _stays(clause: Clause) -> bool:
    """True if the clause says only that a true fact may stay true (`next` with the same fact in its body)."""
    head = clause.head
    return head[0] == "next" and any(c.kind == "holds" and c.atom == ("true", head[1]) for c in clause.body)


def _brings(atom: Atom) -> Iterator[Atom]:
    """The atoms that can hold once this one can: a fact that is true next will be true, and a legal action can be
    done."""
    if atom[0] == "next":
        yield ("true", atom[1])
    elif atom[0] == "legal":
        yield ("does", *atom[1:])


# ---- What excludes what -----------------------------------------------------------------------------------------


def _groups(bodies: dict[Atom, list[Body]], facts: tuple[Term, ...], start: set[Term]) -> dict[Atom, tuple[Atom, ...]]:
    """For each fact the facts that are proved to be false while it is true."""
    candidates: dict[Any, list[Atom]] = {}
    for fact in facts:
        if isinstance(fact, tuple):
            for n in range(1, len(fact)):
                candidates.setdefault((n, fact[:n], fact[n + 1 :]), []).append(("true", fact))
    groups = [members for members in candidates.values() if len(members) > 1]
    groups = [members for members in groups if sum(atom[1] in start for atom in members) <= 1]
    ways = {("true", fact): len(bodies.get(("next", fact), ())) for fact in facts}
    groups = [members for members in groups if sum(map(ways.__getitem__, members)) ** 2 <= COMPARED]

    @cache
    def next_of(atom: Atom) -> list[dict[Literal, None]]:
        return [implied_literals(body, bodies) for body in bodies.get(("next", atom[1]), ())]

    while True:
        others = _other_members(groups)
        kept = [members for members in groups if _are_exclusive(list(map(next_of, members)), others)]
        if len(kept) == len(groups):
            return others
        groups = kept


def _other_members(groups: list[list[Atom]]) -> dict[Atom, tuple[Atom, ...]]:
    found: dict[Atom, dict[Atom, None]] = {}
    for members in groups:
        for atom in members:
            found.setdefault(atom, {}).update((other, None) for other in members if other != atom)
    return {atom: tuple(others) for atom, others in found.items()}


def _are_exclusive(ways: list[list[dict[Literal, None]]], others: dict[Atom, tuple[Atom, ...]]) -> bool:
    """True if it is proved that no two of the facts can be true next. `ways` has for each fact the literals implied by
    each body of it."""
    return all(are_incompatible(one, two, others) for a, b in combinations(ways, 2) for one, two in product(a, b))


def are_incompatible(one: Iterable[Literal], two: dict[Literal, None], others: dict[Atom, tuple[Atom, ...]]) -> bool:
    """True if it is proved that two sets of literals cannot hold together, where `others` has for each fact those that
    exclude it."""
    done = {atom[1]: atom[2] for atom, holds in two if holds and atom[0] == "does"}
    for atom, holds in one:
        if (atom, not holds) in two:
            return True
        if holds and atom[0] == "does" and done.get(atom[1], atom[2]) != atom[2]:
            return True
        if holds and any((other, True) in two for other in others.get(atom, ())):
            return True
    return False


def implied_literals(body: Iterable[Literal], bodies: dict[Atom, list[Body]]) -> dict[Literal, None]:
    """The literals of a body and those that they imply: for an atom with a single body, that body; for an atom that
    does not hold, the contrary of each single condition that would make it hold; for an action that is done, that it
    was legal."""
    found = dict.fromkeys(body)
    layer = list(found)
    for _ in range(DEEP):
        further: list[Literal] = []
        for atom, holds in layer:
            ways = bodies.get(("legal", *atom[1:]) if atom[0] == "does" else atom, [])
            if holds and len(ways) == 1:
                further += ways[0]
            elif not holds and atom[0] != "does":
                further += [(way[0][0], not way[0][1]) for way in ways if len(way) == 1]
        layer = [literal for literal in further if literal not in found]
        found.update(dict.fromkeys(layer))
    return found
