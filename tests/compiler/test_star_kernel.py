"""star1, star2 and paranoid on the compiled engine: the readable twin's run, node by node."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from compiled_soon import recorded_up_to
from kernel_games import DICE, LADDER, PIG, PURSES, ROLLS, STAR, at_random, on, written
from sampling import one_in

import gdl
from gdl.compiler import search_kinds
from gdl.compiler.compiled_engine import CompiledEngine
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Number, Promises
from gdl.interpreter.position import Continuation
from gdl.solution import Solution
from gdl.solvers import record, solve
from gdl.solvers.budget import SearchLimits
from gdl.solvers.horizon import Horizon
from gdl.solvers.minimax import star, windows
from gdl.solvers.minimax.paranoid import Coalition, paranoid
from gdl.solvers.minimax.star import StarSearch
from gdl.solvers.needs import Unmet, Watch

pytest.importorskip("wasmtime")

Limits = tuple[Number | None, Number | None]

ESTIMATED = (
    ROLLS
    + """
evaluate
    each p: if p = Ann then lead / 3 else 3 - lead / 3
"""
)
GAMES: dict[str, tuple[Callable[[], Any], Limits]] = {
    "rolls": (lambda: gdl.loads(ESTIMATED, settings={"turns": "3"}).game, (-3, Fraction(13, 2))),
    "pig": (lambda: written("pig", PIG, goal="12"), (-1, 1)),
    "dice": (lambda: gdl.loads(DICE, settings={"last": "2"}).game, (0, 40)),
    "tic-tac-toe": (lambda: written("tic_tac_toe"), (-1, 1)),
}
BOUNDED = {"both": (True, True), "least": (True, False), "greatest": (False, True), "none": (False, False)}
WAYS = [(probing, strictly) for probing in (False, True) for strictly in (False, True)]


def promising(game: Any, limits: Limits, player: int) -> Any:
    """The game with bounds of one player's utilities, of which nothing else is known."""
    pairs = [(None, None)] * len(game.players)
    pairs[player] = limits
    game.promises = Promises(bounds=lambda state: tuple(pairs))
    return game


def twin(game: Any, player: int, probing: bool, strictly: bool, depth: int | None) -> StarSearch:
    """The run of the readable twin."""
    side: Any = Coalition(game, player)
    ended = side if depth is None else Horizon(side, depth)
    given = windows.ordering(ended, "given", star.Budget())
    search = StarSearch(ended, given, strictly, Watch("star1", {}, ended), star.Budget())
    search.probing = probing
    search.run()
    return search


def same(engines: Sequence[str], game: Any, state: Any, depth: int | None, **way: Any) -> int:
    """The nodes of the twin's run and of that on every engine, which are the same in everything."""
    search = twin(Continuation(game, state), way["player"], way["probing"], way["strictly"], depth)
    bounds = tuple(map(record.finite, search.limits(search.game.initial())))
    assert search.result is not None
    for engine in engines:
        made = CompiledEngine(game, state, engine).search(search_kinds.STAR, depth=depth, bounds=bounds, **way)
        list(made.go_on(None))
        assert (made.value, made.nodes, made.leaves) == (search.result.value, search.budget.spent, search.leaves)
        assert (made.line, made.cut_off, made.chances) == (search.result.line, search.cut_off, search.chances)
    return search.budget.spent


@pytest.mark.one_in(7)
@pytest.mark.parametrize("case", one_in(2, product(GAMES, BOUNDED)), ids="-".join)
def test_the_run_is_the_twins(case: tuple[str, str]) -> None:
    """With both pruning rules, with probes and without, for every player, cut off or not, whatever bounds are known."""
    name, bounded = case
    rng = random.Random(name)
    make, limits = GAMES[name]
    known = tuple(limit if wanted else None for limit, wanted in zip(limits, BOUNDED[bounded], strict=True))
    game = make()
    for probing, strictly in WAYS:
        player = rng.randrange(len(game.players))
        promising(game, (known[0], known[1]), player)
        depth = 4 if name == "pig" else None if name == "tic-tac-toe" or rng.random() < 0.5 else rng.randrange(1, 6)
        state = at_random(game, rng)
        if name == "tic-tac-toe":
            while len(game.node(state)[1]) > 6:
                state = at_random(game, rng)
        same(["wasm"], game, state, depth, player=player, probing=probing, strictly=strictly)


@pytest.mark.thorough
@pytest.mark.one_in(4)
@pytest.mark.parametrize(("probing", "strictly"), WAYS)
def test_bounds_save_nodes(probing: bool, strictly: bool) -> None:
    """On plain Python as many as on WebAssembly."""
    counts = []
    for limits in ((None, None), (-1, 1)):
        game = promising(GAMES["pig"][0](), limits, 0)
        counts.append(same(["wasm", "python"], game, game.initial(), 6, player=0, probing=probing, strictly=strictly))
    assert counts[0] > counts[1]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Runs of more than 300 nodes are not recorded; from its call on, they are the compiled engine's alone."""
    run = StarSearch.run

    def begun(self: StarSearch, most: float = float("inf")) -> None:
        assert most < 10_000, "the twin was asked"
        run(self, most)

    with recorded_up_to(300):
        yield lambda: monkeypatch.setattr(StarSearch, "run", begun)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("solver", ["star1", "star2"])
def test_the_answer_of_a_long_run_is_the_twins(solver: str, cut: str, short: Callable[[], None]) -> None:
    answers = [solve(gdl.loads(ROLLS, settings={"turns": "4"}).game, solver, cut=cut)]
    assert "more than 300 nodes were visited" in answers[0].notes[0]
    short()
    for engine in ("auto", "wasm"):
        answers.append(solve(on(engine, gdl.loads(ROLLS, settings={"turns": "4"}).game), solver, cut=cut))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].value is not None


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("options", [{}, {"depth": 3}], ids=["whole", "cut off"])
def test_paranoid_is_the_twins(options: dict[str, int], short: Callable[[], None]) -> None:
    """Also where it is too short to be recorded."""
    plain, fast = (written("chinese_checkers", STAR, rounds="2") for _ in range(2))
    answer = paranoid(plain, **options)
    short()
    assert paranoid(on("wasm", fast), **options) == answer
    assert answer.exact == (not options)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("nodes", [301, 700, 1500])
@pytest.mark.parametrize("solver", ["star1", "paranoid"])
def test_a_limit_stops_both_at_the_same_node(solver: str, nodes: int, short: Callable[[], None]) -> None:
    partial = []
    for game in (written("tic_tac_toe"), on("auto", written("tic_tac_toe"))):
        with pytest.raises(LimitReached) as stopped:
            solve(game, solver, nodes=nodes)
        partial.append((str(stopped.value), stopped.value.partial))
        short()
    assert partial[0] == partial[1]
    assert isinstance(partial[0][1], Solution)


def test_what_does_not_suit_is_refused_as_the_twin_refuses_it(short: Callable[[], None]) -> None:
    told = []
    for game in (gdl.loads(LADDER).game, on("wasm", gdl.loads(LADDER).game)):
        with pytest.raises(Unmet, match="can return to a position") as unmet:
            paranoid(game)
        told.append(str(unmet.value))
    assert told[0] == told[1]


def test_the_kernel_says_itself_what_does_not_suit() -> None:
    def run(text: str, **options: Any) -> None:
        game = gdl.loads(text).game
        list(CompiledEngine(game, game.initial(), "wasm").search(search_kinds.STAR, **options).go_on(None))

    with pytest.raises(Refusal, match="positions come again"):
        run(LADDER)
    with pytest.raises(Refusal, match="do not always have the same sum"):
        run(PURSES, one_sum=True)
    with pytest.raises(Refusal, match="lies outside the bounds"):
        run(ROLLS, bounds=(0, 1))
    with pytest.raises(Refusal, match="its numbers become too large"):
        run(ROLLS.replace("weight n", "weight 1000003 * n + left"))
    with pytest.raises(Refusal, match="has to give an evaluation"):
        run(ROLLS, depth=3)


def test_numbers_that_do_not_fit_are_left_to_the_twin() -> None:
    text = ROLLS.replace("weight n", "weight 1000003 * n + left")
    plain, fast = (gdl.loads(text, settings={"turns": "4"}).game for _ in range(2))
    with recorded_up_to(300):
        assert solve(on("wasm", fast), "star1") == solve(plain, "star1")


@pytest.mark.thorough
def test_a_utility_beyond_its_bounds_is_the_files_fault() -> None:
    told = []
    for game in (gdl.loads(DICE).game, on("wasm", gdl.loads(DICE).game)):
        with pytest.raises(GameError, match="lies outside the bounds that the file promises") as fault:
            paranoid(promising(game, (0, 2), 0), SearchLimits(nodes=5000))
        told.append(str(fault.value))
    assert told[0] == told[1]
