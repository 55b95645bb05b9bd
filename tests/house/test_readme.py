"""The README is a transcript that runs: every `$ ` command in it is typed again, and must answer as printed.

The commands run one after the other in one empty folder; a line that begins with `> ` goes on with the command before
it. The two set-up commands, which have no `$ `, are what .ci/run and its checks run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT, is_of_missing_wing

README = ROOT.joinpath("README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command and its printed answer, in order."""
    found: list[tuple[str, str]] = []
    for block in BLOCKS:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] if block.startswith("$ ") else []:
            lines = step.split("\n")
            more = next((i for i, line in enumerate(lines[1:], 1) if not re.match(r">( |$)", line)), len(lines))
            command = [lines[0], *(line[2:] for line in lines[1:more])]
            found.append(("\n".join(command), "\n".join(lines[more:]).strip("\n")))
    return found


def test_the_readme_runs(tmp_path: Path):
    assert len(commands()) >= 8
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command, printed in commands():
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.stdout.strip("\n") == printed, command


def test_two_commands_set_everything_up():
    setup = [block.strip() for block in BLOCKS if "venv" in block]
    assert len(setup) == 2
    assert all(command.count("\n") == 0 for command in setup)
    assert setup[0].endswith(".venv/bin/gdl solve games/prisoners.game")
    assert setup[1].endswith(".venv/bin/python -m pytest -q -n 2")


def test_continuous_integration_runs_the_very_commands_in_a_new_environment():
    """They are read from the README, so that the two cannot differ; nothing is installed before."""
    script = ROOT.joinpath(".ci/run").read_text(encoding="utf-8")
    read = re.findall(r'^(\w+)=\$\(grep -F "(.*)" README\.md\)$', script, re.MULTILINE)
    setup = [block.strip() for block in BLOCKS if "venv" in block]
    assert [[line for line in README.splitlines() if pattern in line] for _, pattern in read] == [
        [one] for one in setup
    ]
    lines = script.splitlines()
    begun = lines.index("rm -rf .venv")
    assert [line.split('"')[-2] for line in lines[begun + 1 : begun + 3]] == [f"${name}" for name, _ in read]
    assert "pip install" not in script[: script.index("\nrm -rf .venv\n")].replace(read[0][1], "").replace(
        read[1][1], ""
    )


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)", README))))
def test_links_lead_somewhere(link: str):
    assert is_of_missing_wing(link) or ROOT.joinpath(link).exists()


def test_continuous_integration_installs_no_package_of_the_system_unasked():
    """apt-get runs for the word `browser` alone, and a word that is not known is refused before anything is done."""
    script = ROOT.joinpath(".ci/run").read_text(encoding="utf-8")
    asked = [line.strip() for line in script.splitlines() if "apt-get" in line and not line.startswith("#")]
    assert asked == ["apt-get install -qq -y chromium firefox-esr"]
    assert re.search(r"\bbrowser\)\n +browser=yes\n +apt-get install", script)
    refused = subprocess.run([ROOT / ".ci/run", "browsers"], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout) == (2, "") and "usage" in refused.stderr
