"""The shape of exam trees, and the wishes that no tree of a shape can fulfil; these are refused before any tree is
made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gdl.errors import count_text
from gdl.exam.wishes import ExamWish
from gdl.game import Decision, Game
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves

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
    numbers = shape.values[1] - shape.values[0] + 1
    if "no ties" in wanted.phrases and not wanted.chance and shape.branching[0] > numbers:
        few = count_text(numbers, "value")
        yield ExamConflict(
            f"of {shape.branching[0]} children some tie where they share {few}", "give --values more room"
        )
    if numbers == 1 and shape.branching[0] > 1 and "unique best" in wanted.phrases:
        yield ExamConflict(
            "no action is better than another where all leaves have one value", "give --values more room"
        )
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
    inner: Any = game
    while not isinstance(inner, RulesGame) and hasattr(inner, "game"):
        inner = inner.game
    if not isinstance(inner, RulesGame):
        return True
    stack, count = [game.initial() if start is None else start], 1
    while stack and count <= PRINTED:
        state = stack.pop()
        below = moves(game.node(state))
        count += len(below)
        stack += [game.successor(state, move) for move in below] if count <= PRINTED else []
    return count <= PRINTED
