"""The rows of the verifier."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "verify",
    "Checks a saved answer against the game: a second program, which knows nothing of the solvers.",
    commands={
        "verify": CommandRow(
            "gdl.wings.verify.verify_command:verify",
            "Check a saved answer.",
            "gdl solve nim --json > nim.json && gdl verify nim nim.json",
            section="Solve",
        ),
    },
    answers={"verify": ("gdl.wings.verify.answers:VerifyAnswer",)},
    pages={
        "verify": PageRow("To understand", behind="how-it-works"),
        "theorems": PageRow("To understand", behind="verify"),
    },
)
