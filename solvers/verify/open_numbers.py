"""How an answer says that it depends on what the file leaves open: stretches of each unknown, and conditions.

With one unknown the whole of its line is looked at (moving.py), so nothing between two breakpoints escapes. With
several the answer is tried at some points alone, which can refute but not prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from random import Random

from gdl.errors import GameError, listing
from gdl.game import Number, exact, maximiser
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.claim import read_list, read_text
from gdl.solvers.verify.dependence import AnswerCondition, IntervalClaim, read_conditions, read_stretches
from gdl.solvers.verify.filled_unknowns import Fact, FactsAtPoint, Filled, VerifierUnknowns, find_facts
from gdl.solvers.verify.linear_text import Point, Reader, numbers_in
from gdl.solvers.verify.one_unknown import Form, Moving, UnknownSegment, sweep_line
from gdl.solvers.verify.verdict import Finding, Unchecked

POINTS = 200  # at which an answer about several unknowns is tried
FIELDS = ("unknowns", "conditions")


def check_open_numbers(case: VerifierCase) -> Iterator[Finding]:
    """Stretches and conditions are true, of the whole line of an unknown, or at some points of several."""
    fields = tuple(name for name in FIELDS if name in case.claim.keys)
    if not fields:
        return
    opened = VerifierUnknowns(case.game)
    told = UnknownsClaim(case, Reader(tuple(opened.names)))
    if not opened.names:
        yield Finding(False, fields, "the file leaves nothing open")
    elif len({(condition.what, condition.of) for condition in told.conditions}) < len(told.conditions):
        yield Finding(False, ("conditions",), "something is told twice")
    elif len(opened.names) == 1 and not told.assumed:
        yield from _of_one(case, opened, told, fields)
    else:
        yield from _of_several(case, opened, told, fields)


# ---- One unknown --------------------------------------------------------------------------------------------------


def _of_one(
    case: VerifierCase, opened: VerifierUnknowns, told: UnknownsClaim, fields: tuple[str, ...]
) -> Iterator[Finding]:
    (name,) = opened.names
    cut = case.claim.options.get("cut", "ge")

    def ask(t: Number) -> tuple[FactsAtPoint, dict[Number, None]]:
        equal: dict[Number, None] = {}
        found = find_facts(Filled(case.game, {name: Moving(0, 1, t, equal)}), cut)
        return found, equal

    pieces = _divide_pieces(sweep_line(*opened.line(), ask), told.ends())
    for field in fields:
        wrong = next((said for piece in pieces for said in told.wrong(field, piece, name)), None)
        yield Finding(wrong is None, (field,), wrong or f"{field}: true of every {name}")
    yield from _whatever(case, [piece.found for piece in pieces], f"whatever {name} is")


def _divide_pieces(
    pieces: Sequence[UnknownSegment[FactsAtPoint]], ends: Sequence[Number]
) -> list[UnknownSegment[FactsAtPoint]]:
    """The pieces divided where the answer's own stretches and comparisons change, so that each is in or out of them."""
    found: list[UnknownSegment[FactsAtPoint]] = []
    for piece in pieces:
        low, high = piece.low, piece.high
        inner = sorted({end for end in ends if (low is None or end > low) and (high is None or end < high)})
        if piece.is_point or not inner:
            found.append(piece)
            continue
        found += [UnknownSegment(one, other, piece.found) for one, other in pairwise([low, *inner, high])]
        found += [UnknownSegment(point, point, piece.found) for point in inner]
    return found


def _whatever(case: VerifierCase, found: Sequence[FactsAtPoint], when: str) -> Iterator[Finding]:
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


class UnknownsClaim:
    """What an answer says of its unknowns. Each method that compares yields what is wrong, in words."""

    def __init__(self, case: VerifierCase, reader: Reader):
        self.players = case.game.players
        self.first = maximiser(case.game.players)
        self.reader = reader
        self.stretches: Mapping[str, tuple[IntervalClaim, ...]] = read_stretches(case.claim.data.get("unknowns", {}))
        assumed = [read_text(one, "options") for one in read_list(case.claim.options.get("assume", ()), "options")]
        self.assumed = [one for text in assumed for one in text.replace("?", "").split(" and ")]
        self.conditions: tuple[AnswerCondition, ...] = read_conditions(case.claim.data.get("conditions", ()))

    def ends(self) -> list[Number]:
        """Where the answer's stretches and comparisons of one unknown end."""
        stretches = [one for own in self.stretches.values() for one in own]
        found: list[Number] = [end for one in stretches for end in (one.low, one.high) if end is not None]
        texts = [comparison for condition in self.conditions for case in condition.when for comparison in case]
        return found + [end for text in texts for end in self.reader.ends(text)]

    def assumes(self, point: Point) -> bool:
        """True of the points of which the answer speaks."""
        return all(self.reader.holds(one, point) for one in self.assumed)

    def numbers(self) -> list[Fraction]:
        """All numbers in the conditions."""
        texts = [text for condition in self.conditions for case in condition.when for text in case]
        values = [condition.of for condition in self.conditions if isinstance(condition.of, str)]
        return [number for text in (*texts, *values, *self.assumed) for number in numbers_in(text)]

    def wrong(self, field: str, piece: UnknownSegment[FactsAtPoint], name: str) -> Iterator[str]:
        """What is wrong of one piece of a lone unknown's line."""
        point = {name: piece.inside()}
        if field == "conditions":
            yield from self.of_conditions(piece.found, point, piece.is_point)
            return
        if set(self.stretches) != {name}:
            yield f"the unknown is {name}"
            return
        fitting = [one for one in self.stretches[name] if one.holds(piece.inside())]
        if len(fitting) != 1:
            yield f"{len(fitting)} of the stretches of {name} hold {piece.inside()}"
            return
        yield from self.of_stretch(fitting[0], piece.found, point, piece.is_point)

    def of_stretch(self, one: IntervalClaim, found: FactsAtPoint, point: Point, is_point: bool) -> Iterator[str]:
        """What is wrong of what a stretch says; what it leaves open is not looked at."""
        where = _where(point)
        if one.best is not None and set(one.best) != found.of("best"):
            yield f"at {where} the best actions are {listing(sorted(found.of('best')))}, and the answer says otherwise"
        if one.pruned is not None and set(one.pruned) != found.of("pruned"):
            yield f"at {where} other subtrees are skipped than the answer says"
        if one.equilibria is not None:
            told = {tuple(profile.get(player) for player in self.players) for profile in one.equilibria}
            if told != found.of("equilibrium"):
                yield f"at {where} other profiles are equilibria than the answer says"
        if one.value is not None and found.value is not None:
            for player, actual in zip(self.players, found.value, strict=True):
                if player not in one.value or not self._equal(one.value[player], actual, point, is_point):
                    yield f"at {where} {player} gets another value than the answer says"

    def _equal(self, text: str, actual: Form, point: Point, is_point: bool) -> bool:
        """Whether the text of a form is the actual form; at a point they need only meet there."""
        if is_point:
            t = next(iter(point.values()))  # of several unknowns the actual form is a number
            return self.reader.at(text, point) == actual[0] + actual[1] * t
        terms, constant = self.reader.linear(text)
        (name,) = point
        return (constant, terms.get(name, 0)) == actual

    def of_conditions(self, found: FactsAtPoint, point: Point, is_point: bool) -> Iterator[str]:
        """What is wrong of what the conditions say at a point."""
        where = _where(point)
        held: set[Fact] = set()
        valued = found.value is None
        for condition in self.conditions:
            holds = any(all(self.reader.holds(one, point) for one in case) for case in condition.when)
            true = self._is_true(condition, found, point, is_point)
            what = "the value" if condition.what == "value" else condition.what
            if holds and not true:
                yield f"at {where} {condition.subject_text} is not {what}"
            elif true and not holds and (condition.what != "value" or len(point) == 1):
                # (of several unknowns, pieces of the value may meet)
                yield f"at {where} {condition.subject_text} is {what}"
            valued = valued or (holds and condition.what == "value")
            held |= {(condition.what, condition.of)} if holds and condition.what != "value" else set()
        if held != found.facts:
            yield f"at {where} something holds that no condition speaks of"
        if not valued:
            yield f"at {where} no condition says what the value is"

    def _is_true(self, condition: AnswerCondition, found: FactsAtPoint, point: Point, is_point: bool) -> bool:
        if condition.what != "value":
            return (condition.what, condition.of) in found.facts
        if found.value is None or not isinstance(condition.of, str):
            return False
        if not condition.of.startswith("("):
            return self._equal(condition.of, found.value[self.first], point, is_point)
        texts = condition.of[1:-1].split(", ")
        pairs = zip(texts, found.value, strict=False)
        return len(texts) == len(found.value) and all(self._equal(*pair, point, is_point) for pair in pairs)


def _where(point: Point) -> str:
    return ", ".join(f"{name} = {number}" for name, number in point.items())


# ---- Several unknowns ---------------------------------------------------------------------------------------------


def _of_several(
    case: VerifierCase, opened: VerifierUnknowns, told: UnknownsClaim, fields: tuple[str, ...]
) -> Iterator[Finding]:
    """Try the answer at some points: near the ends that it names, and between them."""
    names = tuple(opened.names)
    tried = []
    for point in filter(told.assumes, filter(opened.allows, _points(told, names))):
        try:
            found = find_facts(Filled(case.game, point), case.claim.options.get("cut", "ge"))
        except GameError as why:
            raise Unchecked(str(why)) from None
        wrong = {"conditions": list(told.of_conditions(found, point, True)) if "conditions" in fields else []}
        wrong["unknowns"] = [said for name in names for said in _of_stretches(told, name, found, point)]
        for field in fields:
            if wrong[field]:
                yield Finding(False, (field,), wrong[field][0])
                return
        tried.append(found)
    yield from (finding for finding in _whatever(case, tried, "") if finding.ok is False)
    said = f"unknowns and conditions beyond {len(tried)} points that were tried: several numbers are left open"
    yield Finding(None, (*fields, *(name for name in ("value", "best") if name in case.claim.keys)), said)


def _of_stretches(told: UnknownsClaim, name: str, found: FactsAtPoint, point: Point) -> Iterator[str]:
    """What is wrong of the stretches of one unknown at a point. (What depends on others is not told there.)"""
    for one in told.stretches.get(name, ()):
        if one.holds(point[name]):
            yield from told.of_stretch(one._replace(value=None) if one.depends else one, found, point, True)


def _points(told: UnknownsClaim, names: Sequence[str]) -> Iterator[dict[str, Number]]:
    """Combinations of numbers for the unknowns: those that the answer names, what lies between, and beyond; all, or
    some picked at random."""
    columns: list[list[Number]] = []
    for name in names:
        stretches = [end for one in told.stretches.get(name, ()) for end in (one.low, one.high) if end is not None]
        ends = sorted({*stretches, *told.numbers()})
        middle = [exact(Fraction(a + b) / 2) for a, b in pairwise(ends)]
        columns.append([*ends, *middle, *([ends[0] - 1, ends[-1] + 1] if ends else [0, 1, -1, 3])])
    random = Random(0)
    every = product(*columns) if prod(map(len, columns)) <= POINTS else None
    for numbers in every or (tuple(map(random.choice, columns)) for _ in range(POINTS)):
        yield dict(zip(names, numbers, strict=True))
