"""retrograde: games whose positions can come again, with chance and without."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from handmade import HandMade, TicTacToe
from small_games import Countdown, Dodgem, MuTorere, Network, Pig, PongHauKi, Ruin
from trees import random_tree, tree

import gdl
from gdl.commands.engines import offer
from gdl.errors import Interrupted, LimitReached, Refusal
from gdl.game import Chance, Decision, Node, Number, Promises, Terminal
from gdl.solution import Solution
from gdl.solvers import solve as solve_game
from gdl.solvers.budget import SearchLimits
from gdl.solvers.cyclic import strategy_iteration
from gdl.solvers.cyclic.attractor import Forced
from gdl.solvers.cyclic.cyclic import retrograde
from gdl.solvers.minimax.backward_induction import expectiminimax
from gdl.states.components import end_components, strong_components
from gdl.states.explore import explore
from gdl.states.linear import Equation, solve

HALF = Fraction(1, 2)


class Priced:
    """A game, and what endless play is worth there."""

    def __init__(self, game: Any, forever: tuple[Any, ...]):
        self.game, self.promises = game, Promises(forever=forever)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


# without chance -------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_dodgem_is_a_first_players_win_in_19_plies() -> None:
    answer = retrograde(Dodgem())
    assert answer.value == (1, -1)
    assert answer.best == ("22>12",)
    assert len(answer.line) == 19
    assert answer.notes == (
        "with best play the game ends after 19 plies",
        "the file puts no price on endless play; none within the range of its utilities changes the value",
    )
    assert retrograde(Priced(Dodgem(), (0, 0))).notes == answer.notes[:1]
    assert (answer.nodes, answer.leaves, answer.exact) == (1963, 98, True)


@pytest.mark.parametrize(
    ("game", "longest", "counts"),
    [
        pytest.param(Dodgem(), 21, (1123, 840, 0), id="dodgem"),
        pytest.param(MuTorere(), 5, (208, 128, 844), id="mu torere"),
        pytest.param(PongHauKi(), 1, (8, 4, 44), id="pong hau k'i"),
    ],
)
def test_wins_losses_and_draws_of_the_mover(game: Any, longest: int, counts: tuple[int, ...]) -> None:
    space = explore(game)
    play = Forced(space, 0, 0)
    found = Counter(play.value(number) * (-1) ** state[2] for number, state in enumerate(space.states))
    assert (found[1], found[-1], found[0]) == counts
    assert max(rank for rank in play.ranks if rank is not None) == longest


def test_a_draw_by_endless_play() -> None:
    answer = retrograde(Priced(MuTorere(), (0, 0)))
    assert answer.value == (0, 0)
    assert "need not end" in answer.notes[0]
    assert len(answer.line) < 1180


def test_endless_play_without_a_price_is_refused_where_it_matters() -> None:
    with pytest.raises(Refusal, match="mu torere need not end under best play; say so in the file, as in `forever -> "):
        retrograde(MuTorere())


def test_no_price_is_needed_where_the_end_can_be_forced() -> None:
    answer = retrograde(Countdown(3, least=0))
    assert answer.value == (1, -1)
    assert (answer.best, answer.line) == (("3",), ("3",))
    with pytest.raises(Refusal, match="need not end"):
        retrograde(Countdown(4, least=0))  # who would lose passes


ODD = """
players Ann, Bob
state
    at: 0..2
action go when at < 2
    at := 2
    next other(mover)
action act
    at := 1
    next Bob
terminal
    at = 2 and mover = Ann -> (6, 2)
    at = 2 and mover = Bob -> (0, 8)
    forever -> FOREVER
"""


@pytest.mark.parametrize("engine", ["interpreter", "wasm"])
def test_endless_play_that_pays_another_sum_than_the_ends_is_no_constant_sum(engine: str) -> None:
    """Bob would rather end play than go on for ever and get nothing; by the sum of the ends that would be worth 8."""
    if engine == "wasm":
        pytest.importorskip("wasmtime")
    odd = gdl.loads(ODD.replace("FOREVER", "draw")).game
    assert (odd.traits.zero_sum, odd.traits.constant_sum, odd.promises.constant_sum) == (False, None, None)
    with pytest.raises(Refusal, match="retrograde needs a zero-sum game"):
        solve_game(offer(odd, engine), "retrograde")
    assert solve_game(offer(odd, engine)).value[0] > 5  # an estimate; 6 by going on to where Bob ends it

    even = gdl.loads(ODD.replace("FOREVER", "(0, 8)")).game
    assert even.traits.constant_sum == 8
    assert retrograde(offer(even, engine)).value == (0, 8)


def test_so_it_is_where_only_the_search_sees_it() -> None:
    game = Priced(MuTorere(), (1, 0))
    with pytest.raises(Refusal, match="play without end pays 1 in all, every end 0"):
        retrograde(game)


def test_a_game_that_never_ends() -> None:
    nodes: list[Node] = [Decision(0, ("0",)), Decision(1, ("0",))]
    with pytest.raises(Refusal, match="network never ends"):
        retrograde(Network(nodes, [[1], [0]]))
    assert retrograde(Network(nodes, [[1], [0]], forever=(2, -2))).value == (2, -2)


def test_the_winner_hurries_and_the_loser_delays() -> None:
    """MAX may win at once, or go round first; keeping the value is not enough to get anywhere."""
    nodes: list[Node] = [Decision(0, ("0", "1")), Decision(1, ("0",)), Terminal((1, -1))]
    answer = retrograde(Network(nodes, [[1, 2], [0]], forever=(0, 0)))
    assert answer.best == ("1", "0")  # both keep the win, the first gets it
    assert answer.line == ("1",)


def test_a_lone_player_takes_the_best_end_or_none() -> None:
    game = Network([Decision(0, ("0", "1")), Terminal((-3,))], [[0, 1]])
    game.players = ("Ann",)
    with pytest.raises(Refusal, match="endless play"):
        retrograde(game)
    assert retrograde(Priced(game, (0,))).best == ("0",)
    assert retrograde(Priced(game, (-5,))).best == ("1", "0")  # 0 only puts it off
    game.nodes[1] = Terminal((4,))
    assert retrograde(game).value == (4,)


@pytest.mark.thorough
def test_games_without_cycles_are_solved_as_by_minimax() -> None:
    assert retrograde(TicTacToe()).value == (0, 0)
    assert retrograde(Countdown(100)).value == (-1, 1)
    for seed in range(100):
        game = tree(random_tree(random.Random(seed), 4, chances=0.2))
        answer, other = retrograde(game), expectiminimax(game)
        assert (answer.value, set(answer.best)) == (other.value, set(other.best)), seed
        assert answer.exact


# with chance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "chance"),
    [
        ((0, 0, 0), "4/7"), ((0, 0, 1), "5/7"), ((0, 1, 0), "2/5"),
        ((0, 1, 1), "3/5"), ((1, 0, 0), "4/5"), ((1, 1, 0), "2/3"),
    ],
)  # fmt: skip
def test_piglet(state: tuple[int, int, int], chance: str) -> None:
    """Neller and Presser's exact table for the goal 2."""
    game = Pig(2, piglet=True)
    game.initial = lambda: (*state, 0, False)  # type: ignore[method-assign]
    answer = retrograde(game)
    assert answer.value == (Fraction(chance), 1 - Fraction(chance))
    assert answer.exact


@pytest.mark.thorough
def test_pig() -> None:
    answer = retrograde(Pig(10))
    assert answer.value is not None
    assert float(answer.value[0]) == pytest.approx(0.709424322598, abs=1e-12)
    assert answer.value == (Fraction(7776, 10961), Fraction(3185, 10961))
    assert answer.exact
    assert answer.best == answer.line == ("roll",)  # the line stops where the die rolls
    assert answer.strategy is not None
    assert answer.strategy["Ann"]["(0, 0, 2, 0, False)"] == {"roll": 1, "hold": 0}


@pytest.mark.thorough
def test_passing_the_turn_for_ever_does_not_pay() -> None:
    """Holding nothing at all makes endless play possible, and changes no value at any price."""
    assert retrograde(Pig(6, hold_at_once=True)).value == retrograde(Pig(6)).value
    for price in (0, HALF, 1):
        priced = Priced(Pig(6, hold_at_once=True), (price, 1 - price))
        assert retrograde(priced).value == retrograde(Pig(6)).value


def test_gamblers_ruin() -> None:
    assert retrograde(Ruin(3, 10, HALF)).value == (Fraction(3, 10),)
    p = Fraction(2, 5)
    ratio = (1 - p) / p
    assert retrograde(Ruin(3, 10, p)).value == ((ratio**3 - 1) / (ratio**10 - 1),)


def test_bold_play_is_best_in_an_unfair_game() -> None:
    """Dubins and Savage: with 1 of 4 coins, stake all; the chance is p squared. Seven of eight: p + p(1-p) + …"""
    p = Fraction(2, 5)
    assert retrograde(Ruin(1, 4, p, bold=True)).value == (p**2,)
    assert retrograde(Ruin(3, 4, p, bold=True)).value == (p + (1 - p) * p,)


class Craps(HandMade):
    """Nobody moves: 7 or 11 wins at once, 2, 3 and 12 lose, anything else must come again before a 7."""

    name = "craps"
    players = ("Shooter",)

    def initial(self) -> Any:
        return "come-out"

    def node(self, state: Any) -> Node:
        if state in ("win", "lose"):
            return Terminal((1,) if state == "win" else (-1,))
        rolls = Counter(a + b for a, b in product(range(1, 7), repeat=2))
        return Chance(tuple((str(total), Fraction(ways, 36)) for total, ways in sorted(rolls.items())))

    def successor(self, state: Any, action: Any) -> Any:
        total = int(action)
        if state == "come-out":
            return "win" if total in (7, 11) else "lose" if total in (2, 3, 12) else total
        return "win" if total == state else "lose" if total == 7 else state


def test_craps() -> None:
    assert retrograde(Craps()).value == (Fraction(2 * 244, 495) - 1,)


# random games against all strategies ----------------------------------------------------------------------------------


def random_network(seed: int) -> Network:
    """Seven states in which anything may follow anything, and three ends."""
    rng = random.Random(seed)
    size, ends = 7, 3
    nodes: list[Node] = []
    children = []
    for _ in range(size):
        width = rng.randint(1, 3)
        actions = tuple(str(k) for k in range(width))
        children.append([rng.randrange(size + ends) for _ in range(width)])
        kind = rng.choice(["max", "min", "chance"])
        if kind == "chance":
            weights = [rng.randint(1, 3) for _ in range(width)]
            outcomes = zip(actions, (Fraction(w, sum(weights)) for w in weights), strict=True)
            nodes.append(Chance(tuple(outcomes)))
        else:
            nodes.append(Decision(int(kind == "min"), actions))
    nodes += [Terminal((u, -u)) for u in (rng.randint(-4, 4) for _ in range(ends))]
    price = rng.choice([-5, -1, 0, 1, HALF, 5])
    return Network(nodes, [*children, *([] for _ in range(ends))], forever=(price, -price))


def plans(game: Network, player: int) -> list[dict[int, int]]:
    """All strategies of a player that need no memory; among these are optimal ones (Liggett and Lippman)."""
    own = [s for s, node in enumerate(game.nodes) if isinstance(node, Decision) and node.player == player]
    return [dict(zip(own, pick, strict=True)) for pick in product(*(range(len(game.children[s])) for s in own))]


def by_all_strategies(game: Network) -> Number:
    """max min over all pairs of strategies."""
    return max(min(payoff(game, {**mine, **yours}) for yours in plans(game, 1)) for mine in plans(game, 0))


def as_plan(game: Network, player: int, strategy: Any) -> dict[int, int]:
    """A player's strategy in an answer as a plan. It is silent about states that it excludes: any action will do."""
    chosen = {int(name): int(max(mixture, key=mixture.get)) for name, mixture in strategy.items()}
    return {**plans(game, player)[-1], **chosen}


def payoff(game: Network, plan: dict[int, int]) -> Number:
    """MAX's payoff from the start: each end times the probability to be absorbed in it, and the price for the rest."""
    assert game.promises.forever is not None
    after: dict[int, dict[int, Number]] = {}
    for state, node in enumerate(game.nodes):
        if isinstance(node, Terminal):
            after[state] = {}
            continue
        weights = [p for _, p in node.outcomes] if isinstance(node, Chance) else [1]
        follow = game.children[state] if isinstance(node, Chance) else [game.children[state][plan[state]]]
        after[state] = {}
        for weight, child in zip(weights, follow, strict=True):
            after[state][child] = after[state].get(child, 0) + weight
    reach = {0}
    while True:
        more = reach | {child for state in reach for child in after[state]}
        if more == reach:
            break
        reach = more
    ends = {s for s in reach if isinstance(game.nodes[s], Terminal)}
    alive = set(ends)
    while True:
        more = alive | {s for s in reach if alive & set(after[s])}
        if more == alive:
            break
        alive = more
    value: dict[int, Number] = dict.fromkeys(reach - alive, game.promises.forever[0])
    value |= {s: node.utilities[0] for s in ends if isinstance(node := game.nodes[s], Terminal)}  # type: ignore[misc]
    unknowns = sorted(alive - ends)
    rows = [
        [Fraction(int(s == t)) - after[s].get(t, 0) for t in unknowns]
        + [sum((w * value[c] for c, w in after[s].items() if c in value), Fraction(0))]
        for s in unknowns
    ]
    return value[0] if 0 in value else gauss(rows)[unknowns.index(0)]


def gauss(rows: list[list[Fraction]]) -> list[Fraction]:
    """Gauss and Jordan, as at school."""
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(len(rows)):
            if r != i and rows[r][i]:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("block", range(10))
def test_random_networks(block: int) -> None:
    for seed in range(20 * block, 20 * (block + 1)):
        game = random_network(seed)
        answer = retrograde(game)
        truth = by_all_strategies(game)
        assert answer.value == (truth, -truth), seed
        assert answer.exact
        assert answer.strategy is not None
        mine, yours = (as_plan(game, p, answer.strategy[name]) for p, name in enumerate("AB"))
        assert min(payoff(game, {**mine, **plan}) for plan in plans(game, 1)) == truth, seed
        assert max(payoff(game, {**yours, **plan}) for plan in plans(game, 0)) == truth, seed


def test_some_random_networks_need_the_price() -> None:
    """The random games above are worth their name only if endless play decides some of them, and chance others."""
    prices = [retrograde(game).value == game.promises.forever for game in map(random_network, range(200))]
    assert 20 < sum(prices) < 180


@pytest.fixture
def by_value_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part of a game in which positions come again is too large for exact strategies."""
    monkeypatch.setattr(strategy_iteration, "LARGEST_COMPONENT", 1)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", [Pig(8), Pig(8, hold_at_once=True), Ruin(3, 10, Fraction(2, 5), bold=True)])
def test_floating_point_keeps_its_bounds(game: Any, request: pytest.FixtureRequest) -> None:
    truth = retrograde(game)
    request.getfixturevalue("by_value_iteration")
    answer = retrograde(game)
    assert not answer.exact
    assert "value iteration" in (answer.limit or "")
    assert truth.value is not None
    assert answer.value == pytest.approx([float(v) for v in truth.value], abs=1e-10)
    assert answer.best[0] in truth.best


FAIR = """
players Ann, Bob
state
    at: 0..11 = 5
start step
chance step(d: 1..3) as "{d}"
    at := at + (if d = 1 then 2 else -1)
    next step
terminal
    at >= 10 or at = 0 -> at - 5
"""


def test_nobody_wins_by_what_rounding_leaves(by_value_iteration: None) -> None:
    answer = retrograde(gdl.loads(FAIR).game)
    assert answer.value == (0, 0)
    assert not answer.exact
    assert "Nobody wins on average" in str(answer)


def test_bounds_that_do_not_meet_are_told(request: pytest.FixtureRequest) -> None:
    nodes: list[Node] = [Chance((("0", HALF), ("1", HALF))), Decision(0, ("0", "1")), Decision(1, ("0", "1"))]
    nodes += [Terminal((1, -1)), Terminal((-1, 1))]
    game = Network(nodes, [[1, 2], [0, 4], [0, 3]], forever=(0, 0))
    assert retrograde(game).value == (0, 0)
    request.getfixturevalue("by_value_iteration")
    answer = retrograde(game)
    assert (answer.value, answer.limit) == (None, "bounds of the value have not met")
    assert answer.interval == ((-Fraction(11, 10), Fraction(11, 10)),) * 2


# parts ----------------------------------------------------------------------------------------------------------------


def test_strong_components() -> None:
    edges = {0: [1], 1: [2, 3], 2: [0], 3: [4, 5], 4: [3], 5: []}
    assert strong_components(range(6), edges) == [[5], [3, 4], [0, 1, 2]]
    assert strong_components([0, 1, 2], {0: [1], 1: [0, 9], 2: [2]}) == [[0, 1], [2]]
    long = {k: [k + 1] for k in range(50_000)} | {50_000: [0]}
    assert len(strong_components(long, long)) == 1


def test_end_components() -> None:
    """Chance at 1 may lead out to 9, so staying with it is not sure; 2 and 3 can stay by themselves."""
    options = {0: [(1,)], 1: [(0, 9)], 2: [(3,), (0,)], 3: [(2,)], 4: [(4, 2)], 5: [(5,)]}
    assert end_components(options) == {2, 3, 5}


def test_linear_equations() -> None:
    """A walk on 0..4 that stops at both ends: the chances to stop on the right."""
    equations = {k: Equation(HALF * (k == 3), {j: HALF for j in (k - 1, k + 1) if 0 < j < 4}) for k in (1, 2, 3)}
    assert solve(equations) == {1: Fraction(1, 4), 2: HALF, 3: Fraction(3, 4)}
    assert solve({0: Equation(1, {0: Fraction(2, 3)})}) == {0: 3}


# limits ---------------------------------------------------------------------------------------------------------------


def test_limits() -> None:
    with pytest.raises(LimitReached, match="more than 100 states") as stopped:
        retrograde(Pig(10), SearchLimits(nodes=100))
    assert isinstance(stopped.value.partial, Solution)
    with pytest.raises(LimitReached, match="seconds"):
        retrograde(Pig(30), SearchLimits(time=0.05))

    def press_ctrl_c(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        retrograde(Pig(10), SearchLimits(progress=press_ctrl_c))


def test_refusals() -> None:
    nodes: list[Node] = [Decision(0, ("0", "1")), Terminal((1, 2)), Terminal((0, 0))]
    with pytest.raises(Refusal, match="retrograde needs a zero-sum game; network is general-sum"):
        retrograde(Network(nodes, [[1, 2]]))
