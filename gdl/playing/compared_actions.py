"""Several lines at once, as UCI's MultiPV and searchmoves ask for them: each action is searched by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import monotonic, sleep

from gdl.game import Action
from gdl.playing.protocol import LEAST_SECONDS, Info, ThinkingLimits

USUAL = 1.0  # seconds for all actions together, where nobody sets a limit
SHARES = (0.1, 0.9)  # of the time: for a first look at every action, and for a longer one
MOST_ROUNDS = 24  # of an endless search, each twice as long as the one before: they last for weeks
SLEEP = 0.01  # seconds between two looks whether to stop

Search = Callable[[Action, ThinkingLimits], tuple[Info | None, bool]]  # the findings; True if it was stopped


class ComparedActions:
    """The actions at a position, compared by a `search` of each. After each round `tell` gets the findings about the
    best ones, `lines` at most, best first."""

    def __init__(self, actions: Sequence[Action], search: Search, lines: int, tell: Callable[[Info], None]):
        self._actions, self._search, self._lines, self._tell = actions, search, lines, tell
        self._known: dict[Action, Info] = {}

    def run(self, wanted: ThinkingLimits, is_hit: Callable[[], bool], stops: Callable[[bool], bool]) -> Action:
        """Search in rounds until the work that was wanted is done or somebody says stop, and return the best action.
        `is_hit` tells if the expected move was played, after which pondering ends; `stops` tells if somebody says stop,
        and gets True if nothing else would end the search."""
        began = monotonic()

        def waits() -> bool:
            return wanted.infinite or (wanted.ponder and not is_hit())

        for limits in self._rounds(wanted):
            before = monotonic()
            if self._look_once(limits):
                return self._by_merit()[0]
            if limits.seconds is not None and monotonic() - before < limits.seconds * len(self._actions) / 2:
                break  # all is decided
            if not waits() and (wanted.infinite or wanted.ponder) and monotonic() - began >= (wanted.seconds or USUAL):
                break
        while waits() and not stops(True):
            sleep(SLEEP)
        return self._by_merit()[0]

    def _rounds(self, wanted: ThinkingLimits) -> Iterator[ThinkingLimits]:
        """The limits for the search of each action, round by round."""
        among = len(self._actions)
        if wanted.depth or wanted.nodes:
            yield ThinkingLimits(
                wanted.depth and max(1, wanted.depth - 1), wanted.nodes and max(1, wanted.nodes // among)
            )
            return
        lasting = wanted.infinite or wanted.ponder
        seconds = USUAL if lasting or wanted.seconds is None else wanted.seconds
        for share in (SHARES[0] * 2.0**k for k in range(MOST_ROUNDS)) if lasting else SHARES:
            yield ThinkingLimits(seconds=max(LEAST_SECONDS, share * seconds / among))

    def _look_once(self, limits: ThinkingLimits) -> bool:
        """Search each action once within the limits, and report the best ones. Returns True if the search was
        stopped."""
        stopped = False
        for action in self._actions:
            info, stopped = self._search(action, limits)
            if info is not None:
                self._known[action] = info
            if stopped:
                break
        for rank, action in enumerate(self._by_merit()[: self._lines], 1):
            if action in self._known:
                self._tell(self._known[action]._replace(rank=rank))
        return stopped

    def _by_merit(self) -> list[Action]:
        """The actions, the best first: wins in few moves, then scores, then losses in many; among equals in the order
        of the file."""

        def merit(action: Action) -> tuple[float, float]:
            info = self._known.get(action, Info())
            score = float("-inf") if info.score is None else info.score
            return score, 1 / info.mate if info.mate else 0.0

        return sorted(self._actions, key=merit, reverse=True)
