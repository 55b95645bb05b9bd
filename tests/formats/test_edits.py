"""Problems that name what to write carry it as edits, and gdl check --fix applies them."""

import json

import pytest
from click.testing import CliRunner

import gdl.formats.problems
import gdl.inspection.findings
from gdl.commands import cli
from gdl.errors import Problem, Source, Span

BROKEN = """players Ann, Bob

state
    left: 0..5 = 5

action take(n: 1..2) when n <= lfet
    left := left - n

terminal
    no actions -> lose mvoer
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.commands, ["check", *arguments], prog_name="gdl")
    return result.exit_code, result.stdout


def test_an_edit_says_what_to_write_and_where(tmp_path):
    file = tmp_path / "heap.game"
    file.write_text(BROKEN)
    status, told = run(str(file), "--json")
    problems = json.loads(told)["problems"]
    assert status == 3 and [problem["edits"] for problem in problems] == [
        [{"line": 6, "column": 32, "end_line": 6, "end": 36, "text": "left"}],
        [{"line": 10, "column": 24, "end_line": 10, "end": 29, "text": "mover"}],
    ]


@pytest.mark.parametrize(("wrong", "right"), [("left == 0", "left = 0"), ("left – 1 = 0", "left - 1 = 0")])
def test_signs_of_other_languages_are_mended(tmp_path, wrong: str, right: str):
    file = tmp_path / "heap.game"
    file.write_text(BROKEN.replace("lfet", "left").replace("mvoer", "mover") + f"    {wrong} -> win mover\n")
    assert run(str(file), "--fix")[0] == 0 and f"    {right} -> win mover\n" in file.read_text()


@pytest.mark.parametrize("sign", "÷·⋅∙•⁄∕‑‒―⸺﹣－…‥‚٫@$~´＋：；，!%^&|;'`\\")
def test_what_a_sign_parts_is_never_joined(tmp_path, sign: str):
    """Known signs are written as the language has them, others get no edit: 3÷4 is not 34."""
    file, text = tmp_path / "heap.game", BROKEN.replace("lfet", "left").replace("mvoer", "mover")
    for between in ("3{}4", "3 {}4", "left{}n"):
        file.write_text(text.replace("= 5", "= " + between.format(sign)))
        run(str(file), "--fix")
        parts = between.split("{}")
        assert parts[0].strip() + parts[1] not in file.read_text().split("= ")[1]


@pytest.mark.parametrize("quotes", ["“”", "„“", "«»", "»«", "‘’", "''", "””"])
def test_quotation_marks_of_other_languages_are_mended(tmp_path, quotes: str):
    file, text = tmp_path / "heap.game", BROKEN.replace("lfet", "left").replace("mvoer", "mover")
    right = text.replace("2) when", '2) as "take {n}" when')
    file.write_text(right.replace('"take {n}"', quotes[0] + "take {n}" + quotes[1]))
    assert run(str(file), "--fix")[0] == 0 and file.read_text() == right


def test_primes_behind_names_are_no_quotation_marks(tmp_path):
    file, text = tmp_path / "heap.game", BROKEN.replace("lfet", "left").replace("mvoer", "mover")
    file.write_text(wrong := f"{text}    left' = 0 or left' = 0 -> win mover\n")
    assert run(str(file), "--fix")[0] == 3 and file.read_text() == wrong


def test_taking_out_leaves_words_apart():
    source = Source("a.game", "one@two @ three")
    for at, left in ((3, " "), (8, "")):
        problem = Problem("a sign too many", Span(source, at, at + 1), help="take it out")
        assert gdl.formats.problems.replacement(problem) == left


def test_a_correction_that_leads_to_another_mistake_is_not_written(tmp_path):
    """`maxtrix` looks like `matrix`, and no matrix stands there."""
    file = tmp_path / "a.game"
    file.write_text("players A, B\n\nmaxtrix(3, 4)\n")
    assert run(str(file), "--fix")[0] == 3 and "maxtrix(3" in file.read_text()


@pytest.mark.parametrize(
    ("right", "wrong"), [("state\n", "state:\n"), ("2) when", "2) if"), ("terminal\n", "terminal:\n")]
)
def test_colons_and_conditions_as_python_has_them_are_mended(tmp_path, right: str, wrong: str):
    file, text = tmp_path / "heap.game", BROKEN.replace("lfet", "left").replace("mvoer", "mover")
    file.write_text(text.replace(right, wrong))
    assert run(str(file), "--fix")[0] == 0 and file.read_text() == text


def test_fix_writes_them_shows_the_difference_and_checks_what_is_left(tmp_path):
    file = tmp_path / "heap.game"
    file.write_text(BROKEN)
    status, told = run(str(file), "--fix")
    assert status == 0 and "-action take(n: 1..2) when n <= lfet\n+action take(n: 1..2) when n <= left" in told
    assert file.read_text() == BROKEN.replace("lfet", "left").replace("mvoer", "mover")
    assert told.endswith("heap.game: fine; all 10 positions looked at; the compiled engine plays it\n")
    assert run(str(file), "--fix") == (0, told.splitlines()[-1] + "\n")  # nothing is left to mend


def test_what_has_no_one_mend_is_left_as_it_is(tmp_path):
    file = tmp_path / "heap.game"
    file.write_text(BROKEN.replace("lfet", "left").replace("lose mvoer", "lose mover or"))
    before = file.read_text()
    assert run(str(file), "--fix")[0] == 3 and file.read_text() == before


@pytest.mark.parametrize("name", ["nim", "-", "nosuch", "/dev/zero"])
def test_only_files_of_ones_own_are_mended(name):
    assert run(name, "--fix")[0] == 2


@pytest.mark.parametrize("line", ["def f(x): return x", "    assert left > 0", "    turn := next player",
                                  "    left := 1 < left < 3"])  # fmt: skip
def test_what_is_no_mend_is_not_written(tmp_path, line):
    """A pattern with names to fill in, a word that stands for the rest of a line, a mend after which the same is said."""
    file = tmp_path / "heap.game"
    before = BROKEN.replace("    left := left - n", line).replace("lfet", "left").replace("mvoer", "mover")
    file.write_text(before)
    assert run(str(file), "--fix")[0] == 3 and file.read_text() == before


def test_a_mended_file_keeps_its_ends_of_lines_and_what_others_wrote_meanwhile(tmp_path, monkeypatch):
    file = tmp_path / "heap.game"
    file.write_bytes(BROKEN.replace("\n", "\r\n").encode())
    mended = file.read_bytes().replace(b"lfet", b"left").replace(b"mvoer", b"mover")
    assert run(str(file), "--fix")[0] == 0 and file.read_bytes() == mended
    file.write_text(BROKEN)
    inspect = gdl.inspection.findings.inspect
    monkeypatch.setattr("gdl.inspection.findings.inspect", lambda *of: (file.write_text("# mine\n"), inspect(*of))[1])
    assert run(str(file), "--fix")[0] == 2 and file.read_text() == "# mine\n"


def test_corrections_side_by_side_are_both_made():
    source = Source("x.game", "ab cd")
    spans = [Span(source, 0, 3), Span(source, 3, 5)]
    found = [Problem("?", span, help=f"write '{new}'") for span, new in zip(spans, ("e ", "f"), strict=True)]
    assert gdl.formats.problems.with_edits("ab cd", "x.game", found) == "e f"


@pytest.mark.parametrize(
    ("start", "end", "help", "place", "text"),
    [
        (3, 5, "write 'cd ef'", (1, 4, 6), "cd ef"), (3, 8, "write 'x'", (1, 4, 6), None), (1, 1, "write 'x'", (1, 2, 3), "x"),
        (6, 8, "take it out", (2, 1, 3), ""),
    ],
)  # fmt: skip
def test_the_end_of_a_problem_lies_in_its_line(start, end, help, place, text):
    problem = Problem("m", Span(Source("f", "ab cd\nef\n"), start, end), help=help)
    record = gdl.formats.problems.problem_record(problem, "x")
    assert (record.line, record.column, record.end) == place
    assert (record.edits[0].text if record.edits else None) == text


def test_the_last_sign_of_a_file_is_mended():
    source = Source("f", "ab")
    assert gdl.formats.problems.with_edits("ab", "f", [Problem("m", Span(source, 1, 2), help="write 'c'")]) == "ac"
