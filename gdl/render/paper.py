"""SVG as PNG or PDF, by the typst package (an optional extra that brings its own fonts)."""

from __future__ import annotations

import html
import re
import tempfile
import unicodedata
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from gdl.errors import Refusal, listing, pip_install

_PIXELS = 12_000  # at most, on a PNG's longer side
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_LINE = 40  # points between two characters that are tried
_TRIED = re.compile(r'matrix\(1 0 0 -1 [0-9.]+ ([0-9.]+)\)"><use xlink:href="#(\w+)"')  # how far down, which glyph
_NO_CHARACTER = "\uffff"  # a character that no font has
_INCH = 96.0  # CSS pixels
_PAGE = {  # typst code of a page for a picture
    "png": '#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n#image("picture0.svg", width: 100%)',
    "pdf": '#set page(paper: "a4", flipped: {flipped}, margin: 12mm)\n#align(center + horizon, {image})',
}


def png(svg: str) -> bytes:
    """The SVG as a PNG of twice its natural size. Warns of characters that no font has. Raises Refusal where typst is
    not installed."""
    return compile_pages([svg], *_page(svg, "png"))


def pdf(svg: str) -> bytes:
    """The SVG on an A4 page, up to twice as large and always whole. Warns and raises as `png`."""
    return compile_pages([svg], *_page(svg, "pdf"))


def compile_pages(svgs: Sequence[str], pages: str, form: Literal["png", "pdf"], ppi: float | None = None) -> bytes:
    """A document of typst as PDF, or as PNG of so many pixels to the inch; the pictures are its files picture0.svg,
    picture1.svg and so on. Warns and raises as `png`."""
    try:
        import typst
    except ImportError:
        missing = "PNG and PDF need the package typst, which is not installed"
        raise Refusal(f"{missing}: {pip_install('gdl[pictures]')}") from None
    _warn_of_missing(typst, svgs, pages)
    with tempfile.TemporaryDirectory() as folder:
        for number, svg in enumerate(svgs):
            Path(folder, f"picture{number}.svg").write_text(svg, encoding="utf-8")
        Path(folder, "pages.typ").write_text(pages, encoding="utf-8")
        made: bytes = typst.compile(str(Path(folder, "pages.typ")), format=form, ppi=ppi)
        return made


def _warn_of_missing(typst: Any, svgs: Sequence[str], pages: str) -> None:
    texts = (html.unescape(_TAG.sub("", text)) for svg in svgs for text in _TEXT.findall(svg))
    missing = _missing_glyphs(typst, {*pages, *"".join(texts)})
    if missing:
        them = "it is an empty box" if len(missing) == 1 else "they are empty boxes"
        cure = "install a font that does, or write .svg, which is drawn with the fonts of whoever opens it"
        warnings.warn(f"no font here has {listing(missing)}: {them}; {cure}", stacklevel=4)


def _missing_glyphs(typst: Any, characters: set[str]) -> list[str]:
    """The characters that no font has, sorted. Each is drawn on a line of its own, and compared with the glyph that is
    drawn for a character that does not exist."""
    tried = sorted(c for c in characters if not c.isascii() and unicodedata.category(c)[0] in "LNPS")
    if not tried:
        return []
    lines = [f'#place(dy: {_LINE * row}pt, text("{c}"))' for row, c in enumerate([_NO_CHARACTER, *tried])]
    with tempfile.TemporaryDirectory() as folder:
        page = f"#set page(width: 200pt, height: {_LINE * (len(lines) + 5)}pt)\n" + "\n".join(lines) + "\n"
        Path(folder, "tried.typ").write_text(page, encoding="utf-8")
        drawn = typst.compile(str(Path(folder, "tried.typ")), format="svg").decode("utf-8")
    glyphs = [(float(down), glyph) for down, glyph in _TRIED.findall(drawn)]
    first, none = glyphs[0]
    return [tried[round((down - first) / _LINE) - 1] for down, glyph in glyphs[1:] if glyph == none]


def _page(svg: str, form: Literal["png", "pdf"]) -> tuple[str, Literal["png", "pdf"], float]:
    """The typst document that shows the picture, without a date, so that the same picture gives the same bytes; its
    form, and how many pixels there are to the inch."""
    found = _SIZE.search(svg)
    assert found is not None, "a picture says how large it is"
    width, height = (float(length) * 72 / _INCH for length in found.groups())
    across, down = (841.89, 595.28) if width > height else (595.28, 841.89)
    scale = min(2, (across - 69) / width, (down - 69) / height)
    image = f'image("picture0.svg", width: {width * scale:.2f}pt)'
    page = _PAGE[form].format(
        width=round(width, 2), height=round(height, 2), flipped=str(width > height).lower(), image=image
    )
    return f"#set document(date: none)\n{page}\n", form, min(2 * _INCH, 72 * _PIXELS / max(width, height))
