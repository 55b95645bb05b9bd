"""The row of the concept."""

from gdl.wings import Concept, SolverRow, Wing

WING = Wing(
    "utopia",
    "The best that could happen to everybody.",
    concepts={
        "utopia": Concept(
            "utopia",
            "the most that each player could get in any end, whether or not all can at once",
            "Thomas More 1516",
            judge="utopia.best_ends:judge_utopia",
            opening="In utopia",
            pays_value=False,
        )
    },
    solvers={"utopia": SolverRow("utopia.best_ends:UTOPIA", behind="minimax")},
)
