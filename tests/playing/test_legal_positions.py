"""One gate for positions: a table of bad positions of shipped games by the doors through which they come in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from bad_positions import BAD, run

import gdl
from gdl.errors import GameError


def by_command_line(game: str, text: str, folder: Path) -> tuple[int, str]:
    return run("show", game, "--notation", "--position", text)


def by_game_file(game: str, text: str, folder: Path) -> tuple[int, str]:
    file = folder / "begun.game"
    file.write_text(f'game "Begun" from {game}\n\nstart "{text}"\n', encoding="utf-8")
    return run("show", str(file), "--notation")


def by_python(game: str, text: str, folder: Path) -> tuple[int, str]:
    try:
        found = gdl.loads(*gdl.read(game), position=text)
    except GameError as wrong:
        return 1, str(wrong)
    return 0, "\n".join(map(str, found.warnings))


def by_expectation(game: str, text: str, folder: Path) -> tuple[int, str]:
    file = folder / "expecting.game"
    written = f'game "Expecting" from {game}\n\nposition odd "{text}"\n\nexpect perft(0) = 1 at odd\n'
    file.write_text(written, encoding="utf-8")
    return run("show", str(file), "--notation", "--position", "odd")


Door = Callable[[str, str, Path], tuple[int, str]]
DOORS: list[tuple[Door, int]] = [  # the door, and its status for a text that is refused
    (by_command_line, 2), (by_game_file, 3), (by_python, 1), (by_expectation, 3),
]  # fmt: skip


@pytest.mark.parametrize(("door", "refused"), DOORS, ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("case", [pytest.param(case, marks=() if n % 5 == 0 else pytest.mark.thorough) for n, case in
                                  enumerate(BAD)], ids=lambda case: f"{case[0]} {case[1]}")  # fmt: skip
def test_every_door_refuses_and_repairs_alike(door: Door, refused: int, case: tuple[str, ...], tmp_path: Path):
    game, text, refusal, repair = case
    status, said = door(game, text, tmp_path)
    assert (refusal or repair) in said
    assert status == (refused if refusal else 0)


@pytest.mark.filterwarnings("ignore:position")
def test_what_is_not_kept_changes_the_moves_only_as_it_should():
    from gdl.states import count

    def moves(game: str, text: str) -> int:
        return count.perft(gdl.load(game, position=text), 1)

    assert moves("chess", "4k3/8/8/8/8/8/P7/4K3 w KQkq - 0 1") == 7
    assert moves("chess", "4k3/2p5/8/1p6/8/8/8/4K3 b - b6 0 1") == 8
    assert moves("chess", "4k3/8/8/8/8/8/8/4K2R w K") == moves("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1") == 15


def test_hands_are_written_as_in_the_field():
    def names(text: str) -> object:
        game = gdl.load("crazyhouse", position=text)
        return game.node(game.initial())

    assert names("4k3/8/8/8/8/8/8/4K2R w K - 0 1") == names("4k3/8/8/8/8/8/8/4K2R[] w K - 0 1")
    assert names("4k3/8/8/8/8/8/8/4K2R w K") == names("4k3/8/8/8/8/8/8/4K2R[] w K")
    with pytest.raises(GameError, match="as SFEN writes hands: 2RB, or - for none"):
        gdl.load("shogi", position="4k4/9/9/9/9/9/9/9/4K4 b 0,0,0,0,0,0,0/0,0,0,0,0,0,0")
