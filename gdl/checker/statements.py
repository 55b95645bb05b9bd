"""Statements and the heads of actions: syntax -> core."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod
from typing import Any, ClassVar

from gdl import syntax
from gdl.analysis.kept_values import DECIDING, opening
from gdl.checker.answers import do_ask
from gdl.checker.array_elements import keep_list, number_lists
from gdl.checker.assigning import assignments
from gdl.checker.callables import check_listed, check_procedure, for_sequences
from gdl.checker.deals import do_deal
from gdl.checker.ends import negate_number
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.narrowing import exclude_none, keep_lasting, narrow_value
from gdl.checker.phases import assign_phase
from gdl.checker.quantifiers import bind_all, runs_over_lists, up_to
from gdl.checker.scope import NOTHING_RIGHT, LocalFrame, Scope, Typed
from gdl.checker.sequence_effects import EFFECTS, do_effect, unchanged_meanwhile
from gdl.checker.texts import texts_in
from gdl.checker.types import base_type, small_enough
from gdl.errors import Span, clean, limits
from gdl.model import core
from gdl.model.board import AXES
from gdl.model.domains import ANYTHING, NUMBER, TEXT, Range, SetType, Type, describe_type, size
from gdl.model.games import Hearers, Rule
from gdl.model.walk import inside
from gdl.syntax.parser import expression
from gdl.syntax.words import unquote_text

_BRACE_IN_TEXT = re.compile(r'[^"]*(?:"[^"{]*"[^"]*)*"[^"{]*\{')
_HOLE = re.compile(r'\{((?:"[^"]*"|[^{}]|\{[^{}]*\})*+)\}')  # an expression in braces, perhaps with sets or texts in it


def _whole_type(parameter: core.Parameter) -> bool:
    """True if a parameter plainly has a domain known before play."""
    domain = parameter.domain
    return isinstance(domain, core.Const) or (
        isinstance(domain, core.Interval) and isinstance(domain.low, core.Const) and isinstance(domain.high, core.Const)
    )


def _axis(written: syntax.Expression) -> str:
    """The word `Column`, `Row` or the like, if the type of a parameter is written as such an axis of a board, as in `c:
    Column`; else empty."""
    return written.word.text if isinstance(written, syntax.Name) and written.word.text in AXES else ""


def _assigned_names(body: tuple[syntax.Statement, ...]) -> Iterator[str]:
    """The names that a body assigns to."""
    for part in syntax.descendants(*body):
        if isinstance(part, syntax.Assign):
            yield from (target.name.name for target in part.targets)


class Statements:
    """Checks the bodies of rules. A local name is known to the end of its block."""

    def __init__(self, scope: Scope, frame: LocalFrame):
        self.scope, self.frame = scope, frame
        self.expressions = ExpressionChecker(scope, frame)
        self._repeats = 0  # how many `repeat` blocks are open
        self._written: object = ()  # all that is checked with this frame

    def block(self, written: tuple[syntax.Statement, ...]) -> tuple[core.Statement, ...]:
        self._written = self._written or written
        if self.frame.changing is None:
            self.frame.changing = frozenset(_assigned_names(written))
        with self.frame.inner_block():
            return self.statements(written)

    def statements(self, written: tuple[syntax.Statement, ...]) -> tuple[core.Statement, ...]:
        found: list[core.Statement] = []
        self.scope.depth += 1
        for statement in written:
            if isinstance(statement, syntax.Assign):
                found += assignments(self.expressions, statement)
            elif isinstance(statement, syntax.CallProcedure) and self._is_effect(statement.name.text):
                found += do_effect(self.expressions, statement, self._names_here())
            elif isinstance(statement, syntax.Deal):
                found += do_deal(self.expressions, statement, self._names_here())
            elif isinstance(statement, syntax.AskPlayer):
                found += do_ask(self.expressions, statement, self._names_here())
            elif isinstance(statement, syntax.ForEach):
                found += self.do_foreach(statement)
            elif (made := self.STATEMENTS[type(statement)](self, statement)) is not None:
                found.append(made.copy_with(span=statement.span) if made.span is None else made)
            if not isinstance(statement, syntax.Let | syntax.Require | syntax.Choose):
                keep_lasting(self.frame)
        self.scope.depth -= 1
        return tuple(found)

    def _is_effect(self, name: str) -> bool:
        """True if a word is an effect on sequences, such as `push`, that no procedure or definition of the game
        hides."""
        return name in EFFECTS and name not in self.scope.procedures and name not in self.scope.definitions

    # -- effects --------------------------------------------------------------------------------------------

    def do_let(self, s: syntax.Let) -> core.Statement | None:
        value, changing = self.expressions.check(s.value), s.name.name in (self.frame.changing or ())
        value = value if changing else narrow_value(self.expressions, value, s.span)
        grows = isinstance(value.type, Range) and changing
        slot = self.expressions.bind(s.name, NUMBER if grows else value.type)  # what it will hold later is not known
        self.frame.lets.add(slot)
        if not changing:
            keep_list(self.expressions, slot, value)
        if slot in self.frame.lists:
            return None  # the name stands for the list itself
        return core.Let(slot, value.core)

    def do_callprocedure(self, s: syntax.CallProcedure) -> core.Statement | None:
        name, scope = s.name.text, self.scope
        if name not in scope.procedures:
            known = list(scope.procedures)
            if name in scope.definitions:
                scope.problem(f"{name} is a value, not something to do", s.span, help="use it in an expression")
            else:
                step = f"write 'next {clean(name)}': a chance step is what comes next" if name in scope.chances else ""
                scope.unknown(name, s.span, "procedure", known, instead=step)
            return None
        scope.used.add(name)
        call = for_sequences(self.expressions, scope.procedures, name, s.arguments or (), s.span)
        if call is None:
            return None
        declared = scope.procedures[call.name]
        if declared.busy:
            scope.problem(f"{name} does itself", s.span, help="use 'repeat' or 'for'; a procedure is not recursive")
            return None
        if scope.depth >= limits.DEPTH:
            scope.too_deep(s.span)
            return None
        if declared.checked is None:
            check_procedure(Statements(scope, LocalFrame()), declared)
        arguments = self.expressions.arguments(call, declared.parameters, s.span)
        if arguments is None:
            return None
        check_listed(self.expressions, declared, arguments, s.span)
        if scope.has_draws:  # it may draw, and the caller's names are still to be known then
            scope.names_at_calls[id(s.span.source), s.span.start] = self._names_here()
        return core.CallProcedure(declared.index, arguments, s.span)

    def do_rank(self, s: syntax.Rank) -> core.Statement:
        typed = self.expressions.check(s.value)
        self.expressions.as_number(typed, s.value, "a rank is a number", "write a number: the greatest rank is legal")
        return core.Rank(typed.core, s.value.span)

    def do_stop(self, s: syntax.Stop) -> core.Statement:
        if not self._repeats:
            help = "take it out; to do the rest only sometimes, write 'if'"
            self.scope.problem("'stop' leaves a 'repeat', and none is open here", s.span, help=help)
        return core.Stop()

    def do_reward(self, s: syntax.Reward) -> core.Statement:
        self.scope.rewards = True
        amounts, players, whole = [], [], True
        for payment in s.payments:
            typed = self.expressions.check(payment.amount)
            self.expressions.as_number(typed, payment.amount, "a reward is a number", "write a number")
            whole = whole and isinstance(base_type(typed.type), Range)
            amounts.append(negate_number(typed.core, s.span) if self.scope.cost else typed.core)
            players.append(self.expressions.want(payment.player, self.scope.sides))
        return core.Reward(tuple(amounts), tuple(players), whole, s.span)

    def do_next(self, s: syntax.Next) -> core.Statement | None:
        turn = self.turn(s.turn)
        return None if turn is None else core.Next(turn)

    def do_say(self, s: syntax.Say) -> core.Statement:
        if isinstance(s.event, syntax.Name) and not self._is_known_name(s.event.word.text):
            event: core.Expression = core.Const(s.event.word.text)
            type: Type = TEXT
        else:
            typed = self.expressions.check(s.event)
            event, type = typed.core, typed.type
        hearer: core.Expression | None = None
        if s.hearer is not None and not (isinstance(s.hearer, syntax.Name) and s.hearer.word.text == "all"):
            hearer = self.expressions.want(s.hearer, self.scope.players)
        return core.Say(event, type, hearer, s.span)

    def _is_known_name(self, name: str) -> bool:
        scope = self.scope
        return self.frame.find(name) is not None or name in scope.variables or name in scope.constants or (
            name in scope.definitions or name == "mover"
        )  # fmt: skip

    # -- choices and control --------------------------------------------------------------------------------

    def do_choose(self, s: syntax.Choose) -> core.Statement:
        parameters = self.parameters(s.choices)
        guards = [m.condition for m in s.modifiers if isinstance(m, syntax.Guard)]
        template = next((self.template(m.text) for m in s.modifiers if isinstance(m, syntax.Template)), None)
        for modifier in s.modifiers:
            if isinstance(modifier, syntax.Weight | syntax.Merge):  # who learns of it, the lexer reads in heads alone
                word = "weight" if isinstance(modifier, syntax.Weight) else "merge"
                message = f"'{word}' belongs to the head of an action or a chance step"
                self.scope.problem(message, modifier.span, help="move it there")
        placed, early = self.place_guards(parameters, guards)
        return core.Choose(tuple(early), tuple(placed), template)

    def do_drawstep(self, s: syntax.DrawStep) -> Any:
        from gdl.checker.draws import MOST_TIMES, Draw  # which few files need

        name, scope = s.step.text, self.scope
        scope.has_draws = True
        if name not in scope.chances:
            if name in scope.actions:
                help = "write 'chance' in place of 'action', or put its effects in a 'define' that both bodies call"
                scope.problem(f"{name} is an action, and what is drawn is a chance step", s.step.span, help=help)
            else:
                scope.unknown(name, s.step.span, "chance step", list(scope.chances))
            return None
        scope.used.add(name)
        arguments = tuple(self.expressions.check(argument) for argument in s.arguments or ())
        count = None if s.times is None else self.expressions.want(s.times, Range(0, MOST_TIMES))
        return Draw(scope.chances[name], arguments, count, self._names_here(), s.span)

    def _names_here(self) -> tuple[tuple[str, int, Type], ...]:
        """The local names known here, each with its slot and its type."""
        all_names = ((name, self.frame.find(name)) for name in self.frame.names())
        names = [(name, *found) for name, found in all_names if found]
        for n, (name, slot, type) in enumerate(names):
            element = self.frame.elements.get(slot)
            if element is not None:  # it runs over a sequence: what is kept is its place, and what it holds
                names[n] = (f"{name}.place", slot, element.places)
                names.append((name, element.value, type))
        return tuple(names)

    def do_repeat(self, s: syntax.Repeat) -> core.Statement:
        self._repeats += 1
        body = self.block(s.body)
        self._repeats -= 1
        return core.Repeat(body, s.span)

    def do_foreach(self, s: syntax.ForEach) -> tuple[core.Statement, ...]:
        with self.frame.inner_block():
            bound = bind_all(self.expressions, s.binders, s)
            lets = tuple(self.frame.hold_element(slot) for slot, *_ in bound if slot in self.frame.elements)
            body = (*lets, *self.statements(s.body))
            for slot, _, domain, where in reversed(bound):
                running = self.frame.elements.get(slot)
                body = (core.For(slot, domain, where, body, s.span),)
                body = body if running is None else unchanged_meanwhile(self.expressions, running, body)
        return body

    def do_try(self, s: syntax.Try) -> core.Statement:
        repeats, self._repeats = self._repeats, 0
        body = self.block(s.body)
        self._repeats = repeats
        if self.does(body, core.Choose, core.Rank, core.Say, core.Forget, core.Reward, core.Next):
            message = "what is tried is taken back, so nothing is chosen, said or gained in it, and no turn passes"
            self.scope.problem(message, s.span, help="let it stand below the 'try'")
        return core.Try(body, s.span)

    def do_require(self, s: syntax.Require) -> core.Statement:
        condition = self.expressions.truth(s.condition)
        exclude_none(self.expressions, condition)
        return core.Require(condition)

    def do_conditional(self, s: syntax.Conditional) -> core.Statement:
        condition = self.expressions.truth(s.condition)
        with self.frame.inner_block():
            exclude_none(self.expressions, condition)
            then = self.block(s.then)
        otherwise: tuple[core.Statement, ...] = ()
        with self.frame.inner_block():
            exclude_none(self.expressions, condition, holds=False)
            if isinstance(s.otherwise, syntax.Conditional):
                otherwise = (self.do_conditional(s.otherwise),)
            elif s.otherwise is not None:
                otherwise = self.block(s.otherwise)
        return core.Conditional(condition, then, otherwise, s.span)

    STATEMENTS: ClassVar[dict[type, Callable[[Any, Any], core.Statement | None]]] = {
        syntax.Let: do_let,
        syntax.CallProcedure: do_callprocedure,
        syntax.Require: do_require,
        syntax.Rank: do_rank,
        syntax.Stop: do_stop,
        syntax.Forget: lambda self, s: core.Forget(),
        syntax.Reward: do_reward,
        syntax.Next: do_next,
        syntax.NextPhase: lambda self, s: assign_phase(self.scope, s.phase),
        syntax.Say: do_say,
        syntax.Choose: do_choose,
        syntax.Repeat: do_repeat,
        syntax.DrawStep: do_drawstep,
        syntax.Attempt: lambda self, s: core.Attempt(self.block(s.body), self.block(s.refused)),
        syntax.Try: do_try,
        syntax.Conditional: do_conditional,
    }

    def turn(self, written: syntax.Turn) -> core.Turn | None:
        """Check a `next`: the player or chance step whose turn comes next; None, with a problem, if it is neither."""
        scope = self.scope
        match written:
            case syntax.Everyone():
                return core.Turn("everyone", span=written.span)
            case syntax.FirstAfter():
                start = self.expressions.want(written.start, scope.players)
                with self.frame.inner_block():
                    slot = self.expressions.bind(written.name, scope.players)
                    where = None if written.where is None else self.expressions.truth(written.where)
                kind = "before" if isinstance(written, syntax.FirstBefore) else "after"
                return core.Turn(kind, start, slot=slot, where=where, span=written.span)  # type: ignore[arg-type]
        who = written.who
        if isinstance(who, syntax.Name) and who.word.text in scope.chances:
            scope.used.add(who.word.text)
            return core.Turn("chance", step=scope.chances[who.word.text], span=written.span)
        typed = self.expressions.check(who)
        if typed is NOTHING_RIGHT:
            return None
        if base_type(typed.type) not in (scope.players, ANYTHING):
            leads_on = scope.phases is not None and base_type(typed.type) == scope.phases
            scope.problem(
                f"a player or a chance step comes next, and this is {describe_type(typed.type)}", written.span,
                note=f"{scope.game} has the players {', '.join(scope.players.members)}"
                + (f" and the chance steps {', '.join(scope.chances)}." if scope.chances else "."),
                help=f"write 'next phase {clean(who.word.text)}'" if leads_on and isinstance(who, syntax.Name)
                else "name one of them, or mover, or other(mover)",
            )  # fmt: skip
            return None
        return core.Turn("player", typed.core, span=written.span)

    # -- heads ----------------------------------------------------------------------------------------------

    def parameters(self, written: tuple[syntax.Choice | syntax.Draw, ...]) -> list[core.Parameter]:
        """The parameters of an action, whose values are to be chosen in order; the domain of each may use the names
        before it."""
        found = []
        for choice in written:
            if isinstance(choice, syntax.Draw):
                found.append(self._draw(choice))
                continue
            domain = self.expressions.domain(choice.type)
            slot = self.expressions.bind(choice.name, domain.type)
            if runs_over_lists(domain, self._written, choice.name.name):
                domain = number_lists(self.expressions, slot, domain, choice.type.span) or domain
            values = up_to(self.expressions, slot, domain.core, choice.until)
            found.append(core.Parameter(slot, domain.type, values, (), None, choice.span, _axis(choice.type)))
        return found

    def _draw(self, draw: syntax.Draw) -> core.Parameter:
        count = self.expressions.want(draw.count, NUMBER)
        source = self._drawn_from(draw.source)
        if not isinstance(source.type, SetType):
            message = f"things are drawn from a set, and this is {describe_type(source.type)}"
            self.scope.problem(message, draw.source.span, help="declare the variable as a set: unseen: set of Card")
        slot = self.expressions.bind(draw.name, source.type)
        return core.Parameter(slot, source.type, core.Members(source.core), (), count, draw.span)

    def _drawn_from(self, written: syntax.Expression) -> Typed:
        """The set from which several things are drawn at once; a type means the set of all its values."""
        whole = self.expressions.as_type(written)
        if whole is None or not isinstance(whole.core, core.Const) or not small_enough(whole.type):
            return self.expressions.check(written)
        return Typed(core.Const(sum(1 << value for value in whole.core.value)), SetType(whole.type))

    def place_guards(
        self, parameters: list[core.Parameter], written: list[syntax.Expression]
    ) -> tuple[list[core.Parameter], list[core.Expression]]:
        """The parameters, each with the guards that can be tested as soon as it has its value, and the guards that use
        no parameter."""
        early: list[core.Expression] = []
        placed: list[list[core.Expression]] = [[] for _ in parameters]
        for guard in written:
            condition = self.expressions.truth(guard)
            exclude_none(self.expressions, condition)
            for part in condition.parts if isinstance(condition, core.All) else (condition,):
                used = {form.slot for form in inside(part) if isinstance(form, core.Local)}
                level = max((i for i, p in enumerate(parameters) if p.slot in used), default=-1)
                (placed[level] if level >= 0 else early).append(part)
        return [
            parameter.copy_with(guards=tuple(guards)) for parameter, guards in zip(parameters, placed, strict=True)
        ], early

    def template(self, word: syntax.Word) -> core.Template:
        """A name's text with the expressions in its holes, such as `{a}x{b}`."""
        text, start = word.text[1:-1], word.span.start + 1
        parts: list[Any] = []
        at = 0
        for hole in _HOLE.finditer(text):
            parts.append(unquote_text(text[at : hole.start()]))
            if inner := _BRACE_IN_TEXT.match(hole[1]):
                place = start + hole.start(1) + inner.end()
                help = 'put it behind that text, in braces of its own: "{if A then "x" else "y"}{b}"'
                message = "a text inside braces holds no braces of its own"
                self.scope.problem(message, Span(word.span.source, place - 1, place), help=help)
                break
            written = expression(word.span.source, start + hole.start(1), start + hole.end(1))
            self.expressions.texts = texts_in(written)
            typed = self.expressions.check(written)
            self.expressions.texts = None
            parts.append((typed.core, typed.type))
            at = hole.end()
        parts.append(unquote_text(text[at:]))
        return core.Template(tuple(part for part in parts if part != ""), word.span)

    def rule(self, written: syntax.Action) -> Rule:
        """Check an action or a chance step."""
        self._written = written
        parameters = self.parameters(written.choices or ())
        guards = [m.condition for m in written.modifiers if isinstance(m, syntax.Guard)]
        placed, early = self.place_guards(parameters, guards)
        if not guards:
            self.check_ways(written, parameters)
        weights = [m for m in written.modifiers if isinstance(m, syntax.Weight)]
        if weights and not isinstance(written, syntax.Chance):
            self.scope.problem("only a chance step has weights", weights[0].span, help="take 'weight …' out")
        weight = self.expressions.want(weights[0].value, NUMBER) if weights else None
        template = next((self.template(m.text) for m in written.modifiers if isinstance(m, syntax.Template)), None)
        body = self.block(written.body)
        hearers, settled = self.hearers(written)
        merge = any(isinstance(m, syntax.Merge) for m in written.modifiers)
        simple = not merge and not self.does(body[opening(body) :], *DECIDING)
        if isinstance(written, syntax.Chance) and self.does(body, core.Rank):
            message = f"{written.name.name} is a chance step, and of its outcomes none ranks above another"
            self.scope.problem(message, written.name.span, help="give outcomes a 'weight', 0 for never")
        return Rule(
            written.name.name, tuple(placed), tuple(early), weight, template, merge, body, self.frame.size, simple,
            written.name.span, hearers, settled,
        )  # fmt: skip

    def hearers(self, written: syntax.Action) -> tuple[Hearers | None, bool]:
        """The players who hear of an action (None: nobody), and True if its head says who learns of it. The condition
        of `seen by` reads the state before the action, as `when` does."""
        found = [m for m in written.modifiers if isinstance(m, syntax.Public | syntax.Unseen | syntax.SeenWhen)]
        for other in found[1:]:
            help = "keep one of public, unseen and seen by p when …"
            self.scope.problem(f"{written.name.name} says twice who learns of it", other.span, help=help)
        match found:
            case [syntax.Public(), *_]:
                return Hearers(), True
            case [syntax.SeenWhen(who=who, condition=condition), *_]:
                if who.text in self.scope.players.members:
                    message = f"'seen by' makes a name for each player in turn, and {clean(who.text)} is one of them"
                    self.scope.problem(message, who.span, help=f"write: seen by p when p = {clean(who.text)}")
                    return None, True
                with self.frame.inner_block():
                    slot = self.expressions.bind(who, self.scope.players)
                    return Hearers(slot, self.expressions.truth(condition)), True
        return None, bool(found)

    def check_ways(self, written: syntax.Action, parameters: list[core.Parameter]) -> None:
        """Report an action whose parameters plainly have more combinations of values than actions are allowed in one
        position."""
        sizes = [size(p.type) for p in parameters if p.count is None and _whole_type(p)]
        ways = prod(sizes)
        if ways > limits.ACTIONS and max(sizes) <= limits.WORK:
            self.scope.problem(
                f"{written.name.name} has {ways:,} ways to go, and {limits.ACTIONS:,} are possible in one position",
                written.name.span, help=f"{limits.FEWER_WAYS}, or take smaller types",
            )  # fmt: skip

    def does(self, body: tuple[core.Statement, ...], *kinds: type[core.Statement]) -> bool:
        """True if the statements, or the procedures that they call, include a statement of one of these kinds."""
        return any(isinstance(form, kinds) for form in self.scope.inside_with_calls(body))
