"""The oldest version of Lark that pyproject.toml allows, and the newest, read every file alike, and make the same
tables."""

import re
import subprocess
import sys

import pytest
from places import ROOT

READ = """
import hashlib, sys
from pathlib import Path
import lark
from gdl.errors import GameError
from gdl.syntax import parser, tables

def told(text):
    try:
        return repr(parser.parse.__wrapped__(text, "x.game"))
    except GameError as error:
        return str(error)

files = sorted(file for folder in ("games", "tests") for file in Path(sys.argv[1], folder).rglob("*.game"))
for file in files:
    text = file.read_text(encoding="utf-8", errors="replace")
    cut = text[: len(text) * 2 // 3]  # most of them end in a mistake
    print(file.name, *(hashlib.sha256(told(each).encode()).hexdigest() for each in (text, cut)))
print(tables.make() == tables.load())
print(lark.__version__, file=sys.stderr)
"""
LOWEST = re.search(r'^    "lark>=([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]


def read_with(folder=None):
    """The marks of what every file says, and the version of Lark that read it, which may lie in a folder."""
    paths = [str(ROOT), *([str(folder)] if folder else [])]
    program = f"import sys; sys.path[:0] = {paths[::-1]}\n{READ}"
    done = subprocess.run([sys.executable, "-c", program, str(ROOT)], capture_output=True, text=True, check=True)
    return done.stdout, done.stderr.split()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("version", [f"lark=={LOWEST}", "lark"])
def test_a_version_of_lark_reads_every_file_alike(version, tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--retries", "0", "--target", str(tmp_path)]
    if subprocess.run([*pip, version], capture_output=True).returncode:
        pytest.skip("the package index can't be reached")
    told, used = read_with(tmp_path)
    assert used == LOWEST or version == "lark"
    assert told == read_with()[0]
    assert len(told.splitlines()) > 500 and told.endswith("\nTrue\n")
