"""Sets of payoffs of subgame-perfect equilibria in discounted games that need not end, from the definition.

A state of the automaton pays what its move gains, and `discount` times what the states pay on average in which play
goes on. If that is so of all states, and nobody gains by another action once, though play then goes on in the state
that is worst for who did it, then no longer deviation gains either (Abreu, Pearce and Stacchetti 1990; Blackwell 1965).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from math import isfinite
from typing import Any

from gdl.errors import DamagedData
from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.states.explore import choosers, moves
from gdl.wings.verify import stationary
from gdl.wings.verify.case import VerifierCase, VerifierCheck
from gdl.wings.verify.claim import amounts, read_amounts, same_all
from gdl.wings.verify.stationary import Process, process_of
from gdl.wings.verify.verdict import Finding, Misfit

Paid = Callable[[int], Number]  # what a position pays a player


class ClaimedSet:
    """The corners and the automaton of an answer: by state its payoffs, and with which chances play goes on in which
    states; and the states of each position. Raises Misfit where they are not such."""

    def __init__(self, case: VerifierCase):
        self.process = process = process_of(case)
        try:
            told, self.play = case.claim.data["payoff_set"], case.claim.equilibria[0]
            starts = [(one["payoffs"], one["first"]) for one in [*told["corners"], told["chosen"]]]
            self.starts = [(case.in_order(read_amounts(a, "corner")), read_amounts(b, "first")) for a, b in starts]
            self.paid = {k: case.in_order(read_amounts(one["payoffs"], k)) for k, one in told["states"].items()}
            self.then = {k: read_amounts(one["then"], k) for k, one in told["states"].items()}
            at = {k: set(one["positions"]) for k, one in told["states"].items()}
        except (AttributeError, IndexError, KeyError, TypeError, DamagedData) as wrong:
            raise Misfit(f"the set of payoffs is not in its form: {wrong}") from None
        if not all(map(isfinite, chain(*self.paid.values(), *(told for told, _ in self.starts)))):
            raise Misfit("somebody's payoff is missing")
        named = [case.game.describe(state, 0) for state in process.states]
        self.acting = [n for n, node in enumerate(process.nodes) if not isinstance(node, Chance)]
        self.states = {n: [k for k, own in at.items() if named[n] in own] for n in self.acting}
        if not all(self.states.values()) or len({named[n] for n in self.acting}) < len(self.acting):
            raise Misfit("a position has no states, or the name of another one")
        if any(own.keys() - self.paid.keys() for own in self.play.values()):
            raise Misfit("an action is told of no state")

    def mean_payoff(self, then: Mapping[str, Any], player: int, n: int) -> Number:
        """The mean payoff of the player by the states of a position where play goes on by these chances."""
        own = {k: then[k] for k in self.states[n] if k in then}
        if min(own.values(), default=-1) < 0 or sum(own.values()) != 1:
            raise Misfit("the chances of the states of a position do not sum to 1")
        return exact(sum(share * self.paid[k][player] for k, share in own.items()))

    def worst_payoff(self, player: int, n: int) -> Number:
        """The payoff of the player by the worst state of a position."""
        return exact(min(Fraction(self.paid[k][player]) for k in self.states[n]))


def paid_by(process: Process, player: int, n: int, move: int, paid: Paid) -> Number:
    """The payoff of the player by a move: its gain, that of chance after it, and `discount` times what follows."""
    after, gain = process.after[n][move], process.gains[n][move][player]
    node = process.nodes[after]
    if not isinstance(node, Chance):
        return exact(gain + process.discount * paid(after))
    ways = [share * paid_by(process, player, after, k, paid) for k, (_, share) in enumerate(node.outcomes)]
    return exact(gain + sum(ways, Fraction(0)))


def check_set(case: VerifierCase) -> Iterator[Finding]:
    """Each state pays what it says, nobody gains by leaving it, and the corners are mixtures of what states pay."""
    held, players = ClaimedSet(case), range(len(case.game.players))
    for n, k in ((n, k) for n, own in held.states.items() for k in own):
        if any(_is_wrong_at(case, held, n, k, p) for p in players):
            yield Finding(False, ("payoff_set", "equilibria"), f"state {k} does not pay this, or somebody gains there")
            return
    yield Finding(
        True, ("payoff_set", "equilibria", "concept"), f"nobody gains by leaving any of {len(held.then)} states"
    )
    for told, first in held.starts:
        begun = [n for n in held.acting if not first.keys().isdisjoint(held.states[n])]
        try:
            paid = [held.process.start(p, {n: held.mean_payoff(first, p, n) for n in begun}) for p in players]
        except KeyError:
            raise Misfit("a position at which play begins has none of the first states") from None
        if not same_all(told, paid):
            yield Finding(False, ("payoff_set",), f"what is to pay {told} pays {amounts(case.game.players, paid)}")
    same = case.claim.payoffs and same_all(case.in_order(case.claim.payoffs[0]), held.starts[-1][0])
    yield Finding(bool(same), ("payoffs",), "the equilibrium pays what was chosen")
    yield Finding(None, ("interval", "payoff_set"), "that no equilibrium pays anything outside (the outer set)")
    yield Finding(not any((case.claim.regret or {}).values()), ("regret",), "nobody gains by leaving the equilibrium")


def _is_wrong_at(case: VerifierCase, held: ClaimedSet, n: int, k: str, player: int) -> bool:
    """True if a state pays the player something else at a position, or another action pays more."""
    node, process = held.process.nodes[n], held.process
    if isinstance(node, Terminal):
        return held.paid[k][player] != require_number(node.utilities[player])
    plays, made = {p: held.play.get(case.game.players[p], {}).get(k, {}) for p in choosers(node)}, 0
    for move, name in enumerate(moves(node)):
        done = {p: plays[p].get(name[p] if isinstance(name, tuple) else name) == 1 for p in plays}
        if all(done.values()):
            pays = paid_by(process, player, n, move, lambda m: held.mean_payoff(held.then[k], player, m))
            if pays != held.paid[k][player]:
                return True
            made += 1
            continue
        alone = all(done[p] for p in plays if p != player)
        if alone and paid_by(process, player, n, move, lambda m: held.worst_payoff(player, m)) > held.paid[k][player]:
            return True
    return made != 1 or any(len(own) != 1 for own in plays.values())


CHECKS = (
    VerifierCheck(check_set, ("payoff_set", "equilibria", "payoffs", "regret")),
    VerifierCheck(stationary.check_counts, ("nodes", "leaves", "states")),
)
