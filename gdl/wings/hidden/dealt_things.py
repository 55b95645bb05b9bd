"""Plays to what is possible for a player where sets are dealt unseen, as the cards of other hands are: who has what is
drawn first, as a whole, and play follows it.

1. A deal is a run of the chance steps of a line `deal`. Deals from one store, until a thing comes again, are a pool:
   each of its things is in one of these deals, or was left.
2. What the player sees or hears at a ply names things. A thing that the player sees dealt is in that deal; one that
   another plays is in a deal to them.
3. Where another holds what they played, and may not play it in the play that is drawn, they have nothing of what they
   may play there: they would have had to play it.
4. Whoever may play a thing that another was dealt, and did something with unseen, got it from them: of that deal, so
   many things are passed on.
5. A pool is drawn evenly from all ways to deal it that agree with 2. to 4.: any one way, changed by many exchanges of
   two things (a symmetric Markov chain, by which all ways are equally likely in the long run).

2. to 4. are concluded from plays that fail, and may be too strict where rules are unusual: each position that is drawn
is possible, but some that are possible may never be drawn. Where no way to deal is left, none is drawn.

Source: Ginsberg, GIB: Imperfect information in a computationally challenging game, Journal of Artificial Intelligence
Research 14, 2001, section 2 (deals that agree with what was played).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from gdl.analysis.traits import everyone_moves, forgets
from gdl.checker.deals import DEALS
from gdl.errors.deadline import CLOCK
from gdl.game import Action, Chance, Decision
from gdl.interpreter.bodies import FIRST_STEP
from gdl.interpreter.memory import HIDDEN, goes_on
from gdl.interpreter.rulebook import Option
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model import core
from gdl.model.domains import Named, Optional, Range, SetType, Type
from gdl.model.games import Rule
from gdl.states.game_wrapper import innermost_game
from gdl.states.possible import Possible

LONGEST = 10_000  # plies of a play that is drawn
EXCHANGES = 4  # exchanges of two things for each thing of a pool
SETTLED = 20  # plays that all come to one position where a pool begins, before it is taken for certain
HOPELESS = 3  # times that what was concluded left no way to deal, before no more plays are drawn

Thing = tuple[Hashable, Any]  # its kind and its value


@dataclass(eq=False)
class Deal:
    """So many things that a run of chance steps from a ply on deals, and that come to the receivers alone: dealt to
    them, or dealt to another who passed them on at these plies, unseen by the rest."""

    begin: int
    size: int
    receivers: frozenset[int]
    plies: set[int] = field(default_factory=set)


LEFT = Deal(-1, 0, frozenset())  # stands for what is not dealt


@dataclass
class Pool:
    """Deals from one store; all the things that were met there; and what was concluded of these: the deals that a thing
    is in one of, and those that it is in none of."""

    source: Hashable
    deals: list[Deal] = field(default_factory=list)
    things: set[Thing] = field(default_factory=set)
    among: dict[Thing, frozenset[Deal]] = field(default_factory=dict)
    never: dict[Thing, frozenset[Deal]] = field(default_factory=dict)

    def draw(self, random: Random) -> dict[Thing, Deal] | None:
        """The deal of each thing, drawn evenly; None if there is no way to deal them."""
        room = {deal: deal.size for deal in self.deals}
        room[LEFT] = len(self.things) - sum(room.values())
        things = sorted(self.things, key=lambda thing: thing[1])
        allowed = {
            thing: [d for d in room if d in self.among.get(thing, room) and d not in self.never.get(thing, ())]
            for thing in things
        }
        found = _assign_deals(allowed, room, random)
        if found is not None:
            for _ in range(EXCHANGES * len(things)):
                one, other = random.choice(things), random.choice(things)
                if found[other] in allowed[one] and found[one] in allowed[other]:
                    found[one], found[other] = found[other], found[one]
        return found

    def add_passed(self, deal: Deal, ply: int, receiver: int) -> bool:
        """Note that one more thing of a deal comes to a receiver at a ply. False if this is not new."""
        passed = [d for d in self.deals if d.begin == deal.begin and d.plies and receiver in d.receivers]
        if any(ply in d.plies for d in self.deals if d.begin == deal.begin):
            return False
        if not passed:
            passed = [Deal(deal.begin, 0, frozenset([receiver]))]
            self.deals += passed
        passed[0].plies.add(ply)
        passed[0].size, deal.size = passed[0].size + 1, deal.size - 1
        self.among, self.never = {}, {}  # which were concluded as if nothing came from elsewhere
        return True

    def is_kept(self, thing: Thing, player: int) -> bool:
        """True if a thing is in none but deals to the player."""
        return all(player in deal.receivers for deal in self.among.get(thing, [LEFT]))

    def put_among(self, things: Sequence[Thing], deals: Sequence[Deal]) -> bool:
        """Conclude that each of these things is in one of the deals. False if this is not new."""
        before = dict(self.among)
        for thing in things:
            self.among[thing] = self.among.get(thing, frozenset(deals)) & frozenset(deals) or self.among[thing]
        return self.among != before

    def keep_from(self, things: Sequence[Thing], deals: Sequence[Deal]) -> bool:
        """Conclude that none of these things is in any of the deals, unless it must be. False if this is not new."""
        before = dict(self.never)
        for thing in things:
            if not self.among.get(thing, frozenset([LEFT])) <= frozenset(deals):
                self.never[thing] = self.never.get(thing, frozenset()) | frozenset(deals)
        return self.never != before


def _assign_deals(
    allowed: Mapping[Thing, Sequence[Deal]], room: Mapping[Deal, int], random: Random
) -> dict[Thing, Deal] | None:
    """For each thing one of the deals that are allowed, with no more things in each than it has room for; None if that
    cannot be (augmenting paths)."""
    held: dict[Deal, list[Thing]] = {deal: [] for deal in room}
    found: dict[Thing, Deal] = {}
    for thing in random.sample([*allowed], len(allowed)):
        came: dict[Deal, tuple[Thing, Deal | None]] = {}  # by deal: a thing that may come there, and what it leaves
        waiting: list[tuple[Thing, Deal | None]] = [(thing, None)]
        free: Deal | None = None
        while waiting and free is None:
            moved, home = waiting.pop(0)
            for deal in random.sample(allowed[moved], len(allowed[moved])):
                if deal not in came:
                    came[deal] = moved, home
                    waiting += [(other, deal) for other in held[deal]]
                    free = deal if len(held[deal]) < room[deal] else free
        if free is None:
            return None
        while free is not None:
            moved, home = came[free]
            held[free].append(moved)
            found[moved], free = free, home
            if home is not None:
                held[home].remove(moved)
    return found


@dataclass
class Lessons:
    """Conclusions from plays that failed, of use as long as the player's memory goes on from the one known."""

    known: Any
    pools: dict[int, Pool] = field(default_factory=dict)  # by the ply at which a deal begins
    agreeing: dict[int, frozenset[Action] | None] = field(default_factory=dict)  # by ply: what agreed; None: all did
    names: dict[Action, frozenset[Thing]] = field(default_factory=dict)  # by name of an action: the things it plays
    hopeless: int = 0
    starts: dict[int, tuple[State, int]] = field(default_factory=dict)  # by ply: where a pool began, and how often
    settled: tuple[int, State] | None = None  # a ply and the position to which, it seems, all plays come
    countless: bool = False  # True once there were too many possible positions to find them all

    def for_another(self, known: Any, player: int) -> Lessons:
        """The conclusions that another player may draw likewise: all but which things this player was dealt."""
        made = replace(self, known=known, pools={}, agreeing={}, starts={}, settled=None)
        copies: dict[int, Pool] = {}
        for ply, pool in self.pools.items():
            own = {deal for deal in pool.deals if player in deal.receivers}
            among = {thing: deals for thing, deals in pool.among.items() if not deals <= own}
            made.pools[ply] = copies.setdefault(id(pool), replace(pool, among=among, never=dict(pool.never)))
        return made


class _Failed(Exception):
    """Raised when a play does not lead to what is possible; `taught` is True if something was concluded from it."""

    def __init__(self, taught: bool):
        super().__init__()
        self.taught = taught


@dataclass
class _Play:
    """A play that is being drawn: the ply and the position, the weight, the deal that each thing is in, the pools of
    the deals begun, things that others did something with unseen, with the ply and the player, the positions where
    pools began, and the things still to be dealt in the present deal."""

    ply: int
    state: State
    weight: float = 1.0
    deals: dict[Thing, Deal] = field(default_factory=dict)
    begun: dict[int, Pool] = field(default_factory=dict)
    moved: dict[Thing, tuple[int, int]] = field(default_factory=dict)
    starts: dict[int, State] = field(default_factory=dict)
    due: list[Thing] = field(default_factory=list)


class DealtPlays:
    """Draws plays to the positions that are possible for a player in a game by rules that deals sets."""

    def __init__(self, possible: Possible, game: RulesGame, lessons: Lessons):
        self.possible, self.game, self.lessons = possible, game, lessons
        self.player = possible.player
        _, self.entries = lessons.known
        self._seen = self._things_seen()

    def draw(self, random: Random) -> tuple[State, float] | None:
        """A position that may be the case, and its weight; None if a play fails and nothing is concluded from it, or
        the time is over."""
        while CLOCK.now() <= self.possible.deadline:
            ply, state = self.lessons.settled or (0, self.game.initial())
            play = _Play(ply, state)
            try:
                self._play_on(play, random)
            except _Failed as failed:
                if not failed.taught:
                    return None
            else:
                self._note_starts(play)
                return play.state, play.weight
        return None

    def _play_on(self, play: _Play, random: Random) -> None:
        """Draw a play on to a position that may be the case. Raises _Failed."""
        while play.state.turn != self.possible.mover or self._entries_in(play.state) < len(self.entries):
            if play.ply > LONGEST or CLOCK.now() > self.possible.deadline:
                raise _Failed(False)
            self.possible.looked_at += 1
            rule = _dealing_rule(self.game, play.state)
            if rule is not None:
                self._deal_next(play, rule, random)
            else:
                self._choose_next(play, random)
            play.ply += 1

    def _entries_in(self, state: State) -> int:
        """How many entries the player's memory has."""
        assert state.memories is not None
        return len(state.memories[self.player][1])

    def _agreeing_successor(self, state: State, option: Option) -> State | None:
        """The position after an option; None if it does not agree with what the player knows."""
        self.possible.looked_at += 1
        after, length = self.game.plies.after_option(state, option), self._entries_in(state)
        assert after.memories is not None
        new = after.memories[self.player][1][length:]
        return after if new == self.entries[length : length + len(new)] else None

    def _note_starts(self, play: _Play) -> None:
        """Note where pools began, and the last position there to which all plays came."""
        for ply, state in play.starts.items():
            before, times = self.lessons.starts.get(ply, (state, 0))
            times = times + 1 if before == state and times >= 0 else -1
            self.lessons.starts[ply] = state, times
            if times >= SETTLED:
                self.lessons.settled = ply, state

    # ---- Deals --------------------------------------------------------------------------------------------------

    def _deal_next(self, play: _Play, rule: Rule, random: Random) -> None:
        """Deal the next thing, as it was drawn where the pool began. Raises _Failed."""
        state, plies = play.state, self.game.plies
        if self._cell_of("last", rule, state) is None:
            self._begin_deal(play, random)
        if not play.due or self.game.ending(state) is not None:
            raise _Failed(False)
        thing = play.due.pop(0)
        outcomes = plies.own.book.of_rule(rule, list(state.cells), plies.past_after(state))
        dealt = next((option for option, weight in outcomes if weight and _thing_dealt(rule, option) == thing), None)
        after = None if dealt is None else self._agreeing_successor(state, dealt)
        if after is None:
            raise _Failed(False)
        play.state = after

    def _begin_deal(self, play: _Play, random: Random) -> None:
        """Draw who has what if a pool begins, and conclude from what the player sees of a deal what is in it."""
        pools, ply, length = self.lessons.pools, play.ply, self._entries_in(play.state)
        if ply not in pools:
            self._find_deals(play, random)
            raise _Failed(True)
        pool = play.begun[ply] = pools[ply]
        if ply == min(deal.begin for deal in pool.deals):
            play.starts |= {ply: play.state} if len(play.begun) > 1 else {}
            found = pool.draw(random)
            if found is None:
                pool.never.clear()
                self.lessons.hopeless += 1
                raise _Failed(self.lessons.hopeless < HOPELESS)
            play.deals |= found
        here = [deal for deal in pool.deals if deal.begin == ply]
        if self.player in here[0].receivers:
            last = min(length + sum(deal.size for deal in here), len(self._seen))
            seen = [self._seen[n] & pool.things for n in range(length, last)]
            if pool.put_among([thing for things in seen if len(things) == 1 for thing in things], here):
                raise _Failed(True)
        play.due = sorted((thing for thing in pool.things if play.deals.get(thing) in here), key=lambda thing: thing[1])

    def _find_deals(self, play: _Play, random: Random) -> None:
        """Go on by chance alone, as far as it goes, to find which deals come, to whom, and of what."""
        ply, state, begun = play.ply, play.state, dict(play.begun)
        gone = {thing for thing, deal in play.deals.items() if deal.begin in begun}
        while isinstance((expansion := self.game.expand_state(state)).node, Chance) and ply <= LONGEST:
            rule, options = _dealing_rule(self.game, state), [*expansion.options.values()]
            option = random.choice(options)
            if rule is not None:
                things = [_thing_dealt(rule, option) for option in options]
                if self._cell_of("last", rule, state) is None:
                    alike = [pool for pool in begun.values() if pool.source == _source_of(rule)]
                    new = not alike or not gone.isdisjoint(things)
                    pool = begun[ply] = self.lessons.pools[ply] = Pool(_source_of(rule)) if new else alike[-1]
                    gone = set() if new else gone
                    dealt = self.game.plies.after_option(state, option)
                    receivers = self._find_receivers(state, dealt, _thing_dealt(rule, option))
                    pool.deals.append(Deal(ply, self._cell_of("number", rule, state), receivers))
                pool.things.update(things)
                gone.add(_thing_dealt(rule, option))
            state, ply = self.game.plies.after_option(state, option), ply + 1

    def _find_receivers(self, before: State, after: State, thing: Thing) -> frozenset[int]:
        """The players into whose view a thing came between two positions."""
        players = range(len(self.game.players))
        return frozenset(player for player in players if thing in self._things_got(player, before, after))

    def _cell_of(self, word: str, rule: Rule, state: State) -> Any:
        """The value that a deal keeps in the state: the `number` of things that are left to it, or the `last` of them
        (None before the first)."""
        return state.cells[next(v.place for v in self.game.model.variables if v.name == f"{word}.{rule.name}")]

    # ---- Choices of players, and other chance -------------------------------------------------------------------

    def _choose_next(self, play: _Play, random: Random) -> None:
        """Draw a choice that agrees with what the player knows, by its chance. Raises _Failed."""
        length, state = self._entries_in(play.state), play.state
        node, options, _ = self.game.expand_state(state)
        if isinstance(node, Chance):
            chances = {action: float(chance) for action, chance in node.outcomes}
        elif isinstance(node, Decision):
            chances = dict.fromkeys(node.actions, 1 / len(node.actions))
        else:
            raise _Failed(False)
        if state.turn == self.player:
            own = self.entries[length][0] if length < len(self.entries) else ""
            after = self._agreeing_successor(state, options[own]) if own in options else None
            if after is None:
                raise _Failed(False)
            play.state = after
            return
        self.lessons.names |= {name: _things_in(options[name]) for name in options if name not in self.lessons.names}
        if state.turn >= 0 and self._learn_of_passing(play, self._things_of_all(options), state.turn):
            raise _Failed(True)
        named = self._things_named(play, length)
        name, share, play.state = self._draw_agreeing(play, named, chances, options, random)
        play.weight *= share
        if state.turn >= 0:
            play.moved |= dict.fromkeys(self.lessons.names[name] - named, (play.ply, state.turn))

    def _draw_agreeing(
        self, play: _Play, named: frozenset[Thing], chances: Mapping[Action, float], options: Mapping[Action, Option],
        random: Random,
    ) -> tuple[Action, float, State]:  # fmt: skip
        """A choice that agrees with what the player knows, drawn by its chance; the chance of all that agree, and the
        position after it. Where the things passed on at a ply are drawn already, one of these."""
        state, names = play.state, self.lessons.names
        passed = {
            t for t, d in play.deals.items() if play.ply in d.plies and d.begin in play.begun and t not in play.moved
        }
        agreed: frozenset[Action] | None = frozenset()
        if passed:
            chances = {name: chance for name, chance in chances.items() if not passed.isdisjoint(names[name])}
        elif not named:
            agreed = self.lessons.agreeing.get(play.ply, agreed)
            kept = {t for pool in play.begun.values() for t in pool.among if pool.is_kept(t, state.turn)}
            chances = {name: share for name, share in chances.items() if kept.isdisjoint(names[name])} or chances
        among = {name: share for name, share in chances.items() if passed or agreed is None or name in agreed}
        if among:  # one is enough
            (name,) = random.choices([*among], [*among.values()])
            after = self._agreeing_successor(state, options[name])
            if after is not None:
                return name, sum(among.values()), after
        playing = [name for name in chances if named and named <= names[name]]
        found: dict[Action, State] = {}
        for tried in (playing, chances):
            found = found or {
                name: after for name in tried if (after := self._agreeing_successor(state, options[name])) is not None
            }
        if not found:
            self._fail_and_conclude(play, named, options, bool(playing))
        if not named and not passed:
            all_agree = len(found) == len(options) and not agreed
            self.lessons.agreeing[play.ply] = None if all_agree else frozenset(found).union(agreed or ())
        weights = [chances[name] for name in found]
        (name,) = random.choices([*found], weights)
        return name, sum(weights), found[name]

    def _fail_and_conclude(
        self, play: _Play, named: frozenset[Thing], options: Mapping[Action, Option], is_playable: bool
    ) -> None:
        """Raise _Failed where no choice agrees, after conclusions from what was played instead of the options."""
        mover, taught = play.state.turn, False
        playable = self._things_of_all(options)
        first, option = next(iter(options.items()))
        got = self._things_got(self.player, play.state, self.game.plies.after_option(play.state, option))
        if not (got - self.lessons.names[first]).isdisjoint(play.moved):
            play.moved |= dict.fromkeys(self.lessons.names[first], (play.ply, mover))
            raise _Failed(self._learn_of_passing(play, got, self.player) or self._put_passed(play, named))
        if mover < 0 or is_playable or len(named) > max(len(self.lessons.names[name]) for name in options):
            raise _Failed(False)
        for pool in {pool.source: pool for pool in play.begun.values()}.values():  # the last of each store
            theirs = [d for d in pool.deals if d.begin in play.begun and mover in d.receivers]
            if theirs and named & pool.things:
                given = any(play.moved.get(thing, (0, -1))[1] == mover for thing in named)  # and gone
                held = [thing for thing in playable - named if play.deals.get(thing) in theirs and not given]
                taught = pool.put_among([*named & pool.things], theirs) or pool.keep_from(held, theirs)
                self._put_what_is_heard_later(play, pool)
        raise _Failed(taught)

    def _things_of_all(self, options: Mapping[Action, Option]) -> frozenset[Thing]:
        """The things in the heads of these actions."""
        return frozenset[Thing]().union(*(self.lessons.names[name] for name in options))

    def _things_got(self, player: int, before: State, after: State) -> set[Thing]:
        """The things that came into a player's view between two positions."""
        memorist = self.game.memorist
        views = (memorist.view(player, state.turn, list(state.cells)) for state in (before, after))
        return _things_new(memorist.types, *views)

    def _learn_of_passing(self, play: _Play, things: Iterable[Thing], receiver: int) -> bool:
        """Note which of the things that a player got another passed on, and at what ply. False if this is not new."""
        new = False
        for thing in sorted(things, key=lambda thing: thing[1]):
            ply, giver = play.moved.get(thing, (-1, receiver))
            if giver not in (receiver, self.player) and thing in play.deals:
                deal = play.deals[thing]
                new |= play.begun[deal.begin].add_passed(deal, ply, receiver)
        return new

    def _put_passed(self, play: _Play, things: Iterable[Thing]) -> bool:
        """Conclude that things that came to the player were passed on to them. False if this is not new."""
        new = False
        for pool in {pool.source: pool for pool in play.begun.values()}.values():
            passed = [d for d in pool.deals if d.plies and self.player in d.receivers and d.begin in play.begun]
            new |= bool(passed) and pool.put_among([thing for thing in things if thing in pool.things], passed)
        return new

    def _put_what_is_heard_later(self, play: _Play, pool: Pool) -> None:
        """Conclude from what the player hears later, before things are dealt again, what the others were dealt."""
        steps = enumerate(self.game.model.chances)
        dealing = {FIRST_STEP - (n if step.drawn is None else step.drawn) for n, step in steps if _is_dealing(step)}
        for _, events, view in self.entries[self._entries_in(play.state) + 1 :]:
            if view and view[0] in dealing:
                return
            for who, _, name in (event.partition(": ") for event in events):
                theirs = [d for d in pool.deals if who in {self.game.players[p] for p in d.receivers}]
                if theirs:
                    pool.put_among([*self.lessons.names.get(name, frozenset()) & pool.things], theirs)

    def _things_named(self, play: _Play, entry: int) -> frozenset[Thing]:
        """The things in the deals so far that an entry of the player's memory names: those of the actions that the
        player heard of, or else those that came into view."""
        if entry >= len(self.entries):
            return frozenset()
        heard = [self.lessons.names.get(event.partition(": ")[2]) for event in self.entries[entry][1]]
        named = frozenset[Thing]().union(*(things for things in heard if things)) or self._seen[entry]
        return named.intersection(*[frozenset[Thing]().union(*(pool.things for pool in play.begun.values()))])

    def _things_seen(self) -> list[frozenset[Thing]]:
        """For each entry of the player's memory the things that came into view, of the kinds that are dealt."""
        kinds = {_kind_of(rule.parameters[-1].type) for rule in self.game.model.chances if _is_dealing(rule)}
        view, found = self.lessons.known[0], list[frozenset[Thing]]()
        for _, _, changed in self.entries:
            new = _things_new(self.game.memorist.types, view, changed or view)
            found.append(frozenset(thing for thing in new if thing[0] in kinds))
            view = changed or view
        return found


# ---- What the rules say of deals ----------------------------------------------------------------------------------


def _is_dealing(step: Rule) -> bool:
    """True if a chance step is one of a line `deal`."""
    return step.name.startswith(DEALS)


def _dealing_rule(game: RulesGame, state: State) -> Rule | None:
    """The chance step of a deal whose turn it is; None if it is another's."""
    step = game.model.chances[FIRST_STEP - state.turn] if state.turn <= FIRST_STEP else None
    return step if step is not None and _is_dealing(step) else None


def _source_of(rule: Rule) -> Hashable:
    """The variable from which a deal comes."""
    domain = rule.parameters[-1].domain
    source = domain.set if isinstance(domain, core.Members) else None
    assert isinstance(source, core.Element | core.Cell)
    return ("array", source.variable) if isinstance(source, core.Element) else ("cell", source.place)


def _kind_of(type: Type) -> Hashable:
    """The kind of a type's things, which things that may be equal have in common."""
    item = type.item if isinstance(type, Optional) else type
    return (item.low, item.high) if isinstance(item, Range) else item


def _thing_dealt(rule: Rule, option: Option) -> Thing:
    """The thing that an outcome deals."""
    return _kind_of(rule.parameters[-1].type), option.arguments[-1]


def _things_in(option: Option) -> frozenset[Thing]:
    """The things in the head of an action."""
    pairs = zip(option.rule.parameters, option.arguments, strict=True)
    return frozenset(thing for parameter, value in pairs for thing in _things_of(parameter.type, value, HIDDEN))


def _things_new(types: Sequence[Type], before: Sequence[Any], after: Sequence[Any]) -> set[Thing]:
    """The things that came into a view."""
    elements = zip(types, after[1:], before[1:], strict=True)
    return {thing for type, value, old in elements for thing in _things_of(type, value, old)}


def _things_of(type: Type, value: Any, before: Any) -> Iterator[Thing]:
    """The things that a value holds and one before it did not; none if the value is not seen."""
    if value in (None, HIDDEN) or value == before:
        return
    if isinstance(type, SetType):
        new = value & ~(0 if before == HIDDEN else before)
        for thing in range(new.bit_length()):
            if new >> thing & 1:
                yield _kind_of(type.item), thing
    elif isinstance(type, Named | Range | Optional):
        yield _kind_of(type), value


KEPT: WeakKeyDictionary[RulesGame, dict[int, Lessons]] = WeakKeyDictionary()  # by player: lessons of the last play


def dealt_plays(possible: Possible, keeps: bool, like: DealtPlays | None = None) -> DealtPlays | None:
    """The drawer of plays where sets are dealt; None for other games. If it `keeps` what it concluded, the next turn of
    the same play begins with that; else it may begin with what was concluded for another player."""
    if like is not None:
        return DealtPlays(possible, like.game, like.lessons.for_another(possible.known, like.player))
    game, _ = innermost_game(possible.game, possible.start)
    if not isinstance(game, RulesGame) or everyone_moves(game.model) or forgets(game.model) or possible.sees_all:
        return None
    dealing = [*filter(_is_dealing, game.model.chances)]
    if (
        game.initial().memories is None
        or not dealing
        or not all(isinstance(rule.parameters[-1].domain, core.Members) for rule in dealing)
    ):
        return None
    kept = KEPT.setdefault(game, {}) if keeps else {}
    lessons = kept.get(possible.player)
    if lessons is None or not goes_on(lessons.known, possible.known):  # type: ignore[arg-type]
        lessons = Lessons(possible.known)
    lessons.known, kept[possible.player] = possible.known, lessons
    return DealtPlays(possible, game, lessons)
