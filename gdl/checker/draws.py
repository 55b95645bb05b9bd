"""Chance that returns: `draw STEP(arguments) N times` in a body becomes chance steps that go on where it stopped.

1. Each draw is a chance step of its own: the step that it names, whose first parameters are given, and behind its
   effects all that is still to be done where it stands: the rest of its block, of the blocks around, of their loops.
2. What is still to be known then, local names and arguments, is kept in variables of the state, which have their first
   values again when it is done. So equal positions stay equal.
3. Where a draw is met, what follows in the body is left out: a local name says that it was met.

Engines see steps and variables alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gdl.analysis.dependence import all_inside
from gdl.analysis.kept_values import opening
from gdl.analysis.traits import everyone_moves
from gdl.checker.constants import constant_value
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import LocalFrame, Scope, Typed
from gdl.checker.types import base_type
from gdl.errors import Span, count_text
from gdl.model import core
from gdl.model.domains import TRUTH, Named, Range, SetType, Type, default_value, describe_type
from gdl.model.games import Clause, Rule, RulesModel
from gdl.model.rewriting import add_variable, first_span, replace_forms
from gdl.model.walk import BLOCKS, everything, inside
from gdl.record import Record

MOST_TIMES = 1_000  # the most draws of one line
Names = tuple[tuple[str, int, Type], ...]  # local names, each with its slot and its type


class Draw(Record):
    """A chance step done in the middle of a body, which continues afterwards. `count` is how often it is done (None:
    once); `names` are the local names known at that place."""

    step: int
    arguments: tuple[Typed, ...]
    count: core.Expression | None
    names: Names
    span: Span


After = Callable[[tuple[Any, ...]], tuple[Any, ...]]  # the rest of an inner block -> all that is still to be done


class _Owner(NamedTuple):
    """A rule whose body has draws. `acts` is True for an action of a player; `flag` is the slot that holds 1 as soon as
    a draw was met."""

    rule: Rule
    acts: bool
    flag: int


class _Site(NamedTuple):
    """A draw and what its chance step needs: `step`, its number; `owner`, the rule that it stands in; `given`, the
    variables that hold the draw's arguments; `kept`, pairs of a slot and the variable that keeps its value; `times`,
    the variable that counts the draws still to be made (None: only one); `rest`, the statements after it."""

    draw: Draw
    step: int
    owner: _Owner
    given: tuple[int, ...]
    kept: tuple[tuple[int, int], ...]
    times: int | None
    rest: tuple[Any, ...]


def expand_draws(model: RulesModel, scope: Scope, ends_after_actions: bool) -> RulesModel:
    """The model with each draw in a body replaced by a chance step of its own. With `ends_after_actions`, no play ends
    while an action still draws."""
    drawing = [n for n, procedure in enumerate(model.procedures) if has_draw(procedure.body)]
    if not drawing and not any(has_draw(rule.body) for rule in (*model.actions, *model.chances, *model.effects)):
        return model
    work = _Expansion(model, scope)
    work.pending = work.variable("actions.drawing", 0, TRUTH) if ends_after_actions else None
    for rule in model.effects:
        for draw in _draws(work.inline(rule).body):
            scope.problem("nothing is drawn where nobody acts", draw.span, help="write 'next' and the chance step")
    actions = tuple(work.expand(rule, True) for rule in model.actions)
    chances = [work.expand(rule, False) for rule in model.chances]
    for site in work.sites:  # grows while it is walked
        chances[site.step : site.step + 1] = [work.step(site)]  # in the place of a step that is only drawn, or behind
    empty = tuple(p.copy_with(body=()) if n in drawing else p for n, p in enumerate(model.procedures))
    clauses = model.clauses if work.pending is None else tuple(map(work.clause, model.clauses))
    return work.model.copy_with(actions=actions, chances=tuple(chances), procedures=empty, clauses=clauses)


def _draws(block: tuple[Any, ...]) -> Iterator[Draw]:
    """The draws in a block, nested ones included."""
    for part in block:
        if isinstance(part, Draw):
            yield part
        elif isinstance(part, Record):
            for name in BLOCKS:
                yield from _draws(getattr(part, name, ()))


def _read(block: tuple[Any, ...]) -> set[int]:
    """The slots of the local names that a block reads, in its draws too."""
    given = [(*(typed.core for typed in draw.arguments), draw.count) for draw in _draws(block)]
    return {form.slot for form in inside(block, *given) if isinstance(form, core.Local)}


def has_draw(form: tuple[Any, ...]) -> bool:
    """True if a block holds a draw, at any depth."""
    return any(True for _ in _draws(form))


def _shift(form: Any, by: int) -> Any:
    """The form with all its slots moved up by a number."""
    if isinstance(form, Draw):
        given = tuple(Typed(_shift(typed.core, by), typed.type) for typed in form.arguments)
        names = tuple((name, slot + by, type) for name, slot, type in form.names)
        return form.copy_with(arguments=given, count=_shift(form.count, by), names=names)
    if isinstance(form, tuple):
        return tuple([_shift(part, by) for part in form])
    if not isinstance(form, Record) or isinstance(form, core.Const | Span | Type):
        return form
    if isinstance(form, core.Lookup):
        return form.copy_with(arguments=_shift(form.arguments, by))
    if isinstance(form, core.Scope):
        return core.Scope(tuple((slot + by, _shift(value, by)) for slot, value in form.lets), _shift(form.result, by))
    changed = {name: _shift(value, by) for name, value in form.__dict__.items() if isinstance(value, Record | tuple)}
    changed |= {n: form.__dict__[n] + by for n in ("slot", "source") if isinstance(form.__dict__.get(n), int)}
    return form.copy_with(**changed)


def _head(target: Rule, given: int) -> core.Template:
    """The name of an outcome of a drawn step: the step's name with the values of the parameters after the first `given`
    ones."""
    holes: list[Any] = []
    for parameter in target.parameters[given:]:
        holes += [", " if holes else "(", (core.Local(parameter.slot), parameter.type)]
    return core.Template((target.name, *holes, *([")"] if holes else [])), target.span)


class _Expansion:
    """Turns the draws of a model into chance steps, one rule after the other."""

    def __init__(self, model: RulesModel, scope: Scope):
        self.model, self.scope = model, scope
        self.sites: list[_Site] = []
        self.pending: int | None = None  # the variable that is true while an action draws, where ends wait for that
        come = {turn.step for turn in everything(model) if isinstance(turn, core.Turn) and turn.kind == "chance"}
        self._idle = set(range(len(model.chances))) - come  # numbers of steps that only draws use
        self._next = len(model.chances)
        self._met: dict[int, _Site] = {}  # by the identity of the draw
        self._variables: dict[tuple[str, int], int] = {}  # rule and slot -> the variable that stores the slot's value
        self._loops: dict[tuple[str, int], int] = {}  # rule and slot of a loop's name -> the slot of the last value

    def inline(self, rule: Rule) -> Rule:
        """The rule with the body of each procedure that draws in place of its call. Their draws then also know the
        local names at the call."""
        frame = rule.frame

        def bodies_in(by: int, around: Names) -> Callable[[Any], tuple[Any, ...] | None]:
            """The function that replaces a draw or a call in a body whose slots were moved up by a number, and around
            which these names are known."""

            def body_of(form: Any) -> tuple[Any, ...] | None:
                nonlocal frame
                if isinstance(form, Draw):
                    return (form.copy_with(names=(*form.names, *around)),)
                called = self.model.procedures[form.procedure] if isinstance(form, core.CallProcedure) else None
                if called is None or not any(True for _ in self._drawn_by(called.body)):
                    return None
                at, frame = frame, frame + called.frame
                own = self.scope.names_at_calls.get((id(form.span.source), form.span.start), ())
                names = (*((name, slot + by, type) for name, slot, type in own), *around)
                lets = tuple(core.Let(at + slot, value, form.span) for slot, value in enumerate(form.arguments))
                return (*lets, *replace_forms(_shift(called.body, at), bodies_in(at, names)))

            return body_of

        body = replace_forms(rule.body, bodies_in(0, ()))
        return rule.copy_with(body=body, frame=frame)

    def _drawn_by(self, body: tuple[Any, ...]) -> Iterator[Draw]:
        """The draws of a body, and of the procedures that it calls."""
        yield from _draws(body)
        for form in inside(body):
            if isinstance(form, core.CallProcedure):
                yield from self._drawn_by(self.model.procedures[form.procedure].body)

    def expand(self, rule: Rule, acts: bool) -> Rule:
        """The rule with its body cut off at the first draws; chance steps do the rest."""
        rule = self.inline(rule)
        if not has_draw(rule.body):
            return rule
        owner = _Owner(rule, acts, rule.frame)
        body, asked = self.block(owner, rule.body, lambda inner: inner), opening(rule.body)
        body = (*body[:asked], core.Let(owner.flag, core.Const(0)), *body[asked:])
        return rule.copy_with(body=body, frame=rule.frame + 1 + len(self._loops))

    def block(self, owner: _Owner, written: tuple[Any, ...], after: After) -> tuple[Any, ...]:
        """The statements of a block, up to its first draw and the jump to its chance step; the statements after the
        draw are left to that step. `after` adds to the rest of the block what follows it in the blocks around."""
        at = next((at for at, statement in enumerate(written) if has_draw((statement,))), None)
        if at is None:
            return written
        statement, rest = written[at], written[at + 1 :]
        for early in inside(written[:at]):
            if isinstance(early, core.Next):
                told = "'next' comes after the last draw of a body"
                self.scope.problem(told, early.span or owner.rule.span, help="let it stand below the draw")
        return (*written[:at], *self.drawing(owner, statement, rest, after))

    def drawing(self, owner: _Owner, statement: Any, rest: tuple[Any, ...], after: After) -> tuple[Any, ...]:
        """The statements for one that contains a draw, followed by the rest of its block, which is done right away in
        runs that met no draw."""
        span = statement.span or owner.rule.span
        unmet = core.Comparison("=", core.Local(owner.flag), core.Const(0), span)
        if isinstance(statement, Draw):
            stopped = self.stop_at(owner, statement, after(rest))
            if statement.count is None:
                return stopped
            some = core.Comparison(">", statement.count, core.Const(0), span)
            return (core.Conditional(some, stopped, self.block(owner, rest, after), span),)
        made: Any
        match statement:
            case core.Conditional():
                parts = [
                    self.block(owner, part, lambda inner: after((*inner, *rest)))
                    for part in (statement.then, statement.otherwise)
                ]
                made = statement.copy_with(then=parts[0], otherwise=parts[1])
            case core.For():
                later = self.rest_of_loop(owner, statement)
                body = self.block(owner, statement.body, lambda inner: after((*inner, later, *rest)))
                made = statement.copy_with(body=(core.Conditional(unmet, body, (), span),))
            case core.Repeat():
                stop = core.Stop(span)
                body = self.block(
                    owner, statement.body, lambda inner: after((core.Repeat((*inner, statement, stop), span), *rest))
                )
                made = core.Repeat((*body, core.Conditional(core.Not(unmet), (stop,), (), span)), span)
            case _:
                return self.scope.instead("nothing is drawn in what may be taken back", span, "draw behind it", ())
        follows = self.block(owner, rest, after)
        return (made, core.Conditional(unmet, follows, (), span)) if follows else (made,)

    def rest_of_loop(self, owner: _Owner, loop: core.For) -> core.For:
        """The loop over the values that come after the one at which a draw interrupted it."""
        known, values = constant_value(loop.domain, self.scope)
        span = loop.span or owner.rule.span
        if not known or list(values) != sorted(values):
            told = "a loop in which something is drawn runs over what is known before play, in its order"
            self.scope.problem(told, span, help="name a type or a range, and ask with 'if' in the loop")
        last = self._loops.setdefault((owner.rule.name, loop.slot), owner.flag + 1 + len(self._loops))
        behind = core.Comparison(">", core.Local(loop.slot), core.Local(last), span)
        return loop.copy_with(where=behind if loop.where is None else core.All((behind, loop.where)))

    # -- a draw -----------------------------------------------------------------------------------------------

    def stop_at(self, owner: _Owner, draw: Draw, rest: tuple[Any, ...]) -> tuple[core.Statement, ...]:
        """The statements that take the place of a draw: they store the values needed later, and make its chance step
        the next turn."""
        site = self._met.get(id(draw)) or self.site(owner, draw, rest)
        target = self.model.chances[draw.step]
        statements: list[core.Statement] = [
            core.Assign(variable, (), core.Local(slot), draw.span) for slot, variable in site.kept
        ]
        check = ExpressionChecker(self.scope, LocalFrame())
        for variable, typed, parameter in zip(site.given, draw.arguments, target.parameters, strict=False):
            value = check.convert(typed, parameter.type)
            if value is None:
                told = f"{target.name} takes {describe_type(parameter.type)} here, and this is"
                self.scope.problem(f"{told} {describe_type(typed.type)}", draw.span, help="give it another value")
                value = core.Const(None)
            statements.append(core.Assign(variable, (), value, draw.span))
        if site.times is not None and draw.count is not None:
            statements.append(core.Assign(site.times, (), draw.count, draw.span))
        if self.pending is not None:
            statements.append(core.Assign(self.pending, (), core.Const(True), draw.span))
        turn = core.Turn("chance", step=site.step, span=draw.span)
        return (*statements, core.Next(turn, draw.span), core.Let(owner.flag, core.Const(1), draw.span))

    def site(self, owner: _Owner, draw: Draw, rest: tuple[Any, ...]) -> _Site:
        """Make a new chance step for a draw, with the variables that it needs."""
        target, rule = self.model.chances[draw.step], owner.rule
        for form in all_inside(self.model, rest):
            if isinstance(form, core.Choose | core.Require | core.Rank):
                told = "after a draw nothing is chosen, required or ranked"
                self.scope.problem(told, form.span or draw.span, help="let it stand above the first draw")
        turns = (form for form in all_inside(self.model, target.body) if isinstance(form, core.Next))
        if has_draw(self.inline(target).body) or any(turns):
            told = f"{target.name} says what comes next, or draws itself, and a step that is drawn returns"
            self.scope.problem(told, draw.span, help="take that out of it, or write 'next' here")
        if len(draw.arguments) > len(target.parameters):
            takes = count_text(len(target.parameters), "parameter")
            told = f"{target.name} has {takes}, and {len(draw.arguments)} are given"
            self.scope.problem(told, draw.span, help="give the first ones; chance draws the others")
        if owner.acts and everyone_moves(self.model):
            self.scope.problem("nothing is drawn where all choose at once", draw.span, help="draw in a step of its own")
        later = _read(rest)
        used = _read(rule.body) | later
        kept = []
        for name, slot, type in draw.names:
            if isinstance(base_type(type), Named | Range | SetType) or base_type(type) == TRUTH:
                if slot in used:
                    kept.append((slot, self.variable(f"{rule.name}.{name}", slot, type)))
            elif slot in later:
                told = f"{name} is still needed after the draw, and cannot be kept: it is {describe_type(type)}"
                self.scope.problem(told, draw.span, help="let a variable of the state hold it")
        given = tuple(
            self.variable(f"{target.name}.given", n, parameter.type)
            for n, parameter in enumerate(target.parameters[: len(draw.arguments)])
        )
        times = None if draw.count is None else self.variable(f"{rule.name}.times", 0, Range(0, MOST_TIMES))
        step = draw.step if draw.step in self._idle else self._next
        self._next += step == self._next
        self._idle.discard(step)
        site = _Site(draw, step, owner, given, tuple(kept), times, rest)
        self._met[id(draw)] = site
        self.sites.append(site)
        return site

    def variable(self, name: str, slot: int, type: Type) -> int:
        """The number of the variable that stores the value of a slot of a rule until its chance step is done; made when
        first asked for."""
        if (name, slot) not in self._variables:
            first = default_value(type)
            self.model, self._variables[name, slot] = add_variable(
                self.model, name, (), type, (first,), first_span(self.model)
            )
        return self._variables[name, slot]

    def clause(self, clause: Clause) -> Clause:
        """The line of `terminal` as one that does not hold while an action draws."""
        assert self.pending is not None
        done = core.Comparison("=", self.cell(self.pending), core.Const(False), clause.span)
        return clause.copy_with(condition=core.All((done, clause.condition)))

    def cell(self, variable: int) -> core.Cell:
        return core.Cell(self.model.variables[variable].place)

    def step(self, site: _Site) -> Rule:
        """The chance step that stands for a draw: it draws, and then does all statements that followed the draw."""
        target, owner, span = self.model.chances[site.draw.step], site.owner, site.draw.span
        by, count = target.frame, len(site.given)
        fixed = dict(zip((p.slot for p in target.parameters), site.given, strict=False))

        def read_given(form: Any) -> tuple[core.Expression] | None:
            return (self.cell(fixed[form.slot]),) if isinstance(form, core.Local) and form.slot in fixed else None

        def with_given(form: Any) -> Any:
            return replace_forms((form,), read_given)[0]

        early = [
            part
            for parameter in target.parameters[:count]
            for part in (core.Contains(core.Local(parameter.slot), parameter.domain, False), *parameter.guards)
        ]
        guards = with_given((*early, *target.guards))
        rest = self.block(owner, site.rest, lambda inner: inner)
        restore: list[core.Statement] = [core.Let(slot, self.cell(variable)) for slot, variable in fixed.items()]
        for slot, variable in site.kept:
            restore.append(core.Let(slot + by, self.cell(variable)))
            if (owner.rule.name, slot) in self._loops:
                restore.append(core.Let(self._loops[owner.rule.name, slot] + by, self.cell(variable)))
        restore.append(core.Let(owner.flag + by, core.Const(0)))
        left = core.Local(by + owner.flag + len(self._loops) + 1)
        if site.times is not None:
            restore.append(core.Let(left.slot, self.cell(site.times)))
        variables = dict.fromkeys([*site.given, *(variable for _, variable in site.kept)])
        variables |= {extra: None for extra in (site.times, self.pending) if extra is not None}
        reset = [core.Assign(v, (), core.Const(self.model.variables[v].initial[0]), span) for v in variables]
        order = tuple((player + 1) % len(self.model.players) for player in range(len(self.model.players)))
        following = core.Turn("player", core.Lookup("after", order, (core.Mover(),), (0,)), span=span)
        usual = (core.Next(following, span),) if owner.acts else ()
        end = (*reset, *usual, *_shift(rest, by))
        if site.times is not None:
            less = core.Arithmetic("-", left, core.Const(1), span)
            turn = core.Next(core.Turn("chance", step=site.step, span=span), span)
            again = (core.Assign(site.times, (), less, span), turn)
            end = (core.Conditional(core.Comparison(">", left, core.Const(1), span), again, end, span),)
        names = {rule.name for rule in (*self.model.actions, *self.model.chances)}
        name = next(n for at in itertools.count(site.step) if (n := f"{target.name}_{at}") not in names)
        name = target.name if site.step == site.draw.step else name
        head = {field: with_given(getattr(target, field)) for field in ("weight", "hearers")}
        template = with_given(target.template or _head(target, count))
        parameters = with_given(target.parameters[count:])
        return target.copy_with(
            name=name, parameters=parameters, guards=guards, template=template, frame=left.slot + 1,
            drawn=site.draw.step,
            body=(*restore, *target.body, *end), **head,
        )  # fmt: skip
