"""How a game ends and what it is worth: terminal clauses, utilities, the price of endless play, EVAL(s)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from gdl import syntax
from gdl.checker.constants import constant_value
from gdl.checker.explicit import bounds_of_all, check_bound, negate_bounds, number
from gdl.checker.expressions import ExpressionChecker
from gdl.checker.scope import LocalFrame, Scope
from gdl.checker.types import base_type, numeric
from gdl.errors import Span, count_text, listing
from gdl.game import Bounds, Number, exact, maximiser
from gdl.model import core
from gdl.model.domains import Array
from gdl.model.games import Clause, Feature, Quiet, Unit

Utilities = tuple[core.Expression, ...]


def check_terminal(
    scope: Scope, written: syntax.TerminalTest | None, discounted: bool = False
) -> tuple[tuple[Clause, ...], tuple[Number, ...] | None]:
    """The clauses of `terminal` in order, and the utilities of infinite play where `forever -> …` gives them (else
    None). A `discounted` game needs no `terminal`: play may go on for ever, for its rewards have a finite sum, or an
    average."""
    if written is None:
        if not discounted:
            help = "write a section 'terminal' with clauses such as: no actions -> draw"
            scope.problem(f"{scope.game} never ends", None, help=help)
        return (), None
    clauses = []
    forever: tuple[Number, ...] | None = None
    for clause in written.clauses:
        frame = LocalFrame()
        check = ExpressionChecker(scope, frame, ends=True)
        if isinstance(clause.condition, syntax.Word):
            utilities, _, _ = _outcome(check, clause.outcome)
            found = _constants(utilities, scope)
            if found is not None:
                forever = tuple(found)
            else:
                message = "the value of endless play must be known before play"
                scope.problem(message, clause.outcome.span, help="write numbers, or draw")
            continue
        condition = check.truth(clause.condition)
        utilities, total, winner = _outcome(check, clause.outcome)
        clauses.append(Clause(condition, utilities, total, winner, frame.size, clause.span))
    return tuple(clauses), forever


def check_discount(scope: Scope, written: syntax.Discount | None) -> Number:
    """The factor by which each action makes later utilities count less: more than 0 and at most 1."""
    if written is None:
        return 1
    typed = ExpressionChecker(scope, LocalFrame()).check(written.value)
    known, value = constant_value(typed.core, scope)
    if not numeric(base_type(typed.type)) or not known or value is None or not 0 < value <= 1:
        message = "a discount is a number above 0 and at most 1, known before play"
        scope.problem(message, written.value.span, help="write, for example: discount 9/10")
        return Fraction(1, 2)  # already complained about
    return exact(value)


def check_average(
    scope: Scope, measures: list[syntax.Measure], discount: syntax.Discount | None, ending: syntax.TerminalTest | None
) -> bool:
    """True if `utility is average` stands in the file: what counts is the average of its rewards."""
    lines = [line for line in measures if line.kind.text == "average"]
    for line in lines[:1]:
        if not scope.rewards:
            message = "what counts is the average of rewards, and there are none"
            scope.problem(message, line.span, help="write what an action gains: reward 1 to Ann")
        endless = [c for c in ending.clauses if isinstance(c.condition, syntax.Word)] if ending else []
        for other in (*lines[1:], *([discount] if discount else []), *endless):
            message = "where the average of rewards counts, nothing else says what endless play is worth"
            scope.problem(message, other.span, help="take this line out, or 'utility is average'")
    return bool(lines)


def check_promise(
    scope: Scope, written: syntax.Utility | None, clauses: tuple[Clause, ...], zero_sum: bool
) -> Bounds | None:
    """The bounds that the file promises for the utilities of each player; None where it has no such line. Where two
    players' utilities are opposite, as the clauses pay or as the file claims (`zero_sum`), the line bounds the player
    who gets single numbers, and the other's bounds follow."""
    if written is None:
        return None
    bound, problems = check_bound(written.bound)
    scope.problems += problems
    bound = negate_bounds(bound) if scope.cost else bound
    return bounds_of_all(bound, scope.sides.members, zero_sum or all(clause.sum == 0 for clause in clauses))


def _outcome(check: ExpressionChecker, written: syntax.Outcome) -> tuple[Utilities, Number | None, int | None]:
    """The utility of each player, their sum (None: not known), and the player who wins outright (None: nobody, or it
    depends on the position). Costs are turned into utilities."""
    utilities, total, winner = _outcome_as_written(check, written)
    if not check.scope.cost or isinstance(written, syntax.DrawnGame | syntax.Win | syntax.Lose):
        return utilities, total, winner
    return tuple(negate_number(u, written.span) for u in utilities), total and -total, None


def negate_number(number: core.Expression, span: Span) -> core.Expression:
    """The utility that a cost is."""
    return core.Arithmetic("-", core.Const(0), number, span)


def _outcome_as_written(
    check: ExpressionChecker, written: syntax.Outcome
) -> tuple[Utilities, Number | None, int | None]:
    """Like `_outcome`, with the numbers as the file writes them, which may be costs."""
    count = len(check.scope.sides.members)
    match written:
        case syntax.DrawnGame():
            return (core.Const(0),) * count, 0, None
        case syntax.Win() | syntax.Lose():
            return _win_utilities(check, written, count)
        case syntax.Pay():
            return _payment_utilities(check, written, count)
        case syntax.Each():
            return _utilities_of_each(check, written.name, written.value, count), None, None
    return *_payoffs(check, written.value, count), None


def is_vector(written: syntax.Expression) -> bool:
    """True if the expression is a vector, or chooses between vectors."""
    if isinstance(written, syntax.ChoiceOf):
        return is_vector(written.then) or is_vector(written.otherwise)
    return isinstance(written, syntax.Tuple)


def _payoffs(check: ExpressionChecker, written: syntax.Expression, count: int) -> tuple[Utilities, Number | None]:
    """The utilities that a vector, a choice of vectors or a single number stands for, and their sum (None: not
    known)."""
    if isinstance(written, syntax.Tuple):
        return _vector(check, written, count)
    if isinstance(written, syntax.ChoiceOf) and is_vector(written):
        condition = check.truth(written.condition)
        then, one = _payoffs(check, written.then, count)
        otherwise, other = _payoffs(check, written.otherwise, count)
        both = zip(then, otherwise, strict=True)
        return tuple(core.If(condition, a, b) for a, b in both), (one if one == other else None)
    number = _number(check, written)
    if number == core.Const(None):  # already complained about
        return (core.Const(0),) * count, None
    if count <= 2:
        return _utilities_from_number(check.scope, number, written.span), (0 if count == 2 else None)
    message = f"one number is not enough for {count} players"
    check.scope.problem(message, written.span, help=f"write a vector with {count} numbers, or: each p: …")
    return (core.Const(0),) * count, None


def _utilities_from_number(scope: Scope, number: core.Expression, span: Span) -> Utilities:
    """The utilities for a single number: of a lone player the number; of two, one gets it and the other the
    opposite."""
    if len(scope.sides.members) == 1:
        return (number,)
    pair = number, negate_number(number, span)
    return pair if maximiser(scope.sides.members) == 0 else pair[::-1]


def _win_utilities(
    check: ExpressionChecker, written: syntax.Win | syntax.Lose, count: int
) -> tuple[Utilities, Number | None, int | None]:
    """The utilities of a win: 1 for the winner and -1 for the other of two; a lone player gets 1 or -1."""
    player = check.want(written.player, check.scope.sides)
    sign = 1 if isinstance(written, syntax.Win) else -1
    if count > 2:
        help = f"write a vector with {count} numbers, or: each p: if p = … then 1 else 0"
        check.scope.problem(f"'{written.sign.text}' is for two players, and there are {count}", written.span, help=help)
        return (core.Const(0),) * count, None, None
    winner = None
    if isinstance(player, core.Const) and isinstance(player.value, int):
        winner = player.value if sign == 1 else 1 - player.value
    utilities = tuple(
        core.If(core.Comparison("=", player, core.Const(p), written.span), core.Const(sign), core.Const(-sign))
        for p in range(count)
    )
    return utilities, (0 if count == 2 else None), winner


def _payment_utilities(
    check: ExpressionChecker, written: syntax.Pay, count: int
) -> tuple[Utilities, Number | None, int | None]:
    """The utilities of `pay N to P`: a single payment between two players is made by the other one; several payments
    are what each player gets, and nobody pays them."""
    between_two = count == 2 and len(written.payments) == 1
    payments = []
    for payment in written.payments:
        amount = _number(check, payment.amount)
        payments.append((amount, check.want(payment.player, check.scope.sides), payment.span))
    shares: list[list[core.Expression]] = [[] for _ in range(count)]
    for amount, player, span in payments:
        other = negate_number(amount, span) if between_two else core.Const(0)
        for p in range(count):
            shares[p].append(core.If(core.Comparison("=", player, core.Const(p), span), amount, other))
    totals = tuple(core.join_operands("+", parts, written.span) for parts in shares)
    amounts = _constants([amount for amount, _, _ in payments], check.scope)
    return totals, (0 if between_two else None if amounts is None else sum(amounts)), None


def _constants(expressions: Iterable[core.Expression], scope: Scope) -> list[Any] | None:
    """The values of the expressions; None if one of them depends on play."""
    found = [constant_value(expression, scope) for expression in expressions]
    return [value for _, value in found] if all(known and value is not None for known, value in found) else None


def _utilities_of_each(check: ExpressionChecker, name: syntax.Word, value: syntax.Expression, count: int) -> Utilities:
    """The utilities of `each p: …`: the expression once for every player."""
    with check.frame.inner_block():
        slot = check.bind(name, check.scope.sides)
        result = _number(check, value)
    return tuple(core.Scope(((slot, core.Const(p)),), result) for p in range(count))


def _vector(check: ExpressionChecker, written: syntax.Tuple, count: int) -> tuple[Utilities, Number | None]:
    if len(written.items) != count:
        message = f"{count_text(len(written.items), 'utility')} for {count} players"
        note = f"The players are {listing(check.scope.sides.members)}."
        check.scope.problem(message, written.span, note=note, help=f"write {count} numbers")
        return (core.Const(0),) * count, None
    numbers = tuple(_number(check, item) for item in written.items)
    found = _constants(numbers, check.scope)
    return numbers, (None if found is None else sum(found))


def _number(check: ExpressionChecker, written: syntax.Expression, what: str = "a utility") -> core.Expression:
    typed = check.check(written)
    help = "write a number"
    if isinstance(typed.type, Array):  # what each player gets, by its name alone
        help = f"write each p: {typed.type.name}[p]"
    return check.as_number(typed, written, f"{what} is a number", help).core


def check_evaluation(
    scope: Scope, written: syntax.Evaluation | None
) -> tuple[tuple[Feature, ...], Quiet | None, Unit | None]:
    """Check `evaluate`: the features with their weights (`9 * (queens(White) - queens(Black))` has the weight 9), the
    number that quiet play keeps, and the unit for display."""
    lines = written.lines if written else ()
    features = _features(scope, [line for line in lines if not isinstance(line, syntax.Quiet)])
    quiet = None
    for line in lines:
        if isinstance(line, syntax.Quiet):
            if quiet is not None:
                help = "write one line; several numbers can be added up in it"
                scope.problem("the evaluation has a second line 'quiet' here", line.span, help=help)
            quiet = _read_quiet(scope, line)
    if quiet is not None and not features:
        message = "a search that stops where play is quiet takes the evaluation there, and there is none"
        scope.problem(message, quiet.span, help="write what a position is worth: 9 * (queens(White) - queens(Black))")
    return features, quiet, _read_unit(scope, written.unit) if written and written.unit else None


def _read_unit(scope: Scope, written: syntax.Unit) -> Unit:
    if written.size is None:
        return Unit(written.name.name, 1)
    typed = ExpressionChecker(scope, LocalFrame()).check(written.size)
    known, size = constant_value(typed.core, scope)
    if not numeric(base_type(typed.type)) or not known or not size or size < 0:
        message = "the unit of an evaluation is a number above 0, known before play"
        help = f"write how much utility one is, for example: evaluate in {written.name.name} of 0.01"
        return scope.instead(message, written.size.span, help, Unit(written.name.name, 1))
    return Unit(written.name.name, exact(size))


def _read_quiet(scope: Scope, written: syntax.Quiet) -> Quiet:
    frame = LocalFrame()
    value = _number(ExpressionChecker(scope, frame), written.value, "what quiet play keeps")
    return Quiet(value, frame.size, written.span)


def _features(scope: Scope, written: list[syntax.Feature | syntax.FeatureEach]) -> tuple[Feature, ...]:
    features = []
    count = len(scope.sides.members)
    for feature in written:
        frame = LocalFrame()
        check = ExpressionChecker(scope, frame)
        weight, value = _split_weight(feature.value)
        text = value.span.text
        if isinstance(feature, syntax.FeatureEach):
            values = _utilities_of_each(check, feature.name, value, count)
        else:
            number = _number(check, value)
            if count > 2:
                scope.problem(f"one evaluation is not enough for {count} players", feature.span, "write: each p: …")
            values = _utilities_from_number(scope, number, feature.span)
        features.append(Feature(-weight if scope.cost else weight, values, frame.size, text, feature.span))
    return tuple(features)


def _split_weight(written: syntax.Expression) -> tuple[Number, syntax.Expression]:
    """The constant factor in front of a feature (1 if there is none), and the expression that it multiplies."""
    if isinstance(written, syntax.Negative):
        weight, rest = _split_weight(written.operand)
        return -weight, rest
    if isinstance(written, syntax.Binary) and written.operator.text == "*":
        match written.left:
            case syntax.Number(value=value):
                return number(value), written.right
            case syntax.Negative(operand=syntax.Number(value=value)):
                return -number(value), written.right
    return 1, written
