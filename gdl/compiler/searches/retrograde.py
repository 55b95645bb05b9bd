"""What every state of a game without chance is worth, and how far the end is, on the compiled engine."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from gdl.compiler.kernels import enumerate as enumeration
from gdl.compiler.kernels import retrograde as kernel
from gdl.compiler.searches.enumeration import ADDRESSES, Enumeration
from gdl.errors import LimitReached, Refusal, clean, counted
from gdl.game import Number, exact
from gdl.interpreter import RulesGame, State

_ROOM = 1 << 26  # bytes of addresses for everything else


class Retrograde(Enumeration):
    """All states of a game, then their values for one player. Each step is iterated over; it does a slice of the work
    at a time."""

    entries = tuple(kernel.ENTRIES)

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        maximiser: int = 0,
        limit: int | None = None,
        memory: int | None = None,
    ):
        if game.model.chances:
            raise Refusal("the compiled engine's retrograde analysis takes no chance moves")
        self.maximiser = maximiser
        super().__init__(game, start, engine, limit, memory)
        self.solved = self.module["solved"]
        self._set("EDGE", self.most + 1)
        self.numbered = False
        self.endless = False
        self.numbers: list[Number] = []  # utilities by their places

    def kernel(self) -> str:
        """What is joined with the game."""
        words = self.packing[1]
        self.most = min(self.most, int(self.memory / (kernel.bytes_for(words, 1 << 20) / (1 << 20))))
        self.pool = (ADDRESSES - kernel.bytes_for(words, self.most) - _ROOM) // 4
        return kernel.kernel(words, self.most, self.maximiser, self.pool)

    # -- step by step ---------------------------------------------------------------------------------------

    def explore(self) -> Iterator[None]:
        """Number the states."""
        for _ in self:
            self._look()
            yield
        self._look()
        if self._get("UNFIT") or self.found[enumeration.LEVELS] > kernel.MOST_RANK:
            raise Refusal(f"{clean(self.game.name)} has more utilities or plies than retrograde analysis counts")
        self.numbered = True

    def prepare(self, price: Number | None) -> Iterator[None]:
        """Put the utilities in order, and turn the edges round."""
        denominator = self.lowered.denominator
        met = [Fraction(u, denominator) for u in self.module["utility"][: self._get("UTILITIES")]]
        prices = [Fraction(0)] if price is None else [Fraction(price)]
        places = sorted({*met, *prices})
        self.numbers = [exact(number) for number in places]
        for k, number in enumerate(met):
            self.module["place_of"][k] = places.index(number)
        if self.layered:
            return
        yield from self._edges()
        self.module["place_ends"]()
        self.module["ends_start"]()
        yield from self.slices(self.module["ends_run"])
        self.endless = self._get("FIRST") < self.states

    def analyse(self, price: Number) -> Iterator[None]:
        """Give every state its value and rank, endless play being worth the price."""
        self._set("PRICE", self.numbers.index(price))
        if self.layered:
            self._set("FIRST", self.found[enumeration.LEVELS])
            self._set("AT", self.states)
            self._set("LAST", self.states)
            yield from self.slices(self.module["sweep_run"])
            return
        self.module["reset"]()
        place = self.numbers.index(price)
        for spreading in (*range(len(self.numbers) - 1, place, -1), *range(place if self.endless else place + 1)):
            self.module["spread_from"](spreading)
            yield from self.slices(self.module["spread_run"])
        if self._get("UNFIT"):
            raise Refusal(f"{clean(self.game.name)} has longer plays than retrograde analysis counts")

    def _edges(self) -> Iterator[None]:
        """Make the edges that have not been kept, and turn all round."""
        states, edges = self.states, self.found[enumeration.EDGES]
        at = self.most + 1 + edges
        for name, length in (("PARENTS", states + 1), ("SOURCE", edges), ("QUEUE", states), ("WAITED", states)):
            self._set(name, at)
            at += length
        self._check(self._taken() + 4 * (at - self.most - edges), at)
        self._set("AT", 0)
        self._set("LAST", 0)
        yield from self.slices(self.module["again_run"])
        self.module["turn_round"]()

    # -- what has been found --------------------------------------------------------------------------------

    @property
    def layered(self) -> bool:
        """Whether every edge leads to the next level; then play ends."""
        return bool(self.found[enumeration.LAYERED])

    @property
    def ends(self) -> int:
        return int(self.found[enumeration.ENDS])

    @property
    def constant_sum(self) -> Number | None:
        """What the utilities of every end sum to; None if that varies."""
        total = exact(Fraction(self._get("TOTAL"), self.lowered.denominator))
        return None if self._get("UNEVEN") else total

    def utilities(self) -> list[Number]:
        """The utilities of ends."""
        denominator = self.lowered.denominator
        return [exact(Fraction(u, denominator)) for u in self.module["utility"][: self._get("UTILITIES")]]

    def number(self, state: State) -> int:
        """The number of a state that has been met."""
        for k, word in enumerate(self.lowered.layout.written(state.turn, state.cells)):
            self.module["s"][k] = word
        found = int(self.module["find"]())
        assert found >= 0, "a state that was not met"
        return found

    def state(self, number: int) -> State:
        """The state of a number."""
        self.module["key_of"](number)
        self.module["unpack"]()
        words = list(self.module["s"])
        start = self.game.initial()
        return State(words[0], (words[1], *start.cells[1:3], *self.lowered.layout.read(words)), None)

    def value(self, number: int) -> Number:
        place: int = self.module["value"][number]
        return self.numbers[place]

    def rank(self, number: int) -> int | None:
        """The plies to the end; None where nobody forces one."""
        rank: int = self.module["rank"][number]
        return None if rank < 0 else rank

    def taken(self) -> Taken:
        """The values and ranks as they are now, whatever is analysed later."""
        return Taken(
            tuple(self.numbers),
            array("h", self.module["value"][: self.states]),
            array("h", self.module["rank"][: self.states]),
        )

    # -- memory ---------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Note the first state whose edges are kept, and what memory is taken."""
        self._check(self._taken(), self.most + 1 + self.found[enumeration.EDGES])

    def _taken(self) -> int:
        """Bytes of all states, and of their edges where those are kept."""
        states = (8 * self.packing[1] + 5) * self.states + 4 * int(self.found[enumeration.SLOTS])
        return states if self.layered else states + 4 * (self.states + int(self.found[enumeration.EDGES]))

    def _check(self, bytes: int, pool: int) -> None:
        if bytes > self.memory or (pool > self.pool and not self.layered):
            raise LimitReached(
                f"the edges of {self.game.name} do not fit in {counted(min(bytes, self.memory) >> 20, 'MiB')}"
            )

    def _get(self, name: str) -> int:
        return int(self.solved[kernel.PLACE[name]])

    def _set(self, name: str, number: int) -> None:
        self.solved[kernel.PLACE[name]] = number


class Taken(NamedTuple):
    """What an analysis has found."""

    numbers: tuple[Number, ...]
    places: array[int]
    ranks: array[int]

    def value(self, number: int) -> Number:
        return self.numbers[self.places[number]]

    def rank(self, number: int) -> int | None:
        return None if self.ranks[number] < 0 else self.ranks[number]
