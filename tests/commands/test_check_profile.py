"""gdl check --profile: the lines of the rules that take the time."""

import json

import pytest
from click.testing import CliRunner

from gdl.commands import cli


@pytest.mark.thorough
def test_without_the_option_nothing_is_new():
    told = CliRunner().invoke(cli.commands, ["check", "nim", "--json"])
    assert set(json.loads(told.stdout)) == {"schema", "problems", "engine"}


SLOW = """players A, B
board Square = grid(3, 3)
state
    mark[Square]: Player?
define full(p: Player) =
    (count s in Square: (count n in neighbours(s): mark[n] = p and column(n) != column(s)) > 1) > 6
action take(s: Square) when mark[s] = none
    mark[s] := mover
terminal
    full(A) or full(B) -> win mover
    no actions -> draw
"""


def profile_of(text: str, *more: str):
    return CliRunner().invoke(cli.commands, ["check", "-", "--profile", "--json", *more], input=text)


@pytest.mark.thorough
def test_the_line_that_takes_the_time_is_the_first_of_the_profile():
    told = profile_of(SLOW)
    answer = json.loads(told.stdout)
    assert answer["engine"] == {"name": "wasm", "because": None} or answer["engine"]["name"] == "python"
    first, *rest = answer["profile"]
    assert first["line"] == 6 and first["share"] > 0.5 < first["interpreter"]
    for key in ("share", "interpreter"):
        assert sum(row[key] for row in answer["profile"]) == pytest.approx(1, abs=0.01)
    assert {row["line"] for row in rest} <= {5, 7, 8, 10, 11}
    assert "compiled engine, 20,0" in told.stderr and "a second" in told.stderr and "interpreter" in told.stderr
    assert profile_of(SLOW).stdout == told.stdout


def test_a_profile_of_what_comes_to_a_fault_and_of_what_has_no_lines():
    faulty = profile_of(SLOW.replace("no actions -> draw", "(count s in Square: mark[s] = A) / 2 = 4 -> draw"))
    assert "profile" not in json.loads(faulty.stdout) and faulty.exit_code != 0  # plays at random come to the fault
    assert "profile" not in json.loads(profile_of("players A, B\nmatrix\n    x  y\n    z  1  2\n").stdout)
