"""Best replies to sampled strategies, walked exactly, beside those that the judge of `cfr` finds with all positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import game_with_engine
from gdl.compiler import wasm
from gdl.errors import DamagedData, LimitReached
from gdl.playing import profile_judging
from gdl.solution import Profile
from gdl.solvers import solve
from gdl.solvers.budget import Budget, promised_bounds
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.positions import MOST_POSITIONS, FlatPositions, unfold_game
from gdl.solvers.equilibria.regret import judge
from gdl.wings.hidden.best_replies import SHARPNESS, enclose_profile, find_gains, find_replies
from gdl.wings.hidden.mccfr import _AverageJudge  # what knows all positions
from gdl.wings.hidden.named_strategies import MemoryNames, list_strategies
from gdl.wings.hidden.sampling import NOBODY, Sampling

ENGINES = ["python", "wasm"] if wasm.available() else ["python"]
ENDS = [-13.0, 13.0, -13.0, 13.0]  # of Leduc, and wider than those of the other games
GAMES: list[Any] = [
    ("kuhn", {}, 200),
    ("leduc", {}, 1_000),
    pytest.param("leduc", {}, 20_000, marks=pytest.mark.thorough),
    pytest.param("liars_dice", {"sides": "3"}, 300, marks=pytest.mark.thorough),
    ("goofspiel", {"n": "3"}, 300),
    pytest.param("goofspiel", {"n": "4", "prizes": "descending"}, 200, marks=pytest.mark.thorough),
    ("rock_paper_scissors", {}, 50),
    pytest.param("blind_tic_tac_toe", {}, 500, marks=pytest.mark.thorough),
    ("dark_hex", {}, 300),
    pytest.param("battleships", {}, 50_000, marks=pytest.mark.thorough),
    pytest.param("one_card_poker", {}, 20_000, marks=pytest.mark.thorough),
]


def learnt(name: str, settings: dict[str, str], iterations: int, engine: str = ENGINES[-1]) -> Sampling:
    text, shown = gdl.read(name)
    game: Any = gdl.loads(text, shown, settings=settings).game
    search = Sampling(game, game.initial(), engine, seed=3)
    search.learn(iterations)
    for _ in search:
        pass
    return search


def walked(search: Sampling, replier: int, sharpness: float) -> tuple[float, ...]:
    most = promised_bounds(search.game)[replier][1]
    assert most is not None
    search.walk(replier, [sharpness] * len(search.game.players), float(most))
    for _ in search:
        pass
    paid = search.paid_by_walk()
    assert paid is not None
    return paid


@pytest.mark.parametrize(("name", "settings", "iterations"), GAMES)
def test_a_best_reply_is_paid_what_the_judge_finds(name: str, settings: dict[str, str], iterations: int) -> None:
    """Whole averages, of which the judge rounds the shares."""
    search = learnt(name, settings, iterations)
    flat = unfold_game(game_with_engine(search.game.model, ENGINES[-1]), Budget(MOST_POSITIONS))
    assert flat is not None
    judged = _AverageJudge(FlatPositions(flat), search).judge()
    everybody = range(len(search.game.players))
    for _ in range(2):  # nothing is left of the first walks
        assert [walked(search, player, 0.0)[player] for player in everybody] == pytest.approx(
            [float(most) for most in judged.most], abs=1e-4
        )
        assert walked(search, NOBODY, 0.0) == pytest.approx([float(value) for value in judged.value], abs=1e-4)


@pytest.mark.skipif(not wasm.available(), reason="there is one engine")
def test_both_engines_walk_the_same() -> None:
    searches = [learnt("leduc", {}, 50, engine) for engine in ENGINES]
    for sharpness in (1.0, 0.3, 0.0):
        for replier in (NOBODY, 0, 1):
            first, second = (walked(search, replier, sharpness) for search in searches)
            assert first == second
            assert searches[0].walked == searches[1].walked


def test_a_walk_that_is_stopped_leaves_nothing_behind() -> None:
    """Neither the next walk nor what is learnt later differs."""
    stopped, whole = (learnt("liars_dice", {"sides": "3"}, 100) for _ in range(2))
    met = int(stopped.module["tuple_count"][0])
    stopped.walk(0, [0.0, 0.0], 1.0, plies=500)
    for _ in stopped:
        pass
    assert stopped.paid_by_walk() is None and stopped.walked == 500
    assert walked(stopped, 1, 0.0) == walked(whole, 1, 0.0)
    assert stopped.module["tuple_count"][0] - met < 100  # only texts are kept, and what is learnt with them
    stopped.walk(0, [0.0, 0.0], 1.0, plies=500)
    for _ in stopped:
        pass
    for search in (stopped, whole):
        search.go_on(100)
        search.learn(120)
        for _ in search:
            pass
    assert stopped.first_average(0) == whole.first_average(0)
    assert walked(stopped, 0, 0.0) == walked(whole, 0, 0.0)


@pytest.mark.parametrize(
    "name",
    ["liars_dice", "goofspiel", *(pytest.param(n, marks=pytest.mark.thorough) for n in ("leduc", "blind_tic_tac_toe"))],
)
def test_the_proved_interval_holds_the_value(name: str) -> None:
    settings = {"sides": "3"} if name == "liars_dice" else {}
    known = solve(gdl.load(name, settings=settings))
    search = learnt(name, settings, 5_000)
    found = find_replies(search, ENDS, Budget(), 1_000_000)
    assert found.value is not None and found.regret is not None and known.value is not None
    for (low, high), value, paid, regret in zip(found.interval(0), known.value, found.value, found.regret, strict=True):
        assert low is not None and high is not None
        assert low <= value <= high and low - 1e-6 <= paid <= high + 1e-6
        assert high - paid <= regret  # which allows for roundings, as the bounds do


def test_few_plies_leave_the_sharpest_strategies_or_nothing() -> None:
    search = learnt("leduc", {}, 1_000)
    assert find_replies(search, ENDS, Budget(), 10).most == (None, None)
    few = find_replies(search, ENDS, Budget(), 1_000)
    assert None not in few.most and few.sharpness[0] == SHARPNESS[0]


def test_an_answer_about_positions_that_are_not_all_met_is_proved() -> None:
    """The value, the interval and the regrets of both opponents were those of nobody."""
    game = game_with_engine(gdl.load("leduc").model, ENGINES[-1])
    few = solve(game, "mccfr", nodes=100, iterations=5_000)
    assert few.interval is not None and few.regret is not None and few.value is not None
    (low, high), _ = few.interval
    assert low is not None and high is not None and low <= -0.0856 <= high and high - low < 1
    assert max(few.regret) < 0.5 and "best replies were walked exactly" in " ".join(few.notes)


def test_time_that_is_over_ends_a_walk() -> None:
    game = game_with_engine(gdl.load("liars_dice", settings={"dice": 2}).model, ENGINES[-1])
    with pytest.raises(LimitReached) as stop:
        solve(game, "mccfr", time=1.0)
    assert stop.value.partial is not None


def everywhere(positions: FlatPositions, listed: Profile) -> Profile:
    """The strategies at all information sets: where none is listed the first action is taken."""
    return {
        player: {
            one.name: own.get(one.name, {one.actions[0]: 1})
            for one in positions.information_sets
            if positions.players[one.player] == player
        }
        for player, own in listed.items()
    }


@pytest.mark.parametrize(("name", "settings", "iterations"), GAMES)
def test_listed_strategies_are_worth_what_was_proved(name: str, settings: dict[str, str], iterations: int) -> None:
    """The judge that knows all positions finds the same gains, by the names of the information sets."""
    search = learnt(name, settings, iterations)
    game = game_with_engine(search.game.model, ENGINES[-1])
    sharpness = [0.1] * len(game.players)
    paid = [walked(search, player, 0.1)[player] for player in range(len(game.players))]
    listed = list_strategies(search, sharpness, Budget())
    assert listed is not None
    assert [walked(search, player, 0.1)[player] for player in range(len(game.players))] == paid  # nothing has changed
    found = enclose_profile(game, listed, None)
    assert found is not None
    judged = unfold_game(game, Budget(MOST_POSITIONS))
    assert judged is not None
    positions = FlatPositions(judged)
    exactly = judge(positions, read_profile(positions, everywhere(positions, listed)))
    for player, (best, value, gain) in enumerate(zip(paid, exactly.value, exactly.regret, strict=True)):
        assert best == pytest.approx(float(value + gain), abs=1e-9)
        (low, high), (least, most) = found.value[player], found.regret[player]
        assert low is not None and high is not None and least is not None and most is not None
        assert low <= value <= high and least <= gain <= most and high - low < 1e-6 and most - least < 1e-6


@pytest.mark.thorough
@pytest.mark.skipif(not wasm.available(), reason="there is one engine")
def test_both_engines_list_the_same() -> None:
    listed = [list_strategies(learnt("leduc", {}, 50, engine), [0.3, 0.3], Budget()) for engine in ENGINES]
    assert listed[0] == listed[1] is not None


def test_a_profile_of_a_game_too_large_to_be_listed_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gains were known to lie between 0 and 26, from the first positions."""
    monkeypatch.setattr(profile_judging, "LIMIT", 500)
    saved = tmp_path / "leduc.json"
    asked = ["solve", "leduc", "--solver", "mccfr", "--iterations", "5000", "--nodes", "1", "--json"]
    saved.write_text(CliRunner().invoke(commands, asked).stdout)
    told = json.loads(saved.read_text())
    found = json.loads(CliRunner().invoke(commands, ["judge", "leduc", "--profile", str(saved), "--json"]).stdout)
    for player in ("Ann", "Bob"):
        low, high = (float(gdl.numbers.read_number(end)) for end in found["regret_interval"][player])
        assert low == pytest.approx(high, abs=1e-6)
        assert high == pytest.approx(float(gdl.numbers.read_number(told["regret"][player])), abs=1e-6)


def test_a_profile_with_other_names_is_refused() -> None:
    game = game_with_engine(gdl.load("leduc").model, ENGINES[-1])
    with pytest.raises(DamagedData, match="no information set of Ann that play reaches"):
        enclose_profile(game, {"Ann": {"nowhere": {"check": 1}}}, None)
    with pytest.raises(DamagedData, match="is called dance"):
        enclose_profile(game, {"Ann": {"hand[Ann]=J, …": {"dance": 1}}, "Bob": {}}, None)


@pytest.mark.parametrize(
    "settings", [{"seats": "3", "cards": "4"}, pytest.param({"seats": "4", "cards": "5"}, marks=pytest.mark.thorough)]
)
def test_gains_of_more_than_two_are_proved(settings: dict[str, str]) -> None:
    """Their regrets were known from below alone, by plays."""
    search = learnt("kuhn", settings, 3_000)
    game = game_with_engine(search.game.model, ENGINES[-1])
    ends = [float(end or 0) for pair in promised_bounds(game) for end in pair]
    found = find_gains(search, ends, Budget(), None)
    assert found.regret is not None and found.value is not None
    listed = list_strategies(search, found.sharpness, Budget())
    flat = unfold_game(game, Budget(MOST_POSITIONS))
    assert listed is not None and flat is not None
    positions = FlatPositions(flat)
    exactly = judge(positions, read_profile(positions, everywhere(positions, listed)))
    assert [*map(float, exactly.regret)] == pytest.approx([*map(float, found.regret)], abs=1e-9)
    assert [*map(float, exactly.value)] == pytest.approx(found.value, abs=1e-9)
    answer = solve(game, "mccfr", nodes=100, iterations=1_000)
    assert answer.regret is not None and max(answer.regret) < 1 and answer.strategy is not None


def test_naming_leaves_time_to_look_at_the_clock() -> None:
    """No slice came to its end between two names, and so nobody looked at the clock."""
    search, names = learnt("leduc", {}, 100), list[str]()
    MemoryNames(search, lambda player, name, actions, number: names.append(name))
    search.walk(0, [0.0, 0.0], 13.0)
    assert sum(1 for _ in search) >= len(names) > 100
