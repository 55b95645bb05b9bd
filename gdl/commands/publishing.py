"""gdl site."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from gdl.commands import telling
from gdl.commands.guiding import READING_ORDER, page_text
from gdl.commands.limiting import Limits, takes_limits
from gdl.errors import clean, counted


@click.command()
@click.option("-o", "--output", required=True, metavar="FOLDER", help="Write the site into this folder.")
@click.option(
    "--playground",
    metavar="NPM",
    type=click.Path(path_type=Path),
    help="Add the playground; in the folder NPM pyodide and codemirror@6.0.2 were installed by npm.",
)
@click.option("--serve", is_flag=True, help="Show it on this machine afterwards, until Ctrl-C.")
@takes_limits("time", "memory")
def site(output: str, playground: Path | None, serve: bool, limits: Limits) -> None:
    """Write the site: the manual with a search, a page for each game, the Python names.

    A folder of files that work from a double click and need no network.
    """
    from gdl.commands.page_engine import page_engine
    from gdl.web.site import write_site

    folder = Path(output)
    if playground is not None:
        from gdl.web.playground import write_playground

        write_playground(folder / "playground", playground)
    with limits.watched("games") as progress:
        count = write_site(folder, READING_ORDER, page_text, page_engine, progress, playground is not None)
    telling.remark(f"{counted(count, 'page')} in {clean(output)}: open {clean(str(folder / 'index.html'))}")
    if serve:
        _serve(folder)


def _serve(folder: Path) -> None:
    """Give the files to browsers on this machine alone."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        telling.remark(f"http://127.0.0.1:{server.server_port}/ until Ctrl-C")
        server.serve_forever()
