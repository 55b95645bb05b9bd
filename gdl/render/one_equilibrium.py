"""One equilibrium of several, for a picture that can show no more than one."""

from __future__ import annotations

from dataclasses import replace

from gdl.errors import Refusal
from gdl.render.sentence import brief_profile, pays
from gdl.solution import Profile, Solution


def one_of(solution: Solution | None, number: int) -> Solution:
    """The answer with the equilibrium of that number, from 1, and with what belongs to it, alone.

    Raises Refusal where there are not so many.
    """
    if solution is None:
        raise Refusal(f"equilibrium {number} of no answer cannot be drawn: let a solver find it")
    profiles = profiles_of(solution)
    if not 1 <= number <= len(profiles):
        lists = f"lists {len(profiles):,}" if profiles else "lists none"
        raise Refusal(f"there is no equilibrium {number}: the answer of {solution.solver} {lists}")
    at = number - 1
    payoffs = solution.payoffs[at : at + 1]
    return replace(
        solution,
        equilibria=(profiles[at],),
        strategy=None,
        payoffs=payoffs,
        value=payoffs[0] if payoffs else solution.value,
        beliefs=solution.beliefs[at : at + 1],
        roots=solution.roots[at : at + 1],
        best=(),
        line=(),
        values={},
    )


def profiles_of(solution: Solution) -> tuple[Profile, ...]:
    """Its equilibria; exact strategies, in an answer that has these alone, are one."""
    alone = solution.strategy if solution.exact else None
    return solution.equilibria or (() if alone is None else (alone,))


def which(solution: Solution | None, number: int) -> str:
    """`Equilibrium 2 of 3, (ballet, ballet): He gets 1 and She gets 2.`"""
    chosen = one_of(solution, number)
    assert solution is not None
    count = len(profiles_of(solution))
    played = brief_profile(solution.players, chosen.equilibria[0])
    said = f"Equilibrium {number} of {count}{'' if solution.complete else ' that were found'}"
    said += f", {played}" if played else ""
    return f"{said}." if chosen.value is None else f"{said}: {pays(solution.players, chosen.value)}."
