"""Play at random that leans toward some actions: what it looks at, how it learns, and where it is used."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands.cli import commands
from gdl.commands.engines import offer
from gdl.compiler import python
from gdl.compiler.compiled_engine import by_rules
from gdl.compiler.lower import lower
from gdl.compiler.searches import playout_bias, slices
from gdl.compiler.searches.playout_bias import LeaningLessons
from gdl.compiler.searches.training import TrainingCourse, TrainingRequest
from gdl.errors import DamagedData, Refusal
from gdl.formats import learned_files, tensors
from gdl.model.leanings import Leanings, find_local_patterns
from gdl.playing.page_engine import page_engine
from gdl.playing.seats import expand_agent
from gdl.solvers import auto, solve
from gdl.states.random_numbers import Generator, stream

HEX = ("hex", {})
GO = ("go", {"columns": 3, "rows": 3})
OTHELLO = ("othello", {"n": 4})


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are short."""
    monkeypatch.setattr(playout_bias, "GROUPS", 2)
    monkeypatch.setattr(playout_bias, "JUDGED_BY", 4)


def asked(named: tuple[str, dict[str, int]]) -> tuple[Any, Any]:
    return by_rules(gdl.load(named[0], settings={name: str(value) for name, value in named[1].items()}))


def taught(named: tuple[str, dict[str, int]], games: int, engine: str = "python") -> LeaningLessons:
    search = LeaningLessons(*asked(named), engine, 12)
    for _ in search.teach(games, 1):
        pass
    return search


def with_(named: tuple[str, dict[str, int]], number: list[float]) -> Any:
    """The game, whose play at random leans by these numbers, the first ones."""
    loaded = gdl.load(named[0], settings={name: str(value) for name, value in named[1].items()})
    found = find_local_patterns(loaded.model)
    assert found is not None
    held = array("d", [*number, *[0.0] * (found.numbers - len(number))])
    return gdl.play(loaded.model.copy_with(leaning=Leanings(found, held)))


def test_what_can_be_tried_is_what_can_be_done() -> None:
    """The rows that `offers` lists and `attempt` takes are those of `moves`, and leave the same."""
    game, _ = asked(GO)
    module, random = python.load(lower(game.model, game).source), Generator(1)
    start = module["start"]
    start()
    refused = 0
    for _ in range(60):
        if module["status"]() == 3:
            start()
        before = list(module["s"])
        legal = {}
        for row in range(module["moves"]()):
            width = module["WIDTH"]
            named = tuple(module["move"][row * width : (row + 1) * width])
            module["apply"](row)
            legal[named[: 1 + (named[0] == 0)]] = list(module["s"])
            module["s"][:] = memoryview(array("i", before))
            module["moves"]()
        found = {}
        for row in range(module["offers"]()):
            named = tuple(module["move"][row * width : (row + 1) * width])
            if module["attempt"](row):
                found[named[: 1 + (named[0] == 0)]] = list(module["s"])
            else:
                refused += 1
                assert list(module["s"]) == before
            module["s"][:] = memoryview(array("i", before))
        assert found == legal
        module["moves"]()
        module["apply"](random.below(len(legal)))
    assert refused > 0


@pytest.mark.one_in(3)
@pytest.mark.parametrize("named", [HEX, GO, OTHELLO], ids=lambda named: named[0])
def test_what_stands_around_cells_is_kept_while_play_goes_on(named: Any) -> None:
    search = taught(named, 1)
    module, found = search.module, search._around
    module["lean_look"]()
    cells = search.lowered.layout.read(list(module["s"]))
    held = [0 if value in (None, -1) else value + 1 for value in cells[: len(found.board.squares)]]
    assert [module["lean_class"](square) for square in range(len(held))] == held
    for square, steps in enumerate(found.board.steps):
        code = sum((3 if steps[way] is None else held[steps[way]]) << 2 * k for k, way in enumerate(found.ways))
        assert module["lean_at"][square] % (1 << 2 * len(found.ways)) == code


def test_a_board_is_turned_in_all_ways_that_keep_straight_lines() -> None:
    sizes = {name: len(find_local_patterns(gdl.load(name).model).turns) for name in ("hex", "go", "othello")}  # type: ignore[union-attr]
    assert sizes == {"hex": 12, "go": 8, "othello": 8}


def test_what_is_seen_is_the_same_for_both_players_and_however_the_board_is_turned() -> None:
    search = taught(GO, 1)
    key, ways = search.module["lean_key"], 8
    keys = set()
    for player in (0, 1):
        own, other = (1, 2) if player == 0 else (2, 1)
        for turn in (0, 2, 4, 6):  # one's own to the one side, and the other's beside it
            keys.add(key(player, own << 2 * turn | other << 2 * ((turn + 1) % ways)))
    assert len(keys) == 1
    assert key(0, 1) != key(0, 2) != key(0, 1 << 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("named", [HEX, GO], ids=lambda named: named[0])
def test_both_back_ends_learn_the_same(named: Any) -> None:
    pytest.importorskip("wasmtime")
    games = 3 if named is HEX else 1
    one, other = taught(named, games), taught(named, games, "wasm")
    assert one.learned_so_far.patterns > 10
    assert one.learned_so_far.number == other.learned_so_far.number
    assert one.match(2, 5, lambda: None) == other.match(2, 5, lambda: None)


@pytest.mark.thorough
def test_where_it_was_stopped_it_goes_on_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setattr(slices, "_FIRST_SLICE_NODES", 1)
    monkeypatch.setattr(slices, "SLICE", 1e-9)
    game, start = asked(HEX)
    kept = tmp_path / "kept"

    def course() -> TrainingCourse:
        return TrainingCourse(game, start, "wasm", TrainingRequest("patterns", 6, None, 3, 10), kept)

    whole = course()
    whole.run(lambda games: None)
    part = course()
    for _ in part.learner.teach(6, stream(3, 0)):
        if part.learner.games == 3:
            break
    part.save()
    later = course()
    assert later.go_on() and later.learner.games == 3
    later.run(lambda games: None)
    assert later.learner.learned_so_far.number == whole.learner.learned_so_far.number


def test_a_line_that_wins_is_leaned_toward() -> None:
    """Who puts a stone beside the own one wins at once: that is what is learned."""
    text = """
players Ann, Bob
board Cell = grid(3, 3)
state
    stone[Cell]: Player?
action place(c: Cell) when stone[c] = none
    stone[c] := mover
define row_of(p: Player) = exists c in Cell: stone[c] = p and exists d in neighbours(c): stone[d] = p
terminal
    row_of(Ann) -> win Ann
    row_of(Bob) -> win Bob
    no actions -> draw
"""
    game, start = by_rules(gdl.loads(text).game)
    search = LeaningLessons(game, start, "python", 12)
    for _ in search.teach(6, 1):
        pass
    plus, part = search._around.each, search.module["lean_number"]
    key = search.module["lean_plain"]
    north, beside, far = 2 * 0, 1, 0
    assert part[plus + key(0, beside << north)] > part[plus + key(0, far)]


def test_the_answer_of_tree_search_is_the_same_on_both_back_ends_and_another_than_without() -> None:
    pytest.importorskip("wasmtime")
    numbers = [0.5 * (k % 7) for k in range(9000)]
    game = with_(HEX, numbers)
    python_, wasm = (solve(offer(game, engine), "mcts", simulations=40, seed=1) for engine in ("python", "wasm"))
    plain = solve(offer(asked(HEX)[0], "wasm"), "mcts", simulations=40, seed=1)
    assert python_.notes == wasm.notes != plain.notes


def test_the_interpreter_does_not_lean() -> None:
    with pytest.raises(Refusal, match="leans on the compiled engine alone"):
        solve(with_(HEX, [1.0]), "mcts", simulations=40)


@pytest.mark.thorough
def test_where_nobody_names_a_solver_it_is_the_one_that_leans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "TRIAL_POSITIONS", 50)
    assert auto.pick(gdl.load("othello")).solver == "depth-limited"
    game = with_(("othello", {}), [1.0])
    assert auto.pick(game).solver == "mcts"
    with pytest.raises(Refusal, match="no search of a page leans"):
        page_engine(game)


def test_a_file_of_it_holds_what_was_learned_and_is_read_with_care() -> None:
    search = taught(HEX, 2)
    model = search.game.model
    data = learned_files.encode_learned(search.learned_so_far, model, {"games": "2"})
    read = learned_files.attach_evaluation(model, data, "it").leaning
    assert read.patterns == search.learned_so_far.patterns
    assert max(abs(a - b) for a, b in zip(read.number, search.learned_so_far.number, strict=True)) < 1e-6
    arrays, texts = tensors.read(data, "it")
    arrays["place"][0] = -1
    with pytest.raises(DamagedData, match="damaged"):
        learned_files.attach_evaluation(model, tensors.encode_tensors(arrays, texts), "it")
    with pytest.raises(DamagedData, match="has other rules"):
        learned_files.attach_evaluation(gdl.load("gomoku").model, data, "it")


def test_a_game_without_such_cells_is_refused() -> None:
    with pytest.raises(Refusal, match="no action of Nim names a cell"):
        LeaningLessons(*asked(("nim", {})), "python")


@pytest.mark.thorough
def test_the_command_writes_a_file_by_which_mcts_plays(tmp_path: Path) -> None:
    file = tmp_path / "hex.safetensors"
    run = CliRunner()
    said = run.invoke(
        commands, ["learn", "hex", "--model", "patterns", "--games", "16", "--simulations", "8", "-o", str(file)]
    )
    assert said.exit_code == 0 and "by mcts with 4 simulations" in said.output
    said = run.invoke(commands, ["solve", "hex", "--solver", "mcts", "--simulations", "200", "--weights", str(file)])
    assert said.exit_code == 0 and "random play leans by" in said.output
    assert expand_agent(str(file)) == f"mcts:simulations=200,weights={file}"
