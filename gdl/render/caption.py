"""Captions of pictures: the answer in a sentence, and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.errors import count_text
from gdl.game import Decision, Game
from gdl.render.sentence import brief_profile, first_sentence, mixture_text, pure_action
from gdl.solution import Profile, Solution

_LISTED = 4  # equilibria told one by one

_RULES = {"ge": "cut when alpha >= beta", "gt": "cut only when alpha > beta"}
_ORDERS = {
    "given": "in the order of the file", "reverse": "against the order of the file", "best": "the best action first",
    "worst": "the worst action first",
}  # fmt: skip


def rule_text(solution: Solution) -> str:
    """The name of the solver with its pruning rule and its order, if it has them: `alpha-beta, cut when alpha >= beta,
    …`."""
    rule = solution.rule
    if rule is None:
        return solution.solver
    return ", ".join(part for part in (solution.solver, _RULES.get(rule.cut or ""), _ORDERS[rule.order]) if part)


def task(solution: Solution) -> str:
    """The assignment printed on a blank picture: the search to carry out, without its result; "" if the solver has no
    pruning rule."""
    return f"Search by {rule_text(solution)}." if solution.rule is not None else ""


def caption(game: Game[Any], solution: Solution, alone: str | None = None) -> str:
    """The caption of a picture: the answer, the method, and the effort. `alone` replaces the answer if only one of
    several equilibria is drawn."""
    start = game.node(game.initial())
    mover = game.players[start.player] if isinstance(start, Decision) else None
    several = len(solution.equilibria) > 1
    answer = _equilibria(solution) if several else first_sentence(solution, mover)
    answer = answer.replace("listed below", "marked here").replace("s below", "s marked here")  # nothing stands below
    said = [alone or answer, _method(solution)]
    if solution.limit:
        said.append(f"{solution.limit[0].upper()}{solution.limit[1:].rstrip('.')}.")
    return " ".join(said)


def _equilibria(solution: Solution) -> str:
    """The equilibria in a sentence, `3 equilibria: (fight, fight); (ballet, ballet); He fight 2/3, ballet 1/3, She
    fight 1/3, ballet 2/3.`"""
    shown = [profile_text(solution.players, profile, _LISTED) for profile in solution.equilibria[:_LISTED]]
    more = len(solution.equilibria) - len(shown)
    shown += [f"{more:,} more"] if more else []
    found = "" if solution.complete else " were found"
    return f"{len(solution.equilibria):,} equilibria{found}: {'; '.join(shown)}."


def profile_text(players: Sequence[str], profile: Profile, most: int | None = None) -> str:
    """A profile in words: `(fight, fight)` if it is short; else what each player plays, at each information set if they
    have several, `most` of these at most."""
    short = brief_profile(players, profile)
    if short:
        return short
    told = [
        f"{player}{f' at {name}:' if len(profile[player]) > 1 else ''} {pure_action(mixture) or mixture_text(mixture)}"
        for player in players
        for name, mixture in profile.get(player, {}).items()
    ]
    return ", ".join(told if most is None or len(told) <= most else [*told[:most], "…"])


def _method(solution: Solution) -> str:
    """The method and its effort in a sentence, `Found by alpha-beta, cut when alpha >= beta, in the order of the file:
    11 nodes visited, 7 of them leaves, 2 subtrees skipped.`"""
    told = f"Found by {rule_text(solution)}"
    if not solution.visits:
        return f"{told}."
    visited = f"{count_text(solution.nodes or 0, 'node')} visited, {solution.leaves:,} of them leaves"
    return f"{told}: {visited}, {count_text(len(solution.pruned), 'subtree')} skipped."
