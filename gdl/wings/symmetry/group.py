"""The symmetries of a game as permutations of its positions, and the group they generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gdl.interpreter.closures import FIRST_CELL, MOVER
from gdl.interpreter.rules_game import State
from gdl.model.domains import Named, Optional, SetType, Type, elements
from gdl.model.games import RulesModel
from gdl.wings.symmetry.automorphisms import Renaming, search
from gdl.wings.symmetry.rule_terms import MOST_WORK, PLAYER, write_out
from gdl.wings.symmetry.symbolic_values import NotWritten
from gdl.wings.symmetry.terms import Terms, TermsTooLarge

MOST_TRIED = 64  # ways to combine an exchange with other symmetries
Names = Mapping[int, int]  # ordinal of a value -> that of its image; only those that change


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A symmetry as a permutation of positions: for each cell, the cell to which its value moves; for each value, its
    new name; for each player, the image."""

    cells: tuple[int, ...]  # for each cell from FIRST_CELL on, the cell that gets its value
    names: tuple[tuple[bool, Names], ...]  # for each cell, True if it holds a set, and the new names of values
    players: tuple[int, ...]

    def image(self, state: State) -> State:
        """The image of a position. For games where everyone sees everything and nothing asks for earlier positions."""
        cells = list(state.cells)
        for at, (to, (many, names)) in enumerate(zip(self.cells, self.names, strict=True), FIRST_CELL):
            value = state.cells[at]
            if names and value is not None:
                value = sum(1 << names.get(m, m) for m in elements(value)) if many else names.get(value, value)
            cells[to] = value
        cells[MOVER] = self.players[state.cells[MOVER]]
        return State(self.players[state.turn] if state.turn >= 0 else state.turn, tuple(cells), state.memories)

    @property
    def mark(self) -> object:
        """A key that distinguishes the symmetry from others of the same game."""
        return self.cells, self.players, tuple([tuple(sorted(names.items())) for _, names in self.names])

    @property
    def trivial(self) -> bool:
        """True if this is the identity."""
        stays = all(to == at for at, to in enumerate(self.cells, FIRST_CELL)) and not any(n for _, n in self.names)
        return stays and self.players == tuple(range(len(self.players)))

    def to_json(self) -> list[Any]:
        """The symmetry as data that can be written as JSON; `read` reads it back."""
        names = [[many, sorted(names.items())] for many, names in self.names]
        return [list(self.cells), names, list(self.players)]

    @staticmethod
    def read(written: Any) -> Symmetry:
        """The symmetry from the data that `to_json` makes."""
        cells, names, players = written
        return Symmetry(tuple(cells), tuple([(many, dict(pairs)) for many, pairs in names]), tuple(players))

    def then(self, other: Symmetry) -> Symmetry:
        """The symmetry that does this one first, then the other."""
        names = []
        for to, (many, own) in zip(self.cells, self.names, strict=True):
            later = other.names[to - FIRST_CELL][1]
            joined = {v: later.get(own.get(v, v), own.get(v, v)) for v in {*own, *later}}
            names.append((many, {v: name for v, name in joined.items() if v != name}))
        return Symmetry(
            tuple([other.cells[to - FIRST_CELL] for to in self.cells]),
            tuple(names),
            tuple([other.players[player] for player in self.players]),
        )

    def utilities(self, utilities: Sequence[Any]) -> tuple[Any, ...]:
        """The utilities in the image of a position, from those in the position: each goes to the player's image."""
        paid = list(utilities)
        for player, image in enumerate(self.players):
            paid[image] = utilities[player]
        return tuple(paid)


@dataclass(frozen=True, slots=True)
class Symmetries:
    """The symmetries found: generators of those that keep every player in their part (`keeping`), and further ones that
    exchange players. `kept` and `order` count the symmetries that the first, and that all of them generate, the
    identity included."""

    keeping: tuple[Symmetry, ...] = ()
    exchanging: tuple[Symmetry, ...] = ()
    kept: int = 1
    order: int = 1
    missing: str = ""  # why some symmetries may be missing; "" if none are


def generate_group(symmetries: Sequence[Symmetry], most: int) -> tuple[Symmetry, ...]:
    """All symmetries that the given ones generate, without the identity. If these are more than `most`, only as many
    generators are used, from the first on, as make a group that is small enough."""
    group: dict[object, Symmetry] = {}
    generators: list[Symmetry] = []
    for symmetry in symmetries:
        if symmetry.mark not in group:
            larger = _close_group([*generators, symmetry], most)
            if larger is None:
                break
            group = larger
            generators.append(symmetry)
    return tuple(group.values())


def widen_by_exchange(group: tuple[Symmetry, ...], found: Symmetries) -> tuple[Symmetry, ...]:
    """The group, all of whose symmetries keep the players, made twice as large by a symmetry that exchanges them;
    unchanged if there is none that fits. The identity is left out."""
    marks = {one.mark for one in group}
    for first in found.exchanging:
        for exchange in (first, *[first.then(one) for one in generate_group(found.keeping, MOST_TRIED)]):
            others = (exchange, *[one.then(exchange) for one in group])
            turned = {one.mark for one in others}
            twice = exchange.then(exchange)
            if (twice.trivial or twice.mark in marks) and all(exchange.then(one).mark in turned for one in group):
                return (*group, *others)
    return group


def _close_group(generators: Sequence[Symmetry], most: int) -> dict[object, Symmetry] | None:
    """The symmetries that the generators generate, by their marks, without the identity; None if the group has more
    than `most` members."""
    group: dict[object, Symmetry] = {}
    work = list(generators)
    while work:
        symmetry = work.pop()
        if symmetry.mark in group or symmetry.trivial:
            continue
        group[symmetry.mark] = symmetry
        if len(group) >= most:
            return None
        work += [symmetry.then(generator) for generator in generators]
    return group


def find_symmetries(model: RulesModel, work: int = MOST_WORK) -> Symmetries:
    """The symmetries of a game's rules, each proven. `work` limits the rules' length when they are written out."""
    try:
        terms, root = write_out(model, work)
    except NotWritten as reason:
        return Symmetries(missing=f"its rules have {reason}")
    except TermsTooLarge:
        return Symmetries(missing="its rules are too long when they are written out square by square")
    found = search(terms, root, PLAYER)
    keeping, others = (
        tuple(symmetry_of(model, terms, renaming) for renaming in group) for group in (found.keeping, found.others)
    )
    missing = "" if found.complete else "the search was given up after much work"
    return Symmetries(keeping, others, found.kept, found.order, missing)


def symmetry_of(model: RulesModel, terms: Terms, renaming: Renaming) -> Symmetry:
    """The symmetry of positions that a renaming of leaves stands for. Cells and values that the rules do not use stay
    as they are."""
    cells: dict[int, int] = {}
    names: dict[str, dict[int, int]] = {}
    for leaf, image in renaming.items():
        operator, (kind, at), _ = terms.keys[leaf]
        to = terms.keys[image][1][1]
        if operator in ("cell", "set"):
            cells[at] = to
        elif operator == "value" and at != to:
            names.setdefault(kind, {})[at] = to
    return symmetry_from(model, cells, names)


def symmetry_from(model: RulesModel, cells: Mapping[int, int], names: Mapping[str, Names]) -> Symmetry:
    """The symmetry that moves the values of these cells to others (the rest stays), and gives the values of these named
    types other names."""
    places = [(variable.place + i, variable.type) for variable in model.variables for i in range(len(variable.initial))]
    players = names.get(PLAYER, {})
    return Symmetry(
        tuple([cells.get(place, place) for place, _ in places]),
        tuple([(isinstance(type, SetType), _names_of(type, names)) for _, type in places]),
        tuple([players.get(p, p) for p in range(len(model.players))]),
    )


def _names_of(type: Type, names: Mapping[str, Names]) -> Names:
    inner = type.item if isinstance(type, Optional | SetType) else type
    return names.get(inner.name, {}) if isinstance(inner, Named) else {}
