"""The rows of this wing."""

from gdl.wings import CommandRow, PageRow, Wing

WING = Wing(
    "learning",
    "Evaluations that are learned by self-play",
    needs=("symmetry",),
    commands={
        "learn": CommandRow(
            "gdl.wings.learning.commands:learn",
            "Learn an evaluation by self-play.",
            "gdl learn othello --set n=4 --games 100",
            synonyms={"train": "gdl learn FILE fits the weights of an evaluation"},
            section="Play",
        )
    },
    answers={"learn": ("gdl.wings.learning.learn_answer:LearnAnswer",)},
    hooks={
        "--weights": "gdl.wings.learning.learned_files:read_weights",
        "shipped weights": "gdl.wings.learning.learned_files:shipped_evaluation",
    },
    pages={"learning": PageRow("To begin", behind="in-the-browser")},
)
