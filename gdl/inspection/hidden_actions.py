"""Actions of which it is not said who learns of them: they look like open moves, and leave no trace for others.

Information sets are derived from what is visible, so of an action that changes nothing visible the others learn
nothing: a card that is played may stay as unknown as one that is hidden. Its author must have meant one of the two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from gdl.errors import Problem, clean
from gdl.game import Action, Simultaneous, Terminal
from gdl.inspection.walk_findings import WalkFindings
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import Rule, RulesModel
from gdl.states.explore import WalkExpansion, choosers

TURN_POSITIONS = 500  # looked through for the next turns of a player; further away, all may be one

Done = tuple[Action, int]  # an action, and the number of the state that it leads to


def find_unsettled_actions(met: WalkFindings) -> Iterator[Problem]:
    """Find actions whose head does not say who learns of them, and which another player who may still act cannot
    distinguish from another action of the same position. For each rule the first such pair is reported."""
    game, model = met.game, met.model
    if not isinstance(game, RulesGame) or not isinstance(model, RulesModel) or game.initial().memories is None:
        return
    pending = [rule for rule in model.actions if not rule.settled]
    turns = _Turns(met)
    for expansion in sorted(met.expansions):
        if not pending:
            return
        for mover in choosers(expansion.node):
            options = game.options(met.states[expansion.number], mover)
            rules = {action: option.rule for action, option in options.items()}
            for hearer in range(len(game.players)):
                if hearer == mover or not any(rule in pending for rule in rules.values()):
                    continue
                for one, other in _indistinct_pairs(expansion, mover, hearer, turns):
                    for action in (one, other):
                        if rules[action] in pending:
                            pending.remove(rules[action])
                            yield _problem(met, expansion, rules[action], hearer, (one, other))


def _problem(
    met: WalkFindings, expansion: WalkExpansion, rule: Rule, hearer: int, actions: tuple[Action, Action]
) -> Problem:
    who, (one, other) = clean(met.game.players[hearer]), map(clean, actions)
    message = f"{who} does not learn whether it was {one} or {other}"
    note = f"They change nothing that {who} can see, and {who} may still act."
    help = "end the head with 'public' if everyone hears what is done, else with 'unseen' or 'seen by p when …'"
    return Problem(message, rule.span, note=note, help=help, warning=True, play=met.play(expansion.number))


def _indistinct_pairs(
    expansion: WalkExpansion, mover: int, hearer: int, turns: _Turns
) -> Iterator[tuple[Action, Action]]:
    """Pairs of the mover's actions that the hearer cannot tell apart at some later turn, with the same choices of those
    who act at the same time."""
    for group in _groups(expansion, mover, hearer, turns):
        first: dict[Hashable, Action] = {}  # what the hearer may know at the next turn -> the first way to come to it
        for action, child in group:
            for known in turns.next_sets(child, hearer):
                if first.setdefault(known, action) != action:
                    yield first[known], action


def _groups(expansion: WalkExpansion, mover: int, hearer: int, turns: _Turns) -> list[list[Done]]:
    """Groups of several of the mover's actions, with the positions after them, in which the hearer has the same
    information."""
    found: dict[Hashable, list[Done]] = {}
    for move, child in zip(expansion.moves, expansion.children, strict=True):
        if isinstance(expansion.node, Simultaneous):
            action, others = move[mover], (*move[:mover], *move[mover + 1 :])
        else:
            assert isinstance(move, str)
            action, others = move, ()
        found.setdefault((others, turns.information_set(child, hearer)), []).append((action, child))
    return [group for group in found.values() if len(group) > 1]


class _Turns:
    """For each player the information sets at the player's next turn, as far as the game was walked."""

    def __init__(self, met: WalkFindings):
        self.game: Any = met.game
        self.states = met.states
        self.expansions = {expansion.number: expansion for expansion in met.expansions}
        self._found: dict[tuple[int, int], frozenset[Hashable]] = {}

    def information_set(self, number: int, player: int) -> Hashable:
        known: Hashable = self.game.information_set(self.states[number], player)
        return known

    def next_sets(self, number: int, player: int) -> frozenset[Hashable]:
        """The information sets in which the player may be at their next turn, from the state with this number on. Where
        the walk stopped before, the player's information set there."""
        key = number, player
        if key not in self._found:
            self._found[key] = frozenset(self._next_information_sets(number, player))
        return self._found[key]

    def _next_information_sets(self, number: int, player: int) -> Iterator[Hashable]:
        seen, work = {number}, [number]
        while work:
            here = work.pop()
            expansion = self.expansions.get(here)
            node = self.game.node(self.states[here]) if expansion is None else expansion.node
            if isinstance(node, Terminal):
                continue
            if expansion is None or player in choosers(node) or len(seen) > TURN_POSITIONS:
                yield self.information_set(here, player)
                continue
            for child in expansion.children:
                if child not in seen:
                    seen.add(child)
                    work.append(child)
