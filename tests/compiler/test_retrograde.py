"""Retrograde analysis on the compiled engine: held against its readable twin, and known values of whole games."""

from random import Random

import pytest
from sampling import one_in
from shipped import shipped

import gdl
from gdl.commands.engines import offer
from gdl.compiler.searches.retrograde import Retrograde
from gdl.errors import LimitReached
from gdl.interpreter.position import begin_at
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.solvers.cyclic.attractor import Forced
from gdl.solvers.cyclic.spaces import Enumerated
from gdl.solvers.cyclic.strategy_iteration import Exact
from gdl.states.explore import Exploration, explore

pytest.importorskip("wasmtime")

GAMES = [
    ("nim", {}),
    ("pong_hau_ki", {}),
    ("chomp", {}),
    ("kayles", {}),
    ("toads_and_frogs", {}),
    ("connect_four", {"columns": "3", "rows": "3", "run": "3"}),
    ("breakthrough", {"rows": "4", "columns": "2"}),
    ("kalah", {"houses": "2", "seeds": "2"}),
    ("dots_and_boxes", {"rows": "1", "columns": "2"}),
    ("domineering", {"rows": "3", "columns": "3"}),
    ("hex", {"n": "2"}),
]
ROUND = """game "Round" (size = 6)
players Ann, Bob

state
    at: 0..size = 2

action up when at < size
    at := at + 1

action down when at > 0
    at := at - 1

action stay when at = 3

terminal
    at = size -> pay 6 to Ann
    at = 0 and mover = Ann -> pay 4 to Bob
"""


DUNGEON = """game "Dungeon" (life = 2)
players Hero, Fate
board Square = grid(2, 2)

state
    at: Square = a1
    wounds: 0..life
    lair[s: Square]: Boolean = s != a1
    loot: 0..1
    over: Boolean

action walk(s: Square) as "{s}" when not lair[at] and distance(at, s, {north, east, south, west}) = 1
    at := s
    next Hero

action fight when lair[at]
    next blow

action rest when wounds > 0 and not lair[at]
    wounds := wounds - 1
    next night

action open when at = b2 and not lair[b2]
    loot := 1
    next Hero

action leave when at = a1 and not lair[a1]
    over := true

chance blow(die: 1..6)
    if die > 3
        lair[at] := false
    else if die = 1
        wounds := wounds + 1
    next Hero

chance night(s: Square)
    lair[s] := true
    next Hero

terminal
    wounds = life -> (0, 0)
    over -> (loot, -loot)
    forever -> (PRICE, -PRICE)
"""


def game(name: str, settings: dict[str, str] | None = None) -> RulesGame:
    own = {"round": ROUND, "chance round": CHANCE_ROUND, "chance upon chance": CHANCE_UPON_CHANCE}.get(name)
    if own is None:
        return shipped(name, settings)
    found = gdl.loads(own).game
    assert isinstance(found, RulesGame)
    return found


def analysed(found: RulesGame, engine: str, price: int) -> Retrograde:
    search = Retrograde(found, found.initial(), engine)
    for step in (search.explore, lambda: search.prepare(price), lambda: search.analyse(price)):
        for _ in step():
            pass
    return search


def agree(found: RulesGame, space: Exploration, price: int, engine: str) -> None:
    search = analysed(found, engine, price)
    twin = Forced(space, 0, price)
    kernel = Enumerated(found, search, 0).best_play(price, lambda: None)
    assert kernel.endless == twin.endless
    for number, state in enumerate(space.states):
        assert search.number(state) == number
        assert search.state(number) == state
        assert kernel.value(number) == twin.value(number)
        assert kernel.rank(number) == twin.rank(number)
        if space.children[number]:
            assert kernel.choose(number) == twin.choose(number)


@pytest.mark.thorough_of("nim")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("asked", one_in(2, GAMES), ids=lambda asked: asked[0])
def test_values_and_distances_are_those_of_the_twin(asked: tuple[str, dict[str, str]]):
    found = game(*asked)
    space = explore(found)
    for price in (0, -1):
        agree(found, space, price, "wasm")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("price", [-4, -2, 0, 1, 3, 5])
def test_endless_play_has_a_price(price: int, engine: str):
    found = game("round")
    agree(found, explore(found), price, engine)


@pytest.mark.parametrize(
    ("name", "settings", "value", "rank", "states"),
    [
        ("connect_four", {"columns": "4", "rows": "4"}, 0, 16, 161_029),
        ("othello", {"n": "4"}, -8, 10, 62_789),
        pytest.param("fox_and_hounds", {}, -1, None, 895_280, marks=pytest.mark.slow),
    ],
    ids=["connect four", "othello", "fox and hounds"],
)
def test_known_values(name: str, settings: dict[str, str], value: int, rank: int | None, states: int):
    found = game(name, settings)
    search = analysed(found, "wasm", 0)
    assert search.states == states
    assert search.value(0) == value
    assert rank is None or search.rank(0) == rank


def test_the_solver_answers_alike_with_the_kernel_and_without():
    answers = []
    for engine in (None, "wasm", "python"):
        found = game("connect_four", {"columns": "3", "rows": "3", "run": "3"})
        if engine:
            found = offer(found, engine)
        answers.append(solve(found, "retrograde"))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].states == 694


@pytest.mark.thorough
def test_large_games_go_to_the_kernel():
    found = game("othello", {"n": "4"})
    found = offer(found, "auto")
    answer = solve(found, "retrograde")
    assert (answer.value, answer.states, answer.strategy) == ((-8, 8), 62_789, None)
    with pytest.raises(LimitReached, match="more than 30,000 states"):
        solve(found, "retrograde", nodes=30_000)


CHANCE_ROUND = """game "Chance round"
players Ann, Bob

state
    at: 0..9 = 4

action wait
    next fall

action run when at < 9
    at := at + 1
    next fall

chance fall(d: 0..2) as "{d}" weight 3 - d
    at := max(at - d, 0)
    next player after mover

terminal
    at = 9 -> pay 6 to Ann
    at = 0 -> pay 4 to Bob
"""


CHANCE_UPON_CHANCE = """game "Chance upon chance"
players Ann, Bob

state
    at: 0..7 = 3
    lucky: Boolean

action risk
    next fall

action dare
    next fall

action wish when not lucky
    lucky := true
    next wind

chance fall(d: 0..6) as "{d}"
    at := min(max(at + d - 3, 0), 7)
    next wind

chance wind(d: 0..1) as "{d}" weight 3 - 2 * d
    at := if lucky then at else max(at - d, 0)
    next player after mover

terminal
    at = 7 -> pay 6 to Ann
    at = 0 -> pay 4 to Bob
"""


@pytest.mark.one_in(5)
@pytest.mark.parametrize("engine", ["wasm", "python"])
@pytest.mark.parametrize("name", ["pig", "chance round", "chance upon chance"])
@pytest.mark.parametrize("price", [-3, 0, 2])
def test_bounds_hold_the_exact_values(name: str, price: int, engine: str):
    found = game("pig", {"goal": "6"}) if name == "pig" else game(name)
    search = analysed(found, engine, price)
    values = Exact(explore(found), 0, price, lambda: None)
    light = Exact(search.exploration(), 0, price, lambda: None)
    for number in range(search.states):
        low, high = search.bounds(number)
        assert low <= values.value(number) <= high <= low + 1e-8
        assert light.value(number) == values.value(number)
    assert search.endless == values.endless


@pytest.mark.one_in(5)
@pytest.mark.parametrize("price", ["-1", "0", "1/2", "1", "2"])
@pytest.mark.parametrize("maximiser", [0, 1])
def test_who_walks_to_and_fro_for_nothing_leaves_no_gap(price: str, maximiser: int):
    """Upper bounds of the hero's value stood still at the greatest of all ends, for the hero could always walk on."""
    found = gdl.loads(DUNGEON.replace("PRICE", price)).game
    assert isinstance(found, RulesGame) and found.promises.forever is not None
    paid = found.promises.forever[maximiser]
    search = Retrograde(found, found.initial(), "wasm", maximiser=maximiser)
    for step in (search.explore, lambda: search.prepare(paid), lambda: search.analyse(paid)):
        for _ in step():
            pass
    values = Exact(search.exploration(), maximiser, paid, lambda: None)
    assert search.endless
    for number in range(search.states):
        low, high = search.bounds(number)
        assert low <= values.value(number) <= high
        assert high - low < 1e-6


def wandering(seed: int, price: str) -> RulesGame:
    """A game at random: two players and dice move one piece from point to point; the last points are ends."""
    choice = Random(seed)
    points = choice.randint(5, 30)
    owners = ["Ann", *(choice.choice(["Ann", "Bob", "c"]) for _ in range(points - 1))]
    lines = ['game "Wandering"', "players Ann, Bob", "state", f"    at: 0..{points + 3}", "start", "    next Ann"]
    for at, owner in enumerate(owners):
        for k in range(2):
            to = choice.randrange(points + 4 if choice.random() < 0.25 else points)
            after = owners[to] if to < points else "Ann"
            if owner == "c":
                lines += [f"chance c{at}(die: 0..1)"] * (k == 0) + [f"    if die = {k}"]
            else:
                lines += [f"action go{at}_{k} when at = {at}"]
            indent = "        " if owner == "c" else "    "
            lines += [f"{indent}at := {to}", f"{indent}next {f'c{to}' if after == 'c' else after}"]
    lines += ["terminal"]
    lines += [f"    at = {points + k} -> pay {pay} to Ann" for k, pay in enumerate(("1", "-1", "1/2", "-3/4"))]
    lines += [f"    forever -> pay {price} to Ann"]
    found = gdl.loads("\n".join(lines) + "\n").game
    assert isinstance(found, RulesGame)
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("price", ["-1", "0", "1/4"])
def test_two_who_can_both_wander_for_ever_leave_no_gap(seed: int, price: str):
    """Neither side's bounds came to the values: MAX saw no loss in walking on, and neither did MIN."""
    found = wandering(seed, price)
    assert found.promises.forever is not None
    paid = found.promises.forever[0]
    search = Retrograde(found, found.initial(), "python")
    for step in (search.explore, lambda: search.prepare(paid), lambda: search.analyse(paid)):
        for _ in step():
            pass
    if search.has_chance:
        values = Exact(search.exploration(), 0, paid, lambda: None)
        for number in range(search.states):
            low, high = search.bounds(number)
            assert low <= values.value(number) <= high <= low + 1e-9


@pytest.mark.thorough
def test_games_of_chance_that_are_not_large_are_worked_out_in_fractions():
    found = game("pig", {"goal": "10"})
    found = offer(found, "auto")
    answer = solve(found, "retrograde")
    assert answer.exact
    assert answer.value == solve(game("pig", {"goal": "10"}), "retrograde").value


@pytest.mark.parametrize(
    ("goal", "states", "chance"),
    [("30", 99_296, 0.567915), pytest.param("100", 3_900_996, 0.530592725274, marks=pytest.mark.slow)],
)
def test_pig_is_worth_what_others_have_found(goal: str, states: int, chance: float):
    """The first player's chance to win; to 100 points it is 0.5306 (Neller and Presser 2004)."""
    found = game("pig", {"goal": goal})
    found = offer(found, "auto")
    answer = solve(found, "retrograde")
    assert answer.value is not None
    assert answer.states == states
    assert abs((1 + answer.value[0]) / 2 - chance) < 1e-6
    assert answer.limit is not None
    assert answer.limit.startswith("value iteration to within")


def test_edges_count_as_memory():
    found = game("othello", {"n": "4"})
    search = Retrograde(found, found.initial(), "wasm", memory=3 << 20)
    with pytest.raises(LimitReached, match="do not fit in"):
        for _ in search.explore():
            pass


def test_more_memory_leaves_room_for_edges():
    found = game("othello", {"n": "4"})
    for memory in (1 << 31, 1 << 33):
        assert Retrograde(found, found.initial(), "wasm", memory=memory).pool > 1 << 28


@pytest.mark.slow
def test_auto_takes_it_where_all_positions_have_room():
    found = game("othello", {"n": "4"})
    found = offer(found, "auto")
    answer = solve(found)
    assert (answer.solver, answer.value, answer.exact) == ("retrograde", (-8, 8), True)
    assert answer.reason == "more than 20,000 positions, and the compiled engine has room for all"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("position", "plies"),
    [
        ("8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", 15),  # as an independent endgame table has it
        pytest.param("8/8/8/3k4/8/8/1R6/K7 w - - 0 1", 31, marks=pytest.mark.slow),
    ],
    ids=["queen", "rook"],
)
def test_chess_endgames(position: str, plies: int):
    """Positions that differ in the count of quiet moves alone are one where no rule asks for it."""
    model = begin_at(gdl.loads(*gdl.read("chess"), variant="perft").model, position)
    found = gdl.play(model)
    assert isinstance(found, RulesGame)
    search = analysed(found, "wasm", 0)
    assert search.left_out == ["quiet"]
    assert (search.value(0), search.rank(0)) == (1, plies)
