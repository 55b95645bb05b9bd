"""A page to practise on: questions that a student fills in and that are marked at once, as `gdl grade` marks them.

What is right, and why, is worked out here by the grader itself, for each pruning rule, and stands in the page as
data; practice.js compares what was written with it and knows nothing of games. So the page cannot disagree with the
grader about the answer, and the tests hold its comparisons to the grader's.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gdl.errors import clean
from gdl.exam.grade import Answers, StudentClaim, grade, wrong_extreme
from gdl.exam.judged_parts import Part, exactly
from gdl.exam.key import BEST, CUT, Key
from gdl.exam.phrases import Words
from gdl.exam.question import Question, text_without_rule
from gdl.game import Game, Number
from gdl.numbers import amount_text, to_text
from gdl.render.page import as_data, fill_template
from gdl.render.picture import Picture, picture
from gdl.render.svg.stage import stage
from gdl.render.trace import SIGNS
from gdl.solution import Path


@dataclass(frozen=True)
class Exercise:
    """A tree, and its key under each rule that it can be searched by (`ge`, `gt`; "" where there is but one), with the
    points of sorts of items that are not 1; or a question of another kind and its picture as SVG."""

    game: Game[Any]
    keys: Mapping[str, Key]
    worths: Mapping[str, Number] = field(default_factory=dict)
    question: Question | None = None
    drawn: str = ""


def practice_page(title: str, exercises: Sequence[Exercise], cut: str = "ge") -> str:
    """The page as HTML: one file that needs no network. `cut` is the rule that it asks for first."""
    pairs = [_exercise(exercise) for exercise in exercises]
    looks = ["tree" if told["keys"] else "tree drawn" for told, _ in pairs]
    stages = "".join(f'<div class="{look}" hidden>{svg}</div>' for look, (_, svg) in zip(looks, pairs, strict=True))
    data = as_data({"cut": cut, "trees": [told for told, _ in pairs]})
    parts = {"trees": stages, "data": data, "heading": html.escape(title)}
    return fill_template("gdl.exam", "practice", title, parts, "tree practice", "practice")


def _exercise(exercise: Exercise) -> tuple[dict[str, Any], str]:
    """One question as data, and its picture. For a search, the nodes have the numbers of the picture, and there are
    right answers for each pruning rule."""
    if exercise.question is not None and exercise.question.parts:
        asked = exercise.question
        parts = [told for part in asked.parts for told in _part(part)]
        return {"title": asked.title, "text": asked.text, "nodes": [], "keys": {}, "parts": parts}, exercise.drawn
    drawn = picture(exercise.game, blank=True)
    numbers = {node.path: number for number, node in enumerate(drawn.nodes)}
    first = next(iter(exercise.keys.values()))
    told = {
        "title": drawn.title,
        "text": text_without_rule(exercise.game, first, Words()),
        "nodes": _nodes(drawn, first),
        "keys": {rule: _key(key, numbers) for rule, key in exercise.keys.items()},
        "worths": {sort: float(points) for sort, points in exercise.worths.items()},
        "parts": [],
    }
    return told, stage(drawn)[0]


def _nodes(drawn: Picture, key: Key) -> list[dict[str, Any]]:
    return [
        {
            "parent": node.parent,
            "children": node.children,
            "name": clean(key.names.name(node.path)),
            "branch": clean(key.names.branch(node.path)),
            "mover": clean(node.mover),
            "leaf": None if node.children else clean(", ".join(node.payoff)),
        }
        for node in drawn.nodes
    ]


def _part(part: Part) -> Iterator[dict[str, Any]]:
    """A part as a field of the page; best replies as one for each action that they answer."""
    item, label, worth = clean(part.item), clean(Words().say(part.label, **part.fields)), Fraction(part.points)
    if part.check.get("check") != "replies":
        yield {
            "check": "text",
            "item": item,
            "label": label,
            "worth": float(worth),
            "told": clean(part.right),
            **part.check,
        }
        return
    heads = part.check["right"]
    for other, own in heads.items():
        share = float(worth * len(own) / sum(map(len, heads.values())))
        about = {"item": item, "head": clean(other), "label": f"{label}: {clean(other)}", "worth": share}
        yield {**about, "check": "shares", "right": own, "told": clean(" ".join(own))}


def _key(key: Key, numbers: Mapping[Path, int]) -> dict[str, Any]:
    """The right answers, and the comments on wrong ones."""
    said = {mark.item: mark.why for mark in grade(key, Answers()).marks}
    found: dict[str, Any] = {
        "solver": key.solution.solver,
        "nodes": [
            {"node": numbers[path], **_right(key, path), "windows": _window(key, path), "why": _whys(key, path, said)}
            for path in key.nodes
        ],
        "best": [numbers[path] for path in _best(key)],
        "bestWhy": _best_why(key),
    }
    if key.prunes:
        found["skipped"] = [numbers[path] for path in key.skipped]
        found["cutWhy"] = clean(said.get(CUT, ""))
        found["visited"] = sorted(numbers[one.event.node] for one in key.told if one.event.event == "leaf")
    return found


def _right(key: Key, path: Path) -> dict[str, Any]:
    """The sign and the amount that search returns: a number, or one for each player."""
    amount = key.amount(path)
    numbers = amount if isinstance(amount, tuple) else (amount,)
    return {
        "sign": SIGNS[key.nodes[path].bound or ""],
        "amount": [exactly(number) for number in numbers],
        "vector": isinstance(amount, tuple),
        "told": clean(key.value(path)),
    }


def _window(key: Key, path: Path) -> list[list[str] | None] | None:
    """Alpha and beta with which search enters the node, exactly."""
    ends = key.window(path)
    return None if ends is None else [None if end is None else exactly(end) for end in ends]


def _whys(key: Key, path: Path, said: Mapping[str, str]) -> dict[str, Any]:
    """The grader's words on wrong answers: on any; on one that takes a bound for a value, or the other way round; on
    one that takes the wrong extreme, and which that is."""
    name = key.names.name(path)
    amount, bound = key.amount(path), key.nodes[path].bound
    told = amount_text(amount).replace(" ", "")
    found: dict[str, Any] = {"any": clean(said[name])}
    found["sign"] = clean(_said_of(key, name, StudentClaim("=" if bound != "exact" else "<=", told)))
    extreme = wrong_extreme(key, path)
    if extreme is not None:
        wrong = StudentClaim(SIGNS[bound or ""], to_text(extreme))
        found["extreme"] = [exactly(extreme), clean(_said_of(key, name, wrong))]
    return found


def _said_of(key: Key, name: str, claim: StudentClaim) -> str:
    return next(mark.why for mark in grade(key, Answers(claims={name: claim})).marks if mark.item == name)


def _best(key: Key) -> Iterator[Path]:
    """The children of the root to which the best actions lead."""
    nodes = key.names.nodes
    for child in nodes.children(()):
        if nodes.at(child).action in key.best:
            yield child


def _best_why(key: Key) -> str:
    """The grader's words on a wrong best action."""
    children = key.names.nodes.children(())
    wrong = next((child for child in children if child not in set(_best(key))), None)
    if wrong is None or not key.best:
        return ""
    answers = Answers(lists={BEST: [key.names.way(wrong)]})
    return clean(next(mark.why for mark in grade(key, answers).marks if mark.item == BEST))
