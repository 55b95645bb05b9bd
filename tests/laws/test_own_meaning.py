"""Random games written twice, as rules and as Python that follows the manual alone, mean the same.

`tests/bench/own_meaning.py` writes them, and tries as many as it is given time for.
"""

import sys

import pytest
from places import TESTS

sys.path.insert(0, str(TESTS / "bench"))

import own_meaning

BLOCKS, EACH = 20, 4


@pytest.mark.thorough
@pytest.mark.one_in(20)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_rules_mean_what_the_manual_says(block: int):
    pytest.importorskip("wasmtime")
    for seed in range(EACH * block, EACH * (block + 1)):
        _, outcome, details, text, _ = own_meaning.tried(seed)
        assert outcome not in ("different", "broken"), f"{text}\n{details}"


def test_another_meaning_is_noticed():
    found = []
    for seed in range(5):
        meaning = own_meaning.Meaning(seed)
        meaning.text = meaning.text.replace(f"turns = {own_meaning.PLIES} ->", "turns = 1 ->")
        found.append(own_meaning.outcome(meaning)[0])
    assert "different" in found
