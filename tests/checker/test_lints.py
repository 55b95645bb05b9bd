"""Each lint of the checker has found a planted mistake: one of the broken files of tests/checker/errors/."""

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from places import ERRORS

import gdl
from gdl import checker
from gdl.checker import lints
from gdl.errors import GameError, Problem
from gdl.syntax import parser

PLANTED = sorted(ERRORS.glob("*.game"))


def watched(lint: Callable[..., Iterator[Problem]], found: set[str]) -> Callable[..., Iterator[Problem]]:
    """The lint; its name is added where it finds something."""

    def watching(*given: object) -> Iterator[Problem]:
        for problem in lint(*given):
            found.add(lint.__name__)
            yield problem

    return watching


def found_in(monkeypatch: pytest.MonkeyPatch, texts: list[tuple[str, str]]) -> set[str]:
    """The lints that find something in these files."""
    found: set[str] = set()
    monkeypatch.setattr(lints, "CHECKS", tuple(watched(lint, found) for lint in lints.CHECKS))
    for text, name in texts:
        with suppress(GameError):
            checker.check(parser.parse(text, name))
    return found


@pytest.mark.thorough
def test_every_lint_finds_a_planted_mistake(monkeypatch: pytest.MonkeyPatch):
    names = {lint.__name__ for lint in lints.CHECKS}
    assert found_in(monkeypatch, [(path.read_text(encoding="utf-8"), path.name) for path in PLANTED]) == names


@pytest.mark.thorough
def test_no_lint_finds_anything_in_the_shipped_games(monkeypatch: pytest.MonkeyPatch):
    assert found_in(monkeypatch, [gdl.read(name) for name in gdl.shipped()]) == set()
