"""Sentences on the terminal that were untrue, or left out what one needs to know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gdl.commands.cli import commands

STAG = """
players A, B
matrix
              stag         hare
    stag     (?s, ?s)     (0, ?h)
    hare     (?h, 0)      (?h, ?h)
"""
KNOWN = STAG.replace("?s", "4").replace("?h", "3")
CONSTANT = """
players A, B
tree
    A
        x: B in s (x: (1, 0), y: (0, 1))
        y: B in s (x: (0, 1), y: (1, 0))
"""
DRIVER = """
players P, Q
tree
    P in s
        go: P in s (go: 1, exit: 4)
        exit: 0
"""
FORGETS = """
players One, Two
tree
    One
        R: One in again
            r: Two in reply (B: 1, T: -1)
            l: Two in reply (B: -5, T: -5)
        L: One in again
            r: Two in reply (B: -5, T: -5)
            l: Two in reply (B: -1, T: 1)
"""  # Wichardt 2008
AT_ONCE = """
players Ann, Bob
state
    n[Player]: 0..2000
    round: 0..5
start everyone
action choose_it(k: 1..2000) as "{k}"
    n[mover] := k
resolve
    round := round + 1
terminal
    round = 5 -> draw
"""
COINS = """
players Ann, Bob
state
    coins[Player]: 0..12
    last[1..5]: 1..6
    rounds: 0..60
start roll
chance roll(a: 1..6)
    last[5] := last[4]
    last[4] := last[3]
    last[3] := last[2]
    last[2] := last[1]
    last[1] := a
    coins[Ann] := coins[Ann] + (if a >= 3 then 1 else 0)
    next Ann
action wait
    rounds := rounds + 1
    next roll
terminal
    rounds = 60 -> pay last[5] + coins[Ann] to Ann
"""
WRONG = """
def wrong(game, state):
    return 7
"""


def gdl(tmp_path: Path, text: str, *words: str) -> Result:
    """The result of a command, in whose words GAME stands for a file with this text."""
    file = tmp_path / "g.game"
    file.write_text(text)
    return CliRunner().invoke(commands, [word.replace("GAME", str(file)) for word in words])


def test_what_a_solver_needs_is_not_read_as_what_must_be_lacking() -> None:
    found = CliRunner().invoke(commands, ["solve", "kuhn", "--solver", "alpha-beta"])
    assert "alpha-beta needs perfect information and a game without chance; Kuhn poker hides" in found.output


def test_a_sum_of_one_is_not_called_zero(tmp_path: Path) -> None:
    found = gdl(tmp_path, CONSTANT, "solve", "GAME")
    assert "solver    sequence-form: two players, constant-sum 1, hidden information" in found.output


def test_an_answer_without_an_equilibrium_is_not_exact(tmp_path: Path) -> None:
    found = gdl(tmp_path, FORGETS, "solve", "GAME", "--json")
    assert json.loads(found.stdout.splitlines()[-1])["exact"] is False and found.exit_code == 4
    told = gdl(tmp_path, FORGETS, "solve", "GAME")
    assert "pure-plans does not settle" in told.output and told.exit_code == 4


def test_who_never_moves_changes_nothing_for_one_who_forgets(tmp_path: Path) -> None:
    """The driver gets 4/3 by going on with probability 2/3; beside somebody idle nothing was found."""
    found = json.loads(gdl(tmp_path, DRIVER, "solve", "GAME", "--json").stdout.splitlines()[-1])
    alone = gdl(tmp_path, DRIVER.replace("P, Q", "P"), "solve", "GAME", "--json")
    lone = json.loads(alone.stdout.splitlines()[-1])
    assert found["value"] == {"P": "4/3", "Q": "-4/3"} and lone["value"] == {"P": "4/3"}
    assert found["exact"] and found["equilibria"][0]["P"] == lone["strategy"]["P"] == {
        "s": {"go": "2/3", "exit": "1/3"}
    }


def test_the_note_on_many_sequences_counts_plies_as_perft_does(tmp_path: Path) -> None:
    found = gdl(tmp_path, AT_ONCE, "perft", "GAME", "2")
    assert "4,000,000 action sequences of exactly 2 plies" in found.output
    assert "10^13" not in found.output


def test_quantal_says_that_there_may_be_others_and_names_its_option_as_it_is_typed(tmp_path: Path) -> None:
    pytest.importorskip("gdl.wings.theory")
    found = gdl(tmp_path, KNOWN, "solve", "GAME", "--concept", "quantal", "--lambda", "2", "--json")
    answer = json.loads(found.stdout)
    assert answer["options"] == {"lambda": 2.0}
    assert "there may be other equilibria" in answer["notes"][0]
    pytest.importorskip("gdl.wings.verify")
    saved = tmp_path / "a.json"
    for options in ({"lambda": 2.0}, {"lambda_": 2.0}):
        saved.write_text(json.dumps(answer | {"options": options}))
        assert gdl(tmp_path, KNOWN, "verify", "GAME", str(saved)).exit_code in (0, 4)
    saved.write_text(json.dumps(answer | {"options": {"lambda": 3.0}}))
    assert gdl(tmp_path, KNOWN, "verify", "GAME", str(saved)).exit_code == 1


def test_a_second_sweep_is_refused(tmp_path: Path) -> None:
    found = gdl(tmp_path, STAG, "solve", "GAME", "--sweep", "s=1..3:1", "--sweep", "h=1..3:1")
    assert found.exit_code == 2
    assert "one number goes through its values at a time" in found.output


def test_a_sweep_says_which_other_number_is_open(tmp_path: Path) -> None:
    found = gdl(tmp_path, STAG, "solve", "GAME", "--sweep", "h=1..3:1")
    assert found.exit_code != 0
    assert "?s is left open too; give it a value by --set" in found.output + found.stderr
    assert gdl(tmp_path, STAG, "solve", "GAME", "--set", "s=4", "--sweep", "h=1..3:1").exit_code == 0


def test_a_sweep_shows_long_answers_with_their_information_sets() -> None:
    found = CliRunner().invoke(commands, ["solve", "kuhn", "--sweep", "cards=3..4:1"]).stdout
    assert "  below\n" in found
    assert "cards = 3\n    P1 " in found
    assert "cards = 4\n    P1 " in found


def test_check_plays_beyond_the_positions_that_it_walks(tmp_path: Path) -> None:
    found = gdl(tmp_path, COINS, "check", "GAME")
    assert "fine" not in found.output
    assert "13" in found.output


SLOW = """players A, B
state
    n: 0..800
    sum: 0..10000
action add(k: 1..3) when (count i in 1..10: i > sum) >= 0
    n := n + 1
    sum := sum + k
terminal
    n = 0 and sum > 0 -> draw
"""


def test_check_plays_further_on_the_compiled_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter's share of the work is over long before n leaves its range."""
    pytest.importorskip("wasmtime")
    monkeypatch.setattr("gdl.inspection.findings.WORK", 1_000)
    found = gdl(tmp_path, SLOW, "check", "GAME")
    assert found.exit_code == 3 and "801" in found.output


@pytest.mark.parametrize("text", [COINS.replace("0..12", "0..60")])
def test_check_finds_no_fault_where_there_is_none(tmp_path: Path, text: str) -> None:
    assert gdl(tmp_path, text, "check", "GAME").exit_code == 0


def test_the_first_sentence_does_not_repeat_a_value_that_no_end_pays(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(WRONG)
    found = CliRunner().invoke(commands, ["solve", "tic_tac_toe", "--solver", f"python:{own}:wrong"]).stdout
    assert "win 7" not in found
    assert "no end pays X 7" in " ".join(found.split())


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="has no file whose reading fails")
@pytest.mark.parametrize("asked", [
    "solve BAD", "check BAD", "judge prisoners --profile BAD",
    "solve kuhn --solver cfr --time 1 --checkpoint BAD",
])  # fmt: skip
def test_a_file_whose_reading_fails_is_named(asked: str) -> None:
    """The message spoke of the standard output."""
    found = CliRunner().invoke(commands, asked.replace("BAD", "/proc/self/mem").split())
    assert found.output.startswith("error: /proc/self/mem: ") and found.exit_code == 2
