"""`gdl verify` of answers that `gdl solve` and `gdl ask` have printed: of its limits, its options and its messages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import gdl
from gdl.commands import cli


def run(*arguments: str, input: str = "", status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, arguments, input=input, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


def answer(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json"))
    return found


def said_of(tmp_path: Path, text: str, *words: str) -> Result:
    """The result of a command, in whose words GAME stands for a file with this text."""
    file = tmp_path / "g.game"
    file.write_text(text)
    return CliRunner().invoke(cli.commands, [word.replace("GAME", str(file)) for word in words])


def saved(folder: Path, *arguments: str) -> str:
    """The file of what gdl solve --json prints."""
    file = folder / "answer.json"
    file.write_text(run("solve", *arguments, "--json"), encoding="utf-8")
    return str(file)


def test_who_gives_a_check_more_time_lets_it_look_at_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = tmp_path / "nim.json"
    saved.write_text(run("solve", "nim", "--json"))
    monkeypatch.setattr("gdl.wings.verify.position_graph.MOST_POSITIONS", 10)
    assert "not checked: value: " in run("verify", "nim", str(saved), status=4)
    assert run("verify", "nim", str(saved), "--time", "5").startswith("The answer holds.")


@pytest.mark.thorough
def test_a_verdict_where_the_limit_falls_before_the_first_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    saved = tmp_path / "answer.json"
    saved.write_text(run("solve", "leduc", "--solver", "cfr", "--iterations", "20", "--json"), encoding="utf-8")

    def stop(*_: object) -> None:
        raise gdl.errors.LimitReached("stopped after 1 s, the limit set")

    monkeypatch.setattr("gdl.commands.saved_answer.takes", stop)
    told = run("verify", "leduc", str(saved), "--time", "1", status=4)
    assert told.startswith("An estimate: ")
    assert re.search(r"\b(1 play|[\d,]+ plays) of the strategy paid Ann", told)


def test_kuhn_poker_is_solved_and_verified(tmp_path: Path):
    text = run("solve", "kuhn", "--json")
    assert json.loads(text)["value"] == {"P1": "-1/18", "P2": "1/18"}
    assert json.loads(text)["exact"] is True
    saved = tmp_path / "kuhn.json"
    saved.write_text(text, encoding="utf-8")
    assert run("verify", "kuhn", str(saved)).startswith("The answer holds.")
    saved.write_text(text.replace('"1/18"', '"1/17"').replace('"-1/18"', '"-1/17"'), encoding="utf-8")
    assert run("verify", "kuhn", str(saved), status=1).startswith("The answer is wrong.")


@pytest.mark.parametrize("name", ["figure_5_2", "prisoners", "kuhn", "three_players", "monty_hall"])
def test_every_saved_answer_is_verified(name: str, tmp_path: Path):
    saved = tmp_path / "answer.json"
    saved.write_text(run("solve", name, "--json"), encoding="utf-8")
    run("verify", name, str(saved))


ASKED = [
    ["nim", "--set", "heaps=1,2"],
    ["nim", "--variant", "misere", "--set", "heaps=2,2"],
    ["nim", "--set", "heaps=1,2,2", "--after", "take(1, 1) > take(2, 1)"],
    ["tic_tac_toe", "--position", "XO1/3/X2 O"],
    ["goofspiel", "--set", "n=2", "--after", "reveal(2) play(1)"],
]


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
def test_an_answer_is_verified_with_its_own_settings_and_position(asked: list[str], tmp_path: Path):
    file = saved(tmp_path, *asked)
    assert run("verify", *asked, file).startswith("The answer holds")
    result = CliRunner().invoke(cli.commands, ["verify", asked[0], file], prog_name="gdl")
    assert result.exit_code == 0
    assert "the game is taken as the answer has it: --" in result.output
    assert "by its fingerprint, title" in result.output


def test_an_answer_of_other_settings_is_refused(tmp_path: Path):
    file = saved(tmp_path, "nim", "--set", "heaps=1,2")
    told = run("verify", "nim", "--set", "heaps=2,2", file, status=1)
    assert "it was made with --set heaps=1,2, and is looked at with --set heaps=2,2" in told
    assert run("verify", "nim", "--variant", "misere", file, status=1).startswith("The answer is wrong.")


def test_an_answer_of_other_rules_under_the_same_title_is_refused(tmp_path: Path):
    game, text = tmp_path / "figure.game", "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6))\n"
    game.write_text(text, encoding="utf-8")
    file = saved(tmp_path, str(game))
    game.write_text(f"# The same.\n{text.replace(', ', ',  ')}", encoding="utf-8")
    assert run("verify", str(game), file).startswith("The answer holds.")
    game.write_text(text.replace("6", "7"), encoding="utf-8")  # of which the answer would be true as well
    told = run("verify", str(game), file, status=1)
    assert told == "The answer is wrong.\nFAILS: the answer is of another game: its rules are not these\n"


def test_an_answer_that_asks_for_what_the_game_has_not_is_refused(tmp_path: Path):
    file = tmp_path / "answer.json"
    for asked in ({"settings": {"depth": "3"}}, {"variant": "no such"}, {"position": "X"}, {"after": ["take(9, 9)"]}):
        file.write_text(json.dumps({"game": "Nim", "exact": True, **asked}), encoding="utf-8")
        told = run("verify", "nim", str(file), status=1)
        assert told.startswith("The answer is wrong.\nFAILS: the answer is of another game: ")


def test_an_answer_without_a_fingerprint_is_taken_by_its_title(tmp_path: Path):
    data = answer("solve", "figure_5_2")
    del data["fingerprint"]
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    told = run("verify", "figure_5_2", str(file))
    assert told.startswith("The answer holds.")
    assert "not checked: that the rules are these: the answer was made before answers had fingerprints" in told


@pytest.mark.thorough
def test_what_a_limit_leaves_unchecked_is_named(tmp_path: Path):
    file = tmp_path / "answer.json"
    told = {"value": {"Yellow": 1, "Red": -1}, "best": ["drop(4)"], "line": ["drop(4)"]}
    file.write_text(json.dumps({"game": "Connect four", "exact": True, **told}), encoding="utf-8")
    found = run("verify", "connect_four", str(file), "--time", "0.5", status=4)
    assert found.startswith("Nothing was proved; not checked: ")
    assert all(name in found.splitlines()[0] for name in told)
    file.write_text(json.dumps({"game": "Connect four", "exact": True, **told, "line": ["drop(9)"]}), encoding="utf-8")
    assert run("verify", "connect_four", str(file), "--time", "0.5", status=1).startswith("The answer is wrong.")


REMEMBERED = """
players Ann, Bob
state
    left: 0..9 = 9
    last[Player]: 0..2 = 0   visible to owner
action take(n: 1..2) public when n <= left
    left := left - n
    last[mover] := n
terminal
    left = 0 -> win mover
"""


RING = """
players Cat, Mouse
board Point = ring(4)
state
    cat: Point = 1
    mouse: Point = 3
action run(d: Direction) when mover = Cat
    cat := step(cat, d)
action flee(d: Direction) when mover = Mouse
    mouse := step(mouse, d)
action rest
terminal
    cat = mouse -> win Cat
    forever -> draw
"""


@pytest.mark.parametrize(("window", "most"), [("3..5", 3), ("5..", 5)])
def test_beyond_a_window_the_answer_has_the_bound_that_is_proved(tmp_path: Path, window: str, most: int) -> None:
    asked = ["solve", "figure_5_2", "--solver", "alpha-beta", "--window", window, "--json"]
    answer = json.loads(CliRunner().invoke(cli.commands, asked).stdout)
    assert answer["interval"] == {"MAX": [None, most], "MIN": [-most, None]} and "value" not in answer
    for bound, status in ((most, 0), (2, 1)):
        (tmp_path / "a.json").write_text(json.dumps(answer | {"interval": {"MAX": [None, bound], "MIN": [-3, None]}}))
        said = CliRunner().invoke(cli.commands, ["verify", "figure_5_2", str(tmp_path / "a.json")])
        assert said.exit_code == status, said.output


@pytest.mark.thorough
@pytest.mark.parametrize("symmetry", [[], ["--symmetry"]])
def test_counts_of_retrograde_analysis_are_held_just_where_they_are_right(tmp_path: Path, symmetry: list[str]) -> None:
    if symmetry:
        pytest.importorskip("gdl.wings.symmetry")
    answer = json.loads(said_of(tmp_path, RING, "solve", "GAME", "--solver", "retrograde", "--json", *symmetry).stdout)
    assert (answer["states"] < 32) is bool(symmetry)
    saved = tmp_path / "a.json"
    saved.write_text(json.dumps(answer))
    right = said_of(tmp_path, RING, "verify", "GAME", str(saved))
    assert right.stdout.startswith("The answer holds.") and right.exit_code == 0
    assert all(f"holds: {answer[field]} {field}: " in right.stdout for field in ("nodes", "leaves", "states"))
    for field in ("nodes", "leaves", "states"):
        for other in {0, 1, answer[field] - 1, answer[field] + 1} - {answer[field]}:
            saved.write_text(json.dumps(answer | {field: other}))
            assert said_of(tmp_path, RING, "verify", "GAME", str(saved)).exit_code == 1, (field, other)


@pytest.mark.parametrize(("nodes", "status"), [(13, 0), (12, 1), (0, 1)])
def test_counts_of_retrograde_analysis_are_held_on_a_tree(tmp_path: Path, nodes: int, status: int) -> None:
    """Whose positions no engine takes for one: they were "not checked", right or wrong."""
    asked = ["solve", "figure_5_2", "--solver", "retrograde", "--json"]
    answer = json.loads(CliRunner().invoke(cli.commands, asked).stdout)
    (tmp_path / "a.json").write_text(json.dumps(answer | {"nodes": nodes}))
    said = CliRunner().invoke(cli.commands, ["verify", "figure_5_2", str(tmp_path / "a.json")])
    assert said.exit_code == status and said.stdout.startswith("The answer holds." if status == 0 else "The answer is")


def test_counts_are_held_where_states_hold_what_players_remember(tmp_path: Path) -> None:
    """Here the states are a tree, since they hold what was done: 55 ways to write 9 as a sum of 1s and 2s."""
    answer = json.loads(said_of(tmp_path, REMEMBERED, "solve", "GAME", "--solver", "minimax", "--json").stdout)
    saved = tmp_path / "a.json"
    for leaves, status in ((55, 0), (54, 1), (0, 1)):
        saved.write_text(json.dumps(answer | {"leaves": leaves}))
        assert said_of(tmp_path, REMEMBERED, "verify", "GAME", str(saved)).exit_code == status, leaves
    assert answer["leaves"] == 55


GUESS = """
players Ann, Bob
tree
    Ann
        go: chance
            a 1/3: Bob in s (x: 1, y: 0)
            b 2/3: Bob in s (x: 0, y: 1)
        out: -1
"""


@pytest.mark.parametrize(("text", "question", "play"), [
    (GUESS, "probability win Ann by Ann", ["go"]),  # something is hidden, and she does not mix
    (GUESS.replace(" in s", ""), "probability win Ann by Ann", ["go"]),  # all is seen
    (GUESS, "draw reachable", ["go", "a", "y"]),
    ("players A, B\nmatrix\n      l r\n  u   1 2\n  d   0 1\n", "A can force win A", []),  # both move at once
])  # fmt: skip
def test_an_empty_play_is_refused_just_where_a_play_is_shown(
    tmp_path: Path, text: str, question: str, play: list[str]
) -> None:
    answer = json.loads(said_of(tmp_path, text, "ask", "GAME", question, "--json").stdout)
    assert answer["play"] == play and answer["exact"]
    for shown in (play, []):
        (tmp_path / "a.json").write_text(json.dumps(answer | {"play": shown}))
        assert said_of(tmp_path, text, "verify", "GAME", str(tmp_path / "a.json")).exit_code == (
            0 if shown == play else 6
        )


@pytest.mark.parametrize("change", [{"strategy": 0}, {"strategy": {}}, {"play": []}])
def test_an_empty_field_of_an_answer_to_a_question_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    saved = tmp_path / "a.json"
    asked = ["ask", "pong_hau_ki", "Black, White can avoid the end", "--json"]
    answer = json.loads(CliRunner().invoke(cli.commands, asked).stdout)
    for data, status in ((answer, 0), (answer | change, 6)):
        saved.write_text(json.dumps(data))
        assert CliRunner().invoke(cli.commands, ["verify", "pong_hau_ki", str(saved)]).exit_code == status


def test_a_number_that_is_too_long_is_told_with_its_place():
    """Python's own advice, `use sys.set_int_max_str_digits()`, was told, and that this is not JSON."""
    answer = '{"game": "Nim",\n"value": ' + "9" * 5_000 + "}"
    result = CliRunner().invoke(cli.commands, ["verify", "nim", "-"], input=answer, prog_name="gdl")
    assert "<standard input>, line 2, column 10: a number has 5,000 digits, more than 4,300\n" in result.stderr
    assert result.exit_code == 6


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file whose reading fails")
def test_a_file_whose_reading_fails_is_named() -> None:
    found = CliRunner().invoke(cli.commands, ["verify", "nim", "/proc/self/mem"])
    assert found.output.startswith("error: /proc/self/mem: ") and found.exit_code == 2
