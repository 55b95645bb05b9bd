"""Teams: who plays where partners win and lose together, and what each of them gets."""

import gdl
from gdl.game import Terminal

OPEN = """
players North & South, East & West
state
    n: 0..4 = 0
    last: Player = North
action go(k: 1..2) when n + k <= 4
    n := n + k
    last := mover
terminal
    n = 4 -> win last
"""
HIDDEN = OPEN.replace("last: Player = North", "last: Player = North\n    own[Player]: 0..1 = 0 visible to owner")


def test_a_team_is_one_player_where_nothing_is_hidden():
    game = gdl.loads(OPEN).game
    assert game.players == ("North & South", "East & West")
    assert game.traits.zero_sum and game.traits.perfect_information
    assert gdl.solve(game, solver="alpha-beta").value == gdl.solve(game, solver="minimax").value == (1, -1)


def test_partners_who_may_see_different_things_get_the_same():
    game = gdl.loads(HIDDEN.replace("    n := n + k", "    n := n + k\n    own[mover] := 1")).game
    assert game.players == ("North", "East", "South", "West")
    assert game.traits.zero_sum
    state = game.initial()
    for action in ("go(2)", "go(1)", "go(1)"):
        state = game.successor(state, action)
    assert game.node(state) == Terminal((1, -1, 1, -1))


def test_the_list_may_begin_with_any_size_of_team():
    text = OPEN.replace("North & South, East & West", "Fox, A & B & C").replace("Player = North", "Player = Fox")
    assert gdl.loads(text).game.players == ("Fox", "A & B & C")
    alone = gdl.loads(OPEN.replace("North & South, East & West", "North & South")).game
    assert alone.players == ("North & South",) and gdl.solve(alone).value == (1,)
