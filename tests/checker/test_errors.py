"""Every message to an author has a broken file under tests/checker/errors, NAME.game, and its exact text, NAME.txt.

To see what a new broken file says, and to keep it:  python tests/checker/test_errors.py NAME
"""

import ast
import re
import sys
from pathlib import Path

import pytest

import gdl
from gdl.errors import GameError, Problem
from gdl.formats.problems import replacement, with_edits
from gdl.inspection.findings import inspect

FOLDER = Path(__file__).parent / "errors"
NAMES = sorted(file.stem for file in FOLDER.glob("*.game"))


def text_of(name: str) -> str:
    return gdl.decoded((FOLDER / f"{name}.game").read_bytes(), f"{name}.game")


def problems(name: str, text: str | None = None) -> tuple[Problem, ...]:
    """All that is wrong with a broken file, or with another text of this name, or looks like a slip in it, as
    `gdl check` finds it."""
    try:
        text = text_of(name) if text is None else text
        return inspect(gdl.described(text, f"{name}.game", FOLDER), gdl.play).problems
    except GameError as error:
        return error.problems


def told(found: tuple[Problem, ...]) -> str:
    return "\n\n".join(map(str, found)) + "\n"


def expected(name: str) -> str:
    return (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def messages(name: str) -> list[tuple[str, str]]:
    """The messages of that text, each with its code ("": it has none)."""
    return re.findall(r"^\S+?:\d+:\d+: (?:error|warning): (.*?)(?:  \[([\w-]+)\])?$", expected(name), re.MULTILINE)


@pytest.mark.thorough_of("limit_ways_in_play", "limit_work")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
def test_broken_file_is_told_exactly(name):
    """Each problem has a place and a deed, they stand in order, and loading tells what is known before play."""
    found = problems(name)
    assert told(found) == expected(name)
    assert found
    assert all(problem.span is not None and problem.help for problem in found)
    places = [problem.span.start for problem in found if problem.span]
    assert places == sorted(places)
    assert {problem.message for problem in loading(name)} <= {problem.message for problem in found}


@pytest.mark.thorough_of("from_unknown")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NAMES)
def test_what_the_help_says_plainly_mends_the_file(name):
    """None of the problems whose edits are applied is told again, and the file has no more errors than before."""
    before = problems(name)
    asked = {(one.message, one.span.line) for one in before if one.span and replacement(one) is not None}
    if not asked:
        return
    left = problems(name, with_edits(text_of(name), f"{name}.game", before))
    assert asked.isdisjoint((one.message, one.span.line) for one in left if one.span)
    assert sum(not one.warning for one in left) <= sum(not one.warning for one in before)


def loading(name: str) -> tuple[Problem, ...]:
    """The messages of loading a broken file."""
    file = FOLDER / f"{name}.game"
    try:
        return gdl.loads(gdl.decoded(file.read_bytes(), file.name), file.name, folder=FOLDER).warnings
    except GameError as error:
        return error.problems


def test_every_expected_text_has_its_file():
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == NAMES


# ---- Nobody adds a message without a file -----------------------------------------------------------------------

HOUSE = Path(gdl.__file__).resolve().parent
ALONE = ("errors/__init__", "formats/game_files", "model/board", "model/board_tables")
ROOMS = ("syntax", "checker", "interpreter", "inspection")
SOURCES = [HOUSE / f"{name}.py" for name in ALONE]
SOURCES += [file for room in ROOMS for file in sorted((HOUSE / room).glob("*.py"))]
# What these say goes to whoever plays, or writes a program, not to an author.
for other in ("position", "explicit_game"):
    SOURCES.remove((HOUSE / "interpreter" / f"{other}.py").resolve())
TELLERS = {"problem", "wrong", "instead", "_warning", "Problem", "fault", "NoTable", "ShapeError"}
ELSEWHERE = {  # tested where a setting, a variant or a file of a million letters is at hand: test_limits, test_commands
    "* is no state of *", "no player has the index *",  # of calls from Python: test_wrong_use
    "* has no variant '*'", "'*' is no value for *", "the file is larger than * characters",
    "laid out, * would be larger than * bytes", "a file has at most * words, numbers and signs",
    "* is a named pipe, in which nobody may write",  # test_answers_again
    "there is no game '*'", "* is larger than * bytes", "* is not text in UTF-8 (byte *)",
    "a probability would be *", "?* stands for the utilities of all players, and not for one number",
    "a text that is in no folder has no files beside it",
    "this is no question", "no questions are asked of a game of *", "this does not say who plays for it", "an end does not hold in every position: play comes before it",  # of gdl ask: test_questions
    "this does not say what", "commas part the players of a question", "this does not say within how many plies", "this does not say who wins or loses",
    "in this question everybody plays their best", "an event stands without braces",
    "these are definitions, and no game", "a game is made from at most * files", "the game and all that it is made from are larger than * bytes",
}  # fmt: skip


def templates(file: Path) -> set[str]:
    """The messages that a module can give, `*` standing for what is filled in."""
    found = set()
    for function in [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)]:
        diagnosis = function.returns is not None and "Diagnosis" in ast.unparse(function.returns)
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and node.args and _called(node) in TELLERS:
                found |= set(_texts(node.args[0], function if isinstance(node.args[0], ast.Name) else None))
            elif isinstance(node, ast.Call) and _called(node) == "as_number" and len(node.args) > 2:
                found |= set(_texts(node.args[2], None))  # `a rank is a number`, of what is none
            elif diagnosis and isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                found |= set(_texts(node.value.elts[0], None))
    return found


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _texts(node: ast.expr, function: ast.FunctionDef | None):
    """The texts that an expression can be; a name stands for what its function assigns to it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "*" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, function)
        yield from _texts(node.orelse, function)
    elif isinstance(node, ast.Name) and function is not None:
        for statement in ast.walk(function):
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    yield from _assigned(target, statement.value, node.id)


def _assigned(target: ast.expr, value: ast.expr, name: str):
    if isinstance(target, ast.Name) and target.id == name:
        yield from _texts(value, None)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, text in zip(target.elts, value.elts, strict=True):
            yield from _assigned(part, text, name)


def missing() -> list[str]:
    """The messages that no expected text contains."""
    texts = [message for name in NAMES for message, _ in messages(name)]
    lost = []
    for file in SOURCES:
        for template in sorted(templates(file) - ELSEWHERE):
            pattern = re.compile(".+".join(map(re.escape, template.split("*"))), re.DOTALL)
            if any(part.strip() for part in template.split("*")) and not any(pattern.search(text) for text in texts):
                lost.append(f"{file.name}: {template}")
    return lost


@pytest.mark.thorough
def test_every_message_has_a_broken_file():
    assert missing() == []


@pytest.mark.thorough
def test_the_list_of_messages_is_long():
    """The search for messages in the sources finds them."""
    assert sum(len(templates(file)) for file in SOURCES) > 200


if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        (FOLDER / f"{name}.txt").write_text(told(problems(name)), encoding="utf-8")
        if sys.argv[1:]:
            print(told(problems(name)))
