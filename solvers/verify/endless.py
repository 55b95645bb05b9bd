"""Values of positions that can come again, computed anew for the verifier. Play that never ends has a price.

Without chance, by value iteration: let play be broken off after k plies, and whoever broke off get the price. What a
player can force at all is forced within as many plies as there are positions, so the values stop changing, and are
then those of the game (Washburn, Deterministic graphical games, J. Math. Anal. Appl. 153, 1990). Only positions one of
whose successors has changed are looked at again.

With chance, only what one side can bring about, the other's strategy being given, or there being no other side.

1. Collect what can be reached, and find where that side could stay for ever (end components: de Alfaro, Formal
   verification of probabilistic systems, 1997). Each becomes one place, with the choices that lead out of it and one
   more, to stay, which gets the price.
2. Now every policy ends. Begin with any, and change it wherever another choice is better, until none is (Howard,
   Dynamic Programming and Markov Processes, 1960). Values are exact: the equations are solved in fractions, and the
   solution put in again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gdl.game import Chance, Decision, Number, Terminal, exact, require_number
from gdl.solution import Profile
from gdl.solvers.verify.linear import Equation, solve
from gdl.solvers.verify.position_graph import VerifierPositions, reach
from gdl.solvers.verify.replies import Behaviour
from gdl.solvers.verify.verdict import Unchecked

LARGEST = 1_000  # the most places of one strongly connected part, whose values are worked out in fractions
Choice = tuple[tuple[Number, int], ...]  # the probability (or weight) and number of each place that may follow
STAY: Choice = ()  # to stay for ever


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
        now = {position: _best(positions, position, player, found) for position in changed}
        changed = [position for position, value in now.items() if value != found[position]]
        for position in changed:
            found[position] = now[position]
    return found


def _best(positions: VerifierPositions, position: int, player: int, found: Sequence[Number]) -> Number:
    """The best value for the mover among those of the successors; all others want the player's value low."""
    after = [found[successor] for successor in positions.successors[position]]
    node: Any = positions.nodes[position]
    return max(after) if node.player == player else min(after)


def least(
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
    group = _groups(choices)
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

    def after(position: int) -> Iterator[int]:
        found[position] = _choices_at(positions, position, fixed, behaviour)
        return (s for choice in found[position] for _, s in choice)

    reach([0], after)
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


def _groups(choices: Mapping[int, Sequence[Choice]]) -> dict[int, int]:
    """For each position the number of its group: positions among which play can be kept for ever are one group; any
    other position is alone, under its own number."""
    open_ = {position: [{s for _, s in choice} for choice in own] for position, own in choices.items()}
    while True:
        part = _components(open_)
        kept = {
            position: [choice for choice in own if all(s in open_ and part[s] == part[position] for s in choice)]
            for position, own in open_.items()
        }
        kept = {position: own for position, own in kept.items() if own}
        if kept == open_:
            return {position: part.get(position, position) for position in choices}
        open_ = kept


def _components(choices: Mapping[int, Sequence[set[int]]]) -> dict[int, int]:
    """For each position the least position of its strongly connected component."""
    import networkx  # type: ignore[import-untyped]

    parts = networkx.strongly_connected_components(_as_graph(choices))
    return {one: min(part) for part in parts for one in part}


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
    """Add the values of one part's places to `found`, by Howard's policy iteration."""
    policy = {one: 0 for one in own if one not in found}
    better = policy
    while better:
        policy |= better
        found |= _evaluate_policy(places, policy, found, price)
        better = {
            one: k
            for one, now in policy.items()
            for k, choice in enumerate(places[one])
            if k != now and _worth(choice, found, price) < found[one]
        }


def _worth(choice: Choice, found: Mapping[int, Number], price: Number) -> Number:
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
        equations.append((weights, _worth(known, found, price) if choice == STAY or known else 0))
    worths = solve(equations)
    if worths is None:  # every policy ends, but for chance where what comes later counts less
        raise Unchecked("chance alone could go on for ever")
    return dict(worths)
