"""A table of a solved game that several workers make: the rounds of pieces, and the merging of their results.

1. Level by level, blocks of states are expanded; their successors go to their owners, who number those that are fresh;
   fresh states are gathered block by block, which puts them in the order in which one process would have met them.
2. From the ends, values go back in waves of letters from state to parent (kernels/waves.py). Where some states are
   settled by no wave, play could go on for ever: then utilities spread one by one.
3. Values, and the table of numbers, are put in the order of all states.

The table has the same bytes as one that a single process makes. This process holds nothing but counts, and the places
of parts in files: so the work can go on from a journal of the results.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from gdl.compiler.searches import retrograde_tables
from gdl.compiler.searches.owner import OWNERS, K, Section, block_of, is_sound, mask_of
from gdl.compiler.searches.retrograde import Retrograde
from gdl.compiler.searches.state_table import FEWEST_SLOTS, slots_for
from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files, parts
from gdl.formats.parts import Part
from gdl.game import Number
from gdl.interpreter.rules_game import RulesGame, State

Run = Callable[[Sequence[Any]], Iterator[Any]]  # pieces -> their results, in order
Round = Generator[None, None, list[Any]]  # yields after each piece, and returns all results


class SharedTable:
    """Retrograde analysis by several workers, as the TableMaker of a search (`search`), which solvers use: the results
    lie in a folder, as a table. The module of the search packs and unpacks states, and holds the counts."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, folder: Path, maximiser: int = 0,
        memory: int | None = None, symmetry: bool = False, starts: Sequence[State] = (),
    ):  # fmt: skip
        """`folder`: of the table; parts lie in its subfolder `work`. The other arguments are those of Retrograde."""
        self.search = Retrograde(game, start, engine, maximiser, None, memory, symmetry, starts, self)
        if self.search.has_chance:
            raise Refusal(f"several workers make no table of {clean(game.name)}, where chance moves; leave them out")
        if self.search.pairs:
            raise Refusal("where players can change parts, several workers make no table up to symmetry; leave one out")
        self.folder, self.work = folder, folder / "work"
        self.by_workers: Run = iter
        self.block = block_of(self.search.lowered.rows, self.search.packing.words)
        self._known: _States | None = None

    @property
    def work_identity(self) -> dict[str, Any]:
        """The facts, which JSON can hold, by which a journal of this work is recognised."""
        keys = retrograde_tables.keys_of(self.search.packing, self.search.symmetries)
        rules = retrograde_tables.rules_of(self.search.game.model, keys)
        start = sha256(b"".join(self.starts)).hexdigest()
        return {"rules": rules, "start": start, "owners": OWNERS, "block": self.block}

    @property
    def starts(self) -> list[bytes]:
        """The words of the states at which the enumeration begins."""
        return [self.search.start, *self.search.further_starts]

    def _round(self, pieces: Sequence[Any]) -> Round:
        """Let the workers do these pieces, and collect the results."""
        done = []
        for piece, result in zip(pieces, self.by_workers(pieces) if pieces else (), strict=True):
            if not is_sound(piece, result):
                where = clean(str(self.work))
                raise DamagedData(f"the journal in {where} is damaged; without that folder the work begins anew")
            done.append(result)
            yield
        return done

    # -- states ---------------------------------------------------------------------------------------------

    def explore(self) -> Iterator[None]:
        """Number the states, level by level."""
        begin = ("begin", "first", [words.hex() for words in self.starts])
        ((images, chunks),) = yield from self._round([begin])
        found = _States(images, [], [[] for _ in range(OWNERS)], [])
        blocks, level = merge_chunks(chunks, self.block), 0
        while blocks:
            self._count(found)
            found.blocks.extend(blocks)
            blocks = yield from self._level(found, blocks, level)
            level += 1
        self.search.found[K.LEVELS], self.search.found[K.LAYERED] = level, 1
        if self.search.found[K.LEVELS] > K.LONGEST:
            raise Refusal(f"{clean(self.search.game.name)} has more utilities or plies than retrograde analysis counts")
        self._note_utilities(found)
        self._known = found

    def _level(self, found: _States, blocks: Sequence[Any], level: int) -> Round:
        """Expand the blocks of a level. Returns the blocks of the next one."""
        made = yield from self._round(
            [("expand", f"sent.{level}.{b}", [chunk[:3] for chunk in chunks]) for b, chunks in enumerate(blocks)]
        )
        found.nodes.extend((nodes, pays, total) for _, _, _, nodes, _, pays, total in made)
        self.search.found[K.EDGES] += sum(edges for edges, *_ in made)
        self.search.found[K.ENDS] += sum(ends for _, _, _, _, ends, _, _ in made)
        busy = [o for o in range(OWNERS) if any(sent[o][0] for _, sent, *_ in made)]
        letters = [[sent[o] for _, sent, *_ in made if sent[o][0]] for o in busy]
        admitting = [
            ("admit", f"met.{level}.{o}", found.images[o], some) for o, some in zip(busy, letters, strict=True)
        ]
        admitted = yield from self._round(admitting)
        numbers = [found.states(o) for o in range(OWNERS)]
        fresh = [[[0] for _ in made] for _ in range(OWNERS)]  # of each owner, by block
        old = [image[2][0] for image in found.images if image]
        for o, (image, met, edges) in zip(busy, admitted, strict=True):
            found.images[o] = image
            found.edges[o].append(edges)
            places = iter(met)
            fresh[o] = [next(places) if sent[o][0] else [0] for _, sent, *_ in made]
        pieces = list[Any]()
        for b, (_, sent, order, *_) in enumerate(made):
            met = [(numbers[o], fresh[o][b]) for o in range(OWNERS)]
            here = [count for _, (count, *_) in met]
            if any(here):
                pieces.append(("gather", f"states.{level}.{b}", sent, order, met))
            numbers = [number + count for number, count in zip(numbers, here, strict=True)]
        gathered = yield from self._round(pieces)
        now = {image[2][0] for image in found.images if image}
        done = [f"met.{level}.{o}.fresh" for o in busy] + [f"sent.{level}.{b}" for b in range(len(blocks))]
        self._remove([*done, *(name for name in old if name not in now)])
        return merge_chunks([chunk for chunks in gathered for chunk in chunks], self.block)

    def _count(self, found: _States) -> None:
        self.search.found[K.STATES] = sum(found.states(o) for o in range(OWNERS))

    def _note_utilities(self, found: _States) -> None:
        """Note the utilities that were met, and their sum."""
        pays = [*dict.fromkeys(pay for _, some, _ in found.nodes for pay in some)]
        if len(pays) >= K.MAX_UTILITIES:
            raise Refusal(f"{clean(self.search.game.name)} has more utilities or plies than retrograde analysis counts")
        self.search.module["utility"][: len(pays)] = memoryview(array("q", pays))
        totals = {total for _, some, total in found.nodes if some}
        self.search.solved[K.UTILITIES] = len(pays)
        self.search.solved[K.UNEVEN] = len(totals) > 1 or None in totals
        self.search.solved[K.TOTAL] = min((total for total in totals if total is not None), default=0)

    def _remove(self, names: Sequence[str]) -> None:
        """Remove files of parts that nothing reads any more."""
        for name in names:
            (self.work / name).unlink(missing_ok=True)

    # -- values ---------------------------------------------------------------------------------------------

    def analyse(self, price: Number) -> Iterator[None]:
        """Find every state's value and rank, with this price of endless play, and write the table."""
        found = self._known
        assert found is not None and self.search.table is None
        owners = [o for o in range(OWNERS) if found.states(o)]
        place = {Fraction(number): k for k, number in enumerate(self.search.numbers)}
        denominator = self.search.lowered.denominator
        nodes = [[(some[o], [place[Fraction(u, denominator)] for u in pays]) for some, pays, _ in found.nodes]
                 for o in range(OWNERS)]  # fmt: skip
        made = yield from self._round(
            [("graph", f"graph.{o}", found.states(o), found.edges[o], nodes[o]) for o in owners]
        )
        self._remove([edges[1][0] for some in found.edges for edges in some])
        self._remove([some[0][1][0] for some, *_ in found.nodes])
        waves = _Waves(found, place[Fraction(price)], dict(zip(owners, (graph for graph, _ in made), strict=True)))
        begin = dict(zip(owners, (settled for _, settled in made), strict=True))
        settled = yield from self._spread(waves, begin, None, keep=True)
        self.search.endless = waves.settled < self.search.states
        if self.search.endless:
            if self.search.game.promises.forever is None:
                name = clean(self.search.game.name)
                raise Refusal(f"a table of {name} needs to know what endless play is worth: say `forever -> draw`")
            self._drop(settled)
            settled = begin
            last = len(self.search.numbers) - 1
            for spreading in (*range(last, waves.price, -1), *range(waves.price)):
                settled = yield from self._spread(waves, settled, spreading, keep=settled is begin)
        yield from self._write_table(found, settled)
        self.search.table = retrograde_tables.RetrogradeTable(self.search.game, self.folder)

    def _spread(
        self, waves: _Waves, settled: dict[int, Any], place: int | None, keep: bool
    ) -> Generator[None, None, dict[int, Any]]:
        """Repeat waves until one settles no more states. `place` is that of the utility which spreads; None: states are
        settled when all their successors are. `keep`: do not remove the files of values from which the waves begin.
        Returns the files of values, by owner."""
        begun, settled, far = settled, {**settled}, 0
        mail: dict[int, list[Any]] = {o: [] for o in settled}
        while mail:
            forced = None if place is None else [place, far, keep and far == 0]
            name = f"wave.{waves.number}"
            pieces = [("wave", f"{name}.{o}", waves.found.states(o), waves.graph[o], settled[o], mail[o], waves.price,
                       forced) for o in mail]  # fmt: skip
            done = yield from self._round(pieces)
            read = {to[0] for some in mail.values() for _, to, _ in some}
            before = {o: settled[o] for o in mail if not (keep and settled[o] is begun[o])}
            owners, mail = [*mail], {}
            for o, (fresh, after, letters) in zip(owners, done, strict=True):
                waves.settled += fresh
                settled[o] = after
                for group in letters:
                    for to, section in enumerate(group):
                        if section[0]:
                            mail.setdefault(to, []).append(section)
            mail = {o: mail[o] for o in sorted(mail)}
            self._drop(before)
            self._remove([*read])
            waves.number += 1
            far += 1
        return settled

    def _drop(self, settled: dict[int, Any]) -> None:
        """Remove files of values that are not needed any more."""
        self._remove([some[0][0] for some in settled.values()])

    # -- the table ------------------------------------------------------------------------------------------

    def _write_table(self, found: _States, settled: dict[int, Any]) -> Iterator[None]:
        """Write the arrays of the table, and its manifest."""
        pieces, at = [], [0] * OWNERS
        for b, chunks in enumerate(found.blocks):
            counts = [sum(some) for some in zip(*(chunk[3] for chunk in chunks), strict=True)]
            owners = [(o, at[o], count, *settled[o][2:]) for o, count in enumerate(counts) if count]
            at = [first + count for first, count in zip(at, counts, strict=True)]
            pieces.append(("tell", f"values.{b}", [chunk[2] for chunk in chunks], owners))
        told = yield from self._round(pieces)
        slots = yield from self._slots(found)
        contents = {
            "keys": [chunk[1] for chunks in found.blocks for chunk in chunks], "slots": slots,
            "values": [values for values, _ in told], "ranks": [ranks for _, ranks in told],
        }  # fmt: skip
        retrograde_tables.finish(
            self.search, self.folder, {name: self._join_parts(name, some) for name, some in contents.items()}
        )

    def _join_parts(self, name: str, some: Sequence[Part]) -> list[int]:
        """Write parts one after the other as an array of the table. Returns the checksums of its blocks."""
        checks, held = list[int](), bytearray()
        with files.open_atomic(self.folder / f"{name}.bin") as out:
            for part in some:
                content = parts.read(self.work, part)
                out.write(content)
                held += content
                while len(held) >= retrograde_tables.BLOCK:
                    checks.append(crc32(held[: retrograde_tables.BLOCK]))
                    del held[: retrograde_tables.BLOCK]
        return [*checks, crc32(held)] if held else checks

    def _slots(self, found: _States) -> Round:
        """Lay out the parts of the table of numbers. What does not fit into a part moves to the next, so some parts are
        laid out again, until nothing changes."""
        size = self._size()
        mask = mask_of(size)
        self.search.found[K.SLOTS], self.search.found[K.NUMBERS] = size, mask
        cells = [size * o // OWNERS for o in range(OWNERS + 1)]
        names = [[chunk[2] for chunk in chunks] for chunks in found.blocks]
        carried: list[Any] = [None] * OWNERS
        laid: list[Any] = [None] * OWNERS
        changed, number = [*range(OWNERS)], 0
        while changed:
            pieces = [
                ("place", f"slots.{number}.{o}", o, found.images[o], names,
                 [size, mask, cells[o], cells[o + 1] - cells[o]], carried[o]) for o in changed
            ]  # fmt: skip
            done = yield from self._round(pieces)
            for o, some in zip(changed, done, strict=True):
                laid[o] = some
            after = [laid[o - 1][1] for o in range(OWNERS)]
            changed = [o for o in range(OWNERS) if after[o][2:] != (carried[o][2:] if carried[o] else [0, 0])]
            carried, number = after, number + 1
        return [slots for slots, _ in laid]

    def _size(self) -> int:
        """The number of slots that a single process would have ended with."""
        states, room = self.search.states, self.search.most
        if self.search.direct:
            return FEWEST_SLOTS + states * 3 // 2
        size, most = int(K.FIRST_SLOTS), slots_for(room)
        while states + K.BATCH + self.search.lowered.rows > size // 5 * 4 and (size < most or states > room):
            size = size * 4 if size < K.QUICK_SLOTS else size * 2 if size == K.QUICK_SLOTS else size // 4 * 5
            size = size if states > room else min(size, most)
        return size


class _States(NamedTuple):
    """The files in which all states lie, by owner and by block."""

    images: list[Any]  # by owner: the image of its states (owner.py), None: it has none
    blocks: list[list[Any]]  # in the order of all states: the chunks of each
    edges: list[list[Section]]  # by owner: the edges to its states
    nodes: list[tuple[Any, Sequence[int], Any]]  # by block: the nodes of each owner, the block's utilities, their sum

    def states(self, owner: int) -> int:
        """The number of states that an owner has."""
        return self.images[owner][0] if self.images[owner] else 0


class _Waves:
    """The common part of all waves, and the number of states that they have settled."""

    def __init__(self, found: _States, price: int, graph: dict[int, Any]):
        self.found, self.price, self.graph = found, price, graph
        self.settled = self.number = 0


def merge_chunks(chunks: Sequence[Any], most: int) -> list[list[Any]]:
    """Join consecutive chunks into blocks of at most `most` states."""
    blocks, held = list[list[Any]](), 0
    for chunk in chunks:
        if not blocks or held + chunk[0] > most:
            blocks.append([])
            held = 0
        blocks[-1].append(chunk)
        held += chunk[0]
    return blocks
