"""A search as steps on the nodes of a picture, for a page that shows one after the other.

The words are those of gdl.render.trace. Steps below a folded node are left out, so the node only returns its value. A
cut that skips nothing is not shown as a cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from math import inf
from typing import Any

from gdl.errors import clean, listing
from gdl.game import Game
from gdl.numbers import end_text, to_text, vector_text
from gdl.render.cut_text import SIGNS
from gdl.render.picture import Picture, PictureNode
from gdl.render.svg.arrange import pretty
from gdl.render.trace import tell
from gdl.solution import Event, Skipped, Solution


@dataclass(frozen=True, slots=True)
class PictureStep:
    """One step of a search, at a node of the picture (by its number), in words, and why.

    `event` is enter, leaf, update, cut, leave or done. `value` and `bound` are the value of the node as far as it is
    known after the step, `...` while children are still to come; `alpha` and `beta` are the node's window; `skipped`
    are the roots of the subtrees that a cut leaves out. In a search by simulations `event` is select, expand, simulate,
    backup or done, and `marks` are the texts beside nodes after the step: the node, its W/N, its bound."""

    node: int
    event: str
    said: str
    why: str = ""
    value: str = ""
    bound: str = ""
    alpha: str = ""
    beta: str = ""
    skipped: tuple[int, ...] = ()
    marks: tuple[tuple[int, str, str], ...] = ()


def steps(picture: Picture, game: Game[Any], solution: Solution) -> list[PictureStep]:
    """The steps of the solution's search, of which the last shows the answer; empty if the search was not recorded."""
    numbers = {node.path: number for number, node in enumerate(picture.nodes)}
    windows = solution.rule is not None and solution.rule.cut is not None
    all_roots: dict[tuple[Any, ...], tuple[Skipped, ...]]
    all_roots = {(cut.node, cut.alpha, cut.beta, cut.value): cut.skipped for cut in solution.cuts}
    told, found = tell(game, solution), list[PictureStep]()
    for event, text, why, _ in told:
        number, kind = numbers.get(event.node), event.event
        if number is None or (not picture.nodes[number].children and kind not in ("leaf", "leave")):
            continue
        roots = all_roots.get((event.node, event.alpha, event.beta, event.value), ()) if kind == "cut" else ()
        skipped = tuple(numbers[root.path] for root in roots if root.path in numbers)
        said = f"{'Cut' if roots else 'Enough'} {text}" if kind == "cut" else text  # it begins with `at`
        kind = "update" if kind == "cut" and not roots else kind if picture.nodes[number].children else "leaf"
        bound = SIGNS.get(event.bound or "", "") if kind in ("leaf", "leave") else "..."
        window = (end_text(event.alpha, "-inf"), end_text(event.beta, "inf")) if windows else ("", "")
        found.append(PictureStep(number, kind, said, why, _value_so_far(event), bound, *window, skipped))
    if told:
        best, last = solution.best, told[-1].event
        also = f", and the best {'action is' if len(best) == 1 else 'actions are'} {listing(best)}" if best else ""
        value, bound = _value_so_far(last), SIGNS.get(last.bound or "", "")
        found.append(PictureStep(0, "done", f"Done: the value of the root is {value}{also}.", "", value, bound))
    return found


def _value_so_far(event: Event) -> str:
    """The value known so far at the node, as text; at a chance node that search has not left, the interval in which it
    must lie."""
    if event.event in ("enter", "update") and event.low is not None and event.high is not None:
        low, high = to_text(event.low), to_text(event.high)
        return low if low == high else f"{low} to {high}"
    if event.value is None:
        return ""
    return vector_text(event.value) if isinstance(event.value, tuple) else to_text(event.value)


def window_in_words(step: PictureStep, sides: Sequence[str]) -> str:
    """The window of a step, and the values that the players of the two `sides` (MAX, MIN) are sure of; a side without a
    player is "", then only the window."""
    alpha, beta = pretty(step.alpha), pretty(step.beta)
    if not alpha or not all(sides):
        return f"α = {alpha}, β = {beta}." if alpha else ""
    pairs = zip(sides, (step.alpha, step.beta), strict=True)
    sure = [f"{who} is sure of {'nothing yet' if end.endswith('inf') else pretty(end)}" for who, end in pairs]
    return clean(f"α = {alpha}, β = {beta}: on the way here {', '.join(sure)}.")


def is_of_max_and_min(picture: Picture) -> bool:
    """True if the picture shows a tree in which MAX and MIN move in turn, and every end has one known number."""
    ends = [node for node in picture.nodes if not node.children]
    inner = {node.shape for node in picture.nodes if node.children}
    return inner <= {"max", "min"} and all(_payoff(node) is not None for node in ends)


def _payoff(node: PictureNode) -> Fraction | None:
    try:
        return Fraction(node.payoff[0]) if len(node.payoff) == 1 else None
    except ValueError:
        return None


def intervals(picture: Picture, made: Sequence[PictureStep]) -> Iterator[list[tuple[int, str]]]:
    """For each step, the nodes whose interval (least and greatest possible value) changed by the leaf of the step
    before, with the interval as text, `[3, 14]` (Russell and Norvig); empty for trees not of MAX and MIN."""
    if not is_of_max_and_min(picture):
        return (yield from ([] for _ in made))
    ends: list[tuple[Fraction | float, Fraction | float]] = [(-inf, inf)] * len(picture.nodes)
    taken: int | None = None  # the leaf of the last step
    for step in made:
        told, node = [], taken
        if node is not None and (payoff := _payoff(picture.nodes[node])) is not None:
            ends[node] = payoff, payoff
            while (node := picture.nodes[node].parent) is not None:
                pick = max if picture.nodes[node].shape == "max" else min
                below = [ends[child] for child in picture.nodes[node].children]
                ends[node] = pick(low for low, _ in below), pick(high for _, high in below)
                told.append((node, f"[{', '.join(pretty(to_text(end)) for end in ends[node])}]"))
        taken = step.node if step.event == "leaf" else None
        yield told


# Searches as pseudo-code, for a page that lights the line that a step carries out: every line with the shapes of nodes
# and the events at which it is run, as they stand in pseudocode.txt.

Line = tuple[str, str, str]  # the line's text, the shapes of nodes where it runs ("": any), and its events ("": none)

_SIGNS = {"ge": "≥", "gt": ">"}


def code_of(solution: Solution) -> list[Line]:
    """The lines of pseudo-code of the search that made the answer; empty if there are none for it."""
    lines, cut = CODE.get(solution.solver, []), solution.rule and solution.rule.cut
    if solution.solver == "alpha-beta":
        return [(text.replace("≥", _SIGNS[cut]), shapes, events) for text, shapes, events in lines] if cut else []
    return lines


def _read() -> dict[str, list[Line]]:
    """The lines of pseudo-code of each search, by its name."""
    _, *parts = files("gdl.render").joinpath("pseudocode.txt").read_text(encoding="utf-8").split("\n\n")
    found: dict[str, list[Line]] = {}
    for name, *lines in (part.splitlines() for part in parts):
        rows = (line.split(" |") for line in lines)
        found[name] = [(text, shapes.strip(), events.strip()) for text, shapes, events in rows]
    return found


CODE = _read()
