"""The page `api` of the manual, made from the docstrings of what gdl offers to programs.

It is made with `inspect` when it is asked for, so that there is one text for the interpreter's `help`, the terminal and
the site, and no tool is needed that would only read the same docstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any

from gdl.game import Game

NAME = "api"
TITLE = "The Python names, one by one"
DOCUMENTED: Mapping[str, tuple[str, ...]] = {  # by module: its names; (): all of its `__all__`
    "gdl": (),
    "gdl.game": ("Game", "Terminal", "Decision", "Chance", "Simultaneous", "Traits"),
    "gdl.solution": (
        "Solution", "Vector", "Cut", "Skipped", "Visit", "Event", "Rule", "Interval", "Condition", "SolutionPart",
        "RecordedSearch", "OpenNumbers", "EquilibriumRecord", "Root",
    ),
    "gdl.graph": (),
    "gdl.errors": ("GameError", "Problem", "Refusal", "LimitReached", "DamagedData", "Interrupted"),
    "gdl.render.notebook": ("drawn", "enable"),
    "gdl.solvers": (),
}  # fmt: skip
_WIDTH = 100  # of a signature on one line


def text() -> str:
    """The page, as Markdown."""
    lines = [
        f"# {TITLE}", "",
        "What [gdl in Python](python.md) uses, from the docstrings that `help` shows.",
        "Players are counted from 0, in the order of the file; utilities are `int` or `Fraction`; times are seconds.",
    ]  # fmt: skip
    for module, name, found in documented_names():
        if f"## `{module}`" not in lines:
            lines += ["", f"## `{module}`", "", _docstring(import_module(module))]
        lines += ["", f"### `{module}.{name}`", "", *_entry(name, found)]
    return "\n".join([*lines, "", *_options()])


def documented_names() -> Iterator[tuple[str, str, Any]]:
    """The documented names: the module, the name, and the object of each."""
    for module, names in DOCUMENTED.items():
        there = import_module(module)
        for name in names or sorted(there.__all__):
            yield module, name, getattr(there, name)


def members(found: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class, its own and those of bases that have no entry themselves."""
    told = [one for _, _, one in documented_names() if isinstance(one, type) and one is not found]
    seen: set[str] = set()
    for base in found.__mro__:
        if base.__module__.partition(".")[0] != "gdl" or base in told:
            continue
        for name, member in vars(base).items():
            offered = callable(member) or isinstance(member, property | cached_property)
            if not inspect.getdoc(member) and name in vars(Game):
                continue  # explained in the entry of Game
            if offered and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, member


def _entry(name: str, found: Any) -> list[str]:
    """The lines of the page on one name."""
    if isinstance(found, type):
        own = inspect.get_annotations(found)  # of a record: its fields
        fields = [f"{name}: {kind}" for name, kind in own.items() if not name.startswith("_")]
        lines = [*(["```python", *fields, "```", ""] if fields else []), _docstring(found), ""]
        return lines + [f"- `{member}{_signature(one)}`: {_docstring_line(one)}" for member, one in members(found)]
    if isinstance(found, Mapping):
        rows = [f"- `{key}`: {getattr(value, 'summary', None) or value.definition}" for key, value in found.items()]
        return [_docstring(type(found)), "", *rows]
    return ["```python", *_wrap_signature(f"{name}{_signature(found)}"), "```", "", _docstring(found)]


class _Bare(str):
    """An annotation that is shown as it was written, without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(found: Any) -> str:
    """The signature of a function as text, without `self`; "" for anything that cannot be called."""
    if not callable(found):
        return ""
    made = inspect.signature(found)
    told = [one for name, one in made.parameters.items() if name != "self"]
    parameters = [p if p.annotation is p.empty else p.replace(annotation=_Bare(p.annotation)) for p in told]
    gives = made.return_annotation
    return str(made.replace(parameters=parameters, return_annotation=gives if gives is made.empty else _Bare(gives)))


def _wrap_signature(call: str) -> list[str]:
    """A signature on one line, or with a line for each parameter."""
    if len(call) <= _WIDTH:
        return [call]
    head, _, rest = call.partition("(")
    inside, _, result = rest.rpartition(")")
    parts = re.split(r", (?=(?:[^\[\]()]|\[[^]]*\]|\([^)]*\))*$)", inside)
    return [f"{head}(", *(f"    {part}," for part in parts), f"){result}"]


def _docstring(found: Any) -> str:
    """A docstring as Markdown: its sections have bold heads, and those of names are lists."""
    text = re.sub(r"^(\w+):\n(?=    )", r"**\1**\n\n", inspect.getdoc(found) or "", flags=re.MULTILINE)
    text = re.sub(r"^(\*\*Returns\*\*)\n\n +", r"\1 ", text, flags=re.MULTILINE)
    return re.sub(r"^    (\w+): ", r"- `\1`: ", text, flags=re.MULTILINE)


def _docstring_line(found: Any) -> str:
    """The docstring in one line, for a list, without its example."""
    return " ".join(_docstring(found).partition("\n**Example")[0].split())


def _options() -> list[str]:
    """The options of the solvers, as a table."""
    solvers, options = import_module("gdl.solvers").SOLVERS, import_module("gdl.solvers.options")
    rows = []
    for name, kind in options.SolverOptions.__annotations__.items():
        takers = [solver for solver, row in solvers.items() if name in row.options]
        taken = "all" if len(takers) == len(solvers) else ", ".join(takers)
        written = getattr(kind, "__forward_arg__", str(kind)).removesuffix(" | None").replace("|", "or")
        rows.append(f"| `{name}` | `{written}` | {options.MEANING[name].replace('|', 'or')} | {taken} |")
    head = ["## Options of the solvers", "", "| option | type | means | taken by |", "|---|---|---|---|"]
    return [*head, *rows, ""]
