"""A page on which a game is played: one HTML file with the rules, a script that plays them, nothing from outside."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from operator import mul
from string import Template
from typing import Any

from gdl.errors import Refusal, clean
from gdl.exam.phrases import ENGLISH, Words
from gdl.formats.answer import clean_lines
from gdl.game import Chance, Decision, Game, Terminal
from gdl.interpreter.clauses_game import ClausesGame
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.interpreter.grounded_game import GroundedGame, grounded_game
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.interpreter.things import Kind, kinds
from gdl.model.clauses import ClausesModel, term_text
from gdl.model.games import MatrixModel, Model, RulesModel, TreeModel
from gdl.numbers import to_json
from gdl.playing.computer import ComputerSettings
from gdl.playing.judging import MARKS, JudgingScale, scale
from gdl.playing.page_engine import page_engine
from gdl.render.boards_data import MEN, MOST_SQUARES, boards_data, colours, variables_on_boards
from gdl.render.draw import draw
from gdl.render.page import PRESENT, as_data, csp_hash, in_words, page_file, style_sheet
from gdl.render.picture import picture
from gdl.render.picture.unfold import UnfoldingNode, unfold
from gdl.render.svg.stage import stage
from gdl.solution import Profile
from gdl.states.explore import Walk
from gdl.states.sequential import Sequential

# The board of a game of clauses, which knows none: facts that say what stands at two coordinates, (cell 1 2 x), are
# drawn as one, and moves that name such coordinates, (put 1 2), are made by clicks on them.

BLANK = ("empty", "blank", "b", "e", "none", "nil")  # as authors call a square with nothing on it
KIND = "facts"  # in place of a type of squares

Square = tuple[str, str]


def facts_boards(game: GroundedGame) -> list[dict[str, Any]]:
    """The boards of a game of clauses, in the order in which its facts are met."""
    found: dict[str, dict[Square, list[tuple[int, str]]]] = {}
    for at, (_, fact) in enumerate(game.facts):
        if isinstance(fact, tuple) and len(fact) == 4:
            name, x, y, what = map(term_text, fact)
            found.setdefault(name, {}).setdefault((x, y), []).append((FIRST_CELL + at, what))
    return [board for name, squares in found.items() if (board := _board(name, squares, game.players))]


def _in_order(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() and len(name) < 9 else (0, name)


def _board(name: str, squares: Mapping[Square, Sequence[tuple[int, str]]], players: Sequence[str]) -> dict[str, Any]:
    """The board of the squares; {} if they are too few, or too many, for one."""
    columns, rows = (sorted({square[axis] for square in squares}, key=_in_order) for axis in (0, 1))
    if min(len(columns), len(rows)) < 2 or len(columns) * len(rows) > min(MOST_SQUARES, 2 * len(squares)):
        return {}
    x_of, y_of = {x: at for at, x in enumerate(columns)}, {y: len(rows) - 1 - at for at, y in enumerate(rows)}
    labels = [{"x": at, "y": len(rows) - 0.2, "text": x} for x, at in x_of.items()]
    labels += [{"x": -0.8, "y": at, "text": y} for y, at in y_of.items()]
    return {
        "title": name, "kind": "grid", "edges": [], "labels": labels, "variables": [], "said": [], "look": "",
        "glyphs": MEN["glyphs"][""], "pit": False,
        "squares": [
            {
                "x": x_of[x], "y": y_of[y], "name": f"{x} {y}", "cells": [cell for cell, _ in held], "column": x,
                "holds": [_standing(what, players) for _, what in held], "is": {KIND: f"{x} {y}"}, "dark": False,
            }
            for (x, y), held in squares.items()
        ],
    }  # fmt: skip


def _standing(what: str, players: Sequence[str]) -> dict[str, Any]:
    """The picture of an item on a cell: its sign, its name, and the player who owns it."""
    owner = next((at for at, player in enumerate(players) if what in (player, player[:1])), None)
    if owner is None:
        return {"sign": "" if what in BLANK else what, "name": "" if what in BLANK else what, "owner": None}
    letters = {player[:1] for player in players}
    return {"sign": what[:1] if len(letters) == len(players) else what, "name": "", "owner": owner}


def steps(game: GroundedGame, boards: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, str]]]:
    """For each move, by name, the squares of the first board that it names, or its column; moves that name none are
    left out."""
    squares = {square["name"] for board in boards[:1] for square in board["squares"]}
    columns = {square["column"] for board in boards[:1] for square in board["squares"]}
    return {name: found for name in game.move_names if (found := list(_named_squares(name, squares, columns)))}


def _named_squares(move: str, squares: set[str], columns: set[str]) -> Iterator[dict[str, str]]:
    """Pairs of words in a row that are a square, from the left; or the only word, if it is a column."""
    words = move.partition("(")[2].removesuffix(")").split(", ")
    if len(words) == 1 and words[0] in columns:
        yield {"column": words[0]}
    taken = False
    for pair in pairwise(words):
        taken = not taken and " ".join(pair) in squares
        if taken:
            yield {"type": KIND, "value": " ".join(pair)}


ENGINE = ("game.js", "graph.js", "compiled.js", "hidden.js", "mind.js")  # what a worker has too
STYLES = "tree play"  # parts of the style sheet
PAGE = ("judge.js", "page.js", "board.js", "opening.js", "things.js", "study.js")
_LEFT_OUT = re.compile(r"^\s*(?:import .*\n|export |//.*\n|/\*\*(?:.|\n)*?\*/\n)?", re.MULTILINE)


def play_page(model: Model, source: str, played: Sequence[str] = (), words: Words = ENGLISH) -> str:
    """The page as HTML; `source` is the text of the rules, `played` what was done before the page begins,
    `words` those of its language.

    Raises Refusal, with the reason, where the page cannot let the game be played.
    """
    name, picture = clean(model.name), ""
    if isinstance(model, TreeModel | MatrixModel):
        explicit = TreeGame(model) if isinstance(model, TreeModel) else MatrixGame(model)
        found, picture = _explicit_data(explicit), graph_picture(explicit)
    else:
        found = _rules_data(playable(model) if isinstance(model, RulesModel) else _by_rules(model, name))
    found |= {"played": list(played), "words": words.page, "colours": colours(found["game"]["players"])}
    parts = {"title": html.escape(name), "rules": html.escape(clean_lines(source)), "data": as_data(found)}
    parts |= {"engine": join_scripts(ENGINE), "script": join_scripts(PAGE, PRESENT), "style": style_sheet(STYLES)}
    parts |= {"policy": policy(), "picture": picture, "language": words.language, "direction": words.direction}
    return Template(in_words(page_file("gdl.web", "page/page.html"), words.page)).substitute(parts)


def _explicit_data(game: TreeGame | MatrixGame) -> dict[str, Any]:
    """The data of a tree or a matrix."""
    hidden = not game.traits.perfect_information or bool(game.traits.simultaneous)
    return {"game": graph_data(game), "searches": {}, "boards": [], "kinds": [], "placed": [],
            "steps": None, "hidden": hidden, "marks": MARKS,
            "scale": {} if hidden else asdict(graph_scale(game))}  # fmt: skip


def _rules_data(game: RulesGame) -> dict[str, Any]:
    """The data of a game by rules."""
    if game.model.evaluates:
        game.leave_cycles_open()  # for what searches with an evaluation do not ask
    hidden = game.traits.perfect_information is False or bool(game.traits.simultaneous)
    played_by = page_engine(game)
    grounded = game if isinstance(game, GroundedGame) else None
    boards = facts_boards(grounded) if grounded else boards_data(game.model, played_by.number)
    drawn, placed = variables_on_boards(game.model, boards)
    facts = FIRST_CELL + len(grounded.facts) if grounded else math.inf  # what lies behind them is not for people
    drawn += [number for number, each in enumerate(game.model.variables) if each.place >= facts and number not in drawn]
    alone = hidden and game.model.learned is None
    judged = {"scale": {}, "marks": []} if alone else {"scale": asdict(scale(game)), "marks": MARKS}
    plain = [Kind("board" if number in drawn else "words") for number in range(len(game.model.variables))]
    shown = plain if grounded else kinds(game.model, drawn, placed)
    found = {"boards": boards, "kinds": shown, "placed": placed, "hidden": hidden,
             "steps": steps(grounded, boards) if grounded else None} | judged  # fmt: skip
    found["unit"] = game.promises.unit and [game.promises.unit[0], float(game.promises.unit[1])]
    return found | {"game": {**played_by.game, "types": played_by.types()}, "searches": played_by.searches}


def policy(styles: str = "", scripts: str = "", more: str = "") -> str:
    """The page's content security policy: it may load its own parts, and nothing of a network. A page that shows it in
    a frame, which inherits its policy, may load more."""
    own = " ".join(f"'{csp_hash(script)}'" for script in (join_scripts(ENGINE), join_scripts(PAGE, PRESENT)))
    return (
        f"default-src 'none'; style-src '{csp_hash(style_sheet(STYLES))}'{styles}; "
        f"script-src {own} 'wasm-unsafe-eval' blob:{scripts}; worker-src blob:{more}; base-uri 'none'"
    )


def _by_rules(model: ClausesModel, name: str) -> RulesGame:
    """A game of clauses as a game by rules. Raises Refusal where its clauses cannot be written so."""
    try:
        return grounded_game(ClausesGame(model), GroundedGame)
    except Refusal as reason:
        why = f"its clauses are not written as rules, for {reason}"
        raise Refusal(f"{name} has no page: {why}; gdl play plays it") from None


@cache
def join_scripts(names: Sequence[str], more: str = "") -> str:
    """Modules as one strict script without imports, comments and margins."""
    texts = [more, *(page_file("gdl.web", f"page/{name}") for name in names)]
    return '"use strict";\n' + "".join(_LEFT_OUT.sub("", text) for text in texts)


# A tree or a matrix as data for the page on which it is played: its nodes, and how often each move is made there.

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
        means = [sum(map(mul, node["odds"], column)) / Fraction(sum(node["odds"])) for column in below]
        node.setdefault("worth", means)
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
