"""Terms: what a value is in any position, written over the cells of the state. Equal terms are one object.

A term is an operator, a label and its parts, each part at a place of the operator. Parts at the same place may change
places with each other (those of `and`, of `=`, of a sum with equal factors), so a renaming of the leaves turns terms
into terms by renaming their parts and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gdl.model.domains import TRUTH, Named, Optional, Type

Parts = tuple[tuple[Any, int], ...]
Key = tuple[str, Any, Parts]


class TermsTooLarge(Exception):
    """Raised where the rules are too long when they are written out."""


class Term:
    """A value that depends on the position. Its type says which values it may have."""

    __slots__ = ("id", "type")

    def __init__(self, id: int, type: Type):
        self.id, self.type = id, type


Truth = bool | Term


class Terms:
    """All terms of one game. `keys[id]` is the operator, label and parts of the term with this number; parts have lower
    numbers than the terms that have them."""

    def __init__(self, most: int, work: int):
        self.most, self.left = most, work
        self.keys: list[Key] = []
        self._known: dict[Key, Term] = {}
        self._made: list[Term] = []  # by their numbers
        self._joined: dict[frozenset[int], Truth] = {}

    def make(self, operator: str, label: Any, parts: Iterable[tuple[Any, int]], type: Type = TRUTH) -> Term:
        key = (operator, label, tuple(sorted(parts)))
        self.spend(len(key[2]))
        found = self._known.get(key)
        if found is None:
            if len(self.keys) >= self.most:
                raise TermsTooLarge
            found = self._known[key] = Term(len(self.keys), type)
            self.keys.append(key)
            self._made.append(found)
        return found

    def spend(self, work: int) -> None:
        """Count work; raises TermsTooLarge when more was done than is allowed."""
        self.left -= work
        if self.left < 0:
            raise TermsTooLarge

    def find(self, key: Key) -> int | None:
        """The number of the term with this key; None if there is no such term yet."""
        found = self._known.get(key)
        return None if found is None else found.id

    def term_at(self, id: int) -> Term:
        """The term with this number."""
        return self._made[id]

    # -- leaves ---------------------------------------------------------------------------------------------

    def cell(self, place: int, type: Type) -> Term:
        """A term for the value of a cell of the state."""
        return self.make("cell", (str(type), place), (), type)

    def member(self, place: int, item: Type, ordinal: int) -> Term:
        """A term for the condition that a value is in the set that a cell holds."""
        holder = self.make("set", (str(item), place), ())
        return self.make("member", None, ((0, holder.id), (1, self.constant(item, ordinal).id)))

    def constant(self, type: Type, value: Any) -> Term:
        """A term for a value that is always the same. Values of named types are leaves, which a renaming may
        exchange."""
        type = type.item if isinstance(type, Optional) else type
        if isinstance(type, Named) and isinstance(value, int):
            return self.make("value", (type.name, value), (), type)
        return self.make("plain", repr(value), (), type)

    # -- truths: `and` and `not` say everything ---------------------------------------------------------------

    def negation(self, truth: Truth) -> Truth:
        if isinstance(truth, bool):
            return not truth
        operator, _, parts = self.keys[truth.id]
        if operator == "not":
            return self.term_at(parts[0][1])
        return self.make("not", None, ((0, truth.id),))

    def all_of(self, truths: Iterable[Truth]) -> Truth:
        """The condition that all of these hold. Consequences of some for others are used, so that conditions that
        differ only in the order of cases become equal."""
        found: set[int] = set()
        for truth in truths:
            self.spend(1)
            if truth is False:
                return False
            if truth is not True:
                found.update(self.conjuncts(truth.id))
        asked = frozenset(found)
        if asked not in self._joined:
            self._joined[asked] = self._conjoin(found)
        return self._joined[asked]

    def _conjoin(self, found: set[int]) -> Truth:
        """The conjunction of truths none of which is itself an `and`."""
        while True:
            self.spend(len(found))
            if self._contradict(found):
                return False
            beside = self._beside_one(found)
            told = {also for id in found for also in self._reduce_truth(id, found, beside)}
            if told == found:
                break
            found = told
        if len(found) < 2:
            return self.term_at(found.pop()) if found else True
        return self.make("and", None, [(0, id) for id in found])

    def conjuncts(self, id: int) -> list[int]:
        operator, _, parts = self.keys[id]
        return [part for _, part in parts] if operator == "and" else [id]

    def _reduce_truth(self, id: int, truths: set[int], beside: set[int]) -> list[int]:
        """The conditions that replace a truth in a conjunction with others: beside `a`, `not (a and b)` is only `not
        b`. `beside` are truths known to be false."""
        operator, _, parts = self.keys[id]
        if operator == "not" and parts[0][1] in beside:
            return []
        if operator != "not" or self.keys[parts[0][1]][0] != "and":
            return [id]
        others = [part for _, part in self.keys[parts[0][1]][2]]
        self.spend(len(others))
        if any(self._denial(part) in truths for part in others):
            return []
        rest = [part for part in others if part not in truths]
        if len(rest) == len(others):
            return [id]
        denied = self.negation(self.all_of(self.term_at(part) for part in rest))
        assert isinstance(denied, Term)
        return self.conjuncts(denied.id)

    def _beside_one(self, truths: set[int]) -> set[int]:
        """The truths that must be false, because exactly one of several is true, and another of them is given."""
        found: set[int] = set()
        for id in truths:
            operator, _, parts = self.keys[id]
            if operator == "=" and any(self.keys[part][:2] == ("plain", "1") for _, part in parts):
                for _, part in parts:
                    found |= self._other_truths(part, truths)
        return found

    def _other_truths(self, sum: int, truths: set[int]) -> set[int]:
        """The other truths counted in a sum that is known to be 1, if one of them is given: they must be false. Else
        none."""
        operator, constant, counted = self.keys[sum]
        if operator != "sum" or constant != 0 or any(factor != 1 for factor, _ in counted):
            return set()
        among = {id for _, id in counted}
        given = {id for id in among & truths if self.keys[id][0] != "not"}
        plain = all(self.term_at(id).type is TRUTH for id in among)
        return among - given if given and plain else set()

    def _denial(self, id: int) -> int | None:
        """The number of the negation of this term; None if there is no such term yet."""
        operator, _, parts = self.keys[id]
        return parts[0][1] if operator == "not" else self.find(("not", None, ((0, id),)))

    def _contradict(self, truths: set[int]) -> bool:
        """True if these truths plainly cannot all hold: one denies another, or all of some others, or a term has two
        values."""
        values: dict[int, int] = {}
        for id in truths:
            operator, _, parts = self.keys[id]
            if operator == "not":
                ((_, denied),) = parts
                if denied in truths or all(part in truths for part in self.conjuncts(denied)):
                    return True
            if operator == "=":
                for (_, term), (_, value) in (parts, parts[::-1]):
                    if self.keys[value][0] in ("value", "plain") and values.setdefault(term, value) != value:
                        return True
        return False

    def any_of(self, truths: Iterable[Truth]) -> Truth:
        """The condition that at least one of these holds."""
        return self.negation(self.all_of(self.negation(truth) for truth in truths))

    def conditional(self, condition: Term, then: Term, otherwise: Truth) -> Truth:
        """The condition that `then` holds where `condition` does, and `otherwise` holds elsewhere."""
        if isinstance(otherwise, Term):  # `then` may only add ways in which it holds
            less, more = (self._disjuncts(truth) for truth in (otherwise, then))
            if less <= more:
                added = self.any_of(self.term_at(id) for id in more - less)
                return self.any_of((otherwise, self.all_of((condition, added))))
        return self.any_of((self.all_of((condition, then)), self.all_of((self.negation(condition), otherwise))))

    def _disjuncts(self, truth: Term) -> set[int]:
        """The numbers of the truths that a disjunction joins."""
        denial = self.negation(truth)
        assert isinstance(denial, Term)
        found = {self.negation(self.term_at(id)) for id in self.conjuncts(denial.id)}
        return {part.id for part in found if isinstance(part, Term)}

    def parts_of(self, root: Term) -> Iterator[int]:
        """The numbers of all terms of which a term is made, itself included, parts before the terms that have them."""
        needed = [False] * (root.id + 1)
        needed[root.id] = True
        for id in range(root.id, -1, -1):
            if needed[id]:
                for _, part in self.keys[id][2]:
                    needed[part] = True
        return (id for id, used in enumerate(needed) if used)
