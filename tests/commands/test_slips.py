"""The bench of newcomers' slips: nearly all are answered with a right mend."""

import sys

import pytest
from places import TESTS, missing_wings

sys.path.insert(0, str(TESTS / "bench"))

import slips


@pytest.mark.thorough
def test_slips_are_mended() -> None:
    if missing_wings():
        pytest.skip("some slips are mended by wings")
    tried = slips.read_slips((TESTS / "bench" / "slips.txt").read_text(encoding="utf-8"))
    without = [slip.title for slip in tried if not slip.is_mended_by(slips.answer_slip(slip))]
    assert len(without) <= len(tried) / 20, without
