"""Passes over kernel code: text in, text out; and whole games, which say the same after them."""

import textwrap
from typing import Any

import pytest
from click.testing import CliRunner
from shipped import shipped

import gdl
from gdl.commands import cli
from gdl.compiler import python
from gdl.compiler.ir.passes import PASSES
from gdl.compiler.ir.printer import function
from gdl.compiler.ir.reader import read
from gdl.compiler.lower import STAGES, after, lower

DECLARED = """
NONE = const(-1)
m = array(i32, 9)
w = array(i64, 9)
d = array(f64, 9)

def g(a: i32) -> i32:
    return a

"""


def passed(name: str, body: str) -> str:
    """The body of a function of three numbers and a word after a pass."""
    text = textwrap.indent(textwrap.dedent(body).strip(), "    ")
    module = read(f"{DECLARED}def f(a: i32, b: i32, c: i32, x: i64) -> i64:\n{text}\n")
    done = function(PASSES[name](module.function("f")))
    return textwrap.dedent("\n".join(done.splitlines()[1:]))


SIMPLIFIED = {  # an expression -> what is left of it
    "a + 1 - 1": "a",
    "a - -3": "a + 3",
    "a + -3": "a - 3",
    "(a + 1 + 2) * b + 4 - 7": "(a + 3) * b - 3",
    "a * 7 + (b + 1 - 1) - 7": "a * 7 + b - 7",
    "0 + a": "a",
    "a * 1 + 1 * b": "a + b",
    "a // 1": "a",
    "x >> 0 | x << 0": "x | x",
    "2 + 3 - 1": "4",
    "not a < b": "a >= b",
    "not a == b": "a != b",
    "not not a < b": "a < b",
    "not not (a < b and b < c)": "a < b and b < c",
    "not not (a and b)": "not not (a and b)",
    "not not a": "not not a",  # 1 or 0, whatever a is
    "i64(x)": "x",
    "i32(a) + i32(x)": "a + i32(x)",
    "m[a + 1 + 1] if not a > 2 else w[b - 1 + 1]": "m[a + 2] if a <= 2 else w[b]",
    "a + NONE - NONE": "a + NONE - NONE",  # names are kept
    "a + 2147483647 + 1": "a + 2147483647 + 1",  # the sum of both has more bits
    "a + 4294967296 - 4294967296": "a + 4294967296 - 4294967296",  # a alone has fewer
    "x * 1": "x",
    "a * i64(1)": "a * i64(1)",
    "1 - a": "1 - a",
    "a - b - 1 + b": "a - b - 1 + b",
    "g(a + 1 - 1)": "g(a)",
}


@pytest.mark.parametrize(("before", "left"), SIMPLIFIED.items(), ids=list(SIMPLIFIED))
def test_expressions_are_simplified(before: str, left: str) -> None:
    assert passed("simplify", f"return {before}") == f"return {left}"


NUMBERS = (-5, -1, 0, 1, 2, 7)


@pytest.mark.parametrize("before", [text for text in SIMPLIFIED if "[" not in text and "g(" not in text])
def test_what_is_simplified_has_the_same_value(before: str) -> None:
    known: dict[str, Any] = {"NONE": -1, "i32": python.WORDS["i32"], "i64": int}
    left = compile(SIMPLIFIED[before], "after", "eval")
    for a in NUMBERS:
        for b in NUMBERS[2:]:
            values = {**known, "a": a, "b": b, "c": 1, "x": a * 3 + b}
            assert int(eval(before, {}, values)) == int(eval(left, {}, values))


def test_every_statement_is_simplified() -> None:
    before = """
        y = a + 0
        m[a + 1 - 1] = b * 1
        m[a - -1] += 1 * b
        for k in range(a + 0, b + 1 - 1, 2):
            while not y < k:
                y += 2 - 1
            copy(m, a + 0, m, 1 * b, c + 1 + 1)
        if not a == b:
            trap(3)
        elif not b < c:
            g(a + 0)
        return y + 2 - 2
    """
    assert (
        passed("simplify", before)
        == textwrap.dedent("""
        y = a
        m[a] = b
        m[a + 1] += b
        for k in range(a, b, 2):
            while y >= k:
                y += 1
            copy(m, a, m, b, c + 2)
        if a != b:
            trap(3)
        elif b >= c:
            g(a)
        return y""").strip()
    )


def test_what_is_never_read_is_not_made() -> None:
    before = """
        mover = m[1]
        far = mover + popcount(x)
        near: i64 = x
        called = g(a)
        divided = a // b
        halved = a // 2
        for k in range(a):
            unread = k
        while b:
            unread = b
            b -= 1
        if near and far:
            unread = 2
        if far:
            unread = 3
        else:
            m[2] = 1
        if g(b):
            unread = 4
        return near
    """
    assert passed("dead-stores", before) == textwrap.dedent("""
        far = mover + popcount(x)
        near: i64 = x
        called = g(a)
        divided = a // b
        for k in range(a):
            pass
        while b:
            b -= 1
        if far:
            pass
        else:
            m[2] = 1
        if g(b):
            pass
        return near""").strip().replace("far = ", "mover = m[1]\nfar = ")


def test_what_only_dead_stores_read_is_dead_too() -> None:
    assert passed("dead-stores", "one = a\ntwo = one + 1\nif two:\n    three = two\nreturn x") == "return x"


def test_comments_stay_where_they_are() -> None:
    before = "# all of it\ny = a + 0\n# a loop\nfor k in range(9):\n    # inside\n    y += k\n# the end\nreturn y"
    assert passed("simplify", before) == before.replace(" + 0", "")


RULES = """game "Heap"
players Ann, Bob
state
    left: 0..20 = 20
    last: 1..3 = 1
action take(n: 1..3) when n <= left
    left := left - n
    last := n
terminal
    left = 0 -> win mover
"""


MODULE_STAGES = STAGES[STAGES.index("lowering") :]


def test_every_stage_is_printed(tmp_path: Any) -> None:
    game: Any = gdl.loads(RULES).game
    texts = {stage: after(game.model, game, stage) for stage in STAGES}
    assert texts[STAGES[-1]] == lower(game.model, game).source
    assert "    mover = s[1]\n" in texts["simplify"].split("def start")[1]
    assert "    mover = s[1]\n" not in texts["dead-stores"].split("def start")[1]
    (tmp_path / "heap.game").write_text(RULES)
    for stage in STAGES:
        result = CliRunner().invoke(cli.commands, ["core", str(tmp_path / "heap.game"), "--after", stage])
        assert (result.exit_code, result.stdout) == (0, texts[stage])


def test_a_stage_that_there_is_not_is_refused() -> None:
    result = CliRunner().invoke(cli.commands, ["core", "nim", "--after", "simplfy"])
    assert result.exit_code == 2
    assert "no stage of the compiler is called 'simplfy'" in result.stderr and "write 'simplify'" in result.stderr


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "kuhn", "kalah", "goofspiel", "checkers", pytest.param("chess", marks=pytest.mark.slow)]
)
def test_a_module_does_the_same_after_each_pass(name: str) -> None:
    """The first actions, listed and applied one after the other, leave the same states."""
    game = shipped(name)
    found = [played(after(game.model, game, stage)) for stage in MODULE_STAGES]
    assert len(found[0]) > 3
    assert all(one == found[0] for one in found)


def played(source: str) -> list[tuple[int, ...]]:
    """What a play of twelve plies meets: of each state its status, how many rows it lists, and its words."""
    module, met = python.load(source), []
    module["start"]()
    for ply in range(12):
        status = module["status"]()
        if status in (2, 3):
            return [*met, (status, *module["util"]), (), ()]
        rows = module["moves"]()
        met.append((status, rows, module["hash"](), *module["s"]))
        module["apply"](ply % rows)
    return met
