"""Counterfactual regrets by samples, of any game: the reference implementation of gdl/wings/hidden/kernels/sampling.py.

Its steps are told there. With the same seed it draws the same as the kernel and finds the same numbers, wherever an
outcome of chance has one name and nobody acts at once with others who come after them in a long traversal. An
information set is what the game says that its mover knows, compared in full.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from dataclasses import dataclass
from math import inf, prod
from typing import Any, Literal

from gdl.errors.deadline import CLOCK
from gdl.game import Chance, Decision, Game, Terminal, require_number
from gdl.states.random_numbers import Generator as RandomNumbers
from gdl.states.random_numbers import draw_outcome
from gdl.states.sequential import Sequential
from gdl.states.tally import PayoffMeans, means_from_sums

FRAMES = 64  # decisions of the traverser, one below the other, all of whose actions are looked at; at most
PLIES = 1000  # of a play at most; a longer one pays the price of endless play
LARGE = 100_000  # plies of a traversal that is too long; an eighth of it once there are fewer levels
SLICE = 1_000  # plies between two looks at the clock
SECONDS = 0.05  # after which a slice ends early, where rules are slow
NOBODY = -1

Phase = Literal["before", "within", "behind", "random"]
Mode = Literal["learning", "local", "plays"]


@dataclass
class InfosetRegrets:
    """Sums over samples for an information set, one number per action: regrets, weights of the average strategy, and
    gains. `name` is the set's name in answers."""

    player: int
    name: str
    regret: list[float]
    average: list[float]
    gain: list[float]


class _TraversalTooLong(Exception):
    """A traversal looks at every action of too many decisions to end soon."""


class ExternalSampling:
    """Regrets and average strategies of the information sets that samples have met. Iterating over it does the work
    asked for last, slice by slice."""

    def __init__(self, game: Game[Any], seed: int, large: int = LARGE):
        self.game = game if game.traits.simultaneous is False else Sequential(game)
        self.rows: dict[tuple[int, Hashable], InfosetRegrets] = {}
        self.iterations = 0
        self.nodes = 0  # the number of traversals and plays done
        self.full = False
        self._large = large
        self._random = RandomNumbers(seed)
        self._start = self.game.initial()
        self._levels, self._longest = FRAMES, 0
        self._wanted = self._wanted_plies = inf
        self._total = 0
        self._mode: Mode = "learning"
        self._traverser = 0
        self._plies: Iterator[None] | None = None  # of the traversals that have begun
        self._phase: Phase = "before"
        self._state: Any = None
        # Numbers of actions, by frame: decisions on the way here all of whose actions are looked at.
        self._counts: list[int] = []
        self._skipped = self._ply = self._own = self._spent = self._deepest = 0
        self._paid: list[float] = []  # at the last end
        self._sums: list[list[float]] = []

    @property
    def sets(self) -> int:
        """The number of information sets that were met."""
        return len(self.rows)

    # -- what is to be done -----------------------------------------------------------------------------------------

    def learn(self, iterations: int | None = None, plies: int | None = None) -> None:
        """Ask for learning until `iterations` or at least `plies` are done; without end if both are None."""
        self._wanted, self._wanted_plies = (inf if most is None else most for most in (iterations, plies))

    def look_for_gains(self, plies: int | None = None) -> None:
        """Ask for the gain of each action, if everybody plays the average strategies after it."""
        self._turn_to("local", 0)
        self.learn(None, plies)

    def play(self, count: int | None, deviating: int = NOBODY) -> None:
        """Ask for `count` plays by the average strategies (None: without end). The `deviating` player, if there is one,
        takes the actions with the greatest gains."""
        self._turn_to("plays", deviating)
        self.learn(count)
        self._sums = [[0.0] * len(self.game.players), [0.0] * len(self.game.players)]

    def _turn_to(self, mode: Mode, traverser: int) -> None:
        self._mode, self._traverser, self._plies = mode, traverser, None
        self.iterations = self._total = 0

    def sampled_payoffs(self) -> PayoffMeans:
        """The mean payoffs of the plays so far."""
        return means_from_sums(self.iterations, *self._sums)

    def first_average(self, player: int) -> tuple[float, ...] | None:
        """The average strategy at the start, up to a scale; None if the player's information set there was never
        met."""
        row = self.rows.get((player, self.game.information_set(self._start, player)))
        return None if row is None else tuple(row.average)

    # -- traversals -------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[None]:
        if self._plies is None:
            self._plies = self.traversals()
        due = CLOCK.now() + SECONDS
        for count, _ in enumerate(self._plies, 1):
            if count % SLICE == 0 or CLOCK.now() > due:
                yield
                due = CLOCK.now() + SECONDS
        self._plies = None

    def traversals(self) -> Iterator[None]:
        """The plies of one traversal or play after the other, until the work asked for is done."""
        while self.iterations < self._wanted and self._total < self._wanted_plies:
            self._state = self._start
            self._ply = self._own = self._spent = self._deepest = self._skipped = 0
            self._counts = []
            self._phase = "behind" if self._mode == "plays" else "before"
            if self._phase == "before" and self._levels < self._longest:
                self._skipped = self._random.draw_below(self._longest)
            try:
                yield from self._traverse()
            except _TraversalTooLong:
                continue
            finally:
                if self._is_too_long():  # it is begun again if it was not done
                    self._levels, self._longest = self._deepest // 2, 0
            self._add_to_sums(self._paid)  # once the play counts, wherever work is broken off
            self.nodes += 1
            if self._mode != "plays":
                self._traverser = (self._traverser + 1) % len(self.game.players)
            self.iterations += self._mode == "plays" or self._traverser == 0

    def _traverse(self) -> Generator[None, None, float]:
        """Play on from the present state to an end, or to a decision of which every action is looked at, one after the
        other. Returns what the traverser is paid there."""
        while True:
            if self._is_too_long():
                raise _TraversalTooLong
            self._spent += 1
            self._total += 1
            node, paid, chosen = self.game.node(self._state), None, None
            if isinstance(node, Terminal) or self._ply >= PLIES:
                price = self.game.promises.forever or (0,) * len(self.game.players)
                paid = [float(require_number(u)) for u in (node.utilities if isinstance(node, Terminal) else price)]
                self._paid = paid
            elif isinstance(node, Chance):
                self._do(node.outcomes[draw_outcome(node, self._random)][0])
            else:
                assert isinstance(node, Decision)
                chosen = self._decide(node)
                if isinstance(chosen, int):
                    self._do(node.actions[chosen])
            yield
            if paid is not None:
                return paid[self._traverser]
            if isinstance(node, Decision) and isinstance(chosen, InfosetRegrets):
                here, worths = (self._state, self._ply, self._own), []
                for action in node.actions:
                    (self._state, self._ply, self._own), self._phase = here, "within"
                    self._do(action)
                    worths.append((yield from self._traverse()))
                self._counts.pop()
                return self._learn(chosen, worths)

    def _is_too_long(self) -> bool:
        """True if this traversal has become too long, or after a sixteenth of that has so many leaves that it must."""
        most = self._large if self._levels == FRAMES else self._large // 8
        if self._deepest <= 1 or self._spent <= most // 16:
            return False
        return self._spent > most or prod(self._counts) > most // 2

    def _do(self, action: str) -> None:
        self._state = self.game.successor(self._state, action)
        self._ply += 1

    def _add_to_sums(self, paid: list[float]) -> None:
        """Add up what a play pays, and its squares."""
        if self._mode == "plays":
            for player, x in enumerate(paid):
                self._sums[0][player] += x
                self._sums[1][player] += x * x

    def _learn(self, row: InfosetRegrets, worths: list[float]) -> float:
        """Step 3: add to regrets, or gains, what each action is worth beyond the decision. Returns the decision's
        value."""
        shares, total = self._shares(row)
        value = 0.0
        for share, worth in zip(shares, worths, strict=True):
            value += worth * share / total if total > 0 else worth / float(len(worths))
        weight = float(self.iterations + 1)
        for k, worth in enumerate(worths):
            if self._mode == "local":
                row.gain[k] += worth - value
            else:
                row.regret[k] += weight * (worth - value)
        return value

    # -- choosing ---------------------------------------------------------------------------------------------------

    def _row(self, node: Decision) -> tuple[InfosetRegrets | None, bool]:
        """The information set of the mover, and True if it is new. A new set is made only while learning; otherwise
        None stands for it."""
        place = node.player, self.game.information_set(self._state, node.player)
        row, count = self.rows.get(place), len(node.actions)
        if row is not None or self._mode != "learning":
            return row, row is None
        name = self.game.describe(self._state, node.player)
        row = self.rows[place] = InfosetRegrets(node.player, name, [0.0] * count, [0.0] * count, [0.0] * count)
        return row, True

    def _shares(self, row: InfosetRegrets) -> tuple[list[float], float]:
        """The strategy at an information set, up to a scale, and its sum; a sum of 0 means that all actions are equally
        likely."""
        shares = [max(x, 0.0) for x in (row.regret if self._mode == "learning" else row.average)]
        total = 0.0
        for share in shares:
            total += share
        return shares, total

    def _decide(self, node: Decision) -> int | InfosetRegrets:
        """The number of the action that the mover takes; or the numbers of the information set, where the traverser
        looks at every action."""
        count = len(node.actions)
        if self._phase == "random":
            return self._random.draw_below(count)
        if count == 1:
            return 0
        row, new = self._row(node)
        if self._mode == "plays":
            if node.player == self._traverser and row is not None and max(row.gain) > 0:
                return row.gain.index(max(row.gain))
            return self._draw_action(row, count)
        if node.player == self._traverser:
            self._own += 1
            self._longest = max(self._longest, self._own)
            if self._phase == "before" and self._skipped > 0 and not new:
                self._skipped -= 1
                return self._random.draw_below(count)
            if self._phase != "behind" and len(self._counts) < self._levels and row is not None:
                self._counts.append(count)
                self._deepest = max(self._deepest, len(self._counts))
                return row
            self._phase = "behind"
        elif self._phase in ("before", "within"):
            # The player after the traverser in turn adds the present strategy to the average, while learning.
            after = (self._traverser + 1) % len(self.game.players)
            if node.player == after and self._mode == "learning":
                self._add_average(row)
        if new and self._phase == "before":
            self._skipped = 0
        elif new and self._phase == "behind":
            self._phase = "random"
        return self._draw_action(row, count)

    def _add_average(self, row: InfosetRegrets | None) -> None:
        """Step 4: add the present strategy at an information set to its average."""
        assert row is not None
        shares, total = self._shares(row)
        weight = float(self.iterations + 1)
        for k, share in enumerate(shares):
            row.average[k] += weight * share / total if total > 0 else weight / float(len(shares))

    def _draw_action(self, row: InfosetRegrets | None, count: int) -> int:
        """Draw the number of an action by the strategy; evenly where there is none."""
        shares, total = ([], 0.0) if row is None else self._shares(row)
        if total <= 0:
            return self._random.draw_below(count)
        at, last = self._random.bits() / 2147483648.0 * total, 0
        for k, share in enumerate(shares):
            if share > 0:
                if at < share:
                    return k
                at -= share
                last = k
        return last
