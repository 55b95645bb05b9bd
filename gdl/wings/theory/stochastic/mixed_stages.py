"""Equilibria in mixed strategies that look at the position alone, sought by policy iteration on the games of single
positions. There always is one (Fink); this need not find it.

1. Begin with any values. The game of a position is the table of what each pair of actions gains and leads to is worth.
   Take an equilibrium of each: with the supports of before while it still is one, else a pure one, else that at the end
   of a path of Lemke and Howson. What the players get if they act so for ever are the next values (Pollatschek and
   Avi-Itzhak); or, where that runs in circles, what they get from the one move with the values of before.
2. Where it does not come to rest, begin again, the paths dropping another label; in small games follow the mixtures on
   each choice of supports in the same way.
3. Round the mixtures to simple fractions, or where these are none, to fine ones. What the best replies to them gain at
   any position is computed exactly.

Sources: Fink, Equilibrium in a stochastic n-person game, Journal of Science of the Hiroshima University 28, 1964;
Pollatschek and Avi-Itzhak, Algorithms for stochastic games with geometrical interpretation, Management Science 15,
1969.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple

from gdl.game import Decision, Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.lemke_howson import path
from gdl.solvers.equilibria.logit import linear
from gdl.wings.theory.stochastic.stages import Floats, Plan, Stages, led_to, reply, round_plan, way_worth, worth

BEGINNINGS = 8  # iterations, each dropping another label of Lemke and Howson
ROUNDS = 40  # in which policies are followed for ever
SLOW_ROUNDS = 2_000  # of single moves
MOST_SUPPORTS = 3_000  # choices of supports that are tried
GRAIN = 2**40  # the numbers of a table are multiples of 1 / GRAIN
SIMPLE = (1, 12, 1_000, 10**6)  # denominators of mixtures that may be exact
FINE = 10**15  # denominators of mixtures that are only close
NEARLY = Fraction(1, 10**9)  # the greatest gain by leaving these that counts as none
EXACT = 300  # most positions: gains are computed in fractions
AT_REST = 1e-13  # how much values at rest may move, relative to the largest value
LINGER = 30  # further rounds after that, in which values come closer
TIE = 1e-11  # difference of two actions that counts as none, relative to the largest value
NEWTON_ROUNDS = 15
STEP = 1e-7  # for derivatives
SINGULAR = 1e-6  # what is left of an equation that says nothing new, in units of the greatest value
LEVEL = 1e-12  # differences of payoffs that count as none, likewise

Shares = dict[int, Floats]  # by player, the probabilities of the actions
Mixtures = Mapping[int, dict[int, Any]]  # by player and position
Used = Mapping[int, Sequence[int]]  # by player, the actions that may be played


class MixedStationaryProfile(NamedTuple):
    """A plan for each player, and the greatest gain of anybody at any position by a best reply."""

    plans: Mapping[int, Plan]
    gain: Number


def find_mixed_profile(stages: Stages, budget: Budget, beginnings: int = BEGINNINGS) -> MixedStationaryProfile | None:
    """The profile, among those at which the iteration comes to rest, that anybody gains least by leaving; with a gain
    of 0 it is an equilibrium at every position. None if the iteration never comes to rest, or there are more than EXACT
    positions."""
    if stages.size > EXACT:
        return None
    best: MixedStationaryProfile | None = None
    if all(isinstance(stages.nodes[n], Decision) for n in range(stages.size) if stages.moves[n]):
        beginnings = min(beginnings, 2)  # a label is dropped only where several choose at once
    for plans in _plans_at_rest(stages, budget, beginnings):
        for most in (*SIMPLE, FINE):
            found = round_profile(stages, plans, most)
            if best is None or found.gain < best.gain:
                best = found
            if not found.gain:
                return found
        if best is not None and best.gain <= NEARLY:
            return best
    return best


def _plans_at_rest(stages: Stages, budget: Budget, beginnings: int) -> Iterator[Mapping[int, Plan]]:
    """The mixtures at which iterations come to rest; after several beginnings, those of each choice of supports."""
    for label in range(beginnings):
        iteration = _Iteration(stages, budget, label)
        if iteration.rests():
            yield iteration.plans()
    for mixes in _supports(stages) if beginnings > 1 else ():
        budget.check_time()
        level = level_payoffs(stages, mixes, 0.0)
        if level is not None and _is_stable(stages, level):
            yield level


def _is_stable(stages: Stages, mixes: Mixtures) -> bool:
    """True if, in floating point, no action pays more than those that are played."""
    pays, scale = action_payoffs(stages, mixes)
    played = (own[mixes[p][n].index(max(mixes[p][n]))] for (n, p), own in zip(stages.acting_players, pays, strict=True))
    return all(max(own) <= best + TIE * scale for own, best in zip(pays, played, strict=True))


def _supports(stages: Stages) -> Iterator[Mixtures]:
    """Even mixtures of every choice of the actions that may be played at each position; where two players mix, both use
    the same number. None are given if there are too many choices."""
    ways = {n: list(_supports_at(stages, n)) for n in range(stages.size) if stages.moves[n]}
    for joint in product(*ways.values()) if prod(map(len, ways.values())) <= MOST_SUPPORTS else ():
        used = dict(zip(ways, joint, strict=True))
        mixes: dict[int, dict[int, Any]] = {p: {} for p in stages.players}
        for n, p in stages.acting_players:
            mixes[p][n] = [(k in used[n][p]) / len(used[n][p]) for k in range(len(stages.actions(n, p)))]
        yield mixes


def _supports_at(stages: Stages, n: int) -> Iterator[Used]:
    counts = {p: len(own) for p in stages.players if (own := stages.actions(n, p))}
    for joint in product(*map(range, counts.values())):
        yield {p: [k] for p, k in zip(counts, joint, strict=True)}
    choosing = [p for p, count in counts.items() if count > 1]
    if len(choosing) == 2:
        alone = {p: [0] for p in counts}
        for size in range(2, min(counts[p] for p in choosing) + 1):
            for pair in product(*(combinations(range(counts[p]), size) for p in choosing)):
                yield alone | dict(zip(choosing, map(list, pair), strict=True))


def round_profile(stages: Stages, plans: Mapping[int, Plan], most: int) -> MixedStationaryProfile:
    """The plans with probabilities as fractions of at most this denominator, and what anybody gains by leaving them."""
    rounded = {p: round_plan(plan, most) for p, plan in plans.items()}
    return MixedStationaryProfile(rounded, _largest_gain(stages, rounded))


def _largest_gain(stages: Stages, plans: Mapping[int, Plan]) -> Number:
    """The most that anybody gains at any position by a best reply, exactly."""
    ways = {n: stages.shares(n, plans, {}) for n in range(stages.size) if stages.moves[n]}
    most: Number = 0
    for player in stages.players:
        now, replies = worth(stages, player, ways), reply(stages, player, plans).values
        most = max(most, *(replies[n] - now[n] for n in ways))
    return exact(most)


def action_payoffs(stages: Stages, mixes: Mixtures) -> tuple[list[Floats], float]:
    """The payoff of each action where the mixtures are played otherwise, and the greatest value of a position."""
    ways = {n: stages.shares(n, mixes, {}) for n in range(stages.size) if stages.moves[n]}
    values = {p: worth(stages, p, ways) for p in stages.players}
    scale = max(1e-9, *(abs(float(value)) for own in values.values() for value in own.values()))
    pays = []
    for n, p in stages.acting_players:
        others = (stages.shares(n, mixes, {p: k}) for k in range(len(mixes[p][n])))
        pays.append([float(way_worth(stages, n, p, way, values[p])) for way in others])
    return pays, scale


def level_payoffs(stages: Stages, mixes: Mixtures, least: float) -> Mixtures | None:
    """The mixtures close by, of the actions with more than the least probability, at which those of each mixture pay
    the same; None if Newton's method finds none."""
    found: dict[int, dict[int, Any]] = {p: {} for p in mixes}
    free: list[tuple[int, int, int, int]] = []  # player, position, first action, another one
    for n, p in stages.acting_players:
        kept = [share if share > least else 0.0 for share in mixes[p][n]]
        if not any(kept):
            return None
        found[p][n] = [share / sum(kept) for share in kept]
        first, *others = [k for k, share in enumerate(kept) if share]
        free += [(p, n, first, k) for k in others]
    places = {place: i for i, place in enumerate(stages.acting_players)}

    def payoff_gaps() -> Floats:
        pays, _ = action_payoffs(stages, found)
        return [pays[places[n, p]][k] - pays[places[n, p]][first] for p, n, first, k in free]

    def shift_share(p: int, n: int, first: int, k: int, by: float) -> None:
        found[p][n][k] += by
        found[p][n][first] -= by

    scale = action_payoffs(stages, found)[1]
    for _ in range(NEWTON_ROUNDS):
        here, slopes = payoff_gaps(), []
        if max(map(abs, here), default=0.0) <= LEVEL * scale:
            break
        for one in free:
            shift_share(*one, STEP)
            slopes.append([(b - a) / STEP for a, b in zip(here, payoff_gaps(), strict=True)])
            shift_share(*one, -STEP)
        system = [[*row, -gap] for row, gap in zip(zip(*slopes, strict=True), here, strict=True)]
        change = linear(system, SINGULAR * scale)
        if change is None or max(map(abs, change)) > 2:
            return None
        for one, by in zip(free, change, strict=True):
            shift_share(*one, by)
    return None if any(share < -LEVEL for own in found.values() for mix in own.values() for share in mix) else found


class _Iteration:
    """An iteration of values and mixtures at all positions, in floating point."""

    def __init__(self, stages: Stages, budget: Budget, label: int):
        self.stages, self.budget, self.label = stages, budget, label
        self.values = [[float(stages.end_payoff(n, p) or 0) for p in stages.players] for n in range(stages.size)]
        acting = (n for n in range(stages.size) if stages.moves[n])
        self.acting = {n: [p for p in stages.players if stages.actions(n, p)] for n in acting}
        self.shares: dict[int, Shares] = {}
        self.scale = max(1.0, *(abs(g) for own in stages.leads for gains, _ in own for g in gains),
                         *(abs(v) for own in self.values for v in own))  # fmt: skip

    def rests(self) -> bool:
        """True if the values come to rest: with plans followed for ever, else move by move."""
        return self._settles(ROUNDS, self._for_ever) or self._settles(SLOW_ROUNDS, self._one_move)

    def _settles(self, rounds: int, follow: Callable[[], list[Floats]]) -> bool:
        rested = 0
        for _ in range(rounds):
            self.budget.check_time()
            for n in self.acting:
                found = self._equilibrium(n)
                if found is None:
                    return False
                self.shares[n] = found
            before, self.values = self.values, follow()
            pairs = zip(before, self.values, strict=True)
            moved = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
            self.scale = max(self.scale, *(abs(v) for own in self.values for v in own))
            rested += moved <= AT_REST * self.scale
            if rested and (not moved or rested > LINGER):
                return True
        return rested > 0

    def plans(self) -> dict[int, Plan]:
        """The present plans of all players."""
        return {p: {n: own[p] for n, own in self.shares.items() if p in own} for p in self.stages.players}  # type: ignore[misc]

    def _for_ever(self) -> list[Floats]:
        """The payoffs of all players at each position if everybody follows the present plans for ever."""
        plans = self.plans()
        ways = {n: self.stages.shares(n, plans, {}) for n in self.acting}
        found = [worth(self.stages, p, ways) for p in self.stages.players]
        return [[float(own[n]) for own in found] for n in range(self.stages.size)]

    def _one_move(self) -> list[Floats]:
        """The payoffs of all players at each position by one move with the present plans, and the previous values after
        it."""
        plans, found = self.plans(), [list(own) for own in self.values]
        for n in self.acting:
            ways = self.stages.shares(n, plans, {})
            cells = [(float(share), led_to(self.stages.leads[n][k], self.values)) for share, k in ways]
            found[n] = [sum(share * cell[p] for share, cell in cells) for p in self.stages.players]
        return found

    # -- the game of one position ----------------------------------------------------------------------------------

    def _equilibrium(self, n: int) -> Shares | None:
        """An equilibrium of the game of one position; None if none is found."""
        cells, choosing, counts = self._game(n)
        found = self._as_before(n, cells, choosing, counts) or self._pure_equilibrium(n, cells, counts)
        if found is None and len(choosing) == 2:
            found = self._by_path(cells, choosing, counts)
        return found

    def _game(self, n: int) -> tuple[list[Floats], list[int], dict[int, int]]:
        """The game of one position: the value of each joint move to every player, the players who have a choice, and
        the number of actions of each player who acts."""
        counts = {p: len(self.stages.actions(n, p)) for p in self.acting[n]}
        return [led_to(one, self.values) for one in self.stages.leads[n]], [p for p in counts if counts[p] > 1], counts

    def _as_before(self, n: int, cells: list[Floats], choosing: list[int], counts: Mapping[int, int]) -> Shares | None:
        """The equilibrium with the supports of the previous round; None if there is none."""
        before = self.shares.get(n)
        if before is None:
            return None
        used = {p: [k for k, share in enumerate(own) if share] for p, own in before.items()}
        found = self._on_supports(cells, choosing, counts, used)
        return found if found is not None and self._stands(n, cells, choosing, counts, found) else None

    def _on_supports(
        self, cells: list[Floats], choosing: list[int], counts: Mapping[int, int], used: Used
    ) -> Shares | None:
        """Weights of these actions, for each player, that leave the other indifferent between theirs; some may be
        negative. None if there are none."""
        found = {p: _spread([1.0], used[p][:1], counts[p]) for p in counts}
        if all(len(own) == 1 for own in used.values()):
            return found
        one, other = choosing
        rows, columns = self._tables(cells, choosing, counts)
        x = _indifferent_weights([[columns[i][j] for i in used[one]] for j in used[other]])
        y = _indifferent_weights([[rows[i][j] for j in used[other]] for i in used[one]])
        if x is None or y is None:
            return None
        return found | {one: _spread(x, used[one], counts[one]), other: _spread(y, used[other], counts[other])}

    def _stands(
        self, n: int, cells: list[Floats], choosing: list[int], counts: Mapping[int, int], found: Shares
    ) -> bool:
        """True if the weights are probabilities, and every action that is played is best."""
        if min(map(min, found.values())) < 0:
            return False
        if all(max(own) == 1 for own in found.values()):
            pure: Any = {p: {n: own} for p, own in found.items()}
            ((_, move),) = self.stages.shares(n, pure, {})
            return self._holds(n, cells, move)
        one, other = choosing
        rows, columns = self._tables(cells, choosing, counts)
        mine = [sum(a * q for a, q in zip(row, found[other], strict=True)) for row in rows]
        yours = [sum(a * p for a, p in zip(column, found[one], strict=True)) for column in zip(*columns, strict=True)]
        return all(
            pays >= max(all_) - TIE * self.scale
            for shares, all_ in ((found[one], mine), (found[other], yours))
            for share, pays in zip(shares, all_, strict=True)
            if share
        )

    def _pure_equilibrium(self, n: int, cells: list[Floats], counts: Mapping[int, int]) -> Shares | None:
        """The first equilibrium in which everybody plays one action; None if there is none."""
        for move, joint in enumerate(product(*map(range, counts.values()))):
            if self._holds(n, cells, move):
                return {p: [float(k == mine) for k in range(counts[p])] for p, mine in zip(counts, joint, strict=True)}
        return None

    def _holds(self, n: int, cells: list[Floats], move: int) -> bool:
        """True if nobody gains by another action in place of the one in this joint move."""
        near = TIE * self.scale
        others = ((p, other) for p in self.acting[n] for other in self.stages.unilateral(n, move, p))
        return all(cells[other][p] <= cells[move][p] + near for p, other in others)

    def _tables(self, cells: list[Floats], choosing: list[int], counts: Mapping[int, int]) -> list[list[Floats]]:
        """The payoff matrices of the two players who have a choice."""
        width = counts[choosing[1]]
        return [[[cells[i * width + j][p] for j in range(width)] for i in range(counts[choosing[0]])] for p in choosing]

    def _by_path(self, cells: list[Floats], choosing: list[int], counts: Mapping[int, int]) -> Shares:
        rows, columns = (
            [[round(a * GRAIN) for a in row] for row in table] for table in self._tables(cells, choosing, counts)
        )
        x, y = path(rows, columns, self.label % (len(rows) + len(rows[0])), self.budget)
        sides = {choosing[0]: [float(p) for p in x], choosing[1]: [float(p) for p in y]}
        return {p: sides.get(p, [1.0]) for p in counts}


def _indifferent_weights(table: list[Floats]) -> Floats | None:
    """Weights of the columns that make all rows worth the same; None if there are none, or many."""
    width = len(table[0])
    if len(table) != width:
        return None
    system = [[*(a - b for a, b in zip(row, table[0], strict=True)), 0.0] for row in table[1:]]
    return linear([*system, [1.0] * (width + 1)])


def _spread(mix: Floats, used: Sequence[int], count: int) -> Floats:
    shares = dict(zip(used, mix, strict=True))
    return [shares.get(k, 0.0) for k in range(count)]
