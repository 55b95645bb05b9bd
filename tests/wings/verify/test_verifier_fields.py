"""Every field of an answer is in the verifier's table, or in the list of those that need not be checked."""

from __future__ import annotations

import re

from altered_answers import field_paths
from places import ROOT, is_of_missing_wing

from gdl.wings.verify import identity, verdict
from gdl.wings.verify.fields import ROWS

VERIFIER = ROOT / "gdl/wings/verify"


def test_every_field_has_its_check() -> None:
    looked_at = {*verdict.NOT_CHECKED, *identity.FIELDS, *(field for row in ROWS for field in row.fields)}
    assert [path for path in field_paths() if path.partition(".")[0] not in looked_at] == []


def test_the_list_of_what_is_not_checked_does_not_grow() -> None:
    """Nobody checks the fields named here; a field added to the list would be a claim on which users rely in vain."""
    assert set(verdict.NOT_CHECKED) == {"solver", "reason", "notes", "limit", "options", "game"}
    assert set(verdict.ESTIMATED) == {"value", "best", "line"}
    assert set(verdict.COUNTS) == {"nodes", "leaves", "states"}
    assert set(verdict.UNREPEATED) == {"depth-limited", "proof-number", "mcts", "table"}
    assert set(verdict.MERGING) == {"retrograde"}


def test_the_manual_says_how_every_field_is_checked() -> None:
    rows = (VERIFIER / "docs/verify.md").read_text().splitlines()
    told = {name for row in rows if row.startswith("| `") for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    assert {path.partition(".")[0] for path in field_paths()} - told == set()


def test_the_files_by_which_theorems_are_checked_are_there() -> None:
    table = (VERIFIER / "docs/theorems.md").read_text(encoding="utf-8")
    files = [name for row in re.findall(r"^\|.*\| (`.*`) \|$", table, re.M) for name in re.findall(r"`([^`]+)`", row)]
    assert len(files) > 25
    places = {(ROOT if "/" in name else VERIFIER) / name for name in files if not is_of_missing_wing(name)}
    assert sorted(place.name for place in places if not place.with_suffix(".py").exists()) == []
