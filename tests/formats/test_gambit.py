"""Gambit's files: what is read is the game that was written, and what is damaged is told with its place."""

import random
from fractions import Fraction as F
from pathlib import Path
from time import process_time

import pytest
from click.testing import CliRunner
from games_by_hand import dealt, imperfect_recall, kuhn, matching_pennies, minority, prisoners, two_roads
from sampling import one_in

import gdl
from gdl.commands import cli
from gdl.errors import GameError, LimitReached, Refusal
from gdl.formats import gambit_reader, gambit_writer
from gdl.formats.game_files import described
from gdl.game import Terminal
from gdl.render.source import source_text
from gdl.solvers import solve
from gdl.solvers.equilibria.positions import explore
from gdl.states import count

GAMES = {
    "kuhn": kuhn(),
    "pennies": matching_pennies(),
    "two roads": two_roads(),
    "imperfect recall": imperfect_recall(),
    **{f"dealt {seed}": dealt(random.Random(seed)) for seed in range(8)},
    **{name: gdl.load(name) for name in ("leduc", "rock_paper_scissors", "beer_quiche", "seltens_horse", "dark_hex")},
}
TABLES = {
    "prisoners": prisoners(),
    "minority": minority(),
    **{name: gdl.load(name) for name in ("chicken", "colonel_blotto", "three_players")},
}

# The example of an extensive game in Gambit's documentation has this form: outcomes are shared, sets named once.
SHARED = """EFG 2 R "Shared" { "Alice" "Bob" }
"a comment"

c "" 1 "" { "1G" 1/2 "1B" 0.5 } 0
p "" 1 1 "(1,1)" { "H" "L" } 0
t "" 1 "win" { 10, 2 }
t "" 2 "lose" { -1.5e0 .5 }
p "a node" 1 2 "(1,2)" { "H" "H" } 3 "toll" { 1 1 }
t "" 1
t "" 0
"""
OUTCOMES = """NFG 1 R "By outcomes" { "A" "B" } { { "u" "d" } 2 }
{ { "first" 1, -1 } { "second" 1/3 0.25 } }
1 2 0 1
"""


ALONE = """EFG 2 R "Alone" { "Ann" "Bob" }
p "" 1 1 "" { "l" "r" } 0
p "" 2 1 "" { "u" "d" } 0
t "" 1 "a" { 1, 0 }
t "" 2 "b" { 0, 1 }
p "" 2 1 "" { "u" "d" } 0
t "" 2
t "" 1
"""


def read(text: str, name: str = "x.efg"):
    return gdl.loads(text, name).game


def source(text: str) -> str:
    return source_text(described(text, "x.efg"))


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, id=name, marks=pytest.mark.slow if name == "leduc" else ()) for name, game in GAMES.items()],
)
def test_a_tree_read_again_is_the_same_game(game):
    again = read(gambit_writer.extensive(game))
    assert again.players == tuple(game.players)
    first, second = count.histories(game), count.histories(again)
    assert (first.histories, first.terminal, first.chance) == (second.histories, second.terminal, second.chance)
    assert list(first.infosets.values()) == list(second.infosets.values())
    assert gambit_writer.extensive(read(gambit_writer.extensive(again))) == gambit_writer.extensive(again)
    if game.traits.perfect_recall and len(game.players) > 1:
        assert solve(game, "cfr", iterations=20).value == solve(again, "cfr", iterations=20).value


def test_a_tree_shows_all_where_the_game_does():
    """A position to which several plays lead is a set for each of them: whoever sees everything has seen the play."""
    game = gdl.load("nim", settings={"heaps": "2,2"})
    again = read(gambit_writer.extensive(game))
    assert again.traits.perfect_information and again.traits.perfect_recall
    assert solve(again).value == solve(game).value


@pytest.mark.thorough_of("three_players")
@pytest.mark.parametrize("game", TABLES.values(), ids=TABLES)
def test_a_table_read_again_is_the_same_game(game, tmp_path: Path):
    file = tmp_path / "table.nfg"
    (tmp_path / "game.efg").write_text(gambit_writer.extensive(game), encoding="utf-8")
    done = CliRunner().invoke(cli.commands, ["export", str(tmp_path / "game.efg"), "-o", str(file)])
    assert done.exit_code == 0
    first, second = solve(game, "nash"), solve(gdl.load(file), "nash")
    assert first.value == second.value
    assert len(first.equilibria) == len(second.equilibria)


def test_a_tree_as_it_is_written():
    text = """game "One"
players A, B
tree chance (1/2: A in s (l: (1, 2), r: (0, 0)), 1/2: chance (1: A in s (l: (3, 4), r: B (2, 1))))
"""
    assert (
        gambit_writer.extensive(gdl.loads(text).game)
        == """EFG 2 R "One" { "A" "B" }
""

c "" 1 "" { "1" 1/2 "2" 1/2 } 0
p "" 1 1 "s" { "l" "r" } 0
t "" 1 "" { 1, 2 }
t "" 2 "" { 0, 0 }
c "" 2 "" { "1" 1 } 0
p "" 1 1 "s" { "l" "r" } 0
t "" 3 "" { 3, 4 }
p "" 2 1 "2 > 1 > r" { "1" "2" } 0
t "" 4 "" { 2, -2 }
t "" 5 "" { 1, -1 }
"""
    )


def test_outcomes_are_shared_and_add_up():
    game = read(SHARED)
    assert game.players == ("Alice", "Bob")
    paid = [node.utilities for node in explore(game).nodes if isinstance(node, Terminal)]
    assert sorted(paid) == [(F(-3, 2), F(1, 2)), (1, 1), (10, 2), (11, 3)]
    assert solve(game).value == (F(21, 2), F(5, 2))


def test_actions_of_one_name_are_told_apart():
    assert '"H (2)"' in source(SHARED)


def test_a_table_by_outcomes():
    text = source(OUTCOMES)
    assert text.splitlines()[-3:] == ['    "1" "2"', '    "u" (1, -1) (0, 0)', '    "d" (1/3, 1/4) (1, -1)']


def test_the_least_that_is_allowed():
    """A chance that never comes, and a player with one strategy."""
    assert solve(read(SHARED.replace("1/2", "1").replace("0.5", "0"))).value == (10, 2)
    alone = OUTCOMES.replace("} 2 }", "} 1 }").replace("1 2 0 1", "1 2")
    assert source(alone).splitlines()[-2:] == ['    "u" (1, -1)', '    "d" (1/3, 1/4)']


BROKEN = {
    "an unknown kind": (SHARED.replace("c \"\" 1", "x \"\" 1"), "4:1", "kind of node"),
    "a text without an end": ('EFG 2 R "Shared" { "A }', "1:20", "does not end"),
    "another version": (SHARED.replace("EFG 2", "EFG 3"), "1:5", "version 3"),
    "no such player": (SHARED.replace('p "" 1 1', 'p "" 7 1'), "5:6", "no player 7"),
    "a number missing": (SHARED.replace("{ 10, 2 }", "{ 10 }"), "6:19", "is due here"),
    "chances": (SHARED.replace("0.5 }", "0.4 }"), "4:31", "sum to 9/10"),
    "a chance below zero": (SHARED.replace("1/2", "3/2").replace("0.5 }", "-.5 }"), "4:31", "is -1/2"),
    "an unknown outcome": (SHARED.replace("t \"\" 1\n", "t \"\" 9\n"), "9:6", "outcome 9"),
    "too short": (SHARED.removesuffix('t "" 0\n'), "10:1", "is due here"),
    "too long": (SHARED + 't "" 0\n', "11:1", "complete before"),
    "actions that differ": (SHARED.replace('1 2 "(1,2)"', '1 1 "(1,2)"'), "8:34", "other actions"),
    "no actions": (SHARED.replace('{ "H" "L" }', "{ }"), "5:20", "an action at least"),
    "no strategies": (OUTCOMES.replace("} 2 }", "} 0 }"), "1:49", "nobody has 0 strategies"),
    "an outcome beyond the last": (OUTCOMES.replace("0 1\n", "0 3\n"), "3:7", "no outcome 3"),
    "a word for a number": (SHARED.replace("10, 2", "10, many"), "6:20", "no number"),
}  # fmt: skip


@pytest.mark.parametrize("text, place, message", BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_told_with_its_place(text: str, place: str, message: str):
    with pytest.raises(GameError) as wrong:
        gambit_reader.description(text, "x.efg")
    (problem,) = wrong.value.problems
    assert message in problem.message
    assert str(problem).startswith(f"x.efg:{place}: error:")
    assert problem.help


def test_what_is_odd_is_told_with_its_place():
    (odd,) = gdl.loads('EFG 2 R "d" { "A" "B" }\np "" 1 1 "" { "a" "b" } 0\nt "" 1 "" { 1, 2 }\nt "" 1\n', "x").warnings
    assert str(odd).startswith("x:2:1: warning: B never moves")


def test_an_outcome_pays_one_thing():
    """Said twice it may be, as pygambit reads it."""
    twice = SHARED.replace('t "" 1\n', 't "" 1 "win" { 10 2 }\n')
    assert solve(read(twice)).value == solve(read(SHARED)).value
    with pytest.raises(GameError, match="outcome 1 paid 10, 2 before") as wrong:
        read(twice.replace("10 2", "10 3"))
    assert str(wrong.value.problems[0]).startswith("x.efg:9:14")


def chain(moves: int) -> str:
    """A centipede of so many moves, in which going on pays 1 more for each move before, and stopping at once is 1."""
    rows = [
        f'p "" {k % 2 + 1} {k + 1} "" {{ "stop" "go" }} 0\nt "" {k + 1} "" {{ {1 - k}, {1 - k} }}' for k in range(moves)
    ]
    return "\n".join(['EFG 2 R "T" { "A" "B" }', *rows, f't "" {moves + 1} "" {{ 1/3, 1/3 }}'])


@pytest.mark.thorough
def test_a_chain_is_as_long_as_it_is():
    text = chain(3_000)
    game = read(text)
    answer = solve(game)
    assert answer.value == (1, 1) and answer.best == ("stop",) and answer.exact
    assert len(source(text)) < 12 * len(text) and len(gambit_writer.extensive(game)) < 20 * len(text)
    again = gdl.loads(source(text)).game
    assert again.model.nodes == tuple(
        one.copy_with(span=two.span) for one, two in zip(game.model.nodes, again.model.nodes, strict=True)
    )
    assert gambit_writer.extensive(read(gambit_writer.extensive(again))) == gambit_writer.extensive(again)


def test_names_of_all_scripts_are_read_as_they_were():
    """Gambit takes ASCII alone, and single blanks."""
    names = ["Zoë", "甲", "é", "→", "a  b", "\U0001f600", "back\\slash", "\\u7532", "−1"]
    actions = ", ".join(f'"{name}": ({k}, {-k})'.replace("\\", "\\\\") for k, name in enumerate(names))
    written = gambit_writer.extensive(gdl.loads(f'players "Zoë", 甲\ntree "Zoë" ({actions})').game)
    assert written.isascii() and "  " not in written
    game = read(written)
    assert game.players == ("Zoë", "甲") and game.node(game.initial()).actions == tuple(names)
    assert read('EFG 2 R "" { "Zoë" } t "" 0').players == ("Zoë",)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", one_in(2, range(300)))
def test_damage_is_an_error_never_more(seed: int):
    rng = random.Random(seed)
    text = rng.choice([SHARED, OUTCOMES, gambit_writer.extensive(kuhn())])
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        text = (
            text[:at]
            + rng.choice(["", "{", "}", '"', "0", "9", "-", "/0", "p", "\x00", text[at : at + 9] * 3])
            + text[at + rng.randint(0, 3) :]
        )
    try:
        read(text)
    except GameError as wrong:
        assert all(str(problem) for problem in wrong.problems)


def test_a_table_that_is_promised_too_large():
    with pytest.raises(GameError, match="cells"):
        gambit_reader.description('NFG 1 R "x" { "A" "B" "C" } { 1000 1000 1000 } 1 2 3', "x.nfg")


@pytest.mark.thorough
def test_what_has_no_tree_is_refused():
    with pytest.raises(Refusal, match="come again"):
        gambit_writer.extensive(gdl.load("pong_hau_ki"))
    with pytest.raises(LimitReached, match="more than 100 nodes"):
        gambit_writer.extensive(gdl.load("leduc"), 100)


def test_names_that_would_break_the_file():
    game = gdl.loads('players "A \\"x", B\ntree "A \\"x" ("say \\\\ \\"hi\\"": (1, 2), right: (3, 4))\n').game
    again = read(gambit_writer.extensive(game))
    assert again.players == game.players
    assert again.node(again.initial()).actions == game.node(game.initial()).actions


def test_standard_input_is_read(tmp_path: Path):
    done = CliRunner().invoke(cli.commands, ["solve", "-"], input=gambit_writer.extensive(kuhn()))
    assert done.exit_code == 0
    assert "-1/18" in done.stdout


@pytest.mark.parametrize(
    "words, status, message",
    [
        (["kuhn", "-o", "k.txt"], 2, "neither .efg nor .nfg"),
        (["monty_hall", "-o", "m.nfg"], 5, "two players at least"),
        (["leduc", "-o", "l.nfg"], 4, "--limit allows more"),
        (["pong_hau_ki", "-o", "p.efg"], 5, "come again"),
    ],
)
def test_what_export_refuses(
    words: list[str], status: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli.commands, ["export", *words])
    assert done.exit_code == status
    assert message in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["chess", "go"])
def test_a_tree_far_too_large_is_refused_at_once(name: str, tmp_path: Path):
    begun = process_time()
    done = CliRunner().invoke(cli.commands, ["export", name, "-o", str(tmp_path / "x.efg")])
    assert done.exit_code == 4
    assert " nodes, by an estimate, and the limit is 1,000,000" in done.output
    assert process_time() - begun < 5


def test_the_writer_tells_of_its_progress():
    told: list[int] = []
    gambit_writer.extensive(kuhn(), progress=told.append)
    assert told == list(range(1, len(told) + 1)) and len(told) > 50


def test_a_set_of_one_node_needs_no_name():
    """One of several nodes gets one, as they are told apart by it."""
    text = source(ALONE)
    assert text.count(' in "2:1"') == 2 and '"1:1"' not in text


def test_numbers_of_trees_and_tables_are_as_long_as_they_are():
    """So are those of tests/test_games/large_payoff_game.efg of Gambit, of twenty digits; up to 200 are read."""
    most = "7" * 200
    text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "l" "r" }} 0 t "" 1 "" {{ {most} 1/{most} }} t "" 0'
    answer = solve(read(text))
    assert answer.value == (int(most), F(1, int(most)))
    assert answer.exact and answer.best == ("l",)
    with pytest.raises(GameError, match="at most 200 digits"):
        read(text.replace(most, most + "7"))
    matrix = f"players A, B\nmatrix\n  l\nu {most}\nd 0\nexpect value = {most}\n"
    assert solve(gdl.loads(matrix).game).value == (int(most), -int(most))
    with pytest.raises(GameError, match="at most 18 digits"):
        gdl.loads(f"parameters n = {most}\n{matrix}")


NAMELESS = """players "Player 1"
tree
 chance
  "1" 1/2: "Player 1" in "1:7"
   "1": 3
   "2": 0
  "2" 1/2: "Player 1" in "1:7"
   "1": 3
   "2": 0
"""


def test_what_has_no_name_is_numbered() -> None:
    """A set of chance, which may be called like another, has no name in a tree."""
    node = 'p "" 1 7 "" { "" "" } 0\nt "" 1 "" { 3 }\nt "" 0\n'
    text = f'EFG 2 R "" {{ "" }}\nc "" 1 "1:7" {{ "" 1/2 "" 1/2 }} 0\n{node}{node}'
    assert source(text) == NAMELESS
