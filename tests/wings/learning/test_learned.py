"""Evaluations that are learned from the rules alone: the same on all engines, kept in files that can do no harm, and
learned to the same bytes whenever learning was stopped."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from both_engines import told_alike
from click.testing import CliRunner
from compiled_soon import slices_of
from kernel_games import FORTUNES
from late_clock import all_clocks_replaced

import gdl
from gdl.commands.cli import commands
from gdl.errors import DamagedData, Refusal
from gdl.game import Terminal, actions
from gdl.interpreter.rules_game import RulesGame
from gdl.model.board import board_of_shape
from gdl.wings.learning import learned_files, patterns, temporal_differences, tensors
from gdl.wings.learning.learned import OWN, Inputs, Tables, reads_of
from gdl.wings.learning.temporal_differences import TdSelfPlay, inputs_for
from gdl.wings.learning.training import TrainingCourse, TrainingRequest
from gdl.wings.learning.utility_scale import scale_from_rules
from gdl.wings.symmetry.group import find_symmetries, generate_group

pytest.importorskip("wasmtime")

# What the shipped games lack: sets of squares, of other things, numbers of many values, none among numbers.
THINGS = """players A, B
board Square = grid(3, 2)
type Coin = gold, silver
state
    marked: set of Square
    purse[Player]: set of Coin
    at: Square? = none
    score[Player]: -300..300
    few: 2..5? = none
    deep: (-3..2)? = none
    vast: -2000000000..2000000000
action mark(s: Square) when not (s in marked)
    marked := marked + {s}
    at := s
    score[mover] := score[mover] + (if s = a1 then 250 else -7)
    few := if few = none then 2 else min(5, few + 1)
    deep := if deep = none then -3 else if deep = -1 then none else deep + 1
action take(c: Coin) when not (c in purse[mover])
    purse[mover] := purse[mover] + {c}
terminal
    no actions -> each p: score[p]
"""
COUNTED = """players A, B
state
    men[Player, 1..6]: 0..15 = 1
    pits[1..2]: 0..3
action take(p: 1..6) when men[mover, p] > 0
    men[mover, p] := men[mover, p] - 1
terminal
    no actions -> lose mover
"""
ROWS = """game "Rows"
players X, O
board Square = grid(3, 3)
state
    mark[Square]: Player?
define connects(p: Player) = exists line in lines(Square, 3): forall s in line: mark[s] = p
action take(s: Square) when mark[s] = none
    mark[s] := mover
terminal
    connects(X) -> win X
    connects(O) -> win O
    no actions -> draw
"""


def game(text: str) -> RulesGame:
    """A game of the text, or a shipped one with settings: `breakthrough rows=4 columns=3`."""
    if "\n" not in text:
        name, *words = text.split()
        found = gdl.loads(*gdl.read(name)[:2], settings=dict(word.split("=") for word in words)).game
    else:
        found = gdl.loads(text).game
    assert isinstance(found, RulesGame)
    return found


def some_tables(of: RulesGame, tuples: bool = True) -> Tables:
    """An evaluation with numbers at random."""
    inputs, random = inputs_for(of, tuples), Random(1)
    scale = scale_from_rules(of, of.initial())
    return Tables(inputs, scale, array("d", [random.uniform(-1, 1) for _ in range(inputs.entries)]))


GAMES = {
    "lines": "connect_four columns=4 rows=4", "men": "breakthrough rows=4 columns=3", "chance": "2048 side=2 target=16",
    "dice": "pig goal=10", "things": THINGS, "three": FORTUNES, "hexagons": "hex n=3", "points": "pong_hau_ki",
}  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_both_engines_and_the_reference_say_the_same(text: str):
    found = game(text)
    told_alike(gdl.play(found.model.copy_with(features=(), learned=some_tables(found))), [1, 2], 40)


def test_single_cells_are_inputs_as_well():
    found = game(THINGS)
    tables = some_tables(found, tuples=False)
    assert sorted(set(tables.inputs.member)) == list(range(6 + 2 * 2 + 1 + 2 + 1 + 1))
    told_alike(gdl.play(found.model.copy_with(learned=tables)), [1], 40)


@pytest.mark.thorough_of("men")
@pytest.mark.parametrize("text", [ROWS, "breakthrough rows=4 columns=3", "hex n=3"], ids=["rows", "men", "hexagons"])
def test_symmetric_positions_are_worth_the_same(text: str):
    found = game(text)
    tables, symmetries = some_tables(found), find_symmetries(found.model)
    group = generate_group([*symmetries.keeping, *symmetries.exchanging], 64)
    assert group
    random, state, compared = Random(2), found.initial(), 0
    while not isinstance(node := found.node(state), Terminal):
        own = tables.estimate(state.turn, state.cells)
        for symmetry in group:
            image = symmetry.image(state)
            there = symmetry.utilities(own)
            assert tables.estimate(image.turn, image.cells) == pytest.approx(there, abs=3 / tables.denominator)
            compared += 1
        state = found.successor(state, random.choice(actions(node)))
    assert compared > 5


def test_patterns_follow_from_the_board():
    found = game("connect_four columns=4 rows=4")
    inputs = inputs_for(found, tuples=True)
    lines = {frozenset(line) for line in patterns.straight_lines(board_of_shape("grid", 4, 4), 4)}
    assert len(lines) == 4 + 4 + 2 * (3 + 2)  # rows, columns, and of each slant those of at least two squares
    areas = {frozenset(area) for area in patterns.neighbour_areas(board_of_shape("grid", 4, 4))}
    assert inputs.patterns == len(lines | areas) + 4  # the rows, in both ways, which the mirror turns into themselves
    assert len(list(patterns.straight_lines(board_of_shape("ring", 8), 3))) == 8
    assert {len(area) for area in patterns.neighbour_areas(board_of_shape("hex", 3))} == {3, 4, 5, 7}
    assert all(len(block) in (3, 4) for block in patterns.square_blocks(board_of_shape("grid", 3, 3)))


def test_what_is_counted_along_numbers_lies_in_a_line():
    found = patterns.find_patterns(game(COUNTED).model, reads_of(game(COUNTED).model), 16**3)
    runs = {pattern for pattern in found if len(pattern) > 1}
    own, pits = {(at, at + 1, at + 2) for at in range(4)}, (12, 13)
    assert runs == own | {tuple(6 + cell for cell in run) for run in own} | {pits}


def test_numbers_of_many_values_are_told_by_their_length():
    reads = reads_of(game("2048").model)
    assert len(reads) == 1 and reads[0].size == 12  # none, and 2 to 2048 by their binary digits
    assert max(reads_of(game(f"pig goal={OWN - 1}").model)[0].classes) == OWN - 1


def course(
    text: str, engine: str, games: int, model: str = "tuples", seed: int = 3, kept: Path | None = None
) -> TrainingCourse:
    found = game(text)
    return TrainingCourse(found, found.initial(), engine, TrainingRequest(model, games, None, seed), kept)


def taught(made: TrainingCourse) -> bytes:
    made.run(lambda games: None)
    return learned_files.encode_learned(made.learner.learned_so_far, made.game.model, {})


@pytest.mark.thorough
@pytest.mark.one_in(2)
@pytest.mark.parametrize("text", [ROWS, FORTUNES], ids=["two", "three"])
def test_every_back_end_and_every_time_the_same(text: str):
    first = taught(course(text, "wasm", 16, "linear"))
    assert first == taught(course(text, "python", 16, "linear"))
    assert first != taught(course(text, "wasm", 16, "linear", seed=4))


def test_tables_learn_to_play():
    made = course(ROWS, "wasm", 2000)
    match = made.run(lambda games: None)
    assert match.is_stronger and match.won > 5 * match.lost
    with_tables = RulesGame(made.game.model.copy_with(learned=made.learner.learned_so_far))
    (value, _) = with_tables.evaluate(with_tables.initial()) or (9, 9)
    assert abs(value) < 0.5  # a draw, as is known


def teaching(found: RulesGame, tuples: bool) -> TdSelfPlay:
    start = found.initial()
    return TdSelfPlay(found, start, "wasm", inputs_for(found, tuples))


def test_a_walk_is_predicted():
    """Sutton's random walk (Learning to predict by the methods of temporal differences, 1988): from the middle of five
    places to one end or the other; each is worth the probability of the right end."""
    walk = game(
        "players W\nstate\n    at: 0..6 = 3\nstart wind\nchance wind(d: 0..1)\n    at := at + 2 * d - 1\n    next wind\n"
        "action stay\n    next wind\nterminal\n    at = 0 -> 0\n    at = 6 -> 1\n"
    )
    table = teaching(walk, tuples=False)
    for _ in table.teach(20_000, 1):
        pass
    state = walk.initial()
    for place in range(1, 6):
        cells = [*state.cells[:-1], place]
        (value,) = table.learned_so_far.estimate(state.turn, cells)
        assert float(value) == pytest.approx(place / 6, abs=0.06)


def test_utilities_without_bounds_have_a_scale():
    found = game(FORTUNES.replace("gold[p]", "sum q in Player: gold[q] * gold[q] * 7"))
    made = teaching(found, tuples=True)
    if not made.scale.bounded:
        made.measure(1, lambda: None)
    assert made.scale.half > 1


def test_utilities_that_no_evaluation_could_tell_are_refused():
    found = game(FORTUNES.replace("gold[p]", "900000000 * (gold[p] + sum q in Player: gold[q] * gold[q])"))
    made = teaching(found, tuples=True)
    with pytest.raises(Refusal, match="are too large, or too fine"):
        made.measure(1, lambda: None)


@pytest.mark.parametrize("name", ["goofspiel", "kuhn", "prisoners"])
def test_where_something_is_hidden_nothing_is_learned(name: str):
    result = CliRunner().invoke(commands, ["learn", name, "--model", "tuples", "--output", "-"])
    assert result.exit_code == 5


# ---- Files ----------------------------------------------------------------------------------------------------------


def a_file() -> tuple[RulesGame, bytes]:
    found = game(ROWS)
    return found, learned_files.encode_learned(some_tables(found, tuples=False), found.model, {"games": "16"})


def test_a_file_reads_as_it_was_written():
    found, data = a_file()
    model = learned_files.attach_evaluation(found.model, data, "f")
    assert learned_files.encode_learned(model.learned, model, {"games": "16"}) == data
    assert tensors.is_such(data)
    assert not tensors.is_such(b"# Weights of the evaluation of Rows")
    other = gdl.loads(ROWS, settings=None).model.copy_with(name="Other", features=())
    assert learned_files.attach_evaluation(other, data, "f").learned is not None


def test_a_file_of_another_game_is_refused():
    _, data = a_file()
    with pytest.raises(DamagedData, match="f is of no use: Hex has other rules; it was learned of Rows"):
        learned_files.attach_evaluation(game("hex n=3").model, data, "f")
    with pytest.raises(DamagedData, match="has other rules"):
        learned_files.attach_evaluation(game(ROWS.replace("-> draw", "-> win O")).model, data, "f")


def changed_file(data: bytes, **arrays: Any) -> bytes:
    """A file with other arrays; a text in place of one changes what is said of it."""
    held, texts = tensors.read(data, "f")
    for name, value in arrays.items():
        if isinstance(value, str):
            texts[name] = value
        elif value is None:
            held.pop(name, texts.pop(name, None))
        else:
            held[name] = value(held[name])
    return tensors.encode_tensors(held, texts)


def with_(place: int, number: float) -> Callable[[Any], Any]:
    def made(numbers: Any) -> Any:
        other = array(numbers.typecode, numbers)
        other[place] = number
        return other

    return made


def changed(**arrays: Any) -> bytes:
    return changed_file(a_file()[1], **arrays)


HOSTILE = {
    "a number that is none": lambda: changed(table=with_(0, float("nan"))),
    "one without end": lambda: changed(table=with_(3, float("inf"))),
    "one too great": lambda: changed(table=with_(3, 1e30)),
    "a table too short": lambda: changed(table=lambda t: t[:-1]),
    "no table": lambda: changed(table=None),
    "whole numbers as table": lambda: changed(table=lambda t: array("i", [0] * len(t))[:0]),
    "a cell that is none": lambda: changed(member=with_(0, 99)),
    "one below": lambda: changed(member=with_(0, -1)),
    "a base beyond": lambda: changed(base=with_(1, 1 << 30)),
    "a base below": lambda: changed(base=with_(1, -5)),
    "a step beyond": lambda: changed(step=with_(1, 1 << 30)),
    "a sign of two": lambda: changed(sign=with_(0, 2)),
    "steps elsewhere": lambda: changed(where=with_(0, 1 << 20)),
    "steps before": lambda: changed(where=with_(0, -1)),
    "patterns backwards": lambda: changed(start=with_(1, 5)),
    "another format": lambda: changed(format="gdl 99"),
    "no scale": lambda: changed(half=None),
    "a scale of nothing": lambda: changed(half="0x0p+0"),
    "a scale beyond all": lambda: changed(half=(1e11).hex()),
    "a middle beyond all": lambda: changed(middle=(-1e10).hex()),
    "a scale that is none": lambda: changed(half="nan"),
    "no players": lambda: changed(outputs="0"),
    "many players": lambda: changed(outputs="7"),
    "a sum that is none": lambda: changed(total="1/0"),
    "a sum too many": lambda: changed(total=""),
    "cut off": lambda: a_file()[1][:-1],
    "too long": lambda: a_file()[1] + b"\0",
    "only a header": lambda: tensors.with_checksum(a_file()[1][:300]),
    "nothing": lambda: b"",
    "a vast header": lambda: tensors.with_checksum((1 << 40).to_bytes(8, "little") + a_file()[1][8:]),
    "no JSON": lambda: tensors.with_checksum((110).to_bytes(8, "little") + a_file()[1][8:118]),
    "a deep one": lambda: tensors.with_checksum(
        (60_000).to_bytes(8, "little") + a_file()[1][8:102] + b'},"a":' + b"[" * 59_900
    ),
    "a name twice": lambda: tensors.with_checksum(a_file()[1].replace(b'"member"', b'"start" ', 1)),
    "two arrays in one place": lambda: tensors.with_checksum(a_file()[1].replace(b"[0,40]", b"[4,44]", 1)),
}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(make: Callable[[], bytes]):
    with pytest.raises(DamagedData, match=r"^f "):
        learned_files.attach_evaluation(game(ROWS).model, make(), "f")


def test_no_byte_of_a_file_can_do_harm():
    """Bytes changed at random by who knows of checksums: the file is refused, or its tables can still be looked up
    everywhere."""
    found, data = a_file()
    random, read = Random(3), 0
    for _ in range(150):
        other = bytearray(data)
        for _ in range(random.randint(1, 3)):
            other[random.randrange(len(other) if random.random() < 0.5 else 400)] = random.randrange(256)
        try:
            tables = learned_files.attach_evaluation(found.model, tensors.with_checksum(bytes(other)), "f").learned
        except DamagedData:
            continue
        read += 1
        inputs: Inputs = tables.inputs
        for side in range(inputs.sides):
            for corner in ([0] * len(inputs.sizes), [size - 1 for size in inputs.sizes]):
                assert all(0 <= place < len(tables.table) for place in inputs.places(side, 0, corner))
    assert read > 2


@pytest.mark.thorough
def test_a_file_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("rows.game").write_text(ROWS)
    run = CliRunner().invoke(commands, ["learn", "rows.game", "--model", "linear", "--games", "500"])
    assert run.exit_code == 0 and "written to rows.safetensors" in run.stderr
    assert not Path("rows.safetensors.unfinished").exists()
    asked = ["solve", "rows.game", "--depth", "2", "--weights", "rows.safetensors", "--json"]
    values = [json.loads(CliRunner().invoke(commands, [*asked, "--engine", engine]).stdout)["value"]
              for engine in ("wasm", "interpreter")]  # fmt: skip
    assert values[0] == values[1]
    match = [
        "match",
        "rows.game",
        "depth-limited:depth=1,weights=rows.safetensors",
        "random",
        "--games",
        "20",
        "--json",
    ]
    assert CliRunner().invoke(commands, match).exit_code == 0
    other = CliRunner().invoke(commands, ["solve", "hex", "--weights", "rows.safetensors"])
    assert other.exit_code == 6 and "has other rules" in other.stderr
    both = CliRunner().invoke(commands, ["learn", "rows.game", "--model", "linear", "--weights", "rows.safetensors"])
    assert both.exit_code == 2


@pytest.mark.thorough
def test_one_player_and_chance_are_searched_on_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Ahead by max^n, which alone takes chance, and estimated for as many players as there are."""
    monkeypatch.chdir(tmp_path)
    asked, sizes = CliRunner(), ["--set", "side=2", "--set", "target=32"]
    for model in ("linear", "tuples"):
        learn = ["learn", "2048", *sizes, "--model", model, "--games", "16", "-o", "learned.safetensors"]
        assert asked.invoke(commands, learn).exit_code == 0
        solve = ["solve", "2048", *sizes, "--solver", "depth-limited", "--depth", "6", "--json"]
        solve += ["--weights", "learned.safetensors", "--engine"]
        found = [asked.invoke(commands, [*solve, engine]) for engine in ("wasm", "interpreter")]
        assert [run.exit_code for run in found] == [0, 0], found[0].stderr
        assert found[0].stdout == found[1].stdout
        Path("learned.safetensors").unlink()


# ---- Stopping and going on ------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_what_was_stopped_goes_on_to_the_same(tmp_path: Path):
    whole = taught(course(ROWS, "wasm", 300))
    first = course(ROWS, "wasm", 100, kept=tmp_path / "kept")
    first.run(lambda games: None)
    again = course(ROWS, "wasm", 300, kept=tmp_path / "kept")
    assert again.go_on() and again.learner.games == 100
    assert taught(again) == whole
    with pytest.raises(Refusal, match="--fresh begins anew"):
        course(ROWS, "wasm", 300, seed=4, kept=tmp_path / "kept").go_on()
    (tmp_path / "kept").write_bytes((tmp_path / "kept").read_bytes()[:-8])
    with pytest.raises(DamagedData):
        course(ROWS, "wasm", 300, kept=tmp_path / "kept").go_on()


@pytest.mark.parametrize("model", ["tuples", "linear"])
def test_the_time_is_for_the_match_too(model: str):
    """By a clock that goes on at each look, so that a busy machine finds the same."""
    ticks = count()
    found = game(ROWS)
    wanted = TrainingRequest(model, None, 1.0, 3)
    with all_clocks_replaced(lambda: next(ticks) / 100), slices_of(1, 1e-9):
        match = TrainingCourse(found, found.initial(), "wasm", wanted, None).run(lambda games: None)
    assert next(ticks) / 100 < 1.2
    assert match.games < 200


def test_time_ends_learning_and_writes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(temporal_differences, "OPENING", 2)
    Path("rows.game").write_text(ROWS)
    run = CliRunner().invoke(commands, ["learn", "rows.game", "--model", "tuples", "--time", "1", "-o", "f", "--json"])
    assert run.exit_code == 0
    told = json.loads(run.stdout)
    assert told["games"] > 0 and 0 <= told["match"]["games"] <= 200  # as many as there was time for
    assert learned_files.attach_evaluation(game(ROWS).model, Path("f").read_bytes(), "f").learned is not None


@pytest.mark.thorough
def test_the_first_slice_of_the_work_is_short():
    """A node of amazons is a move among two thousand: of five hundred a match took half a second more than it had."""
    game, asked = gdl.load("amazons"), []
    table = teaching(game, tuples=False)
    run = table.run
    table.run = lambda nodes: asked.append(nodes) or run(nodes)
    table.deadline = 0.0
    for _ in table.teach(100, 1):
        pass
    assert len(asked) == 1 and asked[0] <= 50


@pytest.mark.thorough_of("0.1-False")
@pytest.mark.parametrize(("seconds", "saved"), [(0.1, False), (None, True)])
def test_where_there_is_little_time_for_the_match_nothing_is_saved_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float | None, saved: bool
):
    """Large tables take some tenths of a second."""
    found = gdl.load("tic_tac_toe")
    wanted = TrainingRequest("linear", 20, seconds, 1)
    made = TrainingCourse(found, found.initial(), "python", wanted, tmp_path / "kept")
    monkeypatch.setattr(made.learner, "match", lambda groups, seed, pause: (tmp_path / "kept").exists())
    assert made.run(lambda games: None) is saved


@pytest.mark.parametrize("model", ["linear", "tuples"])
def test_ctrl_c_in_a_match_without_time_for_saving_keeps_what_was_learned(tmp_path: Path, model: str):
    """The match counts games of its own."""
    found = gdl.load("tic_tac_toe")

    def course() -> TrainingCourse:
        wanted = TrainingRequest(model, 4, 20, 1)
        return TrainingCourse(found, found.initial(), "auto", wanted, tmp_path / "kept")

    stopped = course()
    match = stopped.learner.match
    further = []

    def interrupted(groups: int, seed: int, pause: object) -> None:
        def stop() -> None:
            raise KeyboardInterrupt

        further.append(stopped.learner.extra_arrays)
        match(groups, seed, stop)

    stopped.learner.match = interrupted
    with pytest.raises(KeyboardInterrupt):
        stopped.run(lambda games: None)
    later = course()
    assert later.go_on() and later.learner.games >= 4
    assert later.learner.extra_arrays == further[0]
