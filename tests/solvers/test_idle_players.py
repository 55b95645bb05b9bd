"""Players who never move are left out before equilibria are looked for: two who do are a game of two."""

from fractions import Fraction as F

import gdl

POKER = """\
players Ann, Bob, Onlooker
tree
    chance
        high 1/2: Ann in high
            bet: Bob in bet
                call: (2, -2, 1)
                fold: (1, -1, 0)
            check: (1, -1, 0)
        low 1/2: Ann in low
            bet: Bob in bet
                call: (-2, 2, 1)
                fold: (1, -1, 0)
            check: (-1, 1, 0)
"""
SHARED = """\
players P, Q, R
tree
    P in s
        l: Q in q (l: (2, 1, 5), r: (0, 0, 0))
        r: Q in q (l: (0, 0, 1), r: (1, 2, 1))
"""


def test_the_equilibria_of_two_are_all_found_beside_an_onlooker():
    found = gdl.solve(gdl.loads(POKER), "nash")
    assert found.complete and found.value == (F(1, 3), F(-1, 3), F(4, 9)) and found.regret == (0, 0, 0)
    (profile,) = found.equilibria
    assert profile["Ann"]["low"]["bet"] == F(1, 3) and profile["Bob"]["bet"]["call"] == F(2, 3)


def test_what_an_onlooker_gets_differs_by_equilibrium():
    found = gdl.solve(gdl.loads(SHARED), "nash")
    assert found.complete and found.value is None
    assert sorted(map(tuple, found.payoffs)) == [(F(2, 3), F(2, 3), F(13, 9)), (1, 2, 1), (2, 1, 5)]


def test_a_large_table_of_two_goes_by_the_sequence_form_beside_an_onlooker():
    found = gdl.solve(gdl.loads(POKER), "nash", cells=3)
    assert found.value is None and found.payoffs[0] == (F(1, 3), F(-1, 3), F(4, 9)) and found.regret == (0, 0, 0)
