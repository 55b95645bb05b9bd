"""Every answer as JSON, in the transcripts and on the pages of the manual, is as the schema has it."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT, transcript_files
from transcripts import Step, read

from gdl.commands import cli
from gdl.formats.schema import SCHEMA, document
from gdl.web.manual import page_files

jsonschema = pytest.importorskip("jsonschema")

DOCUMENT = document()
FURTHER = """
    gdl solve nim --set heaps=1,2 --values
    gdl solve tic_tac_toe
    gdl solve figure_5_2 --solver alpha-beta --trace
    gdl solve prisoners
    gdl solve seltens_horse --concept subgame-perfect
    gdl solve kuhn --time 10
    gdl judge seltens_horse --profile uniform --concept nash
    gdl solve pig --depth 2 --solver star2
    gdl solve three_players --solver shallow --trace
    gdl solve stag_hunt --solver dominance
    gdl solve connect_four --solver mcts --simulations 50 --seed 1
    gdl solve pong_hau_ki --solver retrograde
    gdl show nim
    gdl show tic_tac_toe --after "take(a1) take(b2)"
    gdl show chess
    gdl show kuhn
    gdl show entry --normal-form
    gdl show prisoners
    gdl show figure_5_2
    gdl show atomic --source
    gdl perft nim 2 --divide
    gdl states nim --set heaps=1,2
    gdl states kuhn --histories
    gdl playouts pig --count 5
    gdl playouts kuhn --count 5
    gdl judge prisoners --profile uniform
    gdl test nim prisoners
    gdl test nim --coverage
    gdl explain figure_5_2
    gdl games
    gdl card
    gdl card --grammar
    gdl solvers
    gdl solvers mcts
    gdl solvers subgame-perfect
    gdl guide
    gdl guide rules
    gdl guide exists
    gdl guide unknown-name
    gdl guide limit
    gdl solve nosuch
    gdl guide nosuch
    gdl --version
""".strip().splitlines()
OF_WINGS = [
    line for file in sorted(ROOT.glob("tests/wings/*/json_answers.txt")) for line in file.read_text().splitlines()
]


def validated(command: str, told: str) -> None:
    """The answer is as the schema has it for its command, or tells problems."""
    value = json.loads(told)
    of_problems = isinstance(value, dict) and list(value) == ["schema", "problems"]
    name = "problems" if of_problems else shlex.split(command)[1].lstrip("-")
    assert name in DOCUMENT["$defs"], f"the schema has no definition for gdl {name}"
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DOCUMENT["$defs"]})
    wrong = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(value)]
    assert wrong == []


def asked_for_json() -> list[tuple[str, Step]]:
    """The commands with --json whose answers are written down, with where they stand."""
    texts = {file.stem: file.read_text(encoding="utf-8") for file in transcript_files()}
    for page in [*page_files().values(), ROOT / "README.md"]:
        fences = page.read_text(encoding="utf-8").split("```console\n")[1:]
        texts[page.stem] = "\n".join(fence.partition("\n```")[0] for fence in fences)
    steps = [(stem, step) for stem, text in texts.items() for step in read(text)[1]]
    return [
        (f"{stem}:{step.line}", step) for stem, step in steps if "--json" in shlex.split(step.command, comments=True)
    ]


WRITTEN = asked_for_json()


@pytest.mark.parametrize("step", [step for _, step in WRITTEN], ids=[name for name, _ in WRITTEN])
def test_what_is_written_down_is_as_the_schema_has_it(step: Step):
    for line in step.answer:
        if line.startswith(("{", "[{")) and "…" not in line:
            validated(step.command, line)


@pytest.mark.thorough_of("gdl show chess")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("command", [line.strip() for line in (*FURTHER, *OF_WINGS)])
def test_answers_are_as_the_schema_has_them(command: str):
    result = CliRunner().invoke(cli.commands, [*shlex.split(command)[1:], "--json"], prog_name="gdl")
    validated(command, result.stdout)


BROKEN = sorted((ROOT / "tests" / "checker" / "errors").glob("*.game"))


def told_as_data(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`gdl check FILE --json` is as the schema has it, and tells what `gdl check FILE` tells."""
    monkeypatch.chdir(file.parent)  # messages name other files from here
    result = CliRunner().invoke(cli.commands, ["check", file.name, "--json"], prog_name="gdl")
    validated("gdl check", result.stdout)
    problems = json.loads(result.stdout)["problems"]
    assert result.exit_code == (3 if any(one["severity"] == "error" for one in problems) else 0)
    expected = file.with_suffix(".txt").read_text(encoding="utf-8")
    assert problems
    for one in problems:
        assert one["code"] and f"{one['severity']}: {one['message']}  [{one['code']}]" in expected
        assert one["line"] is None or f"{one['file']}:{one['line']}:{one['column']}: " in expected


@pytest.mark.parametrize("file", BROKEN[::16], ids=lambda file: file.stem)
def test_what_is_wrong_with_a_file_is_data(file: Path, monkeypatch: pytest.MonkeyPatch):
    told_as_data(file, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_what_is_wrong_with_any_file_is_data(file: Path, monkeypatch: pytest.MonkeyPatch):
    told_as_data(file, monkeypatch)


@pytest.mark.thorough
def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(DOCUMENT)
    assert DOCUMENT["$defs"]["schema"]["const"] == SCHEMA


def test_every_key_of_a_solution_says_what_it_means():
    keys = DOCUMENT["$defs"]["SolveAnswer"]["properties"]
    assert [name for name, key in keys.items() if "description" not in key] == ["schema"]


def test_every_command_that_takes_json_has_its_definition():
    takers = {name for name in cli.COMMANDS if _takes_json(name)}
    assert takers - set(DOCUMENT["$defs"]) == set()
    assert takers == {name for name, row in cli.COMMANDS.items() if row.group == "answer"}


def _takes_json(name: str) -> bool:
    command = cli.commands.get_command(None, name)
    return any("--json" in parameter.opts for parameter in command.params)
