"""Use of a game's rules in random plays, for whoever designs it.

Of each action and chance step: in how many plays it was possible, and in how many it happened; of each line of
`terminal`: how many plays it ended. The plays are those of a seed, as many as were asked for, or fewer where they are
long.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from gdl.errors import Span
from gdl.game import Action, Chance, Decision, Game, Joint, Node, Terminal
from gdl.interpreter.bodies import FIRST_STEP
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.states.explore import Progress
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator

PLIES = 2_000  # that are played by the interpreter
LONGEST = 1_000  # plies of a play that is gone through


class RuleUseCount(NamedTuple):
    """An action or a chance step: in how many plays it was possible, and in how many it happened."""

    name: str
    span: Span
    possible: int
    happened: int


@dataclass(frozen=True)
class Uses:
    """The use of the rules in a number of plays: the counts of each rule, and each terminal clause with the number of
    plays that it ended."""

    plays: int
    unfinished: int
    rules: tuple[RuleUseCount, ...]
    ends: tuple[tuple[Span, int], ...]


def uses(game: Game[Any], plays: int, seed: int, progress: Progress | None = None) -> Uses | None:
    """The use of the rules in random plays of a game by rules; None for another game."""
    if not isinstance(game, RulesGame):
        return None
    found = _Uses(game.model)
    random, plies, done = Generator(seed), 0, 0
    while done < plays and plies < PLIES:
        plies += found.play(game, random)
        done += 1
        if progress:
            progress(plies)
    return found.build_uses(done)


class _Uses:
    """Counts the use of the rules, play by play."""

    def __init__(self, model: RulesModel):
        self.model = model
        self.rules = (*model.actions, *model.chances)
        self.numbers = {id(rule): n for n, rule in enumerate(self.rules)}
        self.possible, self.happened = Counter[int](), Counter[int]()
        self.ends = Counter[Span]()
        self.unfinished = 0

    def play(self, game: RulesGame, random: Generator) -> int:
        """Play the game at random once, count the rules used, and return the number of plies, at least 1."""
        state = game.initial()
        possible, happened = set[int](), set[int]()
        plies = 0
        while not isinstance(node := game.node(state), Terminal) and plies < LONGEST:
            possible |= self.rules_at(game, state, node)
            move = random_move(node, random)
            happened |= self.rules_at(game, state, node, move)
            state = game.successor(state, move)
            plies += 1
        clause = game.ending(state) if isinstance(node, Terminal) else None
        if clause is not None:
            self.ends[clause.span] += 1
        self.unfinished += not isinstance(node, Terminal)
        self.possible.update(possible)
        self.happened.update(happened)
        return max(1, plies)

    def rules_at(self, game: RulesGame, state: Any, node: Node, move: Action | Joint | None = None) -> set[int]:
        """The numbers of the rules of all actions or outcomes at a node; with `move`, only of those in that move."""
        if isinstance(node, Chance):
            return {len(self.model.actions) + FIRST_STEP - state.turn}
        movers = (node.player,) if isinstance(node, Decision) else range(len(game.players))
        found = set[int]()
        for place, player in enumerate(movers):
            options = game.options(state, player)
            chosen = options if move is None else [move if isinstance(move, str) else move[place]]
            found |= {self.numbers[id(options[name].rule)] for name in chosen if name}
        return found

    def build_uses(self, plays: int) -> Uses:
        rules = (RuleUseCount(r.name, r.span, self.possible[n], self.happened[n]) for n, r in enumerate(self.rules))
        ends = ((clause.span, self.ends[clause.span]) for clause in self.model.clauses)
        return Uses(plays, self.unfinished, tuple(rules), tuple(ends))
