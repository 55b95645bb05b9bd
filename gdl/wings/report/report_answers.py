"""Answers of `gdl report`: what plays of a game show to its designer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from gdl.formats.answer_kinds import ABSENT, AnswerPart, AnswerRecord, Count, Names, RoundedPart
from gdl.formats.playout_answers import PlayLengths


class ShareAnswer(AnswerPart):
    """A share `of` a number of cases, with its 95 % confidence interval."""

    value: float
    interval: tuple[float, float]
    of: Count


class StandingAnswer(AnswerPart, kw_only=True):
    """The results of a seat or of an agent."""

    agent: Annotated[str | None, "of a seat left out"] = None
    plays: Count
    won: Count
    drawn: Count
    share: Annotated[ShareAnswer | None, "won of the plays with one winner"]
    mean: Annotated[float, "of the utility"]
    error: Annotated[float, "its standard error"]
    score: Annotated[ShareAnswer | None, "a draw counts half; of a seat left out"] = ABSENT


class Ending(AnswerPart):
    """A terminal line, its text, and the number of plays that it ended."""

    line: Count
    text: str
    count: Count


class RuleUse(AnswerPart):
    """The use of a rule of an action, by all, by winners and by losers."""

    rule: str
    legal: Annotated[Count, "decisions at which it had an action to choose"]
    chosen: Count
    by_winners: ShareAnswer | None
    by_losers: ShareAnswer | None


class DeadRule(AnswerPart):
    """A part of the rules that no play used."""

    what: str
    name: str


class GameSizeAnswer(AnswerPart):
    """The size of the game, estimated by random walks."""

    tree: Annotated[Count | None, "a guess at its nodes; null: it has thousands of digits"]
    error: Annotated[Count | None, "the standard error of that"]
    walks: Annotated[Count, "from which it is guessed"]
    complete: Annotated[bool, "all walks came to an end"]
    b: Annotated[float, "children of a node"]
    m: Annotated[float, "plies of a walk"]
    log10_of_power: Annotated[float | None, "of b to the power of m"]
    positions: Annotated[int | None, "that can be reached; null: too many to be counted"]
    most_positions: Annotated[int | None, "that the variables of the rules can tell apart"]


class LeadAnswer(AnswerPart):
    """The changes of the lead, on average over the plays that ended."""

    by: Annotated[Literal["exact", "evaluate", "search"], "by what positions are judged"]
    plays: Count
    changes: float
    error: Annotated[float, "the standard error of that"]
    comebacks: Annotated[Count, "plays whose winner was behind at some time"]
    deficit: Annotated[float, "by how much at most, as a part of the widest difference of utilities"]
    settled: Annotated[float, "the part of a play that is over when the last leader has taken the lead"]


class GameReport(AnswerPart, kw_only=True):
    """The plays of one game."""

    label: Annotated[str, "which of the games that are compared"]
    agents: Names
    seed: int
    plays: Count
    ended: Count
    decided: Annotated[Count, "those with one winner"]
    different: Count
    seats: Mapping[str, StandingAnswer]
    even: Annotated[float, "the share of a seat if all won alike"]
    uneven: Annotated[Names, "seats whose interval excludes that"]
    first: Annotated[str | None, "the seat that moves first"]
    by_agent: Sequence[StandingAnswer]
    plies: PlayLengths | None
    branching: Annotated[float | None, "the mean number of actions to choose from"]
    geometric: Annotated[float | None, "and its geometric mean"]
    course: Annotated[Sequence[float], "that number in the course of a play"]
    forced: Annotated[ShareAnswer | None, "decisions with one action"]
    endings: Sequence[Ending]
    actions: Sequence[RuleUse]
    dead: Sequence[DeadRule]
    size: GameSizeAnswer | None = None
    lead: LeadAnswer | None = None


class LadderRung(AnswerPart):
    """The results of a budget of simulations against half of it."""

    simulations: Count
    against: Count
    plays: Count
    score: ShareAnswer | None


class ReportAnswer(RoundedPart, AnswerRecord):
    """A report for the designer of a game."""

    game: str
    reports: Sequence[GameReport]
    ladder: Sequence[LadderRung] = ()
    limit: Annotated[str | None, "what stopped it"] = None
