"""A whole file as written: its sections, among them those of its variants."""

from __future__ import annotations

from typing import ClassVar

from gdl.syntax.clause_nodes import Clauses
from gdl.syntax.explicit import ClaimedAnswer, Expectation, Matrix, MatrixOfProfiles, Tree
from gdl.syntax.rules import (
    Action,
    Board,
    Chance,
    Claim,
    Definition,
    Discount,
    Epilogue,
    Evaluation,
    Game,
    Notation,
    Opening,
    Players,
    Position,
    Procedure,
    Prologue,
    Resolve,
    Seats,
    Setting,
    Setup,
    Start,
    State,
    TerminalTest,
    TypeDefinition,
    Use,
    Utility,
)  # fmt: skip
from gdl.syntax.words import Syntax, Word


class Variant(Syntax):
    name: Word | None
    title: Word | None
    sections: tuple[Section, ...]
    rest: ClassVar[bool] = True


RuleSection = (
    Game | Players | Seats | Setting | TypeDefinition | Board | State | Definition | Procedure | Action | Chance
    | Resolve | Start | Opening | Setup | Notation | Position | TerminalTest | Evaluation | Utility | Discount | Claim
    | Variant | Use | Prologue | Epilogue
)  # fmt: skip


Section = RuleSection | Tree | Matrix | MatrixOfProfiles | Clauses | Expectation | ClaimedAnswer


class Description(Syntax):
    """A whole file, section by section in its order."""

    name: str  # the file's own name, for want of a title
    sections: tuple[Section, ...]
