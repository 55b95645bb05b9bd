"""Nets that are learned by playing against themselves, on the compiled engine: any game in which nothing is hidden and
one player moves at a time.

The net that is written down is the best so far: every GATE games, and at the end, the net that learns plays a match
against it, and takes its place unless it proves to be weaker.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

from gdl.compiler import python
from gdl.compiler.joining import kernel_constants
from gdl.compiler.lower import lower
from gdl.compiler.searches.mcts_driver import K as TREE
from gdl.compiler.searches.mcts_driver import fill_greatest
from gdl.compiler.searches.playouts_driver import seed_generator
from gdl.errors import GameError, Refusal, clean
from gdl.game import greatest_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import Generator, stream
from gdl.wings.learning.learned import Scale, reads_of
from gdl.wings.learning.learning_match import LearningMatchResult, judge_match
from gdl.wings.learning.net_lessons import InitialNet, NetLessons, NetTrainingOptions
from gdl.wings.learning.network import Net, Views
from gdl.wings.learning.patterns import runs_of
from gdl.wings.learning.puct_driver import fill_exploration, lower_for_net
from gdl.wings.learning.self_play_learners import Learner, outputs, scale_from_rules
from gdl.wings.learning.series import Payoffs, Series
from gdl.wings.learning.views import views_of
from gdl.wings.programs.action_digits import Digits
from gdl.wings.programs.action_numbers import in_words, known_steps
from gdl.wings.symmetry.group import Symmetry, find_symmetries, generate_group
from gdl.wings.symmetry.rule_terms import MOST_WORK

K = kernel_constants("self_play", "lessons", "series")  # what stands where in the kernel's memory
UNITS = 64  # numbers of a layer
MOST_SLOTS = 1 << 15  # actions that have a row of weights each, at most; of more, the steps have rows
MOST_CELLS = 1 << 12  # cells of a state, at most
MOST_NODES = 1 << 20  # nodes of a tree, at most
LISTED = 256  # actions of a position whose visits are held, at most
WINDOW = 300_000  # positions that are held, at most
BATCH = 64  # positions of a step
RATE = 1e-3  # the rate of learning
TIMES = 3  # how often each position is learned from
SIMULATIONS = 16  # for a move of self-play, if no number is given,
JUDGED_BY = 32  # and for a move of a match
CURIOSITY, LESS = 1.5, 0.2  # of search: the constant of exploration, and how much less an untried child is worth
DRAWN = 12  # decisions from the start of a game that are searched with noise
OPENING = 4  # random moves that a game of a match begins with, at most
LONGEST = 500  # decisions of a game; then it counts as endless
GATE = 500  # games between two matches against the best net,
GATE_GROUPS = 20  # and groups of games of such a match
IMAGES = 33  # fewer symmetries than that are used
RESULTS = 1024  # games of a match whose results are kept
ROUND = 64  # games that workers play with one net before it learns from them,
PIECE = 2  # and games of a piece, which one worker plays


class RoundNet(NamedTuple):
    """The net with which the games of a round are played, by its weights and scale, and the seed of the games."""

    weight: array[float]
    scale: Scale
    seed: int


Games = tuple["array[int]", "array[float]"]  # positions as the window holds them, and what they turned out to be worth
Others = Callable[[RoundNet, Sequence[tuple[int, int]]], Iterator[Games]]  # the net, pieces (first, end) -> their games


@dataclass(frozen=True)
class Numbers:
    """The numbers of a game's actions, or of their steps (`by_steps`): the digits that make them up from rules and
    values, and how many there are."""

    digits: Sequence[Digits] = ()
    total: int = 0
    by_steps: bool = False


def symmetries_of(game: RulesGame, work: int = MOST_WORK) -> Sequence[Symmetry]:
    """The symmetries by which positions are shown to a net in other views, as far as this amount of work finds them."""
    found = find_symmetries(game.model, work)
    return generate_group([*found.keeping, *found.exchanging], IMAGES)


def draw_initial_net(
    game: RulesGame, start: State, numbers: Numbers, seed: int, symmetries: Sequence[Symmetry] = (),
    units: int | None = None,
) -> InitialNet:  # fmt: skip
    """A net for the game with small random weights. `units`: numbers of a layer, None: UNITS. Raises Refusal if the
    state is too large."""
    units = units or UNITS
    reads = reads_of(game.model)
    sizes = [read.size for read in reads for _ in range(read.cells)]
    if not sizes:
        raise Refusal(f"{clean(game.name)} has no state from which anything could be learned")
    if len(sizes) > MOST_CELLS:
        raise Refusal(f"the state of {clean(game.name)} has {len(sizes):,} cells, more than {MOST_CELLS:,} of a net")
    players, values, runs = len(game.players), outputs(game), runs_of(game.model, reads)
    lowered = lower(game.model, game)
    if numbers.by_steps:
        digits = [known_steps(game.model, lowered, block) for block in numbers.digits]
    else:
        digits = [block for block in numbers.digits if _fits(block) and in_words(game.model, lowered, block)]
    slots = numbers.total + 1
    none = Views(*(array("i") for _ in range(4)))
    scale, total = scale_from_rules(game, start), numbers.total
    net = Net(
        players, values, units, reads, tuple(digits), total, slots, none, scale, array("d"), runs, numbers.by_steps
    )
    views, ways = views_of(game, net, slots, symmetries)
    random, weight = Generator(seed), array("d")
    wide = sqrt(units)  # sums of more numbers want smaller ones
    for rows, size in (
        (players + sum(sizes) - len(sizes), 0.2),
        (sum(kind.rows for kind in net.kinds), 0.0),
        (units, 2.0 / wide),
        (values, 0.4 / wide),
        (slots, 0.4 / wide),
    ):
        weight.extend((random.bits() / (1 << 30) - 1.0) * size for _ in range(rows * units))
    return InitialNet(replace(net, views=views, weight=weight), ways)


class SelfPlay(Learner, Series):
    """Self-play led by search, from which a net learns, and matches that judge the net."""

    keeps_past = False

    def __init__(self, game: RulesGame, start: State, engine: str, drawn: InitialNet, simulations: int | None = None):
        """`drawn`: the net at first; `simulations`: for a move of self-play, None: SIMULATIONS."""
        self._simulations = SIMULATIONS if simulations is None else simulations
        lowered, tables = lower_for_net(game, drawn.net)
        super().__init__(game, start, engine, lowered=lowered)
        self.pupil: NetLessons = NetLessons(
            drawn, min(max(2, lowered.rows), LISTED), NetTrainingOptions(WINDOW, BATCH, RATE), PIECE * LONGEST
        )
        self.join("self_play", RESULTS, OPENING, "self_steps", **self._sizes(), **tables.settings)
        tables.fill(self.module)
        self.pupil.fill(self.module)
        fill_greatest(self.module, greatest_at(game, start), lowered.denominator)
        self.own = self.module["self_count"]
        self._gated = 0  # games played when the last match against the best net was
        self.others: Others | None = None  # lets workers play the games of a round; None: they are played here
        self._set()

    def _sizes(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        rows, most = max(2, self.lowered.rows), max(self._simulations, JUDGED_BY)
        return {
            "LED": 1, "CHANCES": bool(self.game.model.chances),
            "NODES": max(min((most + 1) * rows, MOST_NODES), rows) + 1,
            "STATES": most + 1, "DEPTH": LONGEST, "SELF_LONGEST": LONGEST, "SELF_RIVAL": bool(self.game.model.features),
            **self.pupil.sizes,
        }  # fmt: skip

    def _set(self) -> None:
        """Write the fixed settings into the module's memory."""
        module = self.module
        fill_exploration(module, CURIOSITY, LESS)
        module["tree_count"][TREE.TREE_MOST] = -1
        self.own[K.SELF_TIMES], self.own[K.SELF_DRAWN] = TIMES, DRAWN

    # -- what was learned -----------------------------------------------------------------------------------

    @property
    def is_as_begun(self) -> bool:
        """True if no net that has learned took the place of the first one."""
        return self.pupil.is_as_begun

    @property
    def extra_arrays(self) -> dict[str, array[Any]]:
        """Further arrays, by name, that are saved so that learning can continue later."""
        held, owed = self.pupil.positions_held, int(self.own[K.SELF_OWED])
        position = array("i", (held % (1 << 31), held >> 31, owed, self._gated))
        return super().extra_arrays | {"position": position}

    def go_on(self, learned: Net, further: Mapping[str, Any], games: int) -> None:
        """Continue from a saved net, its further arrays and the number of games. Raises ValueError if these do not
        fit."""
        super().go_on(learned, further, games)
        low, high, owed, self._gated = further["position"]
        self.pupil.positions_held = low + (high << 31)
        self.own[K.SELF_OWED] = owed
        if min(low, high, owed) < 0 or owed >= K.SELF_STEP * BATCH or games < 0:
            raise ValueError("of no meaning")

    # -- learning -------------------------------------------------------------------------------------------

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until this number of games have been played, counting earlier ones; yields between two games."""
        self.wanted = games
        while True:
            over = self.games >= self.wanted
            if (over or self.games % GATE == 0) and self.games != self._gated:
                self._gate(stream(seed, self.games))
                yield
            if over:
                return
            gate = min(self.wanted, (self.games // GATE + 1) * GATE)
            if self.others is not None:
                yield from self._round(self.others, min(gate, (self.games // ROUND + 1) * ROUND), seed)
                continue
            self._begin(self.games, gate, seed)
            yield from self.playing()

    def _begin(self, first: int, end: int, seed: int) -> None:
        """Set up self-play of the games from number `first` up to `end`."""
        self.wants(-1, stream(seed, 0), end)
        self.count[K.SERIES_PLAYED] = first
        self.own[K.SELF_SIMULATIONS] = self._simulations

    def _round(self, others: Others, end: int, seed: int) -> Iterator[None]:
        """Let workers play the games up to number `end` with the present net, then learn from all of them. If the time
        is over, learn from those that are complete."""
        pieces = [(first, min(first + PIECE, end)) for first in range(self.games, end, PIECE)]
        taught = RoundNet(self.pupil.training_weights, self.pupil.scale, seed)
        played = []
        for found in others(taught, pieces):
            played.append(found)
            yield  # nothing has changed yet
            if self.is_late:
                break
        if played:
            self.learn_from(played, pieces[len(played) - 1][1], seed)

    def learn_from(self, played: Iterable[tuple[array[int], array[float]]], end: int, seed: int) -> None:
        """Learn from the games before number `end`, which workers have played. Each piece of their work gives
        positions, in the words that the window holds, and their goal values."""
        for held, goal in played:
            self._take(held, goal)
        seed_generator(self.module["played"], stream(seed, end))
        for _ in self.slices(self.module["self_steps"]):
            pass
        self.count[K.SERIES_PLAYED] = end

    def _take(self, held: array[int], goal: array[float]) -> None:
        """Put positions that workers have played into the window."""
        size, players, count = self.pupil.each, self.pupil.net.players, self.module["lesson_count"]
        for at in range(len(held) // size):
            place = int(count[K.LESSON_HELD] % self.pupil.window)
            self.module["lesson_held"][place * size : (place + 1) * size] = memoryview(
                held[at * size : (at + 1) * size]
            )
            mine = memoryview(goal[at * players : (at + 1) * players])
            self.module["lesson_goal"][place * players : (place + 1) * players] = mine
            count[K.LESSON_HELD] += 1
            self.own[K.SELF_OWED] += TIMES

    def play_games(self, taught: RoundNet, first: int, end: int) -> tuple[array[int], array[float]]:
        """Play the games of a round from number `first` up to `end` with the given net, without learning. Returns the
        positions as the window holds them, and what they turned out to be worth."""
        self.pupil.rescale(taught.scale)
        self.pupil.learn_on(taught.weight)
        self.pupil.positions_held = self.own[K.SELF_TIMES] = 0
        self._begin(first, end, taught.seed)
        for _ in self.playing():
            pass
        count = self.pupil.positions_held
        held, goal = self.module["lesson_held"], self.module["lesson_goal"]
        return array("i", held[: count * self.pupil.each]), array("d", goal[: count * self.pupil.net.players])

    def stop_soon(self) -> None:
        """Stop after the game that is being played."""
        self.wanted = self.games
        self.count[K.SERIES_WANTED] = self.games

    def _gate(self, seed: int) -> None:
        """Play a match of the net that learns against the best one, whose place it takes unless it is shown to be
        weaker."""
        results = self.results(GATE_GROUPS, seed, lambda: None, others=True)
        if judge_match(results, 0.0).interval[1] >= 0.0:
            self.pupil.write(self.pupil.training_weights)
        self._gated = self.games

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> LearningMatchResult:
        """The result of games of the best net."""
        taught = self.pupil.training_weights
        self.pupil.learn_on(self.pupil.saved_weights)
        try:
            return super().match(groups, seed, pause)
        finally:
            self.pupil.learn_on(taught)

    def results(
        self, groups: int, seed: int, pause: Callable[[], None], random: bool = False, others: bool = False
    ) -> Payoffs:
        self.own[K.SELF_OTHERS], self.own[K.SELF_RANDOM], self.own[K.SELF_SIMULATIONS] = others, random, JUDGED_BY
        return self.match_payoffs(groups, seed, pause)

    def explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The fault of a game whose search has met it, without the play that leads there, which is not known."""
        return self.lowered.refusal(trap.code)


def _fits(block: Digits) -> bool:
    """True if the numbers of a block fit in words of 32 bits."""
    return all(abs(number) < 1 << 31 for number in (block.first, *block.strides))
