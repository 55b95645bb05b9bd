"""Students' answers marked by a person, in `marked/*.txt`, and the marks that `gdl grade` gives them.

A file begins with the `items:` of its question, the `game:` (a name, or the text that follows), and what is asked
(`ask: KIND`, `options: …`). Then come the answers, each under a line with its marks: `=== all but E 0 cut 1/2` means
that all items are right but these; `=== - but D 1`, that all but these are blank. A mark is a share of the item's one
point, or `-` for blank.

    .venv/bin/python tests/wings/exam/test_marked_answers.py    # prints what is marked in another way, and the counts
"""

from __future__ import annotations

import csv
import re
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands

FOLDER = Path(__file__).parent / "marked"


class MarkedAnswer(NamedTuple):
    """One answer to a question, with the share of its point that a person gives to each item (None: blank)."""

    text: str
    shares: dict[str, Fraction | None]
    line: int


class MarkedQuestion(NamedTuple):
    """A question: its name, the game's name or text, the options of `gdl grade`, and the answers to it."""

    name: str
    game: str
    options: list[str]
    answers: list[MarkedAnswer]


class Verdict(NamedTuple):
    """The mark of one item: the share that is due (None: blank), and the one given (None: it is asked about)."""

    question: MarkedQuestion
    answer: MarkedAnswer
    item: str
    due: Fraction | None
    given: Fraction | None

    @property
    def sort(self) -> str:
        if self.given is None:
            return "asked"
        more = self.given - (self.due or 0)
        return "as due" if abs(more) < Fraction(1, 50) else "too high" if more > 0 else "too low"


def read_marked(file: Path) -> MarkedQuestion:
    """The question of a file, and its answers."""
    head, *pieces = re.split(r"^===", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    items, named, asked, given = (
        "".join(re.findall(rf"^{word}: *(.*)$", head, re.MULTILINE)) for word in ("items", "game", "ask", "options")
    )
    own_game = re.sub(r"^(?:items|ask|options|game):.*\n", "", head, flags=re.MULTILINE).strip("\n") + "\n"
    line, answers = head.count("\n") + 1, []
    for piece in pieces:
        marks, _, text = piece.partition("\n")
        usual, _, others = marks.strip().partition(" but ")
        words, share = shlex.split(others), Fraction(1) if usual == "all" else None
        shares = dict.fromkeys(shlex.split(items), share)
        own = {
            item: None if mark == "-" else Fraction(mark) for item, mark in zip(words[::2], words[1::2], strict=True)
        }
        assert own.keys() <= shares.keys(), f"{file.name}:{line}: {marks}"
        answers.append(MarkedAnswer(text, shares | own, line))
        line += piece.count("\n")
    options = [*(["--ask", asked] if asked else []), *shlex.split(given)]
    return MarkedQuestion(file.stem, named or own_game, options, answers)


def graded(question: MarkedQuestion, folder: Path) -> Iterator[Verdict]:
    """The verdicts on all answers to a question, by `gdl grade`; files are written in `folder`."""
    (folder / "own.game").write_text(question.game)
    game = str(folder / "own.game") if "\n" in question.game else question.game
    files = [folder / f"{number:03}.txt" for number in range(len(question.answers))]
    for file, answer in zip(files, question.answers, strict=True):
        file.write_text(answer.text, encoding="utf-8")
    done = CliRunner().invoke(commands, ["grade", game, *map(str, files), *question.options, "--csv"])
    assert done.exit_code in (0, 1), done.output
    for answer, row in zip(question.answers, csv.DictReader(done.stdout.splitlines()), strict=True):
        for item, due in answer.shares.items():
            yield Verdict(question, answer, item, due, None if row[item] == "?" else Fraction(row[item] or 0))


def all_verdicts(folder: Path) -> list[Verdict]:
    """The verdicts on all answers to all questions."""
    return [one for file in sorted(FOLDER.glob("*.txt")) for one in graded(read_marked(file), folder)]


@pytest.mark.thorough
def test_what_students_write_is_marked_as_by_hand(tmp_path: Path) -> None:
    counts = Counter(one.sort for one in all_verdicts(tmp_path))
    items = sum(counts.values())
    assert counts["too high"] == 0 and counts["too low"] <= items / 100 and counts["asked"] <= items / 16, counts
    assert items > 1_000


def main() -> None:
    """Print what is marked in another way than by the person, then the counts."""
    with tempfile.TemporaryDirectory() as folder:
        found = all_verdicts(Path(folder))
    wanted = sys.argv[1:] or ["too high", "too low", "asked"]
    for one in found:
        if one.sort in wanted:
            said = " / ".join(one.answer.text.splitlines())
            print(f"{one.question.name}:{one.answer.line}: {one.item} is {one.sort}: {one.given} for {one.due}: {said}")
    print(len(found), Counter(one.sort for one in found), sum(one.sort == "asked" and one.due is None for one in found))


if __name__ == "__main__":
    main()
