"""Packed keys: a state in few words of 64 bits; keys are equal just where the states are equal.

A key is made of fields, each within one word: whose turn it is (with the mover, where the turn does not tell), numbers
counted from their lowest value, sets, and for arrays that are held as planes the bits of each element's value, the k-th
bits of all elements side by side. Fields are laid into words largest first, each into the first where it fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from operator import and_, or_
from typing import Any, NamedTuple

from gdl.analysis.traits import all_at_once
from gdl.compiler.ir import module as nodes
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import choice, compare, i32, i64, wrap64
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.code_values import WORD
from gdl.compiler.lower.past import FACTOR, MOST_PAST
from gdl.compiler.lower.state_layout import MOVER, TURN, Layout, VariablePlace, has_guard_word
from gdl.compiler.lower.writer import Writer
from gdl.errors.deadline import check_deadline
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.model import core
from gdl.model.domains import bits as bits_of
from gdl.model.domains import bounds, ordinal_base
from gdl.model.games import RulesModel
from gdl.model.walk import everything, inside

VERSION = 1  # raise it when the same fields at the same places come to mean something else
KEY = ir.Array("key", ir.I64)
MIX = -4658895280553007687  # the second factor of a key's hash; the first is FACTOR
Writes = Callable[[Writer], None]


@dataclass(frozen=True, slots=True)
class KeyField:
    """Some bits of the key. `says` describes the field; `code` computes its value (not negative, unless it fills a
    word), after the statements of `before`; `after` writes the part of the state that the value restores. `word` and
    `shift` place it."""

    says: tuple[Any, ...]
    bits: int
    code: ir.Expr
    after: Callable[[Writer, ir.Expr], None]
    before: Writes | None = None
    word: int = 0
    shift: int = 0

    @property
    def shifted_code(self) -> ir.Expr:
        """The code of the value, moved to its place in the word."""
        if not self.shift:
            return self.code
        # Bits beyond the word would trap: a field that ends with its word is cut off on purpose.
        code = self.code << self.shift
        return wrap64(code) if self.shift + self.bits == WORD else code

    @property
    def read(self) -> ir.Expr:
        """Code of the value, read from its word of the key."""
        code = KEY[self.word] >> self.shift if self.shift else KEY[self.word]
        return code if self.bits == WORD else code & ((1 << self.bits) - 1)


class Packing(NamedTuple):
    """The packing of a game's states: a module with `pack`, `unpack` and `key_hash`, the words and bits of a key, and
    as JSON all fields with their places, by which stored keys are recognised."""

    code: nodes.Module
    words: int
    bits: int
    known_by: list[Any]


def packing(model: RulesModel, layout: Layout, left_out: frozenset[int] = frozenset()) -> Packing:
    """The packing of a game's states. Variables whose numbers are in `left_out` are not in the key, unless they are
    sets or have planes: a restored state has their first values."""
    fields, finish = _fields(model, layout, left_out)
    placed = _place_fields(fields)
    words = 1 + max(field.word for field in placed)
    module = nodes.Module({"KEY": words}, {KEY.name: ir.Array(KEY.name, ir.I64, words)}, settled=False)
    _write_pack(module, placed)
    out = Writer()
    for field in placed:
        check_deadline()
        field.after(out, field.read)
    # After all fields: planes are made from what the fields have restored.
    for write in finish:
        write(out)
    module.functions["unpack"] = ir.Function("unpack", (), None, out.lines, "Make it the state whose key is there.")
    _write_hash(module, words)
    known_by = [VERSION, *([*field.says, field.bits, field.word, field.shift] for field in placed)]
    return Packing(module, words, sum(field.bits for field in placed), known_by)


def _write_pack(module: nodes.Module, fields: Sequence[KeyField]) -> None:
    out = Writer()
    for field in fields:
        if field.before is not None:
            field.before(out)
    for word, placed in groupby(fields, lambda field: field.word):
        check_deadline()
        first, *others = [field.shifted_code for field in placed]
        part = ir.Local(f"part_{word}")
        out.set(part.name, first, ir.I64)
        for code in others:
            out.set(part.name, part | code)
        out.store(KEY.name, word, part)
    module.functions["pack"] = ir.Function("pack", (), None, out.lines, "Write the key of the state.")


def _write_hash(module: nodes.Module, words: int) -> None:
    out, h = Writer(), ir.Local("h")
    out.set("h", 0, ir.I64)
    for k in range(words):
        # A product carries bits upward only; the shift brings them down again, so that each bit of the key reaches each
        # of h.
        out.set("h", wrap64((h ^ KEY[k]) * FACTOR))
        out.set("h", wrap64((h ^ h >> 32) * MIX))
    out.returns(h)
    doc = "The hash of the key; its high bits are the best mixed."
    module.functions["key_hash"] = ir.Function("key_hash", (), ir.I64, out.lines, doc)


def _place_fields(fields: Sequence[KeyField]) -> list[KeyField]:
    """The fields with their places: the largest first, each in the first word that has room for it."""
    used: list[int] = []
    placed = []
    bits, word = WORD, 0
    for field in sorted(fields, key=lambda field: -field.bits):
        check_deadline()
        if field.bits < bits:  # a word that had no room for an equal one has none now
            bits, word = field.bits, 0
        while word < len(used) and used[word] + bits > WORD:
            word += 1
        if word == len(used):
            used.append(0)
        # Largest first, each where it fits: a simple rule, which wastes little and gives every process the same key.
        placed.append(replace(field, word=word, shift=used[word]))
        used[word] += field.bits
    return sorted(placed, key=lambda field: (field.word, field.shift))


def unread_variables(model: RulesModel) -> frozenset[int]:
    """The numbers of the variables that no rule reads except to give them their own next value, such as a count of
    moves: states that differ in them alone have the same plays. (Evaluations do not count as rules.)"""
    numbers = {variable.place: number for number, variable in enumerate(model.variables)}
    rules = everything(model.copy_with(features=(), quiet=None))

    def reads(forms: Sequence[Any]) -> Counter[int]:
        """How often each variable is read."""
        elements = [form.variable for form in forms if isinstance(form, core.Element | core.Whole)]
        cells = [numbers[form.place] for form in forms if isinstance(form, core.Cell) and form.place in numbers]
        return Counter([*elements, *cells])

    # A variable that is read only to give itself its next value cannot change any other, nor the play.
    found = reads(rules)
    for form in rules:
        if isinstance(form, core.Assign):
            found[form.variable] -= reads(list(inside(form)))[form.variable]
    return frozenset(number for number in numbers.values() if not found[number])


def _fields(model: RulesModel, layout: Layout, left_out: frozenset[int]) -> tuple[list[KeyField], list[Writes]]:
    """All fields of a key, and what else has to be written when a state is restored."""
    fields, finish = [_turn_field(model)], list[Writes]()
    for place in layout.places:
        if place.number in left_out and place.plane is None and not place.is_set:
            # What is left out of the key has to have some value in a restored state; its first one will do, as no rule
            # reads it.
            assert place.offset is not None
            for k, value in enumerate(place.variable.initial, place.offset):
                finish.append(_storing("s", k, place.missing if value is None else int(value)))
        elif place.is_set:
            fields += _set_fields(place)
        elif place.plane is not None:
            fields += _slice_fields(place)
            finish += [_planes(place, word) for word in range(place.words)]
        else:
            fields += _number_fields(place)
        # Guard words are not in the key, since they never change.
        if place.offset is not None and not place.is_set and has_guard_word(place.variable):
            finish.append(_storing("s", place.offset - 1, place.missing))
    if layout.past is not None:
        fields += _past_fields(layout.past)
    return fields, finish


def _storing(array: str, at: int, value: int) -> Writes:
    return lambda out: out.store(array, at, value)


def _turn_field(model: RulesModel) -> KeyField:
    """The field of the turn; if it is no player's turn, the field includes the mover."""
    players = len(model.players)
    highest = EVERYONE if all_at_once(model) else NOBODY  # the highest number of a turn that is no player's
    others = highest - FIRST_STEP + len(model.chances)
    turn = ir.Local("turn")

    def compute_turn(out: Writer) -> None:
        out.set("turn", STATE[TURN], ir.I64)
        # Turns that are no player's come after the players', and each needs a number for every mover.
        other = (ir.Const(highest) - turn) * players
        out.set("turn", choice(compare(turn, ">=", 0), turn, ir.Const(players) + other + STATE[MOVER]))

    def restore_turn(out: Writer, value: ir.Expr) -> None:
        out.set("turn", i32(value))
        out.store("s", TURN, turn)
        out.store("s", MOVER, turn)
        with out.when(compare(turn, ">=", players)):
            out.store("s", TURN, ir.Const(highest + 1) - turn // players)
            out.store("s", MOVER, turn % players)

    bits = (players + others * players - 1).bit_length()
    return KeyField(("turn", players, highest), bits, turn, restore_turn, compute_turn)


def _past_fields(past: int) -> Iterator[KeyField]:
    """The fields for earlier positions: their number, and the digest of their keys."""
    digest = past // 2 + 1
    yield KeyField(
        ("past",), MOST_PAST.bit_length(), i64(STATE[past]), lambda out, value: out.store("s", past, i32(value))
    )  # fmt: skip
    yield KeyField(("digest",), WORD, WORDS[digest], lambda out, value: out.store("w", digest, value))


def _set_fields(place: VariablePlace) -> Iterator[KeyField]:
    """The fields of a variable's sets, one for each word. Bits below the lowest member are left out of sets of one
    word."""
    size = place.members
    low = ordinal_base(place.variable.type.item) if size < WORD else 0  # type: ignore[union-attr]
    for n in range(place.count * (place.each // 2)):
        at = place.long + n
        code = WORDS[at] >> low if low else WORDS[at]

        def restore_word(out: Writer, value: ir.Expr, at: int = at) -> None:
            out.store("w", at, value << low if low else value)

        # The last word of a set has only what is left of it.
        bits = min(WORD, size - WORD * (n % (place.each // 2))) - low
        yield KeyField(("set", place.number, n, low), bits, code, restore_word)


def _number_fields(place: VariablePlace) -> Iterator[KeyField]:
    """The fields of a variable's elements."""
    assert place.offset is not None
    bits, lowest = bits_of(place.variable.type), _lowest_value(place)
    for k, at in enumerate(range(place.offset, place.offset + place.count)):
        check_deadline()

        def restore_number(out: Writer, value: ir.Expr, at: int = at) -> None:
            number = ir.Local(f"number_{at}")
            out.set(number.name, value)
            out.store("s", at, _number_from_offset(place, number))

        yield KeyField(("number", place.number, k, lowest), bits, _offset_from_lowest(place, STATE[at]), restore_number)


def _lowest_value(place: VariablePlace) -> int:
    """The value stored as 0: the least number, or if the variable may be none, one less, which stands for none."""
    low, _, none = bounds(place.variable.type)
    return low - 1 if none else low


def _offset_from_lowest(place: VariablePlace, code: ir.Expr) -> ir.Expr:
    """Code of an element's value as an offset from the lowest, 64 bits wide."""
    low = _lowest_value(place)
    number = i64(code) - low if low > 0 else i64(code) + -low if low else i64(code)
    return choice(compare(code, "==", "NONE"), 0, number) if place.background != low else number


def _number_from_offset(place: VariablePlace, number: ir.Expr) -> ir.Expr:
    """Code of an element's value, of 32 bits, from its offset: in an array with planes the number of its plane, or
    0."""
    low = _lowest_value(place)
    if place.background != low:  # the least number is above 0, so that NONE (-1) is not one less
        return choice(compare(number, "==", 0), "NONE", i32(number) + low)
    return i32(number + low) if low else i32(number)


def _slice_fields(place: VariablePlace) -> Iterator[KeyField]:
    """The fields of an array with planes: for each word of squares, the k-th bits of all elements' codes; 0 is the code
    of the background, 1, 2, 3, … those of the values that have planes."""
    codes = range(1, len(place.values) + 1)
    for word in range(place.words):
        size = min(WORD, place.count - WORD * word)
        for k in range(len(place.values).bit_length()):
            planes: list[ir.Expr] = [WORDS[_plane(place, code, word)] for code in codes if code >> k & 1]
            name = _slice(place, k, word).name

            def restore_slice(out: Writer, value: ir.Expr, name: str = name) -> None:
                out.set(name, value)

            yield KeyField(("slice", place.number, word, k, *place.values), size, reduce(or_, planes), restore_slice)


def _plane(place: VariablePlace, code: int, word: int) -> int:
    return place.plane_of(place.values[code - 1]) + word


def _slice(place: VariablePlace, k: int, word: int) -> ir.Local:
    return ir.Local(f"slice_{place.number}_{k}_{word}")


def _planes(place: VariablePlace, word: int) -> Writes:
    """A function that writes one word of every plane of an array, from the bits of the packed codes, and the elements
    if they are held too. Where one code has all the bits of another, the bits that the other lacks are tested as
    well."""
    most = len(place.values)
    width = most.bit_length()

    def write(out: Writer) -> None:
        for code in range(1, most + 1):
            parts: list[ir.Expr] = [_slice(place, k, word) for k in range(width) if code >> k & 1]
            for k in range(width):
                above = code | 1 << k
                if above != code and any(other & above == above for other in range(1, most + 1)):
                    parts.append(~_slice(place, k, word))
            out.store("w", _plane(place, code, word), reduce(and_, parts))
        if place.offset is not None:
            _write_elements(out, place, word)

    return write


def _write_elements(out: Writer, place: VariablePlace, word: int) -> None:
    assert place.offset is not None
    bits = [(_slice(place, k, word) >> "i" & 1) << k for k in range(len(place.values).bit_length())]
    with out.counting("i", None, min(WORD, place.count - WORD * word)):
        out.set("code", reduce(or_, bits))
        out.store("s", ir.Const(place.offset + WORD * word) + "i", _number_from_offset(place, ir.Local("code")))
