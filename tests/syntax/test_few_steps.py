"""A file with a sign too few, or cut off in the middle, is read or refused in a few steps for each of its signs."""

import random

import pytest
from parser_steps import FILES, Counter, broken, signs


@pytest.fixture
def counter(monkeypatch):
    return Counter(monkeypatch)


def refuse_broken(counter, files, places_each):
    rng = random.Random(60)
    for file in files:
        text, places = signs(file)
        assert all(counter.steps(each) for each in broken(text, rng.sample(places, min(places_each, len(places)))))


@pytest.mark.thorough
def test_a_sign_too_few_costs_a_few_steps(counter):
    refuse_broken(counter, FILES[:: len(FILES) // 250], 1)


@pytest.mark.thorough
def test_a_sign_too_few_costs_a_few_steps_in_every_file(counter):
    refuse_broken(counter, FILES, 2)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_sign_too_few_costs_a_few_steps(file, counter):
    refuse_broken(counter, [file], 1 << 20)
