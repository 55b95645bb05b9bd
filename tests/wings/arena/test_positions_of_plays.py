"""Bad positions that come in by the protocols of engines and by records of plays are refused or repaired as elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from bad_positions import BAD, run


def by_protocol(game: str, text: str, folder: Path) -> tuple[int, str]:
    return run("engine", game, told=f"ugi\nposition fen {text}\nquery p1turn\nquit\n")


def by_pgn(game: str, text: str, folder: Path) -> tuple[int, str]:
    file = folder / "play.pgn"
    file.write_text(f'[SetUp "1"]\n[FEN "{text}"]\n\n*\n', encoding="utf-8")
    return run("show", str(file), "--notation")


def by_record(game: str, text: str, folder: Path) -> tuple[int, str]:
    file = folder / "begun.play"
    file.write_text(f'[game "{game}"]\n[position "{text}"]\n[result "*"]\n', encoding="utf-8")
    return run("show", str(file), "--notation")


@pytest.mark.one_in(51, 31)
@pytest.mark.parametrize(("door", "refused"), [(by_protocol, 0), (by_pgn, 6), (by_record, 6)],
                         ids=lambda value: getattr(value, "__name__", ""))  # fmt: skip
@pytest.mark.parametrize("case", [pytest.param(case, marks=() if n % 5 == 0 else pytest.mark.thorough) for n, case in
                                  enumerate(BAD)], ids=lambda case: f"{case[0]} {case[1]}")  # fmt: skip
def test_every_door_of_plays_refuses_and_repairs_alike(door, refused: int, case: tuple[str, ...], tmp_path: Path):
    game, text, refusal, repair = case
    if door is by_pgn and game != "chess":
        pytest.skip("PGN is read of chess")
    status, said = door(game, text, tmp_path)
    assert (refusal or repair) in said
    assert status == (refused if refusal else 0)


def test_what_is_left_out_is_told_by_the_protocol():
    said = by_protocol("chess", "4k3/8/8/8/8/8/P7/4K3 w KQ - 0 1", Path())[1]
    assert "info string 'K' and 'Q' of rights are left out" in said
