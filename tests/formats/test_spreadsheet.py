"""Tables for spreadsheets: what one would compute is text in them, numbers stay numbers."""

from __future__ import annotations

import csv

import pytest

from gdl.formats.spreadsheet import csv_table


@pytest.mark.parametrize("cell", ["=1+1", "@sum", "+cmd", "-a", "-1+1", "=2", "=cmd|' /C calc'!A0"])
def test_no_cell_is_a_formula(cell: str) -> None:
    ((told, number),) = csv.reader([csv_table([[cell, -3]]).rstrip("\n")])
    assert number == "-3" and told == f"'{cell}"


@pytest.mark.parametrize("cell", ["-1/18", "+3", "-0.5", "a=b", "", "x, y"])
def test_numbers_and_other_texts_stay(cell: str) -> None:
    assert next(csv.reader([csv_table([[cell, 1]]).rstrip("\n")])) == [cell, "1"]
