"""A search of somebody's own as a solver: a function of a game, or of a game and the state to begin at.

1. The function gets the game, whose `node` counts the nodes and keeps the limits, and those options that are among its
   parameters (`time` and `nodes` as well, if it has them).
2. It gives a value (a number is that of the player who maximises, the first one; a tuple or a mapping has one for each
   player), the action to play, both as a pair, a profile of strategies, or a Solution. A generator gives one after the
   other, and the last one counts where a limit stops it.
3. Nothing of that is believed. A profile is judged by its regret; a value and an action are held to what the solvers of
   gdl prove. What agrees is exact, what does not is named, and what nobody could prove in the limits stays an estimate.

`python:FILE.py:NAME` and `python:MODULE:NAME` name such a function, and packages bring some by the entry point
`gdl.solvers`: a function of this kind, or a row of the table (`gdl.solvers.solver.Solver`).
"""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from ctypes import c_ulong, py_object, pythonapi
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from math import isclose
from pathlib import Path
from threading import Event, Thread, get_ident
from types import ModuleType
from typing import Any, Literal, get_origin

from gdl import wings
from gdl.errors import DamagedData, GameError, Interrupted, LimitReached, Refusal, clean, listing
from gdl.errors.shares import OWN_GRACE_SECONDS, OWN_JUDGING_SHARE
from gdl.game import Decision, Game, Node, Number, actions, maximiser
from gdl.numbers import brief, plain_numbers, to_text
from gdl.solution import Solution, Vector
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering, promised_bounds
from gdl.solvers.solver import Solver
from gdl.states.explore import Walk, choosers
from gdl.states.game_wrapper import GameWithEngine, GameWrapper

Search = Callable[..., Any]
PACK_GAME = "gdl.compiler.packed_game:pack_game"  # which solvers do not know
PREFIX, GROUP = "python:", "gdl.solvers"
JUDGED_NODES = 200_000  # nodes that judging an answer may take, where nobody set a limit
PROFILE_POSITIONS = 50_000  # most positions of a game in which a profile is judged


class CountedGame(GameWithEngine):
    """A game whose nodes are counted against a budget."""

    def __init__(self, game: Game[Any], budget: Budget):
        super().__init__(game, game.engine)
        self._visit = budget.visit

    def node(self, state: Any) -> Node:
        self._visit()
        return self.game.node(state)


def own_solver(search: Search, name: str = "", blames: bool = False) -> Solver:
    """The `Solver` row of a user's function. With `blames`, errors in the function are reported as its own. Raises
    Refusal if the function cannot be called with a game."""
    name = name or getattr(search, "__name__", type(search).__name__)
    if not callable(search):
        raise Refusal(f"{clean(repr(search)[:60])} is no solver: give the name of one, or a function of a game")
    parameters = _parameters(search, name)
    no_state = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    state = [one for one in parameters[1:2] if one.default is one.empty and one.kind not in no_state]
    rest = [one for one in parameters[1:] if one.kind is one.VAR_KEYWORD]
    options = {one.name: one for one in parameters[1 + len(state) :] if one.kind is not one.VAR_POSITIONAL}

    def run(game: Game[Any], limits: SearchLimits = NO_LIMITS, **given: Any) -> Solution:
        budget, found = limits.budget(), Solution(game.name, name, game.players, game.traits, exact=False)
        known = {"nodes": limits.nodes, "time": budget.seconds_left}
        given |= {key: value for key, value in known.items() if (rest or key in options) and value is not None}
        walked = wings.load(PACK_GAME)(game.game) if isinstance(game, GameWithEngine) else game
        counted = CountedGame(walked, budget)

        def work() -> None:
            nonlocal found
            with _blaming(name) if blames else nullcontext():
                said = search(counted, *([counted.initial()] if state else []), **given)
                for one in said if isinstance(said, Generator) else [said]:
                    found = read_answer(one, game, name)

        with answering(lambda: _with_nodes(found, budget)):
            _stop_in_time(work, budget)
        return _with_nodes(found, budget)

    own = [
        one.replace(kind=one.KEYWORD_ONLY, annotation=_kind(one))
        for one in options.values()
        if one.name not in ("nodes", "time") and one not in rest
    ]
    run.__signature__ = inspect.Signature([parameters[0].replace(kind=parameters[0].POSITIONAL_ONLY), *own, *rest])  # type: ignore[attr-defined]
    run.__module__ = getattr(search, "__module__", None) or __name__
    summary = (inspect.getdoc(search) or f"a search of {run.__module__}").partition("\n")[0]
    return Solver(name, run, {"rewards": (False, True)}, summary, own=True)


class _TimeIsOver(BaseException):
    """The time of a search is over; raised inside of it, wherever it is."""


def _stop_in_time(work: Callable[[], None], budget: Budget) -> None:
    """Do the work, and stop its Python code OWN_GRACE_SECONDS after the time is over, though it asks the game for
    nothing. Raises LimitReached. (No context manager: what is raised as one is left would not be met by it.)"""
    left, thread, over = budget.seconds_left, c_ulong(get_ident()), Event()
    if left is None:
        work()
        return

    def ring(wait: float) -> None:
        while not over.wait(wait):
            pythonapi.PyThreadState_SetAsyncExc(thread, py_object(_TimeIsOver))
            wait = OWN_GRACE_SECONDS  # again, for code that goes on whatever is raised

    def end() -> None:
        over.set()
        watcher.join()
        for _ in range(2):  # here what was raised last comes; taken back, Python 3.11 would await it for ever
            pass

    watcher = Thread(target=ring, args=(max(0.0, left) + OWN_GRACE_SECONDS,), daemon=True)
    try:
        try:
            watcher.start()
            work()
        finally:
            end()
    except _TimeIsOver:
        end()
        raise budget.out_of_time() from None


def _with_nodes(found: Solution, budget: Budget) -> Solution:
    """The answer with the number of nodes that were visited, if it does not say how many."""
    return replace(found, nodes=found.nodes or budget.spent)


def _kind(option: inspect.Parameter) -> Any:
    """The type that the command line reads for an option: its annotation, or else the type of its default; str if
    neither can be read."""
    kind = type(option.default) if option.annotation is option.empty else option.annotation
    return kind if kind in (int, float, bool) or get_origin(kind) is Literal else str


def _parameters(search: Search, name: str) -> list[inspect.Parameter]:
    """The parameters of the function, of which the first is the game."""
    try:
        found = list(inspect.signature(search, eval_str=True).parameters.values())
    except (TypeError, ValueError, NameError):
        found = [inspect.Parameter("game", inspect.Parameter.POSITIONAL_ONLY)]
    if not found or found[0].kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD):
        raise Refusal(f"{clean(name)} takes no game: write a function whose first parameter is the game")
    return found


# ---- what was said ----------------------------------------------------------------------------------------------


def read_answer(said: Any, game: Game[Any], name: str) -> Solution:
    """The return value of a search as a Solution that claims nothing. Raises Refusal if it is no answer."""
    found, start = Solution(game.name, name, game.players, game.traits, exact=False), game.initial()
    if isinstance(said, Solution):  # what is judged of it, and nothing else
        profile = said.strategy or next(iter(said.equilibria), None)
        best = () if profile else said.best[:1]
        return replace(found, value=said.value, best=best, strategy=profile, nodes=said.nodes, notes=said.notes)
    said, legal = plain_numbers(said), actions(game.node(start))
    match said:
        case str() if said in legal:
            return replace(found, best=(said,))
        case str():
            there = f"legal are {listing(map(clean, legal), most=12)}" if legal else "nobody moves there alone"
            raise Refusal(f"{clean(name)} gives {clean(repr(said))}, which is no action at the start; {there}")
        case (str() as action, value) | (value, str() as action) if len(game.players) != 2 or action in legal:
            return replace(read_answer(value, game, name), best=read_answer(action, game, name).best)
        case Mapping() if said and all(isinstance(each, Mapping) for each in said.values()):
            flat = {who for who, sets in said.items() if sets and all(map(_is_number, sets.values()))}
            at = {who: game.describe(start, game.players.index(who)) for who in flat & set(game.players)}
            profile = {who: {at[who]: s} if who in at else s for who, s in said.items()}
            return replace(found, strategy=_by_names(game, profile))
        case Mapping() if set(said) == set(game.players) and all(isinstance(each, str) for each in said.values()):
            return read_answer({who: {action: 1} for who, action in said.items()}, game, name)
        case Mapping() if set(said) == set(game.players):
            return read_answer(tuple(said[player] for player in game.players), game, name)
        case tuple() | list() if len(said) == len(game.players) and all(map(_is_number, map(plain_numbers, said))):
            return replace(found, value=tuple(map(plain_numbers, said)))
        case _ if _is_number(said) and game.traits.has_scalar_value:
            first, total = maximiser(game.players), game.traits.constant_sum or 0
            return replace(found, value=tuple(said if p == first else total - said for p in range(len(game.players))))
    help = f"a number for each of {listing(map(clean, game.players))}, an action, both as a pair, mixtures, a Solution"
    raise Refusal(
        f"{clean(name)} gives {clean(repr(said)[:60])}, which is no answer to {clean(game.name)}: give {help}"
    )


def _by_names(game: Game[Any], said: Mapping[str, Any]) -> Mapping[str, Any]:
    """The profile with the names of information sets where it has their values, as `game.information_set` gives them.
    In a game that is too large to walk through, it stays as it is."""
    if all(isinstance(key, str) for sets in said.values() for key in sets):
        return said
    names: dict[tuple[str, Any], str] = {}
    with suppress(LimitReached):
        for number, node, *_ in (walk := Walk(game, PROFILE_POSITIONS)):
            for player in choosers(node):
                who, state = game.players[player], walk.states[number]
                names[who, game.information_set(state, player)] = game.describe(state, player)
    return {
        who: {str(names.get((who, key), key)): mixture for key, mixture in sets.items()} for who, sets in said.items()
    }


def _is_number(said: Any) -> bool:
    return isinstance(said, Number | float) and not isinstance(said, bool) and said == said


# ---- judged -----------------------------------------------------------------------------------------------------

Referee = Callable[[Game[Any], SearchLimits], Solution]


def judge_answer(game: Game[Any], found: Solution, limits: SearchLimits, referee: Referee) -> Solution:
    """The answer of a user's search, exact if that is proved, with notes on errors in it or why it was not proved. The
    `referee` solves the game, or the game that begins after an action, within limits."""
    found, wrong, open_ = _by_regret(game, found)
    for who, number, (low, high) in zip(game.players, found.value or (), promised_bounds(game), strict=False):
        if (low is not None and number < low) or (high is not None and number > high):
            wrong.append(f"The value is wrong: no end pays {clean(who)} {to_text(number)}.")
            found = replace(found, value=None)
    value, best = found.value, found.best[:1]
    if wrong or not (value is not None or best) or (found.strategy and not open_):
        return _with_notes(found, wrong, open_)
    limits = SearchLimits(limits.nodes or JUDGED_NODES) if limits.time is None else limits.leaving(OWN_JUDGING_SHARE)
    proof = _proof(game, limits, referee)
    if proof is None or proof.value is None or not game.traits.has_scalar_value:
        same = proof is not None and value is not None and proof.value == value
        why = f"{proof.solver} comes to the same value, one of those that equilibria may have" if proof and same else ""
        return _with_notes(found, wrong, why or "nothing proves this answer within the limits")
    by = f"{proof.solver} proves {_by_player(game, proof.value)}"
    if value is not None and not all(isclose(a, b, abs_tol=1e-9) for a, b in zip(value, proof.value, strict=True)):
        wrong.append(f"The value is wrong: {by}.")
    if best and not (best[0] in proof.best or _keeps_value(game, best[0], proof, limits, referee)):
        good = listing(map(clean, proof.best[:3]), "or")
        wrong.append(f"{clean(best[0])} gives something away: {by}" + (f", by {good}." if good else "."))
    interval: Any = None if value is None else tuple((v, v) for v in proof.value)
    if wrong:
        return _with_notes(replace(found, interval=interval), wrong, "")
    right = replace(found, exact=True, value=None if value is None else tuple(proof.value))
    return replace(right, notes=(*found.notes, f"It is right: {by}."))


def _with_notes(found: Solution, wrong: list[str], open_: str) -> Solution:
    """The answer with notes on what is wrong with it; if nothing is, on why it is open."""
    why = [f"{open_[0].upper()}{open_[1:]}."] if open_ and not wrong else wrong
    return replace(found, notes=(*found.notes, *why))


def _by_player(game: Game[Any], numbers: Any) -> str:
    return ", ".join(f"{clean(who)} {brief(n)}" for who, n in zip(game.players, numbers, strict=True))


def _by_regret(game: Game[Any], found: Solution) -> tuple[Solution, list[str], str]:
    """The answer with the regret of its profile (and the value, if it gave none), notes on what is wrong with it, and
    the reason if its profile was not judged ("" if it was, or there is none)."""
    if found.strategy is None:
        return found, [], ""
    from gdl.solvers.equilibria.regret import regret

    try:
        judgement = regret(game, found.strategy, limit=PROFILE_POSITIONS)
    except (LimitReached, Refusal, DamagedData) as why:
        return replace(found, regret=None), [], f"the profile was not judged: {why}"
    wrong = []
    if found.value is not None and tuple(found.value) != judgement.value:
        wrong.append(f"The value is wrong: the profile pays {_by_player(game, judgement.value)}.")
    if any(judgement.regret):
        wrong.append(f"The profile is no equilibrium: by leaving it they gain {_by_player(game, judgement.regret)}.")
    value = found.value if wrong and found.value else Vector(judgement.value)
    return replace(found, regret=Vector(judgement.regret), value=value, exact=not wrong), wrong, ""


def _proof(game: Game[Any], limits: SearchLimits, referee: Referee) -> Solution | None:
    """The solution that the referee proves; None where it proves nothing."""
    try:
        found = referee(game, limits)
    except LimitReached as stop:
        found = stop.partial
    except (Refusal, GameError):
        return None
    return found if isinstance(found, Solution) and found.is_value_proven else None


class _Rest(GameWrapper):
    """The game that begins at another state."""

    def __init__(self, game: Game[Any], start: Any):
        super().__init__(game)
        self.engine, self.promises, self._start = game.engine.begun_at(start), game.promises, start

    def initial(self) -> Any:
        return self._start


def _keeps_value(game: Game[Any], action: str, proof: Solution, limits: SearchLimits, referee: Referee) -> bool:
    """True if an action that the referee does not list keeps the value."""
    start = game.initial()
    node = game.node(start)
    if not isinstance(node, Decision) or game.traits.perfect_information is False:
        return False
    after = _proof(_Rest(game, game.successor(start, action)), limits, referee)
    return bool(after and after.value and proof.value and after.value[node.player] == proof.value[node.player])


# ---- by name ----------------------------------------------------------------------------------------------------


def installed_solvers() -> dict[str, str]:
    """The solvers that installed packages bring: by name, the module and the function, with a colon between them."""
    return {one.name: one.value.replace(" ", "") for one in entry_points(group=GROUP)}


@cache
def named_solver(name: str) -> Solver:
    """The solver `python:FILE.py:NAME`, or one of an installed package. Raises KeyError if there is none, Refusal if
    its program fails or has no such function."""
    path = name.removeprefix(PREFIX) if name.startswith(PREFIX) else installed_solvers()[name]
    place, _, function = path.rpartition(":")
    if not place:
        raise Refusal(f"'{clean(name)}' names no function: write {PREFIX}FILE.py:NAME")
    with _blaming(name):
        module = _load(Path(place)) if place.endswith(".py") else import_module(place)
    search = getattr(module, function, None)
    if isinstance(search, Solver):
        return search
    if not callable(search):
        known = [
            key for key, each in vars(module).items() if inspect.isfunction(each) and each.__module__ == module.__name__
        ]
        raise Refusal(f"{clean(place)} has no function '{clean(function)}'; it has {listing(known) or 'none'}")
    return own_solver(search, name, blames=True)


def _load(file: Path) -> ModuleType:
    """The module of a file, which can import others beside it."""
    if not file.is_file():
        raise Refusal(f"there is no file '{clean(str(file))}'")
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[file.stem] = module_from_spec(spec)
    sys.path.append(str(file.parent.resolve()))
    spec.loader.exec_module(module)
    return module


@contextmanager
def _blaming(name: str) -> Iterator[None]:
    """Report a failure in the block as the fault of the user's program, with its place."""
    try:
        yield
    except (GameError, Refusal, LimitReached, Interrupted):
        raise
    except (Exception, SystemExit) as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).name == name.split(":")[-2:][0].rpartition("/")[2]]
        at: Any = fault if isinstance(fault, SyntaxError) and fault.filename else (own or frames)[-1]
        where = f"{Path(at.filename).name}, line {at.lineno}"
        raise Refusal(f"{clean(name)} fails in {where}: {type(fault).__name__}: {clean(str(fault)[:200])}") from fault
