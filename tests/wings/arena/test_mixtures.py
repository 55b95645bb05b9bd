"""A draw from a mixture has the exact probabilities, however their fractions are written."""

from fractions import Fraction as F
from random import Random

import pytest

from gdl.wings.arena.draws import TICKET, draw_action


class Tickets(Random):
    """Draws the given tickets, one after the other."""

    def __init__(self, *tickets: int):
        super().__init__(0)
        self.tickets = list(tickets)

    def randrange(self, *_):  # type: ignore[override]
        return self.tickets.pop(0)


@pytest.mark.parametrize(
    ("tickets", "drawn"),
    [
        ((TICKET // 3 - 1,), "a"),
        ((TICKET // 3, 0), "a"),  # a third ends amid this ticket
        ((TICKET // 3, TICKET - 1), "c"),
        ((TICKET // 3, TICKET // 3, TICKET - 1), "c"),
        ((TICKET // 3 + 1,), "c"),
        ((TICKET - 1,), "c"),
    ],
)
def test_a_ticket_that_two_share_is_cut_further(tickets: tuple[int, ...], drawn: str):
    random = Tickets(*tickets)
    assert draw_action({"a": F(1, 3), "b": 0, "c": F(2, 3)}, random) == drawn
    assert not random.tickets
