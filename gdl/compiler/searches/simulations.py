"""Monte-Carlo tree search over information sets on the compiled engine (see kernels/simulations.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.compiler.joining import kernel, named
from gdl.compiler.searches.remembering import Remembering
from gdl.errors import Refusal, clean
from gdl.interpreter.rules import RulesGame, State
from gdl.states.random_numbers import signed
from gdl.states.sampled_plays import Sampled, sampled

K = named("memories", "simulations")  # what stands where in the kernel's memory
TRIED, CHOICES = 1 << 19, 1 << 22  # memories at which something is tried, and their actions
TUPLES, WORDS = 1 << 22, 1 << 26
ADDRESSES = (1 << 32) - (1 << 16)  # bytes that a module can have
MOST_STARTS = 4_096


class Simulations(Remembering):
    """Simulations from positions that may be the case; iterating does a slice of the work."""

    most = MOST_STARTS  # of the positions to begin at

    def __init__(self, game: RulesGame, start: State, engine: str):
        super().__init__(game, start, engine)
        if start.memories is None:
            raise Refusal(f"nothing is remembered in {clean(game.name)}: there are no information sets to simulate")
        players, rows = len(game.players), int(self.lowered.rows)
        ply = self.ply_words
        made = kernel(
            "simulations", **self.settings(), AT_ONCE=self.at_once, WEIGHED=self.lowered.weighs, STARTS=MOST_STARTS,
            TRIED=TRIED, CHOICES=CHOICES + rows * players, TUPLES=TUPLES, TUPLE_SLOTS=2 * TUPLES,
            SPARE_TUPLES=K.PLIES * (2 * players + 2), SPARE_TUPLE_WORDS=K.PLIES * ply,
            TUPLE_WORDS=WORDS + K.PLIES * ply,
        )  # fmt: skip
        self.load(made, "simulate_run", "simulate_start", "sim_root", memory=ADDRESSES)
        self.fill_rows()
        self.found = self.module["simulated"]
        for player, price in enumerate(game.model.forever or ()):
            self.module["endless_price"][player] = float(price)
        self._roots: list[dict[Any, int]] = []

    def restart(self, start: State) -> None:
        """For another turn of the same game."""

    def begin(self, starts: Sequence[State], weights: Sequence[float], seed: int, wanted: int | None) -> None:
        """Begin at these positions, MOST_STARTS at most, by their weights. So many simulations are wanted (None: as
        many as there is time for)."""
        module, layout = self.module, self.lowered.layout
        module["simulate_start"](signed(seed))
        self.found[K.WANTED] = -1 if wanted is None else wanted
        players = range(len(self.game.players))
        self._roots = [{} for _ in players]
        size, total = len(self._start), 0.0
        for n in range(MOST_STARTS):
            if n < len(starts):
                state = starts[n]
                total += weights[n]
                words = layout.written(state.turn, state.cells)
                for k, word in enumerate(words):
                    module["start_state"][n * size + k] = word
                assert state.memories is not None
                for player in players:
                    number = self._roots[player].setdefault(state.memories[player], len(self._roots[player]))
                    module["start_memory"][n * len(players) + player] = module["sim_root"](player, number)
            module["start_share"][n] = total

    @property
    def nodes(self) -> int:
        """The simulations that were made."""
        return int(self.found[K.SIMULATIONS])

    def paid(self) -> Sampled:
        """What the simulations paid on average, with the errors that it would have if each were drawn anew."""
        return sampled(self.nodes, self.module["sim_sum"], self.module["sim_squares"])

    def tried(self, player: int, memory: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Visits and total utility of the player's actions, where they remember this."""
        known = self.module["sim_root"](player, self._roots[player][memory])
        n = self.module["tuple_note"][known] - 1
        if n < 0:
            return (), ()
        begin, end = self.module["tried_from"][n : n + 2]
        return tuple(self.module["tried_visits"][begin:end]), tuple(self.module["tried_total"][begin:end])
