"""Positions that are possible for all that is common knowledge, and the plays that lead there.

1. A player takes every position to be possible that agrees with what they know. Others know something else in each of
   them, take further positions to be possible, and so on, until nothing is new: the cell of the finest partition that
   is coarser than everybody's. A game that does not say what those know who are not to move has one cell.
2. Play is followed from the start, which everybody knows. A ply is left out if after it nobody can come to know what
   somebody knows in the cell, or if no play goes on from there to a position of the cell.

Source: Aumann, Agreeing to disagree, Annals of Statistics 4, 1976.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import Any, NamedTuple

from gdl.errors.deadline import CLOCK
from gdl.game import NO_PROMISES, Chance, Decision, Game, Node, Simultaneous
from gdl.states.explore import moves

MOST_ACTIONS_FOLLOWED = 4_000  # actions that are looked at in order to find all of it

Shares = Callable[[int, Hashable, int], Sequence[float]]  # how often a player, who knows this, takes each of n actions


class KnowledgeChoice(NamedTuple):
    """An action of a player who knows `known`, as the action's number among `of` actions."""

    player: int
    known: Hashable
    number: int
    of: int


class KnowledgeStep(NamedTuple):
    """A ply between two positions: the players' choices, or chance's outcome by its number; `probability` is chance's
    (1 without chance)."""

    before: int
    after: int
    choices: tuple[KnowledgeChoice, ...]
    outcome: int
    probability: float


@dataclass(frozen=True)
class CommonKnowledgeCell:
    """The positions of a cell of common knowledge, and those through which play leads to them, in the order of their
    plies; the first is the start."""

    states: tuple[Any, ...]
    plies: tuple[int, ...]
    here: tuple[bool, ...]  # True for positions of the cell, in which the player moves
    steps: tuple[KnowledgeStep, ...]

    def reach_probabilities(self, shares: Shares) -> list[float]:
        """The probability with which play reaches each position, if players choose with these shares."""
        reach = [1.0, *[0.0] * (len(self.states) - 1)]
        for step in self.steps:
            chance = step.probability
            for player, known, number, of in step.choices:
                chance *= shares(player, known, of)[number]
            reach[step.after] += reach[step.before] * chance
        return reach

    def spread(self, reached: Sequence[float]) -> list[float]:
        """The weights by which to draw a position to begin from. The positions where the player is to move (`here`)
        together weigh as much as all other positions at which somebody chooses, and among the latter each ply weighs
        the same. Within such a group, weights are in proportion to `reached`, the probability that play comes to a
        position."""
        chosen = {step.before for step in self.steps if step.choices}
        parts: dict[int, list[int]] = {}
        for number, here in enumerate(self.here):
            if here or number in chosen:
                parts.setdefault(-1 if here else self.plies[number], []).append(number)
        weights = [0.0] * len(self.states)
        for ply, numbers in parts.items():
            share = 1 if ply < 0 else 1 / (len(parts) - 1)
            total = sum(reached[number] for number in numbers)
            for number in numbers:
                weights[number] = share * reached[number] / total
        return weights


def find_common_knowledge(
    game: Game[Any], player: int, known: Hashable, most: int = MOST_ACTIONS_FOLLOWED, deadline: float = inf
) -> CommonKnowledgeCell | None:
    """The cell of positions in which the player is to move and knows `known`. None if nothing is hidden, or if it would
    take more than `most` actions or the time until the deadline to look at them."""
    start = game.initial()
    cell = _Cell(game, player, most, deadline)
    if cell.said and game.information_set(start, player) == start:  # everybody sees everything
        return None
    cell.know(player, known)
    while (found := cell.find_positions()) is not None:
        new = [
            cell.know(somebody, game.information_set(state, somebody))
            for state, here in zip(found.states, found.here, strict=True)
            for somebody in range(len(game.players))
            if here
        ]
        if not any(new):
            break
    return found


class _Cell:
    """Finds the positions in which some player knows something that is known in the cell. Positions, and what players
    know, are numbered."""

    def __init__(self, game: Game[Any], player: int, most: int, deadline: float):
        self.game = game
        self.player = player
        self.most = most
        self.deadline = deadline
        self.said = game.promises.acts_until is not NO_PROMISES.acts_until
        self._players = range(len(game.players))
        self._looked_at = 0
        self._states: list[Any] = []
        self._number: dict[Any, int] = {}
        self._seen: list[list[int]] = []  # of each position: the number of what each player knows
        self._after: dict[int, list[tuple[tuple[KnowledgeChoice, ...], int, float, int]]] = {}
        self._sets: list[dict[Hashable, int]] = [{} for _ in self._players]
        self._known: list[dict[int, Hashable]] = [{} for _ in self._players]  # of each player: all that is known in it,
        self._compared: list[dict[int, int]] = [{} for _ in self._players]  # how much of it each set was compared with,
        self._led: list[set[int]] = [set() for _ in self._players]  # and the sets from which some of it can be reached
        self._number_of(game.initial())

    def know(self, player: int, known: Hashable) -> bool:
        """Note what a player may know in the cell; True if it is new."""
        number = self._sets[player].setdefault(known, len(self._sets[player]))
        new = number not in self._known[player]
        self._known[player][number] = known
        return new

    def find_positions(self) -> CommonKnowledgeCell | None:
        """The cell of positions from which the knowledge of the present position can arise: those that lead to it, the
        steps between them, and, for each, True if the player moves there with that knowledge. None if more than `most`
        positions must be looked at."""
        numbers, plies, steps = [0], [0], list[KnowledgeStep]()
        layer = range(1)
        while layer:
            places: dict[int, int] = {}
            for before in layer:
                following = self._following_plies(numbers[before])
                if self._looked_at > self.most or CLOCK.now() > self.deadline:
                    return None
                for choices, outcome, probability, number in following:
                    # From here on some player may still make an observation that they made in a position of the cell.
                    if any(self._comes(player, self._seen[number][player], number) for player in self._players):
                        after = places.setdefault(number, layer.stop + len(places))
                        steps.append(KnowledgeStep(before, after, choices, outcome, probability))
            numbers += places
            plies += [plies[-1] + 1] * len(places)
            layer = range(layer.stop, len(numbers))
        states = tuple(self._states[number] for number in numbers)
        return _prune_dead_ends(CommonKnowledgeCell(states, (*plies,), tuple(map(self._is_here, numbers)), (*steps,)))

    def _is_here(self, number: int) -> bool:
        """True if the player moves in a position, and somebody's observations there are those of a position of the
        cell."""
        if not any(player == self.player for player, _ in _movers(self.game.node(self._states[number]))):
            return False
        return not self.said or any(self._seen[number][player] in self._known[player] for player in self._players)

    def _comes(self, player: int, seen: int, number: int) -> bool:
        """True if a player who has observed `seen` in a position may later make an observation that this player made in
        a position of the cell."""
        if seen in self._led[player]:
            return True
        later = list(self._known[player].values())[self._compared[player].get(seen, 0) :]
        self._compared[player][seen] = len(self._known[player])
        acts_until, state = self.game.promises.acts_until, self._states[number]
        if any(acts_until(state, player, known) is not None for known in later):
            self._led[player].add(seen)
        return seen in self._led[player]

    def _following_plies(self, number: int) -> list[tuple[tuple[KnowledgeChoice, ...], int, float, int]]:
        """The plies that may follow a position, each with the number of the position after it."""
        found = self._after.get(number)
        if found is None:
            state = self._states[number]
            node = self.game.node(state)
            choices = len(node.outcomes) if isinstance(node, Chance) else prod(len(own) for _, own in _movers(node))
            self._looked_at += 1 + choices
            plies = () if self._looked_at > self.most else self._plies(state, node)
            found = self._after[number] = [(*ply, self._number_of(after)) for *ply, after in plies]  # type: ignore[misc]
        return found

    def _number_of(self, state: Any) -> int:
        """The number of a position, a new one for a position not met before."""
        number = self._number.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            seen = [self.game.information_set(state, player) for player in self._players]
            self._seen.append([sets.setdefault(known, len(sets)) for sets, known in zip(self._sets, seen, strict=True)])
        return number

    def _plies(self, state: Any, node: Node) -> Iterator[tuple[tuple[KnowledgeChoice, ...], int, float, Any]]:
        if isinstance(node, Chance):
            for number, (action, chance) in enumerate(node.outcomes):
                yield (), number, float(chance), self.game.successor(state, action)
            return
        movers = _movers(node)
        told = [(player, self.game.information_set(state, player), own) for player, own in movers]
        for move in moves(node):
            own = dict(enumerate(move)) if isinstance(node, Simultaneous) else {movers[0][0]: move}
            choices = (KnowledgeChoice(who, known, names.index(own[who]), len(names)) for who, known, names in told)
            yield tuple(choices), 0, 1.0, self.game.successor(state, move)


def _movers(node: Node) -> list[tuple[int, tuple[str, ...]]]:
    """The players who have a choice at a node, each with their actions."""
    if isinstance(node, Decision):
        return [(node.player, node.actions)]
    if isinstance(node, Simultaneous):
        return [(player, own) for player, own in enumerate(node.actions) if own]
    return []


def _prune_dead_ends(found: CommonKnowledgeCell) -> CommonKnowledgeCell:
    """The cell without steps that lead to none of its positions."""
    leads = [*found.here]
    for step in reversed(found.steps):
        leads[step.before] = leads[step.before] or leads[step.after]
    kept = [number for number, led in enumerate(leads) if led]
    place = {number: at for at, number in enumerate(kept)}
    return CommonKnowledgeCell(
        tuple(found.states[number] for number in kept),
        tuple(found.plies[number] for number in kept),
        tuple(found.here[number] for number in kept),
        tuple(
            step._replace(before=place[step.before], after=place[step.after])
            for step in found.steps
            if step.after in place
        ),
    )
