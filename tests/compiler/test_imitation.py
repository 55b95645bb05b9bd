"""Nets that imitate: what was played is learned, whenever learning was stopped, and no record is believed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.commands.game_argument import ask
from gdl.commands.teaching import numbers_of
from gdl.compiler.searches.training import TrainingCourse, TrainingRequest
from gdl.formats import learned_files, records
from gdl.formats.records import PlayRecord
from gdl.game import Terminal
from gdl.playing.asked_game import Asking
from gdl.playing.imitation_records import plays
from gdl.states.random_numbers import stream

pytest.importorskip("wasmtime")


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(commands, ["learn", *arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


def recorded(folder: Path, count: int, name: str = "tic_tac_toe") -> Path:
    """Plays of players who mostly take the last place that is free."""
    game: Any = gdl.loads(*gdl.read(name)).game
    random = Random(5)
    folder.mkdir()
    for number in range(count):
        state, actions = game.initial(), []
        while not isinstance(node := game.node(state), Terminal):
            actions.append(random.choice(node.actions) if random.random() < 0.3 else node.actions[-1])
            state = game.successor(state, actions[-1])
        text = records.write(PlayRecord(name, result="X 5, O 5", actions=tuple(actions)))
        (folder / f"{number:03}.play").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.thorough
def test_moves_of_others_are_learned(tmp_path: Path) -> None:
    kept = recorded(tmp_path / "plays", 60)
    told = run("tic_tac_toe", "--imitate", str(kept), "--games", "2000", "--json", "-o", str(tmp_path / "net"))
    found = json.loads(told)["imitated"]
    assert found["games"] == 6 and found["named"] > 0.55 * found["moves"] > 1.5 * found["by_chance"]
    assert (tmp_path / "net").stat().st_size > 1000 and not (tmp_path / "net.unfinished").exists()
    run(
        "tic_tac_toe", "--model", "net", "--weights", str(tmp_path / "net"), "--games", "16", "-o", str(tmp_path / "on")
    )
    assert (tmp_path / "on").read_bytes() != (tmp_path / "net").read_bytes()
    assert "goes on by self-play" in run(
        "tic_tac_toe", "--imitate", str(kept), "--weights", str(tmp_path / "net"), "-o", "-", status=2
    )


@pytest.mark.slow
def test_whenever_it_stops_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    asked = ask(_asking(), quietly=True)
    shown = plays(asked, [str(recorded(tmp_path / "plays", 20))], lambda done: None)
    game = asked.game

    def course() -> TrainingCourse:
        wanted = TrainingRequest("net", 50, None, 3)
        return TrainingCourse(game, game.initial(), "wasm", wanted, tmp_path / "kept", numbers_of(game), plays=shown)

    straight = course()
    straight.run(lambda done: None)
    (tmp_path / "kept").unlink()
    for stop in (1, 17, 49, None):
        one = course()
        assert one.go_on() is (stop != 1)
        if stop is None:
            one.run(lambda done: None)
            break
        for _ in one.teacher.teach(50, stream(3, 0)):
            if one.learner.games == stop:
                one.save()
                break
    assert _written(one) == _written(straight)


def _asking() -> Asking:
    text, name = gdl.read("tic_tac_toe")
    return Asking(text, name, file="tic_tac_toe")


def _written(course: TrainingCourse) -> bytes:
    return learned_files.encode_learned(course.learner.learned_so_far, course.game.model, {})


@pytest.mark.thorough
def test_records_of_others_are_not_believed(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "plays", 3)
    first = folder / "000.play"
    text = first.read_text()

    def refused(spoilt: str, status: int) -> str:
        first.write_text(spoilt)
        return run("tic_tac_toe", "--imitate", str(first), "-o", "-", status=status)

    lines = text.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("2. "))
    lines[place] = f"2. {lines[place - 1].partition(' ')[2]}"
    assert f"000.play:{place + 1}: 'take(" in (told := refused("\n".join(lines), 6)) and "is not legal here; O" in told
    assert "the game is over here" in refused(f"{text}{len(text.splitlines()) - 2}. take(a1)\n", 6)
    assert "by other rules or from another position" in refused(
        text.replace("\n[result", '\n[set "columns=4"]\n[result'), 5
    )
    assert "begins with [game" in refused('[player "X" "me"]\n', 6)
    assert "too few plays" in refused(text, 5)
    (tmp_path / "empty").mkdir()
    assert "no record in the folder" in run("tic_tac_toe", "--imitate", str(tmp_path / "empty"), "-o", "-", status=2)
    assert "by one process" in run("tic_tac_toe", "--imitate", str(folder), "--workers", "2", "-o", "-", status=2)
