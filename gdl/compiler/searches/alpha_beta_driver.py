"""The textbook's alpha-beta on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler.lower import Lowered
from gdl.compiler.searches.path_search import UNREACHED, PathSearch, replay_line
from gdl.compiler.searches.principal_variation import PrincipalVariation
from gdl.errors import Refusal
from gdl.game import Action, Number
from gdl.interpreter.rules_game import RulesGame, State


class KernelAlphaBeta(PathSearch):
    """The run of `gdl.solvers.minimax.alpha_beta` without its record: same order, same cuts, same counts."""

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        strictly: bool,
        depth: int | None = None,
        lowered: Lowered | None = None,
    ):
        """`lowered`: the game, if known."""
        super().__init__(game, start, engine, lowered=lowered)
        if depth is not None and not game.model.evaluates:
            raise Refusal("where search is cut off the file has to give an evaluation")
        self.join("alpha_beta", entries=("moves",), STRICTLY=strictly)
        self.module["begin"](1 << 30 if depth is None else depth)

    def go_on(self, most: int) -> Iterator[None]:
        """Go on until it is done or so many nodes are visited; yields after each slice."""
        self.stop_after(most)
        yield from self.work()

    @property
    def done(self) -> bool:
        return int(self.module["top"][0]) == 0

    @property
    def searched_count(self) -> int:
        """The actions at the start that were searched."""
        made, count, at = (int(self.module[name][0]) for name in ("f_made", "f_count", "f_next"))
        return made - count + at - (not self.done)

    @property
    def value(self) -> Number | None:
        """The first player's, so far; None where nothing is known yet."""
        value = int(self.module["f_value"][0])
        return None if abs(value) == UNREACHED else self.number(value)

    @property
    def line(self) -> tuple[Action, ...]:
        """Best play, so far."""
        return replay_line(self.game, self.first, self.module["f_line"][: self.module["f_length"][0]])

    def with_table(
        self, nodes: int | None, forgets: bool = False, memory: int | None = None, threads: int = 1
    ) -> PrincipalVariation:
        """The strong search of the same game, for so many nodes at most; see there."""
        return PrincipalVariation(
            self.game, self.state, self.engine, nodes, forgets, self.lowered, memory=memory, threads=threads
        )
