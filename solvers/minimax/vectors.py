"""Value vectors of positions, one utility per player, and what is best by them: as backward induction collects them, or
as its kernel on the compiled engine has found them (gdl/compiler/kernels/vectors.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gdl.compiler.search_kinds import VECTORS
from gdl.game import Action, Decision, Game, Number
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.certificate import Choice
from gdl.solvers.engine_stages import compiled_search, memory_limit, run_compiled_search
from gdl.solvers.solver import Solver

if TYPE_CHECKING:
    from gdl.compiler.searches.vectors_driver import Vectors

Vector = tuple[Number, ...]


@dataclass
class InductionValues:
    """The values of backward induction: `of`, the vector of every state that can be reached; `leaves`, the number of
    ends among them, of which `cut_off` are estimates; `tie`, True if some mover was indifferent between actions that
    are not the same to everyone; `first`, for every decision that was visited the place of the first best action;
    `visited`, the number of states where they are not all in `of`. States of a search to a depth have their plies
    left."""

    of: dict[Any, Vector] = field(default_factory=dict)
    leaves: int = 0
    tie: bool = False
    first: dict[Any, int] = field(default_factory=dict)
    cut_off: int = 0
    visited: int | None = None

    @property
    def nodes(self) -> int:
        """The number of states that were visited."""
        return len(self.of) if self.visited is None else self.visited

    def choice(self, game: Game[Any]) -> Choice:
        """The strategy that takes the first best action everywhere."""
        otherwise = first_best(game, self.of)

        def choose(state: Any, node: Decision) -> Action:
            place = self.first.get(state)
            return otherwise(state, node) if place is None else node.actions[place]

        return choose


class Lookup(dict[Any, Vector]):
    """A table of vectors that asks for each on first use."""

    def __init__(self, ask: Callable[[Any], Vector]):
        super().__init__()
        self._ask = ask

    def __missing__(self, state: Any) -> Vector:
        self[state] = found = self._ask(state)
        return found


class _OnEngine(InductionValues):
    """Values of backward induction, looked up in the compiled kernel."""

    def __init__(self, search: Vectors):
        super().__init__(Lookup(search.value), search.leaves, search.tie, visited=search.nodes)
        self.search = search

    def choice(self, game: Game[Any]) -> Choice:
        return lambda state, node: node.actions[self.search.choice(state)]


def on_engine(
    row: Solver, game: Game[Any], answer: Solution, budget: Budget, pays: bool, depth: int | None
) -> InductionValues | None:
    """Backward induction on the compiled engine, with the order, the nodes and the values of the version in Python; cut
    off at the depth, if there is one. None where the game has no such kernel, the kernel does not suit it, or, with a
    depth, where it is not known beforehand that the game meets the solver's needs. LimitReached carries `answer` with
    the nodes so far."""
    traits = game.traits
    one_sum = "zero_sum" in row.needs and len(game.players) > 1 and traits.constant_sum is None
    chance = row.needs.get("chance") is not False
    if traits.perfect_information is not True:
        return None
    if depth is None:
        search = compiled_search(
            game, replace(VECTORS, name=row.name), pays, nodes=budget.nodes,
            to_ends=True, one_sum=one_sum, chance=chance, memory=memory_limit(game),
        )  # fmt: skip
    elif one_sum or (not chance and traits.chance is None):
        return None
    else:
        search = compiled_search(game, VECTORS, True, nodes=budget.nodes)
    if search is None:
        return None
    return run_compiled_search(
        game, search, search.search() if depth is None else search.search(depth), budget,
        lambda: _OnEngine(search) if depth is None else values_above(search),
        lambda: replace(answer, nodes=search.nodes, leaves=search.leaves if depth is None else answer.leaves),
    )  # fmt: skip


def values_above(search: Vectors) -> InductionValues:
    """The values that a search to a depth has found on the compiled engine."""
    values = Lookup(lambda ply: search.value(ply.state, ply.left))
    return InductionValues(values, search.leaves, cut_off=search.cut_off, visited=search.visited_count)


def best_actions(game: Game[Any], state: Any, values: Mapping[Any, Vector]) -> tuple[Action, ...]:
    """All actions of the state that are best for its mover, in file order; () where nobody moves."""
    node = game.node(state)
    if not isinstance(node, Decision):
        return ()
    worth = {action: values[game.successor(state, action)][node.player] for action in node.actions}
    most = max(worth.values())
    return tuple(action for action in node.actions if worth[action] == most)


def with_ties(answer: Solution, game: Game[Any], found: InductionValues) -> Solution:
    """The answer of a search that may have found only one of the best actions, completed with all others; its own come
    first."""
    best = [action for action in best_actions(game, game.initial(), found.of) if action not in answer.best]
    return replace(answer, best=(*answer.best, *best))


def first_best(game: Game[Any], values: Mapping[Any, Vector]) -> Choice:
    """The strategy that takes the first best action everywhere."""

    def choose(state: Any, node: Decision) -> Action:
        return max(node.actions, key=lambda action: values[game.successor(state, action)][node.player])

    return choose
