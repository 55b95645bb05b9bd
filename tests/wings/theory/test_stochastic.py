"""Stochastic games: published values, and random games held to the definition, written down once more."""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import networkx
import pytest
from click.testing import CliRunner
from handmade import HandMade
from small_games import UNDECIDED
from verification import verify

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.game import Node, Promises, Rewards, Simultaneous, Traits
from gdl.graph import GraphGame, state_graph
from gdl.solution import Solution
from gdl.solvers import solve

GAMES = Path(__file__).parents[2] / "solvers" / "stochastic"


def load(name: str, **settings: str) -> Any:
    return gdl.load(GAMES / f"{name}.game", settings=settings)


@pytest.mark.parametrize("rate", ["1/2", "9/10", "99/100"])
def test_the_big_match_is_worth_a_half_at_every_discount(rate: str):
    found = solve(load("big_match", d=rate))
    d = Fraction(rate)
    assert (found.solver, found.exact, found.value) == ("shapley", True, (Fraction(1, 2), Fraction(-1, 2)))
    assert found.strategy is not None
    assert found.strategy["Row"]["start"] == {"a": 1 / (2 - d), "b": (1 - d) / (2 - d)}  # Blackwell and Ferguson
    assert found.strategy["Column"]["start"] == {"a": Fraction(1, 2), "b": Fraction(1, 2)}


@pytest.mark.thorough
def test_a_game_without_a_discount_is_enclosed():
    """Hide or run (Everett; de Alfaro, Henzinger and Kupferman): worth 1, which no strategy secures."""
    found = solve(load("hide_or_run"))
    assert found.interval is not None and not found.exact and found.value is not None
    (low, high), _ = found.interval
    assert low is not None and high is not None
    assert Fraction(99, 100) < low < 1 <= high < 1 + Fraction(1, 10**6)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (lambda: load("oshi_zumo"), Fraction(0.6719951575873961)),  # by iterating the values, apart from gdl
        (lambda: gdl.load("pig", settings={"goal": "6"}), Fraction(17, 31)),  # by retrograde analysis
    ],
)
def test_what_cannot_come_again_need_not_rise_to_be_proved(game: Any, value: Fraction):
    opened = game()
    found = solve(opened, "shapley")
    assert found.interval is not None and verify(opened, answer.to_object(found)).status("interval")
    (low, high), _ = found.interval
    assert low is not None and high is not None and low <= value <= high < low + Fraction(1, 10**6)


def test_play_that_surely_ends_needs_no_discount():
    found = solve(load("hide_or_run", nights="3"), "shapley")
    rounds = Fraction(0)  # as the definition has it: one night more is worth 1 / (2 - what is left)
    for _ in range(3):
        rounds = 1 / (2 - rounds)
    assert found.exact and found.value == (rounds, -rounds)


class Random(HandMade):
    """Places with a matrix each: what every pair of actions gains for both, and with what chance it leads where."""

    players = ("A", "B")

    def __init__(self, seed: int, places: int = 3, opposed: bool = True, rate: Fraction = Fraction(4, 5)):
        draw = random.Random(seed)
        self.cells = {}
        for place, i, j in itertools.product(range(places), "ab", "ab"):
            gain = draw.randint(-4, 4)
            other = -gain if opposed else draw.randint(-4, 4)
            self.cells[place, i, j] = (gain, other), draw.randrange(places)
        self.name, self.places, self.rate = f"random {seed}", places, rate
        self.promises = Promises(
            rewards=Rewards(lambda state, joint: self.cells[state, *joint][0], rate), without_memory=lambda state: state
        )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        from dataclasses import replace

        return replace(UNDECIDED, rewards=True, simultaneous=True, cyclic=True)

    def initial(self) -> int:
        return 0

    def node(self, state: int) -> Node:
        return Simultaneous((("a", "b"), ("a", "b")))

    def successor(self, state: int, joint: Any) -> int:
        return self.cells[state, *joint][1]


def matrix_value(m: list[list[float]]) -> float:
    """Of two by two: a saddle, or the mixed value."""
    low, high = max(map(min, m)), min(max(m[0][j], m[1][j]) for j in (0, 1))
    if low == high:
        return low
    return (m[0][0] * m[1][1] - m[0][1] * m[1][0]) / (m[0][0] + m[1][1] - m[0][1] - m[1][0])


@pytest.mark.parametrize("seed", range(12))
def test_random_games_are_worth_what_shapley_s_iteration_says(seed: int):
    game = Random(seed)
    values = [0.0] * game.places
    for _ in range(200):
        values = [
            matrix_value([
                [game.cells[s, i, j][0][0] + 0.8 * values[game.cells[s, i, j][1]] for j in "ab"] for i in "ab"
            ])
            for s in range(game.places)
        ]  # fmt: skip
    found = solve(game, "shapley")
    assert found.value is not None
    assert float(found.value[0]) == pytest.approx(values[0], abs=1e-6)
    if not found.exact:
        assert found.interval is not None
        (low, high), _ = found.interval
        assert low is not None and high is not None and high - low < 1e-6
        assert low - Fraction(1, 10**9) <= values[0] <= high + Fraction(1, 10**9)
    verdict = verify(game, answer.to_object(found))
    assert verdict.ok and verdict.status("value" if found.exact else "interval")


def test_verify_refuses_an_interval_narrower_than_what_the_strategies_prove():
    """Such an interval was left open."""
    game = Random(1)
    told = answer.to_object(solve(game, "shapley"))
    assert not told["exact"] and verify(game, told).status("interval")
    middle = {name: [value, value] for name, value in told["value"].items()}
    assert verify(game, {**told, "interval": middle}).status("interval") is False
    assert verify(game, {**told, "solver": "python:mine.py:search", "interval": middle}).status("interval") is None


def pure_equilibria(game: Random) -> set[tuple[tuple[str, str], ...]]:
    """All profiles of one action for each player and place from which no single deviation gains."""
    found = set()
    for profile in itertools.product(itertools.product("ab", "ab"), repeat=game.places):
        values = [[0.0, 0.0] for _ in range(game.places)]
        for _ in range(200):
            values = [
                [game.cells[s, *profile[s]][0][p] + 0.8 * values[game.cells[s, *profile[s]][1]][p] for p in (0, 1)]
                for s in range(game.places)
            ]
        if all(
            game.cells[s, *joint][0][p] + 0.8 * values[game.cells[s, *joint][1]][p] <= values[s][p] + 1e-9
            for s in range(game.places)
            for p in (0, 1)
            for joint in [tuple({"a": "b", "b": "a"}[c] if q == p else c for q, c in enumerate(profile[s]))]
        ):
            found.add(profile)
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(12))
def test_all_pure_equilibria_of_random_games_are_found(seed: int):
    game = Random(seed, places=3, opposed=False)
    found = solve(game, "stationary")
    is_pure = [
        all(share in (0, 1) for sets in p.values() for own in sets.values() for share in own.values())
        for p in found.equilibria
    ]
    assert all(is_pure) or is_pure == [False]
    profiles = {
        tuple(tuple(next(a for a, c in p[who][str(s)].items() if c) for who in "AB") for s in range(3))
        for p in found.equilibria
        if all(is_pure)
    }
    assert profiles == pure_equilibria(game) and len(profiles) == (len(found.equilibria) if all(is_pure) else 0)
    verdict = verify(game, answer.to_object(found))
    assert verdict.ok and verdict.status("equilibria")


def gains_of(game: Random, profile: Any) -> float:
    """The most that a single deviation gains at any place, by the definition."""
    rate = float(game.rate)
    mixes = [[[float(profile[who][str(s)][a]) for a in "ab"] for who in "AB"] for s in range(game.places)]
    values = [[0.0, 0.0] for _ in mixes]

    def pays(s: int, p: int, one: list[float], other: list[float]) -> float:
        return sum(
            x * y * (float(game.cells[s, i, j][0][p]) + rate * values[game.cells[s, i, j][1]][p])
            for i, x in zip("ab", one, strict=True)
            for j, y in zip("ab", other, strict=True)
        )

    for _ in range(300):
        values = [[pays(s, p, *mixes[s]) for p in (0, 1)] for s in range(game.places)]
    sure = ([1.0, 0.0], [0.0, 1.0])
    return max(
        max(max(pays(s, 0, one, mixes[s][1]) for one in sure) - values[s][0],
            max(pays(s, 1, mixes[s][0], other) for other in sure) - values[s][1])
        for s in range(game.places)
    )  # fmt: skip


@pytest.mark.parametrize("seed", [1, 3, pytest.param(20, marks=pytest.mark.slow)])
def test_a_mixed_equilibrium_is_found_where_there_is_no_pure_one(seed: int):
    """In the last, only by following supports."""
    game = Random(seed, opposed=False)
    found = solve(game, "stationary", concept="subgame-perfect")
    (profile,), told = found.equilibria, answer.to_object(found)
    assert any("there is none of one action at each position" in note for note in found.notes)
    assert gains_of(game, profile) < 1e-9 and max(found.regret or (1,)) < Fraction(1, 10**12)
    verdict = verify(game, told)
    assert verdict.ok and verdict.status("equilibria") and verdict.status("payoffs") and verdict.status("regret")
    assert verify(game, {**told, "regret": {"A": "1/7", "B": 0}}).status("regret") is not True
    wrong = json.loads(json.dumps(told))
    for own in wrong["equilibria"][0]["A"].values():
        own |= {"a": "1/3", "b": "2/3"}
    assert verify(game, wrong).status("equilibria") is False


def test_the_big_match_has_a_subgame_perfect_equilibrium_in_mixtures():
    found = solve(load("big_match"), concept="subgame-perfect")
    assert found.exact and found.payoffs == ((Fraction(1, 2), Fraction(-1, 2)),)
    assert found.equilibria[0]["Row"]["start"] == {"a": Fraction(2, 3), "b": Fraction(1, 3)}


def test_pig_has_one_subgame_perfect_equilibrium():
    game = gdl.load("pig", settings={"goal": "3"})
    found = solve(game, concept="subgame-perfect")
    assert (found.solver, found.exact, found.payoffs) == (
        "markov-perfect",
        True,
        ((Fraction(29, 43), -Fraction(29, 43)),),
    )
    verdict = verify(game, answer.to_object(found))
    assert verdict.headline == "The answer holds." and verdict.status("concept")


def test_a_graph_is_as_good_as_rules():
    graph = state_graph(gdl.load("pig", settings={"goal": "3"}))
    found = solve(GraphGame(graph), concept="subgame-perfect")
    assert found.payoffs == ((Fraction(29, 43), -Fraction(29, 43)),)
    assert verify(GraphGame(graph), answer.to_object(found)).status("concept")


def test_no_solver_is_offered_for_positions_that_are_not_known():
    """Who comes back from A or from B does not know from which."""
    graph = networkx.MultiDiGraph(players=["Ann", "Bob"], root="toss")
    graph.add_node("toss", kind="chance")
    for place, pays in (("A", 1), ("B", 2)):
        graph.add_node(place, player="Ann", information_set="either")
        graph.add_node(f"end {place}", utilities=(pays, pays))
        graph.add_edge("toss", place, action=place, probability="1/2")
        graph.add_edge(place, f"end {place}", action="stay")
        graph.add_edge(place, "toss", action="go")
    with pytest.raises(Refusal, match="no other solver answers --concept subgame-perfect"):
        solve(GraphGame(graph), "stationary", concept="subgame-perfect")
    with pytest.raises(Refusal, match="markov-perfect is for games in which everybody who acts knows the position"):
        solve(GraphGame(graph), "markov-perfect")
    with pytest.raises(Refusal, match="let ends pay what was gained"):
        solve(GraphGame(graph), "markov-perfect")


@pytest.mark.thorough
def test_where_play_need_not_end_what_is_proven_is_told():
    with pytest.raises(LimitReached, match="no equilibrium of one action") as stop:
        solve(load("hide_or_run"), concept="subgame-perfect")
    left = stop.value.partial
    assert isinstance(left, Solution) and left.interval is not None and not left.exact
    (low, high), _ = left.interval
    assert low is not None and high is not None and Fraction(1, 2) < low < 1 <= high


def test_a_best_action_is_named_where_play_never_ends():
    """Such a game once raised ZeroDivisionError."""
    text = """game "Round"
players A, B
state
    over: 0..1
action on(x: 1..2)
    over := 0
terminal
    over = 1 -> draw
    forever -> draw
"""
    found = solve(gdl.loads(text).game, "shapley")
    assert found.exact and found.value == (0, 0) and found.best


def test_rubinstein_s_bargaining_with_whole_coins():
    found = solve(load("alternating_offers"))
    assert found.solver == "stationary" and found.exact
    assert sorted(set(found.payoffs)) == [(1, 2), (2, 1)]
    ties = [p for p, paid in zip(found.equilibria, found.payoffs, strict=True) if paid == (2, 1)]
    assert any(p["Ann"]["offered=1"] == {"offer(0)": 0, "offer(1)": 0, "offer(2)": 0, "offer(3)": 0, "accept": 1} and
               p["Bob"]["offered=1"]["accept"] == 1 for p in ties)  # fmt: skip


@pytest.mark.thorough
def test_with_finer_coins_the_shares_come_close_to_those_of_the_continuum():
    found = solve(load("alternating_offers", pie="12", d="1/2"))
    shares = {Fraction(paid[0], 12) for paid in found.payoffs}
    assert shares and all(abs(share - Fraction(2, 3)) <= Fraction(2, 12) for share in shares)


def automaton(*, first: str, after: dict[str, str]) -> dict[str, dict[str, int]]:
    told = {"start": first} | {
        f"last[A]={'silent' if pair[0] == 's' else 'betray'}, last[B]={'silent' if pair[1] == 's' else 'betray'}": a
        for pair, a in after.items()
    }
    return {name: {"silent": int(a == "silent"), "betray": int(a == "betray")} for name, a in told.items()}


S, B = "silent", "betray"
TIT_FOR_TAT = {
    "A": automaton(first=S, after={"ss": S, "sb": B, "bs": S, "bb": B}),
    "B": automaton(first=S, after={"ss": S, "sb": S, "bs": B, "bb": B}),
}
GRIM = {who: automaton(first=S, after={"ss": S, "sb": B, "bs": B, "bb": B}) for who in "AB"}
DEFECT = {who: automaton(first=B, after=dict.fromkeys(("ss", "sb", "bs", "bb"), B)) for who in "AB"}


@pytest.mark.thorough
@pytest.mark.thorough_of("profile6-9/10-True-True", "profile5-2/3-True-False", "profile0-1/3-False-False")
@pytest.mark.parametrize(
    ("profile", "rate", "nash", "perfect"),
    [
        (GRIM, "1/3", False, False),
        pytest.param(GRIM, "1/2", True, True, marks=pytest.mark.slow),
        pytest.param(GRIM, "4/5", True, True, marks=pytest.mark.slow),
        (TIT_FOR_TAT, "1/3", False, False),
        pytest.param(TIT_FOR_TAT, "1/2", True, True, marks=pytest.mark.slow),
        (TIT_FOR_TAT, "2/3", True, False),
        (DEFECT, "9/10", True, True),
    ],
)
def test_automata_in_the_dilemma_that_goes_on(profile: Any, rate: str, nash: bool, perfect: bool, tmp_path: Path):
    saved = tmp_path / "profile.json"
    saved.write_text(json.dumps(profile))
    words = ["judge", str(GAMES / "dilemma.game"), "--profile", str(saved), "--set", f"d={rate}", "--json"]
    judged = json.loads(CliRunner().invoke(commands, words).stdout)
    assert (judged["nash_conv"] == 0) is nash
    judged = json.loads(CliRunner().invoke(commands, [*words, "--concept", "subgame-perfect"]).stdout)
    assert judged["holds"] is perfect
    assert (profile in subgame_perfect(rate)) is perfect


@cache
def subgame_perfect(rate: str) -> list[Any]:
    """The equilibria of the dilemma, as they are saved."""
    found = solve(load("dilemma", d=rate), "stationary", concept="subgame-perfect")
    return [json.loads(json.dumps(one)) for one in found.equilibria]


@pytest.mark.thorough
def test_the_verifier_finds_what_is_wrong():
    game = load("alternating_offers")
    right = answer.to_object(solve(game))
    assert verify(game, right).ok
    wrong = json.loads(json.dumps(right))
    mine = wrong["equilibria"][0]["Ann"]["offered=3"]
    wrong["equilibria"][0]["Ann"]["offered=3"] = {a: int(a == "offer(0)") for a in mine}
    assert verify(game, wrong).status("equilibria") is False
    assert verify(game, {**right, "payoffs": right["payoffs"][::-1]}).status("payoffs") is False
    big = load("big_match")
    right = answer.to_object(solve(big))
    assert verify(big, right).status("value") is True
    assert verify(big, {**right, "value": {"Row": "1/3", "Column": "-1/3"}}).status("value") is False


@pytest.mark.thorough
def test_games_that_are_refused():
    with pytest.raises(Refusal, match="shapley is for games in which everybody who acts knows the position"):
        solve(gdl.load("kuhn"), "shapley")
    with pytest.raises(Refusal, match="shapley needs a zero-sum game"):
        solve(load("dilemma"), "shapley")
    with pytest.raises(Refusal, match="needs to know what endless play is worth"):
        text = (GAMES / "hide_or_run.game").read_text().replace("    forever -> draw\n", "")
        solve(gdl.loads(text).game, "shapley")
    with pytest.raises(Refusal, match="stationary needs rewards on the way"):
        solve(gdl.load("tic_tac_toe"), "stationary")
    with pytest.raises(Refusal, match=r"^team needs a game whose ends pay everything; Big match has rewards on the way, in "
                                      "play that can return to a position; no other solver"):  # fmt: skip
        solve(load("big_match"), concept="team")
    with pytest.raises(Refusal, match="markov-perfect needs a game whose positions can come again"):
        solve(gdl.load("tic_tac_toe"), "markov-perfect")


@pytest.mark.thorough
def test_a_limit_stops_them():
    with pytest.raises(LimitReached):
        solve(load("alternating_offers"), "stationary", nodes=1)
    with pytest.raises(LimitReached):
        solve(load("big_match"), "shapley", nodes=1)


def test_bounds_are_proved_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop before the mixtures had settled left nothing."""
    from gdl.solvers.budget import Budget
    from gdl.wings.theory.stochastic import shapley
    from gdl.wings.theory.stochastic.stages import Stages

    loaded = load("big_match", d="9/10")
    game = getattr(loaded, "game", loaded)
    monkeypatch.setattr(shapley, "EXACT", 0)
    lows: list[Fraction] = []
    for found in shapley._Sides(Stages(game, "shapley", Budget())).closing_in():
        low, other = found.secured
        assert low is not None and other is not None and low <= Fraction(1, 2) <= -other
        lows.append(Fraction(low))
    assert len(lows) > shapley.SWEEPS + 1 and lows == sorted(lows) and lows[0] < lows[-1]


@pytest.mark.thorough
def test_what_is_not_proved_yet_lies_between_the_least_and_the_most_that_ends_pay() -> None:
    from gdl.solvers.budget import Budget
    from gdl.wings.theory.stochastic import shapley
    from gdl.wings.theory.stochastic.stages import Stages

    game = load("oshi_zumo")
    sides = shapley._Sides(Stages(game, "shapley", Budget()))
    found = next(iter(sides.closing_in()))  # by a chance to stop of one in a hundred
    assert found.secured == (None, None)
    answer = shapley._complete_answer(shapley.SHAPLEY.answer(game, exact=False), sides, found)
    assert not answer.exact and answer.interval == ((-1, 1), (-1, 1))
