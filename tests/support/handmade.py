"""Games written by hand in Python, for tests that must not depend on the language: each is the Game protocol and
nothing else, so what holds for them holds for any engine."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any

from gdl.errors import GameError, Problem
from gdl.game import NO_ENGINE, NO_PROMISES, Chance, Decision, Node, Simultaneous, Terminal
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.states.explore import reachable_traits


class HandMade:
    """The common part of the games below: nothing is hidden, no node has a label or an estimate."""

    name = "hand-made"
    players: tuple[str, ...] = ("A", "B")
    engine = NO_ENGINE
    promises = NO_PROMISES

    @cached_property  # a walk through all states: solvers ask for them again and again
    def traits(self):
        return reachable_traits(self)

    def information_set(self, state, player: int) -> Hashable:
        return state

    def describe(self, state, player: int) -> str:
        return str(self.information_set(state, player))

    def evaluate(self, state):
        return None

    def label(self, state):
        return None

    def show(self, state) -> str:
        return str(state)


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe(HandMade):
    """Tic-tac-toe. A state is the board, a text of nine characters."""

    name = "tic-tac-toe"
    players = ("X", "O")

    def initial(self) -> str:
        return "." * 9

    def node(self, state: str) -> Node:
        for mark, utilities in (("X", (1, -1)), ("O", (-1, 1))):
            if any(all(state[cell] == mark for cell in line) for line in LINES):
                return Terminal(utilities)
        if "." not in state:
            return Terminal((0, 0))
        return Decision(state.count(".") % 2 == 0, tuple(str(cell) for cell in range(9) if state[cell] == "."))

    def successor(self, state: str, action) -> str:
        cell = int(action)
        return state[:cell] + ("O" if state.count(".") % 2 == 0 else "X") + state[cell + 1 :]

    def show(self, state: str) -> str:
        return "\n".join(" ".join(state[row : row + 3]) for row in (0, 3, 6))


class Kuhn(HandMade):
    """Kuhn's poker, with the cards dealt one after the other. A state is the cards dealt and the actions since then."""

    name = "kuhn"
    players = ("Ann", "Bob")
    ENDS = ("pp", "bp", "bb", "pbp", "pbb")

    def initial(self):
        return ("", "")

    def node(self, state) -> Node:
        cards, acts = state
        if len(cards) < 2:
            left = [card for card in "JQK" if card not in cards]
            return Chance(tuple((card, Fraction(1, len(left))) for card in left))
        if acts not in self.ENDS:
            return Decision(len(acts) % 2, ("p", "b"))
        ann_shows_more = "JQK".index(cards[0]) > "JQK".index(cards[1])
        if acts.endswith("bp"):
            gain = 1 if acts == "bp" else -1
        else:
            gain = (2 if "b" in acts else 1) * (1 if ann_shows_more else -1)
        return Terminal((gain, -gain))

    def successor(self, state, action):
        cards, acts = state
        return (cards + action, "") if len(cards) < 2 else (cards, acts + action)

    def information_set(self, state, player: int) -> Hashable:
        cards, acts = state
        return (cards[player : player + 1], acts)

    def describe(self, state, player: int) -> str:
        return " ".join(part for part in self.information_set(state, player) if part) or "start"


class Goofspiel(HandMade):
    """Cards 1..n each; the prizes n, n-1, … come up in turn, bids are shown, ties give the prize to nobody, and the
    last card plays itself. A state is both hands and the difference of the points."""

    name = "goofspiel"

    def __init__(self, cards: int):
        self.cards = tuple(range(1, cards + 1))

    def initial(self):
        return (self.cards, self.cards, 0)

    def node(self, state) -> Node:
        first, second, lead = state
        if len(first) > 1:
            return Simultaneous((tuple(map(str, first)), tuple(map(str, second))))
        gain = lead + (first > second) - (first < second)
        return Terminal((gain, -gain))

    def successor(self, state, action):
        first, second, lead = state
        mine, yours = map(int, action)
        lead += len(first) * ((mine > yours) - (mine < yours))
        return (tuple(c for c in first if c != mine), tuple(c for c in second if c != yours), lead)


class Circle(HandMade):
    """Two players walk around n places for ever; a player on place 0 may stop instead. Positions can be repeated."""

    name = "circle"

    def __init__(self, places: int = 4):
        self.places = places

    def initial(self):
        return (0, 0)

    def node(self, state) -> Node:
        place, mover = state
        if place is None:
            return Terminal((1, -1) if mover else (-1, 1))
        return Decision(mover, ("on", "stop") if place == 0 else ("on",))

    def successor(self, state, action):
        place, mover = state
        return (None if action == "stop" else (place + 1) % self.places, 1 - mover)


class Pitfall(HandMade):
    """A game with a fault two plies deep."""

    name = "pitfall"

    def initial(self):
        return ""

    def node(self, state) -> Node:
        if state == "right down":
            raise GameError(Problem("the game is not over, but Ann has no action"))
        if " " in state:
            return Terminal((0, 0))
        return Decision(0, ("left", "right") if not state else ("up", "down"))

    def successor(self, state, action):
        return f"{state} {action}".strip()


def tree(*players: str, root: Any, name: str = "tree") -> TreeGame:
    """An explicit tree from nested tuples: (mover, {action: child}) with an optional dict of TreeNode fields;
    a chance mover has {(action, probability): child}; an end is a number (zero-sum) or a list of utilities."""
    nodes: list[TreeNode | None] = []

    def add(spec: Any) -> int:
        index = len(nodes)
        nodes.append(None)
        if not isinstance(spec, tuple):
            utilities = tuple(spec) if isinstance(spec, list) else (spec, -spec)[: len(players)]
            nodes[index] = TreeNode("terminal", utilities=utilities)
            return index
        mover, branches, *extra = spec
        children = tuple(add(child) for child in branches.values())
        fields = {**(extra[0] if extra else {}), "children": children}
        if mover == "chance":
            actions, probabilities = zip(*branches, strict=True)
            nodes[index] = TreeNode("chance", actions=actions, probabilities=probabilities, **fields)
        else:
            nodes[index] = TreeNode("decision", players.index(mover), actions=tuple(branches), **fields)
        return index

    add(root)
    return TreeGame(TreeModel(name, players, tuple(nodes)))


def figure_5_2() -> TreeGame:
    """Russell and Norvig's tree: its minimax value is 3, by a1."""
    return tree(
        "MAX",
        "MIN",
        name="figure 5.2",
        root=(
            "MAX",
            {
                "a1": ("MIN", {"b1": 3, "b2": 12, "b3": 8}, {"label": "B"}),
                "a2": ("MIN", {"c1": 2, "c2": 4, "c3": 6}, {"label": "C"}),
                "a3": ("MIN", {"d1": 14, "d2": 5, "d3": 2}, {"label": "D"}),
            },
            {"label": "A"},
        ),
    )


def matrix(name: str, rows: tuple[str, ...], columns: tuple[str, ...], *cells: tuple[int, int]) -> MatrixGame:
    """A two-player matrix, its cells row by row."""
    joint = [(row, column) for row in rows for column in columns]
    return MatrixGame(MatrixModel(name, ("A", "B"), (rows, columns), dict(zip(joint, cells, strict=True))))


def prisoners() -> MatrixGame:
    moves = ("silent", "betray")
    return matrix("prisoners", moves, moves, (-1, -1), (-3, 0), (0, -3), (-2, -2))
