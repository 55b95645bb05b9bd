"""Proof-number search on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler.joining import Pieces
from gdl.compiler.searches.path_search import UNREACHED, PathSearch
from gdl.compiler.searches.principal_variation import room_in
from gdl.compiler.searches.state_table import positions
from gdl.game import Action, Number
from gdl.interpreter.rules_game import RulesGame, State

TRIAL = 5_000_000  # nodes of a search before symmetries are looked for
_BUCKETS = 1 << 15  # buckets of the table at the start: it costs much to forget proof numbers


class ProofNumber(PathSearch):
    """Proof-number search for the value of a game: asks one question after the other whether the first player can
    secure a utility, as `gdl.solvers.minimax.proof_number` does."""

    def __init__(self, game: RulesGame, start: State, engine: str, nodes: int | None = None, memory: int | None = None):
        """Prepare the search. It stops after `nodes` nodes, if given, and `is_out_of_nodes` is then True; its table
        takes `memory` bytes at most."""
        super().__init__(game, start, engine, nodes)
        self.room = room_in(engine, memory)
        self._make(())
        self.best: tuple[Action, ...] = ()  # all best actions, when they are known
        self.low: int | None = None  # the most that the first player is known to secure, over `common`
        self.high: int | None = None  # the least that they are known not to exceed

    def _make(self, folding: Pieces) -> None:
        """Make the module, with kernel code for `fold()` or without."""
        self.join(
            "proof_number",
            entries=("moves", "apply", "table_clear"),
            keys=(self.packing.code, *folding),
            FOLDS=bool(folding),
            **positions(self.packing.words, self.room),
        )

    @property
    def value(self) -> Number:
        """The first player's value, when `solve` is done."""
        assert self.low is not None
        return self.number(self.low)

    def solve(self) -> Iterator[None]:
        """Ask until the player's secured value and the opponent's bound agree; then find the actions that keep it. A
        long search treats symmetric positions as one, if play reaches such positions."""
        self._trying = True
        self.module["most"][0] = min(TRIAL, self.module["most"][0])
        goal = 0
        while self.low is None or self.low != self.high:
            if self.low is not None and self.low >= goal:
                goal = self.low + 1
            self.enter()
            yield from self._prove_goal(goal)
            if self.spent:
                return
            if self.module["numbers"][0] == 0:
                self.low = goal = self.module["met_enough"][0]
            else:
                self.high = goal = self.module["met_short"][0]
        yield from self._find_best_actions(self.low)

    def _find_best_actions(self, value: int) -> Iterator[None]:
        """Find the actions that keep the value, into `best`."""
        best: list[Action] = []
        for row, action in enumerate(self.actions):
            module = self.module
            self.enter()
            maximises = module["s"][0] == 0
            module["moves"]()
            module["apply"](row)
            if module["status"]() == 3:
                good = self.utility == value
            else:
                yield from self._prove_goal(value if maximises else value + 1)
                if self.spent:
                    return
                good = (self.module["numbers"][0] == 0) == maximises
            if good:
                best.append(action)
        self.best = tuple(best)

    def _prove_goal(self, goal: int) -> Iterator[None]:
        """Ask whether the first player can secure `goal` from the present state; afterwards `numbers[0]`, the proof
        number, is 0 if so. A search that is not done after TRIAL nodes begins again with symmetric positions treated as
        one, if there are any."""
        module = self.module
        words = bytes(module["s"])
        module["table_clear"]()
        module["table_mask"][0] = min(module["BUCKETS"], _BUCKETS) - 1
        module["goal"][0] = goal
        module["met_enough"][0], module["met_short"][0] = UNREACHED, -UNREACHED
        module["begin"]()
        yield from self.work()
        if self._trying and self.spent and not self.is_out_of_nodes:
            self._trying = False
            if self.fold(exchanging=False):  # if players changed parts, the question would be another
                self.module["s"][:] = memoryview(words).cast("i")
                yield from self._prove_goal(goal)
            else:
                self.stop_after(self.most)
                yield from self.work()
