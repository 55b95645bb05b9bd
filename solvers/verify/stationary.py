"""Strategies that look at the position alone, judged where play can come back to a position and what comes later
counts less: what they pay, and the best reply of each player, in fractions, from the definition.

A position is worth what a move gains, and `discount` times what it leads to; an outcome of chance counts in full. With
all others' strategies fixed, the best reply is a decision process of one player: begin with any policy, work out its
values by linear equations, and improve it until nothing is better (Howard 1960). Where the best reply is worth no more
than the strategies at every position, they are an equilibrium at each, also at those that are not reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import DamagedData, LimitReached, listing
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, exact, known
from gdl.solution import Mixture, Profile
from gdl.states.explore import choosers, moves
from solvers.cyclic.linear import Equation, solve
from solvers.equilibria.regret import Judgement
from solvers.verify.case import Case, Row
from solvers.verify.finding import Finding, Unchecked
from solvers.verify.numbers import amounts, same_all

LARGEST = 1_000  # positions, each an equation in fractions
Way = list[tuple[Number, int]]  # moves by position, with their probabilities


class Process:
    """All positions, chance included: what is gained by each move, and what follows."""

    def __init__(self, game: Game[Any], limit: int = LARGEST):
        rewards, bare = game.promises.rewards, game.promises.without_memory
        if rewards is None or rewards.discount == 1:
            raise Unchecked("play can come back to a position, and nothing is discounted")
        if bare is None:
            raise Unchecked("somebody who acts may not know the position")
        self.game, self.discount = game, rewards.discount
        self.numbers = {bare(game.initial()): 0}
        self.states = list(self.numbers)
        self.nodes: list[Any] = []
        self.gains: list[list[tuple[Number, ...]]] = []
        self.after: list[list[int]] = []
        for state in self.states:  # grows while it is walked
            if len(self.states) > min(limit, LARGEST):
                raise LimitReached(f"more than {min(limit, LARGEST):,} positions, the limit of this check")
            node = game.node(state)
            self.nodes.append(node)
            self.gains.append([rewards.of(state, move) for move in moves(node)])
            self.after.append([self._number(bare(game.successor(state, move))) for move in moves(node)])

    def _number(self, state: Any) -> int:
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    # -- strategies ------------------------------------------------------------------------------------------------

    def read(self, profile: Profile) -> list[dict[int, Mixture]]:
        """Each player's mixtures by position. DamagedData where the profile names what there is not."""
        found: list[dict[int, Mixture]] = []
        for player, name in enumerate(self.game.players):
            told = dict(profile.get(name, {}))
            own: dict[int, Mixture] = {}
            met: dict[str, int] = {}
            for n, node in enumerate(self.nodes):
                if player not in choosers(node):
                    continue
                called = self.game.describe(self.states[n], player)
                if called in met:
                    raise Unchecked(f"two positions are called {called}")
                met[called] = n
                if called in told:
                    own[n] = _checked(told.pop(called), self.actions(n, player), called)
            if told:
                raise DamagedData(f"{self.game.name} has no position of {name} called {listing(told, 'or')}")
            found.append(own)
        return found

    def actions(self, n: int, player: int) -> tuple[str, ...]:
        node = self.nodes[n]
        found: tuple[str, ...] = node.actions[player] if isinstance(node, Simultaneous) else node.actions
        return found

    def way(self, n: int, plans: list[dict[int, Mixture]], fixed: Mapping[int, str]) -> Way:
        """What happens at a position, where some take a fixed action and the others act by their plans."""
        node = self.nodes[n]
        if isinstance(node, Chance):
            return [(share, k) for k, (_, share) in enumerate(node.outcomes)]
        found = []
        for k, move in enumerate(moves(node)):
            joint = move if isinstance(move, tuple) else None
            share: Number = 1
            for player in choosers(node):
                action = move if joint is None else joint[player]
                if player in fixed:
                    share *= int(action == fixed[player])
                elif n not in plans[player]:
                    name = self.game.describe(self.states[n], player)
                    raise DamagedData(f"the profile does not say what {self.game.players[player]} does at {name}")
                else:
                    share *= plans[player][n].get(action, 0)  # type: ignore[arg-type]
            if share:
                found.append((share, k))
        return found

    # -- what they are worth ---------------------------------------------------------------------------------------

    def worth(self, player: int, ways: Mapping[int, Way]) -> list[Number]:
        """What every position is worth to the player where all happens so."""
        equations: dict[int, Equation] = {}
        for n, node in enumerate(self.nodes):
            if isinstance(node, Terminal):
                equations[n] = Equation(known(node.utilities[player]), {})
                continue
            equation = equations[n] = Equation(sum((s * self.gains[n][k][player] for s, k in ways[n]), Fraction(0)), {})
            for share, k in ways[n]:
                after = self.after[n][k]
                equation.weights[after] = equation.weights.get(after, 0) + share * self.counts(after)
        try:
            found = solve(equations)
        except ZeroDivisionError:
            raise Unchecked("chance alone could go on for ever") from None
        return [exact(found[n]) for n in range(len(self.nodes))]

    def counts(self, after: int) -> Number:
        return 1 if isinstance(self.nodes[after], Chance) else self.discount

    def way_worth(self, player: int, n: int, way: Way, values: list[Number]) -> Number:
        """What happens at a position gains and leads to."""
        return sum(
            (s * (self.gains[n][k][player] + self.counts(a) * values[a]) for s, k in way for a in [self.after[n][k]]),
            Fraction(0),
        )

    def best_reply(self, player: int, plans: list[dict[int, Mixture]]) -> list[Number]:
        """What every position is worth to the player who replies best to the others' plans."""
        ways = {}
        for n, node in enumerate(self.nodes):
            if player in choosers(node):
                ways[n] = [self.way(n, plans, {player: action}) for action in self.actions(n, player)]
            elif not isinstance(node, Terminal):
                ways[n] = [self.way(n, plans, {})]
        policy = dict.fromkeys(ways, 0)
        while True:
            values = self.worth(player, {n: ways[n][k] for n, k in policy.items()})
            better = {}
            for n, now in policy.items():
                worths = [self.way_worth(player, n, way, values) for way in ways[n]]
                if max(worths) > worths[now]:
                    better[n] = worths.index(max(worths))
            if not better:
                return values
            policy |= better

    def start(self, player: int, values: list[Number]) -> Number:
        """What play is worth from its beginning: chance that opens it takes nothing off."""
        if not isinstance(self.nodes[0], Chance):
            return values[0]
        opening = set(self._opening())
        equations = {}
        for n in sorted(opening):
            equation = equations[n] = Equation(0, {})
            for share, k in self.way(n, [], {}):
                after = self.after[n][k]
                equation.constant += Fraction(share) * self.gains[n][k][player]
                if after in opening:
                    equation.weights[after] = equation.weights.get(after, 0) + share
                else:
                    equation.constant += Fraction(share) * values[after]
        return exact(solve(equations)[0])

    def _opening(self) -> list[int]:
        """The chance steps before anybody acts."""
        queue = [0]
        for n in queue:  # grows while it is walked
            queue += [m for m in self.after[n] if isinstance(self.nodes[m], Chance) and m not in queue]
        return queue


def _checked(mixture: Mixture, actions: tuple[str, ...], where: str) -> Mixture:
    strange = [action for action in mixture if action not in actions]
    if strange:
        raise DamagedData(f"no action at {where} is called {listing(strange, 'or')}")
    if any(chance < 0 for chance in mixture.values()) or sum(mixture.values()) != 1:
        raise DamagedData(f"the probabilities at {where} do not sum to 1")
    return mixture


class Judged:
    """What a profile pays from every position, and what the best reply of each player would."""

    def __init__(self, process: Process, profile: Profile):
        self.process, players = process, range(len(process.game.players))
        plans = self.plans = process.read(profile)
        ways = {n: process.way(n, plans, {}) for n, node in enumerate(process.nodes) if not isinstance(node, Terminal)}
        self.paid = [process.worth(player, ways) for player in players]
        self.reply = [process.best_reply(player, plans) for player in players]

    @property
    def value(self) -> tuple[Number, ...]:
        return tuple(self.process.start(p, values) for p, values in enumerate(self.paid))

    @property
    def most(self) -> tuple[Number, ...]:
        """What each player's best reply pays."""
        return tuple(self.process.start(p, values) for p, values in enumerate(self.reply))

    @property
    def regret(self) -> tuple[Number, ...]:
        return tuple(exact(most - paid) for most, paid in zip(self.most, self.value, strict=True))

    def gains(self) -> Iterator[tuple[int, str, str, Number]]:
        """Who could gain from which position on, what it is called, what the best reply does there, and how much."""
        process = self.process
        for player, (paid, reply) in enumerate(zip(self.paid, self.reply, strict=True)):
            for n, (now, best) in enumerate(zip(paid, reply, strict=True)):
                if best > now and player in choosers(process.nodes[n]):
                    ways = {a: process.way(n, self.plans, {player: a}) for a in process.actions(n, player)}
                    action = max(ways, key=lambda a: process.way_worth(player, n, ways[a], reply))
                    yield player, process.game.describe(process.states[n], player), action, exact(best - now)

    def judgement(self) -> Judgement:
        return Judgement(self.process.game.players, self.value, self.regret)


# ---- The checks -----------------------------------------------------------------------------------------------------


def _process(case: Case) -> Process:
    return case.once("process", lambda: Process(case.game, case.limit))


def check_strategy(case: Case) -> Iterator[Finding]:
    """The strategies of two opposed players, or of one, secure the value from their own side."""
    claim = case.claim
    if claim.strategy is None:
        return
    try:
        judged = Judged(_process(case), claim.strategy)
    except DamagedData as fault:
        yield Finding(False, ("strategy",), str(fault))
        return
    players = case.game.players
    if len(players) == 2 and any(a + b for own in _process(case).gains for a, b in own):
        raise Unchecked("the players are not opposed")
    secured = judged.most if len(players) == 1 else tuple(-most for most in reversed(judged.most))
    if case.value is not None:
        told = amounts(players, secured)
        yield Finding(same_all(case.value, secured), ("value",), f"the strategies secure {told}")
        yield Finding(not any(judged.regret), ("strategy",), "nobody gains by leaving the strategies")
    if claim.regret is not None:
        gained = amounts(players, judged.regret)
        yield Finding(same_all(case.in_order(claim.regret), judged.regret), ("regret",), f"the regret is {gained}")
    yield from _interval(case, secured)


def _interval(case: Case, secured: tuple[Number, ...]) -> Iterator[Finding]:
    """What each side's strategy secures encloses the value."""
    ends = case.claim.interval
    if ends is None or len(secured) != 2:
        return
    for player, name in enumerate(case.game.players):
        low, high = ends[name]
        least, most = secured[player], -secured[1 - player]
        text = f"the strategies prove that the value of {name} lies between {float(least):.12g} and {float(most):.12g}"
        yield Finding(True if low <= least and most <= high else None, ("interval",), text)


def check_equilibria(case: Case) -> Iterator[Finding]:
    """From no profile does anybody gain by leaving it, at any position."""
    for number, profile in enumerate(case.claim.equilibria, start=1):
        try:
            judged = Judged(_process(case), profile)
        except DamagedData as fault:
            yield Finding(False, ("equilibria",), f"equilibrium {number}: {fault}")
            continue
        gains = next(judged.gains(), None)
        if gains is not None:
            player, where, action, _ = gains
            said = f"equilibrium {number} is none: {case.game.players[player]} gains by {action} at {where}"
            yield Finding(False, ("equilibria",), said)
        else:
            fields = ("equilibria", "regret") if case.claim.regret is not None else ("equilibria",)
            yield Finding(True, fields, f"nobody gains by leaving equilibrium {number}, at any position")
        paid = case.claim.payoffs[number - 1] if number <= len(case.claim.payoffs) else None
        if paid is not None:
            right = same_all(case.in_order(paid), judged.value)
            named = amounts(case.game.players, judged.value)
            yield Finding(right, ("payoffs",), f"equilibrium {number} pays {named}")
        if case.value is not None:
            yield Finding(same_all(case.value, judged.value), ("value",), f"equilibrium {number} pays the value")


def check_best(case: Case) -> Iterator[Finding]:
    """Where a lone player, or one of two opponents, acts first: the best actions keep what the strategies secure."""
    claim, process = case.claim, _process(case)
    node = process.nodes[0]
    if not claim.best or claim.strategy is None or not isinstance(node, Decision):
        return
    values = Judged(process, claim.strategy).paid[node.player]
    worths = {action: process.way_worth(node.player, 0, [(1, k)], values) for k, action in enumerate(node.actions)}
    wrong = [action for action in claim.best if worths.get(action) != max(worths.values())]
    said = listing(wrong or claim.best)
    yield Finding(not wrong, ("best",), f"{said}: {'not as' if wrong else 'as'} good as any, by the strategies")


def check_counts(case: Case) -> Iterator[Finding]:
    """The positions: of policy iteration with chance steps, of the others without them."""
    nodes = _process(case).nodes
    chances = 0 if case.claim.solver == "policy-iteration" else sum(isinstance(node, Chance) for node in nodes)
    sizes = {"nodes": len(nodes) - chances, "leaves": sum(isinstance(node, Terminal) for node in nodes)}
    sizes["states"] = sizes["nodes"]
    for name, actual in sizes.items():
        told = getattr(case.claim, name)
        if told is not None:
            yield Finding(told == actual, (name,), f"{actual:,} {name}")


SOLVERS = ("shapley", "stationary", "policy-iteration")
CHECKS = (
    Row(check_strategy, ("strategy", "value", "regret", "interval")),
    Row(check_equilibria, ("equilibria", "payoffs", "value", "regret")),
    Row(check_best, ("best",)),
    Row(check_counts, ("nodes", "leaves", "states")),
)
