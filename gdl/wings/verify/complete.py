"""Are the equilibria that an answer lists all there are? Found out anew, by other methods than those of the solvers.

1. Of one player: all plans are compared. Of two: the corners of the polytopes of their mixtures (below), where
   these are not too many. All equilibria are listed if each corner is, and no two share a side: else every mixture of
   the other sides is an equilibrium too.
2. Of any number: if strictly dominated plans go, round after round, and one combination is left, it is the only
   equilibrium. A mixture dominates a plan just if it wins the game of zero sum that pays what is gained on the plan.
3. Subgame-perfect equilibria with perfect information: there is but one if backward induction never meets a tie. With
   beliefs they are the same; and where every information set is reached whatever is played, all equilibria have them.
4. Perfect and proper equilibria of two players: those of all that are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from gdl.errors import LimitReached, count_text
from gdl.game import Chance, Decision, Number, Terminal
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.linear import matrix_game
from gdl.wings.verify.plans import Table, VerifierPlans, Weights, plans_of
from gdl.wings.verify.position_graph import InformationSet, VerifierPositions, fold, reach
from gdl.wings.verify.profiles import subgames
from gdl.wings.verify.replies import expectation, weigh_positions
from gdl.wings.verify.trembling import PERFECT as TREMBLING_PERFECT
from gdl.wings.verify.trembling import PROPER, find_dominated, is_limit
from gdl.wings.verify.verdict import Finding, Unchecked

NASH = "nash"  # the solver that lists all pure equilibria
PERFECT = "subgame-perfect"  # the concept and the solver of equilibria of all subgames, not of the game alone
TREMBLING = (TREMBLING_PERFECT, PROPER)
BELIEVED = ("sequential", "perfect-bayesian", "intuitive")  # concepts with beliefs, equilibria of all subgames too

Equilibrium = tuple[Weights, ...]  # the weights of each player's actions
Vector = tuple[Number, ...]


def check_complete(case: VerifierCase) -> Iterator[Finding]:
    """The answer's statement that its list of equilibria is complete, or is not, is right."""
    complete = case.claim.complete
    if complete is None and (case.claim.solver != NASH or not case.claim.equilibria or case.claim.limit is not None):
        return  # which claims nothing of the kind, also where a limit stopped the search
    if complete is False and case.claim.concept in BELIEVED:
        yield Finding(True, ("complete",), "the answer does not say that these are all")
    else:
        try:
            yield from list(_compare(case, complete))
        except (Unchecked, LimitReached):
            if complete is not False:
                raise
            yield Finding(True, ("complete",), "the answer does not say that these are all")


def _compare(case: VerifierCase, complete: bool | None) -> Iterator[Finding]:
    """Find all equilibria anew, and compare the answer's list with them."""
    if case.claim.concept in BELIEVED and not case.graph.open:
        positions = case.graph.positions
        if not all(_is_always_reached(positions, h) for h in range(len(positions.information_sets))):
            yield _of_every_stage(case)
            return
    elif case.claim.concept in BELIEVED or (_is_perfect(case) and not _only_one_stage(case)):
        if complete is not None:
            yield _of_every_subgame(case, complete)
        return
    plans = plans_of(case)
    listed = set[Equilibrium]()
    for behaviour in map(case.behaviour, case.claim.equilibria):
        one = tuple(plans.weights_of(player, behaviour) for player in range(len(case.game.players)))
        listed.add(one)
        where = next((h for h in _sets_never_entered(plans.positions, one) if behaviour[h] is not None), None)
        if complete and where is not None:
            said = f"no move of its own player leads to {plans.positions.information_sets[where].name}"
            yield Finding(False, ("complete",), f"{said}, where any other one would do in an equilibrium, too")
            return
    if complete is None:
        yield from _pure_ones(plans, listed)
    else:
        yield from _compare_lists(case, complete, listed, *_all_equilibria(plans, case.claim.concept))


def _is_perfect(case: VerifierCase) -> bool:
    """True if the list is of equilibria of all subgames."""
    return PERFECT in (case.claim.concept, case.claim.solver)


def _is_always_reached(positions: VerifierPositions, h: int) -> bool:
    """True if play comes to the information set, whatever the players do."""

    def leads(position: int, after: list[bool]) -> bool:
        is_chance = isinstance(positions.nodes[position], Chance)
        return positions.sets[position] == h or (any(after) if is_chance else bool(after) and all(after))

    return fold(positions, leads)[0]


def _only_one_stage(case: VerifierCase) -> bool:
    """True if something is hidden and no proper subgame exists, so that every equilibrium is subgame-perfect."""
    return not case.graph.open and next(subgames(case.graph.positions), None) is None


def _of_every_subgame(case: VerifierCase, complete: bool) -> Finding:
    if not case.graph.open:
        return _of_every_stage(case)
    positions, found = case.graph.positions, case.outcomes
    for position, node in enumerate(positions.nodes):
        if isinstance(node, Decision):
            worth = [found[successor][0][node.player] for successor in positions.successors[position]]
            if worth.count(max(worth)) > 1:
                where = case.game.players[node.player]
                said = f"{where} is indifferent somewhere, so there are several equilibria"
                return Finding(not complete, ("complete",), said)
    said = "nobody is ever indifferent, so there is one equilibrium of every subgame"
    return Finding(complete and len(case.claim.equilibria) == 1, ("complete",), said)


def _of_every_stage(case: VerifierCase) -> Finding:
    """The finding on whether the listed equilibrium is the only one of every subgame. From the last subgame to the
    whole game, each is played up to the subgames within it, which pay what the listed equilibrium makes them worth;
    that part must have a single equilibrium. For concepts with beliefs, play must also reach all its information sets,
    so that no other beliefs are possible."""
    positions, worth = case.graph.positions, dict[int, Vector]()
    if not case.claim.complete or len(case.claim.equilibria) != 1:
        raise Unchecked("whether there are other equilibria of every subgame is found out of a single one alone")
    behaviour = case.behaviour(case.claim.equilibria[0])
    for root in (*(root for root, _ in subgames(positions)), 0):
        inside = sorted(reach([root], lambda p: () if p in worth else positions.successors[p]))
        part = _part(positions, inside, worth)
        found, finite = _all_equilibria(VerifierPlans(part), None)
        if len(found) > 1 or not finite or next(_sets_never_entered(part, found[0]), None) is not None:
            if case.claim.concept in BELIEVED:
                raise Unchecked("whether beliefs bear the other equilibria of some subgame is not found anew")
            return Finding(False, ("complete",), "there are several equilibria of some subgame")
        met = {positions.sets[position] for position, _ in weigh_positions(positions, behaviour, {root: 1})}
        if case.claim.concept in BELIEVED and not met >= {positions.sets[p] for p in inside if p not in worth} - {None}:
            raise Unchecked("at an information set that is not reached other beliefs may bear another equilibrium")
        worth[root] = expectation(positions, behaviour, {root: 1})
    return Finding(True, ("complete",), "each subgame has one equilibrium, those within it being as they are")


def _part(positions: VerifierPositions, inside: Sequence[int], worth: Mapping[int, Vector]) -> VerifierPositions:
    """Some of the positions as a game of its own; those with a known worth are its ends."""
    at = {position: number for number, position in enumerate(inside)}
    sets: dict[int, int] = {}
    for h in (positions.sets[p] for p in inside if p not in worth):
        if h is not None:
            sets.setdefault(h, len(sets))
    kept = [positions.information_sets[h] for h in sets]
    return VerifierPositions(
        positions.game,
        positions.players,
        tuple(Terminal(worth[p]) if p in worth else positions.nodes[p] for p in inside),
        tuple(() if p in worth else tuple(at[after] for after in positions.successors[p]) for p in inside),
        tuple(None if p in worth else sets.get(positions.sets[p]) for p in inside),  # type: ignore[arg-type]
        tuple(InformationSet(one.player, one.actions, lambda: "") for one in kept),
    )


def _sets_never_entered(positions: VerifierPositions, equilibrium: Equilibrium) -> Iterator[int]:
    """The information sets with a choice to which the own actions of their players never lead."""
    entered = {h for weights in equilibrium for (h, _), _ in weights}
    return (h for h, one in enumerate(positions.information_sets) if len(one.actions) > 1 and h not in entered)


def _pure_ones(plans: VerifierPlans, listed: set[Equilibrium]) -> Iterator[Finding]:
    """A finding on a pure equilibrium that the list lacks, if there is one."""
    table = plans.table
    most: dict[tuple[int, tuple[int, ...]], Number] = {}  # by player and others' plans: the greatest payoff
    for cell, payoffs in table.items():
        for p, payoff in enumerate(payoffs):
            others = p, (*cell[:p], -1, *cell[p + 1 :])
            most[others] = max(payoff, most.get(others, payoff))
    for cell, payoffs in table.items():
        if all(payoff == most[p, (*cell[:p], -1, *cell[p + 1 :])] for p, payoff in enumerate(payoffs)):
            one = tuple(plans.weights_of_mix(p, _pure_mixture(len(plans.of[p]), plan)) for p, plan in enumerate(cell))
            if one not in listed:
                yield Finding(False, ("equilibria",), "one in pure plans is not listed")
                return


def _compare_lists(
    case: VerifierCase, complete: bool, listed: set[Equilibrium], every: list[Equilibrium], finite: bool
) -> Iterator[Finding]:
    """Compare the listed equilibria with `every` one found. `finite`: those found are all, not only the corners of an
    infinite set."""
    missing = [one for one in every if one not in listed]
    if complete and missing:
        count = f"{count_text(len(every), 'equilibrium')} {'was' if len(every) == 1 else 'were'} found"
        said = f"{count}, and {len(missing)} of them not in the answer"
        yield Finding(False, ("complete", "equilibria"), said)
    elif complete and not finite:
        yield Finding(False, ("complete",), "some equilibria share a side, so all their mixtures are equilibria too")
    elif complete:
        yield Finding(True, ("complete",), f"the answer lists all equilibria: {len(every)}")
    elif missing or not finite:
        yield Finding(True, ("complete",), "there are more equilibria than the answer lists")
    else:
        yield _of_a_list_in_full(case, len(every))


def _of_a_list_in_full(case: VerifierCase, count: int) -> Finding:
    """The finding on a list that does not call itself complete, though all `count` equilibria are in it."""
    sets = [case.graph.positions.sets_of(player) for player in range(len(case.game.players))]
    if not _is_perfect(case) and max(map(len, sets)) == 1:  # no plans that do the same are told apart
        return Finding(False, ("complete",), f"the answer lists all equilibria: {count}")
    return Finding(True, ("complete",), f"the answer does not say that these are all, and no more were found: {count}")


def _all_equilibria(plans: VerifierPlans, concept: str | None) -> tuple[list[Equilibrium], bool]:
    """All equilibria (or, where they are infinitely many, the corners of their set), and True if they are finitely
    many. Of two players and for a trembling concept, only the perfect or proper ones."""
    table = plans.table
    sizes = [len(own) for own in plans.of]
    if len(sizes) == 1:
        most = max(payoffs[0] for payoffs in table.values())
        best = [cell for cell, payoffs in table.items() if payoffs[0] == most]
        found = [(plans.weights_of_mix(0, _pure_mixture(sizes[0], cell[0])),) for cell in best]
        return list(dict.fromkeys(found)), len(set(found)) == 1
    if len(sizes) == 2:
        try:
            return _of_two(plans, concept)
        except Unchecked:
            if max(sizes) > 12:
                raise
    cell = find_undominated_cell(table, sizes)
    if cell is None:
        raise Unchecked("more than one combination of plans is left when dominated ones go")
    return [tuple(plans.weights_of_mix(p, _pure_mixture(sizes[p], plan)) for p, plan in enumerate(cell))], True


def _pure_mixture(size: int, plan: int) -> list[int]:
    return [int(k == plan) for k in range(size)]


def _of_two(plans: VerifierPlans, concept: str | None) -> tuple[list[Equilibrium], bool]:
    corners = extreme_equilibria(plans.pays(0), plans.pays(1))
    found = {tuple(plans.weights_of_mix(p, mix) for p, mix in enumerate(corner)): corner for corner in corners}
    sides = [{one[player] for one in found} for player in (0, 1)]
    finite = min(map(len, sides)) == len(found)
    if concept in TREMBLING:
        found = {one: mixes for one, mixes in found.items()
                 if find_dominated(plans, mixes) is None and is_limit(plans, mixes, concept == PROPER)}  # fmt: skip
    return list(found), finite


# ---- Dominance ----------------------------------------------------------------------------------------------------


def find_undominated_cell(table: Table, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """The combination of plans left when strictly dominated plans are removed, round after round; None if more than one
    is left."""
    alive = [list(range(size)) for size in sizes]
    while True:
        gone = [(p, plan) for p, own in enumerate(alive) for plan in own if is_dominated(table, alive, p, plan)]
        if not gone:
            return tuple(own[0] for own in alive) if all(len(own) == 1 for own in alive) else None
        alive = [[plan for plan in own if (p, plan) not in gone] for p, own in enumerate(alive)]


def is_dominated(table: Table, alive: Sequence[Sequence[int]], player: int, plan: int) -> bool:
    """True if another plan of the player, or a mixture of others, pays more against all that the others have left."""
    others = [list(own) for own in alive]
    rows = {}
    for own in alive[player]:
        others[player] = [own]
        rows[own] = [table[cell][player] for cell in product(*others)]
    payoffs = rows.pop(plan)
    gains = [[a - b for a, b in zip(row, payoffs, strict=True)] for row in rows.values()]
    return any(min(row) > 0 for row in gains) or (bool(gains) and matrix_game(gains)[0] > 0)


# All extreme equilibria of a table of two players, by the vertices of two polytopes, in whole numbers.
#
# Payoffs are moved so that all are positive. The mixtures x of the rows against which no column pays more than one,
# not yet scaled to sum to one, are the polytope {x >= 0, x B <= 1}; those of the columns are {y >= 0, A y <= 1}.
#
# 1. Begin with the cone of all (x, t) that are not negative, whose extreme rays are known, and cut it by one inequality
#    after the other. The rays on its wrong side go. New ones lie on its edge, between two old rays, one of each side,
#    that are neighbours: no other ray keeps all the inequalities with equality that both of them do.
# 2. A ray with t = 1 is a vertex. It has the label of every own strategy that it does not use, and of every strategy of
#    the other that is a best reply to it.
# 3. Two vertices, one of each polytope, that have all labels together are an equilibrium, but for the pair of zeros.
#    Every equilibrium is a mixture of such that share a side (Mangasarian 1964).
#
# Sources: Motzkin, Raiffa, Thompson and Thrall, The double description method, 1953; Fukuda and Prodon, Double
# description method revisited, 1996; von Stengel, Handbook of Game Theory 3, 2002 (labels).

MOST_RAYS = 300  # the most rays of a cone that are kept

Matrix = Sequence[Sequence[Number]]
Mix = tuple[Number, ...]
Ray = tuple[int, ...]


def extreme_equilibria(rows: Matrix, columns: Matrix) -> list[tuple[Mix, Mix]]:
    """The extreme equilibria, as pairs of mixtures, of the game in which cell (i, j) pays rows[i][j] to the one and
    columns[j][i] to the other player."""
    m, n = len(rows), len(columns)
    everything = (1 << (m + n)) - 1
    xs = [(mix, own | replies << m) for mix, own, replies in _vertices(_positive(columns))]
    ys = [(mix, own << m | replies) for mix, own, replies in _vertices(_positive(rows))]
    return [(x, y) for x, one in xs for y, other in ys if one | other == everything]


def _positive(payoffs: Matrix) -> list[list[int]]:
    """The payoffs scaled to whole numbers and moved to be at least 1; best replies stay the same."""
    least = min(min(row) for row in payoffs)
    scale = lcm(*(Fraction(payoff).denominator for row in payoffs for payoff in row))
    return [[int((payoff - least + 1) * scale) for payoff in row] for row in payoffs]


def _vertices(replies: Sequence[Sequence[int]]) -> list[tuple[Mix, int, int]]:
    """The vertices of a polytope but for zero. For each: the mixture, scaled to sum to one; as bits, the own strategies
    that it does not use; and as bits, the best replies to it. `replies` has a row for each reply: its payoff against
    each own strategy."""
    size = len(replies[0])
    unit = [tuple(int(i == k) for i in range(size + 1)) for k in range(size + 1)]
    kept: list[tuple[Ray, int]] = [(ray, sum(1 << i for i, x in enumerate(ray) if not x)) for ray in unit]
    for number, reply in enumerate(replies):
        kept = _cut(kept, [*(-payoff for payoff in reply), 1], size + 1 + number)
        if len(kept) > MOST_RAYS:
            raise Unchecked(f"the polytopes of its mixtures have more than {MOST_RAYS:,} corners")
    return [
        (tuple(Fraction(x, total) for x in ray[:size]), tight & ((1 << size) - 1), tight >> (size + 1))
        for ray, tight in kept
        if ray[size] and (total := sum(ray[:size]))
    ]


def _cut(rays: Sequence[tuple[Ray, int]], side: Sequence[int], number: int) -> list[tuple[Ray, int]]:
    """The extreme rays of the part of a cone in which the linear form `side` is not negative. Each ray comes with the
    inequalities that it keeps with equality, as bits; the new inequality has bit `number`."""
    values = [sum(a * x for a, x in zip(side, ray, strict=True)) for ray, _ in rays]
    above = [k for k, value in enumerate(values) if value > 0]
    below = [k for k, value in enumerate(values) if value < 0]
    found = [
        (ray, tight | (value == 0) << number) for (ray, tight), value in zip(rays, values, strict=True) if value >= 0
    ]
    for i in above:
        for j in below:
            common = rays[i][1] & rays[j][1]
            if any(common & tight == common for k, (_, tight) in enumerate(rays) if k not in (i, j)):
                continue
            new = [values[i] * y - values[j] * x for x, y in zip(rays[i][0], rays[j][0], strict=True)]
            scale = gcd(*new)
            found.append((tuple(x // scale for x in new), common | 1 << number))
    return found
