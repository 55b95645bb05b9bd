"""A cell: all assessments of one support, as the solutions of linear conditions.

A support says which actions have positive probability at each information set. By Kreps and Wilson an assessment of
that support is consistent exactly if there are labels, 0 for the actions of the support and more for the others, and
positive weights, those of the support being the probabilities, so that the belief at each information set rests on the
nodes with the least sum of labels, in proportion to chance and the product of the weights on the way.

1. A player's weight of a sequence of own actions is one variable, or fixed where the support leaves no choice; the
   weights of the supported actions of a set sum to that of the sequence before it.
2. What an action is worth is then the sum over ends of chance, utility and the others' weights. With two players that
   is linear in the weights of the other. With more it may hold products; a product of weights that no sum binds is a
   variable of its own where such products are independent, and where they are not the cell is not solved.
3. On which nodes a belief rests is derived where play, or an earlier belief, leads to the set, and tried elsewhere.
4. Labels are found by one linear program, weights by another; both are exact.

Weak beliefs (Mas-Colell, Whinston and Green 1995, section 9.C) are free off the path of play; who moves there must
do what is best against them from there on.

Sources: Kreps and Wilson, Sequential equilibria, Econometrica 50, 1982; Perea, Jansen and Peters, Characterization of
consistent assessments in extensive form games, Games and Economic Behavior 21, 1997; von Stengel, Efficient
computation of behavior strategies, 1996 (sequences).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour, Row, pure_row
from gdl.solvers.equilibria.position_paths import PositionPaths, Step, normalise_weights
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.wings.theory.beliefs.conditions import (
    Conditions,
    ImpossibleCondition,
    Monomial,
    NotLinear,
    Sum,
    add,
    copy_conditions,
    is_settled,
    replace_factors,
    solve_conditions,
    sum_terms,
    value_of,
)
from gdl.wings.theory.beliefs.consistency import has_labels

Support = tuple[tuple[int, ...], ...]  # per information set, the actions with positive probability
Play = tuple[tuple[int, ...] | None, ...]  # the same where play leads, None elsewhere
Nodes = tuple[int, ...]  # the positions on which a belief rests
Beliefs = tuple[Mapping[int, Number], ...]  # per information set: position -> probability

FEW_PATTERNS = 4  # that are tried before it is asked if anybody would leave the play
PATTERNS = 5_000  # choices of nodes for the beliefs of one support that are tried


@dataclass(frozen=True)
class Assessment:
    """A behaviour of everyone at every information set, with the beliefs there."""

    rows: tuple[Row, ...]
    beliefs: Beliefs


def led_to(positions: PositionGraph, support: Support) -> tuple[Set[int], Play]:
    """The positions to which play leads, which do not depend on the probabilities, and the support there."""
    reached = {0}
    for position, (node, h) in enumerate(zip(positions.nodes, positions.sets, strict=True)):
        if position in reached and not isinstance(node, Terminal):
            after = positions.successors[position]
            if isinstance(node, Chance):
                reached.update(place for place, (_, share) in zip(after, node.outcomes, strict=True) if share)
            else:
                reached.update(after if h is None else (after[k] for k in support[h]))
    sets = zip(support, positions.information_sets, strict=True)
    return reached, tuple(None if reached.isdisjoint(found.members) else own for own, found in sets)


class SupportCell:
    """The assessments of one support. `fixed` are rows that are known already: then only beliefs are looked for."""

    def __init__(
        self, positions: PositionGraph, paths: PositionPaths, support: Support, fixed: Behaviour | None = None
    ):
        self.positions = positions
        self.paths = paths
        self.support = support
        self.fixed = fixed
        self.reached, self.play = led_to(positions, support)
        self.ignored: set[int] = set()  # sets after which no payoff counts that others than their players can get
        self.base = Conditions()
        self.last = self.base  # the conditions that were solved last
        self.weights = self._sequence_weights()
        self._lows = [min(map(require_number, column)) for column in zip(*positions.utilities(), strict=True)]

    # -- weights ------------------------------------------------------------------------------------------------

    def _sequence_weights(self) -> dict[Step | None, tuple[Number, Monomial]]:
        """The weight of each player's sequence by its last step, as a number and a product of variables."""
        weights: dict[Step | None, tuple[Number, Monomial]] = {None: (1, ())}
        for h, found in enumerate(self.positions.information_sets):
            before = weights[self.paths.last_step_before(h)]
            own, row = self.support[h], None if self.fixed is None else self.fixed[h]
            parts: list[tuple[Number, Monomial]] = []
            for k in range(len(found.actions)):
                if k not in own:
                    weights[h, k] = (1, (self._positive(bound=False),))
                elif row is not None:
                    weights[h, k] = (before[0] * row[k], before[1])
                elif len(own) == 1:
                    weights[h, k] = before
                else:
                    weights[h, k] = (1, (self._positive(bound=True),))
                    parts.append(weights[h, k])
            if parts:
                self.base.free -= set(before[1])
                shared = sum_terms([*((share, m) for share, m in parts), (-before[0], before[1])])
                self.base.is_zero(shared)
                self.base.shares.append(shared)
        return weights

    def _positive(self, *, bound: bool) -> int:
        variable = self.base.variable()
        self.base.positive.append(variable)
        if not bound:
            self.base.free.add(variable)
        return variable

    def weight(self, position: int, but: int | None = None) -> tuple[Number, Monomial]:
        """The probability of chance times the weights of all players on the way to a position, without player `but` if
        given."""
        share, product = self.paths.chances[position], list[int]()
        for player, step in enumerate(self.paths.sequences[position]):
            if player != but:
                factor, variables = self.weights[step]
                share *= factor
                product += variables
        return exact(share), tuple(sorted(product))

    # -- consistent beliefs -------------------------------------------------------------------------------------

    def sequential(self, budget: Budget) -> Assessment | None:
        """A sequential equilibrium of the cell; None if it has none. Raises NotLinear if that cannot be decided."""
        unknown = False
        for number, nodes in enumerate(self._patterns()):
            if number >= PATTERNS:
                unknown = True
                break
            if number == FEW_PATTERNS and not self.may_be_played(budget):
                return None
            budget.check_time()
            try:
                conditions = self.last = self._best_given_beliefs(nodes)
                values = solve_conditions(conditions, budget) if self._has_labels(nodes, budget) else None
            except ImpossibleCondition:
                continue
            except NotLinear:
                unknown = True
                continue
            if values is not None:
                return self._assessment(values, nodes)
        if unknown and self.may_be_played(budget):
            raise NotLinear
        return None

    def may_be_played(self, budget: Budget, *, elsewhere: bool = True) -> bool:
        """True if, for some probabilities of the support, nobody would leave the play itself, whatever is believed
        elsewhere; also if that cannot be decided. Without `elsewhere`, leaving it for sets of others to which play does
        not lead is no choice: then the answer is the same for all supports with this `play`."""
        conditions = copy_conditions(self.base)
        if not elsewhere:
            self.ignored = {h for h, own in enumerate(self.play) if own is None}
        try:
            for player in range(len(self.positions.players)):
                self._best_from(conditions, player, {0: {(): 1}}, strict=True)
            return solve_conditions(conditions, budget) is not None
        except ImpossibleCondition:
            return False
        except NotLinear:
            return True
        finally:
            self.ignored = set()

    def _is_ignored(self, position: int, player: int) -> bool:
        """True if play from the position can reach an ignored set of another player."""
        h = self.positions.sets[position]
        met = self.paths.sets_behind[position] | (0 if h is None else 1 << h)
        return any(met >> g & 1 and self.positions.information_sets[g].player != player for g in self.ignored)

    def _patterns(self) -> Iterator[tuple[Nodes, ...]]:
        """The choices of nodes on which the beliefs may rest, one entry per information set: derived where play or an
        earlier belief leads to the set, else every choice in turn."""
        stack: list[tuple[Nodes, ...]] = [()]
        while stack:
            chosen = stack.pop()
            h = len(chosen)
            if h == len(self.positions.information_sets):
                yield chosen
                continue
            derived = self._reachable_nodes(h, chosen)
            if derived:
                stack.append((*chosen, derived))
                continue
            members = [m for m in self.positions.information_sets[h].members if self.paths.chances[m]]
            sizes = range(1, len(members) + 1)
            choices = list(chain.from_iterable(combinations(members, size) for size in sizes))
            stack.extend((*chosen, choice) for choice in reversed(choices))

    def _reachable_nodes(self, h: int, chosen: Sequence[Nodes]) -> Nodes:
        """The nodes of the set that play may reach from the nodes on which the belief at the player's last set rests,
        if the player goes there."""
        found = self.positions.information_sets[h]
        step = self.paths.last_step_before(h)
        starts = [0] if step is None else [self.positions.successors[x][step[1]] for x in chosen[step[0]]]
        led = set(self._places_led_to(found.player, starts))
        return tuple(m for m in found.members if m in led and self.paths.chances[m])

    def _places_led_to(self, player: int, starts: Iterable[int]) -> list[int]:
        """The positions to which chance and the others' supports lead from `starts`, up to the player's next sets."""
        led = set(starts)
        queue = sorted(led)
        for position in queue:  # grows while it is walked
            h, after = self.positions.sets[position], self.positions.successors[position]
            if h is not None:
                is_own = self.positions.information_sets[h].player == player
                after = () if is_own else tuple(after[k] for k in self.support[h])
            queue += [s for s in dict.fromkeys(after) if s not in led]
            led.update(after)
        return queue

    def _best_given_beliefs(self, nodes: Sequence[Nodes]) -> Conditions:
        """The conditions that everyone does what is best, given beliefs that rest on these nodes."""
        conditions = copy_conditions(self.base)
        sums: dict[int, Sum] = {}
        for h in reversed(range(len(nodes))):
            player = self.positions.information_sets[h].player
            amounts = {
                k: self._worth_as_sum(player, [self.positions.successors[x][k] for x in nodes[h]], sums)
                for k in range(len(self.positions.information_sets[h].actions))
            }
            sums[h] = _best_of_support(conditions, amounts, self.support[h])
            conditions.told += [self.weight(x, player)[1] for x in nodes[h] if len(nodes[h]) > 1]
        return conditions

    def _worth_as_sum(self, player: int, starts: Iterable[int], later: Mapping[int, Sum]) -> Sum:
        """A player's payoff when play continues from some positions, as a sum; `later` has the worth of the player's
        own next sets."""
        total: Sum = {}
        met: set[int] = set()
        for position in self._places_led_to(player, starts):
            node, h = self.positions.nodes[position], self.positions.sets[position]
            if isinstance(node, Terminal):
                flow = sum_terms([self.weight(position, player)])
                total = add(total, flow, require_number(node.utilities[player]) - self._lows[player])
            elif h is not None and h not in met and self.positions.information_sets[h].player == player:
                met.add(h)
                total = add(total, later[h], 1)
        return total

    def _has_labels(self, nodes: Sequence[Nodes], budget: Budget) -> bool:
        """True if some labels of the actions outside the support let the beliefs rest on these nodes, as those with the
        least sum of labels."""
        counts = (range(len(found.actions)) for found in self.positions.information_sets)
        outside = [(h, k) for h, every in enumerate(counts) for k in every if k not in self.support[h]]
        return has_labels(self.positions, self.paths, nodes, outside, budget)

    def _assessment(self, values: Mapping[Monomial, Number], nodes: Sequence[Nodes]) -> Assessment:
        beliefs = []
        for rests in nodes:
            player = self.positions.information_sets[self.positions.sets[rests[0]] or 0].player
            alone = len(rests) == 1
            beliefs.append(
                normalise_weights({x: 1 if alone else value_of(self.weight(x, player), values) for x in rests})
            )
        return Assessment(self._rows(values), tuple(beliefs))

    def _rows(self, values: Mapping[Monomial, Number]) -> tuple[Row, ...]:
        rows = []
        for h, found in enumerate(self.positions.information_sets):
            own, row = self.support[h], None if self.fixed is None else self.fixed[h]
            if row is None and len(own) == 1:
                row = pure_row(len(found.actions), own[0])
            elif row is None:
                shares = [value_of(self.weights[h, k], values) if k in own else 0 for k in range(len(found.actions))]
                total = sum(shares, Fraction(0))
                row = tuple(exact(Fraction(share) / total) for share in shares)
            rows.append(row)
        return tuple(rows)

    def is_alone(self, budget: Budget) -> bool:
        """True if the mixed probabilities where play leads are the same in all assessments that meet the conditions
        solved last; False also if that is not known."""
        mixed = [
            self.weights[h, k][1]
            for h, own in enumerate(self.support)
            for k in own
            if len(own) > 1 and self.play[h] is not None
        ]
        return not mixed or is_settled(self.last, mixed, budget)

    # -- weak beliefs -------------------------------------------------------------------------------------------

    def weak_assessment(self, budget: Budget) -> Assessment | None:
        """A weak perfect Bayesian equilibrium of the cell; None if it has none. Raises NotLinear if that cannot be
        decided."""
        conditions = self.last = copy_conditions(self.base)
        held: dict[int, dict[int, tuple[Number, Monomial]]] = {}  # beliefs of sets that are not reached
        try:
            for player in range(len(self.positions.players)):
                self._best_from(conditions, player, {0: {(): 1}}, strict=True)
            for h, own in enumerate(self.play):
                if own is None:
                    held[h] = self._add_belief(conditions, h)
            values = solve_conditions(conditions, budget)
        except ImpossibleCondition:
            return None
        if values is None:
            return None
        beliefs = []
        for h, found in enumerate(self.positions.information_sets):
            weights = held.get(h) or {m: self.weight(m) for m in found.members if m in self.reached}
            beliefs.append(normalise_weights({m: value_of(weight, values) for m, weight in weights.items()}))
        return Assessment(self._rows(values), tuple(beliefs))

    def belief_at(self, h: int, budget: Budget) -> dict[int, Number] | None:
        """A belief at information set `h` that bears out what is done there and afterwards, for a cell whose rows are
        all fixed; None if there is none."""
        conditions = Conditions()
        try:
            weights = self._add_belief(conditions, h)
            values = solve_conditions(conditions, budget)
        except ImpossibleCondition:
            return None
        return None if values is None else normalise_weights({m: value_of(w, values) for m, w in weights.items()})

    def _add_belief(self, conditions: Conditions, h: int) -> dict[int, tuple[Number, Monomial]]:
        """The weights of a belief at information set `h`: new variables, with conditions that it bears out what is done
        there and afterwards."""
        members = self.positions.information_sets[h].members
        weights: dict[int, tuple[Number, Monomial]] = {m: (1, (conditions.variable(),)) for m in members}
        conditions.is_zero(sum_terms([*weights.values(), (-1, ())]))
        self._best_at(conditions, h, {m: sum_terms([weight]) for m, weight in weights.items()}, strict=True)
        return weights

    def _best_from(self, conditions: Conditions, player: int, flows: Mapping[int, Sum], *, strict: bool) -> Sum:
        """A player's payoff when play continues from weighted positions. With `strict` it is the payoff of the
        supported actions, and conditions are added that these are best at the player's sets on the way; without, it is
        at least what any actions of the player pay."""
        total: Sum = {}
        own: dict[int, dict[int, Sum]] = {}
        flowing = dict(flows)
        while flowing:
            position = min(flowing)
            flow = flowing.pop(position)
            node, h = self.positions.nodes[position], self.positions.sets[position]
            if isinstance(node, Terminal):
                total = add(total, flow, require_number(node.utilities[player]) - self._lows[player])
                continue
            if h is not None and self.positions.information_sets[h].player == player:
                own.setdefault(h, {})[position] = flow
                continue
            for k, successor in enumerate(self.positions.successors[position]):
                if part := self._share(position, k, flow):
                    flowing[successor] = add(flowing.get(successor, {}), part, 1)
        for h, there in own.items():
            total = add(total, self._best_at(conditions, h, there, strict=strict), 1)
        return total

    def _share(self, position: int, k: int, flow: Sum) -> Sum:
        """The part of the flow at a position of chance or another player that action `k` carries on."""
        h = self.positions.sets[position]
        if h is None:
            node = self.positions.nodes[position]
            outcomes: Sequence[tuple[str, Number]] = getattr(node, "outcomes", ())
            return add({}, flow, outcomes[k][1])
        if k not in self.support[h]:
            return {}
        row = None if self.fixed is None else self.fixed[h]
        if row is not None:
            return add({}, flow, row[k])
        if len(self.support[h]) == 1:
            return flow
        share, after = self.weights[h, k]
        whole, before = self.weights[self.paths.last_step_before(h)]
        return {replace_factors(monomial, before, after): amount * share / Fraction(whole)
                for monomial, amount in flow.items()}  # fmt: skip

    def _best_at(self, conditions: Conditions, h: int, flows: Mapping[int, Sum], *, strict: bool) -> Sum:
        """The payoff of its player from information set `h` on: of the supported actions, with conditions that they are
        best, if `strict`; else a variable that no action's payoff exceeds."""
        player, own = self.positions.information_sets[h].player, self.support[h]
        amounts = {}
        for k in range(len(self.positions.information_sets[h].actions)):
            supported = strict and k in own
            if not supported and any(self._is_ignored(self.positions.successors[x][k], player) for x in flows):
                continue
            after: dict[int, Sum] = {}
            for x, flow in flows.items():
                successor = self.positions.successors[x][k]
                after[successor] = add(after.get(successor, {}), flow, 1)
            amounts[k] = self._best_from(conditions, player, after, strict=supported)
        if strict:
            return _best_of_support(conditions, amounts, own)
        best: Sum = {(conditions.variable(),): 1}
        for amount in amounts.values():
            conditions.is_least(add(best, amount, -1))
        return dict(best)


def _best_of_support(conditions: Conditions, amounts: Mapping[int, Sum], own: Sequence[int]) -> Sum:
    """Add the conditions that all supported actions are worth the same and no other is worth more.
    Returns their worth."""
    best = amounts[own[0]]
    for k, amount in amounts.items():
        if k in own[1:]:
            conditions.is_zero(add(best, amount, -1))
        elif k not in own:
            conditions.is_least(add(best, amount, -1))
    return best
