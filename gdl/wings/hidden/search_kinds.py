"""The kinds of compiled searches of this wing, by which a game's engine is asked for one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from gdl.game import SearchKind
from gdl.wings import load

if TYPE_CHECKING:
    from gdl.wings.hidden.possible_plays import PossiblePlays
    from gdl.wings.hidden.sampling import Sampling
    from gdl.wings.hidden.simulations import Simulations


def _remembering_kind(name: str, target: str) -> SearchKind[..., Any]:
    """A kind whose searches begin with what players remember; `target` names their class, which is imported when one is
    asked for."""
    return SearchKind(name, partial(load, f"gdl.wings.hidden.{target}"), remembers=True)


MCCFR: SearchKind[..., Sampling] = _remembering_kind("mccfr", "sampling:Sampling")
WHOLE_PLAYS: SearchKind[..., Sampling] = _remembering_kind("mccfr from the start", "sampling:Sampling")
INFORMATION_SETS: SearchKind[..., Simulations] = _remembering_kind("information sets", "simulations:Simulations")
POSSIBLE_PLAYS: SearchKind[..., PossiblePlays] = _remembering_kind("possible plays", "possible_plays:PossiblePlays")
