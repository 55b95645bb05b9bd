"""Answers of `gdl judge`: a profile, what everyone gets by it and could gain by leaving it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from gdl.formats.answer_kinds import (
    ABSENT,
    Amount,
    AnswerPart,
    AnswerRecord,
    ByPlayer,
    Kind,
    Mixture,
    Names,
    Profile,
    Texts,
)
from gdl.formats.answer_records import Bounds


class JudgedSet(AnswerPart):
    """An information set under a profile. If play never reaches it, the fields given that play does are left out."""

    reached: Annotated[Amount, "how often, on average, play comes there"]
    belief: Annotated[Mixture | None, "how likely each of its nodes is, given that"] = None
    value: Annotated[Amount | None, "what its player gets, given that"] = None
    actions: Annotated[Mapping[str, Amount | None] | None, "what each action pays its player"] = None
    regret: Annotated[Amount | None, "what another action at this set alone would gain"] = None


class JudgedNode(AnswerPart):
    """A node under a profile, and how likely play reaches it."""

    node: Annotated[str, "the actions that lead there"]
    probability: Amount
    value: Annotated[ByPlayer | None, "what everyone gets where play comes there"] = None


class JudgedProfile(AnswerPart):
    """A profile: each player's payoff, and the most that each could gain by deviating."""

    value: ByPlayer
    regret: ByPlayer | None
    nash_conv: Annotated[Amount | None, "the sum of the regrets"]
    at_least: Annotated[Names | None, "players who forget, and might gain more than their regret"] = None
    deviations: Annotated[Mapping[str, Texts] | None, "by player and information set: the better action"] = None
    concept: str | None = None
    holds: Annotated[bool | None, "whether it is an answer by the concept; null: not known"] = ABSENT
    conditions: Sequence[Annotated[Mapping[str, Any], Kind("condition")]] | None = None
    beliefs: Profile | None = None
    sets: Annotated[Mapping[str, Mapping[str, JudgedSet]] | None, "with --details: by player"] = None
    nodes: Annotated[Sequence[JudgedNode] | None, "with --details"] = None


class ProfileJudgement(JudgedProfile):
    """The judgement of one of several profiles."""

    regret: ByPlayer
    nash_conv: Amount


class JudgeAnswer(JudgedProfile, AnswerRecord):
    """The judgement of a profile; of several, that of the one from which players could gain most. If a limit stopped
    it, an estimate with proven bounds."""

    exact: Annotated[Literal[False] | None, "it is an estimate"] = None
    plays: Annotated[int | None, "from which it was made"] = None
    limit: str | None = None
    interval: Annotated[Mapping[str, Bounds] | None, "of the value"] = None
    regret_interval: Mapping[str, Bounds] | None = None
    nash_conv_interval: Bounds | None = None
    profiles: Sequence[ProfileJudgement] | None = None
