"""Recorded plays held against rules: the first difference, and the line of the rules that made it."""

import json

import pytest
from click.testing import CliRunner

from gdl.commands import cli
from gdl.errors import limits

RULES = """game "Heap" (size = 5)
players Ann, Bob

state
    left: 0..9 = size
    hand[Player]: 1..2? visible to owner

start deal

chance deal(c: 1..2)
    hand[Ann] := c
    next Ann

action take(n: 1..3) when n <= left
    left := left - n

action pass when left < 3
    require left != 2
    left := left

terminal
    left = 0 -> win mover
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.commands, arguments, prog_name="gdl")
    return result.exit_code, result.output


@pytest.fixture
def plays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "real.game").write_text(RULES)
    assert run("playouts", "real.game", "--count", "12", "--seed", "1", "--save", "real.jsonl") == (
        0, "12 plays written to real.jsonl\n",
    )  # fmt: skip
    return tmp_path


def first(folder, text: str = RULES) -> dict | None:
    """The first message on altered rules, found by plays of the real ones."""
    (folder / "mine.game").write_text(text)
    status, told = run("test", "mine.game", "--plays", "real.jsonl", "--json")
    found = json.loads(told)["first"]
    assert status == (0 if found is None else 1), told
    return found


def line_of(text: str, part: str) -> int:
    return next(k for k, line in enumerate(text.splitlines(), start=1) if part in line)


@pytest.mark.one_in(11, 3)
@pytest.mark.parametrize(("old", "new", "kind", "said"), [
    ("when n <= left\n", "when n < left\n", "not-legal", "n < left"),
    ("n: 1..3)", "n: 2..3)", "not-legal", "take(1) should be legal, and more than one condition or the range of a"),
    ("when left < 3", "when left < 0", "not-legal", "this forbids it: left < 0"),
    ("require left != 2", "require left = 0", "not-legal", "this forbids it: require left = 0"),
    ("action pass", "action rest", "not-legal", "no rule has such an action"),
    ("    require left != 2\n", "", "should-be-illegal", "pass is legal by the rules"),
    ("win mover", "lose mover", "payoff", "the rules pay"),
    ("left = 0 -> win", "left = 1 -> draw\n    left = 0 -> win", "end", "by the rules play is over"),
    ("visible to owner", "visible to all", "seen", "Ann sees by the rules hand: Ann: 2, Bob: none"),
    ("next Ann", "next Bob", "not-legal", "Ann did"),
    ("size = 5", "size = 4", "seen", "Ann sees"),
])  # fmt: skip
def test_the_first_difference_is_told_with_its_line(plays, old, new, kind, said):
    assert old in RULES
    changed = RULES.replace(old, new)
    found = first(plays, changed)
    assert found is not None and found["kind"] == kind and said in found["message"], found
    lines = {"not-legal": new.strip() if "forbids" in found["message"] else None, "payoff": "lose mover",
             "end": "left = 1", "seen": "hand[Player]" if "hand" in new + old or "owner" in old else "left: 0..9", "should-be-illegal": "action pass"}  # fmt: skip
    if lines.get(kind):
        assert found["line"] == line_of(changed, lines[kind])


def test_the_same_rules_have_no_difference_whatever_their_settings(plays):
    assert first(plays) is None
    assert run("test", "mine.game", "--plays", "real.jsonl") == (0, "12 plays, no difference from the rules\n")
    run("playouts", "real.game", "--set", "size=7", "--count", "2", "--save", "real.jsonl")
    assert json.loads((plays / "real.jsonl").read_text().splitlines()[0])["set"] == {"size": "7"}
    assert first(plays) is None


def test_a_play_that_was_not_over_is_none_that_ends_by_the_rules(plays):
    whole = json.loads((plays / "real.jsonl").read_text().splitlines()[0])
    (plays / "real.jsonl").write_text(json.dumps({**whole, "payoffs": None}) + "\n")
    found = first(plays)
    assert found is not None and (found["kind"], found["line"]) == ("end", line_of(RULES, "left = 0 ->"))
    del whole["payoffs"]
    (plays / "real.jsonl").write_text(json.dumps(whole) + "\n")
    assert first(plays) is None


@pytest.mark.parametrize("game", ["goofspiel", "seltens_horse", "prisoners", "leduc", "quarto"])
def test_plays_of_shipped_games_are_their_own(tmp_path, game):
    file = str(tmp_path / "plays.jsonl")
    run("playouts", game, "--count", "2", "--save", file)
    assert run("test", game, "--plays", file)[0] == 0
    if game == "goofspiel":
        plies = json.loads((tmp_path / "plays.jsonl").read_text().splitlines()[0])["plies"]
        assert [(ply["player"], ply["at_once"]) for ply in plies if "at_once" in ply][:4] == [
            ("Ann", 1), ("Bob", 1), ("Ann", 2), ("Bob", 2),
        ]  # fmt: skip


@pytest.mark.parametrize("line", ["[", "3", '{"plies": 3}', '{"plies": [{"player": "Ann"}]}', "[" * 100_000,
                                  '{"plies": [{"player": 1, "action": "x"}]}', '{"plies": [], "set": 3}',
                                  '{"plies": [], "variant": 1}', '{"plies": [], "variant": ["x"]}',
                                  '{"plies": [{"player": "Ann", "action": "x", "legal": [["x"]]}]}',
                                  f'{{"plies": [], "payoffs": {{"Ann": {"9" * 5000}}}}}',
                                  pytest.param(" " * (limits.PLAY + 1) + "{}", id="long")])  # fmt: skip
def test_what_is_no_play_is_told_with_its_line(plays, line):
    (plays / "bad.jsonl").write_text(f"\n{line}\n")
    status, told = run("test", "real.game", "--plays", "bad.jsonl")
    assert status == 6 and "bad.jsonl, line 2, is no" in told and "sys." not in told


def test_a_message_is_no_longer_than_a_screen_and_null_counts_as_not_given(plays):
    (plays / "odd.jsonl").write_text(json.dumps({"plies": [], "set": None, "variant": None, "payoffs": None}) + "\n")
    assert run("test", "real.game", "--plays", "odd.jsonl") == (0, "1 play, no difference from the rules\n")
    action = "\u202e\x1b" + "x" * 10**6
    (plays / "odd.jsonl").write_text(json.dumps({"plies": [{"player": "chance", "action": action}]}))
    status, told = run("test", "real.game", "--plays", "odd.jsonl")
    assert status == 1 and len(told) < 2000 and told.strip().isprintable()
