"""A game with numbers left open, filled in: what is then true of it, for the verifier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gdl.game import (
    Chance,
    Decision,
    Game,
    Node,
    Number,
    Rest,
    Simultaneous,
    Terminal,
    Unknown,
    maximiser,
)
from gdl.solvers.verify import textbook
from gdl.solvers.verify.open_parts import Promise
from gdl.solvers.verify.plain_induction import Worths
from gdl.solvers.verify.position_graph import reach
from gdl.solvers.verify.verdict import Unchecked
from gdl.states.explore import moves
from gdl.states.game_wrapper import GameWrapper

NODES = 20_000  # the most nodes of a game that are looked at in one run

Fact = tuple[str, Any]  # a kind and its object: ("best", action), ("pruned", path), ("equilibrium", profile)


@dataclass(frozen=True)
class FactsAtPoint:
    """The facts about a game for some values of its unknowns: the value of all players (None for a matrix), and the
    best actions, the paths of the nodes that alpha-beta skips, or the pure equilibria."""

    value: tuple[Any, ...] | None
    facts: frozenset[Fact]

    def of(self, what: str) -> frozenset[Any]:
        return frozenset(item for kind, item in self.facts if kind == what)


class VerifierUnknowns:
    """The unknowns of a game: `names`, in the order in which they are found, and `promises`, linear forms of them that
    are not negative."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self.names: dict[str, None] = {}
        self.promises: list[Promise] = []
        for state, node in self._nodes():
            if isinstance(node, Chance):
                for _, chance in node.outcomes:
                    self._probability(chance)
            elif isinstance(node, Terminal):
                for player, utility in enumerate(node.utilities):
                    if isinstance(utility, Unknown):
                        self._utility(state, player, utility)

    def _nodes(self) -> Iterator[tuple[Any, Node]]:
        def after(state: Any) -> Iterator[Any]:
            return (self.game.successor(state, move) for move in moves(self.game.node(state)))

        return ((state, self.game.node(state)) for state in reach([self.game.initial()], after, NODES))

    def _probability(self, chance: Any) -> None:
        if isinstance(chance, Unknown):
            self.names[chance.name] = None
            self.promises.append(({chance.name: 1}, 0))
        elif isinstance(chance, Rest):
            terms: dict[str, Number] = {}
            for unknown in chance.unknowns:
                self.names[unknown.name] = None
                terms[unknown.name] = terms.get(unknown.name, 0) - 1
            self.promises.append((terms, chance.share))

    def _utility(self, state: Any, player: int, utility: Unknown) -> None:
        name = name_of_unknown(utility, self.game.players)
        self.names[name] = None
        promised = self.game.promises.bounds(state)
        low, high = (None, None) if promised is None else promised[player]
        sign = -1 if utility.negative else 1
        if low is not None:
            self.promises.append(({name: sign}, -low))
        if high is not None:
            self.promises.append(({name: -sign}, high))


def name_of_unknown(unknown: Unknown, players: Sequence[str]) -> str:
    """The name of an unknown utility. With three players or more each player's share is an unknown of its own, with the
    player's name in brackets."""
    if unknown.player is None or len(players) < 3:
        return unknown.name
    return f"{unknown.name}[{players[unknown.player]}]"


class Filled(GameWrapper):
    """The game with a number in place of each unknown."""

    def __init__(self, game: Game[Any], numbers: Mapping[str, Any]):
        super().__init__(game)
        self.numbers = numbers

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return Terminal(tuple(map(self._number, node.utilities)))
        if isinstance(node, Chance):
            return Chance(tuple((action, self._number(chance)) for action, chance in node.outcomes))
        return node

    def _number(self, number: Any) -> Any:
        if isinstance(number, Rest):
            return number.share + sum(-self._number(unknown) for unknown in number.unknowns)
        if not isinstance(number, Unknown):
            return number
        found = self.numbers[name_of_unknown(number, self.players)]
        return -found if number.negative else found


def find_facts(game: Game[Any], cut: str) -> FactsAtPoint:
    """The facts about a game without unknowns; `cut` is the rule by which alpha-beta leaves a node (`ge` or `gt`)."""
    start = game.initial()
    node = game.node(start)
    if isinstance(node, Simultaneous):
        return FactsAtPoint(None, frozenset(("equilibrium", joint) for joint in _equilibria(game, node)))
    worths = Worths(game, NODES)
    vector = worths.of(start, None)
    facts: list[Fact] = []
    if isinstance(node, Decision):
        after = [worths.of(game.successor(start, action), None)[node.player] for action in node.actions]
        facts += [
            ("best", action) for action, worth in zip(node.actions, after, strict=True) if worth == vector[node.player]
        ]
    if game.traits.has_scalar_value and not game.traits.chance:
        run = textbook.TextbookAlphaBeta(game, maximiser(game.players), textbook.Rules(cut), NODES).search()
        facts += [("pruned", tuple(skipped["path"])) for skipped in run.skipped_roots]
    return FactsAtPoint(tuple(vector), frozenset(facts))


def _equilibria(game: Game[Any], node: Simultaneous) -> Iterator[tuple[str, ...]]:
    """The pure equilibria of a matrix: joint actions from which nobody gains by another action."""
    pays = {}
    for joint in product(*node.actions):
        end = game.node(game.successor(game.initial(), joint))
        if not isinstance(end, Terminal):
            raise Unchecked("the game goes on after a joint move")
        pays[joint] = end.utilities
    for joint, own in pays.items():
        others = (
            (p, (*joint[:p], other, *joint[p + 1 :])) for p, actions in enumerate(node.actions) for other in actions
        )
        if all(pays[other][p] <= own[p] for p, other in others):
            yield joint
