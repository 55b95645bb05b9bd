"""An evaluation to search by where it is better than the file's own: weights that ship with a game; or, for a file
that gives none, material, by the mobility of each kind of piece in random play.

1. In plays at random from the start, count how many actions take a piece from where it stands, by its kind, and how
   many actions lessen the other's pieces. The plays are the same for every engine and limit, so the values are too.
2. A piece is worth as many actions as one of its kind had on average. A kind that nobody has at the start is expected
   to be worth as much as the best of the others (pieces are promoted to it), until enough of it are met.
3. Pieces say little where nothing is taken, where most actions take something, where more actions add a piece than take
   one, or where who has none left has won: then the game goes without.
4. Search goes on until nothing is taken any more (`quiet`), unless pieces are added.

Source: Pell, A strategic metagame player for general chess-like games, Computational Intelligence 12, 1996.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from gdl import wings
from gdl.analysis.material import Pieces, find_pieces, with_material
from gdl.compiler.compiled_engine import CompiledEngine, by_rules, is_by_rules, offer
from gdl.errors import GameError
from gdl.game import Decision, Engine, Game, Terminal, surely_at
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame, State, playable
from gdl.model.domains import text_of
from gdl.model.games import RulesModel
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator

WON_OR_LOST = ((-1, 1), (-1, 1))  # bounds of utilities: where points count, as in go, pieces do not
POSITIONS, ACTIONS = 120, 3_000  # of random play, at most
PLIES = 120  # after which a play is begun again
MOST_SQUARES = 1_000  # of a board on which the moves of pieces are counted
MOST_TAKE = 0.5  # the share of actions that take a piece, at most
EXPECTED = 10  # pieces of a kind that nobody has at the start, by which it is worth what is expected
_SEED = 1


class Mobility(NamedTuple):
    """The statistics of the pieces in random play."""

    of: Mapping[Any, float]  # by kind, the mean number of actions that move a piece of it
    taking: float  # the share of actions that take a piece of the other's
    adding: float  # the share of actions that take none, and change how many pieces their player has


_known: WeakKeyDictionary[RulesGame, tuple[Game[Any], str] | None] = WeakKeyDictionary()


def with_evaluation(game: Game[Any], known: bool = False) -> Game[Any] | None:
    """The game with a better evaluation than its file gives, from the same state on and on the same engine; None if
    there is none. With `known`, which takes no time, only one that was looked for before."""
    if not is_by_rules(game) or game.traits.perfect_information is not True:
        return None
    whole, start = by_rules(game)
    if whole not in _known:
        if known:
            return None
        _known[whole] = _offer_better(whole, game.engine)
    found = _known[whole]
    if found is None:
        return None
    valued = Continuation(found[0], start)
    valued.promises = replace(valued.promises, estimated_by=found[1])
    return valued


def _offer_better(whole: RulesGame, engine: Engine) -> tuple[Game[Any], str] | None:
    """The whole game with a better evaluation, on this engine, and words on it."""
    shipped = wings.call_hook("shipped weights", whole.model)
    found = _by_material(whole) if shipped is None else (shipped, "estimated by the weights that ship with the game")
    if found is None:
        return None
    valued: Game[Any] = playable(found[0])
    if isinstance(engine, CompiledEngine):
        valued = offer(valued, engine.engine if engine.is_user_choice else "auto", engine.room, engine.tell)
    return valued, found[1]


def _by_material(whole: RulesGame) -> tuple[RulesModel, str] | None:
    """The rules with an evaluation by material, and words on it; None if they have an evaluation, or pieces say
    little."""
    model = whole.model
    if model.evaluates or whole.traits.chance is not False or surely_at(whole, whole.initial()) != WON_OR_LOST:
        return None
    pieces = find_pieces(model)
    if pieces is None or len(model.variables[pieces.owner].initial) > MOST_SQUARES or _is_better_without(whole, pieces):
        return None
    try:
        found = _mobility(whole, pieces)
    except GameError:
        return None  # whoever plays the game will say what is wrong
    best = max(found.of.values())
    if not found.adding < found.taking < MOST_TAKE or not best:
        return None
    valued = with_material(model, pieces, found.of, not found.adding)
    words = "estimated by material and mobility, as the file has no evaluate"
    if pieces.kind is None:
        return valued, words
    kind = model.variables[pieces.kind].type
    named = ", ".join(f"{text_of(kind, value)} {found.of[value] / best:.2f}" for value in pieces.kinds)
    return valued, f"{words} ({named})"


def _is_better_without(whole: RulesGame, pieces: Pieces) -> bool:
    """True if the first player would have won at the start without any piece."""
    start, owner = whole.initial(), whole.model.variables[pieces.owner]
    bare = list(start.cells)
    for place in range(owner.place, owner.place + len(owner.initial)):
        bare[place] = None if bare[place] == 0 else bare[place]
    try:
        node = whole.node(start._replace(cells=tuple(bare)))
    except GameError:
        return False  # the rules rely on a king or the like
    return isinstance(node, Terminal) and node.utilities[0] > node.utilities[1]


def _mobility(whole: RulesGame, pieces: Pieces) -> Mobility:
    """The mobility of each kind of piece in random play."""

    def men(state: State) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Whose piece stands on each square, and of what kind."""
        arrays = (whole.model.variables[pieces.owner if array is None else array] for array in (None, pieces.kind))
        owners, kinds = (state.cells[array.place : array.place + len(array.initial)] for array in arrays)
        return owners, kinds if pieces.kind is not None else (None,) * len(kinds)

    present, moved, actions, taking, adding = Counter[Any](), Counter[Any](), 0, 0, 0
    for state, node in _random_positions(whole):
        own, (owners, kinds) = node.player, men(state)
        present.update(kind for whose, kind in zip(owners, kinds, strict=True) if whose == own)
        for action in node.actions:
            after, _ = men(whole.successor(state, action))
            moved.update(k for was, now, k in zip(owners, after, kinds, strict=True) if was == own != now)
            takes = any(was == 1 - own != now for was, now in zip(owners, after, strict=True))
            taking += takes
            adding += not takes and not pieces.hands and after.count(own) != owners.count(own)
        actions += len(node.actions)
        if actions > ACTIONS:
            break
    begun = {kind for whose, kind in zip(*men(whole.initial()), strict=True) if whose is not None}
    worth = {kind: moved[kind] / max(1, present[kind]) for kind in begun}
    best = max(worth.values(), default=0.0)
    for kind in pieces.kinds:
        worth.setdefault(kind, (moved[kind] + EXPECTED * best) / (present[kind] + EXPECTED))
    return Mobility(worth, taking / max(1, actions), adding / max(1, actions))


def _random_positions(whole: RulesGame) -> Iterator[tuple[State, Decision]]:
    """Positions of random play in which a player is to move."""
    generator, state, plies = Generator(_SEED), whole.initial(), 0
    for _ in range(POSITIONS):
        node = whole.node(state)
        if isinstance(node, Decision) and plies < PLIES:
            yield state, node
            state, plies = whole.successor(state, random_move(node, generator)), plies + 1
        else:
            state, plies = whole.initial(), 0
