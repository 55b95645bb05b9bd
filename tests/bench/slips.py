"""Slips of newcomers, and whether the answer holds the right mend: `slips.txt` has both.

    python tests/bench/slips.py [WORD]             the slips without a mend (whose title holds the word), and the count
    python tests/bench/slips.py --all              each with its answer
    python tests/bench/slips.py --table            the table of results/slips.md

A slip counts as mended if a pattern written beside it is found in what the command prints, or the exception says. That is
a floor: a pattern may be met by chance, and a mend in other words is missed. Read the answers too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import networkx

import gdl

sys.path.append(str(Path(__file__).parents[1] / "support"))
from transcripts import Step, answer

FILES = {
    "heap.game": """\
players Ann, Bob
game "Heap" (stones = 7)
state
    left: 0..stones = stones
action take(n: 1..3) when n <= left
    left := left - n
terminal
    left = 0 -> lose mover
""",
    "tree.game": "players MAX, MIN\ntree MAX(A: MIN(3, 12, 8), B: MIN(2, 4, 6), C: MIN(14, 5, 2))\n",
    "table.game": "players Row, Col\nmatrix\n        left    right\n  up    (3, 1)  (0, 0)\n  down  (2, 2)  (1, 1)\n",
    "answers.txt": "A=3 B<=2 C=2\nbest: A\n",
    "game.pgn": '[Event "A game"]\n\n1. e4 e5 2. Nf3 Nc6 *\n',
    "mine.py": "def first(game):\n    return game.node(game.initial()).actions[0]\n",
}


@dataclass
class Slip:
    """The words that somebody wrote, and patterns of answers that would help."""

    person: str
    title: str
    game: list[str] = field(default_factory=list)
    exam: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    python: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)

    def is_mended_by(self, said: str) -> bool:
        return any(re.search(pattern, said) for pattern in self.right)


def read_slips(text: str) -> list[Slip]:
    """The slips of the file."""
    found: list[Slip] = []
    for line in text.splitlines():
        if head := re.fullmatch(r"\[(\w+)\] (.+)", line):
            found.append(Slip(head[1], head[2]))
        elif line and not line.startswith("#"):
            kind, _, rest = line.partition(" ")
            lists = {"|": "game", "<": "exam", "$": "commands", ">": "python", "right:": "right"}
            getattr(found[-1], lists[kind]).append(rest)
    return found


def answer_slip(slip: Slip) -> str:
    """The answer of gdl to the slip, in a folder of its own."""
    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in FILES.items():
                Path(name).write_text(text, encoding="utf-8")
            if slip.game:
                Path("own.game").write_text("\n".join(slip.game) + "\n", encoding="utf-8")
            if slip.exam:
                Path("bad.exam").write_text("\n".join(slip.exam) + "\n", encoding="utf-8")
            commands = slip.commands or (["gdl check own.game"] if slip.game else [])
            said = [line for command in commands for line in answer(Step(command, 0))]
            return "\n".join([*said, *map(evaluate_line, slip.python)])
        finally:
            os.chdir(home)


def evaluate_line(line: str) -> str:
    """The value of a line of Python, or its exception, as they are printed."""
    with contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            value = repr(eval(line, {"gdl": gdl, "networkx": networkx}))
        except Exception as error:
            value = f"{type(error).__name__}: {error}"
    return f"{errors.getvalue()}{value}"


def main(options: argparse.Namespace) -> int:
    slips = read_slips((Path(__file__).parent / "slips.txt").read_text(encoding="utf-8"))
    right: dict[str, int] = {}
    people: dict[str, int] = {}
    for slip in slips:
        if options.word not in slip.title:
            continue
        said = answer_slip(slip)
        mended = slip.is_mended_by(said)
        people[slip.person] = people.get(slip.person, 0) + 1
        right[slip.person] = right.get(slip.person, 0) + mended
        if options.all or not (mended or options.table):
            wrote = [*slip.game, *slip.exam, *slip.commands, *slip.python]
            print(f"[{slip.person}] {slip.title}: {'mended' if mended else 'NOT MENDED'}")
            print(
                "\n".join([*(f"    {line}" for line in wrote), *(f"  {line}" for line in said.splitlines()[:20])]), "\n"
            )
    if options.table:
        print("| who | slips | with the right mend |\n|---|---|---|")
        for person, count in people.items():
            print(f"| {person} | {count} | {right[person]} |")
    print(f"{sum(right.values())} of {sum(people.values())} slips are answered with a right mend")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("word", nargs="?", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--table", action="store_true")
    sys.exit(main(parser.parse_args()))
