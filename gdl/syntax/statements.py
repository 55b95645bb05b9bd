"""The bodies of actions as written: effects, choices, control, and whose turn comes next."""

from __future__ import annotations

from gdl.syntax.expressions import Binder, Expression, Let
from gdl.syntax.words import Syntax, Word


class Target(Syntax, rest=True):
    """The target of an assignment: a variable, an element, or (with a `path`) a field of a record in it."""

    name: Word
    arguments: tuple[Expression, ...] | None
    path: tuple[Word, ...] = ()


class Assign(Syntax):
    """An assignment of each value to its target, or of one value to all targets. All values are computed before the
    first is assigned."""

    targets: tuple[Target, ...]
    values: tuple[Expression, ...]


class CallProcedure(Syntax):
    name: Word
    arguments: tuple[Expression, ...] | None


class Require(Syntax):
    condition: Expression


class Rank(Syntax):
    value: Expression


class Stop(Syntax):
    pass


class Forget(Syntax):
    pass


class Payment(Syntax):
    amount: Expression
    player: Expression


class Reward(Syntax, rest=True):
    payments: tuple[Payment, ...]


class Next(Syntax):
    turn: Turn


class NextPhase(Syntax):
    phase: Word


class Audience(Syntax):
    who: Word


class Say(Syntax):
    event: Expression
    hearer: Expression | None


class Choice(Syntax):
    """A parameter to be chosen by the mover, or by chance."""

    name: Word
    type: Expression
    until: Expression | None


class Draw(Syntax):
    """Several things drawn at once, `w: 3 from unseen`."""

    name: Word
    count: Expression
    source: Expression


class Guard(Syntax):
    condition: Expression


class Weight(Syntax):
    value: Expression


class Template(Syntax):
    text: Word


class Merge(Syntax):
    pass


class Public(Syntax):
    """An action of which everyone learns."""


class Unseen(Syntax):
    """An action of which others learn only what it changes for them to see."""


class SeenWhen(Syntax):
    """An action seen by those players for whom the condition holds before it is done."""

    who: Word
    condition: Expression


Modifier = Guard | Weight | Template | Merge | Public | Unseen | SeenWhen


class Choose(Syntax):
    choices: tuple[Choice | Draw, ...]
    modifiers: tuple[Modifier, ...]


class DrawStep(Syntax):
    """`draw STEP N times`: a chance step in the middle of a body."""

    step: Word
    arguments: tuple[Expression, ...] | None
    times: Expression | None


class EachPlayer(Syntax):
    who: Word


class Deal(Syntax):
    """`deal N from D to H`: so many things that chance moves from one set or array of numbers to another."""

    count: Expression
    source: Expression
    receiver: Expression | EachPlayer


class AskPlayer(Syntax):
    """`ask P: A, B`: a player, or each of several in turn, chooses one of these actions in the middle of a body."""

    who: Expression | FirstAfter
    actions: tuple[Word, ...]


class Repeat(Syntax):
    body: tuple[Statement, ...]


class ForEach(Syntax):
    binders: tuple[Binder, ...]
    body: tuple[Statement, ...]


class Attempt(Syntax):
    body: tuple[Statement, ...]
    refused: tuple[Statement, ...]


class Try(Syntax):
    body: tuple[Statement, ...]


class Conditional(Syntax):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: Conditional | tuple[Statement, ...] | None


Statement = (
    Let | Assign | CallProcedure | Require | Rank | Stop | Forget | Reward | Next | NextPhase | Say | Choose | DrawStep
    | Deal | AskPlayer | Repeat | ForEach | Attempt | Try | Conditional
)  # fmt: skip


class Everyone(Syntax):
    value: Word


class TurnOf(Syntax):
    who: Expression


class FirstAfter(Syntax):
    name: Word
    sign: Word
    start: Expression
    where: Expression | None


class FirstBefore(FirstAfter):
    pass


Turn = Everyone | TurnOf | FirstAfter | FirstBefore
