"""The manual: its pages in order, the codes of messages, the words of the language, and a search of it all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from math import inf
from pathlib import Path

from gdl import wings
from gdl.errors import clean, codes
from gdl.errors.installed import package_folder
from gdl.formats.guide_answers import CodeAnswer, GuidePage, GuideSection, MendedFile, SearchAnswer, WordAnswer
from gdl.web import api_page

GUIDE = package_folder() / "docs"
_READING_ORDER = {  # every page of the core's manual, in the order in which a newcomer reads it
    "To begin": (
        "start", "first-game", "tasks", "from-rules", "how-to", "games", "students",
    ),
    "To look things up": (
        "language", "words", "rules", "further-rules", "made-from-others", "bodies", "draws", "expressions",
        "sequences", "boards", "look", "positions", "evaluations", "information", "who-learns", "hard-places", "trees",
        "matrices", "graphs", "expect", "asking", "commands", "more-commands", "programs", "messages", "solvers",
        "searches", "random-play", "python", "own-searches", "notebook", api_page.NAME,
    ),
    "To understand": ("how-it-works", "performance", "what-stays"),
    "To change gdl": ("contributing", "adding", "engine", "kernels", "terms"),
}  # fmt: skip
HIDDEN = "<details><summary>Answers</summary>", "</details>"  # around the answers to exercises
MESSAGES = "messages"  # the page with the codes that no example of a game file explains
MOST_SECTIONS = 12  # that a search of the manual shows
_WORD_ROW = re.compile(r"\| `(?P<word>[^`]+)` \| (?P<meaning>.*?) \| `(?P<example>.*?)` \| (?P<page>.*?) \|$")


@cache
def reading_order() -> dict[str, list[str]]:
    """The pages of the manual by its parts, in the order in which a newcomer reads them, with the pages of wings."""
    found = {part: list(names) for part, names in _READING_ORDER.items()}
    for wing in wings.wings():
        for name, row in wing.pages.items():
            pages = found[row.part]
            pages.insert(pages.index(row.behind) + 1 if row.behind in pages else len(pages), name)
    return found


@cache
def page_files() -> dict[str, Path]:
    """The files of the manual's pages by their names, those of wings too; the API page, which is generated, has
    none."""
    return {file.stem: file for folder in _folders() for file in sorted(folder.glob("*.md"))}


def picture_files() -> list[Path]:
    """The pictures of the manual's pages, those of wings too."""
    return sorted(file for folder in _folders() for file in folder.glob("pictures/*"))


def _folders() -> list[Path]:
    return [GUIDE, *(package_folder() / "wings" / wing.name / "docs" for wing in wings.wings())]


def page_names() -> list[str]:
    """The names of all pages of the manual: those that are files, and the API page, which is generated."""
    return sorted([*page_files(), api_page.NAME])


def page_text(name: str) -> str:
    """A page of the manual, as Markdown; links to other pages are bare names, wherever these lie."""
    if name == api_page.NAME:
        return api_page.text()
    return re.sub(
        r"\]\((?:\.\./)+(?:[\w]+/)*docs/([\w-]+\.md)", r"](\1", page_files()[name].read_text(encoding="utf-8")
    )


def page_to_read(name: str, answers: bool) -> str:
    """A page of the manual with the answers to its exercises, or with the command that shows them in their place."""
    shown = rf"{HIDDEN[0]}(.*?){HIDDEN[1]}"
    told = r"**Answers**\1" if answers else f"Answers: `gdl guide {name} --answers`"
    return re.sub(shown, told, page_text(name), flags=re.DOTALL)


def contents() -> Iterator[GuidePage]:
    for part, names in reading_order().items():
        yield from (GuidePage(name, _title(name), part) for name in names)


def _title(name: str) -> str:
    if name == api_page.NAME:
        return api_page.TITLE  # known before the page is made
    return page_text(name).split("\n", 1)[0].removeprefix("# ").replace("`", "")


def table_of_contents(width: int) -> list[str]:
    """Three pages for each reader, then all with their titles, part by part; `width` is that of the longest name."""
    rows = re.findall(r"^\| (an? .+?) \|(.+)\|$", page_text("start"), re.MULTILINE)
    lines = ["", "You are:"]
    named = [(who, re.findall(r"[(]([^)]+)[.]md", links)) for who, links in rows]
    lines += [f"  {who:{width}}  {', '.join(name for name in names if name in page_files())}" for who, names in named]
    for part, names in reading_order().items():
        lines += ["", f"{part}:", *(f"  {name:{width}}  {_title(name)}" for name in names)]
    return lines[1:]


def code_descriptions(page: Path = GUIDE / f"{MESSAGES}.md") -> dict[str, str]:
    """Every code with its description, if it stands in a table of the page of messages; else ""."""
    found = {code: "" for code, _ in codes.rows()}
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            found[cells[0].strip("`")] = f"{cells[1]}\n\nhelp: {cells[2]}"
    return found


def code_page(code: str, known: dict[str, str]) -> str:
    """The page on a code: its messages, its meaning, and a file that shows it with the file mended."""
    messages = "\n".join(f"    {message.replace(codes.GAP, '…')}" for message in codes.rows_of(code))
    parts = [f"# {code}", *([messages] if messages else []), *([known[code]] if known[code] else [])]
    example = codes.example(code)
    if example is not None:
        parts += [f"Such a file, {example.name}:", _block(example.broken)]
        parts += ["What `gdl check` says of it:", _block(example.told)]
        parts += ["The same file, mended:", _block(example.mended)]
    return "\n\n".join(parts)


def code_record(code: str, known: dict[str, str]) -> CodeAnswer:
    """The explanation of a code as JSON has it."""
    meaning, _, help = known[code].partition("\n\nhelp: ")
    told = {"meaning": meaning, "help": help} if known[code] else {}
    example = codes.example(code)
    mended = None if example is None else MendedFile.fill_from(example)
    return CodeAnswer(code, list(codes.rows_of(code)), example=mended, **told)


def _block(text: str) -> str:
    return "\n".join(f"    {clean(line)}".rstrip() for line in text.rstrip("\n").split("\n"))


@cache
def word_index() -> dict[str, tuple[str, str, str]]:
    """Every word of the language, from the page of the manual that lists them: its meaning, an example, links to other
    pages."""
    rows = filter(None, map(_WORD_ROW.match, page_text("words").splitlines()))
    return {row["word"]: (row["meaning"], row["example"], row["page"]) for row in rows}


def language_words() -> dict[str, WordAnswer]:
    """Every word of the language, by the index of words."""
    rows = word_index().items()
    return {n: WordAnswer(n, told, example, tuple(re.findall(r"\((\S+)\.md", p))) for n, (told, example, p) in rows}


def sections_on(word: WordAnswer) -> Iterator[str]:
    """The sections on a word of the language: those of its pages that have it in their headings."""
    for page in word.pages:
        text = re.split(r"^(?=##+ )", page_text(page), flags=re.MULTILINE)[1:]
        yield from (part.rstrip() for part in text if f"`{word.word}`" in part.partition("\n")[0])


def _prose() -> Iterator[tuple[str, str]]:
    """Each page that is a file, in reading order, as its name and its text without examples."""
    for page in (name for names in reading_order().values() for name in names if name != api_page.NAME):
        yield page, re.sub(r"^(```.*?^```|    .*?)$", "", page_text(page), flags=re.DOTALL | re.MULTILINE)


def entries_on(term: str) -> Iterator[GuideSection]:
    """The rows that explain a term in the manual's tables of terms."""
    for page, prose in _prose():
        for name, meaning in re.findall(rf"(?im)^\| ({re.escape(term)}) \| ([^|]+) \|$", prose):
            yield GuideSection(page, f"{name}: {meaning}".replace("`", ""))


def search_manual(words: str, commands: Sequence[str]) -> SearchAnswer:
    """The entries and sections of the manual in which all the words stand outside of examples, beside the `commands`
    whose help explains them. First come entries and headings, then the sections that say most on the words for their
    length."""
    each = [re.compile(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", re.IGNORECASE) for word in words.split()]
    found = [(True, inf, entry) for entry in entries_on(words)]
    for page, prose in _prose():
        for heading, text in re.findall(r"^#+ (.*)\n((?:(?!#).*\n?)*)", prose, re.MULTILINE):
            count = min((len(whole.findall(heading + text)) for whole in each), default=0)
            if count:
                in_heading, weight = all(whole.search(heading) for whole in each), count / (300 + len(text))
                found.append((in_heading, weight, GuideSection(page, heading.replace("`", ""))))
    found.sort(key=lambda one: one[:2], reverse=True)
    return SearchAnswer(words, commands, [section for *_, section in found[:MOST_SECTIONS]])


def similar_words(word: str, more: Iterable[str]) -> list[str]:
    """At most three words that are spelled much like a word, in the manual's text or among `more`; first those that
    begin with the same letter."""
    whole = re.compile(r"\b(?<!-)[A-Za-z][a-z-]{3,}\b")
    known = {*more, *(each.lower() for _, prose in _prose() for each in whole.findall(prose))}
    near = get_close_matches(word[:40].lower(), sorted(known), cutoff=0.85)
    return sorted(near, key=lambda one: one[0] != word[:1].lower())


def search_text(found: SearchAnswer) -> str:
    """The sections that a search has found, each with the command that prints its page."""
    lines = [clean(found.word), *(f"  {command}" for command in found.commands)]
    width = max((len(one.page) for one in found.sections), default=0)
    return "\n".join([*lines, *(f"  gdl guide {one.page:{width}}  {one.heading}" for one in found.sections)])
