"""A file from a stranger is safe to open: every limit is told, before much time or memory is spent on it."""

import resource
import time

import pytest

import gdl
from gdl.compiler.lower import lower
from gdl.errors import GameError, limits
from gdl.inspection.findings import inspect
from gdl.syntax import parser

QUICK = 30.0  # seconds of work, on a slow machine; most take a hundredth of one
SMALL = 400  # megabytes by which the process may grow

RULES = """players Ann, Bob
{declarations}
state
    heap: 0..5
    {variable}

action take{head}
    heap := heap + 1
    {body}

terminal
    heap = 5 -> draw
"""


def rules(declarations="", variable="", head="", body=""):
    return RULES.format(declarations=declarations, variable=variable, head=head, body=body)


def messages(text):
    """The messages of `gdl check` on a text, found quickly and in little memory."""
    started, held = time.process_time(), memory()
    try:
        found = inspect(parser.parse(text, "stranger.game"), gdl.play).problems
    except GameError as error:
        found = error.problems
    assert time.process_time() - started < QUICK
    assert memory() - held < SMALL
    assert all(problem.span for problem in found)
    return [problem.message for problem in found if not problem.warning]


def memory():
    """The most megabytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


CASES = {
    "a million letters and more": ("#" * (limits.SOURCE + 1), "larger than 1,048,576 characters"),
    "brackets": (rules(head=" when " + "(" * 200 + "true" + ")" * 200), "nested more than 100 deep"),
    "only brackets": ("(" * 500_000, "nested more than 100 deep"),
    "blocks": ("resolve\n" + "".join("  " * i + "  if true\n" for i in range(150)), "nested more than 100 deep"),
    "nodes": ("players A\ntree " + "A(" * 150 + "1" + ")" * 150, None),
    "words of a tree": ("players A\ntree " + "(" * (limits.WORDS + 1), "at most 1,500,000 words"),
    "a long number": (rules(variable="big: 0..1234567890123456789"), "a number has at most 18 digits"),
    "a long sum": (rules(body="heap := " + "+".join(["1"] * 5000)), "more than 200 operations"),
    "many times not": (rules(head=" when " + "not " * 5000 + "true"), "more than 200 operations"),
    "many minus signs": (rules(head=" when 1 > " + "-" * 5000 + "1"), "more than 200 operations"),
    "many else ifs in a value": (
        rules(body="heap := " + "".join(f"if heap = {i % 5} then 1 else " for i in range(2000)) + "1"),
        "more than 200 operations",
    ),
    "many else ifs": (
        rules(body="if heap = 0\n        heap := 1\n" + "    else if heap = 1\n        heap := 2\n" * 2000),
        "more than 200 operations",
    ),
    "definitions one upon the other": (
        rules("define d0 = heap\n" + "".join(f"define d{i} = d{i - 1} + 1\n" for i in range(1, 3000)), head=" when d2999 > 0"),
        "more than 1,000 operations",
    ),
    "definitions one before the other": (
        rules("".join(f"define d{i} = d{i + 1} + 1\n" for i in range(3000)) + "define d3000 = heap\n", head=" when d0 > 0"),
        "more than 1,000 operations",
    ),
    "procedures one before the other": (
        rules("".join(f"define p{i}\n    p{i + 1}\n" for i in range(3000)) + "define p3000\n    heap := 1\n", body="p0"),
        "more than 1,000 operations",
    ),
    "definitions that double": (
        rules("define d0 = heap\n" + "".join(f"define d{i} = d{i - 1} + d{i - 1}\n" for i in range(1, 60)), head=" when d59 > 0"),
        "more than 10,000 calls",
    ),
    "endless recursion": (
        rules("define f(n: 0..9): 0..9 = f(n)", head=" when f(1) = 1"), "f calls itself more than 200 deep"
    ),
    "recursion through many operations": (
        rules("define f(n: 0..999): 0..999 = if n = 0 then heap else f(n - 1)" + " + 1 - 1" * 80, head=" when f(199) = 0"),
        "f calls itself more than",
    ),
    "recursion that doubles": (
        rules("define f(n: 0..99): 0..99 = if n = 0 then heap else f(n - 1) + f(n - 1)", head=" when f(90) = 0"),
        "values are gone through in one position",
    ),
    "nested words of a board": (
        rules("board S = grid(3, 3)", head="(s: S) when " + "step(" * 90 + "s" + ", north)" * 90 + " = none"), None
    ),
    "a huge type": (rules("type T = 0..999999999999999", "far: T"), None),
    "an array over a huge type": (rules("type T = 0..999999999999999", "far[T]: 0..1"), "takes more than 1,048,576 bits"),
    "many indices": (rules(variable="far[0..999, 0..999, 0..999]: 0..1"), "takes more than 1,048,576 bits"),
    "an array of sets": (rules("board S = grid(100, 100)", "far[S]: set of S"), "takes more than 1,048,576 bits"),
    "a set over a huge range": (rules(variable="far: set of 0..999999999999"), "a set cannot hold"),
    "a huge number in a set": (rules(head=" when 3 in {999999999999}"), "a set cannot hold"),
    "a growing number in a set": (
        rules(body="let x = 9\n    x := 99999999999999\n    heap := size({x})"), "a set holds whole numbers from 0 to 9,999"
    ),
    "a state of a million bits": (rules(variable="far[1..1000000]: Boolean", head="(s: 1..10)", body="far[s] := true"), None),
    "many ways to change a large state": (
        rules("board S = grid(100, 100)", "far[S, 1..25]: Boolean", "(s: S)", "far[s, 1] := true"), None
    ),
    "all subsets": (rules(head="(x: set of 0..60)"), "more than 5,000,000 values are gone through here"),
    "a huge parameter": (rules(head="(x: 0..999999999999)"), "more than 5,000,000 values are gone through here"),
    "a huge parameter or none": (
        rules("type T = 0..999999999999", head="(x: T?)"), "more than 5,000,000 values are gone through here"
    ),
    "many parameters": (rules(head="(x: 0..9999, y: 0..9999)"), "100,000,000 ways to go, and 100,000 are possible"),
    "many parameters with a condition that holds": (
        rules(head="(x: 0..1999, y: 0..1999) when x >= 0"), "take has more than 100,000 ways to go in one position"
    ),
    "many parameters with a condition": (
        rules(head="(x: 0..9999, y: 0..9999) when x = y"), "values are gone through in one position"
    ),
    "a huge count": (rules(head=" when (count x in 0..999999999999: x > 1) > 0"), "values are gone through here"),
    "a huge count with a bound that is played": (
        rules(head=" when (count x in 0..(heap + 999999999999): x > 1) > 0"), "values are gone through in one position"
    ),
    "counts inside one another": (
        rules(head=" when (sum " + ", ".join(f"x{i} in 1..9" for i in range(12)) + ": 1) > 0"),
        "values are gone through in one position",
    ),
    "a huge constant": (rules("type T = 0..(count x in 0..99999, y in 0..99999: x > y)", "far: T"), "values are gone through"),
    "a list of a huge range": (
        rules("define far = 0..999999999999", head=" when far[1] = 1"), "is no list that is known before play"
    ),
    "many names": (rules(head=" when exists " + ", ".join(f"x{i} in 1..2" for i in range(3000)) + ": true"), "at most 20 names"),
    "a minimum of many": (rules(head=" when min(" + ", ".join(["heap"] * 5_000) + ") = 0"), None),
    "many players": (rules().replace("Ann, Bob", "P[1000000000]"), "a game has 1 to 64 players"),
    "many players by name": (rules().replace("Ann, Bob", ", ".join(f"p{i}" for i in range(99))), "a game has 1 to 64 players"),
    "a huge board": (rules("board S = grid(100000, 100000)"), "a board has at most 10,000 squares"),
    "a board of many axes": (rules("board S = grid(" + ", ".join(["1"] * 500) + ")"), "a board has at most 500,000 steps"),
    "long lines": (
        rules("board S = grid(100, 100)", head="(s: S) when exists l in lines(S, 90): s in l"),
        "'lines' has more than 500,000 answers on this board",
    ),
    "lines longer than the board": (
        rules("board S = grid(9, 9)", head="(s: S) when exists l in lines(S, 999999999999): s in l"), None
    ),
    "pairs of squares": (
        rules("board S = grid(100, 100)", head="(s: S) when distance(s, s) = 0"), "'distance' has more than 500,000 answers"
    ),
    "squares between": (
        rules("board S = track(1000)", head="(s: S) when size(between(s, s)) = 0"), "'between' has more than 500,000 answers"
    ),
    "far steps": (
        rules("board S = grid(9, 9)", head="(s: S) when step(s, north, 999999999999) = none"), None
    ),
    "squares that grow": (
        rules(body="let x = 10\n    repeat\n        x := x * x"), "a number gets more than 18 digits here"
    ),
    "fractions that grow": (
        rules(body="let x = 1/3\n    repeat\n        x := x * x"), "a fraction gets a denominator of more than 18 digits here"
    ),
    "a constant that grows": (rules(f"define far = {'*'.join(['10'] * 30)}", "x: 0..far"), "a number gets more than 18 digits"),
    "endless repeating": (rules(body="repeat\n        heap := 1"), "'repeat' goes on for more than 1,000 turns"),
    "all hands of cards": (
        rules("start deal\n\nchance deal(h: 13 from deck)\n    heap := 1\n", "deck: set of 0..51 = those c in 0..51: true"),
        "values are gone through in one position",
    ),
    "more cards than there are": (
        rules("start deal\n\nchance deal(h: 999999999999 from deck)\n    heap := 1\n", "deck: set of 0..51"),
        "the chance step deal has no outcome here",
    ),
    "many mistakes": ("players A\n" + "x := ;\n" * 10_000, "';' is not a sign of the language"),
}  # fmt: skip


LARGER = {
    "a minimum of more": (rules(head=" when min(" + ", ".join(["heap"] * 20_000) + ") = 0"), None),
    "more mistakes": ("players A\n" + "x := ;\n" * 100_000, "';' is not a sign of the language"),
}


@pytest.mark.thorough_of("many ways to change a large state", "procedures one before the other")
@pytest.mark.one_in(7)
@pytest.mark.parametrize(
    ("text", "message"),
    [pytest.param(*case, id=name, marks=pytest.mark.slow if name in LARGER else ())
     for name, case in (CASES | LARGER).items()],
)  # fmt: skip
def test_limit_is_told(text, message):
    found = messages(text)
    if message is None:
        assert not any("gone through" in told or "more than" in told for told in found)
    else:
        assert any(message in told for told in found), found


@pytest.mark.thorough
@pytest.mark.thorough_of("or-1500")
@pytest.mark.parametrize("length", [1500, pytest.param(5000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("word", ["and", "or"])
def test_long_chains_of_conditions_work(word, length):
    chain = f" {word} ".join(["heap = 0"] * length)
    game = gdl.loads(rules(head=f" when {chain}")).game
    assert game.node(game.initial()).actions == ("take",)
    loaded = gdl.loads(f"{rules()}\ndefine one = {chain}\ndefine other = {chain}\n")
    assert "other says the same as one" in str(loaded.warnings)


def test_a_hundred_brackets_work():
    game = gdl.loads(rules(head=" when " + "(" * 98 + "heap" + " + 1 - 1)" * 98 + " = 0")).game
    assert game.node(game.initial()).actions == ("take",)


@pytest.mark.thorough
def test_a_tree_of_many_leaves_works():
    game = gdl.loads("players MAX, MIN\ntree MAX(" + ", ".join(["1"] * 20_000) + ")").game
    assert len(game.node(game.initial()).actions) == 20_000


def test_few_of_many_problems_are_told():
    with pytest.raises(GameError) as raised:
        gdl.loads("players A, B\ntree A(" + ", ".join(f"p{i}(1, 2)" for i in range(500)) + ")")
    assert len(raised.value.problems) == limits.PROBLEMS + 1
    assert raised.value.problems[-1].message == "450 more problems from here on"


def test_labels_reach_no_terminal_with_their_controls():
    text = 'players "A\x1b[31m", B\ntree "A\x1b[31m" "n\u2028" ("a\x07\u200b": 1, "b\ufeff": B(2, 3))\n'
    game = gdl.loads(text, "evil\x1b.game").game
    state = game.initial()
    shown = [*game.players, *game.node(state).actions, game.show(state), game.describe(state, 0), game.name]
    assert not any(character in "\x1b\u2028\x07\u200b\ufeff" for text in shown[:-1] for character in text)


def test_texts_of_rules_reach_no_terminal_with_their_controls():
    text = rules(head=' as "take\x1b[31m"', body='say "gone\u2028"').replace("players", 'game "Heap\x1b"\nplayers')
    game = gdl.loads(text).game
    after = game.successor(game.initial(), *game.node(game.initial()).actions)
    shown = [game.name, *game.node(game.initial()).actions, game.describe(after, 0), game.show(after)]
    assert not any(character in "\x1b\u2028" for text in shown for character in text)


def test_a_long_name_is_compiled_without_much_memory():
    long = "x" * 200_000
    text = rules().replace("Bob", long).replace("take", long + "2")
    game = gdl.loads(text, "long.game").game
    held = memory()
    assert len(lower(game.model, game).source) < 10 * len(long)
    assert memory() - held < SMALL
