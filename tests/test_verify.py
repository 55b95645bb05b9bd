"""The verifier: right answers hold, every kind of wrong one fails, and what is no answer is said to be damaged."""

import copy
import json
from fractions import Fraction as F

import pytest
from games_by_hand import Branch as B
from games_by_hand import (
    Leduc,
    Repeated,
    TicTacToe,
    bimatrix,
    entry,
    kuhn,
    matching_pennies,
    minority,
    prisoners,
    stoc94,
    tree,
    two_roads,
)

import gdl
from gdl.errors import DamagedData
from gdl.explicit import TreeGame
from gdl.formats.answer import to_object
from gdl.game import Unknown
from gdl.model import TreeModel, TreeNode
from solvers.alpha_beta import ALPHA_BETA
from solvers.backward_induction import EXPECTIMINIMAX, MAXN, MINIMAX
from solvers.belief import BELIEF
from solvers.dominance import DOMINANCE
from solvers.nash import NASH
from solvers.sequence_form import SEQUENCE_FORM
from solvers.subgame_perfect import SUBGAME_PERFECT
from solvers.verify import verify


def answer(solver, game, **options):
    """What `gdl solve --json` saves."""
    return json.loads(json.dumps(to_object(solver.run(game, **options))))


def dice_game():
    roll = B(
        "chance", {"low": (1, -1), "high": B("MIN", {"l": (4, -4), "r": (10, -10)}, "M")}, chances=[F(2, 3), F(1, 3)]
    )
    return tree("dice", ("MAX", "MIN"), B("MAX", {"roll": roll, "stay": (F(3, 2), F(-3, 2))}, "start here"))


GAMES = {
    "kuhn": kuhn(),
    "pennies": matching_pennies(),
    "stoc94": stoc94(),
    "two roads": two_roads(),
    "entry": entry(),
    "prisoners": prisoners(),
    "minority": minority(),
    "battle": bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]]),
    "morra": bimatrix([[-2, 3], [3, -4]]),
    "repeated": Repeated(prisoners(), 2),
    "dice": dice_game(),
    "tic-tac-toe": TicTacToe(),
}
SOLVERS = [MINIMAX, EXPECTIMINIMAX, MAXN, ALPHA_BETA, BELIEF, DOMINANCE, NASH, SEQUENCE_FORM, SUBGAME_PERFECT]
TOO_LARGE = {("tic-tac-toe", name) for name in ("dominance", "nash", "sequence-form")}
ACCEPTED = [
    pytest.param(game, solver, id=f"{name}-{solver.name}")
    for name, game in GAMES.items()
    for solver in SOLVERS
    if not solver.lacks(game.traits) and (name, solver.name) not in TOO_LARGE
]


@pytest.mark.parametrize("game, solver", ACCEPTED)
def test_answers_of_every_solver_hold(game, solver):
    verdict = verify(game, answer(solver, game))
    assert verdict.ok, verdict.lines
    assert not any(line.startswith("FAILS") for line in verdict.lines)


def test_each_side_is_told():
    verdict = verify(kuhn(), answer(SEQUENCE_FORM, kuhn()))
    assert verdict.headline == "The answer holds."
    assert verdict.lines == (
        "holds: the strategies prove from both sides Ann -1/18, Bob 1/18",
        "holds: the strategy of Ann secures -1/18 whatever the other does",
        "holds: the strategy of Bob secures 1/18 whatever the other does",
        "holds: the regret is Ann 0, Bob 0",
        "holds: 55 nodes, as many as the game has positions",
        "holds: the answer is of this game, by title and traits",
        "not checked: that the rules are these: the answer was made before answers had fingerprints",
        "not checked: solver and notes (words, which nobody can check)",
    )


def changed(data, *path_and_value):
    *path, last, value = path_and_value
    data = copy.deepcopy(data)
    place = data
    for key in path:
        place = place[key]
    place[last] = value
    return data


KUHN, ENTRY, TOE, DILEMMA = (
    answer(solver, game)
    for solver, game in (
        (SEQUENCE_FORM, kuhn()),
        (SUBGAME_PERFECT, entry()),
        (MINIMAX, TicTacToe()),
        (NASH, prisoners()),
    )
)

WRONG = {
    "value": (
        kuhn(),
        changed(KUHN, "value", {"Ann": "-1/17", "Bob": "1/17"}),
        "secures -1/18, and the answer says -1/17",
    ),
    "strategy": (kuhn(), changed(KUHN, "strategy", "Ann", "J", {"pass": 0, "bet": 1}), "strategy of Ann secures"),
    "a set left out": (kuhn(), changed(KUHN, "strategy", "Ann", {}), "no strategies that would prove"),
    "no strategy": (kuhn(), changed(KUHN, "strategy", None), "no strategies that would prove"),
    "no such set": (kuhn(), changed(KUHN, "strategy", "Ann", "X", {"pass": 1}), "no information set of Ann called X"),
    "regret": (kuhn(), changed(KUHN, "regret", {"Ann": 1, "Bob": 0}), "the answer says otherwise"),
    "general-sum value": (entry(), changed(ENTRY, "value", {"Entrant": 2, "Incumbent": 2}), "does not give"),
    "general-sum best": (entry(), changed(ENTRY, "best", ["out"]), "out is not best; in is"),
    "no equilibrium": (
        entry(),
        changed(ENTRY, "equilibria", 0, "Entrant", "market", {"out": 1, "in": 0}),
        "equilibrium 1 is none: by deviating could gain Entrant 2, Incumbent 0",
    ),
    "equilibrium of another value": (
        entry(),
        changed(ENTRY, "equilibria", 0, {"Entrant": {"market": {"out": 1}}, "Incumbent": {"entered": {"fight": 1}}}),
        "pays Entrant 0, Incumbent 2, which is not the value",
    ),
    "illegal line": (entry(), changed(ENTRY, "line", ["in", "flee"]), "no flee after in"),
    "line elsewhere": (entry(), changed(ENTRY, "line", ["out"]), "the line holds a blunder: out at the start"),
    "open value": (TicTacToe(), changed(TOE, "value", {"X": 1, "O": -1}), "backward induction gives X 0"),
    "sum": (TicTacToe(), changed(TOE, "value", {"X": 0, "O": 1}), "does not sum to 0"),
    "impossible best": (TicTacToe(), changed(TOE, "best", ["9"]), "nobody can begin with 9"),
    "flat equilibrium": (prisoners(), changed(DILEMMA, "equilibria", 0, "Row", {"silent": 1, "betray": 0}), "is none"),
    "probabilities": (
        prisoners(),
        changed(DILEMMA, "equilibria", 0, "Row", {"silent": 1, "betray": 1}),
        "do not sum to one",
    ),
    "best alone": (kuhn(), {"game": "kuhn", "exact": True, "best": ["pass"]}, "nothing in the answer proves it"),
}


@pytest.mark.parametrize("game, wrong, words", WRONG.values(), ids=WRONG)
def test_wrong_answers_fail(game, wrong, words):
    verdict = verify(game, wrong)
    assert not verdict.ok
    assert any(line.startswith("FAILS") and words in line for line in verdict.lines), verdict.lines


def test_best_of_a_hidden_game_is_a_best_reply():
    reply = {a: B("B", {"x": (v, -v), "y": (v + 1, -v - 1)}, "B") for a, v in (("l", 3), ("r", 1))}
    game = tree("saddle", "AB", B("A", reply, "A"))
    data = answer(SEQUENCE_FORM, game)
    assert "holds: l is best" in verify(game, changed(data, "best", ["l"])).lines
    assert not verify(game, changed(data, "best", ["r"])).ok


OTHERS = {
    "another name": (changed(KUHN, "game", "leduc"), "the answer is for leduc"),
    "other players": (changed(KUHN, "value", {"Ann": "-1/18", "Eve": "1/18"}), "for the players Ann, Eve and Bob"),
    "another kind": (changed(KUHN, "traits", "zero_sum", False), "zero_sum False"),
}


@pytest.mark.parametrize("other, words", OTHERS.values(), ids=OTHERS)
def test_answers_of_other_games(other, words):
    verdict = verify(kuhn(), other)
    assert not verdict.ok
    assert words in verdict.lines[0]


@pytest.mark.parametrize(
    "damaged",
    [
        [],
        {"game": "kuhn"},
        {"game": 3, "exact": True},
        changed(KUHN, "value", {"Ann": "a lot", "Bob": 0}),
        changed(KUHN, "value", {"Ann": "1/0", "Bob": 0}),
        changed(KUHN, "value", {"Ann": True, "Bob": 0}),
        changed(KUHN, "value", {"Ann": float("nan"), "Bob": 0}),
        changed(KUHN, "value", {"Ann": "1e9", "Bob": 0}),
        changed(KUHN, "value", [1, 2]),
        changed(KUHN, "best", "pass"),
        changed(KUHN, "best", [1]),
        changed(KUHN, "equilibria", {}),
        changed(KUHN, "strategy", [1]),
        changed(KUHN, "strategy", {"Ann": 1}),
        changed(KUHN, "strategy", "Ann", "J", {"pass": "x"}),
    ],
)
def test_damaged_answers(damaged):
    with pytest.raises(DamagedData, match="the answer"):
        verify(kuhn(), damaged)


def test_estimates_are_not_proved_but_their_strategies_are_measured():
    data = changed(changed(KUHN, "exact", False), "value", {"Ann": -0.05, "Bob": 0.05})
    verdict = verify(kuhn(), changed(data, "best", ["pass"]))
    assert verdict.ok
    assert verdict.headline == "An estimate: regret holds; not checked: value, best, strategy and nodes."
    assert "not checked: the value is an estimate by the answer's own account" in verdict.lines
    measured = "the strategy of Ann secures -1/18 whatever the other does, and the answer does not say what it should"
    assert f"not checked: {measured}" in verdict.lines


def test_estimates_without_strategies_are_checked_at_once_however_large_the_game():
    game = gdl.loads(*gdl.read("connect_four")).game
    answer = {"game": "Connect four", "exact": False, "value": {"Yellow": 0.1, "Red": -0.1}}
    verdict = verify(game, {**answer, "best": ["drop(4)"], "line": ["drop(4)", "drop(4)"]})
    assert verdict.ok
    assert verdict.headline == "An estimate: nothing was proved; not checked: value, best and line."
    assert verdict.lines == (
        "holds: the line can be played",
        "holds: the answer is of this game, by title",
        "not checked: the value is an estimate by the answer's own account",
        "not checked: the best actions are an estimate by the answer's own account",
        "not checked: the line is an estimate by the answer's own account",
        "not checked: that the rules are these: the answer was made before answers had fingerprints",
    )
    wrong = verify(game, {**answer, "best": ["drop(9)"], "line": ["drop(4)", "drop(8)"]})
    assert wrong.lines[:2] == (
        "FAILS: the line cannot be played: no drop(8) after drop(4)",
        "FAILS: nobody can begin with drop(9)",
    )


def test_floats_need_only_be_close():
    data = changed(KUHN, "value", {"Ann": -1 / 18, "Bob": 1 / 18})
    third = {"pass": 1 - 1 / 3, "bet": 1 / 3}
    assert verify(kuhn(), data).ok
    assert verify(kuhn(), changed(data, "exact", False)).ok
    rounded = changed(changed(data, "exact", False), "strategy", "Ann", "J", third)
    assert verify(kuhn(), changed(rounded, "regret", None)).ok
    assert not verify(kuhn(), changed(data, "strategy", "Ann", "J", {"pass": 0.5, "bet": 0.4})).ok


def unknown_leaves():
    """MAX over (3, 12, 8) and (2, ?x, ?y)."""
    leaves = [(3, -3), (12, -12), (8, -8), (2, -2), *((Unknown(x), Unknown(x, negative=True)) for x in "xy")]
    nodes = (
        TreeNode("decision", player=0, actions=("1", "2"), children=(1, 2)),
        TreeNode("decision", player=1, actions=("1", "2", "3"), children=(3, 4, 5)),
        TreeNode("decision", player=1, actions=("1", "2", "3"), children=(6, 7, 8)),
        *(TreeNode("terminal", utilities=leaf) for leaf in leaves),
    )
    return TreeGame(TreeModel("unknown", ("MAX", "MIN"), nodes))


def test_unknown_utilities_that_do_not_matter():
    verdict = verify(unknown_leaves(), answer(ALPHA_BETA, unknown_leaves()))
    assert verdict.ok, verdict.lines
    assert "holds: backward induction gives the value MAX 3, MIN -3" in verdict.lines


def test_unknown_utilities_that_do():
    data = answer(ALPHA_BETA, unknown_leaves())
    nodes = list(unknown_leaves().model.nodes)
    nodes[3] = TreeNode("terminal", utilities=(Unknown("z"), Unknown("z", negative=True)))
    game = TreeGame(TreeModel("unknown", ("MAX", "MIN"), tuple(nodes)))
    assert not verify(game, {**data, "strategy": None}).ok


def test_who_states_nothing_is_not_wrong():
    data = answer(DOMINANCE, matching_pennies())
    verdict = verify(matching_pennies(), data)
    assert verdict.ok
    assert verdict.headline == "The answer states nothing that could be checked."
    assert "not checked: solver and notes (words, which nobody can check)" in verdict.lines


def test_beyond_the_limit_of_positions_the_rest_is_named():
    verdict = verify(Leduc(2), answer(SEQUENCE_FORM, Leduc(2)), limit=50)
    assert verdict.ok
    assert verdict.limit is not None and "more than 50 states" in verdict.limit
    assert verdict.headline == "Nothing was proved; not checked: value, strategy, regret and nodes."
