"""Questions about a game, written in the words of its file: a condition on positions, or a question of best play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gdl import checker, syntax
from gdl.errors import GameError, Problem, Source, Span, clean, listing, suggestion
from gdl.model.clauses import ClausesModel
from gdl.model.games import Model, RulesModel
from gdl.model.objective import Objective
from gdl.syntax import parser

MOST_PLIES = 10_000  # the most that `within N plies` may say

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
    end = _end_where(asked).copy_with(span=Span(source, 0, len(condition)))
    model, _ = checker.check(_with(description, end), settings, variant)
    assert isinstance(model, RulesModel)
    return model


def _end_where(condition: Any) -> syntax.TerminalTest:
    """A section by which a game is over, and drawn, where the condition holds."""
    (stub,) = (s for s in parser.parse(_STUB).sections if isinstance(s, syntax.TerminalTest))
    return stub.copy_with(clauses=(stub.clauses[0].copy_with(condition=condition, span=condition.span),))


class AskedGame(NamedTuple):
    """The game that a question is about, in which a condition asked for is the first clause of `terminal`; what is to
    be reached; and the numbers of the players whom the question names."""

    model: Model
    objective: Objective
    named: frozenset[int]


def question_game(
    description: syntax.Description, question: syntax.Question, settings: Mapping[str, Any], variant: str | None
) -> AskedGame:
    """The game of a file, with the condition of a question as its first end, and what the question asks for. Raises
    GameError where the question asks for something that the game does not have."""
    goal: Any = question.objective
    if isinstance(question, syntax.Invariant):
        if isinstance(goal, syntax.Ending):
            help = "ask if it is reachable, or who can force or avoid it"
            message = "an end does not hold in every position: play comes before it"
            raise GameError(Problem(message, goal.span, help=help))
        goal = syntax.Not(goal.span, goal)
    forms = [s for s in description.sections if isinstance(s, syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles)]
    if not isinstance(goal, syntax.Ending) and forms:
        help = "ask for an end: win NAME, lose NAME, draw, the end"
        raise GameError(Problem("a tree or a matrix has no conditions to ask for", goal.span, help=help))
    if not isinstance(goal, syntax.Ending):
        description = description.copy_with(sections=_ending_first(description.sections, _end_where(goal)))
    try:
        model, _ = checker.check(description, settings, variant)
    except GameError:
        if isinstance(goal, syntax.Name) and goal.word.text in ("win", "lose"):
            help = "write: win NAME, or: lose NAME"
            raise GameError(Problem("this does not say who wins or loses", goal.span, help=help)) from None
        raise
    if isinstance(model, ClausesModel):
        help = "gdl solve answers for it"
        raise GameError(Problem("no questions are asked of a game of clauses", question.span, help=help))
    players = model.players
    within = _plies(question.within, model)
    if isinstance(goal, syntax.Ending):
        objective = Objective(goal.kind, _player(goal.player, players), within)
    else:
        objective = Objective("condition", None, within)
    words = getattr(question, "players", ())
    named = [_player(word, players) for word in words] if isinstance(words, tuple) else []
    return AskedGame(model, objective, frozenset(p for p in named if p is not None))


def _plies(written: syntax.Word | None, model: Model) -> int | None:
    if written is None:
        return None
    if not isinstance(model, RulesModel):
        help = "leave 'within' out"
        raise GameError(Problem("a tree or a matrix is short enough as it is", written.span, help=help))
    if not 0 < int(written.text) <= MOST_PLIES:
        help = "write another number, or leave 'within' out"
        raise GameError(Problem(f"within how many plies is a number from 1 to {MOST_PLIES:,}", written.span, help=help))
    return int(written.text)


def _player(word: Any, players: Sequence[str]) -> int | None:
    if word is None:
        return None
    if word.text not in players:
        note, help = f"The players are {listing(players)}.", suggestion(word.text, players, "name a player")
        raise GameError(Problem(f"no player is called '{clean(word.text)}'", word.span, note=note, help=help))
    return players.index(word.text)


def _ending_first(sections: tuple[Any, ...], end: syntax.TerminalTest) -> tuple[Any, ...]:
    """The sections with the clauses of `end` put before all other clauses of `terminal`, in each variant too."""

    def end_section(section: Any) -> Any:
        if isinstance(section, syntax.TerminalTest):
            return section.copy_with(clauses=(*end.clauses, *section.clauses))
        if isinstance(section, syntax.Variant):
            return section.copy_with(sections=tuple(map(end_section, section.sections)))
        return section

    made = tuple(map(end_section, sections))
    return made if any(isinstance(section, syntax.TerminalTest) for section in sections) else (*made, end)


def _with(description: syntax.Description, end: syntax.TerminalTest) -> syntax.Description:
    """The file with `end` in place of its own ends and those of its variants."""
    return description.copy_with(sections=(*map(_without_end, _others(description.sections)), end))


def _others(sections: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([section for section in sections if not isinstance(section, syntax.TerminalTest)])


def _without_end(section: Any) -> Any:
    if not isinstance(section, syntax.Variant):
        return section
    return section.copy_with(sections=_others(section.sections))
