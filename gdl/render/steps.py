"""A search told step by step: what is looked at, what comes back, how the window narrows, what is cut and why.

The steps of alpha-beta are those of its record; of backward induction (minimax, expectiminimax, maxn) those of a walk
through the whole tree, children before parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gdl.errors import listing
from gdl.game import Number
from gdl.numbers import to_text, vector_text
from gdl.render.picture import Drawn, Picture
from gdl.render.picture.told import payoff
from gdl.solution import Cut, Path, Solution, Visit

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
    if solution.visits:
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
    """Alpha-beta's record as steps."""

    def __init__(self, picture: Picture, solution: Solution):
        super().__init__(picture, solution)
        self.cuts = {cut.node: cut for cut in solution.cuts}
        self.last = {visit.path[:-1]: visit.path for visit in solution.visits}  # the last child that was looked at
        self.open: list[Visit] = []  # the path from the root to where search is
        self.best: list[Number | None] = []  # the value so far of each

    def steps(self) -> Iterator[Step]:
        for visit in self.solution.visits:
            if visit.path not in self.numbers:  # folded away
                continue
            while self.open and visit.path[: len(self.open[-1].path)] != self.open[-1].path:
                yield from self._leave()
            if self.picture.nodes[self.numbers[visit.path]].children:
                yield self._enter(visit)
            else:
                yield self._leaf(visit)
                yield from self._update(visit)
        while self.open:
            yield from self._leave()
        root = self.solution.visits[0]
        yield self.done(to_text(root.value), _BOUNDS[root.bound])

    def _step(self, visit: Visit, event: str, said: str, alpha: Number | None, beta: Number | None) -> Step:
        so_far = self.best[-1] if self.open and self.open[-1] is visit else visit.value
        value = "" if so_far is None else to_text(so_far)
        bound = _BOUNDS[visit.bound] if event in ("leaf", "leave") else "..." if value else ""
        return Step(self.numbers[visit.path], event, said, value, bound, _end(alpha, "-inf"), _end(beta, "inf"))

    def _enter(self, visit: Visit) -> Step:
        self.open.append(visit)
        self.best.append(None)
        window = f"alpha {_end(visit.alpha, '-inf')} and beta {_end(visit.beta, 'inf')}"
        return self._step(visit, "enter", f"Enter {self.called(visit.path)} with {window}.", visit.alpha, visit.beta)

    def _leaf(self, visit: Visit) -> Step:
        node = self.picture.nodes[self.numbers[visit.path]]
        what = "is estimated as" if visit.kind == "cutoff" else "is worth" if node.shape == "end" else "comes back with"
        name = node.name or self.action(visit.path) or "the root"
        return self._step(visit, "leaf", f"{name} {what} {to_text(visit.value)}.", visit.alpha, visit.beta)

    def _leave(self) -> Iterator[Step]:
        """Back to the parent, which takes the value."""
        visit = self.open[-1]
        meaning = {
            "exact": "its value",
            "lower": "only a lower bound: children were skipped",
            "upper": "only an upper bound: children were skipped",
        }[visit.bound]
        said = f"Leave {self.called(visit.path)} with {_BOUNDS[visit.bound]} {to_text(visit.value)}, {meaning}."
        self.best[-1] = visit.value
        yield self._step(visit, "leave", said, visit.alpha_after, visit.beta_after)
        self.open.pop()
        self.best.pop()
        yield from self._update(visit)

    def _update(self, child: Visit) -> Iterator[Step]:
        """What a child's value does to its parent: a better value, a narrower window, perhaps a cut."""
        if not self.open:
            return
        parent = self.open[-1]
        shape = self.picture.nodes[self.numbers[parent.path]].shape
        before, maximises = self.best[-1], shape == "max"
        better = before is None or (child.value > before if maximises else child.value < before)
        if shape in ("max", "min") and better:
            self.best[-1] = child.value
        alpha, beta = self._window(parent, maximises)
        cut = self.cuts.get(parent.path) if self.last[parent.path] == child.path else None
        if shape in ("max", "min"):
            yield self._step(parent, "update", self._updated(parent, child, better, (alpha, beta)), alpha, beta)
        if cut is not None and cut.skipped:
            yield self._cut(parent, cut)

    def _window(self, parent: Visit, maximises: bool) -> tuple[Number | None, Number | None]:
        """The parent's window after its value so far."""
        value = self.best[-1]
        if value is None:
            return parent.alpha, parent.beta
        if maximises:
            return (value if parent.alpha is None else max(parent.alpha, value)), parent.beta
        return parent.alpha, (value if parent.beta is None else min(parent.beta, value))

    def _updated(self, parent: Visit, child: Visit, better: bool, window: tuple[Number | None, Number | None]) -> str:
        name, value = self.called(parent.path), self.best[-1]
        assert value is not None
        if not better:
            return f"{name} keeps {to_text(value)}: {to_text(child.value)} is no better."
        alpha, beta = window
        narrowed = ""
        if alpha != parent.alpha:
            narrowed = f", and alpha is now {_end(alpha, '-inf')}"
        elif beta != parent.beta:
            narrowed = f", and beta is now {_end(beta, 'inf')}"
        return f"{name} has {to_text(value)} so far{narrowed}."

    def _cut(self, parent: Visit, cut: Cut) -> Step:
        skipped = [self.action(root.path) for root in cut.skipped]
        unseen = f"{listing(skipped)} {'is' if len(skipped) == 1 else 'are'} never looked at"
        said = f"Cut at {self.called(cut.node)}: {cut.reason} after {cut.child}, so {unseen}."
        numbers = tuple(self.numbers[root.path] for root in cut.skipped if root.path in self.numbers)
        alpha, beta = _end(cut.alpha, "-inf"), _end(cut.beta, "inf")
        return Step(self.numbers[cut.node], "cut", said, to_text(cut.value), "...", alpha, beta, numbers)


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
