"""gdl as an engine for other programs: what they say while a search works, and moves found by searches that can be
stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from gdl.compiler import wasm
from gdl.compiler.compiled_engine import by_rules, falling_back, is_by_rules, offer
from gdl.errors import EngineFault, GameError, LimitReached, Refusal
from gdl.errors.deadline import Deadline
from gdl.game import Action, Chance, Decision, Game, Terminal, surely_at
from gdl.interpreter.position import Continuation, begin_at
from gdl.playing.loading import Asked, Remark, ignore, play
from gdl.solution import Solution
from gdl.solvers import SOLVERS
from gdl.solvers.budget import DepthProgress, SearchLimits
from gdl.solvers.horizon import goes_on
from gdl.solvers.one_ply import SECONDS, look_one_ply
from gdl.solvers.run_solver import run_solver
from gdl.states.checked_game import ensure_checked
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.computer import NOBODY, Company, Computer, ComputerSettings, Searcher
from gdl.wings.arena.draws import draw_action
from gdl.wings.arena.protocol import LEAST_SECONDS, PONDER, ComparedActions, Info, ThinkingLimits, action_as_word

USUAL = 1.0  # seconds of a move, where nothing limits it
DEEPEST = 200  # plies
SIMULATIONS, ENDLESS = 1_000, 1_000_000_000  # where nothing limits them, and where `stop` will end them
FOREVER = 1e9  # seconds of a search that `stop` will end
SLEEP = 0.01  # seconds between two looks whether to stop
WORD = 0.5  # seconds between two reports of progress: the line of a depth that is done, else the number of nodes
STOPPED = "stopped"
FIRST = 0.4  # of the time: to find the best action, before others are compared with it
LINES, HASH = "MultiPV", "Hash"  # options, as UCI calls them
USUAL_HASH, MOST_HASH = 512, 65_536  # MiB of a table of positions
BREATH = 0.1  # seconds between two lines that were sent together, as by a script
TRIES = 100  # outcomes of chance, at most, before somebody moves


Remarks = Callable[[Info], None]  # gets the findings of a search so far


class _InputLine(NamedTuple):
    """A line (None: the input has ended), and when it came, on the clock `monotonic`."""

    line: str | None
    at: float

    @property
    def word(self) -> str:
        return "" if self.line is None else self.line.strip()


class Listener:
    """The lines of the other program, which come while a search works as well."""

    def __init__(self, say: Remark = ignore) -> None:
        """`say` sends an answer that is due while a search works."""
        self._say = say
        self._lines: SimpleQueue[_InputLine] = SimpleQueue()
        self._kept: list[_InputLine] = []
        self._last = _InputLine("", monotonic())
        self.hit: float | None = None  # when `ponderhit` came, after the last line
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in sys.stdin:
                self._lines.put(_InputLine(line, monotonic()))
        except (OSError, ValueError):
            pass  # what cannot be read any more has ended
        self._lines.put(_InputLine(None, monotonic()))

    def next_line(self) -> str | None:
        """The next line; None at the end of the input."""
        self.hit = None
        self._last = self._kept.pop(0) if self._kept else self._lines.get()
        return self._last.line

    def stops(self, endless: bool) -> bool:
        """True if a search is to end now: on `stop`, or on `quit`, unless that was sent together with the line that
        began the search, as in a script. An `endless` search, which would not end by itself, ends on any `quit`, and at
        the end of the input."""
        if any(self._ends(heard, endless) for heard in self._kept):
            return True
        while True:
            try:
                heard = self._lines.get_nowait()
            except Empty:
                return False
            word = heard.word
            if word == "isready":
                self._say("readyok")
            elif word == "stop":
                return True
            elif word == "ponderhit":
                self.hit = heard.at
            else:
                self._kept.append(heard)
                if self._ends(heard, endless):
                    return True

    def _ends(self, heard: _InputLine, endless: bool) -> bool:
        if endless:
            return heard.line is None or heard.word == "quit"
        return heard.word == "quit" and heard.at - self._last.at > BREATH


class _StopAtOnce(Listener):
    """Stops a search that is begun for the sake of compiling it alone."""

    def __init__(self) -> None:
        self.hit = None

    def stops(self, endless: bool) -> bool:
        return True


class Thinking:
    """Finds moves by searches that can be stopped."""

    def __init__(self, asked: Asked, engine: str, listener: Listener, company: Company = NOBODY):
        self.company = company
        self.asked, self.engine, self.listener = asked, engine, listener
        self.options = {
            "Seed": ("type spin default * min 0 max 2147483647", "0"),
            "Threads": ("type spin default * min 1 max 64", "1"),
            PONDER: ("type check default *", "false"),
            LINES: ("type spin default * min 1 max 200", "1"),
            HASH: (f"type spin default * min 1 max {MOST_HASH}", str(USUAL_HASH)),
        }
        self._ready = False
        self._whole: Game[Any] = asked.game  # with its engine, from its start
        self._counting: tuple[Game[Any], Game[Any]] | None = None  # a game, and the same on its engine
        self._valued: Game[Any] | None = None  # the game with an evaluation by material, where the file has none
        self._late = 0.0  # seconds by which a search overruns its time
        self._computer: tuple[Game[Any], int, Computer] | None = None  # of a game, by a seed

    def start(self, position: str | None, tell: Callable[[str], object] = lambda _: None) -> Game[Any]:

        game, model = self.asked.game, self.asked.loaded.model
        begun = None if position is None else play(begin_at(model, position, warn=lambda found: tell(found.message)))
        if begun is not None and getattr(game, "model", None) is model:
            return Continuation(self._whole, begun.initial())  # for which all is compiled
        self._counting, self._ready = None, False  # its tables are of the game before
        whole = begun or game
        if _evaluates(whole):
            by_rules(whole)[0].leave_cycles_open()  # for what searches with an evaluation do not ask
        self._whole = offer(whole, self.engine, self._room, self.company.remark)
        return self._whole

    @property
    def seed(self) -> int:
        return self._number("Seed", 0, 1 << 31)

    @property
    def threads(self) -> int:
        return self._number("Threads", 1, 64)

    def _room(self) -> int | None:
        """The bytes that a search may take, so that its table has as many as the option Hash says; None: as usual."""
        size = self._number(HASH, 1, MOST_HASH)
        return None if size == USUAL_HASH else (size << 20) * 4 // 3

    def _number(self, option: str, least: int, most: int) -> int:
        value = self.options[option][1]
        return min(max(int(value), least), most) if value.isdecimal() else least

    def get_ready(self, game: Any, state: Turn) -> str:
        """Find out what pieces are worth, if the file has no evaluation, and compile the search. Returns a line about
        what was found out; "" if there is nothing to say."""
        words = ""
        if not self._ready:
            from gdl.compiler.better_evaluation import with_evaluation

            self._valued = with_evaluation(game.game)
            words = "" if self._valued is None else self._valued.promises.estimated_by
        self._compile(game, state)
        return words

    def _compile(self, game: Any, state: Turn) -> None:
        """Compile the search, unless that was done, and measure how late it ends."""
        if self._ready:
            return
        self._ready = True
        for ply in range(TRIES):
            node = game.node(state)
            if not isinstance(node, Chance):
                break
            state = game.successor(state, draw_action(dict(node.outcomes), Random(ply)))
        if not isinstance(node, Decision):
            return
        if game.traits.perfect_information is not True:
            self._move_under_uncertainty(game, state, node, ThinkingLimits(seconds=USUAL))
            return
        # With an evaluation one module does every search; whatever it has searched stays in its table.
        nothing_kept, shortest = ThinkingLimits(nodes=0, infinite=True), ThinkingLimits(seconds=LEAST_SECONDS)
        second = nothing_kept if _evaluates(self._valued or game.game) else shortest
        for wanted in (nothing_kept, second, second):  # the first compiles
            listener, began = _StopAtOnce() if wanted.infinite else None, monotonic()
            self.search(game, state, wanted, lambda info: None, listener).best()
        self._late = max(0.0, monotonic() - began - (wanted.seconds or 0))

    def move(self, game: Game[Any], state: Turn, wanted: ThinkingLimits, tell: Callable[[Info], None]) -> Action:
        node = game.node(state)
        if isinstance(node, Chance):
            return draw_action(dict(node.outcomes), Random(f"{self.seed}/{state}"))
        assert isinstance(node, Decision)
        scored = wanted.most is None and game.traits.perfect_information is True  # as analysis asks, not a clock
        if len(node.actions) == 1 and not (wanted.infinite or wanted.ponder or scored):
            return node.actions[0]
        self._compile(game, state)
        if wanted.seconds is not None:
            late = min(self._late, wanted.seconds / 2)
            most = None if wanted.most is None else max(LEAST_SECONDS, wanted.most - late)
            wanted = replace(wanted, seconds=max(LEAST_SECONDS, wanted.seconds - late), most=most)
        count = self._number(LINES, 1, 200)
        if game.traits.perfect_information is True and (count > 1 or wanted.moves):
            actions = tuple(each for each in node.actions if not wanted.moves or action_as_word(each) in wanted.moves)
            looked_at = () if game.traits.chance is False else actions  # a look takes some milliseconds
            if actions and not any(isinstance(game.node(game.successor(state, one)), Chance) for one in looked_at):
                return self._compare(game, state, actions, wanted, tell)
        if game.traits.perfect_information is True:
            searching = self.search(game, state, wanted, tell, self.listener)
            found = searching.best()
            if found is not None:
                return found
            if searching.stopped:
                wanted = replace(wanted, seconds=SLEEP)  # stopped before anything was found
        while wanted.ponder and self.listener.hit is None and not self.listener.stops(True):
            sleep(SLEEP)
        return self._move_under_uncertainty(game, state, node, wanted)

    def _compare(
        self, game: Any, state: Turn, actions: Sequence[Action], wanted: ThinkingLimits, tell: Callable[[Info], None]
    ) -> Action:
        """The best of some actions, each searched by itself."""
        player = game.node(state).player

        def search(action: Action, limits: ThinkingLimits) -> tuple[Info | None, bool]:
            """The findings about an action, and True if the search was stopped."""
            later = game.successor(state, action)
            node = game.node(later)
            if isinstance(node, Terminal):
                score = float(node.utilities[player])
                mate = moves_to_end(game, later, player, 1, score)
                return Info(1, score, line=(action,), mate=mate), self.listener.stops(False)
            told: list[Info] = []
            searching = self.search(game, later, limits, told.append, self.listener, player)
            searching.best()
            found = [info for info in told if info.score is not None]
            # A search of some milliseconds is over before it asks.
            return (found[-1].prepend(action) if found else None), searching.stopped or self.listener.stops(False)

        compared = ComparedActions(actions, search, self._number(LINES, 1, 200), tell)
        limited = wanted.infinite or wanted.ponder or wanted.depth or wanted.nodes or wanted.moves
        if wanted.seconds is not None and not limited:
            began, seconds = monotonic(), wanted.seconds
            info, stopped = self._find_best(game, state, replace(wanted, seconds=FIRST * seconds))
            if info is not None:
                compared.know(info.line[0], info)
                if stopped:
                    tell(info._replace(rank=1))
                    return info.line[0]
            wanted = replace(wanted, seconds=max(LEAST_SECONDS, seconds - (monotonic() - began)))
        return compared.run(wanted, lambda: self.listener.hit is not None, self.listener.stops)

    def _find_best(self, game: Any, state: Turn, wanted: ThinkingLimits) -> tuple[Info | None, bool]:
        """The findings about the best action of all (None: there are none), and True if the search was stopped."""
        told: list[Info] = []
        searching = self.search(game, state, wanted, told.append, self.listener)
        best = searching.best()
        found = [info for info in told if info.score is not None and info.line[:1] == (best,)]
        return (found[-1] if found else None), searching.stopped

    def search(
        self, game: Any, state: Turn, wanted: ThinkingLimits, tell: Remarks, listener: Listener | None,
        player: int | None = None,
    ) -> StoppableSearch:  # fmt: skip
        """A search from a state. `player` is the one whose scores are shown, by default the mover."""
        searched = game if self._valued is None else Sequential(self._valued)
        untimed = wanted.depth or wanted.nodes or wanted.infinite or wanted.ponder
        counts = self.engine == "auto" and wasm.available() and is_by_rules(searched.game)
        counts = counts and bool(untimed or _evaluates(searched.game))
        whole = self._whole if self._valued is None else self._valued
        if counts and (self._counting is None or self._counting[0] is not whole):
            self._counting = whole, offer(whole, "wasm", self._room)
        counting = self._counting[1] if counts and self._counting is not None else searched.game
        return StoppableSearch(self, searched, counting, state, wanted, tell, listener, player)

    def _move_under_uncertainty(self, game: Any, state: Turn, node: Decision, wanted: ThinkingLimits) -> Action:
        """An action where something is hidden: by an equilibrium, or by simulations from possible positions."""
        kept = self._computer
        if kept is None or kept[:2] != (game.game, self.seed):
            computer = Computer(game.game, "auto", self.seed, USUAL, company=self.company)
            self._computer = kept = game.game, self.seed, computer
        computer = kept[2]
        computer.manner.seconds = wanted.seconds or USUAL
        return computer.move(state, node.player)


def _evaluates(game: Game[Any]) -> bool:
    """True if the file of a game by rules has an evaluation."""
    return is_by_rules(game) and bool(by_rules(game)[0].model.evaluates)


class StoppableSearch(DepthProgress):
    """One search for a move where everything is seen."""

    def __init__(
        self, thinking: Thinking, game: Any, counting: Game[Any], state: Turn, wanted: ThinkingLimits, tell: Remarks,
        listener: Listener | None, player: int | None,
    ):  # fmt: skip
        """`listener` hears what ends the search; None: only time does. `counting` is the game on the engine that is to
        search every node, however few are asked for, so that `stop` need not wait for a slow one."""
        self._plain = Continuation(game.game, state.state)
        self.position = self._plain if counting is game.game else Continuation(counting, state.state)
        self.wanted, self.tell, self.listener, self.seed = wanted, tell, listener, thinking.seed
        self.threads = {"threads": thinking.threads} if thinking.threads > 1 else {}
        self.company = thinking.company
        self.player = game.node(state).player if player is None else player
        self._game, self._state = game, state
        self.began = monotonic()
        self.worded = 0.0  # seconds from the start at which progress was last reported
        self.stopped = False
        self._found: Callable[[], Solution] | None = None  # gives the answer of a depth that is done, and was not told

    @property
    def seconds(self) -> float | None:
        """The seconds for the whole search; None: until it is stopped, or as deep as was asked for."""
        if self.wanted.seconds is not None and not self.wanted.ponder:
            return self.wanted.seconds
        unlimited = self.waits or self.wanted.ponder or self.wanted.depth or self.wanted.nodes
        return None if unlimited else USUAL

    @property
    def waits(self) -> bool:
        """True if the answer is not to be given before somebody says so."""
        return self.wanted.infinite or (self.wanted.ponder and self._hit is None)

    @property
    def _hit(self) -> float | None:
        """When the expected move was played, on which the search pondered, and from when the usual limits hold; None:
        it was not."""
        return None if self.listener is None else self.listener.hit

    @property
    def spent(self) -> float:
        return monotonic() - self.began

    def best(self) -> Action | None:
        """Search for an action; None where no search suits the game."""
        evaluated = self.position.evaluate(self.position.initial()) is not None
        found = self._search_action("depth-limited", self._deepening()) if evaluated or self.wanted.depth else None
        if found is None and not self.stopped and self.seconds is not None:
            found = self._looked_up()
        if found is None and not self.stopped:
            found = self._search_action("mcts", self._simulations())
        while self.waits and not self.stopped:
            sleep(SLEEP)  # it was found sooner: the answer waits for `stop`
            self.stopped = self._stops()
        return found

    def _looked_up(self) -> Action | None:
        """Find an action as `gdl play` does without an evaluation: search to the ends if they are near, else
        simulate."""
        assert self.seconds is not None
        left = max(LEAST_SECONDS, self.seconds - self.spent)
        manner = ComputerSettings(self.position, "auto", self.seed, left, self, self.threads, self.company)
        solution = Searcher(self.position, manner).find_move(self.position.initial())
        if solution is None:
            return None
        self._tell_solution(solution)
        return solution.best[0]

    def _deepening(self) -> dict[str, Any]:
        """The options of a search that goes deeper and deeper, up to the limits asked for."""
        from gdl.solvers.minimax.cut_off import FlexibleDeadline

        limits = {"depth": self.wanted.depth, "nodes": self.wanted.nodes, "time": self.seconds}
        given: dict[str, Any] = {name: limit for name, limit in limits.items() if limit is not None}
        if self.seconds is not None and self.wanted.most is not None:
            given["time"] = FlexibleDeadline.starting_now(self.wanted.most)  # of which about `seconds` are spent
        return {**(given or {"depth": DEEPEST}), "selective": goes_on(self.position)}

    def _simulations(self) -> dict[str, Any]:
        if self.wanted.nodes:
            return {"nodes": self.wanted.nodes, "simulations": ENDLESS}
        if self.seconds is not None:
            return {"time": max(LEAST_SECONDS, self.seconds - self.spent)}
        if self.waits or self.wanted.ponder:
            return {"time": FOREVER}  # a search that time limits goes on with the tree of the one before
        return {"simulations": SIMULATIONS}

    def _search_action(self, solver: str, options: dict[str, Any]) -> Action | None:
        """The best action that the solver finds until something stops it; None where it does not suit the game."""
        solution: Any = None
        options |= self.threads
        try:
            solution = falling_back(lambda: self._run_solver(solver, options), self.position, self.company.fault)
        except LimitReached as stop:
            solution = stop.partial
        except (Refusal, EngineFault):
            if self.position is self._plain:
                return None
            self.position = self._plain  # which goes on without the engine
            return self._search_action(solver, options)
        except GameError:
            if self.position.evaluate(self.position.initial()) is not None:
                raise
            return None  # a depth was asked for, and no evaluation judges the positions there
        if not isinstance(solution, Solution) or not solution.best:  # stopped before it looked at any action
            left = SECONDS if self.seconds is None else min(SECONDS, max(0.0, self.seconds - self.spent))
            unsearched = Solution(self._plain.name, solver, self._plain.players, exact=False)
            solution = look_one_ply(self._plain, unsearched, left)
            if not solution.best:
                return str(self._game.node(self._state).actions[0])
        self._tell_solution(solution)
        return solution.best[0]

    def _run_solver(self, solver: str, options: dict[str, Any]) -> Solution:
        """The solver's answer. Bounds of the value, which `solve` looks for where a limit stops it, nobody reads here:
        in chess they would take a sixth of a second from every move."""
        given = {"seed": self.seed, **options}
        time = given.pop("time", None)
        clock = None if time is None else Deadline.from_limit(time)
        limits = SearchLimits(given.pop("nodes", None), clock, self)
        return run_solver(
            SOLVERS[solver], ensure_checked(self.position, self.position.traits), {**given, "limits": limits}
        )

    def __call__(self, nodes: int) -> None:
        if self.stopped or self._stops() or self._is_over():  # once stopped, no further way of searching is taken
            self.stopped = True
            raise LimitReached(STOPPED)
        if self.spent - self.worded > WORD:
            self.worded = self.spent
            found, self._found = self._found, None
            if found is None:
                self.tell(Info(nodes=nodes, seconds=self.spent))
            else:
                self._tell_solution(found())

    def deeper(self, answer: Callable[[], Solution]) -> None:
        self._found = answer

    def _stops(self) -> bool:
        return self.listener is not None and self.listener.stops(self.waits)

    def _is_over(self) -> bool:
        """True if a search that pondered has used up its time, pondering included, since the expected move was
        played."""
        if not self.wanted.ponder or self._hit is None or self.wanted.depth or self.wanted.nodes:
            return False
        return self.spent >= (self.wanted.seconds or USUAL)

    def _tell_solution(self, solution: Solution) -> None:
        info = solution_info(solution, self.player, self.spent)
        state = self._state
        for action in info.line:
            state = self._game.successor(state, action)
        self.tell(info._replace(mate=moves_to_end(self._game, state, self.player, len(info.line), info.score)))


def solution_info(solution: Solution, player: int, seconds: float) -> Info:
    """The findings of an answer, scored for a player."""
    score = None if solution.value is None else float(solution.value[player])
    line, words = solution.line or solution.best[:1], "exact" if solution.exact else ""
    return Info(solution.depth, score, solution.nodes or 0, seconds, tuple(line), words)


def moves_to_end(game: Any, state: Turn, player: int, plies: int, score: float | None) -> int | None:
    """The number of moves that a player makes up to an end after `plies` plies, if it is worth the most they can get;
    negative if it is worth the least; else None. For games of two."""
    low, high = surely_at(game.game, game.game.initial())[player]
    if len(game.players) != 2 or score not in (low, high) or not isinstance(game.node(state), Terminal):
        return None
    return (plies + 1) // 2 * (1 if score == high else -1)
