"""Random small trees in which things are hidden, and assessments of them judged from the definitions alone.

A tree is nested `Place`s; nothing here knows of positions, sequences or linear programs. Beliefs come from trembles:
an action outside the support has the probability weight * e ** label, and e goes to zero.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from trees import Inner, tree

from gdl.interpreter.explicit_game import TreeGame

Step = tuple[str, str]  # an information set and an action
Strategy = Mapping[str, Mapping[str, Fraction]]  # information set -> action -> probability
Beliefs = Mapping[str, Mapping[str, Fraction]]  # information set -> node -> probability


@dataclass
class Place:
    """A node: a player's (with an information set), of chance (`player` None, with shares), or an end."""

    path: tuple[str, ...]
    player: str | None = None
    at: str = ""
    children: dict[str, Place] = field(default_factory=dict)
    shares: dict[str, Fraction] = field(default_factory=dict)
    pays: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return " > ".join(self.path) or "start"

    def below(self) -> Iterator[Place]:
        yield self
        for child in self.children.values():
            yield from child.below()


def random_hidden(rng: random.Random, players: Sequence[str], depth: int = 3, most: int = 14) -> Place:
    """A random tree with perfect recall and at most `most` decisions. Nodes at which a player's own history is the same
    may form one information set."""
    while True:
        root = _grown(rng, players, depth, (), chance=rng.random() < 0.5)
        decisions = [place for place in root.below() if place.player]
        if 2 <= len(decisions) <= most:
            _hide(rng, root)
            return root


def _grown(rng: random.Random, players: Sequence[str], depth: int, path: tuple[str, ...], *, chance: bool) -> Place:
    if depth == 0 or (path and not chance and rng.random() < 0.2):
        return Place(path, pays=tuple(rng.randint(0, 4) for _ in players))
    names = ["xyz"[k] + str(len(path)) for k in range(rng.choice((2, 2, 3)))]
    place = Place(path, None if chance else rng.choice(players))
    for name in names:
        later = depth if chance else depth - 1
        place.children[name] = _grown(rng, players, later, (*path, name), chance=False)
    weights = [rng.randint(1, 3) for _ in names]
    if chance:
        place.shares = {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True)}
    return place


def _hide(rng: random.Random, root: Place) -> None:
    """Give every decision an information set, from the top down. Nodes of one set get the same names of actions."""
    own: dict[tuple[str, ...], dict[str, tuple[Step, ...]]] = {(): {}}
    groups: dict[Any, list[str]] = {}
    queue = [root]
    for place in queue:
        history = own[place.path]
        if place.player:
            alike = groups.setdefault((place.player, history.get(place.player, ()), tuple(place.children)), [])
            if not alike or rng.random() < 0.35:
                alike.append(f"{place.player}{sum(map(len, groups.values())) + 1}")
            place.at = rng.choice(alike)
        for name, child in place.children.items():
            step = (*history.get(place.player, ()), (place.at, name)) if place.player else ()
            own[child.path] = {**history, place.player: step} if place.player else history
            queue.append(child)


def as_game(root: Place, players: Sequence[str]) -> TreeGame:
    def built(place: Place) -> Any:
        if place.pays:
            return place.pays
        actions, children = list(place.children), [built(child) for child in place.children.values()]
        return Inner(place.player or "chance", actions, children, list(place.shares.values()),
                     information_set=place.at or None)  # fmt: skip

    return tree(built(root), players, "hidden tree")


def sets_of(root: Place) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for place in root.below():
        if place.player:
            found.setdefault(place.at, []).append(place)
    return found


# -- play ---------------------------------------------------------------------------------------------------------


def share_of(place: Place, name: str, strategy: Strategy) -> Fraction:
    return strategy[place.at][name] if place.player else place.shares[name]


def worth(place: Place, strategy: Strategy, seat: int) -> Fraction:
    """The expected utility, from a node on, of the player in that seat."""
    if place.pays:
        return Fraction(place.pays[seat])
    parts = ((share_of(place, name, strategy), child) for name, child in place.children.items())
    return sum((share * worth(child, strategy, seat) for share, child in parts if share), Fraction(0))


def pure(own: Mapping[str, Sequence[str]]) -> Iterator[dict[str, dict[str, Fraction]]]:
    """Every pure plan over these information sets, each given with its actions."""
    for chosen in product(*own.values()):
        yield {
            at: {name: Fraction(name == one) for name in names}
            for (at, names), one in zip(own.items(), chosen, strict=True)
        }


def is_rational(root: Place, players: Sequence[str], strategy: Strategy, beliefs: Beliefs) -> bool:
    """True if at no information set another plan does better against the belief there; every pure plan is tried."""
    sets = sets_of(root)
    for at, places in sets.items():
        owner = str(places[0].player)
        seat = list(players).index(owner)
        later = {p.at: list(p.children) for one in places for p in one.below() if p.player == owner}
        weights = [(beliefs[at].get(p.name, Fraction(0)), p) for p in places]
        now = sum((w * worth(p, strategy, seat) for w, p in weights), Fraction(0))
        for plan in pure(later):
            if sum((w * worth(p, {**strategy, **plan}, seat) for w, p in weights), Fraction(0)) > now:
                return False
    return True


# -- beliefs ------------------------------------------------------------------------------------------------------


def on_the_way(root: Place, place: Place) -> list[tuple[Place, str]]:
    found, here = [], root
    for name in place.path:
        found.append((here, name))
        here = here.children[name]
    return found


def likelihood(
    root: Place, place: Place, strategy: Strategy, labels: Mapping[Step, int], weights: Mapping[Step, Fraction]
) -> tuple[int, Fraction]:
    """The sum of the labels of the actions on the way to a node, and the product of their probabilities and weights."""
    order, share = 0, Fraction(1)
    for here, name in on_the_way(root, place):
        step = (here.at, name)
        if here.player and step in labels:
            order += labels[step]
            share *= weights[step]
        else:
            share *= share_of(here, name, strategy)
    return order, share


def trembled(
    root: Place, strategy: Strategy, labels: Mapping[Step, int], weights: Mapping[Step, Fraction]
) -> dict[str, dict[str, Fraction]]:
    """The limit of the beliefs that follow from the trembles."""
    beliefs = {}
    for at, places in sets_of(root).items():
        found = [(p.name, *likelihood(root, p, strategy, labels, weights)) for p in places]
        least = min(order for _, order, _ in found)
        total = sum((share for _, order, share in found if order == least), Fraction(0))
        beliefs[at] = {name: share / total if order == least else Fraction(0) for name, order, share in found}
    return beliefs


def unplayed(root: Place, strategy: Strategy) -> list[Step]:
    return [(at, name) for at in sets_of(root) for name, share in strategy[at].items() if not share]


def is_consistent(root: Place, strategy: Strategy, beliefs: Beliefs, highest: int = 4) -> bool:
    """True if some trembles with labels up to `highest` lead to the beliefs. Their weights are sought by least squares
    of logarithms."""
    steps = unplayed(root, strategy)
    sets = sets_of(root)
    for chosen in product(range(1, highest + 1), repeat=len(steps)):
        labels = dict(zip(steps, chosen, strict=True))
        ones = dict.fromkeys(steps, Fraction(1))
        rough = trembled(root, strategy, labels, ones)
        if all(
            bool(share) == bool(beliefs[at].get(name, 0))
            for at, there in rough.items()
            for name, share in there.items()
        ):
            return _has_weights(root, sets, strategy, beliefs, steps)
    return False


def _has_weights(
    root: Place, sets: Mapping[str, list[Place]], strategy: Strategy, beliefs: Beliefs, steps: list[Step]
) -> bool:
    """True if the equations between the logarithms of weights have a solution; found by elimination in floating
    point."""
    rows: list[list[float]] = []
    for at, places in sets.items():
        held = [p for p in places if beliefs[at].get(p.name, 0)]
        for other in held[1:]:
            row = [0.0] * (len(steps) + 1)
            for sign, place in ((1, other), (-1, held[0])):
                row[-1] += sign * math.log(beliefs[at][place.name])
                for here, name in on_the_way(root, place):
                    if here.player and (here.at, name) in steps:
                        row[steps.index((here.at, name))] += sign
                    else:
                        row[-1] -= sign * math.log(share_of(here, name, strategy))
            rows.append(row)
    done = 0
    for column in range(len(steps)):
        pivot = next((r for r in range(done, len(rows)) if abs(rows[r][column]) > 1e-9), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        for r in range(done + 1, len(rows)):
            factor = rows[r][column] / rows[done][column]
            rows[r] = [a - factor * b for a, b in zip(rows[r], rows[done], strict=True)]
        done += 1
    return all(abs(row[-1]) < 1e-9 for row in rows[done:])


def follows_from_play(root: Place, strategy: Strategy, beliefs: Beliefs) -> bool:
    """True if the beliefs are those of Bayes' rule wherever play leads."""
    for at, places in sets_of(root).items():
        weights = {p.name: likelihood(root, p, strategy, {}, {})[1] for p in places}
        total = sum(weights.values(), Fraction(0))
        if total and any(beliefs[at].get(name, 0) * total != weight for name, weight in weights.items()):
            return False
    return True
