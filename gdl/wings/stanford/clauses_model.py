"""The checked model of a game written as clauses (Stanford's Game Description Language).

A ground term is a word, or a tuple of a function's name and its arguments. In the terms of a clause a variable is the
number under which the clause knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from gdl.errors import Span
from gdl.model.games import OtherModel
from gdl.record import Record

Term = str | tuple[Any, ...]
Pattern = int | str | tuple[Any, ...]  # a term with variables
Atom = tuple[Any, ...]  # the name of a relation and its arguments
Relation = tuple[str, int]  # its name and the number of its arguments

KIF_FILE = "kif-file"  # the code of every mistake in such a file
RANDOM = "random"  # the role that nature plays
IDLE = "noop"  # what files call the move of a role that waits
FLUENTS = {"true": 0, "init": 0, "next": 0, "does": 1, "legal": 1, "sees": 1}  # relation -> argument that is a fact


class Condition(Record):
    """A condition of a body: an atom that must hold, or must not, or two terms that must differ."""

    kind: Literal["holds", "not", "distinct"]
    atom: Atom
    span: Span


class Clause(Record):
    """A clause: the head holds wherever all conditions of the body hold."""

    head: Atom
    body: tuple[Condition, ...]
    variables: int
    span: Span


class Stratum(Record):
    """The clauses of relations that follow from each other, or of a single one. All strata before it are complete when
    it is computed."""

    clauses: tuple[Clause, ...]
    recursive: bool


class ClausesModel(OtherModel):
    """A game given by clauses. Its strata are in the order in which they are computed: those that hold always, those of
    a position, those after a move."""

    playable = "gdl.wings.stanford.steppable_clauses:playable_clauses"
    language, ending, comment = "clauses", ".kif", ";"

    has_chance: bool
    has_secrets: bool  # `sees` says what players learn
    always: tuple[Stratum, ...]
    here: tuple[Stratum, ...]
    then: tuple[Stratum, ...]
    utilities: tuple[int, int] | None  # the least and the greatest that a clause pays; None if one of them is not known


def relation_of(atom: Atom) -> Relation:
    """The relation of an atom."""
    return atom[0], len(atom) - 1


def variables_in(pattern: Pattern) -> Iterator[int]:
    """The variables that occur in a pattern, each as often as it occurs."""
    stack = [pattern]
    while stack:
        part = stack.pop()
        if isinstance(part, int):
            yield part
        elif isinstance(part, tuple):
            stack.extend(part[1:])


def term_text(term: Term) -> str:
    """A ground term as text: `cell(1, 2, b)`."""
    if isinstance(term, str):
        return term
    return f"{term[0]}({', '.join(map(term_text, term[1:]))})"  # as deep as terms may be
