"""Where things lie: the checkout, the tests and the folders of files that several tests read."""

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
ERRORS = TESTS / "checker" / "errors"  # broken files, each with its message
LANGUAGE = TESTS / "model" / "language"  # games that show some constructs each
PROBLEMS = TESTS / "exam" / "problems"  # published ones, with their answers
RUNAWAY = TESTS / "commands" / "runaway"  # games that ask for too much
TRANSCRIPTS = TESTS / "commands" / "transcripts"

EXERCISES = ("students", "searches", "random-play", "matrices", "beliefs", "stochastic")  # pages on a search


def transcript_files() -> list[Path]:
    """The transcripts of all commands: of the core's, and of the wings'."""
    return sorted([*TRANSCRIPTS.glob("*.txt"), *ROOT.glob("tests/wings/*/transcripts/*.txt")])
