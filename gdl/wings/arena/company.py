"""The talk of the computer player on the command line."""

from __future__ import annotations

from gdl.commands import console
from gdl.commands.engines import engine_failed
from gdl.commands.limiting import NONE
from gdl.wings.arena.computer import Company


def company() -> Company:
    """The functions by which the computer player talks to the user: lines of the dialogue, remarks, faults of the
    engine, progress."""
    return Company(console.line, console.remark, engine_failed, NONE.enforce)
