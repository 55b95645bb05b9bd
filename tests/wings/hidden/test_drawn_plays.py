"""Positions that are possible for all that a player knows: drawn by what must come about, and until a deadline."""

from collections import Counter, defaultdict
from itertools import islice
from random import Random

import pytest
from pytest import approx
from shipped import loaded

import gdl
from gdl.game import Chance, Decision, Terminal, actions
from gdl.states.explore import moves
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential, Turn
from gdl.wings.hidden.drawn_plays import PlayDrawer

DEALT = """
players Ann, Bob
state
    deck: set of 1..{cards} = those c in 1..{cards}: true visible to none
    hand[Player]: set of 1..{cards} visible to owner
    over: Boolean
start open
chance open
    deal {each} from deck to each player
    next Bob
action stop
    over := true
terminal
    over -> draw
"""


def dealt(cards, each):
    """Plays to what may be the case when Bob moves, after a deal in which Ann gets the first cards that chance offers."""
    turns = Sequential(gdl.loads(DEALT.format(cards=cards, each=each)).game)
    state = turns.initial()
    while isinstance(node := turns.node(state), Chance):
        state = turns.successor(state, actions(node)[0])
    return turns, PlayDrawer(Possible(turns, state, 1))


def test_plays_that_fail_teach_what_must_not_come_before():
    """Ann is dealt her cards before Bob: by trial one play in 1,001 leaves his four of fourteen."""
    _, drawer = dealt(14, 4)
    random = Random(1)
    found = [drawer.draw(random) is not None for _ in range(60)]
    assert sum(found[30:]) > 10


def test_drawn_positions_have_the_weights_that_counting_gives():
    turns, drawer = dealt(9, 2)
    random, weights = Random(2), Counter()
    for _ in range(300):
        if (found := drawer.draw(random)) is not None:
            weights[turns.describe(found[0], 0)] += found[1]
    assert len(weights) == 21  # Ann's two of the seven that Bob does not hold
    halves = Counter()
    for hand, weight in weights.items():
        halves["={1," in hand] += weight / weights.total()  # the lowest of the seven, if she has it
    assert halves[True] == approx(2 / 7, abs=0.08)


def test_nothing_is_drawn_once_the_time_is_over():
    _, drawer = dealt(8, 3)
    drawer.possible.deadline = 0.0
    assert drawer.possible.all() is None
    assert drawer.draw(Random(1)) is None
    assert not [*drawer.walk(Random(1), 10_000)]


def positions(name, seed):
    """The decisions of a random play."""
    turns, random = Sequential(loaded(name).game), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision):
            yield turns, state, node.player
            state = turns.successor(state, random.choice(node.actions))
        else:
            state = turns.successor(state, random.choice(node.outcomes)[0])


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", ["kuhn", "cheat", "liars_dice", "leduc", "blind_tic_tac_toe", "beer_quiche"])
def test_what_is_drawn_has_its_weight(name):
    for turns, state, player in positions(name, 2):
        possible = Possible(turns, state, player)
        belief = possible.all()
        assert belief is not None
        drawn: dict[Turn, float] = defaultdict(float)
        random, drawer = Random(1), PlayDrawer(possible)
        for _ in range(1500):
            if found := drawer.draw(random):
                drawn[found[0]] += found[1] / 1500
        assert set(drawn) <= set(belief.weights)
        for turn, weight in belief.weights.items():
            assert drawn[turn] == pytest.approx(weight, abs=0.05, rel=0.25)


SUITS = """
game "Suits"
players Ann, Bob
type Suit = hearts, spades
type Card = record(suit: Suit, rank: 1..{ranks})
state
    deck: set of Card visible to none
    hand[Player]: set of Card visible to owner
    table: Card?
    taken[Player]: 0..26
    rounds: 0..2
start give
chance give
    deck := {{c in Card}}
    deal {each} from deck to each player
    next Ann
action play(c: hand[mover]) as "{{c.suit}} {{c.rank}}" when (
        table = none or c.suit = table.suit or not exists d in hand[mover]: d.suit = table.suit) public
    hand[mover] := hand[mover] - {{c}}
    if table = none
        table := c
        next other(mover)
    else
        let wins = c.suit = table.suit and c.rank > table.rank
        let w = if wins then mover else other(mover)
        taken[w] := taken[w] + 1
        table := none
        if hand[mover] = {{}}
            rounds := rounds + 1
            if rounds < 2
                next give
            else
                next w
        else
            next w
terminal
    rounds = 2 -> taken[Ann] - taken[Bob]
"""


PASSED = """
game "Passed"
players Ann, Bob, Eve
type Suit = hearts, spades
type Card = record(suit: Suit, rank: 1..{ranks})
state
    deck: set of Card visible to none
    hand[Player]: set of Card visible to owner
    aside[Player]: set of Card visible to owner
    table: Card?
    count: 0..100
start give
chance give
    deck := {{c in Card}}
    for p in Player
        deal {each} from deck to hand[p]
    next Ann
action pass(c: hand[mover]) when count < {passes}
    hand[mover] := hand[mover] - {{c}}
    aside[mover] := aside[mover] + {{c}}
    count := count + 1
    if count = {passes}
        for p in Player
            hand[after(p)] := hand[after(p)] + aside[p]
        for p in Player
            aside[p] := {{}}
action play(c: hand[mover]) as "{{c.suit}} {{c.rank}}" when count >= {passes} and (
        table = none or c.suit = table.suit or not exists d in hand[mover]: d.suit = table.suit) public
    hand[mover] := hand[mover] - {{c}}
    table := c
    count := count + 1
terminal
    count >= {passes} and forall p in Player: hand[p] = {{}} -> each p: if table.rank = 1 and p = Ann then 1 else 0
"""


def own_decisions(text, seed, player):
    """The decisions of a player, with more than one action, in a random play; and at each a drawer that goes on with
    what it concluded before."""
    turns, random = Sequential(gdl.loads(text).game), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision) and node.player == player and len(node.actions) > 1:
            possible = Possible(turns, state, player)
            yield possible, PlayDrawer(possible, keeps=True)
        state = turns.successor(state, random.choice(moves(node)))


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        (SUITS.format(ranks=4, each=3), 0),
        pytest.param(SUITS.format(ranks=4, each=3), 2, marks=pytest.mark.thorough),
        pytest.param(PASSED.format(ranks=4, each=2, passes=3), 1, marks=pytest.mark.thorough),
    ],
)
def test_hands_are_drawn_with_their_weights(text, seed):
    """Two of eight cards are left over, and whoever does not follow suit has none of it; then all is dealt anew, or
    each player has passed on a card."""
    for possible, drawer in own_decisions(text, seed, 1):
        belief = possible.all(1_000_000)
        assert belief is not None
        drawn: dict[Turn, float] = defaultdict(float)
        random = Random(seed)
        for _ in range(400):
            found = drawer.draw(random)
            assert found is not None  # what fails teaches at once what must be drawn
            drawn[found[0]] += found[1]
        assert set(drawn) <= set(belief.weights)
        for turn, weight in belief.weights.items():
            share = weight / sum(belief.weights.values())
            assert drawn[turn] / sum(drawn.values()) == approx(share, abs=0.06, rel=0.3)


def test_hands_of_thirteen_are_drawn_at_once():
    """Of 27 cards whose places are hidden each play shows one more; three positions are found within 4,000 looks."""
    decisions = list(own_decisions(SUITS.format(ranks=20, each=13), 3, 1))
    assert len(decisions) > 15
    for possible, drawer in decisions:
        before = possible.looked_at
        found = [drawer.draw(Random(1)) for _ in range(3)]
        assert all(each is not None for each in found)
        assert possible.looked_at - before < 4_000
        assert possible.game.information_set(found[0][0], 1) == possible.known


def test_cards_passed_on_unseen_are_where_they_are_played():
    """Each passes three of thirteen to the next: who plays a card was dealt it, or the player before them was."""
    for possible, drawer in own_decisions(PASSED.format(ranks=20, each=13, passes=9), 3, 1):
        found = [drawer.draw(Random(1)) for _ in range(3)]
        assert all(each is not None for each in found)
        assert possible.game.information_set(found[0][0], 1) == possible.known


TRICKS = """
game "Tricks"
players Ann, Bob

state
    deck: sequence of 1..14 up to 14 = 1..14 visible to none
    hand[Player]: set of 1..14 visible to owner
    led: 1..14?
    tricks[Player]: 0..4

start
    next deal

chance deal
    shuffle(deck)
    for p in Player
        for i in 1..4
            hand[p] := hand[p] + {last(deck)}
            pop(deck)
    next Ann

action play(c: hand[mover])
    hand[mover] := hand[mover] - {c}
    if led = none
        led := c
        next other(mover)
    else
        if c > led
            tricks[mover] := tricks[mover] + 1
            next mover
        else
            tricks[other(mover)] := tricks[other(mover)] + 1
            next other(mover)
        led := none

terminal
    size(deck) < 14 and hand[Ann] = {} and hand[Bob] = {} -> tricks[Ann] - tricks[Bob]
"""


@pytest.mark.thorough
def test_deals_of_many_cards_are_met_by_changes_of_a_play():
    """Of 14! orders of a deck one in a thousand gives a player the cards that they hold, so none is drawn by chance."""
    game = Sequential(gdl.loads(TRICKS, "tricks.game").game)
    dice, state = Random(5), game.initial()
    while not isinstance(game.node(state), Terminal):
        node = game.node(state)
        if isinstance(node, Decision) and len(node.actions) in (2, 4):
            possible = Possible(game, state, node.player)
            assert possible.all() is None
            met = set(islice(PlayDrawer(possible).walk(Random(1), 200_000), 10))
            known = game.information_set(state, node.player)
            assert len(met) > 3 and all(game.information_set(each, node.player) == known for each in met)
            assert all(game.node(each).actions == node.actions for each in met)
        state = game.successor(state, dice.choice(moves(node)))
