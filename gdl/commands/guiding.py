"""gdl guide: the pages of the manual, what the codes of messages mean, and the words of the language."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from gdl.commands import completing, documenting, telling
from gdl.commands.command_table import COMMANDS, FOREIGN_COMMANDS
from gdl.errors import clean, codes, listing
from gdl.formats.answer_kinds import AnswerRecord
from gdl.formats.guide_answers import (
    CodeAnswer,
    ContentsAnswer,
    GuidePage,
    GuideSection,
    MendedFile,
    PageAnswer,
    SearchAnswer,
    WordAnswer,
)  # fmt: skip
from gdl.processes import package_folder

GUIDE = package_folder() / "docs"
READING_ORDER = {  # every page of the manual, in the order in which a newcomer reads it
    "To begin": (
        "start", "first-game", "how-to", "games", "in-the-browser", "learning", "students", "exercises", "teachers",
    ),
    "To look things up": (
        "language", "words", "rules", "made-from-others", "bodies", "expressions", "sequences", "boards", "positions",
        "evaluations", "information", "who-learns", "hard-places", "trees", "matrices", "expect", "asking", "commands",
        "plays", "tables-and-books", "report", "workers", "programs", "messages", "solvers", "stochastic", "beliefs",
        "editors", "python", "own-searches", "stepping", "notebook", documenting.NAME,
    ),
    "To understand": ("how-it-works", "verify", "symmetry", "performance"),
    "To change gdl": ("contributing", "engine"),
}  # fmt: skip
MESSAGES = "messages"  # the page with the codes that no game file shows
MOST_SECTIONS = 12  # that a search of the manual shows


def _complete_topic(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Pages of the manual; codes of messages and words of the language once a letter is typed."""
    more = [*code_descriptions(GUIDE / f"{MESSAGES}.md"), *language_words()] if typed else []
    return completing.beginning([*page_names(), *more], typed)


@click.command()
@click.argument("page", required=False, metavar="[PAGE|CODE|WORD]", shell_complete=_complete_topic)
@click.option("--json", "as_json", is_flag=True, help="Print the page, the code or the word as one JSON object.")
@click.option("--json-schema", is_flag=True, help="Print the JSON Schema of all that --json prints, and nothing else.")
def guide(page: str | None, as_json: bool, json_schema: bool) -> None:
    """Read the manual.

    Without a PAGE, list the pages in the order in which to read them. With the CODE of a message, the word in brackets
    at its end, explain it by a file with the mistake and the same file corrected. With a WORD of the language, explain
    it by an example. With any other WORD, list its meaning and the sections that contain it.
    """
    pages = page_names()
    if json_schema:
        from gdl.formats.schema import document

        telling.answer(json.dumps(document(), indent=2))
    elif page is None:
        contents = _table_of_contents(max(map(len, pages)))
        telling.answer_as(as_json, lambda: ContentsAnswer(list(_pages())), lambda: "\n".join(contents))
    elif page in pages:
        text = page_text(page)
        _print(as_json, PageAnswer(page, text), text)
    elif (code := page.strip("[]")) in (known := code_descriptions(GUIDE / f"{MESSAGES}.md")):
        _print(as_json, _code_record(code, known), code_page(code, known))
    elif page in (words := language_words()):
        _print(as_json, words[page], "\n\n".join([words[page].as_page(), *_sections_on(words[page])]))
    elif (found := search_manual(page)).commands or found.sections:
        telling.answer_as(as_json, lambda: found, lambda: _search_text(found))
    else:
        none = f"the guide has no page '{clean(page)}', no message has that code, and no page has that word"
        listed = f"its pages are {listing(pages, most=len(pages))}"
        raise telling.unknown_name(none, page, [*pages, *known, *words], listed)


def code_descriptions(page: Path) -> dict[str, str]:
    """Every code with its description, if it stands in a table of the page of messages; else ""."""
    found = {code: "" for code, _ in codes.rows()}
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            found[cells[0].strip("`")] = f"{cells[1]}\n\nhelp: {cells[2]}"
    return found


def code_page(code: str, known: dict[str, str]) -> str:
    """The page on a code."""
    messages = "\n".join(f"    {message.replace(codes.GAP, '…')}" for message in codes.rows_of(code))
    parts = [f"# {code}", *([messages] if messages else []), *([known[code]] if known[code] else [])]
    example = codes.example(code)
    if example is not None:
        parts += [
            f"Such a file, {example.name}:", _block(example.broken),
            "What `gdl check` says of it:", _block(example.told),
            "The same file, mended:", _block(example.mended),
        ]  # fmt: skip
    return "\n\n".join(parts)


def _code_record(code: str, known: dict[str, str]) -> CodeAnswer:
    """The explanation of a code as JSON has it."""
    meaning, _, help = known[code].partition("\n\nhelp: ")
    told = {"meaning": meaning, "help": help} if known[code] else {}
    example = codes.example(code)
    mended = None if example is None else MendedFile.fill_from(example)
    return CodeAnswer(code, list(codes.rows_of(code)), example=mended, **told)


def _sections_on(word: WordAnswer) -> Iterator[str]:
    """The sections of its pages that have a word of the language in their headings."""
    for page in word.pages:
        text = re.split(r"^(?=##+ )", page_text(page), flags=re.MULTILINE)[1:]
        yield from (part.rstrip() for part in text if f"`{word.word}`" in part.partition("\n")[0])


def search_manual(word: str) -> SearchAnswer:
    """The entries and sections of the manual in which a word stands outside of examples, and the commands whose help
    explains it."""
    from gdl.solvers import CONCEPTS, SOLVERS

    whole = re.compile(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", re.IGNORECASE)
    found: list[tuple[bool, int, GuideSection]] = []
    for page in (name for names in READING_ORDER.values() for name in names if name != documenting.NAME):
        prose = re.sub(r"^(```.*?^```|    .*?)$", "", page_text(page), flags=re.DOTALL | re.MULTILINE)
        for term, meaning in re.findall(rf"(?im)^\| ({re.escape(word)}) \| ([^|]+) \|$", prose):
            found.append((True, len(prose), GuideSection(page, f"{term}: {meaning}".replace("`", ""))))
        for heading, text in re.findall(r"^#+ (.*)\n((?:(?!#).*\n?)*)", prose, re.MULTILINE):
            in_heading, count = bool(whole.search(heading)), len(whole.findall(text))
            if in_heading or count:
                found.append((in_heading, count, GuideSection(page, heading.replace("`", ""))))
    found.sort(key=lambda one: one[:2], reverse=True)
    lower = word.lower()
    commands = [f"gdl {lower} --help"] if lower in COMMANDS else []
    commands += [f"gdl solvers {lower}"] if lower in SOLVERS or lower in CONCEPTS else []
    commands += [FOREIGN_COMMANDS[lower]] if lower in FOREIGN_COMMANDS else []
    return SearchAnswer(word, commands, [section for *_, section in found[:MOST_SECTIONS]])


def _search_text(found: SearchAnswer) -> str:
    """The sections with the pages to ask for."""
    lines = [clean(found.word), *(f"  {command}" for command in found.commands)]
    width = max((len(one.page) for one in found.sections), default=0)
    return "\n".join([*lines, *(f"  gdl guide {one.page:{width}}  {one.heading}" for one in found.sections)])


def language_words() -> dict[str, WordAnswer]:
    """Every word of the language, by the index of words."""
    from gdl.web.hover import words

    rows = words().items()
    return {n: WordAnswer(n, told, example, tuple(re.findall(r"\((\S+)\.md", p))) for n, (told, example, p) in rows}


def page_names() -> list[str]:
    """The pages of the manual: the files, and the one that is made."""
    return sorted([*(file.stem for file in GUIDE.glob("*.md")), documenting.NAME])


def page_text(name: str) -> str:
    """A page of the manual, as Markdown."""
    return documenting.text() if name == documenting.NAME else (GUIDE / f"{name}.md").read_text(encoding="utf-8")


def _pages() -> Iterator[GuidePage]:
    for part, names in READING_ORDER.items():
        yield from (GuidePage(name, _title(name), part) for name in names)


def _title(name: str) -> str:
    if name == documenting.NAME:
        return documenting.TITLE  # known before the page is made
    return page_text(name).split("\n", 1)[0].removeprefix("# ").replace("`", "")


def _block(text: str) -> str:
    return "\n".join(f"    {clean(line)}".rstrip() for line in text.rstrip("\n").split("\n"))


def _table_of_contents(width: int) -> list[str]:
    """Three pages for each reader, then all with their titles, part by part; `width` is that of the longest name."""
    rows = re.findall(r"^\| (an? .+?) \|(.+)\|$", page_text("start"), re.MULTILINE)
    lines = ["", "You are:"]
    lines += [f"  {who:{width}}  {', '.join(re.findall(r'[(]([^)]+)[.]md', links))}" for who, links in rows]
    for part, names in READING_ORDER.items():
        lines += ["", f"{part}:"]
        for name in names:
            lines.append(f"  {name:{width}}  {_title(name)}")
    return lines[1:]


def _print(as_json: bool, data: AnswerRecord, text: str) -> None:
    """A page as JSON, or as it is written; set in type on a terminal."""
    if as_json or not sys.stdout.isatty():
        return telling.answer_as(as_json, lambda: data, lambda: text)
    from rich.console import Console
    from rich.markdown import Markdown

    return Console().print(Markdown(text))
