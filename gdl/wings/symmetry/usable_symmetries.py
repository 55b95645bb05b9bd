"""The symmetries of a game that a search may use, and the foldings by those of them that are worth while."""

from __future__ import annotations

from contextlib import suppress

from gdl.compiler.fault import engine_faults
from gdl.compiler.folding import Folding
from gdl.compiler.lower import lower
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.slices import KernelSearch
from gdl.errors import EngineFault, GameError, LimitReached, Refusal, clean
from gdl.game import Terminal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.wings.symmetry.folded_game import find_useful_symmetries
from gdl.wings.symmetry.group import Symmetries, Symmetry, find_symmetries, generate_group, widen_by_exchange
from gdl.wings.symmetry.group_folding import MOST_IMAGES, GroupFolding, generated_folding
from gdl.wings.symmetry.image_code import exchanges

MOST_WORK = 400_000  # work for finding symmetries that nobody asked for: about half a second
FEW_IMAGES = 64  # images of a position, at most, in that case
MOST_LEAVING = 128  # symmetries that leave a start as it is
LOOKED_AT = {"wasm": 20_000, "python": 2_000}  # states, of which an exchange of players must join some
LONGEST = 300  # plies of a random play
_SEED = 1


def usable_symmetries(found: Symmetries, game: RulesGame, start: State) -> Symmetries:
    """The symmetries by which symmetric positions may be treated as one: all, if different actions are proven to have
    different names. Else only those that leave the start as it is, since they lead from reachable positions to others.
    In an unreachable position two actions may have the same name, which is a fault, and symmetries are found without a
    look at names. (The mirror image of a board of draughts has men on squares without a number.)"""
    if found.order == 1 or _named_apart(game):
        return found
    leaving = tuple(one for one in generate_group(found.keeping, MOST_LEAVING) if one.image(start) == start)
    return Symmetries(leaving, (), len(leaving) + 1, len(leaving) + 1, found.missing)


def _named_apart(game: RulesGame) -> bool:
    """True if different actions are proven to have different names."""
    try:
        with engine_faults(game.name):
            return lower(game.model, game).names_differ
    except (Refusal, EngineFault):
        return False


def worthwhile_folding(search: KernelSearch, start: State, exchanging: bool) -> Folding:
    """The folding by those symmetries that map positions which play can reach to others which it can reach; with
    `exchanging`, also by symmetries that exchange the players."""
    found = usable_symmetries(find_symmetries(search.game.model, MOST_WORK), search.game, start)
    group = find_useful_symmetries(search.game, start, found.keeping, FEW_IMAGES) if found.keeping else ()
    larger = widen_by_exchange(group, found) if exchanging else group
    joins = exchanges(larger) and exchange_joins_states(search.game, start, search.engine, larger)
    return GroupFolding(larger if joins else group)


def retrograde_folding(game: RulesGame, start: State, engine: str) -> Folding:
    """The folding by the game's group of symmetries, with an exchange of the players if that joins states. Raises
    Refusal if there is no symmetry."""
    found = find_symmetries(game.model)
    if found.missing:
        raise Refusal(f"the symmetries of {clean(game.name)} cannot be told: {found.missing}")
    found = usable_symmetries(found, game, start)
    kept = generate_group(found.keeping, MOST_IMAGES)
    fair = not game.model.chances or game.model.forever is None or not any(game.model.forever)
    suits = len(game.players) == 2 and fair and found.kept <= MOST_IMAGES
    larger = widen_by_exchange(kept, found) if suits else kept
    if len(larger) > len(kept) and exchange_joins_states(game, start, engine, larger):
        return generated_folding((*found.keeping, larger[len(kept)]))
    if not found.keeping:
        raise Refusal(f"{clean(game.name)} has no symmetry that turns one of its positions into another")
    return generated_folding(found.keeping)


def exchange_joins_states(game: RulesGame, start: State, engine: str, symmetries: tuple[Symmetry, ...]) -> bool:
    """True if an exchange makes two states one among the first of play, or among the first that follow the middle of a
    random play. (Where players strictly take turns, and the board shows how many have been taken, it never does.)"""
    return any(_joins(game, state, engine, symmetries) for state in (start, _middle_state(game, start)))


def _joins(game: RulesGame, start: State, engine: str, symmetries: tuple[Symmetry, ...]) -> bool:
    with suppress(Refusal, GameError):
        search = Enumeration(game, start, engine, LOOKED_AT[engine], folding=GroupFolding(symmetries))
        with suppress(LimitReached):
            search.result()
        return search.has_joined_states
    return False


def _middle_state(game: RulesGame, start: State) -> State:
    """A state half way through one random play."""
    random, play = Generator(_SEED), [start]
    with suppress(GameError):
        while len(play) < LONGEST and not isinstance(node := game.node(play[-1]), Terminal):
            play.append(game.successor(play[-1], random_move(node, random)))
    return play[len(play) // 2]
