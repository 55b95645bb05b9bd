"""The verifier beside broken solvers: what is wrong in them, it does not share."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from textwrap import dedent
from typing import Any

import pytest
from places import ROOT

import gdl
from gdl.formats.answer import to_object
from gdl.numbers import to_json
from gdl.solvers import solve
from gdl.solvers.equilibria.regret import Response
from gdl.wings.verify.verifier import verify

ASKED = [  # a game, and what is asked of it
    ("prisoners", {"solver": "nash"}),
    ("kuhn", {}),
    ("beer_quiche", {"concept": "intuitive"}),
    ("seltens_horse", {"concept": "sequential"}),
    ("entry", {"solver": "subgame-perfect"}),
    ("chicken", {"concept": "correlated"}),
    ("stag_hunt", {"concept": "evolutionary"}),
    ("stag_hunt", {"concept": "proper"}),
    ("battle_of_the_sexes", {"concept": "commitment"}),
    ("pong_hau_ki", {}),
    ("bandit", {}),
    ("monty_hall", {}),
]
WITHOUT_SOLVERS = """
import json, sys, types
import gdl
gdl.load("prisoners").traits
for name in [name for name in sys.modules if name.startswith("gdl.solvers")]:
    del sys.modules[name]
sys.modules["gdl.solvers"] = types.ModuleType("gdl.solvers")
sys.modules["gdl.solvers"].__path__ = [sys.argv[1]]
games = {name: gdl.load(name) for name, _ in json.loads(sys.argv[2])}
from gdl.wings.verify.verifier import verify
for name, answer in json.loads(sys.argv[2]):
    print(name, verify(games[name], answer).headline)
print(*[name for name in sys.modules if name.startswith("gdl.solvers.")])
"""


@pytest.mark.thorough
def test_the_verifier_works_where_there_are_no_solvers() -> None:
    answers = [(name, to_object(solve(gdl.load(name), **options))) for name, options in ASKED]
    words = [sys.executable, "-c", WITHOUT_SOLVERS, str(ROOT / "solvers"), json.dumps(answers, default=str)]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    assert [line.partition(" ")[0] for line in told[:-1]] == [name for name, _ in ASKED]
    assert all("holds" in line or "hold;" in line for line in told[:-1]), told
    assert told[-1] == ""


def test_who_forgets_the_criterion_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """That both have quiche is an equilibrium, but not an intuitive one."""
    monkeypatch.setattr("gdl.wings.theory.beliefs.signals.expectation", lambda *_: (10**6, 10**6))
    game = gdl.load("beer_quiche")
    wrong = solve(game, concept="intuitive")
    assert len(wrong.equilibria) == 2
    verdict = verify(game, to_object(wrong))
    assert not verdict.ok
    assert "beer, which is not sent" in verdict.lines[0]


def test_who_finds_no_better_reply_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gdl.solvers.equilibria.regret.best_response", lambda *_: Response(-1, {}))
    game = gdl.load("prisoners")
    silent = {"A": {"silent": 1}, "B": {"silent": 1}}
    verdict = verify(game, {"game": game.name, "solver": "nash", "exact": True, "equilibria": [silent]})
    assert not verdict.ok


ALIKE = dedent("""\
    players A, B
    tree
        chance
            one 1/2: A in start
                stay: (1, 1)
                go: B in first (left: (0, 1), right: (0, 0))
            two 1/2: A in start
                stay: (1, 1)
                go: B in first (left: (0, 0), right: (0, 1))
""")


@pytest.mark.parametrize(("share", "ok"), [("1/2", True), ("2/3", False), (1, False)])
def test_beliefs_to_which_no_trembles_lead_are_refused(monkeypatch: pytest.MonkeyPatch, share: Any, ok: bool) -> None:
    """A tremble leads to both positions alike."""
    monkeypatch.setattr("gdl.wings.theory.beliefs.consistency.has_labels", lambda *_: True)
    monkeypatch.setattr("gdl.wings.theory.beliefs.consistency.cancelling_combinations", lambda *_: [])
    game = gdl.loads(ALIKE).game
    told = {
        "game": game.name,
        "concept": "sequential",
        "exact": True,
        "equilibria": [{"A": {"start": {"stay": 1}}, "B": {"first": {"left": 1}}}],
        "beliefs": [{
            "A": {"start": {"one": "1/2", "two": "1/2"}},
            "B": {"first": {"one > go": share, "two > go": to_json(1 - Fraction(share))}},
        }],
    }  # fmt: skip
    verdict = verify(game, told)
    assert verdict.ok is ok, verdict.lines
