"""Star1 and Star2 on the compiled engine, and with them alpha-beta for one player against all others."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from gdl.compiler.joining import kernel
from gdl.compiler.searches.path_search import PathSearch, replay_line
from gdl.compiler.searches.slices import KernelNumber
from gdl.errors import Refusal
from gdl.game import Action, Number, exact
from gdl.interpreter.rules_game import RulesGame, State

if TYPE_CHECKING:
    from gdl.compiler.searches.principal_variation import PrincipalVariation


class Star(PathSearch):
    """The search of `gdl.solvers.minimax.star` without its record: the same order, cuts and counts."""

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        player: int = 0,
        probing: bool = False,
        strictly: bool = False,
        depth: int | None = None,
        bounds: tuple[Number | None, Number | None] = (None, None),
        one_sum: bool = False,
        apart: bool = True,
        fractions: bool = True,
        room: int = 0,
    ):
        """`player` maximises, and all others minimise; the player's utilities lie within `bounds` (None: not known).
        `probing`: Star2, not Star1; `strictly`: cut only where the value lies beyond the window; `depth`: plies, None:
        to the ends; `one_sum`: stop if utilities do not have the same sum everywhere; `apart`: look out for positions
        that come again on a path; `fractions`: whether games with chance and any sums are taken; `room`: the bytes of a
        transposition table, with which `search` takes one depth after another (0: none, and the nodes are those of the
        textbook's run)."""
        self.fractions = fractions
        super().__init__(game, start, engine)
        if depth is not None and not game.model.evaluates:
            raise Refusal("where search is cut off the file has to give an evaluation")
        self.player = player
        utility, evaluation = self.lowered.denominator, self.lowered.evaluation_denominator
        known = [Fraction(bound).denominator for bound in bounds if bound is not None]
        self.common = lcm(utility, 1 if depth is None else evaluation, *known)
        least, greatest = (None if bound is None else int(bound * self.common) for bound in bounds)
        if max(abs(least or 0), abs(greatest or 0)) >= 1 << 40:
            raise Refusal("the bounds of its utilities are too large for this search")
        slots = 1 << max(10, (room // (8 * self.packing.words + 25)).bit_length() - 1) if room else 0
        code = kernel(
            "star",
            ME=player,
            PROBING=probing,
            STRICTLY=strictly,
            UTILITY=self.common // utility,
            EVALUATION=0 if depth is None else self.common // evaluation,
            PLY=depth is not None,
            BOUNDED=(least is not None) + 2 * (greatest is not None),
            LEAST=least or 0,
            GREATEST=greatest or 0,
            ONE_SUM=one_sum,
            APART=apart and depth is None,
            WEIGHED=bool(game.model.chances),
            SLOTS=slots,
            ORDERED=slots > 0,
            CHOOSES=any(self.lowered.chooses),
        )
        self.load(code, "star_run", "star_begin")
        self.bounded = bounds != (None, None)
        self.depth = 1 if depth is None else depth
        self.begun = False

    def go_on(self, most: int | None) -> Iterator[None]:
        """Continue until the search is done or `most` nodes are visited; yields after each slice."""
        self.stop_after(most)
        if not self.begun:
            self.module["star_begin"](self.depth)
            self.begun = True
        yield from self.work()

    def restart(self, start: State) -> None:
        """Begin again from another state; the table is kept."""
        self.state = start
        self._set_start(start)
        for name in ("nodes", "refused"):
            self.module[name][0] = 0
        self._rewind()

    def _rewind(self) -> None:
        """Let the next search begin at the start."""
        self.load_start_state()
        self.begun, self.last_result = False, 1

    def search(self, depth: int, most: int | None) -> Iterator[None]:
        """Search the start `depth` plies deep, or until all searches have visited `most` nodes; yields after each
        slice."""
        self._rewind()
        self.depth = depth
        yield from self.go_on(most)

    @property
    def best(self) -> tuple[Action, ...]:
        """All best actions at the start, of a search with a table that is done."""
        rows = sorted(self.module["ties"][: self.module["tied"][0]])
        return tuple(self.actions[row] for row in rows)

    @property
    def is_estimate(self) -> bool:
        """True if the value of a search with a table rests on an estimate."""
        return bool(self.module["r_estimated"][0])

    @property
    def done(self) -> bool:
        return self.begun and self.last_result == 0

    chances = KernelNumber("chances")  # the number of chance nodes met

    @property
    def root_progress(self) -> tuple[int, int]:
        """The number of actions at the start that were searched, and the number of all."""
        rows, made, count, at, top = (int(self.module[n][0]) for n in ("f_rows", "f_made", "f_count", "f_next", "top"))
        return made - count + at - (top > 1), rows

    @property
    def value(self) -> Number | None:
        """The player's value. While the search runs: the best so far, or None if nothing is known yet."""
        n, d = ("r_n", "r_d") if self.done else ("f_vn", "f_vd")
        under = int(self.module[d][0]) * self.common
        return exact(Fraction(int(self.module[n][0]), under)) if under else None

    @property
    def line(self) -> tuple[Action, ...]:
        """The line of best play found so far, up to the first chance move."""
        return replay_line(self.game, self.first, self.module["f_line"][: self.module["f_length"][0]])

    def with_table(
        self, nodes: int | None, forgets: bool = False, memory: int | None = None, threads: int = 1
    ) -> PrincipalVariation:
        """The search with a transposition table for the same game, with a limit of nodes (see PrincipalVariation)."""
        from gdl.compiler.searches.principal_variation import PrincipalVariation

        return PrincipalVariation(
            self.game, self.state, self.engine, nodes, forgets, self.lowered, memory=memory, threads=threads
        )


def alpha_beta_search(game: RulesGame, start: State, engine: str, strictly: bool, depth: int | None = None) -> Star:
    """The search of `gdl.solvers.minimax.alpha_beta` without its record: the same order, cuts and counts."""
    one_sum = len(game.players) == 2
    return Star(game, start, engine, strictly=strictly, depth=depth, one_sum=one_sum, apart=False, fractions=False)
