"""An exam as a file, NAME.exam: its head, what stands above the questions, the questions with their points and
settings, and formulas; read by the grammar `exam.lark` beside this file, all problems at their places.

A line that cannot be read is left out, with what is indented below it, so that the mistakes of the others are told too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from lark import Lark, Token, Tree, UnexpectedInput
from lark.indenter import Indenter

from gdl.errors import GameError, Problem, Source, Span, listing, suggestion
from gdl.game import Number
from gdl.numbers import read_number
from gdl.wings.exam.phrases import LANGUAGES

SHAPES = {
    "exam": 'exam "Midterm" (variants = 2, total = 44)',
    "header": "header, and indented below it: Name, number, seat",
    "question": 'question 1 (9 points): nim.game: winner with heaps = 1, 2, 3; or: quiz "2 cuts"; or: own "Why?"',
    "group": 'group "Search"',
    "formulas": 'formulas, and indented below it texts in quotes: "UCB = W/N + …"',
    "text": 'text "What stands before the question."',
    "note": 'note "What stands behind it."',
    "title": 'title "Its heading", below a question; or for the whole exam, in a language: title de "Klausur"',
    "key": 'key "What should be in the answer"',
}  # the lines of an exam, as messages show them
LINES = ("text", "note", "title", "key")  # below a question
_HEAD = ("variants", "total", "language")
_MOST_VARIANTS, _MOST_QUESTIONS, _MOST_PROBLEMS = 1_000, 200, 20


class Setting(NamedTuple):
    """A setting as it is written, and its place."""

    value: str
    span: Span


@dataclass(frozen=True)
class ExamItem:
    """A question of an exam: its `source` (`quiz`, `own` or `game`) with what is said of it, the kind of question about
    a game, its points (None: one for each item), settings, the lines below it by their words, and the group that begins
    with it ("": none)."""

    number: int
    source: str
    said: str
    kind: str
    points: Number | None
    settings: Mapping[str, Setting]
    texts: Mapping[str, Sequence[str]]
    group: str
    span: Span


@dataclass(frozen=True)
class Exam:
    """An exam file: its title, how many variants there are, the total of the points (None: not said), the language, the
    fields to fill in above the questions, the lines of its sheet of formulas, and what takes the place of these in a
    language, by `title de`, `header de`, `formulas de`."""

    title: str
    variants: int
    total: Setting | None
    language: str
    questions: tuple[ExamItem, ...]
    header: tuple[str, ...]
    formulas: tuple[str, ...]
    spoken: Mapping[str, tuple[str, ...]]


def translate_exam(exam: Exam, language: str) -> Exam:
    """The exam in that language: each line as it is written for it, else the line without one."""

    def translate_item(one: ExamItem) -> ExamItem:
        texts = {word: one.texts.get(f"{word} {language}", one.texts.get(word, ())) for word in LINES}
        said, group = (one.texts.get(f"{word} {language}") for word in ("own", "group"))
        return replace(one, texts=texts, said="".join(said or one.said), group="".join(group or one.group))

    questions = map(translate_item, exam.questions)
    title = "".join(exam.spoken.get(f"title {language}", (exam.title,)))
    header = exam.spoken.get(f"header {language}", exam.header)
    formulas = exam.spoken.get(f"formulas {language}", exam.formulas)
    return replace(exam, title=title, language=language, questions=tuple(questions), header=header, formulas=formulas)


class _Blocks(Indenter):
    NL_type, OPEN_PAREN_types, CLOSE_PAREN_types = "_NL", ["LPAR"], ["RPAR"]
    INDENT_type, DEDENT_type, tab_len = "_INDENT", "_DEDENT", 4


@cache
def _load_parser() -> Lark:
    grammar = files("gdl.wings.exam").joinpath("exam.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", postlex=_Blocks(), maybe_placeholders=False, propagate_positions=True)


def read_exam(text: str, name: str) -> Exam:
    """The exam in a text; `name` is that of its file in messages. Raises GameError with all problems."""
    source, problems = Source(name, text), list[Problem]()
    tree = _parse(source, problems)
    found = _Reader(source, problems).read_tree(tree) if tree is not None else None
    if found is None or problems:
        raise GameError(problems)
    return found


def _parse(source: Source, problems: list[Problem]) -> Any:
    """The tree of the lines that can be read; the others are told in `problems`. None without the first line."""
    text = source.text + "\n"
    while len(problems) < _MOST_PROBLEMS:
        try:
            return _load_parser().parse(text)
        except UnexpectedInput as wrong:
            at, block = max(0, wrong.pos_in_stream or 0), wrong.__dict__.get("expected")
            if block == {"_INDENT"} or text[at : at + 1] in "\n" or at >= len(text) - 1:
                at = max(0, len(re.sub(r"\s*(#[^\n]*)?\Z", "", text[: at + 1])) - 1)  # the line before
            start = text.rfind("\n", 0, at + 1) + 1
            margin, rest = _line_and_block(text, start)
            if block != {"_INDENT"} or not any(one.span and start < one.span.start < rest for one in problems):
                problems.append(_unreadable_line(source, start, at, margin))
            if not re.sub(r"#[^\n]*", "", text[:start]).strip():
                return None
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:rest]) + text[rest:]
    return None


def _line_and_block(text: str, start: int) -> tuple[str, int]:
    """The margin of the line that begins there, and the end of what is indented below it."""
    margin = re.compile(r"[ \t]*").match(text, start)[0]  # type: ignore[index]
    below = re.compile(rf"[^\n]*\n(?:{margin}[ \t]+[^\n]*\n|[ \t]*\n)*").match(text, start)
    return margin, below.end() if below else len(text)


def _unreadable_line(source: Source, start: int, at: int, margin: str) -> Problem:
    """The problem of the line that begins at `start`, which cannot be read from `at` on."""
    words = re.findall(r"^([^\W\d]\S*)", source.text[:start], re.MULTILINE)
    first = re.compile(r"\S*").match(source.text, start + len(margin))
    word = first[0] if first else ""
    if first and (not words or (word not in SHAPES and words[-1] not in ("header", "formulas"))):
        if not words and word != "exam":
            help = f"write: {SHAPES['exam']}"
            return Problem("an exam begins with its title", Span(source, *first.span()), help=help)
        if words:
            known = LINES if margin else [one for one in SHAPES if one not in LINES]
            help = suggestion(word, known, f"the lines of an exam are {listing(SHAPES, most=20)}")
            return Problem(f"an exam has no line '{word}'", Span(source, *first.span()), help=help)
    shown = re.compile(r"\w+|[^\n]?").match(source.text, at)
    help = f"write it as in: {SHAPES[word if word in SHAPES else words[-1]]}"
    rest = Span(source, at, shown.end() if shown else at + 1)
    return Problem("this line cannot be read from here on", rest, help=help)


class _Reader:
    """Makes records of a tree; what is wrong goes to `problems`."""

    def __init__(self, source: Source, problems: list[Problem]):
        self.source, self.problems = source, problems

    def refuse(self, message: str, span: Span, help: str) -> None:
        self.problems.append(Problem(message, span, help=help))

    def token_span(self, token: Token) -> Span:
        return Span(self.source, token.start_pos or 0, token.end_pos or 0)

    def read_tree(self, tree: Any) -> Exam:
        head, *parts = tree.children
        title, *given = head.children
        said, groups, questions = self.read_settings(given), dict[str, list[str]](), list[ExamItem]()
        spoken = dict[str, tuple[str, ...]]()
        for name in said.keys() - {*_HEAD}:
            help = suggestion(name, _HEAD, f"there are {listing(_HEAD)}")
            self.refuse(f"an exam has no setting '{name}'", said[name].span, help)
        for part in parts:
            if part.data == "question":
                questions.append(self.read_question(part, len(questions) + 1, groups))
                groups = {}
                continue
            languages = [one for one in part.children if one.type == "WORD"]
            self.check_languages(languages)
            name = " ".join((part.data, *languages))
            texts = [strip_quotes(one) for one in part.children if one.type != "WORD"]
            if part.data == "group":
                groups[name] = texts
            else:
                spoken[name] = (*spoken.get(name, ()), *texts)
        if not questions and not self.problems:
            self.refuse("this exam has no question", self.token_span(title), f"write: {SHAPES['question']}")
        variants = self.choose_value(said, "variants", range(1, _MOST_VARIANTS + 1), int, 1)
        language = self.choose_value(said, "language", LANGUAGES, str, LANGUAGES[0])
        self.choose_value(said, "total", None, read_number, 0)
        told = strip_quotes(title), variants, said.get("total"), language, tuple(questions)
        return Exam(*told, spoken.get("header", ()), spoken.get("formulas", ()), spoken)

    def choose_value(
        self, said: Mapping[str, Setting], name: str, known: Any, read: Callable[[str], Any], usual: Any
    ) -> Any:
        """The value of a setting of the head; `known` are those that it may have (None: any number)."""
        if name not in said:
            return usual
        try:
            value = read(said[name].value)
        except ValueError:
            value = None
        if value is None or (known is not None and value not in known):
            ends = f"1 to {_MOST_VARIANTS:,}" if name == "variants" else listing(LANGUAGES, "or", 20) if known else "44"
            self.refuse(f"'{said[name].value}' is no {name} of an exam", said[name].span, f"write {ends}")
        return value

    def check_languages(self, languages: Sequence[Token]) -> None:
        for language in {*languages} - {*LANGUAGES}:
            help = f"write {listing(LANGUAGES, 'or', 20)}, or the text alone"
            self.refuse(f"'{language}' is no language of an exam", self.token_span(language), help)

    def read_question(self, tree: Any, number: int, groups: Mapping[str, list[str]]) -> ExamItem:
        written, *rest = tree.children
        amounts = [one for one in rest if isinstance(one, Token)]
        source, *given, body = (one for one in rest if isinstance(one, Tree))
        if int(written) != number and not self.problems:
            self.refuse(f"this is question {number}", self.token_span(written), f"write 'question {number}'")
        texts: dict[str, list[str]] = dict(groups)
        for line in body.children:
            word, *spoken, told = (one for one in line.children if isinstance(one, Token))
            if word not in (*LINES, *(["own"] if spoken else [])):
                help = suggestion(word, LINES, f"there are {listing(LINES)}")
                self.refuse(f"a question has no line '{word}'", self.token_span(word), help)
            self.check_languages(spoken)
            texts.setdefault(" ".join((word, *spoken)), []).append(strip_quotes(told))
        words: list[Any] = source.children
        said, *kind = words
        points = read_number(amounts[0]) if amounts else None
        if points == 0:
            self.refuse("a question has points", self.token_span(amounts[0]), "write how many it is worth, such as 1")
        if points is None and source.data == "own":
            help = f"write: question {number} (9 points)"
            self.refuse("a question of your own needs its points", self.token_span(written), help)
        place = Span(self.source, said.start_pos or 0, (kind or [said])[-1].end_pos or 0)
        asked = str(source.data), strip_quotes(said), "".join(kind)
        group = "".join(texts.pop("group", ()))
        return ExamItem(number, *asked, points, self.read_settings(given), texts, group, place)

    def read_settings(self, trees: Sequence[Any]) -> dict[str, Setting]:
        """The settings, by name; of a list the value is `1,2,3`."""
        found: dict[str, Setting] = {}
        for tokens in trees:
            key = Token("", "")
            for token in tokens.children:
                if token.type == "KEY":
                    key = token
                    if key in found:
                        self.refuse(f"'{key}' is set twice", self.token_span(key), "take one of them out")
                    continue
                before, value = found.get(key), strip_quotes(token)
                place = self.token_span(key).to(self.token_span(token))
                found[str(key)] = Setting(f"{before.value},{value}" if before else value, place)
        return found


def strip_quotes(token: str) -> str:
    """The text between the quotes, if there are any."""
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else str(token)


def laid_out(text: str, name: str) -> str:
    """The exam in its usual layout: four spaces before what belongs to a line, one space around signs."""
    read_exam(text, name)
    lines = []
    for line in text.splitlines():
        margin, *pieces = re.split(r'("(?:[^"\\]|\\.)*"|#.*)', line.rstrip())
        indented = line.startswith((" ", "\t")) and not line.isspace()
        signs = (re.sub(r"\s*,\s*", ", ", re.sub(r"\s+", " ", one)) for one in [margin, *pieces][::2])
        plain = [re.sub(r"\s*=\s*", " = ", one) for one in signs]
        if not indented:
            plain = [re.sub(r"\s*\)", ")", re.sub(r"\s*\(\s*", " (", one)) for one in plain]
            head, with_, given = "\0".join(plain).partition(" with ")  # colons of settings stay
            plain = (re.sub(r"\s*:\s*", ": ", head) + with_ + given).split("\0")
        texts = [*pieces[::2], ""]
        told = "".join(two for pair in zip(plain, texts, strict=False) for two in pair).strip()
        lines.append("    " * indented + told)
    return "\n".join(lines).rstrip("\n") + "\n"
