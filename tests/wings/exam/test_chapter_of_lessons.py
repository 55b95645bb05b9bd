"""The lessons that come with gdl: their exam file, the table of their commands, their notebook."""

import json
import re
from pathlib import Path

import notebooks
import pytest
from click.testing import CliRunner

from gdl.commands.cli import commands
from gdl.web.manual import page_files
from gdl.wings.exam.exam_command import LESSONS, lesson_pages
from gdl.wings.exam.exam_file import LINES, laid_out, read_exam
from gdl.wings.exam.phrases import LANGUAGES

PAGE = page_files()["lessons"]
TEXT = PAGE.read_text(encoding="utf-8")
NOTEBOOK = PAGE.with_suffix(".ipynb").read_text(encoding="utf-8")


def test_the_lessons_are_laid_out_and_told_in_all_languages():
    text = LESSONS.read_text(encoding="utf-8")
    assert laid_out(text, LESSONS.name) == text
    for one in read_exam(text, LESSONS.name).questions:
        spoken = {f"{line} {language}" for line in ("title", "text") for language in LANGUAGES[1:]}
        assert {*one.texts} - {*LINES} == spoken, one.number


def test_the_table_names_every_lesson():
    numbers = ", ".join(re.findall(r"^\| [^|]+ \| (\d[\d, ]*) \|", TEXT, re.MULTILINE)).split(", ")
    exam = read_exam(LESSONS.read_text(encoding="utf-8"), LESSONS.name)
    assert numbers == [str(one.number) for one in exam.questions]


@pytest.mark.thorough
def test_the_commands_of_the_table_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    game = LESSONS.with_name("horizon.game").read_text(encoding="utf-8")
    assert f"```game horizon.game\n{game}```" in TEXT
    Path("horizon.game").write_text(game, encoding="utf-8")
    rows = re.findall(r"^\| .* \| `gdl ([^`]+)` \| ", TEXT, re.MULTILINE)
    assert len(rows) > 12
    for words in rows:
        done = CliRunner().invoke(commands, re.findall(r'[^\s"]+|"[^"]*"', words.replace('"u^4"', "u^4")))
        assert done.exit_code == 0, done.output


@pytest.mark.thorough
def test_every_language_has_its_page():
    pages = dict(lesson_pages())
    assert [*pages] == [*LANGUAGES] and len({*pages.values()}) == len(LANGUAGES)
    assert all(f'<html lang="{language}"' in page for language, page in pages.items())
    assert "<h1>Adversarial search</h1>" in pages["en"] and "<h1>Suche mit Gegnern</h1>" in pages["de"]


def test_the_notebook_is_the_page_and_runs(capsys: pytest.CaptureFixture[str]):
    assert notebooks.notebook(TEXT) == NOTEBOOK, "python tests/support/notebooks.py writes it anew"
    names: dict[str, object] = {}
    for cell in json.loads(NOTEBOOK)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert "c2 and c3 are never looked at" in capsys.readouterr().out
