"""An action is never possible only where no move of a play is of its rule, whatever is written behind its name."""

import pytest

import gdl
from gdl.inspection.findings import inspect
from gdl.syntax import parser

RULES = """players A, B
state
    named[Player]: 0..3
{start}
action go
    choose two: Boolean as "{text}"
    named[mover] := if two then 1 else 2
{resolve}
terminal
    exists p in Player: named[p] > 0 -> named[A] - named[B]
"""


@pytest.mark.parametrize("text", ["{two}", " {two}", "_{two}", "1{two}"])
@pytest.mark.parametrize(("start", "resolve"), [("", ""), ("start everyone", "")])
def test_a_text_right_behind_the_name(text: str, start: str, resolve: str) -> None:
    found = inspect(parser.parse(RULES.format(text=text, start=start, resolve=resolve), "names"), gdl.play)
    assert not [problem.message for problem in found.problems if "possible" in problem.message]
