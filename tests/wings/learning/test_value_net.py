"""Nets of values: both engines reckon as the reference does, and a file with one is read as it is, or refused by what is
wrong in it."""

from __future__ import annotations

import gzip
import math
from array import array
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from both_engines import told_alike
from click.testing import CliRunner
from shipped import shipped
from test_learned import GAMES, ROWS, game, with_

from gdl.commands.cli import commands
from gdl.errors import DamagedData
from gdl.formats.game_files import shipped_weights
from gdl.interpreter.rules_game import RulesGame
from gdl.wings.learning import learned_files, tensors
from gdl.wings.learning.learned import reads_of
from gdl.wings.learning.utility_scale import outputs, scale_from_rules
from gdl.wings.learning.value_net import ValueNet


def some_net(of: RulesGame, units: int = 8, times: float = 1.0) -> ValueNet:
    """A net with numbers at random, as large as those that were learned, in which players see the same rows."""
    players, reads, random = len(of.players), reads_of(of.model), Random(1)
    sizes = [read.size for read in reads for _ in range(read.cells)]
    row, after = array("i"), players
    for size in sizes:
        row.extend((-1, *range(after, after + size - 1)))
        after += size - 1
    rows = after + units + outputs(of) + 1
    weight = array("d", [times * random.gauss(0.0, 0.4) for _ in range(rows * units)])
    part = array("i", list(range(players)) * players)
    return ValueNet(players, outputs(of), units, reads, row * players, part, scale_from_rules(of, of.initial()), weight)


def with_net(text: str, **given: Any) -> RulesGame:
    found = game(text)
    return RulesGame(found.model.copy_with(features=(), learned=some_net(found, **given)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_both_engines_and_the_reference_evaluate_alike(text: str) -> None:
    told_alike(with_net(text), [1, 2], 30)


@pytest.mark.thorough_of("24-1.0")
@pytest.mark.parametrize(("units", "times"), [(24, 1.0), (64, 1.0), (8, 0.0), (8, 1e-3), (8, 60.0), (8, 1e5)])
def test_layers_of_any_size_and_numbers_of_any_greatness_are_reckoned_alike(units: int, times: float) -> None:
    """Words of 16 bits and sums of 32 hold what the reference reckons with integers that have no end."""
    told_alike(with_net(ROWS, units=units, times=times), [1], 20)


def test_rounded_numbers_say_what_those_that_were_learned_do() -> None:
    net = some_net(game(ROWS))
    cells = [k % size for k, size in enumerate(net.sizes)]
    rows = [net.weight[row * net.units : (row + 1) * net.units] for row in range(net.rows)]
    first = list(rows[net.part[0]])
    for offset, held in zip(net.offsets, cells, strict=True):
        row = net.row[offset + held]
        first = [a + b for a, b in zip(first, rows[row], strict=True)] if row >= 0 else first
    second = [0.0] * net.units
    for number, row in zip([*(max(x, 0.0) for x in first[:-1]), 1.0], rows[net.inputs :], strict=False):
        second = [a + number * b for a, b in zip(second, row, strict=True)]
    layer = [*(max(x, 0.0) for x in second[:-1]), 1.0]
    found = net.layer(0, cells)
    assert [number / found[-1] for number in found] == pytest.approx(layer, abs=0.02) and max(layer) > 0.5
    value = sum(a * b for a, b in zip(layer, rows[net.inputs + net.units], strict=True))
    assert net.values(0, found)[0] == pytest.approx(value / math.sqrt(1 + value * value), abs=0.02)


def test_whoever_exchanges_the_players_changes_the_sign() -> None:
    net = some_net(game(ROWS))
    exchanged = replace(net, part=array("i", [0, 1, 1, 0]))
    cells = [0 for _ in net.sizes]
    assert exchanged.values(1, exchanged.layer(1, cells)) == [-x for x in net.values(0, net.layer(0, cells))]


# ---- Files ----------------------------------------------------------------------------------------------------------


@cache
def that_ships() -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays and the texts of the file that ships."""
    arrays, texts = tensors.read(gzip.decompress(shipped_weights()["backgammon"].read_bytes()), "f")
    return dict(arrays), {name: text for name, text in texts.items() if name != "checksum"}


def changed(**parts: Any) -> bytes:
    """The file with some arrays or texts changed: by a function, to a text, or left out (None)."""
    arrays, texts = map(dict, that_ships())
    for name, part in parts.items():
        if isinstance(part, str):
            texts[name] = part
        elif part is None:
            del arrays[name]
        else:
            arrays[name] = part(arrays[name][:])
    return tensors.encode_tensors(arrays, texts)


HOSTILE = {
    "one too great": {"weight": with_(3, 1e30)},
    "too few numbers": {"weight": lambda w: w[:-1]},
    "whole numbers": {"weight": lambda w: array("i", [0] * len(w))},
    "no numbers": {"weight": None},
    "a row beyond": {"row": with_(1, 1 << 20)},
    "a row below": {"row": with_(1, -2)},
    "rows too few": {"row": lambda r: r[:-1]},
    "a player twice": {"part": with_(0, 1)},
    "a player beyond": {"part": with_(0, 7)},
    "layers of nothing": {"units": "0"},
    "vast layers": {"units": "1000000000"},
    "odd layers": {"units": "63"},
    "many players": {"outputs": "7"},
    "no players": {"outputs": "0"},
    "another model": {"model": "tuples"},
    "no scale": {"half": "nan"},
}


@pytest.mark.thorough_of("whole numbers")
@pytest.mark.parametrize("parts", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused(parts: dict[str, Callable[[Any], Any]]) -> None:
    model: Any = shipped("backgammon").model
    assert learned_files.attach_evaluation(model, changed(), "f").learned is not None
    with pytest.raises(DamagedData, match=r"^f "):
        learned_files.attach_evaluation(model, changed(**parts), "f")


@pytest.mark.parametrize("texts", [{"slots": "512"}, {"format": "gdl 2"}, {"format": "gdl 3", "slots": "99"}])
def test_a_net_that_ranks_actions_is_refused_with_what_to_use(texts: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "old.safetensors"
    file.write_bytes(changed(**texts))
    for words in (["solve"], ["report", "--agents", f"{file},random", "--games", "2"]):
        if words[0] == "report":
            pytest.importorskip("gdl.wings.report")
        given = [] if len(words) > 1 else ["--weights", str(file)]
        run = CliRunner().invoke(commands, [*words, "backgammon", *given], prog_name="gdl")
        assert run.exit_code == 6, run.output
        assert "holds a net that leads a search, a model that gdl no longer has" in run.stderr
        assert "gdl learn GAME --model tuples" in run.stderr and "gdl.make_vec" in run.stderr


@pytest.mark.parametrize(
    "words", [["learn", "nim", "--model", "net"], ["solve", "nim", "--solver", "puct"], ["solvers", "puct"]]
)
def test_what_is_gone_says_what_to_use(words: list[str]) -> None:
    run = CliRunner().invoke(commands, words, prog_name="gdl")
    assert run.exit_code == 2 and "--model tuples" in run.stderr
