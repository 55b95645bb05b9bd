"""The verifier: checks a saved answer again, knowing nothing of how it was found.

1. Strategies prove a value of constant sum from their own side: against each, the other's best response is computed.
2. Profiles are judged: an equilibrium has no regret.
3. With perfect information the value and the best actions are computed anew (`worth`); otherwise a best action must be
   a best response to the other side's proved strategy.
4. The line must be legal play and, where all is certain, end in the value.

What the answer says of the search itself (nodes, pruned subtrees) is not checked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from gdl.errors import DamagedData, GameError, Refusal, listing
from gdl.explore import move_text, moves
from gdl.game import Chance, Decision, Game, Number, Terminal, Unknown, exact
from gdl.sequential import Sequential
from gdl.solution import Profile
from solvers.behaviour import read_profile
from solvers.budget import Budget
from solvers.positions import LIMIT, Place, Positions, explore
from solvers.regret import best_response, judge
from solvers.verify.claim import Claim, read_claim
from solvers.verify.worth import Interval, intervals, optimal, outcomes


@dataclass(frozen=True)
class Verdict:
    """Whether everything that was checked holds (and something does, if the answer states anything as exact), line by
    line."""

    ok: bool
    lines: tuple[str, ...]


class Finding(NamedTuple):
    """One check: passed, failed, or (None) not made."""

    ok: bool | None
    text: str

    def __str__(self) -> str:
        return f"{_WORDS[self.ok]}: {self.text}"


_WORDS = {True: "holds", False: "FAILS", None: "not checked"}


def verify(game: Game[Any], answer: Mapping[str, Any], *, limit: int = LIMIT) -> Verdict:
    """Check a `gdl solve --json` answer against the game.

    Raises DamagedData if the answer is not in that form, LimitReached beyond `limit` positions, Refusal where
    positions of the game can come again.
    """
    claim = read_claim(answer)
    findings = list(_same_game(game, claim))
    if not findings and claim.is_estimate():
        findings = list(_estimated(game, claim))
    elif not findings:
        case = Case(game, explore(game, Budget(limit)), claim)
        findings = [finding for check in CHECKS for finding in check(case)]
        if not claim.names() and not claim.best and not claim.line:
            findings.append(Finding(None, "the answer states no value, strategy or equilibrium"))
        elif claim.exact and not any(finding.ok for finding in findings):
            findings.append(Finding(False, "nothing in the answer proves it"))
    return Verdict(all(finding.ok is not False for finding in findings), tuple(map(str, findings)))


def _same_game(game: Game[Any], claim: Claim) -> Iterator[Finding]:
    """What shows that the answer belongs to another game."""
    if claim.game != game.name:
        yield Finding(False, f"the answer is for {claim.game}, the game is {game.name}")
    elif claim.names() and set(claim.names()) != set(game.players):
        yield Finding(
            False, f"the answer is for the players {listing(claim.names())}; {game.name} has {listing(game.players)}"
        )
    for trait, claimed in claim.traits.items():
        actual = getattr(game.traits, trait, None)
        if None not in (claimed, actual) and claimed != actual:
            yield Finding(False, f"the answer is for a game with {trait} {claimed}; {game.name} has {actual}")


def _estimated(game: Game[Any], claim: Claim) -> Iterator[Finding]:
    """An estimate without strategies proves nothing, so no position beyond its line is looked at."""
    if claim.value is not None:
        yield Finding(None, "the value is an estimate by the answer's own account")
    turns = Sequential(game)
    state = turns.initial()
    for number, action in enumerate(claim.line):
        if action not in map(move_text, moves(turns.node(state))):
            before = ", ".join(claim.line[:number]) or "the start"
            yield Finding(False, f"the line cannot be played: no {action} after {before}")
            return
        state = turns.successor(state, action)
    if claim.line:
        yield Finding(True, "the line can be played")
    start = turns.node(turns.initial())
    if claim.best and isinstance(start, Decision):
        foreign = [action for action in claim.best if action not in start.actions]
        if foreign:
            yield Finding(False, f"nobody can begin with {listing(foreign, 'or')}")
        else:
            yield Finding(None, "the best actions are an estimate by the answer's own account")
    yield from _of_search(claim)


@dataclass(frozen=True)
class Case:
    """The game, its positions and the claim, and what several checks need."""

    game: Game[Any]
    positions: Positions
    claim: Claim

    @cached_property
    def total(self) -> Number | None:
        """The constant sum, if there is one."""
        found = self.positions.constant_sum()
        return self.game.traits.constant_sum if found is None else found

    @property
    def opposed(self) -> bool:
        """Whether one player's gain is the other's loss."""
        return len(self.game.players) == 2 and self.total is not None

    @cached_property
    def open(self) -> bool:
        """Whether whoever moves always knows the position."""
        return self.positions.open_to_all()

    @property
    def value(self) -> tuple[Number | float, ...] | None:
        """The value that is to be proved; None where there is none or it is an estimate."""
        if self.claim.value is None or not self.claim.exact:
            return None
        return tuple(self.claim.value.get(player, math.nan) for player in self.game.players)

    @cached_property
    def securities(self) -> list[list[Interval]]:
        """For every player, what each position is worth to them against all others together."""
        return [intervals(self.positions, player) for player in range(len(self.game.players))]

    @cached_property
    def bounds(self) -> list[Interval]:
        return intervals(self.positions)

    def names_strategy_of(self, player: int) -> bool:
        """Whether the answer says anything of what the player does, or there is nothing to say."""
        assert self.claim.strategy is not None
        return bool(self.claim.strategy.get(self.game.players[player])) or not self.positions.sets_of(player)


def same(claimed: Number | float, actual: Number | float) -> bool:
    """Whether the claimed number is the actual one; a float need only be close."""
    if isinstance(claimed, float):
        return math.isclose(claimed, actual, rel_tol=1e-9, abs_tol=1e-9)
    return claimed == actual


def _amounts(players: Sequence[str], numbers: Sequence[Number | float]) -> str:
    return ", ".join(f"{player} {number}" for player, number in zip(players, numbers, strict=True))


def check_equilibria(case: Case) -> Iterator[Finding]:
    """Every equilibrium has no regret, and pays the value if there is one."""
    for number, profile in enumerate(case.claim.equilibria, start=1):
        name = f"equilibrium {number}"
        yield from _judged(case, name, profile, equilibrium=True)


def _judged(case: Case, name: str, profile: Profile, *, equilibrium: bool) -> Iterator[Finding]:
    """Findings on a profile: its regret, and what it pays."""
    players = case.game.players
    try:
        judgement = judge(case.positions, read_profile(case.positions, profile))
    except (DamagedData, GameError, Refusal) as fault:
        yield Finding(False, f"{name}: {fault}")
        return
    if any(judgement.regret) and equilibrium:
        yield Finding(False, f"{name} is none: by deviating could gain {_amounts(players, judgement.regret)}")
    elif any(judgement.regret):
        yield Finding(None, f"{name}: by deviating could gain {_amounts(players, judgement.regret)}")
    else:
        yield Finding(True, f"{name}: nobody gains by deviating; it pays {_amounts(players, judgement.value)}")
    if case.value is not None and not all(map(same, case.value, judgement.value)):
        yield Finding(False, f"{name} pays {_amounts(players, judgement.value)}, which is not the value")


def check_strategy(case: Case) -> Iterator[Finding]:
    """The strategy secures the value: of each side in a game of two opposed players, of all together elsewhere."""
    strategy = case.claim.strategy
    if strategy is None:
        return
    if case.claim.secured:
        yield from _secured(case, strategy)
        return
    if not case.opposed:
        yield from _judged(case, "the strategy", strategy, equilibrium=case.claim.exact)
        return
    assert case.total is not None
    for player, name in enumerate(case.game.players):
        if not case.names_strategy_of(player):
            continue
        try:
            behaviour = read_profile(case.positions, strategy)
            secured = exact(case.total - best_response(case.positions, behaviour, 1 - player).value)
        except (DamagedData, GameError, Refusal) as fault:
            yield Finding(False, f"the strategy of {name}: {fault}")
            continue
        if case.value is None or same(case.value[player], secured):
            yield Finding(True, f"the strategy of {name} secures {secured} whatever the other does")
        else:
            yield Finding(False, f"the strategy of {name} secures {secured}, and the answer says {case.value[player]}")


def _secured(case: Case, strategy: Profile) -> Iterator[Finding]:
    """Each player's strategy secures their value against all others together."""
    for player, name in enumerate(case.game.players):
        if not case.open or not case.names_strategy_of(player):
            continue
        try:
            behaviour = read_profile(case.positions, {name: strategy[name]})
            low, high = intervals(case.positions, player, behaviour)[0]
        except (DamagedData, GameError, Refusal) as fault:
            yield Finding(False, f"the strategy of {name}: {fault}")
            continue
        ok = case.value is None or (low == high and same(case.value[player], low))
        yield Finding(ok, f"the strategy of {name} secures {low} whatever the others do")


def check_regret(case: Case) -> Iterator[Finding]:
    """The stated regret is that of the strategy, or of the first equilibrium."""
    claimed, profiles = case.claim.regret, (case.claim.strategy, *case.claim.equilibria)
    profile = next((profile for profile in profiles if profile is not None), None)
    if claimed is None or profile is None:
        return
    try:
        actual = judge(case.positions, read_profile(case.positions, profile)).regret
    except (DamagedData, GameError, Refusal) as fault:
        yield Finding(False, f"the regret: {fault}")
        return
    stated = [claimed.get(player, math.nan) for player in case.game.players]
    if all(map(same, stated, actual)):
        yield Finding(True, f"the regret is {_amounts(case.game.players, actual)}")
    else:
        yield Finding(False, f"the regret is {_amounts(case.game.players, actual)}, and the answer says otherwise")


def check_value(case: Case) -> Iterator[Finding]:
    """The value is what backward induction gives, or what the answer's own strategies or equilibria prove."""
    claim, value = case.claim, case.value
    if claim.value is None:
        return
    if value is None:
        yield Finding(None, "the value is an estimate by the answer's own account")
    elif case.claim.secured and case.open:
        yield _secures(case, value)
    elif case.open and (case.opposed or len(value) == 1):
        yield _induced(case, value)
    elif case.open:
        yield _possible(case, value)
    elif not claim.equilibria and not (claim.strategy and all(map(case.names_strategy_of, range(len(value))))):
        yield Finding(False, "the answer gives no strategies that would prove its value")


def _induced(case: Case, value: Sequence[Number | float]) -> Finding:
    low, high = case.bounds[0]
    if len(value) == 2 and case.total is not None and not same(value[1], case.total - value[0]):
        return Finding(False, f"the value {_amounts(case.game.players, value)} does not sum to {case.total}")
    if same(value[0], low) and low == high:
        return Finding(True, f"backward induction gives the value {_amounts(case.game.players, value)}")
    if low <= value[0] <= high:
        return Finding(None, f"the value depends on unknown utilities: it lies between {low} and {high}")
    return Finding(False, f"backward induction gives {case.game.players[0]} {low}, and the answer says {value[0]}")


def _secures(case: Case, value: Sequence[Number | float]) -> Finding:
    known = [found[0] for found in case.securities]
    if all(same(claimed, low) and low == high for claimed, (low, high) in zip(value, known, strict=True)):
        return Finding(True, f"alone against all others they secure {_amounts(case.game.players, value)}")
    return Finding(False, f"alone against all others they secure {_amounts(case.game.players, [k[0] for k in known])}")


def _possible(case: Case, value: Sequence[Number | float]) -> Finding:
    found = _outcomes(case)
    if found is None:
        return Finding(None, "the value: ties can be broken in too many ways")
    if any(all(map(same, value, vector)) for vector in found[0]):
        return Finding(True, f"backward induction can give {_amounts(case.game.players, value)}")
    return Finding(False, f"backward induction does not give {_amounts(case.game.players, value)}")


def _outcomes(case: Case) -> list[list[tuple[Number, ...]]] | None:
    try:
        return outcomes(case.positions)
    except GameError:
        return None


def check_best(case: Case) -> Iterator[Finding]:
    """Every best action is one."""
    claimed, start = case.claim.best, _first_decision(case.positions)
    if not claimed:
        return
    h = None if start is None else case.positions.sets[start]
    actions = () if h is None else case.positions.information_sets[h].actions
    foreign = [action for action in claimed if action not in actions]
    if foreign:
        yield Finding(False, f"nobody can begin with {listing(foreign, 'or')}")
    elif not case.claim.exact:
        yield Finding(None, "the best actions are an estimate by the answer's own account")
    elif start is not None:
        yield _compared(claimed, _proved_best(case, start))


def _compared(claimed: Sequence[str], proved: Sequence[str] | None) -> Finding:
    if proved is None:
        return Finding(None, "the best actions")
    wrong = [action for action in claimed if action not in proved]
    if wrong:
        return Finding(False, f"{listing(wrong)} {_is_or_are(wrong)} not best; {listing(proved)} {_is_or_are(proved)}")
    return Finding(True, f"{listing(claimed)} {_is_or_are(claimed)} best")


def _is_or_are(words: Sequence[str]) -> str:
    return "is" if len(words) == 1 else "are"


def _first_decision(positions: Positions) -> int | None:
    """The first position at which somebody decides, after chance alone."""
    position = 0
    while isinstance(positions.nodes[position], Chance):
        position = positions.successors[position][0]
    return position if isinstance(positions.nodes[position], Decision) else None


def _proved_best(case: Case, start: int) -> list[str] | None:
    """The actions that can be proved best at the first decision; None if none can."""
    node, after = case.positions.nodes[start], case.positions.successors[start]
    assert isinstance(node, Decision)
    if not case.open:
        good = _best_replies(case, start, node.player)
        return None if good is None else [node.actions[k] for k in good]
    if start > 0:
        return None  # chance comes first, and every outcome has best actions of its own
    if case.claim.secured:
        held = case.securities[node.player]
        return [a for a, s in zip(node.actions, after, strict=True) if {*held[s]} == {*held[0]}]
    if case.opposed or len(case.game.players) == 1:
        return [a for a, s in zip(node.actions, after, strict=True) if {*case.bounds[s]} == {*case.bounds[0]}]
    found = _outcomes(case)
    if found is None:
        return None
    choices = optimal([found[successor] for successor in after], node.player)
    return [action for action, vectors in zip(node.actions, choices, strict=True) if vectors]


def _best_replies(case: Case, start: int, player: int) -> Sequence[int] | None:
    """The best replies, at the first decision, to what the answer has the others do."""
    h = case.positions.sets[start]
    profile = case.claim.strategy or next(iter(case.claim.equilibria), None)
    if h is None or (profile is None and len(case.game.players) > 1):
        return None
    try:
        behaviour = read_profile(case.positions, profile or {})
        return best_response(case.positions, behaviour, player).choices.get(h)
    except (DamagedData, GameError, Refusal):
        return None


def check_line(case: Case) -> Iterator[Finding]:
    """The line can be played and, if it ends the game without chance, pays the value."""
    if not case.claim.line or case.game.traits.simultaneous:
        return
    position, sure = 0, True
    for action in case.claim.line:
        node = case.positions.nodes[position]
        names = _names(node)
        if action not in names:
            yield Finding(False, f"the line cannot be played: no {action} after {_played(case, action)}")
            return
        sure = sure and not isinstance(node, Chance)
        position = case.positions.successors[position][names.index(action)]
    end = case.positions.nodes[position]
    if isinstance(end, Terminal) and sure and case.open and case.value is not None:
        pays = list(zip(case.value, end.utilities, strict=True))
        start = case.positions.nodes[0]
        if case.claim.secured and isinstance(start, Decision):  # only the first mover plays it by their strategy
            pays = [pays[start.player]]
        if not all(not isinstance(u, Unknown) and same(v, u) for v, u in pays):
            yield Finding(False, "the line does not end in the value")
            return
    yield Finding(True, "the line can be played")


def _names(node: Place) -> list[str]:
    if isinstance(node, Chance):
        return [action for action, _ in node.outcomes]
    return list(node.actions) if isinstance(node, Decision) else []


def _played(case: Case, action: str) -> str:
    return ", ".join(case.claim.line[: case.claim.line.index(action)]) or "the start"


def mention_search(case: Case) -> Iterator[Finding]:
    """What the answer says of the search is left to those who repeat it."""
    yield from _of_search(case.claim)


def _of_search(claim: Claim) -> Iterator[Finding]:
    if claim.search:
        yield Finding(None, f"{listing(claim.search)} (of the search, not of the game)")


CHECKS: tuple[Callable[[Case], Iterator[Finding]], ...] = (
    check_value,
    check_strategy,
    check_equilibria,
    check_regret,
    check_best,
    check_line,
    mention_search,
)
