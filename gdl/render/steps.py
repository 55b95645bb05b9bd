"""A search as steps on the nodes of a picture, for a page that shows one after the other.

The words are those of gdl.render.trace. What happens below a folded node is left out: it only comes back with its
value. A cut that skips nothing is no step of its own kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gdl.errors import listing
from gdl.game import Game
from gdl.numbers import end_text, to_text, vector_text
from gdl.render.picture import Picture
from gdl.render.trace import SIGNS, StepExplanation, tell
from gdl.solution import Event, Skipped, Solution


@dataclass(frozen=True, slots=True)
class PictureStep:
    """One thing that search does at a node of the picture (by its number), and why.

    `event` is enter, leaf, update, cut, leave or done. `value` is what is known of the node by now, with its bound,
    `...` while children are still to come; the window is the node's; `skipped` are the roots that a cut leaves out.
    Of a search by simulations `event` is select, expand, simulate, backup or done, and `marks` are what then stands
    beside nodes: the node, its W/N, its bound.
    """

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
    """The steps of the solution's search; none where it kept no record of it."""
    return list(_Steps(picture, solution).of(tell(game, solution)))


class _Steps:
    def __init__(self, picture: Picture, solution: Solution):
        self.picture = picture
        self.solution = solution
        self.numbers = {node.path: number for number, node in enumerate(picture.nodes)}
        self.windows = solution.rule is not None and solution.rule.cut is not None
        self.roots: dict[tuple[Any, ...], tuple[Skipped, ...]]
        self.roots = {(cut.node, cut.alpha, cut.beta, cut.value): cut.skipped for cut in solution.cuts}

    def of(self, told: list[StepExplanation]) -> Iterator[PictureStep]:
        for each in told:
            number = self.numbers.get(each.event.node)
            if number is None:
                continue
            if self.picture.nodes[number].children:
                yield self._step(number, each, each.event.event)
            elif each.event.event in ("leaf", "leave"):
                yield self._step(number, each, "leaf")
        if told:
            yield self._done(told[-1].event)

    def _step(self, number: int, told: StepExplanation, kind: str) -> PictureStep:
        event = told.event
        roots = self.roots.get((event.node, event.alpha, event.beta, event.value), ()) if kind == "cut" else ()
        skipped = tuple(self.numbers[root.path] for root in roots if root.path in self.numbers)
        said = f"{'Cut' if roots else 'Enough'} {told.text}" if kind == "cut" else told.text  # it begins with `at`
        kind = "update" if kind == "cut" and not roots else kind
        bound = SIGNS.get(event.bound or "", "") if kind in ("leaf", "leave") else "..."
        window = (end_text(event.alpha, "-inf"), end_text(event.beta, "inf")) if self.windows else ("", "")
        return PictureStep(number, kind, said, told.why, _value_so_far(event), bound, *window, skipped)

    def _done(self, last: Event) -> PictureStep:
        """The last step: the answer."""
        best = self.solution.best
        also = f", and the best {'action is' if len(best) == 1 else 'actions are'} {listing(best)}" if best else ""
        value, bound = _value_so_far(last), SIGNS.get(last.bound or "", "")
        return PictureStep(0, "done", f"Done: the value of the root is {value}{also}.", "", value, bound)


def _value_so_far(event: Event) -> str:
    """The value known so far at the node; at a chance node that search has not left, the bounds of it."""
    if event.event in ("enter", "update") and event.low is not None and event.high is not None:
        low, high = to_text(event.low), to_text(event.high)
        return low if low == high else f"{low} to {high}"
    if event.value is None:
        return ""
    return vector_text(event.value) if isinstance(event.value, tuple) else to_text(event.value)
