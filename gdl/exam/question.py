"""A question of an exam: a game, what is asked of it, under which conventions, where the answer is written, and what is
right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gdl.errors import clean
from gdl.exam.key import Key, key
from gdl.exam.phrases import phrase
from gdl.game import Game, Number
from gdl.numbers import to_text
from gdl.render.caption import caption, profile_text
from gdl.render.matrix import one_shot
from gdl.render.node_names import Nodes
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.picture import Bounds
from gdl.render.unknowns import subtree_name
from gdl.solution import Solution

MINUS = "−"


@dataclass(frozen=True)
class AnswerLine:
    """A place for an answer: what is asked, and the answer that the key shows there."""

    asked: str
    right: str


@dataclass(frozen=True)
class Question:
    """What stands beside a picture."""

    title: str
    points: int
    text: tuple[str, ...]  # paragraphs: the task, and the conventions
    lines: tuple[AnswerLine, ...]


@numbers_as_in_file
def question(game: Game[Any], solution: Solution, language: str, bounds: Bounds | None = None) -> Question:
    """The question that a game's picture asks; points as `gdl grade` gives them, else one for each equilibrium."""
    title = clean(game.name)
    if solution.unknowns:
        return _open(game, solution, title, language)
    if one_shot(game) is not None or not (solution.visits or solution.values):
        asked = "table" if one_shot(game) is not None else "sets"
        profiles = solution.equilibria or ((solution.strategy,) if solution.strategy else ())
        found = [profile_text(solution.players, profile) for profile in profiles]
        told = "; ".join(found) or caption(game, solution).partition(" Found by")[0]
        points = max(1, len(solution.equilibria))
        return Question(title, points, (phrase(asked, language),), (AnswerLine(phrase("equilibria", language), told),))
    right = key(game, solution)
    lines = [AnswerLine(phrase("cut", language), right.cut())] if right.prunes else []
    tied = f" (= {', '.join(right.ties)})" if right.ties else ""
    lines += [AnswerLine(phrase("action", language), ", ".join(right.asked) + tied)] if right.best else []
    points = len(right.nodes) + bool(right.prunes) + bool(right.best)
    return Question(title, points, tuple(_text(game, right, language, bounds)), tuple(lines))


def _open(game: Game[Any], solution: Solution, title: str, language: str) -> Question:
    """Of a game that leaves numbers open: when what is best, skipped or an equilibrium; a point for each line."""
    nodes = Nodes(game)
    asked = {"best": "action", "value": "value", "pruned": "cut", "equilibrium": "equilibria"}
    told: dict[str, list[str]] = {}
    for one in (one for one in solution.conditions if one.cases):
        if one.what == "pruned":
            subject = subtree_name(nodes, one.subject)
        else:
            subject = ", ".join(map(str, one.subject))
            subject = f"({subject})" if one.what == "equilibrium" else subject
        told.setdefault(one.what, []).append(subject if one.always else f"{subject}: {one.text}")
    text = [phrase("open_table" if "equilibrium" in told else "open", language)]
    if solution.rule is not None and solution.rule.cut is not None:
        text = [f"{text[0]} {phrase('open_cuts', language)}"]
        text.append(f"{phrase(solution.rule.cut, language)} {phrase(solution.rule.order, language)}")
        told.setdefault("pruned", ["none"])
    lines = tuple(AnswerLine(phrase(asked[what], language), "; ".join(told[what])) for what in asked if what in told)
    return Question(title, len(lines), tuple(text), lines)


def _text(game: Game[Any], right: Key, language: str, bounds: Bounds | None) -> list[str]:
    """The task, and the conventions without which nobody could say what is cut."""
    solution = right.solution
    rule = solution.rule
    task = phrase("search" if right.prunes else "values", language, solver=solution.solver)
    said = [task, *([phrase("windows", language)] if bounds and right.prunes else [])]
    known: list[str] = []
    if rule is not None and rule.cut is not None:
        known += [phrase(rule.cut, language), phrase(rule.order, language)]
    if right.prunes and solution.solver != "alpha-beta":
        known += _promise_lines(game, language)
    return [" ".join(said), *([" ".join(known)] if known else [])]


def _promise_lines(game: Game[Any], language: str) -> list[str]:
    """What search knows of the leaves before it looks at them, where alpha-beta would not ask."""
    found = []
    promised = game.promises.bounds(game.initial())
    if promised:
        low, high = promised[0]
        if low is not None and high is not None:
            found.append(phrase("between", language, low=_number(low), high=_number(high)))
    total = game.traits.constant_sum
    if len(game.players) > 2 and total is not None:
        found.append(phrase("sum", language, sum=_number(total)))
    return found


def _number(amount: Number) -> str:
    return to_text(amount).replace("-", MINUS)
