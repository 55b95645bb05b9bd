"""The parts into which comparisons divide the space of some unknowns, and numbers that are linear forms of these.

A form is reckoned with like any other number. Where two are compared, the sign of their difference is the same all over
the part in which the computation is by now; or else the part is divided, the computation goes on where one of the
part's points lies, and is begun anew in each of the others. So it is made once in each part in which comparisons come
out alike, and what it finds there is the same, or the same form, all over that part.

That a part has a point, and where one lies, a linear program says. Of two points on either side of a form the segment
between them crosses it within the part, as parts are convex.

Source: Megiddo, Combinatorial optimization with rational objective functions, Mathematics of Operations Research 4,
1979 (running an algorithm on linear forms, and resolving its comparisons).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from itertools import product
from typing import Any

from gdl.game import (
    Chance,
    Decision,
    Game,
    Node,
    Number,
    Rest,
    Simultaneous,
    Terminal,
    Unknown,
    exact,
    maximiser,
)
from gdl.states.explore import moves
from gdl.states.game_wrapper import Assigned
from gdl.wings.verify import textbook
from gdl.wings.verify.linear import maximise
from gdl.wings.verify.position_graph import reach
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.worth import Worths

MOST_PARTS = 3_000

Terms = Mapping[str, Number]  # unknown -> factor
Promise = tuple[Terms, Number]  # a form that is not below zero
Point = Mapping[str, Number]
Side = tuple[Terms, Number, int]  # a form (terms and constant), and its sign
Start = tuple[tuple[int, ...], Point]  # the signs of the first comparisons, and a point that gives them


def parts(names: Sequence[str], promises: Sequence[Promise]) -> Iterator[OpenPart]:
    """The parts of the space, which computations divide while they run: each is to be used before the next is asked
    for. Raises Unchecked if there are more than MOST_PARTS."""
    inside = find_point(names, (), [(*promise, 1) for promise in promises])
    point = find_point(names, promises, []) if inside is None else inside
    waiting: list[Start] = [] if point is None else [((), point)]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = OpenPart(names, promises, *waiting.pop())
        yield part
        waiting += part.others
    if waiting:
        raise Unchecked(f"the answer depends on what is left open in more than {MOST_PARTS:,} ways")


class OpenPart:
    """One part of the space of the unknowns, as far as a computation has divided it from others so far."""

    def __init__(self, names: Sequence[str], promises: Sequence[Promise], signs: tuple[int, ...], point: Point):
        self.names, self.promises, self.point = names, promises, point
        self.signs = [*signs]  # the signs of the forms that are compared with zero, in order
        self.sides: list[Side] = []  # the forms compared so far, with their signs
        self.known: dict[tuple[Any, ...], int] = {}
        self.others: list[Start] = []

    def unknowns(self) -> dict[str, OpenForm]:
        """The unknowns as linear forms, which can be reckoned with like numbers."""
        return {name: OpenForm(self, {name: 1}, 0) for name in self.names}

    @property
    def is_open(self) -> bool:
        """True unless some form that was compared is 0 all over the part."""
        return all(sign for _, _, sign in self.sides)

    def sign(self, terms: Terms, constant: Number) -> int:
        """The sign of a form in this part: 1, 0 or -1. If it is not the same all over the part, the part is divided."""
        scale = Fraction(terms[min(terms)])  # multiples of a form are asked about once
        key = (*sorted((name, c / scale) for name, c in terms.items()), constant / scale)
        if key not in self.known:
            form = {name: c / scale for name, c in terms.items()}, constant / scale
            if len(self.sides) == len(self.signs):
                self.signs.append(self._divide(*form))
            self.known[key] = self.signs[len(self.sides)]
            self.sides.append((*form, self.known[key]))
        return self.known[key] if scale > 0 else -self.known[key]

    def _divide(self, terms: Terms, constant: Number) -> int:
        """The sign of a form at the part's point; for each other sign that the form has in the part, another part is
        noted."""
        value = value_at(terms, constant, self.point)
        here = (value > 0) - (value < 0)
        found: dict[int, Point | None] = {here: self.point}
        for sign in (1, -1, 0):
            beyond = found.get(-here)
            if sign == 0 != here and beyond is not None:
                share = value / (value - value_at(terms, constant, beyond))
                found[0] = {name: x + share * (beyond[name] - x) for name, x in self.point.items()}
            elif sign not in found:
                found[sign] = find_point(self.names, self.promises, [*self.sides, (terms, constant, sign)])
        self.others += [
            ((*self.signs, sign), point) for sign, point in found.items() if sign != here and point is not None
        ]
        return here


@total_ordering
class OpenForm:
    """A linear form of the unknowns, as a number in computations within one part."""

    __slots__ = ("constant", "part", "terms")

    def __init__(self, part: OpenPart, terms: Terms, constant: Number):
        self.part, self.terms, self.constant = part, terms, constant

    def __add__(self, other: Any) -> Any:
        if isinstance(other, float):  # an infinity
            return other
        if not isinstance(other, OpenForm):
            return OpenForm(self.part, self.terms, exact(self.constant + other))
        terms = dict(self.terms)
        for name, c in other.terms.items():
            terms[name] = terms.get(name, 0) + c
        terms, constant = {name: c for name, c in terms.items() if c}, exact(self.constant + other.constant)
        return OpenForm(self.part, terms, constant) if terms else constant

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, OpenForm):
            raise Unchecked("a product of unknown numbers is not linear")
        if not other:
            return 0
        return OpenForm(self.part, {name: c * other for name, c in self.terms.items()}, exact(self.constant * other))

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def _sign(self, other: Any) -> int:
        """The sign of the difference to another number."""
        rest = self - other
        if isinstance(rest, OpenForm):
            return self.part.sign(rest.terms, rest.constant)
        return int(rest > 0) - int(rest < 0)

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __eq__(self, other: object) -> bool:
        return self._sign(other) == 0

    __hash__ = None  # type: ignore[assignment]


def form_of(number: Any) -> tuple[Any, ...]:
    """A number as a tuple: pairs of an unknown and its factor, then the constant."""
    return (*sorted(number.terms.items()), number.constant) if isinstance(number, OpenForm) else (exact(number),)


def value_at(terms: Terms, constant: Number, point: Point) -> Fraction:
    """The value of a linear form at a point."""
    return Fraction(sum(point[name] * c for name, c in terms.items()) + constant)


def find_point(names: Sequence[str], promises: Sequence[Promise], sides: Sequence[Side]) -> Point | None:
    """A point that keeps all promises and gives all forms their signs, away from 0 by as much as possible up to 1; None
    if there is none."""
    rows, bounds = _rows(names, promises, sides)
    found = maximise([0] * 2 * len(names) + [1], [*rows, [0] * 2 * len(names) + [1]], [*bounds, 1])
    if found is None or not found.value:
        return None
    return {name: found.x[k] - found.x[k + len(names)] for k, name in enumerate(names)}


def _rows(
    names: Sequence[str], promises: Sequence[Promise], sides: Sequence[Side]
) -> tuple[list[list[Number]], list[Number]]:
    """The rows and bounds of a linear program for a point. Each unknown is the difference of two variables; the last
    variable is the distance from 0 of forms whose sign is not 0."""
    known = [(terms, constant, 0) for terms, constant in promises]
    known += [(terms, constant, 1) if sign > 0 else ({n: -c for n, c in terms.items()}, -constant, abs(sign))
              for terms, constant, sign in sides]  # fmt: skip
    known += [(terms, constant, 0) for terms, constant, sign in sides if not sign]
    rows, bounds = list[list[Number]](), list[Number]()
    for terms, constant, over in known:
        own = [terms.get(name, 0) for name in names]
        rows.append([*(-c for c in own), *own, over])
        bounds.append(constant)
    return rows, bounds


def ends(names: Sequence[str], name: str, promises: Sequence[Promise], sides: Sequence[Side] = ()) -> tuple[Any, Any]:
    """The least and the greatest value of an unknown where the promises are kept and forms have their signs or are 0;
    None in place of an end: infinite."""
    found: list[Number | None] = []
    for sign in (-1, 1):
        rows, bounds = _rows(names, promises, [(terms, constant, one) for terms, constant, one in sides])
        goal = [sign * (other == name) for other in names]
        try:
            most = maximise([*goal, *(-c for c in goal), 0], rows, bounds)
        except ArithmeticError:
            found.append(None)
            continue
        found.append(None if most is None else exact(sign * most.value))
    return found[0], found[1]


# A game with numbers left open, filled in: what is then true of it, for the verifier.

NODES = 20_000  # the most nodes of a game that are looked at in one run

Fact = tuple[str, Any]  # a kind and its object: ("best", action), ("pruned", path), ("equilibrium", profile)


@dataclass(frozen=True)
class FactsAtPoint:
    """The facts about a game for some values of its unknowns: the value of all players (None for a matrix), and the
    best actions, the paths of the nodes that alpha-beta skips, or the pure equilibria."""

    value: tuple[Any, ...] | None
    facts: frozenset[Fact]

    def of_kind(self, what: str) -> frozenset[Any]:
        """The objects of all facts of a kind."""
        return frozenset(item for kind, item in self.facts if kind == what)


class _Forms(dict[str, OpenForm]):
    """The unknowns by name, each as a form, in the order in which they are asked for."""

    def __missing__(self, name: str) -> OpenForm:
        return self.setdefault(name, OpenForm(OpenPart((), (), (), {}), {name: 1}, 0))


class VerifierUnknowns:
    """The unknowns of a game: `names`, in the order in which they are found, and `promises`, linear forms of them that
    are not negative."""

    def __init__(self, game: Game[Any]):
        self.game, self.names, self.promises = game, _Forms(), list[Promise]()
        filled = Assigned(game, self.names.__getitem__)
        for state, node in self._nodes():
            if isinstance(node, Chance):
                for _, share in node.outcomes:
                    if isinstance(share, Unknown | Rest):
                        self._promise(filled.number(share))
            elif isinstance(node, Terminal):
                bounds = game.promises.bounds(state) or ((None, None),) * len(game.players)
                for utility, (low, high) in zip(node.utilities, bounds, strict=True):
                    form = filled.number(utility) if isinstance(utility, Unknown) else None
                    if form is not None and low is not None:
                        self._promise(form - low)
                    if form is not None and high is not None:
                        self._promise(high - form)

    def _promise(self, form: OpenForm) -> None:
        self.promises.append((form.terms, form.constant))

    def _nodes(self) -> Iterator[tuple[Any, Node]]:
        def successors(state: Any) -> Iterator[Any]:
            return (self.game.successor(state, move) for move in moves(self.game.node(state)))

        return ((state, self.game.node(state)) for state in reach([self.game.initial()], successors, NODES))


def find_facts(game: Game[Any], cut: str) -> FactsAtPoint:
    """The facts about a game without unknowns; `cut` is the rule by which alpha-beta leaves a node (`ge` or `gt`)."""
    start = game.initial()
    node = game.node(start)
    if isinstance(node, Simultaneous):
        return FactsAtPoint(None, frozenset(("equilibrium", joint) for joint in _equilibria(game, node)))
    worths = Worths(game, NODES)
    vector = worths.vector_at(start, None)
    facts: list[Fact] = []
    if isinstance(node, Decision):
        after = [worths.vector_at(game.successor(start, action), None)[node.player] for action in node.actions]
        facts += [
            ("best", action) for action, worth in zip(node.actions, after, strict=True) if worth == vector[node.player]
        ]
    if game.traits.has_scalar_value and not game.traits.chance:
        run = textbook.TextbookAlphaBeta(game, maximiser(game.players), textbook.Rules(cut), NODES).search()
        facts += [("pruned", tuple(skipped["path"])) for skipped in run.skipped_roots]
    return FactsAtPoint(tuple(vector), frozenset(facts))


def _equilibria(game: Game[Any], node: Simultaneous) -> Iterator[tuple[str, ...]]:
    """The pure equilibria of a matrix: joint actions from which nobody gains by another action."""
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
