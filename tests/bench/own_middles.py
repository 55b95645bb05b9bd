"""Bodies of random games that are interrupted: by draws, deals, shuffles and answers, as the manual has them.

A body that goes on in later plies is a row of items. Each item unfolds to others, until the first is a ply: a draw, a
thing dealt, an element shuffled, a question. `advance` runs a row up to there. Nothing here is gdl's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from meanings import Fault

Names = dict[str, Any]
Value = Callable[[Names], Any]
Items = tuple[Any, ...]


@dataclass(frozen=True)
class Do:
    """Effects in one ply with what stands before them."""

    effect: Callable[[Any], Iterator[Any]]

    def unfold(self, run: Any) -> tuple[Any, Items]:
        (after,) = self.effect(run)
        return after, ()


@dataclass(frozen=True)
class Return:
    """Lets the player who acted be the mover again, and drops the names that another body made."""

    actor: str
    kept: frozenset[str]

    def unfold(self, run: Any) -> tuple[Any, Items]:
        names = {name: value for name, value in run.names.items() if name in self.kept or not name[-1].isdigit()}
        return replace(run, names={**names, "mover": self.actor}), ()


def back_to(run: Any) -> Return:
    return Return(run.names["mover"], frozenset(run.names))


@dataclass(frozen=True)
class Draw:
    """A line `draw`, as often as it says, with what it gives for the first parameters of the step."""

    step: str
    times: Value
    given: Value | None = None

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, (DrawOnce(self.step, self.given),) * self.times(run.names)


@dataclass(frozen=True)
class DrawOnce:
    """One draw."""

    step: str
    given: Value | None

    def unfold(self, run: Any) -> tuple[Any, Items]:
        given = () if self.given is None else (self.given(run.names),)
        return run, (Drawn(self.step, given), back_to(run))


@dataclass(frozen=True)
class Ask:
    """A line `ask`: the actions that answer, and who is asked, each if the test holds when their turn comes."""

    actions: tuple[str, ...]
    who: Value
    name: str
    test: Value

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, (AskNext(self, tuple(self.who(run.names))),)


@dataclass(frozen=True)
class AskNext:
    """The rest of a line `ask`."""

    line: Ask
    left: tuple[str, ...]

    def unfold(self, run: Any) -> tuple[Any, Items]:
        for number, player in enumerate(self.left, 1):
            if self.line.test({**run.names, self.line.name: player}):
                rest = AskNext(self.line, self.left[number:])
                return run, (Asked(player, self.line.actions), back_to(run), rest)
        return run, ()


@dataclass(frozen=True)
class Branch:
    """An `if`."""

    test: Value
    inside: Items
    other: Items

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, self.inside if self.test(run.names) else self.other


@dataclass(frozen=True)
class Loop:
    """A `for` over values known before play."""

    name: str
    values: tuple[Any, ...]
    inside: Items

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, tuple(item for value in self.values for item in (Naming(self.name, value), *self.inside))


@dataclass(frozen=True)
class Rounds:
    """A `repeat` that ends by `stop`, at its end."""

    inside: Items
    ends: Value

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, (*self.inside, Branch(self.ends, (), (self,)))


@dataclass(frozen=True)
class Naming:
    """Gives a name to a value."""

    name: str
    value: Any

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run.let(**{self.name: self.value}), ()


@dataclass(frozen=True)
class Deal:
    """A line `deal`: how many things, and to whom (a player's hand; "o", a variable for one thing; all players)."""

    count: Value
    to: Value

    def unfold(self, run: Any) -> tuple[Any, Items]:
        count = self.count(run.names)
        return run, tuple(DealTo(count, goal) for goal in self.to(run.names))


@dataclass(frozen=True)
class DealTo:
    """A deal to one."""

    count: int
    to: str

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, (Dealt(self.to, tuple(things_of(run.names["deck"])), self.count, ()),) * (self.count > 0)


@dataclass(frozen=True)
class Shuffle:
    """A line `shuffle(q)`."""

    def unfold(self, run: Any) -> tuple[Any, Items]:
        return run, (Shuffled(),) * (len(run.names["q"]) > 1)


# -- plies ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A chance step that is drawn, with the values of its first parameters."""

    step: str
    given: tuple[Any, ...]


@dataclass(frozen=True)
class Asked:
    """A player who is asked."""

    player: str
    actions: tuple[str, ...]


@dataclass(frozen=True)
class Dealt:
    """The next thing of a deal: of so many of these things, some are dealt already, in the order of their type."""

    to: str
    deck: tuple[Any, ...]
    count: int
    dealt: tuple[Any, ...]

    def outcomes(self) -> Iterator[tuple[Any, int]]:
        """The things that can be next, and the number of choices of things that go on so."""
        if self.count > len(self.deck):
            raise Fault("too few to deal")
        far = len(self.dealt)
        hands = [hand for hand in combinations(self.deck, self.count) if hand[:far] == self.dealt]
        for thing in dict.fromkeys(self.deck):
            if weight := sum(hand[far] == thing for hand in hands):
                yield thing, weight

    def after(self, run: Any, thing: Any) -> tuple[Any, Items]:
        """The run in which a thing is dealt, and what is dealt next."""
        names = dict(run.names)
        names["deck"] = {**names["deck"], thing: names["deck"][thing] - 1}
        if self.to == "o":
            names["o"] = thing
        else:
            hand = names["hand"][self.to]
            names["hand"] = {**names["hand"], self.to: {**hand, thing: hand[thing] + 1}}
        dealt = (*self.dealt, thing)
        rest = (replace(self, dealt=dealt),) if len(dealt) < self.count else ()
        return replace(run, names=names), rest


@dataclass(frozen=True)
class Shuffled:
    """The first of two elements that are shuffled."""


@dataclass(frozen=True)
class End:
    """The end of what began with an action, or with a chance step."""

    by_chance: bool


PLIES = (Drawn, Asked, Dealt, Shuffled, End)


def advance(run: Any, rest: Items) -> tuple[Any, Items]:
    """The run where a row of items has a ply for its first, and that row."""
    while not isinstance(rest[0], PLIES):
        run, first = rest[0].unfold(run)
        rest = (*first, *rest[1:])
    return run, rest


# -- heaps ----------------------------------------------------------------------------------------------------------


def things_of(heap: dict[Any, int]) -> list[Any]:
    """The things of a set, or those that an array counts, in the order of their type."""
    return [thing for thing, held in heap.items() for _ in range(held)]
