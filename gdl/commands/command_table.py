"""The table of commands, all that gdl/commands/cli.py reads of a command before it runs; and the table of options that
need one another, or do not go together: a row for each, by command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from gdl import wings
from gdl.commands.console import WrongCommand
from gdl.errors import Refusal
from gdl.wings import Clash, CommandRow, Group

DIALOGUE: Group = "dialogue"
DOCUMENT: Group = "document"


_ROWS: Mapping[str, CommandRow] = {
    "solve": CommandRow("solving", "Find the value of a game and how to play it.", "gdl solve tic_tac_toe --json",
        synonyms={"import load": "every command reads files of Gambit (.efg, .nfg) as they are",
        "book": "gdl solve FILE --table DIR keeps the value of every position",
        "search prune pruning": "gdl solve FILE searches, gdl explain FILE tells the search step by step",
        "equilibria equilibrium": "gdl solve FILE finds equilibria, and --solver nash all of a table"},
        first_line=("a theorist", "gdl solve prisoners")),
    "ask": CommandRow("solving", "Ask what players can force, or what can happen.",
        'gdl ask tic_tac_toe "X can force win X" --json',
        synonyms={"query": 'gdl ask FILE "Ann can force COND" answers a question'}),
    "explain": CommandRow("explaining", "Explain a search step by step.", "gdl explain figure_5_2 --cut gt",
        first_line=("a student with a tree", "gdl explain figure_5_2")),
    "step": CommandRow("explaining", "Walk through a search in the terminal.", "gdl step figure_5_2", DIALOGUE),
    "check": CommandRow("checking", "Look for mistakes in game files.", "gdl check nim --json",
        synonyms={"lint validate": "gdl check looks for mistakes"}),
    "format": CommandRow("making", "Lay out game files.", "gdl format nim.game --diff", DOCUMENT,
        {"fmt": "gdl format lays out game files"}),
    "test": CommandRow("checking", "Check the known answers of game files.", "gdl test nim prisoners"),
    "new": CommandRow("making", "Begin a game file.", "gdl new my_nim --from nim",
        synonyms={"create init": "gdl new NAME begins a game file"},
        first_line=("a designer of games", "gdl new my_game")),
    "show": CommandRow("showing", "Draw a game's position.", 'gdl show tic_tac_toe --after "take(b2) take(a1)"',
        synonyms={"view print": "gdl show FILE draws a position, gdl draw FILE a tree",
        "table matrix": "gdl draw FILE -o TABLE.tex draws a table, gdl solve FILE -o TABLE.tex its equilibria"}),
    "draw": CommandRow("drawing", "Draw a game with its answer.", "gdl draw figure_5_2 -o tree.svg", DOCUMENT,
        {"diagram plot": "gdl draw FILE -o PICTURE.svg draws a game with its answer",
        "slides presentation": "gdl draw FILE -o STEPS.html shows each step, and presents them on a projector",
        "tree": "gdl draw FILE -o TREE.svg draws the tree, gdl show FILE prints it"}),
    "perft": CommandRow("counting", "Count the action sequences of a length.", "gdl perft tic_tac_toe 5 --divide",
        synonyms={"count": "gdl perft and gdl states count"}),
    "states": CommandRow("counting", "Count the reachable states of a game.", "gdl states tic_tac_toe"),
    "playouts": CommandRow("counting", "Play a game at random to its end, many times.",
        "gdl playouts tic_tac_toe --count 1000 --seed 1",
        synonyms={"random simulate": "gdl playouts FILE plays at random"}),
    "graph": CommandRow("exporting", "Write a game's state graph to a file.",
        "gdl graph nim --set heaps=1,2 -o nim.dot", DOCUMENT),
    "export": CommandRow("exporting", "Write a game as a Gambit file.", "gdl export kuhn -o kuhn.efg", DOCUMENT,
        {"convert": "gdl export FILE -o GAME.efg writes Gambit's form"}),
    "judge": CommandRow("judging", "Say what each player could gain by leaving a profile.",
        "gdl judge prisoners --profile uniform"),
    "core": CommandRow("exporting", "Print the kernel code of a game.", "gdl core nim", DOCUMENT,
        {"compile": "gdl core FILE prints what a game is lowered to"}),
    "games": CommandRow("listing", "List the games that come with gdl.", "gdl games",
        synonyms={"list ls concepts": "gdl games and gdl solvers list what there is, concepts too"}),
    "solvers": CommandRow("listing", "List the solvers and what they need, and the solution concepts.",
        "gdl solvers alpha-beta"),
    "card": CommandRow("carding", "Print the game language on two pages.", "gdl card --grammar"),
    "guide": CommandRow("guiding", "Read the manual.", "gdl guide first-game",
        synonyms={"docs man": "gdl --help lists the commands, gdl guide the pages of the manual",
        "tutorial": "gdl guide first-game"},
        first_line=("a programmer", "gdl guide python")),
}  # fmt: skip
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
