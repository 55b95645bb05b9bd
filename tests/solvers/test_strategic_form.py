"""How many plans a player has, told before they are made."""

import random
from functools import cached_property

import pytest
from games_by_hand import Leduc, dealt, inspection, kuhn, matching_pennies, minority
from handmade import TicTacToe
from small_games import Countdown
from together import together

import gdl
from gdl.errors import LimitReached
from gdl.solvers.equilibria.dominance import dominance
from gdl.solvers.equilibria.nash import nash
from gdl.solvers.equilibria.positions import explore
from gdl.solvers.equilibria.strategic_form import fewest_plans, reduced_plans, refuse_large, strategic_form

UNLIMITED = 10**9


def counts(game) -> tuple[list[int], list[int]]:
    """For every player the bound, and how many reduced plans there are."""
    bounds = [fewest_plans(game, player, UNLIMITED) for player in range(len(game.players))]
    return bounds, [len(plans) for plans in strategic_form(explore(game)).plans]


def test_the_bound_is_exact_where_everyone_moves_once():
    for game in (matching_pennies(), minority()):
        bounds, plans = counts(game)
        assert bounds == plans


def test_the_bound_of_players_who_move_again_is_below_the_number_of_plans():
    assert counts(kuhn()) == ([8, 64], [27, 64])
    for game in (inspection(2, 1), Countdown(4)):
        bounds, plans = counts(game)
        assert all(1 < bound <= count for bound, count in zip(bounds, plans, strict=True))


@together(range(60))
def test_no_random_game_has_fewer_plans_than_its_bound(seed):
    bounds, plans = counts(dealt(random.Random(seed)))
    assert all(bound <= count for bound, count in zip(bounds, plans, strict=True))


@together(range(60))
def test_the_number_of_plans_is_known_before_they_are_made(seed):
    positions = explore(dealt(random.Random(seed)))
    assert reduced_plans(positions) == [len(plans) for plans in strategic_form(positions).plans]


def test_plans_of_a_player_who_comes_to_a_position_in_several_ways_are_not_counted_beforehand():
    assert reduced_plans(explore(kuhn())) == [27, 64]
    assert reduced_plans(explore(Countdown(4))) is None


def test_where_positions_may_come_again_nobody_is_sent_to_a_method_that_needs_an_end():
    with pytest.raises(LimitReached, match="retrograde finds the value without a table"):
        refuse_large(gdl.load("nine_mens_morris"))
    with pytest.raises(LimitReached, match="maxn finds an equilibrium without a table"):
        refuse_large(gdl.load("tic_tac_toe"))


def test_more_plans_than_a_table_holds_are_refused_before_any_is_made():
    """Plans were made one by one for minutes, each larger than the last, until there were too many."""
    positions = explore(Leduc())
    with pytest.raises(LimitReached, match="has more than 1,000,000 plans in leduc"):
        strategic_form(positions, limit=1_000_000)
    with pytest.raises(LimitReached, match="has more than 50,000 plans in leduc"):  # a number of fifty digits was told
        strategic_form(positions, full=True)
    assert all(count > 10**12 for count in reduced_plans(positions) or [0])


class Counted(TicTacToe):
    """Counts how often a position is looked at."""

    looks = 0

    @cached_property
    def traits(self):
        return TicTacToe().traits

    def node(self, state):
        self.looks += 1
        return super().node(state)


@pytest.mark.parametrize("solver", [nash, dominance])
def test_a_table_that_would_be_too_large_is_refused_at_a_glance(solver):
    game = Counted()
    with pytest.raises(LimitReached, match="tic-tac-toe has at least 117,649 x 262,144 cells, more than 50,000"):
        solver(game)
    assert game.looks < 500


def test_a_game_of_hidden_cards_too():
    with pytest.raises(LimitReached, match="leduc has at least"):
        refuse_large(Leduc())
    refuse_large(kuhn())


def test_a_player_who_is_not_met_at_a_glance_has_at_least_one_plan():
    wide = (
        "players A, B\nstate\n    x: 0..999999\n    y: 0..9\naction go(k: 0..4999)\n    x := (30 * x + k) mod 1000000\n"
    )
    wide += "    y := y + 1\n    if y < 4\n        next mover\nterminal\n    y = 9 -> draw\n"
    assert fewest_plans(gdl.loads(wide, "wide.game").game, 1, UNLIMITED) == 1


@pytest.mark.parametrize(
    ("name", "settings", "otherwise"),
    [
        ("liars_dice", {}, "sequence-form finds an equilibrium without a table"),
        ("kuhn", {"seats": "3"}, "cfr finds strategies"),
        ("tic_tac_toe", {}, "maxn finds an equilibrium without a table"),
    ],
)
def test_what_else_would_do_is_told(name: str, settings: dict[str, str], otherwise: str) -> None:
    game = gdl.loads(gdl.read(name)[0], settings=settings).game
    with pytest.raises(LimitReached, match="--cells allows more") as told:
        refuse_large(game)
    assert otherwise in str(told.value)


def test_too_large_a_table_says_so_as_well() -> None:
    with pytest.raises(LimitReached, match="--cells allows more; sequence-form finds"):
        strategic_form(explore(gdl.load("kuhn")), limit=100)
