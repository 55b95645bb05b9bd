"""Which tests are run: some cases of a law always, the rest when asked; and those that were skipped, once nothing is
missing any more."""

import json
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


PROGRAM = """
import json, os, sys
import pytest

for words, environment in json.loads(sys.argv[1]):
    os.environ.update(environment)
    pytest.main(["-q", "-p", "conftest", "-W", "ignore", *words])
    print("DONE")
    for name in environment:
        del os.environ[name]
    for name in ("test_cases", "test_whole"):
        sys.modules.pop(name, None)
"""


@pytest.mark.thorough
def test_one_in_so_many_is_run_and_what_was_skipped_is_run_later(tmp_path: Path):
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "test_whole.py").write_text(WHOLE)
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("tests", "tests/support"))

    runs: list[tuple[list[str], dict[str, str], str]] = [
        (["-m", "not thorough"], {}, "4 passed, 2 skipped"),
        (["-m", "not thorough", "-k", "law"], {}, "7 passed"),
        (["-m", "not thorough"], {}, "4 passed, 2 skipped"),
        (["--skipped"], {}, "1 passed, 2 skipped"),
        (["--skipped"], {"SOMETHING": "here"}, "4 passed in "),
        (["-m", "thorough"], {}, "4 passed, 1 skipped"),
        (["-n", "1", "-m", "not thorough"], {}, "4 passed, 2 skipped"),
        (["-n", "1", "--skipped"], {"SOMETHING": "here"}, "4 passed in "),
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([run[:2] for run in runs])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    last_lines = [said.splitlines()[-1] for said in done.stdout.split("\nDONE\n")[:-1]]
    assert [line[: len(run[2])] for line, run in zip(last_lines, runs, strict=True)] == [run[2] for run in runs]
