"""Nets that are learned from the rules alone: the same on all engines, shown by symmetries, learned to the same bytes
whenever learning was stopped, kept in files that can do no harm."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from both_engines import told_alike
from click.testing import CliRunner
from kernel_games import FORTUNES
from puct_reference import grow_reference
from test_learned import GAMES, ROWS, changed_file, game, taught, with_

import gdl.wings.learning.puct
from gdl.commands.cli import commands
from gdl.commands.engines import offer
from gdl.compiler.searches import slices
from gdl.errors import DamagedData, LimitReached, Refusal
from gdl.game import Decision, actions
from gdl.interpreter.position import Continuation
from gdl.interpreter.rules_game import RulesGame
from gdl.solution import Solution
from gdl.solvers import solve
from gdl.solvers.mcts.mcts import TreeSettings
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator, stream
from gdl.wings.learning import learned_files, network, patterns, self_play, tensors
from gdl.wings.learning.action_codes import ActionEncoder
from gdl.wings.learning.commands import numbers_of
from gdl.wings.learning.learned import reads_of
from gdl.wings.learning.learned_strength import freeze_positions
from gdl.wings.learning.network import Net
from gdl.wings.learning.puct import SEARCH as PUCT
from gdl.wings.learning.self_play import draw_initial_net, symmetries_of
from gdl.wings.learning.training import TrainingCourse, TrainingRequest
from gdl.wings.programs import compiled
from gdl.wings.programs.action_digits import NO_STEP

pytest.importorskip("wasmtime")


def often(games: dict[str, str], *names: str) -> Any:
    """These games, and all others where there is time."""
    return pytest.mark.parametrize(
        "text", [pytest.param(text, id=name, marks=() if name in names else pytest.mark.slow) for name, text in games.items()]
    )  # fmt: skip


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nets are small."""
    monkeypatch.setattr(self_play, "UNITS", 8)


def some_net(of: RulesGame, symmetric: bool = False) -> Net:
    """A net with numbers at random, as large as those that were learned."""
    group = symmetries_of(of) if symmetric else ()
    drawn = draw_initial_net(of, of.initial(), numbers_of(of), 3, group)
    random = Random(1)
    weight = array("d", [random.gauss(0.0, 0.4) for _ in drawn.net.weight])
    views, players = drawn.net.views, drawn.net.players
    assert len(views.row) == len(views.part) // players * sum(drawn.net.sizes)
    return replace(drawn.net, weight=weight)


def with_net(text: str) -> RulesGame:
    found = game(text)
    return RulesGame(found.model.copy_with(features=(), learned=some_net(found)))


def test_what_every_engine_reckons_with():
    for x in [0.0, -1e-9, -0.3, -0.7, -1.0, -5.5, -20.0, -39.9]:
        assert network.exp(x) == pytest.approx(math.exp(x), rel=1e-12)
    assert network.exp(-41.0) == 0.0


@often(GAMES, "things")
def test_both_engines_and_the_reference_evaluate_alike(text: str):
    told_alike(with_net(text), [1, 2], 30)


def answer(of: RulesGame, engine: str, **options: Any) -> Solution:
    """The answer, also where a limit has stopped it; by the engine "reference", that of the reference."""
    with pytest.MonkeyPatch.context() as patch:
        if engine == "reference":
            patch.setattr(gdl.wings.learning.puct, "_grow_tree", grow_reference)
        try:
            return solve(offer(of, "interpreter" if engine == "reference" else engine), "puct", **options)
        except LimitReached as stop:
            assert isinstance(stop.partial, Solution)
            return stop.partial


@pytest.mark.thorough
@often({**GAMES, "backgammon": "backgammon"}, "three")
def test_the_kernel_searches_as_its_twin(text: str):
    found = with_net(text)
    for options in (
        {"simulations": 40},
        {"simulations": 60, "nodes": 30, "c": 4.0, "seed": 3},
        {"simulations": 50, "seed": 5},
        {"simulations": 32, "nodes": 15},
    ):
        if text == "backgammon":
            options["simulations"] = 3
        twin = answer(found, "reference", **options)
        assert twin.value is not None
        assert answer(found, "wasm", **options) == twin
        assert answer(found, "python", **options) == twin


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["amazons n=4", "checkers n=4 men=1", ROWS])
def test_actions_by_steps_are_reckoned_alike_and_no_two_the_same(text: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_play, "MOST_SLOTS", 1)
    found = with_net(text)
    net = found.model.learned
    assert isinstance(net, Net) and net.by_steps
    for options in ({"simulations": 20}, {"simulations": 60, "seed": 5}):
        assert answer(found, "wasm", **options) == answer(found, "reference", **options)
    codes, random, state = ActionEncoder(found.model.actions, found.options), Random(2), found.initial()
    while isinstance(node := found.node(state), Decision):
        steps = [tuple(sorted(net.places(*code))) for code in codes.encode(state)]
        assert len(set(steps)) == len(steps)
        state = found.successor(state, random.choice(node.actions))


@pytest.mark.thorough
def test_values_beyond_so_many_steps_have_no_rows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_play, "MOST_SLOTS", 1)
    monkeypatch.setattr(compiled, "MOST_STEPS", 20)
    found = with_net("amazons n=4")
    net = found.model.learned
    assert isinstance(net, Net) and net.slots == 18 and net.digits[0].strides == (1, *[NO_STEP] * 4)
    assert answer(found, "wasm", simulations=20) == answer(found, "reference", simulations=20)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", ["backgammon", "draughts"])
def test_the_steps_of_large_games_tell_their_actions_apart(text: str):
    found = game(text)
    net = draw_initial_net(found, found.initial(), numbers_of(found), 1).net
    codes, positions = ActionEncoder(found.model.actions, found.options), random_positions(found, Generator(1))
    for state, node in islice(positions, 40):
        if isinstance(node, Decision):
            steps = [tuple(sorted(net.places(*code))) for code in codes.encode(state)]
            assert net.by_steps and len(set(steps)) == len(steps)


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("times", [0.0, 1e-3, 60.0, 1e5])
def test_no_sum_overflows_however_great_the_numbers_are(times: float):
    """Words of 16 bits and sums of 32 hold what the reference reckons with integers that have no end."""
    found = with_net(ROWS)
    net = found.model.learned
    assert isinstance(net, Net)
    net = replace(net, weight=array("d", [number * times for number in net.weight]))
    led = RulesGame(found.model.copy_with(learned=net))
    assert answer(led, "wasm", simulations=40) == answer(led, "reference", simulations=40)


@pytest.mark.thorough
@pytest.mark.parametrize("units", [24, 64])
def test_layers_of_any_size_are_reckoned_alike(units: int, monkeypatch: pytest.MonkeyPatch):
    """Numbers of the second layer are found by groups, of 32 where they can be."""
    monkeypatch.setattr(self_play, "UNITS", units)
    found = with_net(ROWS)
    assert answer(found, "wasm", simulations=40) == answer(found, "reference", simulations=40)


def test_rounded_numbers_say_what_those_that_were_learned_do():
    net = some_net(game(ROWS))
    cells = [k % size for k, size in enumerate(net.cell_sizes)]
    rows = [net.weight[row * net.units : (row + 1) * net.units] for row in range(net.rows)]
    first = list(rows[net.views.part[net.views.of[0] * net.players]])
    for offset, held in zip(net.offsets, net.parts(cells), strict=True):
        row = net.views.row[net.views.of[0] * sum(net.sizes) + offset + held]
        first = [a + b for a, b in zip(first, rows[row], strict=True)] if row >= 0 else first
    second = [0.0] * net.units
    for number, row in zip([*(max(x, 0.0) for x in first[:-1]), 1.0], rows[net.inputs :], strict=False):
        second = [a + number * b for a, b in zip(second, row, strict=True)]
    layer = [*(max(x, 0.0) for x in second[:-1]), 1.0]
    found = net.layer(0, cells)
    assert [number / found[-1] for number in found] == pytest.approx(layer, abs=0.02) and max(layer) > 0.5
    value = sum(a * b for a, b in zip(layer, rows[net.inputs + net.units], strict=True))
    assert net.values(0, found)[0] == pytest.approx(value / math.sqrt(1 + value * value), abs=0.02)


@pytest.mark.thorough
def test_a_tree_without_room_grows_no_more_and_says_so(monkeypatch: pytest.MonkeyPatch):
    free = answer(with_net(ROWS), "python", simulations=60)
    monkeypatch.setattr(gdl.wings.learning.puct, "ROOM", 40)
    full = answer(with_net(ROWS), "python", simulations=60)
    assert full == answer(with_net(ROWS), "reference", simulations=60)
    assert "in a tree that was full at" in (full.limit or "") and "full" not in (free.limit or "")


@pytest.mark.thorough
def test_a_won_position_is_proven():
    found = with_net(ROWS)
    state = found.initial()
    for action in ("take(a1)", "take(b1)", "take(a2)", "take(b2)"):
        state = found.successor(state, action)
    solution = solve(Continuation(offer(found, "wasm"), state), "puct", simulations=50)
    assert solution.exact and solution.best[0] == "take(a3)" and solution.value == (1, -1)


@pytest.mark.thorough
@often({"rows": ROWS, "men": "breakthrough rows=4 columns=3", "lines": "connect_four columns=4 rows=4"}, "rows")
def test_symmetries_are_seen_by_the_views(text: str):
    """In two views of one player's turn a position and its image are the same to the net, and so are their actions."""
    found = game(text)
    net = some_net(found, symmetric=True)
    group, players = symmetries_of(found), net.players
    assert len(net.views.part) == players * (1 + len(group))
    deeds, random, compared = ActionEncoder(found.model.actions, found.options), Random(3), 0
    state = found.initial()
    while isinstance(node := found.node(state), Decision):
        for number, symmetry in enumerate(group, 1):
            image = symmetry.image(state)
            there = found.node(image)
            assert isinstance(there, Decision)
            turned = replace(net, views=replace(net.views, of=array("i", [number] * players)))
            plain = replace(net, views=replace(net.views, of=array("i", [0] * players)))
            own = turned.values_and_shares(state.turn, state.cells, [net.places(*done) for done in deeds.encode(state)])
            other = plain.values_and_shares(
                image.turn, image.cells, [net.places(*done) for done in deeds.encode(image)]
            )
            assert symmetry.utilities(own[0]) == pytest.approx(other[0])
            after = [symmetry.image(found.successor(state, action)) for action in node.actions]
            led = dict(zip(after, own[1], strict=True))
            for action, share in zip(there.actions, other[1], strict=True):
                assert led[found.successor(image, action)] == pytest.approx(share)
            compared += 1
        state = found.successor(state, random.choice(node.actions))
    assert compared > 3


@pytest.mark.thorough_of("text0")
@pytest.mark.parametrize("text", [ROWS, FORTUNES])
def test_a_tree_goes_on_with_what_it_knows_of_a_later_position(text: str):
    """The visits and values below that position stay, provided that nothing but time limits the search."""
    rules = with_net(text)
    engine = offer(rules, "python").engine
    manner = {"greatest": (None, None), "room": 4000, "longest": 100, "few": 9, "refuting": 3}
    leads = {"less": 0.2, "halves": False}

    def asked(simulations: int | None) -> Any:
        shares = [TreeSettings(simulations, None, 3, (3.0, 3.0))]
        return engine.search(PUCT, shares=shares, **manner, **leads).trees[0]

    def grown(tree: Any, simulations: int) -> Any:
        tree.set_simulation_target(tree.simulations + simulations)
        for _ in tree.grow():
            pass
        return tree

    def told(node: Any) -> list[Any]:
        below = [told(child) for child in node.children if child is not None]
        return [node.N, node.W, node.proven, len(node.children), below]

    tree = grown(asked(None), 200)
    start, state, node = rules.initial(), rules.initial(), tree.root
    while state == start or not isinstance(rules.node(state), Decision):
        way = max((k for k, child in enumerate(node.children) if child), key=lambda k: node.children[k].N)
        state, node = rules.successor(state, actions(rules.node(state))[way]), node.children[way]
    wanted = told(node)
    assert wanted[0] > 3
    tree.restart(state)
    assert told(tree.root) == wanted and tree.simulations == wanted[0]
    assert grown(tree, 20).simulations == wanted[0] + 20
    tree.restart(start)
    assert tree.simulations == 0
    counted = asked(200)
    counted.restart(state)
    assert counted.simulations == 0


def test_without_a_net_puct_says_what_is_missing():
    with pytest.raises(Refusal, match="gdl learn GAME --model net learns one"):
        solve(game(ROWS), "puct")


# ---- Learning -------------------------------------------------------------------------------------------------------


def course(
    text: str, engine: str, games: int, seed: int = 3, kept: Path | None = None, simulations: int | None = None
) -> TrainingCourse:
    found = game(text)
    wanted = TrainingRequest("net", games, None, seed, simulations)
    judge = freeze_positions(found, found.initial(), 1, 1000).judge
    return TrainingCourse(found, found.initial(), engine, wanted, kept, numbers_of(found), None, lambda _: judge)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is played."""
    for name, number in {
        "SIMULATIONS": 8,
        "JUDGED_BY": 2,
        "GATE": 4,
        "GATE_GROUPS": 2,
        "BATCH": 8,
    }.items():
        monkeypatch.setattr(self_play, name, number)
    monkeypatch.setattr(self_play, "symmetries_of", lambda game, work=None: ())
    monkeypatch.setattr("gdl.wings.learning.self_play_learners.TRIALS", 4)
    monkeypatch.setattr("gdl.wings.learning.training.GROUPS", 2)
    monkeypatch.setattr("gdl.wings.learning.training.FIRST_POINT", 4)
    monkeypatch.setattr("gdl.wings.learning.learned_strength.POSITIONS", 4)


@pytest.mark.thorough
@often({"two": ROWS, "three": FORTUNES}, "three")
def test_every_back_end_learns_the_same(text: str, brief: None):
    first = taught(course(text, "wasm", 5))
    assert first == taught(course(text, "python", 5))
    assert first != taught(course(text, "wasm", 5, seed=4))


@pytest.mark.thorough
def test_three_of_four_games_that_teach_begin_with_random_plies(brief: None):
    made = course(ROWS, "wasm", 100)
    made.run(lambda games: None)
    lessons = made.learner.pupil
    held = lessons.extra_arrays["lesson_held"].tolist()
    choices = held[1 :: lessons.each]  # of each position
    assert len(choices) == lessons.positions_held and 25 <= choices.count(max(choices)) <= 60
    first_choices = [after for before, after in pairwise([0, *choices]) if after > before]
    assert len({*first_choices}) >= 5


@pytest.mark.thorough
def test_a_net_learns_to_play():
    made = course(ROWS, "wasm", 400)
    match = made.run(lambda games: None)
    assert match.is_stronger and match.won > 5 * match.lost
    with_learned = RulesGame(made.game.model.copy_with(learned=made.learner.learned_so_far))
    (value, _) = with_learned.evaluate(with_learned.initial()) or (9, 9)
    assert abs(value) < 0.6  # a draw, as is known


@pytest.mark.thorough
@pytest.mark.parametrize("most", [9, 1 << 15])
def test_what_was_stopped_goes_on_to_the_same(tmp_path: Path, brief: None, most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_play, "MOST_SLOTS", most)  # 9: actions by steps
    unstopped = course(ROWS, "wasm", 30)
    whole = taught(unstopped)
    first = course(ROWS, "wasm", 8, kept=tmp_path / "kept")
    first.run(lambda games: None)
    again = course(ROWS, "wasm", 30, kept=tmp_path / "kept")
    assert again.go_on() and again.learner.games == 8
    assert taught(again) == whole
    assert again.curve == unstopped.curve and [point.games for point in again.curve] == [4, 8, 16, 30]
    for other in ({"seed": 4}, {"simulations": 16}):
        with pytest.raises(Refusal, match="--fresh begins anew"):
            course(ROWS, "wasm", 30, kept=tmp_path / "kept", **other).go_on()
    arrays, texts = tensors.read((tmp_path / "kept").read_bytes(), "kept")
    for name, place, number in (("lesson_held", 0, 9), ("lesson_held", 2, -1), ("position", 2, -5)):
        (tmp_path / "kept").write_bytes(
            tensors.encode_tensors({**arrays, name: with_(place, number)(arrays[name])}, texts)
        )
        with pytest.raises(DamagedData):
            course(ROWS, "wasm", 30, kept=tmp_path / "kept").go_on()


@pytest.mark.thorough
def test_who_is_stopped_before_the_match_against_the_best_plays_it_later(
    tmp_path: Path, brief: None, monkeypatch: pytest.MonkeyPatch
):
    """Each slice is one game, and every fourth is followed by a match."""
    for name, number in {"_FIRST_SLICE_NODES": 1, "SLICE": 0.0, "SHORT": 0.0}.items():
        monkeypatch.setattr(slices, name, number)
    whole = taught(course(ROWS, "wasm", 6))
    for games, yielded in ((4, 4), (6, 7)):
        first = course(ROWS, "wasm", 6, kept=tmp_path / "kept")
        going = first.learner.teach(6, stream(3, 0))
        for _ in range(yielded):
            next(going)
        assert first.learner.games == games
        first.save()
        again = course(ROWS, "wasm", 6, kept=tmp_path / "kept")
        assert again.go_on()
        assert taught(again) == whole


@pytest.mark.parametrize("name", ["goofspiel", "kuhn"])
def test_where_something_is_hidden_no_net_is_learned(name: str):
    result = CliRunner().invoke(commands, ["learn", name, "--model", "net", "--output", "-"])
    assert result.exit_code == 5 and "where nothing is hidden" in result.stderr


# ---- Files ----------------------------------------------------------------------------------------------------------


@cache
def a_file() -> tuple[RulesGame, bytes]:
    """A file as learning from very few games would write it."""
    found = game(ROWS)
    made = self_play.SelfPlay(
        found, found.initial(), "python", draw_initial_net(found, found.initial(), numbers_of(found), 1)
    )
    return found, learned_files.encode_learned(made.learned_so_far, found.model, {"games": "16"})


def changed(**arrays: Any) -> bytes:
    return changed_file(a_file()[1], **arrays)


HOSTILE = {
    "a number that is none": lambda: changed(weight=with_(0, float("nan"))),
    "one too great": lambda: changed(weight=with_(3, 1e30)),
    "too few numbers": lambda: changed(weight=lambda w: w[:-1]),
    "whole numbers": lambda: changed(weight=lambda w: array("i", [0] * len(w))),
    "no numbers": lambda: changed(weight=None),
    "a row beyond": lambda: changed(row=with_(1, 1 << 20)),
    "a row below": lambda: changed(row=with_(1, -2)),
    "rows too few": lambda: changed(row=lambda r: r[:-1]),
    "an action beyond": lambda: changed(slot=with_(0, 99)),
    "an action below": lambda: changed(slot=with_(0, -1)),
    "a player twice": lambda: changed(part=with_(0, 1)),
    "a player beyond": lambda: changed(part=with_(0, 7)),
    "layers of nothing": lambda: changed(units="0"),
    "vast layers": lambda: changed(units="1000000000"),
    "odd layers": lambda: changed(units="63"),
    "vastly many actions": lambda: changed(slots=str(1 << 40)),
    "numbers without end": lambda: changed(actions=str(1 << 70)),
    "no such rule": lambda: changed(digits=with_(0, 5)),
    "a rule with other values": lambda: changed(digits=with_(1, 1)),
    "values cut off": lambda: changed(digits=lambda d: d[:-1]),
    "many players": lambda: changed(outputs="7"),
    "another model": lambda: changed(model="tuples"),
    "no scale": lambda: changed(half="nan"),
}


@pytest.mark.thorough_of("whole numbers")
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(make: Callable[[], bytes]):
    with pytest.raises(DamagedData, match=r"^f "):
        learned_files.attach_evaluation(game(ROWS).model, make(), "f")


@pytest.mark.thorough
def test_a_file_from_before_nets_read_runs_is_read(monkeypatch: pytest.MonkeyPatch):
    """The net of such a file reads cells alone; the two formats are told apart."""
    assert tensors.read(a_file()[1], "f")[1]["format"] == "gdl 2"
    monkeypatch.setattr(self_play, "runs_of", lambda model, reads: ())
    found, data = a_file.__wrapped__()
    arrays, texts = tensors.read(data, "f")
    assert not arrays.pop("runs")
    model = learned_files.attach_evaluation(found.model, tensors.encode_tensors(arrays, texts), "f")
    led = RulesGame(model)
    assert texts["format"] == "gdl 1" and answer(led, "wasm", simulations=40) == answer(
        led, "reference", simulations=40
    )


def test_a_file_in_which_actions_shared_rows_is_refused():
    with pytest.raises(DamagedData, match=r"f was learned by an older gdl, .* share one number: learn it again"):
        learned_files.attach_evaluation(game(ROWS).model, changed(actions="20000"), "f")


@pytest.mark.parametrize(
    ("text", "most", "kinds"),
    [("connect_four", 4, {4: 69, 3: 4, 2: 4}), ("tic_tac_toe", 3, {3: 8, 2: 4}), ("breakthrough", 4, {4: 130, 3: 4, 2: 4}),
     ("backgammon", 0, {}), ("chess", 0, {})],
)  # fmt: skip
def test_runs_are_as_long_as_what_they_can_hold_is_little(text: str, most: int, kinds: dict[int, int]):
    """Of three contents four cells make 81; a run shorter than that is a whole line."""
    found = game(text)
    runs = patterns.runs_of(found.model, reads_of(found.model))
    assert Counter(len(run.cells) for run in runs) == kinds and max(kinds, default=0) == most
    ways = {run.cells[1] - run.cells[0] for run in runs if len(run.cells) == most}
    assert len({run.kind for run in runs if len(run.cells) == most}) == len(ways)


@pytest.mark.parametrize("most", [9, 1 << 15])
def test_a_file_reads_as_it_was_written(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(self_play, "MOST_SLOTS", most)  # 9: actions by steps
    found, data = a_file.__wrapped__()
    assert (tensors.read(data, "f")[1]["format"] == "gdl 3") == (most == 9)
    model = learned_files.attach_evaluation(found.model, data, "f")
    assert learned_files.encode_learned(model.learned, model, {"games": "16"}) == data
    with pytest.raises(DamagedData, match="f is of no use: Hex has other rules; it was learned of Rows"):
        learned_files.attach_evaluation(game("hex n=3").model, data, "f")


@pytest.mark.thorough
def test_no_byte_of_a_file_can_do_harm():
    """Bytes changed at random by who knows of checksums: the file is refused, or its net can still be asked on every engine."""
    found, data = a_file()
    random, read = Random(3), 0
    for _ in range(60):
        other = bytearray(data)
        other[random.randrange(len(other) if random.random() < 0.5 else 700)] = random.randrange(256)
        try:
            model = learned_files.attach_evaluation(found.model, tensors.with_checksum(bytes(other)), "f")
        except DamagedData:
            continue
        read += 1
        if read <= 3:
            led = RulesGame(model)
            assert answer(led, "python", simulations=3) == answer(led, "reference", simulations=3)
    assert read > 2


@pytest.mark.thorough
def test_a_file_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, brief: None):
    monkeypatch.chdir(tmp_path)
    Path("rows.game").write_text(ROWS)
    run = CliRunner().invoke(commands, ["learn", "rows.game", "--model", "net", "--games", "16"])
    assert run.exit_code == 0 and "written to rows.safetensors" in run.stderr
    drawn = run.stdout.partition("The net after")[2].splitlines()[2:]
    assert [line.split()[0] for line in drawn] == ["4", "8", "16"]
    asked = ["match", "rows.game", "puct:simulations=10,weights=rows.safetensors", "random", "--games", "4", "--json"]
    assert CliRunner().invoke(commands, asked).exit_code == 0
    report = ["report", "rows.game", "--agents", "rows.safetensors,random", "--games", "2", "--csv", "-"]
    assert CliRunner().invoke(commands, report).exit_code == 0


@pytest.mark.thorough
def test_the_width_is_that_of_the_file(tmp_path: Path) -> None:
    def run(*words: str, status: int = 0) -> str:
        done = CliRunner().invoke(commands, [*words], prog_name="gdl")
        assert done.exit_code == status, done.output
        return done.output

    small, file = ("connect_four", "--set", "columns=4", "--set", "rows=4"), str(tmp_path / "c4.safetensors")
    learn = ("learn", *small, "--model", "net", "--simulations", "8")
    assert "two layers of 16" in run(*learn, "--games", "16", "--hidden", "16", "-o", file)
    assert "drop(" in run("solve", *small, "--solver", "puct", "--weights", file, "--simulations", "20")
    assert "77 is no multiple of 8" in run(*learn, "--hidden", "77", "-o", "-", status=2)
    assert "--model net" in run("learn", "othello", "--model", "tuples", "--hidden", "64", "-o", "-", status=2)
