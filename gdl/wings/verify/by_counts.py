"""Players who are alike and all play the same mixture, judged by counts: what an action pays depends on how many others
take each. The counts are summed up by the multinomial theorem, so that nothing is listed for single players."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from gdl.game import Game, exact
from gdl.solution import Profile
from gdl.states.game_wrapper import innermost_game
from gdl.wings.verify.replies import Judgement, read_row

MOST_COUNTS = 20_000  # ways to count the others


def judge_by_counts(game: Game[Any], profile: Profile) -> Judgement | None:
    """The payoffs of a profile in which all do the same, and the gains by leaving it; None of other games."""
    graph: Any = getattr(innermost_game(game, game.initial())[0], "graph", None)
    if not getattr(graph, "are_alike", False):
        return None
    rows = [list(profile.get(player, {}).items()) for player in game.players]
    if any(len(own) != 1 or own[0][1] != rows[0][0][1] for own in rows):
        return None
    ((name, row),) = rows[0]
    nodes = graph.choices[0][0]
    mixture = read_row([graph.nodes[node] for node in nodes], row, name)
    played = [(node, Fraction(x)) for node, x in zip(nodes, mixture, strict=True) if x]
    others = len(game.players) - 1
    if comb(others + len(played) - 1, others) > MOST_COUNTS:
        return None
    pays = dict.fromkeys(nodes, Fraction(0))
    for counts, share in _counts_of(played, others):
        for node in nodes:
            pays[node] += share * graph.payoff(node, {**counts, node: counts.get(node, 0) + 1})
    mean = sum((x * pays[node] for node, x in played), Fraction(0))
    gain = exact(max(pays.values()) - mean)
    return Judgement((exact(mean),) * len(game.players), (gain,) * len(game.players))


def _counts_of(played: list[tuple[int, Fraction]], left: int) -> Iterator[tuple[dict[int, int], Fraction]]:
    """How often the nodes are taken by so many players, with the chance of that."""
    (node, x), *rest = played
    if not rest:
        yield {node: left}, x**left
        return
    for times in range(left + 1):
        ways = comb(left, times) * x**times
        for counts, share in _counts_of(rest, left - times):
            yield {node: times, **counts}, ways * share
