"""gdl page."""

from __future__ import annotations

import click

from gdl.commands.console import WrongCommand
from gdl.commands.format_option import put
from gdl.commands.game_argument import takes_game, takes_weights
from gdl.commands.limiting import Limits, takes_limits
from gdl.errors import clean
from gdl.exam.phrases import LANGUAGES, Words
from gdl.playing.asked_game import Asked


@click.command()
@click.option("-o", "output", required=True, metavar="FILE", help="Write the page here: FILE.html.")
@click.option("--language", type=click.Choice(LANGUAGES), default=LANGUAGES[0], help="The language of the page.")
@takes_limits("time", "memory")
@takes_game
@takes_weights
def page(asked: Asked, output: str, language: str, limits: Limits) -> None:
    """Write a page to play the game on.

    One HTML file with the board, the rules and an opponent: against the computer, a person, or two computers. It needs
    no network; the link in its address bar holds the play so far.
    """
    from gdl.web.play_page import play_page

    if not output.endswith(".html"):
        raise WrongCommand(f"'{clean(output)}' does not end with .html", help="write -o game.html")
    with limits.enforce():
        text = play_page(asked.loaded.model, asked.by.text, getattr(asked.game, "played", ()), Words(language))
    put(text, output)
