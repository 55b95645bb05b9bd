"""The line of an answer: it can be played, begins with a best action, no step is a blunder, and it goes on to the end.

A step is none where it keeps what the position is worth: to the one player whose gain is the other's loss, and to each
of several players as backward induction can have it, ties broken in some way. Where that is not known, the line must
be what the answer's own strategies, or one of its equilibria, do for certain: if they prove the value, they prove the
line. After chance any outcome will do.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from gdl.errors import DamagedData
from gdl.game import Chance, Decision, Game, Terminal, require_number
from gdl.solution import Profile
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.numbers import same, same_all
from gdl.solvers.verify.verdict import Finding, Unchecked
from gdl.solvers.verify.worth import optimal
from gdl.states.explore import move_text, moves
from gdl.states.sequential import Sequential

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
        return any(_follows(case, profile, visited) for profile in claim.profiles)

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
    if case.claim.secured or case.is_strictly_competitive or len(case.game.players) == 1:
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


def _follows(case: VerifierCase, profile: Profile, visited: list[int]) -> bool:
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


def _check_line_end(case: VerifierCase, visited: list[int]) -> Iterator[Finding]:
    """The line stops at an end, before chance, where the mover mixes, or where a position comes again. If no chance is
    on the way, the end pays the value."""
    positions, last = case.graph.positions, visited[-1]
    node = positions.nodes[last]
    if isinstance(node, Decision) and last not in visited[:-1]:
        h, who = positions.sets[last], case.game.players[node.player]
        assert h is not None  # somebody decides there
        rows = [case.behaviour(profile)[h] for profile in case.claim.profiles if _follows(case, profile, visited)]
        cut_short = case.claim.limit is not None or any(_CUT_SHORT in note for note in case.claim.notes)
        if any(row and 1 not in row for row in rows):
            yield Finding(True, ("line",), f"the line stops where {who} mixes")
        elif case.graph.open and not cut_short:
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
