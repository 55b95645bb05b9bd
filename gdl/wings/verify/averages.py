"""Average gains in the long run, computed anew for the verifier, of one player who knows the position.

With the choices fixed, each position has a gain, a bias and one further number, and each of them is, on average, that
of the positions that follow, less the number before it where a move is completed; a reward adds to the bias. A fourth
number makes the first three the only ones. All are found from the linear equations of all positions together.

If no choice has a greater gain, or the same gain and a greater bias, and so on, the optimality equations of gain and
bias hold, so that the gain is that of all strategies (Puterman, Markov Decision Processes, 1994, theorem 9.1.2).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from gdl.game import Number
from gdl.wings.verify.linear import solve
from gdl.wings.verify.verdict import Unchecked

AverageWay = tuple[Number, Sequence[tuple[Number, int]]]  # a gain, and the probabilities of the positions that follow
Terms = tuple[Number, ...]  # gain, bias, and a further number
TERMS = 3


def best_terms(ways: Mapping[int, Sequence[AverageWay]], chance: Collection[int]) -> dict[int, Terms]:
    """The gain, the bias and a further number of every position, if the best of these ways is taken everywhere; at an
    end the only way leads nowhere, and gains what the end pays. A move is completed by all positions but those of
    `chance`."""
    choice = dict.fromkeys(ways, 0)
    while True:
        found = _policy_terms({n: own[choice[n]] for n, own in ways.items()}, chance)
        worths = {n: [worth_of_way(way, found, chance) for way in own] for n, own in ways.items()}
        better = {n: own.index(max(own)) for n, own in worths.items() if max(own) > own[choice[n]]}
        if not better:
            return found
        choice |= better


def worth_of_way(way: AverageWay, found: Mapping[int, Terms], chance: Collection[int]) -> Terms:
    """The terms of a way, from those of the positions that follow."""
    gain, leads = way
    return tuple(
        sum((w * (found[m][k] - (found[m][k - 1] if k and m not in chance else 0)) for w, m in leads),
            Fraction(gain if k == 1 else 0))
        for k in range(TERMS)
    )  # fmt: skip


def _policy_terms(taken: Mapping[int, AverageWay], chance: Collection[int]) -> dict[int, Terms]:
    """The terms of every position by these ways. Raises Unchecked where chance alone goes on for ever."""
    import networkx  # type: ignore[import-untyped]

    graph = networkx.DiGraph((n, m) for n, (_, leads) in taken.items() for _, m in leads)
    first = [min(part) for part in networkx.attracting_components(graph)]
    count = TERMS + 1  # the unknown number of a position's term k is count * n + k
    equations: list[tuple[dict[int, Number], Number]] = []
    for n, (gain, leads) in taken.items():
        for k in range(count):
            row: dict[int, Number] = {count * n + k: 1}
            for w, m in leads:
                row[count * m + k] = row.get(count * m + k, 0) - w
                if k and m not in chance:
                    row[count * m + k - 1] = row.get(count * m + k - 1, 0) + w
            equations.append((row, gain if k == 1 else 0))
    equations += [({count * n + TERMS: 1}, 0) for n in first if taken[n][1]]
    solved = solve(equations)
    if solved is None:
        raise Unchecked("chance alone could go on for ever")
    return {n: tuple(solved[count * n + k] for k in range(TERMS)) for n in taken}
