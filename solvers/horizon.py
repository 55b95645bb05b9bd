"""A game that ends after a number of plies with its own evaluation: CUTOFF-TEST and EVAL(s) as a Game around a Game.

H-MINIMAX of the textbook (Russell and Norvig, Artificial Intelligence, section 5.4; Shannon, Programming a Computer
for Playing Chess, 1950) is then MINIMAX of this game. Depth counts plies, a chance move is one.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem, Refusal, count_text
from gdl.game import Action, Game, Joint, Node, Number, Promises, Terminal, Traits
from gdl.states.game_wrapper import GameWrapper


class HorizonState(NamedTuple):
    """A state of the inner game, and the number of plies left until search is cut off."""

    state: Any
    left: int


class Horizon(GameWrapper):
    """The game cut off `depth` plies from its start. An end of play is an end, and never cut off."""

    def __init__(self, game: Game[Any], depth: int):
        check_depth(depth)
        super().__init__(game)
        self.depth = depth
        inner = game.promises
        # What a file promises of ends; nothing where it has rules, which may give evaluations that lie beyond.
        self.promises = Promises(
            bounds=lambda state: None if inner.proved_of_estimates() else inner.bounds(state.state),
            proved=inner.proved_of_estimates,
        )

    def inside(self, state: HorizonState) -> Any:
        return state.state

    @cached_property
    def traits(self) -> Traits:
        return replace(self.game.traits, cyclic=False, states=None)

    def initial(self) -> HorizonState:
        return HorizonState(self.game.initial(), self.depth)

    def node(self, state: HorizonState) -> Node:
        node = self.game.node(state.state)
        if state.left or isinstance(node, Terminal):
            return node
        return Terminal(self._evaluation(state))

    def is_cut_off(self, state: HorizonState) -> bool:
        """CUTOFF-TEST: True if the state has no plies left although play would go on."""
        return not state.left and not isinstance(self.game.node(state.state), Terminal)

    def _evaluation(self, state: HorizonState) -> tuple[Number, ...]:
        evaluation = self.game.evaluate(state.state)
        if evaluation is None:
            raise NoEvaluation(self.game.label(state.state), self.depth)
        return evaluation

    def successor(self, state: HorizonState, action: Action | Joint) -> HorizonState:
        return HorizonState(self.game.successor(state.state, action), state.left - 1)

    def information_set(self, state: HorizonState, player: int) -> Hashable:
        return self.game.information_set(state.state, player), state.left


def cut_off_at(depth: int | None, estimated: int, what: str = "position") -> str:
    """The limit of an answer some of whose positions were estimated, in words."""
    were = f"{count_text(estimated, what)} {'was' if estimated == 1 else 'were'}"
    return f"cut off at depth {depth}: {were} only estimated, by the evaluation"


def check_depth(depth: int | None) -> None:
    """Raise Refusal if the depth is less than 1; None is no depth."""
    if depth is not None and depth < 1:
        raise Refusal(f"a search of depth {depth} looks at nothing; the least depth is 1")


class NoEvaluation(GameError):
    """Search was cut off at a node for which the file gives no evaluation."""

    def __init__(self, label: str | None, depth: int, play: tuple[str, ...] = ()):
        name = f"the node {label}" if label else f"the node after {', '.join(play)}" if play else "a node"
        self.label = label
        self.depth = depth
        super().__init__(
            Problem(
                f"{name} is {depth} {'ply' if depth == 1 else 'plies'} deep, where search is cut off, "
                "and the file gives it no evaluation",
                help="write `eval N` at the node of a tree, `evaluate` in rules, or search deeper",
            )
        )

    def after(self, play: tuple[str, ...]) -> NoEvaluation:
        """This fault, with the actions that lead to the node."""
        return NoEvaluation(self.label, self.depth, play)
