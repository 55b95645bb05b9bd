"""Every failure of a command has a code of its own kind, in JSON, which the guide tells."""

import ast
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from installed import without_module

import gdl
from gdl.commands.cli import commands
from gdl.commands.command_table import CLASHES
from gdl.errors import codes
from gdl.web.manual import GUIDE, code_descriptions, code_page

KNOWN = code_descriptions(GUIDE / "messages.md")
CALLS = {"WrongCommand", "WrongRequest", "unknown_name", "BadParameter"}
FAILURES = {  # command line -> code, exit status
    "solve nim --nosuch": ("unknown-option", 2),
    "nosuch": ("unknown-command", 2),
    "solve": ("missing-argument", 2),
    "solve nim kuhn": ("unexpected-argument", 2),
    "solve nim --json --solver": ("option-without-value", 2),
    "solve nim --depth x": ("wrong-value", 2),
    "solve nim --time 0": ("wrong-value", 2),
    "solve nimm": ("unknown-file", 2),
    "judge prisoners --profile nosuch.json": ("unknown-file", 2),
    "show games": ("unknown-file", 2),
    "solve nim --solver nosuch": ("unknown-solver", 2),
    "solve kuhn --solver nash --simulations 3": ("unknown-option", 2),
    "solve nim --after nosuch": ("illegal-action", 2),
    "guide nosuch": ("unknown-page", 2),
    "new nim --from chess/..": ("unknown-file", 2),
    "solve nim --set nosuch=1": ("unknown-parameter", 2),
    "solve kuhn --solver alpha-beta": ("no-solver", 5),
    "perft chess 9 --nodes 1": ("limit", 4),
}


@pytest.mark.parametrize("line", FAILURES)
def test_failures_have_codes(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    code, status = FAILURES[line]
    words = line.split() if "--json" in line else [*line.split(), "--json"]
    result = CliRunner().invoke(commands, words, prog_name="gdl")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], result.exit_code) == (code, status)


def test_a_missing_extra_has_its_code(tmp_path):
    (tmp_path / "x.graphml").write_text("<graphml/>")
    with without_module("networkx"):
        result = CliRunner().invoke(commands, ["solve", str(tmp_path / "x.graphml"), "--json"], prog_name="gdl")
    assert json.loads(result.stdout)["problems"][0]["code"] == "missing-extra"
    assert result.exit_code == 5


@pytest.mark.thorough
def test_every_message_of_a_command_has_a_code():
    root = Path(gdl.__file__).parent
    without = [
        (str(file.relative_to(root)), node.lineno, message)
        for file in sorted(root.rglob("*.py"))
        for text in [file.read_text(encoding="utf-8")]
        for node in (ast.walk(ast.parse(text)) if any(call in text for call in CALLS) else ())
        if isinstance(node, ast.Call) and _called(node) in CALLS and (message := _written(node))
        if not (codes.code_of(message, codes.FAILURES) or codes.code_of(message) or _called(node) == "BadParameter")
    ]
    assert without == []


def test_every_clash_of_options_has_a_code():
    rows = [row for rows in CLASHES.values() for row in rows]
    said = [row.lack if row.needs else row.said for row in rows]
    assert [text for text in said if text and not codes.code_of(text, codes.FAILURES)] == []


def _called(node):
    """The name of what is called."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _written(node):
    """The message, with a word in the place of what is filled in; nothing where it is made elsewhere."""
    match node.args:
        case [ast.Constant(value=str(text)), *_]:
            return text
        case [ast.JoinedStr(values=parts), *_]:
            return "".join(part.value if isinstance(part, ast.Constant) else "word" for part in parts)
    return ""


@pytest.mark.parametrize("code", sorted({code for code, _ in codes.rows(codes.FAILURES)}))
def test_the_guide_tells_every_code_of_a_command(code):
    assert "help: " in code_page(code, KNOWN)
    assert code not in {row for row, _ in codes.rows()}
