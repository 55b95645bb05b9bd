"""Small boards solved from end to end, against what others have counted: positions by ply, edges, ends, sequences of
moves, values of every first move, and worths of random play.

Sources: OpenSpiel for hex, breakthrough and connect four with other runs; John Tromp for connect four; tables of the
m,n,k games for tic-tac-toe.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import pytest
from notation import play

from gdl.game import Terminal
from gdl.states.explore import moves

slow = pytest.mark.slow


@dataclass
class Solved:
    """A game of two players in which every move is one ply, walked ply by ply and solved on the way back."""

    plies: list[int] = field(default_factory=list)  # positions
    sequences: list[int] = field(default_factory=list)  # of moves, from the start
    edges: int = 0
    ends: dict[int, int] = field(
        default_factory=lambda: {1: 0, -1: 0, 0: 0}
    )  # positions, by the first player's utility
    games: dict[int, int] = field(default_factory=lambda: {1: 0, -1: 0, 0: 0})  # complete ones
    first: list[int] = field(default_factory=list)  # the value of each first move
    value: int = 0
    random: Fraction = Fraction(0)  # worth of the game if both play at random


@cache
def solved(written: str, variant: str | None = None) -> Solved:
    name, *settings = written.split()
    game = play(name, variant, **dict(s.split("=") for s in settings))
    found = Solved()
    levels = [{game.initial(): 1}]  # position -> ways to it
    after: dict[object, list[object]] = {}
    ends: set[object] = set()
    while levels[-1]:
        found.plies.append(len(levels[-1]))
        found.sequences.append(sum(levels[-1].values()))
        following: dict[object, int] = {}
        for state, ways in levels[-1].items():
            node = game.node(state)
            if isinstance(node, Terminal):
                utility = int(node.utilities[0])
                found.ends[utility] += state not in ends
                found.games[utility] += ways
                ends.add(state)
                continue
            if state not in after:  # or it has been met after fewer moves
                after[state] = [game.successor(state, move) for move in moves(node)]
                found.edges += len(after[state])
            for successor in after[state]:
                following[successor] = following.get(successor, 0) + ways
        levels.append(following)
    values: dict[object, int] = {}
    worths: dict[object, Fraction] = {}
    for level in reversed(levels):
        for state in level:
            node = game.node(state)
            if isinstance(node, Terminal):
                values[state], worths[state] = int(node.utilities[0]), Fraction(node.utilities[0])
            else:
                best = max if node.player == 0 else min
                values[state] = best(values[s] for s in after[state])
                worths[state] = sum((worths[s] for s in after[state]), Fraction(0)) / len(after[state])
    start = game.initial()
    found.first = [values[s] for s in after[start]]
    found.value, found.random = values[start], worths[start]
    return found


BOARDS = [  # game, positions by ply, edges, ends won by the first, by the second, drawn; values of the first moves
    ("hex n=2", [1, 4, 12, 12, 3], 46, (6, 3, 0), [-1, 1, 1, -1]),
    ("hex n=3", [1, 9, 72, 252, 756, 1260, 1520, 1140, 420, 84], 16167, (624, 370, 0),
     [-1, -1, 1, 1, 1, 1, 1, -1, -1]),
    ("breakthrough rows=4 columns=2", [1, 4, 16, 20, 31, 58, 58, 47, 16, 6], 368, (61, 40, 0), [-1, -1, -1, -1]),
    ("breakthrough rows=4 columns=3", [1, 7, 49, 126, 357, 896, 1647, 2282, 2001, 1940, 1201, 678, 220, 80], 22443,
     (3047, 2279, 0), [1, 1, -1, -1, -1, 1, 1]),
    ("connect_four columns=3 rows=3 run=3", [1, 3, 9, 24, 57, 108, 150, 176, 114, 52], 966, (118, 55, 16), [0, 0, 0]),
    ("connect_four columns=4 rows=3 run=3", [1, 4, 16, 52, 156, 376, 718, 1232, 1440, 1598, 952, 518, 94], 11818,
     (1572, 926, 28), [1, 1, 1, 1]),
    ("connect_four columns=3 rows=3", [1, 3, 9, 24, 57, 108, 169, 198, 186, 114], None, (0, 0, 114), [0, 0, 0]),
    ("connect_four columns=4 rows=4", [1, 4, 16, 52, 160, 436, 1128, 2512, 5084, 9276, 14788, 21720, 26698, 28922,
     24912, 18076, 7244], None, (13006, 8398, 5336), [0, 0, 0, 0]),
    ("tic_tac_toe", [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78], None, None, [0] * 9),
    ("tic_tac_toe columns=2 rows=2 run=2", [1, 4, 12, 12], None, None, [1, 1, 1, 1]),
    ("tic_tac_toe columns=4 rows=3", None, None, None, [1, 1, 1, 1, -1, 1, 1, -1, 1, 1, 1, 1]),
]  # fmt: skip
SEQUENCES = {
    "hex n=2": (4, 12, 24, 12),
    "hex n=3": (9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960),
    "breakthrough rows=4 columns=2": (4, 16, 40, 84, 216, 396, 508, 368, 128),
    "breakthrough rows=4 columns=3": (7, 49, 256, 1230, 5940, 23938, 84444, 228252, 549138, 1049540, 1552018, 1109428,
                                      556672),
    "connect_four columns=3 rows=3 run=3": (3, 9, 27, 78, 210, 456, 890, 982, 622),
    "connect_four columns=4 rows=3 run=3": (4, 16, 64, 252, 960, 3096, 9924, 24636, 55036, 75648, 76652, 30878),
    "connect_four columns=3 rows=3": (3, 9, 27, 78, 210, 510, 1050, 1680, 1680),
    "connect_four columns=4 rows=4": (4, 16, 64, 256, 1020, 4020, 15540, 57504, 206904, 690504, 2160504, 5992096,
                                      14712024, 28850920, 42756080, 35613284),
    "tic_tac_toe": (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872),
}  # fmt: skip
LARGE = {"connect_four columns=4 rows=4", "tic_tac_toe columns=4 rows=3", "breakthrough rows=4 columns=3"}
ROWS = [pytest.param(*row, id=row[0], marks=slow if row[0] in LARGE else ()) for row in BOARDS]


@pytest.mark.one_in(7)
@pytest.mark.parametrize(("written", "plies", "edges", "ends", "first"), ROWS)
def test_solved(written: str, plies: list[int], edges: int, ends: tuple[int, ...], first: list[int]):
    found = solved(written)
    assert plies is None or found.plies == plies
    assert edges is None or found.edges == edges
    assert ends is None or tuple(found.ends.values()) == ends
    assert found.first == first
    assert found.value == max(first)
    assert written not in SEQUENCES or tuple(found.sequences[1:]) == SEQUENCES[written]
    assert written != "tic_tac_toe columns=4 rows=3" or sum(found.plies) == 111_973


@pytest.mark.thorough
def test_games_of_tic_tac_toe():
    """Complete games by their winner, and how often whoever begins wins at random."""
    found = solved("tic_tac_toe")
    assert found.games == {1: 131_184, -1: 77_904, 0: 46_080}
    assert found.random == Fraction(737, 1260) - Fraction(121, 420)


def test_first_moves_of_misere_tic_tac_toe():
    assert solved("tic_tac_toe", "misere").first == [-1, -1, -1, -1, 0, -1, -1, -1, -1]


@slow
def test_games_of_connect_four_on_four_by_four():
    found = solved("connect_four columns=4 rows=4")
    assert found.games == {1: 8_768_620, -1: 8_543_744, 0: 30_670_176}
    assert found.random == Fraction(17385627083, 61917364224) - Fraction(116852065099, 495338913792)


@slow
def test_first_plies_of_connect_four():
    game = play("connect_four")
    level, counts = {game.initial()}, [1]
    for _ in range(6):
        level = {game.successor(state, move) for state in level for move in moves(game.node(state))}
        counts.append(len(level))
    assert counts == [1, 7, 49, 238, 1120, 4263, 16422]


def mark(cell: str) -> str:
    """`take(b3)` for `x(0,1)`: rows from the top."""
    row, column = int(cell[2]), int(cell[4])
    return f"take({'abc'[column]}{3 - row})"


@pytest.mark.parametrize(
    ("played", "good"),
    [
        ("x(0,0) o(1,1) x(0,1)", "o(0,2)"),
        ("x(0,0)", "o(1,1)"),
        ("x(0,0) o(1,1) x(2,2)", "o(0,1) o(1,0) o(1,2) o(2,1)"),
        ("x(1,1) o(0,1)", "x(0,0) x(0,2) x(1,0) x(1,2) x(2,0) x(2,2)"),
    ],
)
def test_only_good_moves_of_tic_tac_toe(played: str, good: str):
    from gdl.interpreter.position import begin_after
    from gdl.solvers import solve

    found = solve(begin_after(play("tic_tac_toe"), " ".join(map(mark, played.split()))))
    assert set(found.best) == set(map(mark, good.split()))


@pytest.mark.parametrize(
    ("played", "values"),
    [  # the columns played, and for whoever is to move the sign of each next column's score
        ("2252576253462244111563365343671351441", {6: -1, 7: -1}),
        ("7422341735647741166133573473242566", {1: -1, 2: 1, 5: -1, 6: 1}),
        ("23163416124767223154467471272416755633", {3: 0, 5: -1}),
        ("71255763773133525731261364622167124446454", {5: 0}),
        ("65214673556155731566316327373221417", {2: -1, 4: -1, 7: -1}),
    ],
)
def test_ends_of_connect_four(played: str, values: dict[int, int]):
    """Positions of Pascal Pons' test sets."""
    from gdl.interpreter.position import begin_after
    from gdl.solvers import solve

    game = begin_after(play("connect_four"), " ".join(f"drop({column})" for column in played))
    found = solve(game)
    node = game.node(game.initial())
    best = max(values.values())
    assert found.value[node.player] == best
    assert set(node.actions) == {f"drop({column})" for column in values}
    assert set(found.best) == {f"drop({column})" for column, value in values.items() if value == best}
