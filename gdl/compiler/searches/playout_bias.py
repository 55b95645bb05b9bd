"""Play at random that learns to lean toward some actions, from games that tree search plays against itself: on the
compiled engine, in games where nothing is hidden, one player moves at a time, and actions name cells of a board."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import kernel_constants
from gdl.compiler.lower import lower
from gdl.compiler.searches import leaning
from gdl.compiler.searches.learning_driver import LearningMatchResult, LearningRung, judge_match
from gdl.compiler.searches.mcts_driver import holder_settings
from gdl.compiler.searches.series import Series
from gdl.compiler.searches.tree_growth import fill_greatest
from gdl.errors import GameError, Refusal, clean
from gdl.game import greatest_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.leanings import Leanings, find_local_patterns
from gdl.states.random_numbers import stream

K = kernel_constants("leaning_lessons", "leaning", "mcts", "series")  # what stands where in the kernel's memory
SIMULATIONS = 256  # for a move, if nothing else is asked
JUDGED_BY = 64  # and of matches,
GROUPS = 20  # which have so many groups of games
CURIOSITY = (0.6, 0.6)  # of search
AMAF = 3.0  # what is made of what cells brought, where actions take them for good:
MANY_CELLS = 40  # so many or more
TIMES = 2  # how often each position is learned from
RATE, OWN_RATE = 0.2, 0.05  # how far a step goes, for all players and for one alone
DRAWN = 12  # decisions of a game that are drawn by their visits
OPENING = 4  # random moves that a game begins with, at most
LONGEST = 500  # plies of a game,
PATIENCE = 2000  # and of a simulation; what is longer counts as endless
MOST_NODES = 1 << 20  # of a tree
MOST_ROWS = 1 << 16  # actions of a game that are remembered
BATCH = 256  # games of a match whose results are kept


class LeaningLessons(Series):
    """Games that teach, and matches of what was learned."""

    keeps_past = False
    rungs: Sequence[LearningRung] = ()
    is_as_begun = False  # what is learned counts at once

    def __init__(self, game: RulesGame, start: State, engine: str, simulations: int | None = None):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("play at random learns to lean where nothing is hidden and one player moves at a time")
        found = find_local_patterns(game.model)
        if found is None:
            raise Refusal(
                f"no action of {clean(game.name)} names a cell of a board on which at most three things can stand, so "
                "there are no patterns around cells to learn"
            )
        lowered = lower(game.model, game)
        if lowered.wide:
            raise Refusal("the compiled engine grows no trees for utilities so large")
        super().__init__(game, start, engine, lowered=lowered)
        self._around = found
        self._simulations = SIMULATIONS if simulations is None else simulations
        cells = holder_settings(game.model, lowered.layout)
        cells = cells if cells.get("CELLS", 0) >= MANY_CELLS else {}
        self.also = ("taking",) if cells else ()
        most, rows = max(self._simulations, JUDGED_BY), max(2, lowered.rows)
        nodes = max(min((most + 1) * rows, MOST_NODES), rows) + 1
        self.join(
            "leaning_lessons", BATCH, OPENING, CHANCES=bool(game.model.chances), NODES=nodes, STATES=most + 1,
            DEPTH=PATIENCE + 2, LEANT_LONGEST=LONGEST, LEANT_ROWS=MOST_ROWS, **cells,
            **leaning.settings(found, lowered),
        )  # fmt: skip
        leaning.fill(found, self.module)
        fill_greatest(self.module, greatest_at(game, start), lowered.denominator)
        self._set(bool(cells))

    def _set(self, amaf: bool) -> None:
        """Write what does not change into memory."""
        module = self.module
        module["uct_rule"][K.RULE_PATIENCE] = PATIENCE
        module["uct_c"][0], module["uct_c"][1] = CURIOSITY
        if amaf:
            module["uct_trust"][0] = AMAF
        own = module["leant_count"]
        own[K.LEANT_DRAWN], own[K.LEANT_TIMES] = DRAWN, TIMES
        module["leant_rate"][K.LEANT_RATE], module["leant_rate"][K.LEANT_OWN] = RATE, OWN_RATE

    # -- what was learned -----------------------------------------------------------------------------------

    @property
    def learned_so_far(self) -> Leanings:
        """The weights learned so far."""
        return Leanings(self._around, array("d", self.module["lean_number"]))

    @property
    def further(self) -> dict[str, array[float]]:
        """Further numbers that are needed to go on."""
        return {"size": array("d", self.module["leant_size"])}

    def go_on(self, learned: Leanings, further: Mapping[str, Any], games: int) -> None:
        """Go on from what was saved. Raises ValueError where that does not fit."""
        size = self.module["leant_size"]
        if further["size"].typecode != "d" or len(further["size"]) != len(size) or games < 0:
            raise ValueError("of another game")
        self.module["lean_number"][:] = memoryview(learned.number)
        size[:] = memoryview(further["size"])
        self.count[K.SERIES_PLAYED] = games

    # -- learning -------------------------------------------------------------------------------------------

    def measure(self, seed: int, pause: Callable[[], None]) -> None:
        """Measure nothing: this way of learning needs no scale."""

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until `games` games have been played; yields after each slice."""
        self.wants(-1, stream(seed, 0), games)
        self.module["leant_count"][K.LEANT_SIMULATIONS] = self._simulations
        yield from self.playing()

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> LearningMatchResult:
        """Games against the same search whose play at random does not lean."""
        self.module["leant_count"][K.LEANT_SIMULATIONS] = JUDGED_BY
        return judge_match(self.match_payoffs(min(groups, GROUPS), lambda number: seed + number, pause))

    def explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The fault of a game whose search met it: nobody knows the play that led there."""
        return self.lowered.refusal(trap.code)
