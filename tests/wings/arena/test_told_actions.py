"""Words that the terminal prints of an action mean that action when they are typed, or stand behind --after."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from playable import FILES

import gdl
from gdl.checker import variants
from gdl.errors import GameError, clean
from gdl.game import Action, Decision, Game, Terminal
from gdl.interpreter.position import begin_after
from gdl.playing.loading import FOR_PLAY
from gdl.states.explore import move_text, moves
from gdl.states.sequential import Sequential
from gdl.wings.arena.match import Replies, Sight, _wrap_text

POSITIONS, ACTIONS = 24, 6  # that are looked at, of a game and at each position
PLIES = (1, 2, 3, 5, 8, 13, 21, 34)


def game_for_play(file: Path) -> Game[Any]:
    """The game of a file as people play it."""
    text = file.read_text(encoding="utf-8")
    variant = FOR_PLAY if FOR_PLAY in variants(gdl.described(text, str(file))) else None
    return gdl.loads(text, str(file), variant=variant).game


def means_action(replies: Replies, words: str, action: Action) -> bool:
    """True if a reply chooses the action, or is answered with it among others."""
    try:
        return replies.resolve_reply(words) == action
    except ValueError as several:
        return "could be" in str(several) and action in replies._by_sentence(words)


@pytest.mark.thorough_of("pentago", "chinese_checkers", "xiangqi", "battleships")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("exam/")])
def test_what_is_printed_of_an_action_can_be_typed(name: str) -> None:
    whole = game_for_play(FILES[name])
    game, sight, random = Sequential(whole), Sight(whole), Random(name)
    looked = 0
    for play in range(3 * POSITIONS):
        state, sentences, names, played = game.initial(), list[str](), list[str](), list[Action]()
        for _ in range(random.choice(PLIES)):
            node = game.node(state)
            if isinstance(node, Terminal):
                break
            who = game.players[node.player] if isinstance(node, Decision) else "Chance"
            if isinstance(node, Decision) and looked < POSITIONS:
                looked += 1
                replies = sight.replies(state, node.player, node.actions, ())
                for action in random.sample(node.actions, min(ACTIONS, len(node.actions))):
                    told = sight.sentence(who, action)
                    shown = (
                        replies.name_of(action),
                        f"{who}: {replies.name_of(action)}",
                        told,
                        told.removeprefix(who).lstrip(": "),
                    )
                    for words in map(clean, shown):
                        assert means_action(replies, words, action), (words, action)
            action = random.choice([move_text(move) for move in moves(node)])
            try:
                state = game.successor(state, action)
            except GameError:  # files of tests may break their own bounds
                break
            sentences.append(sight.sentence(who, action))
            names.append(sight.spoken_text(action))
            played.append(action)
        if play < 2:
            for line in map(", ".join, (sentences, names)):
                assert list(begin_after(whole, _wrap_text(line)).played) == played
        if looked == POSITIONS and play >= 2:
            return


def test_a_sentence_is_typed_with_or_without_the_player() -> None:
    """A fault: the terminal told "Bob bid 1 × 6", and took no such words."""
    later = begin_after(gdl.loads(*gdl.read("liars_dice"), variant="play").game, "roll 1 2, roll 3 4, Ann bid 2 × 3")
    node = later.node(later.initial())
    assert later.played[2:] == ("bid(2, 3)",) and isinstance(node, Decision)
    replies = Sight(later).replies(later.initial(), 1, node.actions, ())
    for words in ("bid 4 × 6", "Bob bid 4 × 6", "bob  BID 4 × 6", "Bob: bid(4, 6)"):
        assert replies.resolve_reply(words) == "bid(4, 6)"
    assert replies.resolve_reply("said that this is a lie") == "liar"
