"""SOLVERS and solve(): what the table offers, refuses and picks by itself."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from handmade import Goofspiel, HandMade, Kuhn, TicTacToe, prisoners
from installed import package_installed
from small_games import UNDECIDED, Countdown, Dodgem, EstimatedCountdown, Network, Pig, Ruin
from trees import MAX, MIN, chance, node, tree, unknown

import gdl
import gdl.solvers.table
from gdl import wings
from gdl.commands import listing
from gdl.errors import InternalError, Interrupted, LimitReached, Refusal
from gdl.game import Decision, Node, Simultaneous, Terminal, Traits
from gdl.solution import Solution
from gdl.solvers import SOLVERS, auto, solve
from gdl.solvers.needs import AtLeast, needs_in_words
from gdl.solvers.options import MEANING, SolverOptions

HALF = Fraction(1, 2)
A, B, C = node("A"), node("B"), node("C")


class Nim(HandMade):
    """Nim as it is written in rules, of which the analysis knows nothing: heaps, and whose turn it is."""

    name = "nim"
    traits = UNDECIDED

    def __init__(self, *heaps: int):
        self.heaps = heaps

    def initial(self) -> Any:
        return self.heaps, 0

    def node(self, state: Any) -> Node:
        heaps, mover = state
        takes = tuple(f"{h}:{k}" for h, heap in enumerate(heaps) for k in range(1, heap + 1))
        return Decision(mover, takes) if takes else Terminal((-1, 1) if mover == 0 else (1, -1))

    def successor(self, state: Any, action: Any) -> Any:
        heap, count = map(int, action.split(":"))
        heaps = list(state[0])
        heaps[heap] -= count
        return tuple(heaps), 1 - state[1]


# the table ------------------------------------------------------------------------------------------------------------


def test_every_row_is_complete() -> None:
    traits = {field.name for field in fields(Traits)}
    for name in SOLVERS:
        row = SOLVERS[name]
        assert row.name == name
        assert row.summary
        assert set(row.needs) <= traits
        assert not re.search(r"True|False|None|[][(){}<>]", " ".join(needs_in_words(row.needs))), "plain words"
        assert (row.run.__doc__ or "").strip()
        parameters = list(inspect.signature(row.run).parameters.values())
        assert [p.name for p in parameters[:2]] == ["game", "limits"]
        assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in parameters[2:])


def test_the_types_of_options_are_those_of_the_solvers() -> None:
    """Type checkers know of `solve(game, …)` the parameters of the solvers' functions; None counts as not given."""
    found: dict[str, Any] = {}
    for row in SOLVERS.values():
        for p in row.options.values():
            assert found.setdefault(p.name, p.annotation | None) == p.annotation | None, (row.name, p.name)
    told = get_type_hints(SolverOptions)
    assert found.items() <= told.items()
    if all(wings.wing(name) for name in wings.WORDS):
        assert told.keys() == set(MEANING) == found.keys()


def test_the_order_of_the_table() -> None:
    assert list(SOLVERS)[:5] == ["minimax", "expectiminimax", "maxn", "alpha-beta", "depth-limited"]


ALONE = """
import sys, gdl.solvers
names = list(gdl.solvers.SOLVERS)
assert names and not any(m.startswith("gdl.solvers.alpha") or m.endswith("nash") for m in sys.modules)
for name in names:
    gdl.solvers.SOLVERS[name]
    assert "networkx" not in sys.modules and "numpy" not in sys.modules, name
print(len(names))
"""


def test_rows_are_imported_alone() -> None:
    """Listing the names imports no solver; asking for any row imports neither networkx nor numpy."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{len(gdl.solvers.SOLVERS)}\n", "")


# refusals -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "solver", "message"),
    [
        pytest.param(
            prisoners(),
            "minimax",
            "minimax needs a zero-sum game and one mover at a time; prisoners is general-sum and has simultaneous "
            "moves; solvers that accept it: nash, dominance, subgame-perfect",
            id="matrix",
        ),
        pytest.param(
            tree(A(B((1, 5), (3, 5)), (2, 2)), players=("A", "B")),
            "alpha-beta",
            "alpha-beta needs a zero-sum game; tree is general-sum; solvers that accept it: maxn, shallow, paranoid, "
            "mcts, subgame-perfect",
            id="general-sum",
        ),
        pytest.param(
            tree(MAX(chance((HALF, 1), (HALF, 2)), 0)),
            "minimax",
            "minimax needs a game without chance; tree has chance moves; solvers that accept it: expectiminimax, maxn, "
            "star1, star2, shallow, paranoid, retrograde, mcts, subgame-perfect",
            id="chance",
        ),
        pytest.param(
            tree(A((1, 1, 1), B(C((1, 0, 2)), (2, 2, 2)), (0, 0, 0)), players=("A", "B", "C")),
            "minimax",
            "minimax needs one or two players and a zero-sum game; tree has three players and is general-sum; ",
            id="three players",
        ),
        pytest.param(
            Countdown(3, least=0),  # found out during the search
            "minimax",
            "minimax needs a game whose positions never come again; countdown can return to a position; solvers that "
            "accept it: retrograde, mcts",
            id="cyclic",
        ),
        pytest.param(
            Countdown(3, prize=5),
            "minimax",
            "minimax needs a zero-sum game; countdown is general-sum; solvers that accept it: maxn, shallow, ",
            id="general-sum after all",
        ),
        pytest.param(tree(MAX(1, 2)), "minmax", "no solver is called 'minmax', did you mean minimax?", id="slip"),
        pytest.param(tree(MAX(1, 2)), "oracle", "no solver is called 'oracle'; there are minimax, ", id="stranger"),
    ],
)
def test_refusals_say_why_and_what_would_do(game: Any, solver: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        solve(game, solver)
    assert str(refused.value).startswith(message)


OF_SEVERAL = replace(SOLVERS["shallow"], name="of-several", needs={**SOLVERS["shallow"].needs, "players": AtLeast(3)})


def test_a_solver_for_three_players_or_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two, three, four = (tree(A((0,) * n, (1,) * n), players=("A", "B", "C", "D")[:n]) for n in (2, 3, 4))
    with package_installed(tmp_path, "gdl.solvers", {"of-several": f"{__name__}:OF_SEVERAL"}):
        with pytest.raises(Refusal, match=r"^of-several needs three or more players; tree has two players; solvers th"):
            solve(two, "of-several")
        assert [solve(game, "of-several").best for game in (three, four)] == [("2",), ("2",)]
        listing.solvers.callback("of-several")  # type: ignore[misc]
    assert (
        "needs one mover at a time, perfect information, a game whose positions never come again and three or more"
        in (" ".join(capsys.readouterr().out.split()))
    )
    assert needs_in_words({"players": AtLeast(12)}) == ["12 or more players"]


@pytest.mark.thorough_of("rock_paper_scissors", "nim")
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", ["nim", "kuhn", "prisoners", "monty_hall", "three_players", "pig", "rock_paper_scissors"]
)
def test_the_solvers_that_a_refusal_names_do_not_refuse(name: str) -> None:
    game, named = gdl.load(name), set()
    for solver in SOLVERS:
        if SOLVERS[solver].lacks(game.traits):
            with pytest.raises(Refusal) as refused:
                solve(game, solver)
            named |= set(str(refused.value).partition("solvers that accept it: ")[2].split(", "))
    assert named
    for solver in sorted({solver for solver in named if (name, solver) not in LONG}):
        with suppress(LimitReached):
            solve(game, solver, nodes=3_000)


@pytest.mark.thorough
def test_a_search_that_estimates_is_named_where_there_is_an_evaluation() -> None:
    with pytest.raises(Refusal, match=r"accept it: .*depth-limited"):
        solve(gdl.load("othello"), "plan")
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("connect_four"), "plan")
    assert "depth-limited" not in str(refused.value)


def test_what_a_refusal_names_does_accept_the_game() -> None:
    game = EstimatedCountdown(3, least=0)
    with pytest.raises(Refusal) as refused:
        solve(game, "minimax")
    named = str(refused.value).rsplit(": ", 1)[1].split(", ")
    for name in named:
        options = {"depth": 3} if name in ("alpha-beta", "depth-limited", "star1", "star2", "paranoid") else {}
        assert solve(game, name, **options).value is not None


def test_options_must_fit_the_solver() -> None:
    game = tree(MAX(MIN(3, 4), MIN(1, 2)))
    with pytest.raises(
        Refusal, match="minimax has no option order or cut; its options are depth, nodes, time and values"
    ):
        solve(game, "minimax", order="best", cut="gt")
    assert solve(game, "minimax", depth=None, seed=4, progress=print).value == (3, -3)
    assert solve(game, "alpha-beta", cut="gt").value == (3, -3)


# what auto picks ------------------------------------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("game", "solver", "reason"),
    [
        (prisoners(), "nash", "everyone moves at once, and once only"),
        (TicTacToe(), "minimax", "two players, zero-sum, no chance, perfect information, 5,478 positions"),
        (Nim(3, 2), "minimax", "two players, zero-sum, no chance, perfect information, 20 positions"),
        (tree(MAX(chance((1, 4)), 3)), "expectiminimax", "two players, zero-sum, chance, perfect information, 4 positions"),
        (
            tree(A((1, 2, 3), B((0, 0, 0), (2, 2, 2))), players=("A", "B", "C")),
            "maxn",
            "three players, general-sum, no chance, perfect information, 5 positions",
        ),
        (tree(A(A(3), 2), players=("A",)), "minimax", "one player, no chance, perfect information, 4 positions"),
        (
            tree(MAX(MIN(3, 4), MIN(2, unknown("x")))),
            "unknowns",
            "some numbers are left open",
        ),
        (Kuhn(), "sequence-form", "two players, zero-sum, hidden information"),
        (Goofspiel(3), "sequence-form", "two players, zero-sum, simultaneous moves"),
        (Dodgem(), "retrograde", "two players, zero-sum, no chance, perfect information, 1,963 positions, which can come again"),
        (
            Pig(4),
            "retrograde",
            "two players, constant-sum 1, chance, perfect information, 102 positions, which can come again",
        ),
        (Ruin(1, 3, HALF), "retrograde", "one player, chance, perfect information, 6 positions, which can come again"),
        (
            tree(MIN(MAX(1, 2, infoset="x"), MAX(2, 1, infoset="x"))),
            "sequence-form",
            "two players, zero-sum, hidden information",
        ),
        (
            Nim(12, 12, 12, 12),
            "mcts",
            "more than 20,000 positions, and the file gives no evaluation: the answer is an estimate",
        ),
        (
            EstimatedCountdown(100_000),
            "depth-limited",
            "more than 20,000 positions, and the file gives an evaluation: the answer is an estimate",
        ),
    ],
    ids=lambda value: getattr(value, "name", "") or None,
)  # fmt: skip
def test_auto(game: Any, solver: str, reason: str) -> None:
    answer = solve(game)
    assert (answer.solver, answer.reason) == (solver, reason)
    assert answer.value is not None
    assert answer.exact == (solver not in ("mcts", "depth-limited"))


@pytest.mark.parametrize(("actions", "nodes"), [(2, 25_000), (60, 25_000), (5_000, 300), (100_000, 15), (2_000_000, 1)])
def test_simulations_without_a_limit_count_the_actions(actions: int, nodes: int) -> None:
    """25,000 nodes of 5,000 actions would take minutes."""
    from types import SimpleNamespace

    from gdl.game import NO_ENGINE, Decision
    from gdl.solvers.mcts.mcts import simulation_nodes

    wide: Any = SimpleNamespace(engine=NO_ENGINE, initial=lambda: 0, node=lambda state: Decision(0, ("go",) * actions))
    assert simulation_nodes(wide, UNDECIDED) == nodes


def test_auto_looks_where_the_traits_are_silent() -> None:
    hidden = tree(MIN(MAX(1, 2, infoset="x"), MAX(2, 1, infoset="x")))
    hidden.traits = UNDECIDED
    assert auto.pick(hidden).solver == "sequence-form"
    nodes: list[Node] = [Decision(0, ("0", "1")), Decision(1, ("0", "1")), Terminal((1, 2)), Terminal((0, 0))]
    assert auto.pick(Network(nodes, [[1, 2], [0, 3]])).solver == "mcts"  # general-sum, and can come again


class Polite(Nim):
    """The game with everyone asked at each turn, where only the one to move has a choice."""

    name = "polite nim"
    traits = replace(UNDECIDED, simultaneous=False)

    def node(self, state: Any) -> Node:
        item = super().node(state)
        if isinstance(item, Terminal):
            return item
        assert isinstance(item, Decision)
        return Simultaneous((item.actions, ()) if item.player == 0 else ((), item.actions))

    def successor(self, state: Any, action: Any) -> Any:
        return super().successor(state, action[state[1]])


@pytest.mark.parametrize("solver", ["auto", "minimax", "alpha-beta", "mcts"])
def test_everyone_is_asked_but_one_has_a_choice(solver: str) -> None:
    answer = solve(Polite(2, 1), solver)
    assert answer.best == ("0:1",)
    assert answer.exact == (solver != "mcts")


def test_auto_prefers_a_solver_that_takes_the_options() -> None:
    game = tree(MAX(MIN(3, 4, eval=2), MIN(1, 2, eval=5)))
    assert (solve(game, depth=1).solver, solve(game, depth=1).value) == ("alpha-beta", (5, -5))
    assert solve(game, depth=1).reason == "it takes the option depth"
    assert solve(game, cut="gt").solver == "alpha-beta"
    assert solve(game, simulations=10, seed=3).solver == "mcts"
    assert solve(tree(MAX(chance((1, 4)), 3, eval=0)), depth=2).solver == "depth-limited"
    with pytest.raises(
        Refusal, match="the option cut is for alpha-beta, star1, star2, shallow or unknowns, which kuhn does not suit"
    ):
        solve(Kuhn(), cut="gt")


def test_a_partial_answer_says_why_its_solver_was_picked() -> None:
    with pytest.raises(LimitReached) as stopped:
        solve(TicTacToe(), nodes=100)
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.reason.startswith("two players")


def test_ctrl_c_while_looking_at_the_game() -> None:
    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        solve(Nim(15, 15, 15, 15), progress=press_ctrl_c)
    assert stopped.value.partial is None


def test_looking_at_the_game_keeps_the_time() -> None:
    with pytest.raises(LimitReached) as stopped:
        solve(EstimatedCountdown(10**6), time=0.05)
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.solver == "depth-limited"
    assert partial.value is not None


PLANNED = ("commitment", "team", "welfare")


# every answer is judged -----------------------------------------------------------------------------------------------


def every_game() -> list[Any]:
    return [
        prisoners(),
        Kuhn(),
        Goofspiel(2),
        Nim(2, 1),
        tree(MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))),
        tree(MAX(chance((HALF, MIN(1, 2)), (HALF, 4)), 2)),
        tree(A(B(C((1, 2, 6), (4, 2, 3)), (6, 1, 2)), B((5, -1, -1), C((7, 7, -1), (5, 4, 5)))), players=("A", "B", "C")),
        tree(A(A(3), 2), players=("A",)),
    ]  # fmt: skip


LONG = {  # whose own tests or those of the verifier ask for the same, or goofspiel shows it in less time
    ("kuhn", solver)
    for solver in """
    nash perfect proper subgame-perfect commitment mccfr dominance correlated coarse-correlated perfect-bayesian sequential
    """.split()
}


@pytest.mark.thorough_of("kuhn-global-newton", "tree-cfr2")
@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, marks=pytest.mark.slow if (game.name, name) in LONG else (), id=f"{game.name}-{name}")
        for game in every_game()
        for name in gdl.solvers.table._MODULES
    ],
)
def test_every_solver_on_every_game_it_accepts(game: Any, name: str) -> None:
    if SOLVERS[name].lacks(game.traits):
        with pytest.raises(Refusal):
            solve(game, name)
        return
    try:
        answer = solve(game, name, **({"depth": 9} if name == "depth-limited" else {}))
    except Refusal as refusal:  # what the traits cannot say, as that plans are too many for a table
        assert str(refusal).split()[0]
        return
    profile = answer.strategy or next(iter(answer.equilibria), {})
    if answer.concept in PLANNED:  # of which nobody says that everyone would keep to it
        assert answer.regret is not None
    elif answer.exact and not answer.secured and all(profile.get(player) for player in game.players):
        assert answer.regret == (0,) * len(game.players)


def test_solvers_agree_on_what_they_share() -> None:
    for game in every_game()[1:]:
        values = {}
        for name in ["minimax", "expectiminimax", "maxn", "alpha-beta", "depth-limited", "retrograde", "sequence-form"]:
            try:
                answer = solve(game, name)
            except Refusal:
                continue
            values[name] = answer.value
        assert len(set(values.values())) == 1, (game.name, values)


def worse(*asked: Any, **options: Any) -> Solution:
    """The answer of minimax, but for a strategy by which MAX takes the lesser."""
    return replace(SOLVERS["minimax"].run(*asked, **options), strategy={"MAX": {"start": {"2": 1}}, "MIN": {}})


WORSE = replace(SOLVERS["minimax"], name="worse", run=worse)


def test_a_wrong_strategy_does_not_leave_the_house(tmp_path: Path) -> None:
    with (
        package_installed(tmp_path, "gdl.solvers", {"worse": f"{__name__}:WORSE"}),
        pytest.raises(InternalError, match="can be improved upon"),
    ):
        solve(tree(MAX(3, 2)), "worse")
