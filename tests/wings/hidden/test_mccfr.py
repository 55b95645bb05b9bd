"""Regret minimisation by samples: it comes to what is known, the kernel finds the reference's numbers, bounds hold."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from click.testing import CliRunner
from verification import verify

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.errors import LimitReached, Refusal
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret
from gdl.wings.hidden import best_replies
from gdl.wings.hidden.external_sampling import ExternalSampling
from gdl.wings.hidden.sampling import FIRST_MEMORY, K, Sampling

ENGINES = ["python", *(["wasm"] if wasm.available() else [])]


def loaded(name: str, **settings: str) -> Any:
    text, shown = gdl.read(name)
    return gdl.loads(text, shown, settings=settings).game


def worked(search: Any) -> Any:
    for _ in search:
        pass
    return search


# ---- The kernel ------------------------------------------------------------------------------------------------------


SAME = [
    ("kuhn", {}, 50, 100_000),
    ("leduc", {}, 10, 20),  # with few levels
    ("goofspiel", {}, 20, 100_000),  # moves at once
    ("repeated_prisoners", {}, 10, 100_000),
]
SAME_TOO = [
    ("kuhn", {"seats": "3", "cards": "4"}, 30, 100_000),
    ("leduc", {}, 30, 100_000),
    ("liars_dice", {"sides": "3"}, 20, 100_000),
    ("blind_tic_tac_toe", {}, 20, 50),
    ("one_card_poker", {}, 20, 100_000),
    ("scrabble", {}, 1, 300),
    ("kriegspiel", {}, 2, 300),
]


@pytest.mark.thorough_of("leduc-settings1-10-20-wasm")
@pytest.mark.parametrize(
    "engine", [pytest.param(engine, marks=[pytest.mark.slow] if engine != ENGINES[-1] else []) for engine in ENGINES]
)
@pytest.mark.parametrize(
    ("name", "settings", "iterations", "large"),
    [*SAME, *(pytest.param(*row, marks=pytest.mark.slow) for row in SAME_TOO)],
)
def test_the_kernel_finds_the_numbers_of_the_reference(
    name: str, settings: dict[str, str], iterations: int, large: int, engine: str
) -> None:
    game = loaded(name, **settings)
    compiled = Sampling(game, game.initial(), engine, seed=7, large=large)
    reference = ExternalSampling(game, 7, large)
    for search in (compiled, reference):
        search.learn(iterations)  # type: ignore[attr-defined]
        worked(search)
    begins = compiled.module["set_from"][: compiled.sets + 1]
    found = {
        numbers: [tuple(compiled.module[numbers][a:b]) for a, b in pairwise(begins)]
        for numbers in ("regret", "average")
    }
    assert found["regret"] == [tuple(row.regret) for row in reference.rows.values()]
    assert found["average"] == [tuple(row.average) for row in reference.rows.values()]
    assert compiled.nodes == reference.nodes
    for search in (compiled, reference):
        search.look_for_gains()  # type: ignore[attr-defined]
        search.learn(5)  # type: ignore[attr-defined]
        worked(search)
        search.play(50, 0)  # type: ignore[attr-defined]
        worked(search)
    assert compiled.sampled_payoffs() == reference.sampled_payoffs()


@pytest.mark.thorough
def test_the_first_iteration_fits_in_a_game_of_long_plays() -> None:
    """The first traversal looked at every action of 16 decisions, one below the other, and never ended."""
    game = loaded("for_sale", top="15", rounds="8", cash="18")
    search = Sampling(game, game.initial(), ENGINES[-1], seed=7)
    search.learn(20)
    worked(search)
    assert search.iterations == 20


BROAD = """
players Ann, Bob
state
    said[Player]: 0..7 = 0
    round: 0..3 = 0
start
    next everyone
action say(n: 0..7) unseen
    said[mover] := n
resolve
    round := round + 1
    next everyone
terminal
    round = 3 -> each p: said[p]
"""


@pytest.mark.parametrize("reference", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_traversal_that_must_become_too_long_is_not_begun(reference: bool) -> None:
    """With 8 actions at each of three decisions, all plies allowed were spent before there were fewer levels."""
    game = gdl.loads(BROAD).game
    search: Any = (
        ExternalSampling(game, 1, 300) if reference else Sampling(game, game.initial(), ENGINES[-1], 1, large=300)
    )
    search.learn(1)
    for _, _ in zip(search.traversals() if reference else search, range(300), strict=False):
        pass
    spent = search._total if reference else search.found[K.TOTAL]
    assert search.iterations == 1 and spent < 300


def test_traversals_that_are_short_keep_their_levels() -> None:
    """Twelve, ten, ... bids one below the other looked like too many leaves: the strategies of liar's dice had a sum of
    regrets of 0.16 after 100,000 iterations, where all levels end at 0.06."""
    game = loaded("liars_dice")
    search = Sampling(game, game.initial(), ENGINES[-1])
    search.learn(200)
    worked(search)
    assert search.module["mccfr"][K.LEVELS] == K.FRAMES


def test_the_mean_of_plays_counts_whole_plays_wherever_they_are_broken_off() -> None:
    """A play that was not counted yet had been added: where every end pays 3, the mean was 6."""
    game = gdl.loads("players A, B\ntree A(B((3, 1), (3, 1)), (3, 1))\n").game
    search = ExternalSampling(game, 1)
    search.play(100)
    for _ in search.traversals():
        paid = search.sampled_payoffs()
        assert not paid.plays or paid.means == (3, 1)


WIDE = """
players Ann, Bob
state
    chosen[Player]: 0..NUMBERS
    round: 0..4
start everyone
action choose(k: 1..NUMBERS) as "{k}"
    chosen[mover] := k
resolve
    round := round + 1
terminal
    round = ROUNDS and chosen[Ann] > chosen[Bob] -> win Ann
    round = ROUNDS and chosen[Ann] < chosen[Bob] -> win Bob
    round = ROUNDS -> draw
"""


def wide_game(numbers: int, rounds: int) -> Any:
    return gdl.loads(WIDE.replace("NUMBERS", str(numbers)).replace("ROUNDS", str(rounds))).game


@pytest.mark.skipif(not wasm.available(), reason="takes long without WebAssembly")
def test_known_sets_are_learnt_on_where_there_is_no_room_for_more() -> None:
    game = wide_game(300, 4)
    search = Sampling(game, game.initial(), "wasm", memory=1 << 26)
    search.learn(None, 200_000)
    worked(search)
    assert search.iterations > 10 and 3_490 < search.sets < 3_500
    chosen = search.first_average(0)
    assert chosen is not None and len(chosen) == 300 and len(set(chosen)) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("rounds", [1, 4])
def test_more_joint_moves_than_are_listed_are_sampled(rounds: int) -> None:
    with pytest.raises(LimitReached) as stop:
        solve(game_with_engine(wide_game(1_100, rounds).model), nodes=100_000)
    answer = stop.value.partial
    assert isinstance(answer, Solution) and answer.solver == "mccfr" and answer.value is not None


@pytest.mark.thorough_of("8388608")
@pytest.mark.parametrize("memory", [1, 1 << 23])
def test_memory_that_is_too_small_ends_it(memory: int) -> None:
    game = loaded("liars_dice")
    search = Sampling(game, game.initial(), ENGINES[-1], memory=memory)
    search.learn(100_000)
    worked(search)
    assert search.full and search.sets > 100
    before = search.sets
    search.play(100)
    worked(search)
    assert search.sampled_payoffs().plays == 100 and search.sets == before


@pytest.mark.skipif(ENGINES[-1] != "wasm", reason="needs wasmtime")
def test_more_than_a_module_can_address_lies_in_its_second_memory() -> None:
    """And the same is found there."""
    game, found = loaded("liars_dice"), []
    for memory in (None, FIRST_MEMORY + 1):
        search = Sampling(game, game.initial(), "wasm", memory=memory)
        search.learn(30)
        worked(search)
        whole = ("mccfr", "played", "tuple_end", "tuple_count", "tuple_size")
        tuples, words = int(search.module["tuple_count"][0]), int(search.module["tuple_end"][0])
        choices = int(search.module["set_from"][search.sets])
        used = {"tuple_from": tuples + 1, "tuple_word": words, "tuple_note": tuples, "set_from": search.sets + 1}
        used |= {"regret": choices, "average": choices}
        learnt = {name: list(search.module[name][: used.get(name)]) for name in (*whole, *used)}
        for limit in (K.MOST_TUPLES, K.MOST_TUPLE_WORDS):
            learnt["mccfr"][limit] = 0  # which are requests, not results
        found.append((search.sets, learnt))
        assert (len(search.module["regret"]) * 64 > FIRST_MEMORY) is (memory is not None)
    assert found[0] == found[1]


def test_a_search_is_for_positions_at_which_all_is_seen_that_is_remembered() -> None:
    game = gdl.load("nim")
    with pytest.raises(Refusal, match="nothing is remembered"):
        Sampling(game, game.initial(), "python")


def test_another_seed_draws_something_else() -> None:
    one, same, other = (solve(gdl.load("kuhn"), "mccfr", iterations=50, seed=seed) for seed in (1, 1, 2))
    assert one.strategy == same.strategy != other.strategy


# ---- What it comes to ------------------------------------------------------------------------------------------------


@pytest.mark.thorough_of("liars_dice-settings1-None-0.05-20000")
@pytest.mark.parametrize(
    ("name", "settings", "value", "near", "iterations"),
    [
        ("kuhn", {}, Fraction(-1, 18), 0.02, 50_000),
        ("liars_dice", {"sides": "3"}, None, 0.05, 20_000),
        pytest.param("leduc", {}, -0.0856064, 0.05, 400_000, marks=pytest.mark.slow),
        pytest.param("liars_dice", {}, Fraction(-7, 258), 0.1, 100_000, marks=pytest.mark.slow),
    ],
)
def test_it_comes_close_to_an_equilibrium(
    name: str, settings: dict[str, str], value: Any, near: float, iterations: int
) -> None:
    game = game_with_engine(loaded(name, **settings).model, ENGINES[-1])
    found = solve(game, "mccfr", iterations=iterations)
    assert found.interval is not None and found.regret is not None and found.strategy is not None
    (low, high), _ = found.interval
    assert sum(found.regret) < near and 0 < high - low <= near  # type: ignore[operator]
    known = solve(loaded(name, **settings), "sequence-form").value[0] if value is None else value  # type: ignore[index]
    assert low <= known + 1e-7 and known <= high + 1e-7
    if iterations < 100_000:
        assert regret(game, found.strategy).regret == found.regret


@pytest.mark.parametrize("name", ["seltens_horse", "beer_quiche", "prisoners", "two_roads", "figure_5_2"])
def test_trees_and_matrices(name: str) -> None:
    game = gdl.load(name)
    if len(game.players) == 1:
        with pytest.raises(Refusal):
            solve(game, "mccfr")
        return
    found = solve(game, "mccfr", iterations=2_000)
    assert found.regret is not None and sum(found.regret) < Fraction(1, 10)


@pytest.mark.thorough
def test_it_stops_at_the_regret_that_is_asked_for() -> None:
    found = solve(gdl.load("kuhn"), "mccfr", regret=Fraction(1, 50))
    assert found.regret is not None and max(found.regret) <= Fraction(1, 50)


def test_what_it_proves_is_verified() -> None:
    told = CliRunner().invoke(commands, ["solve", "kuhn", "--solver", "mccfr", "--iterations", "500", "--json"])
    verdict = verify(gdl.load("kuhn"), json.loads(told.stdout))
    assert verdict.ok and "strategy and interval hold" in verdict.headline


# ---- Where not all can be met ----------------------------------------------------------------------------------------


NOTHING_FOUND = best_replies.RepliesFound((None, None), (1.0, 1.0), None)


@pytest.mark.thorough
def test_an_estimate_has_the_bound_of_the_local_best_response(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_replies, "find_gains", lambda *given: NOTHING_FOUND)  # too little time
    found = solve(
        game_with_engine(gdl.load("repeated_prisoners").model, ENGINES[-1]), "mccfr", nodes=10, iterations=100
    )
    assert not found.exact and found.regret is None and found.interval is None and found.strategy is None
    notes = " ".join(found.notes)
    assert "Not all positions were met" in notes and "local best response" in notes
    assert "A could gain at least" in notes  # after few iterations there is much to gain
    assert found.value is not None


@pytest.mark.thorough
def test_the_bound_is_no_more_than_the_regret() -> None:
    """The local best response gains no more than the best one, but for what is left to chance."""
    game = loaded("leduc")
    search = Sampling(game, game.initial(), ENGINES[-1], seed=3)
    search.learn(200)
    worked(search)
    proved = solve(game_with_engine(game.model, ENGINES[-1]), "mccfr", iterations=200, seed=3)
    assert proved.regret is not None
    search.look_for_gains(200_000)
    worked(search)
    means = []
    for deviating in (-1, 0, 1):
        search.play(20_000, deviating)
        means.append(worked(search).sampled_payoffs())
    for player in (0, 1):
        gain = means[1 + player].means[player] - means[0].means[player]
        assert 0 < gain < float(proved.regret[player]) + 0.1


@pytest.mark.thorough
def test_a_short_time_leaves_an_estimate() -> None:
    with pytest.raises(LimitReached) as stop:
        solve(game_with_engine(gdl.load("liars_dice").model, ENGINES[-1]), "mccfr", time=0.3)
    assert stop.value.partial is not None and stop.value.partial.value is not None


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="without WebAssembly nothing is estimated")
def test_auto_estimates_by_it_where_positions_are_too_many() -> None:
    with pytest.raises(LimitReached) as stop:
        solve(game_with_engine(gdl.load("stratego").model), nodes=500)
    assert stop.value.partial is not None
    assert stop.value.partial.solver == "mccfr" and stop.value.partial.best


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.skipif(not wasm.available(), reason="without WebAssembly nothing is estimated")
@pytest.mark.parametrize("solver", ["sequence-form", "mccfr"])
@pytest.mark.parametrize(("nodes", "told"), [(10, False), (500, False), (1_000, True)])
def test_samples_keep_the_nodes_that_were_asked_for(solver: str, nodes: int, told: bool) -> None:
    """Few plays give no value; where there is one, its error stands beside it."""
    try:
        answer = solve(game_with_engine(gdl.load("leduc").model), solver, nodes=nodes)
    except LimitReached as stop:
        answer = stop.partial
    assert answer is not None and (answer.nodes or 0) <= 2 * nodes
    assert (answer.value is not None) == told == any("standard error" in note for note in answer.notes)


def test_a_number_of_positions_that_nobody_set_is_not_told_as_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("gdl.wings.hidden.mccfr", "gdl.solvers.equilibria.exploration"):
        monkeypatch.setattr(f"{module}.MOST_POSITIONS", 5)
    with pytest.raises(LimitReached, match=r"^more than 5 positions are not listed, but sampled; stopped after 0\.2 s"):
        solve(gdl.load("kuhn"), "mccfr", time=0.2)
    with pytest.raises(LimitReached, match="stopped after 4 nodes, the limit set"):
        solve(gdl.load("kuhn"), "mccfr", time=0.2, nodes=4)
