"""Sequential, perfect Bayesian and intuitive equilibria: known games, and random trees judged by brute force."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction as F
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner
from hidden_trees import (
    as_game,
    follows_from_play,
    is_consistent,
    is_rational,
    pure,
    random_hidden,
    sets_of,
    trembled,
    unplayed,
)
from verification import verify

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.solvers import solve
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.concept_judges import judge_profile as held_against
from gdl.solvers.equilibria.position_paths import PositionPaths
from gdl.solvers.equilibria.positions import explore
from gdl.wings.theory.beliefs.cells import SupportCell
from gdl.wings.theory.beliefs.consistency import inconsistent, irrational


def plays(solution: Any) -> list[dict[str, str]]:
    """The action played at each set in each equilibrium, the likeliest one of a mixture."""
    return [
        {name: max(mixture, key=mixture.__getitem__) for sets in profile.values() for name, mixture in sets.items()}
        for profile in solution.equilibria
    ]


# -- known games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("concept", ["sequential", "perfect-bayesian"])
def test_of_seltens_horse_only_across_across_right_is_left(concept: str) -> None:
    found = solve(gdl.load("seltens_horse"), concept=concept)
    assert plays(found) == [{"start": "across", "across": "across", "dark": "right"}]
    assert found.payoffs == ((1, 1, 1),)
    assert found.beliefs[0]["C"]["dark"]["down"] <= F(1, 3)
    assert any("down to be at most 1/3 likely" in note for note in found.notes)


@pytest.mark.parametrize("concept", ["sequential", "perfect-bayesian"])
def test_beer_and_quiche_have_two_kinds_of_equilibria(concept: str) -> None:
    found = solve(gdl.load("beer_quiche"), concept=concept)
    assert plays(found) == [
        {"strong": "beer", "weak": "beer", "beer": "leave", "quiche": "fight"},
        {"strong": "quiche", "weak": "quiche", "beer": "fight", "quiche": "leave"},
    ]
    assert found.payoffs == ((F(29, 10), F(9, 10)), (F(21, 10), F(9, 10)))


def test_only_beer_is_intuitive() -> None:
    found = solve(gdl.load("beer_quiche"), concept="intuitive")
    assert plays(found) == [{"strong": "beer", "weak": "beer", "beer": "leave", "quiche": "fight"}]
    assert "would gain 1 at least" in found.notes[0]


def test_where_the_weak_are_more_both_mix() -> None:
    """With the weak more likely nobody pools: the weak mix, and the bully mixes on seeing beer."""
    text = dedent("""\
        players Stranger, Bully
        tree
            chance
                strong 1/4: Stranger in strong
                    beer: Bully in beer (fight: (1, 0), leave: (3, 1))
                    quiche: Bully in quiche (fight: (0, 0), leave: (2, 1))
                weak 3/4: Stranger in weak
                    beer: Bully in beer (fight: (0, 1), leave: (2, 0))
                    quiche: Bully in quiche (fight: (1, 1), leave: (3, 0))
    """)
    found = solve(gdl.loads(text).game, concept="sequential")
    assert len(found.equilibria) == 1 and found.complete
    assert found.equilibria[0]["Stranger"]["weak"]["beer"] == F(1, 3)
    assert found.beliefs[0]["Bully"]["beer"] == {"strong > beer": F(1, 2), "weak > beer": F(1, 2)}
    assert found.value is not None


@pytest.mark.slow
def test_kuhn_poker_has_three_kinds_of_sequential_equilibria() -> None:
    found = solve(gdl.load("kuhn"), concept="sequential")
    assert found.value == (F(-1, 18), F(1, 18))
    bluffs = [profile["P1"] for profile in found.equilibria]
    assert len(bluffs) == 3
    for own in bluffs:  # the king bets three times as often as the jack
        bets = [mixture["bet"] for mixture in own.values() if "bet" in mixture]
        assert bets[2] == 3 * bets[0]


def test_with_perfect_information_they_are_subgame_perfect() -> None:
    game = gdl.load("ultimatum")
    assert solve(game, concept="sequential").equilibria == solve(game, concept="subgame-perfect").equilibria


@pytest.mark.parametrize(("most", "kept"), [("1", True), ("0.99", False)])
def test_a_type_that_could_do_as_well_by_a_message_might_send_it(most: str, kept: bool) -> None:
    """That both stay at home rests on who is seen outside being weak. The weak would gain nothing by it, but lose
    nothing either; only if they would lose are they never to be expected there."""
    text = dedent(f"""\
        players Stranger, Bully
        tree
            chance
                strong 1/2: Stranger in strong
                    home: (1, 0)
                    outside: Bully in outside (fight: (0, 0), leave: (2, 1))
                weak 1/2: Stranger in weak
                    home: (1, 0)
                    outside: Bully in outside (fight: (0, 1), leave: ({most}, 0))
    """)
    both_at_home = {"strong": "home", "weak": "home", "outside": "fight"}
    assert (both_at_home in plays(solve(gdl.loads(text).game, concept="intuitive"))) is kept


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("seltens_horse", "intuitive needs two players and a game of chance"),
        ("kuhn", "Kuhn poker is none: after chance there is not always a decision"),
        ("pig", "intuitive needs a game whose positions never come again"),
    ],
)
def test_the_criterion_is_for_signals(name: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        solve(gdl.load(name), concept="intuitive")


@pytest.mark.thorough
def test_a_limit_leaves_what_was_found() -> None:
    found = solve(gdl.load("beer_quiche"), concept="sequential", supports=3)
    assert found.complete is None and any("there are more" in note for note in found.notes)
    with pytest.raises(LimitReached):
        solve(gdl.load("leduc"), concept="sequential", nodes=100)
    with pytest.raises(LimitReached, match=r"was found, of the first 0 supports; .* --supports allows") as stop:
        solve(gdl.load("seltens_horse"), concept="sequential", supports=0)
    assert stop.value.partial.regret is not None


THREE_RAISES = """\
players P1, P2
type Card = one < two < three
state
    card[Player]: Card?   visible to owner
    put[Player]: 2..5 = 2
    folded: Player?
    over: Boolean
start deal
chance deal(a: Card, b: Card)
    card[P1] := a
    card[P2] := b
    next P1
action fold
    folded := mover
action call when put[mover] < put[other(mover)]
    put[mover] := put[other(mover)]
    over := true
action raise when put[other(mover)] < 5
    put[mover] := put[other(mover)] + 1
terminal
    folded != none -> pay put[folded] to other(folded)
    over and card[P1] = card[P2] -> draw
    over -> pay put[P1] to (if card[P1] > card[P2] then P1 else P2)
"""


@pytest.mark.thorough
def test_beside_the_play_of_the_sequence_form_fewer_supports_are_looked_at() -> None:
    """By default 2,000 in place of 20,000, which took a minute, and as many as are asked for."""
    found = solve(gdl.loads(THREE_RAISES), concept="sequential")
    assert found.value == (F(-1, 7), F(1, 7)) and "2,000 supports were looked at, and there are more." in found.notes


@pytest.mark.parametrize("concept", ["sequential", "perfect-bayesian"])
def test_with_too_many_supports_the_sequence_form_begins(concept: str) -> None:
    """A poker of 100 nodes and 85 million supports: the equilibrium has the play of one that a linear program gives."""
    found = solve(gdl.loads(THREE_RAISES), concept=concept, supports=100)
    assert found.value == (F(-1, 7), F(1, 7)) and found.regret == (0, 0) and found.complete is None
    (profile,), (beliefs,) = found.equilibria, found.beliefs
    assert all(sum(row.values()) == 1 for rows in profile.values() for row in rows.values())
    assert len(beliefs["P2"]) == 6 and "100 supports were looked at, and there are more." in found.notes


# -- answers ------------------------------------------------------------------------------------------------------


def test_the_answer_in_json_is_verified_anew() -> None:
    game = gdl.load("seltens_horse")
    told = json.loads(answer.write(solve(game, concept="sequential")))
    assert told["beliefs"][0]["C"]["dark"].keys() == {"down", "across > down"}
    assert verify(game, told).status("beliefs") is True
    told["beliefs"][0]["C"]["dark"] = {"down": "1/2", "across > down": "1/2"}
    assert "C would rather play left at dark, which gains 1/2" in str(verify(game, told).lines)
    told["beliefs"][0]["C"]["dark"] = {"down": "1/2", "across > down": "1/3"}
    assert "does not sum to one" in str(verify(game, told).lines)
    told["beliefs"][0]["C"]["dark"] = {"up": 1}
    assert "no node at dark is called 'up'" in str(verify(game, told).lines)
    told["beliefs"] = []
    assert verify(game, told).ok is False


def test_a_pooling_on_quiche_is_not_taken_for_intuitive() -> None:
    game = gdl.load("beer_quiche")
    told = json.loads(answer.write(solve(game, concept="perfect-bayesian")))
    assert verify(game, told).ok
    told["solver"] = told["concept"] = "intuitive"
    assert "beer, which is not sent, would never pay weak" in str(verify(game, told).lines)


def test_the_text_tells_payoffs_and_beliefs() -> None:
    done = CliRunner().invoke(commands, ["solve", "beer_quiche", "--concept", "sequential"]).output
    assert "equilibrium 1 pays Stranger 29/10 (2.9), Bully 9/10 (0.9)" in done
    assert "Bully at beer    strong > beer 9/10, weak > beer 1/10" in done


def test_a_drawing_shows_the_beliefs_at_the_nodes() -> None:
    drawn = CliRunner().invoke(commands, ["draw", "seltens_horse", "--solver", "sequential"]).output
    assert "down: C belief 1" in drawn and "down: C belief 0" in drawn and "across: B  *" in drawn


def test_beliefs_that_no_trembles_bear_out() -> None:
    """A tremble of the first player leads to both sets of the second alike, so the beliefs there must agree."""
    text = dedent("""\
        players A, B
        tree
            chance
                one 1/2: A in start
                    stay: (1, 1)
                    go: B in first (left: (0, 1), right: (0, 0))
                two 1/2: A in start
                    stay: (1, 1)
                    go: B in first (left: (0, 0), right: (0, 1))
    """)
    positions = explore(gdl.loads(text).game)
    names = PositionPaths(positions).names
    rows = [(1, 0), (1, 0)]

    def held(share: F) -> list[dict[int, Any]]:
        even = {names.index("one"): F(1, 2), names.index("two"): F(1, 2)}
        return [even, {names.index("one > go"): share, names.index("two > go"): 1 - share}]

    assert not list(irrational(positions, rows, held(F(2, 3))))
    assert not list(inconsistent(positions, PositionPaths(positions), rows, held(F(1, 2))))
    assert [f.information_set for f in inconsistent(positions, PositionPaths(positions), rows, held(F(2, 3)))] == [1]
    assert list(inconsistent(positions, PositionPaths(positions), rows, held(F(1))))


# -- the judge ----------------------------------------------------------------------------------------------------

HORSE = {"A": {"start": {"down": 1}}, "B": {"across": {"across": 1}}, "C": {"dark": {"left": 1}}}


def judged(tmp_path: Path, game: str, profile: Any, concept: str) -> dict[str, Any]:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(profile))
    done = CliRunner().invoke(commands, ["judge", game, "--profile", str(file), "--concept", concept, "--json"])
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.output)
    return told


@pytest.mark.parametrize(
    ("concept", "holds"),
    [("nash", True), ("subgame-perfect", True), ("perfect-bayesian", False), ("sequential", False)],
)
def test_the_judge_tells_where_a_threat_is_empty(tmp_path: Path, concept: str, holds: bool) -> None:
    told = judged(tmp_path, "seltens_horse", HORSE, concept)
    assert (told["concept"], told["holds"]) == (concept, holds)
    if not holds:
        (failed,) = told["conditions"]
        assert failed["condition"] == "sequential rationality"
        assert [failed[key] for key in ("player", "information_set", "deviation", "gain")] == ["B", "across", "down", 3]


def test_the_judge_finds_beliefs_for_a_profile_alone(tmp_path: Path) -> None:
    good = {"A": {"start": {"across": 1}}, "B": {"across": {"across": 1}}, "C": {"dark": {"right": 1}}}
    told = judged(tmp_path, "seltens_horse", good, "sequential")
    assert told["holds"] is True and F(told["beliefs"]["C"]["dark"]["down"]) <= F(1, 3)


def test_the_judge_tells_the_type_that_makes_itself_known(tmp_path: Path) -> None:
    listed = json.loads(answer.write(solve(gdl.load("beer_quiche"), concept="perfect-bayesian")))
    told = judged(tmp_path, "beer_quiche", {"equilibria": listed["equilibria"]}, "intuitive")
    assert [one["holds"] for one in told["profiles"]] == [True, False]
    failed = told["conditions"][-1]
    assert (failed["player"], failed["information_set"], failed["deviation"]) == ("Stranger", "strong", "beer")


def test_the_judge_tells_the_subgame(tmp_path: Path) -> None:
    threat = {"Newcomer": {"start": {"out": 1}}, "Incumbent": {"enter": {"fight": 1}}}
    told = judged(tmp_path, "entry", threat, "subgame-perfect")
    assert [one["condition"] for one in told["conditions"]] == ["best reply in the subgame at enter"]
    assert judged(tmp_path, "entry", threat, "nash")["holds"] is True


@pytest.mark.parametrize(("end", "words"), [
    ("B in b (x: (1, 1), y: (0, 0))", "nobody gains by deviating in any of 2 subgames"),
    ("(1, 1)", "there is no smaller subgame"),
])  # fmt: skip
def test_the_judge_counts_the_subgames(end: str, words: str) -> None:
    positions = explore(gdl.loads(f"players A, B\ntree A in a (l: {end}, r: (0, 0))\n").game)
    profile = read_profile(positions, {"A": {"a": {"l": 1}}, "B": {"b": {"x": 1}} if "B" in end else {}})
    assert [one.words for one in held_against("subgame-perfect", positions, profile).conditions] == [words]


@pytest.mark.thorough
def test_of_a_game_that_hides_nothing_every_position_is_known(tmp_path: Path) -> None:
    """Histories meet in positions there, and nothing has to be believed."""
    told = json.loads(answer.write(solve(gdl.load("nim"), concept="subgame-perfect")))
    for concept in ("sequential", "perfect-bayesian", "subgame-perfect"):
        assert judged(tmp_path, "nim", told, concept)["holds"] is True


def test_the_judge_tells_a_deviation_without_a_concept() -> None:
    done = CliRunner().invoke(commands, ["judge", "entry", "--profile", "uniform"]).output
    assert "Incumbent gets 3 and could gain 1/2 by deviating: share at enter." in done


def test_told_beliefs_that_are_wrong_are_judged(tmp_path: Path) -> None:
    told = json.loads(answer.write(solve(gdl.load("beer_quiche"), concept="sequential")))
    told["beliefs"][0]["Bully"]["beer"] = {"strong > beer": "1/2", "weak > beer": "1/2"}
    found = judged(tmp_path, "beer_quiche", told, "sequential")
    assert found["holds"] is False and found["conditions"][-1]["condition"] == "consistency"
    found = judged(tmp_path, "beer_quiche", told, "perfect-bayesian")
    assert found["conditions"][-1]["information_set"] == "beer"


# -- random trees -------------------------------------------------------------------------------------------------


def fractions(profile: Any) -> dict[str, dict[str, F]]:
    return {name: {k: F(v) for k, v in mixture.items()} for sets in profile.values() for name, mixture in sets.items()}


def judged_by_brute_force(seed: int) -> None:
    """Every assessment found keeps its definition, and no pure sequential equilibrium that trembles show is missed."""
    rng, players = random.Random(seed), "AB" if seed % 2 else "ABC"
    root = random_hidden(rng, players, depth=3 if seed % 3 else 2, most=9)
    game = as_game(root, players)
    found: list[dict[str, str]] = []
    for concept in ("sequential", "perfect-bayesian"):
        solution = solve(game, concept=concept, most=5000)
        assert solution.equilibria or solution.complete is None  # there is always one (Kreps and Wilson)
        assert verify(game, json.loads(answer.write(solution))).ok
        for profile, held in zip(solution.equilibria, solution.beliefs, strict=True):
            strategy, beliefs = fractions(profile), fractions(held)
            assert is_rational(root, players, strategy, beliefs)
            assert follows_from_play(root, strategy, beliefs)
            if concept == "sequential":
                assert len(unplayed(root, strategy)) > 7 or is_consistent(root, strategy, beliefs)
            positions = explore(game)
            assert held_against(concept, positions, read_profile(positions, profile)).holds is not False
        found = found or plays(solution)
    sets = {at: list(places[0].children) for at, places in sets_of(root).items()}
    for _, strategy in zip(range(100), pure(sets), strict=False):
        chosen = {at: max(mixture, key=mixture.__getitem__) for at, mixture in strategy.items()}
        steps = unplayed(root, strategy)
        labels = {step: rng.randint(1, 3) for step in steps}
        weights = {step: F(rng.randint(1, 4), rng.randint(1, 4)) for step in steps}
        if is_rational(root, players, strategy, trembled(root, strategy, labels, weights)):
            assert chosen in found


@pytest.mark.parametrize("seed", [1, 2, 3, 7, 9, 10])
def test_random_trees(seed: int) -> None:
    judged_by_brute_force(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 1100))
def test_many_random_trees(seed: int) -> None:
    judged_by_brute_force(seed)


# -- where one number more would matter ---------------------------------------------------------------------------


BOTH = pytest.mark.parametrize("concept", ["sequential", "perfect-bayesian"])


def of_tree(tree: str, concept: str, players: str = "A, B", **options: Any) -> Any:
    return solve(gdl.loads(f"players {players}\ntree {tree}\n").game, concept=concept, **options)


@BOTH
@pytest.mark.parametrize(("left", "right", "told"), [
    pytest.param("x: (0, 2), y: (3, 1)", "x: (0, 0), y: (3, 1)", "l to be at least 1/2 likely", id="one-of-two-is-told"),
    pytest.param("x: (0, 1), y: (3, 0)", "x: (0, 1), y: (3, 0)", None, id="any-belief-will-do"),
    pytest.param("x: (0, 1)", "x: (0, 0)", None, id="no-choice"),
    pytest.param("x: chance(u 1/2: (0, 2), v 1/2: (0, 4)), y: (3, 1)",
                 "x: chance(u 1/2: (0, 0), v 1/2: (0, 1)), y: (3, 1)", "l to be at least 1/5 likely", id="after-chance"),
])  # fmt: skip
def test_what_beliefs_bear_a_threat_out(left: str, right: str, told: str | None, concept: str) -> None:
    found = of_tree(f"A(o: (2, 0), l: B in h ({left}), r: B in h ({right}))", concept)
    assert plays(found)[0] == {"start": "o", "h": "x"}
    notes = [note for note in found.notes if "if they hold" in note]
    assert notes == ([] if told is None else [f"B plays x at h if they hold {told}."])


@BOTH
def test_who_moves_twice_counts_what_comes_later_once(concept: str) -> None:
    """To go is worth 2 at last, less than to stay out."""
    later = "p: A in c (l: (2, 1), r: (0, 0)), q: A in c (l: (2, 0), r: (0, 1))"
    found = of_tree(f"A in a (out: (3, 0), go: B in b ({later}))", concept)
    assert plays(found) == [{"a": "out", "b": "p", "c": "l"}]
    assert found.complete and found.value == (3, 0)


def test_one_equilibrium_of_several_tells_no_value() -> None:
    ways = "l: B in b (x: (2, 1), y: (0, 0)), r: B in b (x: (0, 0), y: (1, 3))"
    found = of_tree(f"A in a ({ways})", "sequential", supports=1)
    assert found.complete is None and found.value is None
    assert found.notes == ("1 supports were looked at, and there are more.",)


def test_a_lone_player_has_one_value() -> None:
    game: Any = gdl.loads("players A\ntree chance(s 1/2: A in h (x: 1, y: 2), t 1/2: A in h (x: 2, y: 0))\n").game
    found = solve(game, concept="perfect-bayesian", supports=1)
    assert found.complete is None and found.value == (F(3, 2),)


@BOTH
def test_two_opponents_have_a_value_though_mixtures_are_not_listed(concept: str) -> None:
    ways = "x: (1, -1), y: (0, 0)", "x: (0, 0), y: (1, -1)"
    tree = f"A in a (l: B in b ({ways[0]}), m: B in b ({ways[0]}), r: B in b ({ways[1]}))"
    found = solve(gdl.loads(f"players A, B\ntree {tree}\n").game, concept=concept)
    assert "its mixtures may be others" in found.notes[0]
    assert found.value == (F(1, 2), F(-1, 2)) and found.complete is False


AT_ONCE = "A in a (l: B in b (l: C in c (l: (1, 2, 1), r: (0, 0, 0)), r: C in c (l: (0, 0, 1), r: (1, 1, 0))), "
AT_ONCE += "r: B in b (l: C in c (l: (0, 1, 0), r: (3, 0, 2)), r: C in c (l: (1, 0, 0), r: (0, 1, 2))))"


@BOTH
def test_three_who_mix_at_once(concept: str) -> None:
    """C is indifferent only if A plays l with probability 2/3; then B is only at a probability of C's, and then A."""
    found = of_tree(AT_ONCE, concept, "A, B, C")
    shares = [[row["l"] for row in fractions(profile).values()] for profile in found.equilibria]
    assert shares == [[1, 1, 1], [F(2, 3), 1, F(3, 4)], [F(2, 3), F(1, 7), F(3, 8)]]
    assert found.complete is False and len(found.notes) == 1 and "its mixtures may be others" in found.notes[0]


@BOTH
def test_a_mixture_of_irrational_probabilities_is_left_out(concept: str) -> None:
    """Where all mix, the square of l's probability is twice the square of r's."""
    c = "(l: (1, 1, 1), r: (0, 0, 0))", "(l: (0, 0, 0), r: (0, 0, 0))", "(l: (0, 0, 0), r: (2, 2, 2))"
    ways = f"l: B in b (l: C in c {c[0]}, r: C in c {c[1]}), r: B in b (l: C in c {c[1]}, r: C in c {c[2]})"
    found = of_tree(f"A in a ({ways})", concept, "A, B, C")
    assert found.notes == ("1 mixed supports with conditions that are not linear were not searched.",)
    assert found.payoffs == ((1, 1, 1), (2, 2, 2)) and found.complete is None


@BOTH
def test_where_nothing_matters_each_support_is_an_equilibrium(concept: str) -> None:
    found = of_tree(re.sub(r"\(\d.*?\)", "(0, 0, 0)", AT_ONCE), concept, "A, B, C")
    assert len(found.equilibria) == 27 and found.complete is False and "not linear" not in str(found.notes)


@BOTH
def test_what_comes_later_counts_once_beside_an_end(concept: str) -> None:
    ways = "A in a (l: (3, 0), r: A in again (x: (2, 0), y: (0, 0)))"
    found = of_tree(f"chance (one 1/2: {ways}, two 1/2: {ways})", concept)
    assert plays(found) == [{"a": "l", "again": "x"}] and found.complete


def test_beliefs_at_two_sets_share_a_tremble() -> None:
    """C plays u only if both nodes are held possible, at each of two sets that A and B may lead to."""
    one, other = "(u: (0, 0, 2), v: (0, 0, 3), w: (0, 0, 0))", "(u: (0, 0, 2), v: (0, 0, 0), w: (0, 0, 3))"
    ways = f"stay: (0, 5, 5), left: C in near {one}, right: C in near {other}, on: C in far {one}"
    found = of_tree(f"A in a (stay: (5, 5, 5), go: B in b ({ways}), off: C in far {other})", "sequential", "A, B, C")
    assert len(found.equilibria) == 9 and plays(found)[0] == {"a": "stay", "b": "stay", "near": "u", "far": "u"}
    for belief in found.beliefs[0]["C"].values():
        assert len(belief) == 2 and all(F(1, 3) <= F(share) <= F(2, 3) for share in belief.values())


@BOTH
def test_a_support_that_is_refuted_where_play_leads_is_not_looked_at(concept: str) -> None:
    """Play reaches one of B's two nodes, where only x is best."""
    ways = "l: B in b (x: (1, 1), y: (1, 0)), r: B in b (x: (0, 0), y: (0, 1))"
    found = of_tree(f"A in a ({ways})", concept, supports=1)
    assert plays(found) == [{"a": "l", "b": "x"}] and found.complete


@BOTH
def test_what_is_worth_playing_rests_on_how_others_mix_later(concept: str) -> None:
    """B plays x only if C, to whom it is all the same, plays v with probability 1/4 or more."""
    later = "C in c (u: (2, 0, 0), v: (2, 4, 0)), y: (2, 1, 0)", "C in c (u: (0, 4, 0), v: (0, 0, 0)), y: (0, 1, 0)"
    found = of_tree(f"A in a (l: B in b (x: {later[0]}), r: B in b (x: {later[1]}))", concept, "A, B, C")
    assert any(p["B"]["b"]["x"] == 1 and 0 < p["C"]["c"]["v"] < 1 for p in found.equilibria)


@BOTH
def test_an_action_behind_chance_may_be_best_if_others_mix(concept: str) -> None:
    """A's l is worth half of what B leaves, which is 3 to 5; r is worth 2."""
    ways = "A in a (l: chance (h 1/2: B in b (x: (3, 0), y: (5, 0)), t 1/2: (0, 0)), r: (2, 0))"
    found = of_tree(f"chance (one 1/2: {ways}, two 1/2: {ways})", concept)
    assert any(0 < p["A"]["a"]["l"] < 1 and p["B"]["b"]["x"] == F(1, 2) for p in found.equilibria)


def education(years: int, wages: int) -> Any:
    """Spence's signals of two types: a year costs the abler half, and a wage should be what they are worth."""
    rows = [
        f"{name} 1/2: S {name}s ("
        + ", ".join(
            f"e{e}: R {name}{e} in s{e} ("
            + ", ".join(f"w{w}: ({4 * w - F(2 * e, able)}, {-4 * (w - able) ** 2})" for w in range(1, wages + 1))
            + ")"
            for e in range(years)
        )
        + ")"
        for name, able in (("low", 1), ("high", 2))
    ]
    return gdl.loads(f"players S, R\ntree chance({', '.join(rows)})\n").game


@pytest.mark.thorough
def test_many_equilibria_of_which_the_first_are_not_intuitive() -> None:
    """Of 73 perfect Bayesian equilibria the first fails: all are asked, not one that stands for more than are listed."""
    game = education(5, 2)
    found = solve(game, concept="intuitive")
    assert found.equilibria and verify(game, answer.to_object(found)).ok
    assert any("fails" in note for note in found.notes) and len({*found.notes}) == len(found.notes)


@pytest.mark.thorough
def test_a_play_that_somebody_would_leave_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spence's signals, two types, four years and three wages: of 1,488 supports few are solved, as many play alike."""
    game = education(4, 3)
    solved = []
    weak = SupportCell.weak_assessment
    monkeypatch.setattr(SupportCell, "weak_assessment", lambda cell, budget: (solved.append(1), weak(cell, budget))[1])
    found = solve(game, concept="intuitive")
    assert found.equilibria and len(solved) < 200, len(solved)
    assert verify(game, answer.to_object(found)).ok


@BOTH
@pytest.mark.parametrize(("sides", "named"), [(2, "toss(1) > {0} or toss(2) > {0}"), (5, "toss(1) > {0} or 4 others")])
def test_a_node_where_histories_meet_is_named_by_all_of_them(concept: str, sides: int, named: str) -> None:
    text = f"""
        players Ann, Bob
        state
            a: 0..2 visible to none
            b: 0..2
        start toss
        chance toss(c: 1..{sides})
            next Ann
        action play(n: 1..2) when mover = Ann unseen
            a := n
        action reply(n: 1..2) when mover = Bob
            b := n
        terminal
            b > 0 -> (if a = 1 then 1 else 0, if a = b then 1 else 0)
    """
    game = gdl.loads(dedent(text)).game
    found = solve(game, concept=concept)
    (belief,) = found.beliefs[0]["Bob"].values()
    assert belief == {named.format("play(1)"): 1, named.format("play(2)"): 0}
    told = json.loads(answer.write(found))
    assert verify(game, told).status("beliefs") is True
    (sets,) = (own["Bob"] for own in told["beliefs"])
    sets[next(iter(sets))] = {"toss(1) > play(1)": 1}
    assert "is called 'toss(1) > play(1)'" in str(verify(game, told).lines)
