"""Games, graphs and answers that draw themselves in Jupyter, in the same pictures as `gdl draw`.

`enable` tells IPython how to show our types; `import gdl` calls it where IPython is already there. Nothing is added to
the types themselves, so nothing below knows of notebooks. `drawn(game, solution)` is a picture of both together.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from gdl.errors import GameError, Refusal
from gdl.game import Game
from gdl.solution import Solution

_LARGEST = 2_000_000  # characters of a picture; a larger one would choke the notebook
_GAMES = (  # by module and name, so that none is imported before it is used
    "gdl.interpreter.explicit_game.TreeGame", "gdl.interpreter.explicit_game.MatrixGame",
    "gdl.interpreter.rules_game.RulesGame", "gdl.interpreter.position.Continuation", "gdl.states.sequential.Sequential",
    "gdl.graph.GraphGame",
)  # fmt: skip
_GRAPHS = ("networkx.classes.digraph.DiGraph", "networkx.classes.multidigraph.MultiDiGraph")
_ANSWERS = ("gdl.solution.Solution", "gdl.adapters.python.Answer")
_KINDS = ("image/svg+xml", "text/html", "text/markdown")


@dataclass(frozen=True)
class NotebookPicture:
    """A game with an answer, drawn wherever a notebook shows it. `options` are those of gdl.render.draw.draw."""

    game: Game[Any]
    solution: Solution | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def _repr_svg_(self) -> str | None:
        return game_svg(self.game, self.solution, **self.options)

    def _repr_html_(self) -> str | None:
        return _wrap_in_frame(self._repr_svg_())

    def _repr_markdown_(self) -> str | None:
        return game_markdown(self.game, self.solution, **self.options)


def drawn(game: Game[Any], solution: Solution | None = None, **options: Any) -> NotebookPicture:
    """Draw a game and its answer in a notebook.

    Args:
        game: the game.
        solution: an answer for it; None draws the game alone.
        options: those of `gdl.render.draw.draw`, such as `bounds="nodes"`.

    Returns:
        An object that Jupyter shows as a picture.

    Example:
        >>> import gdl
        >>> from gdl.render.notebook import drawn
        >>> game = gdl.load("figure_5_2")
        >>> drawn(game, gdl.solve(game))._repr_svg_()[:4]
        '<svg'
    """
    return NotebookPicture(game, solution, options)


def game_svg(game: Game[Any], solution: Solution | None = None, **options: Any) -> str | None:
    """The picture of the game, with the solution on it if given; None if none can be drawn, then the notebook shows the
    game's text."""
    return _text(game, solution, "svg", options)


def game_markdown(game: Game[Any], solution: Solution | None = None, **options: Any) -> str | None:
    """The game as text; a matrix as a table."""
    from gdl.render.matrix import matrix, one_shot
    from gdl.render.matrix_text import markdown

    utilities = one_shot(game)
    if utilities is not None:
        return markdown(matrix(game, utilities, solution))
    return _fence_text(_text(game, solution, "txt", options))


def graph_svg(graph: Any) -> str | None:
    """The picture of a state graph; None for a networkx graph that was not made by gdl."""
    from gdl.render.svg.states import svg_states

    return _fitting(_graph_text(graph, svg_states))


def graph_markdown(graph: Any) -> str | None:
    """The text of a state graph; None for a networkx graph that was not made by gdl."""
    from gdl.render.tree_text import states_text

    return _fence_text(_graph_text(graph, states_text))


def _graph_text(graph: Any, write: Callable[..., str]) -> str | None:
    from gdl.render.picture.states import state_picture

    is_ours = "players" in graph.graph and len(graph)
    on_boards = any("\n" in str(data.get("state") or "") for _, data in graph.nodes(data=True))  # no mere names
    return write(state_picture(graph, show=on_boards)) if is_ours else None


def answer_html(answer: Solution) -> str:
    """The answer in words, below the picture of its game if the answer refers to it."""
    return (_wrap_in_frame(answer_svg(answer)) or "") + f"<pre>{html.escape(_words(answer))}</pre>"


def answer_svg(answer: Any) -> str | None:
    """The picture of the game of a `gdl.Answer` with the answer on it; None for an answer that does not refer to its
    game."""
    return game_svg(answer.of, answer) if hasattr(answer, "of") else None


def answer_markdown(answer: Solution) -> str | None:
    """The answer in words."""
    return _fence_text(_words(answer))


def _words(answer: Solution) -> str:
    from gdl.render.text import solution_text

    return str(answer) if hasattr(answer, "of") else solution_text(answer)


def _text(game: Game[Any], solution: Solution | None, kind: str, options: dict[str, Any]) -> str | None:
    from gdl.render.draw import draw

    try:
        made = draw(game, solution, kind, **options)
    except (GameError, Refusal):  # the text of the object says enough
        return None
    return _fitting(made) if isinstance(made, str) else None


def _fitting(made: str | None) -> str | None:
    return made if made is not None and len(made) <= _LARGEST else None


def _wrap_in_frame(svg: str | None) -> str | None:
    """The picture in a frame that scrolls."""
    return None if svg is None else f'<div style="overflow:auto">{svg}</div>'


def _fence_text(text: str | None) -> str | None:
    """The text as a fenced code block of Markdown, the fence longer than any in the text."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("```+", text or ""))])
    return None if text is None else f"{fence}text\n{text.rstrip()}\n{fence}\n"


def enable(shell: Any = None) -> bool:
    """Tell IPython how to show games, state graphs and answers.

    Args:
        shell: the shell of IPython; None: the one that is running.

    Returns:
        True if there is a shell.
    """
    if shell is None:
        from IPython import get_ipython

        shell = get_ipython()
    if shell is None:
        return False
    formatters = shell.display_formatter.formatters

    shows: list[tuple[Sequence[str], tuple[Callable[..., Any], ...]]] = [
        (_GAMES, (game_svg, lambda game: _wrap_in_frame(game_svg(game)), game_markdown)),
        (_GRAPHS, (graph_svg, lambda graph: _wrap_in_frame(graph_svg(graph)), graph_markdown)),
        (_ANSWERS, (answer_svg, answer_html, answer_markdown)),
    ]
    for names, ways in shows:
        for name, (kind, show) in product(names, zip(_KINDS, ways, strict=True)):
            formatters[kind].for_type_by_name(*name.rsplit(".", 1), show)
    return True
