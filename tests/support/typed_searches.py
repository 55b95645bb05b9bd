"""Searches with plain types, as one writes them without looking anything up; strict type checkers pass them."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cache

import gdl
from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal


def utilities(game: Game[Hashable], state: Hashable) -> tuple[int | Fraction, ...]:
    """Everybody's utility, if all play well."""
    match game.node(state):
        case Terminal(paid):
            return paid
        case Decision(player, actions):
            return max((utilities(game, game.successor(state, a)) for a in actions), key=lambda own: own[player])
        case _:
            raise NotImplementedError


def minimax(game: Game[Hashable]) -> Number:
    """The first player's value, with chance."""

    @cache
    def value(state: Hashable) -> Number:
        match game.node(state):
            case Terminal(paid):
                return paid[0]
            case Decision(0, actions):
                return max(value(game.successor(state, a)) for a in actions)
            case Decision(_, actions):
                return min(value(game.successor(state, a)) for a in actions)
            case Chance(outcomes):
                return sum(chance * value(game.successor(state, outcome)) for outcome, chance in outcomes)
            case Simultaneous():
                raise NotImplementedError

    return value(game.initial())


def alpha_beta(game: Game[bytes], state: bytes, alpha: float, beta: float) -> float:
    """The first player's value, as far as it lies in the window."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return float(node.utilities[0])
    assert isinstance(node, Decision)
    for action in node.actions:
        value = alpha_beta(game, game.successor(state, action), alpha, beta)
        alpha, beta = (max(alpha, value), beta) if node.player == 0 else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return alpha if node.player == 0 else beta


def first_value(game: str, nodes: int) -> int | Fraction | float | None:
    """The first player's value, if it is found within so many nodes."""
    answer = gdl.solve(game, nodes=nodes)
    return None if answer.value is None else answer.value[answer.players[0]]
