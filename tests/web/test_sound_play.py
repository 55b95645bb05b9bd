"""Nothing is open on the page while the computer thinks, and no search goes on for which nobody waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from browsers import needs_browser
from test_play_page import browse


@pytest.mark.thorough
@needs_browser
def test_nobody_moves_for_the_computer_while_it_thinks(tmp_path: Path):
    body = """
        document.getElementById("seconds").value = "1";
        click("e2"); click("e4");
        result.open = [gdl.legal().length, document.querySelectorAll("#moves button, .square.open").length];
        click("e7"); click("e5");
        result.typed = gdl.play("e7e5");
        result.moves = gdl.moves();
        document.getElementById("hint").click();
        while (gdl.moves().length < 2) await wait(20);
        result.player = gdl.player(); result.again = gdl.legal().length > 0;
    """
    found = browse(tmp_path, "chess", body)
    assert found == {"open": [0, 0], "typed": False, "moves": ["e2e4"], "player": "White", "again": True}


@pytest.mark.thorough
@needs_browser
def test_a_search_that_nobody_waits_for_is_stopped(tmp_path: Path):
    body = """
        document.getElementById("seconds").value = "10";
        gdl.play("e2e4");
        await wait(300);
        gdl.back();
        document.getElementById("seconds").value = "0.3";
        const begun = performance.now();
        gdl.play("d2d4");
        while (gdl.moves().length < 2) await wait(20);
        result.soon = performance.now() - begun < 6000;
        result.moves = gdl.moves()[0];
    """
    assert browse(tmp_path, "chess", body) == {"soon": True, "moves": "d2d4"}


@pytest.mark.thorough
@needs_browser
def test_the_end_is_told_in_words(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["a1", "b1", "a2", "b2", "a3"]) click(name);
        result.won = document.getElementById("status").textContent;
        document.getElementById("new").click();
        for (const name of ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3", "b1"]) click(name);
        result.drawn = document.getElementById("status").textContent;
    """
    assert browse(tmp_path, "tic_tac_toe", body) == {
        "won": "The game is over: X wins",
        "drawn": "The game is over: a draw",
    }
