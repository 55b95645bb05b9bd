"""The verifier's checks of the concept, in its own code."""

from collections.abc import Iterator

from gdl.game import Terminal
from gdl.states.explore import explore
from gdl.wings.verify.case import VerifierCase, VerifierCheck
from gdl.wings.verify.verdict import Finding


def check_best_ends(case: VerifierCase) -> Iterator[Finding]:
    """The value is the best end of each player."""
    paid = [node.utilities for node in explore(case.game).nodes if isinstance(node, Terminal)]
    most = {player: max(end[number] for end in paid) for number, player in enumerate(case.game.players)}
    yield Finding(case.claim.value == most, ("value",), "nobody gets more in any end")


CHECKS = (VerifierCheck(check_best_ends, ("value",)),)
