"""A law: a game's state graph is the game. Each solver gives the graph the answer that it gives the game, with the same
counts where the interpreter plays it; an estimate lies within what it says of itself."""

import warnings
from time import monotonic

import pytest
from places import LANGUAGE

import gdl
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import bounds_at
from gdl.graph import state_graph
from gdl.solvers import SOLVERS, solve
from gdl.solvers.horizon import NoEvaluation

FEW = 400  # positions of a game that is always looked at
MANY = 20_000
A_MOMENT, LONGER = 0.5, 5.0  # seconds for each search, and for the graph; what takes longer is not compared
WORK = {"simulations": 100, "iterations": 50, "seed": 1}  # of searches that sample, or go on as long as they may
RULES_ALONE = {"grundy"}  # it asks what either player could do, which only rules tell
BOUNDED_BY_RULES = {"shallow"}  # it skips more where rules prove bounds, which no graph states
ENDED_BY_A_WIN = {"mcts"}  # it looks no further where an action pays the most that rules allow, which no graph states
KNOWN_BY_RULES = {"shapley"}  # positions that memories alone tell apart are one to it, which no graph states
FILES = [*sorted(gdl.shipped().values()), *sorted(LANGUAGE.glob("*.game"))]


def answer(game, row, seconds):
    """The answer of a solver; a text where it refuses; what stopped it, be it a node without an evaluation."""
    try:
        return solve(game, row.name, time=seconds, **{name: one for name, one in WORK.items() if name in row.options})
    except (LimitReached, NoEvaluation) as stop:
        return stop
    except Refusal as refusal:
        return str(refusal)
    except GameError as fault:  # a utility that is left open
        return fault.problems[0].message


def is_comparable(found):
    return not isinstance(found, Exception) and not (hasattr(found, "limit") and found.limit)


def graph_within(game, most, seconds):
    """The state graph; None where there are more positions, rewards on the way, or no time."""
    end = monotonic() + seconds

    def watch(done):
        if monotonic() > end:
            raise LimitReached("the time is over")

    try:
        return state_graph(game, most, watch)
    except (LimitReached, Refusal, GameError):
        return None


def check_alike(file, most, seconds):
    game = gdl.load(file)
    graph = graph_within(game, most, seconds)
    if graph is None:
        pytest.skip("too many positions, or rewards")
    found, known, bounds = gdl.load(graph), set(), []
    for row in SOLVERS.values():
        if row.name in RULES_ALONE or row.own or not row.takes(game, game.traits):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            own, read = answer(game, row, seconds), answer(graph, row, seconds)
        if not (is_comparable(own) and is_comparable(read)):
            continue
        if isinstance(own, str) or isinstance(read, str):
            is_one_by_rules = row.name in KNOWN_BY_RULES and game.promises.without_memory is not None
            assert own == read or (is_one_by_rules and "everybody who acts knows the position" in read), row.name
            continue
        samples = "seed" in row.options
        assert samples or read.exact == own.exact, row.name
        if read.exact and own.exact:
            assert read.value == own.value, row.name
            most, others = ([high for _, high in bounds_at(one, one.initial())] for one in (game, found))
            if row.name not in ENDED_BY_A_WIN or most == others:
                assert read.best == own.best, row.name
            else:
                assert {*own.best} <= {*read.best}, row.name
        if read.exact and own.exact and not samples and row.name not in BOUNDED_BY_RULES:
            assert (read.nodes, read.leaves, read.states) == (own.nodes, own.leaves, own.states), row.name
        if read.exact and game.traits.zero_sum and read.value is not None:
            known.add(read.value)
        bounds += [(row.name, read.interval)] if read.interval else []
    if len(known) == 1:
        (value,) = known
        for name, interval in bounds:
            assert all(low <= worth <= high for worth, (low, high) in zip(value, interval, strict=True)), name


@pytest.mark.thorough_of("grids", "evaluation_for_three", "who_did_it")
@pytest.mark.one_in(8)
@pytest.mark.parametrize("file", FILES[::8], ids=lambda file: file.stem)
def test_a_small_graph_is_its_game(file):
    check_alike(file, FEW, A_MOMENT)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_graph_is_its_game(file):
    check_alike(file, MANY, LONGER)
