"""A page that steps through a search: one HTML file that needs no network, no server and no mouse.

The tree stands in the page as SVG, the steps as JSON; page.js moves between them and page.css says how it looks. Both
are part of the page, and its policy allows no other script or style.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from gdl.errors import clean
from gdl.game import Game
from gdl.render.matrix import Matrix
from gdl.render.matrix_text import matrix_html
from gdl.render.picture import Picture
from gdl.render.picture.states import StatePicture
from gdl.render.pseudocode import code_of
from gdl.render.simulating import simulation_steps
from gdl.render.steps import PictureStep, steps
from gdl.render.svg import svg
from gdl.render.svg.arrange import PictureLayout, pretty
from gdl.render.svg.legend import typeset_caption
from gdl.render.svg.matrix import svg_matrix
from gdl.render.svg.stage import stage
from gdl.render.svg.states import svg_states
from gdl.solution import Solution

MAX_PAGE_NODES = 1_000  # nodes of a page


def page(picture: Picture, game: Game[Any], runs: Mapping[str, Solution]) -> str:
    """The picture of a game as a page; `runs` are the searches that it can show and compare, the first one first."""
    simulated = any(run.simulations for run in runs.values())
    drawn, arranged = stage(picture, simulated)
    made = {
        name: (simulation_steps(picture, game, run) if run.simulations else steps(picture, game, run), run)
        for name, run in runs.items()
    }
    data = _data(picture, arranged, made)
    parts = {"tree": drawn, "data": data, "caption": html.escape(typeset_caption(picture.caption))}
    return fill_template("gdl.render", "page", picture.title, parts, scripts="controls page")


def plain_page(title: str, body: str) -> str:
    """A page with a picture and nothing to step through; `body` is HTML already."""
    return fill_template("gdl.render", "plain", title, {"body": body}, style="page", scripts="")


def matrix_page(tables: Matrix) -> str:
    """Tables as a page: their picture, and below it the same for whoever reads or copies the numbers."""
    return plain_page(tables.title, svg_matrix(tables) + matrix_html(tables))


def tree_page(picture: Picture) -> str:
    """A tree as a page: its picture with the answer, where there are no steps to show."""
    return plain_page(picture.title, svg(picture))


def states_page(states: StatePicture) -> str:
    """A state graph as a page."""
    return plain_page(states.picture.title, svg_states(states))


def _data(picture: Picture, arranged: PictureLayout, runs: Mapping[str, tuple[list[PictureStep], Solution]]) -> str:
    """What the script needs."""
    nodes = [
        {
            "parent": node.parent,
            "children": node.children,
            "box": [round(length, 1) for length in (box.width, box.height, box.left, box.right)],
            "level": arranged.levels[number],
            "name": node.name or node.action or ("root" if node.parent is None else ""),
            "kind": node.shape,
            "leaf": node.payoff[0] if len(node.payoff) == 1 and not node.children else None,
        }
        for number, (node, box) in enumerate(zip(picture.nodes, arranged.boxes, strict=True))
    ]
    told = [
        {
            "name": clean(name).replace(">=", "≥"),
            "steps": [_row(step) for step in made],
            "nodes": run.nodes,
            "leaves": run.leaves,
            "line": _line(picture, run),
            "code": code_of(run),
            "simulations": len(run.simulations),
        }
        for name, (made, run) in runs.items()
    ]
    sides = [next((node.mover for node in picture.nodes if node.shape == side), "") for side in ("max", "min")]
    return as_data({"nodes": nodes, "runs": told, "sides": sides})


def as_data(found: Any) -> str:
    """What a script reads, as JSON that no HTML can be hidden in."""
    written = json.dumps(found, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _row(step: PictureStep) -> list[Any]:
    value = pretty(f"{step.bound} {step.value}") if step.bound != "..." else f"{pretty(step.value)} …"
    window = [pretty(step.alpha), pretty(step.beta)]
    return [
        step.node,
        step.event,
        typeset_caption(clean(step.said)),
        typeset_caption(clean(step.why)),
        value if step.value else "",
        *window,
        list(step.skipped),
        [[node, pretty(score), bound] for node, score, bound in step.marks],
    ]


def _line(picture: Picture, run: Solution) -> list[int]:
    """The nodes on the line of best play."""
    numbers = [0]
    for action in run.line:
        children = picture.nodes[numbers[-1]].children
        names = [picture.nodes[child].action or str(picture.nodes[child].path[-1] + 1) for child in children]
        if clean(action) not in names:
            break
        numbers.append(children[names.index(clean(action))])
    return numbers


def fill_template(
    package: str, name: str, title: str, parts: Mapping[str, str], style: str = "", scripts: str | None = None
) -> str:
    """The template NAME.html of a package with its parts, the script NAME.js (or `scripts`, one after the other), the
    style NAME.css (or another), and a policy that allows exactly those and no network."""
    script = "".join(_file(package, f"{each}.js") for each in (name if scripts is None else scripts).split())
    style = _file(package, f"{style or name}.css")
    policy = f"default-src 'none'; style-src '{csp_hash(style)}'; script-src '{csp_hash(script)}'; base-uri 'none'"
    known = {"title": html.escape(title or "Game"), "script": script, "style": style, "policy": policy}
    return Template(_file(package, f"{name}.html")).substitute(known | dict(parts))


@cache
def _file(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def csp_hash(text: str) -> str:
    """How a policy names a script or a style that it allows."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
