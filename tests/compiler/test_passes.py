"""Passes over the rules of games and over functions: pairs of texts, what a pass is given and what it leaves of it.

`PYTHONPATH=tests/support python tests/compiler/test_passes.py` writes the second text of each pair anew; read the
difference before you keep it.
"""

from typing import Any

import pytest
from places import ROOT
from text_pairs import pairs

import gdl
from gdl.compiler.ir.printer import function
from gdl.compiler.ir.reader import read
from gdl.compiler.passes import CODE_PASSES, RULE_PASSES, run_passes
from gdl.model.core_text import rules_as_text

FILES = sorted(ROOT.glob("tests/compiler/passes/*.txt"))
RULES = """game "Pairs"
players Ann, Bob
board Square = grid(3, 3)
state
    man[s: Square]: Player? = if s = a1 then Ann else none
    left: 0..9 = 9
    last: Square?
    height[1..2]: 0..9
define joins(s: Square, t: Square) = man[s] = mover and t in neighbours(s) and man[t] = none
define both(s: Square, t: Square) = joins(s, t) and (left > 2 and last != s)
define odd(n: 1..3, m: 1..3) = 9 div left > n and m > 1
define beyond(n: 0..3, m: 1..3) = height[n] > 1 and m > 1
define after(s: Square, n: 1..3) = row(last) < 2 and number(man[s]) < 1 and n > 1
"""
CODE = """SIZE = const(2)
m = array(i32, 9)
w = array(i64, 9)
T = table(u8, (1, 2, 3))
def twice(a: i32) -> i32:
    return 2 * a
def f(a: i32) -> i32:
"""
END = """terminal
    left = 0 -> draw
"""


def after(name: str, text: str) -> str:
    """Rules, or the statements of a function, as a pass leaves them."""
    if name in RULE_PASSES:
        return rules_after(name, text)
    return function(run_passes(CODE_PASSES, read(CODE + text).function("f"), name)).split("\n", 1)[1] + "\n"


def rules_after(name: str, rules: str) -> str:
    """Rules as a pass leaves them, without those that all pairs have in common; those that say no end have one."""
    common: Any = gdl.loads(f"{RULES}action wait\n{END}").model
    model: Any = gdl.loads(RULES + rules + ("" if "terminal" in rules else END)).model
    known = rules_as_text(common).split("\n\n")
    parts = rules_as_text(run_passes(RULE_PASSES, model, name)).split("\n\n")
    return "\n".join(part for part in parts if part not in known).rstrip() + "\n"


def test_each_pass_has_its_pairs() -> None:
    assert {file.stem for file in FILES} == {*RULE_PASSES, *CODE_PASSES}


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [pytest.param(f.stem, text, left, id=f"{f.stem}: {title}") for f in FILES for title, text, left in pairs(f)],
)
def test_a_pass_leaves_this(name: str, text: str, left: str) -> None:
    assert after(name, text) == left


if __name__ == "__main__":
    for file in FILES:
        texts = [f"{title}\n\n{text}--\n{after(file.stem, text)}--\n" for title, text, _ in pairs(file)]
        file.write_text("".join(texts), encoding="utf-8")
