"""A second interpreter of Stanford's Game Description Language, which shares nothing with gdl's: it reads brackets by
itself, and asks from the goal down to the facts (gdl goes from facts up to what follows).

A goal with variables is asked once for each pattern (tabling: H. Tamaki, T. Sato 1986). Where it comes back to itself,
it takes the answers known by then, and the whole is asked again until nothing is new. What is negated is asked to its
end before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Term = Any  # a word, ('?', name) for a variable, or a tuple of a function's name and arguments
Bindings = dict[str, Term]


def read(text: str) -> list[Term]:
    """The forms of a file as nested tuples."""
    stack: list[list[Term]] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text.lower())):
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = tuple(stack.pop())
            stack[-1].append(inner if len(inner) > 1 else inner[0])  # (f) is f
        else:
            stack[-1].append(("?", word) if word[0] == "?" else word)
    return stack[0]


def fill(term: Term, known: Bindings) -> Term:
    """The term with all known variables replaced by their values."""
    if isinstance(term, str):
        return term
    if term[0] == "?":
        return known.get(term[1], term)
    return tuple(fill(part, known) for part in term)


def match(pattern: Term, term: Term, known: Bindings) -> Bindings | None:
    """The bindings, more than those in `known`, that make a pattern equal to a term without variables; None if there
    are none."""
    if isinstance(pattern, str):
        return known if pattern == term else None
    if pattern[0] == "?":
        if pattern[1] in known:
            return known if known[pattern[1]] == term else None
        return {**known, pattern[1]: term}
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    found: Bindings | None = known
    for one, other in zip(pattern, term, strict=True):
        found = match(one, other, found) if found is not None else None
    return found


def _canonical(goal: Term, names: dict[str, str]) -> Term:
    if isinstance(goal, str):
        return goal
    if goal[0] == "?":
        return ("?", names.setdefault(goal[1], f"?{len(names)}"))
    return tuple(_canonical(part, names) for part in goal)


def _may_meet(head: Term, goal: Term) -> bool:
    """False if a head and a goal surely do not match, since they have different words at some place."""
    if isinstance(head, str) or isinstance(goal, str):
        return head == goal or "?" in (head[0], goal[0])
    if "?" in (head[0], goal[0]):
        return True
    return len(head) == len(goal) and all(map(_may_meet, head, goal))


def relation_of(atom: Term) -> str:
    return atom if isinstance(atom, str) else str(atom[0])


class ClausesEvaluator:
    """The clauses of a file by relation, and the answers to goals that are the same in every position."""

    def __init__(self, text: str):
        self.rules: dict[str, list[tuple[Term, tuple[Term, ...]]]] = {}
        for form in read(text):
            head, body = (form, ()) if isinstance(form, str) or form[0] != "<=" else (form[1], form[2:])
            self.rules.setdefault(relation_of(head), []).append((head, body))
        self.moving = {"true", "does"}
        size = 0
        while size < len(self.moving):
            size = len(self.moving)
            self.moving |= {name for name, own in self.rules.items()
                            if any(self._touches(part) for _, body in own for part in body)}  # fmt: skip
        self.always: dict[Term, set[Term]] = {}
        self.roles = [head[1] for head, _ in self.rules["role"]]

    def _touches(self, part: Term) -> bool:
        if not isinstance(part, str) and part[0] in ("not", "or", "and"):
            return any(map(self._touches, part[1:]))
        return relation_of(part) in self.moving

    def start(self) -> frozenset[Term]:
        return frozenset(atom[1] for atom in self.ask(("init", ("?", "f")), frozenset()))

    def ask(self, goal: Term, facts: frozenset[Term], moves: dict[str, Term] | None = None) -> set[Term]:
        """All instances of a goal that hold."""
        return _Question(self, facts, moves or {}).answers(goal)


class Position:
    """A position, given by its facts: whether it is an end, each role's moves and payoff, and the facts after a joint
    move."""

    def __init__(self, game: ClausesEvaluator, facts: frozenset[Term]):
        self.game, self.facts = game, facts
        self.question = _Question(game, facts, {})

    @property
    def is_over(self) -> bool:
        return bool(self.question.answers("terminal"))

    def legal(self, role: str) -> set[Term]:
        return {atom[2] for atom in self.question.answers(("legal", role, ("?", "m")))}

    def goal(self, role: str) -> set[Term]:
        return {atom[2] for atom in self.question.answers(("goal", role, ("?", "g")))}

    def after(self, moves: dict[str, Term]) -> frozenset[Term]:
        return frozenset(atom[1] for atom in self.game.ask(("next", ("?", "f")), self.facts, moves))


class _Question:
    """The answers to goals in one position, with one joint move to come (for goals such as `next`)."""

    def __init__(self, game: ClausesEvaluator, facts: frozenset[Term], moves: dict[str, Term]):
        self.game = game
        self.given = {"true": [("true", fact) for fact in facts],
                      "does": [("does", role, move) for role, move in moves.items()]}  # fmt: skip
        self.tables: dict[Term, set[Term]] = {}
        self.whole: set[Term] = set()  # goals whose answers are complete
        self.grown, self.round = False, set[Term]()  # of the goal that is asked again and again
        self.is_fixed = False  # whether it holds in every position

    def answers(self, goal: Term) -> set[Term]:
        key = _canonical(goal, {})
        is_fixed = relation_of(key) not in self.game.moving
        if is_fixed and key in self.game.always:
            return self.game.always[key]
        outer = self.grown, self.round, self.is_fixed
        self.is_fixed = is_fixed
        while key not in self.whole:
            self.grown, self.round = False, set[Term]()
            self._extend(key)
            if not self.grown:
                self.whole |= self.round
        self.grown, self.round, self.is_fixed = outer
        if is_fixed:
            self.game.always[key] = self.tables[key]
        return self.tables[key]

    def _extend(self, key: Term) -> set[Term]:
        """Add the answers that one round of the clauses gives to a goal. Returns all that are known by then."""
        if not self.is_fixed and relation_of(key) not in self.game.moving:
            return self.answers(key)
        table = self.tables.setdefault(key, set())
        if key in self.whole or key in self.round:
            return table
        self.round.add(key)
        name, before = relation_of(key), len(table)
        if name in self.given:
            table.update(atom for atom in self.given[name] if match(key, atom, {}) is not None)
        for head, body in self.game.rules.get(name, ()):
            if name not in self.given and _may_meet(head, key):
                bound = match(head, key, {}) if not _is_open(key) else self._bind(head, key)
                if bound is not None:
                    met = (fill(head, known) for known in self._ways(list(body), bound))
                    table.update(atom for atom in met if match(key, atom, {}) is not None)
        self.grown |= len(table) > before
        return table

    @staticmethod
    def _bind(head: Term, key: Term) -> Bindings:
        """The values that a goal gives to the variables of a clause's head."""
        found: Bindings = {}
        if not isinstance(head, str):
            for part, asked in zip(head[1:], key[1:], strict=False):
                if not isinstance(part, str) and part[0] == "?" and not _is_open(asked):
                    found.setdefault(part[1], asked)
        return found

    def _ways(self, body: list[Term], known: Bindings) -> Iterator[Bindings]:
        """The bindings for which a body holds. Tests (`not`, `distinct`) are made as soon as all their variables are
        bound."""
        if not body:
            yield known
            return
        ready = (k for k, part in enumerate(body) if _is_test(part) and not _is_open(fill(part, known)))
        place = next(ready, next((k for k, part in enumerate(body) if not _is_test(part)), 0))
        part, rest = body[place], body[:place] + body[place + 1 :]
        word = relation_of(part)
        if word == "or":
            for choice in part[1:]:
                yield from self._ways([choice, *rest], known)
        elif word == "and":
            yield from self._ways([*part[1:], *rest], known)
        elif word == "distinct":
            if fill(part[1], known) != fill(part[2], known):
                yield from self._ways(rest, known)
        elif word == "not":
            if not self.answers(fill(part[1], known)):
                yield from self._ways(rest, known)
        else:
            goal = fill(part, known)
            for atom in list(self._extend(_canonical(goal, {}))):
                bound = match(goal, atom, known)
                if bound is not None:
                    yield from self._ways(rest, bound)


def _is_test(part: Term) -> bool:
    return not isinstance(part, str) and part[0] in ("not", "distinct")


def _is_open(term: Term) -> bool:
    """True if a term has variables."""
    return not isinstance(term, str) and (term[0] == "?" or any(map(_is_open, term[1:])))
