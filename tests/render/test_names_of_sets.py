"""The names of information sets in pictures: a set of one node has its name there, unless the node has one of its own."""

from __future__ import annotations

import gdl
from gdl.render.picture import picture

TREE = """players Firm, Rival
tree
    chance
        low 2/3: Firm in cheap
            build: Rival in seen (enter: (0, -1), out: (2, 0))
            wait: (2, 1)
        high 1/3: Firm F in dear
            build: Rival in seen (enter: (-2, -1), out: (1, 0))
            wait: (2, 1)
"""


def test_whoever_answers_by_information_sets_sees_their_names() -> None:
    drawn = picture(gdl.loads(TREE).game, blank=True)
    assert [node.name for node in drawn.nodes if node.mover == "Firm"] == ["cheap", "F"]
    assert [group.name for group in drawn.groups] == ["seen"]
    assert not any(node.name for node in drawn.nodes if node.mover == "Rival")
