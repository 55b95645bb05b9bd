"""Positions in a file that is being edited are refused, repaired and completed as everywhere."""

from __future__ import annotations

import pytest
from bad_positions import BAD

from gdl.wings.editor.completion import completions
from gdl.wings.editor.document import Document


@pytest.mark.parametrize("case", [pytest.param(case, marks=() if n % 5 == 0 else pytest.mark.thorough) for n, case in
                                  enumerate(BAD)], ids=lambda case: f"{case[0]} {case[1]}")  # fmt: skip
def test_an_editor_refuses_and_repairs_alike(case: tuple[str, ...]):
    game, text, refusal, repair = case
    document = Document("begun.game")
    document.update(f'game "Begun" from {game}\n\nstart "{text}"\n')
    assert (refusal or repair) in "\n".join(problem.message for problem in document.problems)


def test_words_of_positions_are_completed():
    document = Document("begun.game")
    document.update('game "Begun" from chess\n\nposition re')
    assert "requires" in [offer.text for offer in completions(document, len(document.text))]
