"""Nets whose values are learned by temporal differences: the same on all engines, to the same bytes whenever learning
was stopped, and files that every search takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from kernel_games import FORTUNES
from test_learned import ROWS, game, taught, with_

from gdl.commands.cli import commands
from gdl.compiler.searches import self_play
from gdl.compiler.searches.training import TrainingCourse, TrainingRequest
from gdl.errors import DamagedData, Refusal
from gdl.formats import tensors
from gdl.interpreter.rules_game import RulesGame
from gdl.playing.report_agents import expand_agent
from gdl.solvers import solve

pytest.importorskip("wasmtime")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nets are small."""
    monkeypatch.setattr(self_play, "UNITS", 8)
    monkeypatch.setattr("gdl.compiler.searches.training.GROUPS", 2)


def course(text: str, games: int, engine: str = "wasm", seed: int = 3, kept: Path | None = None) -> TrainingCourse:
    found = game(text)
    return TrainingCourse(found, found.initial(), engine, TrainingRequest("net", games, None, seed, ahead=True), kept)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("text", [ROWS, FORTUNES], ids=["two", "three"])
def test_every_back_end_learns_the_same(text: str):
    first = taught(course(text, 12))
    assert first == taught(course(text, 12, "python"))
    assert first != taught(course(text, 12, seed=4))


@pytest.mark.thorough
def test_a_net_learns_to_play(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gdl.compiler.searches.training.GROUPS", 100)
    monkeypatch.setattr(self_play, "UNITS", 64)
    made = course(ROWS, 10_000)
    match = made.run(lambda games: None)
    assert match.is_stronger and match.won > 5 * match.lost
    with_learned = RulesGame(made.game.model.copy_with(learned=made.learner.learned_so_far))
    (value, _) = with_learned.evaluate(with_learned.initial()) or (9, 9)
    assert abs(value) < 0.5  # a draw, as is known
    assert solve(with_learned, "puct", simulations=20).best and not with_learned.promises.has_policy_net
    assert solve(with_learned, "depth-limited", depth=1).best


def test_three_learn_by_chance(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gdl.compiler.searches.training.GROUPS", 100)
    assert course(FORTUNES, 3000).run(lambda games: None).is_stronger


@pytest.mark.thorough
def test_what_was_stopped_goes_on_to_the_same(tmp_path: Path):
    whole = taught(course(ROWS, 30))
    course(ROWS, 9, kept=tmp_path / "kept").run(lambda games: None)
    again = course(ROWS, 30, kept=tmp_path / "kept")
    assert again.go_on() and again.learner.games == 9
    assert taught(again) == whole
    found = game(ROWS)
    searching = TrainingCourse(
        found, found.initial(), "wasm", TrainingRequest("net", 30, None, 3), tmp_path / "kept", self_play.Numbers()
    )
    for other in (course(ROWS, 30, seed=4, kept=tmp_path / "kept"), searching):
        with pytest.raises(Refusal, match="--fresh begins anew"):
            other.go_on()
    arrays, texts = tensors.read((tmp_path / "kept").read_bytes(), "kept")
    for name, place, number in (("lesson_held", 0, 9), ("position", 2, 999), ("position", 4, -1), ("taught", 0, None)):
        bad = arrays[name][:-1] if number is None else with_(place, number)(arrays[name])
        (tmp_path / "kept").write_bytes(tensors.encode_tensors({**arrays, name: bad}, texts))
        with pytest.raises(DamagedData):
            again.go_on()


@pytest.mark.thorough
def test_a_net_learns_on(tmp_path: Path):
    """From a file of its own kind; that of a net which knows actions has another form."""
    made = course(ROWS, 30)
    whole = taught(made)
    after = course(ROWS, 30)
    after.begin_with(made.learner.learned_so_far)
    assert list(after.learner.learned_so_far.weight) == list(made.learner.learned_so_far.weight)
    assert taught(after) != whole
    other = self_play.draw_initial_net(made.game, made.game.initial(), self_play.Numbers((), 9), 1).net
    with pytest.raises(Refusal, match="of another form"):
        after.begin_with(other)


def test_a_file_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By looking ahead, as it says nothing of actions."""
    monkeypatch.chdir(tmp_path)
    Path("rows.game").write_text(ROWS)
    run = CliRunner().invoke(commands, ["learn", "rows.game", "--by", "td", "--games", "16"])
    assert run.exit_code == 0 and "one move ahead" in run.stdout and "written to rows.safetensors" in run.stderr
    assert expand_agent("rows.safetensors").startswith("depth-limited:")
    asked = ["match", "rows.game", "puct:simulations=10,weights=rows.safetensors", "random", "--games", "4", "--json"]
    assert CliRunner().invoke(commands, asked).exit_code == 0


@pytest.mark.parametrize(
    "asked",
    [["--model", "tuples"], ["--model", "net", "--simulations", "9"], ["--curve", "a.svg"]],
)
def test_what_only_search_learns_by_is_refused(asked: list[str]):
    result = CliRunner().invoke(commands, ["learn", "tic_tac_toe", "--by", "td", *asked, "--output", "-"])
    assert result.exit_code == 2 and "--by is for --model net" in result.stderr


@pytest.mark.parametrize("name", ["goofspiel", "kuhn"])
def test_where_something_is_hidden_no_net_is_learned(name: str):
    result = CliRunner().invoke(commands, ["learn", name, "--by", "td", "--output", "-"])
    assert result.exit_code == 5 and "where nothing is hidden" in result.stderr
