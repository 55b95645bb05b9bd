"""A game folded along its symmetries: of positions that are images of each other, only one occurs in play. And the
symmetries that are of use there: those that lead from one position that can be reached to another one."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.game import Action, Joint, Promises
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.components import reached_from
from gdl.states.explore import Walk
from gdl.states.game_wrapper import GameWrapper
from gdl.wings.symmetry.group import Symmetry, generate_group

REMEMBERED = 1 << 20  # representatives


class FoldedGame(GameWrapper):
    """The game in which symmetric positions are one: of each set of images only the representative occurs, with its own
    actions. Its value is that of the game if no symmetry exchanges players."""

    def __init__(self, rules: RulesGame, start: State, symmetries: tuple[Symmetry, ...]):
        super().__init__(rules)
        self.rules, self.symmetries = rules, symmetries
        self.promises = Promises(bounds=rules.promises.bounds, forever=rules.promises.forever)
        # whether an exchange of players has made two positions one that would not be one without (two players can tell)
        self.joined = len(rules.players) > 2
        self._start = start
        self._known: dict[State, State] = {}
        self._turned: dict[State, bool] = {}  # whether players have changed parts in the play that found it

    def initial(self) -> State:
        return self.representative(self._start)

    def successor(self, state: State, action: Action | Joint) -> State:
        after = self.rules.successor(state, action)
        found = self.representative(after)
        turned = (found.mover != after.mover) != self._turned.get(state, False)
        self.joined = self.joined or self._turned.setdefault(found, turned) != turned
        return found

    def representative(self, state: State) -> State:
        """The least of a position's images, in the order of `_order`."""
        found = self._known.get(state)
        if found is None:
            images = reached_from([state], lambda one: [symmetry.image(one) for symmetry in self.symmetries])
            found = min(images, key=_order)
            if len(self._known) + len(images) > REMEMBERED:
                self._known.clear()
            self._known.update(dict.fromkeys(images, found))
        return found


def _order(state: State) -> list[int]:
    """A key by which the images of a position are compared, first by the player who moves."""
    cells = [-1 if value is None else int(value) for value in state.cells[FIRST_CELL:]]
    return [state.mover, state.turn, *cells]


LOOKED_AT = 60  # positions


def find_useful_symmetries(
    rules: RulesGame, start: State, symmetries: Sequence[Symmetry], most: int
) -> tuple[Symmetry, ...]:
    """The symmetries that save work, as a group without the identity: those that map one of the first positions of play
    to another one. At most `most` are generated. (Othello looks the same after a quarter turn of the board, but no play
    from its start reaches both a position and its turned image.)"""
    positions = _first_positions(rules, start)
    known = set(positions)
    group = generate_group(symmetries, most)
    useful = [one for one in group if any((image := one.image(p)) != p and image in known for p in positions)]
    return generate_group(useful, most)


def _first_positions(rules: RulesGame, start: State) -> list[State]:
    """The first positions of play from `start`, breadth first."""
    walk = Walk(Continuation(rules, start))
    for _ in walk:
        if len(walk.states) >= LOOKED_AT:
            break
    return walk.states
