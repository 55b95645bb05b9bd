"""Perfect and proper equilibria of three players and more: against what is decided of two players by other means, and
against trembles tried by hand."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from math import lcm

import pytest
from games_by_hand import MYERSON, VAN_DAMMES, matrix
from late_clock import partial_answers
from tables import Payoffs, expected, random_table
from test_refinements import pure
from verification import verify

import gdl
from gdl.errors import Interrupted, LimitReached
from gdl.formats.answer import to_object
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import NO_LIMITS, Budget
from gdl.solvers.equilibria.behaviour import read_profile
from gdl.solvers.equilibria.bimatrix import extreme_equilibria
from gdl.solvers.equilibria.concept_judges import judge_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.simplex import LinearProgram, Optimum
from gdl.solvers.equilibria.strategic_form import Mix, table_of
from gdl.wings.theory.refinements.properness import properness
from gdl.wings.theory.refinements.trembles import Orders, judge_trembles
from gdl.wings.theory.tables import dominating, optimum


def test_with_three_an_undominated_equilibrium_need_not_be_perfect() -> None:
    """Van Damme 1991, figure 2.2.1: (2, 1, 1) is undominated, for A's second plan is good against (2, 2); but that two
    others err is rarer than that one does."""
    found = solve(VAN_DAMMES, concept="perfect")
    assert pure(found) == [("1", "1", "1")]
    assert verify(VAN_DAMMES, to_object(found)).ok
    form, _ = table_of(VAN_DAMMES, 10, NO_LIMITS)
    assert all(dominating(form, p, mix, Budget()) is None for p, mix in enumerate([(0, 1), (1, 0), (1, 0)]))
    other = {"A": {"start": {"2": 1}}, "B": {"start": {"1": 1}}, "C": {"start": {"1": 1}}}
    verdict = judge_profile("perfect", form.positions, read_profile(form.positions, other))
    failing = next(one for one in verdict.conditions if not one.holds)
    assert (failing.condition, failing.player, failing.deviation) == ("trembles", "A", "1")


def test_seltens_horse() -> None:
    """Selten 1975: of the pure equilibria, only (across, across, right)."""
    game = gdl.load("seltens_horse")
    positions = explore(game)
    for concept in ("perfect", "proper"):
        found = solve(game, concept=concept)
        assert [[max(one, key=one.get) for own in each.values() for one in own.values()]  # type: ignore[arg-type]
                for each in found.equilibria] == [["across", "across", "right"]]  # fmt: skip
        down = {"A": {"start": {"down": 1}}, "B": {"across": {"across": 1}}, "C": {"dark": {"left": 1}}}
        assert judge_profile(concept, positions, read_profile(positions, down)).holds is False


def test_a_third_who_has_one_plan_or_a_dominant_one_changes_nothing() -> None:
    """Myerson's game: two perfect equilibria, one of them proper."""
    names = ("a", "b", "c")
    for third in (("x",), ("x", "y")):
        cells = {
            (names[i], names[j], who): (MYERSON[i][j], MYERSON[j][i], int(who == "x"))
            for i, j, who in product(range(3), range(3), third)
        }
        game = matrix("Myerson's with a third", ("A", "B", "C"), [names, names, third], cells)
        assert pure(solve(game, concept="perfect")) == [("a", "a", "x"), ("b", "b", "x")]
        assert pure(solve(game, concept="proper")) == [("a", "a", "x")]


@pytest.mark.parametrize("most", [1, 2])
def test_of_two_players_it_decides_the_same_as_what_is_exact_for_two(most: int) -> None:
    """Ties are common. Where everyone plays one plan hardly anything is left undecided."""
    budget, met = Budget(), Counter[tuple[str, bool]]()
    for seed, sizes in product(range(5), [(2, 2), (3, 3), (2, 4)]):
        game, _ = random_table(seed, *sizes, most=most)
        form, _ = table_of(game, 100, NO_LIMITS)
        for pair in extreme_equilibria(*form.tables(), budget).equilibria:
            is_perfect = all(dominating(form, p, mix, budget) is None for p, mix in enumerate(pair))
            is_proper = properness(form.tables(), pair, budget).holds
            for concept, right in (("perfect", is_perfect), ("proper", is_proper)):
                found = judge_trembles(form, concept, pair, budget).holds
                assert found in (None, right)
                assert found is not None or not all(1 in mix for mix in pair)
                met[concept, found is None] += 1
    assert met["perfect", True] * 10 < met["perfect", False]


def bears_out(cells: Payoffs, kept: list[int], mixes: list[list[Fraction]]) -> bool:
    """True if each of the kept plans is a best reply to the others' mixtures."""
    for player, own in enumerate(kept):
        pays = [
            expected(cells, [*mixes[:player], [Fraction(int(j == k)) for j in range(len(mix))], *mixes[player + 1 :]], player)
            for mix in [mixes[player]]
            for k in range(len(mix))
        ]  # fmt: skip
        if pays[own] < max(pays):
            return False
    return True


def with_mistakes(
    sizes: tuple[int, ...], kept: list[int], small: dict[tuple[int, int], Fraction]
) -> list[list[Fraction]]:
    mixes = []
    for player, size in enumerate(sizes):
        weights = [Fraction(1) if k == kept[player] else small[player, k] for k in range(size)]
        mixes.append([weight / sum(weights) for weight in weights])
    return mixes


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sizes", [(2, 2, 2), (2, 3, 2)])
def test_trembles_tried_by_hand_agree(sizes: tuple[int, ...]) -> None:
    """The powers that are named bear the equilibrium out; and where none do, no mistakes drawn at random do, all small
    and some far smaller than others."""
    dice, seen = random.Random(0), set()
    for seed in range(12):
        game, cells = random_table(seed, *sizes, most=1)
        form, _ = table_of(game, 100, NO_LIMITS)
        for one in solve(game).equilibria:
            chosen: list[Mix] = [tuple(one[player]["start"].values()) for player in game.players]
            if not all(1 in mix for mix in chosen):
                continue
            kept = [mix.index(1) for mix in chosen]
            found = judge_trembles(form, "perfect", chosen, Budget())
            seen.add(found.holds)
            if found.holds and found.orders is not None:
                assert bears_out(cells, kept, with_mistakes(sizes, kept, powers(found.orders)))
            for _ in range(20 if found.holds is False else 0):
                small = {
                    (p, k): Fraction(1, 10 ** dice.randint(4, 12)) for p, size in enumerate(sizes) for k in range(size)
                }
                assert not bears_out(cells, kept, with_mistakes(sizes, kept, small))
    assert seen == {True, False}


def powers(orders: Orders) -> dict[tuple[int, int], Fraction]:
    whole = lcm(*(Fraction(power).denominator for power in orders.values()))
    return {mistake: Fraction(1, 10 ** int(4 * whole * power)) for mistake, power in orders.items()}


def test_what_is_proper_is_perfect_and_an_equilibrium() -> None:
    for seed in range(4):
        game, _ = random_table(seed, 2, 2, 2, most=2)
        every, best, last = (solve(game, concept=name) for name in ("nash", "perfect", "proper"))
        assert best.equilibria and set(map(repr, best.equilibria)) <= set(map(repr, every.equilibria))
        assert last.equilibria and set(map(repr, last.equilibria)) <= set(map(repr, best.equilibria))
        for found in (best, last):
            assert verify(game, to_object(found)).ok


def test_what_play_with_mistakes_comes_close_to_is_looked_at_where_nothing_else_is_perfect() -> None:
    """Neither equilibrium that is found by supports is perfect; a third one is left, which nothing rules out."""
    game, _ = random_table(29, 2, 2, 3, most=1)
    with pytest.raises(LimitReached, match="neither found nor ruled out") as stop:
        solve(game, concept="perfect")
    answer = stop.value.partial
    assert isinstance(answer, Solution) and len(answer.equilibria) == 1 and not answer.exact
    assert answer.equilibria[0] not in solve(game).equilibria
    assert verify(game, to_object(answer)).ok


def test_mixtures_along_a_line_are_proved_where_equations_have_no_inverse() -> None:
    """A mixes though indifferent to B and C, who have one good plan each; so whatever A does is perfect."""
    cells = {
        (a, b, c): (int(b == "l") + int(c == "x"), int(b == "l"), int(c == "x"))
        for a, b, c in product("ud", "lr", "xy")
    }
    game = matrix("indifferent", ("A", "B", "C"), [list("ud"), list("lr"), list("xy")], cells)
    form, _ = table_of(game, 10, NO_LIMITS)
    assert judge_trembles(form, "perfect", [(Fraction(1, 3), Fraction(2, 3)), (1, 0), (1, 0)], Budget()).holds


def test_an_irrational_equilibrium_is_proper_where_every_mistake_costs_something() -> None:
    """A volunteer's dilemma of three: each volunteers but for the square root of a half; and a third plan is worse."""
    plans = ("volunteer", "wait", "hide")
    cells = {
        cell: tuple(
            (2 if "volunteer" in cell else 0) - (1 if plan == "volunteer" else 3 if plan == "hide" else 0)
            for plan in cell
        )
        for cell in product(plans, repeat=3)
    }
    game = matrix("three who may help", ("A", "B", "C"), [plans] * 3, cells)
    found = solve(game, concept="proper")
    helps = [one["A"]["start"]["volunteer"] for one in found.equilibria]
    assert len(helps) == 7 and not found.exact and found.rounded
    assert any(abs(float(chance) - (1 - 0.5**0.5)) < 1e-12 for chance in helps)


def test_a_limit_of_time_leaves_equilibria_and_says_that_nothing_was_decided() -> None:
    undecided = 0
    for answer in partial_answers(lambda: solve(VAN_DAMMES, concept="perfect", time=600), every=9):
        assert isinstance(answer, Solution) and not answer.exact
        if len(answer.equilibria) == 2:
            undecided += answer.notes[0] == "Whether these are perfect was not decided: they are equilibria."
    assert undecided


def test_ctrl_c_leaves_what_is_proven_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two equilibria is strict, and so proper; Ctrl-C comes at the second."""
    cells = {cell: (int(cell[0] == cell[1]),) * 2 + (1,) for cell in product("ab", "ab", "x")}
    game, looked = matrix("two to meet", ("A", "B", "C"), [list("ab"), list("ab"), ["x"]], cells), list[object]()

    def stopped(*given: object, **more: object) -> object:
        looked.append(given)
        if len(looked) > 1:
            raise KeyboardInterrupt
        return judge_trembles(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("gdl.wings.theory.refinements.refinements.judge_trembles", stopped)
    with pytest.raises(Interrupted) as stop:
        solve(game, concept="proper")
    answer = stop.value.partial
    assert isinstance(answer, Solution) and pure(answer) == [("a", "a", "x")] and answer.concept == "proper"


@pytest.mark.thorough
def test_where_many_are_hard_each_is_given_up_in_turn_unless_a_time_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = random_table(1, 4, 4, 4, most=1)
    worked: list[int] = []

    def counted(program: LinearProgram, budget: Budget) -> Optimum:
        worked.append(sum(map(len, program.rows)))
        return optimum(program, budget)

    monkeypatch.setattr("gdl.wings.theory.refinements.trembles.optimum", counted)
    whole = solve(game, concept="proper")
    assert sum(worked) > 4_000
    monkeypatch.setattr("gdl.wings.theory.refinements.refinements.PATIENCE", 1_000)
    worked.clear()
    with pytest.raises(LimitReached, match="--time looks for longer") as stop:
        solve(game, concept="proper")
    assert sum(worked) < 2_000  # with what is looked at without powers
    assert set(map(str, whole.equilibria)) <= set(map(str, stop.value.partial.equilibria))  # type: ignore[attr-defined]
    assert solve(game, concept="proper", time=1e6).equilibria == whole.equilibria


def test_what_is_not_decided_is_told_as_such() -> None:
    """Where all that was found is ruled out, or nothing is proved, the answer says so, and nothing is called exact."""
    game, _ = random_table(10, 2, 2, 3, most=3)
    with pytest.raises(
        LimitReached, match="the proper equilibria of table 10 are among those that were not found"
    ) as stop:
        solve(game, concept="proper")
    nothing = stop.value.partial
    assert isinstance(nothing, Solution) and nothing.exact is False and not nothing.equilibria
    game, _ = random_table(36, 2, 3, 3, most=2)
    with pytest.raises(
        LimitReached, match="trembles that lead to an equilibrium were neither found nor ruled out"
    ) as stop:
        solve(game, concept="proper")
    answer = stop.value.partial
    assert isinstance(answer, Solution) and answer.regret is not None
    assert answer.equilibria and answer.exact is False and not any(answer.regret)
    positions = explore(game)
    assert [judge_profile("proper", positions, read_profile(positions, one)).holds for one in answer.equilibria] == [
        None
    ] * 4
    assert verify(game, to_object(answer)).ok
