"""The verifier: right answers hold, every kind of wrong one fails, and what is no answer is said to be damaged."""

import copy
import json
import random
from fractions import Fraction as F

import pytest
import trees
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
import gdl.wings.verify.verifier
from gdl.errors import DamagedData, Interrupted
from gdl.formats.answer import to_object
from gdl.game import Unknown
from gdl.interpreter.explicit_game import TreeGame
from gdl.model.games import TreeModel, TreeNode
from gdl.solvers import solve
from gdl.solvers.equilibria.dominance import DOMINANCE
from gdl.solvers.equilibria.nash import NASH
from gdl.solvers.equilibria.sequence_form import SEQUENCE_FORM
from gdl.solvers.equilibria.subgame_perfect import SUBGAME_PERFECT
from gdl.solvers.imperfect_information.belief import BELIEF
from gdl.solvers.minimax.alpha_beta import ALPHA_BETA
from gdl.solvers.minimax.backward_induction import EXPECTIMINIMAX, MAXN, MINIMAX
from gdl.states.game_wrapper import GameWrapper
from gdl.wings.verify.verifier import verify


def answer(solver, game, **options):
    """The answer as `gdl solve --json` saves it."""
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
ACCEPTED = [  # each game asks every other solver, the next game the others
    pytest.param(game, solver, id=f"{name}-{solver.name}", marks=pytest.mark.slow if (at + number) % 2 else ())
    for at, (name, game) in enumerate(GAMES.items())
    for number, solver in enumerate(SOLVERS)
    if not solver.lacks(game.traits) and (name, solver.name) not in TOO_LARGE
]


@pytest.mark.thorough_of("tic-tac-toe-expectiminimax")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game, solver", ACCEPTED)
def test_answers_of_every_solver_hold(game, solver):
    verdict = verify(game, answer(solver, game))
    assert verdict.ok, verdict.lines
    assert not any(line.startswith("FAILS") for line in verdict.lines)


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

# ---- What the verifier used to overlook -----------------------------------------------------------------------------


def blunders():
    """A begins; to the left B answers, to the right A has it in hand. The line a, a ends in the value by B's blunder."""
    left = B("B", {"a": (1, -1), "b": (-1, 1), "c": (0, 0)}, "left")
    right = B("A", {"a": (1, -1), "b": (1, -1)}, "right")
    return tree("blunders", "AB", B("A", {"a": left, "b": right, "c": (-1, 1)}, "start here"))


def textbook():
    """AIMA's figure 5.2."""
    return trees.tree(trees.MAX(trees.MIN(3, 12, 8), trees.MIN(2, 4, 6), trees.MIN(14, 5, 2)))


def umbrella():
    return gdl.loads("players Walker\ntree Walker(umbrella: 3, none: chance(rain ?p: -4, dry: 5))", "umbrella").game


def solved(game, solver="auto", **options):
    trace = options.pop("trace", False)
    return json.loads(
        json.dumps(to_object(solve(game, solver, **options), values=bool(options.get("values")), trace=trace))
    )


BATTLE = bimatrix([[2, 0], [0, 1]], [[1, 0], [0, 2]])
BLUNDERS, FIGURE, WALK = solved(blunders()), solved(textbook(), "alpha-beta", trace=True), solved(umbrella())
NASH_OF_BATTLE = solved(BATTLE)
THREE_STEPS = tree("steps", "AB", B("A", {"a": B("B", {"b": B("A", {"c": (1, 1), "d": (0, 0)})})}))

OVERLOOKED = {
    "an equilibrium deleted": (
        BATTLE,
        changed(NASH_OF_BATTLE, "equilibria", NASH_OF_BATTLE["equilibria"][:1]),
        "2 of them",
    ),
    "a continuum called complete": (
        bimatrix([[1, 1], [1, 1]]),
        changed(solved(bimatrix([[1, 1], [1, 1]])), "complete", True),
        "all their mixtures",
    ),
    "complete called incomplete": (BATTLE, changed(NASH_OF_BATTLE, "complete", False), "lists all equilibria"),
    "one listed twice": (
        BATTLE,
        changed(NASH_OF_BATTLE, "equilibria", [*NASH_OF_BATTLE["equilibria"], NASH_OF_BATTLE["equilibria"][0]]),
        "equilibrium 4 is equilibrium 1 once more",
    ),
    "a line by a blunder": (blunders(), changed(BLUNDERS, "line", ["a", "a"]), "holds a blunder: a at the start"),
    "a line not among the best": (blunders(), changed(BLUNDERS, "best", ["c"]), "not among the best"),
    "a line that stops early": (
        textbook(),
        changed(solved(textbook()), "line", ["1"]),
        "stops before the end, where MIN",
    ),
    "a line of another equilibrium": (
        THREE_STEPS,
        changed(solved(THREE_STEPS), "line", ["a", "b", "d"]),
        "holds a blunder: d after a, b",
    ),
    "another breakpoint": (umbrella(), json.loads(json.dumps(WALK).replace("2/9", "5/9")), "at p = 1/2"),
    "a breakpoint less": (
        umbrella(),
        changed(WALK, "unknowns", "p", WALK["unknowns"]["p"][:1]),
        "p lies between 0 and 1",
    ),
    "another condition": (
        umbrella(),
        json.loads(json.dumps(WALK).replace('"p >= 2/9"', '"p >= 1/9"')),
        "umbrella is not best",
    ),
    "a condition less": (umbrella(), changed(WALK, "conditions", WALK["conditions"][1:]), "no condition speaks of"),
    "nothing pruned": (textbook(), changed(FIGURE, "pruned", []), "pruned: not what the textbook's run has"),
    "another label": (textbook(), changed(FIGURE, "pruned", 0, "label", "x"), "pruned: not what"),
    "a junk trace": (textbook(), changed(FIGURE, "trace", FIGURE["trace"][:1]), "trace: not what"),
    "another window": (textbook(), changed(FIGURE, "trace", 5, "alpha", 1), "trace: not what"),
    "another cut": (textbook(), changed(FIGURE, "cuts", 0, "value", 1), "cuts: not what"),
    "another visit": (textbook(), changed(FIGURE, "visits", 3, "bound", "lower"), "visits: not what"),
    "other nodes": (textbook(), changed(FIGURE, "nodes", 12), "the textbook's run has 11 nodes, the answer 12"),
    "other leaves": (textbook(), changed(solved(textbook()), "leaves", 8), "8 leaves: the game has 9 ends"),
    "another value of a node": (
        textbook(),
        changed(solved(textbook(), "minimax", values=True), "values", 1, "value", {"MAX": 2, "MIN": -2}),
        "values: not those of backward induction",
    ),
    "a regret below zero": (
        textbook(),
        {**changed(FIGURE, "regret", {"MAX": -1, "MIN": 0}), "strategy": None},
        "a regret is a number from 0 up",
    ),
    "payoffs of others": (
        BATTLE,
        {**NASH_OF_BATTLE, "payoffs": [{"Row": 2, "Column": 1}] * 3},
        "equilibrium 2 pays Row 1, Column 2",
    ),
    "an interval beside the value": (
        textbook(),
        {**FIGURE, "interval": {"MAX": [4, 5], "MIN": [-5, -4]}},
        "lies between 3 and 3",
    ),
    "an equilibrium that is not perfect": (
        entry(),
        changed(
            answer(SUBGAME_PERFECT, entry()),
            "equilibria",
            [{"Entrant": {"market": {"out": 1}}, "Incumbent": {"entered": {"fight": 1}}}],
        ),
        "equilibrium 1 is none of the subgame at entered",
    ),
}


@pytest.mark.parametrize("game, wrong, words", OVERLOOKED.values(), ids=OVERLOOKED)
def test_what_was_overlooked(game, wrong, words):
    verdict = verify(game, wrong)
    assert verdict.headline == "The answer is wrong."
    assert any(line.startswith("FAILS") and words in line for line in verdict.lines), verdict.lines


@pytest.mark.parametrize(
    "game, right",
    [
        (BATTLE, NASH_OF_BATTLE),
        (blunders(), BLUNDERS),
        (textbook(), FIGURE),
        (umbrella(), WALK),
        (textbook(), {**FIGURE, "interval": {"MAX": [2, 3], "MIN": [-3, -3]}}),
        (THREE_STEPS, solved(THREE_STEPS)),
    ],
)
def test_and_holds_as_it_is(game, right):
    assert verify(game, right).headline == "The answer holds."


def test_a_regret_is_the_greatest_of_all_equilibria():
    found = answer(NASH, matching_pennies())
    (first,), names = found["equilibria"], list(found["equilibria"][0])
    rounded = copy.deepcopy(first)
    ((place, mixture),) = rounded[names[0]].items()
    rounded[names[0]][place] = dict(zip(mixture, ["5000000001/10000000000", "4999999999/10000000000"], strict=True))
    near = {**found, "exact": False, "value": None, "payoffs": None, "equilibria": [first, rounded]}
    stated = {names[0]: 0, names[1]: "1/5000000000"}
    verdict = verify(matching_pennies(), {**near, "regret": stated})
    assert verdict.ok and f"holds: the regret is {names[0]} 0, {names[1]} 1/5000000000" in verdict.lines
    assert not verify(matching_pennies(), {**near, "regret": dict.fromkeys(names, 0)}).ok
    assert not verify(matching_pennies(), {**near, "regret": dict.fromkeys(names, 10**400)}).ok


def test_a_regret_without_strategies_is_named():
    data = {**FIGURE, "strategy": None, "regret": {"MAX": 5, "MIN": 0}}
    verdict = verify(textbook(), data)
    assert verdict.headline == "The answer holds; not checked: regret."
    assert "not checked: regret: the answer has no strategies that it would be of" in verdict.lines


def test_a_field_that_nobody_knows_is_refused():
    with pytest.raises(DamagedData, match="elo is no field of an answer"):
        verify(textbook(), {**FIGURE, "elo": 2000})


def test_another_schema_is_not_read():
    with pytest.raises(DamagedData, match="schema 2"):
        verify(textbook(), {**FIGURE, "schema": 2})


def test_a_rounded_number_is_not_what_is_called_exact():
    assert verify(textbook(), changed(FIGURE, "value", {"MAX": 3.0, "MIN": -3})).ok
    assert verify(textbook(), changed(FIGURE, "value", {"MAX": 3.0000000001, "MIN": -3})).status("value") is False


@pytest.mark.thorough
def test_an_action_as_good_that_is_not_listed_is_refused_unless_the_answer_says_so():
    data = {**changed(TOE, "best", ["1", "2"]), "line": None}
    assert not verify(TicTacToe(), data).ok
    verdict = verify(TicTacToe(), {**data, "notes": ["whether other actions are as good was too long to prove"]})
    assert verdict.headline == "The answer holds; not checked: part of best."
    assert verdict.limit is None


def test_an_estimate_is_not_called_proved():
    data = {"game": "tree", "exact": False, "line": ["1", "1"]}
    assert verify(textbook(), data).headline == "An estimate: nothing was proved; not checked: line."


def test_a_search_to_a_depth_is_made_once_more():
    game = trees.tree(trees.MAX(trees.MIN(3, 12, eval=4), trees.MIN(2, 9, eval=5), eval=0))
    data = solved(game, "alpha-beta", depth=1)
    assert verify(game, data).headline == "The estimate holds."
    assert not verify(game, changed(data, "value", {"MAX": 4, "MIN": -4})).ok
    assert not verify(game, changed(changed(data, "best", ["1"]), "line", ["1"])).ok
    assert not verify(game, changed(data, "nodes", 4)).ok


@pytest.mark.parametrize("cut", ["ge", "gt"])
@pytest.mark.parametrize("order", ["given", "best", "worst"])
def test_an_older_answer_does_not_say_by_which_rule_it_was_found(cut, order):
    game = trees.tree(trees.random_tree(random.Random(6), 4))
    data = solved(game, "alpha-beta", cut=cut, order=order)
    assert "options" not in data
    assert verify(game, data).headline == "The answer holds."
    assert not verify(game, changed(data, "nodes", data["nodes"] + 1)).ok


def test_what_was_found_until_the_work_was_stopped_is_told(monkeypatch: pytest.MonkeyPatch):
    def stop(case):
        raise KeyboardInterrupt

    row = next(row for row in gdl.wings.verify.verifier.CHECKS if row.check.__name__ == "check_best")
    rows = [one._replace(check=stop) if one is row else one for one in gdl.wings.verify.verifier.CHECKS]
    monkeypatch.setattr(gdl.wings.verify.verifier, "CHECKS", rows)
    with pytest.raises(Interrupted) as stopped:
        verify(textbook(), FIGURE)
    verdict = stopped.value.partial
    assert verdict.status("value") is True
    assert verdict.status("best") is None
    assert verdict.headline.startswith("Value and strategy hold; not checked: ")


def test_what_needs_no_position_is_found_before_the_work_is_stopped():
    """The game, and what all ends pay; so an interval is proved, and a value that no end pays is wrong."""

    class Stopped(GameWrapper):
        """Ctrl-C comes with the first move."""

        def successor(self, *of_move):
            raise KeyboardInterrupt

    kuhn = gdl.load("kuhn")
    game = Stopped(kuhn)
    game.promises = kuhn.promises
    wide = {player: [-2, 2] for player in game.players}
    data = {**to_object(solve(kuhn)), "fingerprint": "1:ab", "interval": wide}
    with pytest.raises(Interrupted) as stopped:
        verify(game, data, origin={"fingerprint": "1:ab"})
    verdict = stopped.value.partial
    assert verdict.ok and verdict.status("interval") and verdict.status("fingerprint")
    assert verdict.status("value") is None
    assert any("only known to lie between -2 and 2" in line for line in verdict.lines)
    with pytest.raises(Interrupted) as stopped:
        verify(game, {**data, "value": {"P1": 3, "P2": -3}, "interval": {"P1": [0, 2], "P2": [-2, 0]}})
    assert not stopped.value.partial.ok
    assert stopped.value.partial.status("value") is False
    assert stopped.value.partial.status("interval") is None


# ---- Of which game an answer is -------------------------------------------------------------------------------------

MINE = {"fingerprint": "1:ab", "settings": {"n": "4"}}
OF_THIS = {
    "the same": ({}, True),
    "another": ({"fingerprint": "1:cd"}, False),
    "another form": ({"fingerprint": "2:ab"}, True),
}


@pytest.mark.parametrize("told, ok", OF_THIS.values(), ids=OF_THIS)
def test_fingerprints(told, ok):
    assert verify(textbook(), {**FIGURE, **MINE, **told}, origin=MINE).ok is ok


def test_the_same_rules_under_another_title():
    verdict = verify(textbook(), {**FIGURE, **MINE, "game": "Figure 5.2"}, origin=MINE)
    assert verdict.ok
    assert "not checked: the title: the answer calls the game Figure 5.2, not tree" in verdict.lines
    assert not verify(textbook(), {**FIGURE, "game": "Figure 5.2"}, origin=MINE).ok


def test_in_what_games_differ_is_told():
    (line,) = verify(
        textbook(), {**FIGURE, **MINE, "fingerprint": "1:cd"}, origin={**MINE, "settings": {"n": "5"}}
    ).lines
    assert line == "FAILS: the answer is of another game: it was made with --set n=4, and is looked at with --set n=5"


# ---- And the rest ---------------------------------------------------------------------------------------------------


def test_each_side_is_told():
    verdict = verify(kuhn(), answer(SEQUENCE_FORM, kuhn()))
    assert verdict.headline == "The answer holds."
    assert verdict.lines == (
        "holds: the strategies prove from both sides Ann -1/18, Bob 1/18",
        "holds: the strategy of Ann secures -1/18 whatever the other does",
        "holds: the strategy of Bob secures 1/18 whatever the other does",
        "holds: the regret is Ann 0, Bob 0",
        "holds: 55 nodes: the game has 55 positions",
        "holds: the answer is of this game, by title and traits",
        "not checked: that the rules are these: the answer was made before answers had fingerprints",
        "not checked: solver and notes (words, which nobody can check)",
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
    assert verdict.headline == "An estimate: strategy holds; not checked: value and best."
    assert "not checked: the value is an estimate by the answer's own account" in verdict.lines
    assert "holds: the strategy of Ann secures -1/18 whatever the other does" in verdict.lines


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


def test_floats_of_an_estimate_need_only_be_close():
    data = changed(KUHN, "value", {"Ann": -1 / 18, "Bob": 1 / 18})
    third = {"pass": 1 - 1 / 3, "bet": 1 / 3}
    assert not verify(kuhn(), data).ok
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


def test_an_answer_that_was_stopped_before_a_solver_was_chosen_is_not_wrong():
    stopped = {"schema": 1, "game": "pennies", "solver": "auto", "exact": False}
    assert verify(matching_pennies(), stopped, takes=gdl.solvers.SOLVERS.__contains__).ok
    assert not verify(matching_pennies(), {**stopped, "exact": True}, takes=gdl.solvers.SOLVERS.__contains__).ok


def test_beyond_the_limit_of_positions_the_rest_is_named():
    verdict = verify(Leduc(2), answer(SEQUENCE_FORM, Leduc(2)), limit=50)
    assert verdict.ok
    assert verdict.limit is not None and "more than 50 states" in verdict.limit
    assert verdict.headline == "Nothing was proved; not checked: value, strategy, regret and nodes."


def test_a_search_in_a_window_is_made_once_more_and_knows_no_value_beyond_it():
    game = gdl.load("figure_5_2")
    data = solved(game, "alpha-beta", window="3..5") | {"options": {"window": "3..5", "cut": "ge"}}
    assert "value" not in data
    verdict = verify(game, data)
    assert verdict.headline == "The estimate holds."
    assert verdict.limit is None
    assert verify(game, changed(data, "exact", True)).status("exact") is False
    assert verify(game, changed(data, "nodes", 10)).status("nodes") is False
    inside = solved(game, "alpha-beta", window="2..5") | {"options": {"window": "2..5", "cut": "ge"}}
    assert verify(game, inside).headline == "The answer holds."
