"""Searches of one's own: what they may give, how it is judged, how they are named, and what of them is told as wrong."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from click.testing import CliRunner
from installed import package_installed

import gdl
from gdl.commands import cli
from gdl.commands.listing import solvers as solvers_command
from gdl.errors import Interrupted, Refusal
from gdl.solution import RecordedSearch, Solution
from gdl.solvers import SOLVERS, solve
from gdl.states.game_wrapper import GameWrapper

NIM = gdl.load("nim", settings={"heaps": "2,3"})  # First wins by take(2, 1)
HALF = {"heads": Fraction(1, 2), "tails": Fraction(1, 2)}
PENNIES = gdl.matrix([[1, -1], [-1, 1]], players=("Even", "Odd"), rows=list(HALF), columns=list(HALF))


def says(answer, **options):
    """A search that gives this."""
    return lambda game: answer


@pytest.mark.parametrize(("said", "exact", "word"), [
    (1, True, "It is right"),
    (1.0, True, "It is right"),
    ((1, -1), True, "It is right"),
    ({"Second": -1, "First": 1}, True, "It is right"),
    ((-1, 1), False, "The value is wrong: minimax proves First 1, Second -1"),
    (7, False, "no end pays First 7"),
    ("take(2, 1)", True, "It is right"),
    ("take(1, 1)", False, "take(1, 1) gives something away: minimax proves First 1, Second -1, by take(2, 1)."),
    (("take(2, 1)", 1), True, "It is right"),
    ((1, "take(1, 1)"), False, "gives something away"),
    (Solution("", "", ("First", "Second"), value=(1, -1), best=("take(2, 1)",), part=RecordedSearch(cuts=(None,))), True, "It is right"),
    (Solution("", "", ("First", "Second"), value=(-1, 1)), False, "The value is wrong"),
])  # fmt: skip
def test_what_is_said_is_judged(said, exact, word):
    found = gdl.solve(NIM, says(said))
    assert found.exact is exact and word in " ".join(found.notes) and not found.cuts
    assert not exact or found.value in (None, (1, -1))


@pytest.mark.parametrize("said", [None, True, "take", (1, 2, 3), {"First": 1}, float("nan"), [], (("a", "b"), 1)])
def test_what_is_no_answer_is_refused(said):
    with pytest.raises(Refusal, match="which is no a"):
        gdl.solve(NIM, says(said))


def test_profiles_are_judged_by_their_regret():
    even = gdl.solve(PENNIES, says({"Even": HALF, "Odd": HALF}))
    assert even.exact and even.value == (0, 0) and even.regret == (0, 0)
    sure = gdl.solve(PENNIES, says({"Even": {"heads": 1, "tails": 0}, "Odd": HALF}))
    assert not sure.exact and "by leaving it they gain Even 0, Odd 1" in sure.notes[-1]
    assert sure.value == (0, 0) and sure.regret == (0, 1)


def test_information_sets_may_be_given_by_their_values():
    """As a search that walks through the game has them, with floats that sum to one but for rounding."""

    def mixes(game):
        profile, met = {"P1": {}, "P2": {}}, gdl.states.explore.Walk(game)
        for number, node, *_ in met:
            for player in gdl.states.explore.choosers(node):
                key = game.information_set(met.states[number], player)
                profile[game.players[player]][key] = dict(zip(node.actions, (0.1 + 0.2, 0.7), strict=True))
        return profile

    found = gdl.solve("kuhn", mixes)
    assert sum(found.regret) > 0 and not found.exact and "holding 1" in str(found)
    assert "by leaving it they gain P1 0." in found.notes[-1] and "bet 0.7" not in found.notes[-1]


def test_an_action_for_each_player_is_a_profile():
    found = gdl.solve("prisoners", says({"A": "betray", "B": "betray"}))
    assert found.exact and found.strategy == {"A": {"start": {"betray": 1}}, "B": {"start": {"betray": 1}}}


def test_the_game_that_a_search_gets_names_itself():
    told = []
    gdl.solve(NIM, lambda game: told.append(repr(game)) or 0, nodes=5)
    assert told == ["<Nim>"]


def test_what_stops_the_judging_leaves_the_answer():
    class Stopped(GameWrapper):
        """Ctrl-C comes with the first move after an answer was given."""

        answered = False

        def successor(self, *of_move):
            if self.answered:
                raise KeyboardInterrupt
            return super().successor(*of_move)

    def search(asked):
        game.answered = True
        return 0, "take(2, 1)"

    game = Stopped(NIM)
    with pytest.raises(Interrupted) as stop:
        solve(game, search)
    assert stop.value.partial.solver == "search" and stop.value.partial.best == ("take(2, 1)",)


def test_of_equilibria_that_pay_differently_a_value_is_not_proved():
    game = gdl.tree(("A", {"left": (1, 0), "right": ("B", {"up": (1, 1), "down": (0, 1)})}), players=("A", "B"))
    found = gdl.solve(game, says((1, 0)))
    assert not found.exact and "The value is wrong" not in found.notes[-1]


def test_limits_hold_and_leave_the_last_answer():
    def better(game, state, *, nodes, time=None):
        assert nodes == 500 and time is None
        yield "take(1, 1)"
        yield "take(2, 1)"
        while True:
            game.node(state)

    found = gdl.solve(NIM, better, nodes=500)
    assert found.best == ("take(2, 1)",) and found.nodes == 500 and found.limit and not found.exact

    def endless(game, state):
        while True:
            game.node(state)

    found = gdl.solve("tic_tac_toe", endless, time=0.05)
    assert found.best == () and "stopped after 0.05 seconds" in found.limit


def busy(game, *, depth=1):
    """A search that asks the game for nothing, and swallows what it meets."""
    while True:
        try:
            int(depth)
        except Exception:
            depth = 1


@pytest.mark.parametrize("asked", [
    lambda: gdl.solve(NIM, busy, time=0.05),
    lambda: ThreadPoolExecutor(1).submit(gdl.solve, NIM, busy, time=0.05).result(),
])  # fmt: skip
def test_a_search_without_end_is_stopped_in_any_thread(asked):
    found = asked()
    assert found.best == () and "stopped after 0.05 seconds" in found.limit


WITH_OPTIONS = """
heard = []
def mine(game, **options):
    heard.append(options)
    return game.node(game.initial()).actions[0]
"""


def test_a_search_that_takes_all_options_gets_those_given(tmp_path, monkeypatch):
    """Typed ones of gdl by their type, others as numbers where they are some, from all three doors."""
    (tmp_path / "takes_all.py").write_text(WITH_OPTIONS)
    monkeypatch.chdir(tmp_path)
    name = "python:takes_all.py:mine"
    gdl.solve(NIM, name, depth=3, temperature=0.5, word="x", values=None)
    module = sys.modules["takes_all"]
    solved = ["solve", "nim", "--solver", name, "--depth", "3", "--temperature=0.5", "--word", "x", "--nodes", "9"]
    assert CliRunner().invoke(cli.commands, solved).exit_code == 0
    given = {"depth": 3, "temperature": 0.5, "word": "x"}
    assert module.heard == [given, given | {"nodes": 9}]
    assert "Usage" in CliRunner().invoke(cli.commands, ["solve", "--solver", name, "--help"]).output
    other = CliRunner().invoke(cli.commands, ["solve", "nim", "--solver", "minimax", "--temperature=0.5"])
    assert other.exit_code == 2 and "No such option" in other.output


PROFILED = """
import sys, gdl
gdl.solve("nim", lambda game: game.node(game.initial()).actions[0], time=5)
calls = []
sys.setprofile(lambda frame, event, argument: calls.append(event))
gdl.load("nim")
sys.setprofile(None)
assert "call" in calls
"""


@pytest.mark.thorough
def test_a_profiler_works_after_a_search_that_ended_in_time():
    """Python 3.11 goes round for ever in a call that is traced, if an exception for a thread was taken back."""
    subprocess.run([sys.executable, "-c", PROFILED], check=True, timeout=60)


@pytest.mark.parametrize(("name", "message"), [
    ("python:{}:play", "solved"),
    ("python:{}:fails", "fails in own.py, line 6: ZeroDivisionError"),
    ("python:{}:plya", "has no function 'plya'; it has play, fails and alone"),
    ("python:{}:alone", "takes no game"),
    ("python:{}.py:play", "there is no file"),
    ("python:nosuch.module:play", "ModuleNotFoundError"),
    ("python:{}", "names no function"),
    ("nosuch", "no solver is called 'nosuch'"),
])  # fmt: skip
def test_a_file_names_its_fault(tmp_path, name, message):
    file = tmp_path / "own.py"
    file.write_text("import os\ndef play(game, *, wild=False):\n    return game.node(game.initial()).actions[0]\n"
                    "\ndef fails(game):\n    return 1 / 0\n\ndef alone():\n    return 1\n")  # fmt: skip
    named = name.format(file)
    if message == "solved":
        assert solve(NIM, named, wild=True).best and list(SOLVERS[named].options) == ["wild", "nodes", "time"]
        with pytest.raises(Refusal, match="its options are nodes, time and wild"):
            solve(NIM, named, tame=True)
    else:
        with pytest.raises(Refusal, match=message):
            solve(NIM, named)


def test_a_file_that_cannot_be_read_names_its_line(tmp_path):
    (tmp_path / "own.py").write_text("\n\ndef play(game\n")
    with pytest.raises(Refusal, match=r"fails in own.py, line 3: SyntaxError: '\(' was never closed"):
        solve(NIM, f"python:{tmp_path / 'own.py'}:play")


def test_packages_bring_solvers_which_nothing_picks(tmp_path):
    with package_installed(tmp_path, "gdl.solvers", {"first-legal": "test_own_search:first_legal"}):
        assert solve(NIM, "first-legal").solver == "first-legal" and "first-legal" in SOLVERS
        assert "first-legal" not in list(SOLVERS)
        told = CliRunner().invoke(solvers_command, []).stdout
    assert "\n\nInstalled packages bring: first-legal\n\nConcepts" in told


@pytest.mark.parametrize("attribute", ["nothing_there", "NIM"])
def test_a_package_that_names_no_function_is_told(tmp_path, attribute):
    with (
        package_installed(tmp_path, "gdl.solvers", {"broken": f"test_own_search:{attribute}"}),
        pytest.raises(Refusal, match=f"test_own_search has no function '{attribute}'; it has "),
    ):
        solve(NIM, "broken")


def first_legal(game):
    return game.node(game.initial()).actions[0]
