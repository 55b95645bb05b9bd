"""gdl judge and gdl verify."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gdl.commands import telling
from gdl.commands.asking import Asked, read_json, takes_game
from gdl.commands.limiting import Limits, takes_limits
from gdl.errors import DamagedData, clean
from gdl.game import Game, Number
from gdl.numbers import to_json, to_text
from gdl.solution import Profile

UNIFORM = "uniform"


@click.command()
@click.option("--profile", required=True, metavar=f"{UNIFORM}|FILE",
              help="What everyone does: at random, or as a JSON file says, a profile or a saved answer.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the judgement as one JSON object.")
@takes_limits("time", "memory")
@takes_game
def judge(asked: Asked, profile: str, as_json: bool, limits: Limits) -> None:
    """Say what each player could gain by leaving a profile.

    A profile is an equilibrium just if nobody could gain anything.
    """
    from solvers.regret import regret, uniform

    game = asked.game
    with limits.watched():
        judgement = regret(game, uniform(game) if profile == UNIFORM else _profile(game, read_json(profile)))
    if as_json:
        found = {
            "value": _by_player(game, judgement.value),
            "regret": _by_player(game, judgement.regret),
            "nash_conv": to_json(judgement.nash_conv),
        }
        telling.answer_json(found)
        return
    lines = [
        f"{player} gets {to_text(value)} and could gain {to_text(gain) if gain else 'nothing'} by deviating."
        for player, value, gain in zip(game.players, judgement.value, judgement.regret, strict=True)
    ]
    sentence = "This is no equilibrium." if judgement.nash_conv else "This is an equilibrium."
    telling.answer(clean(sentence) + "\n\n" + "\n".join(map(clean, lines)))


def _by_player(game: Game[Any], numbers: tuple[Number, ...]) -> dict[str, Any]:
    return {player: to_json(number) for player, number in zip(game.players, numbers, strict=True)}


def _profile(game: Game[Any], data: Any) -> Profile:
    """A profile as `gdl solve --json` writes it: alone, or as the strategy or first equilibrium of an answer."""
    from gdl.formats import answer

    if isinstance(data, Mapping) and "solver" in data and "solver" not in game.players:
        data = data.get("strategy") or next(iter(data.get("equilibria") or ()), None)
        if data is None:
            raise DamagedData("the answer holds neither a strategy nor an equilibrium")
    return answer.read_profile(data, game.players)


@click.command()
@takes_limits("time", "memory")
@takes_game
@click.argument("answer")
def verify(asked: Asked, answer: str, limits: Limits) -> int:
    """Check a saved answer again.

    ANSWER is what gdl solve --json printed, in a file or, as -, on the standard input. It is checked against the game,
    whoever found it and however. A folder is a table that gdl solve --table made.
    """
    if Path(answer).is_dir():
        from gdl.commands.verifying_table import verified

        return verified(asked.game, Path(answer), limits)
    from solvers.verify import verify as checked

    with limits.watched():
        verdict = checked(asked.game, read_json(answer))
    telling.answer(
        "\n".join(map(clean, ("The answer holds." if verdict.ok else "The answer is wrong.", *verdict.lines)))
    )
    return 0 if verdict.ok else 1
