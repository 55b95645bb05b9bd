"""Every message has a code, and every code a broken file with the same file mended, which `gdl guide CODE` shows."""

import pytest
import test_errors
from test_errors import FOLDER, NAMES, messages
from together import together

import gdl
from gdl.errors import GameError, Problem, codes
from gdl.inspection import findings
from gdl.inspection.findings import inspect
from gdl.web.manual import GUIDE, code_descriptions, code_page, page_files

MENDED = sorted(file.stem for file in FOLDER.glob("*.mended"))
OF_FILES = {
    "bases-too-large",
    "bases-too-many",
    "file-not-text",
    "file-too-large",
    "no-game",
    "no-meaning",
    "question-form",
}
ROWS = sorted({code for code, _ in codes.rows()})


def test_every_message_has_a_code():
    assert all(messages(name) for name in NAMES)
    without = [(name, message) for name in NAMES for message, code in messages(name) if not code]
    assert without == []


def test_every_row_of_the_table_has_its_message(tmp_path):
    """A row is some message of the catalogue, or of files that the catalogue cannot hold."""
    numbered = tmp_path / "rows"  # each with its number for a code
    numbered.write_text("\n".join(f"{number} {row}" for number, (_, row) in enumerate(codes.rows())), encoding="utf-8")
    said = {message for name in NAMES for message, _ in messages(name)} | {*test_errors.ELSEWHERE}
    used = {codes.code_of(message, numbered) for message in said}
    idle = [row for number, (_, row) in enumerate(codes.rows()) if str(number) not in used]
    assert idle == ["'*' has no meaning here"]  # where no diagnosis knows better


def test_every_code_has_an_example():
    assert set(codes.examples()) - set(ROWS) == set()
    assert set(ROWS) - set(codes.examples()) == OF_FILES


@pytest.mark.thorough_of(
    "from_unknown-200",
    "use_declared_twice-200",
    "from_path-200",
    "square_off_board-200",
    "draw_at_once-200",
    "deals_each-200",
    "deals_between-200",
)
@pytest.mark.parametrize("states", [200, pytest.param(findings.LIMIT, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MENDED)
def test_what_is_mended_is_mended(name, states, monkeypatch):
    monkeypatch.setattr(findings, "LIMIT", states)
    text = (FOLDER / f"{name}.mended").read_text(encoding="utf-8")
    try:
        found = inspect(gdl.described(text, f"{name}.game", FOLDER), gdl.play).problems
    except GameError as error:
        found = error.problems
    assert [str(problem) for problem in found] == []


def test_every_mended_file_was_broken():
    assert set(MENDED) <= set(NAMES)


def test_codes_are_short_words_and_no_pages_of_the_manual():
    pages = {*page_files()}
    for code in ROWS:
        assert len(code) < 32 and code == code.lower() and code.replace("-", "").isalnum()
        assert code not in pages


@together(code_descriptions(GUIDE / "messages.md"))
def test_the_guide_tells_every_code(code):
    known = code_descriptions(GUIDE / "messages.md")
    page = code_page(code, known)
    assert page.startswith(f"# {code}\n\n")
    assert "mended:" in page or "help: " in page


def test_a_message_is_found_by_its_own_letters():
    assert codes.code_of("no name is called 'a player is called'") == "unknown-name"
    assert codes.code_of("division by zero") == "division-by-zero"
    assert codes.code_of("something that nobody says") == ""
    assert codes.code_of("") == ""


def test_a_problem_shows_its_code():
    assert str(Problem("division by zero")) == "error: division by zero  [division-by-zero]"
    assert str(Problem("so be it", code="own")) == "error: so be it  [own]"
    assert str(Problem("so be it")) == "error: so be it"


def test_the_build_packs_what_the_guide_shows(tmp_path):
    packed = tmp_path / "examples.json"
    packed.write_text(codes.pack_examples(codes.CATALOGUE), encoding="utf-8")
    assert codes.examples(tmp_path / "nowhere", packed) == codes.examples()
