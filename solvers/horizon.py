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
from gdl.game import Action, Decision, Game, Joint, Node, Number, Promises, Terminal, Traits
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
        return node if state.left or isinstance(node, Terminal) else Terminal(self._evaluation(state))

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

    def with_play(self, play: tuple[str, ...]) -> NoEvaluation:
        """This fault, with the actions that lead to the node."""
        return NoEvaluation(self.label, self.depth, play)


# A game cut off at a depth, but only where play is quiet: quiescence search as a Game around a Game.
#
# A file may give a number that quiet play keeps (`quiet:`, as the number of men that captures change). At the
# horizon and past it:
#
# 1. The one who moves may be content with EVAL(s), "stand pat", or take an action that changes the number.
# 2. Where the number is none, the position is not quiet: nobody can be content, all actions are followed.
# 3. FURTHER plies past the horizon EVAL is taken everywhere.
#
# Sources: Shannon, Programming a computer for playing chess, 1950, section 3; Beal, A generalised quiescence search
# algorithm, Artificial Intelligence 43, 1990.

FURTHER = 4  # plies past the horizon at most
CONTENT = ""  # the action of a mover who is content with EVAL; no game has an action of this name
_OVER = -FURTHER - 1  # plies left in a state where the mover was content: play is over there


def for_windows(game: Game[Any]) -> bool:
    """True if alpha-beta may suit the game: one player, or two with zero sum, and no chance as far as is known."""
    traits = game.traits
    return not traits.chance and (traits.players == 1 or (traits.players == 2 and traits.constant_sum == 0))


def goes_on(game: Game[Any]) -> bool:
    """True if search in this game continues beyond the depth to quiet positions."""
    return game.promises.quiet is not None and for_windows(game)


class Quiescence(Horizon):
    """The game cut off `depth` plies from its start, or later where play is not quiet."""

    def __init__(self, game: Game[Any], depth: int):
        super().__init__(game, depth)
        number = game.promises.quiet
        assert number is not None
        self.number = number

    def node(self, state: HorizonState) -> Node:
        node = self.game.node(state.state)
        if state.left > 0 or isinstance(node, Terminal):
            return node
        assert isinstance(node, Decision)
        restless = self.number(state.state) is None
        actions = node.actions if restless else self._noisy_actions(state, node)
        if state.left <= -FURTHER or not actions:
            return Terminal(self._evaluation(state))
        return Decision(node.player, actions if restless else (CONTENT, *actions))

    def _noisy_actions(self, state: HorizonState, node: Decision) -> tuple[Action, ...]:
        """The actions that change the number that quiet play keeps."""
        number = self.number(state.state)
        after = {action: self.number(self.game.successor(state.state, action)) for action in node.actions}
        return tuple(action for action, found in after.items() if found is not None and found != number)

    def is_cut_off(self, state: HorizonState) -> bool:
        return isinstance(self.node(state), Terminal) and not isinstance(self.game.node(state.state), Terminal)

    def successor(self, state: HorizonState, action: Action | Joint) -> HorizonState:
        return HorizonState(state.state, _OVER) if action == CONTENT else super().successor(state, action)
