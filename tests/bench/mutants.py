"""Which comparisons could be off by one without any fast test noticing it?

    PYTHONPATH=tests/support python tests/bench/mutants.py FOLDER=TESTS … [--only TEXT] [--again LOG] [--constants]

`gdl/wings/verify=tests/wings/verify` looks at the comparisons in the functions of a folder of files: `<` and `<=`, `>` and
`>=` are exchanged, one at a time, but where a side is a limit (a constant in capitals: of work, of size, of nearness);
with `--constants` instead, whole numbers of a computation are one more.

1. The files are imported with a switch in each such place (an import hook rewrites them), and the tests collected, so
   that a mutant costs a fork of this process alone.
2. The tests run once, and it is noted in which of them the two sides of a comparison were equal: elsewhere a mutant
   does the same.
3. For each mutant those tests run, the quickest first, until one fails or takes far too long.

Prints what was left: no tie was met, or all tests passed. (This needs a system that can fork.)
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import operator
import os
import pkgutil
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
OFF_BY_ONE = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPERATORS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}
SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
PLAIN = (int, float, str, Fraction)  # what can be compared once more without being noticed
LIMIT = re.compile(r"(?<![a-z])_?[A-Z][A-Z_]+\b|\.limit\b")  # a constant that says how much is looked at, or how near
WORDS = ("listing", "cut_line", "wrap", "shorten")  # functions that only lay out words
USUAL = "not thorough and not slow"


class Mutant(NamedTuple):
    """A place in a file, what is done there, and what would be done in its place."""

    file: str
    line: int
    text: str
    usual: Any
    other: Any


mutants: list[Mutant] = []
active: int | None = None
met: set[int] = set()  # the mutants that would have done something else by now


def compared(number: int, left: Any, right: Any) -> Any:
    """One side compared with the other, as the file says or as the mutant does."""
    one = mutants[number]
    if number == active:
        return one.other(left, right)
    found = one.usual(left, right)
    if number not in met and not (isinstance(left, PLAIN) and isinstance(right, PLAIN) and left != right):
        met.add(number)
    return found


def number_of(number: int) -> int:
    """A number, or one more."""
    met.add(number)
    return int(mutants[number].other if number == active else mutants[number].usual)


class Switches(ast.NodeTransformer):
    """Puts a switch into each comparison inside a function of a file, or into each whole number of a computation there:
    not of a message (in an f-string, in what is raised, what `listing` may list), nor of a default."""

    def __init__(self, file: str, constants: bool):
        self.file, self.constants, self.depth = file, constants, 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        node.body = [self.visit(part) for part in node.body]
        self.depth -= 1
        return node

    def _keep(self, node: ast.AST) -> ast.AST:
        return node

    visit_JoinedStr = visit_Raise = visit_MatchValue = visit_MatchMapping = _keep

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return node if isinstance(node.func, ast.Name) and node.func.id in WORDS else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not (self.depth and self.constants and type(node.value) is int):
            return node
        return self._call("number_of", Mutant(self.file, node.lineno, str(node.value), node.value, node.value + 1))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        text = ast.unparse(node.left)
        self.generic_visit(node)
        if not self.depth or self.constants:
            return node
        sides = [node.left, *node.comparators]
        parts = [self._part(node, k, sides, text) for k in range(len(node.ops))]
        return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)

    def _part(self, node: ast.Compare, k: int, sides: Sequence[ast.expr], text: str) -> ast.expr:
        kind, left, right = type(node.ops[k]), copy.deepcopy(sides[k]), sides[k + 1]
        if kind not in OFF_BY_ONE or LIMIT.search(ast.unparse(sides[k])) or LIMIT.search(ast.unparse(right)):
            return ast.Compare(left, [node.ops[k]], [right])
        text = f"{text} {SIGNS[kind]} …" if k == 0 else f"… {SIGNS[kind]} {ast.unparse(right)}"
        return self._call(
            "compared", Mutant(self.file, node.lineno, text, OPERATORS[kind], OPERATORS[OFF_BY_ONE[kind]]), left, right
        )

    def _call(self, name: str, mutant: Mutant, *sides: ast.expr) -> ast.expr:
        mutants.append(mutant)
        return ast.Call(ast.Name(f"_{name}", ast.Load()), [ast.Constant(len(mutants) - 1), *sides], [])


class SwitchLoader(SourceFileLoader):
    """Imports a file with switches."""

    constants = False

    def get_code(self, fullname: str) -> Any:
        file = Path(self.path).resolve()
        tree = Switches(str(file.relative_to(ROOT)), self.constants).visit(ast.parse(file.read_text()))
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: Any) -> None:
        module._compared, module._number_of = compared, number_of
        super().exec_module(module)


class SwitchFinder:
    """Finds the files of some folders."""

    def __init__(self, folders: Sequence[Path]):
        self.folders = folders

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target)
        if found and found.origin and any(Path(found.origin).resolve().is_relative_to(own) for own in self.folders):
            found.loader = SwitchLoader(name, found.origin)
        return found


class MutantRuns:
    """A plugin of pytest: collects the tests once, and puts each mutant to them in a child."""

    def __init__(self, folder: str, only: str, again: str | None, seconds: float):
        self.folder, self.only, self.again, self.seconds = folder, only, again, seconds
        self.kills = Counter[tuple[str, str]]()  # how often a test noticed a mutant of a file
        self.failed = False

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.asked = False  # the folder, not a file, was named

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Find what each test meets, then try the mutants, and print what is left of them."""
        items = {item.nodeid: item for item in session.items}
        begun = time.monotonic()
        notes = self._run(None, [*items.values()], float("inf"))["notes"]
        print(f"{self.folder}: {len(notes)} tests in {time.monotonic() - begun:.0f} s", flush=True)
        tried, left = Counter[str](), Counter[str]()
        for number, one in enumerate(mutants):
            if not one.file.startswith(f"{self.folder}/") or not re.search(self.only, one.file):
                continue
            if self.again is not None and f"left: {one.file}:{one.line}: {one.text} (" not in self.again:
                continue
            tried[one.file] += 1
            names = self._tests_of(number, notes)
            end = 10 + 4 * sum(notes[name][0] for name in names)
            killer = self._run(number, [items[name] for name in names], end)["killer"] if names else None
            self.kills[one.file, killer or ""] += 1
            if killer is None:
                left[one.file] += 1
                print(f"left: {one.file}:{one.line}: {one.text} ({len(names)} tests)", flush=True)
        print(*(f"| {file} | {count} | {left[file]} |" for file, count in sorted(tried.items())), sep="\n", flush=True)
        return True

    def _tests_of(self, number: int, notes: dict[str, Any]) -> list[str]:
        """The tests that run the mutated line, up to some seconds of them: first the quickest of those that have
        noticed other mutants of its file."""
        file, found, spent = mutants[number].file, list[str](), 0.0
        met_by = [name for name, (_, numbers) in notes.items() if number in numbers]
        for name in sorted(met_by, key=lambda name: (-self.kills[file, name], notes[name][0])):
            spent += notes[name][0]
            if spent > self.seconds and found:
                break
            found.append(name)
        return found

    def _run(self, number: int | None, items: Sequence[pytest.Item], seconds: float) -> dict[str, Any]:
        """The tests in a child, with a mutant up to the first failure, or with none: which noticed it, and the notes.
        One that ends without them, or takes far too long, was noticed."""
        global active
        with tempfile.NamedTemporaryFile("r") as output:
            child = os.fork()
            if not child:
                for stream in (1, 2):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
                active, found, killer = number, dict[str, tuple[float, list[int]]](), None
                for item, after in zip(items, [*items[1:], None], strict=True):
                    met.clear()
                    begun = time.monotonic()
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
                    found[item.nodeid] = time.monotonic() - begun, sorted(met)
                    if number is not None and self.failed:
                        killer = item.nodeid
                        break
                Path(output.name).write_text(json.dumps({"killer": killer, "notes": found}))
                os._exit(0)
            end = time.monotonic() + seconds
            while not os.waitpid(child, os.WNOHANG)[0]:
                time.sleep(0.01)
                if time.monotonic() > end:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    break
            said: dict[str, Any] = json.loads(output.read() or '{"killer": "", "notes": {}}')
            return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="+", metavar="FOLDER=TESTS[,TESTS]")
    parser.add_argument("--only", default="", help="files whose name has this (a regular expression)")
    parser.add_argument(
        "--again", type=Path, help="what this has printed: only what was left there, beside other tests"
    )
    parser.add_argument("--constants", action="store_true", help="whole numbers, and no comparisons")
    parser.add_argument("--seconds", type=float, default=40.0, help="of tests that a mutant is put to at most")
    asked = parser.parse_args()
    rooms = [room.split("=") for room in asked.rooms]
    SwitchLoader.constants = asked.constants
    sys.meta_path.insert(0, SwitchFinder([ROOT / folder for folder, _ in rooms]))
    import gdl

    for found in pkgutil.walk_packages(gdl.__path__, "gdl."):
        if not found.name.endswith("__main__"):
            with suppress(Exception):
                import_module(found.name)
    again = asked.again.read_text() if asked.again else None
    for folder, tests in rooms:
        words = ["-q", "-s", "-m", USUAL, "-p", "no:cacheprovider", "-p", "no:xdist", *tests.split(",")]
        pytest.main(words, plugins=[MutantRuns(folder, asked.only, again, asked.seconds)])


if __name__ == "__main__":
    main()
