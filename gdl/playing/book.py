"""An opening book as a graph: what its positions are worth, which of them need a search next, and what to play.

1. A position is known by a digest of its cells and of whose turn it is, the least of its images under the symmetries
   that the book knows. Earlier positions do not count: in a game that asks for them nothing is proved.
2. Values are minimax values of the graph, from the estimates at its leaves; bounds that searches have proved are taken
   from position to position the same way, and stay proved. Where chance moves, the average counts (expectiminimax). A
   follower that is no farther from the start than the position itself, as where play comes back, counts by its own
   search alone.
3. A leaf is searched the later, the more plies lead to it, and the more the moves on the way give away beside the best
   ones: the least sum over all ways to it counts (drop-out expansion). What moves usually give away, the median, is
   worth DROP plies; an outcome of chance is worth a ply for each time that its probability can be doubled. What is
   proved is searched last.

Sources: Lincke, Strategies for the automatic construction of opening books, Computers and Games 2000; Buro, Toward
opening book learning, ICCA Journal 22, 1999.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from statistics import median_low
from typing import Any

from gdl.compiler.compiled_engine import by_rules, is_by_rules
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats.book import CHANCE, Book, Entry
from gdl.game import Action, Bounds, Chance, Decision, Game, Number, exact
from gdl.interpreter.closures import FIRST_CELL, MOVER
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.domains import Named, Optional, SetType, Type
from gdl.model.fingerprint import rules_fingerprint
from gdl.model.games import RulesModel
from gdl.solution import Solution
from gdl.symmetry import Symmetry, find, find_useful_symmetries, generate_group

MOST_IMAGES = 16  # symmetries under which positions share a key, at most
DROP = 6.0  # plies that a move counts as that gives away as much as the median move
NEVER = 1_000  # plies that an outcome of probability 0 counts as
PROVED = 1_000.0  # plies that a proof counts as: what is proved is searched last
UNPROVED = "the last positions of the book are only estimated"
Bound = Number | None


def require_book_game(game: Game[Any]) -> tuple[RulesGame, State]:
    """The rules and the start of a game for which there are books. Raises Refusal for other games."""
    traits, name = game.traits, clean(game.name)
    if traits.perfect_information is not True or traits.simultaneous:
        raise Refusal(f"an opening book is for games in which everything is seen, and {name} is none")
    if not traits.has_scalar_value:
        raise Refusal(f"an opening book is for one player or two of whom one gains what the other loses, not {name}")
    if not is_by_rules(game):
        raise Refusal(f"an opening book is for games by rules, and {name} is none")
    return by_rules(game)


def evaluation_of(model: RulesModel) -> str:
    """The fingerprint of a game's rules and of its evaluation; the position where it begins does not count."""
    plain = rules_fingerprint(model, with_evaluation=True)
    return plain if model.learned is None else sha256(f"{plain} {model.learned!r}".encode()).hexdigest()


def begin_book(game: Game[Any], nodes: int, seed: int, work: int) -> Book:
    """An empty book with the symmetries that play from the start can use; `nodes` and `seed` are those of its searches,
    `work` bounds the search for symmetries."""
    rules, start = require_book_game(game)
    kept = find_useful_symmetries(rules, start, find(rules.model, work).keeping, MOST_IMAGES)
    return Book(
        clean(game.name)[:200], rules_fingerprint(rules.model), evaluation_of(rules.model), nodes, seed,
        [one.to_json() for one in _generators(kept)],
    )  # fmt: skip


def _generators(group: Sequence[Symmetry]) -> Iterator[Symmetry]:
    """Symmetries of a group, chosen from the first on, that generate all of it."""
    chosen: list[Symmetry] = []
    known: set[object] = set()
    for one in group:
        if one.mark not in known:
            chosen.append(one)
            known = {other.mark for other in generate_group(chosen, MOST_IMAGES)}
            yield one


class BookKeys:
    """The keys of a game's positions: a position and its images under the book's symmetries share a key."""

    def __init__(self, rules: RulesGame, written: Sequence[Any], name: str):
        """`written`: the symmetries as the book called `name` stores them. Raises DamagedData where one is no symmetry
        of the game."""
        try:
            self._group = generate_group([_symmetry(rules.model, one) for one in written], MOST_IMAGES)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise DamagedData(f"the book {name} is damaged: its symmetries are none of {clean(rules.name)}") from None

    @property
    def images(self) -> int:
        """The number of symmetries, the identity included."""
        return len(self._group) + 1

    def of(self, state: State) -> str:
        """The key of a position: 32 hexadecimal digits."""
        least = min(map(_identifying_text, (state, *[one.image(state) for one in self._group])))
        return sha256(least.encode()).hexdigest()[:32]


def _identifying_text(state: State) -> str:
    """A text that identifies a position: the turn, the mover and the cells."""
    return repr((state.turn, state.cells[MOVER], state.cells[FIRST_CELL:]))


def _symmetry(model: RulesModel, written: Any) -> Symmetry:
    """Read a symmetry that a file states. Raises ValueError unless it permutes cells of one type and values that there
    are, and keeps the players."""
    one = Symmetry.read(written)
    types = [variable.type for variable in model.variables for _ in variable.initial]
    places = range(FIRST_CELL, FIRST_CELL + len(types))
    if sorted(one.cells) != list(places) or one.players != tuple(range(len(model.players))):
        raise ValueError
    for type, to, (many, names) in zip(types, one.cells, one.names, strict=True):
        if types[to - FIRST_CELL] != type or many != isinstance(type, SetType):
            raise ValueError
        if not names.keys() <= set(range(_size(type))) or sorted(names) != sorted(names.values()):
            raise ValueError
    return one


def _size(type: Type) -> int:
    """The number of values of a type that a symmetry may rename: 0 unless the values have names."""
    inner = type.item if isinstance(type, Optional | SetType) else type
    return len(inner.members) if isinstance(inner, Named) else 0


@dataclass(frozen=True, slots=True)
class BookValues:
    """For every position of a book: its value to the first player, proved bounds of that value (None: not known), and
    the plies from the start to it (None: no searched positions lead there)."""

    values: list[float]
    lows: list[Bound]
    highs: list[Bound]
    plies: list[int | None]


class OpenBook:
    """An opening book together with the game that it is for."""

    def __init__(self, game: Game[Any], book: Book, name: str):
        """`name` is the file's, for messages. Raises Refusal where the book is for other rules."""
        self.game, self.book, self.name = game, book, clean(name)
        self.rules, self.start = require_book_game(game)
        if book.rules != rules_fingerprint(self.rules.model):
            raise Refusal(f"the book {self.name} is of {clean(book.game)} by other rules")
        self.keys = BookKeys(self.rules, book.symmetries, self.name)
        self.place = {entry.key: at for at, entry in enumerate(book.entries)}
        self.total = exact(Fraction(game.traits.constant_sum or 0))
        # a game that asks for the past is not told by its positions: nothing is proved of them
        self.proves = not self.rules.model.times and self.start.memories is None

    @cached_property
    def worth(self) -> BookValues:
        """The values of all positions of the book, computed from its leaves up."""
        entries, plies = self.book.entries, self._plies()
        lows = [entry.low if self.proves else None for entry in entries]
        highs = [entry.high if self.proves else None for entry in entries]
        found = BookValues([entry.estimate for entry in entries], lows, highs, plies)
        for at in sorted(range(len(entries)), key=lambda at: -(plies[at] or 0)):
            if entries[at].after and plies[at] is not None:
                self._back_up_worth(found, at)
        return found

    def _plies(self) -> list[int | None]:
        entries = self.book.entries
        plies: list[int | None] = [None] * len(entries)
        level, ply = [0] if entries else [], 0
        while level:
            for at in level:
                plies[at] = ply
            following = [after for at in level for after in entries[at].after or ()]
            level = [at for at in dict.fromkeys(following) if plies[at] is None]
            ply += 1
        return plies

    def _back_up_worth(self, found: BookValues, at: int) -> None:
        """Compute the value and the bounds of position `at` from those of the positions that follow, and store them in
        `found`."""
        entry = self.book.entries[at]
        after, best = entry.after or (), _best_of(entry)
        value = best([self._follower_value(found, at, one) for one in after])
        lows, highs = [found.lows[one] for one in after], [found.highs[one] for one in after]
        low = _tighter(found.lows[at], _join_bounds(lows, entry.mover == 0, best), max)
        high = _tighter(found.highs[at], _join_bounds(highs, entry.mover == 1, best), min)
        value = value if low is None else max(value, float(low))
        found.values[at] = value if high is None else min(value, float(high))
        found.lows[at], found.highs[at] = low, high

    def _follower_value(self, found: BookValues, at: int, after: int) -> float:
        """The value of position `after` as one that follows `at`; the estimate of its own search if it lies no farther
        from the start."""
        return found.values[after] if self._is_on(found, at, after) else self.book.entries[after].estimate

    def _is_on(self, found: BookValues, at: int, after: int) -> bool:
        """True if position `after` lies farther from the start than position `at`."""
        return (found.plies[after] or 0) > (found.plies[at] or 0)

    def positions_to_search(self, count: int) -> list[int]:
        """The positions whose successors are to be searched next, in the order of their need; `count` at most."""
        entries, worth = self.book.entries, self.worth
        gaps = [
            abs(worth.values[at] - self._follower_value(worth, at, after))
            for at, entry in enumerate(entries)
            if worth.plies[at] is not None and entry.mover != CHANCE
            for after in entry.after or ()
        ]
        usual = median_low([gap for gap in gaps if gap > 0] or [1.0])
        costs = {0: 0.0} if entries else {}
        for at in sorted(range(len(entries)), key=lambda at: worth.plies[at] or 0):
            for place, after in enumerate(entries[at].after or ()) if at in costs else ():
                if self._is_on(worth, at, after):
                    lost = DROP * abs(worth.values[at] - worth.values[after]) / usual
                    cost = costs[at] + 1 + (_doublings(entries[at].shares[place]) if entries[at].shares else lost)
                    costs[after] = min(cost, costs.get(after, cost))
        leaves = [at for at in costs if entries[at].after is None and entries[at].mover >= 0]
        return sorted(leaves, key=lambda at: (costs[at] + PROVED * self.is_proved(at), at))[:count]

    def is_proved(self, at: int) -> bool:
        """True if the lower and the upper bound of a position's value are known and equal."""
        return self.worth.lows[at] is not None and self.worth.lows[at] == self.worth.highs[at]

    def damage_error(self) -> DamagedData:
        """The error for a book with moves that the game does not have."""
        return DamagedData(f"the book {self.name} is damaged: it has moves that are none")

    def invalidate_worth(self) -> None:
        """Forget the computed values, since positions were added or searched."""
        vars(self).pop("worth", None)

    # -- looking up ---------------------------------------------------------------------------------------------

    def find_entry(self, state: State) -> int | None:
        """The number of the entry from which the book has a move at a position, or at which chance moves; None if there
        is none."""
        at = self.place.get(self.keys.of(state))
        if at is None:
            return None
        entry, node = self.book.entries[at], self.rules.node(state)
        if isinstance(node, Chance):
            return at if entry.mover == CHANCE else None
        known = entry.after is not None or (entry.reply and (at == 0 or self.is_proved(at)))
        return at if known and isinstance(node, Decision) and node.player == entry.mover else None

    def move(self, state: State) -> Action | None:
        """The action that the book plays at a position; None if it has no move there."""
        at = self.find_entry(state)
        return None if at is None else next(self._best(state, at), None)

    def _best(self, state: State, at: int) -> Iterator[Action]:
        """The actions at a position whose successors the book knows, the best first; none where chance moves."""
        node = self.rules.node(state)
        if not isinstance(node, Decision):
            return
        wanted = self._rank_followers(at)
        others: dict[str, list[Action]] = {}
        for action in node.actions:
            key = self.keys.of(self.rules.successor(state, action))
            if key == wanted[0]:
                yield action
            else:
                others.setdefault(key, []).append(action)
        for key in wanted[1:]:
            yield from others.pop(key, ())

    def _rank_followers(self, at: int) -> list[str]:
        """The keys of the positions after entry `at`, the best for the mover first. Among equal ones come first those
        that are proved, then those farther from the start, then the one that the entry's own search chose."""
        entry, worth, entries = self.book.entries[at], self.worth, self.book.entries
        if not entry.after:
            return [entry.reply]

        def order(after: int) -> tuple[float, bool, bool, bool]:
            seen = self._follower_value(worth, at, after) * (-1 if entry.mover == 0 else 1)
            goes_on, replies = self._is_on(worth, at, after), entries[after].key == entry.reply
            return seen, not self.is_proved(after), not goes_on, not replies

        return [entries[after].key for after in dict.fromkeys(sorted(entry.after, key=order))]

    def solution(self, state: State) -> Solution | None:
        """The book's answer for a position; None if it has neither a move nor a chance move there."""
        at = self.find_entry(state)
        if at is None:
            return None
        proved, low, high = self.is_proved(at), self.worth.lows[at], self.worth.highs[at]
        first: Number | float = low if proved and low is not None else self.worth.values[at]
        best = list(self._best(state, at))
        if not best and self.book.entries[at].mover != CHANCE:
            return None
        interval = self._interval(low, high) if not proved and (low is not None or high is not None) else None
        return Solution(
            self.game.name, "book", self.game.players, self.game.traits,
            exact=proved, value=self._everyone(first), interval=interval, best=self._as_good(state, at, best),
            line=self._line(state), notes=(self._effort(),), limit=None if proved else UNPROVED,
        )  # fmt: skip

    def _as_good(self, state: State, at: int, best: list[Action]) -> tuple[Action, ...]:
        """The best action, and all that are proved to be as good."""
        if not best or not self.is_proved(at):
            return tuple(best[:1])

        def is_as_good(action: Action) -> bool:
            after = self.place.get(self.keys.of(self.rules.successor(state, action)))
            return after is not None and self.is_proved(after) and self.worth.lows[after] == self.worth.lows[at]

        return tuple(dict.fromkeys([best[0], *filter(is_as_good, best)]))

    def _effort(self) -> str:
        return f"by a book of {len(self.book.entries):,} positions, each searched with {self.book.nodes:,} nodes"

    def _everyone(self, first: Number | float) -> tuple[Number | float, ...]:
        if len(self.game.players) == 1:
            return (first,)
        other = float(self.total) - first if isinstance(first, float) else exact(Fraction(self.total) - first)
        return (first, other)

    def _interval(self, low: Bound, high: Bound) -> Bounds:
        """The proved bounds of each player's value, from those of the first player's (None: not known)."""
        if len(self.game.players) == 1:
            return ((low, high),)
        of_other = [None if bound is None else exact(Fraction(self.total) - bound) for bound in (high, low)]
        return ((low, high), (of_other[0], of_other[1]))

    def _line(self, state: State) -> tuple[Action, ...]:
        """The book's moves from a position on, until it has none or comes back to a position."""
        line: list[Action] = []
        met: set[str] = set()
        while (action := self.move(state)) is not None and (key := self.keys.of(state)) not in met:
            met.add(key)
            line.append(action)
            state = self.rules.successor(state, action)
        return tuple(line)


def _best_of(entry: Entry) -> Callable[[list[Any]], Any]:
    """The function from the values of all positions that follow to the value of their predecessor: the average at a
    move of chance, else the best for the mover."""
    if entry.mover == CHANCE:
        return lambda worths: sum(share * worth for share, worth in zip(entry.shares, worths, strict=True))
    return max if entry.mover == 0 else min


def _doublings(share: Number) -> int:
    """The number of times that a probability can be doubled without exceeding 1; NEVER for 0."""
    return int(1 / share).bit_length() - 1 if share else NEVER


def _join_bounds(bounds: list[Bound], one_is_enough: bool, best: Callable[..., Number]) -> Bound:
    """The lower (or upper) bound of a position from those of all that follow, None where they are not known. If
    `one_is_enough`, since the mover pushes the value that way, the known ones suffice; else all must be known."""
    known = [bound for bound in bounds if bound is not None]
    return best(known) if known and (one_is_enough or len(known) == len(bounds)) else None


def _tighter(one: Bound, other: Bound, tighter: Callable[..., Number]) -> Bound:
    if one is None or other is None:
        return one if other is None else other
    return tighter(one, other)
