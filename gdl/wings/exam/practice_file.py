"""A page to practise on, with a key for each pruning rule."""

from __future__ import annotations

from typing import Any

from gdl.commands import console
from gdl.errors import clean
from gdl.formats.files import write
from gdl.game import Game, Number
from gdl.solution import Solution
from gdl.wings.exam.posed_questions import Posed, answer_for_exam, is_undrawn


def put_practice(
    posed: list[Posed], file: str, options: dict[str, Any], worths: dict[str, Number], title: str, words: Any
) -> None:
    """Write one page for practice with all the questions."""
    from gdl.wings.exam.practice import practice_page

    if exercises := make_exercises(posed, options, worths, words):
        write(file, practice_page(title, exercises, options.get("cut") or "ge", words))
        many = "1 question is" if len(posed) == 1 else f"{len(posed):,} questions are"
        console.remark(f"{many} in {clean(file)}")


def make_exercises(posed: list[Posed], options: dict[str, Any], worths: dict[str, Number], words: Any) -> list[Any]:
    """The questions as a page for practice has them; a question on a search has a key for each pruning rule."""
    from gdl.wings.exam.practice import Exercise
    from gdl.wings.exam.sheet import draw_question, side_by_side

    exercises = []
    for one in posed:
        right, keys = one.question.key, dict[str, Any]()
        if right is not None and one.solution is not None:
            rule = one.solution.rule.cut if right.prunes and one.solution.rule else ""
            others = other_keys(one.game, one.solution, {**options, **one.options}) if right.prunes else {}
            found = {rule: right} | {name.removeprefix("--cut "): other for name, other in others.items()}
            keys |= {name: found[name] for name in ("ge", "gt", "") if name in found}
        bare = keys or is_undrawn(one.question.asked.kind, one.game)
        look = {"blank": True, "bounds": None, "words": words, "values": not one.question.parts}
        look |= {"estimates": one.question.asked.kind == "deepening"}
        boards = side_by_side(one.boards) if one.boards else ""
        drawn = boards if bare else draw_question(one.game, one.solution, "svg", **look)
        exercises.append(Exercise(one.game, keys, worths, one.question, drawn, one.numbers))
    return exercises


def other_keys(game: Game[Any], solution: Solution, options: dict[str, Any]) -> dict[str, Any]:
    """The key under the other pruning rule, by the option that asks for it; empty if the rule makes no
    difference."""
    from gdl.explain.key import key
    from gdl.solvers.recorded_steps import could_prune

    rule = solution.rule
    if rule is None or not (solution.solver == "alpha-beta" or could_prune(solution)):
        return {}
    cut = "gt" if rule.cut == "ge" else "ge"
    given = {name: value for name, value in options.items() if name != "transform"}
    other = answer_for_exam(game, solution.solver, {**given, "cut": cut})
    return {f"--cut {cut}": key(game, other, options.get("depth"))}
