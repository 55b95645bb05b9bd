"""Regrets by samples in rounds: the mean of the pieces, the same bytes by any number of workers, whoever is killed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import gdl
from gdl.commands import cli
from gdl.compiler import wasm
from gdl.wings.hidden.sampling import Sampling
from gdl.wings.tables.rounds_driver import K, Piecework, SharedLearner, sample_in_rounds

ENGINE = "wasm" if wasm.available() else "python"
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")
KINDS = [("--workers", ""), pytest.param(("--cluster", "local:"), marks=needs_ray)]


def loaded(name: str, **settings: str) -> Any:
    text, shown = gdl.read(name)
    return gdl.loads(text, shown, settings=settings).game


def in_rounds(game: Any, engine: str = ENGINE, workers: int = 1, seed: int = 1, memory: int | None = None) -> Sampling:
    """A search whose pieces workers of this process do by turns, the last piece first."""
    doing = [Piecework(game, game.initial(), engine, memory=memory) for _ in range(workers)]

    def run(pieces: Any, known: Any) -> Iterator[Any]:
        found = {piece: doing[n % workers].do(known, piece) for n, piece in enumerate(reversed(pieces))}
        yield from (found[piece] for piece in pieces)

    return sample_in_rounds(game, game.initial(), engine, run, seed, memory)


def learnt(search: Any, iterations: int) -> Any:
    search.learn(iterations)
    for _ in search:
        pass
    return search


def kept(search: Any) -> dict[str, array[Any]]:
    """All that was found, but for how memories are looked up, what is drawn next, and where the last play ended."""
    found = {
        name: numbers for name, numbers in search.checkpoint_arrays().items() if name not in ("tuple_slot", "played")
    }
    counts = (K.ITERATIONS, K.FULL, K.KNOWN, K.LONGEST, K.LEVELS, K.FINISHED, K.TOTAL)
    return found | {"mccfr": array("q", [found["mccfr"][count] for count in counts])}


def rows(search: Any) -> dict[Any, tuple[list[float], list[float]]]:
    """The regrets and averages of each information set, by what its mover remembers."""
    texts = {number: text for text, number in search.heard.items()}

    def memory(number: int) -> Any:
        player, before, *rest = search.tuple(number)
        if before < 0:
            return (player, *rest)
        count, words = rest[0], rest[1:]
        return memory(before), player, [*map(texts.get, words[:count])], words[count:]

    found, module = {}, search.module
    for number in range(int(module["tuple_count"][0])):
        n = module["tuple_note"][number] - 1
        if search.tuple(number)[0] >= 0 and n >= 0:
            at = slice(*module["set_from"][n : n + 2])
            found[repr(memory(number))] = [*module["regret"][at]], [*module["average"][at]]
    return found


@pytest.mark.parametrize(
    "name",
    ["kuhn", *(pytest.param(name, marks=pytest.mark.slow) for name in ("goofspiel", "leduc", "scrabble", "cheat"))],
)
def test_one_piece_finds_what_one_search_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(name)
    shared = in_rounds(game)
    todo = [[(0, 5, 7)]]
    monkeypatch.setattr(SharedLearner, "_pieces", lambda self, sampling: todo.pop() if todo else [])
    one = learnt(Sampling(game, game.initial(), ENGINE, seed=7), 5)
    learnt(shared, 5)
    assert kept(shared) == kept(one) and [*shared.heard] == [*one.heard]
    assert shared.nodes == one.nodes > 5


@pytest.mark.parametrize("name", ["kuhn", pytest.param("goofspiel", marks=pytest.mark.slow)])
def test_what_pieces_find_is_put_together_as_their_mean(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(name)
    shared = in_rounds(game)
    todo = [[(0, 3, 7), (3, 3, 8)]]
    monkeypatch.setattr(SharedLearner, "_pieces", lambda self, sampling: todo.pop() if todo else [])
    learnt(shared, 6)
    one = learnt(Sampling(game, game.initial(), ENGINE, seed=7), 3)
    other = Sampling(game, game.initial(), ENGINE, seed=8)
    other.found[K.ITERATIONS] = 3
    apart = rows(one), rows(learnt(other, 6))
    found = rows(shared)
    assert found.keys() == apart[0].keys() | apart[1].keys() != apart[0].keys()
    for key, row in found.items():
        for part, numbers in enumerate(row):
            both = [side[key][part] if key in side else [0.0] * len(numbers) for side in apart]
            assert numbers == [x / 2 + y / 2 for x, y in zip(*both, strict=True)]


@pytest.mark.parametrize("name", ["kuhn", pytest.param("liars_dice", marks=pytest.mark.slow)])
def test_who_does_a_piece_and_when_makes_no_difference(name: str) -> None:
    game = loaded(name)
    found = [learnt(in_rounds(game, workers=workers), 70) for workers in (1, 3)]
    assert kept(found[0]) == kept(found[1]) != kept(learnt(in_rounds(game, seed=2), 70))
    assert found[0].iterations == 70


@pytest.mark.slow
def test_both_back_ends_find_the_same() -> None:
    game = loaded("kuhn")
    assert kept(learnt(in_rounds(game, "python"), 30)) == kept(learnt(in_rounds(game), 30))


@pytest.mark.slow
def test_rounds_end_where_the_number_of_iterations_has_doubled() -> None:
    search = in_rounds(loaded("kuhn"))
    straight = kept(learnt(in_rounds(loaded("kuhn")), 128))
    for iterations in (16, 32, 64, 128):
        learnt(search, iterations)
    assert kept(search) == straight


@pytest.mark.slow
def test_where_there_is_no_room_it_ends_between_two_pieces() -> None:
    game = loaded("liars_dice")
    search, again = (learnt(in_rounds(game, memory=1 << 22), 100_000) for _ in range(2))
    assert search.full and search.sets > 100 and search.iterations < 1000
    assert kept(search) == kept(again)


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(cli.commands, [*arguments], prog_name="gdl")
    assert result.exit_code == status, result.output
    return result.output if status else result.stdout


@pytest.mark.slow
def test_a_process_finds_it_and_a_checkpoint_goes_on(tmp_path: Path) -> None:
    kuhn = ["solve", "kuhn", "--solver", "mccfr", "--checkpoint", str(tmp_path / "kept"), "--workers", "1"]
    assert "in rounds" in run(*kuhn, "--iterations", "64")
    assert "was written by several workers" in run(*kuhn[:-2], status=5)
    found = run(*kuhn, "--iterations", "128")
    (tmp_path / "kept").unlink()
    assert run(*kuhn, "--iterations", "128") == found


def test_what_several_workers_do_not_do_is_told() -> None:
    assert "several workers learn by mccfr" in run("solve", "kuhn", "--workers", "2", status=2)
    assert "leave them out" in run("solve", "kuhn", "--solver", "cfr", "--workers", "2", status=2)
    shared = ("--solver", "mccfr", "--workers", "2")
    assert "need the compiled engine" in run("solve", "kuhn", *shared, "--engine", "interpreter", status=5)
    assert "nothing is remembered" in run("solve", "nim", *shared, status=5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=["processes", "ray"])
@pytest.mark.parametrize("game", ["leduc", "liars_dice"])
def test_the_same_bytes_by_one_two_and_four_workers(kind: tuple[str, str], game: str) -> None:
    command = ["solve", game, "--solver", "mccfr", "--iterations", "400", "--json"]
    found = {run(*command, kind[0], f"{kind[1]}{workers}") for workers in (1, 2, 4)}
    assert found == {run(*command, "--workers", "1")}
