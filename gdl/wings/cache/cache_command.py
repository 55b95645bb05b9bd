"""gdl cache: the size of the cache, and how it is cleared."""

from __future__ import annotations

import click

from gdl.commands import console
from gdl.commands.help_pages import Command
from gdl.errors import clean, count_text, size_text
from gdl.formats.answer_kinds import AnswerRecord, Count
from gdl.wings.cache import cache_folder


class CacheAnswer(AnswerRecord):
    """The size of the cache: its folder (null: none), its entries, their bytes."""

    folder: str | None
    entries: Count
    bytes: Count


@click.command(cls=Command)
@click.argument("what", required=False, type=click.Choice(["clear"]), metavar="[clear]")
@console.takes_json("Print the numbers as one JSON object.")
def cache(what: str | None) -> None:
    """Say what gdl keeps of game files between two starts; clear it.

    A game file that has not changed is neither checked nor compiled again. `gdl cache clear` removes all that is kept;
    it is made anew where it is missing or damaged. The environment variable GDL_CACHE names another folder; where it
    is empty, nothing is kept.
    """
    removed = f"{count_text(cache_folder.clear_entries(), 'entry')} removed; " if what else ""
    console.answer_as(_record, lambda: f"{removed}{size_row()}")


def _record() -> CacheAnswer:
    where = cache_folder.find_folder()
    return CacheAnswer(
        None if where is None else str(where), len(list(cache_folder.list_entries())), cache_folder.count_bytes()
    )


def size_row() -> str:
    """The row of `gdl --version` about what is kept."""
    found = _record()
    if found.folder is None:
        return f"nothing is kept: {cache_folder.FOLDER} is empty, or there is no home"
    return f"{count_text(found.entries, 'entry')}, {size_text(found.bytes)}, in {clean(found.folder)}"
