"""The release: the sources and the wheel are built, installed where nothing else is, and used outside the checkout.

Both are made by hatchling, as `python -m build` makes them.
"""

import os
import re
import select
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from old_names import OLD_AND_NEW
from places import ROOT

import gdl
from gdl.commands.cli import shared_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="programs lie elsewhere there, and there are no terminals"),
]
SHIPPED = (".ci", ".github", "CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "games", "gdl", "pyproject.toml",
           "solvers", "tests", ".gitignore")  # fmt: skip
MADE_ANEW = shutil.ignore_patterns("__pycache__", ".hypothesis", "grammar.json", "examples.json")
RELEASED = "1795305600"  # seconds since 1970
PATIENCE = 60  # seconds for a shell's answer


class Release(NamedTuple):
    wheel: Path
    sources: Path

    @property
    def top(self) -> str:
        return self.sources.name.removesuffix(".tar.gz")


def built(tree: Path, target: Path, *kinds: str, hash_seed: str = "0") -> Path:
    """The folder of what hatchling builds from a tree: the sources, and from the same tree a wheel."""
    pytest.importorskip("hatchling")
    asked = [sys.executable, "-m", "hatchling", "build", "-d", str(target), *(f"-t{kind}" for kind in kinds)]
    surroundings = {**os.environ, "SOURCE_DATE_EPOCH": RELEASED, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(asked, cwd=tree, capture_output=True, text=True, env=surroundings)
    assert done.returncode == 0, done.stderr
    return target


def release(folder: Path) -> Release:
    (wheel,), (sources,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Release(wheel, sources)


def copied(target: Path) -> Path:
    for name in SHIPPED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, symlinks=True, ignore=MADE_ANEW)
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def made(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Release:
    return release(built(tree, tmp_path_factory.mktemp("made")))


def test_the_sources_are_what_a_packager_needs_and_nothing_else(tree: Path, made: Release):
    with tarfile.open(made.sources) as archive:
        held = {name.removeprefix(f"{made.top}/") for name in archive.getnames()}
    files = [file for file in tree.rglob("*") if file.is_file() and not file.is_symlink()]
    there = {file.relative_to(tree).as_posix() for file in files}
    new = {"gdl/syntax/grammar.json", "gdl/errors/examples.json"}  # the build has written them
    wanted = {name for name in there if name.partition("/")[0] in SHIPPED and "__pycache__" not in name}
    assert held == {"PKG-INFO", *wanted} - new
    assert {"tests/conftest.py", "games/nim.game", "LICENSE", "CHANGELOG.md", "CITATION.cff", "README.md"} <= held


def test_the_wheel_has_all_of_gdl(tree: Path, made: Release):
    names = set(ZipFile(made.wheel).namelist())
    kept = [tree / "gdl", tree / "solvers", tree / "games"]
    modules = {file.relative_to(tree).as_posix() for top in kept for file in top.rglob("*") if file.is_file()}
    inside = {name if name.startswith("gdl/") else f"gdl/{name}" for name in modules if "__pycache__" not in name}
    data = f"{made.top}.data/data/share/"
    about = {name for name in names if name.startswith(f"{made.top}.dist-info/")}
    assert names - about == {"solvers.py", *inside, *(data + place for place in shared_files())} - {
        "gdl/commands/build_hook.py"
    }
    assert {"gdl/syntax/grammar.json", "gdl/errors/examples.json", "gdl/py.typed"} <= inside


def test_the_same_sources_give_the_same_bytes(made: Release, tmp_path: Path):
    """In another folder, with other seeds of hashing."""
    again = release(built(copied(tmp_path / "tree"), tmp_path / "made", hash_seed="7"))
    assert again.sources.read_bytes() == made.sources.read_bytes()
    assert again.wheel.read_bytes() == made.wheel.read_bytes()


def test_a_wheel_from_the_sources_is_that_from_the_tree(made: Release, tmp_path: Path):
    with tarfile.open(made.sources) as archive:
        archive.extractall(tmp_path, filter="data")
    (wheel,) = built(tmp_path / made.top, tmp_path / "made", "wheel").glob("*.whl")
    assert wheel.read_bytes() == made.wheel.read_bytes()


@pytest.fixture(scope="module")
def needed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the packages that gdl and its build need."""
    folder = tmp_path_factory.mktemp("needed")
    project: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "-d", folder, *wanted], capture_output=True)
    if done.returncode:
        pytest.skip("pip cannot download what gdl needs")
    return folder


@pytest.fixture(scope="module", params=Release._fields)
def installed(request: pytest.FixtureRequest, made: Release, needed: Path, tmp_path_factory: Any) -> Path:
    """An environment with nothing but gdl."""
    folder: Path = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    packages = ["--no-index", "--find-links", str(needed), str(getattr(made, request.param))]
    done = subprocess.run([folder / "bin" / "pip", "install", "-q", *packages], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def said(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """The output of a program of the environment, started in an empty folder."""

    def run(program: str, *words: str, typed: str = "") -> str:
        done = subprocess.run(
            [installed / "bin" / program, *words], input=typed, cwd=tmp_path, env=clean(installed),
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def clean(installed: Path, **more: str) -> dict[str, str]:
    """The surroundings of a program that knows this environment and nothing of the checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "PATH": f"{installed / 'bin'}:{os.environ['PATH']}", **more}


def test_it_solves_plays_reads_and_makes_pages(said: Callable[..., str], tmp_path: Path):
    assert said("gdl", "--version").startswith(f"gdl, version {gdl.__version__}\n")
    assert said("gdl", "solve", "prisoners").startswith("The only equilibrium is (betray, betray): A gets -2 and B")
    assert "first-game" in said("gdl", "guide") and "gdl.solvers" in said("gdl", "guide", "python")
    assert "no player is called" in said("gdl", "guide", "unknown-player")
    said("gdl", "page", "tic_tac_toe", "-o", "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_programs_import_it_by_both_names(said: Callable[..., str], installed: Path, tmp_path: Path):
    assert said("python", "-c", OLD_AND_NEW) == "-2\n"
    where = said("python", "-c", "import gdl.solvers; print(gdl.solvers.__file__)")
    assert Path(where.strip()).is_relative_to(installed)
    (tmp_path / "solvers.py").write_text("MINE = 5\n")
    assert said("python", "-c", "import gdl, solvers; print(gdl.solve('nim').value[0], solvers.MINE)") == "-1 5\n"


def test_type_checkers_know_it(installed: Path, tmp_path: Path):
    pytest.importorskip("mypy")
    (tmp_path / "mine.py").write_text(
        "import gdl\nfrom gdl.solvers import SOLVERS\nfrom gdl.solvers.minimax.alpha_beta import alpha_beta\n"
        "reveal_type(gdl.solvers.solve(gdl.load('nim')).exact)\nreveal_type(SOLVERS['nash'].summary)\n"
        "reveal_type(alpha_beta(gdl.load('nim')))\n"
    )
    asked = ["--strict", "--python-executable", str(installed / "bin" / "python"), "mine.py"]
    done = subprocess.run([sys.executable, "-m", "mypy", *asked], cwd=tmp_path, capture_output=True, text=True)
    assert re.findall(r'"(.*)"', done.stdout) == ["bool", "str", "gdl.solution.Solution"], done.stdout
    assert done.returncode == 0


def test_it_brings_files_for_other_programs(installed: Path):
    for place, text in shared_files().items():
        assert (installed / "share" / place).read_text(encoding="ascii") == text


SHELLS = {  # how each begins, as for somebody who has set up nothing; and what it is told first
    "bash": (["bash", "--norc"], "source {share}/bash-completion/completions/gdl"),
    "zsh": (["zsh", "-f"], "fpath=({share}/zsh/site-functions $fpath); autoload -U compinit; compinit -u -D"),
    "fish": (["fish"], ""),  # it looks in all folders of XDG_DATA_DIRS
}


@pytest.mark.parametrize("shell", SHELLS)
def test_shells_complete(shell: str, installed: Path, tmp_path: Path):
    """The beginning of a game's name and the tab key are typed, then what is there is run."""
    if not shutil.which(shell):
        pytest.skip(f"no {shell}")
    pty = pytest.importorskip("pty")
    share = installed / "share"
    command, setting_up = SHELLS[shell]
    surroundings = clean(installed, HOME=str(tmp_path), XDG_DATA_DIRS=f"{share}:/usr/share", TERM="xterm", PS1="> ")
    surroundings.pop("XDG_DATA_HOME", None)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execvpe(command[0], command, surroundings)
    try:
        seen = type_in(terminal, f"{setting_up.format(share=share)}; echo rea''dy\n", "ready")
        seen += type_in(terminal, "gdl solve priso\t", "prisoners")
        seen += type_in(terminal, "\n", "A gets -2 and B gets -2")
    finally:
        os.kill(child, 9)
        os.close(terminal)
        os.waitpid(child, 0)


def type_in(terminal: int, text: str, awaited: str) -> str:
    """Type a text, and read until something is seen."""
    os.write(terminal, text.encode())
    seen, end = "", time.monotonic() + PATIENCE
    while awaited not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, f"{awaited!r} is not seen, but {seen!r}"
        seen += os.read(terminal, 4096).decode(errors="replace")
    return seen
