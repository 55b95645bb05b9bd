"""A game with the memories of its players, unfolded on the compiled engine (see kernels/unfold.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from gdl.compiler import python
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.searches.slices import KernelNumber, explain_trap
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import EngineFault, LimitReached, Refusal, clean, limits, size_text
from gdl.game import Action, Chance, Number, Simultaneous, exact
from gdl.interpreter.memory import NOTHING, Told
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.count import HistoryCount
from gdl.states.explore import Progress, attach_partial
from gdl.states.flat import CHANCE, DECISION, TERMINAL, FlatGame, other_actions
from gdl.wings.hidden.memory_texts import Remembering

K = kernel_constants("memories", "unfold", "flatten")  # what stands where in the kernel's memory
MEMORY = 1 << 31  # bytes that the positions may take, unless another limit is given
SPARE = 1 << 25  # bytes for the game's tables
LINKS_EACH, TUPLES_EACH, WORDS_EACH = 2, 2, 12  # room for links, tuples and their words, for each position
MOST_POSITIONS = 1 << 27
FEW_POSITIONS = 100_000  # positions for which there is room beyond any limit
MOST_BLOCKS = 512  # blocks of states that are remembered


class Unfolding(Remembering):
    """Numbers the positions of a game with its players' memories; iterating does a slice of the work."""

    def __init__(self, game: RulesGame, start: State, engine: str, limit: int | None = None, memory: int | None = None):
        """Prepare to unfold a game from a state; the search stops at about `limit` positions, or `memory` bytes."""
        super().__init__(game, start, engine)
        self.limit, self.memory = limit, memory or MEMORY
        self._blocks: dict[int, memoryview] = {}  # by number: blocks of states that were read
        players, width = len(self.game.players), int(self.lowered.rows)
        spare = width * self.ply_words  # words that all moves of a position can add to the tuples together, at most
        most = min(self._capacity(players, spare), MOST_POSITIONS)
        if self.limit is not None:
            most = min(most, 4 * self.limit + FEW_POSITIONS)
        sizes = {
            "POSITIONS": most + width,
            "POSITION_SLOTS": 2 * (most + width) + 1024,
            "LIMIT": most if self.limit is None else min(most, self.limit),
            "LINKS": LINKS_EACH * most + width,
            "TUPLES": TUPLES_EACH * most + (width + 4) * (players + 1) + 1024,
            "TUPLE_SLOTS": 3 * most + 4 * (width + 4) * (players + 1) + 4096,
            "TUPLE_WORDS": WORDS_EACH * most + spare,
            "SPARE_WORDS": spare,
        }
        made = kernel(
            "flatten", **sizes, **self.settings(), AT_ONCE=self.at_once, STEPS=bool(self.game.model.chances),
            FIRST=K.FORGOTTEN - (self.first.memories not in (None, self.first_memories())),
        )  # fmt: skip
        self.load(made, "unfold_run", "unfold_start", "unfold_order", "fetch", memory=ADDRESSES)
        self.found = self.module["unfolded"]
        self.fill_rows(self.module)

    def _capacity(self, players: int, spare: int) -> int:
        """The greatest number of positions for which a module has room."""
        each = 8 * self.packing.words + 4 * players + 16 + 2 * (4 * LINKS_EACH + 9) + 7 * 4 + 12 * self.at_once
        each += TUPLES_EACH * 12 + 3 * 8 + 4 * WORDS_EACH
        return (ADDRESSES - SPARE - 4 * spare - int(self.lowered.rows) * 200) // each

    # -- running ------------------------------------------------------------------------------------------------

    nodes = KernelNumber("unfolded", K.COUNT)  # the number of positions met so far

    @property
    def bytes_used(self) -> int:
        """The bytes of the arrays that are in use."""
        positions, sets, links = self.nodes, int(self.found[K.SETS]), int(self.found[K.LINKED])
        each = 8 * self.packing.words + 4 * len(self.game.players) + 9 + 12 * self.at_once
        tuples, words = int(self.module["tuple_count"][0]), int(self.module["tuple_end"][0])
        slots = int(self.found[K.SLOTS]) + int(self.module["tuple_size"][0])
        return each * positions + 4 * links + 12 * sets + 12 * tuples + 4 * words + 8 * slots

    def __iter__(self) -> Iterator[None]:
        try:
            self.module["unfold_start"]()
            while True:
                for _ in self.slices():
                    if self.bytes_used > self.memory:
                        raise LimitReached(self._too_many())
                    yield
                if not self.supply_text():
                    break
        except python.Trap as trap:
            raise explain_trap(self, trap, self._line()) from None
        if self.found[K.MORE]:
            raise LimitReached(self._too_many())

    def _too_many(self) -> str:
        if self.limit is not None and self.nodes > self.limit:
            return f"{self.game.name} has more than {self.limit:,} positions, the limit set for this search"
        return f"{self.game.name} has more positions than fit in {size_text(min(self.memory, ADDRESSES))}"

    def histories(self, progress: Progress | None = None) -> HistoryCount:
        """Count all histories. LimitReached and Interrupted keep the counts so far."""
        with attach_partial(lambda: count_histories(self.flat_so_far()), quick=False):
            for _ in self:
                if progress:
                    progress(self.nodes)
        return count_histories(self.flat_so_far())

    def flat(self, pause: Callable[[], None] = lambda: None) -> FlatGame:
        """The flat game, when all positions have been met; `pause` is called now and then.

        Raises Refusal where a position can come again, GameError where a player who cannot tell two positions apart has
        other actions in one of them.
        """
        found = self.flat_so_far()
        Meaning(self).check(pause)
        return found

    def flat_so_far(self) -> FlatGame:
        """The flat game of the positions met so far, in the order of their new numbers; those not expanded are
        UNOPENED. The search can be continued afterwards."""
        with engine_faults(self.game.name):
            self.module["unfold_order"]()
        module, count, sets = self.module, self.nodes, int(self.found[K.SETS])
        if self.found[K.ORDERED] < count:
            raise Refusal(f"a position of {self.game.name} can come again: this method needs a game that ends")
        old = module["old_set"][:sets]
        starts = module["flat_link"][: count + 1]
        return FlatGame(
            self.game.name, self.game.players,
            module["flat_kind"][:count], module["flat_note"][:count], starts, module["flat_to"][: starts[count]],
            [module["set_player"][h] for h in old], [self.tuple(module["set_list"][h])[1] for h in old],
            Meaning(self), self.bytes_used + 17 * count + 4 * starts[count], module,
        )  # fmt: skip

    def _line(self) -> list[bytes]:
        """The states, as words, of a play that leads to the position that is being expanded."""
        module, here = self.module, int(self.found[K.EXPANDED])
        way = [here]
        while here:
            end = int(self.found[K.LINKED])
            edge = next(e for e in range(end) if module["link"][e] == here)
            here = next(n for n in range(way[-1]) if module["position_link"][n + 1] > edge)
            way.append(here)
        states = [bytes(self.state_words(n)) for n in reversed(way)]
        return [one for k, one in enumerate(states) if k == 0 or one != states[k - 1]]

    # -- what the numbers mean ----------------------------------------------------------------------------------

    def state_words(self, n: int) -> memoryview:
        """The words of the state of a position, by its first number (before positions are put in order)."""
        number, at = divmod(n, K.BLOCK)
        block = self._blocks.get(number)
        if block is None:
            if len(self._blocks) >= MOST_BLOCKS:
                self._blocks.clear()
            self.module["fetch"](number * K.BLOCK)
            block = self._blocks[number] = memoryview(bytes(self.module["block"])).cast("i")
        size = len(self._start)
        return block[at * size : (at + 1) * size]

    def state(self, n: int) -> State:
        """The state of a position as the interpreter holds it, without memories, by its first number."""
        return self.state_of(self.state_words(n))

    @property
    def fixed_actions(self) -> bool:
        """True if the names of actions follow from their rows and from who acts."""
        return all(self._fixed[: len(self.game.model.actions)])

    @property
    def fixed_outcomes(self) -> bool:
        """True if the names of chance's outcomes follow from their rows."""
        return all(self._fixed[len(self.game.model.actions) :])

    @cached_property
    def texts(self) -> list[str]:
        return list(self.heard)


class Meaning:
    """The meaning of the numbers of an unfolded game: `gdl.states.flat.Words`."""

    def __init__(self, search: Unfolding):
        self.search, self.module = search, search.module
        self._actions: dict[tuple[int, int], tuple[Action, ...]] = {}
        self._outcomes: dict[int, Chance] = {}
        self._memories: dict[int, Told] = {}
        self._seen = lru_cache(limits.REMEMBERED)(self._seen_of)
        self._fixed = search.fixed_actions

    def _old_number(self, h: int) -> int:
        return int(self.module["old_set"][h])

    def utilities(self, note: int) -> tuple[Number, ...]:
        words = self.search.tuple(note)[1:]
        under = self.search.lowered.denominator
        return tuple(exact(Fraction(_long_number(words[k], words[k + 1]), under)) for k in range(0, len(words), 2))

    def weights(self, note: int) -> tuple[int, ...]:
        words = self.search.tuple(note)
        last = words[len(words) - 2 * words[1] :]
        return tuple(_long_number(last[k], last[k + 1]) for k in range(0, len(last), 2))

    def outcomes(self, position: int) -> Chance:
        n = int(self.module["old_number"][position])
        note = self.module["position_note"][n]
        found = self._outcomes.get(note)
        if found is None:
            node = self.search.game.node(self.search.state(n))
            if not isinstance(node, Chance) or len(node.outcomes) != len(self.weights(note)):
                raise EngineFault(f"the compiled engine has other outcomes in {clean(self.search.game.name)}")
            found = node
            if self.search.fixed_outcomes:
                self._outcomes[note] = found
        return found

    def actions(self, h: int) -> tuple[Action, ...]:
        old = self._old_number(h)
        player, listed = self.module["set_player"][old], self.module["set_list"][old]
        found = self._actions.get((player, listed if self._fixed else -1 - old))
        if found is None:
            found = self._actions_at(int(self.module["set_first"][old]), player)
            if len(found) != self.search.tuple(listed)[1]:
                raise EngineFault(f"the compiled engine has other actions in {clean(self.search.game.name)}")
            self._actions[player, listed if self._fixed else -1 - old] = found
        return found

    def _actions_at(self, n: int, player: int) -> tuple[Action, ...]:
        """The actions at a position by the interpreter, by the position's first number."""
        node = self.search.game.node(self.search.state(n))
        assert not isinstance(node, Chance)
        if isinstance(node, Simultaneous):
            return node.actions[player]
        return getattr(node, "actions", ())

    # -- what players remember ----------------------------------------------------------------------------------

    def name(self, h: int) -> str:
        old, game = self._old_number(h), self.search.game
        if self.search.first.memories is None:
            n, player = int(self.module["set_first"][old]), int(self.module["set_player"][old])
            return game.describe(self.search.state(n), player)
        return self._memory(self.memory_number(h))[0] or NOTHING

    def memory_number(self, h: int) -> int:
        """The tuple number of the player's memory at an information set."""
        old = self._old_number(h)
        player, n = int(self.module["set_player"][old]), int(self.module["set_first"][old])
        base = self.module["position_base"][n] if self.search.at_once else n
        return int(self.module["position_memory"][base * len(self.search.game.players) + player])

    def _memory(self, number: int) -> Told:
        """The text and the view of the memory with this tuple number, made from those of the memory before it."""
        for one in self.search.memories_up_to(number, self._memories):
            self._memories[one] = self._describe_memory(one)
        return self._memories[number]

    def _describe_memory(self, number: int) -> Told:
        """The text and the view of a memory, for which those of the memory before it are known."""
        words, game = self.search.tuple(number), self.search.game
        memorist, begun = game.memorist, game.initial().memories
        acted, player = divmod(words[0], len(game.players))
        before, n = words[1], int(self.module["tuple_position"][number]) - 1
        if before < K.FORGOTTEN:
            return memorist.text_and_view(self.search.first.memories[player], begun[player], game.tells_turns)  # type: ignore[index]
        if before < 0:
            return memorist.text_and_view((self._view(n, player), ()), begun[player], game.tells_turns)  # type: ignore[index]
        action = None
        if acted:
            h = int(self.module["tuple_note"][before]) - 1
            action = self.actions(int(self.module["new_set"][h]))[acted - 1]
        texts = tuple(self.search.texts[text] for text in words[3 : 3 + words[2]])
        view = self._view(n, player) if len(words) > 3 + words[2] else None
        return memorist.extend_text(self._memories[before], (action, texts, view), game.tells_turns)

    def _view(self, n: int, player: int) -> Any:
        return self._seen(bytes(self.search.state_words(n)), player)

    def _seen_of(self, words: bytes, player: int) -> Any:
        """A player's view of the state in these words."""
        return self.search.player_view(self.search.state_of(memoryview(words).cast("i")), player)

    # -- checking -----------------------------------------------------------------------------------------------

    def check(self, pause: Callable[[], None]) -> None:
        """Raise GameError if two positions of an information set have different actions."""
        module, found = self.module, int(self.search.found[K.DIFFERENT])
        if self._fixed and found <= K.MOST_DIFFERENT:
            suspects = list(module["different"][:found])
        else:
            kinds = module["position_kind"]
            suspects = [n for n in range(self.search.nodes) if kinds[n] == DECISION]
        for n in suspects:
            pause()
            self._check(int(n))

    def _check(self, n: int) -> None:
        old = int(self.module["position_note"][n])
        first, player = int(self.module["set_first"][old]), int(self.module["set_player"][old])
        if n == first:
            return
        here, there = self._actions_at(n, player), self._actions_at(first, player)
        if here != there:
            h = int(self.module["new_set"][old])
            raise other_actions(self.search.game.players[player], self.name(h), there, here)


def _long_number(low: int, high: int) -> int:
    """A signed number of 64 bits from its two words."""
    return (high << 32) | (low & 0xFFFFFFFF)


def count_histories(flat: FlatGame) -> HistoryCount:
    """The counts of a flat game. If a limit left some positions unopened, `histories` counts the plays that lead to
    these too, and all other counts are of opened positions alone."""
    ways = [0] * len(flat.kinds)
    ways[0] = 1
    links, starts, kinds = flat.links, flat.starts, flat.kinds
    for position in range(len(ways)):
        for link in links[starts[position] : starts[position + 1]]:
            ways[link] += ways[position]
    sums = [0, 0, 0, 0, 0]
    decision = [0] * len(flat.players)
    for kind, note, count in zip(kinds, flat.notes, ways, strict=True):
        sums[kind] += count
        if kind == DECISION:
            decision[flat.owners[note]] += count
    sets = Counter(flat.owners)
    return HistoryCount(
        histories=sum(sums),
        terminal=sums[TERMINAL],
        chance=sums[CHANCE],
        decision=dict(zip(flat.players, decision, strict=True)),
        infosets={player: sets[number] for number, player in enumerate(flat.players)},
    )
