"""Bodies of rules: core statements -> kernel code. Reads beside gdl/interpreter/bodies.py.

A body becomes a function of the parameters in the rule's head that returns 1 where the run succeeds and 0 where a
`require` fails; what it wrote until then the caller takes back. What leaves a block from inside loops (`stop`, a
refused attempt) breaks out of one loop after the other; behind each loop a flag says whether to break out further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

from gdl.analysis.dependence import assigned_anew, assigned_slots
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, compare, copy, plus
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import (
    NOTHING,
    Listed,
    Number,
    UnsupportedConstruct,
    Value,
    limits_of,
    literal,
    locate_refusals,
    truth,
)
from gdl.compiler.lower.context import grown_bounds, set_within
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.state_layout import MOVER
from gdl.errors import limits
from gdl.errors.deadline import check_deadline
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.model import core

MOST_EVENTS = 64  # in one ply
REFUSAL = -1  # in place of the number of a `say`: the event that an attempt was refused, where others hear of actions
UNREACHED = False  # the result of writing a statement after which nothing can be reached


Statement = Callable[[Any, Frame], bool | None]  # writes the statements of one type
# (body, slot) of a `let` that changes -> its bounds, and how often they have grown
Kinds = dict[tuple[int, int], tuple[Value, int]]


Reason = Literal["refused", "stop", "no option"]


@dataclass
class Exit:
    """A loop that is being written, with the reasons for which it may be left. `flag` is the variable that is set to 1
    when this loop is left from within an inner one. `flags` lists the flags to be tested behind this loop: those of
    loops that are left together with it."""

    reasons: tuple[Reason, ...] = ()
    flag: str = ""
    flags: list[str] = field(default_factory=list)


class BodyLowering(Part):
    """Lowering of the statements of bodies. The function for each type of statement takes the statement and the frame
    (the values of names), which it may change, and returns UNREACHED if nothing after the statement can be reached.
    Some types of statements are written by other objects."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops
        self.statements: dict[type, Statement] = {}  # by the type of a statement: what writes it
        self._exits: list[Exit] = []
        self.kinds: Kinds = {}
        self._anew: list[tuple[int, frozenset[int]]] = []  # the body that is being written and its changing names
        self._unsettled = False
        self.turns: list[str] = []  # the variables that count the turns of the `repeat`s that are being written
        self.deepest_attempt = 0
        self._first_attempt = 0  # the copies of the state in use by attempts around the body; its own come after them
        self._attempts = 0
        self.says: list[core.Say] = []

    # -- blocks ---------------------------------------------------------------------------------------------

    def write_settled(self, write: Callable[[], None]) -> None:
        """Call `write`, which writes the lines of one function, again and again until the bounds of the function's
        changing names no longer grow."""
        self._unsettled = True
        while self._unsettled:
            self._unsettled = False
            # Everything is written again: bounds that were too narrow may have left checks out anywhere.
            self._exits, self._attempts = [], self._first_attempt
            self.context.begin()
            write()

    def separate_attempts(self) -> AbstractContextManager[None]:
        """Within the block, bodies are written whose attempts use other copies of the state than those written so
        far."""
        return set_within(self, _first_attempt=self.deepest_attempt, _attempts=self.deepest_attempt)

    def body(
        self, owner: Any, statements: tuple[core.Statement, ...], frame: Frame, first: int = 0,
        between: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        """Write the statements of a rule or a procedure (`owner`). `between`, if given, is called after the first
        `first` statements are written, if what follows them can be reached."""
        self._anew.append((id(owner), assigned_anew(statements)))
        if self.block(statements[:first], frame):
            if between is not None:
                between()
            self.block(statements[first:], frame)
        self._anew.pop()

    def block(self, statements: tuple[core.Statement, ...], frame: Frame) -> bool:
        """Write the statements in order, up to the first after which nothing can be reached. Returns True if the end of
        the block can be reached."""
        for statement in statements:
            check_deadline()
            self.out.enter(statement.span)
            with locate_refusals(statement.span):
                if self.statements[type(statement)](statement, frame) == UNREACHED:
                    return UNREACHED
        return True

    # -- effects --------------------------------------------------------------------------------------------

    def let(self, s: core.Let, frame: Frame) -> None:
        value = self.expressions.value(s.value, frame)
        owner, anew = self._anew[-1]
        # A name that gets one value is that value's code, with its own bounds; only one that changes needs a variable.
        if s.slot not in anew:
            frame[s.slot] = self.context.bound(value, "let")
            return
        held = self._kind((owner, s.slot), value)
        if type(frame.get(s.slot)) is not type(held):  # a number that turns out to be a set unsettles the body
            frame[s.slot] = self.context.variable(held, "var")
        self.context.store(frame[s.slot], self.context.limit_value(value, held))
        for held_in in on.codes_of(frame[s.slot]):
            self.context.forget(held_in)

    def _kind(self, key: tuple[int, int], value: Value) -> Value:
        """The joint bounds of all values seen so far for a name that changes, the given value included. If the value
        widens the bounds, the body has to be written again."""
        if key not in self.kinds:
            self.kinds[key] = (value, 0)
        known, growths = self.kinds[key]
        joined = grown_bounds(known, value, growths)
        if joined != known:
            self.kinds[key] = (joined, growths + 1)
            self._unsettled = True
        return joined

    def require(self, s: core.Require, frame: Frame) -> bool:
        for condition in self.expressions.conjuncts([s.condition]):
            test = on.negation(self.expressions.truth(condition, frame))
            if test.constant == 0:
                continue
            if test.constant:
                self.leave("refused")
                return UNREACHED
            with self.out.when(test.code):
                self.leave("refused")
            # The run goes on only where the condition held, so it is known from here to the end of the block.
            self.context.learn(test.if_false)
        return True

    def rank(self, s: core.Rank, frame: Frame) -> None:
        value = self.expressions.number(s.value, frame)
        if value.scale != 1 or value.none:
            raise UnsupportedConstruct("a rank that is a fraction or may be none")
        if value.wide:
            raise UnsupportedConstruct("a rank of more than 32 bits")
        self.out.store("run_rank", 0, value.code)

    def stop(self, s: core.Stop, frame: Frame) -> bool:
        self.leave("stop")
        return UNREACHED

    def forget(self, s: core.Forget, frame: Frame) -> None:
        self.out.store("event", 1, 1)

    def reward(self, s: core.Reward, frame: Frame) -> None:
        raise UnsupportedConstruct("rewards on the way")

    def next_turn(self, s: core.Next, frame: Frame) -> None:
        self.out.store("s", 0, self.turn(s.turn, frame).code)
        if s.turn.kind == "chance" and s.turn.player is not None:
            self.out.store("s", MOVER, self.expressions.number(s.turn.player, frame).code)

    def turn(self, turn: core.Turn, frame: Frame) -> Number:
        """The number that stands for a turn: a player's, EVERYONE, or one for a step of chance."""
        if turn.kind == "everyone":
            return literal(EVERYONE)
        if turn.kind == "chance":
            return literal(FIRST_STEP - turn.step)
        assert turn.player is not None
        player = self.expressions.number(turn.player, frame)
        if turn.kind == "player":
            return self.context.existing(player, "the next player is none", turn.span)
        return self._turn_in_order(turn, player, frame)

    def _turn_in_order(self, turn: core.Turn, start: Number, frame: Frame) -> Number:
        """The first player that passes the turn's condition, in cyclic order after (or before) the player `start`, who
        comes last."""
        count = len(self.model.players)
        start = self.out.bound(start)
        found = self.out.let("turn", NOBODY)
        # From 1 to the number of players: the start itself comes last, as after a full round.
        distance = self.out.fresh("n")
        with self.out.counting(distance, 1, count + 1):
            beyond = ir.Binary("+" if turn.kind == "after" else "-", start.code, ir.Local(distance))
            name = self.out.let("player", beyond % count)
            inner = {**frame, turn.slot: limits_of(0, count - 1).with_name(name)}
            with self.expressions.when([] if turn.where is None else [turn.where], inner) as possible:
                if possible:
                    self.out.set(found, name)
                    self.out.breaks()
        return limits_of(NOBODY, count - 1).with_name(found)

    def say(self, s: core.Say, frame: Frame) -> None:
        """Write the event of a `say`: the number of the statement, the hearer (NONE: everyone) and the value. The text
        is put together outside of the module."""
        if s not in self.says:
            self.says.append(s)
        value = literal(0) if isinstance(s.event, core.Const) else self.expressions.number(s.event, frame)
        if value.wide:
            raise UnsupportedConstruct("an event of more than 32 bits")
        hearer = NOTHING if s.hearer is None else self.out.bound(self.expressions.number(s.hearer, frame))
        if s.hearer is not None:
            self.context.trap_if(on.equal(hearer, NOTHING), "the hearer of this event is none", s.span)
        self._event(self.says.index(s), hearer.code, value.code)

    def _event(self, *words: Code) -> None:
        """Write an event of the present ply: these three words are appended to the array `event`."""
        at = self.out.let("told", array("event")[0] * 3 + 2)
        self.context.trap_if(
            on.compare(">=", limits_of(0, 1 << 20).with_name(at), literal(3 * MOST_EVENTS + 2)), "too many events", None
        )
        for k, code in enumerate(words):
            self.out.store("event", plus(at, k), code)
        self.out.update(array("event")[0], "+", 1)

    # -- leaving --------------------------------------------------------------------------------------------

    def leads_inside(self, reason: Reason) -> bool:
        """True if a loop that is being written is left for this reason, and not the function itself."""
        return any(reason in exit.reasons for exit in self._exits)

    def leave(self, reason: Reason) -> None:
        """Write the jump for a reason: out of the innermost loop that takes it (an attempt, a procedure or a `repeat`),
        or out of the function."""
        # The innermost loop that takes the reason; none: the function is left, with 0 for a refused run.
        target = next((k for k in reversed(range(len(self._exits))) if reason in self._exits[k].reasons), None)
        if target is None:
            self.out.returns(int(reason == "stop"))
            return
        if reason == "refused":
            self.out.set(f"{self._exits[target].flag}_why", 1)
        # `break` leaves one loop. Each loop on the way out looks at the flag and breaks in its turn.
        if target < len(self._exits) - 1:
            flag = self._exits[target].flag
            self.out.set(flag, 1)
            for crossed in self._exits[target:]:
                crossed.flags.append(flag)
        self.out.breaks()

    @contextmanager
    def loop(self, reasons: tuple[Reason, ...] = (), flag: str = "") -> Iterator[Exit]:
        """A context for writing a loop, which gives its exit. If there are `reasons` for leaving it, an endless loop is
        written around what the block writes; if there are none, the block writes the loop itself. `flag` is a variable
        by which loops inside are told to break as well."""
        exit = Exit(reasons, flag)
        self._exits.append(exit)
        self.context.forget_all()  # the first turn of the loop may know more than those after it
        with self.out.capture_lines() as lines, self.out.repeating(1) if reasons else nullcontext():
            yield exit
        self._exits.pop()
        self.context.forget_all()
        # The flag's first value stands before the loop; it is written only now, when it is known to be needed.
        crossed = dict.fromkeys(exit.flags)
        if flag and flag in crossed:
            self.out.set(flag, 0)
        self.out.append(lines)
        for other in crossed:
            if other != flag:
                with self.out.when(other):
                    self.out.breaks()

    # -- control --------------------------------------------------------------------------------------------

    def conditional(self, s: core.Conditional, frame: Frame) -> bool:
        condition = self.expressions.truth(s.condition, frame)
        if condition.constant is not None:
            return self.block(s.then if condition.constant else s.otherwise, frame)
        with self.out.when(condition.code), self.context.knowing(condition.if_true):
            self._inner_block(s.then, frame)
        if s.otherwise:
            with self.out.otherwise(), self.context.knowing(condition.if_false):
                self._inner_block(s.otherwise, frame)
        return True

    def _inner_block(self, block: tuple[core.Statement, ...], frame: Frame) -> None:
        """Write a block that may be skipped; names defined in it are forgotten behind it."""
        known = set(frame)
        self.block(block, frame)
        for slot in frame.keys() - known:
            del frame[slot]

    def for_each(self, s: core.For, frame: Frame) -> None:
        domain = self.loops.domain(s.domain, frame)

        def step(value: Value) -> None:
            frame[s.slot] = value
            with self.expressions.when([] if s.where is None else [s.where], frame) as possible:
                if possible:
                    self._inner_block(s.body, frame)

        with nullcontext() if isinstance(domain, Listed) else self.loop():
            self.loops.write_each(domain, frame, step)
        frame.pop(s.slot, None)

    def repeat(self, s: core.Repeat, frame: Frame) -> None:
        flag, turns = self.out.fresh("left"), self.out.fresh("turns")
        self.out.set(turns, 0)
        with self.loop(("stop", "no option"), flag):
            limit = truth(compare(turns, "==", limits.REPEATS))
            self.context.trap_if(limit, f"'repeat' goes on for more than {limits.REPEATS} turns", s.span)
            self.out.update(turns, "+", 1)
            # The first choice of a turn may find nothing, and ends the `repeat`; after it, finding nothing refuses the
            # run.
            self.out.set("fresh", 1)
            self.turns.append(turns)
            try:
                self._inner_block(s.body, frame)
            finally:
                self.turns.pop()

    def attempt(self, s: core.Attempt, frame: Frame) -> None:
        flag = self.out.fresh("failed")
        self.out.set(f"{flag}_why", 0)
        undo = self.keep_run()
        # Names of the body are taken back as the state is; only those that the attempt can change are copied.
        names = [(frame[slot], self._copy(frame[slot])) for slot in sorted(assigned_slots(s.body) & frame.keys())]
        # A loop of one turn, so that a refused attempt can be left from anywhere inside.
        with self.loop(("refused",), flag):
            self._inner_block(s.body, frame)
            self.out.breaks()
        self._attempts -= 1
        with self.out.when(f"{flag}_why"):
            self.out.append_statements(undo)
            for name, before in names:
                self.context.store(name, before)
            # Others would have heard of the action: what they learn instead is that it was refused.
            if self.rules.hears:
                self._event(REFUSAL, STATE[MOVER], 0)
            self._inner_block(s.refused, frame)

    def try_out(self, s: core.Try, frame: Frame) -> bool:
        """Write statements whose changes to the state are taken back; the names that they set keep their values."""
        undo = self._keep_state()
        reached = self.block(s.body, frame)
        self.out.append_statements([undo])
        self.context.forget()
        self._attempts -= 1
        return reached

    def keep_run(self) -> list[ir.Stmt]:
        """Write code that keeps all that the run of a body changes; gives the statements that restore it."""
        places = [array("event")[0], array("event")[1]] if self.rules.tells else []
        places += [array("run_rank")[0]] if self.rules.ranked else []
        return [self._keep_state(), *self.out.keep_words(places)]

    def _keep_state(self) -> ir.Stmt:
        """Write the copy of the state before an attempt; gives the statement that restores it."""
        at = ir.Const(self._attempts) * "STATE"
        self._attempts += 1
        self.deepest_attempt = max(self.deepest_attempt, self._attempts)
        self.out.copies("unmade", at, "s", 0, "STATE")
        return copy(STATE, 0, array("unmade"), at, "STATE")

    def _copy(self, value: Value) -> Value:
        """A new variable that holds the value of a name."""
        made = self.context.variable(value, "was")
        self.context.store(made, value)
        return made

    def begin_events(self) -> None:
        """Write the beginning of a ply's events: none yet, and nothing forgotten."""
        if self.rules.tells:
            self.out.store("event", 0, 0)
            self.out.store("event", 1, 0)

    def call_procedure(self, s: core.CallProcedure, frame: Frame) -> None:
        """Write the body of a procedure in place of its call, with a frame of its own."""
        procedure = self.model.procedures[s.procedure]
        inner: Frame = {
            slot: self.context.bound(self.expressions.value(a, frame), "a") for slot, a in enumerate(s.arguments)
        }
        # Without `stop` no loop is needed, and what is known stays known.
        stops = _stops(procedure.body)
        with locate_refusals(procedure.span), self.loop(("stop",), self.out.fresh("left")) if stops else nullcontext():
            self.body(procedure, procedure.body, inner)
            if stops:
                self.out.breaks()


def _stops(body: tuple[core.Statement, ...]) -> bool:
    """True if the body has a `stop` that leaves the procedure itself, not a `repeat` inside."""
    for statement in body:
        match statement:
            case core.Stop():
                return True
            case core.For(body=inner):
                if _stops(inner):
                    return True
            case core.Conditional(then=a, otherwise=b) | core.Attempt(body=a, refused=b):
                if _stops(a) or _stops(b):
                    return True
    return False
