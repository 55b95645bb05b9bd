"""Tables of solved games: the results of retrograde analysis, as flat arrays in a folder, and the reading of them.

A folder holds the arrays as they lie in memory, in the order of the states' numbers, and `manifest.json`, which is
written last: the format, the game, a key of its rules, sizes, utilities, and a checksum of every block of every array.
A folder without a manifest is no table. A block is checked when it is first read, so that damage is reported, and no
wrong value is given. A state is found as the enumeration finds it: by its key's hash, in the table of numbers. Where
symmetric states are one, the manifest holds the symmetries, and a state is folded before it is looked for. Where these
exchange the players, a state has two values: what it is worth to MAX in either role.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any
from zlib import crc32

from gdl.compiler import python
from gdl.compiler.folding import NO_FOLDING, Folding
from gdl.compiler.lower import lower
from gdl.compiler.lower.packing import Packing, packing, unread_variables
from gdl.compiler.searches.retrograde import K, Retrograde
from gdl.compiler.searches.state_table import FEWEST_SLOTS
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files
from gdl.game import Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.fingerprint import rules_key
from gdl.numbers import read_number, to_json
from gdl.wings import hook

FORMAT = 4  # 1 had no symmetries; rules were known by the code that packs states up to 2, and in 3 by their text
MANIFEST = "manifest.json"
BLOCK = 1 << 20  # bytes that have one checksum
_TYPES = {"keys": "q", "slots": "i", "values": "h", "ranks": "h", "places": "i", "low": "d", "high": "d"}


def write(search: Retrograde, folder: Path) -> None:
    """Write the table of a finished analysis to a folder. Raises OSError if that fails."""
    if search.found[K.NUMBERS] == K.PLAIN:  # keys have places of their own, of which most may be empty
        search.module["lay_out"](FEWEST_SLOTS + search.states * 3 // 2)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    blocks = {}
    for name, content in _arrays(search).items():
        data = memoryview(content).cast("B")
        files.write(folder / f"{name}.bin", data)
        blocks[name] = [crc32(data[at : at + BLOCK]) for at in range(0, len(data), BLOCK)]
    manifest = {
        "format": FORMAT,
        "game": search.game.name,
        "rules": rules_key(search.game.model, keys_of(search.packing, search.folding)),
        "players": list(search.game.players),
        "maximiser": search.maximiser,
        "sum": None if search.constant_sum is None else to_json(search.constant_sum),
        "states": search.states,
        "words": search.packing.words,
        "symmetries": search.folding.generators,
        "turned": search.turned,
        "slots": int(search.found[K.SLOTS]),
        "mask": int(search.found[K.NUMBERS]),
        "utilities": [to_json(number) for number in search.numbers],
        "price": to_json(search.price or 0),
        "denominator": search.lowered.denominator,
        "blocks": blocks,
    }
    text = json.dumps(manifest)
    whole = json.dumps({"check": crc32(text.encode()), "manifest": manifest}, indent=1)
    files.write(folder / MANIFEST, whole + "\n")


def _arrays(search: Retrograde) -> dict[str, Any]:
    """The arrays of a table by name, as long as they are used."""
    module, states, positions = search.module, search.states, search.positions
    found = {"keys": module["keys"][: states * search.packing.words], "slots": module["slots"][: search.found[K.SLOTS]]}
    if not search.has_chance:
        return found | {"values": module["value"][:positions], "ranks": module["rank"][:positions]}
    module["place_folded"]()
    place, high = module["play"][K.P_OPEN], module["HIGH"]
    return found | {
        "places": module["pool"][place : place + states],
        "low": module["bound"][:states],
        "high": module["bound"][high : high + states],
    }


def keys_of(packing: Packing, folding: Folding) -> list[Any]:
    """A description of keys, which JSON can hold: every field with its place, and the symmetries by which states are
    folded."""
    return [*packing.known_by, *folding.known_by]


class RetrogradeTable:
    """A table in a folder, for the game whose rules it was made by."""

    def __init__(self, game: RulesGame, folder: Path):
        """Raises DamagedData if the manifest is not whole, Refusal if it is of another game or format."""
        self.folder = folder
        self.lowered = lower(game.model, game)
        packed = packing(game.model, self.lowered.layout, unread_variables(game.model))
        self._manifest = _manifest(folder)
        generators = self._manifest["symmetries"]
        folding: Folding = hook("a table up to symmetry")(generators) if generators else NO_FOLDING
        self._pairs = folding.exchanges  # whether a state stands for two positions
        self.images = folding.images  # the number of symmetries, the identity included
        if self._manifest["rules"] != rules_key(game.model, keys_of(packed, folding)):
            raise Refusal(
                f"the table in {clean(str(folder))} is of {clean(str(self._manifest['game']))} by other rules, or made "
                "by another version of gdl; solve it once more into another folder"
            )
        self.states: int = self._manifest["states"]
        self.maximiser: int = self._manifest["maximiser"]
        self.price = read_number(self._manifest["price"])  # of endless play
        self.total = None if len(game.players) == 1 else read_number(self._manifest["sum"])
        self.utility = [read_number(number) for number in self._manifest["utilities"]]  # MAX's, by the values' places
        self._module = python.load([self.lowered.source, packed.code, *(folding.code(self.lowered.layout) or ())])
        self.words = packed.words  # words of a key
        self._blocks: dict[tuple[str, int], memoryview] = {}

    @property
    def has_chance(self) -> bool:
        """True if chance moves in the game, so that values are bounds and not exact."""
        return "low" in self._manifest["blocks"]

    def number(self, state: State) -> int | None:
        """The number of a position; None if the table does not have it."""
        module = self._module
        module["s"][:] = memoryview(array("i", self.lowered.layout.words_of_state(state.turn, state.cells)))
        module["fold" if self.images > 1 else "pack"]()
        key = list(module["key"])
        h = module["key_hash"]()
        slots, mask = self._manifest["slots"], self._manifest["mask"]  # the mask: the bits that hold a number
        tag = (h & 0xFFFFFFFF) & ~mask
        at = ((h >> 32) & 0xFFFFFFFF) * slots >> 32
        for _ in range(slots):
            entry = self._element("slots", at) & 0xFFFFFFFF
            if not entry:
                return None
            number: int = (entry & mask) - 1
            if entry & ~mask == tag and number < self.states and self.key(number) == key:
                turned = self._pairs and module["exchanged"][0] != self._manifest["turned"]
                return 2 * number + turned if self._pairs else number
            at = (at + 1) % slots
        return None

    def key(self, number: int) -> list[int]:
        """The key of the state with this number, by words."""
        return [self._element("keys", number * self.words + k) for k in range(self.words)]

    def value(self, number: int) -> Number | float:
        """The value of the position to MAX; in a game of chance the middle of its bounds."""
        if self.has_chance:
            low, high = self.bounds(number)
            return (low + high) / 2
        place = self._element("values", number)
        if not 0 <= place < len(self.utility):
            raise _damage(self.folder, "values.bin")
        value: Number = self.utility[place]
        return value

    def bounds(self, number: int) -> tuple[float, float]:
        """The bounds between which the position's value to MAX lies, in a game of chance."""
        place, denominator = self._element("places", number >> self._pairs), self._manifest["denominator"]
        low, high = self._element("low", place) / denominator, self._element("high", place) / denominator
        return (-high, -low) if self._pairs and number & 1 else (low, high)

    def utilities(self, number: int) -> tuple[Number | float, ...]:
        """The value of the position to each player."""
        value = self.value(number)
        if self.total is None:
            return (value,)
        other = self.total - value if isinstance(value, float) else exact(Fraction(self.total) - value)
        return (value, other) if self.maximiser == 0 else (other, value)

    def rank(self, number: int) -> int | None:
        """The plies to the end under best play; None where nobody forces one, or in a game of chance."""
        if self.has_chance:
            return None
        rank: int = self._element("ranks", number)
        return None if rank < 0 else rank

    def read_all(self) -> None:
        """Compare every block with its checksum. Raises DamagedData at the first that differs."""
        for name, checks in self._manifest["blocks"].items():
            for block in range(len(checks)):
                self._read(name, block)

    def _element(self, name: str, index: int) -> Any:
        """An element of an array; its block is checked first."""
        type = _TYPES[name]
        size = array(type).itemsize
        block, rest = divmod(index * size, BLOCK)
        if (name, block) not in self._blocks:
            self._blocks[name, block] = self._read(name, block).cast(type)  # type: ignore[call-overload]
        try:
            return self._blocks[name, block][rest // size]
        except IndexError:
            raise _damage(self.folder, f"{name}.bin") from None

    def _read(self, name: str, block: int) -> memoryview:
        checks = self._manifest["blocks"].get(name, ())
        try:
            with open(self.folder / f"{name}.bin", "rb") as file:
                file.seek(block * BLOCK)
                data = file.read(BLOCK)
        except OSError:
            raise _damage(self.folder, f"{name}.bin") from None
        if not 0 <= block < len(checks) or crc32(data) != checks[block]:
            raise _damage(self.folder, f"{name}.bin")
        return memoryview(data)


def _damage(folder: Path, what: str) -> DamagedData:
    return DamagedData(f"the table in {clean(str(folder))} is damaged: {what} is not what was written")


def _manifest(folder: Path) -> Mapping[str, Any]:
    """The manifest of a table. Raises DamagedData if it is not whole, Refusal if it is of another format."""
    try:
        read = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        manifest: Mapping[str, Any] = read["manifest"]
        whole, format = crc32(json.dumps(manifest).encode()) == read["check"], int(manifest["format"])
    except (OSError, ValueError, KeyError, TypeError):
        raise _damage(folder, MANIFEST) from None
    if not whole:
        raise _damage(folder, MANIFEST)
    if format != FORMAT:
        raise Refusal(
            f"the table in {clean(str(folder))} was made by another version of gdl: it has format {format}, and this "
            f"version reads format {FORMAT}; solve the game once more into another folder"
        )
    return manifest
