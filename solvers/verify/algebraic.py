"""Irrational probabilities as an answer writes them: the only root of a polynomial between two ends.

That there is but one is counted by Sturm's theorem; the probability that is listed is to be that root, to as many
digits as a float has. How near the listed probabilities are to an equilibrium is said by their regret.

Source: Sturm 1829; Basu, Pollack and Roy, Algorithms in Real Algebraic Geometry, theorem 2.62.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gdl.game import Number
from gdl.solution import Profile
from gdl.solvers.verify.case import VerifierCase
from gdl.solvers.verify.claim import read_amount
from gdl.solvers.verify.sturm import Polynomial, changes, sturm_chain, value_at
from gdl.solvers.verify.verdict import Finding, Unchecked

CLOSE = Fraction(1, 10**11)  # how near a listed probability is to the root that it stands for
LARGEST = 8_000  # number of coefficients times bits of the longest one, at most


def check_algebraic(case: VerifierCase) -> Iterator[Finding]:
    """Every number listed under `algebraic` is well described: its polynomial has just one root between the ends, and
    that root is the probability in the profile."""
    told = case.claim.data.get("algebraic")
    if told is None:
        return
    profiles: Sequence[Profile] = case.claim.equilibria or [p for p in (case.claim.strategy,) if p is not None]
    if len(told) != len(profiles):
        yield Finding(False, ("algebraic",), "there are not as many lists of irrational probabilities as profiles")
        return
    for own, profile in zip(told, profiles, strict=True):
        for player, roots in own.items():
            for action, root in roots.items():
                wrong = _fault(root, [row[action] for row in profile.get(player, {}).values() if action in row])
                if wrong is not None:
                    yield Finding(False, ("algebraic",), f"{player}, {action}: {wrong}")
                    return
    for own, raw in zip(told, case.claim.data.get("equilibria", ()), strict=False):
        left = [player for player in raw if own and decimals(raw[player]) - own.get(player, {}).keys()]
        if left:
            yield Finding(False, ("algebraic",), f"what stands for a decimal of {left[0]} is not said")
            return
    yield Finding(True, ("algebraic",), "each is the only root between its ends, and the probability that is listed")


def decimals(part: Mapping[str, Any]) -> set[str]:
    """The names under which decimals stand: in mixtures, the actions whose probabilities are written so."""
    inner = (decimals(own) for own in part.values() if isinstance(own, Mapping))
    return {name for name, number in part.items() if isinstance(number, float)}.union(*inner)


def _fault(root: Mapping[str, Any], listed: Sequence[Number]) -> str | None:
    """The fault of a described root, in words; None if there is none."""
    form = [*map(int, root["polynomial"])]
    low, high = (Fraction(read_amount(end, "algebraic")) for end in root["interval"])
    if len(form) < 2 or not form[-1] or low > high:
        return "no polynomial, or no interval"
    if len(form) * max(number.bit_length() for number in form) > LARGEST:
        raise Unchecked("the roots of so large a polynomial are not counted")
    chain = sturm_chain(form)
    count = changes(chain, low) - changes(chain, high) + (not value_at(form, low))
    if count != 1:
        return f"{count} roots between the ends"
    if not any(_is_near(chain, low, high, Fraction(number)) for number in listed):
        return "the root is not the probability that is listed"
    return None


def _is_near(chain: Sequence[Polynomial], low: Fraction, high: Fraction, number: Fraction) -> bool:
    """True if the root between `low` and `high`, known to be the only one, is close to the number."""
    left, right = max(low, number - CLOSE), min(high, number + CLOSE)
    return left <= right and (changes(chain, left) > changes(chain, right) or not value_at(chain[0], left))
