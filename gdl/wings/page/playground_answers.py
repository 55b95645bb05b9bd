"""Answers to the playground of the site, in the browser's Python: a text is checked, completed, drawn, solved, or made
into a page to play on. Questions and answers are JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import gdl
from gdl.errors import GameError, LimitReached, Refusal
from gdl.playing.loading import Loaded
from gdl.render.draw import draw
from gdl.render.matrix import one_shot
from gdl.render.picture.unfold import explicit_tree
from gdl.render.text import solution_text
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.wings.editor.completion import completions, snippet, stem
from gdl.wings.editor.document import Document, spans
from gdl.wings.page.play_page import play_page

NAME = "playground"  # the name of the text in messages
SECONDS = 10.0  # seconds for a solution
DEPTH = 3  # plies of a drawing, where nothing else is asked


def answer(question: str) -> str:
    """The answer to a question: `{"ask": …, "text": the game, …}`. What is wrong with the text, or cannot be done,
    stands under `problem`."""
    asked: Mapping[str, Any] = json.loads(question)
    try:
        return json.dumps(_ANSWERS[asked["ask"]](asked))
    except GameError as wrong:
        return json.dumps({"problem": str(wrong)})
    except Refusal as why:
        return json.dumps({"problem": f"{why}."})


def _games(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The games that come with gdl."""
    return {"games": sorted(gdl.shipped())}


def _game(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The text of a shipped game."""
    return {"text": gdl.shipped()[asked["name"]].read_text(encoding="utf-8")}


def _check(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The problems of the text, with their places; and a description of the game, if there are none."""
    document = _document(asked["text"])
    problems = []
    for problem in document.problems:
        start, end = spans(document, problem)
        help = [f"help: {problem.help}"] if problem.help else []
        problems.append({
            "from": _in_script(document.text, start), "to": _in_script(document.text, end), "warning": problem.warning,
            "code": problem.kind, "message": "\n".join([problem.message, *problem.note.splitlines(), *help]),
        })  # fmt: skip
    wrong = sum(not problem["warning"] for problem in problems)
    name = "" if wrong or document.model is None else document.model.name
    return {"problems": problems, "name": name}


@lru_cache(1)
def _document(text: str) -> Document:
    """The text as it was checked, until another is asked for."""
    document = Document(NAME)
    document.update(text)
    return document


def _complete(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The words that may be written at a place of the text."""
    document = _document(asked["text"])
    offset = _in_python(document.text, asked["at"])
    offers = [{"label": text, "detail": kind} | snippet(text, kind) for text, kind in completions(document, offset)]
    return {"from": _in_script(document.text, offset - len(stem(document.text[:offset]))), "offers": offers}


def _page(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A page to play on."""
    return {"html": play_page(_document(asked["text"]).model or _load_game(asked).model, asked["text"])}


def _draw(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A picture; of a tree or a matrix with its answer."""
    game = _load_game(asked).game
    whole = explicit_tree(game) is not None or one_shot(game) is not None
    solution = _solution(asked) if whole else None
    return {"html": draw(game, solution, "svg", depth=None if whole else asked.get("depth", DEPTH))}


def _solve(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the solver that suits the game, as gdl solve prints it."""
    found = _solution(asked)
    return {"text": solution_text(found, _load_game(asked).game)}


def _lesson_anew(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A lesson of the chapter, made anew with other numbers."""
    from gdl.wings.exam.exam_command import lesson_anew

    try:
        return lesson_anew(asked["language"], asked["number"], asked["numbers"])
    except GameError as wrong:  # without its place in a file that the reader does not see
        raise Refusal(wrong.problems[0].message) from None


def _solution(asked: Mapping[str, Any]) -> Solution:
    try:
        return solve(_load_game(asked).game, time=SECONDS)
    except LimitReached as stop:
        if not isinstance(stop.partial, Solution):
            raise Refusal(str(stop)) from stop
        return stop.partial


def _load_game(asked: Mapping[str, Any]) -> Loaded:
    return gdl.loads(asked["text"], NAME)


def _in_script(text: str, offset: int) -> int:
    """The offset in the text as JavaScript counts it, in UTF-16 code units."""
    return len(text[:offset].encode("utf-16-le")) // 2


def _in_python(text: str, offset: int) -> int:
    return len(text.encode("utf-16-le")[: 2 * offset].decode("utf-16-le"))


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "games": _games, "game": _game, "check": _check, "complete": _complete, "play": _page, "draw": _draw,
    "solve": _solve, "lesson": _lesson_anew,
}  # fmt: skip
