"""A position as a record: what `gdl show --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.errors import clean
from gdl.formats.answer import traits_record
from gdl.formats.answer_records import PositionAnswer
from gdl.game import Chance, Decision, Game, Simultaneous, Terminal


def position_record(game: Game[Any], state: Any, notation: str | None, table: str | None) -> PositionAnswer:
    """The record of a position: the kind of game, the drawing, what can happen next, the position in the game's
    notation, and the entry of a table of the solved game (None: no notation, no table)."""
    return PositionAnswer(
        game=game.name,
        players=game.players,
        traits=traits_record(game.traits),
        drawing=clean_lines(game.show(state)),
        notation=notation,
        table=table,
        **_turn(game.players, game.node(state)),
    )


def _turn(players: Sequence[str], node: Any) -> dict[str, Any]:
    """The fields on whose turn it is and what can be done: `mover` is a player, chance, everyone, or None at an end."""
    if isinstance(node, Terminal):
        return {"mover": None, "utilities": dict(zip(players, node.utilities, strict=True))}
    if isinstance(node, Chance):
        return {"mover": "chance", "outcomes": dict(node.outcomes)}
    if isinstance(node, Simultaneous):
        choices = zip(players, node.actions, strict=True)
        return {"mover": "everyone", "choices": {player: actions for player, actions in choices if actions}}
    assert isinstance(node, Decision)
    return {"mover": players[node.player], "actions": node.actions}


def clean_lines(text: str) -> str:
    return "\n".join(map(clean, text.splitlines()))
