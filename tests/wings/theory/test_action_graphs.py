"""Files of action-graph games and of payoffs by counts: what they pay, against a reckoning by hand and Gambit's reader."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from together import together

import gdl
from gdl.errors import GameError
from gdl.formats.answer import to_object
from gdl.game import Chance, Terminal
from gdl.model.games import MatrixModel
from gdl.wings.verify.verifier import verify

VOLUNTEERS = "#COUNTS\n# Diekmann 1985\nplayers {}\nhelp [1]\nwait by help [0 2 ...]\n"
ROADS = "#COUNTS\nplayers {}\nwide by wide [{}]\nnarrow by narrow [{}]\nlane by lane [{}]\n"
DILEMMA = "#AGG\n2\n2\n0\n2 2\n0 1\n0 1\n2 0 1\n2 0 1\n0 {} {}\n0 {} {}\n"
TYPES = """#BAGG
# An incumbent who is weak or strong, and an entrant of one type: node 0 fights, 1 yields, 2 fights at no cost,
# 3 enters, 4 stays out.
2
5
0
2 1
1/4 3/4
1
2 2 2
0 1
1 2
3 4
1 3
1 3
1 3
3 0 1 2
0
0 3 -1   # what fighting pays the weak one, without and with the entrant
0 4 2
0 4 3
1 3
[0 0 1] -2
[0 1 0] 2
[1 0 0] -2
0 0
"""


class RandomGraph:
    """An action graph drawn at random, with the text of its file, of which every part follows the documentation."""

    def __init__(self, seed: int):
        dice = self.dice = random.Random(seed)
        self.players, self.nodes, self.count = dice.randint(1, 3), dice.randint(2, 4), dice.randint(0, 5)
        self.sets = [sorted(dice.sample(range(self.nodes), dice.randint(1, self.nodes))) for _ in range(self.players)]
        missing = set(range(self.nodes)) - {node for own in self.sets for node in own}
        self.sets[0] = sorted({*self.sets[0], *missing})  # with a node that nobody has Gambit 16.7 breaks down
        every = range(self.nodes + self.count)
        kinds = [dice.choice([0, 1, 2, 3, 10, 11, 12, 13]) for _ in range(self.count)]
        self.kinds = [(kind, dice.randint(0, 2), [dice.randint(0, 3) for _ in range(self.nodes)]) for kind in kinds]
        self.lists = [dice.sample(every, min(len(every), dice.randint(0, 3))) for _ in range(self.nodes)]
        for k in range(self.count):
            like = [self.nodes + j for j in range(k) if self.kinds[j] == self.kinds[k]]
            self.lists.append(dice.sample([*range(self.nodes), *like], dice.randint(1, 2)))
        self.paid: list[dict[tuple[int, ...], F]] = [{} for _ in range(self.nodes)]
        for joint in product(*self.sets):
            for node in set(joint):
                self.paid[node].setdefault(self.counts(node, joint), F(dice.randint(-30, 30), dice.choice([1, 2, 4])))

    def met(self, function: int, node: int) -> int:
        """How often a function meets an action node among its neighbours, and theirs."""
        lists = self.lists[function] if function >= self.nodes else ()
        return sum(int(one == node) + self.met(one, node) for one in lists)

    def value(self, one: int, joint: Sequence[int]) -> int:
        """The count of a node, or the value of a function."""
        if one < self.nodes:
            return list(joint).count(one)
        kind, default, weights = self.kinds[one - self.nodes]
        times = [self.met(one, taken) for taken in joint]
        if kind < 10:
            inside = [taken for taken, often in zip(joint, times, strict=True) if often]
            nothing = self.nodes + self.count
            return [sum(times), int(bool(inside)), max(inside, default=nothing), min(inside, default=nothing)][kind]
        heavy = [default + weights[taken] * often for taken, often in zip(joint, times, strict=True)]
        inside = [weights[taken] for taken, often in zip(joint, times, strict=True) if often]
        inside = [weight for weight in inside if weight != default]
        return [sum(heavy), int(sum(heavy) > 0), max(inside, default=default), min(inside, default=default)][kind - 10]

    def counts(self, node: int, joint: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.value(one, joint) for one in self.lists[node])

    def utilities(self, joint: Sequence[int]) -> list[F]:
        return [self.paid[node][self.counts(node, joint)] for node in joint]

    def text(self) -> str:
        lines = [
            "#AGG",
            "# drawn",
            f"{self.players} {self.nodes} {self.count}",
            " ".join(str(len(s)) for s in self.sets),
        ]
        lines += [" ".join(map(str, own)) for own in self.sets]
        lines += ["# the graph", *(" ".join(map(str, [len(near), *near])) for near in self.lists)]
        for kind, default, weights in self.kinds:
            lines.append(str(kind) if kind < 10 else f"{kind} {default} [{' '.join(map(str, weights))}]")
        for paid in self.paid:
            rows = sorted(paid.items())
            if self.dice.random() < 0.5:
                lines.append(" ".join(["0", *(str(float(payoff)) for _, payoff in rows)]))
            else:
                lines += [f"1 {len(rows)}", *(f"[{' '.join(map(str, at))}] {float(payoff)}" for at, payoff in rows)]
        return "\n".join(lines) + "\n"


def joint_utilities(game: Any, *actions: str) -> tuple[Any, ...]:
    end = game.node(game.successor(game.initial(), actions))
    assert isinstance(end, Terminal)
    return end.utilities


@together(range(60))
def test_payoffs_are_those_of_the_documentation(seed: int) -> None:
    graph = RandomGraph(seed)
    game = gdl.loads(graph.text(), "drawn.agg").game
    assert (game.name, len(game.players)) == ("drawn", graph.players)
    for joint in product(*graph.sets):
        assert list(joint_utilities(game, *map(str, joint))) == graph.utilities(joint)


@pytest.mark.parametrize("seed", range(60))
def test_payoffs_are_those_of_gambit(seed: int, tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    graph = RandomGraph(seed)
    (tmp_path / "drawn.agg").write_text(graph.text())
    theirs = pygambit.read_agg(str(tmp_path / "drawn.agg"))
    game = gdl.load(tmp_path / "drawn.agg")
    for cell in product(*(range(len(own)) for own in graph.sets)):
        names = [str(own[k]) for own, k in zip(graph.sets, cell, strict=True)]
        paid = [float(theirs[cell][player]) for player in theirs.players]
        assert list(map(float, joint_utilities(game, *names))) == pytest.approx(paid)


def test_equilibria_are_those_of_gambit(tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    (tmp_path / "stag.agg").write_text(DILEMMA.format(1, 1, 0, 2))
    answer = gdl.solve(gdl.load(tmp_path / "stag.agg"), concept="nash")
    mine = {tuple(float(x) for player in profile.values() for row in player.values() for x in row.values())
            for profile in answer.equilibria}  # fmt: skip
    found = pygambit.nash.enummixed_solve(pygambit.read_agg(str(tmp_path / "stag.agg")), rational=True)
    theirs = {
        tuple(float(one[s]) for player in one.game.players for s in player.strategies) for one in found.equilibria
    }
    assert len(mine) == 3 and mine == theirs


def test_a_small_graph_is_a_table_that_every_solver_takes_and_the_verifier_checks() -> None:
    game = gdl.loads(DILEMMA.format(0, 5, -1, 3), "pd.agg").game
    assert isinstance(game.model, MatrixModel)
    answer = gdl.solve(game)
    assert answer.solver == "nash" and verify(game, to_object(answer)).ok
    assert gdl.solve(game, solver="dominance").exact


def test_types_are_drawn_and_seen_by_their_player() -> None:
    game = gdl.loads(TYPES, "entry.bagg").game
    assert isinstance(game.node(game.initial()), Chance)
    assert game.node(game.initial()).outcomes == (("Player 1: type 1", F(1, 4)), ("Player 1: type 2", F(3, 4)))
    strong = game.successor(game.initial(), "Player 1: type 2")
    assert game.node(strong).actions == (("1", "2"), ("3", "4"))
    assert (game.describe(strong, 0), game.describe(strong, 1)) == ("type 2", "start")
    weak = game.successor(game.initial(), "Player 1: type 1")
    assert game.information_set(weak, 1) == game.information_set(strong, 1)
    assert game.information_set(weak, 0) != game.information_set(strong, 0)
    assert game.node(game.successor(strong, ("2", "3"))).utilities == (3, -2)
    assert game.traits.perfect_recall and game.traits.chance and not game.traits.perfect_information
    answer = gdl.solve(game)
    assert answer.solver == "nash" and answer.exact and verify(game, to_object(answer)).ok
    assert gdl.loads(TYPES, "entry.bagg").game == game
    with pytest.raises(GameError):
        game.successor(strong, ("0", "3"))


def test_payoffs_of_types_are_those_of_gambit(tmp_path: Path) -> None:
    """Gambit takes each type for a player."""
    pygambit = pytest.importorskip("pygambit")
    text = TYPES.replace("1/4 3/4", "0.25 0.75")
    (tmp_path / "entry.bagg").write_text(
        text.replace("   # what fighting pays the weak one, without and with the entrant", "")
    )
    theirs, game = pygambit.read_bagg(str(tmp_path / "entry.bagg")), gdl.loads(text, "entry.bagg").game
    for cell in product(range(2), repeat=3):
        weak, strong = (
            joint_utilities_of_type(game, k, (own[cell[k]], "34"[cell[2]])) for k, own in enumerate(("01", "12"))
        )
        expected = [weak[0], strong[0], F(1, 4) * weak[1] + F(3, 4) * strong[1]]
        assert [float(theirs[cell][player]) for player in theirs.players] == pytest.approx(list(map(float, expected)))


def joint_utilities_of_type(game: Any, kind: int, actions: tuple[str, ...]) -> tuple[Any, ...]:
    utilities: tuple[Any, ...] = game.node(
        game.successor(game.successor(game.initial(), f"Player 1: type {kind + 1}"), actions)
    ).utilities
    return utilities


@pytest.mark.parametrize("n", [3, 14, 100])
def test_volunteers_are_solved_without_a_table_and_with_a_proof(n: int) -> None:
    began = time.process_time()
    found = gdl.solve(gdl.loads(VOLUNTEERS.format(n), "volunteers.counts").game, concept="symmetric")
    assert time.process_time() - began < 5
    (profile,) = found.equilibria
    mixes = [mix for sets in profile.values() for mix in sets.values()]
    assert len(mixes) == n and all(mix == mixes[0] for mix in mixes)
    assert abs(float(mixes[0]["wait"]) - 0.5 ** (1 / (n - 1))) < 1e-15 and found.complete
    assert not any("no proof" in note for note in found.notes)


@pytest.mark.parametrize("n", [20, pytest.param(60, marks=pytest.mark.thorough)])
def test_drivers_choose_among_three_roads(n: int) -> None:
    """Wide, narrow and lane take one, two and three minutes for each driver on them: of the chances x, y, z that make
    1 + (n - 1) x = 2 (1 + (n - 1) y) = 3 (1 + (n - 1) z)."""
    rows = [" ".join(str(-slow * k) for k in range(1, n + 1)) for slow in (1, 2, 3)]
    found = gdl.solve(gdl.loads(ROADS.format(n, *rows), "roads.counts").game, concept="symmetric")
    (mix,) = (one["Player 1"]["start"] for one in found.equilibria)
    minutes = {(slow * (1 + (n - 1) * x)) for slow, x in zip((1, 2, 3), mix.values(), strict=True)}
    assert sum(mix.values()) == 1 and minutes == {F(6 * (n + 2), 11)} and found.exact


def test_counts_are_in_lexicographical_order_and_hold_the_players_own_action() -> None:
    game = gdl.loads("#COUNTS\nplayers 3\na by a, b [10 11 12 20 21 30]\nb by b a [1 ...] c [0]\n", "x.counts").game
    assert joint_utilities(game, "a", "c", "b") == (11, 0, 1)
    assert joint_utilities(game, "a", "a", "c") == (20, 20, 0)
    assert joint_utilities(game, "b", "a", "b") == (1, 12, 1)


BROKEN: list[Any] = [
    ("#AGG\n2\n2\n0\n2 2\n0 1\n0 2\n", "7:3", "2 is no node here"),
    ("#AGG\n2\n2\n0\n2 2\n1 0\n0 1\n", "6:3", "the nodes of a player stand in ascending order, each once"),
    (DILEMMA.format(1, 2, 3, "4 5"), "11:7", "the game is complete before this"),
    (DILEMMA.format(1, 2, 3, "[4]"), "11:5", "a word or a number is due here"),
    ("#AGG\n2\n2\n0\n2 2\n0 1\n0 1\n2 0 1\n2 0 1\n0 1 2\n1 1\n[1 1] 3\n", "12:7", "node 1 has no payoff for [0 2]"),
    ("#AGG\n2\n2\n0\n2 2\n0 1\n0 1\n1 0\n1 0\n1 2\n[1] 3 [1] 4\n", "11:11", "node 0 pays 3 by these counts already"),
    ("#AGG\n2\n2\n0\n2 2\n0 1\n0 1\n1 0\n1 0\n1 2\n(1) 3\n", "11:1", "'[' is due here"),
    ("#AGG\n2\n2\n0\n2 2\n0 1\n0 1\n1 0\n1 0\n7 1 2\n", "10:1", "payoffs are not given in way 7"),
    ("#AGG\n1\n1\n2\n1\n0\n0\n1 2\n1 1\n0\n0\n0 5\n", "11:1", "node 1 counts itself"),
    ("#AGG\n1\n1\n2\n1\n0\n0\n1 2\n1 0\n0\n1\n0 5\n", "11:1", "node 1 is another function than its neighbour 2"),
    ("#AGG\n1\n1\n1\n1\n0\n0\n1 0\n5\n0 5\n", "9:1", "there is no function 5"),
    ("#AGG\n1\n1\n1\n1\n0\n0\n1 0\n11 0 [-1]\n0 5\n", "9:9", "this function takes no negative numbers"),
    ("#AGG\n1\n1\n1\n1\n0\n0\n1 0\n10 1/2 [1]\n0 5\n", "9:4", "1/2 is no default here"),
    ("#AGG\n999999999\n2\n0\n2 2\n", "2:1", "999999999 is no number of players here"),
    ("#AGG\n2\n99999\n99999\n2 2\n", "4:1", "these are too many nodes"),
    ("#BAGG\n2\n2\n0\n1 2\n1\n0.3 0.6\n", "7:1", "these probabilities sum to 9/10"),
    ("#COUNTS\nplayers 3\nhelp [1]\nwait by helps [0 2 ...]\n", "4:9", "there is no action 'helps'"),
    ("#COUNTS\nplayers 3\nhelp [1]\nwait by help [0 2]\n", "4:18", "3 payoffs are due here, and not 2"),
    ("#COUNTS\nplayers 3\nhelp [1]\nhelp [2]\n", "4:1", "the payoffs of help stand above"),
    ("#COUNTS\nplayers 3\nhelp [...]\n", "3:7", "']' is due here"),
    ("#COUNTS\nplayers 0\nhelp [1]\n", "2:9", "0 is no number of players here"),
    ("#COUNTS\nhelp [1]\n", "2:1", "how many players there are is due here"),
    (
        "#COUNTS\nplayers 1000\na by a b c d [0 ...] b [1] c [1] d [2]\n",
        "3:20",
        "the nodes can be taken in too many ways",
    ),
]


@pytest.mark.parametrize(("text", "place", "said"), BROKEN, ids=str)
def test_a_broken_file_is_refused_where_it_is_wrong(text: str, place: str, said: str) -> None:
    with pytest.raises(GameError) as wrong:
        gdl.loads(text, "broken.agg")
    told = str(wrong.value)
    assert told.startswith(f"broken.agg:{place}: error: {said}  [gambit-file]") and "^" in told and "help: " in told


def test_a_comment_in_capitals_begins_a_game_of_ours() -> None:
    for head in ("#AGGREGATE", "#NIM", "# AGG"):
        assert gdl.loads(f"{head}\nplayers MAX, MIN\ntree MAX(1, 2)\n", "tree.game").game.players == ("MAX", "MIN")


def test_a_head_in_small_letters_and_a_start_without_types_are_read() -> None:
    text = "#counts\nplayers {}\nhelp [1]\nwait by help [0 2 ...]\n"
    assert gdl.loads(text.format(2), "two.counts").game.players == ("Player 1", "Player 2")
    many = gdl.loads(text.format(100), "many.counts").game
    assert many.show(many.initial()) == "start"  # and not the one type that each player has


def test_players_who_are_alike_are_solved_unasked_where_the_table_is_too_large() -> None:
    answer = gdl.solve(gdl.loads("#COUNTS\nplayers 100\nhelp [1]\nwait by help [0 2 ...]\n", "many.counts").game)
    assert answer.solver == "symmetric" and len(answer.equilibria) == 1
    ((mixed, *_),) = [[*each.values()] for each in answer.equilibria]
    (own,) = mixed.values()
    assert abs(float(own["wait"]) - 0.5 ** (1 / 99)) < 1e-9  # (1/2)^(1/(n - 1))


def test_other_games_with_too_many_joint_moves_say_so() -> None:
    choices = "".join(f"{node} {node + 1}\n" if node < 39 else "0 39\n" for node in range(40))
    text = "#AGG\n40\n40\n0\n" + "2 " * 40 + "\n" + choices + "0\n" * 40 + "0 5\n" * 40
    answer = gdl.solve(gdl.loads(text, "unlike.agg").game, time=5)
    assert not answer.exact and answer.equilibria == ()
    assert answer.limit == "one position has 10^12 joint moves; 1,000,000 can be looked at"
