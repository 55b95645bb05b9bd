"""The wall of pictures on the site's first page: each game with its kind, its players and the minutes that it takes."""

from __future__ import annotations

import csv
import html
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from gdl.errors import clean
from gdl.game import Chance, Decision, actions
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.interpreter.things import kinds
from gdl.model.appearance import present_model
from gdl.model.games import MatrixModel, RulesModel, TreeModel
from gdl.render.boards_data import boards_data, variables_on_boards
from gdl.render.svg.board_picture import svg_position
from gdl.wings.page.play_page import graph_picture
from gdl.wings.page.playground import site_file

PLIES = 8  # made at random before a picture is taken, so that something has happened on it
KINDS = ("board", "cards", "dice", "numbers", "theory")


class WallGame(NamedTuple):
    """A game of the wall: the name of its page, its title, what its file says of it, one of KINDS, the number of its
    players, and the minutes that people need ("": nobody has said)."""

    name: str
    title: str
    about: str
    kind: str
    players: int
    minutes: str


@cache
def _minutes_by_game() -> dict[str, str]:
    return {row["game"]: row["minutes"] for row in csv.DictReader(site_file("minutes.csv").splitlines())}


def describe_game(name: str, model: RulesModel | TreeModel | MatrixModel, about: str) -> WallGame:
    """The game as the wall tells of it."""
    return WallGame(name, clean(model.name), about, _kind(model), len(model.players), _minutes_by_game().get(name, ""))


def _kind(model: RulesModel | TreeModel | MatrixModel) -> str:
    if not isinstance(model, RulesModel):
        return "theory"
    shown = present_model(model)
    boards = boards_data(shown, id)
    looks = {kind.look for kind in kinds(shown, *variables_on_boards(shown, boards))}
    return "board" if boards else next((kind for kind in ("dice", "cards") if kind in looks), "numbers")


def game_picture(name: str, model: RulesModel | TreeModel | MatrixModel) -> str:
    """A picture of the game after some plies at random, or of its tree or matrix, as SVG."""
    if not isinstance(model, RulesModel):
        return graph_picture(TreeGame(model) if isinstance(model, TreeModel) else MatrixGame(model))
    game = playable(model)
    state = _played(game, Random(name))
    node = game.node(state)
    return svg_position(model, game.visible_cells(state, node.player if isinstance(node, Decision) else 0), name)


def _played(game: RulesGame, chance: Random) -> Any:
    """The state after some plies, at which somebody chooses."""
    state = reached = game.initial()
    for _ in range(2 * PLIES):
        node = game.node(state)
        if not isinstance(node, Decision | Chance):
            break
        state = game.successor(state, chance.choice(actions(node)))
        if isinstance(game.node(state), Decision):
            reached = state
    return reached


def wall_html(games: Sequence[WallGame]) -> str:
    """The wall: a search, choices of kind, players and minutes, and a picture of each game that leads to its page."""
    players = sorted({game.players for game in games})
    choices = [
        _choice_html("kind", "Kind", [(kind, kind) for kind in KINDS if any(game.kind == kind for game in games)]),
        _choice_html("players", "Players", [(str(count), str(count)) for count in players]),
        _choice_html("minutes", "Minutes", [(str(most), f"up to {most}") for most in (5, 15, 30)]),
    ]
    ordered = sorted(games, key=lambda game: game.title.lower())
    find = '<label>Find a game <input type="search" id="find" autocomplete="off"></label>'
    return (
        f'<form id="choose" class="row" role="search">{find}{"".join(choices)}</form><p id="none" role="status" hidden>'
        f'No game fits.</p><ul class="wall">{"".join(map(_tile_html, ordered))}</ul>'
    )


def _choice_html(name: str, label: str, values: Sequence[tuple[str, str]]) -> str:
    options = "".join(f'<option value="{value}">{text}</option>' for value, text in values)
    return f'<label>{label} <select name="{name}"><option value="">any</option>{options}</select></label>'


def _tile_html(game: WallGame) -> str:
    people = f"{game.players} player{'s' * (game.players != 1)}"
    said = ", ".join([people, *([f"{game.minutes} min"] if game.minutes else [])])
    about = html.escape(game.about, quote=True)
    data = f'data-kind="{game.kind}" data-players="{game.players}" data-minutes="{game.minutes}" data-about="{about}"'
    picture = f'<img src="games/pictures/{game.name}.svg" alt="" loading="lazy" width="160" height="160">'
    link = f'<a href="games/{game.name}.html">{picture}<b>{html.escape(game.title)}</b></a>'
    return f"<li {data}>{link}<small>{said}</small></li>"
