"""A command keeps its limits of time and memory wherever it is, and brings what it has found."""

import json
import re
import subprocess
import sys
import time
from mmap import mmap
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from late_clock import all_clocks_replaced

from gdl import wings
from gdl.commands import cli, limiting
from gdl.commands.limiting import MEBIBYTE, Limits
from gdl.errors import Interrupted, LimitReached, size_text
from gdl.playing.loading import load_asked
from gdl.solution import Solution

pytestmark = pytest.mark.skipif(not hasattr(limiting.signal, "setitimer"), reason="no alarms here")


def spin(seconds: float = 20.0) -> None:
    """Works without ever looking at a limit."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    pytest.fail("nothing stopped it")


def test_time_stops_what_does_not_look_at_the_clock():
    with pytest.raises(LimitReached, match=r"^stopped after 0.1 s, the limit set$"), Limits(seconds=0.1).enforce():
        spin()


def test_memory_stops_what_does_not_look_at_it():
    limit = limiting.memory_in_use() + 50 * MEBIBYTE
    said = rf"^stopped with [\d,.]+ [MG]iB of memory in use, more than the limit of {re.escape(size_text(limit))}$"
    with pytest.raises(LimitReached, match=said), Limits(memory=limit).enforce():
        kept = []
        while len(kept) < 400:
            kept.append(bytearray(b"x") * MEBIBYTE)
            time.sleep(0.001)
        spin()


@pytest.mark.thorough
def test_after_memory_has_stopped_the_work_the_answer_is_put_together():
    """The block around that of a search has the same limit, and in it the answer is printed."""
    assert limiting.memory_in_use() > 20 * MEBIBYTE
    limit = Limits(memory=20 * MEBIBYTE)
    with limit.enforce():
        with pytest.raises(LimitReached), limit.enforce():
            spin()
        time.sleep(0.5)  # longer than between two checks of the limits
    with pytest.raises(LimitReached), limit.enforce():  # another command
        spin()


@pytest.mark.thorough
def test_after_time_has_stopped_the_work_the_answer_is_printed_on_a_slow_machine_too():
    """Kriegspiel was stopped a second time while its answer was printed, which was lost."""
    told = False
    with pytest.raises(LimitReached), Limits(seconds=0.05).enforce():
        try:
            spin()
        except KeyboardInterrupt:
            with limiting.briefly(LimitReached("")):
                end = time.process_time() + 0.5
                while time.process_time() < end:
                    pass
                told = True
            raise
    assert told


def test_time_stops_the_making_of_a_class():
    """As a module is read: Python 3.11 tells a RuntimeError of `__set_name__`, which was taken for a bug of gdl."""
    attribute = type("Attribute", (), {"__set_name__": lambda *of: spin()})
    with pytest.raises(LimitReached, match=r"^stopped after 0.05 s"), Limits(seconds=0.05).enforce():
        type("Class", (), {"attribute": attribute()})


def test_nodes_are_counted_where_progress_is_told():
    with (
        pytest.raises(LimitReached, match="stopped after 12 positions, the limit set"),
        Limits(nodes=11).enforce("positions") as progress,
    ):
        progress(6)
        progress(12)


@pytest.mark.thorough
def test_reading_the_game_is_no_part_of_the_time():
    """Of a command that watches its work; one that does not is stopped wherever it is."""

    @click.command()
    @limiting.takes_limits("time", "memory")
    def watching(limits: Limits) -> None:
        time.sleep(0.4)
        with limits.enforce():
            pass

    @click.command()
    @limiting.keeps_limits("time", "memory")
    def unaware() -> None:
        time.sleep(0.4)

    watching.main(["--time", "0.1"], standalone_mode=False)
    with pytest.raises(LimitReached, match=r"^stopped after 0.1 s, the limit set$"):
        unaware.main(["--time", "0.1"], standalone_mode=False)


def test_what_goes_on_after_the_limit_is_stopped_again_soon():
    """Putting an answer together may take as long as the search did; it got ten seconds."""
    began = time.process_time()
    with pytest.raises(LimitReached, match=r"^stopped after 0.1 s, the limit set$"), Limits(seconds=0.1).enforce():
        try:
            spin()
        except KeyboardInterrupt:
            spin()
    assert time.process_time() - began < 3


def test_seconds_that_run_already_hold_for_every_block():
    limits = Limits(seconds=0.3).start_clock()
    time.sleep(0.35)
    with pytest.raises(LimitReached), limits.enforce():
        spin()
    assert limits.end is not None and limits.sparing(0.5).end == pytest.approx(limits.end - 0.15)
    assert Limits().start_clock() == Limits().sparing(0.5) == Limits()


@pytest.mark.thorough
def test_what_may_come_after_the_limit_is_processor_time():
    """A machine that is busy with other work takes nothing from it."""
    with Limits(seconds=0.1, late=0.2).enforce():
        time.sleep(0.6)
    with pytest.raises(LimitReached), Limits(seconds=0.1, late=0.2).enforce():
        spin()


def test_what_may_come_after_the_limit_begins_with_the_limit():
    """Not with the look at the clock that finds it passed, which may come a tenth of a second later."""
    now, found = 100.0, []
    with all_clocks_replaced(lambda: now, lambda: now):
        block = limiting._Block(Limits(seconds=1.0, late=0.15), limiting.ProgressLine())
        for now in (101.09, 101.14, 101.16):
            found.append(block.has_passed_limit(now, False))
    assert found == [False, False, True]


@pytest.mark.thorough
def test_what_is_made_of_an_answer_is_within_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path):
    """A graph with the answer written onto it took three times as long."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gdl.commands.exporting.annotate", lambda *of_anything, **of_that: spin())
    told = CliRunner().invoke(cli.commands, "graph figure_5_2 --solved -o graph.json --time 1".split())
    assert told.exit_code == 4 and "the limit set" in told.stderr
    assert (tmp_path / "graph.json").exists()  # as it was without the answer


@pytest.mark.thorough
def test_what_is_known_of_an_unfinished_search_is_told():
    """The steps of an unfinished search cannot be walked through."""
    told = CliRunner().invoke(cli.commands, "step gomoku --time 0.3".split())
    assert told.exit_code == 4 and "proven    Black -1 to 1, White -1 to 1" in told.stdout


@pytest.mark.thorough
def test_a_graph_too_large_for_the_time_is_written_in_part(tmp_path):
    """The alarm stopped the walk, and nothing was written."""
    told = CliRunner().invoke(cli.commands, ["graph", "go", "--time", "2", "-o", str(tmp_path / "go.json")])
    assert told.exit_code == 4 and "the limit set" in told.stderr
    assert not json.loads((tmp_path / "go.json").read_text())["graph"]["complete"]


def test_a_graph_without_time_for_more_has_the_first_position(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """On a busy machine the alarm rang before the walk had written down anything, and there was no file."""

    def stop(*_: object) -> None:
        raise LimitReached("stopped after 2 s, the limit set")

    monkeypatch.setattr("gdl.commands.exporting.graph_in_time", stop)
    told = CliRunner().invoke(cli.commands, ["graph", "go", "--time", "2", "-o", str(tmp_path / "go.json")])
    written = json.loads((tmp_path / "go.json").read_text())
    assert told.exit_code == 4 and len(written["nodes"]) == 1 and not written["graph"]["complete"]


@pytest.mark.parametrize("command", ["solve", "explain", "graph"])
def test_reading_the_game_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch, command: str):
    """A stranger's .kif file took thirteen seconds until its time began."""
    monkeypatch.setattr("gdl.commands.game_argument.load_asked", lambda *of_anything: spin())
    monkeypatch.setattr("gdl.commands.limiting.READING", 0.1)
    told = CliRunner().invoke(cli.commands, [*command.split(), "nim", "--time", "0.1"])
    assert told.exit_code == 4 and told.stderr == "stopped after 0.1 s, the limit set\n"


def test_a_solver_leaves_a_part_of_the_time_for_its_answer():
    began = time.monotonic()
    options = limiting.start_clock({"time": 10.0, "seed": 1})
    assert began + 9 <= options["time"].end <= time.monotonic() + 9 and options["time"] == 10
    assert limiting.start_clock(options) is options and limiting.start_clock({"time": None}) == {"time": None}
    limits = limiting.add_time_limit(limiting.NONE, options)
    assert (limits.seconds, limits.end) == (10, pytest.approx(options["time"].end + 1))


@pytest.mark.parametrize("words", ["cut off at depth 3; interrupted", "cut off at depth 3"])
def test_a_partial_answer_says_what_stopped_it_and_keeps_what_limited_it_before(words: str):
    partial = Solution("g", "s", ("A",), None, exact=False, limit=words)
    with pytest.raises(LimitReached) as stop, Limits(seconds=0.1).enforce():
        try:
            spin()
        except KeyboardInterrupt:
            raise Interrupted(partial) from None
    assert stop.value.partial.limit == "cut off at depth 3; stopped after 0.1 s, the limit set"


def test_what_is_stopped_before_it_can_answer_says_what_is_known_without(monkeypatch: pytest.MonkeyPatch):
    """The rules alone prove how much anybody can get."""

    def stopped(*of_anything: object, **of_that: object) -> None:
        raise LimitReached("stopped after 1 s, the limit set")

    monkeypatch.setattr("gdl.commands.solving.solve_game", stopped)
    command = ["solve", "nim", "--concept", "nash", "--time", "1", "--json"]
    told = CliRunner().invoke(cli.commands, command)
    found = json.loads(told.stdout)
    assert told.exit_code == 4 and "stopped after 1 s" in told.stderr
    assert (found["exact"], found["concept"], found["interval"]["First"]) == (False, "nash", [-1, 1])


def test_ctrl_c_stays_an_interruption():
    with pytest.raises(KeyboardInterrupt), Limits(seconds=100).enforce():
        raise KeyboardInterrupt


def test_limits_hold_where_ctrl_c_is_ignored():
    before = limiting.signal.signal(limiting.signal.SIGINT, limiting.signal.SIG_IGN)
    try:
        with pytest.raises(LimitReached), Limits(seconds=0.1).enforce():
            spin()
    finally:
        limiting.signal.signal(limiting.signal.SIGINT, before)


def test_limits_within_limits():
    with Limits(seconds=100).enforce():
        with pytest.raises(LimitReached), Limits(seconds=0.1).enforce():
            spin()
        before = limiting.signal.getsignal(limiting.signal.SIGALRM)
        assert before is not limiting.signal.SIG_DFL
    assert limiting.signal.getsignal(limiting.signal.SIGALRM) is limiting.signal.SIG_DFL


def test_there_is_a_limit_of_memory_if_nobody_sets_one():
    free = limiting.free_memory()
    assert free is None or free >= limiting.LEAST_MEMORY


def test_a_limit_of_addresses_is_one_of_memory():
    """As `ulimit -v` sets it."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + limiting.LEAST_MEMORY, before[1]))
    try:
        assert limiting.free_memory() == limiting.LEAST_MEMORY
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def allowed() -> int | None:
    """The bytes that the innermost block may hold."""
    return limiting._alarm.blocks[-1].allowed


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The machine's bytes of memory: those that are `free` for gdl, and those that it `holds` (None: as they are)."""
    told, held = {"free": 100_000 * MEBIBYTE, "held": 0}, limiting.memory_in_use
    monkeypatch.setattr(limiting, "free_memory", lambda: told["free"])
    monkeypatch.setattr(limiting, "memory_in_use", lambda: held() if told["held"] is None else told["held"])
    return told


def test_the_innermost_block_that_names_a_limit_of_memory_decides(memory: dict[str, int]):
    with Limits(usual=limiting.LOOKING).enforce():
        assert allowed() == 2048 * MEBIBYTE
        with Limits().enforce():
            assert allowed() == 2048 * MEBIBYTE
        with Limits(usual=limiting.SEARCHING).enforce():
            assert allowed() == 8192 * MEBIBYTE
            with Limits(memory=20_000 * MEBIBYTE).enforce(), Limits(seconds=9).enforce():
                assert allowed() == 20_000 * MEBIBYTE


def test_where_little_is_free_the_usual_limit_is_less(memory: dict[str, int | None], no_collection: None):
    memory.update(free=300 * MEBIBYTE, held=None)
    before = limiting.memory_in_use()
    with Limits(usual=limiting.SEARCHING).enforce():
        assert (allowed() or 0) - before == pytest.approx(300 * MEBIBYTE, abs=50 * MEBIBYTE)
    said = r"^stopped with [0-9.,]+ [MG]iB of memory in use, more than three quarters of what was free; --memory sets"
    memory["free"] = 1
    mapped = mmap(-1, 50 * MEBIBYTE)  # memory of its own, not what other tests have given back
    with pytest.raises(LimitReached, match=said), Limits(usual=limiting.LOOKING).enforce(), mapped as kept:
        kept.write(bytes(len(kept)))
        spin()


def test_a_usual_limit_says_that_it_can_be_set():
    with (
        pytest.raises(LimitReached, match=r"^stopped after 0.1 s, the usual limit; --time sets another$"),
        Limits(seconds=0.1, is_user_set=False).enforce(),
    ):
        spin()


def test_the_limit_of_a_block_around_leaves_with_what_was_found():
    partial = Solution("g", "s", ("A",), None, exact=False, limit="interrupted")
    with pytest.raises(LimitReached) as stop, Limits(seconds=0.1).enforce(), Limits().enforce():
        try:
            spin()
        except KeyboardInterrupt:
            raise Interrupted(partial) from None
    assert stop.value.partial.limit == "stopped after 0.1 s, the limit set"


def test_limits_are_looked_at_where_progress_is_told_if_there_are_no_alarms(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(limiting.signal, "setitimer")
    said = r"^stopped after 0.2 s, the limit set; [0-9,]+ nodes were done$"
    with pytest.raises(LimitReached, match=said), Limits(seconds=0.2).enforce() as progress:
        for done in range(100_000_000):
            progress(done)


UNLIMITED = {"games", "solvers", "guide", "card", "new"}  # they print what is there


@pytest.mark.parametrize(
    "name", sorted(name for name in {*cli.COMMANDS} - UNLIMITED if not wings.owner("commands", name))
)
def test_every_command_has_a_limit_of_memory_that_can_be_set(name: str):
    command = cli.commands.get_command(click.Context(cli.commands), name)
    assert command is not None
    (memory,) = [option for option in command.params if option.name == "memory"]
    usual = limiting.LOOKING if name in LOOKS else limiting.SEARCHING
    assert f"{usual // MEBIBYTE} by default" in getattr(memory, "help", "")


LOOKS = (
    "analyse",
    "check",
    "format",
    "core",
    "draw",
    "explain",
    "show",
    "step",
)  # and search at most a little


def test_kernel_code_that_runs_on_in_threads_is_stopped_where_it_is():
    wasm = pytest.importorskip("gdl.compiler.wasm")
    if not wasm.available():
        pytest.skip("needs wasmtime")
    from gdl.compiler.searches.threads import run_together

    def spin():
        wasm.load("n = array(i32, 1)\n\n\ndef spin() -> None:\n    while n[0] < 1:\n        n[0] = 0\n")["spin"]()
        yield

    def pause() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_together([spin(), spin()], pause)


@pytest.mark.parametrize(("read_in", "left"), [(0.4, 2.0), (1.0, 2.0), (1.5, 1.5), (9.0, 0.0)])
def test_reading_beyond_a_second_counts_against_the_time(read_in, left):
    worked = 7.0
    with all_clocks_replaced(lambda: 100.0, lambda: worked), limiting.NONE.enforce():
        worked += read_in
        assert limiting.Limits(2.0).start_clock().end == pytest.approx(100 + left)
        assert limiting.start_clock({"time": 2.0})["time"].end == pytest.approx(100 + max(0, left - 0.2))


def test_a_usual_limit_does_not_count_what_the_process_held_before(memory):
    memory.update(free=9000 * MEBIBYTE, held=5000 * MEBIBYTE)  # more than the limit
    block = limiting._Block(Limits(usual=2048 * MEBIBYTE), limiting.ProgressLine())
    assert block.allowed == 7048 * MEBIBYTE and not block.has_passed_limit(0.0, innermost=True)


def test_a_silent_pipe_is_not_waited_for_without_end():
    """Commands that solve waited for their standard input, whatever the limit of time."""
    script = "from gdl.commands import cli, limiting; limiting.WAITING = 0.3; cli.main()"
    words = [sys.executable, "-c", script, "solve", "-", "--time", "0.2"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as silent:
        assert silent.wait(60) == 4
        assert silent.stderr is not None and "stopped after 0.2 s, the limit set" in silent.stderr.read()


@pytest.mark.thorough
def test_reading_a_long_text_is_granted_what_its_length_takes(monkeypatch: pytest.MonkeyPatch):
    """A table of 250 by 250 took longer to read than the time given, and nothing was told of it."""
    monkeypatch.setattr("gdl.commands.limiting.READING", 0.1)
    monkeypatch.setattr("gdl.commands.limiting.LETTERS", 50)

    def load_late(*given):
        end = time.process_time() + 0.8
        while time.process_time() < end:
            pass
        return load_asked(*given)

    monkeypatch.setattr("gdl.commands.game_argument.load_asked", load_late)
    told = CliRunner().invoke(cli.commands, ["solve", "figure_5_2", "--time", "0.1"])
    assert told.exit_code == 0, told.stderr
