"""Saved answers of every kind, each to a small game, and everything that can be changed in one: a number, a word, a
key, an entry of a list."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from typing import Any, NamedTuple, get_args, get_type_hints

import click.testing
import pytest

from gdl.commands import engines, saved_answer
from gdl.commands.cli import commands
from gdl.commands.game_argument import ask, read_text
from gdl.commands.saved_answer import takes
from gdl.concepts import CONCEPTS
from gdl.errors import DamagedData
from gdl.formats.answer_kinds import AnswerPart
from gdl.formats.solve_answer import SolveAnswer
from gdl.game import Decision, Game
from gdl.playing.loading import Asked, Asking
from gdl.solvers import SOLVERS
from gdl.solvers.equilibria.regret import regret
from gdl.states.explore import moves
from gdl.states.sequential import Sequential
from gdl.wings.verify.claim import read_claim
from gdl.wings.verify.verdict import ESTIMATED, NOT_CHECKED, UNREPEATED
from gdl.wings.verify.verifier import VerifierVerdict, verify

SHIPPED = (
    "figure_5_2", "entry", "prisoners", "battle_of_the_sexes", "matching_pennies", "seltens_horse", "beer_quiche",
    "monty_hall", "coin_flip", "three_players", "two_roads",
)  # fmt: skip
WRITTEN = {
    "take": 'game "Take" (heap = 5)\nplayers First, Second\nstate\n    left: 0..heap = heap\n'
    "action take(n: 1..3) when n <= left\n    left := left - n\nterminal\n    no actions -> lose mover\n",
    "driver": "players Driver\ntree\n    Driver in crossing\n        exit: 0\n        on: Driver in crossing\n"
    "            exit: 4\n            on: 1\n",
    "two forget": "players A, B\ntree A(l: A in again (x: B in reply (y: (2, 2), z: (0, 0)), w: (1, 1)), "
    "r: A in again (x: B in reply (y: (0, 0), z: (1, 2)), w: (1, 0)))\n",
    "tie": "players MAX, MIN\ntree MAX(l: MIN(a: 1, b: 2), r: MIN(c: 1, d: 3))\n",
    "umbrella": "players Walker\ntree Walker(umbrella: 3, none: chance(rain ?p: -4, dry: 5))\n",
    "crash": "players A, B\nmatrix\n           swerve     straight\n    swerve   (0, 0)    (-1, 1)\n"
    "    straight (1, -1)   (?c, ?c)\n",
    "two_open": "players MAX, MIN\ntree MAX(l: MIN(a: ?x, b: 3), r: MIN(a: 2, b: ?y))\n",
    "stochastic": "players A, B\nstate\n    n: 0..3 = 1\n    p[Player]: 0..2\nstart everyone\n"
    "action go(k: 1..2)\n    p[mover] := k\nresolve\n    if p[A] = p[B]\n        n := n - 1\n    else if p[A] = 1\n"
    "        n := n + 1\n    p[A] := 0\n    p[B] := 0\nterminal\n    n = 0 -> 1\n    n = 3 -> -1\n    forever -> 0\n",
    "stationary": "players A, B\nstate\n    n: 0..1\n    p[Player]: 0..2\nstart everyone\n"
    "action go(k: 1..2)\n    p[mover] := k\nresolve\n    reward p[A] * 2 - p[B] to A, p[B] - n * p[A] to B\n"
    "    n := if p[A] = p[B] then 0 else 1\n    p[A] := 0\n    p[B] := 0\ndiscount 1/2\n",
    "patience": "players A\nstate\n    n: 0..1\naction wait when n = 0\n    n := 1\naction take when n = 0\n"
    "    reward 1 to A\naction have when n = 1\n    reward 3 to A\n    n := 0\ndiscount 1/2\n",
    "circle": "players A, B\nstate\n    n: 0..3 = 1\naction up\n    n := n + 1\naction down\n    n := n - 1\n"
    "terminal\n    n = 0 -> (3, 1)\n    n = 3 -> (1, 2)\n    forever -> (0, 0)\n",
    "round": "players A, B\nstate\n    n: 0..3 = 1\naction up\n    n := n + 1\naction down when n != 2 or mover = A\n"
    "    n := n - 1\naction stay\n    n := n\nterminal\n    n = 0 -> lose A\n    n = 3 -> win A\n    forever -> draw\n",
    "ring": "players Cat, Mouse\nboard Point = ring(4)\nstate\n    cat: Point = 1\n    mouse: Point = 3\n"
    "action run(d: Direction) when mover = Cat\n    cat := step(cat, d)\n"
    "action flee(d: Direction) when mover = Mouse\n    mouse := step(mouse, d)\naction rest\n"
    "terminal\n    cat = mouse -> win Cat\n    forever -> draw\n",
    "ruin": "players A, B\nstate\n    n: 0..3 = 1\naction safe\n    n := n - 1\naction bold\n    next toss\n"
    "chance toss(r: Boolean)\n    n := if r then n + 1 else n - 1\nterminal\n    n = 0 -> win B\n    n = 3 -> win A\n"
    "    forever -> draw\n",
    "team": "players A, B\ntree\n    chance\n        x 1/2: A in x (l: B (l: (2, 2), r: (0, 0)), r: B in r (l: (1, 1), r: (0, 0)))\n"
    "        y 1/2: A in y (l: B in l (l: (0, 0), r: (1, 1)), r: B in r (l: (0, 0), r: (3, 3)))\n",
    "hawks": "players A, B\nmatrix\n          hawk      dove\n    hawk (-1, -1)  (4, 0)\n    dove (0, 4)  (2, 2)\n",
    "minority": "players A, B, C\ntree A in a\n"
    "    l: B in b (l: C in c (l: (0,0,0), r: (0,0,1)), r: C in c (l: (0,1,0), r: (1,0,0)))\n"
    "    r: B in b (l: C in c (l: (1,0,0), r: (0,1,0)), r: C in c (l: (0,0,1), r: (0,0,0)))\n",
    "poker": "players A, B\ntree\n    chance\n        high 1/2: A in high (bet: B in B (call: (2, -2), fold: (1, -1)), check: (1, -1))\n"
    "        low 1/2: A in low (bet: B in B (call: (-2, 2), fold: (1, -1)), check: (-1, 1))\n",
    "race": "players A, B\nstate\n    n: 0..7\naction one\n    n := n + 1\naction two\n    n := n + 2\n"
    "terminal\n    n >= 6 -> lose mover\nevaluate\n    if mover = A then n else -n\n",
    "draws": "players MAX, MIN\ntree MAX utility in -6..6 (l: chance(a 1/2: MIN(p: 2, q: 5), b 1/2: 4), "
    "r: chance(a 1/2: MIN(p: 0, q: 6), b 1/2: MIN(x: 2, y: -4)), "
    "s: MIN(u: 4, v: chance(c 5/6: 6, d 1/6: MAX(k: 5, l: 1))))\n",
    "shares": "players A, B, C\ntree A utility in 0..10 (l: B(x: (5, 3, 2), y: (2, 3, 5)), "
    "r: B(x: (1, 5, 4), y: C(a: (2, 2, 6), b: (3, 1, 6))))\n",
}


class Alteration(NamedTuple):
    """One change of an answer: the place (`path`), what was done there (`what`, such as "dropped"), and the whole
    altered answer."""

    path: tuple[str | int, ...]
    what: str
    answer: dict[str, Any]

    @property
    def field(self) -> str:
        """The path without positions in lists: `unknowns.p.value`."""
        return ".".join(str(step) for step in self.path if isinstance(step, str))


@cache
def asked(name: str, settings: tuple[tuple[str, str], ...] = ()) -> Asked:
    """The game of this name, shipped or WRITTEN here, read with these values of its parameters."""
    text, shown, folder = (WRITTEN[name], f"{name}.game", None) if name in WRITTEN else read_text(name)
    return ask(Asking(text, shown, dict(settings), folder=folder), quietly=True)


POSITIONS = 5_000  # that a check looks at: more than any of the games has
OPTIONS = {
    "mcts": ("--simulations", "50"),
    "cfr": ("--iterations", "50"),
    "mccfr": ("--iterations", "50"),
}


def kinds() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Pairs of a game and options of `gdl solve`: for every solver every game that it takes, with every concept that it
    answers."""
    for name in SOLVERS:
        for game in (*SHIPPED, *WRITTEN):
            own = asked(game).game
            if SOLVERS[name].takes(own, own.traits):
                yield game, ("--solver", name, *OPTIONS.get(name, ()))
                for concept in ("nash", "subgame-perfect"):
                    if name in CONCEPTS[concept].solvers:
                        yield game, ("--solver", name, "--concept", concept, *OPTIONS.get(name, ()))
    for game, words in (
        ("race", ("--depth", "3")),
        ("tie", ("--trace",)),
        ("tie", ("--trace", "--cut", "gt")),
        ("figure_5_2", ("--values",)),
        ("draws", ("--trace",)),
        ("shares", ("--trace",)),
    ):
        for name in ("minimax", "alpha-beta", "star1", "star2", "maxn", "expectiminimax", "shallow"):
            yield game, ("--solver", name, *words)
    yield "ring", ("--solver", "retrograde", "--symmetry")
    yield "race", ("--solver", "retrograde", "--symmetry")
    for window in ("3..5", "0..2", "0..9"):
        yield "figure_5_2", ("--solver", "alpha-beta", "--window", window)


def solved(name: str, *words: str) -> dict[str, Any] | None:
    """The answer of `gdl solve --json` with these options for a game; None if the command gives none. The test is
    skipped where the solver's wing is not installed."""
    line = ["solve", "-" if name in WRITTEN else name, "--json", *words]
    done = click.testing.CliRunner().invoke(commands, line, input=WRITTEN.get(name))
    if "which is not installed here" in done.stderr:
        pytest.skip(done.stderr)
    found = json.loads(done.stdout) if done.exit_code in (0, 4) and done.stdout else {}
    return found if "solver" in found else None


def verdict_on(name: str, answer: Mapping[str, Any]) -> VerifierVerdict | None:
    """The verdict of `gdl verify` on an answer; None if that is no answer, or is of another game."""
    try:
        game = saved_answer.as_the_answer_has_it(asked(name), answer)
        accepts = takes(game.game, answer.get("concept"))
        return verify(
            engines.offer(game.game, "auto"), answer, limit=POSITIONS, origin=saved_answer.origin(game), takes=accepts
        )
    except DamagedData:
        return None


def field_paths(kind: Any = SolveAnswer, path: str = "") -> Iterator[str]:
    """The paths of all fields of an answer and of their parts, such as `unknowns.value`."""
    if isinstance(kind, type) and issubclass(kind, AnswerPart):
        for name, part in get_type_hints(kind).items():
            if name in kind.fields:
                yield f"{path}{name.rstrip('_')}"
                yield from field_paths(part, f"{path}{name.rstrip('_')}.")
    else:
        for part in get_args(kind):
            yield from field_paths(part, path)


def left_open(verdict: VerifierVerdict) -> set[str]:
    """The fields that the verdict names as not checked."""
    return {field for finding in verdict.findings if finding.ok is None for field in finding.fields}


# What the verifier does with an altered answer.
OUT_OF_FORM, REFUSED, OPEN, LESS = "out of form", "refused", "left open", "says less"
HELD = "held though false"  # never right
OPENED = "left open though the true one holds"  # never right: who changes a field could hide it so


def outcome(game: str, answer: dict[str, Any], whole: VerifierVerdict, altered: Alteration) -> str:
    """The word for the verdict on an altered answer, of which `whole` is the verdict before it was altered. (Of an
    estimate it may leave the value, the best actions and the line open, and yet they have to be possible.)"""
    verdict = verdict_on(game, altered.answer)
    if verdict is None:
        return OUT_OF_FORM
    if not verdict.ok:
        return REFUSED
    if says_less(asked(game).game, answer, altered):
        return LESS
    if not altered.path:
        return HELD if verdict.limit is None else OPEN
    field = str(altered.path[0])
    if field == "complete" and verdict.status("complete"):
        return LESS  # it was more modest than need be, and now it is proved
    if field == "interval" and holds_the_value(game, altered.answer["interval"]):
        return LESS  # narrower than the strategies show, and true by the table of plans
    if field not in left_open(verdict) or (field in ESTIMATED and not altered.answer["exact"]):
        return HELD
    claimed = whole.status(field) and answer[field] is not False  # `complete`: false claims nothing
    return OPENED if claimed else OPEN


def holds_the_value(game: str, interval: dict[str, Any]) -> bool:
    """True if the exact value of the game, as another answer has it, lies in the interval."""
    found = solved(game) or {"exact": False}
    if not found["exact"] or "value" not in found:
        return False
    ends = {player: _ends(pair) for player, pair in interval.items()}
    return all(low <= Fraction(found["value"][player]) <= high for player, (low, high) in ends.items())


def _ends(pair: Sequence[Any]) -> tuple[Fraction | float, Fraction | float]:
    """The ends of an interval; one that is null is infinite."""
    low, high = pair
    return -inf if low is None else Fraction(low), inf if high is None else Fraction(high)


def alterations(answer: dict[str, Any]) -> Iterator[Alteration]:
    """Every answer that differs from the given one in a single place."""
    for path, here in _places(answer, ()):
        for what, other in _others(here):
            yield Alteration(path, what, _with(answer, path, other))


def _places(here: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, here
    if isinstance(here, dict | list):
        for key, inner in here.items() if isinstance(here, dict) else enumerate(here):
            yield from _places(inner, (*path, key))


def _others(here: Any) -> Iterator[tuple[str, Any]]:
    """Values near to the given one, of the same type, each with a word on how it differs."""
    if isinstance(here, bool):
        yield "changed", not here
    elif isinstance(here, int | float):
        yield "changed", here + 1
        yield "changed", -here if here else f"-1/{7}"
    elif here is None:
        yield "changed", 1
    elif isinstance(here, str):
        yield "changed", here + "x"
        if here.removeprefix("-").replace("/", "", 1).isdecimal():
            yield "changed", "1/7"
    elif isinstance(here, list):
        for k in range(len(here)):
            yield "dropped", here[:k] + here[k + 1 :]
            yield "doubled", here[: k + 1] + here[k:]
        if len(here) > 1 and here != here[::-1]:
            yield "reordered", here[::-1]
    else:
        yield "added", {**here, "strange": 1}
        for key in here:
            yield "dropped", {name: inner for name, inner in here.items() if name != key}
            yield "renamed", {name + "x" if name == key else name: inner for name, inner in here.items()}


def says_less(game: Game[Any], answer: dict[str, Any], altered: Alteration) -> bool:
    """True if the altered answer claims no more than the answer, so that a verifier may accept it too."""
    path, told, dropped = altered.path, altered.answer, altered.what == "dropped"
    top = path[0] if path else None
    if top is None:
        return dropped and ("secured" in told or "secured" not in answer)  # without it the value is said to be another
    before, after = _at(answer, path), _at(told, path)
    if top in NOT_CHECKED and top != "solver":
        return True
    if top == "exact":
        return True  # what calls itself exact, and is accepted, was proved
    if top == "complete":
        return not told[top]
    if top == "groups" and dropped and (path[-1] == "free" or (len(path) == 2 and "free" not in after)):
        return True  # nothing is said of what may vary
    if top == "line" and altered.what == "reordered" and not answer["traits"]["chance"]:
        return any(_plays(profile, told["line"], game) for profile in answer.get("equilibria", ()))
    if top == "line" and answer["traits"]["cyclic"]:
        return dropped or altered.what == "doubled"  # a line that goes round may do so sooner or later
    if dropped and path[:-1] == ("strategy",) and answer["solver"] == "mccfr" and _rows_by_set(before):
        first: dict[str, Any] = {
            name: {next(iter(row)): 1} for name, row in before.items()
        }  # taken at sets without a name
        strategy = {**told["strategy"], str(path[-1]): {**first, **after}}
        whole = read_claim({**told, "strategy": strategy})
        assert whole.strategy is not None and whole.regret is not None
        return regret(game, whole.strategy).regret == tuple(whole.regret.values())
    if (
        dropped
        and top in ("strategy", "equilibria")
        and path[-1] in game.players
        and before.keys() > after.keys() > set()
    ):
        return (before.keys() - after.keys()).isdisjoint(_own_sets(game, str(path[-1]), before))
    if dropped and top == "conditions" and len(path) == 2:
        return before.keys() - after <= {"if", "status"}  # words that follow from the others
    if dropped and isinstance(before, dict) and not any(before[key] for key in before.keys() - after):
        return bool(after)  # actions that are never played
    if altered.what == "reordered" and path[-1] in ("conditions", "when", "coalitions", "equilibria", "free"):
        return top != "equilibria" or all(
            answer.get(beside, [])[::-1] == answer.get(beside, []) for beside in ("payoffs", "beliefs")
        )
    ends = answer.get("interval", {})
    if top == "interval" and len(path) == 3:
        if "x" in str(after):
            return False
        (low, high), wide = _ends(ends[str(path[1])]), _ends(told["interval"][path[1]])
        return wide[0] <= low and high <= wide[1]
    if top == "value" and len(path) == 2 and not answer["exact"]:  # an estimate within the bounds
        low, high = ends.get(str(path[1]), (after, after))
        return "x" not in str(after) and Fraction(low) <= Fraction(after) <= Fraction(high)
    if top in ("best", "line") and not answer["exact"]:
        return len(path) == 1 and altered.what != "changed"  # what cannot be played is refused
    return top in ("nodes", "leaves") and answer["solver"] in UNREPEATED and after > 0


def _plays(profile: Mapping[str, Mapping[str, Any]], line: Sequence[str], game: Game[Any]) -> bool:
    """True if the profile plays these actions for certain, in a game without chance."""
    turns: Game[Any] = Sequential(game)
    state = turns.initial()
    for action in line:
        node = turns.node(state)
        if not isinstance(node, Decision) or action not in node.actions:
            return False
        own = profile[game.players[node.player]]
        if own.get(turns.describe(state, node.player), own).get(action) != 1:  # of a matrix it names no sets
            return False
        state = turns.successor(state, action)
    return True


def _own_sets(game: Game[Any], player: str, plan: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The information sets, by name, to which a player's own plan leads if the others do anything."""
    turns: Game[Any] = Sequential(game)
    queue, found = [turns.initial()], set[str]()
    met = set(queue)
    for state in queue:  # grows while it is walked
        node, done = turns.node(state), list(moves(turns.node(state)))
        if isinstance(node, Decision) and game.players[node.player] == player:
            found.add(name := turns.describe(state, node.player))
            done = [action for action in done if plan.get(name, {}).get(str(action))]
        fresh = {turns.successor(state, move) for move in done} - met
        queue += fresh
        met |= fresh
    return found


def _rows_by_set(own: Any) -> bool:
    """True if these are a player's mixtures, each under the name of its information set."""
    return isinstance(own, dict) and all(
        isinstance(row, dict) and not {*map(type, row.values())} & {dict} for row in own.values()
    )


def _at(answer: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        answer = answer[step]
    return answer


def _with(answer: Any, path: Sequence[str | int], other: Any) -> Any:
    if not path:
        return copy.deepcopy(other)
    found = copy.copy(answer)
    found[path[0]] = _with(answer[path[0]], path[1:], other)
    return found
