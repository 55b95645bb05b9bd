"""The formats in which a game is drawn or its state graph written: one row for each, read by `gdl draw`, `gdl graph`,
`gdl show`, `gdl solve`, their help and their options. To add one, write its file and its row."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Format:
    """One row of the table of formats: its name (and the ending of its files), its purpose, its writers.

    A writer is given as `module:function` and imported when it is needed. It takes the drawing and returns the text of
    the file. The comment of each field says what the writer takes; "" if the format has no writer for such drawings."""

    name: str
    purpose: str  # as in `.dot for Graphviz`
    tree: str = ""  # writer that takes a Picture, for games that are no matrix
    matrix: str = ""  # writer that takes a Matrix; if "", a tree is drawn in its place
    position: str = ""  # writer for a position of a game by rules: takes the model, the cells of the state, a title
    states: str = ""  # writer that takes a StatePicture, in which equal positions are drawn once
    graph: str = ""  # writer that takes the state graph as a networkx graph
    steps: str = ""  # in place of `tree`: takes a Picture, the game, and searches by name to step through;
    plain: str = ""  # if there is nothing to step through: takes a Picture alone
    worked: str = ""  # for a table of plans worked out: takes a Picture or Matrix, and a Worked
    sweep: str = ""  # writer that takes a Sweep and its game's title
    printed: str = ""  # turns the text that another writer has made into the bytes of the file
    keeps_states: bool = False  # whether states that form a tree are nevertheless drawn as a graph
    extra: str = ""  # the optional extra that it needs

    @property
    def ending(self) -> str:
        """The ending of its files, with the dot."""
        return f".{self.name}"

    @property
    def draws(self) -> bool:
        """True if the format draws pictures of games."""
        return bool(self.tree or self.steps)

    @property
    def draws_states(self) -> bool:
        """True if the format can draw a state graph."""
        return self.draws and bool(self.states or self.graph)


def writer(entry: str) -> Callable[..., Any]:
    """Import the function that a row names as `module:function`."""
    found: Callable[..., Any] = pkgutil.resolve_name(entry)
    return found


def run_writer(form: Format, entry: str, *drawn: Any) -> str | bytes:
    """The content of a file: the writer at `entry` makes its text, and the format's printer, if any, turns the text
    into bytes."""
    text: str = writer(entry)(*drawn)
    if not form.printed:
        return text
    printed: bytes = writer(form.printed)(text)
    return printed


_SVG = Format(
    "svg",
    "a picture",
    tree="gdl.render.svg:svg",
    matrix="gdl.render.svg.matrix:svg_matrix",
    position="gdl.render.svg.board_picture:svg_position",
    states="gdl.render.svg.states:svg_states",
    sweep="gdl.render.svg.plot:plot",
)
_ROWS = (
    _SVG,
    replace(_SVG, name="png", printed="gdl.render.paper:png", extra="pictures"),
    replace(_SVG, name="pdf", printed="gdl.render.paper:pdf", extra="pictures"),
    Format(
        "tex",
        "LaTeX",
        tree="gdl.render.tikz:tikz",
        matrix="gdl.render.matrix_text:matrix_tex",
        states="gdl.render.tikz:tikz_states",
        sweep="gdl.render.sweep:sweep_tex",
    ),
    Format("csv", "a spreadsheet", sweep="gdl.render.sweep:sweep_csv"),
    Format(
        "html",
        "a page that steps through the search",
        matrix="gdl.render.page:matrix_page",
        states="gdl.render.page:states_page",
        steps="gdl.render.page:page",
        plain="gdl.render.page:tree_page",
        worked="gdl.render.worked_page:worked_page",
    ),
    Format("json", "networkx, as node-link JSON", graph="gdl.formats.graph_json:write"),
    Format("graphml", "Gephi and yEd", graph="gdl.formats.graphml:write"),
    Format("dot", "Graphviz", tree="gdl.render.dot:dot", graph="gdl.formats.dot:write"),
    Format(
        "txt",
        "text",
        tree="gdl.render.tree_text:tree_text",
        matrix="gdl.render.matrix_text:matrix_text",
        states="gdl.render.tree_text:states_text",
        keeps_states=True,
    ),
)

FORMATS: Mapping[str, Format] = {row.name: row for row in _ROWS}
PICTURES: Mapping[str, Format] = {row.name: row for row in _ROWS if row.draws}  # the formats of gdl draw
SWEEPS: Mapping[str, Format] = {row.name: row for row in _ROWS if row.sweep}  # the formats of gdl solve --sweep
POSITIONS: Mapping[str, Format] = {row.name: row for row in _ROWS if row.position}  # the formats of gdl show
GRAPHS: Mapping[str, Format] = {row.name: row for row in _ROWS if row.graph}  # the formats of gdl graph
