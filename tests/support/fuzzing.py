"""A fuzz campaign: damaged files, command lines at random, saved answers and tables with something altered.

    PYTHONPATH=. python tests/support/fuzzing.py --minutes 60 --seed 1 --found FOLDER

1. Each case is a command line and the files that it reads, made from the shipped games, the examples of the language,
   and answers and tables of small games, by changes of bytes, words and lines.
2. It runs in a process of its own, forked from one that has everything imported, in an empty folder.
3. Wrong is: a status that the command line does not promise, a traceback, a bug, an engine that gave up, more memory or
   time than the limit, and silence: so many seconds of work without a word.

What went wrong is kept in FOLDER, a folder a case, with the command line in `line`, what was said and why it is wrong.
What is worth keeping goes into `tests/commands/fuzzed`. (This needs a system that can fork.)
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click

import gdl
from gdl.commands import cli
from gdl.commands.command_table import command_function

ROOT = Path(__file__).parent.parent.parent
STATUSES = (0, 1, 2, 3, 4, 5, 6, 130)
SILENT = 8.0  # seconds of processor time from the start until the first word
PATIENCE = 12.0  # seconds of processor time, after which what goes on telling its progress is left alone,
LONG, LATER = 0.03, 60.0  # but one in so many, which is watched for so long: between two words the work may double
IDLE = 90.0  # seconds in which nothing is done: it waits for what never comes
LATE = 6.0  # seconds of processor time beyond the limit of time, on a busy machine
MEMORY = 2048 + 600  # MiB: the usual limit of a look at a game, and what grows between two looks
EXCESS = 500  # MiB beyond a limit that was set
WRONG = re.compile(r"Traceback|gdl has a bug|Please report|dumped core")
SOURCES = ("games/*.game", "tests/model/language/*.game", "tests/checker/errors/*", "tests/commands/runaway/*.game",
           "tests/formats/**/*.efg", "tests/formats/**/*.nfg", "tests/model/**/*.game")  # fmt: skip
SMALL = ("nim", "figure_5_2", "kuhn", "prisoners", "tic_tac_toe", "rock_paper_scissors", "battle_of_the_sexes",
         "umbrella", "subtraction", "chicken", "monty_hall", "pig", "two_armed_bandit")  # fmt: skip
SERVERS = ("lsp", "mcp", "site", "engine", "ugi", "step", "play", "match", "learn")  # tried less often
NUMBERS = ("0", "1", "2", "3", "7", "20", "-1", "1e9", "99999999999", "nan", "1/2", "x", "")
WORDS = ("auto", "minimax", "alpha-beta", "mcts", "cfr", "nash", "retrograde", "sequence-form", "plan", "depth-limited",
         "figure_5_2", "uniform", "heaps=1,2", "n=2", "seats=3", "misere", "n=-1", "take(1)", "drop(4)", "a1 b1", "e4",
         "2 cuts", "no ties", "sequential", "pareto", "grundy", "cheap", "é", "(", "..", "%", "*", "a=b=c")  # fmt: skip
INSERTED = ("\x00", "\ufeff", "\u202e", "\t", "\n\n", "    ", "(", ")", "{", '"', ":=", "->", " 1/0 ", "99999999999999999999",
            " -1", " none ", " forall x in 1..1000000: ", " next ", " not " * 50, "0..", "..1000000", "é", "#", "\\",
            " public", " discount 1/2", "\n    reward Player: 1\n", " P has a ", " try ")  # fmt: skip


class Case(NamedTuple):
    """A command line of gdl, and the standard input that it gets."""

    words: list[str]
    typed: bytes = b""


class End(NamedTuple):
    """The end of a run: exit status (minus the number of the signal that killed it), output, seconds of processor time,
    most MiB held, and in `wrong` the reason why the run counts as a failure ("" if it does not)."""

    status: int
    said: str
    seconds: float
    held: int
    wrong: str


# ---- What is damaged --------------------------------------------------------------------------------------------


def damaged(rng: random.Random, text: bytes, other: bytes) -> bytes:
    """The file with one to eight random changes of bytes, numbers, words or lines, or with pieces of the file
    `other`."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        text = rng.choice(CHANGES)(rng, text, other)
    return text[:60_000]


def _bytes(rng: random.Random, text: bytes, other: bytes) -> bytes:
    at = rng.randrange(len(text) + 1)
    return text[:at] + bytes(rng.randrange(256) for _ in range(rng.choice((1, 1, 4)))) + text[at + rng.randrange(3) :]


def _insertion(rng: random.Random, text: bytes, other: bytes) -> bytes:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(INSERTED).encode() + text[at:]


def _number(rng: random.Random, text: bytes, other: bytes) -> bytes:
    found = list(re.finditer(rb"\d+", text))
    if not found:
        return _insertion(rng, text, other)
    where = rng.choice(found)
    return (
        text[: where.start()]
        + rng.choice((b"0", b"1", b"2", b"1000000", b"-3", b"1/3", b"4294967296", b"3.5"))
        + text[where.end() :]
    )


def _word(rng: random.Random, text: bytes, other: bytes) -> bytes:
    """Double or drop a word, or replace it by another one of the file."""
    found = list(re.finditer(rb"[A-Za-z_]\w*|[^\w\s]+", text))
    if not found:
        return _insertion(rng, text, other)
    where, of = rng.choice(found), rng.choice(found)
    new = rng.choice((b"", of.group(), where.group() + b" " + where.group()))
    return text[: where.start()] + new + text[where.end() :]


def _lines(rng: random.Random, text: bytes, other: bytes) -> bytes:
    lines = text.split(b"\n")
    first = rng.randrange(len(lines))
    last = min(len(lines), first + rng.choice((1, 1, 2, 6)))
    moved = lines[first:last]
    rest = lines[:first] + lines[last:]
    at = rng.randrange(len(rest) + 1)
    return b"\n".join(rng.choice((rest, rest[:at] + moved + rest[at:], lines[:at] + moved + lines[at:])))


def _splice(rng: random.Random, text: bytes, other: bytes) -> bytes:
    lines, from_other = text.split(b"\n"), other.split(b"\n")
    at, first = rng.randrange(len(lines) + 1), rng.randrange(len(from_other))
    return b"\n".join(lines[:at] + from_other[first : first + rng.randint(1, 12)] + lines[at:])


def _cut_off(rng: random.Random, text: bytes, other: bytes) -> bytes:
    return text[: rng.randrange(len(text) + 1)]


CHANGES: tuple[Callable[[random.Random, bytes, bytes], bytes], ...] = (
    _bytes, _insertion, _insertion, _number, _number, _word, _word, _word, _lines, _lines, _splice, _cut_off)  # fmt: skip


# ---- Cases ------------------------------------------------------------------------------------------------------


class Campaign:
    """The material from which random cases are made: games, answers and tables."""

    def __init__(self, seed: int, stock: Path):
        self.rng = random.Random(seed)
        self.stock = stock
        self.sources = [file for pattern in SOURCES for file in sorted(ROOT.glob(pattern)) if file.is_file()]
        self.names = sorted(file.stem for file in (ROOT / "games").glob("*.game"))
        self.answers = [file for file in sorted(stock.glob("*.json")) if file.stat().st_size]
        self.tables = sorted(folder for folder in stock.glob("table_*") if folder.is_dir())

    def case(self, place: Path) -> Case:
        """Make the next case, and write its files into the folder `place`."""
        saved = self.rng.choice((self._answer, self._table))
        return self.rng.choice((self._file, self._file, self._file, self._line, self._line, self._answer, saved))(place)

    def _file(self, place: Path) -> Case:
        source = self.rng.choice(self.sources)
        ending = source.suffix if source.suffix in (".efg", ".nfg") else ".game"
        file = place / f"case{ending}"
        file.write_bytes(damaged(self.rng, source.read_bytes(), self.rng.choice(self.sources).read_bytes()))
        name = file.name
        lines = (
            f"check {name}", f"check {name}", f"check {name} --json", f"show {name}", f"solve {name} --time 2",
            f"solve {name} --time 2 --json", f"solve {name} --nodes 300", f"states {name} --limit 2000",
            f"perft {name} 2", f"playouts {name} --count 20 --time 2", f"test {name} --time 3", f"format {name} --diff",
            f"draw {name} -o x.svg", f"core {name}", f"export {name} -o x.efg --time 2", f"page {name} -o x.html",
            f"playouts {name} --count 5 --engine wasm --time 2", f"graph {name} --limit 200 --format dot",
            f"judge {name} --profile uniform --time 2", f"explain {name} --depth 2", f"new copy --from {name}",
            f"play {name} --time 0.2", f"ugi {name}", f"match {name} random random --games 2 --time 0.2",
        )  # fmt: skip
        return Case(shlex.split(self.rng.choice(lines)), b"1\nhelp\nhint\n1\nundo\nquit\n")

    def _line(self, place: Path) -> Case:
        """A random command line, with options that fit the command and others that do not."""
        command = self.rng.choice([name for name in cli.COMMANDS if name not in SERVERS or self.rng.random() < 0.3])
        found = cli.commands.get_command(click.Context(cli.commands), command)
        assert found
        words = [command]
        for parameter in found.params:
            if isinstance(parameter, click.Argument):
                words += self._argument(parameter.name or "", place)
            elif self.rng.random() < 0.15:
                words += self._option(parameter)
        if self.rng.random() < 0.05:
            words.insert(self.rng.randrange(len(words) + 1), self.rng.choice(WORDS + NUMBERS))
        return Case(words, self.rng.choice((b"", b"1\nquit\n", b"\x00\xff\n", b"e4\n\n\nhelp\n")))

    def _argument(self, name: str, place: Path) -> list[str]:
        if name in ("file", "files", "answer"):
            if name == "answer" and self.rng.random() < 0.7:
                return [str(self.rng.choice(self.answers))]
            usual = self.names if self.rng.random() < 0.5 else SMALL
            return [
                self.rng.choice(usual) if self.rng.random() < 0.93 else self.rng.choice(("-", "/dev/null", ".", ""))
            ]
        if name in ("first", "second"):
            return [self.rng.choice(("random", "mcts:simulations=20", "alpha-beta:depth=2", "x", "mcts:x=1"))]
        if self.rng.random() < 0.2:
            return []
        return [self.rng.choice(("1", "2", "3", *NUMBERS, *WORDS))]

    def _option(self, option: click.Parameter) -> list[str]:
        name = self.rng.choice(option.opts)
        if getattr(option, "is_flag", False):
            return [] if name == "--serve" else [name]
        if isinstance(option.type, click.Choice) and self.rng.random() < 0.9:
            return [name, str(self.rng.choice(list(option.type.choices)))]
        if name in ("-o", "--output", "--save", "--key"):
            return [
                name,
                self.rng.choice(("x.svg", "x.html", "x.json", "x.tex", "x.efg", "x", "no/such.svg", "/dev/full")),
            ]
        numbers = "range" in option.type.name or option.type.name in ("integer", "whole number")
        return [name, self.rng.choice(NUMBERS if numbers else WORDS)]

    def _answer(self, place: Path) -> Case:
        source = self.rng.choice(self.answers)
        file = place / "answer.json"
        file.write_bytes(damaged(self.rng, source.read_bytes(), self.rng.choice(self.answers).read_bytes()))
        game = source.stem if self.rng.random() < 0.95 else self.rng.choice(self.names)
        line = self.rng.choice((
            f"verify {game} answer.json", f"verify {game} answer.json --json", f"judge {game} --profile answer.json --time 3",
            f"judge {game} --profile answer.json --concept nash --time 3", f"play {game} --load answer.json",
            f"show {game} --record answer.json", f"analyse {game} --record answer.json --time 2",
            f"grade {game} answer.json", f"playouts {game} --weights answer.json --count 5",
        ))  # fmt: skip
        return Case(shlex.split(line), b"1\nquit\n")

    def _table(self, place: Path) -> Case:
        source = self.rng.choice(self.tables)
        shutil.copytree(source, place / "table")
        file = self.rng.choice(sorted(entry for entry in (place / "table").rglob("*") if entry.is_file()))
        file.write_bytes(damaged(self.rng, file.read_bytes(), self.rng.choice(self.answers).read_bytes()))
        game = source.name.removeprefix("table_")
        line = self.rng.choice((f"solve {game} --table table --time 5", f"verify {game} table --time 5",
                                f"show {game} --table table", f"play {game} --table table"))  # fmt: skip
        return Case(shlex.split(line), b"1\nquit\n")


def stocked(stock: Path) -> None:
    """Fill the folder `stock` with answers and tables of small games, for cases to alter."""
    for game in SMALL:
        run(Case(["solve", game, "--json", "--time", "20"]), stock, stock / f"{game}.json")
    for game in ("tic_tac_toe", "nim", "subtraction"):
        run(Case(["solve", game, "--table", f"table_{game}", "--time", "60"]), stock)


# ---- Running ----------------------------------------------------------------------------------------------------


def run(case: Case, place: Path, output: Path | None = None, patience: float = PATIENCE) -> End:
    """Run the command in a process of its own in the folder `place`, and judge how it ends. After `patience` seconds of
    work it is stopped."""
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as said:
        typed.write(case.typed)
        typed.seek(0)
        child = os.fork()
        if child == 0:
            _become(case.words, place, typed.fileno(), said.fileno(), output)
        status, used, cut, held = _watched(child, said.fileno(), _limit(case.words, "--memory"), patience)
        said.seek(0)
        text = said.read(200_000).decode(errors="replace")
    seconds = used.ru_utime + used.ru_stime
    code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return End(code, text, seconds, held, _judged(case.words, code, text, seconds, cut))


def _become(words: Sequence[str], place: Path, typed: int, said: int, output: Path | None) -> None:
    os.chdir(place)
    os.dup2(typed, 0)
    os.dup2(said, 2)
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) if output else said, 1)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        setattr(sys, name, os.fdopen(("stdin", "stdout", "stderr").index(name), mode, encoding="utf-8"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    sys.argv = ["gdl", *words]
    cli.main()
    os._exit(99)  # main ends the process


def _watched(child: int, said: int, memory: float | None, patience: float) -> tuple[int, Any, str, int]:
    """Wait for the process to end, and kill it if it is idle, silent or at work too long, or holds too much memory.
    Returns its status, its use of resources, the reason for killing it ("" if it was not), and the most MiB held."""
    cut, spoke, length, most, last, moved = "", 0.0, 0, 0, 0.0, time.monotonic()
    allowed = MEMORY if memory is None else max(MEMORY, memory + EXCESS)
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            return status, used, cut, most
        worked, held = _taken(child)
        most = max(most, held)
        now = os.fstat(said).st_size
        if now > length:
            length, spoke = now, worked
        if worked > last:
            last, moved = worked, time.monotonic()
        if time.monotonic() > moved + IDLE:
            cut = "waits for what never comes"
        elif held > allowed:
            cut = f"holds {held} MiB"
        elif worked > max(SILENT, 3 * spoke):
            cut = f"silent from {spoke:.0f} to {worked:.0f} s of work"
        elif worked > patience:
            cut = "goes on"
        if cut:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.01 if worked < 1 else 0.1)


def _taken(child: int) -> tuple[float, int]:
    """The seconds of processor time that the process has used, and the MiB that it holds now."""
    try:
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        pages = int(Path(f"/proc/{child}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0, 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _limit(words: Sequence[str], option: str) -> float | None:
    """The limit that this option of the command line sets; None if it is missing, or no number between 0 and a
    million."""
    try:
        found = float(words[words.index(option) + 1])
    except (ValueError, IndexError):
        return None
    return found if 0 < found < 1e6 else None


def _judged(words: Sequence[str], status: int, said: str, seconds: float, cut: str) -> str:
    timed = None if words[0] in ("match", "play", "analyse") else _limit(words, "--time")  # there it is for a move
    if cut and cut != "goes on":
        return cut
    if timed is not None and seconds > 2 * timed + LATE:
        return f"{seconds:.1f} s of work under a limit of {timed:g} s"
    if cut:
        return ""
    if status not in STATUSES:
        return f"status {status}"
    found = WRONG.search(said)
    if found:
        return found.group()
    return "" if said or status == 0 else "says nothing"


# ---- The campaign -----------------------------------------------------------------------------------------------


def campaign(minutes: float, seed: int, found: Path) -> Counter[str]:
    """Run random cases for so many minutes, and keep each failure in a folder below `found`. Returns how often each
    command ended with each status."""
    for name in dict.fromkeys(map(command_function, cli.COMMANDS)):
        import_module(name.partition(":")[0])
    for name in ("gdl.commands.engines", "gdl.render.text", "gdl.compiler.compiled_engine", "solvers"):
        import_module(name)
    gdl.loads("players A\ntree A(1, 2)")  # the parser's tables are read once
    met: Counter[str] = Counter()
    stock = Path(tempfile.mkdtemp(prefix="gdl_fuzz_"))
    stocked(stock)
    cases = Campaign(seed, stock)
    until, number, told = time.monotonic() + 60 * minutes, 0, time.monotonic()
    while time.monotonic() < until:
        place = Path(tempfile.mkdtemp(prefix="gdl_fuzz_"))
        number += 1
        case = cases.case(place)
        end = run(case, place, patience=LATER if cases.rng.random() < LONG else PATIENCE)
        met[f"{case.words[0]} {end.status}"] += 1
        if end.wrong:
            _keep(found / f"{seed}_{number:06}", case, end, place)
            print(f"{number}: {shlex.join(case.words)}: {end.wrong}", flush=True)
        shutil.rmtree(place)
        if time.monotonic() > told + 60:
            told = time.monotonic()
            print(f"{number} cases, {(until - told) / 60:.0f} minutes left", flush=True)
    shutil.rmtree(stock)
    print(f"{number} cases; {dict(sorted(met.items()))}")
    return met


def _keep(folder: Path, case: Case, end: End, place: Path) -> None:
    shutil.copytree(place, folder)
    (folder / "line").write_text(shlex.join(case.words) + "\n")
    (folder / "typed").write_bytes(case.typed)
    (folder / "why").write_text(f"{end.wrong}\nstatus {end.status}, {end.seconds:.1f} s, {end.held} MiB\n{end.said}\n")


if __name__ == "__main__":
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reads.add_argument("--minutes", type=float, default=60)
    reads.add_argument("--seed", type=int, default=1)
    reads.add_argument("--found", type=Path, default=Path("fuzz_found"))
    asked = reads.parse_args()
    campaign(asked.minutes, asked.seed, asked.found)
