"""How the computer plays its side of a match.

1. Where everything is seen it searches: to the ends of play if few positions remain; else as deep as there is time for,
   if the file gives an evaluation or pieces can be counted; else by simulations.
2. Where something is hidden it plays an equilibrium of the whole game, if one is soon found; else it follows
   simulations from positions that are possible for all the player knows. Neither uses what the player may not know.

A move takes a second. If a seed was asked for, work is counted instead of time, so that the same seed makes the same
play every time.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from math import inf
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl import wings
from gdl.compiler.compiled_engine import falling_back
from gdl.compiler.search_kinds import DEPTH_LIMITED
from gdl.errors import EngineFault, GameError, LimitReached, Refusal, clean, count_text, listing, warn_of_fault
from gdl.errors.shares import STATES_OUT_OF_REACH, STATES_WITHIN_REACH
from gdl.game import (
    NO_ENGINE,
    Action,
    Chance,
    Decision,
    Game,
    Number,
    Simultaneous,
    Terminal,
    Unknown,
    Utility,
    actions,
    exact,
)
from gdl.interpreter.position import Continuation
from gdl.numbers import to_text
from gdl.solution import Mixture, Profile, Solution
from gdl.solvers.engine_stages import compiled_search, memory_limit
from gdl.solvers.horizon import goes_on
from gdl.solvers.minimax.windows import constant_sum_vector
from gdl.states.estimate import state_space_size
from gdl.states.explore import Progress
from gdl.states.game_wrapper import GameWithEngine
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from gdl.wings.arena.draws import draw_action
from gdl.wings.arena.judging import JudgingScale, PositionWorth, scale
from gdl.wings.arena.levels import (
    BEST_LEVEL,
    LEVELS,
    Level,
    Worth,
    choose_by_level,
    join_depths,
    run_until,
    worth_by_visits,
)
from gdl.wings.arena.match import WIDTH

if TYPE_CHECKING:
    from gdl.compiler.searches.principal_variation import PrincipalVariation

SECONDS = 1.0  # for a move
PLAYED_OUT, PLAYED_OUT_SHARE = 2_000, 0.15  # positions of a full search by the interpreter; its share of a move's time
PLAYED_OUT_COUNTED = 300  # positions of that search where work is counted
PROVED, PROVED_SHARE = 1_000_000, 0.5  # positions of a proof where work is counted; its share of a move's time
STRATEGIES = 0.5  # share of the seconds for an equilibrium of the whole game
_INSTANT, LONG = 0.001, 60.0  # seconds

# The work where it is counted: on WebAssembly (True) and without it.
ESTIMATES: Mapping[bool, Mapping[str, int]] = {  # a long time limit makes solvers begin on the compiled engine
    True: {"nodes": 50_000, "time": 60},
    False: {"nodes": 10_000},
}
SIMULATIONS: Mapping[bool, Mapping[str, int]] = {True: {"simulations": 400}, False: {"simulations": 100}}
POSITIONS = 1_500  # of the whole game, for an equilibrium
FROM_POSITIONS = 2_000  # simulations, of which about half begin at positions that may be the case,
PLIES_SIMULATED = 5_000  # and after which the interpreter begins no further one


def _ignore_remark(told: object) -> None:
    """Ignore a remark, or a count of what is done."""


def _ignore_progress() -> AbstractContextManager[Progress]:  # no lambda, as environments are pickled
    return nullcontext(_ignore_remark)


@dataclass(frozen=True)
class Company:
    """Callbacks through which the computer reports what it does; by default they do nothing."""

    line: Callable[[str], None] = _ignore_remark  # gets its judgement of each of its own moves
    remark: Callable[[str], None] = _ignore_remark  # gets what it has found out, or how it plays
    fault: Callable[[EngineFault], None] = warn_of_fault  # gets a failure of the compiled engine
    watched: Callable[[], AbstractContextManager[Progress]] = _ignore_progress  # while it searches


NOBODY = Company()


class Thought(NamedTuple):
    """An action that the computer chose, and why."""

    action: Action
    words: str


@dataclass
class SearchWork:
    """The work of a player for the moves that it had to look for."""

    moves: int = 0
    unfound: int = 0  # moves for which its search found nothing
    late: int = 0  # moves whose search the clock ended
    nodes: int = 0
    seconds: float = 0.0  # of processor time

    def note_search(self, found: object, late: bool = False) -> None:
        """Count the nodes of a search, which the clock ended if it is `late`."""
        self.nodes += (isinstance(found, Solution) and found.nodes) or 0
        self.late += late


@dataclass
class ComputerSettings:
    """How the computer was asked to play the game. `seconds`: for a move; None: the work is counted."""

    game: Game[Any]
    solver: str
    seed: int
    seconds: float | None = SECONDS
    watch: Callable[[int], None] = _ignore_remark  # is told of progress, and may raise LimitReached
    threads: Mapping[str, int] = field(default_factory=dict)  # the option of searches that take it; {}: one thread
    company: Company = Company()
    work: SearchWork = field(default_factory=SearchWork)

    def try_solver(self, game: Game[Any], solver: str, options: Mapping[str, Any]) -> Solution | None:
        """The solver's answer, which may be partial; None where the solver does not suit the game or finds nothing.
        Raises Refusal where a solver that was asked for by name does not suit the game."""
        from gdl.solvers import solve

        try:
            with self.company.watched() as count:

                def progress(done: int) -> None:
                    self.watch(done)
                    count(done)

                def work() -> Solution:
                    return solve(game, solver, seed=self.seed, progress=progress, **options)

                return falling_back(work, game, self.company.fault)
        except LimitReached as stop:
            return stop.partial if isinstance(stop.partial, Solution) else None
        except Refusal:
            if self.solver != "auto":
                raise
            return None
        except GameError:
            if not game.traits.unknowns:
                raise
            return None  # it would need a number that the file leaves open


class Computer:
    """The computer as the player of some seats, and as the one who gives hints at the others."""

    def __init__(
        self,
        game: Game[Any],
        solver: str,
        seed: int,
        seconds: float | None = SECONDS,
        talkative: bool = False,
        threads: int = 1,
        company: Company = Company(),
        level: int = BEST_LEVEL,
    ):
        """`seconds` is the time for a move; None: work is counted instead. A `talkative` computer reports how it judges
        its own moves, if nothing is hidden. `threads` search at the same time. As long as a `book` has a move, that is
        played. Below BEST_LEVEL it plays by a level of the table."""
        self.game = game
        self.turns = Sequential(game)
        self.talkative = talkative
        self.manner = ComputerSettings(
            game, solver, seed, seconds, threads={"threads": threads} if threads > 1 else {}, company=company
        )
        self.searcher = Searcher(game, self.manner)
        self._level = level
        self._gets_ready = False  # True: get ready before the first move that asks for thought
        self._guesser = Guesser(game, self.manner)

    def move(self, state: Turn, player: int) -> Action:
        """Choose the player's action at the state."""
        thought = self._thought(state, player) if self._level == BEST_LEVEL else self._thought_at_level(state, player)
        if self.talkative and self._is_seen(state):
            self.manner.company.line(textwrap.fill(clean(f"{thought.words}."), WIDTH))
        return thought.action

    def hint(self, state: Turn, player: int) -> str:
        """Advise the player at the state: an action and the reasons for it, from what the player may know."""
        return self._thought(state, player).words

    def get_ready(self, later: bool = False) -> None:
        """Do before the first move what would take time from it (`later`: put that off until a move asks for thought);
        where something is hidden, remark how the computer plays."""
        if self._is_seen(self.turns.initial()):
            self._gets_ready = later
            if not later:
                self.searcher.get_ready()
        else:
            self.manner.company.remark(f"the computer plays by {self._guesser.way}")

    def _thought_at_level(self, state: Turn, player: int) -> Thought:
        """The action that seems best at the level; the best that is found where actions cannot be compared."""
        level, node = LEVELS[self._level - 1], self.turns.node(state)
        if len(actions(node)) == 1:
            return self._thought(state, player)
        if self._is_seen(state):
            worths, known = self.searcher.compare_actions(state.state, player, level), repr(state.state)
            error = level.error if self.searcher.is_estimated else level.doubt
        else:
            error, known = level.doubt, str(self.turns.information_set(state, player))
            worths = self._guesser.compare_actions(state, player, f"{self.manner.seed}/{player}/{known}", level)
        if not worths:
            return self._thought(state, player)
        action = choose_by_level(worths, error, f"{self.manner.seed}/{known}")
        return Thought(action, f"{action}, which seems best at level {self._level}")

    def _thought(self, state: Turn, player: int) -> Thought:
        node = self.turns.node(state)
        assert isinstance(node, Decision)
        if len(node.actions) == 1:
            return Thought(node.actions[0], f"{node.actions[0]}, as there is nothing else")
        if self._gets_ready:
            self.get_ready()
        if self._is_seen(state):
            found = self.searcher.thought(state.state)
            why = "because no search suits this game, or none found an action in time"
            return found or _random_thought(node.actions, str(node.actions), why)
        return self._guesser.thought(state, player, node.actions)

    def _is_seen(self, state: Turn) -> bool:
        """True if everybody sees everything here, and nobody moves at the same time as another."""
        joint = isinstance(self.game.node(state.state), Simultaneous)
        return bool(self.game.traits.perfect_information) and not joint


def _random_thought(actions: Sequence[Action], seed: str, why: str) -> Thought:
    """An action drawn by the seed; `why` says in its words why there was no better way."""
    action = Random(seed).choice(actions)
    return Thought(action, f"{action}, drawn from all actions alike, {why}")


Way = Callable[[Game[Any], "float | None"], "Solution | None"]  # finds a move in so many seconds; None: no clock


class Searcher:
    """Finds moves where everything is seen."""

    def __init__(self, game: Game[Any], manner: ComputerSettings):
        self.game = game
        self.manner = manner
        self._latest: Way | None = None  # by which the last move was found
        self._overdrawn = 0.0  # seconds of the first move that were taken for getting ready

    def get_ready(self) -> None:
        """Find out and compile what will be needed at the first decision, whatever chance brings before it."""
        seconds, began = self.manner.seconds, monotonic()
        if seconds is None:
            return
        state = self.game.initial()
        while isinstance(node := self.game.node(state), Chance) and monotonic() - began < seconds:
            state = self.game.successor(state, node.outcomes[0][0])
        if not isinstance(node, Decision):
            return
        position = Continuation(self.game, state)
        for way, _ in self.ways_to_move(position):
            found = way(position, PLAYED_OUT_SHARE * seconds if way == self._by_full_search else _INSTANT)
            late = monotonic() - began - seconds
            self._overdrawn = min(seconds / 2, max(0.0, late))
            if found is not None and way != self._by_proof:
                self._latest = way
                return
            if late > 0:
                return

    def thought(self, state: Any) -> Thought | None:
        """The action to play at a position, with its judgement, by the first way that finds one; None if none does."""
        solution = self.find_move(state)
        return None if solution is None else Thought(solution.best[0], judgement(solution))

    def find_move(self, state: Any) -> Solution | None:
        """An answer with an action to play at a position, by the first way that finds one; None if none does."""

        position = Continuation(self.game, state)
        end = None if self.manner.seconds is None else monotonic() + self.manner.seconds - self._overdrawn
        self._overdrawn = 0.0
        for way, share in self.ways_to_move(position):
            left = None if end is None else share * max(_INSTANT, end - monotonic())
            solution = way(position, left)
            self.manner.work.note_search(solution)
            if solution is not None and solution.best:
                self.manner.work.late += left is not None and not solution.exact
                self._latest = way
                return solution
        return None

    def compare_actions(self, state: Any, player: int, level: Level) -> Mapping[Action, float]:
        """The worth of the actions at a position, as far as a level sees; {} where no search suits it."""
        from gdl.wings.arena.contest import count_visits

        nodes, simulations = level.nodes, level.simulations
        if self.manner.seconds is None or not self.game.engine.fast:  # the best player does no more
            nodes = min(nodes, self._limits(ESTIMATES, None)["nodes"])
            simulations = min(simulations, self._limits(SIMULATIONS, None)["simulations"])
        with suppress(LimitReached, Refusal):
            if self._windows is not None:
                return self._compare_by_depth(self._windows, state, player, nodes)
        if not self.game.engine.fast and self.is_estimated:
            return self._compare_by_a_look(state, player)  # plays to the end take the interpreter too long
        position = Continuation(self.game, state)
        work = partial(count_visits, position, simulations, self.manner.seed)
        return worth_by_visits(falling_back(work, position, self.manner.company.fault))

    def _compare_by_depth(
        self, search: PrincipalVariation, state: Any, player: int, nodes: int
    ) -> Mapping[Action, float]:
        """Search the position after each action, all of them one ply deeper at a time and the best first, until so many
        nodes are spent or the time is over; to the first depth in any case."""
        found, end = dict[Action, Worth](), monotonic() + (self.manner.seconds or LONG)
        search.restart(state)
        search.bound(None, None)
        rows, side = {action: row for row, action in enumerate(search.actions)}, -1 if player else 1
        for left in count():
            deeper = dict[Action, Worth]()
            for action in sorted(rows, key=lambda each: -side * found[each][0] if found else 0):
                if found and search.nodes >= nodes:
                    break
                search.enter()
                worth = run_until(search.value_after(rows[action], left), end if found else inf)
                if worth is None:
                    break
                deeper[action] = worth
            found = join_depths(found, deeper)
            proved = not any(estimated for _, estimated in found.values())
            if len(deeper) < len(rows) or proved or search.nodes >= nodes or monotonic() > end:
                break
        return {action: self._chances_of(search, worth, player) for action, worth in found.items()}

    def _chances_of(self, search: PrincipalVariation, worth: Worth, player: int) -> float:
        value, estimated = constant_sum_vector(search.game, 0, search.number(worth[0]), search.total), worth[1]
        return self._scale.chances(PositionWorth(value, not estimated, (), estimated), player)

    def _compare_by_a_look(self, state: Any, player: int) -> Mapping[Action, float]:
        """Estimate the position after each action, without a search."""
        game, found = self._valued_game, dict[Action, float]()
        for action in actions(game.node(state)):
            later = game.successor(state, action)
            node = game.node(later)
            over = isinstance(node, Terminal)
            value = node.utilities if isinstance(node, Terminal) else game.evaluate(later)
            found[action] = self._scale.chances(PositionWorth(value, over, evaluated=not over), player)
        return found

    @cached_property
    def _windows(self) -> PrincipalVariation | None:
        """The search by alpha-beta with which levels compare actions, where positions can be estimated; else None."""
        if not self.is_estimated:
            return None
        game = self._valued_game
        return compiled_search(
            game, DEPTH_LIMITED, True, forgets=True, quiescent=goes_on(game), memory=memory_limit(game), threads=1,
            selective=False,
        )  # fmt: skip

    @property
    def is_estimated(self) -> bool:
        """True if positions can be estimated."""
        return self._valued_game.evaluate(self._valued_game.initial()) is not None

    @cached_property
    def _valued_game(self) -> Game[Any]:
        """The game with an evaluation: the file's, or that by its pieces, where they can be counted."""
        from gdl.compiler.better_evaluation import with_evaluation

        return with_evaluation(self.game) or self.game

    @cached_property
    def _scale(self) -> JudgingScale:
        """The scale by which values become chances."""
        return scale(self._valued_game)

    def ways_to_move(self, position: Game[Any]) -> list[tuple[Way, float]]:
        """The ways to find a move, in order, each with its share of the time that then remains. A full search by the
        interpreter that has failed once is not repeated where a proof on the engine can follow."""
        if self.manner.solver != "auto":
            return [(self._by_chosen_solver, 1.0)]
        from gdl.solvers.minimax.long_run import provable

        if position.evaluate(position.initial()) is not None:
            proof = [(self._by_proof, PROVED_SHARE)] if self._is_small else []
            return [*proof, (self._by_estimates, 1.0), (self._by_simulation, 1.0)]
        ways: list[tuple[Way, float]] = [
            (self._by_proof, PROVED_SHARE),
            (self._by_material, 1.0),
            (self._by_simulation, 1.0),
        ]
        in_vain = (
            self.manner.seconds is not None and self._latest not in (None, self._by_full_search) and provable(position)
        )
        return ways if in_vain else [(self._by_full_search, PLAYED_OUT_SHARE), *ways]

    @cached_property
    def _is_small(self) -> bool:
        """True if the game is known to have at most STATES_WITHIN_REACH states, so that a proof is tried before an
        estimate."""
        held = state_space_size(self.game)
        return held is not None and held <= STATES_WITHIN_REACH

    def _by_chosen_solver(self, position: Game[Any], seconds: float | None) -> Solution | None:
        return self.manner.try_solver(position, self.manner.solver, {"time": seconds, **self.manner.threads})

    def _by_full_search(self, position: Game[Any], seconds: float | None) -> Solution | None:
        """Search a position to all ends of play, by the interpreter; None where there are too many positions."""
        plain = GameWithEngine(position, NO_ENGINE)
        for solver in ("maxn", "retrograde"):
            if solver == "maxn" or self.game.traits.cyclic is not False:
                nodes = PLAYED_OUT_COUNTED if seconds is None else PLAYED_OUT
                found = self.manner.try_solver(plain, solver, {"nodes": nodes, "time": seconds})
                if found is not None and found.exact:
                    return found
                self.manner.work.note_search(found)
        return None

    def _by_proof(self, position: Game[Any], seconds: float | None) -> Solution | None:
        """Search a position to the ends of play on the engine, with a table."""
        from gdl.solvers.budget import Budget
        from gdl.solvers.minimax.long_run import prove_with_table

        budget = Budget(PROVED if seconds is None else None, seconds, self.manner.watch)
        return falling_back(
            lambda: prove_with_table(position, budget, to_play=seconds is not None), position, self.manner.company.fault
        )

    def _by_estimates(self, position: Game[Any], seconds: float | None) -> Solution | None:
        """Search deeper and deeper, and estimate positions by the file's evaluation."""
        limits = {**self._limits(ESTIMATES, seconds), **self.manner.threads, "selective": goes_on(position)}
        return self.manner.try_solver(position, "depth-limited", limits)

    def _by_material(self, position: Game[Any], seconds: float | None) -> Solution | None:
        """Search deeper and deeper, and estimate positions by the pieces, where they can be counted."""
        from gdl.compiler.better_evaluation import with_evaluation

        valued = with_evaluation(position)
        return None if valued is None else self._by_estimates(valued, seconds)

    def _by_simulation(self, position: Game[Any], seconds: float | None) -> Solution | None:
        """Simulate random plays (UCT); None if none of them came to its end, so that all actions seem alike."""
        options = {**self._limits(SIMULATIONS, seconds), **self.manner.threads}
        found = self.manner.try_solver(position, "mcts", options)
        return None if found is None or found.value is None else found

    def _limits(self, work: Mapping[bool, Mapping[str, int]], seconds: float | None) -> Mapping[str, Any]:
        return work[self.game.engine.fast] if seconds is None else {"time": seconds}


class Guesser:
    """Finds moves where something is hidden."""

    def __init__(self, game: Game[Any], manner: ComputerSettings):
        self.game = game
        self.turns = Sequential(game)
        self.manner = manner

    @property
    def way(self) -> str:
        """How the computer finds its move, in words."""
        if self._profile:
            return "an equilibrium of the whole game"
        return "simulations from positions that are possible for all it knows"

    def thought(self, state: Turn, player: int, actions: Sequence[Action]) -> Thought:
        """The player's action at a state, by what the player knows there."""
        seed = f"{self.manner.seed}/{player}/{self.turns.information_set(state, player)}"
        strategy = self._profile.get(self.game.players[player])  # its words, found by a walk, may take a second
        mixture = strategy and strategy.get(self.turns.describe(state, player))
        return self._by_strategy(mixture, player, seed) if mixture else self._by_samples(state, player, actions, seed)

    @cached_property
    def _profile(self) -> Profile:
        """Strategies for the whole game; {} where none were soon found."""
        solution = self._equilibrium
        return {} if solution is None else solution.strategy or next(iter(solution.equilibria), {})

    @cached_property
    def _equilibrium(self) -> Solution | None:
        if self.manner.solver != "auto":
            return self.manner.try_solver(self.game, self.manner.solver, {})
        if (state_space_size(self.game) or 0) > STATES_OUT_OF_REACH:
            return None
        seconds = self.manner.seconds
        limits = {"nodes": POSITIONS} if seconds is None else {"time": STRATEGIES * seconds}
        return self.manner.try_solver(self.game, "auto", limits)

    @cached_property
    def _expected_payoffs(self) -> Sequence[Number | float]:
        """Everyone's expected payoff where all play by the strategies."""
        from gdl.solvers.equilibria.regret import regret

        assert self._equilibrium is not None
        found = self._equilibrium
        return found.value or next(iter(found.payoffs), None) or regret(self.game, self._profile).value

    def _by_strategy(self, mixture: Mixture, player: int, seed: str) -> Thought:
        """An action drawn from a mixture, with the mixture and its worth in words."""
        worth = f"worth {_short_number(self._expected_payoffs[player])} to {self.game.players[player]}"
        words = f"{_mixture_text(mixture)}, by an equilibrium of the whole game, {worth}"
        return Thought(draw_action(dict(mixture), Random(seed)), words)

    def compare_actions(self, state: Turn, player: int, seed: str, level: Level) -> Mapping[Action, float]:
        """The worth of the player's actions at a state by the simulations of a level; {} where it cannot be found."""
        advice = self._advice(state, player, seed, (level.simulations, self.manner.seconds, PLIES_SIMULATED))
        return {} if advice is None else worth_by_visits(dict(zip(advice.actions, advice.visits, strict=True)))

    def _advice(self, state: Turn, player: int, seed: str, limits: tuple[Any, ...]) -> Any:
        """The advice of simulations that begin at possible positions, within limits; None where none was found."""
        tree_search = wings.hook("tree search over information sets")
        search = tree_search(Possible(self.turns, state, player), Random(seed).randrange(1 << 32))
        return falling_back(partial(search.advise, *limits), self.game, self.manner.company.fault)

    def _by_samples(self, state: Turn, player: int, actions: Sequence[Action], seed: str) -> Thought:
        """An action drawn from the visits of simulations that begin at possible positions."""
        seconds = self.manner.seconds
        limits = (FROM_POSITIONS, None, PLIES_SIMULATED) if seconds is None else (None, seconds)
        advice = self._advice(state, player, seed, limits)
        self.manner.work.late += seconds is not None
        if advice is None:
            return _random_thought(actions, seed, "because no possible position was found")
        weights = advice.mixture()
        mixture: dict[Action, Number] = {
            action: exact(weight / sum(weights.values())) for action, weight in weights.items()
        }
        best = advice.actions[advice.best]
        of = f"{'all ' if advice.complete else ''}{count_text(advice.positions, 'possible position')}"
        if advice.others:
            of += " and those that others reckon with"
        words = (
            f"{best}: {advice.means[advice.best]:.3g} for {self.game.players[player]} on average, "
            f"by {count_text(advice.simulations, 'simulation')} from {of}"
        )
        return Thought(draw_action(mixture, Random(seed)), words)


def judgement(solution: Solution) -> str:
    """A search's judgement of its best action: the value, the line, and how deep it looked."""
    value = ""
    if solution.value is not None:
        worth = zip(solution.players, solution.value, strict=True)
        value = ", ".join(f"{player} {_short_number(number)}" for player, number in worth)
        value = f": {value}{'' if solution.exact else ' (an estimate)'}"
    line = f", by {' '.join(solution.line)}" if solution.line else ""
    return f"{solution.best[0]}{value}{line}{_effort(solution)}"


def _short_number(number: Utility | float) -> str:
    """The number, as a decimal where its fraction is long."""
    text = to_text(number)
    return text if len(text.lstrip("-")) <= 7 or isinstance(number, Unknown) else f"{float(number):.3g}"


def _effort(solution: Solution) -> str:
    """How far the search went, in words: its first note, or the number of simulations or of positions met in them."""
    if solution.solver == "mcts":
        return f"; {solution.nodes:,} positions were met in simulated plays"
    return f"; {solution.notes[0]}" if solution.notes else ""


def _mixture_text(mixture: Mixture) -> str:
    """A mixture in words: `call`, or `call 1/3 and fold 2/3`."""
    shares = {action: share for action, share in mixture.items() if share}
    if len(shares) == 1:
        return next(iter(shares))
    return listing(f"{action} {_short_number(share)}" for action, share in shares.items())
