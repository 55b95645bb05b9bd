"""How an exam tree is to look, and what no tree that looks so can have: it is said before any is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gdl.errors import count_text
from gdl.exam.wanted import ExamWish
from gdl.game import Decision, Game
from gdl.interpreter.rules_game import RulesGame
from gdl.states.explore import moves

DEEP = 4  # plies of the least tree with a deep cut: the limit is the root's, and its node is above the cut one's parent


@dataclass(frozen=True)
class ExamTreeShape:
    """How a tree is to look: its depth in plies, its branching and its leaves' values, each from the least to the
    greatest, and who begins (MAX or MIN; with three players the first always does)."""

    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (0, 9)
    first: str = "MAX"
    cut: str = "ge"


class ExamConflict(NamedTuple):
    """Wishes that cannot be had together, and help on what would do."""

    message: str
    help: str


def impossible(shape: ExamTreeShape, wanted: ExamWish) -> ExamConflict | None:
    """Why no tree of the shape has all that is wanted, where that is plain; None where trees are to be tried."""
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
    """Cuts need siblings to be skipped, and a node above with something to compare. (Where chance moves, or three play,
    the bounds of the utilities are something to compare, too.)"""
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
    """More subtrees are never skipped: at every inner node but the root and those on the leftmost path, where nothing
    is known from before, all children but the first."""
    widest = shape.branching[1]
    later: int = sum(widest**ply - 1 for ply in range(1, shape.depth))
    return (widest - 1) * later


# ---- Too large for paper --------------------------------------------------------------------------------------------

PRINTED = 300  # nodes of a tree that a paper holds
_PLAYED = 12  # actions after which play is said to begin, at most


def play_that_fits(game: Game[Any]) -> str:
    """The first actions of a short play after which few enough are left for paper; "" where there is none."""
    state, played = game.initial(), list[str]()
    while len(played) < _PLAYED and isinstance(node := game.node(state), Decision):
        played.append(node.actions[0])
        state = game.successor(state, node.actions[0])
        if fits_paper(game, state):
            return " ".join(played)
    return ""


def fits_paper(game: Game[Any], start: Any = None) -> bool:
    """True if a game of rules has a tree that can be printed; a tree or a table of a file is its author's affair."""
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
