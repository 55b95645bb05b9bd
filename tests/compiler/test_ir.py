"""The representation of kernel code: what is read is printed as it was, and intervals hold what is computed."""

import ast
import re

import pytest
from shipped import shipped, texts

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import reader, walks
from gdl.compiler.ir.build import array, call, choice, compare, conjunction, i32, i64, plus, some, wrap64
from gdl.compiler.ir.module import Module
from gdl.compiler.ir.printer import expression, function, module
from gdl.compiler.ir.reader import read
from gdl.compiler.ir.walks import function_renamed
from gdl.compiler.lower import lower
from gdl.errors import InternalError

GAMES = [name for name, text in texts().items() if "\nterminal" in text]  # those given by rules


def shape(function: ast.FunctionDef) -> str:
    """A function without its docstring, True and False as the numbers that they are in kernel Python."""
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    text = ast.dump(ast.FunctionDef(function.name, function.args, body, [], function.returns))
    return text.replace("Constant(value=True)", "Constant(value=1)").replace(
        "Constant(value=False)", "Constant(value=0)"
    )


def known(block: ir.Block) -> list[object]:
    """The expressions of a block with their types and intervals."""
    return [(type(e).__name__, e.hash, e.type, e.low, e.high) for e in walks.expressions(block)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "name", [pytest.param(g, marks=[pytest.mark.slow] if n % 4 else []) for n, g in enumerate(GAMES)]
)
def test_what_is_read_is_printed_as_it_was(name: str) -> None:
    game = shipped(name)
    lowered = lower(game.model, game)
    text, module = lowered.source, read(lowered.source)
    for found, made in lowered.module.functions.items():
        assert known(made.body) == known(module.function(found).body), found
    written = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    for found, node in written.items():
        (again,) = ast.parse(function(module.function(found))).body
        assert isinstance(again, ast.FunctionDef)
        assert shape(again) == shape(node)


@pytest.mark.parametrize(
    "text",
    [
        "a + b * c", "(a + b) * c", "a - (b - c)", "-(a + b)", "~a & b | c", "a & (b | c)", "a << 2 + b", "(a << 2) + b",
        "not a == b", "(not a) == b", "a and (b or c)", "a and b or c", "a and (b and c)", "a if b else c if a else b",
        "(a if b else c) + 1", "(a if b else c) if c else a", "i32(w >> 3 & 7)", "wrap64(w * -5)", "popcount(w) - 1",
        "m[a + 1] + m[-1 - a]", "f(a, b + 1)", "equal(m, a, m, b + 2, 4)", "above(m, a, 16, b)", "dot_words(m, a, m, 3, 8)", "-1", "-a", "~-a",
        "a // b % c", "a // (b % c)", "1.5", "sqrt(f64(a) / 2.0)",
    ],
)  # fmt: skip
def test_only_needed_parentheses_are_printed(text: str) -> None:
    module = read(
        "m = array(i32, 9)\ndef f(a: i32, b: i32) -> i32:\n    return a\n"
        f"def g(a: i32, b: i32, c: i32, w: i64) -> i64:\n    return {text}\n"
    )
    (statement,) = module.function("g").body
    assert isinstance(statement, ir.Return)
    assert statement.value is not None
    assert expression(statement.value) == text


BOUNDS = [(-3, 4), (0, 5), (2, 7), (-6, -2), (3, 3)]


@pytest.mark.parametrize("op", ["+", "-", "*", "//", "%", "&", "|", "^", ">>"])
def test_an_interval_holds_every_result(op: str) -> None:
    for low, high in BOUNDS:
        for least, most in BOUNDS:
            if op in ("//", "%", ">>") and least <= 0:
                continue
            made = ir.Binary(op, ir.Local("a", "i32", low, high), ir.Local("b", "i32", least, most))
            results = [eval(f"{x} {op} {y}") for x in range(low, high + 1) for y in range(least, most + 1)]
            assert made.low <= min(results) <= max(results) <= made.high


def test_equal_expressions_are_made_alike_whatever_is_known_of_them() -> None:
    one, other = ir.Local("a", "i32"), ir.Local("a", "i32", 0, 5)
    assert one == other and hash(one) == hash(other)
    assert ir.Binary("+", one, ir.Const(1)) == ir.Binary("+", other, ir.Const(1))
    assert ir.Binary("+", one, ir.Const(1)) != ir.Binary("-", one, ir.Const(1))
    assert ir.Const(1) != ir.Const(1, name="ONE") and ir.Const(1) != one


def test_parts_of_an_expression_are_found_and_replaced() -> None:
    a, b, one = ir.Local("a"), ir.Local("b"), ir.Const(1)
    memory = ir.Array("m", "i32")
    whole = ir.Select(
        ir.Logic(True, (ir.Compare("<", a, one), ir.Unary("not", b))),
        ir.Load(memory, ir.Binary("+", a, one)),
        ir.Call("f", (ir.Convert("i64", a),), "i32"),
    )
    assert expression(whole) == "m[a + 1] if a < 1 and not b else f(i64(a))"
    assert (
        expression(walks.put(whole, a, ir.Binary("*", b, one)))
        == "m[b * 1 + 1] if b * 1 < 1 and not b else f(i64(b * 1))"
    )
    assert walks.put(whole, ir.Local("aa"), b) == whole
    assert a in walks.parts(whole) and b in walks.parts(whole) and ir.Local("aa") not in walks.parts(whole)


def settled_lines(body: str) -> list[str]:
    """The types and intervals of the values that a function stores in `m`, line by line."""
    head = "ONE = const(1)\nm = array(i32, 4)\nb = table(u8, (1, 2))\ndef f(a: i32, w: i64) -> None:\n"
    made = read(head + "".join(f"    {line}\n" for line in body.splitlines())).function("f")
    values = [s.value for s in walks.statements(made.body) if isinstance(s, ir.Store)]
    return [f"{value.type} {value.low}..{value.high}" for value in values]


def test_names_get_their_types() -> None:
    whole, word = f"i32 {-(1 << 31)}..{(1 << 31) - 1}", f"i64 {-(1 << 63)}..{(1 << 63) - 1}"
    assert settled_lines("t = a\nm[0] = t\nt = w\nm[0] = t") == [whole, whole]  # the first value decides
    assert settled_lines("t: i64 = a\nm[0] = t\nm[1] = w") == [word, word]
    assert settled_lines("m[0] = ONE\nm[0] = b[a]\nm[0] = m[a]") == ["i32 1..1", "i32 0..255", whole]
    natural = f"i32 0..{(1 << 31) - 1}"
    assert settled_lines("for k in range(a):\n    m[0] = k\nm[1] = k") == [natural, whole]
    assert settled_lines("for k in range(-1, a):\n    m[0] = k") == [whole]  # it begins below 0
    assert settled_lines("for k in range(a):\n    m[0] = k\n    k -= 1") == [whole]  # something else changes it
    inner = (
        "for k in range(a):\n    m[0] = k + 1\n    for j in range(k, 9):\n        m[0] = j + 1\n        m[1] = k + 1"
    )
    assert len(set(settled_lines(inner))) == 1
    for line, wrong in (
        ("m[0] = c", "'c'"),
        ("c[0] = 1", "'c'"),
        ("g(a)", "no function g"),
        ("m[0] = f(a, w)", "f gives"),
    ):
        with pytest.raises(ValueError, match=wrong):
            settled_lines(line)


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (array("m")[ir.Local("k") + 1] - 2, "m[k + 1] - 2"),
        (plus("t", 0), "t"),
        ((plus("t", 3) * "N" ^ 5) << 2 | ~ir.Local("b") & 7, "((t + 3) * N ^ 5) << 2 | ~b & 7"),
        (ir.Local("a") // 2 % 3 / 4 >> 1, "a // 2 % 3 / 4 >> 1"),
        (choice(compare("a", "<", 0), "NONE", i32(i64("a"))), "NONE if a < 0 else i32(i64(a))"),
        (wrap64(call("popcount", "w") + call("f", 1, "x")), "wrap64(popcount(w) + f(1, x))"),
        (some(compare("a", "==", 1), conjunction(ir.Local("b"), ir.Local("c"))), "a == 1 or b and c"),
        (some(ir.Local("a")), "a"),
    ],
)
def test_nodes_are_made_in_few_words(built: ir.Expr, text: str) -> None:
    """They are those that the reader makes of the text."""
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.Expr)
    found = reader.expression(node.value)
    assert expression(built) == text
    assert built == found and (built.type, built.low, built.high) == (found.type, found.low, found.high)


def test_a_name_is_no_text() -> None:
    with pytest.raises(InternalError):
        ir.expr("t + 1")


def test_a_module_that_has_been_read_is_joined_with_others() -> None:
    game = read(
        "ONE = const(1)\nm = array(i32, 4)\ndef f(a: i32) -> i32:\n    return m[a] + ONE\ndef g() -> None:\n    trap(1)\n"
    )
    whole = read([game, "def g() -> None:\n    m[0] = f(ONE)\n"])
    assert function(whole.function("f")) == "def f(a: i32) -> i32:\n    return m[a] + ONE"
    assert function(whole.function("g")) == "def g() -> None:\n    m[0] = f(ONE)"  # the one that only traps is replaced
    for again in ("def f() -> None:\n    return\n", "ONE = const(2)\n", "m = array(i32, 5)\n"):
        with pytest.raises(ValueError, match="two things called"):
            read([game, again])


WHOLE = """SIZE = const(3)

m = array(i64, 3)
v = view(i32, m)
far = vast(u8, 9)
T = table(u8, (1, 2, 3))


def put(i: i32) -> None:
    m[i] = m[SIZE - i] + T[i]
    m[0] += 1
    copy(m, 0, v, i, SIZE)


def use(t: i32) -> i32:
    if equal(m, 0, v, t, SIZE):
        put(T[t])
    return other(far[t])


def other(i: i32) -> i32:
    return i
"""


def test_a_module_is_printed_as_it_was_read() -> None:
    assert module(read(WHOLE).read_all()) == WHOLE


def test_names_are_given_anew_wherever_they_stand() -> None:
    """Also where a thing is only used, not declared; a variable that has such a name keeps it."""
    names = {name: f"new_{name}" for name in ("SIZE", "m", "far", "T", "put", "i")}
    whole = read(WHOLE).read_all()
    before = whole.functions["use"]
    renamed = Module(functions={"use": function_renamed(before, names)})
    expected = WHOLE[WHOLE.index("def use") : WHOLE.index("def other")].strip() + "\n"
    for old in ("SIZE", "far", "put", "m", "T"):
        expected = re.sub(rf"\b{old}\b", f"new_{old}", expected)
    assert module(renamed) == expected
    assert module(whole) == WHOLE  # nobody else sees it
