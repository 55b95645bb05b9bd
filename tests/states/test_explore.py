"""The walk over reachable states and the traits read off it."""

from fractions import Fraction

import pytest
from handmade import Circle, Goofspiel, HandMade, Kuhn, Pitfall, TicTacToe, figure_5_2, prisoners, tree
from random_graphs import random_tree

import gdl
from gdl.errors import GameError, Interrupted, LimitReached
from gdl.game import Chance, Decision, Simultaneous, Terminal, Traits
from gdl.interpreter.traits import WORK
from gdl.states.explore import Walk, choosers, explore, move_text, moves, plies, reachable_traits, topological_order


def test_moves_plies_and_choosers_of_every_kind_of_node():
    joint = Simultaneous((("a", "b"), (), ("c",)))
    assert moves(joint) == (("a", "", "c"), ("b", "", "c"))
    assert (plies(joint), choosers(joint)) == (2, (0, 2))
    assert move_text(("a", "", "c")) == "a, c"
    chance = Chance((("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))))
    assert (moves(chance), plies(chance), choosers(chance)) == (("heads", "tails"), 1, ())
    assert (moves(Decision(1, ("x",))), choosers(Decision(1, ("x",)))) == (("x",), (1,))
    assert moves(Terminal((0, 0))) == ()


def test_states_are_found_nearest_first_and_merged():
    found = explore(TicTacToe())
    assert found.complete
    assert len(found.states) == len(set(found.states)) == 5478
    assert found.states[:3] == ["." * 9, "X........", ".X......."]
    assert found.depth == sorted(found.depth)
    assert all(found.depth[n] == 9 - state.count(".") for n, state in enumerate(found.states))


def test_children_stand_in_the_order_of_the_moves():
    game = TicTacToe()
    found = explore(game)
    for number in (0, 17, 400):
        successors = [game.successor(found.states[number], move) for move in found.moves[number]]
        assert [found.states[child] for child in found.children[number]] == successors


def test_a_cycle_is_walked_once():
    found = explore(Circle(4))
    assert len(found.states) == 5
    assert found.depth == [0, 1, 1, 2, 3]


class Shortcut(HandMade):
    """`end` is first discovered by a joint move of two plies, but one ply from a sibling would be as near; `late` is
    discovered three plies deep and then reached in two."""

    WAYS = {  # noqa: RUF012
        "start": ("left", "right"),
        "left": Simultaneous((("a",), ("b",))),
        "right": ("straight",),
        "late": ("on",),
    }
    AFTER = {  # noqa: RUF012
        ("start", "left"): "left",
        ("start", "right"): "right",
        ("left", ("a", "b")): "late",
        ("right", "straight"): "late",
        ("late", "on"): "end",
    }

    def initial(self):
        return "start"

    def node(self, state):
        if state == "end":
            return Terminal((0, 0))
        ways = self.WAYS[state]
        return ways if isinstance(ways, Simultaneous) else Decision(0, ways)

    def successor(self, state, action):
        return self.AFTER[state, action]


def test_depth_is_the_fewest_plies_even_where_a_longer_way_was_seen_first():
    walk = Walk(Shortcut())
    order = [walk.states[expansion.number] for expansion in walk]
    assert dict(zip(walk.states, walk.depth, strict=True)) == {"start": 0, "left": 1, "right": 1, "late": 2, "end": 3}
    assert order == ["start", "left", "right", "late", "end"]
    assert walk.play(walk.states.index("late")) == ("right", "straight")


def test_over_the_limit_the_part_found_so_far_is_handed_over():
    with pytest.raises(LimitReached, match=r"tic-tac-toe has more than 100 states") as stop:
        explore(TicTacToe(), limit=100)
    partial = stop.value.partial
    assert not partial.complete
    assert len(partial.states) == len(partial.nodes) == len(partial.children) == 100
    assert partial.moves[99] and partial.children[99] == ()
    assert explore(TicTacToe(), limit=5478).complete


class Large(HandMade):
    """Every state is a tuple of a million bits, and the next has one more set."""

    def initial(self):
        return (False,) * 1_000_000

    def node(self, state):
        return Decision(0, ("on",))

    def successor(self, state, action):
        at = state.index(False)
        return (*state[:at], True, *state[at + 1 :])


@pytest.mark.thorough
def test_states_are_bounded_by_the_bytes_that_they_take():
    walk = Walk(Large(), room=100 << 20)
    with pytest.raises(LimitReached, match="more states than fit in 100 MiB, the limit set for this walk"):
        list(walk)
    assert 12 <= len(walk.states) <= 15  # of 8 MB each


def test_what_states_share_takes_its_bytes_once():
    class Marked(Large):
        board = (False,) * 50_000  # 0.4 MB

        def initial(self):
            return 0, self.board

        def node(self, state):
            return Terminal((0, 0)) if state[0] == 50 else Decision(0, ("on",))

        def successor(self, state, action):
            return state[0] + 1, self.board

    assert len(explore(Marked(), room=1 << 20).states) == 51


def test_ctrl_c_is_answered_at_once():
    """To put together what was found could take longer than anyone likes to wait."""

    def impatient(count):
        if count > 50:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stop:
        explore(TicTacToe(), progress=impatient)
    assert stop.value.partial is None


def test_a_fault_is_told_with_the_play_that_leads_there():
    with pytest.raises(GameError) as fault:
        explore(Pitfall())
    assert fault.value.problems[0].play == ("right", "down")


def test_topological_order_leaves_out_what_lies_on_or_behind_a_cycle():
    assert topological_order([(1, 2), (3,), (1,), ()]) == [0, 2, 1, 3]
    assert topological_order([(1,), (2,), (1, 3), ()]) == [0]
    assert topological_order([(0,)]) == []


@pytest.mark.thorough
def test_a_walk_of_a_hundred_thousand_states_in_a_row_needs_no_recursion():
    found = explore(Circle(50_000))
    assert len(found.states) == 50_001
    assert len(topological_order(found.children)) < len(found.children)


class Stutter(HandMade):
    """Endlessly many states, each of which may also be kept."""

    def initial(self):
        return 0

    def node(self, state):
        return Decision(0, ("stay", "on"))

    def successor(self, state, action):
        return state if action == "stay" else state + 1


TRAITS = [
    (TicTacToe(), Traits(2, True, 0, False, False, True, True, False, 5478, 9)),
    (Kuhn(), Traits(2, True, 0, True, False, False, True, False, 58, 3)),
    (Goofspiel(3), Traits(2, True, 0, False, True, False, True, False, 41, 3)),
    (Circle(4), Traits(2, True, 0, False, False, True, True, True, 5, 2)),
    (figure_5_2(), Traits(2, True, 0, False, False, True, True, False, 13, 3)),
    (prisoners(), Traits(2, False, None, False, True, False, True, False, 5, 2)),
]


@pytest.mark.parametrize(("game", "traits"), TRAITS, ids=[game.name for game, _ in TRAITS])
def test_traits_of_small_games(game, traits):
    assert reachable_traits(game) == traits


def test_traits_that_the_states_seen_do_not_settle_are_none():
    traits = reachable_traits(TicTacToe(), limit=10)
    assert traits == Traits(2, None, None, None, None, None, None, None)
    assert reachable_traits(Kuhn(), limit=2).chance is True
    assert reachable_traits(Goofspiel(3), limit=2).perfect_information is False
    assert reachable_traits(Stutter(), limit=5).cyclic is True


def test_a_constant_sum_other_than_zero_is_found():
    shared = tree("A", "B", root=("A", {"l": [1, 9], "r": [4, 6]}))
    traits = reachable_traits(shared)
    assert (traits.zero_sum, traits.constant_sum) == (False, 10)
    assert reachable_traits(tree("A", "B", root=("A", {"l": [1, 9], "r": [4, 5]}))).constant_sum is None


def test_a_player_who_forgets_their_own_action_has_imperfect_recall():
    forgetful = ("A", {"x": 1, "y": 2}, {"information_set": "later"})
    assert reachable_traits(tree("A", root=("A", {"l": forgetful, "r": forgetful}))).perfect_recall is False


def test_an_absent_minded_driver_has_imperfect_recall():
    second = ("A", {"exit": 4, "on": 1}, {"information_set": "crossing"})
    first = ("A", {"exit": 0, "on": second}, {"information_set": "crossing"})
    assert reachable_traits(tree("A", root=first)).perfect_recall is False


def test_not_seeing_what_others_did_is_no_forgetting():
    reply = ("B", {"x": 1, "y": 2}, {"information_set": "unseen"})
    traits = reachable_traits(tree("A", "B", root=("A", {"l": reply, "r": reply})))
    assert (traits.perfect_information, traits.perfect_recall) == (False, True)


def test_the_states_tell_the_same_traits_as_the_tree():
    recalls = []
    for seed in range(400):
        game = random_tree(seed)
        assert reachable_traits(game) == game.traits, seed
        recalls.append(game.traits.perfect_recall)
    assert {True, False} == set(recalls)


class Wide(HandMade):
    """A thousand actions at every turn; to look at a position is work."""

    looks = 0

    def initial(self):
        return ()

    def node(self, state):
        self.looks += 1
        return Decision(len(state) % 2, tuple(map(str, range(1000)))) if len(state) < 4 else Terminal((0, 0))

    def successor(self, state, action):
        return (*state, action)


def test_traits_look_only_at_the_states_walked_not_at_all_that_were_met():
    game = Wide()
    assert reachable_traits(game, limit=2000).perfect_information is None
    assert game.looks <= 5


def test_a_walk_for_traits_is_over_when_the_rules_have_worked_enough():
    """Rules that run through very many values for one position are not waited for; short ones are walked to the end."""
    slow = gdl.load("shogi")
    assert slow.traits.cyclic is None and slow.traits.states is None
    assert WORK < slow.work < 1.1 * WORK
    assert gdl.load("pong_hau_ki").traits.states == 56


@pytest.mark.parametrize("walked", [False, True])
def test_what_was_met_before_does_not_change_traits(monkeypatch, walked):
    """Else a game would have other traits after it was solved."""
    monkeypatch.setattr("gdl.interpreter.traits.MORE_WORK", 5_000)
    game = gdl.load("three_tricks")
    if walked:
        reachable_traits(game)
    assert game.traits.perfect_information is False  # it hides nothing, but that takes more work


@pytest.mark.thorough
def test_nothing_is_hidden_in_the_squeeze():
    text, file = gdl.read("bridge_ending")
    assert gdl.loads(text, file, variant="squeeze").game.traits.perfect_information is True


@pytest.mark.parametrize("name", ["shogi", "three_tricks"])
def test_a_look_for_traits_that_was_stopped_is_not_begun_again(name, monkeypatch):
    """The time that a limit leaves is for reporting what is known."""
    game, looks = gdl.load(name), []

    def stopped(*of_walk, **options):
        looks.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr("gdl.interpreter.traits.reachable_traits", stopped)
    with pytest.raises(KeyboardInterrupt):
        _ = game.traits
    assert game.traits.players == 2 and len(looks) == 1


def test_a_limit_is_looked_at_between_the_moves_of_one_position():
    """One position may have very many of them."""

    def over(met):
        raise LimitReached("enough")

    walk = Walk(Wide(), progress=over)
    with pytest.raises(LimitReached, match="enough"):
        list(walk)
    assert len(walk.states) < 50
