"""gdl engine: gdl as an engine for other programs."""

from __future__ import annotations

import sys

import click

import gdl
from gdl.commands import console
from gdl.commands.engines import takes_engine
from gdl.commands.game_argument import takes_game, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import keeps_limits
from gdl.game import without_rewards
from gdl.playing.loading import Asked, load_asked
from gdl.wings.arena.company import company


@click.command(cls=Command)
@takes_engine
@keeps_limits("memory")
@takes_game
@takes_weights
@click.option("--gtp", is_flag=True, help="Speak GTP, as programs for go and hex do.")
def engine(asked: Asked, engine: str, gtp: bool) -> None:
    """Serve other programs as a game engine, by UCI, UGI or GTP.

    Speaks UCI, the protocol of chess programs, and UGI, the same for any game: position, go, stop, options, and info
    lines with depth, score, nodes and line. With --gtp it speaks GTP: boardsize, play, genmove.
    """
    from gdl.wings.arena.go_protocol import GtpSession, Settings
    from gdl.wings.arena.protocol import UgiSession
    from gdl.wings.arena.stoppable_search import Listener, Thinking

    without_rewards(asked.game, "gdl engine")
    listener = Listener(console.line)
    name = f"gdl {gdl.__version__}: {asked.game.name}"

    def begin(settings: Settings) -> tuple[Thinking, Settings]:
        """The object that thinks about moves, in the game with these settings, and the values of all parameters."""
        again = asked
        if settings:
            again = load_asked(asked.by._replace(settings={**asked.by.settings, **settings}), console.remark)
        parameters = getattr(again.loaded.model, "parameters", {})
        thinking = Thinking(again, engine, listener, company())
        return thinking, {name: str(value) for name, value in parameters.items()}

    session: UgiSession | GtpSession
    if gtp:
        session = GtpSession(begin, console.line, f"gdl ({asked.game.name})", gdl.__version__)
    else:
        session = UgiSession(begin({})[0], console.line, name, "the authors of gdl")
    while (line := listener.next_line()) is not None and session.hear(line):
        sys.stdout.flush()
    sys.stdout.flush()


ugi = Command("ugi", None, engine.callback, engine.params, "Another name for engine, after the protocol UGI.")
