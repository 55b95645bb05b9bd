"""gdl ask."""

from __future__ import annotations

from typing import Any

import click

from gdl.commands import console, saved_answer
from gdl.commands.engines import falling_back, offer, playouts, takes_engine
from gdl.commands.game_argument import takes_game
from gdl.commands.limiting import Limits, start_clock, takes_limits
from gdl.commands.solving import find
from gdl.errors import GameError, LimitReached, WrongRequest
from gdl.formats.check_answers import AskAnswer
from gdl.game import Game
from gdl.model.games import Model
from gdl.playing.asked_game import Asked


@click.command()
@console.takes_json("Print the answer as one JSON object.")
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of random plays.")
@takes_engine
@takes_limits("time", "nodes", "memory")
@takes_game
@click.argument("question")
def ask(asked: Asked, question: str, seed: int, engine: str, limits: Limits) -> None:
    """Ask what players can force, or what can happen.

    QUESTION is one of: NAMES can force COND, NAMES can avoid COND, COND reachable, always COND, probability COND by
    NAMES, probability COND at random. COND is a condition in the words of the file, or an end: win NAME, lose NAME,
    draw, the end. `within 12` after it limits the plies. The exit status is 0 for yes and no, and 4 if a limit leaves
    the answer open.
    """
    from gdl.inspection import questions
    from gdl.render.question import question_text

    time = start_clock({"time": limits.seconds}).get("time") if limits.seconds else None

    def begin(model: Model) -> Game[Any]:
        return offer(asked.begin_as(model), engine, limits.room)

    def solve(game: Game[Any], solver: str) -> Any:
        given = {"nodes": limits.nodes, "time": time}
        return falling_back(lambda: find(game, solver, limits, **{k: v for k, v in given.items() if v}), game)

    def sample(game: Game[Any], count: int) -> Any:
        return playouts(game, count, seed, engine, None)

    try:
        written, game = asked.read_question(question)
    except GameError as wrong:
        raise WrongRequest(*wrong.problems) from None
    try:
        with limits.enforce("positions") as progress:
            found = questions.answer_question(written, game, begin, solve, progress, sample, limits.seconds)
    except LimitReached as stop:
        found = questions.QuestionAnswer(asked.game.name, interval=(0, 1), limit=str(stop))
    told = AskAnswer.fill_from(found, question=question, **saved_answer.origin(asked))
    console.answer_as(lambda: told, lambda: question_text(question, found))
    if found.limit is not None:
        raise LimitReached(found.limit)
