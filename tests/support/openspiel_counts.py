"""How many information sets each player has in games of OpenSpiel 2.0.2, counted there by `information_state_string`
over all histories (`tests/solvers/test_beside_openspiel.py` counts them again where it is installed)."""

from __future__ import annotations

AUCTION = """
game "First-price auction"
players Ann, Bob
state
    value[Player]: 1..4? visible to owner
    bid[Player]: 0..3? visible to none
start deal
chance deal(v: 1..4)
    let p = first p in Player: value[p] = none
    value[p] := v
    if p = Ann
        next deal
    else
        next Ann
action offer(b: 0..3) when b < value[mover] unseen
    bid[mover] := b
terminal
    bid[Bob] != none and bid[Ann] > bid[Bob] -> pay value[Ann] - bid[Ann] to Ann
    bid[Bob] != none and bid[Bob] > bid[Ann] -> pay value[Bob] - bid[Bob] to Bob
    bid[Bob] != none -> draw
"""

COUNTS: dict[str, tuple[str, dict[str, str], tuple[int, ...]]] = {  # OpenSpiel's game -> ours, its settings, sets
    "kuhn_poker": ("kuhn", {}, (6, 6)),
    "kuhn_poker(players=3)": ("kuhn", {"seats": "3", "cards": "4"}, (16, 16, 16)),
    "kuhn_poker(players=4)": ("kuhn", {"seats": "4", "cards": "5"}, (40, 40, 40, 40)),
    "leduc_poker(suit_isomorphism=true)": ("leduc", {}, (144, 144)),
    "liars_dice(numdice=1,dice_sides=2)": ("liars_dice", {"sides": "2"}, (16, 16)),
    "liars_dice(numdice=1,dice_sides=3)": ("liars_dice", {"sides": "3"}, (96, 96)),
    "liars_dice(numdice=1,dice_sides=4)": ("liars_dice", {"sides": "4"}, (512, 512)),
    "goofspiel(num_cards=3,points_order=random,imp_info=False)": ("goofspiel", {}, (57, 57)),
    "goofspiel(num_cards=3,points_order=descending,imp_info=True)": (
        "goofspiel", {"prizes": "descending", "bids": "hidden"}, (8, 8),
    ),
    "goofspiel(num_cards=4,points_order=descending,imp_info=True)": (
        "goofspiel", {"n": "4", "prizes": "descending", "bids": "hidden"}, (81, 81),
    ),
    "dark_hex(num_rows=2,num_cols=2)": ("dark_hex", {}, (33, 101)),
    "blotto(players=2,coins=4,fields=2)": ("colonel_blotto", {"soldiers": "4,4"}, (1, 1)),
    "first_sealed_auction(players=2,max_value=4)": ("auction", {}, (4, 4)),
    "tiny_hanabi": ("tiny hanabi", {}, (2, 6)),
}  # fmt: skip
