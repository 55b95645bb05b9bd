"""Rules -> the functions that list what can be done and do it.

A row of the array `move` is the number of a rule, the values of its head's parameters and, where its body chooses,
three words more: where its path is kept, the path's length, and its number of choices. Conditions that stand at the
beginning of a body are asked while its head's values are found; a body that can still fail is tried, and the state
taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext

from gdl.analysis.kept_values import opening
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, conjunction, i32, i64, plus, some
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import KEEPS, MOVE, ODOMETER, STATE
from gdl.compiler.lower.bodies import BodyLowering
from gdl.compiler.lower.choices import choice_from_words, words_of_choice
from gdl.compiler.lower.code_values import (
    I32,
    NOTHING,
    Mask,
    Number,
    UnsupportedConstruct,
    Value,
    literal,
    locate_refusals,
)
from gdl.compiler.lower.ends import RESTLESS
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.state_layout import TURN
from gdl.compiler.lower.ways import Ways
from gdl.compiler.lower.writer import TOO_MANY
from gdl.errors import clean
from gdl.interpreter.bodies import FIRST_STEP
from gdl.model import core
from gdl.model.games import Rule
from gdl.model.walk import inside_with_calls

# `loud_moves(before)`: the actions that change the number kept by quiet play, for search beyond its horizon.
#
# A body that is tried is given up as soon as the number is known to be as before: before the conditions are asked that
# stand at its end, which cost the most in chess (is the king attacked?). The rows are those of `moves()`, without some.
#
# So an estimate does not notice a fault of the rules in a quiet action past the horizon, such as two actions of one
# name with different results. A proof does: where a search proves something past the horizon, all actions are listed.

ONLY, BEFORE = "loud_only", "quiet_before"  # memory: whether quiet actions are given up, and the number before them
_ASKED_OF_PLAY = core.NoActions | core.Able | core.Times | core.Since | core.Always


class NoisyActions(Part):
    """Writes the listing of noisy actions alone, and the tests in bodies that break off the run of a quiet action."""

    def __init__(self, past: Times):
        super().__init__(past.expressions)
        self.past = past
        self.listed = self._may_be_told()
        if self.listed:
            self.module.declared.array(ONLY, ir.I32, 1)
            self.module.declared.array(BEFORE, ir.I64, 1)

    def _may_be_told(self) -> bool:
        """True if the number of `quiet` can be asked at the end of a body: it is the same then as in the position that
        the action leaves, it is never a fault, and no row is listed or dropped because of another. (Two rows of one
        name leave the same position.)"""
        quiet, rules = self.model.quiet, self.rules
        # Each of these lets one row decide about another (a rank, an equal result), or sees more than the state (an
        # event): there a run must not be given up.
        if quiet is None or self.model.chances or rules.everyone or rules.ranked or rules.merges or rules.tells:
            return False
        # Without trials no body is run while actions are listed, and there is nothing to give up.
        asked = inside_with_calls(self.model, quiet.value)
        if not rules.tries or any(isinstance(form, _ASKED_OF_PLAY) for form in asked):
            return False
        # The mover is another one when the action is done.
        if self.dependence.facts_of(quiet.value).mover:
            return False
        # Lowered once to see whether it can trap; the code is thrown away.
        with self.context.in_other_function():
            self.expressions.number(quiet.value, {})
            return not self.out.lines.may_trap

    def count_changing_statements(self, rule: Rule) -> int:
        """The number of statements of a rule's body up to the last one that may change the state."""
        count = len(rule.body)
        # The test stands after the last change, as early as the number is known, and before the dear conditions.
        while count and isinstance(rule.body[count - 1], core.Require | core.Let):
            count -= 1
        return count

    def ask(self) -> None:
        """Write the test that gives the run up if only noisy actions are wanted and the number is as before, or the
        state is not quiet."""
        if self.listed:
            with self.out.when(array(ONLY)[0]):
                self.out.set("quiet_now", call("quiet"), ir.I64)
                same = compare("quiet_now", "==", array(BEFORE)[0])
                with self.out.when(some(same, compare("quiet_now", "==", RESTLESS))):
                    self.out.returns(0)

    def begin_listing(self, only: int = 0) -> None:
        """Begin a function that lists actions: noisy ones alone (`only` is 1), or all (0). The flag is stored in both
        cases, since a trap may have broken off a listing of noisy actions."""
        self.context.begin()
        if self.listed:
            # Stored in any case: a trap may have left a listing of noisy actions before it could put this back.
            self.out.store(ONLY, 0, only)
        if only:
            self.out.store(BEFORE, 0, "before")
        if self.rules.chooses:
            self.out.store("paths_end", 0, 0)
        if self.past.asked_by_rules:
            self.out.calls("note_past")

    def write(self) -> None:
        """Write `loud_moves(before)`: the listing of actions that change the number of quiet play from `before`; it may
        hold others too."""
        if not self.listed:
            return
        out = self.out
        self.begin_listing(only=1)
        out.set("rows", call("list_actions", 0, "MOVES"))
        out.store(ONLY, 0, 0)
        with out.when(compare("rows", "==", "MOVES")):
            out.trap(TOO_MANY)
        out.returns("rows")
        doc = "List the actions that change the number of quiet play, perhaps others too. Returns the number of rows."
        self.context.function("loud_moves", doc, ir.I32, before=ir.I64)


ENDS_OF_ROW = 3  # words that a body with choices adds to a row: where its path is kept, its length, its choices
MOST_ROWS = 1 << 16  # the most rows listed for one state
UNSET = -I32  # the turn while a body is tried: none yet
LOWEST_RANK = -I32


class RowLowering(Part):
    """Writes the functions that list rows, try bodies, and do what a row says."""

    def __init__(self, bodies: BodyLowering, naming: Naming, ways: Ways, noisy: NoisyActions):
        super().__init__(bodies.expressions)
        self.bodies, self.naming, self.ways, self.noisy = bodies, naming, ways, noisy
        self.most_rows = 2
        self._bearers = Counter(rule.name for rule in self.rules.all)
        self.heads: dict[int, list[Value]] = {}  # by rule: values that hold all those of its head; none: no rows
        for rule in self.rules.all:
            events = (core.Say, core.Forget, core.Attempt) if self.rules.hears else (core.Say, core.Forget)
            if rule.merge and self.rules.decides(rule.body, *events):
                with locate_refusals(rule.span):
                    raise UnsupportedConstruct("'merge' of results with events", "take 'merge' out, or 'say'")

    # -- listing --------------------------------------------------------------------------------------------

    def write_listing(self) -> None:
        """Write `list_actions(rows, limit)`, which appends the mover's actions from row `rows` on and returns the new
        number of rows, and `list_outcomes()`."""
        self.context.begin()
        if any(not rule.simple for rule in self.model.actions):
            self.out.copies("listed", 0, "s", 0, "STATE")
        shared = any(self.naming.sharing[: len(self.model.actions)])
        if self.rules.ranked or shared:
            self.out.set("first", "rows")
        if self.rules.ranked:
            self.out.set("best", LOWEST_RANK)
        for index in range(len(self.model.actions)):
            self._list(index, "limit")
        self.out.returns(call("distinct_rows", "first", "rows", 0) if shared else "rows")
        self.context.function(
            "list_actions", "List the actions of the mover, up to a limit.", ir.I32, rows=ir.I32, limit=ir.I32
        )
        if self.model.chances:
            self._write_outcomes()

    def _write_outcomes(self) -> None:
        self.context.begin()
        self.out.set("rows", 0)
        if any(not rule.simple for rule in self.model.chances):
            self.out.copies("listed", 0, "s", 0, "STATE")
        for step, rule in enumerate(self.model.chances):
            with self.out.when(compare(STATE[TURN], "==", FIRST_STEP - step)):
                self._list(len(self.model.actions) + step, "MOVES")
                if rule.merge:
                    self.out.set("rows", call("merge_outcomes", "rows"))
                if self.naming.sharing[len(self.model.actions) + step]:
                    self.out.set("rows", call("distinct_rows", 0, "rows", 1))
        self.out.returns("rows")
        self.context.function("list_outcomes", "List the outcomes of the chance step that is due.", ir.I32)

    def _list(self, index: int, limit: str) -> None:
        """Write the listing of one rule's rows; if its body is tried, one row for each run that succeeds."""
        rule, out = self.rules.all[index], self.out
        is_action = index < len(self.model.actions)
        is_tried = not rule.simple
        out.comment(clean(rule.name))
        out.enter(rule.span)
        if rule.merge and is_action:
            out.calls("begin_results")

        def enter(named: Frame, head: list[Value]) -> None:
            weight = literal(1) if rule.weight is None or is_action else self._weight(rule, named)
            # How many paths a body has is known only in play: as many rows as may be listed at all.
            self.most_rows += self.ways.most * (MOST_ROWS if self.rules.has_path(rule) else 1)
            # Such an outcome never happens, and its row is never written.
            if weight.constant == 0:
                return
            words = [word for value in head for word in row_words(value)]

            def write() -> None:
                with out.when("so") if is_tried else nullcontext():
                    self._write_row(index, words, weight, limit, array("run_rank")[0] if is_tried else 0)

            def run() -> None:
                self._try_body(index, rule, arguments_of(head))
                write()

            with nullcontext() if weight.constant else out.when(compare(weight.code, "!=", 0)):
                if index in self.naming.named:
                    is_legal = rule.simple and not self.rules.ranked
                    out.store("name_here", 0, self.naming.hash_head(rule, named, is_legal))
                if is_tried:
                    self.ways.each_run(rule, run, lambda: out.calls("begin_path"))
                else:
                    write()

        head = self.ways.each_way(index, enter)
        if head is not None:
            self.heads[index] = head

    def _weight(self, rule: Rule, frame: Frame) -> Number:
        """The weight of an outcome; a fault is written where it is below 0 or none."""
        assert rule.weight is not None
        weight = self.out.bound(self.expressions.number_or_none(rule.weight, frame), "weight_here")
        message = f"the weight of an outcome of {clean(rule.name)} is below 0 or none"
        wrong = on.compare("<", Number(weight.code, weight.low, weight.high, scale=weight.scale), literal(0))
        self.context.trap_if(on.disjunction(on.equal(weight, NOTHING), wrong), message, rule.span)
        return weight

    def _try_body(self, index: int, rule: Rule, arguments: list[ir.Expr]) -> None:
        """Write code that runs a body, sets `so` to whether it succeeds (and, if the action merges, has a new result),
        and restores the state."""
        out = self.out
        # The turn is set apart, so that `apply` can tell whether the body has said who is next.
        out.store("s", 0, UNSET)
        if self.rules.ranked:
            out.store("run_rank", 0, 0)
        self.bodies.begin_events()
        if index in self.naming.named:
            out.store("name", 0, array("name_here")[0])
        out.set("so", call(self.rule_name(index), *arguments))
        if rule.merge and index < len(self.model.actions):
            with out.when("so"):
                out.set("so", call("is_new_result"))
        # What a tried body has left is kept for the first rows: whoever applies one of them soon need not run it again.
        if self.rules.keeps and index < len(self.model.actions):
            with out.when(conjunction(ir.Local("so"), compare("rows", "<", KEEPS))):
                out.copies("tried", ir.Local("rows") * "STATE", "s", 0, "STATE")
        out.copies("s", 0, "listed", 0, "STATE")

    def _write_row(self, index: int, codes: list[ir.Expr], weight: Number, limit: str, rank: Code) -> None:
        """Write code that appends a row; where actions have ranks, only rows of the greatest rank so far are kept."""
        out, rule, is_ranked = self.out, self.rules.all[index], self.rules.ranked and index < len(self.model.actions)
        words: list[Code] = [index, *codes]
        if self.rules.has_path(rule):
            words += [call("keep_path"), ODOMETER[0], ODOMETER[1]]
        with out.when(compare(rank, ">=", "best")) if is_ranked else nullcontext():
            if is_ranked:
                # A greater rank than any before: all rows so far are dropped.
                with out.when(compare(rank, ">", "best")):
                    out.set("rows", "first")
                    out.set("best", rank)
            out.set("at", ir.Local("rows") * "WIDTH")
            for k, word in enumerate(words):
                out.store("move", plus("at", k), word)
            if index >= len(self.model.actions):
                out.store("weight", "rows", weight.code)
            if index in self.naming.named:
                out.store("name_of", "rows", array("name_here" if rule.simple else "name")[0])
            out.update("rows", "+", 1)
            with out.when(compare("rows", "==", limit)):
                # Listings of actions stop quietly at their limit, as for `no_actions`, which asks for one; all others
                # may not be cut.
                if limit == "limit":
                    out.returns("rows")
                else:
                    out.trap(TOO_MANY)

    # -- bodies ---------------------------------------------------------------------------------------------

    def rule_name(self, index: int) -> str:
        """The name of the function for a rule's body: after the rule, or by number if the name is no identifier or
        several rules share it (in games of clauses, moves of several players may)."""
        word = self.rules.all[index].name
        is_own = word.isascii() and word.isidentifier() and self._bearers[word] == 1
        return f"rule_{word}" if is_own else f"rule_{index}"

    def write_bodies(self, indices: Iterable[int], prefix: str = "") -> None:
        """Write the bodies of these rules as functions. With a prefix to their names they are further ones, which no
        listing runs."""
        for index in indices:
            self.write_body(index, prefix + self.rule_name(index), self.heads[index], listed=not prefix)

    def write_body(self, index: int, name: str, values: list[Value], start: str = "", listed: bool = False) -> None:
        """Write a rule's body as a function of the values of its head. The conditions that open it are asked by the
        caller. If the body chooses, its path begins in `chosen` at the place given by the function's parameter `start`
        (empty: at 0). `listed`: the function serves listings, some of which leave out quiet actions."""
        rule = self.rules.all[index]
        rest = opening(rule.body)
        # Conditions of the opening were asked while the head was filled; its `let`s are needed once more in the body.
        statements = tuple(s for at, s in enumerate(rule.body) if at >= rest or not isinstance(s, core.Require))
        declared, head = dict[str, str](), []
        for k, value in enumerate(values):
            made = choice_from_words(value, [ir.Local(f"p{k}", ir.I64 if isinstance(value, Mask) else ir.I32)])
            if isinstance(made, Mask):
                declared[f"p{k}"] = ir.I64
            else:
                declared[f"p{k}"] = ir.I32
                made = made.with_name(f"p{k}") if isinstance(made, Number) and made.constant is None else made
            head.append(made)
        if start:
            declared[start] = ir.I32

        def write() -> None:
            if self.rules.has_path(rule):
                self.out.set("at", start or 0)
            frame: Frame = {p.slot: value for p, value in zip(rule.parameters, head, strict=True)}
            asked = max(0, len(statements) - len(rule.body) + self.noisy.count_changing_statements(rule))
            self.bodies.body(rule, statements, frame, asked, self.noisy.ask if listed else None)
            self.out.returns(1)

        with (
            locate_refusals(rule.span), self.context.judging(index, within=True), self.context.in_body(),
            self.naming.of_runs(listed and index in self.naming.named),
        ):  # fmt: skip
            self.bodies.write_settled(write)
        self.context.function(name, f"{clean(rule.name)}: 1 where the run succeeds.", ir.I32, **declared)

    def write_perform(self) -> None:
        """Write `perform(i)`, which does row i; the turn is left as the body sets it, else as it was."""
        self.context.begin()
        self.out.set("at", ir.Local("i") * "WIDTH")
        self.out.set("rule", MOVE["at"])

        def do(index: int) -> None:
            if self.rules.has_path(self.rules.all[index]):
                self.follow_path(index)
            self.out.calls(self.rule_name(index), *self.head_codes(index))

        self.out.choose_by_halves(sorted(self.heads), lambda index: compare("rule", "<", index), do)
        self.context.function("perform", "Do row i, without what begins and ends a ply.", i=ir.I32)

    def follow_path(self, index: int) -> None:
        """Write the call that follows the path of the row that begins at the local variable `at`."""
        # A row: the rule, the words of its head, then where its path is kept and how long it is.
        at = 1 + sum(self.head_words[index])
        self.out.calls("follow_path", move_word(at), move_word(at + 1))

    def head_codes(self, index: int) -> list[ir.Expr]:
        """Code of the values of a rule's head, read from the row that begins at the local variable `at`."""
        at, codes = 1, list[ir.Expr]()
        for value in self.heads[index]:
            if isinstance(value, Mask):
                low, high = (i64(move_word(at + k)) for k in (0, 1))
                # The lower half loses its sign, which would fill the upper one.
                codes.append(high << 32 | low & 0xFFFFFFFF)
                at += 2
            else:
                codes.append(move_word(at))
                at += 1
        return codes

    def head_frame(self, index: int) -> Frame:
        """The names of a rule's head, with the values read from the row that begins at the local variable `at`."""
        frame: Frame = {}
        rule = self.rules.all[index]
        for parameter, value, code in zip(rule.parameters, self.heads[index], self.head_codes(index), strict=True):
            wide = isinstance(value, Mask)
            name = self.out.let("told", code, wide)
            frame[parameter.slot] = choice_from_words(value, [ir.Local(name, ir.I64 if wide else ir.I32)])
        return frame

    @property
    def head_words(self) -> list[tuple[int, ...]]:
        """For each rule, the number of words that each parameter takes in a row."""
        return [tuple(len(row_words(v)) for v in self.heads.get(index, ())) for index in range(len(self.rules.all))]

    @property
    def width(self) -> int:
        """The number of words of a row, the same for all rules."""
        words, all = self.head_words, self.rules.all
        return 1 + max((sum(words[n]) + ENDS_OF_ROW * self.rules.has_path(all[n]) for n in self.heads), default=0)


def move_word(at: int) -> ir.Expr:
    """The word at offset `at` of the row that begins at the local variable `at`."""
    return MOVE[plus("at", at)]


def arguments_of(head: list[Value]) -> list[ir.Expr]:
    """The values of a head as arguments for the function of its rule's body."""
    return [words_of_choice(value)[0] for value in head]


def row_words(value: Value) -> list[ir.Expr]:
    """The words of 32 bits in which a row stores a value of its head."""
    if isinstance(value, Mask):
        if len(value.words) > 1:
            raise UnsupportedConstruct("a draw from more than 64 things")
        (word,) = value.words
        return [i32(word.code), i32(word.code >> 32)]
    (code,) = words_of_choice(value)
    if isinstance(value, Number) and value.wide:
        raise UnsupportedConstruct("a parameter of more than 32 bits")
    return [code]
