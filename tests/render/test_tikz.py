"""Trees and state graphs as TikZ that a person edits: what is named exists, and everything stands where SVG puts it."""

from __future__ import annotations

import re

import pytest
from shipped import loaded, shipped
from svg_reader import parsed, texts

import gdl
from gdl.render.draw import draw
from gdl.render.latex import latex
from gdl.render.picture import picture
from gdl.render.svg.labelled import arrange
from gdl.solvers import solve

NODE = re.compile(r"\\path \((\S+?)\)(?: \+\+\((-?\d+),(-?\d+)\))? node\[([^\]]*)\] \((n[-\d]*)\) \{")
LOOP = """players A
state
    n: 0..2
action up when n < 2
    n := n + 1
action down when n = 1
    n := 0
terminal
    n = 2 -> pay 1 to A
"""
ROOMS = """players A, B
tree
    A
        left: B in unseen (l: (1, 0), r: (0, 1))
        right: B in unseen (l: (0, 1), r: (1, 0))
"""


def body_of(tex: str) -> str:
    return tex[tex.index("\\begin{tikzpicture}") : tex.index("\\end{tikzpicture}")]


def check_names(tex: str) -> dict[str, tuple[int, int]]:
    """The place of each node; every style and node that the drawing uses is defined before."""
    head, body = tex[: tex.index("\\begin{document}")], body_of(tex)
    defined = set(re.findall(r"(?m)^  ([a-z ]+)/\.style=", head))
    assert {"decision", "chance", "terminal", "best", "information set"} <= defined
    for options in re.findall(r"(?:node|edge|\\draw|\\node)\[([^\]]*)\]", body):
        for option in re.sub(r"=(?:\{[^}]*\}|[^,]*)", "=", options).split(", "):
            assert option in defined or option in ("sloped", "pos=", "fit=", "shift="), option
    places: dict[str, tuple[int, int]] = {}
    for line in body.splitlines():
        if made := NODE.search(line):
            (x, y) = places[made[1].removesuffix(".center")] if made[2] else (0, 0)
            places[made[5]] = x + int(made[2] or 0), y + int(made[3] or 0)
        for used in re.findall(r"\((n[-\d]*)(?:\.[a-z ]+)?\)", line):
            assert used in places
    return places


@pytest.mark.parametrize("name, solver", [
    ("kuhn", "sequence-form"), ("beer_quiche", "nash"), ("three_players", "maxn"),
    ("figure_5_2", "alpha-beta"), ("seltens_horse", "nash"),
])  # fmt: skip
def test_every_node_stands_where_svg_puts_it_but_is_placed_from_its_parent(name, solver):
    game = loaded(name).game
    answer = solve(game, solver)
    tex = draw(game, answer, "tex")
    places = check_names(tex)
    laid = arrange(picture(game, answer))
    nodes = laid.picture.nodes
    assert len(places) == len(nodes)
    for at, node in enumerate(nodes):
        x, y = places[f"n{'-'.join(map(str, node.path))}"]
        depth = len(node.path)
        assert abs(x - laid.xs[at] + laid.xs[0]) <= depth and abs(y - laid.ys[at] + laid.ys[0]) <= depth  # rounded
    assert sum(" edge[" in line for line in body_of(tex).splitlines() if NODE.search(line)) == len(nodes) - 1
    for text in set(texts(parsed(draw(game, answer, "svg")))) - {laid.picture.title}:
        words = [latex(word) for word in text.split()]
        assert all(word in tex for word in words), text


def test_cuts_windows_and_best_play_are_marked():
    game = loaded("figure_5_2").game
    body = body_of(draw(game, solve(game, "alpha-beta"), "tex", bounds="nodes"))
    assert body.count("edge[skipped] node[cut, sloped, pos=0.4]") == 2
    assert body.count("edge[principal] node[action") == 2 and body.count("node[min player]") == 3
    assert "\\textbf{\\ensuremath{\\le} 2}\\\\\\greek{\\ensuremath{\\alpha}}{α} {=} 3" in body


def test_an_information_set_is_an_outline_or_a_line_between_its_nodes():
    tex = draw(loaded("beer_quiche").game, None, "tex")
    lines = re.findall(
        r"\\draw\[information set\] \((\S+)\.south east\) -- \+\+\(0,\d+\) -\| \((\S+)\.south west\);", tex
    )
    assert lines == [("n0-0", "n1-0"), ("n0-1", "n1-1")]
    assert "\\node[around, fit=(n0)(n1)] {};" in draw(gdl.loads(ROOMS).game, None, "tex")


def test_positions_are_tables_of_cells_and_many_last_ones_lie_in_trays():
    tex = draw(shipped("tic_tac_toe"), None, "tex", depth=2)
    check_names(tex)
    assert tex.count("\\begin{tabular}") == tex.count("\\end{tabular}") == 1 + 9 + 72
    assert tex.count("\\node[tray, fit=") == 9 and " & \\boardcell{X}" in tex


def test_state_graphs_name_their_positions_and_bend_what_leads_back():
    tex = draw(gdl.loads(LOOP).game, None, "tex", merged=True)
    check_names(tex)
    assert "\\draw[plain] (n) -- (n1);" in tex and re.search(r"\\draw\[plain, back, shift=\{\(n1.center\)\}\] \(", tex)
