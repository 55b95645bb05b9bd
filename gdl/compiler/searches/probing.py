"""A game joined with a table of it: kernel code for which positions end where the table has them.

The table may be of a part of the game alone, from another start: what it is known by are the rules (`tables.rules_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from gdl.compiler.ir.module import Module
from gdl.compiler.ir.reader import read
from gdl.compiler.ir.renaming import rename_in_module
from gdl.compiler.joining import kernel
from gdl.compiler.lower import Lowered
from gdl.compiler.searches.principal_variation import utility_bounds
from gdl.compiler.searches.retrograde_tables import RetrogradeTable
from gdl.errors import Refusal

NEAR_BYTES = 1 << 27  # of a table that lies beside everything else
_ARRAYS = ("keys", "slots", "values")
_BY_RULES = {name: f"rules_{name}" for name in ("status", "status_after")}


def lower_with_table(table: RetrogradeTable) -> Lowered:
    """The game of the table, in which the positions of the table are ends. Raises Refusal if the table's values are not
    exact, or such as the rules alone never give."""
    lowered = table.lowered
    if table.has_chance or lowered.keys is not None:
        raise Refusal("a table of a game with chance, or with rules that ask for earlier positions, is not for it")
    probe = kernel(
        "probing",
        SOLVED_SECOND=size(table) > NEAR_BYTES,
        SOLVED_FOLDED=table.images > 1,
        SOLVED_TURNS=table.has_exchanged_players is not None,
        SOLVED_TURNED=bool(table.has_exchanged_players),
        SOLVED_STATES=table.states,
        SOLVED_POSITIONS=table.positions,
        SOLVED_SLOTS=table.slots,
        SOLVED_TAGS=-(table.mask + 1),
        SOLVED_UTILITIES=len(table.utility),
        SOLVED_WIDE=lowered.wide,
        SOLVED_MAXIMISER=table.maximiser,
        SOLVED_ALONE=table.total is None,
        SOLVED_TOTAL=0 if table.total is None else _over(table.total, lowered.denominator),
    )
    module = rename_in_module(lowered.module, _BY_RULES)
    return replace(
        lowered,
        module=module,
        further=(*lowered.further, _packing(table), *probe.parts),
        fill=partial(_fill, table, _whole(table), lowered.fill),
    )


def _packing(table: RetrogradeTable) -> Module:
    """How the table packs states, under names of its own: a search may pack them otherwise."""
    game = table.lowered.module
    both = read([game, *table.keys]).whole()
    own = both.without(game)
    return rename_in_module(own, {name: f"solved_{name}" for name in own.names})


def size(table: RetrogradeTable) -> int:
    """The bytes that the table takes in the memory of a search."""
    return 8 * table.words * table.states + 4 * table.slots + 2 * table.positions


def _fill(
    table: RetrogradeTable,
    utilities: Sequence[int],
    before: Callable[[Mapping[str, Any]], None] | None,
    module: Mapping[str, Any],
) -> None:
    """Put the table into a module, after what is put there without it. Raises DamagedData where it is not what was
    written."""
    if before is not None:
        before(module)
    for name in _ARRAYS:
        table.copy(name, module[f"solved_{name}"])
    for place, utility in enumerate(utilities):
        module["solved_utility"][place] = utility


def _whole(table: RetrogradeTable) -> list[int]:
    """MAX's utilities over the game's denominator."""
    least, greatest = utility_bounds(table.game.model)
    if table.maximiser == 1 and table.total is not None:
        least, greatest = (None if bound is None else table.total - bound for bound in (greatest, least))
    for number in table.utility:
        if (least is not None and number < least) or (greatest is not None and number > greatest):
            raise Refusal("endless play is worth more or less there than every end")
    return [_over(number, table.lowered.denominator) for number in table.utility]


def _over(number: Any, denominator: int) -> int:
    found = Fraction(number) * denominator
    if found.denominator != 1 or abs(found) >= 1 << 31:
        raise Refusal("its values are no small multiples of what the rules count in")
    return int(found)
