"""`times`, `since` and `always` as kernel code: the key of a position, the earlier ones that have it, and the stack of
keys (past.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.printer import expression
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.expressions import Expressions, Frame
from gdl.compiler.lower.layout import Place
from gdl.compiler.lower.past import BUCKETS, FACTOR, MOST_PAST, ROUND, Noted, Part, whole
from gdl.compiler.lower.values import Listed, Mask, Number, Refused, Sequence, Value, truth
from gdl.compiler.lower.writer import Code, Writer
from gdl.model import core
from gdl.model.games import Site
from gdl.model.walk import inside

_NOTE = """
at = s[{past}]
find_past(at)
if at == {most}:
    trap({long})
while past_top[0] > at:
    past_top[0] -= 1
    forget_past(past_top[0])
past_sum[at + 1] = wrap64(past_sum[at]{sums})
past_top[0] = at + 1
"""

_PUSH = """
digest: i64 = key_{site}()
copy(past_key_{site}, at * {width}, asked_{site}, 0, {width})
past_hash_{site}[at] = digest
bucket = i32(digest & {buckets})
past_link_{site}[at] = past_head_{site}[bucket]
past_head_{site}[bucket] = at + 1
"""
_PLACE = """
digest = wrap64((digest ^ place) * {factor})
digest = wrap64((digest ^ digest >> {round}) * {factor})
return digest ^ digest >> {round}
"""
_SHARE = {  # of the digest of all positions
    "times": "return digest",
    "since": "place = i64(2 * at)" + _PLACE,
    "always": """
held = holds_{site}()
unbroken: i64 = 0
if held:
    unbroken = 1
    if at > 0:
        unbroken = past_key_{site}[at * {width} - 1] + 1
past_key_{site}[at * {width} + {key}] = unbroken
place = i64(2 * at + held)
"""
    + _PLACE,
}
_LOOK = """
find_past(s[{past}])
digest: i64 = key_{site}()
found = {start}
i = past_head_{site}[i32(digest & {buckets})]
while i > 0:
    i -= 1
    if i < count and past_hash_{site}[i] == digest:
        same = 1
        for j in range({key}):
            if past_key_{site}[i * {width} + j] != asked_{site}[j]:
                same = 0
                break
        if same:
            {met}
    i = past_link_{site}[i]
"""
_ANSWERS = {  # of each question: what is found at first, what is done where a position is met, and what comes of it
    "times": ("0", "found += 1", "return found"),
    "since": ("NONE", "return count - i", "return NONE"),
    "always": (
        "NONE",
        "found = i",
        """
if found == NONE:
    return 0
if found < count - 1 and past_key_{site}[count * {width} - 1] < count - 1 - found:
    return 0
return holds_{site}()
""",
    ),
}
_DOCS = {
    "times": "How many of the first so many positions have the key of this one.",
    "since": "How many plies ago, from the first so many positions, the last was that has the key of this one.",
    "always": "Whether one of the first so many positions has the key of this one, and the condition has held since.",
}


class Times:
    """What is asked of earlier positions, and the functions that keep them."""

    def __init__(self, context: Context, expressions: Expressions):
        self.context = context
        self.model, self.layout = context.model, context.layout
        self.module, self.out = context.module, context.out
        self.expressions = expressions
        self.within_body = False  # where the position in which the body begins is an earlier one
        self.keys: list[Noted] = []  # of each question, once they are written
        rules = (*self.model.actions, *self.model.chances, *filter(None, (self.model.resolve,)))
        forms = tuple((rule.parameters, rule.guards, rule.weight, rule.body) for rule in rules)
        self.asked_by_rules = self._asks(forms, set())

    def _asks(self, roots: Any, known: set[int]) -> bool:
        """Whether something asks for earlier positions, perhaps through what it calls."""
        for form in inside(roots):
            if isinstance(form, core.Times | core.Since | core.Always):
                return True
            called: Any = None
            if isinstance(form, core.CallDefinition):
                called = self.model.definitions[form.definition]
            elif isinstance(form, core.CallProcedure):
                called = self.model.procedures[form.procedure]
            if called is not None and id(called) not in known:
                known.add(id(called))
                if self._asks((called.result, called.body), known):
                    return True
        return False

    @property
    def counts_itself(self) -> bool:
        """Whether code that is written now takes the position in which a body begins for an earlier one."""
        return self.asked_by_rules and self.within_body

    def times(self, e: core.Times, frame: Frame) -> Value:
        return Number(self._asked(e.site), 0, MOST_PAST)

    def since(self, e: core.Since, frame: Frame) -> Value:
        return Number(self._asked(e.site), 1, MOST_PAST, none=True)

    def always(self, e: core.Always, frame: Frame) -> Value:
        return truth(ir.Local(self.out.let("ever", expression(self._asked(e.site)))))

    def _asked(self, site: int) -> ir.Expr:
        """The call that answers a question."""
        assert self.layout.past is not None
        count: ir.Expr = ir.Load(STATE, ir.Const(self.layout.past))
        count = ir.Binary("+", count, ir.Const(1)) if self.within_body else count
        return ir.Call(f"{self.model.times[site].kind}_{site}", (count,), ir.I32)

    @property
    def lost(self) -> int:
        """The trap where the past of a state is not known."""
        return self.module.trap("the positions before this one are not known to the search", None)

    def note(self) -> None:
        """The position is noted, as an earlier one to those that follow."""
        if self.model.times:
            self.out.calls("note_past")

    def count(self) -> None:
        """From here on the position that was noted is an earlier one."""
        if self.layout.past is not None:
            at = self.layout.past
            self.out.emit(f"s[{at}] += 1")
            self.out.emit(f"w[{at // 2 + 1}] = past_sum[s[{at}]]")

    # -- functions ------------------------------------------------------------------------------------------

    def write_past(self) -> None:
        """The functions that know earlier positions, and their memory."""
        if self.layout.past is None:
            return
        for number, site in enumerate(self.model.times):
            self._write_site(number, site)
        sites = range(len(self.keys))
        at = self.layout.past
        long = self.module.trap(f"a play that remembers its positions takes more than {MOST_PAST:,} plies", None)
        self._write("recall_past(at: i32) -> None", "A search that keeps states knows more.", [f"trap({self.lost})"])
        lines = [f"if at > past_top[0] or past_sum[at] != w[{at // 2 + 1}]:", "    recall_past(at)"]
        self._write("find_past(at: i32) -> None", "Earlier positions lie on the stack, or nothing is said.", lines)
        lines = [f"past_head_{k}[i32(past_hash_{k}[i] & {BUCKETS - 1})] = past_link_{k}[i]" for k in sites]
        self._write("forget_past(i: i32) -> None", "Take the last position off the stack.", lines)
        sums = "".join(f" + push_{k}(at)" for k in sites)
        lines = _NOTE.format(past=at, most=MOST_PAST, long=long, sums=sums).strip().splitlines()
        self._write("note_past() -> None", "Put the position on the stack, above those that came before it.", lines)

    def _write(self, header: str, doc: str, lines: list[str]) -> None:
        out = Writer()
        out.text(lines)
        self.module.function(f"def {header}", doc, out)

    def _write_site(self, number: int, site: Site) -> None:
        """The functions of one question: `key_k()` writes the key of the position to `asked_k`, `push_k` keeps it, and
        one looks for it."""
        noted = Noted(site.kind, self._write_key(number, site.key))
        if site.condition is not None:
            self.context.begin()
            with self.expressions.when([site.condition], {}) as possible:
                if possible:
                    self.out.returns(1)
            self.out.returns(0)
            self.context.function(f"def holds_{number}() -> i32", "Whether the condition holds in the position.")
        start, met, answer = _ANSWERS[site.kind]
        names = {
            "site": number, "key": noted.key, "width": noted.words, "buckets": BUCKETS - 1, "factor": FACTOR,
            "round": ROUND, "past": self.layout.past, "start": start, "met": met,
        }  # fmt: skip
        lines = (_PUSH + _SHARE[site.kind]).format(**names).strip().splitlines()
        doc = "Keep what is noted of the position, at this height; its share of the digest."
        self._write(f"push_{number}(at: i32) -> i64", doc, [line for line in lines if line])
        lines = (_LOOK + answer).format(**names).strip().splitlines()
        self._write(f"{site.kind}_{number}(count: i32) -> i32", _DOCS[site.kind], [line for line in lines if line])
        self.keys.append(noted)

    def _write_key(self, site: int, expressions: tuple[core.Expression, ...]) -> tuple[Part, ...]:
        """`key_k()`, and the parts of the key."""
        self.context.begin()
        self.out.emit(f"h: i64 = {site}")
        parts: list[Part] = []
        for part in expressions:
            parts.append(self._key_part(part, f"asked_{site}", sum(one.words for one in parts)))
        self.out.returns("h")
        self.context.function(f"def key_{site}() -> i64", "The key of the position, and its hash.")
        return tuple(parts)

    def _key_part(self, e: core.Expression, asked: str, at: int) -> Part:
        """Write the words of a part of a key from there on."""

        def put(code: Code, place: int) -> None:
            self.out.set("word", code, ir.I64 if at == 0 and place == 0 else None)
            self.out.store(asked, place, "word")
            self.out.set("h", f"wrap64((h ^ word) * {FACTOR})")
            self.out.set("h", f"h ^ (h >> {ROUND})")

        if isinstance(e, core.Whole):
            place = self.layout.places[e.variable]
            part = whole(place)
            if place.plane is None and not place.is_set:
                self._put_digits(part, place, at, put)
            else:
                start = place.long if place.is_set else place.plane
                assert start is not None
                (self.out.lines.by_plane if place.plane is not None else set()).add(place.number)
                for k in range(part.words):
                    put(ir.Load(WORDS, ir.Const(start + k)), at + k)
            return part
        value = self.expressions.value(e, {})
        if isinstance(value, Mask):
            for k, word in enumerate(self.out.bound_mask(value).words):
                put(word.code, at + k)
            return Part(len(value.words), set=True)
        if isinstance(value, Sequence | Listed):
            raise Refused("the comparison of lists in earlier positions")
        number = on.as_number(value)
        if number.scale != 1:
            raise Refused("the comparison of fractions in earlier positions")
        put(number.code, at)
        return Part(1)

    def _put_digits(self, part: Part, place: Place, at: int, put: Callable[[Code, int], None]) -> None:
        """Elements as the digits of numbers."""
        out = self.out
        assert place.offset is not None
        out.lines.by_element.add(place.number)
        for k in range(part.words):
            first, last = k * part.each, min(place.count, (k + 1) * part.each)
            total = out.let("digits", 0, wide=True)
            name = out.fresh("k")
            with out.block(f"for {name} in range({place.offset + first}, {place.offset + last})"):
                digit = f"s[{name}] - {part.lowest}" if part.lowest >= 0 else f"s[{name}] + {-part.lowest}"
                out.emit(f"{total} = {total} * {part.radix} + ({digit})")
            put(total, at + k)
