"""The way in which an answer depends on the unknown numbers of a file, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gdl.errors import listing
from gdl.game import Game, maximiser
from gdl.render.node_names import Nodes
from gdl.solution import Condition, Path, Solution


def opening(solution: Solution, sentence: str) -> str:
    """The first sentence: `sentence` itself if the answer depends on no unknown, else one that says on which unknowns
    it depends."""
    names = list(solution.unknowns)
    telling = unknowns_mentioned(solution)
    if not telling:
        return f"{sentence.removesuffix('.')}, whatever {listing(names)} {'is' if len(names) == 1 else 'are'}."
    others = [name for name in names if name not in telling]
    rest = f", whatever {listing(others)} {'is' if len(others) == 1 else 'are'}" if others else ""
    return f"The answer depends on {listing(telling)}{rest}."


def unknowns_mentioned(solution: Solution) -> list[str]:
    """The unknowns that occur in a condition or in the value."""
    texts = [text for condition in solution.conditions for case in condition.cases for text in case]
    texts += [condition.subject[0] for condition in solution.conditions if condition.what == "value"]  # type: ignore[misc]
    words = {word for text in texts for word in re.split(r"[*+\-<>=(),/\s]+", str(text))}  # as in `2*x[A] + y <= 3`
    return [name for name in solution.unknowns if name in words]


def condition_lines(solution: Solution, game: Game[Any] | None) -> list[str]:
    """A sentence for each condition on the unknowns: under which of them an action is best, the value is a given
    formula, a subtree is pruned, or a profile is an equilibrium."""
    sort = {what: [c for c in solution.conditions if c.what == what] for what in ("best", "value", "pruned")}
    lines = [_sentence_on_best(sort["best"]), _value(sort["value"], solution), *_pruning_lines(sort["pruned"], game)]
    lines += [_equilibrium(c) for c in solution.conditions if c.what == "equilibrium"]
    return [line for line in lines if line]


def _sentence_on_best(conditions: Sequence[Condition]) -> str:
    """A sentence on the best action, `a1 is best for x <= 4, a2 for x >= 4.`"""
    told = [f"{c.subject[0]} {c.status if c.status != 'sometimes' else f'for {c.text}'}" for c in conditions]
    told = [text.replace(" ", " is best ", 1) if not number else text for number, text in enumerate(told)]
    return f"{_series(conditions, told)}." if told else ""


def _value(conditions: Sequence[Condition], solution: Solution) -> str:
    """A sentence on the value, `The value for MAX is 4 for x <= 4, x for x >= 4.`"""
    if not conditions:
        return ""
    players = solution.players
    first = players[maximiser(players)]
    whose = f"for {first}" if not str(conditions[0].subject[0]).startswith("(") else f"for {listing(players)}"
    told = [f"{c.subject[0]}" if c.always else f"{c.subject[0]} for {c.text}" for c in conditions]
    return f"The value {whose} is {_series(conditions, told)}."


def _series(conditions: Sequence[Condition], told: Sequence[str]) -> str:
    """The parts joined by commas; by semicolons if a condition contains a comma itself."""
    return ("; " if any("," in c.text for c in conditions) else ", ").join(told)


def _pruning_lines(conditions: Sequence[Condition], game: Game[Any] | None) -> list[str]:
    """A sentence for each group of subtrees with the same condition, `c2 and c3 are pruned exactly when x <= 3.`"""
    groups: dict[tuple[tuple[str, ...], ...], list[Condition]] = {}
    for condition in conditions:
        groups.setdefault(condition.cases, []).append(condition)
    nodes = None if game is None else Nodes(game)
    lines = []
    for group in groups.values():
        names = [subtree_name(nodes, condition.subject) for condition in group]
        verb = "is" if len(names) == 1 else "are"
        status = group[0].status
        then = f"pruned exactly when {group[0].text}" if status == "sometimes" else f"{status} pruned"
        lines.append(f"{listing(names, most=60)} {verb} {then}.")
    return lines


def subtree_name(nodes: Nodes | None, path: Any) -> str:
    """The name of a subtree that may be pruned."""
    where: Path = path
    if nodes is None:
        return ".".join(str(position + 1) for position in where)
    action = nodes.node_at(where).action
    return nodes.node_name(where) if action == str(where[-1] + 1) else action


def _equilibrium(condition: Condition) -> str:
    profile = f"({', '.join(map(str, condition.subject))})"
    then = "always an equilibrium" if condition.always else f"an equilibrium exactly when {condition.text}"
    return f"{profile} is {then}."
