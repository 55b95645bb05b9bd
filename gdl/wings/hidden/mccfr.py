"""Counterfactual regret minimisation by samples: strategies for games whose positions cannot all be looked at.

1. Every player begins with all actions equally likely, and keeps for each action of each information set its regret.
2. An iteration is one play for each player, the traverser: chance and the others draw one action each, by their
   strategies; the traverser looks at all own actions, as far as that can be done.
3. What an action earns more than its information set does on average is added to its regret; each action is played in
   proportion to its positive regret. Later iterations count more.
4. The average of all strategies is the answer. With two players and a zero sum it approaches an equilibrium.
5. Where all positions can be met after all, the average is judged after 16, 32, 64, … iterations as cfr does it:
   rounded to fractions, each player's best reply walked exactly, so that its regret is proved and the value lies
   between two ends. Else strategies of two opponents are made so sharp that best replies to them can be walked all
   the same, in floating point (best_replies.py). For others the answer is an estimate by plays, with what the local
   best response gains in them: no regret is smaller.

Only information sets that some sample has come to take room. `--seed` decides what is drawn: the same seed, the same
answer. In a very large game the traverser looks at all actions of a few decisions only, others each time: what comes
before them is drawn at random, what comes behind them goes on by the strategies. A traversal that becomes too long, or
is sure to, with so many actions at each of its decisions, is begun again with half as many decisions, so that the first
iteration fits.

Source: Lanctot, Waugh, Zinkevich and Bowling, Monte Carlo sampling for regret minimization in extensive games,
NIPS 2009; Brown and Sandholm, Solving imperfect-information games via discounted regret minimization, AAAI 2019.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gdl.errors import LimitReached, count_text
from gdl.game import Game
from gdl.solution import Solution
from gdl.solvers.budget import NO_LIMITS, Budget, SearchLimits, answering
from gdl.solvers.engine_stages import compiled_search, memory_limit
from gdl.solvers.equilibria.cfr import FIRST, Averaging, PlanEvaluation
from gdl.solvers.equilibria.exploration import limit_of_samples
from gdl.solvers.equilibria.positions import MOST_POSITIONS, FlatPositions, PositionGraph, explore, unfold_game
from gdl.solvers.equilibria.sequences import sequences
from gdl.solvers.needs import AtLeast
from gdl.solvers.solver import Solver
from gdl.wings.hidden import search_kinds
from gdl.wings.hidden.external_sampling import ExternalSampling
from gdl.wings.hidden.sampled_estimate import PLAYS, Shares, estimate_solution, learn_until_limit

if TYPE_CHECKING:
    from gdl.wings.hidden.sampling import Sampling

SEED = 1
ITERATIONS = 100_000  # by default
PLIES, SLOW_PLIES = 20_000_000, 50_000  # at which that ends in any case, on the compiled engine and without it
BEGINNING = 0.25  # share of the time for learning, before anything else
MEETING = 0.4  # share of the rest for meeting all positions
LEARNING = 0.6  # share of the time left then for learning, if they cannot all be met
QUICKLY_JUDGED = 20_000  # positions, all of which can be looked at once more when time is over
HURRIED = 0.2  # seconds that an estimate has at least, also of a search that was interrupted


def mccfr(
    game: Game[Any],
    limits: SearchLimits = NO_LIMITS,
    *,
    iterations: int | None = None,
    regret: Fraction | None = None,
    seed: int = SEED,
) -> Solution:
    """Strategies by sampling. If the game has at most `nodes` positions, their regret is proved, with an interval for
    the value if the sum of utilities is constant. Ends after `iterations`, when no player can gain more than `regret`,
    or with the time; after ITERATIONS if nothing is given, or after about `nodes` plies if not all positions could be
    met. Raises Refusal for games of imperfect recall."""
    nodes = MOST_POSITIONS if limits.nodes is None else limits.nodes
    work = _MccfrRun(game, seed, limits.budget().without_node_limit(), regret or 0)
    given = iterations is not None or regret is not None or limits.time is not None
    work.wanted = iterations if given else ITERATIONS
    work.plies = None if given else work.most_plies
    with answering(lambda: work.answer(Budget(None, HURRIED))):
        if work.budget.seconds_left is not None:
            work.learn(BEGINNING)  # so that there is an answer whatever comes
        if work.meet(nodes):
            work.improve()
        else:
            work.shares = Shares.divide(nodes) if not given and nodes != MOST_POSITIONS else work.shares
            work.learn(LEARNING)
    answer = work.answer()
    if answer.limit is not None:
        raise LimitReached(answer.limit, answer)
    return answer


class _MccfrRun:
    """A run of mccfr: the search that learns by samples, its limits, and the judge once all positions are known."""

    def __init__(self, game: Game[Any], seed: int, budget: Budget, regret: Fraction | int):
        self.game, self.budget, self.regret = game, budget, regret
        self.begun = MCCFR.answer(game, exact=False)
        found = compiled_search(game, search_kinds.MCCFR, game.engine.fast, seed=seed, memory=memory_limit(game))
        self.search = found or ExternalSampling(game, seed)
        self.most_plies = SLOW_PLIES if found is None else PLIES
        self.wanted: int | None = None
        self.plies: int | None = None
        self.shares: Shares | None = None  # the division of the limit of nodes, if it limits the samples too
        self.judged: _AverageJudge | None = None

    def learn(self, share: float) -> None:
        """Learn for a share of the time that is left, or until the wanted iterations or plies are done."""
        self.plies = self.shares.learning if self.shares else self.plies
        learn_until_limit(self.search, self.budget.part(None, share), self.wanted, self.plies, self.budget.progress)

    def meet(self, nodes: int) -> bool:
        """Meet all positions of the game, at most `nodes`. Returns False if there are more; the answer then
        says why."""
        budget = self.budget.part(nodes, MEETING)
        try:
            # In the engine's numbering if the engine has sampled it, so that memories can be compared.
            flat = None if isinstance(self.search, ExternalSampling) else unfold_game(self.game, budget)
            positions = explore(self.game, budget) if flat is None else FlatPositions(flat)
        except LimitReached as stop:
            if self.budget.seconds_left is None:
                self.begun = replace(self.begun, notes=(f"Not all positions were met: {stop}.",))
            else:
                self.begun = replace(self.begun, limit=limit_of_samples(stop, budget, self.budget))
            return False
        self.begun = replace(self.begun, nodes=positions.count)
        self.judged = _AverageJudge(positions, self.search)
        return True

    def improve(self) -> None:
        """Learn and judge until the iterations or plies are done, or nobody can gain more than the given regret."""
        assert self.judged is not None
        scheduled = FIRST
        while scheduled < self.search.iterations:
            scheduled *= 2
        if self.budget.seconds_left is not None and scheduled > FIRST:
            self.judged.judge()  # so that what was found until now is known before time is over
        while True:
            target = scheduled if self.wanted is None else min(scheduled, self.wanted)
            self.search.learn(target, self.plies)
            self._work()
            now, found = self.search.iterations, self.judged.judge()
            if max(found.regret) <= self.regret or (self.wanted is not None and now >= self.wanted) or now < target:
                return
            scheduled *= 2

    def _work(self) -> None:
        for _ in self.search:
            if self.budget.progress:
                self.budget.progress(self.search.nodes)
            self.budget.check_time()
        if self.search.full:
            raise LimitReached(self._full_table_note())

    def _full_table_note(self) -> str:
        return f"stopped at {count_text(self.search.sets, 'information set')}, for more of which there is no memory"

    def answer(self, hurried: Budget | None = None) -> Solution:
        """The answer so far: judged exactly if all positions were met, else estimated in the time that is left, or
        within `hurried`."""
        judged = self.judged
        if judged is not None and (judged.close.best or hurried is None or judged.positions.count <= QUICKLY_JUDGED):
            if judged.close.best is None:
                judged.judge()
            return judged.close.answer(self.begun)
        begun, budget = self.begun, hurried or self.budget
        if self.search.full:
            begun = replace(begun, limit="; ".join(filter(None, [begun.limit, self._full_table_note()])))
        if budget.seconds_left is not None and budget.seconds_left < HURRIED:
            budget = Budget(None, HURRIED)
        gains, plays = (self.shares.gains, self.shares.plays) if self.shares else (self.most_plies // 4, PLAYS)
        return estimate_solution(self.game, self.search, begun, budget, gains, plays)


class _AverageJudge:
    """A judge of the average strategies of a game all of whose positions are known."""

    def __init__(self, positions: PositionGraph, search: Sampling | ExternalSampling):
        self.positions, self.search = positions, search
        form = sequences(positions)
        self.close = Averaging(form, "plus")
        begin = [*accumulate(map(form.count, range(len(positions.players))), initial=0)]
        self._size = begin[-1]
        # By information set, the place of its first sequence in the averages:
        self._first = [begin[owner] + first for owner, first in zip(positions.owners, form.first, strict=True)]

    @cached_property
    def _places(self) -> dict[tuple[int, str], int]:
        """The numbers of the information sets, by player and name."""
        return {(found.player, found.name): h for h, found in enumerate(self.positions.information_sets)}

    def judge(self) -> PlanEvaluation:
        """Judge the present average strategies, and return the best evaluation so far."""
        average = array("d", bytes(8 * self._size))
        for h, row in self._averages():
            average[self._first[h] : self._first[h] + len(row)] = array("d", row)
        return self.close.take(average, self.search.iterations)

    def _averages(self) -> list[tuple[int, tuple[float, ...]]]:
        """The average strategies at the information sets that were met, each with the number of the set."""
        if isinstance(self.search, ExternalSampling):
            return [(self._places[row.player, row.name], tuple(row.average)) for row in self.search.rows.values()]
        flat = self.positions.flat
        assert flat is not None
        words: Any = flat.words
        numbers = self.search.counterparts(words.search, [words.memory_number(h) for h in range(len(flat.owners))])
        rows = [(h, self.search.average(known)) for h, known in enumerate(numbers) if known is not None]
        return [(h, row) for h, row in rows if row is not None]


MCCFR = Solver(
    name="mccfr",
    run=mccfr,
    needs={"players": AtLeast(2), "perfect_recall": True, "cyclic": False},
    summary="the same by samples, for games whose positions are too many to meet them all: an estimate, or proven ends",
    advised={"perfect_information": False},
)
