"""Two persons at one terminal, where something is hidden: the screen is wiped and waits between them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import pytest
from patience import crowd

pty = pytest.importorskip("pty")  # not on Windows

WIPED = "\x1b[2J\x1b[1;1H\x1b[3J"


class Terminal:
    """A program that runs at a terminal of its own."""

    def __init__(self, descriptor: int):
        self.descriptor = descriptor
        self.shown = ""

    def until(self, wanted: str) -> str:
        """The output up to a text, which is included."""
        end = monotonic() + 30 * crowd()
        while wanted not in self.shown:
            assert monotonic() < end, self.shown
            self.shown += os.read(self.descriptor, 4096).decode().replace("\r\n", "\n")
        found, _, self.shown = self.shown.partition(wanted)
        return found + wanted

    def write(self, line: str) -> None:
        os.write(self.descriptor, f"{line}\n".encode())


@contextmanager
def playing(*words: str) -> Iterator[Terminal]:
    process, descriptor = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-c", "from gdl.commands.cli import main; main()", "play", *words])
    try:
        yield Terminal(descriptor)
    finally:
        os.close(descriptor)
        os.waitpid(process, 0)


def test_the_screen_is_wiped_and_waits() -> None:
    with playing("kuhn", "--as", "P1", "--as", "P2", "--seed", "3") as terminal:
        before = terminal.until("P1, press Enter when nobody else looks. ")
        assert "card" not in before
        terminal.write("")
        first = terminal.until("P1> ")
        assert WIPED in first
        assert "card: P1: 2, P2: ?" in first
        terminal.write("check")
        second = terminal.until("P2, press Enter when nobody else looks. ")
        assert second.rpartition(WIPED)[2] == "It is P2's turn. P2, press Enter when nobody else looks. "
        terminal.write("")
        third = terminal.until("P2> ")
        assert WIPED in third
        assert re.search(r"P1 checks\s+card: P1: \?, P2: 1", third)
        assert "P1: 2" not in third.rpartition(WIPED)[2]
        terminal.write("quit")
        terminal.until("Good-bye.")


def test_nothing_is_wiped_where_nothing_is_hidden() -> None:
    with playing("tic_tac_toe", "--as", "X", "--as", "O") as terminal:
        terminal.until("X> ")
        terminal.write("b2")
        shown = terminal.until("O> ")
        assert "\x1b[" not in shown.replace("\x1b[?2004", "")  # but what the line editor says
        terminal.write("quit")
        terminal.until("Good-bye.")


@pytest.mark.thorough
def test_the_end_of_the_input_and_ctrl_c_end_the_play() -> None:
    with playing("kuhn", "--as", "P1", "--as", "P2", "--seed", "3") as terminal:
        terminal.until("press Enter when nobody else looks. ")
        os.write(terminal.descriptor, b"\x04")
        assert "card" not in terminal.until("Good-bye.")
    with playing("tic_tac_toe") as terminal:
        terminal.until("X> ")
        os.write(terminal.descriptor, b"\x04")
        terminal.until("Good-bye.")
    with playing("tic_tac_toe") as terminal:
        terminal.until("X> ")
        os.write(terminal.descriptor, b"\x03")
        terminal.until("interrupted")


def test_a_terminal_marks_what_the_computer_did() -> None:
    """A disc that the computer dropped is in colour, and no other sign is."""
    with playing("connect_four", "--time", "0.2", "--seed", "3", "--after", "drop(1) drop(1)") as terminal:
        assert "\x1b[1;33m" not in terminal.until("Yellow> ")
        terminal.write("drop(1)")
        assert terminal.until("Yellow> ").count("\x1b[1;33mR\x1b[0m") == 1


def test_people_begin_with_the_variant_for_play() -> None:
    with playing("hex", "--seed", "3") as terminal:
        shown = terminal.until("Red> ")
        assert "this is the variant play, The board of eleven; --variant or --set asks for another" in shown
        assert "and 111 more: moves lists them all" in shown
    with playing("hex", "--set", "n=3", "--seed", "3") as terminal:
        assert "variant" not in terminal.until("Red> ")
