"""The making of code keeps a limit of time, in any thread, and needs no more steps than the rules have words."""

import random
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent
from time import monotonic

import pytest
from click.testing import CliRunner
from late_clock import clock_replaced

import gdl
from gdl.commands import cli
from gdl.compiler import emit
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import constant_tables, lower, lowering
from gdl.compiler.lower.packing import KeyField, _place_fields, packing
from gdl.compiler.searches.perft import Perft
from gdl.errors import LimitReached, NotMadeInTime, deadline
from gdl.errors.deadline import Deadline, check_deadline
from gdl.interpreter.rules_game import RulesGame

MANY = "players A, B\nstate\n    t: 0..9\n    m[1..300]: 0..9\n" + dedent("""\
    action go(n: 1..300) when m[n] = 0
        m[n] := 1
        t := t + 1
    terminal
        t = 3 -> win A
    """)
SLOW = """\
players A, B
state
    t: 0..9
    x: 0..99 = 7
define divisors(a: 0..99) = count i in 1..30, j in 1..30: i * j mod (a + 1) = 0
action go(n: 1..4)
    x := divisors((x + n) mod 100) mod 100
    t := t + 1
terminal
    t = 2 -> pay x to A
"""
VAST = """\
players A, B
state
    n: 0..3
    v[0..99]: 0..99
action go(a: 1..2)
    n := n + 1
    v[a] := a
terminal
    exists a in 0..99, b in 0..99, c in 0..99, d in 0..99, e in 0..99: v[a] + v[b] + v[c] + v[d] + v[e] = 490 -> win A
    n = 3 -> draw
"""


def rules(text: str) -> RulesGame:
    game = gdl.loads(text)
    while not isinstance(game, RulesGame):
        game = game.game
    return game


@pytest.mark.parametrize("stage", ["lower", "emit", "pack"])
def test_each_stage_looks_at_the_clock(stage):
    game = rules(MANY)
    made = None if stage == "lower" else lower(game.model, game)
    work = {
        "lower": lambda: lower(game.model, game),
        "emit": lambda: emit.emit([made.module]),
        "pack": lambda: packing(game.model, made.layout),
    }[stage]
    late = Deadline.ending(1, monotonic() - 60)
    with pytest.raises(LimitReached, match="stopped after 1 second"), late.enforce():
        work()
    with Deadline.starting_now(60).enforce():
        with Deadline.starting_now(600).enforce():
            work()
        with ThreadPoolExecutor(1) as other, late.enforce():
            assert other.submit(work).result() is not None  # each thread has a limit of its own


@pytest.mark.thorough
def test_a_solver_in_a_thread_keeps_its_time_while_code_is_made(monkeypatch):
    """The clock is set forward as the code is begun; its first look at it stops the solver, which still answers."""
    begin, ahead = lowering.Lowering.write, [0]

    def late(self, *asked):
        ahead[0] = 1_000
        begin(self, *asked)

    monkeypatch.setattr(lowering.Lowering, "write", late)
    with ThreadPoolExecutor(1) as other, clock_replaced(lambda: monotonic() + ahead[0]):
        found = other.submit(gdl.solve, gdl.loads(MANY), engine="wasm", time=20).result()
    assert found.interval and not found.exact
    assert found.limit.endswith("stopped after 20 seconds, the limit set for this search")


@pytest.fixture
def endless(monkeypatch):
    """A compiler that comes to no end, but looks at the clock."""

    def write(self, *asked):
        while True:
            check_deadline()

    monkeypatch.setattr(lowering.Lowering, "write", write)


def test_the_making_of_code_has_a_share_of_the_time(endless):
    """The end of this share is not that of all the time."""
    game = rules(MANY)
    late = pytest.raises(NotMadeInTime, match=r"the code of <text> was not made in 0\.2 seconds")
    with late, Deadline.starting_now(0.25).enforce(making=0):
        lower(game.model, game)
    with pytest.raises(LimitReached), Deadline.ending(1, monotonic() - 60).enforce(making=0):
        lower(game.model, game)


@pytest.mark.parametrize("engine", ["wasm", "python"])
def test_then_the_interpreter_goes_on_with_a_word(endless, engine):
    clock, words = Deadline.starting_now(0.5), "was not made in .* seconds; the interpreter does the work"
    with clock.enforce(making=0), pytest.warns(UserWarning, match=words):
        found = gdl.solve(gdl.loads(SLOW), "minimax", engine=engine)
    assert found.exact and found.best


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["solve", "perft 3", "states", "playouts --count 2", "check"])
def test_commands_go_on_with_a_word(endless, tmp_path, command):
    name, *more = command.split()
    file = tmp_path / "slow.game"
    file.write_text(SLOW)
    engine = [] if name == "check" else ["--engine", "python"]
    told = CliRunner().invoke(cli.commands, [name, str(file), *more, "--time", "1", *engine])
    assert "the code of slow was not made in" in told.output and "slow" in told.stdout, told.output
    assert "the interpreter" in told.output and told.output.count("not made in") == 1


def test_a_slice_of_kernel_code_that_goes_on_is_stopped(monkeypatch):
    """One position for which ten billion values are gone through."""
    monkeypatch.setattr(deadline, "GRACE", 0.1)
    search = Perft(*by_rules(gdl.loads(VAST).game), 2, "wasm")
    begun = monotonic()
    with Deadline.starting_now(0.2).enforce(), pytest.raises(LimitReached, match=r"stopped after 0\.2 seconds"):
        list(search)
    assert monotonic() - begun < 8


def test_tables_of_slow_definitions_are_left_to_play(monkeypatch):
    """A table of 100 entries for each of which 930 values are gone through is begun, and given up."""
    monkeypatch.setattr(constant_tables, "MOST_WORK", 5_000)
    tables = []
    begin = constant_tables.Fixed.__init__
    monkeypatch.setattr(constant_tables.Fixed, "__init__", lambda self, *of: begin(self, *of) or tables.append(self))
    game = rules(SLOW)
    lower(game.model, game)
    assert 5_000 < max(one.worked for one in tables) < 7_000
    answers = [gdl.solve(gdl.loads(SLOW), "maxn", engine=engine) for engine in ("python", "interpreter")]
    assert answers[0].value == answers[1].value and answers[0].best == answers[1].best


def test_fields_are_placed_first_fit_largest_first():
    """Held against the plain definition."""
    rng = random.Random(3)
    for _ in range(20):
        fields = [
            KeyField((k,), rng.choice((1, 3, 4, 7, 20, 33, 64)), ir.Const(0), print) for k in range(rng.randint(1, 60))
        ]
        used: list[int] = []
        wanted = []
        for field in sorted(fields, key=lambda field: -field.bits):
            word = next((k for k, bits in enumerate(used) if bits + field.bits <= 64), len(used))
            used += [0] * (word == len(used))
            wanted.append((word, used[word], field.says))
            used[word] += field.bits
        assert [(field.word, field.shift, field.says) for field in _place_fields(fields)] == sorted(wanted)
