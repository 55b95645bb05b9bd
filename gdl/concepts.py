"""Solution concepts: what counts as an answer, apart from how it is found. One row each in the ordered table CONCEPTS.

How the verifier checks an answer for a concept stands in the file of its name in the verifier's folder `concepts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl import wings
from gdl.wings import Concept

_NASH = "sequence-form lemke-howson global-newton logit cfr subgame-perfect pure-plans policy-iteration retrograde"

_CORE = (
    Concept(
        "nash",
        "a profile of strategies from which no player gains by deviating alone",
        "Nash 1951",
        tuple(_NASH.split()),
        judge="gdl.solvers.equilibria.concept_judges:judge_nash",
        called=("Nash equilibrium", "Nash equilibria"),
    ),
    Concept(
        "subgame-perfect",
        "a profile that is a Nash equilibrium in every subgame, also in those that are not reached",
        "Selten 1965",
        judge="gdl.solvers.equilibria.concept_judges:judge_subgame_perfect",
    ),
)


class Concepts(Mapping[str, Concept]):
    """The solution concepts by name, in the order in which they are offered: the core's, then those of wings."""

    def __getitem__(self, name: str) -> Concept:
        found = next((row for row in _CORE if row.name == name), None)
        if found is not None:
            return found.copy_with(others=(*found.others, *_further_solvers(name)))
        row: Concept | None = wings.find_row("concepts", name)
        if row is None:
            raise KeyError(name)
        return row

    def __iter__(self) -> Iterator[str]:
        yield from (row.name for row in _CORE)
        for wing in wings.wings("concepts"):
            yield from wing.concepts

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _further_solvers(name: str) -> Iterator[str]:
    """The solvers of wings that find a concept of the core."""
    for wing in wings.wings("solvers"):
        yield from (solver for solver, row in wing.solvers.items() if name in row.finds)


CONCEPTS: Mapping[str, Concept] = Concepts()


def installed_concept(name: str) -> Concept | None:
    """The concept of a name; None if there is none, or its wing is not installed."""
    return CONCEPTS[name] if name in tuple(CONCEPTS) else None
