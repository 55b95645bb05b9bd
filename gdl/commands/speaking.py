"""gdl engine and gdl ugi: gdl as an engine for other programs."""

from __future__ import annotations

import sys

import click

import gdl
from gdl.commands import telling
from gdl.commands.engines import company, takes_engine
from gdl.commands.game_argument import takes_game, takes_weights
from gdl.commands.limiting import keeps_limits
from gdl.commands.look_up_options import open_book, takes_book
from gdl.game import without_rewards
from gdl.playing.asked_game import Asked
from gdl.playing.protocol import UgiSession
from gdl.playing.thinking import Listener, Thinking

BOOK = "An opening book, played as long as it has a move; gdl book makes one."


def _speak(asked: Asked, engine: str, book: str | None) -> None:
    without_rewards(asked.game, "gdl engine")
    known = None if book is None else open_book(asked.game, book)
    listener = Listener(telling.line)
    thinking = Thinking(asked, engine, listener, known, company())
    protocol = UgiSession(thinking, telling.line, f"gdl {gdl.__version__}: {asked.game.name}", "the authors of gdl")
    while (line := listener.next()) is not None and protocol.hear(line):
        sys.stdout.flush()
    sys.stdout.flush()


@click.command()
@takes_engine
@keeps_limits("memory")
@takes_game
@takes_weights
@takes_book(BOOK)
def engine(asked: Asked, engine: str, book: str | None) -> None:
    """Be an engine for other programs.

    Speaks UCI, as programs for chess do, and UGI, the same for any game: position, go, stop, info lines with depth,
    score, nodes and line, options.
    """
    _speak(asked, engine, book)


@click.command()
@takes_engine
@keeps_limits("memory")
@takes_game
@takes_weights
@takes_book(BOOK)
def ugi(asked: Asked, engine: str, book: str | None) -> None:
    """Be an engine that speaks UGI, for any game.

    The same as gdl engine; the name is that of the protocol.
    """
    _speak(asked, engine, book)
