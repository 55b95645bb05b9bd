"""Information sets named as a person would."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner
from shipped import loaded

import gdl
from gdl.commands.cli import commands
from gdl.game import Decision
from gdl.states.set_names import set_names

HIDDEN = [
    "bandit", "battleships", "blind_tic_tac_toe", "bridge_ending", "cheat", "dark_hex", "goofspiel", "kriegspiel",
    "kuhn", "leduc", "liars_dice", "monty_hall", "one_card_poker", "stratego",
]  # fmt: skip


def test_kuhn_poker() -> None:
    names = set_names(gdl.load("kuhn"))
    assert list(names["P1"].values()) == [
        *(f"holding {card}" for card in (1, 2, 3)),
        *(f"holding {card}, after check, bet" for card in (1, 2, 3)),
    ]
    assert names["P2"]["card[P2]=2, chips[P1]=2 bettor=P1"] == "holding 2, after bet"


@pytest.mark.thorough_of("bridge_ending")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HIDDEN)
def test_names_are_shorter_and_nobody_elses(name: str) -> None:
    for names in set_names(loaded(name).game).values():
        assert len(set(names.values())) == len(names)
        assert not set(names.values()) & (names.keys() - {old for old, new in names.items() if old == new})
        assert sum(map(len, names.values())) <= sum(map(len, names)) + 12 * len(names)


def test_what_a_player_cannot_know_is_not_told() -> None:
    """Of what the opponent lays face down only that it is laid."""
    assert "hand[1] 1, hand[2] 1, after lay(?)" in set_names(gdl.load("cheat"))["Bob"].values()


def test_joint_moves_are_told_when_all_are_made() -> None:
    names = set_names(gdl.load("goofspiel"))
    assert "after reveal(1), play(1), play(3), reveal(2)" in names["Ann"].values()
    assert "after reveal(1), play(1), play(3), reveal(2)" in names["Bob"].values()


@pytest.mark.thorough_of("battleships")
@pytest.mark.parametrize(
    ("name", "play", "called"),
    [
        ("liars_dice", ["roll 2", "roll 5", "bid(2, 3)", "bid(2, 5)"], "shows[2] 1, after bid(2, 3), bid(2, 5)"),
        ("battleships", ["hide a1-east", "hide a1-east", "a2", "b2", "b2", "a2"],
         "after hide a1-east, hide(?), a2, b2, b2, a2"),
    ],
    ids=["liars_dice", "battleships"],
)  # fmt: skip
def test_sets_beyond_the_first_positions_are_named_as_well(name: str, play: list[str], called: str) -> None:
    """A walk over the first positions does not come to the set, but along what its player remembers it does."""
    game = loaded(name).game
    state = game.initial()
    for action in play:
        state = game.successor(state, action)
    node = game.node(state)
    assert isinstance(node, Decision)
    player, in_files = game.players[node.player], game.describe(state, node.player)
    assert in_files not in set_names(game)[player]
    assert set_names(game, {player: [in_files]})[player][in_files] == called


@pytest.mark.parametrize("name", ["seltens_horse", "nim", "prisoners", "beer_quiche"])
def test_trees_matrices_and_open_games_keep_their_names(name: str) -> None:
    assert all(old == new for names in set_names(loaded(name).game).values() for old, new in names.items())


def test_the_judge_reads_the_names_of_json(tmp_path: Path) -> None:
    run = CliRunner().invoke
    saved = json.loads(run(commands, ["solve", "kuhn", "--json"]).output)["strategy"]
    names = set_names(gdl.load("kuhn"))
    people = {player: {names[player][name]: mix for name, mix in sets.items()} for player, sets in saved.items()}
    assert people["P1"].keys() != saved["P1"].keys()
    file = tmp_path / "profile.json"
    for profile, told in ((saved, "This is an equilibrium"), (people, "no information set of P1 called holding 1")):
        file.write_text(json.dumps(profile))
        assert told in run(commands, ["judge", "kuhn", "--profile", str(file)]).output


BID = """
game "Bid"
players Ann, Bob
type Taste = reader, dandy
state
    taste[Player]: Taste visible to owner
    worth[Player]: 0..1 visible to owner
    bid: 0..1?
start draw
chance draw(a: Taste, b: Taste, n: 0..1)
    taste[Ann] := a
    taste[Bob] := b
    worth[Ann] := n
    next Ann
action offer(n: 0..1) public
    bid := n
terminal
    bid != none -> (bid, worth[Ann])
"""


def test_what_was_drawn_is_told_also_where_it_was_so_before() -> None:
    """The first of the tastes, and a worth of nothing, are what the state begins with."""
    told = set_names(gdl.loads(BID).game)["Ann"]
    assert set(told.values()) == {"worth 0, taste reader", "taste dandy", "worth 1", "taste dandy, worth 1"}


AGAIN = """
players A, B
type Act = x, y
state
    did[Player]: Act?
    won: 0..1?
start everyone
action act(a: Act) as "{a}"
    did[mover] := a
resolve
    if did[A] = x and did[B] = x
        won := 1
    else if did[A] != did[B]
        won := 0
    did[A] := none
    did[B] := none
terminal
    won = 1 -> win A
    won = 0 -> draw
    forever -> draw
"""


@pytest.mark.thorough
def test_long_memories_of_few_positions_are_soon_told():
    """Play comes back to three positions, each time remembering more: a walk of 10,000 steps would remember 30 million
    of them."""
    game = gdl.loads(AGAIN).game
    started = process_time()
    assert set_names(game, {"A": ["start"]})["A"] == {"start": "start"}
    assert process_time() - started < 4
