"""Principal variation search with a transposition table, on the compiled engine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from gdl.compiler import python, sharing, wasm
from gdl.compiler.joining import Pieces, constants
from gdl.compiler.lower import Lowered
from gdl.compiler.lower.ends import RESTLESS
from gdl.compiler.lower.packing import packing
from gdl.compiler.searches.path_search import UNREACHED, PathSearch, replay_line
from gdl.compiler.searches.slices import SHORT
from gdl.compiler.searches.state_table import positions
from gdl.compiler.searches.threads import run_beside
from gdl.errors import EngineFault, Refusal, clean
from gdl.errors.deadline import CLOCK
from gdl.game import Action, Decision, Number, tightest_bounds, zero_sum
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.core import Const, Expression, If
from gdl.model.games import RulesModel

# Lines of best play, from the transposition table of a search.


class TableLines:
    """Lines of play after the first state, read from the table of a search."""

    def __init__(self, search: PathSearch, key: str):
        """`key`: the kernel function that writes the key of a state: `pack`, or `fold`, which makes the state the least
        of its images."""
        self._search, self._key = search, key

    def recall_line(self, row: int, depth: int | None, selective: bool) -> Callable[[], tuple[Action, ...]]:
        """The line that begins with a row of the first state, up to where the table knows no reply, or to the depth of
        the search (None: any length), twice that of a selective one, where threats make lines longer. The actions get
        their names only when the returned function is called."""
        module, rows = self._search.module, list[int]()
        most = 2 * depth if selective and depth is not None else depth
        self._search.enter()
        while len(rows) != most and module["status"]() == 0 and 0 <= row < module["moves"]():
            module["apply"](row)
            rows.append(row)
            row = self._row()
        return partial(replay_line, self._search.game, self._search.state, rows)

    def to_the_end(
        self, first: Action, keeps: Callable[[int], Generator[None, None, bool]]
    ) -> Generator[None, None, tuple[Action, ...]]:
        """The line that begins with the action `first` and continues to the end of play, everywhere by an action that
        keeps the value: by the table's action, if that does. () if the nodes are spent before the end. `keeps` finds
        out whether the action in a row of the present state keeps the value."""
        search, line = self._search, [first]
        search.enter()
        self._step(search.actions.index(first))
        state = search.game.successor(search.state, first)
        while isinstance(node := search.game.node(state), Decision) and search.module["status"]() == 0:
            words = bytes(search.module["s"])
            known = self._row()
            for row in sorted(range(len(node.actions)), key=lambda row: row != known):
                self.place(words)
                good = yield from keeps(row)
                if search.spent:
                    return ()
                if good:
                    break
            line.append(node.actions[row])
            state = search.game.successor(state, line[-1])
            self.place(words)
            self._step(row)
        return tuple(line)

    def place(self, words: bytes) -> None:
        """Copy a state's words into the module's state."""
        self._search.module["s"][:] = memoryview(words).cast("i")

    def key(self) -> tuple[int, ...]:
        """The key of the present state, which may become one of its images."""
        self._search.module[self._key]()
        return tuple(self._search.module["key"])

    def _step(self, row: int) -> None:
        """Apply a row of the present state's listing."""
        self._search.module["moves"]()
        self._search.module["apply"](row)

    def _row(self) -> int:
        """The best row that the table has for the present state; -1 if it has none."""
        module, words = self._search.module, bytes(self._search.module["s"])
        module[self._key]()
        row = int(module["table_find"]() >> 16 & 0xFFFF) - 1
        folded = bytes(module["s"])
        if row >= 0 and folded != words:  # a row of the image: find the state's own row with the same result
            (wanted,) = self._keys_after(folded, range(row, row + 1))
            self.place(words)
            keys = self._keys_after(words, range(module["moves"]()))
            row = next(own for own, key in enumerate(keys) if key == wanted)
        self.place(words)
        return row

    def _keys_after(self, words: bytes, rows: range) -> Iterator[tuple[int, ...]]:
        """The keys of the successors by these rows of a state, each as its least image under the symmetries."""
        for row in rows:
            self.place(words)
            self._step(row)
            yield self.key()


# Twins of a search that help it, each in a thread of its own, with a common table (gdl/compiler/kernels/team.py).

_ENDLESS = 1 << 30  # nodes of a twin's call: it returns when the search is over


def supports_twins(engine: str) -> bool:
    """True if searches on an engine may have twins."""
    return engine == "wasm" and sharing.can_share_memory()


class Team:
    """The twins of a module, one for each further thread, made when they are first needed."""

    def __init__(self, module: dict[str, Any], twins: int):
        self._module, self._number = module, twins
        self._twins: list[dict[str, Any]] = []
        self._before: list[int] = []  # the nodes that each had when it began
        self._done = 0  # nodes of the twins, in searches that are over

    @property
    def nodes(self) -> int:
        """The number of nodes that all twins together have visited."""
        return self._done + sum(map(_nodes, self._twins)) - sum(self._before)

    @contextmanager
    def run_twins(self) -> Iterator[None]:
        """While the block runs, let the twins search as well, from where the search stands. They stop when the block
        ends; if a twin was done before the search, its result becomes that of the search."""
        while len(self._twins) < self._number:
            self._twins.append(self._module[wasm.TWIN]())
        for twin in self._twins:
            twin[wasm.SAME]()
        self._before = list(map(_nodes, self._twins))
        try:
            with run_beside([self._goes_on(twin) for twin in self._twins]):
                try:
                    yield
                finally:
                    self._module["team_over"][0] = 1
        finally:
            self._done, self._before = self.nodes, list(map(_nodes, self._twins))
        self._take()

    def _goes_on(self, twin: Mapping[str, Any]) -> Iterator[None]:
        """The steps of a twin's search. A fault ends them without a message: the search itself will meet the fault, if
        it lies on the search's way."""
        twin["most"][0] = 1 << 62
        with suppress(python.Trap, EngineFault):
            while twin["search_run"](_ENDLESS):
                yield

    def _take(self) -> None:
        """Copy the result of a twin that was done before the search."""
        if not self._module["top"][0]:
            return
        for twin in self._twins:
            if not twin["top"][0] and not twin["refused"][0]:
                self._module["found"][:] = twin["found"]
                self._module["top"][0] = 0
                return


def _nodes(module: Mapping[str, Any]) -> int:
    return int(module["nodes"][0])


ROOM = {"wasm": 1 << 29, "python": 1 << 21}  # bytes of a table, by engine, if no limit is given
RANDOM_PLIES = 20_000  # of the random play from which a first order is learned,
PLIES_AT_ONCE, SOON = 500, 0.1  # and some of these, and the seconds after which others can say that time is over
WAITING = 64  # children made from one listing where the game has an evaluation: listing costs the most there
WIDE, FEW_PLIES = 1_000, 4_000  # but so few plies where positions may have more than WIDE actions, as these take long
TRIAL = 1_000_000  # nodes of a search before symmetries are looked for
ALONE = 0.02  # seconds of a search before its twins help
PROOF = 20_000_000  # nodes that a proof of ties may always have, else four times those of the search
NO_MARGIN = 1 << 28  # of EVAL, where random play has not shown how much it changes
_SEED = 1
_KERNEL = constants("principal_variation")
WHOLE, MAX_ROWS = _KERNEL["WHOLE"], _KERNEL["ROWS"]  # plies left where nothing is cut off; most actions


def room_in(engine: str, memory: int | None) -> int:
    """The size of the table in bytes: the limit of memory if there is one. CPython always gets its usual room, which it
    is too slow to fill."""
    return ROOM[engine] if memory is None or engine == "python" else memory


def pv_constants(model: RulesModel, lowered: Lowered, quiescent: bool, selective: bool = False) -> Mapping[str, int]:
    """The constants of the kernel that say how many children are made from one listing, and what follows the
    horizon."""
    own = {"WAITING": WAITING} if model.evaluates else {}
    functions = lowered.module.functions
    if selective and quiescent:
        own |= {"SELECTIVE": True, "TELLS_THREATS": "stuck" in functions}
    listed = "loud_moves" in functions
    return {**own, "QUIESCENT": quiescent, "RESTLESS": RESTLESS, "LISTS_LOUD": listed, "CHOOSES": any(lowered.chooses)}


@dataclass(frozen=True)
class PvAnswer:
    """The answer of a search about the position where it began."""

    value: Number  # for the first player
    proved: bool  # whether the value rests on ends alone
    best: tuple[Action, ...]  # best actions, that of the line first; all of them if `ties`
    ties: bool
    named: Callable[[], tuple[Action, ...]]  # gives the line
    depth: int | None  # plies; None: nothing was cut off
    nodes: int  # positions made so far, in all
    unfinished: bool = False  # whether it is from a search that was stopped within the next depth

    @cached_property
    def line(self) -> tuple[Action, ...]:
        """The known beginning of best play."""
        return self.named()


class _Beyond(Exception):
    """An evaluation lies outside the bounds of utilities, so these do not bound the values."""


class PrincipalVariation(PathSearch):
    """A principal variation search. Iterating `solve` or `deepen` does a slice of the work; `answer` is the result so
    far."""

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        nodes: int | None = None,
        forgets: bool = False,
        lowered: Lowered | None = None,
        quiescent: bool = False,
        memory: int | None = None,
        threads: int = 1,
        selective: bool = False,
    ):
        """The search stops after `nodes` nodes, if given; `is_out_of_nodes` is then True. With `forgets`, positions
        that differ only in what came before them count as one, and nothing is proved. `lowered`: the game, if it is
        lowered already. `quiescent`: where search is cut off, it goes on to quiet positions, as the file defines them.
        `memory`: the bytes of the table (None: ROOM). `threads`: how many work at the same time, where the engine lets
        several share a table; the value is then the same, but not always the line, and nodes are counted roughly.
        `selective`: parts not likely to matter are left out or searched less deep, where the file says what quiet play
        is; the value is then not that of minimax to a depth."""
        super().__init__(game, start, engine, nodes, lowered)
        if forgets and not game.model.evaluates:
            raise Refusal(f"{clean(game.name)} has no evaluation")
        self.forgets = forgets and self.lowered.layout.past is not None
        self.quiescent = quiescent
        self.selective = selective and quiescent
        self.room = room_in(engine, memory)
        self.threads = threads if supports_twins(self.engine) else 1
        self._values: list[int] = []  # the values found so far by this deepening, by depth
        self.trying = False  # whether `solve` searches without symmetries, up to TRIAL nodes
        self.deepening = False  # whether a search to a depth is under way, or was stopped
        self._make(())

    def _make(self, folding: Pieces) -> None:
        """Make the module, with kernel code for `fold()` or without."""
        game, layout = self.game, self.lowered.layout
        packed = packing(game.model, replace(layout, past=None) if self.forgets else layout)
        self._key = "fold" if folding else "pack"
        self.join(
            "principal_variation",
            entries=("order_learn", "moves", "apply", "table_clear", self._key, "table_find"),
            keys=(packed.code, *folding),
            ROWS=min(self.lowered.rows, MAX_ROWS),
            FOLDS=bool(folding),
            **pv_constants(game.model, self.lowered, self.quiescent, self.selective),
            **positions(packed.words, self.room, self.threads > 1),
        )
        self.team = Team(self.module, self.threads - 1)
        self.answer: PvAnswer | None = None
        self.bound(*utility_bounds(game.model))
        self.module["table_clear"]()
        self.module["random"][0] = _SEED
        if self.selective:
            self.module["margin"][0] = NO_MARGIN
        self._unlearned = FEW_PLIES if self.module["MOVES"] > WIDE else RANDOM_PLIES

    def restart(self, start: State) -> None:
        """Begin again from another state; the table is kept."""
        self.state = start
        self._set_start(start)
        self.load_start_state()
        self.answer = None
        self.deepening = False
        for name in ("nodes", "refused", "top"):
            self.module[name][0] = 0
        self.stop_after(self.most)

    def solve(self, folds: Callable[[], bool] = lambda: True) -> Generator[None, None, None]:
        """Find the value, all best actions and a line of best play, searching to the end of the game everywhere. A
        search that is not done after TRIAL nodes begins once more with symmetric positions treated as one, if there are
        any; `folds` says whether there is the time to look for symmetries."""
        self.trying = True
        self.module["most"][0] = TRIAL if self.most is None else min(TRIAL, self.most)
        yield from self.solve_to_depth(None)
        self.trying = False
        if self.is_out_of_nodes or (self.answer is not None and self.answer.ties):
            return
        if folds():
            # Where what one player wins the other loses, a position is worth as much to its mover as one in which the
            # players have changed parts.
            self.fold(_is_even_exchange(self.game))
        self.stop_after(self.most)
        yield from self.solve_to_depth(None)

    def deepen(self, last: int | None) -> Generator[None, None, None]:
        """Search one ply deep, two plies, …, up to `last` plies (None: any number) or until nothing is cut off."""
        self._values, begun = [], CLOCK.now()
        for depth in range(1, WHOLE if last is None else min(last + 1, WHOLE)):
            if CLOCK.now() - begun > SHORT:
                yield  # where a win is found, a hundred depths take no slice of their own
            yield from self.solve_to_depth(depth, ties=depth == last)
            if self.spent or (self.answer and self.answer.proved):
                return

    def take_unfinished(self) -> None:
        """If the search was stopped within a depth, answer with the better action that it had found there; at the first
        depth, with any action that it had found."""
        module = self.module
        if not self.deepening or not module["top"][0]:
            return
        self.deepening = False
        value, row = module["f_best"][0], module["f_row"][0]
        if row < 0 or value <= module["f_before"][0]:
            return
        before = self.answer
        if before is None or self.actions[row] != before.best[0]:
            depth = 1 if before is None else before.depth
            found = self.number(value * module["f_side"][0])
            line = TableLines(self, self._key).recall_line(row, depth, self.selective)
            self.answer = PvAnswer(
                found, False, self.actions[row : row + 1], False, line, depth, self.nodes, unfinished=True
            )

    def work(self) -> Iterator[None]:
        """Continue until the search is done; one that takes longer than ALONE seconds gets the help of its twins.
        Yields after each slice."""
        slices, begun = super().work(), CLOCK.now()
        for _ in slices:
            yield
            if self.threads > 1 and CLOCK.now() - begun > ALONE:
                break
        else:
            return
        with self.team.run_twins():
            yield from slices

    @property
    def nodes(self) -> int:
        return super().nodes + self.team.nodes

    def is_hopeless(self, nodes: int, share: float) -> bool:
        """True if the search has made `nodes` nodes and has done at most this share of its work. The share is an upper
        bound: as if one player had a single action each time, and all actions of the other took equally long."""
        module, most = self.module, 0.0
        for first in (0, 1):
            done, part = 0.0, 1.0
            for f in range(first, module["top"][0], 2):
                part /= max(1, module["f_rows"][f])
                done += part * max(0, module["f_searched"][f] - 1)
            most = max(most, done)
        return most < share and self.nodes > module["f_nodes"][0] + nodes

    # -- one search -------------------------------------------------------------------------------------------

    def solve_to_depth(self, depth: int | None, ties: bool = True) -> Iterator[None]:
        """Search to a depth (None: to the ends); then find the actions that are equally good, if `ties`, and the
        line."""
        if self._unlearned:
            yield from self._learn()
        try:
            yield from self._find_answer(depth, ties)
        except _Beyond:
            self.bound(None, None)
            self.module["table_clear"]()
            yield from self._find_answer(depth, ties)

    def _find_answer(self, depth: int | None, ties: bool) -> Iterator[None]:
        left = WHOLE if depth is None else depth
        yield from self._search_aspiration_window(left)
        if self.spent:
            return
        value, estimated, row, _ = self.module["found"]
        self._values.append(value)
        proved = not estimated and not self.forgets
        line = TableLines(self, self._key).recall_line(row, depth, self.selective)
        first = self.actions[row : row + 1] if row >= 0 else ()
        self.answer = PvAnswer(self.number(value), proved, first, False, line, depth, self.nodes)
        if ties or (proved and not self.selective):
            yield from self._find_ties(depth, value)

    def _search_aspiration_window(self, left: int) -> Iterator[None]:
        """Search the state within the window where its value is expected. Where the value proves to lie outside, the
        search is made again, with a window that is far wider on that side."""
        alpha, beta = (-UNREACHED + 1, UNREACHED - 1) if left == WHOLE else aspiration_window(self._values)
        width = beta - alpha
        while True:
            self.enter()
            self.deepening = left != WHOLE
            yield from self._search_window(left, max(alpha, -UNREACHED + 1), min(beta, UNREACHED - 1))
            value, _, _, kind = self.module["found"]
            self.deepening = self.deepening and self.spent
            if self.spent or alpha < value < beta or kind == self.module["EXACT"]:
                return
            width *= 4
            alpha, beta = (value - width, beta) if value <= alpha else (alpha, value + width)

    def _search_window(self, left: int, alpha: int, beta: int) -> Iterator[None]:
        """Search the present state within a window of the first player's values."""
        self.module["begin"](left, alpha, beta)
        yield from self.work()
        if self.module["refused"][0]:
            self.module["refused"][0] = 0
            raise _Beyond

    def _find_ties(self, depth: int | None, value: int) -> Iterator[None]:
        """Find the actions that are as good as the best, each by a search with an empty window. Then follow a proved
        line to its end."""
        assert self.answer is not None
        left = WHOLE if depth is None else depth
        if not self.trying:  # a proof has its own nodes, within those of the search
            granted = self.nodes + max(PROOF, 4 * self.nodes)
            self.module["most"][0] = granted if self.most is None else min(granted, self.most)
        (first,) = self.answer.best
        others: list[Action] = []
        for row, action in enumerate(self.actions):
            if action == first:
                continue
            self.enter()
            good = yield from self._as_good(row, left, value)
            if self.spent:
                return
            if good:
                others.append(action)
        self.answer = replace(self.answer, best=(first, *others), ties=True)
        if self.answer.proved:
            line = yield from TableLines(self, self._key).to_the_end(
                first, lambda row: self._as_good(row, WHOLE, value)
            )
            if line:
                self.answer = replace(self.answer, named=lambda: line)

    def _as_good(self, row: int, left: int, value: int) -> Generator[None, None, bool]:
        """True if the action in this row of the state's listing is worth at least as much as `value` to the mover."""
        maximises = self.module["s"][0] == 0
        further = left if left == WHOLE else left - 1
        found, _ = yield from self.value_after(row, further, value - maximises, value - maximises + 1)
        return bool(found >= value if maximises else found <= value)

    def value_after(
        self, row: int, left: int, alpha: int = -UNREACHED + 1, beta: int = UNREACHED - 1
    ) -> Generator[None, None, tuple[int, bool]]:
        """The first player's value of the action in this row of the present state's listing, with so many plies left
        after it (outside the window a bound of it), and whether it is an estimate."""
        module = self.module
        module["moves"]()
        module["apply"](row)
        if module["status"]() == 3:
            return self.utility, False
        if left == 0 and not self.quiescent:
            return self.evaluation, True
        yield from self._search_window(left, alpha, beta)
        return module["found"][0], bool(module["found"][1])

    def mark(self, words: bytes) -> Hashable:
        """A key of the state that is the same for all its symmetric images."""
        lines = TableLines(self, self._key)
        lines.place(words)
        return lines.key()

    def _learn(self) -> Iterator[None]:
        """Learn from random play how good moves are, for a first order, and the margins of selective search, from where
        that was left. (A fault met there is ignored: no search may go where it lies.)"""
        looked = CLOCK.now()
        with suppress(python.Trap):
            while self._unlearned > 0:
                portion = min(self._unlearned, PLIES_AT_ONCE)
                self._unlearned += self.module["order_learn"](portion) - portion
                if CLOCK.now() - looked > SOON:
                    yield
                    looked = CLOCK.now()
        self._unlearned = self.module["refused"][0] = 0


def aspiration_window(values: Sequence[int]) -> tuple[int, int]:
    """The window in which the next, deeper search will probably find its value (aspiration): around the value of two
    plies before, since evaluations often swing with the player who moved last, and wider if they swing more."""
    if len(values) < 2:
        return -UNREACHED + 1, UNREACHED - 1
    before, last = values[-2:]
    width = max(1, abs(last - before) // 2)
    return before - width, before + width


def _is_even_exchange(game: RulesGame) -> bool:
    """True if a value for one player is its negative for the other, and both have the same bounds."""
    least, greatest = utility_bounds(game.model)
    even = (least is None and greatest is None) or (greatest is not None and least == -greatest)
    return even and len(game.players) == 2 and bool(zero_sum(game))


def utility_bounds(model: RulesModel) -> tuple[Number | None, Number | None]:
    """The bounds of the first player's utilities, from the file's promises and from ends that pay plain numbers."""
    promised = model.bounds[:1] if model.bounds else ((None, None),)
    found = [_numbers(clause.utilities[0]) for clause in model.clauses]
    numbers = set().union(*found) if all(found) else set()
    ((least, greatest),) = tightest_bounds(promised, ((min(numbers, default=None), max(numbers, default=None)),))
    return least, greatest


def _numbers(expression: Expression) -> set[Number]:
    """All numbers that an expression can be, if it is made of constants and conditions alone; else none."""
    if isinstance(expression, Const):
        return {expression.value}
    if isinstance(expression, If):
        then, otherwise = _numbers(expression.then), _numbers(expression.otherwise)
        return then | otherwise if then and otherwise else set()
    return set()
