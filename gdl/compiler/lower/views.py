"""Views of players, in words: a player's views of two states are the same exactly where these words are.

`observe()` writes into `sight` whose turn it is and what all players see, then what each of them sees alone: an element
that is hidden from a player is a word that no number is. `hear(i)` writes who is told of what row i does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add

from gdl.analysis.traits import tells_actor
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import compare, i32
from gdl.compiler.lower.arrays import MOVE, STATE, WORDS
from gdl.compiler.lower.code_values import (
    I32,
    Number,
    UnsupportedConstruct,
    Value,
    literal,
    locate_refusals,
)
from gdl.compiler.lower.loops import Loops, NumberSpan
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.rows import RowLowering
from gdl.compiler.lower.state_layout import MOVER, TURN, VariablePlace
from gdl.interpreter.bodies import FIRST_STEP
from gdl.model.domains import Type, members
from gdl.model.games import Rule

HIDDEN = -I32  # stands for a hidden element; no number in a state is that


class Views(Part):
    """Writes the functions that give what players see and hear."""

    def __init__(self, loops: Loops, rows: RowLowering):
        super().__init__(loops.expressions)
        self.players = range(len(self.model.players))
        self.loops, self.rows = loops, rows
        self.public = self.private = 0  # how many words all players see, and how many each player sees alone

    # -- seeing ---------------------------------------------------------------------------------------------

    def write_observe(self) -> None:
        """Write `observe()`, and count the words that it fills."""
        shown = {
            kind: [p for p in self.layout.places if p.variable.visibility.kind == kind] for kind in ("all", "when")
        }
        owned = [place for place in self.layout.places if place.variable.visibility.kind == "owner"]
        self.public = 1 + sum(_words(place) for place in shown["all"])
        self.private = sum(place.each * self._share(place) for place in owned)
        self.private += sum(_width(place) * place.count for place in shown["when"])
        self.context.begin()
        # Everybody sees whose turn it is; of chance steps, the name.
        self.out.store("sight", 0, STATE[TURN])
        for number, step in enumerate(self.model.chances):
            if step.drawn not in (None, number):
                with self.out.when(compare(STATE[TURN], "==", FIRST_STEP - number)):
                    self.out.store("sight", 0, FIRST_STEP - step.drawn)
        at = 1
        for place in shown["all"]:
            at = self._write_public_words(place, at)
        for player in self.players:
            for place in owned:
                at = self._copy_own_part(place, player, at)
            for place in shown["when"]:
                at = self._conditional(place, player, at)
        self.context.function("observe", "Write the words that each player sees of the state to `sight`.")

    def _share(self, place: VariablePlace) -> int:
        """The number of elements of an array that each player owns."""
        return place.count // len(self.players)

    def _write_public_words(self, place: VariablePlace, at: int) -> int:
        """Write the words of a variable that everybody sees, to `sight` from `at` on; gives the end."""
        if place.offset is not None:
            return self._copy_words(place.offset, place.count * place.each, at)
        assert place.plane is not None
        # Only planes are held: their words tell arrays apart as well as the elements would.
        return self._copy_words(2 * place.plane, _words(place), at)

    def _copy_own_part(self, place: VariablePlace, player: int, at: int) -> int:
        """Write the part of an array that one player owns, to `sight` from `at` on; gives the end."""
        count = self._share(place) * place.each
        if place.offset is not None:
            return self._copy_words(place.offset + player * count, count, at)
        k = ir.Local("k")
        with self.out.counting("k", None, count):
            self.out.store("sight", ir.Const(at) + k, self.element(place, ir.Const(player * count) + k))
        return at + count

    def element(self, place: VariablePlace, k: ir.Expr, numbers: list[int] | None = None) -> ir.Expr:
        """Code of the number of the value of an array's element `k`. An array may be held in planes alone, a set of
        places for each value but one: then it is the one of `numbers` (else 1, 2, …) that belongs to the plane whose
        set has `k`, and 0 if no set has it."""
        if place.offset is not None:
            return STATE[ir.Const(place.offset) + k]
        parts: list[ir.Expr] = []
        for number, value in zip(numbers or range(1, len(place.values) + 1), place.values, strict=True):
            plane = ir.Const(place.plane_of(value))
            word = WORDS[plane] >> k if place.words == 1 else WORDS[plane + (k >> 6)] >> (k & 63)
            parts.append(i32(word & 1) * number)
        return reduce(add, parts)

    def _copy_words(self, start: int, count: int, at: int) -> int:
        self.out.copies("sight", at, "s", start, count)
        return at + count

    def _conditional(self, place: VariablePlace, player: int, at: int) -> int:
        """Write the elements that a player sees on a condition, to `sight` from `at` on; gives the end. For sets, a
        word before each says whether it is seen."""
        visibility, width, offset = place.variable.visibility, _width(place), place.offset or 0
        assert visibility.condition is not None
        end = at + width * place.count
        with self.out.counting("k", at, end):
            # A set has no value to spare that could mean "hidden", so a word before it says whether it is seen.
            self.out.store("sight", "k", HIDDEN if width == 1 else 0)
        frame: Frame = {visibility.slot: literal(player)}
        condition = visibility.condition

        def show(k: ir.Expr) -> None:
            with self.expressions.when([condition], dict(frame)) as possible:
                if possible and width == 1:
                    self.out.store("sight", ir.Const(at) + k, self.element(place, k))
                elif possible:
                    self.out.store("sight", ir.Const(at) + ir.Const(width) * k, 1)
                    for word in range(place.each):
                        held = STATE[ir.Const(offset + word) + ir.Const(place.each) * k]
                        self.out.store("sight", ir.Const(at + 1 + word) + ir.Const(width) * k, held)

        with locate_refusals(place.variable.span):
            self.each_element(place.variable.indices, frame, show)
        return end

    def each_element(
        self, indices: tuple[Type, ...], frame: Frame, show: Callable[[ir.Expr], None], slot: int = 0,
        number: ir.Expr | None = None,
    ) -> None:  # fmt: skip
        """Write the lines of `show` for every element of an array, by loops over its indices from `slot` on. `number`
        is the code of the element's number from the indices before; None if there are none."""
        if slot == len(indices):
            show(ir.Const(0) if number is None else number)
            return
        values = members(indices[slot])
        if not isinstance(values, range):
            raise UnsupportedConstruct("visibility of an array by truths")

        def chosen(value: Value) -> None:
            assert isinstance(value, Number)
            frame[slot] = value
            step = value.code - values.start if values.start else value.code
            inner = step if number is None else number * len(values) + step
            self.each_element(indices, frame, show, slot + 1, inner)

        self.loops.write_each(NumberSpan(literal(values.start), literal(values.stop - 1)), frame, chosen)

    # -- hearing --------------------------------------------------------------------------------------------

    def write_hear(self) -> None:
        """Write `hear(i)`, which notes the players who hear of row `i`; nothing where nobody hears of others'
        actions."""
        if not self.rules.hears:
            return
        out = self.out
        self.context.begin()
        with out.counting("p", None, "PLAYERS"):
            out.store("hears", "p", 0)
        out.set("at", ir.Local("i") * "WIDTH")
        for index in sorted(self.rows.heads):
            rule = self.rules.all[index]
            if rule.hearers is not None:
                with out.when(compare(MOVE["at"], "==", index)):
                    self._hearers(index, rule)
                    if index < len(self.model.actions) and not tells_actor(self.model, rule):
                        # Who acts is not told: players remember what they do.
                        out.store("hears", STATE[MOVER], 0)
        self.context.function("hear", "Note in `hears` the players who are told of row i.", i=ir.I32)

    def _hearers(self, index: int, rule: Rule) -> None:
        """Write code that notes each player who hears of a row of this rule."""
        assert rule.hearers is not None
        frame = self.rows.head_frame(index)
        for player in self.players:
            frame[rule.hearers.slot] = literal(player)
            conditions = [] if rule.hearers.condition is None else [rule.hearers.condition]
            with locate_refusals(rule.span), self.expressions.when(conditions, dict(frame)) as possible:
                if possible:
                    self.out.store("hears", player, 1)


def _words(place: VariablePlace) -> int:
    """The number of words that a variable takes in a view, if all its elements are seen."""
    return 2 * place.words * len(place.values) if place.offset is None else place.count * place.each


def _width(place: VariablePlace) -> int:
    """The number of words that an element takes in a view, if it is seen on a condition: 1 for a number; for a set its
    own words, after one that says whether it is seen."""
    return 1 + place.each if place.is_set else 1
