"""The solvers that are asked for a solution concept (`gdl/concepts.py`).

`solve(game, concept=NAME)` asks the first of the concept's solvers that takes the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gdl.concepts import CONCEPTS
from gdl.errors import Refusal, listing, nearest
from gdl.solvers.solver import Solver
from gdl.wings import Concept


def concept_named(name: str) -> Concept:
    """The concept with this name. Raises Refusal, with the names that there are, if there is none."""
    if name in CONCEPTS:
        return CONCEPTS[name]
    near = nearest(name, CONCEPTS)
    meant = f", did you mean {near}?" if near else ";"
    raise Refusal(f"no concept is called {name!r}{meant} there are {listing(CONCEPTS, most=len(CONCEPTS))}")


def candidates(concept: Concept, solver: str, solvers: Mapping[str, Solver]) -> Sequence[Solver]:
    """The solvers to ask for a concept: all of its solvers, or the one that was named. Raises Refusal if that one does
    not find the concept."""
    if solver == "auto":
        return [solvers[name] for name in concept.solvers]
    if solver not in concept.solvers:
        found_by = listing(concept.solvers, "or")
        raise Refusal(f"{solver} finds no {concept.name} answer; --concept {concept.name} is answered by {found_by}")
    return [solvers[solver]]
