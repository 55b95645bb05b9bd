"""gdl site and gdl page."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.format_option import put
from gdl.commands.game_argument import takes_game, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import Limits, takes_limits
from gdl.errors import Refusal, clean, count_text, pip_install
from gdl.playing.loading import Asked
from gdl.wings.exam.phrases import LANGUAGES, Words


@click.command(cls=Command)
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Write the site into this folder.")
@click.option(
    "--playground",
    metavar="NPM",
    type=click.Path(path_type=Path),
    help="Add the playground. NPM is the folder in which npm installed pyodide and codemirror@6.0.2.",
)
@click.option("--serve", is_flag=True, help="Show it on this machine afterwards, until Ctrl-C.")
@takes_limits("time", "memory")
def site(output: str, playground: Path | None, serve: bool, limits: Limits) -> None:
    """Write the site: the manual with a search, a page for each game, the Python names.

    A folder of files that work from a double click and need no network.
    """
    if find_spec("markdown_it") is None or find_spec("pygments") is None:
        raise Refusal(f"gdl site needs the packages markdown-it-py and pygments: {pip_install('gdl[manual]')}")
    from gdl.wings.page.site import serve_folder, write_site

    folder, more = Path(output), {}
    if playground is not None:
        from gdl.wings.page.playground import write_playground

        write_playground(folder / "playground", playground)
        more["Playground"] = "playground/index.html"
    with limits.enforce("games") as progress:
        count = write_site(folder, progress, more, serve)
    console.remark(f"{count_text(count, 'page')} in {clean(output)}: open {clean(str(folder / 'index.html'))}")
    if serve:
        serve_folder(folder, lambda address: console.remark(f"{address} until Ctrl-C"))


@click.command(cls=Command)
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
    from gdl.wings.page.page_variants import page_variants
    from gdl.wings.page.play_page import play_page

    if not output.endswith(".html"):
        raise WrongCommand(f"'{clean(output)}' does not end with .html", help="write -o game.html")
    by, model, played = asked.by, asked.loaded.model, getattr(asked.game, "played", ())
    with limits.enforce():
        plain = not (by.settings or by.variant or by.position or by.weights or played)
        variants = page_variants(by.text, by.name, by.folder) if plain else {}
        model = next((variant.model for variant in variants.values()), model)
        text = play_page(model, by.text, played, Words(language), variants=variants)
    put(text, output)
