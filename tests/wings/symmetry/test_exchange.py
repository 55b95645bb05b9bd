"""Games that are the same with their players exchanged: which are, near misses that are not, and what they are worth."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from verification import verify

import gdl
from gdl import wings
from gdl.commands.cli import commands
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.wings.symmetry.exchange import even_value

AUCTION = """
game "Auction"
players Ann, Bob

state
    purse[Player]: -1..4 = 2
    card[Player]: 1..3 visible to owner
    bid[Player]: 0..4 visible to none
    won[Player]: 0..2
    round: 0..2

start deal

chance deal(a: 1..3, b: 1..3) when a != b weight 1
    card[Ann], card[Bob] := a, b
    next everyone

action offer(n: 0..purse[mover]) unseen
    bid[mover] := n

resolve
    say bid[Ann] to all
    say bid[Bob] to all
    if bid[Ann] > bid[Bob]
        won[Ann] := won[Ann] + 1
        purse[Ann] := purse[Ann] - bid[Ann]
    else if bid[Bob] > bid[Ann]
        won[Bob] := won[Bob] + 1
        purse[Bob] := purse[Bob] - bid[Bob]
    round := round + 1

define worth(p: Player) = 2 * won[p] + card[p]

terminal
    round = 2 and worth(Ann) > worth(Bob) -> win Ann
    round = 2 and worth(Bob) > worth(Ann) -> win Bob
    round = 2 -> draw
"""
BROKEN = {  # what breaks it -> the text, and what it becomes
    "a purse": ("purse[Player]: -1..4 = 2", "purse[p: Player]: 0..4 = if p = Ann then 2 else 1"),
    "a probability": ("weight 1", "weight a"),
    "a visibility": ("card[Player]: 1..3 visible to owner", "card[p: Player]: 1..3 visible to q when q = p or q = Ann"),
    "one who hears": ("say bid[Ann] to all", "say bid[Ann] to Bob\n    say card[Ann] to Bob"),
    "who is told": ("unseen", "seen by p when p = Ann"),
    "a name that tells more": ("unseen", 'as "{n + (if mover = Bob then card[Ann] else 0)}" unseen'),
    "an action more": ("n: 0..purse[mover])", "n: 0..purse[mover] + (if mover = Ann then 1 else 0))"),
    "a tie": ("bid[Ann] > bid[Bob]", "bid[Ann] >= bid[Bob]"),
    "a payoff": ("-> win Bob", "-> (-2, 2)"),
    "who moves first": ("next everyone", "next Ann"),
    "what is done": ("purse[Bob] - bid[Bob]", "purse[Bob] - min(bid[Bob], 1)"),
    "a sum that varies": ("round = 2 -> draw", "round = 2 -> (1, 1)"),
    "forgetting": ("round := round + 1", "round := round + 1\n    forget"),
}


def game_of(text, **settings):
    return RulesGame(gdl.loads(text, "g", settings={name: str(n) for name, n in settings.items()}).model)


def test_it_is_even_and_worth_what_the_linear_program_finds():
    game = game_of(AUCTION)
    assert even_value(game) == 0 == solve(game, "sequence-form").value[0]


@pytest.mark.parametrize("what", BROKEN)
def test_what_breaks_it_is_noticed(what):
    old, new = BROKEN[what]
    assert old in AUCTION
    assert even_value(game_of(AUCTION.replace(old, new))) is None


@pytest.mark.thorough_of("liars_dice-settings8-None")
@pytest.mark.parametrize(
    ("name", "settings", "value"),
    [
        ("goofspiel", {}, 0),
        ("goofspiel", {"n": 13}, 0),
        ("goofspiel", {"n": 6, "prizes": "descending", "bids": "hidden"}, 0),
        ("rock_paper_scissors", {}, 0),
        ("colonel_blotto", {"soldiers": "3,3"}, 0),
        ("colonel_blotto", {"soldiers": "3,3", "fields": 3}, 0),
        ("colonel_blotto", {}, None),
        ("kuhn", {}, None),
        ("liars_dice", {}, None),
        ("repeated_prisoners", {}, None),
        ("kuhn", {"seats": 3, "cards": 4}, None),
    ],
)
def test_shipped_games(name, settings, value):
    assert even_value(game_of(gdl.read(name)[0], **settings)) == value


@pytest.mark.thorough
def test_many_cards_are_answered_at_once_and_the_verifier_proves_it_anew():
    game = game_of(gdl.read("goofspiel")[0], n=13)
    answer = solve(game)
    assert answer.exact and answer.value == (0, 0) and not (answer.strategy or answer.best)
    assert "same with Ann and Bob exchanged" in answer.notes[0]
    claim = {"game": game.name, "exact": True, "value": {"Ann": 0, "Bob": 0}}
    assert verify(game, claim, limit=100).status("value") is True
    for wrong in ({"Ann": 1, "Bob": -1}, {"Ann": 1, "Bob": 1}):
        assert verify(game, claim | {"value": wrong}, limit=100).status("value") is not True


@pytest.mark.thorough
def test_an_answer_of_auto_that_is_proved_so_holds_as_a_whole(tmp_path: Path):
    """No solver is called auto: it was wrong for that."""
    pytest.importorskip("gdl.wings.verify")
    file = tmp_path / "answer.json"
    for words, change, status in ((["goofspiel", "--set", "n=13"], {}, 0), (["nim"], {"solver": "auto"}, 1)):
        answer = json.loads(CliRunner().invoke(commands, ["solve", *words, "--json"]).stdout) | change
        assert answer["solver"] == "auto"
        file.write_text(json.dumps(answer))
        assert CliRunner().invoke(commands, ["verify", *words, str(file)]).exit_code == status


def test_without_the_proof_a_value_that_rests_on_it_is_not_checked(monkeypatch: pytest.MonkeyPatch):
    game = game_of(gdl.read("goofspiel")[0], n=3)
    claim = {"game": game.name, "exact": True, "value": {"Ann": 0, "Bob": 0}}
    assert verify(game, claim).status("value")
    monkeypatch.setattr(wings, "wing", {"verify": wings.wing("verify")}.get)
    found = verify(game, claim)
    assert found.ok is not False and found.status("value") is None
    other = claim | {"value": {"Ann": 1, "Bob": -1}}
    assert verify(game, other).status("value") is False


def test_of_a_start_that_is_not_even_nothing_is_claimed():
    """After a joint move play begins where both have done the same, or where they have not."""
    game = game_of(gdl.read("goofspiel")[0], prizes="ascending")
    start = game.initial()
    for cards, value in ((("play(1)", "play(1)"), 0), (("play(1)", "play(2)"), None)):
        assert even_value(Continuation(game, game.successor(start, cards))) == value


# Ann walks east, Bob west; who stands in the middle alone is ahead.
MIRRORED = """
players Ann, Bob
board Square = grid(3, 1)

state
    on[p: Player]: Square = (if p = Ann then a1 else c1) visible to owner
    rounds: 0..2

start everyone

action stay
    on[mover] := on[mover]

action walk as "{if mover = Ann then east else west}"
    let there = step(on[mover], if mover = Ann then east else west)
    require there != none
    on[mover] := there

resolve
    rounds := rounds + 1

terminal
    rounds = 2 and on[Ann] = b1 and on[Bob] != b1 -> win Ann
    rounds = 2 and on[Bob] = b1 and on[Ann] != b1 -> win Bob
    rounds = 2 and on[Ann] = c1 and on[Bob] = c1 -> win Bob
    rounds = 2 and on[Ann] = a1 and on[Bob] = a1 -> win Ann
    rounds = 2 -> draw
"""
# Red is Ann's colour and blue is Bob's; a coin shows red to her and blue to him.
COLOURED = """
players Ann, Bob
type Colour = red, green, blue

state
    coin: Colour? visible to p when coin = (if p = Ann then red else blue)
    held[Player]: Colour?

start toss

chance toss(c: Colour)
    coin := c
    next everyone

action hold(c: Colour) as "{mover} {c}"
    held[mover] := c

terminal
    held[Ann] = red and held[Bob] != blue and coin != blue -> win Ann
    held[Bob] = blue and held[Ann] != red and coin != red -> win Bob
    held[Ann] != none -> draw
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (MIRRORED, "then east else west)\n", "then east else east)\n"),
        (MIRRORED, "on[Bob] = c1 -> win Bob", "on[Bob] = c1 -> draw"),
        (COLOURED, "then red else blue", "then red else red"),
        (COLOURED, "coin != red", "coin != green"),
    ],
)
def test_with_the_players_the_board_the_colours_and_the_names_change(text, old, new):
    assert even_value(game_of(text)) == 0 == solve(game_of(text), "sequence-form").value[0]
    assert old in text and even_value(game_of(text.replace(old, new))) is None
