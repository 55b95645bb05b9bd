"""MINIMAX, EXPECTIMINIMAX and MAX^n: three names of one recursion.

The value of a state is a vector, one utility per player:

1. At an end, UTILITY(s, p) for every player p.
2. Where a player moves, the vector of the first action that is best for that player. With two players and utilities
   of constant sum this is MINIMAX: what is best for MIN is least for MAX.
3. At a chance node, the average of the vectors of the outcomes, weighted by their probabilities (EXPECTIMINIMAX).

4. With a depth, search is cut off after so many plies, and EVAL(s), the file's evaluation, stands there for what lies
   below (H-MINIMAX). The value is an estimate then, unless every play ended before.

States that are equal are visited once. The recursion runs on a stack of its own, so depth is no concern. Beyond
WARM_UP_STATES states the same is done on the compiled engine, where the game has it and its numbers fit in 64 bits.

Sources: Zermelo 1913; von Neumann and Morgenstern 1944; Russell and Norvig, Artificial Intelligence, sections 5.2, 5.4
and 5.5; Shannon, Programming a computer for playing chess, 1950 (EVAL); Michie, Game-playing and game-learning
automata, 1966 (chance); Luckhardt and Irani, An algorithmic solution of N-person games, AAAI 1986 (MAX^n).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from gdl.errors import GameError, LimitReached, with_play
from gdl.game import Action, Chance, Decision, Game, Node, Number, Terminal, actions, exact, require_number
from gdl.solution import Path, Profile, RecordedSearch, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.certificate import (
    MANY_CHOICES,
    MANY_POSITIONS,
    MOST_WALKED,
    UNLISTED,
    Choice,
    everyone_chooses,
    strategies,
)
from gdl.solvers.engine_stages import run_stages, unless_long
from gdl.solvers.horizon import Horizon, NoEvaluation, check_depth, cut_off_at
from gdl.solvers.minimax.vectors import (
    InductionValues,
    Vector,
    best_actions,
    on_engine,
)
from gdl.solvers.needs import OPPOSED, TREE_LIKE, Watch
from gdl.solvers.solver import Solver
from gdl.states.explore import Recursion, run_recursion

WARM_UP_STATES = 8_000  # states visited before the compiled engine is asked, which takes as long to start
BEGUN = 300  # nodes that a search to a depth visits before the compiled engine is asked
MOST_PATHS = 100_000  # paths listed when the values of all nodes are asked for


def backward_induction(
    game: Game[Any],
    *,
    start: Any = None,
    watch: Watch | None = None,
    budget: Budget | None = None,
    values: InductionValues | None = None,
) -> InductionValues:
    """The value vectors of all states that can be reached from `start` (or from the beginning of the game).

    Values of earlier runs on the same game may be passed in and are used and added to. Refuses simultaneous moves,
    a state that comes again and whatever else `watch` does not accept.
    """
    watch = watch or Watch("backward induction", {"simultaneous": False, "cyclic": False}, game)
    budget = budget or Budget()
    found = InductionValues() if values is None else values
    root = game.initial() if start is None else start
    if root in found.of:
        return found
    on_path: set[Hashable] = set()
    play: list[Action] = []  # to the state that is looked at

    def solve(state: Any) -> Recursion[Vector]:
        budget.visit()
        node = game.node(state)
        children = [(action, game.successor(state, action)) for action in actions(node)]
        watch.check_node(state, node)
        on_path.add(state)
        vectors: list[Vector] = []
        for action, child in children:
            play.append(action)
            # By state, not by path: a position that is reached in two ways is solved once.
            vector = found.of.get(child)
            if vector is None and child in on_path:
                raise watch.unmet_need("cyclic")
            vectors.append((yield solve(child)) if vector is None else vector)
            play.pop()
        on_path.remove(state)
        found.of[state] = vector = _value(game, state, node, vectors, found)
        return vector

    try:
        run_recursion(solve(root))
    except NoEvaluation as fault:
        raise fault.with_play(tuple(play)) from None
    except GameError as fault:
        raise with_play(fault, tuple(play)) from None
    return found


def _value(game: Game[Any], state: Any, node: Node, vectors: Sequence[Vector], found: InductionValues) -> Vector:
    """The vector of a state whose children have these vectors."""
    if isinstance(node, Terminal):
        found.leaves += 1
        found.cut_off += isinstance(game, Horizon) and game.is_cut_off(state)
        return tuple(require_number(utility) for utility in node.utilities)
    if isinstance(node, Chance):
        return average([probability for _, probability in node.outcomes], vectors)
    assert isinstance(node, Decision)
    best, first = vectors[0], 0
    for place, vector in enumerate(vectors):
        # Only strictly better: among equals the first in file order decides, on every engine.
        if vector[node.player] > best[node.player]:
            best, first = vector, place
    found.first[state] = first
    # A tie matters only where the others get something else by it.
    found.tie = found.tie or any(v[node.player] == best[node.player] and v != best for v in vectors)
    return best


def average(weights: Sequence[Number], vectors: Sequence[Vector]) -> Vector:
    """The weighted average of vectors, exactly."""
    total = [Fraction(0)] * len(vectors[0])
    for weight, vector in zip(weights, vectors, strict=True):
        total = [t + weight * v for t, v in zip(total, vector, strict=True)]
    return tuple(exact(t) for t in total)


def principal_variation(game: Game[Any], choose: Choice, most: float = inf) -> tuple[Action, ...]:
    """The actions when everyone follows `choose`, until play ends, chance moves, or `most` plies are made."""
    line: list[Action] = []
    state = game.initial()
    while len(line) < most and isinstance(node := game.node(state), Decision):
        line.append(choose(state, node))
        state = game.successor(state, line[-1])
    return tuple(line)


def _by_path(game: Game[Any], values: Mapping[Any, Vector]) -> dict[Path, Vector]:
    """The values of the nodes of the unfolded tree by their paths, breadth first, for the first MOST_PATHS at most."""
    queue: list[tuple[Path, Any]] = [((), game.initial())]
    for path, state in queue:  # grows while it is walked
        for position, action in enumerate(actions(game.node(state))):
            if len(queue) >= MOST_PATHS:
                return {p: values[s] for p, s in queue}
            queue.append(((*path, position), game.successor(state, action)))
    return {path: values[state] for path, state in queue}


def _solve(row: Solver, game: Game[Any], budget: Budget, show_values: bool, depth: int | None) -> Solution:
    """The answer under one of the three names, of a search to the end or to a depth.

    Its certificate is a strategy for every player where utilities sum to a constant: they prove the value from both
    sides. Otherwise it is what everyone does everywhere, a subgame-perfect equilibrium.
    """
    if depth is not None:
        return _cut_off(row, game, depth, budget, show_values)
    answer = row.answer(game, exact=False)
    found = _compute_values(row, game, answer, budget)
    choose = found.choice(game)
    answer = replace(
        answer,
        exact=True,
        value=found.of[game.initial()],
        best=best_actions(game, game.initial(), found.of),
        line=principal_variation(game, choose),
        nodes=found.nodes,
        leaves=found.leaves,
    )
    with answering(lambda: answer):
        answer = answer.with_part(RecordedSearch, values=_by_path(game, found.of)) if show_values else answer
    with answering(lambda: replace(answer, notes=_notes(found, answer.values, UNLISTED))):
        profile, unlisted = _profile(row, game, found, budget)
    answer = replace(answer, notes=_notes(found, answer.values, unlisted))
    if row is MAXN:
        return replace(answer, equilibria=() if profile is None else (profile,))
    return replace(answer, strategy=profile)


def _profile(row: Solver, game: Game[Any], found: InductionValues, budget: Budget) -> tuple[Profile | None, str]:
    """The strategies by the values found, and "" or the note why there are none: they are too many, or there is no time
    left for them."""
    choose, inner = found.choice(game), found.nodes - found.leaves
    if row is MAXN and inner > MOST_WALKED:
        return None, MANY_CHOICES if game.traits.chance is False else MANY_POSITIONS
    try:
        if row is MAXN:
            profile = everyone_chooses(game, choose, budget.check_time)
        else:
            profile = strategies(game, (choose,) * len(game.players), budget.check_time)
    except LimitReached:
        return None, UNLISTED
    return profile, MANY_CHOICES if profile is None else ""


def _cut_off(row: Solver, game: Game[Any], depth: int, budget: Budget, show_values: bool) -> Solution:
    """H-MINIMAX: the answer of a search that is cut off at a depth in plies."""
    check_depth(depth)
    horizon = Horizon(game, depth)
    answer = row.answer(game, exact=False)
    found = _compute_values(row, game, answer, budget, horizon)
    answer = horizon_answer(answer, horizon, found)
    return replace(answer, part=RecordedSearch(values=_by_path(horizon, found.of) if show_values else {}))


def horizon_answer(answer: Solution, horizon: Horizon, found: InductionValues) -> Solution:
    """The answer of a search to the horizon that found these values."""
    start = horizon.initial()
    return replace(
        answer,
        exact=not found.cut_off,
        value=found.of[start],
        best=best_actions(horizon, start, found.of),
        line=principal_variation(horizon, found.choice(horizon), horizon.depth),
        nodes=found.nodes,
        leaves=found.leaves,
        limit=cut_off_at(horizon.depth, found.cut_off) if found.cut_off else None,
    )


def _compute_values(
    row: Solver, game: Game[Any], answer: Solution, budget: Budget, horizon: Horizon | None = None
) -> InductionValues:
    """The values of all states, or of those down to the horizon: a small search is done by this file, a larger one by
    the compiled engine, if it can."""
    searched, needs = (game, row.needs) if horizon is None else (horizon, {**row.needs, "cyclic": False})
    small = BEGUN if horizon is not None else WARM_UP_STATES
    depth = None if horizon is None else horizon.depth
    long = budget.allows_more_than(small) and (horizon is not None or game.engine.offers(row.name))

    def find(budget: Budget, values: InductionValues) -> InductionValues:
        return backward_induction(searched, watch=Watch(row.name, needs, searched), budget=budget, values=values)

    def search_small() -> InductionValues:
        with answering(lambda: answer):
            return find(budget.part(small, 1.0), InductionValues())

    def search_whole() -> InductionValues:
        found = InductionValues()
        with answering(lambda: replace(answer, nodes=budget.spent, leaves=found.leaves)):
            return find(budget, found)

    return run_stages(
        game,
        lambda: unless_long(search_small) if long else None,
        lambda: on_engine(row, game, answer, budget, long, depth),
        whole=search_whole,
    )


def _notes(found: InductionValues, by_path: Mapping[Path, Vector], unlisted: str) -> tuple[str, ...]:
    notes = []
    if found.tie:
        notes.append(
            "somewhere a player is indifferent between actions that are not the same to the others; the first action "
            "in file order decides, and another choice there can give other values"
        )
    if len(by_path) == MOST_PATHS:
        notes.append(f"values are listed for the first {MOST_PATHS:,} nodes, level by level")
    if unlisted:
        notes.append(unlisted)
    return tuple(notes)


def minimax(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, depth: int | None = None, values: bool = False
) -> Solution:
    """MINIMAX: the value of a zero-sum game of perfect information without chance, and every optimal action."""
    return _solve(MINIMAX, game, limits.budget(), values, depth)


def expectiminimax(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, depth: int | None = None, values: bool = False
) -> Solution:
    """EXPECTIMINIMAX: MINIMAX with chance nodes, which are worth the average of their outcomes."""
    return _solve(EXPECTIMINIMAX, game, limits.budget(), values, depth)


def maxn(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, depth: int | None = None, values: bool = False
) -> Solution:
    """MAX^n: any number of players, each of whom maximises their own utility; a subgame-perfect equilibrium."""
    return _solve(MAXN, game, limits.budget(), values, depth)


MINIMAX = Solver(
    name="minimax",
    run=minimax,
    needs={**OPPOSED, "chance": False, **TREE_LIKE},
    summary="the value and all optimal actions of a zero-sum game without chance, by backward induction",
    extent="whole",
    steps="values",
)
EXPECTIMINIMAX = Solver(
    name="expectiminimax",
    run=expectiminimax,
    needs={**OPPOSED, **TREE_LIKE},
    summary="minimax with chance nodes, worth the average of their outcomes",
    extent="whole",
    steps="values",
)
MAXN = Solver(
    name="maxn",
    run=maxn,
    needs=TREE_LIKE,
    summary="backward induction for any number of players, each maximising their own utility",
    extent="whole",
    steps="values",
)
