"""A game as a table of plans, for the verifier: what each player can do as a whole, and what that pays.

A reduced plan says what a player does at every own information set that the plan itself does not exclude: a set is
entered after one of some own actions, or after none. With perfect recall it is one action; where equal positions are
taken for one it may be several.

What a behaviour does is told by its weights: the product of the own probabilities on the way to each own action. Two
behaviours with equal weights are the same to everyone.

Sources: Kuhn 1953; von Stengel, Handbook of Game Theory 3, 2002 (realization plans).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain, product
from math import prod

from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.wings.verify.case import VerifierCase, found_once
from gdl.wings.verify.claim import amounts, same_all
from gdl.wings.verify.linear import greatest_mean
from gdl.wings.verify.position_graph import Behaviour, VerifierPositions
from gdl.wings.verify.profiles import require_plan
from gdl.wings.verify.replies import expectation
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked

POSITIONS = 50_000  # the most positions of a game whose plans are listed
PLANS = 400  # the most plans of one player
CELLS = 20_000  # the most cells of the table
FORGETS = "several ways lead to a position that are not told apart, so what mixtures of plans do there is not compared"

Step = tuple[int, int]  # an information set, and the number of an action there
Plan = frozenset[Step]
Weights = frozenset[tuple[Step, Number]]  # own actions with their weights, if above 0
Table = dict[tuple[int, ...], tuple[Number, ...]]


class VerifierPlans:
    """The reduced plans of every player, and the payoffs of every combination of them. Raises Unchecked if they are too
    many."""

    def __init__(self, positions: VerifierPositions):
        if len(positions.nodes) > POSITIONS:
            raise Unchecked(f"there are more than {POSITIONS:,} positions, so plans are not listed")
        self.positions = positions
        self.leads = [self._list_steps(player) for player in range(len(positions.players))]
        self.of = [self._list_plans(player) for player in range(len(positions.players))]
        if prod(map(len, self.of)) > CELLS:
            raise Unchecked(f"the table of plans has more than {CELLS:,} cells")

    def _list_steps(self, player: int) -> dict[Step | None, dict[int, None]]:
        """The information sets that the player may enter next, after each own action and (under None) before the first
        one."""
        latest: list[dict[Step | None, None]] = [{} for _ in self.positions.nodes]
        latest[0][None] = None
        found: dict[Step | None, dict[int, None]] = {}
        for position, after in enumerate(self.positions.successors):
            h = self.positions.sets[position]
            is_own = h is not None and self.positions.information_sets[h].player == player
            for step in latest[position] if is_own else ():
                found.setdefault(step, {})[h] = None  # type: ignore[index]
            for k, successor in enumerate(after):
                latest[successor] |= {(h, k): None} if is_own else latest[position]  # type: ignore[dict-item]
        return found

    def _list_plans(self, player: int) -> list[Plan]:
        """All reduced plans of the player: an action at each own set that the plan itself can reach."""
        found: list[Plan] = []
        waiting = [(dict[int, int](), list(self.leads[player].get(None, ())))]
        while waiting:
            plan, left = waiting.pop()
            while left and left[-1] in plan:
                left.pop()
            if left:
                *rest, h = left
                for k in reversed(range(len(self.positions.information_sets[h].actions))):
                    waiting.append(({**plan, h: k}, [*rest, *self.leads[player].get((h, k), ())]))
            else:
                found.append(frozenset(plan.items()))
            if len(found) + len(waiting) > PLANS:
                raise Unchecked(f"{self.positions.players[player]} has more than {PLANS} plans")
        return found

    @cached_property
    def table(self) -> Table:
        """The payoffs of every combination of plans, by the numbers of the plans."""
        cells = product(*(range(len(own)) for own in self.of))
        return {cell: self._payoffs([self.of[p][plan] for p, plan in enumerate(cell)]) for cell in cells}

    def pays(self, player: int) -> list[list[Number]]:
        """The payoffs of the player: a row for each own plan, and in it a column for each combination of the others'
        plans."""
        others = list(product(*(range(len(own)) for p, own in enumerate(self.of) if p != player)))
        own = range(len(self.of[player]))
        return [[self.table[*cell[:player], k, *cell[player:]][player] for cell in others] for k in own]

    def _payoffs(self, plans: Sequence[Plan]) -> tuple[Number, ...]:
        """The average payoffs of one combination of plans, one plan for each player."""
        chosen = {h: k for plan in plans for h, k in plan}
        total: list[Number] = [0] * len(plans)
        weights: dict[int, Number] = {0: 1}
        queue = [0]  # positions, of which those that come later have greater numbers
        while queue:
            position = heappop(queue)
            weight, node, after = weights[position], self.positions.nodes[position], self.positions.successors[position]
            if isinstance(node, Terminal):
                total = [t + weight * require_number(u) for t, u in zip(total, node.utilities, strict=True)]
                continue
            h = self.positions.sets[position]
            shares = [share for _, share in node.outcomes] if isinstance(node, Chance) else [1]
            for successor, share in zip(after if h is None else [after[chosen[h]]], shares, strict=True):
                if successor not in weights:
                    heappush(queue, successor)
                weights[successor] = weights.get(successor, 0) + weight * share
        return tuple(map(exact, total))

    @cached_property
    def by_name(self) -> list[dict[str, int]]:
        """For each player the number of each plan by its name. The plans of a player with a single information set are
        called by the action alone."""
        return [{self._name(player, plan): k for k, plan in enumerate(own)} for player, own in enumerate(self.of)]

    def _name(self, player: int, plan: Plan) -> str:
        sets = self.positions.information_sets
        told = [(sets[h].name, sets[h].actions[k]) for h, k in sorted(plan)]
        if len(self.positions.sets_of(player)) == 1:
            return told[0][1]
        return f"({', '.join(f'{name}: {action}' for name, action in told)})"

    def mixes(self, behaviour: Behaviour) -> list[list[Number]]:
        """The probability of each plan of each player by a behaviour."""
        rows = [row or () for row in behaviour]
        return [[prod(rows[h][k] if rows[h] else 0 for h, k in plan) for plan in own] for own in self.of]

    # -- weights ----------------------------------------------------------------------------------------------

    def weights_of_mix(self, player: int, mix: Sequence[Number]) -> Weights:
        """The weights of the own actions by a mixture of the player's plans. Raises Unchecked if the player forgets and
        the plan is not pure."""
        entered = Counter(chain.from_iterable(self.leads[player].values()))
        if sum(map(bool, mix)) > 1 and max(entered.values()) > 1:
            raise Unchecked(FORGETS)
        found: dict[Step, Number] = {}
        for plan, chance in zip(self.of[player], mix, strict=True):
            for step in plan if chance else ():
                found[step] = found.get(step, Fraction(0)) + chance
        return frozenset(found.items())

    def weights_of(self, player: int, behaviour: Behaviour) -> Weights:
        """The weights of the own actions by a behaviour. Raises Unchecked if several ways lead to a set with different
        probabilities."""
        found: dict[Step, Fraction] = {}
        met: dict[int, Fraction] = {}
        queue: list[tuple[Step | None, Fraction]] = [(None, Fraction(1))]
        for step, weight in queue:  # grows while it is walked
            for h in self.leads[player].get(step, ()):
                if met.setdefault(h, weight) != weight:
                    raise Unchecked(FORGETS)
                for k, chance in enumerate(behaviour[h] or ()):
                    if chance and (h, k) not in found:
                        found[h, k] = weight * chance
                        queue.append(((h, k), found[h, k]))
        return frozenset(found.items())


# Correlated plans: does everyone follow what is drawn, and does no other such draw pay more?
#
# That nobody gains by leaving the plans is added up from the table. That no other distribution is better is proved by
# the dual of the linear program: prices of the deviations, at which no combination of plans is worth more than the
# value.

COARSE = "coarse-correlated"
LARGEST_PROGRAM = 40_000  # the most coefficients of a linear program

Cell = tuple[int, ...]
Drawn = dict[Cell, Fraction]
Deviation = tuple[int, int | None, int]  # a player, the plan that is recommended (None: any), and the one played


@found_once
def plans_of(case: VerifierCase) -> VerifierPlans:
    """The plans of all players, found once. Raises Unchecked if positions can come again."""
    if case.graph.cyclic:
        raise Unchecked("positions can come again, so plans are not listed")
    return VerifierPlans(case.graph.positions)


def drawn_by(case: VerifierCase) -> Drawn:
    """The answer's distribution over combinations of plans, by their numbers. Raises Misfit if it is none of this
    game."""
    names = plans_of(case).by_name
    drawn: Drawn = {}
    for profile, probability in case.claim.distribution:
        if set(profile) != set(case.game.players):
            raise Misfit("a combination of plans does not name every player once")
        try:
            cell = tuple(names[p][profile[player]] for p, player in enumerate(case.game.players))
        except KeyError as unknown:
            raise Misfit(f"no plan is called {unknown}") from None
        if cell in drawn:
            raise Misfit("a combination of plans is listed twice")
        drawn[cell] = Fraction(probability)
    if any(chance < 0 for chance in drawn.values()) or sum(drawn.values()) != 1:
        raise Misfit("the probabilities do not sum to one")
    return drawn


def check_distribution(case: VerifierCase) -> Iterator[Finding]:
    """The distribution sums to one, nobody gains by not following it, and it pays the value."""
    if not case.claim.distribution:
        return
    drawn = drawn_by(case)
    for deviation, gain in gains(case, drawn):
        if gain > 0:
            yield Finding(
                False, ("distribution",), f"the distribution: {_deviation_text(case, deviation)} gains {exact(gain)}"
            )
            return
    pays = average_payoff(case, drawn)
    told = f"the distribution pays {amounts(case.game.players, pays)}, and nobody gains by doing otherwise"
    yield Finding(True, ("distribution", "concept"), told)
    if case.claim.value is not None:
        ok = same_all(case.in_order(case.claim.value), pays)
        yield Finding(ok, ("value",), f"the distribution pays {amounts(case.game.players, pays)}")


def average_payoff(case: VerifierCase, drawn: Drawn) -> list[Number]:
    """The average payoff of each player by a distribution."""
    table = plans_of(case).table
    columns = zip(*([chance * paid for paid in table[cell]] for cell, chance in drawn.items()), strict=True)
    return [exact(sum(column, Fraction(0))) for column in columns]


def _deviations(case: VerifierCase) -> list[Deviation]:
    coarse = case.claim.concept == COARSE
    found: list[Deviation] = []
    for p, own in enumerate(plans_of(case).of):
        for recommended in [None] if coarse else range(len(own)):
            found += [(p, recommended, other) for other in range(len(own)) if other != recommended]
    return found


def _gain(case: VerifierCase, deviation: Deviation, cell: Cell) -> Number:
    """The gain of a deviation where this combination of plans is drawn; 0 if another plan is recommended."""
    p, recommended, other = deviation
    if recommended not in (None, cell[p]):
        return 0
    table = plans_of(case).table
    return table[(*cell[:p], other, *cell[p + 1 :])][p] - table[cell][p]


def gains(case: VerifierCase, drawn: Drawn) -> Iterator[tuple[Deviation, Fraction]]:
    """Each possible deviation, and its average gain."""
    for deviation in _deviations(case):
        yield deviation, sum((c * _gain(case, deviation, cell) for cell, c in drawn.items()), Fraction(0))


def _deviation_text(case: VerifierCase, deviation: Deviation) -> str:
    p, recommended, other = deviation
    names = {k: name for name, k in plans_of(case).by_name[p].items()}
    where = "" if recommended is None else f" where {names[recommended]} is recommended"
    return f"{case.game.players[p]} plays {names[other]}{where} and"


def check_equilibria(case: VerifierCase) -> Iterator[Finding]:
    """The list of equilibria has just the distribution, and its payoffs are the value."""
    data = case.claim.data
    if "equilibria" in data:
        ok = data["equilibria"] == [{"distribution": data.get("distribution")}]
        yield Finding(ok, ("equilibria",), "the one equilibrium of the list is the distribution")
    if "payoffs" in data:
        yield Finding(data["payoffs"] == [data.get("value")], ("payoffs",), "it pays the value")


def check_welfare(case: VerifierCase) -> Iterator[Finding]:
    """No other distribution that everyone follows is worth more by the answer's objective."""
    if not case.claim.exact or not case.claim.distribution:
        return
    worth, favoured = worth_of(case), case.claim.option("for")
    worths = [Fraction(worth(vector)) for vector in plans_of(case).table.values()]
    mine = worth(average_payoff(case, drawn_by(case)))
    most = mine if mine == max(worths) else _greatest_worth(case, worths)
    whose = "in sum" if favoured is None else f"{favoured}"
    yield Finding(most == mine, ("exact", "options"), f"no distribution that all follow pays {whose} more than {most}")


def worth_of(case: VerifierCase) -> Callable[[Sequence[Number]], Number]:
    """The answer's objective as a function of payoffs: their sum, or the payoff of the player whom the answer
    favours."""
    favoured = case.claim.option("for")
    if favoured is None:
        return sum
    if favoured not in case.game.players:
        raise Unchecked("the answer is for the good of a stranger")
    player = case.game.players.index(str(favoured))
    return lambda vector: vector[player]


def _greatest_worth(case: VerifierCase, worth: Sequence[Fraction]) -> Number:
    """The greatest worth of a distribution by which no deviation gains: proved by prices of the deviations, at which no
    combination of plans is worth more."""
    cells, deviations = list(plans_of(case).table), _deviations(case)
    if len(cells) * len(deviations) > LARGEST_PROGRAM:
        raise Unchecked("that no other distribution pays more: the table is too large for it")
    found = greatest_mean(worth, [[_gain(case, deviation, cell) for cell in cells] for deviation in deviations])
    assert found is not None  # every game has an equilibrium
    return found


def check_interval(case: VerifierCase) -> Iterator[Finding]:
    """The stated interval of each player holds all payoffs in the table of plans."""
    claimed = case.claim.interval or {}
    for p, player in enumerate(case.game.players):
        column = [vector[p] for vector in plans_of(case).table.values()]
        if player in claimed:
            low, high = claimed[player]
            ok = low <= min(column) and max(column) <= high
            yield Finding(ok, ("interval",), f"{player} gets from {min(column)} to {max(column)} in the table")


# Commitment, teams and welfare: does the strategy pay the value, and could another pay more?
#
# Nothing is searched as the solvers do. A commitment is proved best by prices of the follower's deviations, one program
# for each reply; the greatest sum is looked for in the whole table of plans.


def check_strategy(case: VerifierCase) -> Iterator[Finding]:
    """The strategy can be played, and pays the value."""
    strategy = case.claim.strategy
    if strategy is None:
        return
    behaviour = case.behaviour(strategy)
    pays = expectation(case.graph.positions, behaviour)
    said = f"the strategy pays {amounts(case.game.players, pays)}"
    if case.claim.value is None:
        yield Finding(None, ("strategy",), f"{said}, and the answer does not say what it should")
        return
    ok = same_all(case.in_order(case.claim.value), pays)
    yield Finding(ok, ("strategy", "value", "concept"), said)
    for player in range(len(case.game.players)):
        require_plan(case, strategy, player)


def check_best(case: VerifierCase) -> Iterator[Finding]:
    """The answer's best actions are those with which the strategy begins."""
    if not case.claim.best or case.claim.strategy is None:
        return
    found = case.graph.positions.information_sets[case.graph.positions.sets[0] or 0]
    row = case.claim.strategy.get(case.game.players[found.player], {}).get(found.name, {})
    ok = [action for action, chance in row.items() if chance] == list(case.claim.best)
    yield Finding(ok, ("best",), "the strategy begins with it")


# -- commitment --------------------------------------------------------------------------------------------------------


def check_commitment(case: VerifierCase) -> Iterator[Finding]:
    """The follower's strategy is a best reply, and no commitment is worth more to the leader."""
    claim = case.claim
    if len(case.game.players) != 2:
        yield Finding(False, ("concept",), "a commitment is that of one of two players")
        return
    if claim.strategy is None or claim.value is None:
        return
    leader = _leader(case)
    follower = 1 - leader
    reply = case.judge_profile(claim.strategy).regret[follower]
    said = f"{case.game.players[follower]} could reply better by {reply}" if reply else "the reply is a best one"
    yield Finding(not reply, ("strategy",), said)
    if not claim.exact:
        return
    mine = case.in_order(claim.value)[leader]
    most = max(map(max, plans_of(case).pays(leader)))
    if mine != most:
        most = max(_commitments(case, leader))
    said = f"no commitment of {case.game.players[leader]} is worth more than {most}"
    yield Finding(most == mine, ("exact", "options"), said)


def _leader(case: VerifierCase) -> int:
    named = case.claim.option("as") or case.game.players[0]
    if named not in case.game.players:
        raise Unchecked("the leader is a stranger")
    return case.game.players.index(str(named))


def _commitments(case: VerifierCase, leader: int) -> Iterator[Number]:
    """For each plan of the follower that can be a best reply, the most that a mixture of the leader is worth to which
    it is one (Conitzer and Sandholm 2006). Each is proved by prices of the other replies, at which no plan of the
    leader is worth more."""
    own, replies = plans_of(case).pays(leader), plans_of(case).pays(1 - leader)
    if len(own) * len(replies) ** 2 > LARGEST_PROGRAM:
        raise Unchecked("that no other commitment is worth more: the table is too large for it")
    for k, reply in enumerate(replies):
        rows = [[other - paid for other, paid in zip(row, reply, strict=True)] for row in replies]
        found = greatest_mean([row[k] for row in own], rows)
        if found is not None:  # else it is never a best reply
            yield found


# -- the greatest sum --------------------------------------------------------------------------------------------------


def check_sum(case: VerifierCase) -> Iterator[Finding]:
    """No combination of plans pays a greater sum, or, if the answer favours a player, pays that player more."""
    claim = case.claim
    if claim.value is None or not claim.exact or claim.value.keys() != set(case.game.players):
        return
    worth = worth_of(case)
    most = max(worth(vector) for vector in plans_of(case).table.values())
    mine = worth([Fraction(number) for number in case.in_order(claim.value)])
    yield Finding(mine == most, ("exact", "options"), f"no combination of plans pays more than {exact(most)}")
