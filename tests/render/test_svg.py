"""Pictures as SVG: well-formed, every node in its shape, struck edges for exactly what search cut, nothing on top of
anything, small enough for a page and quick enough to wait for."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from exam_answers import ANSWERS, game_of
from handmade import Goofspiel, Kuhn, TicTacToe, figure_5_2, matrix, prisoners
from overlaps import overlaps
from svg_reader import all_of, box, edges, nodes, parsed, shapes, size, struck, texts, with_class
from trees import MAX, MIN, chance, node, random_tree, tree, unknown

from gdl import loads
from gdl.graph import annotate, state_graph
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.render.draw import draw
from gdl.render.matrix import matrix as tables_of
from gdl.render.matrix import one_shot
from gdl.render.picture import picture
from gdl.render.picture.states import state_picture
from gdl.render.sentence import caption
from gdl.render.svg import svg
from gdl.render.svg.elements import text_width
from gdl.render.svg.matrix import svg_matrix
from gdl.render.svg.states import svg_states
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.equilibria.sequence_form import sequence_form
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn, minimax

A4_LANDSCAPE = 277 / 25.4 * 96  # CSS pixels between margins of 10 mm

HORSE = """
game "Selten's horse"
players 1, 2, 3
tree
    1
        D: 3 in h (L: (3, 2, 2), R: (0, 0, 0))
        C: 2
            d: 3 in h (L: (4, 4, 0), R: (0, 0, 1))
            c: (1, 1, 1)
"""


def drawn(game, solution=None, **options):
    return parsed(svg(picture(game, solution, **options)))


def forty_leaves() -> TreeGame:
    rng = random.Random(1)
    halves = [MIN(*(MAX(*(rng.randint(0, 30) for _ in range(3))) for _ in range(k))) for k in (3, 3, 4, 3)]
    return tree(MAX(*halves, MIN(MAX(7))), name="Forty leaves")


# ---- Shapes and texts ---------------------------------------------------------------------------------------------


def test_figure_5_2_in_its_shapes():
    root = drawn(figure_5_2(), alpha_beta(figure_5_2()))
    assert shapes(root) == {"max": 1, "min": 3, "end": 9}
    assert {"3", "12", "8", "2", "4", "6", "14", "5"} <= set(texts(root))
    assert [text for text in texts(root) if text[0] in "=≤≥"] == ["= 3", "= 3", "≤ 2", "= 2"]
    assert {"MAX", "MIN", "A", "B", "C", "D", "a1", "c3", "best play"} <= set(texts(root))


def test_triangles_of_max_point_up_and_those_of_min_down():
    root = drawn(figure_5_2())
    for path, apex_on_top in (("", True), ("0", False)):
        polygon = next(all_of(nodes(root)[path], "polygon"))
        corners = sorted(tuple(map(float, pair.split(","))) for pair in (polygon.get("points") or "").split())
        left, apex, right = corners
        assert left[1] == right[1]
        assert (apex[1] < left[1]) == apex_on_top


def test_only_cut_edges_are_struck_through():
    root = drawn(figure_5_2(), alpha_beta(figure_5_2()))
    assert struck(root) == {"1.1", "1.2"}
    assert len(edges(root, "skipped")) == 2
    assert len(edges(root, "principal")) == 2
    assert {group.get("stroke-dasharray") for group in with_class(root, "edges skipped".split()[1])} != {None}
    assert "cut: 2 <= alpha 3 from B" in [title.text for title in all_of(root, "title")]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_cuts_and_skipped_subtrees_of_random_trees(seed, cut):
    game = tree(random_tree(random.Random(seed), 4))
    answer = alpha_beta(game, cut=cut)
    root = drawn(game, answer)
    roots = {skipped.path for skipped in answer.pruned}
    assert struck(root) == {".".join(map(str, path)) for path in roots}
    below = [n for n in picture(game).nodes if any(n.path[: len(path)] == path for path in roots)]
    assert len(edges(root, "skipped")) == len(below)
    assert len(nodes(root)) == len(game.model.nodes)


@pytest.mark.parametrize(
    "name", [name for name, a in ANSWERS.items() if a["kind"] in ("alphabeta", "minimax", "expectiminimax", "maxn")]
)
def test_every_published_tree_has_its_drawing(name):
    game = game_of(name)
    solver = next(s for s in (alpha_beta, expectiminimax, maxn) if fits(s, game))
    answer = solver(game) if solver is alpha_beta else solver(game, values=True)
    root = parsed(draw(game, answer, "svg"))
    assert struck(root) == {".".join(map(str, skipped.path)) for skipped in answer.pruned}
    assert len(nodes(root)) == len(game.model.nodes)
    assert_nothing_overlaps(root)


def fits(solver, game) -> bool:
    traits = game.traits
    opposed = traits.constant_sum is not None or traits.players == 1
    return solver is maxn or ((opposed and (solver is expectiminimax or not traits.chance)) and traits.players <= 2)


def test_chance_nodes_are_circles_with_probabilities_on_their_edges():
    game = tree(MAX(chance((Fraction(1, 3), 6), (Fraction(2, 3), MIN(0, 3))), 1))
    root = drawn(game, expectiminimax(game, values=True))
    assert shapes(root)["chance"] == 1
    assert next(all_of(nodes(root)["0"], "circle")) is not None
    assert {"1/3", "2/3", "= 2"} <= set(texts(root))


def test_players_of_other_games_are_circles_or_boxes_with_their_names():
    Ann, Bartholomew = node("Ann"), node("Bartholomew")
    game = tree(Ann(Bartholomew((1, 2, 0), (2, 1, 0)), (0, 0, 5)), players=("Ann", "Bartholomew", "C"))
    root = drawn(game, maxn(game, values=True))
    assert shapes(root) == {"player": 2, "end": 3}
    assert {"Ann", "Bartholomew", "(1, 2, 0)", "= (1, 2, 0)"} <= set(texts(root))


def test_a_lone_player_is_a_max_and_named_at_the_margin():
    game = tree(node("You")(3, chance((Fraction(1, 2), 1), (Fraction(1, 2), 9))), players=("You",))
    root = drawn(game)
    assert shapes(root) == {"max": 1, "chance": 1, "end": 3}
    assert {"You", "chance"} <= set(texts(root))


def test_unknown_leaves_stay_unknown():
    game = tree(MAX(MIN(3, 12), MIN(2, unknown("x"))))
    root = drawn(game, alpha_beta(game))
    assert "?x" in texts(root)
    assert struck(root) == {"1.1"}
    assert "?v" in texts(drawn(tree(node("A")(unknown("v"), (1, 2, 3)), players=("A", "B", "C"))))


def test_windows_stand_at_nodes_or_at_edges_or_nowhere():
    answer = alpha_beta(figure_5_2())
    nowhere = texts(drawn(figure_5_2(), answer))
    at_nodes = texts(drawn(figure_5_2(), answer, bounds="nodes"))
    at_edges = texts(drawn(figure_5_2(), answer, bounds="edges"))
    assert at_nodes.count("α = 3") == 2 and at_nodes.count("β = ∞") == 4
    assert at_edges.count("[3, ∞]") == 2 and at_edges.count("[−∞, ∞]") == 1
    assert not any("α" in text or "∞" in text for text in nowhere)


@pytest.mark.parametrize("bounds", [None, "nodes", "edges"])
def test_a_blank_picture_has_no_answers_but_room_for_them(bounds):
    answer = alpha_beta(figure_5_2())
    root = drawn(figure_5_2(), answer, blank=True, bounds=bounds)
    assert texts(root).count("____") == 4, "one line for each inner node"
    assert not struck(root) and not edges(root, "principal") and not edges(root, "skipped") and not edges(root, "best")
    assert not any(text[0] in "=≤≥" for text in texts(root))
    description = next(all_of(root, "desc")).text or ""
    assert "*" not in description and "never looked at" not in description and "= 3" not in description


def test_every_best_action_is_marked_where_values_are_known():
    game = tree(MAX(MIN(3, 3), MIN(3, 5), MIN(1, 2)))
    root = drawn(game, minimax(game, values=True))
    assert len(edges(root, "principal")) == 2
    assert len(edges(root, "best")) == 4, "the second action is as good, and so is every least leaf"


def test_a_depth_folds_what_lies_below_with_a_count():
    root = drawn(figure_5_2(), depth=1)
    assert shapes(root) == {"max": 1, "min": 3}
    assert texts(root).count("3 nodes") == 3


def test_more_nodes_than_the_limit_are_folded():
    wide = tree(MAX(*(MIN(*range(30)) for _ in range(30))))
    root = drawn(wide, limit=200)
    assert len(nodes(root)) == 31
    assert texts(root).count("30 nodes") == 30


def test_an_estimate_is_told_from_a_value():
    game = tree(MAX(MIN(3, 5, eval=4, label="B"), MIN(1, 2, eval=9, label="C"), eval=0))
    root = drawn(game, alpha_beta(game, depth=1), depth=1)
    assert {"≈ 4", "≈ 9", "2 nodes"} <= set(texts(root))


def test_a_long_title_is_broken_and_does_not_widen_the_picture():
    game = loads("players MAX, MIN\ntree MAX(3, 1)").game
    drawn = svg(replace(picture(game), title="A title of very many words, as people give to what they set for an exam"))
    assert size(parsed(drawn))[0] <= 330 and overlaps(drawn) == []


def test_a_line_with_letters_of_another_script_may_be_drawn_in_a_wider_font_as_a_whole():
    assert text_width("Found by alpha-beta: ا", 11) > 1.2 * text_width("Found by alpha-beta: ", 11)


# ---- For those who do not see it ---------------------------------------------------------------------------------


def test_a_picture_has_a_title_and_a_description():
    root = drawn(figure_5_2(), alpha_beta(figure_5_2()))
    title, description = root[0], root[1]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text == "figure 5.2"
    told = description.text or ""
    assert "13 nodes, 9 of them ends" in told
    assert "├─ a2: MIN C <= 2" in told and "├╳ c2: 4  never looked at: 2 <= alpha 3 from B" in told


def test_every_node_says_in_words_what_it_shows():
    root = drawn(figure_5_2(), alpha_beta(figure_5_2()))
    said = {path: next(all_of(group, "title")).text for path, group in nodes(root).items()}
    assert said["1"] == "MIN C <= 2, window (3, inf)"
    assert said["1.1"] == "end 4, cut: 2 <= alpha 3 from B"


def test_two_pictures_in_one_page_do_not_share_their_ids():
    first, second = drawn(figure_5_2()), drawn(figure_5_2(), alpha_beta(figure_5_2()))
    assert first[0].get("id") != second[0].get("id")


def test_what_colour_says_shape_says_too():
    """Skipped is dashed, best play is thick, a cut is struck through: in black and white as well."""
    root = drawn(figure_5_2(), alpha_beta(figure_5_2()))
    look = {(group.get("class") or "").split()[-1]: group for group in with_class(root, "edges")}
    assert look["skipped"].get("stroke-dasharray") and not look["plain"].get("stroke-dasharray")
    assert float(look["principal"].get("stroke-width", 0)) >= 2.5 * float(look["plain"].get("stroke-width", 0))
    assert next(all_of(nodes(root)["1.1"], "rect")).get("stroke-dasharray")


# ---- Room ---------------------------------------------------------------------------------------------------------


def assert_nothing_overlaps(root) -> None:
    boxes = [box(group) for group in nodes(root).values()]
    for (l1, t1, r1, b1), (l2, t2, r2, b2) in combinations(boxes, 2):
        assert r1 < l2 or r2 < l1 or b1 < t2 or b2 < t1
    width, height = size(root)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    assert min(lefts) >= 0 and min(tops) >= 0, "all is right of and below where the tree begins"
    assert max(rights) < width and max(bottoms) < height


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("bounds", [None, "nodes", "edges"])
def test_nodes_do_not_overlap(seed, bounds):
    game = tree(random_tree(random.Random(seed), 4, leaves=[-5, 7, 1000]))
    assert_nothing_overlaps(drawn(game, alpha_beta(game), bounds=bounds))


def test_long_labels_of_siblings_do_not_overlap():
    game = loads("players A, B\ntree A(cooperate: B(cooperate: 1, defect: 2), defect: B(cooperate: 3, defect: 4))").game
    root = drawn(game)
    grounds = [rect for group in with_class(root, "labels") for rect in group if rect.tag.endswith("rect")]
    spans = [(float(g.get("x", 0)), float(g.get("x", 0)) + float(g.get("width", 0)), g.get("y")) for g in grounds]
    assert len(spans) == 6
    for (l1, r1, y1), (l2, r2, y2) in combinations(spans, 2):
        assert y1 != y2 or r1 <= l2 or r2 <= l1


def test_forty_leaves_fit_an_a4_page_at_natural_size():
    game = forty_leaves()
    assert sum(n.kind == "terminal" for n in game.model.nodes) == 40
    width, height = size(drawn(game, alpha_beta(game)))
    assert width <= 1.08 * A4_LANDSCAPE, "at nine tenths of natural size it is still easily read"
    assert height <= A4_LANDSCAPE / 1.5


@pytest.mark.slow
def test_five_thousand_nodes_are_drawn():
    rng = random.Random(2)
    game = tree(
        MAX(
            *(MIN(*(MAX(*(rng.randint(0, 99) for _ in range(9))) for _ in range(23))) for _ in range(21)),
            MIN(*range(70)),
            MIN(*range(60)),
        )
    )
    assert 4_900 < len(game.model.nodes) <= 5_000
    answer = alpha_beta(game)
    root = svg(picture(game, answer))
    assert len(nodes(parsed(root))) == len(game.model.nodes)


@pytest.mark.thorough
def test_a_deep_chain_is_drawn_without_recursion():
    inner: object = 1
    for _ in range(1_500):
        inner = MAX(inner)
    assert len(nodes(drawn(tree(inner)))) == 1_501


# ---- Information sets ---------------------------------------------------------------------------------------------


def test_seltens_horse():
    game = loads(HORSE).game
    answer = nash(game)
    root = drawn(game, answer)
    (group,) = with_class(root, "set")
    assert group.get("data-nodes") == "0 1.0"
    assert (next(all_of(group, "title")).text or "") == "information set h of 3"
    left, right = box(nodes(root)["0"]), box(nodes(root)["1.0"])
    assert left[1] == right[1], "both nodes of the set stand on one level"
    outline = box(group)
    assert outline[0] < left[0] and right[2] < outline[2], "and the outline goes round both"
    assert "played" in texts(root)


def test_sets_that_cross_run_in_lanes_of_their_own():
    game = Kuhn()
    root = drawn(game, sequence_form(game))
    groups = with_class(root, "set")
    assert len(groups) == 12
    lows = [path.get("d", "").split("H")[0].split()[-1] for group in groups for path in all_of(group, "path")]
    assert len(lows) >= 6 and len(set(lows)) >= 3
    assert_nothing_overlaps(root)


def test_mixed_strategies_stand_at_their_edges():
    game = loads("players A, B\ntree A(B in h(1, -1), B in h(-1, 1))").game
    root = drawn(game, sequence_form(game))
    assert texts(root).count("p = 1/2") == 6


def test_simultaneous_moves_are_turns_taken_unseen():
    root = drawn(Goofspiel(2))
    (group,) = with_class(root, "set")
    assert group.get("data-nodes") == "0 1"


# ---- Boards -------------------------------------------------------------------------------------------------------


class BoardTicTacToe(TicTacToe):
    """Shown as the language shows its boards."""

    def show(self, state: str) -> str:
        rows = [f"{3 - row} {' '.join(state[3 * row : 3 * row + 3])}" for row in range(3)]
        return "\n".join([*rows, "  a b c"])


def test_positions_are_boards_and_many_last_ones_are_packed():
    root = drawn(BoardTicTacToe(), depth=2)
    assert len(nodes(root)) == 1 + 9 + 72
    assert texts(root).count("X") == 9 + 72 and texts(root).count("O") == 72
    assert len(list(with_class(root, "trays")[0])) == 9
    width, _ = size(root)
    assert width <= 1.08 * A4_LANDSCAPE
    assert_nothing_overlaps(root)
    assert not with_class(root, "labels"), "a board shows what was done"


def test_boards_are_shown_only_where_they_are_wanted_or_open_to_all():
    assert "X" not in texts(drawn(BoardTicTacToe(), depth=1, boards=False))
    assert not [line for line in texts(drawn(Kuhn(), depth=1)) if "(" in line]


def test_a_game_of_rules_is_drawn_as_far_as_it_can_be_looked_at():
    root = drawn(TicTacToe())
    assert len(nodes(root)) == 82
    assert "… play goes on below" in texts(root)


# ---- Matrices -----------------------------------------------------------------------------------------------------


def table(game: MatrixGame, solution: Solution | None = None, **options):
    utilities = one_shot(game)
    assert utilities is not None
    return parsed(svg_matrix(tables_of(game, utilities, solution, **options)))


def test_the_prisoners_dilemma():
    root = table(prisoners(), nash(prisoners()))
    assert len(with_class(root, "equilibrium")) == 1
    assert sorted(element.text or "" for element in with_class(root, "reply")) == ["0", "0", "−2", "−2"]
    assert {"A", "B", "silent", "betray", "best reply", "equilibrium"} <= set(texts(root))


def test_all_pure_equilibria_and_no_others_are_boxed():
    rng = random.Random(4)
    for _ in range(50):
        cells = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(12)]
        game = matrix("random", ("a", "b", "c"), ("w", "x", "y", "z"), *cells)
        pure = [
            (row, column)
            for row in range(3)
            for column in range(4)
            if all(cells[4 * row + column][0] >= cells[4 * other + column][0] for other in range(3))
            and all(cells[4 * row + column][1] >= cells[4 * row + other][1] for other in range(4))
        ]
        assert len(with_class(table(game), "equilibrium")) == len(pure)


def test_weights_of_a_mixed_equilibrium_stand_at_rows_and_columns():
    game = matrix("pennies", ("h", "t"), ("h", "t"), (1, -1), (-1, 1), (-1, 1), (1, -1))
    assert texts(table(game, nash(game))).count("1/2") == 4
    assert not with_class(table(game, nash(game)), "equilibrium")


def test_a_blank_matrix_marks_nothing():
    root = table(prisoners(), nash(prisoners()), blank=True)
    assert not with_class(root, "equilibrium") and not with_class(root, "reply")
    assert "equilibrium" not in texts(root)


def test_a_third_player_chooses_the_table():
    text = "players A, B, C\nmatrix\n" + "".join(
        f"    {a}, {b}, {c}: ({i}, {i}, {i})\n"
        for i, (a, b, c) in enumerate((a, b, c) for a in "ud" for b in "lr" for c in ("east", "west"))
    )
    root = table(loads(text).game)
    assert {"C: east", "C: west"} <= set(texts(root))
    assert len(with_class(root, "equilibrium")) == 1, "all want 7"


def test_what_an_unknown_decides_is_not_marked():
    game = loads("players A, B\nmatrix\n        l       r\n    u  (?x, 1) (2, 0)\n    d  (1, 1)  (0, 0)\n").game
    replies = [element.text for element in with_class(table(game), "reply")]
    assert "?x" not in replies and replies == ["1", "2", "1"]


def test_a_large_matrix_is_cut_with_a_count():
    names = tuple(f"r{k}" for k in range(40))
    game = matrix("large", names, ("x",), *((k, 0) for k in range(40)))
    assert "… 10 more rows" in texts(table(game))


# ---- State graphs -------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_equal_positions_are_drawn_once():
    game = BoardTicTacToe()
    states = state_picture(state_graph(game), depth=3)
    root = parsed(svg_states(states))
    assert len(nodes(root)) == 1 + 9 + 72 + 252
    assert_nothing_overlaps(root)
    for link in states.links:
        assert states.levels[link.target] > states.levels[link.source]


def test_a_solved_state_graph_shows_its_answer():
    game = figure_5_2()
    root = parsed(svg_states(state_picture(annotate(state_graph(game), alpha_beta(game)), show=False)))
    assert shapes(root) == {"max": 1, "min": 3, "end": 9}
    assert len(edges(root, "principal")) == 2 and len(edges(root, "skipped")) == 2


def test_ways_back_are_arrows():
    from handmade import Circle

    root = parsed(svg_states(state_picture(state_graph(Circle(4)), show=False)))
    arrows = [path for path in all_of(root, "path") if path.get("marker-end")]
    assert arrows and len(nodes(root)) == len(state_graph(Circle(4)))


def test_positions_on_a_level_keep_their_distance():
    root = parsed(svg_states(state_picture(state_graph(BoardTicTacToe()), depth=2)))
    rows: dict[float, list] = {}
    for group in nodes(root).values():
        rows.setdefault(box(group)[1], []).append(box(group))
    for row in rows.values():
        for left, right in pairwise(sorted(row)):
            assert left[2] < right[0]


# ---- Words above the picture --------------------------------------------------------------------------------------


def test_the_caption_tells_the_answer_and_the_rule():
    game = figure_5_2()
    assert caption(game, alpha_beta(game, cut="gt", order="best")) == (
        "MAX wins 3 by playing a1. Found by alpha-beta, cut only when alpha > beta, the best action first: "
        "9 nodes visited, 5 of them leaves, 4 subtrees skipped."
    )
    assert caption(prisoners(), nash(prisoners())) == (
        "The only equilibrium is (betray, betray): A gets -2 and B gets -2. Found by nash."
    )


def test_several_equilibria_are_told_in_full():
    game = matrix("sexes", ("f", "b"), ("f", "b"), (2, 1), (0, 0), (0, 0), (1, 2))
    told = caption(game, solve(game))
    assert told.startswith("3 equilibria: (f, f); (b, b); A f 2/3, b 1/3, B f 1/3, b 2/3.")
