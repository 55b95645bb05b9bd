"""Retrograde analysis on the compiled engine: the value of every state and, without chance, its distance to the end."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from gdl.compiler.folding import NO_FOLDING, Folding
from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.compiler.lower.packing import Packing, packing, unread_variables
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.slices import KernelNumber
from gdl.compiler.searches.state_table import bytes_for
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import InternalError, LimitReached, Refusal, clean, size_text
from gdl.game import Chance, Decision, Node, Number, Terminal, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.explore import Exploration
from gdl.wings import hook

# What stands where in the kernels' memory.
K = kernel_constants("enumerate", "edges", "patterns", "components", "retrograde")
ENTRIES = "sweep_run again_run turn_round place_ends reset spread_from spread_run".split()
CHANCE_ENTRIES = "bounds_start bounds_run bounds_of place_folded".split()
ALWAYS = "find key_hash lay_out put_all".split()
TOLERANCE = 1e-11  # a component is done when its bounds are so near, relative to the greatest utility
EPSILON = 2.3e-16  # more than the rounding error of one operation
FRAME = 6  # numbers of a state on the path of the walk over components
MAX, END, CHANCE = 1, 2, 3  # in `who`: MAX moves, nobody does at an end, chance does; 0: MIN
_ROOM = 1 << 26  # bytes of addresses for everything else


def component_parts(states: int, edges: int) -> dict[str, int]:
    """The parts of `pool` behind the edges, for the walk over components, and their sizes."""
    return {
        "NUMBER": states, "OPEN": states, "PATH": FRAME * states, "START": states + 1, "ROWS": edges + 2 * states,
    }  # fmt: skip


class Retrograde(Enumeration):
    """All states of a game, then their values for one player. Iterating over a step does a slice of the work."""

    keeps_past = False
    states_room = ADDRESSES // 2  # as much is for the edges

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        maximiser: int = 0,
        limit: int | None = None,
        memory: int | None = None,
        symmetry: bool = False,
        at_random: bool = False,
    ):
        """With `symmetry`, states that are images of each other are treated as one; `at_random`: all players choose at
        random, each action with the same probability."""
        self.takes_joint_moves = at_random
        self.has_chance = at_random or bool(game.model.chances)
        self.maximiser = maximiser
        folding: Folding = hook("solve --symmetry")(game, start, engine) if symmetry else NO_FOLDING
        self.pairs = folding.exchanges  # whether a state stands for two positions
        self.turned = self.pairs and start.mover != 0  # whether players have changed parts in the first state
        self.entries = (*(CHANCE_ENTRIES if self.has_chance else ENTRIES), *ALWAYS)
        super().__init__(game, start, engine, limit, memory, folding)
        self.solved = self.module["solved"]
        self.solved[K.EDGE] = self.most + 1
        self.scale = 1.0  # in a game of chance: the greatest utility, and at least 1
        self.numbered = False  # whether all states are numbered
        self.checkpoint: Any = None  # a RetrogradeCheckpoint, or None
        self.price: Number | None = None  # of endless play, in the last analysis
        self.endless = False  # whether play can go on for ever
        self.numbers: list[Number] = []  # all utilities in order, by place

    @cached_property
    def packing(self) -> Packing:
        """The packing of states: as for every search, but without variables that no rule reads."""
        return packing(self.game.model, self.lowered.layout, unread_variables(self.game.model))

    @property
    def left_out(self) -> list[str]:
        """The names of the variables that no rule reads: states that differ in them alone are one."""
        return [self.game.model.variables[number].name for number in sorted(unread_variables(self.game.model))]

    @property
    def extra_bytes(self) -> int:  # type: ignore[override]
        """The bytes that each state needs beside its key, its number and its edges."""
        if self.has_chance:
            return 89 if self.pairs else 65
        return 9 if self.pairs else 5

    def kernel(self) -> Kernel:
        """The kernel that is joined with the game."""
        words = self.packing.words
        taken = bytes_for(words, self.most, self.direct) + (self.extra_bytes + self.pairs) * self.most
        self.pool = (ADDRESSES - taken - _ROOM) // 4
        first = 1 - self.maximiser if self.turned else self.maximiser
        two = self.pairs and not self.has_chance
        return kernel(
            "chance" if self.has_chance else "retrograde", RECORDS=1, CHANCES=self.has_chance, MAX=first,
            POOL=self.pool, TWO=two, POSITIONS=self.most << two, EVEN=self.takes_joint_moves,
            WEIGHTED=bool(self.game.model.chances), **self.settings,
        )  # fmt: skip

    # -- step by step ---------------------------------------------------------------------------------------

    @property
    def start(self) -> bytes:
        """The words of the first state."""
        return self._start.tobytes()

    def explore(self) -> Iterator[None]:
        """Number all states; with a checkpoint, continue from the state that it holds."""
        slices = self.numbering(begins=not (self.checkpoint and self.checkpoint.load()))
        for _ in self.checkpoint.with_checkpoints(slices) if self.checkpoint else slices:
            _look(self)
            yield
        _look(self)
        if self.solved[K.UNFIT] or self.found[K.LEVELS] > K.MAX_RANK:
            raise Refusal(f"{clean(self.game.name)} has more utilities or plies than retrograde analysis counts")
        self.numbered = True

    def prepare(self, price: Number | None) -> Iterator[None]:
        """Put the utilities in order, make the lists of parents, and find out whether play can go on for ever. `price`:
        that of endless play, if it is known."""
        denominator = self.lowered.denominator
        met = [Fraction(u, denominator) for u in self.module["utility"][: self.solved[K.UTILITIES]]]
        prices = [Fraction(0)] if price is None else [Fraction(price)]
        others = _exchanged_utilities(met, self)
        places = sorted({*met, *others, *prices})
        self.numbers = [exact(number) for number in places]
        for k, number in enumerate(met):
            self.module["place_of"][k] = places.index(number)
        for k, number in enumerate(others):
            self.module["place_of_other"][k] = places.index(number)
        if self.has_chance or self.is_layered:
            return
        yield from _turn_edges(self)
        self.module["place_ends"]()
        self.module["reset"]()
        self.module["spread_from"](-1)
        yield from self.slices(self.module["spread_run"])
        self.endless = self.solved[K.FIRST] < self.positions

    def analyse(self, price: Number) -> Iterator[None]:
        """Find every state's value and rank, with this price of endless play."""
        self.price = price
        if self.has_chance:
            yield from self._enclose(price)
            return
        self.solved[K.PRICE] = self.numbers.index(price)
        if self.is_layered:
            self.solved[K.FIRST] = self.found[K.LEVELS]
            self.solved[K.AT] = self.states
            self.solved[K.LAST] = self.states
            yield from self.slices(self.module["sweep_run"])
            return
        self.module["reset"]()
        place = self.numbers.index(price)
        for spreading in (*range(len(self.numbers) - 1, place, -1), *range(place if self.endless else place + 1)):
            self.module["spread_from"](spreading)
            yield from self.slices(self.module["spread_run"])
        if self.solved[K.UNFIT]:
            raise Refusal(f"{clean(self.game.name)} has longer plays than retrograde analysis counts")

    # -- what has been found --------------------------------------------------------------------------------

    @property
    def is_layered(self) -> bool:
        """True if every edge leads to the next level; then play ends."""
        return bool(self.found[K.LAYERED])

    ends = KernelNumber("enumerated", K.ENDS)

    @property
    def constant_sum(self) -> Number | None:
        """The sum of the utilities of every end; None if that varies."""
        total = exact(Fraction(self.solved[K.TOTAL], self.lowered.denominator))
        return None if self.solved[K.UNEVEN] else total

    def utilities(self) -> list[Number]:
        """The utilities of ends."""
        denominator = self.lowered.denominator
        met = [Fraction(u, denominator) for u in self.module["utility"][: self.solved[K.UTILITIES]]]
        return [exact(number) for number in (*met, *_exchanged_utilities(met, self))]

    @property
    def positions(self) -> int:
        """The number of positions: two for each state if symmetries exchange the players."""
        return self.states * (1 + self.pairs)

    def number(self, state: State) -> int:
        """The number of a position that has been met."""
        self.module["s"][:] = memoryview(self.words_of(state))
        found = int(self.module["find"]())
        if found < 0:
            raise InternalError("a state that was not met")
        return 2 * found + (self.module["exchanged"][0] ^ self.turned) if self.pairs else found

    def state(self, number: int) -> State:
        """The state of the position with this number, or one of its images."""
        self.module["key_of"](number >> 1 if self.pairs else number)
        self.module["unpack"]()
        words = list(self.module["s"])
        start = self.game.initial()
        found = State(words[0], (words[1], *start.cells[1:3], *self.lowered.layout.read(words)), None)
        return self.folding.exchange(found) if self.pairs and number & 1 != self.turned else found

    def value(self, number: int) -> Number:
        place: int = self.module["value"][number]
        return self.numbers[place]

    def rank(self, number: int) -> int | None:
        """The plies to the end under best play; None where nobody forces one."""
        rank: int = self.module["rank"][number]
        return None if rank < 0 else rank

    def snapshot(self) -> ValueSnapshot:
        """A copy of the present values and ranks, which a later analysis does not change."""
        return ValueSnapshot(
            tuple(self.numbers),
            array("h", self.module["value"][: self.positions]),
            array("h", self.module["rank"][: self.positions]),
        )

    # -- of a game of chance, in which each value lies between two bounds -------------------------------------

    def end_open_states(self, utility: Number) -> None:
        """Take the states that a limit has left open, which were met but not expanded, for ends with this utility."""
        met, place = int(self.solved[K.UTILITIES]), self.found[K.EXPANDED]
        self.module["utility"][met] = int(utility * self.lowered.denominator)
        for name, number in (("who", END), ("value", met), ("pool", int(self.found[K.EDGES]))):
            open_states = self.module[name][place : self.states]
            open_states[:] = array(open_states.format, [number]) * len(open_states)

    def _enclose(self, price: Number) -> Iterator[None]:
        """Compute bounds of all states' values that lie near one another, with this price of endless play."""
        denominator = self.lowered.denominator
        utilities = self.module["utility"][: self.solved[K.UTILITIES]]
        self.scale = max(1.0, *(abs(float(u)) for u in (price * denominator, *utilities)))
        tolerance = TOLERANCE * self.scale
        reals = (float(price * denominator), tolerance, 2 * EPSILON * self.scale, EPSILON, tolerance / 10, 0.0)
        for k, number in enumerate(reals):
            self.module["reals"][k] = number
        states, edges, play = self.states, int(self.found[K.EDGES]), self.module["play"]
        at = self.most + 1 + edges
        for name, size in component_parts(states, edges).items():
            play[getattr(K, f"P_{name}")] = at
            at += size
        self.module["bounds_start"]()
        yield from self.slices(self.module["bounds_run"])
        self.endless = bool(play[K.P_ENDLESS])
        if self.pairs and (self.constant_sum != 0 or (self.endless and price != 0)):
            raise Refusal(
                f"an exchange of players tells the values of {clean(self.game.name)} only where utilities sum to "
                "zero and endless play is worth nothing; leave --symmetry out"
            )

    def bounds(self, number: int) -> tuple[float, float]:
        """The bounds between which the value of the position with this number lies."""
        denominator = self.lowered.denominator
        self.module["bounds_of"](number >> self.pairs)
        low, high = self.module["told"]
        if self.pairs and number & 1:
            low, high = -high, -low
        return low / denominator, high / denominator

    def exploration(self) -> Exploration[Any]:
        """All positions in the form in which the interpreter explores games, with numbers in place of states, and no
        names of actions."""
        pool, edge = self.module["pool"], self.solved[K.EDGE]
        starts = [*pool[: self.states], self.found[K.EDGES]]
        edges = pool[edge : edge + self.found[K.EDGES]].tolist()
        children = [tuple(edges[start:end]) for start, end in pairwise(starts)]
        nodes = [self._node(number, len(after)) for number, after in enumerate(children)]
        if self.pairs:
            children = [tuple(to ^ turned for to in after) for after in children for turned in (0, 1)]
            nodes = [_swap_players(node) if turned else node for node in nodes for turned in (0, 1)]
        numbers = list(range(self.positions))
        return Exploration(numbers, [], nodes, [()] * self.positions, children, complete=True)

    def _node(self, number: int, rows: int) -> Node:
        who, value = self.module["who"][number], self.module["value"][number]
        if who == END:
            pays: list[Number] = [self.utilities()[value]] * len(self.game.players)
            pays = [u if p == self.maximiser else (self.constant_sum or 0) - u for p, u in enumerate(pays)]
            return Terminal(tuple(pays))
        if who == CHANCE:
            first = self.module["pattern_start"][value]
            weights = self.module["pattern_weight"][first : first + rows].tolist()
            total = sum(weights)
            return Chance(tuple((str(k), exact(Fraction(weight, total))) for k, weight in enumerate(weights)))
        return Decision(self.maximiser if who == MAX else 1 - self.maximiser, ("",) * rows)


def _turn_edges(search: Retrograde) -> Iterator[None]:
    """Make the edges that were not kept, and the lists of all states' parents."""
    states, positions, edges = search.states, search.positions, search.found[K.EDGES]
    at = search.most + 1 + edges
    for place, length in ((K.PARENTS, states + 1), (K.SOURCE, edges), (K.QUEUE, positions), (K.WAITED, positions)):
        search.solved[place] = at
        at += length
    _check(search, _memory(search) + 4 * (at - search.most - edges), at)
    search.solved[K.AT] = 0
    search.solved[K.LAST] = 0
    yield from search.slices(search.module["again_run"])
    search.module["turn_round"]()


def _look(search: Retrograde) -> None:
    """Check that the states, the edges that are kept by now, and in a game of chance what the walk over components
    needs besides, fit in the limits of memory."""
    parts = sum(component_parts(search.states, int(search.found[K.EDGES])).values()) if search.has_chance else 0
    _check(search, _memory(search) + 4 * parts, search.most + 1 + search.found[K.EDGES] + parts)


def _memory(search: Retrograde) -> int:
    """The bytes of all states, and of their edges if those are kept."""
    each = 8 * search.packing.words + search.extra_bytes + search.pairs
    states = each * search.states + 4 * int(search.found[K.SLOTS])
    if search.is_layered and not search.has_chance:
        return states
    return states + 4 * (search.states + int(search.found[K.EDGES]))


def _check(search: Retrograde, bytes: int, pool: int) -> None:
    if bytes > search.memory:
        raise LimitReached(f"the edges of {search.game.name} do not fit in {size_text(search.memory)}")
    if pool > search.pool and (search.has_chance or not search.is_layered):
        raise LimitReached(f"the edges of {search.game.name} do not fit in the 4 GiB that kernel code can have")


def _exchanged_utilities(utilities: Sequence[Fraction], search: Retrograde) -> list[Fraction]:
    """The utilities of the same ends with the players exchanged; [] if the players cannot be exchanged."""
    return [Fraction(search.constant_sum or 0) - utility for utility in utilities] if search.pairs else []


def _swap_players(node: Node) -> Node:
    """The node as it is with the players exchanged."""
    if isinstance(node, Decision):
        return Decision(1 - node.player, node.actions)
    return Terminal(node.utilities[::-1]) if isinstance(node, Terminal) else node


class ValueSnapshot(NamedTuple):
    """The values and ranks that an analysis has found: `places` of values in `numbers`, and ranks (below 0: none)."""

    numbers: tuple[Number, ...]
    places: array[int]
    ranks: array[int]

    def value(self, number: int) -> Number:
        return self.numbers[self.places[number]]

    def rank(self, number: int) -> int | None:
        return None if self.ranks[number] < 0 else self.ranks[number]
