"""Can a player secure at least so much? A yes-or-no search of a game of perfect information without chance.

It proves what a search for the value left open: that a root action ties with the best, or what to do everywhere to
get the value. A question about one number cuts far more than a question about the value (the null window of Pearl,
Asymptotic properties of minimax trees and game-searching procedures, Artificial Intelligence 14, 1980).

1. At an end the answer is whether its utilities are enough.
2. Where the player moves, one action that does is enough, and is remembered.
3. Where another moves, all actions must.

What cannot be told makes the answer None unless other answers decide it (Kleene's three-valued logic): an unknown
utility, a fault of the file, a chance node, a state that comes again, work beyond `limit` states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from gdl.errors import GameError
from gdl.game import Action, Decision, Game, Terminal
from gdl.solvers.budget import Budget

Answer = bool | None


class _Frame:
    """A state in question: its children, how many were asked, and what their answers amount to so far."""

    __slots__ = ("actions", "answer", "asked", "children", "own", "state")

    def __init__(self, state: Hashable, actions: tuple[Action, ...], children: list[Any], own: bool):
        self.state = state
        self.actions = actions
        self.children = children
        self.own = own
        self.asked = 0
        self.answer: Answer = not own  # an empty "one of" is no, an empty "all of" is yes

    def hear(self, answer: Answer) -> None:
        """The answer for the child asked last."""
        self.asked += 1
        if answer is self.own or self.answer is self.own:
            self.answer = self.own
        elif answer is None:
            self.answer = None

    @property
    def is_decided(self) -> bool:
        return self.answer is self.own or self.asked == len(self.children)


class Guarantee:
    """Answers whether `player` can secure an end that is `enough` from states of the game, and how."""

    def __init__(self, game: Game[Any], player: int, enough: Callable[[Terminal], Answer], budget: Budget, limit: int):
        self.game = game
        self.player = player
        self.enough = enough
        self.budget = budget
        self.limit = limit
        self.answers: dict[Any, Answer] = {}
        self.choices: dict[Any, Action] = {}  # where the player moves and the answer is yes

    def holds(self, start: Any) -> Answer:
        """Whether the player can secure enough from the state; None if that was not settled."""
        stack: list[_Frame] = []
        on_path: set[Any] = set()
        answer = self._ask(start, stack, on_path)
        while stack:
            frame = stack[-1]
            if frame.is_decided:
                answer = self._settle(frame)
                stack.pop()
                on_path.remove(frame.state)
                if stack:
                    stack[-1].hear(answer)
                continue
            before = len(stack)
            answer = self._ask(frame.children[frame.asked], stack, on_path)
            if len(stack) == before:
                frame.hear(answer)
        return answer

    def choose(self, state: Any, node: Decision) -> Action:
        """What the player does at a state from which enough was proved to be secure."""
        return self.choices[state]

    def _ask(self, state: Any, stack: list[_Frame], on_path: set[Any]) -> Answer:
        """The answer if it can be given at once; else the state is put on the stack."""
        if state in self.answers:
            return self.answers[state]
        if state in on_path or len(self.answers) >= self.limit:
            return None
        self.budget.visit()
        try:
            node = self.game.node(state)
            actions = node.actions if isinstance(node, Decision) else ()
            children = [self.game.successor(state, action) for action in actions]
        except GameError:  # in a part of the game that the search for the value did not need
            return None
        if isinstance(node, Decision):
            stack.append(_Frame(state, actions, children, node.player == self.player))
            on_path.add(state)
        elif isinstance(node, Terminal):
            self.answers[state] = self.enough(node)
        return self.answers.get(state)

    def _settle(self, frame: _Frame) -> Answer:
        self.answers[frame.state] = frame.answer
        if frame.own and frame.answer:
            self.choices[frame.state] = frame.actions[frame.asked - 1]
        return frame.answer
