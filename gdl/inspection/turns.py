"""A player who never has a turn."""

from __future__ import annotations

from collections.abc import Iterator

from gdl import syntax
from gdl.errors import GameError, Problem, clean
from gdl.errors.courtesy import Courtesy
from gdl.game import Terminal
from gdl.inspection.met import WalkFindings
from gdl.model.games import RulesModel
from gdl.states.explore import choosers
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator

PLIES = 1_000  # that are played at random, where the walk met no turn of somebody


def never_moving(met: WalkFindings) -> Iterator[Problem]:
    """A player of a game by rules who never has a turn, though others have several. (Of a tree the checker tells.)"""
    moving = {player for expansion in met.expansions for player in choosers(expansion.node)}
    if not isinstance(met.model, RulesModel) or not moving or len(moving) == len(met.game.players):
        return
    try:
        several = _at_random(met, moving)
    except GameError:
        return  # a fault of the rules that the walk did not come to
    span = next((section.span for section in met.sections(syntax.Players)), None)
    for number, name in enumerate(map(clean, met.game.players)):
        if several and number not in moving:
            help = f"say by 'next' when it is {name}'s turn; after a chance step, who moved before it goes on"
            yield Problem(f"{name} never moves", span, help=help, warning=True)


def _at_random(met: WalkFindings, moving: set[int]) -> bool:
    """Add the players who move in some plays at random; whether one of these ends after several turns. Where the rules
    are so slow that few are played, nothing is said."""
    game, random, several, clock = met.game, Generator(0), False, Courtesy()
    plies = 0
    while plies < PLIES:
        state, turns = game.initial(), 0
        while not isinstance(node := game.node(state), Terminal) and plies < PLIES:
            moving |= set(choosers(node))
            turns += bool(choosers(node))
            state = game.successor(state, random_move(node, random))
            plies += 1
            if clock.is_over:
                return False
        several |= turns > 1 and isinstance(node, Terminal)
        plies += 1
    return several
