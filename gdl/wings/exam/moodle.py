"""A bank of questions as Moodle XML (https://docs.moodle.org/en/Moodle_XML_format): variants are categories, pictures
are files of the question, several fields are one question of the type cloze."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from gdl.errors import clean
from gdl.wings.exam.question_bank import CHOICE, NUMBER, WORDS, AnswerField, BankQuestion, QuestionBank, picture_text

_TYPES = {NUMBER: "numerical", WORDS: "shortanswer", CHOICE: "multichoice", "several": "cloze", "essay": "essay"}
ESSAY_LINES = 10  # of the box for an essay


def moodle_xml(bank: QuestionBank) -> str:
    """The bank in Moodle's format."""
    quiz = Element("quiz")
    for variant, questions in bank.variants():
        path = [clean(name).replace("/", "//") for name in (bank.title, variant) if name]
        _add_text(SubElement(quiz, "question", type="category"), "category", "/".join(["$course$/top", *path]))
        formulas = [_paragraph_of(line) for line in bank.exam.exam.formulas]
        if formulas:
            sheet = SubElement(quiz, "question", type="description")
            _add_text(sheet, "name", bank.exam.words["formulas"])
            _add_text(sheet, "questiontext", "".join(formulas), "html")
        for one in questions:
            _add_question(quiz, one, bank)
    return write_xml(quiz)


def write_xml(root: Element) -> str:
    """The text of a file with this element."""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_question(quiz: Element, one: BankQuestion, bank: QuestionBank) -> None:
    question = SubElement(quiz, "question", type=_TYPES[one.kind])
    _add_text(question, "name", one.name)
    cloze = _cloze_fields(one.fields) if one.kind == "several" else []
    body = [f"<p><b>{html.escape(one.heading)}</b></p>", *map(_paragraph_of, one.text)]
    name = f"question-{one.variant}-{one.number}.svg"
    body += [_image(one.picture, name)] * bool(one.picture) + [*map(_paragraph_of, one.note), *cloze]
    whole = f'<div lang="{bank.exam.words.language}" dir="{bank.exam.words.direction}">{"".join(body)}</div>'
    text = _add_text(question, "questiontext", whole, "html")
    _add_file(text, name, one.picture)
    if one.kind != "several":
        SubElement(question, "defaultgrade").text = f"{float(one.points):.7f}"
    SubElement(question, "penalty").text = "0"
    if one.kind == "essay":
        _add_essay(question, one)
    elif not cloze:
        _add_answers(question, one.fields[0])


def _add_essay(question: Element, one: BankQuestion) -> None:
    """The parts of an essay: its box, the headings in it, and the key for whoever marks."""
    SubElement(question, "responseformat").text = "plain"
    SubElement(question, "responserequired").text = "0"
    SubElement(question, "responsefieldlines").text = str(max(ESSAY_LINES, len(one.template) + 2))
    name = f"key-{one.variant}-{one.number}.svg"
    key = [*map(_paragraph_of, one.key), *[_image(one.solved, name)] * bool(one.solved)]
    _add_file(_add_text(question, "graderinfo", "".join(key), "html"), name, one.solved)
    _add_text(question, "responsetemplate", "\n".join(one.template), "plain_text")


def _add_answers(question: Element, field: AnswerField) -> None:
    """The answers to the only field: the right ones or, of a choice, all options."""
    if field.kind == CHOICE:
        for name, told in (("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "none")):
            SubElement(question, name).text = told
    for written in field.options or field.rights:
        right = written in field.rights
        shown = html.escape(written) if field.kind == CHOICE else written.replace("*", "\\*")
        answer = _add_text(question, "answer", shown, "html" if field.kind == CHOICE else "plain_text")
        answer.set("fraction", "100" if right else "0")
        if field.kind == NUMBER:
            SubElement(answer, "tolerance").text = tolerance_of(written)


def tolerance_of(number: str) -> str:
    """How far an answer may be from a number that has decimals: half of its last place, or of the second (as 1.9 may be
    1.90)."""
    places = max(2, len(number.partition(".")[2]))
    return f"{0.5 * 10**-places:.{places + 1}f}" if "." in number else "0"


def _cloze_fields(fields: Sequence[AnswerField]) -> list[str]:
    """The fields in the text of a cloze question, whose weights are whole numbers."""
    points = [Fraction(one.points) for one in fields]
    scale = Fraction(lcm(*(own.denominator for own in points)))
    if scale > 1:
        scale /= gcd(*(int(own * scale) for own in points))
    found = []
    for one in fields:
        options = [f"{'=' if told in one.rights else ''}{_cloze_text(told)}" for told in one.options or one.rights]
        if one.kind == NUMBER:
            options = [f"{told}:{tolerance_of(told[1:])}" for told in options]
        kind = "MULTICHOICE_V" if one.kind == CHOICE else _TYPES[one.kind].upper()
        weight = int(Fraction(one.points) * scale)
        found.append(f"<p>{html.escape(clean(one.label))}: {{{weight}:{kind}:{'~'.join(options)}}}</p>")
    return found


def _cloze_text(text: str) -> str:
    """The text of an answer in a field, with entities for signs that end it there."""
    escaped = html.escape(clean(text), quote=False).replace("*", "\\*")
    return re.sub("[~#}=%]", lambda sign: f"&#{ord(sign[0])};", escaped)


def _paragraph_of(text: str) -> str:
    return f"<p>{html.escape(clean(text), quote=False)}</p>"


def _image(picture: str, name: str) -> str:
    return f'<p><img src="@@PLUGINFILE@@/{name}" alt="{html.escape(picture_text(picture))}"/></p>'


def _add_file(text: Any, name: str, picture: str) -> None:
    if picture:
        SubElement(text, "file", name=name, path="/", encoding="base64").text = b64encode(picture.encode()).decode()


def _add_text(parent: Element, name: str, text: str, form: str = "") -> Element:
    """A new element with a text, in the format `form` ("": none is said)."""
    made = SubElement(parent, name, {"format": form} if form else {})
    SubElement(made, "text").text = text
    return made
