"""Open numbers of a tree or a matrix, filled in: `--set x=3` puts 3 in place of every `?x`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gdl.errors import Problem, Span, clean, listing
from gdl.game import Number, Probability, Rest, Unknown, Utility, broken_bound, exact
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.numbers import read_number

LONGEST = 40  # characters of a wrong number that are repeated


def fill_open_numbers(
    model: TreeModel | MatrixModel, settings: Mapping[str, Any], place: Span
) -> tuple[TreeModel | MatrixModel, list[Problem]]:
    """The model with the numbers that the settings give, and what is wrong with them. `place` is where the tree or the
    matrix begins."""
    if not settings:
        return model, []
    filling = _Filling(place)
    open_ = dict.fromkeys(unknown.name for unknown in _unknowns(model))
    for name, text in settings.items():
        if name not in open_:
            note = f"Its open numbers are {listing(f'?{name}' for name in open_)}." if open_ else ""
            filling.problem(f"{clean(model.name)} has no parameter '{clean(name)}'", note=note)
            continue
        try:
            filling.numbers[name] = read_number(text)
        except ValueError:
            message = f"'{clean(str(text)[:LONGEST])}' is no value for {name}"
            filling.problem(message, help="write a number, such as 3 or 1/2")
    if filling.problems:
        return model, filling.problems
    if isinstance(model, TreeModel):
        return model.copy_with(nodes=tuple(map(filling.node, model.nodes))), filling.problems
    cells = {joint: tuple(map(filling.utility, vector)) for joint, vector in model.utilities.items()}
    return model.copy_with(utilities=cells), filling.problems


def _unknowns(model: TreeModel | MatrixModel) -> Iterator[Unknown]:
    vectors = [n.utilities for n in model.nodes] if isinstance(model, TreeModel) else [*model.utilities.values()]
    yield from (utility for vector in vectors for utility in vector if isinstance(utility, Unknown))
    for node in model.nodes if isinstance(model, TreeModel) else ():
        yield from (probability for probability in node.probabilities if isinstance(probability, Unknown))


@dataclass
class _Filling:
    """Puts numbers in place of the unknowns of a tree or a matrix, and collects problems."""

    place: Span
    numbers: dict[str, Number] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, message: str, span: Span | None = None, help: str = "", note: str = "") -> None:
        self.problems.append(Problem(message, span or self.place, help=help, note=note))

    def utility(self, utility: Utility) -> Utility:
        if not isinstance(utility, Unknown) or utility.name not in self.numbers:
            return utility
        if utility.player is not None:
            message = f"?{utility.name} stands for the utilities of all players, and not for one number"
            self.problem(message, utility.span, help="write an unknown for each player: (?x, ?y, ?z)")
        number = self.numbers[utility.name]
        return -number if utility.negative else number

    def probability(self, probability: Probability) -> Probability:
        if isinstance(probability, Unknown):
            return self.numbers.get(probability.name, probability)
        if not isinstance(probability, Rest):
            return probability
        share = exact(probability.share - sum(self.numbers.get(one.name, 0) for one in probability.unknowns))
        left = tuple(one for one in probability.unknowns if one.name not in self.numbers)
        return Rest(share, left) if left else share

    def node(self, node: TreeNode) -> TreeNode:
        utilities = tuple(map(self.utility, node.utilities))
        probabilities = tuple(map(self.probability, node.probabilities))
        shares = [p.share if isinstance(p, Rest) else p for p in probabilities if not isinstance(p, Unknown)]
        wrong = next((share for share in shares if not 0 <= share <= 1), None)
        if wrong is not None:
            help = "give it a number from 0 to what the others leave"
            self.problem(f"a probability would be {wrong}", node.span, help=help)
        broken = broken_bound(utilities, node.bounds) if node.bounds and utilities != node.utilities else ""
        if broken:
            self.problem(broken, node.span, help="give it a number within the bounds that the file promises")
        return node.copy_with(utilities=utilities, probabilities=probabilities)
