"""Subgame-perfect equilibria: profiles that are equilibria in every subgame.

A subgame begins at a position that its mover can tell from all others, and below which no information set reaches
outside, not even to another stage from which, because somebody forgets, the same set is reached. From the last
subgames to the first:

1. A subgame's stage is what lies between its root and the roots of the next subgames, which count as ends that pay
   what was found for them. With perfect information every stage is a single move: backward induction.
2. A stage of one decision has the mover's best actions as its equilibria, another stage those that `nash` finds:
   the pure ones of three players and more, and mixed ones in fractions where none is pure.
3. Where a stage has several equilibria, each is followed up. If that gives more than `most` profiles, only the first
   equilibrium of every stage is, and the answer says so.

Sources: Selten 1965, 1975; Kuhn 1953; Osborne and Rubinstein, A Course in Game Theory, sections 6.2 and 11.1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from gdl.errors import InternalError, LimitReached, Refusal
from gdl.game import Decision, Game, Number, Terminal, require_number
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import MOST_CHOICES, UNTIED
from gdl.solvers.equilibria.behaviour import Behaviour, Row, pure_row
from gdl.solvers.equilibria.nash import equilibria
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import between_ends, expectation, judge, with_equilibria
from gdl.solvers.equilibria.sequences import sequences
from gdl.solvers.solver import Solver
from gdl.states.components import reached_from
from gdl.wings import call_hook

Vector = tuple[Number, ...]

MAX_EQUILIBRIA = 64  # combinations of stage equilibria that are followed up, by default
TANGLED = 20_000  # positions among which subgames are looked for where something is hidden


def subgame_perfect(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = MAX_EQUILIBRIA, payoff: str | None = None
) -> Solution:
    """The subgame-perfect equilibria that combine equilibria of all stages; if they are more than `most`, one for each
    payoff, or only one. With `payoff` one that pays this."""
    positions, budget = explore_within(game, limits)
    with answering(lambda: between_ends(SUBGAME_PERFECT.answer(game), positions)):
        found = solve_subgames(positions, most, budget, forgets=game.traits.perfect_recall is not True)
        if payoff is not None or (found.cut and not game.traits.has_scalar_value):
            by_payoffs = call_hook("payoffs of subgames", SUBGAME_PERFECT.answer(game), positions, most, payoff, budget)
            if payoff is not None and not by_payoffs:
                raise Refusal(f"--payoff needs stages at which everybody moves once; those of {game.name} are others")
            if by_payoffs:
                return by_payoffs  # type: ignore[no-any-return]
    judgements = [judge(positions, tuple(world.rows)) for world in found.worlds]
    if any(any(judgement.regret) for judgement in judgements):
        raise InternalError("subgame-perfect finds strategies that can be improved upon")
    one_value = game.traits.has_scalar_value or (not found.cut and found.complete is not None)
    told = len(positions.information_sets) <= MOST_CHOICES
    rows = [tuple(world.rows) for world in found.worlds]
    answer = with_equilibria(SUBGAME_PERFECT.answer(game), positions, rows, judgements, one_value)
    return replace(
        answer if told else replace(answer, equilibria=(), payoffs=()),
        best=_root_actions(positions, found.worlds),
        line=certain_line(positions, found.worlds[0].rows),
        nodes=len(positions.nodes),
        complete=found.complete,
        notes=tuple(_notes(found, most, told)),
    )


Belief = Mapping[int, Number]  # position -> probability


@dataclass
class World:
    """One equilibrium of all subgames solved so far: the value of each root to the players, a row for each information
    set and, where they are wanted, the beliefs there."""

    values: list[Vector]
    rows: list[Row | None]
    beliefs: dict[int, Belief] = field(default_factory=dict)


@dataclass
class SubgameResult:
    """The worlds, and how they were found. `ties`: some stage had several equilibria; `idle`: the mover of some stage
    of one decision is indifferent; `cut`: all but the first equilibrium of each stage were dropped; `sure`: every
    stage's equilibria are known to be all."""

    worlds: list[World] = field(default_factory=list)
    ties: bool = False
    idle: bool = False
    cut: bool = False
    sure: bool = True
    forgets: bool = False  # whether players of the game may forget: then it is looked whether they do in a stage

    @property
    def complete(self) -> bool | None:
        """False if some equilibria are not listed, such as mixtures of several equilibria of one stage; None if
        unknown."""
        return False if self.ties or self.cut else True if self.sure else None


class StageEquilibrium(NamedTuple):
    """An equilibrium of a stage: its value to the players, and its rows and beliefs by information set."""

    value: Vector
    rows: Mapping[int, Row]
    beliefs: Mapping[int, Belief] = {}


class StageSolution(NamedTuple):
    """The equilibria of a stage, and the beliefs of each if there are any. `complete`: True if they are all (None: not
    known); `otherwise`: a remark for the case that there is none; `kind`: the name of such an equilibrium."""

    behaviours: Sequence[Behaviour]
    complete: bool | None
    otherwise: str
    beliefs: Sequence[Sequence[Belief]] = ()
    kind: str = "pure equilibrium"


StageSolver = Callable[[PositionGraph, Budget], StageSolution]


def by_nash(stage: PositionGraph, budget: Budget) -> StageSolution:
    """The Nash equilibria of a stage; with more than two players mixed ones in fractions, if no pure one is found."""
    solved = equilibria(stage, budget=budget)
    if not solved.behaviours and len(stage.players) > 2:
        mixed = equilibria(stage, budget=budget, several=True)
        found = [behaviour for behaviour in mixed.behaviours if behaviour not in mixed.close]
        return StageSolution(found, None, "nor a mixed one in fractions")
    return StageSolution(solved.behaviours, solved.complete, "nor a mixed one")


def solve_subgames(
    positions: PositionGraph,
    most: int = MAX_EQUILIBRIA,
    budget: Budget | None = None,
    solver: StageSolver = by_nash,
    forgets: bool = False,
) -> SubgameResult:
    """Every combination of the stages' equilibria if there are at most `most`, else the one of first equilibria
    alone."""
    budget = budget or Budget()
    roots = list(subgame_roots(positions))
    exits = frozenset(roots)
    nothing: list[Row | None] = [None] * len(positions.information_sets)
    found = SubgameResult([World([()] * len(positions.nodes), nothing)], forgets=forgets)
    for root in reversed(roots):
        after: list[World] = []
        for world in found.worlds:
            budget.check_time()
            outcomes = list(_outcomes(positions, root, exits, world.values, found, solver, budget))
            found.ties = found.ties or len(outcomes) > 1
            after += _follow(world, root, outcomes[:1] if found.cut else outcomes)
            if len(after) > most:
                found.cut = True
                del after[1:]  # the world of first equilibria
                break
        found.worlds = after
    return found


def _follow(world: World, root: int, outcomes: Sequence[StageEquilibrium]) -> list[World]:
    """A world for each of the outcomes at the root, the given world becoming the first."""
    heirs = [world, *(World(list(world.values), list(world.rows), dict(world.beliefs)) for _ in outcomes[1:])]
    for heir, outcome in zip(heirs, outcomes, strict=True):
        heir.values[root] = outcome.value
        for h, row in outcome.rows.items():
            heir.rows[h] = row
        heir.beliefs.update(outcome.beliefs)
    return heirs


def _outcomes(
    positions: PositionGraph,
    root: int,
    exits: Collection[int],
    values: Sequence[Vector],
    found: SubgameResult,
    solver: StageSolver,
    budget: Budget,
) -> Iterator[StageEquilibrium]:
    """The equilibria of the stage at the root."""
    node, after = positions.nodes[root], positions.successors[root]
    if isinstance(node, Terminal):
        yield StageEquilibrium(tuple(require_number(utility) for utility in node.utilities), {})
    elif isinstance(node, Decision) and all(successor in exits for successor in after):
        h = positions.sets[root]
        assert h is not None
        most = max(values[successor][node.player] for successor in after)
        found.idle = found.idle or sum(values[successor][node.player] == most for successor in after) > 1
        for k, successor in enumerate(after):
            if values[successor][node.player] == most:
                yield StageEquilibrium(values[successor], {h: pure_row(len(after), k)}, {h: {root: 1}})
    else:
        stage, order, sets = _stage(positions, root, exits, values)
        if found.forgets:
            sequences(stage)  # refuses a stage in which somebody forgets
        solved = solver(stage, budget)
        found.sure = found.sure and solved.complete is True
        found.ties = found.ties or solved.complete is False
        if not solved.behaviours:
            raise Refusal(f"no {solved.kind} in the stage at {_place(positions, root)}, {solved.otherwise}")
        for behaviour, beliefs in zip_longest(solved.behaviours, solved.beliefs, fillvalue=()):
            rows = {h: row for h, row in zip(sets, behaviour, strict=True) if row is not None}
            held = {h: {order[m]: share for m, share in one.items()} for h, one in zip(sets, beliefs, strict=False)}
            yield StageEquilibrium(expectation(stage, behaviour), rows, held)


def _place(positions: PositionGraph, position: int) -> str:
    h = positions.sets[position]
    return "chance" if h is None else positions.information_sets[h].name


def _stage(
    positions: PositionGraph, root: int, exits: Collection[int], values: Sequence[Vector]
) -> tuple[PositionGraph, list[int], list[int]]:
    """The part of the game from the root to the next subgames as a game of its own, and the numbers that its positions
    and its information sets have in the whole game."""
    order = sorted(_stage_positions(positions, root, exits))
    number = {position: i for i, position in enumerate(order)}
    ends = [position != root and position in exits for position in order]
    members: dict[int, list[int]] = {}
    for i, position in enumerate(order):
        h = positions.sets[position]
        if h is not None and not ends[i]:
            members.setdefault(h, []).append(i)
    index: dict[int | None, int | None] = {None: None, **{h: i for i, h in enumerate(members)}}
    rows = list(zip(order, ends, strict=True))
    stage = PositionGraph(
        game=positions.game,
        players=positions.players,
        nodes=tuple(Terminal(values[p]) if end else positions.nodes[p] for p, end in rows),
        successors=tuple(() if end else tuple(number[s] for s in positions.successors[p]) for p, end in rows),
        sets=tuple(None if end else index[positions.sets[p]] for p, end in rows),
        information_sets=tuple(
            positions.information_sets[h].with_members(tuple(group)) for h, group in members.items()
        ),
    )
    return stage, order, list(members)


def subgame_roots(positions: PositionGraph) -> Iterator[int]:
    """The positions at which subgames begin, in playing order. Sets of positions are bits of whole numbers."""
    count = len(positions.nodes)
    if positions.open_to_all():
        yield from range(count)
        return
    if count > TANGLED:
        raise LimitReached(f"{positions.game} has {count} positions; subgames are looked for among {TANGLED} at most")
    sets = [sum(1 << member for member in found.members) for found in positions.information_sets]
    below = [0] * count  # the position and all that follow
    known_as = [0] * count  # all positions of the information sets among these
    for position in reversed(range(count)):
        h = positions.sets[position]
        below[position] = 1 << position
        known_as[position] = 0 if h is None else sets[h]
        for successor in positions.successors[position]:
            below[position] |= below[successor]
            known_as[position] |= known_as[successor]
    roots = {position for position in range(count) if not known_as[position] & ~below[position]}
    while shared := _sharing(positions, roots):
        roots -= shared
    yield from sorted(roots)


def _sharing(positions: PositionGraph, roots: Collection[int]) -> set[int]:
    """The roots of subgames whose stages share an information set: where players forget, one set can be reached from
    several, and what is done there is part of none of them alone. The first position always is a root."""
    stages: dict[int, set[int]] = {}  # by information set: the roots from whose stages it is
    for root in roots:
        inside = _stage_positions(positions, root, roots)
        for position in inside:
            h = positions.sets[position]
            if h is not None and (position == root or position not in roots):
                stages.setdefault(h, set()).add(root)
    return {root for sharing in stages.values() if len(sharing) > 1 for root in sharing} - {0}


def _stage_positions(positions: PositionGraph, root: int, exits: Collection[int]) -> set[int]:
    """The positions from a root to the next roots, these included."""
    after = positions.successors
    return reached_from([root], lambda position: () if position != root and position in exits else after[position])


def _root_actions(positions: PositionGraph, worlds: Sequence[World]) -> tuple[str, ...]:
    """The first mover's best actions in some equilibrium found, that of the first equilibrium first; () where the game
    does not begin with one decision whose successors all begin subgames."""
    node, after = positions.nodes[0], positions.successors[0]
    if not isinstance(node, Decision) or any(not world.values[s] for world in worlds for s in after):
        return ()
    mover = node.player
    best = [
        action
        for action, s in zip(node.actions, after, strict=True)
        if any(world.values[s][mover] == world.values[0][mover] for world in worlds)
    ]
    return tuple(sorted(best, key=lambda action: action not in certain_line(positions, worlds[0].rows)[:1]))


def certain_line(positions: PositionGraph, rows: Sequence[Row | None]) -> tuple[str, ...]:
    """Play from the start by an equilibrium, as long as actions are certain."""
    line: list[str] = []
    position = 0
    while (h := positions.sets[position]) is not None:
        row = rows[h]
        after = positions.successors[position][row.index(1)] if row and 1 in row else position
        if row is None or after == position:
            break
        line.append(positions.information_sets[h].actions[row.index(1)])
        position = after
    return tuple(line)


def _notes(found: SubgameResult, most: int, told: bool) -> Iterator[str]:
    if found.cut:
        yield f"There are more than {most} subgame-perfect equilibria: this is the one that takes the first of ties."
        yield UNTIED
    elif found.ties:
        yield (
            "Some stage has several equilibria: each is followed up, "
            "and where a player is indifferent there are mixed ones besides."
        )
    if not told:
        yield f"No strategies are listed: they have more than {MOST_CHOICES:,} choices."


SUBGAME_PERFECT = Solver(
    name="subgame-perfect",
    run=subgame_perfect,
    needs={"cyclic": False},
    summary="subgame-perfect equilibria, by backward induction over subgames, for any number of players",
    doubt="fails",
)
