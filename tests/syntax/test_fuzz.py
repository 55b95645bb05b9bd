"""No file, however broken, gets more than a GameError out of the language, and each of its problems has a place."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import ERRORS, LANGUAGE

import gdl
import gdl.checker  # sets the recursion limit, which is better done before hypothesis looks at it
from gdl.errors import GameError
from gdl.states.explore import moves

TEXTS = [file.read_text(encoding="utf-8") for file in sorted(gdl.shipped().values())]
TEXTS += [
    file.read_text(encoding="utf-8")
    for folder in (LANGUAGE, ERRORS)
    for file in sorted(folder.glob("*.game"))
    if not file.stem.startswith(("limit_", "nested_", "more_"))  # slow, and broken enough
]
WORD = re.compile(r'"[^"\n]*"|\w+|\n *|[^\w\s]+| +')
WORDS = sorted({word for text in TEXTS for word in WORD.findall(text)})
SIGNS = " \n\t()[]{}:=+-*/<>?\"'#.,ab01\u202e\x1b\u00e9\u221e"
STEPS = 3  # plies that a game which survives is played


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A game with some of its words or signs taken out, doubled, moved or replaced."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        pieces = WORD.findall(text) if draw(st.booleans()) else list(text)
        at = draw(st.integers(0, max(0, len(pieces) - 1)))
        other = draw(st.sampled_from(WORDS if len(pieces) < len(text) else SIGNS))
        pieces[at : at + 1] = draw(
            st.sampled_from([[], pieces[at : at + 1] * 2, [other], [*pieces[at : at + 1], " ", other]])
        )
        text = "".join(pieces)
    return text


@pytest.mark.thorough
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken())
def test_only_game_errors_come_of_broken_files(text):
    try:
        loaded = gdl.loads(text, "broken.game")
        assert all(warning.span for warning in loaded.warnings)
        _played(loaded.game)
    except GameError as error:
        assert error.problems
        assert all(problem.span is not None for problem in error.problems)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", str(error))


def _played(game):
    state = game.initial()
    for _ in range(STEPS):
        game.show(state)
        game.evaluate(state)
        for player in range(len(game.players)):
            game.information_set(state, player)
            game.describe(state, player)
        options = moves(game.node(state))
        if not options:
            return
        state = game.successor(state, options[-1])
