"""`gdl bench`: stored answers are found again, and files that are none are refused."""

import json

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.errors import Refusal
from gdl.wings.arena import bench_command
from gdl.wings.arena.bench_command import STORED, SUITES, read_result


def test_every_command_of_a_suite_has_a_stored_answer():
    machine, rows = read_result(STORED)
    assert [*rows] == [command for suite in SUITES.values() for command in suite] and machine["python"]
    assert all(row.found for row in rows.values())


@pytest.mark.parametrize("text", [
    "", "[]", "{}", '{"machine": [], "rows": []}', '{"machine": {}, "rows": [{}]}', "[" * 100_000,
    '{"machine": {}, "rows": [{"suite": "a", "command": "b", "found": {}, "seconds": 0}]}',
])  # fmt: skip
def test_what_is_no_result_is_refused(tmp_path, text):
    (file := tmp_path / "old.json").write_text(text)
    with pytest.raises(Refusal, match="is no result of gdl bench"):
        read_result(file)


@pytest.mark.thorough
def test_a_result_is_compared_with_one_that_was_written(tmp_path, monkeypatch):
    monkeypatch.setattr(bench_command, "SUITES", {"steps": [], "solved": ["solve kuhn --solver sequence-form"]})
    words, file = ["bench", "solved", "-o"], tmp_path / "old.json"
    assert CliRunner().invoke(cli.commands, [*words, str(file)]).exit_code == 0
    found = json.loads(file.read_text())
    assert found["rows"][0]["same"] is True and found["rows"][0]["found"]["value"] == {"P1": "-1/18", "P2": "1/18"}
    found["rows"][0]["found"]["value"]["P1"] = 0
    file.write_text(json.dumps(found))
    told = CliRunner().invoke(cli.commands, ["bench", "solved", "--against", str(file)])
    assert told.exit_code == 1 and "DIFFERS" in told.output
