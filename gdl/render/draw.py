"""A game drawn: which kind of picture suits it, and in which format. The thinking behind `gdl draw`.

1. A game in which everyone chooses once, at the same time, is drawn as tables.
2. With `merged`, the graph of its states is drawn, equal positions once.
3. Any other game is drawn as a tree, as far as it can be looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl.errors import LimitReached, Refusal, listing
from gdl.game import Game
from gdl.render.caption import caption, task
from gdl.render.matrix import Matrix, matrix, one_shot
from gdl.render.picture import Bounds, Picture, picture
from gdl.render.picture.states import LIMIT, StatePicture, state_picture
from gdl.render.picture.unfold import MAX_DRAWN_NODES, explicit_tree
from gdl.solution import Solution

KINDS = ("svg", "png", "pdf", "tex", "html", "dot", "mmd", "txt")


def draw(
    game: Game[Any],
    solution: Solution | None = None,
    kind: str = "svg",
    *,
    depth: int | None = None,
    limit: int = MAX_DRAWN_NODES,
    blank: bool = False,
    bounds: Bounds | None = None,
    boards: bool | None = None,
    merged: bool = False,
    runs: Mapping[str, Solution] | None = None,
) -> str | bytes:
    """The game as text, or as bytes for PNG and PDF, in one of KINDS.

    `solution` is written onto the picture, unless `blank` leaves it out. `depth` and `limit` cut the tree, `bounds`
    puts windows at nodes or edges, `boards` shows positions or hides them, `merged` draws the state graph. `runs` are
    searches by name that an HTML page steps through.
    Raises Refusal where a format cannot show the picture or an extra is missing.
    """
    if kind not in KINDS:
        raise Refusal(f"there is no format {kind!r}; a picture is {listing(KINDS, 'or')}")
    told = "" if solution is None else task(solution) if blank else caption(game, solution)
    shown = None if blank else solution
    if merged:
        return _states(game, shown, kind, depth, told)
    utilities = one_shot(game) if kind not in ("dot", "mmd") else None
    if utilities is not None:
        return _matrix(matrix(game, utilities, shown, blank=blank, caption=told), kind)
    if kind == "html":
        from gdl.render.page import MAX_PAGE_NODES as most
        from gdl.render.page import page

        drawn = picture(game, depth=depth, limit=min(limit, most), boards=boards)
        return page(drawn, game, runs or {})
    drawn = picture(game, shown, depth=depth, limit=limit, blank=blank, bounds=bounds, boards=boards, caption=told)
    return _tree(drawn, kind)


def _tree(drawn: Picture, kind: str) -> str | bytes:
    match kind:
        case "dot":
            from gdl.render.dot import dot

            return dot(drawn)
        case "mmd":
            from gdl.render.mermaid import mermaid

            return mermaid(drawn)
        case "tex":
            from gdl.render.tikz import tikz

            return tikz(drawn)
        case "txt":
            from gdl.render.tree_text import tree_text

            return tree_text(drawn)
    from gdl.render.svg import svg

    return _on_paper(svg(drawn), kind)


def _on_paper(drawn: str, kind: str) -> str | bytes:
    if kind not in ("png", "pdf"):
        return drawn
    from gdl.render.paper import paper

    return paper(drawn, "png" if kind == "png" else "pdf")


def _matrix(tables: Matrix, kind: str) -> str | bytes:
    from gdl.render.matrix_text import matrix_html, matrix_tex, matrix_text
    from gdl.render.svg.matrix import svg_matrix

    match kind:
        case "txt":
            return matrix_text(tables)
        case "tex":
            return matrix_tex(tables)
        case "html":
            from gdl.render.page import plain_page

            return plain_page(tables.title, svg_matrix(tables) + matrix_html(tables))
    return _on_paper(svg_matrix(tables), kind)


def _states(game: Game[Any], solution: Solution | None, kind: str, depth: int | None, told: str) -> str | bytes:
    """The state graph, as far as LIMIT states reach."""
    from gdl.states.graph import annotate, state_graph

    try:
        graph = state_graph(game, LIMIT)
    except LimitReached as stop:
        graph = stop.partial
    if solution is not None:
        graph = annotate(graph, solution)
    if kind == "dot":
        from gdl.formats.dot import write

        return write(graph)
    states = state_picture(graph, depth=depth, show=explicit_tree(game) is None, caption=told)
    if states.is_tree and kind not in ("txt", "html"):
        return _tree(picture(game, solution, depth=max(states.levels), caption=told), kind)
    return _state_picture(states, kind)


def _state_picture(states: StatePicture, kind: str) -> str | bytes:
    from gdl.render.svg.states import svg_states
    from gdl.render.tree_text import states_text

    match kind:
        case "txt":
            return states_text(states)
        case "html":
            from gdl.render.page import plain_page

            return plain_page(states.picture.title, svg_states(states))
        case "tex" | "mmd":
            raise Refusal(f"a state graph is not drawn as {kind}: take svg, png, pdf, html, dot or txt")
    return _on_paper(svg_states(states), kind)
