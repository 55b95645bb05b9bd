"""Pages for `man`: one for each command, which groff sets without a complaint."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gdl.commands.cli import COMMANDS, man_pages


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return man_pages()


def test_each_command_has_a_page_with_its_options(made: dict[str, str]):
    assert set(made) == {"gdl.1", *(f"gdl-{name}.1" for name in COMMANDS)}
    assert all(rf"gdl\-{name}(1)" in made["gdl.1"] for name in COMMANDS)
    for name, text in made.items():
        assert text.isascii() and ".SH EXIT STATUS\n0 done" in text, name
    solve = made["gdl-solve.1"]
    assert ".B \\-\\-simulations INTEGER\n" in solve and "gdl solve tic_tac_toe \\-\\-json\n" in solve
    assert ".SH SYNOPSIS\n.B gdl solve\n[OPTIONS] FILE\n" in solve


def test_groff_sets_them(made: dict[str, str], tmp_path: Path):
    groff = shutil.which("groff")
    if groff is None:
        pytest.skip("no groff")
    for name, text in made.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    files = [str(tmp_path / name) for name in made]
    done = subprocess.run([groff, "-man", "-ww", "-Tutf8", "-P-c", *files], capture_output=True, text=True)
    assert done.stderr == ""
    words = " ".join(done.stdout.replace("\b", "").split())
    assert "Write down the rules of a game; gdl solves it." in words and all(
        row.example.split(" && ")[0][:24] in words for row in COMMANDS.values()
    )
