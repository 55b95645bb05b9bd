"""Bodies of rules: core statements -> closures over a BodyRun.

A body is a program. Each run that succeeds is one way to act: its choices are the digits of an odometer, and the next
run repeats the body with the last digit moved on, until every digit has run out. So a move made of steps needs no
recursion, and what the body wrote before a `require` failed is simply dropped with the run.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

from gdl.errors import GameError, Span, clean, fault, limits
from gdl.game import Number, exact
from gdl.interpreter.closures import MOVER, Cells, Frame, Value
from gdl.interpreter.evaluator import Evaluator
from gdl.model import core
from gdl.model.domains import Named, contains, describe_type, members, size, text_of
from gdl.model.games import RulesModel, Variable
from gdl.model.walk import value_from_guard

EVERYONE, NOBODY = -1, -2  # turns that are no player's; chance step k is FIRST_STEP - k
FIRST_STEP = -3
MOST_KNOWN = 1_000  # values of a type that are looked up rather than worked out
LONGEST_SHOWN = 60  # characters of a value in a message
STOP = True  # what a statement returns to leave its `repeat`


class BodyRefusal(Exception):
    """Raised where a `require` fails or a `choose` has no option: this run is no way to act."""


class _NoOption(Exception):
    """Raised if the first `choose` in a turn of `repeat` has no option, which ends the `repeat`."""


class BodyRun:
    """One execution of a body: the cells that it writes, its choices, and what it says, pays and makes the next
    turn."""

    made = 0  # choices so far
    unnamed: GameError | None = None  # a fault that was met in making the name
    rank: Any = 0
    turn: int | None = None
    rewards: tuple[tuple[int, Number], ...] = ()  # (player, amount)
    forgotten = False
    refused = False  # whether an attempt was refused
    fresh = False  # at the start of a turn of `repeat`

    def __init__(self, cells: Cells, frame: Frame, path: list[int], menus: list[list[Any]], name: str = ""):
        self.cells = cells
        self.frame = frame
        self.path = path  # the choices to follow: an index into the options of each `choose`
        self.menus = menus  # the options of each `choose`, known beforehand where the path leads
        self.name = name
        self.events: list[tuple[int | None, str]] = []  # hearer (None: all) and what was said

    def choose(self, options: Callable[[], list[Any]]) -> Any:
        """Choose the option that the path names at this point, or the first where the path ends here. None if there are
        no options; the path notes that too, because choices may follow after a `repeat` that ends this way."""
        at = self.made
        if at == len(self.menus):
            self.menus.append(options())
            self.path.append(0)
        self.made += 1
        menu = self.menus[at]
        return menu[self.path[at]] if menu else None

    def rewards_by_player(self, players: int) -> tuple[Number, ...]:
        """The sum of each player's rewards in this run."""
        gained: list[Number] = [0] * players
        for player, amount in self.rewards:
            gained[player] += amount
        return tuple(map(exact, gained))


Step = Callable[[BodyRun], "bool | None"]
READERS = core.Let | core.Require | core.Rank | core.Choose  # statements that write no cell
Assignments = Callable[[Cells, Frame], Iterator[tuple[Any, ...]]]


def next_path(path: list[int], menus: list[list[Any]]) -> list[int] | None:
    """The path of the run after this one, as an odometer counts; None after the last. `menus` are the options at each
    choice."""
    while path and path[-1] + 1 >= len(menus[len(path) - 1]):
        path.pop()
    return [*path[:-1], path[-1] + 1] if path else None


class BodyClosures:
    """Compiles the bodies of one game."""

    def __init__(self, model: RulesModel, evaluator: Evaluator):
        self.model = model
        self.evaluator = evaluator
        self.value = evaluator.value
        self._procedures: dict[int, tuple[Step, int, int]] = {}

    def block(self, statements: tuple[core.Statement, ...]) -> Step:
        """A function that does the statements one after the other."""
        steps = [self.statement(s) for s in statements]
        if len(steps) == 1:
            return steps[0]

        def block(run: BodyRun) -> bool | None:
            for step in steps:
                if step(run):
                    return STOP
            return None

        return block

    def program(self, statements: tuple[core.Statement, ...]) -> Step:
        """The body of a rule as a function of a run. The cells are copied only when the first statement that may write
        is reached: most candidates are refused before."""
        leading = tuple(itertools.takewhile(lambda s: isinstance(s, READERS), statements))
        reads, writes = self.block(leading), self.block(statements[len(leading) :])

        def program(run: BodyRun) -> None:
            if leading:
                reads(run)
            run.cells = list(run.cells)
            writes(run)

        return program

    def statement(self, s: core.Statement) -> Step:
        made, watch = self.FORMS[type(s)](self, s), self.evaluator.watch
        return made if watch is None else watch(s, made)

    # -- effects --------------------------------------------------------------------------------------------

    def _let(self, s: core.Let) -> Step:
        value, slot = self.value(s.value), s.slot

        def let(run: BodyRun) -> None:
            run.frame[slot] = value(run.cells, run.frame)

        return let

    def _assign(self, s: core.Assign) -> Step:
        variable, span = self.model.variables[s.variable], s.span
        value, type = self.value(s.value), variable.type
        find = self.evaluator.position(variable, s.indices, span)
        known = frozenset(members(type)) if size(type) <= MOST_KNOWN else frozenset()

        def assign(run: BodyRun) -> None:
            new = value(run.cells, run.frame)
            at = find(run.cells, run.frame)
            if not isinstance(at, int):
                raise _no_such_element(variable, at, span)
            if new not in known and not contains(type, new):
                shown = _short_text(text_of(type, new))
                help = "widen its type, or forbid the action with 'require'"
                if isinstance(new, Fraction):
                    help = "variables hold whole numbers: count in smaller units, or round with 'div'"
                what = clean(variable.name.replace(".", " to "))  # a dot: how many things are left to a deal
                raise fault(f"{what} holds {describe_type(type)}, and this play assigns {shown}", span, help)
            run.cells[at] = new

        return assign

    def _require(self, s: core.Require) -> Step:
        condition = self.value(s.condition)

        def require(run: BodyRun) -> None:
            if not condition(run.cells, run.frame):
                raise BodyRefusal

        return require

    def _rank(self, s: core.Rank) -> Step:
        value = self.value(s.value)

        def rank(run: BodyRun) -> None:
            run.rank = value(run.cells, run.frame)
            if run.rank is None:
                raise fault("a rank is a number, and this is none", s.span, "ask for '!= none' first")

        return rank

    def _stop(self, s: core.Stop) -> Step:
        return lambda run: STOP

    def _forget(self, s: core.Forget) -> Step:
        def forget(run: BodyRun) -> None:
            run.forgotten = True

        return forget

    def _reward(self, s: core.Reward) -> Step:
        amounts, players = self.evaluator.values(s.amounts), self.evaluator.values(s.players)

        def reward(run: BodyRun) -> None:
            for amount, player in zip(amounts, players, strict=True):
                gained, gainer = amount(run.cells, run.frame), player(run.cells, run.frame)
                if gained is None or gainer is None:
                    what = "a reward is" if gained is None else "who gets the reward is"
                    raise fault(f"{what} none here", s.span, "ask for '!= none' first")
                run.rewards += ((gainer, gained),)

        return reward

    def _next(self, s: core.Next) -> Step:
        turn = self.turn(s.turn)

        def next(run: BodyRun) -> None:
            run.turn = turn(run.cells, run.frame)

        return next

    def turn(self, turn: core.Turn) -> Value:
        """A closure that computes whose turn is next, as a number: a player, EVERYONE, NOBODY or a chance step."""
        if turn.kind == "everyone":
            return lambda c, f: EVERYONE
        if turn.kind == "chance":
            step = FIRST_STEP - turn.step
            return (lambda c, f: step) if turn.player is None else self._step_of(self.value(turn.player), step)
        assert turn.player is not None
        player = self.value(turn.player)
        if turn.kind == "player":
            return _player_of(player, turn)
        slot, count = turn.slot, len(self.model.players)
        where = None if turn.where is None else self.value(turn.where)
        sign = 1 if turn.kind == "after" else -1

        def first(c: Cells, f: Frame) -> int:
            start = player(c, f)
            if start is None:
                raise fault("the search for the next player starts from none", turn.span, "name a player")
            for distance in range(1, count + 1):
                candidate: int = (start + sign * distance) % count
                f[slot] = candidate
                if where is None or where(c, f):
                    return candidate
            return NOBODY

        return first

    def _step_of(self, mover: Value, step: int) -> Value:
        def turn(c: Cells, f: Frame) -> int:
            c[MOVER] = mover(c, f)
            return step

        return turn

    def _say(self, s: core.Say) -> Step:
        event, type = self.value(s.event), s.type
        hearer = None if s.hearer is None else self.value(s.hearer)

        def say(run: BodyRun) -> None:
            to = None if hearer is None else hearer(run.cells, run.frame)
            if to is None and hearer is not None:
                raise fault("the hearer of this event is none", s.span, "ask for '!= none' first")
            run.events.append((to, text_of(type, event(run.cells, run.frame))))

        return say

    # -- control --------------------------------------------------------------------------------------------

    def _conditional(self, s: core.Conditional) -> Step:
        condition, then, otherwise = self.value(s.condition), self.block(s.then), self.block(s.otherwise)

        def conditional(run: BodyRun) -> bool | None:
            return then(run) if condition(run.cells, run.frame) else otherwise(run)

        return conditional

    def _for(self, s: core.For) -> Step:
        domain, body, slot = self.evaluator.domain(s.domain, s.span), self.block(s.body), s.slot
        where = None if s.where is None else self.value(s.where)

        def for_each(run: BodyRun) -> bool | None:
            for value in domain(run.cells, run.frame):
                run.frame[slot] = value
                if (where is None or where(run.cells, run.frame)) and body(run):
                    return STOP
            return None

        return for_each

    def _repeat(self, s: core.Repeat) -> Step:
        body, span = self.block(s.body), s.span

        def repeat(run: BodyRun) -> None:
            for _ in range(limits.REPEATS):
                self.evaluator.count(1, span)
                run.fresh = True
                try:
                    if body(run):
                        return
                except _NoOption:
                    return
            raise fault(f"'repeat' goes on for more than {limits.REPEATS:,} turns", span, "end it with 'stop'")

        return repeat

    def _choose(self, s: core.Choose) -> Step:
        guard, options = self.evaluator.every(s.guards), self.assignments(s.parameters)
        slots = [p.slot for p in s.parameters]
        name = self.template(s.template) if s.template else None
        types = [p.type for p in s.parameters]

        def choose(run: BodyRun) -> None:
            fresh, run.fresh = run.fresh, False
            c, f = run.cells, run.frame
            chosen = run.choose(lambda: list(options(c, f)) if guard(c, f) else [])
            if chosen is None:
                raise _NoOption if fresh else BodyRefusal
            for slot, value in zip(slots, chosen, strict=True):
                run.frame[slot] = value
            if name is not None:
                try:
                    run.name += name(run.cells, run.frame)
                except GameError as wrong:  # told if the run succeeds: only what is legal has a name
                    run.unnamed = run.unnamed or wrong
            else:
                run.name += " " + " ".join(text_of(t, v) for t, v in zip(types, chosen, strict=True))

        return choose

    def _attempt(self, s: core.Attempt) -> Step:
        body, refused = self.block(s.body), self.block(s.refused)

        def attempt(run: BodyRun) -> bool | None:
            cells, events, frame = list(run.cells), list(run.events), list(run.frame)
            turn, rank, forgotten, rewards = run.turn, run.rank, run.forgotten, run.rewards
            try:
                return body(run)
            except BodyRefusal:
                run.cells[:], run.events, run.frame[:] = cells, events, frame
                run.turn, run.rank, run.forgotten, run.refused = turn, rank, forgotten, True
                run.rewards = rewards
                return refused(run)

        return attempt

    def _try(self, s: core.Try) -> Step:
        body = self.block(s.body)

        def run_and_restore(run: BodyRun) -> None:
            cells = list(run.cells)
            body(run)
            run.cells[:] = cells

        return run_and_restore

    def _callprocedure(self, s: core.CallProcedure) -> Step:
        index, arguments = s.procedure, self.evaluator.values(s.arguments)

        def call(run: BodyRun) -> bool | None:
            if index not in self._procedures:
                procedure = self.model.procedures[index]
                self._procedures[index] = (self.block(procedure.body), procedure.frame, procedure.parameters)
            body, size, count = self._procedures[index]
            frame = run.frame
            run.frame = [a(run.cells, frame) for a in arguments] + [None] * (size - count)
            try:
                body(run)
            finally:
                run.frame = frame
            return None

        return call

    FORMS: ClassVar[dict[type, Callable[[Any, Any], Step]]] = {
        core.Let: _let,
        core.Assign: _assign,
        core.Require: _require,
        core.Rank: _rank,
        core.Stop: _stop,
        core.Forget: _forget,
        core.Reward: _reward,
        core.Next: _next,
        core.Say: _say,
        core.Choose: _choose,
        core.Repeat: _repeat,
        core.For: _for,
        core.Attempt: _attempt,
        core.Try: _try,
        core.Conditional: _conditional,
        core.CallProcedure: _callprocedure,
    }

    # -- choices --------------------------------------------------------------------------------------------

    def assignments(self, parameters: tuple[core.Parameter, ...]) -> Assignments:
        """All combinations of values of the parameters that pass their guards, in the order of their domains. When one
        is given out, its values are in the frame."""
        if not parameters:
            return lambda c, f: iter([()])
        *outer, last = [(p.slot, self._domain(p), self.evaluator.every(p.guards)) for p in parameters]
        generate = _innermost_loop([p.slot for p in parameters], *last[1:])
        for slot, domain, guard in reversed(outer):
            generate = _level(slot, domain, guard, generate)
        return generate

    def _domain(self, parameter: core.Parameter) -> Value:
        if (single := value_from_guard(parameter)) is not None:
            value, known = self.value(single[0]), {value: (value,) for value in single[1]}
            return lambda c, f: known.get(value(c, f), ())
        if parameter.count is None:
            return self.evaluator.domain(parameter.domain, parameter.span)
        source, count, span = self.value(parameter.domain), self.value(parameter.count), parameter.span

        def draws(c: Cells, f: Frame) -> Iterator[int]:
            """All sets of things that may be drawn at once, each as a whole number whose bits are its members."""
            things, number = source(c, f), count(c, f)
            if not isinstance(number, int) or number < 0:
                told = "none" if number is None else number
                raise fault(f"a draw takes a number from 0 up, and this is {told}", span, "draw 0 or more")
            self.evaluator.count(comb(len(things), number), span)
            for drawn in itertools.combinations(things, min(number, len(things) + 1)):
                yield sum(1 << item for item in drawn)

        return draws

    def template(self, template: core.Template) -> Callable[[Cells, Frame], str]:
        """The closure that makes the text of a name from a template."""
        parts = [p if isinstance(p, str) else (self.value(p[0]), p[1]) for p in template.parts]

        def text(c: Cells, f: Frame) -> str:
            try:
                return "".join(p if isinstance(p, str) else text_of(p[1], p[0](c, f)) for p in parts)
            except GameError as wrong:
                raise _in_template(wrong, template) from None

        return text


def _in_template(wrong: GameError, template: core.Template) -> GameError:
    """The fault met in making a name, placed at the `as` that asks for the name; where it lay before goes into a
    note."""
    found, where = wrong.problems[0], template.span
    if where is None or found.span is None or where.start <= found.span.start < where.end:
        return wrong
    line, column = found.span.source.position(found.span.start)
    written = found.span.source.line_text(line).strip()
    note = f"The fault is in line {line}, column {column}: {written}\n{found.note}".strip()
    return GameError(replace(found, span=where, note=note))


def _short_text(value: str) -> str:
    """A value as text for a message; of a large set only the beginning."""
    return value if len(value) <= LONGEST_SHOWN else f"{value[: LONGEST_SHOWN - 1]}…"


def _no_such_element(variable: Variable, at: Fraction | None, span: Span) -> GameError:
    """The fault of an assignment to an element that does not exist."""
    name = clean(variable.name)
    if any(isinstance(index, Named) and index.board for index in variable.indices):
        return fault(f"{name} is written off its board", span, "ask first whether the square exists")
    message = f"an index of {name} is {'none' if at is None else 'a fraction'} where it is written"
    return fault(message, span, "ask for '!= none' first" if at is None else "round it with 'div'")


def _level(slot: int, domain: Value, guard: Value, inner: Assignments) -> Assignments:
    """The loop over one parameter's values, around the loops of the parameters after it."""

    def generate(c: Cells, f: Frame) -> Iterator[tuple[Any, ...]]:
        for value in domain(c, f):
            f[slot] = value
            if guard(c, f):
                yield from inner(c, f)

    return generate


def _innermost_loop(slots: list[int], domain: Value, guard: Value) -> Assignments:
    """The loop over the last parameter's values, which yields the values of all parameters."""
    slot = slots[-1]
    chosen: Callable[[Frame], tuple[Any, ...]] = operator.itemgetter(*slots)  # of one slot it is no tuple
    alone = len(slots) == 1

    def generate(c: Cells, f: Frame) -> Iterator[tuple[Any, ...]]:
        for value in domain(c, f):
            f[slot] = value
            if guard(c, f):
                yield (value,) if alone else chosen(f)

    return generate


def _player_of(player: Value, turn: core.Turn) -> Value:
    def require_player(c: Cells, f: Frame) -> int:
        found = player(c, f)
        if found is None:
            raise fault("the next player is none", turn.span, "make sure that somebody is named")
        return int(found)

    return require_player
