"""Nothing is open on the page while the computer thinks, and no search goes on for which nobody waits."""

from __future__ import annotations

import re
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
def test_the_end_is_told_in_words_with_its_reason_and_the_line_that_won(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["a1", "b1", "a2", "b2", "a3"]) click(name);
        result.won = document.getElementById("status").textContent;
        result.why = document.getElementById("why").textContent;
        result.line = [...document.querySelectorAll(".square.won title")].map((each) => each.textContent.slice(0, 2)).sort();
        document.getElementById("new").click();
        for (const name of ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3", "b1"]) click(name);
        result.drawn = document.getElementById("status").textContent;
        result.none = document.querySelectorAll(".square.won").length;
    """
    assert browse(tmp_path, "tic_tac_toe", body) == {
        "won": "The game is over: X wins",
        "why": "a full row",
        "line": ["a1", "a2", "a3"],
        "drawn": "The game is over: a draw",
        "none": 0,
    }


@pytest.mark.thorough
@needs_browser
def test_mate_marks_the_men_without_which_it_would_be_none_and_a_choice_of_who_plays_stays_open(tmp_path: Path):
    """The question is asked of the rules, which know no chess without a king; and a strip is not made anew by a move."""
    body = """
        gdl.seats("person", "person");
        const choice = document.querySelector(".strip select");
        choice.focus();
        for (const name of ["f2f3", "e7e5", "g2g4", "d8h4"]) gdl.play(name);
        result.status = document.getElementById("status").textContent;
        result.why = document.getElementById("why").textContent;
        result.men = [...document.querySelectorAll(".square.won title")].map((each) => each.textContent).sort();
        result.same = document.activeElement === choice && choice.isConnected;
    """
    assert browse(tmp_path, "chess", body) == {
        "status": "The game is over: Black wins",
        "why": "checkmate",
        "men": ["h4 Black queen"],
        "same": True,
    }


@pytest.mark.thorough
@needs_browser
def test_a_choice_at_a_square_is_offered_there(tmp_path: Path):
    """A pawn's promotion: four men to choose from at its square; short notation and the arrows reach it, too."""
    body = """
        gdl.seats("person", "person");
        for (const name of ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "h7h6"]) gdl.play(name);
        click("b7"); click("a8");
        const offered = [...document.querySelectorAll("#choices button")];
        result.offered = offered.map((each) => each.getAttribute("aria-label"));
        result.drawn = offered.every((each) => each.querySelector("svg use"));
        offered[1].click();
        result.moves = gdl.moves().slice(-1);
        gdl.back();
        const type = (text) => { document.getElementById("move").value = text; document.getElementById("typed").requestSubmit(); };
        type("bxa8=Q"); type("Nc6"); type("Nf3");
        result.typed = gdl.moves().slice(-3);
        square("a1").focus();
        key(document.activeElement, "ArrowRight"); key(document.activeElement, "ArrowUp");
        result.walked = document.activeElement.querySelector("title").textContent;
    """
    assert browse(tmp_path, "chess", body) == {
        "offered": ["b7a8n", "b7a8b", "b7a8r", "b7a8q"],
        "drawn": True,
        "moves": ["b7a8b"],
        "typed": ["b7a8q", "b8c6", "g1f3"],
        "walked": "b2 White pawn",
    }


@pytest.mark.thorough
@needs_browser
def test_a_click_that_is_refused_and_a_move_without_choice_are_told(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        const read = (id) => document.getElementById(id).textContent;
        result.notices = ["e5", "e2", "e5", "e2", "d2", "Escape", "e2", "e4"].map((name) => {
          if (name === "Escape") key(document.body, name); else click(name);
          return read("notice");
        });
        for (const name of ["f7f5", "d1h5"]) gdl.play(name);
        const why = read("why");
        result.forced = [why, document.querySelector(".square.check title").textContent, [...document.querySelectorAll(".square.target")].map((each) => each.dataset.at).length];
        click("e8"); result.king = read("notice");
        click("g7"); click("g6");
        result.free = [read("why"), read("notice"), gdl.moves().length];
    """
    refused = ["“e5” is not possible here: nothing of White's is on e5.", "“e2 e5” is not possible here."]
    assert browse(tmp_path, "chess", body) == {
        "notices": [refused[0], "", refused[1], "", "", "", "", ""],
        "forced": ["Black is in check. Only “g6” is possible.", "e8 Black king", 1],
        "king": "“e8” is not possible here: one's king is never left in check.",
        "free": ["", "", 4],
    }


FORWARD = "a man steps forward, a king back too, where nobody stands"  # of checkers


@pytest.mark.thorough
@needs_browser
@pytest.mark.parametrize(
    "name, moves, clicked, said",
    [
        ("checkers", ["11-15", "22-18"], ["h6"], "“h6” is not possible here: whoever can take a man must."),
        (
            "breakthrough",
            ["b7b6", "b2b3", "b6b5", "b3b4"],
            ["b5", "b4"],
            "“b5 b4” is not possible here: one takes aslant, not straight on.",
        ),
        ("checkers", [], ["a3"], "“a3” is not possible here: nothing of Black's is on a3."),
        ("tic_tac_toe", ["take(a1)"], ["a1"], "“a1” is not possible here: a1 is not empty."),
        (
            "ultimate_tic_tac_toe",
            ["a1/b2"],
            ["a1"],
            "“a1 a1” is not possible here: one must play in the small board that is marked.",
        ),
        ("checkers", [], ["h8"], f"“h8” is not possible here: {FORWARD}."),
        ("checkers", [], ["a7"], f"“a7” is not possible here: {FORWARD}."),
        ("draughts", [], ["a1"], "“a1” is not possible here: a man steps forward, to where nobody stands."),
        ("othello", [], ["a1"], "“a1” is not possible here: an enemy disc must be turned."),
        ("othello", [], ["d4"], "“d4” is not possible here: d4 is not empty."),
        ("backgammon", [], ["bar"], "“bar” is not possible here: nothing of White's is on bar."),
        ("backgammon", [], ["8"], "“8” is not possible here: nothing of White's is on 8."),
    ],
)
def test_a_refusal_is_told_by_the_line_that_refuses(
    tmp_path: Path, name: str, moves: list[str], clicked: list[str], said: str
):
    body = f"""
        gdl.seats("person", "person");
        for (const name of {moves}) if (!gdl.play(name)) throw new Error(`${{name}} of ${{gdl.legal()}}`);
        for (const name of {clicked}) click(name);
        result.said = document.getElementById("notice").textContent;
    """
    assert browse(tmp_path, name, body) == {"said": said}


@pytest.mark.thorough
@needs_browser
def test_what_must_be_done_is_told_before_anybody_clicks(tmp_path: Path):
    """Of rules that nobody shipped: what must hold after a move and does not before it, and what a rank demands."""
    rules = """
        game "Burning house"
        players Ann, Bob
        board Room = grid(3, 1)
        state
            fire[Room]: Player?
            turn: 0..9
        define safe(p: Player) = forall r in Room: fire[r] != p
        action quench(r: Room) when fire[r] = mover  # {mover} pours water into {r}
            fire[r] := none
            turn := turn + 1
            require safe(mover)
        action light(r: Room)
            choose q: Room as "-{q}" when fire[q] = none and q != r  # a fire needs another room, where none burns
            fire[q] := other(mover)
            turn := turn + 1
            require safe(mover)  # no room of one's own may burn
        terminal
            turn >= 4 -> draw
    """
    (source := tmp_path / "house.game").write_text(rules.replace("\n        ", "\n"), encoding="utf-8")
    body = """
        gdl.seats("person", "person");
        const read = (id) => document.getElementById(id).textContent;
        gdl.play("light(a1)-b1");
        result.why = read("why");
        click("a1"); click("c1"); result.burns = read("notice");
        click("b1"); result.then = [read("why"), gdl.moves()];
    """
    burns = "no room of one's own may burn"
    assert browse(tmp_path, source, body) == {
        "why": f"N{burns[1:]}. Only “quench b1” is possible.",
        "burns": f"“c1” is not possible here: {burns}.",
        "then": ["", ["light(a1)-b1", "quench(b1)"]],
    }


@pytest.mark.thorough
@needs_browser
def test_a_hint_and_the_line_that_is_thought_best_are_in_words(tmp_path: Path):
    body = """
        const told = () => document.getElementById("told").textContent;
        document.getElementById("hint").click();
        while (!told().includes(": Roller")) await new Promise((resolve) => { setTimeout(resolve, 50); });
        result.words = /^(keep( \\d)+|keep –|score [a-z ]+): Roller /.test(told()) || told();
    """
    assert browse(tmp_path, "yahtzee", body) == {"words": True}


OPENED = """
        const open = (text) => {
          const moved = new DataTransfer();
          moved.items.add(new File([text], "play.txt"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: moved, bubbles: true }));
        };
        const notice = () => document.getElementById("notice").textContent;
"""


@pytest.mark.thorough
@needs_browser
def test_a_play_that_is_dropped_is_opened(tmp_path: Path):
    body = (
        OPENED
        + """
        open('[Event "x"]\\n[White "A (b)"]\\n\\n1. e4 {best} e5 (1... c5 2. Nf3) 2.Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 $1 5. Qe3 *');
        await wait(300);
        result.pgn = [gdl.moves(), notice()];
        open('[game "chess"]\\n[result "*"]\\n\\n1. d2d4\\n; a remark\\n2. d7d5\\n');
        await wait(300);
        result.record = [gdl.moves(), notice()];
        const begun = performance.now();
        open("1. zz " + "(".repeat(2e6) + "{".repeat(1e6)); open("(;B[dd];" + "C[".repeat(1e6));
        await wait(300);
        result.soon = performance.now() - begun < 5000;
        open("nothing of the kind");
        await wait(500);
        result.other = [gdl.moves().length, notice().slice(0, 20)];
    """
    )
    found = browse(tmp_path, "chess", body)
    line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "g8f6"]
    assert found["pgn"] == [line, "Move 9 of the file, Qe3, is not possible: the play is shown up to there."]
    assert found["soon"]  # whoever made the file wanted the page to stand still
    assert found["record"] == [["d2d4", "d7d5"], ""] and found["other"] == [2, "No play of this game"]
    body = (
        OPENED
        + """open("(;GM[1]SZ[9]C[a) [b\\\\] ;W[aa]];B[dd]C[(;B[gg\\\\]];W[ee](;B[tt])(;B[aa]))"); await wait(300); result.moves = gdl.moves();"""
    )
    assert browse(tmp_path, "go", body) == {"moves": ["d6", "e5", "pass"]}


@pytest.mark.thorough
@needs_browser
def test_a_link_that_cannot_be_read_is_told(tmp_path: Path):
    body = 'await wait(100); result.notice = document.getElementById("notice").textContent;'
    for fragment, said in (("#pc/%E0%A4%A", "cannot be read"), ("#pc/e2e4/zzz", "not possible")):
        assert said in browse(tmp_path, "chess", body, fragment=fragment)["notice"]


@pytest.mark.thorough
@needs_browser
def test_a_lead_is_no_win_and_the_last_move_says_no_more_than_the_end(tmp_path: Path):
    """A good chance, proved, is no win; of two who oppose each other the one ahead is named, by few digits."""
    toss = tmp_path / "toss.game"
    toss.write_text(
        'game "Toss"\nplayers Ann, Bob\nstate\n    sides: 0..2\naction begin when sides = 0\n    sides := 1\n    next Bob\n'
        "action toss when sides = 1\n    next coin\nchance coin(heads: Boolean) weight if heads then 2 else 1\n"
        "    sides := 2\n    next if heads then Bob else Ann\nterminal\n    sides = 2 -> win mover\n",
        encoding="utf-8",
    )
    body = """
        document.getElementById("seconds").value = "0.3";
        const told = async (ply) => { while (gdl.moves().length < ply) await wait(20); return document.getElementById("told").textContent; };
        gdl.play(gdl.legal()[0]);
        result.told = await told(2);
    """
    told = browse(tmp_path, toss, body)["told"]
    assert re.fullmatch(r"Bob plays toss: Bob \+1/3. Chance: coin (true|false).", told)
    found = browse(tmp_path, "chess", body)["told"]
    assert re.fullmatch(r"Black plays \w+: ((White|Black) \+[\d.]{1,4}|White 0, Black 0) pawns, an estimate.", found)
    body = """for (const name of ["drop(1)", "drop(4)", "drop(1)", "drop(4)", "drop(1)", "drop(4)"]) gdl.play(name);
        await gdl.reply(); result.told = document.getElementById("told").textContent;"""
    body = "gdl.seats('person', 'person');" + body
    assert browse(tmp_path, "connect_four", body) == {"told": "Yellow drops in 1."}


@pytest.mark.thorough
@needs_browser
def test_men_of_a_track_move_part_by_part_and_each_part_is_taken_back(tmp_path: Path):
    """The status says whose turn it is: a variable that says the same is folded."""
    body = """
        gdl.seats("person", "person");
        const read = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
        location.hash = "#pp/4-3"; dispatchEvent(new Event("hashchange"));
        const men = () => read(".square title").filter((each) => /^(1|5|17|20) .*White/.test(each)).sort();
        const back = document.getElementById("back");
        result.idle = back.getAttribute("aria-disabled");
        click("1"); click("5"); result.part = men();
        click("17"); result.ready = back.getAttribute("aria-disabled");
        back.click(); result.chosen = read(".square.chosen title").length;
        back.click(); result.none = men();
        click("1"); click("5"); click("17"); click("20"); result.move = gdl.moves()[1];
        result.folded = document.querySelector("#cells > details summary").textContent;
        result.open = document.getElementById("position").open;
    """
    assert browse(tmp_path, "backgammon", body) == {
        "idle": "true",
        "part": ["1 1 White", "17 3 White", "5 1 White"],
        "ready": "false",
        "chosen": 2,
        "none": ["1 2 White", "17 3 White"],
        "move": "1/5 17/20",
        "folded": "roller",
        "open": False,
    }


@pytest.mark.thorough
@needs_browser
def test_a_set_of_squares_is_marked_on_the_board_and_an_empty_one_opens_nothing(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        const read = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
        result.first = [read("#cells > p"), document.getElementById("position").open];
        for (const name of ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "h7h6", "b7a8q"]) gdl.play(name);
        result.then = [read("#cells > p"), read(".square title").filter((each) => each.endsWith("promoted"))];
    """
    assert browse(tmp_path, "crazyhouse", body) == {
        "first": [["promoted = –"], False],
        "then": [["promoted = a8"], ["a8 White queen promoted"]],
    }


@pytest.mark.thorough
@needs_browser
def test_an_answer_stands_below_its_player_though_a_variation_stands_before_it(tmp_path: Path):
    body = """
        gdl.seats("person", "person");
        for (const name of ["e2e4", "e7e5"]) gdl.play(name);
        document.getElementById("new").click();
        for (const name of ["d2d4", "d7d5", "c2c4", "c7c6"]) gdl.play(name);
        const lefts = [...document.querySelectorAll("#log .round > span")].map((each) => Math.round(each.getBoundingClientRect().left));
        result.columns = [lefts[0] === lefts[2], lefts[1] === lefts[3], lefts[0] < lefts[1]];
        result.variations = document.querySelectorAll("#log .round details").length;
    """
    assert browse(tmp_path, "chess", body) == {"columns": [True, True, True], "variations": 1}
