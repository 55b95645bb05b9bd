"""Trees and matrices: syntax -> model."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from gdl import syntax
from gdl.errors import Problem, Span, clean, count_text, listing, merge_problems, suggestion
from gdl.errors.deadline import check_deadline
from gdl.game import (
    Bounds,
    Number,
    Probability,
    Rest,
    Unknown,
    Utility,
    broken_bound,
    exact,
    maximiser,
    tightest_bounds,
)
from gdl.interpreter.explicit_game import forgetting
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.numbers import opposite_of, to_text
from gdl.syntax.shapes import PLAYED_AGAIN, REPEATS


def number(word: syntax.Word) -> Number:
    """The exact value of a number as it is written: an integer, a decimal or a fraction."""
    return exact(Fraction(word.text))


def _divides_by_zero(word: syntax.Word) -> bool:
    return set(word.text.partition("/")[2]) == {"0"}


@dataclass
class _Explicit:
    """The common part of checking trees and matrices: the players, the amounts, and the problems found."""

    name: str
    players: tuple[str, ...]
    problems: list[Problem] = field(default_factory=list)
    opposed: bool = True  # whether the utilities of two players are opposite
    signs: set[str] = field(default_factory=set)  # signs in numbers so far: a point, a stroke

    @property
    def first(self) -> int:
        """The index of the player whose utility a single number is: of MAX, if one is called so, else of the first."""
        return maximiser(self.players)

    def problem(self, message: str, span: Span, help: str = "", note: str = "", warning: bool = False) -> None:
        self.problems.append(Problem(message, span, note=note, help=help, warning=warning))

    @property
    def decimals(self) -> bool:
        """True if some numbers so far are not whole, and all of these were written as decimals."""
        return self.signs == {"."}

    def amount(self, word: syntax.Word) -> Utility:
        """A number, or an unknown such as `?x`, which is left open."""
        if word.kind == "UNKNOWN":
            return Unknown(word.text[1:], span=word.span)
        if _divides_by_zero(word):
            self.problem("a fraction's denominator is not zero", word.span, help="write another number")
            return 0
        self.signs |= {".", "/"} & set(word.text)
        return number(word)

    def vector_within(
        self, written: syntax.Word | tuple[syntax.Word, ...], span: Span, limits: Bounds | None, place: str
    ) -> tuple[Utility, ...]:
        """The utilities of a leaf or a cell (`place`), which must lie within the limits."""
        check_deadline()
        utilities = self.vector(written, span)
        broken = broken_bound(utilities, limits) if limits else ""
        if broken:
            self.problem(broken, span, help=f"correct the {place} or the bound")
        return utilities

    def distinct(self, names: Iterable[tuple[str, syntax.Syntax]], what: str, called: str) -> tuple[str, ...]:
        """The names of things, each with its place; one that stands twice is changed, and a problem."""
        found: dict[str, None] = {}
        for position, (name, place) in enumerate(names):
            if name in found:
                note = "" if isinstance(place, syntax.Label | syntax.Word) else _UNNAMED
                self.problem(f"two {what} are called '{name}'", place.span, f"give each its own {called}", note)
                name = f"{name}'{position}"
            found[name] = None
        return tuple(found)

    def vector(self, written: syntax.Word | tuple[syntax.Word, ...], span: Span) -> tuple[Utility, ...]:
        """The utilities of a leaf or cell, one per player."""
        count = len(self.players)
        if isinstance(written, tuple):
            if len(written) != count:
                node = f"{clean(self.players[-1])}({', '.join(word.text for word in written)})"
                self.problem(
                    f"{count_text(len(written), 'utility')} for {count_text(count, 'player')}", span,
                    note=f"The players are {listing(self.players)}.",
                    help=f"write {count} numbers, one per player"
                    + (f", or for a node its player: {node}" if isinstance(self, _Tree) else ""),
                )  # fmt: skip
                return (0,) * count
            return tuple(self.amount(word) for word in written)
        value = self.amount(written)
        if isinstance(value, Unknown) and count != 2:
            return tuple(replace(value, player=p) for p in range(count))
        if count == 1:
            return (value,)
        if count == 2:
            pair = (value, opposite_of(value)) if self.first == 0 else (opposite_of(value), value)
            if value and not self.opposed and not isinstance(value, Unknown):
                told = ", ".join(f"{name} {to_text(number)}" for name, number in zip(self.players, pair, strict=True))
                help = f"write ({', '.join(map(to_text, pair))}), or the pair that is meant"
                self.problem("a single number among pairs", span, help, f"It pays {clean(told)}.", warning=True)
            return pair
        vector = f"({', '.join(['0'] * count)})" if count <= 6 else f"with {count} numbers"
        message = f"one number is not enough for {count} players"
        self.problem(message, span, help=f"write a vector {vector}: a single number is for two players")
        return (0,) * count

    def bounds(self, bound: syntax.Bound) -> Bounds:
        """The bounds of each player's utilities that `in 0..10` or `<= 10` states. It is said of everyone; but where
        two players have opposite utilities, of the player who gets single numbers, and the other's bounds follow."""
        low: Number | None = None
        high: Number | None = None
        before = len(self.problems)
        first, second = bound.parts
        if first.kind in ("REL", "LT"):
            low = self.bound(second) if first.text in (">=", ">") else None
            high = self.bound(second) if first.text in ("<=", "<") else None
            if first.text not in ("<=", ">="):
                self.problem("a bound is written with <= or >=", first.span, help="write <= or >=")
        else:
            low, high = self.bound(first), self.bound(second)
            if low > high:
                self.problem("this range is empty", bound.span, help=f"write in {second.text}..{first.text}")
        if len(self.problems) > before:
            return ((None, None),) * len(self.players)
        return bounds_of_all((low, high), self.players, self.opposed)

    def bound(self, word: syntax.Word) -> Number:
        value = self.amount(word)
        if isinstance(value, Unknown):
            self.problem("a bound is a number", word.span, help="write a number, or take the bound out")
            return 0
        return value


_NATURE = ("chance", "nature", "random")  # other words for chance
_UNNAMED = "Children without a label are called 1, 2, 3, …"


def negate_bounds(bound: tuple[Number | None, Number | None]) -> tuple[Number | None, Number | None]:
    """The bounds of the negated utilities: those of the other player, who loses as much as this one wins. None stands
    for no bound."""
    low, high = bound
    return None if high is None else -high, None if low is None else -low


def bounds_of_all(bound: tuple[Number | None, Number | None], players: tuple[str, ...], opposed: bool) -> Bounds:
    """The bounds of each player's utilities, if these are said of everyone; but where two players' utilities are
    opposite, of the player who gets single numbers."""
    if len(players) != 2 or not opposed:
        return (bound,) * len(players)
    return (bound, negate_bounds(bound)) if maximiser(players) == 0 else (negate_bounds(bound), bound)


def with_costs(model: TreeModel | MatrixModel) -> TreeModel | MatrixModel:
    """The model of a file whose numbers are costs: with all utilities and bounds negated."""
    if isinstance(model, MatrixModel):
        return model.copy_with(utilities={j: tuple(map(opposite_of, v)) for j, v in model.utilities.items()}, cost=True)
    nodes = tuple(
        node.copy_with(
            utilities=tuple(map(opposite_of, node.utilities)),
            bounds=node.bounds and tuple(map(negate_bounds, node.bounds)),
            evaluation=node.evaluation and tuple(map(opposite_of, node.evaluation)),
        )
        for node in model.nodes
    )
    return model.copy_with(nodes=nodes, bounds=model.bounds and tuple(map(negate_bounds, model.bounds)), cost=True)


def states_costs(sections: Any, problems: list[Problem], known: tuple[str, ...] = ("cost",)) -> bool:
    """True if the file has the line `utility is cost`; the `known` words may stand in such a line."""
    measures = sections.of_kind(syntax.Measure)
    for written in measures:
        if written.verb.text != "is" or written.kind.text not in known:
            told = f"a utility is a cost, or lies within bounds, and no '{clean(written.kind.text)}'"
            problems.append(Problem(told, written.span, help="write: utility is cost, or: utility in 0..10"))
    return any(written.kind.text != "average" for written in measures)


def check_bound(bound: syntax.Bound) -> tuple[tuple[Number | None, Number | None], list[Problem]]:
    """The least and the greatest number that the bound allows (None: no such bound), and what is wrong with it."""
    checker = _Explicit("", ("everyone",))
    (found,) = checker.bounds(bound)
    return found, checker.problems


def check_explicit(
    name: str,
    players: tuple[str, ...],
    form: syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles,
    bound: syntax.Bound | None,
) -> tuple[TreeModel | MatrixModel, list[Problem]]:
    """The model of a tree or a matrix, and what is wrong with it."""
    checker = (_Tree if isinstance(form, syntax.Tree) else _Matrix)(name, players)
    checker.opposed = all(map(_cancels, _all_utilities(form)))
    model = checker.model(form, checker.bounds(bound) if bound else None)  # type: ignore[arg-type]
    return model, merge_problems(checker.problems)


def _all_utilities(
    form: syntax.Tree | syntax.Matrix | syntax.MatrixOfProfiles,
) -> Iterator[syntax.Word | tuple[syntax.Word, ...]]:
    """The utilities of every leaf or cell, as they are written."""
    for part in syntax.descendants(form):
        if isinstance(part, syntax.Leaf | syntax.MatrixProfile):
            yield part.utilities
        elif isinstance(part, syntax.Row):
            yield from part.cells


class _Tree(_Explicit):
    def model(self, tree: syntax.Tree, bounds: Bounds | None) -> TreeModel:
        """Walk the tree in file order with an explicit stack; children get their numbers before they are visited."""
        nodes: list[TreeNode | None] = [None]
        stack: list[tuple[int, syntax.LeafNode | syntax.InnerNode, Bounds | None]] = [(0, tree.root, bounds)]
        while stack:
            index, written, limits = stack.pop()
            check_deadline()
            if isinstance(written, syntax.LeafNode):
                nodes[index] = self.leaf(written, limits)
                continue
            node, inner = self.inner(written, len(nodes), limits)
            nodes += [None] * len(node.children)
            nodes[index] = node
            stack += reversed([(c, w, inner) for c, w in zip(node.children, written.children, strict=True)])
        made = tuple(node for node in nodes if node is not None)
        model = TreeModel(self.name, self.players, made, bounds, decimals=self.decimals)
        self.check_information_sets(model)
        self.check_movers(model)
        if not self.problems:
            self.check_recall(model)
        return model

    def leaf(self, written: syntax.LeafNode, limits: Bounds | None) -> TreeNode:
        leaf = written.leaf
        utilities = self.vector_within(leaf.utilities, leaf.span, limits, "leaf")
        name = leaf.name.name if leaf.name else None
        return TreeNode("terminal", label=name, bounds=limits, utilities=utilities, span=leaf.span)

    def inner(self, written: syntax.InnerNode, first: int, limits: Bounds | None) -> tuple[TreeNode, Bounds | None]:
        head = written.head
        kind: Literal["decision", "chance"] = "chance" if head.player.kind == "CHANCE" else "decision"
        player = self.player(head.player) if kind == "decision" else None
        inner = self.bounds(head.bound) if head.bound else None
        own = tightest_bounds(limits, inner) if limits and inner else inner or limits
        children = tuple(range(first, first + len(written.children)))
        labels = [
            (self.action(child.label, position, kind), child.label or child)
            for position, child in enumerate(written.children)
        ]
        actions = self.distinct(labels, "children", "label")
        probabilities = self.probabilities(written) if kind == "chance" else ()
        if kind == "chance" and head.information_set:
            self.problem("chance has no information sets", head.information_set.span, help="take 'in …' out")
        leaves = (child.leaf.utilities for child in written.children if isinstance(child, syntax.LeafNode))
        places = [word.span for word in leaves if isinstance(word, syntax.Word) and word.kind != "UNKNOWN"]
        tight = [two.start - one.end == 1 for one, two in itertools.pairwise(places)]  # a comma alone stands between
        if len(tight) > 2 and tight == [True, False] * (len(tight) // 2) + [True]:
            self.problem("decimal comma, or two leaves?", places[0].to(places[-1]), "write 1.5; or 1, 5", warning=True)
        name, among = (word.name if word else None for word in (head.name, head.information_set))
        evaluation = self.evaluation(head)
        node = TreeNode(kind, player, name, among, evaluation, own, actions, probabilities, children, span=head.span)
        return node, own

    def player(self, word: syntax.Word) -> int:
        if word.name in self.players:
            return self.players.index(word.name)
        nature = word.name.lower() in _NATURE
        help = "write 'chance'" if nature else suggestion(word.name, self.players, "name one of the players")
        note = f"The players are {listing(self.players)}."
        self.problem(f"no player is called '{clean(word.name)}'", word.span, help, note)
        return 0

    def evaluation(self, head: syntax.Inner) -> tuple[Number, ...] | None:
        if head.evaluation is None:
            return None
        vector = self.vector(head.evaluation, head.span)
        numbers = tuple(value for value in vector if not isinstance(value, Unknown))
        if len(numbers) < len(vector):
            self.problem("an evaluation is a number", head.span, help="write a number after 'eval'")
            return None
        return numbers

    def action(self, label: syntax.Label | None, position: int, kind: str) -> str:
        """The name of the action that leads to a child: its label, or its number."""
        if label is None:
            return str(position + 1)
        first = label.parts[0]
        if kind == "decision":
            if len(label.parts) > 1 or first.kind in ("NUMBER", "UNKNOWN"):
                message = "only a child of chance has a probability"
                self.problem(message, label.span, help="write the action's name alone")
            return first.name
        return str(position + 1) if label.name is None else first.name

    def probabilities(self, written: syntax.InnerNode) -> tuple[Probability, ...]:
        """The probabilities of a chance node's children. Where one is unknown, one child without a probability takes
        what is left of 1."""
        found = [self.probability(child.label) for child in written.children]
        rests = [p for p in found if isinstance(p, Rest)]
        if [len(p.unknowns) for p in rests] == [1] and found.count(None) == 1:  # the rest of 1 - ?p is ?p
            found = [rests[0].unknowns[0] if p is None else p for p in found]
        missing = [child for child, probability in zip(written.children, found, strict=True) if probability is None]
        unknowns = tuple(p for p in found if isinstance(p, Unknown))
        share = exact(1 - sum(p for p in found if isinstance(p, int | Fraction)))
        if unknowns or rests:
            left = [(p.share, Counter(one.name for one in p.unknowns)) for p in rests]
            is_whole = left == [(share, Counter(one.name for one in unknowns))] and not missing
            if share < 0 or not (is_whole if rests else len(missing) == 1):
                name = (unknowns or rests[0].unknowns)[0].name
                self.problem(
                    f"with ?{name} unknown, one outcome takes the rest of the probability",
                    written.head.span, note="" if share >= 0 else f"The others already sum to {exact(1 - share)}.",
                    help=f"leave the probability of one outcome out, and no more than one, or write 1 - ?{name}",
                )  # fmt: skip
            return tuple(Rest(share, unknowns) if p is None else p for p in found)
        for child in missing:
            if child.label is None:
                message = "a child of chance has no probability"
                self.problem(message, child.span, "write it before the child and a colon, such as 1/2: or sunny 3/4:")
            else:
                name = child.label.parts[0].name
                help = f"write it before the colon, such as {name} 1/2:"
                self.problem(f"the outcome '{name}' has no probability", child.label.span, help)
        if share and not missing:
            help = "correct the numbers before the colons"
            self.problem(f"the probabilities sum to {exact(1 - share)}, not to 1", written.head.span, help)
        return tuple(0 if p is None else p for p in found)

    def probability(self, label: syntax.Label | None) -> Probability | None:
        """The probability before the colon; None, with a problem, where there is none."""
        if label is None or not label.amounts:
            return None
        probability = self.amount(label.amounts[0])
        if not isinstance(probability, Unknown) and probability < 0:
            self.problem("a probability is not negative", label.span, help="write a number from 0 to 1")
        if len(label.amounts) > 1 and not isinstance(probability, Unknown):
            return Rest(probability, tuple(Unknown(word.text[1:], span=word.span) for word in label.amounts[2::2]))
        return probability

    def check_information_sets(self, model: TreeModel) -> None:
        """Report nodes of one information set that belong to different players or offer different actions."""
        seen: dict[str, TreeNode] = {}
        for node in model.nodes:
            if node.information_set is None or node.kind != "decision" or node.span is None:
                continue
            first = seen.setdefault(node.information_set, node)
            name = clean(node.information_set)
            if first.player != node.player:
                owner = self.players[first.player or 0]
                self.problem(f"the information set '{name}' belongs to {owner}", node.span, help="give it another name")
            elif first.actions != node.actions:
                message = f"the nodes of the information set '{name}' offer different actions"
                note = f"Here {listing(node.actions)}; at the first node {listing(first.actions)}."
                help = "a player who cannot tell two nodes apart has the same actions at both: label them alike"
                self.problem(message, node.span, note=note, help=help)

    def check_recall(self, model: TreeModel) -> None:
        """Warn of a player with imperfect recall: two nodes of one information set have pasts in which the player did
        or knew different things."""
        found = forgetting(model.nodes)
        if found is None:
            return
        first, node = (model.nodes[index] for index in found)
        name = self.players[node.player or 0]
        assert node.span is not None and first.span is not None
        self.problem(
            f"{name} forgets here what they did or knew before: recall is imperfect", node.span,
            note=f"The set '{node.information_set}' begins in line {first.span.line}. "
            "Most methods for hidden information need perfect recall.",
            help="give nodes with different pasts different sets, if this is not meant", warning=True,
        )  # fmt: skip

    def check_movers(self, model: TreeModel) -> None:
        """Warn of a player who never moves."""
        movers = {node.player for node in model.nodes}
        for index, name in enumerate(self.players):
            if index not in movers and len(self.players) > 1 and len(model.nodes) > 1 and model.nodes[0].span:
                help = f"let {clean(name)} move, or take the name out of 'players'"
                self.problem(f"{clean(name)} never moves", model.nodes[0].span, help, warning=True)


def _cancels(words: syntax.Word | tuple[syntax.Word, ...]) -> bool:
    """True if the utilities of a leaf or cell sum to zero, as those of a single number do, or may do so because one of
    them is unknown."""
    if not isinstance(words, tuple) or any(word.kind == "UNKNOWN" or _divides_by_zero(word) for word in words):
        return True
    return sum(map(number, words)) == 0


def _stretch(written: syntax.Word | tuple[syntax.Word, ...]) -> Span:
    """The place in the text of an amount or a vector."""
    return written[0].span.to(written[-1].span) if isinstance(written, tuple) else written.span


class _Matrix(_Explicit):
    limits: Bounds | None = None  # the bounds of the utilities in every cell

    def model(self, matrix: syntax.Matrix | syntax.MatrixOfProfiles, limits: Bounds | None) -> MatrixModel:
        self.limits = limits
        return self.table(matrix) if isinstance(matrix, syntax.Matrix) else self.profiles(matrix)

    def table(self, matrix: syntax.Matrix) -> MatrixModel:
        if len(self.players) != 2:
            message = f"rows and columns make a game of two, and there are {len(self.players)} players"
            help = "for more players write a line for each profile: up, left, east: (1, 0, 2)"
            self.problem(message, matrix.span, help=help)
            return MatrixModel(self.name, self.players, ((),) * len(self.players), {})
        columns, rows = (
            self.distinct([(word.name, word) for word in words], "actions", "name")
            for words in (matrix.header, [row.name for row in matrix.rows])
        )
        utilities: dict[tuple[str, ...], tuple[Utility, ...]] = {}
        uneven: list[syntax.Row] = []
        for row, action in zip(matrix.rows, rows, strict=True):
            if len(row.cells) != len(columns):
                uneven.append(row)
                continue
            for cell, column in zip(row.cells, columns, strict=True):
                utilities[action, column] = self.vector_within(cell, _stretch(cell), self.limits, "cell")
        self.check_rows(matrix, uneven)
        return MatrixModel(self.name, self.players, (rows, columns), utilities, decimals=self.decimals)

    def check_rows(self, matrix: syntax.Matrix, uneven: list[syntax.Row]) -> None:
        """Report rows that do not have a cell for each column; if all rows have the same wrong length, the header is
        reported instead."""
        columns = len(matrix.header)
        note = f"The columns are {listing(word.name for word in matrix.header)}."
        help = "write one cell for each column; a name with a blank in it stands in double quotes"
        if len(uneven) == len(matrix.rows) > 1 and len({len(row.cells) for row in uneven}) == 1:
            span = matrix.header[0].span.to(matrix.header[-1].span)
            cells = count_text(len(uneven[0].cells), "cell")
            told = f"the header names {count_text(columns, 'column')}, and every row has {cells}"
            self.problem(told, span, help, note)
            return
        for row in uneven:
            message = f"{count_text(len(row.cells), 'cell')} for {count_text(columns, 'column')}"
            self.problem(message, row.span, PLAYED_AGAIN if row.name.name in REPEATS else help, note)

    def profiles(self, matrix: syntax.MatrixOfProfiles) -> MatrixModel:
        count = len(self.players)
        actions: list[dict[str, None]] = [{} for _ in self.players]
        utilities: dict[tuple[str, ...], tuple[Utility, ...]] = {}
        for profile in matrix.profiles:
            joint = tuple(word.name for word in profile.actions)
            if len(joint) != count:
                message = f"{count_text(len(joint), 'action')} for {count_text(count, 'player')}"
                self.problem(message, profile.span, help="write one action for each player")
                continue
            if joint in utilities:
                self.problem("this profile is given twice", profile.span, help="take one of the lines out")
            utilities[joint] = self.vector_within(profile.utilities, profile.span, self.limits, "cell")
            for names, action in zip(actions, joint, strict=True):
                names[action] = None
        named = tuple(tuple(names) for names in actions)
        missing = next((joint for joint in itertools.product(*named) if joint not in utilities), None)
        if missing is not None:  # found in at most as many steps as the file gives utilities
            told = f"the profile {', '.join(map(clean, missing))} has no line"
            self.problem(told, matrix.span, help="write one line for every combination of actions")
        return MatrixModel(self.name, self.players, named, utilities, decimals=self.decimals)
