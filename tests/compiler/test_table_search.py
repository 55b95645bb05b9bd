"""Alpha-beta on the compiled engine: the textbook's run node for node, and the search with a table against minimax."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from compiled_soon import compiled_after, recorded_up_to
from kernel_games import RACE
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.commands.limiting import free_memory
from gdl.compiler.compiled_engine import CompiledEngine
from gdl.compiler.search_kinds import DEPTH_LIMITED, PROOF_NUMBER
from gdl.compiler.searches import principal_variation
from gdl.compiler.searches.principal_variation import PrincipalVariation, utility_bounds
from gdl.compiler.searches.proof_number_driver import ProofNumber
from gdl.compiler.searches.star_driver import alpha_beta_search
from gdl.errors import LimitReached
from gdl.game import Decision
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import Budget, SearchLimits
from gdl.solvers.engine_stages import compiled_search, memory_limit
from gdl.solvers.minimax import long_run
from gdl.solvers.minimax.alpha_beta import ALPHA_BETA, alpha_beta
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.solvers.minimax.cut_off import depth_limited
from gdl.solvers.minimax.vectors import best_actions
from gdl.solvers.minimax.windows import WindowSearch, ordering
from gdl.solvers.needs import Watch
from gdl.states.explore import Walk

pytest.importorskip("wasmtime")

# A race on a track with forks: who lands on the last square wins what lies in the pot; the leader is likely to.
GAMES = {
    "tic_tac_toe": {},
    "connect_four": {"columns": "3", "rows": "3", "run": "3"},
    "kalah": {"houses": "3", "seeds": "2"},
    "domineering": {"rows": "3", "columns": "4"},
    "nim": {"heaps": "2,2,3"},
    "breakthrough": {"rows": "4", "columns": "2"},
    "dots_and_boxes": {"rows": "1", "columns": "2"},
}


@cache
def race() -> Any:
    return gdl.loads(RACE).game


def loaded(name: str) -> Any:
    return race() if name == "race" else shipped(name, GAMES[name])


def at_end(search: Any, slices: Any) -> Any:
    for _ in slices:
        pass
    return search


@cache
def textbook(name: str, cut: str) -> WindowSearch:
    """The run of the readable twin, to its end."""
    game = loaded(name)
    twin = WindowSearch(
        game, ordering(game, "given", Budget()), cut == "gt", Watch("alpha-beta", ALPHA_BETA.needs, game), Budget()
    )
    twin.run()
    return twin


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("name", ["race", "connect_four", "kalah", "domineering", "nim"])
def test_the_textbooks_run_node_for_node(name: str, cut: str, engine: str) -> None:
    game, twin = loaded(name), textbook(name, cut)
    assert twin.result is not None
    run = alpha_beta_search(game, game.initial(), engine, cut == "gt")
    at_end(run, run.go_on(1 << 40))
    assert run.done
    assert (run.nodes, run.leaves) == (twin.budget.spent, twin.leaves)
    assert (run.value, run.line) == (twin.result.value, twin.result.line)


@pytest.mark.thorough_of("1")
@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_the_textbooks_run_cut_off(depth: int) -> None:
    game = loaded("race")
    twin = alpha_beta(game, depth=depth)
    run = alpha_beta_search(game, game.initial(), "wasm", False, depth)
    at_end(run, run.go_on(1 << 40))
    assert twin.value is not None
    assert (run.nodes, run.leaves, run.value, run.line) == (twin.nodes, twin.leaves, twin.value[0], twin.line)


def test_the_run_may_stop_anywhere() -> None:
    game = loaded("connect_four")
    whole = at_end(run := alpha_beta_search(game, game.initial(), "wasm", False), run.go_on(1 << 40))
    other = alpha_beta_search(game, game.initial(), "wasm", False)
    for most in range(7, 1 << 20, 1001):
        at_end(other, other.go_on(most))
        if other.done:
            break
        assert other.nodes == most
    assert (other.nodes, other.leaves, other.line) == (whole.nodes, whole.leaves, whole.line)


BOTH = [
    pytest.param(
        name, engine, marks=pytest.mark.slow if engine == "python" and name in ("tic_tac_toe", "kalah") else ()
    )
    for name in (*GAMES, "race")
    for engine in ("wasm", "python")
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "engine"), BOTH)
def test_value_and_all_best_actions(name: str, engine: str) -> None:
    """As minimax has them; and the line, played on, keeps the value to its end."""
    game = loaded(name)
    values = backward_induction(game).of
    search = PrincipalVariation(game, game.initial(), engine)
    answer = at_end(search, search.solve()).answer
    start = game.initial()
    assert answer.proved
    assert answer.value == values[start][0]
    assert set(answer.best) == set(best_actions(game, start, values))
    state = start
    for action in answer.line:
        state = game.successor(state, action)
        assert values[state][0] == answer.value
    assert not isinstance(game.node(state), Decision)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("depth", range(1, 9))
def test_values_at_a_depth(depth: int) -> None:
    """As minimax cut off there has them, on a game with many utilities and an evaluation that can exceed them."""
    game = loaded("race")
    twin = depth_limited(game, depth=depth)
    search = PrincipalVariation(game, game.initial(), "wasm")
    answer = at_end(search, search.deepen(depth)).answer
    assert twin.value is not None
    assert answer.depth == depth
    assert (answer.value, set(answer.best)) == (twin.value[0], set(twin.best))


@pytest.mark.one_in(5)
@pytest.mark.parametrize("window", [(-9, -8), (-1, 1), (0, 1), (4, 6), (30, 31)])
def test_a_window_that_misses_the_value_is_widened(monkeypatch: pytest.MonkeyPatch, window: tuple[int, int]) -> None:
    """Aspiration: wherever the search begins to look, it finds what minimax finds."""
    monkeypatch.setattr(principal_variation, "aspiration_window", lambda values: window)
    test_values_at_a_depth(4)
    test_values_at_a_depth(5)


AGAIN = ("    pot := pot + 2\n", "    pot := pot + 2\n    next mover\n")  # who waits moves once more


@pytest.mark.one_in(7)
@pytest.mark.parametrize("turns", [("", ""), AGAIN], ids=["by turns", "again"])
@pytest.mark.parametrize(
    "quiet",
    ["pot", "pot div 2", "if place[mover] mod 3 = 1 then none else pot", "if mover = Ann then none else 0", "7"],
)
def test_values_at_quiet_positions(quiet: str, turns: tuple[str, str]) -> None:
    """As minimax has them that goes on past the depth to quiet positions."""
    game = gdl.loads(f"{RACE.replace(*turns)}    quiet: {quiet}\n").game
    searches = {e: PrincipalVariation(game, game.initial(), e, quiescent=True) for e in ("wasm", "python")}
    for depth in range(1, 6):
        twin = depth_limited(game, depth=depth)
        assert twin.value is not None
        for engine, search in searches.items():
            search.restart(game.initial())
            search.module["table_clear"]()
            answer = at_end(search, search.deepen(depth)).answer
            assert (answer.value, set(answer.best)) == (twin.value[0], set(twin.best)), (depth, engine)


@pytest.mark.thorough
def test_every_position_has_its_value() -> None:
    game = loaded("race")
    values = backward_induction(game).of
    walk = Walk(game)
    assert list(walk)
    for state in walk.states[::9]:
        if isinstance(game.node(state), Decision):
            search = PrincipalVariation(game, state, "wasm")
            assert at_end(search, search.solve()).answer.value == values[state][0]


def test_a_small_table_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries are thrown out all the time."""
    from gdl.compiler.searches import state_table

    game = gdl.load("othello", settings={"n": "4"})
    monkeypatch.setattr(state_table, "FIRST_BUCKETS", 8)
    monkeypatch.setitem(principal_variation.ROOM, "wasm", 8 * 2 * 8 * 4)
    search = PrincipalVariation(game, game.initial(), "wasm")
    answer = at_end(search, search.solve()).answer
    assert (answer.value, set(answer.best)) == (-8, {"b1", "a2", "d3", "c4"})


@pytest.mark.thorough
def test_captures_are_searched_first() -> None:
    """Actions that are not quiet by the file go first, in the order of their gains; before that the search made 440,000
    positions here."""
    board = "r1b1k2r/pp3ppp/1b2q3/4p3/PP1p4/2P2B2/3P1PPP/R1BQ1RK1 b kq - 0 13"
    game: Any = gdl.load("chess", position=board)
    search = PrincipalVariation(game, game.initial(), "wasm", forgets=True, quiescent=True)
    assert at_end(search, search.deepen(5)).answer.best == ("a7a5",)
    assert search.nodes < 300_000


@pytest.mark.thorough
def test_a_value_is_the_estimate_at_the_end_of_the_line() -> None:
    board = "2r1kbr1/1p1b3p/p3pp2/P2p4/1q1PN1PP/8/1P1QBP1N/R4KR1 b - - 0 25"
    game: Any = gdl.load("chess", position=board)
    search = PrincipalVariation(game, game.initial(), "wasm", forgets=True, quiescent=True)
    answer, state = at_end(search, search.deepen(4)).answer, game.initial()
    for action in answer.line:
        state = game.successor(state, action)
    assert answer.value == game.evaluate(state)[0] < -0.004  # White's knight is lost


@pytest.mark.one_in(2)
@pytest.mark.parametrize("search", [PrincipalVariation, ProofNumber])
def test_a_table_in_a_vast_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch, search: Any) -> None:
    """Not even the nodes, whether it grows or throws entries away."""
    from gdl.compiler.searches import state_table

    game, nodes = gdl.load("connect_four", settings={"columns": "4", "rows": "4"}), set()
    for near in (1 << 29, 0):
        monkeypatch.setattr(state_table, "NEAR_BYTES", near)
        for memory in (1 << 16, 1 << 26):
            found = search(game, game.initial(), "wasm", memory=memory)
            at_end(found, found.solve())
            nodes.add((memory, found.nodes))
            assert found.module["entries"].nbytes < memory
    assert len(nodes) == 2


def test_a_limit_of_memory_is_the_tables_room() -> None:
    """Under CPython a table is never so large."""
    game = gdl.load("connect_four", settings={"columns": "5", "rows": "4"})
    game = offer(game, "auto", lambda: 8 << 30)
    search = compiled_search(game, PROOF_NUMBER, True, memory=memory_limit(game))
    assert 1 << 32 <= search.module["entries"].nbytes <= 6 << 30
    assert principal_variation.room_in("python", 8 << 30) == principal_variation.room_in("python", None)


@pytest.mark.slow
def test_a_table_of_more_than_four_gibibytes() -> None:
    """Used all over from the start, so that all of it is real memory."""
    if (free_memory() or 0) < 10 << 30:
        pytest.skip("this machine has not ten GiB to spare")
    game = gdl.load("connect_four", settings={"columns": "6", "rows": "5"})
    search = PrincipalVariation(game, game.initial(), "wasm", memory=9 << 30)
    search.module["table_mask"][0] = search.module["BUCKETS"] - 1
    answer = at_end(search, search.solve_to_depth(None)).answer
    assert (answer.value, len(answer.best), answer.proved) == (0, 6, True)
    assert any(search.module["table_tag"][-1_000_000:]), "nothing lies at the end of the table"


def test_bounds_of_utilities() -> None:
    assert utility_bounds(loaded("connect_four").model) == (-1, 1)
    race = loaded("race").model
    assert utility_bounds(race) == (None, None)
    assert utility_bounds(race.copy_with(bounds=((-2, None), (None, 2)))) == (-2, None)
    assert utility_bounds(loaded("connect_four").model.copy_with(bounds=((-7, 1), (-1, 7)))) == (-1, 1)


def solved(game: Any, recorded: int = 100, **options: Any) -> Solution:
    with compiled_after(50), recorded_up_to(recorded):
        return alpha_beta(offer(game, "auto"), **options)


def test_a_run_that_is_short_enough_is_recorded() -> None:
    twin = alpha_beta(loaded("connect_four"))
    assert twin.nodes is not None and twin.cuts
    assert solved(loaded("connect_four"), twin.nodes) == twin
    assert solved(loaded("connect_four"), twin.nodes, limits=SearchLimits(nodes=twin.nodes + 1)) == twin


def test_a_game_of_many_states_is_recorded_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk of its states ends before it has seen all; then the run begins on the compiled engine."""
    monkeypatch.setattr("gdl.interpreter.traits.LOOKED_AT", 20)
    game = loaded("kalah")
    assert game.traits.cyclic is None
    monkeypatch.setattr("gdl.solvers.minimax.windows.WindowSearch.run", pytest.fail)
    assert "transposition table" in solved(game).notes[0]
    monkeypatch.undo()
    monkeypatch.setattr("gdl.interpreter.traits.LOOKED_AT", 20)
    twin = alpha_beta(loaded("kalah"))
    assert solved(loaded("kalah"), 1000) == twin


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [pytest.param("tic_tac_toe", marks=pytest.mark.slow), "connect_four", "kalah", "race"])
def test_a_long_run_is_given_up_for_the_table(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """One that is not so long is counted to its end."""
    exact = alpha_beta(loaded(name))
    for counted, nodes, leaves in ((100, None, None), (long_run.COUNTED, exact.nodes, exact.leaves)):
        monkeypatch.setattr(long_run, "COUNTED", counted)
        answer = solved(loaded(name))
        assert (answer.value, answer.exact, set(answer.best)) == (exact.value, True, set(exact.best))
        assert (answer.nodes, answer.leaves, answer.cuts) == (nodes, leaves, ())
        assert "transposition table" in answer.notes[0]


def test_a_proof_may_end_with_one_best_action() -> None:
    all_of_them = long_run.prove_with_table(offer(loaded("tic_tac_toe"), "wasm"), Budget())
    one = long_run.prove_with_table(offer(loaded("tic_tac_toe"), "wasm"), Budget(), to_play=True)
    assert all_of_them is not None
    assert one is not None
    assert (one.value, one.exact, one.best) == (all_of_them.value, True, all_of_them.best[:1])
    assert len(all_of_them.best) > 1
    assert long_run.UNTIED in one.notes


def test_a_proof_without_hope_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game: Any = offer(shipped("hex", {"n": "7"}), "wasm")
    monkeypatch.setattr(long_run, "HOPED", 5_000)
    assert long_run.prove_with_table(game, Budget(1_000_000), to_play=True) is None
    ((_, search),) = game.engine.origin.made.values()
    assert 5_000 < search.nodes < 100_000


def test_a_limit_of_nodes_keeps_the_best_so_far() -> None:
    """Where the table has found nothing yet, the textbook's run gives the answer."""
    with pytest.raises(LimitReached, match="stopped after 5,050 nodes") as stop:
        solved(loaded("tic_tac_toe"), 5000, limits=SearchLimits(nodes=5050))
    partial = stop.value.partial
    assert isinstance(partial, Solution)
    assert (partial.nodes, partial.exact, partial.best) == (5001, False, ("take(a1)",))


def test_games_that_do_not_suit_are_left_to_the_twin() -> None:
    general = gdl.loads(RACE.replace("-> -pot", "-> (0, pot)")).game
    with pytest.raises(Exception, match="zero-sum"):
        solved(general)


def test_a_search_begins_again_elsewhere() -> None:
    """With what its table knows, and the same answers."""
    game = loaded("race")
    values = backward_induction(game).of
    engine = CompiledEngine(game, game.initial(), "wasm")
    first = engine.search(DEPTH_LIMITED, nodes=None, forgets=True)
    at_end(first, first.deepen(4))
    for action in ("step(1)", "step(2)", "step(3)"):
        state = game.successor(game.initial(), action)
        search = engine.begun_at(state).search(DEPTH_LIMITED, nodes=None, forgets=True)
        assert search is first
        answer = at_end(search, search.deepen(None)).answer
        assert (answer.value, answer.proved) == (values[state][0], True)


def test_large_games_are_proved_before_they_are_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.solvers.auto.TRIAL_POSITIONS", 50)
    monkeypatch.setattr("gdl.solvers.cyclic.numbering.MOST_NUMBERED", 50)
    game = loaded("tic_tac_toe")
    game = offer(game, "auto")
    answer = solve(game)
    assert (answer.solver, answer.exact, answer.value, len(answer.best)) == ("alpha-beta", True, (0, 0), 9)
    monkeypatch.setattr("gdl.errors.shares.MORE_TRIED_POSITIONS", 100)
    assert not solve(game, seed=1).exact
