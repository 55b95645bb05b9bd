"""A command keeps its limits of time and memory wherever it is, and brings what it has found."""

import time

import pytest

from gdl.commands import limiting
from gdl.commands.limiting import MEBIBYTE, Limits
from gdl.errors import Interrupted, LimitReached
from gdl.solution import Solution

pytestmark = pytest.mark.skipif(not hasattr(limiting.signal, "setitimer"), reason="no alarms here")


def spin(seconds: float = 20.0) -> None:
    """Works without ever looking at a limit."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    pytest.fail("nothing stopped it")


def test_time_stops_what_does_not_look_at_the_clock():
    with pytest.raises(LimitReached, match=r"^stopped after 0.1 s, the limit set$"), Limits(seconds=0.1).watched():
        spin()


def test_memory_stops_what_does_not_look_at_it():
    limit = limiting.held() + 50 * MEBIBYTE
    said = rf"^stopped with \d+ MiB of memory in use, more than the limit of {limit // MEBIBYTE} MiB$"
    with pytest.raises(LimitReached, match=said), Limits(memory=limit).watched():
        kept = []
        while len(kept) < 400:
            kept.append(bytearray(b"x") * MEBIBYTE)
            time.sleep(0.001)
        spin()


def test_nodes_are_counted_where_progress_is_told():
    with (
        pytest.raises(LimitReached, match="stopped after 12 positions, the limit set"),
        Limits(nodes=11).watched("positions") as progress,
    ):
        progress(6)
        progress(12)


def test_a_partial_answer_says_what_stopped_it():
    partial = Solution("g", "s", ("A",), None, exact=False, limit="cut off at depth 3; interrupted")
    with pytest.raises(LimitReached) as stop, Limits(seconds=0.1).watched():
        try:
            spin()
        except KeyboardInterrupt:
            raise Interrupted(partial) from None
    assert stop.value.partial.limit == "cut off at depth 3; stopped after 0.1 s, the limit set"


def test_ctrl_c_stays_an_interruption():
    with pytest.raises(KeyboardInterrupt), Limits(seconds=100).watched():
        raise KeyboardInterrupt


def test_limits_hold_where_ctrl_c_is_ignored():
    before = limiting.signal.signal(limiting.signal.SIGINT, limiting.signal.SIG_IGN)
    try:
        with pytest.raises(LimitReached), Limits(seconds=0.1).watched():
            spin()
    finally:
        limiting.signal.signal(limiting.signal.SIGINT, before)


def test_limits_within_limits():
    with Limits(seconds=100).watched():
        with pytest.raises(LimitReached), Limits(seconds=0.1).watched():
            spin()
        before = limiting.signal.getsignal(limiting.signal.SIGALRM)
        assert before is not limiting.signal.SIG_DFL
    assert limiting.signal.getsignal(limiting.signal.SIGALRM) is limiting.signal.SIG_DFL


def test_there_is_a_limit_of_memory_if_nobody_sets_one():
    free = limiting.free()
    assert free is None or free > 0


def test_kernel_code_that_runs_on_in_threads_is_stopped_where_it_is():
    wasm = pytest.importorskip("gdl.compiler.wasm")
    if not wasm.available():
        pytest.skip("needs wasmtime")
    from gdl.compiler.searches.threads import together

    def spin():
        wasm.load("n = array(i32, 1)\n\n\ndef spin() -> None:\n    while n[0] < 1:\n        n[0] = 0\n")["spin"]()
        yield

    def pause() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        together([spin(), spin()], pause)
