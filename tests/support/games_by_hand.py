"""Small games built without the parser, for tests of the solvers that find, judge and verify equilibria."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from gdl.game import (
    NO_ENGINE,
    NO_PROMISES,
    Action,
    Chance,
    Decision,
    Joint,
    Node,
    Number,
    Simultaneous,
    Terminal,
    Traits,
)
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.model.games import MatrixModel, TreeModel, TreeNode


@dataclass
class Branch:
    """An inner node; `who` is a player's name or `chance`. (Leaves are tuples of utilities.)"""

    who: str
    children: Mapping[str, Any]  # action or outcome -> Branch or leaf
    information_set: str | None = None
    chances: Sequence[Number] = ()


def tree(name: str, players: Sequence[str], root: Branch) -> TreeGame:
    nodes: list[TreeNode | None] = []

    def build(branch: Any) -> int:
        index = len(nodes)
        nodes.append(None)
        if not isinstance(branch, Branch):
            nodes[index] = TreeNode("terminal", utilities=tuple(branch))
            return index
        children = tuple(build(child) for child in branch.children.values())
        nodes[index] = TreeNode(
            "chance" if branch.who == "chance" else "decision",
            player=None if branch.who == "chance" else players.index(branch.who),
            information_set=branch.information_set,
            actions=tuple(branch.children),
            probabilities=tuple(branch.chances),
            children=children,
        )
        return index

    build(root)
    return TreeGame(TreeModel(name, tuple(players), tuple(node for node in nodes if node is not None)))


def matrix(
    name: str, players: Sequence[str], actions: Sequence[Sequence[str]], cells: Mapping[Joint, Any]
) -> MatrixGame:
    table = {joint: tuple(utilities) for joint, utilities in cells.items()}
    return MatrixGame(MatrixModel(name, tuple(players), tuple(map(tuple, actions)), table))


def bimatrix(
    first: Sequence[Sequence[Number]],
    second: Sequence[Sequence[Number]] | None = None,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    name: str = "matrix",
) -> MatrixGame:
    """A two-player matrix; zero-sum if the second player's payoffs are left out. Actions default to r1… and c1…"""
    rows = rows or [f"r{i + 1}" for i in range(len(first))]
    columns = columns or [f"c{j + 1}" for j in range(len(first[0]))]
    cells = {
        (row, column): (first[i][j], -first[i][j] if second is None else second[i][j])
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    }
    return matrix(name, ("Row", "Column"), (rows, columns), cells)


def prisoners() -> MatrixGame:
    actions = ("silent", "betray")
    return bimatrix([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]], actions, actions, "prisoners")


def minority() -> MatrixGame:
    """Three players choose 0 or 1; whoever stands alone gets one."""
    joint = list(product("01", repeat=3))
    cells = {sides: tuple(int(sides.count(own) == 1) for own in sides) for sides in joint}
    return matrix("minority", "ABC", ["01"] * 3, cells)


def matching_pennies() -> TreeGame:
    """Matching pennies as a tree, in which the second player moves later without having seen the first move."""

    def guess(right: int) -> Branch:
        pays = {"heads": (1 - 2 * right, 2 * right - 1), "tails": (2 * right - 1, 1 - 2 * right)}
        return Branch("B", pays, "guess")

    return tree("pennies", "AB", Branch("A", {"heads": guess(0), "tails": guess(1)}))


def kuhn(cards: str = "JQK") -> TreeGame:
    """Kuhn poker: an ante of one each, one bet of one; cards from low to high."""

    def pays(first: int) -> tuple[int, int]:
        return first, -first

    def after_deal(a: str, b: str) -> Branch:
        sign = 1 if cards.index(a) > cards.index(b) else -1
        raised = Branch("Ann", {"pass": pays(-1), "bet": pays(2 * sign)}, f"{a} pass bet")
        passed = Branch("Bob", {"pass": pays(sign), "bet": raised}, f"{b} pass")
        called = Branch("Bob", {"pass": pays(1), "bet": pays(2 * sign)}, f"{b} bet")
        return Branch("Ann", {"pass": passed, "bet": called}, a)

    deals = list(permutations(cards, 2))
    children = {a + b: after_deal(a, b) for a, b in deals}
    return tree("kuhn", ("Ann", "Bob"), Branch("chance", children, chances=[Fraction(1, len(deals))] * len(deals)))


def two_roads() -> TreeGame:
    """Road A leads to gold; road B to a fork, where one way leads to jewels and the other under a bus."""

    def world(jewels: str) -> Branch:
        fork = Branch("MAX", {way: (20,) if way == jewels else (-100,) for way in ("left", "right")}, "fork")
        return Branch("MAX", {"A": (10,), "B": fork}, "roads")

    chances = [Fraction(1, 2)] * 2
    return tree(
        "two roads", ["MAX"], Branch("chance", {"left": world("left"), "right": world("right")}, chances=chances)
    )


def entry() -> TreeGame:
    """Entry deterrence: the incumbent's threat to fight is an equilibrium, but not a credible one."""
    reply = Branch("Incumbent", {"accommodate": (2, 1), "fight": (-1, -1)}, "entered")
    return tree("entry", ("Entrant", "Incumbent"), Branch("Entrant", {"out": (0, 2), "in": reply}, "market"))


def absent_minded() -> TreeGame:
    """One player who forgets at the second crossing whether it is the second."""
    second = Branch("Driver", {"on": (1,), "exit": (4,)}, "crossing")
    return tree("absent-minded driver", ["Driver"], Branch("Driver", {"on": second, "exit": (0,)}, "crossing"))


_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    """Tic-tac-toe. A state is the board, a text of nine characters; the same board reached in different ways is one
    state."""

    name = "tic-tac-toe"
    players = ("X", "O")
    engine = NO_ENGINE
    promises = NO_PROMISES
    traits = Traits(2, True, 0, False, False, True, True, False)

    def initial(self) -> str:
        return " " * 9

    def node(self, state: str) -> Node:
        for a, b, c in _LINES:
            if state[a] != " " and state[a] == state[b] == state[c]:
                return Terminal((1, -1) if state[a] == "X" else (-1, 1))
        free = tuple(str(i) for i in range(9) if state[i] == " ")
        return Decision(len(free) % 2 == 0, free) if free else Terminal((0, 0))

    def successor(self, state: str, action: Action | Joint) -> str:
        place = int(str(action))
        return f"{state[:place]}{'XO'[state.count(' ') % 2 == 0]}{state[place + 1 :]}"

    def information_set(self, state: str, player: int) -> Hashable:
        return state

    def describe(self, state: str, player: int) -> str:
        return state.replace(" ", ".")

    def evaluate(self, state: str) -> None:
        return None

    def label(self, state: str) -> None:
        return None

    def show(self, state: str) -> str:
        return state


class Repeated:
    """A bimatrix game played a number of times; the choices are seen after each time. A state is the history of
    choices."""

    engine = NO_ENGINE
    promises = NO_PROMISES
    name = "repeated"

    def __init__(self, stage: MatrixGame, times: int):
        self.stage = stage
        self.times = times
        self.players = stage.players
        self.traits = Traits(2, False, None, False, True, False, True, False)

    def initial(self) -> tuple[Joint, ...]:
        return ()

    def node(self, state: tuple[Joint, ...]) -> Node:
        if len(state) < self.times:
            return Simultaneous(self.stage.model.actions)
        paid: list[Any] = [self.stage.model.utilities[joint] for joint in state]
        return Terminal(tuple(map(sum, zip(*paid, strict=True))))

    def successor(self, state: tuple[Joint, ...], action: Action | Joint) -> tuple[Joint, ...]:
        assert isinstance(action, tuple)
        return (*state, action)

    def information_set(self, state: tuple[Joint, ...], player: int) -> Hashable:
        return state

    def describe(self, state: tuple[Joint, ...], player: int) -> str:
        return "; ".join(" ".join(joint) for joint in state) or "start"

    def evaluate(self, state: tuple[Joint, ...]) -> None:
        return None

    def label(self, state: tuple[Joint, ...]) -> None:
        return None

    def show(self, state: tuple[Joint, ...]) -> str:
        return self.describe(state, 0)


class _Bluffing:
    """The common part of two games of hidden cards or dice for two players."""

    players = ("A", "B")
    engine = NO_ENGINE
    promises = NO_PROMISES
    traits = Traits(2, True, 0, True, False, False, True, False)

    def evaluate(self, state: Any) -> None:
        return None

    def label(self, state: Any) -> None:
        return None

    def show(self, state: Any) -> str:
        return str(state)


class Leduc(_Bluffing):
    """Leduc poker without suits: `ranks` ranks of two cards, two rounds with raises of 2 and 4, two raises a round,
    one public card after the first round; a pair with it wins, then the higher card. A state is the two cards, the
    public card, what each has paid, and the actions of each round."""

    name = "leduc"

    def __init__(self, ranks: int = 3):
        self.ranks = ranks

    def initial(self) -> Any:
        return (), None, (1, 1), ((),)

    def node(self, state: Any) -> Node:
        cards, public, paid, rounds = state
        if len(cards) < 2 or (len(rounds) == 2 and public is None):
            left = [2 - cards.count(rank) for rank in range(self.ranks)]
            return Chance(tuple((str(r), Fraction(k, sum(left))) for r, k in enumerate(left) if k))
        played = rounds[-1]
        mover = len(played) % 2
        if played[-1:] == ("fold",):
            return Terminal((paid[1], -paid[1]) if mover == 0 else (-paid[0], paid[0]))
        if len(played) >= 2 and played[-1] == "call":
            first, second = ((card == public, card) for card in cards)
            sign = (first > second) - (first < second)
            return Terminal((sign * paid[0], -sign * paid[0]))
        fold = ("fold",) if paid[mover] < paid[1 - mover] else ()
        return Decision(mover, (*fold, "call", *(("raise",) if played.count("raise") < 2 else ())))

    def successor(self, state: Any, action: Action | Joint) -> Any:
        cards, public, paid, rounds = state
        if len(cards) < 2:
            return (*cards, int(str(action))), public, paid, rounds
        if len(rounds) == 2 and public is None:
            return cards, int(str(action)), paid, rounds
        mover = len(rounds[-1]) % 2
        played = (*rounds[-1], action)
        pays = list(paid)
        if action != "fold":
            pays[mover] = max(paid) + (2 * len(rounds) if action == "raise" else 0)
        ended = len(played) >= 2 and action == "call" and len(rounds) == 1
        return cards, public, tuple(pays), (*rounds[:-1], played, *(((),) if ended else ()))

    def information_set(self, state: Any, player: int) -> Hashable:
        return state[0][player], state[1], state[3]

    def describe(self, state: Any, player: int) -> str:
        cards, public, _, rounds = state
        return f"{cards[player]} {public} {' / '.join(' '.join(played) for played in rounds)}"


class LiarsDice(_Bluffing):
    """One die each; players bid in turn how many dice show a face at least (the highest face counts as any), or call
    the last bid a lie. Bid number k is k // sides + 1 dice of face k % sides + 1, and the last number is the call.
    A state is the dice and the bids."""

    name = "liar's dice"

    def __init__(self, sides: int):
        self.sides = sides

    def initial(self) -> Any:
        return (), ()

    def node(self, state: Any) -> Node:
        dice, bids = state
        call = 2 * self.sides
        if len(dice) < 2:
            return Chance(tuple((str(face), Fraction(1, self.sides)) for face in range(1, self.sides + 1)))
        if bids[-1:] == (call,):
            shown = sum(die in (bids[-2] % self.sides + 1, self.sides) for die in dice)
            bidder, stands = len(bids) % 2, shown > bids[-2] // self.sides
            return Terminal((1, -1) if (bidder == 0) == stands else (-1, 1))
        lowest = bids[-1] + 1 if bids else 0
        return Decision(len(bids) % 2, tuple(str(k) for k in range(lowest, call + bool(bids))))

    def successor(self, state: Any, action: Action | Joint) -> Any:
        dice, bids = state
        number = int(str(action))
        return ((*dice, number), bids) if len(dice) < 2 else (dice, (*bids, number))

    def information_set(self, state: Any, player: int) -> Hashable:
        return state[0][player], state[1]

    def describe(self, state: Any, player: int) -> str:
        return f"{state[0][player]}: {' '.join(map(str, state[1]))}"


def dealt(dice: random.Random, cards: int = 2, zero_sum: bool = False, most: int = 5) -> TreeGame:
    """A random small game of cards: each of two players sees their own card and all moves, but not the other's. Nobody
    wins or loses more than `most`."""
    depth = dice.randint(1, 3)
    actions = [[f"m{k}" for k in range(dice.randint(1, 2))] for _ in range(depth)]
    movers = [dice.choice("AB") for _ in range(depth)]

    def play(hands: tuple[int, int], moves: tuple[str, ...]) -> Any:
        if len(moves) == depth:
            first, second = dice.randint(-most, most), dice.randint(-most, most)
            return (first, -first) if zero_sum else (first, second)
        mover = movers[len(moves)]
        name = f"{hands['AB'.index(mover)]} {' '.join(moves)}"
        return Branch(mover, {a: play(hands, (*moves, a)) for a in actions[len(moves)]}, f"{mover} {name}")

    deals = [(a, b) for a in range(cards) for b in range(cards)]
    weights = [dice.randint(1, 3) for _ in deals]
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    return tree("dealt", "AB", Branch("chance", {f"{a}{b}": play((a, b), ()) for a, b in deals}, chances=chances))


def inspection(periods: int, inspections: int) -> TreeGame:
    """Dresher's inspection game: in every period the violator may act, once, and the inspector may look, a few times;
    both choose at the same time and then know what happened. Caught costs one, unseen gains one."""

    def period(left: int, looks: int, past: str) -> Any:
        if left == 0:
            return 0, 0

        def answer(acts: bool) -> Branch:
            looked = (-1, 1) if acts else period(left - 1, looks - 1, f"{past}look ")
            unseen = (1, -1) if acts else period(left - 1, looks, f"{past}rest ")
            return Branch(
                "Inspector", {"look": looked, "rest": unseen} if looks else {"rest": unseen}, f"{past}inspect"
            )

        return Branch("Violator", {"act": answer(True), "wait": answer(False)}, f"{past}violate")

    return tree("inspection", ("Violator", "Inspector"), period(periods, inspections, ""))


def stoc94() -> TreeGame:
    """The example of Koller, Megiddo and von Stengel."""
    last = [Branch("1", {"L": (a, -a), "R": (b, -b)}, "010") for a, b in ((10, 15), (20, -5))]
    left = Branch("1", {"l": (5, -5), "r": Branch("2", {"p": last[0], "q": last[1]}, "01")}, "0")
    middle = Branch("1", {"c": (10, -10), "d": (20, -20)}, "1")
    replies = [Branch("2", {"s": (a, -a), "t": (b, -b)}, "20") for a, b in ((20, 50), (30, 15))]
    right = Branch("1", {"c": replies[0], "d": replies[1]}, "1")
    fifth = Fraction(1, 5)
    outcomes = {"w": left, "x": middle, "y": right, "z": (5, -5)}
    return tree("stoc94", "12", Branch("chance", outcomes, chances=[fifth, fifth, fifth, 2 * fifth]))


def imperfect_recall() -> TreeGame:
    """The first player moves twice and forgets the first move before the second; nothing like an equilibrium in
    behaviour strategies is left (Wichardt 2008)."""

    def guess(right: int, left: int) -> Branch:
        return Branch("2", {"B": (right, -right), "T": (left, -left)}, "2")

    first = Branch("1", {"r": guess(1, -1), "l": guess(-5, -5)}, "1b")
    second = Branch("1", {"r": guess(-5, -5), "l": guess(-1, 1)}, "1b")
    return tree("forgetting", "12", Branch("1", {"R": first, "L": second}, "1a"))


def tiny_hanabi() -> TreeGame:
    """One clue and one guess, each with a card that the other does not see: the payoffs of Foerster et al. 2019."""
    tables = {
        "00": ((10, 0, 0), (4, 8, 4), (10, 0, 0)),
        "01": ((0, 0, 10), (4, 8, 4), (0, 0, 10)),
        "10": ((0, 0, 10), (4, 8, 4), (0, 0, 0)),
        "11": ((10, 0, 0), (4, 8, 4), (10, 0, 0)),
    }
    deals = {
        deal: Branch("A", {
            f"clue {i}": Branch("B", {f"guess {j}": (x, x) for j, x in enumerate(row)}, f"B {deal[1]} {i}")
            for i, row in enumerate(rows)
        }, f"A {deal[0]}")
        for deal, rows in tables.items()
    }  # fmt: skip
    return tree("tiny hanabi", "AB", Branch("chance", deals, chances=[Fraction(1, 4)] * 4))


VAN_DAMMES = matrix(  # van Damme 1991, figure 2.2.1
    "Van Damme's game of three",
    ("A", "B", "C"),
    [("1", "2")] * 3,
    {
        ("1", "1", "1"): (1, 1, 1), ("1", "2", "1"): (1, 0, 1), ("2", "1", "1"): (1, 1, 1), ("2", "2", "1"): (0, 0, 1),
        ("1", "1", "2"): (1, 1, 0), ("1", "2", "2"): (0, 0, 0), ("2", "1", "2"): (0, 1, 0), ("2", "2", "2"): (1, 0, 0),
    },
)  # fmt: skip
MYERSON = [[1, 0, -9], [0, 0, -7], [-9, -7, -7]]
