"""Payoffs of subgame-perfect equilibria of games without end: textbook results, both sets, and altered answers."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner
from late_clock import FAR, partial_answers

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.solvers import solve
from gdl.wings.theory.subgames.polygons import convex_hull, cut_off, holds_point, rounded_out
from gdl.wings.verify.verifier import verify

REPEATED = """players Ann, Bob
type Act = {acts}
define first = {first}
define second = {second}
state
    did[Player]: Act?
start everyone
action act(a: Act) as "{{a}}"
    did[mover] := a
resolve
    reward first[number(did[Ann]), number(did[Bob])] to Ann, second[number(did[Ann]), number(did[Bob])] to Bob
    did[Ann] := none
    did[Bob] := none
discount {discount}
"""


def repeated(first: Any, second: Any, discount: str, acts: str = "C, D") -> Any:
    """A game of two that is repeated for ever, by what it pays both."""
    text = REPEATED.format(first=first, second=second, discount=discount, acts=acts)
    return gdl.loads(text, "repeated.game").game


def dilemma(discount: str, temptation: int = 3) -> Any:
    """A prisoners' dilemma: both get 2 if both cooperate, 1 if neither does; alone one gets 0."""
    return repeated([[2, 0], [temptation, 1]], [[2, temptation], [0, 1]], discount)


def corners(game: Any, **options: Any) -> set[Any]:
    """The corners of the set that was found, as averages for each round."""
    answer = solve(game, concept="subgame-perfect", **options)
    rate = 1 - Fraction(game.promises.rewards.discount)
    return {tuple(rate * x for x in point) for point in answer.part.inner}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("discount", "found"),
    [
        ("1/4", {(1, 1)}),
        ("499/1000", {(1, 1)}),  # below (T - R) / (T - P)
        ("1/2", {(1, 1), (2, 2), (Fraction(5, 2), 1), (1, Fraction(5, 2))}),
        ("2/3", {(1, 1), (2, 2), (Fraction(5, 2), 1), (1, Fraction(5, 2))}),
    ],
)
def test_the_dilemma_as_stahl_has_it(discount: str, found: set[Any]) -> None:
    """Stahl 1991, public draws, 2R > T + S: from discount (T - R) / (T - P) on all that is feasible and no less than
    (P, P), if also discount >= (P - S) / (R - S); below nothing but (P, P)."""
    assert corners(dilemma(discount)) == found


def test_only_alternation_carries_a_dilemma_of_great_temptation() -> None:
    """T + S > 2R: alternation pays more than cooperation; where it is carried, all that is feasible is."""
    assert corners(dilemma("9/10", temptation=6)) == {(1, 1), (5, 1), (1, 5)}
    assert corners(dilemma("1/10", temptation=6)) == {(1, 1)}


def test_a_stick_and_a_carrot_hold_duopolists_together() -> None:
    """Abreu 1986: by two phases firms are held below the payoff of the stage's equilibrium: at discount 1/2 to their
    security level, 0, and to the joint monopoly, though reverting to the stage's equilibrium carries less."""
    made = range(15)
    first = [[a * max(0, 15 - a - b) - a for b in made] for a in made]
    second = [[first[b][a] for b in made] for a in made]
    acts = ", ".join(f"q{k}" for k in made)
    answer = solve(repeated(first, second, "1/2", acts), concept="subgame-perfect")
    assert answer.exact and answer.interval == ((0, 88), (0, 88))
    assert max(map(sum, answer.part.inner)) == 98  # type: ignore[attr-defined]
    assert answer.part.inner[0] == (0, 0)  # type: ignore[attr-defined]


def test_every_corner_of_random_games_is_generated_and_no_pure_equilibrium_lies_outside() -> None:
    """The answer is verified, and all equilibria that look at the position alone lie in the set."""
    draw = random.Random(7)
    met = 0
    for _ in range(6):
        first, second = ([[draw.randint(0, 6) for _ in range(2)] for _ in range(2)] for _ in range(2))
        game = repeated(first, second, draw.choice(["1/3", "1/2", "3/4"]))
        try:
            answer = solve(game, "payoff-set")
        except Refusal as why:
            assert "pure" in str(why)
            continue
        met += 1
        told: dict[str, Any] = dict(to_object(answer))
        verdict = verify(game, told)
        assert verdict.ok and "payoff_set" in {name for each in verdict.findings if each.ok for name in each.fields}
        rate = Fraction(game.promises.rewards.discount)
        for a, b in product(range(2), range(2)):
            if first[a][b] == max(row[b] for row in first) and second[a][b] == max(second[a]):
                point = (first[a][b] / (1 - rate), second[a][b] / (1 - rate))
                assert holds_point(answer.part.inner, point)  # type: ignore[attr-defined]
    assert met > 2


def test_positions_and_chance_have_their_place_in_the_set() -> None:
    """Offers in turn of a pie of three coins: three outcomes (as `stationary` lists them), and what lies between."""
    text = """players Ann, Bob
state
    offered: 0..3?
    agreed: Boolean
action offer(n: 0..3) when not agreed
    offered := n
action accept when offered != none and not agreed
    reward 2 * (3 - offered) to other(mover), 2 * offered to mover
    agreed := true
discount 1/2
terminal
    agreed -> (0, 0)
"""
    game = gdl.loads(text, "offers.game").game
    answer = solve(game, concept="subgame-perfect")
    assert answer.solver == "payoff-set" and answer.exact
    assert {(2, 1), (1, 2)} < set(answer.part.inner)  # type: ignore[attr-defined]
    assert verify(game, dict(to_object(answer))).ok


def test_a_chosen_point_is_played_or_refused() -> None:
    game = dilemma("2/3")
    answer = solve(game, concept="subgame-perfect", payoff="(7, 7/2)")
    assert answer.payoffs == ((7, Fraction(7, 2)),)
    with pytest.raises(Refusal, match=r"pays \(7, 7\); none exists"):
        solve(game, "payoff-set", payoff="(7, 7)")


def test_altered_sets_fail() -> None:
    """An automaton that does not pay what it says, or that somebody would leave, fails."""
    game = dilemma("2/3")
    told: dict[str, Any] = dict(to_object(solve(game, concept="subgame-perfect")))
    held = told["payoff_set"]
    assert verify(game, told).ok
    cooperating = next(name for name, one in held["states"].items() if one["payoffs"] == {"Ann": 6, "Bob": 6})
    states = held["states"]
    alone = {"states": {cooperating: states[cooperating]}}  # nothing punishes
    paid = {"states": {**states, cooperating: {**states[cooperating], "payoffs": {"Ann": 7, "Bob": 7}}}}
    corner = {"corners": [{**held["corners"][0], "payoffs": {"Ann": 2, "Bob": 2}}, *held["corners"][1:]]}
    for change in (alone, paid, corner, {"states": {}}, {"corners": 3}, {"chosen": {}}):
        assert not verify(game, {**told, "payoff_set": {**held, **change}}).ok
    assert not verify(game, {**told, "payoffs": [{"Ann": 5, "Bob": 6}]}).ok
    played = {name: {state: {"D": 1} for state in states} for name in ("Ann", "Bob")}
    assert not verify(game, {**told, "equilibria": [played]}).ok


def test_where_no_pure_equilibrium_is_mixed_ones_are_found() -> None:
    game = repeated([[1, -1], [-1, 1]], [[-1, 1], [1, -1]], "1/2")
    with pytest.raises(Refusal, match="pure moves"):
        solve(game, "payoff-set")
    assert solve(game, concept="subgame-perfect").solver == "stationary"


def test_a_limit_leaves_what_is_proved() -> None:
    with pytest.raises(LimitReached) as stop:
        solve(dilemma("2/3"), "payoff-set", time=1e-6)
    assert stop.value.partial is not None


def test_once_all_positions_are_met_there_are_bounds_wherever_the_time_ends() -> None:
    answers = list(partial_answers(lambda: solve(dilemma("1/2"), "payoff-set", time=FAR / 2), every=5))
    bounded = [bool(answer.interval) for answer in answers]
    assert bounded and bounded[-1] and bounded == sorted(bounded)  # from when all positions are met


def test_polygons_are_cut_and_rounded_outward() -> None:
    square = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    assert convex_hull([*square, (Fraction(1, 2), Fraction(1, 2))]) == square
    assert set(cut_off(square, (1, 1), Fraction(1))) == {square[0], square[1], square[3]}
    draw = random.Random(3)
    for _ in range(20):
        some = [(Fraction(draw.random()), Fraction(draw.random())) for _ in range(draw.randint(1, 9))]
        around = rounded_out(convex_hull(some))
        assert all(holds_point(around, point) for point in some)


def test_the_set_is_drawn(tmp_path: Any) -> None:
    file = tmp_path / "dilemma.game"
    file.write_text(REPEATED.format(first="[[2, 0], [3, 1]]", second="[[2, 3], [0, 1]]", acts="C, D", discount="2/3"))
    picture = tmp_path / "set.svg"
    done = CliRunner().invoke(commands, ["solve", str(file), "--concept", "subgame-perfect", "-o", str(picture)])
    assert done.exit_code == 0 and "Ann 15/2, Bob 3" in done.output
    drawn = picture.read_text()
    assert drawn.count("<polygon") == 2 and drawn.count("<circle") == 4 and "payoff of Bob" in drawn
    done = CliRunner().invoke(commands, ["solve", "prisoners", "--concept", "nash", "-o", str(picture)])
    assert done.exit_code == 5 and "sets of payoffs alone" in done.output


@pytest.mark.parametrize("discount", ["999/1000", "9999/10000"])
def test_patient_players_settle_at_once(discount: str) -> None:
    """The least payoffs were not found in 3,000 rounds, and then the outer set never settled: over a minute."""
    assert corners(dilemma(discount)) == {(1, 1), (Fraction(5, 2), 1), (2, 2), (1, Fraction(5, 2))}
