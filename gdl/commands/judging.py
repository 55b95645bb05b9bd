"""gdl judge and gdl verify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gdl.commands import foretelling, telling
from gdl.commands.asking import Asked, read_json, takes_game, takes_weights
from gdl.commands.limiting import Limits, briefly, takes_limits
from gdl.errors import DamagedData, Interrupted, LimitReached, clean
from gdl.game import Game, Number
from gdl.numbers import to_json, to_text
from gdl.solution import Profile

if TYPE_CHECKING:
    from solvers.equilibria.regret import Judgement
    from solvers.verify import Verdict

UNIFORM = "uniform"


@click.command()
@click.option("--profile", required=True, metavar=f"{UNIFORM}|FILE",
              help="Everyone plays at random, or as in this JSON file: a profile or a saved answer.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the judgement as one JSON object.")
@takes_limits("time", "memory")
@takes_game
@takes_weights
def judge(asked: Asked, profile: str, as_json: bool, limits: Limits) -> None:
    """Say what each player could gain by leaving a profile.

    A profile is an equilibrium exactly if nobody could gain anything. Of a saved answer, the strategy and all
    equilibria are judged.
    """
    from solvers.equilibria.regret import regret, uniform

    foretelling.unless_limited(asked.game, {"time": limits.seconds})
    if profile == UNIFORM:
        with limits.watched():
            judged = [("", regret(asked.game, uniform(asked.game)))]
    else:
        data = read_json(profile)
        if _is_answer(data, asked.game):
            from gdl.commands import answered

            asked = answered.as_the_answer_has_it(asked, data)
            answered.check_game(asked, data)
        with limits.watched():
            judged = [(name, regret(asked.game, one)) for name, one in _profiles(asked.game, data)]
    if as_json:
        telling.answer_json(_as_object(asked.game, [judgement for _, judgement in judged]))
        return
    telling.answer("\n\n".join([_summary(judged), *(_told(asked.game, name, one) for name, one in judged)]))


def _as_object(game: Game[Any], judged: list[Judgement]) -> dict[str, Any]:
    """What is found of one profile; of several, of the one by which most could be gained, then of each."""

    def told(judgement: Judgement) -> dict[str, Any]:
        return {
            "value": _by_player(game, judgement.value),
            "regret": _by_player(game, judgement.regret),
            "nash_conv": to_json(judgement.nash_conv),
        }

    worst = max(judged, key=lambda judgement: judgement.nash_conv)
    return told(worst) | ({"profiles": list(map(told, judged))} if len(judged) > 1 else {})


def _summary(judged: list[tuple[str, Judgement]]) -> str:
    none = [name for name, judgement in judged if judgement.nash_conv]
    if len(judged) == 1:
        return "This is no equilibrium." if none else "This is an equilibrium."
    if not none:
        return f"All {len(judged)} are equilibria."
    return f"{len(none)} of {len(judged)} {'is no equilibrium' if len(none) == 1 else 'are no equilibria'}."


def _told(game: Game[Any], name: str, judgement: Judgement) -> str:
    """What everyone gets and could gain; `name` is that of one profile of several."""
    lines = [
        f"{player} gets {to_text(value)} and could gain {to_text(gain) if gain else 'nothing'} by deviating."
        for player, value, gain in zip(game.players, judgement.value, judgement.regret, strict=True)
    ]
    return "\n".join(map(clean, [*([f"{name}:"] if name else []), *lines]))


def _by_player(game: Game[Any], numbers: tuple[Number, ...]) -> dict[str, Any]:
    return {player: to_json(number) for player, number in zip(game.players, numbers, strict=True)}


def _is_answer(data: Any, game: Game[Any]) -> bool:
    """Whether it is a saved answer, not a profile alone."""
    return isinstance(data, Mapping) and "solver" in data and "solver" not in game.players


def _profiles(game: Game[Any], data: Any) -> Iterator[tuple[str, Profile]]:
    """Profiles as `gdl solve --json` writes them, with their names: one alone, or the strategy and all equilibria of an
    answer. A lone one needs no name."""
    from gdl.formats import answer

    if not _is_answer(data, game):
        yield "", answer.read_profile(data, game.players)
        return
    listed = data.get("equilibria") or []
    if not isinstance(listed, list):
        raise DamagedData("the answer's equilibria are no list")
    found = [("The strategy", data["strategy"])] if data.get("strategy") else []
    found += [(f"Equilibrium {number}", one) for number, one in enumerate(listed, start=1)]
    if not found:
        raise DamagedData("the answer holds neither a strategy nor an equilibrium")
    for name, one in found:
        yield name if len(found) > 1 else "", answer.read_profile(one, game.players)


@click.command()
@takes_limits("time", "memory")
@takes_game
@takes_weights
@click.argument("answer")
def verify(asked: Asked, answer: str, limits: Limits) -> int:
    """Check a saved answer.

    ANSWER is the output of gdl solve --json, in a file or, as -, on the standard input. It is checked against the game,
    no matter who found it or how. The settings, the variant and the position are those of the answer unless they are
    given here. What cannot be checked is named. A folder is a table made by gdl solve --table.
    """
    if Path(answer).is_dir():
        from gdl.commands.verifying_table import verified

        return verified(asked.game, Path(answer), limits)
    from gdl.commands import answered
    from solvers.verify import Verdict
    from solvers.verify import verify as checked

    data = read_json(answer)
    try:
        asked = answered.as_the_answer_has_it(asked, data)
    except DamagedData as other:
        telling.answer(f"The answer is wrong.\nFAILS: {other}")
        return 1
    try:
        with limits.watched():
            verdict = checked(asked.game, data, origin=answered.fields(asked))
    except (LimitReached, Interrupted) as stop:
        if not isinstance(stop.partial, Verdict):
            raise
        with briefly(stop):
            _tell(stop.partial)
        if not stop.partial.ok:
            return 1
        raise
    _tell(verdict)
    if verdict.ok and verdict.limit is not None:
        raise LimitReached(verdict.limit)
    return 0 if verdict.ok else 1


def _tell(verdict: Verdict) -> None:
    telling.answer("\n".join(map(clean, (verdict.headline, *verdict.lines))))
