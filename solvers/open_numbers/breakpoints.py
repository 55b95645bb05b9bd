"""The parts of the unknowns' space as an answer: stretches of each unknown's line, and conditions on all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

from gdl.game import Number, exact
from gdl.numbers import to_text
from gdl.solution import Condition, Interval, Path
from gdl.solvers.open_numbers.regions import (
    Cases,
    Polyhedron,
    Region,
    RegionNode,
    Side,
    Sides,
    Terms,
    UnknownInterval,
    parts,
    text,
    when,
)

# Sets of points said in few words: comparisons that do not matter are left out.
#
# A set is given by cases, each of them some comparisons that all hold, and so is what lies outside of it.
#
# 1. A comparison may go, or be made weak (x > 4 made x >= 4), as long as its case meets nothing outside of the set.
# 2. A case that lies within another says nothing new.
#
# These are the prime implicants of logic (Quine, The problem of simplifying truth functions, 1952), found greedily, for
# linear comparisons.

MAX_CASES = 4_000  # cases times outside parts; with more the cases are left as they are

_WEAKER = {1: (2,), 0: (2, -2), -1: (-2,), 2: (), -2: ()}
_NOT = {1: (0, -1), 0: (1, -1), -1: (0, 1), 2: (-1,), -2: (1,)}


def simplify_cases(whole: Polyhedron, cases: Cases, outside: Sequence[Sides]) -> Cases:
    """The set of the cases in fewer words. `whole` is the promised range of the unknowns; the parts `outside` are all
    that does not belong to the set."""
    if len(cases) * len(outside) > MAX_CASES:
        return cases
    wide = [_widen_case(whole, case, outside) for case in cases]
    kept: list[Sides] = []
    for case in dict.fromkeys(wide):
        if not any(_lies_within(whole, case, other) for other in kept):
            kept = [*(other for other in kept if not _lies_within(whole, other, case)), case]
    return tuple(kept)


def _widen_case(whole: Polyhedron, case: Sides, outside: Sequence[Sides]) -> Sides:
    """The case without the comparisons, or with weaker ones, where it still meets nothing outside."""
    for side in case:
        others = tuple(other for other in case if other is not side)
        weaker = [others, *((*others, side._replace(sign=sign)) for sign in _WEAKER[side.sign])]
        fitting = (trial for trial in weaker if not any(_meets(whole, trial, part) for part in outside))
        case = next(fitting, case)
    return case


def _lies_within(whole: Polyhedron, case: Sides, other: Sides) -> bool:
    """True if all of the case lies within the other."""
    negations = (side._replace(sign=sign) for side in other for sign in _NOT[side.sign])
    return not any(_meets(whole, case, (negation,)) for negation in negations)


def _meets(whole: Polyhedron, case: Sides, other: Sides) -> bool:
    sides: list[Side] = [*whole.sides, *case, *other]
    return not sides or Polyhedron(whole.names, tuple(sides[:-1])).meets(sides[-1])


Forms = tuple[tuple[Terms, Number], ...]  # a linear form for each player

_RELATIONS = {1: ">", 0: "=", -1: "<", 2: ">=", -2: "<="}


@dataclass(frozen=True)
class RegionOutcome:
    """The answer in one part of the unknowns' space, the same at all of its points: the value, the best actions, the
    pruned paths, the pure equilibria. A question that was not asked has None."""

    value: Forms | None = None
    best: tuple[str, ...] | None = None
    pruned: tuple[Path, ...] | None = None
    equilibria: tuple[tuple[str, ...], ...] | None = None


def forms(value: Sequence[Any]) -> Forms:
    """The forms or numbers of a vector as data, terms and constant of each."""
    return tuple(parts(number) for number in value)


# ---- Stretches of one unknown's line ------------------------------------------------------------------------------


def intervals(root: RegionNode[RegionOutcome], whole: Region, names: Sequence[str]) -> dict[str, tuple[Interval, ...]]:
    """For each unknown the longest stretches of its line in which the answer is the same, in order."""
    leaves = list(root.leaves())
    return {name: tuple(piece.interval() for piece in _pieces(name, leaves, whole)) for name in names}


def _pieces(name: str, leaves: Sequence[RegionNode[RegionOutcome]], whole: Region) -> list[StretchAnswer]:
    extents = [(leaf, leaf.region.extent(name)) for leaf in leaves]
    found: list[StretchAnswer] = []
    for cell in _cells(name, [whole.extent(name), *(extent for _, extent in extents)]):
        here = [leaf for leaf, extent in extents if extent.holds(number_inside(cell))]
        if not here:
            continue
        found = _with_next(found, StretchAnswer.from_regions(cell, _answers(here), here))
    return found


def _with_next(found: list[StretchAnswer], piece: StretchAnswer) -> list[StretchAnswer]:
    joined = found[-1].merge_with(piece) if found else None
    return [*found[:-1], joined] if joined else [*found, piece]


def stretches(
    whole: UnknownInterval, numbers: Iterable[Number], ask: Callable[[UnknownInterval], StretchAnswer]
) -> tuple[Interval, ...]:
    """The longest stretches of an unknown's line in which the answer is the same, if it changes only at these numbers;
    `ask` gives the answer on a stretch between two of them, or at one."""
    found: list[StretchAnswer] = []
    for cell in _cells(whole.name, [whole, *(UnknownInterval(whole.name, one, one) for one in numbers)]):
        if whole.holds(number_inside(cell)):
            found = _with_next(found, ask(cell))
    return tuple(piece.interval() for piece in found)


def _answers(leaves: Iterable[RegionNode[RegionOutcome]]) -> list[RegionOutcome]:
    return [leaf.answer for leaf in leaves if leaf.answer is not None]


def _cells(name: str, extents: Sequence[UnknownInterval]) -> Iterator[UnknownInterval]:
    """The line cut at all ends of the stretches: open stretches, and the points between them, in order."""
    ends = sorted({end for extent in extents for end in (extent.low, extent.high) if end is not None})
    for low, high in zip([None, *ends], [*ends, None], strict=True):
        yield UnknownInterval(name, low, high)
        if high is not None:
            yield UnknownInterval(name, high, high, True, True)


def number_inside(stretch: UnknownInterval) -> Number:
    """A number in the stretch."""
    low, high = stretch.low, stretch.high
    if low is None or high is None:
        return low + 1 if low is not None else high - 1 if high is not None else 0
    return exact(Fraction(low + high) / 2)


@dataclass(frozen=True)
class StretchAnswer:
    """A stretch of one unknown's line, with the parts of the answer that are the same for all values of the other
    unknowns (None where they differ), and the names of the unknowns that they depend on."""

    stretch: UnknownInterval
    answer: RegionOutcome
    depends: tuple[str, ...]

    @classmethod
    def from_regions(
        cls, stretch: UnknownInterval, answers: Sequence[RegionOutcome], leaves: Sequence[RegionNode[RegionOutcome]]
    ) -> StretchAnswer:
        values = {answer.value for answer in answers}
        names = {name for value in values for terms, _ in value or () for name, _ in terms}
        differ = [part for part in _PARTS if len({getattr(answer, part) for answer in answers}) > 1]
        differ += [] if len(values) == 1 and names <= {stretch.name} else ["value"]
        common = replace(answers[0], **dict.fromkeys(differ))
        return cls(stretch, common, _other_unknowns(stretch.name, leaves) if differ else ())

    def values_at(self, point: Number) -> tuple[Number, ...] | None:
        return None if self.answer.value is None else tuple(_evaluate_at(form, point) for form in self.answer.value)

    def merge_with(self, later: StretchAnswer) -> StretchAnswer | None:
        """This stretch and the next later one as one, if their answers agree; else None."""
        mine, other = self.answer, later.answer
        points = [point for point in (self.stretch.point, later.stretch.point) if point is not None]
        agree = mine.value == other.value or any(self.values_at(point) == later.values_at(point) for point in points)
        if not agree or (replace(mine, value=None), self.depends) != (replace(other, value=None), later.depends):
            return None
        answer = other if self.stretch.point is not None else mine
        return StretchAnswer(self.stretch.joined_with(later.stretch), answer, self.depends)

    def interval(self) -> Interval:
        stretch, answer = self.stretch, self.answer
        told: tuple[Number | str, ...] | None = None
        if answer.value is not None:
            told = self.values_at(stretch.point) if stretch.point is not None else tuple(map(_form_text, answer.value))
        closed = stretch.has_low, stretch.has_high
        parts = answer.best, told, answer.pruned, answer.equilibria
        return Interval(stretch.low, stretch.high, closed, *parts, self.depends)


_PARTS = ("best", "pruned", "equilibria")


def _other_unknowns(name: str, leaves: Sequence[RegionNode[RegionOutcome]]) -> tuple[str, ...]:
    """The unknowns, other than `name`, that bound the parts or occur in their values, in the order of the file."""
    regions = [leaf.region for leaf in leaves if isinstance(leaf.region, Polyhedron)]
    spoken = [side.terms for region in regions for side in region.sides]
    spoken += [terms for answer in _answers(leaves) for terms, _ in answer.value or ()]
    found = {other for terms in spoken for other, _ in terms} - {name}
    return tuple(other for other in (regions[0].names if regions else ()) if other in found)


def _evaluate_at(form: tuple[Terms, Number], point: Number) -> Number:
    terms, constant = form
    return exact(sum((slope * point for _, slope in terms), Fraction(constant)))


def _form_text(form: tuple[Terms, Number]) -> Number | str:
    terms, constant = form
    return text(terms, constant) if terms else constant


# ---- Conditions ---------------------------------------------------------------------------------------------------


def conditions(
    root: RegionNode[RegionOutcome], whole: Region, *, actions: Sequence[str] = (), first: int | None = None
) -> tuple[Condition, ...]:
    """The conditions under which each of the `actions` is best, the value has each of its forms, each subtree is
    pruned, and each pure profile is an equilibrium. Values are those of the player `first`; None: vectors of all
    players' values."""
    teller = _OneUnknown(root, whole) if isinstance(whole, UnknownInterval) else _SeveralUnknowns(root, whole)
    answers = _answers(root.leaves())
    skipped = sorted({path for answer in answers for path in answer.pruned or ()})
    profiles = sorted({profile for answer in answers for profile in answer.equilibria or ()})

    def cases(part: str, item: Any) -> tuple[tuple[str, ...], ...]:
        return teller.cases(lambda answer: item in (getattr(answer, part) or ()))

    found = [Condition("best", (action,), cases("best", action)) for action in actions]
    found += teller.values(first)
    found += [Condition("pruned", path, cases("pruned", path)) for path in skipped]
    found += [Condition("equilibrium", profile, cases("equilibria", profile)) for profile in profiles]
    return tuple(condition for condition in found if condition.cases)


def _value_text(value: Forms, first: int | None) -> str:
    told = [_form_text(form) for form in value]
    if first is not None:
        return str(told[first]) if isinstance(told[first], str) else to_text(told[first])  # type: ignore[arg-type]
    return f"({', '.join(map(str, told))})"


class _OneUnknown:
    """The writer of conditions on one unknown, as stretches of its line."""

    def __init__(self, root: RegionNode[RegionOutcome], whole: UnknownInterval):
        self.whole = whole
        found = [(leaf.region.extent(whole.name), leaf.answer) for leaf in root.leaves() if leaf.answer is not None]
        self.leaves: list[tuple[UnknownInterval, RegionOutcome]] = sorted(
            found, key=lambda leaf: number_inside(leaf[0])
        )

    def cases(self, question: Callable[[RegionOutcome], bool]) -> tuple[tuple[str, ...], ...]:
        return self._stretches_where([question(answer) for _, answer in self.leaves])

    def _stretches_where(self, holds: Sequence[bool]) -> tuple[tuple[str, ...], ...]:
        """The longest stretches whose parts are all marked True in `holds`, in words."""
        found: list[UnknownInterval] = []
        for number, (stretch, _) in enumerate(self.leaves):
            if holds[number] and number and holds[number - 1]:
                stretch = found.pop().joined_with(stretch)
            found += [stretch] if holds[number] else []
        return tuple(_stretch_text(stretch, self.whole) for stretch in found)

    def values(self, first: int | None) -> list[Condition]:
        """Conditions for each piece of the value, from left to right. At a breakpoint two pieces may agree."""
        pieces: dict[Forms, None] = {}
        for points in (False, True):
            for stretch, answer in self.leaves:
                fits = any(_agree(stretch, answer.value, piece) for piece in pieces)
                if answer.value is not None and (stretch.point is not None) == points and not fits:
                    pieces[answer.value] = None
        found = []
        for piece in pieces:
            cases = self._stretches_where([_agree(stretch, answer.value, piece) for stretch, answer in self.leaves])
            found.append(Condition("value", (_value_text(piece, first),), cases))
        return found


def _agree(stretch: UnknownInterval, value: Forms | None, piece: Forms) -> bool:
    """True if all over the stretch the value equals that of the piece."""
    if value is None or stretch.point is None:
        return value == piece
    return all(
        _evaluate_at(mine, stretch.point) == _evaluate_at(its, stretch.point)
        for mine, its in zip(value, piece, strict=True)
    )


def _stretch_text(stretch: UnknownInterval, whole: UnknownInterval) -> tuple[str, ...]:
    """The stretch in words, such as `x <= 4`, `2 < x < 3`, `x = 4`, in a tuple; () if it is the unknown's whole
    line."""
    name = stretch.name
    low = None if (stretch.low, stretch.has_low) == (whole.low, whole.has_low) else stretch.low
    high = None if (stretch.high, stretch.has_high) == (whole.high, whole.has_high) else stretch.high
    if stretch.point is not None:
        return (f"{name} = {to_text(stretch.point)}",)
    if low is not None and high is not None:
        signs = ["<=" if closed else "<" for closed in (stretch.has_low, stretch.has_high)]
        return (f"{to_text(low)} {signs[0]} {name} {signs[1]} {to_text(high)}",)
    if low is not None:
        return (f"{name} {'>=' if stretch.has_low else '>'} {to_text(low)}",)
    return () if high is None else (f"{name} {'<=' if stretch.has_high else '<'} {to_text(high)}",)


class _SeveralUnknowns:
    """The writer of conditions on several unknowns, as comparisons between them."""

    def __init__(self, root: RegionNode[RegionOutcome], whole: Polyhedron):
        self.root, self.whole = root, whole

    def cases(self, question: Callable[[Any], bool]) -> tuple[tuple[str, ...], ...]:
        regions = [leaf.region for leaf in self.root.leaves() if not question(leaf.answer)]
        outside = [region.sides for region in regions if isinstance(region, Polyhedron)]
        cases = simplify_cases(self.whole, when(self.root, question), outside)
        return tuple(tuple(map(side_text, case)) for case in cases)

    def values(self, first: int | None) -> list[Condition]:
        found = []
        for value in dict.fromkeys(answer.value for answer in _answers(self.root.leaves())):
            if value is not None:
                cases = self.cases(lambda answer, value=value: answer.value == value)  # type: ignore[misc]
                found.append(Condition("value", (_value_text(value, first),), cases))
        return found


def side_text(side: Side) -> str:
    """A side in words, such as `x <= 4`, `x > y`, `2*x + y >= 7`: with whole coefficients, and no negative ones where
    that can be avoided."""
    terms, constant, sign = side
    scale = lcm(*(Fraction(number).denominator for number in (*(c for _, c in terms), constant)))
    if all(coefficient < 0 for _, coefficient in terms):
        scale, sign = -scale, -sign
    amounts = [(name, exact(coefficient * scale)) for name, coefficient in terms]
    number = exact(constant * scale)
    left = tuple((name, amount) for name, amount in amounts if amount > 0)
    right = tuple((name, -amount) for name, amount in amounts if amount < 0)
    shown = text(right, -number) if right or number <= 0 else to_text(-number)
    return f"{text(left, 0)} {_RELATIONS[sign]} {shown}"
