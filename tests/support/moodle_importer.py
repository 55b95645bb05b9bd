"""Moodle's importer in small: what `question/format/xml/format.php` and `question/type/multianswer/questiontype.php` of
Moodle 4 read of each question, with their patterns; it raises where they report an error or use a default that an
export should not need."""

from __future__ import annotations

import html
import re
from base64 import b64decode
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

FORMATS = {"moodle_auto_format", "html", "plain_text", "wiki_like", "markdown"}
_ANSWER = r".+?(?<!\\)(?<!&)(?<!&amp;)(?=[~#}]|$)"
_ALTERNATIVE = rf"(=|%(-?[0-9]+(?:[.,][0-9]*)?)%)?({_ANSWER})(#(.*?(?<!\\)(?=[~}}]|$)))?"
_KINDS = {"NUMERICAL": "numerical", "SHORTANSWER": "shortanswer", "MULTICHOICE_V": "multichoice"}
_FIELD = re.compile(rf"\{{([0-9]*):({'|'.join(_KINDS)}):({_ALTERNATIVE}(~{_ALTERNATIVE})*)\}}", re.DOTALL)
_NUMBER = r"-?(([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?)"


class Imported(NamedTuple):
    """A question as Moodle has it: its type, name, text, files, mark, answers (text, fraction), subquestions, and the
    key for graders."""

    kind: str
    name: str
    text: str
    files: dict[str, bytes]
    mark: float
    answers: list[tuple[str, float]]
    fields: list[Imported]
    key: str = ""
    template: str = ""


def import_questions(text: str) -> list[tuple[str, Imported]]:
    """The questions of a file, each with its category."""
    root = ElementTree.fromstring(text)
    assert root.tag == "quiz" and all(one.tag == "question" for one in root)
    found, category = [], ""
    for question in root:
        if question.attrib["type"] == "category":
            category = _text(question, "category")
        else:
            found.append((category, _import_question(question)))
    return found


def _text(parent: Element, path: str) -> str:
    found = parent.find(f"{path}/text")
    assert found is not None, f"there is no {path}/text"
    assert len(found) == 0
    return (found.text or "").strip()


def _import_question(question: Element) -> Imported:
    kind, name, body = question.attrib["type"], _text(question, "name"), _text(question, "questiontext")
    told = question.find("questiontext")
    assert name and told is not None and told.get("format") in FORMATS
    files = {one.attrib["name"]: b64decode(one.text or "", validate=True) for one in question.iter("file")}
    assert all(one.attrib == {"name": one.attrib["name"], "path": "/", "encoding": "base64"}
               for one in question.iter("file"))  # fmt: skip
    key = _text(question, "graderinfo") if kind == "essay" else ""
    used = re.findall(r'src="@@PLUGINFILE@@/([^"]+)"', body + key)
    assert sorted(used) == sorted(files)
    mark = 0.0 if kind in ("description", "cloze") else float(question.findtext("defaultgrade") or "")
    answers = [(_text(one, "."), float(one.attrib["fraction"]) / 100) for one in question.findall("answer")]
    fields = _import_fields(body) if kind == "cloze" else []
    template = _text(question, "responsetemplate") if kind == "essay" else ""
    if kind not in ("description", "cloze", "essay"):
        _check_answers(kind, answers)
        tolerances = [one.findtext("tolerance") for one in question.findall("answer")]
        assert kind != "numerical" or all(re.fullmatch(r"[0-9.]+", one or "") for one in tolerances)
    return Imported(kind, name, body, files, mark or sum(one.mark for one in fields), answers, fields, key, template)


def _import_fields(text: str) -> list[Imported]:
    found = []
    for field in _FIELD.finditer(text):
        kind, answers = _KINDS[field[2]], []
        for sign, percent, told, *_ in re.findall(rf"~?{_ALTERNATIVE}", field[3], re.DOTALL):
            assert not percent
            if kind == "numerical":
                number = re.fullmatch(rf"({_NUMBER})(:{_NUMBER})?", told)
                assert number is not None, told
                told = number[1]
            answers.append((html.unescape(told).replace("\\}", "}").replace("\\#", "#"), float(sign == "=")))
        _check_answers(kind, answers)
        found.append(Imported(kind, "", "", {}, float(field[1] or 1), answers, []))
    assert found, "a cloze question has fields"
    return found


def _check_answers(kind: str, answers: list[tuple[str, float]]) -> None:
    """One answer at least is right, none is empty, and numbers are numbers."""
    assert answers and max(fraction for _, fraction in answers) == 1 and all(told for told, _ in answers)
    assert kind != "numerical" or all(re.fullmatch(_NUMBER, told) for told, _ in answers)
    assert kind != "multichoice" or len(answers) > 1
