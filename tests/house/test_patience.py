"""The net under the tests: what would wait for ever fails, and Ctrl-C works wherever they were started."""

import os
import signal
import subprocess
import sys
import time

import pytest
from patience import at_most, crowd
from places import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are another thing there")

DEAF = """
import signal, sys, time
sys.path.insert(0, "tests/support")
from patience import at_most, crowd
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
with at_most(0.1, grace=0.1):
    time.sleep(60)
"""


def test_what_waits_too_long_fails():
    with pytest.raises(pytest.fail.Exception, match=r"not done after 0\.1 s"), at_most(0.1):
        time.sleep(60)


def test_what_is_done_in_time_goes_on():
    before = signal.getsignal(signal.SIGUSR1)
    with at_most(60):
        pass
    assert signal.getsignal(signal.SIGUSR1) == before


def test_what_answers_no_signal_is_ended():
    ended = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, cwd=ROOT, timeout=30 * crowd())
    assert ended.returncode == 1
    assert "in <module>" in ended.stderr


def test_ctrl_c_reaches_a_test():
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)


def test_ctrl_c_reaches_a_test_of_a_background_job():
    again = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::test_ctrl_c_reaches_a_test"]
    ended = subprocess.run(
        again, capture_output=True, text=True, cwd=ROOT, timeout=60 * crowd(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert "1 passed" in ended.stdout
