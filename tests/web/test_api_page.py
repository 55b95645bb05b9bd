"""The page of the Python names: each is there, and its docstring says what goes in."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
import gdl.solvers
from gdl.commands.cli import commands
from gdl.web import api_page

NAMES = [f"{module}.{name}" for module, name, _ in api_page.documented_names()]
FOUND = {f"{module}.{name}": found for module, name, found in api_page.documented_names()}
OFFERED = {f"gdl.{name}" for name in gdl.__all__} | {f"gdl.solvers.{name}" for name in gdl.solvers.__all__}


@pytest.fixture(scope="module")
def page() -> str:
    done = CliRunner().invoke(commands, ["guide", "api"], prog_name="gdl")
    assert done.exit_code == 0
    return done.output


def lacking(name: str, found: Any) -> list[str]:
    """The parameters without a type that a docstring does not explain."""
    said = inspect.getdoc(found)
    if not said:
        return [name]
    parameters = inspect.signature(found).parameters if callable(found) else {}
    return [f"{name}({one})" for one in parameters if one != "self" and not re.search(rf"\b{one}\b", said)]


def words(text: str | None) -> str:
    """The words of a text without its layout and marks: heads and lists of a docstring are set in Markdown."""
    return " ".join(re.findall(r"\w+", text or ""))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_stands_on_the_page_and_says_what_it_takes(page: str, name: str):
    found = FOUND[name]
    entry = words(page.partition(f"\n### `{name}`\n")[2].partition("\n### ")[0])
    assert entry
    if isinstance(found, type):
        assert found.__doc__ and words(inspect.getdoc(found)) in entry
        assert [lack for member, one in api_page.members(found) for lack in lacking(member, one)] == []
        assert all(f"\n- `{member}" in page for member, _ in api_page.members(found))
    elif isinstance(found, Mapping):
        assert all(f"- `{key}`: " in page for key in found)
    else:
        assert lacking(name, found) == [] and words(inspect.getdoc(found)) in entry


def test_all_that_is_offered_is_documented_and_can_be_seen_to_raise(page: str):
    assert set(NAMES) >= OFFERED
    offered = "gdl.load gdl.loads gdl.solve gdl.tree gdl.matrix gdl.solvers.solve"
    for name in offered.split():
        assert "raise" in (FOUND[name].__doc__ or "").lower(), name


def test_signatures_are_written_as_in_python(page: str):
    assert "annotate(graph: Graph, solution: Solution) -> Graph\n" in page
    assert (
        "loads(\n    text: str,\n    name: str = '<text>',\n    *,\n    settings: Mapping[str, Any] | None = None,"
        in page
    )
    assert (
        "\n- `successor(state: State, action: Any) -> State`: The state to which an action leads: RESULT(s, a)." in page
    )
    assert "\n| `cut` | `Literal['ge', 'gt']` | Prune when" in page
    assert " object at 0x" not in page and "built-in" not in page
