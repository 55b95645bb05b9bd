"""Labels of a game for a person: the names of rows, piece by piece, and the cells of a state that a player sees.

`name_row(i)` writes into `label` how many pieces the name of row i has, and two words for each piece: the number of a
type (TypeNumbers) and a value of that type. A piece with a negative first word is no part of the text, but tells what
the row names on a board: SQUARE minus the number of a type of squares, with the square, or COLUMN with a column.
`look(viewer)` writes the cells into `shown`, and into `hides` which of them this player does not see; a viewer below 0
sees everything.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.analysis.name_forms import template_of
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, compare, plus
from gdl.compiler.lower.arrays import MOVE
from gdl.compiler.lower.code_values import (
    Number,
    UnsupportedConstruct,
    Value,
    limits_of,
    locate_refusals,
    with_missing,
)
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.state_layout import VariablePlace, missing_of
from gdl.compiler.lower.views import Views
from gdl.interpreter.closures import FIRST_CELL
from gdl.model import core, walk
from gdl.model.domains import TEXT, Named, Optional, Sequence, SetType, Type, board_of
from gdl.model.games import Rule, Variable

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

        self.loops.write_each(
            self.loops.domain(core.Members(e) if isinstance(type, SetType) else e, frame), frame, member
        )
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
