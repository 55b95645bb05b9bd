"""Monte-Carlo tree search over information sets on the compiled engine (see kernels/simulations.py)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.compiler.searches.slices import KernelNumber
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import Refusal, clean
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import as_signed_word
from gdl.states.tally import PayoffMeans, means_from_sums
from gdl.wings.hidden.common_knowledge import CommonKnowledgeCell, KnowledgeStep
from gdl.wings.hidden.memory_texts import Remembering

K = kernel_constants("memories", "simulations")  # what stands where in the kernel's memory
TRIED = 1 << 19  # memories at which actions are tried, at most
MOST_STARTS = 4_096  # positions to begin at, at most


def simulations_kernel(made: Remembering, starts: int, tried: int, **further: int) -> Kernel:
    """The kernel for a game, with room for `starts` positions to begin at, and `tried` memories at which actions are
    tried."""
    players, spare, lowered = len(made.game.players), K.PLIES * made.ply_words, made.lowered
    return kernel(
        "simulations", **made.settings() | further, AT_ONCE=made.at_once, WEIGHED=lowered.weighs, STARTS=starts,
        TRIED=tried, CHOICES=8 * tried + lowered.rows * players, TUPLES=8 * tried, TUPLE_SLOTS=16 * tried,
        SPARE_TUPLES=K.PLIES * (2 * players + 2), SPARE_TUPLE_WORDS=spare, TUPLE_WORDS=128 * tried + spare,
    )  # fmt: skip


class Simulations(Remembering):
    """Simulations from the positions that may be the case; iterating does a slice of the work."""

    most = MOST_STARTS

    def __init__(self, game: RulesGame, start: State, engine: str):
        super().__init__(game, start, engine)
        if start.memories is None:
            raise Refusal(f"nothing is remembered in {clean(game.name)}: there are no information sets to simulate")
        made = simulations_kernel(self, MOST_STARTS, TRIED)
        self.load(made, "simulate_run", "simulate_start", "sim_root", "sim_place", memory=ADDRESSES)
        self.fill_rows_and_prices(self.module)
        self.found = self.module["simulated"]
        self._roots: list[dict[Any, int]] = []  # by player: a number for each memory at a position set by `_place`,
        self._known: list[dict[Any, int]] = []  # and the tuple number of each memory at any position to begin at

    def restart(self, start: State) -> None:
        """Do nothing: `begin` and `begin_on_plays` start anew, for another turn of the same game."""

    def begin(self, starts: Sequence[State], weights: Sequence[float], seed: int, wanted: int | None) -> None:
        """Begin a search at these positions, MOST_STARTS at most, drawn by their weights. `wanted` is the number of
        simulations; None: as many as there is time for."""
        self._forget(seed)
        for n, state in enumerate(starts):
            self._place(n, state)
        self.weigh(weights)
        self.set_simulation_target(wanted)

    def begin_on_plays(self, common: CommonKnowledgeCell, seed: int) -> None:
        """Begin a search at the positions on the plays that are possible by common knowledge, MOST_STARTS at most.
        Raises Refusal if the kernel does not come to the same positions."""
        self._forget(seed)
        self._place(0, common.states[0])
        placed = {0}
        for step in common.steps:
            if step.after not in placed:
                self._follow(step, common.states[step.after])
                placed.add(step.after)

    def weigh(self, own: Sequence[float], common: Sequence[float] = (), learner: int = K.ALL) -> None:
        """Set the weights with which simulations begin at the positions. With weights for `common` knowledge, every
        other simulation begins by those, and everybody learns from it; in the rest only the learner learns."""
        self.module["sim_learner"][0] = learner if common else K.ALWAYS
        shares = array("d")
        for weights in (own, common):
            added = [*accumulate(weights)]
            shares.extend([*added, *[added[-1] if added else 0.0] * (MOST_STARTS - len(added))])
        self.module["start_share"][:] = memoryview(shares)

    def set_simulation_target(self, simulations: int | None) -> None:
        """Set how many simulations there are to be in all, earlier ones included; None: as many as there is
        time for."""
        self.found[K.WANTED] = -1 if simulations is None else simulations

    def _forget(self, seed: int) -> None:
        """Clear all memories and visits, and seed the generator."""
        self.module["simulate_start"](as_signed_word(seed))
        self._known = [{} for _ in self.game.players]
        self._roots = [{} for _ in self.game.players]

    def _place(self, n: int, state: State) -> None:
        """Put a state in place `n` of those at which simulations begin. Its players' memories get numbers that stand
        for all that came before."""
        module, size, players = self.module, len(self._start), len(self.game.players)
        module["start_state"][n * size : (n + 1) * size] = memoryview(self.words_of(state))
        assert state.memories is not None
        for player, memory in enumerate(state.memories):
            number = self._roots[player].setdefault(memory, len(self._roots[player]))
            self._known[player][memory] = module["sim_root"](player, number)
            module["start_memory"][n * players + player] = self._known[player][memory]

    def _follow(self, step: KnowledgeStep, state: State) -> None:
        """Set the position after a step of common knowledge, by playing the step from a position that was placed
        before."""
        module = self.module
        picks = dict.fromkeys(range(len(self.game.players)), -1) | {one.player: one.number for one in step.choices}
        module["choice"][:] = memoryview(array("i", [*picks.values(), step.outcome]))
        while not module["sim_place"](step.before, step.after):
            self.supply_text()
        size, players = len(self._start), len(self.game.players)
        if list(module["start_state"][step.after * size : (step.after + 1) * size]) != list(self.words_of(state)):
            raise Refusal(f"the compiled engine does not follow the plays of {clean(self.game.name)}")
        assert state.memories is not None
        for player, memory in enumerate(state.memories):
            self._known[player][memory] = module["start_memory"][step.after * players + player]

    nodes = KernelNumber("simulated", K.SIMULATIONS)  # the number of simulations that were made

    def sampled_payoffs(self) -> PayoffMeans:
        """The mean payoffs of the simulations, with their standard errors as if each simulation had been drawn
        independently."""
        return means_from_sums(self.nodes, self.module["sim_sum"], self.module["sim_squares"])

    def memory_number(self, player: int, memory: Any) -> int:
        """The number of the tuple for a player's memory at a position where simulations begin."""
        return self._known[player][memory]

    def visits_and_totals(self, player: int, memory: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """The visits and the total utility of each of the player's actions at this memory; empty if it was not met."""
        n = self.module["tuple_note"][self.memory_number(player, memory)] - 1
        if n < 0:
            return (), ()
        begin, end = self.module["tried_from"][n : n + 2]
        return tuple(self.module["tried_visits"][begin:end]), tuple(self.module["tried_total"][begin:end])
