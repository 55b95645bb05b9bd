"""The meaning of short replies that a person types."""

from __future__ import annotations

import re

import pytest
from shipped import loaded

import gdl
from gdl.game import Decision
from gdl.interpreter.position import begin_after
from gdl.wings.arena.match import Replies, Sight, most_common


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("1", "drop"),
        ("2", "raise 5"),
        ("d", "drop"),
        ("RAISE 5", "raise 5"),
        ("raise 1", "raise 10"),
        ("fold", "fold"),
        ("10", "raise 10"),
    ],
)
def test_actions_are_named_in_many_ways(reply: str, action: str) -> None:
    assert Replies(["drop", "raise 5", "raise 10", "fold"]).resolve_reply(reply) == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [("a1", "take(a1)"), ("TAKE A1", "take(a1)"), ("2, 3", "heap(2, 3)"), ("2 3", "heap(2, 3)"), ("e2-e4", "e2e4")],
)
def test_actions_are_named_by_their_words_or_those_in_brackets(reply: str, action: str) -> None:
    assert Replies(["take(a1)", "take(a2)", "heap(2, 3)", "heap(2, 1)", "e2e4", "e2e3"]).resolve_reply(reply) == action


def test_what_was_legal_is_known_by_its_words() -> None:
    with pytest.raises(ValueError, match=re.escape("take(a1) is not legal here. Legal: take(a2).")):
        Replies(["take(a2)"], before={"take(a1)", "take(a2)"}).resolve_reply("a1")


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("raise", "'raise' could be raise 5 or raise 10."),
        ("check", "check is not legal here. Legal: drop, raise 5, raise 10 and fold."),
        ("dorp", "'dorp' is not an action here. Did you mean drop?"),
        ("9", "'9' is not an action here. See moves, or help."),
        ("", "'' is not an action here. See moves, or help."),
        ("²", "'²' is not an action here. See moves, or help."),
        ("(", "'(' is not an action here. See moves, or help."),
    ],
)
def test_what_is_no_action_is_answered(reply: str, says: str) -> None:
    with pytest.raises(ValueError) as answer:
        Replies(["drop", "raise 5", "raise 10", "fold"], before={"check"}).resolve_reply(reply)
    assert str(answer.value) == says


TAKEN = "e2e4 d7d5 g1f3 g8f6 b1c3 d5e4"
PROMOTING = "e2e4 d7d5 e4d5 c7c6 d5c6 e7e5 c6b7 e5e4"
CASTLING = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
ROWS = [  # game, what was played, what is written, what is meant
    ("chess", "", "e4", "e2e4"), ("chess", "", "Nf3", "g1f3"), ("chess", "", "nf3", "g1f3"), ("chess", "", "E4", "e2e4"),
    ("chess", "", "c3", "c2c3"), ("chess", "e2e4", "e5", "e7e5"), ("chess", "e2e4", "Nc6", "b8c6"),
    ("chess", TAKEN, "Nxe4", "c3e4"), ("chess", TAKEN, "Nfd4", "f3d4"), ("chess", TAKEN, "Bb5+", "f1b5"),
    ("chess", PROMOTING, "bxa8=Q+", "b7a8q"), ("chess", PROMOTING, "bxc8=N", "b7c8n"), ("chess", PROMOTING, "b7a8r", "b7a8r"),
    ("chess", CASTLING, "castle", "e1g1"), ("chess", CASTLING, "Kg1", "e1g1"), ("chess", CASTLING, "Nxe5", "f3e5"),
    ("connect_four", "", "4", "drop(4)"), ("connect_four", "", "d", "drop(4)"), ("connect_four", "", "D", "drop(4)"),
    ("connect_four", "drop(1) drop(1) drop(1) drop(1) drop(1) drop(1)", "2", "drop(2)"),
    ("kalah", "", "3", "sow(3)"), ("draughts", "", "32-28", "32-28"), ("draughts", "", "5", "33-29"),
    ("tic_tac_toe", "", "c2", "take(c2)"), ("tic_tac_toe", "", "5", "take(b2)"), ("go", "", "c2", "c2"), ("othello", "", "c4", "c4"),
    ("hex", "", "c2", "c2"), ("quarto", "", "3", "give(3)"), ("nim", "", "4 7", "take(4, 7)"), ("minichess", "", "Nc3", "b1c3"),
    ("tablut", "", "Mc1", "d1c1"), ("nine_mens_morris", "", "c5", "c5"), ("pong_hau_ki", "", "nw", "nw-middle"),
    ("wythoff", "", "2-2", "2-2"), ("liars_dice", "roll 1,roll 2", "1 3", "bid(1, 3)"), ("kriegspiel", "b3", "rook-a2", "rook-a2"),
]  # fmt: skip


def replies(name: str, played: str) -> Replies:
    game = loaded(name).game
    later = begin_after(game, played) if played else game
    node = later.node(later.initial())
    assert isinstance(node, Decision)
    return Sight(later).replies(later.initial(), node.player, node.actions, ())


@pytest.mark.parametrize(("name", "played", "reply", "action"), ROWS)
def test_players_write_as_they_are_used_to(name: str, played: str, reply: str, action: str) -> None:
    assert replies(name, played).resolve_reply(reply) == action


@pytest.mark.parametrize(
    ("name", "played", "reply", "could"),
    [
        ("chess", "", "N", "b1a3, b1c3, g1f3 or g1h3"),
        ("chess", "g1f3 a7a6 e2e4 a6a5 d2d4 a5a4 c1e3 a4a3", "Nd2", "b1d2 or f3d2"),
        ("chess", PROMOTING, "ba8", "b7a8n, b7a8b, b7a8r or b7a8q"),
        ("draughts", "", "28", "32-28 or 33-28"),
        ("tic_tac_toe_3d", "", "b2", "b2_1, b2_2 or b2_3"),
    ],
)
def test_what_may_mean_several_is_answered_with_them(name: str, played: str, reply: str, could: str) -> None:
    with pytest.raises(ValueError) as answer:
        replies(name, played).resolve_reply(reply)
    told = str(answer.value)
    assert sorted(re.findall(r"[\w-]+", told.partition("could be ")[2])) == sorted(re.findall(r"[\w-]+", could))


def test_where_actions_are_numbers_the_list_has_none() -> None:
    assert not replies("connect_four", "").are_numbered
    assert replies("chess", "").are_numbered


def test_the_sign_of_most_squares() -> None:
    assert most_common({"a1": "R", "a2": "P", "b2": "P", "a7": "p"}) == "p"
    assert most_common({"a1": "R", "a2": "P"}) == ""
    assert most_common({}) == ""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", gdl.shipped())
def test_every_action_means_itself(name: str) -> None:
    """Also the words in its brackets, unless they are those of several."""
    game = loaded(name).game
    state = game.initial()
    for _ in range(12):
        node = game.node(state)
        if isinstance(node, Decision):
            written = Sight(game).replies(state, node.player, node.actions, ())
            for action in node.actions[:40]:
                assert written.resolve_reply(action) == action
            state = game.successor(state, node.actions[-1])
        elif hasattr(node, "outcomes"):
            state = game.successor(state, node.outcomes[0][0])
        else:
            break
