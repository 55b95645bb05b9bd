"""Questions for the exam desk: the kinds of questions, the solution on which a question is based, and games that are
too large for paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gdl.commands.console import WrongCommand
from gdl.commands.solver_options import solver_names
from gdl.commands.solving import find, solve_with_trace
from gdl.errors import GameError, Refusal, WrongRequest, clean, listing, nearest
from gdl.game import Game
from gdl.playing.loading import Asking, load_asked
from gdl.render.svg.legend import typeset_caption
from gdl.solution import Solution
from gdl.solvers import SOLVERS
from gdl.wings.exam.answers import SavedQuestion
from gdl.wings.exam.purpose_search import search_by_purpose
from gdl.wings.exam.purposes import Purposes
from gdl.wings.exam.wishes import PRINTED, fits_paper, play_that_fits

_TRIED = 40  # settings that are tried for one that fits
_UNDRAWN = "winner", "ucb", "counts", "evaluation", "playouts"  # kinds that need no picture of the tree
OWN = ("search", "open", "equilibria")  # kinds that follow from the game


class Posed(NamedTuple):
    """A question and its game; the solution, by these options, is None if no picture shows it."""

    game: Game[Any]
    question: Any
    solution: Solution | None
    options: Mapping[str, Any] = {}
    boards: tuple[tuple[str, str], ...] = ()  # of positions that are compared: their names and pictures as SVG
    numbers: Sequence[str] = ()  # that its reader may change


def is_undrawn(kind: str, game: Game[Any]) -> bool:
    """True if the question needs no picture of the tree, or can have none."""
    return kind in _UNDRAWN or (kind == "deepening" and not fits_paper(game))


def split_kind(file: str) -> tuple[str, str]:
    """The file and the kind of question (or solver) of `nim:winner`; the kind is "" if none is given."""
    name, colon, asked = file.rpartition(":")
    if not colon or Path(file).exists():
        return file, ""
    check_kind(asked, f"{name}:")
    return name, asked


def check_kind(asked: str, file: str = "") -> None:
    """Raise WrongCommand if there is neither a kind of question nor a solver of that name."""
    from gdl.wings.exam.kinds import KINDS

    known = ["", *KINDS, *OWN, *solver_names()]
    if asked not in known:
        near = nearest(asked, known)
        help = f"write '{file}{near}'" if near else f"the kinds are {listing(KINDS, most=20)}, and the solvers"
        raise WrongCommand(f"no kind of question is called '{clean(asked)}'", help=help)


def pose(
    game: Game[Any],
    kind: str,
    solver: str,
    options: Mapping[str, Any],
    words: Any,
    more: Mapping[str, Any],
    saved: SavedQuestion | None = None,
) -> Posed:
    """The question of a kind about a game; `kind` "" takes what follows from the game, and it may name a solver. `more`
    holds the points (`worths`) and, if windows are asked for, `bounds`. A `saved` question keeps its own points."""
    from gdl.wings.exam.kinds import KINDS, Subject
    from gdl.wings.exam.question import question, question_of_kind

    check_kind(kind)
    if solver != "auto" and solver not in solver_names():
        raise WrongCommand(f"no solver is called '{clean(solver)}'", help="gdl solvers lists them")
    given = {name: value for name, value in options.items() if name != "transform"}
    solution: Solution | None = None
    if kind in KINDS:
        subject = Subject(game, options)
        posed = question_of_kind(kind, KINDS[kind](subject), subject, words, more["worths"])
    else:
        searched = solver if kind in ("", *OWN) else kind
        solution = more.get("solution") or answer_for_exam(game, searched, given)
        more.get("found", []).append((solution, game))
        posed = question(game, solution, words, more.get("bounds"), more["worths"], options.get("depth"))
    assumed = (typeset_caption(words.condition(text)) for text in options.get("assume") or ())
    posed = replace(posed, text=(*posed.text, *(words.say("assumed", what=text) for text in assumed)))
    return Posed(game, posed if saved is None else replace(posed, asked=saved), solution, given)


def answer_for_exam(game: Game[Any], solver: str, options: Mapping[str, Any]) -> Solution:
    """A solution that a picture can show: a search of a tree, the equilibria of a matrix, or conditions on unknown
    numbers."""
    if isinstance(game, Purposes) and (game.prunes or game.traits.unknowns):
        return search_by_purpose(game, options.get("cut"), options.get("assume"))
    if solver in SOLVERS and SOLVERS[solver].steps == "untold":
        return find(game, solver, **options)
    if solver == "auto" and (SOLVERS["maxn"].lacks(game.traits) or game.traits.unknowns):
        found = find(game, solver, **options)
        if not found.conditions or not found.visits or any(one.status == "sometimes" for one in found.conditions):
            return found
    return solve_with_trace(game, solver, **options)


# ---- Too large for paper --------------------------------------------------------------------------------------------


def refuse_large(by: Asking, game: Game[Any]) -> None:
    """Raise WrongCommand for a game of rules whose tree does not fit on paper; its help names a setting with which it
    does."""
    if fits_paper(game):
        return
    file = clean(by.file)
    small = next((setting for setting in _smaller_settings(by) if _fits_with(by, setting)), None)
    written = f"write --set {small[0]}={small[1]}, or " if small else ""
    if not small and (later := play_that_fits(game)):
        written = f'begin later, as with --after "{clean(later)}", or '
    said = f"the tree of {clean(game.name)} has more than {PRINTED:,} nodes, too many for paper"
    raise WrongCommand(said, help=f"{written}ask who wins, as in {file}:winner")


def _fits_with(by: Asking, setting: tuple[str, str]) -> bool:
    try:
        return fits_paper(load_asked(by._replace(settings={**by.settings, setting[0]: setting[1]})).game)
    except (GameError, WrongRequest, Refusal):  # a setting that the rules do not take
        return False


def _smaller_settings(by: Asking) -> Iterator[tuple[str, str]]:
    """Smaller values for each parameter, as name and text, the largest first; for a list: 1,2,… of decreasing
    length."""
    for name, value in getattr(load_asked(by).loaded.model, "parameters", {}).items():
        if isinstance(value, tuple):
            yield from ((name, ",".join(map(str, range(1, size + 1)))) for size in range(len(value), 0, -1))
        elif isinstance(value, int) and not isinstance(value, bool):
            yield from ((name, str(less)) for less in range(value - 1, max(1, value - _TRIED), -1))
