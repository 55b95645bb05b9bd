"""Marks for a student's program: its value, move, leaves, nodes and cuts on each game, against the textbook's run."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, NamedTuple

from gdl.commands.limiting import Limits
from gdl.commands.solving import solve_with_trace
from gdl.errors import GameError, LimitReached, Refusal, WrongRequest, clean
from gdl.explain.key import Key, key
from gdl.explain.names import MAX_NAMED_NODES, Names
from gdl.game import Chance, Decision, Game, Node, Terminal, maximiser
from gdl.solution import Path
from gdl.states.count import perft, states
from gdl.states.explore import moves
from gdl.wings.exam.grade import tied_actions, tied_vectors
from gdl.wings.exam.kinds import solve_for_exam
from gdl.wings.exam.student_runs import ProgramRun, run_program

GUARDS = {"network": "sockets", "files": "writing of files", "processes": "further processes"}

_LONGEST = 300  # of a reason: a program may answer with anything


class ProgramMark(NamedTuple):
    """The mark of an item; `why` it is wrong ("": it is right)."""

    item: str
    why: str


class MarkedGame(NamedTuple):
    """The marks of a run on a game."""

    name: str
    marks: Sequence[ProgramMark]
    run: ProgramRun

    @property
    def score(self) -> int:
        return sum(not mark.why for mark in self.marks)

    def to_text(self) -> str:
        """The marks in words."""
        used = f"{self.run.seconds:.1f} s, {self.run.memory / 2**20:.0f} MB"
        wrong = [f"  {mark.item}: {mark.why}" for mark in self.marks if mark.why]
        wrong = [f"  {self.run.failure}"] if self.run.failure else wrong
        return "\n".join([f"{self.name}: {self.score} of {len(self.marks)} ({used})", *wrong])


def mark_program(
    program: str, name: str, game: Game[Any], solver: str, options: Mapping[str, Any], seconds: int
) -> MarkedGame:
    """The marks of a program on a game, on which the solver's run is right."""
    if not Names(game, options.get("depth")).complete:
        raise Refusal(f"a tree of more than {MAX_NAMED_NODES:,} nodes is not graded")
    right = key(game, solve_with_trace(game, solver, **options), options.get("depth"))
    run = run_program(program, game, right.names, options.get("depth"), seconds)
    items = ["value", "move", "leaves", "nodes", *["cuts"] * right.prunes]
    told = ((item, run.failure) for item in items) if run.failure else _compare_runs(right, run, game)
    return MarkedGame(clean(name), [ProgramMark(item, why[:_LONGEST]) for item, why in told], run)


def mark_rules(name: str, read_own: Callable[[], Game[Any]], game: Game[Any], seconds: int) -> MarkedGame:
    """The marks of a student's rules beside the right ones: the first position that differs, how many plays of 1 to 3
    plies there are, and the value if there are no more than MOST_COMPARED positions. Rules that cannot be read, break
    in play or take more than six times the seconds of a program have none."""
    due, failure = _values_of(game), ""
    try:
        with Limits(seconds=6 * seconds).enforce():  # thousands of positions of each game are looked at
            own = read_own()
            counts = [(ply, perft(own, ply), perft(game, ply)) for ply in (1, 2, 3)]
            wrong = [
                f"{mine:,} plays of length {ply}, right are {right:,}" for ply, mine, right in counts if mine != right
            ]
            mine, too_many = _values_of(own) if due else "", f"of more than {MOST_COMPARED:,} positions"
            whys = [
                _first_difference(own, game),
                "".join(wrong[:1]),
                "" if mine == due else f"{mine or too_many}, right is {due}",
            ]
    except (GameError, LimitReached, Refusal, WrongRequest) as broken:
        failure = clean(str(broken).splitlines()[0])
        whys = [failure] * 3
    marks = [ProgramMark(*one) for one in zip(["positions", "counts", *["value"] * bool(due)], whys, strict=False)]
    return MarkedGame(clean(name), marks, ProgramRun(None, None, [], [], 0, 0, failure, [*GUARDS]))


def _values_of(game: Game[Any]) -> str:
    """The values of all players; "" if there are more than MOST_COMPARED positions."""
    try:
        states(game, MOST_COMPARED)
    except LimitReached:
        return ""
    return ", ".join(map(str, solve_for_exam(game, "usual").value or ()))


def _first_difference(own: Game[Any], game: Game[Any]) -> str:
    """The shortest play after which two games differ, and how; "" if none of MOST_COMPARED positions does."""

    def seen_at(node: Node) -> tuple[str, set[str]]:
        who = f" of player {node.player + 1}" if isinstance(node, Decision) else ""
        here = [str(node.utilities)] if isinstance(node, Terminal) else list(map(str, moves(node)))
        here = [f"{move} {weight}" for move, weight in node.outcomes] if isinstance(node, Chance) else here
        return f"{type(node).__name__.lower()}{who}", {*here}

    todo, met = deque([("", own.initial(), game.initial())]), set[Any]()
    while todo and len(met) < MOST_COMPARED:
        play, mine, due = todo.popleft()
        (kind, some), (right, others) = seen_at(own.node(mine)), seen_at(node := game.node(due))
        if (kind, some) != (right, others):
            sides = (" ".join(sorted(one)) or "nothing" for one in (others - some, some - others))
            less, more = (shorten(one, 60, placeholder=" …") for one in sides)
            differs = f"{less} is missing, {more} is too much"
            where = f"after{play}" if play else "at the start"
            return f"{where}: {differs if kind == right else f'{kind}, right is {right}'}"
        after = [(f"{play} {move}", own.successor(mine, move), game.successor(due, move)) for move in moves(node)]
        todo += [one for one in after if one[1:] not in met]
        met |= {one[1:] for one in after}
    return ""


MOST_COMPARED = 20_000  # positions


def _compare_runs(right: Key, run: ProgramRun, game: Game[Any]) -> Iterator[tuple[str, str]]:
    """Each item, and why it is wrong. What a program does not return is not asked for."""
    names = right.names
    if run.values is not None:
        due = right.solution.value or ()
        mine = maximiser(game.players)
        told = [due[mine]] if len(run.values) < 2 and len(game.players) < 3 else list(due)
        shown = " is wrong, right is ".join(", ".join(map(str, some)) or "no number" for some in (run.values, told))
        yield "value", "" if list(run.values) == told else shown
    if run.action is not None:
        tied = [names.nodes.node_at(path).action for path in tied_actions(right, tied_vectors(right))]
        best = [*right.best, *right.ties, *tied]
        yield "move", "" if run.action in best else f"{clean(run.action)}, right is {' or '.join(best)}"
    events = [one.event for one in right.told if not one.event.probe]
    yield "leaves", _explain_order(run.leaves, [one.node for one in events if one.event == "leaf"], right)
    visited = {one.node for one in events}
    yield "nodes", "" if len(run.visited) == len(visited) else f"{len(run.visited)}, right is {len(visited)}"
    if right.prunes:
        seen = set(run.visited)
        cut = [path for path in names.paths if path and path not in seen and path[:-1] in seen]
        wrong = sorted({*cut} ^ {*right.skipped})
        said = [f"{names.branch(one)} is {'' if one in right.skipped else 'not '}to be skipped" for one in wrong]
        yield "cuts", "".join(said[:1])


def _explain_order(told: Sequence[Path], due: Sequence[Path], right: Key) -> str:
    """The first place at which the leaves differ from the right ones; "" if there is none."""
    for at, (mine, theirs) in enumerate(zip([*told, None], [*due, None], strict=False), start=1):
        if mine != theirs:
            own, other = (right.names.branch(one) if one is not None else "none" for one in (mine, theirs))
            return f"number {at} is {own}, right is {other}"
    return ""


def results_json(marked: Sequence[MarkedGame]) -> str:
    """The marks as `results.json`, as Gradescope reads it and otter writes it."""
    tests = [
        {"name": f"{one.name}: {mark.item}", "score": int(not mark.why), "max_score": 1, "output": mark.why or "right",
         "status": "failed" if mark.why else "passed"}
        for one in marked for mark in one.marks
    ]  # fmt: skip
    time = round(sum(one.run.seconds for one in marked), 2)
    told = {"score": sum(one.score for one in marked), "execution_time": time, "tests": tests}
    return json.dumps(told, indent=2) + "\n"


def program_text(marked: Sequence[MarkedGame]) -> str:
    """All marks in words, and what this system could not keep from the program."""
    allowed = {name for one in marked for name in GUARDS if name not in one.run.guards}
    said = [f"This system does not keep {GUARDS[name]} from a program." for name in GUARDS if name in allowed]
    score, most = sum(one.score for one in marked), sum(len(one.marks) for one in marked)
    return "\n".join([*(one.to_text() for one in marked), f"{score} of {most} in all.", *said])
