"""Shipped games, begun at positions; those of backgammon are a variant that is added to the game's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gdl import loads, read
from gdl.game import Game


def play(
    name: str, variant: str | None = None, more: str = "", position: str | None = None, **settings: object
) -> Game[Any]:
    """The shipped game with the sections `more` added to its file, in this variant and at this position."""
    text, shown = read(name)
    values = {k: str(v) for k, v in settings.items()}
    return loads(f"{text}\n{more}", shown, settings=values, variant=variant, position=position).game


def backgammon(position: Mapping[str, Any]) -> Game[Any]:
    """Backgammon with the men at the places that `position` names; White moves up, and the dice have been rolled."""
    rows = []
    for side in ("up", "down"):
        men = [0] * 26
        for point, count in position[f"{side}_player"].items():
            men[int(point) if side == "up" else 25 - int(point)] = count
        men[0] = position.get("bar", {}).get(side, 0)
        men[25] = position.get("off", {}).get(side, 0)
        rows.append(" ".join(map(str, men)))
    first, second = sorted(int(die) for die in position["roll"].split("-"))
    dice = [0 if n not in (first, second) else 4 if first == second else 1 for n in range(1, 7)]
    return play("backgammon", "position", f"""
variant position
    setup men
        {_lines(rows)}
    setup dice
        {" ".join(map(str, dice))}
    start {"White" if position["to_move"] == "up" else "Black"}
""")  # fmt: skip


def _lines(rows: Any) -> str:
    return "\n        ".join(rows)
