"""The verifier refuses an answer in which anything at all was changed, unless it then says no more than before."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from altered_answers import Alteration, alterations, kinds, says_less, solved, verdict_on

from gdl.solvers import SOLVERS

SAMPLE = 25  # alterations of an answer that are tried always
LONGEST = 3_500  # letters of an answer of which all are
KINDS = list(kinds())
GAMES = {"nash": "entry", "grundy": "take", "proper": "hawks", "evolutionary": "hawks", "markov-perfect": "ruin"}


def first(solver: str) -> tuple[str, tuple[str, ...]]:
    """A small game of which the solver has an answer."""
    return next((game, words) for game, words in KINDS if words[1] == solver and GAMES.get(solver, game) == game)


def accepted(game: str, altered: Alteration) -> bool:
    verdict = verdict_on(game, altered.answer)
    return verdict is not None and verdict.ok and verdict.limit is None


def survivors(game: str, answer: dict[str, Any], most: int | None = None) -> list[tuple[Any, ...]]:
    """The alterations that the verifier takes for true and that say more: of all, or of as many at random."""
    every = [altered for altered in alterations(answer) if not says_less(answer, altered)]
    if most is not None and len(every) > most:
        every = random.Random(len(every)).sample(every, most)
    return [(altered.path, altered.what, altered.answer) for altered in every if accepted(game, altered)]


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "puct"])
def test_a_sample_of_alterations_is_refused(solver: str) -> None:
    game, words = first(solver)
    answer = solved(game, *words)
    assert answer is not None
    verdict = verdict_on(game, answer)
    assert verdict is not None and verdict.ok, verdict
    assert survivors(game, answer, SAMPLE) == []


@pytest.mark.slow
@pytest.mark.parametrize("game, words", KINDS, ids=lambda part: part if isinstance(part, str) else " ".join(part))
def test_every_alteration_is_refused(game: str, words: tuple[str, ...]) -> None:
    answer = solved(game, *words, "--time", "10")
    if answer is None or len(json.dumps(answer)) > LONGEST:
        pytest.skip("no answer, or a long one")
    verdict = verdict_on(game, answer)
    assert verdict is not None and verdict.ok, verdict
    assert survivors(game, answer) == []


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
    assert [(game, answer) for game, answer in tampered if accepted(game, Alteration((), "", answer))] == []
