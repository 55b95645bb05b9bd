"""Kernel Python means the same as WebAssembly as it does under CPython."""

import _thread
import random
import threading
import time

import pytest

from gdl.compiler import python, wasm
from gdl.compiler.emit import encoding
from gdl.compiler.emit.memory_layout import lay_out_memory
from gdl.compiler.ir.reader import read
from gdl.errors import EngineFault

pytest.importorskip("wasmtime")

EDGES = (-(1 << 31), -(1 << 31) + 1, -17, -8, -3, -2, -1, 0, 1, 2, 3, 7, 8, 100, (1 << 31) - 1)


def both(source):
    return python.load(source), wasm.load(source)


def agree(source, name, *arguments):
    """The result of the function, which is the same on both engines."""
    plain, fast = both(source)
    found = plain[name](*arguments)
    assert fast[name](*arguments) == found
    return found


@pytest.mark.parametrize("divisor", [1, 2, 3, 7, 8, -1, -2, -7, 1000])
@pytest.mark.parametrize("type", ["i32", "i64"])
def test_division_rounds_down(divisor: int, type: str):
    source = f"def q(a: {type}) -> {type}:\n    return a // {divisor}\ndef r(a: {type}) -> {type}:\n    return a % {divisor}\n"
    source += f"def v(a: {type}, b: {type}) -> {type}:\n    return a // b * 3 + a % b\n"
    _, fast = both(source)
    for a in EDGES[1:]:
        assert (fast["q"](a), fast["r"](a)) == (a // divisor, a % divisor)
        if abs(divisor) > 3:
            assert fast["v"](a, divisor) == a // divisor * 3 + a % divisor


def test_division_of_what_is_certainly_natural():
    source = """
t = table(u8, (5, 250, 0,))
def f(i: i32) -> i32:
    total = 0
    for k in range(3):
        total = total * 7 + t[k] // 3 + t[(k + 1) % 3] % 7 + (i & 255) // 9
    return total
"""
    assert agree(source, "f", -3) == agree(source, "f", 253)


@pytest.mark.parametrize("op", ["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="])
def test_operators_of_words(op: str):
    source = f"def f(a: i64, b: i64) -> i64:\n    return a {op} b\ndef g(a: i32, b: i64) -> i64:\n    return a {op} b\n"
    plain, fast = both(source)
    for a in EDGES:
        for b in EDGES:
            assert fast["f"](a, b) == plain["f"](a, b)
            assert fast["g"](a, b) == plain["g"](a, b)


def test_words_of_bits():
    source = """
def f(a: i64, k: i32) -> i64:
    b = wrap64((a ^ bit(k)) * -7046029254386353131)
    return b ^ (b >> k) ^ (popcount(b) + ctz(b) * 64 + clz(b) * 4096) ^ ~b & -b
"""
    plain, fast = both(source)
    chosen = random.Random(1)
    for k in range(63):
        a = chosen.getrandbits(64) - (1 << 63)
        assert fast["f"](a, k) == plain["f"](a, k)
    source = "def f(k: i32) -> i64:\n    return 5 >> k & 1 | (i64(-1) << 63 - k & -6 >> k)\n"
    for k in range(64):
        agree(source, "f", k)
    source = "def f(a: i64) -> i32:\n    return ctz(a) * 100 + clz(a)\n"
    assert agree(source, "f", 0) == 6464


def test_numbers_with_fractions():
    source = """
def f(a: f64, n: i32) -> f64:
    x = a * 2.5 - n
    y = -x if x < 0.0 else x
    return y + f64(i32(y)) + y // 3.0
"""
    for a in (-7.25, 0.0, 3.5):
        agree(source, "f", a, 4)


def test_memory():
    source = """
SIZE = const(6)
u = array(u8, 5)
h = array(i16, SIZE)
s = array(i32, SIZE)
w = view(i64, s)
d = array(f64, 2)
t = table(i64, (-5, 1000000000000,))
def f(k: i32) -> i64:
    u[k] = 250 + k
    h[k + 1] = -k - 3
    s[2] = -1
    s[3] = k
    s[k - 1] += 7
    d[1] += t[1]
    copy(s, 4, s, 2, 2)
    copy(s, 0, s, 4, k - 1)
    total: i64 = 0
    for i in range(SIZE):
        total = total * 31 + s[i] + h[i]
    for i in range(4, -1, -2):
        total = total * 31 + u[i]
    return total ^ w[1] ^ i64(d[1])
"""
    plain, fast = both(source)
    for k in (2, 3, 2, 3):
        assert fast["f"](k) == plain["f"](k)
        for name in "uhswdt":
            assert list(fast[name]) == list(plain[name])


def test_a_long_copy():
    source = "a = array(i32, 600)\nb = array(i32, 700)\ndef f(k: i32) -> None:\n    copy(a, k, b, k + 50, 500)\n"
    plain, fast = both(source)
    for module in (plain, fast):
        module["b"][:] = memoryview(bytes(range(1, 251)) * 11 + bytes(50)).cast("i")
        module["f"](3)
    assert list(plain["a"]) == list(fast["a"])
    assert any(plain["a"])


def test_copies_from_beyond_two_gibibytes():
    source = "a = array(i32, 9)\nb = array(i32, 600_000_000)\nc = array(i32, 9)\n"
    source += "def f(n: i32) -> None:\n    b[7] = 5\n    copy(c, 0, b, 7, n)\n    copy(a, 1, c, 0, n)\n"
    fast = wasm.load(source, memory=1 << 32)
    fast["f"](2)
    assert list(fast["a"]) == [0, 5, 0, 0, 0, 0, 0, 0, 0]


def test_control():
    source = """
seen = array(i32, 1)
def noted(k: i32) -> i32:
    seen[0] = seen[0] * 2 + 1
    return k
def early(a: i32) -> i32:
    for i in range(a):
        if i == 3:
            return i * 100
        i = 77
    return -1
def f(a: i32, b: i32) -> i32:
    total = 0
    for i in range(a, b, 2):
        if i % 5 == 0 and not (i == 10 or noted(i) == 15):
            continue
        if i > 17 or a < 0 and b < 0:
            break
        total += i if noted(i) > 3 else early(i) - 1
    else_ = 0
    while True:
        else_ += 1
        if not else_ < 9:
            break
        elif else_ == 4 or noted(0):
            pass
        else:
            total += 1000
    return total * 64 + (a > 2 and b > 2) * 4 + (a > 2 or noted(b) > 2) * 2 + early(b)
"""
    plain, fast = both(source)
    for a in range(-3, 8):
        for b in range(-3, 30, 3):
            plain["seen"][0] = fast["seen"][0] = 0
            assert fast["f"](a, b) == plain["f"](a, b)
            assert fast["seen"][0] == plain["seen"][0] & 0xFFFFFFFF or fast["seen"][0] < 0


def test_a_trap_tells_its_code():
    source = "def f(k: i32) -> i32:\n    if k > 2:\n        trap(7)\n    return k\n"
    for module in both(source):
        assert module["f"](2) == 2
        with pytest.raises(python.Trap) as caught:
            module["f"](3)
        assert caught.value.code == 7
        assert module["f"](1) == 1


def test_memory_ends():
    """An access that lowering has not proved to be in range cannot harm the process."""
    module = wasm.load("a = array(i32, 4)\ndef f(k: i32) -> i32:\n    return a[k]\n")
    for k in (1 << 20, 1 << 28, -5000):
        with pytest.raises(EngineFault, match="out of bounds"):
            module["f"](k)


def test_ctrl_c_stops_kernel_code():
    module = wasm.load("def f() -> i32:\n    k = 1\n    while k != 0:\n        k = k | 1\n    return k\n")

    def press():
        time.sleep(0.3)
        _thread.interrupt_main()

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt):
        module["f"]()  # without the alarm it would never return


def test_only_what_is_asked_for_is_translated():
    source = "def f() -> i32:\n    return 3\ndef g() -> i32:\n    return 4\n"
    assert "g" not in wasm.load(source, ["f"])


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 1 << 31, (1 << 63) - 1])
def test_numbers_are_written_in_groups_of_seven_bits(number: int):
    def value(data: bytes, signed: bool) -> int:
        total = sum((byte & 0x7F) << 7 * k for k, byte in enumerate(data))
        return total - (1 << 7 * len(data)) if signed and data[-1] & 0x40 else total

    assert value(encoding.leb128_unsigned(number), False) == number
    assert value(encoding.leb128_signed(number), True) == number
    assert value(encoding.leb128_signed(-number), True) == -number


@pytest.mark.parametrize(
    "text",
    [
        "import os\n",
        "def f(a: i32) -> i32:\n    return [a]\n",
        "def f(a: i64) -> i32:\n    return a\n",
        "def f(k: i32) -> i64:\n    return -1 << k\n",  # -1 has 64 bits here, and 32 if the result is an i32
        "x = array(u9, 3)\n",
    ],
)
def test_what_is_no_kernel_python_is_a_bug(text: str):
    with pytest.raises(ValueError):
        wasm.load(text)


def test_memory_is_laid_out_in_order():
    places = lay_out_memory(read("a = array(u8, 3)\nb = table(i64, (1, 2,))\nc = view(i32, b)\n")).places
    assert places["a"].offset + 16 == places["b"].offset == places["c"].offset
    assert places["c"].count == 4


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 8, 15, 16, 25, 26, 31, 63, 64])
def test_stretches(count: int):
    source = f"""
a = array(i32, 300)
b = array(i64, 150)
c = view(i32, b)
def alike(i: i32, j: i32) -> i32:
    return equal(a, i + 2, c, j + 1, {count})
def high(i: i32) -> i64:
    return above(a, i, {count}, -1) ^ above(c, i + 1, {count}, 2) ^ above(a, 5, {count}, 1000000)
"""
    plain, fast = both(source)
    chosen = random.Random(count)
    for k in range(300):
        plain["a"][k] = fast["a"][k] = chosen.choice([*EDGES, 0])
    for i in range(0, 60, 7):
        assert fast["high"](i) == plain["high"](i)
        for wrong in (None, 0, count - 1, count // 2):
            for k in range(count):
                value = plain["a"][i + 2 + k] ^ (1 << 30 if k == wrong else 0)
                plain["c"][i + 1 + k] = fast["c"][i + 1 + k] = value
            assert fast["alike"](i, i) == plain["alike"](i, i) == (wrong is None)


@pytest.mark.parametrize(("width", "count"), [(8, 2), (16, 8), (32, 64)])
def test_words_are_reckoned_with(width: int, count: int):
    source = f"""
a = array(i16, 100)
b = array(i16, 4400)
rows = array(i32, 9)
def more(i: i32, j: i32, k: i32) -> None:
    add_words(a, i + 1, b, j, rows, k + 1, {width})
def cut(i: i32) -> None:
    positive(a, i + 1, {width})
def next(i: i32, j: i32, k: i32, s: i32) -> None:
    for again in range(i, i + 2):
        dense(a, again + 3, b, j + again, b, k + 2, {width}, {count}, s)
def product(i: i32, j: i32) -> i32:
    return dot_words(a, i + 1, b, j, {width})
"""
    plain, fast = both(source)
    chosen = random.Random(count)
    for name, size, most in (("a", 100, 9000), ("b", 4400, 4000), ("rows", 9, 300)):
        for k in range(size):
            plain[name][k] = fast[name][k] = chosen.randint(0 if name == "rows" else -most, most)
    before = list(plain["a"])
    for name, arguments in (("more", (0, 5, 2)), ("cut", (2,)), ("next", (40, 3, 200, 9)), ("next", (60, 50, 9, 0))):
        fast[name](*arguments), plain[name](*arguments)
        assert list(fast["a"]) == list(plain["a"]) != before
        before = list(plain["a"])
        assert fast["product"](9, 30) == plain["product"](9, 30) != 0


def test_words_that_do_not_fit_are_refused():
    for line in (
        "dense(a, 0, a, 0, a, 0, 8, 3, 1)",
        "dense(a, 0, a, 0, a, 0, 72, 8, 1)",
        "dense(a, 0, b, 0, a, 0, 8, 8, 1)",
    ):
        with pytest.raises(ValueError, match=r"a constant, a multiple of|do not fit into registers|is to hold i16"):
            wasm.load(f"a = array(i16, 999)\nb = array(i32, 99)\ndef f() -> None:\n    {line}\n")


def test_brief_loops_written_out():
    source = """
t = table(u8, (5, 250, 0, 7,))
def f(a: i32) -> i32:
    total = 0
    for k in range(4):
        if t[k] == a:
            break
        if k == a:
            continue
        total = total * 3 + t[k - 1 + 1] + k
    for j in range(3, -1, -1):
        total = total * 5 + j
    for j in range(2, 2):
        total = 0
    return total * 7 + j + k
"""
    for a in (0, 1, 5, 7, 250):
        agree(source, "f", a)


VAST = """
COUNT = const(700000000)
far = vast(i64, COUNT)
bytes = vast(u8, 100)
near = array(i64, 4)
def keep(at: i64, value: i64) -> i64:
    far[at + 1] = value
    far[0] += 1
    near[3] = far[at + 1]
    bytes[i64(near[3] & 63) + 2] = i32(near[3] & 255)
    return near[3] + far[0]
def kept(at: i64) -> i64:
    return far[at] + bytes[far[at] & 63]
def read(at: i64) -> i64:
    return far[at]
"""


def test_a_vast_array_lies_beyond_four_gibibytes():
    """Of it only the pages that are written to are real."""
    plain, fast = both(VAST)
    assert fast["far"].nbytes > 1 << 32
    for at in (5, 17, (1 << 29) + 11, 699_999_990):
        for module in (plain, fast):
            module["keep"](at, at * 3 + 1)
        assert plain["kept"](at + 1) == fast["kept"](at + 1)
        assert fast["read"](at + 1) == fast["far"][at + 1] == at * 3 + 1
    assert plain["near"].tolist() == fast["near"].tolist()
    for beyond in (700_000_100 + (1 << 16), 1 << 40, -1):
        with pytest.raises(Exception, match="out of bounds"):
            fast["read"](beyond)


def test_a_vast_array_is_not_copied_at_once():
    source = "far = vast(i64, 9)\nnear = array(i64, 9)\ndef f() -> None:\n    copy(near, 0, far, 0, 9)\n"
    with pytest.raises(ValueError, match="one by one"):
        wasm.load(source)


@pytest.mark.parametrize(
    "twice",
    ["a = array(i32, 1)\na = array(i64, 2)\n", "K = const(1)\nK = const(2)\n", "def f() -> None:\n    pass\n\n" * 2],
)
def test_one_name_for_two_things_is_a_bug(twice: str):
    """As when a game and a kernel are joined that both have memory of this name."""
    with pytest.raises(ValueError, match="two things called"):
        read(twice)


def test_a_large_module_is_compiled_aside(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wasm, "LARGE", 0)
    assert agree("def f(a: i32) -> i32:\n    return a + 1\n", "f", 41) == 42
    monkeypatch.setattr(threading.Thread, "start", lambda thread: _thread.interrupt_main())
    with pytest.raises(KeyboardInterrupt):
        wasm.load("def f(a: i32) -> i32:\n    return a + 1\n")
