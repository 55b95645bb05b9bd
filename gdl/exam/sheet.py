"""Pictures put together on a sheet: a page for each, as PDF, HTML or LaTeX, or one below the other as SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.render.latex import latex
from gdl.render.page import plain_page
from gdl.render.paper import pages

KINDS = ("pdf", "html", "svg", "tex")

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_GAP = 24.0


def sheet_of(titles: Sequence[str], pictures: Sequence[str], kind: str) -> str | bytes:
    """The pictures on a sheet: SVG texts, which bear their titles, or for `tex` whole LaTeX documents. Raises Refusal
    where PDF needs an extra that is not installed."""
    match kind:
        case "pdf":
            return pages(pictures)
        case "html":
            sections = [f'<section style="break-after: page">\n{picture}</section>' for picture in pictures]
            return plain_page("Exam", "\n".join(sections))
        case "tex":
            return _latex(titles, pictures)
    return _stacked(pictures)


def _stacked(pictures: Sequence[str]) -> str:
    """One SVG file, the pictures one below the other."""
    parts, top, widest = [], 0.0, 0.0
    for picture in pictures:
        found = _SIZE.search(picture)
        assert found is not None, "a picture says how large it is"
        width, height = float(found[1]), float(found[2])
        parts.append(picture.replace("<svg ", f'<svg y="{top:g}" ', 1))
        top += height + _GAP
        widest = max(widest, width)
    size = f'width="{widest:g}" height="{top:g}" viewBox="0 0 {widest:g} {top:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>\n' + "".join(parts) + "</svg>\n"


_BODY = re.compile(r"\\begin\{document\}\n(.*)\\end\{document\}", re.DOTALL)
_CLASS = re.compile(r"\\documentclass[^\n]*\n")


def _latex(titles: Sequence[str], documents: Sequence[str]) -> str:
    """One document with a page for each; what they need alike is said once."""
    heads: list[str] = []
    bodies = []
    for title, document in zip(titles, documents, strict=True):
        body = _BODY.search(document)
        assert body is not None, "a picture is a whole document"
        head = _CLASS.split(document[: body.start()], maxsplit=1)[-1].strip()
        if not any(head in other for other in heads):
            heads = [*(other for other in heads if other not in head), head]
        bodies.append(f"\\section*{{{latex(title)}}}\n\\begin{{center}}\n{body[1].strip()}\n\\end{{center}}")
    packages = ["\\documentclass{article}", "\\usepackage{tikz}", *heads]
    return "\n".join([*packages, "\\begin{document}", "\n\\clearpage\n".join(bodies), "\\end{document}"]) + "\n"
