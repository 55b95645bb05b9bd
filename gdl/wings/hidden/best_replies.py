"""Proofs of what strategies that samples have found are worth, by exact best replies (see kernels/best_replies.py).

The average strategies of a large game mix too many actions for all plays to be walked. Sharpened ones, which leave out
the actions that are hardly ever played, do not, and are often better: what is played seldom is mostly noise.

1. One opponent's strategy is sharpened, and the best reply of the other player to it is walked exactly. What the reply
   is paid is the most that the player can get against it; so the opponent secures the rest of the constant sum.
2. Walks begin with the sharpest strategies, which leave one action each, and go on to those that leave out less and
   less. The next walk is always that of the player whose last one was the shorter; the least of a player's is kept.
3. The two strategies that secure the most are the answer; another walk gives what they pay. The difference to what the
   best reply is paid is the regret.
4. With more players, or no constant sum, all strategies are of one sharpness; those are kept that leave the least gain.

Walks add floating-point numbers. What they prove is widened by more than all roundings can come to.

Source: Ganzfried, Sandholm and Waugh, Strategy purification and thresholding, AAMAS 2012.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from gdl.errors import DamagedData, clean, count_text, listing
from gdl.game import Action, Bounds, Game, Number, exact
from gdl.numbers import brief
from gdl.solution import Profile, Solution
from gdl.solvers.budget import Budget, promised_bounds, rest_bounds
from gdl.solvers.engine_stages import compiled_search, memory_limit
from gdl.solvers.equilibria.enclosure import Enclosure
from gdl.wings.hidden import search_kinds
from gdl.wings.hidden.named_strategies import MemoryNames, list_strategies
from gdl.wings.hidden.sampling import NOBODY, K, Sampling

SHARPNESS = (1.0, 0.6, 0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.0)  # the part of the likeliest action's share, by walk
JUDGING = 0.6  # share of the time for walks; the rest is for the names of information sets
REPLYING = 0.6  # share of the time for best replies; the rest is for what the strategies pay
ROUNDING = 2.0**-53  # of a number, at most
ROUNDINGS = 16  # more than a ply has where sums and bounds are made, and beside those of its shares
PLIES = 20_000_000  # of all walks of a given profile, where time is not limited
ROUNDED = 12  # decimals of what strategies pay
NEAR = 1e-6  # of the largest payoff: two such worths are taken for the same
PARTS = 2**40  # what is proved is a multiple of 1 / PARTS


def judge_by_replies(game: Game[Any], search: Sampling, begun: Solution, budget: Budget, plies: int | None) -> Solution:
    """The answer with what best replies prove of the average strategies: the regrets, and of two opponents the
    interval; what is not proved in time is left out."""
    total = game.traits.constant_sum
    ends = [end for pair in promised_bounds(game) for end in pair if end is not None]
    if len(ends) < 2 * len(game.players):
        return begun
    if len(ends) == 4 and total is not None:
        found = find_replies(search, list(map(float, ends)), budget.part(None, JUDGING), plies)
        if found.most != (None, None):
            begun = replace(begun, interval=found.interval(total))
    else:
        found = find_gains(search, list(map(float, ends)), budget.part(None, JUDGING * REPLYING), plies)
    if found.regret is None:
        return begun
    strategy = list_strategies(search, found.sharpness, budget)
    notes = (*begun.notes, *_regret_notes(game, found, strategy))
    return replace(begun, value=found.value, regret=found.regret, strategy=strategy, notes=notes)


def _regret_notes(game: Game[Any], found: RepliesFound, strategy: Profile | None) -> Iterator[str]:
    assert found.regret is not None
    first, *others = found.sharpness
    shares = [f"{share:.0%} ({name})" for name, share in zip(game.players, found.sharpness, strict=True) if share]
    parts = f"{first:.0%}" if first and {first} == {*others} else listing(shares)
    regret = brief(float(max(found.regret)), "")
    proved = f"No player can gain more than {regret} by deviating: best replies were walked exactly."
    left_out = f" The strategies leave out actions that are played less than {parts} as often as the likeliest one."
    yield proved + (left_out if parts else "")
    if strategy is None:
        yield "The strategies are not listed: naming their information sets takes longer, or they are too many."
    else:
        sets = count_text(sum(map(len, strategy.values())), "information set")
        yield f"The strategies name the {sets} that the walks have met; at others the first action is taken."


class RepliesFound(NamedTuple):
    """The findings of walks: `most` is what each player gets at most against the other's strategy (None: not known),
    and `sharpness` that of each player's strategy. `value` is what the two strategies pay, if that is known too, within
    `error`."""

    most: tuple[float | None, ...]
    sharpness: tuple[float, ...]
    value: tuple[float, ...] | None
    error: float = 0.0

    def interval(self, total: Number) -> Bounds:
        """The bounds that are proved for both players, where their payoffs add up to `total`."""
        first, second = (most if most is None else rounded_up(most) for most in self.most)
        bounds = None if second is None else exact(total - second), first
        return bounds, rest_bounds(bounds, total)

    @property
    def regret(self) -> tuple[Number, ...] | None:
        """The most that each player can gain by deviating; None if it is not known."""
        if self.value is None:
            return None
        pairs = zip(self.most, self.value, strict=True)
        return tuple(rounded_up(max(0.0, most - value + self.error)) for most, value in pairs if most is not None)


def rounded_up(number: float) -> Number:
    return exact(Fraction(ceil(number * PARTS), PARTS))


class _Walks:
    """The walks of one player's best replies."""

    def __init__(self, player: int):
        self.player = player
        self.plies = 0  # of the last walk
        self.left = [*reversed(SHARPNESS)]
        self.most: float | None = None
        self.against = SHARPNESS[0]  # the sharpness of the opponent's strategy that leaves the least


def find_replies(search: Sampling, ends: Sequence[float], budget: Budget, plies: int | None) -> RepliesFound:
    """Prove what the average strategies of two opponents secure, in the time of the budget, or in `plies` if there is
    no limit of time. `ends` are the least and the most that each of them can be paid."""
    largest, utmost = max(map(abs, ends)), ends[1::2]
    walks, replying = [_Walks(player) for player in (0, 1)], budget.part(None, REPLYING)
    spent = 0
    while open_walks := [walk for walk in walks if walk.left]:
        walk = min(open_walks, key=lambda one: one.plies)
        sharpness = walk.left.pop()
        search.walk(walk.player, (sharpness, sharpness), utmost[walk.player], None if plies is None else plies - spent)
        paid = search.end_walk(replying)
        spent += search.walked
        if paid is None:
            walk.left = []
            continue
        walk.plies = search.walked
        most = paid[walk.player] + rounding_error(search, largest)
        if walk.most is None or most < walk.most + largest * NEAR:  # of two that secure the same, what leaves out less
            walk.most, walk.against = most if walk.most is None else min(most, walk.most), sharpness
    found = RepliesFound((walks[0].most, walks[1].most), (walks[1].against, walks[0].against), None)
    if None in found.most:
        return found
    search.walk(NOBODY, found.sharpness, largest, plies)
    paid = search.end_walk(budget)
    if paid is None:
        return found
    value = tuple(round(payoff, ROUNDED) + 0.0 for payoff in paid)  # never -0.0
    return found._replace(value=value, error=rounding_error(search, largest) + 10.0**-ROUNDED)


def find_gains(search: Sampling, ends: Sequence[float], budget: Budget, plies: int | None) -> RepliesFound:
    """Prove what each of any players can gain by leaving average strategies, all of one sharpness; those are kept that
    leave the least. `ends` are the least and the most that each of them can be paid."""
    count, spent = len(ends) // 2, 0
    kept = RepliesFound((None,) * count, (SHARPNESS[0],) * count, None)
    for sharpness in SHARPNESS:
        left = None if plies is None else plies - spent
        walks = _walk_everybody(search, [sharpness] * count, ends, budget, left)
        spent += sum(walk.plies for walk in walks)
        most = tuple(walk.paid[p] + walk.error for p, walk in enumerate(walks[1:]) if walk.paid)
        if len(most) < count or walks[0].paid is None:  # a walk came to no end
            break
        found = RepliesFound(most, (sharpness,) * count, walks[0].paid, walks[0].error)
        if kept.regret is None or found.regret is None or max(found.regret) < max(kept.regret):
            kept = found
    return kept


class _Walk(NamedTuple):
    """A walk to its end: what is paid (None: not known), within `error`, and its plies."""

    paid: tuple[float, ...] | None
    error: float
    plies: int


def _walk_everybody(
    search: Sampling, sharpness: Sequence[float], ends: Sequence[float], budget: Budget, plies: int | None
) -> list[_Walk]:
    """The walks of nobody's best reply, and of each player's; of all together at most `plies` plies."""
    walks: list[_Walk] = []
    for replier in (NOBODY, *range(len(sharpness))):
        left = None if plies is None else plies - sum(walk.plies for walk in walks)
        search.walk(replier, sharpness, ends[2 * replier + 1], left)
        walks.append(_Walk(search.end_walk(budget), rounding_error(search, max(map(abs, ends))), search.walked))
    return walks


def rounding_error(search: Sampling, largest: float) -> float:
    """The most that roundings can have changed the payoffs of the last walk by: along a play, those of each share and
    of the sum of all shares; at each ply, those of sums and bounds."""
    along_a_play = int(K.PLIES) * (int(search.lowered.rows) + ROUNDINGS)
    return largest * ROUNDING * (along_a_play + ROUNDINGS * search.walked)


def enclose_profile(game: Game[Any], profile: Profile, seconds: float | None) -> Enclosure | None:
    """Bounds on what a profile pays, and on what could be gained by leaving it, by exact best replies. At an
    information set that is not listed the first action is taken. None where the game is not walked on the compiled
    engine, or the profile mixes too much for all walks in the time (None: for PLIES)."""
    ends = [float(end) for pair in promised_bounds(game) for end in pair if end is not None]
    search = None
    if game.traits.perfect_recall and len(ends) == 2 * len(game.players) > 2 and game.engine.fast:
        search = compiled_search(game, search_kinds.MCCFR, True, memory=memory_limit(game))
    if search is None:
        return None
    met = [[0, 0] for _ in game.players]  # by player: information sets that are not listed, and that are

    def meet(player: int, name: str, actions: tuple[Action, ...], number: int) -> None:
        mixture = profile.get(game.players[player], {}).get(name)
        met[player][mixture is not None] += 1
        if mixture is not None and (unknown := mixture.keys() - set(actions)):
            raise DamagedData(f"no action of {clean(game.players[player])} at {clean(name)} is called {min(unknown)}")
        if mixture is not None:
            search.give_average(number, [float(mixture.get(action, 0)) for action in actions])

    MemoryNames(search, meet)
    search.parts = 0
    budget = Budget(None, None if seconds is None else REPLYING * seconds)
    walks = _walk_everybody(search, [0.0] * len(met), ends, budget, PLIES if seconds is None else None)
    for who, (left_out, listed) in zip(game.players, met, strict=True):
        if left_out and not listed:
            raise DamagedData(f"no information set of {clean(who)} that play reaches has a name that is listed")
    value, error, _ = walks[0]
    if value is None:
        return None
    bounds, gains = [(-rounded_up(error - x), rounded_up(x + error)) for x in value], []
    for player, (found, wide, _) in enumerate(walks[1:]):
        if found is None:
            return None  # other bounds may say more of this player
        gain, wide = found[player] - value[player], wide + error
        gains.append((-rounded_up(-max(0.0, gain - wide)), rounded_up(max(0.0, gain + wide))))
    return Enclosure(tuple(bounds), tuple(gains), sum(walk.plies for walk in walks))
