"""Proven bounds on a profile of a game that is too large to be judged: on its payoffs, and on the gains from leaving
it.

1. Only the positions that are met first are opened. One that is not opened is an end, which pays each player the least
   that the file promises, and its rules prove, of all ends behind it; or the most.
2. In the game of least payments the profile, and every other strategy, gets no more than it gets in the whole game, in
   that of greatest payments no less: so do the best replies.
3. What a player can gain is the best reply less the value: at least the one's least less the other's most, at most its
   most less the other's least; and never below 0.
4. The more positions are opened, the closer the ends: it begins with few, and goes on while there is time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from gdl.compiler.search_kinds import UNFOLDING
from gdl.errors import LimitReached, Refusal
from gdl.game import Bounds, Game, Number, Terminal, actions, exact, surely_at, tightest_bounds
from gdl.solution import Profile
from gdl.solvers.budget import Budget, promised_bounds
from gdl.solvers.equilibria.behaviour import read_rows, uniform_behaviour
from gdl.solvers.equilibria.positions import FlatPositions, PositionGraph, explore
from gdl.solvers.equilibria.regret import Judgement, judge
from gdl.states.explore import Walk, WalkedGame, WalkExpansion
from gdl.states.flat import TERMINAL, UNOPENED, FlatGame, Words
from gdl.states.sequential import Sequential

INTERPRETED_POSITIONS = (1, 30, 500)  # positions that the interpreter opens, before the compiled engine opens more
MORE = (10_000, 100_000, 1_000_000)
ASKED = 10_000  # actions that are listed, for each position opened, to find out which of those behind the cut are ends
Cut = tuple[PositionGraph, PositionGraph]  # the games of least and of greatest payments


@dataclass(frozen=True)
class Enclosure:
    """Bounds on the value and the regret of a profile, for each player; `opened` is the number of positions that were
    looked at."""

    value: Bounds
    regret: Bounds
    opened: int

    @property
    def nash_conv(self) -> tuple[Number, Number | None]:
        lows, highs = zip(*self.regret, strict=True)
        return exact(sum(lows)), None if None in highs else exact(sum(highs))


def enclosures(game: Game[Any], profile: Profile | None, most: int | None = None) -> Iterator[Enclosure]:
    """Ever closer bounds on what a profile pays, from at most `most` positions. None are given if the game need not
    end, or nothing is known of its utilities. Without a profile everyone plays at random. Raises DamagedData if the
    profile is silent about an information set that play can reach."""
    found = None
    if not any(end is not None for ends in promised_bounds(game) for end in ends):
        return
    with suppress(Refusal):
        for low, high in _cuts(game, most):
            rows = uniform_behaviour(low) if profile is None else read_rows(low, profile)  # those of both
            least, most_paid = judge(low, rows), judge(high, rows)
            here = _bounds_between(game, least, most_paid, low.count)
            value, regret = (here.value, here.regret) if found is None else (found.value, found.regret)
            found = Enclosure(tightest_bounds(value, here.value), tightest_bounds(regret, here.regret), here.opened)
            yield found


def _bounds_between(game: Game[Any], low: Judgement, high: Judgement, opened: int) -> Enclosure:
    """The bounds that the judgements of both cut games give together; None where the game promises no bound on the
    player's utilities on that side."""
    values: list[tuple[Number | None, Number | None]] = []
    regrets: list[tuple[Number | None, Number | None]] = []
    for player, (least, most) in enumerate(promised_bounds(game)):
        below, above = low.value[player], high.value[player]
        there = least is not None and most is not None
        values.append((None if least is None else below, None if most is None else above))
        gain = exact(low.regret[player] + below - above)
        regrets.append((max(0, gain) if there else 0, exact(high.regret[player] + above - below) if there else None))
    return Enclosure(tuple(values), tuple(regrets), opened)


def _cuts(game: Game[Any], most: int | None) -> Iterator[Cut]:
    """The game cut off after ever more positions, at most `most`."""
    for count in (many for many in INTERPRETED_POSITIONS if most is None or many <= most):
        yield _cut_by_interpreter(game, count)
    if not (game.engine.offers(UNFOLDING) and game.engine.fast):
        return
    limit = MORE[-1] if most is None else min(most, MORE[-1])
    search = game.engine.search(UNFOLDING, limit=limit, memory=game.engine.room())
    work = iter(search)
    for count in (*(many for many in MORE if many < limit), limit):
        whole = True
        with suppress(LimitReached):
            for _ in work:
                if search.nodes >= count:
                    whole = False
                    break
        yield _cut_at_opened(game, search.flat_so_far())
        if whole:
            return


def _cut_by_interpreter(game: Game[Any], most: int) -> Cut:
    """Cut the game after its first `most` positions, on the interpreter; the positions behind the cut are only asked
    whether they are ends, and where there are very many not even that."""
    turns = Sequential(game)
    walk = Walk(turns)
    known = promised_bounds(game)
    opened = {one.number: one for one in islice(walk, most)}
    greatest: dict[int, Terminal] = {}  # by the identity of the end with the least payments
    left = ASKED * most
    for number in range(len(walk.states)):
        if number not in opened:
            node = walk.node(number) if left > 0 else None
            left -= 1 if node is None else 1 + len(actions(node))
            if not isinstance(node, Terminal):
                least, highest = zip(*_bounds_at(turns, walk.states[number], known), strict=True)
                node = Terminal(tuple(end or 0 for end in least))
                greatest[id(node)] = Terminal(tuple(end or 0 for end in highest))
            opened[number] = WalkExpansion(number, node, (), ())
    low = explore(WalkedGame(turns, walk.states, opened.values()), Budget())
    nodes = tuple(greatest.get(id(node), node) for node in low.nodes)
    return low, PositionGraph(low.game, low.players, nodes, low.successors, low.sets, low.information_sets)


def _bounds_at(game: Game[Any], state: Any, known: Bounds) -> Bounds:
    """The bounds of all ends below the state; None where `known`, the bounds for the whole game, has None."""
    here = tightest_bounds(surely_at(game, state), known)
    return tuple(
        (None if least is None else low, None if most is None else high)
        for (low, high), (least, most) in zip(here, known, strict=True)
    )


class _Paying:
    """The words of a flat game, but with other payoffs for the ends whose number is `note`."""

    def __init__(self, words: Words, note: int, pays: tuple[Number, ...]):
        self.weights, self.outcomes, self.actions, self.name = words.weights, words.outcomes, words.actions, words.name
        self._of, self._note, self._pays = words.utilities, note, pays

    def utilities(self, note: int) -> tuple[Number, ...]:
        return self._pays if note == self._note else self._of(note)


def _cut_at_opened(game: Game[Any], flat: FlatGame) -> Cut:
    """The cut of the game at the positions that the compiled engine has opened."""
    unopened = 1 + max(flat.notes)
    pairs = zip(flat.kinds, flat.notes, strict=True)
    notes = array("i", (unopened if kind == UNOPENED else note for kind, note in pairs))
    kinds = bytes(TERMINAL if kind == UNOPENED else kind for kind in flat.kinds)
    low, high = (
        FlatPositions(replace(flat, kinds=kinds, notes=notes, words=_Paying(flat.words, unopened, pays)))
        for pays in (tuple(end or 0 for end in ends) for ends in zip(*promised_bounds(game), strict=True))
    )
    return low, high
