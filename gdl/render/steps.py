"""A search told step by step: what is looked at, what comes back, how the window narrows, what is cut and why.

The steps of a search with windows are the events of its record; those of backward induction (minimax, expectiminimax,
maxn) are those of a walk through the whole tree, children before parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gdl.errors import listing
from gdl.game import Number
from gdl.numbers import to_text, vector_text
from gdl.render.picture import Drawn, Picture
from gdl.render.picture.told import payoff
from gdl.solution import Cut, Event, Path, Solution

_BOUNDS = {"exact": "=", "lower": ">=", "upper": "<="}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that search does. `node` is its number in the picture; `value` is what is known there so far, with
    its bound, `...` while children are still to come; the window is that of the node; `skipped` are the roots that a
    cut leaves out."""

    node: int
    event: str  # enter, leaf, update, cut, leave, done
    said: str
    value: str = ""
    bound: str = ""
    alpha: str = ""
    beta: str = ""
    skipped: tuple[int, ...] = ()


def steps(picture: Picture, solution: Solution) -> list[Step]:
    """The steps of the solution's search on the nodes of the picture; nothing where it kept no record."""
    if solution.events:
        return list(_Search(picture, solution).steps())
    return list(_Induction(picture, solution).steps()) if solution.values else []


class _Teller:
    """What both kinds of search say alike."""

    def __init__(self, picture: Picture, solution: Solution):
        self.picture = picture
        self.solution = solution
        self.numbers = {node.path: number for number, node in enumerate(picture.nodes)}

    def called(self, path: Path) -> str:
        """`B (MIN)`; a node without a name by the actions that lead there."""
        node = self.picture.nodes[self.numbers[path]]
        who = f" ({node.mover})" if node.mover else ""
        return f"{node.name or self.play(path) or 'the root'}{who}"

    def play(self, path: Path) -> str:
        """The actions that lead to a node, drawn or not."""
        names = []
        for length in range(1, len(path) + 1):
            number = self.numbers.get(path[:length])
            name = "" if number is None else self.picture.nodes[number].action
            names.append(name or str(path[length - 1] + 1))
        return " > ".join(names)

    def action(self, path: Path) -> str:
        """The action that leads to a node; the whole play where it is only a number."""
        number = self.numbers.get(path)
        return (self.picture.nodes[number].action if number is not None else "") or self.play(path)

    def done(self, value: str, bound: str) -> Step:
        said = f"Done: the value of the root is {value}"
        best = f", and the best {'action is' if len(self.solution.best) == 1 else 'actions are'}"
        said += f"{best} {listing(self.solution.best)}." if self.solution.best else "."
        return Step(0, "done", said, value, bound)


class _Search(_Teller):
    """The events of a search as steps."""

    def __init__(self, picture: Picture, solution: Solution):
        super().__init__(picture, solution)
        self.windows = solution.rule is None or solution.rule.cut is not None
        self.cuts = {(cut.node, cut.alpha, cut.beta, cut.value): cut for cut in solution.cuts}
        self.so_far: dict[Path, Event] = {}  # the last event of each node
        self.returned = ""  # what the last child that was left came back with

    def steps(self) -> Iterator[Step]:
        for event in self.solution.events:
            number = self.numbers.get(event.node)  # None: folded away
            if number is not None and self.picture.nodes[number].children:
                yield self._inner(event)
            elif number is not None and event.event in ("leaf", "leave"):
                yield self._step(event, "leaf", self._came_back(event))
            if event.event in ("leaf", "leave"):
                self.returned = self._value(event)
        last = self.solution.events[-1]
        yield self.done(self._value(last), _BOUNDS.get(last.bound or "", ""))

    def _inner(self, event: Event) -> Step:
        """What happened at a node that is drawn with its children. A cut that skips nothing is but an update."""
        tell = {"enter": self._entered, "update": self._updated, "cut": self._cut, "leave": self._left}[event.event]
        cut = self._cut_of(event)
        roots = () if cut is None else cut.skipped
        skipped = tuple(self.numbers[root.path] for root in roots if root.path in self.numbers)
        kind = "update" if event.event == "cut" and not roots else event.event
        step = self._step(event, kind, tell(event), skipped)
        self.so_far[event.node] = event
        return step

    def _cut_of(self, event: Event) -> Cut | None:
        """The cut that an event is; None for other events, and where what was skipped was looked at later after all."""
        if event.event != "cut" or isinstance(event.value, tuple) or event.value is None:
            return None
        return self.cuts.get((event.node, event.alpha, event.beta, event.value))

    def _step(self, event: Event, kind: str, said: str, skipped: tuple[int, ...] = ()) -> Step:
        window = (_end(event.alpha, "-inf"), _end(event.beta, "inf")) if self.windows else ("", "")
        bound = _BOUNDS.get(event.bound or "", "") if kind in ("leaf", "leave") else "..."
        return Step(self.numbers[event.node], kind, said, self._value(event), bound, *window, skipped)

    def _value(self, event: Event) -> str:
        """The value of an event; at a chance node that search has not left, what it lies between."""
        if event.event in ("enter", "update") and event.low is not None and event.high is not None:
            return _between(event.low, event.high)
        if event.value is None:
            return ""
        return vector_text(event.value) if isinstance(event.value, tuple) else to_text(event.value)

    def _entered(self, event: Event) -> str:
        looks = "Probe" if event.probe else "Enter"
        window = f" with alpha {_end(event.alpha, '-inf')} and beta {_end(event.beta, 'inf')}" if self.windows else ""
        return f"{looks} {self.called(event.node)}{window}{self._lies(event)}."

    def _lies(self, event: Event) -> str:
        """What the bounds say of a chance node."""
        if event.low is None or event.high is None:
            return ""
        return f"; its value is between {to_text(event.low)} and {to_text(event.high)}"

    def _came_back(self, event: Event) -> str:
        node = self.picture.nodes[self.numbers[event.node]]
        what = "is worth" if node.shape == "end" else "is estimated as" if event.event == "leaf" else "comes back with"
        return f"{node.name or self.action(event.node) or 'the root'} {what} {self._value(event)}."

    def _updated(self, event: Event) -> str:
        """What a child's value did to its parent: a better value, a narrower window."""
        name, before = self.called(event.node), self.so_far.get(event.node)
        if event.low is not None or event.value is None:
            return f"{name} goes on{self._lies(event)}."
        value = self._value(event)
        if before is not None and before.value == event.value:
            return f"{name} keeps {value}: {self.returned} is no better."
        narrowed = ""
        if before is not None and self.windows and event.alpha != before.alpha:
            narrowed = f", and alpha is now {_end(event.alpha, '-inf')}"
        elif before is not None and self.windows and event.beta != before.beta:
            narrowed = f", and beta is now {_end(event.beta, 'inf')}"
        return f"{name} has {value} so far{narrowed}."

    def _cut(self, event: Event) -> str:
        cut = self._cut_of(event)
        if cut is None:
            return f"Enough at {self.called(event.node)} for now: {self._value(event)} is outside the window."
        at = f"at {self.called(cut.node)}: {cut.reason} after {cut.child}"
        skipped = [self.action(root.path) for root in cut.skipped]
        if not skipped:
            return f"Enough {at}; nothing is left to skip."
        return f"Cut {at}, so {listing(skipped)} {'is' if len(skipped) == 1 else 'are'} never looked at."

    def _left(self, event: Event) -> str:
        name, value = self.called(event.node), self._value(event)
        if event.bound is None:
            return f"Leave {name}."
        meaning = {
            "exact": "its value",
            "lower": "only a lower bound: something was skipped",
            "upper": "only an upper bound: something was skipped",
        }[event.bound]
        return f"Leave {name} with {_BOUNDS[event.bound]} {value}, {meaning}."


def _between(low: Number, high: Number) -> str:
    return f"{to_text(low)} to {to_text(high)}"


class _Induction(_Teller):
    """Backward induction as a walk through the tree: every node is entered, and left with its value."""

    def steps(self) -> Iterator[Step]:
        values = self.solution.values
        stack: list[tuple[int, int]] = [(0, 0)]  # a node, and how many of its children were looked at
        while stack:
            number, looked = stack.pop()
            node = self.picture.nodes[number]
            if not node.children:
                yield Step(number, "leaf", self._leaf(node, values), _value(self.picture, node, values), "=")
                continue
            if not looked:
                yield Step(number, "enter", f"Enter {self.called(node.path)}.")
            if looked < len(node.children):
                stack += [(number, looked + 1), (node.children[looked], 0)]
            else:
                yield Step(number, "leave", self._left(node, values), _value(self.picture, node, values), "=")
        yield self.done(_value(self.picture, self.picture.nodes[0], values), "=")

    def _leaf(self, node: Drawn, values: Mapping[Path, tuple[Number, ...]]) -> str:
        what = "is worth" if node.shape == "end" else "comes back with"
        return f"{node.name or self.action(node.path) or 'the root'} {what} {_value(self.picture, node, values)}."

    def _left(self, node: Drawn, values: Mapping[Path, tuple[Number, ...]]) -> str:
        children = [self.picture.nodes[child] for child in node.children]
        told = [_value(self.picture, child, values) for child in children]
        rule = {"max": "the greatest of", "min": "the least of", "chance": "the average of"}.get(node.shape, "from")
        if node.shape == "chance":
            told = [f"{child.probability} times {value}" for child, value in zip(children, told, strict=True)]
        if node.shape == "player":
            rule = f"what is best for {node.mover} among"
        return f"{self.called(node.path)} gets {_value(self.picture, node, values)}, {rule} {listing(told)}."


def _value(picture: Picture, node: Drawn, values: Mapping[Path, tuple[Number, ...]]) -> str:
    """A node's value as the picture writes it: one number where one says all."""
    if node.shape == "end":
        return payoff(node)
    vector = values.get(node.path)
    if vector is None:
        return "?"
    scalar = all(len(other.payoff) <= 1 for other in picture.nodes)
    first = picture.players.index("MAX") if "MAX" in picture.players else 0
    return to_text(vector[first]) if scalar else vector_text(vector)


def _end(limit: Number | None, infinite: str) -> str:
    return infinite if limit is None else to_text(limit)
