"""The last expansions of states: asked for again and again, since successors are taken from them."""

from __future__ import annotations

from collections import OrderedDict

from gdl.errors import limits
from gdl.interpreter.state import RulesExpansion, State
from gdl.model.games import RulesModel

WIDE = 10_000  # successors of a state whose expansion is kept apart,
WIDE_ONES = 2  # and how many of these are
KEPT = 40_000  # successors, made or not, of the states whose expansions are in memory; fewer where states are large


class ExpansionCache:
    """Expansions by their states, the oldest dropped. One of very many successors does not drive out all others, nor
    they it."""

    def __init__(self, model: RulesModel):
        self.most = min(KEPT, limits.CELLS // max(1, sum(len(variable.initial) for variable in model.variables)))
        self._kept: OrderedDict[State, RulesExpansion] = OrderedDict()
        self._wide: dict[State, RulesExpansion] = {}
        self._successors = 0  # of those kept

    def of(self, state: State) -> RulesExpansion | None:
        return self._kept.get(state) or (self._wide.get(state) if self._wide else None)

    def keep(self, state: State, expansion: RulesExpansion) -> None:
        if len(expansion.options) > WIDE:
            self._wide[state] = expansion
            if len(self._wide) > WIDE_ONES:
                del self._wide[next(iter(self._wide))]
            return
        self._kept[state] = expansion
        self._successors += 1 + len(expansion.options)
        while self._successors > self.most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._successors -= 1 + len(oldest.options)
