"""The host: a kernel on any Game, without lowering.

A kernel asks a game for a dozen functions and the memory that they share (gdl/compiler/kernels/game.pyi). Here they are
answered by the game itself, so every game has every kernel: a tree, a state graph, a class written in Python, rules as
the interpreter plays them. A state is a handle, the number in which it was first met; its key is that number too.

It is slower than a reference implementation in Python (`gdl guide engine` has the figures), and keeps all states that
it has met. It is there to tell a mistake of a kernel from one of lowering, to try a new kernel before a game is lowered
for it, and for searches of which there is no other text.
"""

from __future__ import annotations

from math import lcm
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import Kernel, constants
from gdl.errors import Refusal, clean
from gdl.game import (
    Action,
    Chance,
    Decision,
    Game,
    Node,
    Number,
    Rest,
    Simultaneous,
    Terminal,
    Unknown,
    needs,
    require_number,
)
from gdl.states.checked_game import ensure_checked
from gdl.states.explore import Move, moves

ROWS = 4096  # that a state may list for each player, if the game does not say how many it does
BEYOND_SUMS = 1 << 62  # beyond what a kernel adds up
DIGITS = 0x9E3779B97F4A7C15  # handles times this are hashes: they differ in their high bits
_KIND = constants("nodes")
_TURN = {Chance: -2, Simultaneous: -1, Terminal: -1}


class Host:
    """A kernel module that is answered by a Game in Python instead of a lowered one. `module` has its functions and
    memory by name, with those of the kernels that `load` has joined."""

    def __init__(self, game: Game[Any], denominator: int = 1, evaluation_denominator: int = 1, rows: int | None = None):
        """Utilities and evaluations must be whole numbers over the two denominators, and no state may list more than
        `rows` rows; otherwise the host raises Refusal."""
        self.game = ensure_checked(game)
        self.rows = rows or (game.traits.actions or ROWS) * len(game.players)
        self.states: list[Any] = []  # by their handles
        self.handles: dict[Any, int] = {}
        self._listed: dict[int, tuple[Node, tuple[Move, ...]]] = {}
        self._denominators = denominator, evaluation_denominator
        self._make(len(game.players))
        self.start()

    def _make(self, players: int) -> None:
        """Make the memory and the functions of the module."""
        word = python.WORDS
        array, i32, i64 = word["array"], word["i32"], word["i64"]
        self.s, self.util, self.key = array(i32, 2), array(i64, players), array(i64, 1)
        self.weight, self.first, self.joint = array(i64, self.rows), array(i32, players + 1), array(i32, players)
        utility, evaluation = self._denominators
        constants = {
            "STATE": 2, "PLAYERS": players, "DENOMINATOR": utility, "EVALUATION_DENOMINATOR": evaluation,
            "WON_ASKS_WAYS": 0, "MOVES": self.rows, "WIDTH": 1, "KEY": 1,
        }  # fmt: skip
        memory = {
            "s": self.s, "util": self.util, "key": self.key, "weight": self.weight, "first": self.first,
            "joint": self.joint, "move": range(self.rows),  # a row is a word, its number, as if of a rule of its own
            "ROW_HEAD": (1,) * self.rows, "ROW_CHOOSES": (0,) * self.rows,
        }  # fmt: skip
        functions = {
            "start": self.start, "status": self.status, "status_after": lambda last: self.status(),
            "won_after": lambda last: self.status(),
            "moves": self.moves, "apply": self.apply, "apply_joint": self.apply_joint,
            "begin_rows": lambda: None, "apply_listed": self.apply, "end_rows": lambda: None,
            "ways": self.ways, "known_ways": self.ways, "take": self.apply, "evaluate": self.evaluate,
            "hash": lambda: self._hash(self.s[1]), "pack": self.pack, "unpack": self.unpack,
            "key_hash": lambda: self._hash(self.key[0]), "keep_past": lambda: 1,
        }  # fmt: skip
        self.module: dict[str, Any] = {**word, **constants, **memory, **functions}

    def load(self, kernel: Kernel) -> dict[str, Any]:
        """Join a kernel with the module, and return the module."""
        self.module = python.load(kernel.parts, self.module)
        return self.module

    # -- states -----------------------------------------------------------------------------------------------

    def enter(self, state: Any) -> None:
        """Make `state` the present state of the kernel."""
        handle = self.handles.setdefault(state, len(self.states))
        if handle == len(self.states):
            self.states.append(state)
        self._take(handle)

    def _take(self, handle: int) -> None:
        node = self._node(handle)[0]
        self.s[0] = node.player if isinstance(node, Decision) else _TURN[type(node)]
        self.s[1] = handle

    def _node(self, handle: int) -> tuple[Node, tuple[Move, ...]]:
        """The node of a state and the moves there; both are kept."""
        listed = self._listed.get(handle)
        if listed is None:
            node = self.game.node(self.states[handle])
            together = isinstance(node, Simultaneous)
            listed = self._listed[handle] = node, () if together else moves(node)
            wide = sum(map(len, node.actions)) if isinstance(node, Simultaneous) else len(listed[1])
            if wide > self.rows:
                raise Refusal(f"{clean(self.game.name)} has a state with {wide:,} actions: more than {self.rows:,}")
        return listed

    @staticmethod
    def _hash(handle: int) -> int:
        return int(handle * DIGITS % (1 << 62))

    # -- the functions of game.pyi ----------------------------------------------------------------------------

    def start(self) -> None:
        self.enter(self.game.initial())

    def status(self) -> int:
        node = self._node(self.s[1])[0]
        if isinstance(node, Terminal):
            self._put([require_number(utility) for utility in node.utilities], self._denominators[0])
        return _KIND[type(node).__name__.upper()]

    def evaluate(self) -> None:
        estimate = self.game.evaluate(self.states[self.s[1]])
        if estimate is None:
            raise Refusal(f"{clean(self.game.name)} has no evaluation")
        self._put(estimate, self._denominators[1])

    def _put(self, numbers: Any, denominator: int) -> None:
        for player, number in enumerate(numbers):
            self.util[player] = self._whole(number * denominator)

    def _whole(self, number: Number) -> int:
        if number != int(number) or not -BEYOND_SUMS < number < BEYOND_SUMS:
            raise Refusal(f"{clean(self.game.name)} has a utility or an evaluation that is no whole number of 62 bits")
        return int(number)

    def ways(self) -> int:
        return len(self._node(self.s[1])[1])

    def moves(self) -> int:
        node, options = self._node(self.s[1])
        if isinstance(node, Simultaneous):
            return self._together(node)
        if isinstance(node, Chance):
            probabilities = list(map(_probability, node.outcomes))
            whole = lcm(*(probability.denominator for probability in probabilities))
            for row, probability in enumerate(probabilities):
                self.weight[row] = int(probability * whole)
        return len(options)

    def _together(self, node: Simultaneous) -> int:
        rows = 0
        for player, own in enumerate(node.actions):
            self.first[player] = rows
            rows += len(own)
        self.first[len(node.actions)] = rows
        return rows

    def apply(self, row: int) -> None:
        self._go(self._node(self.s[1])[1][row])

    def apply_joint(self) -> None:
        node = self._node(self.s[1])[0]
        assert isinstance(node, Simultaneous)
        chosen = zip(node.actions, self.joint, self.first, strict=False)
        self._go(tuple(own[row - first] if own else "" for own, row, first in chosen))

    def _go(self, move: Move) -> None:
        self.enter(self.game.successor(self.states[self.s[1]], move))

    def pack(self) -> None:
        self.key[0] = self.s[1]

    def unpack(self) -> None:
        self._take(self.key[0])


def _probability(outcome: tuple[Action, Number]) -> Number:
    """A probability as a number. Raises GameError, which names the unknown, if the file leaves it open."""
    if isinstance(outcome[1], Unknown | Rest):
        raise needs(outcome[1], "probability")
    return outcome[1]
