"""Work that is done only to word a message better ends after half a second, and no message is longer than a screen."""

from itertools import count
from math import inf
from time import process_time

import pytest
from click.testing import CliRunner
from late_clock import all_clocks_replaced

import gdl
from gdl.commands import cli, limiting
from gdl.errors import GameError, LimitReached, Problem, Source, Span, count_text, limits, nearest
from gdl.errors.courtesy import Courtesy
from gdl.errors.screen import cut_line, wrapped_rows
from gdl.interpreter.position import WrongPlay, begin_after
from gdl.states import estimate
from gdl.states.explore import Walk, with_shortest_play

HIVE = "tests/commands/slow_hive.game"
SLACK = 5.0  # times as long as the half second, for the last step of a work and a machine whose clock is coarse
NAMES = [f"go(v{n}, x{n % 97})" for n in range(100_000)]


def rows(text):
    return wrapped_rows(text.rstrip("\n").split("\n"))


@pytest.fixture
def hive():
    return gdl.load(HIVE)


def spent(work):
    before = process_time()
    work()
    return process_time() - before


@pytest.mark.thorough
def test_an_action_that_there_is_not_is_not_looked_for_long(hive):
    def work():
        with pytest.raises(
            WrongPlay, match="'Q' is not legal at the start, nor is it an action of the first positions"
        ):
            begin_after(hive, "Q")

    assert spent(work) < SLACK * limits.COURTESY_SECONDS


@pytest.mark.thorough
def test_nor_is_a_play_that_leads_to_a_fault(hive):
    fault = GameError(Problem("a fault"))
    fault.state = hive.initial()
    assert spent(lambda: with_shortest_play(hive, fault)) < SLACK * limits.COURTESY_SECONDS


@pytest.mark.thorough
def test_nor_the_size_of_the_tree(hive):
    assert spent(lambda: estimate.guess_tree_size(hive)) < SLACK * limits.COURTESY_SECONDS


def test_a_walk_stops_between_the_moves_of_one_state(hive):
    with all_clocks_replaced(worked=lambda: -9.0):
        courtesy = Courtesy()
    walk = Walk(hive, courtesy=courtesy)
    with pytest.raises(LimitReached, match="no time"):
        list(walk)
    assert len(walk.states) == 1


@pytest.mark.parametrize(("left", "ticks"), [(9.0, 50), (0.3, 30), (0.0, 5), (-9.0, 5)])
def test_a_command_whose_time_is_over_has_none_for_courtesies(left, ticks):
    """Drawing a large game took half a second after its limit, to count positions of which it says that they are many."""
    now, clock = 100.0, count()
    with all_clocks_replaced(lambda: now, lambda: next(clock) / 100), limiting.NONE.enforce():
        assert Courtesy.due == inf
        limiting.start_clock({"time": 9.0})
        assert Courtesy.due == pytest.approx(109.0)
        now = 109.0 - left
        courtesy = Courtesy()
        assert next(tick for tick in count() if courtesy.is_over) == pytest.approx(ticks, abs=1)
        with limiting.NONE.enforce():
            assert Courtesy.due == pytest.approx(109.0)


def test_a_clock_that_another_command_started_leaves_the_time_for_courtesies():
    limiting.start_clock({"time": 0.001})  # and nothing ends it
    with limiting.NONE.enforce():
        assert Courtesy.due == inf
        with limiting.NONE.enforce():
            limiting.start_clock({"time": 0.001})
        assert Courtesy.due == inf


@pytest.mark.one_in(4)
@pytest.mark.parametrize("word", ["go(v81000,x5)", "go(v100000, y)", "value", "o" * 300])
def test_nor_is_a_word_compared_with_very_many_for_long(word):
    assert spent(lambda: nearest(word, NAMES)) < SLACK * limits.COURTESY_SECONDS


def test_the_nearest_is_the_same_as_ever():
    assert nearest("go(v81000,x5)", NAMES) == "go(v81000, x5)"
    assert nearest("colour", ["color", "colony", "Colours"]) == "Colours"
    assert nearest("aa", ["aab", "aac"]) == "aac"  # of two that are as near the later one
    assert nearest("x", ["abc", "def"]) is None


@pytest.mark.thorough
def test_an_action_is_found_among_very_many_at_once():
    game = gdl.loads(
        "players A\ntype T = " + ", ".join(f"v{n}" for n in range(5000)) + "\nstate\n    n: T\naction go(x: T)\n"
        "    n := x\nterminal\n    n = v9 -> 1\n"
    ).game
    assert spent(lambda: begin_after(game, "go(v4000) go(v4001)")) < SLACK * limits.COURTESY_SECONDS


@pytest.mark.thorough_of("0")
@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "words",
    [
        ("show", HIVE, "--after", "Q"),
        ("show", HIVE, "--after", "place(Queen, l12) Q"),
        ("show", HIVE, "--after", "Q" * 10_000),
        ("solve", HIVE, "--solver", "Q" * 10_000),
        ("solve", "tic_tac_toe", "--solver", "Q"),
        ("solve", "Q" * 10_000),
        ("Q" * 10_000,),
        ("solve", "nim", "--set", "heaps=" + ",".join(["77"] * 5000)),
        ("show", "chess", "--position", "Q" * 10_000),
        ("show", "go", "--after", "Q"),
        ("solve", "tic_tac_toe", "--set", "Q" * 10_000),
    ],
    ids=range(11),
)
def test_no_message_is_longer_than_a_screen(words):
    result = CliRunner().invoke(cli.commands, words, prog_name="gdl")
    assert result.exit_code in (2, 3, 5), result.output
    assert 0 < rows(result.stderr) <= limits.ROWS, result.stderr


def test_a_problem_with_much_of_everything_fits():
    text = "n" * 100 + "x" * 5000
    long = " ".join(f"word{n}" for n in range(5000))
    told = Problem(long, Span(Source("a.game", text), 100, 5000), "\n".join([long] * 50), long, play=(long,) * 50)
    assert rows(str(told)) <= limits.ROWS
    assert str(told).split("\n")[-1].startswith("help: word0 word1 ")
    assert "more lines" in str(told)
    assert str(told).count("more characters") >= 3


def test_a_short_line_is_not_cut():
    line = "a " * (limits.LINE_ROWS * limits.COLUMNS // 2)
    assert cut_line(line) == line
    cut = cut_line(line + "b")
    assert len(cut) < len(line)
    assert cut.endswith(f"a … and {len(line) + 1 - cut.index(' …'):,} more characters")
    assert count_text(1, "row") == "1 row"
