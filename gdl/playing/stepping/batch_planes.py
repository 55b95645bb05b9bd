"""Observations of many plays in one array, read from the words of their states without a loop over the plays.

Each number of an observation is a column of what can be said of a state: whose turn it is, whether an element of a
variable has a value (or its share of the range), whether a set has a member, whether something is hidden. A table says
for each player which columns they see, another which column each number of the planes is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gdl.compiler.lower.state_layout import Layout, VariablePlace, numbers_of
from gdl.interpreter.bodies import EVERYONE
from gdl.model.domains import Optional, SetType, members, ordinal_base, size
from gdl.model.games import Variable
from gdl.playing.stepping.planes import MOST_VALUE_PLANES, RulePlanes, Spot, VariablePlanes

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Column(NamedTuple):
    """A column of a batch's features: the spot where it is shown, and the number of the element that it shows."""

    spot: Spot
    element: int
    hides: bool = False  # whether it says that the element is hidden


class BatchPlanes:
    """The observations of many states of a game by rules at once. A game with variables whose visibility depends on a
    condition must not come here (see `suits`)."""

    def __init__(self, planes: RulePlanes, layout: Layout):
        import numpy

        self.places = layout.places
        self.shape, players, cells = planes.shape, range(len(planes.game.players)), planes.grid.cells
        squares = planes.grid.places
        columns, sees = [Column(Spot(p, None), 0) for p in players], [[True] * len(players) for _ in players]
        for place, shown in zip(layout.places, planes.shown, strict=True):
            own = list(_columns(place, shown, squares))
            columns += own
            for player in players:
                seen = [is_seen(place.variable, column.element, player, len(players)) for column in own]
                sees[player] += [one is not column.hides for one, column in zip(seen, own, strict=True)]
        self._sees = numpy.array(sees, numpy.float32)
        self._sees_all = bool(self._sees.all())
        shown_by = numpy.full((len(planes.legend), cells), len(columns))
        for number, column in enumerate(columns):
            shown_by[column.spot.plane, slice(None) if column.spot.cell is None else column.spot.cell] = number
        self._shown_by = shown_by.reshape(-1)

    @property
    def numpy(self) -> Any:  # a module cannot be pickled
        import numpy

        return numpy

    def observe(self, words: NDArray[Any], players: NDArray[Any]) -> NDArray[Any]:
        """The views of players, as an array of floats (states, planes, and rows and columns if there is a board). Row k
        of `words` is a state, `players[k]` the player who sees it."""
        numpy, turn = self.numpy, words[:, :1]
        everybody = numpy.arange(len(self._sees))
        found = [(turn == everybody) | (turn == EVERYONE)]
        for place in self.places:
            found += self._read(words, place)
        columns = numpy.concatenate([*found, numpy.zeros((len(words), 1))], axis=1, dtype=numpy.float32)
        if not self._sees_all:
            columns[:, :-1] *= self._sees[players]
        made: NDArray[Any] = columns[:, self._shown_by].reshape(len(words), *self.shape)
        return made

    def _read(self, words: NDArray[Any], place: VariablePlace) -> Iterator[NDArray[Any]]:
        """The columns of a variable, in the order of `_columns`, as arrays with a row for each state."""
        type, numpy = place.variable.type, self.numpy
        if place.is_set:
            for element in range(place.count):
                yield self._bits(words, 2 * place.long + element * place.each, place.members)[:, _base(place) :]
        else:
            held = self._numbers(words, place)
            if size(type) <= MOST_VALUE_PLANES:
                yield from (held == number for number in numbers_of(type, members(type)))
            else:
                values = members(type.item if isinstance(type, Optional) else type)
                low, none = int(values[0]), isinstance(type, Optional)
                lacks = (held == place.missing) if none else numpy.zeros(held.shape, bool)
                yield numpy.where(lacks, 0, (held - low) / (len(values) - 1))
                if none:
                    yield lacks
        if place.variable.visibility.kind != "all":
            yield numpy.ones((len(words), place.count), bool)

    def _numbers(self, words: NDArray[Any], place: VariablePlace) -> NDArray[Any]:
        """The values of a variable's elements as numbers, an array of states by elements."""
        if place.offset is not None:
            return words[:, place.offset : place.offset + place.count]
        found: NDArray[Any] = self.numpy.full((len(words), place.count), place.background)
        for value in place.values:
            found += (value - place.background) * self._bits(words, 2 * place.plane_of(value), place.count)
        return found

    def _bits(self, words: NDArray[Any], first: int, count: int) -> NDArray[Any]:
        """`count` bits of each play, from the word `first` of 32 bits on."""
        bit = self.numpy.arange(count)
        found: NDArray[Any] = (words[:, first + bit // 32] >> (bit % 32)) & 1
        return found


def _base(place: VariablePlace) -> int:
    """The least ordinal that a member of the variable's sets can have."""
    assert isinstance(place.variable.type, SetType)
    return ordinal_base(place.variable.type.item)


def suits(planes: RulePlanes) -> bool:
    """True if what players see depends on no condition."""
    return all(v.visibility.kind in ("all", "none", "owner") for v in planes.game.model.variables)


def is_seen(variable: Variable, element: int, player: int, players: int) -> bool:
    """True if a player, one of `players`, sees an element of a variable."""
    kind = variable.visibility.kind
    return kind == "all" or (kind == "owner" and element // (len(variable.initial) // players) == player)


def _columns(place: VariablePlace, shown: VariablePlanes, squares: Sequence[int]) -> Iterator[Column]:
    """The columns of a variable, each with the spot where it is shown."""
    type, spots = place.variable.type, tuple(enumerate(shown.spots))
    if place.is_set:
        for element, spot in spots:
            for member in range(place.members - _base(place)):
                at = Spot(spot.plane, squares[member]) if shown.on_squares else Spot(spot.plane + member, spot.cell)
                yield Column(at, element)
    else:
        kinds = size(type) if size(type) <= MOST_VALUE_PLANES else 1 + isinstance(type, Optional)
        for plane in range(kinds):
            yield from (Column(Spot(spot.plane + plane, spot.cell), element) for element, spot in spots)
    if place.variable.visibility.kind != "all":
        yield from (Column(spot, element, True) for element, spot in enumerate(shown.hidden))
