"""Whenever a solver is stopped, something is proved: after any number of nodes, and at any look at the clock, its answer
has bounds, a regret or an action that secures something, and the run that was not stopped confirms them.

As a program it prints, for each game, how many stops prove no more than the file says without a search; and a table of
the solvers: what their stopped answers have, and how many of those in the second half say no more than the file.

    PYTHONPATH=tests/support python tests/laws/test_whenever_stopped.py [GAME …]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hidden_trees import as_game, random_hidden
from late_clock import clock_replaced
from shipped import loaded, shipped, written_in
from trees import random_tree, tree

import gdl
from gdl.errors import LimitReached, Refusal
from gdl.game import Bounds, Game
from gdl.solution import Solution
from gdl.solvers import CONCEPTS, SOLVERS, solve
from gdl.solvers.budget import promised_bounds
from gdl.solvers.equilibria.regret import regret

STOPS = 20  # of each solver on each game: half of them by nodes, half by the clock
TICK = 1 / 1000  # seconds that a look at the clock takes
FOREVER = 1e6  # seconds
MOST_NODES = 10_000  # that are tried, to find the least with which nothing stops a solver
AT_MOST = 1 / 10  # of the stops in the second half, that may prove no more than the file says

EFG = """EFG 2 R "Shared" { "Ann" "Bob" }
c "" 1 "" { "high" 1/3 "low" 2/3 } 0
p "" 1 1 "" { "bet" "pass" } 0
p "" 2 1 "" { "call" "fold" } 0
t "" 1 "" { 2, -2 }
t "" 2 "" { 1, -1 }
t "" 3 "" { 1, -1 }
p "" 1 2 "" { "bet" "pass" } 0
p "" 2 1 "" { "call" "fold" } 0
t "" 4 "" { -2, 2 }
t "" 5 "" { 1, -1 }
t "" 6 "" { -1, 1 }
"""
NFG = """NFG 1 R "Three by two" { "Ann" "Bob" } { 3 2 }
3 1 0 4 2 2 1 0 5 3 2 2
"""
STOCHASTIC = """players Ann, Bob
state
    pos: 0..2
    c[Player]: 0..1
start everyone
action pick(n: 0..1) public
    c[mover] := n
resolve
    reward (c[Ann] * (pos + 1) + c[Bob] * 2) mod 5 - 2 to Ann, 2 - (c[Ann] * (pos + 1) + c[Bob] * 2) mod 5 to Bob
    pos := (pos + c[Ann] + c[Bob] * 2) mod 3
    c[Ann], c[Bob] := 0
discount 9/10
"""
LANGUAGE = Path(__file__).parents[1] / "model" / "language"


def _matrix(rows: int, columns: int, most: int, pair: bool) -> str:
    chance = Random(rows * columns)
    cells = [[[chance.randint(0, most) for _ in "AB"] for _ in range(columns)] for _ in range(rows)]
    lines = [" ".join(f"({a},{b})" if pair else str(a) for a, b in row) for row in cells]
    head = "players A, B\nmatrix\n      " + " ".join(f"c{k}" for k in range(columns))
    return "\n".join([head, *(f"    r{number} {line}" for number, line in enumerate(lines))])


def _hidden_tree(players: str, seed: int) -> Game[Any]:
    return as_game(random_hidden(Random(seed), players, 2, 5), players)


GAMES: dict[str, Callable[[], Any]] = {
    **{name: lambda name=name: loaded(name) for name in  # type: ignore[misc]
       ("figure_5_2", "three_players", "beer_quiche", "seltens_horse", "prisoners", "centipede", "kuhn")},
    **{name: lambda name=name: written_in(LANGUAGE / f"{name}.game") for name in  # type: ignore[misc]
       ("matrix_for_three", "endings_for_three", "hearing")},
    "nim of 1, 2, 3": lambda: shipped("nim", {"heaps": "1,2,3"}),
    "bandit of 2": lambda: shipped("bandit", {"pulls": "2"}),
    "Gambit's tree": lambda: gdl.loads(EFG, "shared.efg"),
    "Gambit's table": lambda: gdl.loads(NFG, "three.nfg"),
    "a tree": lambda: tree(random_tree(Random(5), 2)),
    "a hidden tree of two": lambda: _hidden_tree("AB", 3),
    "a hidden tree of three": lambda: _hidden_tree("ABC", 4),
    "5 by 5, zero-sum": lambda: gdl.loads(_matrix(5, 5, 99, pair=False)),
    "4 by 3": lambda: gdl.loads(_matrix(4, 3, 9, pair=True)),
    "stochastic": lambda: gdl.loads(STOCHASTIC),
}  # fmt: skip

SIMULATED = {"mcts": {"simulations": 200}, "mccfr": {"iterations": 100}, "cfr": {"iterations": 200}}
LONG = {  # whose whole run takes seconds
    "kuhn": "nash global-newton dominance subgame-perfect perfect proper sequential perfect-bayesian intuitive mccfr",
    "three_players": "nash global-newton perfect proper mccfr",
    "seltens_horse": "mccfr",
    "endings_for_three": "mccfr",
    "5 by 5, zero-sum": "global-newton logit proper",
}
UNBOUNDED = {"stochastic"}  # what can be gained is known only when all positions are met, so nodes prove nothing


class Ticks:
    """A clock that moves at every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += TICK
        return self.now


class Ask:
    """A question about a game: a solver, or a concept with a sign before it."""

    def __init__(self, game: Game[Any], name: str):
        self.game, self.name, self.concept = game, name.removeprefix("concept "), name.startswith("concept ")

    def answer(self, **limits: Any) -> Solution | None:
        """The answer, whole or partial; None where a solver is stopped without any."""
        given = {"concept": self.name} if self.concept else SIMULATED.get(self.name, {})
        try:
            return solve(self.game, "auto" if self.concept else self.name, **{**given, **limits})  # type: ignore[arg-type]
        except LimitReached as stop:
            return stop.partial if isinstance(stop.partial, Solution) else None

    @property
    def nodes(self) -> int:
        """The least number of nodes with which nothing stops the solver; it does not depend on the machine."""
        low, high = 0, 1
        while not self._is_whole(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._is_whole(middle) else (middle, high)
        return high

    def _is_whole(self, nodes: int) -> bool:
        found = self.answer(nodes=nodes)
        return nodes > MOST_NODES or (found is not None and not _is_stopped(found))


def _is_stopped(found: Solution) -> bool:
    return found.limit is not None and "stopped" in found.limit


def proves(found: Solution | None, whole: Solution, game: Game[Any]) -> str:
    """How much an answer proves: "nothing", or as "little" as the file says without a search, or "more". Raises
    AssertionError where the whole run shows that it is wrong."""
    if found is None:
        return "nothing"
    for paid in [whole.value] if whole.exact and whole.value else whole.payoffs:
        for number, (low, high) in zip(paid, found.interval or (), strict=bool(found.interval)):
            assert isinstance(number, float) or low is None or low <= number, (found.interval, paid)
            assert isinstance(number, float) or high is None or number <= high, (found.interval, paid)
    profile = found.strategy or next(iter(found.equilibria), None)
    if found.regret is not None and profile is not None:
        with suppress(LimitReached, Refusal):
            assert all(a <= b for a, b in zip(regret(game, profile).regret, found.regret, strict=True))
    has = parts(found)
    if found.exact or {"regret", "action"} & set(has):
        return "more"
    if found.interval is None or "interval" not in has:
        return "nothing"
    return "more" if _is_narrower(found.interval, promised_bounds(game)) else "little"


def parts(found: Solution) -> tuple[str, ...]:
    """The parts of an answer that prove something."""
    ends = any(end is not None for pair in found.interval or () for end in pair)
    action = any(note.startswith("Whatever the others") for note in found.notes)
    every = {"exact": found.exact, "interval": ends, "regret": found.regret is not None, "action": action}
    return tuple(name for name, there in every.items() if there)


class Stop(NamedTuple):
    """A stop of a solver: `when` is "early" or "late" in nodes, or by the "clock"; `proved` is the word of `proves`."""

    solver: str
    when: str
    proved: str
    has: tuple[str, ...] = ()

    @classmethod
    def of(cls, solver: str, when: str, found: Solution | None, whole: Solution, game: Game[Any]) -> Stop:
        return cls(solver, when, proves(found, whole, game), parts(found) if found is not None else ())


def _is_narrower(some: Bounds, others: Bounds) -> bool:
    pairs = list(zip(some, others, strict=True))
    return any(a is not None and (b is None or a > b) for (a, _), (b, _) in pairs) or any(
        a is not None and (b is None or a < b) for (_, a), (_, b) in pairs
    )


def stops(name: str, solvers: list[str], number: int = STOPS) -> Iterator[Stop]:
    """Each stop of each solver on a game."""
    held = GAMES[name]()
    game = getattr(held, "game", held)
    estimated = game.evaluate(game.initial()) is not None
    for asked in solvers:
        row = SOLVERS.get(asked)
        if asked.removeprefix("concept ") in LONG.get(name, "").split() or (
            row is not None and row.estimates and not estimated
        ):
            continue
        ask, chance = Ask(game, asked), Random(f"{name}, {asked}")
        try:
            whole = ask.answer()
            assert whole is not None
        except Refusal:  # another kind of game
            continue
        nodes = 0 if name in UNBOUNDED else ask.nodes
        for _ in range(0 if name in UNBOUNDED else number // 2):
            at = chance.randrange(nodes)
            found = ask.answer(nodes=at)
            if found is None or _is_stopped(found):
                yield Stop.of(asked, "late" if 2 * at >= nodes else "early", found, whole, game)
        clock = Ticks()
        with clock_replaced(clock):
            ask.answer(time=FOREVER)
        for _ in range(number // 2):
            with clock_replaced(Ticks()):
                found = ask.answer(time=chance.random() * clock.now)
            if found is None or _is_stopped(found):
                yield Stop.of(asked, "clock", found, whole, game)


EVERYTHING = [*SOLVERS, *(f"concept {name}" for name in CONCEPTS)]
FEW = ["minimax", "nash", "lemke-howson", "subgame-perfect", "cfr", "concept perfect", "concept team"]


def hold(met: Iterator[Stop]) -> None:
    """The law, for the stops of a game."""
    found = Counter((stop.when, stop.proved) for stop in met)
    assert not any(found[when, "nothing"] for when in ("early", "late", "clock")), found
    late = found["late", "little"], found["late", "more"]
    assert late[0] <= AT_MOST * sum(late), found


@pytest.mark.parametrize("name", ["prisoners", "Gambit's tree"])
def test_a_stopped_search_has_proved_something(name: str) -> None:
    hold(stops(name, [one for one in FEW if one.split()[-1] in [*SOLVERS, *CONCEPTS]], 6))


@pytest.mark.thorough
@pytest.mark.parametrize("name", GAMES)
def test_every_stopped_solver_has_proved_something(name: str) -> None:
    hold(stops(name, EVERYTHING))


def table(met: list[Stop]) -> Iterator[str]:
    """The lines of a table of the solvers, and of all together."""
    yield "| solver | stops | interval | regret | action | exact | nothing | late | late, no more than the file |"
    yield f"|---|{'---:|' * 8}"
    for solver in [*dict.fromkeys(stop.solver for stop in met), "all"]:
        own = [stop for stop in met if solver in (stop.solver, "all")]
        cells = [sum(part in stop.has for stop in own) for part in ("interval", "regret", "action", "exact")]
        cells += [sum(stop.proved == "nothing" for stop in own), sum(stop.when == "late" for stop in own)]
        cells.append(sum(stop.when == "late" and stop.proved != "more" for stop in own))
        yield f"| {solver} | {len(own)} | {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    total: list[Stop] = []
    for each in sys.argv[1:] or GAMES:
        total += (found := list(stops(each, EVERYTHING)))
        print(each, dict(Counter((stop.when, stop.proved) for stop in found)), flush=True)
    print("\n".join(table(total)))
