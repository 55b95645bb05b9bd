"""Views of players, in words, and labels of a game for a person: the names of rows, and the cells that a player sees.

A player's views of two states are the same exactly where the words of `sight` are. `observe()` writes there whose turn
it is and what all players see, then what each of them sees alone: an element that is hidden from a player is a word
that no number is. `hear(i)` writes who is told of what row i does.

`name_row(i)` writes into `label` how many pieces the name of row i has, and two words for each piece: the number of a
type (TypeNumbers) and a value of that type. A piece with a negative first word is no part of the text, but tells what
the row names on a board: SQUARE minus the number of a type of squares, with the square, or COLUMN with a column.
`look(viewer)` writes the cells into `shown`, and into `hides` which of them this player does not see; a viewer below 0
sees everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from operator import add

from gdl.analysis.name_forms import template_of
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, compare, i32, plus
from gdl.compiler.lower.arrays import MOVE, STATE, WORDS
from gdl.compiler.lower.code_values import (
    I32,
    Number,
    UnsupportedConstruct,
    Value,
    limits_of,
    literal,
    locate_refusals,
    with_missing,
)
from gdl.compiler.lower.loops import Loops, NumberSpan
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.rows import RowLowering
from gdl.compiler.lower.state_layout import MOVER, TURN, VariablePlace, missing_of
from gdl.interpreter.bodies import EVERYONE
from gdl.interpreter.closures import FIRST_CELL
from gdl.model import core, walk
from gdl.model.domains import TEXT, Named, Optional, Sequence, SetType, Type, board_of, members
from gdl.model.games import Rule, Variable

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
        # Everybody sees whose turn it is.
        self.out.store("sight", 0, STATE[TURN])
        at = 1
        for place in shown["all"]:
            at = self._all(place, at)
        for player in self.players:
            for place in owned:
                at = self._copy_own_part(place, player, at)
            for place in shown["when"]:
                at = self._conditional(place, player, at)
        self.context.function("observe", "Write the words that each player sees of the state to `sight`.")

    def _share(self, place: VariablePlace) -> int:
        """The number of elements of an array that each player owns."""
        return place.count // len(self.players)

    def _all(self, place: VariablePlace, at: int) -> int:
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
        """Code of the number of an array's element `k`; for an array held in planes alone, the one of `numbers` that
        belongs to the plane that has the element (if they are not given, planes are counted from 1), and 0 for the
        background."""
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

        self.loops.each(NumberSpan(literal(values.start), literal(values.stop - 1)), frame, chosen)

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
        if self.model.actions:
            with out.when(compare(STATE[TURN], ">=", EVERYONE)):
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
    if place.offset is not None:
        return place.count * place.each
    return 2 * place.words * len(place.values)


def _width(place: VariablePlace) -> int:
    """The number of words that an element takes in a view, if it is seen on a condition: 1 for a number; for a set its
    own words, after one that says whether it is seen."""
    return 1 + place.each if place.is_set else 1


MOST_PIECES = 1 << 12  # the most pieces of a name
COLUMN, SQUARE = -1, -2  # first words of pieces that are no part of the text


class TypeNumbers:
    """Numbers for the types that pieces of names refer to; 0 is the type of texts. A denominator of fractions has a
    number in the same series."""

    def __init__(self) -> None:
        self.types: list[Type | int] = []
        self._numbers: dict[int, int] = {}
        self.number(TEXT)

    def number(self, type: Type | int) -> int:
        # `types` keeps every type alive, so no other type can get its id. A denominator is below zero, where no id is.
        key = -type if isinstance(type, int) else id(type)
        if key not in self._numbers:
            self._numbers[key] = len(self.types)
            self.types.append(type)
        return self._numbers[key]


class Labels(Part):
    """Writes the functions that give what a person is shown: names of rows, and cells."""

    def __init__(self, views: Views):
        super().__init__(views.expressions)
        self.views, self.loops, self.rows = views, views.loops, views.rows
        self.bodies, self.naming = views.rows.bodies, views.rows.naming
        self.texts: dict[str, int] = {}
        self.types = TypeNumbers()

    # -- names ----------------------------------------------------------------------------------------------

    def write_names(self) -> None:
        """Write `name_row(i)`, and the bodies that it runs for the names of choices."""
        self._write_put_piece()
        paths = [index for index in sorted(self.rows.heads) if self.rules.has_path(self.rules.all[index])]
        # Names of choices depend on the state in the middle of a body: so the bodies are run once more, and tell pieces
        # of names on the way.
        with self.naming.noting_choices(self._put_head):
            self.rows.write_bodies(paths, "name_")
        self.context.begin()
        self.out.store("label", 0, 0)
        self.out.set("at", ir.Local("i") * "WIDTH")
        self.out.set("rule", MOVE["at"])
        for index in sorted(self.rows.heads):
            rule = self.rules.all[index]
            with self.out.when(compare("rule", "==", index)), locate_refusals(rule.span), self.context.judging(index):
                self._put_name(index, rule)
        self.context.function("name_row", "Write the pieces of the name of row i.", i=ir.I32)

    def _write_put_piece(self) -> None:
        self.context.begin()
        self.out.set("n", array("label")[0])
        with self.out.when(compare("n", "<", MOST_PIECES)):
            for k, word in enumerate(("kind", "piece"), start=1):
                self.out.store("label", plus(ir.Local("n") * 2, k), word)
            self.out.store("label", 0, plus("n", 1))
        self.context.function("put_piece", "Append a piece to the name.", kind=ir.I32, piece=ir.I32)

    def _put_name(self, index: int, rule: Rule) -> None:
        frame = self.rows.head_frame(index)
        self._put_head(rule, frame)
        for parameter in rule.parameters:
            if parameter.axis == "Column":
                self._put(COLUMN, self.expressions.number(core.Local(parameter.slot), frame).code)
        for square, kind in _squares_asked_of(rule, self.context.model.variables):
            self._put(SQUARE - self.types.number(kind), self.expressions.number(square, frame).code)
        if self.rules.has_path(rule):
            self.bodies.begin_events()
            self.out.copies("before_name", 0, "s", 0, "STATE")
            self.rows.follow_path(index)
            self.out.calls(f"name_{self.rows.rule_name(index)}", *self.rows.head_codes(index))
            self.out.copies("s", 0, "before_name", 0, "STATE")

    def _put_head(self, head: Rule | core.Choose, frame: Frame) -> None:
        """Write code that appends the pieces of a rule's head, or of what has been chosen, to the name."""
        for part in template_of(head).parts:
            if isinstance(part, str):
                self._put_text(part)
            else:
                self._put_value(part[0], part[1], dict(frame))
        for parameter in head.parameters:
            kind = parameter.type.item if isinstance(parameter.type, Optional) else parameter.type
            if isinstance(kind, Named) and (kind.board or kind.graph):  # squares, and edges between points
                square = self.expressions.number(core.Local(parameter.slot), frame)
                self._put(SQUARE - self.types.number(kind), square.code)

    def _put_value(self, e: core.Expression, type: Type, frame: Frame) -> None:
        if not isinstance(type, SetType | Sequence):
            number = self.expressions.number_or_none(e, frame)
            self._put_number(with_missing(number, missing_of(type)) if number.none else number, type)
            return
        opening, closing = "{}" if isinstance(type, SetType) else "[]"
        self._put_text(opening)
        several = self.out.let("several", 0)

        def member(value: Value) -> None:
            assert isinstance(value, Number)
            with self.out.when(several):
                self._put_text(", ")
            self.out.set(several, 1)
            self._put_number(value, type.item)

        self.loops.each(self.loops.domain(core.Members(e) if isinstance(type, SetType) else e, frame), frame, member)
        self._put_text(closing)

    def _put_number(self, number: Number, type: Type) -> None:
        if number.wide:
            raise UnsupportedConstruct("names made of numbers of more than 32 bits")
        self._put(self.types.number(type if number.scale == 1 else number.scale), number.code)

    def _put_text(self, text: str) -> None:
        self._put(self.types.number(TEXT), ir.Const(self.texts.setdefault(text, len(self.texts))))

    def _put(self, kind: int, code: ir.Expr) -> None:
        self.out.calls("put_piece", kind, code)

    # -- cells ----------------------------------------------------------------------------------------------

    @property
    def cells(self) -> int:
        return sum(place.count for place in self.layout.places)

    @property
    def words(self) -> int:
        """The number of words that all cells take."""
        return sum(place.count * place.each for place in self.layout.places)

    def write_look(self) -> None:
        """Write `look(viewer)`, which fills `shown` with the numbers of all cells, and `hides` with 1 for each cell
        that the viewer does not see, 0 for the others. A viewer below 0 sees everything."""
        out = self.out
        self.context.begin()
        at = 0
        for place in self.layout.places:
            count = place.count * place.each
            if place.offset is not None:
                out.copies("shown", at, "s", place.offset, count)
            else:
                with out.counting("k", None, count):
                    gains = [value - place.background for value in place.values]
                    value = self.views.element(place, ir.Local("k"), gains) + place.background
                    out.store("shown", ir.Const(at) + "k", value)
            at += count
        with out.counting("k", None, self.cells):
            out.store("hides", "k", 0)
        with out.when(compare("viewer", "<", 0)):
            out.returns()
        for place in self.layout.places:
            if place.variable.visibility.kind != "all":
                self._hide(place, place.variable.place - FIRST_CELL)
        self.context.function("look", "Write all cells to `shown`, the unseen ones to `hides`.", viewer=ir.I32)

    def _hide(self, place: VariablePlace, first: int) -> None:
        out, visibility = self.out, place.variable.visibility
        # Hidden first, and then shown where the condition holds.
        with out.counting("k", first, first + place.count):
            out.store("hides", "k", 1)
        if visibility.kind == "owner":
            share = place.count // len(self.context.model.players)
            with out.counting("k", None, share):
                out.store("hides", ir.Local("viewer") * share + "k" + first, 0)
        elif visibility.kind == "when":
            viewer = limits_of(0, len(self.context.model.players) - 1).with_name("viewer")
            frame: Frame = {visibility.slot: viewer}
            assert visibility.condition is not None
            conditions = [visibility.condition]

            def show(k: ir.Expr) -> None:
                with self.expressions.when(conditions, dict(frame)) as possible:
                    if possible:
                        out.store("hides", k + first, 0)

            with locate_refusals(place.variable.span):
                self.views.each_element(place.variable.indices, frame, show)


def _squares_asked_of(rule: Rule, variables: tuple[Variable, ...]) -> Iterator[tuple[core.Expression, Type]]:
    """For an action whose head names no square: the first square (an expression and its type) that a guard reads and
    that follows from the head's parameters, as the house from which seeds are sown. Yields at most one."""
    slots = {parameter.slot for parameter in rule.parameters}
    asked = [part for parameter in rule.parameters for guard in parameter.guards for part in walk.parts(guard)]
    found = [(e.indices[-1], variables[e.variable].indices[-1]) for e in asked if isinstance(e, core.Element)]
    for square, kind in found if not any(each.axis or board_of(each.type) for each in rule.parameters) else ():
        locals = {each.slot for each in walk.inside(square) if isinstance(each, core.Local)}
        if board_of(kind) and locals and locals <= slots:
            yield square, kind
            return
