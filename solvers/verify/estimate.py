"""Answers that call themselves estimates. Nothing of them is proved; but a search to a depth can be made once more, if
it is a small one: its value is what the file's evaluation makes of the nodes there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gdl.game import Decision, Terminal, maximiser, require_number
from gdl.solvers.verify.best import compare_best
from gdl.solvers.verify.case import STOPS, VerifierCase
from gdl.solvers.verify.numbers import amounts, same, same_all
from gdl.solvers.verify.plain_induction import Key, Worths
from gdl.solvers.verify.position_graph import collect
from gdl.solvers.verify.search import CUT_OFF, ESTIMATED, INDUCTIONS
from gdl.solvers.verify.verdict import Finding, Unchecked
from gdl.states.explore import move_text, moves

WINDOWED = ("alpha-beta", "star1", "star2")  # solvers that look at one player's number alone
SEARCHES = (*WINDOWED, "depth-limited", *INDUCTIONS)  # solvers whose values at a depth backward induction gives too
_OTHERWISE = ("told apart by what is there now", "not finished")  # notes of searches that look at fewer nodes
_CALLED = {"value": "the value is", "best": "the best actions are", "line": "the line is"}


def check_estimate(case: VerifierCase) -> Iterator[Finding]:
    """The value, the best actions and the line of an inexact answer are those of a search to its depth; where that
    cannot be repeated they are reported as estimates."""
    claim = case.claim
    if claim.exact:
        return
    yield from _beyond_all_ends(case)
    try:
        yield from list(_at_depth(case))
    except STOPS:
        for name in [name for name in _CALLED if name in claim.keys] or ["exact"]:
            said = f"{_CALLED.get(name, 'it is')} an estimate by the answer's own account"
            yield Finding(None, ("exact", name), said)


def _beyond_all_ends(case: VerifierCase) -> Iterator[Finding]:
    """A finding on each player whose value lies beyond all ends of a small game: it is no estimate of anything, unless
    an evaluation made it or it is the middle of the stated interval."""
    if case.claim.value is None or case.game.evaluate(case.game.initial()) is not None:
        return
    try:
        nodes = collect(case.game, min(case.limit, ESTIMATED)).positions.nodes
        ends = [tuple(map(require_number, node.utilities)) for node in nodes if isinstance(node, Terminal)]
        ends += [tuple(map(require_number, case.game.promises.forever or ()))] if case.game.promises.forever else []
    except STOPS:
        return
    for name, column in zip(case.game.players, zip(*ends, strict=True), strict=False):
        told = case.claim.value[name]
        bounds = (case.claim.interval or {}).get(name)
        if bounds and same(told, sum(bounds) / 2):
            continue
        if not min(0, *column) <= told <= max(0, *column) and not any(same(told, end) for end in column):
            yield Finding(False, ("value",), f"no end pays {name} as much as {told}, or as little")


def _at_depth(case: VerifierCase) -> Iterator[Finding]:
    """Compare the answer with a search to the depth at which it says it was cut off. Raises Unchecked if that search is
    too large, or not of a kind that can be repeated."""
    claim, cut = case.claim, CUT_OFF.match(case.claim.limit or "")
    depth = None if cut is None else int(cut[1])
    followed_on = case.game.promises.quiet is not None and claim.solver == "depth-limited"
    if (
        depth is None
        or claim.solver not in SEARCHES
        or followed_on
        or any(how in note for how in _OTHERWISE for note in claim.notes)
    ):
        raise Unchecked("another search")
    asked = claim.options.get("depth", depth) if CUT_OFF.fullmatch(claim.limit or "") else depth
    side = maximiser(case.game.players) if claim.solver in WINDOWED else None
    worths = Worths(case.game, ESTIMATED, side)
    start = (case.game.initial(), depth)
    vector = worths.of(*start)
    if side is not None and len(vector) == 2:
        other = (case.game.traits.constant_sum or 0) - vector[side]
        vector = (vector[0], other) if side == 0 else (other, vector[1])
    options = ("options",) if set(claim.options) == {"depth"} else ()
    yield Finding(asked == depth, ("exact", *options), f"a search to depth {depth}, and no further, is an estimate")
    if claim.value is not None:
        ok = same_all(case.in_order(claim.value), vector)
        said = f"a search to depth {depth} finds the value {amounts(case.game.players, vector)}"
        yield Finding(ok, ("value",), said if ok else f"{said}, and the answer says otherwise")
    yield from _first(case, worths, start)
    yield from _step_by_step(case, worths, start)


def _first(case: VerifierCase, worths: Worths, start: Key) -> Iterator[Finding]:
    node = case.game.node(start[0])
    if not case.claim.best or not isinstance(node, Decision):
        return
    after = dict(zip(node.actions, worths.children(start, node), strict=True))
    good = [action for action in node.actions if worths.keeps(node.player, start, after[action])]
    yield from compare_best(case, good, " as far as that search sees")


def _step_by_step(case: VerifierCase, worths: Worths, key: Key) -> Iterator[Finding]:
    """No step of the line loses value for its mover, as far as the search sees."""
    for action in case.claim.line:
        node: Any = case.game.node(key[0])
        children = worths.children(key, node)
        names = list(map(move_text, moves(node)))
        if action not in names or not children:
            yield Finding(False, ("line",), "the line goes further than the search")
            return
        after = children[names.index(action)]
        if isinstance(node, Decision) and not worths.keeps(node.player, key, after):
            yield Finding(False, ("line",), f"the line holds a blunder, as far as that search sees: {action}")
            return
        key = after
    if case.claim.line:
        done = not isinstance(case.game.node(key[0]), Decision) or key[1] == 0
        said = "no step of the line is a blunder as far as that search sees"
        yield Finding(True, ("line",), said)
        if not done:  # where the search took a value from its table, it knows no more of the line
            yield Finding(None, ("line",), "that the line goes as deep as the search")
