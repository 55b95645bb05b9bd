"""The answers of a class to an exam: a folder with a file for each student, or the table of a learning platform.

Moodle calls the column of an answer "Response 1", Blackboard "Answer 1", Gradescope "Question 1 Response" or
"1: Title", Canvas "1234: 1. Title", Google Forms as the form does, "1. Title". Where several columns have a question's
number, that of the response counts; columns of one rank, such as 1.1 and 1.2, are parts of one answer.
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import bytes_of
from gdl.errors import clean, listing
from gdl.wings.exam.command_options import CLASS, decode_text
from gdl.wings.exam.reading import STUDENT
from gdl.wings.exam.student_phrases import heading_pattern

_RANKS = ("response", "respuesta", "antwort", "answer", "frage", "aufgabe", "pregunta", "question", "")
_COLUMN = re.compile(
    rf"(?:\d{{4,}}: )?(?:(?P<rank>{'|'.join(_RANKS[:-1])})[ .:#]*|q[ .]*)?(?P<number>\d{{1,3}})(?P<part>\.\d+)*"
    r"(?: (?P<late>response|answer)\b.*|[:.) ].*)?", re.IGNORECASE | re.DOTALL)  # fmt: skip
_NO_ANSWER = re.compile(r"\[(?:score|feedback)\]$|/ ?\d+(?:[.,]\d+)?$|^\d+(?:\.\d+)?$", re.IGNORECASE)
_WHO = re.compile(
    r"(?P<last>last ?name|surname|nachname|apellidos?)|(?P<first>first ?name|vorname|nombre)|"
    r"(?P<name>(?:user|full|student)? ?name)|"
    r"(?P<other>e-?mail(?: address)?|(?:user|student|sis)?[ _]?id(?: number)?|sid|username|number|matrikelnummer|seat)",
    re.IGNORECASE)  # fmt: skip
_ABOUT = re.compile(
    rf"(?:{'|'.join(_RANKS[:-1])}|q)[ .]?\d+|sis .*|state|status|started on|completed|time taken|timestamp|submitted",
    re.IGNORECASE)  # fmt: skip
_TAGS = re.compile(r"</?(?:p|br|div|span|b|i|u|em|strong|ul|ol|li|sub|sup|table|tbody|tr|td|a|font)\b[^<>]*>", re.I)
_LINE_ENDS = re.compile(r"(?i)<br ?/?>|</(?:p|div|li|tr)>")


class StudentAnswers(NamedTuple):
    """The answers of one student, by the numbers of the questions; the name, what else the table says of them, and the
    variant (None: not said)."""

    name: str
    about: Mapping[str, str]
    variant: int | None
    answers: Mapping[int, str]


def read_class(places: Sequence[str], count: int) -> list[StudentAnswers]:
    """The answers in files, folders and tables to an exam of so many questions."""
    found = list[StudentAnswers]()
    for place in places:
        folder = Path(place)
        files = sorted(one for one in folder.rglob("*") if one.is_file()) if folder.is_dir() else [folder]
        for file in files:
            text = decode_text(bytes_of(place if file is folder else str(file), CLASS))
            if file.suffix.lower() in (".csv", ".tsv"):
                found += _read_table(text, str(file), count)
            else:
                above = file.relative_to(folder).parts[:-1]
                found.append(_read_answers(text, above[0] if above else file.stem, count))
    if not found:
        raise WrongCommand(f"there are no answers in {listing(map(clean, places))}")
    return found


def _read_answers(text: str, name: str, count: int) -> StudentAnswers:
    """The answers of a file, each under a line `Question 2:`, or where no line is one, behind `2.`, in any order."""
    question = rf"(?im)^(?:{heading_pattern('question')})[ .]*(\d{{1,3}})\s*[:.)]?"
    head, *pieces = re.split(question, text)
    numbered = re.split(r"(?m)^[ \t]*([0-9]{1,3})[ \t]*[.):](?!\d)", text)  # `1.` or `2)`
    order = [int(number) for number in numbered[1::2]]
    others = len(order) > 1 and "=" not in numbered[0] and len(order) == len({*order} & {*range(1, count + 1)})
    if not pieces and (others or order == [*range(1, len(order) + 1)]):
        head, *pieces = numbered
    variant = re.search(rf"(?im)(?:^|[,;])\s*(?:{heading_pattern('variant')})\s*:?\s*(\d+)", head)
    answers = {int(number): told for number, told in zip(pieces[::2], pieces[1::2], strict=True)}
    who = " ".join(said["who"] for line in head.splitlines() if (said := STUDENT.fullmatch(line))).strip() or name
    return StudentAnswers(who, {"student": who}, int(variant[1]) if variant else None, answers or {1: head})


def _read_table(text: str, file: str, count: int) -> Iterator[StudentAnswers]:
    heads, *rows = read_rows(text, file)
    columns = _answer_columns(heads, count)
    if not columns:
        told = f"no column of {clean(file)} is the answer to a question: it has {listing(map(clean, heads), most=8)}"
        raise WrongCommand(told, help='call them "Question 1", "Question 2" and so on')
    kinds = {at: said.lastgroup for at, head in enumerate(heads) if (said := _WHO.fullmatch(head.strip()))}
    variants = [at for at, head in enumerate(heads) if re.fullmatch(r"(?i)variante?|version", head.strip())]
    for number, row in enumerate((row for row in rows if any(map(str.strip, row))), start=1):
        if any(map(str.strip, row[len(heads) :])):
            told = f"row {number} of {clean(file)} has {len(row)} cells, below {len(heads)} headings"
            raise WrongCommand(told, help="put a cell that holds the sign between two cells in double quotes")
        row += [""] * (len(heads) - len(row))
        answers = {question: "\n".join(plain_answer(row[at]) for at in own) for question, own in columns.items()}
        filled = sum(bool(row[at].strip()) for at in kinds)
        if filled == 1 and len(kinds) > 2 and not any(map(str.strip, answers.values())):
            continue  # the means of all, which Moodle writes below them
        parts = {kind: row[at].strip() for at, kind in reversed(kinds.items())}
        whole = " ".join(filter(None, [parts.get("first"), parts.get("last")]))
        written = next((row[at].split()[-1] for at in variants if row[at].split()), "")
        yield StudentAnswers(
            clean(whole or parts.get("name") or parts.get("other") or str(number)),
            {heads[at]: row[at] for at in kinds} or {"row": str(number)},
            int(written) if re.fullmatch("[0-9]{1,4}", written) else None,
            answers,
        )


def is_class_table(text: str) -> bool:
    """True if a text begins with headings of which half at least are those of the table of a class."""
    first = text.lstrip().partition("\n")[0]
    heads = [head.strip(' "') for head in re.split(re.escape(max(",;\t", key=first.count)), first.strip())]
    known = [_WHO.fullmatch(head) or _ABOUT.fullmatch(head) for head in heads]
    return len(heads) > 1 and 2 * len(list(filter(None, known))) >= len(heads)


def read_rows(text: str, file: str) -> list[list[str]]:
    """The rows of a table, its headings first; columns are apart by what its first line has most of."""
    first = text.partition("\n")[0]
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count)))
    except csv.Error as why:
        raise WrongCommand(f"{clean(file)} is no table: {why}") from None
    if not rows:
        raise WrongCommand(f"{clean(file)} is no table: it is empty")
    return rows


def _answer_columns(heads: Sequence[str], count: int) -> dict[int, list[int]]:
    """The columns with the answer to each question, found by their headings."""
    found: dict[int, dict[int, list[int]]] = {}
    for at, head in enumerate(heads):
        said = None if _NO_ANSWER.search(head.strip()) else _COLUMN.fullmatch(head.strip())
        if said and 1 <= int(said["number"]) <= count:
            rank = _RANKS.index((said["late"] or said["rank"] or "").lower())
            found.setdefault(int(said["number"]), {}).setdefault(rank, []).append(at)
    return {number: ranks[min(ranks)] for number, ranks in sorted(found.items())}


def plain_answer(text: str) -> str:
    """The text of an answer without the tags of HTML in which some platforms write it."""
    if not _TAGS.search(text):
        return text
    return html.unescape(_TAGS.sub("", _LINE_ENDS.sub("\n", text))).replace("\xa0", " ").strip()
