"""An environment plays the game that it is of: at every step what it says is what the rules say."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from playable import SMALL, games
from sampling import one_in

import gdl
from gdl.compiler import wasm
from gdl.compiler.interrupts import Stop
from gdl.compiler.short_calls import WARM_UP
from gdl.errors import GameError, Refusal
from gdl.game import Chance, Decision, Simultaneous, Terminal
from gdl.states.explore import choosers
from gdl.wings.programs.stepping_driver import ENTRIES

NIM = "players Ann, Bob\nstate\n    left: 0..9 = 5\naction take(n: 1..3) when n <= left\n    left := left - n\nterminal\n    left = 0 -> lose mover\n"


def after_chance(game: Any, state: Any) -> Iterator[Any]:
    """All states to which chance may lead from this one."""
    waiting = [state]
    while waiting:
        state = waiting.pop()
        node = game.node(state)
        if isinstance(node, Chance):
            waiting += [game.successor(state, name) for name, _ in node.outcomes]
        elif isinstance(node, Simultaneous) and not choosers(node):
            waiting.append(game.successor(state, ("",) * len(game.players)))
        else:
            yield state


def said(game: Any, state: Any, chosen: tuple[str, ...]) -> Any:
    """The observation that an environment must give of a state."""
    node = game.node(state)
    if isinstance(node, Terminal):
        return game.show(state), None, [], node.utilities
    if isinstance(node, Decision):
        return game.show(state), node.player, list(node.actions), None
    player = choosers(node)[len(chosen)]
    return game.show(state), player, list(node.actions[player]), None


def told(env: Any) -> Any:
    return env.state, env.player, list(env.names.values()), env.utilities if env.over else None


def follows_the_rules(game: Any, env: Any, seed: int, plies: int, most: int) -> None:
    """A random play, held against `node` and `successor` at every step: what chance has done is looked for among so
    many of its outcomes."""
    chosen: tuple[str, ...] = ()
    picks = random.Random(seed)
    env.reset(seed=seed)
    candidates = [state for state, _ in zip(after_chance(game, game.initial()), range(most), strict=False)]
    for _ in range(plies):
        shown, now = env.state, told(env)
        alike = [state for state in candidates if game.show(state) == shown]
        here = [state for state in alike if said(game, state, chosen) == now]
        assert here or len(candidates) == most, env.state
        assert list(env.names) == list(env.legal) and len(set(env.legal)) == len(env.legal)
        assert all(0 <= number < env.actions for number in env.legal)
        assert env.over == (env.player is None) == (not env.legal)
        if env.over or not here:
            return
        number = picks.choice(env.legal)
        name = env.names[number]
        state = here[0]
        node = game.node(state)
        env.step(number)
        if isinstance(node, Simultaneous) and len(chosen) + 1 < len(choosers(node)):
            chosen, candidates = (*chosen, name), here
            continue
        moves = []
        for one in here:
            there = game.node(one)
            if isinstance(there, Simultaneous):
                names = iter((*chosen, name))
                moves.append((one, tuple(next(names) if own else "" for own in there.actions)))
            else:
                moves.append((one, name))
        chosen = ()
        after = (state for one, move in moves for state in after_chance(game, game.successor(one, move)))
        candidates = [state for state, _ in zip(after, range(most), strict=False)]


def has_open_numbers(game: Any) -> bool:
    return bool(game.traits.unknowns)


@pytest.mark.thorough_of("xiangqi")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", one_in(4, gdl.shipped()))
def test_a_random_play_follows_the_rules(name: str):
    for game in games(name)[: None if name in SMALL else 1]:
        if not has_open_numbers(game):
            follows_the_rules(game, game.environment(), 1, 30 if name in SMALL else 2, 50)


LARGE = ["amazons", "atomic", "backgammon", "chess", "crazyhouse", "shogi", "xiangqi"]  # nodes take long


@pytest.mark.slow
@pytest.mark.parametrize("name", list(gdl.shipped()))
def test_many_random_plays_follow_the_rules(name: str):
    for game in games(name):
        if not has_open_numbers(game):
            env = game.environment()
            for seed in (2, 3):
                follows_the_rules(game, env, seed, 10 if name in LARGE else 60, 200)


def test_a_first_play_is_fast_before_it_ends(monkeypatch: pytest.MonkeyPatch):
    """Ctrl-C can stop the first calls of a module; those after them are fast, in a play that goes on as well, and in
    further environments at once."""
    fast, slow = [], []
    make, enter = wasm._make_unchecked_call, Stop.__enter__
    monkeypatch.setattr(wasm, "_make_unchecked_call", lambda *store: fast.append(store) or make(*store))
    monkeypatch.setattr(Stop, "__enter__", lambda stop: slow.append(stop) or enter(stop))
    game = gdl.load("go")
    env = game.environment()
    while len(env.played) < 2 * WARM_UP:
        env.step(env.legal[0])
    begun = len(slow)
    assert len(fast) <= len(ENTRIES)
    for seed in range(3):
        game.environment(seed=seed)
    assert len(slow) == begun and len(fast) <= 4 * len(ENTRIES)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["connect_four", "leduc", "goofspiel", "kuhn", "liars_dice", "2048"])
def test_undo_and_copy(name: str):
    env = gdl.load(name).environment()
    env.reset(seed=7)
    picks, before = random.Random(7), []
    while not env.over and len(before) < 20:
        before.append((told(env), [env.information(player) for player in range(len(env.players))]))
        other = env.copy()
        number = picks.choice(env.legal)
        env.step(number)
        assert told(other) == before[-1][0]
        other.step(number)
        assert told(other) == told(env)  # chance does the same
        other.undo()
        assert told(other) == before[-1][0]
    while before:
        env.undo()
        assert (told(env), [env.information(player) for player in range(len(env.players))]) == before.pop()
    with pytest.raises(GameError, match="no step to take back"):
        env.undo()


@pytest.mark.thorough
def test_the_seed_decides_what_chance_does():
    env = gdl.load("backgammon").environment()

    def first(seed: int | None) -> str:
        env.reset(seed=seed)
        return env.state

    assert first(3) == first(3)
    assert len({first(seed) for seed in range(20)}) > 5
    assert len({first(None) for _ in range(20)}) > 5  # chance goes on


def test_a_copy_that_is_reseeded_has_other_chances():
    env = gdl.load("pig").environment()
    env.reset(seed=1)
    roll = env.numbers["roll"]

    def rolled(seed: int) -> str:
        other = env.copy()
        other.reseed(seed)
        other.step(roll)
        return other.state

    assert rolled(1) == rolled(1) and len({rolled(seed) for seed in range(20)}) > 3


def test_what_is_chosen_at_once_is_unseen():
    env = gdl.load("prisoners").environment()
    before = env.information(1), env.state, bytes(env.observation(1))
    assert env.player == 0
    env.step(env.numbers["betray"])
    assert env.player == 1 and (env.information(1), env.state, bytes(env.observation(1))) == before
    assert env.information(0) != before[0]
    env.step(env.numbers["silent"])
    assert env.over and env.utilities == env.rewards == (0, -3)


def test_numbers_do_not_depend_on_the_position():
    env = gdl.load("connect_four").environment()
    seen: dict[int, str] = {}
    for seed in range(5):
        env.reset()
        picks = random.Random(seed)
        while not env.over:
            for number, name in env.names.items():
                assert seen.setdefault(number, name) == name == env.action_text(number)
            env.step(picks.choice(env.legal))
    assert env.actions == 7 and sorted(seen) == list(range(7))


@pytest.mark.thorough
def test_a_mask_and_the_names():
    env = gdl.load("tic_tac_toe").environment()
    assert env.actions == 9 and bytes(env.mask) == bytes([1] * 9)
    env.step(env.legal[4])
    assert bytes(env.mask) == bytes([1, 1, 1, 1, 0, 1, 1, 1, 1])
    assert env.numbers == {name: number for number, name in env.names.items()}
    with pytest.raises(Refusal, match="a mask of Draughts would have 10"):
        _ = gdl.load("draughts").environment().mask


def test_a_setting_that_is_no_option_is_told():
    with pytest.raises(Refusal, match=r"gdl\.environment\(gdl\.load\(…, settings=\{…\}\)\)"):
        gdl.environment("nim", set={"heaps": [1]})


def test_what_is_no_action_is_told():
    env = gdl.loads(NIM).game.environment()
    with pytest.raises(GameError, match="3 is no legal action of Ann here") as error:
        env.step(3)
    assert "0 (take(1)), 1 (take(2)) and 2 (take(3))" in error.value.problems[0].help
    with pytest.raises(GameError, match=r"'take\(2\)' is the name of an action") as error:
        env.step("take(2)")  # type: ignore[arg-type]
    assert error.value.problems[0].help == "step(1), or step(env.numbers['take(2)'])"
    for number in (2, 1):
        env.step(number)
    assert env.over and env.utilities == (-1, 1)
    with pytest.raises(GameError, match="play is over"):
        env.step(0)
    with pytest.raises(GameError, match="no action has the number 9"):
        env.action_text(9)


@pytest.mark.parametrize("engine", ["interpreter", "python", "auto"])
def test_numbers_of_numpy_are_numbers_of_actions(engine: str):
    numpy = pytest.importorskip("numpy")
    env = gdl.load("connect_four").environment(engine=engine)
    env.step(numpy.random.default_rng(1).choice(env.legal))
    env.step(numpy.argmax(env.mask))
    assert [type(number) for number in env.played] == [int, int]
    for wrong in (3.0, "a", None, numpy.float64(3), numpy.int64(77)):
        with pytest.raises(GameError, match="is no legal action"):
            env.step(wrong)
    assert len(env.played) == 2


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_who_is_no_player_is_told(engine: str):
    env = gdl.load("kuhn").environment(engine=engine)
    for asked in (env.observation, env.information, env.information_set, env.sight):
        for wrong in (2, -1, "P1", None):
            with pytest.raises(GameError, match="no player has the index"):
                asked(wrong)


@pytest.mark.thorough_of("interpreter")
@pytest.mark.parametrize("engine", ["interpreter", "auto"])
def test_what_is_no_seed_is_told_and_changes_nothing(engine: str):
    env, other = (gdl.load("pig").environment(engine=engine) for _ in range(2))
    other.reset(seed=1)
    env.reset(seed=1)
    env.step(env.legal[0])
    before = env.state
    for wrong in ("a", 1.5):
        for told in (env.reset, env.reseed, lambda seed: gdl.load("pig").environment(engine=engine, seed=seed)):
            with pytest.raises(GameError, match=f"{wrong!r} is no seed"):
                told(wrong)
    assert env.state == before
    numpy = pytest.importorskip("numpy")
    env.reset(seed=numpy.int64(1))  # some programs draw seeds so
    assert env.state == other.state
    with pytest.raises(GameError, match="'b' is no seed"):
        gdl.load("pig").environments(2).reset("b")


def test_rewards_on_the_way():
    env = gdl.load("pig").environment()
    assert env.rewards == env.utilities == (0, 0)
    walk = """
        players Ann
        state
            at: 0..3
        action stay
            reward 1 to Ann
        action leave
            at := 3
        terminal
            at = 3 -> pay 5 to Ann
        discount 1/2
    """
    env = gdl.loads("\n".join(line[8:] for line in walk.splitlines())).game.environment()
    gained = []
    for name in ("stay", "stay", "leave"):
        env.step(env.numbers[name])
        gained.append(env.rewards)
    assert gained == [(1,), (1,), (5,)] and env.utilities == (Fraction(17, 8),)
    env.undo()
    assert env.rewards == (1,) and env.utilities == (Fraction(3, 2),)


def test_a_game_of_ones_own():
    from handmade import TicTacToe

    env = gdl.environment(TicTacToe())
    assert env.actions == 9
    env.step(env.numbers["4"])
    assert "X" in env.state and env.player == 1


def plays_alike(game: Any, seed: int, plies: int, engine: str) -> None:
    """A random play on the compiled engine and on the interpreter, which must say the same at every step."""
    try:
        env = gdl.environment(game, engine=engine, seed=seed)
    except Refusal:
        return
    other = gdl.environment(game, engine="interpreter", seed=seed)
    picks = random.Random(seed)
    players = range(len(game.players))
    for ply in range(plies):
        assert (env.over, env.player, env.legal) == (other.over, other.player, other.legal)
        assert env.utilities == other.utilities and env.rewards == other.rewards
        if ply % 5 == 0 or env.over:
            assert (env.names, env.state, env.played) == (other.names, other.state, other.played)
            assert (env.choosers, env.choices) == (other.choosers, other.choices)
            for p in players:
                assert (env.information(p), env.sight(p)) == (other.information(p), other.sight(p))
                assert env.information_set(p) == other.information_set(p)
                assert bytes(env.observation(p)) == bytes(other.observation(p))
        if env.over:
            return
        if env.played and picks.random() < 0.1:
            env.undo()
            other.undo()
            continue
        if picks.random() < 0.1:  # a copy is gone on with, and another play is begun in the same module
            kept, env = env, env.copy()
            kept.step(kept.legal[0])
            gdl.environment(game, engine=engine)
        number = picks.choice(env.legal)
        env.step(number)
        other.step(number)


@pytest.mark.thorough_of("kriegspiel", "konane", "pentago")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("name", one_in(2, gdl.shipped()))
def test_engines_play_alike(name: str):
    (game, *_) = games(name)
    if not has_open_numbers(game):
        plays_alike(game, 1, 30 if name in SMALL else 7, "auto")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(gdl.shipped()))
def test_engines_play_many_plays_alike(name: str):
    for game in games(name):
        if not has_open_numbers(game):
            for seed in (2, 3):
                plays_alike(game, seed, 100, "auto")
            plays_alike(game, 9, 20, "python")


@pytest.mark.thorough_of("chess-after2")
@pytest.mark.parametrize(("name", "after"), [
    ("connect_four", "drop(4) drop(4)"), ("kuhn", ["deal(3)", "deal(1)"]), ("chess", ["e2e4", "e7e5"]),
])  # fmt: skip
def test_a_later_start_is_stepped_on_the_compiled_engine(name, after):
    game = gdl.load(name, after=after)
    one, two = game.environment(), game.environment(engine="interpreter")
    assert type(one).__name__ == "CompiledEnvironment" != type(two).__name__
    picks = random.Random(1)
    for seed in (1, 2):
        one.reset(seed=seed)
        two.reset(seed=seed)
        while not one.over and len(one.played) < 12:
            assert (told(one), one.legal, one.names) == (told(two), two.legal, two.names)
            assert one.player is not None and one.information_set(one.player) == two.information_set(one.player)
            number = picks.choice(one.legal)
            one.step(number)
            two.step(number)
        assert told(one) == told(two) and pickle.loads(pickle.dumps(one)) == one
    if name == "connect_four":
        assert set(game.environments(3).count.tolist()) == {7}
        assert game.environments(3).state(2) == game.environment().state


@pytest.mark.thorough_of("backgammon0", "cheat", "monopoly", "2048", "xiangqi", "minichess")
@pytest.mark.parametrize("name", ["backgammon", "goofspiel", "seltens_horse", *one_in(16, gdl.games())])
def test_actions_step_by_step_are_the_same_actions(name):
    game = gdl.load(name)
    steps, whole, copies = game.environment(steps=True), game.environment(), list[Any]()
    assert steps.actions <= 512 and len(steps.legend) == steps.observation_shape[0]
    picks = random.Random(1)
    steps.reset(seed=3)
    whole.reset(seed=3)
    for _ in range(12):
        assert (steps.state, steps.player, steps.over) == (whole.state, whole.player, whole.over)
        if whole.over:
            assert steps.utilities == whole.utilities
            break
        assert sum(steps.mask) == len(steps.legal) == len(set(steps.names.values()))
        number = picks.choice(whole.legal)
        copy, before = steps.copy(), steps.legal
        copy.step(before[-1])  # to play so, and think again
        copy.undo()
        assert copy.legal == before == steps.legal
        copy.step_whole(number)
        steps.step_whole(number)
        whole.step(number)
        assert copy == steps
        copies.append(steps.copy())
    again = pickle.loads(pickle.dumps(copies))  # all in one, whose game is made anew once
    assert again == copies and pickle.loads(pickle.dumps(steps)) == steps


def test_steps_reach_every_action_once_and_only_their_player_sees_them():
    env = gdl.load("backgammon").environment(steps=True)
    env.reset(seed=1)
    reached, waiting = set(), [env]
    while waiting:
        at = waiting.pop()
        for number in at.legal:
            other = at.copy()
            other.step(number)
            if other.player == at.player:
                waiting.append(other)
            else:
                reached.add(other.whole.played[-1])
    assert len(reached) == len(env.whole.legal) > 5
    before = env.information(0), env.information(1), bytes(env.observation(1 - env.player))
    mover = env.player
    env.step(env.legal[0])
    assert env.player == mover and env.rewards == (0, 0)
    assert env.information(mover) != before[mover] and env.information(1 - mover) == before[1 - mover]
    assert bytes(env.observation(1 - mover)) == before[2] != bytes(env.observation(mover))
    with pytest.raises(GameError, match="is no legal action"):
        env.step(33)
    with pytest.raises(GameError, match="is no legal action"):
        env.step_whole(0)


def test_a_game_with_packed_states_has_an_environment():
    game = gdl.load("connect_four", settings={"columns": 4, "rows": 4}, packed=True)
    assert game.environment().legal == (0, 1, 2, 3)
    assert gdl.load("connect_four", after="drop(1) drop(2)", packed=True).environment().players == game.players


def test_the_position_holds_what_players_remember():
    """Else its information sets would be the states themselves, with all that is hidden."""
    env = gdl.environment("kuhn", seed=1)
    for player in (0, 1):
        assert env.game.information_set(env.position, player) == env.information_set(player)
        assert env.game.describe(env.position, player) == env.information(player)


def test_a_copy_that_plays_first_has_its_own_steps():
    env = gdl.load("leduc").environment(seed=7)
    other = env.copy()
    env.step(env.legal[0])
    assert other.player == 0 and other.information(0)
    other.step(other.legal[0])
    assert other.played == env.played and other.information(1) == env.information(1)
