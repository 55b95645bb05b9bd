"""Measures whether `--time` holds: every game by every command and every solver, in seconds of processor time.

    python tests/bench/limits.py --kept runs.jsonl [--files FOLDER …] [--sample N --seed S] [--write]

1. The games are those that are shipped, those of `tests/model/language`, two that are made here to be too large (a
   type of 100,000 members, a chance step of 99,000 outcomes), and every game file in the folders named by --files
   (.game, .efg, .nfg, .kif).
2. Each is asked by every command that takes a game and `--time`, by `gdl solve --solver` of every solver that accepts
   it, and by `gdl solve --concept` of every concept.
3. The clocks of gdl are those of processor time here, so that nothing depends on how busy the machine is: one that is
   busy would end every work early. A run is a process of its own, forked from one that has imported everything and compiled nothing: the time to start
   Python is not counted. Its processor time, and that of its children, is what the system says when it ends.
4. Allowed is the limit, GRACE more, and the time that the game takes to be read and checked, of which CHECKING counts
   at most. What takes longer is run twice again, and the least of the three counts: on a busy machine processor time is
   longer than it need be. A run is ended KILLED seconds after the limit.

Every run is a line of the file --kept; what is in it is not run again (but --again runs what was above the limit, and after --minutes no more is begun).
--games, --commands and --solvers take names, and `none`; --sample draws N of all runs that are asked for. `match` is
left out: its time is for a move, which `play` measures by a hint. Exit status 1 if anything was above the limit. (This
needs a system that can fork.)
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

wall = time.monotonic
time.monotonic = time.process_time  # before anything takes it from there
signal.ITIMER_REAL, signal.SIGALRM = signal.ITIMER_VIRTUAL, signal.SIGVTALRM

import click  # noqa: E402

import gdl  # noqa: E402
import gdl.solvers  # noqa: E402
from gdl.commands import cli  # noqa: E402
from gdl.commands.command_table import command_function  # noqa: E402

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results" / "limits.md"
GRACE = 0.5  # seconds above the limit that are allowed
CHECKING = 1.0  # seconds at most that count as the time until the rules are checked
KILLED = 20.0  # seconds above the limit after which a run is ended
PATIENCE = 10  # times as long by the wall clock, which is for runs that wait for something
KINDS = (".game", ".efg", ".nfg", ".kif")

COMMANDS = {  # what stands on the command line after the name; {game}, the {first} action, a saved {answer}
    "solve": "{game}",
    "ask": "{game} 'the end reachable'",
    "compare": "{game} --solvers mcts,minimax",
    "explain": "{game}",
    "step": "{game}",
    "sheet": "{game} -o sheet.html --key key.html",
    "grade": "{game} empty.txt",
    "check": "{game}",
    "test": "{game}",
    "show": "{game}",
    "draw": "{game} -o tree.svg",
    "analyse": "{game} --after {first}",
    "page": "{game} -o page.html",
    "play": "{game}",
    "perft": "{game} 30",
    "states": "{game}",
    "states --histories": "{game}",
    "states --symmetry": "{game}",
    "learn": "{game} --fresh -o learned.weights",
    "playouts": "{game} --count 100000000",
    "report": "{game} -o report.html",
    "graph": "{game} -o graph.json",
    "graph --solved": "{game} -o graph.json",
    "export": "{game} -o game.efg",
    "judge": "{game} --profile uniform",
    "verify": "{game} {answer}",
    "core": "{game}",
}
TYPED = b"hint\nquit\n"  # at the terminal, for `play` and `step`
POSITIONS = {  # of commands whose limit is for a position: how many there are
    "analyse": 3,  # before the action, after it, and after the best one
    "play": 2,  # to get ready, and the hint
    "compare": 2,  # runs
}


class Game(NamedTuple):
    name: str  # as it is told
    file: str  # as it stands on the command line


class Run(NamedTuple):
    """A run as it is kept: which, its seconds of processor time and those allowed, its exit status, its last words."""

    game: str
    command: str
    seconds: float
    allowed: float
    status: int
    said: str

    @property
    def above(self) -> bool:
        return self.seconds > self.allowed


# ---- The games --------------------------------------------------------------------------------------------------


def games(folders: Sequence[Path], place: Path) -> list[Game]:
    """All games that are measured."""
    found = [Game(name, name) for name in gdl.shipped()]
    found += [
        Game(f"language/{file.stem}", str(file)) for file in sorted((ROOT / "tests/model/language").glob("*.game"))
    ]
    for name, text in large().items():
        (place / f"{name}.game").write_text(text)
        found.append(Game(name, str(place / f"{name}.game")))
    for folder in folders:
        files = sorted(file for file in folder.rglob("*") if file.suffix in KINDS)
        found += [Game(str(file.relative_to(folder)), str(file.resolve())) for file in files]
    return found


def large() -> dict[str, str]:
    """Games of a few lines in which much must be looked at."""
    members = ", ".join(f"v{number}" for number in range(100_000))
    return {
        "members_100000": f"players A\ntype T = {members}\nstate\n    n: T\naction go(x: T)\n    n := x\n"
        "terminal\n    n = v9 -> 1\n",
        "outcomes_99000": "players Ann, Bob\nstate\n    n: 0..9\n    k: 0..99999\nstart roll\n"
        'chance roll(d: 1..99, e: 1..1000) as "{d}_{e}" weight 1/(d + e)\n    k := d * e\n    next Ann\n'
        "action go\n    n := n + 1\nterminal\n    n > 8 -> draw\n",
    }


# ---- Runs -------------------------------------------------------------------------------------------------------


def lines(names: Sequence[str] | None, chosen: Sequence[str] | None, concepts: Sequence[str] | None) -> dict[str, str]:
    """The commands by their names, with what follows them on the command line."""
    found = {name: words for name, words in COMMANDS.items() if names is None or name in names}
    found |= {f"solve --solver {name}": "{game}" for name in gdl.solvers.SOLVERS if chosen is None or name in chosen}
    return found | {
        f"solve --concept {name}": "{game}" for name in gdl.solvers.CONCEPTS if concepts is None or name in concepts
    }


def unnamed_commands() -> list[str]:
    """The commands with a game and a limit of time for which there is no line above."""
    context = click.Context(cli.commands)
    known = {name.split()[0] for name in COMMANDS} | {"match"}
    found = []
    for name in cli.COMMANDS:
        command = cli.commands.get_command(context, name)
        assert command is not None
        words = {word for parameter in command.get_params(context) for word in (*parameter.opts, parameter.name)}
        if "--time" in words and words & {"file", "files"} and name not in known:
            found.append(name)
    return found


class Bench:
    """Runs commands in children of this process, in a folder of their own."""

    def __init__(self, limit: float, repeats: int, place: Path):
        self.limit = limit
        self.repeats = repeats
        self.place = place
        self.known: dict[str, tuple[float, str]] = {}  # of a game: the seconds until it is checked, its first action
        (place / "empty.txt").write_text("")
        (place / "typed").write_bytes(TYPED)

    def run(self, game: Game, name: str, rest: str) -> Run | None:
        """The processor time of a command, the least of several runs if the first is above the limit; None if there is
        nothing to run: no action to analyse, no answer to verify."""
        checking, first = self.looked_at(game)
        answer = self.answer(game) if "{answer}" in rest else ""
        if ("{first}" in rest and not first) or answer is None:
            return None
        words = [
            *name.split(),
            *(word.format(game=game.file, first=first, answer=answer) for word in shlex.split(rest)),
        ]
        allowed = POSITIONS.get(name, 1) * self.limit + GRACE + checking
        found = None
        for _ in range(self.repeats):
            seconds, status, said = self.measured([*words, "--time", f"{self.limit:g}"])
            if found is None or seconds < found.seconds:
                found = Run(game.name, name, round(seconds, 2), round(allowed, 2), status, said)
            if not found.above:
                break
        return found

    def looked_at(self, game: Game) -> tuple[float, str]:
        """The seconds until the game is read and checked, as far as they count, and its first action."""
        if game.name not in self.known:
            seconds, _, said = min(self.measured(lambda: self._look(game.file)) for _ in range(2))
            self.known[game.name] = min(CHECKING, seconds), said
        return self.known[game.name]

    def _look(self, file: str) -> None:
        from gdl.commands.game_argument import load
        from gdl.states.explore import choosers, move_text, moves

        game = load(file, {}, None).game
        node = game.node(game.initial())
        if choosers(node):
            print(move_text(moves(node)[0]), file=sys.stderr)

    def answer(self, game: Game) -> str | None:
        """A file with an answer of the game, saved; None where there is none."""
        file = self.place / f"{abs(hash(game.file))}.json"
        if not file.exists():
            words = ["solve", game.file, "--json", "--time", f"{self.limit:g}"]
            if self.measured(words, file)[1] not in (0, 4):  # it prints why
                file.write_bytes(b"")
        return str(file) if file.stat().st_size else None

    def measured(self, work: Any, output: Path | None = None) -> tuple[float, int, str]:
        """The seconds of processor time, the exit status (or minus the signal), and the last line on stderr."""
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if child == 0:
                self._become(work, said.fileno(), output)
            until = wall() + PATIENCE * (self.limit + KILLED)
            pause = 0.002
            while (ended := os.wait4(child, os.WNOHANG))[0] == 0:
                if wall() > until:
                    os.kill(child, signal.SIGKILL)
                time.sleep(pause)
                pause = min(0.05, 1.5 * pause)
            said.seek(0)
            text = said.read().decode(errors="replace").replace("\r", "\n").strip()
        return (
            ended[2].ru_utime + ended[2].ru_stime,
            os.waitstatus_to_exitcode(ended[1]),
            text.rpartition("\n")[2][:200],
        )

    def _become(self, work: Any, said: int, output: Path | None) -> None:
        """Do the work in this process, which is a child, and end."""
        os.chdir(self.place)
        os.dup2(os.open("typed", os.O_RDONLY), 0)
        os.dup2(os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(said, 2)
        for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
        most = int(self.limit + KILLED)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            if callable(work):
                work()
            else:
                sys.argv = ["gdl", *work]
                cli.main()
        finally:
            sys.stderr.flush()
            os._exit(0)  # `main` ends the process itself


def import_everything() -> None:
    """So that no run imports what every run does; nothing is compiled."""
    for name in dict.fromkeys(map(command_function, cli.COMMANDS)):
        import_module(name.partition(":")[0])
    for folder in ("gdl", "solvers"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            if (
                "adapters" not in parts
                and "__main__" not in parts
                and "kernels" not in parts
                and "build_hook" not in parts
            ):
                with suppress(ImportError):  # it needs an extra that is not installed
                    import_module(".".join(part for part in parts if part != "__init__"))
    gdl.loads("players A\ntree A(1, 2)")  # the parser's tables are read once
    gc.collect()
    gc.freeze()


# ---- What is kept and told --------------------------------------------------------------------------------------


def kept(file: Path) -> dict[tuple[str, str], Run]:
    """The runs of a file, by game and command; of several the last."""
    found = [Run(*json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []
    return {(run.game, run.command): run for run in found}


def table(runs: Sequence[Run], limit: float, unrun: int) -> str:
    """The table of what was above its limit, as Markdown."""
    above = sorted((run for run in runs if run.above), key=lambda run: run.allowed - run.seconds)
    statuses = Counter(run.status for run in runs)
    told = [
        f"# Limits of time: {len(runs):,} runs with `--time {limit:g}`",
        "",
        f"Made by `python tests/bench/limits.py`: {len({run.game for run in runs}):,} games,"
        f" {len({run.command for run in runs})} commands. Exit statuses:"
        f" {', '.join(f'{status}: {many:,}' for status, many in sorted(statuses.items()))}."
        + (f" {unrun:,} runs of those that were asked for were not made." if unrun else ""),
        "",
        f"Above the limit, {GRACE:g} s and the time until the rules are checked: {len(above) or 'none'}.",
    ]
    if above:
        told += ["", "| game | command | seconds | allowed | status | last words |", "|---|---|---|---|---|---|"]
        told += [
            f"| {run.game} | {run.command} | {run.seconds:.2f} | {run.allowed:.2f} | {run.status} |"
            f" {run.said.replace('|', '/')} |"
            for run in above
        ]
    return "\n".join(told) + "\n"


def wanted(asked: argparse.Namespace, place: Path) -> Iterator[tuple[Game, str, str]]:
    """The runs that are asked for: game, command, and the rest of the command line."""
    all_games = games(asked.files, place)
    chosen = [game for game in all_games if not asked.games or game.name in asked.games]
    commands = lines(asked.commands, asked.solvers, asked.concepts)
    runs = [(game, name, rest) for game in chosen for name, rest in commands.items()]
    if asked.sample is not None:
        runs = random.Random(asked.seed).sample(runs, min(asked.sample, len(runs)))
    yield from runs


def main() -> int:
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reads.add_argument("--time", type=float, default=1.0)
    reads.add_argument("--files", type=Path, nargs="*", default=[])
    reads.add_argument("--games", nargs="*")
    reads.add_argument("--commands", nargs="*")
    reads.add_argument("--solvers", nargs="*")
    reads.add_argument("--concepts", nargs="*")
    reads.add_argument("--sample", type=int)
    reads.add_argument("--seed", type=int, default=1)
    reads.add_argument("--kept", type=Path, default=Path("limits.jsonl"))
    reads.add_argument("--repeats", type=int, default=3)
    reads.add_argument("--again", action="store_true")
    reads.add_argument("--minutes", type=float, default=1e9)
    reads.add_argument("--write", action="store_true")
    asked = reads.parse_args()
    if unnamed_commands():
        sys.exit(f"these commands take a game and --time, and have no line in COMMANDS: {unnamed_commands()}")
    import_everything()
    until = wall() + 60 * asked.minutes
    done, here, unrun = kept(asked.kept), [], 0
    with tempfile.TemporaryDirectory() as folder, open(asked.kept, "a") as keeps:
        bench = Bench(asked.time, asked.repeats, Path(folder))
        for game, name, rest in wanted(asked, Path(folder)):
            run = done.get((game.name, name))
            if run is None or (asked.again and run.above):
                if wall() > until:
                    unrun += 1
                    continue
                run = bench.run(game, name, rest)
                if run is None:
                    continue
                print(json.dumps(run), file=keeps, flush=True)
            here.append(run)
            if run.above:
                print(
                    f"{run.seconds:6.2f} of {run.allowed:.2f} s: {run.game}: {shlex.join(name.split())}: {run.said}",
                    flush=True,
                )
    if asked.write:
        RESULTS.write_text(table(here, asked.time, unrun))
    print(table(here, asked.time, unrun).split("\n", 2)[2].split("\n\n|")[0])
    return int(any(run.above for run in here))


if __name__ == "__main__":
    sys.exit(main())
