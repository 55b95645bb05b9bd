"""The record of a search with windows: every visit, every step, every cut. A search too long to be read is not kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gdl.game import Action, Game, Number, exact
from gdl.solution import Cut, Event, Path, Skipped, Visit

Bound = Number | float  # a number, or an infinity
Window = tuple[Bound, Bound]

RECORDED = 20_000  # nodes; of a longer run nothing is kept, which saves seconds
IF_COUNTED = 100_000  # nodes where all positions were counted beforehand: of a tree that somebody wrote node by node


def most_recorded(game: Game[Any]) -> int:
    """The greatest number of nodes of a run of the game whose record is kept, on every engine."""
    return RECORDED if game.traits.states is None else IF_COUNTED


class SearchPlace(NamedTuple):
    """A node's place in the search: its path, label and state, and its number in the order of entry."""

    path: Path
    action: Action | None  # that led here; None at the root
    label: str | None
    state: Any
    number: int
    probe: bool = False  # True if star2 only probes the node


class NodeResult(NamedTuple):
    """The result of a node: a number (max^n: a vector), how it bounds the node's value, and the line to it. `bound` is
    "exact", "lower" or "upper"; None if the number says nothing of the value."""

    value: Any
    bound: str | None
    line: tuple[Action, ...]


@dataclass
class SearchRecord:
    """The visits and events of a run in order, as long as it visits at most `most` nodes."""

    most: int
    visits: list[Visit | None] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    kept: bool = True

    def enter(self, place: SearchPlace) -> None:
        """Record that a node is entered; its visit is completed when it is left."""
        if self.kept and len(self.visits) >= self.most:
            self.drop()
        if self.kept:
            self.visits.append(None)

    def step(
        self, place: SearchPlace, event: str, window: Window, found: NodeResult | None = None, **known: Any
    ) -> None:
        """Record an event at the place, with the window there and the result so far."""
        if self.kept:
            alpha, beta = map(finite, window)
            value, bound = (None, None) if found is None else found[:2]
            self.events.append(Event(place.path, event, alpha, beta, value, bound, probe=place.probe, **known))

    def cut(
        self,
        place: SearchPlace,
        window: Window,
        value: Number,
        child: Action,
        skipped: tuple[Skipped, ...],
        bound: str | None,
    ) -> None:
        if self.kept:
            alpha, beta = map(finite, window)
            self.cuts.append(Cut(place.path, alpha, beta, value, child, skipped, bound))

    def leave(
        self, place: SearchPlace, player: str | None, kind: str, window: Window, after: Window, found: NodeResult
    ) -> None:
        """Record the end of a visit; one without a result is not listed."""
        if self.kept and found.bound is not None:
            alpha, beta = map(finite, window)
            alpha_after, beta_after = map(finite, after)
            self.visits[place.number] = Visit(
                place.path, place.action, place.label, player, kind,
                alpha, beta, alpha_after, beta_after, found.value, found.bound,
            )  # fmt: skip

    def drop(self) -> None:
        """Keep nothing of the run."""
        self.kept = False
        self.visits, self.events, self.cuts = [], [], []


def finite(limit: Bound) -> Number | None:
    """The limit as data: None for an infinite one."""
    return None if isinstance(limit, float) else limit


def number(value: Bound) -> Number:
    assert not isinstance(value, float)  # a node has children, so its value is no longer infinite
    return exact(value)
