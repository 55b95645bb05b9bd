"""Policy iteration, held to the definition: value iteration on the matrices of a Markov decision process."""

from fractions import Fraction

import pytest
from late_clock import partial_answers
from verification import verify

import gdl
from gdl.compiler.lower import lower
from gdl.errors import LimitReached, Refusal
from gdl.formats import answer
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.states.playouts import playouts

FOREST = """game "Forest" (oldest = 2, old = 4, cut = 2, burning = 1/10)
players Owner
state
    age: 0..oldest
action wait
    if age = oldest
        reward old to Owner
    next burn
action fell
    reward (if age = 0 then 0 else if age = oldest then cut else 1) to Owner
    age := 0
chance burn(fire: Boolean) as "{fire}" weight if fire then burning else 1 - burning
    age := if fire then 0 else min(age + 1, oldest)
discount RATE
"""


def forest(rate: str, **settings: object) -> gdl.Loaded:
    return gdl.loads(FOREST.replace("RATE", rate), settings={name: str(value) for name, value in settings.items()})


def by_the_definition(states: int, old: int, cut: int, burning: float, rate: float) -> tuple[float, float]:
    """The value of the youngest forest, and of waiting there: R and P as in the toolbox for MATLAB and Python."""
    values, waiting = [0.0] * states, 0.0
    for _ in range(4_000):
        waits = [
            (old if s == states - 1 else 0)
            + rate * (burning * values[0] + (1 - burning) * values[min(s + 1, states - 1)])
            for s in range(states)
        ]
        fells = [(0 if s == 0 else cut if s == states - 1 else 1) + rate * values[0] for s in range(states)]
        values, waiting = [max(pair) for pair in zip(waits, fells, strict=True)], waits[0]
    return values[0], waiting


@pytest.mark.parametrize("rate", ["9/10", "1/2", "24/25"])
@pytest.mark.parametrize(("states", "old", "cut", "burning"), [(3, 4, 2, "1/10"), (6, 4, 9, "1/3"), (9, 30, 2, "1/20")])
def test_forests_are_worth_what_the_definition_says(states: int, old: int, cut: int, burning: str, rate: str):
    found = solve(forest(rate, oldest=states - 1, old=old, cut=cut, burning=burning).game)
    value, waiting = by_the_definition(states, old, cut, float(Fraction(burning)), float(Fraction(rate)))
    assert found.exact and found.value is not None
    assert float(found.value[0]) == pytest.approx(value, rel=1e-9)
    assert ("wait" in found.best) == (waiting == pytest.approx(value, rel=1e-9))


def test_the_forest_of_the_toolbox_exactly():
    found = solve(forest("9/10").game)
    assert (found.solver, found.value, found.best) == ("policy-iteration", (Fraction(6561, 250),), ("wait",))
    assert found.strategy == {"Owner": {name: {"wait": 1, "fell": 0} for name in ("start", "age=1", "age=2")}}


def test_who_cannot_count_rewards_says_so():
    game = forest("9/10").game
    with pytest.raises(Refusal, match="retrograde needs a game whose ends pay everything; Forest has rewards"):
        solve(game, "retrograde")
    with pytest.raises(Refusal, match="solvers that accept it: policy-iteration"):
        solve(game, "mcts")
    with pytest.raises(Refusal, match="a playout counts no rewards on the way"):
        playouts(game, 1, 1)
    with pytest.raises(Refusal, match="does not take rewards on the way"):
        lower(game.model, gdl.play(game.model))


def test_games_that_it_does_not_suit():
    with pytest.raises(Refusal, match=r"by best play Owner gains 81/25 a move on average for ever; .* leads back"):
        solve(gdl.loads(FOREST.replace("RATE", "1\nterminal\n    forever -> 0")).game)
    with pytest.raises(Refusal, match="needs rewards on the way, in play that can return to a position"):
        solve(gdl.load("tic_tac_toe"), "policy-iteration")
    general = "players A, B\nstate\n    n: 0..1\naction go\n    reward 1 to mover\n    n := 1 - n\ndiscount 1/2\n"
    with pytest.raises(Refusal, match="general-sum"):
        solve(gdl.loads(general).game, "policy-iteration")
    pytest.importorskip("gdl.wings.theory")
    assert solve(gdl.loads(general).game).payoffs == ((Fraction(4, 3), Fraction(2, 3)),)


WAITING = """players P
state
    done: Boolean
action wait
    done := false
action settle
    reward -1 to P
    done := true
terminal
    done -> 0
    forever -> PRICE
"""


@pytest.mark.parametrize(
    ("price", "value", "best"), [(-1000, -1, ("settle", "wait")), (-1, -1, ("settle", "wait")), (3, 3, ("wait",))]
)
def test_who_never_ends_is_paid_the_price_besides(price: int, value: int, best: tuple[str, ...]):
    game = gdl.loads(WAITING.replace("PRICE", str(price))).game
    found = solve(game)
    assert (found.solver, found.exact, found.value) == ("policy-iteration", True, (value,))
    assert set(found.best) == set(best)
    right = answer.to_object(found)
    assert verify(game, right).ok
    assert verify(game, {**right, "value": {"P": value + 1}}).status("value") is False


def test_a_price_that_matters_is_asked_for():
    with pytest.raises(Refusal, match=r"needs to know what endless play of .* is worth besides its rewards"):
        solve(gdl.loads(WAITING.replace("    forever -> PRICE\n", "")).game)


def test_a_limit_leaves_a_strategy_where_gains_count_in_full():
    """Wherever the time is over: from the first evaluation of a strategy on, what it secures is known."""
    game, known = gdl.loads(WAITING.replace("PRICE", "-1000")).game, []
    for found in partial_answers(lambda: solve(game, "policy-iteration", time=600)):
        assert isinstance(found, Solution)
        if found.strategy is not None:
            assert found.strategy == {"P": {"start": {"wait": 0, "settle": 1}}}
            known.append(found.interval)
            verdict = verify(game, answer.to_object(found))
            assert verdict.ok and verdict.status("strategy")
    assert set(known) == {None, ((-1, None),)} and known == sorted(known, key=bool)


def test_a_limit_stops_it():
    with pytest.raises(LimitReached):
        solve(forest("9/10", oldest=50).game, nodes=20)


@pytest.mark.parametrize("name", ["forest", "rewards_of_two"])
def test_a_limit_leaves_bounds_and_a_strategy_that_verify_proves(name: str):
    """Wherever the time is over. Nothing but the first legal action was given."""
    game = gdl.load(f"tests/model/language/{name}.game")
    value, close = solve(game, "policy-iteration").value, 0
    for found in partial_answers(lambda: solve(game, "policy-iteration", time=600)):
        assert isinstance(found, Solution) and value is not None
        if found.interval is None or found.strategy is None:
            continue
        for right, told, (low, high) in zip(value, found.value or (), found.interval, strict=True):
            assert low is not None and high is not None and low <= right <= high and float(low) <= told <= float(high)
            assert high - low < Fraction(1, 1000)
            close += 1
        right = answer.to_object(found)
        verdict = verify(game, right)
        assert verdict.ok and verdict.status("interval") and verdict.status("strategy")
        player = game.players[0]
        beyond = {who: ([99, 100] if who == player else ends) for who, ends in right["interval"].items()}
        assert verify(game, {**right, "interval": beyond}).status("interval") is False
    assert close


def test_what_is_too_large_is_told_what_takes_it():
    with pytest.raises(Refusal, match=r"more than 5,000 with those of chance; .* stationary leaves out chance"):
        solve(forest("9/10", oldest=5_001).game, "policy-iteration")


def test_verify_checks_the_value_by_the_strategy():
    game = forest("9/10").game
    right = answer.to_object(solve(game))
    verdict = verify(game, right)
    assert verdict.ok and all(verdict.status(name) for name in ("value", "strategy", "regret", "best", "states"))
    assert verify(game, {**right, "value": {"Owner": 26}}).status("value") is False
    assert verify(game, {**right, "best": ["fell"]}).status("best") is False


@pytest.mark.parametrize(("gain", "best"), [("1", ["stay"]), ("7/6", ["stay", "leave"])])
def test_verify_checks_the_best_also_where_the_strategy_does_not_lead(gain: str, best: list[str]):
    game = gdl.loads(
        "players Ann, Bob\nstate\n    out: Boolean\naction stay when mover = Ann and not out\n"
        "    reward 1 to Ann, -1 to Bob\naction leave when mover = Ann and not out\n    out := true\n    next mover\n"
        f"    reward {gain} to Ann, -{gain} to Bob\naction back when out\n    out := false\n    next Bob\n"
        "action wait when mover = Bob\ndiscount 1/2\n"
    ).game
    right = answer.to_object(solve(game))
    assert right["best"] == best and verify(game, right).status("best")
    assert verify(game, {**right, "best": ["leave"]}).status("best") is False


def test_play_with_a_last_move_is_counted_by_everybody():
    """Where positions do not come again they hold the totals, so that ends pay everything."""
    game = gdl.loads(
        "players A\nstate\n    n: 0..3\naction add(k: 1..2) when n < 3\n    reward k to A\n    n := n + 1\n"
        "discount 1/2\nterminal\n    n = 3 -> 8\n"
    ).game
    assert game.traits.rewards is False and game.promises.rewards is None
    for solver in ("minimax", "alpha-beta", "maxn"):
        assert solve(game, solver).value == (Fraction(9, 2),)  # 2 + 1 + 1/2, and 8 an eighth
    assert playouts(game, 10, 1).value["A"] < 4.5
