"""Tables by several workers: the bytes of one process, whoever is killed; what a piece has left is not believed."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Sequence
from filecmp import dircmp
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from click.testing import CliRunner
from shipped import shipped

import gdl
from gdl.commands import cli, tabling
from gdl.commands.workers import Staff
from gdl.compiler.searches import owner, retrograde_tables
from gdl.compiler.searches.owner import Owner
from gdl.compiler.searches.retrograde import Retrograde
from gdl.compiler.searches.shared_table import SharedTable, merge_chunks
from gdl.errors import DamagedData, GameError, LimitReached, Refusal
from gdl.formats import parts
from gdl.game import require_number
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers.cluster.pieces import LocalWorker
from gdl.states.explore import explore

pytest.importorskip("wasmtime")

FOUR = ["solve", "connect_four", "--set", "columns=4", "--set", "rows=4"]
CHASE = """
game "Chase" (n = 7)
players Fox, Hound

type Place = 0..n

state
    at: Place = 3
    loud: 0..1 = 0

action run(d: -1..1)
    require at + d in Place
    at := at + d

terminal
    at = n -> win Fox
    at = 0 -> pay 3 to Hound
"""


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


def analysed(search: Retrograde) -> Retrograde:
    price = search.game.promises.forever
    worth = 0 if price is None else require_number(price[search.maximiser])
    for step in (search.explore, lambda: search.prepare(worth), lambda: search.analyse(worth)):
        for _ in step():
            pass
    return search


def by_one(game: RulesGame, folder: Path, symmetry: bool = False) -> None:
    retrograde_tables.write(analysed(Retrograde(game, game.initial(), "wasm", symmetry=symmetry)), folder)


def shared(
    game: RulesGame, folder: Path, symmetry: bool = False, engine: str = "wasm", memory: int | None = None
) -> Retrograde:
    """A table that one worker makes, piece by piece, the last of each round first. An owner's states may take so much
    memory."""
    made = SharedTable(game, game.initial(), engine, folder, symmetry=symmetry)
    made.work.mkdir(parents=True)
    worker = Owner(game, game.initial(), engine, 0, memory, made.search.symmetries, made.work)

    def done(pieces: Sequence[Any]) -> Any:
        return reversed([worker.do(None, piece) for piece in reversed(pieces)])

    made.by_workers = done
    return analysed(made.search)


def same(one: Path, other: Path) -> bool:
    """True if two folders have the same tables. (A process killed between its last file and its end leaves its
    lock.)"""
    found = dircmp(one, other, ignore=["work", "lock"])
    equal = all((one / name).read_bytes() == (other / name).read_bytes() for name in found.common_files)
    return equal and len(found.common_files) == 5 and not found.left_only and not found.right_only


# -- the same bytes ---------------------------------------------------------------------------------------------


SMALL = [  # game, its settings, whether up to symmetry
    pytest.param("connect_four", {"columns": "3", "rows": "2", "run": "2"}, False, marks=pytest.mark.slow),
    ("pong_hau_ki", {}, False),
]
LARGER = [
    ("connect_four", {"columns": "4", "rows": "4"}, False),
    ("connect_four", {"columns": "3", "rows": "3", "run": "3"}, True),
    ("nim", {}, False),
    ("tic_tac_toe", {}, True),
    ("kalah", {"houses": "3", "seeds": "2"}, False),
    ("breakthrough", {"columns": "3", "rows": "5"}, False),
    ("konane", {"columns": "4", "rows": "4"}, False),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "settings", "symmetry"), SMALL)
def test_a_table_in_pieces_has_the_bytes_of_one(
    name: str, settings: dict[str, str], symmetry: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Blocks are small, so that there are many of each level, and letters come in several groups."""
    monkeypatch.setattr(owner, "MOST_BLOCK", 12)
    monkeypatch.setattr(owner, "INBOX", 16)
    game = shipped(name, settings)
    by_one(game, tmp_path / "one", symmetry)
    search = shared(game, tmp_path / "many", symmetry)
    assert same(tmp_path / "one", tmp_path / "many")
    assert search.number(game.initial()) == 0
    assert search.number(search.state(search.states - 1)) == search.states - 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings", "symmetry"), LARGER)
def test_larger_tables_in_pieces_have_the_bytes_of_one(
    name: str, settings: dict[str, str], symmetry: bool, tmp_path: Path
):
    game = shipped(name, settings)
    by_one(game, tmp_path / "one", symmetry)
    shared(game, tmp_path / "many", symmetry)
    assert same(tmp_path / "one", tmp_path / "many")


@pytest.mark.slow
def test_a_table_of_part_of_a_game_has_the_bytes_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The table begins at many states, some of which are equal."""
    monkeypatch.setattr(owner, "MOST_BLOCK", 32)
    game = shipped("breakthrough", {"columns": "3", "rows": "4"})
    states = explore(game).states
    first, *starts = random.Random(7).choices([state for state in states if game.node(state) and state.turn >= 0], k=90)
    retrograde_tables.write(analysed(Retrograde(game, first, "wasm", starts=starts)), tmp_path / "one")
    search = SharedTable(game, first, "wasm", tmp_path / "many", starts=starts)
    search.work.mkdir(parents=True)
    worker = Owner(game, game.initial(), "wasm", 0, None, (), search.work)
    search.by_workers = lambda pieces: (worker.do(None, piece) for piece in pieces)
    analysed(search.search)
    assert same(tmp_path / "one", tmp_path / "many")


@pytest.mark.slow
def test_a_part_of_a_game_by_several(tmp_path: Path):
    condition = ["--where", "(count s in Square: disc[s] != none) >= 9"]
    printed = run(*FOUR, "--table", str(tmp_path / "one"), *condition)
    assert run(*FOUR, "--table", str(tmp_path / "two"), *condition, "--workers", "2") == printed
    assert same(tmp_path / "one", tmp_path / "two")


@pytest.mark.slow
def test_an_owner_needs_less_than_half_of_the_memory_that_all_states_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The bytes that states may take: what is half of enough for one process is enough for each owner."""
    game = shipped("connect_four", {"columns": "4", "rows": "4"})
    enough = 37 << 17
    analysed(Retrograde(game, game.initial(), "wasm", memory=enough))
    with pytest.raises(LimitReached, match="do not fit in 2 MiB"):
        analysed(Retrograde(game, game.initial(), "wasm", memory=enough // 2))
    by_one(game, tmp_path / "one")
    search = shared(game, tmp_path / "many", memory=enough // 2)
    assert same(tmp_path / "one", tmp_path / "many")
    monkeypatch.setattr(owner, "MOST_BLOCK", 1 << 12)
    with pytest.raises(LimitReached, match=r"more states than fit: an owner of [\d,]+ states holds no more in \d+ KiB"):
        shared(game, tmp_path / "few", memory=search.states * 2)


@pytest.mark.slow
def test_kernels_as_python_write_the_same(tmp_path: Path):
    game = shipped("pong_hau_ki")
    by_one(game, tmp_path / "one")
    shared(game, tmp_path / "many", engine="python")
    assert same(tmp_path / "one", tmp_path / "many")


def test_chunks_that_follow_one_another_become_blocks():
    assert merge_chunks([[3], [2], [1], [4], [5]], 5) == [[[3], [2]], [[1], [4]], [[5]]]
    assert merge_chunks([], 5) == []


# -- what is refused --------------------------------------------------------------------------------------------


def test_what_is_left_beside_a_table_that_is_whole_is_taken_away(tmp_path: Path):
    """As by a kill after its last file; what another made in a folder of that name is not touched."""
    by_one(shipped("pong_hau_ki"), tmp_path)
    (tmp_path / "work").mkdir()
    command = ["solve", "pong_hau_ki", "--table", str(tmp_path), "--workers", "1"]
    assert run(*command) and (tmp_path / "work").exists()
    (tmp_path / "work" / "journal").touch()
    assert run(*command) and not (tmp_path / "work").exists()


def test_several_workers_make_tables_only():
    assert "several workers make tables, or learn by" in run(*FOUR, "--workers", "2", status=2)


@pytest.mark.slow
def test_what_several_workers_do_not_make_is_told(tmp_path: Path):
    folder = str(tmp_path / "table")
    assert "where chance moves" in run("solve", "pig", "--set", "goal=5", "--table", folder, "--workers", "1", status=5)
    symmetric = ["--table", folder, "--solver", "retrograde", "--symmetry", "--workers", "1"]
    assert "can change parts" in run("solve", "nim", *symmetric, status=5)


def test_endless_play_without_a_price_has_no_table(tmp_path: Path):
    game = gdl.loads(CHASE).game
    with pytest.raises(Refusal, match="needs to know what endless play is worth"):
        shared(game, tmp_path / "table")


@pytest.mark.slow
def test_a_fault_of_the_rules_is_told_with_the_play(tmp_path: Path):
    game = gdl.loads(CHASE.replace("require at + d in Place", "at := at + d + loud")).game
    with pytest.raises(GameError) as one:
        analysed(Retrograde(game, game.initial(), "wasm"))
    with pytest.raises(GameError) as many:
        shared(game, tmp_path / "table")
    assert many.value.problems == one.value.problems


# -- what pieces leave ------------------------------------------------------------------------------------------


def test_a_part_is_what_was_written(tmp_path: Path):
    with parts.writing(tmp_path, "file") as out:
        one, other = out.add(b"first"), out.add(memoryview(bytes(range(8))).cast("i"))
    assert bytes(parts.read(tmp_path, one)) == b"first" and len(parts.read(tmp_path, other)) == 8
    assert bytes(parts.stretch(tmp_path, other, 4, 2)) == b"\4\5"
    with parts.mmap_parts(tmp_path, [other], "B") as (view,):
        assert view.tolist() == [*range(8)]
    (tmp_path / "file").write_bytes(b"First" + bytes(range(7)))
    for part in (one, other, ["none", 0, 1, 0], ["file", 0, 1 << 62, 0]):
        with pytest.raises(DamagedData, match="not what was written"):
            parts.read(tmp_path, part)
    with pytest.raises(DamagedData, match="not what was written"):
        parts.stretch(tmp_path, other, 4, 4)
    with pytest.raises(DamagedData), parts.mmap_parts(tmp_path, [["none", 0, 1, 0]], "B"):
        pass


@pytest.mark.parametrize(
    "lie", [["../x", 0, 1, 0], ["/x", 0, 1, 0], ["..", 0, 1, 0], ["", 0, 1, 0], [b"x", 0, 1, 0], ["x", -1, 1, 0],
            ["x", 0, 1 << 70, 0], ["x", 0, 1.5, 0], ["x", 0, True, 0], ["x", 0, 1], "x", None]
)  # fmt: skip
def test_what_is_no_part_is_not_taken_for_one(lie: Any):
    """Above all no file elsewhere, which would be taken away when it is not needed any more."""
    assert parts.is_part(["x", 0, 1, 0]) and not parts.is_part(lie)


def lies(value: Any) -> Any:
    """The data with one thing in them changed."""
    if not isinstance(value, list):
        yield from ({}, "../x", -1, 1.5)
        return
    yield from ([], None, 7, [*value, 0])
    for k, one in enumerate(value[:4]):
        for lie in itertools.islice(lies(one), 6):
            yield [*value[:k], lie, *value[k + 1 :]]


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow) if k else what for k, what in enumerate(owner.RESULTS)]
)
def test_a_hostile_journal_is_told_as_damaged(what: str, tmp_path: Path):
    """Whatever it says, nothing but the folder is touched, and nothing ends with a traceback."""
    game = shipped("pong_hau_ki")
    search = SharedTable(game, game.initial(), "wasm", tmp_path / "table")
    search.work.mkdir(parents=True)
    worker = Owner(game, game.initial(), "wasm", 0, None, (), search.work)
    met = []

    def told(pieces: Sequence[Any]) -> Any:
        for piece in pieces:
            result = json.loads(json.dumps(worker.do(None, piece)))
            met.append((piece, result))
            yield None if piece[0] == what else result

    search.by_workers = told
    with pytest.raises(DamagedData, match="the journal in .* is damaged"):  # noqa: RUF043
        analysed(search.search)
    piece, honest = met[-1]
    assert owner.is_sound(piece, honest)
    for lie in lies(honest):
        if owner.is_sound(piece, lie):
            assert not any("/" in text for text in re.findall(r'"([^"]*)"', json.dumps(lie)))


@pytest.mark.thorough
def test_a_journal_that_contradicts_itself_is_told_as_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """All lines of the journal are whole and of the right form."""
    command = ["solve", "pong_hau_ki", "--table", str(tmp_path), "--cluster", "local:1"]
    monkeypatch.setattr(tabling, "rmtree", lambda *some, **how: None)
    monkeypatch.setattr(SharedTable, "_remove", lambda *some: None)
    monkeypatch.setattr(Staff, "_workers", lambda *staff: LocalWorker())
    run(*command)
    for file in tmp_path.glob("*.*"):
        file.unlink()
    kept = tmp_path / "work" / "journal"
    first, begin, expand, *_ = kept.read_bytes().splitlines(keepends=True)
    told = json.loads(expand.partition(b" ")[2])
    assert any(names[2] % 8 for _, _, names in told[1])
    told[1] = [[count, names, names] for count, _, names in told[1]]  # keys are where the parents are, half as long
    text = json.dumps(told).encode()
    kept.write_bytes(first + begin + b"%d %s\n" % (crc32(text), text))
    assert "the journal in" in (said := run(*command, status=6)) and "contradicts itself" in said


def test_a_file_that_is_not_whole_is_not_there(tmp_path: Path):
    with pytest.raises(KeyError), parts.writing(tmp_path, "file") as out:
        out.add(b"half")
        raise KeyError
    assert [*tmp_path.iterdir()] == []


# -- several workers --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A table by one process, and what was printed."""
    folder = tmp_path_factory.mktemp("plain") / "table"
    return folder, run(*FOUR, "--table", str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [["--workers", "1"], ["--workers", "2"], ["--workers", "4"]])
def test_the_same_table_by_any_number_of_workers(plain: tuple[Path, str], workers: list[str], tmp_path: Path):
    folder = tmp_path / "table"
    assert run(*FOUR, "--table", str(folder), *workers) == plain[1]
    assert same(plain[0], folder) and not (folder / "work").exists()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
def test_the_same_table_on_a_cluster(plain: tuple[Path, str], tmp_path: Path):
    folder = tmp_path / "table"
    assert run(*FOUR, "--table", str(folder), "--cluster", "local:2") == plain[1]
    assert same(plain[0], folder)
