"""A profile held against a concept with beliefs: which condition fails, for whom, by which deviation, at which set.

A profile alone has no beliefs. For `perfect-bayesian` they are Bayes' where play of some subgame leads, and elsewhere
found by a linear program, set by set; for `sequential` they are those of a cell whose probabilities are known
(`cells.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gdl.errors import listing
from gdl.game import Number
from gdl.solvers.equilibria.behaviour import Row
from gdl.solvers.equilibria.concept_judges import find_silence
from gdl.solvers.equilibria.position_paths import PositionPaths, follows
from gdl.solvers.equilibria.positions import PositionGraph
from gdl.solvers.equilibria.subgame_perfect import subgame_roots
from gdl.solvers.equilibria.verdicts import BeliefSystem, ConceptCondition, ConceptVerdict, ProfileCase
from gdl.wings.theory.beliefs.cells import Support, SupportCell
from gdl.wings.theory.beliefs.conditions import NotLinear
from gdl.wings.theory.beliefs.consistency import Failure, inconsistent, irrational, irrational_at, unbayesian
from gdl.wings.theory.beliefs.signals import signals, unintuitive


def judge_perfect_bayesian(case: ProfileCase) -> ConceptVerdict:
    """Everyone does what is best given beliefs that follow from play wherever it leads."""
    return _judge_assessment(case, _weak_beliefs)


def judge_sequential(case: ProfileCase) -> ConceptVerdict:
    """Everyone does what is best given beliefs that are limits of what follows from trembles."""
    return _judge_assessment(case, _consistent_beliefs)


def judge_intuitive(case: ProfileCase) -> ConceptVerdict:
    """A perfect Bayesian equilibrium of a game of signals in which no type could make itself known, and gain."""
    game = signals(case.positions)
    verdict = _judge_assessment(case, _weak_beliefs)
    if not verdict.holds:
        return verdict
    failed = [_condition(case.positions, failure) for failure in unintuitive(game, _rows(case))]
    passed = ConceptCondition("intuitive criterion", True, words="no type could make itself known, and gain")
    return replace(verdict, conditions=(*verdict.conditions, *(failed or [passed])))


BeliefFinder = Callable[[ProfileCase], tuple[BeliefSystem | None, list[ConceptCondition]]]


def _rows(case: ProfileCase) -> list[Row]:
    return [row for row in case.behaviour if row is not None]


def _judge_assessment(case: ProfileCase, find: BeliefFinder) -> ConceptVerdict:
    """Judge the conditions of an assessment, with the given beliefs or with beliefs that support the profile."""
    silent = find_silence(case)
    if silent:
        return ConceptVerdict(case.concept, (silent,))
    held, found = (case.beliefs, list[ConceptCondition]()) if case.beliefs is not None else find(case)
    if held is None:
        return ConceptVerdict(case.concept, tuple(found))
    rows, positions = _rows(case), case.positions
    irrationals = list(irrational(positions, rows, held))
    if case.concept == "sequential" and not positions.open_to_all():
        source, others = "consistency", list(inconsistent(positions, PositionPaths(positions), rows, held))
        good = "trembles lead to the beliefs"
    else:
        roots = [0] if positions.open_to_all() else list(subgame_roots(positions))  # whoever knows it all, believes it
        source, others = "Bayes' rule", list(unbayesian(positions, rows, held, roots))
        good = "the beliefs follow from play wherever it leads"
    conditions = [_condition(positions, failure) for failure in (*irrationals, *others)]
    if not irrationals:
        conditions.insert(
            0, ConceptCondition("sequential rationality", True, words="everyone does what is best everywhere")
        )
    if not others:
        conditions.append(ConceptCondition(source, True, words=good))
    return ConceptVerdict(case.concept, tuple(conditions), held)


def _condition(positions: PositionGraph, failure: Failure) -> ConceptCondition:
    found = positions.information_sets[failure.information_set]
    who = positions.players[found.player]
    return ConceptCondition(failure.condition, False, who, found.name, failure.deviation, failure.gain, failure.words)


def _weak_beliefs(case: ProfileCase) -> tuple[BeliefSystem | None, list[ConceptCondition]]:
    """Beliefs that follow from play on the path of every subgame and support the moves elsewhere; or None and the
    conditions that fail."""
    positions, rows = case.positions, _rows(case)
    if positions.open_to_all():
        return [{found.members[0]: 1} for found in positions.information_sets], []
    held: dict[int, Mapping[int, Number]] = {}
    for root in subgame_roots(positions):  # the whole game before others
        held = follows(positions, rows, root) | held
    cell = SupportCell(positions, PositionPaths(positions), _support(rows), tuple(rows))
    conditions = []
    for h in range(len(rows)):
        if h not in held:
            belief = cell.belief_at(h, case.budget)
            if belief is None:
                conditions.append(_never_best(positions, rows, h))
            held[h] = belief or {}
    if conditions:
        return None, conditions
    return [held[h] for h in range(len(rows))], []


def _never_best(positions: PositionGraph, rows: Sequence[Row], h: int) -> ConceptCondition:
    """The failed condition at a set where no belief bears out what is played; if the set has only one node, with the
    deviation."""
    found = positions.information_sets[h]
    who = positions.players[found.player]
    if len(found.members) == 1 and (failure := irrational_at(positions, rows, h, {found.members[0]: 1})) is not None:
        return _condition(positions, failure)
    played = listing(action for action, share in zip(found.actions, rows[h], strict=True) if share)
    words = f"no belief at {found.name} bears out that {who} plays {played}"
    return ConceptCondition("sequential rationality", False, who, found.name, words=words)


def _consistent_beliefs(case: ProfileCase) -> tuple[BeliefSystem | None, list[ConceptCondition]]:
    """Beliefs that trembles lead to and that bear out the profile; or None and the conditions that fail."""
    weak, conditions = _weak_beliefs(case)
    if weak is None or case.positions.open_to_all():
        return weak, conditions
    rows = _rows(case)
    improvable = [_condition(case.positions, failure) for failure in irrational(case.positions, rows, weak)]
    if improvable:  # which is so with any beliefs: off the path of play, these bear the profile out
        return None, improvable
    cell = SupportCell(case.positions, PositionPaths(case.positions), _support(rows), tuple(rows))
    try:
        found = cell.sequential(case.budget)
    except NotLinear:
        words = "whether trembles lead to beliefs that bear out the profile is not known: the conditions are not linear"
        return None, [ConceptCondition("consistency", None, words=words)]
    if found is None:
        words = "no trembles lead to beliefs that bear out the profile"
        return None, [ConceptCondition("consistency", False, words=words)]
    return found.beliefs, []


def _support(rows: Sequence[Row]) -> Support:
    return tuple(tuple(k for k, share in enumerate(row) if share) for row in rows)
