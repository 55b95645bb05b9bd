"""Several threads that search one position with one table: what they find is what one thread finds."""

from __future__ import annotations

import ast
import threading
from random import Random
from typing import Any

import pytest
from shipped import shipped

from gdl.commands.engines import offer
from gdl.compiler import python, sharing, wasm
from gdl.compiler.joining import KernelPart, kernel
from gdl.compiler.searches import principal_variation
from gdl.compiler.searches.principal_variation import PrincipalVariation, Team, supports_twins
from gdl.compiler.searches.threads import run_together
from gdl.errors import LimitReached, Refusal
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.budget import SearchLimits
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.solvers.minimax.cut_off import depth_limited

pytest.importorskip("wasmtime")
pytestmark = pytest.mark.skipif(not sharing.can_share_memory(), reason="this version of wasmtime shares no memory")

SWAPPING = """
tags = array(u8, 4)


def exchanged(value: i32) -> i32:
    before = swap(tags, 2, value)
    swap(tags, 3, before)
    return before * 1000 + tags[2]
"""
HAMMER = '''
met = array(i64, 1)
wrong = array(i64, 1)


def information_of(number: i64) -> i64:
    """What everybody knows of a key."""
    return wrap64(number * 7046029254386353131) | 1


def hammer(times: i32, seed: i64) -> i32:
    """Look up keys at random, and keep what everybody knows of them."""
    for k in range(times):
        seed = wrap64(seed * 6364136223846793005 + 1442695040888963407)
        number: i64 = (seed >> 33) & 7
        for j in range(KEY):
            key[j] = number
        known: i64 = table_find()
        if known != 0:
            met[0] += 1
            wrong[0] += known != information_of(number)
        table_keep(information_of(number))
    return 0
'''


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Help begins with the first slice that is not the last."""
    monkeypatch.setattr(principal_variation, "ALONE", 0.0)


def found(search: PrincipalVariation, depth: int | None = None) -> Any:
    for _ in search.solve() if depth is None else search.deepen(depth):
        pass
    return search.answer


def test_a_swap_gives_what_was_there() -> None:
    for module in (python.load(SWAPPING), wasm.load(SWAPPING, ["exchanged"])):
        assert [module["exchanged"](value) for value in (7, 9)] == [7, 7009]
        assert list(module["tags"][2:4]) == [9, 7]


def sharing_a_table(threads: int) -> list[dict[str, Any]]:
    """Modules that share a table with room for two keys."""
    game = shipped("gomoku")  # whose keys are long
    search = PrincipalVariation(game, game.initial(), "wasm", threads=2)
    table = kernel("transposition", SHARED=1, SECOND=1, FIRST=1, BUCKETS=1)
    code = (search.packing.code, *table.parts, KernelPart("hammer", ast.parse(HAMMER)))
    first = search.joined_with(code, ("hammer", "table_find", "table_keep"), shared=True)
    return [first, *(first[wasm.TWIN]() for _ in range(threads - 1))]


@pytest.mark.slow
def test_nothing_is_read_that_was_half_written() -> None:
    """Each key has one word of information; threads write and read the same few entries without end. (Where entries are
    not taken first, some fifty of forty million look-ups are wrong.)"""
    modules = sharing_a_table(2)
    run_together([iter(lambda m=m, n=n: m["hammer"](20_000_000, n), 0) for n, m in enumerate(modules)], lambda: None)
    for module in modules:
        assert module["met"][0] > 1000
        assert module["wrong"][0] == 0


def test_who_finds_an_entry_taken_goes_on_without_it() -> None:
    one, other = sharing_a_table(2)
    for module in (one, other):
        module["key"][0] = 5
    one["table_keep"](77)
    assert other["table_find"]() == 77
    tags = one["table_tag"]
    tag = max(tags)
    place = list(tags).index(tag)
    tags[place] = one["BUSY"]
    assert other["table_find"]() == 0
    other["key"][0] = 6  # the other entry is free
    other["table_keep"](78)
    tags[1 - place], kept = one["BUSY"], list(one["entries"])
    other["table_keep"](79)
    assert list(one["entries"]) == kept
    tags[place] = tag
    assert one["table_find"]() == 77
    assert list(tags) == [tag if way == place else one["BUSY"] for way in range(2)]


@pytest.mark.parametrize(("threads", "room"), [(2, None), (3, 1 << 16)])
def test_a_team_proves_what_one_thread_proves(threads: int, room: int | None) -> None:
    """Also with a table in which each entry is written over again and again."""
    game = shipped("connect_four", {"rows": "4", "columns": "4"})
    alone = found(PrincipalVariation(game, game.initial(), "wasm"))
    for _ in range(5):  # on a busy machine the first may be done before the others begin
        search = PrincipalVariation(game, game.initial(), "wasm", threads=threads, memory=room)
        team = found(search)
        assert (team.value, team.proved, team.ties, set(team.best)) == (alone.value, True, True, set(alone.best))
        if search.nodes > search.module["nodes"][0]:
            return
    pytest.fail("one thread did all the work, five times")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("connect_four", {"rows": "4", "columns": "4"}),
        ("domineering", {"rows": "5", "columns": "5"}),
        ("kalah", {"houses": "4", "seeds": "2"}),
        ("breakthrough", {"rows": "5", "columns": "3"}),
        ("hex", {"n": "4"}),
    ],
)
def test_a_team_proves_what_one_thread_proves_from_many_positions(name: str, settings: dict[str, str]) -> None:
    """With a table that keeps them apart, and one in which they meet all the time."""
    game, random = shipped(name, settings), Random(1)
    searches = [
        PrincipalVariation(game, game.initial(), "wasm", threads=threads, memory=room)
        for threads, room in ((1, None), (3, None), (3, 1 << 15))
    ]
    for _ in range(20):
        state = game.initial()
        for _ in range(random.randrange(6)):
            state = game.successor(state, random.choice(game.node(state).actions))
        answers = set()
        for search in searches:
            search.restart(state)
            search.module["table_clear"]()
            answer = found(search)
            answers.add((answer.value, answer.proved, answer.ties, frozenset(answer.best)))
        assert len(answers) == 1


@pytest.mark.thorough
def test_values_at_a_depth_are_those_of_one_thread() -> None:
    game = shipped("breakthrough")
    for seed in range(3):
        random, state = Random(seed), game.initial()
        for _ in range(4 * seed):
            state = game.successor(state, random.choice(game.node(state).actions))
        one, two = (found(PrincipalVariation(game, state, "wasm", threads=n), 4) for n in (1, 2))
        assert (one.value, one.ties, set(one.best)) == (two.value, two.ties, set(two.best))


def test_a_twin_that_is_done_first_gives_its_result() -> None:
    game = shipped("breakthrough")
    search = PrincipalVariation(game, game.initial(), "wasm", threads=2)
    whole = found(search, 5)
    search.restart(game.initial())
    search.module["table_clear"]()
    search.enter()
    search.module["begin"](5, -(1 << 29), 1 << 29)
    with search.team.run_twins():
        while not search.module["team_over"][0]:
            pass
    assert search.module["top"][0] == 0
    assert search.number(search.module["found"][0]) == whole.value


def alive() -> set[threading.Thread]:
    """The threads that there are, but for the alarm."""
    return {thread for thread in threading.enumerate() if thread.name != "gdl alarm"}


def test_a_limit_ends_all_threads() -> None:
    before = alive()
    with pytest.raises(LimitReached) as stopped:
        depth_limited(offer(shipped("breakthrough"), "wasm"), SearchLimits(time=0.3), threads=2)
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.best
    assert "by 2 threads" in " ".join(partial.notes)
    assert alive() <= before


def test_ctrl_c_ends_all_threads() -> None:
    before = alive()

    def press_ctrl_c(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        depth_limited(offer(shipped("breakthrough"), "wasm"), SearchLimits(progress=press_ctrl_c), depth=12, threads=2)
    assert alive() <= before


def test_one_thread_works_where_memory_cannot_be_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "can_share_memory", lambda: False)
    assert not supports_twins("wasm")
    assert not supports_twins("python")
    game = shipped("breakthrough")
    assert PrincipalVariation(game, game.initial(), "wasm", threads=2).threads == 1


@pytest.mark.parametrize("threads", [0, 65])
def test_so_many_threads_are_refused(threads: int) -> None:
    for solver in (alpha_beta, depth_limited):
        with pytest.raises(Refusal, match="searches with 1 to 64 threads"):
            solver(shipped("tic_tac_toe"), threads=threads)


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize(("name", "solver"), [("othello", "depth-limited"), ("connect_four", "mcts")])
def test_threads_are_no_choice_of_a_solver_where_the_usual_one_takes_them(name: str, solver: str) -> None:
    with pytest.raises(LimitReached) as stopped:
        solve(offer(shipped(name), "wasm"), threads=2, time=0.4)
    partial = stopped.value.partial
    assert isinstance(partial, Solution)
    assert partial.solver == solver
    assert solve(offer(shipped("nim"), "wasm"), threads=2).reason == "it takes the option threads"


def test_a_team_of_one_needs_no_twins() -> None:
    assert Team({}, 0).nodes == 0
