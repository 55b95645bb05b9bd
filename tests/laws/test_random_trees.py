"""Thousands of random trees written as game files, so that reader and checker stand between the dice and the solvers:
alpha-beta is minimax under both rules, and laws on what a change of the text may change of the answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest
from games_by_hand import bimatrix
from sampling import one_in
from trees import Inner, random_tree

from gdl import loads
from gdl.game import Game, Number
from gdl.numbers import to_text
from gdl.solution import Profile, Solution
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.equilibria.regret import regret
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn, minimax

Change = Callable[[Number], Number]
SEATS = {"MAX": "MIN", "MIN": "MAX", "chance": "chance"}


def same(number: Number) -> Number:
    return number


def text(tree: Inner, players: str = "MAX, MIN", change: Change = same) -> str:
    """The tree as a game file: its first levels indented, the rest nested on one line, as an author might."""
    return f"players {players}\ntree\n" + "\n".join(_indented(tree, change, 1)) + "\n"


def _indented(item: Any, change: Change, depth: int, label: str = "") -> Iterator[str]:
    if not isinstance(item, Inner) or depth > 2:
        yield f"{'    ' * depth}{label}{_nested(item, change)}"
        return
    yield f"{'    ' * depth}{label}{item.player}"
    for position, child in enumerate(item.children):
        yield from _indented(child, change, depth + 1, _label(item, position))


def _nested(item: Any, change: Change) -> str:
    if isinstance(item, Inner):
        parts = (_label(item, k) + _nested(child, change) for k, child in enumerate(item.children))
        return f"{item.player} ({', '.join(parts)})"
    if isinstance(item, tuple):
        return f"({', '.join(to_text(change(number)) for number in item)})"
    return to_text(change(item))


def _label(item: Inner, position: int) -> str:
    weight = f" {to_text(item.weights[position])}" if item.weights else ""
    return f"{item.actions[position]}{weight}: "


def some_tree(seed: int, **options: Any) -> Inner:
    """A random tree with at least one move."""
    dice = random.Random(seed)
    leaves = dice.choice([range(-3, 4), range(-40, 41), [Fraction(k, 4) for k in range(-9, 10)]])
    while True:
        tree = random_tree(dice, dice.randint(1, 5), **{"leaves": leaves, **options})
        if isinstance(tree, Inner):
            return tree


def read(*arguments: Any, **options: Any) -> Game[Any]:
    return loads(text(*arguments, **options), "random").game


@lru_cache(512)
def some_game(seed: int) -> Game[Any]:
    """A random tree as it is read; several tests ask for the first of them."""
    return read(some_tree(seed))


@pytest.fixture(params=[60, pytest.param(600, marks=pytest.mark.slow)])
def seeds(request: pytest.FixtureRequest) -> range:
    """Of the trees on which a law is tried."""
    return range(request.param)


# ---- Alpha-beta is minimax ----------------------------------------------------------------------------------------


def check_alpha_beta(seed: int) -> None:
    game = some_game(seed)
    full = minimax(game, values=True)
    nodes = set(full.values)
    for cut in ("ge", "gt"):
        answer = alpha_beta(game, cut=cut)
        assert (answer.value, set(answer.best), answer.best[0]) == (full.value, set(full.best), full.best[0]), seed
        visited, roots = {visit.path for visit in answer.visits}, [skipped.path for skipped in answer.pruned]
        assert nodes - visited == {path for path in nodes if any(path[: len(root)] == root for root in roots)}, seed
        assert answer.nodes == len(visited), seed


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("block", one_in(4, range(10)))
def test_alpha_beta_is_minimax(block: int) -> None:
    for seed in range(200 * block, 200 * (block + 1)):
        check_alpha_beta(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_alpha_beta_is_minimax_on_many_more(block: int) -> None:
    for seed in range(1_000_000 + 1000 * block, 1_000_000 + 1000 * (block + 1)):
        check_alpha_beta(seed)


@pytest.mark.parametrize("order", ["best", "worst"])
def test_whatever_the_order_of_the_search(order: str, seeds: range) -> None:
    for seed in seeds:
        game = some_game(seed)
        answer, full = alpha_beta(game, order=order), minimax(game)
        assert (answer.value, set(answer.best)) == (full.value, set(full.best)), seed


# ---- Other numbers at the leaves ----------------------------------------------------------------------------------


def affine(number: Number) -> Number:
    return Fraction(5, 2) * number - 7


def monotone(number: Number) -> Number:
    """Increasing, and nothing like a straight line."""
    return number**3 + number


def shape(solution: Solution) -> tuple[Any, ...]:
    """All of an answer but its numbers: what was looked at, what was skipped, what is best."""
    visited = [(visit.path, visit.bound) for visit in solution.visits]
    return solution.best, solution.line, solution.nodes, solution.leaves, solution.pruned, visited


@pytest.mark.one_in(2)
@pytest.mark.parametrize("change", [affine, monotone])
def test_an_increasing_change_of_the_leaves_changes_only_the_numbers(change: Change, seeds: range) -> None:
    for seed in seeds:
        game, other = some_game(seed), read(some_tree(seed), change=change)
        before, after = minimax(game), minimax(other)
        assert after.value == (change(before.value[0]), -change(before.value[0])), seed
        assert (after.best, after.line) == (before.best, before.line), seed
        for cut in ("ge", "gt"):
            assert shape(alpha_beta(other, cut=cut)) == shape(alpha_beta(game, cut=cut)), seed


@pytest.mark.thorough
def test_under_chance_an_affine_change_keeps_the_choice_and_another_may_not(seeds: range) -> None:
    changed = 0
    for seed in seeds:
        tree = some_tree(seed, chances=0.4)
        before = expectiminimax(read(tree))
        after = expectiminimax(read(tree, change=affine))
        assert (after.value[0], after.best, after.line) == (affine(before.value[0]), before.best, before.line), seed
        changed += expectiminimax(read(tree, change=monotone)).best != before.best
    assert 0 < changed < len(seeds) / 2  # the order of the leaves does not decide under chance


def test_an_affine_change_for_each_of_three_players_keeps_the_choice(seeds: range) -> None:
    changes = (affine, lambda number: 2 * number + 1, lambda number: Fraction(1, 3) * number)
    for seed in seeds:
        dice = random.Random(seed)
        leaves = [tuple(dice.randint(-3, 3) for _ in range(3)) for _ in range(40)]
        tree = some_tree(seed, players=("A", "B", "C"), leaves=leaves, chances=0.2)
        paid = _paid(tree, changes)
        before, after = (maxn(read(t, players="A, B, C")) for t in (tree, paid))
        assert after.value == tuple(change(number) for change, number in zip(changes, before.value, strict=True)), seed
        assert (after.best, after.line) == (before.best, before.line), seed


def _paid(item: Any, changes: tuple[Change, ...]) -> Any:
    """The tree with every player's utilities changed."""
    if isinstance(item, tuple):
        return tuple(change(number) for change, number in zip(changes, item, strict=True))
    return Inner(item.player, item.actions, [_paid(child, changes) for child in item.children], item.weights)


# ---- Other seats, another order -----------------------------------------------------------------------------------


def swapped(item: Any) -> Any:
    """MAX sits where MIN sat, and the other way round; what one gained the other gains."""
    if not isinstance(item, Inner):
        return -item
    return Inner(SEATS[item.player], item.actions, [swapped(child) for child in item.children], item.weights)


@pytest.mark.thorough
def test_swapped_seats_negate_the_value_and_change_nothing_else(seeds: range) -> None:
    for seed in seeds:
        tree = some_tree(seed, chances=0.3 if seed % 3 == 0 else 0.0)
        game, other = read(tree), read(swapped(tree))
        before, after = expectiminimax(game), expectiminimax(other)
        assert after.value == (-before.value[0], before.value[0]), seed
        assert (after.best, after.line) == (before.best, before.line), seed
        if not game.traits.chance:
            for cut in ("ge", "gt"):
                first, second = alpha_beta(game, cut=cut), alpha_beta(other, cut=cut)
                assert (first.pruned, first.nodes) == (second.pruned, second.nodes), seed


def shuffled(item: Any, dice: random.Random) -> Any:
    """The tree with the children of every node in another order."""
    if not isinstance(item, Inner):
        return item
    order = dice.sample(range(len(item.children)), len(item.children))
    children = [shuffled(item.children[k], dice) for k in order]
    return Inner(
        item.player, [item.actions[k] for k in order], children, [item.weights[k] for k in order if item.weights]
    )


def test_the_order_of_children_matters_to_ties_only(seeds: range) -> None:
    moved = 0
    for seed in seeds:
        tree = some_tree(seed, chances=0.2)
        before, after = expectiminimax(read(tree)), expectiminimax(read(shuffled(tree, random.Random(seed))))
        assert after.value == before.value, seed
        assert set(after.best) == set(before.best), seed
        assert len(before.best) > 1 or after.best == before.best, seed
        moved += after.best != before.best
    assert moved  # ties are broken by the order of the file


# ---- Matrices -----------------------------------------------------------------------------------------------------


def table(rows: list[list[tuple[Number, Number]]]) -> str:
    """A matrix as a game file."""
    header = " ".join(f"c{k}" for k in range(len(rows[0])))
    lines = (f"    r{k} " + " ".join(f"({to_text(a)}, {to_text(b)})" for a, b in row) for k, row in enumerate(rows))
    return f"players Row, Column\nmatrix\n    {header}\n" + "\n".join(lines) + "\n"


def some_rows(seed: int) -> list[list[tuple[Number, Number]]]:
    dice = random.Random(seed)
    height, width = dice.randint(1, 3), dice.randint(1, 3)
    return [[(dice.randint(-4, 4), dice.randint(-4, 4)) for _ in range(width)] for _ in range(height)]


def equilibria(solution: Solution) -> set[str]:
    return {repr(_by_name(profile)) for profile in solution.equilibria}


def _by_name(profile: Profile) -> list[tuple[str, list[tuple[str, Number]]]]:
    return sorted((player, sorted(sets["start"].items())) for player, sets in profile.items())


@pytest.mark.one_in(3)
@pytest.mark.parametrize("block", range(4))
def test_equilibria_of_matrices_under_changes_that_do_not_matter(block: int) -> None:
    """Of the utilities of one player: a positive multiple, and a number for each of the other's actions."""
    for seed in range(30 * block, 30 * (block + 1)):
        rows, dice = some_rows(seed), random.Random(seed)
        game = loads(table(rows), "matrix").game
        found = nash(game)
        assert all(regret(game, profile).regret == (0, 0) for profile in found.equilibria)
        for_row, for_column = ([dice.randint(-5, 5) for _ in range(3)] for _ in range(2))
        paid = [
            [(2 * a + for_row[j], Fraction(1, 2) * b + for_column[i]) for j, (a, b) in enumerate(row)]
            for i, row in enumerate(rows)
        ]
        again = nash(loads(table(paid), "matrix").game)
        assert equilibria(again) == equilibria(found), seed
        assert again.complete == found.complete, seed


def test_a_table_typed_and_a_table_made_have_the_same_equilibria() -> None:
    for seed in range(30):
        rows = some_rows(seed)
        made = bimatrix([[a for a, _ in row] for row in rows], [[b for _, b in row] for row in rows])
        typed, solved = nash(loads(table(rows), "matrix").game), nash(made)
        assert len(typed.equilibria) == len(solved.equilibria)
        assert (typed.complete, typed.value) == (solved.complete, solved.value)


def test_transposed_tables_swap_the_players() -> None:
    for seed in range(40):
        rows = some_rows(seed)
        turned = [[(row[j][1], row[j][0]) for row in rows] for j in range(len(rows[0]))]
        before, after = (nash(loads(table(t), "matrix").game) for t in (rows, turned))
        names = {"r": "c", "c": "r", "Row": "Column", "Column": "Row"}
        back = [
            {names[p]: {"start": {names[a[0]] + a[1:]: x for a, x in sets["start"].items()}} for p, sets in e.items()}
            for e in after.equilibria
        ]
        assert {repr(_by_name(e)) for e in back} == equilibria(before), seed
        assert after.complete == before.complete, seed
