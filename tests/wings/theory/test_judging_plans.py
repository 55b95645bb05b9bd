"""The judges of commitments, stable strategies, coalitions, dominated plans and sums: what they say holds by plain
counting, and the deviation that they name pays what they say."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction as F
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from games_by_hand import bimatrix, dealt, matrix, minority
from tables import random_table

import gdl
from gdl.commands.cli import commands
from gdl.errors import Refusal
from gdl.solvers import solve
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.concept_judges import judge_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.verdicts import ConceptCondition, ConceptVerdict

Table = Sequence[Sequence[int]]


def held(game: Any, profile: Any, concept: str, leader: int = 0) -> ConceptVerdict:
    positions = explore(game)
    return judge_profile(concept, positions, read_profile(positions, profile), leader=leader)


def mixed(game: Any, *mixes: Sequence[F]) -> dict[str, Any]:
    """The profile of a matrix in which everyone plays their mixture."""
    actions = game.node(game.initial()).actions
    return {p: {"start": dict(zip(own, mix, strict=True))}
            for p, own, mix in zip(game.players, actions, mixes, strict=True)}  # fmt: skip


def random_mix(rng: random.Random, size: int) -> list[F]:
    weights = [rng.choice([0, 0, 1, 2]) for _ in range(size)]
    weights[rng.randrange(size)] += 1
    return [F(weight, sum(weights)) for weight in weights]


def shares(condition: ConceptCondition, player: str) -> list[F]:
    """The mixture that a condition names for a player of a matrix."""
    assert condition.strategy is not None
    return [F(share) for share in condition.strategy[player]["start"].values()]


def pays(table: Table, x: Sequence[F], y: Sequence[F]) -> F:
    return sum((a * p * q for row, p in zip(table, x, strict=True) for a, q in zip(row, y, strict=True)), F(0))


def failing(verdict: ConceptVerdict, name: str) -> list[ConceptCondition]:
    return [one for one in verdict.conditions if one.condition == name and one.holds is False]


def units(size: int) -> list[list[F]]:
    return [[F(int(k == i)) for k in range(size)] for i in range(size)]


# -- commitment --------------------------------------------------------------------------------------------------------


def test_commitments() -> None:
    """Of random tables: the answer of the solver holds; of a random profile each condition is what counting finds."""
    rng = random.Random(1)
    for seed in range(40):
        game, cells = random_table(seed, 3, 3)
        tables = [[[cells[i, j][p] for j in range(3)] for i in range(3)] for p in (0, 1)]
        best = solve(game, concept="commitment")
        assert best.value is not None and best.strategy is not None
        assert held(game, best.strategy, "commitment").holds
        x, y = random_mix(rng, 3), random_mix(rng, 3)
        verdict = held(game, mixed(game, x, y), "commitment")
        value = [pays(table, x, y) for table in tables]
        replies = [pays(tables[1], x, unit) for unit in units(3)]
        assert bool(failing(verdict, "best reply")) == (value[1] < max(replies))
        for one in failing(verdict, "ties"):
            reply = shares(one, game.players[1])
            assert pays(tables[1], x, reply) == max(replies)
            assert pays(tables[0], x, reply) - value[0] == one.gain
        for one in failing(verdict, "best commitment"):
            lead, reply = (shares(one, player) for player in game.players)
            assert pays(tables[0], lead, reply) - value[0] == one.gain == best.value[0] - value[0]
            assert pays(tables[1], lead, reply) == max(pays(tables[1], lead, unit) for unit in units(3))
        assert bool(failing(verdict, "best commitment")) == (value[0] < best.value[0])


def test_the_second_player_may_lead() -> None:
    chicken = gdl.load("chicken")
    found = solve(chicken, concept="commitment", as_="Bob").strategy
    assert held(chicken, found, "commitment", leader=1).holds
    (wrong,) = failing(held(chicken, found, "commitment"), "best commitment")
    assert (wrong.player, wrong.deviation, wrong.gain) == ("Ann", "go_on", 2)


# -- evolutionary ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_stable_strategies() -> None:
    """Of random symmetric tables with many ties: just the answers of the solver are stable, and a mutant that is named
    is a best reply that does as well against itself as the resident does against it, or better."""
    rng = random.Random(2)
    met = set()
    for _ in range(30):
        size = rng.choice([2, 3, 3, 4])
        table = [[rng.randint(0, 2) for _ in range(size)] for _ in range(size)]
        game = bimatrix(table, [list(row) for row in zip(*table, strict=True)])
        stable = [[F(share) for share in one["Row"]["start"].values()]
                  for one in solve(game, concept="evolutionary").equilibria]  # fmt: skip
        every = solve(game, concept="nash").equilibria
        both = [[F(share) for share in one["Row"]["start"].values()] for one in every]
        for x in [*both, *stable, random_mix(rng, size)]:
            verdict = held(game, mixed(game, x, x), "evolutionary")
            assert verdict.holds == (x in stable)
            met.add(verdict.holds)
            for one in failing(verdict, "stability"):
                y = shares(one, "Row")
                met.add(1 in y)
                assert y != x and pays(table, y, x) == pays(table, x, x)
                assert pays(table, y, y) - pays(table, x, y) == one.gain
                assert one.gain is not None and one.gain >= 0
        assert failing(held(game, mixed(game, units(size)[0], units(size)[1]), "evolutionary"), "the same strategy")
    assert met == {True, False}


def test_a_mixture_invades() -> None:
    """Rock, paper, scissors: against equal shares every mixture does as well as they do, none better."""
    game = gdl.load("rock_paper_scissors")
    third = {"rock": F(1, 3), "paper": F(1, 3), "scissors": F(1, 3)}
    (one,) = failing(held(game, {"Ann": {"start": third}, "Bob": {"start": third}}, "evolutionary"), "stability")
    assert one.deviation == "rock" and one.gain == 0
    table = [[0, 2, 0, 0], [2, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]  # no plan alone invades half of each of the last
    symmetric = bimatrix(table, table)
    half = [F(0), F(0), F(1, 2), F(1, 2)]
    (one,) = failing(held(symmetric, mixed(symmetric, half, half), "evolutionary"), "stability")
    assert one.gain == 0


# -- coalitions --------------------------------------------------------------------------------------------------------


def test_coalitions() -> None:
    """Of random tables of three: each coalition that could do better is named, with what it secures against all that
    the others could do, and no other."""
    rng = random.Random(3)
    for _ in range(12):
        cells = {joint: tuple(rng.randint(0, 4) for _ in range(3)) for joint in product("ab", repeat=3)}
        game = matrix("three", ("P", "Q", "R"), ("ab", "ab", "ab"), cells)
        worths = {tuple(one[0]): F(one[1]) for one in solve(game, concept="coalition").coalitions.worths}  # type: ignore[union-attr]
        mixes = [random_mix(rng, 2) for _ in range(3)]
        value = [sum((F(cells[joint][p]) * mixes[0]["ab".index(joint[0])] * mixes[1]["ab".index(joint[1])]
                      * mixes[2]["ab".index(joint[2])] for joint in cells), F(0)) for p in range(3)]  # fmt: skip
        verdict = held(game, mixed(game, *mixes), "coalition")
        short = {}
        for size in (1, 2, 3):
            for members in combinations(range(3), size):
                gets = sum((value[p] for p in members), F(0))
                worth = worths[tuple(game.players[p] for p in members)]
                if worth > gets:
                    short[members] = worth - gets
        assert [one.gain for one in failing(verdict, "core")] == list(short.values())
        for members, one in zip(short, failing(verdict, "core"), strict=True):
            if one.strategy is not None:
                own = {p: shares(one, game.players[p]) for p in members}
                assert secures(cells, own) == one.gain + sum((value[p] for p in members), F(0))  # type: ignore[operator]


def secures(cells: dict[tuple[str, ...], tuple[int, ...]], own: dict[int, list[F]]) -> F:
    """The least that the members' mixtures leave them together, whatever the others do."""
    others = [p for p in range(3) if p not in own]
    found = []
    for chosen in product("ab", repeat=len(others)):
        total = F(0)
        for joint, vector in cells.items():
            if all(joint[p] == action for p, action in zip(others, chosen, strict=True)):
                chance = F(1)
                for p, mix in own.items():
                    chance *= mix["ab".index(joint[p])]
                total += chance * sum(vector[p] for p in own)
        found.append(total)
    return min(found)


# -- sums and dominated plans ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concept", ["team", "welfare"])
def test_sums(concept: str) -> None:
    rng = random.Random(4)
    for seed in range(15):
        game, cells = random_table(seed, 2, 3)
        found = solve(game, concept=concept).strategy
        assert found is not None and held(game, found, concept).holds
        x, y = random_mix(rng, 2), random_mix(rng, 3)
        both = [[sum(cells[i, j]) for j in range(3)] for i in range(2)]
        verdict = held(game, mixed(game, x, y), concept)
        most = max(map(max, both))
        assert verdict.holds == (pays(both, x, y) == most)
        for one in failing(verdict, "greatest sum"):
            assert pays(both, *(shares(one, player) for player in game.players)) == most
            assert one.gain == most - pays(both, x, y)


@pytest.mark.thorough
def test_dominated_plans() -> None:
    """Of random tables with many ties: of the equilibria just those hold that the solver lists as perfect, and what is
    named dominates."""
    rng, failed = random.Random(5), 0
    for _ in range(30):
        first, second = ([[rng.randint(0, 2) for _ in range(3)] for _ in range(3)] for _ in (0, 1))
        game = bimatrix(first, second)
        perfect = solve(game, concept="perfect").equilibria
        for one in solve(game, concept="nash").equilibria:
            verdict = held(game, one, "perfect")
            assert verdict.holds == (one in perfect)
            for wrong in failing(verdict, "no dominated plan"):
                failed += 1
                assert wrong.player is not None
                table = first if wrong.player == "Row" else [list(row) for row in zip(*second, strict=True)]
                old = [F(share) for share in one[wrong.player]["start"].values()]
                gains = [pays(table, shares(wrong, wrong.player), unit) - pays(table, old, unit) for unit in units(3)]
                assert min(gains) >= 0 < max(gains)
    assert failed > 10


# -- trees, words, refusals --------------------------------------------------------------------------------------------


def test_trees_of_cards() -> None:
    """A player's behaviour in a tree is judged as the mixture of plans that does the same."""
    for seed in range(4):
        game = dealt(random.Random(seed))
        for concept in ("commitment", "team"):
            found = solve(game, concept=concept).strategy
            assert found is not None and held(game, found, concept).holds


def test_refusals() -> None:
    with pytest.raises(Refusal, match=r"^commitment is a concept of games of two; minority has 3$"):
        held(minority(), mixed(minority(), *[[F(1), F(0)]] * 3), "commitment")
    with pytest.raises(Refusal, match=r"^evolutionary needs a symmetric game"):
        kuhn = gdl.load("kuhn")
        held(kuhn, solve(kuhn).strategy, "evolutionary")
    done = CliRunner().invoke(commands, ["judge", "chicken", "--profile", "uniform", "--as", "Ann"])
    assert done.exit_code == 2 and "--as is for --concept commitment" in done.output


def test_the_leader_is_that_of_the_answer(tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    run = CliRunner()
    answer.write_text(run.invoke(commands, "solve chicken --concept commitment --as Bob --json".split()).stdout)
    words = ["judge", "chicken", "--profile", str(answer), "--concept", "commitment", "--json"]
    assert json.loads(run.invoke(commands, words).stdout)["holds"] is True
    other = json.loads(run.invoke(commands, [*words, "--as", "Ann"]).stdout)
    assert other["holds"] is False
    assert other["conditions"][-1]["strategy"] == {"Ann": {"start": {"go_on": 1, "swerve": 0}},
                                                   "Bob": {"start": {"go_on": 0, "swerve": 1}}}  # fmt: skip


# -- errors, and what a saved answer divides ---------------------------------------------------------------------------


def test_logit_responses() -> None:
    """At the lambda that is told each action is played by its weight; at another one it is not, and random play is
    precise play of no precision."""
    table = [[-1, 4], [0, 2]]
    game = bimatrix(table, [list(column) for column in zip(*table, strict=True)])
    positions = explore(game)
    found = read_profile(positions, solve(game, "quantal", lambda_=2.0).equilibria[0])
    assert judge_profile("quantal", positions, found, rate=2.0).holds
    assert judge_profile("quantal", positions, found).holds
    (failing,) = judge_profile("quantal", positions, found, rate=1.0).conditions
    assert failing.holds is False and failing.player in game.players and "with lambda 1" in failing.words
    assert held(game, mixed(game, [F(1, 2)] * 2, [F(1, 2)] * 2), "quantal").conditions[0].holds is True
    assert held(game, mixed(game, [F(1), F(0)], [F(0), F(1)]), "quantal").holds is False


def test_a_saved_division_is_held_against_the_core(tmp_path: Path) -> None:
    """Ann has a right glove, Bob and Cid a left one each: Shapley gives them something, the core nothing."""
    game = tmp_path / "gloves.game"
    rows = [f"    {a}, {b}, {c}: ({int(a != 'to_Cid' and a != 'to_Bob' and 'give' in (b, c))}, "
            f"{int(a == 'to_Bob' and b == 'keep')}, {int(a == 'to_Cid' and c == 'keep')})"
            for a in ("keep", "to_Bob", "to_Cid") for b in ("keep", "give") for c in ("keep", "give")]  # fmt: skip
    game.write_text("\n".join(["players Ann, Bob, Cid", "", "matrix", *rows, ""]))
    runner = CliRunner()
    saved = runner.invoke(commands, ["solve", str(game), "--concept", "coalition", "--json"]).stdout
    (tmp_path / "saved.json").write_text(saved)
    asked = ["judge", str(game), "--profile", str(tmp_path / "saved.json")]
    told = json.loads(runner.invoke(commands, [*asked, "--json"]).stdout)
    assert told["value"] == {"Ann": "2/3", "Bob": "1/6", "Cid": "1/6"} and told["holds"] is False
    assert [(one["player"], one["gain"]) for one in told["conditions"]] == [
        ("Ann and Bob", "1/6"),
        ("Ann and Cid", "1/6"),
    ]
    assert runner.invoke(commands, asked).stdout.startswith("This division does not lie in the core.")
    within = json.loads(saved) | {"value": {"Ann": 1, "Bob": 0, "Cid": 0}}
    (tmp_path / "saved.json").write_text(json.dumps(within))
    assert json.loads(runner.invoke(commands, [*asked, "--json"]).stdout)["holds"] is True
