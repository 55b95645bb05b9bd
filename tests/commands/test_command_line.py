"""The promises of the commands: the shapes of their JSON, their exit statuses, and what goes to which stream."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from fractions import Fraction
from io import StringIO
from itertools import count
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from installed import without_module
from late_clock import all_clocks_replaced
from places import EXERCISES, ROOT, RUNAWAY, missing_wings
from terminal import Watched

import gdl
from gdl.commands import checking, cli, console, progress, solver_options
from gdl.solvers import SOLVERS
from gdl.web import manual

FIGURE = "players MAX, MIN\ntree MAX(MIN(3, 12, 8), MIN(2, 4, 6), MIN(14, 5, 2))\n"


def run(*arguments: str, input: str = "", status: int = 0) -> str:
    """The standard output of a command, which must end with this exit status."""
    result = CliRunner().invoke(cli.commands, arguments, input=input, prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


def answer(*arguments: str, input: str = "") -> dict:
    return json.loads(run(*arguments, "--json", input=input))


# ---- JSON -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", ["ge", "gt"])
def test_the_textbook_tree(cut: str):
    found = answer("solve", "-", "--solver", "alpha-beta", "--cut", cut, input=FIGURE)
    assert found["value"] == {"MAX": 3, "MIN": -3}
    assert found["best"] == ["1"]
    assert (found["nodes"], found["leaves"]) == (11, 7)
    assert found["pruned"] == [{"path": [1, 1]}, {"path": [1, 2]}]
    assert found["exact"] is True


def test_the_prisoners_betray():
    found = answer("solve", "prisoners")
    assert found["equilibria"] == [{"A": {"silent": 0, "betray": 1}, "B": {"silent": 0, "betray": 1}}]
    assert found["value"] == {"A": -2, "B": -2}
    assert found["regret"] == {"A": 0, "B": 0}
    text = run("solve", "prisoners")
    assert "(betray, betray)" in text.splitlines()[0]
    assert "dominant" in text


def test_keys_of_an_answer_come_in_their_order():
    keys = list(answer("solve", "figure_5_2", "--solver", "alpha-beta"))
    order = [
        "schema",
        "game",
        "solver",
        "exact",
        "traits",
        "value",
        "best",
        "line",
        "nodes",
        "leaves",
        "pruned",
        "strategy",
    ]
    assert keys[: len(order)] == order


@pytest.mark.thorough
def test_an_answer_says_of_which_game_it_is():
    plain = answer("solve", "nim")
    assert not plain.keys() & {"settings", "variant", "position", "after", "weights", "options"}
    asked = ["nim", "--set", "heaps=2,3", "--variant", "misere", "--after", "take(1, 1) > take(2, 2)"]
    other = answer("solve", *asked, "--solver", "alpha-beta", "--cut", "gt")
    assert other["fingerprint"] != plain["fingerprint"]
    assert other["settings"] == {"heaps": "2,3"}
    assert other["variant"] == "misere"
    assert other["after"] == ["take(1, 1)", "take(2, 2)"]
    assert other["options"] == {"cut": "gt"}
    placed = answer("solve", "tic_tac_toe", "--position", "3/3/X2 O")
    assert placed["position"] == "3/3/X2 O"
    assert placed["fingerprint"] != answer("solve", "tic_tac_toe")["fingerprint"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["interpreter", "python", "wasm"])
def test_the_fingerprint_is_the_same_on_every_engine(engine: str):
    if engine == "wasm":
        pytest.importorskip("wasmtime")
    found = answer("solve", "nim", "--solver", "minimax", "--engine", engine)
    assert found["fingerprint"] == answer("solve", "nim")["fingerprint"]


def test_traits_are_those_of_the_design():
    traits = answer("solve", "kuhn")["traits"]
    assert traits == {
        "players": 2,
        "zero_sum": True,
        "chance": True,
        "simultaneous": False,
        "perfect_information": False,
        "perfect_recall": True,
        "cyclic": False,
    }


def test_a_saved_answer_can_be_judged(tmp_path: Path):
    saved = tmp_path / "kuhn.json"
    saved.write_text(run("solve", "kuhn", "--json"), encoding="utf-8")
    found = answer("judge", "kuhn", "--profile", str(saved))
    assert found["regret"] == {"P1": 0, "P2": 0}
    assert found["nash_conv"] == 0


def test_two_roads_shows_the_averaging_mistake():
    found = answer("solve", "two_roads", "--solver", "belief")
    assert found["exact"] is False
    assert any("clairvoyance" in note for note in found["notes"])
    assert list(answer("solve", "two_roads")["value"].values()) == [10]


def test_perft_divides_what_it_counts():
    found = answer("perft", "tic_tac_toe", "4", "--divide")
    assert found["depth"] == 4
    assert found["count"] == sum(found["divide"].values()) == 9 * 8 * 7 * 6
    assert next(iter(found["divide"])) == "take(a1)"


def test_values_of_every_node_on_request():
    found = answer("solve", "figure_5_2", "--solver", "minimax", "--values")
    assert {"path": [1], "value": {"MAX": 2, "MIN": -2}} in found["values"]
    assert len(found["values"]) == 13


def test_the_trace_has_windows_and_cuts():
    found = answer("solve", "figure_5_2", "--trace")
    assert len(found["visits"]) == 11
    assert found["cuts"][0]["reason"] == "2 <= alpha 3"


# ---- Options ----------------------------------------------------------------------------------------------------


def test_every_option_of_every_solver_is_on_the_command_line():
    offered = {option.name for option in solver_options.solver_options()}
    for options in solver_options.parameters_by_solver().values():
        assert set(options) <= offered


def test_no_solver_is_read_for_the_options_of_the_one_that_is_named(monkeypatch):
    read = []
    parameters_of = solver_options.parameters_of
    monkeypatch.setattr(solver_options, "parameters_of", lambda name: read.append(name) or parameters_of(name))
    for named in (["--solver", "cfr"], ["--solver=cfr"]):
        read.clear()
        run("solve", "prisoners", *named, "--iterations", "16")
        assert set(read) == {"cfr"}
    refused = CliRunner().invoke(cli.commands, ["solve", "prisoners", "--solver", "cfr", "--cut", "gt"])
    assert refused.exit_code == 2 and "--cut is an option of" in refused.output


def test_a_depth_is_the_work_asked_for():
    tree = "players MAX, MIN\ntree MAX(MIN B eval 4 (3, 5), MIN C eval 2 (1, 9))\n"
    found = answer("solve", "-", "--solver", "alpha-beta", "--depth", "1", input=tree)
    assert (found["exact"], found["value"]["MAX"], found["best"]) == (False, 4, ["1"])


def test_the_same_seed_gives_the_same_answer():
    asked = ("solve", "connect_four", "--set", "columns=4", "--solver", "mcts", "--simulations", "20", "--seed", "7")
    assert run(*asked, "--json") == run(*asked, "--json")


# ---- Exit statuses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (gdl.errors.GameError(gdl.errors.Problem("no end")), 3, "error: no end"),
        (gdl.errors.Refusal("no solver"), 5, "error: no solver"),
        (gdl.errors.LimitReached("enough"), 4, "enough"),
        (gdl.errors.DamagedData("torn"), 6, "error: torn"),
        (console.WrongCommand("what?", help="this"), 2, "help: this"),
        (PermissionError(13, "Permission denied", "x.game"), 2, "x.game"),
        (MemoryError(), 4, "memory"),
        (
            ModuleNotFoundError("no", name="networkx.readwrite"),
            5,
            f"the package networkx, which is not installed: {sys.executable} -m pip install networkx",
        ),
        (ModuleNotFoundError("no", name="gdl.gone"), 70, "gdl has a bug"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ZeroDivisionError("oops"), 70, "gdl has a bug, not your game: ZeroDivisionError: oops"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_exit_status(error: BaseException, status: int, says: str):
    @click.command()
    def fails() -> None:
        raise error

    class OneCommand(cli.Commands):
        def get_command(self, ctx: click.Context, name: str) -> click.Command:
            return fails

    result = CliRunner().invoke(OneCommand("gdl", params=cli.commands.params), ["check"], prog_name="gdl")
    assert result.exit_code == status
    assert says in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_a_bug_shows_its_place_to_who_asks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("GDL_DEBUG", "1")
    assert cli.status(ZeroDivisionError("oops")) == 70
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_many_files_are_checked_and_the_worst_decides(tmp_path: Path):
    (tmp_path / "fine.game").write_text(FIGURE, encoding="utf-8")
    (tmp_path / "wrong.game").write_text("players A, B\ntree C(1, 2)\n", encoding="utf-8")
    assert "fine.game: fine" in run("check", str(tmp_path), status=3)
    (tmp_path / "wrong.game").write_text(FIGURE + "expect value = 4\n", encoding="utf-8")
    assert run("test", str(tmp_path), status=1).splitlines()[-1] == "2 games, 1 expectation, 1 fails"
    (tmp_path / "wrong.game").write_text(FIGURE + "expect value = 3\n", encoding="utf-8")
    assert run("test", str(tmp_path)) == "2 games, 1 expectation, all hold\n"


def test_a_file_that_is_no_text(tmp_path: Path):
    file = tmp_path / "bytes.game"
    file.write_bytes(b"players \xff\xfe")
    run("check", str(file), status=3)
    file.write_bytes(b"#" * (1 << 20) + b"#")
    run("check", str(file), status=3)


def test_control_characters_never_reach_the_terminal():
    shown = CliRunner().invoke(
        cli.commands, ["solve", "-"], input='players A, B\ntree A("x\x1b[2J": 1, "y\u202e": 2)\nexpct\x07 1\n'
    )
    assert shown.exit_code == 3
    assert not any(character in shown.output for character in "\x1b\x07\u202e")
    played = run("solve", "-", input='players A, B\ntree A("x\x1b[2J": 1, "y\u200b": 2)\n')
    assert not any(character in played for character in "\x1b\x07\u200b")


def test_a_graph_goes_to_a_file(tmp_path: Path):
    for ending in ("json", "graphml", "dot"):
        file = tmp_path / f"g.{ending}"
        run("graph", "figure_5_2", "--solved", "-o", str(file))
        assert "b2" in file.read_text(encoding="utf-8")


def test_a_graph_cut_off_is_written_as_far_as_it_goes(tmp_path: Path):
    file = tmp_path / "g.json"
    run("graph", "tic_tac_toe", "--limit", "50", "-o", str(file), status=4)
    assert len(json.loads(file.read_text(encoding="utf-8"))["nodes"]) == 50


@pytest.mark.parametrize("words", ["graph figure_5_2", "graph nim --format dot", "draw figure_5_2 --graph"])
def test_a_graph_needs_a_package(words: str):
    with without_module("networkx"):
        result = CliRunner().invoke(cli.commands, words.split(), prog_name="gdl")
    assert (result.exit_code, result.stdout) == (5, "")
    assert (
        result.stderr
        == f"error: this needs the package networkx, which is not installed: {gdl.errors.pip_install('networkx')}\n"
    )


def test_the_guide_prints_every_page():
    """Three for each reader; then part by part, and every page of the manual has its place."""
    readers, _, rest = run("guide").partition("\n\n")
    first = [page for line in readers.splitlines()[1:] for page in line[20:].split(", ")]
    assert (len(first) == 18 or missing_wings()) and set(first) <= set(manual.page_names())
    lines = rest.splitlines()
    assert [line for line in lines if line and line[0] != " "] == [f"{part}:" for part in manual.reading_order()]
    pages = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(pages) == manual.page_names()
    for page in pages:
        assert run("guide", page).startswith("# ")
    run("guide", "no_such_page", status=2)


@pytest.mark.thorough
def test_the_guide_tells_every_word():
    """Each word has a meaning, an example, and pages that exist."""
    for name, word in manual.language_words().items():
        assert run("guide", name).startswith("# ")
        assert word.means and word.example and set(word.pages) <= set(manual.page_names())
    assert run("guide", "exists").splitlines()[2] == "true if a condition holds for some value"
    assert "is the weight of its line" in run("guide", "evaluate")  # the sections that have it in their headings


def test_the_guide_finds_a_word_in_headings_and_text_and_names_commands():
    assert re.search("^  gdl guide how-to +How to: short recipes$", run("guide", "recipes"), re.MULTILINE)
    assert "  gdl solvers nash" in run("guide", "nash")
    assert run("guide", "minimax").splitlines()[2].endswith("  Without alpha and beta")  # a short section
    assert run("guide", "game", "tree") == run("guide", "game tree")
    assert run("guide", "Game tree").splitlines()[1].endswith(" Trees: a game as its whole tree")  # has both words
    assert "On the page terms, row: one action" in run("guide", "row")  # beside the word of the language
    run("guide", "tic_tac_toe_x", status=2)  # in no prose


@pytest.mark.parametrize(
    "typed, help",
    [
        ("prunning", "write 'pruning' or 'running'"),
        ("equilibrum", "write 'equilibrium'"),
        ("zugzwang", "gdl guide lists its pages"),
    ],
)
def test_a_misspelled_word_of_the_manual_is_suggested_and_no_word_that_is_only_near(typed: str, help: str):
    result = CliRunner().invoke(cli.commands, ["guide", typed], prog_name="gdl")
    assert result.exit_code == 2 and result.stderr.endswith(f"\nhelp: {help}\n")


@pytest.mark.parametrize("page", [page for page in EXERCISES if page in manual.page_files()])
def test_pages_on_searches_end_with_three_exercises_whose_answers_are_hidden(page: str):
    """On the page in a fold, at the terminal until they are asked for; each is worked by a command of the page."""
    source = manual.page_files()[page].read_text(encoding="utf-8")
    *_, exercises = source.partition("## Exercises\n")
    folded = re.findall(r"<details><summary>Answers</summary>\n\n(.*?)\n\n</details>", exercises, re.DOTALL)
    asked = re.sub(r"<details>.*?</details>|```.*?```", "", exercises, flags=re.DOTALL)
    assert re.findall(r"^([0-9])\. ", asked, re.MULTILINE) == ["1", "2", "3"] * len(folded)
    exercises = exercises.partition("\n**Next:**")[0]
    assert exercises.rstrip().endswith("</details>") and all("$ gdl " in answers for answers in folded)
    shown, whole = run("guide", page), run("guide", page, "--answers")
    assert "<details>" not in shown + whole
    assert not any(answers in shown for answers in folded) and all(answers in whole for answers in folded)
    assert f"`gdl guide {page} --answers`" in shown
    run("guide", "(" * 10_000, status=2)


@pytest.mark.thorough
def test_lists():
    assert {line.split()[0] for line in run("games").splitlines()} == set(gdl.shipped())
    for name in SOLVERS:
        assert run("solvers", name).startswith(f"{name}: ")
        assert f"{name}: " in run("solvers")


def test_the_list_of_commands_has_each_once():
    assert sorted(name for names in cli.sections().values() for name in names) == sorted(cli.COMMANDS)


def test_the_table_of_commands_says_what_the_commands_say():
    context = click.Context(cli.commands)
    for name, row in cli.COMMANDS.items():
        command = cli.commands.get_command(context, name)
        assert command is not None
        assert command.help is not None
        assert command.help.split("\n")[0] == row.purpose


@pytest.mark.parametrize("command", ["solve -", "perft - 2", "states -", "graph -", "judge - --profile uniform"])
def test_a_fault_of_the_rules_comes_with_a_play(command: str, tmp_path: Path):
    file = tmp_path / "stuck.game"
    file.write_text(
        "players A, B\nstate\n    left: 0..4 = 4\naction take(k: 2..3) when k <= left\n    left := left - k\n"
        "terminal\n    left = 0 -> win A\n",
        encoding="utf-8",
    )
    words = [str(file) if word == "-" else word for word in command.split()]
    result = CliRunner().invoke(cli.commands, words, input="take(3)\n", prog_name="gdl")
    assert result.exit_code == 3
    assert "B has no action, and the game is not over" in result.stderr
    assert "It happens after: take(3)" in result.stderr


LATER = count(10**9, 1_000)  # seconds: on the clock of each test nothing was said lately


@pytest.fixture
def clock() -> Iterator[list[float]]:
    """The time that the line of progress goes by."""
    now, begun = [0.0], next(LATER)
    with all_clocks_replaced(lambda: begun + now[0]):
        yield now


class Terminal(StringIO):
    """A terminal, which a person watches."""

    def isatty(self) -> bool:
        return True


def test_progress_is_kept_up_to_date_for_those_who_watch(clock: list[float]):
    with redirect_stderr(Terminal()) as shown:
        clock[0] = 5.0
        watched = progress.ProgressLine("nodes")
        for now, done in ((5.5, 10), (6.5, 2000), (6.6, 3000), (7.0, 4000)):
            clock[0] = now
            watched.count(done)
        progress.wipe()
        assert shown.getvalue().startswith("\r2,000 nodes, 1,333 a second, 2 s\r4,000 nodes, 2,000 a second, 2 s\r   ")
        assert shown.getvalue().endswith(" \r")


def test_where_nobody_watches_a_line_of_progress_comes_ever_more_seldom(
    clock: list[float], capsys: pytest.CaptureFixture[str]
):
    """A file or a pipe was silent for minutes."""
    with all_clocks_replaced(worked=lambda: clock[0]):
        progress.begin()
        line = progress.ProgressLine("nodes")
        for second in range(1, 61):
            clock[0] = float(second)
            line.count(100 * second)
    told = capsys.readouterr().err.splitlines()
    assert told == [f"{100 * second:,} nodes, 100 a second, {second} s" for second in (5, 10, 20, 40)]


def test_what_waits_tells_a_file_nothing(clock: list[float], capsys: pytest.CaptureFixture[str]):
    progress.begin()
    line = progress.ProgressLine("nodes")
    clock[0] = 600.0
    line.show()
    assert capsys.readouterr().err == ""


def test_progress_tells_memory_and_the_time_left(clock: list[float]):
    with redirect_stderr(Terminal()) as shown:
        line = progress.ProgressLine("playouts", total=100, seconds=60, held=lambda: 5 << 20)
        for now, done in ((10.0, 20), (40.0, 50)):
            clock[0] = now
            line.count(done)
        progress.wipe()
        assert "\r20 playouts, 2 a second, 5 MiB, 10 s, 40 s left\r" in shown.getvalue()
        assert "\r50 playouts, 1 a second, 5 MiB, 40 s, 20 s left\r" in shown.getvalue()


def test_what_counts_nothing_tells_that_it_is_at_work(clock: list[float]):
    with redirect_stderr(Terminal()) as shown:
        line = progress.ProgressLine("nodes", held=lambda: 5 << 20)
        clock[0] = 3.0
        line.show()
        console.remark("done")
        assert shown.getvalue() == f"\rat work, 5 MiB, 3 s\r{' ' * 19}\rdone\n"


def test_while_a_person_is_asked_nothing_is_at_work(clock: list[float]):
    with redirect_stderr(Terminal()) as shown:
        line = progress.ProgressLine("nodes")
        clock[0] = 100.0
        with progress.waiting():
            line.show()
        clock[0] = 100.5
        line.show()
        assert shown.getvalue() == ""
        clock[0] = 101.5
        line.show()
        assert shown.getvalue() == "\rat work, 102 s"
        progress.wipe()


HEAVY = str(RUNAWAY / "heavy.game")


@pytest.mark.thorough
def test_a_file_that_takes_too_long_is_left_and_what_was_seen_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "PATIENCE", 0.5)
    result = CliRunner().invoke(cli.commands, ["check", HEAVY, "prisoners"], prog_name="gdl")
    assert result.exit_code == 4
    assert (
        result.stdout
        == f"{HEAVY}: nothing wrong so far; the first position looked at; the compiled engine plays it\n"
        + ("prisoners: fine; all 5 positions looked at\n")
    )
    assert result.stderr == f"{HEAVY}: stopped after 0.5 s, the usual limit; --time sets another\n"


@pytest.mark.thorough
def test_a_limit_that_was_set_ends_the_check_of_all_files():
    result = CliRunner().invoke(cli.commands, ["check", HEAVY, "prisoners", "--time", "0.5"], prog_name="gdl")
    assert result.exit_code == 4
    assert (
        result.stdout == f"{HEAVY}: nothing wrong so far; the first position looked at; the compiled engine plays it\n"
    )
    assert result.stderr == "stopped after 0.5 s, the limit set\n"


@pytest.mark.thorough
def test_what_is_wrong_is_told_though_a_limit_stops_the_check(tmp_path: Path):
    """Faults that the rules show are known before the game is walked."""
    file = tmp_path / "heavy.game"
    text = Path(HEAVY).read_text(encoding="utf-8").replace("heap: 0..1000000", "heap: 0..1000000\n    unused: 0..1")
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli.commands, ["check", str(file), "--time", "0.5"], prog_name="gdl")
    assert (result.exit_code, result.stdout) == (
        4,
        f"{file}: 1 warning; the first position looked at; the compiled engine plays it\n",
    )
    assert "warning: unused is never" in result.stderr


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", HEAVY], r"at work, [0-9,]+ MiB, [0-9]+ s, [0-9]+ s left"),
        pytest.param(["solve", HEAVY], r"at work, [0-9,]+ MiB, [0-9]+ s", marks=pytest.mark.slow),
        pytest.param(["draw", HEAVY], r"at work, [0-9,]+ MiB, [0-9]+ s", marks=pytest.mark.slow),
        pytest.param(["show", HEAVY], r"at work, [0-9,]+ MiB, [0-9]+ s", marks=pytest.mark.slow),
        (["states", "goofspiel", "--set", "n=7", "--histories"], r"[0-9,]+ states, [0-9,]+ a second"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else None,
)
def test_whoever_watches_is_told_after_a_second_how_far_it_is(words: list[str], said: str):
    process = Watched(*words)
    process.wait_for(said)
    process.press_ctrl_c()
    assert process.end().status == 130


# ---- As a process -----------------------------------------------------------------------------------------------


def start(*arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-m", "gdl", *arguments], stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
def test_ctrl_c_brings_the_best_answer_so_far():
    process = Watched("solve", "connect_four", "--solver", "mcts", "--simulations", "1000000000", "--json")
    process.wait_for("[0-9] nodes, ")
    process.press_ctrl_c()
    ended = process.end()
    assert ended.status == 130
    assert json.loads(ended.answer)["limit"].endswith("interrupted")
    assert ended.said.endswith("\rinterrupted\r\n")


def test_a_broken_pipe_is_no_drama():
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [sys.executable, "-m", "gdl", "games"], stdout=write, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    os.close(write)
    assert process.stderr == ""
    assert process.returncode == 0


def test_no_colour_in_a_pipe():
    out, err = start("solve", "nimm").communicate()
    assert (out, "\x1b" in err) == ("", False)
    assert err.startswith("error: ")


def test_a_name_that_the_terminal_cannot_print():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    process = subprocess.run(
        [sys.executable, "-m", "gdl", "show", "-"], input='players A, B\ntree A("Zürich": 1, b: 2)\n',
        capture_output=True, text=True, env=environment, encoding="utf-8",
    )  # fmt: skip
    assert process.returncode == 0
    assert "rich" in process.stdout


def test_judge_kuhn_uniform():
    found = answer("judge", "kuhn", "--profile", "uniform")
    assert {p: Fraction(v) for p, v in found["value"].items()} == {"P1": Fraction(1, 8), "P2": Fraction(-1, 8)}
    assert {p: Fraction(v) for p, v in found["regret"].items()} == {"P1": Fraction(3, 8), "P2": Fraction(13, 24)}


PRESSING = """
import os, signal, sys, time

class Pressing:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[0]:
            press()

def press():
    os.kill(os.getpid(), signal.SIGINT)

class Late:
    def __del__(self):
        press()

sys.meta_path.insert(0, Pressing())
from gdl import __main__
"""


def said_when_pressed(*program: str) -> tuple[int, str]:
    """The exit status and what stands on stderr when Ctrl-C is pressed while gdl runs so."""
    ended = subprocess.run(
        [sys.executable, "-c", "\n".join((PRESSING, *program))], capture_output=True, text=True, cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    return ended.returncode, ended.stderr


@pytest.mark.one_in(3)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize(
    "module", ["click", "gdl.commands.cli", "gdl.commands.limiting", "gdl.commands.solving", "gdl.solvers"]
)
def test_ctrl_c_while_modules_are_imported_is_one_word(module: str):
    assert said_when_pressed(f"sys.argv = [{module!r}, 'solve', 'kuhn']; __main__.main()") == (130, "interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")
@pytest.mark.parametrize(
    "moment",
    [
        "cli.commands = lambda prog_name: press()",
        "cli.Commands.resolve_command = lambda *asked: press()",
        "cli.Commands.resolve_command = lambda *asked: Late() and time.sleep(9)",
    ],
    ids=["before a command", "in a command", "where Python drops exceptions"],
)
def test_ctrl_c_at_other_times_is_one_word(moment: str):
    assert said_when_pressed(
        "from gdl.commands import cli", "sys.argv = ['gdl', 'games']", moment, "__main__.main()"
    ) == (
        130,
        "interrupted\n",
    )


@pytest.mark.thorough_of("guide")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", ["solve kuhn", "games", "--help", "guide"])
def test_a_closed_standard_output_is_told(words: str):
    ended = subprocess.run(
        [sys.executable, "-m", "gdl", *words.split()], stderr=subprocess.PIPE, text=True, cwd=ROOT,
        preexec_fn=lambda: os.close(1),
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (2, "error: the standard output: Bad file descriptor\n")


def test_streams_that_are_closed_are_not_missed(tmp_path: Path):
    """Who wants no output can do without any of them."""
    drawn = tmp_path / "tree.svg"

    def close_all() -> None:
        for stream in range(3):
            os.close(stream)

    words = [sys.executable, "-m", "gdl", "draw", "figure_5_2", "-o", str(drawn)]
    assert subprocess.run(words, cwd=ROOT, preexec_fn=close_all).returncode == 0
    assert drawn.read_text(encoding="utf-8").startswith("<svg")


# ---- Answers checked again ----------------------------------------------------------------------------------------


def saved(folder: Path, *arguments: str) -> str:
    """The file of what gdl solve --json prints."""
    file = folder / "answer.json"
    file.write_text(run("solve", *arguments, "--json"), encoding="utf-8")
    return str(file)


def test_all_equilibria_of_an_answer_are_judged(tmp_path: Path):
    file = saved(tmp_path, "battle_of_the_sexes")
    assert run("judge", "battle_of_the_sexes", "--profile", file).startswith(
        "All 3 are equilibria.\n\nEquilibrium 1:\n"
    )
    data = json.loads(Path(file).read_text(encoding="utf-8"))
    data["equilibria"][2] = {"He": {"fight": 1}, "She": {"ballet": 1}}
    Path(file).write_text(json.dumps(data), encoding="utf-8")
    assert run("judge", "battle_of_the_sexes", "--profile", file).startswith("1 of 3 is no equilibrium.\n")
    found = answer("judge", "battle_of_the_sexes", "--profile", file)
    assert found["nash_conv"] == found["profiles"][2]["nash_conv"] == 2
    assert [one["nash_conv"] for one in found["profiles"]] == [0, 0, 2]


def test_the_answer_of_another_game_is_not_judged(tmp_path: Path):
    file = saved(tmp_path, "prisoners")
    run("judge", "battle_of_the_sexes", "--profile", file, status=6)
    file = saved(tmp_path, "goofspiel", "--set", "n=2")
    assert run("judge", "goofspiel", "--profile", file).startswith("This is an equilibrium.")
    run("judge", "goofspiel", "--profile", file, "--set", "n=3", status=6)


@pytest.mark.slow
def test_a_long_answer_is_whole_where_nothing_is_buffered_and_the_reader_is_slow():
    """The watch's signals cut a write short that waits for the reader."""
    script = "import sys, time; time.sleep(3); sys.stdout.write(sys.stdin.read())"
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    graph = subprocess.Popen(
        [sys.executable, "-m", "gdl", "graph", "tic_tac_toe"], stdout=subprocess.PIPE, env=environment, cwd=ROOT
    )
    read = subprocess.run(
        [sys.executable, "-c", script], stdin=graph.stdout, capture_output=True, text=True, check=True
    )
    assert graph.wait() == 0
    assert len(read.stdout) > 1 << 17 and read.stdout.endswith("}\n")
