"""How the answer depends on what the file leaves open: unknown utilities `?x` and probabilities `?p`.

Every unknown number is reckoned with as a linear form (regions.py), and the space of the unknowns is parted
until each comparison has one answer in every part. So the breakpoints are
exact, and none is missed:

1. In a part the game is searched as usual: alpha-beta, which never looks at what it prunes, where it can be used; else
   backward induction. Of a matrix every pure profile is compared with what each player could do instead.
2. Parts with equal answers are joined: to stretches of one unknown's line, and to conditions on all of them.
3. For one unknown among several, the parts are projected onto its line; where the answer still depends on others, they
   are named.

Probabilities lie between 0 and 1, and utilities keep the bounds that the file gives.

Sources: Gal and Greenberg, Advances in Sensitivity Analysis and Parametric Programming, 1997 (parametric optima);
Knuth and Moore 1975 (alpha-beta, whose run is followed symbolically).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, Literal

from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import (
    Action,
    Chance,
    Decision,
    Game,
    Joint,
    Node,
    Number,
    Rest,
    Simultaneous,
    Terminal,
    Unknown,
    exact,
)
from gdl.solution import Condition, OpenNumbers, Path, RecordedSearch, Rule, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.minimax.alpha_beta import alpha_beta, tied_actions
from gdl.solvers.minimax.backward_induction import backward_induction
from gdl.solvers.minimax.vectors import best_actions
from gdl.solvers.minimax.windows import WindowSearch, max_player, ordering, vector_of
from gdl.solvers.needs import Watch
from gdl.solvers.open_numbers.breakpoints import RegionOutcome, StretchAnswer, conditions, forms, intervals, stretches
from gdl.solvers.open_numbers.lattice import (
    Comparison,
    Extreme,
    Lattice,
    atoms,
    can_hold,
    extreme,
    lattice_text,
    multiply_out,
    read_assumption,
    simplify,
    simplify_value,
    unknowns_in,
)
from gdl.solvers.open_numbers.regions import (
    Form,
    Polyhedron,
    Region,
    RegionNode,
    Side,
    UnknownInterval,
    divide_region,
    parts,
)
from gdl.solvers.solver import Solver
from gdl.states.explore import moves
from gdl.states.game_wrapper import Assigned

MAX_PARTS = 400  # parts; an answer with more is no longer readable by anyone


def unknowns(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    cut: Literal["ge", "gt"] = "ge",
    assume: tuple[str, ...] = (),
    expand: bool = False,
) -> Solution:
    """The answer for all values of the unknown utilities and probabilities: stretches for each, conditions for all.

    `cut` is alpha-beta's rule, "ge" or "gt". Where alpha-beta does not need the unknowns, its record is given as well.
    `assume`: only where these comparisons hold. Conditions with min and max are multiplied out by `expand`.
    """
    budget = limits.budget()
    kind = _kind(game)
    answer = UNKNOWNS.answer(game, exact=False)
    with answering(lambda: replace(answer, nodes=budget.spent)):
        opened = collect_unknowns(game, budget)
        known = tuple(one for text in assume for one in read_assumption(text, opened.names))
        bounds = [bound for side in opened.sides if (bound := _comparison(side)) is not None]
        if not can_hold(known, bounds):
            raise Refusal("what is assumed can never hold")
        if kind == "alpha-beta" and (len(opened.names) > 1 or known) and not opened.negative:
            tree = TreeBounds(game, max_player(game), cut == "gt", (*known, *bounds), budget, expand, opened.names)
            found = _by_bounds(answer, opened.assuming(known) if len(opened.names) == 1 else opened, tree)
        else:
            opened = opened.assuming(known)
            root = divide_region(opened.region, lambda part: _outcome(game, part, kind, cut, budget), MAX_PARTS)
            found = answer_by_parts(game, answer, opened, root)
            found = replace(found, notes=(PURE,) if kind == "matrix" else ())
        found = replace(found, notes=(*found.notes, *(f"only where {text}" for text in assume)))
    if kind == "alpha-beta":
        record = _textbook(game, answer.with_part(RecordedSearch, rule=Rule(cut)), limits)
        kept = ("solver", "exact", "value", "best", "notes")
        record = record.with_part(OpenNumbers, unknowns=found.unknowns, conditions=found.conditions)
        found = replace(record, **{name: getattr(found, name) for name in kept})
    return found


def _by_bounds(answer: Solution, opened: OpenedNumbers, tree: TreeBounds) -> Solution:
    """The answer with conditions in min and max. For a single unknown: what holds on its whole line or, if conditions
    are multiplied out, on each stretch between the numbers in the tree."""
    found = tree.conditions()
    extents = [opened.region.extent(name) for name in opened.names]
    lines = {
        one.name: stretches(one, tree.numbers, tree.on_stretch) if tree.expand else (tree.on_stretch(one).interval(),)
        for one in extents
    }
    value = tree.values[()]
    always = tuple(str(one.subject[0]) for one in found if one.what == "best" and one.always)
    number = None if isinstance(value, str | Extreme) else tree.vector(value)
    part = OpenNumbers(unknowns=lines, conditions=found)
    return replace(answer, exact=True, value=number, best=always, part=part)


def answer_by_parts(
    game: Game[Any],
    answer: Solution,
    opened: OpenedNumbers,
    root: RegionNode[RegionOutcome],
) -> Solution:
    """The answer by the parts of the unknowns' space in which every comparison has one outcome."""
    node = game.node(game.initial())
    found = [leaf.answer for leaf in root.leaves() if leaf.answer is not None]
    actions = node.actions if isinstance(node, Decision) else ()
    first = max_player(game) if game.traits.has_scalar_value else None
    return replace(
        answer,
        exact=True,
        value=_common_value(found),
        best=tuple(action for action in found[0].best or () if all(action in (other.best or ()) for other in found)),
        part=OpenNumbers(
            unknowns=intervals(root, opened.region, opened.names),
            conditions=conditions(root, opened.region, actions=actions, first=first),
        ),
    )


PURE = "Only pure equilibria are looked at while something is unknown"


def _kind(game: Game[Any]) -> str:
    """The way to search the game: "alpha-beta", "expectiminimax" or "maxn" (the latter two by backward induction), or
    "matrix". Raises Refusal if something is hidden."""
    traits = game.traits
    start = game.initial()
    node = game.node(start)
    if isinstance(node, Simultaneous):
        ends = (game.node(game.successor(start, joint)) for joint in product(*node.actions))
        if all(isinstance(end, Terminal) for end in ends):
            return "matrix"
    if traits.simultaneous or traits.perfect_information is False:
        raise Refusal(
            f"{UNKNOWNS.name} needs perfect information, or a matrix; {game.name} hides something from a player"
        )
    return "maxn" if not traits.has_scalar_value else "expectiminimax" if traits.chance else "alpha-beta"


# ---- The unknowns of a game ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenedNumbers:
    """The unknowns by name, in the order of the file, and in `sides` what is promised of them; `negative`: some utility
    of MAX is minus an unknown."""

    names: tuple[str, ...]
    sides: tuple[Side, ...]
    negative: bool

    @property
    def region(self) -> Region:
        region: Region = UnknownInterval(self.names[0]) if len(self.names) == 1 else Polyhedron(self.names)
        for side in self.sides:
            region = region.part(side)
        return region

    def assuming(self, known: Sequence[Comparison]) -> OpenedNumbers:
        """These unknowns with further comparisons assumed. Raises Refusal if a comparison holds in several ways, so
        that the region has no single piece."""
        return replace(self, sides=(*self.sides, *(side for one in known for side in _sides(one))))


def _sides(one: Comparison) -> Iterator[Side]:
    """A comparison as linear ones that all hold. Raises Refusal if it holds in several ways."""
    lows = one.low.parts if isinstance(one.low, Extreme) and one.low.sign > 0 else (one.low,)
    highs = one.high.parts if isinstance(one.high, Extreme) and one.high.sign < 0 else (one.high,)
    for low, high in product(lows, highs):
        if isinstance(low, Extreme) or isinstance(high, Extreme):
            raise Refusal(f"{one} cannot be assumed here, as it holds in several ways; solve once with each of them")
        terms = (*([(low, -1)] if isinstance(low, str) else ()), *([(high, 1)] if isinstance(high, str) else ()))
        numbers = (0 if isinstance(low, str) else -low, 0 if isinstance(high, str) else high)
        if terms:
            yield Side(tuple(sorted(terms)), exact(Fraction(sum(numbers))), 1 if one.strict else 2)


def _comparison(side: Side) -> Comparison | None:
    """A promise about one unknown as a comparison with a number; None for a promise about several."""
    if len(side.terms) > 1:
        return None
    ((name, slope),) = side.terms
    end = exact(Fraction(-side.constant) / slope)
    return Comparison(end, name) if (side.sign > 0) == (slope > 0) else Comparison(name, end)


def collect_unknowns(game: Game[Any], budget: Budget) -> OpenedNumbers:
    """The unknowns of a game, and what is promised of them."""
    names: dict[str, None] = {}
    sides: dict[Side, None] = {}
    negative = False
    assigned = Assigned(game, partial(Form.unknown, UnknownInterval("")))  # forms that are not compared
    for state, node in _nodes(game, budget):
        if isinstance(node, Chance):
            for _, share in node.outcomes:
                if isinstance(share, Unknown | Rest):  # not negative; as they sum to one, none is then greater than one
                    spoken = share.unknowns if isinstance(share, Rest) else (share,)
                    names |= dict.fromkeys(unknown.name for unknown in spoken)
                    sides[Side(*parts(assigned.number(share)), 2)] = None
        elif isinstance(node, Terminal):
            bounds = game.promises.bounds(state) or ((None, None),) * len(game.players)
            for player, (utility, ends) in enumerate(zip(node.utilities, bounds, strict=True)):
                if isinstance(utility, Unknown):
                    terms, _ = parts(assigned.number(utility))
                    names[terms[0][0]] = None
                    negative = negative or (utility.negative and player == max_player(game))
                    kept = zip(ends, (2, -2), strict=True)
                    sides |= {Side(terms, -end, sign): None for end, sign in kept if end is not None}
    return OpenedNumbers(tuple(names), tuple(sides), negative)


def _nodes(game: Game[Any], budget: Budget) -> Iterator[tuple[Any, Node]]:
    """Every state that can be reached, once, in the order of the file."""
    stack = [game.initial()]
    met: set[Hashable] = set(stack)
    while stack:
        state = stack.pop()
        budget.check_time()
        node = game.node(state)
        yield state, node
        children = [game.successor(state, move) for move in moves(node)]
        fresh = [child for child in dict.fromkeys(children) if child not in met]
        met.update(fresh)
        stack += reversed(fresh)


# ---- The answer in one part ---------------------------------------------------------------------------------------


def _outcome(game: Game[Any], region: Region, kind: str, cut: str, budget: Budget) -> RegionOutcome:
    """The answer in a region. Raises Split if the region must be divided first."""
    assigned: Game[Any] = Assigned(game, partial(Form.unknown, region))
    budget.check_time()
    if kind == "matrix":
        return RegionOutcome(equilibria=_equilibria(assigned))
    if kind == "alpha-beta":
        return _alpha_beta_outcome(assigned, cut, budget)
    values = backward_induction(assigned, watch=Watch(UNKNOWNS.name, {"cyclic": False}, assigned), budget=budget).of
    return RegionOutcome(forms(values[game.initial()]), best_actions(assigned, game.initial(), values), ())


def _alpha_beta_outcome(game: Game[Any], cut: str, budget: Budget) -> RegionOutcome:
    """The result of the textbook's alpha-beta, with the nodes that it skips."""
    search = WindowSearch(game, ordering(game, "given", budget), cut == "gt", Watch(UNKNOWNS.name, {}, game), budget)
    search.watch.total = game.traits.constant_sum
    search.run()
    assert search.result is not None
    best = search.result.line[:1]
    if best:
        tied, unsettled = tied_actions(search, budget)
        if unsettled:
            raise LimitReached("stopped: whether some actions are as good as the best was too long to prove")
        best = (*best, *tied)
    skipped = tuple(root.path for cut in search.record.cuts for root in cut.skipped)
    return RegionOutcome(forms(vector_of(search, search.result.value)), best, skipped)


def _equilibria(game: Game[Any]) -> tuple[Joint, ...]:
    """The profiles of a matrix in which nobody could gain by another action."""
    node = game.node(game.initial())
    assert isinstance(node, Simultaneous)

    def utility(joint: Joint, player: int) -> Any:
        end = game.node(game.successor(game.initial(), joint))
        assert isinstance(end, Terminal)
        return end.utilities[player]

    def holds(joint: Joint) -> bool:
        return all(
            utility((*joint[:player], other, *joint[player + 1 :]), player) <= utility(joint, player)
            for player, actions in enumerate(node.actions)
            for other in actions
        )

    return tuple(joint for joint in product(*node.actions) if holds(joint))


# ---- The whole answer ---------------------------------------------------------------------------------------------


def _textbook(game: Game[Any], answer: Solution, limits: SearchLimits) -> Solution:
    """The record of alpha-beta if it never needs an unknown; else the given answer."""
    assert answer.rule is not None
    cut: Any = answer.rule.cut
    try:
        with answering(lambda: answer):
            return alpha_beta(game, SearchLimits(time=limits.time), cut=cut)
    except GameError:
        return answer


def _common_value(found: Sequence[RegionOutcome]) -> tuple[Number, ...] | None:
    """The value, if it is the same numbers whatever the unknowns are; else None."""
    values = {outcome.value for outcome in found}
    (value,) = values if len(values) == 1 else [None]
    if value is None or any(terms for terms, _ in value):
        return None
    return tuple(constant for _, constant in value)


UNKNOWNS = Solver(
    name="unknowns",
    run=unknowns,
    needs={"unknowns": True, "cyclic": False},
    summary="how value, best actions, skipped subtrees and pure equilibria depend on what the file leaves open",
)


# When each action is best and each subtree is pruned, in a tree in which MAX and MIN choose and numbers are left open.
#
# 1. The value of a node is the max or min of its children's values: an expression in the unknowns.
# 2. Alpha at a node is the max of what the elder siblings on the way there are worth where MAX chose, beta the min of
#    the others. (What search returns of a sibling is its value, or a bound that changes neither.)
# 3. A MIN node's next child is pruned when the min of its elder siblings is <= alpha (< by the strict rule), and the
#    other way round, where nothing above was pruned before.
#
# Source: Knuth and Moore 1975 (deep cutoffs; the window is what the path is sure of).


@dataclass
class TreeBounds:
    """A tree with unknowns, the player whose utility is compared, the pruning rule (`strict`: the rule `gt`), and
    what is known of the unknowns."""

    game: Game[Any]
    player: int
    strict: bool
    known: Sequence[Comparison]
    budget: Budget
    expand: bool = False  # multiply out min and max
    names: Sequence[str] = ()  # all unknowns, in the order of the file
    values: dict[Path, Lattice] = field(default_factory=dict)
    spoken: set[str] = field(default_factory=set)  # unknowns that occur in the answer

    def conditions(self) -> tuple[Condition, ...]:
        """The conditions under which each action at the root is best, the value has each of its forms, and each subtree
        is pruned that may be."""
        start = self.game.initial()
        value = self.value(start, ())
        self.spoken |= unknowns_in(Comparison(value, value))
        node = self.game.node(start)
        best = self._best_conditions(node) if isinstance(node, Decision) else []
        pieces = dict.fromkeys(atoms(value)) if self.expand else [value]
        told = [
            self._condition("value", (lattice_text(one),), [Comparison(one, value), Comparison(value, one)])
            for one in pieces
        ]
        found = (*best, *told, *self._pruning(start, (), {}, ()))
        return tuple(one for one in found if one.cases) if self.expand else found

    def value(self, state: Any, path: Path) -> Lattice:
        """The value of a node as an expression; the values of all nodes below are kept in `values`."""
        node = self.game.node(state)
        self.budget.check_time()
        if isinstance(node, Terminal):
            utility = node.utilities[self.player]
            found: Lattice = utility.name if isinstance(utility, Unknown) else utility
        else:
            assert isinstance(node, Decision)
            parts = [self.value(self.game.successor(state, a), (*path, k)) for k, a in enumerate(node.actions)]
            found = simplify_value(extreme(self._sign(node), *parts), self.known)
        self.values[path] = found
        return found

    @property
    def numbers(self) -> set[Number]:
        """All numbers in the tree and in the known comparisons: only at these can the order of unknowns and numbers
        change."""
        told = (atom for value in self.values.values() for atom in atoms(value))
        return {n for n in (*told, *(a for c in self.known for a in (c.low, c.high))) if isinstance(n, int | Fraction)}

    def on_stretch(self, cell: UnknownInterval) -> StretchAnswer:
        """The answers on a stretch of one unknown, for all values of the others."""
        ends = [Comparison(cell.low, cell.name, not cell.has_low)] if cell.low is not None else []
        ends += [Comparison(cell.name, cell.high, not cell.has_high)] if cell.high is not None else []
        here = replace(self, known=(*self.known, *ends), values={}, spoken=set(), expand=False)
        found = here.conditions()

        def subjects_everywhere(what: str) -> list[Any] | None:
            own = [one for one in found if one.what == what]
            return None if any(one.status == "sometimes" for one in own) else [one.subject for one in own if one.always]

        value, best, pruned = here.values[()], subjects_everywhere("best"), subjects_everywhere("pruned")
        number = cell.point if value == cell.name and cell.point is not None else value
        told = None
        if isinstance(number, int | Fraction):
            told = forms(self.vector(number))
        elif value == cell.name:
            turns = [1 if player == self.player else -1 for player in range(len(self.game.players))]
            told = tuple((((cell.name, turn),), 0 if turn > 0 else self.vector(0)[1 - self.player]) for turn in turns)
        spoken = tuple(name for name in self.names if name in here.spoken - {cell.name})
        return StretchAnswer(
            cell,
            RegionOutcome(
                told,
                None if best is None else tuple(subject[0] for subject in best),
                None if pruned is None else tuple(pruned),
            ),
            () if told and best is not None and pruned is not None else spoken,
        )

    def vector(self, number: Number) -> tuple[Number, ...]:
        """The values of all players, from that of the player whose utility is compared."""
        total = self.game.traits.constant_sum or 0
        return tuple(number if p == self.player else exact(total - number) for p in range(len(self.game.players)))

    def _sign(self, node: Decision) -> int:
        return 1 if node.player == self.player else -1

    def _best_conditions(self, node: Decision) -> Iterator[Condition]:
        """The conditions under which actions are best: the child is worth at least (for MIN: at most) as much as the
        others."""
        sign = self._sign(node)
        worths = [self.values[place,] for place in range(len(node.actions))]
        for place, action in enumerate(node.actions):
            others = worths[:place] + worths[place + 1 :]
            told = [_reaches(sign, worths[place], extreme(sign, *others))] if others else []
            yield self._condition("best", (action,), told)

    def _pruning(
        self, state: Any, path: Path, window: Mapping[int, Lattice], visited: tuple[Comparison, ...]
    ) -> Iterator[Condition]:
        """The conditions under which subtrees below a node are pruned. Search enters the node if the comparisons
        `visited` hold, with the window alpha (key 1) and beta (-1)."""
        node = self.game.node(state)
        if not isinstance(node, Decision):
            return
        sign = self._sign(node)
        limit, entry = window.get(-sign), dict(window)
        for place, action in enumerate(node.actions):
            below: tuple[Comparison, ...] | None = visited
            if place:
                seen = extreme(sign, *(self.values[*path, elder] for elder in range(place)))
                entry[sign] = extreme(sign, seen, *([window[sign]] if sign in window else []))
                if limit is not None:
                    cut = _reaches(sign, seen, limit)._replace(strict=self.strict)
                    yield self._condition("pruned", (*path, place), [*visited, cut])
                    below = simplify([*visited, ~cut], self.known)
            if below is not None:
                yield from self._pruning(self.game.successor(state, action), (*path, place), dict(entry), below)

    def _condition(self, what: str, subject: tuple[Action, ...] | Path, told: Sequence[Comparison]) -> Condition:
        found = simplify(told, self.known)
        self.spoken |= unknowns_in(*(found or ()))
        if self.expand and found and (cases := multiply_out(found, self.known, what == "value")) is not None:
            return Condition(what, subject, tuple(tuple(map(str, case)) for case in cases))
        return Condition(what, subject, () if found is None else (tuple(map(str, found)),))


def _reaches(sign: int, value: Lattice, bound: Lattice) -> Comparison:
    """The comparison that a value is at least (sign 1) or at most (-1) the bound."""
    return Comparison(bound, value) if sign > 0 else Comparison(value, bound)
