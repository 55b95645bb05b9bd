"""SVG as PNG or PDF, by the typst package (an optional extra that brings its own fonts)."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from gdl.errors import Refusal

EXTRA = "pip install 'gdl[pictures]'"
_PIXELS = 12_000  # of a PNG's longer side
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_INCH = 96.0  # CSS pixels
_PAGE = {  # of the picture's name, size in points and margin
    "png": '#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n#image("picture.svg", width: 100%)',
    "pdf": '#set page(paper: "a4", flipped: {flipped}, margin: 12mm)\n#align(center + horizon, {image})',
}


def png(svg: str) -> bytes:
    """The SVG as a PNG of twice its natural size. Raises Refusal where typst is not installed."""
    return _paper(svg, "png")


def pdf(svg: str) -> bytes:
    """The SVG on an A4 page, up to twice as large and always whole. Raises Refusal where typst is not installed."""
    return _paper(svg, "pdf")


def _paper(svg: str, form: Literal["png", "pdf"]) -> bytes:
    typst = _typst()
    width, height = (float(length) * 72 / _INCH for length in _size(svg))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "picture.svg").write_text(svg, encoding="utf-8")
        Path(folder, "page.typ").write_text(_page(form, width, height), encoding="utf-8")
        ppi = min(2 * _INCH, 72 * _PIXELS / max(width, height))
        made: bytes = typst.compile(str(Path(folder, "page.typ")), format=form, ppi=ppi)
        return made


def printed(pages: str, svgs: Sequence[str]) -> bytes:
    """A document of typst as PDF; the pictures are its files picture0.svg, picture1.svg and so on.

    Raises Refusal where typst is not installed.
    """
    typst = _typst()
    with tempfile.TemporaryDirectory() as folder:
        for number, svg in enumerate(svgs):
            Path(folder, f"picture{number}.svg").write_text(svg, encoding="utf-8")
        Path(folder, "pages.typ").write_text(pages, encoding="utf-8")
        written: bytes = typst.compile(str(Path(folder, "pages.typ")), format="pdf")
        return written


def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise Refusal(f"PNG and PDF need the package typst, which is not installed: {EXTRA}") from None
    return typst


def _size(svg: str) -> tuple[str, str]:
    found = _SIZE.search(svg)
    assert found is not None, "a picture says how large it is"
    return found[1], found[2]


def _page(form: Literal["png", "pdf"], width: float, height: float) -> str:
    """The typst document: no date, so that the same picture is the same bytes."""
    across, down = (841.89, 595.28) if width > height else (595.28, 841.89)
    scale = min(2, (across - 69) / width, (down - 69) / height)
    image = f'image("picture.svg", width: {width * scale:.2f}pt)'
    page = _PAGE[form].format(
        width=round(width, 2), height=round(height, 2), flipped=str(width > height).lower(), image=image
    )
    return f"#set document(date: none)\n{page}\n"
