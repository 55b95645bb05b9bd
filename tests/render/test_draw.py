"""`gdl draw`: every kind of game to every format, in files, with the exit statuses that were promised."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from handmade import figure_5_2, prisoners
from installed import without_module
from svg_reader import nodes, parsed, struck, texts

from gdl.commands import cli
from gdl.errors import Refusal
from gdl.game import Rest, Unknown
from gdl.numbers import decimals, to_text
from gdl.render.draw import draw
from gdl.render.formats import PICTURES
from gdl.render.latex import latex
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.web.manual import picture_files

BEGINNINGS = {
    "svg": b"<svg ",
    "png": b"\x89PNG\r\n",
    "pdf": b"%PDF-",
    "tex": b"% ",
    "html": b"<!DOCTYPE html>",
    "dot": b"graph ",
    "txt": b"",
}
GAMES = {
    "tree": "figure_5_2",
    "chance": "chance_leaves",
    "three": "three_players",
    "matrix": "prisoners",
    "sets": "two_roads",
    "rules": "tic_tac_toe",
    "cards": "kuhn",
}


def run(*arguments: str, input: str = "", status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["draw", *arguments], input=input, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout + result.stderr


def needs_typst(kind: str) -> None:
    if kind in ("png", "pdf"):
        pytest.importorskip("typst", reason="the extra gdl[pictures] is not installed")


@pytest.mark.one_in(7)
@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_kind_of_game_in_every_format(game, kind, tmp_path):
    needs_typst(kind)
    file = tmp_path / f"picture.{kind}"
    run(game, "-o", str(file))
    data = file.read_bytes()
    assert data.startswith(BEGINNINGS[kind]) and len(data) > 100


@pytest.mark.parametrize("kind", PICTURES)
def test_the_same_command_draws_the_same_bytes(kind, tmp_path):
    needs_typst(kind)
    one, other = tmp_path / f"one.{kind}", tmp_path / f"other.{kind}"
    for file in (one, other):
        run("figure_5_2", "-o", str(file), "--bounds", "nodes")
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "html", "dot", "txt"])
def test_state_graphs(kind, tmp_path):
    needs_typst(kind)
    file = tmp_path / f"graph.{kind}"
    run("nim", "--set", "heaps=2,2", "--graph", "-o", str(file))
    assert len(file.read_bytes()) > 100


def test_a_state_graph_that_is_a_tree_is_drawn_as_one(tmp_path):
    file = tmp_path / "graph.svg"
    run("figure_5_2", "--graph", "-o", str(file))
    assert struck(parsed(file.read_text())) == {"1.1", "1.2"}


@pytest.mark.thorough
def test_the_position_graph_of_tic_tac_toe_to_depth_2(tmp_path):
    file = tmp_path / "graph.svg"
    run("tic_tac_toe", "--graph", "--depth", "2", "-o", str(file))
    root = parsed(file.read_text())
    assert len(nodes(root)) == 82 and texts(root).count("X") == 81


def test_cut_and_order_are_drawn_and_said(tmp_path):
    file = tmp_path / "tree.svg"
    run("-", "--cut", "gt", "-o", str(file), input="players MAX, MIN\ntree MAX(MIN(3, 12), MIN(3, 1))\n")
    assert struck(parsed(file.read_text())) == set()
    assert "cut only when alpha &gt; beta" in file.read_text()
    run("-", "--order", "worst", "-o", str(file), input="players MAX, MIN\ntree MAX(MIN(3, 12), MIN(2, 1))\n")
    assert "the worst action first" in file.read_text()


def test_a_solver_of_choice(tmp_path):
    file = tmp_path / "tree.svg"
    run("figure_5_2", "--solver", "minimax", "-o", str(file))
    root = parsed(file.read_text())
    assert struck(root) == set()
    assert [text for text in texts(root) if text[0] in "=≤≥"] == ["= 3", "= 3", "= 2", "= 2"]
    run("figure_5_2", "--solver", "none", "-o", str(file))
    assert not [text for text in texts(parsed(file.read_text())) if text[0] in "=≤≥"]


def test_depth_cuts_the_search_where_the_file_has_estimates():
    text = "players MAX, MIN\ntree\n    MAX\n        MIN A eval 4 (3, 5)\n        MIN B eval 9 (1, 2)\n"
    assert "MIN A ~ 4" in run("-", "--depth", "1", input=text)
    assert "MIN B ~ 9" in run("-", "--solver", "minimax", "--depth", "1", input=text)
    plain = text.replace(" eval 4", "").replace(" eval 9", "")
    assert "MIN A = 3" in run("-", "--depth", "1", input=plain), "without estimates only the drawing is cut"


@pytest.mark.parametrize("kind", ["txt", "svg", "tex", "html"])
def test_one_equilibrium_of_a_table_stands_alone(kind, tmp_path):
    file = tmp_path / f"table.{kind}"
    marks = {"txt": "[", "svg": 'class="equilibrium"', "tex": "\\fbox", "html": "<mark>"}
    found = []
    for number in ("1", "2", "3"):
        run("battle_of_the_sexes", "--equilibrium", number, "-o", str(file))
        found.append(file.read_text())
    assert [text.count(marks[kind]) for text in found] == [1, 1, 0]
    assert len(set(found)) == 3
    third = {"txt": "fight (2/3)", "svg": "2/3", "tex": "(2/3)", "html": "(2/3)"}
    assert third[kind] in found[2] and third[kind] not in found[0]


def played(text):
    """The texts of the moves of a drawn tree that are marked."""
    return [line.split(": ")[0].strip("│├└─ ") for line in text.splitlines() if line.endswith("*") and ": " in line]


def test_one_equilibrium_of_a_tree_with_what_it_pays():
    first, second = (run("seltens_horse", "--equilibrium", number) for number in "12")
    assert "Equilibrium 1 of 2 that were found, (across, across, right): A gets 1, B gets 1 and C gets 1." in first
    assert "Equilibrium 2 of 2 that were found, (down, across, left): A gets 3, B gets 3 and C gets 2." in second
    assert played(first) == ["across", "across", "right", "right"]
    assert played(second) == ["across", "left", "down", "left"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", ["svg", "tex", "html", "txt", "dot"])
def test_beliefs_are_those_of_the_equilibrium_that_is_drawn(kind, tmp_path):
    pytest.importorskip("gdl.wings.theory")
    found = []
    for number in ("1", "2"):
        file = tmp_path / f"{number}.{kind}"
        run("beer_quiche", "--solver", "sequential", "--equilibrium", number, "-o", str(file))
        found.append(file.read_text())
    assert found[0] != found[1]
    if kind in ("svg", "html", "txt"):
        assert "21/10" in found[1] and "21/10" not in found[0]


def test_there_is_no_equilibrium_of_that_number():
    said = run("battle_of_the_sexes", "--equilibrium", "4", status=5)
    assert said == "error: there is no equilibrium 4: the answer of nash lists 3\n"
    assert "lists none" in run("kuhn", "--solver", "cfr", "--equilibrium", "1", status=5)
    assert "of no answer" in run("kuhn", "--solver", "none", "--equilibrium", "1", status=5)
    assert "0 is not in the range" in run("kuhn", "--equilibrium", "0", status=2)


class Runs(HTMLParser):
    """The names of the searches in a page."""

    def __init__(self, text: str):
        super().__init__()
        self.names: list[str] = []
        self.json = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.json = tag == "script" and ("id", "data") in attrs

    def handle_endtag(self, tag):
        self.json = False

    def handle_data(self, data):
        if self.json:
            self.names = [run["name"] for run in json.loads(data)["runs"]]


def test_a_page_compares_both_rules_and_minimax(tmp_path):
    file = tmp_path / "tree.html"
    run("figure_5_2", "-o", str(file))
    assert Runs(file.read_text()).names == [
        "alpha-beta, cut when alpha ≥ beta, in the order of the file",
        "alpha-beta, cut only when alpha > beta, in the order of the file",
        "alpha-beta, cut when alpha ≥ beta, against the order of the file",
        "alpha-beta, cut when alpha ≥ beta, the best action first",
        "alpha-beta, cut when alpha ≥ beta, the worst action first",
        "minimax",
    ]
    run("figure_5_2", "--cut", "gt", "--order", "best", "-o", str(file))
    assert [name.split(", ")[-1] for name in Runs(file.read_text()).names] == [
        *["the best action first"] * 2,
        "in the order of the file",
        "against the order of the file",
        "the worst action first",
        "minimax",
    ]
    shared = "players A, B, C\nutility in 0..9\ntree A(B((1, 2, 6), (4, 2, 3)), B((6, 1, 2), (7, 1, 1)))\n"
    run("-", "--solver", "shallow", "-o", str(file), input=shared)
    assert [name.split(",")[0] for name in Runs(file.read_text()).names] == [*["shallow"] * 4, "maxn"]
    run("chance_leaves", "-o", str(file))
    assert Runs(file.read_text()).names == ["expectiminimax"]
    run("-", "--solver", "star2", "-o", str(file), input="players MAX, MIN\ntree MAX(chance(1/2: 3, 1/2: 4), 2)\n")
    assert [name.split(",")[0] for name in Runs(file.read_text()).names] == [*["star2"] * 4, "expectiminimax"]


def test_a_page_does_not_give_the_answer_away(tmp_path):
    file = tmp_path / "tree.html"
    run("figure_5_2", "-o", str(file))
    page = file.read_text()
    drawing = page[page.index("<svg") : page.index("</svg>")]
    assert "MAX wins" not in page.split('id="data"')[0]
    assert not re.search("[=≤≥]  ?[23]|principal|skipped|window", drawing)


WITH_DECIMALS = """players MAX, MIN
tree
    MAX
        a: chance A (x 0.25: 0.5, y .75: 1.5)
        b: MIN B (l: 2.25, r: 3)
"""


def test_decimals_of_a_file_are_decimals_in_its_pictures(tmp_path):
    (tmp_path / "game.game").write_text(WITH_DECIMALS)
    drawn = run(str(tmp_path / "game.game"))
    assert "x 0.25: 0.5" in drawn and "chance A = 1.25" in drawn and not re.search("[0-9]/[0-9]", drawn)
    for kind in ("svg", "tex", "html", "dot"):
        text = run(str(tmp_path / "game.game"), "--format", kind)
        assert "2.25" in text and not re.search("9/4|tfrac", text)
    solved = CliRunner().invoke(cli.commands, ["solve", str(tmp_path / "game.game")]).stdout
    assert "MAX wins 9/4 on average" in solved  # an answer is told as the language writes it


def test_where_a_file_has_quotients_all_fractions_are_quotients(tmp_path):
    drawn = run("-", input=WITH_DECIMALS.replace("0.5,", "1/2,"))
    assert "x 1/4: 1/2" in drawn and "2.25" not in drawn


def test_a_fraction_that_is_no_short_decimal_stays_one():
    with decimals(True):
        found = [to_text(Fraction(text)) for text in ("1/3", "-1/8", "1/10000000", f"{10**30 + 1}/4", "-5/2")]
        assert to_text(Rest(Fraction(3, 4), (Unknown("p"),))) == "0.75 - ?p"
    assert found == ["1/3", "-0.125", "1/10000000", f"{10**30 // 4}.25", "-2.5"]
    assert to_text(Fraction(1, 4)) == "1/4"


def test_a_table_of_decimals_is_drawn_with_decimals():
    drawn = run("-", input="players A, B\nmatrix\n       l  r\n    u  0.5  1\n    d  2  0.25\n")
    assert "0.5, -0.5*" in drawn and "0.25, -0.25*" in drawn and "l (1/3)" in drawn


def test_without_typst_png_and_pdf_say_what_to_install(tmp_path):
    for kind in ("png", "pdf"):
        with without_module("typst"):
            said = run("figure_5_2", "-o", str(tmp_path / f"tree.{kind}"), status=5)
        assert "pip install 'gdl[pictures]'" in said
        assert not (tmp_path / f"tree.{kind}").exists()


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_characters_that_no_font_has_are_told(kind, tmp_path):
    needs_typst(kind)
    written = WITH_DECIMALS.replace("a:", '"Ωé ≥ −\U0001bc00x":').replace(
        "b:", '"\U0001bc01":'
    )  # shorthand, in few fonts
    said = run("-", "-o", str(tmp_path / f"tree.{kind}"), input=written)
    assert said.count("note: ") == 1
    told = "note: no font here has \U0001bc00 and \U0001bc01: they are empty boxes; install a font that does, or write"
    assert told in said
    assert "no font" not in run("-", "-o", str(tmp_path / f"tree.{kind}"), input=WITH_DECIMALS)
    assert "no font" not in run("-", "-o", str(tmp_path / "tree.svg"), input=written)


def test_a_limit_draws_what_there_is_and_says_so(tmp_path):
    file = tmp_path / "tree.svg"
    said = run("tic_tac_toe", "--solver", "alpha-beta", "--nodes", "50", "--depth", "1", "-o", str(file), status=4)
    assert "50" in said
    assert len(nodes(parsed(file.read_text()))) == 10


@pytest.mark.thorough
def test_a_game_too_large_to_solve_is_drawn_without_an_answer(tmp_path):
    file = tmp_path / "chess.svg"
    run("connect_four", "-o", str(file))
    root = parsed(file.read_text())
    assert len(nodes(root)) == 1 + 7 + 49
    assert not [text for text in texts(root) if text[0] in "=≤≥"]


def test_a_tree_is_drawn_from_a_later_position_on():
    told = run("figure_5_2", "--after", "a2")
    assert told.split("\n\n")[1].startswith("MIN C = 2")


def test_a_format_that_there_is_not_is_refused():
    with pytest.raises(Refusal, match="there is no format 'gif'"):
        draw(figure_5_2(), None, "gif")


def test_matrices_as_text_and_latex():
    text = draw(prisoners(), nash(prisoners()), "txt")
    assert "betray   0*, -3   [-2*, -2*]" in text
    tex = draw(prisoners(), nash(prisoners()), "tex")
    assert "\\fbox{\\underline{${-2}$}, \\underline{${-2}$}}" in tex and tex.count("\\fbox") == 1
    assert "\\underline" not in draw(prisoners(), nash(prisoners()), "tex", blank=True)


def test_a_matrix_as_dot_is_a_tree_with_an_information_set():
    assert 'n1 -- n2 [style="dashed"' in draw(prisoners(), None, "dot")


def test_dot_marks_cuts_and_best_play():
    dot = draw(figure_5_2(), alpha_beta(figure_5_2()), "dot")
    assert re.search(r'n2 -- n8 \[label="c2\\n//", style="dashed"', dot)
    assert 'n0 -- n1 [label="a1", penwidth="3"]' in dot and 'n2 [shape="invtriangle"' in dot


@pytest.mark.parametrize(
    "text, written",
    [
        ("αβ", "\\greek{\\ensuremath{\\alpha}}{α}\\greek{\\ensuremath{\\beta}}{β}"),
        ("ά", "\\greek{\\'{\\ensuremath{\\alpha}}}{ά}"),
        ("cốt", "c\\viet{1ED1}{ố}t"),
        ("左边 1", "\\cjk{左\\hanbreak{}边} 1"),
        ("بالا", "\\rtl{بالا}"),
        ("(حرکت اول) a", "(\\rtl{حرکت اول}) a"),
        ("مِهر و می\u200cشود 1", "\\rtl{مِهر و می\u200cشود} 1"),
        ("نسخهٔ 1", "\\rtl{نسخهٔ} 1"),
        ("عیسیٰ 1", "\\rtl{عیسیٰ} 1"),
        ("پاسخ · نسخه", "\\rtl{پاسخ {\\normalfont \\ensuremath{\\cdot}} نسخه}"),
        ("≤ −2", "\\ensuremath{\\le} \\ensuremath{-}2"),
        ("ж", "\\letter{436}{ж}"),
    ],
)
def test_letters_of_other_scripts_name_the_font_that_has_them(text, written):
    assert latex(text) == written


def test_a_page_of_a_matrix_shows_the_table_to_screen_readers():
    page = draw(prisoners(), nash(prisoners()), "html")
    table = page[page.index("<table>") : page.index("</table>") + len("</table>")]
    cells = ["".join(cell.itertext()) for cell in ElementTree.fromstring(table).iter("td")]
    assert cells == ["", "-1, -1", "-3, 0", "0, -3", "[-2, -2]"]


def told(*words: str) -> str:
    """The standard error of `gdl draw`, which must succeed."""
    done = CliRunner().invoke(cli.commands, ["draw", *words])
    assert done.exit_code == 0
    return done.stderr


@pytest.mark.thorough
def test_how_much_of_a_game_is_drawn_is_told() -> None:
    assert "note: 17 of 752 positions are shown; --depth N shows more\n" in told("nim")
    assert "of very many positions are shown" in told("go")
    assert "are shown" not in told("nim", "--depth", "1")
    assert "are shown" not in told("prisoners")
    assert told("figure_5_2") == ""


@pytest.mark.thorough
def test_why_there_is_no_answer_is_told(tmp_path) -> None:
    why = "note: drawn without an answer: a game of rules is not solved unless asked; "
    assert f"{why}--solver minimax finds one\n" in told("nim", "-o", str(tmp_path / "nim.svg"))
    assert f"{why}--solver NAME asks for one\n" in told("go", "-o", str(tmp_path / "go.svg"))
    assert "answer" not in told("nim", "--solver", "none", "-o", str(tmp_path / "none.svg"))
    assert "answer" not in told("nim", "--solver", "minimax", "-o", str(tmp_path / "nim.svg"))


@pytest.mark.parametrize(
    ("picture", "command"), [("figure_5_2", ["figure_5_2"]), ("beliefs", ["beer_quiche", "--solver", "intuitive"])]
)
def test_the_pictures_of_the_guide_are_made_by_the_tool(picture, command, tmp_path):
    """If the drawing has changed for the better, make them anew: gdl draw figure_5_2 -o gdl/docs/pictures/…"""
    if picture not in {file.stem for file in picture_files()}:
        pytest.skip("the page with it is of a wing that is not installed")
    made = tmp_path / "made.svg"
    run(*command, "-o", str(made))
    assert made.read_text() == next(file for file in picture_files() if file.stem == picture).read_text()
