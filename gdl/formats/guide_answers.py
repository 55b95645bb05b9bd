"""Answers of `gdl guide`: its contents, a page, a word of the language, the code of a message, sections with a word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from gdl.formats.answer_kinds import AnswerPart, AnswerRecord, Names


class GuidePage(AnswerPart):
    """A page of the manual, and the part that it belongs to."""

    page: str
    title: str
    part: str


class ContentsAnswer(AnswerRecord):
    """The pages in the order in which to read them."""

    pages: Sequence[GuidePage]


class PageAnswer(AnswerRecord):
    """A page."""

    page: str
    text: str


class WordAnswer(AnswerRecord):
    """A word of the language, with its meaning and an example."""

    word: str
    means: str
    example: str
    pages: Annotated[Names, "which explain it"]

    def as_page(self) -> str:
        """The word with its meaning and example as a page of Markdown."""
        more = ", ".join(f"`gdl guide {page}`" for page in self.pages)
        return f"# {self.word}\n\n{self.means}\n\n    {self.example}\n\nMore: {more}"


class MendedFile(AnswerPart):
    """A broken file, the output of `gdl check` on it, and the corrected file."""

    name: str
    broken: str
    told: str
    mended: str


class CodeAnswer(AnswerRecord):
    """The explanation of a code of messages."""

    code: str
    messages: Names
    meaning: str | None = None
    help: str | None = None
    example: MendedFile | None = None


class GuideSection(AnswerPart):
    """A section of a page."""

    page: str
    heading: str


class SearchAnswer(AnswerRecord):
    """The sections of the manual that contain a word; those come first that have it in the heading or most often."""

    word: str
    commands: Annotated[Names, "which tell more of it"]
    sections: Sequence[GuideSection]
