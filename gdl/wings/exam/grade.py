"""Grading a student's answers about a tree (gdl/wings/exam/reading.py), item by item, and finding the first wrong step.

An answer that is partly right gets half the points; one that may mean several things is asked about, and counts
nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from pathlib import PurePath
from textwrap import shorten
from typing import Any

from gdl.errors import Refusal, listing
from gdl.explain.key import BEST, CUT, Key, key
from gdl.explain.names import MAX_NAMED_NODES
from gdl.formats.spreadsheet import csv_table
from gdl.game import Chance, Decision, Game, Number, exact
from gdl.numbers import amount_text, decimals, read_number, to_text
from gdl.render.cut_text import SIGNS
from gdl.render.text import wrap_and_join, wrap_lines
from gdl.render.trace import Crossing
from gdl.solution import Event, Path, Solution
from gdl.wings.exam.answers import AskedItem, GradeAnswer, MarkAnswer, WrongItem
from gdl.wings.exam.phrases import ENGLISH, NO_ISOLATES, Words
from gdl.wings.exam.reading import Answers as Answers
from gdl.wings.exam.reading import StudentClaim as StudentClaim
from gdl.wings.exam.reading import hanzi_figure, is_nothing, read_intervals
from gdl.wings.exam.reading import read as read
from gdl.wings.exam.window_texts import window_text, with_roots_rounded

# Follow-on marks: what a node would return if what the student wrote below it were right.
#
# So one mistake counts once: who backs up a wrong number correctly has done that step.

Amount = Number | tuple[Number, ...]
MOST_TIED = 1_000  # vectors that a node may return because of ties


def child_results(key: Key, path: Path) -> list[tuple[Path, Event]]:
    """The children of a node that the search visited, each with its last event, which holds the result."""
    ends = ("leaf", "leave")
    last = {one.event.node: one.event for one in key.told if one.event.event in ends}
    return [(child, last[child]) for child in key.names.nodes.children(path) if child in last]


def following(key: Key, path: Path, written: Mapping[Path, Amount]) -> set[Amount]:
    """The values that a node may return, given the amounts that the student has `written` for its children; children
    without one count with their right values. Empty if nothing was written or no value follows; several if all right
    values are equal, so that it is unclear whether the node takes the greatest or the least."""
    children = child_results(key, path)
    right = [event.value for _, event in children]
    told = [written.get(child, event.value) for child, event in children]
    vectors = [amount for amount in told if isinstance(amount, tuple)]
    numbers = [amount for amount in told if amount is not None and not isinstance(amount, tuple)]
    node = key.names.nodes.node_at(path).node
    if not any(child in written for child, _ in children) or len(told) not in (len(vectors), len(numbers)):
        return set()
    if isinstance(node, Chance):
        weights = [weight for _, weight in node.outcomes]
        average = sum((w * x for w, x in zip(weights, numbers, strict=False)), Fraction(0))
        return {exact(average)} if len(numbers) == len(weights) else set()
    if vectors and isinstance(node, Decision):
        return {max(vectors, key=lambda vector: vector[node.player])}
    return set(chosen(key.nodes[path].value, right, numbers)) if isinstance(node, Decision) else set()


def chosen(value: object, right: Sequence[object], numbers: Sequence[Number]) -> list[Number]:
    """The greatest of the numbers if `value` is the greatest of the `right` ones, and the least if it is the least; so
    both if it is both, and neither if it is neither."""
    known = [number for number in right if isinstance(number, int | Fraction)]
    return [pick(numbers) for pick in (max, min) if known and pick(known) == value]


def tied_vectors(key: Key) -> Mapping[Path, frozenset[Any]]:
    """For each inner node of a max^n search without pruning, all vectors that it may return, as its mover may take any
    of the children that are equally good for them (Luckhardt and Irani 1986); empty for other searches, and where
    there are more than MOST_TIED at a node."""
    found: dict[Path, frozenset[Any]] = {}
    if key.prunes or not any(isinstance(event.value, tuple) for event in key.nodes.values()):
        return found
    for path in key.nodes:  # children before their parents
        node = key.names.nodes.node_at(path).node
        below = [found.get(child, frozenset([event.value])) for child, event in child_results(key, path)]
        if isinstance(node, Chance):
            weights = [weight for _, weight in node.outcomes]
            mixed = islice(product(*below), MOST_TIED + 1)
            found[path] = frozenset(_mean(weights, one) for one in mixed)
        elif isinstance(node, Decision):
            mover = node.player
            sure = max(min(vector[mover] for vector in some) for some in below)
            found[path] = frozenset(vector for some in below for vector in some if vector[mover] >= sure)
        if len(found[path]) > MOST_TIED:
            return {}
    return found


def _mean(weights: Sequence[Number], vectors: Sequence[tuple[Number, ...]]) -> tuple[Number, ...]:
    columns = zip(*vectors, strict=True)
    return tuple(exact(sum((w * x for w, x in zip(weights, own, strict=True)), Fraction(0))) for own in columns)


def tied_actions(key: Key, tied: Mapping[Path, frozenset[Any]]) -> list[Path]:
    """The children of the root that may be best by `tied` vectors, beside those of the key."""
    ends = {child: tied.get(child, frozenset([event.value])) for child, event in child_results(key, ())} if tied else {}
    nodes = key.names.nodes
    return [child for child, own in ends.items()
            if nodes.node_at(child).action not in key.best and not own.isdisjoint(tied[()])]  # fmt: skip


STRICT = "a strict bound"
# How the reasons for marks of leftover text begin.
NOT_READ, UNKNOWN, MAY_STAND = "not read", "no node is called", "it may stand"

# ---- Marks --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mark:
    """The mark of one item: `given` is the student's answer (None: nothing) and `read` how it was understood; `right`
    the right answer (None: nothing is asked for); `share` the part of its points that it gets; `why` the reason, and
    `mistake` its kind. `ambiguous` lists possible meanings of an unclear answer (empty: clear); `by_hand` is true if a
    teacher has decided on it."""

    item: str
    given: str | None
    right: str | None
    share: Number  # 1, a half, or 0
    why: str = ""
    step: int | None = None  # step of the search at which the right answer is found; None: no step
    mistake: str = ""
    read: str | None = None
    ambiguous: tuple[str, ...] = ()
    worth: Number = 1
    by_hand: bool = False

    @property
    def correct(self) -> bool:
        return self.share == 1

    @property
    def counts(self) -> bool:
        """True if the item is asked for, and the answer is clear, or none was read."""
        return self.right is not None and not (self.ambiguous and self.given)

    @property
    def points(self) -> Number:
        return exact(Fraction(self.share * self.worth)) if self.counts else 0

    def to_record(self) -> MarkAnswer:
        return MarkAnswer.fill_from(self, read=self.read or self.given)


@dataclass(frozen=True)
class GradeReport:
    """All marks. Every item of the key counts its points; further statements of the student are marked, but count
    nothing. `first_wrong` is the mark of the earliest mistake, in the order of the search."""

    marks: tuple[Mark, ...]
    first_wrong: Mark | None
    student: str = ""

    @property
    def possible(self) -> Number:
        return exact(sum((Fraction(mark.worth) for mark in self.marks if mark.counts), Fraction(0)))

    @property
    def score(self) -> Number:
        return exact(sum((Fraction(mark.points) for mark in self.marks), Fraction(0)))

    def to_record(self) -> GradeAnswer:
        """The marks as the record for JSON."""
        first = WrongItem(self.first_wrong.item, self.first_wrong.why) if self.first_wrong else None
        return GradeAnswer([mark.to_record() for mark in self.marks], self.score, self.possible, first)


def grade(
    key: Key,
    answers: Answers,
    others: Mapping[str, Key] | None = None,
    *,
    follow_on: bool = False,
    asked: Sequence[AskedItem] = (),
    words: Words = ENGLISH,
) -> GradeReport:
    """The marks of the answers, in the order of the search. `others` are keys under other rules, by their options; a
    mark says so if an answer would be right under one of them. With `follow_on` an answer is right if it would be so
    given the student's own answers below it, so that a mistake counts once. `asked` are the items with their points; by
    default those of the key without windows, one point each.
    The reasons are in `words`."""
    if not key.names.complete:
        raise Refusal(f"a tree of more than {MAX_NAMED_NODES:,} nodes is not graded")
    answers = read_intervals(answers, any(one.item.endswith(" window") for one in asked))
    grader = _Grader(key, others or {}, answers if follow_on else Answers(), words)
    worths, items = {one.item: one.points for one in asked}, {one.item: one for one in asked}
    marks = [*grader.values(answers), *grader.windows(answers, worths)]
    marks += [*grader.lists(answers), *grader.extra_marks(answers)]
    marks = [mark for mark in marks if mark.right is None or not asked or mark.item in items]
    marks = [with_credit(replace(mark, worth=worths.get(mark.item, 1)), items.get(mark.item)) for mark in marks]
    marks = marks_as_told(marks)
    wrong = [mark for mark in marks if mark.share < 1 and not mark.ambiguous and mark.step is not None]
    first = min(wrong, key=lambda mark: mark.step or 0, default=None)
    return GradeReport(tuple(marks), first, answers.student)


def marks_as_told(marks: Sequence[Mark], unclear: Sequence[str] = ()) -> list[Mark]:
    """The marks, with roots rounded; if some text could not be read, or is `unclear`, or names a node that is not
    there, it may hold what seems to be missing, and so every item without an answer is unclear, not blank."""
    marks = [replace(one, right=one.right and with_roots_rounded(one.right), why=with_roots_rounded(one.why))
             for one in marks]  # fmt: skip
    unread = [*unread_phrases(marks), *unclear]
    quoted = shorten("; ".join(filter(None, unread)), 60, placeholder=" …") or "…"
    told = f"{MAY_STAND} in '{quoted}', which was not read"
    open_ = (None, *(mark.given for mark in marks if mark.item == CUT and not mark.correct))  # a list may go on there
    return [replace(mark, why=told, mistake="", ambiguous=(told,))
            if unread and mark.given in open_ and mark.right is not None else mark for mark in marks]  # fmt: skip


def unread_phrases(marks: Sequence[Mark]) -> list[str]:
    """The texts that could not be read, or name a node that is not there."""
    return [(mark.given or "") if mark.item == "?" else f"{mark.item} {mark.given}" for mark in marks
            if mark.right is None and mark.why.startswith((NOT_READ, UNKNOWN))]  # fmt: skip


def may_stand_there(mark: Mark) -> bool:
    """True for an item that may be answered in what could not be read."""
    return mark.why.startswith(MAY_STAND)


def with_credit(mark: Mark, asked: AskedItem | None) -> Mark:
    """The mark, raised if the question lists the answer among those that are right as well, or partly right."""
    said = " ".join((mark.given or "").split()).casefold()
    also, partly = ([text.casefold() for text in some] for some in ((asked.also, asked.partly) if asked else ((), ())))
    share = 1 if said in also else Fraction(1, 2) if said in partly else 0
    return replace(mark, share=share, why="", mistake="", ambiguous=()) if said and share > mark.share else mark


def wrong_extreme(key: Key, path: Path) -> Number | None:
    """The least value of a node's children if its mover takes the greatest, or the greatest if the least; None for a
    node that does not choose between different numbers."""
    value = key.nodes[path].value
    numbers = [event.value for _, event in child_results(key, path) if isinstance(event.value, int | Fraction)]
    chooses = isinstance(key.names.nodes.node_at(path).node, Decision) and not isinstance(value, tuple)
    if not chooses or len(set(numbers)) < 2:
        return None
    return min(numbers) if value == max(numbers) else max(numbers)


class _Grader:
    def __init__(self, key: Key, others: Mapping[str, Key], followed: Answers, words: Words):
        self.key, self.words = key, words
        self.others = others
        self.names = key.names
        self.written = self._claimed_amounts(followed)  # what other answers may follow from
        self.tied = tied_vectors(key)
        self.visited = {one.event.node for one in key.told}
        self.steps = {(one.event.node, one.event.event): number for number, one in enumerate(key.told)}

    def _claimed_amounts(self, answers: Answers) -> dict[Path, Amount]:
        """The amounts that the student wrote at inner nodes, by path."""
        found = ((self.names.path(name), _amount(claim.amount)) for name, claim in answers.claims.items())
        return {p: amount for p, amount in found if p is not None and p in self.key.nodes and amount is not None}

    # -- values -----------------------------------------------------------------------------------------------

    def values(self, answers: Answers) -> list[Mark]:
        given = {self.names.path(name): claim for name, claim in answers.claims.items()}
        unclear = {path: name for name in answers.claims for path in self.names.meanings(name)}
        return [self._value(path, given.get(path), unclear.get(path)) for path in self.key.nodes]

    def _value(self, path: Path, claim: StudentClaim | None, written: str | None) -> Mark:
        name, right, step = self.names.name(path), self.key.value(path), self.steps[path, "leave"]
        if claim is None and written is not None:
            several = tuple(map(self.names.way, self.names.meanings(written)))
            return Mark(name, written, right, 0, f"{written} may be {listing(several, 'or')}", step, ambiguous=several)
        if claim is None:
            return Mark(name, None, right, 0, self._explain_value(path), step, "nothing is written")
        given = f"{claim.sign} {claim.amount}"
        mark = Mark(name, given, right, 1, step=step, read=f"{name} {given}")
        event = self.key.nodes[path]
        if _agrees(claim, self.key, path):
            return mark
        if claim.sign == "=" and _amount(claim.amount) in self.tied.get(path, ()):
            return replace(mark, why=f"as good for {self._mover(path)}; right is {right} too")
        if any(_agrees(claim, self.key, path, amount) for amount in following(self.key, path, self.written)):
            return replace(mark, why=f"it follows from what was written below; right is {right}")
        mistake, why = self._reason_of_mistake(path, claim, event)
        share = Fraction(1, 2) if mistake == STRICT else 0
        why += self._other_rule(lambda key: path in key.nodes and _agrees(claim, key, path))
        return replace(mark, share=share, why=why, mistake=mistake)

    def _other_rule(self, is_right: Callable[[Key], bool]) -> str:
        """A sentence that names the other rules under which the answer would be right; "" if there are none."""
        fitting = [rule for rule, key in self.others.items() if is_right(key)]
        return f" (It would be right with {listing(fitting, 'or')}.)" if fitting else ""

    def _reason_of_mistake(self, path: Path, claim: StudentClaim, event: Event) -> tuple[str, str]:
        """The kind of mistake and the reason in full: a bound taken for a value, the wrong extreme, or another
        number."""
        name, right = self.names.name(path), self.key.value(path)
        said = self._explain_value(path)
        if _amount(claim.amount) is None:
            return "no number", f"'{claim.amount}' is no number; {said}"
        if same_amount(claim.amount, self.key.amount(path)) and event.bound != "exact":
            if claim.sign == right[0]:
                return STRICT, f"{name} {right}, as it may be {amount_text(self.key.amount(path))} itself"
            sort = "a bound taken for a value" if claim.sign == "=" else "the bound on the wrong side"
            skipped = self._skipped_at(path)
            return sort, self.words.why("cut bound" if skipped else "bound", node=f"{name} {right}", skipped=skipped)
        if same_amount(claim.amount, event.value):
            told = f"{name} = {_event_value_text(event)}"
            return "a value taken for a bound", self.words.why("value", node=told)
        wrong = wrong_extreme(self.key, path)
        if wrong is not None and same_amount(claim.amount, wrong):
            greatest = isinstance(event.value, int | Fraction) and event.value > wrong
            kind = "greatest" if greatest else "least"
            return "the wrong extreme", self.words.why(kind, mover=self._mover(path), why=said)
        return "another number", said

    def _explain_value(self, path: Path) -> str:
        """The reason for a node's value, `C <= 2: c1 = 2, then c2 and c3 are skipped`."""
        how = "average" if isinstance(self.names.nodes.node_at(path).node, Chance) else "choice"
        skipped = self._skipped_at(path)
        told = f"{self.names.name(path)} {self.key.value(path)}: {self._choice(path, how)}"
        return f"{told}; {skipped}" if skipped else told

    def _choice(self, path: Path, how: str = "choice") -> str:
        """The choice at a node, `MIN chooses among c1 = 2 and c2 = 4`; `how` names the phrase."""
        children = [f"{self.names.branch(child)} {_claim(event)}" for child, event in child_results(self.key, path)]
        return self.words.why(how, mover=self._mover(path), children=self.words.list(children))

    def _mover(self, path: Path) -> str:
        chance = isinstance(self.names.nodes.node_at(path).node, Chance)
        return self.words["chance"] if chance else self.names.nodes.mover(path)

    def _skipped_at(self, path: Path) -> str:
        roots = [self.names.branch(s.path) for cut in self.key.solution.cuts for s in cut.skipped if cut.node == path]
        many = "skipped one" if len(roots) == 1 else "skipped"
        return self.words.why(many, branches=self.words.list(roots)) if roots else ""

    def windows(self, answers: Answers, asked: Container[str]) -> Iterator[Mark]:
        """The marks of the windows on entry that are asked for; a window with one right end counts half."""
        given = {self.names.path(name): ends for name, ends in answers.windows.items()}
        for path in self.key.nodes:
            item, ends = f"{self.names.name(path)} window", self.key.window(path)
            if item in asked and ends is not None:
                told = given.get(path)
                written = None if told is None else f"[{told.get(0, '?')}, {told.get(1, '?')}]"
                right = [told is not None and same_end(told.get(end, ""), ends[end], end) for end in (0, 1)]
                why = f"the search enters {self.names.name(path)} with alpha and beta {window_text(ends)}"
                sort = "" if all(right) else "another window" if told else "nothing is written"
                share = exact(Fraction(sum(right), 2))
                step = self.steps[path, "enter"]
                yield Mark(item, written, window_text(ends), share, "" if all(right) else why, step, sort)

    # -- what is skipped, what is best --------------------------------------------------------------------------

    def lists(self, answers: Answers) -> list[Mark]:
        cut = [self._cut(answers.lists.get(CUT))] if self.key.prunes else []
        marks = [*cut, *([self._mark_best_actions(answers.lists.get(BEST))] if self.key.best else [])]
        return [self._as_written(mark, answers) for mark in marks]

    def _as_written(self, mark: Mark, answers: Answers) -> Mark:
        """The mark of a list, its answer in the student's own words, with the possible meanings if it is ambiguous."""
        unclear = tuple(answers.ambiguous.get(mark.item, ()))
        given, why = answers.written.get(mark.item, mark.given), "; ".join(unclear) or mark.why
        return replace(mark, given=given, read=mark.given, ambiguous=unclear, why=why)

    def _cut(self, names: list[str] | None) -> Mark:
        right = self.key.cut()
        step = min((self.steps[cut.node, "cut"] for cut in self.key.solution.cuts if cut.skipped), default=0)
        if names is None:
            return Mark(CUT, None, right, 0, self._reasons(self.key.skipped), step, "nothing is written")
        paths = {name: self.names.path(name) for name in ([] if is_nothing(names) else names)}
        unknown = [name for name, path in paths.items() if path is None]
        given = " ".join(name if path is None else self.names.branch(path) for name, path in paths.items()) or "none"
        marked = {leaf for path in paths.values() if path is not None for leaf in self.names.leaves(path)}
        if not unknown and marked == self._leaves(self.key.skipped):
            return Mark(CUT, given, right, 1, "", step)
        elsewhere = "" if unknown else self._other_rule(lambda key: marked == self._leaves(key.skipped))
        missing = [root for root in self.key.skipped if not set(self.names.leaves(root)) <= marked]
        extra = len(unknown) + sum(path is not None and path in self.visited for path in paths.values())
        share = half_if_mostly_right(len(self.key.skipped) - len(missing), len(missing) + extra)
        sort = "something skipped is left out" if missing else "something is named that is looked at"
        return Mark(CUT, given, right, share, self._why_cut(marked, missing, unknown) + elsewhere, step, sort)

    def _leaves(self, roots: Sequence[Path]) -> set[Path]:
        return {leaf for root in roots for leaf in self.names.leaves(root)}

    def _why_cut(self, marked: set[Path], missing: Sequence[Path], unknown: list[str]) -> str:
        """The reason for a wrong list of skipped branches: unknown names, missing branches (with the cut), and branches
        that are looked at."""
        extra = [self.names.branch(leaf) for leaf in sorted(marked) if leaf in self.visited]
        said = [f"nothing is called {listing(unknown, 'or')}"] if unknown else []
        said += [self._reasons(missing)] if missing else []
        said += [f"{listing(extra)} {'is' if len(extra) == 1 else 'are'} looked at"] if extra else []
        return "; ".join(said)

    def _reasons(self, roots: Sequence[Path]) -> str:
        """The reasons for the cuts that skip these roots, in the words of the search."""
        cuts = {cut.node for cut in self.key.solution.cuts for skipped in cut.skipped if skipped.path in roots}
        told = [self._cut_text(one.event.node, one.crossing) for one in self.key.told
                if one.crossing is not None and one.crossing.skipped and one.event.node in cuts]  # fmt: skip
        return "; ".join(told) or self.words.why("nothing")

    def _cut_text(self, path: Path, at: Crossing) -> str:
        """The reason for a cut, `at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at`."""
        nodes, words = self.names.nodes, self.words
        node = f"{nodes.node_name(path)} ({self._mover(path)})"
        many = "cut one" if len(at.skipped) == 1 else "cut"
        return words.why(many, node=node, crossing=words.crossing(at.text), branches=words.list(at.skipped))

    def _mark_best_actions(self, names: list[str] | None) -> Mark:
        right, step = " ".join(self.key.to_play), len(self.key.told)
        if not names:
            return Mark(BEST, None, right, 0, "", step, "nothing is written")
        meant = {self.names.path(name) for name in names}
        given = " ".join(name if (path := self.names.path(name)) is None else self.names.branch(path) for name in names)
        children = {self.names.nodes.node_at(child).action: child for child in self.names.nodes.children(())}
        best = [self.names.path(action) or children.get(action) for action in self.key.best]
        asked = best[: len(self.key.to_play)]
        best += tied_actions(self.key, self.tied)
        if meant.issubset(best):
            tied = f"as good as {right}, which the search cannot know"
            return Mark(BEST, given, right, 1, tied if meant.isdisjoint(asked) else "", step)
        if len(meant) == 1 and meant <= self._best_of_written():
            return Mark(BEST, given, right, 1, f"it follows from what was written; right is {right}", step)
        return Mark(BEST, given, right, 0, self._choice(()), step, "another action")

    def _best_of_written(self) -> set[Path | None]:
        """The children of the root that are best by the amounts that the student wrote at them; empty if none were
        written."""
        right = {child: event.value for child, event in child_results(self.key, ())}
        if right.keys().isdisjoint(self.written):
            return set()
        told = {child: self.written.get(child, value) for child, value in right.items()}
        numbers = {child: amount for child, amount in told.items() if isinstance(amount, int | Fraction)}
        wanted = chosen(self.key.nodes[()].value, list(right.values()), list(numbers.values()))
        return {child for child, amount in numbers.items() if amount in wanted}

    # -- what was not asked for -----------------------------------------------------------------------------------

    def extra_marks(self, answers: Answers) -> list[Mark]:
        """The marks, without points, of claims about leaves, nodes that the search does not visit and unknown nodes,
        and of text that could not be read."""
        marks = []
        for name, claim in answers.claims.items():
            path = self.names.path(name)
            if not self.names.meanings(name):
                marks.append(Mark(name, f"{claim.sign} {claim.amount}", None, 0, f"{UNKNOWN} {name}"))
            elif path is not None and path not in self.key.nodes:
                marks.append(self._mark_needless(name, path, claim))
        return [*marks, *(Mark("?", word, None, 0, f"{NOT_READ}: write NAME=VALUE, cut: … or best: …")
                          for word in answers.unread)]  # fmt: skip

    def _mark_needless(self, name: str, path: Path, claim: StudentClaim) -> Mark:
        given = f"{claim.sign} {claim.amount}"
        leaf = next((one.event for one in self.key.told if one.event.node == path and one.event.event == "leaf"), None)
        if leaf is not None:
            right = claim.sign == "=" and same_amount(claim.amount, leaf.value)
            why = "a leaf: given, not asked for" if right else f"{name} is {_event_value_text(leaf)}"
            return Mark(name, given, None, int(right), why)
        above = [root for root in self.key.skipped if path[: len(root)] == root]
        return Mark(name, given, None, 0, f"never looked at: {self._reasons(above)}" if above else "not visited")


def half_if_mostly_right(right: int, wrong: int) -> Number:
    """The share for a list that is not all right: a half if at least as many entries are right as wrong, else 0."""
    return Fraction(1, 2) if right and right >= wrong else 0


def _claim(event: Event) -> str:
    return f"{SIGNS.get(event.bound or '', '?')} {_event_value_text(event)}"


def _event_value_text(event: Event) -> str:
    return "?" if event.value is None else amount_text(event.value)


def _agrees(claim: StudentClaim, key: Key, path: Path, amount: Amount | None = None) -> bool:
    """True if the claim has the sign of the right answer, and its amount or, if one is given, this `amount`."""
    wanted = key.amount(path) if amount is None else amount
    return claim.sign == SIGNS.get(key.nodes[path].bound or "") and same_amount(claim.amount, wanted)


def _amount(text: str) -> Number | tuple[Number, ...] | None:
    """The number or vector in a student's text; None if it is neither."""
    text = hanzi_figure(text)
    try:
        if text.startswith("("):
            return tuple(map(read_number, re.split(r"\s*[,;]\s*|\s+", text.strip("() "))))
        return read_number(text)
    except ValueError:
        return None


def same_amount(text: str, value: Number | tuple[Number, ...] | None) -> bool:
    """True if the text is the value, exactly or rounded to the decimals in the text (a half may be rounded up or
    down)."""
    found = _amount(text)
    if isinstance(found, tuple) or isinstance(value, tuple):
        return found == value
    if found is None or value is None:
        return False
    decimals = len(text.partition(".")[2]) if "." in text else 0
    return found == value or (decimals > 0 and abs(found - Fraction(value)) * 2 * 10**decimals <= 1)


def same_end(text: str, end: Number | None, place: int) -> bool:
    """True if the text is the end of a window: `place` 0 for alpha, 1 for beta; `end` None is infinite, -inf or inf."""
    plain = text.strip().lower().removeprefix("+")
    return plain in (("-inf", "inf")[place], ("-", "")[place] + "infinity") if end is None else same_amount(text, end)


def graded_text(graded: GradeReport, words: Words = ENGLISH) -> str:
    """The marks as text for a person, in the language of `words`: the first wrong step, then every item."""
    first = graded.first_wrong
    score = _in_words(graded.score) if words.language == ENGLISH.language else decimal_text(graded.score)
    marked = words.why("score", score=score, possible=decimal_text(graded.possible)).translate(NO_ISOLATES)
    lines = [marked if graded.possible else words.why("unmarked")]
    if first is not None and first.given is None:
        blank = _blank_text(first, words)
        told = blank if blank == first.why else f"{blank[:1].upper()}{blank[1:]}"
        lines += wrap_lines(f"{words.why('first missing', item=first.item)} {told}.".translate(NO_ISOLATES))
    elif first is not None:
        said = {"item": first.item, "given": str(first.given), "right": str(first.right)}
        told = f"{words.why('first wrong', **said)}{f'. {first.why}' if first.why else ''}."
        lines += wrap_lines(told.translate(NO_ISOLATES))
    verdicts = [words.why(_verdict(mark)) for mark in graded.marks]
    item, verdict = (max(map(len, some), default=0) for some in ([mark.item for mark in graded.marks], verdicts))
    lines.append("")
    for mark, told in zip(graded.marks, verdicts, strict=True):
        line = f"{told:{max(5, verdict)}}  {mark.item:{item}}  {mark_text(mark, words)}"
        lines += wrap_lines(line.translate(NO_ISOLATES), 6 + max(5, verdict) + item)
    return wrap_and_join(lines)


def _in_words(points: Number) -> str:
    whole, rest = divmod(points, 1)
    if rest == Fraction(1, 2):
        return f"{whole} and a half" if whole else "a half"
    return decimal_text(points)


def decimal_text(points: Number) -> str:
    """The points with two places at most."""
    return f"{float(points):.2f}".rstrip("0").removesuffix(".")


def _verdict(mark: Mark) -> str:
    if mark.ambiguous:
        return "asked"
    return "right" if mark.correct else "half" if mark.share else "blank" if mark.given is None else "wrong"


def mark_text(mark: Mark, words: Words = ENGLISH) -> str:
    if mark.ambiguous:
        return f"{mark.given}: {mark.why}?" if mark.given else mark.why
    if mark.correct:
        plain = mark.read in (None, mark.given, f"{mark.item} {mark.given}")
        why = mark.why or ("" if plain else words.why("read", read=str(mark.read)))
        return f"{mark.given}{f' ({why})' if why else ''}"
    if mark.given is None:
        return _blank_text(mark, words)
    if mark.why.startswith(f"{mark.item} {mark.right}"):
        return words.why("but", given=mark.given, why=mark.why)
    right = "" if mark.right is None else f", {words.why('right is', right=mark.right)}"
    return f"{mark.given}{right}{f': {mark.why}' if mark.why else ''}"


def _blank_text(mark: Mark, words: Words) -> str:
    """The text on an item where nothing was written, with the right answer."""
    if mark.why.startswith(f"{mark.item} {mark.right}"):
        return mark.why
    return f"{words.why('right is', right=str(mark.right))}{f': {mark.why}' if mark.why else ''}"


# The marks of a class as a table: a line for each student, a column for each item of the key.


def marks_table(marked: Mapping[str, GradeReport]) -> str:
    """The marks as CSV, a line for each student: their name or number (else the file's name without its ending), the
    points, the possible points, then the points of each item, "" if nothing was written and `?` if the answer is
    ambiguous, and at the end what was not read, is ambiguous or was decided by hand, in the student's words."""
    items = [mark.item for mark in next(iter(marked.values())).marks if mark.right is not None]
    rows = [["student", "points", "of", *items, "unread"]]
    for file, graded in marked.items():
        asked = [mark for mark in graded.marks if mark.right is not None]
        points = ["?" if mark.ambiguous else "" if mark.given is None else _points(mark.points) for mark in asked]
        by_hand = {mark.given: f"{mark.given} ({mark.why})" for mark in graded.marks if mark.by_hand and mark.given}
        strange = (one.given for one in graded.marks if one.given and (one.ambiguous or one.by_hand or one.item == "?"))
        unread = "; ".join(by_hand.get(said, said) for said in dict.fromkeys(strange))
        who = graded.student or PurePath(file).stem
        rows.append([who, _points(graded.score), _points(graded.possible), *points, unread])
    return csv_table(rows).removesuffix("\n")


def _points(points: Number) -> str:
    with decimals(True):
        return to_text(points)


def class_summary(marked: Sequence[GradeReport]) -> str:
    """A sentence with the mean of a class, the item that failed most, and the most frequent mistake in it."""
    mean = sum((Fraction(graded.score) for graded in marked), Fraction(0)) / len(marked)
    said = f"{len(marked):,} students, {float(mean):.3g} of {_points(marked[0].possible)} points on average"
    wrong = [mark for graded in marked for mark in graded.marks if mark.counts and not mark.correct]
    if not wrong:
        return f"{said}; all is right."
    item, times = Counter(mark.item for mark in wrong).most_common(1)[0]
    mistakes = Counter(mark.mistake for mark in wrong if mark.item == item and mark.mistake).most_common(1)
    named = "".join(f"; {most} of these: {mistake}" for mistake, most in mistakes)  # what is unclear is none yet
    return f"{said}. {item} failed most, {times} of {len(marked)} times{named}."


def grade_text(game: Game[Any], solution: Solution, answers: str) -> str:
    """The marks of a student's answers on the steps of a search, as a text."""
    right = key(game, solution)
    return graded_text(grade(right, read(answers, right.names)))
