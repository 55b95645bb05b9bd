"""Ctrl-C: it ends the process at once while the program starts and ends, and raises KeyboardInterrupt while a command
works.

An exception that comes while modules are imported would be shown as a traceback, or be lost in the import machinery, so
until there is work to stop, Ctrl-C ends the process. (So this file imports as little as it can.) A process that was
started to ignore Ctrl-C, such as a background job of a script, keeps ignoring it.
"""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # the part of `signal` that is there when Python starts
import os
import sys

STATUS = 130  # exit status of an interrupted command: 128 plus the number of the signal
WORD = "interrupted"


def ends_the_process() -> None:
    """Let Ctrl-C end the process from now on, unless it is handled otherwise or ignored already."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


class StopsTheWork:
    """A block in which Ctrl-C raises KeyboardInterrupt instead of ending the process."""

    def __enter__(self) -> None:
        self._ending = signal.getsignal(signal.SIGINT) is _end
        if self._ending:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def __exit__(self, *of_exception: object) -> None:
        if self._ending:
            signal.signal(signal.SIGINT, _end)


_lost = False  # whether KeyboardInterrupt came where Python drops exceptions, as in a callback of the import machinery


def finds_what_is_lost() -> None:
    """From now on, note every Ctrl-C that Python drops with a traceback, for `take_lost`."""
    sys.unraisablehook = _handle_unraisable


def take_lost() -> bool:
    """True if Ctrl-C was dropped since the last call."""
    global _lost
    lost, _lost = _lost, False
    return lost


def _handle_unraisable(what: sys.UnraisableHookArgs) -> None:
    global _lost
    if isinstance(what.exc_value, KeyboardInterrupt):
        _lost = True
    else:
        sys.__unraisablehook__(what)


def _end(*of_signal: object) -> None:
    os.write(2, f"{WORD}\n".encode())
    os._exit(STATUS)
