"""gdl check --profile: the lines of the rules that take the time."""

from __future__ import annotations

import textwrap

from gdl.commands import console
from gdl.errors import clean, count_text
from gdl.formats.check_answers import LineShare
from gdl.interpreter.rules_game import RulesGame

MOST_TOLD = 8  # lines of a profile
WIDTH = 60  # characters of a line of the rules


def report_lines(file: str, game: RulesGame, engine: str) -> list[LineShare]:
    """The lines that take the time in random play, with their shares; printed unless JSON is asked for. The speed of
    play goes to stderr."""
    from gdl.inspection.line_profile import OPERATIONS, PLIES, EngineProfile, profile_lines

    interpreted, source = profile_lines(game, file)
    profiles = [interpreted]
    if engine != "interpreter":
        from gdl.compiler.searches.playouts_driver import line_work

        profiles.insert(0, EngineProfile(engine, *line_work(game, file, engine, PLIES, OPERATIONS)))
    for one in profiles:
        name = "interpreter" if one.engine == "interpreter" else "compiled engine"
        rate = one.plies / max(one.seconds, 1e-3)
        console.remark(f"{clean(file)}: {name}, {count_text(one.plies, 'ply')} at random, {rate:,.0f} a second")
    first, last = profiles[0].shares(), profiles[-1].shares()
    found = [LineShare(line, round(first.get(line, 0.0), 4), round(last.get(line, 0.0), 4)) for line in first | last]
    if not console.is_json():
        both = "on the compiled engine and on " if len(profiles) > 1 else "on "
        told = [f"profile   shares of the work in random play, {both}the interpreter"]
        for row in found[:MOST_TOLD]:
            other = f"  {row.interpreter:6.1%}" if len(profiles) > 1 else ""
            line = source.line_text(row.line).strip() if source else ""
            text = textwrap.shorten(clean(line), WIDTH, placeholder=" …")
            told.append(f"          {row.share:6.1%}{other}  line {row.line}: {text}")
        console.answer("\n".join(told))
    return found
