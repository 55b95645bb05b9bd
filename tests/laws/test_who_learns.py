"""Card games whose moves everyone hears, or nobody, against small programs with the same rules and nothing else in
common: numbers of information sets, and values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest
from places import LANGUAGE, ROOT

import gdl
from gdl.game import Number
from gdl.solvers import solve
from gdl.states import count

TRICKS = (ROOT / "games" / "three_tricks.game").read_text(encoding="utf-8")
LOVE_LETTER = (LANGUAGE / "love_letter.game").read_text(encoding="utf-8")
WHO_DID_IT = (LANGUAGE / "who_did_it.game").read_text(encoding="utf-8")


def information_sets(text: str) -> dict[str, int]:
    return dict(count.histories(gdl.loads(text).game).infosets)


def without_public(text: str) -> str:
    return text.replace(" public\n", " unseen\n")


# ---- Three tricks: everything is known once the cards are dealt --------------------------------------------------

Card = tuple[int, int]  # suit and rank


def tricks(hands: list[frozenset[Card]], led: Card | None, mover: int, won: list[int], turns: list[int]) -> int:
    """The number of tricks that Ann gets with best play; `turns` counts those of each player."""
    if not any(hands):
        return 1 if won[0] > won[1] else -1
    turns[mover] += 1
    suit = [card for card in hands[mover] if led and card[0] == led[0]]
    values = []
    for card in suit or hands[mover]:
        left = [hand - {card} for hand in hands]
        if led is None:
            values.append(tricks(left, card, 1 - mover, won, turns))
            continue
        winner = mover if card[0] == led[0] and card > led else 1 - mover
        after = [number + (player == winner) for player, number in enumerate(won)]
        values.append(tricks(left, None, winner, after, turns))
    return max(values) if mover == 0 else min(values)


@pytest.mark.thorough
def test_three_tricks():
    pack = frozenset((suit, rank) for suit in range(2) for rank in range(3))
    turns, values = [0, 0], []
    for ann in map(frozenset, combinations(sorted(pack), 3)):
        values.append(tricks([ann, pack - ann], None, 0, [0, 0], turns))
    assert information_sets(TRICKS) == {"Ann": turns[0], "Bob": turns[1]} == {"Ann": 434, "Bob": 492}
    assert solve(gdl.loads(TRICKS).game).value[0] == Fraction(sum(values), len(values)) == Fraction(3, 5)
    assert information_sets(without_public(TRICKS)) == {"Ann": 314, "Bob": 468}


# ---- Who did it: what was asked, and by whom, is all that can be known -------------------------------------------

Known = tuple[object, ...]


def plays() -> Iterator[tuple[int, list[tuple[int, Known, int]], int]]:
    """Every play: of how many equal ones of chance, the turns (who, what they know, what they do), and Ann's utility."""
    for ann in combinations(range(5), 2):
        for bob in combinations(sorted(set(range(5)) - set(ann)), 2):
            (guilty,) = set(range(5)) - {*ann, *bob}
            for a, b, c, d in ((a, b, c, d) for a in range(5) for b in range(5) for c in range(5) for d in range(5)):
                turns = [
                    (0, (ann,), a),
                    (1, (bob, a), b),
                    (0, (ann, a, a in bob, b), c),
                    (1, (bob, a, b, b in ann, c), d),
                ]
                yield 30, turns, (c == guilty) - (d == guilty)


class Form:
    """The sequence form of plays (Koller, Megiddo and von Stengel 1996)."""

    def __init__(self, plays: Iterator[tuple[Fraction, list[tuple[int, Known, object]], Number]]):
        self.sequences: tuple[dict[Known, int], ...] = ({(): 0}, {(): 0})  # of a player, by the last turn
        self.sets: tuple[dict[Known, int], ...] = ({}, {})  # information set -> the sequence that leads there
        self.members: defaultdict[tuple[int, Known], set[int]] = defaultdict(set)
        self.payoff: defaultdict[tuple[int, int], Number] = defaultdict(int)
        for chance, turns, utility in plays:
            ends = [0, 0]
            for player, known, action in turns:
                self.sets[player].setdefault(known, ends[player])
                own = self.sequences[player]
                ends[player] = own.setdefault((known, action), len(own))
                self.members[player, known].add(ends[player])
            self.payoff[ends[0], ends[1]] += chance * utility

    @property
    def infosets(self) -> dict[str, int]:
        return {"Ann": len(self.sets[0]), "Bob": len(self.sets[1])}

    def value(self, highspy) -> float:
        return best(highspy, self.sequences, self.sets, self.members, self.payoff)


@pytest.mark.slow
def test_who_did_it():
    highspy = pytest.importorskip("highspy")
    form = Form((Fraction(1, ways), turns, utility) for ways, turns, utility in plays())
    assert information_sets(WHO_DID_IT) == form.infosets == {"Ann": 410, "Bob": 2050}
    assert form.value(highspy) == pytest.approx(-4 / 27, abs=1e-7)
    assert solve(gdl.loads(WHO_DID_IT).game).value[0] == Fraction(-4, 27)
    assert information_sets(without_public(WHO_DID_IT)) == {"Ann": 90, "Bob": 90}
    assert solve(gdl.loads(without_public(WHO_DID_IT)).game).value == (0, 0)


def best(highspy, sequences, sets, members, payoff) -> float:
    """The most that Ann can make sure of: weights of her sequences, and the worth to her of each set of Bob's."""
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    infinity = highspy.kHighsInf
    weights = [model.addVariable(0, 1) for _ in sequences[0]]
    worth = {known: model.addVariable(-infinity, infinity) for known in sets[1]}
    root = model.addVariable(-infinity, infinity)
    model.addConstr(weights[0] == 1)
    for known, before in sets[0].items():
        model.addConstr(sum(weights[s] for s in members[0, known]) == weights[before])
    below = defaultdict(list)
    for known, before in sets[1].items():
        below[before].append(worth[known])
    gains = defaultdict(list)
    for (mine, theirs), amount in payoff.items():
        gains[theirs].append(float(amount) * weights[mine])
    for known, names in [((), {0}), *((known, members[1, known]) for known in sets[1])]:
        for sequence in names:
            left = root if known == () else worth[known]
            model.addConstr(left <= sum(gains[sequence]) + sum(below[sequence]) + 0 * root)
    model.maximize(root)
    return float(model.getInfo().objective_function_value)


# ---- Love letter: a guess, a look, a comparison, and what they tell ------------------------------------------------

GUARD, PRIEST, BARON, PRINCESS = range(4)


def letters(
    pack: tuple[int, ...], hands: list[tuple[int, ...]], mover: int, chance: Fraction, known: list[tuple[object, ...]],
    turns: list[tuple[int, Known, object]],
) -> Iterator[tuple[Fraction, list[tuple[int, Known, object]], Number]]:  # fmt: skip
    """All plays from a turn on, before the card is drawn; `known` is what each player has seen and heard."""
    if len(pack) == 1:
        mine, yours = hands[0][0], hands[1][0]
        yield chance, turns, (mine > yours) - (mine < yours)
        return
    for card in sorted(set(pack)):
        left = list(pack)
        left.remove(card)
        drawn = chance * Fraction(pack.count(card), len(pack))
        hand = tuple(sorted((*hands[mover], card)))
        knows = [(*told, ("draws", card)) if p == mover else told for p, told in enumerate(known)]
        for played in sorted(set(hand)):
            rest = list(hand)
            rest.remove(played)
            for guess in (PRIEST, BARON, PRINCESS) if played == GUARD else (None,):
                theirs = hands[1 - mover][0]
                loser = None
                if played == GUARD and guess == theirs:
                    loser = 1 - mover
                elif played == PRINCESS or (played == BARON and rest[0] < theirs):
                    loser = mover
                elif played == BARON and rest[0] > theirs:
                    loser = 1 - mover
                done = [*turns, (mover, knows[mover], (played, guess))]
                if loser is not None:
                    yield drawn, done, 1 if loser == 1 else -1
                    continue
                after = [(*told, (mover, played, guess)) for told in knows]
                if played == PRIEST:
                    after[mover] = (*after[mover], ("sees", theirs))
                both = [tuple(rest) if p == mover else hands[p] for p in (0, 1)]
                yield from letters(tuple(left), both, 1 - mover, drawn, after, done)


def dealt() -> Iterator[tuple[Fraction, list[tuple[int, Known, object]], Number]]:
    pack = [GUARD, GUARD, GUARD, PRIEST, BARON, PRINCESS]
    for ann, bob in product(range(6), repeat=2):
        if ann != bob:
            rest = tuple(card for place, card in enumerate(pack) if place not in (ann, bob))
            yield from letters(rest, [(pack[ann],), (pack[bob],)], 0, Fraction(1, 30), [(pack[ann],), (pack[bob],)], [])


@pytest.mark.thorough
def test_love_letter():
    form = Form(dealt())
    assert information_sets(LOVE_LETTER) == form.infosets
    assert solve(gdl.loads(LOVE_LETTER).game).value[0] == Fraction(17, 60)
    highspy = pytest.importorskip("highspy")
    assert form.value(highspy) == pytest.approx(17 / 60, abs=1e-7)
