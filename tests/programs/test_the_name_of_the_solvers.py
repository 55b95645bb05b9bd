"""The solvers are `gdl.solvers`: what a user has by the name `solvers` is let alone, and who imports them by that name,
which they had before, gets the same modules."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from old_names import OLD_AND_NEW
from places import ROOT


def said(folder: Path, *program: str, path: Path = ROOT) -> str:
    """The output of a Python program started in a folder."""
    done = subprocess.run(
        [sys.executable, *program], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("own", ["solvers.py", "solvers/__init__.py"])
def test_what_the_user_calls_solvers_is_let_alone(tmp_path: Path, own: str):
    file = tmp_path / own
    file.parent.mkdir(exist_ok=True)
    file.write_text("MINE = 5\n")
    assert said(tmp_path, "-c", "import gdl; print(gdl.solve('nim').value[0])") == "-1\n"
    assert said(tmp_path, "-c", "import gdl; gdl.solvers; import solvers; print(solvers.MINE)") == "5\n"
    assert said(tmp_path, "-m", "gdl", "solve", "prisoners").startswith("The only equilibrium is (betray, betray)")


def test_the_old_name_gives_the_same_modules():
    assert said(ROOT, "-c", OLD_AND_NEW) == "-2\n"


def test_the_old_name_of_a_file_takes_no_function_away():
    """A folder had a function of the same name as its file, and then the file in its place."""
    imported = "import gdl.solvers as new; known = dict(vars(new)); import solvers.auto"
    assert said(ROOT, "-c", f"{imported}; print(known == {{name: vars(new)[name] for name in known}})") == "True\n"


def test_they_are_found_where_git_makes_no_links(tmp_path: Path):
    """There `gdl/solvers` is a file that says where the link would lead."""
    (tmp_path / "gdl").mkdir()
    for part in (ROOT / "gdl").iterdir():
        if part.name != "solvers":
            (tmp_path / "gdl" / part.name).symlink_to(part)
    (tmp_path / "gdl" / "solvers").write_text("../solvers")
    for part in ("solvers", "games"):
        (tmp_path / part).symlink_to(ROOT / part)
    where = "import gdl.solvers; print(gdl.solvers.__file__)"
    assert said(tmp_path, "-c", where, path=tmp_path) == f"{tmp_path}/solvers/__init__.py\n"
    assert said(tmp_path, "-c", OLD_AND_NEW, path=tmp_path) == "-2\n"
