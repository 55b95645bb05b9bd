"""How an answer says that it depends on what the file leaves open: stretches of each unknown, and conditions.

The whole space of the unknowns is looked at (one_unknown.py), so nothing between two breakpoints escapes: at a point of
each part into which the game and the answer divide it, what the answer says is compared with what is true there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from gdl.errors import DamagedData, listing
from gdl.game import Simultaneous, maximiser
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.dependence import AnswerCondition, IntervalClaim, read_conditions, read_stretches
from gdl.solvers.verify.filled_unknowns import Fact, FactsAtPoint, Filled, VerifierUnknowns, find_facts
from gdl.solvers.verify.linear_text import Point, Reader
from gdl.solvers.verify.one_unknown import MOST_RUNS, Moving, UnknownSegment, between, same_form, simple, sweep_line
from gdl.solvers.verify.verdict import Finding, Unchecked

FIELDS = ("unknowns", "conditions")
MOST_NAMES = 4  # unknowns of a tree, beyond which some points alone are tried: its parts are too many
POINTS = 200
Leaf = tuple[FactsAtPoint, bool]  # what is true in a part, and whether the inner unknowns are on no breakpoint


def check_open_numbers(case: VerifierCase) -> Iterator[Finding]:
    """Stretches and conditions are true, wherever the unknowns are."""
    fields = tuple(name for name in FIELDS if name in case.claim.keys)
    if not fields:
        return
    opened = VerifierUnknowns(case.game)
    names = tuple(opened.names)
    if not names:
        yield Finding(False, fields, "the file leaves nothing open")
        return
    told = UnknownsClaim(case, Reader(names))
    try:
        yield from _check_everywhere(case, opened, told, fields)
    except Unchecked as why:  # some points may show that the answer is wrong, if not that it is right
        sweep = _Sweep(case, opened, told)
        wrong = sweep.at_points()
        if not wrong:
            raise Unchecked(f"{why}; true at {sweep.runs} points that were tried") from None
        yield from (Finding(False, (field,), said) for field, said in wrong.items())


def _check_everywhere(
    case: VerifierCase, opened: VerifierUnknowns, told: UnknownsClaim, fields: Sequence[str]
) -> Iterator[Finding]:
    """Every part of the space of the unknowns. Raises Unchecked where they are too many."""
    names = tuple(opened.names)
    if len(names) > MOST_NAMES and not told.matrix:
        raise Unchecked(f"more than {MOST_NAMES} numbers are left open")
    wrong: dict[str, str] = {}
    sweep = _Sweep(case, opened, told)
    if "unknowns" in fields and set(told.stretches) != set(names):
        wrong["unknowns"] = f"the unknowns are {listing(names)}"
    elif "unknowns" in fields:
        for name in names:
            line = opened.line(name, {}, [other for other in names if other != name])
            for said in told.of_unknown(name, sweep.around(name), line):
                wrong.setdefault("unknowns", said)
    if not sweep.runs:
        sweep.around(names[0])
    wrong = sweep.wrong | wrong
    if not told.texts_follow:
        wrong["conditions"] = "what is said of the conditions as a text does not follow from their cases"
    for condition in told.conditions:
        if "conditions" in fields and condition.when and condition not in told.met:
            wrong.setdefault("conditions", f"{condition.subject_text} is never {condition.what}")
    if case.claim.best and set(case.claim.best) != set(sweep.best or ()):
        wrong["best"] = f"whatever they are {listing(sorted(sweep.best or ()))} is best"
    of_all = ", ".join(names)
    for field in (*fields, *(name for name in ("value", "best") if case.claim.solver == "unknowns")):
        if field in case.claim.keys:
            yield Finding(field not in wrong, (field,), wrong.get(field, f"{field}: true of every {of_all}"))


class _Sweep:
    """The space of the unknowns, one line in the other; `wrong` is what the answer says that is not so somewhere."""

    def __init__(self, case: VerifierCase, opened: VerifierUnknowns, told: UnknownsClaim):
        self.case, self.opened, self.told = case, opened, told
        self.runs = 0
        self.wrong: dict[str, str] = {}
        self.best: frozenset[Any] | None = None  # what is best at every point by now

    def around(self, name: str) -> list[UnknownSegment[list[Leaf]]]:
        """The line of one unknown, and at each piece of it all that is true there, whatever the others are."""
        names = [name, *(other for other in self.opened.names if other != name)]
        pieces = [UnknownSegment(one.low, one.high, list(_leaves(one.found))) for one in self._line(names, 0, {})]
        return [piece for piece in pieces if piece.found]

    def at_points(self) -> dict[str, str]:
        """Some points, among them those where the answer compares an unknown with a number."""
        random, names = Random(0), tuple(self.opened.names)
        numbers = sorted({*self.told.numbers(), Fraction(0), Fraction(1)})
        column = [*numbers, *(simple((a + b) / 2) for a, b in pairwise(numbers)), numbers[0] - 1, numbers[-1] + 2]
        for _ in range(POINTS):
            point: dict[str, Any] = {}
            for depth, name in enumerate(names):
                low, high = self.opened.line(name, point, names[depth + 1 :])
                near = [t for t in column if (low is None or t >= low) and (high is None or t <= high)]
                point[name] = random.choice(near or [between(low, high)])
            self._ask(point)
        return self.wrong

    def _line(self, names: Sequence[str], depth: int, before: Point) -> list[UnknownSegment[Any]]:
        low, high = self.opened.line(names[depth], before, names[depth + 1 :])

        def ask(t: Any) -> tuple[Any, list[Any]]:
            equal: list[Any] = []
            point = {**before, names[depth]: Moving(0, 1, t, equal, depth)}
            return (self._ask(point) if depth + 1 == len(names) else self._line(names, depth + 1, point)), equal

        return sweep_line(low, high, ask)

    def _ask(self, point: Point) -> FactsAtPoint | None:
        """The facts at a point, compared with the answer's words on them. None where it does not speak of the point."""
        if not self.told.assumes(point):
            return None
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise Unchecked(f"the answer depends on what is left open in more than {MOST_RUNS:,} ways")
        claim = self.case.claim
        found = find_facts(Filled(self.case.game, point), claim.options.get("cut", "ge"))
        first = next(iter(point)) == next(iter(self.opened.names))  # else the conditions were looked at before
        due = first and "conditions" in claim.keys
        for said in self.told.of_conditions(found, point) if due else ():
            self.wrong.setdefault("conditions", said)
        if claim.value is not None and not all(
            a == b for a, b in zip(self.case.in_order(claim.value), found.value or (), strict=False)
        ):
            self.wrong["value"] = f"at {_where(point)} the value is another"
        self.best = found.of("best") if self.best is None else self.best & found.of("best")
        return found


def _leaves(found: Any, is_open: bool = True) -> Iterator[Leaf]:
    """The facts in all the parts of a piece."""
    if isinstance(found, FactsAtPoint):
        yield found, is_open
    for one in found if isinstance(found, list) else ():
        yield from _leaves(one.found, is_open and not one.is_point)


class UnknownsClaim:
    """The claims of an answer about its unknowns. Each method that compares yields the faults, in words."""

    def __init__(self, case: VerifierCase, reader: Reader):
        self.players = case.game.players
        self.first = maximiser(case.game.players)
        self.reader = reader
        node = case.game.node(case.game.initial())
        self.matrix = isinstance(node, Simultaneous)
        self.actions = () if self.matrix else tuple(getattr(node, "actions", ()))
        self.data: Mapping[str, Any] = case.claim.data.get("unknowns", {})
        self.stretches: Mapping[str, tuple[IntervalClaim, ...]] = read_stretches(self.data)
        listed = case.claim.data.get("conditions", ())
        self.conditions: tuple[AnswerCondition, ...] = read_conditions(listed)
        self.met: set[AnswerCondition] = set()  # those that held somewhere
        words = [condition.in_words for condition in self.conditions]
        self.texts_follow = all(
            (one.get("if", text), one.get("status", often)) == (text, often)
            for one, (text, often) in zip(listed, words, strict=True)
        )
        assumed = case.claim.options.get("assume", [])
        if not isinstance(assumed, list):
            raise DamagedData("the answer's assumptions are no list")
        self.assumed = [one for text in assumed for one in str(text).replace("?", "").split(" and ")]

    def numbers(self) -> Iterator[Fraction]:
        """The numbers in the conditions, and in the assumptions."""
        texts = [text for condition in self.conditions for case in condition.when for text in case]
        values = [condition.of for condition in self.conditions if isinstance(condition.of, str)]
        for text in (*texts, *values, *self.assumed):
            yield from map(Fraction, re.findall(r"(?<![\w\[/])[0-9]{1,9}(?:/[1-9][0-9]{0,8})?(?![\w*])", text))

    def assumes(self, point: Point) -> bool:
        """True of the points of which the answer speaks."""
        return all(self.reader.holds(one, point) for one in self.assumed)

    def of_unknown(
        self, name: str, pieces: Sequence[UnknownSegment[list[Leaf]]], ends: tuple[Any, Any]
    ) -> Iterator[str]:
        """The faults of the stretches of one unknown, which lies between the ends."""
        stretches = self.stretches[name]
        sides = [(one.low, one.high) for one in stretches]
        closed = [one.closed for one in stretches]
        if not stretches or (sides[0][0], sides[-1][1]) != ends:
            yield f"{name} lies between {ends[0]} and {ends[1]}"
            return
        if (closed[0][0], closed[-1][1]) != tuple(end is not None for end in ends) or any(
            one[1] != other[0] for one, other in pairwise(sides)
        ) or any(one[1] is other[0] for one, other in pairwise(closed)):  # fmt: skip
            yield f"the stretches of {name} do not follow each other"
            return
        for data, one in zip(self.data[name], stretches, strict=True):
            yield from self._of_form(name, data, one)
        divided = list(_divide_pieces(pieces, [end for pair in sides for end in pair if end is not None]))
        for one in stretches:
            inside = [piece for piece in divided if one.holds(piece.inside())]
            yield from self._of_facts(name, one, inside)
            if not self.matrix:
                yield from self._of_value(name, one, inside)

    def _of_form(self, name: str, data: Mapping[str, Any], one: IntervalClaim) -> Iterator[str]:
        """The faults of a stretch's form: it says each thing once and in order."""
        due = {"equilibria"} if self.matrix else {"best", "value", "pruned"}
        if data.keys() & {"equilibria", "best", "value", "pruned"} != due:
            yield f"a stretch of {name} says something else than {listing(sorted(due))}"
        if one.value is not None and one.value.keys() != set(self.players):
            yield f"a stretch of {name} does not say what everybody gets"
        if one.best is not None and list(one.best) != [action for action in self.actions if action in one.best]:
            yield f"the best actions of a stretch of {name} are not in the order of the file"
        for told in (one.pruned, one.equilibria):
            if told is not None and any(told.index(item) != number for number, item in enumerate(told)):
                yield f"a stretch of {name} lists something twice"
        others = [other for other in self.stretches if other != name]
        if list(one.depends) != [other for other in others if other in one.depends]:
            yield f"{name} cannot depend on {listing(one.depends)}"
        if len(others) == 1 and bool(one.depends) != (None in [data[part] for part in due if part in data]):
            yield f"a stretch of {name} says without reason that it depends on others, or does not say it"

    def _of_facts(self, name: str, one: IntervalClaim, pieces: Sequence[UnknownSegment[list[Leaf]]]) -> Iterator[str]:
        """The faults of the lists of a stretch: facts that hold all along it, for all values of the other unknowns, or
        null."""
        profiles = None if one.equilibria is None else {
            tuple(profile.get(player) for player in self.players) for profile in one.equilibria
        }  # fmt: skip
        lists = {"equilibrium": profiles} if self.matrix else {"best": one.best, "pruned": one.pruned}
        for what, told in lists.items():
            every = {found.of(what): piece for piece in pieces for found, _ in piece.found}
            others = [facts for facts in every if told is None or facts != set(told)]
            if told is None and len(every) == 1:
                yield f"what is {what} on a stretch of {name} depends on nothing else"
            elif told is not None and others:
                said = listing(sorted(map(str, others[0]))) or "nothing"
                yield f"at {name} = {every[others[0]].inside()} {said} is {what}, and the answer says otherwise"

    def _of_value(self, name: str, one: IntervalClaim, pieces: Sequence[UnknownSegment[list[Leaf]]]) -> Iterator[str]:
        """The faults of the value of a stretch: one form of this unknown alone all along it, or null."""
        forms: list[tuple[Any, ...]] = []
        for piece in pieces:
            inner = [found.value or () for found, is_open in piece.found if is_open]
            values = inner or [tuple(_at_depth_0(x) for x in found.value or ()) for found, _ in piece.found]
            moves = any(isinstance(x, Moving) and x.depth for value in values for x in value)
            differs = any(not same_form(x, y) for value in values for x, y in zip(value, values[0], strict=True))
            if one.value is None:
                forms += [values[0]] if not piece.is_point else []
                if moves or differs or not all(map(same_form, values[0], forms[0] if forms else values[0])):
                    return
                continue
            for player, actual in zip(self.players, values[0], strict=True):
                told = self.reader.at(one.value.get(player, "0"), {name: Moving(0, 1, piece.inside(), [])})
                same = _here(told) == _here(actual, piece.inside()) if piece.is_point else same_form(told, actual)
                if moves or (differs and not piece.is_point) or not same:
                    yield f"at {name} = {piece.inside()} {player} gets another value than the answer says"
        if one.value is None and forms:
            yield f"the value on a stretch of {name} depends on nothing else"

    def of_conditions(self, found: FactsAtPoint, point: Point) -> Iterator[str]:
        """The faults of the conditions at a point."""
        where = _where(point)
        held: set[Fact] = set()
        valued = found.value is None
        for condition in self.conditions:
            if len(set(condition.when)) < len(condition.when) or any(
                len(set(one)) < len(one) for one in condition.when
            ):
                yield f"when {condition.subject_text} is {condition.what} is told twice"
            holds = any(all(self.reader.holds(one, point) for one in case) for case in condition.when)
            self.met |= {condition} if holds else set()
            true = self._is_true(condition, found, point)
            what = "the value" if condition.what == "value" else condition.what
            if holds and not true:
                yield f"at {where} {condition.subject_text} is not {what}"
            elif true and not holds and (condition.what != "value" or len(point) == 1):
                # (of several unknowns, pieces of the value may meet)
                yield f"at {where} {condition.subject_text} is {what}"
            valued = valued or (holds and condition.what == "value")
            held |= {(condition.what, condition.of)} if holds and condition.what != "value" else set()
        if len({(condition.what, condition.of) for condition in self.conditions}) < len(self.conditions):
            yield "something is told twice"
        if held != found.facts:
            yield f"at {where} something holds that no condition speaks of"
        if not valued:
            yield f"at {where} no condition says what the value is"

    def _is_true(self, condition: AnswerCondition, found: FactsAtPoint, point: Point) -> bool:
        if condition.what != "value":
            return (condition.what, condition.of) in found.facts
        if found.value is None or not isinstance(condition.of, str):
            return False
        if not condition.of.startswith("("):
            return bool(self.reader.at(condition.of, point) == found.value[self.first])
        texts = condition.of[1:-1].split(", ")
        pairs = zip(texts, found.value, strict=False)
        return len(texts) == len(found.value) and all(self.reader.at(text, point) == actual for text, actual in pairs)


def _divide_pieces(pieces: Sequence[UnknownSegment[Any]], ends: Sequence[Any]) -> Iterator[UnknownSegment[Any]]:
    """The pieces divided where the answer's own stretches end, so that each lies in one of them."""
    for piece in pieces:
        low, high = piece.low, piece.high
        inner = sorted({end for end in ends if (low is None or end > low) and (high is None or end < high)})
        if piece.is_point or not inner:
            yield piece
            continue
        yield from (UnknownSegment(one, other, piece.found) for one, other in pairwise([low, *inner, high]))
        yield from (UnknownSegment(point, point, piece.found) for point in inner)


def _at_depth_0(number: Any) -> Any:
    """A number, or one that moves with the outermost unknown alone."""
    while isinstance(number, Moving) and number.depth:
        number = number.here()
    return number


def _here(number: Any, t: Any = None) -> Any:
    """A number that moves with the outermost unknown alone, at its t or at another."""
    if not isinstance(number, Moving):
        return number
    return number.here() if t is None else number.a + number.b * t


def _where(point: Point) -> str:
    return ", ".join(f"{name} = {_here(_at_depth_0(number))}" for name, number in point.items())
