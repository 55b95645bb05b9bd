"""Follow-on marks: what a node would return if what the student wrote below it were right.

So one mistake counts once: who backs up a wrong number correctly has done that step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gdl.exam.key import Key
from gdl.game import Chance, Decision, Number, exact
from gdl.solution import Event, Path

Amount = Number | tuple[Number, ...]


def child_results(key: Key, path: Path) -> list[tuple[Path, Event]]:
    """The children of a node, and what search got from each."""
    ends = ("leaf", "leave")
    last = {one.event.node: one.event for one in key.told if one.event.event in ends}
    return [(child, last[child]) for child in key.names.nodes.children(path) if child in last]


def following(key: Key, path: Path, written: Mapping[Path, Amount]) -> set[Amount]:
    """What the node may return where its children return what was `written`, else what is right; nothing where that
    can't be said. (It is more than one where it can't be seen who takes the greatest: all children are equal.)"""
    children = child_results(key, path)
    right = [event.value for _, event in children]
    told = [written.get(child, event.value) for child, event in children]
    amounts = [amount for amount in told if amount is not None]
    node = key.names.nodes.at(path).node
    if not amounts or len(amounts) < len(told) or not any(child in written for child, _ in children):
        return set()
    if isinstance(node, Chance):
        return _average(amounts, [weight for _, weight in node.outcomes])
    if not isinstance(node, Decision):
        return set()
    if all(isinstance(amount, tuple) for amount in amounts):
        return {max(amounts, key=lambda vector: vector[node.player])}  # type: ignore[index]
    numbers = [amount for amount in amounts if not isinstance(amount, tuple)]
    if len(numbers) < len(amounts):
        return set()
    return set(chosen(key.nodes[path].value, right, numbers))


def chosen(value: object, right: Sequence[object], numbers: Sequence[Number]) -> list[Number]:
    """The greatest or the least of the numbers, as it is `value` of the `right` ones; both where it may be either."""
    known = [number for number in right if isinstance(number, int | Fraction)]
    return [pick(numbers) for pick in (max, min) if known and pick(known) == value]


def _average(amounts: Sequence[Amount], weights: Sequence[Number]) -> set[Amount]:
    """The average of numbers; nothing where some are missing, or are vectors."""
    numbers = [amount for amount in amounts if not isinstance(amount, tuple)]
    if len(numbers) < len(weights):
        return set()
    return {exact(sum((w * x for w, x in zip(weights, numbers, strict=True)), Fraction(0)))}
