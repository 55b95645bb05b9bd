"""A picture as LaTeX: the drawing that SVG shows, line by line in TikZ, so that nothing lies on anything there either.

The document compiles by itself with pdflatex, lualatex or xelatex, and needs no package but tikz. Lengths are in units
of a CSS pixel; change the two at the head of the picture to scale it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree

from gdl.render.latex import FONTS, latex
from gdl.render.picture import Picture
from gdl.render.picture.states import StatePicture
from gdl.render.svg import svg
from gdl.render.svg.states import svg_states

_CLASS = "\\documentclass[tikz,border=6pt]{standalone}\n"
_PREAMBLE = "\\usepackage{tikz}\n\\usetikzlibrary{arrows.meta}\n\\begin{document}\n"
_BP = 0.75  # big points in a CSS pixel
_ANCHORS = {"middle": "base", "end": "base east"}
_SILENT = ("title", "desc", "defs")
_INHERITED = "fill stroke stroke-width stroke-dasharray font-size font-weight font-style text-anchor".split()

Point = tuple[float, float]
Look = dict[str, str]


def tikz(picture: Picture) -> str:
    """The picture as a LaTeX document."""
    return _document(picture, svg(replace(picture, title="")))


def tikz_states(states: StatePicture) -> str:
    """A state graph as a LaTeX document."""
    return _document(states.picture, svg_states(replace(states, picture=replace(states.picture, title=""))))


def _document(picture: Picture, drawn: str) -> str:
    head = "".join(f"% {line}\n" for line in (picture.title, picture.caption) if line)
    lines = _Pen().draw(ElementTree.fromstring(drawn))
    unit = f"[x={_BP:g}bp, y=-{_BP:g}bp]"
    body = ["\\begin{tikzpicture}" + unit, *(f"  {line}" for line in lines), "\\end{tikzpicture}", "\\end{document}"]
    return head + _CLASS + FONTS + _PREAMBLE + "\n".join(body) + "\n"


@dataclass
class _Pen:
    """Translates the elements of an SVG into lines of TikZ, in the order of drawing."""

    lines: list[str] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)

    def draw(self, root: ElementTree.Element) -> list[str]:
        stack: list[tuple[ElementTree.Element, Look, Point]] = [(root, {"fill": "#000", "font-size": "11"}, (0.0, 0.0))]
        while stack:
            element, outer, at = stack.pop()
            tag = element.tag.rpartition("}")[2]
            if tag in _SILENT or element.get("width") == "100%":
                continue
            look = outer | {key: element.attrib[key] for key in _INHERITED if key in element.attrib}
            moved = re.fullmatch(r"translate\(([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
            if moved:
                at = at[0] + float(moved[1]), at[1] + float(moved[2])
            self.lines += self._element(tag, element, look, at)
            stack += [(child, look, at) for child in reversed(element)]
        named = [f"\\definecolor{{{name}}}{{HTML}}{{{value}}}" for value, name in self.colours.items()]
        return [*named, *self.lines]

    def _element(self, tag: str, element: ElementTree.Element, look: Look, at: Point) -> Iterator[str]:
        given = element.attrib
        match tag:
            case "text":
                yield self._text(element, look, at)
            case "line":
                (x1, y1), (x2, y2) = _offset_point(given, "x1", "y1", at), _offset_point(given, "x2", "y2", at)
                yield f"\\draw{self._options(look, None)} {_point(x1, y1)} -- {_point(x2, y2)};"
            case "rect":
                x, y = _offset_point(given, "x", "y", at)
                width, height = float(given["width"]), float(given["height"])
                corners = min(float(given.get("rx", 0)), width / 2, height / 2)
                rounded = f"rounded corners={corners * _BP:.3g}bp" if corners else ""
                shape = f"{_point(x, y)} rectangle {_point(x + width, y + height)}"
                yield f"\\path{self._options(look, look.get('fill'), rounded)} {shape};"
            case "circle":
                x, y = _offset_point(given, "cx", "cy", at)
                radius = f"circle[radius={float(given['r']) * _BP:.3g}bp]"
                yield f"\\path{self._options(look, look.get('fill'))} {_point(x, y)} {radius};"
            case "polygon":
                pairs = [tuple(map(float, pair.split(","))) for pair in given["points"].split()]
                corners_ = " -- ".join(_point(x + at[0], y + at[1]) for x, y in pairs)
                yield f"\\path{self._options(look, look.get('fill'))} {corners_} -- cycle;"
            case "path":
                arrow = "-{Stealth[length=5bp]}" if "marker-end" in given else ""
                fill = look.get("fill") if "stroke" not in look else None
                yield f"\\path{self._options(look, fill, arrow)} {_path(given['d'], at)};"

    def _options(self, look: Mapping[str, str], fill: str | None, more: str = "") -> str:
        found = []
        stroke = look.get("stroke", "none")
        if stroke != "none":
            found += [f"draw={self._colour(stroke)}", f"line width={float(look.get('stroke-width', 1)) * _BP:.3g}bp"]
            if dashes := look.get("stroke-dasharray", "").split():
                on, off = (f"{float(dash) * _BP:.3g}bp" for dash in dashes)
                found.append(f"dash pattern=on {on} off {off}")
        if fill not in (None, "none"):
            assert fill is not None
            found.append(f"fill={self._colour(fill)}")
        return f"[{', '.join([*found, *([more] if more else [])])}]"

    def _colour(self, written: str) -> str:
        """The name under which a colour such as `#1b4f8f` or `#222` is defined in the document."""
        digits = written.removeprefix("#").upper()
        value = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
        return self.colours.setdefault(value, f"gdl{value}")

    def _text(self, element: ElementTree.Element, look: Look, at: Point) -> str:
        x, y = _offset_point(element.attrib, "x", "y", at)
        size = float(look["font-size"]) * _BP
        style = "\\bfseries " if look.get("font-weight") == "bold" else ""
        style += "\\itshape " if look.get("font-style") == "italic" else ""
        anchor = _ANCHORS.get(look.get("text-anchor", ""), "base west")
        options = f"[anchor={anchor}, inner sep=0pt, text={self._colour(look['fill'])}]"
        font = f"\\fontsize{{{size:.3g}bp}}{{{size * 1.2:.3g}bp}}\\selectfont "
        return f"\\node{options} at {_point(x, y)} {{{font}{style}{latex(element.text or '')}}};"


def _offset_point(given: Mapping[str, str], x: str, y: str, at: Point) -> Point:
    return float(given.get(x, 0)) + at[0], float(given.get(y, 0)) + at[1]


def _point(x: float, y: float) -> str:
    return f"({x:.1f},{y:.1f})"


_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "h": 1, "v": 1, "Q": 4, "C": 6, "z": 0, "Z": 0}


def _path(data: str, at: Point) -> str:
    """The data of an SVG path as a path of TikZ, moved by `at`; a quadratic curve becomes the same cubic one."""
    tokens = re.findall(r"[A-Za-z]|-?[0-9.]+", data)
    parts: list[str] = []
    here: Point = (0.0, 0.0)
    place, command = 0, "M"
    while place < len(tokens):
        if tokens[place].isalpha():
            command, place = tokens[place], place + 1
        numbers = [float(token) for token in tokens[place : place + _TAKES[command]]]
        place += _TAKES[command]
        points = [(x + at[0], y + at[1]) for x, y in zip(numbers[::2], numbers[1::2], strict=len(numbers) != 1)]
        if command in "zZ":
            parts.append("-- cycle")
            continue
        if len(numbers) == 1:
            end = _stroke_end(command, numbers[0], here, at)
            parts.append(f"-- {_point(*end)}")
        elif len(points) > 1:
            end = points[-1]
            one, two = points[:2] if command == "C" else _cubic(here, points[0], end)
            parts.append(f".. controls {_point(*one)} and {_point(*two)} .. {_point(*end)}")
        else:
            end = points[0]
            parts.append(("-- " if command == "L" else "") + _point(*end))
        here = end
    return " ".join(parts)


def _stroke_end(command: str, length: float, here: Point, at: Point) -> Point:
    """The end of a horizontal or vertical stroke; `command` is H, V (absolute), h or v (relative)."""
    origin = at if command.isupper() else here
    return (origin[0] + length, here[1]) if command in "Hh" else (here[0], origin[1] + length)


def _cubic(start: Point, control: Point, end: Point) -> tuple[Point, Point]:
    def point_towards(one: Point, other: Point) -> Point:
        return one[0] + 2 / 3 * (other[0] - one[0]), one[1] + 2 / 3 * (other[1] - one[1])

    return point_towards(start, control), point_towards(end, control)
