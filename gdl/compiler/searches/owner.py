"""The pieces of work of processes that make a table together: each about a block of states, or one owner's states.

A piece is a name and plain data. Its result lies in files of parts (gdl/formats/parts.py) that are named in plain data,
too. It follows from the piece alone, whoever does it and how often. The steps are those of kernels/owners.py and
kernels/waves.py; gdl/compiler/searches/shared_table.py puts them together.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.compiler.lower.packing import Packing, packing, unread
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.slices import explain_trap
from gdl.compiler.searches.state_table import slots_for
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import DamagedData, LimitReached, Refusal, clean, count_text, size_text
from gdl.formats import parts
from gdl.formats.parts import Part, is_part
from gdl.interpreter.rules_game import RulesGame, State
from gdl.symmetry import Symmetry

K = kernel_constants("enumerate", "edges", "owners", "waves")  # what stands where in the kernels' memory
OWNERS: int = K.OWNERS
INBOX = 1 << 18  # keys or letters that are taken in at once
MOST_BLOCK = 1 << 16  # states of a block, at most,
_BLOCK_BYTES = 1 << 29  # and bytes of its successors
_FIRST_SLOTS = 1 << 12
_EACH = 33  # bytes of a state, beside its key and its slot
_SPARE = 1 << 26
ENTRIES = (
    "expand_run deal_out admit_run mark collect count_owners note_numbers put_in_slots lay_out take_nodes "
    "count_parents add_up put_parents put_back begin_with unsettle settle_from force_from list_fresh next_stretch "
    "write_letters tell_values write_key key_hash"
).split()
Section = Sequence[Any]  # the number of items, and the parts of files that hold them


class Owner(Enumeration):
    """A worker: while it does a piece, it has the states of one owner in its memory, or those of a block."""

    keeps_past = False
    states_room = ADDRESSES // 2
    further = _EACH
    entries = (*ENTRIES,)

    def __init__(
        self, game: RulesGame, start: State, engine: str, maximiser: int = 0, memory: int | None = None,
        symmetries: Sequence[Symmetry] = (), folder: Path = Path(),
    ):  # fmt: skip
        """`memory`: the bytes that the states of one owner may take."""
        self.maximiser, self.folder = maximiser, folder
        super().__init__(game, start, engine, None, memory, symmetries or None)
        self.solved, self.owned = self.module["solved"], self.module["owned"]
        self._slots_used = 0

    @cached_property
    def packing(self) -> Packing:
        """The packing of states, as for retrograde analysis: without variables that no rule reads."""
        return packing(self.game.model, self.lowered.layout, unread(self.game.model))

    @cached_property
    def block(self) -> int:
        """The number of states in a block: fewer where many moves are possible."""
        return block_of(self.lowered.rows, self.packing.words)

    def kernel(self) -> Kernel:
        """The kernel that is joined with the game."""
        self.most = max(min(self.most, 1 << 27), self.block)
        sent = self.block * self.lowered.rows
        states = self.most * (8 * self.packing.words + 6 + _EACH) + sent * (16 * self.packing.words + 24)
        self.pool = max(INBOX, min(1 << 29, (ADDRESSES - states - _SPARE) // 4 - 8 * INBOX))
        return kernel(
            "waves", RECORDS=1, CHANCES=0, PARTED=1, COMMON=K.OWNED, MAX=self.maximiser, POOL=self.pool,
            POSITIONS=self.most, BLOCK=self.block, INBOX=INBOX, FIRST_SLOTS=_FIRST_SLOTS, **self.settings,
        )  # fmt: skip

    @property
    def settings(self) -> dict[str, int]:
        return {"MOST_STATES": self.most, "MAX_SLOTS": slots_for(self.most), "DIRECT": 0, "FOLDS": bool(self.folding),
                "EXCHANGES": 0}  # fmt: skip

    def do(self, common: Any, piece: Any) -> Any:
        """Do a piece of work, a name and its arguments. Returns the result, as plain data."""
        doing: dict[str, Callable[..., Any]] = {
            "begin": self.begin, "expand": self.expand, "admit": self.admit, "gather": self.gather, "graph": self.graph,
            "wave": self.wave, "tell": self.tell, "place": self.place_states,
        }  # fmt: skip
        what, *about = piece
        return doing[what](*about)

    # -- states ---------------------------------------------------------------------------------------------

    def expand(self, name: str, chunks: Sequence[Section]) -> list[Any]:
        """Make the successors of the states in these chunks. Returns the number of edges; for each owner the successors
        sent to it; the order of the edges; for each owner the nodes; the number of ends; the utilities met; and the sum
        of an end's utilities (None: it varies)."""
        module, words = self.module, self.packing.words
        states = 0
        for count, keys, names in chunks:
            self._load("keys", keys, states * words)
            self._load("state_name", names, states)
            states += count
        self._reset(states)
        self.solved[K.UTILITIES] = self.solved[K.UNEVEN] = self.solved[K.TOTAL] = self.solved[K.UNFIT] = 0
        module["utility_slot"].cast("B")[:] = bytes(len(module["utility_slot"].cast("B")))
        self.owned[K.SENDING] = self.found[K.EXPANDED] = self.found[K.ENDS] = 0
        try:
            for _ in self.slices(module["expand_run"]):
                pass
        except python.Trap as trap:
            module["key_of"](int(self.found[K.EXPANDED] + self.found[K.GATHERED]))
            module["unpack"]()
            raise explain_trap(self, trap, [bytes(module["s"])]) from None
        if self.solved[K.UNFIT]:
            raise Refusal(f"{clean(self.game.name)} has more utilities than retrograde analysis counts")
        module["deal_out"]()
        edges, each = int(self.owned[K.SENDING]), pairwise(module["sent_from"].tolist())
        with parts.writing(self.folder, name) as out:
            sent = [
                [end - at, out.add(module["sent_key"][at * words : end * words]),
                 out.add(module["sent_parent"][at:end])]
                for at, end in each
            ]  # fmt: skip
            order = out.add(module["sent_edge"][:edges])
        with parts.writing(self.folder, f"{name}.nodes") as out:
            between = pairwise(module["nodes_from"].tolist())
            nodes = [[end - at, out.add(module["sent_node"][at:end])] for at, end in between]
        pays = module["utility"][: self.solved[K.UTILITIES]].tolist()
        total = None if self.solved[K.UNEVEN] else self.solved[K.TOTAL]
        return [edges, sent, order, nodes, int(self.found[K.ENDS]), pays, total]

    def admit(self, name: str, image: Any, letters: Sequence[Section]) -> list[Any]:
        """Number the states that are sent to an owner, one block after the other. Returns the owner's image, for each
        block the places of the new states, and the edges."""
        self._restore(image)
        met, children, parents = list[Any](), array("i"), array("i")
        with parts.writing(self.folder, f"{name}.fresh") as out:
            for _, keys, names in letters:
                found, own = self._admit_keys(parts.read(self.folder, keys).cast("q"))
                met.append([len(found), out.add(found)])
                children += own
                parents.frombytes(parts.read(self.folder, names))
        fresh = sum(count for count, _ in met)
        with parts.writing(self.folder, f"{name}.edges") as out:
            edges = [len(children), out.add(children), out.add(parents)]
        return [self._image(f"{name}.owner") if fresh else image, met, edges]

    def _admit_keys(self, keys: memoryview) -> tuple[array[int], array[int]]:
        """Number the states with these keys. Returns the places of the new ones among the keys, and the local number of
        each key."""
        module, words = self.module, self.packing.words
        found, own = array("i"), array("i")
        for at in range(0, len(keys), INBOX * words):
            some = keys[at : at + INBOX * words]
            module["inbox"][: len(some)] = some
            self.owned[K.IN], self.owned[K.AHEAD] = len(some) // words, at // words
            self.owned[K.TAKEN] = self.owned[K.FRESH] = 0
            for _ in self.slices(module["admit_run"]):
                pass
            if self.found[K.MORE]:
                what = f"an owner of {count_text(self.most, 'state')} holds no more in {size_text(self.memory)}"
                raise LimitReached(f"{self.game.name} has more states than fit: {what}")
            found.frombytes(module["fresh"][: self.owned[K.FRESH]].cast("B"))
            own.frombytes(module["own_number"][: self.owned[K.IN]].cast("B"))
        return found, own

    def gather(self, name: str, sent: Sequence[Section], order: Part, met: Sequence[tuple[int, Section]]) -> list[Any]:
        """Gather the new successors of a block, in the order of its edges. Returns them as chunks."""
        module, words = self.module, self.packing.words
        at = 0
        self._load("sent_edge", order)
        self.owned[K.SENDING] = sum(count for count, *_ in sent)
        for (count, keys, _), (_, (fresh, *places)) in zip(sent, met, strict=True):
            if fresh:
                self._load("sent_key", keys, at * words)
                self._load("fresh", *places)
                module["mark"](at, fresh)
            at += count
        for owner, (local, _) in enumerate(met):
            module["sent_from"][owner] = local
        module["collect"]()
        states = int(self.owned[K.FRESH])
        chunks = []
        with parts.writing(self.folder, name) as out:
            for at in range(0, states, self.block):
                end = min(at + self.block, states)
                keys = out.add(module["made_key"][at * words : end * words])
                module["count_owners"](at, end)
                owners = module["nodes_from"][:OWNERS].tolist()
                chunks.append([end - at, keys, out.add(module["state_name"][at:end]), owners])
        return chunks

    def begin(self, name: str, starts: Sequence[str]) -> list[Any]:
        """Number the first states, given as words in hexadecimal digits. Returns the image of each owner (None: no
        states), and the chunks of these states."""
        keys, owners = list[bytes](), list[int]()
        for words in starts:
            self.module["s"][:] = memoryview(bytes.fromhex(words)).cast("i")
            self.module["write_key"]()
            keys.append(bytes(self.module["key"]))
            owners.append(self.module["key_hash"]() >> 60 & OWNERS - 1)
        images, named = list[Any](), dict[int, int]()
        for owner in range(OWNERS):
            own = [k for k in range(len(keys)) if owners[k] == owner]
            self._restore(None)
            fresh, _ = self._admit_keys(memoryview(b"".join(keys[k] for k in own)).cast("q"))
            named |= {own[k]: OWNERS * local + owner for local, k in enumerate(fresh)}
            images.append(self._image(f"{name}.{owner}") if own else None)
        chunks, order = list[Any](), sorted(named)
        with parts.writing(self.folder, name) as out:
            for at in range(0, len(order), self.block):
                some = order[at : at + self.block]
                counts = [sum(owners[k] == owner for k in some) for owner in range(OWNERS)]
                key, names = b"".join(keys[k] for k in some), array("i", [named[k] for k in some])
                chunks.append([len(some), out.add(key), out.add(names), counts])
        return [images, chunks]

    # -- values ---------------------------------------------------------------------------------------------

    def graph(
        self, name: str, states: int, edges: Sequence[Section], nodes: Sequence[tuple[Section, Sequence[int]]]
    ) -> list[Any]:
        """Make the lists of the parents of an owner's states, and set who moves at them and how many successors each
        waits for. Returns the files of the graph, and those of the values at the beginning."""
        module, at = self.module, 0
        total = sum(count for count, *_ in edges)
        if states > self.most or total > self.pool:
            raise LimitReached(f"the edges of {self.game.name} do not fit in the 4 GiB that kernel code can have")
        self.found[K.STATES] = states
        for (count, codes), places in nodes:
            self._load("sent_node", codes)
            module["place_of"][: len(places)] = memoryview(array("h", places))
            module["take_nodes"](at, count)
            at += count
        module["begins"].cast("B")[: 4 * states + 4] = bytes(4 * states + 4)
        for count in self._edges(edges, parents=False):
            module["count_parents"](count)
        module["add_up"]()
        for count in self._edges(edges, parents=True):
            module["put_parents"](count)
        module["put_back"]()
        with parts.writing(self.folder, name) as out:
            graph = [out.add(module["begins"][: states + 1]), out.add(module["pool"][:total])]
        with parts.writing(self.folder, f"{name}.begin") as out:
            return [graph, self._write_values(out, states)]

    def wave(
        self, name: str, states: int, graph: Sequence[Part], settled: Sequence[Part],
        mail: Sequence[Section], price: int, forced: Any,
    ) -> list[Any]:  # fmt: skip
        """Do the part of a wave at one owner. `forced` is None if a state is settled when all its successors are; else
        the place of the utility that spreads, the rank of the states that it reaches now, and whether all states are
        unsettled first. Without `mail` the wave begins. Returns the number of states settled, the files of the values,
        and the letters."""
        module = self.module
        for array_name, part in zip(("who", "waited", "value", "rank"), settled, strict=True):
            self._load(array_name, part)
        self.found[K.STATES] = states
        self.solved[K.UNFIT] = 0
        self.solved[K.PRICE] = price
        if not mail:
            if forced and forced[2]:
                module["unsettle"]()
            module["begin_with"](forced[0] if forced else -1)
        for count, to, words in mail:
            self._load("own_number", to)
            if forced:
                module["force_from"](count, forced[0], forced[1])
            else:
                self._load("arriving", words)
                module["settle_from"](count)
        if self.solved[K.UNFIT]:
            raise Refusal(f"{clean(self.game.name)} has longer plays than retrograde analysis counts")
        module["list_fresh"]()
        with parts.writing(self.folder, f"{name}.state") as out:
            after = self._write_values(out, states)
        with parts.writing(self.folder, f"{name}.mail") as out:
            letters = [
                [[end - at, out.add(module["letter_to"][at:end]),
                  None if forced else out.add(module["letter"][at:end])] for at, end in between]
                for between in self._letters(graph, states)
            ]  # fmt: skip
        return [int(self.owned[K.FRESH]), after, letters]

    def _letters(self, graph: Sequence[Part], states: int) -> Iterator[list[tuple[int, int]]]:
        """Write the letters from settled states to their parents into the kernel's memory, one stretch at a time.
        Yields for each stretch the range of the letters to each owner."""
        if not self.owned[K.FRESH]:
            return
        module, owned = self.module, self.owned
        with parts.mmap_parts(self.folder, graph, "i") as (begins, parents):
            module["begins"][: states + 1] = begins
            owned[K.SPILLED] = 0
            while owned[K.TAKEN] < owned[K.FRESH]:
                module["next_stretch"]()
                first, last = owned[K.IN], owned[K.SENDING]
                module["pool"][: last - first] = parents[first:last]
                module["write_letters"]()
                yield [*pairwise(module["sent_from"].tolist())]

    def tell(self, name: str, chunks: Sequence[Part], owners: Sequence[Any]) -> list[Any]:
        """Write the values and ranks of a block of states in the common order of all states. `owners` has a row for
        each owner with states in the block: the owner, its first state there, how many these are, and the files of its
        values and ranks."""
        module, at = self.module, 0
        for owner, first, count, *both in owners:
            module["sent_from"][owner] = at
            for array_name, part in zip(("value", "rank"), both, strict=True):
                some = parts.stretch(self.folder, part, 2 * first, 2 * count)
                module[array_name][at : at + count] = some.cast("h")
            at += count
        states = 0
        for names in chunks:
            states += self._load("state_name", names, states)
        module["tell_values"](states)
        with parts.writing(self.folder, name) as out:
            return [out.add(module["told_value"][:states]), out.add(module["told_rank"][:states])]

    def place_states(
        self, name: str, owner: int, image: Any, blocks: Sequence[Sequence[Part]], slots: Sequence[int],
        carried: Part | None,
    ) -> list[Any]:  # fmt: skip
        """Lay out an owner's part of the table of numbers. `blocks` name all states in their order; `slots`: the size
        of the table, its mask, the first slot of the part and how many it has; `carried`: the entries from the part
        before. Returns the files of the part, and of the entries that go on to the next."""
        module, first = self.module, 0
        if image:
            self._load("keys", image[2])
        self._reset(image[0] if image else 0)
        for names in blocks:
            states = 0
            for part in names:
                states += self._load("state_name", part, states)
            module["note_numbers"](owner, first, states)
            first += states
        self._clear(slots[-1])
        self.owned[K.SIZE], self.owned[K.MASK], self.owned[K.FIRST_CELL], self.owned[K.CELLS] = slots
        self.owned[K.CARRIED] = self._load("carried", carried) if carried else 0
        self.owned[K.SPILLED] = 0
        module["put_in_slots"]()
        with parts.writing(self.folder, name) as out:
            return [out.add(module["slots"][: slots[-1]]), out.add(module["spilled"][: self.owned[K.SPILLED]])]

    # -- memory ---------------------------------------------------------------------------------------------

    def _reset(self, states: int) -> None:
        self.found[K.STATES] = states
        self.found[K.MORE] = 0

    def _load(self, name: str, part: Part, at: int = 0) -> int:
        """Write a part into an array, from place `at` on. Returns how many numbers these are."""
        target = self.module[name]
        data = parts.read(self.folder, part)
        if len(data) % target.itemsize or len(data) // target.itemsize > len(target) - at:
            raise DamagedData(f"{clean(str(part[0]))} in {clean(str(self.folder))} is too long")
        content = data.cast(target.format)
        target[at : at + len(content)] = content
        return len(content)

    def _clear(self, slots: int) -> None:
        """Empty the table of numbers, which will have `slots` slots."""
        self.module["slots"].cast("B")[: 4 * max(self._slots_used, slots)] = bytes(4 * max(self._slots_used, slots))
        self._slots_used = slots

    def _restore(self, image: Any) -> None:
        """Load the states of an owner into memory; `image` is None for an owner without states."""
        states, slots, *held = image or (0, 0)
        self._reset(states)
        if not held:
            self._clear(max(self._slots_used, _FIRST_SLOTS))
            self.found[K.SLOTS] = 0
            self.module["lay_out"](_FIRST_SLOTS)
            return
        self._clear(slots)
        self._load("keys", held[0])
        self._load("slots", held[1])
        self.found[K.SLOTS], self.found[K.FILLED], self.found[K.NUMBERS] = slots, slots // 5 * 4, mask_of(slots)

    def _image(self, name: str) -> list[Any]:
        """Write the owner's states and their table to a file. Returns the image: how many states and slots, and their
        parts."""
        states, slots = self.states, int(self.found[K.SLOTS])
        self._slots_used = max(self._slots_used, slots)
        with parts.writing(self.folder, name) as out:
            keys = out.add(self.module["keys"][: states * self.packing.words])
            return [states, slots, keys, out.add(self.module["slots"][:slots])]

    def _write_values(self, out: parts.Writing, states: int) -> list[Part]:
        return [out.add(self.module[name][:states]) for name in ("who", "waited", "value", "rank")]

    def _edges(self, edges: Sequence[Section], parents: bool) -> Iterator[int]:
        """Load the edges to an owner's states, up to INBOX at a time: the states, and with `parents` their parents.
        Yields how many are loaded."""
        for count, *both in edges:
            for at in range(0, count, INBOX):
                some = min(INBOX, count - at)
                for array_name, part in zip(("own_number", "arriving")[: 1 + parents], both, strict=False):
                    content = parts.stretch(self.folder, part, 4 * at, 4 * some)
                    self.module[array_name][:some] = content.cast("i")
                yield some


def block_of(rows: int, words: int) -> int:
    """The number of states in a block, for a game with at most `rows` rows and keys of `words` words."""
    return max(1, min(MOST_BLOCK, _BLOCK_BYTES // (rows * (16 * words + 24))))


def mask_of(slots: int) -> int:
    """The mask of the bits of a slot that hold a number, in a table of `slots` slots."""
    return int((1 << (slots + 1).bit_length()) - 1)


# The shapes of the results of pieces, to check those that come from a file: a journal from elsewhere is not trusted.

Shape = Callable[[Any], bool]  # value -> whether it has the shape


def number(value: Any) -> bool:
    return type(value) is int and -(1 << 63) <= value < 1 << 63


def count(value: Any) -> bool:
    return number(value) and value >= 0


def maybe(shape: Shape) -> Shape:
    """The shape of a value that has a given shape or is None."""
    return lambda value: value is None or shape(value)


def each(shape: Shape, length: int | None = None) -> Shape:
    """The shape of a list whose items have a given shape, of any length or of this one."""
    return lambda value: isinstance(value, list) and length in (None, len(value)) and all(map(shape, value))


def record(*shapes: Shape) -> Shape:
    """The shape of a list with one item of each of these shapes."""
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(shapes)
        and all(shape(one) for shape, one in zip(shapes, value, strict=True))
    )


IMAGE = record(count, count, is_part, is_part)
CHUNK = record(count, is_part, is_part, each(count, OWNERS))
SETTLED = each(is_part, 4)
RESULTS: dict[str, Shape] = {  # the shapes of results, by the name of the piece
    "begin": record(each(maybe(IMAGE), OWNERS), each(CHUNK)),
    "expand": record(
        count, each(record(count, is_part, is_part), OWNERS), is_part, each(record(count, is_part), OWNERS), count,
        each(number), maybe(number),
    ),
    "admit": record(maybe(IMAGE), each(record(count, is_part)), record(count, is_part, is_part)),
    "gather": each(CHUNK),
    "graph": record(each(is_part, 2), SETTLED),
    "wave": record(count, SETTLED, each(each(record(count, is_part, maybe(is_part)), OWNERS))),
    "tell": each(is_part, 2),
    "place": each(is_part, 2),
}  # fmt: skip


def is_sound(piece: Any, result: Any) -> bool:
    """True if a result has the shape that results of this piece have."""
    what, *about = piece
    if not RESULTS[what](result):
        return False
    if what == "admit":
        return len(result[1]) == len(about[2]) and (result[0] is not None or not about[2])
    return True
