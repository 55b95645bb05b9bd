"""Models and code that are kept between two starts: the same as made anew, and made anew where anything has changed."""

import json
import os
import zlib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gdl
from gdl import syntax
from gdl.commands import cli
from gdl.compiler.lower import lower
from gdl.errors import Refusal
from gdl.inspection.findings import inspect
from gdl.interpreter.rules_game import RulesGame
from gdl.playing import loading
from gdl.wings.cache import cache_folder, findings_cache, model_cache
from gdl.wings.cache.record_codec import NotKept, decode_things, encode_thing

NIM = (gdl.shipped()["nim"]).read_text(encoding="utf-8")


SMALL = (
    "players A, B\nstate\n    left: 0..2 = 2\naction take\n    left := left - 1\nterminal\n    left = 0 -> lose mover\n"
)
FROM_NIM = 'game "Mine" from "nim.game"\n' + "\n".join(line for line in NIM.splitlines() if not line.startswith("game"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache_folder.FOLDER, str(tmp_path / "kept"))
    model_cache._recent.clear()
    return tmp_path / "kept"


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the texts that are read from here on."""
    read, names = loading.read_model, list[str]()

    def noted(text: str, name: str, *given: Any) -> Any:
        names.append(name)
        return read(text, name, *given)

    monkeypatch.setattr(model_cache, "read_model", noted)
    return names


def load(file: str | Path, **asked: Any) -> gdl.Loaded:
    return gdl.loads(*gdl.read(file), folder=gdl.folder_of(file), **asked)


@pytest.mark.thorough_of("xiangqi", "gomoku")
@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", gdl.games())
def test_what_is_kept_is_what_was_made(name: str):
    first = load(name)
    codes = [_code(first.game)]
    second = load(name)
    assert isinstance(object.__getattribute__(second.description, "__dict__").get("read"), Callable)
    assert repr((first.model, first.warnings)) == repr((second.model, second.warnings))
    codes.append(_code(second.game))
    assert codes[0] == codes[1]
    assert second.description.name == first.description.name
    assert type(second.description) is syntax.Description
    assert repr(second.description) == repr(first.description)


def _code(game: Any) -> Any:
    """The code of a game, as compiled searches read it."""
    if not isinstance(game, RulesGame):
        return None
    try:
        made = lower(game.model, game)
    except Refusal as why:
        return str(why)
    facts = [getattr(made, name) for name in made.__dataclass_fields__ if name != "module"]
    return made.source, made.module.arrays, repr(facts)


def test_a_file_that_has_not_changed_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file, names = tmp_path / "mine.game", reads(monkeypatch)
    file.write_text(NIM, encoding="utf-8")
    assert gdl.load(file).players == gdl.load(file).players
    assert len(names) == 1
    gdl.load(file, settings={"heaps": (1, 2)})
    assert len(names) == 2
    file.write_text(NIM.replace("1..", "2.."), encoding="utf-8")
    gdl.load(file)
    assert len(names) == 3
    monkeypatch.setattr(model_cache, "_version_stamp", lambda: "another version")
    gdl.load(file)
    assert len(names) == 4


@pytest.mark.parametrize("variant", [None, "misere"])
def test_findings_are_kept_with_their_places(variant: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file, inspections = tmp_path / "mine.game", list[str]()
    monkeypatch.setattr(findings_cache, "inspect", lambda *given: inspections.append("one") or inspect(*given))
    file.write_text(
        NIM + '\nvariant misere "Misère"\n    action never(n: 1..3)\n        require 1 = 2\n', encoding="utf-8"
    )
    asked = gdl.read(file)[0], str(file), tmp_path, gdl.play, {}, variant, None
    first, second = (findings_cache.find_findings(*asked) for _ in range(2))
    assert first.problems
    assert repr(replace(first, game=None)) == repr(replace(second, game=None))
    assert repr(first.game) == repr(second.game)
    assert inspections == ["one"]


def test_a_text_of_a_program_and_what_is_made_of_other_files_are_not_kept(tmp_path: Path, folder: Path):
    gdl.loads(NIM)
    (tmp_path / "nim.game").write_text(NIM, encoding="utf-8")
    (tmp_path / "other.game").write_text('game "Other" from nim\n', encoding="utf-8")
    gdl.load(tmp_path / "other.game")
    (tmp_path / "whole.game").write_text(FROM_NIM, encoding="utf-8")  # nothing of the base is left in it
    gdl.load(tmp_path / "whole.game")
    (tmp_path / "uses.game").write_text("use cards\n" + SMALL, encoding="utf-8")
    gdl.load(tmp_path / "uses.game")
    gdl.loads(SMALL, "mine")
    assert not list(cache_folder.list_entries())
    gdl.load(tmp_path / "nim.game")
    assert len(list(cache_folder.list_entries())) == 1


@pytest.mark.parametrize("harm", ["cut", "noise", "empty", "text", "class", "number", "whole", "pair", "zero", "large"])
def test_a_damaged_entry_is_made_anew(harm: str, monkeypatch: pytest.MonkeyPatch):
    before, names = load("tic_tac_toe"), reads(monkeypatch)
    (entry,) = cache_folder.list_entries()
    whole = entry.read_bytes()
    key = zlib.decompress(whole).decode().partition("\n")[0]
    bad = {
        "class": [["os:system"], [[9]]], "number": [[], [[2, 7]]], "whole": [[], [5]], "pair": [[], [[0, "a", "b"]]], "zero": [[], [1, 0, [8, 0, 1]]],
        "large": [[], ["1e400000000", [8, 0]]],
    }  # fmt: skip
    broken = {"cut": whole[: len(whole) // 2], "noise": os.urandom(1000), "empty": b"", "text": b"{}"}
    entry.write_bytes(broken[harm] if harm in broken else zlib.compress(f"{key}\n{json.dumps(bad[harm])}".encode()))
    assert repr(load("tic_tac_toe").model) == repr(before.model)
    assert names == ["tic_tac_toe"]
    assert repr(load("tic_tac_toe").model) == repr(before.model)
    assert len(names) == 1


def test_where_nothing_can_be_written_games_are_read_as_ever(folder: Path, monkeypatch: pytest.MonkeyPatch):
    folder.write_text("a file, and no folder", encoding="utf-8")
    assert repr(load("nim").model) == repr(load("nim").model)
    monkeypatch.setenv(cache_folder.FOLDER, "")
    assert repr(load("nim").model) == repr(load("nim").model)
    assert cache_folder.clear_entries() == cache_folder.count_bytes() == 0


def test_a_working_folder_that_is_gone_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert load("nim").game.players == ("First", "Second")
    monkeypatch.chdir(tmp_path)


def test_files_of_others_are_not_removed(folder: Path):
    load("nim")
    (folder / "notes.entry.txt").write_text("mine", encoding="utf-8")
    assert cache_folder.clear_entries() == 1
    assert [file.name for file in folder.iterdir()] == ["notes.entry.txt"]


def test_descriptions_are_equal_read_or_not():
    first, second = gdl.load("nim"), load("nim")
    assert type(second.description) is model_cache.UnreadDescription
    again = model_cache.UnreadDescription(lambda: second.description)
    assert second.description == again
    assert hash(model_cache.UnreadDescription(lambda: again)) == hash(again)
    assert first.players == second.game.players


def test_the_oldest_entries_go(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache_folder, "MOST", 4000)
    for number in range(40):
        cache_folder.keep_entry(f"entry {number}", [number], os.urandom(150).hex())
    assert cache_folder.count_bytes() <= 4000
    assert cache_folder.find_entry("entry 39", [39]) is not None
    assert cache_folder.find_entry("entry 0", [0]) is None


def test_the_command_says_what_is_kept_and_clears_it(folder: Path):
    def run(*words: str) -> str:
        return CliRunner().invoke(cli.commands, words, catch_exceptions=False).output

    solved, checked = run("solve", "nim"), run("check", "nim")
    assert (run("solve", "nim"), run("check", "nim")) == (solved, checked)
    entries = len(list(folder.iterdir()))
    assert json.loads(run("cache", "--json")).items() >= {"folder": str(folder), "entries": entries}.items()
    assert run("--version").splitlines()[-1].startswith(f"kept        {entries} entries, ")
    assert run("cache", "clear").startswith(f"{entries} entries removed; 0 entries, 0 KiB, in ")
    assert run("solve", "nim") == solved


shared = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.fractions(),
    lambda parts: st.one_of(
        st.lists(parts), st.lists(parts).map(tuple), st.dictionaries(st.text(), parts), st.integers().map(lambda one: frozenset([one])),
        st.lists(parts, min_size=1).map(lambda row: [row[0], row[0], tuple(row)]),
    ),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(shared)
def test_things_come_back_as_they_were(thing: Any):
    text, things = encode_thing(thing)
    back = decode_things(text)
    assert repr(back[-1]) == repr(thing)
    assert len(back) == len(things)


def test_what_is_shared_stays_shared():
    part = (Fraction(1, 3), range(4))
    known = encode_thing(part)[1]
    text, _ = encode_thing([part, {"again": part}], known)
    back = decode_things(text, known)[-1]
    assert back[0] is back[1]["again"] is part


def test_other_things_are_refused():
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(decode_things(encode_thing(deep)[0])) == 100_000 + 1
    for thing in (object(), print, Path("a"), b"bytes"):
        with pytest.raises(NotKept):
            encode_thing([thing])
