"""The best actions of an exact answer: each of them must be one.

With perfect information, an action is best that keeps the value of the start for its mover. Elsewhere it must
be a best reply to what the others do by the answer's strategies, or by one of its equilibria; that alone does not make
it best against everything, so it must also be what these do for certain, or lead to a subgame of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from gdl.errors import DamagedData, listing
from gdl.game import Chance, Decision, Game, Number, Terminal
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.numbers import same_all
from gdl.solvers.verify.perfection import subgames
from gdl.solvers.verify.position_graph import reach
from gdl.solvers.verify.replies import best_reply
from gdl.solvers.verify.value import LISTED, OPEN
from gdl.solvers.verify.verdict import UNTIED, Finding, Unchecked
from gdl.states.explore import move_text, moves
from gdl.states.sequential import Sequential


def check_best(case: VerifierCase) -> Iterator[Finding]:
    """Every action listed as best is best, and every best action is listed."""
    claimed = case.claim.best
    if not claimed or not case.claim.exact or OPEN & set(case.claim.keys):
        return
    starts, positions = case.first_decisions, case.graph.positions
    if not set(claimed) <= set(_first_actions(case)):
        return  # which `check_order` says
    if _is_silent(case):
        yield Finding(False, ("best",), "nothing in the answer proves it")
        return
    if len({positions.sets[start] for start in starts}) > 1:
        raise Unchecked("chance comes first, and who moves first knows what it brought")
    if case.graph.open:
        proved = _keeping(case, starts[0])
        sure = _surely_keeping(case, starts[0], proved)
        decided = {*sure, *claimed} if case.claim.profiles else proved  # by how the others settle their ties there
        yield from compare_best(case, [action for action in proved if action in decided], sure=sure)
    else:
        yield from _hidden(case, starts[0])


def _is_silent(case: VerifierCase) -> bool:
    """True if something is hidden and the answer says nothing of how anybody plays, so that nothing proves its best
    actions."""
    claim, ground = case.claim, case.graph
    if ground.open or claim.strategy is not None or claim.equilibria or len(case.game.players) == 1:
        return False
    if len(ground.positions.information_sets) > LISTED:
        raise Unchecked("the strategies that would prove it are too many to be listed")
    return True


def _is_or_are(words: Sequence[str]) -> str:
    return "is" if len(words) == 1 else "are"


def compare_best(
    case: VerifierCase, proved: Sequence[str], extent: str = "", sure: Collection[str] | None = None
) -> Iterator[Finding]:
    """Compare the actions that the answer lists as best with `proved`, all that are, or may be: those of `sure` are, if
    it is given. `extent` is what limits that, in words (as far as a search sees): then missing ties are no fault."""
    claimed = case.claim.best
    wrong = [action for action in claimed if action not in proved]
    if wrong:
        said = f"{listing(wrong)} {_is_or_are(wrong)} not best{extent}; {listing(proved)} {_is_or_are(proved)}"
        yield Finding(False, ("best",), said)
        return
    yield Finding(True, ("best",), f"{listing(claimed)} {_is_or_are(claimed)} best{extent}")
    others = [action for action in proved if action not in claimed]
    missing = [action for action in others if sure is None or action in sure]
    if missing and not extent and not any(UNTIED in note for note in case.claim.notes):
        yield Finding(False, ("best",), f"{listing(missing)} {_is_or_are(missing)} as good, and not listed")
    elif others:
        are = _is_or_are(others) if sure is None else "may be"
        said = f"that no other action is best: {listing(others)} {are} as good{extent}"
        yield Finding(None, ("best",), said)


def check_order(case: VerifierCase) -> Iterator[Finding]:
    """The list of best actions is in order: first the one to be played, with which the line begins or which the
    strategy plays, then the others in the order of the file, none twice. Only the beginning of the game is looked
    at."""
    claimed, (first, *_) = case.claim.best, (*case.claim.line, None)
    if not claimed:
        return
    if len(set(claimed)) < len(claimed):
        yield Finding(False, ("best",), "a best action is listed twice")
    node = case.game.node(case.game.initial())
    first_actions = _first_actions(case)
    if first is None and case.claim.strategy is not None and isinstance(node, Decision):
        name = case.game.describe(case.game.initial(), node.player)
        played = case.claim.strategy.get(case.game.players[node.player], {}).get(name, {})
        first = (
            claimed[0] if played.get(claimed[0]) else next((action for action in claimed if played.get(action)), None)
        )
    foreign = [action for action in claimed if action not in first_actions]
    if foreign:
        yield Finding(False, ("best",), f"nobody can begin with {listing(foreign, 'or')}")
    elif (first not in (None, claimed[0])) or list(claimed[1:]) != sorted(claimed[1:], key=first_actions.index):
        yield Finding(False, ("best",), "the action to play comes first, and the others in the order of the file")


def _first_actions(case: VerifierCase) -> list[str]:
    """The actions of whoever moves first, after chance alone, in the order of the file."""
    turns: Game[Any] = Sequential(case.game)

    def after(state: Any) -> list[Any]:
        node = turns.node(state)
        return [turns.successor(state, action) for action, _ in node.outcomes] if isinstance(node, Chance) else []

    nodes = list(map(turns.node, reach([turns.initial()], after, LISTED)))
    return list(dict.fromkeys(move_text(m) for node in nodes if not isinstance(node, Chance) for m in moves(node)))


def _keeping(case: VerifierCase, start: int) -> list[str]:
    """The actions at the start that keep its value for the mover, in a game where all is seen."""
    node, after = case.graph.positions.nodes[start], case.graph.positions.successors[start]
    assert isinstance(node, Decision)
    if start > 0:
        raise Unchecked("chance comes first, and every outcome has best actions of its own")
    mover = node.player
    if case.claim.secured or case.is_strictly_competitive or len(case.game.players) == 1:
        worth = case.worth(mover if case.claim.secured else 0)
        if worth[0][0] != worth[0][1]:
            raise Unchecked("what is best depends on what the file leaves open")
        return [action for action, s in zip(node.actions, after, strict=True) if worth[s] == worth[0]]
    most = {vector[mover] for vector in _values(case)}
    pairs = zip(node.actions, after, strict=True)
    return [action for action, s in pairs if any(vector[mover] in most for vector in case.outcomes[s])]


def _surely_keeping(case: VerifierCase, start: int, proved: Sequence[str]) -> set[str]:
    """The actions among `proved` that are best however the others decide their ties, or as the answer's own equilibria
    decide them."""
    node, after = case.graph.positions.nodes[start], case.graph.positions.successors[start]
    assert isinstance(node, Decision)
    if case.claim.secured or case.is_strictly_competitive or len(case.game.players) == 1:
        return set(proved)
    most = {vector[node.player] for vector in _values(case)}
    sure = {a for a, s in zip(node.actions, after, strict=True) if {v[node.player] for v in case.outcomes[s]} <= most}
    h = case.graph.positions.sets[start]
    if (case.claim.equilibria or case.claim.strategy is not None) and h is not None:
        sure |= {node.actions[k] for k in _replies(case, h, node.player)[0]}
    return sure & set(proved)


def _values(case: VerifierCase) -> list[tuple[Number, ...]]:
    """The values that the start may have: the one that the answer states, if backward induction can give it, else all
    that backward induction can give."""
    found = case.outcomes[0]
    return found if case.value is None else [vector for vector in found if same_all(case.value, vector)] or found


# ---- Where something is hidden ------------------------------------------------------------------------------------


def _hidden(case: VerifierCase, start: int) -> Iterator[Finding]:
    claim, positions = case.claim, case.graph.positions
    h = positions.sets[start]
    assert h is not None
    found = positions.information_sets[h]
    replies, certain = _replies(case, h, found.player)
    wrong = [action for action in claim.best if found.actions.index(action) not in replies]
    if wrong:
        said = f"{listing(wrong)} {_is_or_are(wrong)} not best, being no best reply to what the others do"
        yield Finding(False, ("best",), said)
        return
    settled = replies if len(case.game.players) == 1 or _leads_to_subgames(case, start) else certain
    open_ = [action for action in claim.best if found.actions.index(action) not in settled]
    missing = [action for k, action in enumerate(found.actions) if k in settled and action not in claim.best]
    if missing:
        # In a subgame that nobody enters, what the answer has the others do may be less than their best.
        sure = {found.actions[k] for k in (settled if len(case.game.players) == 1 else certain)}
        yield from compare_best(case, [found.actions[k] for k in sorted(settled)], sure=sure)
    elif open_:
        said = f"that {listing(open_)} {_is_or_are(open_)} best: not what the strategies of the answer do for certain"
        yield Finding(None, ("best",), said)
    else:
        yield Finding(True, ("best",), f"{listing(claim.best)} {_is_or_are(claim.best)} best")


def _replies(case: VerifierCase, h: int, player: int) -> tuple[set[int], set[int]]:
    """Actions at information set `h` of the player, by number: those that are best replies to what the others do, and
    those that the player also takes for certain, by the answer's strategy or any of its equilibria."""
    claim = case.claim
    replies: set[int] = set()
    certain: set[int] = set()
    for profile in [claim.strategy] if claim.strategy is not None else [*claim.equilibria] or [{}]:
        try:
            behaviour = case.behaviour(profile)
            choices = best_reply(case.graph.positions, behaviour, player).choices
        except DamagedData as fault:
            raise Unchecked(str(fault)) from None
        if h not in choices:
            raise Unchecked("what is best at the start is not known")
        replies.update(choices[h])
        row = behaviour[h]
        certain.update(k for k in choices[h] if row is not None and row[k] == 1)
    return replies, certain


def _leads_to_subgames(case: VerifierCase, start: int) -> bool:
    """True if the game begins with this decision, and each of its actions leads to an end or to a proper subgame."""
    positions = case.graph.positions
    try:
        roots = {root for root, _ in subgames(positions)}
    except Unchecked:
        return False
    return start == 0 and all(
        successor in roots or isinstance(positions.nodes[successor], Terminal)
        for successor in positions.successors[start]
    )
