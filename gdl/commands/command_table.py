"""The table of commands (commands.json), all that gdl/commands/cli.py reads of a command before it runs; and the table
of options that need one another, or do not go together: a row for each, by command."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pkgutil import get_data
from typing import Any

from gdl import wings
from gdl.commands.console import WrongCommand
from gdl.errors import Refusal
from gdl.wings import Clash, CommandRow

_TABLE = json.loads(get_data("gdl.commands", "commands.json") or b"")
_ROWS: Mapping[str, CommandRow] = {name: CommandRow(**row) for name, row in _TABLE.items()}
_SECTIONS: Mapping[str, str] = {  # heading -> the commands below it, in the list of commands
    "Solve": "solve ask explain step judge solvers",
    "Teach": "draw",
    "Write games": "new check format test show games card core",
    "Play": "",
    "Count and report": "perft states playouts graph export",
    "Serve other programs": "",
    "Read": "guide",
}


class _Commands(Mapping[str, CommandRow]):
    """The commands by name, those of the core first. A wing is imported when its command is asked for, or all are."""

    def __getitem__(self, name: str) -> CommandRow:
        row: CommandRow | None = _ROWS[name] if name in _ROWS else wings.find_row("commands", name)
        if row is None:
            raise KeyError(name)
        return row

    def __contains__(self, name: object) -> bool:
        try:
            return name in _ROWS or wings.find_row("commands", str(name)) is not None
        except Refusal:  # its wing is not installed
            return False

    def __iter__(self) -> Iterator[str]:
        yield from _ROWS
        for wing in wings.wings("commands"):
            yield from wing.commands

    def __len__(self) -> int:
        return sum(1 for _ in self)


COMMANDS: Mapping[str, CommandRow] = _Commands()


def command_function(name: str) -> str:
    """The function of a command, as "module:name"."""
    function = COMMANDS[name].function
    return function if ":" in function else f"gdl.commands.{function}:{name}"


def sections() -> dict[str, list[str]]:
    """The list of commands: for each heading the commands below it, those of wings behind the core's."""
    found = {heading: names.split() for heading, names in _SECTIONS.items()}
    for wing in wings.wings("commands"):
        for name, row in wing.commands.items():
            found[row.section].append(name)
    return {heading: names for heading, names in found.items() if names}


@cache
def foreign_commands() -> Mapping[str, str]:
    """Other programs' words for commands, each with the hint to gdl's."""
    return {word: said for row in COMMANDS.values() for words, said in row.synonyms.items() for word in words.split()}


# ---- Options that need one another, or do not go together ----------------------------------------------------------


CLASHES: Mapping[str, Sequence[Clash]] = {
    "states": [Clash("histories", (), ("symmetry",), "histories are counted without symmetry", "leave out --symmetry")],
    "core": [Clash("diff", excludes=("after", "with"))],
    "show": [
        Clash("picture", (), ("notation", "source", "normal-form", "reduced", "json", "table"),
              "a picture shows nothing else of the game", "ask for the rest without -o and --format"),
    ],
    "judge": [
        Clash("as", ("concept=commitment",)),
        Clash("lambda", ("concept=quantal", "finite"), (), "--lambda is for --concept quantal, a number from 0 up"),
    ],
    "solve": [
        Clash("output", ("sweep",), (), "-o draws the values of a sweep", "gdl draw FILE -o PICTURE draws a game"),
        *(Clash("sweep", (), (one,), f"--{one} is about one search; leave it out with --sweep")
          for one in ("trace", "values", "table")),
        *(Clash("plan", (), (one,), f"--plan solves nothing; leave out --{one}")
          for one in ("trace", "sweep", "table", "output", "values")),
        *(Clash("concept", (), (one,), f"--{one} is for searches of positions; leave it out with --concept")
          for one in ("trace", "table")),
    ],
}  # fmt: skip


def refuse_clashes(command: str, given: Mapping[str, Any]) -> None:
    """Raise WrongCommand if options that were given exclude each other, or lack others that they need."""
    for row in CLASHES[command] if command in CLASHES else COMMANDS[command].clashes:
        if not _is_given(row.option, given):
            continue
        if not all(_is_given(one, given) for one in row.needs):
            raise WrongCommand(row.lack, help=row.help)
        for one in row.excludes:
            if _is_given(one, given):
                said = row.said or f"--{row.option} and --{one} do not go together"
                raise WrongCommand(said, help=row.help if row.said else "leave one of them out")


def _is_given(option: str, given: Mapping[str, Any]) -> bool:
    name, equals, expected = option.partition("=")
    value = given.get(name)
    return str(value) == expected if equals else value is not None and value is not False and value != ()
