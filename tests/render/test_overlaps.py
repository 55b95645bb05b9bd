"""No label lies on another, on a node or on a line that is not its own; nothing leaves the picture: measured in the SVG
of the shipped games, of random trees and of state graphs."""

import random
from pathlib import Path

import networkx
import pytest
from overlaps import overlaps
from trees import Inner, random_tree, tree

from gdl import load, loads, read
from gdl.graph import state_graph
from gdl.interpreter.explicit_game import TreeGame
from gdl.render.matrix import one_shot
from gdl.render.picture import picture
from gdl.render.picture.states import state_picture
from gdl.render.svg import svg
from gdl.render.svg.states import svg_states
from gdl.solvers import solve
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.backward_induction import expectiminimax, maxn

WORDS = "a1 left up cooperate defect fight call an early election wait and see b c2 K Q raise fold".split()
GAMES = sorted(file.stem for file in (Path(__file__).parents[2] / "games").glob("*.game"))
NAMES = ("A", "B", "J", "the root of the tree", "Ω", "n1")
FEW = 20
SOLVED = ("kuhn", "two_roads", "signalling", "beer_quiche")


def named(root: Inner, rng: random.Random, long: bool) -> Inner:
    """The tree with some names and labels, short and long."""
    stack = [root]
    while stack:
        inner = stack.pop()
        if isinstance(inner, Inner):
            if long and rng.random() < 0.7:
                words = [" ".join(rng.sample(WORDS, rng.randint(1, 4))) for _ in inner.children]
                inner.actions = [f"{said} {place}" for place, said in enumerate(words)]
            inner.label = rng.choice(NAMES) if rng.random() < 0.4 else None
            stack += inner.children
    return root


def random_picture(seed: int) -> str:
    """A random tree with its answer: with and without chance, long labels, windows, a third player, room to write."""
    rng = random.Random(seed)
    three, chances, long = rng.random() < 0.15, rng.choice((0.0, 0.0, 0.3)), rng.random() < 0.3
    players = ("A", "B", "C") if three else ("MAX", "MIN")
    vectors = [(rng.randint(-9, 9), rng.randint(0, 9), rng.randint(0, 99)) for _ in range(9)]
    leaves = vectors if three else [-5, 7, 1000, 0, 1, 2, 3]
    depth, width = rng.randint(2, 4), rng.choice((3, 4, 6))
    game = tree(
        named(random_tree(rng, depth, players=players, leaves=leaves, chances=chances, width=width), rng, long), players
    )
    if three:
        answer = maxn(game, values=True)
    elif chances:
        answer = expectiminimax(game, values=True)
    else:
        answer = alpha_beta(game, cut=rng.choice(("ge", "gt")))
    return svg(picture(game, answer, bounds=(None, "nodes", "edges")[seed % 3], blank=seed % 7 == 0))


@pytest.mark.parametrize("seeds", [range(FEW), pytest.param(range(FEW, 500), marks=pytest.mark.slow)], ids=len)
def test_random_trees(seeds):
    assert {seed: found for seed in seeds if (found := overlaps(random_picture(seed)))} == {}


def shipped_pictures(name: str):
    game = load(name)
    if one_shot(game) is not None:
        return
    answer = solve(game) if isinstance(game, TreeGame) or name in SOLVED else None
    for options in ({}, {"boards": True, "depth": 2, "limit": 200}, {"bounds": "nodes"}):
        yield options, svg(picture(game, answer, **options))


@pytest.mark.parametrize(
    "name", [name if name in (*SOLVED, "figure_5_2") else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]
)
def test_shipped_games(name):
    assert {str(options): found for options, text in shipped_pictures(name) if (found := overlaps(text))} == {}


def random_graph(seed: int) -> networkx.MultiDiGraph:
    """Positions joined at random, with ways back, aside and to themselves."""
    rng = random.Random(seed)
    count = rng.randint(2, 14)
    graph = networkx.MultiDiGraph(players=["A", "B"], name=f"graph {seed}", root=0)
    for node in range(count):
        label = rng.choice([None, f"s{node}", f"position {node}"])
        graph.add_node(node, kind="decision", player=rng.choice("AB"), label=label)
    for node in range(1, count):
        graph.add_edge(rng.randrange(node), node, action=rng.choice(["l", "take(2, 1)", "go on"]))
    for _ in range(rng.randint(0, count)):
        graph.add_edge(rng.randrange(count), rng.randrange(count), action=rng.choice(["back", "take(1)", "x"]))
    for node in range(count):
        if not graph.out_degree(node):
            del graph.nodes[node]["player"]
            graph.nodes[node].update(kind="terminal", utilities=[1, -1])
    return graph


def drawn_graph(graph: networkx.MultiDiGraph) -> str:
    return svg_states(state_picture(graph))


@pytest.mark.parametrize("seeds", [range(FEW), pytest.param(range(FEW, 200), marks=pytest.mark.slow)], ids=len)
def test_random_graphs(seeds):
    drawn = {seed: drawn_graph(random_graph(seed)) for seed in seeds}
    assert {seed: found for seed, text in drawn.items() if (found := overlaps(text))} == {}
    assert not [seed for seed, text in drawn.items() if "named by their titles" in text], "every move has its label"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name, settings", [("nim", {"heaps": "2,2"}), ("pong_hau_ki", {}), ("nim", {"heaps": "1,2,2"}), ("subtraction", {})]
)
def test_graphs_of_shipped_games(name, settings):
    game = loads(*read(name), settings=settings).game
    assert overlaps(drawn_graph(state_graph(game, 2_000))) == []


def test_a_graph_without_boards_says_who_stands_where_and_what_is_done():
    drawn = drawn_graph(state_graph(load("pong_hau_ki"), 2_000))
    assert ">nw B</text>" in drawn and ">middle .</text>" in drawn and ">nw-middle</text>" in drawn
    larger = drawn_graph(state_graph(loads(*read("nim"), settings={"heaps": "3,3,3"}).game, 2_000))
    assert "516 of 516 moves are named by their titles only" in larger


@pytest.mark.parametrize("word", ["left", "an unusually long label"])
def test_names_of_sets_stand_clear(word):
    text = (
        "players A, B\ntree A(x: B in set (l: 1, {0}: 2), y: A (u: B in set (l: 3, {0}: 4), d: 5),"
        " z: B in set (l: 7, {0}: 8))"
    ).format(f'"{word}"')
    game = loads(text).game
    drawn = svg(picture(game))
    assert ">set<" in drawn
    assert overlaps(drawn) == []


def test_the_measure_sees_what_lies_on_what():
    """Two texts at one place, a line through a text, a text out of the picture, two strikes."""
    shown = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">'
        '<g class="edges plain"><line x1="0" y1="50" x2="200" y2="50" data-of="0"/></g>'
        '<g class="labels"><text x="20" y="54">one</text><text x="24" y="54">two</text><text x="190" y="20">far out</text></g>'
        '<g class="cuts"><path d="M50 20L60 30" data-cut="0"/><path d="M52 22L62 32" data-cut="1"/></g></svg>'
    )
    assert overlaps(shown) == [
        "text 'far out' leaves the picture",
        "text 'one' on text 'two'",
        "edges 0 through text 'one'",
        "edges 0 through text 'two'",
        "cut 0 on cut 1",
    ]
