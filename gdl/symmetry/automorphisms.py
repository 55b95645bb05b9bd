"""The renamings of leaves that turn a term into itself: partitions refined until they tell, and a proof of each.

1. Give every term a colour: its operator and label; leaves of the same kind look alike.
2. Refine: colour anew by the colours of the parts and of the terms that it is part of, until nothing changes.
3. Follow a first leaf of a colour that several share, and say that it becomes another of them; refine both copies in
   step. Where their colours part, no renaming does it; where every leaf is told apart, they pair the leaves.
4. Prove the pairing: rename the leaves, build every term again from its renamed parts; the last must be the first.
5. Fixing one leaf after another gives a chain of groups; the orbits in it give the order of the whole.

Brendan McKay, "Practical graph isomorphism" (1981); Charles Sims, "Computational methods in the study of permutation
groups" (1970). Only step 4 is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from gdl.symmetry.terms import Term, Terms

LEAVES = ("cell", "set", "value", "spot")
MOST_REFINED = 40_000_000  # terms coloured again, over the whole search

Renaming = dict[int, int]  # leaf -> leaf
Colours = list[int]
Point = TypeVar("Point")


@dataclass(frozen=True, slots=True)
class RenamingGenerators:
    """Generators of the symmetries found: `keeping`, which leave the values of a type as they are, and `others`. `kept`
    and `order` are the numbers of symmetries that the first, and that all of them generate; `complete` is False if the
    search was stopped."""

    keeping: tuple[Renaming, ...]
    others: tuple[Renaming, ...]
    kept: int
    order: int
    complete: bool


class _WorkExceeded(Exception):
    """Raised when the search has done all the work that it is allowed."""


def search(terms: Terms, root: Term, keep: str) -> RenamingGenerators:
    """The group of renamings that turn the root into itself, and in it the group of those that leave the values of the
    type `keep` as they are."""
    return _Search(terms, root, keep).run()


def moving(terms: Terms, root: Term, one: int, other: int) -> Renaming | None:
    """A renaming that turns the root into itself and the leaf `one` into `other`; None if none is found."""
    try:
        return _Search(terms, root, "").moving(one, other)
    except _WorkExceeded:
        return None


def is_automorphism(terms: Terms, order: Sequence[int], leaves: Renaming, root: int) -> bool:
    """True if the root, built again with renamed leaves, is the same term. `order` are the terms below it, parts before
    the terms that have them."""
    new: dict[int, int] = {}
    for id in order:
        if id in leaves:
            new[id] = leaves[id]
            continue
        operator, label, parts = terms.keys[id]
        found = terms.find((operator, label, tuple(sorted([(place, new[part]) for place, part in parts]))))
        if found is None:
            return False
        new[id] = found
    return new[root] == root


def orbit_of(start: set[Point], images: Sequence[Callable[[Point], Point]]) -> set[Point]:
    """The points that are reached from `start` by applying the functions any number of times, `start` included."""
    found, work = set(start), list(start)
    while work:
        point = work.pop()
        for image in images:
            if (other := image(point)) not in found:
                found.add(other)
                work.append(other)
    return found


class _Search:
    def __init__(self, terms: Terms, root: Term, keep: str):
        self.terms, self.root = terms, root.id
        self.order = list(terms.below(root))
        number = {id: i for i, id in enumerate(self.order)}
        self.leaves = [i for i, id in enumerate(self.order) if terms.keys[id][0] in LEAVES]
        self.keep = {i for i in self.leaves if self._kind(self.order[i]) == ("value", keep)}
        self.leaves.sort(key=lambda leaf: leaf not in self.keep)  # they are fixed first
        self.links: list[list[tuple[int, int]]] = [[] for _ in self.order]  # (place, other term)
        places: dict[object, int] = {}
        for i, id in enumerate(self.order):
            operator, _, parts = terms.keys[id]
            for place, part in parts:
                mark = places.setdefault((operator, place), len(places))
                self.links[i].append((2 * mark, number[part]))
                self.links[number[part]].append((2 * mark + 1, i))
        self.work = MOST_REFINED

    def run(self) -> RenamingGenerators:
        colours = self._kinds()
        generators: list[Renaming] = []
        kept = size = 1
        keeping, complete = 0, True
        try:
            start = self._refine_colours([colours], [set(range(len(colours)))])
            assert start is not None
            for colours, first, alike in reversed(self._stabiliser_chain(start[0])):
                size *= self._orbit(colours, first, alike, generators)
                if first not in self.keep:
                    kept, keeping = size, len(generators)
        except _WorkExceeded:
            complete = False
        ids = self.order
        found = [{ids[a]: ids[b] for a, b in g.items()} for g in generators]
        return RenamingGenerators(tuple(found[:keeping]), tuple(found[keeping:]), kept, size, complete)

    def moving(self, one: int, other: int) -> Renaming | None:
        """A renaming that turns one leaf into another; see the function `moving`."""
        colours = self._kinds()
        start = self._refine_colours([colours], [set(range(len(colours)))])
        assert start is not None
        copies = self._individualise([start[0], start[0]], [self.order.index(leaf) for leaf in (one, other)])
        found = None if copies is None else self._find_renaming(*copies)
        return None if found is None else {self.order[a]: self.order[b] for a, b in found.items()}

    def _kinds(self) -> Colours:
        """The colours at the beginning: equal for leaves of the same kind."""
        kinds: dict[object, int] = {}
        return [kinds.setdefault(self._kind(id), len(kinds)) for id in self.order]

    def _kind(self, id: int) -> object:
        operator, label, _ = self.terms.keys[id]
        return (operator, label[0]) if operator in LEAVES else (operator, label)

    # -- the chain of groups --------------------------------------------------------------------------------

    def _stabiliser_chain(self, colours: Colours) -> list[tuple[Colours, int, list[int]]]:
        """The leaves that are fixed one after another, each with the colours before it was fixed and the leaves that
        then had its colour."""
        chain = []
        while (alike := self._alike(colours)) is not None:
            chain.append((colours, alike[0], alike))
            refined = self._individualise([colours], [alike[0]])
            assert refined is not None
            (colours,) = refined
        return chain

    def _alike(self, colours: Colours) -> list[int] | None:
        """The leaves of the first colour that several leaves have; None if all leaves differ in colour."""
        classes: dict[int, list[int]] = {}
        for leaf in self.leaves:
            classes.setdefault(colours[leaf], []).append(leaf)
        return next((leaves for leaves in classes.values() if len(leaves) > 1), None)

    def _orbit(self, colours: Colours, first: int, alike: list[int], generators: list[Renaming]) -> int:
        """The number of leaves into which `first` can be turned. The renamings found for this are added to the
        generators."""
        reached, failed = {first}, set[int]()
        for other in alike:
            if other in reached or other in failed:
                continue
            copies = self._individualise([colours, colours], [first, other])
            renaming = None if copies is None else self._find_renaming(*copies)
            if renaming is None:
                failed |= orbit_of({other}, [one.__getitem__ for one in generators])
            else:
                generators.append(renaming)
                reached = orbit_of(reached, [one.__getitem__ for one in generators])
        return len(reached)

    def _find_renaming(self, left: Colours, right: Colours) -> Renaming | None:
        """A renaming that turns the leaf of each colour on the left into one of that colour on the right, and is proved
        to turn the root into itself; None if there is none."""
        alike = self._alike(left)
        if alike is None:
            at = {right[leaf]: leaf for leaf in self.leaves}
            pairs = {leaf: at[left[leaf]] for leaf in self.leaves}
            ids = self.order
            if is_automorphism(self.terms, ids, {ids[a]: ids[b] for a, b in pairs.items()}, self.root):
                return pairs
            return None
        first = alike[0]
        for other in self.leaves:
            if right[other] == left[first]:
                copies = self._individualise([left, right], [first, other])
                found = None if copies is None else self._find_renaming(*copies)
                if found is not None:
                    return found
        return None

    # -- colours --------------------------------------------------------------------------------------------

    def _individualise(self, copies: list[Colours], leaves: list[int]) -> list[Colours] | None:
        """The colours of the copies, refined after one leaf in each was given a new colour, the same in all copies;
        None where the copies then differ."""
        copies = [list(colours) for colours in copies]
        new = max(copies[0]) + 1
        for colours, leaf in zip(copies, leaves, strict=True):
            colours[leaf] = new
        return self._refine_colours(copies, [{leaf} for leaf in leaves])

    def _refine_colours(self, copies: list[Colours], changed: list[set[int]]) -> list[Colours] | None:
        """The colours of one or two copies, refined in step, beginning with the terms whose colours `changed`; None
        where the copies come to differ."""
        links, count = self.links, max(copies[0]) + 1
        sizes: dict[int, int] = {}
        for colour in copies[0]:
            sizes[colour] = sizes.get(colour, 0) + 1
        while any(changed):
            split: dict[int, dict[object, list[list[int]]]] = {}
            for copy, (colours, marked) in enumerate(zip(copies, changed, strict=True)):
                touched = {other for i in marked for _, other in links[i]} | marked
                self.work -= len(touched)
                for i in sorted(touched):
                    mark = tuple(sorted([(place, colours[other]) for place, other in links[i]]))
                    split.setdefault(colours[i], {}).setdefault(mark, [[] for _ in copies])[copy].append(i)
            if self.work < 0:
                raise _WorkExceeded
            changed = [set() for _ in copies]
            for colour, marks in split.items():
                groups = sorted(marks.values(), key=lambda group: -len(group[0]))
                if any(len(group[0]) != len(found) for group in groups for found in group):
                    return None
                whole = sum(len(group[0]) for group in groups) == sizes[colour]
                for group in groups[1:] if whole else groups:  # the largest, or those untouched, keep the colour
                    for copy, found in enumerate(group):
                        for i in found:
                            copies[copy][i] = count
                        changed[copy].update(found)
                    sizes[colour] -= len(group[0])
                    sizes[count] = len(group[0])
                    count += 1
        return copies
