"""Dealt hands have the probabilities that counting gives, come about in one way, and need no list of outcomes."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

import gdl
from gdl.errors import GameError
from gdl.game import Chance

COUNTS = """
players Ann, Bob
state
    deck[c: 1..{kinds}]: 0..{most} = {first}
    hand[Player, 1..{kinds}]: 0..{most} visible to owner
    done: Boolean
start open
chance open
    deal {line}
    done := true
    next Ann
action stop
    done := true
terminal
    done -> draw
"""
SETS = COUNTS.replace("deck[c: 1..{kinds}]: 0..{most} = {first}", "deck: set of 1..{kinds} = 1..{kinds}").replace(
    "hand[Player, 1..{kinds}]: 0..{most}", "hand[Player]: set of 1..{kinds}"
)


def hands(game, state=None, share=Fraction(1)):
    """The probability of each way to the end, with all that the end holds."""
    state = game.initial() if state is None else state
    node = game.node(state)
    if not isinstance(node, Chance):
        return [(game.show(state), share)]
    return [
        found
        for action, probability in node.outcomes
        for found in hands(game, game.successor(state, action), share * probability)
    ]


def subsets(copies, count):
    """How many subsets of so many cards there are for each number of copies of the kinds in them."""
    cards = [kind for kind, number in enumerate(copies) for _ in range(number)]
    return Counter(tuple(sorted(chosen)) for chosen in combinations(cards, count))


STACKS = [([1, 1, 1, 1], 2), ([2, 1, 3], 3), ([3, 0, 2, 1], 4), ([2, 2], 4), ([3], 2), ([1, 4, 2, 3], 5), ([2], 0)]


@pytest.mark.parametrize(("copies", "count"), STACKS)
def test_hands_are_as_likely_as_counting_says(copies, count):
    first = "".join(f"if c = {kind} then {number} else " for kind, number in enumerate(copies, 1)) + "0"
    text = COUNTS.format(kinds=len(copies), most=max(copies), first=first, line=f"{count} from deck to hand[Bob]")
    found = hands(gdl.loads(text).game)
    expected = subsets(copies, count)
    assert len(found) == len({shown for shown, _ in found}) == len(expected)
    ways = comb(sum(copies), count)
    assert sorted(share for _, share in found) == sorted(Fraction(number, ways) for number in expected.values())


def test_several_things_go_to_what_holds_several() -> None:
    """A hand beside a place for one card is meant where two are dealt; where one is dealt, both can be meant."""
    rules = SETS.format(kinds=4, most=1, line="{} from deck to each player").replace("= 1..4", "= {1, 2, 3, 4}")
    rules = rules.replace("    done: Boolean", "    shown[Player]: (1..4)?\n    done: Boolean")
    assert gdl.loads(rules.replace("deal {}", "deal 2"), "two.game")
    with pytest.raises(GameError, match="hand and shown hold"):
        gdl.loads(rules.replace("deal {}", "deal 1"), "one.game")
