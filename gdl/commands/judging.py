"""gdl judge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from gdl.commands import console, engines, saved_answer, size_warnings
from gdl.commands.command_table import refuse_clashes
from gdl.commands.game_argument import read_json, takes_game, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import Limits, takes_limits
from gdl.commands.profile_estimates import estimating_where_stopped
from gdl.commands.solver_options import concept_name
from gdl.concepts import installed_concept
from gdl.errors.shares import ESTIMATE_SHARE
from gdl.formats.gambit_reader import parse_profile
from gdl.game import Game
from gdl.playing import profile_judging
from gdl.playing.answer_judges import find_answer_judge
from gdl.playing.loading import Asked

UNIFORM = "uniform"


@click.command(cls=Command)
@click.option("--profile", required=True, metavar=f"{UNIFORM}|FILE",
              help="Everyone plays at random, or as in this JSON file: a profile or a saved answer.")  # fmt: skip
@click.option("--concept", callback=concept_name,
              help="Say which condition of this concept fails, and by which deviation.")  # fmt: skip
@click.option("--as", "leader", metavar="PLAYER", help="Who commits (--concept commitment): by default the first.")
@click.option("--lambda", "rate", type=float, metavar="N",
              help="How precise players are (--concept quantal); by default what the profile suggests.")  # fmt: skip
@click.option("--details", is_flag=True, help="Show every information set: how often it is reached, beliefs, payoffs.")
@console.takes_json("Print the judgement as one JSON object.")
@takes_limits("time", "nodes", "memory")
@takes_game
@takes_weights
def judge(
    asked: Asked, profile: str, concept: str | None, leader: str | None, rate: float | None, details: bool,
    limits: Limits,
) -> None:  # fmt: skip
    """Say what each player could gain by leaving a profile.

    A profile is an equilibrium exactly if nobody could gain anything. For a saved answer, the strategy and all
    equilibria are judged. With --concept, gdl says which condition of the concept fails, for whom, by which deviation,
    and at which information set.
    """
    data = None if profile == UNIFORM else read_json(profile, parse_profile)
    if data is not None and profile_judging.is_saved_answer(data, asked.game):
        asked = saved_answer.as_the_answer_has_it(asked, data)
        saved_answer.check_game(asked, data)
        judge_answer = find_answer_judge(data)
        if judge_answer is not None:
            with _working(asked.game, limits):
                told, text = judge_answer(asked.game, data)
            return console.answer_as(lambda: told, lambda: text)
    sought = _read_concept_request(asked.game, concept, leader, rate, data)._replace(in_detail=details)
    most = limits.nodes or profile_judging.LIMIT
    game = engines.offer(asked.game, "auto", limits.room)
    with estimating_where_stopped(game, data, limits):
        if asked.game.promises.rewards is None:
            size_warnings.unless_limited(asked.game, {"time": limits.seconds, "nodes": limits.nodes})
        with _working(asked.game, replace(limits.sparing(ESTIMATE_SHARE), nodes=None)):
            found = engines.falling_back(
                lambda: [
                    profile_judging.judge_profile(game, held, sought, most)
                    for held in profile_judging.read_profiles(game, data, most)
                ],
                game,
            )
    return console.answer_as(
        lambda: profile_judging.judge_record(asked.game, found),
        lambda: "\n\n".join(
            [
                profile_judging.judgement_summary(found, concept),
                *(profile_judging.judgement_text(asked.game, one) for one in found),
            ]
        ),
    )


@contextmanager
def _working(game: Game[Any], limits: Limits) -> Iterator[None]:
    """Enforce the limits within the block, but not on computing the traits of the game, which comes before."""
    _ = game.traits
    with limits.enforce():
        yield


def _read_concept_request(
    game: Game[Any], concept: str | None, leader: str | None, rate: float | None, data: Any
) -> profile_judging.ConceptRequest:
    """The concept asked for; the leader, or the players' precision, comes from the command line, or from the options of
    the saved answer."""
    is_finite = rate is not None and 0 <= rate < float("inf")
    refuse_clashes("judge", {"as": leader, "lambda": rate, "concept": concept, "finite": is_finite})
    saved = data.get("options") if isinstance(data, Mapping) else None
    options = saved if isinstance(saved, Mapping) else {}
    row = installed_concept(concept or "")
    option = "" if row is None else row.option
    if option == "lambda":
        kept = options.get("lambda", options.get("lambda_"))
        return profile_judging.ConceptRequest(
            concept, rate=kept if rate is None and isinstance(kept, int | float) else rate
        )
    if option != "as" or concept is None:
        return profile_judging.ConceptRequest(concept)
    from gdl.solvers.options import player_called

    named = options.get("as", options.get("as_")) if leader is None else leader
    return profile_judging.ConceptRequest(concept, player_called(game, named if isinstance(named, str) else None))
