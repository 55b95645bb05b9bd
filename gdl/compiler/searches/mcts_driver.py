"""Monte-Carlo tree search on the compiled engine: trees that grow in kernel memory, and their nodes to read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any, NamedTuple, Protocol

from gdl.analysis.placement_games import holders
from gdl.compiler import python
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.lower.state_layout import Layout
from gdl.compiler.searches.playouts_driver import seed_generator
from gdl.compiler.searches.slices import KernelNumber, KernelSearch, explain_trap
from gdl.compiler.searches.threads import run_together
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import EngineFault, GameError, Refusal, with_play
from gdl.errors.deadline import CLOCK
from gdl.game import Decision, Number, Terminal, actions, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.games import RulesModel
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.states.safe_play import SAFE_ACTIONS, SafePlay, find_immediate_win

# What stands where in the kernel's memory.
K = kernel_constants("tree", "tree_values", "tree_descent", "mcts", "refutation")
STATES = 1 << 28  # bytes of a module for the states of nodes, at most,
SPARE = 1 << 28  # and for everything but the tree
LEAST_TREE_NODES = 1 << 12  # nodes that a tree always has room for
SMALL = 1 << 20  # nodes for which room is tried again if there is none for more
AT_A_TIME = 50  # positions that a refutation visits between two looks at the clock
REROOT_PLIES = 6  # below the root, within which a later position is looked for: a move, a reply, and chance after both
LOOKED_AT = 1 << 18  # nodes that are looked at for that, at most


class TreeGrowthSettings(Protocol):
    """The settings by which one tree grows."""

    @property
    def simulations(self) -> int | None: ...
    @property
    def nodes(self) -> int | None: ...
    @property
    def seed(self) -> int: ...
    @property
    def c(self) -> tuple[float, float]:
        """Exploration: with up to `few_visits` of a node for each of its children, and with more."""


class MctsTreeOptions(NamedTuple):
    """The options of all trees; the names are those of `gdl.solvers.mcts.mcts`."""

    greatest: tuple[Number | None, ...]  # by player: the greatest utility, None: not known
    room: int  # nodes of a tree
    longest: int  # plies of a simulation, at most, if endless play has no price
    few: int  # with more actions at a node than this, none is tried for a win
    refuting: int  # plies after an action, within which it is searched whether it loses
    price: tuple[Number, ...] | None = None  # of endless play; None: it has none
    least: tuple[Number | None, ...] = ()  # by player: the least utility, None: not known
    patience: tuple[int, int, int] = (0, 0, 0)  # of simulations, in plies: at most, at least, times the longest play
    few_visits: int = 0
    amaf: float = 0.0  # weight of the values of cells that actions take (AMAF); 0: not used
    memory: int | None = None  # bytes that each tree may have; None: `room` limits it


def holder_settings(model: RulesModel, layout: Layout) -> dict[str, int]:
    """The constants that say where a state holds who has taken which cell; {} in games that are not about
    taking cells."""
    array = holders(model)
    if array is None:
        return {}
    place = next(place for place in layout.places if place.variable is array)
    begin = place.plane_of(0) if place.offset is None else place.offset
    planes = place.offset is None
    return {"CELLS": place.count, "HELD_BY_PLANE": planes, "HELD_FROM": begin, "HELD_WORDS": max(1, place.words)}


class TreeReuse:
    """Reuse of a search's tree for a later position that it has met (gdl/compiler/kernels/rerooting.py). `may`: True if
    trees may be reused, which they may only if time alone limits the search (so that nobody expects the same answer
    twice) and its positions have no past."""

    def __init__(self, may: bool):
        self.kernels = ["rerooting"] if may else []  # further kernels for it,
        self.entries = ["reroot"] if may else []  # and their entry points
        self._whole = False  # whether there is a tree that no fault has left half changed

    def slices(self, search: Any) -> Iterator[None]:
        """Yield from the slices of the search. A fault within a slice makes the tree useless for later positions."""
        self._whole = False
        for _ in search.slices():
            self._whole = True
            yield
            self._whole = False
        self._whole = True

    def try_reroot(self, module: Any) -> bool:
        """Make the module's present state the root of its tree. Returns False if that cannot be done, and the tree must
        begin anew."""
        self._whole = self._whole and bool(self.entries) and bool(module["reroot"](REROOT_PLIES, LOOKED_AT))
        return self._whole


def scale_price(price: tuple[Number, ...] | None, denominator: int) -> list[int] | None:
    """The price of endless play as kernel code has utilities: numerators over the game's denominator."""
    scaled = [Fraction(utility * denominator) for utility in price or ()]
    if any(utility.denominator != 1 or abs(utility) >= 1 << 31 for utility in scaled):
        raise Refusal("the compiled engine does not take the price of endless play")
    return None if price is None else [int(utility) for utility in scaled]


def fill_settings(
    module: Any, c: tuple[float, float], manner: MctsTreeOptions, price: Sequence[int] | None, denominator: int
) -> None:
    """Write into the module how a tree grows: by exploration c, and where endless play has a `price` (times the
    denominator), by that."""
    most, least, factor = manner.patience
    now = module["uct_now"]
    for place in range(len(now)):
        now[place] = 0
    now[K.NOW_PATIENCE] = manner.longest if manner.price is None else most
    now[K.NOW_LEAST] = least
    for place, number in enumerate((int(manner.price is not None), most, factor)):
        module["uct_rule"][place] = number
    module["uct_c"][0], module["uct_c"][1] = c
    module["uct_few"][0] = manner.few_visits
    if "uct_trust" in module:
        module["uct_trust"][0] = manner.amaf
    for player, utility in enumerate(price or ()):
        module["uct_price"][player] = utility
    for player, most_paid in enumerate(manner.greatest):
        if most_paid is not None:
            module["greatest_utility"][player] = ceil(most_paid * denominator)
            module["greatest_is_known"][player] = 1
    for player, low in enumerate(manner.least):
        module["uct_least_known"][player] = low is not None
        module["uct_least"][player] = 0 if low is None else floor(low * denominator)


class KernelMctsTree(KernelSearch):
    """A tree in kernel memory, and the search that grows it."""

    kernels: tuple[str, ...] = ("mcts", "refutation")
    entries: tuple[str, ...] = ("uct_run", "uct_begin", "refute_begin", "refute_run")

    def __init__(
        self, game: RulesGame, start: State, engine: str, share: TreeGrowthSettings, manner: MctsTreeOptions
    ):  # fmt: skip
        super().__init__(game, start, engine)
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("the compiled engine grows trees where nothing is hidden and one player moves at a time")
        if self.lowered.wide:
            raise Refusal("the compiled engine grows no trees for utilities so large")
        self._state = start
        self.share, self.manner = share, manner
        self._price = scale_price(manner.price, self.lowered.denominator)
        cells = holder_settings(game.model, self.lowered.layout) if manner.amaf else {}
        self._kept = TreeReuse(share.simulations is None and share.nodes is None and self.lowered.keys is None)
        try:
            self._load(cells, manner.room)
        except EngineFault:  # the machine may have no address space for so many
            if manner.room <= SMALL:
                raise
            self._load(cells, SMALL)
        self._count, self._now = self.module["tree_count"], self.module["uct_now"]
        self._fill()
        self._forget_tree()

    def _load(self, cells: Mapping[str, int], room: int) -> None:
        """Join the kernel, with room for `room` nodes."""
        manner = self.manner
        known = {
            "CHANCES": bool(self.game.model.chances), "WEIGHED": self.lowered.weighs, "FEW_WAYS": manner.few,
            "REFUTING_PLIES": manner.refuting, "SAFE_ACTIONS": 0 if cells else SAFE_ACTIONS, **cells,
            **self._sizes(self.share.simulations, manner._replace(room=room)), **self.settings(),
        }  # fmt: skip
        made = kernel(*self.kernels, *(["amaf"] if cells else []), *self._kept.kernels, **known)
        self.load(made, *self.entries, *self._kept.entries, memory=ADDRESSES)

    def settings(self) -> dict[str, int]:
        """Values of further constants of the kernel, or other values than usual."""
        return {}

    def _sizes(self, simulations: int | None, manner: MctsTreeOptions) -> dict[str, int]:
        """The sizes of the kernel's arrays: for the number of simulations, if it is given, within the limits of
        memory."""
        words, players = len(self._start), len(self.game.players)
        each = 8 * (players + 1) + 4 * K.LINK + 48  # bytes of a node at most, but for its state
        nodes = (ADDRESSES - STATES - SPARE) // each
        if manner.memory is None:
            nodes = min(nodes, manner.room + 1)
        else:
            nodes = max(LEAST_TREE_NODES, min(nodes, manner.memory // (each + 4 * words)))
        states = nodes
        if simulations is not None:
            nodes = min(nodes, (simulations + 1) * max(2, self.lowered.rows) + 1)
            states = simulations + 1
        states = max(1, min(states, nodes, STATES // (4 * words)))
        return {
            "NODES": nodes,
            "STATES": states,
            "DEPTH": max(manner.longest, manner.patience[0]) + 2,
        }

    def _fill(self) -> None:
        """Write the settings into the module's memory."""
        fill_settings(self.module, self.share.c, self.manner, self._price, self.lowered.denominator)
        self.set_simulation_target(self.share.simulations)
        self._count[K.TREE_MOST] = -1 if self.share.nodes is None else self.share.nodes

    # -- growing --------------------------------------------------------------------------------------------

    def restart(self, start: State) -> None:
        """Begin again from another state. If only time limits the search, and the tree has met that state, the part of
        the tree below it is kept."""
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
        count[K.TREE_SIMULATIONS] = count[K.TREE_FULL] = self.module["uct_sum"][0] = 0
        self._begun = False

    def grow(self) -> Iterator[None]:
        """Simulate until all is done, no nodes are left or there is no end; yields after each slice."""
        try:
            if not self._begun:
                self.module["uct_begin"]()
                self._begun = True
            yield from self._kept.slices(self)
        except python.Trap as trap:
            raise self._explain_fault(trap) from None

    def _explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The error that a simulation has met, in the interpreter's words. The interpreter plays the simulation again,
        from the path in the tree and the random numbers of the part beyond it."""
        link, last = self.module["tree_link"], self.module["tree_count"][K.TREE_LAST]
        path = list(self.module["tree_path"][: last + 1])
        moves = iter([child - link[parent * K.LINK + K.LINK_FIRST] for parent, child in pairwise(path)])
        # Where the random play of the simulation began: the state of the generator, safe moves looked for and found.
        begun = self.module["uct_begun"]
        random = Generator(begun[0])
        safe = None
        if not self.manner.amaf:
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
    def spent(self) -> bool:
        """True if the last run stopped because there was no room for another node."""
        return bool(self.last_result == K.RUN_OUT_OF_NODES)

    def set_simulation_target(self, simulations: int | None) -> None:
        """Set how many simulations there are to be in all; None: no limit."""
        self.module["tree_count"][K.TREE_WANTED] = -1 if simulations is None else simulations

    def cut_off(self, plies: int, price: Sequence[Number]) -> None:
        """From now on, cut off simulations after so many plies, at this price. Raises Refusal where kernel code cannot
        have it."""
        for player, utility in enumerate(scale_price(tuple(price), self.lowered.denominator) or ()):
            self.module["uct_price"][player] = utility
        self._now[K.NOW_LEAST] = self._now[K.NOW_PATIENCE] = self.module["uct_rule"][K.RULE_PATIENCE] = plies
        self.module["uct_rule"][K.RULE_PRICED] = 1
        self.module["uct_safe"][K.SAFE_LOOKS] += K.TRIAL  # unless wins in one were met, they count as rare

    plies = KernelNumber("uct_now", K.NOW_PLIES)
    cuts = KernelNumber("uct_now", K.NOW_CUTS)

    simulations = KernelNumber("tree_count", K.TREE_SIMULATIONS)

    nodes = KernelNumber("tree_count", K.TREE_NODES)

    @property
    def full(self) -> int:
        """The number of nodes at which the tree became full; 0 if it has room."""
        count = self.module["tree_count"]
        return int(count[K.TREE_USED]) if count[K.TREE_FULL] else 0

    # -- looking back ---------------------------------------------------------------------------------------

    def count_refuted(self, ways: Sequence[int], least: Number, positions: int, seconds: float | None) -> int | None:
        """The number of actions, from the first of `ways` on, that are all shown to lose, as in
        `gdl.solvers.mcts.refutation`; None if this kernel cannot tell. An action loses if it gives the player no more
        than `least`. At most `positions` positions are visited in all, and after `seconds` (None: no limit) the count
        so far is returned."""
        if self.lowered.keys is not None:
            return None
        deadline = None if seconds is None else CLOCK.now() + seconds
        memory = self.module
        memory["refute_state"][: len(self._start)] = memoryview(self._start)
        memory["refute_player"][0] = self._start[0]
        memory["refute_least"][0] = floor(least * self.lowered.denominator)
        memory["refute_left"][0] = positions
        try:
            for number, way in enumerate(ways):
                memory["refute_begin"](way)
                while (said := memory["refute_run"](AT_A_TIME)) == K.REFUTED_GOES_ON:
                    if deadline is not None and CLOCK.now() > deadline:
                        return number
                if said != K.REFUTED_YES:
                    return number
        except python.Trap:
            return None
        return len(ways)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def root(self) -> KernelMctsNode:
        return KernelMctsNode(self, 0)


class KernelMctsNode:
    """A node of a tree in kernel memory, by its number: `N` visits, the total `W` of their utilities for each player,
    and the `proven` utilities, if there are any."""

    def __init__(self, tree: KernelMctsTree, number: int):
        self._tree, self._number = tree, number
        record = len(tree.game.players) + 1
        visits, *totals = tree.module["uct_sum"][number * record : (number + 1) * record]
        self.N: int = abs(visits)
        self.W: list[Number] = [exact(Fraction(total, tree.lowered.denominator)) for total in totals]
        self.proven: tuple[Number, ...] | None = None
        if self._link(number)[K.LINK_PROVEN] and self.N:
            self.proven = tuple(exact(Fraction(total) / self.N) for total in self.W)

    def _link(self, number: int) -> Any:
        return self._tree.module["tree_link"][number * K.LINK : (number + 1) * K.LINK]

    @property
    def children(self) -> list[KernelMctsNode | None]:
        """The child for each action; None for one that was not visited."""
        link = self._link(self._number)
        numbers = range(link[K.LINK_FIRST], link[K.LINK_FIRST] + link[K.LINK_ROWS])
        return [KernelMctsNode(self._tree, child) if self._link(child)[K.LINK_WHOSE] else None for child in numbers]


class KernelForest:
    """Several trees of one game, which grow at the same time."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, /, *, shares: Sequence[TreeGrowthSettings], **manner: Any
    ):
        self.trees = [KernelMctsTree(game, start, engine, share, MctsTreeOptions(**manner)) for share in shares]

    def takes(self, *, shares: Sequence[TreeGrowthSettings], **manner: Any) -> bool:
        """Take over this request if it differs from the one before in seeds alone. Returns False, and changes nothing,
        if it differs in more."""
        trees = self.trees
        known = [(tree.share.simulations, tree.share.nodes, tree.share.c) for tree in trees]
        # What is left of it now does not matter.
        asked = MctsTreeOptions(**manner)._replace(memory=trees[0].manner.memory)
        if [(s.simulations, s.nodes, s.c) for s in shares] != known or asked != trees[0].manner:
            return False
        for tree, share in zip(trees, shares, strict=True):
            tree.share = share
        return True

    def restart(self, start: State) -> None:
        """Begin again from another state."""
        for tree in self.trees:
            tree.restart(start)

    def grow(self, pause: Callable[[], None]) -> bool:
        """Grow all trees. Returns True if a simulation of one of them had no end."""
        run_together([tree.grow() for tree in self.trees], pause, self.trees[0].engine)
        return any(tree.last_result == K.RUN_ENDLESS for tree in self.trees)
