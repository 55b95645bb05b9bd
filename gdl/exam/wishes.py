"""Wishes for an exam tree, in words: `2 cuts, no ties, a deep cut`. Each row of a table is a property: its name in a
wish, its meaning, and the test of a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from gdl.errors import listing, nearest
from gdl.game import Decision, Game
from gdl.render.node_names import Nodes
from gdl.solution import Path, Solution


class ExamTrial(NamedTuple):
    """A tree that was made, its solution, the solution under the other pruning rule, and the values of all nodes."""

    game: Game[Any]
    solution: Solution
    other: Solution
    values: Mapping[Path, tuple[Any, ...]]


class UnknownExamWish(Exception):
    """Raised for words that name no property; the message lists the properties there are."""


@dataclass(frozen=True)
class ExamWish:
    """A wish as it was understood: the kind of tree, and the tests that it must pass."""

    chance: bool = False
    players: int = 2
    tests: tuple[Callable[[ExamTrial], bool], ...] = ()
    pruning: bool = False  # whether anything is asked of cuts
    phrases: frozenset[str] = frozenset()  # the properties, as they are written in the table
    cuts: tuple[int, int | None] = (0, None)  # how many skipped subtrees are wanted, from the least to the greatest

    def holds(self, tried: ExamTrial) -> bool:
        return all(test(tried) for test in self.tests)


def read(text: str) -> ExamWish:
    """The wish in a text, its parts separated by commas. Raises UnknownExamWish for a part that names no property."""
    chance, players, pruning = False, 2, False
    tests: list[Callable[[ExamTrial], bool]] = []
    phrases: set[str] = set()
    least, most = 0, None
    for phrase in _phrases(text):
        if phrase == "chance":
            chance = True
        elif phrase == "3 players":
            players = 3
        elif count := re.fullmatch(r"(?P<low>at least )?(?P<least>[0-9]+)(\.\.(?P<most>[0-9]+))? cuts?", phrase):
            pruning = True
            low = int(count["least"])
            high = None if count["low"] else int(count["most"] or low)
            least, most = max(least, low), high if most is None else most if high is None else min(most, high)
            tests.append(partial(_has_cuts, low, high))
        elif count := re.fullmatch(r"([0-9]{1,6}) (leaf|leaves)", phrase):
            tests.append(partial(_has_leaves, int(count[1])))
        elif phrase == SAME:
            phrases.add(SAME)
        elif phrase in PROPERTIES:
            pruning = pruning or phrase in PRUNING
            tests.append(PROPERTIES[phrase])
            phrases.add(phrase)
            most = 0 if phrase == "no cuts" else most
        else:
            raise UnknownExamWish(_help(phrase))
    if "rules differ" not in phrases:
        tests.append(_rules_agree)  # no cut on equality, of which courses think differently
    return ExamWish(chance, players, tuple(tests), pruning, frozenset(phrases), (least, most))


_COUNTS = dict(
    zip("one two three four five six seven eight nine ten".split(), "1 2 3 4 5 6 7 8 9 10".split(), strict=True)
)
_OTHER_WORDS = {  # other wording of a property -> its wording in the table
    r"\b(pruned (subtrees|branches)|skipped (subtrees|branches)|prunings?|cut-?offs?)\b": "cuts",
    r"^(a|an|with|the|exactly|just) ": "",
    r"^at most (?=\d+ cuts?$)": "0..",
    r"^(some |any )?cuts$": "at least 1 cuts",
    r"^deep cuts$": "deep cut",
    r"^(unique|one|1|single) best( action| move)?$": "unique best",
    r"^no equal (values|children)$": "no ties",
    r" leaves (visited|looked at|seen)$": " leaves",
    r"^chance nodes$": "chance",
}


def _phrases(text: str) -> Iterator[str]:
    """The parts of a wish, in the words of the table of properties."""
    text = re.sub(rf"\b({'|'.join(_COUNTS)})\b", lambda word: _COUNTS[word[0]], text.lower())
    for part in re.split(r"[,;]| and ", text):
        phrase = " ".join(part.split())
        for other, ours in _OTHER_WORDS.items():
            phrase = re.sub(other, ours, phrase)
        if phrase:
            yield phrase


def _help(phrase: str) -> str:
    known = ["2 cuts", "at least 2 cuts", "1..3 cuts", *PROPERTIES, "14 leaves", SAME, "chance", "three players"]
    near = nearest(phrase, known)
    if near:
        return f"no property of trees is called '{phrase}'; did you mean '{near}'?"
    return f"no property of trees is called '{phrase}'; write {listing(known, 'or', 20)}"


def _has_cuts(least: int, most: int | None, tried: ExamTrial) -> bool:
    return least <= len(tried.solution.pruned) and (most is None or len(tried.solution.pruned) <= most)


def _has_leaves(count: int, tried: ExamTrial) -> bool:
    return tried.solution.leaves == count


# ---- Properties ---------------------------------------------------------------------------------------------------


def _best_is_not_first(tried: ExamTrial) -> bool:
    node = tried.game.node(tried.game.initial())
    return isinstance(node, Decision) and node.actions[0] not in tried.solution.best


def _no_ties(tried: ExamTrial) -> bool:
    """True if no player ever has two children that are equally good for them."""
    nodes = Nodes(tried.game)
    for path in tried.values:
        node = nodes.at(path).node
        if isinstance(node, Decision):
            worth = [tried.values[child][node.player] for child in nodes.children(path)]
            if len(set(worth)) < len(worth):
                return False
    return True


def _deep_cut(tried: ExamTrial) -> bool:
    """True if some cut is due to an ancestor above the parent: the crossed end of the window was already that of the
    parent on entry."""
    windows = {visit.path: (visit.alpha, visit.beta) for visit in tried.solution.visits}
    for cut in tried.solution.cuts:
        if cut.skipped and cut.node:
            alpha, beta = windows[cut.node[:-1]]
            crossed_beta = cut.beta is not None and cut.value >= cut.beta
            if (cut.beta == beta) if crossed_beta else (cut.alpha is not None and cut.alpha == alpha):
                return True
    return False


def _rules_differ(tried: ExamTrial) -> bool:
    """True if the two pruning rules skip different subtrees."""
    return {s.path for s in tried.solution.pruned} != {s.path for s in tried.other.pruned}


def _rules_agree(tried: ExamTrial) -> bool:
    return not _rules_differ(tried)


SAME = "same points"  # points as in the first tree of the seed, by the same shape
PROPERTIES: Mapping[str, Callable[[ExamTrial], bool]] = {
    "no cuts": partial(_has_cuts, 0, 0),
    "no ties": _no_ties,
    "unique best": lambda tried: len(tried.solution.best) == 1,
    "best not first": _best_is_not_first,
    "deep cut": _deep_cut,
    "rules differ": _rules_differ,
    "rules agree": _rules_agree,
}
PRUNING = ("no cuts", "deep cut", "rules differ")
