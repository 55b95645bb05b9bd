"""--concept grundy, held to published nimbers and to the definition: plain recursion over the rules written here."""

from __future__ import annotations

import json
import random
from functools import cache
from math import comb
from typing import Any

import pytest
from click.testing import CliRunner
from verification import verify

import gdl
from gdl.commands.cli import commands
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.game import Terminal
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.wings.theory.nimbers.grundy import mex

KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]  # of rows of 0 to 12 pins
GRUNDYS_GAME = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1]  # of heaps of 0 to 15

Edges = tuple[tuple[int, int], ...]


def told(name: str, **settings: object) -> Any:
    found = solve(gdl.load(name, settings={key: str(value) for key, value in settings.items()}), concept="grundy")
    assert found.combinatorial is not None
    return found.combinatorial


@pytest.mark.parametrize("heaps", [(1, 2, 3), (3, 4, 5), (1, 3, 5, 7), (6,), (2, 2), (0, 0)])
def test_nim_is_the_sum_without_carrying(heaps: tuple[int, ...]):
    total = 0
    for heap in heaps:
        total ^= heap
    found = told("nim", heaps=list(heaps))
    assert found.grundy == total and found.outcome == ("N" if total else "P")


@pytest.mark.thorough
def test_kayles_as_published():
    assert [told("kayles", row=n).grundy for n in range(1, 10)] == KAYLES[1:10]


def test_subtraction_games():
    assert [told("subtraction", heap=n).grundy for n in range(12)] == [n % 4 for n in range(12)]
    known = grundy_of_subtraction((2, 5, 6))
    assert [told("subtraction", heap=n, moves="[2, 5, 6]").grundy for n in range(14)] == [known(n) for n in range(14)]


def grundy_of_subtraction(moves: tuple[int, ...]) -> Any:
    @cache
    def value(heap: int) -> int:
        return mex(value(heap - n) for n in moves if n <= heap)

    return value


def test_wythoff_by_the_definition():
    @cache
    def value(a: int, b: int) -> int:
        after = [value(a - n, b) for n in range(1, a + 1)] + [value(a, b - n) for n in range(1, b + 1)]
        return mex(after + [value(a - n, b - n) for n in range(1, min(a, b) + 1)])

    for a, b in [(1, 2), (3, 5), (4, 4), (2, 7), (5, 6)]:
        assert told("wythoff", a=a, b=b).grundy == value(a, b)


def test_hackenbush_by_cutting_and_by_fusion():
    @cache
    def value(edges: Edges) -> int:
        return mex(value(hanging(edges[:k] + edges[k + 1 :])) for k in range(len(edges)))

    def hanging(edges: Edges) -> Edges:
        """The edges that hold together with point 0."""
        held = {0}
        for _ in edges:
            held |= {p for edge in edges if held & set(edge) for p in edge}
        return tuple(edge for edge in edges if set(edge) <= held)

    pictures: list[tuple[Edges, int | None]] = [
        (((0, 1), (1, 2), (2, 3)), 3),  # a stalk
        (((0, 1), (1, 2), (2, 0)), 1),  # a loop of three is fused into three stalks of one
        (((0, 1), (1, 2), (1, 3), (1, 4)), 2),  # three stalks of one, on a stalk (the colon principle)
        (((0, 1), (1, 2), (2, 0), (2, 3), (0, 3)), None),
        (((0, 1), (0, 2), (1, 3), (2, 3), (3, 4)), None),
    ]
    for edges, known in pictures:
        found = told("hackenbush", edges=[list(edge) for edge in edges]).grundy
        assert found == value(edges) and known in (None, found)


@pytest.mark.parametrize(
    ("rows", "columns", "outcome"),
    [(1, 2, "R"), (2, 1, "L"), (2, 2, "N"), (2, 3, "N"), (3, 3, "N"), (1, 1, "P")],
)
def test_domineering_has_outcomes_alone(rows: int, columns: int, outcome: str):
    found = told("domineering", rows=rows, columns=columns)
    assert found.outcome == outcome and (found.grundy is None or outcome == "P")


@pytest.mark.parametrize(("toads", "frogs"), [(1, 1), (2, 1), (2, 2), (3, 3)])
def test_toads_and_frogs_whoever_begins(toads: int, frogs: int):
    settings = {"toads": str(toads), "frogs": str(frogs)}
    winners = []
    for variant in (None, "frogs_first"):
        value = solve(gdl.load("toads_and_frogs", variant=variant, settings=settings)).value
        assert value is not None
        winners.append(value[0] > 0)
    outcome = {(True, True): "L", (False, False): "R", (True, False): "N", (False, True): "P"}[tuple(winners)]  # type: ignore[index]
    assert told("toads_and_frogs", **settings).outcome == outcome


def test_misere_play_has_outcomes_alone():
    found = solve(gdl.load("nim", variant="misere", settings={"heaps": "1,1,1"}), concept="grundy")
    assert found.combinatorial is not None and found.combinatorial.grundy is None
    assert (found.combinatorial.outcome, found.value) == ("P", (-1, 1))
    assert any("misère" in note for note in found.notes)


def best_replies(game: Any) -> set[str]:
    """The moves after which the other player loses, by plain recursion over the game."""

    def lost(state: Any, mover: int) -> bool:
        node = game.node(state)
        if isinstance(node, Terminal):
            return node.utilities[mover] < 0
        return not any(lost(game.successor(state, action), 1 - mover) for action in node.actions)

    start = game.initial()
    return {action for action in game.node(start).actions if lost(game.successor(start, action), 1)}


@pytest.mark.parametrize("seed", range(8))
def test_the_best_moves_are_those_to_nimber_0(seed: int):
    draw = random.Random(seed)
    heaps = [draw.randrange(4) for _ in range(3)] + [1]
    game = gdl.load("nim", settings={"heaps": str(heaps)})
    found = solve(game, concept="grundy")
    winning = best_replies(game)
    assert found.combinatorial is not None
    zero = {action for action, number in found.combinatorial.nimbers.items() if number == 0}
    assert zero == winning and (not winning or set(found.best) == winning)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tic_tac_toe", "ends otherwise than by somebody who cannot move"),
        ("figure_5_2", "which only rules tell"),
        ("pig", "has chance moves"),
        ("prisoners", "needs one mover at a time"),
        ("three_players", "needs two players"),
        ("dots_and_boxes", "the players do not move in turn"),
        ("pong_hau_ki", "can return to a position"),
    ],
)
def test_games_that_have_no_nimbers(name: str, why: str):
    settings = {"columns": "1", "rows": "1"} if name == "dots_and_boxes" else {}
    with pytest.raises(Refusal, match=why):
        solve(gdl.load(name, settings=settings), concept="grundy")


IDLE = """
players Ann, Bob
type Heap = 1..3
state
    left[Heap]: 0..20 = 20
action take(h: Heap, n: 1..20) when n <= left[h]
    left[h] := left[h] - n
action again(h: Heap) when left[h] = 1
    left[h] := 1
terminal
    no actions -> lose mover
"""


@pytest.mark.thorough
def test_a_move_that_changes_nothing_in_a_part_is_refused():
    with pytest.raises(Refusal, match="can return to a position"):
        solve(gdl.loads(IDLE), concept="grundy")


def test_a_limit_leaves_what_is_proven():
    with pytest.raises(LimitReached) as stop:
        solve(gdl.load("nim"), concept="grundy", nodes=5)
    assert isinstance(stop.value.partial, Solution) and stop.value.partial.interval == ((-1, 1), (-1, 1))


def test_the_verifier_finds_what_is_wrong():
    game = gdl.load("nim", settings={"heaps": "2,3"})
    right = answer.to_object(solve(game, concept="grundy"))
    verdict = verify(game, right)
    assert verdict.ok and all(verdict.status(field) for field in ("outcome", "grundy", "nimbers", "classes", "concept"))
    for field, wrong in [
        ("outcome", "P"),
        ("grundy", 2),
        ("grundy", 10**9),
        ("nimbers", {**right["nimbers"], "take(1, 1)": 3}),
        ("nimbers", {}),
        ("classes", {"N": 11, "P": 1}),
        ("states", 13),
    ]:
        assert verify(game, {**right, field: wrong}).status(field) is False, field


def test_the_command_line_tells_nimbers():
    done = CliRunner().invoke(commands, ["solve", "kayles", "--concept", "grundy", "--json"])
    found = json.loads(done.output)
    assert (found["outcome"], found["grundy"], found["nimbers"]["knock(4)"]) == ("N", 2, 0)
    text = CliRunner().invoke(commands, ["solve", "kayles", "--concept", "grundy"]).output
    assert "outcome   N: who moves next wins" in text and "0 after knock(4), double(2, 3) or double(5, 6)" in text


# -- sums --------------------------------------------------------------------------------------------------------------

CRAM = """
game "Cram" (columns = 3, rows = 3)
players First, Second
board Square = grid(columns, rows)
state
    full: set of Square
action across(s: Square, t: Square) when t = step(s, east) and s not in full and t not in full
    full := full + {s, t}
action upright(s: Square, t: Square) when t = step(s, north) and s not in full and t not in full
    full := full + {s, t}
terminal
    no actions -> lose mover
"""

TIED = """
game "At most three"
players First, Second
type Pin = 1..6
state
    down: set of Pin
action knock(p: Pin) when p not in down and size(down) < 3
    down := down + {p}
terminal
    no actions -> lose mover
"""


def by_parts(monkeypatch: pytest.MonkeyPatch, game: Any) -> Solution:
    """The answer where not even ten positions are looked at together."""
    with monkeypatch.context() as patched:
        patched.setattr("gdl.wings.theory.nimbers.grundy.MOST_TOGETHER", 10)
        return solve(game, "grundy")


@pytest.mark.thorough_of("game4-settings4", "kayles-settings3")
@pytest.mark.parametrize(
    ("game", "settings"),
    [("nim", {}), ("nim", {"heaps": "2,2,3"}), ("kayles", {}), ("kayles", {"row": "9"}), (CRAM, {}), (TIED, {})],
)
def test_parts_have_the_nimbers_of_the_whole(monkeypatch: pytest.MonkeyPatch, game: str, settings: dict[str, str]):
    rules = gdl.loads(game).game if "\n" in game else gdl.load(game, settings=settings)
    whole, parts = solve(rules, "grundy"), by_parts(monkeypatch, rules)
    assert not parts.combinatorial.classes and any("parts were looked at" in note for note in parts.notes)
    assert whole.combinatorial.copy_with(classes={}) == parts.combinatorial
    assert (whole.value, whole.best) == (parts.value, parts.best)
    assert parts.exact and verify(rules, answer.to_object(parts)).ok


@pytest.mark.one_in(3)
@pytest.mark.parametrize("row", [5, 11, 12])
def test_long_rows_of_kayles(monkeypatch: pytest.MonkeyPatch, row: int):
    found = by_parts(monkeypatch, gdl.load("kayles", settings={"row": str(row)}))
    assert found.combinatorial.grundy == KAYLES[row]
    assert found.nodes == row  # the rows of neighbouring pins of each length, wherever they lie


OCTAL = """game "Octal 0.177" (row = 17)
players First, Second
board Pin = track(row)
state
    down: set of Pin
action single(p: Pin) when p not in down and forall q in neighbours(p, directions): q in down
    down := down + {p}
action double(p: Pin, q: Pin) when q = step(p, forward) and p not in down and q not in down
    down := down + {p, q}
action triple(p: Pin, q: Pin, r: Pin) when q = step(p, forward) and r = step(q, forward) and (
    p not in down and q not in down and r not in down)
    down := down + {p, q, r}
terminal
    no actions -> lose mover
"""


def octal_nimbers(most: int, lengths: tuple[int, ...]) -> list[int]:
    """Of rows of 0 to `most` pins where one may go that stands alone, and so many side by side."""
    found = [0]
    for row in range(1, most + 1):
        after = {found[k] ^ found[row - taken - k] for taken in lengths for k in range(row - taken + 1)}
        found.append(mex(after | ({0} if row == 1 else set())))
    return found


TRIPLE = OCTAL[OCTAL.index("action triple") : OCTAL.index("terminal")]


@pytest.mark.thorough_of("60-OCTAL-lengths1", "60-0.17-lengths2")
@pytest.mark.parametrize(
    ("row", "rules", "lengths"),
    [
        pytest.param(9, OCTAL, (2, 3), id="9-OCTAL-lengths0"),
        pytest.param(60, OCTAL, (2, 3), id="60-OCTAL-lengths1"),
        pytest.param(60, OCTAL.replace(TRIPLE, ""), (2,), id="60-0.17-lengths2"),
    ],
)
def test_moves_that_look_at_neighbours_leave_rows_apart(
    monkeypatch: pytest.MonkeyPatch, row: int, rules: str, lengths: tuple[int, ...]
):
    """One pin only if it stands alone, two (or three) side by side: the octal games 0.177 and 0.17. The rows that the
    first moves leave are of every length up to two less."""
    known = octal_nimbers(row, lengths)
    found = by_parts(monkeypatch, gdl.loads(rules, settings={"row": str(row)}))
    assert found.combinatorial.grundy == known[row] and found.nodes <= row
    left = {f"double({k + 1}, {k + 2})": known[k] ^ known[row - 2 - k] for k in range(row - 1)}
    assert {action: found.combinatorial.nimbers[action] for action in left} == left
    assert len(found.best) == sum(not known[row] or not number for number in found.combinatorial.nimbers.values())


@pytest.mark.thorough
def test_heaps_are_told_one_by_one():
    found = solve(gdl.load("nim", settings={"heaps": "9,12,4,15"}), "grundy")
    assert found.combinatorial.grundy == 9 ^ 12 ^ 4 ^ 15
    assert "The position is a sum of 4 parts, of nimbers 9, 12, 4 and 15." in found.notes


def test_what_reads_the_whole_board_is_one_part(monkeypatch: pytest.MonkeyPatch):
    """Each pin may be knocked or not by how many are down: no part of the board is free of the others."""
    found = by_parts(monkeypatch, gdl.loads(TIED).game)
    assert found.nodes == sum(comb(6, k) for k in range(4))


def test_misere_play_is_not_taken_apart():
    game = gdl.load("nim", variant="misere")
    assert not any("sum of" in note for note in solve(game, "grundy").notes)
