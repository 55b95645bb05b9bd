"""Everything in this project that can be played, by name: for tests of what must hold for every game.

Games are made when they are asked for, once. A name is that of a shipped game, `exam/…` or `language/…` for a file of
that folder of the tests, `by hand/…` for a game written in Python, which shares nothing with the language.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import games_by_hand
import handmade
import shipped
import small_games
from places import LANGUAGE, PROBLEMS

import gdl
from gdl import checker
from gdl.game import Game

FILES = {
    **gdl.shipped(),
    **{f"{path.parent.name}/{path.stem}": path for path in sorted(LANGUAGE.glob("*.game"))},
    **{f"exam/{path.stem}": path for path in sorted(PROBLEMS.glob("*.game"))},
}
BY_HAND: dict[str, Callable[[], Game[Any]]] = {
    "by hand/figure 5.2": handmade.figure_5_2,
    "by hand/prisoners": handmade.prisoners,
    "by hand/kuhn": handmade.Kuhn,
    "by hand/goofspiel": lambda: handmade.Goofspiel(3),
    "by hand/circle": handmade.Circle,
    "by hand/tic-tac-toe": handmade.TicTacToe,
    "by hand/countdown": lambda: small_games.Countdown(7),
    "by hand/estimated countdown": lambda: small_games.EstimatedCountdown(7),
    "by hand/stalling countdown": lambda: small_games.Countdown(4, least=0),
    "by hand/pig": lambda: small_games.Pig(6),
    "by hand/piglet": lambda: small_games.Pig(3, piglet=True, hold_at_once=True),
    "by hand/ruin": lambda: small_games.Ruin(2, 5, Fraction(2, 5), bold=True),
    "by hand/pong hau k'i": small_games.PongHauKi,
    "by hand/mu torere": small_games.MuTorere,
    "by hand/dodgem": small_games.Dodgem,
    "by hand/repeated": lambda: games_by_hand.Repeated(games_by_hand.prisoners(), 2),
    "by hand/leduc": lambda: games_by_hand.Leduc(2),
    "by hand/cards": lambda: games_by_hand.dealt(random.Random(5)),
    "by hand/inspection": lambda: games_by_hand.inspection(2, 1),
    "by hand/longer inspection": lambda: games_by_hand.inspection(3, 2),
    "by hand/forgetting": games_by_hand.imperfect_recall,
}
LONG = ["by hand/longer inspection"]
NAMES = [name for name in (*FILES, *BY_HAND) if name not in LONG]
SMALL = """
    bandit battle_of_the_sexes beer_quiche bridge_ending centipede chance_leaves chance_leaves_scaled cheat chicken
    chomp coin_flip colonel_blotto dark_hex dice_roll domineering entry figure_5_2 goofspiel kayles kuhn leduc
    matching_pennies monty_hall nim one_card_poker pong_hau_ki prisoners repeated_prisoners rock_paper_scissors
    seltens_horse stag_hunt stratego subtraction three_players toads_and_frogs two_roads ultimatum wythoff
""".split()  # shipped games of a few thousand states at most
LARGE = [name for name in gdl.shipped() if name not in SMALL]


@cache
def games(name: str) -> tuple[Game[Any], ...]:
    """The game of this name and its variants, made once for all tests of a process."""
    if name not in gdl.shipped():
        return read(name)
    loaded = shipped.loaded(name)
    return loaded.game, *(shipped.loaded(name, variant).game for variant in checker.variants(loaded.description))


def games_not_for_play(name: str) -> tuple[Game[Any], ...]:
    """The game of this name and its variants but that for play, which need not be small."""
    if name not in gdl.shipped():
        return games(name)
    variants = checker.variants(shipped.loaded(name).description)
    return tuple(game for game, variant in zip(games(name), ("", *variants), strict=True) if variant != "play")


def read(name: str) -> tuple[Game[Any], ...]:
    """The game of this name and its variants, made anew."""
    if name in BY_HAND:
        return (BY_HAND[name](),)
    text, shown = gdl.read(FILES[name])
    loaded = gdl.loads(text, shown)
    others = checker.variants(loaded.description)
    return loaded.game, *(gdl.loads(text, shown, variant=variant).game for variant in others)
