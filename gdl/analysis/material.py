"""Material: an evaluation for a file that gives none, which counts players' pieces by the declared state alone.

1. Where an array over a board says whose piece stands where, the pieces count; and where another over the same board
   says of what kind each is, those of each kind by themselves.
2. Of an array of numbers for each player, such as pieces in hand, each number counts.

Each feature is a player's count less the other's. The weights of the features must be learned.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gdl.errors import Span
from gdl.model import core
from gdl.model.domains import Named, Optional, Range, Type, members, text_of
from gdl.model.games import Feature, RulesModel, Variable

MOST_KINDS = 16  # of pieces
MOST_FEATURES = 40

Own = tuple[str, core.Expression, core.Expression]  # a name, and the counts of the first and of the second player


def with_material(model: RulesModel) -> RulesModel | None:
    """The game with an evaluation by material, whose weights are all 0; None if the game has an evaluation already, or
    no pieces to count."""
    if len(model.players) != 2 or model.features or model.learned is not None or not model.clauses:
        return None
    span = model.clauses[0].span
    owner = next((i for i, array in enumerate(model.variables) if _says_whose(array, model)), None)
    if owner is None:
        return None
    found = [*_pieces(model, owner, span), *_player_numbers(model, span)]
    if len(found) > MOST_FEATURES:
        return None
    features = tuple(_feature(*own, span) for own in found)
    return model.copy_with(features=features)


def _says_whose(array: Variable, model: RulesModel) -> bool:
    """True if the array gives the owner of the piece on each square of a board."""
    match array.indices:
        case (Named(board=board),):
            return board is not None and _is_players(array.type, model)
    return False


def _is_players(kind: Type, model: RulesModel) -> bool:
    """True if a value of the type is a player or none."""
    item = kind.item if isinstance(kind, Optional) else None
    return isinstance(item, Named) and item.members == model.players


def _values(kind: Type) -> list[object]:
    """The kinds that a piece may have, without `none`."""
    return [value for value in members(kind) if value is not None]


def _pieces(model: RulesModel, owner: int, span: Span) -> Iterator[Own]:
    """For each kind of piece its name, and expressions for how many the first and the second player have."""
    array = model.variables[owner]
    own = [core.Comparison("=", _at(owner, span), core.Const(player), span) for player in range(2)]
    kinds = [k for k, other in enumerate(model.variables) if k != owner and other.indices == array.indices]
    for k in kinds:
        values = _values(model.variables[k].type)
        if 2 <= len(values) <= MOST_KINDS:
            for value in values:
                is_kind = core.Comparison("=", _at(k, span), core.Const(value), span)
                first, second = (_count(array, core.All((is_own, is_kind)), span) for is_own in own)
                yield f"{model.variables[k].name} {text_of(model.variables[k].type, value)}", first, second
            return
    yield array.name, _count(array, own[0], span), _count(array, own[1], span)


def _player_numbers(model: RulesModel, span: Span) -> Iterator[Own]:
    """For each number that an array has for a player its name, and expressions for the first player's number and the
    second's."""
    for number, variable in enumerate(model.variables):
        if not variable.indices or not isinstance(variable.type, Range):
            continue
        whose, *rest = variable.indices
        if isinstance(whose, Named) and whose.members == model.players:
            for place in product(*map(members, rest)):
                own, other = (
                    core.Element(number, tuple(map(core.Const, (player, *place))), False, span) for player in range(2)
                )
                yield " ".join((variable.name, *map(str, place))), own, other


def _at(array: int, span: Span) -> core.Element:
    """The element of an array on the square that is being counted."""
    return core.Element(array, (core.Local(0),), True, span)


def _count(array: Variable, holds: core.Expression, span: Span) -> core.Quantifier:
    """An expression for the number of squares of a board for which a condition holds."""
    return core.Quantifier("count", 0, core.Const(range(len(array.initial))), None, holds, span)


def _feature(text: str, own: core.Expression, other: core.Expression, span: Span) -> Feature:
    """A feature that gives each player their own number less the other's."""
    first, second = (core.Arithmetic("-", *pair, span) for pair in ((own, other), (other, own)))
    return Feature(0, (first, second), 1, text, span)
