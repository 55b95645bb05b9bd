"""Options that need one another, and options that do not go together: a row for each, by command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gdl.commands.console import WrongCommand


class Clash(NamedTuple):
    """An option that is refused unless all options that it `needs` are given, or if one that it `excludes` is.
    `model=net` is the option with this value. `said` is the message; "" for one made from the options' names."""

    option: str
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    said: str = ""
    help: str = ""

    @property
    def lack(self) -> str:
        """The message for an option that is given without another that it needs."""
        needs = " and ".join(f"--{one.replace('=', ' ')}" for one in self.needs)
        return self.said or f"--{self.option} is for {needs}"


BY = "--by is for --model net, and td goes without --simulations, --curve and workers"
PAIR = "--without and --seat go together", "write --without ACTION --seat PLAYER"
CLASHES: Mapping[str, Sequence[Clash]] = {
    "workers": [Clash("workers", excludes=("cluster",))],
    "states": [Clash("histories", (), ("symmetry",), "histories are counted without symmetry", "leave out --symmetry")],
    "core": [Clash("diff", excludes=("after", "with"))],
    "report": [
        Clash("without", ("seat",), (), *PAIR),
        Clash("seat", ("without",), (), *PAIR),
        Clash("without", excludes=("sweep",)),
    ],
    "quiz": [
        Clash("practice", ("output=.html",), ("json",), "--practice writes one page",
              "name it with -o, as in -o practice.html"),
        Clash("language", ("practice",), (), "--language and --words are for pages to practise on",
              "add --practice -o practice.html"),
    ],
    "sheet": [
        Clash("practice", ("output=.html",), ("key", "variants"), "--practice writes one page",
              "name it with -o, as in -o practice.html"),
    ],
    "grade": [
        Clash("json", (), ("csv", "several"), "--json prints the marks of one file", "--csv marks a whole class"),
    ],
    "show": [
        Clash("picture", (), ("notation", "source", "normal-form", "reduced", "json", "table"),
              "a picture shows nothing else of the game", "ask for the rest without -o and --format"),
    ],
    "play": [Clash("level", excludes=("table",))],
    "judge": [
        Clash("as", ("concept=commitment",)),
        Clash("lambda", ("concept=quantal", "finite"), (), "--lambda is for --concept quantal, a number from 0 up"),
    ],
    "learn": [
        Clash("by", ("model=net",), (), BY, "leave --by out"),
        Clash("by=td", (), ("simulations", "curve", "workers"), BY, "leave --by out"),
        Clash("workers", ("model=net",), (), "several workers play the games of --model net only",
              "leave out --workers"),
        Clash("simulations", ("model=net",), (),
              "--simulations is for a net that plays against itself", "leave it out"),
        Clash("hidden", ("model=net",), help="leave it out"),
        Clash("curve", ("model=net",), (), "--curve is for a net that plays against itself", "leave it out"),
    ],
    "solve": [
        Clash("output", ("sweep",), (), "-o draws the values of a sweep", "gdl draw FILE -o PICTURE draws a game"),
        *(Clash("sweep", (), (one,), f"--{one} is about one search; leave it out with --sweep")
          for one in ("trace", "values", "table")),
        Clash("where", ("table",), ("symmetry",), "--where is for --table DIR without --symmetry",
              "name a folder for the table"),
        Clash("workers", ("table",), (), "several workers make tables, or learn by mccfr",
              "name a folder with --table, or --solver mccfr, or leave them out"),
        Clash("book", (), ("trace", "table", "concept"),
              "a book answers for one position; leave out --trace, --table and --concept with --book"),
        *(Clash("concept", (), (one,), f"--{one} is for searches of positions; leave it out with --concept")
          for one in ("trace", "table")),
    ],
}  # fmt: skip


def refuse_clashes(command: str, given: Mapping[str, Any]) -> None:
    """Raise WrongCommand if options that were given exclude each other, or lack others that they need."""
    for row in CLASHES[command]:
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
