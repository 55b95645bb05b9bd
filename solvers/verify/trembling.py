"""Perfect equilibria of two players, checked anew: each side must be a best reply to some mixture in which the other
plays everything, which says the same as that it is not weakly dominated, and is found by another program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gdl.game import Number
from solvers.equilibria.simplex import Infeasible, Program, maximise
from solvers.verify.case import Case
from solvers.verify.correlated import plans_of
from solvers.verify.finding import Finding, Unchecked


def check_perfect(case: Case) -> Iterator[Finding]:
    """Each strategy of each equilibrium is a best reply to a mixture of everything."""
    plans = plans_of(case)
    if len(plans.of) != 2 or any(len(case.ground.positions.sets_of(p)) != 1 for p in (0, 1)):
        raise Unchecked("that they are perfect, in a tree")
    for number, profile in enumerate(case.claim.equilibria, start=1):
        rows = case.behaviour(profile)
        for p, player in enumerate(case.game.players):
            (h,) = case.ground.positions.sets_of(p)
            mix = rows[h]
            if mix is None or not _has_full_reason(case, p, mix):
                said = f"equilibrium {number}: what {player} plays is weakly dominated"
                yield Finding(False, ("equilibria", "concept"), said)
                return
    if case.claim.concept == "proper":
        yield Finding(None, ("concept",), "that they are proper: only that they are perfect")
    yield Finding(True, ("equilibria", "concept"), "nobody plays what is weakly dominated")


def _has_full_reason(case: Case, player: int, mix: Sequence[Number]) -> bool:
    """Whether some mixture of all plans of the other makes this one a best reply: maximise the least of its weights."""
    table, others = plans_of(case).table, range(len(plans_of(case).of[1 - player]))
    plan = {next(iter(one))[1]: k for k, one in enumerate(plans_of(case).of[player])}  # by the number of the action

    def pays(k: int, j: int) -> Number:
        return table[(k, j) if player == 0 else (j, k)][player]

    mine = [sum((Fraction(x) * pays(plan[i], j) for i, x in enumerate(mix)), Fraction(0)) for j in others]
    least = len(others)
    rows: list[dict[int, Number]] = []
    for k in plan.values():  # weights above the least, and the least, which everything has
        gains = {j: pays(k, j) - mine[j] for j in others}
        rows.append({**gains, least: sum(gains.values(), Fraction(0))})
    certain: dict[int, Number] = {**dict.fromkeys(others, 1), least: len(others)}
    program = Program(least + 1, {least: 1}, [*rows, certain], [*(0 for _ in rows), 1], frozenset([len(rows)]))
    try:
        return maximise(program).value > 0
    except Infeasible:
        return False
