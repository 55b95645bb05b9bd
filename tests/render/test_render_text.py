"""Answers as people read them."""

import random
import re
import textwrap
from fractions import Fraction
from typing import Any

import pytest
from handmade import Circle, Kuhn, TicTacToe, figure_5_2, prisoners, tree

import gdl
from gdl.game import Traits
from gdl.numbers import brief, rounded_text
from gdl.render.text import histories_text, perft_text, solution_text, states_text, trace_text, traits_text
from gdl.solution import Cut, RecordedSearch, Skipped, Solution, Visit
from gdl.solvers import solve
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.states.count import HistoryCount, StateCount

ZERO_SUM = Traits(2, True, 0, False, False, True, True, False)
CHANCE = Traits(2, True, 0, True, False, False, True, False)
GENERAL = Traits(2, False, None, False, True, False, True, False)


def text(expected: str) -> str:
    return textwrap.dedent(expected).lstrip("\n")


def answer(**given) -> Solution:
    return Solution(**{"game": "g", "solver": "s", "players": ("MAX", "MIN"), "traits": ZERO_SUM} | given)


def sentence(solution: Solution, game=None) -> str:
    return solution_text(solution, game).split("\n\n")[0].replace("\n", " ")


def test_alpha_beta_on_figure_5_2():
    assert solution_text(alpha_beta(figure_5_2())) == text(
        """
        MAX wins 3 by playing a1.

        value     MAX 3, MIN -3 (exact)
        best      a1
        line      a1, b1
        searched  11 nodes, 7 of them leaves
        pruned    2 subtrees: c2 and c3
                  at C (MIN): 2 <= alpha 3 from B, so c2 and c3 are never looked at
        solver    alpha-beta, cut when alpha >= beta, in the order of the file
        """
    )


def test_unlabelled_children_are_named_by_their_path():
    children = {"1": ("MIN", {"1": 3, "2": 12}), "2": ("MIN", {"1": 2, "2": 4, "3": 6})}
    shown = solution_text(alpha_beta(tree("MAX", "MIN", root=("MAX", children))))
    assert "pruned    2 subtrees: node 2.2 and node 2.3\n" in shown
    assert "at node 2 (MIN): 2 <= alpha 3 from node 1, so node 2.2 and node 2.3 are never looked at\n" in shown


def test_one_empty_line_stands_before_the_value_where_nobody_moves():
    shown = solution_text(solve(gdl.loads("players MAX\ntree chance (3/4: 98, 1/4: 79)").game))
    assert shown.startswith("With best play, MAX gets 373/4 on average.\n\nvalue ")


def test_a_trace_tells_windows_and_bounds():
    assert trace_text(alpha_beta(figure_5_2())) == text(
        """
        node         window on entry  returned  window on exit
        A       MAX  (-inf, inf)      = 3       (3, inf)
          B     MIN  (-inf, inf)      = 3       (-inf, 3)
            b1       (-inf, inf)      = 3
            b2       (-inf, 3)        = 12
            b3       (-inf, 3)        = 8
          C     MIN  (3, inf)         <= 2      (3, 2)
            c1       (3, inf)         = 2
          D     MIN  (3, inf)         = 2       (3, 2)
            d1       (3, inf)         = 14
            d2       (3, 14)          = 5
            d3       (3, 5)           = 2
        """
    )


def test_the_prisoners():
    betray = {"silent": 0, "betray": 1}
    solution = Solution(
        game="prisoners",
        solver="nash",
        players=("A", "B"),
        traits=GENERAL,
        value=(-2, -2),
        equilibria=({"A": {"start": betray}, "B": {"start": betray}},),
        complete=True,
        regret=(0, 0),
        reason="prisoners is general-sum with simultaneous moves",
        notes=("betray is strictly dominant for A and for B.", "so it is in dominant strategies"),
    )
    assert solution_text(solution) == text(
        """
        The only equilibrium is (betray, betray): A gets -2 and B gets -2.

        value     A -2, B -2 (exact)
        regret    A 0, B 0: nobody gains by deviating
        note      betray is strictly dominant for A and for B.
                  so it is in dominant strategies.
        solver    nash: prisoners is general-sum with simultaneous moves
        """
    )


SENTENCES = {
    "win": (answer(value=(3, -3), best=("a",)), figure_5_2(), "MAX wins 3 by playing a."),
    "two ways": (answer(value=(3, -3), best=("a", "b")), figure_5_2(), "MAX wins 3 by playing a (b is as good)."),
    "three ways": (
        answer(value=(3, -3), best=("a", "b", "c")),
        figure_5_2(),
        "MAX wins 3 by playing a (b and c are as good).",
    ),
    "many ways": (
        answer(value=(3, -3), best=tuple("abcdef")),
        figure_5_2(),
        "MAX wins 3 by playing a (5 other actions are as good).",
    ),
    "loss": (answer(value=(-3, 3), best=("a",)), figure_5_2(), "MIN wins 3; MAX loses least by playing a."),
    "draw": (answer(value=(0, 0), best=("a",)), figure_5_2(), "A draw with best play: MAX plays a."),
    "nobody known to move": (
        answer(value=(3, -3), best=("a",)),
        None,
        "MAX wins 3 with best play, which begins with a.",
    ),
    "draw, unknown mover": (answer(value=(0, 0), best=("a",)), None, "A draw with best play: it begins with a."),
    "chance first": (
        answer(players=("Ann", "Bob"), traits=CHANCE, value=(Fraction(-1, 18), Fraction(1, 18))),
        Kuhn(),
        "Bob wins 1/18 on average with best play.",
    ),
    "a fraction too long to say": (
        answer(players=("Ann", "Bob"), traits=CHANCE, value=(Fraction(10**12, 3**22), -Fraction(10**12, 3**22))),
        Kuhn(),
        "Ann wins about 31.8664 on average with best play.",
    ),
    "even chance": (answer(traits=CHANCE, value=(0, 0)), None, "Nobody wins on average with best play."),
    "estimate": (
        answer(value=(4, -4), best=("a",), exact=False, limit="cut off at depth 2"),
        figure_5_2(),
        "MAX is estimated to win 4 by playing a.",
    ),
    "one player": (
        answer(
            players=("A",), traits=Traits(1, False, None, True, False, True, True, False), value=(10,), best=("go",)
        ),
        tree("A", root=("A", {"go": 10, "stay": 2})),
        "A gets 10 on average by playing go.",
    ),
    "three players": (
        answer(players=("A", "B", "C"), traits=None, value=(1, 2, 6), best=("1",)),
        tree("A", "B", "C", root=("A", {"1": [1, 2, 6], "2": [0, 0, 0]})),
        "A gets 1 by playing 1; B gets 2 and C gets 6.",
    ),
    "three players, mover unknown": (
        answer(players=("A", "B", "C"), traits=None, value=(1, 2, 6), best=("1",)),
        None,
        "With best play, which begins with 1, A gets 1, B gets 2 and C gets 6.",
    ),
    "only an action": (answer(best=("a",)), figure_5_2(), "MAX plays a."),
    "nothing settled": (answer(solver="dominance", game="pennies"), None, "dominance does not settle pennies."),
    "stopped": (answer(exact=False, limit="time is up"), None, "s was stopped before it settled g."),
    "stopped early": (
        answer(exact=False, limit="interrupted", solver="auto"),
        None,
        "g was not settled: stopped before there was an answer.",
    ),
}


@pytest.mark.parametrize(("solution", "game", "expected"), SENTENCES.values(), ids=SENTENCES.keys())
def test_the_first_sentence(solution, game, expected):
    assert sentence(solution, game) == expected


def profile(a: str, b: str) -> dict:
    return {"A": {"start": {a: 1}}, "B": {"start": {b: 1}}}


MIXED = {
    "A": {"start": {"x": Fraction(1, 3), "y": Fraction(2, 3), "z": 0}},
    "B": {"start": {"l": Fraction(1, 2), "r": Fraction(1, 2)}},
}


def equilibria(*profiles, **given) -> Solution:
    return answer(players=("A", "B"), traits=GENERAL, equilibria=profiles, **given)


def test_equilibria_are_listed_in_order():
    several = equilibria(profile("x", "l"), profile("y", "r"), MIXED, complete=True, regret=(0, 0))
    assert solution_text(several) == text(
        """
        There are 3 equilibria: (x, l), (y, r) and 1 more, listed below.

        equilibrium 1: (x, l)
        equilibrium 2: (y, r)
        equilibrium 3
            A    x 1/3, y 2/3
            B    l 1/2, r 1/2

        regret    A 0, B 0: nobody gains by deviating
        solver    s
        """
    )


def test_how_sure_the_list_of_equilibria_is():
    assert sentence(equilibria(profile("x", "l"))) == "An equilibrium is (x, l)."
    assert sentence(equilibria(profile("x", "l"), complete=False)) == "One equilibrium of several is (x, l)."
    assert (
        sentence(equilibria(profile("x", "l"), payoffs=((1, 2),))) == "An equilibrium is (x, l): A gets 1 and B gets 2."
    )
    assert sentence(equilibria(profile("x", "l"), MIXED)).startswith("2 equilibria were found: (x, l) and 1 more")
    assert sentence(equilibria(MIXED, value=(0, 0), complete=True)) == (
        "The only equilibrium is mixed: on average A gets 0 and B gets 0."
    )
    one_value = equilibria(profile("x", "l"), profile("y", "l"), value=(1, 2), complete=True)
    assert sentence(one_value) == "There are 2 equilibria, all of one value: A gets 1 and B gets 2."


def test_one_equilibrium_is_named_with_what_it_pays_also_where_it_is_mixed():
    assert (
        sentence(equilibria(MIXED, payoffs=((1, 2),))) == "An equilibrium is mixed: on average A gets 1 and B gets 2."
    )


def test_an_average_is_told_once():
    pytest.importorskip("gdl.wings.theory")
    drawn = answer(players=("A", "B"), traits=CHANCE, concept="correlated", value=(1, 2))
    assert sentence(drawn) == "Drawn as below, the plans pay: on average A gets 1 and B gets 2."
    by_plans = answer(players=("A", "B"), traits=CHANCE, concept="team", value=(1, 2))
    assert sentence(by_plans) == "By the plans below A gets 1 and B gets 2 on average."


def test_strategies_stand_in_columns_per_information_set():
    strategy = {
        "Ann": {"J": {"check": Fraction(2, 3), "bet": Fraction(1, 3)}, "J, bet at": {"fold": 1, "call": 0}},
        "Bob": {"Q after bet": {"fold": 1}, "K after bet": {"call": 1}},
    }
    value = (Fraction(-1, 18), Fraction(1, 18))
    solution = answer(players=("Ann", "Bob"), traits=CHANCE, value=value, strategy=strategy, regret=(0, Fraction(1, 4)))
    assert solution_text(solution) == text(
        """
        Bob wins 1/18 on average with best play.

        Ann            check  bet  fold  call
            J            2/3  1/3
            J, bet at                 1     0
        Bob
            Q after bet  fold
            K after bet  call

        value     Ann -1/18 (-0.0556), Bob 1/18 (0.0556) (exact)
        regret    Ann 0, Bob 1/4 (0.25): what each could gain by deviating
        solver    s
        """
    )


def test_a_table_too_wide_for_the_page_is_written_out():
    wide = {f"action number {n}": Fraction(1, 10) for n in range(10)}
    solution = equilibria({"A": {"h": wide, "k": wide}, "B": {"start": {"l": 1}}})
    shown = solution_text(solution)
    assert "    h: action number 0 1/10, action number 1 1/10" in shown
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.thorough
def test_long_lists_are_cut_with_a_count():
    long = {f"h{n}": {"x": 1} for n in range(50)}
    shown = solution_text(equilibria({"A": long, "B": {"start": {"l": 1}}}))
    assert "    … 30 more information sets of A (--json has them all)\n" in shown
    shown = solution_text(equilibria(*[MIXED] * 100, complete=True))
    assert "more (--json has them all)\n" in shown and len(shown.splitlines()) < 80
    assert "pruned    6,930 subtrees (--json has them all)\n" in solution_text(alpha_beta(TicTacToe()))


def test_an_estimate_and_its_limit_are_said():
    shown = solution_text(
        answer(value=(4, -4), best=("a",), exact=False, limit="cut off at depth 2: 7 nodes were only estimated")
    )
    assert "value     MAX 4, MIN -4 (an estimate)\n" in shown
    assert "limit     cut off at depth 2: 7 nodes were only estimated.\n" in shown


@pytest.mark.parametrize(
    ("width", "told"), [(10**-6, "0.548387"), (10**-4, "0.5484"), (10**-3, "0.548"), (10**-2, "0.55")]
)
def test_an_estimate_has_the_digits_that_its_proven_interval_is_worth(width: float, told: str) -> None:
    value, ends = Fraction("0.5483872"), (Fraction("0.5483872") - Fraction(width), Fraction("0.5483872"))
    interval = (ends, (-ends[1], -ends[0]))
    shown = solution_text(answer(value=(value, -value), best=("a",), exact=False, interval=interval))
    assert f"value     MAX {told}, MIN -{told} (an estimate" in shown and f"win about {told} with" in shown


def test_traits():
    assert traits_text(figure_5_2().traits) == "two players, zero-sum, perfect information, no chance"
    assert traits_text(Kuhn().traits) == "two players, zero-sum, imperfect information, chance"
    assert traits_text(prisoners().traits) == (
        "two players, general-sum, imperfect information, simultaneous moves, no chance"
    )
    assert traits_text(Circle().traits).endswith("no chance, play can return to an earlier position")
    assert traits_text(Traits(3, False, 10, False, False, True, False, None)) == (
        "3 players, constant sum 10, perfect information, no chance, imperfect recall"
    )
    assert traits_text(Traits(1, None, None, None, None, None, None, None)) == "one player"


def test_counts():
    assert states_text("nim", StateCount(1_234, 1, 5, (1, 1_233))) == text(
        """
        nim has 1,234 reachable states, 1 of them final, and 5 moves between them.

        ply  states first reached
        0                       1
        1                   1,233
        """
    )
    assert histories_text("kuhn", HistoryCount(58, 30, 4, {"Ann": 12, "Bob": 12}, {"Ann": 6, "Bob": 6})) == text(
        """
        kuhn has 58 histories, 30 of them complete; chance moves at 4.

        player  decisions  information sets
        Ann            12                 6
        Bob            12                 6
        """
    )
    assert perft_text("nim", 1, 12) == "nim has 12 action sequences of exactly 1 ply.\n"
    assert perft_text("nim", 2, 12, {"take 1": 10, "take 2": 2}) == text(
        """
        nim has 12 action sequences of exactly 2 plies.

        take 1  10
        take 2   2
        """
    )


HARMFUL = "\x1b[2J\u202e\n\r\u2028\x00"


def test_no_name_can_steer_the_terminal_or_forge_a_line():
    evil = f"e{HARMFUL}vil"
    visit = Visit((), None, evil, evil, "decision", None, None, 1, None, 1, "exact")
    skipped = Skipped((0, 1), evil, evil)
    solution = Solution(
        game=evil,
        solver=evil,
        players=(evil, "B"),
        traits=ZERO_SUM,
        value=(1, -1),
        best=(evil,),
        line=(evil,),
        part=RecordedSearch(cuts=(Cut((0,), 1, None, 1, evil, (skipped,)),), visits=(visit,)),
        strategy={evil: {evil: {evil: 1}}, "B": {}},
        notes=(evil,),
        limit=evil,
        reason=evil,
    )
    shown = solution_text(solution) + solution_text(
        equilibria({"A": {evil: {evil: 1}}, "B": {evil: {evil: 1, "x": 0}}})
    )
    shown += trace_text(solution) + perft_text(evil, 1, 2, {evil: 2}) + traits_text(ZERO_SUM)
    assert not set(HARMFUL) - set("\n[2J") & set(shown)
    assert not any(line.startswith("vil") for line in shown.splitlines())


def test_no_line_is_wider_than_the_page():
    chooser = random.Random(5)
    for _ in range(200):
        names = ["x" * chooser.randint(1, 30) + str(n) for n in range(chooser.randint(1, 12))]
        mixture = {name: Fraction(1, len(names)) for name in names}
        one = {"A": dict.fromkeys(names, mixture), "B": {"start": mixture}}
        solution = equilibria(
            *[one] * chooser.randint(1, 3), best=tuple(names), line=tuple(names), notes=(" ".join(names),)
        )
        assert max(map(len, solution_text(solution).splitlines())) <= 100


def test_fractions_that_nobody_reads_are_rounded() -> None:
    """Every number stands in full in the answer as JSON; to a reader no fraction is longer than some digits."""
    text = (
        "players A, B\ntree chance(1/10007: chance(1/100003: 1/99989, 100002/100003: 1/99991), 10006/10007: 10/111119)"
    )
    game = gdl.loads(text).game
    solution = solve(game)
    assert solution.value is not None
    told, number = solution_text(solution, game), f"{float(solution.value[0]):.6g}"
    assert f"A wins about {number} on average" in told
    assert f"value     A {number}, B -{number} (exact; --json has it in full)" in told
    assert not re.search(r"\d{10}", told)


@pytest.mark.thorough  # half a minute of exact arithmetic where the extra `lp` is not installed
def test_the_value_of_leduc_is_rounded_for_readers() -> None:
    leduc = gdl.load("leduc")
    told = solution_text(solve(leduc), leduc)
    assert not re.search(r"\d{10}", told)
    assert "Ann secures about -0.0856064 whatever Bob does" in told


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (Fraction(1, 18), "1/18"),
        (3, "3"),
        (10**30, str(10**30)),
        (Fraction(-(10**20), 3), "about -3.33333e+19"),
        (0.25, "about 0.25"),
        (0.0723755, "about 0.072"),
        (1234.5, "about 1234"),
    ],
)
def test_brief_numbers(number: Any, said: str) -> None:
    assert brief(number, "about ") == said


@pytest.mark.parametrize(
    ("number", "said"),
    [(0.05555, "0.0556"), (35.72, "35.7"), (999.2, "999"), (1000.5, "1,000.5"), (99000.0, "99,000"), (1e20, "1e+20")],
)
def test_no_digit_before_the_point_is_rounded_away(number: float, said: str) -> None:
    assert rounded_text(number, 3, ",") == said


def test_decimals_of_a_large_fraction() -> None:
    """They were 1e+03."""
    game = gdl.loads("players A, B\ntree chance (1/2: A(1000), 1/2: A(1001))").game
    assert "value     A 2001/2 (1000.5), B -2001/2 (-1000.5) (exact)" in solution_text(solve(game), game)


def test_a_game_that_is_over_at_once_is_said_to_be():
    """Whoever forgot that a variable has a first value learns it from the answer, not from the check alone."""
    rules = "players A, B\nstate\n    bid[Player]: 0..1\naction offer\n    bid[mover] := 1\nterminal\n    bid[A] = bid[B] -> draw"
    assert "Play is over where it begins" in str(gdl.solve(gdl.loads(rules)))
    assert "Play is over" not in str(gdl.solve("prisoners"))
