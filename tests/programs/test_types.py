"""The programs of the manual's pages on Python pass type checkers as their readers run them."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "gdl" / "docs"
PAGES = ("python", "stepping")
UNTYPED = ("networkx", "pyspiel", "open_spiel")  # packages without types, which are no part of what is checked


def write_programs(folder: Path) -> list[str]:
    """The blocks of the pages as files; those that need a package that is not here are left out."""
    names = []
    for page in PAGES:
        blocks = re.findall(r"```python *(\w*)\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.S)
        for number, (needs, block) in enumerate(blocks):
            if not needs or importlib.util.find_spec(needs if needs != "openspiel" else "pyspiel"):
                names.append(f"{page}_{number}.py")
                (folder / names[-1]).write_text(block, encoding="utf-8")
    return names


@pytest.mark.thorough
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_programs_of_the_manual_pass(checker: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is missing")
    names = write_programs(tmp_path)
    if importlib.util.find_spec("numpy") is None:
        pytest.skip("numpy is missing")
    settings = "".join(f"[mypy-{package}.*]\nignore_missing_imports = True\n" for package in UNTYPED)
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nstrict = True\n{settings}")
    (tmp_path / "pyrightconfig.json").write_text('{"reportMissingModuleSource": false}')
    own = [] if checker == "mypy" else ["--pythonpath", sys.executable]
    told = subprocess.run(
        [sys.executable, "-m", checker, *own, *names], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert told.returncode == 0, told.stdout + told.stderr
