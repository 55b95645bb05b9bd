"""A game joined with a table of its solved positions: kernel code for which these positions are ends.

The table may be of a part of the game alone, from another start: it fits if the rules are the same
(`rules_key`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from gdl.compiler.ir.module import Module
from gdl.compiler.ir.reader import read
from gdl.compiler.ir.walks import rename_in_module
from gdl.compiler.joining import kernel
from gdl.compiler.lower import Lowered
from gdl.compiler.searches.principal_variation import utility_bounds
from gdl.errors import Refusal
from gdl.wings.tables.table_files import RetrogradeTable

NEAR_BYTES = 1 << 27  # bytes of a table up to which it lies in a module's first memory
_ARRAYS = ("keys", "slots", "values")
_BY_RULES = {name: f"rules_{name}" for name in ("status", "status_after")}


def lower_with_table(table: RetrogradeTable) -> Lowered:
    """The game of the table, lowered so that the positions of the table are ends. Raises Refusal if the table's values
    are not exact, or not such as ends could pay by the rules."""
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
        SOLVED_TOTAL=0 if table.total is None else _numerator(table.total, lowered.denominator),
    )
    module = rename_in_module(lowered.module, _BY_RULES)
    return replace(
        lowered,
        module=module,
        further=(*lowered.further, _packing(table), *probe.parts),
        fill=partial(_fill, table, _numerators(table), lowered.fill),
    )


def _packing(table: RetrogradeTable) -> Module:
    """The kernel code that packs states as the table does, under names of its own, since a search may pack them
    otherwise."""
    game = table.lowered.module
    both = read([game, *table.keys]).read_all()
    own = both.declarations_beyond(game)
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
    """Write the table into a module, after `before`, which writes what the module has without it. Raises DamagedData if
    a file of the table is damaged."""
    if before is not None:
        before(module)
    for name in _ARRAYS:
        table.copy(name, module[f"solved_{name}"])
    for place, utility in enumerate(utilities):
        module["solved_utility"][place] = utility


def _numerators(table: RetrogradeTable) -> list[int]:
    """The utilities of MAX as numerators over the game's denominator, in the order of their places. Raises Refusal if
    one lies outside the bounds that ends have, as only endless play can pay it."""
    least, greatest = utility_bounds(table.game.model)
    if table.maximiser == 1 and table.total is not None:
        least, greatest = (None if bound is None else table.total - bound for bound in (greatest, least))
    for number in table.utility:
        if (least is not None and number < least) or (greatest is not None and number > greatest):
            raise Refusal("endless play is worth more or less there than every end")
    return [_numerator(number, table.lowered.denominator) for number in table.utility]


def _numerator(number: Any, denominator: int) -> int:
    found = Fraction(number) * denominator
    if found.denominator != 1 or abs(found) >= 1 << 31:
        raise Refusal("its values are no small multiples of what the rules count in")
    return int(found)
