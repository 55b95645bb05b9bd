"""The programs of the manual, and searches as one writes them, pass type checkers at their strictest."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import typed_searches

import gdl

GDL = Path(__file__).parents[2] / "gdl"
UNTYPED = ("networkx", "pyspiel", "open_spiel", "pygments")  # packages without types, which are not what is checked
PARTLY = ("pyspiel", "pygments", "pettingzoo")  # whose types leave something unknown, which the strictest mode reports
STRICT = '{"typeCheckingMode": "strict", "reportMissingModuleSource": false}'
INSIDE = ("engine", "kernels")  # the pages for who works on the engine itself, with what the tests have


def write_programs(folder: Path) -> list[str]:
    """The programs of the pages as files, and the cells of the notebook as one; those that need a package that is not
    here are left out."""
    names = []
    for page in sorted([*GDL.glob("docs/*.md"), *GDL.glob("wings/*/docs/*.md")]):
        blocks = re.findall(r"```(?:python|file) *(\S*)\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        cells = "".join(block for word, block in blocks if word == "cell")
        programs = [f"# pyright: reportUnusedExpression=false\n{cells}"] if cells else []
        for word, block in blocks:
            needed = {"openspiel": "pyspiel"}.get(word, word)
            if (
                word.endswith(".py")
                or word in ("", "pettingzoo")
                or (word != "cell" and importlib.util.find_spec(needed))
            ):
                programs.append(block)
        for number, program in enumerate(programs if page.stem not in INSIDE else []):
            names.append(f"{page.stem}_{number}.py".replace("-", "_"))
            mode = "# pyright: standard\n" * any(package in program for package in PARTLY)
            (folder / names[-1]).write_text(mode + program, encoding="utf-8")
    return names


@pytest.mark.thorough
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_programs_of_the_manual_pass(checker: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is missing")
    names = [*write_programs(tmp_path), typed_searches.__file__]
    if importlib.util.find_spec("numpy") is None:
        pytest.skip("numpy is missing")
    settings = "".join(f"[mypy-{package}.*]\nignore_missing_imports = True\n" for package in UNTYPED)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\n{settings}")
    (tmp_path / "pyrightconfig.json").write_text(STRICT)
    own = [] if checker == "mypy" else ["--pythonpath", sys.executable]
    told = subprocess.run(
        [sys.executable, "-m", checker, *own, *names], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.thorough
def test_searches_as_one_writes_them_give_the_values() -> None:
    nim = gdl.load("nim", settings={"heaps": "1,2"})
    assert typed_searches.utilities(nim, nim.initial()) == (1, -1)
    assert typed_searches.minimax(nim) == 1 and typed_searches.minimax(gdl.load("dice_roll")) == Fraction(17, 4)
    packed = gdl.load("tic_tac_toe", packed=True)
    assert typed_searches.alpha_beta(packed, packed.initial(), -1, 1) == 0
    assert typed_searches.first_value("leduc", 1) is None and typed_searches.first_value("prisoners", 1000) == -2
