"""Wings: their rows hold, and the table of words has what leads to them."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args

import click
import pytest
from click.testing import CliRunner
from installed import package_installed, without_wing
from parsed_files import all_nodes, statements, tree_of
from places import ROOT

import gdl
from gdl import wings
from gdl.commands.cli import commands
from gdl.formats.game_files import described
from gdl.solvers import SOLVERS
from gdl.wings import CommandRow, FileRow, Kind, SolverRow, Wing, Words

WINGS = {name: found for name in wings.WORDS if (found := wings.wing(name))}
# Commands whose names are other words as well, or extras:
AMBIGUOUS = {"play", "match", "engine", "page", "site", "lsp", "mcp"}
CORE = [
    file
    for top in ("gdl", "solvers")
    for file in sorted((ROOT / top).rglob("*.py"))
    if not file.is_relative_to(ROOT / "gdl" / "wings") and not file.is_relative_to(ROOT / "gdl" / "solvers")
]


def test_every_folder_is_a_wing_of_the_table():
    found = {file.parent.name for file in ROOT.glob("gdl/wings/*/wing.py")}
    assert found == set(WINGS), "each folder of gdl/wings has its words in WORDS of gdl/wings/__init__.py"


@pytest.mark.parametrize("name", WINGS)
def test_the_table_has_the_words_of_a_wing(name: str):
    wing = WINGS[name]
    assert wing.name == name
    rows = {kind: tuple(getattr(wing, kind)) for kind in Words._fields}
    assert wings.WORDS[name]._asdict() == rows
    assert set(get_args(Kind)) == set(Words._fields)


@pytest.mark.parametrize("name", WINGS)
def test_what_a_wing_names_is_there(name: str):
    for target in _targets(WINGS[name]):
        assert wings.load(target) is not None, target
    for command, row in WINGS[name].commands.items():
        assert row.section, f"the row of {command} says below which heading of gdl --help it stands: section=…"
    folder = ROOT / "gdl" / "wings" / name
    assert {file.stem for file in folder.glob("docs/*.md")} == set(WINGS[name].pages)
    assert {f"gdl.wings.{need}.wing" for need in WINGS[name].needs} <= {f"gdl.wings.{one}.wing" for one in WINGS}


def _targets(wing: Wing) -> list[str]:
    files = [target for row in wing.files for target in (row.recognise, row.describe)]
    answers = [target for row in wing.answers.values() for target in row]
    solvers = [row.record for row in wing.solvers.values()]
    commands = [row.function for row in wing.commands.values()]
    return [*files, *answers, *solvers, *commands, *wing.hooks.values(), *wing.names.values()]


def test_the_core_names_no_command_solver_or_module_of_a_wing():
    """Only the table of wings does, and docstrings."""
    words = {
        name: re.compile(
            "|".join(
                [rf"gdl\.wings\.{name}\b", *(rf"\bgdl {word}\b" for word in row.commands),
                 *(rf"^{word}$" for word in row.commands if word not in AMBIGUOUS),
                 *(rf"^{word}$|--solver {word}\b" for word in row.solvers)]
            )
        )
        for name, row in wings.WORDS.items()
    }  # fmt: skip
    texts = [(file, text) for file in CORE for text in texts_of(file)]
    assert [(file, name, text) for file, text in texts for name, word in words.items() if word.search(text)] == []


def texts_of(file: Path) -> Iterator[str]:
    """The texts in the code of a file, without docstrings."""
    docstrings = {id(node.value) for node in statements(tree_of(file)) if isinstance(node, ast.Expr)}
    for node in all_nodes(file):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_no_two_words_lead_to_two_wings():
    for kind in Words._fields:
        words = [word for row in wings.WORDS.values() for word in getattr(row, kind)]
        assert sorted(words) == sorted(set(words))


def test_no_two_kernels_share_a_name():
    names = [
        file.stem for glob in ("gdl/compiler/kernels/*.py", "gdl/wings/*/kernels/*.py") for file in ROOT.glob(glob)
    ]
    names = [name for name in names if name != "__init__"]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", wings.WORDS)
def test_a_missing_wing_is_named(name: str):
    from gdl.errors import Refusal

    said = rf"comes with the wing {name}, which is not installed here$"
    with without_wing(name):
        for kind in Words._fields:
            for word in getattr(wings.WORDS[name], kind):
                with pytest.raises(Refusal, match=said):
                    wings.find_row(kind, word)  # type: ignore[arg-type]
        assert name not in {found.name for found in wings.wings()}
        assert [wings.installed_hook(one) for one in wings.WORDS[name].hooks] == [None] * len(wings.WORDS[name].hooks)
        for word in wings.WORDS[name].names:
            with pytest.raises(AttributeError, match=f"^{word} {said}"):
                getattr(gdl, word)
            assert not hasattr(gdl, word) and word not in dir(gdl)


def test_all_names_of_the_package_are_imported_with_a_star():
    names: dict[str, object] = {}
    exec("from gdl import *", names)
    assert {"solve", "load", *(name for wing in wings.wings("names") for name in wing.names)} <= names.keys()


BIRDS = Wing(
    "birds", "A wing of a package of somebody's own.",
    commands={"fly": CommandRow("birds_wing:fly", "Fly.", "gdl fly")},
    solvers={"glide": SolverRow("birds_wing:GLIDE", behind="minimax")},
    files=(FileRow((".bird",), "~", "birds_wing:is_bird", "birds_wing:describe"),),
    hooks={"--wind": "birds_wing:blow"}, names={"Bird": "birds_wing:Bird"},
)  # fmt: skip


def test_a_wing_of_an_installed_package_is_found_by_its_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    module = ModuleType("birds_wing")
    vars(module).update(
        fly=click.Command("fly", help="Fly.", callback=lambda: print("flown")),
        GLIDE=SOLVERS["minimax"],
        is_bird=lambda text: text.startswith("~"),
        describe=lambda text, name: described("players A, B\nmatrix\n    up, left: 3\n", name),
        blow=lambda: "blown",
        Bird="bird",
        WING=BIRDS,
    )
    monkeypatch.setitem(sys.modules, "birds_wing", module)
    with package_installed(tmp_path, "gdl.wings", {"birds": "birds_wing:WING"}):
        assert CliRunner().invoke(commands, ["fly"]).stdout == "flown\n"
        assert SOLVERS["glide"] is SOLVERS["minimax"] and "glide" not in list(SOLVERS)
        assert gdl.loads("~ a game", "kite.bird").game.players == ("A", "B")
        assert wings.hook("--wind")() == "blown"
        assert "fly" not in CliRunner().invoke(commands, ["--help"]).stdout


def test_a_package_whose_wing_cannot_be_imported_is_named(tmp_path: Path):
    points = {"fishes": "no_such_fishes.wing:WING", "birds": f"{__name__}:BIRDS"}
    said = "package somebodys: its wing fishes cannot be imported: ModuleNotFoundError: No module named"
    with package_installed(tmp_path, "gdl.wings", points), pytest.warns(UserWarning, match=said):
        assert wings.strangers() == (BIRDS,)


@pytest.mark.parametrize(("text", "fault"), [("WING = {}", "TypeError"), ("raise SystemExit", "SystemExit")])
def test_what_a_package_gives_for_a_wing_and_is_none_is_named(text: str, fault: str, tmp_path: Path):
    module = f"fishes_with_{fault.lower()}"
    (tmp_path / f"{module}.py").write_text(text)
    said = f"its wing fishes cannot be imported: {fault}"
    with package_installed(tmp_path, "gdl.wings", {"fishes": f"{module}:WING"}), pytest.warns(UserWarning, match=said):
        assert wings.strangers() == ()


def test_wings_of_packages_are_their_entry_points(tmp_path: Path):
    with package_installed(tmp_path, "gdl.wings", {"birds": f"{__name__}:BIRDS"}):
        assert wings.strangers() == (BIRDS,)
        assert wings.find_row("commands", "fly") == BIRDS.commands["fly"]
