"""gdl show."""

from __future__ import annotations

import click

from gdl.commands import telling
from gdl.commands.asking import Asked, takes_game
from gdl.errors import clean


@click.command()
@takes_game
def show(asked: Asked) -> None:
    """Draw a game's position.

    Says what kind of game it is, draws the position, and lists what can be done there. A tree is drawn whole, a matrix
    as its table.
    """
    from gdl.model import MatrixModel, TreeModel
    from gdl.render.position import matrix_text, tree_text, turn_text
    from gdl.render.text import traits_text

    game, model = asked.game, asked.loaded.model
    start = game.initial()
    telling.answer(clean(f"{game.name}: {traits_text(game.traits)}"))
    telling.answer("")
    if isinstance(model, MatrixModel) and not start:
        telling.answer(matrix_text(model))
    elif isinstance(model, TreeModel):
        telling.answer(tree_text(game))
    else:
        drawn = [*map(clean, game.show(start).splitlines()), ""]
        telling.answer("\n".join([*drawn, turn_text(game, start)]))
