"""Chance that returns: `draw STEP(arguments) N times` in a body becomes chance steps that go on where it stopped.

1. Each draw is a chance step of its own: the step that it names, whose first parameters are given, and behind its
   effects all that is still to be done where it stands: the rest of its block, of the blocks around, of their loops.
2. What is still to be known then, local names and arguments, is kept in variables of the state, which have their first
   values again when it is done. So equal positions stay equal.
3. Where a draw is met, what follows in the body is left out: a local name says that it was met.
4. A player asked in a body (gdl/checker/answers.py) is a draw whose step is the answer: each action that may be one
   ends with a procedure that goes on behind the line that asked.

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
from gdl.checker.kept_movers import DUE, LINE, MoverKeeper
from gdl.checker.scope import LocalFrame, Scope, Typed
from gdl.checker.types import base_type
from gdl.errors import Span, clean, count_text
from gdl.model import core
from gdl.model.domains import TRUTH, Named, Range, SetType, Type, default_value, describe_type
from gdl.model.games import Callable as Called
from gdl.model.games import Clause, Hearers, Rule, RulesModel, Visibility
from gdl.model.rewriting import add_variable, first_span, replace_forms
from gdl.model.walk import BLOCKS, everything, inside
from gdl.record import Record

MOST_TIMES = 1_000  # the most draws of one line
LINES = Range(0, 1 << 15)  # the type of numbers of lines that ask, until those are counted
Names = tuple[tuple[str, int, Type], ...]  # local names, each with its slot and its type


class Draw(Record):
    """A chance step done in the middle of a body, which continues afterwards; with `answers`, a player, the one
    argument, who is asked there for one of these actions. `count` is how often it is done (None: once); `names` are the
    local names known at that place."""

    step: int
    arguments: tuple[Typed, ...]
    count: core.Expression | None
    names: Names
    span: Span
    answers: tuple[int, ...] = ()


After = Callable[[tuple[Any, ...]], tuple[Any, ...]]  # the rest of an inner block -> all that is still to be done


class _Owner(NamedTuple):
    """A rule whose body has draws. `acts` is True for an action of a player; `flag` is the slot that holds 1 as soon as
    a draw was met; `mover` is the variable that says who acts, if others are asked."""

    rule: Rule
    acts: bool
    flag: int
    mover: core.Cell | None


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
            help = "write it below 'chance open', a step of its own, with 'next' and who begins; here write 'next open'"
            help = "write 'next' and the player" if draw.answers else help
            scope.problem("nothing is drawn or asked where nobody acts", draw.span, help=help)
    work.expect_answers()
    actions = tuple(work.expand(rule, number) for number, rule in enumerate(model.actions))
    chances = [work.expand(rule, None) for rule in model.chances]
    for site in work.sites:  # grows while it is walked
        if site.draw.answers:
            work.make_procedure(site)
        else:  # in the place of a step that is only drawn, or behind
            chances[site.step : site.step + 1] = [work.step(site)]
    for number in drawing:
        work.keeper.put_callable("procedures", model.procedures[number].copy_with(body=()), number)
    clauses = model.clauses if work.pending is None else tuple(map(work.clause, model.clauses))
    return work.with_lines().copy_with(actions=actions, chances=tuple(chances), clauses=clauses)


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
        self.keeper, self.scope = MoverKeeper(model), scope
        self.sites: list[_Site] = []
        self.answers: dict[int, int] = {}  # an action that is an answer -> the procedure that goes on after it
        self.due: list[tuple[int, ...]] = []  # the actions that lines ask for; `DUE` numbers them from 1
        self.lines: list[tuple[Draw, int]] = []  # that ask, with the procedures that go on behind them, as `LINE` does
        self.pending: int | None = None  # the variable that is true while an action draws, where ends wait for that
        come = {turn.step for turn in everything(model) if isinstance(turn, core.Turn) and turn.kind == "chance"}
        self._idle = set(range(len(model.chances))) - come  # numbers of steps that only draws use
        self._next = len(model.chances)
        self._met: dict[int, _Site] = {}  # by the identity of the draw
        self._variables: dict[tuple[str, int], int] = {}  # rule and slot -> the variable that stores the slot's value
        self._loops: dict[tuple[str, int], int] = {}  # rule and slot of a loop's name -> the slot of the last value

    @property
    def model(self) -> RulesModel:
        return self.keeper.model

    def inline(self, rule: Rule, own: Names = ()) -> Rule:
        """The rule with the body of each procedure that draws in place of its call. Their draws then also know the
        local names at the call, and all draws the names of its `own`."""
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

        body = replace_forms(rule.body, bodies_in(0, own))
        return rule.copy_with(body=body, frame=frame)

    def _drawn_by(self, body: tuple[Any, ...]) -> Iterator[Draw]:
        """The draws of a body, and of the procedures that it calls."""
        yield from _draws(body)
        for form in inside(body):
            if isinstance(form, core.CallProcedure):
                yield from self._drawn_by(self.model.procedures[form.procedure].body)

    def expand(self, rule: Rule, action: int | None) -> Rule:
        """An action of this number, or a chance step, with its body cut off at the first draws; chance steps and
        answers do the rest."""
        own: Names = ((LINE, rule.frame, LINES),) if action in self.answers else ()
        rule = self.inline(rule.copy_with(frame=rule.frame + len(own)), own)
        begin: tuple[Any, ...] = ()
        end: tuple[Any, ...] = ()
        asked, mover = opening(rule.body), None
        if any(draw.answers for draw in _draws(rule.body)):
            keeps = self.variable(f"{rule.name}.mover", 0, self.scope.players)
            mover = self.cell(keeps)
            begin += (core.Assign(keeps, (), core.Mover(), rule.span),)
            end += (core.Assign(keeps, (), core.Const(0), rule.span),)
            kept = self.keeper.keep_mover(rule.body[asked:], mover)
            rule = rule.copy_with(body=(*rule.body[:asked], *kept))
        if action in self.answers:
            line, zero = core.Local(own[0][1]), core.Const(0)
            begin += (core.Let(line.slot, self.cell(self.variable(LINE, 0, LINES))),)
            begin += tuple(core.Assign(self._variables[name, 0], (), zero, rule.span) for name in (DUE, LINE))
            end += (core.CallProcedure(self.answers[action], (line,), rule.span),)
        rule = rule.copy_with(body=(*rule.body, *end))
        owner = _Owner(rule, action is not None, rule.frame, mover)
        if has_draw(rule.body):
            begin += (core.Let(owner.flag, core.Const(0)),)
            rule = rule.copy_with(body=self.block(owner, rule.body, lambda inner: inner))
            rule = rule.copy_with(frame=rule.frame + 1 + len(self._loops))
        rule = rule.copy_with(body=(*rule.body[:asked], *begin, *rule.body[asked:]))
        return rule if action is None else self.when_due(rule, action)

    def block(self, owner: _Owner, written: tuple[Any, ...], after: After) -> tuple[Any, ...]:
        """The statements of a block, up to its first draw and the jump to its chance step; the statements after the
        draw are left to that step. `after` adds to the rest of the block what follows it in the blocks around."""
        at = next((at for at, statement in enumerate(written) if has_draw((statement,))), None)
        if at is None:
            return written
        statement, rest = written[at], written[at + 1 :]
        for early in inside(written[:at]):
            if isinstance(early, core.Next):
                told = "'next' comes after the last draw or question of a body"
                self.scope.problem(told, early.span or owner.rule.span, help="let it stand below that line")
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
                told = "nothing is drawn or asked in what may be taken back"
                return self.scope.instead(told, span, "let it stand behind it", ())
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
        statements: list[core.Statement] = [
            core.Assign(variable, (), core.Local(slot), draw.span) for slot, variable in site.kept
        ]
        if draw.answers:
            values = {DUE: self.due.index(draw.answers) + 1, LINE: site.step}
            statements += [core.Assign(self._variables[n, 0], (), core.Const(v), draw.span) for n, v in values.items()]
            turn = core.Turn("player", draw.arguments[0].core, span=draw.span)
        else:
            statements += self.assign_given(site, draw)
            turn = core.Turn("chance", owner.mover, step=site.step, span=draw.span)
        if self.pending is not None:
            statements.append(core.Assign(self.pending, (), core.Const(True), draw.span))
        return (*statements, core.Next(turn, draw.span), core.Let(owner.flag, core.Const(1), draw.span))

    def assign_given(self, site: _Site, draw: Draw) -> list[core.Statement]:
        """The statements that store the arguments of a draw, and how often it is made."""
        statements: list[core.Statement] = []
        target = self.model.chances[draw.step]
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
        return statements

    def site(self, owner: _Owner, draw: Draw, rest: tuple[Any, ...]) -> _Site:
        """Make a new chance step for a draw, with the variables that it needs."""
        rule = owner.rule
        for form in all_inside(self.model, rest):
            if isinstance(form, core.Choose | core.Require | core.Rank):
                told = "after a draw or a question nothing is chosen, required or ranked"
                self.scope.problem(told, form.span or draw.span, help="let it stand above the first of them")
        if owner.acts and everyone_moves(self.model):
            told = "nothing is drawn or asked where all choose at once"
            self.scope.problem(told, draw.span, help="write 'next' and the chance step or the player")
        given = () if draw.answers else self.given_variables(draw)
        later = _read(rest)
        used = _read(rule.body) | later
        kept = []
        for name, slot, type in draw.names:
            if isinstance(base_type(type), Named | Range | SetType) or base_type(type) == TRUTH:
                if slot in used:
                    kept.append((slot, self.variable(f"{rule.name}.{name}", slot, type)))
            elif slot in later:
                told = f"{name} is still needed after that line, and cannot be kept: it is {describe_type(type)}"
                self.scope.problem(told, draw.span, help="let a variable of the state hold it")
        times = None if draw.count is None else self.variable(f"{rule.name}.times", 0, Range(0, MOST_TIMES))
        if draw.answers:
            self.lines.append((draw, -1))
            step = len(self.lines)
        else:
            step = draw.step if draw.step in self._idle else self._next
            self._next += step == self._next
            self._idle.discard(step)
        site = _Site(draw, step, owner, given, tuple(kept), times, rest)
        self._met[id(draw)] = site
        self.sites.append(site)
        return site

    def given_variables(self, draw: Draw) -> tuple[int, ...]:
        """The variables that hold a draw's arguments until its chance step is done."""
        target = self.model.chances[draw.step]
        turns = (form for form in all_inside(self.model, target.body) if isinstance(form, core.Next))
        if has_draw(self.inline(target).body) or any(turns):
            told = f"{target.name} says what comes next, or draws itself, and a step that is drawn returns"
            self.scope.problem(told, draw.span, help="take that out of it, or write 'next' here")
        if len(draw.arguments) > len(target.parameters):
            takes = count_text(len(target.parameters), "parameter")
            told = f"{target.name} has {takes}, and {len(draw.arguments)} are given"
            self.scope.problem(told, draw.span, help="give the first ones; chance draws the others")
        return tuple(
            self.variable(f"{target.name}.given", n, parameter.type)
            for n, parameter in enumerate(target.parameters[: len(draw.arguments)])
        )

    def variable(self, name: str, slot: int, type: Type) -> int:
        """The number of the variable that stores the value of a slot of a rule until its chance step is done; made when
        first asked for."""
        if (name, slot) not in self._variables:
            first = default_value(type)
            self.keeper.model, self._variables[name, slot] = add_variable(
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
        if owner.mover is not None:
            target = self.keeper.keep_mover(target, owner.mover)
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
        restore += self.restore_names(site, by)
        left = core.Local(by + owner.flag + len(self._loops) + 1)
        if site.times is not None:
            restore.append(core.Let(left.slot, self.cell(site.times)))
        end = (*self.go_on(site), *_shift(rest, by))
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

    def restore_names(self, site: _Site, by: int) -> list[core.Statement]:
        """The statements that give the local names of a body their values again, in slots moved up by a number."""
        restore: list[core.Statement] = []
        for slot, variable in site.kept:
            restore.append(core.Let(slot + by, self.cell(variable)))
            if (site.owner.rule.name, slot) in self._loops:
                restore.append(core.Let(self._loops[site.owner.rule.name, slot] + by, self.cell(variable)))
        return [*restore, core.Let(site.owner.flag + by, core.Const(0))]

    def go_on(self, site: _Site) -> list[core.Statement]:
        """The statements before what follows a draw: what was stored has its first values again, and the turn passes
        as it does after the rule."""
        owner, span, players = site.owner, site.draw.span, len(self.model.players)
        variables = dict.fromkeys([*site.given, *(variable for _, variable in site.kept)])
        variables |= {extra: None for extra in (site.times, self.pending) if extra is not None}
        reset = [core.Assign(v, (), core.Const(self.model.variables[v].initial[0]), span) for v in variables]
        order = tuple((player + owner.acts) % players for player in range(players))
        following = core.Turn("player", core.Lookup("after", order, (owner.mover or core.Mover(),), (0,)), span=span)
        return [*reset, *((core.Next(following, span),) if owner.acts or owner.mover is not None else ())]

    # -- an answer --------------------------------------------------------------------------------------------

    def expect_answers(self) -> None:
        """Make what the answers of the model need: the variables that say what is asked, and for each action that is
        an answer a procedure."""
        rules = (self.model.actions, self.model.chances, self.model.procedures)
        asks = [draw for each in rules for rule in each for draw in _draws(rule.body) if draw.answers]
        self.due = sorted({ask.answers for ask in asks})
        if not asks:
            return
        texts = (" or ".join(self.model.actions[action].name for action in answers) for answers in self.due)
        due = self.variable(DUE, 0, Named("Answers", ("nothing", *texts)))
        self.variable(LINE, 0, LINES)
        seen = self.model.variables[due].copy_with(visibility=Visibility("all"))
        variables = *self.model.variables[:due], seen, *self.model.variables[due + 1 :]
        self.keeper.model = self.model.copy_with(variables=variables)
        for action in sorted({action for answers in self.due for action in answers}):
            rule = self.model.actions[action]
            added = Called(f"{rule.name} answers", 1, 1, None, (), rule.span)
            self.answers[action] = self.keeper.put_callable("procedures", added)
            for ask in self.asked_by(action):
                if action in ask.answers:
                    told = f"{clean(rule.name)} leads to a question that it answers itself"
                    self.scope.problem(told, ask.span, help="ask for another action there, or ask in a 'repeat'")
        if follow := self.model.follow_up:  # phases, of which no action is expected while somebody is asked
            over = core.Comparison("=", self.cell(due), core.Const(0), follow.span)
            body = (core.Conditional(over, follow.body, (), follow.span),)
            self.keeper.model = self.model.copy_with(follow_up=follow.copy_with(body=body))

    def asked_by(self, action: int) -> list[Draw]:
        """The questions that an action asks, and those that their answers do."""
        found: list[Draw] = []
        actions = [action]
        for number in actions:  # grows while it is walked
            for draw in self._drawn_by(self.model.actions[number].body):
                if draw.answers and draw not in found:
                    found.append(draw)
                    actions += [answer for answer in draw.answers if answer not in actions]
        return found

    def when_due(self, rule: Rule, action: int) -> Rule:
        """The action as one that is legal only when it is asked for, and which everybody hears of then unless its head
        says otherwise; or only when nothing is asked for."""
        if not self.due:
            return rule
        due, numbers = self.cell(self._variables[DUE, 0]), [n for n, of in enumerate(self.due, 1) if action in of]
        if not numbers:
            return rule.copy_with(guards=(core.Comparison("=", due, core.Const(0), rule.span), *rule.guards))
        guards = core.Contains(due, core.Const(tuple(numbers)), False), *rule.guards
        heard = rule.hearers if rule.settled else Hearers()
        return rule.copy_with(guards=guards, hearers=heard, settled=True)

    def make_procedure(self, site: _Site) -> None:
        """Make the procedure that does, after an answer, what follows the line that asked."""
        owner, span = site.owner, site.draw.span
        rest = self.block(owner, site.rest, lambda inner: inner)
        body = (*self.restore_names(site, 0), *self.go_on(site), *rest)
        frame = owner.flag + 1 + len(self._loops)
        added = Called(f"{owner.rule.name} goes on", 0, frame, None, body, span)
        self.lines[site.step - 1] = site.draw, self.keeper.put_callable("procedures", added)

    def with_lines(self) -> RulesModel:
        """The model in which each answer goes on behind the line that asked."""
        for action, number in self.answers.items():
            body = tuple(
                core.Conditional(
                    core.Comparison("=", core.Local(0), core.Const(line), ask.span),
                    (core.CallProcedure(behind, (), ask.span),), (), ask.span,
                )
                for line, (ask, behind) in enumerate(self.lines, 1)
                if action in ask.answers
            )  # fmt: skip
            self.keeper.put_callable("procedures", self.model.procedures[number].copy_with(body=body), number)
        lines = Range(0, len(self.lines))
        variables = (v.copy_with(type=lines) if v.type is LINES else v for v in self.model.variables)
        return self.model.copy_with(variables=tuple(variables))
