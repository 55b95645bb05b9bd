"""Trees, matrices and known answers as written, and the file that holds all."""

from __future__ import annotations

from typing import ClassVar

from gdl.syntax.rules import Binding, Bound
from gdl.syntax.words import Syntax, Word


class Label(Syntax):
    """Words before the colon: an action, a probability, or both."""

    parts: tuple[Word, ...]
    rest: ClassVar[bool] = True


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


class Row(Syntax):
    name: Word
    cells: tuple[Word | tuple[Word, ...], ...]
    rest: ClassVar[bool] = True


class Matrix(Syntax):
    header: tuple[Word, ...]
    rows: tuple[Row, ...]
    rest: ClassVar[bool] = True


class MatrixProfile(Syntax):
    actions: tuple[Word, ...]
    utilities: Word | tuple[Word, ...]


class MatrixOfProfiles(Syntax):
    profiles: tuple[MatrixProfile, ...]
    rest: ClassVar[bool] = True


# ---- Known answers --------------------------------------------------------------------------------------------------


class Step(Syntax):
    """An action's name; with arguments for `drop(4)`."""

    name: Word
    arguments: tuple[Step, ...]
    rest: ClassVar[bool] = True

    @property
    def text(self) -> str:
        inner = ", ".join(argument.text for argument in self.arguments)
        return f"{self.name.name}({inner})" if self.arguments else self.name.name


class Path(Syntax):
    """Steps and the `>` between them."""

    parts: tuple[Step | Word, ...]
    rest: ClassVar[bool] = True

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(part for part in self.parts if isinstance(part, Step))


class AnswerVector(Syntax):
    items: tuple[Path, ...]


class AnswerSet(Syntax):
    items: tuple[Path, ...] | None


class At(Syntax):
    """Under a variant, or from a named position."""

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
