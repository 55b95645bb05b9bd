"""The verdicts of `gdl verify` on each field of an answer, where it is true and where anything in it was changed.

    PYTHONPATH=tests/support:tests/wings/verify python tests/bench/changed_fields.py [--most N] [--write] [SOLVER …]

Answers of every solver and concept to small games, and of `gdl ask`, are changed in a single place: a number, a word, a
key, an entry of a list; of each answer at most N changes are tried, drawn at random. No change that says more may be
held, and none may be left open where the true value is held. `--write` keeps the table with the results.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click.testing
from altered_answers import (
    HELD,
    LESS,
    OPEN,
    OPENED,
    OUT_OF_FORM,
    REFUSED,
    Alteration,
    alterations,
    field_paths,
    kinds,
    outcome,
    solved,
    verdict_on,
)

from gdl.commands.cli import commands

RESULTS = Path(__file__).parent / "results" / "changed_fields.md"
MOST = 300  # changes of an answer
WRONG = (HELD, OPENED)
COLUMNS = (REFUSED, OUT_OF_FORM, OPEN, LESS, HELD, OPENED)
QUESTIONS = (
    ("tic_tac_toe", "draw reachable"), ("tic_tac_toe", "always mark[a1] = none within 2"),
    ("nim", "First can force win First"), ("nim", "Second can avoid win First"), ("nim", "win Second reachable"),
    ("rock_paper_scissors", "win Ann reachable"), ("kuhn", "probability win P1 by P1"), ("kuhn", "P1 can force win P1"),
    ("monty_hall", "probability win Contestant by Contestant"), ("pong_hau_ki", "Black, White can avoid the end"),
)  # fmt: skip
BESIDE = {
    "play": ("line", "best"),
    **dict.fromkeys(("answer", "exact", "interval"), ("value", "interval")),
}  # of a reply
WORDS = ("game", "solver", "fingerprint", "schema", "question")  # of the same: words, and which game it is about


class Tally:
    """The numbers of verdicts, by field: of the true answers and of their changes."""

    def __init__(self) -> None:
        self.true: dict[str, Counter[bool | None]] = defaultdict(Counter)
        self.changes: dict[str, Counter[str]] = defaultdict(Counter)
        self.wrong: list[str] = []
        self.answers, self.solvers, self.begun = 0, set[str](), time.perf_counter()

    def add(self, about: str, field: str, altered: Alteration, found: str) -> None:
        self.changes[field][found] += 1
        if found in WRONG:
            self.wrong.append(f"{about}: {'.'.join(map(str, altered.path)) or 'a field'} {altered.what}, {found}")
            print(self.wrong[-1], json.dumps(altered.answer)[:1500], flush=True)

    @property
    def total(self) -> int:
        return sum(sum(counts.values()) for counts in self.changes.values())


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("solvers", nargs="*")
    arguments.add_argument("--most", type=int, default=MOST)
    arguments.add_argument("--write", action="store_true")
    asked = arguments.parse_args()
    tally, paths = Tally(), frozenset(field_paths())
    for game, words in kinds():
        if not asked.solvers or words[1] in asked.solvers:
            change_answer(game, words, asked.most, tally, paths)
    for game, question in QUESTIONS if not asked.solvers or "ask" in asked.solvers else ():
        change_reply(game, question, asked.most, tally)
    rows = list(table(tally))
    print("\n".join(rows))
    if asked.write:
        RESULTS.write_text("\n".join([*rows, ""]), encoding="utf-8")
    return 1 if tally.wrong else 0


def change_answer(game: str, words: tuple[str, ...], most: int, tally: Tally, paths: frozenset[str]) -> None:
    """Try changes of the answer of `gdl solve` with these options."""
    answer = solved(game, *words, "--time", "20")
    whole = answer and verdict_on(game, answer)
    if not answer or not whole:
        return
    about = f"{game} {' '.join(words)}"
    if not whole.ok:
        tally.wrong.append(f"{about}: the true answer is refused: {whole.lines[0]}")
        print(tally.wrong[-1], flush=True)
        return
    tally.answers += 1
    tally.solvers.add(words[1])
    for field in answer:
        tally.true[field][whole.status(field)] += 1
    for altered in drawn(alterations(answer), most):
        tally.add(about, part_of(altered, answer, paths), altered, outcome(game, answer, whole, altered))


def drawn(changes: Iterable[Alteration], most: int) -> list[Alteration]:
    every = list(changes)
    return every if len(every) <= most else random.Random(len(every)).sample(every, most)


def part_of(altered: Alteration, answer: dict[str, Any], paths: frozenset[str]) -> str:
    """The field that was changed, with the part of it: names of players, actions and sets are left out."""
    if not altered.path:
        return next(iter(answer.keys() - altered.answer.keys()), "(added)")
    found = str(altered.path[0])
    for step in altered.path[1:]:
        found = f"{found}.{step}" if f"{found}.{step}" in paths else found
    return found


def change_reply(game: str, question: str, most: int, tally: Tally) -> None:
    """Try changes of the answer of `gdl ask` to a question."""
    done = click.testing.CliRunner().invoke(commands, ["ask", game, question, "--json"])
    answer = json.loads(done.stdout)
    ok, told = verified(game, answer)
    assert ok, (game, question, done.stdout[:500])
    tally.answers += 1
    tally.solvers.add("ask")
    for field in answer:
        tally.true[f"ask: {field}"][told.get(field)] += 1
    for altered in drawn(alterations(answer), most):
        field = str(altered.path[0]) if altered.path else next(iter(answer.keys() - altered.answer.keys()), "(added)")
        found = reply_outcome(game, field, told, altered)
        tally.add(f"ask {game} {question}", f"ask: {field}", altered, found)


def reply_outcome(game: str, field: str, told: dict[str, bool | None], altered: Alteration) -> str:
    """The word for the verdict on an altered answer to a question; `told`: the verdicts on the fields of the true one."""
    ok, after = verified(game, altered.answer)
    if ok is None:
        return OUT_OF_FORM
    if not ok:
        return REFUSED
    another = field == "play" and altered.answer["question"].endswith("reachable")  # another play that shows the same
    if not altered.path or field in WORDS or another:
        return LESS
    if after.get(field) is None:
        return OPENED if told.get(field) else OPEN
    return HELD


def verified(game: str, answer: dict[str, Any]) -> tuple[bool | None, dict[str, bool | None]]:
    """True if `gdl verify` holds an answer to a question (None: it is out of form), and its verdict on each field."""
    done = click.testing.CliRunner().invoke(commands, ["verify", game, "-", "--json"], input=json.dumps(answer))
    said = json.loads(done.stdout)
    if done.exit_code not in (0, 1, 4) or "findings" not in said:
        return None, {}
    states: dict[str, bool | None] = {}
    for finding in said["findings"]:
        for field in finding["fields"]:
            states[field] = states.get(field, True) and finding["ok"]
    fields = {field: BESIDE.get(field, (field,)) for field in answer}
    there = {field: [states[name] for name in names if name in states] for field, names in fields.items()}
    return said["ok"], {field: None if not found or None in found else all(found) for field, found in there.items()}


def table(tally: Tally) -> Iterator[str]:
    """The lines of the table."""
    seconds = time.perf_counter() - tally.begun
    yield "# Fields of answers, and what the verifier says of a changed value\n"
    yield "`PYTHONPATH=tests/support:tests/wings/verify python tests/bench/changed_fields.py --write`:"
    yield f"{tally.answers} answers of {len(tally.solvers)} solvers (one of them `ask`), {tally.total:,} changes,"
    yield f"{len(tally.wrong)} wrong verdicts, {seconds:,.0f} s."
    yield "Says less: a true answer still, such as one without a field. The last two columns must be empty.\n"
    yield f"| field | answers | holds | open | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---:|' * (len(COLUMNS) + 3)}"
    for field in sorted({*tally.true, *tally.changes}):
        true, changes = tally.true.get(field, Counter()), tally.changes[field]
        own = [sum(true.values()), true[True], true[None]] if field in tally.true else ["", "", ""]
        cells = [str(number or "") for number in (*own, *(changes[column] for column in COLUMNS))]
        yield f"| {field} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
