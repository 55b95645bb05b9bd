"""Which comparisons could be off by one without any fast test noticing it?

    PYTHONPATH=tests/support python tests/bench/mutants.py FOLDER=TESTS … [--only TEXT] [--again LOG] [--constants]

`solvers/verify=tests/solvers` looks at the comparisons in the functions of a folder of files: `<` and `<=`, `>` and
`>=` are exchanged, one at a time; with `--constants` whole numbers that are compared are one more, too.

1. The files are imported with a switch in each such place (an import hook rewrites them), so that a mutant costs a fork
   of this process and no import.
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
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
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
USUAL = "not thorough and not slow"
SECONDS = 40.0  # of tests that a mutant is put to, and that they may take beyond what they took


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
    """Puts a switch into each comparison inside a function of a file."""

    def __init__(self, file: str, constants: bool):
        self.file, self.constants, self.depth = file, constants, 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        node.body = [self.visit(part) for part in node.body]
        self.depth -= 1
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if not self.depth:
            return node
        sides = [self._side(side) for side in (node.left, *node.comparators)]
        parts = [self._part(node, k, sides) for k in range(len(node.ops))]
        return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)

    def _part(self, node: ast.Compare, k: int, sides: Sequence[ast.expr]) -> ast.expr:
        kind, left, right = type(node.ops[k]), copy.deepcopy(sides[k]), sides[k + 1]
        if kind not in OFF_BY_ONE:
            return ast.Compare(left, [node.ops[k]], [right])
        text = f"{ast.unparse(node.left)} {SIGNS[kind]} …" if k == 0 else f"… {SIGNS[kind]} {ast.unparse(right)}"
        return self._call(
            "compared", Mutant(self.file, node.lineno, text, OPERATORS[kind], OPERATORS[OFF_BY_ONE[kind]]), left, right
        )

    def _side(self, side: ast.expr) -> ast.expr:
        if not (self.constants and isinstance(side, ast.Constant) and type(side.value) is int):
            return side
        return self._call("number_of", Mutant(self.file, side.lineno, str(side.value), side.value, side.value + 1))

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


class TieNotes:
    """A plugin of pytest: runs some tests, or all, and notes for each how long it took and what it met."""

    def __init__(self, wanted: Sequence[str] | None):
        self.wanted = wanted
        self.notes: dict[str, tuple[float, list[int]]] = {}

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        config.option.asked = False  # the folder, not a file, was named

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.wanted is not None:
            place = {name: number for number, name in enumerate(self.wanted)}
            items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        met.clear()
        begun = time.monotonic()
        done = yield
        self.notes[item.nodeid] = time.monotonic() - begun, sorted(met)
        return done


def run_tests(number: int | None, wanted: Sequence[str] | None, places: Sequence[str]) -> dict[str, Any]:
    """The tests in a child, with a mutant or none: the status, and the notes. One that ends without them failed."""
    global active
    with tempfile.NamedTemporaryFile("r") as output:
        child = os.fork()
        if not child:
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            active, plugin = number, TieNotes(wanted)
            words = ["-q", "-m", USUAL, "-p", "no:cacheprovider", *(["-x"] if wanted else []), *places]
            status = int(pytest.main(words, plugins=[plugin]))
            Path(output.name).write_text(json.dumps({"status": status, "notes": plugin.notes}))
            os._exit(0)
        end = time.monotonic() + 4 * SECONDS if wanted else float("inf")
        while not os.waitpid(child, os.WNOHANG)[0]:
            time.sleep(0.05)
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
        said: dict[str, Any] = json.loads(output.read() or '{"status": 1, "notes": {}}')
        return said


def tests_of(number: int, notes: dict[str, Any]) -> list[str]:
    """Those in which the mutant would have made a difference, the quickest first, for some seconds."""
    found: list[str] = []
    spent = 0.0
    for name, (seconds, _) in sorted(((n, o) for n, o in notes.items() if number in o[1]), key=lambda one: one[1][0]):
        spent += seconds
        if spent > SECONDS and found:
            break
        found.append(name)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="+", metavar="FOLDER=TESTS[,TESTS]")
    parser.add_argument("--only", default="", help="files with this in their name")
    parser.add_argument(
        "--again", type=Path, help="what this has printed: only what was left there, beside other tests"
    )
    parser.add_argument("--constants", action="store_true")
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
        report(folder, tests.split(","), asked.only, again)


def report(folder: str, places: Sequence[str], only: str, again: str | None) -> None:
    """Try the mutants of a folder, and print what is left of them."""
    begun = time.monotonic()
    notes = run_tests(None, None, places)["notes"]
    print(f"{folder}: {len(notes)} tests in {time.monotonic() - begun:.0f} s", flush=True)
    tried, left = Counter[str](), Counter[str]()
    for number, one in enumerate(mutants):
        if not one.file.startswith(f"{folder}/") or only not in one.file:
            continue
        if again is not None and f"left: {one.file}:{one.line}: {one.text} (" not in again:
            continue
        tried[one.file] += 1
        names = tests_of(number, notes)
        files = dict.fromkeys(name.partition("::")[0] for name in names)
        if not names or run_tests(number, names, [*files])["status"] == 0:
            left[one.file] += 1
            print(f"left: {one.file}:{one.line}: {one.text} ({len(names)} tests)", flush=True)
    print(*(f"| {file} | {count} | {left[file]} |" for file, count in sorted(tried.items())), sep="\n", flush=True)


if __name__ == "__main__":
    main()
