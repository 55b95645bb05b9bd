"""An exam sheet: a line for the name, questions with their points, pictures at one size, places for the answers; as
PDF, HTML, LaTeX or SVG. The key is the same sheet filled in."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gdl.exam.phrases import legend, phrase
from gdl.exam.question import Question
from gdl.game import Game
from gdl.numbers import to_text
from gdl.render.formats import FORMATS, writer
from gdl.render.latex import latex
from gdl.render.matrix import matrix, one_shot
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.page import plain_page
from gdl.render.paper import typst_to_pdf
from gdl.render.picture import Bounds, picture
from gdl.render.svg.elements import document, group, text
from gdl.render.svg.measure import broken
from gdl.solution import Solution

KINDS = ("pdf", "html", "svg", "tex")

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_GAP = 24.0
_WIDTH = 640.0  # of the text of an SVG sheet
_PAPER = 515.0  # points across an A4 page between its margins
_LARGEST = 1.15  # times its natural size a picture is printed at most
_BLANK = "_" * 50


@dataclass(frozen=True)
class Item:
    """A question and its picture, an SVG text or for `tex` a whole LaTeX document."""

    question: Question
    picture: str


@dataclass(frozen=True)
class Sheet:
    """What is printed: of several `variants`, each student gets one; `solved` fills the answers in."""

    items: Sequence[Item]
    language: str
    title: str = ""
    solved: bool = False
    variants: bool = False

    def papers(self) -> list[tuple[str, Sequence[tuple[int, Item]]]]:
        """The heading and the numbered questions of each paper that is handed out."""
        title = self.title or phrase("exam", self.language)
        title += f" · {phrase('key', self.language)}" if self.solved else ""
        if not self.variants:
            return [(title, list(enumerate(self.items, start=1)))]
        word = phrase("variant", self.language)
        return [(f"{title} · {word} {number}", [(1, item)]) for number, item in enumerate(self.items, start=1)]

    def heading(self, number: int, item: Item) -> str:
        """`2. Figure 5.2 (6 points)`."""
        count = item.question.points
        points = f"{to_text(count)} {phrase('point' if count == 1 else 'points', self.language)}"
        return f"{number}. {item.question.title} ({points})" if item.question.title else f"{number}. ({points})"


@numbers_as_in_file
def draw_question(
    game: Game[Any], solution: Solution, kind: str, *, blank: bool, bounds: Bounds | None, language: str = "en"
) -> str:
    """The picture of a question, without what the question says itself."""
    utilities = one_shot(game)
    form = FORMATS["tex" if kind == "tex" else "svg"]
    if utilities is not None:
        tables = matrix(game, utilities, None if blank else solution, blank=blank)
        return str(writer(form.matrix)(replace(tables, title="", words=legend(language))))
    tree = picture(game, None if blank else solution, blank=blank and not _hides(game), bounds=bounds)
    return str(writer(form.tree)(replace(tree, title="", words=legend(language))))


def _hides(game: Game[Any]) -> bool:
    """Whether values of nodes are not asked for, because players do not see everything."""
    return game.traits.perfect_information is False


def sheet_of(sheet: Sheet, kind: str) -> str | bytes:
    """The sheet in one of the KINDS. Raises Refusal where PDF needs an extra that is not installed."""
    match kind:
        case "pdf":
            return _pdf(sheet)
        case "html":
            return _html(sheet)
        case "tex":
            return _latex(sheet)
    return _svg(sheet)


def _size(picture: str) -> tuple[float, float]:
    found = _SIZE.search(picture)
    assert found is not None, "a picture says how large it is"
    return float(found[1]), float(found[2])


# ---- PDF ------------------------------------------------------------------------------------------------------------


def _pdf(sheet: Sheet) -> bytes:
    """Questions one after the other, as many as a page holds, every picture at the same scale."""
    points = 72 / 96
    scale = min([_LARGEST * points, *(_PAPER / _size(item.picture)[0] for item in sheet.items)])
    parts = ['#set document(date: none)\n#set page(paper: "a4", margin: 14mm, numbering: "1")\n#set text(size: 10.5pt)']
    pictures: list[str] = []
    for place, (title, numbered) in enumerate(sheet.papers()):
        parts += ["#pagebreak()"] * bool(place)
        parts.append(f'#text(size: 15pt, weight: "bold", {_typst_string(title)})\n')
        if not sheet.solved:
            parts.append(
                f"#{_typst_string(phrase('name', sheet.language) + ': ')}#box(width: 1fr, line(length: 100%))\n#v(6pt)"
            )
        for number, item in numbered:
            parts.append(_block(sheet, number, item, scale, len(pictures)))
            pictures.append(item.picture)
    return typst_to_pdf("\n".join(parts) + "\n", pictures)


def _block(sheet: Sheet, number: int, item: Item, scale: float, picture: int) -> str:
    """A question that stays together on a page."""
    width, height = (length * scale for length in _size(item.picture))
    shrunk = min(1.0, 640 / height)  # of a picture taller than a page
    lines = [f'text(weight: "bold", {_typst_string(sheet.heading(number, item))})']
    lines += [_typst_string(paragraph) for paragraph in item.question.text]
    lines.append(f'align(center, image("picture{picture}.svg", width: {width * shrunk:.2f}pt))')
    blocks = [f"#block(below: 7pt, {line})" for line in lines]
    for line in item.question.lines:
        answer = _typst_string(" " + line.right) if sheet.solved else '" " + box(width: 1fr, line(length: 100%))'
        asked = _typst_string(line.asked + ":")
        blocks.append(f"#block(below: 9pt, above: 9pt, width: 100%, {asked} + {answer})")
    return "#block(breakable: false, above: 14pt, width: 100%)[\n" + "\n".join(blocks) + "\n]"


def _typst_string(written: str) -> str:
    """A string of typst."""
    return json.dumps(written, ensure_ascii=False)


# ---- HTML -----------------------------------------------------------------------------------------------------------


def _html(sheet: Sheet) -> str:
    papers = []
    for title, numbered in sheet.papers():
        parts = [f"<h1>{html.escape(title)}</h1>"]
        if not sheet.solved:
            parts.append(f'<p class="line">{html.escape(phrase("name", sheet.language))}:</p>')
        for number, item in numbered:
            parts.append(f'<section class="question"><h2>{html.escape(sheet.heading(number, item))}</h2>')
            parts += [f"<p>{html.escape(paragraph)}</p>" for paragraph in item.question.text]
            parts.append(item.picture)
            for line in item.question.lines:
                answer = f" {html.escape(line.right)}" if sheet.solved else ""
                kind = "" if sheet.solved else ' class="line"'
                parts.append(f"<p{kind}>{html.escape(line.asked)}:{answer}</p>")
            parts.append("</section>")
        papers.append(f'<article class="paper">{"".join(parts)}</article>')
    return plain_page(sheet.title or phrase("exam", sheet.language), "\n".join(papers))


# ---- SVG ------------------------------------------------------------------------------------------------------------


def _svg(sheet: Sheet) -> str:
    """One file, all below one another."""
    parts: list[str] = []
    y = 14.0
    width = max([_WIDTH, *(_size(item.picture)[0] for item in sheet.items)])
    for title, numbered in sheet.papers():
        y = _add_text_lines(parts, [title], y, size=15.0, font_weight="bold")
        y = y if sheet.solved else _add_text_lines(parts, [phrase("name", sheet.language) + ": " + _BLANK], y + 6) + 8
        for number, item in numbered:
            y = _add_text_lines(parts, [sheet.heading(number, item)], y + 8, font_weight="bold")
            y = _add_text_lines(parts, [line for one in item.question.text for line in broken(one, 11, _WIDTH)], y)
            across, height = _size(item.picture)
            parts.append(item.picture.replace("<svg ", f'<svg x="{(width - across) / 2:g}" y="{y:g}" ', 1))
            y += height + 4
            for line in item.question.lines:
                answer = line.right if sheet.solved else _BLANK
                y = _add_text_lines(parts, broken(f"{line.asked}: {answer}", 11, _WIDTH), y + 4)
        y += _GAP
    return document(parts, width + 28, y, sheet.title or phrase("exam", sheet.language), "")


def _add_text_lines(parts: list[str], lines: Sequence[str], y: float, size: float = 11.0, **look: object) -> float:
    """Add lines of text; where the next begins."""
    at = [text(14, y + 8 + (size + 4) * row, line, size=size, **look) for row, line in enumerate(lines)]
    parts.append(group(at, fill="#222"))
    return y + (size + 4) * len(lines) + 4


# ---- LaTeX ----------------------------------------------------------------------------------------------------------

_BODY = re.compile(r"\\begin\{document\}\n(.*)\\end\{document\}", re.DOTALL)
_CLASS = re.compile(r"\\documentclass[^\n]*\n")
_RULE = r"\enspace\hrulefill"


def _latex(sheet: Sheet) -> str:
    """One document; what the pictures need alike is said once."""
    heads: list[str] = []
    papers = []
    for title, numbered in sheet.papers():
        name = "" if sheet.solved else f"\\noindent {latex(phrase('name', sheet.language))}:{_RULE}\n"
        body = [f"\\section*{{{latex(title)}}}\n{name}"]
        for number, item in numbered:
            found = _BODY.search(item.picture)
            assert found is not None, "a picture is a whole document"
            head = _CLASS.split(item.picture[: found.start()], maxsplit=1)[-1].strip()
            if not any(head in other for other in heads):
                heads = [*(other for other in heads if other not in head), head]
            body.append(_latex_question(sheet, number, item, found[1].strip()))
        papers.append("\n".join(body))
    packages = ["\\documentclass{article}", "\\usepackage[a4paper,margin=20mm]{geometry}", "\\usepackage{tikz}", *heads]
    return "\n".join([*packages, "\\begin{document}", "\n\\clearpage\n".join(papers), "\\end{document}"]) + "\n"


def _latex_question(sheet: Sheet, number: int, item: Item, picture: str) -> str:
    paragraphs = [f"\\noindent {latex(paragraph)}\\par" for paragraph in item.question.text]
    lines = [
        f"\\noindent {latex(line.asked)}:{' ' + latex(line.right) if sheet.solved else _RULE}\\par\\medskip"
        for line in item.question.lines
    ]
    parts = [f"\\subsection*{{{latex(sheet.heading(number, item))}}}", *paragraphs]
    parts += [f"\\begin{{center}}\n{picture}\n\\end{{center}}", *lines]
    return "\\noindent\\begin{minipage}{\\linewidth}\n" + "\n".join(parts) + "\n\\end{minipage}\\par\\bigskip"
