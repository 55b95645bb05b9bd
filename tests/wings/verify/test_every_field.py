"""The verifier refuses an answer in which anything at all was changed, unless it then says no more than before."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from altered_answers import (
    HELD,
    OPENED,
    alterations,
    asked,
    kinds,
    left_open,
    outcome,
    says_less,
    solved,
    verdict_on,
)

from gdl.solvers import SOLVERS
from gdl.wings.verify.claim import read_claim
from gdl.wings.verify.verdict import not_checked

SAMPLE = 25  # alterations of an answer that are tried always
LONGEST = 3_500  # letters of an answer of which all are
GAMES = {"nash": "entry", "grundy": "take", "proper": "hawks", "evolutionary": "hawks", "markov-perfect": "ruin"}
# Fields that the verifier leaves open, by name, in true answers: completeness of equilibria with beliefs at information
# sets that may not be reached, and refinements of three players or more, or of very many plans that tie.
LEFT_OPEN = {
    "sequential": {"complete"}, "perfect-bayesian": {"complete"}, "intuitive": {"complete"},
    "perfect": {"concept"}, "proper": {"concept"}, "payoff-set": {"interval", "payoff_set"},
}  # fmt: skip


@cache
def all_kinds() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(kinds())


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """To know all kinds of answers takes all games; who leaves this test out need not wait for it."""
    if metafunc.function is test_every_alteration_is_refused:
        every = [] if "not slow" in metafunc.config.option.markexpr else all_kinds()
        metafunc.parametrize("game, words", every, ids=lambda part: part if isinstance(part, str) else " ".join(part))


def first(solver: str) -> tuple[str, tuple[str, ...]]:
    """A small game of which the solver has an answer."""
    return next((game, words) for game, words in all_kinds() if words[1] == solver and GAMES.get(solver, game) == game)


def survivors(game: str, answer: dict[str, Any], most: int | None = None) -> list[tuple[Any, ...]]:
    """The alterations that say more and that the verifier takes for true, or leaves open where the true answer holds:
    of all, or of as many at random."""
    every = [altered for altered in alterations(answer) if not says_less(asked(game).game, answer, altered)]
    if most is not None and len(every) > most:
        every = random.Random(len(every)).sample(every, most)
    whole = verdict_on(game, answer)
    assert whole is not None
    told = [(altered, outcome(game, answer, whole, altered)) for altered in every]
    return [(altered.path, altered.what, word, altered.answer) for altered, word in told if word in (HELD, OPENED)]


def check_true_answer(game: str, answer: dict[str, Any]) -> None:
    """A true answer is accepted, and no field is left open in it but those of the lists."""
    verdict = verdict_on(game, answer)
    assert verdict is not None and verdict.ok, verdict
    allowed = {*not_checked(read_claim(answer)), *LEFT_OPEN.get(answer["solver"], ())}
    assert left_open(verdict) <= allowed, verdict


@pytest.mark.thorough_of(
    "stationary",
    "global-newton",
    "nash",
    "perfect",
    "depth-limited",
    "intuitive",
    "alpha-beta",
    "coalition",
    "payoff-set",
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_sample_of_alterations_is_refused(solver: str) -> None:
    game, words = first(solver)
    answer = solved(game, *words)
    assert answer is not None
    check_true_answer(game, answer)
    assert survivors(game, answer, SAMPLE) == []


@pytest.mark.slow
def test_every_alteration_is_refused(game: str, words: tuple[str, ...]) -> None:
    answer = solved(game, *words, "--time", "10")
    if answer is None or len(json.dumps(answer)) > LONGEST:
        pytest.skip("no answer, or a long one")
    check_true_answer(game, answer)
    assert survivors(game, answer) == []


@pytest.mark.parametrize("words", [(), ("--cut", "gt"), ("--order", "best"), ("--order", "worst")], ids=" ".join)
@pytest.mark.parametrize("solver, game", [
    ("alpha-beta", "race"), ("star1", "coin_flip"), ("star1", "draws"), ("star2", "draws"), ("shallow", "shares"),
])  # fmt: skip
def test_recorded_runs_hold(solver: str, game: str, words: tuple[str, ...]) -> None:
    """With ties by every rule: each step, cut and visit is that of the textbook's run."""
    answer = solved(game, "--solver", solver, "--trace", *words)
    verdict = verdict_on(game, answer or {})
    assert verdict is not None and verdict.ok and verdict.limit is None, verdict
    assert all(verdict.status(field) for field in ("trace", "cuts", "visits", "rule", "pruned"))


def test_an_assessment_is_listed_once() -> None:
    answer = solved("entry", "--solver", "sequential")
    assert answer is not None
    twice = {field: answer[field] * 2 for field in ("equilibria", "beliefs", "payoffs")}
    verdict = verdict_on("entry", {**answer, **twice})
    assert verdict is not None and "equilibrium 2 is equilibrium 1 once more" in str(verdict.lines[0])


@pytest.mark.thorough_of("perfect-poker")
@pytest.mark.parametrize("solver, game", [
    ("sequential", "battle_of_the_sexes"), ("perfect-bayesian", "entry"), ("perfect", "poker"), ("perfect", "hawks"),
])  # fmt: skip
def test_complete_lists_of_refinements_hold(solver: str, game: str) -> None:
    answer = solved(game, "--solver", solver)
    assert answer is not None and answer["complete"]
    verdict = verdict_on(game, answer)
    assert verdict is not None and verdict.ok and verdict.limit is None, verdict
    assert survivors(game, answer, SAMPLE) == []


def test_a_dominated_plan_of_a_tree_is_not_perfect() -> None:
    """To fight an entry is no worse where nobody enters, but dominated."""
    threat = {"Newcomer": {"start": {"out": 1}}, "Incumbent": {"enter": {"fight": 1}}}
    verdict = verdict_on(
        "entry", {"game": "Entry deterrence", "concept": "perfect", "exact": True, "equilibria": [threat]}
    )
    assert verdict is not None and "what Incumbent plays is weakly dominated" in verdict.lines[0]


@pytest.mark.thorough_of("two_open-words1", "two_open-words2")
@pytest.mark.parametrize(("game", "words"), [("crash", ()), ("two_open", ()), ("two_open", ("--expand",))])
def test_what_depends_on_open_numbers_holds(game: str, words: tuple[str, ...]) -> None:
    """Equilibria of a matrix; and what is pruned by x alone, but not all along its line."""
    answer = solved(game, "--solver", "unknowns", *words)
    assert answer is not None
    check_true_answer(game, answer)
    assert survivors(game, answer, SAMPLE) == []


# ---- What used to pass ------------------------------------------------------------------------------------------------


def changed(answer: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**answer, **fields}


def test_known_holes_are_closed() -> None:
    at_once, plan = solved("stationary", "--solver", "stationary"), solved("monty_hall", "--solver", "plan")
    walk, capped = solved("umbrella", "--solver", "unknowns"), solved("round", "--solver", "shapley")
    assert at_once and plan and walk and capped
    first = at_once["equilibria"][0]
    stretches = walk["unknowns"]["p"]
    tampered = [
        ("stationary", changed(at_once, regret={"A": 100, "B": 100})),
        ("stationary", changed(at_once, equilibria=[first, first])),
        ("stationary", changed(at_once, equilibria=[first, first], payoffs=at_once["payoffs"] * 2)),
        ("stationary", changed(at_once, payoffs=at_once["payoffs"] * 7)),
        ("monty_hall", changed(plan, best=["left"])),
        ("umbrella", changed(walk, unknowns={"p": [*stretches[:-1], {**stretches[-1], "to": "8/7"}]})),
        ("umbrella", changed(walk, unknowns={"p": [{**stretches[0], "from": "-5"}, *stretches[1:]]})),
        ("round", changed(capped, interval={"A": capped["interval"]["A"]})),
    ]
    verdicts = [(game, answer, verdict_on(game, answer)) for game, answer in tampered]
    assert [(game, answer) for game, answer, told in verdicts if told is not None and told.ok and not told.limit] == []
