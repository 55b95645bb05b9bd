"""The judge: published regrets, agreement with brute force, and what it refuses."""

import copy
import random
from fractions import Fraction as F

import pytest
import trees
from games_by_hand import Branch as B
from games_by_hand import (
    Leduc,
    TicTacToe,
    absent_minded,
    bimatrix,
    dealt,
    entry,
    kuhn,
    matching_pennies,
    minority,
    prisoners,
    tree,
    two_roads,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.errors import DamagedData, GameError, LimitReached, Refusal
from gdl.game import Decision, Terminal, Traits
from gdl.solvers import solve
from gdl.solvers.auto import pick
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.behaviour import read_profile, uniform_behaviour, write_profile
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.regret import best_response, judge, regret, uniform
from gdl.solvers.equilibria.strategic_form import strategic_form
from gdl.states.explore import Walk, WalkedGame

UNIFORM = {  # everyone uniform: value and regret per player
    "kuhn": (kuhn(), (F(1, 8), F(-1, 8)), (F(3, 8), F(13, 24))),
    "tic-tac-toe": (TicTacToe(), (F(187, 630), F(-187, 630)), (F(14071, 20160), F(2309, 1890))),
    "leduc": (Leduc(3), (F(-5, 64), F(5, 64)), (F(693, 320), F(1487, 576))),
    "prisoners": (prisoners(), (F(-3, 2), F(-3, 2)), (F(1, 2), F(1, 2))),
    "pennies": (matching_pennies(), (0, 0), (0, 0)),
    "two roads": (two_roads(), (-15,), (25,)),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("game, value, gains", UNIFORM.values(), ids=UNIFORM)
def test_uniform_play(game, value, gains):
    judgement = regret(game, uniform(game))
    assert judgement.value == value
    assert judgement.regret == gains
    assert judgement.nash_conv == sum(gains)


def test_whole_numbers_are_ints():
    judgement = regret(matching_pennies(), uniform(matching_pennies()))
    assert all(type(number) is int for number in (*judgement.value, *judgement.regret, judgement.nash_conv))


def test_three_players_at_once():
    """Whoever is alone with their choice gets one."""
    game = minority()
    profile = {p: {"start": {"0": 1}} for p in "ABC"}
    assert regret(game, profile).regret == (1, 1, 1)
    assert regret(game, uniform(game)).value == (F(1, 4),) * 3
    assert regret(game, uniform(game)).regret == (0, 0, 0)


def test_an_equilibrium_need_not_be_credible():
    threat = {"Entrant": {"market": {"out": 1}}, "Incumbent": {"entered": {"fight": 1}}}
    assert regret(entry(), threat).regret == (0, 0)
    assert regret(entry(), threat).value == (0, 2)


def test_own_moves_may_leave_sets_out():
    silent = {"Entrant": {"market": {"out": 1}}, "Incumbent": {"entered": {"fight": 1}}}
    last = B("A", {"l": (0, 0), "r": (2, 1)}, "A2")
    later = tree("later", "AB", B("A", {"stop": (1, 0), "go": B("B", {"x": last}, "B1")}, "A1"))
    assert regret(entry(), silent).regret == (0, 0)
    assert regret(later, {"A": {"A1": {"stop": 1}}, "B": {"B1": {"x": 1}}}).regret == (1, 0)


@pytest.mark.parametrize(
    "profile, words",
    [
        ({"Entrant": {"market": {"out": 1}}}, "what Incumbent does at entered"),
        ({"Incumbent": {"entered": {"fight": 1}}}, "what Entrant does at market"),
        ({"Nobody": {}}, "for Nobody"),
        ({"Entrant": {"shop": {"out": 1}}}, "no information set of Entrant called shop"),
        ({"Entrant": {"market": {"up": 1}}}, "no action at market is called up"),
        ({"Entrant": {"market": {"out": F(1, 2)}}}, "at market do not sum to one"),
        ({"Entrant": {"market": {"out": 2, "in": -1}}}, "at market do not sum to one"),
    ],
)
def test_damaged_profiles(profile, words):
    with pytest.raises(DamagedData, match=words):
        regret(entry(), profile)


def test_a_set_that_nobody_can_reach_may_be_silent():
    """Chance never goes there, whatever the deviator does."""
    never = B("B", {"x": (5, 5)}, "never")
    here = B("A", {"x": (1, 1)}, "here")
    game = tree("never", "AB", B("chance", {"left": here, "right": never}, chances=[1, 0]))
    assert regret(game, {"A": {"here": {"x": 1}}}).regret == (0, 0)


def test_forgetting_is_refused():
    game = absent_minded()
    with pytest.raises(Refusal, match=r"Driver forgets.*crossing"):
        regret(game, uniform(game))


def test_forgetting_what_does_not_matter_is_not():
    """The second set is met after either first move, but the same action is best after both."""

    def second(gain):
        return B("A", {"l": (gain,), "r": (0,)}, "second")

    game = tree("harmless", "A", B("A", {"a": second(1), "b": second(2)}, "first"))
    assert regret(game, uniform(game)).regret == (F(5, 4),)


def test_limits_and_cycles():
    with pytest.raises(LimitReached):
        regret(TicTacToe(), {}, limit=100)

    class Endless(TicTacToe):
        def successor(self, state, action):
            return state

    with pytest.raises(Refusal, match="can come again"):
        uniform(Endless())

    class Known(TicTacToe):
        traits = Traits(2, True, 0, False, False, True, True, True)

    with pytest.raises(Refusal, match="can come again"):
        uniform(Known())


def test_a_set_with_two_lists_of_actions_is_the_rules_fault():
    class Odd(TicTacToe):
        traits = Traits(2, True, 0, False, False, False, True, False)

        def node(self, state):
            moves = 9 - state.count(" ")
            return (
                Decision(moves, tuple("012" if moves == 0 else "34" if state[0] == " " else "56"))
                if moves < 2
                else Terminal((0, 0))
            )

        def information_set(self, state, player):
            return player

    with pytest.raises(GameError, match="has different actions"):
        uniform(Odd())


def test_names_of_sets_never_clash():
    """A node may be called as the path to another is."""
    replies = {"a": B("B", {"x": (1, 0)}, None), "b": B("B", {"x": (0, 1), "y": (2, 0)}, "a")}
    game = tree("clash", "AB", B("A", replies))
    assert [found.name for found in explore(game).information_sets] == ["start", "start > a", "a"]


def test_profiles_survive_the_way_there_and_back():
    positions = explore(kuhn())
    profile = uniform(kuhn())
    assert write_profile(positions, read_profile(positions, profile)) == profile


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_regret_is_that_of_the_best_pure_plan(seed):
    """Best responses over beliefs agree with trying every plan of the strategic form."""
    dice = random.Random(seed)
    game = dealt(dice)
    positions = explore(game)
    behaviour = []
    for found in positions.information_sets:
        weights = [dice.randint(0, 3) for _ in found.actions]
        weights[dice.randrange(len(weights))] += 1
        behaviour.append(tuple(F(w, sum(weights)) for w in weights))
    judgement = judge(positions, tuple(behaviour))
    form = strategic_form(positions)
    for player in (0, 1):
        plans = []
        for number in range(len(form.plans[player])):
            pure = form.pure(tuple(number if p == player else 0 for p in (0, 1)))
            mixed = tuple(
                (pure[h] or behaviour[h]) if found.player == player else behaviour[h]
                for h, found in enumerate(positions.information_sets)
            )
            plans.append(judge(positions, mixed).value[player])
        assert max(plans) - judgement.value[player] == judgement.regret[player]
        assert best_response(positions, tuple(behaviour), player).value == max(plans)


def test_simultaneous_moves_are_unseen_turns():
    payoffs = [[1, 2], [3, -4]]
    game = bimatrix(payoffs)
    replies = [B("Column", {"c1": (row[0], -row[0]), "c2": (row[1], -row[1])}, "start") for row in payoffs]
    unseen = tree("unseen", ("Row", "Column"), B("Row", {"r1": replies[0], "r2": replies[1]}, "start"))
    profile = {"Row": {"start": {"r1": F(1, 3), "r2": F(2, 3)}}, "Column": {"start": {"c1": 1}}}
    assert regret(game, profile) == regret(unseen, profile)


@pytest.mark.parametrize("game", [TicTacToe(), kuhn(), entry(), two_roads(), minority()], ids=lambda game: game.name)
def test_positions_that_were_walked_before_are_those_that_are_met_now(game):
    walked = walked_game(game)
    assert explore(walked) == explore(game)
    with pytest.raises(LimitReached):
        explore(walked, Budget(2))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_positions_that_were_walked_before_are_judged_as_if_met_now(seed):
    """Of whoever mixes at random, in trees of two and of three players, with chance."""
    rng = random.Random(seed)
    players = ("A", "B", "C")[: rng.choice((2, 3))]
    leaves = [tuple(rng.randint(-5, 5) for _ in players) for _ in range(20)]
    game = trees.tree(trees.random_tree(rng, 4, players=players, leaves=leaves, chances=0.3), players)
    mixed = mixed_at_random(rng, uniform(game))
    assert regret(walked_game(game), mixed) == regret(game, mixed)


def walked_game(game):
    walk = Walk(game)
    return WalkedGame(game, walk.states, list(walk))


def mixed_at_random(rng, profile):
    def mixture(actions):
        weights = [rng.choice((0, 0, 1, 2)) for _ in actions]
        total = sum(weights) or 1
        weights = weights if any(weights) else [1, *weights[1:]]
        return {action: F(weight, total) for action, weight in zip(actions, weights, strict=True)}

    return {player: {name: mixture(actions) for name, actions in sets.items()} for player, sets in profile.items()}


@pytest.mark.thorough
def test_a_profile_is_judged_by_walked_positions_just_where_it_says_enough():
    """Of whom it is silent where only they themselves could lead, and of whom it is not."""
    game = TicTacToe()
    walked = walked_game(game)
    found = solve(game)
    assert regret(walked, found.strategy).regret == (0, 0)
    alone = {"X": found.strategy["X"], "O": {}}
    for either in (walked, game):
        with pytest.raises(DamagedData, match="which can be reached"):
            regret(either, alone)
    with pytest.raises(LimitReached):
        regret(walked, found.strategy, limit=5_000)


def test_the_walk_by_which_a_solver_was_picked_is_the_judges():
    """Nobody walks or searches again what was walked for the choice of minimax."""

    class Counted(TicTacToe):
        followed = 0

        def successor(self, *move):
            self.followed += 1
            return super().successor(*move)

    for_choice, for_all = Counted(), Counted()
    picked = pick(for_choice)
    assert picked.walked is not None and len(list(picked.walked)) == 5478
    assert solve(for_all).regret == (0, 0)
    assert for_all.followed == for_choice.followed


def test_the_information_sets_of_a_large_game_are_named_as_far_as_they_are_asked_for(monkeypatch):
    positions = explore(kuhn())
    named = write_profile(positions, uniform_behaviour(positions))
    asked = []
    for found in positions.information_sets:
        found._name = lambda name=found.name: asked.append(name) or name
    monkeypatch.setattr("gdl.solvers.equilibria.behaviour.MANY_INFORMATION_SETS", 5)
    deferred = write_profile(positions, uniform_behaviour(positions))
    first, second = deferred.values()
    assert (len(first), len(second), asked) == (6, 6, [])
    assert next(iter(first.items())) == next(iter(named["Ann"].items())) and len(asked) == 1
    assert "nothing" not in first and len(asked) == 6
    assert deferred == named and list(second) == list(named["Bob"])
    assert copy.deepcopy(deferred) == named and repr(deferred) == repr(named)
