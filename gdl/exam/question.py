"""A question of an exam: a game, the items that are asked of it with their points and what is right, and, for a sheet,
under which conventions and where the answer is written. Sheet, key, `gdl quiz --json` and `gdl grade` take it from
here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gdl.errors import clean
from gdl.exam.key import BEST, CUT, Key, key, window_text
from gdl.exam.phrases import phrase
from gdl.formats.exam_answers import AskedItem, ExamQuestion, QuestionKind
from gdl.game import Game, Number, exact
from gdl.numbers import to_text
from gdl.render.caption import caption, profile_text
from gdl.render.matrix import one_shot
from gdl.render.node_names import Nodes
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.picture import Bounds
from gdl.render.unknowns import subtree_name
from gdl.solution import Solution

MINUS = "−"


SORTS = ("nodes", "windows", "cut", "best", "value", "equilibria")  # of items, for which points can be set


def exam_question(kind: QuestionKind, game: str, asked: Sequence[AskedItem]) -> ExamQuestion:
    return ExamQuestion(kind, game, tuple(asked), exact(sum((Fraction(one.points) for one in asked), Fraction(0))))


def items_of_key(right: Key, windows: bool = False, worths: Mapping[str, Number] = {}) -> Iterator[AskedItem]:
    """Ask of a tree what each node returns, with which `windows` it is entered, what is cut, and what is best."""
    nodes, alone = worths.get("nodes", 1), [right.names.branch(path) for path in right.skipped]
    for path in right.nodes:
        told = right.value(path)
        yield AskedItem(right.names.name(path), nodes, told, (), (told.replace("= ", " "),) if told[0] != "=" else ())
    for path in right.nodes if windows else ():
        if (ends := right.window(path)) is not None:
            name = f"{right.names.name(path)} window"
            yield AskedItem(name, worths.get("windows", 1), window_text(ends), (), ())
    if right.prunes:
        leaves = [right.names.branch(leaf) for path in right.skipped for leaf in right.names.leaves(path)]
        also, partly = [" ".join(leaves)] * (leaves != alone), alone if len(alone) == 2 else []
        yield AskedItem(CUT, worths.get(CUT, 1), right.cut(), tuple(also), tuple(partly))
    if right.best:
        yield AskedItem(BEST, worths.get(BEST, 1), " ".join(right.to_play), right.ties, ())


@dataclass(frozen=True)
class AnswerLine:
    """A place for an answer: what is asked, and the answer that the key shows there."""

    asked: str
    right: str


@dataclass(frozen=True)
class Question:
    """What stands beside a picture."""

    title: str
    asked: ExamQuestion
    text: tuple[str, ...]  # paragraphs: the task, and the conventions
    lines: tuple[AnswerLine, ...]
    key: Key | None = None  # of a search

    @property
    def points(self) -> Number:
        return self.asked.points  # type: ignore[no-any-return]


@numbers_as_in_file
def question(
    game: Game[Any],
    solution: Solution,
    language: str,
    bounds: Bounds | None = None,
    worths: Mapping[str, Number] = {},
    depth: int | None = None,
) -> Question:
    """The question that a game's picture asks."""
    title = clean(game.name)
    if solution.unknowns:
        return _open(game, solution, title, language, worths)
    if one_shot(game) is not None or not (solution.visits or solution.values):
        task = "table" if one_shot(game) is not None else "sets"
        profiles = solution.equilibria or ((solution.strategy,) if solution.strategy else ())
        found = [profile_text(solution.players, profile) for profile in profiles]
        told = "; ".join(found) or caption(game, solution).partition(" Found by")[0]
        points = worths.get("equilibria", 1) * max(1, len(solution.equilibria))
        item = AskedItem("equilibria", points, told, (), tuple(found) if len(found) > 1 else ())
        line = AnswerLine(phrase("equilibria", language), told)
        return Question(title, exam_question("equilibria", title, [item]), (phrase(task, language),), (line,))
    right = key(game, solution, depth)
    lines = [AnswerLine(phrase("cut", language), right.cut())] if right.prunes else []
    tied = f" (= {', '.join(right.ties)})" if right.ties else ""
    lines += [AnswerLine(phrase("action", language), ", ".join(right.to_play) + tied)] if right.best else []
    asked = exam_question("search", title, list(items_of_key(right, bounds is not None, worths)))
    return Question(title, asked, tuple(_text(game, right, language, bounds)), tuple(lines), right)


def open_answers(solution: Solution, game: Game[Any]) -> dict[str, dict[str, str]]:
    """Of numbers left open: when what is best, skipped or an equilibrium, by what is asked."""
    nodes = Nodes(game)
    found: dict[str, dict[str, str]] = {}
    for one in (one for one in solution.conditions if one.cases):
        if one.what == "pruned":
            subject = subtree_name(nodes, one.subject)
        else:
            subject = ", ".join(map(str, one.subject))
            subject = f"({subject})" if one.what == "equilibrium" else subject
        found.setdefault(_OPEN[one.what], {})[subject] = "" if one.always else one.text
    if solution.rule is not None and solution.rule.cut is not None:
        found.setdefault(CUT, {})
    return found


_OPEN = {"best": BEST, "value": "value", "pruned": CUT, "equilibrium": "equilibria"}
LINES = {BEST: "action", "value": "value", CUT: "cut", "equilibria": "equilibria"}


def _open(game: Game[Any], solution: Solution, title: str, language: str, worths: Mapping[str, Number]) -> Question:
    """Of a game that leaves numbers open; a point for each line."""
    found = open_answers(solution, game)
    told = {
        item: "; ".join(f"{subject}: {when}" if when else subject for subject, when in found[item].items()) or "none"
        for item in LINES
        if item in found
    }
    text = [phrase("open_table" if "equilibria" in told else "open", language)]
    if solution.rule is not None and solution.rule.cut is not None:
        text = [f"{text[0]} {phrase('open_cuts', language)}"]
        text.append(f"{phrase(solution.rule.cut, language)} {phrase(solution.rule.order, language)}")
    lines = tuple(AnswerLine(phrase(LINES[item], language), right) for item, right in told.items())
    items = [AskedItem(item, worths.get(item, 1), right, (), ()) for item, right in told.items()]
    return Question(title, exam_question("open", title, items), tuple(text), lines)


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
