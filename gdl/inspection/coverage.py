"""Coverage of a game's rules by its plays: guards, effects and terminal clauses that never fired.

The interpreter tells a `Coverage` every form of the rules as it makes its closure; those that are to be watched get one
around it that counts. Nothing is counted where nobody asks.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from gdl import checker, syntax
from gdl.errors import Span
from gdl.game import Game
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core
from gdl.model.games import Model, Rule, RulesModel
from gdl.model.walk import inside
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator
from gdl.syntax.composition import is_library

PLIES = 3_000  # that are played at random, of the game and of each of its variants,
WORK = 400_000  # and how often parts are tried in them; what comes first ends it
WIDTH = 60  # characters of a part that are shown

Kind = Literal["guard", "effect", "clause"]


@dataclass
class CoveragePart:
    """A guard, an effect or a terminal clause: its place in the text, how often it was reached in play, and, unless it
    is an effect, how often it held."""

    kind: Kind
    span: Span
    tried: int = 0
    held: int = 0

    def missing(self) -> str:
        """A text for the event that never happened to the part; empty if everything did that can."""
        if not self.tried:
            return {"guard": "was never asked", "effect": "never ran", "clause": "was never asked"}[self.kind]
        if self.kind == "effect":
            return ""
        if not self.held:
            return "never held"
        return "never failed" if self.kind == "guard" and self.held == self.tried else ""

    def text(self) -> str:
        """The first line of the part, as its author wrote it."""
        lines = self.span.text.splitlines()
        return textwrap.shorten(lines[0], WIDTH, placeholder=" …")


class Coverage:
    """The parts of one file's rules, over all the games made of it: with its variants, parameters and positions.

    `play` makes a game of a model that has no such parts, a tree or a matrix.
    """

    def __init__(self, play: Callable[[Model], Game[Any]]) -> None:
        self._play = play
        self.parts: dict[tuple[str, str, int, int], CoveragePart] = {}
        self.work = 0  # how often parts have been tried
        self._watched: dict[int, CoveragePart] = {}  # by the identity of a form
        self._models: list[RulesModel] = []  # kept so that the identities of their forms stay unique

    def play(self, model: Model) -> Game[Any]:
        """The game of a model. If it is given by rules, its parts count how often they are reached."""
        if not isinstance(model, RulesModel):
            return self._play(model)
        self._models.append(model)
        for kind, form, span in _parts(model):
            key = kind, span.source.name, span.start, span.end
            self._watched[id(form)] = self.parts.setdefault(key, CoveragePart(kind, span))
        return RulesGame(model, self._watch)

    def missing(self) -> list[CoveragePart]:
        """The parts to which something never happened, in the order of the files."""
        missing = [part for part in self.parts.values() if part.missing()]
        return sorted(missing, key=lambda part: (part.span.source.name, part.span.start))

    def _watch(self, form: Any, closure: Callable[..., Any]) -> Callable[..., Any]:
        """The closure of a form; if the form is a part, in a function that counts calls and how often it held."""
        part = self._watched.get(id(form))
        if part is None:
            return closure

        def count_call(*given: Any) -> Any:
            part.tried += 1
            self.work += 1
            found = closure(*given)
            if found:
                part.held += 1
            return found

        return count_call


def play_at_random(
    coverage: Coverage, description: syntax.Description, settings: Mapping[str, Any] | None = None
) -> None:
    """Play the game and each of its variants at random, for a fixed amount of work each; the same plays every time."""
    if is_library(description.sections):
        return
    for variant in (None, *checker.variants(description)):
        game = coverage.play(checker.check(description, settings, variant)[0])
        plays = islice(random_positions(game, Generator(0)), PLIES)
        enough = coverage.work + WORK
        while coverage.work < enough and next(plays, None) is not None:
            pass


# ---- The parts of a model ---------------------------------------------------------------------------------------


def _parts(model: RulesModel) -> Iterator[tuple[Kind, Any, Span]]:
    """Guards, effects and terminal clauses, each with its form and its place."""
    for rule in (*model.actions, *model.chances):
        yield from _of_rule(rule)
    for body in (*(rule.body for rule in model.effects), *(p.body for p in model.procedures)):
        yield from _of_statements(body)
    for clause in model.clauses:
        yield "clause", clause.condition, clause.span


def _of_rule(rule: Rule) -> Iterator[tuple[Kind, Any, Span]]:
    guards = [*rule.guards, *(guard for parameter in rule.parameters for guard in parameter.guards)]
    for guard in guards:
        place = _place(guard)
        if place is not None or rule.weight is None or not isinstance(guard, core.Contains):
            yield "guard", guard, place or rule.span  # else the checker asks whether a draw's argument may be drawn
    yield from _of_statements(rule.body)


def _of_statements(body: tuple[core.Statement, ...]) -> Iterator[tuple[Kind, Any, Span]]:
    for form in inside(body):
        if isinstance(form, core.Require):
            yield "guard", form.condition, _require_span(form.span)
        elif isinstance(form, core.Choose):
            for guard in (*form.guards, *(guard for parameter in form.parameters for guard in parameter.guards)):
                yield "guard", guard, _place(guard) or _require_span(form.span)
        elif isinstance(form, core.Statement) and form.span is not None:  # else no line says it: play after a draw
            yield "effect", form, form.span


def _require_span(span: Span | None) -> Span:
    assert span is not None, "the checker gives every statement its place"
    return span


def _place(condition: core.Expression) -> Span | None:
    """The place of a condition in the text, from the first of its forms with a place to the last; None if none has
    one."""
    spans = [span for form in inside(condition) if isinstance(span := getattr(form, "span", None), Span)]
    if not spans:
        return None
    return Span(spans[0].source, min(span.start for span in spans), max(span.end for span in spans))
