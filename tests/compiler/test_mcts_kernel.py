"""mcts on the compiled engine: the same answer as its readable twin, to the last bit, whatever the game and the limit."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from compiled_soon import slices_of
from sampling import one_in
from shipped import shipped

import gdl
import gdl.solvers.mcts.mcts
from gdl.commands.engines import offer
from gdl.compiler.searches.mcts_driver import K as TREE
from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.game import Decision, Game, actions
from gdl.interpreter.position import Continuation
from gdl.solution import RecordedSearch, Solution
from gdl.solvers.budget import SearchLimits
from gdl.solvers.mcts.mcts import mcts as search
from gdl.states.safe_play import SAFE_ACTIONS, TRIAL, SafePlay

pytest.importorskip("wasmtime")

GAMES = {  # and how many simulations the interpreter can do in a moment
    "tic_tac_toe": 400, "connect_four": 20, "nim": 400, "pig": 8, "chomp": 200, "kayles": 300, "hex": 300, "subtraction": 200,
    "twenty_one": 20, "monopoly": 60, "wythoff": 200, "centipede": 100, "toads_and_frogs": 100,
    "kalah": 30, "dots_and_boxes": 8, "ultimatum": 100, "2048": 3,
}  # fmt: skip


def on(game: str | Game[Any], engine: str) -> Any:
    found = shipped(game) if isinstance(game, str) else game
    return offer(found, engine)


def mcts(game: Any, **options: Any) -> Solution:
    """The answer, but for the simulations that the twin alone records."""
    return search(game, **options).with_part(RecordedSearch, simulations=())


def answer(game: Any, **options: Any) -> Solution:
    """The answer, also where a limit has stopped it."""
    try:
        return mcts(game, **options)
    except LimitReached as stop:
        assert isinstance(stop.partial, Solution)
        return stop.partial.with_part(RecordedSearch, simulations=())


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", one_in(2, GAMES))
def test_the_kernel_answers_as_its_twin(name: str) -> None:
    options = {"limits": SearchLimits(nodes=1500), "simulations": GAMES[name], "seed": len(name)}
    twin = answer(on(name, "interpreter"), **options)
    assert answer(on(name, "wasm"), **options) == twin
    assert answer(on(name, "python"), **options) == twin


def test_safe_moves_are_given_up_where_most_positions_have_many_actions() -> None:
    few, many = (Decision(0, tuple(map(str, range(count)))) for count in (SAFE_ACTIONS, SAFE_ACTIONS + 1))
    safe = SafePlay(shipped("tic_tac_toe"), [None, None], 0)
    assert safe.moves_safely(few)
    assert not any(safe.moves_safely(many) for _ in range(TRIAL))
    assert not safe.moves_safely(few)
    options = {"simulations": 40, "seed": 1}  # of which the last ones play without
    game = "tic_tac_toe_3d"
    assert answer(on(game, "wasm"), **options) == answer(on(game, "interpreter"), **options)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "plays", "seed"), [("tic_tac_toe", 2, 2), ("domineering", 2, 3), ("connect_four", 1, 0)]
)
def test_the_kernel_finds_the_same_actions_to_lose(name: str, plays: int, seed: int) -> None:
    """Also where the positions that may be looked at do not suffice."""
    random, game, warned = Random(seed), shipped(name), 0
    engines = [on(game, engine) for engine in (("wasm", "python") if plays > 1 else ("wasm",))]
    for _ in range(plays):
        state = game.initial()
        while isinstance(node := game.node(state), Decision):
            twin = mcts(Continuation(game, state), simulations=3, seed=1)
            warned += any("loses by force" in note for note in twin.notes)
            for engine in engines:
                assert mcts(Continuation(engine, state), simulations=3, seed=1) == twin
            state = game.successor(state, random.choice(node.actions))
    assert warned


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "options",
    [
        {"c": 0.0},
        {"c": 3.5},
        {"threads": 3},
        {"limits": SearchLimits(nodes=777), "threads": 2},
        {"limits": SearchLimits(nodes=1)},
    ],
)
def test_options(options: dict[str, Any]) -> None:
    options = {"simulations": 200, "seed": 9, **options}
    assert answer(on("tic_tac_toe", "wasm"), **options) == answer(on("tic_tac_toe", "interpreter"), **options)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "settings", "options"),
    [
        ("hex", {"n": 4}, {"simulations": 60}),  # in planes of one word
        ("gomoku", {"columns": 9, "rows": 8}, {"simulations": 8}),  # of two
        pytest.param(  # too many for planes
            "gomoku", {"columns": 17, "rows": 16, "run": 3}, {"simulations": 2}, marks=pytest.mark.slow
        ),
        ("tic_tac_toe", {}, {"simulations": 400}),  # proves much
        ("tic_tac_toe", {"columns": 4, "rows": 4}, {"simulations": 60, "threads": 2, "c": 1.0}),
    ],
)
def test_what_cells_bring_whenever_they_are_taken(name: str, settings: dict[str, Any], options: dict[str, Any]) -> None:
    game = shipped(name, settings)
    twin = answer(on(game, "interpreter"), seed=5, amaf=2.5, **options)
    assert answer(on(game, "wasm"), seed=5, amaf=2.5, **options) == twin
    if name != "gomoku":
        assert answer(on(game, "python"), seed=5, amaf=2.5, **options) == twin
        assert answer(on(game, "wasm"), seed=5, amaf=0.0, **options) != twin


def test_it_is_counted_on_large_boards_and_only_where_actions_take_cells() -> None:
    small, large = (on(shipped("hex", {"n": n}), "wasm") for n in (6, 7))
    assert mcts(small, simulations=100) == mcts(small, simulations=100, amaf=0.0)
    assert mcts(large, simulations=100) == mcts(large, simulations=100, amaf=3.0)
    with pytest.raises(Refusal, match="only where each takes a cell for good"):
        mcts(on("connect_four", "wasm"), amaf=1.0)
    with pytest.raises(Refusal, match="by a number from 0 on, not -1"):
        mcts(large, amaf=-1.0)


@pytest.mark.thorough
def test_it_is_more_curious_after_many_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here after five for each action; the constant that a reader gives holds throughout."""
    few = mcts(on("connect_four", "wasm"), simulations=150)
    assert few == mcts(on("connect_four", "wasm"), simulations=150, c=0.6)
    monkeypatch.setattr(gdl.solvers.mcts.mcts, "FEW_VISITS", 5)
    many = mcts(on("connect_four", "wasm"), simulations=150)
    assert many == mcts(on("connect_four", "interpreter"), simulations=150)
    assert many != few


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "settings"), [("othello", {"n": 4}), ("kalah", {"houses": 3})])
def test_it_is_as_curious_as_points_differ(name: str, settings: dict[str, Any]) -> None:
    game = shipped(name, settings)
    twin = mcts(on(game, "interpreter"), simulations=150, seed=3)
    assert mcts(on(game, "wasm"), simulations=150, seed=3) == twin


def test_proven_from_a_later_position() -> None:
    game = on("tic_tac_toe", "wasm")
    state = game.initial()
    for action in ("take(a1)", "take(b1)", "take(a2)"):
        state = game.successor(state, action)
    found = mcts(Continuation(game, state), simulations=2000)
    assert (found.exact, found.value) == (True, (1, -1))
    assert found == mcts(Continuation(on("tic_tac_toe", "interpreter"), state), simulations=2000)


@pytest.mark.thorough
def test_a_tree_without_room_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    free = answer(on("connect_four", "wasm"), simulations=40)
    monkeypatch.setattr(gdl.solvers.mcts.mcts, "ROOM", 30)
    full = answer(on("connect_four", "wasm"), simulations=40)
    assert full == answer(on("connect_four", "interpreter"), simulations=40)
    assert full.notes != free.notes
    two = answer(on("connect_four", "wasm"), simulations=40, threads=2)
    assert two == answer(on("connect_four", "interpreter"), simulations=40, threads=2)
    assert "full at 30 positions" in (two.limit or "")
    assert (full.limit, free.limit) == (
        "estimated from 40 random simulations, in a tree that was full at 29 positions",
        "estimated from 40 random simulations",
    )


@pytest.mark.thorough
def test_a_tree_has_the_memory_that_is_left() -> None:
    """Where time limits the search; and what it is asked next with less left, it does in the same tree."""
    rest = [1 << 20, 1 << 16]
    game = offer(shipped("gomoku"), "wasm", lambda: rest.pop(0))
    found = answer(game, limits=SearchLimits(time=0.2)).limit or ""
    _, _, positions = found.partition("in a tree that was full at ")
    each = 3 * 8 + 8 * 4 + 48 + 4 * 18  # of visits and totals, links, all else, a state
    assert 4000 < int(positions.split(" ")[0].replace(",", "")) <= (1 << 20) * 3 // 4 // each
    assert "of them from the search before" in (answer(game, limits=SearchLimits(time=0.2)).limit or "") and not rest


def test_states_that_are_not_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from gdl.compiler.searches import mcts_driver as searches

    kept = answer(on("monopoly", "wasm"), simulations=150)
    monkeypatch.setattr(searches, "STATES", 300)
    assert answer(on("monopoly", "wasm"), simulations=150) == kept


def test_a_tree_is_smaller_where_there_is_no_address_space(monkeypatch: pytest.MonkeyPatch) -> None:
    from gdl.compiler import wasm

    wanted = answer(on("connect_four", "wasm"), simulations=200)
    asked, load = [], wasm.load

    def short(*given: Any) -> Any:
        module = load(*given)
        asked.append(len(module["tree_link"]))
        if asked[-1] > 1 << 24:
            raise OSError("Cannot allocate memory")
        return module

    monkeypatch.setattr(wasm, "load", short)
    monkeypatch.setattr(gdl.solvers.mcts.mcts, "ROOM", 1 << 23)
    assert answer(on("connect_four", "wasm"), limits=SearchLimits(time=0.02)).best and len(asked) == 2
    assert answer(on("connect_four", "wasm"), simulations=200) == wanted and len(asked) == 3


RING = """game "Ring" (doors = 0)
players A, B
state
    at: 0..3

action on when at < 3
    at := (at + 1) mod 3

action leave when at = 2 and doors = 1
    at := 3

terminal
    at = 3 -> win mover
"""
PRICED = RING + "    forever -> (1/2, -1/2)\n"


def ring(text: str, doors: int, engine: str) -> Any:
    return on(gdl.loads(text, settings={"doors": str(doors)}).game, engine)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("doors", [0, 1])
def test_endless_simulations_get_their_price(doors: int) -> None:
    found = mcts(ring(PRICED, doors, "wasm"), simulations=200)
    assert found == mcts(ring(PRICED, doors, "interpreter"), simulations=200)
    assert found.nodes is not None
    assert found.nodes < 200 * 120  # patience is soon at its end


def test_endless_simulations_without_a_price() -> None:
    with pytest.raises(Refusal, match="one of Ring went on for 10,000 plies"):
        mcts(ring(RING, 0, "wasm"), simulations=200)


FAULTY = """players A, B
state
    left: 0..3 = 3
    at: 0..2

action take when left > 0
    left := left - 1
action climb when left > 0
    at := at + 1
    left := left - 1

terminal
    left = 0 -> pay at to A
"""


def test_a_fault_is_told_with_the_play_that_led_there() -> None:
    told = []
    for engine in ("interpreter", "wasm", "python"):
        with pytest.raises(GameError) as caught:
            mcts(on(gdl.loads(FAULTY).game, engine), simulations=500, seed=4)
        told.append(str(caught.value))
    assert told[0] == told[1] == told[2]
    assert "after: " in told[0]


@pytest.mark.thorough
def test_ctrl_c_and_time_bring_what_was_learned() -> None:
    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    for threads in (1, 2):
        with pytest.raises(Interrupted) as pressed:
            mcts(
                on("breakthrough", "wasm"),
                limits=SearchLimits(progress=press_ctrl_c),
                simulations=10**6,
                threads=threads,
            )
        assert pressed.value.partial.best  # type: ignore[attr-defined]
        with pytest.raises(LimitReached, match=r"0\.1 seconds") as stopped:
            mcts(on("breakthrough", "wasm"), limits=SearchLimits(time=0.1), threads=threads)
        assert stopped.value.partial.best  # type: ignore[attr-defined]


def test_who_moves_at_once_is_refused_where_the_engine_was_asked_for() -> None:
    assert mcts(on("tic_tac_toe", "auto"), simulations=5).leaves == 5
    with pytest.raises(Refusal, match="mcts needs one mover at a time"):
        mcts(on("goofspiel", "wasm"))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ["tic_tac_toe", "monopoly", "kalah", "gomoku"])
def test_a_tree_that_was_used_grows_anew_as_another_would(name: str) -> None:
    """Compiled once, it serves every position of a play."""
    game = on(name, "wasm")
    state, found, modules = game.initial(), [], []
    for _ in range(5):
        found.append(answer(Continuation(game, state), simulations=300, seed=7))
        modules += [forest.trees[0].module for _, forest in game.engine.origin.made.values()]
        state = game.successor(state, actions(game.node(state))[0])
    assert len(modules) == 5 and all(module is modules[0] for module in modules)
    state = game.initial()
    for one in found:
        assert answer(Continuation(on(name, "wasm"), state), simulations=300, seed=7) == one
        state = game.successor(state, actions(game.node(state))[0])


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["connect_four", "pig"])
def test_another_seed_begins_again_on_the_machine_code_that_is_there(name: str) -> None:
    game, forests = on(name, "python"), []
    for seed, simulations in ((1, 60), (2, 60), (1, 60), (1, 70)):
        found = mcts(game, simulations=simulations, seed=seed)
        assert found == mcts(on(name, "python"), simulations=simulations, seed=seed)
        forests += [forest for _, forest in game.engine.origin.made.values()]
    assert forests[0] is forests[1] is forests[2] is not forests[3] and len(forests) == 4


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        pytest.param("hex", 5000, marks=pytest.mark.thorough),
        ("monopoly", 800),
        pytest.param("connect_four", 2000, marks=pytest.mark.slow),
        pytest.param("pig", 2000, marks=pytest.mark.slow),
    ],
)
def test_a_tree_goes_on_with_what_it_knows_of_a_later_position(name: str, plies: int) -> None:
    """Nodes, states and weights below it stay what they are, whatever simulation was going on; all others are gone."""
    game = on(shipped(name, {"n": "4"} if name == "hex" else {}), "python")
    tree = grown(game, plies)
    state, node = game.initial(), tree.root
    for _ in range(2):
        way = max((k for k, child in enumerate(node.children) if child), key=lambda k: node.children[k].N)
        state, node = game.successor(state, actions(game.node(state))[way]), node.children[way]
    tree.module["tree_rest"]()
    wanted = told(tree, game, state, node)
    assert len(wanted) > 3
    tree.restart(state)
    assert told(tree, game, state, tree.root) == wanted
    assert tree.simulations == tree.root.N == wanted[0][0] and not any(tree.module["reroot_mark"])
    grown(game, 500, tree)
    tree.restart(state)  # in the midst of a simulation
    assert tree.simulations == tree.root.N > wanted[0][0]
    told(tree, game, state, tree.root)
    tree.restart(game.initial())  # which is above: all begins anew
    assert tree.simulations == tree.root.N == 0
    grown(game, plies // 4, tree)
    tree.module["tree_rest"]()
    told(tree, game, game.initial(), tree.root)


@pytest.mark.thorough
def test_a_search_goes_on_with_the_one_before_only_where_time_alone_limits_it() -> None:
    game = on("breakthrough", "wasm")
    before = "of them from the search before"
    told = [
        answer(game, limits=SearchLimits(time=0.05), threads=threads, c=1.0).limit or "" for threads in (1, 1, 2, 2)
    ]
    assert [before in words for words in told] == [False, True, False, True]
    counted = answer(game, simulations=50)
    assert before not in (counted.limit or "") and answer(game, simulations=50) == counted


def grown(game: Any, plies: int, tree: Any = None) -> Any:
    """A tree that only time would limit, after so many plies of random play, and in the midst of a simulation."""
    from gdl.solvers.budget import Budget
    from gdl.solvers.mcts.mcts import EXPLORATION, TreeSettings, forest_of

    if tree is None:
        forest = forest_of(
            game, [TreeSettings(None, None, 5, EXPLORATION)], Budget(), 3.0 if game.promises.taken() else 0.0
        )
        (tree,) = forest.trees
    growing = tree.grow()
    tree.run, run = lambda budget: run(plies), tree.run
    next(growing)
    tree.run = run
    while not tree.module["uct_now"][TREE.NOW_PLAYING]:
        tree.run(1)
    return tree


def told(tree: Any, game: Any, state: Any, node: Any) -> list[Any]:
    """A node and those below it: visits, totals, what is proven, and the state where it is kept."""
    link = tree.module["tree_link"][node._number * TREE.LINK : (node._number + 1) * TREE.LINK]
    words = tree.lowered.layout.words
    if kept := link[TREE.LINK_KEPT]:
        own = list(tree.module["tree_state"][(kept - 1) * words : kept * words])
        assert own == list(tree.lowered.layout.words_of_state(state.turn, state.cells))
    assert node.N
    below, there = [], [child for child in node.children if child is not None]
    assert len(there) == link[TREE.LINK_TRIED]
    for action, child in zip(actions(game.node(state)) if node.children else [], node.children, strict=True):
        if child is not None:
            below += told(tree, game, game.successor(state, action), child)
    return [(node.N, node.W, node.proven, list(link[TREE.LINK_ROWS : TREE.LINK_KEPT])), *below]


def test_slices_of_one_ply_come_to_the_same_end() -> None:
    """Where a ply takes longer than a slice, each has a budget of one: simulations never went on."""
    game = gdl.load("tic_tac_toe")
    usual = gdl.solve(game, "mcts", simulations=200, seed=1)
    with slices_of(1, 0.0):
        small = gdl.solve(game, "mcts", simulations=200, seed=1)
    assert (small.value, small.nodes, small.best) == (usual.value, usual.nodes, usual.best)
