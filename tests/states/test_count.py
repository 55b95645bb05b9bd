"""Counts of small games: published numbers, and a plain walk of the tree as the other opinion."""

from collections import Counter

import pytest
from handmade import Circle, Goofspiel, Kuhn, Pitfall, TicTacToe, figure_5_2, matrix, prisoners
from random_graphs import random_tree

from gdl.errors import GameError, Interrupted, LimitReached, Refusal
from gdl.game import Chance, Decision, Terminal
from gdl.states.count import HistoryCount, StateCount, divide, histories, perft, states
from gdl.states.explore import moves
from gdl.states.sequential import Sequential

SEQUENCES = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0)


@pytest.mark.thorough
def test_perft_of_tic_tac_toe():
    assert tuple(perft(TicTacToe(), depth) for depth in range(11)) == SEQUENCES


@pytest.mark.thorough
def test_divide_splits_perft_by_the_first_action():
    divided = divide(TicTacToe(), 9)
    assert list(divided) == list("012345678")
    assert sum(divided.values()) == SEQUENCES[9]
    assert divided["0"] == divided["2"] == divided["6"] == divided["8"] != divided["4"]
    assert divide(TicTacToe(), 0) == {}


def test_a_joint_move_is_one_ply_for_each_player_who_chooses():
    game = Goofspiel(3)
    assert [perft(game, depth) for depth in range(7)] == [1, 3, 9, 18, 36, 0, 0]
    assert divide(game, 4) == {"1": 12, "2": 12, "3": 12}
    wide = matrix("wide", ("a", "b"), ("x", "y", "z"), *[(0, 0)] * 6)
    assert [perft(wide, depth) for depth in range(4)] == [1, 2, 6, 0]


def test_chance_outcomes_are_plies():
    assert [perft(Kuhn(), depth) for depth in range(7)] == [1, 3, 6, 12, 24, 12, 0]


def test_states_of_tic_tac_toe():
    depth = (1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78)
    assert states(TicTacToe()) == StateCount(states=5478, terminal=958, edges=16167, depth=depth)


def test_states_of_games_with_joint_moves_cycles_and_one_state():
    assert states(prisoners()) == StateCount(states=5, terminal=4, edges=4, depth=(1, 0, 4))
    assert states(Circle(4)) == StateCount(states=5, terminal=1, edges=5, depth=(1, 2, 1, 1))
    assert states(Sequential(prisoners())).depth == (1, 2, 4)


def test_histories_of_kuhn_poker():
    assert histories(Kuhn()) == HistoryCount(58, 30, 4, {"Ann": 12, "Bob": 12}, {"Ann": 6, "Bob": 6})


def test_histories_count_a_joint_move_as_turns_taken_unseen():
    assert histories(Goofspiel(3)) == HistoryCount(67, 36, 0, {"A": 10, "B": 21}, {"A": 10, "B": 10})
    assert histories(prisoners()) == HistoryCount(7, 4, 0, {"A": 1, "B": 2}, {"A": 1, "B": 1})


@pytest.mark.thorough
def test_histories_of_tic_tac_toe():
    count = histories(TicTacToe())
    assert (count.histories, count.terminal) == (549_946, 255_168)


def walked(game) -> tuple[HistoryCount, Counter[int]]:
    """The counts found by walking every history of the unmerged tree, and the number of histories of each length."""
    turns = Sequential(game)
    kinds: Counter[type] = Counter()
    lengths: Counter[int] = Counter()
    decisions = Counter(dict.fromkeys(game.players, 0))
    sets = {player: set() for player in game.players}
    stack = [(turns.initial(), 0)]
    while stack:
        state, length = stack.pop()
        node = turns.node(state)
        kinds[type(node)] += 1
        lengths[length] += 1
        if isinstance(node, Decision):
            decisions[game.players[node.player]] += 1
            sets[game.players[node.player]].add(turns.information_set(state, node.player))
        stack += [(turns.successor(state, move), length + 1) for move in moves(node)]
    infosets = {player: len(keys) for player, keys in sets.items()}
    return HistoryCount(kinds.total(), kinds[Terminal], kinds[Chance], dict(decisions), infosets), lengths


SMALL = [figure_5_2(), prisoners(), Kuhn(), Goofspiel(2), Goofspiel(4), *(random_tree(seed) for seed in range(20))]


@pytest.mark.parametrize("game", SMALL, ids=[game.name for game in SMALL])
def test_merged_counts_are_those_of_a_plain_walk(game):
    count, lengths = walked(game)
    assert histories(game) == count
    assert [perft(game, depth) for depth in range(max(lengths) + 2)] == [
        *(lengths[depth] for depth in range(max(lengths) + 1)),
        0,
    ]


@pytest.mark.parametrize("game", SMALL, ids=[game.name for game in SMALL])
def test_divide_sums_to_perft_at_every_depth(game):
    for depth in range(1, 6):
        assert sum(divide(game, depth).values()) == perft(game, depth)


def test_a_play_without_end_has_sequences_and_states_but_no_finite_tree():
    assert perft(Circle(2), 1001) == 2 and perft(Circle(2), 1000) == 1
    with pytest.raises(Refusal, match="circle has infinitely many histories"):
        histories(Circle(2))


def test_limits_hand_over_what_was_counted():
    with pytest.raises(LimitReached) as stop:
        states(TicTacToe(), limit=100)
    assert stop.value.partial.states == 100
    assert stop.value.partial.depth[:3] == (1, 9, 72)
    with pytest.raises(LimitReached) as stop:
        histories(Kuhn(), limit=20)
    assert 0 < stop.value.partial.histories <= 20


def test_ctrl_c_hands_over_what_was_counted():
    def impatient(count):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        states(TicTacToe(), progress=impatient)
    assert stop.value.partial.states == 10


def test_progress_may_stop_a_count():
    def out_of_time(count):
        raise LimitReached("time is up")

    with pytest.raises(LimitReached, match="time is up") as stop:
        states(TicTacToe(), progress=out_of_time)
    assert stop.value.partial.states == 10


def test_a_fault_of_the_rules_is_told_with_its_play():
    for counting in (states, histories):
        with pytest.raises(GameError) as fault:
            counting(Pitfall())
        assert fault.value.problems[0].play == ("right", "down")
