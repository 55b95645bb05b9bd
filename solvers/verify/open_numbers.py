"""How an answer says that it depends on what the file leaves open: stretches of each unknown, and conditions.

With one unknown the whole of its line is looked at (moving.py), so nothing between two breakpoints escapes. With
several the answer is tried at some points alone, which can refute but not prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from gdl.errors import DamagedData, GameError, listing
from gdl.explore import moves
from gdl.game import Chance, Decision, Game, Node, Number, Rest, Simultaneous, Terminal, Unknown, bounds_at, exact
from solvers.verify import textbook
from solvers.verify.case import Case
from solvers.verify.claim import read_amount
from solvers.verify.finding import Finding, Unchecked
from solvers.verify.linear_text import Point, Reader
from solvers.verify.moving import Form, Moving, Piece, form, swept
from solvers.verify.plain import Worths

NODES = 20_000  # of the game, looked at in each run
POINTS = 200  # at which an answer about several unknowns is tried
FIELDS = ("unknowns", "conditions")

Fact = tuple[str, Any]  # what holds: ("best", action), ("pruned", path), ("equilibrium", profile)


@dataclass(frozen=True)
class Found:
    """What is true for some values of the unknowns: the value of everyone (in a matrix there is none), the best
    actions, what alpha-beta skips, the pure equilibria."""

    value: tuple[Form, ...] | None
    facts: frozenset[Fact]

    def of(self, what: str) -> frozenset[Any]:
        return frozenset(item for kind, item in self.facts if kind == what)


def check_open_numbers(case: Case) -> Iterator[Finding]:
    """Stretches and conditions are true, of the whole line of an unknown, or at some points of several."""
    claim = case.claim
    fields = tuple(name for name in FIELDS if name in claim.keys)
    if not fields:
        return
    opened = Opened(case.game)
    if not opened.names:
        yield Finding(False, fields, "the file leaves nothing open")
    elif len(opened.names) == 1:
        yield from _of_one(case, opened, fields)
    else:
        yield from _of_several(case, opened, fields)


# ---- The game with numbers in place of the unknowns ---------------------------------------------------------------


class Opened:
    """The unknowns of a game by name, in the order of the file, and what is promised of them: forms not below zero."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self.names: dict[str, None] = {}
        self.promises: list[tuple[dict[str, Number], Number]] = []
        for state, node in self._nodes():
            if isinstance(node, Chance):
                for _, chance in node.outcomes:
                    self._probability(chance)
            elif isinstance(node, Terminal):
                for player, utility in enumerate(node.utilities):
                    if isinstance(utility, Unknown):
                        self._utility(state, player, utility)

    def _nodes(self) -> Iterator[tuple[Any, Node]]:
        stack = [self.game.initial()]
        met = set(stack)
        while stack:
            state = stack.pop()
            node = self.game.node(state)
            yield state, node
            children = dict.fromkeys(self.game.successor(state, move) for move in moves(node))
            stack += [child for child in reversed(children) if child not in met]
            met.update(children)
            if len(met) > NODES:
                raise Unchecked(f"the game has more than {NODES:,} positions")

    def _probability(self, chance: Any) -> None:
        if isinstance(chance, Unknown):
            self.names[chance.name] = None
            self.promises.append(({chance.name: 1}, 0))
        elif isinstance(chance, Rest):
            terms: dict[str, Number] = {}
            for unknown in chance.unknowns:
                self.names[unknown.name] = None
                terms[unknown.name] = terms.get(unknown.name, 0) - 1
            self.promises.append((terms, chance.share))

    def _utility(self, state: Any, player: int, utility: Unknown) -> None:
        name = called(utility, self.game.players)
        self.names[name] = None
        promised = bounds_at(self.game, state)
        low, high = (None, None) if promised is None else promised[player]
        sign = -1 if utility.negative else 1
        if low is not None:
            self.promises.append(({name: sign}, -low))
        if high is not None:
            self.promises.append(({name: -sign}, high))

    def line(self) -> tuple[Number | None, Number | None]:
        """Between what numbers a lone unknown lies."""
        low: Number | None = None
        high: Number | None = None
        for terms, constant in self.promises:
            (slope,) = terms.values()
            end = exact(Fraction(-constant) / slope)
            if slope > 0:
                low = end if low is None else max(low, end)
            else:
                high = end if high is None else min(high, end)
        return low, high

    def allows(self, point: Point) -> bool:
        """Whether the promises hold at a point."""
        return all(
            constant + sum(c * point[name] for name, c in terms.items()) >= 0 for terms, constant in self.promises
        )


def called(unknown: Unknown, players: Sequence[str]) -> str:
    """Of three players or more, each one's share of an unknown vector is an unknown of its own."""
    if unknown.player is None or len(players) < 3:
        return unknown.name
    return f"{unknown.name}[{players[unknown.player]}]"


class Filled:
    """The game with a number for each unknown: a Game around a Game."""

    kernels: Mapping[str, Any] = {}

    def __init__(self, game: Game[Any], numbers: Mapping[str, Any]):
        self.game = game
        self.numbers = numbers
        self.name = game.name
        self.players = game.players
        self.traits = game.traits

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return Terminal(tuple(map(self._number, node.utilities)))
        if isinstance(node, Chance):
            return Chance(tuple((action, self._number(chance)) for action, chance in node.outcomes))
        return node

    def _number(self, number: Any) -> Any:
        if isinstance(number, Rest):
            return number.share + sum(-self._number(unknown) for unknown in number.unknowns)
        if not isinstance(number, Unknown):
            return number
        found = self.numbers[called(number, self.players)]
        return -found if number.negative else found

    def initial(self) -> Any:
        return self.game.initial()

    def successor(self, state: Any, action: Any) -> Any:
        return self.game.successor(state, action)

    def information_set(self, state: Any, player: int) -> Any:
        return self.game.information_set(state, player)

    def describe(self, state: Any, player: int) -> str:
        return self.game.describe(state, player)

    def evaluate(self, state: Any) -> Any:
        return self.game.evaluate(state)

    def label(self, state: Any) -> str | None:
        return self.game.label(state)

    def show(self, state: Any) -> str:
        return self.game.show(state)


def solved(game: Game[Any], cut: str) -> Found:
    """What is true of a game whose unknowns have numbers."""
    start = game.initial()
    node = game.node(start)
    if isinstance(node, Simultaneous):
        return Found(None, frozenset(("equilibrium", joint) for joint in _equilibria(game, node)))
    worths = Worths(game, NODES)
    vector = worths.of(start, None)
    facts: list[Fact] = []
    if isinstance(node, Decision):
        after = [worths.of(game.successor(start, action), None)[node.player] for action in node.actions]
        facts += [
            ("best", action) for action, worth in zip(node.actions, after, strict=True) if worth == vector[node.player]
        ]
    opposed = len(game.players) == 1 or (len(game.players) == 2 and game.traits.constant_sum is not None)
    if opposed and not game.traits.chance:
        run = textbook.AlphaBeta(game, first(game), textbook.Rules(cut), NODES).search()
        facts += [("pruned", tuple(skipped["path"])) for skipped in run.pruned]
    return Found(tuple(map(form, vector)), frozenset(facts))


def first(game: Game[Any]) -> int:
    """Whose number stands for all: MAX's, else the first player's."""
    return game.players.index("MAX") if "MAX" in game.players else 0


def _equilibria(game: Game[Any], node: Simultaneous) -> Iterator[tuple[str, ...]]:
    """The profiles of a matrix in which nobody could gain by another action."""
    pays = {}
    for joint in product(*node.actions):
        end = game.node(game.successor(game.initial(), joint))
        if not isinstance(end, Terminal):
            raise Unchecked("the game goes on after a joint move")
        pays[joint] = end.utilities
    for joint, own in pays.items():
        others = (
            (p, (*joint[:p], other, *joint[p + 1 :])) for p, actions in enumerate(node.actions) for other in actions
        )
        if all(pays[other][p] <= own[p] for p, other in others):
            yield joint


# ---- One unknown --------------------------------------------------------------------------------------------------


def _of_one(case: Case, opened: Opened, fields: tuple[str, ...]) -> Iterator[Finding]:
    (name,) = opened.names
    cut = case.claim.options.get("cut", "ge")

    def ask(t: Number) -> tuple[Found, dict[Number, None]]:
        equal: dict[Number, None] = {}
        found = solved(Filled(case.game, {name: Moving(0, 1, t, equal)}), cut)
        return found, equal

    reader = Reader([name])
    told = Told(case, reader)
    pieces = _divided(swept(*opened.line(), ask), told.ends())
    for field in fields:
        wrong = next((said for piece in pieces for said in told.wrong(field, piece, name)), None)
        yield Finding(wrong is None, (field,), wrong or f"{field}: true of every {name}")
    yield from _whatever(case, [piece.found for piece in pieces], f"whatever {name} is")


def _divided(pieces: Sequence[Piece[Found]], ends: Sequence[Number]) -> list[Piece[Found]]:
    """The pieces divided where the answer's own stretches and comparisons change, so that each is in or out of them."""
    found: list[Piece[Found]] = []
    for piece in pieces:
        inner = sorted(
            {e for e in ends if (piece.low is None or e > piece.low) and (piece.high is None or e < piece.high)}
        )
        if piece.is_point or not inner:
            found.append(piece)
            continue
        edges = [piece.low, *inner, piece.high]
        found += [Piece(low, high, piece.found) for low, high in pairwise(edges)]
        found += [Piece(point, point, piece.found) for point in inner]
    return found


def _whatever(case: Case, found: Sequence[Found], when: str) -> Iterator[Finding]:
    """The value and the best actions of the whole answer hold whatever the unknowns are."""
    claim = case.claim
    if claim.solver != "unknowns":
        return
    if claim.value is not None:
        told = tuple((number, 0) for number in case.in_order(claim.value))
        ok = all(one.value == told for one in found)
        yield Finding(ok, ("value",), f"the value is {'' if ok else 'not '}the same {when}")
    if claim.best:
        ok = all(one.of("best") >= set(claim.best) for one in found)
        yield Finding(ok, ("best",), f"what is best is {'' if ok else 'not '}so {when}")


class Told:
    """What an answer says of its unknowns. Each method that compares yields what is wrong, in words."""

    def __init__(self, case: Case, reader: Reader):
        self.case = case
        self.reader = reader
        self.stretches = _mapping(case.claim.data.get("unknowns", {}))
        self.conditions = [_mapping(one) for one in case.claim.data.get("conditions", ())]

    def ends(self) -> list[Number]:
        """Where the answer's stretches and comparisons of one unknown end."""
        found: list[Number] = []
        for stretches in self.stretches.values():
            found += [end for one in stretches for end in _ends(one) if end is not None]
        for condition in self.conditions:
            found += [end for case in condition["when"] for comparison in case for end in self.reader.ends(comparison)]
        return found

    def wrong(self, field: str, piece: Piece[Found], name: str) -> Iterator[str]:
        """What is wrong of one piece of a lone unknown's line."""
        where = f"{name} = {piece.inside()}"
        if field == "conditions":
            yield from self._conditions(piece.found, {name: piece.inside()}, piece.is_point, where)
            return
        if set(self.stretches) != {name}:
            yield f"the unknown is {name}"
            return
        fitting = [one for one in self.stretches[name] if _holds(one, piece)]
        if len(fitting) != 1:
            yield f"{len(fitting)} of the stretches of {name} hold {piece.inside()}"
            return
        yield from self._stretch(fitting[0], piece.found, {name: piece.inside()}, piece.is_point, where)

    def _stretch(self, one: Mapping[str, Any], found: Found, point: Point, is_point: bool, where: str) -> Iterator[str]:
        """What is wrong of what a stretch says; what it leaves open (null) is not looked at."""
        if one.get("best") is not None and set(one["best"]) != found.of("best"):
            yield f"at {where} {listing(sorted(found.of('best')))} is best, and the answer says otherwise"
        if one.get("pruned") is not None and set(map(tuple, one["pruned"])) != found.of("pruned"):
            yield f"at {where} other subtrees are skipped than the answer says"
        if one.get("equilibria") is not None:
            players = self.case.game.players
            told = {tuple(profile.get(player) for player in players) for profile in one["equilibria"]}
            if told != found.of("equilibrium"):
                yield f"at {where} other profiles are equilibria than the answer says"
        if one.get("value") is not None and found.value is not None:
            for player, actual in zip(self.case.game.players, found.value, strict=True):
                if not self._equal(one["value"].get(player), actual, point, is_point):
                    yield f"at {where} {player} gets another value than the answer says"

    def _equal(self, told: Any, actual: Form, point: Point, is_point: bool) -> bool:
        """Whether a number, or the text of a form, is the actual form; at a point they need only meet there."""
        text = told if isinstance(told, str) else str(read_amount(told, "unknowns"))
        if is_point or len(point) > 1:
            ((_, t), *rest) = point.items()
            return self.reader.at(text, point) == (actual[0] + actual[1] * t if not rest else actual[0])
        terms, constant = self.reader.linear(text)
        (name,) = point
        return (constant, terms.get(name, 0)) == actual

    def _conditions(self, found: Found, point: Point, is_point: bool, where: str) -> Iterator[str]:
        """What is wrong of what the conditions say at a point."""
        held: list[Fact] = []
        pieces = []
        for condition in self.conditions:
            what, about = condition["what"], condition["of"]
            holds = any(all(self.reader.holds(one, point) for one in case) for case in condition["when"])
            if what == "value":
                pieces.append(holds)
                if holds != self._is_value(about, found, point, is_point):
                    yield f"at {where} the value is {'not ' if holds else ''}{about}"
                continue
            fact: Fact = (what, tuple(about) if isinstance(about, list) else about)
            held += [fact] if holds else []
            if holds != (fact in found.facts):
                yield f"at {where} {about} is {'not ' if holds else ''}{what}"
        if set(held) != found.facts:
            yield f"at {where} something holds that no condition speaks of"
        if found.value is not None and not any(pieces):
            yield f"at {where} no condition says what the value is"

    def _is_value(self, text: str, found: Found, point: Point, is_point: bool) -> bool:
        if found.value is None:
            return False
        if text.startswith("("):
            parts = text[1:-1].split(", ")
            return len(parts) == len(found.value) and all(
                self._equal(part, actual, point, is_point) for part, actual in zip(parts, found.value, strict=True)
            )
        return self._equal(text, found.value[first(self.case.game)], point, is_point)


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DamagedData("what the answer says of its unknowns is not in the form of gdl solve --json")
    return value


def _ends(one: Mapping[str, Any]) -> list[Number | None]:
    return [None if one.get(end) is None else _exactly(one[end]) for end in ("from", "to")]


def _exactly(value: Any) -> Number:
    found = read_amount(value, "unknowns")
    if isinstance(found, float):
        raise DamagedData("the answer's unknowns have rounded ends")
    return found


def _holds(one: Mapping[str, Any], piece: Piece[Found]) -> bool:
    """Whether a stretch holds the piece, which lies all inside or all outside."""
    (low, high), ends = _ends(one), list(one.get("ends", ()))
    t = piece.inside()
    above = low is None or t > low or (t == low and ends[:1] == ["closed"])
    below = high is None or t < high or (t == high and ends[1:] == ["closed"])
    return above and below


# ---- Several unknowns ---------------------------------------------------------------------------------------------


def _of_several(case: Case, opened: Opened, fields: tuple[str, ...]) -> Iterator[Finding]:
    """Try the answer at some points: near the ends that it names, and between them."""
    names = tuple(opened.names)
    told = Told(case, Reader(names))
    cut = case.claim.options.get("cut", "ge")
    tried = []
    for point in _points(told, names):
        if not opened.allows(point):
            continue
        try:
            found = solved(Filled(case.game, point), cut)
        except GameError as why:
            raise Unchecked(str(why)) from None
        where = ", ".join(f"{name} = {number}" for name, number in point.items())
        wrong: dict[str, list[str]] = {"conditions": list(told._conditions(found, point, True, where)), "unknowns": []}
        for name in names:
            for one in told.stretches.get(name, ()):
                if _holds(one, Piece(point[name], point[name], found)):
                    alone = one if one.get("value") is None or not one.get("depends") else {**one, "value": None}
                    wrong["unknowns"] += told._stretch(alone, found, point, True, where)
        for field in fields:
            if wrong[field]:
                yield Finding(False, (field,), wrong[field][0])
                return
        tried.append(found)
    yield from (finding for finding in _whatever(case, tried, "") if finding.ok is False)
    said = f"unknowns and conditions beyond {len(tried)} points that were tried: several numbers are left open"
    yield Finding(None, (*fields, *(name for name in ("value", "best") if name in case.claim.keys)), said)


def _points(told: Told, names: Sequence[str]) -> Iterator[dict[str, Number]]:
    """Combinations of numbers for the unknowns: the ends that the answer names, what lies between, and beyond."""
    columns = []
    for name in names:
        ends = sorted({end for one in told.stretches.get(name, ()) for end in _ends(one) if end is not None})
        middle = [exact(Fraction(a + b) / 2) for a, b in pairwise(ends)]
        columns.append([*ends, *middle, *([ends[0] - 1, ends[-1] + 1] if ends else [0, 1, -1, 3])])
    share = max(2, int(POINTS ** (1 / len(names))))
    for numbers in product(*(column[:: max(1, len(column) // share)] for column in columns)):
        yield dict(zip(names, numbers, strict=True))
