"""gdl show."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.format_option import format_of, put, takes_format
from gdl.commands.game_argument import takes_game, takes_table
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, keeps_limits
from gdl.errors import clean
from gdl.model.games import MatrixModel, Model, RulesModel, TreeModel
from gdl.playing.loading import Asked
from gdl.render.formats import POSITIONS, Format, run_writer
from gdl.states.sequential import Turn

if TYPE_CHECKING:
    from gdl.formats.answer_records import PositionAnswer


@click.command(cls=Command)
@click.option("--all", "every", is_flag=True, help="List every action, however many there are.")
@click.option("--notation", is_flag=True, help="Write the position in the game's own notation.")
@click.option("--source", is_flag=True, help="Print the rules in one file, with all that they are made from.")
@click.option("--normal-form", is_flag=True, help="Print the table of all plans, and what they pay.")
@click.option("--reduced", is_flag=True, help="The same for reduced plans, silent about sets that they never reach.")
@takes_format(POSITIONS)
@console.takes_json("Print the position as one JSON object.")
@keeps_limits("time", "memory", usual=LOOKING)
@takes_game
@takes_table("Show what the table of the solved game in this folder says about the position.")
def show(
    asked: Asked,
    every: bool,
    notation: bool,
    source: bool,
    normal_form: bool,
    reduced: bool,
    output: str | None,
    form: str | None,
    table: Path | None,
) -> None:
    """Draw a game's position.

    Says what kind of game it is, draws the position, and lists the actions. A tree is drawn whole, a matrix as its
    table. With -o the position of a game by rules is a picture: boards of squares and hexagons, graphs as points and
    edges.
    """
    from gdl.render.position_text import ACTIONS, matrix_text, tree_text, turn_text
    from gdl.render.text import traits_text

    game, model = asked.game, asked.loaded.model
    start = game.initial()
    if output is not None or form is not None:
        rest = {"normal-form": normal_form, "reduced": reduced, "json": console.is_json(), "table": table}
        refuse_clashes("show", {"picture": True, "notation": notation, "source": source, **rest})
        return put(_picture(asked, start, format_of(POSITIONS, output, form, "svg")), output)
    if source:
        from gdl.render.source import source_text

        text = "\n".join(map(clean, source_text(asked.loaded.description, asked.by.variant).splitlines()))
        from gdl.formats.answer_records import SourceAnswer

        return console.answer_as(lambda: SourceAnswer(game.name, text + "\n"), lambda: text)
    if normal_form or reduced:
        from gdl.playing.normal_form import normal_form_record, normal_form_text

        data = partial(normal_form_record, game, reduced)
        return console.answer_as(data, partial(normal_form_text, game, reduced))
    kept = ""
    if table is not None:
        kept = wings.hook("show --table")(game, table)
    if console.is_json():
        return console.answer_json(_position_record(asked, start, kept or None))
    if notation:
        return console.answer(clean(_notation_text(model, start)))
    console.answer(clean(f"{game.name}: {traits_text(game.traits)}"))
    console.answer("")
    if isinstance(model, MatrixModel) and not start:
        console.answer(matrix_text(model))
    elif isinstance(model, TreeModel):
        console.answer(tree_text(game))
    else:
        drawn = [*map(clean, game.show(start).splitlines()), ""]
        console.answer("\n".join([*drawn, turn_text(game, start, sys.maxsize if every else ACTIONS)]))
    if kept:
        console.answer("\n" + kept)
    return None


def _picture(asked: Asked, start: Any, format: Format) -> str | bytes:
    """The position as a picture."""
    model = asked.loaded.model
    if not isinstance(model, RulesModel):
        raise WrongCommand(
            f"{clean(model.name)} has no position to be drawn",
            help="gdl draw FILE -o PICTURE.svg draws trees and matrices",
        )
    cells = (start.state if isinstance(start, Turn) else start).cells
    return run_writer(format, format.position, model, cells, model.name)


def _position_record(asked: Asked, start: Any, table: str | None) -> PositionAnswer:
    """The record of the position, with its notation if the game declares one."""
    from gdl.formats.answer import position_record

    model = asked.loaded.model
    written = isinstance(model, RulesModel) and model.notation is not None
    return position_record(asked.game, start, _notation_text(model, start) if written else None, table)


def _notation_text(model: Model, state: Any) -> str:
    """The position in the game's notation. Raises WrongCommand if the game declares none."""
    from gdl.interpreter.position import text_of

    if not isinstance(model, RulesModel) or model.notation is None:
        raise WrongCommand(f"{clean(model.name)} declares no notation for positions")
    return text_of(model, state.state if isinstance(state, Turn) else state)
