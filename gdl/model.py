"""The checked game: names resolved, domains finite, sugar gone. Engines see this and never the syntax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from gdl.errors import Span
from gdl.game import Joint, Number, Utility

Bounds = tuple[tuple[Number | None, Number | None], ...]  # lowest and highest utility, one pair per player


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node of an explicit tree; `children` are indices into the tree's nodes, `utilities` belong to an end."""

    kind: Literal["decision", "chance", "terminal"]
    player: int | None = None
    label: str | None = None
    information_set: str | None = None
    evaluation: tuple[Number, ...] | None = None
    bounds: Bounds | None = None
    actions: tuple[str, ...] = ()
    probabilities: tuple[Number, ...] = ()
    children: tuple[int, ...] = ()
    utilities: tuple[Utility, ...] = ()
    span: Span | None = None


@dataclass(frozen=True)
class TreeModel:
    """An explicit tree; `nodes[0]` is the root and every node stands before its children."""

    name: str
    players: tuple[str, ...]
    nodes: tuple[TreeNode, ...]
    bounds: Bounds | None = None  # that every leaf keeps


@dataclass(frozen=True)
class MatrixModel:
    """A game in strategic form: one utility vector for every joint action."""

    name: str
    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    utilities: Mapping[Joint, tuple[Utility, ...]]
