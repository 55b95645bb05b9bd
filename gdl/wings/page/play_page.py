"""A page on which a game is played: one HTML file with the rules, a script that plays them, nothing from outside."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import cache
from itertools import product
from operator import mul
from string import Template
from typing import Any

from gdl.checker.teams import MOVER
from gdl.errors import Refusal, clean
from gdl.formats.answer import clean_lines
from gdl.game import Chance, Decision, Game, Terminal
from gdl.interpreter.explicit_game import MatrixGame, TreeGame
from gdl.interpreter.position import text_of
from gdl.interpreter.rules_game import RulesGame, playable
from gdl.interpreter.things import kinds
from gdl.model.appearance import present_model
from gdl.model.games import MatrixModel, Model, OtherModel, TreeModel
from gdl.model.symbols import read_symbols
from gdl.numbers import to_json
from gdl.render.boards_data import boards_data, sides, variables_on_boards
from gdl.render.draw import draw
from gdl.render.page import PRESENT, as_data, csp_hash, in_words, page_file, style_sheet
from gdl.render.picture import picture
from gdl.render.picture.unfold import UnfoldingNode, unfold
from gdl.render.svg.stage import stage
from gdl.solution import Profile
from gdl.states.explore import Walk
from gdl.states.sequential import Sequential
from gdl.wings.arena.computer import ComputerSettings
from gdl.wings.arena.judging import MARKS, JudgingScale, scale
from gdl.wings.arena.levels import LEVELS, lowest_best_level
from gdl.wings.exam.phrases import ENGLISH, Words
from gdl.wings.page.board_parts import add_parts
from gdl.wings.page.page_engine import page_engine
from gdl.wings.page.page_variants import NamedVariant
from gdl.wings.page.refusals import refusal_data

ENGINE = ("game.js", "compiled.js", "hidden.js", "graph.js", "mind.js")  # what a worker has too
FAMILIES = {  # what the data of pages hold that show drawings with names that begin so
    '"look":"cards"': ("court-", "club", "diamond", "heart", "letter-", "spade"), '"look":"dice"': ("die-",),
    '"look":"wedges"': ("letter-", "wedge"), '"players":["X","O"]': ("cross", "circle"), '"pit":true': ("seed",),
    '"kind":"lanes"': ("man",), '"crossed":true': ("hull",),
}  # fmt: skip
MOST_PAGE = 385_000  # characters, of a page with variants
NO_VARIANTS: Mapping[str, NamedVariant] = {}
STYLES = "tree play"  # parts of the style sheet
PAGE = ("judge.js", "play.js", "deduced.js", "link.js", "words.js", "elements.js", "cards.js", "squares.js", "men.js",
        "board.js", "picture.js", "things.js", "strips.js", "opening.js", "moves.js", "log.js", "short_names.js",
        "setup.js", "computer.js", "study.js", "motion.js", "lessons.js", "page.js")  # fmt: skip
_LEFT_OUT = re.compile(r"^\s*(?:import .*\n|export |//.*\n|/\*\*(?:.|\n)*?\*/\n)?", re.MULTILINE)


def play_page(
    model: Model,
    source: str,
    played: Sequence[str] = (),
    words: Words = ENGLISH,
    home: str = "",
    variants: Mapping[str, NamedVariant] = NO_VARIANTS,
) -> str:
    """The page as HTML; `source` is the text of the rules, `played` what was done before the page begins,
    `words` those of its language, `home` the address of a page of all games ("": there is none). Of the `variants` by
    their names, the first of which the model is, it offers as many others as it has room for.

    Raises Refusal, with the reason, where the page cannot let the game be played.
    """
    name, picture = clean(model.name), ""
    if isinstance(model, OtherModel):
        raise Refusal(f"{name} has no page, as its rules are {model.language}: gdl play {name}{model.ending} plays it")
    if isinstance(model, TreeModel | MatrixModel):
        explicit = TreeGame(model) if isinstance(model, TreeModel) else MatrixGame(model)
        found, picture = _explicit_data(explicit), graph_picture(explicit)
    else:
        found = _rules_data(playable(model), words.language == "en")
    found |= {"played": list(played), "words": words.page, "variants": [],
              "levels": [level._asdict() for level in LEVELS]}  # fmt: skip
    first, title = next(((called, each.title) for called, each in variants.items()), ("", name))
    found |= {"variant": first, "variants": [{"variant": first, "title": clean(title)}]}
    parts = {"title": html.escape(name), "rules": html.escape(clean_lines(source)), "data": as_data(found)}
    parts["symbols"] = _symbols_of(parts["data"])
    parts |= {"engine": join_scripts(ENGINE), "script": join_scripts(PAGE, PRESENT), "style": style_sheet(STYLES)}
    parts["home"] = f'<a id="home" href="{html.escape(home)}">All games</a> ' if home else ""
    parts |= {"policy": policy(), "picture": picture, "language": words.language, "direction": words.direction}
    room = MOST_PAGE - sum(map(len, parts.values()))
    for called, variant in list(variants.items())[1:]:
        other = _rules_data(playable(variant.model), words.language == "en") | {"variant": called, "played": []}
        more = {"variant": called, "title": clean(variant.title), "data": other}
        room -= len(as_data(more))
        found["variants"] += [more] if room > 0 else []
    parts["data"] = as_data(found)
    parts["symbols"] = _symbols_of(parts["data"])
    return Template(in_words(page_file("gdl.wings.page", "scripts/page.html"), words.page)).substitute(parts)


def _symbols_of(data: str) -> str:
    """The drawings that a page with these data may show, as symbols for its head, where `#s-NAME` is each."""
    families = tuple(begin for sign, names in FAMILIES.items() if sign in data for begin in names)
    return "".join(
        f'<symbol id="s-{name}" viewBox="0 0 100 100" {lines}>{inside}</symbol>'
        for name, (lines, inside) in read_symbols().items()
        if f'"{name}"' in data or name.startswith(families)
    )


def _explicit_data(game: TreeGame | MatrixGame) -> dict[str, Any]:
    """The data of a tree or a matrix."""
    hidden = not game.traits.perfect_information or bool(game.traits.simultaneous)
    return {"game": graph_data(game), "searches": {}, "alike": 1, "boards": [], "hidden": hidden, "marks": MARKS,
            "colours": [side.colour for side in sides(game.players, {})],
            "scale": {} if hidden else asdict(graph_scale(game))}  # fmt: skip


def _rules_data(game: RulesGame, english: bool) -> dict[str, Any]:
    """The data of a game by rules, for a page that is in `english` or in another language."""
    if game.model.evaluates:
        game.leave_cycles_open()  # for what searches with an evaluation do not ask
    hidden = game.traits.perfect_information is False or bool(game.traits.simultaneous)
    played_by, shown = page_engine(game, english), present_model(game.model)
    boards = boards_data(shown, played_by.number)
    drawn, placed = variables_on_boards(shown, boards)
    add_parts(boards, game)
    alone = hidden and game.model.learned is None
    judged = {"scale": {}, "marks": []} if alone else {"scale": asdict(scale(game)), "marks": MARKS}
    looks = enumerate(zip(played_by.game["variables"], shown.variables, kinds(shown, drawn, placed), strict=True))
    variables = [
        told | kind._asdict() | {"name": each.name.lstrip("."), "placed": number in placed}
        for number, (told, each, kind) in looks
    ]
    others = dict.fromkeys(game.model.appearance.hidden, "hidden") | ({MOVER: "turn"} if game.model.seats else {})
    for told in variables:
        told["look"] = others.get(told["name"], told["look"])
    written = not hidden and game.model.notation is not None
    found = {"boards": boards, "hidden": hidden, "position": text_of(game.model, game.initial()) if written else ""}
    found |= judged | {"alike": lowest_best_level(game.model)}
    found["colours"] = [side.colour for side in sides(game.players, game.model.appearance.colours)]
    found["sentences"] = [[told.pattern, told.parts] for told in game.model.appearance.sentences]
    found["unit"] = game.promises.unit and [game.promises.unit[0], float(game.promises.unit[1])]
    told = {**played_by.game, "variables": variables, "types": played_by.types()}
    told |= refusal_data(game, told["types"], english) if boards else {}
    return found | {"game": told, "searches": played_by.searches}


def policy(styles: str = "", scripts: str = "", more: str = "") -> str:
    """The page's content security policy: it may load its own parts, and nothing of a network. A page that shows it in
    a frame, which inherits its policy, may load more."""
    own = " ".join(f"'{csp_hash(script)}'" for script in (join_scripts(ENGINE), join_scripts(PAGE, PRESENT)))
    return (
        f"default-src 'none'; style-src '{csp_hash(style_sheet(STYLES))}'{styles}; "
        f"script-src {own} 'wasm-unsafe-eval' blob:{scripts}; worker-src blob:{more}; base-uri 'none'"
    )


@cache
def join_scripts(names: Sequence[str], more: str = "") -> str:
    """Modules as one strict script without imports, comments and margins."""
    texts = [more, *(page_file("gdl.wings.page", f"scripts/{name}") for name in names)]
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
