"""Sequential and perfect Bayesian equilibria: strategies and the beliefs that bear them out.

1. The game is solved from its last subgames to the first; a subgame's stage is what lies before the next subgames,
   which count as ends.
2. In a stage every support that might be best is taken, pure ones first, and each is one linear problem (`cells.py`):
   labels for an order of trembles, weights for the beliefs. Both are exact. Where two players may have too many
   supports, the play of a Nash equilibrium, which the sequence form gives, is tried before; if it is that of such an
   equilibrium, fewer supports are looked at.
3. One assessment stands for all of its support. Where strategies differ only where the stage's play never leads, and
   some are pure there, mixed ones are left out: they pay the same.
4. Every assessment is judged anew: by each player's best reply at each information set, by Bayes' rule in every subgame
   and, if it is to be sequential, by whether trembles lead to its beliefs.

`sequential` asks for beliefs that are limits of trembles (Kreps and Wilson 1982). `perfect-bayesian` asks for a weak
perfect Bayesian equilibrium of every subgame (Mas-Colell, Whinston and Green 1995, section 9.C): beliefs follow from
play by Bayes' rule wherever it leads, and are free elsewhere. In games of signals both are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import prod
from typing import Any, Literal

from gdl.errors import InternalError, LimitReached, Refusal
from gdl.game import Game, Number
from gdl.numbers import brief
from gdl.solution import EquilibriumRecord, Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits
from gdl.solvers.equilibria import sequence_lcp
from gdl.solvers.equilibria.behaviour import Behaviour, Row, pure_row
from gdl.solvers.equilibria.families import families
from gdl.solvers.equilibria.named_beliefs import write_beliefs
from gdl.solvers.equilibria.position_paths import PositionPaths, reach_probabilities
from gdl.solvers.equilibria.positions import PositionGraph, explore_within
from gdl.solvers.equilibria.regret import complete_behaviour, expectation, judge, with_equilibria
from gdl.solvers.equilibria.sequence_form import optimal_behaviour
from gdl.solvers.equilibria.simplex import maximise
from gdl.solvers.equilibria.subgame_perfect import StageSolution, SubgameResult, World, solve_subgames, subgame_roots
from gdl.solvers.solver import Solver
from gdl.wings.theory.beliefs.cells import Assessment, Play, Support, SupportCell, led_to
from gdl.wings.theory.beliefs.conditions import NotLinear
from gdl.wings.theory.beliefs.consistency import Failure, inconsistent, irrational, unbayesian
from gdl.wings.theory.beliefs.signals import Signals, signals, unintuitive
from gdl.wings.theory.beliefs.supports import BeliefSupports, beliefs_for

# For which beliefs a move is best off the path of play, in words.

MOST_WORDS = 8  # conditions that anyone would read
MOST_SETS = 200  # information sets of the largest game for which conditions are listed


def conditions_in_words(positions: PositionGraph, worlds: Sequence[World]) -> Iterator[str]:
    """Sentences on the beliefs that bear out the moves off the path of play, such as `C plays right at dark if they
    hold down to be at most 1/3 likely.`"""
    if len(positions.information_sets) > MOST_SETS:
        return
    told: dict[str, None] = {}
    for world in worlds:
        rows = [row for row in world.rows if row is not None]
        for h in _unreached_sets(positions, rows):
            told.update(dict.fromkeys(_conditions(positions, rows, h)))
    yield from list(told)[:MOST_WORDS]
    if len(told) > MOST_WORDS:
        yield f"{len(told) - MOST_WORDS} more conditions on beliefs are not told."


def _unreached_sets(positions: PositionGraph, rows: Sequence[Row]) -> Iterator[int]:
    """The information sets of several nodes that play reaches in no subgame."""
    met: set[int] = set()
    for root in subgame_roots(positions):
        met |= reach_probabilities(positions, rows, root).keys()
    for h, found in enumerate(positions.information_sets):
        if len(found.members) > 1 and not any(member in met for member in found.members):
            yield h


def _conditions(positions: PositionGraph, rows: Sequence[Row], h: int) -> Iterator[str]:
    found, names = positions.information_sets[h], PositionPaths(positions).names
    played = [k for k, share in enumerate(rows[h]) if share]
    bounds = belief_bounds(worths(positions, rows, h), played)
    limits = []
    for member, (low, high) in zip(found.members, bounds, strict=True):
        if low == high:
            limits.append(f"{names[member]} to be {brief(low)} likely")
        elif low > 0 or high < 1:
            words = [f"at least {brief(low)}"] * (low > 0) + [f"at most {brief(high)}"] * (high < 1)
            limits.append(f"{names[member]} to be {' and '.join(words)} likely")
    if limits:
        actions = " and ".join(found.actions[k] for k in played)
        half = limits[: (len(limits) + 1) // 2] if len(found.members) == 2 else limits  # two say the same
        yield f"{positions.players[found.player]} plays {actions} at {found.name} if they hold {', '.join(half)}."


def worths(positions: PositionGraph, rows: Sequence[Row], h: int) -> list[list[Number]]:
    """The worth of each action (a row) at each node of information set `h` to its player, if everyone then follows
    these rows."""
    found = positions.information_sets[h]
    return [
        [expectation(positions, tuple(rows), {positions.successors[x][k]: 1})[found.player] for x in found.members]
        for k in range(len(found.actions))
    ]


def belief_bounds(amounts: Sequence[Sequence[Number]], played: Sequence[int]) -> list[tuple[Number, Number]]:
    """For each node the least and the greatest probability in beliefs with which all played actions are best. `amounts`
    has a row for each action."""

    def greatest_value(sign: int, j: int) -> Number:
        return sign * maximise(beliefs_for(amounts, played, {j: sign}), Budget()).value

    return [(greatest_value(-1, j), greatest_value(1, j)) for j in range(len(amounts[0]))]


Kind = Literal["sequential", "weak"]

MAX_EQUILIBRIA = 64  # combinations of stage equilibria that are followed up, by default
MOST_ASKED = 1_000  # of which it is asked whether they are intuitive
SUPPORTS = 20_000  # of one stage that are looked at, by default
SUPPORTS_BESIDE = 2_000  # where an equilibrium is known, by default
FEW_SUPPORTS = 500  # with the play of one Nash equilibrium that are looked at


def sequential(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = MAX_EQUILIBRIA, supports: int | None = None
) -> Solution:
    """The sequential equilibria, one for each support."""
    return solve_assessments(game, "sequential", SEQUENTIAL, most, supports, limits)


def perfect_bayesian(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = MAX_EQUILIBRIA, supports: int | None = None
) -> Solution:
    """The weak perfect Bayesian equilibria of every subgame, one for each support."""
    return solve_assessments(game, "weak", PERFECT_BAYESIAN, most, supports, limits)


@dataclass
class AssessmentSearch:
    """A search for assessments, stage by stage, with a record of what was left out."""

    kind: Kind
    limit: int | None  # supports of a stage, if given
    looked: int = 0
    nonlinear: int = 0  # supports whose conditions are not linear
    unseen: bool = False  # True if a limit stopped the search before all supports were looked at
    families: bool = False  # True if assessments were left out that mix only off the path of play
    continua: bool = False  # True if a listed assessment may stand for many with other mixtures
    stopped: str = ""

    def stage(self, positions: PositionGraph, budget: Budget) -> StageSolution:
        """The assessments of one stage."""
        found: list[Assessment] = []
        paths, seen, playable = PositionPaths(positions), dict[object, bool](), dict[Play, bool]()
        before = self.nonlinear
        limit = SUPPORTS if self.limit is None else self.limit
        begun = self._by_sequence_form(positions, paths, limit, budget)
        if begun is not None and self.limit is None:
            limit = SUPPORTS_BESIDE
        try:
            for number, support in enumerate(BeliefSupports(positions, budget)):
                if number >= limit:
                    self.unseen = True
                    break
                self.looked += 1
                play = led_to(positions, support)[1]
                if playable.get(play) is False or (self.families and _is_left_out(positions, support, play, seen)):
                    continue
                cell = SupportCell(positions, paths, support)
                if play not in playable:
                    playable[play] = cell.may_be_played(budget, elsewhere=False)
                    if not playable[play]:
                        continue
                one = self._solve_cell(cell, budget)
                if one is not None and self._is_new(positions, one, seen):
                    found.append(one)
                    self.continua = self.continua or not cell.is_alone(budget)
        except LimitReached as stop:
            if not found and begun is None:
                raise
            self.unseen = True
            self.stopped = str(stop)
        if self.unseen and begun is not None and self._is_new(positions, begun, seen):
            found.append(begun)
        sure = not self.unseen and self.nonlinear == before
        why = "of those whose conditions are linear"
        if self.unseen:
            why = f"of the first {self.looked:,} supports; the game may be too large, and --supports allows more"
        if self.unseen and not found:
            raise LimitReached(f"no such equilibrium was found, {why}")
        beliefs = [one.beliefs for one in found]
        return StageSolution(
            [one.rows for one in found], True if sure else None, why, beliefs, "such equilibrium was found"
        )

    def _by_sequence_form(
        self, positions: PositionGraph, paths: PositionPaths, most: int, budget: Budget
    ) -> Assessment | None:
        """In a stage of two players with more combinations of actions than `most`: an assessment with the play of a
        Nash equilibrium that the sequence form gives; None where none is found."""
        if len(positions.players) != 2 or prod(2**width - 1 for width in positions.widths) <= most:
            return None
        with suppress(LimitReached):
            for rows in _nash_equilibria(positions, budget):
                support = tuple(tuple(k for k, share in enumerate(row or ()) if share) for row in rows)
                play = led_to(positions, support)[1]
                for near in islice(BeliefSupports(positions, budget, play), FEW_SUPPORTS):
                    if (one := self._solve_cell(SupportCell(positions, paths, near), budget)) is not None:
                        return one
        return None

    def _solve_cell(self, cell: SupportCell, budget: Budget) -> Assessment | None:
        try:
            if self.kind == "sequential":
                return cell.sequential(budget)
            try:
                return cell.weak_assessment(budget)
            except NotLinear:
                found = cell.sequential(budget)  # which is a weak one too
                if found is None:
                    raise
                return found
        except NotLinear:
            self.nonlinear += 1
            return None

    def _is_new(self, positions: PositionGraph, one: Assessment, seen: dict[object, bool]) -> bool:
        """True if, where play leads, the assessment differs from all earlier ones that are pure elsewhere, or if it is
        pure elsewhere itself."""
        met = reach_probabilities(positions, one.rows)
        played, pure = [], True
        for row, found in zip(one.rows, positions.information_sets, strict=True):
            led = any(member in met for member in found.members)
            played.append(row if led else None)
            pure = pure and (led or 1 in row)
        key = tuple(played)
        if not pure and seen.get(key):
            self.families = True
            return False
        seen[key] = seen.get(key, False) or pure
        return True


def _nash_equilibria(positions: PositionGraph, budget: Budget) -> Iterator[Behaviour]:
    """Nash equilibria of two players, by a linear program where one wins what the other loses, and by Lemke's path."""
    if positions.constant_sum() is not None:
        with suppress(Refusal):  # the program is too large
            yield complete_behaviour(positions, optimal_behaviour(positions, budget))
    found = sequence_lcp.equilibrium(positions, budget)
    if found is not None:
        yield found


def _is_left_out(positions: PositionGraph, support: Support, play: Play, seen: Mapping[object, bool]) -> bool:
    """True if all assessments of the support mix off the path of play, and are pure on it as an earlier one that does
    not mix."""
    if all(len(own) == 1 for own in support) or any(own is not None and len(own) > 1 for own in play):
        return False
    rows = tuple(own and pure_row(n, own[0]) for own, n in zip(play, positions.widths, strict=True))
    return seen.get(rows, False)


def solve_assessments(
    game: Game[Any], kind: Kind, row: Solver, most: int, supports: int | None, limits: SearchLimits
) -> Solution:
    """The answer with the equilibria of this kind."""
    positions, budget = explore_within(game, limits)
    search = AssessmentSearch(kind, supports)
    found = solve_subgames(positions, most, budget, search.stage)
    return assessment_solution(row.answer(game), positions, found, search, most)


def assessment_solution(
    begun: Solution,
    positions: PositionGraph,
    found: SubgameResult,
    search: AssessmentSearch,
    most: int,
    more: Sequence[str] = (),
) -> Solution:
    """The answer `begun` with all assessments, each judged anew, their payoffs and beliefs; `more` are notes to add. If
    a limit stopped the search, raises LimitReached with the answer."""
    sets = range(len(positions.information_sets))
    rows = [tuple(world.rows) for world in found.worlds]
    held = [[world.beliefs[h] for h in sets] for world in found.worlds]
    for behaviour, beliefs in zip(rows, held, strict=True):
        wrong = next(failures(positions, [row for row in behaviour if row is not None], beliefs, search.kind), None)
        if wrong is not None:
            raise InternalError(wrong.words)
    complete: bool | None = None  # apart from their beliefs
    if not (search.unseen or search.nonlinear):
        complete = not (search.families or search.continua or found.cut or found.idle)
    judgements = [judge(positions, behaviour) for behaviour in rows]
    players = len(positions.players)
    sure = players == 1 or (players == 2 and positions.constant_sum() is not None)
    sure = sure or (complete is not None and not search.continua)
    told = replace(
        with_equilibria(begun, positions, rows, judgements, sure),
        complete=complete,
        notes=(*more, *_notes(positions, found, search, most)),
        limit=search.stopped or None,
        part=EquilibriumRecord(
            families=families(positions, rows, judgements, with_free=False),
            beliefs=tuple(write_beliefs(positions, beliefs) for beliefs in held),
        ),
    )
    if search.stopped:
        raise LimitReached(search.stopped, told)
    return told


def failures(positions: PositionGraph, rows: Sequence[Row], beliefs: Sequence[Any], kind: Kind) -> Iterator[Failure]:
    """The conditions that an assessment fails to meet."""
    yield from irrational(positions, rows, beliefs)
    if positions.open_to_all():
        yield from unbayesian(positions, rows, beliefs, [0])
    elif kind == "weak":
        yield from unbayesian(positions, rows, beliefs, list(subgame_roots(positions)))
    else:
        yield from inconsistent(positions, PositionPaths(positions), rows, beliefs)


def _notes(positions: PositionGraph, found: SubgameResult, search: AssessmentSearch, most: int) -> Iterator[str]:
    if found.cut:
        yield f"There are more than {most} such equilibria: this is the one that takes the first of ties."
    if search.continua:
        yield "One equilibrium is listed for each support; its mixtures may be others as well."
    if found.idle:
        yield "Where a player is indifferent between moves there are mixed equilibria besides."
    if search.families:
        yield "Off the equilibrium path a mixture is left out if a pure move there does as well."
    if search.nonlinear:
        yield f"{search.nonlinear:,} mixed supports with conditions that are not linear were not searched."
    if search.unseen:
        yield f"{search.looked:,} supports were looked at, and there are more."
    if not positions.open_to_all():
        yield from conditions_in_words(positions, found.worlds)


_NEEDS = {"perfect_recall": True, "cyclic": False}

SEQUENTIAL = Solver(
    name="sequential",
    run=sequential,
    needs=_NEEDS,
    summary="sequential equilibria with their beliefs, of small games for any number of players",
    concept="sequential",
)
PERFECT_BAYESIAN = Solver(
    name="perfect-bayesian",
    run=perfect_bayesian,
    needs=_NEEDS,
    summary="perfect Bayesian equilibria with their beliefs, of small games for any number of players",
    concept="perfect-bayesian",
)


# Equilibria of games of signals that pass the intuitive criterion.
#
# 1. The perfect Bayesian equilibria are found, as by `perfect-bayesian`; in games of signals they are sequential.
# 2. An equilibrium fails if some type could make itself known by a message that is not sent (`signals.py`).
#
# Source: Cho and Kreps, Signaling games and stable equilibria, Quarterly Journal of Economics 102, 1987.


def intuitive(
    game: Game[Any], limits: SearchLimits = NO_LIMITS, *, most: int = MAX_EQUILIBRIA, supports: int | None = None
) -> Solution:
    """The perfect Bayesian equilibria of a game of signals that pass the intuitive criterion, with a note on each that
    fails."""
    positions, budget = explore_within(game, limits)
    told = signals(positions)
    search = AssessmentSearch("weak", supports)
    found = solve_subgames(positions, max(most, MOST_ASKED), budget, search.stage)
    failing = list(_failing_worlds(told, found.worlds))
    found.worlds = [world for world in found.worlds if not any(world is other for other, _ in failing)]
    if len(found.worlds) > most:
        found.cut = True
        del found.worlds[1:]
    notes = dict.fromkeys(words for _, words in failing)
    return assessment_solution(INTUITIVE.answer(game), positions, found, search, most, [*notes])


def _failing_worlds(game: Signals, worlds: list[World]) -> Iterator[tuple[World, str]]:
    """The worlds that fail the criterion, each with a sentence that says why."""
    for world in worlds:
        rows = [row for row in world.rows if row is not None]
        failure = next(unintuitive(game, rows), None)
        if failure is not None:
            plays = ", ".join(
                f"{found.actions[max(range(len(row)), key=row.__getitem__)]} at {found.name}"
                for h, (row, found) in enumerate(zip(rows, game.positions.information_sets, strict=True))
                if h in game.types
            )
            yield world, f"An equilibrium with {plays} fails: {failure.words}."


INTUITIVE = Solver(
    name="intuitive",
    run=intuitive,
    needs={"players": 2, "chance": True, "perfect_recall": True, "cyclic": False},
    summary="perfect Bayesian equilibria of games of signals that pass the intuitive criterion",
    concept="intuitive",
)
