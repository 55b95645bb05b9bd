"""A document that is edited again and again takes no more memory."""

from __future__ import annotations

from collections.abc import Callable

from long_lived import LONG, hold_memory_flat, usual_collection  # noqa: F401

import gdl
from gdl.wings.editor.document import Document

pytestmark = LONG


def edits() -> Callable[[int], None]:
    text = gdl.read("nim")[0]
    document = Document("nim.game")

    def work(number: int) -> None:
        document.update(text.replace("\nstate", f"\n# edit {number}\nstate", 1))
        assert document.model is not None and not document.problems

    return work


def test_memory_stays_flat_under_edits():
    hold_memory_flat(edits, 20_000)
