"""All extreme equilibria of a two-player game in strategic form, by the vertices of two polytopes, exactly.

The mixtures of a player that leave the other a payoff of at most one (payoffs made positive, mixtures not yet scaled
to sum to one) are a polytope. At a vertex, as many of the other's strategies are best replies as it has strategies
in its support, or more:

1. From the basis at zero pivot to every neighbour, and from these on, until no basis is new. Ties are broken
   lexicographically, so each basis has as many neighbours as there are strategies, and all vertices are met.
2. A vertex has the label i of each own strategy it does not use, and the label j of each best reply of the other.
3. Two vertices, one for each player, that together have every label are an equilibrium, and the extreme ones are all
   found so. Every equilibrium is a mixture of extreme ones that share the other side (Mangasarian 1964).
4. The game is degenerate if a mixture has more best replies than strategies in its support.
5. Extreme equilibria are corners of Nash components: sets in which every mixture of one side is an equilibrium with
   every mixture of the other. The largest such sets are the maximal cliques of who is an equilibrium with whom.

Sources: Mangasarian, Equilibrium points of bimatrix games, 1964; Avis, Rosenberg, Savani and von Stengel, Enumeration
of Nash equilibria for two-player games, 2010; von Stengel, Handbook of Game Theory 3, 2002.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from gdl.errors import LimitReached
from gdl.game import Number, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.simplex import Matrix
from gdl.solvers.equilibria.tableau import Tableau, Whole, positive

Mix = tuple[Number, ...]
MOST_BASES = 40_000  # of one polytope; they take a few seconds
MOST_NUMBERS = 4_000_000  # in the tableaux of all bases of one polytope


class TooManyVertices(Exception):
    """A polytope has more vertices than may be enumerated."""


class ExtremeSoFar(LimitReached):
    """A limit was reached; `equilibria` are extreme equilibria among the vertices met until then."""

    def __init__(self, why: str, equilibria: Sequence[tuple[Mix, Mix]]):
        super().__init__(why)
        self.equilibria = equilibria


@dataclass(frozen=True)
class ExtremeEquilibria:
    """The extreme equilibria; `degenerate` if some mixture has more best replies than strategies in its support."""

    equilibria: tuple[tuple[Mix, Mix], ...]
    degenerate: bool


class _Vertex(NamedTuple):
    weights: Sequence[int]
    labels: int  # bits: own strategies not used and best replies of the other

    def mix(self) -> Mix:
        total = sum(self.weights)
        return tuple(exact(Fraction(weight, total)) for weight in self.weights)


def extreme_equilibria(row_payoffs: Matrix, column_payoffs: Matrix, budget: Budget | None = None) -> ExtremeEquilibria:
    """The extreme equilibria of the game in which cell (i, j) pays row_payoffs[i][j] and column_payoffs[i][j]. Raises
    TooManyVertices where a polytope has too many bases, ExtremeSoFar where the time is over."""
    rows, columns = len(row_payoffs), len(row_payoffs[0])
    budget = budget or Budget()
    replies = [[column_payoffs[i][j] for i in range(rows)] for j in range(columns)]
    xs, ys = list[_Vertex](), list[_Vertex]()
    try:
        for x, y in zip_longest(_vertices(positive(replies), budget), _vertices(positive(row_payoffs), budget)):
            if x is not None:
                xs.append(x)
            if y is not None:
                ys.append(y._replace(labels=y.labels >> columns | (y.labels & ((1 << columns) - 1)) << rows))
    except LimitReached as stop:
        raise ExtremeSoFar(str(stop), _complete(xs, ys, rows, columns)) from None
    degenerate = any(v.labels.bit_count() > rows for v in xs) or any(v.labels.bit_count() > columns for v in ys)
    return ExtremeEquilibria(tuple(sorted(_complete(xs, ys, rows, columns), key=_order)), degenerate)


def _complete(xs: Sequence[_Vertex], ys: Sequence[_Vertex], rows: int, columns: int) -> list[tuple[Mix, Mix]]:
    """The pairs of vertices that together have every label. A vertex with as many labels as there are rows is completed
    by the one vertex that has exactly all other labels, and by any with further labels beside them."""
    simple = {y.labels: y for y in ys}
    loose = [y for y in ys if y.labels.bit_count() > columns]
    every = (1 << (rows + columns)) - 1
    found = []
    for x in xs:
        wanted = every & ~x.labels
        fitting = [y for y in loose if y.labels & wanted == wanted]
        if wanted in simple and wanted.bit_count() == columns:
            fitting.append(simple[wanted])
        elif wanted.bit_count() < columns:
            fitting = [y for y in ys if y.labels & wanted == wanted]
        found += [(x.mix(), y.mix()) for y in fitting]
    return found


def _order(equilibrium: tuple[Mix, Mix]) -> tuple[int, list[list[int]], list[list[Number]]]:
    """A key for sorting: small supports first, then by the strategies of the supports, then by their probabilities."""
    used = [[k for k, weight in enumerate(mix) if weight] for mix in equilibrium]
    return sum(map(len, used)), used, [[-weight for weight in mix] for mix in equilibrium]


def _vertices(replies: Whole, budget: Budget) -> Iterator[_Vertex]:
    """The vertices other than zero, each once, of the polytope of mixtures against which no reply (a row of payoffs,
    one for each own strategy) pays more than one. Labels are the own strategies from 0, then the replies; a vertex is
    known by the constraints that hold with equality."""
    start = Tableau.from_system(replies)
    most = min(MOST_BASES, MOST_NUMBERS // ((start.size + 1) * len(start.rows)))
    seen = {sum(1 << variable for variable in start.under)}
    stack = [start]
    found: set[int] = set()
    while stack:
        tableau = stack.pop()
        budget.check_time()
        weights, labels = tableau.weights(), tableau.tight_variables()
        if labels not in found and any(weights):
            found.add(labels)
            yield _Vertex(weights, labels)
        basis = sum(1 << variable for variable in tableau.under)
        for entering, leaving in enumerate(tableau.leaving()):
            after = basis ^ 1 << tableau.over[entering] ^ 1 << tableau.under[leaving]
            if after not in seen:
                seen.add(after)
                further = tableau.copy()
                further.pivot(leaving, entering)
                stack.append(further)
        if len(seen) > most:
            raise TooManyVertices


def maximal_components(equilibria: Sequence[tuple[Hashable, Hashable]]) -> list[tuple[int, ...]]:
    """The maximal Nash subsets, each as the numbers of its extreme equilibria in the list. Within a subset any first
    side and any second side together are an equilibrium, and so are all mixtures.

    1. For each first side, the second sides with which it is an equilibrium are a set. Sets that are intersections of
       such sets are closed; they are met by intersecting until nothing is new.
    2. A closed set goes with all first sides that are equilibria with all of it: that is a subset, and it is maximal.
    """
    firsts = list(dict.fromkeys(first for first, _ in equilibria))
    seconds = {second: j for j, second in enumerate(dict.fromkeys(second for _, second in equilibria))}
    joined = [0] * len(firsts)
    for first, second in equilibria:
        joined[firsts.index(first)] |= 1 << seconds[second]
    met: dict[int, None] = {}
    queue = list(dict.fromkeys(joined))
    for side in queue:  # grows while it is walked
        if side and side not in met:
            met[side] = None
            queue += [side & other for other in joined if side & other not in met]
    found = []
    for side in met:
        own = {first for first, other in zip(firsts, joined, strict=True) if other & side == side}
        members = [k for k, (first, second) in enumerate(equilibria) if first in own and side >> seconds[second] & 1]
        found.append(tuple(members))
    return sorted(found)
