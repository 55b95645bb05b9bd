"""The intuitive criterion, word by word (Cho and Kreps, Signaling games and stable equilibria, Quarterly Journal of
Economics 102, 1987, section IV).

Chance draws a type, the sender, who knows it, sends a message, and the receiver replies. Let u*(t) be what type t gets
in the equilibrium. For each message m that no type sends in it, T the types that can send it:

1. J are the types of T for which u*(t) is more than the most that they can get by m, whatever reply the receiver gives
   that is best for some belief about T.
2. The equilibrium fails if some type t of T without J has u*(t) less than the least that it gets by m, whatever reply
   the receiver gives that is best for some belief about T without J.

A reply is best for some belief about a set of types just if no mixture of replies is better against every type of it
(Pearce, Econometrica 52, 1984, lemma 3), so a game of zero sum shows which are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.game import Chance, Decision, Number, Terminal, require_number
from gdl.solvers.verify.linear import matrix_game
from gdl.solvers.verify.position_graph import VerifierPositions
from gdl.solvers.verify.replies import Row, expectation
from gdl.solvers.verify.verdict import Unchecked

Messages = dict[int, dict[int, tuple[int, int]]]  # the receiver's set -> type -> the action, and where it leads


def intuitive_failures(positions: VerifierPositions, rows: Sequence[Row]) -> Iterator[str]:
    """The types that would gain by a message that is not sent and that would make them known, in words."""
    types, messages = _read_signals(positions)
    owner = {h: positions.information_sets[h].player for h in types}
    gets = {h: expectation(positions, tuple(rows), {at: 1})[owner[h]] for h, at in types.items()}
    for heard, sent in messages.items():
        if any(rows[h][k] for h, (k, _) in sent.items()):
            continue
        pays = {
            h: [_end(positions, after, reply) for reply in range(len(positions.information_sets[heard].actions))]
            for h, (_, after) in sent.items()
        }
        receiver = positions.information_sets[heard].player
        own = {h: [vector[1 - receiver] for vector in vectors] for h, vectors in pays.items()}
        replies = _best_for_some([[vector[receiver] for vector in vectors] for vectors in pays.values()])
        left = [h for h in sent if gets[h] <= max(own[h][reply] for reply in replies)]
        if not left:
            continue
        replies = _best_for_some([[vector[receiver] for vector in pays[h]] for h in left])
        for h in left:
            gain = min(own[h][reply] for reply in replies) - gets[h]
            if gain > 0:
                found = positions.information_sets[h]
                never = " and ".join(positions.information_sets[g].name for g in sent if g not in left) or "no type"
                yield (
                    f"{found.actions[sent[h][0]]}, which is not sent, would never pay {never}; "
                    f"{positions.players[found.player]} at {found.name} would gain {gain} at least by it"
                )


def _read_signals(positions: VerifierPositions) -> tuple[Mapping[int, int], Messages]:
    """The types (information set -> position), and the messages that the receiver hears. Raises Unchecked if the game
    is no signalling game."""
    start = positions.nodes[0]
    types = {positions.sets[at]: at for at in positions.successors[0] if isinstance(start, Chance)}
    sets = positions.information_sets
    if not types or None in types or any(sets[h].members != [at] for h, at in types.items() if h is not None):
        raise Unchecked("chance does not draw a type that the sender knows")
    if len(positions.players) != 2 or len({sets[h].player for h in types if h is not None}) > 1:
        raise Unchecked("there is not one sender and one receiver")
    messages: Messages = {}
    for h, at in types.items():
        assert h is not None
        for k, after in enumerate(positions.successors[at]):
            heard, node = positions.sets[after], positions.nodes[after]
            if heard is not None and h in messages.get(heard, {}):
                raise Unchecked("the receiver does not tell two messages of a type apart")
            if heard is not None and isinstance(node, Decision) and node.player != sets[h].player:
                messages.setdefault(heard, {})[h] = k, after
            elif not isinstance(node, Terminal):
                raise Unchecked("after a message the receiver does not always reply")
    return {h: at for h, at in types.items() if h is not None}, messages


def _end(positions: VerifierPositions, after: int, reply: int) -> tuple[Number, ...]:
    """The payoffs of both players after a reply to a message. Raises Unchecked if play goes on."""
    node = positions.nodes[positions.successors[after][reply]]
    if not isinstance(node, Terminal):
        raise Unchecked("play goes on after the receiver's reply")
    return tuple(map(require_number, node.utilities))


def _best_for_some(pays: Sequence[Sequence[Number]]) -> list[int]:
    """The replies, by number, that are best for some belief about types; `pays` has a row for each type, with the
    receiver's payoff for each reply."""
    replies = range(len(pays[0]))
    return [reply for reply in replies if matrix_game([[own[k] - own[reply] for own in pays] for k in replies])[0] <= 0]
