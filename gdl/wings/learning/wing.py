"""The rows of this wing."""

from gdl.wings import Clash, CommandRow, PageRow, SolverRow, Wing

WING = Wing(
    "learning",
    "Evaluations that are learned by self-play, and tree search that a net leads",
    needs=("programs", "symmetry"),
    commands={
        "learn": CommandRow(
            "gdl.wings.learning.commands:learn",
            "Learn an evaluation by self-play.",
            "gdl learn othello --set n=4 --games 100",
            synonyms={"train": "gdl learn FILE fits the weights of an evaluation"},
            section="Play",
            clashes=(
                Clash(
                    "workers",
                    ("model=net",),
                    said="several workers play the games of --model net only",
                    help="leave out --workers",
                ),
                Clash(
                    "simulations",
                    ("model=net",),
                    said="--simulations is for a net that plays against itself",
                    help="leave it out",
                ),
                Clash("hidden", ("model=net",), help="leave it out"),
            ),
        )
    },
    solvers={"puct": SolverRow("gdl.wings.learning.puct:PUCT", behind="mcts", compiled=True, draws=True)},
    answers={"learn": ("gdl.wings.learning.learn_answer:LearnAnswer",)},
    hooks={
        "--weights": "gdl.wings.learning.learned_files:read_weights",
        "search of a page": "gdl.wings.learning.page_search:page_search",
        "shipped weights": "gdl.wings.learning.learned_files:shipped_evaluation",
    },
    pages={"learning": PageRow("To begin", behind="in-the-browser")},
)
