"""`gdl bench`: stored answers are found again, and files that are none are refused."""

import json
import sys

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.errors import Refusal
from gdl.wings.arena import bench_command
from gdl.wings.arena.bench_command import STORED, SUITES, read_result
from gdl.wings.arena.peers import PEERS, WORKS, measure_pair


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


def test_every_row_beside_a_peer_names_work_that_there_is():
    assert all({(work, ours), (work, peer)} <= {*WORKS} for work, _, ours, peer, _ in map(str.split, PEERS))


def test_a_peer_that_is_missing_is_named_and_gdl_measured_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    row = measure_pair("tree tic_tac_toe packed open_spiel 3")
    assert row.found == {"nodes": 586} and row.seconds > 0 and row.ratio is None and row.same is None
    assert "pyspiel" in row.note
    adapter = measure_pair("cfr kuhn adapter open_spiel 1")
    assert not adapter.found and "pyspiel" in adapter.note


@pytest.mark.parametrize("row", ["tree tic_tac_toe packed open_spiel 3", "cfr kuhn compiled open_spiel 32"])
def test_both_programs_find_the_same(row):
    pytest.importorskip("pyspiel")
    pytest.importorskip("numpy")
    found = measure_pair(row)
    assert found.same is None and found.ratio > 0 and found.peer.startswith("open_spiel ")


def test_programs_that_play_different_games_are_told_apart():
    pytest.importorskip("chess")
    row = measure_pair("steps tic_tac_toe packed chess 100")
    assert row.same is False and row.found == {"ways": 72, "plies": 100} and "finds 400" in row.note


def test_what_is_not_measured_is_not_read_from_a_result(tmp_path):
    rows = [{"suite": "peers", "command": "cfr kuhn adapter open_spiel 1", "found": {}, "seconds": 0.0, "note": "no"}]
    (file := tmp_path / "old.json").write_text(json.dumps({"machine": {}, "rows": rows}))
    assert read_result(file) == ({}, {})
