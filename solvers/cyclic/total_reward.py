"""The conditions under which the total of all gains is a number: play without end has a price, and nobody gains for
ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from gdl.errors import Refusal
from gdl.game import Game, Node, Number, exact, require_number
from gdl.numbers import brief
from gdl.solvers.cyclic.gain_and_bias import GainAndBias, Way, recurrent_classes
from gdl.states.explore import move_text, moves


def endless_prices(
    game: Game[Any], max_player: int, ways: Mapping[int, Sequence[Way]]
) -> tuple[tuple[Number, ...], tuple[str, ...]]:
    """The price of endless play to MAX, and no note. If the file names none, two prices far below and above all totals,
    with a note for the answer that is the same for both."""
    price = game.promises.forever
    if price is not None:
        return (require_number(price[max_player]),), ()
    gains = [abs(Fraction(gain)) for own in ways.values() for gain, _ in own]
    most = len(ways) * exact(max([Fraction(1), *gains]))
    note = f"the file puts no price on endless play; none from {-most} to {most} changes the value"
    return (-most, most), (note,)


def refuse_endless_gain(
    game: Game[Any], max_player: int, found: GainAndBias, nodes: Sequence[Node], children: Sequence[Sequence[int]]
) -> None:
    """Raises Refusal, with a play that shows it, if best play from the start can come to a loop in which somebody gains
    for ever."""
    taken = found.ways_taken()
    gaining = {n for members in recurrent_classes(taken) for n in members if found.values[n][0]}
    after = {n: [m for _, m in leads] for n, (_, leads) in taken.items()}
    before = _shortest_way(after, 0, gaining)
    if before is None:
        return
    at = before[-1]
    loop = _shortest_way(after, at, {at}, moved=True)
    gain = found.values[at][0]
    each = brief(exact(abs(Fraction(gain))))
    alone = len(game.players) == 1
    player = game.players[max_player if gain > 0 or alone else 1 - max_player]
    what = "gains" if gain > 0 or not alone else "cannot but lose"
    way = f"after {_play_text(before, nodes, children)}, " if len(before) > 1 else ""
    raise Refusal(
        f"there is no total in {game.name}: by best play {player} {what} {each} a move on average for ever; "
        f"{way}{_play_text(loop or [], nodes, children)} leads back to the same position; write a discount, as in "
        "`discount 9/10`, or let such play end"
    )


def _shortest_way(
    after: Mapping[int, Sequence[int]], start: int, goals: set[int], moved: bool = False
) -> list[int] | None:
    """The positions on a shortest way from the start to a goal; if `moved`, by at least one move. None if there is
    none."""
    if start in goals and not moved:
        return [start]
    ways = {start: [start]}
    queue = [start]
    for n in queue:  # grows while it is walked
        for m in after[n]:
            if m in goals:
                return [*ways[n], m]
            if m not in ways:
                ways[m] = [*ways[n], m]
                queue.append(m)
    return None


def _play_text(way: Sequence[int], nodes: Sequence[Node], children: Sequence[Sequence[int]]) -> str:
    """The moves from each of these positions to the next, as text; chance where several outcomes lead there is named by
    the first."""
    return " ".join(move_text(moves(nodes[n])[list(children[n]).index(m)]) for n, m in pairwise(way))
