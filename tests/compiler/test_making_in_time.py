"""The making of code keeps a limit of time, in any thread, and needs no more steps than the rules have words."""

import random
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent
from time import monotonic

import pytest

import gdl
from gdl.compiler import emit
from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import constant_tables, lower, lowering
from gdl.compiler.lower.packing import KeyField, _place_fields, packing
from gdl.errors import LimitReached, deadline
from gdl.errors.deadline import Deadline
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


def test_a_solver_in_a_thread_keeps_its_time_while_code_is_made(monkeypatch):
    """The clock is set forward as the code is begun; its first look at it stops the solver, which still answers."""
    begin = lowering.Lowering.write

    def late(self, *asked):
        monkeypatch.setattr(deadline, "monotonic", lambda: monotonic() + 1_000)
        begin(self, *asked)

    monkeypatch.setattr(lowering.Lowering, "write", late)
    with ThreadPoolExecutor(1) as other:
        found = other.submit(gdl.solve, gdl.loads(MANY), engine="wasm", time=20).result()
    assert (
        found.interval and not found.exact and found.limit == "stopped after 20 seconds, the limit set for this search"
    )


def test_tables_of_slow_definitions_are_left_to_play(monkeypatch):
    """A table of 100 entries for each of which 930 values are gone through is begun, and given up."""
    monkeypatch.setattr(constant_tables, "MOST_WORK", 5_000)
    tables = []
    begin = constant_tables.Fixed.__init__
    monkeypatch.setattr(constant_tables.Fixed, "__init__", lambda self, *of: begin(self, *of) or tables.append(self))
    game = rules(SLOW)
    lower(game.model, game)
    assert 5_000 < max(one._worked for one in tables) < 7_000
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
