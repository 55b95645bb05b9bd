"""Packed keys: a state in few words of 64 bits, equal where the states are equal, and only there.

A key is made of fields, each within one word: whose turn it is (with the mover, where the turn does not tell), numbers
counted from their lowest value, sets, and for arrays that are held as planes the bits of each element's value, the k-th
bits of all elements side by side. Fields are laid into words largest first, each into the first where it fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gdl.analysis.dependence import all_at_once
from gdl.compiler.lower.layout import Layout, Place, bounds, guarded
from gdl.compiler.lower.past import MOST_PAST
from gdl.compiler.lower.values import NONE, WORD
from gdl.compiler.lower.writer import INDENT
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.model import core
from gdl.model.domains import bits as bits_of
from gdl.model.domains import ordinal_base
from gdl.model.games import RulesModel
from gdl.model.walk import inside, parts

UNROLLED = 48  # elements of an array that are fields of their own; those of longer ones are packed by loops


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of the key: code of their value (not negative, unless it is a whole word), lines that make what the
    code needs, and lines that restore the state from `{value}`."""

    bits: int
    code: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    word: int = 0
    shift: int = 0

    @property
    def shifted(self) -> str:
        """The value where it lies in its word."""
        if not self.shift:
            return self.code
        code = f"({self.code}) << {self.shift}"
        return f"wrap64({code})" if self.shift + self.bits == WORD else code

    @property
    def read(self) -> str:
        """The value as it is read from its word."""
        code = f"key[{self.word}] >> {self.shift}" if self.shift else f"key[{self.word}]"
        return code if self.bits == WORD else f"{code} & {(1 << self.bits) - 1}"


class Packing(NamedTuple):
    """Kernel code that packs the states of a game; the words of a key, and its bits."""

    code: str
    words: int
    bits: int


def packing(model: RulesModel, layout: Layout, left_out: frozenset[int] = frozenset()) -> Packing:
    """How the states of a game are packed. Variables that are left out (by number) have their first values when a
    state is restored."""
    fields, finish = _fields(model, layout, left_out)
    placed = _placed(fields)
    words = 1 + max(field.word for field in placed)
    text = _TEXT.format(
        words=words,
        pack=_block(_packing_lines(placed, words)),
        unpack=_block([line.replace("{value}", field.read) for field in placed for line in field.after] + finish),
        digest=_block([_MIX.format(k=k) for k in range(words)]),
    )
    return Packing(text, words, sum(field.bits for field in placed))


_TEXT = '''

KEY = const({words})  # words of a key
key = array(i64, KEY)


def pack() -> None:
    """Write the key of the state."""
{pack}


def unpack() -> None:
    """Make it the state whose key is there."""
{unpack}


def key_hash() -> i64:
    """A number made from the key, other bits for nearly every other key; the high bits are the best mixed."""
    h: i64 = 0
{digest}
    return h
'''
_MIX = """h = wrap64((h ^ key[{k}]) * -7046029254386353131)
h = wrap64((h ^ (h >> 32)) * -4658895280553007687)"""


def _block(lines: Iterable[str]) -> str:
    return "\n".join(INDENT + part for line in lines for part in line.splitlines())


def _packing_lines(fields: Sequence[Field], words: int) -> Iterator[str]:
    for field in fields:
        yield from field.before
    for word in range(words):
        first, *others = [field.shifted for field in fields if field.word == word]
        yield f"part_{word}: i64 = {first}"
        yield from (f"part_{word} = part_{word} | {code}" for code in others)
        yield f"key[{word}] = part_{word}"


def _placed(fields: Sequence[Field]) -> list[Field]:
    """Each field in the first word that has room for it, the largest first."""
    used: list[int] = []
    placed = []
    for field in sorted(fields, key=lambda field: -field.bits):
        word = next((k for k, bits in enumerate(used) if bits + field.bits <= WORD), len(used))
        if word == len(used):
            used.append(0)
        placed.append(replace(field, word=word, shift=used[word]))
        used[word] += field.bits
    return sorted(placed, key=lambda field: (field.word, field.shift))


def unread(model: RulesModel) -> frozenset[int]:
    """The variables that no rule asks for but to give them their own next value, such as a count of moves: states that
    differ in them alone have the same plays. (What evaluations ask for does not count.)"""
    numbers = {variable.place: number for number, variable in enumerate(model.variables)}
    read: set[int] = set()
    callables = [*model.definitions, *model.procedures]
    rules = [*model.actions, *model.chances, *filter(None, (model.resolve, model.opening))]
    work: list[tuple[Any, int | None]] = [(form, None) for form in inside(model.start)]
    work += [(clause.condition, None) for clause in model.clauses]
    work += [(utility, None) for clause in model.clauses for utility in clause.utilities]
    work += [(form, None) for site in model.times for form in (*site.key, site.condition) if form is not None]
    work += [(form, None) for part in callables for form in (part.result, *part.body) if form is not None]
    work += [
        (form, None)
        for rule in rules
        for form in (*rule.parameters, *rule.guards, rule.weight, rule.template, *rule.body)
        if form is not None
    ]
    while work:
        form, assigned = work.pop()
        found = numbers.get(form.place) if isinstance(form, core.Cell) else None
        if isinstance(form, core.Element | core.Whole):
            found = form.variable
        if found is not None and found != assigned:
            read.add(found)
        if isinstance(form, core.Assign):
            assigned = form.variable
        work += [(part, assigned) for part in parts(form)]
    return frozenset(numbers.values()) - read


def _fields(model: RulesModel, layout: Layout, left_out: frozenset[int]) -> tuple[list[Field], list[str]]:
    """All fields, and what else is to be done when a state is restored."""
    fields, finish = [_turn_field(model)], list[str]()
    for place in layout.places:
        if place.number in left_out and place.plane is None and not place.is_set:
            assert place.offset is not None
            initial = (NONE if value is None else int(value) for value in place.variable.initial)
            finish += [f"s[{place.offset + k}] = {value}" for k, value in enumerate(initial)]
        elif place.is_set:
            fields += _set_fields(place)
        elif place.plane is not None:
            fields += _slice_fields(place)
            finish += _from_slices(place)
        else:
            fields += _number_fields(place)
        if place.offset is not None and not place.is_set and guarded(place.variable):
            finish.append(f"s[{place.offset - 1}] = NONE")
    if layout.past is not None:
        count, digest = f"s[{layout.past}]", f"w[{layout.past // 2 + 1}]"
        fields.append(Field(MOST_PAST.bit_length(), f"i64({count})", after=(f"{count} = i32({{value}})",)))
        fields.append(Field(WORD, digest, after=(f"{digest} = {{value}}",)))
    return fields, finish


def _turn_field(model: RulesModel) -> Field:
    """A player's turn tells the mover; with any other turn the mover is told."""
    players = len(model.players)
    highest = EVERYONE if all_at_once(model) else NOBODY  # of the turns that are no player's
    others = highest - FIRST_STEP + len(model.chances)
    after = (
        "turn = i32({value})\ns[0] = turn\ns[1] = turn",
        f"if turn >= {players}:\n{INDENT}s[0] = {highest + 1} - turn // {players}\n{INDENT}s[1] = turn % {players}",
    )
    code = f"turn = turn if turn >= 0 else {players} + ({highest} - turn) * {players} + s[1]"
    return Field((players + others * players - 1).bit_length(), "turn", ("turn: i64 = s[0]", code), after)


def _set_fields(place: Place) -> Iterator[Field]:
    """Each set's words. Below the lowest member nothing is told, where that is simple."""
    size = place.members
    low = ordinal_base(place.variable.type.item) if size < WORD else 0  # type: ignore[union-attr]
    for at in range(place.long, place.long + place.count * (place.each // 2)):
        k = (at - place.long) % (place.each // 2)
        code = f"w[{at}] >> {low}" if low else f"w[{at}]"
        restored = f"w[{at}] = ({{value}}) << {low}" if low else f"w[{at}] = {{value}}"
        yield Field(min(WORD, size - WORD * k) - low, code, after=(restored,))


def _number_fields(place: Place) -> Iterator[Field]:
    """An array's elements, or a variable's value."""
    assert place.offset is not None
    bits = bits_of(place.variable.type)
    if place.count <= UNROLLED:
        for at in range(place.offset, place.offset + place.count):
            number = f"number_{at}"
            restored = f"{number} = ({{value}})\n" + _restored(place, f"s[{at}]", number)
            yield Field(bits, _counted(place, f"s[{at}]"), after=(restored,))
        return
    step = WORD // bits
    for first in range(0, place.count, step):
        count = min(step, place.count - first)
        name, element = f"run_{place.offset + first}", f"s[{place.offset + first} + i]"
        joined = f"{name} | ({_counted(place, element)}) << {bits} * i"
        before = f"{name}: i64 = 0\nfor i in range({count}):\n{INDENT}{name} = {_wrapped(joined, count * bits)}"
        after = (
            f"{name} = {{value}}\nfor i in range({count}):\n{INDENT}number = {name} >> {bits} * i & {(1 << bits) - 1}"
        )
        restored = "\n".join(INDENT + line for line in _restored(place, element, "number").splitlines())
        yield Field(count * bits, name, (before,), (f"{after}\n{restored}",))


def _wrapped(code: str, bits: int) -> str:
    return f"wrap64({code})" if bits == WORD else code


def _counted(place: Place, code: str) -> str:
    """A number of the variable's, counted from the lowest value that it can have."""
    low, _, none = bounds(place.variable.type)
    if none and low > 0:
        return f"0 if {code} == NONE else i64({code}) - {low - 1}"
    low = NONE if none else low
    return f"i64({code}) - {low}" if low > 0 else f"i64({code}) + {-low}" if low else f"i64({code})"


def _restored(place: Place, target: str, number: str) -> str:
    """The line that restores a number that has been counted so."""
    low, _, none = bounds(place.variable.type)
    if none and low > 0:
        return f"{target} = NONE if {number} == 0 else i32({number}) + {low - 1}"
    low = NONE if none else low
    return f"{target} = i32({number} + {low})" if low else f"{target} = i32({number})"


def _slice_fields(place: Place) -> Iterator[Field]:
    """The k-th bits of all elements' values, the background's being 0 and the planes' 1, 2, 3, …"""
    codes = range(1, len(place.values) + 1)
    for word in range(place.words):
        size = min(WORD, place.count - WORD * word)
        for k in range(len(place.values).bit_length()):
            planes = [f"w[{_plane(place, code, word)}]" for code in codes if code >> k & 1]
            name = _slice(place, k, word)
            yield Field(size, " | ".join(planes), after=(f"{name} = {{value}}",))


def _plane(place: Place, code: int, word: int) -> int:
    return place.plane_of(place.values[code - 1]) + word


def _slice(place: Place, k: int, word: int) -> str:
    return f"slice_{place.number}_{k}_{word}"


def _from_slices(place: Place) -> Iterator[str]:
    """The planes, and the elements if they are held too. An element with all bits of a code may have more of them."""
    most = len(place.values)
    width = most.bit_length()
    for word in range(place.words):
        for code in range(1, most + 1):
            parts = [_slice(place, k, word) for k in range(width) if code >> k & 1]
            more = [k for k in range(width) if not code >> k & 1]
            parts += [
                f"~{_slice(place, k, word)}"
                for k in more
                if any(other & (code | 1 << k) == code | 1 << k for other in range(1, most + 1))
            ]
            yield f"w[{_plane(place, code, word)}] = {' & '.join(parts)}"
        if place.offset is not None:
            yield from _elements(place, word)


def _elements(place: Place, word: int) -> Iterator[str]:
    width = len(place.values).bit_length()
    assert place.offset is not None
    bits = [f"({_slice(place, k, word)} >> i & 1) << {k}" for k in range(width)]
    yield f"for i in range({min(WORD, place.count - WORD * word)}):"
    yield f"{INDENT}code = i32({' | '.join(bits)})"
    target = f"s[{place.offset + WORD * word} + i]"
    first = place.values[0] - 1
    if place.background == first:
        yield f"{INDENT}{target} = code + {first}"
    else:
        yield f"{INDENT}{target} = {place.background} if code == 0 else code + {first}"
