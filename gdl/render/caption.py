"""What is said under the title of a picture: the answer in a sentence, and how it was found."""

from __future__ import annotations

from typing import Any

from gdl.game import Decision, Game
from gdl.render.sentence import first_sentence
from gdl.solution import Solution

_RULES = {"ge": "cut when alpha >= beta", "gt": "cut only when alpha > beta"}
_ORDERS = {"given": "in the order of the file", "best": "the best action first", "worst": "the worst action first"}


def rule_text(solver: str, cut: str | None = None, order: str | None = None) -> str:
    """The search by its name, with the rule by which it cuts and its order: `alpha-beta, …`."""
    if solver != "alpha-beta":
        return solver
    return f"{solver}, {_RULES[cut or 'ge']}, {_ORDERS[order or 'given']}"


def caption(game: Game[Any], solution: Solution, rule: str = "") -> str:
    """The answer in one sentence, the method and what it looked at."""
    start = game.node(game.initial())
    mover = game.players[start.player] if isinstance(start, Decision) else None
    said = [first_sentence(solution, mover), _method(solution, rule or solution.solver)]
    if solution.limit:
        said.append(f"{solution.limit.rstrip('.')}.")
    return " ".join(said)


def _method(solution: Solution, rule: str) -> str:
    """`Alpha-beta, cut when alpha >= beta, in the order of the file: 11 nodes, 7 leaves, 2 subtrees skipped.`"""
    facts = []
    if solution.visits:
        facts = [f"{solution.nodes:,} nodes and {solution.leaves:,} leaves visited"]
        skipped = len(solution.pruned)
        facts.append(f"{skipped:,} subtree{'' if skipped == 1 else 's'} skipped")
    told = f"{rule}: {', '.join(facts)}" if facts else rule
    return f"{told[:1].upper()}{told[1:]}."
