"""Trees, matrices and known answers as written, and the file that holds all."""

from __future__ import annotations

from typing import Any, Literal

from gdl.syntax.expressions import Expression
from gdl.syntax.rules import Binding, Bound
from gdl.syntax.words import Syntax, Word


class Label(Syntax, rest=True):
    """Words before the colon: an action, a probability, or both."""

    parts: tuple[Word, ...]

    @property
    def amounts(self) -> tuple[Word, ...]:
        """The probability: a number or an unknown, or a number from which unknowns are taken, with the signs."""
        if self.parts[-1].kind not in ("INT", "NUMBER", "UNKNOWN"):
            return ()
        return self.parts[-1 - 2 * sum(word.kind == "MINUS" for word in self.parts) :]

    @property
    def name(self) -> Word | None:
        """The action, if it is named."""
        return self.parts[0] if len(self.parts) > len(self.amounts) else None


class Leaf(Syntax):
    name: Word | None
    utilities: Word | tuple[Word, ...]


class Inner(Syntax):
    player: Word  # of kind CHANCE for nature
    name: Word | None
    information_set: Word | None
    evaluation: Word | tuple[Word, ...] | None
    bound: Bound | None


class LeafNode(Syntax):
    label: Label | None
    leaf: Leaf


class InnerNode(Syntax):
    label: Label | None
    head: Inner
    children: tuple[LeafNode | InnerNode, ...]


class Tree(Syntax):
    root: LeafNode | InnerNode


class Row(Syntax, rest=True):
    name: Word
    cells: tuple[Word | tuple[Word, ...], ...]


class Matrix(Syntax, rest=True):
    header: tuple[Word, ...]
    rows: tuple[Row, ...]


class MatrixProfile(Syntax):
    actions: tuple[Word, ...]
    utilities: Word | tuple[Word, ...]


class MatrixOfProfiles(Syntax, rest=True):
    profiles: tuple[MatrixProfile, ...]


# ---- Known answers --------------------------------------------------------------------------------------------------


class Step(Syntax, rest=True):
    """An action's name; with arguments for `drop(4)`."""

    name: Word
    arguments: tuple[Step, ...]

    @property
    def text(self) -> str:
        inner = ", ".join(argument.text for argument in self.arguments)
        return f"{self.name.name}({inner})" if self.arguments else self.name.name


class Path(Syntax, rest=True):
    """A path: steps separated by `>`."""

    parts: tuple[Step | Word, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(part for part in self.parts if isinstance(part, Step))


class AnswerVector(Syntax):
    items: tuple[Path, ...]


class AnswerSet(Syntax):
    items: tuple[Path, ...] | None


class At(Syntax):
    """`at NAME`: under a variant, or from a named position."""

    name: Word


class After(Syntax):
    actions: Word


class With(Syntax):
    settings: tuple[Binding, ...]


class Expectation(Syntax):
    quantity: Word
    depth: Word | None
    answer: Path | AnswerVector | AnswerSet
    conditions: tuple[At | After | With, ...]


# What is asked of best play.


class Ending(Syntax, rest=True):
    """An end that a question asks for: of kind WIN or LOSE with a player, DRAW, or END for any end."""

    parts: tuple[Any, ...]

    @property
    def kind(self) -> Literal["WIN", "LOSE", "DRAW", "END"]:
        return self.parts[0].kind  # type: ignore[no-any-return]

    @property
    def player(self) -> Word | None:
        return self.parts[1] if len(self.parts) > 1 else None


class Ability(Syntax):
    """The question if players can force something to come about, or can avoid it."""

    players: tuple[Word, ...]
    verb: Word
    objective: Expression | Ending
    within: Word | None


class Reachable(Syntax):
    """`COND reachable`: the question if some play leads to a position."""

    objective: Expression | Ending
    within: Word | None


class Invariant(Syntax):
    """The question if a condition holds in every position."""

    objective: Expression
    within: Word | None


class Likelihood(Syntax):
    """The question how probable an event is when these players play for it and the others against it, or all at
    random."""

    objective: Expression | Ending
    players: tuple[Word, ...] | Word
    within: Word | None
    claimed: Expression | None


Question = Ability | Reachable | Invariant | Likelihood


class ClaimedAnswer(Syntax):
    """A question whose answer the file states."""

    question: Question
    conditions: tuple[At | After | With, ...]


Known = Expectation | ClaimedAnswer
