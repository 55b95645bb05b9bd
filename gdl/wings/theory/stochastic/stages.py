"""A game reduced to its positions, if everybody always knows the position: the moves there, their gains, what follows.

What players remember beside the position is left out: nothing that is still to come depends on it. Chance steps are
taken together with the move before them. What follows a move counts `discount` times; where nothing is gained on the
way, play without end has a price.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

from gdl.errors import Refusal
from gdl.game import Bounds, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, exact, require_number
from gdl.solution import Profile
from gdl.solvers.budget import Budget
from gdl.states.components import strong_components
from gdl.states.explore import Move, Recursion, choosers, moves, run_recursion
from gdl.states.linear import Equation, solve

LARGEST = 5_000  # positions


class StageTransition(NamedTuple):
    """The gains of a move for each player, and the positions that may follow, with their probabilities."""

    gains: tuple[Number, ...]
    after: tuple[tuple[Number, int], ...]


Mix = Sequence[Number]  # the probabilities of the actions that a player has
Plan = Mapping[int, Mix]  # by position
Floats = list[float]
Leads = tuple[Floats, list[tuple[float, int]]]  # a move's gains by player, and the weights of what follows


def round_plan(plan: Plan, most: int) -> dict[int, Mix]:
    """The plan with probabilities as fractions of at most this denominator; the greatest one at each position takes up
    the rest, so that they sum to one."""
    found: dict[int, Mix] = {}
    for n, mix in plan.items():
        near = [Fraction(p).limit_denominator(most) for p in mix]
        first = near.index(max(near))
        near[first] = 1 - sum((p for k, p in enumerate(near) if k != first), Fraction(0))
        found[n] = tuple(map(exact, near if near[first] >= 0 else [Fraction(p) for p in mix]))
    return found


class Stages:
    """The positions at which somebody acts, or play is over, by number: their nodes, moves, and the transition of each
    move."""

    def __init__(self, game: Game[Any], solver: str, budget: Budget):
        if game.promises.without_memory is None:
            raise Refusal(
                f"{solver} is for games in which everybody who acts knows the position; {game.name} is not. Where "
                "something is hidden in play without end (imperfect monitoring) nothing is solved: show to all what is "
                "done, or end play after some rounds, and let ends pay what was gained"
            )
        if game.promises.rewards is not None and game.promises.rewards.average:
            raise Refusal(
                f"{solver} finds no average of rewards; policy-iteration does, for one player, or two opponents who "
                f"move in turn; for others write a discount near 1 in {game.name}, as in `discount 999/1000`"
            )
        self.game, self.solver, self.budget = game, solver, budget
        self.bare = game.promises.without_memory
        self.players = range(len(game.players))
        self.rewards = game.promises.rewards
        self.discount: Number = 1 if self.rewards is None else self.rewards.discount
        self.prices = game.promises.forever if self.rewards is None else None  # of play without end
        self.states: list[Any] = []
        self.nodes: list[Node] = []
        self.moves: list[tuple[Move, ...]] = []
        self.outcomes: list[tuple[StageTransition, ...]] = []
        self._numbers: dict[Any, int] = {}
        self._names: dict[tuple[int, str], int] = {}
        self._drawn: dict[Any, StageTransition] = {}
        self.total: Number = 0  # two opponents' payoffs at the ends; `end_payoff` takes it off the second's
        self.opening = self._resolve_chance(self.bare(game.initial()))
        for state in self.states:  # grows while it is walked
            self._expand(state)

    @property
    def size(self) -> int:
        return len(self.states)

    def _expand(self, state: Any) -> None:
        self.budget.visit()
        node = self.game.node(state)
        self.nodes.append(node)
        self.moves.append(moves(node))
        self.outcomes.append(tuple(self._transition(state, move) for move in self.moves[-1]))

    def _transition(self, state: Any, move: Move) -> StageTransition:
        drawn = self._resolve_chance(self.bare(self.game.successor(state, move)))
        if self.rewards is None:
            return drawn
        gained = self.rewards.of(state, move)
        return StageTransition(tuple(exact(g + d) for g, d in zip(gained, drawn.gains, strict=True)), drawn.after)

    def _resolve_chance(self, state: Any) -> StageTransition:
        """The transition from a state by chance alone, until somebody acts or play is over."""
        if self.game.traits.chance is False:  # the moves of positions that only follow need not be listed
            return StageTransition((0,) * len(self.players), ((1, self._number(state)),))
        return run_recursion(self._draw(state, set()))

    def _draw(self, state: Any, open_: set[Any]) -> Recursion[StageTransition]:
        """The transition, remembered once it is known; `open_` are the states of chance on the way here."""
        if state not in self._drawn:
            node = self.game.node(state)
            if not isinstance(node, Chance):
                self._drawn[state] = StageTransition((0,) * len(self.players), ((1, self._number(state)),))
                return self._drawn[state]
            if state in open_:
                raise Refusal(f"{self.solver}: chance alone could go on for ever in {self.game.name}")
            open_.add(state)
            after = [self.bare(self.game.successor(state, name)) for name, _ in node.outcomes]
            for child in reversed(after):
                yield self._draw(child, open_)
            self._drawn[state] = self._mean(state, node, after)
        return self._drawn[state]

    def _mean(self, state: Any, node: Chance, after: Sequence[Any]) -> StageTransition:
        gains: list[Number] = [0] * len(self.players)
        shares: dict[int, Number] = {}
        for (name, share), child in zip(node.outcomes, after, strict=True):
            own = (0,) * len(self.players) if self.rewards is None else self.rewards.of(state, name)
            drawn = self._drawn[child]
            for p in self.players:
                gains[p] += share * (own[p] + drawn.gains[p])
            for part, number in drawn.after:
                shares[number] = shares.get(number, 0) + share * part
        return StageTransition(
            tuple(map(exact, gains)), tuple((exact(share), number) for number, share in shares.items())
        )

    def _number(self, state: Any) -> int:
        number = self._numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            if number == LARGEST:
                many = f"{self.solver} takes up to {LARGEST:,} positions, and {self.game.name} has more"
                raise Refusal(f"{many}; fewer are left if 'resolve' sets back what no later move reads")
            self.states.append(state)
        return number

    @cached_property
    def leads(self) -> list[list[Leads]]:
        """For each position and move, the gains and the discounted probabilities of what follows, in floating point."""
        rate = self.discount
        return [
            [([float(g) for g in one.gains], [(float(part * rate), n) for part, n in one.after]) for one in own]
            for own in self.outcomes
        ]

    @cached_property
    def acting_players(self) -> list[tuple[int, int]]:
        """The positions, with each player who acts there."""
        return [(n, p) for n in range(self.size) for p in self.players if self.actions(n, p)]

    # -- what players can do ---------------------------------------------------------------------------------------

    def actions(self, number: int, player: int) -> tuple[str, ...]:
        """The player's actions at a position; () where they have no choice."""
        node = self.nodes[number]
        if isinstance(node, Decision):
            return node.actions if node.player == player else ()
        return node.actions[player] if isinstance(node, Simultaneous) else ()

    def chosen_actions(self, number: int, move: int) -> dict[int, str]:
        """The action of each player who has a choice, by a joint move of a position; {} at an end."""
        name = self.moves[number][move] if self.moves[number] else ""
        return {p: name[p] if isinstance(name, tuple) else name for p in choosers(self.nodes[number])}

    def end_payoff(self, number: int, player: int) -> Number | None:
        """The player's payoff at an end, without the constant `total` for the second player; None if play is not
        over."""
        node = self.nodes[number]
        return require_number(node.utilities[player]) - player * self.total if isinstance(node, Terminal) else None

    def end_payoffs(self, player: int) -> dict[int, Number | None]:
        """The player's payoff at each position, by `end_payoff`."""
        return {n: self.end_payoff(n, player) for n in range(self.size)}

    def play_bounds(self) -> Bounds:
        """The least and the most that play can pay each player: the smallest and the greatest gain in every ply for
        ever, and what the ends pay. Nothing is bounded by gains that are not discounted."""
        bounds: list[tuple[Number | None, Number | None]] = []
        for player in self.players:
            price = () if self.prices is None else (require_number(self.prices[player]),)
            ends = [0, *price, *(paid for paid in self.end_payoffs(player).values() if paid is not None)]
            gains = [0, *(one.gains[player] for own in self.outcomes for one in own)]
            if self.discount == 1 and any(gains):
                bounds.append((None, None))
                continue
            plies = 0 if self.discount == 1 else 1 / (1 - Fraction(self.discount))
            least, most = (self.opening.gains[player] + plies * end(gains) + end(ends) for end in (min, max))
            bounds.append((exact(least), exact(most)))
        return tuple(bounds)

    @cached_property
    def components(self) -> list[list[int]]:
        """The positions in groups that lead to one another, each after all groups that can follow it."""
        after = [tuple(n for one in own for _, n in one.after) for own in self.outcomes]
        return strong_components(range(self.size), dict(enumerate(after)))

    @cached_property
    def recurring_positions(self) -> set[int]:
        """The positions that can come again."""
        itself = {n for n, own in enumerate(self.outcomes) if any(n == m for one in own for _, m in one.after)}
        return itself.union(*(group for group in self.components if len(group) > 1))

    def last_first(self) -> list[int] | None:
        """The positions in an order in which each comes after all that can follow it; None if a position can come
        again."""
        return None if self.recurring_positions else [n for (n,) in self.components]

    def shares(self, number: int, plans: Mapping[int, Plan], fixed: Mapping[int, int]) -> list[tuple[Number, int]]:
        """The moves at a position, by place in `moves`, with their probabilities, if some players follow plans and
        others take a fixed action (player -> action)."""
        found: list[tuple[Number, int]] = [(1, 0)]
        for player in self.players:
            own = self.actions(number, player)
            if not own:
                continue
            if player in fixed:
                found = [(share, k * len(own) + fixed[player]) for share, k in found]
            else:
                mix = plans[player][number]
                found = [(share * p, k * len(own) + a) for share, k in found for a, p in enumerate(mix) if p]
        return found

    def unilateral(self, number: int, move: int, player: int) -> list[int]:
        """The joint moves that differ from this one only in the action of one player."""
        block = prod(len(self.actions(number, later)) or 1 for later in self.players[player + 1 :])
        count = len(self.actions(number, player))
        mine = move // block % count
        return [move + (k - mine) * block for k in range(count) if k != mine]

    def profile(self, plans: Mapping[int, Plan]) -> Profile:
        """The plans as a profile, by the names of players and positions."""
        return {
            name: {
                self.name(number, player): dict(
                    zip(self.actions(number, player), map(exact, plans[player][number]), strict=True)
                )
                for number in range(self.size)
                if len(self.actions(number, player)) > 0 and number in plans[player]
            }
            for player, name in enumerate(self.game.players)
        }

    def name(self, number: int, player: int) -> str:
        """The name of a position as the player sees it, with its number if another position has the same name."""
        name = self.game.describe(self.states[number], player)
        first = self._names.setdefault((player, name), number)
        return name if first == number else f"{name} ({number})"

    # -- play without end ------------------------------------------------------------------------------------------

    def ends_surely(self) -> bool:
        """True if play ends whatever the players do, with probability 1."""
        return not self.staying_positions({n: [[k] for k in range(len(own))] for n, own in enumerate(self.outcomes)})

    def staying_positions(self, ways: Mapping[int, Sequence[Iterable[int]]]) -> set[int]:
        """The positions from which play surely stays among them for ever, if at each the right one of these ways is
        taken: some moves, by place in `moves`, any of which may then be made."""
        after = {n: [{m for k in way for _, m in self.outcomes[n][k].after} for way in own] for n, own in ways.items()}
        staying = set[int]()
        while len(after) != len(staying):
            staying = set(after)
            after = {n: own for n, own in after.items() if any(way <= staying for way in own)}
        return staying


# Values of plans that look at the position alone, and the best reply to them: a Markov decision process of one player,
# solved by policy iteration (Howard 1960), in fractions or in floating point as the plans are given.

Way = list[tuple[Any, int]]  # moves with their probabilities, by position in `moves`


class Reply(NamedTuple):
    """A best reply: the value of every position to the player, and the number of the action to take where there is a
    choice."""

    values: dict[int, Any]
    choices: dict[int, int]


def reply(
    stages: Stages, player: int, plans: Mapping[int, Plan], *, stop: Number | float = 0, price: Number | float = 0
) -> Reply:
    """A best reply of the player to the others' plans. Play stops before every move with chance `stop`, for the
    `price`; if that is 0, play must be discounted, or end surely."""
    ways = {n: _ways(stages, n, player, plans) for n in range(stages.size) if stages.moves[n]}
    choices = {n: 0 for n, own in ways.items() if len(own) > 1}
    while True:
        stages.budget.check_time()
        values = worth(stages, player, {n: own[choices.get(n, 0)] for n, own in ways.items()}, stop, price)
        better = {}
        for n, now in choices.items():
            found = [way_worth(stages, n, player, way, values, stop, price) for way in ways[n]]
            best = max(found)
            margin = 1e-12 * max(1.0, abs(best)) if isinstance(best, float) else 0
            if best > found[now] + margin:
                better[n] = found.index(best)
        if not better:
            return Reply(values, choices)
        choices |= better


def _ways(stages: Stages, number: int, player: int, plans: Mapping[int, Plan]) -> list[Way]:
    choices = [{player: k} for k in range(len(stages.actions(number, player)))]
    return [stages.shares(number, plans, fixed) for fixed in choices or [{}]]


def worth(
    stages: Stages, player: int, ways: Mapping[int, Way], stop: Number | float = 0, price: Number | float = 0
) -> dict[int, Any]:
    """The value of every position to the player if moves are made with the probabilities of `ways`, by position; `stop`
    and `price` as in `reply`."""
    equations: dict[int, Equation] = {}
    payoffs = stages.end_payoffs(player)
    values: dict[int, Any] = {n: paid for n, paid in payoffs.items() if paid is not None}
    if stages.prices is not None and not stop:
        price_of_all = require_number(stages.prices[player]) - player * stages.total
        endless = stages.staying_positions({n: [[k for _, k in way]] for n, way in ways.items()})
        values |= dict.fromkeys(endless, price_of_all)
    for n, way in ways.items():
        if n in values:
            continue
        constant: Any = stop * price
        weights: dict[int, Any] = {}
        for share, k in way:
            outcome = stages.outcomes[n][k]
            constant += (1 - stop) * share * outcome.gains[player]
            for part, after in outcome.after:
                weight = (1 - stop) * share * part * stages.discount
                if after in values:
                    constant += weight * values[after]
                else:
                    weights[after] = weights.get(after, 0) + weight
        equations[n] = Equation(constant, weights)
    return values | solve(equations)


def way_worth(
    stages: Stages, number: int, player: int, way: Way, values: Mapping[int, Any], stop: Any = 0, price: Any = 0
) -> Any:
    """The value to the player of a move, or of a mixture of moves: its gain and the discounted value of the positions
    after it."""
    total: Any = Fraction(0)
    for share, k in way:
        outcome = stages.outcomes[number][k]
        later = sum(part * values[after] for part, after in outcome.after)
        total += share * (outcome.gains[player] + stages.discount * later)
    return (1 - stop) * total + stop * price if stop else total


def led_to(leads: Leads, values: Mapping[int, Floats] | Sequence[Floats]) -> Floats:
    """The gain of each player by a move together with the discounted value of the positions after it, in floating
    point."""
    gains, after = leads
    return [gain + sum(weight * values[n][p] for weight, n in after) for p, gain in enumerate(gains)]


def start_worth(stages: Stages, player: int, values: Mapping[int, Any]) -> Any:
    """The value to the player of play from its start."""
    return stages.opening.gains[player] + sum(part * values[n] for part, n in stages.opening.after)
