"""Names of actions in kernel code: their hashes, where only play can tell whether two rows have one name.

A name's hash is a polynomial of its characters, so that it does not matter of which pieces the name is made:
hash(ab) = hash(a) * B**len(b) + hash(b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from gdl.analysis.name_forms import template_of
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import wrap64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.code_values import Number, UnsupportedConstruct, Value, as_signed
from gdl.compiler.lower.constant_tables import MOST_ENTRIES, argument_of, arguments_of
from gdl.compiler.lower.context import set_within
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.errors import GameError
from gdl.model import core
from gdl.model.domains import TEXT, TRUTH, Sequence, SetType, Type, text_of
from gdl.model.games import Rule

BASE = 0x9E3779B97F4A7C15  # odd
MOST_JOINED = 1 << 10  # entries of a table by which all pieces of a name are found at once

_NO_TEXT, _NAME = ir.Const(0), ir.Load(ir.Array("name", ir.I64), ir.Const(0))  # hashes
TEXT_POWER, TEXT_HASH = ir.Array("TEXT_POWER", ir.I64), ir.Array("TEXT_HASH", ir.I64)


class Naming(Part):
    """The hashes of names of actions and outcomes, for rules whose rows only play can tell apart."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops
        self._choice_named: Callable[[core.Choose, Frame], None] | None = None  # called too for each choice in a name
        self._names_runs = False  # whether the body that is being written extends the hash of its row's name
        # For each rule: rules up to and including itself whose rows may bear its rows' names.
        self.sharing = [range(k + 1) if rule.shares is None else rule.shares for k, rule in enumerate(self.rules.all)]
        self.named = {index for late, early in enumerate(self.sharing) if early for index in (late, *early)}
        self.texts: dict[str, int] = {}

    def of_runs(self, named: bool) -> AbstractContextManager[None]:
        """Within the block, a body is written that extends the hash of its row's name, if it is `named`."""
        return set_within(self, _names_runs=named)

    def noting_choices(self, note: Callable[[core.Choose, Frame], None]) -> AbstractContextManager[None]:
        """Within the block, `note` is called for each choice that a body makes."""
        return set_within(self, _choice_named=note)

    def hash_head(self, rule: Rule, frame: Frame, is_legal: bool) -> ir.Expr:
        """Code of the hash of a name's part for the rule's head. `is_legal`: the row is surely legal, so that a fault
        in its name is a fault of the rules."""
        with self._writing_name(is_legal):
            return self._hash_parts(_NO_TEXT, template_of(rule).parts, frame)

    def extend(self, s: core.Choose, frame: Frame) -> None:
        """Write code that extends the name's hash by what has been chosen."""
        if self._choice_named is not None:
            self._choice_named(s, frame)
        if not self._names_runs:
            return
        with self._writing_name(is_legal=False):
            self.out.store("name", 0, self._hash_parts(_NAME, template_of(s).parts, frame))

    @contextmanager
    def _writing_name(self, is_legal: bool) -> Iterator[None]:
        """Within the block, code of a name is written. Raises UnsupportedConstruct if it may come to a fault while it
        is still open whether the action is legal (not `is_legal`): only legal actions must have a name."""
        with self.out.capture_lines() as lines:
            yield
        if not is_legal and lines.may_trap:
            raise UnsupportedConstruct(
                "names that may be a fault, in actions that are tried and that only play tells apart"
            )
        self.out.append(lines)

    def _hash_parts(self, before: ir.Expr, parts: Any, frame: Frame) -> ir.Expr:
        """Code of the hash of a name after these parts of a template have been appended to the text hashed in
        `before`."""
        if len(parts) > 1:
            with suppress(UnsupportedConstruct):
                return self._with_text(before, self._text_of_names(parts, frame, MOST_JOINED))
        code = before
        for part in parts:
            if isinstance(part, str):
                code = _extend_by_text(code, part)
            elif isinstance(part[1], SetType | Sequence) and self._changes(part[0], frame):
                code = self._hashed_members(code, part[0], part[1], frame)
            else:
                code = self._with_text(code, self._text(part[0], part[1], frame))
        return code

    def _changes(self, e: core.Expression, frame: Frame) -> bool:
        """True if a set or list depends on the state or on values too many for a table."""
        facts = self.dependence.facts_of(e)
        return facts.state or any(argument_of(frame[slot]) is None for slot in facts.slots)

    def _with_text(self, code: ir.Expr, text: Number) -> ir.Expr:
        number = self.out.bound(text, "text").code
        return _extend_hash(code, TEXT_POWER[number], TEXT_HASH[number])

    def _hashed_members(self, code: ir.Expr, e: core.Expression, type: SetType | Sequence, frame: Frame) -> ir.Expr:
        """Code of the hash extended by a set or list known only in play: its members, in brackets."""
        opening, closing = "{}" if isinstance(type, SetType) else "[]"
        domain = self.loops.domain(core.Members(e) if isinstance(type, SetType) else e, frame)
        name = self.out.let("hashed", _extend_by_text(code, opening), wide=True)
        hashed = ir.Local(name, ir.I64)
        several = self.out.let("several", 0)

        def member(value: Value) -> None:
            with self.out.when(several):
                self.out.set(name, _extend_by_text(hashed, ", "))
            self.out.set(several, 1)
            text = self._text_of_number(on.as_number(value), type.item)
            self.out.set(name, self._with_text(hashed, text))

        self.loops.write_each(domain, frame, member)
        return _extend_by_text(hashed, closing)

    def _text(self, e: core.Expression, type: Type, frame: Frame) -> Number:
        """The number of a value's text, as an index of TEXT_HASH and TEXT_POWER."""
        is_number = type != TEXT and not isinstance(type, SetType | Sequence)
        # A table over the number itself has an entry per value; a table over the names it is computed from, one per
        # combination.
        if is_number and (self.dependence.facts_of(e).state or isinstance(e, core.Local)):
            return self._text_of_number(self.expressions.number(e, frame), type)
        try:
            return self._text_of_names([(e, type)], frame, MOST_ENTRIES)
        except UnsupportedConstruct:
            # Too many combinations of names may still give few numbers, whose texts fit into a table.
            if not is_number:
                raise
        return self._text_of_number(self.expressions.number(e, frame), type)

    def _text_of_number(self, value: Number, type: Type) -> Number:
        return self._table_of_texts(lambda value: _value_text(type, value), [self.out.bound(value)], ("text", type))

    def _text_of_names(self, parts: Any, frame: Frame, most: int) -> Number:
        """The number of the text of all these parts together, which follows from names and the mover alone, by a table
        of at most `most` entries."""
        facts = [self.dependence.facts_of(part[0]) for part in parts if not isinstance(part, str)]
        if any(fact.state for fact in facts):
            raise UnsupportedConstruct("texts that depend on the state, in names that only play tells apart")
        named, mover = sorted({slot for fact in facts for slot in fact.slots}), any(fact.mover for fact in facts)
        compute = [None if isinstance(e, str) else self.fixed.function(e[0], named, mover) for e in parts]

        def text(*values: Any) -> str:
            each = zip(parts, compute, strict=True)
            return "".join(part if own is None else _value_text(part[1], own(*values)) for part, own in each)

        read = [*(frame[slot] for slot in named), *([self.context.mover] if mover else ())]
        return self._table_of_texts(text, read, ("text", *parts), most)

    def _table_of_texts(
        self, text: Callable[..., str], values: list[Value], key: tuple[Any, ...], most: int = MOST_ENTRIES
    ) -> Number:
        known = arguments_of(values)
        if known is None:
            help = "name the action by squares, or by numbers of a smaller range"
            raise UnsupportedConstruct("names made of numbers of so wide a range", help)

        def entry(*values: Any) -> int:
            try:
                told = text(*values)
            except GameError:
                told = ""  # if the action is legal, its name is asked for elsewhere, and the fault is met there
            # All tables number their texts together, so that TEXT_HASH and TEXT_POWER serve them all.
            return self.texts.setdefault(told, len(self.texts))

        made = self.fixed.table(entry, known, most, key, "text")
        if not isinstance(made, Number):
            raise UnsupportedConstruct("names made of too many values")
        return made

    def text_tables(self) -> dict[str, list[int]]:
        """Two tables by the number of a text: TEXT_HASH, its hash, and TEXT_POWER, the factor for the hash of the text
        before it."""
        return {
            "TEXT_HASH": [_digest(text) for text in self.texts] or [0],
            "TEXT_POWER": [_power(text) for text in self.texts] or [0],
        }


def _extend_hash(code: ir.Expr, power: ir.Expr, digest: ir.Expr) -> ir.Expr:
    """Code of the hash of two texts joined: `code` hashes the first, `digest` the second; `power` is BASE to the
    second's length."""
    if code == _NO_TEXT:
        return digest
    return wrap64(code * power + digest)


def _extend_by_text(code: ir.Expr, text: str) -> ir.Expr:
    """Code of the hash extended by a constant text."""
    return _extend_hash(code, ir.Const(_power(text)), ir.Const(_digest(text)))


def _value_text(type: Type, value: Any) -> str:
    """The text of a value; a truth, which is held as a number, is turned back first."""
    return text_of(type, bool(value) if type == TRUTH else value)


def _digest(text: str) -> int:
    total = 0
    for character in text:
        total = total * BASE + ord(character)
    return as_signed(total)


def _power(text: str) -> int:
    return as_signed(pow(BASE, len(text), 1 << 64))
