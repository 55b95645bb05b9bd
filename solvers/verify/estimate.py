"""Answers that call themselves estimates. Nothing of them is proved; but a search to a depth can be made once more, if
it is a small one: its value is what the file's evaluation makes of the nodes there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.errors import listing
from gdl.explore import move_text, moves
from gdl.game import Decision
from solvers.verify.case import STOPS, Case
from solvers.verify.finding import Finding, Unchecked
from solvers.verify.numbers import amounts, same_all
from solvers.verify.plain import Key, Vector, Worths
from solvers.verify.search import CUT_OFF, ESTIMATED

SEARCHES = ("alpha-beta", "depth-limited", "star1", "star2")  # whose values at a depth are those of backward induction
_FORGETFUL = "told apart by what is there now"  # the note of a search that looks at fewer nodes than there are
_CALLED = {"value": "the value is", "best": "the best actions are", "line": "the line is"}


def check_estimate(case: Case) -> Iterator[Finding]:
    """The value, the best actions and the line are what a search to that depth finds, or only an estimate."""
    claim = case.claim
    if claim.exact:
        return
    node = case.game.node(case.game.initial())
    legal = list(map(move_text, moves(node))) if isinstance(node, Decision) else None
    foreign = [] if legal is None else [action for action in claim.best if action not in legal]
    if foreign:
        yield Finding(False, ("best",), f"nobody can begin with {listing(foreign, 'or')}")
        return
    try:
        yield from list(_at_depth(case))
    except STOPS:
        for name in [name for name in _CALLED if name in claim.keys] or ["exact"]:
            said = f"{_CALLED.get(name, 'it is')} an estimate by the answer's own account"
            yield Finding(None, ("exact", name), said)


def _at_depth(case: Case) -> Iterator[Finding]:
    """What the search finds that the answer says it made. Unchecked where it is too large, or another one."""
    claim, cut = case.claim, CUT_OFF.match(case.claim.limit or "")
    depth = None if cut is None else int(cut[1])
    notes = claim.data.get("notes") or ()
    followed_on = getattr(case.game, "quiet", None) is not None and claim.solver == "depth-limited"
    if depth is None or claim.solver not in SEARCHES or followed_on or any(_FORGETFUL in note for note in notes):
        raise Unchecked("another search")
    asked = claim.options.get("depth", depth) if CUT_OFF.fullmatch(claim.limit or "") else depth
    worths = Worths(case.game, ESTIMATED)
    start = (case.game.initial(), depth)
    vector = worths.of(*start)
    yield Finding(asked == depth, ("exact", "options"), f"a search to depth {depth}, and no further, is an estimate")
    if claim.value is not None:
        ok = same_all(case.in_order(claim.value), vector)
        said = f"a search to depth {depth} finds the value {amounts(case.game.players, vector)}"
        yield Finding(ok, ("value",), said if ok else f"{said}, and the answer says otherwise")
    yield from _first(case, worths, start, vector)
    yield from _step_by_step(case, worths, start)


def _first(case: Case, worths: Worths, start: Key, vector: Vector) -> Iterator[Finding]:
    node = case.game.node(start[0])
    if not case.claim.best or not isinstance(node, Decision):
        return
    after = dict(zip(node.actions, worths.children(start, node), strict=True))
    wrong = [a for a in case.claim.best if worths.found[after[a]][node.player] != vector[node.player]]
    said = f"{listing(case.claim.best)} best as far as that search sees"
    yield Finding(not wrong, ("best",), said if not wrong else f"{listing(wrong)} not best as far as that search sees")


def _step_by_step(case: Case, worths: Worths, key: Key) -> Iterator[Finding]:
    """Each step of the line keeps what the node is worth to its mover, as far as the search goes."""
    for action in case.claim.line:
        node: Any = case.game.node(key[0])
        children = worths.children(key, node)
        names = list(map(move_text, moves(node)))
        if action not in names or not children:
            yield Finding(False, ("line",), "the line goes further than the search")
            return
        after = children[names.index(action)]
        if isinstance(node, Decision) and worths.found[after][node.player] != worths.found[key][node.player]:
            yield Finding(False, ("line",), f"the line holds a blunder, as far as that search sees: {action}")
            return
        key = after
    if case.claim.line:
        done = not isinstance(case.game.node(key[0]), Decision) or key[1] == 0
        said = "no step of the line is a blunder as far as that search sees"
        yield Finding(True, ("line",), said) if done else Finding(False, ("line",), "the line stops too early")
