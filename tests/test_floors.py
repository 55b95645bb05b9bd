"""The house stands on its floors: imports point down, never in a circle, and nothing heavy is carried in at the door."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = [
    "errors limits files record board board_tables random_numbers ctrl_c footprint",
    "game protocol checked_game numbers solution domains core",
    "model checked_model syntax sequential possible explore graph_reader graph",
    "lexer tables lalr shapes syntax_errors recovery parser checker closures evaluator lookup quantifiers stacks measures analysis interpreter symmetry "
    "compiler explicit notation position "
    "count estimate tally wheel playouts fingerprint weights quantities expectations inspection coverage match replies seen formats render exam notebook build_hook extents loading",
    "gdl",
    "cli commands __main__",
]
FLOOR = {f"gdl.{name}" if name != "gdl" else name: i for i, names in enumerate(FLOORS) for name in names.split()}
ENGINES = (
    "gdl.explicit",
    "gdl.closures",
    "gdl.evaluator",
    "gdl.lookup",
    "gdl.quantifiers",
    "gdl.interpreter",
    "gdl.compiler",
)
SEEN_BY_SOLVERS = {
    "gdl.errors",
    "gdl.checked_game",
    "gdl.game",
    "gdl.solution",
    "gdl.sequential",
    "gdl.possible",
    "gdl.explore",
    "gdl.graph",
    "gdl.limits",
    "gdl.numbers",
    "gdl.random_numbers",
    "gdl.wheel",
}
HEAVY = {"networkx", "wasmtime", "numpy", "highspy", "rich", "matplotlib", "scipy", "torch"}
FILES = sorted(ROOT.glob("gdl/**/*.py")) + sorted(ROOT.glob("solvers/**/*.py"))


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(name: str) -> str:
    """A file of gdl/, or a whole folder in it, which is one room to the rest; a solver's file is its own."""
    return ".".join(name.split(".")[:2])


def imports(file: Path, top_only: bool = False) -> Iterator[str]:
    """The modules that a file imports; those for the type checker alone do not count."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    hidden = {n for block in ast.walk(tree) if is_for_types(block) for n in ast.walk(block)}
    for node in tree.body if top_only else ast.walk(tree):
        if isinstance(node, ast.Import) and node not in hidden:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in hidden:
            parts = {name_of(f) for f in FILES}
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in parts else str(node.module) for name in inner)


def is_for_types(block: ast.AST) -> bool:
    return isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"


def ours(file: Path, top_only: bool = False) -> list[str]:
    return [name for name in imports(file, top_only) if name.split(".")[0] in ("gdl", "solvers")]


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_point_down(file: Path):
    room = room_of(name_of(file))
    for target in ours(file):
        if room.startswith("solvers"):
            assert target.startswith("solvers") or target in SEEN_BY_SOLVERS
        elif target.startswith("solvers"):
            assert room == "gdl.commands", "only the command line knows the solvers"
        else:
            assert FLOOR[room_of(target)] <= FLOOR[room], f"{target} is above"
            assert not (room in ENGINES and room_of(target) == "gdl.syntax"), "engines see the model, never the syntax"


def test_every_file_has_its_floor():
    assert {room_of(name_of(f)) for f in FILES if f.is_relative_to(ROOT / "gdl")} <= set(FLOOR)


def test_no_room_leads_back_to_itself():
    graph: dict[str, set[str]] = {}
    for file in FILES:
        room = room_of(name_of(file))
        graph.setdefault(room, set()).update({room_of(target) for target in ours(file)} - {room, "solvers"})
    list(TopologicalSorter(graph).static_order())  # raises CycleError


def test_no_file_needs_itself_to_be_imported():
    graph = {name_of(file): set(ours(file, top_only=True)) - {name_of(file)} for file in FILES}
    list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_heavy_libraries_wait_until_they_are_used(file: Path):
    assert not HEAVY & {name.split(".")[0] for name in imports(file, top_only=True)}


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_files_are_short(file: Path):
    assert len(file.read_text(encoding="utf-8").splitlines()) < 500
