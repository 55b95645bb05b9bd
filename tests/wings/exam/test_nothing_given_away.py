"""Nothing on the paper, in its file or in the source of a practice page tells the answers, or how to have them made."""

from __future__ import annotations

import re
import stat
import zlib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.wings.exam.exam_file import read_exam
from gdl.wings.exam.exam_questions import PosedExam
from gdl.wings.exam.phrases import ENGLISH

SECRET = "a secret of this test"
EXAMS = {
    "trees": """exam "Midterm" (variants = 2)
question 1 (6 points): figure_5_2: alpha-beta
question 2 (12 points): quiz "2 cuts, no ties"
question 3 (8 points): quiz "1 cut" with depth = 2, ask = windows
question 4 (4 points): figure_5_2: leaves with order = reverse
""",
    "games": """exam "Finals"
question 1 (5 points): prisoners
question 2 (4 points): nim: winner with heaps = 1, 2, 3
question 3 (6 points): quiz "three players"
question 4 (6 points): quiz "chance" with depth = 2
question 5 (3 points): own "Why?"
    key "Because it is so."
""",
}
NAMES = ("figure_5_2", "Figure 5.2", "Prisoner", "prisoner", "Nim ", "nim:", "heaps", "Quiz", "2 cuts", "4711")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Any:
    return CliRunner().invoke(commands, list(words), prog_name="gdl")


def told_in(file: str) -> str:
    """All that a file holds, its packed parts too."""
    data = Path(file).read_bytes()
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        unpacker = zlib.decompressobj()
        data += unpacker.decompress(packed) if packed[:1] == b"x" else b""
    return data.decode("utf-8", errors="replace")


def answers_of(exam: str) -> set[str]:
    """The answers of the key, where one is long enough to be no other word of the sheet."""
    found: set[str] = set()
    for variant in PosedExam(read_exam(EXAMS[exam], "exam"), Path(), ENGLISH, lambda: SECRET).variants:
        for one in variant:
            key = one.question.key
            found |= (
                {key.text(), *(f"{key.names.name(path)} {key.value(path)}" for path in key.nodes)} if key else set()
            )
            found |= {line.right for line in one.question.lines} | {part.right for part in one.question.parts}
    return {answer for answer in found if len(answer) > 6}


@pytest.mark.parametrize("exam", EXAMS)
@pytest.mark.parametrize("ending", ["html", "tex", pytest.param("pdf", marks=pytest.mark.thorough), "practice"])
def test_the_bytes_of_a_paper_hold_no_answer_no_secret_and_no_name(exam: str, ending: str) -> None:
    if ending == "pdf":
        pytest.importorskip("typst")
    Path("x.exam").write_text(EXAMS[exam])
    Path("x.secret").write_text(SECRET)
    file, how = ("x.html", ["--practice"]) if ending == "practice" else (f"x.{ending}", [])
    assert run("sheet", "x.exam", "-o", file, *how).exit_code == 0
    text = told_in(file)
    page = re.sub(r"(?s)<style>.*?</style>|<script>.*?</script>|\\IfFileExists.*?\n", "", text)
    answers = answers_of(exam)
    assert len(answers) > 8 and not [told for told in (*answers, SECRET, *NAMES) if told in page]
    first = Path(file).read_bytes()
    assert run("sheet", "x.exam", "-o", file, *how).exit_code == 0
    assert Path(file).read_bytes() == first, "the same secret makes the same bytes"
    Path("x.secret").write_text(SECRET[::-1])
    assert run("sheet", "x.exam", "-o", file, *how).exit_code == 0
    assert Path(file).read_bytes() != first


def test_reasons_and_answers_of_a_practice_page_are_not_plain_in_its_source() -> None:
    assert run("quiz", "--practice", "-o", "p.html", "--want", "2 cuts", "--batch", "2").exit_code == 0
    page = Path("p.html").read_text()
    said = re.sub(r"(?s)<script>.*?</script>", "", page)
    assert not [told for told in ('"amount":', '"best":', "only a bound", "right is", "chooses among") if told in said]
    assert Path("p.secret").read_text().strip() not in page


def test_a_quiz_makes_a_secret_of_its_own_and_keeps_it() -> None:
    made = run("quiz", "--batch", "2", "-o", "trees")
    assert made.exit_code == 0 and "trees.secret holds the secret of the trees" in made.stderr
    assert stat.S_IMODE(Path("trees.secret").stat().st_mode) == 0o600
    first = Path("trees/quiz-001.game").read_bytes()
    assert "secret" not in run("quiz", "--batch", "2", "-o", "trees").stderr
    assert Path("trees/quiz-001.game").read_bytes() == first
    assert run("quiz", "--secret", "trees.secret").stdout.encode().startswith(first)
    assert run("quiz", "-o", "other.game").exit_code == 0 and Path("other.game").read_bytes() != first
    assert run("quiz", "-o", ".").exit_code == 0 and Path("quiz.secret").is_file()
    one, other = run("quiz"), run("quiz")
    assert one.stdout != other.stdout and "these trees come by chance" in one.stderr
    assert run("quiz", "--seed", "3").stdout == run("quiz", "--seed", "3").stdout


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", 6, "x.secret holds no secret: one line of 8 letters or more"),
        (b"short\n", 6, "x.secret holds no secret"),
        (b"two lines\nof a text\n", 6, "x.secret holds no secret"),
        (b"\xff\xfe\x00\x01" * 9, 6, "x.secret holds no secret"),
        (b"a" * 5_000, 6, "x.secret is larger than 1,000 bytes"),
        (None, 2, "x.secret: Is a directory"),
    ],
)
@pytest.mark.parametrize("words", [["quiz"], ["sheet", "x.exam", "-o", "x.html"]])
def test_a_file_that_holds_no_secret_is_refused(words: list[str], content: bytes | None, code: int, said: str) -> None:
    Path("x.exam").write_text('exam "X"\nquestion 1: quiz "1 cut" with depth = 2\n')
    Path("x.secret").mkdir() if content is None else Path("x.secret").write_bytes(content)
    done = run(*words, "--secret", "x.secret")
    assert (done.exit_code, done.stdout) == (code, "") and said in done.stderr


def test_what_is_missing_or_said_twice_is_told() -> None:
    Path("x.exam").write_text('exam "X"\nquestion 1: quiz "1 cut" with depth = 2\n')
    Path("a.txt").write_text("1: A=3\n")
    done = run("grade", "x.exam", "a.txt")
    assert done.exit_code == 6 and "there is no file 'x.secret' with the secret" in done.stderr
    for words in (["quiz"], ["sheet", "x.exam", "-o", "x.html"]):
        done = run(*words, "--seed", "1", "--secret", "b.secret")
        assert done.exit_code == 2 and "--seed and --secret both say" in done.stderr and not Path("b.secret").exists()
    assert run("quiz", "--secret", "no/such.secret").exit_code == 2
