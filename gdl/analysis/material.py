"""Material: an evaluation for a file that gives none, which counts players' pieces by the declared state alone.

1. Where an array over a board says whose piece stands where, the pieces count; and where another over the same board
   says of what kind each is, those of each kind by themselves. A piece in hand (a number for each player and kind)
   counts as one on the board.
2. Each feature is a player's count less the other's. What a piece of each kind is worth is for the caller to say.
3. Play is quiet as long as both players keep the number of their pieces, those in hand included.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gdl.errors import Span
from gdl.model import core
from gdl.model.domains import Named, Optional, Part, Range, Type, members
from gdl.model.games import Feature, Quiet, RulesModel, Variable
from gdl.record import Record

MOST_KINDS = 16  # of pieces
STEPS = 100  # between the worth of no piece and of the best


class Pieces(Record):
    """The arrays by which players' pieces are counted, as indices of the model's variables."""

    owner: int  # whose piece stands on each square
    kind: int | None  # of what kind it is; None: all pieces are alike
    hands: tuple[int, ...]  # how many pieces of each kind each player has in hand
    kinds: tuple[Any, ...]  # the values of `kind`; (None,) where there is none


def find_pieces(model: RulesModel) -> Pieces | None:
    """The arrays of a game of two players by which pieces are counted; None if it has no such arrays."""
    variables = model.variables
    owner = next((i for i, array in enumerate(variables) if _says_whose(array, model)), None)
    if len(model.players) != 2 or owner is None or not model.clauses:
        return None
    for k, array in enumerate(variables):
        values = [value for value in members(array.type) if value is not None] if k != owner else []
        if array.indices == variables[owner].indices and 2 <= len(values) <= MOST_KINDS:
            hands = tuple(i for i, held in enumerate(variables) if _is_hand(held, array.type, model))
            return Pieces(owner, k, hands, tuple(values))
    return Pieces(owner, None, (), (None,))


def _says_whose(array: Variable, model: RulesModel) -> bool:
    """True if the array gives the owner of the piece on each square of a board."""
    match array.indices:
        case (Named(board=board),):
            return board is not None and holds_players(array.type, model)
    return False


def holds_players(kind: Type, model: RulesModel) -> bool:
    """True if a value of the type is a player or none."""
    item = kind.item if isinstance(kind, Optional) else None
    return isinstance(item, Named) and item.members == model.players


def _is_hand(array: Variable, kind: Type, model: RulesModel) -> bool:
    """True if the array has a number for each player and each of some kinds of pieces."""
    kind = kind.item if isinstance(kind, Optional) else kind
    match array.indices:
        case (Named(members=whose), kinds) if isinstance(array.type, Range) and whose == model.players:
            return kind == (kinds.whole if isinstance(kinds, Part) else kinds)
    return False


def with_material(model: RulesModel, pieces: Pieces, worth: Mapping[Any, float], quiet: bool) -> RulesModel:
    """The game with an evaluation by material, where the best piece on all squares of the board would be worth half a
    win, and with the number that quiet play keeps, if that is wanted."""
    span, size = model.clauses[0].span, len(model.variables[pieces.owner].initial)
    features, totals = list[Feature](), [list[core.Expression](), list[core.Expression]()]
    for kind in pieces.kinds:
        own, other = counts = [_count(model, pieces, player, kind, span) for player in range(2)]
        lead = core.Arithmetic("-", own, other, span)
        weight = Fraction(round(STEPS * worth[kind] / max(worth.values())), 2 * STEPS * size)
        features.append(Feature(weight, (lead, core.Arithmetic("-", core.Const(0), lead, span)), 1, str(kind), span))
        for total, count in zip(totals, counts, strict=True):
            total.append(count)
    first, second = (core.join_operands("+", total, span) for total in totals)
    both = core.Arithmetic("+", core.Arithmetic("*", first, core.Const(size + 1), span), second, span)
    return model.copy_with(features=tuple(features), quiet=Quiet(both, 1, span) if quiet else None)


def _count(model: RulesModel, pieces: Pieces, player: int, kind: Any, span: Span) -> core.Expression:
    """An expression for the number of a player's pieces of a kind, on the board and in hand."""

    def element_at(array: int) -> core.Element:
        return core.Element(array, (core.Local(0),), True, span)

    holds: core.Expression = core.Comparison("=", element_at(pieces.owner), core.Const(player), span)
    if pieces.kind is not None:
        holds = core.All((holds, core.Comparison("=", element_at(pieces.kind), core.Const(kind), span)))
    board = core.Const(range(len(model.variables[pieces.owner].initial)))
    parts: list[core.Expression] = [core.Quantifier("count", 0, board, None, holds, span)]
    hands = [hand for hand in pieces.hands if kind in members(model.variables[hand].indices[1])]
    parts += [core.Element(hand, (core.Const(player), core.Const(kind)), False, span) for hand in hands]
    return core.join_operands("+", parts, span)
