"""Coalitions: what each of them secures, the Shapley value and the core, worked out anew.

The worth of a coalition is that of the game of zero sum against the others together (von Neumann and Morgenstern
1944). The Shapley value is counted over the orders of arrival (Shapley 1953).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

from gdl.errors import DamagedData
from gdl.game import Number, exact
from gdl.wings.verify.case import VerifierCase, found_once
from gdl.wings.verify.claim import amounts, read_amount, read_amounts, same, same_all
from gdl.wings.verify.linear import greatest_mean, has_positive_weights, matrix_game
from gdl.wings.verify.plans import plans_of
from gdl.wings.verify.verdict import Finding, Unchecked

MOST_PLAYERS = 7  # the most players whose orders of arrival are gone through
LARGEST_MATRIX = 4_000  # the most cells of a coalition's game against the others

Members = frozenset[str]


def check_worths(case: VerifierCase) -> Iterator[Finding]:
    """Every coalition is listed, and secures the worth that the answer says."""
    if "coalitions" not in case.claim.data:
        return
    claimed = _read_coalitions(case)
    for members, worth in claimed.items():
        actual = coalition_secures(case, members)
        if not same(worth, actual):
            names = ", ".join(player for player in case.game.players if player in members)
            yield Finding(False, ("coalitions",), f"{names} secure {actual}, and the answer says {worth}")
            return
    if case.claim.exact and len(claimed) != 2 ** len(case.game.players) - 1:
        yield Finding(False, ("coalitions",), "a coalition is not listed")
        return
    yield Finding(True, ("coalitions", "concept"), f"what {len(claimed)} coalitions secure")


def _read_coalitions(case: VerifierCase) -> dict[Members, Number | float]:
    found: dict[Members, Number | float] = {}
    for one in case.claim.data["coalitions"]:
        members = frozenset(one["players"])
        in_order = [player for player in case.game.players if player in members]
        if not members or list(one["players"]) != in_order or members in found:
            raise DamagedData("the answer's coalitions are no sets of players, each once, in their order")
        found[members] = read_amount(one["value"], "coalitions")
    return found


def worths_of_parts(case: VerifierCase) -> dict[Members, Number]:
    """The worths of all coalitions but that of all players."""
    players = case.game.players
    sets = [frozenset(one) for size in range(1, len(players)) for one in combinations(players, size)]
    return {one: coalition_secures(case, one) for one in sets}


@found_once
def coalition_secures(case: VerifierCase, members: Members) -> Number:
    """The worth of a coalition: the most that its members can secure on average, in sum, against all others
    together."""
    plans, players = plans_of(case), case.game.players
    own = [p for p, player in enumerate(players) if player in members]
    others = [p for p in range(len(players)) if p not in own]
    if not others:
        return exact(max(Fraction(sum(vector)) for vector in plans.table.values()))
    rows, columns = (list(product(*(range(len(plans.of[p])) for p in side))) for side in (own, others))
    if len(rows) * len(columns) > LARGEST_MATRIX:
        raise Unchecked("what coalitions secure: the table is too large for it")

    def wins(row: tuple[int, ...], column: tuple[int, ...]) -> Fraction:
        chosen = dict(zip([*own, *others], [*row, *column], strict=True))
        vector = plans.table[tuple(chosen[p] for p in range(len(players)))]
        return sum((Fraction(vector[p]) for p in own), Fraction(0))

    return exact(matrix_game([[wins(row, column) for column in columns] for row in rows])[0])


def check_shapley(case: VerifierCase) -> Iterator[Finding]:
    """The answer's value and its Shapley value are what each player adds on average over all orders of arrival."""
    players = case.game.players
    if case.claim.value is None:
        return
    if len(players) > MOST_PLAYERS:
        raise Unchecked(f"the orders of arrival of more than {MOST_PLAYERS} players are not counted")
    total, orders = dict.fromkeys(players, Fraction(0)), 0
    for order in permutations(players):
        orders += 1
        before: Number = 0
        for k, player in enumerate(order):
            worth = coalition_secures(case, frozenset(order[: k + 1]))
            total[player] += worth - before
            before = worth
    value = [exact(total[player] / orders) for player in players]
    said = f"the Shapley value is {amounts(players, value)}"
    yield Finding(same_all(case.in_order(case.claim.value), value), ("value",), said)
    if "shapley" in case.claim.data:
        claimed = read_amounts(case.claim.data["shapley"], "shapley")
        yield Finding(same_all(case.in_order(claimed), value), ("shapley",), said)


def check_core(case: VerifierCase) -> Iterator[Finding]:
    """The core is empty just if the answer says so, its margin is the greatest, and its point gives every coalition its
    worth. That no shares have a greater margin is proved by weights of coalitions (Bondareva 1963)."""
    if "core" not in case.claim.data:
        return
    if "coalitions" not in case.claim.data or len(_read_coalitions(case)) != 2 ** len(case.game.players) - 1:
        raise Unchecked("the answer does not list all coalitions")
    told = case.claim.data["core"]
    margin = read_amount(told["margin"], "core")
    players = case.game.players
    worths = worths_of_parts(case)
    everything = coalition_secures(case, frozenset(players))
    best = _greatest_margin(case, worths, everything) if worths else 0
    yield Finding(
        same(margin, best), ("core",), f"by the best shares every coalition is {best} above its worth, or more"
    )
    yield Finding(told.get("empty") is (best < 0), ("core",), f"the core is {'empty' if best < 0 else 'not empty'}")
    if set(told) != ({"empty", "margin"} if best < 0 else {"empty", "margin", "point"}) or None in told.values():
        yield Finding(False, ("core",), "the core has a point just if it is not empty")
    elif "point" in told:
        share = read_amounts(told["point"], "core")
        whole = set(share) == set(players) and sum(Fraction(x) for x in share.values()) == everything
        fair = whole and all(sum(Fraction(share[p]) for p in members) >= worth for members, worth in worths.items())
        said = "the shares give out what all win together, and every coalition what it secures"
        yield Finding(fair, ("core",), said)


def _greatest_margin(case: VerifierCase, worths: Mapping[Members, Number], everything: Number) -> Number:
    """The greatest margin by which shares of `everything` can exceed the worth of every coalition, found as the dual of
    the least core: of balanced weights of coalitions, those by which the coalitions lack the most on average, beside
    equal shares."""
    shares = [Fraction(everything) * len(members) / len(case.game.players) for members in worths]
    lacks = [worth - share for worth, share in zip(worths.values(), shares, strict=True)]
    found = greatest_mean(lacks, uneven_covers(case.game.players, list(worths)))
    assert found is not None  # equal weights of the players alone are balanced
    return exact(-found)


def uneven_covers(players: Sequence[str], sets: Sequence[Members]) -> list[list[Fraction]]:
    """Rows that weights of these sets sum to 0 just if they are balanced, so that the sets of each player weigh as much
    together; otherwise one is above 0: how much more each player's sets weigh than on average, and how much less."""
    more = [[(player in one) - Fraction(len(one), len(players)) for one in sets] for player in players]
    return [*more, *([-x for x in row] for row in more)]


# The nucleolus, by Kohlberg's criterion: shares are the nucleolus just if, at every level, the coalitions that are at
# least so discontented are balanced, so that no transfer between the players leaves none of them worse off and one
# better.
#
# Worths where players who join win no less than apart are what coalitions secure, so that no player has to be given
# what they secure alone besides (Kohlberg, On the nucleolus of a characteristic function game, 1971).


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
    said, ok = "transfers would make the least contented coalitions more content", False
    if set(shares) == whole and sum(shares.values()) == coalition_secures(case, whole):
        lacks = {one: worth - sum(shares[p] for p in one) for one, worth in worths_of_parts(case).items()}
        levels = ([one for one, lack in lacks.items() if lack >= level] for level in set(lacks.values()))
        ok = all(has_positive_weights(uneven_covers(players, level)) for level in levels)
    if ok:
        said = f"the nucleolus is {amounts(players, [shares[p] for p in players])}"
    yield Finding(ok, ("nucleolus",), said)
