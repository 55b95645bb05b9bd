"""Problems that `gdl check` finds by playing: rows of a game, the problem's first words, and the play that leads there."""

from textwrap import dedent

import pytest
from handmade import TicTacToe

import gdl
from gdl.compiler.searches import playouts_driver
from gdl.errors import GameError, Problem
from gdl.inspection import findings as inspection
from gdl.inspection.findings import CHECKS, inspect
from gdl.inspection.walk_findings import walk
from gdl.states.explore import Walk, with_shortest_play
from gdl.syntax import parser

HEAP = """
players A, B
state
    left: 0..4 = 4
action take(k: 2..3) when k <= left
    left := left - k
terminal
    left = 0 -> win A
"""

ROWS = {
    "an action that says of nobody that it is theirs": (
        """
        players Sheep, Wolf
        state
            at: 0..3
            howls: 0..2
        action run when mover = Sheep and at < 3
            at := at + 1
        action hunt as "run" when mover = Wolf and at > 0
            at := at - 1
        action howl when howls < 2
            howls := howls + 1
        terminal
            no actions -> draw
            forever -> draw
        """,
        "warning", "nothing says whose howl is: Sheep and Wolf may take it", ("run",),
    ),
    "dead end": (HEAP, "error", "B has no action, and the game is not over", ("take(3)",)),
    "out of range": (
        """
        players A, B
        state
            sum: 0..3
        action add(k: 1..2)
            sum := sum + k
        terminal
            sum = 3 -> win mover
        """,
        "error", "sum holds", ("add(2)", "add(2)"),
    ),
    "never legal": (
        """
        players A, B
        state
            left: 0..3 = 3
        action take
            left := left - 1
        action wave(k: 1..2) as "wave {k} times" when k > left + 3
            left := left - k
        terminal
            left = 0 -> win A
        """,
        "warning", "the action wave is never possible", (),
    ),
    "two winners": (
        """
        players A, B
        state
            a: 0..2
            b: 0..2
        action up
            a := a + 1
            b := b + 1
        terminal
            a = 2 -> win A
            b = 2 -> win B
        """,
        "warning", "B wins here too, but A by an earlier line, which decides", ("up", "up"),
    ),
    "a line by which no play ends": (
        """
        players A, B
        state
            left: 0..3 = 3
        action take(n: 1..2) when n <= left
            left := left - n
        terminal
            no actions -> lose mover
            left = 0 -> draw
        """,
        "warning", "no play ever ends by this line", (),
    ),
    "a line that ends play in the middle of an action": (
        """
        players A, B
        state
            held: 0..2 = 1
            turns: 0..2
        action exchange(n: 0..1)
            held := n
            draw card
        chance card(n: 1..2)
            held := n
            turns := turns + 1
        terminal
            held = 0 -> lose mover
            turns = 2 -> win A
        """,
        "warning", "this line ends play in the middle of an action, before card is drawn", ("exchange(0)",),
    ),
    "claim": (
        """
        players A, B
        claim zero-sum
        state
            left: 0..2 = 2
        action take
            left := left - 1
        terminal
            left = 0 -> (left + 1, left)
        """,
        "error", "the game claims to be zero-sum, but a play ends with the utilities (1, 0)", ("take", "take"),
    ),
    "imperfect recall": (
        """
        players A, B
        state
            secret: 0..2 visible to none
            step: 0..2
        action pick(n: 1..2)
            if step = 0
                secret := n
            step := step + 1
            forget
            next A
        terminal
            step = 2 -> pay secret to A
        """,
        "warning", "a player forgets what they once knew or did", (),
    ),
    "faulty evaluation": (
        """
        players A, B
        state
            left: 0..3 = 3
        action take(n: 1..3) when n <= left
            left := left - n
        terminal
            left = 0 -> lose mover
        evaluate
            1 / (left - 1)
        """,
        "error", "division by zero", ("take(2)",),
    ),
    "endless": (
        """
        players A, B
        state
            side: 0..1
        action turn
            side := 1 - side
        terminal
            side > 1 -> win A
        """,
        "warning", "no play ever ends", (),
    ),
    "remembered for ever": (
        """
        players A, B
        state
            spot: 1..2 visible to none
            over: Boolean
        action hide(s: 1..2) unseen when mover = A
            spot := s
        action wait when mover = B
            next A
        action seek when mover = B
            over := true
        terminal
            over -> spot
        """,
        "warning", "play can come back to a position, and players then remember more", (),
    ),
    "over at once": (
        """
        players A, B
        state
            left: 0..3
        action take
            left := left - 1
        terminal
            no actions -> win B
            left = 0 -> win A
        """.replace("action take", "action take when left > 0"),
        "warning", "the game is over in its first position: this line holds there", (),
    ),
    "who learns": (
        """
        players A, B
        state
            secret: 0..2 visible to none
            step: 0..3
        action pick(n: 1..2)
            secret := n
            step := step + 1
        action nod
            step := step + 1
        terminal
            step = 2 -> pay secret to A
        """,
        "warning", "B does not learn whether it was pick(1) or pick(2)", (),
    ),
    "only in a variant": (
        HEAP.replace("win A", "win A\n    left = 1 -> win B") + "variant long\n    terminal\n        left = 0 -> win A\n",
        "error", "B has no action, and the game is not over", ("take(3)",),
    ),
    "expectation": (HEAP.replace("2..3", "1..2") + "expect vale = 1\n", "error", "there is no quantity 'vale'", ()),
}  # fmt: skip


def inspected(text: str, **options) -> inspection.Inspection:
    return inspect(parser.parse(dedent(text), "test.game", "test"), gdl.play, **options)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_finds(row: tuple[str, str, str, tuple[str, ...]]):
    text, kind, message, play = row
    (problem,) = [p for p in inspected(text).problems if p.message.startswith(message)]
    assert problem.warning == (kind == "warning")
    assert problem.play == play
    assert problem.span is not None


@pytest.mark.parametrize("line, told", {
    "left <= 0 and mover = A -> draw": True,  # the line above decides
    "left = 0 and mover = A -> draw": False,  # told already, as a test that stands twice
    "left = 5 and mover = B -> draw": True,  # never holds
    "left = 7 and mover = B -> draw": False,  # told already, as a comparison
    "left = 5 and mover = B and heap < 5 -> draw": False,  # for certain values of a parameter
    "left = 3 and mover = A -> draw": False,  # for a variant
    "no actions -> draw": False,  # who is not sure that nobody is stuck may say so
}.items())  # fmt: skip
def test_lines_by_which_no_play_ends(line, told):
    text = f"""
        game "Heap" (heap = 4)
        players A, B
        state
            left: 0..5 = heap
        action take(n: 1..2) when n <= left
            left := left - n
        terminal
            left = 0 and mover = A -> lose A
            left = 0 -> draw
            {line}
        variant "High"
            parameters heap = 5
    """
    assert [p.span.line for p in inspected(text).problems if p.kind == "line-idle"] == [11] * told


def test_a_fault_of_a_variant_says_so():
    text, _, message, _ = ROWS["only in a variant"]
    (problem,) = [p for p in inspected(text).problems if p.message.startswith(message)]
    assert problem.note.startswith("In the variant long. ")
    assert not any(p.message.startswith(message) for p in inspected(text.partition("variant")[0]).problems)


def test_every_check_can_find_something():
    """Walks the rows again with the checks alone, but for those whose fault the language itself prevents."""
    found = set()
    for text, *_ in ROWS.values():
        description = parser.parse(dedent(text), "test.game", "test")
        model, _ = gdl.checker.check(description)
        met = walk(description, model, Walk(gdl.play(model), inspection.LIMIT), inspection.WALKED)
        found |= {check for check in CHECKS if list(check(met))}
    assert {check.__name__ for check in CHECKS} - {check.__name__ for check in found} == {"telling_actions"}


def test_actions_that_tell_what_is_hidden():
    """The language refuses such rules as far as it can see; a game by hand shows the check."""

    class Telling(TicTacToe):
        def information_set(self, state, player):
            return len(state) - state.count(".")

    description = parser.parse("players X, O\ntree X(1, 2)\n", "x", "x")
    met = walk(description, gdl.checker.check(description)[0], Walk(Telling(), inspection.LIMIT), inspection.WALKED)
    (problem,) = inspection.telling_actions(met)
    assert problem.message == "O cannot tell two positions apart, but has different actions there"
    assert problem.play == ("1",)


@pytest.mark.thorough_of(
    "gomoku-200",
    "crazyhouse-200",
    "draughts-200",
    "shogi-200",
    "chinese_checkers-200",
    "xiangqi-200",
    "othello-200",
    "go-200",
    "quarto-200",
    "blind_tic_tac_toe-200",
)
@pytest.mark.one_in(5)
@pytest.mark.parametrize("states", [200, pytest.param(inspection.LIMIT, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n == "backgammon" else ()) for n in sorted(gdl.shipped())]
)
def test_shipped_games_are_fine(name: str, states: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inspection, "LIMIT", states)
    assert inspect(gdl.described(*gdl.read(name)), gdl.play).problems == ()


def test_says_how_far_it_went():
    assert inspected(HEAP.replace("2..3", "1..2").replace("win A", "win mover")).complete
    large = inspect(gdl.described(*gdl.read("tic_tac_toe")), gdl.play)
    assert (large.states, large.complete) == (inspection.LIMIT, False)
    costly = inspect(gdl.described(*gdl.read("connect_four")), gdl.play)
    assert (costly.states, costly.complete) == (1_076, False), "the work of the rules limits the walk as well"


def test_one_position_is_no_number_of_positions():
    """The message once said "All 1 positions"."""
    (problem,) = inspected(
        "players A\nstate\n    x: 0..3 = 0\naction go\n    x := 0\nterminal\n    x = 3 -> win A\n"
    ).problems
    assert problem.note == "The only position of the game was looked at."


def test_a_fault_without_play_gets_a_shortest_one():
    game = gdl.loads(HEAP).game
    state = game.successor(game.initial(), "take(3)")
    with pytest.raises(GameError) as fault:
        game.node(state)
    assert fault.value.problems[0].play == ()
    assert with_shortest_play(game, fault.value).problems[0].play == ("take(3)",)


def test_a_fault_that_is_nowhere_stays_as_it_is():
    fault = GameError(Problem("odd"))
    fault.state = "somewhere"
    assert with_shortest_play(TicTacToe(), fault, limit=10) is fault
    assert with_shortest_play(TicTacToe(), GameError(Problem("even"))).problems[0].message == "even"


def test_compiled_plays_look_for_faults_where_rules_are_many(monkeypatch: pytest.MonkeyPatch):
    """Rules that are tried count, too: a hundred of them at a thousand positions are too slow for the interpreter."""
    asked: list[int] = []
    monkeypatch.setattr(playouts_driver, "find_fault_in_plays", lambda game, plies, *more: (asked.append(plies), []))
    state = "".join(f"    v{number}: 0..3\n" for number in range(200))
    rules = "".join(f"action a{number}\n    v{number} := 1\n    n := n + 1\n" for number in range(200))
    inspected(f"players A, B\nstate\n    n: 0..9\n{state}{rules}terminal\n    n > 3 -> draw\n")
    assert asked


@pytest.mark.parametrize("feature, place", [("9 / (left - 2997)", "take(3)"), ("9 / (left - 3000)", "")])
def test_an_evaluation_is_looked_at_where_compiled_code_plays(feature: str, place: str):
    """The walk is not complete, and the first position in which it is at fault is told with its play."""
    text = HEAP.replace("2..3", "1..3").replace("0..4 = 4", "0..3000 = 3000") + f"evaluate\n    {feature}\n"
    found = inspected(text)
    (problem,) = (problem for problem in found.problems if not problem.warning)
    assert (" ".join(problem.play), found.states) == (place, inspection.LIMIT)
