"""Games, graphs and answers draw themselves in a notebook, and cost nothing where there is none."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import networkx
import notebooks
import pytest
from handmade import Kuhn, TicTacToe, figure_5_2, prisoners
from places import missing_wings

import gdl
from gdl.graph import GraphGame, annotate, state_graph
from gdl.render import notebook
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.states.sequential import Sequential

SVG, HTML, MARKDOWN = "image/svg+xml", "text/html", "text/markdown"


@pytest.fixture(scope="module")
def shell():
    core = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    shell = core.InteractiveShell.instance()
    assert notebook.enable(shell)
    return shell


def shown(shell, thing) -> dict[str, str]:
    return shell.display_formatter.format(thing)[0]


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_tree_draws_itself(shell):
    formats = shown(shell, figure_5_2())
    assert {"12", "14", "B", "a3"} <= set(texts(formats[SVG]))
    assert formats[SVG] in formats[HTML]
    assert "├─ a2: MIN C" in formats[MARKDOWN]


def test_a_matrix_draws_itself(shell):
    formats = shown(shell, prisoners())
    assert {"silent", "betray", "−3"} <= set(texts(formats[SVG]))
    assert "| betray | **0**, &#45;3 | [ **&#45;2**, **&#45;2** ] |" in formats[MARKDOWN]


def test_other_games_that_wrap_a_tree_draw_themselves(shell):
    assert {"12", "14"} <= set(texts(shown(shell, Sequential(figure_5_2()))[SVG]))
    assert {"12", "14"} <= set(texts(shown(shell, GraphGame(state_graph(figure_5_2())))[SVG]))


def test_an_answer_of_a_solver_by_itself_is_words(shell):
    formats = shown(shell, alpha_beta(figure_5_2()))
    assert SVG not in formats
    assert "MAX wins 3 by playing a1." in formats[HTML]
    assert "MAX wins 3 by playing a1." in formats[MARKDOWN]


def test_an_answer_with_its_game_draws_both(shell):
    formats = shown(shell, gdl.solve(prisoners()))
    assert {"silent", "betray", "−2"} <= set(texts(formats[SVG]))
    assert "(betray, betray)" in formats[HTML] and "(betray, betray)" in formats[MARKDOWN]
    formats = shown(shell, gdl.solve(figure_5_2()))
    assert {"12", "4", "= 3"} <= set(texts(formats[SVG])), "what search skipped the game knows"


def test_an_answer_without_a_record_is_words(shell):
    formats = shown(shell, nash(prisoners()))
    assert SVG not in formats
    assert "(betray, betray)" in formats[MARKDOWN]


def test_a_state_graph_draws_itself(shell):
    game = figure_5_2()
    formats = shown(shell, annotate(state_graph(game), alpha_beta(game)))
    assert {"= 3", "12", "A"} <= set(texts(formats[SVG]))
    assert "a1 -> 1*" in formats[MARKDOWN]


def test_graphs_that_are_not_ours_are_left_alone(shell):
    formats = shown(shell, networkx.path_graph(3, create_using=networkx.DiGraph))
    assert not {SVG, HTML, MARKDOWN} & set(formats)


def test_a_game_with_its_answer_is_the_picture_of_the_command_line(shell):
    from gdl.render.draw import draw

    game, answer = figure_5_2(), alpha_beta(figure_5_2())
    both = notebook.drawn(game, answer, bounds="edges")
    assert shown(shell, both)[SVG] == draw(game, answer, "svg", bounds="edges")


def test_a_game_of_rules_draws_its_positions(shell):
    shell.display_formatter.formatters[SVG].for_type(TicTacToe, notebook.game_svg)
    assert texts(shown(shell, TicTacToe())[SVG]).count("hand-made") == 0
    assert notebook.game_markdown(Kuhn()) is not None


def test_without_a_shell_there_is_nothing_to_tell():
    pytest.importorskip("IPython", reason="IPython is not installed")
    code = "from gdl.render import notebook; print(notebook.enable())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_importing_gdl_outside_a_notebook_imports_none_of_this():
    code = "import sys, gdl; print([name for name in sys.modules if 'notebook' in name or 'IPython' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_importing_gdl_in_a_notebook_enables_it():
    pytest.importorskip("IPython", reason="IPython is not installed")
    code = (
        "from IPython.core.interactiveshell import InteractiveShell; shell = InteractiveShell.instance()\n"
        "import gdl; game = gdl.load('figure_5_2')\n"
        "print('image/svg+xml' in shell.display_formatter.format(game)[0])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


def test_the_notebook_is_its_page():
    page, file = (path.read_text(encoding="utf-8") for path in (notebooks.PAGE, notebooks.FILE))
    assert file == notebooks.notebook(page), "python tests/support/notebooks.py writes it anew"
    assert [line for cell in json.loads(file)["cells"] for line in cell["source"]]


@pytest.mark.skipif(bool(missing_wings()), reason="a cell steps through a play, which a wing does")
def test_the_notebook_runs_and_shows_pictures(shell, capsys):
    found = []
    for cell in json.loads(notebooks.FILE.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            done = shell.run_cell("".join(cell["source"]))
            assert done.success, done.error_in_exec or done.error_before_exec
            formats = {} if done.result is None else shown(shell, done.result)
            found.append((SVG in formats, HTML in formats, bool(capsys.readouterr().out)))
    drawn, printed = (True, True), (False, False)
    assert [pair[:2] for pair in found] == [drawn, drawn, printed, drawn, drawn, drawn, drawn, printed]
    assert all(wrote for *_, wrote in found), "what is shown is also printed as text"
