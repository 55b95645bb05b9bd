"""Games of signals: chance draws a type, a sender who knows it sends a message, and a receiver who hears that replies.

The intuitive criterion (Cho and Kreps 1987) asks of an equilibrium, for each message that is not sent in it:

1. A type would never send it if even the best that the receiver could reasonably do is worse than what the type gets:
   reasonably, that is best for some belief about the types that can send the message.
2. If then some other type would be better off by sending it, whatever the receiver does that is best for some belief
   about the types that are left, the equilibrium fails.

Source: Cho and Kreps, Signaling games and stable equilibria, Quarterly Journal of Economics 102, 1987.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gdl.errors import Refusal
from gdl.game import Chance, Number, Terminal, exact, require_number
from gdl.numbers import brief
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import Row
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.regret import expectation
from gdl.wings.theory.beliefs.consistency import Failure
from gdl.wings.theory.beliefs.supports import best_somewhere


class Message(NamedTuple):
    """A message: the actions that send it, by the type's information set, and the information set where the receiver
    hears it (None if play ends with the message)."""

    sent: Mapping[int, int]  # information set of the type -> position of the action
    heard: int | None


@dataclass(frozen=True)
class Signals:
    """A game of signals. `types` are the sender's information sets, each with its position and the probability of the
    type."""

    positions: PositionGraph
    sender: int
    types: Mapping[int, tuple[int, Number]]
    messages: tuple[Message, ...]


def signals(positions: PositionGraph) -> Signals:
    """The game read as a game of signals. Raises Refusal, with the reason, if it is none."""
    start = positions.nodes[0]
    if len(positions.players) != 2:
        raise _no_signals(positions, f"it has {len(positions.players)} players, not two")
    if not isinstance(start, Chance):
        raise _no_signals(positions, "it does not begin with chance, which would draw the sender's type")
    types: dict[int, tuple[int, Number]] = {}
    for position, (_, share) in zip(positions.successors[0], start.outcomes, strict=True):
        h = positions.sets[position]
        if h is None:
            raise _no_signals(positions, "after chance there is not always a decision")
        if positions.information_sets[h].members != (position,):
            raise _no_signals(positions, "who moves first does not know what chance drew")
        types[h] = (position, share)
    senders = {positions.information_sets[h].player for h in types}
    if len(senders) > 1:
        raise _no_signals(positions, "not always the same player moves first")
    sender = senders.pop()
    heard: dict[int, dict[int, int]] = {}
    alone: list[Message] = []
    for h, (position, _) in types.items():
        for k, after in enumerate(positions.successors[position]):
            reply = positions.sets[after]
            if isinstance(positions.nodes[after], Terminal):
                alone.append(Message({h: k}, None))
            elif reply is None or positions.information_sets[reply].player == sender:
                raise _no_signals(positions, "after a message the receiver does not always reply")
            elif h in heard.setdefault(reply, {}):
                raise _no_signals(positions, "the receiver does not tell two messages of a type apart")
            else:
                heard[reply][h] = k
    for reply in heard:
        for member in positions.information_sets[reply].members:
            if any(not isinstance(positions.nodes[end], Terminal) for end in positions.successors[member]):
                raise _no_signals(positions, "play goes on after the receiver's reply")
    messages = [Message(sent, reply) for reply, sent in sorted(heard.items())]
    return Signals(positions, sender, types, (*messages, *alone))


def _no_signals(positions: PositionGraph, why: str) -> Refusal:
    return Refusal(
        "the intuitive criterion is for games of signals (chance draws a type, the one player who knows it sends a "
        f"message, the other replies); {positions.game} is none: {why}"
    )


def unintuitive(game: Signals, rows: Sequence[Row]) -> Iterator[Failure]:
    """For each message that is not sent, the first type that could make itself known by it and gain, if there is
    one: its information set, the message, and the least gain."""
    sets = game.positions.information_sets
    now = {h: expectation(game.positions, tuple(rows), {game.types[h][0]: 1})[game.sender] for h in game.types}
    for message in game.messages:
        if message.heard is None or any(rows[h][k] for h, k in message.sent.items()):
            continue
        replies = _reasonable_replies(game, message, list(message.sent))
        could = {h: max(_gets(game, message, h, reply) for reply in replies) for h in message.sent}
        left = [h for h in message.sent if could[h] >= now[h]]
        replies = _reasonable_replies(game, message, left) if left else []
        for h in left:
            gain = exact(min(_gets(game, message, h, reply) for reply in replies) - now[h])
            if gain > 0:
                action, who = sets[h].actions[message.sent[h]], game.positions.players[game.sender]
                others = " and ".join(sets[g].name for g in message.sent if g not in left) or "no type"
                words = (
                    f"{action}, which is not sent, would never pay {others}; {who} at {sets[h].name} would gain "
                    f"{brief(gain)} at least by it, being believed to be among the types that are left"
                )
                yield Failure("intuitive criterion", h, action, gain, words)
                break


def _gets(game: Signals, message: Message, h: int, reply: int, player: int | None = None) -> Number:
    """The payoff of the player (None: the sender) if a type sends the message and gets this reply."""
    after = game.positions.successors
    end = game.positions.nodes[after[after[game.types[h][0]][message.sent[h]]][reply]]
    assert isinstance(end, Terminal)
    return require_number(end.utilities[game.sender if player is None else player])


def _reasonable_replies(game: Signals, message: Message, types: Sequence[int]) -> list[int]:
    """The replies that are best for some belief about these types."""
    assert message.heard is not None
    found = game.positions.information_sets[message.heard]
    worths = [[_gets(game, message, h, reply, found.player) for h in types] for reply in range(len(found.actions))]
    return [reply for reply in range(len(found.actions)) if best_somewhere(worths, (reply,), Budget())]
