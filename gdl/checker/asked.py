"""Questions about a game, written in the words of its file: a condition on positions, or a question of best play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gdl import checker, syntax
from gdl.errors import GameError, Problem, clean, fault, listing, suggestion
from gdl.model.games import Model, OtherModel, RulesModel
from gdl.model.objective import Objective
from gdl.syntax import parser

MOST_PLIES = 10_000  # the most that `within N plies` may say

_STUB = "players A, B\naction wait\nterminal\n    true -> draw\n"


def end_where(condition: Any) -> syntax.TerminalTest:
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
            message = "an end does not hold in every position: play comes before it"
            raise fault(message, goal.span, "ask if it is reachable, or who can force or avoid it")
        goal = syntax.Not(goal.span, goal)
    forms = [s for s in description.sections if isinstance(s, syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles)]
    if not isinstance(goal, syntax.Ending) and forms:
        message = "a tree or a matrix has no conditions to ask for"
        raise fault(message, goal.span, "ask for an end: win NAME, lose NAME, draw, the end")
    if not isinstance(goal, syntax.Ending):
        end = end_where(goal)
        sections = [*with_ends(description.sections, lambda s: s.copy_with(clauses=(*end.clauses, *s.clauses)))]
        sections += [] if any(isinstance(s, syntax.TerminalTest) for s in sections) else [end]
        description = description.copy_with(sections=tuple(sections))
    try:
        model, _ = checker.check(description, settings, variant)
    except GameError:
        if isinstance(goal, syntax.Name) and goal.word.text in ("win", "lose"):
            message, help = "this does not say who wins or loses", "write: win NAME, or: lose NAME"
            raise fault(message, goal.span, help) from None
        raise
    if isinstance(model, OtherModel):
        raise fault(f"no questions are asked of a game of {model.language}", question.span, "gdl solve answers for it")
    players = model.players
    ending = goal if isinstance(goal, syntax.Ending) else None
    who = _player(ending.player, players) if ending else None
    objective = Objective(ending.kind if ending else "condition", who, _plies(question.within, model))
    words = getattr(question, "players", ())
    named = [_player(word, players) for word in words] if isinstance(words, tuple) else []
    return AskedGame(model, objective, frozenset(p for p in named if p is not None))


def _plies(written: syntax.Word | None, model: Model) -> int | None:
    if written is None:
        return None
    if not isinstance(model, RulesModel):
        raise fault("a tree or a matrix is short enough as it is", written.span, "leave 'within' out")
    if not 0 < int(written.text) <= MOST_PLIES:
        message = f"within how many plies is a number from 1 to {MOST_PLIES:,}"
        raise fault(message, written.span, "write another number, or leave 'within' out")
    return int(written.text)


def _player(word: Any, players: Sequence[str]) -> int | None:
    if word is None:
        return None
    named = [n for n, name in enumerate(players) if word.text == name or word.text in name.split(" & ")]
    if not named:
        note, help = f"The players are {listing(players)}.", suggestion(word.text, players, "name a player")
        raise GameError(Problem(f"no player is called '{clean(word.text)}'", word.span, note=note, help=help))
    return named[0]


def with_ends(
    sections: Iterable[Any], change: Callable[[syntax.TerminalTest], syntax.TerminalTest | None]
) -> Iterator[Any]:
    """The sections with each `terminal` changed (None: left out), in each variant too."""
    for section in sections:
        if isinstance(section, syntax.Variant):
            yield section.copy_with(sections=tuple(with_ends(section.sections, change)))
        elif not isinstance(section, syntax.TerminalTest):
            yield section
        elif (made := change(section)) is not None:
            yield made
