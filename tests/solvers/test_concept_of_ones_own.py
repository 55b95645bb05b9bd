"""A concept is one folder, with all that gdl needs to know of it, and one file of its name in the verifier's."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from installed import package_installed

import gdl
from gdl.commands.cli import commands
from gdl.solution import RecordedSearch
from gdl.solvers import CONCEPTS, solve
from gdl.solvers.equilibria.concept_judges import judge_profile
from gdl.solvers.equilibria.positions import explore

CHECKS = Path(__file__).parents[1] / "support" / "utopia_checks"


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory):
    """The package's wing is found by its entry point."""
    folder = tmp_path_factory.mktemp("package")
    with package_installed(folder, "gdl.wings", {"utopia": "utopia.wing:WING"}):
        yield


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch):
    """The package's file is found among the verifier's."""
    concepts = pytest.importorskip("gdl.wings.verify.concepts")
    monkeypatch.setattr(concepts, "__path__", [*concepts.__path__, str(CHECKS)])
    concepts.concept_checks.cache_clear()
    yield
    concepts.concept_checks.cache_clear()


def run(*words: str) -> str:
    return CliRunner().invoke(commands, words).stdout


def test_its_answer_is_told_with_its_opening_and_its_part() -> None:
    text = run("solve", "chicken", "--concept", "utopia")
    assert text.startswith("In utopia ")
    assert "\nutopia    no end is the best for all\n" in text and "\nconcept   utopia\n" in text
    assert json.loads(run("solve", "chicken", "--concept", "utopia", "--json"))["outcome"] == "no utopia"


def test_its_part_is_the_answers() -> None:
    answer = solve(gdl.load("chicken"), concept="utopia")
    assert answer.part.reached is False  # type: ignore[attr-defined]
    assert answer.cuts == () and answer.rule is None and answer.coalitions is None
    assert answer.with_part(RecordedSearch, values={(): (1, 1)}).values == {(): (1, 1)}


def test_its_answer_is_verified_by_the_file_of_its_name(tmp_path: Path, checked: None) -> None:
    saved = tmp_path / "answer.json"
    saved.write_text(run("solve", "chicken", "--concept", "utopia", "--json"), encoding="utf-8")
    assert "nobody gets more in any end" in run("verify", "chicken", str(saved))
    saved.write_text(
        saved.read_text(encoding="utf-8").replace('"value": {', '"value": {"Nobody": 1, '), encoding="utf-8"
    )
    assert "The answer is wrong" in run("verify", "chicken", str(saved))


def test_its_judge_is_asked() -> None:
    positions = explore(gdl.load("chicken"))
    swerve, straight = (1, 0), (0, 1)
    assert judge_profile("utopia", positions, (swerve, straight)).holds is False
    assert CONCEPTS["utopia"].definition.startswith("the most that each player")
