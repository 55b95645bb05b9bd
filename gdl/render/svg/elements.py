"""SVG elements as text. Every text and attribute passes `escape_xml` here, so no name can leave its place."""

from __future__ import annotations

import html
import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence

from gdl.errors import clean

Point = tuple[float, float]
Stroke = tuple[Point, Point]  # a straight line from one point to another

SERIF = "'Libertinus Serif','STIX Two Text','Times New Roman',Times,'Liberation Serif','DejaVu Serif',serif"


def escape_xml(text: str) -> str:
    """The text for use between tags and in double-quoted attributes, cleaned of what XML does not know."""
    return html.escape(clean(text), quote=True)


def number(value: float) -> str:
    """A length with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def points(at: Iterable[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in at)


def element(name: str, *children: str, **attributes: object) -> str:
    """An element `<name …>children</name>`. An underscore in the name of an attribute stands for a hyphen; an attribute
    that is None is left out."""
    known = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    texts = ((key, number(value) if isinstance(value, float) else str(value)) for key, value in known)
    written = "".join(f' {key}="{escape_xml(value)}"' for key, value in texts)
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def text(x: float, y: float, content: str, *, size: float | None = None, **attributes: object) -> str:
    """A line of text whose vertical middle is at y; x is its left end, unless `text_anchor` says otherwise."""
    drop = 0.34 * (size or 11)  # from the middle of a digit to its foot
    return element("text", escape_xml(content), x=float(x), y=float(y + drop), font_size=size, **attributes)


def on_white(x: float, y: float, content: str, *, size: float = 11, **attributes: object) -> str:
    """A line of text centred at x and y, on a white ground that hides the lines behind it."""
    half = text_width(content, size) / 2 + 1
    ground = element("rect", x=x - half, y=y - size / 2, width=2 * half, height=size, fill="#fff", fill_opacity="0.9")
    return ground + text(x, y, content, size=None if size == 11 else size, **attributes)


def group(parts: Sequence[str], **attributes: object) -> str:
    """The parts as one `<g>`; nothing if there are none."""
    return element("g", "\n", "\n".join(parts), "\n", **attributes) if parts else ""


def document(parts: Iterable[str], width: float, height: float, title: str, description: str) -> str:
    """A whole SVG file; screen readers read its title and description."""
    unique = f"{zlib.crc32((title + description).encode('utf-8', 'replace')):08x}"  # several may stand in one page
    body = [
        element("title", escape_xml(title), id=f"title-{unique}"),
        element("desc", "\n".join(map(escape_xml, description.split("\n"))), id=f"desc-{unique}"),
        element("rect", width="100%", height="100%", fill="#fff"),
        *(part for part in parts if part),
    ]
    return (
        element(
            "svg",
            "\n",
            "\n".join(body),
            "\n",
            xmlns="http://www.w3.org/2000/svg",
            role="img",
            aria_labelledby=f"title-{unique} desc-{unique}",
            width=float(width),
            height=float(height),
            viewBox=f"0 0 {number(width)} {number(height)}",
            font_family=SERIF,
            font_size=11,
        )
        + "\n"
    )


# The width of texts, estimated before any font is known, by the widths of a Times-like serif in hundredths of an em.
#
# Browsers replace a missing font by another that is a little wider or narrower, so every estimate is generous.

_GENEROUS = 1.06
_WIDTHS = {
    18: "'",
    20: "|",
    25: " ,.",
    28: "/:;\\ijlt",
    33: "!()-I[]`fr",
    39: "Js",
    41: '"',
    44: "?acez",
    48: "{}^",
    50: "#$*0123456789_bdghknopquvxyz",
    56: "+<=>FPS~−≤≥αβ",
    61: "ELTZ",
    67: "BCR",
    72: "ADGHKNOQUVXYw∞",
    78: "&m",
    83: "%",
    92: "@MW…",
}
_HUNDREDTHS = {character: width for width, characters in _WIDTHS.items() for character in characters}
_OTHER = 62  # Greek, Cyrillic and accented letters on average
_ANOTHER_FONT = re.compile(r"[\u0590-\u1cff\u2e80-\ud7ff\uf900-\uffef\U00010000-\U0010ffff]")  # serifs lack these
_SANS = 1.25  # letters of a sans serif are as wide as those of a serif, times this


def text_width(text: str, size: float) -> float:
    """The width of a line of text at a font size, in the unit of the size. Where a script needs another font, some
    programs take that font, likely a wide one, for the whole line."""
    wide = _SANS if not text.isascii() and _ANOTHER_FONT.search(text) else 1.0
    return sum(map(_hundredths, text)) * wide * size * _GENEROUS / 100


def _hundredths(character: str) -> int:
    if character in _HUNDREDTHS:
        return _HUNDREDTHS[character]
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 100 if unicodedata.east_asian_width(character) in "WF" else _OTHER


def break_lines(text: str, size: float, width: float) -> list[str]:
    """The text in lines no wider than `width`: broken between words, and between the letters of scripts that have no
    spaces."""
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(text):
        if line and text_width((line + piece).rstrip(), size) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


_CLOSE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"  # Chinese, Japanese and Korean
_STOPS = "。，、；：？！）」』”’"  # never begin a line
_PIECES = re.compile(rf"[{_CLOSE}][{_STOPS}]*\s*|[^\s{_CLOSE}]+[{_STOPS}]*\s*|\s+")


def truncate_text(text: str, most: int) -> str:
    """The text, cut with an ellipsis after `most` characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
