"""Gambit's own reader, and OpenSpiel's, take the files that are written: with the same players, sets and equilibria."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl.formats import gambit_writer
from gdl.game import Game
from gdl.solvers import solve

TREES = ("kuhn", "beer_quiche", "two_roads", "seltens_horse", "prisoners", "goofspiel")
STRANGE = """
players "Zoë", 乙
tree
    "Zoë" "x  −  y"
        "höher …": (1, -1)
        b: 乙 (c: (0, 0), d: (2, -2))
"""


def written(tmp_path: Path, game: Game[Any]) -> Path:
    file = tmp_path / "game.efg"
    file.write_text(gambit_writer.extensive(game), encoding="utf-8")
    return file


def test_labels_are_plain():
    text = gambit_writer.extensive(gdl.loads(STRANGE).game)
    assert text.isascii()
    assert all(label in text for label in (r'"Zo\xeb"', r'"x \x20\u2212 \x20y"', r'"h\xf6her \u2026"', r'"\u4e59"'))


def test_gambit_reads_names_of_all_scripts(tmp_path: Path):
    """As plain labels, which are the names again where gdl reads them from Gambit."""
    gambit = pytest.importorskip("pygambit")
    game = gdl.loads(STRANGE).game
    again = gdl.loads(gambit.read_efg(str(written(tmp_path, game))).to_efg()).game
    assert again.players == game.players
    assert again.node(again.initial()).actions == game.node(game.initial()).actions


@pytest.mark.thorough_of("prisoners")
@pytest.mark.parametrize("name", [pytest.param("kuhn", marks=pytest.mark.slow), *TREES[1:]])
def test_gambit_reads_the_tree(name: str, tmp_path: Path):
    gambit = pytest.importorskip("pygambit")
    game = gdl.load(name)
    read = gambit.read_efg(str(written(tmp_path, game)))
    assert [player.label for player in read.players] == list(game.players)
    if len(game.players) == 2 and read.is_perfect_recall and name != "goofspiel":
        mine = set(solve(game, concept="nash").payoffs)
        theirs = gambit.nash.lcp_solve(read, rational=True).equilibria
        paid = {tuple(Fraction(str(one.payoff(player))) for player in read.players) for one in theirs}
        assert paid and paid <= mine


@pytest.mark.parametrize("name", TREES)
def test_openspiel_reads_the_tree(name: str, tmp_path: Path):
    spiel = pytest.importorskip("pyspiel")
    game = gdl.load(name)
    read = spiel.load_game(f"efg_game(filename={written(tmp_path, game)})")
    assert read.num_players() == len(game.players)


@pytest.mark.slow
def test_gambits_own_catalogue_is_read_with_the_same_payoffs():
    """Games of books and papers, as they come with Gambit: equilibria of two players who forget nothing pay the same."""
    gambit = pytest.importorskip("pygambit")
    files = sorted(Path(gambit.__file__).parent.glob("catalog_data/**/*.[en]fg"))
    if not files:
        pytest.skip("this Gambit comes without its catalogue")
    compared = 0
    for file in files:
        game = gdl.load(file)
        read = gambit.read_efg if file.suffix == ".efg" else gambit.read_nfg
        theirs = read(file)
        assert [player.label for player in theirs.players] == list(game.players), file
        if len(game.players) != 2 or game.traits.perfect_recall is False:
            continue
        mixed = gambit.nash.enummixed_solve(theirs, rational=True).equilibria
        paid = {tuple(Fraction(one.payoff(player)) for player in theirs.players) for one in mixed}
        assert set(map(tuple, solve(game, "nash").payoffs)) == paid, file
        compared += 1
    assert compared >= 25
