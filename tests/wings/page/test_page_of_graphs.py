"""The page on which a tree or a matrix is played: its nodes are those of the game, the computer plays its solution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browsers import needs_browser
from page_script import needs_node, run_with_search
from places import PROBLEMS
from test_play_page import browse

import gdl
from gdl.errors import Refusal
from gdl.game import Chance, Decision, Game, Terminal
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.model.games import MatrixModel, TreeModel
from gdl.numbers import to_text
from gdl.solvers import solve
from gdl.states.sequential import Sequential
from gdl.wings.page.play_page import graph_data, play_page

WALK = """
const answers = JSON.parse(require("fs").readFileSync(0)).map(async (data) => {
  const game = await gameOf(data);
  const found = [];
  const walk = [game.initial()];
  for (const state of walk) {
    const { kind, player = null, options, outcomes, utilities } = game.node(state);
    if (kind === "end") { found.push(utilities.map(String)); continue; }
    const ways = options ?? outcomes;
    found.push([player, ways.map(({ name }) => name), outcomes ? ways.map(({ chance }) => String(chance)) : null]);
    walk.push(...ways.map(({ name }) => game.next(state, game.choice(game.node(state), name))));
  }
  const { best, value } = await (await Mind.made(game, {})).choose({ rows: [] });
  return [found, best, value && value.map(String)];
});
Promise.all(answers).then((found) => console.log(JSON.stringify(found)));
"""


def explicit(file: Path) -> TreeGame | MatrixGame | None:
    """The game of a file, if it is a tree or a matrix that the page plays."""
    model = gdl.loads(*gdl.read(file)).model
    if not isinstance(model, TreeModel | MatrixModel):
        return None
    game = TreeGame(model) if isinstance(model, TreeModel) else MatrixGame(model)
    return None if game.traits.unknowns else game


def walked(game: Game[Any]) -> list[Any]:
    """The positions that the script must find, breadth first."""
    found: list[Any] = []
    states = [game.initial()]
    for state in states:
        node = game.node(state)
        if isinstance(node, Terminal):
            found.append([to_text(utility) for utility in node.utilities])
            continue
        assert isinstance(node, Chance | Decision)
        names = [name for name, _ in node.outcomes] if isinstance(node, Chance) else list(node.actions)
        odds = [to_text(chance) for _, chance in node.outcomes] if isinstance(node, Chance) else None
        found.append([None if isinstance(node, Chance) else node.player, names, odds])
        states += [game.successor(state, name) for name in names]
    return found


def follow(files: list[Path]) -> int:
    games = [game for file in files if (game := explicit(file)) is not None]
    for game, (found, best, value) in zip(games, run_with_search(WALK, list(map(graph_data, games))), strict=True):
        assert found == walked(Sequential(game) if game.traits.simultaneous else game), game.name
        if (
            game.traits.perfect_information
            and not game.traits.simultaneous
            and isinstance(game.node(game.initial()), Decision)
        ):
            solution = solve(game)
            assert (
                solution.exact and best in solution.best and value == [to_text(each) for each in solution.value or ()]
            )
    return len(games)


@pytest.mark.thorough
@needs_node
def test_the_script_plays_trees_and_matrices_as_they_stand():
    assert follow(list(gdl.shipped().values())) >= 15


@pytest.mark.thorough
@needs_node
def test_it_plays_every_problem_of_the_exams():
    assert follow(sorted(PROBLEMS.glob("*.game"))) > 50


def test_what_has_no_page():
    with pytest.raises(Refusal, match="leaves numbers open"):
        play_page(gdl.loads("players A, B\ntree A(1, B(?x, 2))\n").model, "")
    wide = ", ".join(f"B({', '.join(map(str, range(40)))})" for _ in range(40))
    with pytest.raises(Refusal, match="more than 1,000 nodes"):
        play_page(gdl.loads(f"players A, B\ntree A({wide})\n").model, "")


@pytest.mark.thorough
@needs_browser
def test_a_person_clicks_a_tree(tmp_path: Path):
    body = """
        result.first = document.getElementById("status").textContent;
        const written = [...document.querySelectorAll(".edge .label text")].map((each) => each.getBoundingClientRect().height);
        result.legible = written.length === 12 && Math.min(...written) > 8;
        document.querySelector(".node.open").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        while (!gdl.over()) await wait(20);
        result.moves = gdl.moves(); result.last = document.getElementById("status").textContent;
        result.played = document.querySelectorAll(".edge.played").length;
    """
    found = browse(tmp_path, "figure_5_2", body)
    assert found["first"] == "MAX to move at A" and found["moves"] == ["a1", "b1"] and found["played"] == 2
    assert found["legible"]
    assert found["last"] == "The game is over: MAX wins 3"


@pytest.mark.thorough
@needs_browser
def test_nobody_sees_what_a_tree_hides(tmp_path: Path):
    body = """
        gdl.seats("computer", "person");
        while (gdl.player() !== "Bully") await wait(20);
        result.possible = document.querySelectorAll(".node.now").length;
        result.log = document.getElementById("log").textContent;
        gdl.play("fight");
        result.moves = gdl.moves();
    """
    found = browse(tmp_path, "beer_quiche", body)
    assert found["possible"] == 2 and found["log"] == "chanceStranger acts" and found["moves"][1:] == ["beer", "fight"]


@pytest.mark.thorough
@needs_browser
def test_a_matrix_is_played_by_its_equilibrium(tmp_path: Path):
    body = """
        document.querySelector("#moves button").click();
        while (!gdl.over()) await wait(20);
        result.moves = gdl.moves(); result.paid = gdl.utilities();
    """
    assert browse(tmp_path, "prisoners", body) == {"moves": ["silent", "betray"], "paid": {"A": -3, "B": 0}}
