"""An exam file is read, its problems are told at their places, and its sheets hold what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from test_practice import data_of

from gdl.commands.cli import commands
from gdl.errors import GameError
from gdl.wings.exam.exam_command import LESSONS
from gdl.wings.exam.exam_file import laid_out, read_exam

MIDTERM = """exam "Midterm" (variants = 2, total = 44)
header
    Name, Matr. number, seat

group "Search"
question 1 (9 points): figure_5_2.game: alpha-beta
    text "Mark what alpha-beta skips, from left to right."
    note "Check it twice."
    title "A tree"
question 2 (12 points): quiz "1 cut" with depth = 2
question 3 (8 points): nim.game: winner with heaps = 1, 2, 3
    text "Whoever takes the last stone wins."
group "Words"
question 4 (15 points): own "Explain why ordering matters." with lines = 3
    key "With the best first, b^(m/2) instead of b^m."
formulas
    "UCB = W/N + c √(ln N / N)"
"""


def run(folder: Path, *words: str, text: str = MIDTERM) -> Any:
    (folder / next(word for word in words if word.endswith(".exam"))).write_text(text, encoding="utf-8")
    told = [str(folder / word) if re.search(r"\.(exam|html|tex|pdf|secret)$", word) else word for word in words]
    return CliRunner().invoke(commands, told)


def test_the_sheet_holds_what_the_file_says_and_the_key_its_answers(tmp_path: Path) -> None:
    done = run(tmp_path, "sheet", "midterm.exam", "-o", "m.html", "--key", "k.html")
    assert done.exit_code == 0, done.output
    sheet, key = ((tmp_path / name).read_text(encoding="utf-8") for name in ("m.html", "k.html"))
    for told in ("Midterm · Variant 2", "Matr. number:", "Total: 44 points", "1. A tree (9 points)", "2. (12 points)",
                 "<h1>Words</h1>", "Check it twice.", "3. (8 points)", "<h1>Formulas</h1>"):  # fmt: skip
        assert told in sheet, told
    assert "b^(m/2)" in key and "b^(m/2)" not in sheet and "Matr. number:" not in key
    assert sheet.count('class="line"></p>') == 6  # three lines to write on in each variant
    secret = (tmp_path / "midterm.secret").read_text()
    assert run(tmp_path, "sheet", "midterm.exam", "-o", "again.html").exit_code == 0
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == sheet and secret.strip() not in sheet + key


def test_an_exam_is_printed_in_two_languages_with_the_same_trees(tmp_path: Path) -> None:
    """Of a line that is written for a language too, the sheet in that language has that text alone."""
    texts = '    text "Take your time."\n    text de "Lassen Sie sich Zeit."\n'
    own = 'question 2 (4 points): own "Why?"\n    own de "Warum?"\n    key "so"\n'
    text = f'exam "M"\nquestion 1: quiz "1 cut" with depth = 2\n{texts}{own}'
    pages = []
    for words in (["-o", "en.html"], ["-o", "de.html", "--language", "de"]):
        assert run(tmp_path, "sheet", "m.exam", *words, text=text).exit_code == 0
        pages.append((tmp_path / words[1]).read_text(encoding="utf-8"))
    for told, foreign in zip(("Take your time.", "Why?"), ("Lassen Sie sich Zeit.", "Warum?"), strict=True):
        assert [told in page for page in pages] == [True, False] and [foreign in page for page in pages] == [
            False,
            True,
        ]
    leaves = [re.findall(r"[a-z]\d: \d+", page) for page in pages]
    assert leaves[0] == leaves[1] != []
    wrong = run(tmp_path, "check", "m.exam", text=text.replace("own de", "own dutch"))
    assert "6:9: error: 'dutch' is no language of an exam" in wrong.stderr


def test_all_that_stands_on_an_exam_may_have_a_language(tmp_path: Path) -> None:
    """Title, header, groups and formulas."""
    text = (
        'exam "Midterm"\ntitle de "Klausur"\nheader\n    Name, seat\nheader de\n    Name, Platz\n'
        'group "Words"\ngroup de "Worte"\nquestion 1 (4 points): own "Why?"\n'
        'formulas\n    "UCB"\nformulas de\n    "Schranke"\n'
    )
    assert laid_out(text, "m.exam") == text
    pages = []
    for words in (["-o", "en.html"], ["-o", "de.html", "--language", "de"]):
        assert run(tmp_path, "sheet", "m.exam", *words, text=text).exit_code == 0
        pages.append((tmp_path / words[1]).read_text(encoding="utf-8"))
    for told, foreign in (("Midterm", "Klausur"), ("seat:", "Platz:"), (">Words<", ">Worte<"), ("UCB", "Schranke")):
        assert [(told in page, foreign in page) for page in pages] == [(True, False), (False, True)], told
    wrong = run(tmp_path, "check", "m.exam", text=text.replace("title de", "title"))
    assert (
        "2:7: error: this line cannot be read" in wrong.stderr and 'in a language: title de "Klausur"' in wrong.stderr
    )
    wrong = run(tmp_path, "check", "m.exam", text=text.replace("group de", "group dutch"))
    assert "8:7: error: 'dutch' is no language of an exam" in wrong.stderr


def test_slides_show_each_answer_after_the_other(tmp_path: Path) -> None:
    done = run(tmp_path, "sheet", "midterm.exam", "-o", "s.html", "--slides", "--variant", "1", "--seed", "3")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    slides = page.split("<article")[1:]
    assert ".paper { height: 100vh;" in page  # each fits a screen
    assert len(slides) == 3 + 3 + 2 + 2
    assert ["Pruned: c2 c3" in slide for slide in slides[:3]] == [False, True, True]
    assert ["Best action: a1" in slide for slide in slides[:3]] == [False, False, True]
    assert not (tmp_path / "midterm.secret").exists()


def test_format_shows_what_would_change(tmp_path: Path) -> None:
    text = 'exam "M"\nquestion 1:   nim: winner\n'
    done = run(tmp_path, "format", "m.exam", "--diff", text=text)
    assert "\n-question 1:   nim: winner\n+question 1: nim: winner\n" in done.stdout
    assert (tmp_path / "m.exam").read_text() == text


@pytest.mark.parametrize("words", ["draw midterm.exam --depth 2", "solve midterm.exam", "new midterm.exam"])
def test_a_command_for_games_names_the_page_on_exams(tmp_path: Path, words: str) -> None:
    done = run(tmp_path, *words.split())
    assert done.exit_code == 2 and "gdl guide exams" in done.stderr


def test_check_looks_at_every_question_and_makes_no_secret(tmp_path: Path) -> None:
    assert run(tmp_path, "check", "midterm.exam").stdout == "Midterm: fine; 4 questions, 44 points\n"
    assert not (tmp_path / "midterm.secret").exists()


WRONG = {
    "exam Midterm": ["1:6: this line cannot be read from here on"],
    "exm \"M\"": ["1:1: an exam begins with its title"],
    "": ["1:1: an exam begins with its title"],
    'exam "M"\n': ["1:6: this exam has no question"],
    'exam "M" (varants = 2)\nquestoin 1: nim\nquestion 1 (3 points: nim\n    txet "a"\n': [
        "1:11: an exam has no setting 'varants'", "2:1: an exam has no line 'questoin'", "3:21: this line cannot be read from here on",
    ],
    'exam "M" (varants = 2, total = x)\nquestion 1: nim\n    txet "a"\nquestion 2: own "Why?"\n': [
        "1:11: an exam has no setting 'varants'", "1:24: 'x' is no total of an exam", "3:5: a question has no line 'txet'", "4:10: a question of your own needs its points",
    ],
    'exam "M"\nquestion 2: nim\n': ["2:10: this is question 1"],
    'exam "M"\nquestion 1: nim\nheader\n    Name,,\n': ["4:10: this line cannot be read from here on"],
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_each_mistake_is_told_at_its_place(text: str) -> None:
    with pytest.raises(GameError) as wrong:
        read_exam(text, "m.exam")
    found = [f"{one.span.line}:{one.span.column}: {one.message}" for one in wrong.value.problems if one.span]
    assert found == WRONG[text] and all(one.help for one in wrong.value.problems)


QUESTIONS = {
    "nmi.game": "1:13: error: there is no file 'nmi'",
    "nim: winer": "1:13: error: no kind of question is called 'winer'",
    "../nim.game": "1:13: error: a game of an exam lies in its folder",
    'quiz "2 cits"': "1:18: error: no property of trees is called '2 cits'",
    'quiz "2 cuts" with depht = 3': "1:32: error: such a question has no setting 'depht'",
    "figure_5_2 with order = rverse": "1:29: error: 'rverse' is not one of",
    "nim: winner with heap = 3": "1:30: error: Nim has no parameter 'heap'",
    "nim": "1:13: error: the tree of Nim has more than 300 nodes",
}


@pytest.mark.thorough_of("nim", "nmi.game", "../nim.game", 'quiz "2 cits"')
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_that_cannot_be_posed_is_told_at_its_place(question: str, tmp_path: Path) -> None:
    done = run(tmp_path, "check", "midterm.exam", text=f'exam "M"\nquestion 1: {question}\n')
    assert done.exit_code == 3
    assert QUESTIONS[question].replace("1:", "midterm.exam:2:", 1) in done.stderr


def test_one_point_is_singular(tmp_path: Path) -> None:
    text = 'exam "One"\nquestion 1 (1 point): figure_5_2: leaves\n'
    done = run(tmp_path, "check", "one.exam", text=text)
    assert done.output.endswith("fine; 1 question, 1 point\n")
    run(tmp_path, "sheet", "one.exam", "--seed", "1", "-o", "one.html", text=text)
    assert "Total: 1 point<" in (tmp_path / "one.html").read_text(encoding="utf-8")


def test_a_wrong_total_is_told_with_the_right_one(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "midterm.exam", text=MIDTERM.replace("44", "40"))
    assert done.exit_code == 3 and "write total = 44" in done.stderr


def test_an_exam_is_laid_out() -> None:
    rough = MIDTERM.replace("    ", "  ").replace("variants = 2,", "variants=2 ,").replace(" (9", "  (9")
    assert laid_out(rough, "m.exam") == MIDTERM
    assert laid_out(MIDTERM, "m.exam") == MIDTERM


def test_a_wide_tree_fits_the_printed_page(tmp_path: Path) -> None:
    assert run(tmp_path, "sheet", "midterm.exam", "-o", "m.html", "--seed", "3").exit_code == 0
    printed = (tmp_path / "m.html").read_text(encoding="utf-8").partition("@media print")[2]
    assert re.search(r"\.question svg \{ max-width: 100%; height: auto; \}", printed)


HORIZON = """exam "Horizon"
question 1: horizon: deepening
question 2: horizon: alpha-beta with depth = 2
"""


def test_the_estimates_of_a_search_that_is_cut_off_stand_in_its_picture(tmp_path: Path) -> None:
    (tmp_path / "horizon.game").write_text(
        (LESSONS.parent / "horizon.game").read_text(encoding="utf-8"), encoding="utf-8"
    )
    done = run(tmp_path, "sheet", "h.exam", "-o", "h.html", "--key", "k.html", text=HORIZON)
    assert done.exit_code == 0, done.output
    for name in ("h.html", "k.html"):
        pictures = re.findall("<svg.*?</svg>", (tmp_path / name).read_text(encoding="utf-8"), re.DOTALL)
        deepening, cut_off = (re.findall(r">([^<\n]+)</text>", one) for one in pictures)
        assert [one for one in deepening if "≈" in one] == [f"≈ {told}" for told in (5, 4, 4, 3, 4, 6)], name
        assert [one for one in cut_off if one.isdigit()] == ["4", "3", "4", "6"] and "d1" not in cut_off, name


def test_the_other_rule_of_a_practice_page_keeps_the_settings_of_the_question(tmp_path: Path) -> None:
    (tmp_path / "horizon.game").write_text(
        (LESSONS.parent / "horizon.game").read_text(encoding="utf-8"), encoding="utf-8"
    )
    done = run(tmp_path, "sheet", "h.exam", "--practice", "-o", "p.html", text=HORIZON)
    assert done.exit_code == 0, done.output
    keys = data_of((tmp_path / "p.html").read_text(encoding="utf-8"))["trees"][1]["keys"]
    assert [[one["amount"] for one in keys[rule]["nodes"]] for rule in ("ge", "gt")] == [["3", "4", "4"]] * 2


def test_many_answers_stand_side_by_side_on_a_slide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = list[str]()

    def keep_source(pictures: list[str], source: str, kind: str) -> bytes:
        sources.append(source)
        return b""

    monkeypatch.setattr("gdl.wings.exam.sheet.compile_pages", keep_source)
    text = 'exam "W"\nquestion 1: figure_5_2: windows\nquestion 2: figure_5_2: leaves\n'
    for slides in (["--slides"], []):
        done = run(tmp_path, "sheet", "w.exam", "-o", "w.pdf", *slides, text=text)
        assert done.exit_code == 0, done.output
    columns = [[int(count) for count in re.findall(r"#grid\(columns: (\d)", source)] for source in sources]
    assert columns == [[2] * 9 + [1] * 3, [1, 1]]  # eight windows, and an empty slide before them


def test_the_colons_and_brackets_of_an_exam_are_laid_out() -> None:
    rough = (
        'exam "M"(variants=2)\nquestion 1(9 points):figure_5_2:leaves\n  text "So  (far) : good"\n'
        'question 2 ( 1 point ) :own "Why:(so)?"\nquestion 3 : "a b.game" :winner with heaps=1,2, x=3:4\n'
    )
    wanted = (
        'exam "M" (variants = 2)\nquestion 1 (9 points): figure_5_2: leaves\n    text "So  (far) : good"\n'
        'question 2 (1 point): own "Why:(so)?"\nquestion 3: "a b.game": winner with heaps = 1, 2, x = 3:4\n'
    )
    assert laid_out(rough, "m.exam") == wanted == laid_out(wanted, "m.exam")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ('quiz "2 cuts" with depth = 1', "write with depth = 2, or more"),
        ('quiz "7 leaves, 9 cuts" with branching = 2', "give more branching or depth"),
        ("tic_tac_toe: alpha-beta", 'begin later, as with after = "'),
        ("figure_5_2: ucb with simulations = 1", "write a larger simulations"),
    ],
)
def test_help_in_an_exam_is_written_as_in_the_file(tmp_path: Path, question: str, said: str) -> None:
    done = run(tmp_path, "check", "m.exam", text=f'exam "M"\nquestion 1: {question}\n')
    told = " ".join(done.stderr.split())
    assert said in told and "--" not in told.partition("help:")[2], told
