"""Counterfactual regret minimisation by samples on the compiled engine (see kernels/sampling.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.searches.slices import KernelNumber
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import LimitReached, Refusal, clean
from gdl.interpreter.rules_game import RulesGame, State
from gdl.solvers.budget import Budget
from gdl.states.random_numbers import as_signed_word
from gdl.states.tally import PayoffMeans, means_from_sums
from gdl.wings.hidden.memory_texts import Remembering

K = kernel_constants("memories", "sampling", "best_replies")  # what stands where in the kernel's memory
MEMORY = {"wasm": 1 << 30, "python": 1 << 26}  # bytes of the tables, by engine, if no limit is given,
MOST_MEMORY = {"wasm": 1 << 36, "python": 1 << 26}  # and at most;
FIRST_MEMORY = 15 << 28  # with more than that, tables lie in a module's second memory, with addresses of 64 bits
LEAST_MEMORY = 1 << 22
TUPLE_BYTES, WORD_BYTES, CHOICE_BYTES = 160, 12, 64  # bytes of the limit for each tuple, word, action with room
ENTRY_SHARE = 16  # the part of the room that states of best replies may take, 1 / ENTRY_SHARE
LEARNT = 0.75  # share of the room for memories that learning may use; the rest is for plays
LARGE = 100_000  # plies; a longer traversal makes the next ones have fewer levels
NOBODY = -1  # in the place of a player
PARTS = 1 << 20  # of the largest share, in walks: a sharpened strategy has fractions that can be written down
Words = tuple[int, ...]
ENDLESS = 1 << 62  # iterations or plies, if there is no limit
STRANGE = -9  # in the place of a memory's number: it was not met

ENTRIES = ("mccfr_run", "mccfr_begin", "mccfr_mode", "reply_run", "reply_begin")  # functions of the kernel


class Sampling(Remembering):
    """Regrets and average strategies of the information sets that samples have met; iterating does a slice of the work
    that was asked for last."""

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        seed: int = 1,
        memory: int | None = None,
        large: int = LARGE,
    ):
        """`memory`: about how many bytes may be used (None: MEMORY); `large`: plies of a traversal that is too
        long."""
        super().__init__(game, start, engine)
        if start.memories is None:
            raise Refusal(f"nothing is remembered in {clean(game.name)}: there are no information sets to sample")
        if start.memories != self.first_memories():
            raise Refusal(f"more is remembered at this position of {clean(game.name)} than it shows")
        room = max(LEAST_MEMORY, min(memory or MEMORY[engine], MOST_MEMORY[engine]))
        players, rows, ply = len(game.players), int(self.lowered.rows), self.ply_words
        spare = 2 * players + int(K.MOST_TEXTS) + 8
        sizes = {
            "TUPLES": room // TUPLE_BYTES + spare, "TUPLE_SLOTS": 2 * (room // TUPLE_BYTES + spare),
            "TUPLE_WORDS": room // WORD_BYTES + ply, "SETS": room // TUPLE_BYTES + players + 1,
            "CHOICES": room // CHOICE_BYTES + players * rows,
            "ENTRIES": 1024 + room // ENTRY_SHARE // (4 * self.lowered.layout.words),
            "SPARE_TUPLES": spare, "SPARE_TUPLE_WORDS": ply, "TUPLES_SECOND": int(room > FIRST_MEMORY),
        }  # fmt: skip
        more = {"AT_ONCE": self.at_once, "WEIGHED": self.lowered.weighs, "LARGE": large}
        self.load(kernel("best_replies", **sizes, **self.settings(), **more), *ENTRIES, memory=ADDRESSES)
        self.fill_rows_and_prices(self.module)
        self.found = self.module["mccfr"]
        self._rooms = sizes["TUPLES"], sizes["TUPLE_WORDS"]
        self._known: dict[Words, int] = {}
        self.parts = PARTS  # or 0, for strategies that are taken as they are
        self.naming: Callable[[int], None] | None = None  # while it is set: called with each new memory of a walk
        self.limit_tables(LEARNT)
        self.learn()
        self.module["mccfr_begin"](as_signed_word(seed))

    def limit_tables(self, share: float) -> None:
        """Set the share of the room for memories that may be used."""
        for limit, room in zip((K.MOST_TUPLES, K.MOST_TUPLE_WORDS), self._rooms, strict=True):
            self.found[limit] = int(share * room)

    nodes = KernelNumber("mccfr", K.FINISHED)  # the number of traversals, and plays, that were made

    iterations = KernelNumber("mccfr", K.ITERATIONS)  # the iterations done of the work that was asked for last

    sets = KernelNumber("mccfr", K.KNOWN)  # the number of information sets that were met

    @property
    def full(self) -> bool:
        """True if there is no room for more."""
        return bool(self.found[K.FULL])

    # -- what is to be done -----------------------------------------------------------------------------------------

    def learn(self, iterations: int | None = None, plies: int | None = None) -> None:
        """Learn until `iterations`, or at least `plies`, are done; for ever if both are None."""
        self.found[K.WANTED] = ENDLESS if iterations is None else iterations
        self.found[K.WANTED_PLIES] = ENDLESS if plies is None else plies

    def look_for_gains(self, plies: int | None = None) -> None:
        """Sample the gain of each action against the average strategies, if the average strategies are played after it;
        until `plies` plies are done, or for ever."""
        self._turn_to(K.LOCAL, 0)
        self.learn(None, plies)

    def play(self, count: int | None, deviating: int = NOBODY) -> None:
        """Play `count` plays (None: for ever) by the average strategies; the `deviating` player, if there is one, takes
        the actions with the most gain."""
        self._turn_to(K.PLAYS, len(self.game.players) if deviating == NOBODY else deviating)
        self.learn(count)

    def walk(self, replier: int, sharpness: Sequence[float], utmost: float, plies: int | None = None) -> None:
        """Walk the best reply of a player (NOBODY: of none), whom no end pays more than `utmost`, to the average
        strategies of the others, with the sharpness of each player's; at most `plies` plies, or for ever."""
        self.limit_tables(1.0)
        self.module["utmost"][0] = utmost
        self.module["parts"][0] = self.parts
        self.module["reply"][K.NAMING] = self.naming is not None
        for player, number in enumerate(sharpness):
            self.module["sharp"][player] = number
        self.module["reply_begin"](replier)
        self.run = self.module["reply_run"]
        self.learn(None, plies)

    walked = KernelNumber("mccfr", K.TOTAL)  # the plies of the last walk

    def supply_text(self) -> bool:
        """Name the memory, or give a number to the text, that the kernel has asked for; False if it has asked for
        none."""
        asked = self.module["text_asked"]
        number = int(asked[0]) - 1
        if self.naming is None or number < 0 or self.tuple(number)[0] < 0:  # a memory begins with its player
            return super().supply_text()
        asked[0] = 0
        self.naming(number)
        return True

    def end_walk(self, budget: Budget) -> tuple[float, ...] | None:
        """The payoffs of the walk, when it has come to its end; None if the budget, or the room, is over before."""
        for _ in self:
            try:
                budget.check_time()
            except LimitReached:
                return None
        return self.paid_by_walk()

    def paid_by_walk(self) -> tuple[float, ...] | None:
        """The payoffs that the walk has found, by player; of a replier's walk only that of the replier counts. None if
        it came to no end."""
        replier = int(self.found[K.TRAVERSER])
        if not self.module["reply"][K.OVER]:
            return None
        most = self.module["group_worth"][0]
        return tuple(most if player == replier else paid for player, paid in enumerate(self.module["play_sum"]))

    def go_on(self, iterations: int) -> None:
        """Be ready to learn again, after so many iterations."""
        self._turn_to(K.LEARNING, 0)
        self.limit_tables(LEARNT)
        self.found[K.ITERATIONS] = iterations

    def _turn_to(self, mode: int, traverser: int) -> None:
        self.limit_tables(1.0)
        self.run = self.module["mccfr_run"]
        self.module["mccfr_mode"](mode, traverser)

    # -- what was found ---------------------------------------------------------------------------------------------

    def sampled_payoffs(self) -> PayoffMeans:
        """The mean payoffs of the plays; none where there were none."""
        return means_from_sums(self.iterations, list(self.module["play_sum"]), list(self.module["play_squares"]))

    def average(self, known: int) -> tuple[float, ...] | None:
        """The average strategy, not divided by its sum, at the information set of the memory with this tuple number;
        None if the set was not met."""
        n = self.module["tuple_note"][known] - 1
        if n < 0:
            return None
        begin, end = self.module["set_from"][n : n + 2]
        return tuple(self.module["average"][begin:end])

    def give_average(self, known: int, average: Sequence[float]) -> None:
        """Take this for the average strategy at the information set, not met yet, of the memory with this number."""
        module, n = self.module, self.sets
        begin = int(module["set_from"][n])
        end = begin + len(average)
        if n + 1 >= len(module["set_from"]) or end > len(module["average"]):
            self.found[K.FULL] = 1
            return
        module["tuple_note"][known], module["set_from"][n + 1], self.sets = n + 1, end, n + 1
        for place, share in enumerate(average, begin):
            module["average"][place] = share

    def first_average(self, player: int) -> tuple[float, ...] | None:
        """The player's average strategy at the start, not divided by its sum; None if the player has no choice
        there."""
        return self.average(int(self.module["mccfr_root"][player]))

    def counterparts(self, other: Remembering, numbers: Sequence[int], first: Sequence[int] = ()) -> list[int | None]:
        """The numbers in this search of memories from another search of the same game; None for those not met here.
        `first` are the numbers there of what the players remember at the start, if these have no words."""
        for number in range(len(self._known), int(self.module["tuple_count"][0])):
            self._known[(*self.tuple(number),)] = number
        texts = {number: self.heard.get(text, -1) for text, number in other.heard.items()}
        found: dict[int, int | None] = dict(zip(first, map(int, self.module["mccfr_root"]), strict=False))
        for number in numbers:
            for one in other.memories_up_to(number, found):
                found[one] = self._known.get((*_translate_memory(other.tuple(one), found, texts),))
        return [found[number] for number in numbers]


def _translate_memory(words: list[int], numbers: Mapping[int, int | None], texts: Mapping[int, int]) -> list[int]:
    """The words of a memory with the numbers of another search in the places of the memory before it (STRANGE if it is
    unknown there) and of the texts heard (-1 if unknown)."""
    player, before = words[:2]
    if before < 0:
        return words
    known, end = numbers[before], 3 + words[2]
    heard = [texts[text] for text in words[3:end]]
    return [player, STRANGE if known is None else known, words[2], *heard, *words[end:]]
