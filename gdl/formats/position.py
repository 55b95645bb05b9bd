"""A position as JSON: what `gdl show --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.errors import clean
from gdl.formats.answer import traits_record
from gdl.game import Chance, Decision, Game, Simultaneous, Terminal
from gdl.numbers import to_json


def to_object(game: Game[Any], state: Any) -> dict[str, Any]:
    """Of what kind the game is, how the position looks, and what can happen in it."""
    return {
        "game": game.name,
        "players": list(game.players),
        "traits": traits_record(game.traits).to_object(),
        "drawing": clean_lines(game.show(state)),
        **_turn(game.players, game.node(state)),
    }


def _turn(players: Sequence[str], node: Any) -> dict[str, Any]:
    """Whose turn it is, and what they can do: `mover` is a player, chance, everyone, or null at an end."""
    if isinstance(node, Terminal):
        utilities = zip(players, map(to_json, node.utilities), strict=True)
        return {"mover": None, "utilities": dict(utilities)}
    if isinstance(node, Chance):
        return {"mover": "chance", "outcomes": {name: to_json(share) for name, share in node.outcomes}}
    if isinstance(node, Simultaneous):
        choices = zip(players, node.actions, strict=True)
        return {"mover": "everyone", "choices": {player: list(actions) for player, actions in choices if actions}}
    assert isinstance(node, Decision)
    return {"mover": players[node.player], "actions": list(node.actions)}


def clean_lines(text: str) -> str:
    return "\n".join(map(clean, text.splitlines()))
