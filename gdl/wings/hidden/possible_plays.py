"""Positions that are possible for a player, drawn on the compiled engine by plays that are kept from turn to turn.

1. A play is made anew up to where it was when the player moved last, and on from there by what agrees with what the
   player has learnt since, weighed by how probable it was that something does (a particle filter). At first it is made
   so from the start.
2. Where no play agrees, one that agrees far is changed, one choice at a time, as long as it agrees no less far.
3. Of the plays that agree as many as before are drawn by their weights, and each is changed by a Markov chain in which
   in the long run plays come as often as their probabilities say (resample and move).
4. What others reckon with is found likewise: a play is changed so that another player knows the same as in it.

Source: Gilks and Berzuini, Following a moving target: Monte Carlo inference for dynamic Bayesian models, Journal of
the Royal Statistical Society B 63, 2001.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import NamedTuple

from gdl.analysis.traits import everyone_moves, forgets
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.python import Trap
from gdl.compiler.reading import Reading
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import Refusal, clean
from gdl.errors.deadline import CLOCK
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.memory import HIDDEN, Memory, View, goes_on
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.possible import Possible
from gdl.states.random_numbers import as_signed_word
from gdl.wings.hidden.memory_texts import Remembering

K = kernel_constants("memories", "tuples", "possible_plays")  # what stands where in the kernel's memory
TUPLES, TUPLE_WORDS, ENTRY_WORDS = 1 << 18, 1 << 22, 1 << 20
CHANGES, ALONE = 5, 200  # of a play before it is drawn once more; of the only one that was found, before it is drawn
SEARCHED = 50  # changes that are tried between two looks at the clock
SEARCHING = 5  # times as long as plays may be drawn, they may be looked for until the first is found


class Sample(NamedTuple):
    """Positions that are possible for a player, and such as others reckon with, with the numbers of times that they
    were drawn. In place of memories that are not the player's own present one stand others that tell them apart."""

    own: Counter[State]
    shared: Counter[State]


Key = tuple[int, bytes]  # a player, and the words of what they know
Late = Callable[[float], bool]  # whether a share of the time, or of the work, is over


@dataclass
class Known:
    """A player's knowledge when they moved last, the rows of their actions by the number of the entry, and the places
    of plays that agree."""

    memory: Memory
    rows: dict[int, int] = field(default_factory=dict)
    plays: list[int] = field(default_factory=list)


class PossiblePlays(Remembering):
    """Draws plays that agree with what a player knows."""

    keeps_past = False

    def __init__(self, game: RulesGame, start: State, engine: str):
        super().__init__(game, start, engine)
        if start.memories is None or start.earned is not None or everyone_moves(game.model) or forgets(game.model):
            raise Refusal(f"no plays of {clean(game.name)} are drawn on the compiled engine")
        rows = self.lowered.rows * len(game.players)
        made = kernel(
            "possible_plays", **self.settings(), AT_ONCE=0, WEIGHED=self.lowered.weighs, TUPLES=TUPLES + rows,
            TUPLE_SLOTS=2 * (TUPLES + rows), TUPLE_WORDS=TUPLE_WORDS + self.ply_words, ENTRY_WORDS=ENTRY_WORDS,
        )  # fmt: skip
        entries = "change_plays", "follow_kept", "keep_play", "know_play", "share_plies", "observe", "playout_seed"
        self.load(made, *entries, memory=ADDRESSES)
        self.fill_rows(self.module)
        self.module["start_words"][:] = memoryview(self._start)
        self._reading = Reading(game, self.lowered, self.module)
        self._known: dict[int, Known] = {}
        self._forget_tuples()

    def restart(self, start: State) -> None:
        """Do nothing: the plays that are kept are of use in the next turn."""

    def _forget_tuples(self) -> None:
        """Make room for texts and actions; nothing is kept then."""
        module = self.module
        module["tuple_slot"][:] = memoryview(array("q", bytes(8 * len(module["tuple_slot"]))))
        module["tuple_note"][:] = memoryview(array("i", bytes(4 * len(module["tuple_note"]))))
        module["tuple_count"][0] = module["tuple_end"][0] = 0
        module["tuple_size"][0] = K.FIRST_TUPLE_SLOTS
        self._known.clear()

    def is_countless(self, player: int, memory: Hashable) -> bool:
        """True if plays are kept that may go on to what the player knows now."""
        known = self._known.get(player)
        return known is not None and goes_on(known.memory, memory)  # type: ignore[arg-type]

    def draw(self, possible: Possible, random: Random, seconds: float, looks: int, keeps: bool) -> Sample:
        """Positions that are possible, and those that others reckon with, drawn in so many seconds, or looks, each;
        SEARCHING times as much until the first is found. It begins with what is kept if it `keeps` plays."""
        module, begun = self.module, CLOCK.now()
        if 2 * module["tuple_count"][0] > TUPLES or 2 * module["tuple_end"][0] > TUPLE_WORDS:
            self._forget_tuples()
        self._ask_about(possible, keeps)
        module["playout_seed"](as_signed_word(random.getrandbits(63)))
        module["asked_about"][K.LOOKS] = 0

        def is_late(share: float) -> bool:
            full = module["tuple_count"][0] > TUPLES or module["tuple_end"][0] > TUPLE_WORDS
            return full or CLOCK.now() > begun + share * seconds or module["asked_about"][K.LOOKS] > share * looks

        sample = Sample(Counter(), Counter())
        with suppress(Trap):  # of rules that fail in a position that may be the case: the interpreter will tell it
            weights = self._follow_all(is_late) or self._search(is_late)
            begun, module["asked_about"][K.LOOKS] = CLOCK.now(), 0
            self._spread(sample.own, weights, random, is_late)
            begun, module["asked_about"][K.LOOKS] = CLOCK.now(), 0
            self._share(*sample, random, is_late)
        return sample

    # -- what is known ----------------------------------------------------------------------------------------------

    def _ask_about(self, possible: Possible, keeps: bool) -> None:
        """Write into the kernel's memory what the player knows."""
        module, player = self.module, possible.player
        memory: Memory = possible.known  # type: ignore[assignment]
        known = self._known.get(player)
        if not keeps or known is None or not goes_on(known.memory, memory):
            known = Known(memory)
            module["ply_tried"][:] = module["ply_agreed"][:] = memoryview(array("i", [0] * K.PLIES))
        known.memory, self._known[player], self._own, self._player = memory, known, known, player
        assert self.first.memories is not None
        first = len(self.first.memories[player][1])
        view = self.first.memories[player][0]
        view = next((seen for _, _, seen in reversed(memory[1][:first]) if seen is not None), view)
        seen, words, begins, rows = self._sight(view, player), array("i"), array("i", [0]), array("i")
        for number, (action, heard, changed) in enumerate(memory[1][first:]):
            row = K.FAILS if action is None else known.rows.get(number, K.UNKNOWN)
            texts = [self.heard.setdefault(text, len(self.heard)) for text in heard]
            later = seen if changed is None else self._sight(changed, player)
            words.extend([player + len(self.game.players) * (row + 1 if row >= 0 else 0), number, len(texts), *texts])
            for at, word in later.items():
                if word != seen[at]:
                    words.extend((at, word))
            begins.append(len(words))
            rows.append(row)
            seen = later
        self._entries = memory[1][first:]
        self._knowledge = words, begins, rows
        self._place_knowledge(player)
        module["asked_about"][K.MOVER] = possible.mover
        self._memories: dict[Key, Memory] = {}

    def _sight(self, view: View, player: int) -> dict[int, int]:
        """The words of a player's view by their places, found where hidden elements are as at first."""
        pairs = zip(self.first.cells[FIRST_CELL:], view[1:], strict=True)
        cells = [old if new == HIDDEN else new for old, new in pairs]
        state = State(view[0], (max(0, view[0]), *self.first.cells[1:FIRST_CELL], *cells), None)
        self.module["s"][:] = memoryview(self.words_of(state))
        self.module["observe"]()
        sight, (public, private) = self.module["sight"], self.lowered.views or (0, 0)
        own = public + player * private
        return {at: sight[at] for at in (*range(public), *range(own, own + private))}

    def _place_knowledge(self, player: int) -> None:
        """Ask the kernel for plays that agree with what the player to move knows."""
        asked = self.module["asked_about"]
        for name, numbers in zip(("entry_word", "entry_from", "entry_row"), self._knowledge, strict=True):
            if len(numbers) > len(self.module[name]):
                raise Refusal(f"more is known in {clean(self.game.name)} than there is room for")
            self.module[name][: len(numbers)] = memoryview(numbers)
        asked[K.PLAYER], asked[K.KNOWN], asked[K.ROW] = player, len(self._knowledge[2]), 0

    def _call(self, name: str, *arguments: int) -> int:
        """The result of a function of the kernel, which is told what it asks for."""
        while (found := self.module[name](*arguments)) == K.ASKS:
            if not self._supply_row():
                self.supply_text()
            self.module["playout_seed"](self.module["begun"][0])  # what it asks for makes no difference
            self.module["asked_about"][K.LOOKS] = self.module["begun"][1]
        return int(found)

    def _supply_row(self) -> bool:
        """Give the row of the player's action that the kernel has asked for; False if it has asked for none."""
        asked, (words, begins, rows) = self.module["asked_about"], self._knowledge
        if not asked[K.ROW]:
            return False
        entry, asked[K.ROW] = asked[K.ROW] - 1, 0
        state, player = self._reading.state(bytes(self.module["s"]), None, ()), asked[K.PLAYER]
        listed = (self._reading.names(state, player, range(n, n + 1))[0] for n in range(asked[K.ROWS]))
        row = next((n for n, name in enumerate(listed) if name == self._entries[entry][0]), K.FAILS)
        rows[entry] = self._own.rows[entry] = row
        words[begins[entry]] = player + len(self.game.players) * (row + 1)
        self._place_knowledge(player)
        return True

    # -- plays ------------------------------------------------------------------------------------------------------

    def _follow_all(self, is_late: Late) -> dict[int, float]:
        """The plays that agree, of those that are kept or of new ones, by their places, with their weights."""
        module, player, alike, weights = self.module, self._player, -1, dict[int, float]()
        for n in self._own.plays or range(K.PLAYS):
            if is_late(1 if weights else 2):
                break
            if not self._own.plays:
                module["kept_length"][player * (K.PLAYS + 1) + n] = 0
            found = self._call("follow_kept", player, n)
            if found == K.HERE:
                weights[n] = module["way_weight"][0]
            if found == K.HERE or (not weights and found > alike):
                alike = max(found, alike)
                module["keep_play"](player, n if found == K.HERE else K.PLAYS)
        return weights

    def _search(self, is_late: Late) -> dict[int, float]:
        """Change the play that agrees farthest until it agrees in all. Returns its place with a weight; {} if it never
        does."""
        self._call("follow_kept", self._player, K.PLAYS)
        while self.module["way_entries"][0] != K.HERE:
            self.module["share_plies"]()
            if is_late(SEARCHING) or not self._change(SEARCHED, False):
                self.module["keep_play"](self._player, K.PLAYS)  # to be changed further in the next turn
                return {}
        self.module["keep_play"](self._player, 0)
        return {0: 1.0}

    def _change(self, changes: int, exact: bool) -> bool:
        """Change the play so often; False if there is nothing to change."""
        self.module["asked_about"][K.LEFT] = changes
        return self._call("change_plays", int(exact)) > 0

    def _spread(self, own: Counter[State], weights: dict[int, float], random: Random, is_late: Late) -> None:
        """Draw as many of the plays as are kept, by their weights, change each, and count the positions."""
        self._own.plays = [*weights] or [K.PLAYS]
        if not weights:
            return
        self.module["share_plies"]()
        drawn = random.choices([*weights], [*weights.values()], k=K.PLAYS)
        left, free = Counter(drawn), [n for n in range(K.PLAYS) if n not in drawn]
        latest, known = {n: n for n in weights}, self._key()
        self._memories[known] = self._own.memory
        for n in drawn:
            if own and is_late(1):
                break
            left[n] -= 1
            self._call("follow_kept", self._player, latest[n])
            self._change(CHANGES if own or len(weights) > 1 else ALONE, True)
            latest[n] = free.pop() if left[n] else n  # the last of its draws is kept in its place
            self.module["keep_play"](self._player, latest[n])
            self._own.plays += [] if latest[n] in self._own.plays else [latest[n]]
            own[self._position(known)] += 1
            self._place_knowledge(self._player)

    def _share(self, own: Counter[State], shared: Counter[State], random: Random, is_late: Late) -> None:
        """Where `own` positions were found, change plays so that another player knows the same as before, then so that
        the player does, and count the positions."""
        player, others = self._player, [p for p in range(len(self.game.players)) if p != self._player]
        for _ in range(K.PLAYS if own and others else 0):
            if is_late(1):
                break
            self._place_knowledge(player)
            self._call("follow_kept", player, random.choice(self._own.plays))
            for each in (*others, player):
                self._know(each)
                self._change(CHANGES, True)
                shared[self._position()] += 1

    def _position(self, own: Key | None = None) -> State:
        """The last position of the play, with what players know there; `own` if a player's knowledge is asked about."""
        size, length = len(self._start), self.module["way_length"][0]
        held = bytes(self.module["way_state"][length * size : (length + 1) * size])
        state, memories = self._reading.state(held, None, ()), list[Memory]()
        for player in range(len(self.game.players)):
            key = own if own is not None and own[0] == player else self._know(player)
            if key not in self._memories:
                told = blake2b(key[1], digest_size=16).hexdigest()
                self._memories[key] = self.player_view(state, player), ((None, (told,), None),)
            memories.append(self._memories[key])
        return state._replace(memories=tuple(memories))

    def _know(self, player: int) -> Key:
        """Ask the kernel for plays that agree with what another player knows in the play. Returns that."""
        if self._call("know_play", player) == K.FAILS:
            raise Refusal(f"more is known in {clean(self.game.name)} than there is room for")
        return self._key()

    def _key(self) -> Key:
        """The player asked about, and what they know, in words."""
        asked = self.module["asked_about"]
        return asked[K.PLAYER], bytes(self.module["entry_word"][: self.module["entry_from"][asked[K.KNOWN]]])
