"""Results of textbooks and papers, each beside a calculation of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from functools import cache
from itertools import product
from math import comb
from typing import Any

import pytest

import gdl

Pays = Callable[..., Sequence[Any]]


def table(players: int, actions: Sequence[Any], pays: Pays) -> tuple[Any, dict[tuple[str, ...], tuple[Any, ...]]]:
    """The game in which all have the same actions, and its payoffs by joint action."""
    names = [f"P{n}" for n in range(1, players + 1)]
    cells = {tuple(map(str, cell)): tuple(pays(*cell)) for cell in product(actions, repeat=players)}
    return gdl.matrix(cells, players=names), cells


def stable(cells: dict[tuple[str, ...], tuple[Any, ...]], actions: Sequence[Any]) -> set[tuple[str, ...]]:
    """The joint actions from which nobody gains by another action."""
    return {
        cell
        for cell, paid in cells.items()
        if all(cells[(*cell[:p], str(a), *cell[p + 1 :])][p] <= paid[p] for p in range(len(cell)) for a in actions)
    }


def pure_equilibria(game: Any) -> set[tuple[str, ...]]:
    """The pure equilibria that gdl lists."""
    profiles = gdl.solve(game, concept="nash").equilibria
    rows = [[mixture(one, player) for player in one] for one in profiles]
    return {tuple(next(iter(mix)) for mix in one) for one in rows if all(len(mix) == 1 for mix in one)}


def mixture(profile: Any, player: str) -> dict[str, Any]:
    """The player's mixture in a table."""
    found: dict[str, Any] = next(iter(profile[player].values()))
    return {action: chance for action, chance in found.items() if chance}


def solved(text: str, *solver: str, **settings: str) -> Any:
    return gdl.solve(gdl.loads(text, settings=settings), *solver)


# -- tables -----------------------------------------------------------------------------------------------------------


def test_hide_and_seek() -> None:
    """Von Neumann 1953: who hides where a find costs a is found at places in proportion to 1 / a."""
    costs = {"a": 1, "b": 2, "c": 3, "d": 6}
    game, _ = table(2, list(costs), lambda x, y: (costs[x], -costs[x]) if x == y else (0, 0))
    answer = gdl.solve(game)
    value = 1 / sum(F(1, cost) for cost in costs.values())
    assert answer.value == (value, -value)
    for player in ("P1", "P2"):
        assert mixture(answer.equilibria[0], player) == {place: value / cost for place, cost in costs.items()}


def test_five_hands() -> None:
    """Rock, paper, scissors, lizard, Spock: each beats two, and all are equally likely."""
    game, _ = table(2, range(5), lambda x, y: [(0, 0), (1, -1), (-1, 1), (1, -1), (-1, 1)][(x - y) % 5])
    answer = gdl.solve(game, concept="nash")
    assert len(answer.equilibria) == 1 and answer.complete
    assert mixture(answer.equilibria[0], "P1") == {str(k): F(1, 5) for k in range(5)}


def test_three_finger_morra() -> None:
    """Fair, as the game is the same for both; no reply gains against what gdl plays."""
    hands = [f"{shown}{called}" for shown in (1, 2, 3) for called in (1, 2, 3)]

    def pays(x: str, y: str) -> tuple[int, int]:
        total, right = int(x[0]) + int(y[0]), (x[1] == y[0], y[1] == x[0])
        won = total if right == (True, False) else -total if right == (False, True) else 0
        return won, -won

    game, cells = table(2, hands, pays)
    answer = gdl.solve(game)
    mix = mixture(answer.equilibria[0], "P1")
    assert answer.value == (0, 0)
    assert all(sum(share * cells[x, y][0] for x, share in mix.items()) >= 0 for y in hands)


def test_odd_or_even() -> None:
    """Ferguson, Game theory, part II, 1.2: the sum is won by who bets on odd, with 7/12 one: worth 1/12."""

    def pays(x: int, y: int) -> tuple[int, int]:
        won = (x + y) * (1 if (x + y) % 2 else -1)
        return won, -won

    game, cells = table(2, [1, 2], pays)
    answer = gdl.solve(game)
    mix = mixture(answer.equilibria[0], "P1")
    assert mix == {"1": F(7, 12), "2": F(5, 12)} and answer.value == (F(1, 12), -F(1, 12))
    assert {sum(share * cells[x, y][0] for x, share in mix.items()) for y in ("1", "2")} == {F(1, 12)}


def test_mendelsohns_game() -> None:
    """Mendelsohn 1946: one above the other's number wins 1, more than one above loses 2: 1, 2 and 3 as 1 to 2 to 1."""

    def pays(x: int, y: int) -> tuple[int, int]:
        won = {0: 0, 1: 1, -1: -1}.get(x - y, -2 if x > y else 2)
        return won, -won

    game, cells = table(2, range(1, 8), pays)
    answer = gdl.solve(game)
    mix = mixture(answer.equilibria[0], "P1")
    assert mix == {"1": F(1, 4), "2": F(1, 2), "3": F(1, 4)} and answer.value == (0, 0)
    assert all(sum(share * cells[x, str(y)][0] for x, share in mix.items()) >= 0 for y in range(1, 8))


def test_the_bismarck_sea() -> None:
    """Haywood 1954: days of bombing, both sides go north."""
    game, _ = table(2, ["north", "south"], lambda x, y: ((d := {"nn": 2, "ns": 2, "sn": 1, "ss": 3}[x[0] + y[0]]), -d))
    assert gdl.solve(game).value == (2, -2) and pure_equilibria(game) == {("north", "north")}


def test_the_travelers_dilemma() -> None:
    """Basu 1994: both claim the least."""
    claims = range(2, 11)
    game, cells = table(
        2, claims, lambda x, y: (min(x, y) + 2 * ((x < y) - (x > y)), min(x, y) + 2 * ((y < x) - (y > x)))
    )
    assert pure_equilibria(game) == stable(cells, claims) == {("2", "2")}
    assert len(gdl.solve(game, concept="nash").equilibria) == 1


def test_the_weakest_link() -> None:
    """Van Huyck, Battalio and Beil 1990: any common effort is an equilibrium, and nothing else pure."""
    efforts = range(1, 4)
    game, cells = table(3, efforts, lambda *all_: tuple(2 * min(all_) - own for own in all_))
    assert pure_equilibria(game) == stable(cells, efforts) == {(str(e),) * 3 for e in efforts}


def test_a_contest_for_rent() -> None:
    """Tullock 1980: with a prize of 16 both spend a quarter of it."""
    spent = range(9)

    def pays(x: int, y: int) -> tuple[F, F]:
        share = F(x, x + y) if x + y else F(1, 2)
        return 16 * share - x, 16 * (1 - share) - y

    game, cells = table(2, spent, pays)
    assert ("4", "4") in pure_equilibria(game) == stable(cells, spent)


def test_braess_and_a_road_that_makes_all_slower() -> None:
    """Braess 1968 with four drivers: 4.5 each on two ways, 6 with a free road between them (five hundredths apart)."""

    def costs(ways: Sequence[str]) -> Pays:
        def pays(*chosen: str) -> tuple[int, ...]:
            first, last = (
                sum(way in ("up", "across") for way in chosen),
                sum(way in ("down", "across") for way in chosen),
            )
            cost = {"up": 10 * first + 45, "down": 10 * last + 45, "across": 10 * first + 10 * last}
            return tuple(-cost[way] for way in chosen)

        return pays

    for ways, each in ((["up", "down"], -65), (["up", "down", "across"], -80)):
        game, cells = table(4, ways, costs(ways))
        found = pure_equilibria(game)
        assert found == stable(cells, ways)
        assert each in {paid for cell in found for paid in cells[cell]}
    assert cells["across", "across", "across", "across"] == (-80,) * 4 and ("across",) * 4 in found


def test_a_second_price_auction() -> None:
    """Vickrey 1961: one's own worth is among the equilibria, and never pays less than another bid."""
    worth, bids = (3, 5), range(7)

    def pays(x: int, y: int) -> tuple[F, F]:
        if x == y:
            return F(worth[0] - x, 2), F(worth[1] - x, 2)
        return (F(worth[0] - y), F(0)) if x > y else (F(0), F(worth[1] - x))

    game, cells = table(2, bids, pays)
    assert ("3", "5") in pure_equilibria(game) == stable(cells, bids)
    assert all(cells["3", str(y)][0] >= cells[str(x), str(y)][0] for x in bids for y in bids)


def test_entry_to_a_market() -> None:
    """Selten and Güth 1982: as many enter as it holds, or one fewer; all alike enter with (c - 1) / (n - 1)."""
    count, room = 5, 3
    game, cells = table(count, [0, 1], lambda *all_: tuple(1 + 2 * own * (room - sum(all_)) for own in all_))
    assert pure_equilibria(game) == stable(cells, [0, 1])
    assert len(stable(cells, [0, 1])) == comb(count, room) + comb(count, room - 1)


def test_three_firms_of_cournot() -> None:
    """Cournot 1838: each of n firms sells a (n + 1)th of what a price of its costs would sell."""
    game, cells = table(3, range(9), lambda *all_: tuple(own * (16 - sum(all_)) for own in all_))
    assert ("4", "4", "4") in pure_equilibria(game) == stable(cells, range(9))


# -- one player and chance --------------------------------------------------------------------------------------------


def test_rolling_a_die_up_to_three_times() -> None:
    """Each roll is kept if it is above what the rest is worth: 14/3."""
    text = """
game "Up to three rolls" (rolls = 3)
players Ann
state
    rolled: 0..rolls
    face: 1..6
    kept: Boolean
start roll
chance roll(f: 1..6)
    rolled := rolled + 1
    face := f
    next Ann
action keep
    kept := true
action again when rolled < rolls
    next roll
terminal
    kept -> face
"""
    worth = F(0)
    for _ in range(3):
        worth = sum((max(F(face), worth) for face in range(1, 7)), F(0)) / 6
    assert solved(text).value == (worth,) == (F(14, 3),)


def test_the_secretary_problem() -> None:
    """Cayley 1875, Lindley 1961: of five, pass by two and take the next best one: 13/30."""
    text = """
game "The best of n" (n = 5)
players Ann
state
    seen: 0..n
    best: Boolean
    over: Boolean
start come
chance come(b: Boolean) weight if b then 1 else seen
    seen := seen + 1
    best := b
    next Ann
action take
    over := true
action pass_by when seen < n
    next come
terminal
    over -> if best then seen / n else 0
"""

    @cache
    def worth(seen: int) -> F:
        """With so many passed by."""
        if seen == 5:
            return F(0)
        now = seen + 1
        return F(1, now) * max(F(now, 5), worth(now)) + F(seen, now) * worth(now)

    assert solved(text).value == (worth(0),) == (F(13, 30),)


def test_saying_when_the_next_card_is_red() -> None:
    """However long one waits, it is red half the time (Connelly's game)."""
    text = """
game "The next one is red" (half = 4)
players Ann
state
    red: 0..half = half
    black: 0..half = half
    said: Boolean
    last: Boolean
    up: Boolean
start Ann
action say
    said := true
    next turn_up
action wait when red + black > 1
    next turn_up
chance turn_up(r: Boolean) weight if r then red else black
    if r
        red := red - 1
    else
        black := black - 1
    last := r
    up := said
    if not said
        next Ann
terminal
    up -> if last then 1 else 0
"""
    assert solved(text).value == (F(1, 2),)


# -- two players in turn ----------------------------------------------------------------------------------------------


def test_efrons_dice() -> None:
    """Gardner 1970: whoever chooses second wins with 2/3."""
    dice = ((0, 0, 4, 4, 4, 4), (3, 3, 3, 3, 3, 3), (2, 2, 2, 2, 6, 6), (1, 1, 1, 5, 5, 5))
    wins = [[F(sum(x > y for x in one for y in other), 36) for other in dice] for one in dice]
    best = min(max(wins[k][own] for k in range(4) if k != own) for own in range(4))
    children = {
        f"die {own}": {f"die {k}": (1 - wins[k][own], wins[k][own]) for k in range(4) if k != own} for own in range(4)
    }
    text = 'game "Efron\'s dice"\nplayers A, B\ntree\n    A\n'
    for first, after in children.items():
        text += f'        "{first}": B\n'
        for second, (a, b) in after.items():
            text += f'            "{second}": ({a}, {b})\n'
    assert solved(text).value == (1 - best, best) == (F(1, 3), F(2, 3))


def fibonacci_losses(most: int) -> set[int]:
    @cache
    def wins(left: int, limit: int) -> bool:
        return any(k == left or not wins(left - k, 2 * k) for k in range(1, min(left, limit) + 1))

    return {heap for heap in range(2, most) if not wins(heap, heap - 1)}


FIBONACCI = """
game "Fibonacci nim" (heap = 8)
players First, Second
state
    left: 0..heap = heap
    most: 0..2 * heap = heap - 1
start First
action take(k: 1..heap) when k <= left and k <= most
    left := left - k
    most := 2 * k
terminal
    left = 0 -> win other(mover)
"""


@pytest.mark.parametrize("heap", range(2, 15))
def test_fibonacci_nim(heap: int) -> None:
    """Whinihan 1963: whoever begins loses exactly at Fibonacci numbers."""
    answer = solved(FIBONACCI, heap=str(heap))
    loses = answer.value[0] < 0
    assert loses == (heap in {2, 3, 5, 8, 13}) == (heap in fibonacci_losses(15))


EUCLID = """
game "Euclid" (a = 7, b = 4)
players First, Second
state
    x: 0..a = a
    y: 0..a = b
start First
action subtract(k: 1..a) when k * y <= x or k * x <= y
    if y > 0 and x >= y
        x := x - k * y
    else
        y := y - k * x
terminal
    x = 0 or y = 0 -> win other(mover)
"""


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in range(2, 9) for b in range(1, a)])
def test_euclid(a: int, b: int) -> None:
    """Cole and Davie 1969: whoever begins wins exactly if the ratio is above the golden one."""
    answer = solved(EUCLID, a=str(a), b=str(b))
    assert (answer.value[0] > 0) == (2 * a > b * (1 + 5**0.5))


# -- something is hidden ----------------------------------------------------------------------------------------------

ONE_SIDED = """
game "Who knows the table" (p: 1..2 = 1)
players Knows, Guesses
state
    first: Boolean visible to none
    known[Player]: Boolean visible to owner
    top: Boolean visible to none
    over: Boolean
    left: Boolean
start draw_table
chance draw_table(t: Boolean) weight if t then p else 3 - p
    first := t
    known[Knows] := t
    next Knows
action row(t: Boolean) when mover = Knows unseen
    top := t
action column(l: Boolean) when mover = Guesses
    left := l
    over := true
terminal
    over and first and top and left -> win Knows
    over and not first and not top and not left -> win Knows
    over -> draw
"""


@pytest.mark.parametrize("weight", [1, 2])
def test_one_who_knows_the_table(weight: int) -> None:
    """Aumann and Maschler 1966, played once: with chance p of the first table it is worth min(p, 1 - p) to the one who
    knows which it is."""
    chance = F(weight, 3)
    assert solved(ONE_SIDED, p=str(weight)).value[0] == min(chance, 1 - chance)
