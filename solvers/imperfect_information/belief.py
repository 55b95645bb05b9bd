"""Belief-state averaging: the action that does best on average over the worlds that may be the case.

At an information set the mover weighs the states s that it cannot tell apart and takes

    argmax over a of   sum over s of   P(s) * MINIMAX(RESULT(s, a))

1. MINIMAX(s) is backward induction with everything visible to everyone from there on.
2. P(s) comes from chance by Bayes' rule; the mover's own moves are known, and earlier moves of the other player count
   as uniformly random.
3. The player who moves first takes such an action at every information set: the averaging policy.
4. Step 1 lets every world be played with open cards (averaging over clairvoyance), so the average may promise more
   than any strategy can keep. What the policy secures is therefore computed exactly, against the other's best
   response, and compared with what the best strategy secures.

Sources: Russell and Norvig, Artificial Intelligence, section 5.6 (partially observable games, the two roads); Frank
and Basin, Search in games with incomplete information, Artificial Intelligence 100, 1998 (strategy fusion).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from gdl.errors import Refusal
from gdl.game import Chance, Decision, Game, Number, Terminal, exact, require_number
from gdl.numbers import brief
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits
from gdl.solvers.equilibria.behaviour import Behaviour, Row, only_players, pure_row, uniform_row, write_profile
from gdl.solvers.equilibria.position_paths import opening_positions, spread_weights
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import best_response, expectation
from gdl.solvers.equilibria.sequence_form import optimal_behaviour
from gdl.solvers.minimax.windows import constant_sum_vector
from gdl.solvers.solver import Solver

Values = Sequence[tuple[Number, ...]]  # utilities per position
MAX_LISTED_AVERAGES = 12  # information sets whose averages are told


def belief(game: Game[Any], limits: SearchLimits = NO_LIMITS) -> Solution:
    """The averaging policy of the player who moves first. `value` is what it promises; `exact` says whether it keeps
    that and no strategy secures more."""
    positions, budget = explore_within(game, limits)
    constant = _constant_sum(positions)
    opening = opening_positions(positions)
    player = next((d.player for d in map(positions.nodes.__getitem__, opening) if isinstance(d, Decision)), 0)
    values = clairvoyant_values(positions)
    averages = belief_averages(positions, player, values)
    policy = tuple(pure_row(len(a), best_on_average(a)[0]) if a else None for a in averages)
    roots = list(dict.fromkeys(h for h in map(positions.sets.__getitem__, opening) if h is not None and averages[h]))
    best, reply = _best_secured(positions, player, values, budget)
    account = Account(
        promised=_promised_value(positions, player, opening, policy, values),
        secured=_secured_value(positions, player, policy, constant),
        best=best,
    )
    if account.is_promise_kept and reply is not None:
        policy = tuple(own or other for own, other in zip(policy, reply, strict=True))  # it proves the value too
    return replace(
        BELIEF.answer(game),
        exact=account.is_promise_kept,
        value=constant_sum_vector(game, player, account.promised, constant),
        best=_best_actions(positions, roots, averages, account.is_promise_kept),
        nodes=len(positions.nodes),
        strategy=write_profile(positions, policy),
        regret=account.regret if constant is None else None,
        notes=(
            *_average_notes(positions, averages),
            *_assumption_notes(positions, player),
            account.sentence(game.players[player]),
        ),
    )


def best_on_average(averages: Row) -> list[int]:
    """The numbers of the best actions, by the average value of each."""
    return [k for k, worth in enumerate(averages) if worth == max(averages)]


@dataclass(frozen=True)
class Account:
    """The account of a policy: the value that averaging promises its player, the value that the policy secures, and the
    value that the best strategy secures (None: not known)."""

    promised: Number
    secured: Number
    best: Number | None

    @property
    def is_promise_kept(self) -> bool:
        return self.promised == self.secured == self.best

    @property
    def regret(self) -> tuple[Number, ...] | None:
        """The regret of the policy of a lone player; None if the best value is not known."""
        return None if self.best is None else (exact(self.best - self.secured),)

    def sentence(self, player: str) -> str:
        secured = brief(self.secured, "about ")
        if self.is_promise_kept:
            return f"The averaging choices secure {secured}, and no strategy of {player} secures more."
        promise = (
            f"Averaging over clairvoyance, each world played with open cards, promises {player} "
            f"{brief(self.promised, 'about ')}; its choices secure {secured}"
        )
        if self.best is None:
            return f"{promise}, and what the best strategy secures is not known."
        if self.secured == self.best:
            return f"{promise}, and no strategy secures more."
        return f"{promise}, but the best strategy secures {brief(self.best, 'about ')}."


def clairvoyant_values(positions: PositionGraph) -> Values:
    """The utilities that each position pays if everybody sees everything and plays best from there, by backward
    induction."""
    values: list[tuple[Number, ...]] = [()] * len(positions.nodes)
    for position in reversed(range(len(positions.nodes))):
        node = positions.nodes[position]
        after = [values[successor] for successor in positions.successors[position]]
        if isinstance(node, Terminal):
            values[position] = tuple(require_number(utility) for utility in node.utilities)
        elif isinstance(node, Chance):
            weights = [probability for _, probability in node.outcomes]
            values[position] = tuple(_product(weights, column) for column in zip(*after, strict=True))
        else:
            mover = node.player
            values[position] = max(after, key=lambda vector: vector[mover])
    return values


def belief_averages(positions: PositionGraph, player: int, values: Values) -> list[Row | None]:
    """The average value of each action at each information set of the player; None at other players' sets and at sets
    that are never reached."""
    reach = _reach(positions, player)
    averages: list[Row | None] = []
    for found in positions.information_sets:
        weights = [reach.get(member, 0) for member in found.members]
        total = sum(weights, Fraction(0))
        if found.player != player or not total:
            averages.append(None)
            continue
        shares = [exact(Fraction(weight) / total) for weight in weights]
        after = ([values[positions.successors[m][k]][player] for m in found.members] for k in range(len(found.actions)))
        averages.append(tuple(_product(shares, column) for column in after))
    return averages


def _product(weights: Sequence[Number], column: Sequence[Number]) -> Number:
    return exact(sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0)))


def _reach(positions: PositionGraph, player: int) -> dict[int, Number]:
    """The probability of each position if the player tries to get there, and the others move at random."""

    def shares(position: int) -> Row:
        node, count = positions.nodes[position], len(positions.successors[position])
        return uniform_row(count) if isinstance(node, Decision) and node.player != player else (1,) * count

    return spread_weights(positions, shares)


def _promised_value(
    positions: PositionGraph, player: int, opening: Mapping[int, Number], policy: Behaviour, values: Values
) -> Number:
    """The value that averaging promises: by its choice at the opening, and with everything visible from then on."""
    total = Fraction(0)
    for position, weight in opening.items():
        h = positions.sets[position]
        row = policy[h] if h is not None else None
        after = positions.successors[position][row.index(1)] if row else position
        total += weight * values[after][player]
    return exact(total)


def _secured_value(positions: PositionGraph, player: int, policy: Behaviour, constant: Number | None) -> Number:
    """The value that the policy secures against any play of the other player."""
    if constant is None:
        return expectation(positions, policy)[player]
    return exact(constant - best_response(positions, policy, 1 - player).value)


def _best_secured(
    positions: PositionGraph, player: int, values: Values, budget: Budget
) -> tuple[Number | None, Behaviour | None]:
    """The value that the player's best strategy secures, and a strategy of the other that allows no more. The value is
    None if it cannot be computed; the strategy also for a lone player, or if everybody sees everything."""
    if len(positions.players) == 1:
        return best_response(positions, (None,) * len(positions.information_sets), player).value, None
    if positions.open_to_all():
        return values[0][player], None
    try:
        behaviour = optimal_behaviour(positions, budget)
    except Refusal:
        return None, None
    return expectation(positions, behaviour)[player], only_players(positions, behaviour, [1 - player])


def _constant_sum(positions: PositionGraph) -> Number | None:
    """The constant sum of two players' utilities; None for a lone player. Raises Refusal for other games."""
    if len(positions.players) == 1:
        return None
    total = positions.constant_sum()
    if len(positions.players) != 2 or total is None:
        raise Refusal(f"belief-state averaging is for one player, or two with a constant sum; not for {positions.game}")
    return total


def _best_actions(
    positions: PositionGraph, roots: Sequence[int], averages: Sequence[Row | None], kept: bool
) -> tuple[str, ...]:
    """The best actions on average at the first information set, or () if there are several first sets. If the answer is
    exact and something is hidden, only the one whose worth is proved."""
    average = averages[roots[0]] if len(roots) == 1 else None
    if average is None:
        return ()
    found = positions.information_sets[roots[0]]
    proved = 1 if kept and not positions.open_to_all() else None
    return tuple(found.actions[k] for k in best_on_average(average)[:proved])


def _average_notes(positions: PositionGraph, averages: Sequence[Row | None]) -> Iterator[str]:
    told = [(h, average) for h, average in zip(positions.information_sets, averages, strict=True) if average]
    for found, average in told[:MAX_LISTED_AVERAGES]:
        pairs = ", ".join(f"{action} {worth}" for action, worth in zip(found.actions, average, strict=True))
        yield f"On average at {found.name}: {pairs}."
    if len(told) > MAX_LISTED_AVERAGES:
        yield f"The averages at {len(told) - MAX_LISTED_AVERAGES} more information sets are not told."


def _assumption_notes(positions: PositionGraph, player: int) -> Iterator[str]:
    """A note that unseen moves count as random, if the player has to guess at such moves."""
    moved: set[int] = set()
    for position, node in enumerate(positions.nodes):
        if position in moved or (isinstance(node, Decision) and node.player != player):
            moved.update(positions.successors[position])
    own = [positions.information_sets[h].members for h in positions.sets_of(player)]
    if any(len(members) > 1 and not moved.isdisjoint(members) for members in own):
        yield f"Moves that {positions.players[player]} did not see are taken to be uniformly random."


BELIEF = Solver(
    name="belief",
    run=belief,
    needs={"players": (1, 2), "zero_sum": True, "perfect_recall": True, "cyclic": False},
    summary="belief-state averaging over the states of an information set, with what it really secures",
    advised={"perfect_information": False},
)
