"""Walking through a search in the terminal, a step at a time, forwards and back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence

from gdl.errors import clean
from gdl.render.trace import StepExplanation

WIDTH = 80
DEEPEST = 12  # levels that are indented
HELP = "Enter continues, b goes back, g 12 goes to step 12, w says why, q ends."
_GO = re.compile(r"g\s*(?P<step>[0-9]{1,9})")


def walk(
    told: Sequence[StepExplanation], heading: str, ask: Callable[[str], str | None], tell: Callable[[str], None]
) -> None:
    """Show the steps of a search as the person asks for them, until they quit or the input ends. `ask` shows a prompt
    and reads a line (None: no more), `tell` shows a text."""
    tell(_wrap_text(f"{heading} {HELP}"))
    tell("")
    here = 0
    tell(_step_text(told, here))
    while (reply := ask(f"{here + 1}/{len(told)}> ")) is not None:
        word = reply.strip().lower()
        if word == "q":
            return
        if word == "w":
            tell(_wrap_text(told[here].why or "There is nothing more to say of this step."))
            continue
        there = _target_step(word, here, len(told))
        if there is None:
            tell(_wrap_text(f"'{clean(reply.strip())}' is not understood. {HELP}"))
        elif there == here:
            tell("This is the last step." if here else "This is the first step.")
        else:
            here = there
            tell(_step_text(told, here))


def _target_step(word: str, here: int, count: int) -> int | None:
    """The number of the step that a typed word leads to; None if the word does not move."""
    if word in ("", "n"):
        return min(here + 1, count - 1)
    if word == "b":
        return max(here - 1, 0)
    go = _GO.fullmatch(word)
    return min(max(int(go["step"]) - 1, 0), count - 1) if go else None


def _step_text(told: Sequence[StepExplanation], step: int) -> str:
    depth = min(len(told[step].event.node), DEEPEST)
    return _wrap_text(told[step].text, "  " * depth)


def _wrap_text(text: str, margin: str = "") -> str:
    return textwrap.fill(clean(text), WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
