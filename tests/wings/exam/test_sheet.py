"""Exam sheets: what is asked and under which conventions, in every language; places for answers; keys; variants."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from places import ROOT

import gdl
from gdl.commands import cli
from gdl.errors import WrongRequest
from gdl.render.latex import latex
from gdl.render.svg.elements import break_lines, text_width
from gdl.solvers import solve
from gdl.solvers.minimax.alpha_beta import alpha_beta
from gdl.wings.exam.grade import grade, read
from gdl.wings.exam.phrases import LANGUAGES, Words, fields_of, phrases, read_words
from gdl.wings.exam.question import Question
from gdl.wings.exam.question import question as asked_of

HORSE = "seltens_horse"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli.commands, list(words))


def made(folder: Path, *words: str, kind: str = "html") -> tuple[str, str]:
    """The texts of a sheet and of its key."""
    files = folder / f"exam.{kind}", folder / f"key.{kind}"
    result = run("sheet", *words, "-o", str(files[0]), "--key", str(files[1]))
    assert result.exit_code == 0, result.stderr
    return files[0].read_text(), files[1].read_text()


def question(game: Any, solution: Any, language: str) -> Question:
    return asked_of(game, solution, Words(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_there_in_every_language_with_the_same_parts(language: str) -> None:
    english, told = phrases("en"), phrases(language)
    assert {name for name in told if not name.startswith(("legend: ", "page: ", "practice: "))} == set(english)
    assert {name: fields_of(text) for name, text in told.items() if name in english} == {
        name: fields_of(text) for name, text in english.items()
    }


@pytest.mark.parametrize("line", ["search = {solver:>1000000000}", "search = {solver!r}", "cut = {0}", "cut = {", "x"])
def test_a_phrase_of_a_course_has_the_parts_of_ours_as_they_are_written(line: str) -> None:
    with pytest.raises(WrongRequest, match=r"own\.txt:2:1: error: "):
        read_words("en", f"# ours\n{line}", "own.txt")


def test_the_headings_of_a_course_are_read_by_grade(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("cut = Chopped\naction = Choice of root\n")
    (tmp_path / "ann.txt").write_text("B=3 C<=2 D=2 A=3\nChopped: c2 c3\nChoice of root: a1\n")
    words = ["grade", "figure_5_2", str(tmp_path / "ann.txt"), "--words", str(tmp_path / "own.txt")]
    assert run(*words).stdout.startswith("6 of 6 right.") and run(*words[:3]).exit_code == 1


def test_no_phrase_of_a_course_steers_a_terminal_or_hides_in_a_page() -> None:
    assert read_words("en", "cut = \u202ecut\x1b[31m \x00", "own.txt")["cut"].isprintable()


def test_every_sign_of_a_picture_has_its_words_in_every_language() -> None:
    assert len({frozenset(Words(language).legend) for language in LANGUAGES if language != "en"}) == 1
    names = "svg/legend.py svg/matrix.py svg/tree.py svg/groups.py picture/labels.py tree_text.py matrix_text.py"
    source = "".join((ROOT / "gdl" / "render" / name).read_text("utf-8") for name in names.split())
    assert not [words for words in Words("de").legend if f'"{words}"' not in source], (
        "they are the words of the pictures"
    )


def quiz_file(folder: Path, want: str) -> str:
    result = run("quiz", "--want", want, "--seed", "3", "--values", "-9..9", "-o", str(folder))
    assert result.exit_code == 0, result.stderr
    return str(folder / "quiz-001.game")


@pytest.mark.parametrize("kind", ["html", "tex"])
def test_the_conventions_stand_on_the_sheet(kind: str, tmp_path: Path) -> None:
    blank, _ = made(tmp_path, "figure_5_2", kind=kind)
    for said in ("Name:", "6 points", "never looked at", "left to right", "Pruned:", "Best action:"):
        assert said in " ".join(blank.split()), said
    assert "Prune when alpha" in blank


def test_the_window_at_the_root_stands_on_the_sheet(tmp_path: Path) -> None:
    begins = "The search begins at the root with alpha = "
    assert begins not in made(tmp_path, "figure_5_2")[0]
    assert f"{begins}2 and beta = 8." in made(tmp_path, "figure_5_2", "--window", "2..8")[0]
    assert f"{begins}−∞ and beta = 8." in made(tmp_path, "figure_5_2:leaves", "--window", "..8")[0]


@pytest.mark.thorough
def test_bounds_and_sums_are_told_where_cuts_need_them(tmp_path: Path) -> None:
    blank, _ = made(tmp_path, quiz_file(tmp_path / "three", "three players, 1 cut"))
    assert "every utility lies between −9 and 9" in blank
    assert "the utilities of every end add up to −9" in blank
    blank, _ = made(tmp_path, quiz_file(tmp_path / "chance", "chance, 2 cuts"))
    assert "every utility lies between −9 and 9" in blank and "add up" not in blank
    blank, _ = made(tmp_path, "figure_5_2")
    assert "It is known" not in blank, "alpha-beta asks for nothing"


def test_the_points_are_those_of_grade_and_the_key_is_right() -> None:
    game = gdl.load("figure_5_2")
    answer = alpha_beta(game)
    asked = question(game, answer, "en")
    from gdl.explain.key import key

    right = key(game, answer)
    assert asked.points == grade(right, read(right.text(), right.names)).possible
    assert [line.right for line in asked.lines] == ["c2 c3", "a1"]


def test_points_of_a_table(tmp_path: Path) -> None:
    blank, _ = made(tmp_path, "prisoners")
    assert "1. (2 points)" in blank and "risoner" not in blank


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages(language: str, tmp_path: Path) -> None:
    blank, solved = made(tmp_path, "figure_5_2", "prisoners", HORSE, "--language", language)
    for name in ("name", "exam", "cut", "action", "equilibria", "table", "sets", "ge", "given"):
        assert phrases(language)[name] in blank, name
    for words in ("cut: never looked at", "best reply", "equilibrium", "one information set"):
        assert Words(language).legend.get(words, words) in solved, words
    assert phrases(language)["key"] in solved and "c2 c3" in solved and "c2 c3" not in blank


def test_games_of_other_kinds_have_their_questions(tmp_path: Path) -> None:
    blank, solved = made(tmp_path, "prisoners", HORSE)
    assert "the best replies to it" in blank and "for every information set" in blank
    assert "betray, betray" in solved and "betray, betray" not in blank
    assert "____" not in blank, "no room for values that are not asked for"


def test_every_variant_has_its_own_name_line(tmp_path: Path) -> None:
    files = ["--variants", "--title", "Test 1", "figure_5_2", "three_players"]
    blank, solved = made(tmp_path, *files)
    assert blank.count("Name:") == 2 and solved.count("Name:") == 0
    assert "Test 1 · Variant 1" in blank and "Test 1 · Key · Variant 2" in solved


def test_windows_are_asked_for(tmp_path: Path) -> None:
    assert "alpha and beta" in made(tmp_path, "figure_5_2", "--bounds", "nodes")[0]


@pytest.mark.thorough
def test_pictures_of_a_pdf_are_of_one_size(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra gdl[pictures] is not installed")
    files = tmp_path / "exam.pdf", tmp_path / "key.pdf"
    result = run("sheet", "figure_5_2", "prisoners", HORSE, "-o", str(files[0]), "--key", str(files[1]))
    assert result.exit_code == 0, result.stderr
    assert all(file.read_bytes().startswith(b"%PDF-") for file in files)


def test_a_title_that_looks_like_a_command_is_a_title(tmp_path: Path) -> None:
    title = '"#panic()" \\input{x} <b>&'
    for kind in ("html", "tex"):
        blank, _ = made(tmp_path, "figure_5_2", "--title", title, kind=kind)
        assert ("\\input{x}" if kind == "tex" else "<b>") not in blank
    pytest.importorskip("typst", reason="the extra gdl[pictures] is not installed")
    assert run("sheet", "figure_5_2", "--title", title, "-o", str(tmp_path / "t.pdf")).exit_code == 0


@pytest.mark.parametrize(
    "text",
    [
        "words of different lengths, all of them short enough " * 3,
        "用这棵树搜索并写出每个内部结点的值" * 4,
        "جستجو در درخت " * 9,
    ],
)
def test_lines_are_broken_by_their_widths(text: str) -> None:
    lines = break_lines(text, 11, 200)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert len(lines) > 1 and all(text_width(line, 11) <= 200 for line in lines)


def test_an_answer_for_a_game_that_no_search_records() -> None:
    game = gdl.load(HORSE)
    assert question(game, solve(game), "de").points >= 1


def test_a_key_names_every_information_set_in_no_language_at_all() -> None:
    game = gdl.load("kuhn")
    (line,) = question(game, solve(game), "zh").lines
    assert (
        line.asked == "均衡"
        and line.right.count(" at ") == 12
        and "P1 at card[P1]=1, …: check 2/3, bet 1/3" in line.right
    )
    _, line = question(gdl.load("battle_of_the_sexes"), solve(gdl.load("battle_of_the_sexes")), "de").lines
    assert line.right == "(fight, fight); (ballet, ballet); He fight 2/3, ballet 1/3, She fight 1/3, ballet 2/3"


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_left_open_are_asked_for_and_the_key_tells_when_what_is_right(language: str) -> None:
    """Such a sheet asked for an equilibrium, and its key said that `unknowns` does not settle the game."""
    tree = "players MAX, MIN\ntree MAX(a1: MIN(b1: 3, b2: 12), a2: MIN(c1: ?x, c2: 4))"
    game = gdl.loads(tree).game
    asked = question(game, solve(game), language)
    assert [line.right for line in asked.lines] == [
        "a1: x <= 3; a2: x >= 3",
        "3: x <= 3; x: 3 <= x <= 4; 4: x >= 4",
        "c2: x <= 3",
    ]
    assert asked.text[0].startswith(phrases(language)["open"]) and asked.points == 3
    strict = question(game, solve(game, "unknowns", cut="gt"), language)
    assert phrases(language)["gt"] in strict.text[1] and strict.lines[2].right == "c2: x < 3"


def test_a_table_with_numbers_left_open_asks_when_profiles_are_equilibria() -> None:
    game = gdl.loads("players A, B\nmatrix\n  l r\n  u (?x, 1) (0, 0)\n  d (0, 0) (1, 1)").game
    asked = question(game, solve(game), "en")
    assert [line.right for line in asked.lines] == ["(d, r); (u, l): x >= 0"]


LATEX = ("figure_5_2", "kuhn", "battle_of_the_sexes", "nim:winner", "figure_5_2:ucb", "two_roads:averaging")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_latex_compiles_and_nothing_is_wider_than_the_page(language: str, tmp_path: Path) -> None:
    engine = shutil.which("pdflatex" if language in ("en", "de") else "lualatex")
    if engine is None:
        pytest.skip("no LaTeX is installed")
    made(tmp_path, *LATEX, "--language", language, kind="tex")
    for name in ("exam", "key"):
        words = [engine, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, timeout=200)
        log = (tmp_path / f"{name}.log").read_text(errors="replace")
        assert done.returncode == 0, log[-2000:]
        assert not [line for line in log.splitlines() if line.startswith("Overfull")]
        text = (tmp_path / f"{name}.tex").read_text()
        small = min(float(size) for size in re.findall(r"fontsize\{([0-9.]+)bp\}", text))
        assert small * float(re.findall(r"scalebox\{([0-9.]+)\}", text)[0]) > 8 > small and "resizebox" not in text


def test_answers_of_a_persian_key_stand_from_left_to_right_and_are_read_again(tmp_path: Path) -> None:
    solved = made(tmp_path, "figure_5_2:windows", "--language", "fa")[1]
    assert "\u2066[−∞, ∞]\u2069" in solved and "<h2>1. (8 " in solved
    answers = tmp_path / "answers.txt"
    answers.write_text("\n".join(re.findall(r"<p>([^<]*: \u2066[^<]*)</p>", solved)))
    done = run("grade", "figure_5_2", str(answers), "--ask", "windows")
    assert done.exit_code == 0 and done.stdout.startswith("8 of 8 right."), done.stdout


WITH_DECIMALS = """players MAX, MIN
tree
    MAX
        a: chance A (x 0.25: 0.5, y .75: 1.5)
        b: MIN B (l: 2.25, r: 3)
"""


def test_decimals_of_a_file_are_decimals_on_its_sheet(tmp_path: Path) -> None:
    (tmp_path / "game.game").write_text(WITH_DECIMALS)
    sheet, key = tmp_path / "sheet.tex", tmp_path / "key.tex"
    assert run("sheet", str(tmp_path / "game.game"), "-o", str(sheet), "--key", str(key)).exit_code == 0
    assert "1.25" in key.read_text() and "0.25" in sheet.read_text()


def test_words_in_the_wrong_place_are_told_as_they_were_meant(tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_text("A=3 best: a1\n")
    done = run("grade", f"{tmp_path}/answers.txt", "figure_5_2")
    assert done.exit_code == 2 and f"write gdl grade figure_5_2 {tmp_path}/answers.txt" in done.stderr
    done = run("sheet", "figure_5_2", "--variants", "3", "-o", f"{tmp_path}/s.html")
    assert done.exit_code == 2 and "(variants = 3)" in done.stderr


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("figure_5_2:choice", "(A) 2   (B) 3   (C) 6   (D) 14"),
        ("figure_5_2:ucb", "W/N + c·√(ln 12 / N)"),
        ('playouts "a b: 1; c: 0"', "W/N + c·√(ln N₀ / N)"),
    ],
)
def test_options_and_formulas_on_a_persian_sheet_stand_in_one_piece(tmp_path: Path, question: str, whole: str) -> None:
    (tmp_path / "k.exam").write_text(f'exam "K"\nquestion 1: {question}\n', encoding="utf-8")
    for name in ("k.html", "k.tex"):
        done = run("sheet", str(tmp_path / "k.exam"), "--language", "fa", "-o", str(tmp_path / name))
        assert done.exit_code == 0, done.output
    assert f"\u2066{whole}\u2069" in (tmp_path / "k.html").read_text(encoding="utf-8")
    source = (tmp_path / "k.tex").read_text(encoding="utf-8")
    assert rf"\textdir TLT {latex(whole)}}}" in source and "textbullet" not in source


@pytest.mark.parametrize(("language", "told"), [("en", "One node. Players: First"), ("de", "Ein Knoten. Spieler: ")])
def test_a_picture_of_one_position_is_told_as_one(tmp_path: Path, language: str, told: str) -> None:
    assert run("sheet", "nim:winner", "--language", language, "-o", str(tmp_path / "a.html")).exit_code == 0
    assert told in (tmp_path / "a.html").read_text()
