"""An exam sheet: a line for the name, questions with their points, pictures at one size, places for the answers; as
PDF, HTML or LaTeX. The key is the same sheet filled in."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any
from unicodedata import bidirectional

from gdl.game import Game, maximiser
from gdl.numbers import to_text
from gdl.render.formats import FORMATS, writer
from gdl.render.latex import latex
from gdl.render.matrix import matrix, one_shot
from gdl.render.node_names import Nodes
from gdl.render.numbers_as_written import numbers_as_in_file
from gdl.render.page import plain_page
from gdl.render.paper import compile_pages
from gdl.render.picture import Bounds, Picture, PictureNode, picture
from gdl.render.svg.arrange import SMALL
from gdl.render.svg.elements import document, text
from gdl.render.svg.legend import typeset_caption
from gdl.solution import Solution
from gdl.wings.exam.phrases import NO_ISOLATES, Words
from gdl.wings.exam.question import AnswerLine, Question
from gdl.wings.exam.window_texts import with_roots_rounded

KINDS = ("pdf", "html", "tex")

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_PAPER = 515.0  # points across an A4 page between its margins
_POINTS = 72 / 96  # points in a CSS pixel
_LARGEST = 1.15  # scale of a printed picture, at most
_SMALLEST = 8 / SMALL  # points that a pixel takes at least, so that the smallest letters have 8 points
_WHOLE = 12  # lines of an answer that stay with their question
_MARK = "\N{RIGHT-TO-LEFT MARK}"
_LEFT, _LEFT_ENDS = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


@dataclass(frozen=True)
class Item:
    """A question and its picture: SVG, or for the format `tex` a LaTeX document; "" if it has none. `note` stands
    behind the picture; a `group` begins on a new page, with this heading. `number` is the question's (0: its place on
    the sheet), and `shown` how many of its answers stand there (None: all on a key, else none)."""

    question: Question
    picture: str
    note: tuple[str, ...] = ()
    group: str = ""
    number: int = 0
    shown: int | None = None


@dataclass(frozen=True)
class Sheet:
    """A sheet to print: the questions of each paper; with `variants` each student gets one of these, with its number.
    `solved` fills the answers in, for the key. Above the questions stand the fields of the `header` to fill in, and the
    `total`, behind them the lines of `formulas`. Of `slides` each paper is one."""

    questions: Sequence[Sequence[Item]]
    words: Words
    title: str = ""
    solved: bool = False
    variants: bool = False
    header: Sequence[str] = ()
    total: str = ""
    formulas: Sequence[str] = ()
    slides: bool = False

    def papers(self) -> list[tuple[str, Sequence[tuple[int, Item]]]]:
        """The papers to hand out: for each its title and its numbered questions."""
        title = self.title or self.words["exam"]
        title += f" · {self.words['key']}" if self.solved else ""
        variant = f" · {self.words['variant']} {{}}" if self.variants else ""
        return [(title + variant.format(number), [(item.number or at, item) for at, item in enumerate(items, start=1)])
                for number, items in enumerate(self.questions, start=1)]  # fmt: skip

    @property
    def fields(self) -> Sequence[str]:
        """The names of the fields to fill in above the questions; none on a key or a slide."""
        return () if self.solved or self.slides else self.header or (self.words["name"],)

    def lines(self, item: Item) -> list[tuple[AnswerLine, bool]]:
        """The lines for the answers to a question, each with whether its answer is filled in. On a key no line is only
        to be written on, before it none is only an answer."""
        lines = item.question.lines
        shown = item.shown if item.shown is not None else len(lines) if self.solved else 0
        told = ((line, at < shown) for at, line in enumerate(lines))
        return [(line, solved) for line, solved in told if line.asked or bool(line.right) == solved]

    def answer(self, line: AnswerLine) -> str:
        """The right answer for a line, marked to run from left to right in every language."""
        return self.from_left(typeset_answer(line.right))

    def from_left(self, text: str) -> str:
        return f"{_LEFT}{text}{_LEFT_ENDS}" if self.words.direction == "rtl" else text

    def heading(self, number: int, item: Item) -> str:
        """The heading of a question, `2. Figure 5.2 (6 points)`."""
        count = item.question.points
        points = f"{to_text(count)} {self.words['point' if count == 1 else 'points']}"
        mark = _MARK if self.words.direction == "rtl" else ""  # so that the brackets stand where they should
        return f"{number}. {item.question.title}{mark} ({points})" if item.question.title else f"{number}. ({points})"


def asked_text(line: AnswerLine) -> str:
    """The heading of a line for an answer; "" for a line that is only to be written on."""
    return line.asked and f"{line.asked}:"


def typeset_answer(text: str) -> str:
    """The answer as a book prints it: ≤, a minus that is no hyphen, [−∞, 3]."""
    return typeset_caption(with_roots_rounded(text)).replace("[-inf,", "[−∞,").replace(", inf]", ", ∞]")


@numbers_as_in_file
def draw_question(
    game: Game[Any],
    solution: Solution | None,
    kind: str,
    *,
    blank: bool,
    bounds: Bounds | None,
    words: Words,
    depth: int | None = None,
    values: bool = True,
    estimates: bool = False,
) -> str:
    """The picture of a question, without its title. Trees are drawn down to `depth` (None: as far as they fit). `blank`
    leaves the answers out and, if `values` are asked for, leaves room for them at the nodes. The nodes at which search
    is cut off show their `estimates`: those at the depth, or all."""
    utilities = one_shot(game)
    form = FORMATS["tex" if kind == "tex" else "svg"]
    if utilities is not None:
        tables = matrix(game, utilities, None if blank else solution, blank=blank)
        return str(writer(form.matrix)(replace(tables, title="", words=words.legend)))
    drawn = picture(game, None if blank else solution, depth=depth, blank=blank and values, bounds=bounds)
    tree = with_estimates(drawn, game, everywhere=estimates)
    nodes = []
    for node in tree.nodes:
        mover = words["chance"] if node.shape == "chance" else node.mover
        cut = words.crossing(node.cut).translate(NO_ISOLATES)
        nodes.append(replace(node, folded=node.folded if depth is None else "", mover=mover, cut=cut))
    return str(writer(form.tree)(replace(tree, nodes=tuple(nodes), title="", words=words.legend)))


def side_by_side(boards: Sequence[tuple[str, str]]) -> str:
    """One picture of several, each below its name, as SVG."""
    parts, across, height = list[str](), 0.0, 0.0
    for name, svg in boards:
        width, high = _size(svg)
        parts.append(text(across + width / 2, 10, name, size=13, text_anchor="middle"))
        parts.append(svg.replace("<svg ", f'<svg x="{across:g}" y="20" ', 1))
        across, height = across + width + 20, max(height, high + 20)
    return document(parts, across - 20, height, "", "; ".join(name for name, _ in boards))


def with_estimates(tree: Picture, game: Game[Any], everywhere: bool = False) -> Picture:
    """The picture with the estimates of the nodes that are drawn as cut off, as of ends; or of all inner nodes."""
    nodes, first = list[PictureNode](), maximiser(game.players)
    for node in tree.nodes:
        asked = node.parent is not None and (bool(node.children) if everywhere else bool(node.folded))
        found = game.evaluate(Nodes(game).node_at(node.path).state) if asked else None
        told = to_text(found[first]) if found else ""
        at_end = {"payoff": (told,), "shape": "end", "folded": "", "mover": ""}
        nodes.append(replace(node, **({"value": told, "bound": "~"} if everywhere else at_end)) if told else node)
    return replace(tree, nodes=tuple(nodes))


def sheet_of(sheet: Sheet, kind: str) -> str | bytes:
    """The sheet in one of the KINDS. Raises Refusal if the extra for PDF is not installed."""
    writers: Mapping[str, Callable[[Sheet], str | bytes]] = {"pdf": _pdf, "html": _html, "tex": _latex}
    return writers[kind](sheet)


def _size(picture: str) -> tuple[float, float]:
    """The width and height that a picture says it has; 1 for none."""
    found = _SIZE.search(picture)
    return (float(found[1]), float(found[2])) if found else (1.0, 1.0)


# ---- PDF ------------------------------------------------------------------------------------------------------------


def _pdf(sheet: Sheet) -> bytes:
    """The sheet as PDF: questions one after the other, as many as fit on a page, every picture at its own best
    scale."""
    paper, size = ("presentation-16-9", "14pt") if sheet.slides else ("a4", "10.5pt")
    parts = ["#set document(date: none)", f'#set page(paper: "{paper}", margin: 14mm, numbering: "1")']
    language = _typst_string(sheet.words.language)
    parts.append(f"#set text(size: {size}, dir: {sheet.words.direction}, lang: {language})")
    pictures: list[str] = []
    for place, (title, numbered) in enumerate(sheet.papers()):
        numbers = [] if sheet.slides else ["#counter(page).update(1)"]
        parts += ["#pagebreak(weak: true)", *numbers] * bool(place)
        head = [] if sheet.slides else [_typst_heading(title)]
        blanks = [f"#{_typst_string(name + ': ')}#box(width: 1fr, line(length: 100%))" for name in sheet.fields]
        head += [f"{' '.join(blanks)}\n#v(6pt)"] * bool(blanks)
        head += [f"#{_typst_string(sheet.total)}\n"] * bool(sheet.total)
        for number, item in numbered:
            page, scale = ("", _slide_scale(item.picture)) if sheet.slides else _page_and_scale(item.picture)
            if item.group:
                parts += ["#pagebreak(weak: true)"] * (item is not numbered[0][1])
                head.append(_typst_heading(item.group))
            block = "\n".join([*head, _block(sheet, number, item, scale, len(pictures))])
            parts.append(f"#page({page})[\n{block}\n]" if page else block)
            head = []
            pictures.append(item.picture)
        if sheet.formulas:
            parts += ["#pagebreak(weak: true)", _typst_heading(sheet.words["formulas"])]
            parts += [f"#block(above: 12pt, {_typst_string(formula)})" for formula in sheet.formulas]
    return compile_pages(pictures, "\n".join(parts) + "\n", "pdf")


def _typst_heading(title: str) -> str:
    return f'#text(size: 15pt, weight: "bold", {_typst_string(title)})\n'


def _slide_scale(picture: str) -> float:
    """The scale at which a picture takes the most of a slide that leaves room for the text."""
    width, height = _size(picture)
    return min(2 * _LARGEST * _POINTS, 750 / width, 190 / height)


def _page_and_scale(picture: str) -> tuple[str, float]:
    """The typst parameters of the page that a picture needs ("": the usual A4), and its scale: as large as is allowed
    and fits, but no smaller than readable. A wide picture gets an A4 page across, a wider one a larger page."""
    width, height = _size(picture)
    for page, across, down in (("", _PAPER, 600.0), ("flipped: true", 762.0, 330.0)):
        scale = min(_LARGEST * _POINTS, across / width, down / height)
        if scale >= _SMALLEST:
            return page, scale
    across, down = max(595, width * _SMALLEST + 80), max(842, height * _SMALLEST + 240)
    return f"width: {across:.0f}pt, height: {down:.0f}pt", _SMALLEST


def _block(sheet: Sheet, number: int, item: Item, scale: float, picture: int) -> str:
    """The typst code of a question. It stays together on a page, unless it has many lines; `picture` is the number of
    its picture."""
    lines = [f'text(weight: "bold", {_typst_string(sheet.heading(number, item))})']
    lines += [_typst_paragraph(paragraph) for paragraph in item.question.text]
    if item.picture:
        lines.append(f'align(center, image("picture{picture}.svg", width: {_size(item.picture)[0] * scale:.2f}pt))')
    lines += [_typst_paragraph(paragraph) for paragraph in item.note]
    blocks = [f"#block(below: 7pt, width: 100%, {line})" for line in lines]
    lines_below = []
    for line, solved in sheet.lines(item):
        space, asked = '" " + box(width: 1fr, line(length: 100%))', _typst_string(asked_text(line))
        answer = _typst_string(" " + sheet.answer(line)) if solved else space
        if solved and line.table:
            cells = ", ".join(_typst_string(sheet.from_left(cell)) for row in line.table for cell in row)
            answer = f"block(table(columns: {len(line.table[0])}, inset: 4pt, {cells}))"
        lines_below.append(f"block(below: 9pt, above: 9pt, width: 100%, {asked} + {answer})")
    most = _WHOLE // 2 if sheet.slides else _WHOLE
    columns = min(3 if sheet.slides else 2, ceil(len(lines_below) / most) or 1)
    blocks.append(f"#grid(columns: {columns}, column-gutter: 18pt, row-gutter: 9pt, {', '.join(lines_below)})")
    rows = sum(max(1, len(line.table) if solved else 1) for line, solved in sheet.lines(item)) / columns
    whole = "false" if rows <= most else "true"
    return f"#block(breakable: {whole}, above: 24pt, width: 100%)[\n" + "\n".join(blocks) + "\n]"


def runs_from_right(text: str) -> bool:
    """True if the text begins with letters that are written from right to left, as a teacher's own may on any sheet."""
    return next((bidirectional(one) in ("R", "AL") for one in text if bidirectional(one) in ("L", "R", "AL")), False)


def _typst_paragraph(written: str) -> str:
    return f"text(dir: rtl, {_typst_string(written)})" if runs_from_right(written) else _typst_string(written)


def _typst_string(written: str) -> str:
    """The text as a string literal of typst."""
    return json.dumps(written, ensure_ascii=False)


# ---- HTML -----------------------------------------------------------------------------------------------------------


def _html(sheet: Sheet) -> str:
    papers = []
    for title, numbered in sheet.papers():
        parts = [] if sheet.slides else [f"<h1>{html.escape(title)}</h1>"]
        parts += [f'<p class="line">{html.escape(name)}:</p>' for name in sheet.fields]
        parts += [f"<p>{html.escape(sheet.total)}</p>"] * bool(sheet.total)
        look = f'class="paper" lang="{sheet.words.language}" dir="{sheet.words.direction}"'
        for number, item in numbered:
            if item.group:
                parts += [f"</article><article {look}>"] * (item is not numbered[0][1])
                parts.append(f"<h1>{html.escape(item.group)}</h1>")
            parts.append(f'<section class="question"><h2>{html.escape(sheet.heading(number, item))}</h2>')
            parts += map(_html_paragraph, item.question.text)
            parts.append(f'<div dir="ltr">{_at_largest(item.picture)}</div>' if item.picture else "")
            parts += map(_html_paragraph, item.note)
            for line, solved in sheet.lines(item):
                if solved and line.table:
                    rows = ("".join(f'<td dir="auto">{html.escape(cell)}</td>' for cell in row) for row in line.table)
                    table = "".join(f"<tr>{row}</tr>" for row in rows)
                    parts.append(f"<p>{html.escape(asked_text(line))}</p><table>{table}</table>")
                    continue
                answer = f" {html.escape(sheet.answer(line))}" if solved else ""
                kind = "" if solved else ' class="line"'
                parts.append(f"<p{kind}>{html.escape(asked_text(line))}{answer}</p>")
            parts.append("</section>")
        if sheet.formulas:
            parts.append(f"</article><article {look}><h1>{html.escape(sheet.words['formulas'])}</h1>")
            parts += [f"<p>{html.escape(formula)}</p>" for formula in sheet.formulas]
        papers.append(f"<article {look}>{''.join(parts)}</article>")
    style = "tree steps slides" if sheet.slides else "tree steps"
    return plain_page(sheet.title or sheet.words["exam"], "\n".join(papers), style, sheet.words.page)


def _html_paragraph(written: str) -> str:
    direction = ' dir="rtl"' if runs_from_right(written) else ""
    return f"<p{direction}>{html.escape(written)}</p>"


def _at_largest(picture: str) -> str:
    """The picture scaled to the largest size that sheets allow."""
    width, height = (length * _LARGEST for length in _size(picture))
    return re.sub(r' width="[0-9.]+" height="[0-9.]+"', f' width="{width:.2f}" height="{height:.2f}"', picture, count=1)


# ---- LaTeX ----------------------------------------------------------------------------------------------------------

_BODY = re.compile(r"\\begin\{document\}\n(.*)\\end\{document\}", re.DOTALL)
_CLASS = re.compile(r"\\documentclass[^\n]*\n")
_RULE = r"\enspace\hrulefill"
_SCALE = f"{_SMALLEST / _POINTS + 0.005:.3f}"  # scale of a picture whose smallest letters have 8 points
_WIDE = r"""\newsavebox\drawn
\ifdefined\pagewidth\else\let\pagewidth\pdfpagewidth\let\pageheight\pdfpageheight\fi
\newcommand\onitsownpage{\clearpage\begingroup
  \pagewidth\dimexpr\wd\drawn+40mm\relax\pageheight\dimexpr\ht\drawn+\dp\drawn+40mm\relax
  \hoffset\dimexpr20mm-1in\relax\voffset\hoffset\shipout\box\drawn\endgroup}"""  # what is wider than a line
_LEFT_TO_RIGHT = r"\setbox\drawn\hbox dir TLT{\textdir TLT\pardir TLT\bodydir TLT\selectlanguage{english}"  # of LuaTeX
_LATEX_PERSIAN = (  # for LuaLaTeX
    r"\usepackage[bidi=basic,provide=*]{babel}\babelprovide[main,import]{persian}"
    r"\babelprovide[import]{english}"
)


def _latex(sheet: Sheet) -> str:
    """The sheet as one LaTeX document; definitions that all pictures need are in it only once."""
    heads: list[str] = []
    papers = []
    for title, numbered in sheet.papers():
        names = " ".join(f"{latex(name)}:{_RULE}" for name in sheet.fields)
        body = [] if sheet.slides else [f"\\section*{{{latex(title)}}}"]
        body += [f"\\noindent {told}\\par\\bigskip" for told in (names, latex(sheet.total)) if told]
        for number, item in numbered:
            if item.group:
                body += ["\\clearpage"] * (item is not numbered[0][1])
                body.append(f"\\section*{{{latex(item.group)}}}")
            found = _BODY.search(item.picture)
            if found is None:
                body.append(_latex_question(sheet, number, item, ""))
                continue
            head = _CLASS.split(item.picture[: found.start()], maxsplit=1)[-1].strip()
            if not any(head in other for other in heads):
                heads = [*(other for other in heads if other not in head), head]
            body.append(_latex_question(sheet, number, item, found[1].strip()))
        if sheet.formulas:
            body.append(f"\\clearpage\\section*{{{latex(sheet.words['formulas'])}}}")
            body += [f"\\noindent {_latex_paragraph(sheet, formula)}\\par\\medskip" for formula in sheet.formulas]
        papers.append("\n".join(body))
    lines = ["% !TeX program = lualatex"] * (sheet.words.language not in ("en", "de"))  # pdflatex lacks the letters
    lines += ["\\documentclass{article}", *[_LATEX_PERSIAN] * (sheet.words.direction == "rtl")]
    lines += ["\\usepackage[a4paper,margin=20mm]{geometry}\\usepackage{tikz}", *heads, _WIDE]
    return "\n".join([*lines, "\\begin{document}", "\n\\clearpage\n".join(papers), "\\end{document}"]) + "\n"


_FORMULA = re.compile(rf"{_LEFT}[^{_LEFT_ENDS}]*{_LEFT_ENDS}|[^\s()،؛.]+(?: (?:≥|≤|>|<|=) [^\s()،؛.]+)+|\(≤, ≥\)")


def _latex_paragraph(sheet: Sheet, text: str) -> str:
    """The paragraph; where it runs from right to left, each formula in one piece from left to right."""
    if sheet.words.direction == "ltr":
        return latex(text)
    parts, position = [], 0
    for found in _FORMULA.finditer(text):
        parts += [latex(text[position : found.start()]), _latex_from_left(found[0].strip(_LEFT + _LEFT_ENDS))]
        position = found.end()
    return "".join([*parts, latex(text[position:])])


def _latex_from_left(text: str) -> str:
    return f"{{\\selectlanguage{{english}}\\textdir TLT {latex(text)}}}"


def _latex_question(sheet: Sheet, number: int, item: Item, picture: str) -> str:
    paragraphs = [f"\\noindent {_latex_paragraph(sheet, paragraph)}\\par" for paragraph in item.question.text]
    lines, is_from_right = [], sheet.words.direction == "rtl"
    lines += [f"\\noindent {_latex_paragraph(sheet, paragraph)}\\par" for paragraph in item.note]
    for line, solved in sheet.lines(item):
        rows = " \\\\\n".join(" & ".join(map(latex, row)) for row in line.table)
        plain = typeset_answer(line.right)
        right = f" {_latex_from_left(plain) if is_from_right else latex(plain)}"
        right = f"\\\\\n\\begin{{tabular}}{{llll}}\n{rows}\n\\end{{tabular}}" if rows else right
        lines.append(f"\\noindent {latex(asked_text(line))}{right if solved else _RULE}\\par\\medskip")
    heading = '\\char"200F{}'.join(map(latex, sheet.heading(number, item).split(_MARK)))
    parts = [f"\\subsection*{{{heading}}}", *paragraphs]
    box = _LEFT_TO_RIGHT if is_from_right else "\\sbox\\drawn{"
    drawn = f"{box}\\scalebox{{{_SCALE}}}{{%\n{picture}}}}}%\n" if picture else ""
    fits = "\\begin{center}\\ifdim\\wd\\drawn>\\linewidth\\else\\usebox\\drawn\\fi\\end{center}"
    parts += [*([fits] if picture else []), *lines]
    body = "\\noindent\\begin{minipage}{\\linewidth}\n" + "\n".join(parts) + "\n\\end{minipage}\\par\\bigskip"
    return f"{drawn}{body}" + ("\n\\ifdim\\wd\\drawn>\\linewidth\\onitsownpage\\fi" if picture else "")
