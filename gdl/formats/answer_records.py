"""Answers of commands with --json: a frozen record for each, from which its JSON and its schema follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from gdl.formats.answer_kinds import (
    Amount,
    AnswerPart,
    AnswerRecord,
    AnswerTraits,
    ByPlayer,
    Count,
    Counts,
    Mixture,
    Names,
    Texts,
    TreePath,
)

Bounds = tuple[Amount | None, Amount | None]  # null: no end is known on that side


class PerftAnswer(AnswerRecord):
    """The number of action sequences of a length, and of those after each first action. `complete` is false if a limit
    stopped the count; then `depth` is the longest length that was counted."""

    depth: Count
    count: Count
    divide: Counts | None = None
    complete: Literal[False] | None = None


class StatesAnswer(AnswerRecord):
    """The number of reachable states; `depth` lists how many appear first at each ply."""

    states: Count
    terminal: Count
    edges: Count
    depth: Sequence[Count]
    symmetries: Count = 0
    complete: Literal[False] | None = None


class HistoriesAnswer(AnswerRecord):
    """The number of histories, the nodes of the unmerged tree."""

    histories: Count
    terminal: Count
    chance: Count
    decision: Counts
    infosets: Counts
    complete: Literal[False] | None = None


class NewAnswer(AnswerRecord):
    """The game file that was written."""

    file: str


class GameSummary(AnswerPart):
    """A game that comes with gdl."""

    name: str
    summary: str


class GamesAnswer(AnswerRecord):
    """The games that come with gdl."""

    games: Sequence[GameSummary]


class VersionAnswer(AnswerRecord):
    """The installed versions."""

    version: str
    python: str
    engine: str
    extras: Texts


class NormalFormCell(AnswerPart):
    """A combination of plans, by their numbers, and its payoffs."""

    plans: TreePath
    payoffs: ByPlayer


class NormalFormAnswer(AnswerRecord):
    """The table of all plans, full or reduced."""

    game: str
    reduced: bool
    sets: Annotated[Mapping[str, Names], "the information sets of each player"]
    plans: Annotated[Mapping[str, Sequence[Names]], "for each player: what a plan does at each of them"]
    cells: Sequence[NormalFormCell]


class SourceAnswer(AnswerRecord):
    """The rules of a game in one file."""

    game: str
    source: str


class PositionAnswer(AnswerRecord):
    """A position of a game, and what can happen there."""

    game: str
    players: Names
    traits: AnswerTraits
    drawing: str
    mover: Annotated[str | None, "a player, chance, everyone, or null at an end"]
    actions: Names | None = None
    choices: Annotated[Mapping[str, Names] | None, "the actions of each who moves at once"] = None
    outcomes: Annotated[Mixture | None, "of chance"] = None
    utilities: ByPlayer | None = None
    notation: str | None = None
    table: Annotated[str | None, "what a table of the solved game says"] = None


class CardAnswer(AnswerRecord):
    """The language on two pages, or its grammar; the other is left out."""

    card: str | None = None
    grammar: str | None = None


class SolverRow(AnswerPart):
    """A solver, and the games and options that it takes."""

    name: str
    summary: str
    needs: Names
    options: Names


class ConceptRow(AnswerPart):
    """A solution concept, and the solvers that find it."""

    name: str
    definition: str
    source: str
    solvers: Names


class SolversAnswer(AnswerRecord):
    """The solvers and the concepts; if a name was given, only that one."""

    solvers: Sequence[SolverRow]
    concepts: Sequence[ConceptRow]
    text: Annotated[str | None, "what is explained of the one"] = None
