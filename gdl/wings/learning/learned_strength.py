"""How strong it is what was learned: by positions that are frozen before learning begins, and by matches, whose results
are told as text and as a record.

1. A random play gives one position: at a decision drawn from the first three quarters of it.
2. Tree search without what was learned says what each is worth to the first player; the plies of all its simulations
   together are limited.
3. What was learned is asked which of two positions is worth more, if their values differ by more than the standard
   deviation of all values: what differs less is in doubt. The share of such pairs of which it says so rightly is 1 at
   best, and 0.5 by chance (two that it takes for alike count half); its error is that of a U-statistic (Hoeffding, A
   class of statistics with asymptotically normal distribution, 1948).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import pstdev, stdev
from typing import TYPE_CHECKING, Any

from gdl.compiler.compiled_engine import offer
from gdl.errors import count_text
from gdl.game import Decision, Terminal
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.playouts import random_move
from gdl.states.random_numbers import Generator
from gdl.wings.learning.learn_answer import LearningMatchAnswer

if TYPE_CHECKING:
    from gdl.wings.learning.learning_match import LearningMatchResult
    from gdl.wings.learning.training import LearningPoint


POSITIONS = 200
PLIES = 10_000_000  # of the simulations of all searches
LEAST = 50  # simulations of a search
LONGEST = 200  # plies of a random play that are looked at
_SURE = 1.96  # standard errors: 95 of 100 cases


@dataclass(frozen=True)
class FrozenPositions:
    """Positions, and what a search found each to be worth to the first player."""

    states: Sequence[State]
    values: Sequence[float]

    def judge(self, learned: Any) -> tuple[float, float]:
        """The share of pairs of positions that a learned evaluation puts in the right order, and half the width of its
        95% interval."""
        estimates = [float(learned.estimate(state.turn, state.cells)[0]) for state in self.states]
        shares, least = [], pstdev(self.values)
        for value, estimate in zip(self.values, estimates, strict=True):
            pairs = [
                (estimate > other) == (value > worth) if estimate != other else 0.5
                for worth, other in zip(self.values, estimates, strict=True)
                if abs(worth - value) > least
            ]
            if pairs:
                shares.append(sum(pairs) / len(pairs))
        if len(shares) < 2:
            return 0.5, 0.5
        return sum(shares) / len(shares), _SURE * 2 * stdev(shares) / sqrt(len(shares))


def freeze_positions(game: RulesGame, start: State, seed: int, plies: int = PLIES) -> FrozenPositions:
    """Positions of random plays from `start` by `seed`, valued by searches of about `plies` plies in all."""
    random, states, lengths = Generator(seed), list[State](), 0
    for _ in range(POSITIONS):
        decisions = _random_decisions(game, start, random)
        lengths += len(decisions)
        states.append(decisions[random.draw_below(len(decisions) * 3 // 4 + 1)] if decisions else start)
    simulations = max(LEAST, plies // max(1, lengths))
    engine = offer(game, "auto")
    return FrozenPositions(states, [_value(engine, state, simulations, seed) for state in states])


def _random_decisions(game: RulesGame, start: State, random: Generator) -> list[State]:
    """The decisions of a random play, up to LONGEST plies."""
    state, found = start, list[State]()
    for _ in range(LONGEST):
        node = game.node(state)
        if isinstance(node, Terminal):
            break
        if isinstance(node, Decision):
            found.append(state)
        state = game.successor(state, random_move(node, random))
    return found


def _value(game: Any, state: State, simulations: int, seed: int) -> float:
    from gdl.solvers import solve

    found = solve(Continuation(game, state), "mcts", simulations=simulations, seed=seed)
    assert found.value is not None and found.value[0] is not None
    return float(found.value[0])


# ---- Results -------------------------------------------------------------------------------------------------------


WIDTH = 40  # of the longest bar

HOW = ("The net after so many games: the share of pairs of frozen positions that it puts in the right order,",
       "as long search does (0.5: by chance; ± in 95 of 100 cases)")  # fmt: skip


def curve_lines(curve: Sequence[LearningPoint]) -> list[str]:
    """How good a net was on the way, as lines of text with bars from 0.5, which is chance, to 1; [] if it was not
    judged."""
    bars = ["#" * round(WIDTH * max(0.0, 2 * point.right - 1)) for point in curve]
    lines = [
        f"{point.games:>9,} {point.right:.3f} ± {point.error:.3f} {bar}".rstrip()
        for point, bar in zip(curve, bars, strict=True)
    ]
    return [HOW[0], f"{HOW[1]}:", *lines] if lines else []


def match_words(match: LearningMatchResult, others: str, how: str = "one move ahead") -> list[str]:
    """Lines on a match of learned weights against `others`, played `how`; weights are called stronger, or weaker, only
    if the 95% interval excludes 0."""
    low, high = match.interval
    if match.games == 0:
        return [f"No game against {others} came to an end, so nothing is known of their strength."]
    if match.is_stronger:
        verdict = f"They are stronger than {others}"
    elif high < 0:
        verdict = f"They are weaker than {others}"
    else:
        verdict = f"They are not shown to be stronger than {others}"
    return [
        f"{verdict}: {match.gain:+.3g} a game ({low:+.3g} to {high:+.3g} in 95 of 100 cases),",
        f"by {count_text(match.games, 'game')} from varied openings, {how}: {match.won:,} won, "
        f"{match.drawn:,} drawn, {match.lost:,} lost.",
    ]


def match_record(match: LearningMatchResult) -> LearningMatchAnswer:
    """The match as JSON has it. (Six digits: the last ones of a sum are not the same on every Python.)"""
    gain, low, high = (float(f"{number:.6g}") for number in (match.gain, *match.interval))
    return LearningMatchAnswer.fill_from(match, gain=gain, interval=(low, high), stronger=match.is_stronger)
