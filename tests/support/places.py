"""Where things lie: the checkout, the tests and the folders of files that several tests read."""

from pathlib import Path

from gdl import wings

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
ERRORS = TESTS / "checker" / "errors"  # broken files, each with its message
LANGUAGE = TESTS / "model" / "language"  # games that show some constructs each
PROBLEMS = TESTS / "exam" / "problems"  # published ones, with their answers
RUNAWAY = TESTS / "commands" / "runaway"  # games that ask for too much
TRANSCRIPTS = TESTS / "commands" / "transcripts"

EXERCISES = ("students", "searches", "random-play", "matrices", "beliefs", "stochastic")  # pages on a search


def missing_wings() -> list[str]:
    """The wings of gdl that are not installed here."""
    return [name for name in wings.WORDS if wings.wing(name) is None]


def is_of_missing_wing(path: str) -> bool:
    """True if a path of the project lies in a wing that is not installed here, or in its tests."""
    return any(f"wings/{name}/" in f"{path}/" for name in missing_wings())


def transcript_files() -> list[Path]:
    """The transcripts of all commands: of the core's, and of the wings'."""
    return sorted([*TRANSCRIPTS.glob("*.txt"), *ROOT.glob("tests/wings/*/transcripts/*.txt")])
