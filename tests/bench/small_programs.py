"""Small programs, all of them: each construct with each type of one, two and three values, in each place of a game.

    PYTHONPATH=tests/support python tests/bench/small_programs.py [--each N] [--seed N] [--seconds S] [--jobs N] [--only TEXT]

A program has a type, an expression that begins with a construct (a row of `tests/support/meanings.py`; what it is made
of is drawn by seed), and a frame, which is where in a game the expression stands: a name, a guard, a domain, a body, an
end, a key. Players assign values to the variables, twice, and each position offers what the expression makes possible.
Four must say the same of every position: the interpreter, the Python of the row, which knows nothing of gdl, the
compiled engine in kernel Python (whole nodes), and in WebAssembly (sequences counted). What the checker refuses is
counted by its code. `--only` takes the programs in whose name a text occurs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from both_engines import told_alike
from meanings import ALL_ROWS, Fault, Row, Type, Writer, small_types, text_of, words_of

import gdl
from gdl.compiler.searches.perft import perft
from gdl.errors import GameError, Refusal
from gdl.game import Decision, Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.states import count

PLIES = 2
DEPTH = 2  # constructs within one another
NAMES = ("Ann", "Bob", "Cyd")
FAULTS = (Fault, KeyError, TypeError, IndexError)  # what the Python of a row raises where the rules are at fault

Position = dict[str, Any]
VARIABLES: dict[str, tuple[str, Callable[[Type], Any], str, Callable[[Any, Any], Any]]] = {
    # its declaration, its first value, what is done to it with a value v, and what that is in Python
    "x": ("x: T", lambda of: of.first, "x := v", lambda old, v: v),
    "o": ("o: T?", lambda of: None, "o := v", lambda old, v: v),
    "s": ("s: set of T", lambda of: [], "s := s + {v}", lambda old, v: [*old, v]),
    "q": ("q: sequence of T up to 2", lambda of: [], "push(q, v)", lambda old, v: [*old, v]),
    "a": ("a[T]: 0..2", lambda of: dict.fromkeys(of.values, 0), "a[v] := 2 - a[v]", lambda a, v: {**a, v: 2 - a[v]}),
    "b": ("b[T]: Boolean", lambda of: dict.fromkeys(of.values, False), "b[v] := true", lambda b, v: {**b, v: True}),
    "n": ("n: 0..2", lambda of: 0, "n := n + 1", lambda old, v: old + 1),
    "k": ("k: -99..99", lambda of: 0, "k := 0", lambda old, v: 0),
    "w": ("w: T?", lambda of: None, "w := none", lambda old, v: None),
}


# -- frames ---------------------------------------------------------------------------------------------------------


class Frame(NamedTuple):
    """A place where an expression can stand: the kinds that can, the lines, and what a position then offers beside
    `put`: from the value of the expression, and its values in all positions before."""

    kinds: str
    text: str
    offers: Callable[[Any, list[Any]], list[str]]


def if_true(value: Any, _: object) -> list[str]:
    return ["show"] if value else []


def shown(value: Any, _: object) -> list[str]:
    return [text_of(value)]


def listed(value: Any, _: object) -> list[str]:
    return [text_of(one) for one in dict.fromkeys(value)]


def within_range(value: Any, _: object) -> list[str]:
    if not -99 <= value <= 99:
        raise Fault("out of range")
    return [text_of(value)]


def since(value: Any, before: list[Any]) -> list[str]:
    return [str(plies) for plies, old in enumerate(reversed(before), 1) if old == value][:1]


COUNTED = 'action show as ""\n    let z = 0\n    for y in <E>\n        z := z + 1\n    choose y: {z} as "{y}"'
WITH_Y = 'action show(y: 0..9) as "{y}" when'
FRAMES = {
    "a name": Frame("BNVOS", 'action show as "{<E>}"', shown),
    "a guard": Frame("B", "action show when <E>", if_true),
    "a definition": Frame("BNVOS", 'define f = <E>\naction show as "{f}"', shown),
    "a definition of z": Frame("BNVO", 'define f(z: T) = <E>\naction show as "{f(LAST)}"', shown),
    "require": Frame("B", "action show\n    require <E>", if_true),
    "if": Frame("B", "action show\n    if <E>\n        n := n\n    else\n        require false", if_true),
    "let": Frame("V", 'action show as ""\n    let z = <E>\n    choose y: {z} as "{y}"', shown),
    "domain": Frame("SD", 'action show(y: <E>) as "{y}"', listed),
    "choose": Frame("SD", 'action show as ""\n    choose y: <E> as "{y}"', listed),
    "for": Frame("SD", COUNTED, lambda value, _: [str(len(value))]),
    "assigned": Frame("N", 'action show as ""\n    k := <E>\n    choose y: -99..99 when y = k as "{y}"', within_range),
    "kept": Frame(
        "VO",
        'action show as ""\n    w := <E>\n    choose y: T when y = w as "{y}"',
        lambda value, _: [] if value is None else [text_of(value)],
    ),
    "rank": Frame("N", "action show\n    rank <E>", lambda value, _: []),
    "end": Frame("B", "<E> -> each who: 0", lambda value, _: []),
    "payoff": Frame("N", "n = 1 -> each who: <E>", lambda value, _: []),
    "times": Frame("BNVOS", f"{WITH_Y} times(<E>) = y", lambda value, before: [str(before.count(value))]),
    "since": Frame("BNVOS", f"{WITH_Y} since(<E>) = y", since),
}


# -- programs -------------------------------------------------------------------------------------------------------


class Program:
    """A small game in both languages."""

    def __init__(self, of: Type, frame: str, row: Row, seed: str):
        self.of, self.frame = of, frame
        writer = Writer(random.Random(seed), of)
        if frame == "a definition of z":
            writer.scope.append(("V", "z", repr(of.values[-1])))
        text, self.python = writer.fill(row, DEPTH)
        self.value = eval(f"lambda E: {self.python}", words_of(of))
        lines = FRAMES[frame].text.replace("<E>", text).replace("LAST", of.literal(of.values[-1])).splitlines()
        self.used = ["n", *(name for name in "xosqab" if f'E["{name}"]' in self.python)]
        self.used += [name for name in "kw" if any(f" {name} := " in line for line in lines)]
        ends = [f"    {lines.pop()}"] if frame in ("end", "payoff") else []
        self.text = "\n".join([
            f"players {', '.join(NAMES[: of.players])}", *of.lines.splitlines(),
            "state", *(f"    {VARIABLES[name][0]}" for name in self.used),
            f"action put(v: {of.text})", *(f"    {VARIABLES[name][2]}" for name in self.used), *lines,
            "terminal", *ends, f"    n = {PLIES} -> each who: 0", "",
        ])  # fmt: skip
        self.text = re.sub(r"(: |of |\[)T\b", rf"\1{of.text}", self.text)

    def first(self) -> Position:
        return {name: VARIABLES[name][1](self.of) for name in self.used} | {"mover": NAMES[0]}

    def after_put(self, position: Position, v: Any) -> Position:
        """The position after an action put(v)."""
        found = {name: VARIABLES[name][3](position[name], v) for name in self.used}
        if "s" in found:
            found["s"] = [one for one in self.of.values if one in found["s"]]
        return found | {"mover": NAMES[(NAMES.index(position["mover"]) + 1) % self.of.players]}

    def node(self, play: list[Position]) -> Any:
        """The last node of a play by the rules: the names of its actions, or the utilities of its end."""
        here, players = play[-1], self.of.players
        if self.frame == "end" and self.value(here):
            return (0,) * players
        if self.frame == "payoff" and here["n"] == 1:
            return (self.value(here),) * players
        if here["n"] == PLIES:
            return (0,) * players
        puts = [f"put({text_of(v)})" for v in self.of.values]
        if self.frame in ("end", "payoff"):
            return puts
        value, *before = [self.value(position) for position in reversed(play)]
        if self.frame == "rank":
            return puts * (value <= 0) + ["show"] * (value >= 0)
        return list(dict.fromkeys([*puts, *FRAMES[self.frame].offers(value, before[::-1])]))


def plays(program: Program) -> Iterator[tuple[list[Any], list[Position]]]:
    """All plays of `put`: the values, and the positions that they make."""
    found: list[tuple[list[Any], list[Position]]] = [([], [program.first()])]
    for values, positions in found:
        yield values, positions
        if positions[-1]["n"] < PLIES and "put" in str(expected(program, positions)):
            found += [([*values, v], [*positions, program.after_put(positions[-1], v)]) for v in program.of.values]


def expected(program: Program, play: list[Position]) -> Any:
    """The node, or "fault"."""
    try:
        return program.node(play)
    except FAULTS:
        return "fault"


# -- comparing ------------------------------------------------------------------------------------------------------


def outcome(program: Program) -> tuple[str, str]:
    """A word for what was found ("same", "refused", "different", "broken"), and details."""
    try:
        game = gdl.loads(program.text).game
    except GameError as error:
        return "refused", error.problems[0].code or error.problems[0].message
    except Exception as broken:
        return "broken", f"loading: {type(broken).__name__}: {str(broken)[:300]}"
    try:
        assert isinstance(game, RulesGame)
        differs = differences(game, program)
        if differs:
            return "different", differs
        told_alike(game, range(2), PLIES + 1)
        counts = [told(lambda: count.perft(game, PLIES)), told(lambda: perft(game, game.initial(), PLIES, "wasm"))]
        if counts[0] != counts[1] and "in the name of" not in str(counts[0]):  # a count does not name actions
            return "different", f"the interpreter counts {counts[0]}, and wasm {counts[1]}"
    except Refusal as refusal:
        return "declined", program.frame + ": " + re.sub(r"\(line .*", "", str(refusal).splitlines()[0])
    except Exception as broken:
        last = traceback.extract_tb(broken.__traceback__)[-1]
        return "broken", f"{type(broken).__name__}: {str(broken)[:300]} ({last.filename}:{last.lineno})"
    return "same", ""


def differences(game: RulesGame, program: Program) -> str:
    """The first node that the interpreter has otherwise than the Python of the rows; empty if there is none."""
    for values, positions in plays(program):
        state, wanted = game.initial(), expected(program, positions)
        for v in values:
            state = game.successor(state, f"put({text_of(v)})")
        found = told(lambda state=state: node_of(game.node(state)))
        if ("fault" if isinstance(found, str) else found) != wanted:
            return f"after {values}: {found}, and by the manual {wanted}; Python: {program.python}"
    return ""


def node_of(node: Any) -> Any:
    return node.utilities if isinstance(node, Terminal) else list(node.actions) if isinstance(node, Decision) else node


def told(work: Callable[[], Any]) -> Any:
    """The result of a call; of a fault the first line of its message."""
    try:
        return work()
    except GameError as fault:
        return str(fault).splitlines()[0]


Case = tuple[
    str, str, str, int, int, int
]  # the type, the frame, the kind, the number of the row, of the drawing, the seed


def cases(each: int, seed: int) -> list[Case]:
    """The programs of a run."""
    return [
        (named, frame, kind, number, drawing, seed)
        for named, of in small_types().items()
        for kind, rows in ALL_ROWS.items()
        for number, row in enumerate(rows)
        if set(row.needs) <= set(of.has)
        for frame in FRAMES
        if kind in FRAMES[frame].kinds
        for drawing in range(each)
    ]


def program_of(case: Case) -> Program:
    named, frame, kind, number, *_ = case
    return Program(small_types()[named], frame, ALL_ROWS[kind][number], repr(case))


def tried(case: Case) -> tuple[Case, str, str, str]:
    program = program_of(case)
    return (case, *outcome(program), program.text)


def main(options: argparse.Namespace) -> int:
    chosen = [case for case in cases(options.each, options.seed) if options.only in repr(case)]
    random.Random(options.seed).shuffle(chosen)
    ends, words, refusals = time.monotonic() + options.seconds, Counter[str](), Counter[str]()
    by_type: dict[str, Counter[str]] = {}
    with multiprocessing.Pool(options.jobs) as pool:
        for case, word, details, text in pool.imap_unordered(tried, chosen, 20):
            words[word] += 1
            by_type.setdefault(case[0], Counter())[word] += 1
            if word in ("refused", "declined"):
                refusals[f"{word}: {details}"] += 1
            elif word != "same":
                print(f"{word}: {case}\n{text}{details}\n", flush=True)
            if time.monotonic() > ends:
                pool.terminate()
                break
    for named, found in sorted(by_type.items()):
        print(f"{named:20}", *(f"{word} {number}" for word, number in found.most_common()))
    for why, number in refusals.most_common():
        print(f"{number:6} {why}")
    print(f"{words.total()} of {len(chosen)} programs: {dict(words)}")
    return 1 if words["different"] or words["broken"] else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=1, help="programs of each type, construct and frame")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="")
    sys.exit(main(parser.parse_args()))
