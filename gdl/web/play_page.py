"""A page on which a game is played: one HTML file with the rules, a script that plays them, nothing from outside."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from gdl.errors import Refusal, clean
from gdl.formats.position import clean_lines
from gdl.interpreter.clauses import ClausesGame
from gdl.interpreter.playable import playable
from gdl.interpreter.rules import RulesGame
from gdl.interpreter.taking_turns import TurnsGame, turns_of
from gdl.model.clauses import ClausesModel
from gdl.model.games import MatrixModel, Model, RulesModel, TreeModel
from gdl.playing.judging import MARKS, scale
from gdl.render.page import as_data, csp_hash
from gdl.web.boards_data import boards_data
from gdl.web.facts_board import facts_boards, steps
from gdl.web.rules_data import RulesData

Engine = Callable[[RulesGame], Mapping[str, Any]]
ENGINE = ("rules.js", "search.js", "compiled.js", "mind.js")  # what a worker has too
PAGE = ("page.js", "board.js", "judge.js", "study.js")


def play_page(model: Model, source: str, engine: Engine, played: Sequence[str] = ()) -> str:
    """The page as HTML; `source` is the text of the rules, `played` what was done before the page begins. `engine`
    gives the compiled searches of a game in which everything is seen, for page/compiled.js.

    Raises Refusal, with the reason, where the page cannot let the game be played.
    """
    name = clean(model.name)
    if isinstance(model, TreeModel | MatrixModel):
        raise Refusal(f"{name} is a tree or a matrix: gdl draw makes a page of it")
    game = playable(model) if isinstance(model, RulesModel) else _by_rules(model, name)
    hidden = game.traits.perfect_information is False or bool(game.traits.simultaneous)
    gathered = RulesData(game.model)
    turns = game if isinstance(game, TurnsGame) else None
    boards = facts_boards(turns) if turns else boards_data(game.model, gathered.type)
    shown = {place for board in boards for square in board["squares"] for place in square["cells"]}
    drawn = [number for number, variable in enumerate(game.model.variables) if variable.place in shown]
    placed = {man["cell"] for board in boards for man in board.get("men", ())}
    alone = hidden and game.model.learned is None
    judged = {} if alone else {"engine": engine(game), "scale": asdict(scale(game)), "marks": MARKS}
    found = {"rules": gathered.whole(), "boards": boards, "drawn": drawn, "played": list(played), "hidden": hidden,
             "placed": [number for number, variable in enumerate(game.model.variables) if variable.place in placed],
             "steps": steps(turns, boards) if turns else None}  # fmt: skip
    found = {"engine": {}, "scale": {}, "marks": []} | found | judged
    data = as_data(found)
    shared, script, style = _join_scripts(ENGINE), _join_scripts(PAGE), _file("page.css")
    parts = {"title": html.escape(name), "rules": html.escape(clean_lines(source)), "data": data, "engine": shared}
    return Template(_file("page.html")).substitute(parts | {"script": script, "style": style, "policy": policy()})


def policy(styles: str = "", scripts: str = "", more: str = "") -> str:
    """What the page may load: what stands in it, and nothing of a network. A page that shows it in a frame, which
    inherits its policy, may load more."""
    own = " ".join(f"'{csp_hash(_join_scripts(names))}'" for names in (ENGINE, PAGE))
    return (
        f"default-src 'none'; style-src '{csp_hash(_file('page.css'))}'{styles}; "
        f"script-src {own} 'wasm-unsafe-eval' blob:{scripts}; worker-src blob:{more}; base-uri 'none'"
    )


def _by_rules(model: ClausesModel, name: str) -> RulesGame:
    """A game of clauses by its rules."""
    try:
        return turns_of(ClausesGame(model), TurnsGame)
    except Refusal as reason:
        why = f"its clauses have no rules in which players take turns, for {reason}"
        raise Refusal(f"{name} has no page: {why}; gdl play plays it") from None


def _join_scripts(names: Sequence[str]) -> str:
    """Scripts as one, which is strict as a whole."""
    return "\n".join(map(_file, names))


@cache
def _file(name: str) -> str:
    return files("gdl.web").joinpath(f"page/{name}").read_text(encoding="utf-8")
