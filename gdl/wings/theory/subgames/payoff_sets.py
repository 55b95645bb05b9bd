"""The payoffs of subgame-perfect equilibria, with an outcome and a strategy for each: from the last subgames back.

1. A subgame is known by the set of payoffs that some equilibrium of it has, each with a witness. An end has one.
2. Where play goes on from moves that everybody then sees, a joint move and a payoff of the subgame after it are an
   outcome if each deviation of one player leads to a subgame with a payoff that is no better for that player: which is
   then played after it. So the sets suffice, and nobody has to list what is done after each of all joint moves.
3. Where what follows is the same in every equilibrium, mixed equilibria of two players are added (`bimatrix`).

Sources: Benoit and Krishna, Finitely repeated games, Econometrica 53, 1985; Abreu, Pearce and Stacchetti, 1990.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from gdl.errors import Refusal, count_text, listing
from gdl.game import Chance, Number, Terminal, require_number
from gdl.numbers import brief, read_number
from gdl.render.strategies import align_columns
from gdl.solution import Solution, SolutionPart
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour, Row, pure_row
from gdl.solvers.equilibria.bimatrix import TooManyVertices, extreme_equilibria
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import judge, with_equilibria
from gdl.solvers.equilibria.subgame_perfect import certain_line, subgame_roots
from gdl.solvers.minimax.backward_induction import average
from gdl.states.protocol import short_repr

MOST_PAYOFFS = 2_000  # of one subgame, and combinations of those after chance
MOST_WRITTEN = 1_000_000  # positions times equilibria that are judged
MIXED, DRAWN = "mixed", "chance"

Vector = tuple[Number, ...]


class SubgamePayoff(NamedTuple):
    """A payoff that some equilibrium of a subgame has: one outcome, the number of outcomes that pay it, and the
    equilibrium: the rows of the first stage, and which payoff of the subgames after it (by its place; else the first)
    is then played for."""

    payoffs: Vector
    line: tuple[str, ...]
    outcomes: int
    rows: Mapping[int, Row]
    after: Mapping[int, int]


PayoffSets = dict[int, list[SubgamePayoff]]  # by the first position of the subgame
Cells = dict[tuple[int, ...], int]  # the subgame after each joint move of a stage


class PayoffTable(SolutionPart):
    """The payoffs of several equilibria, with an outcome for each."""

    points: tuple[SubgamePayoff, ...] = ()

    def lines(self, answer: Solution) -> list[str]:
        if len(self.points) < 2:
            return []
        rows = [["payoffs", "outcome", ""]]
        for one in self.points:
            pays = ", ".join(f"{name} {brief(pay)}" for name, pay in zip(answer.players, one.payoffs, strict=True))
            more = "" if one.outcomes == 1 else f"and {one.outcomes - 1:,} more"
            rows.append([pays, "; ".join(one.line), more])
        return [*align_columns(rows), ""]


def find_payoff_sets(
    answer: Solution, positions: PositionGraph, most: int, payoff: str | None, budget: Budget
) -> Solution | None:
    """The answer with an equilibrium for each payoff, or only for the one that is asked for. None if the stages of the
    game are not such that everybody moves once and all then see how."""
    asked = None if payoff is None else read_vector(payoff, positions.players)
    sets = payoff_sets(positions, budget)
    if sets is None:
        return None
    points = sorted(
        sets[0], key=lambda one: (-sum(map(Fraction, one.payoffs)), [-Fraction(pay) for pay in one.payoffs])
    )
    chosen = points if asked is None else [one for one in points if one.payoffs == asked]
    if not chosen:
        near = listing((_vector_text(one.payoffs) for one in points), "or", most=6)
        raise Refusal(f"no equilibrium was found that pays {short_repr(payoff)}; found are such that pay {near}")
    listed = chosen[: max(1, min(most, MOST_WRITTEN // positions.count))]
    rows = [_write_behaviour(positions, sets, one) for one in listed]
    judged = [judge(positions, behaviour) for behaviour in rows]
    assert not any(any(one.regret) for one in judged)
    solution = with_equilibria(answer, positions, rows, judged, one_value=False)
    return replace(
        solution,
        line=certain_line(positions, rows[0]),
        nodes=positions.count,
        complete=False,
        part=PayoffTable(tuple(listed)),
        notes=tuple(_notes(points, len(listed), payoff)),
    )


def _notes(points: Sequence[SubgamePayoff], listed: int, payoff: str | None) -> Iterator[str]:
    many, outcomes = count_text(len(points), "payoff"), count_text(sum(one.outcomes for one in points), "outcome")
    yield f"{many} of subgame-perfect equilibria, with {outcomes}, were found from the last stages back."
    if payoff is None:
        yield f'--payoff shows how one of these is played, as in --payoff "{_vector_text(points[0].payoffs)}".'
    if payoff is None and listed < len(points):
        yield f"Of these {listed} are listed, those of the greatest sums first; --most lists more."
    yield "Mixed play is looked for where what follows is settled; elsewhere mixtures may pay something else."


def _vector_text(payoffs: Vector) -> str:
    return f"({', '.join(map(str, payoffs))})"


def read_vector(text: str, players: Sequence[str]) -> Vector:
    """The payoffs as they were typed, one for each player. Raises Refusal."""
    try:
        found = tuple(map(read_number, text.strip().removeprefix("(").removesuffix(")").split(",")))
    except ValueError:
        found = ()
    if len(found) != len(players):
        many, example = count_text(len(players), "number"), ", ".join("7" for _ in players)
        raise Refusal(f"--payoff needs {many}, one for each player, as in ({example}); {short_repr(text)} is not that")
    return found


def payoff_sets(positions: PositionGraph, budget: Budget) -> PayoffSets | None:
    """The payoffs of each subgame; None if some stage is not such that everybody moves once, or there are too many."""
    roots = list(subgame_roots(positions))
    exits = frozenset(roots)
    sets: PayoffSets = {}
    for root in reversed(roots):
        budget.check_time()
        found: dict[Vector, SubgamePayoff] = {}
        for one in _payoffs_of_subgame(positions, root, exits, sets, budget) or ():
            held = found.get(one.payoffs, one._replace(outcomes=0))
            found[one.payoffs] = held._replace(outcomes=held.outcomes + one.outcomes)
            if len(found) > MOST_PAYOFFS:
                return None
        if not found:
            return None
        sets[root] = list(found.values())
    return sets


def _payoffs_of_subgame(
    positions: PositionGraph, root: int, exits: Collection[int], sets: PayoffSets, budget: Budget
) -> Iterator[SubgamePayoff] | None:
    """The payoffs of the subgame at the root, some of them several times; None if its stage is of another kind."""
    node, after = positions.nodes[root], positions.successors[root]
    if isinstance(node, Terminal):
        return iter([SubgamePayoff(tuple(map(require_number, node.utilities)), (), 1, {}, {})])
    if isinstance(node, Chance):
        return _chance_payoffs(node, after, sets) if all(root in exits for root in after) else None
    found = _joint_moves(positions, root, exits)
    return None if found is None else _stage_payoffs(positions, *found, sets, budget)


def _chance_payoffs(node: Chance, after: Sequence[int], sets: PayoffSets) -> Iterator[SubgamePayoff]:
    """The means of all combinations of payoffs, if they are not too many."""
    ways = list(dict.fromkeys(after))
    if prod(len(sets[root]) for root in ways) > MOST_PAYOFFS:
        return
    for joint in product(*(range(len(sets[root])) for root in ways)):
        chosen = dict(zip(ways, joint, strict=True))
        shares = [share for _, share in node.outcomes]
        mean = average(shares, [sets[root][chosen[root]].payoffs for root in after])
        yield SubgamePayoff(mean, (DRAWN,), 1, {}, chosen)


def _joint_moves(positions: PositionGraph, root: int, exits: Collection[int]) -> tuple[list[int], Cells] | None:
    """The information sets of a stage, one of each player who moves, and what follows each joint move; None if somebody
    moves twice, or only after some moves, or chance does."""
    movers: list[int] = []
    cells: Cells = {}
    waiting: list[tuple[int, tuple[int, ...]]] = [(root, ())]
    while waiting:
        position, joint = waiting.pop()
        if position != root and position in exits:
            cells[joint] = position
            continue
        h, depth = positions.sets[position], len(joint)
        if h is None or (depth < len(movers) and movers[depth] != h) or h in movers[:depth]:
            return None
        if depth == len(movers):
            movers.append(h)
        waiting += [(s, (*joint, k)) for k, s in enumerate(positions.successors[position])]
    owners = [positions.owners[h] for h in movers]
    whole = len(set(owners)) == len(owners) and all(len(joint) == len(movers) for joint in cells)
    return (movers, cells) if whole else None


def _stage_payoffs(
    positions: PositionGraph, movers: Sequence[int], cells: Cells, sets: PayoffSets, budget: Budget
) -> Iterator[SubgamePayoff]:
    """The payoffs of a stage at which everybody moves once."""
    owners = [positions.owners[h] for h in movers]
    widths = [positions.widths[h] for h in movers]
    for joint in product(*map(range, widths)):
        budget.check_time()
        others = [
            (owners[i], cells[*joint[:i], k, *joint[i + 1 :]])
            for i, width in enumerate(widths) for k in range(width) if k != joint[i]
        ]  # fmt: skip
        rows = {h: pure_row(width, k) for h, width, k in zip(movers, widths, joint, strict=True)}
        name = " ".join(positions.information_sets[h].actions[k] for h, k in zip(movers, joint, strict=True))
        for place, one in enumerate(sets[cells[joint]]):
            after = _punish_deviations(others, {cells[joint]: place}, one.payoffs, sets)
            if after is not None:
                yield SubgamePayoff(one.payoffs, (name, *one.line), one.outcomes, rows, after)
    if len(movers) == 2 and all(len(sets[root]) == 1 for root in cells.values()):
        yield from _mixed_payoffs(
            movers, owners, widths, {joint: sets[root][0].payoffs for joint, root in cells.items()}, budget
        )


def _punish_deviations(
    others: Sequence[tuple[int, int]], after: dict[int, int], payoffs: Vector, sets: PayoffSets
) -> dict[int, int] | None:
    """Settle what is played for after each deviation of one player, so that nobody gains by it, besides `after`, which
    is settled; None if somebody does. `others` are the players with the subgames to which they can deviate."""
    deviators: dict[int, list[int]] = {}
    for player, root in others:
        deviators.setdefault(root, []).append(player)
    for root, players in deviators.items():
        if root in after:
            continue
        fit = (k for k, one in enumerate(sets[root]) if all(one.payoffs[p] <= payoffs[p] for p in players))
        if (place := next(fit, None)) is None:
            return None
        after[root] = place
    return after


def _mixed_payoffs(
    movers: Sequence[int], owners: Sequence[int], widths: Sequence[int], paid: Mapping[Any, Vector], budget: Budget
) -> Iterator[SubgamePayoff]:
    """The mixed equilibria of a stage of two players after which everything is settled."""
    one, other = ([[paid[i, j][p] for j in range(widths[1])] for i in range(widths[0])] for p in owners)
    with suppress(TooManyVertices):
        for x, y in extreme_equilibria(one, other, budget).equilibria:
            if 1 in x and 1 in y:
                continue
            mean = average([p * q for p, q in product(x, y)], [paid[cell] for cell in product(*map(range, widths))])
            yield SubgamePayoff(mean, (MIXED,), 1, {movers[0]: tuple(x), movers[1]: tuple(y)}, {})


def _write_behaviour(positions: PositionGraph, sets: PayoffSets, chosen: SubgamePayoff) -> Behaviour:
    """The equilibrium behind a payoff of the whole game: in each subgame that which is played for, the first where it
    does not matter."""
    rows: list[Row | None] = [None] * len(positions.information_sets)
    places = {0: sets[0].index(chosen)}
    for root in sorted(sets):  # each comes after those that lead to it
        one = sets[root][places.get(root, 0)]
        places |= one.after
        for h, row in one.rows.items():
            rows[h] = row
    return tuple(rows)
