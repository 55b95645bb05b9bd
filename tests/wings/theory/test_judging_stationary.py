"""gdl judge and gdl verify where play comes back to positions, and ends pay everything."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from places import ROOT, RUNAWAY

import gdl
from gdl.commands import profile_estimates
from gdl.commands.cli import commands
from gdl.commands.engines import offer
from gdl.formats import answer
from gdl.game import Chance, Decision, Terminal, require_number
from gdl.playing import profile_judging
from gdl.playing.profile_judging import CandidateProfile
from gdl.solvers import solve
from gdl.wings.theory.stochastic.judging_stationary import uniform
from gdl.wings.verify.stationary import Process, StationaryJudgement
from gdl.wings.verify.verifier import verify

STOCHASTIC = ROOT / "tests" / "solvers" / "stochastic"
WAIT = """game "Wait"
players A, B
state
    over: 0..1
action idle
    next A
action go
    over := 1
action toss
    next coin
chance coin(c: 1..2) as "{c}"
    if c = 1
        over := 1
    next A
terminal
    over = 1 -> win A
    forever -> draw
"""
STAY = "forever -> each p: if p = A then 2 else -2"


def judged(tmp_path: Path, game: str, profile: Any, *words: str) -> Any:
    (tmp_path / "p.json").write_text(json.dumps(profile))
    (tmp_path / "g.game").write_text(game)
    result = CliRunner().invoke(
        commands, ["judge", str(tmp_path / "g.game"), "--profile", str(tmp_path / "p.json"), "--json", *words]
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def wait(action: str) -> dict[str, Any]:
    return {"A": {"start": {action: 1}}, "B": {}}


@pytest.mark.parametrize(("action", "paid", "gain"), [("go", 1, 0), ("toss", 1, 0), ("idle", 0, 1)])
def test_who_goes_on_for_ever_gets_its_price(action: str, paid: int, gain: int, tmp_path: Path):
    found = judged(tmp_path, WAIT, wait(action), "--concept", "subgame-perfect")
    assert (found["value"], found["regret"]) == ({"A": paid, "B": -paid}, {"A": gain, "B": 0})
    assert found["holds"] is (gain == 0)
    if gain:
        (failing,) = found["conditions"]
        assert (failing["player"], failing["information_set"]) == ("A", "start")
        assert (failing["deviation"], failing["gain"]) == ("go", 1)


def test_a_deviation_may_be_to_go_on_for_ever(tmp_path: Path):
    found = judged(tmp_path, WAIT.replace("forever -> draw", STAY), wait("go"), "--concept", "nash")
    assert found["regret"] == {"A": 1, "B": 0} and found["deviations"] == {"A": {"start": "idle"}}


def test_without_a_price_it_is_not_said_what_going_on_pays(tmp_path: Path):
    (tmp_path / "p.json").write_text(json.dumps(wait("idle")))
    (tmp_path / "g.game").write_text(WAIT.replace("    forever -> draw\n", ""))
    words = ["judge", str(tmp_path / "g.game"), "--profile", str(tmp_path / "p.json")]
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 5 and "the file does not say what that pays" in result.stderr
    (tmp_path / "p.json").write_text(json.dumps(wait("go")))
    assert CliRunner().invoke(commands, words).exit_code == 0  # nobody comes to it, and nothing pays more than to go


@pytest.mark.parametrize(("price", "value"), [("forever -> win Ann", {"Ann": 1, "Bob": -1}), ("", None)])
def test_chance_that_never_lets_anybody_act_pays_its_price(price: str, value: Any, tmp_path: Path):
    """Such a game once raised ZeroDivisionError."""
    (tmp_path / "g.game").write_text(f"{(RUNAWAY / 'chance_loop.game').read_text().rstrip()}\n    {price}\n")
    result = CliRunner().invoke(commands, ["judge", str(tmp_path / "g.game"), "--profile", "uniform", "--json"])
    if value is None:
        assert result.exit_code == 5 and "the file does not say what that pays" in result.stderr
    else:
        assert json.loads(result.stdout)["value"] == value


def pig(goal: int) -> Any:
    return gdl.load("pig", settings={"goal": str(goal)})


def by_iteration(game: Any, free: int | None) -> float:
    """Ann's payoff under uniform play, or a player's under a best reply to it, by value iteration."""
    states, nodes, after = [game.initial()], [], []
    number = {states[0]: 0}
    for state in states:  # grows while it is walked
        nodes.append(game.node(state))
        names = [name for name, _ in getattr(nodes[-1], "outcomes", ())] or getattr(nodes[-1], "actions", ())
        made = [game.successor(state, name) for name in names]
        for child in made:
            if number.setdefault(child, len(states)) == len(states):
                states.append(child)
        after.append([number[child] for child in made])
    values = [0.0] * len(states)
    for _ in range(400):
        for n, node in enumerate(nodes):
            found = [values[child] for child in after[n]]
            if isinstance(node, Terminal):
                values[n] = float(require_number(node.utilities[0]))
            elif isinstance(node, Chance):
                values[n] = sum(float(share) * one for (_, share), one in zip(node.outcomes, found, strict=True))
            else:
                assert isinstance(node, Decision)
                best = max if node.player == 0 else min
                values[n] = best(found) if node.player == free else sum(found) / len(found)
    return values[0]


def test_random_play_of_pig_gains_by_replies_that_value_iteration_finds():
    game = pig(3)
    process = Process(game)
    found = StationaryJudgement(process, process.uniform(), everywhere=False)
    paid, ann, bob = (by_iteration(game, free) for free in (None, 0, 1))
    assert float(found.value[0]) == pytest.approx(paid) and found.value[1] == -found.value[0]
    assert [float(gain) for gain in found.regret] == pytest.approx([ann - paid, paid - bob])
    for player, _, action, gain in found.gains():
        assert gain > 0 and action in ("roll", "hold") and player in (0, 1)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("goal", [2, 6])
def test_pig_is_solved_verified_and_judged(goal: int, tmp_path: Path):
    game = pig(goal)
    told = answer.to_object(solve(game, concept="nash"))
    verdict = verify(offer(game, "auto"), told)
    assert verdict.headline == "The answer holds." and verdict.status("best") and verdict.status("concept")
    (tmp_path / "a.json").write_text(json.dumps(told))
    words = ["judge", "pig", "--set", f"goal={goal}", "--profile", str(tmp_path / "a.json"), "--json"]
    found = json.loads(CliRunner().invoke(commands, words).stdout)
    assert found["nash_conv"] == 0 and found["value"] == told["value"]
    wrong = verify(game, {**told, "value": {"Ann": "1/2", "Bob": "-1/2"}})
    assert wrong.status("value") is False and wrong.status("strategy") is False


def test_a_best_action_that_loses_is_found():
    game = gdl.loads(WAIT.replace("forever -> draw", STAY)).game
    told = answer.to_object(solve(game))
    assert told["value"] == {"A": 2, "B": -2} and told["best"] == ["idle"]
    assert verify(game, told).status("best") is True
    assert verify(game, {**told, "best": ["go"]}).status("best") is False


@pytest.mark.slow
def test_what_encloses_a_stochastic_game_without_a_discount_is_proved():
    game = gdl.load(STOCHASTIC / "hide_or_run.game")
    told = answer.to_object(solve(game))
    assert verify(game, told).status("interval") is True
    low = Fraction(told["interval"]["Runner"][0])
    wrong = {"Runner": [str((low + 1) / 2), "1"], "Thrower": ["-1", str(-(low + 1) / 2)]}
    assert verify(game, {**told, "interval": wrong}).status("interval") is not True


def test_an_answer_without_strategies_is_not_for_the_judge(tmp_path: Path):
    told = answer.to_object(solve(pig(2)))
    (tmp_path / "a.json").write_text(json.dumps({name: field for name, field in told.items() if name != "strategy"}))
    words = ["judge", "pig", "--set", "goal=2", "--profile", str(tmp_path / "a.json")]
    result = CliRunner().invoke(commands, words)
    assert result.exit_code == 5 and "only these are judged" in result.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["alternating_offers", "big_match"])
def test_gains_on_the_way_are_estimated_with_their_discount(game: str) -> None:
    """Nothing was printed of stochastic games; the exact value of random play is that of `gdl judge` without limits."""
    held = CandidateProfile("", uniform(found := gdl.load(STOCHASTIC / f"{game}.game"), limit=500))
    exact = profile_judging.judge_profile(found, held, profile_judging.ConceptRequest(None), 500).judgement.value
    for profile in (None, held.profile):
        estimate = profile_estimates.sample_plays(found, profile, 0.2)
        assert estimate.plays > 20
        for mean, error, value in zip(estimate.means, estimate.errors, exact, strict=True):
            assert abs(mean - float(value)) <= 5 * error + 0.01


@pytest.mark.thorough
def test_a_stochastic_game_of_many_positions_is_estimated_in_time(tmp_path: Path) -> None:
    """Nothing was printed but that it was stopped."""
    file = tmp_path / "ring.game"
    file.write_text("""players Ann, Bob
state
    place: 0..400
    c[Player]: 0..5
start everyone
action pick(n: 0..5) public
    c[mover] := n
resolve
    reward (c[Ann] * place) mod 7 to Ann, (c[Bob] * place) mod 5 to Bob
    place, c[Ann], c[Bob] := (place + c[Ann] * 7 + c[Bob] * 13 + 1) mod 401, 0, 0
discount 4/5
""")
    told = CliRunner().invoke(commands, ["judge", str(file), "--profile", "uniform", "--time", "0.5"])
    assert told.exit_code == 4 and told.stdout.startswith("By an estimate from "), told.stderr
