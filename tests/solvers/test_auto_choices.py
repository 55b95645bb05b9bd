"""The choices of `auto` for every shipped game, every game of the language's tests, every published problem, and their
trees and matrices as Gambit's files: the solver that gave the answer within a few nodes, and why. The table is text,
`auto_choices.txt`.

Run this file to write the table anew; read the difference before you keep it.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from places import LANGUAGE, PROBLEMS, ROOT, TESTS, missing_wings

import gdl
from gdl.commands.cli import commands
from gdl.errors import GameError, LimitReached, Refusal
from gdl.game import Game

TABLE = TESTS / "solvers" / "auto_choices.txt"
NODES = 200  # so that looking and picking, not searching, takes the time


def files() -> list[str]:
    """The files, by their paths from the root of the project; with another ending those that are written as Gambit has
    them."""
    found = [file for folder in (ROOT / "games", LANGUAGE, PROBLEMS) for file in folder.glob("*.game")]
    paths = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in found}
    trees = [path.replace(".game", ".efg") for path, text in paths.items() if re.search(r"^tree\b", text, re.MULTILINE)]
    matrices = [p.replace(".game", ".nfg") for p, text in paths.items() if re.search(r"^matrix\b", text, re.MULTILINE)]
    return sorted([*paths, *trees, *matrices])


def load(path: str) -> Game[Any]:
    """The game of such a file."""
    file = ROOT / path
    if file.suffix == ".game":
        return gdl.load(file)
    with TemporaryDirectory() as folder:
        written = Path(folder, file.name)
        CliRunner().invoke(commands, ["export", str(file.with_suffix(".game")), "-o", str(written)])
        return gdl.load(written)


def choice(path: str) -> str:
    """The solver and its reason; or why there is no answer."""
    try:
        found = gdl.solvers.solve(load(path), nodes=NODES, seed=0)
    except LimitReached as stop:
        found = stop.partial
        if not isinstance(found, gdl.solution.Solution):
            return "stopped without an answer"
    except (OSError, GameError):
        return "no game"
    except Refusal as refused:
        return f"refused: {str(refused)[:60]}"
    return f"{found.solver}: {found.reason}"


def held() -> dict[str, str]:
    """The table, by paths."""
    rows = (line.split("  ", 1) for line in TABLE.read_text(encoding="utf-8").splitlines())
    return {path: told.strip() for path, told in rows}


@pytest.mark.thorough_of(
    "games/dots_and_boxes.game",
    "games/2048.game",
    "games/for_sale.game",
    "games/scrabble.game",
    "games/kalah.game",
    "tests/model/language/sequences.game",
    "tests/model/language/trials.game",
    "tests/model/language/deck_in_order.game",
    "tests/model/language/sequences_given.game",
    "games/yahtzee.game",
    "games/hex.game",
)
@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", files())
def test_the_choice_stays(path: str):
    if missing_wings() and held()[path].split(":")[0] not in [*gdl.solvers.SOLVERS, "auto"]:
        pytest.skip("a wing has the solver")
    assert choice(path) == held()[path]


if __name__ == "__main__":
    TABLE.write_text("".join(f"{path}  {choice(path)}\n" for path in files()), encoding="utf-8")
