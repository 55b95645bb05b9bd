"""A page for practice: questions that a student fills in and that are marked at once, as `gdl grade` marks them.

The grader itself computes the right answers and the reasons here, for each pruning rule, and the page holds them as
data; practice.js compares the student's answers with them and knows nothing of games. So the page cannot disagree with
the grader about the right answer, and tests check that its comparisons agree with the grader's.
"""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any
from zlib import crc32

from gdl.errors import clean
from gdl.explain.key import BEST, CUT, Key
from gdl.game import Game, Number, Terminal, maximiser
from gdl.numbers import amount_text, to_text
from gdl.render.cut_text import SIGNS
from gdl.render.page import as_data, fill_template
from gdl.render.picture import Picture, picture
from gdl.render.svg.legend import typeset_caption
from gdl.render.svg.stage import stage
from gdl.solution import Path
from gdl.wings.exam.grade import Answers, StudentClaim, grade, tied_actions, tied_vectors, wrong_extreme
from gdl.wings.exam.judged_parts import Part
from gdl.wings.exam.phrases import ENGLISH, Words
from gdl.wings.exam.question import Question, text_without_rule
from gdl.wings.exam.sheet import with_estimates
from gdl.wings.exam.window_texts import window_ends


@dataclass(frozen=True)
class Exercise:
    """A tree with its key under each pruning rule (`ge`, `gt`; "" if there is only one) and the points of sorts of
    items (1 if not given); or a question of another kind and its picture as SVG. Its reader may change the
    `numbers`."""

    game: Game[Any]
    keys: Mapping[str, Key]
    worths: Mapping[str, Number] = field(default_factory=dict)
    question: Question | None = None
    drawn: str = ""
    numbers: Sequence[str] = ()


def practice_page(
    title: str, exercises: Sequence[Exercise], cut: str = "ge", words: Words = ENGLISH, engine: str = ""
) -> str:
    """The page as HTML in the language of `words`: one file that needs no network. `cut` is the rule that it shows
    first. `engine` is the address of a worker that is gdl itself: it makes a question anew with other numbers."""
    title = title or words.practice.get("Practice", "Practice")
    pairs = [exercise_data(number, exercise, words) for number, exercise in enumerate(exercises, start=1)]
    looks = ["tree" if told["keys"] else "tree drawn" for told, _ in pairs]
    stages = "".join(f'<div class="{look}" hidden>{svg}</div>' for look, (_, svg) in zip(looks, pairs, strict=True))
    trees = [told for told, _ in pairs]
    shelf = f"gdl practice {words.language} {crc32(as_data(trees).encode()):x}"  # where work is kept
    data = veil_data(as_data({"cut": cut, "shelf": shelf, "engine": engine, "words": words.practice, "trees": trees}))
    parts = {"trees": stages, "data": data, "heading": html.escape(title)}
    parts |= {"language": words.language, "direction": words.direction}
    page = fill_template("gdl.wings.exam", "practice", title, parts, "tree practice", "asking practice", words.practice)
    return page.replace("base-uri 'none'", "base-uri 'none'; worker-src 'self'", 1) if engine else page


def veil_data(text: str) -> str:
    """The text in a form that nobody reads in passing, and that practice.js turns back."""
    return b64encode(bytes(byte ^ (at * 31 + 7) & 255 for at, byte in enumerate(text.encode()))).decode()


def exercise_data(number: int, exercise: Exercise, words: Words) -> tuple[dict[str, Any], str]:
    """A question as data, and its picture. In a search the nodes are numbered as in the picture, and there is a key for
    each pruning rule."""
    if (asked := exercise.question) is not None and asked.parts:
        parts = [told for part in asked.parts for told in _part(part, words)]
        return {"title": asked.title, "text": asked.text, "nodes": [], "keys": {}, "parts": parts,
                "numbers": exercise.numbers}, exercise.drawn  # fmt: skip
    first = next(iter(exercise.keys.values()))
    drawn = with_estimates(picture(exercise.game, depth=first.names.depth, blank=True), exercise.game)
    nodes = tuple(replace(n, mover=words["chance"]) if n.shape == "chance" else n for n in drawn.nodes)
    drawn = replace(drawn, nodes=nodes, words=words.practice, title=f"{words['question']} {number}")
    numbers = {node.path: number for number, node in enumerate(drawn.nodes)}
    told = {
        "title": asked.title if asked else "",
        "text": [*(asked.own if asked else ()), *text_without_rule(exercise.game, first, words)],
        "nodes": _nodes(drawn, first),
        "keys": {rule: key_data(key, numbers, words) for rule, key in exercise.keys.items()},
        "worths": {sort: float(points) for sort, points in exercise.worths.items()},
        "own": _leaf_values(drawn, first),
        "numbers": exercise.numbers,
        "parts": [],
    }
    return told, stage(drawn)[0]


def _nodes(drawn: Picture, key: Key) -> list[dict[str, Any]]:
    names, found = key.names, []
    for node in drawn.nodes:
        said = {"name": names.name(node.path), "branch": names.branch(node.path), "mover": node.mover}
        told = {name: clean(text) for name, text in said.items()}
        outcomes = getattr(names.nodes.node_at(node.path).node, "outcomes", None)
        weights = outcomes and [float(weight) for _, weight in outcomes]
        found.append({"parent": node.parent, "children": node.children, "weights": weights, **told})
    return found


def _leaf_values(drawn: Picture, key: Key) -> dict[str, Any] | None:
    """The values of the leaves for MAX, by their numbers in the picture, and the name of MAX; or vectors, and the names
    of the players. None where the page could not search the tree anew with other values, as it does from left to right
    and to the end for two players, and for others and chance where nothing is pruned."""
    found, nodes = key.solution, [key.names.nodes.node_at(one.path).node for one in drawn.nodes]
    players, first = [*map(clean, found.players)], maximiser(found.players)
    usual = (found.solver == "alpha-beta" or not key.prunes) and (found.rule is None or found.rule.order == "given")
    ends = {n: node.utilities for n, node in enumerate(nodes) if isinstance(node, Terminal)}
    inner = sum(bool(one.children) for one, n in zip(drawn.nodes, nodes, strict=True) if not isinstance(n, Terminal))
    whole = len(ends) + inner == len(nodes) and all(isinstance(one, int) for own in ends.values() for one in own)
    if not usual or not whole or key.window(()) not in (None, (None, None)):
        return None
    if any(isinstance(event.value, tuple) for event in key.nodes.values()):
        return {"seats": players, "values": {n: list(own) for n, own in ends.items()}}
    return {"max": players[first], "values": {n: own[first] for n, own in ends.items()}}


def _part(part: Part, words: Words) -> Iterator[dict[str, Any]]:
    """The fields of the page for a part: one, or for best replies one for each action that they answer."""
    label, worth = clean(words.say(part.label, **part.fields)), Fraction(part.points)
    own = words.language != ENGLISH.language and label in part.headings  # so that `gdl grade` reads it
    about = {"item": label if own else clean(part.item), "label": label, "worth": float(worth)}
    if part.check.get("check") != "replies":
        also = [clean(told) for told in (part.right, *part.also)]
        yield {**about, "check": "text", "told": clean(part.key_text(words)), "also": also, **part.check}
        return
    heads = part.check["right"]
    for other, due in heads.items():
        share = float(worth * len(due) / sum(map(len, heads.values())))
        about |= {"head": clean(other), "label": f"{label}: {clean(other)}", "worth": share}
        yield {**about, "check": "shares", "right": due, "told": clean(" ".join(due))}


def key_data(key: Key, numbers: Mapping[Path, int], words: Words) -> dict[str, Any]:
    """The key as data: the right answers, and the comments on wrong ones. `numbers` are the nodes' numbers in the
    picture."""
    said = {mark.item: clean(typeset_caption(mark.why)) for mark in grade(key, Answers(), words=words).marks}
    tied = tied_vectors(key)
    found: dict[str, Any] = {
        "nodes": [
            {
                "node": numbers[path],
                "sign": SIGNS[key.nodes[path].bound or ""],
                "amount": amount_text(key.amount(path)),
                "also": sorted(amount_text(one) for one in tied.get(path, frozenset()) if one != key.amount(path)),
                "windows": window_ends(ends) if (ends := key.window(path)) else None,
                "why": _comments_at(key, path, said, words),
            }
            for path in key.nodes
        ],
        "best": [numbers[path] for path in _best_children(key)],
        "tied": [numbers[path] for path in tied_actions(key, tied)],
        "bestWhy": _best_why(key, words),
    }
    if key.prunes:
        found["skipped"] = [numbers[path] for path in key.skipped]
        found["cutWhy"] = said.get(CUT, "")
        found["visited"] = sorted(numbers[one.event.node] for one in key.told if one.event.event == "leaf")
    return found


def _comments_at(key: Key, path: Path, said: Mapping[str, str], words: Words) -> dict[str, Any]:
    """The grader's comments on wrong answers at a node: on `any`; on a wrong `sign`, a bound taken for a value or the
    reverse; and on the wrong `extreme`, with its value."""
    name = key.names.name(path)
    amount, bound = key.amount(path), key.nodes[path].bound
    told = amount_text(amount).replace(" ", "")
    found: dict[str, Any] = {"any": said[name]}
    found["sign"] = _said_of(key, name, _claim(name, "=" if bound != "exact" else "<=", told), words)
    extreme = wrong_extreme(key, path)
    if extreme is not None:
        wrong = _claim(name, SIGNS[bound or ""], to_text(extreme))
        found["extreme"] = [to_text(extreme), _said_of(key, name, wrong, words)]
    return found


def _claim(name: str, sign: str, amount: str) -> Answers:
    return Answers(claims={name: StudentClaim(sign, amount)})


def _said_of(key: Key, item: str, answers: Answers, words: Words) -> str:
    marks = grade(key, answers, words=words).marks
    return clean(typeset_caption(next(mark.why for mark in marks if mark.item == item)))


def _best_children(key: Key) -> list[Path]:
    """The children of the root to which the best actions lead."""
    nodes = key.names.nodes
    return [child for child in nodes.children(()) if nodes.node_at(child).action in key.best]


def _best_why(key: Key, words: Words) -> str:
    """The grader's comment on a wrong best action."""
    wrong = next((child for child in key.names.nodes.children(()) if child not in _best_children(key)), None)
    if wrong is None or not key.best:
        return ""
    return _said_of(key, BEST, Answers(lists={BEST: [key.names.way(wrong)]}), words)
