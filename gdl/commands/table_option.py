"""The option --table, of commands that look at tables of solved games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def takes_table(help: str) -> Callable[..., Any]:
    """Adds the option --table to a command."""
    return click.option("--table", type=click.Path(path_type=Path), metavar="DIR", help=help)
