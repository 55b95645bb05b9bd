"""Searches as pseudo-code, for a page that lights the line that a step carries out: every line with the shapes of nodes
and the events at which it is run, as they stand in pseudocode.txt."""

from __future__ import annotations

from importlib.resources import files

from gdl.solution import Solution

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
