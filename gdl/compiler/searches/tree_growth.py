"""The common part of trees in kernel memory, whichever search grows them (gdl/compiler/kernels/tree.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil, floor
from typing import Any, Self

from gdl.compiler import python
from gdl.compiler.joining import kernel_constants
from gdl.compiler.searches.faults import explain_trap
from gdl.compiler.searches.playouts_driver import seed_generator
from gdl.errors import GameError, Refusal, with_play
from gdl.game import Decision, Number, Terminal, actions
from gdl.interpreter.rules_game import State
from gdl.states.immediate_wins import find_immediate_win
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.safe_play import SafePlay

# Trees of simulations that go on from a position that they have met (gdl/compiler/kernels/rerooting.py).

PLIES = 6  # below the root, within which it is looked for: a move, a reply, and what chance does to both
LOOKED_AT = 1 << 18  # nodes that are looked at for that


class TreeReuse:
    """Reuse of a search's tree for a later position. `may`: True if nothing but time limits the search, so that nobody
    asks for the same answer twice, and its positions have no past."""

    def __init__(self, may: bool):
        self.kernels = ["rerooting"] if may else []  # that are joined for it,
        self.entries = ["reroot"] if may else []  # and what is called
        self._whole = False  # whether there is a tree, and nothing but a pause has left it as it is

    def slices(self, search: Any) -> Iterator[None]:
        """The slices of the search."""
        self._whole = False
        for _ in search.slices():
            self._whole = True
            yield
            self._whole = False
        self._whole = True

    def try_reroot(self, module: Any) -> bool:
        """Begin the tree with the module's state from now on; False where it cannot."""
        self._whole = self._whole and bool(self.entries) and bool(module["reroot"](PLIES, LOOKED_AT))
        return self._whole


K = kernel_constants("tree")  # what stands where in the kernel's memory


class Growth:
    """A search that grows a tree: how far it has grown, and how far it is to."""

    module: dict[str, Any]
    share: Any  # what the tree is to be grown by: simulations, nodes, seed,
    manner: Any  # and how; the names are those of the solver
    visits: str  # the array whose first number says how often the root was visited
    _begin_tree: Callable[[], None]
    _fill: Callable[[], None]  # writes into memory what was asked for
    _kept: TreeReuse
    _state: State
    _begun: bool

    def restart(self: Any, start: State) -> None:
        """Begin again, from another state. A tree that is limited by time alone keeps what it knows of that state, if
        it has met it."""
        self._state = start
        self._set_start(start)
        self.load_start_state()
        if not self._kept.try_reroot(self.module):
            self._forget_tree()
        self._fill()

    def _forget_tree(self) -> None:
        """Clear the tree."""
        seed_generator(self.module["played"], self.share.seed)
        count = self.module["tree_count"]
        count[K.TREE_SIMULATIONS] = count[K.TREE_FULL] = self.module[self.visits][0] = 0
        self._begun = False

    def _growth(self) -> Iterator[None]:
        """Simulate until all is done, no nodes are left or there is no end; yields after each slice."""
        try:
            if not self._begun:
                self._begin_tree()
                self._begun = True
            yield from self._kept.slices(self)
        except python.Trap as trap:
            raise self._explain_fault(trap) from None

    def _explain_fault(self: Any, trap: python.Trap) -> GameError | Refusal:
        """The error of a simulation in the interpreter's words. The interpreter plays the simulation again, from the
        path in the tree and the random numbers of the part beyond it, where those can be found again."""
        link, last = self.module["tree_link"], self.module["tree_count"][K.TREE_LAST]
        path = list(self.module["tree_path"][: last + 1])
        moves = iter([child - link[parent * K.LINK + K.LINK_FIRST] for parent, child in pairwise(path)])
        begun = self.module.get("uct_begun")
        random = Generator(begun[0]) if begun else None
        safe = None
        if begun and not self.manner.amaf:
            safe = SafePlay(self.game, self.manner.greatest, self.manner.few, *begun[1:])
        state, plays = self._state, list[str]()
        try:
            while not isinstance(node := self.game.node(state), Terminal):
                number = next(moves, None)
                joins = len(plays) == len(path) - 1 > 0
                if joins and isinstance(node, Decision) and len(node.actions) <= self.manner.few:
                    find_immediate_win(self.game, state, node, self.manner.greatest, plays)
                if number is not None:
                    plays.append(actions(node)[number])
                elif random is None:
                    break
                elif safe and isinstance(node, Decision) and safe.moves_safely(node):
                    state, _ = safe.play(state, node, random, plays, self.game.node)
                    continue
                else:
                    plays.append(str(random_move(node, random)))
                state = self.game.successor(state, plays[-1])
        except GameError as error:
            return with_play(error, tuple(plays))
        return explain_trap(self, trap, [bytes(self.module["s"])])

    @property
    def spent(self: Any) -> bool:
        """True if no nodes are left."""
        return bool(self.last_result == K.RUN_OUT_OF_NODES)

    def set_simulation_target(self, simulations: int | None) -> None:
        """Set how many simulations there are to be in all; None: no limit."""
        self.module["tree_count"][K.TREE_WANTED] = -1 if simulations is None else simulations

    @property
    def simulations(self) -> int:
        return int(self.module["tree_count"][K.TREE_SIMULATIONS])

    @property
    def nodes(self) -> int:
        return int(self.module["tree_count"][K.TREE_NODES])

    @property
    def full(self) -> int:
        """The number of positions at which the tree became full; 0 if it has room."""
        count = self.module["tree_count"]
        return int(count[K.TREE_USED]) if count[K.TREE_FULL] else 0


class Linked:
    """A node of a tree, by its number."""

    def __init__(self, tree: Any, number: int):
        self._tree, self._number = tree, number

    def _link(self, number: int) -> Any:
        return self._tree.module["tree_link"][number * K.LINK : (number + 1) * K.LINK]

    @property
    def children(self) -> list[Self | None]:
        """One for each action; None where nobody was."""
        link = self._link(self._number)
        numbers = range(link[K.LINK_FIRST], link[K.LINK_FIRST] + link[K.LINK_ROWS])
        return [type(self)(self._tree, child) if self._link(child)[K.LINK_WHOSE] else None for child in numbers]


def fill_least(module: Any, least: tuple[Number | None, ...], denominator: int) -> None:
    """Say what no utility falls below, where that is known."""
    for player, low in enumerate(least):
        module["uct_least_known"][player] = low is not None
        module["uct_least"][player] = 0 if low is None else floor(low * denominator)


def fill_greatest(module: Any, greatest: tuple[Number | None, ...], denominator: int) -> None:
    """Write into the module, for each player, the number that no utility exceeds, where it is known."""
    for player, most in enumerate(greatest):
        if most is not None:
            module["greatest_utility"][player] = ceil(most * denominator)
            module["greatest_is_known"][player] = 1
