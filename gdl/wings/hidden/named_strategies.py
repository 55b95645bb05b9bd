"""Strategies by the names of information sets, beside the memories that walks of best replies meet.

A walk stops at each new memory of a player whose strategy it follows. Its name is made from that of the memory before
it, from what has been heard and done since, and from what the player sees in the present state. So the strategies that
samples have found can be listed, as far as walks have met them, and a strategy with names can be walked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from gdl.errors import LimitReached
from gdl.game import Action, Decision, Number, Simultaneous, exact
from gdl.interpreter.memory import NOTHING, Told
from gdl.solution import Profile
from gdl.solvers.budget import Budget, promised_bounds
from gdl.wings.hidden.sampling import NOBODY, PARTS, Sampling

MOST_LISTED = 50_000  # information sets
Meet = Callable[[int, str, tuple[Action, ...], int], None]  # player, name, actions, and number of the memory


class MemoryNames:
    """The names of the memories that walks of a search meet; `meet` is called for each where there is a choice."""

    def __init__(self, search: Sampling, meet: Meet):
        self.search, self.meet = search, meet
        self._told: dict[int, Told] = {}
        self._actions: dict[int, tuple[Action, ...]] = {}  # by memory: what its player can do there
        self._texts: list[str] = []
        search.naming = self._name
        known = int(search.module["tuple_count"][0])
        search.module["named"][:known] = bytes(known)

    def _name(self, number: int) -> None:
        search, game = self.search, self.search.game
        words, memorist, begun = search.tuple(number), game.memorist, game.initial().memories
        (acted, player), before = divmod(words[0], len(game.players)), words[1]
        state = search.state_of(search.module["s"])
        view = search.player_view(state, player)
        if before < 0:
            assert begun is not None
            told = memorist.text_and_view((view, ()), begun[player], game.tells_turns)
        else:
            if len(self._texts) < len(search.heard):
                self._texts = list(search.heard)
            end = 3 + words[2]
            texts = tuple(map(self._texts.__getitem__, words[3:end]))
            action = self._actions[before][acted - 1] if acted else None
            entry = action, texts, view if len(words) > end else None
            told = memorist.extend_text(self._told[before], entry, game.tells_turns)
        self._told[number] = told
        node = game.node(state) if state.turn < 0 or state.turn == player else None
        if isinstance(node, Decision | Simultaneous):
            actions = node.actions[player] if isinstance(node, Simultaneous) else node.actions
            self._actions[number] = actions
            if len(actions) > 1:
                self.meet(player, told[0] or NOTHING, actions, number)


def list_strategies(search: Sampling, sharpness: Sequence[float], budget: Budget) -> Profile | None:
    """The sharpened average strategies at the information sets that best replies and the strategies themselves meet;
    None if these are too many, or there is no time. A walk does not look behind cuts: what is done there does not
    matter to what it has proved."""
    game = search.game
    listed: dict[str, dict[str, dict[str, Number]]] = {player: {} for player in game.players}

    def meet(player: int, name: str, actions: tuple[Action, ...], number: int) -> None:
        average = search.average(number) or ()
        most = max(average, default=0.0)
        shares = [int(x / most * PARTS + 0.5) if x >= sharpness[player] * most else 0 for x in average] if most else [1]
        mixture = {a: exact(Fraction(n, sum(shares))) for a, n in zip(actions, shares, strict=False) if n}
        listed[game.players[player]][name] = mixture
        if sum(map(len, listed.values())) > MOST_LISTED:
            raise LimitReached("too many information sets")

    MemoryNames(search, meet)
    try:
        for replier, (_, most) in [*enumerate(promised_bounds(game)), (NOBODY, (0, 0))]:
            search.walk(replier, sharpness, float(most or 0))
            if search.end_walk(budget) is None:
                return None
    except LimitReached:
        return None
    finally:
        search.naming = None
    return listed
