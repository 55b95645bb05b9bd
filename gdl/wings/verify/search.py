"""Claims of an answer about the search that found it: the number of nodes it visited, those it skipped, its record.

- `nodes`, `leaves`, `pruned` and the record of alpha-beta are those of the textbook's run, which is made once more.
- Backward induction, retrograde analysis and the equilibrium solvers look at every position once.
- `values`, and the steps of backward induction that follow from them, are those of the positions.

What else a program did, only that program knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from gdl.compiler.search_kinds import RETROGRADE
from gdl.game import Decision, Number, Terminal, maximiser, require_number
from gdl.numbers import read_number
from gdl.solution import Path
from gdl.states.explore import move_text, moves
from gdl.wings.verify import textbook
from gdl.wings.verify.best import compare_best
from gdl.wings.verify.case import STOPS, VerifierCase, found_once
from gdl.wings.verify.claim import amounts, read_amounts, same, same_all
from gdl.wings.verify.position_graph import collect
from gdl.wings.verify.textbook import TextbookInduction, TextbookMaxn
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked
from gdl.wings.verify.worth import Key, Vector, Worths

STARS = ("star1", "star2")  # alpha-beta that goes through chance nodes
SECURED = "paranoid"  # alpha-beta for the first mover, against all others
SHALLOW = "shallow"  # max^n with shallow pruning
ALPHA_BETA = ("alpha-beta", "unknowns", *STARS, SECURED, SHALLOW)  # unknowns gives the record where it needs no numbers
INDUCTIONS = ("minimax", "expectiminimax", "maxn")  # solvers that count positions as nodes, and ends as leaves
POSITIONS = (  # solvers and concepts that count positions as nodes
    "subgame-perfect", "sequence-form", "belief", "plan", "cfr", "forgetful", "commitment", "team", "welfare",
)  # fmt: skip
MOST_NODES = 100_000  # nodes of the unfolded tree whose values are listed, level by level
ESTIMATED = 1_000  # the most nodes of an estimate's search that is made once more
RECORD = ("pruned", "rule", "trace", "cuts", "visits")
CUTS = ("ge", "gt")  # the pruning rules, the usual one first
ORDERS = ("given", "reverse", "best", "worst")
CUT_OFF = re.compile(
    r"cut off at depth ([0-9]{1,9}): (?:[0-9,]+ (?:node|position)s? (?:was|were) only estimated, "
    r"by the (?:file's )?evaluation|what lies deeper was only estimated)"
)


def check_counts(case: VerifierCase) -> Iterator[Finding]:
    """The stated nodes, leaves and states are the numbers of positions and ends, for solvers that look at every
    position once."""
    claim = case.claim
    every = claim.solver in POSITIONS or claim.concept in POSITIONS
    retrograde = claim.solver == RETROGRADE.name
    by_induction = claim.exact and claim.solver in INDUCTIONS
    by_induction = by_induction or (retrograde and (claim.exact or (claim.nodes or 0) <= ESTIMATED))
    if not (every or by_induction) or not {"nodes", "leaves", "states"} & set(claim.keys):
        return
    ground = case.graph
    sizes = {"nodes": len(ground.positions.nodes), "leaves": ground.ends, "states": len(ground.positions.nodes)}
    if claim.solver in POSITIONS:
        del sizes["leaves"]
    if retrograde and case.game.promises.merges:
        merged = case.numbering
        if claim.option("symmetry") or merged.states == claim.states != sizes["states"]:
            sizes = {"nodes": merged.states, "leaves": merged.ends, "states": merged.states}
    yield from compare_counts(case, sizes)


def compare_counts(case: VerifierCase, sizes: Mapping[str, int], whose: str = "the game has") -> Iterator[Finding]:
    """Compare the answer's counts with the game's, or with those of whatever else is named."""
    for name, actual in sizes.items():
        told = getattr(case.claim, name)
        if told is not None:
            said = f"{told:,} {name}: {whose} {actual:,} {'ends' if name == 'leaves' else 'positions'}"
            yield Finding(told == actual, (name,), said)


def check_alpha_beta(case: VerifierCase) -> Iterator[Finding]:
    """The counts, the skipped nodes and the record are those of a textbook's run of alpha-beta."""
    claim = case.claim
    fields = tuple(key for key in ("nodes", "leaves", *RECORD) if key in claim.keys)
    if claim.solver not in ALPHA_BETA or not fields:
        return
    rules = list(_rules(case))
    told = _told_of(case, rules[0])
    for rule in rules[1:]:  # an old answer does not say by which rule it was found: any of them will do
        if any(claim.data[name] != told[name] for name in fields):
            told = _told_of(case, rule)
    for name in fields:
        if claim.data[name] == told[name]:
            said = f"{claim.data[name]:,} {name}" if name in ("nodes", "leaves") else name
            yield Finding(True, (name,), f"{said} as the textbook's run has them")
        elif name in ("nodes", "leaves"):
            yield Finding(
                False, (name,), f"the textbook's run has {told[name]:,} {name}, the answer {claim.data[name]:,}"
            )
        else:
            yield Finding(False, (name,), f"{name}: not what the textbook's run has")
    if "window" in claim.options and claim.exact:
        root = textbook_run(case, rules[0]).visits[0]
        settled = root is not None and root["bound"] == "exact"
        yield Finding(
            settled, ("exact",), f"in this window the textbook's run knows {'the' if settled else 'no'} value"
        )
    if claim.options and claim.options.keys() <= {"cut", "order", "depth", "window"}:
        yield Finding(True, ("options",), "the textbook's run was made with the options of the answer")


def _told_of(case: VerifierCase, rule: textbook.Rules) -> dict[str, Any]:
    """The fields that an answer would have after a run by these rules."""
    run = textbook_run(case, rule)
    short = run.nodes <= textbook.RECORDED  # a longer run has no record
    return {
        "nodes": run.nodes,
        "leaves": run.leaves,
        "pruned": run.skipped_roots,
        "trace": run.trace if short else [],
        "cuts": run.cuts if short else [],
        "visits": [visit for visit in run.visits if visit] if short else [],
        "rule": {"cut": rule.cut, "order": rule.order},
    }


@found_once
def textbook_run(case: VerifierCase, rule: textbook.Rules) -> textbook.TextbookRun:
    """The textbook's run by these rules. Raises Unchecked if the answer's own search was stopped before its end."""
    claim = case.claim
    to_depth = rule.depth is not None and CUT_OFF.fullmatch(claim.limit or "")
    windowed = "window" in claim.options and claim.limit is None  # beyond a window a whole run knows only a bound
    if not (claim.exact or to_depth or windowed):
        raise Unchecked("the search was stopped, so it is not made once more")
    most = textbook.MOST_NODES if claim.exact else ESTIMATED
    kind = TextbookMaxn if claim.solver == SHALLOW else textbook.TextbookAlphaBeta
    return kind(case.game, _side(case), rule, most).search()


def _side(case: VerifierCase) -> int:
    """The number of the player whose utilities the search compares."""
    start = case.game.node(case.game.initial())
    if case.claim.solver == SECURED:
        return start.player if isinstance(start, Decision) else 0
    return maximiser(case.game.players)


def _rules(case: VerifierCase) -> Iterator[textbook.Rules]:
    """The rules by which the search may have been made: those of the options or of the record, else the usual ones; for
    old answers, which have neither, all that there are."""
    options, told, depth = case.claim.options, case.claim.data.get("rule"), _depth(case)
    through, probing = case.claim.solver in (*STARS, SECURED), case.claim.solver == STARS[1]
    if {"cut", "order"} & options.keys():
        cut, order = options.get("cut", CUTS[0]), options.get("order", ORDERS[0])
    elif isinstance(told, Mapping):
        cut, order = told.get("cut"), told.get("order")
    elif case.claim.fingerprint is None:
        yield from (textbook.Rules(cut, order, depth, through, probing) for cut in CUTS for order in ORDERS)
        return
    else:
        cut, order = CUTS[0], ORDERS[0]
    if cut not in CUTS or order not in ORDERS:
        raise Misfit("no such pruning rule, or order, is known")
    yield textbook.Rules(cut, order, depth, through, probing, _window(case))


def _window(case: VerifierCase) -> tuple[Number | float, Number | float]:
    """The window (alpha, beta) with which the search began."""
    low, _, high = str(case.claim.options.get("window", "..")).partition("..")
    try:
        alpha = -inf if low in ("", "-inf") else read_number(low)
        return alpha, (inf if high in ("", "inf") else read_number(high))
    except ValueError:
        raise Unchecked("no such window is known") from None


def _depth(case: VerifierCase) -> int | None:
    """The depth limit of the search: the one asked for, or the one at which the answer says it was cut off; None if
    there was none."""
    asked = case.claim.options.get("depth")
    cut = CUT_OFF.match(case.claim.limit or "")
    return asked if isinstance(asked, int) and not isinstance(asked, bool) else int(cut[1]) if cut else None


# ---- Values of all nodes ------------------------------------------------------------------------------------------


def check_values(case: VerifierCase) -> Iterator[Finding]:
    """The listed values of nodes are those of backward induction, and the record has its steps."""
    claim = case.claim
    if claim.solver not in INDUCTIONS or not claim.exact:
        return
    if "values" in claim.keys:
        yield _of_induction("values", _same_values(claim.data["values"], node_values(case), case))
    if claim.data.get("trace"):
        run = TextbookInduction(case.game, 0, textbook.Rules()).search()
        yield _of_induction("trace", claim.data["trace"] == run.trace)


def _of_induction(name: str, ok: bool) -> Finding:
    return Finding(ok, (name,), f"{name}: {'those' if ok else 'not those'} of backward induction")


def _same_values(told: Any, found: Mapping[Path, Sequence[Any]], case: VerifierCase) -> bool:
    """True if the list has all nodes, in order, each with its value."""
    listed = [(tuple(entry["path"]), read_amounts(entry["value"], "values")) for entry in told]
    return [path for path, _ in listed] == list(found) and all(
        value.keys() == set(case.game.players) and same_all(case.in_order(value), found[path]) for path, value in listed
    )


def node_values(case: VerifierCase) -> dict[Path, Vector]:
    """The value of each node of the unfolded tree, by its path, level by level, up to MOST_NODES nodes."""
    if case.graph.cyclic or not case.graph.open:
        raise Unchecked("backward induction is for games that end, with perfect information")
    game = case.graph.turns
    worths = Worths(game, case.limit)
    worths.vector_at(game.initial(), None)
    queue: list[tuple[Path, Key]] = [((), (game.initial(), None))]
    for path, key in queue:  # grows while it is walked
        children = worths.children(key, game.node(key[0]))
        queue += [((*path, k), child) for k, child in enumerate(children)][: MOST_NODES - len(queue)]
    return {path: worths.found[key] for path, key in queue}


# Answers that call themselves estimates. Nothing of them is proved; but a search to a depth can be made once more, if
# it is a small one: its value is what the file's evaluation makes of the nodes there.

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
    vector = worths.vector_at(*start)
    if side is not None and len(vector) == 2:
        other = (case.game.traits.constant_sum or 0) - vector[side]
        vector = (vector[0], other) if side == 0 else (other, vector[1])
    if claim.solver in INDUCTIONS:
        ends = [left == 0 or isinstance(case.game.node(state), Terminal) for state, left in worths.found]
        yield from compare_counts(case, {"nodes": len(ends), "leaves": sum(ends)}, "that search has")
    options = ("options",) if set(claim.options) == {"depth"} else ()
    yield Finding(asked == depth, ("exact", *options), f"a search to depth {depth}, and no further, is an estimate")
    if claim.value is not None:
        ok = same_all(case.in_order(claim.value), vector)
        said = f"a search to depth {depth} finds the value {amounts(case.game.players, vector)}"
        yield Finding(ok, ("value",), said if ok else f"{said}, and the answer says otherwise")
    yield from _check_first(case, worths, start)
    yield from _step_by_step(case, worths, start)


def _check_first(case: VerifierCase, worths: Worths, start: Key) -> Iterator[Finding]:
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
