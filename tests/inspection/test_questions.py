"""Questions of best play, held against their definition: what a set of players can bring about, by plain recursion."""

import random
from fractions import Fraction

import pytest
from click.testing import CliRunner

import gdl
from gdl.checker.asked import question_game
from gdl.commands import cli
from gdl.compiler.compiled_engine import offer
from gdl.errors import GameError
from gdl.game import Chance, Decision, Terminal
from gdl.inspection import questions
from gdl.inspection.questions import answer_question
from gdl.solvers import solve
from gdl.syntax import parser

HEAP = """game "Heap" (stones = 11)
players Ann, Bob{third}
state
    left: 0..stones = stones
    lucky: 0..2 = 0
action take(n: 1..3) when n <= left
    left := left - n
    if left = 5
        next dice
chance dice(d: 1..2) weight d as "{{d}}"
    lucky := d
    next Bob
terminal
    left = 0 -> each p: if p = mover then 1 else -lucky
"""
GOALS = {
    "draw": lambda s, p: p is not None and len(set(p)) == 1,
    "left = 4": lambda s, p: s.cells[3] == 4,
    "lucky = 2 and left <= 2": lambda s, p: s.cells[4] == 2 and s.cells[3] <= 2,
    "win Bob": lambda s, p: p is not None and p[1] > max(u for q, u in enumerate(p) if q != 1),
    "the end": lambda s, p: p is not None,
}


def ask(text, question, engine="interpreter"):
    loaded = gdl.loads(text)
    written = parser.question(question)
    asked = question_game(loaded.description, written, {}, None)
    return answer_question(written, asked, lambda model: offer(gdl.play(model), engine), lambda g, name: solve(g, name))


def probability(game, state, wanting, reached):
    """How likely it is with best play of some for it and of the others against it; None: of all at random."""
    node = game.node(state)
    if reached(state, node.utilities if isinstance(node, Terminal) else None):
        return Fraction(1)
    if isinstance(node, Terminal):
        return Fraction(0)
    if isinstance(node, Chance):
        return sum(w * probability(game, game.successor(state, a), wanting, reached) for a, w in node.outcomes)
    assert isinstance(node, Decision)
    found = [probability(game, game.successor(state, a), wanting, reached) for a in node.actions]
    if wanting is None:
        return Fraction(sum(found)) / len(found)
    return max(found) if node.player in wanting else min(found)


@pytest.mark.thorough
@pytest.mark.parametrize("third", ["", ", Cid"])
@pytest.mark.parametrize("goal", GOALS)
def test_answers_are_those_of_the_definition(goal, third):
    text, players = HEAP.format(third=third), ["Ann", "Bob", "Cid"][: 2 + bool(third)]
    game = gdl.loads(text).game
    for mask in range(1, 1 << len(players)):
        named = [p for n, p in enumerate(players) if mask >> n & 1]
        wanting, engine = {players.index(p) for p in named}, random.Random(mask).choice(["wasm", "interpreter"])
        others = set(range(len(players))) - wanting
        best = probability(game, game.initial(), wanting, GOALS[goal])
        worst = probability(game, game.initial(), others, GOALS[goal])
        names = ", ".join(named)
        assert ask(text, f"probability {goal} by {names}", engine).value == best
        assert ask(text, f"{names} can force {goal}", engine).answer == ("yes" if best == 1 else "no")
        assert ask(text, f"{names} can avoid {goal}", engine).answer == ("yes" if worst == 0 else "no")
    at_random = ask(text, f"probability {goal} at random")
    assert at_random.exact and at_random.value == probability(game, game.initial(), None, GOALS[goal])
    possible = probability(game, game.initial(), None, GOALS[goal]) > 0
    assert ask(text, f"{goal} reachable").answer == ("yes" if possible else "no")


def test_the_play_to_a_reachable_position_is_a_shortest_one():
    text = HEAP.format(third="")
    found = ask(text, "left = 2 reachable")
    assert len(found.play) == 4
    state, game = gdl.loads(text).game.initial(), gdl.loads(text).game
    for action in found.play:
        state = game.successor(state, action)
    assert state.cells[3] == 2
    assert ask(text, "left = 2 reachable within 3").answer == "no"
    assert ask(text, "always left != 2").play == found.play == ask(text, "always left != 2 within 4").play
    assert ask(text, "always left != 2 within 3").answer == "yes"


@pytest.mark.thorough
def test_where_positions_are_many_a_play_at_random_may_reach_the_goal():
    """Nineteen plies lead there, past 3^19 positions."""
    text = """players Ann, Bob
board Cell = grid(19, 1)
state
    stone[Cell]: Player?
action put(s: Cell, p: Player) when stone[s] = none
    stone[s] := p
terminal
    forall s in Cell: stone[s] != none -> draw
"""
    found = ask(text, "forall s in Cell: stone[s] != none reachable")
    assert (found.answer, found.exact, len(found.play)) == ("yes", True, 19)
    assert (
        ask(text, "always stone[a1] = none or stone[b1] = none or stone[s1] = none or stone[r1] = none").answer == "no"
    )


@pytest.mark.parametrize("engine", ["wasm", "interpreter"])
@pytest.mark.parametrize("question", ["Ann can force left = 0 within 3", "left = 0 reachable within 3"])
def test_what_a_body_requires_is_required_where_plies_are_counted(question, engine):
    text = HEAP.format(third="").replace("11", "7")
    assert ask(text, question, engine).answer == "yes"
    required = text.replace(" when n <= left\n", "\n    require n <= left and n < 3\n")
    assert ask(required, question, engine).answer == "no"


@pytest.mark.parametrize(
    ("game", "question", "said"),
    [
        ("tic_tac_toe", "X can win", "this is no question"),
        ("tic_tac_toe", "X can forces win X", r"this is no question(?s:.)*'can force' or 'can avoid'"),
        ("tic_tac_toe", "reachable draw", r"this is no question(?s:.)*at the end: COND reachable"),
        ("tic_tac_toe", "X can force win", "this does not say who wins or loses"),
        ("tic_tac_toe", "X can force win X at random", "in this question everybody plays their best"),
        ("tic_tac_toe", "X can force win X in 5", "this does not say within how many plies"),
        ("tic_tac_toe", "probability {win X} at random", "an event stands without braces"),
        ("tic_tac_toe", "X can force board", "no name is called 'board'"),
        ("tic_tac_toe", "Y can force draw", "no player is called 'Y'"),
        ("tic_tac_toe", "X can force win Z", "no player is called 'Z'"),
        ("tic_tac_toe", "X can force draw within 0", "within how many plies is a number from 1 to 10,000"),
        ("tic_tac_toe", "X can force draw within", "this does not say within how many plies"),
        ("tic_tac_toe", "X can force", "this does not say what"),
        ("tic_tac_toe", "X and O can force draw", "commas part the players of a question"),
        ("tic_tac_toe", "X can force a win", "this does not say who wins or loses"),
        ("tic_tac_toe", "always draw", "an end does not hold in every position"),
        ("tic_tac_toe", "always", "this is no question"),
        ("tic_tac_toe", "probability win X", "this does not say who plays for it"),
        ("tic_tac_toe", "X can force (", "this '\\(' is never closed"),
        ("tic_tac_toe", "X can force " + "(" * 5000, "nested more than"),
        ("figure_5_2", "MAX can force b = 1", "a tree or a matrix has no conditions to ask for"),
        ("figure_5_2", "MAX can force draw within 2", "a tree or a matrix is short enough as it is"),
    ],
)
def test_what_is_no_question_is_told(game, question, said):
    with pytest.raises(GameError, match=said):
        ask(gdl.read(game)[0], question)


@pytest.mark.thorough
def test_a_limit_leaves_what_is_proven():
    written = parser.question("Yellow can force win Yellow")
    asked = question_game(gdl.described(*gdl.read("connect_four")), written, {}, None)
    found = answer_question(written, asked, gdl.play, lambda g, name: solve(g, name, nodes=3000))
    assert (found.answer, found.interval, found.exact) == (None, (0, 1), False) and found.limit


@pytest.mark.thorough
@pytest.mark.parametrize("joined", ["or", "and", "-"])
def test_a_question_of_a_hundred_thousand_characters_has_an_answer_or_a_refusal(joined):
    result = CliRunner().invoke(
        cli.commands, ["ask", "subtraction", f" {joined} ".join(["left = 0"] * 8000) + " reachable"]
    )
    assert result.exit_code == (2 if joined == "-" else 0) and len(result.output) < 2000, result.output[:100]


WALK = """players Ann, Bob
state
    at: 0..9 = 3
action left when at > 0
    at := at - 1
action right
    at := at + 1
terminal
    at = 9 -> win Bob
"""


def test_chances_of_play_that_comes_back_are_exact(monkeypatch):
    """The gambler's ruin, by its formula; what cannot come about any more has no equation."""
    ruin = WALK + "    at = 0 -> win Ann\n"
    found = ask(ruin, "probability win Ann at random")
    assert found.exact and (found.value, found.interval) == (Fraction(2, 3), (Fraction(2, 3), Fraction(2, 3)))
    assert ask(ruin, "probability win Bob at random").value == Fraction(1, 3)
    assert ask(WALK, "probability win Bob at random").value == 1
    assert ask(WALK, "probability at = 0 and at = 9 at random").value == 0
    monkeypatch.setattr(questions, "EQUATIONS", 7)
    assert not ask(ruin, "probability win Ann at random").exact


def test_only_positions_that_lead_to_each_other_are_equations(monkeypatch):
    """Three ruins one after the other, each of three positions: together nine."""
    monkeypatch.setattr(questions, "EQUATIONS", 3)
    text = """players Ann
state
    at: 0..4 = 2
    stage: 0..3
action left
    at := at - 1
action right
    at := at + 1
    if at = 4
        stage := stage + 1
        at := 2
terminal
    at = 0 -> 0
    stage = 3 -> 1
"""
    found = ask(text, "probability stage = 3 at random")
    assert found.exact and found.value == Fraction(1, 8)
