"""A tree or a matrix as data for the page on which it is played: its nodes, and how often each move is made there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any

from gdl.errors import Refusal, clean
from gdl.game import Chance, Decision, Game, Terminal
from gdl.numbers import to_json
from gdl.playing.computer import ComputerSettings
from gdl.playing.judging import JudgingScale
from gdl.render.draw import draw
from gdl.render.picture import picture
from gdl.render.picture.unfold import UnfoldingNode, unfold
from gdl.render.svg.stage import stage
from gdl.solution import Profile
from gdl.states.explore import Walk
from gdl.states.sequential import Sequential

MOST_NODES = 1_000
SECONDS = 5.0  # for the solution by which the computer plays


def graph_data(game: Game[Any]) -> dict[str, Any]:
    """A tree or a matrix as data. Nodes are numbered as in the tree's picture; joint moves are made in turn, unseen.
    If nothing is hidden, a node has its value to everybody (`worth`).

    Raises Refusal where numbers are left open, or nodes are too many.
    """
    if game.traits.unknowns:
        raise Refusal(f"{clean(game.name)} has no page: it leaves numbers open; give them by --set")
    turns = Sequential(game) if game.traits.simultaneous else game
    places = unfold(turns, MOST_NODES, MOST_NODES)
    if any(place.folded for place in places):
        raise Refusal(f"{clean(game.name)} has no page: it has more than {MOST_NODES:,} nodes")
    solution = ComputerSettings(game, "auto", 0).try_solver(game, "auto", {"time": SECONDS})
    profile = {} if solution is None else solution.strategy or next(iter(solution.equilibria), {})
    nodes = list(_nodes(turns, places, profile))
    for node in reversed(nodes if turns.traits.perfect_information else ()):
        below = zip(*(nodes[child]["worth"] for child in node["to"]), strict=True)
        node.setdefault(
            "worth", [sum(map(mul, node["odds"], column)) / Fraction(sum(node["odds"])) for column in below]
        )
    for node, key in product(nodes, ("odds", "worth")):
        node[key] = list(map(to_json, node.get(key, ())))
    return {"players": game.players, "nodes": nodes, "variables": [], "types": [],
            "exact": bool(solution and solution.exact),
            "how": f"the solution of the whole game, by {solution.solver}" if solution else "at random"}  # fmt: skip


def graph_picture(game: Game[Any]) -> str:
    """The picture of the tree with its nodes numbered, or of the matrix."""
    return str(draw(game, blank=True)) if game.traits.simultaneous else stage(picture(game, blank=True))[0]


def graph_scale(game: Game[Any]) -> JudgingScale:
    """The scale for judging moves: the bounds of the utilities of all ends."""
    ends = [node.utilities for _, node, _, _ in Walk(game) if isinstance(node, Terminal)]
    bounds = tuple((float(min(column)), float(max(column))) for column in zip(*ends, strict=True))
    return JudgingScale(bounds, 0.0, bool(game.traits.chance))


def _nodes(game: Game[Any], places: Sequence[UnfoldingNode], profile: Profile) -> Iterator[dict[str, Any]]:
    for place in places:
        node, found = place.node, {"to": place.children}
        if isinstance(node, Terminal):
            yield found | {"worth": node.utilities}
        elif isinstance(node, Chance):
            moves, odds = zip(*node.outcomes, strict=True)
            yield found | {"player": None, "moves": moves, "odds": odds}
        else:
            assert isinstance(node, Decision)
            known = game.describe(place.state, node.player)
            mixture = profile.get(game.players[node.player], {}).get(known) or dict.fromkeys(node.actions, 1)
            odds = tuple(mixture.get(action, 0) for action in node.actions)
            known = "" if isinstance(game, Sequential) else known  # of moves at once there is nothing to say
            yield found | {"player": node.player, "known": known, "moves": node.actions, "odds": odds}
