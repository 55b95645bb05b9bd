"""Equilibria with beliefs: each assessment is judged from its definition, whoever found it."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.errors import DamagedData
from gdl.solution import Profile
from gdl.solvers.beliefs.signals import signals, unintuitive
from gdl.solvers.equilibria.assessments import Beliefs, inconsistent, irrational, read_beliefs, unbayesian
from gdl.solvers.equilibria.behaviour import Row
from gdl.solvers.equilibria.position_paths import PositionPaths
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.numbers import amounts, same_all
from gdl.solvers.verify.perfection import subgames
from gdl.solvers.verify.verdict import Finding, Unchecked

KIND = {"sequential": "sequential", "perfect-bayesian": "perfect Bayesian", "intuitive": "perfect Bayesian"}


def check_beliefs(case: VerifierCase) -> Iterator[Finding]:
    """Every assessment keeps the conditions of the concept."""
    claim = case.claim
    held = claim.beliefs
    if len(held) != len(claim.equilibria):
        yield Finding(False, ("beliefs",), "there are not as many beliefs as equilibria")
        return
    for number, (profile, beliefs) in enumerate(zip(claim.equilibria, held, strict=True), start=1):
        yield from _check_assessment(case, f"equilibrium {number}", profile, beliefs)


def _check_assessment(case: VerifierCase, name: str, profile: Profile, beliefs: Profile) -> Iterator[Finding]:
    try:
        rows = _everywhere(case, profile)
        read = read_beliefs(case.graph.positions, beliefs)
    except DamagedData as fault:
        yield Finding(False, ("beliefs", "equilibria"), f"{name}: {fault}")
        return
    wrong = next(_failures(case, rows, read), None)
    kind = KIND[case.claim.concept or ""]
    if wrong is None:
        yield Finding(True, ("beliefs", "equilibria", "concept"), f"{name}: with its beliefs it is {kind}")
    else:
        yield Finding(False, ("beliefs", "equilibria", "concept"), f"{name} is not {kind}: {wrong}")


def _everywhere(case: VerifierCase, profile: Profile) -> list[Row]:
    """The rows of a profile that is silent nowhere."""
    behaviour = case.behaviour(profile)
    rows = [row for row in behaviour if row is not None]
    if len(rows) < len(behaviour):
        h = behaviour.index(None)
        raise DamagedData(f"it does not say what is done at {case.graph.positions.information_sets[h].name}")
    return rows


def _failures(case: VerifierCase, rows: list[Row], beliefs: Beliefs) -> Iterator[str]:
    """What is wrong with an assessment."""
    positions = case.graph.positions
    for failure in irrational(positions, rows, beliefs):
        yield f"{failure.words}, which gains {failure.gain}"
    if case.claim.concept == "sequential" and not case.graph.open:
        yield from (failure.words for failure in inconsistent(positions, PositionPaths(positions), rows, beliefs))
        return
    roots = [0, *(root for root, _ in subgames(positions))] if not case.graph.open else range(len(positions.nodes))
    yield from (failure.words for failure in unbayesian(positions, rows, beliefs, list(roots)))
    if case.claim.concept == "intuitive":
        yield from (failure.words for failure in unintuitive(signals(positions), rows))


def check_value(case: VerifierCase) -> Iterator[Finding]:
    """The value is what every equilibrium listed pays."""
    if case.value is None:
        return
    if not case.claim.equilibria:
        raise Unchecked("the answer has no equilibria")
    for profile in case.claim.equilibria:
        pays = case.judge_profile(profile).value
        if not same_all(case.value, pays):
            told = amounts(case.game.players, pays)
            yield Finding(False, ("value",), f"an equilibrium pays {told}, and the answer says otherwise")
            return
    yield Finding(True, ("value",), "every equilibrium pays the value")


def check_complete(case: VerifierCase) -> Iterator[Finding]:
    """Whether there are others is not found out anew."""
    if case.claim.complete is not None:
        yield Finding(None, ("complete",), "complete: whether other supports bear an equilibrium is not found anew")
