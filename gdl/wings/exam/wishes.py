"""Wishes for an exam tree, in words: `2 cuts, no ties, a deep cut`. Each row of a table is a property: its name in a
wish, its meaning, and the test of a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from gdl.errors import count_text, listing, nearest
from gdl.game import Decision, Game
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves
from gdl.states.game_wrapper import without_wrappers


class ExamTrial(NamedTuple):
    """A tree that was made: its solution (or what is known of it before it is written), that under the other pruning
    rule, and its choices: at each decision who moves, and the values of all below."""

    solution: Any
    other: Callable[[], Any]
    choices: Sequence[tuple[int, Sequence[tuple[Any, ...]]]]


class UnknownExamWish(Exception):
    """Raised for words that name no property; the message lists the properties there are."""


@dataclass(frozen=True)
class ExamWish:
    """A wish as it was understood: the kind of tree, and the tests that it must pass."""

    chance: bool = False
    players: int = 2
    tests: tuple[Callable[[ExamTrial], int], ...] = ()  # each says how far a tree is from it
    pruning: bool = False  # whether anything is asked of cuts
    phrases: frozenset[str] = frozenset()  # the properties, as they are written in the table
    leaves: int = 0  # that the search is to look at; 0 if that is left open
    cuts: tuple[int, int | None] = (0, None)  # how many skipped subtrees are wanted, from the least to the greatest

    def count_misses(self, tried: ExamTrial, most: float = 0) -> int:
        """How far a tree is from the wish, 0 if it holds; counted no further than beyond `most`."""
        off = 0
        for test in self.tests:
            if off <= most:
                off += test(tried)
        return off


def read(text: str) -> ExamWish:
    """The wish in a text, its parts separated by commas. Raises UnknownExamWish for a part that names no property."""
    chance, players, pruning = False, 2, False
    tests: list[Callable[[ExamTrial], int]] = []
    phrases: set[str] = set()
    leaves, least, most = 0, 0, None
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
            tests.append(partial(_cuts_off, low, high))
        elif count := re.fullmatch(r"([1-9][0-9]{0,5}) (leaf|leaves)", phrase):
            if leaves not in (0, int(count[1])):
                raise UnknownExamWish(f"no tree has both {leaves} and {count[1]} leaves; ask for one of them")
            tests.append(partial(_leaves_off, leaves := int(count[1])))
        elif phrase in PROPERTIES:
            pruning = pruning or phrase in PRUNING
            tests.append(PROPERTIES[phrase])
            phrases.add(phrase)
            most = 0 if phrase == "no cuts" else most
        else:
            raise UnknownExamWish(_help(phrase))
    if players == 3:
        tests.append(_open_ties)  # else max^n has several right answers
    if "rules differ" not in phrases:
        tests.append(PROPERTIES["rules agree"])  # no cut on equality, of which courses think differently
    return ExamWish(chance, players, tuple(tests), pruning, frozenset(phrases), leaves, (least, most))


_NUMERALS = "one two three four five six seven eight nine ten"
_COUNTS = {word: str(count) for count, word in enumerate(_NUMERALS.split(), start=1)}
_OTHER_WORDS = {  # other wording of a property -> its wording in the table
    r"\b(pruned (subtrees|branches)|skipped (subtrees|branches)|prunings?|cut-?offs?)\b": "cuts",
    r"^(a|an|with|the|exactly|just) ": "",
    r"^at most (?=\d+ cuts?$)": "0..",
    r"^(some |any )?cuts$": "at least 1 cuts",
    r"^deep cuts$": "deep cut",
    r"^(unique|one|1|single) best( action| move)?$": "unique best",
    r"^no equal (values|children)$": "no ties",
    r" leaves (visited|looked at|seen)$": " leaves",
    r"^(chance nodes|expectimini ?max|expectimax)$": "chance",
    r"^max(\^|-| )?n$": "3 players",
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
    known = ["2 cuts", "at least 2 cuts", "1..3 cuts", *PROPERTIES, "14 leaves", "chance", "three players"]
    if near := nearest(phrase, known):
        return f"no property of trees is called '{phrase}'; did you mean '{near}'?"
    return f"no property of trees is called '{phrase}'; write {listing(known, 'or', 20)}"


def _cuts_off(least: int, most: int | None, tried: ExamTrial) -> int:
    cuts = len(tried.solution.pruned)
    return max(least - cuts, 0 if most is None else cuts - most, 0)


def _leaves_off(count: int, tried: ExamTrial) -> int:
    return abs(int(tried.solution.leaves) - count)


# ---- Properties ---------------------------------------------------------------------------------------------------


def _ties(tried: ExamTrial) -> int:
    """How many children are as good for whoever moves as another one is."""
    return sum(len(below) - len({vector[player] for vector in below}) for player, below in tried.choices)


def _open_ties(tried: ExamTrial) -> int:
    """How many children are as good for whoever moves as the best, and not for the others."""
    greatest = ((player, below, max(vector[player] for vector in below)) for player, below in tried.choices)
    return sum(len({vector for vector in below if vector[player] == most}) - 1 for player, below, most in greatest)


def _has_deep_cut(tried: ExamTrial) -> bool:
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


def _differences(tried: ExamTrial) -> int:
    """How many subtrees only one of the two pruning rules skips."""
    return len({s.path for s in tried.solution.pruned} ^ {s.path for s in tried.other().pruned})


FIRST = "a1"  # the first action at the root of all these trees
SAME = "same points"  # points as in the first tree of the seed, by the same shape
PROPERTIES: Mapping[str, Callable[[ExamTrial], int]] = {  # how far a tree is from it, 0 if it has it
    "no cuts": lambda tried: len(tried.solution.pruned),
    "no ties": _ties,
    "unique best": lambda tried: len(tried.solution.best) - 1,
    "best not first": lambda tried: FIRST in tried.solution.best,
    "deep cut": lambda tried: not _has_deep_cut(tried),
    "rules differ": lambda tried: not _differences(tried),
    SAME: lambda tried: 0,  # of one tree: gdl/wings/exam/quiz.py compares them
    "rules agree": _differences,
}
PRUNING = ("no cuts", "deep cut", "rules differ")


# The shape of exam trees, and the wishes that no tree of a shape can fulfil; these are refused before any tree is made.

DEEP = 4  # plies of the least tree with a deep cut: the limit is the root's, and its node is above the cut one's parent


@dataclass(frozen=True)
class ExamTreeShape:
    """The shape of the trees to make: the depth in plies, the least and greatest number of children and value of a
    leaf, who moves first (MAX or MIN; among three players always the first), and the pruning rule (`ge` or `gt`)."""

    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (0, 9)
    first: str = "MAX"
    cut: str = "ge"


class ExamConflict(NamedTuple):
    """Wishes that no tree can fulfil together, and a hint on what to change."""

    message: str
    help: str


def impossible(shape: ExamTreeShape, wanted: ExamWish) -> ExamConflict | None:
    """The reason why no tree of the shape has all the wanted properties, if that is plain; None if trees have to be
    tried."""
    return next(_reasons(shape, wanted), None)


def _reasons(shape: ExamTreeShape, wanted: ExamWish) -> Iterator[ExamConflict]:
    least, most = wanted.cuts
    if most is not None and least > most:
        yield ExamConflict("these numbers of cuts exclude each other", "ask for one of them")
    if least or wanted.phrases & _NAMED.keys():
        yield from _of_cuts(shape, wanted, least)
    if wanted.leaves > (widest := shape.branching[1] ** shape.depth):
        help = "ask for fewer, or give more --branching or --depth"
        yield ExamConflict(f"a tree that looks so has at most {widest:,} leaves", help)
    numbers, room = shape.values[1] - shape.values[0] + 1, "give --values more room"
    if "no ties" in wanted.phrases and not wanted.chance and shape.branching[0] > numbers:
        few = count_text(numbers, "value")
        yield ExamConflict(f"of {shape.branching[0]} children some tie where they share {few}", room)
    if numbers == 1 and shape.branching[0] > 1 and "unique best" in wanted.phrases:
        yield ExamConflict("no action is better than another where all leaves have one value", room)
    if "best not first" in wanted.phrases and (numbers == 1 or shape.branching[1] == 1):
        yield ExamConflict("the first action is as good as any here", "give --values and --branching more room")


_NAMED = {"deep cut": "a deep cut", "rules differ": "cuts in which the rules differ"}


def _of_cuts(shape: ExamTreeShape, wanted: ExamWish, least: int) -> Iterator[ExamConflict]:
    """Conflicts with cuts: these need siblings to skip, and a node above with a value to compare. (If chance moves, or
    three play, the bounds of the utilities can be compared, too.) `least` is the number of cuts wanted."""
    what = next((named for phrase, named in _NAMED.items() if phrase in wanted.phrases), "a cut")
    if shape.branching[1] < 2:
        yield ExamConflict(f"no tree without siblings has {what}", "write --branching 2..3")
    if wanted.chance or wanted.players > 2:
        return
    plies = DEEP if "deep cut" in wanted.phrases else 2
    if shape.depth < plies:
        yield ExamConflict(f"no tree of depth {shape.depth} has {what}", f"write --depth {plies}, or more")
    if least > (most := _most_cuts(shape)):
        help = "ask for fewer, or give more --branching or --depth"
        yield ExamConflict(f"a tree that looks so has at most {count_text(most, 'cut')}", help)


def _most_cuts(shape: ExamTreeShape) -> int:
    """The greatest number of subtrees that a search can skip: all children but the first of every inner node, except
    the root and the nodes on the leftmost path, where no value is known from before."""
    widest = shape.branching[1]
    later: int = sum(widest**ply - 1 for ply in range(1, shape.depth))
    return (widest - 1) * later


# ---- Too large for paper --------------------------------------------------------------------------------------------

PRINTED = 300  # nodes of a tree that a paper holds
_PLAYED = 12  # actions after which play is said to begin, at most


def play_that_fits(game: Game[Any]) -> str:
    """The first actions of a short play after which the tree fits on paper; "" if there is none."""
    state, played = game.initial(), list[str]()
    while len(played) < _PLAYED and isinstance(node := game.node(state), Decision):
        played.append(node.actions[0])
        state = game.successor(state, node.actions[0])
        if fits_paper(game, state):
            return " ".join(played)
    return ""


def fits_paper(game: Game[Any], start: Any = None) -> bool:
    """True if the tree from `start` (None: the initial state) is small enough to print. A tree or a table in a file
    always is, since its author decided on its size."""
    if not isinstance(without_wrappers(game), RulesGame):
        return True
    stack, count = [game.initial() if start is None else start], 1
    while stack and count <= PRINTED:
        state = stack.pop()
        below = moves(game.node(state))
        count += len(below)
        stack += [game.successor(state, move) for move in below] if count <= PRINTED else []
    return count <= PRINTED
