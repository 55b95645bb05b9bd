"""gdl check --play: what a designer asks of a game once its rules are right."""

from __future__ import annotations

from typing import Any

from gdl.commands import console, engines
from gdl.errors import Refusal, clean, count_text
from gdl.formats.playout_answers import PlaysOfFile
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.playing.loading import Asked
from gdl.render import playout_report as random_text
from gdl.states.explore import Progress
from gdl.states.playouts import Playouts
from gdl.states.tally import interval
from gdl.wings.arena.contestants import RANDOM

SEED = 0  # seed of the plays, so that the same command prints the same
PLIES = 2_000  # plies of the plays whose rules are counted


def report_plays(file: str, asked: Asked, plays: int, progress: Progress | None) -> PlaysOfFile | None:
    """Play a game at random `plays` times and print what was found; the record for JSON, or None if it cannot be
    played."""
    game = asked.game
    try:
        found = engines.playouts(game, plays, SEED, "auto", progress, counts=True)
        used = _uses_of_rules(asked, game.model, plays, progress) if isinstance(game, RulesGame) else {}
    except Refusal as why:
        console.remark(f"{clean(file)}: {clean(str(why))}")
        return None
    told = random_text.playouts_record(found, PlaysOfFile, file=clean(file), **used)
    if not console.is_json():
        lines = [random_text.playouts_text(game, found), *_seats(found), *_usage_lines(told)]
        console.answer("\n" + "\n".join(lines))
    return told


def _uses_of_rules(asked: Asked, model: RulesModel, plays: int, progress: Progress | None) -> dict[str, Any]:
    """The use of the rules in random plays, as many as were asked for or, where they are long, fewer."""
    from gdl.wings.report.report_command import ReportRequest, ReportSession
    from gdl.wings.report.rule_use import uses_of_ends, uses_of_rules

    session = ReportSession(asked, ReportRequest((RANDOM,), plays, SEED, 0, "none", "auto"), sized=False)
    traces, plies = session.traces, 0
    for _ in session.plays():
        plies += traces[-1].plies
        if progress:
            progress(plies)
        if plies >= PLIES:
            break
    return {"looked_at": len(traces), "rules": uses_of_rules(model, traces), "ends": uses_of_ends(model, traces)}


def _seats(found: Playouts) -> list[str]:
    """A line with the share of plays that each seat wins alone, and its 95 % confidence interval; empty for one
    player."""
    counted = found.statistics
    if counted is None or len(found.value) < 2:
        return []
    told = []
    for player, share in counted.wins.items():
        low, high = interval(round(share * found.playouts), found.playouts)
        told.append(f"{clean(player)} {100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})")
    return [f"wins      {', '.join(told)}"]


def _usage_lines(told: PlaysOfFile) -> list[str]:
    """Lines that say which rules the plays used, and which they never used; none for a game without rules."""
    if told.looked_at is None:
        return []
    plays, ends = told.looked_at, told.ends or ()
    lines = [f"used      by {count_text(plays, 'play')}:"]
    for rule in told.rules or ():
        said = f"in {_out_of(rule.happened, plays)}"
        if not rule.possible:
            said = "never possible"
        elif not rule.happened:
            said = f"never chosen, though possible in {_out_of(rule.possible, plays)}"
        lines.append(f"          {rule.name}: {said}")
    if never := [f"line {end.line}" for end in ends if not end.plays]:
        lines.append(f"ends      no play ended by {', '.join(never)}")
    if unfinished := plays - sum(end.plays for end in ends):
        lines.append(f"long      {count_text(unfinished, 'play')} did not end in time")
    return lines


def _out_of(count: int, plays: int) -> str:
    return "every play" if count == plays else f"{count} of {plays}"
