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
from gdl.solvers.verify.one_unknown import (
    MOST_RUNS,
    Moving,
    UnknownSegment,
    at_point,
    between,
    form_of,
    is_at_root,
    simple,
    sweep_line,
)
from gdl.solvers.verify.verdict import Finding, Unchecked

FIELDS = ("unknowns", "conditions")
MOST_NAMES = 4  # unknowns of a tree, beyond which some points alone are tried: its parts are too many
POINTS = 200


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
    sweep = _Sweep(case, opened, told)
    pieces = [piece for piece in sweep.line(0, {}) if piece.found is not None]
    wrong = sweep.wrong
    if "unknowns" in fields and set(told.stretches) != set(names):
        wrong["unknowns"] = f"the unknowns are {listing(names)}"
    for name in told.stretches if "unknowns" not in wrong else ():
        ends = opened.line(name, {}, [other for other in names if other != name])
        closed = tuple(end is not None for end in ends)
        if len(names) == 1 and pieces:  # a lone one, where the answer speaks of it
            ends, closed = (pieces[0].low, pieces[-1].high), (pieces[0].is_point, pieces[-1].is_point)
        for said in (*told.of_line(name, ends, closed), *sweep.of_silence(name)):
            wrong.setdefault("unknowns", said)
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
        self.names = tuple(opened.names)
        self.runs = 0
        self.wrong: dict[str, str] = {}
        self.best: frozenset[Any] | None = None  # what is best at every point by now
        self.met: dict[tuple[str, int, str], set[Any]] = {}  # by unknown, stretch and key: what was true there

    def line(self, depth: int, before: Point) -> list[UnknownSegment[Any]]:
        """The pieces of the line of one unknown where those before it have these values."""
        name = self.names[depth]
        low, high = self.opened.line(name, before, self.names[depth + 1 :])

        def ask(t: Any) -> tuple[Any, list[Any]]:
            equal: list[Any] = []
            point = {**before, name: Moving(0, 1, t, equal, depth)}
            return (self._ask(point) if depth + 1 == len(self.names) else self.line(depth + 1, point)), equal

        return sweep_line(low, high, ask)

    def at_points(self) -> dict[str, str]:
        """Some points, among them those where the answer compares an unknown with a number."""
        random = Random(0)
        numbers = sorted({*self.told.numbers(), Fraction(0), Fraction(1)})
        column = [*numbers, *(simple((a + b) / 2) for a, b in pairwise(numbers)), numbers[0] - 1, numbers[-1] + 2]
        for _ in range(POINTS):
            point: dict[str, Any] = {}
            for depth, name in enumerate(self.names):
                low, high = self.opened.line(name, point, self.names[depth + 1 :])
                near = [t for t in column if (low is None or t >= low) and (high is None or t <= high)]
                point[name] = random.choice(near or [between(low, high)])
            self._ask(point)
        return self.wrong

    def _ask(self, point: Point) -> FactsAtPoint | None:
        """The facts at a point, compared with the answer's words on them. None where it does not speak of the point."""
        if not self.told.assumes(point):
            return None
        self.runs += 1
        if self.runs > MOST_RUNS:
            raise Unchecked(f"the answer depends on what is left open in more than {MOST_RUNS:,} ways")
        claim = self.case.claim
        found = find_facts(Filled(self.case.game, point), claim.options.get("cut", "ge"))
        for said in self.told.of_conditions(found, point) if "conditions" in claim.keys else ():
            self.wrong.setdefault("conditions", said)
        for name in self.told.stretches.keys() & point.keys():
            self._compare_stretches(name, found, point)
        if claim.value is not None and not all(
            a == b for a, b in zip(self.case.in_order(claim.value), found.value or (), strict=False)
        ):
            self.wrong["value"] = f"at {_where(point)} the value is another"
        self.best = found.of("best") if self.best is None else self.best & found.of("best")
        return found

    def _compare_stretches(self, name: str, found: FactsAtPoint, point: Point) -> None:
        """Compare what the stretch of an unknown says with the facts, and keep these where it says nothing."""
        here = [k for k, one in enumerate(self.told.stretches[name]) if one.holds(point[name])]
        if len(here) != 1:
            self.wrong.setdefault("unknowns", f"the stretches of {name} do not follow each other")
            return
        said = self.told.of_stretch(self.told.stretches[name][here[0]], found, point)
        for key, is_true, actual in said:
            if is_true is False:
                words = f"at {_where(point)} the {key} is another than the answer says along {name}"
                self.wrong.setdefault("unknowns", words)
            elif is_true is None and actual is not None:
                self.met.setdefault((name, here[0], key), set()).add(actual)

    def of_silence(self, name: str) -> Iterator[str]:
        """The faults of saying nothing: where it is the same all along, whatever the other unknowns are."""
        own = (None, self.names.index(name))
        for (other, _, key), (one, *more) in self.met.items():
            if (
                other == name
                and not more
                and (key != "value" or all(depth in own for form in one for depth, _ in form))
            ):
                yield f"the {key} on a stretch of {name} depends on nothing else"


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

    def of_line(self, name: str, ends: tuple[Any, Any], are_closed: tuple[bool, ...]) -> Iterator[str]:
        """The faults of the stretches of one unknown, which lies between the ends."""
        stretches = self.stretches[name]
        sides = [(one.low, one.high) for one in stretches]
        closed = [one.closed for one in stretches]
        if not stretches or (sides[0][0], sides[-1][1]) != ends:
            yield f"{name} lies between {ends[0]} and {ends[1]}"
            return
        if (closed[0][0], closed[-1][1]) != are_closed or any(
            one[1] != other[0] for one, other in pairwise(sides)
        ) or any(one[1] is other[0] for one, other in pairwise(closed)):  # fmt: skip
            yield f"the stretches of {name} do not follow each other"
            return
        for one in stretches:
            yield from self._of_form(name, one)

    def _of_form(self, name: str, one: IntervalClaim) -> Iterator[str]:
        """The faults of a stretch's form: it says each thing once and in order."""
        data, best, depends = one.data, one.data.get("best"), one.data.get("depends", [])
        due = {"equilibria"} if self.matrix else {"best", "value", "pruned"}
        if data.keys() & {"equilibria", "best", "value", "pruned"} != due:
            yield f"a stretch of {name} says something else than {listing(sorted(due))}"
        forms = one.value or {}
        if forms and forms.keys() != set(self.players):
            yield f"a stretch of {name} does not say what everybody gets"
        if any(self.reader.linear(form)[0].keys() - {name} for form in forms.values()):
            yield f"a stretch of {name} says a value by other unknowns"
        if best is not None and list(best) != [action for action in self.actions if action in best]:
            yield f"the best actions of a stretch of {name} are not in the order of the file"
        for told in (one.pruned, data.get("equilibria")):
            if told is not None and any(told.index(item) != number for number, item in enumerate(told)):
                yield f"a stretch of {name} lists something twice"
        others = [other for other in self.stretches if other != name]
        if list(depends) != [other for other in others if other in depends]:
            yield f"{name} cannot depend on {listing(depends)}"
        if (
            len(others) == 1
            and not self.assumed
            and bool(depends) != (None in [data[part] for part in due if part in data])
        ):
            yield f"a stretch of {name} says without reason that it depends on others, or does not say it"

    def of_stretch(
        self, one: IntervalClaim, found: FactsAtPoint, point: Point
    ) -> Iterator[tuple[str, bool | None, Any]]:
        """Each key of a stretch: is what it says true at a point of it (None: it says nothing), and what is true there.
        Of the value this is its form, where nothing is equal that is compared."""
        listed = one.data.get("equilibria")
        profiles = None if listed is None else [tuple(map(profile.get, self.players)) for profile in listed]
        lists = {"equilibria": profiles, "best": one.data.get("best"), "pruned": one.pruned}
        for key, told in lists.items():
            if key in one.data:
                facts = found.of("equilibrium" if key == "equilibria" else key)
                yield key, None if told is None else facts == set(told), facts
        if "value" in one.data and one.value is None:
            forms = tuple(map(form_of, found.value or ()))
            yield "value", None, None if any(map(is_at_root, point.values())) else forms
        elif one.value is not None:
            pairs = zip(self.players, found.value or (), strict=True)
            yield "value", all(self.reader.at(one.value.get(who, "0"), point) == actual for who, actual in pairs), None

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


def _where(point: Point) -> str:
    return ", ".join(f"{name} = {at_point(number)}" for name, number in point.items())
