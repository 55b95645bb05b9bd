"""A condition that is asked of the positions of a game, in the words of its file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl import checker, syntax
from gdl.errors import Source, Span
from gdl.model.games import RulesModel
from gdl.syntax import parser

_STUB = "players A, B\naction wait\nterminal\n    true -> draw\n"


def ending_where(
    description: syntax.Description, condition: str, name: str, settings: Mapping[str, Any], variant: str | None
) -> RulesModel:
    """The game of a file with a condition as its only end: a position is over there exactly where the condition holds,
    and all else is as in the file. `name` is that of the condition's text in messages.

    Raises GameError where the condition is none.
    """
    source = Source(name, condition)
    asked = parser.expression(source, 0, len(condition))
    (stub,) = (s for s in parser.parse(_STUB).sections if isinstance(s, syntax.TerminalTest))
    end = stub.copy_with(clauses=(stub.clauses[0].copy_with(condition=asked),), span=Span(source, 0, len(condition)))
    model, _ = checker.check(_with(description, end), settings, variant)
    assert isinstance(model, RulesModel)
    return model


def _with(description: syntax.Description, end: syntax.TerminalTest) -> syntax.Description:
    """The same file with one end in place of its own and those of its variants."""
    return description.copy_with(sections=(*map(_without_end, _others(description.sections)), end))


def _others(sections: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([section for section in sections if not isinstance(section, syntax.TerminalTest)])


def _without_end(section: Any) -> Any:
    if not isinstance(section, syntax.Variant):
        return section
    return section.copy_with(sections=_others(section.sections))
