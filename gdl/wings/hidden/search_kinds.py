"""The kinds of compiled searches of this wing, by which a game's engine is asked for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.game import SearchKind

if TYPE_CHECKING:
    from gdl.wings.hidden.possible_plays import PossiblePlays
    from gdl.wings.hidden.sampling import Sampling
    from gdl.wings.hidden.simulations import Simulations


def _sampling() -> type[Sampling]:
    from gdl.wings.hidden.sampling import Sampling

    return Sampling


def _simulations() -> type[Simulations]:
    from gdl.wings.hidden.simulations import Simulations

    return Simulations


def _possible_plays() -> type[PossiblePlays]:
    from gdl.wings.hidden.possible_plays import PossiblePlays

    return PossiblePlays


MCCFR: SearchKind[..., Sampling] = SearchKind("mccfr", _sampling, remembers=True)
WHOLE_PLAYS: SearchKind[..., Sampling] = SearchKind("mccfr from the start", _sampling, remembers=True)
INFORMATION_SETS: SearchKind[..., Simulations] = SearchKind("information sets", _simulations, remembers=True)
POSSIBLE_PLAYS: SearchKind[..., PossiblePlays] = SearchKind("possible plays", _possible_plays, remembers=True)
