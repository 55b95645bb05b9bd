"""Values that books and papers give for families of games, size by size.

Sources: Irving, Donkers and Uiterwijk (2000) for kalah; Winning Ways and Breuker, Uiterwijk and van den Herik (2000)
for domineering, kayles, toads and frogs and the subtraction game; Wythoff (1907); Kuhn (1950) for the family of
equilibria of his poker; Neller and Presser (2004) for a turn of pig.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from notation import play

from gdl.compiler.searches.perft import perft as compiled_perft
from gdl.game import Chance, Decision, Game, Terminal
from gdl.interpreter.position import begin_after
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import regret
from gdl.states import count
from gdl.states.explore import explore

slow = pytest.mark.slow


def value(game: Game[Any], solver: str = "auto") -> Any:
    """The first player's."""
    found = solve(game, solver)
    assert found.exact and found.value is not None
    return found.value[0]


KALAH = {  # houses -> the outcomes with 1, 2, 3 … seeds: won, lost or drawn by who begins
    1: "DLWLWD",
    2: "WLLL",
    3: "DW",
    4: "WW",
}
KALAH_ROWS = [
    pytest.param(houses, seeds, outcome, marks=slow if houses * seeds > 6 else ())
    for houses, outcomes in KALAH.items()
    for seeds, outcome in enumerate(outcomes, start=1)
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("houses", "seeds", "outcome"), KALAH_ROWS)
def test_kalah(houses: int, seeds: int, outcome: str):
    margin = value(play("kalah", houses=houses, seeds=seeds), "alpha-beta")
    assert ("W" if margin > 0 else "L" if margin < 0 else "D") == outcome


DOMINEERING = {  # rows and columns: V and H where the same player wins whoever begins, 1 where who begins does
    (1, 1): "2", (1, 2): "H", (2, 1): "V", (2, 2): "1", (2, 3): "1", (3, 2): "1", (3, 3): "1", (2, 4): "H",
    (4, 2): "V", (2, 5): "V", (5, 2): "H", (2, 6): "1", (6, 2): "1", (3, 4): "H", (4, 3): "V", (4, 4): "1",
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("rows", "columns"), DOMINEERING)
def test_domineering(rows: int, columns: int):
    """If Vertical begins: with sides exchanged, a board tells who wins if Horizontal does."""
    won = {"V": 1, "1": 1, "H": -1, "2": -1}[DOMINEERING[rows, columns]]
    assert value(play("domineering", rows=rows, columns=columns)) == won


KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]  # Grundy values of rows of 0, 1, 2 … pins


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("left", "right"), [(a, b) for a in range(6) for b in range(a, 6)])
def test_kayles(left: int, right: int):
    """Two rows are lost just if they have equal values; the first pin to fall leaves two rows."""
    game = begin_after(play("kayles", row=left + 1 + right), f"knock({left + 1})")
    assert value(game) == (1 if KAYLES[left] == KAYLES[right] else -1)  # the second player is to move


def test_subtraction():
    """The multiples of four are lost; else who begins takes the remainder."""
    for heap in range(13):
        found = solve(play("subtraction", heap=heap))
        assert found.value == ((1, -1) if heap % 4 else (-1, 1))
        assert found.best == ((f"take({heap % 4})",) if heap % 4 else tuple(f"take({k})" for k in (1, 2, 3) if heap))


@pytest.mark.parametrize(("a", "b"), [(4, 6), pytest.param(6, 8, marks=pytest.mark.slow)])
def test_wythoff(a: int, b: int):
    lost = {(0, 0), (1, 2), (3, 5), (4, 7)}
    for one, other in product(range(a), range(b)):
        won = -1 if (min(one, other), max(one, other)) in lost else 1
        assert value(play("wythoff", a=one, b=other)) == won, (one, other)


@pytest.mark.thorough_of("3,4,5-True-True")
@pytest.mark.parametrize(
    ("heaps", "wins", "wins_misere"),
    [
        ("1,2,3", False, False),
        ("3,4,5", True, True),
        ("1,3,5,7", False, False),
        ("1,1,1", True, False),
        ("7", True, True),
    ],
)
def test_nim(heaps: str, wins: bool, wins_misere: bool):
    assert value(play("nim", heaps=heaps)) == (1 if wins else -1)
    assert value(play("nim", "misere", heaps=heaps)) == (1 if wins_misere else -1)


def test_counts_of_nim():
    found = count.states(play("nim"))
    assert (found.states, found.edges) == (752, 5920)
    found = count.states(play("nim", heaps="2,3,4"))
    assert (found.states, found.edges) == (112, 480)
    assert count.histories(play("nim", heaps="2,3,4")).terminal == 8523


@pytest.mark.parametrize(
    ("rows", "columns", "best", "positions"),
    [(2, 2, ("eat(b2)",), 5), (3, 4, ("eat(c2)",), 34), (2, 4, ("eat(d2)",), 14), (3, 3, ("eat(b2)",), 19)],
)
def test_chomp(rows: int, columns: int, best: tuple[str, ...], positions: int):
    """The first bites that win, and how many shapes the bar can have while its poison is left."""
    game = play("chomp", rows=rows, columns=columns)
    assert solve(game).best == best
    shapes = {state.cells[-1] for state in explore(game).states if not isinstance(game.node(state), Terminal)}
    assert len(shapes) == positions


@pytest.mark.parametrize(("toads", "frogs"), [(1, 1), (2, 1), (2, 2), (3, 3)])
def test_toads_and_frogs(toads: int, frogs: int):
    """Who begins wins, whoever it is."""
    assert value(play("toads_and_frogs", toads=toads, frogs=frogs)) == 1
    assert value(play("toads_and_frogs", "frogs_first", toads=toads, frogs=frogs)) == -1


@pytest.mark.parametrize("a", [Fraction(0), Fraction(1, 6), Fraction(1, 3)])
def test_equilibria_of_kuhn_poker(a: Fraction):
    """One number says how boldly the first player bluffs; the second has but one good strategy."""
    third = Fraction(1, 3)
    bets = {"card[P1]=1": a, "card[P1]=2": Fraction(0), "card[P1]=3": 3 * a}
    calls = {"card[P1]=1": Fraction(0), "card[P1]=2": a + third, "card[P1]=3": Fraction(1)}
    second_bets = {"card[P2]=1": third, "card[P2]=2": Fraction(0), "card[P2]=3": Fraction(1)}
    second_calls = {"card[P2]=1": Fraction(0), "card[P2]=2": third, "card[P2]=3": Fraction(1)}
    game = play("kuhn")
    profile: dict[str, dict[str, dict[str, Fraction]]] = {"P1": {}, "P2": {}}
    for state in explore(game).states:
        node = game.node(state)
        if isinstance(node, Decision):
            name = game.describe(state, node.player)
            card = name.split(",")[0]
            table = [[bets, calls], [second_bets, second_calls]][node.player]["call" in node.actions]
            yes, no = ("call", "fold") if "call" in node.actions else ("bet", "check")
            profile[game.players[node.player]][name] = {yes: table[card], no: 1 - table[card]}
    found = regret(game, profile)
    assert found.value == (Fraction(-1, 18), Fraction(1, 18))
    assert found.regret == (0, 0)


# ---- Dice and cards -----------------------------------------------------------------------------------------------


def chances(game: Game[Any], state: Any, policy: Any) -> dict[Any, Fraction]:
    """Where play ends from here, and how likely: `policy` chooses an action of each decision, or None to stop there."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return {state: Fraction(1)}
    if isinstance(node, Chance):
        found: dict[Any, Fraction] = {}
        for outcome, probability in node.outcomes:
            for end, share in chances(game, game.successor(state, outcome), policy).items():
                found[end] = found.get(end, Fraction(0)) + probability * share
        return found
    action = policy(state, node)
    return {state: Fraction(1)} if action is None else chances(game, game.successor(state, action), policy)


@pytest.mark.thorough
def test_a_turn_of_pig_that_holds_at_twenty():
    """Such a turn brings 8.14 on average, and nothing in five turns of eight."""
    game = play("pig")

    def policy(state: Any, node: Decision) -> str | None:
        if node.player == 1:
            return None
        return "hold" if int(game.show(state).split("sum = ")[1]) >= 20 else "roll"

    ends = chances(game, game.initial(), policy)
    points = {state: int(game.show(state).split("Ann: ")[1].split(",")[0]) for state in ends}
    assert sum(share for state, share in ends.items() if points[state] == 0) == Fraction(9440899, 15116544)
    mean = sum(share * points[state] for state, share in ends.items())
    assert float(mean) == pytest.approx(8.1417948937, abs=1e-9)


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (6, {"bust": 0.4231504921, "17": 0.1654381765, "18": 0.1062665789, "19": 0.1062665789, "20": 0.1017149175,
             "21": 0.0971632562}),
        (10, {"natural": 0.0769230769, "bust": 0.2121090766, "17": 0.1114243385, "18": 0.1114243385,
              "19": 0.1114243385, "20": 0.3421935693, "21": 0.0345012616}),
    ],
)  # fmt: skip
def test_the_dealer_of_twenty_one(card: int, expected: dict[str, float]):
    """Where the dealer ends, by the card that all see."""
    game = begin_after(play("twenty_one"), f"10 7 {card} stand")
    found: dict[str, Fraction] = {}
    for state, share in chances(game, game.initial(), None).items():
        shown = game.show(state)
        points = int(shown.split("dealers: ")[1].split("\n")[0])
        ace, cards = "dealers: true" in shown, int(shown.split("cards: ")[1].split("dealers: ")[1].split("\n")[0])
        points += 10 if ace and points <= 11 else 0
        end = "bust" if points > 21 else "natural" if points == 21 and cards == 2 else str(points)
        found[end] = found.get(end, Fraction(0)) + share
    assert {end: round(float(share), 10) for end, share in found.items()} == pytest.approx(expected, abs=2e-10)


@pytest.mark.parametrize(
    ("name", "settings", "sequences"),
    [
        ("nim", {"heaps": "0"}, 0),
        ("nim", {"heaps": "1,1"}, 2),
        ("subtraction", {"heap": 0}, 0),
        ("subtraction", {"heap": 3, "moves": "2,5"}, 0),
        ("wythoff", {"a": 0, "b": 2}, 1),
        ("wythoff", {"a": 1, "b": 1}, 2),
        ("kayles", {"row": 1}, 0),
        ("goofspiel", {"n": 2, "prizes": "descending"}, 4),
    ],
)
def test_smallest_sizes(name: str, settings: dict[str, object], sequences: int):
    """Where a size leaves nothing to do there is nothing to complain about, and both engines agree."""
    game = play(name, **settings)
    assert count.perft(game, 2) == compiled_perft(game, game.initial(), 2, "python") == sequences
