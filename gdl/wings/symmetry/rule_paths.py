"""Statements -> what a rule does in any position: each way through its body, when it is open and what it leaves.

Where a test depends on the position, both branches are followed and joined cell by cell. A `choose`, or a loop whose
length depends on the position, parts the ways instead: an odometer follows them one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gdl.interpreter.bodies import BodyClosures
from gdl.model import core
from gdl.model.games import Rule
from gdl.wings.symmetry.symbolic_expressions import Frame, SymbolicExpressions
from gdl.wings.symmetry.symbolic_values import NotWritten, are_constant
from gdl.wings.symmetry.terms import Truth

NOBODY, CHANCE = "nobody", "chance"  # turns that are no player's: (word, step)
STOP = True


@dataclass(frozen=True, slots=True)
class RulePath:
    """A way to act by a rule. `open`: the condition under which there is this way; `changes`: the new values of cells;
    `turn`: the next turn (None: the rule does not say); its rank and weight."""

    open: Truth
    changes: dict[int, Any]
    turn: Any
    rank: Any
    weight: Any


class _Closed(Exception):
    """Raised where the condition of the way that is being followed can never hold."""


class _NothingToChoose(Exception):
    """Raised if the first `choose` in a turn of `repeat` has no option, which ends the `repeat`."""


class RulePathWalker:
    """Finds all ways to act through the bodies of the rules."""

    frame: Frame
    open: Truth
    turn: Any
    rank: Any

    def __init__(self, expressions: SymbolicExpressions):
        self.expressions, self.position = expressions, expressions.position
        self.model, self.values = expressions.model, expressions.values
        self.fresh = False
        self._joining = 0  # branches inside one another that are followed to be joined

    def ways(self, rule: Rule) -> Iterator[RulePath]:
        """The ways to act by one rule, for the mover."""
        if self.model.discount != 1:
            raise NotWritten("a discount")
        frame: Frame = [None] * rule.frame
        guard = self.expressions.all_of(rule.guards, frame)
        for condition in self._assignments(rule.parameters, frame, guard):
            weight = 1 if rule.weight is None else self.expressions.value(rule.weight, frame)
            yield from self._ways(rule, list(frame), condition, weight)

    def _assignments(self, parameters: Sequence[core.Parameter], f: Frame, condition: Truth) -> Iterator[Truth]:
        """Run through all values of the parameters: each is put into the frame, and the condition under which it is
        legal is yielded."""
        if condition is False:
            return
        if not parameters:
            yield condition
            return
        first, *rest = parameters
        if first.count is not None:
            raise NotWritten("several values chosen at once")
        for value, c in list(self.expressions.items(first.domain, f)):
            f[first.slot] = value
            guards = self.expressions.all_of(first.guards, f)
            yield from self._assignments(rest, f, self.values.all_of((condition, c, guards)))

    def _ways(self, rule: Rule, frame: Frame, condition: Truth, weight: Any) -> Iterator[RulePath]:
        self._path: list[int] = []
        while True:
            self._sizes: list[int] = []
            self.position.begin()
            self.frame, self.open, self.turn, self.rank, self.fresh = list(frame), condition, None, 0, False
            try:
                self._block(rule.body)
            except _Closed:
                pass
            else:
                start = self.position.start
                changes = {p: v for p, v in self.position.cells.items() if v is not start[p]}
                if self.open is not False:
                    yield RulePath(self.open, changes, self.turn, self.rank, weight)
            finally:
                self.position.end()
            path = self._path[: len(self._sizes)]
            while path and path[-1] + 1 == self._sizes[len(path) - 1]:
                path.pop()
            if not path:
                return
            path[-1] += 1
            self._path = path

    def _part(self, ways: Sequence[tuple[Any, Truth]]) -> Any:
        """Choose one of the ways on from here, as the odometer says."""
        if not ways:
            raise _Closed
        at = len(self._sizes)
        if at == len(self._path):
            self._path.append(0)
        self._sizes.append(len(ways))
        value, condition = ways[self._path[at]]
        self.open = self.values.all_of((self.open, condition))
        if self.open is False:
            raise _Closed
        return value

    def condition_after(self, way: RulePath, mover: int, condition: core.Expression, frame: int) -> Truth:
        """The condition, as it is after a way to act with this player as the mover, in terms of the position before.
        Raises NotWritten where it asks for actions."""
        position = self.position
        kept = position.mover, position.no_actions
        position.mover, position.no_actions = mover, None
        position.begin()
        position.cells |= way.changes
        position.mark_changed()
        try:
            return self.expressions.truth(condition, [None] * frame)
        finally:
            position.mover, position.no_actions = kept
            position.end()

    # -- statements -----------------------------------------------------------------------------------------

    def _block(self, statements: Sequence[core.Statement]) -> bool | None:
        for statement in statements:
            if self.STATEMENTS[type(statement)](self, statement):
                return STOP
        return None

    def _let(self, s: core.Let) -> None:
        self.frame[s.slot] = self.expressions.value(s.value, self.frame)

    def _assign(self, s: core.Assign) -> None:
        variable = self.model.variables[s.variable]
        new = self.expressions.value(s.value, self.frame)
        for place, condition in self.expressions.places(
            variable, [self.expressions.value(i, self.frame) for i in s.indices]
        ):
            if place is not None:
                self.position.cells[place] = self.values.choose(condition, new, self.position.cells[place])
        self.position.mark_changed()

    def _require(self, s: core.Require) -> None:
        self.open = self.values.all_of((self.open, self.expressions.truth(s.condition, self.frame)))
        if self.open is False and not self._joining:
            raise _Closed

    def _rank(self, s: core.Rank) -> None:
        self.rank = self.expressions.value(s.value, self.frame)

    def _stop(self, s: core.Stop) -> bool:
        return STOP

    def _forget(self, s: core.Forget) -> None:
        """Do nothing: everyone sees everything, and nothing is remembered."""

    def _reward(self, s: core.Reward) -> None:
        raise NotWritten("rewards on the way")

    def _say(self, s: core.Say) -> None:
        """Do nothing: what is said changes no position."""

    def _next(self, s: core.Next) -> None:
        self.turn = self.next_turn(s.turn, self.frame)

    def next_turn(self, turn: core.Turn, f: Frame) -> Any:
        """The turn that comes next: a player, or a pair for nobody or chance."""
        if turn.kind == "everyone":
            raise NotWritten("a turn of all players at once")
        if turn.kind == "chance":
            if turn.player is not None:
                raise NotWritten("a chance step behind an answer")
            return (CHANCE, turn.step)
        assert turn.player is not None
        start = self.expressions.value(turn.player, f)
        if turn.kind == "player":
            return start
        sign, count = (1 if turn.kind == "after" else -1), len(self.model.players)
        going: Truth = True
        found: list[tuple[Any, Truth]] = []
        for distance in range(1, count + 1):
            candidate = self.values.apply(lambda p, d=distance: (p + sign * d) % count, start)
            f[turn.slot] = candidate
            fits = True if turn.where is None else self.expressions.truth(turn.where, f)
            found.append((candidate, self.values.all_of((going, fits))))
            going = self.values.all_of((going, self.values.negation(fits)))
        return self.values.pick([*found, ((NOBODY, 0), going)])

    # -- control --------------------------------------------------------------------------------------------

    def _conditional(self, s: core.Conditional) -> bool | None:
        condition = self.expressions.truth(s.condition, self.frame)
        return self._branch(condition, s.then, s.otherwise)

    def _branch(
        self, condition: Truth, then: Sequence[core.Statement], otherwise: Sequence[core.Statement]
    ) -> bool | None:
        """Follow the statements of a branch, or where the condition is open those of both, and join what they do."""
        if not isinstance(condition, bool) and self._parts((*then, *otherwise)):
            condition = self._part([(True, condition), (False, self.values.negation(condition))])
        if isinstance(condition, bool):
            return self._block(then if condition else otherwise)
        denial = self.values.negation(condition)
        before = self._kept_state()
        self._joining += 1
        self.open = True
        self._block(then)
        yes = self._kept_state()
        self._restore(before)
        self.open = True
        self._block(otherwise)
        no = self._kept_state()
        self._joining -= 1
        for at, now in self.position.cells.items():
            if yes[0][at] is not now:
                self.position.cells[at] = self.values.choose(condition, yes[0][at], now)
        for at, now in enumerate(self.frame):
            if yes[1][at] is not now:
                self.frame[at] = self.values.choose(condition, yes[1][at], now)
        self.turn, self.rank = (
            a if a is b else self.values.choose(condition, a, b) for a, b in zip(yes[3:], no[3:], strict=True)
        )
        some, every = self.values.any_of, self.values.all_of
        self.open = every((before[2], some((denial, yes[2])), some((condition, no[2]))))
        self.position.mark_changed()
        return None

    def _kept_state(self) -> tuple[Any, ...]:
        return dict(self.position.cells), list(self.frame), self.open, self.turn, self.rank

    def _restore(self, kept: tuple[Any, ...]) -> None:
        cells, frame, self.open, self.turn, self.rank = kept
        self.position.cells, self.frame[:] = dict(cells), frame
        self.position.mark_changed()

    def _parts(self, statements: Sequence[core.Statement]) -> bool:
        """True if there may be several ways through these statements."""
        for s in statements:
            match s:
                case core.Choose() | core.Repeat() | core.Stop():
                    return True
                case core.For():
                    if isinstance(s.domain, core.Interval) or self._parts(s.body):
                        return True
                case core.Conditional():
                    if self._parts((*s.then, *s.otherwise)):
                        return True
                case core.CallProcedure():
                    if self._parts(self.model.procedures[s.procedure].body):
                        return True
        return False

    def _for(self, s: core.For) -> bool | None:
        domain = s.domain
        if isinstance(domain, core.Interval):  # its length is one of the ways
            low, high = (
                self._settle_value(self.expressions.value(end, self.frame)) for end in (domain.low, domain.high)
            )
            items: Any = ((v, True) for v in (range(low, high + 1) if None not in (low, high) else ()))
        elif isinstance(domain, core.Until):
            items = self.expressions.items(domain, self.frame)  # asks as it goes
        else:
            items = list(self.expressions.items(domain, self.frame))
        for value, c in items:
            self.frame[s.slot] = value
            condition = c if s.where is None else self.values.all_of((c, self.expressions.truth(s.where, self.frame)))
            if condition is not False and self._branch(condition, s.body, ()):
                return STOP
        return None

    def _settle_value(self, value: Any) -> Any:
        """The value itself if it is the same in every position; else one of its cases, with a way for each."""
        return value if are_constant(value) else self._part(self.values.cases(value))

    def _repeat(self, s: core.Repeat) -> None:
        for _ in range(len(self.position.cells) + 1):
            self.fresh = True
            try:
                if self._block(s.body):
                    return
            except _NothingToChoose:
                return
        raise NotWritten("a 'repeat' without a bound")

    def _choose(self, s: core.Choose) -> None:
        fresh, self.fresh = self.fresh, False
        guard, frame = self.expressions.all_of(s.guards, self.frame), list(self.frame)
        legal = self._assignments(s.parameters, frame, guard)
        ways: list[tuple[Any, Truth]] = [([frame[p.slot] for p in s.parameters], condition) for condition in legal]
        if fresh:
            ways.append((None, self.values.negation(self.values.any_of(c for _, c in ways))))
        chosen = self._part([way for way in ways if way[1] is not False])
        if chosen is None:
            raise _NothingToChoose
        for parameter, value in zip(s.parameters, chosen, strict=True):
            self.frame[parameter.slot] = value

    def _attempt(self, s: core.Attempt) -> None:
        raise NotWritten("'attempt'")

    def _try(self, s: core.Try) -> None:
        raise NotWritten("'try'")

    def _callprocedure(self, s: core.CallProcedure) -> None:
        procedure = self.model.procedures[s.procedure]
        arguments = [self.expressions.value(a, self.frame) for a in s.arguments]
        frame, self.frame = self.frame, [*arguments, *[None] * (procedure.frame - len(arguments))]
        self._block(procedure.body)
        self.frame = frame

    # a method for each form, called as that of the interpreter's bodies
    STATEMENTS: ClassVar[dict[type, Callable[[Any, Any], bool | None]]] = {
        form: methods[make.__name__] for methods in [vars()] for form, make in BodyClosures.FORMS.items()
    }
