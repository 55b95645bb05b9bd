"""Correlated and coarse correlated equilibria, held to known values and to sums over the table."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from games_by_hand import bimatrix
from tables import random_table
from verification import verify

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats.answer import to_object
from gdl.solvers import solve

CONCEPTS = ("correlated", "coarse-correlated")
CHICKEN = bimatrix([[0, 7], [2, 6]], [[0, 2], [7, 6]], ("dare", "chicken"), ("dare", "chicken"))


def test_chicken_with_a_traffic_light_pays_21_over_4() -> None:
    """Aumann 1987: one draw of three, never the crash."""
    found = solve(CHICKEN, concept="correlated")
    assert found.value == (Fraction(21, 4), Fraction(21, 4))
    assert dict(found.distribution) == {
        ("chicken", "chicken"): Fraction(1, 2),
        ("dare", "chicken"): Fraction(1, 4),
        ("chicken", "dare"): Fraction(1, 4),
    }


def test_for_one_player() -> None:
    assert solve(CHICKEN, concept="correlated", for_="Row").value == (7, 2)
    with pytest.raises(Refusal, match="no player of matrix is called 'row'; did you mean Row"):
        solve(CHICKEN, concept="correlated", for_="row")


def test_coarse_ones_may_pay_more() -> None:
    """Moulin and Vial 1978: where opting out beforehand loses, though leaving some recommendation would gain."""
    game = bimatrix([[3, 0, 2], [2, 3, 0], [0, 2, 3]], [[3, 2, 0], [0, 3, 2], [2, 0, 3]])
    fine, coarse = (sum(solve(game, concept=name).value or ()) for name in CONCEPTS)
    assert coarse >= fine


@pytest.mark.parametrize("concept", CONCEPTS)
@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (2, 4), (2, 2, 2), (2, 3, 2)])
def test_random_tables(concept: str, sizes: tuple[int, ...]) -> None:
    for seed in range(8):
        game, cells = random_table(seed, *sizes)
        found = solve(game, concept=concept)
        drawn = {tuple(int(name[1:]) for name in joint): chance for joint, chance in found.distribution}
        assert sum(drawn.values()) == 1 and min(drawn.values()) > 0
        for p, size in enumerate(sizes):
            assert found.value and found.value[p] == sum(chance * cells[cell][p] for cell, chance in drawn.items())
            for told in range(size) if concept == "correlated" else [None]:
                for other in range(size):
                    gain = sum(
                        chance * (cells[(*cell[:p], other, *cell[p + 1 :])][p] - cells[cell][p])
                        for cell, chance in drawn.items()
                        if told in (None, cell[p])
                    )
                    assert gain <= 0, (seed, p, told, other)
        verdict = verify(game, to_object(found))  # which proves by the dual that no other pays more
        assert verdict.ok and verdict.status("exact") is not False and verdict.status("value"), verdict.lines
        nash = solve(game, concept="nash")
        for one in nash.payoffs:
            assert sum(one) <= sum(found.value or ())


@pytest.mark.parametrize("concept", CONCEPTS)
def test_the_verifier_finds_what_is_wrong(concept: str) -> None:
    answer = to_object(solve(CHICKEN, concept=concept))
    said = {
        "a draw that somebody leaves": _with(answer, [("dare", "dare", "1")]),
        "probabilities that do not sum to one": _with(answer, [("dare", "chicken", "1/2")]),
        "a plan that is none": _with(answer, [("swerve", "chicken", "1")]),
        "another value": {**answer, "value": {"Row": 6, "Column": 6}},
        "one that pays less": {
            **_with(answer, [("dare", "chicken", "1")]), "value": {"Row": 7, "Column": 2}, "payoffs": [{"Row": 7, "Column": 2}],
        },
        "another list": {**answer, "equilibria": [{"distribution": []}]},
    }  # fmt: skip
    for what, wrong in said.items():
        assert not verify(CHICKEN, wrong).ok, what


def _with(answer: dict[str, Any], drawn: list[tuple[str, str, str]]) -> dict[str, Any]:
    listed = [{"profile": {"Row": row, "Column": column}, "probability": p} for row, column, p in drawn]
    return {**answer, "distribution": listed, "equilibria": [{"distribution": listed}]}


def test_a_tree_is_asked_by_its_plans() -> None:
    found = solve(gdl.load("beer_quiche"), concept="correlated")
    assert found.value == (Fraction(29, 10), Fraction(9, 10))
    assert verify(gdl.load("beer_quiche"), to_object(found)).ok


def test_a_limit_leaves_the_best_equilibrium_in_pure_plans() -> None:
    game, _ = random_table(3, 12, 12)
    with pytest.raises(LimitReached) as stopped:
        solve(game, "coarse-correlated", time=1e-9)
    assert stopped.value.partial is None or not stopped.value.partial.exact


def test_no_refusal_names_them() -> None:
    with pytest.raises(Refusal) as refused:
        solve(gdl.load("prisoners"), "minimax")
    assert "correlated" not in str(refused.value)


def test_the_judge_says_who_would_leave_a_draw_and_how(tmp_path: Path) -> None:
    file, saved = tmp_path / "crossing.game", tmp_path / "answer.json"
    file.write_text("players A, B\nmatrix\n    dare yield\n  dare (0, 0) (7, 2)\n  yield (2, 7) (6, 6)\n")
    answer = CliRunner().invoke(commands, ["solve", str(file), "--concept", "correlated", "--json"]).output
    saved.write_text(answer)
    fine = CliRunner().invoke(commands, ["judge", str(file), "--profile", str(saved)])
    assert fine.output.startswith("This is a correlated equilibrium.")
    data = json.loads(answer)
    data["distribution"] = [{"profile": {"A": "yield", "B": "yield"}, "probability": 1}]
    saved.write_text(json.dumps(data))
    wrong = CliRunner().invoke(commands, ["judge", str(file), "--profile", str(saved)]).output
    assert "This is no correlated equilibrium." in wrong and "dare where yield is recommended: 1" in wrong
    told = json.loads(CliRunner().invoke(commands, ["judge", str(file), "--profile", str(saved), "--json"]).output)
    assert (told["value"], told["regret"], told["nash_conv"]) == ({"A": 6, "B": 6}, {"A": 1, "B": 1}, 2)
