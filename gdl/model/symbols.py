"""The drawings of men, cards, dice and signs: the symbols of one SVG file, which pictures and pages use by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_SYMBOL = re.compile(r'<symbol id="([\w-]+)" viewBox="0 0 100 100" (.*?)>(.*?)</symbol>')


class Symbol(NamedTuple):
    """A drawing of 100 by 100: the attributes of its lines, and its elements. What has no colour of its own takes the
    fill and the stroke of whoever uses it."""

    lines: str
    inside: str


@cache
def read_symbols() -> Mapping[str, Symbol]:
    """All drawings by their names."""
    text = files("gdl.model").joinpath("symbols.svg").read_text(encoding="utf-8")
    return {name: Symbol(lines, inside) for name, lines, inside in _SYMBOL.findall(text)}


def symbol_names() -> list[str]:
    """The symbols that a `look` can choose: those that belong to no kind of boards, cards or dice."""
    return [name for name in read_symbols() if "-" not in name]


def symbols_of_man(look: str, name: str) -> list[str]:
    """The symbol of a kind of men on boards of a look ("": of most games): one for all, one for each of two players, or
    none."""
    known = read_symbols()
    own = [each for each in (f"{look}-{name}-0", f"{look}-{name}-1", f"{look}-{name}") if look and each in known]
    return own or [name] * ("-" not in name and name in known)
