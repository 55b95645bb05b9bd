"""Many plays stepped together are the plays that single environments make."""

from __future__ import annotations

import importlib.util
import pickle
import random
import re
import sys
from typing import Any

import pytest
from playable import SMALL, games
from shipped import texts

import gdl
from gdl.errors import GameError, Refusal
from gdl.states.random_numbers import stream
from gdl.wings.programs import own_pasts
from gdl.wings.programs.batch import Environments

PLAYS = 3
RULES = [name for name, text in texts().items() if not re.search(r"^(tree|matrix)\b", text, re.MULTILINE)]
UNNUMBERED = "actions are numbered"  # which is said of games that do not take part


def plays_like_single_ones(name: str, steps: int, engine: str) -> None:
    game = games(name)[0]
    try:
        plays = Environments(game, PLAYS, seed=4, engine=engine)
    except Refusal as refused:
        assert UNNUMBERED in str(refused), refused
        return
    single = [gdl.environment(game, seed=stream(4, k)) for k in range(PLAYS)]
    for k, env in enumerate(single):
        env.reset(seed=stream(4, k))
        while env.over:  # before anybody chooses
            env.reset()
    picks, numpy = random.Random(4), importlib.util.find_spec("numpy")
    for turn in range(steps):
        for seers in ([turn % len(plays.players)] * PLAYS, plays.player.tolist()) if numpy else ():
            seen = plays.observations(seers)
            assert all(bytes(seen[k]) == bytes(env.observation(seers[k])) for k, env in enumerate(single))
        for k, env in enumerate(single):
            count = int(plays.count[k])
            assert (int(plays.player[k]), tuple(int(n) for n in plays.legal[k])[:count]) == (env.player, env.legal)
            assert plays.state(k) == env.state
            assert bytes(plays.observation(k, 0)) == bytes(env.observation(0))
            if plays.actions < 3000:
                assert [int(one) for one in plays.mask[k]] == list(env.mask)
        numbers = [picks.choice(env.legal) for env in single]
        plays.step(numbers)
        for k, env in enumerate(single):
            env.step(numbers[k])
            assert [float(one) for one in plays.rewards[k]] == [float(one) for one in env.rewards]
            assert bool(plays.over[k]) == env.over
            while env.over:
                env.reset()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", [name for name in RULES if name in SMALL])
def test_small_games(name: str):
    plays_like_single_ones(name, 15, "auto")


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_all_games(name: str):
    plays_like_single_ones(name, 60, "auto")
    plays_like_single_ones(name, 5, "python")


@pytest.mark.skipif(not importlib.util.find_spec("numpy"), reason="numpy is missing")
def test_plays_that_ended_pick_their_rows():
    plays = gdl.load("tic_tac_toe").environments(4, seed=1)
    for number in range(7):
        plays.step([(number, 8 - number, number, 8 - number)[k] for k in range(4)])
    assert plays.over.tolist() == [True] * 4 and plays.rewards[plays.over].shape == (4, 2)
    plays.step([0] * 4)
    assert plays.rewards[plays.over].shape == (0, 2)


def test_what_is_not_legal_is_told_and_nothing_is_done():
    plays = gdl.load("connect_four").environments(4)
    before = plays.state(2)
    with pytest.raises(GameError, match="9 is no legal action in play 2"):
        plays.step([0, 0, 9, 0])
    assert plays.state(0) == plays.state(2) == before
    with pytest.raises(GameError, match="there are 2 numbers of actions"):
        plays.step([0, 0])


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_what_was_legal_elsewhere_or_before_is_told_apart(engine: str):
    plays = gdl.load("connect_four").environments(2, engine=engine)
    for column in (0, 0, 0, 0, 0, 0):
        plays.step([column, 3])
    assert [int(n) for n in plays.legal[0]][: int(plays.count[0])] == [1, 2, 3, 4, 5, 6]  # in the other play, not 3
    with pytest.raises(GameError, match="0 is no legal action in play 0"):
        plays.step([0, 0])
    with pytest.raises(GameError, match="3 is no legal action in play 1"):
        plays.step([6, 3])
    plays.step([6, 6])
    assert [int(n) for n in plays.count] == [6, 6]


def test_without_numpy_rows_are_views(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    plays = gdl.load("connect_four").environments(4)
    legal = plays.legal
    assert isinstance(legal[3], memoryview) and legal.shape == (4, 7) and legal[3, 6] == legal[-1][6] == 6
    plays.step([numbers[3] for numbers in legal])
    assert plays.player.tolist() == [1] * 4 and plays.rewards[0, 0] == 0.0 and plays.mask[1, 3] == 1
    assert [row.tolist() for row in legal[1:3]] == legal.tolist()[1:3] == [[*range(7)]] * 2
    assert legal[:, 2] == [2] * 4 and [row.tolist() for row in legal[1:3, 5:]] == [[5, 6]] * 2
    for _ in range(5):
        plays.step([3] * 4)
    assert legal[2, : plays.count[2]].tolist() == [0, 1, 2, 4, 5, 6]  # no copy: it changes with each step
    with pytest.raises(IndexError):
        legal[4]


def test_what_is_no_play_player_or_number_is_told():
    plays = gdl.load("connect_four").environments(2)
    assert repr(plays) == "<Connect four: 2 plays>"
    for wrong, told in (
        (lambda: plays.observation(2, 0), "there is no play 2"),
        (lambda: plays.state(-1), "there is no play -1"),
        (lambda: plays.observation(0, 2), "no player has the index 2"),
        (lambda: plays.step([0, 0.5]), "0.5 is no number of an action"),
        (lambda: plays.step([0, 1 << 63]), "is no number of an action"),
    ):
        with pytest.raises(GameError, match=told):
            wrong()


@pytest.mark.thorough
def test_what_does_not_take_part_is_refused():
    with pytest.raises(Refusal, match="no room for the earlier positions of 100,000 plays"):
        gdl.load("awari").environments(100_000, engine="python")
    with pytest.raises(Refusal, match="is no game by rules"):
        Environments(games("prisoners")[0], 2)
    with pytest.raises(Refusal, match="more legal actions than there is room for"):
        gdl.load("breakthrough").environments(2, most=5)
    with pytest.raises(Refusal, match="a play at least"):
        gdl.load("nim").environments(0)
    with pytest.raises(GameError, match="'a' is no number of plays"):
        gdl.load("nim").environments("a")  # type: ignore[arg-type]


@pytest.mark.thorough
def test_arrays_and_lists_of_numbers_are_taken_alike():
    numpy = pytest.importorskip("numpy")
    for numbers in ([3, 3], (3, 3), numpy.array([3, 3]), numpy.array([3, 0, 3])[::2], numpy.array([3, 3], "int8")):
        plays = gdl.load("connect_four").environments(2)
        plays.step(numbers)
        assert plays.state(0) == plays.state(1) and plays.player.tolist() == [1, 1]


def test_a_mask_that_somebody_looks_at_changes_with_each_step():
    numpy = pytest.importorskip("numpy")
    plays = gdl.load("tic_tac_toe").environments(3, seed=1)
    plays.step(plays.legal[:, 0])
    mask, picks = plays.mask, numpy.random.default_rng(1)
    for _ in range(40):
        for play in range(3):
            assert set(numpy.flatnonzero(mask[play])) == set(plays.legal[play, : plays.count[play]])
        plays.step([picks.choice(plays.legal[play, : plays.count[play]]) for play in range(3)])
    plays.reset(2)
    assert mask.tolist() == [[1] * plays.actions] * 3


@pytest.mark.thorough_of("backgammon")
@pytest.mark.parametrize("name", ["amazons", "backgammon"])
def test_rows_that_are_too_many_to_keep_and_rows_with_choices(name: str):
    plays_like_single_ones(name, 3, "auto")


def test_observations_are_memory_of_the_engine():
    """They took ten times as long as steps."""
    numpy = pytest.importorskip("numpy")
    plays = gdl.load("tic_tac_toe").environments(2, seed=1)
    seen = plays.observations(plays.player)
    assert numpy.shares_memory(seen, plays.observations(0)) and seen.dtype == numpy.float32 and seen.flags.c_contiguous
    before = seen.copy()
    plays.step([0, 4])
    assert (plays.observations(plays.player) is seen) and (seen != before).any()
    for wrong, told in (([0, 2], "no player has the index 2"), ([0, 1, 0], "give an index for each play")):
        with pytest.raises(GameError, match=told):
            plays.observations(wrong)


def test_the_highest_bit_of_a_word_is_shown_by_every_engine():
    """Python's engine ended with an IndexError, as a number below 0 has no lowest bit to lose there."""
    numpy, game = pytest.importorskip("numpy"), games("chess")[0]
    seen = game.environments(1, engine="python").observations([0])
    assert (seen[0] == numpy.asarray(gdl.environment(game, engine="interpreter").observation(0))).all()


KNIGHTS = ("g1f3", "g8f6", "f3g1", "f6g8")
AGAIN = """
players A, B
state
    at: 1..3 = 1
    marks: 0..9 = 0
action left when at > 1
    at := at - 1
action right when at < 3
    at := at + 1
action mark when since(at, marks) != none and marks < 9
    marks := marks + 1
terminal
    times(at, marks, mover) = 3 -> win A
    always(at = 2 or marks > 0, at) and since(marks) = 4 -> win B
    marks = 9 -> draw
"""


def back_and_forth(game: Any, steps: int, engine: str) -> int:
    """Hold plays that come back to earlier positions to single ones. Returns how many have ended."""
    plays = Environments(game, PLAYS, seed=2, engine=engine)
    single = [gdl.environment(game, engine="auto" if engine == "python" else "interpreter") for _ in range(PLAYS)]
    picks, ended = random.Random(2), 0
    for turn in range(steps):
        for k, env in enumerate(single):
            assert (plays.player[k], tuple(plays.legal[k][: plays.count[k]].tolist())) == (env.player, env.legal)
            assert turn % 8 or plays.position(k) == env.position
        if turn == steps // 2:
            plays = pickle.loads(pickle.dumps(plays))
        numbers = [env.legal[picks.randrange(min(picks.choice((2, 9)), len(env.legal)))] for env in single]
        plays.step(numbers)
        for env, number, over in zip(single, numbers, plays.over.tolist(), strict=True):
            env.step(number)
            assert bool(over) == env.over
            ended += env.over
            if env.over:
                env.reset()
    return ended


@pytest.mark.thorough_of("wasm")
@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_each_play_has_its_own_earlier_positions(engine: str):
    assert back_and_forth(gdl.loads(AGAIN).game, 60, engine)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["atomic", "awari", "chess", "crazyhouse", "go", "shogi", "xiangqi"])
def test_earlier_positions_of_shipped_games(name: str):
    game = gdl.load(name, variant="superko" if name == "go" else None)
    for wanted in ("wasm", "python"):
        back_and_forth(game, 400 if wanted == "wasm" else 12, wanted)


@pytest.mark.thorough
def test_repetition_after_some_moves_and_too_many_plies(monkeypatch: pytest.MonkeyPatch):
    game = gdl.load("chess", after=" ".join(KNIGHTS))
    plays, single = game.environments(2), game.environment()
    for name in KNIGHTS:
        number = single.numbers[name]
        single.step(number)
        plays.step([number, plays.legal[1, 0]])
    assert single.over and plays.over.tolist() == [1, 0]  # the start came for the third time, in one play alone
    monkeypatch.setattr(own_pasts, "MEMORY", 1)
    monkeypatch.setattr(own_pasts, "FEWEST_PLIES", 0)
    with pytest.raises(Refusal, match="a play that remembers its positions takes more than 1 plies"):
        plays = gdl.load("awari").environments(2)
        for _ in range(3):
            plays.step([row[0] for row in plays.legal])


def test_numbers_without_an_end_are_not_all_listed() -> None:
    """Tables of all that a word may hold were made for each of 2,000,000,001 numbers."""
    pytest.importorskip("numpy")
    text = "players A\nstate\n    n: 0..2000000000\naction add(k: 1..2)\n    n := n + k\nterminal\n    n > 2 -> n\n"
    plays = gdl.loads(text, "long.game").game.environments(2)
    assert len(plays.observations([0, 0])) == 2
