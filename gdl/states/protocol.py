"""Checks of nodes and actions against the protocol of a game, and the faults that they find.

Numbers are exact, probabilities sum to one, actions are told apart by their names, and players are numbered from 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem, clean, count_text, listing, nearest
from gdl.errors.deadline import check_deadline
from gdl.game import Chance, Decision, Node, Rest, Simultaneous, Terminal, Traits, Unknown, actions

SHOWN = 120  # letters of what somebody wrote, in a message


class ProtocolFault(NamedTuple):
    """A breach of the protocol of games, with help on what would be right."""

    message: str
    help: str


def node_fault(node: Any, players: tuple[str, ...]) -> ProtocolFault | None:
    """The first breach of the protocol at a node; None if there is none."""
    match node:
        case Terminal(utilities):
            return vector_fault("utility", utilities, players)
        case Chance(outcomes):
            return _chance_fault(outcomes)
        case Decision(player, offered):
            if not isinstance(player, int) or not 0 <= player < len(players):
                return ProtocolFault(
                    f"there is no player {short_repr(player)}", f"number the players from 0 to {len(players) - 1}"
                )
            return _actions_fault(offered) or (None if offered else _NO_ACTIONS)
        case Simultaneous(choices):
            if not isinstance(choices, tuple) or len(choices) != len(players):
                help = "write one per player, () for who has no choice"
                return ProtocolFault("not every player has a tuple of actions", help)
            return _first_fault(_actions_fault(offered) for offered in choices)
    return ProtocolFault("this is no node", "give a Terminal, Chance, Decision or Simultaneous of gdl.game")


def vector_fault(what: str, numbers: Any, players: tuple[str, ...]) -> ProtocolFault | None:
    """The fault of a vector that should have one number of a kind for each player; None if it has none."""
    check_deadline()
    if not isinstance(numbers, tuple) or len(numbers) != len(players):
        found = count_text(len(numbers), "number") if isinstance(numbers, tuple) else "no tuple"
        return ProtocolFault(
            f"{found} for {count_text(len(players), 'player')}", "write a tuple with one number per player"
        )
    return _first_fault(_number_fault(what, number) for number in numbers)


def probabilities_fault(probabilities: list[Any]) -> ProtocolFault | None:
    """The fault of the probabilities of a chance node; None if they have none. Where some are unknown, one may be what
    they leave over."""
    fault = _first_fault(_number_fault("probability", each) for each in probabilities)
    if fault or any(isinstance(each, Unknown | Rest) for each in probabilities):
        return fault
    if min(probabilities) < 0:
        return ProtocolFault(f"a probability is {min(probabilities)}", "write none that is negative")
    total = sum(probabilities)
    return None if total == 1 else ProtocolFault(f"the probabilities sum to {total}", "let them sum to 1")


def claim_fault(node: Node, traits: Traits) -> ProtocolFault | None:
    """The fault of a node that contradicts the traits of its game; None if it does not."""
    if isinstance(node, Chance) and traits.chance is False:
        return ProtocolFault("chance moves here, and the traits say that it never does", "let them say chance=True")
    if isinstance(node, Simultaneous) and traits.simultaneous is False and sum(map(bool, node.actions)) > 1:
        help = "let them say simultaneous=True and perfect_information=False"
        return ProtocolFault("several players move at once here, and the traits say that they never do", help)
    numbers = node.utilities if isinstance(node, Terminal) else ()
    if traits.constant_sum is None or not numbers or any(isinstance(number, Unknown) for number in numbers):
        return None
    total = sum(number for number in numbers if not isinstance(number, Unknown))
    if total == traits.constant_sum:
        return None
    message = f"the utilities sum to {total} here, and the traits say that they always sum to {traits.constant_sum}"
    return ProtocolFault(message, "let them say zero_sum=False and constant_sum=None, or correct the utilities")


def has(node: Node, action: object) -> bool:
    """True if the action, or joint action, is one of the node's."""
    if not isinstance(node, Simultaneous):
        return action in actions(node)
    if not isinstance(action, tuple) or len(action) != len(node.actions):
        return False
    return all(own in (offered or ("",)) for own, offered in zip(action, node.actions, strict=True))


def no_action(node: Node, action: object) -> GameError:
    """The error for an action that the node does not have."""
    if isinstance(node, Terminal):
        return GameError(Problem(f"there is no action {short_repr(action)}: play is over here"))
    if isinstance(node, Simultaneous):
        right = tuple(offered[0] if offered else "" for offered in node.actions)
        help = f"write a tuple with one action per player, such as {short_repr(right)}"
        return GameError(Problem(f"there is no joint action {short_repr(action)} here", help=help))
    there = actions(node)
    near = nearest(action, there) if isinstance(action, str) else None
    help = f"write {near!r}" if near else f"there {'is' if len(there) == 1 else 'are'} {listing(map(clean, there))}"
    return GameError(Problem(f"there is no action {short_repr(action)} here", help=help))


def short_repr(what: object) -> str:
    """The repr of a value, cut to fit into a message."""
    text = repr(what)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


_NO_ACTIONS = ProtocolFault("there are no actions", "give a Terminal where play is over")


def _first_fault(found: Any) -> ProtocolFault | None:
    return next(filter(None, found), None)


def _chance_fault(outcomes: Any) -> ProtocolFault | None:
    if not isinstance(outcomes, tuple) or not all(isinstance(each, tuple) and len(each) == 2 for each in outcomes):
        return ProtocolFault("the outcomes are no pairs", "write a tuple of pairs: (('heads', Fraction(1, 2)), …)")
    if not outcomes:
        return _NO_ACTIONS
    return _actions_fault(tuple(name for name, _ in outcomes)) or probabilities_fault([each for _, each in outcomes])


def _actions_fault(offered: Any) -> ProtocolFault | None:
    if not isinstance(offered, tuple):
        return ProtocolFault("the actions are no tuple", "write a tuple of names: ('left', 'right')")
    strange = next((action for action in offered if not isinstance(action, str)), None)
    if strange is not None:
        return ProtocolFault(f"the action {short_repr(strange)} is no text", f"name it: {short_repr(str(strange))}")
    if len(set(offered)) < len(offered):
        double = next(action for number, action in enumerate(offered) if action in offered[:number])
        return ProtocolFault(f"two actions are called {short_repr(double)}", "give each a name of its own")
    return None


def _number_fault(what: str, number: Any) -> ProtocolFault | None:
    if isinstance(number, int | Fraction | Unknown | Rest):
        return None
    if isinstance(number, float) and number - number == 0:
        exact = Fraction(repr(number))
        right = str(exact.numerator) if exact.denominator == 1 else f"Fraction({exact.numerator}, {exact.denominator})"
        return ProtocolFault(f"a {what} is the float {number!r}, and gdl computes with exact numbers", f"write {right}")
    return ProtocolFault(f"a {what} is {short_repr(number)}, which is no exact number", "write an int or a Fraction")
