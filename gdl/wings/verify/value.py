"""The value of an exact answer, and the interval of any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from gdl.errors import DamagedData
from gdl.game import Number, Terminal, bound_text, exact, require_number
from gdl.numbers import brief
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import amounts, same, same_all
from gdl.wings.verify.linear import matrix_game
from gdl.wings.verify.plans import plans_of
from gdl.wings.verify.verdict import Finding, Unchecked

OPEN = {"unknowns", "conditions"}  # fields of an answer whose value is that of every filled game
LARGEST_TABLE = 1_000  # the most cells of a table of plans whose value is worked out
LISTED = 20_000  # information sets; the strategies of larger games are not in an answer


def check_value(case: VerifierCase) -> Iterator[Finding]:
    """The value is that of backward induction, or is proved by the answer's own strategies or equilibria."""
    value = case.value
    if value is None or OPEN & set(case.claim.keys):
        return
    ground = case.graph
    if case.claim.secured:
        yield _against_all(case, value)
    elif ground.open and (case.is_strictly_competitive or len(value) == 1):
        yield _check_induction(case, value)
    elif ground.open:
        yield from _possible_value(case, value)
    else:
        yield from _by_strategies(case, value)


def _check_induction(case: VerifierCase, value: Sequence[Number | float]) -> Finding:
    low, high = case.worth(0)[0]
    if low != high and case.graph.cyclic and case.graph.chance:
        raise Unchecked(f"better and better strategies only prove that it lies between {low} and {high}")
    if low != high:
        promised = case.game.promises.bounds(case.game.initial()) is not None  # bounds may leave a single value
        said = f"the value depends on what the file leaves open: it lies between {low} and {high}"
        return Finding(None if promised and low <= value[0] <= high else False, ("value",), said)
    actual = (low,) if len(value) == 1 or case.total is None else (low, case.total - low)
    if same_all(value, actual):
        return Finding(True, ("value",), f"backward induction gives the value {amounts(case.game.players, value)}")
    if not same(value[0], low):
        said = f"backward induction gives {case.game.players[0]} {low}, and the answer says {value[0]}"
        return Finding(False, ("value",), said)
    return Finding(False, ("value",), f"the value {amounts(case.game.players, value)} does not sum to {case.total}")


def _against_all(case: VerifierCase, value: Sequence[Number | float]) -> Finding:
    known = [case.worth(player)[0] for player in range(len(value))]
    actual = [low for low, _ in known]
    if all(low == high for low, high in known) and same_all(value, actual):
        said = f"alone against all others they secure {amounts(case.game.players, value)}"
        return Finding(True, ("value", "secured"), said)
    return Finding(False, ("value",), f"alone against all others they secure {amounts(case.game.players, actual)}")


def _possible_value(case: VerifierCase, value: Sequence[Number | float]) -> Iterator[Finding]:
    """Backward induction can give the value, or else the answer's own equilibrium, which need not be subgame-perfect,
    pays it."""
    actual = next((vector for vector in case.outcomes[0] if same_all(value, vector)), None)
    if actual is not None:
        yield Finding(True, ("value",), f"backward induction can give {amounts(case.game.players, value)}")
        return
    paid = list(_by_strategies(case, value)) if case.claim.strategy or case.claim.equilibria else []
    wrong = f"backward induction does not give {amounts(case.game.players, value)}"
    yield from paid or [Finding(False, ("value",), wrong)]


def _by_strategies(case: VerifierCase, value: Sequence[Number | float]) -> Iterator[Finding]:
    """The answer's own strategies prove the value, in games where something is hidden. (A strategy that fails to secure
    it, or a profile that is no equilibrium, is found by its own check.)"""
    claim, players = case.claim, range(len(value))
    if claim.strategy and all(case.speaks_for(claim.strategy, player) for player in players):
        if case.is_strictly_competitive:
            secures = [case.secured_by(claim.strategy, player) for player in players]
            if same_all(value, secures):
                said = f"the strategies prove from both sides {amounts(case.game.players, value)}"
                yield Finding(True, ("value",), said)
            return
        profile = claim.strategy
    elif claim.equilibria:
        profile = claim.equilibria[0]
    else:
        if len(case.graph.positions.information_sets) > LISTED:
            raise Unchecked("the strategies that would prove it are too many to be listed")
        yield Finding(False, ("value",), "the answer gives no strategies that would prove its value")
        return
    judgement = case.judge_profile(profile)
    if not any(judgement.regret) and same_all(value, judgement.value):
        yield Finding(True, ("value",), f"the equilibrium pays {amounts(case.game.players, value)}")


# ---- What all ends show -------------------------------------------------------------------------------------------


def check_promised(case: VerifierCase) -> Iterator[Finding]:
    """Check the value against the promises: a number that no end pays is nobody's value; an interval that leaves out no
    end holds, and the value lies in it.

    No position is looked at for it.
    """
    stated = case.claim.value or {}
    # An evaluation may be on a scale of its own.
    bounded = case.claim.exact or case.game.evaluate(case.game.initial()) is None
    for name, (low, high) in (case.claim.interval or {}).items():
        if low > high:
            yield Finding(False, ("interval",), f"{name}: no number lies between {low} and {high}")
        elif (
            bounded
            and name in stated
            and not (low <= stated[name] <= high or any(same(stated[name], end) for end in (low, high)))
        ):
            yield Finding(False, ("value",), f"{name}: {stated[name]} does not lie between {low} and {high}")
    if case.game.traits.unknowns or case.game.promises.rewards is not None:
        return
    told_of = () if case.claim.value is None or not bounded else case.in_order(case.claim.value)
    for name, told, (least, most) in zip(case.game.players, told_of, case.promised_bounds, strict=False):
        if any(end is not None and not same(told, end) and (told < end) is below
               for end, below in ((least, True), (most, False))):  # fmt: skip
            yield Finding(False, ("value",), f"{name} gets {bound_text(least, most)} at every end, not {told}")
    for player, name in enumerate(case.game.players):
        if is_promised(case, player):
            (low, high), (least, most) = (case.claim.interval or {})[name], case.promised_bounds[player]
            said = f"every end pays {name} between {least} and {most}, and so the value lies between {low} and {high}"
            yield Finding(True, ("interval",), said)


def is_promised(case: VerifierCase, player: int) -> bool:
    """True if the player's stated interval holds all that an end may pay."""
    (least, most), ends = case.promised_bounds[player], (case.claim.interval or {}).get(case.game.players[player])
    return ends is not None and least is not None and most is not None and ends[0] <= least and most <= ends[1]


def within_promises(case: VerifierCase) -> Iterator[Finding]:
    """The known bounds of an exact value that there was no time to prove."""
    for name, told, (least, most) in zip(case.game.players, case.value or (), case.promised_bounds, strict=False):
        if least is not None and most is not None:
            said = f"the value of {name}, {told}: in this time it is only known to lie between {least} and {most}"
            yield Finding(None, ("value",), said)


# ---- The interval -------------------------------------------------------------------------------------------------


def check_interval(case: VerifierCase) -> Iterator[Finding]:
    """The stated interval holds the value: proved by the value's known bounds, or by the strategies."""
    ends = case.claim.interval
    if ends is None or case.is_followed:
        return
    left = [p for p, name in enumerate(case.game.players) if name in ends and not is_promised(case, p)]
    known = list(_known_ends(case)) if left else []
    for player in left:
        name = case.game.players[player]
        finding = compare_interval(name, ends[name], known[player])
        if finding.ok is None and case.is_strictly_competitive:
            with suppress(Unchecked):
                pays = plans_of(case).pays(player)
                if sum(map(len, pays)) <= LARGEST_TABLE:
                    finding = compare_interval(name, ends[name], (exact(matrix_game(pays)[0]),) * 2)
        yield finding


def compare_interval(name: str, ends: tuple[Number | float, ...], known: tuple[Number | float, ...]) -> Finding:
    """A finding on the stated ends of a player's value, compared with the known bounds."""
    (low, high), (least, most) = ends, known
    said = f"the value of {name} lies between {brief(least)} and {brief(most)}"
    if low > high or low > most or high < least:
        return Finding(False, ("interval",), f"{said}, and the answer says between {low} and {high}")
    if low <= least and most <= high:
        return Finding(True, ("interval",), f"{said}, and so between {low} and {high}")
    return Finding(None, ("interval",), f"{said}: whether between {low} and {high} is not shown")


def _known_ends(case: VerifierCase) -> Iterator[tuple[Number | float, Number | float]]:
    """The bounds of each player's value, from the values of positions or from strategies of both sides; else what ends
    pay."""
    players, strategy = range(len(case.game.players)), case.claim.strategy
    if case.graph.open and case.has_one_number:
        yield from (case.worth(player)[0] for player in players)
        return
    if not case.is_strictly_competitive or strategy is None or case.total is None:
        if case.graph.cyclic:
            raise Unchecked("nothing in the answer proves the ends")
        paid = (node.utilities for node in case.graph.positions.nodes if isinstance(node, Terminal))
        yield from ((min(own), max(own)) for own in zip(*(map(require_number, one) for one in paid), strict=True))
        return
    try:
        secured = [case.secured_by(strategy, player) for player in players]
    except DamagedData as fault:
        raise Unchecked(str(fault)) from None
    yield from ((secured[player], case.total - secured[1 - player]) for player in players)
