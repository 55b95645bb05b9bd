"""Games of clauses that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from gdl.environments.steppable import Steppable
from gdl.interpreter.clauses import ClausesGame


class SteppableClauses(Steppable, ClausesGame):
    """A game in Stanford's Game Description Language."""
