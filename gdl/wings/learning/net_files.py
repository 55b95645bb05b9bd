"""The part of a file that only a learned net has: its weights, the views of the players, the numbering of actions."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

from gdl.model.games import RulesModel
from gdl.wings.learning.learned import Scale, reads_of
from gdl.wings.learning.network import Net, Run, Views
from gdl.wings.programs.action_digits import Digits

FORMAT_WITH_RUNS = "gdl 2"  # of files with runs of cells, which older versions of gdl could not read,
FORMAT_BY_STEPS = "gdl 3"  # and of those with rows for steps of actions
MOST_UNITS = 512
MOST_SLOTS = 1 << 16
MOST_TOTAL = 1 << 62
MOST_CONTENTS = 1 << 12  # of a run of cells
_VIEWS = ("row", "slot", "part")


def texts_of(net: Net) -> dict[str, str]:
    """The texts in a file that describe the sizes of a net."""
    own = {"units": str(net.units), "slots": str(net.slots), "actions": str(net.total)}
    if net.by_steps:
        return own | {"format": FORMAT_BY_STEPS}
    return own | {"format": FORMAT_WITH_RUNS} if net.runs else own


def shares_rows(texts: Mapping[str, str]) -> bool:
    """True if a file holds a net of former versions of gdl, in which several actions had one row."""
    return texts.get("model") == Net.kind and int(texts["actions"]) >= int(texts["slots"])


def arrays_of(net: Net, exact: bool) -> dict[str, array[Any]]:
    """The arrays of a net in a file; weights are rounded to 32 bits unless `exact`."""
    digits = array("i")
    for block in net.digits:
        digits.extend((block.rule, block.words, len(block.strides), block.first, *block.strides))
    views = {name: getattr(net.views, name) for name in _VIEWS}
    runs = array("i", (number for run in net.runs for number in (run.kind, len(run.cells), *run.cells)))
    return {**views, "digits": digits, "runs": runs, "weight": net.weight if exact else array("f", net.weight)}


def read(model: RulesModel, arrays: Mapping[str, Any], texts: Mapping[str, str], scale: Scale) -> Net:
    """The net in a file's arrays and texts. Raises ValueError or KeyError if they hold none."""
    held = {name: arrays[name] for name in (*_VIEWS, "digits")}
    if any(part.typecode != "i" for part in held.values()) or arrays["weight"].typecode not in "fd":
        raise ValueError
    players, outputs = len(model.players), int(texts["outputs"])
    units, slots, total = int(texts["units"]), int(texts["slots"]), int(texts["actions"])
    if not (8 <= units <= MOST_UNITS and units % 8 == 0 and 1 <= slots <= MOST_SLOTS and 0 <= total < MOST_TOTAL):
        raise ValueError
    views = Views(held["row"], held["slot"], held["part"], array("i", range(players)))
    digits = tuple(_blocks(model, held["digits"]))
    weight = array("d", arrays["weight"])
    runs = tuple(_runs(arrays["runs"])) if "runs" in arrays else ()
    by_steps = texts["format"] == FORMAT_BY_STEPS
    sound = {block.rule for block in digits if block.words and 0 <= block.first < slots}
    if by_steps and sound != set(range(len(model.actions))):
        raise ValueError
    return Net(players, outputs, units, reads_of(model), digits, total, slots, views, scale, weight, runs, by_steps)


def _runs(numbers: Sequence[int]) -> Iterator[Run]:
    at = 0
    while at < len(numbers):
        kind, count = numbers[at : at + 2]
        yield Run(kind, tuple(numbers[at + 2 : at + 2 + count]))
        at += 2 + max(0, count)


def _blocks(model: RulesModel, numbers: Sequence[int]) -> list[Digits]:
    found, at = [], 0
    while at < len(numbers):
        rule, words, count, first = numbers[at : at + 4]
        strides = tuple(numbers[at + 4 : at + 4 + count])
        if not 0 <= rule < len(model.actions) or not 0 <= words <= count or len(strides) < count:
            raise ValueError
        if count - words != len(model.actions[rule].parameters):
            raise ValueError
        found.append(Digits(rule, words, first, strides))
        at += 4 + count
    if len({(block.rule, block.words) for block in found}) < len(found):
        raise ValueError
    return found


def is_sound(net: Net) -> bool:
    """True if all indices of the net's views are in range, and the lists have matching lengths."""
    if not _runs_are_sound(net):
        return False
    players, views, classes = net.players, net.views, sum(net.sizes)
    lengths = (len(views.row), len(views.slot), len(views.part), len(net.weight))
    if lengths != (players * classes, players * net.slots, players * players, net.rows * net.units):
        return False
    if not all(-1 <= row < net.inputs for row in views.row) or not all(0 <= slot < net.slots for slot in views.slot):
        return False
    parts = [views.part[view * players : (view + 1) * players] for view in range(players)]
    return all(sorted(part) == list(range(players)) for part in parts)


def _runs_are_sound(net: Net) -> bool:
    """True if the cells of the net's runs exist, and runs of one kind have equally many contents, few enough."""
    if not all(run.cells and min(run.cells) >= 0 and max(run.cells) < len(net.cell_sizes) for run in net.runs):
        return False
    contents = [(run.kind, prod(net.cell_sizes[cell] for cell in run.cells)) for run in net.runs]
    kinds = dict(contents)
    return sorted(kinds) == [*range(len(kinds))] and all(
        1 < size == kinds[kind] <= MOST_CONTENTS for kind, size in contents
    )
