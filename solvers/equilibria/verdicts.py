"""A profile held against a concept: what is found of it, condition by condition.

The judge of a concept stands where the concept does; its row in `solvers/concepts.py` names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gdl.game import Number, exact
from gdl.solution import Profile
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Behaviour
from gdl.solvers.equilibria.position_paths import reach_probabilities
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import best_response, expectation

BeliefSystem = Sequence[Mapping[int, Number]]  # per information set: position -> probability


class ConceptCondition(NamedTuple):
    """A condition of a concept and whether it holds (None: not known). If it fails: the player, and the deviation that
    shows it, an action at an information set or a whole strategy, with its gain."""

    condition: str
    holds: bool | None
    player: str | None = None
    information_set: str | None = None
    deviation: str | None = None
    gain: Number | None = None
    words: str = ""
    strategy: Profile | None = None


@dataclass(frozen=True)
class ConceptVerdict:
    """The verdict on a profile: the conditions of the concept, and the beliefs that they were judged with, if any."""

    concept: str
    conditions: tuple[ConceptCondition, ...]
    beliefs: BeliefSystem | None = None

    @property
    def holds(self) -> bool | None:
        found = [condition.holds for condition in self.conditions]
        return False if False in found else None if None in found else True


class ProfileCase(NamedTuple):
    """A profile to be judged by a concept, perhaps with beliefs. `leader` is the player who commits; `rate` is lambda,
    the precision of players who err (None: it is estimated)."""

    concept: str
    positions: PositionGraph
    behaviour: Behaviour
    beliefs: BeliefSystem | None
    budget: Budget
    leader: int = 0
    rate: float | None = None


def deviations(positions: PositionGraph, behaviour: Behaviour, player: int, start: int = 0) -> dict[int, int]:
    """The first best action at each information set of the player that play reaches and where some action is played
    that is not best."""
    begin: dict[int, Number] = {start: 1}
    best = best_response(positions, behaviour, player, begin).choices
    met = reach_probabilities(positions, behaviour, start)
    found = {}
    for h in positions.sets_of(player):
        row = behaviour[h]
        if row is None or h not in best or not any(member in met for member in positions.information_sets[h].members):
            continue
        if any(share and k not in best[h] for k, share in enumerate(row)):
            found[h] = best[h][0]
    return found


def best_replies(case: ProfileCase, root: int, name: str) -> Iterator[ConceptCondition]:
    """The condition that everyone plays a best reply in the subgame at `root`; or the failed conditions, one per player
    who can gain. `name` is the condition's name."""
    gets = expectation(case.positions, case.behaviour, {root: 1})
    found = [better_reply(case, player, gets[player], root, name) for player in range(len(gets))]
    yield from [one for one in found if one] or [ConceptCondition(name, True, words="nobody gains by deviating")]


def better_reply(case: ProfileCase, player: int, gets: Number, root: int, name: str) -> ConceptCondition | None:
    """The failed condition if a player who gets `gets` in the subgame at `root` could get more there; else None."""
    positions, who = case.positions, case.positions.players[player]
    gain = exact(best_response(positions, case.behaviour, player, {root: 1}).value - gets)
    if not gain:
        return None
    h, k = next(iter(deviations(positions, case.behaviour, player, root).items()))
    found = positions.information_sets[h]
    words = f"{who} would rather play {found.actions[k]} at {found.name}"
    return ConceptCondition(name, False, who, found.name, found.actions[k], gain, words)
