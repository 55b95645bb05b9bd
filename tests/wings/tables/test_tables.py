"""Tables of solved games: they say what was found, and damage is told."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from zlib import crc32

import pytest
from click.testing import CliRunner
from shipped import shipped

from gdl.commands import cli
from gdl.compiler import folding
from gdl.compiler.lower import lower, packing
from gdl.compiler.searches.retrograde import Retrograde
from gdl.errors import DamagedData, LimitReached, Refusal
from gdl.interpreter.rules_game import RulesGame
from gdl.solvers import solve
from gdl.states.explore import explore
from gdl.wings.tables import table_files as retrograde_tables
from gdl.wings.tables.checkpoints import RetrogradeCheckpoint
from gdl.wings.tables.table_files import RetrogradeTable
from gdl.wings.tables.table_lookup import TableLookup, holds, open_table

pytest.importorskip("wasmtime")

THREE = {"columns": "3", "rows": "3", "run": "3"}


def solved(found: RulesGame, price: int = 0, symmetry: bool = False, after: str = "") -> Retrograde:
    if symmetry:
        pytest.importorskip("gdl.wings.symmetry")
    start = found.successor(found.initial(), after) if after else found.initial()
    search = Retrograde(found, start, "wasm", symmetry=symmetry)
    for step in (search.explore, lambda: search.prepare(price), lambda: search.analyse(price)):
        for _ in step():
            pass
    return search


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("table")
    retrograde_tables.write(solved(shipped("connect_four", THREE)), made)
    return made


@pytest.mark.parametrize(
    ("name", "settings"), [("connect_four", THREE), ("pong_hau_ki", {}), ("nim", {}), ("hex", {"n": "2"})]
)
def test_a_table_says_what_was_found(name: str, settings: dict[str, str], tmp_path: Path):
    found = shipped(name, settings)
    search = solved(found)
    retrograde_tables.write(search, tmp_path)
    table = RetrogradeTable(found, tmp_path)
    assert table.states == search.states
    for number, state in enumerate(explore(found).states):
        assert table.number(state) == number
        assert table.value(number) == search.value(number)
        assert table.rank(number) == search.rank(number)
        assert sum(table.utilities(number)) == 0


SYMMETRIC = [  # game, its settings, and the action after which the table begins
    ("connect_four", THREE, ""),
    pytest.param("pong_hau_ki", {}, "", marks=pytest.mark.slow),
    pytest.param("nim", {}, "", marks=pytest.mark.slow),
    ("nim", {}, "take(1, 1)"),
    ("kayles", {}, ""),
    ("tic_tac_toe", {}, ""),
    pytest.param("konane", {"columns": "4", "rows": "4"}, "", marks=pytest.mark.slow),
    pytest.param("dots_and_boxes", {"rows": "1", "columns": "2"}, "", marks=pytest.mark.slow),
    ("dots_and_boxes", {"rows": "1", "columns": "2"}, "a2"),
    ("kalah", {"houses": "3", "seeds": "2"}, ""),
    pytest.param("kalah", {"houses": "3", "seeds": "2"}, "sow(1)", marks=pytest.mark.slow),
]


@pytest.mark.thorough
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("name", "settings", "after"), SYMMETRIC)
def test_a_table_up_to_symmetry_says_the_same(name: str, settings: dict[str, str], after: str, tmp_path: Path):
    """Of every position: its value, how far the end is, and the actions in the same order. Where a state stands for two
    positions, draws too end as late as without."""
    found = shipped(name, settings)
    retrograde_tables.write(solved(found, after=after), tmp_path / "all")
    retrograde_tables.write(solved(found, symmetry=True, after=after), tmp_path / "folded")
    one, other = (TableLookup(found, RetrogradeTable(found, tmp_path / folder)) for folder in ("all", "folded"))
    assert other.table.states < one.table.states
    for state in explore(found).states:
        if one.value(state) is None:
            continue
        assert other.value(state) == one.value(state)
        assert other.rank(state) == one.rank(state)
        assert other.rank_actions(state) == one.rank_actions(state)
    first, second = one.solution(), other.solution()
    assert (first is None) == (second is None) == bool(after)
    if first and second:
        assert (first.value, first.best, first.line) == (second.value, second.best, second.line)


@pytest.mark.parametrize("format", [1, 2, 3, 5])
def test_a_table_of_another_format_is_refused(folder: Path, tmp_path: Path, format: int):
    manifest = json.loads((folder / "manifest.json").read_text())["manifest"] | {"format": format}
    check = crc32(json.dumps(manifest).encode())
    (tmp_path / "manifest.json").write_text(json.dumps({"check": check, "manifest": manifest}))
    with pytest.raises(Refusal, match=f"another version of gdl: it has format {format}, .* reads format 4"):
        RetrogradeTable(shipped("connect_four", THREE), tmp_path)


@pytest.mark.parametrize(("module", "name"), [(packing, "VERSION"), (folding, "VERSION")])
def test_a_table_is_known_by_what_its_keys_say(
    folder: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str
):
    """The fields of a key, their bits and their places, and a version of what is made of them."""
    found = shipped("connect_four", THREE)
    assert packing.packing(found.model, lower(found.model, found).layout).known_by == [
        1, ["slice", 0, 0, 0, 0, 1, 9, 0, 0], ["slice", 0, 0, 1, 0, 1, 9, 0, 9], ["turn", 2, -2, 2, 0, 18],
    ]  # fmt: skip
    monkeypatch.setattr(module, name, 0)
    with pytest.raises(Refusal, match="or made by another version of gdl"):
        RetrogradeTable(found, folder)


def test_a_checkpoint_with_symmetry_is_not_gone_on_without(tmp_path: Path):
    pytest.importorskip("gdl.wings.symmetry")
    found = shipped("connect_four", THREE)
    RetrogradeCheckpoint(Retrograde(found, found.initial(), "wasm", symmetry=True), tmp_path).save()
    with pytest.raises(Refusal, match="another game or position"):
        RetrogradeCheckpoint(Retrograde(found, found.initial(), "wasm"), tmp_path).load()


def test_bounds_are_kept(tmp_path: Path):
    found = shipped("pig", {"goal": "5"})
    search = solved(found, -1)
    retrograde_tables.write(search, tmp_path)
    table = RetrogradeTable(found, tmp_path)
    assert [table.bounds(n) for n in range(table.states)] == [search.bounds(n) for n in range(search.states)]


def test_the_same_game_gives_the_same_bytes(folder: Path, tmp_path: Path):
    retrograde_tables.write(solved(shipped("connect_four", THREE)), tmp_path)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        file.name: file.read_bytes() for file in tmp_path.iterdir()
    }


def test_a_state_that_was_not_met_has_no_number(folder: Path):
    found = shipped("connect_four", THREE)
    state = found.initial()
    assert RetrogradeTable(found, folder).number(state._replace(turn=1, cells=(1, *state.cells[1:]))) is None


def test_another_game_is_refused(folder: Path):
    with pytest.raises(Refusal, match="by other rules"):
        RetrogradeTable(shipped("connect_four", {"columns": "3", "rows": "3", "run": "2"}), folder)


def test_a_table_without_a_manifest_is_none(tmp_path: Path):
    assert not holds(tmp_path)
    with pytest.raises(DamagedData, match="there is no table"):
        open_table(shipped("nim"), tmp_path)


@pytest.mark.parametrize("name", ["keys.bin", "slots.bin", "values.bin", "ranks.bin", "manifest.json"])
@pytest.mark.parametrize("how", ["changed", "shorter", "gone"])
def test_damage_is_told(folder: Path, tmp_path: Path, name: str, how: str):
    for file in folder.iterdir():
        data = file.read_bytes()
        if file.name == name:
            middle = len(data) // 3
            data = data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1 :] if how == "changed" else data[:-9]
        if file.name != name or how != "gone":
            (tmp_path / file.name).write_bytes(data)
    found = shipped("connect_four", THREE)

    def look() -> list[object]:
        table = RetrogradeTable(found, tmp_path)
        numbers = [table.number(state) for state in explore(found).states]
        return [(table.value(n), table.rank(n)) for n in numbers if n is not None]

    with pytest.raises(DamagedData, match=f"is damaged: {name}"):
        look()


BREAKTHROUGH = ["breakthrough", "--set=rows=5", "--set=columns=2"]


def said(*words: str, input: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(cli.commands, words, input=input, prog_name="gdl")
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def endgame(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that follows one of the four first actions."""
    made = tmp_path_factory.mktemp("endgame")
    assert said("solve", *BREAKTHROUGH, "--after", "b5a4", f"--table={made}")[0] == 0
    return made


def test_a_position_that_the_table_lacks_is_searched_and_said(endgame: Path):
    status, text = said("solve", *BREAKTHROUGH, "--solver=minimax", f"--table={endgame}")
    assert status == 0
    assert "does not have this position: it is searched" in text
    assert "value     Black 1, White -1 (exact)" in text


def test_a_part_is_asked_for_by_its_position():
    assert "--position" in said("solve", *BREAKTHROUGH, "--table=none", "--where", "1 = 1")[1]


def test_play_by_a_table_ends_as_it_says(folder: Path):
    found = shipped("connect_four", THREE)
    looked = TableLookup(found, RetrogradeTable(found, folder))
    answer = looked.solution()
    assert answer is not None
    assert answer.value == solve(found, "minimax").value
    assert f"with best play the game ends after {len(answer.line)} plies" in answer.notes


@pytest.mark.thorough
def test_commands_write_tables_and_look_at_them(tmp_path: Path):
    words = ["connect_four", *(f"--set={name}={value}" for name, value in THREE.items()), f"--table={tmp_path}"]

    def said(*command: str, input: str = "") -> tuple[int, str]:
        result = CliRunner().invoke(cli.commands, command, input=input, prog_name="gdl")
        return result.exit_code, result.output

    status, made = said("solve", *words)
    assert status == 0
    assert "solver    retrograde" in made
    assert "the table of 694 positions is in" in made
    status, again = said("solve", *words)
    assert (status, again.splitlines()[0]) == (0, made.splitlines()[1])
    assert "solver    table" in again
    assert "here     (0, 0)                 end after 9 plies" in said("show", *words)[1]
    assert "Red drops in " in said("play", *words, input="1\nquit\n")[1]


@pytest.mark.thorough
def test_commands_keep_one_of_the_positions_that_are_symmetric(tmp_path: Path):
    pytest.importorskip("gdl.wings.symmetry")
    words = ["connect_four", *(f"--set={name}={value}" for name, value in THREE.items()), f"--table={tmp_path}"]

    def said(*command: str) -> str:
        result = CliRunner().invoke(cli.commands, command, prog_name="gdl")
        assert result.exit_code == 0
        return result.output

    assert "the table of 359 positions is in" in said("solve", *words, "--solver=retrograde", "--symmetry")
    assert "2 symmetries of the game turn into each other are one" in said("solve", *words)
    for action in ("drop(1)", "drop(3)"):
        assert "here     (0, 0)                 end after 8 plies" in said("show", *words, "--after", action)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "settings", "price"),
    [("othello", {"n": "4"}, 0), ("connect_four", {"columns": "4", "rows": "4"}, 0), ("pig", {"goal": "25"}, -1)],
    ids=["edges kept", "levels", "chance"],
)
@pytest.mark.parametrize("stop", ["killed", "interrupted"])
def test_a_search_goes_on_from_its_checkpoint(
    name: str, settings: dict[str, str], price: int, stop: str, tmp_path: Path
):
    found = shipped(name, settings)
    retrograde_tables.write(solved(found, price), tmp_path / "whole")
    search = Retrograde(found, found.initial(), "wasm")
    search.checkpoint = RetrogradeCheckpoint(search, tmp_path, every=0 if stop == "killed" else 1e9)
    slices = search.explore()
    for _ in range(3):
        next(slices)
    if stop == "interrupted":
        with pytest.raises(KeyboardInterrupt):
            slices.throw(KeyboardInterrupt)
    later = Retrograde(found, found.initial(), "wasm")
    later.checkpoint = RetrogradeCheckpoint(later, tmp_path)
    for step in (later.explore, lambda: later.prepare(price), lambda: later.analyse(price)):
        for _ in step():
            pass
    retrograde_tables.write(later, tmp_path / "later")
    for file in (tmp_path / "whole").iterdir():
        assert file.read_bytes() == (tmp_path / "later" / file.name).read_bytes()


@pytest.mark.parametrize("done", [0, 2])
def test_what_ctrl_c_leaves_of_a_slice_is_not_gone_on_from(done: int, tmp_path: Path):
    """A search that was cut off before its first state was known went on, and said that play never ends."""
    found = shipped("othello", {"n": "4"})
    search = Retrograde(found, found.initial(), "wasm")
    search.checkpoint = RetrogradeCheckpoint(search, tmp_path, every=1e9)

    def slices() -> Iterator[None]:
        yield from islice(search.slices(), done)
        raise KeyboardInterrupt

    if done:
        search.module["enumerate_start"]()
    with pytest.raises(KeyboardInterrupt):
        list(search.checkpoint.with_checkpoints(slices()))
    assert list(tmp_path.iterdir()) == []


def test_a_search_that_goes_on_keeps_its_limit(tmp_path: Path):
    """From a checkpoint it took the states that had room for all that there are."""
    found = shipped("othello", {"n": "4"})
    for _ in range(2):
        search = Retrograde(found, found.initial(), "wasm", limit=20_000)
        search.checkpoint = RetrogradeCheckpoint(search, tmp_path, every=0)
        with pytest.raises(LimitReached, match="more than 20,000 states"):
            list(search.explore())
        assert (tmp_path / "checkpoint").exists()


def test_what_follows_a_long_search_need_not_number_the_states_again(tmp_path: Path):
    found = shipped("othello", {"n": "4"})
    search = Retrograde(found, found.initial(), "wasm")
    search.checkpoint = RetrogradeCheckpoint(search, tmp_path, every=0)
    assert list(search.explore())
    later = Retrograde(found, found.initial(), "wasm")
    later.checkpoint = RetrogradeCheckpoint(later, tmp_path)
    assert not list(later.explore())
    assert later.numbered
    for step in (lambda: later.prepare(0), lambda: later.analyse(0)):
        for _ in step():
            pass
    assert (later.value(0), later.states) == (-8, 62_789)


def damaged_by_a_letter(data: bytes) -> Iterator[bytes]:
    """The checkpoint, one bit of its first line changed: of each of its letters in turn."""
    for at in range(data.index(b"\n")):
        yield data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.thorough
def test_every_letter_of_a_checkpoint_counts(tmp_path: Path):
    found = shipped("connect_four", THREE)
    search = Retrograde(found, found.initial(), "wasm")
    RetrogradeCheckpoint(search, tmp_path).save()
    file = tmp_path / "checkpoint"
    for damaged in damaged_by_a_letter(file.read_bytes()):
        file.write_bytes(damaged)
        with pytest.raises(DamagedData, match="checkpoint is damaged; without it the work begins anew"):
            RetrogradeCheckpoint(search, tmp_path).load()


@pytest.mark.thorough
def test_a_damaged_checkpoint_is_told(tmp_path: Path):
    found = shipped("connect_four", THREE)
    search = Retrograde(found, found.initial(), "wasm")
    RetrogradeCheckpoint(search, tmp_path).save()
    data = (tmp_path / "checkpoint").read_bytes()
    (tmp_path / "checkpoint").write_bytes(data[:-1])
    with pytest.raises(DamagedData, match="checkpoint is damaged"):
        RetrogradeCheckpoint(search, tmp_path).load()
    (tmp_path / "checkpoint").write_bytes(data)
    other = shipped("nim")
    with pytest.raises(Refusal, match="another game or position"):
        RetrogradeCheckpoint(Retrograde(other, other.initial(), "wasm"), tmp_path).load()
    with pytest.raises(Refusal, match="another limit of memory"):
        RetrogradeCheckpoint(Retrograde(found, found.initial(), "wasm", memory=8 << 20), tmp_path).load()
