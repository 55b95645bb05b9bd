"""Values of positions, computed anew for the verifier.

With perfect information, two-player games of constant sum, and games of one player, by interval backward induction: a
leaf of unknown utility may be anything, and a value is proved where low and high meet. General-sum games by the set of
all vectors that backward induction can give, ties broken in every way. Where positions can come again, see below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from gdl.game import Chance, Decision, Game, Node, Number, Terminal, Unknown, actions, exact, require_number
from gdl.solution import Profile
from gdl.wings.verify.linear import Equation, solve
from gdl.wings.verify.position_graph import Behaviour, VerifierPositions, fold, reach
from gdl.wings.verify.verdict import Unchecked

Interval = tuple[Number | float, Number | float]  # low and high; floats only where infinite
Vector = tuple[Number, ...]

MAX_VECTORS = 1000  # the most value vectors of one position
MANY_TIES = "ties can be broken in too many ways"


def intervals(positions: VerifierPositions, player: int) -> list[Interval]:
    """For each position the bounds of the player's value, if all others want it low. They differ where utilities are
    unknown."""

    def worth(position: int, after: list[Interval]) -> Interval:
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            utility = node.utilities[player]
            return (-math.inf, math.inf) if isinstance(utility, Unknown) else (utility, utility)
        if isinstance(node, Chance):
            shares = [p for _, p in node.outcomes]
            return average(shares, [low for low, _ in after]), average(shares, [high for _, high in after])
        choose = max if node.player == player else min
        return choose(low for low, _ in after), choose(high for _, high in after)

    return fold(positions, worth)


def average(weights: Sequence[Number], numbers: Sequence[Number | float]) -> Number | float:
    """The weighted sum of numbers, of which some may be infinite, all alike; those of no weight are left out."""
    terms = [(w, x) for w, x in zip(weights, numbers, strict=True) if w]
    infinite = [x for _, x in terms if isinstance(x, float)]
    return infinite[0] if infinite else exact(sum((Fraction(w) * x for w, x in terms), Fraction(0)))  # type: ignore[arg-type]


def outcomes(positions: VerifierPositions) -> list[list[Vector]]:
    """For each position all value vectors that backward induction can give, ties broken in every way. Raises Unchecked
    if there are too many."""

    def vectors(position: int, after: list[list[Vector]]) -> list[Vector]:
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            return [tuple(map(require_number, node.utilities))]
        if isinstance(node, Chance):
            if prod(map(len, after)) > MAX_VECTORS:
                raise Unchecked(MANY_TIES)
            weights = [probability for _, probability in node.outcomes]
            found = [mean(weights, combination) for combination in product(*after)]
        else:
            found = [vector for choice in optimal(after, node.player) for vector in choice]
        found = list(dict.fromkeys(found))
        if len(found) > MAX_VECTORS:
            raise Unchecked(MANY_TIES)
        return found

    return fold(positions, vectors)


def optimal(after: Sequence[Sequence[Vector]], player: int) -> list[list[Vector]]:
    """For each action, those of its vectors by which the action can be best for the player: at least as good as the
    worst vector of each other action."""
    least = [min(vector[player] for vector in vectors) for vectors in after]
    return [
        [v for v in vectors if all(v[player] >= other for j, other in enumerate(least) if j != k)]
        for k, vectors in enumerate(after)
    ]


def mean(weights: Sequence[Number], vectors: Sequence[Vector]) -> Vector:
    """The weighted sum of vectors."""
    return tuple(
        exact(sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0)))
        for column in zip(*vectors, strict=True)
    )


# Backward induction in its plainest form, to a depth or to the ends, for what the verifier has to do once more.
#
# An end is worth its utilities, a node at the depth limit the file's evaluation, a chance node the average of its
# outcomes, and a player's node what its mover likes best, the first of equals. Equal nodes are looked at once.

Key = tuple[Any, int | None]  # a state, and the plies until the depth limit; None: there is none


class Worths:
    """The values of nodes for all players; at most `most` nodes are visited. With a `side`, only the number of that
    player counts, and all others want it low."""

    def __init__(self, game: Game[Any], most: int, side: int | None = None):
        self.game = game
        self.most = most
        self.side = side
        self.found: dict[Key, Vector] = {}

    def vector_at(self, state: Any, left: int | None) -> Vector:
        """The value vector of a state with `left` plies to the depth limit (None: no limit). Raises Unchecked where
        there is none."""
        stack: list[Key] = [(state, left)]
        entered: dict[Key, None] = {}
        while stack:
            key = stack[-1]
            node = self.game.node(key[0])
            missing = [child for child in self.children(key, node) if child not in self.found]
            if not missing:
                self.found[stack.pop()] = self._vector(key, node)
                continue
            if missing[0] in entered:
                raise Unchecked("positions can come again")
            if len(self.found) + len(entered) >= self.most:
                raise Unchecked(f"the search has more than {self.most:,} nodes")
            entered[key] = None
            stack.append(missing[0])
        return self.found[state, left]

    def children(self, key: Key, node: Node) -> list[Key]:
        """The nodes that follow a node, in the order of the file; none at an end, or at the depth limit."""
        state, left = key
        if left == 0:
            return []
        return [(self.game.successor(state, action), None if left is None else left - 1) for action in actions(node)]

    def _vector(self, key: Key, node: Node) -> Vector:
        if isinstance(node, Terminal):
            return tuple(map(require_number, node.utilities))
        if key[1] == 0:
            found = self.game.evaluate(key[0])
            if found is None:
                raise Unchecked("the file gives no evaluation where search is cut off")
            return found
        after = [self.found[child] for child in self.children(key, node)]
        if isinstance(node, Decision):
            return self._chosen_vector(after, node.player)
        if not isinstance(node, Chance):
            raise Unchecked("everyone moves at once")
        return mean([weight for _, weight in node.outcomes], after)

    def keeps(self, mover: int, key: Key, after: Key) -> bool:
        """True if the mover's number is the same after this step as before."""
        side = mover if self.side is None else self.side
        return self.found[after][side] == self.found[key][side]

    def _chosen_vector(self, after: list[Vector], mover: int) -> Vector:
        """The vector that the mover likes best; the first of equal ones."""
        side = mover if self.side is None else self.side
        choose = max if side == mover else min
        return choose(after, key=lambda vector: vector[side])


# Values of positions that can come again, computed anew for the verifier. Play that never ends has a price.
#
# Without chance, by value iteration: let play be broken off after k plies, and whoever broke off get the price. What a
# player can force at all is forced within as many plies as there are positions, so the values stop changing, and are
# then those of the game (Washburn, Deterministic graphical games, J. Math. Anal. Appl. 153, 1990). Only positions one
# of whose successors has changed are looked at again.
#
# With chance, only what one side can bring about, the other's strategy being given, or there being no other side.
#
# 1. Collect what can be reached, and find where that side could stay for ever (end components: de Alfaro, Formal
#    verification of probabilistic systems, 1997). Each becomes one place, with the choices that lead out of it and one
#    more, to stay, which gets the price.
# 2. Now every policy ends, unless there are rewards on the way: then a loop that pays remains. Begin with a policy that
#    ends, and change it wherever another choice is better, until none is (Howard, Dynamic Programming and Markov
#    Processes, 1960). Values are exact: the equations are solved in fractions, and the solution put in again.
# 3. Where no choices that are best by these values can go on for ever, who never leaves a loop loses by it without end,
#    so the values are those of all policies (Bertsekas and Tsitsiklis, An analysis of stochastic shortest path
#    problems, Mathematics of Operations Research 16, 1991).

LARGEST = 1_000  # the most places of one strongly connected part, whose values are worked out in fractions
Choice = tuple[tuple[Number, int], ...]  # the probability (or weight) and number of each place that may follow
STAY: Choice = ()  # to stay for ever
GAIN = -1  # the number of an artificial end worth 1; a reward on the way is a share of it
ENDLESS = "play could go on for ever, and what is gained on the way might have no sum"


def values(positions: VerifierPositions, player: int, price: Number) -> list[Number]:
    """The value of each position to the player against all others, if endless play pays the price. Raises Unchecked
    where chance moves."""
    nodes, successors = positions.nodes, positions.successors
    found = [require_number(node.utilities[player]) if isinstance(node, Terminal) else price for node in nodes]
    before: list[list[int]] = [[] for _ in nodes]
    for position, after in enumerate(successors):
        if isinstance(nodes[position], Chance):
            raise Unchecked("chance moves, and positions can come again")
        for successor in after:
            before[successor].append(position)
    changed: Iterable[int] = range(len(nodes))
    while changed := dict.fromkeys(position for one in changed for position in before[one]):
        now = {position: _best_of_successors(positions, position, player, found) for position in changed}
        changed = [position for position, value in now.items() if value != found[position]]
        for position in changed:
            found[position] = now[position]
    return found


def _best_of_successors(positions: VerifierPositions, position: int, player: int, found: Sequence[Number]) -> Number:
    """The best value for the mover among those of the successors; all others want the player's value low."""
    after = [found[successor] for successor in positions.successors[position]]
    node: Any = positions.nodes[position]
    return max(after) if node.player == player else min(after)


def least_payoffs(
    positions: VerifierPositions,
    worth: Callable[[Terminal], Number],
    price: Number,
    fixed: int | None = None,
    behaviour: Behaviour = (),
) -> dict[int, Number]:
    """For each position that can be reached, the least average to which play can be brought of `worth`, a number for
    each end; endless play is worth the price. All players work for that, except `fixed`, who acts by the behaviour."""
    choices = _choices(positions, fixed, behaviour)
    ends = {one: positions.nodes[one] for one in choices}
    known = {one: worth(end) for one, end in ends.items() if isinstance(end, Terminal)}
    return lowest_at(choices, known, [price])[0]


def lowest_at(
    choices: Mapping[int, Sequence[Choice]], ends: Mapping[int, Number], prices: Sequence[Number]
) -> list[dict[int, Number]]:
    """The least values of each position, for each of these prices of endless play; if nobody can stay for ever, only
    once. Positions among which play can stay for ever are taken as one place, with all choices that lead out of it, and
    the choice to stay."""
    part = _end_components(choices)
    group = {position: part.get(position, position) for position in choices}  # alone where play cannot be kept
    places: dict[int, list[Choice]] = {}
    for position, own in choices.items():
        place = places.setdefault(group[position], [])
        for choice in own:
            inside = all(group[s] == group[position] for _, s in choice)
            place.append(STAY if inside else tuple((p, group[s]) for p, s in choice))
    stays = any(STAY in place for place in places.values())
    found = [_optimum(places, ends, price) for price in (prices if stays else prices[:1])]
    return [{position: exact(one[group[position]]) for position in choices} for one in found]


def improve_strategies(positions: VerifierPositions, player: int, price: Number, profile: Profile) -> list[Number]:
    """The values that the player secures from every position by a strategy that is improved against best replies
    (Hoffman and Karp 1966), beginning with that of the profile. The player can secure no less; that no more is possible
    shows where the opponent's values, found in the same way, leave no more."""
    sets, places = positions.information_sets, enumerate(positions.nodes)
    told = profile.get(positions.players[player], {})
    ends = {n: require_number(node.utilities[player]) for n, node in places if isinstance(node, Terminal)}
    choice = {}
    for found in sets:
        if found.player == player:
            mixture = told.get(found.name, {})
            choice[found.members[0]] = max(range(len(found.actions)), key=lambda k: mixture.get(found.actions[k], 0))
    while True:
        rows = tuple(
            tuple(int(k == choice[found.members[0]]) for k in range(len(found.actions)))
            if found.player == player
            else None
            for found in sets
        )
        choices = {n: _choices_at(positions, n, player, rows) for n in range(len(positions.nodes))}
        values = lowest_at(choices, ends, [price])[0]
        better = {}
        for n, k in choice.items():
            after = [values[successor] for successor in positions.successors[n]]
            if max(after) > after[k]:
                better[n] = after.index(max(after))
        if not better:
            return [values[n] for n in range(len(positions.nodes))]
        choice |= better


def _choices(positions: VerifierPositions, fixed: int | None, behaviour: Behaviour) -> dict[int, list[Choice]]:
    """The choices at each position that can be reached. At the positions of chance and of the player `fixed` there is a
    single one."""
    found: dict[int, list[Choice]] = {}

    def successors(position: int) -> Iterator[int]:
        found[position] = _choices_at(positions, position, fixed, behaviour)
        return (s for choice in found[position] for _, s in choice)

    reach([0], successors)
    return found


def _choices_at(positions: VerifierPositions, position: int, fixed: int | None, behaviour: Behaviour) -> list[Choice]:
    node, after = positions.nodes[position], positions.successors[position]
    if isinstance(node, Terminal):
        return []
    if isinstance(node, Decision) and node.player != fixed:
        return [((1, successor),) for successor in dict.fromkeys(after)]
    h = positions.sets[position]
    row = [chance for _, chance in node.outcomes] if isinstance(node, Chance) else None if h is None else behaviour[h]
    if row is None:
        raise Unchecked("a strategy is silent where play can come")
    return [tuple((chance, successor) for chance, successor in zip(row, after, strict=True) if chance)]


def _end_components(choices: Mapping[int, Sequence[Choice]]) -> dict[int, int]:
    """For each position where play can be kept for ever the number of the end component it lies in."""
    import networkx  # type: ignore[import-untyped]

    open_ = {position: [{s for _, s in choice} for choice in own] for position, own in choices.items()}
    while True:
        components = networkx.strongly_connected_components(_as_graph(open_))
        part = {one: min(members) for members in components for one in members}
        kept = {
            position: [choice for choice in own if all(s in open_ and part[s] == part[position] for s in choice)]
            for position, own in open_.items()
        }
        kept = {position: own for position, own in kept.items() if own}
        if kept == open_:
            return part
        open_ = kept


def _as_graph(choices: Mapping[int, Sequence[set[int]]]) -> Any:
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(choices)
    graph.add_edges_from((one, s) for one, own in choices.items() for choice in own for s in choice if s in choices)
    return graph


def _optimum(places: Mapping[int, Sequence[Choice]], ends: Mapping[int, Number], price: Number) -> dict[int, Number]:
    """The least values of all places, by policy iteration on one strongly connected part after the other, the last part
    first."""
    import networkx

    parts = networkx.condensation(_as_graph({one: [{s for _, s in way} for way in own] for one, own in places.items()}))
    found = dict(ends)
    for part in reversed(list(networkx.topological_sort(parts))):
        own = sorted(parts.nodes[part]["members"])
        if len(own) > LARGEST:
            raise Unchecked(f"more than {LARGEST:,} positions can come again together, and chance moves")
        _improve(places, own, found, price)
    return found


def _improve(
    places: Mapping[int, Sequence[Choice]], own: Sequence[int], found: dict[int, Number], price: Number
) -> None:
    """Add the values of one part's places to `found`, by Howard's policy iteration. Raises Unchecked where choices that
    are best by these values could go on for ever: then what is gained on the way might have no sum."""
    policy = better = _leaving_policy(places, [one for one in own if one not in found], found)
    while better:
        policy |= better
        found |= _evaluate_policy(places, policy, found, price)
        better = {
            one: k
            for one, now in policy.items()
            for k, choice in enumerate(places[one])
            if k != now and _worth_of_choice(choice, found, price) < found[one]
        }
    staying = {
        one: [
            tuple((p, s) for p, s in choice if s in policy)
            for choice in places[one]
            if sum(p for p, s in choice if s in policy) == 1 and _worth_of_choice(choice, found, price) == found[one]
        ]
        for one in policy
    }
    if _end_components(staying):
        raise Unchecked(ENDLESS)


def _leaving_policy(
    places: Mapping[int, Sequence[Choice]], own: Sequence[int], found: Mapping[int, Number]
) -> dict[int, int]:
    """For each of one part's places a choice that may leave the part, or come nearer to one that may; the first where
    there is none, as what comes later counts less."""
    policy: dict[int, int] = {}
    while nearer := {
        one: k
        for one in own
        for k, choice in enumerate(places[one])
        if one not in policy and (choice == STAY or any(s in policy or s in found for _, s in choice if s != GAIN))
    }:
        policy |= nearer
    return {**dict.fromkeys(own, 0), **policy}


def _worth_of_choice(choice: Choice, found: Mapping[int, Number], price: Number) -> Number:
    return price if choice == STAY else sum((p * found[s] for p, s in choice), Fraction(0))


def _evaluate_policy(
    places: Mapping[int, Sequence[Choice]], policy: Mapping[int, int], found: Mapping[int, Number], price: Number
) -> dict[int, Number]:
    """The values of one part's places if the policy chooses everywhere; `found` has the values of later parts."""
    equations: list[Equation] = []
    for one, k in policy.items():
        choice, weights = places[one][k], {one: Fraction(1)}
        for p, s in choice:
            if s in policy:
                weights[s] = weights.get(s, Fraction(0)) - p
        known = tuple((p, s) for p, s in choice if s not in policy)
        equations.append((weights, _worth_of_choice(known, found, price) if choice == STAY or known else 0))
    worths = solve(equations)
    if worths is None:  # every policy ends, but for chance where what comes later counts less, and loops that pay
        raise Unchecked(ENDLESS)
    return dict(worths)
