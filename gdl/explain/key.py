"""The answer key of an exam tree, as a text that a student could have written:

    A=3 B=3 C<=2 D=2 cut: c2 c3 best: a1

Inner nodes come in the order in which search leaves them, each with the result: `=` a value, `<=` and `>=` bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gdl.explain.names import Names
from gdl.formats.answer_kinds import CutRule, SkippedSubtree
from gdl.formats.explain_answer import KeyAnswer
from gdl.game import Decision, Game, Number
from gdl.numbers import amount_text
from gdl.render.cut_text import SIGNS
from gdl.render.trace import StepExplanation, tell
from gdl.solution import Event, Path, Solution

CUT, BEST = "cut", "best"


@dataclass(frozen=True)
class Key:
    """The answer key of a tree: the result of the search at every inner node that it visits, the skipped subtrees, and
    the best actions."""

    names: Names
    solution: Solution
    told: Sequence[StepExplanation]  # the search in words
    nodes: Mapping[Path, Event]  # inner nodes, in the order in which search leaves them
    skipped: tuple[Path, ...]

    @property
    def best(self) -> tuple[str, ...]:
        return self.solution.best

    @property
    def to_play(self) -> tuple[str, ...]:
        """The best actions that the search can know. If it prunes, this is only the first: for the others it may have a
        mere bound."""
        return self.best[:1] if self.prunes else self.best

    @property
    def ties(self) -> tuple[str, ...]:
        """The other best actions, which only a search without pruning knows."""
        return self.best[len(self.to_play) :]

    @property
    def prunes(self) -> bool:
        """True if the search may skip subtrees, so that the student is asked for them."""
        return self.solution.rule is not None and self.solution.rule.cut is not None

    def value(self, path: Path) -> str:
        """The result of the search at an inner node, with its sign, `<= 2`."""
        bound = self.nodes[path].bound
        assert bound is not None
        return f"{SIGNS[bound]} {amount_text(self.amount(path))}"

    def amount(self, path: Path) -> Number | tuple[Number, ...]:
        """The number or vector that the search returns at an inner node; if a vector is only a bound, the mover's
        number of it."""
        event = self.nodes[path]
        assert event.value is not None
        node = self.names.nodes.node_at(path).node
        if isinstance(event.value, tuple) and event.bound != "exact" and isinstance(node, Decision):
            return event.value[node.player]
        return event.value

    def window(self, path: Path) -> tuple[Number | None, Number | None] | None:
        """Alpha and beta on entry to the node, None for an infinite one; None if the node has no window."""
        entered = next((one.event for one in self.told if one.event.node == path and one.event.event == "enter"), None)
        if entered is None or not self.prunes or len(self.solution.players) > 2:
            return None
        return entered.alpha, entered.beta

    def cut(self) -> str:
        """The skipped branches, `c2 c3`; `none` if nothing is skipped."""
        return " ".join(_quote_if_needed(self.names.branch(path)) for path in self.skipped) or "none"

    def text(self) -> str:
        """The whole key, as a student would write it."""
        values = [
            f"{_quote_if_needed(self.names.name(path))}{self.value(path).replace(' ', '', 1)}" for path in self.nodes
        ]
        cut = [f"{CUT}: {self.cut()}"] if self.prunes else []
        best = [f"{BEST}: {' '.join(map(_quote_if_needed, self.to_play))}"] if self.best else []
        return " ".join([*values, *cut, *best])

    def to_record(self, kind: type[KeyAnswer] = KeyAnswer) -> KeyAnswer:
        """The key as a record for JSON, of the given kind."""
        solution = self.solution
        rule = solution.rule
        return kind(
            solver=solution.solver,
            rule=None if rule is None or rule.cut is None else CutRule(rule.cut, rule.order),
            value={} if solution.value is None else dict(zip(solution.players, solution.value, strict=True)),
            best=self.to_play,
            ties=self.ties,
            nodes={self.names.name(path): self.value(path) for path in self.nodes},
            pruned=[SkippedSubtree(path, self.names.branch(path)) for path in self.skipped],
            leaves=solution.leaves,
            key=self.text(),
        )


def key(game: Game[Any], solution: Solution, depth: int | None = None) -> Key:
    """The key of a game, from a solution with its steps: by a search that keeps a record, or by backward induction with
    the values of all nodes. `depth` is the depth at which search was cut off."""
    told = tell(game, solution)
    inner = {one.event.node: one.event for one in told if one.event.event == "leave" and one.event.bound is not None}
    return Key(Names(game, depth), solution, told, inner, tuple(skipped.path for skipped in solution.pruned))


def _quote_if_needed(name: str) -> str:
    """The name; in quotes if it would not be read back as one word."""
    plain = name and not any(c.isspace() or c in "=<>≤≥,:;\"'" for c in name)
    return name if plain else '"' + name.replace('"', "'") + '"'
