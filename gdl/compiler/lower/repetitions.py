"""`times`, `since` and `always` as kernel code: the key of a position, the earlier ones that have it, and the stack of
keys (past.py)."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, i32, plus, some, wrap64
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.code_values import NONE, Listed, Mask, Number, Sequence, UnsupportedConstruct, Value, truth
from gdl.compiler.lower.files import question
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame, Part
from gdl.compiler.lower.past import BUCKETS, FACTOR, MOST_PAST, ROUND, KeyPart, Noted, whole_variable
from gdl.compiler.lower.state_layout import VariablePlace
from gdl.compiler.lower.writer import Writer
from gdl.model import core
from gdl.model.games import Site
from gdl.model.walk import inside_with_calls

PAST_SUM, PAST_TOP = array("past_sum"), array("past_top")[0]  # digests by number of positions; how many are stacked


class Times(Part):
    """Lowering of questions about earlier positions, and the functions that keep these."""

    def __init__(self, expressions: ExpressionLowering):
        super().__init__(expressions)
        self.keys: list[Noted] = []  # the notes of each question, once its functions are written
        rules = (*self.model.actions, *self.model.chances, *filter(None, (self.model.resolve,)))
        forms = tuple((rule.parameters, rule.guards, rule.weight, rule.body) for rule in rules)
        asked = core.Times | core.Since | core.Always
        self.asked_by_rules = any(isinstance(form, asked) for form in inside_with_calls(self.model, forms))

    @property
    def counts_itself(self) -> bool:
        """True if, for the code being written, the position in which its body began counts as an earlier one."""
        return self.asked_by_rules and self.context.within_body

    def times(self, e: core.Times, frame: Frame) -> Value:
        return Number(self._question_call(e.site), 0, MOST_PAST)

    def since(self, e: core.Since, frame: Frame) -> Value:
        return Number(self._question_call(e.site), 1, MOST_PAST, none=True)

    def always(self, e: core.Always, frame: Frame) -> Value:
        return truth(ir.Local(self.out.let("ever", self._question_call(e.site))))

    def _question_call(self, site: int) -> ir.Expr:
        """The call of the function that answers a question at this point."""
        assert self.layout.past is not None
        # In a body the position before the action lies on the stack already, and the state's count does not hold it
        # yet.
        count = plus(STATE[self.layout.past], int(self.context.within_body))
        return call(f"{self.model.times[site].kind}_{site}", count)

    @property
    def unknown_past_trap(self) -> int:
        """The code of the trap for a state whose earlier positions are not known."""
        return self.module.trap("the positions before this one are not known to the search", None)

    def note(self) -> None:
        """Write the call that notes the present position as an earlier one for those that follow."""
        if self.model.times:
            self.out.calls("note_past")

    def count(self) -> None:
        """Write code by which the noted position counts as an earlier one from here on."""
        if self.layout.past is not None:
            at = self.layout.past
            self.out.update(STATE[at], "+", 1)
            # The digest goes with the count, so a copy of the state takes both along.
            self.out.store("w", at // 2 + 1, PAST_SUM[STATE[at]])

    # -- functions ------------------------------------------------------------------------------------------

    def write_past(self) -> None:
        """Write the functions that keep earlier positions and answer questions about them."""
        if self.layout.past is None:
            return
        for number, site in enumerate(self.model.times):
            self._write_site(number, site)
        sites = range(len(self.keys))
        long = self.module.trap(f"a play that remembers its positions takes more than {MOST_PAST:,} plies", None)
        out = Writer()
        out.trap(self.unknown_past_trap)
        self.module.function(out, "recall_past", "Trap; a search that keeps states replaces this.", at=ir.I32)
        out, at = Writer(), ir.Local("at")
        digest = WORDS[self.layout.past // 2 + 1]
        with out.when(some(compare(at, ">", PAST_TOP), compare(PAST_SUM[at], "!=", digest))):
            out.calls("recall_past", at)
        doc = "Make sure that the earlier positions of the state lie on the stack."
        self.module.function(out, "find_past", doc, at=ir.I32)
        out = Writer()
        for k in sites:
            bucket = i32(array(f"past_hash_{k}")["i"] & BUCKETS - 1)
            out.store(f"past_head_{k}", bucket, array(f"past_link_{k}")["i"])
        self.module.function(out, "forget_past", "Take the last position off the stack.", i=ir.I32)
        self._write_note(Writer(), long)

    def _write_note(self, out: Writer, long: int) -> None:
        """Write `note_past()`; `long` is the code of the trap for a play with too many positions."""
        assert self.layout.past is not None
        at = ir.Local("at")
        out.set("at", STATE[self.layout.past])
        out.calls("find_past", at)
        with out.when(compare(at, "==", MOST_PAST)):
            out.trap(long)
        # What lies above is left from a line of play that the search has gone back from.
        with out.repeating(compare(PAST_TOP, ">", at)):
            out.update(PAST_TOP, "-", 1)
            out.calls("forget_past", PAST_TOP)
        shares = [call(f"push_{k}", at) for k in range(len(self.keys))]
        out.store("past_sum", at + 1, wrap64(reduce(add, shares, PAST_SUM[at])))
        out.store("past_top", 0, at + 1)
        doc = "Put the position on the stack, above those that came before it."
        self.module.function(out, "note_past", doc)

    def _write_site(self, number: int, site: Site) -> None:
        """Write the functions of one question: `key_k()` writes the key of the position to `asked_k`; `holds_k()` tests
        the condition, if there is one; the others come from `kernels/earlier.py`."""
        noted = Noted(site.kind, self._write_key(number, site.key), site.key)
        if site.condition is not None:
            self.context.begin()
            with self.expressions.when([site.condition], {}) as possible:
                if possible:
                    self.out.returns(1)
            self.out.returns(0)
            self.context.function(f"holds_{number}", "1 if the condition holds in the position.", ir.I32)
        assert self.layout.past is not None
        for function in question(number, noted, self.layout.past, "push", "answer"):
            self.module.add(function)
        self.keys.append(noted)

    def _write_key(self, site: int, expressions: tuple[core.Expression, ...]) -> tuple[KeyPart, ...]:
        """Write `key_k()` for question `site`; gives the parts of the key."""
        self.context.begin()
        self.out.set("h", site, ir.I64)
        parts: list[KeyPart] = []
        for part in expressions:
            parts.append(self._key_part(part, f"asked_{site}", sum(one.words for one in parts)))
        self.out.returns("h")
        self.context.function(f"key_{site}", "The key of the position, and its hash.", ir.I64)
        return tuple(parts)

    def _key_part(self, e: core.Expression, asked: str, at: int) -> KeyPart:
        """Write code for one part of a key, from word `at` of the array `asked` on."""

        def put(code: Code, place: int) -> None:
            self.out.set("word", code, ir.I64 if at == 0 and place == 0 else None)
            self.out.store(asked, place, "word")
            # The same steps as `mix_word` in past.py, since a past can be put on the stack from outside.
            self.out.set("h", wrap64((ir.Local("h") ^ "word") * FACTOR))
            self.out.set("h", ir.Local("h") ^ (ir.Local("h") >> ROUND))

        if isinstance(e, core.Whole):
            place = self.layout.places[e.variable]
            part = whole_variable(place)
            if place.plane is None and not place.is_set:
                self._put_digits(part, place, at, put)
            else:
                start = place.long if place.is_set else place.plane
                assert start is not None
                for k in range(part.words):
                    put(WORDS[start + k], at + k)
            return part
        value = self.expressions.value(e, {})
        if isinstance(value, Mask):
            for k, word in enumerate(self.out.bound_mask(value).words):
                put(word.code, at + k)
            return KeyPart(len(value.words), set=True)
        if isinstance(value, Sequence | Listed):
            raise UnsupportedConstruct("the comparison of lists in earlier positions")
        number = on.as_number(value)
        if number.scale != 1:
            raise UnsupportedConstruct("the comparison of fractions in earlier positions")
        put(number.code, at)
        return KeyPart(1, missing=number.missing if number.none else min(NONE, number.low - 1))

    def _put_digits(self, part: KeyPart, place: VariablePlace, at: int, put: Callable[[Code, int], None]) -> None:
        """Write the elements of an array as the digits of numbers, as many to a word as fit."""
        out = self.out
        assert place.offset is not None
        for k in range(part.words):
            first, last = k * part.digits_per_word, min(place.count, (k + 1) * part.digits_per_word)
            total = out.let("digits", 0, wide=True)
            name = out.fresh("k")
            with out.counting(name, place.offset + first, place.offset + last):
                digit = STATE[name] - part.lowest if part.lowest >= 0 else STATE[name] + -part.lowest
                out.set(total, ir.Local(total) * part.radix + digit)
            put(total, at + k)
