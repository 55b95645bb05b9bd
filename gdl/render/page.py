"""A page that steps through a search: one HTML file that needs no network, no server and no mouse.

The tree stands in the page as SVG, the steps as JSON; page.js moves between them and style.css, the sheet of all
pages, says how it looks. Both are part of the page, and its policy allows no other script or style.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from gdl.errors import clean, listing
from gdl.game import Chance, Decision, Game, Node, Terminal, actions
from gdl.numbers import brief, to_text
from gdl.render.matrix import Matrix
from gdl.render.matrix_text import matrix_html
from gdl.render.picture import Picture
from gdl.render.picture.states import StatePicture
from gdl.render.steps import PictureStep, code_of, intervals, is_of_max_and_min, steps, window_in_words
from gdl.render.svg import svg
from gdl.render.svg.arrange import PictureLayout, pretty
from gdl.render.svg.legend import typeset_caption
from gdl.render.svg.matrix import svg_matrix
from gdl.render.svg.stage import stage
from gdl.render.svg.states import svg_states
from gdl.solution import Path, Simulation, Solution

# A Monte-Carlo tree search as steps on the nodes of a picture: select, expand, simulate, back up.
#
# Beside a node stand W/N, what the one who chooses it got there in all and in how many simulations, and, where a child
# was just selected, the upper confidence bounds of all children, on a scale from 0 to 1. What happens below the nodes
# of the picture is told at the last one above.


def simulation_steps(picture: Picture, game: Game[Any], solution: Solution) -> list[PictureStep]:
    """The steps of the recorded simulations of a Monte Carlo tree search; empty if none were recorded."""
    return list(_Tree(picture, game, solution).steps())


class _Tree:
    """The search tree as the simulations grow it: visits and total utilities of its nodes, by path."""

    def __init__(self, picture: Picture, game: Game[Any], solution: Solution):
        self.game, self.solution = game, solution
        self.drawn = {node.path: number for number, node in enumerate(picture.nodes)}
        self.states: dict[Path, Any] = {(): game.initial()}
        self.visits: dict[Path, int] = {}
        self.totals: dict[Path, list[Any]] = {}

    def steps(self) -> Iterator[PictureStep]:
        for number, simulation in enumerate(self.solution.simulations, 1):
            yield from self._select(number, simulation)
            yield from self._expand(number, simulation)
            yield self._simulate(number, simulation)
            yield self._back_up(number, simulation)
        if self.solution.simulations and self.solution.best:
            said = f"Done: {clean(self.solution.best[0])} is played, the action with the most visits."
            why = listing(f"{clean(name)} {self.visits.get((k,), 0)}" for k, name in enumerate(self._ways(())))
            yield PictureStep(0, "done", said, f"Visits: {why}.{self._among_equals()}")

    def _among_equals(self) -> str:
        """Why the action that is played was chosen, where others were visited as often."""
        visits = [self.visits.get((k,), 0) for k, _ in enumerate(self._ways(()))]
        equals = [name for name, count in zip(self._ways(()), visits, strict=True) if count == max(visits)]
        if len(equals) == 1 or self.solution.best[0] not in equals:
            return ""
        first = self.solution.best[0] == equals[0]
        return f" Of equals {'the first is played' if first else 'one that is proven to be as good is played'}."

    # -- the four phases --------------------------------------------------------------------------------------

    def _select(self, number: int, simulation: Simulation) -> Iterator[PictureStep]:
        path = simulation.path
        for at, bounds in enumerate(simulation.bounds):
            child = path[: at + 1]
            if simulation.new and child == path and not isinstance(self._node(path[:at]), Chance):
                return
            name, where = self._name(child), self._name(path[:at]) if at else "the root"
            how = f"action {name} has the greatest bound W/N + c √(ln N / N)" if bounds else f"chance draws {name}"
            said = f"Simulation {number}, select: at {where} {how}."
            shown = [((*child[:-1], k), brief(bound)) for k, bound in enumerate(bounds)]
            why = listing(f"{self._name(path)} {bound}" for path, bound in shown)
            marks = tuple((self.drawn[p], self._score(p), bound) for p, bound in shown if p in self.drawn)
            if child in self.drawn:
                yield PictureStep(self.drawn[child], "select", said, f"Bounds: {why}." if why else "", marks=marks)

    def _expand(self, number: int, simulation: Simulation) -> Iterator[PictureStep]:
        for path, utilities in simulation.passed:
            self.visits[path], self.totals[path] = 1, list(utilities)
            marks = ((self.drawn[path], self._score(path), ""),) if path in self.drawn else ()
            why = "is passed by, for the next move there wins at once"
            said = f"Simulation {number}, expand: action {self._name(path)} {why}."
            yield PictureStep(self._nearest_drawn_node(path), "expand", said, marks=marks)
        path = simulation.path
        if simulation.new:
            name = f"action {self._name(path)}" if path else "the root"
            below = "" if path in self.drawn else ", below what is drawn"
            said = f"Simulation {number}, expand: {name} was never tried, and joins the tree{below}."
            yield PictureStep(self._nearest_drawn_node(path), "expand", said)

    def _simulate(self, number: int, simulation: Simulation) -> PictureStep:
        played = " ".join(map(clean, simulation.played))
        pairs = zip(map(clean, self.game.players), map(to_text, simulation.utilities), strict=True)
        gets = ", ".join(map(" ".join, pairs))
        over = isinstance(self._node(simulation.path), Terminal)
        still = "play is over here" if over else "the value here is certain"
        how = f"from here play goes on at random, {played}, to an end" if played else still
        said = f"Simulation {number}, simulate: {how}: {gets}."
        return PictureStep(self._nearest_drawn_node(simulation.path), "simulate", said)

    def _back_up(self, number: int, simulation: Simulation) -> PictureStep:
        certain = dict(simulation.proven)
        marks = []
        for length in range(len(simulation.path) + 1):
            path = simulation.path[:length]
            self.visits[path] = self.visits.get(path, 0) + 1
            totals = self.totals.setdefault(path, [0] * len(self.game.players))
            for player, utility in enumerate(simulation.utilities):
                value = certain.get(length)
                totals[player] = totals[player] + utility if value is None else value[player] * self.visits[path]
            if path in self.drawn:
                marks.append((self.drawn[path], self._score(path), ""))
        said = f"Simulation {number}, back up: every node on the way has one more visit, and what its chooser got in W."
        return PictureStep(0, "backup", said, self._proven_text(simulation), marks=tuple(marks))

    def _proven_text(self, simulation: Simulation) -> str:
        """A sentence on the inner nodes whose values have been proven by this simulation; "" if there are none."""
        told = []
        for length, values in simulation.proven:
            path = simulation.path[:length]
            if not isinstance(self._node(path), Terminal):
                name = f"action {self._name(path)}" if path else "the root"
                told.append(f"{name} ({', '.join(map(to_text, values))})")
        return f"Its value is certain from now on: {listing(told)}; W is N times as much." if told else ""

    # -- what stands there --------------------------------------------------------------------------------------

    def _score(self, path: Path) -> str:
        """The text `W/N` of a node: total utility and number of visits. The utility counts for the player who chooses
        the node; at the root for the player who moves there; below a chance node for the first player."""
        node = self._node(path[:-1])
        player = node.player if isinstance(node, Decision) else 0
        visits = self.visits.get(path, 0)
        return f"{to_text(self.totals[path][player])}/{visits}" if visits else "0/0"

    def _nearest_drawn_node(self, path: Path) -> int:
        """The number of the node in the picture; if the node is not drawn, of its lowest ancestor that is."""
        while path not in self.drawn:
            path = path[:-1]
        return self.drawn[path]

    def _state(self, path: Path) -> Any:
        if path not in self.states:
            before = self._state(path[:-1])
            self.states[path] = self.game.successor(before, self._ways(path[:-1])[path[-1]])
        return self.states[path]

    def _node(self, path: Path) -> Node:
        return self.game.node(self._state(path))

    def _ways(self, path: Path) -> list[str]:
        node = self._node(path)
        return [name for name, _ in node.outcomes] if isinstance(node, Chance) else list(actions(node))

    def _name(self, path: Path) -> str:
        """The action that leads to a node below the root."""
        return clean(self._ways(path[:-1])[path[-1]])


MAX_PAGE_NODES = 1_000  # at most, in the picture of a page


def page(picture: Picture, game: Game[Any], runs: Mapping[str, Solution]) -> str:
    """The picture of a game as a page; `runs` are the searches that it can show and compare, the first one first."""
    simulated = any(run.simulations for run in runs.values())
    drawn, arranged = stage(picture, simulated)
    made = [simulation_steps(picture, game, r) if r.simulations else steps(picture, game, r) for r in runs.values()]
    data = _data(picture, arranged, runs, made)
    parts = {"tree": drawn, "data": data, "caption": html.escape(typeset_caption(picture.caption))}
    return fill_template("gdl.render", "page", picture.title, parts, "tree steps", "controls page")


def plain_page(title: str, body: str, style: str = "tree steps", words: Mapping[str, str] = {}) -> str:
    """A page without steps; `body` is HTML already. `style` names the parts of the style sheet, `words` translate the
    template."""
    return fill_template("gdl.render", "plain", title, {"body": body}, style, "", words)


def matrix_page(tables: Matrix) -> str:
    """Tables as a page: their picture, and below it the numbers as text, to be read aloud or copied."""
    return plain_page(tables.title, svg_matrix(tables) + matrix_html(tables))


def tree_page(picture: Picture) -> str:
    """A tree as a page: its picture with the answer, where there are no steps to show."""
    return plain_page(picture.title, svg(picture))


def states_page(states: StatePicture) -> str:
    """A state graph as a page."""
    return plain_page(states.picture.title, svg_states(states))


_NO_WINDOW = "This search keeps no window: it looks at everything."


def _data(
    picture: Picture, arranged: PictureLayout, runs: Mapping[str, Solution], steps: Sequence[Sequence[PictureStep]]
) -> str:
    """The data of the page's script, as JSON; `steps` are those of each run."""
    nodes = [
        {
            "parent": node.parent,
            "children": node.children,
            "box": [round(length, 1) for length in (box.width, box.height, box.left, box.right)],
            "level": arranged.levels[number],
            "name": node.name or node.action or _place_text(node.path),
            "kind": node.shape,
        }
        for number, (node, box) in enumerate(zip(picture.nodes, arranged.boxes, strict=True))
    ]
    sides = [next((node.mover for node in picture.nodes if node.shape == side), "") for side in ("max", "min")]
    told = [
        {
            "name": clean(name).replace(">=", "≥"),
            "steps": [_row(*each, sides) for each in zip(made, intervals(picture, made), strict=True)],
            "window": "" if any(step.alpha for step in made) else _NO_WINDOW,
            "nodes": run.nodes,
            "leaves": run.leaves,
            "line": _line(picture, run),
            "code": code_of(run),
            "simulations": len(run.simulations),
        }
        for (name, run), made in zip(runs.items(), steps, strict=True)
    ]
    return as_data({"nodes": nodes, "runs": told, "plain": is_of_max_and_min(picture)})


def as_data(found: Any) -> str:
    """The data as JSON for a script element; `<`, `>` and `&` are escaped, so that no text in them is read as HTML."""
    written = json.dumps(found, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _place_text(path: Path) -> str:
    return f"node {'.'.join(str(at + 1) for at in path)}" if path else "the root"


def _row(step: PictureStep, known: list[tuple[int, str]], sides: Sequence[str]) -> list[Any]:
    """The step as a list for the script. `known` are the intervals that change, `sides` the names of MAX and MIN."""
    value = pretty(f"{step.bound} {step.value}") if step.bound != "..." else f"{pretty(step.value)} …"
    said = [typeset_caption(clean(text)) for text in (step.said, step.why)]
    marks = [[node, pretty(score), bound] for node, score, bound in step.marks]
    row = [step.node, step.event, *said, value if step.value else "", pretty(step.alpha), pretty(step.beta)]
    return [*row, step.skipped, marks, window_in_words(step, sides), known]


def _line(picture: Picture, run: Solution) -> list[int]:
    """The numbers of the nodes on the line of best play, from the root as far as the picture goes."""
    numbers = [0]
    for action in run.line:
        children = picture.nodes[numbers[-1]].children
        names = [picture.nodes[child].action or str(picture.nodes[child].path[-1] + 1) for child in children]
        if clean(action) not in names:
            break
        numbers.append(children[names.index(clean(action))])
    return numbers


def in_words(template: str, words: Mapping[str, str]) -> str:
    """The template with its texts and labels translated by `words`; those without a translation stay."""
    words = {name: html.escape(told) for name, told in words.items()}
    said = re.compile(r'(> ?|aria-label="|title=")([^<>"$]*[^<>"$ ])')
    return said.sub(lambda text: text[1] + words.get(html.unescape(text[2]), text[2]), template)


def fill_template(
    package: str, name: str, title: str, parts: Mapping[str, str], styles: str, scripts: str = "",
    words: Mapping[str, str] = {},
) -> str:  # fmt: skip
    """The page NAME.html of a package with its `parts` filled in, translated by `words`. `styles` names parts of the
    style sheet and `scripts` script files of the package, separated by spaces; the presentation script comes before
    them. The content security policy allows exactly these and no network."""
    script = PRESENT + "".join(page_file(package, f"{each}.js") for each in scripts.split())
    style = style_sheet(styles)
    policy = f"default-src 'none'; style-src '{csp_hash(style)}'; script-src '{csp_hash(script)}'; base-uri 'none'"
    known = {"title": html.escape(title or "Game"), "script": script, "style": style, "policy": policy}
    return Template(in_words(page_file(package, f"{name}.html"), words)).substitute(known | dict(parts))


@cache
def style_sheet(parts: str) -> str:
    """The style sheet: the part for all pages, then the named parts (separated by spaces) for some kinds of pages."""
    every, *others = re.split(r"/\* ==== (\w+) ==== \*/\n", page_file("gdl.render", "style.css"))
    return every + "".join(others[others.index(part) + 1] for part in parts.split())


@cache
def page_file(package: str, name: str) -> str:
    """The text of a template, script or style sheet that lies in the package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


PRESENT = page_file("gdl.render", "present.js")


def csp_hash(text: str) -> str:
    """The hash by which a content security policy allows a script or a style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
