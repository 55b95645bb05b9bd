"""Alpha-beta as the textbook has it, once more and by itself, for the verifier: what it visits, skips and returns.

    ALPHA-BETA(node, alpha, beta):
        at an end (or at the depth limit): return UTILITY (or EVAL)
        v = -oo for MAX, +oo for MIN
        for each child, in the order asked for:
            v = max (for MIN: min) of v and ALPHA-BETA(child, alpha, beta)
            if v >= beta (for MIN: v <= alpha): skip the other children and return v        (rule gt: only beyond it)
            alpha = max(alpha, v) (for MIN: beta = min(beta, v))
        return v

What is returned is a value, or only a bound on it: MAX has v for certain if a child gives it that is worth at least v,
and no more than v if all children were looked at and none may be worth more; so for MIN the other way round.

A chance node is worth the average of its outcomes. What is known of those unseen are the bounds that the file promises
or its rules prove; so its value lies between the averages of all that is known, and its window for an outcome is that
in which the outcome could still matter (star1: Ballard 1983). Star2 looks at the first child of each outcome before.

Source: Russell and Norvig, Artificial Intelligence, figure 5.7; Fishburn 1983 (values beyond the window).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

from gdl.errors import GameError
from gdl.game import (
    Bounds,
    Chance,
    Decision,
    Game,
    Number,
    Terminal,
    actions,
    exact,
    maximiser,
    surely_at,
    tightest_bounds,
)
from gdl.numbers import to_json, to_text
from gdl.solution import Path
from gdl.states.explore import Recursion, move_text, moves, run_recursion
from gdl.wings.verify.verdict import Unchecked
from gdl.wings.verify.worth import Vector, Worths, average, mean

MOST_NODES = 200_000  # the most nodes of a run
RECORDED = 100_000  # the most nodes of a run whose record is kept

Event = dict[str, Any]
Look = Recursion[Any]  # yields the looks at children that it needs; returns a number and its bound
Window = tuple[Number | float, Number | float]


@dataclass(frozen=True)
class Rules:
    """The rules of a search: whether a node is left at equality (`ge`) or only beyond it (`gt`), the order of children,
    and the depth limit (None: none)."""

    cut: str = "ge"
    order: str = "given"
    depth: int | None = None
    chance: bool = False  # whether chance nodes are searched, by star1
    probing: bool = False  # by star2: one successor of each outcome is looked at first
    window: Window = (-inf, inf)  # the window of the root


@dataclass
class TextbookRun:
    """The counts and the record of a run, in the form of an answer's JSON."""

    nodes: int = 0
    leaves: int = 0
    trace: list[Event] = field(default_factory=list)
    visits: list[Event | None] = field(default_factory=list)
    cuts: list[Event] = field(default_factory=list)

    @property
    def skipped_roots(self) -> list[dict[str, Any]]:
        """The roots of the skipped subtrees."""
        return [skipped for cut in self.cuts for skipped in cut["skipped"]]


@dataclass
class _Node:
    """A node on the path from the root, while it is looked at."""

    path: Path
    action: str | None
    state: Any
    left: int | None  # plies until the depth limit; None: there is none
    number: int
    alpha: Number | float
    beta: Number | float
    player: int = 0
    actions: tuple[str, ...] = ()
    order: list[int] = field(default_factory=list)  # the children to be looked at, in order
    rest: Sequence[int] = ()  # of a player's node: all children, in the order asked for
    probe: bool = False  # whether the first child alone is looked at
    probes: list[bool] = field(default_factory=list)  # of a chance node: which looks of `order` are probes
    done: int = 0
    v: Number | float = 0
    sure: bool = False  # a child is known to give the mover v
    best: bool = True  # no child looked at may give the mover more than v
    entered: Window = (-inf, inf)
    weights: tuple[Number, ...] = ()  # of a chance node; `lows` and `highs` bound the value of each outcome
    lows: list[Number | float] = field(default_factory=list)
    highs: list[Number | float] = field(default_factory=list)

    def average(self, bounds: Sequence[Number | float], without: int | None = None) -> Number | float:
        """The average of bounds (one for each outcome); with `without`, the sum of the parts of all other outcomes."""
        return average([0 if k == without else weight for k, weight in enumerate(self.weights)], bounds)

    def average_or_bound(self, leaving: bool = False) -> tuple[Number | float | None, str | None]:
        """The average of a chance node, if it is known, and "exact"; else a bound on it and "upper" or "lower". When
        the node is left (`leaving`), it is the bound by which it is left."""
        low, high = self.average(self.lows), self.average(self.highs)
        if low == high:
            return low, "exact"
        if high <= self.alpha if leaving else not isinstance(high, float):
            return high, "upper"
        return (None, None) if isinstance(low, float) else (low, "lower")

    def window(self, child: int) -> Window:
        """The window in which a child is to be looked at."""
        if not self.weights:
            return self.alpha, self.beta
        weight = self.weights[child]
        if not weight:
            return -inf, inf
        low, high = (_share(edge - self.average(bounds, child), weight)
                     for edge, bounds in ((self.alpha, self.highs), (self.beta, self.lows)))  # fmt: skip
        return max(low, self.lows[child]), min(high, self.highs[child])


class TextbookAlphaBeta:
    """Alpha-beta as in the textbook, on one game; the values are those of the maximising player."""

    def __init__(self, game: Game[Any], maximiser: int, rules: Rules, most: int = MOST_NODES):
        self.game = game
        self.maximiser = maximiser
        self.rules = rules
        self.most = most
        self.run = TextbookRun()
        self.worths = Worths(game, most)

    def search(self) -> TextbookRun:
        """Make the whole run. Raises Unchecked if it is too long, or the game is not one for alpha-beta."""
        run_recursion(self._look(self._begin((), None, self.game.initial(), self.rules.depth, *self.rules.window)))
        self._drop_repeats()
        return self.run

    def _drop_repeats(self) -> None:
        """Correct the skipped roots: one that a probe skipped but that was looked at later is removed, and one skipped
        twice is listed the last time only."""
        seen = {tuple(step["node"]) for step in self.run.trace}
        last = {tuple(root["path"]): k for k, cut in enumerate(self.run.cuts) for root in cut["skipped"]}
        for k, cut in enumerate(self.run.cuts):
            paths = [(tuple(root["path"]), root) for root in cut["skipped"]]
            cut["skipped"] = [root for path, root in paths if last[path] == k and path not in seen]

    # -- the search -----------------------------------------------------------------------------------------

    def _look(self, node: _Node) -> Look:
        """Look at a node: returns its number, and the relation of that to the node's value ("exact", "lower", "upper"
        or None)."""
        here = self.game.node(node.state)
        if isinstance(here, Chance):
            return (yield from self._look_through_chance(node, here))
        if isinstance(here, Terminal) or node.left == 0:
            self.run.leaves += 1
            value = self.worths.vector_at(node.state, 0)[self.maximiser]
            self._step(node, "leaf", value, "exact")
            return self._record_visit(node, "terminal" if isinstance(here, Terminal) else "cutoff", value, "exact")
        if not isinstance(here, Decision):
            raise Unchecked("alpha-beta is for games in which one moves at a time")
        node.player, node.actions = here.player, here.actions
        node.rest = self._order(node.state, node.left, here)
        node.order = list(node.rest[:1] if node.probe else node.rest)
        maximises = node.player == self.maximiser
        node.v = -inf if maximises else inf
        self._step(node, "enter", None, None)
        for child in node.order:
            before = node.alpha, node.beta
            self._take(node, *(yield self._child(node, child)))
            node.done += 1
            edge = node.beta if maximises else node.alpha
            past = node.v > edge if maximises else node.v < edge
            if past or (node.v == edge and self.rules.cut == "ge"):
                self._cut(node, before)
                break
            whole = node.done == len(node.order)
            self._step(node, "update", node.v, self._bound(node) if whole else self._bound_so_far(node))
        return self._leave(node, "decision", number(node.v), self._bound(node))

    def _look_through_chance(self, node: _Node, here: Chance) -> Look:
        self._enter_chance(node, here)
        while node.done < len(node.order):
            child = node.order[node.done]
            self._take_outcome(node, child, *(yield self._child(node, child)))
            if self._is_enough(node):
                value, bound = node.average_or_bound(leaving=True)
                node.v = number(value)
                self._cut(node, (node.alpha, node.beta), bound)
                break
            self._step(node, "update", *node.average_or_bound())
        return self._leave(node, "chance", *node.average_or_bound(leaving=True))

    def _begin(
        self, path: Path, action: str | None, state: Any, left: int | None, alpha: Number | float,
        beta: Number | float, probe: bool = False,
    ) -> _Node:  # fmt: skip
        """A new node to be looked at, which is counted. Raises Unchecked if there are too many."""
        node = _Node(path, action, state, left, self.run.nodes, alpha, beta, probe=probe, entered=(alpha, beta))
        self.run.nodes += 1
        self.run.visits.append(None)
        if self.run.nodes > self.most:
            raise Unchecked(f"the textbook's run has more than {self.most:,} nodes")
        return node

    def _child(self, node: _Node, child: int) -> Look:
        """The look at a child of the node."""
        action, left = node.actions[child], None if node.left is None else node.left - 1
        probe = bool(node.probes) and node.probes[node.done]
        after = self.game.successor(node.state, action)
        return self._look(self._begin((*node.path, child), action, after, left, *node.window(child), probe))

    def _leave(self, node: _Node, kind: str, value: Any, bound: str | None) -> tuple[Any, str | None]:
        self._step(node, "leave", value, bound)
        return self._record_visit(node, kind, value, bound)

    def _enter_chance(self, node: _Node, here: Chance) -> None:
        """Set the bounds of the outcomes of a chance node, and the order in which they are looked at."""
        if not self.rules.chance:
            raise Unchecked("where chance moves, the run of this search is not made once more")
        node.actions, node.weights = tuple(a for a, _ in here.outcomes), tuple(w for _, w in here.outcomes)
        after = [self.game.successor(node.state, action) for action in node.actions]
        nodes = list(enumerate(map(self.game.node, after)))
        if self.rules.probing:
            looks = [(k, isinstance(child, Decision)) for k, child in nodes if not isinstance(child, Chance)]
            looks += [(k, False) for k, child in nodes if not isinstance(child, Terminal)]
            node.order, node.probes = [k for k, _ in looks], [probe for _, probe in looks]
        else:
            node.order = list(range(len(nodes)))
        for state in after:
            low, high = self._promised_bounds(state)[self.maximiser]
            node.lows.append(-inf if low is None else low)
            node.highs.append(inf if high is None else high)
        self._step(node, "enter", None, None)

    def _promised_bounds(self, state: Any) -> Bounds:
        """For each player the bounds of the value below a state, by what is promised or proved of ends and, under a
        depth limit, of evaluations."""
        if self.rules.depth is None:
            return surely_at(self.game, state)
        promises, nothing = self.game.promises, ((None, None),) * len(self.game.players)
        estimates = promises.proved_of_estimates()
        return tightest_bounds(nothing if estimates else promises.bounds(state) or nothing, estimates or nothing)

    def _order(self, state: Any, left: int | None, here: Decision) -> Sequence[int]:
        """The children in the order of the search, by number; among equal ones the order of the file."""
        if self.rules.order in ("given", "reverse"):
            return range(len(here.actions))[:: 1 if self.rules.order == "given" else -1]
        after = None if left is None else left - 1
        own = [self.worths.vector_at(self.game.successor(state, action), after)[here.player] for action in here.actions]
        return sorted(range(len(own)), key=lambda k: -own[k] if self.rules.order == "best" else own[k])

    def _take_outcome(self, node: _Node, child: int, value: Number, bound: str | None) -> None:
        """Narrow the bounds of an outcome by the result of a look. If a probe has already shown its value, the second
        look is dropped."""
        if bound in ("exact", "lower"):
            node.lows[child] = max(node.lows[child], value)
        if bound in ("exact", "upper"):
            node.highs[child] = min(node.highs[child], value)
        shown = bound == "exact" or (node.lows[child] == node.highs[child] and self.rules.cut == "ge")
        if node.probes and node.probes[node.done] and shown:
            again = node.order.index(child, node.done + 1)
            del node.order[again], node.probes[again]
        node.done += 1

    def _is_enough(self, node: _Node) -> bool:
        """True if the average of a chance node surely lies beyond its window."""
        low, high = node.average(node.lows), node.average(node.highs)
        at_edge = self.rules.cut == "ge" and (high == node.alpha or low == node.beta)
        return high < node.alpha or low > node.beta or at_edge

    def _take(self, node: _Node, value: Number, bound: str | None) -> None:
        """Take in a child's result: the mover keeps the better number, and the window narrows."""
        maximises = node.player == self.maximiser
        enough = bound == "exact" or bound == ("lower" if maximises else "upper")
        if value > node.v if maximises else value < node.v:
            node.v, node.sure = value, enough
        elif value == node.v:
            node.sure = node.sure or enough
        node.best = node.best and bound != ("lower" if maximises else "upper")
        if maximises:
            node.alpha = max(node.alpha, node.v)
        else:
            node.beta = min(node.beta, node.v)

    def _bound(self, node: _Node) -> str | None:
        """The relation of a node's number to its value ("exact", "lower", "upper" or None) when it is left."""
        if node.sure and node.best and node.done == len(node.rest):
            return "exact"
        if node.probe and not node.sure:
            return None
        return "lower" if node.sure == (node.player == self.maximiser) else "upper"

    def _bound_so_far(self, node: _Node) -> str | None:
        """The relation of a node's number to its value while children are still to be looked at."""
        return ("lower" if node.player == self.maximiser else "upper") if node.sure else None

    def _cut(self, node: _Node, window: Window, bound: str | None = None, value: Any = None) -> None:
        """Record that the node is left and its other children are skipped."""
        alpha, beta = window
        above = node.v >= beta
        reason = f"{_text(node.v)} {'>= beta' if above else '<= alpha'} {_text(beta if above else alpha)}"
        self.run.cuts.append(
            {
                "path": list(node.path),
                "alpha": _end(alpha),
                "beta": _end(beta),
                "value": to_json(number(node.v)),
                "child": node.actions[node.order[node.done - 1]],
                "reason": reason,
                "skipped": list(self._skipped_roots(node)),
            }
        )
        self._step(node, "cut", node.v if value is None else value, bound or self._bound(node), window)

    def _skipped_roots(self, node: _Node) -> Iterator[dict[str, Any]]:
        """The roots of all subtrees that are never looked at: children not looked at, and of outcomes that were only
        probed the other children."""
        seen, ahead = node.order[: node.done], node.order[node.done :]
        if not node.weights:
            yield from (self._skipped_root(node.path, node.state, child) for child in sorted(node.rest[node.done :]))
        for child in range(len(node.actions)) if node.weights else ():
            after = self.game.successor(node.state, node.actions[child])
            here = self.game.node(after)
            if child not in seen:
                yield self._skipped_root(node.path, node.state, child)
            elif child in ahead and isinstance(here, Decision):
                left = None if node.left is None else node.left - 1
                others = sorted(self._order(after, left, here)[1:])
                yield from (self._skipped_root((*node.path, child), after, other) for other in others)

    def _skipped_root(self, path: Path, state: Any, child: int) -> dict[str, Any]:
        """The path and the label of a skipped subtree's root: the action, or where actions are only numbers the name of
        the state."""
        action = move_text(moves(self.game.node(state))[child])
        label: str | None = action
        if action == str(child + 1):
            try:
                label = self.game.label(self.game.successor(state, action))
            except GameError:
                label = None
        return {"path": [*path, child], **({} if label is None else {"label": label})}

    # -- the record -----------------------------------------------------------------------------------------

    def _as_json(self, value: Any) -> Any:
        return to_json(number(value))

    def _step(self, node: _Node, event: str, value: Any, bound: str | None, window: Window | None = None) -> None:
        alpha, beta = window or (node.alpha, node.beta)
        low, high = (node.average(node.lows), node.average(node.highs)) if node.weights else (-inf, inf)
        self.run.trace.append(
            {
                "node": list(node.path),
                "event": event,
                "alpha": _end(alpha),
                "beta": _end(beta),
                "value": None if value is None else self._as_json(value),
                "bound": bound,
                **({"low": _end(low), "high": _end(high)} if {low, high} - {-inf, inf} else {}),
                **({"probe": True} if node.probe else {}),
            }
        )

    def _record_visit(self, node: _Node, kind: str, value: Any, bound: str | None) -> tuple[Any, str | None]:
        if bound is not None:  # else nothing is known by it
            self.run.visits[node.number] = {
                "path": list(node.path),
                "action": node.action,
                "label": self.game.label(node.state),
                "player": self.game.players[node.player] if kind == "decision" else None,
                "kind": kind,
                "window": [_end(edge) for edge in node.entered],
                "window_after": [_end(node.alpha), _end(node.beta)],
                "value": self._as_json(value),
                "bound": bound,
            }
        return value, bound


def number(value: Number | float | None) -> Number:
    """The value, which must be known and finite."""
    assert value is not None and not isinstance(value, float)
    return value


def _end(edge: Number | float) -> int | str | float | None:
    return None if isinstance(edge, float) else to_json(edge)


def _share(amount: Number | float, weight: Number) -> Number | float:
    return amount if isinstance(amount, float) else exact(Fraction(amount) / weight)


def _text(edge: Number | float) -> str:
    return "-inf" if isinstance(edge, float) else to_text(edge)


# Max^n with shallow pruning, once more and by itself, for the verifier: what it visits, skips and returns.
#
#     MAX^N(node, enough): at an end: return the utilities most = the least of `enough`, and all that the mover can get
# below the node for each child, in the order asked for: the child's `enough` is what is left of the sum, when this
# mover keeps the best so far and all but these two get the least that they can get below the child (nothing is known at
# the first child, or below chance) best = the better for the mover of best and MAX^N(child, its enough) if the mover
# gets `most` by it: skip the other children                        (rule gt: only more than it) return best
#
# Backward induction is the same search, in which nothing is ever enough.
#
# Source: Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991.


class TextbookMaxn(TextbookAlphaBeta):
    """The textbook's max^n with cuts, for the value vectors of all players. A window bounds the value of whoever moves
    at its node."""

    def search(self) -> TextbookRun:
        """Make the whole run. Raises Unchecked if it is too long."""
        run_recursion(self._look_for_all((), None, self.game.initial(), inf))
        return self.run

    def _as_json(self, value: Any) -> Any:
        return {player: to_json(number) for player, number in zip(self.game.players, value, strict=True)}

    def _look_for_all(self, path: Path, action: str | None, state: Any, enough: Number | float) -> Look:
        """Look at a node: returns its value vector, or once the mover has `enough`, one that is no better for whoever
        moved before."""
        here = self.game.node(state)
        if not isinstance(here, Decision | Chance | Terminal):
            raise Unchecked("this search is for games in which one moves at a time")
        most = self._most_for_mover(state, here, enough)
        node = self._begin(path, action, state, None, -inf, most)
        if isinstance(here, Terminal):
            self.run.leaves += 1
            paid = self.worths.vector_at(state, 0)
            self._step(node, "leaf", paid, "exact")
            return self._record_visit(node, "terminal", paid, "exact")[0]
        node.actions = actions(here)
        node.rest = self._order(state, None, here) if isinstance(here, Decision) else range(len(node.actions))
        node.order = list(node.rest)
        self._step(node, "enter", None, None)
        vectors: list[Vector] = []
        best: Vector | None = None
        bound, whole = "exact", False
        for child in node.order:
            after, window = self.game.successor(state, node.actions[child]), (node.alpha, node.beta)
            enough = self._enough_for_mover(node, here, after)
            vectors.append((yield self._look_for_all((*path, child), node.actions[child], after, enough)))
            node.done += 1
            whole = node.done == len(node.order)
            if isinstance(here, Chance):
                best = mean([weight for _, weight in here.outcomes], vectors) if whole else None
                self._step(node, "update", best, "exact" if whole else None)
                continue
            node.player = here.player
            if best is None or vectors[-1][here.player] > best[here.player]:
                best = vectors[-1]
                node.alpha = node.v = best[here.player]
            if node.v > most or (node.v == most and self.rules.cut == "ge"):
                bound = "exact" if whole else "lower"
                self._cut(node, window, bound, best)
                break
            self._step(node, "update", best, "exact" if whole else self._bound_so_far(node))
        return self._leave(node, "decision" if isinstance(here, Decision) else "chance", best, bound)[0]

    def _bound_so_far(self, node: Any) -> str | None:
        return "lower"

    def _most_for_mover(self, state: Any, here: Any, enough: Number | float) -> Number | float:
        """The most that the mover can get at a node, or `enough` if that is less; infinity where nobody decides."""
        if not isinstance(here, Decision):
            return inf
        ceiling = surely_at(self.game, state)[here.player][1]
        return min(enough, self._left_by(state, {here.player}, 0), inf if ceiling is None else ceiling)

    def _enough_for_mover(self, node: Any, here: Decision | Chance, after: Any) -> Number | float:
        """The amount for the mover at a child that leaves the mover at this node no more than they have already;
        infinite if not known."""
        child = self.game.node(after)
        if isinstance(here, Chance) or not isinstance(child, Decision) or child.player == here.player or not node.done:
            return inf
        return inf if node.alpha == -inf else self._left_by(after, {child.player, here.player}, node.alpha)

    def _left_by(self, state: Any, players: set[int], taken: Number | float) -> Number | float:
        """The rest of the sum of all utilities, after `taken` and after the least that all but the given players get;
        infinite if not known."""
        total = self.game.traits.constant_sum
        least = [low for player, (low, _) in enumerate(surely_at(self.game, state)) if player not in players]
        known = [low for low in least if low is not None]
        return inf if total is None or len(known) < len(least) else total - taken - sum(known)


class TextbookInduction(TextbookMaxn):
    """Backward induction: nothing is skipped, and steps show no window. If one number stands for all players, steps
    show only that."""

    def _as_json(self, value: Any) -> Any:
        whose = maximiser(self.game.players)
        return to_json(value[whose]) if self.game.traits.has_scalar_value else super()._as_json(value)

    def _bound_so_far(self, node: Any) -> str | None:
        others = self.game.traits.has_scalar_value and node.player != maximiser(self.game.players)
        return "upper" if others else "lower"

    def _most_for_mover(self, state: Any, here: Any, enough: Number | float) -> Number | float:
        return inf

    def _step(self, node: Any, event: str, value: Any, bound: str | None, window: Any = None) -> None:
        super()._step(node, event, value, bound, (-inf, inf))
