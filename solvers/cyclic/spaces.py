"""All reachable positions of a zero-sum game, numbered, with best play at a price of endless play: collected here by
the interpreter, or by the retrograde kernel of the compiled engine where there are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import Refusal, listing
from gdl.game import Chance, Decision, Game, Node, Number, Terminal, require_number
from gdl.solvers.budget import Budget
from gdl.solvers.cyclic.attractor import Forced, best_child
from gdl.solvers.cyclic.play import Bounded, Play
from gdl.solvers.cyclic.strategy_iteration import Exact, TooLargeForExact
from gdl.solvers.cyclic.value_iteration import Bounds
from gdl.solvers.engine_stages import compiled_search, memory_limit, unless_long
from gdl.solvers.needs import Watch
from gdl.states.explore import Exploration, explore, moves

if TYPE_CHECKING:
    from gdl.compiler.searches.retrograde import Retrograde

WARM_UP_POSITIONS = 2_000  # positions that the interpreter collects before the compiled engine is asked
MAX_POSITIONS = 1_000_000  # positions that the interpreter collects at most, unless told otherwise
EXACTLY = 50_000  # positions of a game of chance up to which its values are fractions
LISTED = 20_000  # positions of a game up to which strategies are listed


class Explored:
    """The states by number, 0 being the start, as the interpreter has collected them, with best play on them."""

    def __init__(self, game: Game[Any], found: Exploration[Any], maximiser: int, watch: Watch):
        for state, node in zip(found.states, found.nodes, strict=True):
            watch.check_node(state, node)
        self.game = game
        self.found = found
        self.maximiser = maximiser
        self.size = len(found.states)
        self.ends = sum(isinstance(node, Terminal) for node in found.nodes)
        self.listed = True  # whether strategies may be listed
        self.notes: tuple[str, ...] = ()  # what a reader should know
        self.constant_sum = watch.total

    def utilities(self) -> list[Number]:
        """The utilities of the ends for MAX."""
        return [
            require_number(node.utilities[self.maximiser]) for node in self.found.nodes if isinstance(node, Terminal)
        ]

    def node(self, number: int) -> Node:
        return self.found.nodes[number]

    def children(self, number: int) -> Sequence[int]:
        return self.found.children[number]

    def number(self, state: Any) -> int:
        return self._numbers[state]

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {state: number for number, state in enumerate(self.found.states)}

    def best_play(self, price: Number, tick: Callable[[], None]) -> Play:
        """Best play at this price of endless play, by the method that suits the game. `tick` is called between steps
        and may raise LimitReached."""
        if not any(isinstance(node, Chance) for node in self.found.nodes):
            return Forced(self.found, self.maximiser, price)
        try:
            return Exact(self.found, self.maximiser, price, tick)
        except TooLargeForExact:
            return Bounds(self.found, self.maximiser, price, tick)


class Enumerated:
    """The positions as the compiled engine has numbered them, with the states and actions of the game."""

    def __init__(self, game: Game[Any], search: Retrograde, maximiser: int):
        self.game = game
        self.search = search
        self.maximiser = maximiser
        self.size: int = search.states
        self.ends: int = search.ends
        self.listed = self.size <= LISTED and not search.left_out and search.folding.images == 1
        alike = f"positions that differ in {listing(search.left_out)} alone are one, as no rule asks for that"
        self.notes: tuple[str, ...] = (alike,) if search.left_out else ()
        if search.folding.images > 1:
            self.notes += (one_of_many(search.folding.images),)
        self._met = {0: game.initial()}  # by number, the state that play met last (the engine keeps one of its images)
        self.constant_sum: Number | None = search.constant_sum

    def utilities(self) -> list[Number]:
        return self.search.utilities()

    def _state(self, number: int) -> Any:
        return self._met[number] if number in self._met else self.search.state(number)

    def node(self, number: int) -> Node:
        return self.game.node(self._state(number))

    def children(self, number: int) -> Sequence[int]:
        state = self._state(number)
        after = [self.game.successor(state, move) for move in moves(self.game.node(state))]
        numbers = [self.number(child) for child in after]
        if self.search.folding.images > 1:
            self._met |= {n: child for n, child in zip(reversed(numbers), reversed(after), strict=True) if n}
        return numbers

    def number(self, state: Any) -> int:
        return self.search.number(state)

    def best_play(self, price: Number, tick: Callable[[], None]) -> Play:
        if self.search.has_chance and self.size <= EXACTLY:
            with suppress(TooLargeForExact):
                return Exact(self.search.exploration(), self.maximiser, price, tick)
        for _ in self.search.analyse(price):
            tick()
        if self.search.has_chance:
            return Enclosed(self)
        return Analysed(self, price)


Space = Explored | Enumerated


def one_of_many(symmetries: int) -> str:
    """The note that symmetric positions were taken for one."""
    return f"positions that {symmetries} symmetries of the game turn into each other are one"


class Analysed(Play):
    """Best play as the compiled engine has found it at one price. It stays valid when the engine analyses another
    price."""

    def __init__(self, space: Enumerated, price: Number):
        self.space = space
        self.price = price
        self.endless: bool = space.search.endless
        self._found = space.search.snapshot() if self.endless else space.search

    def value(self, number: int) -> Number:
        found: Number = self._found.value(number)
        return found

    def rank(self, number: int) -> int | None:
        found: int | None = self._found.rank(number)
        return found

    def choose(self, number: int) -> int:
        return best_child(self, self.space.node(number), self.space.children(number), number, self.space.maximiser)


class Enclosed(Bounded):
    """Bounds of all values in a game of chance, from the latest analysis of the compiled engine."""

    def __init__(self, space: Enumerated):
        self.space = space
        self.endless: bool = space.search.endless

    def bounds(self, number: int) -> tuple[float, float]:
        found: tuple[float, float] = self.space.search.bounds(number)
        return found

    def choose(self, number: int) -> int:
        node = self.space.node(number)
        assert isinstance(node, Decision)
        return self.best(self.space.children(number), node.player == self.space.maximiser)


def collect_positions(
    game: Game[Any],
    maximiser: int,
    watch: Watch,
    nodes: int | None,
    budget: Budget,
    symmetry: bool = False,
) -> Space:
    """All positions of a game, up to a limit: by the interpreter, or by the compiled engine if there are more than
    WARM_UP_POSITIONS and it offers a kernel, or if it was asked for. With `symmetry`, which needs the compiled engine,
    images of each other are one."""
    limit = MAX_POSITIONS if nodes is None else nodes

    def by_interpreter(most: int) -> Space:
        return Explored(game, explore(game, most, lambda _: budget.visit(), partly=False), maximiser, watch)

    def by_engine(pays: bool) -> Retrograde | None:
        memory = memory_limit(game)
        return compiled_search(game, RETROGRADE, pays=pays, maximiser=maximiser, limit=nodes, memory=memory)

    search = game.engine.take(RETROGRADE)
    if symmetry:
        if not game.engine.offers(RETROGRADE.name):
            raise Refusal("positions are taken up to symmetry by the compiled engine alone, for games by rules")
        search = game.engine.search(
            RETROGRADE, maximiser=maximiser, limit=nodes, memory=memory_limit(game), symmetry=True
        )
    search = search or by_engine(pays=False)
    if search is None:
        if not game.engine.offers(RETROGRADE.name) or limit <= WARM_UP_POSITIONS:
            return by_interpreter(limit)
        few = unless_long(lambda: by_interpreter(WARM_UP_POSITIONS))
        if few is not None:
            return few
        budget.check_time()
        search = by_engine(pays=True)
        if search is None:
            return by_interpreter(limit)
    _number(search, budget)
    if search.constant_sum is None and len(game.players) > 1:
        raise watch.unmet_need("zero_sum")
    prices = game.promises.forever
    for _ in search.prepare(None if prices is None else require_number(prices[maximiser])):
        budget.check_time()
    return Enumerated(game, search, maximiser)


def _number(search: Retrograde, budget: Budget) -> None:
    """Let the compiled engine number the states, unless it has already done so."""
    if search.numbered:
        return
    for _ in search.explore():
        budget.check_time()
        if budget.progress:
            budget.progress(search.states)
