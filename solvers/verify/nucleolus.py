"""The nucleolus, by Kohlberg's criterion: shares are the nucleolus just if, at every level, the coalitions that are at
least so discontented are balanced, so that no transfer between the players leaves none of them worse off and one
better.

Worths where players who join win no less than apart are what coalitions secure, so that no player has to be given what
they secure alone besides (Kohlberg, On the nucleolus of a characteristic function game, 1971).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.claim import read_amounts
from gdl.solvers.verify.coalitions import MOST_PLAYERS, Members, coalition_secures, uneven_covers, worths_of_parts
from gdl.solvers.verify.linear import has_positive_weights
from gdl.solvers.verify.numbers import amounts
from gdl.solvers.verify.verdict import Finding, Unchecked


def check_nucleolus(case: VerifierCase) -> Iterator[Finding]:
    """The stated shares are the nucleolus: they give out what all players secure together, and at each level the least
    contented coalitions are balanced."""
    if "nucleolus" not in case.claim.data:
        return
    players = case.game.players
    if len(players) > MOST_PLAYERS:
        raise Unchecked(f"the coalitions of more than {MOST_PLAYERS} players are not looked through")
    shares = {who: Fraction(share) for who, share in read_amounts(case.claim.data["nucleolus"], "nucleolus").items()}
    whole = frozenset(players)
    ok = set(shares) == whole and sum(shares.values()) == coalition_secures(case, whole)
    if ok:
        lacks = {one: worth - sum(shares[p] for p in one) for one, worth in worths_of_parts(case).items()}
        levels = sorted(set(lacks.values()), reverse=True)
        ok = all(is_balanced(players, [one for one, lack in lacks.items() if lack >= level]) for level in levels)
        said = f"the nucleolus is {amounts(players, [shares[p] for p in players])}"
    yield Finding(
        ok, ("nucleolus",), said if ok else "transfers would make the least contented coalitions more content"
    )


def is_balanced(players: Sequence[str], sets: Sequence[Members]) -> bool:
    """True if weights above 0 of these sets are balanced: the sets of each player weigh as much together."""
    return has_positive_weights(uneven_covers(players, sets))
