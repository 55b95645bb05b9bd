"""A student's program in a process of its own, which asks `gdl grade --program` for the game in lines of JSON. Started
as a file, without the rest of gdl; before the program is loaded, the process gives up what it does not need."""

from __future__ import annotations

import ctypes
import importlib.util
import inspect
import json
import os
import platform
import resource
import struct
import sys
import types
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

# ---- What the process gives up --------------------------------------------------------------------------------------

_DENIED = {  # the numbers of system calls
    "x86_64": (0xC000003E, (
        56, 57, 58, 435, 59, 322, 272,  # processes, other programs, namespaces
        62, 200, 234, 129, 297, 424, 434,  # signals
        101, 310, 311, 302, 141, 142, 144, 203, 314, 251,  # the memory, limits and priority of other processes
        90, 91, 268, 452, 92, 93, 94, 260, 132, 235, 261, 280, 188, 189, 190, 197, 198, 199, 463, 466,  # modes of files
        41, 425, 29, 64, 68, 240, 248, 249, 250,  # sockets, rings, what stays in the system: queues, keys
    )),
    "aarch64": (0xC00000B7, (
        220, 435, 221, 281, 97,
        129, 130, 131, 138, 240, 424, 434,
        117, 270, 271, 261, 140, 118, 119, 122, 274, 30,
        52, 53, 452, 54, 55, 88, 5, 6, 7, 14, 15, 16, 463, 466,
        198, 425, 194, 190, 186, 180, 217, 218, 219,
    )),
}  # fmt: skip
_WRITING = 0b1_1111_1111_0010, 0b110_0000_0000_0000  # rights of Landlock on files that change something, old and newer


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def give_up_rights(seconds: int, memory: int) -> list[str]:
    """Limit this process for good; which protections the system allows."""
    for limit, most in (("AS", memory), ("CPU", seconds), ("FSIZE", 0), ("CORE", 0), ("NPROC", 0), ("NOFILE", 64)):
        with suppress(ValueError, OSError):  # macOS has not all of them
            resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (most, most))
    if sys.platform != "linux":
        return []
    system, found = ctypes.CDLL(None, use_errno=True), list[str]()
    if system.unshare(0x50000000) == 0:  # a network of its own, with nobody in it
        found.append("network")
    system.prctl(38, 1, 0, 0, 0)
    version = system.syscall(444, None, 0, 1)
    if version > 0:
        rights = _WRITING[0] | (_WRITING[1] if version > 2 else 0)
        attributes = struct.pack("QQQ", rights, 3, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
        rules = system.syscall(444, attributes, len(attributes), 0)
        found += ["files"] * (system.syscall(446, rules, 0) == 0)
    if platform.machine() in _DENIED:
        machine, calls = _DENIED[platform.machine()]
        deny, steps = (0x06, 0, 0, 0x00050001), [(0x20, 0, 0, 4), (0x15, 1, 0, machine), (0x06, 0, 0, 0x00050001)]
        steps += [(0x20, 0, 0, 0), (0x35, 0, 1, 0x40000000), deny]
        for call in calls:
            steps += [(0x15, 0, 1, call), deny]
        code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (0x06, 0, 0, 0x7FFF0000)])
        found += ["processes"] * (system.prctl(22, 2, ctypes.byref(_Filter(len(code) // 8, code)), 0, 0) == 0)
    return found


# ---- The game, which the grader holds -------------------------------------------------------------------------------


_FIELDS = {"Terminal": "utilities", "Decision": "player actions", "Chance": "outcomes"}  # as gdl.game has them
_KINDS = {kind: namedtuple(kind, fields) for kind, fields in _FIELDS.items()}


class RemoteGame:
    """The game as a search sees it: its states are numbers, and all that is asked is seen by the grader."""

    def __init__(self, ask: Callable[[str, Sequence[Any]], Any], players: Sequence[str]):
        self._ask, self.players = ask, tuple(players)

    def initial(self) -> int:
        return 0

    def node(self, state: int) -> Any:
        kind, told = self._ask("node", [state])
        form: Any = getattr(sys.modules.get("gdl.game"), kind, _KINDS[kind])
        if kind == "Decision":
            return form(told[0], tuple(told[1]))
        if kind == "Terminal":
            return form(tuple(map(_read_number, told)))
        return form(tuple((action, _read_number(weight)) for action, weight in told))

    def successor(self, state: int, action: str) -> int:
        return int(self._ask("successor", [state, str(action)]))

    def evaluate(self, state: int) -> Any:
        return tuple(map(_read_number, self._ask("evaluate", [state])))

    def information_set(self, state: int, player: int) -> int:
        return state


def _read_number(text: str) -> int | Fraction:
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value


class GameState:
    """A state in the shape of Berkeley's Pac-Man projects, whose names are those of the table below."""

    def __init__(self, game: RemoteGame, state: int):
        self.game, self.state = game, state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __getattr__(self, name: str) -> Any:
        if name not in _BERKELEY:
            raise AttributeError(f"a game state has no '{name}': it has {', '.join(_BERKELEY)}")
        return partial(_BERKELEY[name], self.game, self.state)


def _utility_at(game: RemoteGame, state: int) -> Any:
    """The first player's utility at an end; None elsewhere."""
    node = game.node(state)
    return node.utilities[0] if hasattr(node, "utilities") else None


def _score_at(game: RemoteGame, state: int) -> Any:
    """The first player's utility, or the estimate of it."""
    utility = _utility_at(game, state)
    return game.evaluate(state)[0] if utility is None else utility


def _actions_at(game: RemoteGame, state: int, agent: int = 0) -> list[str]:
    node = game.node(state)
    return [one[0] for one in node.outcomes] if hasattr(node, "outcomes") else list(getattr(node, "actions", ()))


_BERKELEY: Mapping[str, Callable[..., Any]] = {
    "getNumAgents": lambda game, state: max(2, len(game.players)),
    "getLegalActions": _actions_at,
    "generateSuccessor": lambda game, state, agent, action: GameState(game, game.successor(state, action)),
    "getScore": _score_at,
    "isWin": lambda game, state: (_utility_at(game, state) or 0) >= 0 and _utility_at(game, state) is not None,
    "isLose": lambda game, state: (_utility_at(game, state) or 0) < 0,
}


def _pretend_berkeley() -> None:
    """Modules that a file of Berkeley's project imports; of them only what its searches need."""
    util, game, pacman = (types.ModuleType(name) for name in ("util", "game", "pacman"))
    util.lookup = lambda name, names: names[name]  # type: ignore[attr-defined]
    util.manhattanDistance = lambda a, b: abs(a[0] - b[0]) + abs(a[1] - b[1])  # type: ignore[attr-defined]
    game.Agent, game.Directions = type("Agent", (), {"index": 0}), type("Directions", (), {"STOP": "Stop"})  # type: ignore[attr-defined]
    pacman.GameState = GameState  # type: ignore[attr-defined]
    for module in (util, game, pacman):
        sys.modules.setdefault(module.__name__, module)


# ---- The program ----------------------------------------------------------------------------------------------------


def _run_program(file: str, name: str, game: RemoteGame, depth: int | None) -> Any:
    """The answer of the program about the game."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    _pretend_berkeley()
    spec = importlib.util.spec_from_file_location("student", file)
    assert spec is not None and spec.loader is not None
    module = sys.modules["student"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own = [one for one in vars(module).values() if inspect.isclass(one) and "getAction" in vars(one)]
    search: Any = getattr(module, name or "search", None) or (None if name else own[-1] if own else None)
    if search is None:
        known = [own for own, one in vars(module).items() if inspect.isfunction(one)]
        as_in = f"{os.path.basename(file)}:{known[-1] if known else 'search'}"
        raise LookupError(f"there is no '{name or 'search'}' in it: name what is to be run, as in --program {as_in}")
    options = {"depth": depth} if depth is not None and "depth" in inspect.signature(search).parameters else {}
    if inspect.isclass(search):
        if "depth" in inspect.signature(search).parameters:
            options = {"depth": 1_000 if depth is None else -(-depth // max(2, len(game.players)))}
        agent: Any = search(**options)
        return agent.getAction(GameState(game, 0))
    needed = [one for one in inspect.signature(search).parameters.values()
              if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty]  # fmt: skip
    found = search(*(game, 0)[: max(1, len(needed))], **options)
    return list(found)[-1] if inspect.isgenerator(found) else found


def _plain_answer(answer: Any, players: Sequence[str]) -> Any:
    """The answer as JSON: numbers as texts in a list, actions as texts."""
    if isinstance(answer, Mapping):
        answer = [answer.get(player) for player in players]
    if isinstance(answer, list | tuple):
        return [_plain_answer(one, players) for one in answer]
    return answer if answer is None or isinstance(answer, str) else {"number": str(answer)}


def run_student() -> None:
    """Run the program that the command line names, and send its answer, or why there is none."""
    sent, heard = os.fdopen(os.dup(1), "w", encoding="utf-8"), os.fdopen(os.dup(0), encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    file, name, told = sys.argv[1:]
    given = json.loads(told)

    def ask(question: str, about: Sequence[Any]) -> Any:
        sent.write(json.dumps([question, *about]) + "\n")
        sent.flush()
        answer = json.loads(heard.readline())
        if "wrong" in answer:
            raise ValueError(answer["wrong"])
        return answer["right"]

    try:
        ask("guards", [give_up_rights(given["seconds"], given["memory"])])
        found = _run_program(file, name, RemoteGame(ask, given["players"]), given["depth"])
        ask("answer", [_plain_answer(found, given["players"])])
    except BaseException as wrong:
        trace, line = wrong.__traceback__, 0
        while trace is not None:
            line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == file else line
            trace = trace.tb_next
        ask("failure", [f"{f'line {line}: ' if line else ''}{type(wrong).__name__}: {wrong}"[:300]])


if __name__ == "__main__":
    run_student()
