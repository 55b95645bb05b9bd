"""A game with packed states is the game that the interpreter plays: same nodes, states, names and faults."""

import pickle
import random
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from late_clock import all_clocks_replaced
from sampling import one_in
from shipped import loaded

import gdl
from gdl.compiler import packed_game
from gdl.compiler.compiled_engine import offer
from gdl.compiler.packed_game import PackedGame, pack_game, why_unpacked
from gdl.errors import GameError
from gdl.game import Terminal, actions
from gdl.interpreter.rules_game import RulesGame
from gdl.render.text import solution_text
from gdl.solvers import auto, solve
from gdl.solvers.budget import SearchLimits
from gdl.states.explore import Walk

UNPACKED = {  # tables and trees; somebody does not see everything, or acts at once
    "bandit", "battle_of_the_sexes", "battleships", "beer_quiche", "blind_tic_tac_toe", "bridge_ending",
    "chance_leaves", "chance_leaves_scaled", "cheat", "chicken", "coin_flip", "colonel_blotto", "dark_hex",
    "dice_roll", "entry", "figure_5_2", "for_sale", "goofspiel", "kriegspiel", "kuhn", "leduc", "liars_dice",
    "matching_pennies", "monty_hall", "one_card_poker", "prisoners", "repeated_prisoners", "rock_paper_scissors",
    "scrabble", "seltens_horse", "stag_hunt", "stratego", "three_players", "three_tricks", "two_roads",
}  # fmt: skip
PACKABLE = [name for name in gdl.shipped() if name not in UNPACKED]
QUICK = {  # for the interpreter, and to compile; between them chance, bodies that choose, names by `as`
    "2048", "ataxx", "awari", "breakthrough", "connect_four", "centipede", "dots_and_boxes", "kalah", "kayles",
    "konane", "monopoly", "nine_mens_morris", "pig", "twenty_one", "wythoff", "yahtzee",
} & set(PACKABLE)  # fmt: skip
REMEMBERING = ["atomic", "awari", "chess", "crazyhouse", "shogi", "xiangqi"]  # their rules ask for earlier positions
FAULTY = "players A, B\nstate\n    left: 0..5 = 5\naction take(n: 1..3)\n    left := left - n\nterminal\n    left = 0 -> lose mover\n"
MANY = (  # 19,500 names
    "players A, B\nstate\n    last: 0..150\n    left: 0..2 = 2\n"
    "action pick(m: 1..65, n: 1..150)\n    last := n\n    left := left - 1\nterminal\n    left = 0 -> draw\n"
)


@pytest.fixture(autouse=True)
def compiled_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_game, "PAYS", 0.0)


def walks_alike(name: str, plays: int, plies: int) -> None:
    """Random plays of both, in which every state is asked for one successor, and some for all, in either order."""
    game = loaded(name).game
    packed, chooser = PackedGame(game), random.Random(name)
    for _ in range(plays):
        line = [(game.initial(), packed.initial())]
        for _ in range(plies):
            state, held = line[-1]
            node = game.node(state)
            assert packed.node(held) == node
            assert packed.inside(held) == state
            if isinstance(node, Terminal):
                break
            action = chooser.choice(actions(node))
            line.append((game.successor(state, action), packed.successor(held, action)))
        for state, held in chooser.sample(line[:-1], min(5, len(line) - 1)):
            for action in chooser.sample(actions(game.node(state)), min(6, len(actions(game.node(state))))):
                child, other = game.successor(state, action), packed.successor(held, action)
                assert packed.node(other) == game.node(child)
                assert packed.inside(other) == child
    assert packed.compiled is not None


@pytest.mark.thorough
def test_all_others_are_packed():
    assert {name for name in gdl.shipped() if why_unpacked(loaded(name).game)} == UNPACKED


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", sorted(QUICK))
def test_packed_games_are_what_the_interpreter_plays(name: str):
    walks_alike(name, 2, 20)


@pytest.mark.thorough
@pytest.mark.parametrize("name", PACKABLE)
def test_long_plays_of_packed_games(name: str):
    walks_alike(name, 3, 150)


@pytest.mark.thorough_of("nim")
@pytest.mark.parametrize("name", ["nim", "pong_hau_ki", "pig", "ultimatum"])
def test_walks_number_the_same_states(name: str):
    game = loaded(name).game
    plain, packed = Walk(game, 3000), Walk(PackedGame(game), 3000)
    for one, other in zip(plain, packed, strict=True):
        assert one == other
        if one.number > 800:
            break
    assert len(plain.states) == len(packed.states)


SMALL = [  # games whose positions are all looked at to find the solver
    "chinese_checkers", "chomp", "domineering", "dots_and_boxes", "hex", "kayles", "monopoly", "nim",
    "open_spades", "pong_hau_ki", "tic_tac_toe", "twenty_one", "wythoff", "yahtzee",
]  # fmt: skip


@pytest.mark.thorough_of(
    "nim", "pong_hau_ki", "hex", "open_spades", "yahtzee", "twenty_one", "chinese_checkers", "dots_and_boxes"
)
@pytest.mark.parametrize("name", SMALL)
def test_answers_are_the_same_where_compiled_code_goes_on_with_the_walk(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(auto, "INTERPRETED_POSITIONS", 20)
    game = RulesGame(loaded(name).model)
    expected, found = solve(game), solve(offer(game, "auto"))
    assert vars(game)["packed"].compiled is not None
    assert solution_text(found) == solution_text(expected)
    assert (found.strategy, found.equilibria, found.nodes) == (expected.strategy, expected.equilibria, expected.nodes)


def test_a_walk_that_a_time_cuts_short_makes_no_code(monkeypatch: pytest.MonkeyPatch):
    """Yahtzee had no time left for its exact answer in a second, as the walk took its share for code of no use."""
    monkeypatch.setattr(auto, "INTERPRETED_POSITIONS", 20)
    game = RulesGame(loaded("nim").model)
    assert auto.pick(offer(game, "auto"), SearchLimits(time=100)).solver == "minimax"
    assert "packed" not in vars(game)


@pytest.mark.parametrize("name", ["connect_four", "awari"])
def test_states_are_values(name: str):
    packed = PackedGame(loaded(name).game)
    states = [packed.initial()]
    for _ in range(12):
        states.append(packed.successor(states[-1], actions(packed.node(states[-1]))[0]))
    assert len(set(states)) == 13 and sorted(states)[0] == min(states)
    other, again = PackedGame(loaded(name).game), pickle.loads(pickle.dumps(states))
    assert again == states and len(pickle.dumps(states[0])) < 400
    for one, same in zip(states, again, strict=True):
        assert other.node(same) == packed.node(one)
        assert other.inside(same) == packed.inside(one)
    assert [other.show(one) for one in again[::-3]] == [packed.show(one) for one in states[::-3]]


@pytest.mark.parametrize("name", ["connect_four", "kayles", "pong_hau_ki"])
def test_promises_are_those_of_the_game(name: str):
    game = loaded(name).game
    packed = PackedGame(game)
    state, held, own, other = game.initial(), packed.initial(), game.promises, packed.promises
    assert (other.forever, other.constant_sum, other.proved()) == (own.forever, own.constant_sum, own.proved())
    assert other.bounds(held) == own.bounds(state)
    assert packed.inside(other.with_mover(held, 1)) == own.with_mover(state, 1)


def test_threads_share_a_packed_game():
    packed = PackedGame(loaded("awari").game)

    def play(seed: int) -> list[bytes]:
        chooser, line = random.Random(seed), [packed.initial()]
        while len(line) < 150 and not isinstance(packed.node(line[-1]), Terminal):
            line.append(packed.successor(line[-1], chooser.choice(actions(packed.node(line[-1])))))
        return line

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, [0, 1, 2, 3])) == alone


@pytest.mark.thorough
def test_more_names_than_the_table_has_room_for():
    """Names are found by a table of 16,384 and beyond it by the program: all are right, at a state met again too."""
    game = gdl.loads(MANY).game
    packed = PackedGame(game)
    for state, held in [(game.initial(), packed.initial())] * 2:
        after = [
            (game.successor(state, name), packed.successor(held, name)) for name in ("pick(1, 7)", "pick(65, 150)")
        ]
        for one, other in [(state, held), *after]:
            assert packed.node(other) == game.node(one)
            assert packed.inside(other) == one


def test_faults_are_those_of_the_interpreter():
    game = gdl.loads(FAULTY).game
    packed = PackedGame(game)
    state, held = game.initial(), packed.initial()
    for action in ("take(3)", "take(1)"):
        state, held = game.successor(state, action), packed.successor(held, action)
    for action in ("take(2)", "nonsense"):
        with pytest.raises(GameError) as plain:
            game.successor(state, action)
        with pytest.raises(GameError) as other:
            packed.successor(held, action)
        assert str(plain.value) == str(other.value)
    with pytest.raises(GameError, match="is no state"):
        packed.node(b"no state")


def test_a_game_is_loaded_with_packed_states():
    game = gdl.load("connect_four", settings={"columns": 4, "rows": 4}, packed=True)
    assert isinstance(game.initial(), bytes)
    assert pickle.loads(pickle.dumps(game)) == game
    later = gdl.load("connect_four", after="drop(1) drop(2)", packed=True)
    assert isinstance(later.initial(), bytes)
    assert later.node(later.initial()).player == 0
    assert gdl.solve(game, "mcts", simulations=20, seed=1).best


def test_who_has_no_packed_states_is_told():
    with pytest.warns(UserWarning, match="what players of Kuhn poker remember"):
        assert not isinstance(gdl.load("kuhn", packed=True), PackedGame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pack_game(gdl.load("prisoners")) is not None


def test_the_interpreter_answers_until_compiling_pays():
    packed = PackedGame(loaded("nim").game)
    with all_clocks_replaced(lambda: 0.0):
        state = packed.successor(packed.initial(), actions(packed.node(packed.initial()))[0])
    assert packed.compiled is None
    compiled = PackedGame(loaded("nim").game)
    compiled.node(compiled.initial())
    assert compiled.compiled is not None and compiled.node(state) == packed.node(state)


@pytest.mark.parametrize("name", one_in(6, REMEMBERING, 2))
def test_earlier_positions_travel_with_the_state(name: str):
    """States of several lines, asked for in any order."""
    game, packed, chooser = loaded(name).game, PackedGame(loaded(name).game), random.Random(4)
    pairs = [(game.initial(), packed.initial())]
    for _ in range(40):
        state, held = chooser.choice(pairs)
        node = game.node(state)
        assert packed.node(held) == node
        if not isinstance(node, Terminal):
            action = chooser.choice(actions(node))
            pairs.append((game.successor(state, action), packed.successor(held, action)))
            assert packed.inside(pairs[-1][1]) == pairs[-1][0]
