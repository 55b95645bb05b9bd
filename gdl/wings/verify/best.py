"""The best actions of an exact answer: each of them must be one.

With perfect information, an action is best that keeps the value of the start for its mover. Elsewhere it must
be a best reply to what the others do by the answer's strategies, or by one of its equilibria; that alone does not make
it best against everything, so it must also be what these do for certain, or lead to a subgame of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from gdl.errors import DamagedData, listing
from gdl.game import Chance, Decision, Game, Number, Terminal, require_number
from gdl.solution import Profile
from gdl.states.explore import move_text, moves
from gdl.states.sequential import Sequential
from gdl.wings.verify.case import VerifierCase
from gdl.wings.verify.claim import same, same_all
from gdl.wings.verify.position_graph import reach
from gdl.wings.verify.profiles import subgames
from gdl.wings.verify.replies import best_reply
from gdl.wings.verify.value import LISTED, OPEN
from gdl.wings.verify.verdict import UNTIED, Finding, Unchecked
from gdl.wings.verify.worth import optimal


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
        proved = _keeping_actions(case, starts[0])
        sure = _surely_keeping(case, starts[0], proved)
        decided = {*sure, *claimed} if case.claim.profiles else proved  # by how the others settle their ties there
        yield from compare_best(case, [action for action in proved if action in decided], sure=sure)
    else:
        yield from _check_hidden(case, starts[0])


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

    def successors(state: Any) -> list[Any]:
        node = turns.node(state)
        return [turns.successor(state, action) for action, _ in node.outcomes] if isinstance(node, Chance) else []

    nodes = list(map(turns.node, reach([turns.initial()], successors, LISTED)))
    return list(dict.fromkeys(move_text(m) for node in nodes if not isinstance(node, Chance) for m in moves(node)))


def _keeping_actions(case: VerifierCase, start: int) -> list[str]:
    """The actions at the start that keep its value for the mover, in a game where all is seen."""
    node, after = case.graph.positions.nodes[start], case.graph.positions.successors[start]
    assert isinstance(node, Decision)
    if start > 0:
        raise Unchecked("chance comes first, and every outcome has best actions of its own")
    mover = node.player
    if case.has_one_number:
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
    if case.has_one_number:
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


def _check_hidden(case: VerifierCase, start: int) -> Iterator[Finding]:
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


# The line of an answer: it can be played, begins with a best action, no step is a blunder, and it goes on to the end.
#
# A step is none where it keeps what the position is worth: to the one player whose gain is the other's loss, and to
# each of several players as backward induction can have it, ties broken in some way. Where that is not known, the line
# must be what the answer's own strategies, or one of its equilibria, do for certain: if they prove the value, they
# prove the line. After chance any outcome will do.

_CUT_SHORT = "the line stops where"  # part of the note in an answer whose line does not go on to the end


def check_play(case: VerifierCase) -> Iterator[Finding]:
    """The line can be played, and begins with one of the best actions. Only the positions on the line are looked at."""
    claim = case.claim
    turns: Game[Any] = Sequential(case.game)
    state = turns.initial()
    start = turns.node(state)
    for number, action in enumerate(claim.line):
        if action not in map(move_text, moves(turns.node(state))):
            before = ", ".join(claim.line[:number]) or "the start"
            yield Finding(False, ("line",), f"the line cannot be played: no {action} after {before}")
            return
        state = turns.successor(state, action)
    if not claim.line:
        return
    if claim.best and isinstance(start, Decision) and claim.line[0] not in claim.best:
        said = f"the line begins with {claim.line[0]}, which is not among the best actions"
        yield Finding(False, ("line", "best"), said)
    yield Finding(True, (), "the line can be played")


def check_line(case: VerifierCase) -> Iterator[Finding]:
    """No step of an exact answer's line is a blunder, and the line goes on to the end."""
    claim = case.claim
    if not claim.line or not claim.exact:
        return
    visited = _line_positions(case)
    if visited is None:  # it cannot be played, which `check_play` says
        return

    def is_played() -> bool:
        return any(_follows_line(case, profile, visited) for profile in claim.profiles)

    try:
        blunder = _blunder(case, visited)
        followed = False
    except Unchecked as why:
        if not is_played():
            raise Unchecked(f"whether a step is a blunder: {why}") from None
        blunder, followed = None, True
    if blunder is not None:
        before = ", ".join(claim.line[:blunder]) or "at the start"
        said = f"the line holds a blunder: {claim.line[blunder]} {'' if not blunder else 'after '}{before}"
        yield Finding(False, ("line",), said)
        return
    yield from _check_line_end(case, visited)
    if claim.equilibria and not followed and not is_played():
        yield Finding(False, ("line", "equilibria"), "the line is not what an equilibrium of the answer does")
    how = ": it is what the strategies of the answer do" if followed and case.graph.open else ""
    yield Finding(True, ("line",), f"no step of the line is a blunder{how}")


def _line_positions(case: VerifierCase) -> list[int] | None:
    """The positions on the line, from the first one on; None if the line cannot be played."""
    positions = case.graph.positions
    visited = [0]
    for action in case.claim.line:
        node: Any = positions.nodes[visited[-1]]
        names = list(map(move_text, moves(node)))
        if action not in names:
            return None
        visited.append(positions.successors[visited[-1]][names.index(action)])
    return visited


def _blunder(case: VerifierCase, visited: list[int]) -> int | None:
    """The number of the first step that gives something away; None if no step does. Raises Unchecked if that cannot be
    found out."""
    ground = case.graph
    if not ground.open:
        raise Unchecked("something is hidden")
    if case.has_one_number:
        return _loss(case, visited)
    return _first_impossible_step(case, visited)


def _loss(case: VerifierCase, visited: list[int]) -> int | None:
    """The number of the first step that changes the value for a fixed side, in games with two opposed sides; None if no
    step does."""
    start = case.graph.positions.nodes[0]
    side = start.player if case.claim.secured and isinstance(start, Decision) else 0
    worth = case.worth(side)
    for number, (position, after) in enumerate(itertools.pairwise(visited)):
        low, high = worth[position]
        if low != high:
            raise Unchecked("it depends on what the file leaves open")
        if isinstance(case.graph.positions.nodes[position], Decision) and worth[after] != worth[position]:
            return number
    return None


def _first_impossible_step(case: VerifierCase, visited: list[int]) -> int | None:
    """The number of the first step that no way of breaking ties allows, in games of several sides, if the start has the
    answer's value; None if all are possible."""
    positions, found = case.graph.positions, case.outcomes
    possible = found[0] if case.value is None else [v for v in found[0] if same_all(case.value, v)]
    for number, (position, after) in enumerate(itertools.pairwise(visited)):
        node, successors = positions.nodes[position], positions.successors[position]
        if isinstance(node, Chance):
            possible = found[after]
            continue
        assert isinstance(node, Decision)
        choices = zip(optimal([found[successor] for successor in successors], node.player), successors, strict=True)
        possible = [v for vectors, s in choices if s == after for v in vectors if v in possible]
        if not possible:
            return number
    return None


def _follows_line(case: VerifierCase, profile: Profile, visited: list[int]) -> bool:
    """True if everyone acts for certain as on the line, by a profile of the answer."""
    positions = case.graph.positions
    try:
        behaviour = case.behaviour(profile)
    except DamagedData:
        return False
    for position, after in itertools.pairwise(visited):
        h = positions.sets[position]
        if h is None:
            continue
        row = behaviour[h]
        if row is None or any(
            chance and s != after for chance, s in zip(row, positions.successors[position], strict=True)
        ):
            return False
    return True


def _comes_again(case: VerifierCase, visited: list[int]) -> bool:
    """True if the last position on the line is one of those before it, or was taken for one of them by symmetry."""
    turns = case.graph.cyclic and case.claim.option("symmetry")  # else no symmetry leads to an earlier position
    if visited[-1] in visited[:-1] or not turns:
        return visited[-1] in visited[:-1]
    states = list(itertools.accumulate(case.claim.line, case.game.successor, initial=case.game.initial()))
    *before, last = map(case.numbering.number, states)
    return last in before


def _check_line_end(case: VerifierCase, visited: list[int]) -> Iterator[Finding]:
    """The line stops at an end, before chance, where the mover mixes, or where a position comes again. If no chance is
    on the way, the end pays the value."""
    positions, last = case.graph.positions, visited[-1]
    node = positions.nodes[last]
    if isinstance(node, Decision) and not _comes_again(case, visited):
        h, who = positions.sets[last], case.game.players[node.player]
        assert h is not None  # somebody decides there
        rows = [case.behaviour(profile)[h] for profile in case.claim.profiles if _follows_line(case, profile, visited)]
        cut_short = case.claim.limit is not None or any(_CUT_SHORT in note for note in case.claim.notes)
        if any(row and 1 not in row for row in rows):
            yield Finding(True, ("line",), f"the line stops where {who} mixes")
        elif (case.graph.open or any(rows)) and not cut_short:
            yield Finding(False, ("line",), f"the line stops before the end, where {who} moves")
        else:
            yield Finding(None, ("line",), f"what comes after the line, where {who} moves")
        return
    if case.value is None or any(isinstance(positions.nodes[position], Chance) for position in visited[:-1]):
        return
    if isinstance(node, Terminal):
        pays = tuple(map(require_number, node.utilities))
    elif case.graph.cyclic and isinstance(node, Decision):
        least, most = case.prices
        if least != most:
            yield Finding(None, ("line",), "that play without end is worth the value: the file names no price for it")
            return
        pays = least
    else:
        return
    first: Any = positions.nodes[0]  # no chance, which would be on the way
    sides = [first.player] if case.claim.secured else range(len(pays))  # who is first plays by what they secure
    if not all(same(case.value[side], pays[side]) for side in sides):
        yield Finding(False, ("line", "value"), "the line does not end in the value")
