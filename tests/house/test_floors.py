"""The house stands on its floors: every room has its own, imports point strictly down, heavy libraries wait outside."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

from parsed_files import all_nodes, statements, tree_of
from places import ROOT

from gdl import wings

# From the ground up. A room is a folder, or a file that lies loose; it imports only from rooms that stand before it.
ROOMS = """
    gdl.record gdl.errors gdl.processes gdl.wings gdl.concepts
    gdl.game gdl.numbers gdl.solution
    gdl.syntax gdl.model gdl.states gdl.graph gdl.formats gdl.analysis gdl.interpreter gdl.checker
    gdl.compiler gdl.inspection gdl.render
    gdl.explain
    gdl.solvers.horizon gdl.solvers.needs gdl.solvers.certificate
    gdl.solvers.secured gdl.solvers.look_ahead gdl.solvers.one_ply gdl.solvers.record gdl.solvers.budget gdl.solvers.solver
    gdl.solvers.old_name
    gdl.solvers.engine_stages gdl.solvers.concepts gdl.solvers.options
    gdl.solvers.minimax gdl.solvers.cyclic gdl.solvers.mcts gdl.solvers.equilibria
    gdl.solvers.imperfect_information gdl.solvers.open_numbers
    gdl.solvers.own_search
    gdl.solvers.table gdl.solvers.run_solver gdl.solvers.auto gdl.solvers.plan gdl.solvers.plan_run
    gdl.solvers.concept_plan gdl.solvers gdl.solvers.recorded_steps
    gdl.playing gdl.adapters gdl gdl.web
    gdl.commands gdl.__main__
""".split()
FLOOR = {room: floor for floor, room in enumerate(ROOMS)}
SEEN_BY_SOLVERS = """
    gdl.concepts gdl.errors gdl.errors.deadline gdl.errors.limits gdl.errors.shares gdl.game gdl.solution gdl.numbers
    gdl.states.checked_game gdl.states.components gdl.states.estimate gdl.states.explore
    gdl.states.flat gdl.states.linear gdl.states.possible
    gdl.states.random_numbers gdl.states.tally gdl.states.sequential gdl.states.random_numbers
    gdl.states.safe_play gdl.states.game_wrapper
    gdl.compiler.better_evaluation gdl.compiler.compiled_engine gdl.compiler.search_kinds
    gdl.formats.files gdl.formats.resuming gdl.formats.solve_answer gdl.formats.answer_kinds
    gdl.processes gdl.wings
""".split()
# All that the verifier shares with whoever found the answer: games, numbers and all positions (walked, or numbered by the
# compiled engine).
SEEN_BY_THE_VERIFIER = """
    gdl.concepts gdl.errors gdl.game gdl.solution gdl.numbers
    gdl.formats.answer_kinds gdl.formats.solve_answer
    gdl.states.explore gdl.states.flat gdl.states.game_wrapper gdl.states.sequential
    gdl.compiler.search_kinds gdl.wings
""".split()
MOST_ROOMS, MOST_FLOORS = 28, 14
HEAVY = {"networkx", "wasmtime", "numpy", "highspy", "rich", "matplotlib", "scipy", "torch", "ray"}
FILES = sorted([*ROOT.glob("gdl/**/*.py"), *ROOT.glob("solvers/**/*.py")])


def imported_as(file: Path) -> str:
    """The name of a module; the folder solvers/ is gdl.solvers."""
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return f"gdl.{name}" if name.split(".")[0] == "solvers" else name


MODULES = {file: imported_as(file) for file in FILES}
NAMES = set(MODULES.values())


def name_of(file: Path) -> str:
    return MODULES[file]


def room_of(module: str) -> str:
    """The room that a module lies in: its folder, or itself where it lies loose in gdl/ or solvers/; or its wing."""
    return ".".join(module.split(".")[: 3 if is_of_solvers(module) or is_of_wing(module) else 2])


def is_of_wing(module: str) -> bool:
    return module.startswith("gdl.wings.")


def is_of_solvers(module: str) -> bool:
    return module.split(".")[:2] == ["gdl", "solvers"]


class Imports(NamedTuple):
    """The modules that a file imports, without those for the type checker alone."""

    all: tuple[str, ...]
    top: tuple[str, ...]  # as soon as it is imported itself
    named: tuple[str, ...]  # all, and those for the type checker


@cache
def imports(file: Path) -> Imports:
    tree = tree_of(file)
    all = list(statements(tree))
    hidden = {node for block in all if is_for_types(block) for node in ast.walk(block)}
    return Imports(tuple(_named(all, hidden)), tuple(_named(tree.body, hidden)), tuple(_named(all, set())))


def _named(nodes: Iterable[ast.AST], hidden: set[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import) and node not in hidden:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in hidden:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in NAMES else str(node.module) for name in inner)


def is_for_types(block: ast.AST) -> bool:
    return isinstance(block, ast.If) and isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"


def ours(modules: Iterable[str]) -> list[str]:
    return [name for name in modules if name.split(".")[0] == "gdl"]


def test_nothing_imports_the_solvers_by_their_old_name():
    """A folder or a module `solvers` of the user's would be imported in their place."""
    old = [(name_of(file), name) for file in FILES for name in imports(file).named if name.split(".")[0] == "solvers"]
    assert old == []


def test_every_room_has_its_floor():
    assert {room_of(name) for name in NAMES if not is_of_wing(name)} == set(ROOMS)


def test_imports_point_down():
    above = [
        f"{name_of(file)} imports {target}, which stands above"
        for file in FILES
        for room in [room_of(name_of(file))]
        if not is_of_wing(room)
        for target in ours(imports(file).named)
        if room_of(target) != room and FLOOR.get(room_of(target), len(ROOMS)) >= FLOOR[room]
    ]
    assert above == []


def test_wings_import_the_core_and_the_wings_that_they_need():
    """`wing.py`, which is imported where all wings are listed, imports the ground alone."""
    for file in FILES:
        home = room_of(name_of(file))
        if is_of_wing(home) and (home.rpartition(".")[2] in wings.WORDS):
            found = wings.wing(home.rpartition(".")[2])
            assert found is not None
            allowed = {home, *(f"gdl.wings.{name}" for name in found.needs)}
            others = {room_of(target) for target in ours(imports(file).named) if is_of_wing(target)}
            assert others <= allowed, f"{name_of(file)} imports {others - allowed}"
        if file.name == "wing.py":
            assert set(ours(imports(file).named)) == {"gdl.wings"}, name_of(file)


def test_solvers_know_games_and_answers_only():
    known = {file: ours(imports(file).all) for file in ROOT.glob("solvers/**/*.py")}
    assert [(name_of(file), t) for file, names in known.items() for t in names
            if not is_of_solvers(t) and t not in SEEN_BY_SOLVERS] == [("gdl.solvers", "gdl.render.text")]  # fmt: skip


def test_the_verifier_knows_no_solver():
    """Not even inside a function, or for the type checker. The command reads games and questions like every other."""
    read = {ROOT / "gdl/wings/verify" / name for name in ("verify_command.py", "question_claims.py")}
    files = set(ROOT.glob("gdl/wings/verify/**/*.py")) - read
    known = {file: ours(imports(file).named) for file in files}
    assert [(name_of(file), t) for file, names in known.items() for t in names
            if t != "gdl.wings.verify" and not t.startswith("gdl.wings.verify.")
            and t not in SEEN_BY_THE_VERIFIER] == []  # fmt: skip
    finder = ROOT / "gdl/wings/verify/concepts/__init__.py"  # imports the files beside it, by the names of concepts
    calls = [node.func for file in known.keys() - {finder} for node in all_nodes(file) if isinstance(node, ast.Call)]
    assert not {getattr(call, "id", getattr(call, "attr", "")) for call in calls} & {"import_module", "__import__"}


def test_only_the_command_line_and_programs_know_the_solvers():
    knowing = {room_of(name_of(file)) for file in FILES if any(map(is_of_solvers, imports(file).all))}
    assert {room for room in knowing if not is_of_solvers(room) and not is_of_wing(room)} == {
        "gdl.commands",
        "gdl.playing",
        "gdl.adapters",
    }


def test_engines_see_the_model_never_the_syntax():
    for file in [*ROOT.glob("gdl/interpreter/*.py"), *ROOT.glob("gdl/compiler/**/*.py")]:
        assert not any(room_of(target) == "gdl.syntax" for target in ours(imports(file).all)), file


def test_no_file_needs_itself():
    """Not even inside a function, or for the type checker."""
    graph = {name_of(file): set(ours(imports(file).named)) - {name_of(file)} for file in FILES}
    list(TopologicalSorter(graph).static_order())  # raises CycleError


def test_the_house_is_low():
    """Solvers count as one room, and each floor stands on another."""
    below: dict[str, set[str]] = {}
    for file in FILES:
        room = large_room_of(name_of(file))
        if is_of_wing(room):
            continue
        below.setdefault(room, set()).update({large_room_of(name) for name in ours(imports(file).named)} - {room})
    assert len(below) <= MOST_ROOMS
    floors: dict[str, int] = {}
    for room in TopologicalSorter(below).static_order():
        floors[room] = 1 + max((floors[other] for other in below[room]), default=0)
    assert max(floors.values()) <= MOST_FLOORS


def large_room_of(module: str) -> str:
    return "gdl.solvers" if is_of_solvers(module) else room_of(module)


def test_heavy_libraries_wait_until_they_are_used():
    heavy = {name_of(file): HEAVY & {name.split(".")[0] for name in imports(file).top} for file in FILES}
    assert {name: found for name, found in heavy.items() if found} == {}


def test_no_two_files_of_tests_have_one_name():
    """They are imported by their bare names, so that the second would not be collected."""
    names = [file.name for file in ROOT.glob("tests/**/test_*.py")]
    assert sorted(names) == sorted(set(names))
