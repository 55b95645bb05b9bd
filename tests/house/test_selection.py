"""Which tests are run: some cases of a law always, the rest when asked; and those that were skipped, once nothing is
missing any more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

CASES = """
import os
import pytest

@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", range(7))
def test_law(case):
    pass

@pytest.mark.parametrize("case", [1, 2])
def test_that_needs_something(case):
    if case == 2 and "SOMETHING" not in os.environ:
        pytest.skip("something is not installed")
"""
WHOLE = """
import os
import pytest

if "SOMETHING" not in os.environ:
    pytest.skip("something is not installed", allow_module_level=True)

def test_one(): pass
def test_two(): pass
"""


@pytest.mark.thorough
def test_one_in_so_many_is_run_and_what_was_skipped_is_run_later(tmp_path: Path):
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "test_whole.py").write_text(WHOLE)
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("tests", "tests/support"))

    def last_line(*words: str, **environment: str) -> str:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-n", "1", "-W", "ignore", *words]
        done = subprocess.run(
            command,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, **environment},
        )
        return done.stdout.splitlines()[-1]

    assert last_line("-m", "not thorough").startswith("4 passed, 2 skipped")
    assert last_line("-m", "not thorough", "-k", "law").startswith("7 passed")
    assert last_line("-m", "not thorough").startswith("4 passed, 2 skipped")
    assert last_line("--skipped").startswith("1 passed, 2 skipped")
    assert last_line("--skipped", SOMETHING="here").startswith("4 passed in ")
    assert last_line("-m", "thorough").startswith("4 passed, 1 skipped")
