"""gdl analyse: every move of a play judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from gdl.commands import console
from gdl.commands.engines import engine_failed, offer, takes_engine
from gdl.commands.game_argument import takes_game, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, NONE, keeps_limits, start_clock
from gdl.errors import Refusal, clean, count_text
from gdl.formats.files import write
from gdl.game import Number, without_rewards
from gdl.numbers import to_text
from gdl.playing.loading import Asked
from gdl.wings.arena.answers import AnalyseAnswer, MoveJudgement
from gdl.wings.arena.play_records import text_for
from gdl.wings.arena.records import PlayRecord

POSITION_SECONDS = 1.0


@click.command(cls=Command)
@click.option("--time", type=click.FloatRange(min=0, min_open=True), default=POSITION_SECONDS, metavar="SECONDS",
              help="The time for each position; a second by default.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write the record with the marks to this file.")
@console.takes_json("Print the judgements as one JSON object.")
@takes_engine
@keeps_limits("memory", usual=LOOKING)
@takes_game
@takes_weights
def analyse(asked: Asked, time: float, output: str | None, engine: str) -> None:
    """Judge every move of a play."""
    from gdl.wings.arena.judging import PlayAnalysis
    from gdl.wings.arena.play_records import of_play

    game: Any = asked.loaded.game
    actions = getattr(asked.game, "played", ())
    if not actions:
        raise console.WrongCommand("there is no play to judge", help="name a record, or give --record or --after")
    without_rewards(game, "gdl analyse")
    if game.traits.perfect_information is False:
        raise Refusal(f"moves of {game.name} cannot be judged by a position: players do not see everything")
    record = of_play(asked, (), asked.by.who)
    analysis = PlayAnalysis(offer(game, engine), time, start_clock({"time": time})["time"], engine_failed)
    with NONE.enforce("moves", len(actions)) as progress:
        judged = list(analysis.judge_moves(actions, progress))
    marked = replace(record, remarks={one.ply: _remark(one) for one in judged if one.mark})
    if output is not None:
        write(output, text_for(output, marked))
        console.remark(f"written to {clean(output)}")
    lines = [*map(clean, _lines(record, judged)), "", *map(clean, _summary(judged))]
    told = AnalyseAnswer(asked.game.name, record.actions, record.result, judged)
    console.answer_as(lambda: told, lambda: "\n".join(lines))


def _remark(one: MoveJudgement) -> str:
    about = "" if one.exact else "about "
    cost, worth = _number(one.cost), _number(one.worth)
    return f"{one.mark} costs {about}{cost}: {one.best} is worth {about}{worth} to {one.player}"


def _number(value: Number | float | None) -> str:
    if value is None:
        return "?"
    text = to_text(value)
    return text if len(text) <= 7 else f"{float(value):.3g}"


def _lines(record: PlayRecord, judged: list[MoveJudgement]) -> Iterator[str]:
    """The play, with marks."""
    by_ply = {one.ply: one for one in judged}
    for ply, action in enumerate(record.actions, start=1):
        one = by_ply.get(ply)
        if one is None:
            yield f"{ply}. {action}"
            continue
        yield f"{ply}. {action}{f'  {_remark(one)}' if one.mark else '' if one.cost is not None else '  (not judged)'}"


def _summary(judged: list[MoveJudgement]) -> Iterator[str]:
    """For each player: their moves, and how many of them were marked."""
    from gdl.wings.arena.judging import MARKS

    for player in dict.fromkeys(one.player for one in judged):
        own = [one for one in judged if one.player == player]
        exact = sum(one.exact for one in own)
        moves = f"{count_text(len(own), 'move')}, {exact} of them judged exactly"
        marks = ", ".join(f"{sum(one.mark == mark for one in own)} {mark}" for _, mark in MARKS)
        yield f"{player}: {moves}; marked: {marks}"
