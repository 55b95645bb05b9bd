"""Strategies that look at the position alone, judged where play can come back to a position: what they pay, and the
best reply of each player, in fractions, from the definition.

Where what comes later counts less, a position is worth what a move gains, and `discount` times what it leads to; an
outcome of chance counts in full. With all others' strategies fixed, the best reply is a decision process of one player:
begin with any policy, work out its values by linear equations, and improve it until nothing is better (Howard 1960).
Where ends pay everything, or rewards count in full, play without end has its price, and values are those of worth.py.
Where the average of rewards counts, they are those of averages.py.

Where the best reply is worth no more than the strategies at every position, they are an equilibrium at each, also at
those that are not reached. For the start alone it is enough to look at what somebody can bring about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from typing import Any

from gdl.errors import LimitReached, listing
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, exact, require_number, tightest_bounds
from gdl.solution import Mixture, Profile
from gdl.states.explore import choosers, move_text, moves
from gdl.wings.verify.averages import AverageWay, Terms, best_terms, worth_of_way
from gdl.wings.verify.best import compare_best
from gdl.wings.verify.case import VerifierCase, VerifierCheck, found_once
from gdl.wings.verify.claim import Ends, amounts, same_all
from gdl.wings.verify.linear import matrix_game
from gdl.wings.verify.position_graph import reach
from gdl.wings.verify.profiles import NASH, NEARLY, SUBGAME_PERFECT, compare_regret
from gdl.wings.verify.replies import read_row
from gdl.wings.verify.search import compare_counts
from gdl.wings.verify.value import compare_interval, is_promised
from gdl.wings.verify.verdict import Finding, Misfit, Unchecked
from gdl.wings.verify.worth import GAIN, Choice, lowest_at

MOST_SEEN, GREATEST = 3_000, 10**30  # of a look ahead: positions, which count at each depth, and denominators
LARGEST = 1_000  # the most positions of a game with rewards; each is an equation in fractions
Way = list[tuple[Number, int]]  # the probability and the number of each move


class Process:
    """All positions of a game, chance included, with the rewards of each move and the positions it leads to."""

    def __init__(self, game: Game[Any], limit: int = LARGEST):
        rewards, bare = game.promises.rewards, game.promises.without_memory
        if bare is None:
            raise Unchecked("somebody who acts may not know the position")
        self.game, self.discount = game, 1 if rewards is None else rewards.discount
        self.ends_pay = rewards is None
        self.average = rewards is not None and rewards.average
        self.in_full = self.discount == 1  # nothing counts less for being late; play without end gets its price
        most = min(limit, LARGEST) if rewards else limit
        self.numbers = {bare(game.initial()): 0}
        self.states = list(self.numbers)
        self.nodes: list[Any] = []
        self.gains: list[list[tuple[Number, ...]]] = []
        self.after: list[list[int]] = []
        for state in self.states:  # grows while it is walked
            if len(self.states) > most:
                raise LimitReached(f"more than {most:,} positions, the limit of this check")
            node = game.node(state)
            self.nodes.append(node)
            nothing = (0,) * len(game.players)
            self.gains.append([rewards.of(state, move) if rewards else nothing for move in moves(node)])
            self.after.append([self._number(bare(game.successor(state, move))) for move in moves(node)])

    def _number(self, state: Any) -> int:
        number = self.numbers.setdefault(state, len(self.states))
        if number == len(self.states):
            self.states.append(state)
        return number

    # -- strategies ------------------------------------------------------------------------------------------------

    def read(self, profile: Profile) -> list[dict[int, Mixture]]:
        """For each player the mixtures of a profile, by position. Raises Misfit where it names what there is
        not."""
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
                    own[n] = told.pop(called)
                    read_row(self.actions(n, player), own[n], called)
            if told:
                raise Misfit(f"{self.game.name} has no position of {name} called {listing(told, 'or')}")
            found.append(own)
        return found

    def uniform(self) -> Profile:
        """The profile in which everyone acts uniformly at random everywhere."""
        profile: dict[str, dict[str, Mixture]] = {name: {} for name in self.game.players}
        for n, node in enumerate(self.nodes):
            for player in choosers(node):
                own = self.actions(n, player)
                called = self.game.describe(self.states[n], player)
                profile[self.game.players[player]][called] = dict.fromkeys(own, exact(Fraction(1, len(own))))
        return profile

    def actions(self, n: int, player: int) -> tuple[str, ...]:
        node = self.nodes[n]
        found: tuple[str, ...] = node.actions[player] if isinstance(node, Simultaneous) else node.actions
        return found

    def way(self, n: int, plans: list[dict[int, Mixture]], fixed: Mapping[int, str]) -> Way:
        """The moves at a position with their probabilities: players in `fixed` take that action, the others act by
        their plans."""
        node = self.nodes[n]
        if isinstance(node, Chance):
            return [(share, k) for k, (_, share) in enumerate(node.outcomes)]
        found = []
        for k, move in enumerate(moves(node)):
            share: Number = 1
            for player in choosers(node):
                action = move[player] if isinstance(move, tuple) else move
                if player in fixed:
                    share *= int(action == fixed[player])
                elif n not in plans[player]:
                    name = self.game.describe(self.states[n], player)
                    raise Misfit(f"the profile does not say what {self.game.players[player]} does at {name}")
                else:
                    share *= plans[player][n].get(action, 0)
            if share:
                found.append((share, k))
        return found

    # -- what they are worth ---------------------------------------------------------------------------------------

    def ways(
        self, plans: list[dict[int, Mixture]], free: int | None = None, roots: Iterable[int] = (0,)
    ) -> dict[int, list[Way]]:
        """For each position that play from the roots can reach, the possible ways: one if all act by their plans, and
        one for each action where `free` moves; none at ends."""
        found: dict[int, list[Way]] = {}

        def successors(n: int) -> Iterator[int]:
            if free is not None and free in choosers(self.nodes[n]):
                found[n] = [self.way(n, plans, {free: action}) for action in self.actions(n, free)]
            else:
                found[n] = [] if isinstance(self.nodes[n], Terminal) else [self.way(n, plans, {})]
            return (self.after[n][k] for way in found[n] for _, k in way)

        reach(roots, successors)
        return found

    def worth(self, player: int, ways: Mapping[int, Sequence[Way]]) -> dict[int, Number]:
        """The value of every position to the player, if the best of these ways is taken everywhere."""
        if self.average:
            return {n: exact(gain) for n, (gain, *_) in self.average_terms(player, ways).items()}
        choices = {n: [self._choice(player, n, way, self.counts) for way in own] for n, own in ways.items()}
        ends = {n: -require_number(end.utilities[player]) for n in ways if isinstance(end := self.nodes[n], Terminal)}
        found = lowest_at({**choices, GAIN: []}, {**ends, GAIN: -1}, [-price for price in self.prices(player)])
        if any(values != found[0] for values in found):
            raise Unchecked("play can go on for ever, and the file does not say what that pays")
        return {n: exact(-found[0][n]) for n in ways}

    def average_terms(self, player: int, ways: Mapping[int, Sequence[Way]]) -> dict[int, Terms]:
        """The gain and bias of every position to the player, if the best of these ways is taken everywhere."""
        ends = {n: end.utilities[player] for n in ways if isinstance(end := self.nodes[n], Terminal)}
        found = {n: [self.average_way(player, n, way) for way in own] for n, own in ways.items()}
        return best_terms({**found, **{n: [(require_number(paid), [])] for n, paid in ends.items()}}, self.chance)

    def average_way(self, player: int, n: int, way: Way) -> AverageWay:
        """The mean reward of a way, and the positions after it."""
        gain = sum((share * self.gains[n][k][player] for share, k in way), Fraction(0))
        return gain, [(share, self.after[n][k]) for share, k in way]

    @cached_property
    def chance(self) -> frozenset[int]:
        """The positions of chance."""
        return frozenset(n for n, node in enumerate(self.nodes) if isinstance(node, Chance))

    def _choice(self, player: int, n: int, way: Way, counts: Callable[[int], Number]) -> Choice:
        """The successors of a way with their weights; its reward is a share of the artificial end GAIN."""
        gain = sum((share * self.gains[n][k][player] for share, k in way), Fraction(0))
        leads = [(share * counts(self.after[n][k]), self.after[n][k]) for share, k in way]
        return (*leads, (gain, GAIN)) if gain or not self.in_full else tuple(leads)

    def prices(self, player: int) -> list[Number]:
        """The possible payoffs of endless play to the player: the price in the file, else the least and greatest
        utility at ends, widened to include 0 (and 1 where there are no ends). With rewards, two payoffs below and above
        all sums of one gain from each position."""
        price = self.game.promises.forever
        if price is not None:
            return [require_number(price[player])]
        paid = [require_number(node.utilities[player]) for node in self.nodes if isinstance(node, Terminal)] or [1]
        if not self.ends_pay:
            sizes = [abs(Fraction(gain[player])) for own in self.gains for gain in own]
            most = len(self.nodes) * exact(max([Fraction(1), *sizes, *(abs(Fraction(end)) for end in paid)]))
            return [-most, most]
        return sorted({min(0, *paid), max(0, *paid)})

    def counts(self, after: int) -> Number:
        return 1 if isinstance(self.nodes[after], Chance) else self.discount

    def way_worth(self, player: int, n: int, way: Way, values: Mapping[int, Number]) -> Number:
        """The value of a way at a position: its reward, and the values of the positions after it; of an average, which
        no single reward changes, these values alone."""
        counted = int(not self.average)
        return sum(
            (s * (counted * self.gains[n][k][player] + self.counts(a) * values[a])
             for s, k in way for a in [self.after[n][k]]),
            Fraction(0),
        )  # fmt: skip

    def start(self, player: int, values: Mapping[int, Number]) -> Number:
        """The value of play from its beginning; chance that opens the game is not discounted."""
        if self.in_full or not isinstance(self.nodes[0], Chance):
            return values[0]
        opening = reach([0], lambda n: [m for m in self.after[n] if isinstance(self.nodes[m], Chance)])
        choices: dict[int, list[Choice]] = {
            n: [self._choice(player, n, self.way(n, [], {}), lambda _: 1)] for n in opening
        }
        ends = {**{n: -value for n, value in values.items() if n not in choices}, GAIN: -1}
        return exact(-lowest_at({**dict.fromkeys(ends, ()), **choices}, ends, [0])[0][0])


class StationaryJudgement:
    """The payoffs of a profile, and those of each player's best reply, by position. `everywhere`: from every position;
    else from those that play can reach from the start."""

    def __init__(self, process: Process, profile: Profile, *, everywhere: bool):
        self.process, players = process, range(len(process.game.players))
        plans = self.plans = process.read(profile)
        roots = range(len(process.nodes)) if everywhere else (0,)
        ways = process.ways(plans, roots=roots)
        self.paid = [process.worth(player, ways) for player in players]
        self.reply = [process.worth(player, process.ways(plans, player, roots)) for player in players]

    @property
    def value(self) -> tuple[Number, ...]:
        return tuple(self.process.start(p, values) for p, values in enumerate(self.paid))

    @property
    def greatest_payoffs(self) -> tuple[Number, ...]:
        """The payoff of each player's best reply, from the start."""
        return tuple(self.process.start(p, values) for p, values in enumerate(self.reply))

    @property
    def regret(self) -> tuple[Number, ...]:
        return tuple(exact(most - paid) for most, paid in zip(self.greatest_payoffs, self.value, strict=True))

    def gains(self) -> Iterator[tuple[int, str, str, Number]]:
        """For each gain: the player, the name of the position, the action there, and the amount. If single deviations
        gain, these are listed; else the first steps of best replies, which deviate for ever."""
        for player, (paid, reply) in enumerate(zip(self.paid, self.reply, strict=True)):
            worse = [n for n, now in paid.items() if reply[n] > now and player in choosers(self.process.nodes[n])]
            single = [(n, *found) for n in worse for found in self._deviation(player, n, paid) if found[1] > 0]
            by_replies = [(n, *found) for n in worse for found in self._deviation(player, n, reply)]
            for at, action, gain in single or by_replies:
                yield player, self.process.game.describe(self.process.states[at], player), action, gain

    def greatest_gain(self) -> Number:
        """The most that a best reply gains any player, from any position on."""
        pairs = zip(self.paid, self.reply, strict=True)
        return max(reply[n] - now for paid, reply in pairs for n, now in paid.items())

    def _deviation(self, player: int, n: int, values: Mapping[int, Number]) -> list[tuple[str, Number]]:
        """The best action of the player at a position, if `values` tell what follows, and its gain over the profile;
        empty if no action leads to known values."""
        process = self.process
        ways = {action: process.way(n, self.plans, {player: action}) for action in process.actions(n, player)}
        worths = {
            action: process.way_worth(player, n, way, values)
            for action, way in ways.items()
            if all(process.after[n][k] in values for _, k in way)
        }
        best = sorted(worths, key=lambda action: -worths[action])[:1]
        return [(action, exact(worths[action] - self.paid[player][n])) for action in best]


# ---- The checks -----------------------------------------------------------------------------------------------------


@found_once
def process_of(case: VerifierCase) -> Process:
    """All positions of the answer's game, with what is gained on the way."""
    return Process(case.game, case.limit)


def check_strategy(case: VerifierCase) -> Iterator[Finding]:
    """The strategy of each of two opposed players, or of a lone player, secures the value."""
    claim = case.claim
    if claim.strategy is None:
        for player, name in enumerate(case.game.players):
            if name in (claim.interval or {}) and not is_promised(case, player):
                yield _look_ahead(case, player)
        return
    judged = StationaryJudgement(process_of(case), claim.strategy, everywhere=False)
    players = case.game.players
    total = total_of(process_of(case))
    if total is None:
        raise Unchecked("the players are not opposed")
    most = judged.greatest_payoffs
    secured = most if len(players) == 1 else tuple(exact(total - payoff) for payoff in reversed(most))
    fields = ("strategy", "concept") if claim.concept == NASH else ("strategy",)
    if case.value is not None:
        told = amounts(players, secured)
        yield Finding(same_all(case.value, secured), ("value",), f"the strategies secure {told}")
        yield Finding(not any(judged.regret), fields, "nobody gains by leaving the strategies")
    else:
        yield Finding(True, fields, f"by the strategies they could gain {amounts(players, judged.regret)}")
    yield from compare_regret(case, [judged.regret])
    if claim.interval is not None:
        yield from _check_interval(case, claim.interval, secured, total, claim.solver in SOLVERS)


def _look_ahead(case: VerifierCase, player: int) -> Finding:
    """A finding on the ends that are stated of the player's value, by what lies a few plies below the start."""
    process, name, stated = process_of(case), case.game.players[player], case.claim.interval or {}
    if process.ends_pay and total_of(process) is not None:
        paid = [require_number(node.utilities[player]) for node in process.nodes if isinstance(node, Terminal)]
        paid += process.prices(player)
        for known in zip(*(_worths_ahead(process, player, end) for end in (min(paid), max(paid))), strict=False):
            found = compare_interval(name, stated[name], known)
            if found.ok is not None:
                return found
    wrong = False if case.claim.solver in UNPROVING else None
    return Finding(wrong, ("interval",), f"the value of {name}: nothing in the answer proves the ends")


def _worths_ahead(process: Process, player: int, paid: Number) -> Iterator[Number]:
    """The value of the start to one of two opposed players, or to a lone one, where play is broken off after one ply,
    two and so on, and then pays so much."""

    @cache
    def worth(n: int, plies: int) -> Number:
        node = process.nodes[n]
        if isinstance(node, Terminal):
            return require_number(node.utilities[player])
        if not plies:
            return paid
        after = [worth(m, plies - 1) for m in process.after[n]]
        if isinstance(node, Chance):
            return sum((share * value for (_, share), value in zip(node.outcomes, after, strict=True)), Fraction(0))
        if isinstance(node, Decision):
            return max(after) if node.player == player else min(after)
        rows: dict[str, list[Number]] = {}
        for move, value in zip(moves(node), after, strict=True):
            rows.setdefault(move[player], []).append(value)
        return exact(matrix_game(list(rows.values()))[0])

    for plies in count(1):
        found = worth(0, plies)
        yield found
        if worth.cache_info().currsize > MOST_SEEN or Fraction(found).denominator > GREATEST:
            return


def _check_interval(
    case: VerifierCase, ends: Ends, secured: Sequence[Number], total: Number, is_alone: bool
) -> Iterator[Finding]:
    """The stated interval holds all that the strategies and the promises leave open; one that is narrower fails where
    they are alone, as the solvers of these games have nothing else to prove it by."""
    most = [total - number for number in reversed(secured)] if len(secured) == 2 else secured  # or the best reply
    known = tuple(zip(secured, most, strict=True))
    for name, (low, high) in zip(case.game.players, tightest_bounds(known, case.promised_bounds), strict=True):
        if name in ends and low is not None and high is not None:
            finding = compare_interval(name, ends[name], (low, high))
            yield finding._replace(ok=bool(finding.ok) if is_alone else finding.ok)


def total_of(process: Process) -> Number | None:
    """The sum of the two players' payoffs, if it is the same at all ends and for endless play and all rewards sum to 0;
    0 for a lone player. None if the players are not opposed."""
    paid = [tuple(map(require_number, node.utilities)) for node in process.nodes if isinstance(node, Terminal)]
    price = process.game.promises.forever if process.in_full else None
    gained = [gain for own in process.gains for gain in own]
    if len(process.game.players) == 1:
        return 0
    sums = {exact(sum(map(require_number, vector))) for vector in (*paid, *([price] if price else []))}
    sums |= set() if process.ends_pay and sums else {0}
    return None if len(process.game.players) > 2 or len(sums) > 1 or any(map(sum, gained)) else sums.pop()


def check_equilibria(case: VerifierCase) -> Iterator[Finding]:
    """Nobody gains by leaving any of the listed equilibria, at any position."""
    regrets: list[tuple[Number, ...]] = []
    for number, profile in enumerate(case.claim.equilibria, start=1):
        judged = StationaryJudgement(process_of(case), profile, everywhere=True)
        regrets.append(judged.regret)
        gains = next(judged.gains(), None)
        near = not case.claim.exact and judged.greatest_gain() <= NEARLY
        if gains is not None and near:
            said = f"equilibrium {number}: nobody gains more than 1 in 10^9 by leaving it, at any position"
            yield Finding(True, ("equilibria",), said)
        elif gains is not None:
            player, where, action, _ = gains
            said = f"equilibrium {number} is none: {case.game.players[player]} gains by {action} at {where}"
            yield Finding(False, ("equilibria",), said)
        else:
            fields = ("equilibria", *(("concept",) if case.claim.concept in (NASH, SUBGAME_PERFECT) else ()))
            yield Finding(True, fields, f"nobody gains by leaving equilibrium {number}, at any position")
        paid = case.claim.payoffs[number - 1] if number <= len(case.claim.payoffs) else None
        if paid is not None:
            right = same_all(case.in_order(paid), judged.value)
            named = amounts(case.game.players, judged.value)
            yield Finding(right, ("payoffs",), f"equilibrium {number} pays {named}")
        if case.value is not None:
            yield Finding(same_all(case.value, judged.value), ("value",), f"equilibrium {number} pays the value")
    yield from compare_regret(case, regrets)


def check_best(case: VerifierCase) -> Iterator[Finding]:
    """Where a lone player, or one of two opponents, acts first: the best actions keep the value that the strategies
    secure."""
    claim, process = case.claim, process_of(case)
    node = process.nodes[0]
    if not claim.best or not claim.exact or claim.strategy is None or not isinstance(node, Decision):
        return
    plans, mover, total = process.read(claim.strategy), node.player, total_of(process) or 0
    if process.average:
        yield from _check_best_average(case, process, node, plans)
        return
    # What the mover gets: at most what the other's plan leaves; at least what their own secures, where it leads. Where
    # it says nothing, since it does not lead there, it goes on by the best reply.
    ways = process.ways(plans, mover)
    most = process.worth(mover, ways)
    for n in [n for n in ways if mover in choosers(process.nodes[n]) and n not in plans[mover]]:
        worth = [process.way_worth(mover, n, way, most) for way in ways[n]]
        plans[mover][n] = {process.actions(n, mover)[worth.index(max(worth))]: 1}
    least = most if len(process.game.players) == 1 else {}
    for n in process.after[0] if least is not most else ():
        with suppress(Misfit):
            least[n] = exact(total - process.worth(1 - mover, process.ways(plans, 1 - mover, (n,)))[n])
    worths = {action: process.way_worth(mover, 0, [(1, k)], most) for k, action in enumerate(node.actions)}
    good = [action for action in node.actions if worths[action] == max(worths.values())]
    open_ = [a for a, after in zip(node.actions, process.after[0], strict=True) if least.get(after) != most[after]]
    yield from compare_best(case, [action for action in good if action in claim.best or action not in open_])
    left = [action for action in claim.best if action in open_]
    if left:
        yield Finding(None, ("best",), f"that {listing(left)} best: the strategies do not show it")


def _check_best_average(
    case: VerifierCase, process: Process, node: Decision, plans: list[dict[int, Mixture]]
) -> Iterator[Finding]:
    """Of an average, the best actions lead to the greatest gain, and of these to the greatest bias. With two players
    the other's plan is fixed."""
    mover, start = node.player, range(len(node.actions))
    found = process.average_terms(mover, process.ways(plans, mover))
    worths = [worth_of_way(process.average_way(mover, 0, [(1, k)]), found, process.chance)[:2] for k in start]
    good = [action for action, worth in zip(node.actions, worths, strict=True) if worth == max(worths)]
    yield from compare_best(case, good, sure=good if len(plans) == 1 else ())


def check_line(case: VerifierCase) -> Iterator[Finding]:
    """The line follows the strategy, or the first equilibrium, and goes on to an end, to chance, or until a position
    comes again."""
    claim, process, at = case.claim, process_of(case), 0
    if not claim.line or not claim.profiles:
        return
    met = [at]
    for action in claim.line:
        names = list(map(move_text, moves(process.nodes[at])))
        player = next(iter(choosers(process.nodes[at])), None)
        if action not in names:
            return  # which `check_play` says
        told = claim.profiles[0].get(case.game.players[player or 0], {})
        if player is not None and not told.get(process.game.describe(process.states[at], player), {}).get(action):
            yield Finding(False, ("line",), f"the line is not what the strategies do: {action}")
            return
        at = process.after[at][names.index(action)]
        met.append(at)
    done = at in met[:-1] or not isinstance(process.nodes[at], Decision)
    yield Finding(done, ("line",), "the line is what the strategies do" if done else "the line stops before the end")


def check_counts(case: VerifierCase) -> Iterator[Finding]:
    """The counts are those of the positions: with positions of chance for policy iteration, without them for other
    solvers."""
    nodes = process_of(case).nodes
    chances = 0 if case.claim.solver == "policy-iteration" else sum(isinstance(node, Chance) for node in nodes)
    sizes = {"nodes": len(nodes) - chances, "leaves": sum(isinstance(node, Terminal) for node in nodes)}
    sizes["states"] = sizes["nodes"]
    yield from compare_counts(case, sizes)


UNPROVING = ("stationary", "markov-perfect")  # solvers that without strategies know only what ends pay
SOLVERS = ("shapley", *UNPROVING, "policy-iteration")
CHECKS = (
    VerifierCheck(check_strategy, ("strategy", "value", "regret", "interval")),
    VerifierCheck(check_equilibria, ("equilibria", "payoffs", "value", "regret")),
    VerifierCheck(check_best, ("best",)),
    VerifierCheck(check_line, ("line",)),
    VerifierCheck(check_counts, ("nodes", "leaves", "states")),
)
