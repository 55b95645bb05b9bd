"""Files with a learned evaluation, `.safetensors`: tables of patterns with the places of their numbers, or a
net of values that an earlier gdl learned.

A file belongs to the rules by which it was learned, whose fingerprint it holds; the start position and the game's own
evaluation do not matter. Nothing in a file is trusted: every index in it is checked to lie in range.
"""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

from gdl.errors import DamagedData, WrongRequest, clean
from gdl.formats.files import read_within
from gdl.formats.game_files import shipped_weights
from gdl.game import Number, exact
from gdl.model.fingerprint import rules_fingerprint
from gdl.model.games import Model, RulesModel
from gdl.wings.learning import tensors
from gdl.wings.learning.learned import Inputs, Scale, Tables, reads_of, sides_of
from gdl.wings.learning.value_net import KIND, ValueNet, ranks_actions, read_net

FORMAT = "gdl 1"
LARGEST_NUMBER = 1e12
_INPUTS = ("start", "member", "base", "sign", "where", "step")


def encode_learned(
    learned: Tables, model: RulesModel, texts: Mapping[str, str],
    further: Mapping[str, array[Any]] | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a file with the learned evaluation, `texts` and `further` arrays. Learned numbers are rounded to 32
    bits, unless there are further arrays (an unfinished training), then they are exact."""
    about = {
        "format": FORMAT,
        "model": learned.kind,
        "game": clean(model.name)[:200],
        "rules": rules_fingerprint(model),
    }
    scale = learned.scale
    arrays = {name: getattr(learned.inputs, name) for name in _INPUTS}
    arrays["table"] = array("f", learned.table) if further is None else learned.table
    about |= {
        "middle": scale.middle.hex(), "half": scale.half.hex(), "bounded": str(int(scale.bounded)),
        "total": "" if scale.total is None else str(scale.total), "outputs": str(learned.outputs), **texts,
    }  # fmt: skip
    return tensors.encode_tensors({**arrays, **(further or {})}, about)


def attach_evaluation(model: Model, data: bytes, name: str) -> RulesModel:
    """The model with the learned evaluation in a file's bytes in place of its own; `name` is the file's name in
    messages. Raises DamagedData if the file is damaged, or belongs to another game."""
    arrays, texts = tensors.read(data, name)
    learned = read(model, arrays, texts, name)
    assert isinstance(model, RulesModel)
    return model.copy_with(features=(), learned=learned)


def read_weights(model: Model, file: str) -> RulesModel:
    """The model with the evaluation of a file that `gdl learn` wrote. Raises WrongRequest where there is no such file,
    DamagedData where it is none."""
    if not Path(file).is_file():
        raise WrongRequest(f"there is no file '{clean(file)}'", help="gdl learn writes one")
    data = read_within(file, tensors.LARGEST)
    if not tensors.is_such(data):
        own = "weights of your own are written behind evaluate, in the game's file"
        raise DamagedData(f"{clean(file)} was not written by gdl learn; {own}")
    return attach_evaluation(model, data, file)


def shipped_evaluation(model: RulesModel) -> RulesModel | None:
    """The model with the weights that ship with its game; None if there are none for these rules and this
    evaluation."""
    file = shipped_weights().get(model.name.lower().replace(" ", "_"))
    if file is None or model.learned is not None:
        return None
    data = gzip.decompress(file.read_bytes())
    if tensors.read(data, file.name)[1].get("evaluation") != rules_fingerprint(model, with_evaluation=True):
        return None
    return attach_evaluation(model, data, file.name)


def read(model: Model, arrays: Mapping[str, Any], texts: Mapping[str, str], name: str) -> Tables | ValueNet:
    """The evaluation in a file's arrays and texts. Raises DamagedData as `attach_evaluation` does."""
    if ranks_actions(texts):
        raise DamagedData(
            f"{clean(name)} holds a net that leads a search, a model that gdl no longer has: learn weights by "
            "gdl learn GAME --model tuples; gdl.make_vec has the positions for a net of your own"
        )
    if texts.get("format") != FORMAT:
        raise DamagedData(f"{clean(name)} was not written by gdl learn, or by another version of it")
    if texts.get("model") == "patterns":
        raise DamagedData(f"{clean(name)} holds patterns for random play, a model that gdl no longer has")
    if not isinstance(model, RulesModel) or texts.get("rules") != rules_fingerprint(model):
        other = f"; it was learned of {clean(texts.get('game', ''))}" if texts.get("game") else ""
        raise DamagedData(f"{clean(name)} is of no use: {clean(model.name)} has other rules{other}")
    found: Tables | ValueNet
    try:
        scale, outputs = _scale(texts), int(texts["outputs"])
        if texts["model"] == KIND:
            found = read_net(model, arrays, texts, scale)
            numbers, sound = found.weight, found.is_sound
        else:
            inputs = _inputs(model, arrays, outputs)
            found = Tables(inputs, scale, array("d", arrays["table"]))
            numbers, sound = found.table, _is_sound(inputs) and len(found.table) == inputs.entries
    except (KeyError, ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise DamagedData(f"{clean(name)} is damaged: something is missing in it, or of no meaning") from None
    if not sound or any(abs(number) > LARGEST_NUMBER for number in numbers):
        raise DamagedData(f"{clean(name)} is damaged: its tables do not fit together")
    if (scale.total is None) != (outputs == len(model.players)) and len(model.players) > 1:
        raise DamagedData(f"{clean(name)} is damaged: its players do not fit together")
    return found


def _scale(texts: Mapping[str, str]) -> Scale:
    middle, half = float.fromhex(texts["middle"]), float.fromhex(texts["half"])
    if not (isfinite(middle) and isfinite(half) and half > 0):
        raise ValueError
    total: Number | None = exact(Fraction(texts["total"])) if texts["total"] else None
    scale = Scale(middle, half, texts["bounded"] == "1", total)
    if not scale.fits:
        raise ValueError
    return scale


def _inputs(model: RulesModel, arrays: Mapping[str, Any], outputs: int) -> Inputs:
    held = {name: arrays[name] for name in _INPUTS}
    if any(part.typecode != "i" for part in held.values()) or not 1 <= outputs <= len(model.players):
        raise ValueError
    players, sides = len(model.players), sides_of(model)
    return Inputs(players, sides, outputs, reads_of(model), **held, entries=len(arrays["table"]))


def _is_sound(inputs: Inputs) -> bool:
    """True if all indices in the patterns are in range, and the lists have matching lengths."""
    cells, slots = len(inputs.sizes), inputs.outputs * inputs.sides
    lengths = (len(inputs.base), len(inputs.sign), len(inputs.where))
    count, members = inputs.patterns, len(inputs.member)
    if lengths != (slots * count, slots * count, slots * members) or count < 0:
        return False
    starts = list(inputs.start)
    if starts[:1] != [0] or starts[-1] != members or any(a > b for a, b in pairwise(starts)):
        return False
    if not all(0 <= cell < cells for cell in inputs.member) or not all(sign in (-1, 1) for sign in inputs.sign):
        return False
    return all(_slot_is_sound(inputs, slot, starts) for slot in range(slots * count))


def _slot_is_sound(inputs: Inputs, slot: int, starts: Sequence[int]) -> bool:
    row, pattern = divmod(slot, inputs.patterns)
    low = high = inputs.base[slot]
    for k in range(starts[pattern], starts[pattern + 1]):
        at, size = inputs.where[row * len(inputs.member) + k], inputs.sizes[inputs.member[k]]
        steps = inputs.step[at : at + size] if at >= 0 else ()
        if len(steps) < size:
            return False
        low, high = low + min(steps), high + max(steps)
    return low >= 0 and high < inputs.entries
