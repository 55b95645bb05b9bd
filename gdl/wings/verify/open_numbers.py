"""How an answer says that it depends on what the file leaves open: stretches of each unknown, and conditions.

The whole space of the unknowns is looked at (open_parts.py), so nothing between two breakpoints escapes: in each part
into which the game and the answer divide it, what the answer says is compared with what is true there.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from operator import eq, ge, gt, le, lt
from typing import Any, NamedTuple

from gdl.errors import DamagedData, listing
from gdl.game import Number, Simultaneous, maximiser
from gdl.numbers import to_json
from gdl.solution import Path
from gdl.states.game_wrapper import Assigned
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import read_amount
from gdl.wings.verify.open_parts import (
    Fact,
    FactsAtPoint,
    OpenPart,
    Terms,
    VerifierUnknowns,
    ends,
    find_facts,
    find_point,
    form_of,
    parts,
)
from gdl.wings.verify.verdict import Finding, Unchecked

FIELDS = ("unknowns", "conditions")
MOST_PAIRS = 100  # the most pairs of parts that are compared to find a dependence

Facts = dict[str, Any]  # what is true in a part, by the keys of a stretch


def check_open_numbers(case: VerifierCase) -> Iterator[Finding]:
    """The answer's stretches and conditions are true at all values of the unknowns."""
    fields = tuple(name for name in FIELDS if name in case.claim.keys)
    if not fields:
        return
    opened = VerifierUnknowns(case.game)
    names = tuple(opened.names)
    if not names:
        yield Finding(False, fields, "the file leaves nothing open")
        return
    told = UnknownsClaim(case, Reader(names))
    sweep = _Sweep(case, opened, told)
    try:
        sweep.compare_everywhere()
        wrong = sweep.wrong | sweep.all_along()
    except Unchecked as why:  # what was seen may show that the answer is wrong, if not that it is right
        if not sweep.wrong:
            raise Unchecked(f"{why}; what was looked at is true") from None
        yield from (Finding(False, (field,), said) for field, said in sweep.wrong.items())
        return
    of_all = ", ".join(names)
    for field in (*fields, *(name for name in ("value", "best") if case.claim.solver == "unknowns")):
        if field in case.claim.keys:
            yield Finding(field not in wrong, (field,), wrong.get(field, f"{field}: true of every {of_all}"))


class _Sweep:
    """The comparison of an answer with its game over the whole space of the unknowns, part by part. `wrong` collects
    for each field a statement of the answer that is false somewhere."""

    def __init__(self, case: VerifierCase, opened: VerifierUnknowns, told: UnknownsClaim):
        self.case, self.told, self.promises = case, told, opened.promises
        self.names = tuple(opened.names)
        self.wrong: dict[str, str] = {}
        self.best: frozenset[Any] | None = None  # actions best in every part so far; None: no part yet
        self.silent: dict[tuple[str, int], list[tuple[OpenPart, Facts]]] = {}  # (unknown, stretch): facts left open
        self.spoken_of: list[OpenPart] = []  # the parts that meet the answer's assumptions

    def compare_everywhere(self) -> None:
        """Compare the answer with the facts in each part that meets its assumptions."""
        claim = self.case.claim
        for part in parts(self.names, self.promises):
            point = part.unknowns()
            if not self.told.assumes(point):
                continue
            self.spoken_of.append(part)
            found = find_facts(Assigned(self.case.game, point.__getitem__), claim.options.get("cut", "ge"))
            for said in self.told.of_conditions(found, point, _part_label(part)) if "conditions" in claim.keys else ():
                self.wrong.setdefault("conditions", said)
            for name in self.told.stretches.keys() & point.keys():
                self._compare_stretch(name, found, part)
            if claim.value is not None and not all(
                a == b for a, b in zip(self.case.in_order(claim.value), found.value or (), strict=False)
            ):
                self.wrong["value"] = f"at {_part_label(part)} the value is another"
            self.best = found.of_kind("best") if self.best is None else self.best & found.of_kind("best")

    def _compare_stretch(self, name: str, found: FactsAtPoint, part: OpenPart) -> None:
        """Compare an unknown's stretch with the facts in a part, and keep the facts that the stretch leaves open."""
        own = part.unknowns()[name]
        here = [k for k, one in enumerate(self.told.stretches[name]) if one.holds(own)]
        if len(here) != 1:
            self.wrong.setdefault("unknowns", f"the stretches of {name} do not follow each other")
            return
        facts: Facts = {}
        for key, is_true, actual in self.told.of_stretch(self.told.stretches[name][here[0]], found, {name: own}):
            if is_true is False:
                words = f"at {_part_label(part)} the {key} is another than the answer says along {name}"
                self.wrong.setdefault("unknowns", words)
            elif is_true is None:
                facts[key] = actual
        if facts:
            self.silent.setdefault((name, here[0]), []).append((part, facts))

    def all_along(self) -> dict[str, str]:
        """The faults that show only over an unknown's whole line, or over the whole space, by field."""
        wrong: dict[str, str] = {}
        if "unknowns" in self.case.claim.keys and set(self.told.stretches) != set(self.names):
            wrong["unknowns"] = f"the unknowns are {listing(self.names)}"
        for name in self.told.stretches if "unknowns" not in wrong else ():
            for said in (*self.told.of_line(name, *self._ends(name)), *self._of_silence(name)):
                wrong.setdefault("unknowns", said)
        if not self.told.texts_follow:
            wrong["conditions"] = "what is said of the conditions as a text does not follow from their cases"
        for condition in self.told.conditions:
            if condition.when and condition not in self.told.met:
                wrong.setdefault("conditions", f"{condition.of} is never {condition.what}")
        if self.case.claim.best and set(self.case.claim.best) != set(self.best or ()):
            wrong["best"] = f"whatever they are {listing(sorted(self.best or ()))} is best"
        return wrong

    def _ends(self, name: str) -> tuple[tuple[Any, Any], tuple[bool, bool]]:
        """The least and greatest value of an unknown (None: infinite), and whether each belongs to its range. A lone
        unknown is taken only as far as the answer speaks of it."""
        if len(self.names) > 1 or not self.spoken_of:
            low, high = ends(self.names, name, self.promises)
            return (low, high), (low is not None, high is not None)
        sides = [ends(self.names, name, self.promises, part.sides) for part in self.spoken_of]
        low = None if any(one is None for one, _ in sides) else min(one for one, _ in sides)
        high = None if any(one is None for _, one in sides) else max(one for _, one in sides)
        points = [one for one, other in sides if one == other]
        return (low, high), (low in points, high in points)

    def _of_silence(self, name: str) -> Iterator[str]:
        """The faults of leaving something open: though it is the same along the whole stretch, or though it depends on
        an unknown that the stretch does not name."""
        for (other, k), met in self.silent.items():
            if other != name:
                continue
            inside = [(part, facts) for part, facts in met if part.is_open]
            known = {name, *self.told.stretches[name][k].data.get("depends", ())}
            for key in met[0][1]:
                told = {facts[key] for _, facts in (inside if key == "value" else met)}
                if len(told) == 1 and (key != "value" or all(_spoken_of(forms) <= {name} for forms in told)):
                    yield f"the {key} on a stretch of {name} depends on nothing else"
                if key == "value" and not all(_spoken_of(forms) <= known for forms in told):
                    yield f"the value on a stretch of {name} depends on more than is said"
            if known < {*self.names}:
                pairs = [pair for pair in combinations(inside, 2) if _differ(*(facts for _, facts in pair))]
                if any(self._meet(known, one, other) for (one, _), (other, _) in pairs[:MOST_PAIRS]):
                    yield f"what is true on a stretch of {name} depends on more than is said"
                elif len(pairs) > MOST_PAIRS:
                    raise Unchecked("on which unknowns a stretch depends is not found out: too many parts differ")

    def _meet(self, known: Collection[str], one: OpenPart, other: OpenPart) -> bool:
        """True if some point of one part and some point of the other agree in all unknowns of `known`."""
        apart = {name: name if name in known else f"{name}'" for name in self.names}

        def with_apart_names(terms: Terms) -> Terms:
            return {apart[name]: c for name, c in terms.items()}

        promises = [*self.promises, *((with_apart_names(terms), constant) for terms, constant in self.promises)]
        sides = [*one.sides, *((with_apart_names(terms), constant, sign) for terms, constant, sign in other.sides)]
        return find_point([*dict.fromkeys((*self.names, *apart.values()))], promises, sides) is not None


def _differ(one: Facts, other: Facts) -> bool:
    """True if two parts have different facts. Values are not compared: one whose form has only known unknowns is
    continuous, so it differs nowhere."""
    return any(one[key] != other[key] for key in one if key != "value")


def _spoken_of(forms: Iterable[tuple[Any, ...]]) -> set[str]:
    """The unknowns that occur in these forms."""
    return {name for form in forms for name, _ in form[:-1]}


class UnknownsClaim:
    """The statements of an answer about its unknowns. Methods that compare yield the faults, in words."""

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
        self.conditions = tuple(map(read_condition, listed))
        self.met: set[AnswerCondition] = set()  # the conditions that held somewhere
        words = [condition.in_words for condition in self.conditions]
        self.texts_follow = all(
            (one.get("if", text), one.get("status", often)) == (text, often)
            for one, (text, often) in zip(listed, words, strict=True)
        )
        assumed = case.claim.options.get("assume", [])
        if not isinstance(assumed, list):
            raise DamagedData("the answer's assumptions are no list")
        self.assumed = [one for text in assumed for one in str(text).replace("?", "").split(" and ")]

    def assumes(self, point: Point) -> bool:
        """True if the point meets the answer's assumptions."""
        return all(self.reader.holds(one, point) for one in self.assumed)

    def of_line(self, name: str, ends: tuple[Any, Any], are_closed: tuple[bool, ...]) -> Iterator[str]:
        """The faults of an unknown's stretches taken together: they must cover its range from end to end without a
        gap."""
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
        """The faults in the form of a stretch: each key once, lists without repeats, and names in their order."""
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
        if not self.assumed and bool(depends) != (None in [data[part] for part in due if part in data]):
            yield f"a stretch of {name} says without reason that it depends on others, or does not say it"

    def of_stretch(
        self, one: IntervalClaim, found: FactsAtPoint, point: Point
    ) -> Iterator[tuple[str, bool | None, Any]]:
        """For each key of a stretch: the key, True if it is right at the point (None: left open), and what is true
        there (for the value its form, or None if the stretch states one)."""
        listed = one.data.get("equilibria")
        profiles = None if listed is None else [tuple(map(profile.get, self.players)) for profile in listed]
        lists = {"equilibria": profiles, "best": one.data.get("best"), "pruned": one.pruned}
        for key, told in lists.items():
            if key in one.data:
                facts = found.of_kind("equilibrium" if key == "equilibria" else key)
                yield key, None if told is None else facts == set(told), facts
        if "value" in one.data and one.value is None:
            forms = tuple(map(form_of, found.value or ()))
            yield "value", None, forms
        elif one.value is not None:
            values = [self.reader.value_at(one.value.get(who, "0"), point) for who in self.players]
            yield "value", values == list(found.value or ()), None

    def of_conditions(self, found: FactsAtPoint, point: Point, where: str) -> Iterator[str]:
        """The faults of the conditions at a point, which `where` describes."""
        held: set[Fact] = set()
        valued = found.value is None
        for condition in self.conditions:
            if any(len(set(one)) < len(one) for one in (condition.when, *condition.when)):
                yield f"when {condition.of} is {condition.what} is told twice"
            holds = any(all(self.reader.holds(one, point) for one in case) for case in condition.when)
            self.met |= {condition} if holds else set()
            true = self._is_true(condition, found, point)
            what = "the value" if condition.what == "value" else condition.what
            if holds and not true:
                yield f"at {where} {condition.of} is not {what}"
            elif true and not holds and (condition.what != "value" or len(point) == 1):
                # (of several unknowns, pieces of the value may meet)
                yield f"at {where} {condition.of} is {what}"
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
            return bool(self.reader.value_at(condition.of, point) == found.value[self.first])
        texts = condition.of[1:-1].split(", ")
        pairs = zip(texts, found.value, strict=False)
        return len(texts) == len(found.value) and all(
            self.reader.value_at(text, point) == actual for text, actual in pairs
        )


def _part_label(part: OpenPart) -> str:
    return ", ".join(f"{name} = {part.point[name]}" for name in part.names)


# Stretches of an unknown and conditions, as an answer writes them.

_KEY = "unknowns"


class IntervalClaim(NamedTuple):
    """An interval of one unknown's line, and in `data` what the answer says is true there. An end that is None is
    infinite; `closed` says of each end whether it belongs to the interval. In `data` null stands where the answer
    leaves something open."""

    low: Number | None
    high: Number | None
    closed: tuple[bool, bool]
    data: Mapping[str, Any]

    @property
    def value(self) -> Mapping[str, str] | None:
        """For each player the value as a text: a number, or a form such as `3 - 2*x`; None if the answer leaves it
        open."""
        value = self.data.get("value")
        return None if value is None else {player: _form(form) for player, form in value.items()}

    @property
    def pruned(self) -> list[Path] | None:
        """The paths of the roots of skipped subtrees; None if the answer leaves them open."""
        pruned = self.data.get("pruned")
        return None if pruned is None else [*map(tuple, pruned)]

    def holds(self, t: Any) -> bool:
        """True if the number lies in the interval."""
        above = self.low is None or t > self.low or (t == self.low and self.closed[0])
        below = self.high is None or t < self.high or (t == self.high and self.closed[1])
        return above and below


class AnswerCondition(NamedTuple):
    """A statement of when something holds, such as that an action (`of`) is best (`what`): in any of the cases `when`,
    in each of which all comparisons hold."""

    what: str
    of: str | tuple[Any, ...]
    when: tuple[tuple[str, ...], ...]

    @property
    def in_words(self) -> tuple[str, str]:
        """The cases as one text, and "always", "never" or "sometimes"."""
        if self.when in ((), ((),)):
            often = "always" if self.when else "never"
            return often, often
        cases = [" and ".join(case) for case in self.when]
        apart = any(len(case) > 1 for case in self.when)
        return (", or " if apart else " or ").join(cases), "sometimes"


def read_stretches(data: Any) -> dict[str, tuple[IntervalClaim, ...]]:
    """The intervals that the answer lists for each unknown. Raises DamagedData where an end is no exact number."""

    def end(value: Any) -> Number | None:
        found = None if value is None else read_amount(value, _KEY)
        if isinstance(found, float):
            raise DamagedData("the answer's unknowns have rounded ends")
        return found

    def stretch(one: Mapping[str, Any]) -> IntervalClaim:
        low, high = one["ends"]
        return IntervalClaim(end(one["from"]), end(one["to"]), (low == "closed", high == "closed"), one)

    return {name: tuple(map(stretch, own)) for name, own in data.items()}


def _form(value: Any) -> str:
    return value if isinstance(value, str) else str(to_json(read_amount(value, _KEY)))


def read_condition(one: Mapping[str, Any]) -> AnswerCondition:
    """A condition of an answer. Raises DamagedData where it is about something else than an action, a value, a node or
    a profile."""
    about = one["of"]
    found = tuple(about) if isinstance(about, list) else about
    if not isinstance(found, str | tuple) or not all(isinstance(item, int | str) for item in found):
        raise DamagedData("the answer's conditions are about something that is neither a node nor a profile")
    return AnswerCondition(one["what"], found, tuple(map(tuple, one["when"])))


# Linear forms and comparisons as an answer writes them: `3 - 2*x`, `x <= 4`, `2 < x < 3`, `x > min(y, 3)`.

Point = Mapping[str, Any]  # unknown -> a number, or a form that can be reckoned with like one
Linear = tuple[dict[str, Fraction], Fraction]

DEEPEST = 200  # the most opening brackets in a form
_NUMBER = r"[0-9]{1,4000}(?:/[0-9]{1,4000})?"
_RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {"<=": le, ">=": ge, "<": lt, ">": gt, "=": eq}


class Reader:
    """Reads forms and comparisons about the unknowns of these names."""

    def __init__(self, names: Sequence[str]):
        known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        self._term = re.compile(rf"\s*([+-]?)\s*(?:({_NUMBER})\*)?({known})|\s*([+-]?)\s*({_NUMBER})")

    def linear(self, text: str) -> Linear:
        """The coefficients and the constant of a linear form. Raises DamagedData if the text is none."""
        terms: dict[str, Fraction] = {}
        constant = Fraction(0)
        at = 0
        while at < len(text):
            found = self._term.match(text, at)
            if found is None or found.end() == at or (at and not (found[1] or found[4])):
                raise DamagedData(f"the answer has '{text[:40]}' where a linear form belongs")
            sign = -1 if "-" in (found[1], found[4]) else 1
            if found[3]:
                terms[found[3]] = terms.get(found[3], Fraction(0)) + sign * _read(found[2] or "1")
            else:
                constant += sign * _read(found[5])
            at = found.end()
        return {name: c for name, c in terms.items() if c}, constant

    def value_at(self, text: str, point: Point) -> Any:
        """The value at a point of a linear form, or of the min or max of several."""
        if text.count("(") > DEEPEST:
            raise DamagedData(f"the answer has more than {DEEPEST} brackets in '{text[:40]}'")
        if found := re.fullmatch(r"\s*(min|max)\((.*)\)\s*", text):
            return (min if found[1] == "min" else max)(self.value_at(part, point) for part in _arguments(found[2]))
        terms, constant = self.linear(text)
        return sum((point[name] * c for name, c in terms.items()), constant)

    def holds(self, comparison: str, point: Point) -> bool:
        """True if a comparison, or a chain of two (`2 < x < 3`), holds at the point."""
        parts = re.split(r"\s*(<=|>=|<|>|=)\s*", comparison)  # the sides with the relations between them
        if len(parts) not in (3, 5):
            raise DamagedData(f"the answer has '{comparison[:40]}' where a comparison belongs")
        sides = [self.value_at(side, point) for side in parts[::2]]
        return all(_RELATIONS[word](*pair) for word, pair in zip(parts[1::2], itertools.pairwise(sides), strict=True))


def _arguments(text: str) -> list[str]:
    """The parts of a text between the commas that are not inside brackets."""
    depths = itertools.accumulate((sign == "(") - (sign == ")") for sign in text)
    commas = [place for place, (sign, depth) in enumerate(zip(text, depths, strict=True)) if sign == "," and not depth]
    return [text[one + 1 : other] for one, other in itertools.pairwise([-1, *commas, len(text)])]


def _read(number: str) -> Fraction:
    try:
        return Fraction(number)
    except (ValueError, ZeroDivisionError):
        raise DamagedData(f"the answer has '{number[:40]}' where a number belongs") from None
