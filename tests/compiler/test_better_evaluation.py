"""Evaluations to search by in place of the file's: material and mobility, and weights that ship with a game."""

from __future__ import annotations

from typing import Any

import pytest
from crowned import crowned
from kernel_games import written
from shipped import shipped

from gdl.compiler.better_evaluation import with_evaluation
from gdl.compiler.compiled_engine import by_rules, offer
from gdl.errors import GameError, LimitReached
from gdl.game import Decision
from gdl.interpreter.closures import FIRST_CELL
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.horizon import goes_on

pytest.importorskip("wasmtime")


def offered(name: str, settings: dict[str, str] | None = None) -> Any:
    """A shipped game, without the evaluation of its file."""
    return offer(written(name, "\n", **(settings or {})), "auto")


def searched(game: Any, nodes: int) -> Solution:
    """The answer of the search that is cut off, as far as it comes with so many nodes."""
    with pytest.raises(LimitReached) as stop:
        solve(game, "depth-limited", nodes=nodes)
    assert isinstance(stop.value.partial, Solution)
    return stop.value.partial


def worth(game: Any) -> dict[str, Any]:
    """The weights of the kinds of pieces, in the evaluation by material."""
    valued = with_evaluation(game)
    assert valued is not None
    return {feature.text: feature.weight for feature in by_rules(valued)[0].model.features}


@pytest.mark.thorough
def test_what_moves_further_is_worth_more() -> None:
    pawn, knight, bishop, rook, queen, _ = worth(offered("minichess")).values()
    assert 0 < pawn < min(knight, bishop, rook) and max(knight, bishop, rook) < queen
    man, king = worth(crowned()).values()
    assert man < king


@pytest.mark.thorough
def test_the_search_by_material_is_alpha_beta_and_goes_on_to_quiet_positions() -> None:
    valued = with_evaluation(offered("minichess"))
    assert valued is not None and goes_on(valued)
    assert by_rules(valued)[0].model.has_mirrored_evaluation  # else it would be max^n, which sees three plies
    assert "and on to quiet positions" in searched(valued, 3000).notes[0]
    stones = with_evaluation(offered("ataxx"))
    assert stones is not None and not goes_on(stones)  # most actions change how many there are


@pytest.mark.thorough_of("othello", "backgammon")
@pytest.mark.parametrize(
    "name", ["hex", "fox_and_hounds", "go", "othello", "konane", "nine_mens_morris", "nim", "backgammon"]
)
def test_where_pieces_say_little_simulations_do_the_work(name: str) -> None:
    assert with_evaluation(offered(name) if name != "nim" else offer(shipped(name), "auto")) is None


def test_who_wants_to_lose_all_pieces_does_not_count_them() -> None:
    assert with_evaluation(crowned("win White", "win Black")) is None


def test_the_evaluation_of_the_file_comes_first() -> None:
    assert with_evaluation(offer(shipped("breakthrough"), "auto")) is None


@pytest.mark.thorough
def test_pieces_in_hand_count_as_on_the_board() -> None:
    valued = with_evaluation(offered("shogi"))
    assert valued is not None
    whole, start = by_rules(valued)
    names = [variable.name for variable in whole.model.variables]
    place = FIRST_CELL + sum(len(one.initial) for one in whole.model.variables[: names.index("hand")])
    richer = start._replace(cells=(*start.cells[:place], 1, *start.cells[place + 1 :]))  # the first player has a pawn
    pawn = whole.model.features[0].weight
    assert (whole.evaluate(start), whole.evaluate(richer)) == ((0, 0), (pawn, -pawn))


@pytest.mark.thorough
def test_the_answer_names_what_positions_were_estimated_by() -> None:
    game = offered("breakthrough", {"rows": "6", "columns": "6"})
    assert searched(game, 20_000).reason == "estimated by material and mobility, as the file has no evaluate"
    assert by_rules(game)[0].evaluate(game.initial()) is None  # --depth still asks for an evaluation of the file
    with pytest.raises(GameError, match="the file gives it no evaluation"):
        solve(game, "depth-limited", depth=1)


def test_the_interpreter_estimates_alike() -> None:
    plain, compiled = crowned().game, crowned()
    a, b = with_evaluation(plain), with_evaluation(compiled)
    assert a is not None and b is not None
    assert a.promises.estimated_by == b.promises.estimated_by
    state = a.initial()
    for _ in range(6):
        assert a.evaluate(state) == b.evaluate(state)
        node = a.node(state)
        assert isinstance(node, Decision)
        state = a.successor(state, node.actions[-1])
