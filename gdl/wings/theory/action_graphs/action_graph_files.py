"""Files of action-graph games, read: Gambit's (`.agg`), those with types that chance draws (`.bagg`), and payoffs by
counts, for players who are alike (`.counts`). There the numbers after an action are its payoffs by how many players,
oneself included, take the actions after `by`; `...` repeats the last one:

    #COUNTS
    players 14
    help [1]
    wait by help [0 2 ...]

Nodes are numbered from 0, behind them the functions. Sources: Gambit's documentation, "The action graph game (.agg)
file format" and "The Bayesian action graph game (.bagg) format"; where it is silent, Gambit's reader (src/games/agg).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from operator import add
from pathlib import Path
from typing import NamedTuple

from gdl import syntax
from gdl.errors import Source, Span, clean, count_text, suggestion
from gdl.errors.deadline import check_deadline
from gdl.formats.gambit_reader import Word, Words
from gdl.game import Number
from gdl.wings.theory.action_graphs.action_graph import (
    ActionGraph,
    ActionGraphFile,
    Configuration,
    Function,
    Kind,
    Payoffs,
)

ENDINGS = (".agg", ".bagg", ".counts")
PLAYERS = 1_000
ACTIONS = 200  # of players by counts
LINKS = 1_000_000  # pairs of a node, or a function, and an action node
JOINED = 2_000_000  # counts of some players that are joined with one further player's
_HEAD = re.compile(r"\s*#(AGG|BAGG|COUNTS)[ \t]*(?:\n|\Z)", re.IGNORECASE)
_COUNTS = re.compile(r"\s*players\s+\d+\s+\w+ [^\n:]*\[[\d ./-]+\]")  # how a file of payoffs by counts goes on
_REMARK = re.compile(r"#[^\n]*")
_BRACKETS = str.maketrans("[]", "{}")
_KINDS: dict[int, Kind] = {0: "sum", 1: "exists", 2: "highest", 3: "lowest"}
_EACH = "write one for each way to count: 0, 1, 2 and so on, from 1 for the action's own; ... repeats the last"
_WEIGHTED = 10  # more than the number of a kind, where the function has weights


def is_action_graph(text: str) -> bool:
    """True if a text is a file of an action-graph game, or of payoffs by counts without its first line."""
    return (_HEAD.match(text) or _COUNTS.match(text)) is not None


def description(text: str, name: str) -> syntax.Description:
    """The game of such a file. Raises GameError if the file is damaged, or the game too large."""
    head = _HEAD.match(text)
    words = Words(_REMARK.sub(lambda found: " " * len(found[0]), text).translate(_BRACKETS), name)
    words.source = Source(name, text)
    if head is None:
        words.wrong("this is no file of payoffs by counts, as its first line is not #COUNTS", "write #COUNTS above it")
    reader = _Counts(words) if head[1].upper() == "COUNTS" else _Graph(words, head[1].upper() == "BAGG")
    span = Span(words.source, 0, len(text))
    title = Path(name).stem if name.lower().endswith(ENDINGS) else name
    return syntax.Description(span, title, (ActionGraphFile(span, reader.build_graph(), f".{head[1].lower()}"),))


class _Reader:
    """Reads what both kinds of file have. `choices` are each player's nodes, by types with these `chances`."""

    choices: list[tuple[tuple[int, ...], ...]]
    chances: list[tuple[Number, ...]]
    nodes: list[str]

    def __init__(self, words: Words):
        self.words = words
        self.joined = 0
        self.known: dict[tuple[tuple[int, ...], tuple[Function, ...]], set[Configuration]] = {}

    def read_integer(self, low: int, high: int, what: str) -> int:
        """Take a whole number between two others, which stands for `what`."""
        number = self.words.number()
        if not isinstance(number, int) or not low <= number <= high:
            self.words.wrong(f"{number} is no {what} here", f"write a whole number from {low:,} to {high:,}")
        return number

    def read_brackets(self, count: int) -> tuple[int, ...]:
        """Take so many whole numbers in brackets."""
        self.read_bracket("[")
        found = tuple([self.read_integer(-LINKS, LINKS, "count or weight") for _ in range(count)])
        self.read_bracket("]")
        return found

    def read_bracket(self, sign: str = "[") -> None:
        """Take a bracket."""
        word = self.words.take()
        if word.kind != "mark" or word.value != sign.translate(_BRACKETS):
            self.words.wrong(f"'{sign}' is due here", f"write {sign}")

    @cached_property
    def node_sets(self) -> list[tuple[int, ...]]:
        """The nodes that each player may take, of whatever type."""
        return [tuple(sorted({node for own in types for node in own})) for types in self.choices]

    def possible_counts(self, node: int, functions: Sequence[Function]) -> list[Configuration]:
        """The values that the functions can have if somebody takes the node, in lexicographical order."""
        found: set[Configuration] = set()
        for own in {own for own in self.node_sets if node in own}:
            found |= set(self.join_player(self.by_others(own, tuple(functions)), functions, [node]))
        return sorted(found)

    def by_others(self, own: tuple[int, ...], functions: tuple[Function, ...]) -> set[Configuration]:
        """The values without one of the players who have these nodes."""
        if (own, functions) not in self.known:
            others = list(self.node_sets)
            others.remove(own)
            met = {tuple([0 if f.kind == "sum" else f.default for f in functions])}
            for choice in others:
                met = set(self.join_player(met, functions, choice))
            self.known[own, functions] = met
        return self.known[own, functions]

    def join_player(
        self, met: set[Configuration], functions: Sequence[Function], choice: Sequence[int]
    ) -> Iterator[Configuration]:
        """The values if one more player takes one of the nodes in `choice`."""
        check_deadline()
        joins = [add if f.kind == "sum" else f.join for f in functions]
        for more in {tuple([f.contributions[node] for f in functions]) for node in choice}:
            self.joined += len(met)
            if self.joined > JOINED:
                self.words.wrong("the nodes can be taken in too many ways", "take fewer players, or fewer neighbours")
            for before in met:
                yield tuple([join(a, b) for join, a, b in zip(joins, before, more, strict=True)])

    def action_graph(
        self, functions: tuple[Function, ...], lists: Sequence[tuple[int, ...]], payoffs: Sequence[Payoffs]
    ) -> ActionGraph:
        """The graph of what was read, whose players have no names."""
        names, nodes = [f"Player {k + 1}" for k in range(len(self.choices))], tuple(self.nodes)
        choices, chances = tuple(self.choices), tuple(self.chances)
        return ActionGraph(tuple(names), nodes, choices, chances, functions, tuple(lists), tuple(payoffs))

    def times_taken(self, node: int) -> Function:
        """The function that counts how many players take the node."""
        return Function("sum", 0, tuple([int(one == node) for one in range(len(self.nodes))]))


class _Graph(_Reader):
    """The graph of one of Gambit's files, whose sections have no names."""

    def __init__(self, words: Words, has_types: bool):
        super().__init__(words)
        players = self.read_integer(1, PLAYERS, "number of players")
        nodes, functions = self.read_integer(1, LINKS, "number of nodes"), words.whole_number()
        if nodes * (nodes + functions) > LINKS:
            words.wrong("these are too many nodes", f"let the pairs of two nodes be {LINKS:,} at most")
        self.nodes = [str(node) for node in range(nodes)]
        types = [self.read_integer(1, PLAYERS, "number of types") if has_types else 1 for _ in range(players)]
        self.chances = [self.read_chances(count) if has_types else (1,) for count in types]
        sizes = [[self.read_integer(1, nodes, "number of actions") for _ in range(count)] for count in types]
        self.choices = [tuple([self.read_action_set(size) for size in own]) for own in sizes]
        self.lists = [self.read_neighbours(nodes + functions) for _ in range(nodes + functions)]
        self.signatures = [self.read_signature() for _ in range(functions)]

    def read_chances(self, count: int) -> tuple[Number, ...]:
        """Take the probabilities of a player's types."""
        start, found = self.words.peek().start, tuple([self.words.number() for _ in range(count)])
        if sum(found) != 1 or min(found) < 0:
            self.words.last = self.words.last._replace(start=start)
            help = "let them be fractions that sum to 1, none below 0"
            self.words.wrong(f"these probabilities sum to {clean(str(sum(found)))}", help)
        return found

    def read_action_set(self, size: int) -> tuple[int, ...]:
        """Take the nodes of a player, in ascending order."""
        found: list[int] = []
        for _ in range(size):
            found.append(self.read_integer(0, len(self.nodes) - 1, "node"))
            if found[-1] <= max(found[:-1], default=-1):
                self.words.wrong("the nodes of a player stand in ascending order, each once", "put them in order")
        return tuple(found)

    def read_neighbours(self, count: int) -> tuple[int, ...]:
        """Take a list of neighbours among so many nodes and functions; their number stands before it."""
        return tuple([self.read_integer(0, count - 1, "node") for _ in range(self.words.whole_number())])

    def read_signature(self) -> tuple[Kind, int, tuple[int, ...]]:
        """Take a function's kind, what it is where nobody counts, and the weights of all nodes."""
        number = self.words.whole_number()
        kind = _KINDS.get(number % _WEIGHTED)
        if kind is None or number // _WEIGHTED > 1:
            self.words.wrong(f"there is no function {number}", "write a number from 0 to 3, or from 10 to 13")
        if number < _WEIGHTED:
            counts = kind in ("sum", "exists")
            return kind, 0 if counts else len(self.lists), tuple([1 if counts else k for k in range(len(self.nodes))])
        default, weights = self.read_integer(-LINKS, LINKS, "default"), self.read_brackets(len(self.nodes))
        if kind == "exists" and min(default, *weights) < 0:
            self.words.wrong("this function takes no negative numbers", "write 0 or more")
        return kind, default, weights

    def build_functions(self) -> Iterator[Function]:
        """The counts of the action nodes, and the functions. One that has others among its neighbours counts theirs, as
        often as they are met."""
        first = len(self.nodes)
        met: dict[int, list[int]] = {}  # by function: how often each action node is met from there
        try:
            order = list(TopologicalSorter({k: self.lists[k] for k in range(first, len(self.lists))}).static_order())
        except CycleError as circle:
            self.words.wrong(f"node {circle.args[1][0]} counts itself", "let functions follow from other nodes")
        for k in order:
            met[k] = [int(k == node) for node in range(first)]
            for one in self.lists[k] if k >= first else ():
                if one >= first and self.signatures[one - first] != self.signatures[k - first]:
                    self.words.wrong(f"node {k} is another function than its neighbour {one}", "give both one kind")
                met[k] = list(map(add, met[k], met[one]))
        for node in range(first):
            yield self.times_taken(node)
        for k, (kind, default, weights) in enumerate(self.signatures, first):
            pairs = list(zip(met[k], weights, strict=True))
            if kind in ("sum", "exists"):
                given = [default + times * weight for times, weight in pairs]
                yield Function(kind, 0, tuple(given if kind == "sum" else [int(one > 0) for one in given]))
            else:
                yield Function(kind, default, tuple([weight if times else default for times, weight in pairs]))

    def build_graph(self) -> ActionGraph:
        functions = tuple(self.build_functions())
        payoffs = [self.read_payoffs(node, [functions[k] for k in self.lists[node]]) for node in range(len(self.nodes))]
        self.words.check_end("game", "take it out")
        return self.action_graph(functions, self.lists[: len(self.nodes)], payoffs)

    def read_payoffs(self, node: int, functions: Sequence[Function]) -> Payoffs:
        """Take the payoffs of a node: one for each way to count its neighbours, or those that are listed."""
        words, kind = self.words, self.words.whole_number()
        if kind > 1:
            words.wrong(f"payoffs are not given in way {kind}", "write 0 (all, in order) or 1 (each with its counts)")
        due = self.possible_counts(node, functions)
        if kind == 0:
            return {counts: words.number() for counts in due}
        found: dict[Configuration, Number] = {}
        for _ in range(words.whole_number()):
            counts, paid = self.read_brackets(len(functions)), words.number()
            if found.setdefault(counts, paid) != paid:
                words.wrong(f"node {node} pays {found[counts]} by these counts already", "take one of them out")
        lack = next((counts for counts in due if counts not in found), None)
        if lack is not None:
            text = " ".join(map(str, lack))
            words.wrong(f"node {node} has no payoff for [{text}]", f"write a line: [{text}] 0")
        return {counts: found[counts] for counts in due}


class _Row(NamedTuple):
    """The payoffs of an action: the words for those that are counted, what is paid, and the bracket at its end. If it
    `goes_on`, the last payoff is repeated."""

    by: list[Word]
    paid: list[Number]
    goes_on: bool
    end: Word


class _Counts(_Reader):
    """The graph of a file of payoffs by counts."""

    def build_graph(self) -> ActionGraph:
        words = self.words
        if words.word() != "players":
            words.wrong("how many players there are is due here", "write, for example: players 14")
        players = self.read_integer(1, PLAYERS, "number of players")
        rows: dict[str, _Row] = {}
        while not rows or not words.is_next("end"):
            name = words.word()
            if name in rows or len(rows) == ACTIONS:
                why = f"the payoffs of {clean(name)} stand above" if name in rows else f"more than {ACTIONS} actions"
                words.wrong(why, "take this one out")
            rows[name] = self.read_row()
        self.nodes = list(rows)
        self.choices, self.chances = [(tuple(range(len(rows))),)] * players, [(1,)] * players
        lists = [tuple([self.number_of(word) for word in row.by]) for row in rows.values()]
        functions = tuple([self.times_taken(node) for node in range(len(rows))])
        payoffs = []
        for node, row in enumerate(rows.values()):
            words.last, paid = row.end, row.paid
            due = self.possible_counts(node, [functions[k] for k in lists[node]])
            paid = paid + paid[-1:] * (row.goes_on * (len(due) - len(paid)))
            if len(paid) != len(due):
                words.wrong(f"{count_text(len(due), 'payoff')} are due here, and not {len(paid)}", _EACH)
            payoffs.append(dict(zip(due, paid, strict=True)))
        return self.action_graph(functions, lists, payoffs)

    def read_row(self) -> _Row:
        """Take what stands behind the name of an action."""
        words, by, paid = self.words, list[Word](), list[Number]()
        if words.is_next("word", "by"):
            words.take()
            while words.is_next("word"):
                by.append(words.take())
        self.read_bracket("[")
        while words.is_next("word") and not words.is_next("word", "..."):
            paid.append(words.number())
        goes_on = bool(paid) and words.is_next("word", "...") and bool(words.take())
        self.read_bracket("]")
        return _Row(by, paid, goes_on, words.last)

    def number_of(self, word: Word) -> int:
        """The number of the action that a word names."""
        if word.value not in self.nodes:
            self.words.last = word
            help = suggestion(word.value, self.nodes, "name an action")
            self.words.wrong(f"there is no action '{clean(word.value)}'", help)
        return self.nodes.index(word.value)
