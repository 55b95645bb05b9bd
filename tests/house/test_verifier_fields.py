"""Every field of an answer is in the verifier's table, or in the list of those that need not be checked."""

from __future__ import annotations

import re

from places import ROOT

from gdl.solvers.verify import identity, verdict
from gdl.solvers.verify.fields import ROWS
from gdl.solvers.verify.form import paths


def test_every_field_has_its_check() -> None:
    looked_at = {*verdict.NOT_CHECKED, *identity.FIELDS, *(field for row in ROWS for field in row.fields)}
    assert [path for path in paths() if path.partition(".")[0] not in looked_at] == []


def test_the_list_of_what_is_not_checked_does_not_grow() -> None:
    """Nobody checks the fields named here; a field added to the list would be a claim on which users rely in vain."""
    assert set(verdict.NOT_CHECKED) == {"solver", "reason", "notes", "limit", "options", "game"}
    assert set(verdict.ESTIMATED) == {"value", "best", "line"}
    assert set(verdict.COUNTS) == {"nodes", "leaves"}
    assert set(verdict.UNREPEATED) == {"depth-limited", "proof-number", "mcts", "puct", "mccfr"}
    assert set(verdict.MERGING) == {"minimax", "expectiminimax", "maxn", "retrograde", "table"}


def test_the_manual_says_how_every_field_is_checked() -> None:
    rows = (ROOT / "gdl/docs/verify.md").read_text().splitlines()
    told = {name for row in rows if row.startswith("| `") for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert {path.partition(".")[0] for path in paths()} - told == set()
