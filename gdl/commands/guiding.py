"""gdl guide: the pages of the manual, what the codes of messages mean, and the words of the language."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec

import click
from click.shell_completion import CompletionItem

from gdl.commands import completing, console
from gdl.commands.command_table import COMMANDS, foreign_commands
from gdl.commands.help_pages import Command
from gdl.errors import clean, listing
from gdl.formats.answer_kinds import AnswerRecord
from gdl.formats.guide_answers import ContentsAnswer, PageAnswer
from gdl.web import manual


def _complete_topic(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Pages of the manual; codes of messages and words of the language once a letter is typed."""
    more = [*manual.code_descriptions(), *manual.language_words()] if typed else []
    return completing.beginning([*manual.page_names(), *more], typed)


@click.command(cls=Command)
@click.argument("words", nargs=-1, metavar="[PAGE|CODE|WORD]", shell_complete=_complete_topic)
@click.option("--answers", is_flag=True, help="Show the answers to the exercises of the page too.")
@console.takes_json("Print the page, the code or the word as one JSON object.")
@click.option("--json-schema", is_flag=True, help="Print the JSON Schema of all that --json prints, and nothing else.")
def guide(words: tuple[str, ...], answers: bool, json_schema: bool) -> None:
    """Read the manual.

    Without a PAGE, list the pages in the order in which to read them. With the CODE of a message, the word in brackets
    at its end, explain it by a file with the mistake and the same file corrected. With a WORD of the language, explain
    it by an example. With any other WORD, or several, list its meaning and the sections that contain it.
    """
    page, pages = " ".join(words), manual.page_names()
    if json_schema:
        from gdl.formats.schema import document

        console.answer(json.dumps(document(), indent=2))
    elif not page:
        lines = manual.table_of_contents(max(map(len, pages)))
        console.answer_as(lambda: ContentsAnswer(list(manual.contents())), lambda: "\n".join(lines))
    elif page in pages:
        text = manual.page_to_read(page, answers)
        _print(PageAnswer(page, text), text)
    elif (code := page.strip("[]")) in (known := manual.code_descriptions()):
        _print(manual.code_record(code, known), "\n\n".join([manual.code_page(code, known), *_as_term(code)]))
    elif page in (terms := manual.language_words()):
        _print(terms[page], "\n\n".join([terms[page].as_page(), *_as_term(page), *manual.sections_on(terms[page])]))
    elif (found := manual.search_manual(page, _explain(page.lower()))).commands or found.sections:
        console.answer_as(lambda: found, lambda: manual.search_text(found))
    else:
        near = [f"'{one}'" for one in manual.similar_words(page, [*pages, *known, *terms, *foreign_commands()])]
        none = f"the guide has no page '{clean(page)}', no message has that code, and no page has that word"
        raise console.WrongCommand(none, help=f"write {listing(near, 'or')}" if near else "gdl guide lists its pages")


def _as_term(word: str) -> list[str]:
    """The other meanings that a word of the language, or a code, has as a term of the manual."""
    return [f"On the page {entry.page}, {entry.heading}" for entry in manual.entries_on(word)]


def _explain(name: str) -> list[str]:
    """The commands that explain a name, such as `gdl solve --help`."""
    from gdl.solvers import CONCEPTS, SOLVERS

    known = [f"gdl {name} --help"] if name in COMMANDS else []
    known += [f"gdl solvers {name}"] if name in SOLVERS or name in CONCEPTS else []
    return [*known, foreign_commands()[name]] if name in foreign_commands() else known


def _print(data: AnswerRecord, text: str) -> None:
    """Print a page: as JSON, or as its Markdown text; rendered if stdout is a terminal, and rich is installed."""
    if console.is_json() or not sys.stdout.isatty() or not find_spec("rich"):
        console.answer_as(lambda: data, lambda: text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
