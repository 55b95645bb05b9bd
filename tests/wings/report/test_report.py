"""gdl report: what it says is so, told by games whose truth is known and by plays counted by hand."""

import csv
import json
import re
from contextlib import nullcontext
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.commands.game_argument import load
from gdl.errors import LimitReached
from gdl.interpreter.position import begin_after
from gdl.render.page import PRESENT
from gdl.states.count import histories
from gdl.states.sequential import Sequential
from gdl.wings.arena.draws import LONG, seed_after
from gdl.wings.report import tree_size as tree_sizes
from gdl.wings.report.agents import expand_agent, seatings, split_agents
from gdl.wings.report.drama import drama
from gdl.wings.report.figures import share_of
from gdl.wings.report.rules_without import NoSuchAction, rules_without_action
from gdl.wings.report.trace import Trace
from gdl.wings.report.tree_size import tree_size

HERE = Path(__file__).parent


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, ["report", *arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.stdout


def told(*arguments: str) -> dict:
    return json.loads(run(*arguments, "--json"))


# -- the designs whose truth is known --------------------------------------------------------------------------


@pytest.mark.thorough
def test_three_in_a_row_is_won_by_who_begins():
    """Four are, too, but a tree search that is quick enough for a test may lose them."""
    arguments = ("--set", "run=3", "--agents", "mcts:500", "--games", "40", "--seed", "2", "--lead", "none")
    (found,) = told("connect_four", *arguments)["reports"]
    assert found["first"] == "Yellow" and found["seats"]["Yellow"]["share"]["interval"][0] > 0.5
    assert set(found["uneven"]) == {"Yellow", "Red"}


@pytest.mark.slow
@pytest.mark.parametrize(("file", "winner"), [("hex", "Red"), (str(HERE / "hex_swap.game"), "Blue")])
def test_the_swap_takes_the_advantage_of_beginning_away(file: str, winner: str):
    arguments = (file, "--agents", "mcts:100", "--games", "30", "--seed", "1", "--lead", "none")
    (found,) = told(*arguments)["reports"]
    assert found["first"] == "Red"
    assert found["seats"][winner]["share"]["interval"][0] > 0.5
    assert set(found["uneven"]) == {"Red", "Blue"}


@pytest.mark.slow
def test_a_broken_goofspiel_is_found_out():
    broken, whole = str(HERE / "goofspiel_broken.game"), ("goofspiel", "--set", "n=4")
    (found,) = told(broken, "--games", "150", "--seed", "1")["reports"]
    assert found["uneven"] == ["Ann", "Bob"]
    assert found["seats"]["Ann"]["share"]["interval"][0] > 0.5
    assert {"what": "never legal", "name": "pass"} in found["dead"]
    assert found["first"] is None  # all choose at once
    (found,) = told(*whole, "--games", "150", "--seed", "1")["reports"]
    assert found["uneven"] == []


@pytest.mark.parametrize("seed", [3, 4])
def test_the_verdict_agrees_with_the_interval_beside_it(seed: int):
    """The second has 60 of 100 plays, which is 0.502 to 0.691, and was not called uneven."""
    asked = (
        str(HERE / "leaning_coin.game"),
        "--games",
        "100",
        "--agents",
        "random",
        "--lead",
        "none",
        "--seed",
        str(seed),
    )
    (found,) = told(*asked)["reports"]
    low, high = found["seats"]["Red"]["share"]["interval"]
    assert found["uneven"] == ([] if low <= 0.5 <= high else ["Red", "Blue"])
    assert (low > 0.5) == (seed == 4)


# -- numbers ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_numbers_of_the_plays_are_those_of_the_table(tmp_path):
    table = tmp_path / "plays.csv"
    (found,) = told("tic_tac_toe", "--agents", "random", "--games", "25", "--csv", str(table))["reports"]
    rows = list(csv.DictReader(table.open()))
    assert len(rows) == found["plays"] == 25
    game = load("tic_tac_toe", {}, None).game
    for row in rows:
        end = begin_after(game, row["actions"])
        assert [str(u) for u in end.node(end.initial()).utilities] == [row["utility of X"], row["utility of O"]]
        assert int(row["plies"]) == len(row["actions"].split())
    for seat in ("X", "O"):
        assert found["seats"][seat]["won"] == sum(row["winner"] == seat for row in rows)
    assert sum(end["count"] for end in found["endings"]) == 25
    assert found["plies"]["mean"] == sum(int(row["plies"]) for row in rows) / 25
    choices = [9 - k for row in rows for k in range(int(row["plies"]))]
    assert found["branching"] == pytest.approx(sum(choices) / len(choices), abs=1e-6)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["nim", "tic_tac_toe", "kuhn"])
def test_the_guess_at_the_tree_is_near_the_count(name: str):
    game = load(name, {}, None).game
    found = tree_size(game, 1, None)
    assert found.complete and found.walks == 200
    assert abs(found.tree - histories(game).histories) <= 4 * found.error


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["chess", "backgammon"])
def test_random_plays_and_walks_are_made_by_the_compiled_engine(name: str, monkeypatch):
    """Chess asks for earlier positions, and in backgammon chance moves."""
    calls, successor = [], Sequential.successor
    monkeypatch.setattr(Sequential, "successor", lambda game, *move: calls.append(move) or successor(game, *move))
    monkeypatch.setattr(tree_sizes, "sample_walk", lambda *asked: pytest.fail("the interpreter walks"))
    run(name, "--agents", "random", "--games", "2", "--seed", "1")
    assert not calls


def trace(judged: list[tuple[float, float]], utilities: tuple[int, int]) -> Trace:
    return Trace((0, 0), 0, (), frozenset(), len(judged) - 1, utilities, None, tuple(judged), ("x",))


def test_lead_changes_and_comebacks_by_hand():
    one = trace([(0, 0), (1, -1), (0, 0), (1, -1), (-1, 1), (-1, 1)], (-1, 1))
    other = trace([(0, 0), (0.5, -0.5), (1, -1)], (1, -1))
    found = drama([one, other], 2)
    assert (found.plays, found.decided, found.comebacks) == (2, 2, 1)
    assert found.changes == 0.5  # once, and never: who leads first takes the lead from nobody, and a tie keeps it
    assert found.deficit == 0.5  # by 2 of 2, and never
    assert found.settled == pytest.approx((4 / 5 + 0) / 2)


@pytest.mark.thorough
def test_exact_values_say_who_leads():
    (found,) = told("nim", "--set", "heaps=1,2", "--agents", "mcts:50", "--games", "5", "--lead", "exact")["reports"]
    assert found["lead"]["by"] == "exact" and found["lead"]["changes"] == 0  # the first player wins, and plays well


def test_of_nothing_there_is_no_share():
    assert share_of(0, 0) is None


# -- agents ----------------------------------------------------------------------------------------------------


def test_agents_in_short_and_in_full():
    assert expand_agent("mcts:200") == "mcts:simulations=200"
    assert expand_agent("depth-limited:3") == "depth-limited:depth=3"
    assert expand_agent("mcts:200,c=1") == "mcts:simulations=200,c=1"
    assert split_agents("mcts:200,c=1,random") == ["mcts:200,c=1", "random"]


@pytest.mark.parametrize(("agents", "seats"), [(1, 2), (2, 2), (2, 3), (3, 2), (4, 4), (9, 7)])
def test_every_agent_has_every_seat_equally_often(agents: int, seats: int):
    cycle = 2520 if agents < 9 else 9
    found = list(islice(seatings(agents, seats), cycle))
    for seat in range(seats):
        counts = [sum(way[seat] == agent for way in found) for agent in range(agents)]
        assert len(set(counts)) == 1


@pytest.mark.slow
def test_the_better_agent_has_the_better_score_in_both_seats():
    (found,) = told("tic_tac_toe", "--agents", "mcts:100,random", "--games", "30", "--lead", "none")["reports"]
    strong, weak = found["by_agent"]
    assert strong["score"]["interval"][0] > 0.5 > weak["score"]["interval"][1]
    assert found["uneven"] == []  # the seats were exchanged


# -- comparisons -----------------------------------------------------------------------------------------------


def test_an_action_is_taken_out_for_one_seat():
    model = load("tic_tac_toe", {}, None).model
    for action, left in (("take", [0, 9]), ("take(b2)", [8, 9])):
        game = gdl.play(rules_without_action(model, action, 0))
        start = game.initial()
        counts = [len(game.options(start.with_mover(p), p)) for p in (0, 1)]
        assert counts == left
    with pytest.raises(NoSuchAction):
        rules_without_action(model, "take(z9)", 0)


@pytest.mark.slow
def test_centre_is_worth_something():
    found = told("tic_tac_toe", "--agents", "random", "--games", "300", "--without", "take(b2)", "--seat", "X")
    whole, less = (report["seats"]["X"]["mean"] for report in found["reports"])
    assert whole > less
    assert [report["label"] for report in found["reports"]] == ["all actions", "without take(b2) for X"]


def test_a_sweep_compares_values():
    found = told("nim", "--sweep", "heaps=1,2", "--games", "4", "--agents", "random")
    assert [report["label"] for report in found["reports"]] == ["heaps = 1", "heaps = 2"]


@pytest.mark.slow
def test_a_ladder_has_a_rung_for_each_half():
    found = told("tic_tac_toe", "--games", "4", "--ladder", "100", "--lead", "none")
    assert [(rung["simulations"], rung["against"]) for rung in found["ladder"]] == [(50, 25), (100, 50)]


# -- what is written -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_command_gives_the_same_bytes(tmp_path):
    files = [tmp_path / name for name in ("one.html", "two.html")]
    texts = [run("tic_tac_toe", "--games", "3", "--agents", "random", "-o", str(file)) for file in files]
    assert texts[0] == texts[1] and files[0].read_bytes() == files[1].read_bytes()


def test_the_page_stands_alone(tmp_path):
    file, game = tmp_path / "page.html", tmp_path / "hostile.game"
    game.write_text('game "<script>x</script>"\nplayers "<b>", B\nmatrix\n      l  r\n   u  1  -1\n   d  -1  1\n')
    run(str(game), "--games", "8", "-o", str(file), "--csv", str(tmp_path / "t.csv"))
    page = file.read_text()
    assert (
        page.count("<script") == page.count(PRESENT) == 1
        and "<b>" not in page
        and "http" not in page.replace("http-equiv", "")
    )
    assert page.count("<figure>") == page.count('role="img"') == page.count("<details>") > 2
    assert "prefers-color-scheme: dark" in page and "default-src 'none'" in page


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("nim", "--agents", "nobody"), 2),
        (("nim", "--agents", "random:3"), 2),
        (("nim", "--agents", ""), 2),
        (("nim", "--without", "take"), 2),
        (("nim", "--without", "take", "--seat", "Nobody"), 2),
        (("nim", "--without", "fly", "--seat", "First"), 2),
        (("nim", "--sweep", "heaps"), 2),
        (("nim", "--sweep", "nosuch=1,2"), 2),
        (("nim", "-o", "page.txt"), 2),
        (("prisoners", "--agents", "mcts:50"), 5),
        (("kuhn", "--lead", "exact"), 5),
        (("figure_5_2", "--without", "a1", "--seat", "MAX"), 5),
    ],
)
def test_what_cannot_be_reported(arguments: tuple[str, ...], status: int):
    run(*arguments, status=status)


@pytest.mark.parametrize("name", ["figure_5_2", "prisoners", "monty_hall", "three_players"])
def test_games_of_every_kind_have_a_report(name: str):
    (found,) = told(name, "--games", "5", "--agents", "random")["reports"]
    assert found["ended"] == 5


@pytest.mark.slow
def test_a_limit_of_time_leaves_what_was_played():
    result = CliRunner().invoke(
        cli.commands,
        [
            "report",
            "tic_tac_toe",
            "--agents",
            "random",
            "--time",
            "2",
            "--games",
            "1000000",
            "--lead",
            "none",
            "--json",
        ],
    )
    assert result.exit_code == 4, result.output
    found = json.loads(result.stdout)
    assert "stopped after 2 s" in found["limit"] and found["reports"][0]["plays"] > 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "pig",
        *(f"tests/model/language/{name}.game" for name in "past since rows_in_names below_zero".split()),
    ],
)
def test_random_agents_play_the_same_on_both_engines(name: str):
    """On the compiled engine many moves are made at once, what was offered is counted from its rows, and the positions
    before the last are read from its memory."""
    asked = (name, "--agents", "random", "--games", "6", "--engine")
    fast = told(*asked, "wasm")
    assert fast == told(*asked, "interpreter") and fast["reports"][0]["seats"]


def test_what_players_remember_counts_as_work():
    """Positions of hidden cards take long to keep apart, though the rules have little to run through."""
    for name, stops in {"kuhn": True, "tic_tac_toe": False}.items():
        checked = tree_sizes.work_limit(gdl.load(name))
        with pytest.raises(LimitReached) if stops else nullcontext():
            checked(tree_sizes.WORK // tree_sizes.POSITION + 1)


ENDLESS = """
players Ann, Bob
state
    n: 0..2
action add when n < 2
    n := 2 - n
action take when n = 2
    n := 0
action win as "win" when n = 1
    n := 1
terminal
    n = 1 -> win Ann
    forever -> (1, -1)
"""


@pytest.mark.thorough
def test_play_without_end_counts_as_the_file_says(tmp_path: Path):
    """Endless play is the first warning, stands in the table with its line, and pays the file's price."""
    file = tmp_path / "endless.game"
    file.write_text(ENDLESS)
    text = run(str(file), "--agents", "random", "--games", "2", "--lead", "none")
    assert "   13        2  forever -> (1, -1)" in text.splitlines()
    first, warning = " ".join(text.split()).split(" seat wins ")[0].split(" warning: ")
    assert "Ann wins 2 and Bob wins 0 of 2 decided plays" in first
    assert warning.startswith("2 of 2 plays had no end within 5,000 plies; they count as line 13 says (forever -> ")
    (found,) = told(str(file), "--agents", "random", "--games", "2", "--lead", "none")["reports"]
    assert found["ended"] == 0 and found["plies"] is None and found["seats"]["Ann"]["won"] == 2
    file.write_text(ENDLESS.replace("    forever -> (1, -1)\n", ""))
    (found,) = told(str(file), "--agents", "random", "--games", "2", "--lead", "none")["reports"]
    assert found["seats"]["Ann"]["plays"] == 0 and [end["count"] for end in found["endings"]] == [0]


def test_the_seeds_of_a_long_play_stay_short():
    """They are the text of the play until that is long, then its digest: a play takes as long as it has plies."""
    seed, plies = "0/3/", [str(number) for number in range(4_000)]
    for count, ply in enumerate(plies, start=1):
        seed = seed_after(seed, ply)
        assert (len(seed) <= LONG + 10) and (count > 1_000 or seed == f"0/3/{'/'.join(plies[:count])}")


def test_a_tree_of_thousands_of_digits_is_no_number_of_json(tmp_path: Path):
    file = tmp_path / "walk.game"
    file.write_text("state\n    n: 0..9\nplayers Ann, Bob\naction go(k: 0..9)\n    n := k\n"
                    "terminal\n    n = 10 -> draw\n    forever -> draw\n")  # fmt: skip
    (found,) = told(str(file), "--agents", "random", "--games", "1", "--lead", "none")["reports"]
    assert found["size"]["tree"] is None and found["size"]["log10_of_power"] == 20_000


def test_costs_are_told_as_costs(tmp_path: Path):
    file = tmp_path / "toll.game"
    file.write_text(
        "players Ann, Bob\nutility is cost\nstate\n    n: 0..3\naction go\n    n := 3\nterminal\n    n = 3 -> (2, 1)\n"
    )
    said = run(str(file), "--agents", "random", "--games", "4")
    assert "mean cost" in said and re.search(r"Ann .* 2 +± 0", said) and re.search(r"Bob .* 1 +± 0", said)


def test_a_step_that_several_lines_draw_is_unused_only_if_none_of_them_drew_it(tmp_path: Path):
    (file := tmp_path / "draws.game").write_text("""players Ann, Bob
state
    n: 0..9
action go
    n := n + 1
    draw card
    if n > 5
        draw card
chance card(k: 1..2) as "{k}"
    n := n
terminal
    n = 2 -> draw
""")
    (found,) = told(str(file), "--agents", "random", "--games", "3")["reports"]
    assert found["dead"] == []


@pytest.mark.parametrize("agents", ["mcts:20", "minimax"])
@pytest.mark.parametrize("lead", ["search", "exact"])
def test_where_all_are_asked_at_once_but_one_alone_has_a_choice(agents: str, lead: str, tmp_path: Path):
    """Ann, who alone ever acts, takes the 2 in all plays."""
    file = tmp_path / "alone.game"
    rules = ["players Ann, Bob", "state", "    n: 0..2", "    at_once: Boolean", "action begin when not at_once",
             "    at_once := true", "    next everyone", "action go(k: 1..2) when at_once and mover = Ann", "    n := k",
             "terminal", "    n > 0 -> n"]  # fmt: skip
    file.write_text("\n".join(rules) + "\n", encoding="utf-8")
    (found,) = told(str(file), "--agents", agents, "--games", "4", "--lead", lead)["reports"]
    assert found["seats"]["Ann"]["mean"] == 2
