"""The symmetries of a game as a net is shown them: what each makes of the cells' classes, of actions and of players.

What a symmetry makes of an action is seen in play: of a position and of its image the actions are compared by the
positions that they lead to. A value in an action's head, or one that its body chooses, has the same image wherever it
stands at that place in actions of that rule; so a few plays tell it of all actions. A symmetry of which that is not so
is left out.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import islice, product
from math import prod

from gdl.errors import GameError
from gdl.game import Decision
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator
from gdl.wings.learning.action_codes import ActionCode, ActionEncoder
from gdl.wings.learning.network import Net, Views
from gdl.wings.learning.patterns import Image
from gdl.wings.programs.action_digits import NO_STEP
from gdl.wings.symmetry.group import Symmetry

PLIES = 200  # of play at random in which actions are compared, at most
ENOUGH = 20  # positions in a row that say nothing new
MOST_COMPARED = 500  # actions of a position; where there are more, no symmetry is used
MOST_ACTIONS = 1 << 16  # of a rule whose images are told


def views_of(
    game: RulesGame, net: Net, slots: int, symmetries: Sequence[Symmetry]
) -> tuple[Views, list[list[int]]]:  # fmt: skip
    """The views of a state under the symmetries, the identity first, and for each player's turn the views in which the
    mover looks like the same player, as far as the symmetries allow. The net has a row for each of `slots` actions."""
    players = net.players
    row, part, slot = _rows(net, Image.none(players, net.sizes)), array("i", range(players)), array("i")
    slot.extend(range(slots))
    done = _Actions(game, symmetries).images() if slots > 1 else [_Images() for _ in symmetries]
    for symmetry, images in zip(symmetries, done, strict=True):
        image = Image.image_of(net.reads, symmetry).with_runs(net.runs)
        if images is not None and image is not None:
            row += _rows(net, image)
            part.extend(symmetry.players)
            slot += _slots(images, net, slots)
    count = len(part) // players
    ways = []
    for player in range(players):
        shown = [part[view * players + player] for view in range(count)]
        ways.append([view for view in range(count) if shown[view] == min(shown)])
    return Views(row, slot, part, array("i", [own[0] for own in ways])), ways


def _rows(net: Net, image: Image) -> array[int]:
    """The number of the row for each class of each part in the image; -1 for the first class of a part, which has
    none."""
    found = array("i")
    for to, classes in zip(image.cell, image.classes, strict=True):
        found.extend(net.rows_before[to] + held if held else -1 for held in classes)
    return found


def _slots(images: _Images, net: Net, slots: int) -> array[int]:
    """The place of the image of each action, or step; what has no known image stays at its own place."""
    found = array("i", range(slots))
    for (rule, chosen), values in images.items():
        if net.by_steps:
            for first, known in zip(net.first_rows(rule, len(values), chosen), values, strict=True):
                for value, to in known.items() if first != NO_STEP else ():
                    found[first + value] = first + to
            continue
        if prod(map(len, values)) > MOST_ACTIONS:
            continue
        for pairs in product(*(places.items() for places in values)):
            (before,) = net.places(rule, [value for value, _ in pairs], chosen)
            if before < slots - 1:
                found[before] = net.places(rule, [value for _, value in pairs], chosen)[0]
    return found


_Images = dict[tuple[int, int], list[dict[int, int]]]  # rule, values chosen -> of each value at each place its image


class _Actions:
    """Finds out how symmetries map actions, from plays."""

    def __init__(self, game: RulesGame, symmetries: Sequence[Symmetry]):
        self.game, self.deeds = game, ActionEncoder(game.model.actions, game.options)
        self.symmetries = list(symmetries)
        self.found: list[_Images | None] = [{} for _ in symmetries]

    def images(self) -> list[_Images | None]:
        """For each symmetry, how it maps the values in actions; None if it does not map a value in the same way
        everywhere."""
        nothing = 0
        for state, node in islice(random_positions(self.game, Generator(1)), PLIES if self.symmetries else 0):
            if isinstance(node, Decision):
                if len(node.actions) > MOST_COMPARED:
                    return [None] * len(self.symmetries)
                nothing = 0 if self._compare(state, node) else nothing + 1
                if nothing > ENOUGH:
                    break
        return self.found

    def _compare(self, state: State, node: Decision) -> bool:
        """Compare the actions of a position with those of its image under each symmetry; True if that shows something
        new."""
        after = self._unique_actions(state, node)
        news = False
        for number, symmetry in enumerate(self.symmetries):
            images = self.found[number]
            if images is None:
                continue
            image = symmetry.image(state)
            try:
                there = self.game.node(image)
            except GameError:  # as of checkers on the light squares, which have no numbers for the names of actions
                self.found[number] = None
                continue
            if not isinstance(there, Decision) or len(there.actions) != len(node.actions):
                self.found[number] = None
                continue
            known = self._unique_actions(image, there)
            for to, done in after.items():
                other = known.get(symmetry.image(to))
                if other is not None:
                    said = _learn_images(images, done, other)
                    if said is None:
                        self.found[number] = None
                        break
                    news |= said
        return news

    def _unique_actions(self, state: State, node: Decision) -> dict[State, ActionCode]:
        """The positions that exactly one action leads to, each with that action."""
        led = [self.game.successor(state, action) for action in node.actions]
        ways = Counter(led)
        return {to: done for to, done in zip(led, self.deeds.encode(state), strict=True) if ways[to] == 1}


def _learn_images(images: _Images, done: ActionCode, other: ActionCode) -> bool | None:
    """Note how an action's values are mapped to those of its image. True if something is new, None if it contradicts
    what was noted before."""
    (rule, values, chosen), (rule_there, values_there, chosen_there) = done, other
    if (rule, chosen, len(values)) != (rule_there, chosen_there, len(values_there)):
        return None
    known = images.setdefault((rule, chosen), [{} for _ in values])
    news = False
    for places, value, image in zip(known, map(_whole_number, values), map(_whole_number, values_there), strict=True):
        news |= value not in places
        if places.setdefault(value, image) != image:
            return None
    return news


def _whole_number(value: object) -> int:
    return -1 if value is None else int(value)  # type: ignore[call-overload]
