"""Choices in bodies.

A `choose` takes what the path of its run says; where the path ends it lists its options and takes the first. So a body
with choices is an odometer: the next run follows the same path with its last choice moved on. The path is in `chosen`;
the functions of `kernels/odometer.py` keep the options of its levels, and move it on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

from gdl.analysis.dependence import all_inside
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, conjunction, i32, plus
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower.arrays import CHOSEN, ODOMETER
from gdl.compiler.lower.bodies import UNREACHED, BodyLowering
from gdl.compiler.lower.code_values import NOTHING, Mask, Number, Sequence, UnsupportedConstruct, Value, WordCode
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.ways import Ways, joined_ways
from gdl.compiler.lower.writer import TOO_MANY
from gdl.model import core


class Choices(Part):
    """Lowering of choices in bodies."""

    def __init__(self, bodies: BodyLowering, naming: Naming, ways: Ways):
        super().__init__(bodies.expressions)
        self.bodies, self.naming, self.ways = bodies, naming, ways
        self.telling: set[int] = set()  # ids of the choices for which a path records whether there was any option
        self.most_held = 0  # words besides the state by which the runs of a body are told apart where they choose
        self._ends_told = {id(choose) for rule in self.rules.all for choose in self._choices_after_repeat(rule.body)}
        self._merging = {
            id(choose): site
            for rule in self.model.actions
            for site, choose in enumerate(chosen_alike(rule.body))
            if rule.merge
        }

    def _choices_after_repeat(self, body: tuple[core.Statement, ...]) -> list[core.Choose]:
        """All choices of a body, if one of them may come after a `repeat` that ended since there was nothing left to
        choose; else none."""
        forms = list(all_inside(self.model, body))
        choices = [form for form in forms if isinstance(form, core.Choose)]
        loops = sum(isinstance(form, core.Repeat | core.For) for form in forms)
        return choices if len(choices) > 1 or loops > 1 else []

    def choose(self, s: core.Choose, frame: Frame) -> bool:
        """Write a choice: take what the path says; where the path ends, list the options as its new last level and take
        the first."""
        out, taken = self.out, dict(frame)
        ways: list[list[Value]] = []
        # The path records whether there was any option, where having none ends a `repeat` around the choice.
        told: list[Code] = [1] if id(s) in self._ends_told and self.bodies.leads_inside("no option") else []
        self.telling |= {id(s)} if told else set()
        # The path ends here: this choice is met for the first time in this run.
        with out.when(compare("at", "==", ODOMETER[0])):
            out.set("first", ODOMETER[2])
            out.set("top", "first")

            def option() -> None:
                ways.append([taken[p.slot] for p in s.parameters])
                words = [*told, *(code for value in ways[-1] for code in words_of_choice(value))]
                with out.when(compare(ir.Local("top") + len(words), ">", "OPTIONS")):
                    out.trap(TOO_MANY)
                for k, code in enumerate(words):
                    out.store("option", plus("top", k), code)
                out.update("top", "+", len(words))
                if self.context.asks:
                    out.store("odometer", 2, "top")  # what a trial chooses comes after these

            self.ways.assignments(s, taken, option, lambda: self._leave_if_seen(s, frame))
            with out.when(compare("top", "==", "first")):
                self._nothing_to_choose(bool(told))
            values = joined_ways(ways)
            # All options of a choice have the same width, so a level is moved on by adding it.
            width = len(told) + sum(len(words_of_choice(value)) for value in values)
            with out.otherwise() if told else nullcontext():
                out.calls("extend_path", "at", "first", "top", width)
        if told:
            # The word before an option says whether there was one: 0 is the end of the `repeat`.
            with out.when(compare(CHOSEN["at"], "==", 0)):
                out.update("at", "+", 1)
                self.bodies.leave("no option")
        if not values:
            return UNREACHED
        self._take(s, frame, values, len(told))
        return True

    def _leave_if_seen(self, s: core.Choose, frame: Frame) -> None:
        """Write the end of a run that comes to this choice just as an earlier run did: it can find nothing new. Only
        for rules whose equal results are one action."""
        site = self._merging.get(id(s))
        names = None if site is None else held_names(frame)
        if site is None or names is None:
            return
        turns, ranks = self.bodies.turns[-1:], [array("run_rank")[0]] if self.rules.ranked else []
        # All that decides how the run goes on, besides the state: which choice this is, the names, turns and rank so
        # far.
        held: list[Code] = [site, *names, *turns, *ranks]
        self.most_held = max(self.most_held, len(held))
        for k, code in enumerate(held):
            self.out.store("held", k, code)
        with self.out.when(conjunction(ODOMETER[3], call("seen_before", len(held)))):
            self.bodies.leave("refused")

    def _nothing_to_choose(self, told: bool) -> None:
        """Write the case that a choice has no option: it ends the `repeat` around it if this is the first choice of a
        turn; otherwise the run is refused. `told`: the path records that there was none."""
        if told:
            with self.out.when(compare("fresh", "==", 0)):
                self.bodies.leave("refused")
            self.out.store("option", "first", 0)
            self.out.calls("extend_path", "at", "first", plus("first", 1), 1)
            return
        if self.bodies.leads_inside("no option"):
            with self.out.when("fresh"):
                self.bodies.leave("no option")
        self.bodies.leave("refused")

    def _take(self, s: core.Choose, frame: Frame, values: list[Value], at: int) -> None:
        """Read the chosen values from the path into the frame; they begin `at` words after the present place in the
        path."""
        for parameter, value in zip(s.parameters, values, strict=True):
            words = len(words_of_choice(value))
            codes: list[ir.Expr] = [CHOSEN[plus("at", at + k)] for k in range(words)]
            frame[parameter.slot] = self.context.bound(choice_from_words(value, codes), "choice")
            at += words
        self.out.update("at", "+", at)
        if self.bodies.leads_inside("no option"):
            self.out.set("fresh", 0)
        self.naming.extend(s, frame)


def words_of_choice(value: Value) -> list[ir.Expr]:
    """The expressions for the words in which a chosen value is stored."""
    match value:
        case Number():
            if value.scale != 1:
                raise UnsupportedConstruct("a choice of fractions")
            return [value.code]
        case Mask():
            return [word.code for word in value.words]
        case Sequence():
            return [value.row.code]
    raise UnsupportedConstruct("a choice of lists")


def choice_from_words(value: Value, codes: list[ir.Expr]) -> Value:
    """The chosen value, read back from the words in which it is stored; `value` gives its kind and bounds."""
    match value:
        case Number():
            if value.is_none:
                return replace(value, code=NOTHING.code)
            if value.constant is not None:
                return replace(value, code=ir.Const(value.constant))
            return replace(value, code=codes[0] if value.wide else i32(codes[0]))
        case Mask():
            return replace(value, words=tuple(WordCode(code) for code in codes), bits=None)
        case Sequence():
            return replace(value, row=replace(value.row, code=i32(codes[0])), values=None)
    raise UnsupportedConstruct("a choice of lists")


def chosen_alike(body: tuple[core.Statement, ...], repeated: bool = False) -> Iterator[core.Choose]:
    """The choices of a body at which two runs can be compared, since all that follows depends on the state, the values
    of names and the turn of a `repeat` alone. `repeated`: the body is already inside a `repeat`."""
    for statement in body:
        match statement:
            case core.Choose():
                yield statement
            case core.Repeat() if not repeated:
                yield from chosen_alike(statement.body, True)
            case core.Conditional():
                yield from chosen_alike(statement.then, repeated)
                yield from chosen_alike(statement.otherwise, repeated)


def held_names(frame: Frame) -> list[ir.Expr] | None:
    """The expressions that hold the values of names in the rules, constants left out; None if a value is not held in
    variables."""
    names: list[ir.Expr] = []
    for value in frame.values():
        match value:
            case Number() if value.constant is not None or value.is_none:
                pass
            case Number() if isinstance(value.code, ir.Local):
                names.append(value.code)
            case Mask() if all(word.atomic for word in value.words):
                names += [word.code for word in value.words if word.constant is None]
            case Sequence() if value.values is not None:
                pass
            case Sequence() if value.row.atomic:
                names.append(value.row.code)
            case _:
                return None
    return names
