"""A whole file as written: its sections, among them those of its variants."""

from __future__ import annotations

from typing import ClassVar

from gdl.syntax import rules
from gdl.syntax.explicit import ClaimedAnswer, Expectation, Matrix, MatrixOfProfiles, Tree
from gdl.syntax.words import Syntax, Word


class OtherLanguage(Syntax):
    """A whole file in a language that a wing brings. `check(name, section)`, named as "module:name", is its checker:
    the model and the warnings."""

    check: ClassVar[str] = ""


class Variant(Syntax, rest=True):
    name: Word | None
    title: Word | None
    sections: tuple[Section, ...]


RuleSection = (
    rules.Game | rules.Players | rules.Seats | rules.Setting | rules.TypeDefinition | rules.Board | rules.State
    | rules.Definition | rules.Procedure | rules.Action | rules.Chance | rules.Phase | rules.Resolve | rules.Start
    | rules.Opening | rules.Setup | rules.Look | rules.Notation | rules.NotationForgets | rules.Position
    | rules.PositionRequires | rules.PositionKeeps | rules.TerminalTest | rules.Evaluation
    | rules.Utility | rules.Measure | rules.Discount | rules.Claim | Variant | rules.Use | rules.Prologue
    | rules.Epilogue
)  # fmt: skip


Section = RuleSection | Tree | Matrix | MatrixOfProfiles | OtherLanguage | Expectation | ClaimedAnswer


class Description(Syntax):
    """A whole file: its sections in their order."""

    name: str  # the file's own name, for want of a title
    sections: tuple[Section, ...]
