"""Kernels are files: what they are joined with, which constants are set, and where a mistake in one is reported."""

import ast
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import gdl
from gdl.compiler import joining, python
from gdl.compiler.emit import emit
from gdl.compiler.joining import KernelError, KernelPart, kernel
from gdl.compiler.lower import lower
from gdl.compiler.searches.path_search import REASON, WHY
from gdl.model.games import RulesModel

KERNELS = joining.kernels()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of kernels, for files of the tests."""
    monkeypatch.setattr(joining, "FOLDER", tmp_path)
    forget_files()
    yield tmp_path
    forget_files()


def forget_files() -> None:
    """Let kernel files be read again."""
    for read in vars(joining).values():
        if hasattr(read, "cache_clear") and read.__module__ == joining.__name__:
            read.cache_clear()


def text(folder: Path, name: str, body: str) -> None:
    (folder / f"{name}.py").write_text(body, encoding="utf-8")


@pytest.mark.thorough_of("self_play")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_can_be_joined(name: str) -> None:
    """With its own constants each kernel makes a module that both back-ends read, as far as the game has all that it
    asks for."""
    made = kernel(name)
    assert made.parts[-1].file.endswith(f"{name}.py")
    assert len({part.file for part in made.parts}) == len(made.parts)
    assert not any(line.startswith(("import", "from")) for line in made.text().splitlines())


def test_a_kernel_comes_behind_what_it_imports() -> None:
    files = [Path(part.file).stem for part in kernel("star").parts]
    assert files.index("frames") < files.index("children") < files.index("star")


def test_only_what_is_asked_for_after_folding_counts() -> None:
    assert "pack" in kernel("star", APART=1).calls
    assert "pack" not in kernel("star", APART=0).calls


def test_a_constant_that_no_file_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no constant of perft is called DEPHT"):
        kernel("perft", DEPHT=3)


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        ({"A": 1, "B": 0}, "if x > 0:\n        return 1\n    return 4"),
        ({"A": 0, "B": 1}, "return 2"),
        ({"A": 0, "B": 0}, "return 4"),
        ({"A": 1, "B": 1}, "if x > 0:\n        return 1\n    return 2"),
    ],
)
def test_branches_that_constants_decide_are_folded(folder: Path, settings: dict[str, int], left: str) -> None:
    text(
        folder,
        "folded",
        "A = const(0)\nB = const(0)\n\n\n"
        "def f(x: i32) -> i32:\n"
        "    if A and x > 0:\n        return 1\n"
        "    if B == 1:\n        return 2\n        x = 7\n"
        "    return 3 if A and B else 4\n",
    )
    assert kernel("folded", **settings).text().rstrip().endswith(left)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    a[3] = 1\n    return 0", "slip.py:5 in f: a has 3 elements, and this is the one at 3"),
        ("    return a[-1]", "slip.py:5 in f: a has 3 elements, and this is the one at -1"),
        ("    x = 1.5\n    a[0] = x\n    return 0", "slip.py:6 in f: rounding is written i32(e)"),
        (
            "    if a[0]:\n        return missing(2)\n    return 0",
            "slip.py:6 in f: kernel Python knows no function missing",
        ),
        ("    h: i64 = 1\n    a[0] = h\n    return 0", "slip.py:6 in f: narrowing is written i32(e)"),
    ],
)
def test_a_mistake_is_reported_with_its_file_line_and_function(folder: Path, body: str, message: str) -> None:
    text(folder, "slip", f"a = array(i32, 3)\n\n\ndef f() -> i32:\n{body}\n")
    with pytest.raises(KernelError) as caught:
        emit(kernel("slip").parts, ["f"])
    assert str(caught.value) == message


def test_a_traceback_shows_the_lines_of_a_kernel_and_of_a_game() -> None:
    model = gdl.loads("players A\nstate\n    n: 0..2\naction up\n    n := n + 1\nterminal\n    n = 2 -> 5\n").model
    assert isinstance(model, RulesModel)
    module = python.load([lower(model, gdl.play(model)).source, *kernel("perft", DEPTH=3).parts])
    module["start"]()
    with pytest.raises(python.Trap) as fault:
        for _ in range(3):
            module["apply"](0)
    assert "trap(3)" in shown(fault.value)
    with pytest.raises(IndexError) as slip:
        module["perft_make"](99)
    assert "frame_waiting[f] = 0" in shown(slip.value)
    assert "perft.py" in shown(slip.value)


def shown(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


OF_GAMES = {"odometer", "duplicates", "stored_pasts"}  # kernels that are parts of a game's own module
ALONE = {"sequence_table"}  # kernels that are joined with no game
INSTEAD = {"evaluate", "status", "status_after"}  # what a kernel gives in place of the game


def given(part: KernelPart) -> list[str]:
    """The functions, constants and arrays of a kernel file."""
    targets = [target for node in part.tree.body if isinstance(node, ast.Assign) for target in node.targets]
    functions = [node.name for node in part.tree.body if isinstance(node, ast.FunctionDef)]
    return functions + [target.id for target in targets if isinstance(target, ast.Name)]


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_that_are_joined_give_no_name_twice(name: str) -> None:
    names = Counter(one for part in kernel(name).parts for one in given(part))
    assert {one for one, times in names.items() if times > 1} == set()


@pytest.mark.thorough_of("chess")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", ["chess", "backgammon", "blind_tic_tac_toe", "cheat", "three_tricks"])
def test_no_kernel_gives_a_name_that_a_game_gives(game: str) -> None:
    model = gdl.load(f"games/{game}.game").model
    assert isinstance(model, RulesModel)
    module = lower(model, gdl.play(model)).module
    twice = {
        name
        for file in set(KERNELS) - OF_GAMES - ALONE
        for name in given(kernel(file).parts[-1])
        if module.declares(name)
    }
    assert twice <= INSTEAD


def test_every_reason_has_its_words() -> None:
    assert set(REASON.values()) - {REASON["FULL"]} == set(WHY)
