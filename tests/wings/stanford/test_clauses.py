"""Games in Stanford's Game Description Language, held against programs that know nothing of clauses, against our own
files of the same games, and against a naive evaluator of random clauses."""

import random
from itertools import product
from pathlib import Path

import pytest
from clauses_evaluator import ClausesEvaluator, Position
from click.testing import CliRunner
from installed import without_wing
from together import together
from verification import verify

import gdl
from gdl import wings
from gdl.commands import engines
from gdl.commands.cli import commands
from gdl.errors import GameError, Refusal
from gdl.formats.answer import to_object
from gdl.game import Chance, Decision, Simultaneous, Terminal
from gdl.solvers import solve
from gdl.states import count
from gdl.states.explore import Walk, moves
from gdl.wings.stanford import clauses_game, clauses_on_demand, datalog, kif_reader, steppable_clauses
from gdl.wings.stanford.clauses_model import Clause, Condition, Stratum, term_text
from gdl.wings.stanford.datalog import DerivedFacts, follow, plan_strata
from gdl.wings.stanford.grounded_game import GroundedGame, by_clauses

FOLDER = Path(__file__).parent / "clauses"
NAMES = sorted(file.stem for file in FOLDER.glob("*.kif"))


def load(name: str):
    return gdl.load(FOLDER / f"{name}.kif")


# ---- What kind of game it is --------------------------------------------------------------------------------------


def test_what_kind_of_game_it_is_takes_a_bounded_work(monkeypatch: pytest.MonkeyPatch):
    """Not six thousand positions, however long the clauses take for one; and the same whatever was played before."""
    assert load("race").traits.states == 89
    monkeypatch.setattr(clauses_game, "WORK", 10)
    fresh, used = load("race"), load("race")
    assert len(list(Walk(used))) == 89 and used.worked > 1000
    assert fresh.traits.states is None
    assert used.traits == fresh.traits


# ---- The same games elsewhere -----------------------------------------------------------------------------------


@pytest.mark.thorough
def test_tic_tac_toe_is_ours():
    kif, ours = load("tic_tac_toe"), gdl.load("tic_tac_toe")
    assert [count.perft(kif, n) for n in range(5)] == [count.perft(ours, n) for n in range(5)]


@pytest.mark.slow
def test_tic_tac_toe_has_its_positions():
    counted = count.states(load("tic_tac_toe"))
    assert (counted.states, counted.terminal, counted.edges) == (5_478, 958, 16_167)


def test_connect_three_is_connect_four_made_small():
    settings = {"columns": "4", "rows": "3", "run": "3"}
    kif, ours = load("connect_three"), gdl.load("connect_four", settings=settings)
    assert [count.perft(kif, n) for n in range(5)] == [count.perft(ours, n) for n in range(5)]


@pytest.mark.slow
def test_connect_three_has_the_value_of_connect_four_made_small():
    kif = load("connect_three")
    ours = gdl.load("connect_four", settings={"columns": "4", "rows": "3", "run": "3"})
    mine, theirs = gdl.solve(kif), gdl.solve(ours)
    assert mine.best == theirs.best and mine.value == (100, 0) and theirs.value == (1, -1)
    assert count.states(kif) == count.states(ours)


def test_buttons_and_lights():
    """All states by the definition of the buttons."""
    game = load("lights")

    def press(lights: tuple[bool, ...], button: str) -> tuple[bool, ...]:
        p, q, r = lights
        return {"a": (not p, q, r), "b": (q, p, r), "c": (p, r, q)}[button]

    reached, layer = {((False,) * 3, 1)}, [((False,) * 3, 1)]
    ways = [1]
    while layer:
        layer = [
            (press(lights, button), step + 1)
            for lights, step in layer
            if step < 7 and not all(lights)
            for button in "abc"
        ]
        reached.update(layer)
        ways.append(len(layer))
    assert count.states(game).states == len(reached) == 32
    assert [count.perft(game, n) for n in range(8)] == ways
    assert gdl.solve(game).value == (100,)


def test_choices_at_once_and_chance():
    """The race as a program of its own: both step, then the wind blows."""
    game = load("race")
    node = game.node(game.initial())
    assert isinstance(node, Simultaneous) and node.actions == (("go(1)", "go(2)"),) * 2
    between = game.successor(game.initial(), ("go(1)", "go(2)"))
    assert game.node(between) == Chance(tuple((f"blow({n})", gdl.numbers.Fraction(1, 3)) for n in range(3)))

    def over(a: int, b: int) -> bool:
        return (a == b and a > 0) or a == 4 or b == 4

    states, stack = {(0, 0, 0)}, [(0, 0, 0)]
    while stack:
        a, b, wind = stack.pop()
        if over(a, b):
            continue
        for one, two, wind in product((1, 2), (1, 2), range(3)):
            new = (min(a + one, 4), min(b + two, 4), wind)
            if new not in states:
                states.add(new)
                stack.append(new)
    walked = {state for state in reachable(game) if not state.chosen}
    assert len(walked) == len(states)
    ends = sum(over(a, b) for a, b, _ in states)
    assert sum(isinstance(game.node(state), Terminal) for state in walked) == ends


def reachable(game):
    found, stack = {game.initial()}, [game.initial()]
    while stack:
        state = stack.pop()
        for move in moves(game.node(state)):
            new = game.successor(state, move)
            if new not in found:
                found.add(new)
                stack.append(new)
    return found


def test_rock_paper_scissors_is_mixed():
    found = gdl.solve(load("rps"))
    assert {str(share) for share in found.equilibria[0]["ann"]["start"].values()} == {"1/3"}


def test_what_is_seen_makes_information_sets():
    game = load("cards")
    counted = count.histories(game)
    assert dict(counted.infosets) == {"teller": 2, "guesser": 2}
    assert gdl.solve(game).value == (50, 50)
    assert game.traits.perfect_information is False and game.traits.perfect_recall is True


def test_recursion_and_functions():
    game = load("reach")
    assert count.states(game).states == 10
    assert gdl.solve(game).value == (7,)
    assert isinstance(game.node(game.initial()), Decision)


LARGE = ("breakthrough", "connect_three", "tic_tac_toe")
BY_RULES = ("breakthrough", "connect_three", "duel", "lights", "reach", "rps", "tic_tac_toe")
SMALL = [name for name in NAMES if name != "breakthrough"]
BY_SIZE = [pytest.param(name, marks=[pytest.mark.slow] * (name == "breakthrough")) for name in NAMES]


# ---- By rules ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BY_SIZE)
def test_games_without_chance_or_secrets_are_played_by_rules(name):
    assert isinstance(load(name), GroundedGame) == (name in BY_RULES)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", BY_SIZE)
def test_rules_are_what_the_clauses_say(name):
    """In random plays: the same moves, utilities and facts after each move; the compiled engine takes them."""
    game = load(name)
    if not isinstance(game, GroundedGame):
        return
    dice = random.Random(7)
    for _ in range(2 if name in LARGE else 6):
        same_play(game, dice)
    pytest.importorskip("gdl.wings.programs")
    environment = game.environment(engine="python", seed=1)
    while not environment.over:
        environment.step(environment.legal[-1])
    assert environment.utilities == game.clauses.node(by_clauses(game, environment.position)).utilities


def same_play(game, dice):
    clauses_game = game.clauses
    mine, theirs = game.initial(), clauses_game.initial()
    while True:
        assert by_clauses(game, mine) == theirs and game.show(mine) == clauses_game.show(theirs)
        node, due = game.node(mine), clauses_game.node(theirs)
        if isinstance(due, Terminal):
            assert node == due
            return
        if isinstance(due, Simultaneous):
            assert isinstance(node, Simultaneous)
            assert list(map(sorted, node.actions)) == list(map(sorted, due.actions))
        else:
            assert (node.player, sorted(node.actions)) == (due.player, sorted(due.actions))
        move = dice.choice(moves(due))
        mine, theirs = game.successor(mine, move), clauses_game.successor(theirs, move)


@pytest.mark.parametrize("name", ["duel", "rps"])
def test_moves_at_once_are_the_same_on_the_compiled_engine(name):
    """Each position of random plays, those included in which one player alone has a choice."""
    game, dice, kinds = load(name), random.Random(3), set()
    for _ in range(20):
        pytest.importorskip("gdl.wings.programs")
        state, environment = game.clauses.initial(), game.environment(engine="python")
        while not environment.over:
            assert by_clauses(game, environment.position) == state
            node = game.clauses.node(state)
            kinds.add(type(node))
            joint = []
            for player in range(len(game.players)) if isinstance(node, Simultaneous) else (node.player,):
                own = node.actions[player] if isinstance(node, Simultaneous) else node.actions
                if own:
                    assert sorted(environment.names.values()) == sorted(own)
                    number = dice.choice(environment.legal)
                    joint.append(environment.names[number])
                    environment.step(number)
                else:
                    joint.append("")
            state = game.clauses.successor(state, tuple(joint) if isinstance(node, Simultaneous) else joint[0])
        assert environment.utilities == game.clauses.node(state).utilities
    assert kinds == ({Decision, Simultaneous} if name == "duel" else {Simultaneous})


def test_moves_at_once_have_the_values_of_the_clauses():
    game = load("duel")
    assert count.states(game) == count.states(game.clauses)
    assert gdl.solve(game).value == gdl.solve(game.clauses).value


SAME_NAMES = """(role a) (role b) (init (turn a)) (init (at 0)) (init (step 0)) (next-of 0 1) (next-of 1 2)
(<= (legal ?p left) (true (turn ?p))) (<= (legal ?p right) (true (turn ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (step ?n)) (true (step ?m)) (next-of ?m ?n))
(<= (next (at 1)) (does a left)) (<= (next (at 2)) (does a right)) (<= (next (at 3)) (does b left) (true (at 1)))
(<= (next (at 4)) (does b left) (true (at 2))) (<= (next (at ?x)) (does b right) (true (at ?x)))
(<= terminal (true (step 2))) (<= (goal a ?n) (pays ?n ?x) (true (at ?x)))
(<= (goal b ?n) (pays ?n ?x) (true (at ?x))) (pays 10 1) (pays 20 2) (pays 30 3) (pays 40 4)"""


def test_moves_of_two_players_may_have_one_name():
    """Each has a function of its own in the compiled engine."""
    game = gdl.loads(SAME_NAMES, "x.kif").game
    for first, last, paid in (0, 0, 30), (0, 1, 10), (1, 0, 40), (1, 1, 20):
        pytest.importorskip("gdl.wings.programs")
        environment = game.environment(engine="python")
        environment.step(environment.legal[first])
        environment.step(environment.legal[last])
        assert environment.over and environment.utilities == (paid, paid)


@pytest.mark.slow
def test_breakthrough_is_ours():
    kif, ours = load("breakthrough"), gdl.load("breakthrough")
    assert [engines.perft(kif, n, "auto", None) for n in (3, 4)] == [
        engines.perft(ours, n, "auto", None) for n in (3, 4)
    ]


NOT_BY_RULES = {
    "(role a) (role random) (legal a go) (legal random noop) (init x) (<= terminal (not (true x))) (goal a 1)":
        "the role 'random' moves",
    "(role a) (legal a go) (sees a x) (init x) (<= terminal (not (true x))) (goal a 1)": "players learn by 'sees'",
    "(role a) (legal a go) (init (p x)) (l x y) (l y x) (<= (q ?x) (true (p ?x))) (<= (q ?x) (l ?x ?y) (q ?y)) "
    "(<= (next (p ?x)) (q ?x)) (<= terminal (q z)) (goal a 1)": "'q' follows from itself in play",
}  # fmt: skip


@pytest.mark.parametrize("name", ["tic_tac_toe", "duel"])
def test_rules_that_are_too_long_are_left_to_the_interpreter(name, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("gdl.wings.stanford.ground_rules.MOST_WRITTEN", 100)
    game = load(name)
    assert not isinstance(game, GroundedGame) and game.reason == "its rules without variables are too long"


def test_what_might_follow_without_end_is_no_fault_of_play():
    """A counter has no end where moves may be made for ever; in play the game ends at three."""
    text = """(role a) (init (n z)) (legal a go) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s (s (s z))))))
    (goal a 1)"""
    game = gdl.loads(text, "x.kif").game
    assert game.reason == "it has too many clauses without their variables" and gdl.solve(game).value == (1,)


@pytest.mark.thorough
def test_commands_say_why_clauses_are_slow_and_check_says_it_twice(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """First, as its work may take long, and in its report; where rules would not be possible it is in the report."""
    monkeypatch.setattr("gdl.wings.stanford.grounding.MOST_WAYS", 100)
    (tmp_path / "many.kif").write_text((FOLDER / "tic_tac_toe.kif").read_text("utf-8"), encoding="utf-8")
    said = "played by its clauses, not by rules: it has too many clauses without their variables"
    for command, expected in ((["check"], 2), (["playouts", "--count", "2"], 1)):
        done = CliRunner().invoke(commands, [*command, str(tmp_path / "many.kif")])
        assert done.exit_code == 0 and done.output.count(said) == expected, done.output
    (tmp_path / "chance.kif").write_text(next(iter(NOT_BY_RULES)), encoding="utf-8")
    done = CliRunner().invoke(commands, ["check", str(tmp_path / "chance.kif")])
    assert done.output.count("not by rules: the role 'random' moves") == 1


@pytest.mark.parametrize("text", NOT_BY_RULES)
def test_why_clauses_have_no_rules(text):
    game = gdl.loads(text, "x.kif").game
    pytest.importorskip("gdl.wings.programs")
    with pytest.raises(Refusal, match=NOT_BY_RULES[text]):
        game.environment(engine="python")


# ---- By a second interpreter -------------------------------------------------------------------------------------

BRACKETS = (
    "(role a) (init (lock)) (<= (legal a go) (true (lock))) (<= (legal a other) (true lock)) (<= (next end) (true (lock)) "
    "(does a go)) (<= (next (end)) (does a other)) (<= terminal (true (end))) (<= (goal a 1) (true end))"
)


def same_as_second(clauses_game, text: str, dice: random.Random) -> int:
    """One random play: what is true, legal, over and paid is the same by both interpreters; how many positions."""
    other = ClausesEvaluator(text)
    state, facts, count = clauses_game.initial(), other.start(), 0
    while True:
        here, mine = Position(other, facts), clauses_game.position_at(state.facts)
        assert set(state.facts) == facts and here.is_over == isinstance(mine.node, Terminal)
        count += 1
        if here.is_over:
            assert [{str(utility)} for utility in mine.node.utilities] == list(map(here.goal, clauses_game.players))
            return count
        legal = {role: here.legal(role) for role in other.roles}
        assert {role: set(moves.values()) for role, moves in mine.legal.items()} == legal
        moves = {role: dice.choice(sorted(own, key=term_text)) for role, own in legal.items()}
        facts = here.after(moves)
        state = clauses_game.state_after(state, mine, tuple(term_text(moves[role]) for role in clauses_game.roles))


@pytest.mark.parametrize("name", BY_SIZE)
def test_plays_are_those_of_a_second_interpreter(name):
    game, text = load(name), (FOLDER / f"{name}.kif").read_text(encoding="utf-8")
    dice = random.Random(3)
    assert sum(same_as_second(getattr(game, "clauses", game), text, dice) for _ in range(3)) >= 6


@pytest.mark.parametrize("small", [0, 30])
@pytest.mark.parametrize("name", BY_SIZE)
def test_relations_on_demand_are_the_same(name, small, monkeypatch: pytest.MonkeyPatch):
    """Every relation in turn is computed on demand, those that hold always too if they are large enough."""
    monkeypatch.setattr(clauses_on_demand, "SMALL", small)
    game, text = load(name), (FOLDER / f"{name}.kif").read_text(encoding="utf-8")
    clauses = getattr(game, "clauses", game)
    narrow = clauses_game.ClausesGame(clauses_on_demand.on_demand(clauses.model))
    heads = {clause.head[0] for stratum in narrow.model.here for clause in stratum.clauses}
    assert (
        small or any(head.startswith("asked ") for head in heads) or name in ("duel", "rps", "race", "lights", "cards")
    )
    dice = random.Random(4)
    assert sum(same_as_second(narrow, text, dice) for _ in range(3)) >= 6


PATHS = """(role a) (init (at 0)) (<= (legal a (go ?y)) (true (at ?x)) (path ?x ?y)) (<= terminal (true (at 40)))
(<= (goal a 100) (true (at 40))) (<= (goal a 0) (not (goal a 100))) (<= (next (at ?y)) (does a (go ?y)) (path 0 ?y))
(<= (path ?x ?y) (succ ?x ?y)) (<= (path ?x ?y) (path ?x ?z) (succ ?z ?y)) """


@pytest.mark.thorough
def test_what_is_too_much_everywhere_is_computed_on_demand(monkeypatch: pytest.MonkeyPatch):
    """820 pairs of numbers have a path; at most 40 of them begin where the piece stands, and 40 at the start."""
    text = PATHS + " ".join(f"(succ {n} {n + 1})" for n in range(40))
    monkeypatch.setattr(datalog.follow, "__defaults__", (600,))
    monkeypatch.setattr(clauses_on_demand, "SMALL", 200)
    game = gdl.loads(text, "x.kif").game
    clauses = getattr(game, "clauses", game)
    assert "asked path 2" in {clause.head[0] for stratum in clauses.model.here for clause in stratum.clauses}
    assert sum(same_as_second(clauses, text, random.Random(seed)) for seed in range(3)) >= 6
    assert gdl.solve(game).value == (100,)


@pytest.mark.thorough
def test_what_is_much_in_the_first_position_is_computed_on_demand_too(monkeypatch: pytest.MonkeyPatch):
    """As before, but the paths are there only while something is true: they follow in a position."""
    text = PATHS.replace("(path ?x ?y) (succ", "(path ?x ?y) (true on) (succ") + "(init on) (next on)"
    text += " ".join(f"(succ {n} {n + 1})" for n in range(40))
    monkeypatch.setattr(steppable_clauses, "AT_FIRST", 600)
    game = gdl.loads(text, "x.kif").game
    clauses = getattr(game, "clauses", game)
    assert "asked path 2" in {clause.head[0] for stratum in clauses.model.here for clause in stratum.clauses}
    assert sum(same_as_second(clauses, text, random.Random(seed)) for seed in range(3)) >= 6
    assert gdl.solve(game).value == (100,)


@pytest.mark.thorough
def test_what_is_much_in_the_first_position_is_soon_refused_as_rules(monkeypatch: pytest.MonkeyPatch):
    """51,360 paths at the start: on demand they are few there, and as many for all positions together."""
    text = PATHS.replace("(path ?x ?y) (succ", "(path ?x ?y) (true on) (succ") + "(init on) (next on)"
    text += " ".join(f"(succ {n} {n + 1})" for n in range(320))
    tables: list[datalog.DerivedFacts] = []

    class Kept(datalog.DerivedFacts):
        def __init__(self, below: datalog.DerivedFacts | None = None):
            super().__init__(below)
            tables.append(self)

    monkeypatch.setattr("gdl.wings.stanford.grounding.DerivedFacts", Kept)
    game = gdl.loads(text, "x.kif").game
    assert game.reason == "it has too many clauses without their variables"
    assert max(table.count for table in tables) < 20_000


def test_a_function_of_nothing_is_its_name():
    game = gdl.loads(BRACKETS, "x.kif").game
    assert [same_as_second(game.clauses, BRACKETS, random.Random(seed)) for seed in range(4)] == [2] * 4
    assert {gdl.solve(gdl.loads(BRACKETS, "x.kif", after=move).game).value for move in ("go", "other")} == {(1,)}


@pytest.mark.parametrize(
    "nothing", ["(role ?r) (not (goal ?r 100))", "(role ?r) (not (goal ?r 100)) (not (goal ?r 50))"]
)
def test_a_goal_may_hang_on_another(nothing):
    """Each goal by what it pays: 0 is due where 100 and 50 are not."""
    text = f"""(role a) (role b) (<= (legal ?r ?m) (role ?r) (move ?m)) (move x) (move y) (init s)
    (<= (next (done ?r ?m)) (does ?r ?m)) (<= terminal (true (done a ?m)))
    (<= (goal ?r 0) {nothing}) (<= (goal ?r 100) (true (done ?r x)))"""
    text += "(<= (goal ?r 50) (role ?r) (never ?r))"
    game = gdl.loads(text, "x.kif").game
    assert gdl.solve(game).value == (100, 100)
    assert [same_as_second(game.clauses, text, random.Random(seed)) for seed in range(6)] == [2] * 6


def test_goals_that_go_round_in_a_circle_are_none():
    text = "(role a) (legal a go) terminal (<= (goal a 1) (role a) (not (goal a 2))) "
    for circle in ("(<= (goal a 2) (role a) (not (goal a 1)))", "(n 2) (<= (goal a ?n) (n ?n))"):
        with pytest.raises(GameError, match="whether 'goal' holds hangs on its own negation"):
            gdl.loads(text + circle, "x.kif")


# ---- How much is gone through -----------------------------------------------------------------------------------

CHAIN = " ".join(f"(succ {n} {n + 1})" for n in range(60)) + " (<= (less ?x ?y) (succ ?x ?y))"


@pytest.mark.parametrize(
    "again", ["(less ?x ?z) (succ ?z ?y)", "(succ ?x ?z) (less ?z ?y)", "(less ?x ?z) (less ?z ?y)"]
)
def test_what_follows_is_gone_through_once(again):
    """60 numbers have 1,830 pairs in order. Each comes of one or two others, or of all between, and not of those again
    that were there in the round before."""
    text = f"(role a) (legal a go) terminal (<= (goal a 1) (less 0 60)) {CHAIN} (<= (less ?x ?y) {again})"
    facts = gdl.loads(text, "x.kif").game.clauses.always
    pairs = list(facts.atoms("less"))
    assert len(pairs) == len(set(pairs)) == 1830
    assert facts.work < (200_000 if again.count("less") == 2 else 9_000)


def test_of_two_relations_that_tell_as_much_the_one_with_fewer_rows_is_asked_first():
    """The distance of two numbers grows by one at a time: who is greater has 1,830 rows, what comes next has 60."""
    text = f"""(role a) (legal a go) terminal (<= (goal a 1) (apart 60 0 60)) {CHAIN}
    (<= (less ?x ?y) (less ?x ?z) (succ ?z ?y)) (num 0) (<= (num ?n) (succ ?m ?n)) (<= (apart ?x ?x 0) (num ?x))
    (<= (apart ?x ?y ?z) (less ?y ?x) (succ ?w ?x) (apart ?w ?y ?v) (succ ?v ?z))"""
    facts = gdl.loads(text, "x.kif").game.clauses.always
    assert len(list(facts.atoms("apart"))) == 61 * 62 // 2
    assert facts.work < 40_000


def test_facts_of_the_position_come_before_a_join_of_numbers():
    """Where a piece stands is one row; the pairs of numbers are asked after it, and not with each other."""
    text = f"""(role a) (init (x a 1)) (init (y a 4)) {CHAIN} (<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))
    (<= (legal ?p (go ?k ?l ?m)) (true (x ?p ?x)) (true (y ?p ?y)) (less ?x ?k) (less ?x ?l) (less ?x ?m) (less ?k ?y)
    (less ?l ?y) (less ?m ?y)) (<= terminal (true (x a 3))) (goal a 1)"""
    game = gdl.loads(text, "x.kif").game
    assert {*game.node(game.initial()).actions} == {f"go({k}, {m}, {n})" for k, m, n in product((2, 3), repeat=3)}


@pytest.mark.parametrize("colour", ["b", "?c"])
def test_what_knows_more_columns_comes_first(colour):
    """The other corners come from the squares that have the first one, and not from all cells of its colour."""
    places = list(product(range(8), repeat=2))
    cells = " ".join(f"(init (cell {x} {y} b))" for x, y in places)
    squares = " ".join(f"(square {x} {y} {x} {y + 1} {x + 1} {y} {x + 1} {y + 1})" for x, y in places)
    corners = " ".join(f"(true (cell ?x{n} ?y{n} {colour}))" for n in range(4))
    text = f"""(role a) (legal a go) (goal a 1) {cells} {squares}
    (<= terminal {corners} (square ?x0 ?y0 ?x1 ?y1 ?x2 ?y2 ?x3 ?y3))"""
    game = gdl.loads(text, "x.kif").game
    assert gdl.solve(game).value == (1,)
    assert getattr(game, "clauses", game).worked < 1_000


# ---- Wherever games are taken -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n in LARGE)) for n in NAMES])
def test_every_state_keeps_the_protocol(name):
    assert gdl.check_game(load(name)) in ([], (), None)


def test_wherever_a_file_is_taken():
    pytest.importorskip("gdl.wings.programs")
    environment = load("cards").environment()
    environment.reset(seed=1)
    while not environment.over:
        environment.step(environment.legal[0])
    assert sum(environment.utilities) == 100


# ---- Clauses ----------------------------------------------------------------------------------------------------


def naive(strata, names):
    """All facts that follow from the strata, found by trying all values of all variables."""
    facts: set[tuple] = set()
    for stratum in strata:
        while True:
            new = set()
            for clause in stratum.clauses:
                for values in product(names, repeat=clause.variables):

                    def put(atom, values=values):
                        return tuple(values[part] if isinstance(part, int) else part for part in atom)

                    if all(holds(condition, put, facts) for condition in clause.body):
                        new.add(put(clause.head))
            if new <= facts:
                break
            facts |= new
    return facts


def holds(condition, put, facts):
    atom = put(condition.atom)
    if condition.kind == "distinct":
        return atom[1] != atom[2]
    return (atom in facts) == (condition.kind == "holds")


def random_strata(dice: random.Random, names):
    """Facts, and two strata over them, the first recursive; every clause is safe."""
    span = kif_reader.description("(a)", "none").span
    facts = [Clause((r, *dice.choices(names, k=2)), (), 0, span) for r in "pq" for _ in range(dice.randrange(1, 5))]

    def clause(head: str, asked: str, denied: str) -> Clause:
        body = [
            Condition("holds", (dice.choice(asked), *dice.choices([0, 1, 2, names[0]], k=2)), span) for _ in range(2)
        ]
        bound = sorted({part for c in body for part in c.atom[1:] if isinstance(part, int)})
        terms = [*bound, names[1]]
        if denied and dice.random() < 0.7:
            body.insert(0, Condition("not", (dice.choice(denied), *dice.choices(terms, k=2)), span))
        if dice.random() < 0.4:
            body.insert(0, Condition("distinct", ("distinct", *dice.choices(terms, k=2)), span))
        return Clause((head, *dice.choices(terms, k=2)), tuple(body), 3, span)

    first = tuple(clause(dice.choice("rs"), "pqrs", "pq") for _ in range(4))
    second = tuple(clause("t", "pqrst", "pqrs") for _ in range(3))
    return [Stratum(tuple(facts), False), Stratum(first, True), Stratum(second, True)]


@together(range(60))
def test_what_follows_is_what_a_naive_evaluator_finds(seed):
    names = ("a", "b", "c")
    strata = random_strata(random.Random(seed), names)
    found = follow(plan_strata(strata), DerivedFacts())
    atoms = {(name, *row) for name in "pqrst" for row in found.atoms(name)}
    assert atoms == naive(strata, names)


# ---- What is wrong ----------------------------------------------------------------------------------------------

WRONG = {
    "(role a": "1:1: this '(' is never closed",
    "(role a))": "1:9: this ')' closes nothing",
    "(role a) (legal a \x01)": "is no word of such a file",
    "(role a) (legal a go) terminal": "1:1: no clause says what is paid",
    "(role random) (legal random go) terminal (goal random 1)": "no clause says who plays",
    "(role a b)": "1:1: 'role' takes 1 argument, not 2",
    "(role a) (<= (legal a ?m) (true (at ?x)))": "1:14: nothing in this clause says what ?m can be",
    "(role a) (<= (legal a go) (not (true (at ?x))))": "1:27: nothing in this clause says what ?x can be",
    "(role a) (<= (p ?x) (role ?x) (not (q ?x))) (<= (q ?x) (role ?x) (not (p ?x))) (<= (legal a go) (p a))":
        "hangs on its own negation",
    "(role a) (<= (legal a go) (does a go)) terminal (goal a 1)": "'legal' is known before the move, and asks 'does'",
    "(role a) (<= (init x) (true x)) (legal a go) terminal (goal a 1)": "'init' is known before play, and asks 'true'",
    "(role a) (<= (true x) (role a))": "1:14: 'true' is asked, and follows from nothing",
    "(role a) (<= (legal a go) (not (or x y)))": "'not' takes a relation",
    "(role a) (<= (legal a (?f x)) (role a))": "a function's name is due here",
    "(role a) (<= (legal a go) ?x)": "a relation is due here",
    "(role a) (<= (legal a go) (not))": "'not' takes one condition",
    "(role a) (<= (legal a go) (not (distinct a b)))": "'not' takes a relation",
    "(role a) (role (b c)) (legal a go) terminal (goal a 1)": "roles are words that hold always",
    "(role a) (p b) (<= (role ?x) (p ?x)) (legal a go) terminal (goal a 1)": "roles are words that hold always",
    "(role a) (legal a go) terminal (goal a 1)" + "".join(f" (role r{n})" for n in range(70)):
        "a game has at most 64 players",
    "(role a) (<= (legal a go) " + "x " * 201 + ")": "a clause has at most 200 conditions",
    "(role a) (<= (legal a go) (and " + "(or x y) " * 12 + "))": "this 'and' makes more than 256 clauses of one",
    "(role a) (<= (legal a go) (next x))": "'next' follows from a body, and stands in none",
    "(role a)" + "(" * 200: "nested more than 100 deep",
    "(role a) (<= (legal a go) " + "(or x y) " * 12 + ")": "this 'or' makes more than 256 clauses of one",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files_are_told_with_their_place(text):
    with pytest.raises(GameError) as wrong:
        gdl.loads(text, "x.kif")
    told = str(wrong.value)
    assert WRONG[text].partition(": ")[2] in told or WRONG[text] in told
    if WRONG[text][0].isdigit():
        assert told.startswith(f"x.kif:{WRONG[text].partition(': ')[0]}: error: ")
    assert "[kif-file]" in told and "^" in told


PLAYED = {
    "(role a) (<= terminal (true (b))) (goal a 1) (<= (legal a go) (true (c)))": "a can do nothing",
    "(role a) terminal (legal a go) (<= (goal a 1) (true x))": "a gets nothing, and one number is due",
    "(role a) terminal (legal a go) (goal a 1) (goal a 2)": "a gets 1 and 2, and one number is due",
    "(role a) terminal (legal a go) (goal a many)": "'many' is paid to a, and is no number",
    "(role a) (n z) (<= (n (s ?x)) (n ?x)) (<= (legal a go) (n ?x)) terminal (goal a 1)": "nested more than 50 deep",
    "(role a) (<= (legal a ?x) (d ?x)) (<= terminal (e ?a ?b ?c ?d ?e)) (goal a 1) "
    + " ".join(f"(d {n})" for n in range(12)) + "(<= (e ?a ?b ?c ?d ?e) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))":
        "more than 5,000 ways to hold",
}  # fmt: skip


@pytest.mark.parametrize("text", PLAYED)
def test_faults_of_play_are_told(text, monkeypatch):
    monkeypatch.setattr(datalog, "WAYS", 5_000)
    with pytest.raises(GameError, match=PLAYED[text]) as wrong:
        game = gdl.loads(text, "x.kif").game
        game.node(game.initial())
    assert "[kif-file]" in str(wrong.value) and "^" in str(wrong.value)


def test_what_never_holds_is_warned_of():
    text = "(role a) (legal a go) (<= terminal (never x)) (goal a 1)"
    (warning,) = gdl.loads(text, "x.kif").warnings
    assert warning.warning and "no clause says when 'never' holds" in warning.message


@pytest.mark.thorough_of("42")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(80))
def test_damaged_files_are_told_and_nothing_else(seed):
    """A file with a stretch cut out, doubled or replaced."""
    dice = random.Random(seed)
    text = (FOLDER / f"{dice.choice(SMALL)}.kif").read_text(encoding="utf-8")
    at = dice.randrange(len(text))
    end = at + dice.randrange(1, 12)
    text = text[:at] + dice.choice(["", "(", ")", "?x", text[at:end] * 2, "(not "]) + text[end:]
    try:
        game = gdl.loads(text, "x.kif").game
        state = game.initial()
        if isinstance(game, GroundedGame):
            same_play(game, dice)
        for _ in range(8):
            node = game.node(state)
            if isinstance(node, Terminal):
                break
            state = game.successor(state, dice.choice(moves(node)))
    except GameError as wrong:
        assert all(problem.span is not None for problem in wrong.problems)


def test_a_head_without_a_body_is_no_rule() -> None:
    with pytest.raises(GameError, match="a relation is due here"):
        gdl.loads("(role a)\n(<=)\n", "a.kif")


def test_a_circle_of_three_relations_is_completed_at_once() -> None:
    text = """(role x) (init (at 1)) (first 1) (edge 1 2) (edge 2 3)
        (<= (p ?a) (q ?a)) (<= (q ?a) (r ?a)) (<= (r ?a) (first ?a)) (<= (r ?b) (edge ?a ?b) (p ?a))
        (<= (legal x ?a) (or (and (p ?a) (true (at ?b))) (first ?a))) (<= (next (at ?a)) (does x ?a))
        (<= terminal (true (at 3))) (<= (goal x 100) (true (at 3))) (<= (goal x 0) (not (true (at 3))))"""
    loaded = gdl.loads(text, "a.kif")
    assert loaded.warnings == ()
    assert loaded.game.node(loaded.game.initial()).actions == ("1", "2", "3")
    with pytest.raises(GameError, match="'not' takes a relation"):
        gdl.loads(f"{text} (<= (t) (not (or (p 1) (p 2))))", "a.kif")
    with pytest.raises(GameError, match="whether 'odd' holds hangs on its own negation"):
        gdl.loads(f"{text} (<= (odd 1) (not (odd 1))) (<= (legal x t) (odd 1))", "a.kif")
    both = gdl.loads(
        f"{text} (<= (t) (or (p 1) (p 9))) (<= (u) (and (p 1) (p 9))) (<= (legal x t) (t) (not (u)))", "a.kif"
    ).game
    assert both.node(both.initial()).actions == ("1", "2", "3", "t")


def test_throws_of_clauses_are_solved_position_by_position():
    """Everybody sees what was thrown, so positions to which different throws lead forget nothing that matters."""
    pytest.importorskip("gdl.wings.theory")
    game = gdl.load(Path(__file__).parent / "stochastic" / "throws.kif")
    found = solve(game)
    assert (found.solver, found.exact, found.value) == ("shapley", True, (50, 50))
    verdict = verify(game, to_object(found))
    assert verdict.headline == "The answer holds." and verdict.status("value") and verdict.status("strategy")
    wrong = to_object(found) | {"value": {"left": 60, "right": 40}}
    assert verify(game, wrong).status("value") is False
    assert solve(game, concept="nash").solver == "subgame-perfect"
    with pytest.raises(Refusal, match=r"where all know the position, subgame-perfect does without it"):
        solve(game, "cfr")


def test_a_missing_wing_is_named():
    text = (FOLDER / "tic_tac_toe.kif").read_text()
    with without_wing(*wings.WORDS):
        with pytest.raises(Refusal, match=r"^a file \.kif comes with the wing stanford, which is not installed here$"):
            gdl.loads(text, "tic_tac_toe.KIF")
        with pytest.raises(GameError, match=r"gdl reads \.game files"):
            gdl.loads(text, "tic_tac_toe.txt")
