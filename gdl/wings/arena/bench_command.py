"""gdl bench: commands run again, their answers held to stored ones, and their times beside stored times.

A suite is a list of command lines that count their work, so that each has one answer on every machine: random plays,
sequences counted, games solved, matches at a fixed number of simulations, an evaluation learned from more and more
games. `bench.json` has the answers, and the times of a machine that it names; `-o` writes such a file, to be cited and
to be compared with later. The suite `peers` measures beside other programs.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from math import inf
from pathlib import Path
from time import process_time

import click

from gdl.commands import console
from gdl.commands.help_pages import Command
from gdl.commands.limiting import NONE, keeps_limits
from gdl.errors import Refusal, clean
from gdl.formats.answer_kinds import to_plain
from gdl.formats.files import write
from gdl.render.strategies import align_columns
from gdl.wings.arena.answers import BenchAnswer, BenchRow
from gdl.wings.arena.measuring import count_making, in_fresh_process, this_machine
from gdl.wings.arena.peers import PACKAGES, PEERS, measure_pair

STORED = Path(__file__).with_name("bench.json")
KEPT = "plies count nodes value exact best won drawn lost match".split()  # keys of an answer that a row keeps
SUITES: Mapping[str, Sequence[str]] = {
    "steps": [
        "playouts connect_four --count 20000 --seed 1", "playouts othello --count 2000 --seed 1",
        "playouts chess --count 200 --seed 1", "playouts backgammon --count 500 --seed 1",
    ],
    "nodes": ["perft connect_four 8", "perft othello 7", "perft chess 4", "perft breakthrough 4"],
    "solved": [
        "solve tic_tac_toe --solver minimax", "solve nim --solver retrograde",
        "solve connect_four --set columns=5 --set rows=4 --solver alpha-beta", "solve kuhn --solver sequence-form",
    ],
    "strength": [
        "match connect_four mcts:simulations=200 mcts:simulations=50 --games 20 --seed 1",
        "match breakthrough mcts:simulations=100 random --games 10 --seed 1",
    ],
    "learning": [f"learn connect_four --games {games} --seed 1 -o -" for games in (64, 512, 4096)],
    "peers": PEERS,
}  # fmt: skip


@click.command("bench", cls=Command)
@click.option("-o", "--output", metavar="FILE", help="Write the result to this file, as JSON.")
@click.option("--against", metavar="FILE", help="Compare with this file that --output wrote, not with the stored one.")
@console.takes_json("Print the result as one JSON object.")
@keeps_limits("memory")
@click.argument("suites", metavar="[SUITE…]", nargs=-1, type=click.Choice([*SUITES]))
def measure_suites(suites: tuple[str, ...], output: str | None, against: str | None) -> int:
    """Measure gdl, and check that its answers are the stored ones.

    The suites are steps, nodes, solved, strength and learning; without a name these are run, which takes a minute.
    peers measures gdl beside OpenSpiel, python-chess, PettingZoo and pgx, those that are installed. The exit status
    is 1 if an answer differs. Seconds are those of the processor, without the making of machine code.
    """
    machine, before = read_result(STORED if against is None else Path(against))
    rows: list[BenchRow] = []
    suites = suites or tuple(suite for suite in SUITES if suite != "peers")
    with NONE.enforce("rows", sum(len(SUITES[suite]) for suite in suites)) as progress:
        for row in run_suites(suites, before):
            rows.append(row)
            progress(len(rows))
    found = BenchAnswer(this_machine(PACKAGES if "peers" in suites else ()), machine, rows)
    if output is not None:
        write(Path(output), json.dumps(to_plain(found), indent=1) + "\n")
    console.answer_as(lambda: found, lambda: _as_text(found))
    return int(any(row.same is False for row in rows))


def read_result(file: Path) -> tuple[Mapping[str, str], Mapping[str, BenchRow]]:
    """The machine of a result file, and its rows by command. Raises Refusal if the file is none."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        rows = [
            BenchRow(one["suite"], one["command"], one["found"], float(one["seconds"]))
            for one in told["rows"]
            if one["found"] or not one.get("note")
        ]
        if not all(0 < row.seconds < inf for row in rows):
            raise ValueError
        return {str(name): str(text) for name, text in told["machine"].items()}, {row.command: row for row in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as why:
        raise Refusal(f"'{clean(str(file))}' is no result of gdl bench ({clean(type(why).__name__)})") from None


def run_suites(suites: Sequence[str], before: Mapping[str, BenchRow]) -> Iterator[BenchRow]:
    """Run the commands of the suites, each in a process of its own, and compare them with the rows of `before`."""
    for suite in suites:
        for command in SUITES[suite]:
            measure = measure_pair if suite == "peers" else partial(_run_command, suite)
            row = in_fresh_process(partial(measure, command))
            old = before.get(command)
            if old is not None:
                same = row.same is not False and old.found == row.found
                row = BenchRow.fill_from(row, same=same, times=old.seconds / max(row.seconds, 1e-9))
            yield row


def _run_command(suite: str, command: str) -> BenchRow:
    """A row of the part of a command's answer that is kept, and the seconds of the command."""
    from gdl.commands.cli import commands

    making, said, begun = list[float](), StringIO(), process_time()
    count_making(making, process_time)
    with redirect_stdout(said):
        commands.main([*shlex.split(command), "--json"], "gdl", standalone_mode=False)
    seconds = process_time() - begun - sum(making)
    answer = json.loads(said.getvalue())
    return BenchRow(suite, command, {key: answer[key] for key in KEPT if key in answer}, seconds)


def _as_text(found: BenchAnswer) -> str:
    """The rows as a table, with the machines below it."""
    peers = any(row.peer for row in found.rows)
    lines = [["suite", "command", "answer", "seconds", "units/s", "times as fast", *["beside"] * peers]]
    for row in found.rows:
        units = next((row.found[unit] for unit in ("plies", "iterations", "count", "nodes") if unit in row.found), None)
        rate = f"{units / max(row.seconds, 1e-9):,.0f}" if units else ""
        told = {True: "as stored", False: "DIFFERS", None: "new"}[row.same]
        times = "" if row.times is None else f"{row.times:.2f}"
        line = [row.suite, row.command, told, f"{row.seconds:.2f}", rate, times]
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} of {row.peer}"
        lines.append([*line, *[", ".join(filter(None, (ratio, row.note)))] * peers])
    here, there = (", ".join(f"{name} {text}" for name, text in one.items()) for one in (found.machine, found.against))
    return "\n".join(map(clean, [*align_columns(lines), "", f"here: {here}", f"stored: {there}"]))
