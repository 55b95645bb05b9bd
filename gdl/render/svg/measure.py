"""The width of texts, estimated before any font is known, by the widths of a Times-like serif in hundredths of an em.

Browsers replace a missing font by another that is a little wider or narrower, so every estimate is generous.
"""

from __future__ import annotations

import re
import unicodedata

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


def broken(text: str, size: float, width: float) -> list[str]:
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
